// SPDX-License-Identifier: Apache-2.0
// Compares the JSON reader with RapidJSON: both accept the same texts and find the same values in them. The C library
// checks the numbers.
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "fuzz/target.hpp"
#include "mcp/json/value.hpp"

namespace {

using mcp::json::Elements;
using mcp::json::ErrorKind;
using mcp::json::Members;
using mcp::json::Type;
using mcp::json::Value;

/// The values that a reader saw, in order: one letter for each value, strings with their length.
class Seen {
 public:
  void mark(char kind) { text_ += kind; }
  void text(char kind, std::string_view text) {
    text_ += kind;
    text_ += std::to_string(text.size());
    text_ += ':';
    text_ += text;
  }
  [[nodiscard]] const std::string& all() const { return text_; }

 private:
  std::string text_;
};

class Handler {
 public:
  explicit Handler(Seen& seen) : seen_(&seen) {}
  bool Null() { return seen_->mark('z'), true; }
  bool Bool(bool value) { return seen_->mark(value ? 't' : 'f'), true; }
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) { return seen_->text('n', {text, size}), true; }
  bool String(const char* text, rapidjson::SizeType size, bool) { return seen_->text('s', {text, size}), true; }
  bool Key(const char* text, rapidjson::SizeType size, bool) { return seen_->text('k', {text, size}), true; }
  bool StartObject() { return open('{'); }
  bool EndObject(rapidjson::SizeType) { return --depth_, seen_->mark('}'), true; }
  bool StartArray() { return open('['); }
  bool EndArray(rapidjson::SizeType) { return --depth_, seen_->mark(']'), true; }
  /// Stopped since it is deeper than we accept.
  [[nodiscard]] bool too_deep() const { return depth_ > mcp::json::max_depth; }

 private:
  bool open(char bracket) { return seen_->mark(bracket), ++depth_ <= mcp::json::max_depth; }
  Seen* seen_;
  unsigned depth_ = 0;
};

// The numbers as the C library reads them.
void check_number(std::string_view token) {
  double wanted = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), wanted);
  if (end != token.data() + token.size()) fuzz::fail("from_chars stops early", token);
  double value = 0;
  const auto status = mcp::json::read_number(token, value);
  // from_chars calls an underflow out of range, too, and gives no value then.
  const bool tiny = error != std::errc{} && std::strtod(std::string(token).c_str(), nullptr) < 1 &&
                    std::strtod(std::string(token).c_str(), nullptr) > -1;
  if (error != std::errc{} && !tiny) {
    if (status != mcp::json::NumberStatus::out_of_range) fuzz::fail("too large a number was read", token);
  } else {
    if (tiny) wanted = std::strtod(std::string(token).c_str(), nullptr);
    if (status != mcp::json::NumberStatus::ok || std::memcmp(&value, &wanted, sizeof value) != 0)
      fuzz::fail("a number has another value", token, std::to_string(wanted));
  }
  if (token.find_first_of(".eE") != token.npos) return;
  std::int64_t integer = 0;
  std::int64_t wanted_integer = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), wanted_integer);
  const auto integer_status = mcp::json::read_number(token, integer);
  const bool fits = read.ec == std::errc{};
  if (fits != (integer_status == mcp::json::NumberStatus::ok) || (fits && integer != wanted_integer))
    fuzz::fail("an integer has another value", token, std::to_string(wanted_integer));
}

void look_at(Value value, Seen& seen) {  // as deep as the reader accepts: 32
  switch (value.type()) {
    case Type::object:
      seen.mark('{');
      for (Members m(value); m.next();) {
        seen.text('k', m.key());
        look_at(m.value(), seen);
      }
      return seen.mark('}');
    case Type::array:
      seen.mark('[');
      for (Elements e(value); e.next();) look_at(e.value(), seen);
      return seen.mark(']');
    case Type::string: return seen.text('s', value.string());
    case Type::number: return check_number(value.raw()), seen.text('n', value.raw());
    case Type::boolean: return seen.mark(value.is_true() ? 't' : 'f');
    case Type::null: return seen.mark('z');
    case Type::missing: fuzz::fail("a value is missing");
  }
}

