// SPDX-License-Identifier: Apache-2.0
// What a trace hides: each rule, with the bytes split in every way, and secrets in all places that a test can make.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/detail/trace_redactor.hpp"
#include "mcp/trace.hpp"
#include "support/fake_stream.hpp"

namespace {

using mcp::Framing;
using mcp::detail::StandIn;
using mcp::detail::TraceRedactor;

std::string redact(Framing framing, std::string_view text, const StandIn::Key& key = {}) {
  TraceRedactor redactor(framing);
  std::string result;
  for (const char c : text) result += redactor.next(c, key);
  return result;
}

struct Case {
  const char* what;
  std::string_view text;
  std::string_view stored;
};

// ---- JSON ----------------------------------------------------------------------------------------------------------

constexpr Case json_cases[] = {
    {"a string", R"({"password":"hunter2"})", R"({"password":"xxxxxx1"})"},
    {"spaces", R"({"a":1, "Password" : "hunter2" , "b":"c"})", R"({"a":1, "Password" : "xxxxxx1" , "b":"c"})"},
    {"a part of a name", R"({"wifiPassword":"a","client_secret":"b","apiKey":"c"})",
     R"({"wifiPassword":"x","client_secret":"x","apiKey":"x"})"},
    {"other names", R"({"credentials":"a","access_token":"b","passphrase":"c","PIN":"12","puk":"3"})",
     R"({"credentials":"x","access_token":"x","passphrase":"x","PIN":"11","puk":"1"})"},
    {"a number", R"({"pin":4711,"b":4711})", R"({"pin":1111,"b":4711})"},
    {"a number with all parts", R"({"pin":-12.5e+3})", R"({"pin":-11.1e+1})"},
    {"literals", R"({"token":null,"key":true,"pin":false})", R"({"token":null,"key":true,"pin":false})"},
    {"a list", R"({"tokens":["ab","c",7,true]},"d")", R"({"tokens":["xx","x",1,true]},"d")"},
    {"an object", R"({"secret":{"a":"bc","d":{"e":["f]",8]}},"g":"h"})",
     R"({"secret":{"x":"xx","x":{"x":["xx",1]}},"g":"h"})"},
    {"an escaped name", R"({"pass\u0077ord":"ab","\u0053ecret":"cd"})", R"({"pass\u0077ord":"xx","\u0053ecret":"xx"})"},
    {"escapes in a value", R"({"key":"a\"b\\c\u0041\n","d":"e"})", R"({"key":"x\"x\\x\u0011\n","d":"e"})"},
    {"UTF-8", "{\"key\":\"\xC3\xA4\"}", R"({"key":"xx"})"},
    {"JSON in a string", R"({"text":"{\"password\":\"hunter2\",\"a\":\"b\"}","c":"d"})",
     R"({"text":"{\"password\":\"xxxxxx1\",\"a\":\"b\"}","c":"d"})"},
    {"JSON in JSON in a string", R"({"t":"{\"u\":\"{\\\"pin\\\":\\\"12\\\"}\"}","c":"d"})",
     R"({"t":"{\"u\":\"{\\\"pin\\\":\\\"11\\\"}\"}","c":"d"})"},
    {"a number in JSON in a string", R"({"t":"{\"pin\": 12}","c":34})", R"({"t":"{\"pin\": 11}","c":34})"},
    {"an object in JSON in a string", R"({"t":"{\"key\":{\"a\":\"b\"}}","c":"d"})",
     R"({"t":"{\"key\":{\"x\":\"x\"}}","c":"d"})"},
    {"an escaped name in JSON in a string", R"({"t":"{\"to\\u006ben\":\"ab\"}"})",
     R"({"t":"{\"to\\u006ben\":\"xx\"}"})"},
    {"quotes as codes", R"({"t":"{\u0022pin\u0022:\u002212\u0022}","c":"d"})",
     R"({"t":"{\u0022pin\u0022:\u002211\u0022}","c":"d"})"},
    {"a missing quote before", R"({"a":"b, "password":"hunter2","c":"d"})",
     R"({"a":"b, "password":"xxxxxx1","c":"d"})"},
    {"a missing quote of a name", R"({password":"hunter2","c":"d"})", R"({password":"xxxxxx1","c":"d"})"},
    {"a missing quote of a value", R"({"password":hunter2,"c":"d"})", R"({"password":xxxxxx1,"c":"d"})"},
    {"a backslash before a value", R"({"password":\q1,"c":"d"})", R"({"password":\x1,"c":"d"})"},
    {"a missing last quote", R"({"password":"hunter2})", R"({"password":"xxxxxx1x)"},
    {"words that are none", R"({"mapping":"a","ping":"b","pinned":"c","progressToken":"d"})",
     R"({"mapping":"a","ping":"b","pinned":"c","progressToken":"d"})"},
    {"a secret after another word", R"({"mapping_pin":"ab"})", R"({"mapping_pin":"xx"})"},
    {"a name as a value", R"({"name":"token","a":"b"})", R"({"name":"token","a":"b"})"},
    {"a query", R"({"uri":"x:y?token=abc1&a=b"})", R"({"uri":"x:y?token=xxx1&a=b"})"},
    {"an answer of a form", R"({"result":{"action":"accept","content":{"pin":1234,"name":"bob"}}})",
     R"({"result":{"action":"accept","content":{"pin":1111,"name":"bob"}}})"},
    {"a setting", R"({"name":"setting_set","arguments":{"name":"a","value":"bc1"}})",
     R"({"name":"setting_set","arguments":{"name":"a","value":"xx1"}})"},
    {"a setting before its tool", R"({"arguments":{"name":"wifi_psk","value":"bc1"},"name":"setting_set"})",
     R"({"arguments":{"name":"wifi_psk","value":"xx1"},"name":"setting_set"})"},
    {"a value", R"({"name":"speed","value":"fast"})", R"({"name":"speed","value":"fast"})"},
    {"a task", R"({"taskId":"00ff","a":"00ff"})", R"({"taskId":"1111","a":"00ff"})"},
    {"tasks", R"({"taskIds":["00ff", "a1"],"a":"00ff"})", R"({"taskIds":["1111", "11"],"a":"00ff"})"},
    {"a request state", R"({"requestState":"QUJD"})", R"({"requestState":"BBBB"})"},
    {"a sealed request state", R"({"requestState":"AUJD"})", R"({"requestState":"AUJD"})"},
    {"quotes as codes of two levels",
     R"({"t":"{\u0022t\u0022:\u0022{\\u0022api_key\\u0022:\\u0022[SECRET\\u0022}\u0022}","c":"d"})",
     R"({"t":"{\u0022t\u0022:\u0022{\\u0022api_key\\u0022:\\u0022xxxxxxx\\u0022}\u0022}","c":"d"})"},
    {"a backslash as a code", R"({"text":"{\"password\":\"hun\u005c\"ter2\",\"a\":\"b\"}","c":"d"})",
     R"({"text":"{\"password\":\"xxx\u005c\"xxx1\",\"a\":\"b\"}","c":"d"})"},
    {"a backslash as a code of two levels", R"({"t":"{\"u\":\"{\\\"key\\\":\\\"a\\u005C\\\"b\\\"}\",\"c\":\"d\"}"})",
     R"({"t":"{\"u\":\"{\\\"key\\\":\\\"x\\u005C\\\"x\\\"}\",\"c\":\"d\"}"})"},
    {"a value in quotes in a text", R"({"t":"token=\"hunter2 a\" b","c":"d"})",
     R"({"t":"token=\"xxxxxx1xx\" b","c":"d"})"},
    {"a value in quotes in no JSON", R"(log token="hunter2 a" b)", R"(log token="xxxxxx1xx" b)"},
    {"a quote in a query", R"({"t":"token=\u0061\"b\"","c":"d"})", R"({"t":"token=\u0011\"b\"","c":"d"})"},
    {"another word after pin", R"({"pinNumber":"12","PinGroup":"a"})", R"({"pinNumber":"11","PinGroup":"x"})"},
    {"queries and their ends", "key=a1 key=b;key=c,key=d)key=e<key=f>key=g#key=h}",
     "key=x1 key=x;key=x,key=x)key=x<key=x>key=x#key=x}"},
    {"white space of the inner text", R"({"t":"{\"pin\":\r\n\t12,\"a\":12}"})",
     R"({"t":"{\"pin\":\r\n\t11,\"a\":12}"})"},
    {"escapes that stay", R"({"key":"a\b\f\/\r\t\n\q"})", R"({"key":"x\b\f\/\r\t\n\x"})"},
    {"a number in a list that has no name", R"(["pin":12],"a":12)", R"(["pin":11],"a":12)"},
    {"no value", R"({"pin":,"a":12,"key":},"a":12,["key":],"a":12)",
     R"({"pin":,"a":12,"key":},"a":12,["key":],"a":12)"},
    {"an exponent", R"({"pin":1E5,"key":trux,"pwd":trues})", R"({"pin":1E1,"key":trux,"pwd":truex})"},
    {"control characters", "{\"pin\":a\x01,\"b\":12}", "{\"pin\":x\x01,\"b\":12}"},
    {"a token of progress of another name", R"({"myProgressToken":"ab"})", R"({"myProgressToken":"xx"})"},
    {"a list of lists of tasks", R"({"taskIds":[["00ff"]],"a":"00ff"})", R"({"taskIds":[["00ff"]],"a":"00ff"})"},
    {"no task", R"({"taskId":,"a":"00ff"})", R"({"taskId":,"a":"00ff"})"},
    {"a code in an id", R"({"taskId":"\u00ff","a":"b"})", R"({"taskId":"\u1111","a":"b"})"},
    {"characters of no base64", R"({"requestState":"Q-J_"})", R"({"requestState":"B-B_"})"},
    {"a quote of an outer string in a container", R"({"t":"{\"key\":{" ,"a":12})", R"({"t":"{\"key\":{" ,"a":12})"},
    {"a quote of an outer string in a value", R"({"t":"{\"key\":" ,"a":12})", R"({"t":"{\"key\":" ,"a":12})"},
    {"a quote of an outer string in tasks", R"({"t":"{\"taskIds\":[\"0f" ,"a":12})",
     R"({"t":"{\"taskIds\":[\"11" ,"a":12})"},
    {"a session in an address", R"({"uri":"/m?sessionId=00ffx"})", R"({"uri":"/m?sessionId=1111x"})"},
};

