// SPDX-License-Identifier: Apache-2.0
// Writes JSON into a buffer: commas, escapes, numbers, buffers that are too small, and JSON in a JSON string. The
// strict reader checks every output.
#include "mcp/json/writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/document.hpp"

namespace mcp::json {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

using Script = void (*)(Writer&);

// A buffer between guard bytes that must not change. It is on the heap, so that AddressSanitizer detects further
// accesses.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t size) : bytes_(size + 2 * guard, untouched) {}
  ~GuardedBuffer() {
    const auto is_untouched = [](char c) { return c == untouched; };
    EXPECT_TRUE(std::all_of(bytes_.begin(), bytes_.begin() + guard, is_untouched));
    EXPECT_TRUE(std::all_of(bytes_.end() - guard, bytes_.end(), is_untouched));
  }
  [[nodiscard]] std::span<char> span() { return {bytes_.data() + guard, bytes_.size() - 2 * guard}; }
  [[nodiscard]] std::string_view first(std::size_t size) { return {bytes_.data() + guard, size}; }

 private:
  static constexpr char untouched = 0x55;
  static constexpr std::ptrdiff_t guard = 32;
  std::vector<char> bytes_;
};

// The output of `script` with enough space.
template <class Call>
std::string written(Call script) {
  GuardedBuffer transmit_buffer(4096);
  Writer out(transmit_buffer.span());
  script(out);
  EXPECT_TRUE(out.ok());
  EXPECT_EQ(out.rest().size(), 4096 - out.size());
  const std::string text(transmit_buffer.first(out.size()));
  EXPECT_TRUE(is_valid(text)) << text;
  return text;
}

// --- the sequences that are tried in windows of every size, and quoted

struct Sequence {
  Script write;
  std::string_view text;
};

