// SPDX-License-Identifier: Apache-2.0
// The standalone stream of a session, and streams that a client resumes. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// ---- The standalone stream ---------------------------------------------------------------------------------------

TEST(HttpTransport, SendsUpdatesListChangesAndLogsOnTheSessionStream) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(subscribe("test://here"), session)).status, 200);
  EXPECT_EQ(site.ask(client, post(test::set_debug, session)).status, 200);
  HttpClient listener = site.listen(session);
  EXPECT_TRUE(test::act(site.bench.server, "disable content"));
  site.run();
  EXPECT_EQ(data_of(listener.events()), Texts{std::string(tools_changed)});
  EXPECT_TRUE(test::act(site.bench.server, "log error valve It is stuck."));
  site.run();
  EXPECT_EQ(data_of(listener.events()),
            Texts{R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"valve",)"
                  R"("data":"It is stuck."}})"});
  EXPECT_FALSE(listener.ended());
}

TEST(HttpTransport, SendsUpdatesOnTheSessionStream) {
  Site site(*test::find_definition("full"));
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(subscribe("test://counter"), session)).status, 200);
  HttpClient listener = site.listen(session);
  for (const char* const action : {"update test://counter", "update_from_isr test://counter"}) {
    EXPECT_TRUE(test::act(site.bench.server, action));
    site.run();
    EXPECT_EQ(data_of(listener.events()), Texts{updated("test://counter")}) << action;
  }
}

TEST(HttpTransport, NotificationsWaitForAStream) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_TRUE(test::act(site.bench.server, "disable content"));
  site.pass(1000);  // the device must not poll without a pause
  HttpClient listener = site.connect();
  EXPECT_TRUE(site.ask(listener, get(session)).streams);
  EXPECT_EQ(data_of(listener.events()), (Texts{"", std::string(tools_changed)}));
}

TEST(HttpTransport, IdleDeviceSleeps) {
  Site site(test::input_requests);  // its keep-alive is due every minute, also without a stream
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  site.pass(61'000);
  EXPECT_GT(site.run(), 0U);
  client.leave();
  EXPECT_GT(site.run(), 0U);
}

TEST(HttpTransport, SecondStreamReplacesTheFirst) {
  Site site;
  const std::string session = site.begin();
  HttpClient first = site.listen(session);
  HttpClient second = site.listen(session);
  EXPECT_EQ(first.events().size(), 0U);
  EXPECT_TRUE(first.ended());
  EXPECT_FALSE(first.connection().closed());
  EXPECT_EQ(site.ask(first, post(ping(), session)).body, pong());
  EXPECT_TRUE(test::act(site.bench.server, "disable content"));
  site.run();
  EXPECT_EQ(data_of(second.events()), Texts{std::string(tools_changed)});
}

TEST(HttpTransport, ClosesAReplacedStreamThatTakesNothing) {
  for (std::size_t call = 1; call <= 6; ++call) {
    Site site(test::features, {.write_limit = 40});
    const std::string session = site.begin();
    HttpClient first = site.connect();
    first.connection().wire.write_fault = {call, mcp::IoStatus::would_block, true};
    first.send(get(session));
    site.run();
    HttpClient second = site.listen(session);
    first.connection().wire.write_fault = {};
    site.run();
    const bool streams = first.response().streams;
    EXPECT_LE(streams ? first.events().size() : 0, 1U);
    EXPECT_TRUE(first.ended() || first.connection().closed());
    EXPECT_TRUE(test::act(site.bench.server, "disable content"));
    site.run();
    EXPECT_EQ(data_of(second.events()), Texts{std::string(tools_changed)});
  }
}

// ---- Resumption --------------------------------------------------------------------------------------------------

TEST(HttpTransport, ResumesARunningStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(4), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(data_of(events), (Texts{"", counting(0, 4)}));
  client.leave();
  site.pass(200);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[1].id + "\r\n");
  EXPECT_EQ(data_of(again.events()), (Texts{counting(1, 4), counting(2, 4)}));
  EXPECT_FALSE(again.ended());
  site.pass(200);
  EXPECT_EQ(data_of(again.events()), (Texts{counting(3, 4), counted(4)}));
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ResumesAStreamFromItsFirstEvent) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(1), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(200);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  const std::vector<HttpEvent> replayed = again.events();
  EXPECT_EQ(data_of(replayed), (Texts{counting(0, 1), counted(1)}));
  ASSERT_EQ(replayed.size(), 2U);
  EXPECT_EQ(replayed[0].id, events[1].id);  // a replayed event keeps its id
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ResumesAStreamWithAnOpenConnection) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_TRUE(client.connection().closed());
  site.pass(200);
  EXPECT_EQ(data_of(again.events()), (Texts{counting(0, 2), counting(1, 2), counted(2)}));
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ReplaysAnEndedStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  site.pass(200);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 4U);
  EXPECT_TRUE(client.ended());
  for (int i = 0; i < 2; ++i) {  // for each request, also on the same connection
    EXPECT_TRUE(site.ask(client, get(session + "Last-Event-ID: " + events[2].id + "\r\n")).streams);
    EXPECT_EQ(data_of(client.events()), Texts{counted(2)});
    EXPECT_TRUE(client.ended());
  }
  expect_rejection(site.ask(client, get(session + "Last-Event-ID: " + events[3].id + "\r\n")), 400);
}