TEST(TraceRedaction, HidesSecretsOfJson) {
  for (const Case& one : json_cases) {
    EXPECT_EQ(redact(Framing::lines, one.text), one.stored) << one.what;
    // The state does not stay for the next line.
    const std::string two = std::string(one.text) + "\n{\"a\":\"b\"}\n";
    EXPECT_EQ(redact(Framing::lines, two), std::string(one.stored) + "\n{\"a\":\"b\"}\n") << one.what;
  }
}

TEST(TraceRedaction, StoresTheSameAgain) {
  for (const Case& one : json_cases) {
    const StandIn::Key plain{.words = {}, .use = StandIn::Key::Use::plain};
    const std::string once = redact(Framing::lines, one.text);
    EXPECT_EQ(redact(Framing::lines, once, plain), once) << one.what;
  }
}

TEST(TraceRedaction, HidesSecretsInHttpBodies) {
  for (const Case& one : json_cases) {
    const std::string head = "POST /mcp HTTP/1.1\r\nContent-Length: ";
    const std::string size = std::to_string(one.text.size()) + "\r\n\r\n";
    const std::string next = "GET /mcp HTTP/1.1\r\nAccept: a\r\n\r\n";
    const std::string stored = redact(Framing::http, head + size + std::string(one.text) + next);
    EXPECT_EQ(stored.substr(0, head.size() + size.size() + one.text.size()), head + size + std::string(one.stored))
        << one.what;
  }
}