const Sequence sequences[] = {
    // commas in every nesting
    {[](Writer& out) { out.object_begin(), out.object_end(); }, "{}"},
    {[](Writer& out) { out.array_begin(), out.array_end(); }, "[]"},
    {[](Writer& out) {
       out.array_begin();
       for (int i = 0; i < 3; ++i) out.number(i);
       out.array_begin(), out.array_end(), out.object_begin(), out.object_end();
       out.string("s"), out.boolean(true), out.boolean(false), out.null();
       out.array_end();
     },
     R"([0,1,2,[],{},"s",true,false,null])"},
    {[](Writer& out) {
       out.array_begin(), out.array_begin(), out.array_begin(), out.array_end(), out.array_begin(), out.array_end();
       out.array_end(), out.array_begin(), out.number(1), out.array_end(), out.array_end();
     },
     "[[[],[]],[1]]"},
    {[](Writer& out) {
       out.object_begin();
       out.key("a"), out.object_begin(), out.key("b"), out.array_begin(), out.array_end(), out.key("c"),
           out.object_begin();
       out.object_end(), out.object_end(), out.key("d"), out.null(), out.key(""), out.string("");
       out.object_end();
     },
     R"({"a":{"b":[],"c":{}},"d":null,"":""})"},
    {[](Writer& out) {
       out.array_begin();
       for (int i = 0; i < 2; ++i) out.object_begin(), out.member("a", i), out.member("b", -i), out.object_end();
       out.array_end();
     },
     R"([{"a":0,"b":0},{"a":1,"b":-1}])"},

    // members of every type
    {[](Writer& out) {
       const char* const c_string = "c";
       out.object_begin();
       out.member("literal", "l"), out.member("view", "v\"w"sv), out.member("c_string", c_string);
       out.member("bool", true), out.member("no", false);
       out.member("int", -7), out.member("u8", std::uint8_t{255}), out.member("i8", std::int8_t{-128});
       out.member("u64", std::uint64_t{18446744073709551615u}),
           out.member("i64", std::numeric_limits<std::int64_t>::min());
       out.member("float", 0.1f), out.member("double", 1.5e300), out.member("scaled", Scaled{21500, 3});
       out.member("\n", "");
       out.object_end();
     },
     R"({"literal":"l","view":"v\"w","c_string":"c","bool":true,"no":false,"int":-7,"u8":255,"i8":-128,)"
     R"("u64":18446744073709551615,"i64":-9223372036854775808,"float":0.1,"double":1.5e+300,"scaled":21.5,"\n":""})"},

    // strings
    {[](Writer& out) { out.string("\"\\/\b\f\n\r\t\x01\x1F\x7F \xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E"); },
     "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7F \xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E\""},
    {[](Writer& out) { out.string("a\0b"sv); }, R"("a\u0000b")"},
    {[](Writer& out) { out.string("\xFF.\xC3.\xE2\x82.\xED\xA0\x80"); },
     "\"\xEF\xBF\xBD.\xEF\xBF\xBD.\xEF\xBF\xBD\xEF\xBF\xBD.\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {[](Writer& out) {
       out.array_begin(), out.string_begin(), out.append("a"), out.append(""), out.append("\"\n"),
           out.append_number(std::int64_t{-5});
       out.append("/"sv), out.append_number(std::uint64_t{5}), out.append_number(1.5), out.append_number(0.1f);
       out.append_number(Scaled{-5, 1}), out.string_end(), out.string_begin(), out.string_end(), out.array_end();
     },
     R"(["a\"\n-5/51.50.1-0.5",""])"},

    // numbers
    {[](Writer& out) {
       out.array_begin();
       out.number(0), out.number(-1), out.number(0.0), out.number(-0.0), out.number(1e21), out.number(1e-7f),
           out.number(16777216.0f);
       out.number_begin(), out.append_number(std::uint64_t{1}), out.number_begin(), out.append_number(Scaled{1, 2});
       out.array_end();
     },
     "[0,-1,0,-0,1e+21,1e-7,16777216,1,0.01]"},
    {[](Writer& out) {
       constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                        infinity = std::numeric_limits<double>::infinity();
       out.array_begin(), out.number(nan), out.number(-nan), out.number(infinity), out.number(-infinity);
       out.number(static_cast<float>(nan)), out.number(static_cast<float>(infinity)),
           out.number(-static_cast<float>(infinity));
       out.number(std::numeric_limits<double>::max()), out.number(std::numeric_limits<float>::max()), out.array_end();
     },
     "[null,null,null,null,null,null,null,1.7976931348623157e+308,3.4028235e+38]"},

    // base64
    {[](Writer& out) {
       constexpr std::uint8_t bytes[] = {0x00, 0xFF, 0xFB, 0xEF, 0x3F};
       out.array_begin();
       for (std::size_t size = 0; size <= 5; ++size) out.base64({bytes, size});
       out.array_end();
     },
     R"(["","AA==","AP8=","AP/7","AP/77w==","AP/77z8="])"},

    // already JSON
    {[](Writer& out) {
       out.object_begin(), out.key("a"), out.raw("{\n \"b\":\r\n[1]\n}"), out.key("c"), out.raw("2"), out.object_end();
     },
     R"({"a":{ "b":[1]},"c":2})"},
    {[](Writer& out) {
       out.fragment("{\"a\":"), out.number(1), out.fragment("\"b\":["), out.number(2), out.number(3),
           out.fragment("{\"c\":{");
       out.fragment("}"), out.fragment("}"), out.fragment("4"), out.fragment("]"), out.fragment("\"d\":\""),
           out.append("e"), out.string_end();
       out.fragment("\"f\":{}"), out.fragment("\"g\":{}}");
     },
     R"({"a":1,"b":[2,3,{"c":{}},4],"d":"e","f":{},"g":{}})"},
    {[](Writer& out) {
       out.fragment("["), out.fragment("{}"), out.fragment("[]"), out.fragment("[["), out.fragment("]]"),
           out.fragment("\"x\""), out.null();
       out.fragment("{"), out.member("a", 1), out.fragment("},{"), out.fragment("}"), out.raw("5"), out.fragment("6"),
           out.fragment("]");
     },
     R"([{},[],[[]],"x",null,{"a":1},{},5,6])"},
};

TEST(Writer, WritesValuesAsCalled) {
  for (const auto& [write, text] : sequences) EXPECT_EQ(written(write), text);
}

