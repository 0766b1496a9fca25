// SPDX-License-Identifier: Apache-2.0
// Reads a validated message in place: types, walking, decoding of strings, members found by key.
#include "mcp/json/value.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/document.hpp"

namespace mcp::json {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

// All that there is to read of a value, in another notation: {key=value;} [element;] <decoded string> number, T, F, N.
std::string describe(Value value) {
  std::string text;
  switch (value.type()) {
    case Type::missing: return "missing";
    case Type::object:
      for (Members m(value); m.next();) text += std::string(m.key()) + '=' + describe(m.value()) + ';';
      return '{' + text + '}';
    case Type::array:
      for (Elements e(value); e.next();) text += describe(e.value()) + ';';
      return '[' + text + ']';
    case Type::string: return '<' + std::string(value.string()) + '>';
    case Type::number: return std::string(value.raw());
    case Type::boolean: return value.is_true() ? "T" : "F";
    case Type::null: return "N";
  }
  return "no type";
}

std::string describe(std::string_view text) { return describe(Document(text).root()); }

// `text` with `space` around every token.
std::string spaced(std::string_view text, std::string_view space) {
  std::string result;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool token = !inside && std::string_view("[]{},:").find(text[i]) != std::string_view::npos;
    if (token) result += space;
    result += text[i];
    if (token) result += space;
    if (inside && text[i] == '\\') {
      result += text[++i];
    } else if (text[i] == '"') {
      inside = !inside;
    }
  }
  return result;
}

struct Walk {
  std::string_view text;
  std::string_view description;
};

// Strings without escapes contain characters that are structure elsewhere. Strings with escapes contain the mark of
// decoded strings.
const Walk walks[] = {
    {"{}", "{}"},
    {"[]", "[]"},
    {"[[]]", "[[];]"},
    {"[{},[],{}]", "[{};[];{};]"},
    {R"({"a":{}})", "{a={};}"},
    {R"({"":""})", "{=<>;}"},
    {R"([0,-1.5e+3,true,false,null,"x"])", "[0;-1.5e+3;T;F;N;<x>;]"},
    {R"({"a":1,"b":true,"c":null,"d":"e"})", "{a=1;b=T;c=N;d=<e>;}"},
    {R"({"a":[1,{"b":[[2],3]}],"c":{"d":{"e":{}}},"f":4})", "{a=[1;{b=[[2;];3;];};];c={d={e={};};};f=4;}"},
    {R"([[[1],[2]],[[3]],[]])", "[[[1;];[2;];];[[3;];];[];]"},
    {R"(["[]{},:",{"}":"]","a":"{"},"\""])", "[<[]{},:>;{}=<]>;a=<{>;};<\">;]"},
    {R"(["\"","\\","\\\"","\/\b\f\n\r\t"])", "[<\">;<\\>;<\\\">;</\b\f\n\r\t>;]"},
    {R"({"\u0061":"\u0062","c\n":"d","e":"\u0000f"})"sv, "{a=<b>;c\n=<d>;e=<\0f>;}"sv},
    {R"({"\"":{"\\":["\"}","\u005d"]},"a":"\\"})", "{\"={\\=[<\"}>;<]>;];};a=<\\>;}"},
    {R"({"\u0001":"\u0001","\u00ff":"\u00ff\u0001","\uD834\uDD1E":1})",
     "{\x01=<\x01>;\xC3\xBF=<\xC3\xBF\x01>;\xF0\x9D\x84\x9E=1;}"},
    {R"([{"a":"\t"},"\t",{"\t":["\t"]},1])", "[{a=<\t>;};<\t>;{\t=[<\t>;];};1;]"},
    {"[\"\xE2\x82\xAC\",\"\xC3\xA9\\u00e9\xC3\xA9\"]", "[<\xE2\x82\xAC>;<\xC3\xA9\xC3\xA9\xC3\xA9>;]"},
};

