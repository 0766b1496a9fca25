// SPDX-License-Identifier: Apache-2.0
// The strict check of a text: the grammar of RFC 8259 rule by rule, UTF-8 against an independent decoder, depth,
// and where each fault is reported.
#include "mcp/json/validate.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/document.hpp"

namespace mcp::json {

bool operator==(CheckResult a, CheckResult b) { return a.fault == b.fault && a.offset == b.offset; }

std::ostream& operator<<(std::ostream& out, CheckResult verdict) {
  constexpr std::string_view names[] = {"none", "syntax", "utf8", "depth"};
  return out << names[static_cast<std::size_t>(verdict.fault)] << " at " << verdict.offset;
}

namespace {

using namespace std::string_literals;

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::string in_quotes(std::string_view content) { return '"' + std::string(content) + '"'; }

// Expects a fault at the place of the '^' in `marked`.
void expect_fault(ErrorKind fault, std::string marked) {
  const std::size_t offset = marked.find('^');
  ASSERT_NE(offset, std::string::npos) << marked;
  marked.erase(offset, 1);
  EXPECT_EQ(check(marked), (CheckResult{fault, offset})) << marked;
}

// Messages of every construct. No proper prefix of one is valid.
const std::string messages[] = {
    R"({"jsonrpc":"2.0","id":"a\"\\b","method":"tools/call","params":{"name":"set_led","arguments":{"on":true}}})",
    R"([0,-0,12,-1.5,2e3,1E+2,3.25e-10,true,false,null,"",{},[],[[]],{"a":{}},{"":[{}]}])",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u20ac\\uD834\\uDD1E\", \"\x7F \xC2\xA2 \xE2\x82\xAC \xF0\x90\x8D\x88\"]",
    "{ \"a\" :\t[ 1 ,\r\n2 ] , \"b\" : \"long enough for several machine words in a row\" }",
};

TEST(Validate, AcceptsEveryProductionOfTheGrammar) {
  for (const std::string text :
       {// values
        "null", "true", "false", "0", R"("")", "[]", "{}",
        // white space: all four kinds, everywhere
        " \t\r\n0 \t\r\n", " [ ] ", "\n{\r}\t", "\t[ 1 ,\n2\r, 3 ] ", "{ \"a\"\n:\t1\r, \"b\" : 2 }",
        // containers; duplicates are no matter of the grammar
        "[1]", "[1,2]", "[[],[]]", "[{},{}]", "[[1],{\"a\":[2]}]", R"({"a":1})", R"({"a":1,"b":2})", R"({"":{"":{}}})",
        R"({"a":1,"a":2})",
        // numbers
        "-0", "1", "9", "10", "1234567890", "-1", "-10", "0.0", "0.00", "-0.5", "1.05", "10.10", "0e0", "0E0", "1e5",
        "1e05", "1E+5", "1e-5", "-1.5e+300", "1e999999", "123456789012345678901234567890",
        // strings
        R"("a")", R"("\"\\\/\b\f\n\r\t")", R"("\u0000\u001F\uabcd\uABCD\uEf09")", R"("\uD834\uDD1E")", "\"\x7F\"",
        "\"\xC2\x80\"", "\"/'[]{}:,\"", R"("\\")", R"("\\\"")", R"("\\u")"}) {
    EXPECT_EQ(check(text), (CheckResult{ErrorKind::none, text.size()})) << text;
  }
}