TEST(Writer, FailsWithoutOverrunInEveryBufferThatIsTooSmall) {
  for (const auto& [write, text] : sequences) {
    for (std::size_t size = 0; size <= text.size(); ++size) {
      GuardedBuffer transmit_buffer(size);
      Writer out(transmit_buffer.span());
      write(out);
      EXPECT_EQ(out.ok(), size == text.size()) << text << " in " << size;
      EXPECT_LE(out.size(), size);
      EXPECT_EQ(transmit_buffer.first(out.size()), text.substr(0, out.size())) << "what was written is the start of it";
      EXPECT_TRUE(!out.ok() || out.rest().empty());
    }
  }
}

TEST(Writer, WritesNothingAfterAFailure) {
  GuardedBuffer transmit_buffer(8);
  Writer out(transmit_buffer.span());
  out.array_begin();
  out.string("too long for this");
  const std::size_t size = out.size();
  out.number(1), out.null(), out.string(""), out.fragment("1"), out.raw("1"), out.base64({}), out.array_end();
  EXPECT_FALSE(out.ok());
  EXPECT_EQ(out.size(), size);
}

TEST(Writer, RollbackRestoresTheState) {
  for (const auto& [write, text] : sequences) {
    constexpr std::string_view after[] = {R"({"ab":["c"],"d":"\""})", R"({"ab":[1,"c"],"d":"\""})"};
    for (std::size_t size = after[1].size(); size <= after[1].size() + text.size(); ++size) {
      for (const bool comma : {false, true}) {
        GuardedBuffer transmit_buffer(size);
        Writer out(transmit_buffer.span());
        out.fragment("{\"ab\":[");
        if (comma) out.number(1);
        const Writer::Mark mark = out.mark();
        write(out);
        out.rollback(mark);
        EXPECT_TRUE(out.ok());
        EXPECT_EQ(out.size(), comma ? 8u : 7u);
        out.string("c"), out.array_end(), out.member("d", "\""), out.object_end();
        EXPECT_TRUE(out.ok());
        EXPECT_EQ(transmit_buffer.first(out.size()), after[comma ? 1 : 0]) << text;
      }
    }
  }
}

TEST(Writer, RollbackToTheStartClearsAFailure) {
  for (const auto& [write, text] : sequences) {
    GuardedBuffer transmit_buffer(text.size());
    Writer out(transmit_buffer.span());
    const Writer::Mark start = out.mark();
    out.fragment("["), write(out);
    EXPECT_FALSE(out.ok());
    out.rollback(start);
    write(out);
    EXPECT_TRUE(out.ok());
    EXPECT_EQ(transmit_buffer.first(out.size()), text);
  }
}

// --- space reserved for later output

TEST(WriterTake, ReservesBytesAtTheEndUntilReleased) {
  for (std::size_t bytes = 0; bytes <= 10; ++bytes) {
    GuardedBuffer transmit_buffer(10);
    Writer out(transmit_buffer.span());
    EXPECT_EQ(out.reserve(bytes), bytes);
    EXPECT_TRUE(out.ok());
    EXPECT_EQ(out.rest().size(), 10 - bytes);
    const Writer::Mark mark = out.mark();
    out.string("12345678");
    EXPECT_EQ(out.ok(), bytes == 0);
    out.rollback(mark);
    EXPECT_EQ(out.rest().size(), 10 - bytes) << "a roll-back gives nothing back";
    out.release(bytes);
    out.string("12345678");
    EXPECT_TRUE(out.ok());
    EXPECT_EQ(transmit_buffer.first(out.size()), "\"12345678\"");
  }
}

TEST(WriterTake, TakingMoreThanFreeTakesAllAndFails) {
  GuardedBuffer transmit_buffer(10);
  Writer out(transmit_buffer.span());
  out.fragment("[1");
  const Writer::Mark mark = out.mark();
  EXPECT_EQ(out.reserve(9), 8u);
  EXPECT_FALSE(out.ok());
  EXPECT_TRUE(out.rest().empty());
  out.rollback(mark);
  out.array_end();
  EXPECT_FALSE(out.ok()) << "all is taken";
  out.rollback(mark);
  out.release(8);
  out.array_end();
  EXPECT_TRUE(out.ok());
  EXPECT_EQ(transmit_buffer.first(out.size()), "[1]");
}