TEST(Value, FirstByteSelectsTheType) {
  Document document(R"([{},[],"","\n",0,-1,1.5,true,false,null])");
  const std::vector<Type> expected = {Type::object, Type::array,  Type::string,  Type::string,  Type::number,
                                      Type::number, Type::number, Type::boolean, Type::boolean, Type::null};
  std::size_t i = 0;
  for (Elements e(document.root()); e.next(); ++i) {
    const Value value = e.value();
    static_cast<void>(value.string());  // a decoded string is one as before
    EXPECT_EQ(value.type(), expected.at(i)) << i;
    EXPECT_TRUE(value.is(expected[i]) && value.present());
    EXPECT_EQ(value.is_true(), i == 7);
  }
  EXPECT_EQ(i, expected.size());
}

TEST(Value, WalksOverAllValuesInOrder) {
  for (const auto& [text, description] : walks) EXPECT_EQ(describe(text), description) << text;
}

TEST(Value, SkipsEveryKindOfWhiteSpace) {
  for (const auto& [text, description] : walks) {
    for (const std::string_view space : {" ", "\t", "\n", "\r", " \t\r\n \t\r\n"}) {
      EXPECT_EQ(describe(spaced(text, space)), description) << text;
    }
  }
}

TEST(Value, ReadingTwiceReturnsTheSameValue) {
  for (const auto& [text, description] : walks) {
    Document document(text);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(describe(document.root()), description) << text;
  }
}

TEST(Value, MissingValueReturnsFalseAndEmpty) {
  const Value missing;
  EXPECT_EQ(missing.type(), Type::missing);
  EXPECT_FALSE(missing.present() || missing.is_true() || missing.equals("") || missing.is(Type::null));
  EXPECT_TRUE(missing.raw().empty() && missing.string().empty());
  EXPECT_FALSE(Members(missing).next() || Elements(missing).next());
  EXPECT_FALSE(find_member(missing, "a").present());
  std::int64_t number = 7;
  NumberStatus status = NumberStatus::out_of_range;
  EXPECT_FALSE(missing.number(number, status));
  EXPECT_TRUE(number == 7 && status == NumberStatus::out_of_range);
}

TEST(Value, RejectsAReadOfAnotherType) {
  Document document(R"([{"a":1},[2],"s",3,true,null])");
  std::vector<Value> values;
  for (Elements e(document.root()); e.next();) values.push_back(e.value());
  ASSERT_EQ(values.size(), 6u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value value = values[i];
    EXPECT_EQ(Members(value).next(), i == 0);
    EXPECT_EQ(Elements(value).next(), i == 1);
    EXPECT_EQ(value.string(), i == 2 ? "s" : "");
    EXPECT_EQ(value.equals("s"), i == 2);
    double number = 0;
    NumberStatus status{};
    EXPECT_EQ(value.number(number, status), i == 3);
    EXPECT_EQ(value.is_true(), i == 4);
    EXPECT_EQ(find_member(value, "a").present(), i == 0);
    EXPECT_FALSE(value.equals(""));
  }
}

TEST(Value, EndedWalkStaysAtItsEnd) {
  for (const char* const text : {"[{},[]]", R"([{"a":1},[1]])"}) {
    Document document(text);
    Elements outer(document.root());
    ASSERT_TRUE(outer.next());
    Members members(outer.value());
    while (members.next()) {
    }
    EXPECT_FALSE(members.next() || members.next() || members.value().present());
    ASSERT_TRUE(outer.next());
    Elements elements(outer.value());
    while (elements.next()) {
    }
    EXPECT_FALSE(elements.next() || elements.next() || elements.value().present());
  }
}

// --- raw

