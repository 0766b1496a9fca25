// SPDX-License-Identifier: Apache-2.0
// Finds the id of a message that is read in pieces: its position, its form, and bytes that only look like an id.
#include "mcp/rpc/id_finder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mcp::rpc {
namespace {

using namespace std::string_literals;

// The id found in `text`, which must be the same in one piece, in every two pieces, and byte by byte.
std::string find(std::string_view text) {
  IdFinder whole;
  whole.feed(text);
  const std::string id(whole.id());
  IdFinder bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    bytes.feed(text.substr(at, 1));
    IdFinder halves;
    halves.feed(text.substr(0, at));
    halves.feed({});
    halves.feed(text.substr(at));
    EXPECT_EQ(halves.id(), id) << text << " cut at " << at;
  }
  EXPECT_EQ(bytes.id(), id) << text;
  return id;
}

struct Case {
  std::string_view text;
  std::string_view id;
};

TEST(IdFinder, FindsTheIdAtAnyPosition) {
  const std::string members[] = {R"("jsonrpc":"2.0")", R"("method":"tools/call")",
                                 R"("params":{"a":[{"id":9},"id",[]],"id":"8"})", R"("x":[1,{"id":7}])"};
  for (const std::string id :
       {"1", "-5", "0", R"("a")", R"("")", R"("a\"b\\")", R"("\u0061\/")", R"("}],{[:")", "\"\xC3\xA9\""}) {
    for (std::size_t place = 0; place <= 4; ++place) {
      for (const std::string space : {"", " ", "\t\r "}) {
        std::string text;
        for (std::size_t i = 0; i <= 4; ++i) {
          if (i != 0) text += ',' + space;
          text += i == place ? "\"id\"" + space + ':' + space + id + space : members[i - (i > place ? 1 : 0)];
        }
        EXPECT_EQ(find(space + '{' + space + text + '}' + space), id) << text;
      }
    }
  }
}

TEST(IdFinder, FindsNoIdIfTheEnvelopeHasNone) {
  for (const std::string text :
       {"", "{}", "[]", R"({"a":1})",
        // deeper than the envelope
        R"({"params":{"id":1}})", R"({"params":[{"id":1}]})", R"([{"id":1}])", R"([["id",1]])",
        R"({"a":{"b":{}},"c":{"id":1}})",
        // in strings
        R"({"a":"\"id\":1"})", R"({"a":"\\\"id\":1"})", R"({"a":"id","b":"{\"id\":1}"})",
        R"({"\"id":1,"id\"":2,"\\id":3})", R"({"a":"id"})", R"(["id",1])", R"({"a":["id",1]})", R"("\"id\":1")"}) {
    EXPECT_EQ(find(text), "") << text;
  }
}

// Keys are compared decoded.
TEST(IdFinder, DecodesTheEscapesOfKeys) {
  const std::string long_id(IdFinder::max_size - 2, 'x');
  for (const std::string text :
       {R"({"i\u0064":7})", R"({"\u0069d":7})", R"({"\u0069\u0064":7})", R"({"a\u002Fb":1,"\u0069\u0064" : 7 })",
        R"({"\u006D\u0065thod":"id","i\u0064":7})", R"({"\\":1,"\"":2,"\u0069d":7})"}) {
    EXPECT_EQ(find(text), "7") << text;
  }
  EXPECT_EQ(find("{\"\\u0069\\u0064\":\"" + long_id + "\"}"), '"' + long_id + '"');
  // Other keys, a value, and escapes that are invalid or not complete.
  for (const std::string text :
       {R"({"\u0049d":7})", R"({"\u0169d":7})", R"({"i\\u0064":7})", R"({"i\d":7})", R"({"i\u006":7})",
        R"({"i\u006g4":7})", R"({"\u0022id":7})", R"({"id\u0022":7})", R"({"id\u0020":7})", R"({"\u0000id":7})",
        R"({"a":"\u0069d","b":7})", R"({"\u00)", R"({"\)", R"({"\u0069d":7,"id":7})"}) {
    EXPECT_EQ(find(text), "") << text;
  }
}