bool run(std::string_view input) {
  const std::unique_ptr<char[]> copy(new char[input.size()]);
  if (!input.empty()) std::memcpy(copy.get(), input.data(), input.size());
  const auto verdict = mcp::json::validate({copy.get(), input.size()});
  const bool ours = verdict.fault == ErrorKind::none;
  if (verdict.offset > input.size()) fuzz::fail("the fault is behind the text", input);
  // RapidJSON takes a NUL for the end of the text.
  if (input.find('\0') != input.npos) {
    if (ours) fuzz::fail("a NUL was accepted", input);
    return false;
  }

  Seen wanted;
  Handler handler(wanted);
  rapidjson::MemoryStream bytes(input.data(), input.size());
  rapidjson::Reader reader;
  constexpr unsigned flags =
      rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  const bool theirs = !reader.Parse<flags>(bytes, handler).IsError();
  // RapidJSON accepts the second half of a surrogate pair without the first, and continues after it.
  const std::string_view there = input.substr(verdict.offset);
  const bool is_half_pair = verdict.fault == ErrorKind::utf8 && there.size() > 3 &&
                            (there.starts_with("\\ud") || there.starts_with("\\uD")) &&
                            std::string_view("cdefCDEF").find(there[3]) != there.npos;
  if (handler.too_deep()) {
    const bool refused_before = is_half_pair && verdict.offset < bytes.Tell();
    if (verdict.fault != ErrorKind::depth && !refused_before)
      fuzz::fail("too deep a text was not refused for that", input);
    return false;
  }
  if (theirs && is_half_pair) return false;
  // It has no double for some numbers, whose text it does not convert.
  if (ours && reader.GetParseErrorCode() == rapidjson::kParseErrorNumberTooBig) return false;
  if (ours != theirs)
    fuzz::fail(ours ? "accepted, and refused by RapidJSON" : "refused, and accepted by RapidJSON", input,
               rapidjson::GetParseError_En(reader.GetParseErrorCode()));
  if (!ours) return false;
  const std::size_t begin = input.find_first_not_of(" \t\r\n");
  if (input[begin] != '{' && input[begin] != '[') return true;
  Seen came;
  look_at(Value(copy.get() + begin), came);
  if (came.all() != wanted.all()) fuzz::fail("other values", came.all(), wanted.all());
  Seen again;  // a value decoded in place reads the same
  look_at(Value(copy.get() + begin), again);
  if (again.all() != came.all()) fuzz::fail("other values at the second look", again.all(), came.all());
  return true;
}

std::vector<std::string> seeds() {
  std::vector<std::string> all = {
      R"({"a":[1,-0.5e+10,true,false,null,"x\u00e9\ud83d\ude00\n\"\\\/"],"b":{},"c":[]})",
      R"([0,-0,9007199254740993,9223372036854775807,-9223372036854775808,18446744073709551615,1e308,1.8e308,5e-324])",
      R"([2.2250738585072011e-308,0.1,123456789012345678901234567890,1e-400,4.9e-324,2.4703282292062328e-324])",
      " [ \"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\" , { \"\" : [ [ ] ] } ] \r\n",
      std::string(32, '[') + std::string(32, ']'),
      std::string(33, '[') + std::string(33, ']'),
      "1",
      "\"x\"",
      "null",
      ""};
  for (const auto& entry : std::filesystem::directory_iterator(MOTE_CONVERSATIONS)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    std::string line;
    if (std::getline(file, line) && std::getline(file, line) && line.size() < 1000) all.push_back(line);
  }
  return all;
}

std::vector<std::string> words() {
  return {"true",
          "false",
          "null",
          "\\u0000",
          "\\ud800",
          "\\udc00",
          "\\ud83d\\ude00",
          "\\u00e9",
          "1e308",
          "1e-320",
          "0.1",
          "-0",
          "1E+",
          "9007199254740993",
          "[[[[",
          "]]]]",
          "{\"a\":",
          "\"\":",
          "\\x",
          "\xC3\xA9",
          "\xE2\x82\xAC",
          "\xED\xA0\x80",
          "\xF0\x9F\x98\x80",
          "\xF4\x90\x80\x80",
          "\xC0\x80",
          "\xEF\xBB\xBF",
          "\\\"",
          "00",
          "1.",
          ".5"};
}

}  // namespace

namespace fuzz {
const Target json_target{"json", run, seeds, words, nullptr, 4096};
}  // namespace fuzz
