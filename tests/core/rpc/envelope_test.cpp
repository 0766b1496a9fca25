// SPDX-License-Identifier: Apache-2.0
// The envelope of a message: its kind, its id byte for byte, its method, and the error for an invalid one.
#include "mcp/rpc/envelope.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/json/document.hpp"

namespace mcp::rpc {
namespace {

using namespace std::string_literals;

constexpr std::size_t id_size = 40;

// The envelope in a line: kind, id to answer to, method, params; or why it is invalid.
std::string read(std::string_view text, std::size_t limit = id_size) {
  json::Document document(text);
  const Envelope envelope = read_envelope(document.root(), limit, &document.outline());
  constexpr const char* kinds[] = {"request", "notification", "response", "invalid"};
  std::string line = kinds[static_cast<unsigned>(envelope.kind)];
  if (!envelope.id.empty() && envelope.kind != Kind::response) line += " id=" + std::string(envelope.id);
  if (!envelope.method.empty()) line += " method=" + std::string(envelope.method);
  if (envelope.kind == Kind::response) {
    if (envelope.readable == Readable::malformed) line = "malformed response";
    if (!envelope.id.empty()) line += " to=" + std::string(envelope.id);
  }
  if (envelope.params.value.present()) line += " params=" + std::string(envelope.params.value.raw());
  EXPECT_EQ(envelope.kind == Kind::invalid, envelope.problem != nullptr) << text;
  return envelope.problem == nullptr ? line : line + " | " + envelope.problem;
}

const std::string not_an_object = "invalid | must be an object.";
const std::string bad_id = "invalid | id must be a string or an integer.";
std::string long_id(const std::string& id) { return "invalid id=" + id + " | id is too long."; }

std::string given_twice(const std::string& id = "") { return "invalid" + id + " | duplicate member in the envelope."; }
std::string bad_version(const std::string& id = "") { return "invalid" + id + " | jsonrpc must be \"2.0\"."; }
std::string bad_method(const std::string& id = "") { return "invalid" + id + " | method must be a string."; }

struct Case {
  std::string_view text;
  std::string expected;
};

TEST(Envelope, MembersSelectTheKind) {
  const Case cases[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "request id=1 method=ping"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1]}})", R"(request id=1 method=m params={"a":[1]})"},
      {R"( { "params" : {} , "method" : "m" , "id" : "x" , "jsonrpc" : "2.0" } )",
       R"(request id="x" method=m params={})"},
      {R"({"jsonrpc":"2.0","method":"m"})", "notification method=m"},
      {R"({"jsonrpc":"2.0","method":"m","params":{}})", "notification method=m params={}"},
      {R"({"jsonrpc":"2.0","id":1,"result":{}})", "response to=1"},
      {R"({"jsonrpc":"2.0","id":"1","result":null})", "response to=\"1\""},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}})", "response to=1"},
      // unknown members are no matter
      {R"({"jsonrpc":"2.0","id":1,"method":"m","x":{"id":2,"method":"n"},"":0})", "request id=1 method=m"},
      {R"({"jsonrpc":"2.0","ID":1,"Method":"n","method":"m"})", "notification method=m"},
      {R"({"jsonrpc":"2.0","method":"m","Jsonrpc":"1.0","Error":{},"errors":{},"Result":{}})", "notification method=m"},
      // a request with a result is a request: its method requires a response
      {R"({"jsonrpc":"2.0","id":1,"method":"m","result":{}})", "request id=1 method=m"},
      // the method checks its params; null counts as left out
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})", "request id=1 method=m params=[1]"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})", "request id=1 method=m"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
}

TEST(Envelope, ReadsMembersDecoded) {
  EXPECT_EQ(read(R"({"json\u0072pc":"\u0032.0","\u0069d":7,"m\u0065thod":"pi\u006eg","p\u0061rams":{}})"),
            "request id=7 method=ping params={}");
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":1,"method":"a\/b\n"})"), "request id=1 method=a/b\n");
}