TEST(WriterTake, TakesNest) {
  GuardedBuffer transmit_buffer(10);
  Writer out(transmit_buffer.span());
  EXPECT_EQ(out.reserve(3) + out.reserve(4), 7u);
  out.release(4);
  EXPECT_EQ(out.rest().size(), 7u);
  out.release(3);
  EXPECT_EQ(out.rest().size(), 10u);
}

// --- strings

// UTF-8 of a string whose bytes are not UTF-8: each invalid byte replaced.
std::string repaired(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    std::size_t length = static_cast<unsigned char>(bytes[0]) < 0x80 ? 1 : 0;
    for (std::size_t size = 2; size <= 4 && size <= bytes.size() && length == 0; ++size) {
      const bool lead = static_cast<unsigned char>(bytes[0]) >= 0xC0;
      if (lead && is_valid('"' + std::string(bytes.substr(0, size)) + '"')) length = size;
    }
    text += length == 0 ? "\xEF\xBF\xBD" : std::string(bytes.substr(0, length));
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

void expect_string(std::string_view bytes, std::string_view expected) {
  GuardedBuffer transmit_buffer(6 * bytes.size() + 4);
  Writer out(transmit_buffer.span());
  out.array_begin(), out.string(bytes), out.array_end();
  const std::string text(transmit_buffer.first(out.size()));
  ASSERT_TRUE(out.ok() && is_valid(text)) << text;
  Document document(text);
  Elements elements(document.root());
  ASSERT_TRUE(elements.next());
  ASSERT_EQ(elements.value().string(), expected) << text;
}

TEST(WriterString, EveryAsciiByteRoundTripsAtEveryPosition) {
  for (int byte = 0; byte < 0x80; ++byte) {
    for (std::size_t place = 0; place <= 17; ++place) {
      std::string text = "abcdefghijklmnopq";
      text.insert(place, 1, static_cast<char>(byte));
      expect_string(text, text);
    }
  }
}

TEST(WriterString, EscapesControlBytesQuotesAndBackslashes) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const char c = static_cast<char>(byte);
    const std::size_t letter = "\"\\\b\f\n\r\t"sv.find(c);
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\u%04x", static_cast<unsigned>(byte));
    const std::string expected = letter != std::string_view::npos ? "\\"s + "\"\\bfnrt"[letter]
                                 : byte < 0x20                    ? hex
                                                                  : std::string(1, c);
    EXPECT_EQ(written([&](Writer& out) { out.string(std::string_view(&c, 1)); }), '"' + expected + '"');
  }
}

TEST(WriterString, ReplacesInvalidUtf8) {
  constexpr unsigned char bytes[] = {'a',  '"',  '\n', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2,
                                     0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8, 0xFE, 0xFF};
  for (const unsigned char a : bytes) {
    for (const unsigned char b : bytes) {
      for (const unsigned char c : bytes) {
        const char text[] = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)};
        expect_string({text, 3}, repaired({text, 3}));
      }
    }
  }
  for (const std::string_view text : {"\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                                      "\xF1\x80\x80", "\xF1\x80\x80\x7F"}) {
    expect_string(text, repaired(text));
  }
}

TEST(WriterString, EscapesKeysLikeStrings) {
  EXPECT_EQ(written([](Writer& out) { out.object_begin(), out.key("\"\\\n\x02\xFF"), out.null(), out.object_end(); }),
            "{\"\\\"\\\\\\n\\u0002\xEF\xBF\xBD\":null}");
}

// --- JSON in a string

std::string unquoted(std::string_view text) {
  Document document("[" + std::string(text) + "]");
  Elements elements(document.root());
  return elements.next() ? std::string(elements.value().string()) : "nothing";
}

TEST(WriterQuoted, DecodesToTheUnquotedText) {
  for (const auto& [write, text] : sequences) {
    const std::string quoted =
        written([script = write](Writer& out) { out.quoted_begin(), script(out), out.quoted_end(); });
    EXPECT_EQ(unquoted(quoted), text);
  }
}