TEST(Validate, RejectsInvalidTextAtItsFirstInvalidByte) {
  for (const std::string& marked :
       {// no value
        "^"s, " \t\r\n^"s, "^\0"s, "^a"s, "^]"s, "^}"s, "^,"s, "^:"s, "^'a'"s, "^\x80"s, "^\xEF\xBB\xBF{}"s, "^/**/1"s,
        // words
        "n^"s, "nul^"s, "nul^L"s, "t^RUE"s, "^True"s, "fals^"s, "tr^ ue"s, "tru^\ne"s, "true^x"s, "null^0"s, "^NaN"s,
        "^Infinity"s, "^undefined"s,
        // numbers
        "-^"s, "-^a"s, "-^ 1"s, "-^\n1"s, "-^Infinity"s, "-^-1"s, "^+1"s, "^.5"s, "-^.5"s, "0^1"s, "-0^1"s, "1.^"s,
        "1.^e5"s, "1.^ 5"s, "1e^"s, "1e^ 5"s, "1e+^"s, "1e-^\t1"s, "1E-^x"s, "1e5^.5"s, "1e5^e5"s, "0^x10"s, "1^_0"s,
        "1^,"s, "1.5^.5"s, "1^\0"s,
        // after the value
        "1 ^2"s, "{}^{}"s, "[]^,"s, "{} ^}"s, "\"\"^\"\""s, "1 ^// c"s, "1\n^\f"s, "1^\v"s, "1^\xC2\xA0"s, "{}^\0"s,
        // arrays
        "[^"s, "[ ^"s, "[^,"s, "[^,1]"s, "[1^"s, "[1,^"s, "[1,^]"s, "[1, ^]"s, "[1,^,2]"s, "[1 ^2]"s, "[1^}"s, "[^}"s,
        "[[1]^"s, "[1]^]"s, "[1^:2]"s, "[\"a\"^:1]"s, "[^\f]"s, "[^a]"s,
        // objects
        "{^"s, "{^]"s, "{^a:1}"s, "{^'a':1}"s, "{^1:1}"s, "{^,}"s, "{^null:1}"s, "{^{}:1}"s, "{^:1}"s, "{\"a\"^"s,
        "{\"a\"^}"s, "{\"a\" ^1}"s, "{\"a\"^,1}"s, "{\"a\" ^\"b\"}"s, "{\"a\":^"s, "{\"a\":^}"s, "{\"a\":^,}"s,
        "{\"a\":^:1}"s, "{\"a\":1^"s, "{\"a\":1^]"s, "{\"a\":1,^}"s, "{\"a\":1, ^}"s, "{\"a\":1,^,\"b\":1}"s,
        "{\"a\":1 ^\"b\":1}"s, "{\"a\":1,^b:1}"s, "{\"a\":1,^1}"s, "{\"a\":1^:1}"s, "{\"a\":[1^}]"s,
        "{\"a\":1,\"b\"^}"s,
        // strings
        "\"^"s, "\"a^"s, "{\"a^"s, "\"\\^"s, "\"\\^x\""s, "\"\\^U0041\""s, "\"\\^'\""s, "\"\\^0\""s, "\"\\^a\""s,
        "\"\\^v\""s, "\"\\^ n\""s, "\"\\^\nn\""s, "\"\\^\0\""s, "\"\\^\xC3\xA9\""s, "\"\\u^\""s, "\"\\u^"s, "\"\\u1^"s,
        "\"\\u12^"s, "\"\\u123^"s, "\"\\u123^\""s, "\"\\u^G000\""s, "\"\\u0^g00\""s, "\"\\u00^@0\""s, "\"\\u000^`\""s,
        "\"\\u000^/\""s, "\"\\u000^:\""s, "\"\\u12^ 34\""s, "\"\\u12^\n34\""s, "\"\\u^+123\""s, "\"\\u^-123\""s,
        "\"\\u^{41}\""s,
        "\"\\u^\xEF\xBC\x91"
        "000\""s}) {
    expect_fault(ErrorKind::syntax, marked);
  }
}

TEST(Validate, RejectsEveryRawControlByteInAString) {
  for (int byte = 0; byte < 0x80; ++byte) {
    if (byte == '"' || byte == '\\') continue;
    const std::string text = "[\"ab" + std::string(1, static_cast<char>(byte)) + "cd\"]";
    const CheckResult expected =
        byte < 0x20 ? CheckResult{ErrorKind::syntax, 4} : CheckResult{ErrorKind::none, text.size()};
    EXPECT_EQ(check(text), expected) << byte;
  }
}

