// SPDX-License-Identifier: Apache-2.0
// Any bytes as the stream of an MQTT server. The packets must not depend on the cuts, and the reader accepts exactly
// the packets that a second, simple reader of complete packets accepts. A PUBLISH of the writer is read back.
#include <algorithm>
#include <iterator>
#include <map>

#include "fuzz/target.hpp"
#include "mcp/mqtt/packet_writer.hpp"
#include "mcp/mqtt/topic.hpp"
#include "transports/mqtt/describe_packets.hpp"
#include "transports/mqtt/hex.hpp"

namespace {

using namespace mcp::mqtt;

constexpr std::size_t largest = 2048;

// ---- The simple reader: OASIS MQTT 5.0, one complete packet at a time -----------------------------------------------

/// A packet without its fixed header. Everything that does not fit or is forbidden clears `valid`.
struct Cursor {
  std::string_view rest;
  bool valid = true;

  std::string_view take(std::size_t size) {
    if (size > rest.size()) valid = false;
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(taken.size());
    return taken;
  }
  unsigned long number(unsigned size) {
    unsigned long value = 0;
    for (const char c : take(size)) value = value * 256 + static_cast<unsigned char>(c);
    return value;
  }
  unsigned long integer() {
    unsigned long value = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned long byte = number(1);
      value += (byte & 127) << 7 * i;
      if (byte >= 128) continue;
      if (i != 0 && byte == 0) valid = false;
      return value;
    }
    valid = false;
    return value;
  }
  std::string_view binary() { return take(number(2)); }
  std::string_view string();
};