TEST(WriterQuoted, EveryByteOfANestedStringRoundTrips) {
  std::string bytes;
  for (int byte = 0; byte < 0x80; ++byte) bytes += static_cast<char>(byte);
  bytes += "\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E";
  const std::string quoted = written([&](Writer& out) {
    out.quoted_begin(), out.object_begin(), out.member("\"k\\", std::string_view(bytes)), out.object_end(),
        out.quoted_end();
  });
  Document inner(unquoted(quoted));
  EXPECT_EQ(find_member(inner.root(), "\"k\\").string(), bytes);
}

TEST(WriterQuoted, CountsCommasInsideAndOutsideSeparately) {
  EXPECT_EQ(written([](Writer& out) {
              out.array_begin(), out.quoted_begin(), out.array_begin(), out.number(1), out.number(2), out.array_end(),
                  out.quoted_end();
              out.quoted_begin(), out.string("a"), out.quoted_end(), out.string("\""), out.array_end();
            }),
            R"(["[1,2]","\"a\"","\""])");
}

TEST(WriterQuoted, FailsWithoutOverrunInEveryBufferThatIsTooSmall) {
  for (const auto& [write, text] : sequences) {
    const auto script = [inner = write](Writer& out) { out.quoted_begin(), inner(out), out.quoted_end(); };
    const std::string whole = written(script);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      GuardedBuffer transmit_buffer(size);
      Writer out(transmit_buffer.span());
      script(out);
      EXPECT_EQ(out.ok(), size == whole.size()) << whole << " in " << size;
      EXPECT_LE(out.size(), size);
    }
  }
}

TEST(WriterQuoted, RollbackToAMarkBeforeItEndsIt) {
  EXPECT_EQ(written([](Writer& out) {
              out.array_begin(), out.number(1);
              const Writer::Mark mark = out.mark();
              out.quoted_begin(), out.string("a"), out.rollback(mark);
              out.string("b"), out.array_end();
            }),
            R"([1,"b"])");
}

TEST(WriterQuoted, RollbackToAMarkInsideItStaysInside) {
  EXPECT_EQ(written([](Writer& out) {
              out.array_begin(), out.quoted_begin(), out.array_begin(), out.string("a");
              const Writer::Mark mark = out.mark();
              out.string("b"), out.rollback(mark);
              out.string("c"), out.array_end(), out.quoted_end(), out.array_end();
            }),
            R"(["[\"a\",\"c\"]"])");
}

// --- decimal fractions

// {value, decimals} by inserting the point into the digits.
std::string decimal(std::int64_t value, std::size_t decimals) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - decimals);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  const std::string sign = value < 0 ? "-" : "";
  return sign + digits.substr(0, digits.size() - decimals) + (fraction.empty() ? "" : "." + fraction);
}

TEST(WriterScaled, WritesTheShortestDecimalForEverySignAndScale) {
  EXPECT_EQ(decimal(-21500, 3), "-21.5");
  EXPECT_EQ(decimal(-5, 1), "-0.5");
  EXPECT_EQ(decimal(0, 9), "0");
  std::vector<std::int32_t> values = {0, std::numeric_limits<std::int32_t>::min(),
                                      std::numeric_limits<std::int32_t>::max(),
                                      std::numeric_limits<std::int32_t>::min() + 1};
  for (std::int64_t power = 1; power <= 1000000000; power *= 10) {
    for (const std::int64_t factor : {1, 2}) {
      for (const std::int64_t nearby : {-1, 0, 1, 5}) {
        values.push_back(static_cast<std::int32_t>(power * factor + nearby));
        values.push_back(static_cast<std::int32_t>(-power * factor + nearby));
      }
    }
  }
  for (const std::int32_t value : values) {
    for (std::uint8_t decimals = 0; decimals <= 9; ++decimals) {
      EXPECT_EQ(written([&](Writer& out) {
                  out.number(Scaled{value, decimals});
                }),
                decimal(value, decimals))
          << value << 'e' << -decimals;
    }
  }
}