TEST(Validate, AcceptsOnlyTheFourKindsOfWhiteSpace) {
  for (int byte = 0; byte < 0x100; ++byte) {
    const char c = static_cast<char>(byte);
    const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    EXPECT_EQ(check(std::string(1, c) + "[]").fault == ErrorKind::none, space) << byte;
    EXPECT_EQ(check("[]" + std::string(1, c)).fault == ErrorKind::none, space) << byte;
    EXPECT_EQ(check("{\"a\"" + std::string(1, c) + ":[]}").fault == ErrorKind::none, space) << byte;
  }
}

// The start of the text up to the offset can be continued to a valid text, and with one byte more it cannot.
TEST(Validate, ReturnsTheOffsetOfTheFirstInvalidByte) {
  std::size_t faults = 0;
  for (const std::string& message : messages) {
    for (std::size_t at = 0; at < message.size(); ++at) {
      for (int byte = 0; byte < 0x100; ++byte) {
        std::string text = message;
        text[at] = static_cast<char>(byte);
        const CheckResult verdict = check(text);
        ASSERT_LE(verdict.offset, text.size());
        if (verdict.fault == ErrorKind::none) continue;
        ++faults;
        const CheckResult before = check(text.substr(0, verdict.offset));
        ASSERT_TRUE(before.fault == ErrorKind::none || before == (CheckResult{ErrorKind::syntax, verdict.offset}))
            << text << before;
        if (verdict.fault == ErrorKind::syntax && verdict.offset < text.size()) {
          ASSERT_EQ(check(text.substr(0, verdict.offset + 1)), verdict) << text;
        }
      }
    }
  }
  EXPECT_GT(faults, 10000u);
}

TEST(Validate, RejectsATruncatedMessageAtItsEnd) {
  for (const std::string& message : messages) {
    ASSERT_TRUE(is_valid(message)) << message;
    for (std::size_t size = 0; size < message.size(); ++size) {
      const CheckResult verdict = check(std::string_view(message).substr(0, size));
      if (verdict.fault == ErrorKind::utf8) {  // inside a character or a pair of escapes: its start
        EXPECT_GT(verdict.offset + sizeof("\\uD834\\uDD1E") - 1, size) << message << size;
      } else {
        EXPECT_EQ(verdict, (CheckResult{ErrorKind::syntax, size})) << message;
      }
    }
  }
}

// --- depth

std::string nested(std::string_view opens, std::string_view inside, std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += opens[i % opens.size()] == '{' ? "{\"a\":" : "[";
  text += inside;
  for (std::size_t i = levels; i-- > 0;) text += opens[i % opens.size()] == '{' ? '}' : ']';
  return text;
}

TEST(Validate, AcceptsDepthUpToTheLimit) {
  for (const std::string_view opens : {"{", "[", "[{", "{[", "[[{", "{{["}) {
    const std::string deepest = nested(opens, "0", max_depth);
    EXPECT_EQ(check(deepest), (CheckResult{ErrorKind::none, deepest.size()})) << deepest;
    const std::size_t offset = deepest.find('0');
    EXPECT_EQ(check(nested(opens, "{}", max_depth)), (CheckResult{ErrorKind::depth, offset}));
    EXPECT_EQ(check(nested(opens, "[]", max_depth)), (CheckResult{ErrorKind::depth, offset}));
    EXPECT_EQ(check(nested(opens, "[", 100 * max_depth)).fault, ErrorKind::depth);
  }
  EXPECT_EQ(check(std::string(1000000, '[')), (CheckResult{ErrorKind::depth, max_depth}));
}

TEST(Validate, CountsOpenContainersAsDepth) {
  EXPECT_TRUE(is_valid("[" + repeated("[{\"a\":[]}],", 1000) + "[]]"));
  EXPECT_TRUE(is_valid(nested("[", "[],{},[]", max_depth - 1)));
}

