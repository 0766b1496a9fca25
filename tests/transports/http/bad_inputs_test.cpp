// SPDX-License-Identifier: Apache-2.0
// Inputs that have harmed other servers, over sockets of the kernel. Each gets its response, and no handler runs. The
// server then serves the next request, on the same connection if that stays open.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "transports/http/network.hpp"

namespace {

using test::Network;
using test::TcpClient;
using namespace std::string_literals;

constexpr mcp::HttpLimits usual{.connections = 4, .head_size = 1024};
using Site = Network<usual>;

class BadInputs : public testing::Test {
 protected:
  void SetUp() override { alarm(60); }
  void TearDown() override { alarm(0); }
};

// A call of a tool that counts, which must not run.
const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count"}})";
const std::string host = "Host: localhost\r\n";
const std::string types = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
// The placeholder for the session header in a request of the table.
const std::string session_here = "{session}";
const std::string usual_head = host + types + session_here;

std::string request(const std::string& line, const std::string& head, const std::string& body = "") {
  return line + "\r\n" + head + "\r\n" + body;
}
std::string post(const std::string& head, const std::string& body = call) {
  return request("POST /mcp HTTP/1.1", head, body);
}
// A request with the length of the call, and one without it.
const std::string length = "Content-Length: " + std::to_string(call.size()) + "\r\n";
std::string sized(const std::string& more) { return post(usual_head + more + length); }
std::string with_length(const std::string& value) { return post(usual_head + "Content-Length:" + value + "\r\n"); }
std::string coded(const std::string& coding, const std::string& body = "48\r\n" + call + "\r\n0\r\n\r\n") {
  return post(usual_head + coding, body);
}
std::string chunked(const std::string& body) { return coded("Transfer-Encoding: chunked\r\n", body); }
std::string message(const std::string& body) {
  return post(usual_head + "Content-Length: " + std::to_string(body.size()) + "\r\n", body);
}
std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.erase(at, part.size());
}
std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  while (times-- != 0) text += piece;
  return text;
}

struct Row {
  std::string id;     // of the line in the list of bad inputs
  std::string bytes;  // of the request
  int status = 0;
  int code = 0;       // of the error in the response; 0: not checked
  bool kept = false;  // the connection stays open
};