// ---- HTTP ----------------------------------------------------------------------------------------------------------

constexpr Case http_cases[] = {
    {"a token", "GET / HTTP/1.1\r\nAuthorization: Bearer abc1.d-e\r\nHost: a1\r\n\r\n",
     "GET / HTTP/1.1\r\nAuthorization: Bearer xxx1xxxx\r\nHost: a1\r\n\r\n"},
    {"a password", "GET / HTTP/1.1\r\nauthorization:Basic QQ==\r\n\r\n",
     "GET / HTTP/1.1\r\nauthorization:Basic xxxx\r\n\r\n"},
    {"another scheme", "GET / HTTP/1.1\r\nAuthorization: beads 12\r\nProxy-Authorization: x1y\r\n\r\n",
     "GET / HTTP/1.1\r\nAuthorization: beaxx 11\r\nProxy-Authorization: x1x\r\n\r\n"},
    {"a cookie", "GET / HTTP/1.1\r\nCookie: a=b; c=1\r\nCookie2: d\r\n\r\n",
     "GET / HTTP/1.1\r\nCookie: xxxx xx1\r\nCookie2: x\r\n\r\n"},
    {"a folded field", "GET / HTTP/1.1\r\nAuthorization: Bearer\r\n abc\r\n\tdef\r\nHost: a\r\n\r\n",
     "GET / HTTP/1.1\r\nAuthorization: Bearer\r\n xxx\r\n\txxx\r\nHost: a\r\n\r\n"},
    {"a key", "GET / HTTP/1.1\nX-Api-Key: a1\nMcp-Param-Pin: 12\n\n",
     "GET / HTTP/1.1\nX-Api-Key: x1\nMcp-Param-Pin: 11\n\n"},
    {"a session", "GET / HTTP/1.1\r\nMcp-Session-Id: 00ff\r\n\r\n", "GET / HTTP/1.1\r\nMcp-Session-Id: 1111\r\n\r\n"},
    {"a session in an address", "POST /m?sessionId=00ff HTTP/1.1\r\n\r\n", "POST /m?sessionId=1111 HTTP/1.1\r\n\r\n"},
    {"a token in an address", "GET /m?access_token=ab1&c=d HTTP/1.1\r\n\r\n",
     "GET /m?access_token=xx1&c=d HTTP/1.1\r\n\r\n"},
    {"chunks",
     "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
     "10;a=\"b\r\n{\"password\":\"hun\r\n5\r\nter2\"\r\n1\r\n}\r\n0\r\nCookie: ab\r\n\r\nGET /a12 HTTP/1.1\r\n\r\n",
     "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
     "10;a=\"b\r\n{\"password\":\"xxx\r\n5\r\nxxx1\"\r\n1\r\n}\r\n0\r\nCookie: xx\r\n\r\nGET /a12 HTTP/1.1\r\n\r\n"},
    {"a name in two chunks",
     "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"passw\r\n9\r\nord\":\"ab\"\r\n0\r\n\r\n",
     "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"passw\r\n9\r\nord\":\"xx\"\r\n0\r\n\r\n"},
    {"a body on several lines", "POST / HTTP/1.1\r\nContent-Length: 21\r\n\r\n{\n\"pin\"\n:\n12,\n\"a\":12}",
     "POST / HTTP/1.1\r\nContent-Length: 21\r\n\r\n{\n\"pin\"\n:\n11,\n\"a\":12}"},
    {"a body behind its length", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n{\"password\":\"hunter2\"}\r\n",
     "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n{\"password\":\"xxxxxx1\"}\r\n"},
    {"a response without a length", "HTTP/1.1 200 OK\r\n\r\ndata: {\"pin\":12}\n\ndata: {\"pin\":34,\"a\":5}\n\n",
     "HTTP/1.1 200 OK\r\n\r\ndata: {\"pin\":11}\n\ndata: {\"pin\":11,\"a\":5}\n\n"},
    {"responses without a body and with a fixed size",
     "HTTP/1.1 304 No\r\n\r\nHTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\nMcp-Session-Id: 0F\r\n\r\n",
     "HTTP/1.1 304 No\r\n\r\nHTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\nMcp-Session-Id: 11\r\n\r\n"},
    {"a length in a trailer and tabs",
     "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n\r\nGET / "
     "HTTP/1.1\r\nCookie:\ta\r\n\r\n",
     "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n\r\nGET / "
     "HTTP/1.1\r\nCookie:\tx\r\n\r\n"},
    {"a length of too many digits", "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n{\"pin\":12}",
     "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n{\"pin\":11}"},
    {"responses to HEAD",
     "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
     "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nMcp-Session-Id: 00ff\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
     "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nMcp-Session-Id: 1111\r\n\r\n"},
    {"a body of a request that looks like a response",
     "POST / HTTP/1.1\r\nContent-Length: 18\r\n\r\nHTTP/1.1 200 OK\r\n\rHTTP/1.1 200 OK\r\n\r\n",
     "POST / HTTP/1.1\r\nContent-Length: 18\r\n\r\nHTTP/1.1 200 OK\r\n\rHTTP/1.1 200 OK\r\n\r\n"},
    {"a response without a body",
     "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\nHTTP/1.1 204 No\r\n\r\n"
     "HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nContent-Length: 8\r\n\r\n{\"key\":1HTTP/1.1 200 OK\r\nCookie: d\r\n\r\n",
     "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\nHTTP/1.1 204 No\r\n\r\n"
     "HTTP/1.1 200 OK\r\nSet-Cookie: x\r\nContent-Length: 8\r\n\r\n{\"key\":1xxxxx1.1 111 xx\r\nxxxxxxx x\r\n\r\n"},
};

TEST(TraceRedaction, HidesSecretsOfHttp) {
  for (const Case& one : http_cases) EXPECT_EQ(redact(Framing::http, one.text), one.stored) << one.what;
}

// ---- MQTT ----------------------------------------------------------------------------------------------------------

std::string packet(unsigned first, const std::string& rest) {
  std::string size;
  for (std::size_t left = rest.size(); size.empty() || left != 0; left >>= 7)
    size += static_cast<char>((left & 0x7F) | (left >> 7 != 0 ? 0x80U : 0U));
  return static_cast<char>(first) + size + rest;
}
std::string publish(unsigned qos, const std::string& properties, const std::string& payload) {
  std::string rest("\0\x22t", 3);
  rest += std::string(33, 't');
  if (qos != 0) rest += "\"\"";
  std::string size;
  for (std::size_t left = properties.size(); size.empty() || left != 0; left >>= 7)
    size += static_cast<char>((left & 0x7F) | (left >> 7 != 0 ? 0x80U : 0U));
  return packet(0x30 | qos << 1, rest + size + properties + payload);
}

TEST(TraceRedaction, HidesSecretsOfPackets) {
  const std::string connect = packet(0x10, "MQTT user password");
  const std::string hidden = packet(0x10, std::string(18, 'x'));
  for (const Case& one : json_cases) {
    for (const unsigned qos : {0U, 1U}) {
      for (const std::size_t properties : {0U, 1U, 200U}) {
        const std::string quotes(properties, '"');
        const std::string before = connect + packet(0xD0, "") + packet(0x40, "\0\"");
        const std::string after = packet(0xF0, "secret");
        const std::string text = before + publish(qos, quotes, std::string(one.text)) + after;
        const std::string stored = hidden + packet(0xD0, "") + packet(0x40, "\0\"") +
                                   publish(qos, quotes, std::string(one.stored)) + packet(0xF0, "xxxxxx");
        EXPECT_EQ(redact(Framing::packets, text), stored) << one.what;
      }
    }
  }
}

TEST(TraceRedaction, ReadsPacketsThatAreNotValid) {
  // Without a topic, and a size of properties of more than four bytes.
  EXPECT_EQ(redact(Framing::packets, std::string("\x30\x0D\0\0\0{\"pin\":12}", 15)),
            std::string("\x30\x0D\0\0\0{\"pin\":11}", 15));
  EXPECT_EQ(redact(Framing::packets, std::string("\x32\x0F\0\0\1\1\0{\"pin\":12}", 17)),
            std::string("\x32\x0F\0\0\1\1\0{\"pin\":11}", 17));
  EXPECT_EQ(redact(Framing::packets, "\x30\x07\x01"), "\x30\x07\x01");
  EXPECT_EQ(redact(Framing::packets, std::string("\x30\x07\0\1t\xFF\xFF\xFF\xFF", 9)),
            std::string("\x30\x07\0\1t\xFF\xFF\xFF\xFF", 9));
  // Sizes of parts that are larger than the packet, and a size of five bytes.
  EXPECT_EQ(redact(Framing::packets, std::string("\x30\x01\xFF\xD0\x00\x10\x01z", 8)),
            std::string("\x30\x01\xFF\xD0\x00\x10\x01x", 8));
  EXPECT_EQ(redact(Framing::packets,
                   "\x10\xFF\xFF\xFF\xFF"
                   "abc"),
            "\x10\xFF\xFF\xFF\xFF"
            "xxx");
}

// ---- Stand-ins -----------------------------------------------------------------------------------------------------

TEST(TraceRedaction, GivesIdsTheSameStandInEverywhere) {
  const StandIn::Key key{.words = {0x1234'5678, 0x9ABC'DEF0}, .use = StandIn::Key::Use::secret};
  const std::string id = "0123456789abcdef";
  const std::string head = redact(Framing::http, "GET / HTTP/1.1\r\nMcp-Session-Id: " + id + "\r\n\r\n", key);
  const std::string stand_in = head.substr(head.find(": ") + 2, id.size());
  EXPECT_NE(stand_in, id);
  EXPECT_EQ(redact(Framing::lines, R"({"taskId":")" + id + "\"}", key), R"({"taskId":")" + stand_in + "\"}");
  EXPECT_EQ(redact(Framing::http, "GET /?sessionId=" + id + " HTTP/1.1\r\n", key),
            "GET /?sessionId=" + stand_in + " HTTP/1.1\r\n");
  // The bytes of entropy have it, too.
  StandIn bytes(key);
  std::string hex;
  for (std::size_t i = 0; i < id.size(); i += 2) {
    const auto byte = static_cast<std::uint8_t>(std::stoi(id.substr(i, 2), nullptr, 16));
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes.bits(byte, 8, 0));
    hex += digits;
  }
  EXPECT_EQ(hex, stand_in);
}