TEST(Validate, RequiresTheMatchingBracket) {
  for (const std::string_view opens : {"{", "[", "[{", "{[", "[[{", "{{["}) {
    const std::string text = nested(opens, "0", max_depth);
    for (std::size_t at = text.find('0') + 1; at < text.size(); ++at) {
      std::string wrong = text;
      wrong[at] = text[at] == ']' ? '}' : ']';
      EXPECT_EQ(check(wrong), (CheckResult{ErrorKind::syntax, at})) << wrong;
    }
  }
}

// --- UTF-8

// RFC 3629 by arithmetic: the code point that the bytes give, and whether it is one that is written in that many.
// Length of the sequence at the start of `bytes`, or 0.
std::size_t decoded_length(std::string_view bytes) {
  const auto lead = static_cast<std::uint8_t>(bytes[0]);
  if (lead < 0x80) return 1;
  const auto length = static_cast<std::size_t>(std::countl_one(lead));
  if (length < 2 || length > 4 || bytes.size() < length) return 0;
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    if (byte >> 6 != 2) return 0;
    code = code << 6 | (byte & 0x3F);
  }
  const std::size_t needed = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  return length == needed && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? length : 0;
}

// The verdict on a string of these bytes, of which none is a quote or a backslash.
CheckResult expected_verdict(std::string_view content) {
  for (std::size_t at = 0; at < content.size();) {
    if (static_cast<std::uint8_t>(content[at]) < 0x20) return {ErrorKind::syntax, at + 1};
    const std::size_t length = decoded_length(content.substr(at));
    if (length == 0) return {ErrorKind::utf8, at + 1};
    at += length;
  }
  return {ErrorKind::none, content.size() + 2};
}

// Compares the check with the decoder above over many short strings.
class Comparison {
 public:
  ~Comparison() { EXPECT_EQ(wrong_, 0u) << "of " << compared_; }

  void compare(std::string_view content) {
    if (content.find_first_of("\"\\") != content.npos) return;
    text_[0] = '"';
    content.copy(text_ + 1, content.size());
    text_[content.size() + 1] = '"';
    const CheckResult verdict = validate({text_, content.size() + 2});
    const bool length_agrees = utf8_length(content.data(), content.data() + content.size()) == decoded_length(content);
    ++compared_;
    if (length_agrees && verdict == expected_verdict(content)) return;
    if (++wrong_ > 5) return;
    ADD_FAILURE() << testing::PrintToString(std::vector<int>(content.begin(), content.end())) << verdict;
  }

  std::size_t compared() const { return compared_; }

 private:
  char text_[8] = {};
  std::size_t compared_ = 0;
  std::size_t wrong_ = 0;
};

TEST(ValidateUtf8, AgreesWithADecoderOnAllSequencesOfOneToThreeBytes) {
  Comparison comparison;
  for (unsigned a = 0; a < 0x100; ++a) {
    for (unsigned b = 0; b < 0x100; ++b) {
      char bytes[3] = {static_cast<char>(a), static_cast<char>(b), 0};
      if (b == 0) comparison.compare({bytes, 1});
      comparison.compare({bytes, 2});
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
      constexpr unsigned step = 1;
#else
      const unsigned step = a < 0x80 || b < 0x80 ? 15 : 1;  // unoptimised, ASCII followed by anything takes too long
#endif
      for (unsigned c = 0; c < 0x100; c += step) {
        bytes[2] = static_cast<char>(c);
        comparison.compare({bytes, 3});
      }
    }
  }
  EXPECT_GT(comparison.compared(), 0x100u * 0x100u * 15u);
}