TEST(ValueRaw, IsTheValueByteForByte) {
  for (const std::string_view value : {"0",
                                       "-0",
                                       "1",
                                       "-12",
                                       "1.50",
                                       "1e5",
                                       "123456789012345678901234567890",
                                       R"("")",
                                       R"("a")",
                                       R"("\u0061\"\\")",
                                       R"("\\")",
                                       "\"\xC3\xA9\"",
                                       "true",
                                       "false",
                                       "null",
                                       "{}",
                                       "[]",
                                       "[ 1 , 2 ]",
                                       R"({ "a" : "\n" })",
                                       R"({"}":"]\""})",
                                       "[[],[{}]]"}) {
    for (const std::string_view space : {"", " ", "\n\t\r "}) {
      const std::string inside = std::string(space) + std::string(value) + std::string(space);
      for (const std::string& text :
           {"{\"id\":" + inside + "}", "{\"id\":" + inside + ",\"b\":0}", "{\"a\":\"\\n\",\"id\":" + inside + "}"}) {
        Document document(text);
        EXPECT_EQ(find_member(document.root(), "id").raw(), value) << text;
      }
      Document array("[" + inside + "," + inside + "]");
      for (Elements e(array.root()); e.next();) EXPECT_EQ(e.value().raw(), value);
    }
  }
}

TEST(ValueRaw, OutermostValueEndsAtItsBracket) {
  for (const std::string_view text : {"{}", "[]", R"({"a":[1,{"b":"}"}]})", R"(["]"])"}) {
    Document document(std::string(text) + " \n");
    EXPECT_EQ(document.root().raw(), text);
  }
}

// --- strings

// UTF-8 of one code point, by the table of RFC 3629.
std::string utf8(std::uint32_t code) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  const auto more = [&](unsigned shift) { return byte(0x80u | (code >> shift & 0x3Fu)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0u | code >> 6), more(0)};
  if (code < 0x10000) return {byte(0xE0u | code >> 12), more(6), more(0)};
  return {byte(0xF0u | code >> 18), more(12), more(6), more(0)};
}

std::string unit_escape(std::uint32_t unit, bool upper) {
  char text[8];
  std::snprintf(text, sizeof text, upper ? "\\u%04X" : "\\u%04x", unit);
  return text;
}

// Decodes `content` between neighbours that must survive it.
void expect_decoded(const std::string& content, const std::string& expected) {
  Document document("[\"left\",\"" + content + "\",{\"" + content + "\":\"right\"}]");
  Elements e(document.root());
  ASSERT_TRUE(e.next());
  const Value left = e.value();
  ASSERT_TRUE(e.next());
  const Value value = e.value();
  const std::string_view first = value.string();
  ASSERT_EQ(first, expected) << content;
  const std::string_view second = value.string();
  ASSERT_TRUE(second.data() == first.data() && second == expected) << content;
  ASSERT_TRUE(value.equals(std::string_view(expected)) && !value.equals(std::string_view(expected + '\0')));
  ASSERT_EQ(left.string(), "left");
  ASSERT_TRUE(e.next());
  ASSERT_EQ(find_member(e.value(), std::string_view(expected)).string(), "right") << content;
  ASSERT_FALSE(e.next());
}

TEST(ValueString, DecodesEveryEscapeAtEveryPosition) {
  const std::pair<const char*, std::string> escapes[] = {{R"(\")", "\""},
                                                         {R"(\\)", "\\"},
                                                         {R"(\/)", "/"},
                                                         {R"(\b)", "\b"},
                                                         {R"(\f)", "\f"},
                                                         {R"(\n)", "\n"},
                                                         {R"(\r)", "\r"},
                                                         {R"(\t)", "\t"},
                                                         {R"(\u0000)", "\0"s},
                                                         {R"(\u0022)", "\""},
                                                         {R"(\u005C)", "\\"},
                                                         {R"(\u00e9)", "\xC3\xA9"},
                                                         {R"(\u20AC)", "\xE2\x82\xAC"},
                                                         {R"(\uD83D\uDE00)", "\xF0\x9F\x98\x80"}};
  for (const auto& [escape, decoded] : escapes) {
    for (const std::string before : {"", "a", "\xC3\xA9", "0123456789abcdef"}) {
      for (const std::string after : {"", "n", "u0041", " ", "\xE2\x82\xAC", "0123456789abcdef"}) {
        expect_decoded(before + escape + after, before + decoded + after);
        for (const auto& [other, other_decoded] : escapes) {
          expect_decoded(before + escape + after + other, before + decoded + after + other_decoded);
        }
      }
    }
  }
}