/// UTF-8 without U+0000, by the table of RFC 3629 section 4.
bool is_string(std::string_view text) {
  struct Sequence {
    unsigned first_low, first_high, second_low, second_high, size;
  };
  static constexpr Sequence sequences[] = {
      {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
      {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
      {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
  };
  while (!text.empty()) {
    const auto at = [&](unsigned i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
    const auto* const found = std::find_if(std::begin(sequences), std::end(sequences), [&](const Sequence& one) {
      return at(0) >= one.first_low && at(0) <= one.first_high && text.size() >= one.size &&
             (one.size < 2 || (at(1) >= one.second_low && at(1) <= one.second_high)) &&
             (one.size < 3 || at(2) >> 6 == 2) && (one.size < 4 || at(3) >> 6 == 2);
    });
    if (found == std::end(sequences)) return false;
    text.remove_prefix(found->size);
  }
  return true;
}

std::string_view Cursor::string() {
  const std::string_view text = binary();
  if (!is_string(text)) valid = false;
  return text;
}

bool is_topic(std::string_view text) { return !text.empty() && text.find_first_of("+#") == text.npos; }

enum Packet : unsigned { connack = 2, publish = 3, suback = 9, unsuback = 11, pingresp = 13, disconnect = 14 };

/// Where a property may occur (c: CONNACK, p: PUBLISH, a: acknowledgements, d: DISCONNECT), and its value.
struct Property {
  std::string_view packets;
  enum Form { flag, two, two_not_0, four, four_not_0, integer_not_0, binary, string, topic, pair } form;
};

const std::map<unsigned long, Property> properties_of_servers = {
    {0x01, {"p", Property::flag}},    {0x02, {"p", Property::four}},       {0x03, {"p", Property::string}},
    {0x08, {"p", Property::topic}},   {0x09, {"p", Property::binary}},     {0x0B, {"p", Property::integer_not_0}},
    {0x11, {"c", Property::four}},    {0x12, {"c", Property::string}},     {0x13, {"c", Property::two}},
    {0x1C, {"cd", Property::string}}, {0x1F, {"cad", Property::string}},   {0x21, {"c", Property::two_not_0}},
    {0x22, {"c", Property::two}},     {0x24, {"c", Property::flag}},       {0x25, {"c", Property::flag}},
    {0x26, {"cpad", Property::pair}}, {0x27, {"c", Property::four_not_0}}, {0x28, {"c", Property::flag}},
    {0x29, {"c", Property::flag}},    {0x2A, {"c", Property::flag}},
};

bool is_valid_value(Cursor& in, Property::Form form) {
  switch (form) {
    case Property::flag: return in.number(1) < 2;
    case Property::two: in.number(2); break;
    case Property::two_not_0: return in.number(2) != 0;
    case Property::four: in.number(4); break;
    case Property::four_not_0: return in.number(4) != 0;
    case Property::integer_not_0: return in.integer() != 0;
    case Property::binary: in.binary(); break;
    case Property::string: in.string(); break;
    case Property::topic: return is_topic(in.string());
    case Property::pair: in.string(), in.string(); break;
  }
  return true;
}

void check_properties(Cursor& packet, unsigned type) {
  const char letter = type == connack ? 'c' : type == publish ? 'p' : type == disconnect ? 'd' : 'a';
  Cursor in{packet.take(packet.integer())};
  std::map<unsigned long, unsigned> counts;
  while (in.valid && !in.rest.empty()) {
    const unsigned long identifier = in.number(1);
    const auto found = properties_of_servers.find(identifier);
    if (found == properties_of_servers.end() || found->second.packets.find(letter) == std::string_view::npos ||
        !is_valid_value(in, found->second.form) ||
        (++counts[identifier] != 1 && identifier != 0x0B && identifier != 0x26))
      in.valid = false;
  }
  if (!in.valid) packet.valid = false;
}

bool is_code(unsigned long code, unsigned type) {
  static const std::string_view codes[] = {
      "",
      "",
      "00 80 81 82 83 84 85 86 87 88 89 8a 8c 90 95 97 99 9a 9b 9c 9d 9f",
      "",
      "00 10 80 83 87 90 91 97 99",
      "00 10 80 83 87 90 91 97 99",
      "00 92",
      "00 92",
      "",
      "00 01 02 80 83 87 8f 91 97 9e a1 a2",
      "",
      "00 11 80 83 87 8f 91",
      "",
      "",
      "00 80 81 82 83 87 89 8b 8d 8e 8f 90 93 94 95 96 97 98 99 9a 9b 9c 9d 9e 9f a0 a1 a2",
      ""};
  return codes[type].find(test::to_hex(std::string(1, static_cast<char>(code)))) != std::string_view::npos;
}

bool is_valid_body(unsigned first, std::string_view body) {
  const unsigned type = first >> 4;
  const unsigned flags = first & 15;
  Cursor in{body};
  if (type == publish) {
    const unsigned qos = flags >> 1 & 3;
    if (qos == 3 || (qos == 0 && flags >= 8)) return false;
    if (!is_topic(in.string())) return false;
    if (qos != 0 && in.number(2) == 0) return false;
    check_properties(in, type);
    return in.valid;
  }
  if (flags != (type == 6 ? 2 : 0)) return false;
  if (type == pingresp) return body.empty();
  if (type == connack && in.number(1) != 0) return false;
  if (type != connack && type != disconnect && in.number(2) == 0) return false;
  if (!in.valid) return false;
  const bool is_list = type == suback || type == unsuback;
  if (!is_list) {
    if (in.rest.empty()) return type != connack;
    if (!is_code(in.number(1), type)) return false;
    if (in.rest.empty()) return type != connack;
  }
  check_properties(in, type);
  if (is_list && in.rest.empty()) return false;
  while (is_list && !in.rest.empty()) {
    if (!is_code(in.number(1), type)) return false;
  }
  return in.valid && in.rest.empty();
}

/// The packets of a stream.
struct Simple {
  std::size_t accepted = 0;
  bool rejected = false;  // the packet after them
  bool complete = true;   // the stream ends after a packet
};

Simple read_simply(std::string_view stream) {
  Simple result;
  bool ended = false;
  while (!stream.empty()) {
    Cursor in{stream.substr(1)};
    const auto first = static_cast<unsigned char>(stream.front());
    const unsigned type = first >> 4;
    const std::size_t size = in.integer();
    if (!in.valid || size > in.rest.size()) {
      result.complete = false;
      return result;
    }
    const std::string_view body = in.take(size);
    const bool comes_now = !ended && (type == connack) == (result.accepted == 0);
    const bool from_server = type == connack || type == publish || (type >= 4 && type <= 7) || type == suback ||
                             type == unsuback || type == pingresp || type == disconnect;
    if (!comes_now || !from_server || !is_valid_body(first, body)) {
      result.rejected = true;
      return result;
    }
    ++result.accepted;
    ended = type == disconnect || (type == connack && body[1] != 0);
    stream = in.rest;
  }
  return result;
}

// ---- The checks ----------------------------------------------------------------------------------------------------

std::vector<std::string_view> pieces_of(std::string_view stream, fuzz::Random& random) {
  std::vector<std::string_view> pieces;
  while (!stream.empty()) {
    pieces.push_back(stream.substr(0, random.below(random.one_in(3) ? 40 : 4)));
    stream.remove_prefix(pieces.back().size());
  }
  return pieces;
}

/// Compares the packets of a stream in one piece, byte by byte and in other pieces. Returns them.
std::string read(std::string_view stream, std::size_t head_size, std::uint32_t max_packet_size, fuzz::Random& random) {
  std::string whole = test::describe_packets({stream}, head_size, max_packet_size);
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < stream.size(); ++i) bytes.push_back(stream.substr(i, 1));
  for (const auto& pieces : {bytes, pieces_of(stream, random)}) {
    const std::string text = test::describe_packets(pieces, head_size, max_packet_size);
    if (text != whole) fuzz::fail("other packets in other pieces", text, whole);
  }
  return whole;
}

void compare(std::string_view stream, const std::string& text) {
  const Simple simple = read_simply(stream);
  std::size_t accepted = 0;
  bool failed = false;
  bool in_last = false;  // after the beginning of a PUBLISH that is not complete
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string_view line = std::string_view(text).substr(at);
    if (line.starts_with("failed")) failed = true;
    if (!line.starts_with("failed") && !line.starts_with("payload") && !line.starts_with("part")) ++accepted;
    in_last = line.starts_with("publish") || line.starts_with("part");
  }
  // A reader of complete packets does not see the beginning of the last one.
  if (!simple.complete && in_last && accepted == simple.accepted + 1) --accepted;
  if (accepted != simple.accepted || (simple.complete && failed != simple.rejected))
    fuzz::fail(failed ? "rejected" : "accepted", text,
               std::to_string(simple.accepted) + (simple.rejected ? " packets and an error" : " packets"));
}

/// Writes a PUBLISH and reads it.
void write_and_read(std::string_view input, fuzz::Random& random) {
  fuzz::Bytes from(input);
  PublishHead head{.topic = from.text(from.byte() % 32), .qos = static_cast<std::uint8_t>(from.byte() % 3)};
  head.retain = from.byte() % 2 != 0;
  head.packet_id = static_cast<std::uint16_t>(1 + from.byte() * 256u);
  std::vector<UserProperty> properties(from.byte() % 4);
  for (UserProperty& property : properties) {
    property.name = from.text(from.byte() % 4);
    property.value = from.text(from.byte() % 200);
  }
  head.user_properties = properties;
  const std::string_view payload = from.rest();

  std::vector<char> buffer(random.below(1024));
  const std::size_t size = write_publish_head(buffer, head, payload.size());
  std::vector<char> large(1024);
  const std::size_t needed = write_publish_head(large, head, payload.size());
  if (size != (needed <= buffer.size() ? needed : 0)) fuzz::fail("not exactly what fits", std::to_string(size));
  std::string stream("\x20\x03\0\0\0", 5);
  stream.append(large.data(), needed).append(payload);
  const std::string text = read(stream, 1024, UINT32_MAX, random);
  const bool is_valid =
      is_valid_topic(head.topic) && std::all_of(properties.begin(), properties.end(), [](const UserProperty& one) {
        return is_valid_string(one.name) && is_valid_string(one.value);
      });
  std::string wanted = "connack 00\npublish " + test::in_quotes(head.topic) + " qos " + std::to_string(head.qos);
  if (head.qos != 0) wanted += " id " + std::to_string(head.packet_id);
  if (head.retain) wanted += " retain";
  if (!payload.empty()) wanted += " size " + std::to_string(payload.size());
  if (is_valid != (text.substr(0, wanted.size()) == wanted) || is_valid == (text.find("\nfailed") != text.npos))
    fuzz::fail("written and read", text, wanted);
}

/// The first three bytes choose the head, the limits and what is done.
bool run(std::string_view input) {
  fuzz::Bytes from(input);
  const std::size_t head_size = from.byte();
  const unsigned choice = from.byte();
  fuzz::Random random(choice * 256u + from.byte());
  const std::string_view stream = from.rest();
  if (choice % 8 == 7) {
    write_and_read(stream, random);
    return true;
  }
  const std::string text = read(stream, largest, UINT32_MAX, random);
  compare(stream, text);
  const std::uint32_t max_packet_size = choice % 2 != 0 ? 40u : UINT32_MAX;
  const std::string limited = read(stream, head_size, max_packet_size, random);
  if (max_packet_size == UINT32_MAX && head_size == 0xFF && limited.find("too_large") == limited.npos &&
      limited.find("failed 95") == limited.npos && limited != text)
    fuzz::fail("other packets in a smaller head", limited, text);
  return text.starts_with("connack 00\n") && text.find("failed") == text.npos;
}

// ---- Inputs --------------------------------------------------------------------------------------------------------

std::vector<std::string> seeds() {
  static constexpr std::string_view streams[] = {
      "20 03 00 00 00 30 06 00 01 61 00 68 69 D0 00",
      "20 1D 00 00 1A 21 00 14 24 01 25 00 27 00 01 00 00 13 00 1E 12 00 01 63 28 00 29 00 2A 01 1F 00 00",
      "20 03 00 00 00 32 17 00 01 61 00 07 0F 01 01 08 00 01 62 0B 05 26 00 01 61 00 01 62 78 79 79",
      "20 03 00 00 00 3D 0E 00 01 61 00 09 08 02 00 00 00 05 09 00 00 D0 00",
      "20 03 00 00 00 90 0A 00 05 04 1F 00 01 78 00 01 87 B0 05 00 06 00 00 11 40 02 00 07 50 03 00 02 91",
      "20 03 00 00 00 62 02 00 03 70 03 00 04 92 40 0F 00 01 87 0B 1F 00 01 78 26 00 01 61 00 01 62",
      "20 03 00 00 00 30 0B 00 04 F0 9F 98 80 04 03 00 01 74 E0 0A 9D 08 1C 00 01 73 1F 00 01 78",
      "20 03 00 87 00",
  };
  std::vector<std::string> all;
  for (const std::string_view stream : streams) {
    for (const std::string_view choice : {"FF 00 01", "08 04 02", "10 01 03", "20 02 04"})
      all.push_back(test::from_hex(choice) + test::from_hex(stream));
  }
  all.push_back(test::from_hex("00 07 01 03 61 2F 62 01 01 01 05 01 04 01 74 02 01 61 03 62 62 62 00 00 70 70 70"));
  return all;
}

std::vector<std::string> words() {
  static constexpr std::string_view packets[] = {"20 03 00 00 00",
                                                 "D0 00",
                                                 "E0 00",
                                                 "E0 01 8B",
                                                 "40 02 00 01",
                                                 "62 02 00 01",
                                                 "90 04 00 01 00 00",
                                                 "B0 04 00 01 00 11",
                                                 "30 04 00 01 61 00",
                                                 "32 06 00 01 61 00 01 00",
                                                 "34",
                                                 "3D",
                                                 "38",
                                                 "F0 00",
                                                 "00 00",
                                                 "80 00",
                                                 "80 01",
                                                 "FF FF FF 7F",
                                                 "80 80 80 80 01",
                                                 "FF FF",
                                                 "26 00 01 61 00 01 62",
                                                 "01 01",
                                                 "02 00 00 00 00",
                                                 "03 00 01 74",
                                                 "08 00 01 62",
                                                 "09 00 01 FF",
                                                 "0B 01",
                                                 "0B 80 01",
                                                 "11 00 00 00 00",
                                                 "12 00 01 63",
                                                 "13 00 1E",
                                                 "15 00 01 61",
                                                 "16 00 00",
                                                 "1A 00 00",
                                                 "1C 00 01 73",
                                                 "1F 00 01 78",
                                                 "21 00 01",
                                                 "22 00 00",
                                                 "23 00 01",
                                                 "24 00",
                                                 "25 01",
                                                 "27 00 00 00 01",
                                                 "28 00",
                                                 "29 01",
                                                 "2A 00",
                                                 "C3 A9",
                                                 "ED A0 80",
                                                 "F4 8F BF BF",
                                                 "F4 90 80 80",
                                                 "2B",
                                                 "23",
                                                 "92",
                                                 "A2"};
  std::vector<std::string> all;
  for (const std::string_view packet : packets) all.push_back(test::from_hex(packet));
  return all;
}

/// Changes a byte, and the remaining length of its packet with it.
void mutate_packet(std::string& input, fuzz::Random& random) {
  static const std::vector<std::string> all = words();
  std::vector<std::size_t> starts;  // of packets with a length of one byte
  for (std::size_t at = 3; at + 1 < input.size();) {
    const auto size = static_cast<unsigned char>(input[at + 1]);
    if (size >= 128 || at + 2 + size > input.size()) break;
    starts.push_back(at);
    at += 2 + size;
  }
  if (starts.empty()) {
    input.insert(std::min<std::size_t>(3, input.size()), test::from_hex("20 03 00 00 00"));
    return;
  }
  const std::size_t start = starts[random.below(starts.size())];
  const auto size = static_cast<unsigned char>(input[start + 1]);
  const std::size_t at = start + 2 + random.below(size + 1u);
  const std::string word =
      random.one_in(3) ? std::string(1, static_cast<char>(random.below(256))) : all[random.below(all.size())];
  const std::size_t removed = random.one_in(2) ? 0 : random.below(start + 2 + size - at + 1);
  if (size + word.size() - removed >= 128) return;
  input.replace(at, removed, word);
  input[start + 1] = static_cast<char>(size + word.size() - removed);
  // The property length of a PUBLISH, or a string before it, often follows.
  if (at > start + 2 && random.one_in(2)) {
    const std::size_t length = start + 2 + random.below(at - start - 2);
    input[length] = static_cast<char>(input[length] + static_cast<char>(word.size() - removed));
  }
}

}  // namespace

namespace fuzz {
const Target mqtt_target{"mqtt", run, seeds, words, mutate_packet, largest};
}  // namespace fuzz
