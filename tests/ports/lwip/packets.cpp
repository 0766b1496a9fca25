// SPDX-License-Identifier: Apache-2.0
#include "packets.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace test {
namespace {

constexpr std::size_t ethernet_size = 14;
constexpr std::size_t ip_size = 20;
constexpr std::size_t udp_size = 8;
constexpr unsigned type_ip = 0x0800;
constexpr unsigned type_arp = 0x0806;
constexpr unsigned protocol_udp = 17;

unsigned u16_at(const Bytes& bytes, std::size_t at) { return bytes[at] * 256U + bytes[at + 1]; }

template <std::size_t size>
std::array<std::uint8_t, size> array_at(const Bytes& bytes, std::size_t at) {
  std::array<std::uint8_t, size> array;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, array.begin());
  return array;
}

Bytes part(const Bytes& bytes, std::size_t at, std::size_t size) {
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

// Additional bytes in UDP's check sum: addresses, protocol, length.
std::uint32_t pseudo_header(const Ip& from, const Ip& to, std::size_t size) {
  std::uint32_t sum = protocol_udp + static_cast<std::uint32_t>(size);
  for (std::size_t i = 0; i < 4; i += 2) sum += from[i] * 256U + from[i + 1] + to[i] * 256U + to[i + 1];
  return sum;
}

}  // namespace

Writer& Writer::u8(unsigned value) {
  bytes.push_back(static_cast<std::uint8_t>(value));
  return *this;
}
Writer& Writer::u16(unsigned value) { return u8(value >> 8).u8(value & 0xFF); }
Writer& Writer::u32(std::uint32_t value) { return u16(value >> 16).u16(value & 0xFFFF); }