TEST(TraceRedaction, KeepsTheCaseOfIds) {
  const StandIn::Key key{.words = {7, 9}, .use = StandIn::Key::Use::secret};
  const std::string upper = redact(Framing::lines, R"({"taskId":"0123456789ABCDEFABCDEF"})", key);
  const std::string lower = redact(Framing::lines, R"({"taskId":"0123456789abcdefabcdef"})", key);
  std::string lowered;
  for (const char c : upper.substr(11)) lowered += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  EXPECT_EQ(lowered, lower.substr(11));
}

// Deeper than any count: levels of strings, containers, and long names.
TEST(TraceRedaction, HidesAtAnyDepth) {
  const std::string quote = std::string(1023, '\\') + "\"";
  EXPECT_EQ(redact(Framing::lines, quote + "pin" + quote + ":12"), quote + "pin" + quote + ":11");
  const std::string deep(70'000, '[');
  EXPECT_EQ(redact(Framing::lines, "{\"pin\":" + deep + "12"), "{\"pin\":" + deep + "11");
  const std::string code = "\"key\":\"a" + std::string(254, '\\') + "\\u005cz";
  EXPECT_EQ(redact(Framing::lines, code), "\"key\":\"x" + std::string(254, '\\') + "\\u005cx");
  const std::string line = "GET /" + std::string(300, 'a') + " HTTP/1.1\r\nCookie: z\r\n";
  EXPECT_EQ(redact(Framing::http, line), line.substr(0, line.size() - 3) + "x\r\n");
}

TEST(TraceRedaction, GivesOtherIdsOtherStandIns) {
  std::vector<std::string> seen;
  for (std::uint32_t i = 0; i < 256; ++i) {
    const StandIn::Key key{.words = {7, 9}, .use = StandIn::Key::Use::secret};
    char id[3];
    std::snprintf(id, sizeof id, "%02x", i);
    const std::string text = redact(Framing::lines, R"({"taskId":")" + std::string(id) + "\"}", key);
    for (const std::string& other : seen) EXPECT_NE(text, other);
    seen.push_back(text);
  }
}

// ---- Any place -----------------------------------------------------------------------------------------------------

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t end) { return random_() % end; }

  // JSON of some depth, in which each value below a secret name is or has the word `hunter`.
  std::string value(unsigned depth, bool is_secret) {
    const std::string space = std::string(below(2), ' ');
    switch (below(depth == 0 ? 3 : 6)) {
      case 0: return is_secret ? "98765" : std::to_string(below(9));
      case 1: return below(2) != 0 ? "true" : "null";
      case 2: return quote(is_secret ? "hunter" : "abc");
      case 3: return "[" + space + value(depth - 1, is_secret) + "," + value(depth - 1, is_secret) + space + "]";
      case 4: return quote(value(depth - 1, is_secret));
      default: return "{" + member(depth - 1, is_secret) + "," + space + member(depth - 1, is_secret) + space + "}";
    }
  }
  std::string member(unsigned depth, bool is_secret) {
    static const char* const names[] = {"password", "a_secret", "Pin", "tok\\u0065n", "apiKey"};
    const bool begins = below(3) == 0;
    const std::string name = begins ? names[below(5)] : is_secret ? "hunter" : "name";
    return "\"" + name + "\"" + std::string(below(2), ' ') + ":" + value(depth, is_secret || begins);
  }

 private:
  static std::string quote(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }
  std::mt19937 random_;
};

