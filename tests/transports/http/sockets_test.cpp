// SPDX-License-Identifier: Apache-2.0
// The HTTP transport over sockets of the kernel: connections that break, end or stall at each step, and more clients
// than connections. After each test, no state is left, and the server serves the next client.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "transports/http/network.hpp"

namespace {

using test::Network;
using test::TcpClient;

constexpr mcp::HttpLimits usual{.connections = 4, .head_size = 512, .replay_size = 2048};
using Site = Network<usual>;

/// How a client ends its connection.
enum class End { reset, half, close };
constexpr End ends[] = {End::reset, End::half, End::close};

void end(TcpClient& client, End how) {
  switch (how) {
    case End::reset: client.break_off(); break;
    case End::half: client.finish(); break;
    case End::close: client.leave(); break;
  }
}

/// An alarm ends the program if a call blocks forever, so that the other programs still run.
class Sockets : public testing::Test {
 protected:
  void SetUp() override { alarm(120); }
  void TearDown() override { alarm(0); }
};

constexpr std::string_view event_begin = "\nid: ";

// ---- Clients that leave ------------------------------------------------------------------------------------------

TEST_F(Sockets, ClosesARequestThatEndsAtAnyByte) {
  for (const End how : ends) {
    for (const bool chunked : {false, true}) {
      Site site;
      TcpClient first = site.connect();
      const std::string session = site.begin(first);
      std::string request = Site::post(Site::ping(1), session);
      if (chunked) {
        request = Site::post("", session + "Transfer-Encoding: chunked\r\n");
        request.erase(request.find("Content-Length: 0\r\n"), 19);
        request += "1;x=y\r\n{\r\n27\r\n" + Site::ping(1).substr(1) + "\r\n0\r\nX: y\r\n\r\n";
      }
      for (std::size_t cut = 0; cut <= request.size() && !HasFailure(); ++cut) {
        SCOPED_TRACE(cut);
        for (const bool is_read_before : {false, true}) {
          TcpClient client = site.connect();
          client.send(std::string_view(request).substr(0, cut));
          if (is_read_before) site.run();
          end(client, how);
          if (how == End::half) {
            // A client that half-closes the connection still reads the responses.
            EXPECT_TRUE(site.until([&] { return client.ended() || client.broken(); }));
            EXPECT_FALSE(client.broken());
            EXPECT_EQ(client.take_answer().status, cut == request.size() ? 200 : 0);
            client.leave();
          }
          EXPECT_TRUE(site.until([&] { return site.links_in_use() == 1; }));
        }
        EXPECT_EQ(site.ask(first, Site::post(Site::ping(2), session)).body, Site::pong(2));
      }
      first.leave();
      site.expect_nothing_left();
      site.expect_next_is_served();
    }
  }
}

// The kernel accepts few bytes, so the server is within the response when the client leaves.
TEST_F(Sockets, SurvivesAClientThatLeavesWithinAResponse) {
  constexpr std::size_t large = 60'000;
  Network<usual, 65'536> site(*test::find_definition("full"));
  test::limit_send_buffers(site.listener.port());
  test::device.large = large;
  TcpClient first = site.connect();
  const std::string session = site.begin(first);
  const std::string request =
      Site::post(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://large"}})", session);
  for (const End how : ends) {
    for (const std::size_t taken : {0U, 1U, 12U, 60U, 200U, 3'000U, 30'000U, 59'000U}) {
      SCOPED_TRACE(taken);
      TcpClient client = site.connect(1);
      client.send(request);
      if (taken == 0) {
        site.run();
        EXPECT_TRUE(site.is_stuck());
      } else {
        EXPECT_TRUE(site.until([&] { return client.received().size() >= taken; }));
      }
      EXPECT_EQ(site.ask(first, Site::post(Site::ping(2), session)).body, Site::pong(2));
      end(client, how);
      if (how == End::half) {
        const Site::Answer answer = site.answer(client);
        EXPECT_EQ(answer.status, 200);
        EXPECT_GT(answer.body.size(), large);
        client.leave();
      }
      EXPECT_TRUE(site.until([&] { return site.links_in_use() == 1; }));
    }
  }
  first.leave();
  site.expect_nothing_left();
  site.expect_next_is_served();
}

// Before the first event, after each event, and after the end.
TEST_F(Sockets, SurvivesAClientThatLeavesAfterAnyEvent) {
  for (const End how : ends) {
    for (int step = 0; step <= 6; ++step) {
      SCOPED_TRACE(step);
      Site site;
      TcpClient first = site.connect();
      const std::string session = site.begin(first);
      TcpClient client = site.connect();
      client.send(Site::post(Site::count_to(3), session));
      for (int i = 1; i <= step; ++i) {
        site.run();
        if (i > 1) site.pass(100);
      }
      if (step >= 1) {
        EXPECT_TRUE(site.comes(client, "id: 1-0\ndata: \n\n"));
      }
      if (step >= 5) {
        EXPECT_TRUE(site.comes(client, "counted to 3"));
        EXPECT_TRUE(site.comes(client, "\r\n0\r\n\r\n"));
      }
      end(client, how);
      // The call continues, and the server stores its result for a client that resumes the stream.
      site.pass(1'000);
      client.leave();
      EXPECT_TRUE(site.until([&] { return site.links_in_use() == 1; }));
      TcpClient again = site.connect();
      again.send(Site::get(session + "Last-Event-ID: 1-0\r\n"));
      EXPECT_TRUE(site.comes(again, "counted to 3")) << again.received();
      again.leave();
      EXPECT_EQ(site.ask(first, Site::post(Site::ping(2), session)).body, Site::pong(2));
      first.leave();
      site.expect_nothing_left();
      site.expect_next_is_served();
    }
  }
}

// A call sends progress until the kernel accepts no more bytes. The client leaves within an event.
TEST_F(Sockets, SurvivesAClientThatLeavesWithinAnEvent) {
  for (const End how : ends) {
    Site site;
    test::limit_send_buffers(site.listener.port());
    TcpClient first = site.connect();
    const std::string session = site.begin(first);
    TcpClient client = site.connect(1);
    client.send(Site::post(Site::call("chatter"), session));
    EXPECT_TRUE(site.until([&] { return site.is_stuck(); }));
    EXPECT_EQ(site.ask(first, Site::post(Site::ping(2), session)).body, Site::pong(2));
    end(client, how);
    if (how == End::half) {
      EXPECT_TRUE(site.comes(client, event_begin));
    }
    client.leave();
    site.run_busily(100);
    const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
    EXPECT_EQ(site.ask(first, Site::post(cancel, session)).status, 202);
    first.leave();
    site.expect_nothing_left();
    site.expect_next_is_served();
  }
}

TEST_F(Sockets, SurvivesAClientThatLeavesItsSessionStream) {
  for (const End how : ends) {
    for (int step = 0; step <= 3; ++step) {
      SCOPED_TRACE(step);
      Site site(*test::find_definition("full"));
      TcpClient first = site.connect();
      const std::string session = site.begin(first);
      const std::string subscribe =
          R"({"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"test://counter"}})";
      EXPECT_EQ(site.ask(first, Site::post(subscribe, session)).status, 200);
      TcpClient client = site.connect();
      client.send(Site::get(session));
      if (step >= 1) {
        EXPECT_TRUE(site.comes(client, "id: 1-0\ndata: \n\n"));
      }
      if (step >= 2) {
        EXPECT_TRUE(test::act(site.bench.server, "update test://counter"));
      }
      if (step >= 3) {
        EXPECT_TRUE(site.comes(client, "notifications/resources/updated"));
      }
      end(client, how);
      EXPECT_TRUE(site.until([&] { return site.links_in_use() == 1; }));
      // The session and its stream continue.
      TcpClient again = site.connect();
      again.send(Site::get(session));
      EXPECT_TRUE(site.comes(again, "\ndata: \n\n"));
      EXPECT_TRUE(test::act(site.bench.server, "update test://counter"));
      EXPECT_TRUE(site.comes(again, "notifications/resources/updated"));
      client.leave();
      again.leave();
      first.leave();
      site.expect_nothing_left();
      site.expect_next_is_served();
    }
  }
}

TEST_F(Sockets, SurvivesAResetOfPipelinedRequests) {
  Site site;
  const std::string session = site.begin();
  for (int answered = 0; answered <= 3; ++answered) {
    TcpClient client = site.connect();
    for (int i = 0; i < 3; ++i) client.send(Site::post(Site::ping(i), session));
    if (answered != 0) site.run();
    for (int i = 0; i < answered; ++i) EXPECT_EQ(site.answer(client).body, Site::pong(i));
    client.break_off();
    site.expect_nothing_left();
  }
  site.expect_next_is_served();
}

// ---- Floods ------------------------------------------------------------------------------------------------------

constexpr std::size_t flood = 100;

std::vector<TcpClient> connect_all(Site& site) {
  std::vector<TcpClient> clients;
  for (std::size_t i = 0; i < flood; ++i) clients.push_back(site.connect());
  return clients;
}

// The server serves four clients in each second.
TEST_F(Sockets, ServesAFloodOfRequests) {
  Site site;
  const std::string session = site.begin();
  std::vector<TcpClient> clients = connect_all(site);
  for (std::size_t i = 0; i < flood; ++i) clients[i].send(Site::post(Site::ping(static_cast<int>(i)), session));
  const mcp::Millis begin = site.now();
  for (std::size_t i = 0; i < flood; ++i) {
    TcpClient::Answer answer;
    for (int seconds = 0; answer.status == 0 && seconds < 2; ++seconds) {
      answer = clients[i].take_answer();
      if (answer.status == 0) site.pass(1'000);
      if (answer.status == 0) answer = clients[i].take_answer();
    }
    EXPECT_EQ(answer.body, Site::pong(static_cast<int>(i))) << i;
  }
  EXPECT_LE(site.now() - begin, 1'000 * flood / usual.connections);
  // Each connection was closed after its response, without a reset, because another client waited.
  std::size_t open = 0;
  for (TcpClient& client : clients) {
    EXPECT_FALSE(client.broken());
    open += client.ended() ? 0U : 1U;
  }
  EXPECT_GE(open, 1U);
  EXPECT_LE(open, usual.connections);
  clients.clear();
  site.expect_nothing_left();
  site.expect_next_is_served();
}

TEST_F(Sockets, EvictsAFloodOfSilentConnections) {
  Site site;
  const std::string session = site.begin();
  std::vector<TcpClient> clients = connect_all(site);
  TcpClient last = site.connect();
  last.send(Site::post(Site::ping(1), session));
  const mcp::Millis begin = site.now();
  while (last.received().empty() && site.now() - begin < 60'000) site.pass(100);
  EXPECT_EQ(last.take_answer().body, Site::pong(1));
  EXPECT_LE(site.now() - begin, 1'000 * (flood / usual.connections + 1));
  clients.clear();
  last.leave();
  site.expect_nothing_left();
}

// More incomplete requests than connections. The server serves a waiting client within a second. The remaining clients
// then have their full time.
TEST_F(Sockets, ServesAClientDuringAFloodOfIncompleteRequests) {
  Site site;
  const std::string session = site.begin();
  std::vector<TcpClient> clients = connect_all(site);
  const std::string request = Site::post(Site::ping(1), session);
  for (std::size_t i = 0; i < flood; ++i) clients[i].send(request.substr(0, 1 + i * (request.size() - 2) / flood));
  TcpClient last = site.connect();
  last.send(request);
  const mcp::Millis begin = site.now();
  while (last.received().empty() && site.now() - begin < 1'000'000) site.pass(10);
  EXPECT_EQ(last.take_answer().body, Site::pong(1));
  EXPECT_LE(site.now() - begin, 1'000U);
  last.leave();
  site.pass(10'000);
  std::size_t late = 0;
  for (TcpClient& client : clients) {
    EXPECT_TRUE(site.until([&] { return client.ended() || client.broken(); }));
    if (client.take_answer().status == 408) ++late;
  }
  EXPECT_GE(late, 1U);
  clients.clear();
  site.expect_nothing_left();
}

TEST_F(Sockets, SurvivesAFloodThatLeavesBeforeItIsServed) {
  for (const End how : {End::reset, End::close}) {
    Site site;
    const std::string session = site.begin();
    std::vector<TcpClient> clients = connect_all(site);
    for (std::size_t i = 0; i < flood; ++i) {
      if (i % 2 == 0) clients[i].send(Site::post(Site::ping(1), session));
      end(clients[i], how);
    }
    TcpClient last = site.connect();
    EXPECT_EQ(site.ask(last, Site::post(Site::ping(1), session)).body, Site::pong(1));  // no time has passed
    last.leave();
    site.expect_nothing_left();
  }
}

// Each host has its own share of the sessions, so a flood of one host ends no session of another.
TEST_F(Sockets, FloodOfSessionsEndsSessionsOfItsOwnHost) {
  Site site;
  TcpClient victim = site.connect(0, "127.0.0.2");
  const std::string session = site.begin(victim);
  TcpClient listener = site.connect(0, "127.0.0.2");
  listener.send(Site::get(session));
  EXPECT_TRUE(site.comes(listener, "id: 1-0\ndata: \n\n"));
  TcpClient stranger = site.connect();
  std::vector<std::string> sessions;
  for (int i = 0; i < 20; ++i) {
    site.pass(10);
    sessions.push_back(site.begin(stranger));
    EXPECT_EQ(site.ask(victim, Site::post(Site::ping(i), session)).body, Site::pong(i));
  }
  EXPECT_FALSE(listener.ended());
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto answer = site.ask(stranger, Site::post(Site::ping(3), sessions[i]));
    EXPECT_EQ(answer.status, i + 2 < sessions.size() ? 404 : 200) << i;
    if (answer.status == 404) stranger = site.connect();
  }
  victim.leave();
  stranger.leave();
  listener.leave();
  site.expect_nothing_left();
  site.expect_next_is_served();
}

TEST_F(Sockets, EvictsTheLeastRecentlyUsedSession) {
  Site site;
  TcpClient client = site.connect();
  const std::string first = site.begin(client);
  site.pass(10);
  const std::string second = site.begin(client);
  site.pass(10);
  EXPECT_EQ(site.ask(client, Site::post(Site::ping(1), first)).status, 200);
  site.pass(10);
  const std::string third = site.begin(client);
  for (const std::string& session : {first, third}) {
    EXPECT_EQ(site.ask(client, Site::post(Site::ping(1), session)).status, 200);
  }
  EXPECT_EQ(site.ask(client, Site::post(Site::ping(1), second)).status, 404);
  client.leave();
}

// ---- Slow clients ------------------------------------------------------------------------------------------------

TEST_F(Sockets, ServesRequestsSentByteByByte) {
  Site site;
  const std::string session = site.begin();
  const std::string request = Site::post(Site::ping(1), session);
  TcpClient slow = site.connect();
  TcpClient other = site.connect();
  for (const char& byte : request) {
    slow.send({&byte, 1});
    site.run();
    EXPECT_EQ(site.ask(other, Site::post(Site::ping(2), session)).body, Site::pong(2));
  }
  EXPECT_EQ(site.answer(slow).body, Site::pong(1));
}

// One request stops in its head, the other one in its body.
TEST_F(Sockets, RejectsARequestThatNeverEnds) {
  Site site;
  const std::string session = site.begin();
  const std::string request = Site::post(Site::ping(1), session);
  for (const std::size_t cut : {std::size_t{10}, request.size() - 1}) {
    TcpClient slow = site.connect();
    TcpClient other = site.connect();
    slow.send(request.substr(0, cut));
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(site.ask(other, Site::post(Site::ping(2), session)).body, Site::pong(2));
      EXPECT_EQ(slow.received(), "");
      site.pass(i < 9 ? 1'000 : 999);
    }
    EXPECT_EQ(slow.received(), "");
    site.pass(1);
    EXPECT_EQ(site.answer(slow).status, 408);
    EXPECT_TRUE(site.until([&] { return slow.ended(); }));
    slow.leave();
    other.leave();
    site.expect_nothing_left();
  }
}

TEST_F(Sockets, ClosesAReaderThatNeverReads) {
  Network<usual, 65'536> site(*test::find_definition("full"));
  test::limit_send_buffers(site.listener.port());
  test::device.large = 60'000;
  TcpClient other = site.connect();
  const std::string session = site.begin(other);
  TcpClient slow = site.connect(1);
  slow.send(
      Site::post(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://large"}})", session));
  site.run();
  EXPECT_TRUE(site.is_stuck());
  int seconds = 0;
  for (; site.is_stuck() && seconds < 200; ++seconds) {
    EXPECT_EQ(site.ask(other, Site::post(Site::ping(seconds), session)).body, Site::pong(seconds));
    site.pass(1'000);
  }
  EXPECT_GE(seconds, 60);
  EXPECT_LT(seconds, 200);  // the time begins again when the kernel accepts bytes late
  EXPECT_EQ(site.links_in_use(), 1U);
  EXPECT_TRUE(site.until([&] { return slow.ended() || slow.broken(); }));
  EXPECT_EQ(slow.take_answer().status, 0);
  other.leave();
  slow.leave();
  site.expect_nothing_left();
  site.expect_next_is_served();
}

TEST_F(Sockets, SlowReaderGetsAllBytes) {
  Network<usual, 65'536> site(*test::find_definition("full"));
  test::limit_send_buffers(site.listener.port());
  test::device.large = 60'000;
  const std::string session = site.begin();
  TcpClient slow = site.connect(1);
  slow.send(
      Site::post(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://large"}})", session));
  TcpClient::Answer answer;
  for (int i = 0; i < 1'000 && answer.status == 0; ++i) {
    site.pass(50'000);  // less than the time in which a client must read a byte
    std::size_t before = slow.received().size();
    EXPECT_TRUE(site.until([&] { return !site.is_stuck() || slow.received().size() != before; }));
    answer = slow.take_answer();
    if (!site.is_stuck() && answer.status == 0) answer = site.answer(slow);
  }
  EXPECT_EQ(answer.status, 200);
  EXPECT_GT(answer.body.size(), 60'000U);
}

// The server closes a stream that its client does not read. The call continues.
TEST_F(Sockets, ClosesAnUnreadStream) {
  Site site;
  test::limit_send_buffers(site.listener.port());
  TcpClient other = site.connect();
  const std::string session = site.begin(other);
  TcpClient slow = site.connect(1);
  slow.send(Site::post(Site::call("chatter"), session));
  EXPECT_TRUE(site.until([&] { return site.is_stuck(); }));
  int seconds = 0;
  for (; site.is_stuck() && seconds < 200; ++seconds) {
    EXPECT_EQ(site.ask(other, Site::post(Site::ping(seconds), session)).body, Site::pong(seconds));
    site.pass_busily(1'000);
  }
  EXPECT_GE(seconds, 60);
  EXPECT_LT(seconds, 200);
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(site.ask(other, Site::post(cancel, session)).status, 202);
  EXPECT_TRUE(site.until([&] { return slow.ended() || slow.broken(); }));
  other.leave();
  slow.leave();
  site.expect_nothing_left();
}

TEST_F(Sockets, ServesTwoClientsWithAStreamEach) {
  Site site;
  TcpClient a = site.connect();
  TcpClient b = site.connect();
  const std::string first = site.begin(a);
  const std::string second = site.begin(b);
  a.send(Site::post(Site::count_to(3, 1), first));
  b.send(Site::post(Site::count_to(2, 2), second));
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(site.comes(a, "id: 1-0\ndata: \n\n"));
    site.pass(100);
  }
  EXPECT_TRUE(site.comes(a, "\r\n0\r\n\r\n"));
  EXPECT_TRUE(site.comes(b, "\r\n0\r\n\r\n"));
  EXPECT_NE(a.received().find("\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"counted to 3\""),
            std::string::npos);
  EXPECT_NE(b.received().find("\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"counted to 2\""),
            std::string::npos);
  EXPECT_EQ(a.received().find("counted to 2"), std::string::npos);
  EXPECT_EQ(b.received().find("counted to 3"), std::string::npos);
  a.leave();
  b.leave();
  site.expect_nothing_left();
}

// ---- The end of a connection -------------------------------------------------------------------------------------

// A client that reads the response only after it has sent everything.
TEST_F(Sockets, ClientReadsTheErrorForARejectedMegabyte) {
  struct Case {
    std::string head;
    int status;
  };
  const std::string length = "Content-Length: 1000000\r\n";
  const std::string fields = "Host: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n";
  const Case cases[] = {{"POST /mcp HTTP/1.1\r\n" + fields + length + "\r\n", 413},
                        {"POST /mcp HTTP/1.1\r\n" + fields + "Transfer-Encoding: chunked\r\n\r\nF4240\r\n", 413},
                        {"POST /no HTTP/1.1\r\n" + fields + "Content-Length: 4000\r\n\r\n", 404},
                        {"PUT /mcp HTTP/1.1\r\n" + fields + "Content-Length: 4000\r\n\r\n", 405},
                        {"POST /mcp HTTP/1.1\r\n" + fields, 400},
                        {"OPTIONS /mcp HTTP/1.1\r\n" + fields + "Content-Length: 4000\r\n\r\n", 204}};
  Site site;
  const std::string body(1'000'000, 'x');
  for (const Case& c : cases) {
    for (const std::size_t piece : {std::size_t{1'400}, std::size_t{65'536}, body.size()}) {
      SCOPED_TRACE(c.head + std::to_string(piece));
      TcpClient client = site.connect();
      client.send(c.head);
      for (std::size_t sent = 0; sent < body.size();) {
        std::size_t now = 0;
        EXPECT_TRUE(site.until([&] {
          now = client.send_some(std::string_view(body).substr(sent, piece));
          return now != 0;
        }));
        ASSERT_NE(now, 0U) << sent;
        sent += now;
        if (piece < body.size()) site.run();
      }
      const auto answer = site.answer(client);
      EXPECT_EQ(answer.status, c.head.ends_with("*/*\r\n") ? 431 : c.status);
      EXPECT_EQ(answer.header("Connection"), "close");
      EXPECT_TRUE(site.until([&] { return client.ended() || client.broken(); }));
      EXPECT_FALSE(client.broken());
      client.leave();
      site.expect_nothing_left();
    }
  }
  site.expect_next_is_served();
}

// The server discards input for the time of one request.
TEST_F(Sockets, ClosesAClientThatNeverStopsSending) {
  Site site;
  TcpClient client = site.connect();
  EXPECT_EQ(site.ask(client, "x\r\n\r\n").status, 400);
  const std::string piece(10'000, 'x');
  for (int i = 0; i < 10; ++i) {
    EXPECT_NE(client.send_some(piece), 0U);
    site.pass(1'000);
  }
  EXPECT_EQ(site.links_in_use(), 0U);
  site.expect_next_is_served();
}

// The client has its response and does not close its end.
TEST_F(Sockets, EvictsHalfClosedConnectionForWaitingClient) {
  Site site;
  std::vector<TcpClient> clients;
  for (std::size_t i = 0; i < usual.connections; ++i) {
    clients.push_back(site.connect());
    EXPECT_EQ(site.ask(clients.back(), "x\r\n\r\n").status, 400);
  }
  TcpClient next = site.connect();
  next.send(Site::post(Site::initialize()));
  site.run();
  EXPECT_EQ(next.received(), "");
  site.pass(1'000);
  EXPECT_EQ(site.answer(next).status, 200);
}

// ---- Sleep of the main loop --------------------------------------------------------------------------------------

// Work that must wait does not wake the server, which would never sleep then.
TEST_F(Sockets, SleepsWhileNothingCanContinue) {
  Site site(*test::find_definition("full"));
  test::limit_send_buffers(site.listener.port());
  TcpClient first = site.connect();
  const std::string session = site.begin(first);
  const std::string subscribe =
      R"({"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"test://counter"}})";
  EXPECT_EQ(site.ask(first, Site::post(subscribe, session)).status, 200);
  // A stalled stream whose client has sent its next request.
  TcpClient stuck = site.connect(1);
  stuck.send(Site::get(session));
  // The kernel may move bytes on and then has space again. Repeat until the stream stalls for 100 turns.
  int stands = 0;
  for (int i = 0; i < 10'000 && stands < 100; ++i) {
    stands = site.is_stuck() ? stands + 1 : 0;
    if (stands == 0) {
      EXPECT_TRUE(test::act(site.bench.server, "update test://counter"));
    } else {
      site.listener.wait(1);
    }
    site.run();
  }
  EXPECT_TRUE(site.is_stuck());
  stuck.send(Site::post(Site::ping(1), session));
  // Incomplete requests use all other connections.
  std::vector<TcpClient> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(site.connect());
    clients.back().send("P");
  }
  first.send("P");
  site.run();
  EXPECT_EQ(site.links_in_use(), 4U);
  int slept = 0;
  for (int i = 0; i < 10; ++i) {
    EXPECT_GT(site.run(), 1'000U);
    const mcp::Millis begin = mcp::posix::now();
    site.listener.wait(20);
    slept += mcp::posix::now() - begin >= 19 ? 1 : 0;
  }
  EXPECT_GE(slept, 8);  // the kernel may wake the server once or twice
  EXPECT_TRUE(site.is_stuck());
  clients.clear();
  stuck.leave();
  first.leave();
  site.expect_nothing_left();
}

}  // namespace
