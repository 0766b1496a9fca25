// SPDX-License-Identifier: Apache-2.0
// Responses of a client that are longer than the receive buffer, over HTTP: 413 at once, and the input request ends.
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

constexpr std::size_t receive_size = 1024;  // of a Site

// A response to the request of the server with this id. The id comes before or after the long member.
std::string long_response(std::string_view id, bool id_first, std::size_t size = 3 * receive_size) {
  const std::string outcome = R"("result":{"action":"decline","x":")" + std::string(size, 'x') + "\"}";
  const std::string id_text = R"("id":)" + std::string(id);
  return R"({"jsonrpc":"2.0",)" + (id_first ? id_text + "," + outcome : outcome + "," + id_text) + "}";
}

std::string in_chunks(std::string_view body, std::string_view more) {
  std::string text = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  text.append(both_types).append(more) += "Transfer-Encoding: chunked\r\n\r\n";
  for (; !body.empty(); body.remove_prefix(std::min<std::size_t>(body.size(), 0xA0))) {
    text.append("A0\r\n", body.size() >= 0xA0 ? 4 : 0);
    if (body.size() < 0xA0) {
      constexpr std::string_view digits = "0123456789ABCDEF";
      text += {digits[body.size() / 16], digits[body.size() % 16], '\r', '\n'};
    }
    text.append(body.substr(0, 0xA0)).append("\r\n");
  }
  return text + "0\r\n\r\n";
}

// A call whose job waits for the response to the first input request.
HttpClient ask_user(Site<>& site, const std::string& session) {
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  EXPECT_EQ(client.events().size(), 2U);
  return client;
}

constexpr std::string_view too_large =
    R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"too large 0"}]}})";

void expect_413(const HttpResponse& response) {
  EXPECT_EQ(response.status, 413);
  EXPECT_EQ(response.body.find("\"id\""), std::string::npos) << response.body;
}

TEST(HttpOversized, ResponseEndsItsInputRequest) {
  for (const bool id_first : {true, false}) {
    for (const bool chunked : {true, false}) {
      SCOPED_TRACE(std::string(id_first ? "id first" : "id last") + (chunked ? ", chunked" : ""));
      Site site(test::input_requests);
      const std::string session = site.begin();
      HttpClient caller = ask_user(site, session);
      const std::string body = long_response("1000000001", id_first);
      HttpClient client = site.connect();
      client.send(chunked ? in_chunks(body, session) : post(body, session));
      site.run();
      expect_413(client.response());
      EXPECT_EQ(data_of(caller.events()), Texts{std::string(too_large)});
      EXPECT_TRUE(caller.ended());
      EXPECT_EQ(site.bench.server.stale_answers(), 0U);
    }
  }
}

// The server sends the error before the body has arrived. The bytes with the id and the kind end the input request.
TEST(HttpOversized, ReadsTheRestOfAResponse) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient caller = ask_user(site, session);
  const std::string request = post(long_response("1000000001", false), session);
  const std::size_t last = request.size() - 2;  // within the id
  HttpClient client = site.connect();
  client.connection().stays = true;  // the client sends the whole response
  for (std::size_t at = 0; at != last; ++at) {
    client.send(request.substr(at, 1));
    site.run();
  }
  expect_413(client.response());
  EXPECT_EQ(caller.events().size(), 0U);
  client.send(request.substr(last));
  site.run();
  EXPECT_EQ(data_of(caller.events()), Texts{std::string(too_large)});
}

// A client may stop sending when it reads the error.
TEST(HttpOversized, TruncatedResponseEndsItsInputRequest) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient caller = ask_user(site, session);
  HttpClient client = site.connect();
  client.send(post(long_response("1000000001", true), session).substr(0, 400));
  site.run();
  client.leave();
  site.run();
  EXPECT_EQ(data_of(caller.events()), Texts{std::string(too_large)});
}

TEST(HttpOversized, OtherMessagesEndNoInputRequest) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  const std::string other = site.begin();
  HttpClient caller = ask_user(site, session);
  const std::string filler = R"("x":")" + std::string(2 * receive_size, 'x') + "\"}";
  const struct {
    std::string body;
    std::string head;
  } cases[] = {
      {long_response("1000000001", true), other},  // of another session
      {long_response("1000000002", true), session},
      {R"({"jsonrpc":"2.0","id":1000000001,"method":"ping","params":{"result":1,)" + filler + "}", session},
      {R"([{"jsonrpc":"2.0","id":1000000001,"result":{},)" + filler + "]", session},
      {std::string(5000, '['), session},
      {long_response("1000000001", true), ""},  // of no session
  };
  for (const auto& [body, head] : cases) {
    HttpClient client = site.connect();
    client.send(post(body, head));
    site.run();
    expect_413(client.response());
    client.leave();
    site.run();
    EXPECT_EQ(caller.events().size(), 0U) << body.substr(0, 60);
  }
  HttpClient client = site.connect();
  constexpr std::string_view declined = R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":"decline"}})";
  EXPECT_EQ(site.ask(client, post(declined, session)).status, 202);
  EXPECT_NE(data_of(caller.events()).back().find("declined"), std::string::npos);
}

// The session ends while the response is received, and another client gets its slot.
TEST(HttpOversized, ResponseEndsNothingAfterItsSession) {
  Site site(test::input_requests, {.sessions = 1});
  const std::string session = site.begin();
  HttpClient caller = ask_user(site, session);
  const std::string request = post(long_response("1000000002", false), session);
  HttpClient client = site.connect();
  client.connection().stays = true;
  client.send(request.substr(0, request.size() - 4));  // up to within the id
  site.run();
  expect_413(client.response());
  HttpClient closer = site.connect();
  EXPECT_EQ(site.ask(closer, delete_request(session)).status, 200);
  HttpClient other = ask_user(site, site.begin());
  client.send(request.substr(request.size() - 4));
  site.run();
  EXPECT_EQ(other.events().size(), 0U);
}

// The next output waits for a stream that accepts no byte, also if the connection of the response ends.
TEST(HttpOversized, NextMessageWaitsForTheStreamOfTheCall) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient caller = site.connect();
  caller.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};  // the input request
  caller.send(post(call("hand", 4), session));
  site.run();
  HttpClient client = site.connect();
  client.send(post(long_response("1000000001", true), session));
  site.run();
  expect_413(client.response());
  client.leave();
  site.pass(15'000);
  caller.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(caller.response().streams);
  EXPECT_EQ(data_of(caller.events()).back(), too_large);
  EXPECT_TRUE(caller.ended());
}

}  // namespace