TEST(ValueString, DecodesEveryUnitExceptSurrogates) {
  for (std::uint32_t unit = 0; unit < 0x10000; unit += unit < 0x1000 ? 1u : 7u) {
    if (unit >= 0xD800 && unit <= 0xDFFF) unit = 0xE000;
    expect_decoded(unit_escape(unit, unit % 2 == 0), utf8(unit));
    if (HasFatalFailure()) return;
  }
  expect_decoded(unit_escape(0xD7FF, true) + unit_escape(0xFFFF, false), utf8(0xD7FF) + utf8(0xFFFF));
}

TEST(ValueString, DecodesSurrogatePairs) {
  // The first and the last low half of each high half.
  for (std::uint32_t code = 0x10000; code <= 0x10FFFF; code += code % 0x400 == 0 ? 0x3FFu : 1u) {
    const std::uint32_t high = 0xD800u + ((code - 0x10000) >> 10);
    const std::uint32_t low = 0xDC00u + ((code - 0x10000) & 0x3FFu);
    expect_decoded(unit_escape(high, code % 3 == 0) + unit_escape(low, code % 2 == 0), utf8(code));
    if (HasFatalFailure()) return;
  }
}

TEST(ValueString, LeavesAStringWithoutEscapesUnchanged) {
  const std::string_view text = "[\"plain \xC3\xA9 []{}\"]";
  Document document(text);
  Elements e(document.root());
  ASSERT_TRUE(e.next());
  EXPECT_EQ(e.value().string(), "plain \xC3\xA9 []{}");
  EXPECT_EQ(document.root().raw(), text);
}

TEST(ValueString, DecodingLeavesNeighboursUnchanged) {
  const std::string_view text =
      R"(["\u0041","b",{"\u0063":"\n","d\t":["\\","\""]},["x\\","y"],"\uD834\uDD1E\uD834\uDD1E",1,"\\","",null])";
  const std::string_view description =
      "[<A>;<b>;{c=<\n>;d\t=[<\\>;<\">;];};[<x\\>;<y>;];<\xF0\x9D\x84\x9E\xF0\x9D\x84\x9E>;1;<\\>;<>;N;]";
  for (unsigned decoded = 0; decoded < 1u << 9; ++decoded) {  // each choice of elements that are read before
    Document document(text);
    std::vector<Value> values;
    for (Elements e(document.root()); e.next();) values.push_back(e.value());
    ASSERT_EQ(values.size(), 9u);
    for (std::size_t i = values.size(); i-- > 0;) {
      if ((decoded >> i & 1) != 0) describe(values[i]);
    }
    EXPECT_EQ(describe(document.root()), description) << decoded;
  }
}

// --- keys

TEST(FindMember, ComparesDecodedKeysByteForByte) {
  struct Case {
    std::string_view key_in_message;
    std::string_view key;
    bool found;
  };
  const Case cases[] = {
      {"id", "id", true},
      {R"(\u0069d)", "id", true},
      {R"(i\u0064)", "id", true},
      {R"(\u0069\u0064)", "id", true},
      {"ID", "id", false},
      {"Id", "id", false},
      {"id ", "id", false},
      {" id", "id", false},
      {"i", "id", false},
      {"idx", "id", false},
      {"", "", true},
      {"", "a", false},
      {"a", "", false},
      {R"(a\u0000)", "a\0"sv, true},
      {R"(a\u0000)", "a", false},
      {R"(a\u0000b)", "a\0c"sv, false},
      {R"(\u0000)", "\0"sv, true},
      {R"(\u0000)", "", false},
      {R"(a\/b)", "a/b", true},
      {R"(a\nb)", "a\nb", true},
      {R"(a\"b)", "a\"b", true},
      {R"(\u00e9)", "\xC3\xA9", true},
      {R"(\u00C9)", "\xC3\xA9", false},
      {R"(e\u0301)", "\xC3\xA9", false},  // no normalisation
      {R"(\\u0069d)", "id", false},
      {R"(\\u0069d)", "\\u0069d", true},
  };
  for (const auto& [key_in_message, key, found] : cases) {
    Document document("{\"x\":\"\\n\",\"" + std::string(key_in_message) + "\" :\t7,\"y\":0}");
    for (int i = 0; i < 2; ++i) EXPECT_EQ(find_member(document.root(), key).raw(), found ? "7" : "") << key_in_message;
  }
}