std::uint16_t check_sum(const std::uint8_t* bytes, std::size_t size, std::uint32_t start) {
  std::uint32_t sum = start;
  for (std::size_t i = 0; i < size; ++i) sum += i % 2 == 0 ? bytes[i] * 256U : bytes[i];
  while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

Bytes arp_frame(const Arp& arp, const Mac& to_mac, const Mac& target_mac) {
  Writer frame;
  frame.all(to_mac).all(arp.from_mac).u16(type_arp);
  frame.u16(1).u16(type_ip).u8(6).u8(4).u16(arp.operation);
  frame.all(arp.from_mac).all(arp.from).all(target_mac).all(arp.to);
  frame.bytes.resize(60);
  return frame.bytes;
}

std::optional<Arp> read_arp(const Bytes& frame) {
  if (frame.size() < 42 || u16_at(frame, 12) != type_arp) return std::nullopt;
  return Arp{u16_at(frame, 20), array_at<6>(frame, 22), array_at<4>(frame, 28), array_at<4>(frame, 38)};
}

Bytes udp_frame(const Udp& udp) {
  const std::size_t size = udp_size + udp.data.size();
  Writer datagram;
  datagram.u16(udp.from_port).u16(udp.to_port).u16(static_cast<unsigned>(size)).u16(0).all(udp.data);
  const unsigned sum = check_sum(datagram.bytes.data(), datagram.bytes.size(), pseudo_header(udp.from, udp.to, size));
  datagram.bytes[6] = static_cast<std::uint8_t>((sum == 0 ? 0xFFFF : sum) >> 8);
  datagram.bytes[7] = static_cast<std::uint8_t>(sum == 0 ? 0xFF : sum & 0xFF);
  Writer header;
  header.u8(0x45).u8(0).u16(static_cast<unsigned>(ip_size + size)).u32(0);
  header.u8(udp.time_to_live).u8(protocol_udp).u16(0).all(udp.from).all(udp.to);
  const unsigned header_sum = check_sum(header.bytes.data(), header.bytes.size());
  header.bytes[10] = static_cast<std::uint8_t>(header_sum >> 8);
  header.bytes[11] = static_cast<std::uint8_t>(header_sum & 0xFF);
  Writer frame;
  frame.all(udp.to_mac).all(udp.from_mac).u16(type_ip).all(header.bytes).all(datagram.bytes);
  frame.bytes.resize(std::max<std::size_t>(frame.bytes.size(), 60));
  return frame.bytes;
}

std::optional<unsigned> protocol_of(const Bytes& frame) {
  if (frame.size() < ethernet_size + ip_size || u16_at(frame, 12) != type_ip) return std::nullopt;
  return frame[23];
}

// The error of a UDP packet, or nothing.
static const char* damage_of(const Bytes& frame) {
  const std::size_t at = ethernet_size + ip_size;
  const std::size_t total = u16_at(frame, 16);
  if (total < ip_size + udp_size || ethernet_size + total > frame.size()) return "length";
  if (check_sum(frame.data() + ethernet_size, ip_size) != 0) return "check sum of its header";
  const std::size_t size = total - ip_size;
  if (u16_at(frame, at + 4) != size) return "length of UDP";
  const std::uint32_t start = pseudo_header(array_at<4>(frame, 26), array_at<4>(frame, 30), size);
  if (u16_at(frame, at + 6) != 0 && check_sum(frame.data() + at, size, start) != 0) return "check sum";
  return nullptr;
}

std::optional<Udp> read_udp(const Bytes& frame, bool may_be_damaged) {
  if (protocol_of(frame) != protocol_udp || frame[14] != 0x45) return std::nullopt;
  if (const char* const damage = damage_of(frame)) {
    if (may_be_damaged) return std::nullopt;
    std::fprintf(stderr, "a frame with a wrong %s\n", damage);
    std::abort();
  }
  const std::size_t at = ethernet_size + ip_size;
  Udp udp;
  udp.to_mac = array_at<6>(frame, 0);
  udp.from_mac = array_at<6>(frame, 6);
  udp.time_to_live = frame[22];
  udp.from = array_at<4>(frame, 26);
  udp.to = array_at<4>(frame, 30);
  udp.from_port = u16_at(frame, at);
  udp.to_port = u16_at(frame, at + 2);
  udp.data = part(frame, at + udp_size, u16_at(frame, 16) - ip_size - udp_size);
  return udp;
}

// ---- DHCP ----------------------------------------------------------------------------------------------------------

Bytes dhcp_frame(const Bytes& request, unsigned kind, Ip lease, Ip server, const Mac& server_mac, const Bytes& options,
                 const std::vector<Bytes>& in_fields, std::uint32_t lease_s) {
  Writer writer;
  writer.u8(2).u8(1).u8(6).u8(0).all(std::span(request).subspan(4, 4));
  writer.u32(0).u32(0).all(lease).all(server).u32(0).all(std::span(request).subspan(28, 6));
  writer.bytes.resize(236);
  if (!in_fields.empty()) std::copy(in_fields[0].begin(), in_fields[0].end(), writer.bytes.begin() + 108);
  if (in_fields.size() > 1) std::copy(in_fields[1].begin(), in_fields[1].end(), writer.bytes.begin() + 44);
  writer.u32(0x63825363).u8(53).u8(1).u8(kind).u8(54).u8(4).all(server).u8(51).u8(4).u32(lease_s);
  if (!in_fields.empty()) writer.u8(52).u8(1).u8(in_fields.size() == 1 ? 1 : 3);
  writer.all(options).u8(255);
  return udp_frame({.from_mac = server_mac,
                    .to_mac = to_all,
                    .from = server,
                    .to = {255, 255, 255, 255},
                    .from_port = 67,
                    .to_port = 68,
                    .data = writer.bytes});
}

// ---- DNS -----------------------------------------------------------------------------------------------------------

namespace dns {
namespace {

// RFC 1035 section 4.1.4: a name may end in a pointer to an earlier one.
class Reader {
 public:
  explicit Reader(const Bytes& bytes) : bytes_(bytes) {}
  bool failed = false;
  std::size_t at = 0;

  std::uint32_t number(std::size_t size) {
    std::uint32_t value = 0;
    for (; size != 0; --size) value = value << 8 | byte();
    return value;
  }
  Bytes raw(std::size_t size) {
    if (at + size > bytes_.size()) failed = true;
    if (failed) return {};
    at += size;
    return part(bytes_, at - size, size);
  }
  std::string name() {
    std::string text;
    std::size_t back = 0;
    for (unsigned labels = 0; labels < 128 && !failed; ++labels) {
      const std::size_t size = byte();
      if (size >= 0xC0) {
        const std::size_t to = (size & 0x3F) * 256 + byte();
        if (to + 2 > at) failed = true;  // it points back
        if (back == 0) back = at;
        at = to;
        continue;
      }
      if (size == 0) {
        if (back != 0) at = back;
        return text;
      }
      if (size > 63) failed = true;
      for (const std::uint8_t c : raw(size))
        text += c == '.' ? std::string("\\.") : std::string(1, static_cast<char>(c));
      text += '.';
    }
    failed = true;
    return text;
  }

 private:
  std::uint32_t byte() {
    if (at >= bytes_.size()) failed = true;
    return failed ? 0 : bytes_[at++];
  }
  const Bytes& bytes_;
};

Record read_record(Reader& reader) {
  Record record;
  record.name = reader.name();
  record.type = reader.number(2);
  record.klass = reader.number(2);
  record.ttl = reader.number(4);
  const std::size_t size = reader.number(2);
  const std::size_t at = reader.at;
  record.data = reader.raw(size);
  const std::size_t end = reader.at;
  if (reader.failed) return record;
  reader.at = at;
  if (record.type == ptr) record.target = reader.name();
  if (record.type == srv) {
    if (reader.number(4) != 0) reader.failed = true;  // priority and weight: nothing to choose from
    record.srv_port = reader.number(2);
    record.target = reader.name();
  }
  while (record.type == txt && reader.at < end && !reader.failed) {
    const Bytes text = reader.raw(reader.number(1));
    record.texts.emplace_back(text.begin(), text.end());
  }
  // RFC 4034 section 4.1.2, with one window: RFC 6762 section 6.1 allows no other.
  if (record.type == nsec) {
    record.target = reader.name();
    if (reader.number(1) != 0) reader.failed = true;
    const Bytes bits = reader.raw(reader.number(1));
    for (unsigned type = 0; type < 8 * bits.size(); ++type) {
      if ((bits[type / 8] >> (7 - type % 8) & 1) != 0) record.types.push_back(type);
    }
  }
  const bool is_known = record.type == ptr || record.type == srv || record.type == txt || record.type == nsec;
  if (is_known && reader.at != end) reader.failed = true;
  reader.at = end;
  return record;
}

void write_records(Writer& writer, const std::vector<Record>& records) {
  for (const Record& record : records) {
    writer.all(write_name(record.name)).u16(record.type).u16(record.klass).u32(record.ttl);
    writer.u16(static_cast<unsigned>(record.data.size())).all(record.data);
  }
}

}  // namespace

const Record* Message::find(std::string_view name, unsigned type) const {
  for (const auto* section : {&answers, &authorities, &additionals}) {
    for (const Record& record : *section) {
      if (record.name == name && record.type == type) return &record;
    }
  }
  return nullptr;
}

Bytes write_name(std::string_view name) {
  Writer writer;
  std::string label;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\') {
      label += name[++i];
    } else if (name[i] != '.') {
      label += name[i];
    } else {
      writer.u8(static_cast<unsigned>(label.size())).all(label);
      label.clear();
    }
  }
  return writer.u8(0).bytes;
}