TEST(Envelope, NamesTheErrorOfAnInvalidMessage) {
  const Case cases[] = {
      {"[]", not_an_object},
      {R"([{"jsonrpc":"2.0","id":1,"method":"m"}])", not_an_object},
      {"{}", bad_version()},
      {R"({"id":1,"method":"m"})", bad_version(" id=1")},
      {R"({"jsonrpc":"1.0","id":1,"method":"m"})", bad_version(" id=1")},
      {R"({"jsonrpc":2.0,"id":1,"method":"m"})", bad_version(" id=1")},
      {R"({"jsonrpc":"2.0 ","id":1,"method":"m"})", bad_version(" id=1")},
      {R"({"jsonrpc":null,"method":"m"})", bad_version()},
      {R"({"jsonrpc":"2.0"})", bad_method()},
      {R"({"jsonrpc":"2.0","id":1})", bad_method(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"method":1})", bad_method(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"method":null})", bad_method(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"method":["m"]})", bad_method(" id=1")},
      {R"({"jsonrpc":"2.0","method":{}})", bad_method()},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
  EXPECT_STREQ(read_envelope(json::Value(), id_size).problem, "must be an object.");
}

TEST(Envelope, KeepsTheIdByteForByte) {
  for (const std::string id :
       {"0", "-0", "1", "-1", "9007199254740993", "18446744073709551616", "123456789012345678901234567890",
        "-12345678901234567890123456789", R"("")", R"("a")", R"("1")", R"("\u0061")", R"("\u00E9")", "\"\xC3\xA9\"",
        R"("\"\\\/\b")", R"("\uD834\uDD1E")", R"("\u0000")", R"("a b{}[],:")", R"("null")"}) {
    for (const std::string& text : {R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"m"})",
                                    "{\"method\":\"m\", \"jsonrpc\":\"2.0\" ,\"id\" :\n" + id + "\t}",
                                    R"({"\u0069d":)" + id + R"(,"jsonrpc":"2.0","method":"m","x":"\n"})"}) {
      EXPECT_EQ(read(text), "request id=" + id + " method=m") << text;
    }
  }
}

TEST(Envelope, AcceptsOnlyStringsAndIntegersAsId) {
  for (const std::string id :
       {"null", "true", "false", "{}", "[]", "[1]", R"({"id":1})", "1.0", "1.5", "1e2", "1E2", "-0.0", "0e0", "1e-2"}) {
    EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"m"})"), bad_id) << id;
    EXPECT_EQ(read(R"({"jsonrpc":"1.0","id":)" + id + "}"), bad_id) << id;
  }
}

TEST(Envelope, AcceptsIdsUpToTheLimit) {
  for (const std::size_t limit : {3u, 8u, 40u, 100u}) {
    const auto message = [](const std::string& id) { return R"({"jsonrpc":"2.0","method":"m","id":)" + id + "}"; };
    const std::string digits(limit, '7');
    EXPECT_EQ(read(message(digits), limit), "request id=" + digits + " method=m");
    EXPECT_EQ(read(message(digits + '7'), limit), long_id(digits + '7'));
    const std::string text(limit - 2, 'x');  // the quotes count
    EXPECT_EQ(read(message('"' + text + '"'), limit), "request id=\"" + text + "\" method=m");
    EXPECT_EQ(read(message('"' + text + "x\""), limit), long_id('"' + text + "x\""));
  }
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","method":"m","id":"\u0041"})", 7), long_id(R"("\u0041")"))
      << "its length is that in the message";
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","method":"m","id":"\u0041"})", 8), R"(request id="\u0041" method=m)");
}

TEST(Envelope, RejectsADuplicateMemberInEverySpelling) {
  const Case cases[] = {
      {R"({"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"m"})", given_twice(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","method":"m"})", given_twice(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","m\u0065thod":"n"})", given_twice(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":{},"params":{}})", given_twice(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":{},"\u0070arams":null})", given_twice(" id=1")},
      {R"({"jsonrpc":"2.0","method":"m","method":"m"})", given_twice()},
      // of two ids, neither is the one to answer to
      {R"({"jsonrpc":"2.0","id":1,"id":1,"method":"m"})", given_twice()},
      {R"({"jsonrpc":"2.0","id":1,"i\u0064":2,"method":"m"})", given_twice()},
      {R"({"jsonrpc":"2.0","\u0069d":1,"method":"m","id":2})", given_twice()},
      {R"({"jsonrpc":"2.0","id":null,"id":1,"method":"m"})", given_twice()},
      // other members are allowed; the envelope ignores them
      {R"({"jsonrpc":"2.0","id":1,"x":1,"x":1,"method":"m","params":{"id":1,"id":2}})",
       R"(request id=1 method=m params={"id":1,"id":2})"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
}