TEST(HttpTransport, ReportsLostEvents) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 300};
  Site<small> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(9), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(600);  // six more events, of which the ring stores two
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[1].id + "\r\n");
  const std::vector<HttpEvent> replayed = again.events();
  const Texts data = data_of(replayed);
  EXPECT_EQ(data, (Texts{"(4 events were lost)", counting(5, 9), counting(6, 9)}));
  ASSERT_GE(replayed.size(), 2U);
  EXPECT_EQ(replayed[0].id, "");
  site.pass(1000);
  EXPECT_EQ(data_of(again.events()), (Texts{counting(7, 9), counting(8, 9), counted(9)}));
}

// A call that counts to `steps` loses its client after two events. The client resumes its stream, and the device cannot
// finish the `blocked`th write before the events of a call that counts to `others` have taken space in the ring.
template <class AnySite>
HttpClient resume_slowly(AnySite& site, int steps, std::size_t blocked, int others) {
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(steps), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(events.size(), 2U);
  client.leave();
  site.pass(200);
  HttpClient slow = site.connect();
  slow.connection().wire.write_fault = {blocked, mcp::IoStatus::would_block, true};
  slow.send(get(session + "Last-Event-ID: " + events.at(1).id + "\r\n"));
  site.run();
  HttpClient other = site.connect();
  EXPECT_TRUE(site.ask(other, post(count_to(others, 2), session)).streams);
  site.pass(static_cast<mcp::Millis>(100 * others));
  slow.connection().wire.write_fault = {};
  site.pass(1000);
  EXPECT_TRUE(slow.response().streams);
  return slow;
}

// Also if other events replace them after the begin of the stream, and before they are sent.
TEST(HttpTransport, ReportsLostEventsOfACallThatHasEnded) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 300};
  Site<small> site;
  HttpClient again = resume_slowly(site, 2, 1, 9);
  EXPECT_EQ(data_of(again.events()), Texts{"(2 events were lost)"});
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, WithoutAReplayRingReplaysNothing) {
  constexpr mcp::HttpLimits none{.connections = 3, .head_size = 512};
  Site<none> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(100);
  // The call still runs. The client gets the number of lost events, and the later events.
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{"(2 events were lost)"});
  site.pass(100);
  EXPECT_EQ(data_of(again.events()), Texts{counted(2)});
  HttpClient late = site.connect();
  expect_rejection(site.ask(late, get(session + "Last-Event-ID: " + events[0].id + "\r\n")), 400);
}

// The ring stores the name of the event, so that the client learns of the loss.
TEST(HttpTransport, ReportsAnEventLongerThanTheRingAsLost) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 100};
  Site<small> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_GT(events[1].data->size(), small.replay_size);
  client.leave();
  site.pass(100);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{"(2 events were lost)"});
  site.pass(100);
  EXPECT_EQ(data_of(again.events()), Texts{counted(2)});
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, StreamThatCannotBeResumedEndsWithItsCall) {
  constexpr mcp::HttpLimits none{.connections = 2, .head_size = 512, .resumable = false};
  Site<none> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(100);
  HttpClient again = site.connect();
  expect_rejection(site.ask(again, get(session + "Last-Event-ID: " + events[0].id + "\r\n")), 400);
  site.pass(300);
  // The lost stream has released its exchange.
  HttpClient other = site.listen(session);
  HttpClient third = site.connect();
  EXPECT_TRUE(site.ask(third, post(count_to(1), session)).streams);
}