TEST(ValidateUtf8, AgreesWithADecoderOnSequencesOfFourBytes) {
  Comparison comparison;
  constexpr unsigned char later[] = {0x00, 0x1F, 0x20, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F,
                                     0xA0, 0xBE, 0xBF, 0xC0, 0xC2, 0xE0, 0xF4, 0xFF};
  for (unsigned a = 0xC0; a < 0x100; ++a) {
    for (unsigned b = 0; b < 0x100; ++b) {
      for (const unsigned char c : later) {
        for (const unsigned char d : later) {
          const char bytes[4] = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c),
                                 static_cast<char>(d)};
          comparison.compare({bytes, 4});
        }
      }
    }
  }
  EXPECT_GT(comparison.compared(), 0x40u * 0xFDu * 0x100u);
}

// Some minutes: --gtest_also_run_disabled_tests.
TEST(ValidateUtf8, DISABLED_AgreesWithADecoderOnAllSequencesOfFourBytes) {
  Comparison comparison;
  for (std::uint64_t sequence = 0; sequence <= UINT32_MAX; ++sequence) {
    const char bytes[4] = {static_cast<char>(sequence >> 24), static_cast<char>(sequence >> 16),
                           static_cast<char>(sequence >> 8), static_cast<char>(sequence)};
    comparison.compare({bytes, 4});
  }
  EXPECT_GT(comparison.compared(), 254ULL * 254 * 254 * 254 - 1);
}

TEST(ValidateUtf8, WritesEveryCodePointAsTheDecoderReadsIt) {
  std::uint32_t wrong = 0;
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code == 0xD800) code = 0xE000;
    std::string text;
    for (std::uint32_t bytes = utf8_bytes(code); bytes != 0 || text.empty(); bytes >>= 8)
      text += static_cast<char>(bytes);
    std::uint32_t read = static_cast<std::uint8_t>(text[0]);
    if (text.size() > 1) read &= 0x7Fu >> text.size();
    for (const char c : text.substr(1)) read = read << 6 | (static_cast<std::uint8_t>(c) & 0x3F);
    if (read != code || decoded_length(text) != text.size()) ++wrong;
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(ValidateUtf8, DoesNotReadBeyondATruncatedSequence) {
  for (const std::string marked :
       {"\"^\xC2", "\"a^\xE2\x82", "\"^\xE2", "\"^\xF0\x9F\x98", "\"^\xF0\x9F", "\"12345678^\xF0", "{\"^\xC3"}) {
    expect_fault(ErrorKind::utf8, marked);
  }
}

// --- escapes of surrogates

std::string unit_escape(unsigned unit, const char* format = "\\u%04x") {
  char text[8];
  std::snprintf(text, sizeof text, format, unit);
  return text;
}

TEST(ValidateSurrogates, AcceptsEverySingleUnitExceptSurrogates) {
  for (unsigned unit = 0; unit < 0x10000; ++unit) {
    const bool surrogate = unit >= 0xD800 && unit <= 0xDFFF;
    const std::string text = "\"a" + unit_escape(unit, unit % 2 != 0 ? "\\u%04x" : "\\u%04X") + "b\"";
    ASSERT_EQ(check(text), surrogate ? (CheckResult{ErrorKind::utf8, 2}) : (CheckResult{ErrorKind::none, text.size()}))
        << text;
  }
}

TEST(ValidateSurrogates, AcceptsTwoUnitsOrOnePair) {
  constexpr unsigned units[] = {0,      0x41,   0xD7FF, 0xD800, 0xD801, 0xDABC, 0xDBFF,
                                0xDC00, 0xDC01, 0xDEAD, 0xDFFF, 0xE000, 0xFFFF};
  const auto is_high = [](unsigned unit) { return unit >= 0xD800 && unit <= 0xDBFF; };
  const auto is_low = [](unsigned unit) { return unit >= 0xDC00 && unit <= 0xDFFF; };
  for (const unsigned first : units) {
    for (const unsigned second : units) {
      const std::string text = in_quotes(unit_escape(first) + unit_escape(second));
      CheckResult expected{ErrorKind::none, text.size()};
      if (is_high(first) ? !is_low(second) : is_low(first)) {
        expected = {ErrorKind::utf8, 1};
      } else if (!is_high(first) && (is_high(second) || is_low(second))) {
        expected = {ErrorKind::utf8, 7};
      }
      EXPECT_EQ(check(text), expected) << text;
    }
  }
}