bool leaks(const std::string& stored) {
  return stored.find("hunter") != std::string::npos || stored.find("9876") != std::string::npos;
}

TEST(TraceRedaction, HidesSecretsInAnyJson) {
  const auto today = std::chrono::system_clock::now().time_since_epoch() / std::chrono::hours(24);
  for (const unsigned seed : {1U, static_cast<unsigned>(today)}) {
    Generator generator(seed);
    for (unsigned i = 0; i < 3000; ++i) {
      const std::string text = "{" + generator.member(4, false) + "}";
      const std::string stored = redact(Framing::lines, text);
      ASSERT_FALSE(leaks(stored)) << "seed " << seed << ": " << text << "\n" << stored;
      ASSERT_EQ(stored.size(), text.size());
      // As chunks of any size.
      std::string chunks = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
      std::string wanted = chunks;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = 1 + generator.below(text.size() - at);
        char line[16];
        std::snprintf(line, sizeof line, "%zx\r\n", size);
        chunks += line + text.substr(at, size) + "\r\n";
        wanted += line + stored.substr(at, size) + "\r\n";
        at += size;
      }
      ASSERT_EQ(redact(Framing::http, chunks), wanted) << "seed " << seed;
    }
  }
}

// ---- Through a stream ----------------------------------------------------------------------------------------------

