// SPDX-License-Identifier: Apache-2.0
// The JSON writer: for every input and every buffer size, the output is one value that a strict reader reads as
// intended. A value that does not fit can be rolled back without a trace.
#include <cmath>
#include <cstring>
#include <memory>

#include "fuzz/target.hpp"
#include "mcp/json/validate.hpp"
#include "mcp/json/writer.hpp"
#include "support/json.hpp"

namespace {

using mcp::json::Writer;

/// True for a whole, shortest, allowed sequence; its length in `size`.
bool is_character(std::string_view text, std::size_t& size) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<std::uint8_t>(text[i])); };
  const unsigned first = at(0);
  size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first >= 0x80 && (first < 0xC2 || first > 0xF4)) return false;
  if (text.size() < size) return false;
  unsigned code = size == 1 ? first : first & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((at(i) & 0xC0) != 0x80) return false;
    code = code << 6 | (at(i) & 0x3F);
  }
  static constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

/// The text that a reader finds if it may not be UTF-8: an invalid byte becomes U+FFFD.
std::string as_read(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t size = 1;
    if (is_character(text, size)) {
      result += text.substr(0, size);
    } else {
      result += "\xEF\xBF\xBD";
      size = 1;
    }
    text.remove_prefix(size);
  }
  return result;
}

/// Writes values and returns the expected output, as a text of its own.
class Composer {
 public:
  Composer(Writer& writer, std::string_view input) : writer_(writer), bytes_(input) {}

  void value(int depth = 0) {
    const std::uint8_t kind = bytes_.byte();
    switch (depth < 6 ? kind % 12 : kind % 8) {
      case 0: return writer_.null(), note("null");
      case 1: return writer_.boolean(kind >= 128), note(kind >= 128 ? "true" : "false");
      case 2: {
        const std::string_view text = bytes_.text(kind / 8U);
        return writer_.string(text), note_text(text);
      }
      case 3: {
        const auto number = static_cast<std::int64_t>(bytes_.word());
        return writer_.number(number), note(std::to_string(number));
      }
      case 4: return writer_.number(bytes_.word()), note("number");
      case 5: return floating();
      case 6: {
        const mcp::json::Scaled scaled{static_cast<std::int32_t>(bytes_.word() >> 32),
                                       static_cast<std::uint8_t>(kind % 10)};
        return writer_.number(scaled), note("number");
      }
      case 7: return pieces(kind);
      case 8:
      case 9: return object(depth);
      case 10: return quoted(depth);
      default: return array(depth);
    }
  }
  [[nodiscard]] const std::string& wanted() const { return wanted_; }

  /// The same form for the read values. Of numbers only the type is compared.
  static std::string noted(const test::Json& json) {
    using Kind = test::Json::Kind;
    std::string text;
    switch (json.kind) {
      case Kind::null:
      case Kind::boolean: return json.raw + ";";
      case Kind::number:
        return json.raw.find_first_not_of("-0123456789") == std::string::npos ? json.raw + ";" : "number;";
      case Kind::string: return "s" + std::to_string(json.text.size()) + ":" + json.text + ";";
      case Kind::array:
        for (const test::Json& item : json.items) text += noted(item);
        return "[" + text + "]";
      case Kind::object:
        for (std::size_t i = 0; i < json.items.size(); ++i) text += json.keys[i] + "=" + noted(json.items[i]);
        return "{" + text + "}";
    }
    return text;
  }

 private:
  void note(std::string_view text) {
    if (!silent_) wanted_.append(text).append(";");
  }
  void note_text(std::string_view text) {
    const std::string read = as_read(text);
    note("s" + std::to_string(read.size()) + ":" + read);
  }

  void floating() {
    double number = 0;
    const std::uint64_t bits = bytes_.word();
    std::memcpy(&number, &bits, sizeof number);
    writer_.number(number);
    note(std::isfinite(number) ? "number" : "null");
  }

  void pieces(unsigned kind) {
    std::string all;
    writer_.string_begin();
    for (unsigned i = 0; i < kind % 5; ++i) {
      const std::string piece = as_read(bytes_.text(bytes_.byte() % 16));
      writer_.append(std::string_view(piece));
      all += piece;
    }
    writer_.string_end();
    note_text(all);
  }

  void object(int depth) {
    writer_.object_begin();
    if (!silent_) wanted_ += '{';
    for (unsigned i = 0; i < bytes_.byte() % 4U && !bytes_.empty(); ++i) {
      // Names differ, because the caller that writes an object must ensure that.
      const std::string name = std::to_string(i) + std::string(as_read(bytes_.text(bytes_.byte() % 5)));
      writer_.key(std::string_view(name));
      if (!silent_) wanted_ += name + "=";
      value(depth + 1);
    }
    writer_.object_end();
    if (!silent_) wanted_ += '}';
  }