TEST(FindMember, FindsOnlyMembersOfTheObjectItself) {
  Document document(R"({"a":{"id":1},"b":[{"id":2}],"c":"id","d":"\"id\":3"})");
  EXPECT_FALSE(find_member(document.root(), "id").present());
  EXPECT_EQ(find_member(find_member(document.root(), "a"), "id").raw(), "1");
}

struct Found {
  std::size_t twice;
  std::vector<std::string> values;
  bool operator==(const Found&) const = default;
};

Found find_abc(std::string_view text, bool with_outline) {
  constexpr std::array<std::string_view, 3> keys{"a", "b", "c"};
  Document document(text);
  std::array<Value, 3> values;
  Found found{Object{document.root(), with_outline ? &document.outline() : nullptr}.find(keys, values), {}};
  for (const Value value : values) found.values.emplace_back(value.raw());
  return found;
}

// The result of find_members for the keys a, b and c.
Found find_abc(std::string_view text) {
  const Found found = find_abc(text, false);
  if (text.front() == '{') {
    EXPECT_EQ(find_abc(text, true), found) << text;
  }
  return found;
}

TEST(FindMembers, FindsAllInOnePassInAnyOrder) {
  EXPECT_EQ(find_abc("{}"), (Found{no_key, {"", "", ""}}));
  EXPECT_EQ(find_abc("[]"), (Found{no_key, {"", "", ""}}));
  EXPECT_EQ(find_abc(R"({"a":1,"b":2,"c":3})"), (Found{no_key, {"1", "2", "3"}}));
  EXPECT_EQ(find_abc(R"({"c":[{"a":9}],"x":0,"b":null,"y":{"b":8},"a":"\n"})"),
            (Found{no_key, {R"("\n")", "null", R"([{"a":9}])"}}));
  EXPECT_EQ(find_abc(R"({"\u0063":3})"), (Found{no_key, {"", "", "3"}}));
  Document document("{\"a\":1}");
  EXPECT_EQ(find_members(document.root(), {}, {}), no_key);
}

// A number as a signed and an unsigned integer, and unchanged if it is written as one; "-" if it is not.
std::string integers_of(std::string_view number) {
  Document document("[" + std::string(number) + "]");
  Elements elements(document.root());
  EXPECT_TRUE(elements.next());
  const auto text_of = [&](auto value) {
    NumberStatus status = NumberStatus::ok;
    const bool read = elements.value().number(value, status);
    return read && status == NumberStatus::ok ? std::to_string(value) : std::string("-");
  };
  return text_of(std::int64_t{}) + ' ' + text_of(std::uint64_t{}) + ' ' + std::string(elements.value().integer());
}