Record record(std::string_view name, unsigned type, Bytes data, std::uint32_t ttl) {
  Record record;
  record.name = name;
  record.type = type;
  record.klass = in;
  record.ttl = ttl;
  record.data = std::move(data);
  return record;
}

Record srv_record(std::string_view name, unsigned at_port, std::string_view host) {
  return record(name, srv, Writer().u32(0).u16(at_port).all(write_name(host)).bytes);
}

Bytes write(const Message& message) {
  Writer writer;
  writer.u16(message.id).u16(message.flags).u16(static_cast<unsigned>(message.questions.size()));
  for (const auto* section : {&message.answers, &message.authorities, &message.additionals})
    writer.u16(static_cast<unsigned>(section->size()));
  for (const Question& question : message.questions)
    writer.all(write_name(question.name)).u16(question.type).u16(question.klass);
  for (const auto* section : {&message.answers, &message.authorities, &message.additionals})
    write_records(writer, *section);
  return writer.bytes;
}

std::optional<Message> read(const Bytes& bytes) {
  Reader reader(bytes);
  Message message;
  message.id = reader.number(2);
  message.flags = reader.number(2);
  std::size_t counts[4];
  for (std::size_t& count : counts) count = reader.number(2);
  for (; counts[0] != 0 && !reader.failed; --counts[0]) {
    Question question;
    question.name = reader.name();
    question.type = reader.number(2);
    question.klass = reader.number(2);
    message.questions.push_back(question);
  }
  std::vector<Record>* const sections[] = {&message.answers, &message.authorities, &message.additionals};
  for (std::size_t i = 0; i < 3; ++i) {
    for (; counts[i + 1] != 0 && !reader.failed; --counts[i + 1]) sections[i]->push_back(read_record(reader));
  }
  if (reader.failed || reader.at != bytes.size()) return std::nullopt;
  return message;
}

}  // namespace dns
}  // namespace test