TEST(ValidateSurrogates, RejectsHalfAPairAtItsEscape) {
  for (const std::string& marked :
       {R"("^\uD800")"s, R"("^\uD800)"s, R"("^\uD800\)"s, R"("^\uD800\u)"s, R"("^\uD800\uDC0)"s, R"("^\uD800\n")"s,
        R"("^\uD800\\")"s, R"("^\uD800uDC00")"s, R"("^\uD800 \uDC00")"s, R"("^\uD800\\uDC00")"s, R"("^\uD800\UDC00")"s,
        R"("^\uD800\uDCGG")"s, R"("^\uD800DC00")"s, R"("\uD834\uDD1E^\uDD1E")"s, R"("\uD834\uDD1E^\uD834")"s,
        R"("ab^\uDC00\uD800")"s, R"({"^\uDFFF":0})"s, "\"^\\uD800\xED\xB0\x80\""s, "\"^\xED\xA0\x80\\uDC00\""s}) {
    expect_fault(ErrorKind::utf8, marked);
  }
}

// --- several bytes at a time

TEST(ValidateWords, ChecksEveryByteOfALongString) {
  for (std::size_t before = 0; before < 9; ++before) {
    for (std::size_t place = 0; place <= 24; ++place) {
      for (unsigned byte = 0; byte < 0x100; ++byte) {
        std::string content = "abcdefghijklmnopqrstuvwxyz !#[]~";
        content[place] = static_cast<char>(byte);
        const std::string text = std::string(before, ' ') + in_quotes(content);
        CheckResult expected = expected_verdict(content);
        if (byte == '"') expected = {ErrorKind::syntax, place + 2};
        if (byte == '\\') {  // makes an escape of the next character
          const char next = content[place + 1];
          const bool known = std::string_view("bfnrt").find(next) != std::string_view::npos;
          if (next == 'u') {
            expected = {ErrorKind::syntax, place + 3};
          } else {
            expected =
                known ? CheckResult{ErrorKind::none, content.size() + 2} : CheckResult{ErrorKind::syntax, place + 2};
          }
        }
        expected.offset += before;
        ASSERT_EQ(check(text), expected) << text;
      }
    }
  }
}

TEST(ValidateWords, FindsTwoSpecialBytesInOneWord) {
  const std::string specials[] = {"\\n", "\x01", "\xC3\xA9", "\x80", "\x7F", "\x20", "!", "#", "[", "]"};
  for (const std::string& first : specials) {
    for (const std::string& second : specials) {
      for (std::size_t gap = 0; gap < 9; ++gap) {
        const std::string rest = std::string(gap, 'a') + second + std::string(9, 'b');
        const auto bad = [](const std::string& piece) { return piece == "\x01" || piece == "\x80"; };
        const std::string text = in_quotes(first + rest);
        CheckResult expected{ErrorKind::none, text.size()};
        if (bad(second)) expected = {second == "\x01" ? ErrorKind::syntax : ErrorKind::utf8, 1 + first.size() + gap};
        if (bad(first)) expected = {first == "\x01" ? ErrorKind::syntax : ErrorKind::utf8, 1};
        EXPECT_EQ(check(text), expected) << text;
      }
    }
  }
}

// --- at compile time

static_assert(validate(R"({"a":[1,-2.5e3,"\u00e9\uD834\uDD1E",true,null]})").fault == ErrorKind::none);
static_assert(validate("\"caf\xC3\xA9 with a string of more than one word\"").fault == ErrorKind::none);
static_assert(validate("[1,]").fault == ErrorKind::syntax && validate("[1,]").offset == 3);
static_assert(validate("\"\xC3\"").fault == ErrorKind::utf8 && validate("\"\xC3\"").offset == 1);
static_assert(validate("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]").fault == ErrorKind::depth);

}  // namespace
}  // namespace mcp::json