std::vector<Row> rows_of_heads() {
  std::vector<Row> rows;
  const auto add = [&](std::string id, std::string bytes, int status) {
    rows.push_back({std::move(id), std::move(bytes), status});
  };
  const std::string te = "Transfer-Encoding: chunked\r\n";
  add("H01 length, coding", coded(length + te), 400);
  add("H01 coding, length", coded(te + length), 400);
  add("H02 two lengths", post(usual_head + "Content-Length: 5\r\nContent-Length: 6\r\n"), 400);
  add("H02 two equal lengths", post(usual_head + length + length), 400);
  add("H02 a list", with_length(" 5, 6"), 400);
  for (const char* const value : {" +5", " -5", " 1_0", " 0x10", "", " 5;"}) {
    add("H03"s + value, with_length(value), 400);
  }
  for (const char* const value : {" 4294967301", " 18446744073709551616", " 99999999999999999999"}) {
    add("H04"s + value, with_length(value), 413);
  }
  add("H05 a byte too many", post(usual_head + "Content-Length: 4097\r\n", ""), 413);
  for (const char* const size : {"-2", "0x", "1_0", "", "00000000000000048"}) {
    add("H06 "s + size, chunked(size + "\r\n"s + call + "\r\n0\r\n\r\n"), 400);
  }
  add("H06 overflow", chunked("FFFFFFFFFFFFFFFE\r\n" + call), 413);
  add("H06 overflow of 32 bits", chunked("100000048\r\n" + call), 413);
  add("H07 endless chunks", chunked(repeated("1\r\nx\r\n", 100'000)), 413);
  add("H08 an endless extension", chunked("1;" + std::string(100'000, 'a')), 413);
  add("H08 endless trailers", chunked("1\r\nx\r\n0\r\n" + repeated("a: b\r\n", 10'000)), 413);
  add("H09 twice", coded(te + te), 400);
  add("H09 xchunked", coded("Transfer-Encoding: xchunked\r\n"), 400);
  add("H09 chunked, identity", coded("Transfer-Encoding: chunked, identity\r\n"), 400);
  add("H09 gzip, chunked", coded("Transfer-Encoding: gzip, chunked\r\n"), 501);
  add("H09 vertical tab",
      coded("Transfer-Encoding: \x0B"
            "chunked\r\n"),
      400);
  add("H09 blank of Latin-1",
      coded("Transfer-Encoding: \xA0"
            "chunked\r\n"),
      400);
  add("H10 bare CR", sized("Visible: a\rSmuggled: b\r\n"), 400);
  add("H10 bare LF", sized("Visible: a\nSmuggled: b\r\n"), 400);
  add("H10 NUL", sized("Visible: a\0b\r\n"s), 400);
  add("H11 blank before the colon", post(usual_head + "Content-Length : 72\r\n"), 400);
  add("H11 folded", sized("A: b\r\n c\r\n"), 400);
  add("H11 no name", sized(": b\r\n"), 400);
  add("H11 a name that is no token", sized("A(b): c\r\n"), 400);
  add("H12 three thousand headers", sized(repeated("a: b\r\n", 3'000)), 431);
  add("H12 a long header", sized("A: " + std::string(17'000, 'b') + "\r\n"), 431);
  add("H12 a long header that is read", sized("Mcp-Param-A: " + std::string(1'000, 'b') + "\r\n"), 431);
  add("H12 a long target", request("POST /" + std::string(8'192, 'm') + " HTTP/1.1", usual_head + length, call), 414);
  add("H13 no Host", without(sized(""), host), 400);
  add("H13 two Hosts", sized(host), 400);
  add("H14 1.32", request("POST /mcp HTTP/1.32", usual_head + length, call), 400);
  add("H14 the preface of 2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505);
  add("H14 0.9", "GET /mcp\r\n\r\n", 400);
  add("H15", sized("Origin: http://evil.example\r\n"), 403);
  add("H16", without(sized("Host: evil.example:8080\r\n"), host), 403);
  for (const char* const origin : {"null", "http://localhost.evil.com", "http://localhost:80@evil"}) {
    add("H17 "s + origin, sized("Origin: "s + origin + "\r\n"), 403);
  }
  add("H18", without(sized("Content-Type: text/plain\r\n"), "Content-Type: application/json\r\n"), 415);
  add("H18 no type", without(sized(""), "Content-Type: application/json\r\n"), 415);
  const std::string accept = "Accept: application/json, text/event-stream\r\n";
  add("H19 text/html", without(sized("Accept: text/html\r\n"), accept), 406);
  for (const char* const method : {"PUT", "HEAD", "PATCH", "TRACE", "CONNECT", "post", "FOO"}) {
    add("H20 "s + method, request(method + " /mcp HTTP/1.1"s, usual_head), 405);
  }
  // The body shows whether a request needs a session, so the server reads it first.
  for (const char* const id : {"aaaa", ""}) {
    const std::string named = "MCP-Session-Id: "s + id + "\r\n";
    rows.push_back(
        {.id = "H22 forged " + named, .bytes = without(sized(named), session_here), .status = 404, .kept = true});
  }
  rows.push_back({.id = "H22 missing, M01", .bytes = without(sized(""), session_here), .status = 400, .kept = true});
  return rows;
}

std::vector<Row> rows_of_messages() {
  std::vector<Row> rows;
  const auto add = [&](std::string id, const std::string& body, int status, int code) {
    rows.push_back({std::move(id), message(body), status, code, true});
  };
  constexpr int parse_error = -32700;
  constexpr int invalid_request = -32600;
  constexpr int invalid_params = -32602;
  const auto calling = [](const std::string& more) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{)" + more + "}}}";
  };
  add("J01", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":)" + std::string(4'000, '['), 400, parse_error);
  rows.push_back({"J01 longer than the buffer", message(std::string(100'000, '[')), 413, 0, false});
  add("J02", calling(R"("a":)" + std::string(30, '[') + std::string(30, ']')), 400, parse_error);
  add("J03", R"({"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"count"}})", 200, invalid_request);
  add("J05", R"({"jsonrpc":"2.0","id":1,"method\u0000":"tools/call","params":{"name":"count"}})", 200, invalid_request);
  add("J07", R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"count"}})", 200,
      invalid_request);
  add("J08", R"({"jsonrpc":"2.0","id":1e400,"method":"tools/call","params":{"name":"count"}})", 400, invalid_request);
  add("J11", calling(R"("a":NaN)"), 400, parse_error);
  add("J12", calling("\"a\":\"\xC0\x80\""), 400, parse_error);
  add("J14", calling("\"a\":\"\xED\xA0\x80\""), 400, parse_error);
  add("J14 beyond 10FFFF", calling("\"a\":\"\xF4\x90\x80\x80\""), 400, parse_error);
  for (const char byte : {'\0', '\n', '\x1F'}) add("J15", calling("\"a\":\""s + byte + "\""), 400, parse_error);
  add("J16 half a mark", "\xEF\xBB" + call, 400, parse_error);
  for (std::size_t size = 0; size < call.size(); ++size) {
    add("J17 " + std::to_string(size), call.substr(0, size), 400, parse_error);
  }
  add("J18", call + call, 400, parse_error);
  add("J18 a line each", call + "\n" + call, 400, parse_error);
  add("J18 a letter", call + "x", 400, parse_error);
  for (const char* const value : {"1", "\"x\"", "null", "[]", "{}"}) add("J19 "s + value, value, 400, invalid_request);
  add("J19 blanks", " \r\n", 400, parse_error);
  for (const char* const response : {R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})", R"({"id":1,"result":{}})",
                                     R"({"error":1,"method":null})", R"({"jsonrpc":"2.0","id":1,"result":"\uD800"})",
                                     R"({"jsonrpc":"2.0","id":1,"result":)"}) {
    add("J19 a response "s + response, response, 202, 0);
  }
  add("J20", "[" + call + "," + call + "]", 400, invalid_request);
  add("M03", R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}})", 200, invalid_params);
  add("M03 no name", R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", 200, invalid_params);
  for (const char* const id : {"7", "\"x\"", "null", "{}"}) {
    add("M04 "s + id, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)"s + id + "}}", 202,
        0);
  }
  for (const char* const uri : {"file:///../../etc/passwd", "test://%2e%2e/counter", "test://counter%00", "//host"}) {
    add("M06 "s + uri, R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")"s + uri + "\"}}", 200,
        -32002);
  }
  return rows;
}

// Sends as many bytes as the kernel accepts, and lets the server read, until all is sent or the server closes.
void send_all(Site& site, TcpClient& client, std::string_view bytes) {
  while (!bytes.empty() && !client.ended() && !client.broken()) {
    bytes.remove_prefix(client.send_some(bytes));
    site.run();
  }
}

void play(const std::vector<Row>& rows, bool byte_by_byte) {
  Site site(*test::find_definition("full"));
  const std::string session = site.begin();
  for (const Row& row : rows) {
    SCOPED_TRACE(row.id);
    std::string bytes = row.bytes;
    if (const std::size_t at = bytes.find(session_here); at != std::string::npos) {
      bytes.replace(at, session_here.size(), session);
    }
    if (byte_by_byte && bytes.size() > 10'000) continue;
    TcpClient client = site.connect();
    for (std::size_t at = 0; byte_by_byte && at != bytes.size() && !client.ended(); ++at) {
      send_all(site, client, std::string_view(bytes).substr(at, 1));
    }
    if (!byte_by_byte) send_all(site, client, bytes);
    const TcpClient::Answer answer = site.answer(client);
    EXPECT_EQ(answer.status, row.status) << answer.body;
    if (row.code != 0) {
      EXPECT_NE(answer.body.find("\"error\":{\"code\":" + std::to_string(row.code) + ","), std::string::npos)
          << answer.body;
    }
    EXPECT_EQ(answer.body.find("\"id\":null"), std::string::npos);
    EXPECT_EQ(answer.header("Allow"), row.status == 405 ? "GET, POST, DELETE, OPTIONS" : "");
    EXPECT_EQ(answer.header("Connection"), row.kept ? "" : "close");
    EXPECT_EQ(test::device.calls, 0U);
    const std::string next = Site::post(Site::ping(2), session);
    if (row.kept) {
      EXPECT_EQ(site.ask(client, next).body, Site::pong(2));
      continue;
    }
    EXPECT_TRUE(site.until([&] { return client.ended() || client.broken(); }));
    EXPECT_FALSE(client.broken());
    EXPECT_EQ(client.received(), "") << "a second answer";
    client.leave();
    TcpClient fresh = site.connect();
    EXPECT_EQ(site.ask(fresh, next).body, Site::pong(2));
  }
}

TEST_F(BadInputs, RejectsBadHeads) { play(rows_of_heads(), false); }
TEST_F(BadInputs, RejectsBadHeadsByteByByte) { play(rows_of_heads(), true); }
TEST_F(BadInputs, RejectsBadMessages) { play(rows_of_messages(), false); }
TEST_F(BadInputs, RejectsBadMessagesByteByByte) { play(rows_of_messages(), true); }

// H14: a client of HTTP/0.9 sends no empty line. The line has no version, so the server does not wait for more.
TEST_F(BadInputs, RejectsAnHttp09LineAtOnce) {
  Site site;
  TcpClient client = site.connect();
  client.send("GET /mcp\r\n");
  EXPECT_EQ(site.answer(client).status, 400);
  EXPECT_TRUE(site.until([&] { return client.ended(); }));
  client.leave();
  site.expect_next_is_served();
}

// H20: the methods other than POST.
TEST_F(BadInputs, ServesGetDeleteAndOptions) {
  Site site;
  TcpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, request("OPTIONS /mcp HTTP/1.1", host)).status, 204);
  TcpClient listener = site.connect();
  EXPECT_EQ(site.ask(listener, Site::get(session)).status, 200);
  EXPECT_EQ(site.ask(client, request("DELETE /mcp HTTP/1.1", host + session)).status, 200);
  EXPECT_TRUE(site.comes(listener, "0\r\n\r\n"));
  EXPECT_EQ(site.ask(client, Site::post(Site::ping(1), session)).status, 404);
  client.leave();
  listener.leave();
  site.expect_next_is_served();
}

// H21: a client announces a body and does not send it.
TEST_F(BadInputs, TimesOutABodyThatNeverComes) {
  Site site;
  TcpClient client = site.connect();
  const std::string session = site.begin(client);
  const std::string head = Site::post(Site::ping(1), session + "Expect: 100-continue\r\n");
  const std::size_t body = head.find("\r\n\r\n") + 4;
  EXPECT_EQ(site.ask(client, head.substr(0, body)).status, 100);
  EXPECT_EQ(site.ask(client, head.substr(body)).body, Site::pong(1));
  // The server rejects a large body before it arrives.
  const std::string large =
      request("POST /mcp HTTP/1.1", host + types + session + "Expect: 100-continue\r\nContent-Length: 5000\r\n");
  EXPECT_EQ(site.ask(client, large).status, 413);
  client.leave();
  site.expect_next_is_served();
}

// M02: the session continues.
TEST_F(BadInputs, RejectsASecondInitialize) {
  Site site;
  TcpClient client = site.connect();
  const std::string session = site.begin(client);
  const auto again = site.ask(client, Site::post(Site::initialize(), session));
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(again.header("MCP-Session-Id"), "");
  EXPECT_NE(again.body.find("\"error\":{\"code\":-32600,"), std::string::npos) << again.body;
  EXPECT_EQ(site.ask(client, Site::post(Site::ping(1), session)).body, Site::pong(1));
}

// M05: the first request gets its response.
TEST_F(BadInputs, RejectsAnIdInUse) {
  Site site;
  TcpClient client = site.connect();
  const std::string session = site.begin(client);
  TcpClient other = site.connect();
  client.send(Site::post(Site::count_to(1, 5), session));
  EXPECT_TRUE(site.comes(client, "-0\ndata: \n\n"));
  const auto answer = site.ask(other, Site::post(Site::count_to(1, 5), session));
  EXPECT_NE(answer.body.find("\"code\":-32600"), std::string::npos) << answer.body;
  site.pass(1'000);
  EXPECT_TRUE(site.comes(client, R"("id":5,"result":)"));
  client.leave();
  other.leave();
  site.expect_nothing_left();
}

}  // namespace