TEST(HttpTransport, ResumesTheSessionStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient first = site.connect();
  EXPECT_TRUE(site.ask(first, get(session)).streams);
  std::vector<HttpEvent> events = first.events();
  ASSERT_EQ(events.size(), 1U);
  std::string last = events[0].id;
  std::vector<std::string> ids{last};
  for (int i = 0; i < 3; ++i) {
    first.leave();
    site.run();
    EXPECT_TRUE(first.connection().closed());
    first = site.listen(session, "Last-Event-ID: " + last + "\r\n");
    EXPECT_EQ(first.events().size(), 0U);
    EXPECT_FALSE(first.ended());
    EXPECT_TRUE(test::act(site.bench.server, i % 2 == 0 ? "disable content" : "enable content"));
    site.run();
    events = first.events();
    ASSERT_EQ(data_of(events), Texts{std::string(tools_changed)});
    EXPECT_EQ(std::count(ids.begin(), ids.end(), events[0].id), 0);
    last = events[0].id;
    ids.push_back(last);
  }
  // A client that missed events gets them again, and the stream continues.
  first.leave();
  site.run();
  first = site.listen(session, "Last-Event-ID: " + ids[1] + "\r\n");
  EXPECT_EQ(first.events().size(), 2U);
  EXPECT_FALSE(first.ended());
}

TEST(HttpTransport, RejectsAnUnknownEventId) {
  Site site;
  const std::string session = site.begin();
  for (const std::string_view id :
       {"", "1", "1-", "-1", "1-1", "99-0", "a-b", "1-1-1", "1234567890-1", "1 -1", "0-0", "4294967297-0"}) {
    HttpClient client = site.connect();
    expect_rejection(site.ask(client, get(session + "Last-Event-ID: " + std::string(id) + "\r\n")), 400);
  }
}

// ---- Replays of lost streams -------------------------------------------------------------------------------------

// The server replays an ended call for each request, also after a client has left within the replay.
TEST(HttpTransport, ReplaysAgainAfterALostReplay) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  site.pass(200);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 4U);
  client.leave();
  site.run();
  for (std::size_t at = 1; at <= 6; ++at) {
    HttpClient again = site.connect();
    again.connection().wire.write_limit = 60;
    again.connection().wire.write_fault = {at, mcp::IoStatus::failed};
    again.send(get(session + "Last-Event-ID: " + events[0].id + "\r\n"));
    site.run();
    EXPECT_TRUE(again.connection().closed());
    EXPECT_EQ(site.links_in_use(), 0U);
  }
  HttpClient last = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_EQ(data_of(last.events()), (Texts{counting(0, 2), counting(1, 2), counted(2)}));
}

// A second client resumes an ended call during the replay to the first client.
TEST(HttpTransport, ReplaysTheSameEventsToTwoClients) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  site.pass(200);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 4U);
  const std::string request = get(session + "Last-Event-ID: " + events[1].id + "\r\n");
  HttpClient slow = site.connect();
  slow.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};
  slow.send(request);
  site.run();
  HttpClient quick = site.connect();
  EXPECT_TRUE(site.ask(quick, request).streams);
  EXPECT_EQ(data_of(quick.events()), (Texts{counting(1, 2), counted(2)}));
  slow.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(slow.response().streams);
  EXPECT_EQ(data_of(slow.events()), (Texts{counting(1, 2), counted(2)}));
}

// A client that reads its replay slowly gets the number of events lost meanwhile, and the other events in order.
TEST(HttpTransport, SlowReplayReportsLostEvents) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 450};
  Site<small> site;
  HttpClient slow = resume_slowly(site, 9, 2, 6);
  int last = 0;
  int lost = 0;
  int got = 0;
  for (const HttpEvent& event : slow.events()) {
    if (!event.data) {
      lost += std::atoi(event.comment.c_str());
      continue;
    }
    const int number = std::atoi(event.id.c_str() + event.id.find('-') + 1);
    EXPECT_GT(number, last);
    last = number;
    ++got;
  }
  EXPECT_GT(lost, 0);
  EXPECT_EQ(got + lost, 9);  // of eleven events, two of which arrived before
  EXPECT_TRUE(slow.ended());
}

}  // namespace