std::string& dumped() {
  static std::string text;
  return text;
}

// The bytes of all lines with this word.
std::string bytes_of(const std::string& word) {
  std::string result;
  for (std::size_t at = 0; (at = dumped().find("\n~" + word, at)) != std::string::npos;) {
    at = dumped().find(" 1 ", at) + 3;
    for (; dumped()[at] != '\n'; ++at) {
      if (dumped()[at] != '\\') {
        result += dumped()[at];
        continue;
      }
      const char c = dumped()[++at];
      const bool is_code = c == 'x';
      if (is_code) result += static_cast<char>(std::stoi(dumped().substr(at + 1, 2), nullptr, 16));
      if (is_code) at += 2;
      if (!is_code) result += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
    }
  }
  return result;
}

/// Moves all cases through a stream, in pieces of 1 to `most` bytes.
void move_in_pieces(Generator& generator, std::size_t most, Framing framing, std::span<const Case> cases) {
  const auto ring = std::make_unique<mcp::TraceRing<32768>>();
  test::FakeStream wire;
  mcp::TracedStream stream(*ring, wire, framing);
  ring->begin(1);
  std::string text;
  std::string stored;
  for (const Case& one : cases) {
    text.append(one.text);
    stored.append(one.stored);
    if (framing != Framing::lines) continue;
    text += '\n';
    stored += '\n';
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::min(1 + generator.below(most), text.size() - at);
    wire.give(std::string_view(text).substr(at, size));
    wire.write_limit = size;
    char bytes[64];
    ASSERT_EQ(stream.read(bytes).size, size);
    ASSERT_EQ(stream.write(std::span(text).subspan(at)).size, size);
    at += size;
  }
  dumped().clear();
  ring->dump([](char c) { dumped() += c; });
  EXPECT_EQ(bytes_of("read"), stored);
  EXPECT_EQ(bytes_of("write"), stored);
}

TEST(TraceRedaction, HidesSecretsInReadsAndWritesOfAnySize) {
  const auto today = std::chrono::system_clock::now().time_since_epoch() / std::chrono::hours(24);
  for (const unsigned seed : {1U, static_cast<unsigned>(today)}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Generator generator(seed);
    for (unsigned most = 1; most <= 40; ++most) {
      move_in_pieces(generator, most, Framing::lines, json_cases);
      move_in_pieces(generator, most, Framing::http, std::span(http_cases).first(10));
    }
  }
}

// Bytes that are no message must not stop the state machine, and never become longer.
TEST(TraceRedaction, TakesAnyBytes) {
  Generator generator(3);
  static constexpr std::string_view bytes = "\"\\{}[]:,u0022 \r\n\tpinHTTP/1.1;=&\x30\xFF\x80";
  for (const Framing framing : {Framing::lines, Framing::http, Framing::packets}) {
    TraceRedactor redactor(framing);
    for (unsigned i = 0; i < 200'000; ++i) static_cast<void>(redactor.next(bytes[generator.below(bytes.size())], {}));
  }
}

}  // namespace