TEST(IdFinder, AcceptsOnlyTheKeyId) {
  for (const std::string key : {"ID", "Id", "", "i", "d", "idx", "iid", "di", " id", "id ", "i d"}) {
    EXPECT_EQ(find("{\"" + key + "\":1}"), "") << key;
    EXPECT_EQ(find("{\"" + key + "\":1,\"id\":2,\"" + key + "\":3}"), "2") << key;
  }
}

// Whether `text` is a response, which must be the same in one piece and byte by byte.
bool is_response(std::string_view text) {
  IdFinder whole;
  whole.feed(text);
  IdFinder bytes;
  for (const char& byte : text) bytes.feed({&byte, 1});
  EXPECT_EQ(bytes.is_response(), whole.is_response()) << text;
  return whole.is_response();
}

TEST(IdFinder, RecognizesAResponseByItsMembers) {
  for (const std::string text :
       {R"({"result":{}})", R"({"error":{}})", R"({"jsonrpc":"2.0","id":1,"result":{"method":"m"}})",
        R"( { "x" : [ ] , "result" : 1 } )", R"({"result":1,"method":null})", R"({"method":1,"error":1})",
        R"({"method":{"a":"b"},"result":1})", R"({"result":1,"error":1})",
        // neither too long an id nor a duplicate one uses the space of the keys
        R"({"id":"12345678901234567890123456789012345678901234567890","result":1})",
        R"({"id":"12345678901234567890123456789012345678","result":1})", R"({"id":1,"id":2,"error":1})",
        // cut off, and no JSON
        R"({"\u0072esult":1})", R"({"\u0065\u0072\u0072\u006f\u0072":1})",
        R"({"id":"12345678901234567890123456789012345678","\u0072\u0065\u0073\u0075\u006C\u0074":1})",
        R"({"id":1,"result":)", R"({"result":"\uD800"})", R"({"result":1,"method")", R"({"method":,"result":1})",
        R"({"result":1,"method": })"}) {
    EXPECT_TRUE(is_response(text)) << text;
  }
  for (const std::string text :
       {R"({})", R"({"method":"m"})", R"({"result":1,"method":"m"})", R"({"method" : "m","error":1})",
        R"({"params":{"result":1}})", R"([{"result":1}])", R"({"x":"result"})", R"({"x":"\"result\":1"})",
        R"({"results":1})", R"({"resul":1})", R"({"RESULT":1})", R"({"errors":1})", R"({"result"})", R"("result":1)",
        R"({"method":"m","id":1,"result":1,"method":null})", R"({"\result":1})", R"({"\u006dethod":"m","result":1})",
        ""}) {
    EXPECT_FALSE(is_response(text)) << text;
  }
}

TEST(IdFinder, AcceptsOnlyStringsAndIntegersAsId) {
  const std::vector<std::string> no_integers = {"1.5", "1.0", "1e3",         "1E3",  "-",     "01",
                                                "+1",  "0x1", "null",        "true", "false", "{}",
                                                "[]",  "[1]", R"({"id":1})", "",     "a"};
  const std::vector<std::string> no_strings = {"\"a\"b",    R"("a""b")",   R"("\x")",
                                               R"("\u12")", R"("\uD800")", "\"\x01\""};
  const std::vector<std::string> no_utf8 = {"\"\xFF\"", "\"\xC3\"", "\"\xE9\"", "\"\xED\xA0\x80\""};
  for (const auto& ids : {no_integers, no_strings, no_utf8}) {
    for (const std::string& id : ids) {
      EXPECT_EQ(find("{\"id\":" + id + "}"), "") << id;
      EXPECT_EQ(find("{\"id\":" + id + ",\"a\":1}"), "") << id;
    }
  }
}