  void array(int depth) {
    writer_.array_begin();
    if (!silent_) wanted_ += '[';
    for (unsigned i = 0; i < bytes_.byte() % 5U && !bytes_.empty(); ++i) value(depth + 1);
    writer_.array_end();
    if (!silent_) wanted_ += ']';
  }

  // A text of JSON in a string: it is read once more by the check below.
  void quoted(int depth) {
    if (silent_) return writer_.null();  // not inside of itself
    silent_ = true;
    writer_.quoted_begin();
    value(depth + 1);
    writer_.quoted_end();
    silent_ = false;
    wanted_ += "quoted;";
  }

  Writer& writer_;
  fuzz::Bytes bytes_;
  std::string wanted_;
  bool silent_ = false;
};

// Numbers and quoted texts as the composer notes them when it cannot know their spelling.
std::string matched(const std::string& wanted, const test::Json& json) {
  if (wanted == "number;" && json.kind == test::Json::Kind::number) return wanted;
  return Composer::noted(json);
}

// True when `wanted` describes `json`, piece by piece.
bool describes(std::string_view& wanted, const test::Json& json) {
  using Kind = test::Json::Kind;
  const auto take = [&](std::string_view text) {
    if (!wanted.starts_with(text)) return false;
    wanted.remove_prefix(text.size());
    return true;
  };
  if (json.kind == Kind::number && take("number;")) return true;
  if (json.kind == Kind::string && take("quoted;")) return test::parse_json(json.text).has_value();
  if (json.kind == Kind::array || json.kind == Kind::object) {
    const bool object = json.kind == Kind::object;
    if (!take(object ? "{" : "[")) return false;
    for (std::size_t i = 0; i < json.items.size(); ++i) {
      if (object && !take(json.keys[i] + "=")) return false;
      if (!describes(wanted, json.items[i])) return false;
    }
    return take(object ? "}" : "]");
  }
  return take(matched({}, json));
}

bool run(std::string_view input) {
  fuzz::Bytes bytes(input);
  const std::size_t size = bytes.byte() * 4U;
  const std::string_view rest = bytes.rest();
  const std::unique_ptr<char[]> transmit_buffer(new char[size]);
  Writer writer({transmit_buffer.get(), size});
  const Writer::Mark start = writer.mark();
  writer.object_begin();
  const Writer::Mark inside = writer.mark();
  writer.key("v");
  Composer composer(writer, rest);
  composer.value();
  if (!writer.ok()) {
    writer.rollback(inside.at == start.at ? start : inside);
    if (!writer.ok()) fuzz::fail("a roll-back does not make the writer usable");
    if (inside.at == start.at) return true;
    if (writer.size() != 1 || transmit_buffer[0] != '{')
      fuzz::fail("a roll-back leaves a trace", {transmit_buffer.get(), writer.size()});
    writer.object_end();
    if (size >= 2 && std::string_view(transmit_buffer.get(), writer.size()) != "{}")
      fuzz::fail("what follows a roll-back is wrong", {transmit_buffer.get(), writer.size()});
    return true;
  }
  writer.object_end();
  if (!writer.ok()) return true;
  const std::string_view text(transmit_buffer.get(), writer.size());
  if (text.find('\n') != text.npos) fuzz::fail("a line break in a message", text);
  if (mcp::json::validate(text).fault != mcp::json::ErrorKind::none) fuzz::fail("our reader refuses it", text);
  std::string problem;
  const auto json = test::parse_json(text, &problem);
  if (!json) fuzz::fail("no JSON: " + problem, text);
  std::string_view wanted = composer.wanted();
  if (!describes(wanted, json->items.at(0)) || !wanted.empty()) fuzz::fail("other values", text, composer.wanted());
  return true;
}

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  fuzz::Random random(7);
  for (int i = 0; i < 64; ++i) {
    std::string seed(1, static_cast<char>(i % 2 == 0 ? 255 : random.next()));
    for (std::size_t size = 8 + random.below(200); size != 0; --size) seed += static_cast<char>(random.next());
    all.push_back(seed);
  }
  return all;
}

std::vector<std::string> words() {
  return {"\x08\x03",
          "\x0B\x04",
          "\x0A\x08\x02",
          "\"\\/\b\f\n\r\t",
          "\xC3\xA9",
          "\xED\xA0\x80",
          "\xF0\x9F\x98\x80",
          "\xF4\x90",
          std::string("\x7F\xEF\xFF\xFF\xFF\xFF\xFF\xFF", 8),
          std::string(8, '\0'),
          "\x01",
          "\x7F",
          "\xFF\xFE"};
}

}  // namespace

namespace fuzz {
const Target writer_target{"writer", run, seeds, words, nullptr, 1024};
}  // namespace fuzz