TEST(WriterScaled, LimitsDecimalsToNine) {
  for (const std::uint8_t decimals : std::initializer_list<std::uint8_t>{10, 11, 128, 255}) {
    for (const std::int32_t value : {0, 1, -1, std::numeric_limits<std::int32_t>::min()}) {
      EXPECT_EQ(written([&](Writer& out) { out.number(Scaled{value, decimals}); }), decimal(value, 9));
    }
  }
}

// --- a literal is as long as its text, with its content

TEST(Text, HasTheSizeOfEverySource) {
  const char* const c_string = "abc";
  EXPECT_EQ(Text("abc").size(), 3u);
  EXPECT_EQ(Text("a\0c").size(), 3u);
  EXPECT_EQ(Text("").size(), 0u);
  EXPECT_EQ(Text(c_string).size(), 3u);
  EXPECT_EQ(Text("a\0c"sv).view(), "a\0c"sv);
  EXPECT_TRUE(equal("abc", c_string) && equal("", std::string_view()) && equal(std::string_view(), std::string_view()));
  EXPECT_FALSE(equal("abc", "abd") || equal("abc", "ab") || equal("", "a") || equal("a\0b", "a\0c"));
}

// ---- copy() ------------------------------------------------------------------------------------------------------

// A decoded string is in place of the original, and must be escaped again. Spaces fill the rest.
// Literals are passed as one pointer, other strings with their size.
TEST(WriterMember, WritesTheSameForEveryKindOfName) {
  const auto with = [](const auto& name) {
    return written([&](Writer& out) {
      out.object_begin();
      out.key(name), out.null(), out.member(name, "text"), out.member(name, true), out.member(name, 7U);
      out.member(name, -7), out.member(name, 1.5), out.member(name, Scaled{15, 1});
      out.optional_member(name, ""), out.optional_member(name, "x"), out.object_end();
    });
  };
  const std::string expected = written([](Writer& out) {
    out.object_begin();
    out.key("n\"\n"), out.null(), out.member("n\"\n", "text"), out.member("n\"\n", true), out.member("n\"\n", 7U);
    out.member("n\"\n", -7), out.member("n\"\n", 1.5), out.member("n\"\n", Scaled{15, 1});
    out.optional_member("n\"\n", ""), out.optional_member("n\"\n", "x"), out.object_end();
  });
  const char* const c_string = "n\"\n";
  EXPECT_EQ(with("n\"\nx"sv.substr(0, 3)), expected);
  EXPECT_EQ(with(Text("n\"\n")), expected);
  EXPECT_EQ(with(Literal("n\"\n")), expected);
  EXPECT_EQ(with(c_string), expected);
}

TEST(WriterFragment, WritesTheSameForEveryKindOfString) {
  const auto with = [](const auto& json) {
    return written([&](Writer& out) { out.array_begin(), out.fragment(json), out.fragment(json), out.array_end(); });
  };
  const std::string expected =
      written([](Writer& out) { out.array_begin(), out.fragment("[1]"), out.fragment("[1]"), out.array_end(); });
  EXPECT_EQ(expected, "[[1],[1]]");
  EXPECT_EQ(with("[1]"sv), expected);
  EXPECT_EQ(with(Text("[1]")), expected);
  EXPECT_EQ(with(Literal("[1]")), expected);
}

TEST(WriterCopy, EscapesDecodedStringsAgain) {
  Document document(R"([ "a\n\u0041" , {"k\t":"\"","plain":[1,"b"]}, "" ])");
  Elements elements(document.root());
  ASSERT_TRUE(elements.next());
  EXPECT_EQ(elements.value().string(), "a\nA");
  ASSERT_TRUE(elements.next());
  EXPECT_EQ(find_member(elements.value(), "k\t").string(), "\"");
  EXPECT_EQ(written([&](Writer& out) {
              out.object_begin(), out.key("x"), out.copy(document.root().raw()), out.member("y", 1), out.object_end();
            }),
            R"({"x":[ "a\nA"       , {"k\t" :"\"" ,"plain":[1,"b"]}, "" ],"y":1})");
}

}  // namespace
}  // namespace mcp::json