TEST(IdFinder, FindsNoIdIfItIsGivenTwice) {
  for (const std::string text :
       {R"({"id":1,"id":2})", R"({"id":1,"id":1})", R"({"id":"a","b":{},"id":1})", R"({"id":null,"id":1})",
        R"({"id":1,"id":null})", R"({"id":[],"id":1})", R"({"id":1,"a":2,"id":{}})", R"({"id":1,"id":2,"id":3})"}) {
    EXPECT_EQ(find(text), "") << text;
  }
}

TEST(IdFinder, AcceptsIdsUpToTheLimit) {
  const std::string text(IdFinder::max_size - 2, 'x');
  const std::string digits(IdFinder::max_size, '7');
  for (const std::string end : {"}", ",\"a\":1}", " }"}) {
    EXPECT_EQ(find("{\"id\":\"" + text + '"' + end), '"' + text + '"');
    EXPECT_EQ(find("{\"id\":\"" + text + "x\"" + end), "");
    EXPECT_EQ(find("{\"id\":" + digits + end), digits);
    EXPECT_EQ(find("{\"id\":" + digits + '7' + end), "");
    EXPECT_EQ(find("{\"id\":" + std::string(1000, '7') + end), "");
  }
}

TEST(IdFinder, ScansLongMessagesInConstantSpace) {
  const std::string noise = R"("n":[{"id":3},"id\"",{"a":["\\"]}],)";
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += noise;
  IdFinder finder;
  finder.feed(text);
  EXPECT_EQ(finder.id(), "");
  finder.feed(R"("id":"x")");
  for (int i = 0; i < 1000; ++i) finder.feed(',' + noise.substr(0, noise.size() - 1));
  EXPECT_EQ(finder.id(), R"("x")");
}

TEST(IdFinder, FindsTheIdInADeepMessage) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  IdFinder finder;
  finder.feed("{\"a\":" + deep + ",\"id\":5}");
  EXPECT_EQ(finder.id(), "5");
}

// A response may contain the found id, so it is checked as strictly as in a message.
TEST(IdFinder, InvalidBytesYieldNoInvalidId) {
  const std::string message = R"({"id":"a","m":{"id":1},"n":"\""})";
  for (std::size_t at = 0; at < message.size(); ++at) {
    for (int byte = 0; byte < 0x100; ++byte) {
      std::string text = message;
      text[at] = static_cast<char>(byte);
      const std::string id = find(text);
      EXPECT_TRUE(id.empty() || id == "1" || (id.size() >= 2 && id.front() == '"' && id.back() == '"')) << text;
      for (const char c : id) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
      text.resize(at);
      find(text);
    }
  }
  for (const std::string& text : {"}"s, "]]]]"s, "}{\"id\":1}"s, "\""s, "\\"s, ":,:,"s, "\"id\":1"s, "{\"id\""s,
                                  "{\"id\":"s, "{\"id\":\"a"s, "\0\0{\"id\":1}"s})
    find(text);
}

// In a message that is framed otherwise than by lines, line breaks are white space.
TEST(IdFinder, TreatsLineBreaksAsWhiteSpace) {
  for (const std::string text : {"{\n\"id\":1}", "{\"id\"\n:1}", "{\"id\":\n1}", "{\"id\":1\n}", "{\"id\":1\n,\"a\":2}",
                                 "\n{\n  \"id\": 1,\n  \"a\": 2\n}\n"}) {
    EXPECT_EQ(find(text), "1") << text;
  }
}

TEST(IdFinder, DoesNotJoinSeparateTokens) {
  for (const std::string text : {"{\"id\":1 2}", "{\"id\":- 1}", "{\"id\":1\t2,\"a\":3}", "{\"id\":1\r2}"})
    EXPECT_EQ(find(text), "") << text;
}

}  // namespace
}  // namespace mcp::rpc