TEST(Value, ReadsIntegersOfEverySize) {
  EXPECT_EQ(integers_of("0"), "0 0 0");
  EXPECT_EQ(integers_of("-0"), "0 0 -0");
  EXPECT_EQ(integers_of("7"), "7 7 7");
  EXPECT_EQ(integers_of("-7"), "-7 - -7");
  EXPECT_EQ(integers_of("999999999"), "999999999 999999999 999999999");
  EXPECT_EQ(integers_of("1000000000"), "1000000000 1000000000 1000000000");
  EXPECT_EQ(integers_of("4294967297"), "4294967297 4294967297 4294967297");
  EXPECT_EQ(integers_of("9223372036854775807"), "9223372036854775807 9223372036854775807 9223372036854775807");
  EXPECT_EQ(integers_of("9223372036854775808"), "- 9223372036854775808 9223372036854775808");
  EXPECT_EQ(integers_of("-9223372036854775808"), "-9223372036854775808 - -9223372036854775808");
  EXPECT_EQ(integers_of("-9223372036854775809"), "- - -9223372036854775809");
  EXPECT_EQ(integers_of("18446744073709551615"), "- 18446744073709551615 18446744073709551615");
  EXPECT_EQ(integers_of("18446744073709551616"), "- - 18446744073709551616");
  EXPECT_EQ(integers_of("1.0"), "1 1 ");
  EXPECT_EQ(integers_of("1e2"), "100 100 ");
  EXPECT_EQ(integers_of("12E-1"), "- - ");
  for (const std::string_view other : {"true", "false", "null", "\"1\"", "{}", "[]"})
    EXPECT_EQ(integers_of(other), "- - ");
}

TEST(Value, EqualsOnlyStrings) {
  Document document(R"(["", "a", 1, null])");
  Elements elements(document.root());
  std::string equal;
  while (elements.next()) {
    equal += elements.value().equals("") ? '0' : '-';
    equal += elements.value().equals("a") ? 'a' : '-';
  }
  EXPECT_EQ(equal, "0--a----");
}

// All objects of a text in its order, each with the keys that `outline` knows of it; "?" when it knows none.
void list_known(Value value, const MemberIndex& outline, std::string& list) {
  std::span<const MemberIndex::Member> known;
  if (value.is(Type::object)) {
    const bool is_known = outline.find(value.raw().data(), known);
    list += is_known ? "{" : "?";
    for (const MemberIndex::Member& member : known) list.append(member.key, member.key_size) += ' ';
    if (is_known) list += '}';
    std::size_t index = 0;
    for (Members members(value); members.next(); ++index) {
      if (is_known) {
        EXPECT_EQ(members.key(), std::string_view(known[index].key, known[index].key_size));
        EXPECT_EQ(members.value().raw().data(), skip_space(const_cast<char*>(known[index].value)));
      }
      list_known(members.value(), outline, list);
    }
    EXPECT_TRUE(!is_known || index == known.size());
  }
  for (Elements elements(value); elements.next();) list_known(elements.value(), outline, list);
}

std::string known_of(std::string_view text) {
  Document document(text);
  std::string list;
  list_known(document.root(), document.outline(), list);
  return list;
}

TEST(MemberIndex, IndexesTheOutermostObjectAndTheFirstInIt) {
  EXPECT_EQ(known_of("{}"), "{}");
  EXPECT_EQ(known_of(" { } "), "{}");
  EXPECT_EQ(known_of("[1]"), "");
  EXPECT_EQ(known_of(R"({"a":1, "b" : [2] ,"c":"x"})"), "{a b c }");
  EXPECT_EQ(known_of(R"({"a":1,"b":{"c":{"d":2},"e":{}},"f":{"g":3},"h":{}})"), "{a b f h }{c e }????");
  EXPECT_EQ(known_of(R"({"a":[1],"b":[{"c":1}],"d":{"e":1}})"), "{a b d }?{e }");
  EXPECT_EQ(known_of(R"([{"a":{"b":1}},{"c":2}])"), "{a }??");
}

TEST(MemberIndex, DoesNotIndexTooManyMembersOrEscapedKeys) {
  std::string members;
  for (std::size_t i = 0; i < MemberIndex::capacity; ++i)
    members += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
  EXPECT_EQ(known_of("{" + members + "}"), "{k0 k1 k2 k3 k4 k5 }");
  EXPECT_EQ(known_of("{" + members + ",\"k\":0}"), "?");
  EXPECT_EQ(known_of("{\"a\":{" + members + ",\"k\":0},\"b\":0}"), "{a b }?");
  EXPECT_EQ(known_of(R"({"a":1,"\u0062":{"c":2},"d":3})"), "?{c }");
  EXPECT_EQ(known_of(R"({"a":1,"é":2,"b":3})"), "?");
  EXPECT_EQ(known_of(R"({"a":1,"":2,"b":3})"), "?");
}