TEST(Envelope, OmitsTheIdIfItIsGivenTwice) {
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"id":2,"method":"m"})"), given_twice());
  EXPECT_EQ(read(R"({"id":1,"method":"m","method":"m","jsonrpc":"2.0","id":2})"), given_twice());
}

// A response to a response could loop forever, and an error under the id of a server's request could be mistaken for
// the response to a client's. JSON-RPC 2.0 section 5.
TEST(Envelope, InvalidResponseIsStillAResponse) {
  const Case cases[] = {
      {R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})", "malformed response to=1"},
      {R"({"jsonrpc":"2.0","id":1,"result":1,"error":null})", "malformed response to=1"},
      {R"({"jsonrpc":"2.0","id":1,"result":1,"result":2})", "malformed response to=1"},
      {R"({"jsonrpc":"2.0","id":1,"error":1,"err\u006Fr":2})", "malformed response to=1"},
      {R"({"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"result":1})", "malformed response to=1"},
      {R"({"id":1,"result":{}})", "malformed response to=1"},
      {R"({"jsonrpc":"1.0","id":1,"error":{}})", "malformed response to=1"},
      {R"({"jsonrpc":"2.0","id":1,"method":null,"result":{}})", "malformed response to=1"},
      {R"({"jsonrpc":"2.0","id":1,"method":1,"result":{}})", "malformed response to=1"},
      {R"({"jsonrpc":"2.0","id":1,"method":{},"error":{}})", "malformed response to=1"},
      // without an id that can be read
      {R"({"jsonrpc":"2.0","result":{}})", "response"},
      {R"({"jsonrpc":"2.0","id":null,"result":{}})", "response"},
      {R"({"jsonrpc":"2.0","id":1.5,"result":{}})", "response"},
      {R"({"jsonrpc":"2.0","id":"longer than any id that the limit lets through","result":{}})",
       R"(response to="longer than any id that the limit lets through")"},
      {R"({"jsonrpc":"2.0","id":1,"id":2,"result":{}})", "malformed response"},
      {R"({"result":0})", "malformed response"},
      {R"({"error":0})", "malformed response"},
      // similar, but invalid
      {R"({"jsonrpc":"2.0","id":1,"method":"m","error":null})", "request id=1 method=m"},
      {R"({"jsonrpc":"2.0","method":"","result":{}})", "notification"},
      {R"({"jsonrpc":"2.0","id":1,"Result":{}})", bad_method(" id=1")},
      {R"({"jsonrpc":"2.0","id":1,"params":{"result":{}}})", bad_method(" id=1")},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
}

// A peer sends an error without an id, or with null, if it could not read a message of the server. A response to it
// could loop forever. JSON-RPC 2.0 section 5; schema 2025-11-25, JSONRPCErrorResponse: id is optional.
TEST(Envelope, ErrorWithAnyIdIsAResponse) {
  for (const std::string id : {"", R"("id":null,)", R"("id":1.5,)", R"("id":{},)"}) {
    EXPECT_EQ(read(R"({"jsonrpc":"2.0",)" + id + R"("error":{"code":-32700,"message":"m"}})"), "response") << id;
  }
}

TEST(Envelope, BatchBeginsWithABracket) {
  for (const std::string_view text : {"[", "[1]", " \t\r\n[{}]"}) EXPECT_TRUE(is_batch(text)) << text;
  for (const std::string_view text : {"", " ", "{}", " {\"a\":[]}", "\"[\"", "\xEF[", "1"})
    EXPECT_FALSE(is_batch(text)) << text;
}

}  // namespace
}  // namespace mcp::rpc
