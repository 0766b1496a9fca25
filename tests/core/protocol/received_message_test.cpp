// SPDX-License-Identifier: Apache-2.0
// The envelope that a transport gets, and the response to a message that was checked once.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "mcp/transport.hpp"
#include "support/bench.hpp"

namespace {

using mcp::ReceivedMessage;
using mcp::rpc::Kind;
using test::Bench;

constexpr mcp::Definition definition{.name = "d", .version = "1"};

/// A message in a block of exactly its size.
class Received {
 public:
  explicit Received(std::string_view text) : bytes_(text.begin(), text.end()) {}
  const ReceivedMessage* operator->() const { return &message_; }
  const ReceivedMessage& operator*() const { return message_; }

 private:
  static Bench& bench() {
    static Bench one(definition);
    return one;
  }
  std::vector<char> bytes_;
  ReceivedMessage message_{bench().server, bytes_};
};

TEST(ReceivedMessage, HasTheEnvelopeInEachSpelling) {
  for (const std::string_view text : {
           R"({"jsonrpc":"2.0","id":"x\/1","method":"tools/call","params":{"a":1}})",
           R"({"jsonrpc":"2.0","\u0069d":"x\/1","m\u0065thod":"tools\/call","p\u0061r\u0061ms":{"a":1}})",
           R"( { "params" : { "a" : 1 } , "method" : "tool\u0073\/call" , "id" : "x\/1" , "jsonrpc" : "2.0" } )",
       }) {
    const Received message(text);
    EXPECT_EQ(message->envelope().kind, Kind::request) << text;
    EXPECT_EQ(message->envelope().id, R"("x\/1")") << text;
    EXPECT_EQ(message->envelope().method, "tools/call") << text;
    EXPECT_TRUE(message->expects_response()) << text;
    EXPECT_FALSE(message->begins_session() || message->cancelled_id()) << text;
  }
}

TEST(ReceivedMessage, TellsWhatExpectsAResponse) {
  const struct {
    std::string_view text;
    Kind kind;
    bool expects_response;
    std::string_view id;
  } cases[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"m"})", Kind::request, true, "1"},
      {R"({"jsonrpc":"2.0","method":"m"})", Kind::notification, false, ""},
      {R"({"jsonrpc":"2.0","id":1,"result":{}})", Kind::response, false, "1"},
      // Invalid messages.
      {R"({"id":1,"method":"m"})", Kind::invalid, true, "1"},
      {R"({"method":"m"})", Kind::invalid, false, ""},
      {R"({"\u006dethod":1})", Kind::invalid, false, ""},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", Kind::invalid, true, ""},
      {R"({"jsonrpc":"2.0"})", Kind::invalid, true, ""},
      {R"([{"jsonrpc":"2.0","method":"m"}])", Kind::invalid, true, ""},
      {"\"m\"", Kind::invalid, true, ""},
      {"17", Kind::invalid, true, ""},
      // No JSON.
      {R"({"jsonrpc":"2.0","id":"a\/1","method":"m"})" "x", Kind::invalid, true, R"("a\/1")"},
      {R"({"jsonrpc":"2.0","id":12,"result":{},})", Kind::response, false, "12"},
      {R"({"jsonrpc":"2.0","method":"m",})", Kind::invalid, true, ""},
      {"", Kind::invalid, true, ""},
  };
  for (const auto& one : cases) {
    const Received message(one.text);
    EXPECT_EQ(message->envelope().kind, one.kind) << one.text;
    EXPECT_EQ(message->expects_response(), one.expects_response) << one.text;
    EXPECT_EQ(message->envelope().id, one.id) << one.text;
  }
}

TEST(ReceivedMessage, NamesTheBeginAndTheEndOfRequests) {
  EXPECT_TRUE(Received(R"({"jsonrpc":"2.0","id":1,"method":"init\u0069alize"})")->begins_session());
  EXPECT_FALSE(Received(R"({"jsonrpc":"2.0","method":"initialize"})")->begins_session());
  EXPECT_FALSE(Received(R"({"id":1,"method":"initialize"})")->begins_session());
  const auto cancel = [](std::string_view params) {
    return Received(R"({"jsonrpc":"2.0","method":"notifications\/cancelled")" + std::string(params) + "}")
        ->cancelled_id()
        .has_value();
  };
  EXPECT_TRUE(cancel(R"(,"params":{"requestId":"a"})"));
  EXPECT_TRUE(cancel(""));
  const Received named(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a\/1"}})");
  EXPECT_EQ(named->cancelled_id(), R"("a\/1")");
  for (const std::string_view id : {"1.5", "null", "[1]", "{}"}) {
    const Received other(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                         std::string(id) + "}}");
    EXPECT_EQ(other->cancelled_id(), "") << id;
  }
  EXPECT_FALSE(Received(R"({"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"})")->cancelled_id());
}

TEST(ReceivedMessage, IsServedAsTheBytesAre) {
  Bench bench(definition, {.sessions = 2});
  const std::string begin =
      R"({"jsonrpc":"2.0","id":1,"m\u0065thod":"initial\u0069ze","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
  const auto text = [&bench](const mcp::Reply& reply) {
    return std::string(bench.server.transmit_buffer().data(), reply.size);
  };
  mcp::SessionId bytes_session;
  std::string copy = begin;
  const mcp::Reply by_bytes = bench.server.receive_first(bytes_session, copy, bench.server.transmit_buffer(), 0);
  const std::string expected = text(by_bytes);
  mcp::SessionId session;
  copy = begin;
  const ReceivedMessage first(bench.server, copy);
  const mcp::Reply by_message = bench.server.respond_first(session, first, bench.server.transmit_buffer(), 0);
  EXPECT_EQ(text(by_message), expected);
  EXPECT_TRUE(bench.server.is_open(session) && session != bytes_session);
  for (const char* const message : {R"({"jsonrpc":"2.0","id":"p\/2","method":"p\u0069ng"})", R"({"id":7)", "[]", "8"}) {
    const std::string answer = bench.ask(bytes_session, message);
    copy = message;
    const ReceivedMessage next(bench.server, copy);
    EXPECT_EQ(text(bench.server.respond(session, next, bench.server.transmit_buffer(), 0)), answer) << message;
    EXPECT_NE(answer, "");
  }
  copy = "{}";
  const ReceivedMessage lost(bench.server, copy);
  EXPECT_EQ(bench.server.respond({}, lost, bench.server.transmit_buffer(), 0).status,
            mcp::Reply::Status::no_session);
}

TEST(ReceivedMessage, SaysThatAMessageIsNotJson) {
  Bench bench(definition);
  const mcp::SessionId session = bench.server.open(0);
  for (const char* const message : {R"({"jsonrpc":"2.0","id":1,"method":"ping"}})", R"({"id":1,)"}) {
    std::string copy = message;
    const mcp::Reply reply = bench.server.receive(session, copy, bench.server.transmit_buffer(), 0);
    EXPECT_EQ(reply.error, mcp::Reply::Error::unreadable) << message;
    EXPECT_EQ(std::string(bench.server.transmit_buffer().data(), reply.size).find(R"({"jsonrpc":"2.0","id":1,"error")"),
              0U)
        << message;
  }
}

}  // namespace