TEST(FindMembers, FindsMembersThatTheIndexDoesNotHave) {
  for (std::size_t before = 0; before < 2 * MemberIndex::capacity; ++before) {
    std::string text = "{ ";
    for (std::size_t i = 0; i < before; ++i) text += R"("x" : [{"a":[1]}] , )";
    EXPECT_EQ(find_abc(text + R"("a":1 ,"b" : {"b":2} })"), (Found{no_key, {"1", R"({"b":2})", ""}})) << before;
    EXPECT_EQ(find_abc(text + R"("a":1,"a":2})"), (Found{0, {"1", "", ""}})) << before;
  }
}

TEST(FindMembers, ReportsADuplicateKeyAndKeepsTheFirst) {
  EXPECT_EQ(find_abc(R"({"a":1,"a":2})"), (Found{0, {"1", "", ""}}));
  EXPECT_EQ(find_abc(R"({"b":1,"a":0,"b":1,"c":3})"), (Found{1, {"0", "1", "3"}}));
  EXPECT_EQ(find_abc(R"({"c":1,"\u0063":2})"), (Found{2, {"", "", "1"}}));
  EXPECT_EQ(find_abc(R"({"\u0063":1,"c":2})"), (Found{2, {"", "", "1"}}));
  EXPECT_EQ(find_abc(R"({"b":null,"b":2})"), (Found{1, {"", "null", ""}}));
  EXPECT_EQ(find_abc(R"({"a":1,"a":2,"a":3})"), (Found{0, {"1", "", ""}}));
  EXPECT_EQ(find_abc(R"({"c":1,"a":2,"a":3,"c":4})"), (Found{0, {"2", "", "1"}}));  // the first duplicate
  EXPECT_EQ(find_abc(R"({"x":1,"x":2,"A":1,"a":2})"), (Found{no_key, {"2", "", ""}}));
  EXPECT_EQ(find_abc(R"({"a":{"a":1},"b":[{"b":1}]})"), (Found{no_key, {R"({"a":1})", R"([{"b":1}])", ""}}));
}

// --- numbers

// How the value of `token` reads as T, or the status when it does not.
template <class T>
std::string read_as(std::string_view token) {
  Document document("[" + std::string(token) + " ]");
  Elements e(document.root());
  EXPECT_TRUE(e.next());
  T value = 42;
  NumberStatus status = NumberStatus::ok;
  if (!e.value().number(value, status)) return value == 42 ? "no number" : "written";
  if (status != NumberStatus::ok) return status == NumberStatus::not_integer ? "not integer" : "out of range";
  return std::to_string(value);
}

TEST(ValueNumber, ReadsTheRequestedType) {
  EXPECT_EQ(read_as<std::int64_t>("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(read_as<std::int64_t>("9223372036854775808"), "out of range");
  EXPECT_EQ(read_as<std::int64_t>("1.5"), "not integer");
  EXPECT_EQ(read_as<std::int64_t>("1e2"), "100");
  EXPECT_EQ(read_as<std::uint64_t>("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(read_as<std::uint64_t>("-1"), "out of range");
  EXPECT_EQ(read_as<double>("-2.5"), "-2.500000");
  EXPECT_EQ(read_as<double>("1e999"), "out of range");
  EXPECT_EQ(read_as<float>("0.25"), "0.250000");
  for (const char* const other : {R"("1")", "true", "null", "[1]", "{}"})
    EXPECT_EQ(read_as<double>(other), "no number") << other;
}

}  // namespace
}  // namespace mcp::json
