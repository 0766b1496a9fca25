// SPDX-License-Identifier: Apache-2.0
// Input requests of calls and tasks, and the streams that carry them. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// ---- Input requests ------------------------------------------------------------------------------------------------

constexpr std::string_view question =
    R"({"jsonrpc":"2.0","id":1000000001,"method":"elicitation/create","params":{"mode":"form","message":"Choose.",)"
    R"("requestedSchema":{"type":"object","properties":{"x":{"type":"string","enum":["a"],"enumNames":["A"]}}}}})";
constexpr std::string_view choice =
    R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":"accept","content":{"x":"a"}}})";
constexpr std::string_view chosen =
    R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"x\":\"a\"}"}]}})";

TEST(HttpTransport, SendsAnInputRequestOnTheStreamOfItsCall) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient listener = site.listen(session);
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  EXPECT_EQ(data_of(client.events()), (Texts{"", std::string(question)}));
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  EXPECT_EQ(data_of(client.events()), Texts{std::string(chosen)});
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(listener.events().size(), 0U);
  EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
}

TEST(HttpTransport, AcceptsAnInputResponseBeforeTheRequestIsSent) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};  // the input request
  client.send(post(call("hand", 4), session));
  site.run();
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  client.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(client.response().streams);
  EXPECT_EQ(data_of(client.events()), (Texts{"", std::string(question), std::string(chosen)}));
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, ResultSurvivesTheConnectionOfItsInputResponse) {
  for (const bool question_is_lost : {false, true}) {
    Site site(test::input_requests);
    const std::string session = site.begin();
    HttpClient client = site.connect();
    client.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};
    client.send(post(call("hand", 4), session));
    site.run();
    HttpClient other = site.connect();
    other.connection().wire.write_fault = {1, mcp::IoStatus::failed};
    other.send(post(choice, session));
    site.run();
    client.connection().wire.write_fault = {};
    if (question_is_lost) {
      const std::size_t next = client.connection().wire.writes() + 1;
      client.connection().wire.write_fault = {next, mcp::IoStatus::failed};
    }
    site.run();
    EXPECT_TRUE(client.response().streams);
    std::vector<HttpEvent> events = client.events();
    ASSERT_GE(events.size(), 1U);
    if (!question_is_lost) {
      EXPECT_EQ(data_of(events), (Texts{"", std::string(question), std::string(chosen)}));
      continue;
    }
    HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
    EXPECT_EQ(data_of(again.events()), (Texts{std::string(question), std::string(chosen)}));
    EXPECT_TRUE(again.ended());
  }
}

// Begins a call with an input request, and loses its connection. Returns the id of the last event.
std::string lose_a_question(Site<>& site, const std::string& session) {
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(events.size(), 2U);
  client.leave();
  site.run();
  return events.back().id;
}

TEST(HttpTransport, StoresAResponseForALostStream) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  const std::string last_event = lose_a_question(site, session);
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  HttpClient again = site.listen(session, "Last-Event-ID: " + last_event + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{std::string(chosen)});
  EXPECT_TRUE(again.ended());
}

// The output after a response waits in the exchange of the response, until the server has served all streams.
TEST(HttpTransport, LostStreamStaysUntilItsLastEventIsStored) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  const std::string last_event = lose_a_question(site, session);
  HttpClient other = site.connect();
  std::string request = post(choice, session);
  const std::size_t head = request.size() - choice.size();
  for (const std::size_t size :
       {head, choice.size() - 3, std::size_t{1}, std::size_t{1}, std::size_t{1}}) {  // the poll ends after the last one
    other.send(request.substr(0, size));
    request.erase(0, size);
  }
  site.run();
  EXPECT_EQ(other.response().status, 202);
  HttpClient again = site.listen(session, "Last-Event-ID: " + last_event + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{std::string(chosen)});
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ResponseGoesToOneOfTwoLostStreams) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  std::vector<std::string> last;
  for (const int id : {4, 5}) {
    HttpClient client = site.connect();
    EXPECT_TRUE(site.ask(client, post(call("hand", id), session)).streams);
    const std::vector<HttpEvent> events = client.events();
    ASSERT_EQ(events.size(), 2U);
    last.push_back("Last-Event-ID: " + events[1].id + "\r\n");
    client.leave();
    site.run();
  }
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(decline(2), session)).status, 202);
  HttpClient first = site.listen(session, last[0]);
  EXPECT_EQ(data_of(first.events()), Texts{});
  EXPECT_FALSE(first.ended());
  HttpClient second = site.listen(session, last[1]);
  EXPECT_NE(data_of(second.events()).back().find("declined"), std::string::npos);
  EXPECT_TRUE(second.ended());
}

// Another connection cancels the call. The cancellation of the input request goes to the stream of the call.
TEST(HttpTransport, CancelsAnInputRequestOnTheStreamOfItsCall) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  EXPECT_EQ(client.events().size(), 2U);
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}})";
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(cancel, session)).status, 202);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 1U);
  constexpr std::string_view cancelled = R"("notifications/cancelled","params":{"requestId":1000000001)";
  EXPECT_NE(data[0].find(cancelled), std::string::npos) << data[0];
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, InputRequestWithoutAResponseTimesOut) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  site.pass(500);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 4U);
  EXPECT_NE(data[2].find("notifications/cancelled"), std::string::npos);
  EXPECT_NE(data[3].find("timed out"), std::string::npos);
  EXPECT_TRUE(client.ended());
}

// Two input responses arrive at once, each for the stream of its own call, while neither stream accepts a byte.
TEST(HttpTransport, ResponsesForTwoStreamsWaitForTheirOwnStream) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  EXPECT_TRUE(site.ask(first, post(call("hand", 4), session)).streams);
  EXPECT_TRUE(site.ask(second, post(call("hand", 5), session)).streams);
  EXPECT_EQ(first.events().size(), 2U);
  EXPECT_EQ(second.events().size(), 2U);
  for (HttpClient* const client : {&first, &second}) {
    client->connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  }
  HttpClient other = site.connect();
  HttpClient another = site.connect();
  EXPECT_EQ(site.ask(other, post(decline(1), session)).status, 202);
  EXPECT_EQ(site.ask(another, post(decline(2), session)).status, 202);
  first.connection().wire.write_fault = {};
  second.connection().wire.write_fault = {};
  site.run();
  EXPECT_NE(data_of(first.events()).back().find("declined"), std::string::npos);
  EXPECT_NE(data_of(second.events()).back().find("declined"), std::string::npos);
  EXPECT_TRUE(first.ended());
  EXPECT_TRUE(second.ended());
}

// Output that waits for one stream delays no other stream.
TEST(HttpTransport, PendingResponseDelaysNoOtherStream) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient blocked = site.connect();
  HttpClient other = site.connect();
  blocked.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};  // the input request
  blocked.send(post(call("hand", 4), session));
  site.run();
  EXPECT_TRUE(site.ask(other, post(call("hand", 5), session)).streams);
  EXPECT_EQ(other.events().size(), 2U);
  HttpClient answers = site.connect();
  HttpClient more = site.connect();
  EXPECT_EQ(site.ask(answers, post(decline(1), session)).status, 202);
  EXPECT_EQ(site.ask(more, post(decline(2), session)).status, 202);
  EXPECT_NE(data_of(other.events()).back().find("declined"), std::string::npos);
  EXPECT_TRUE(other.ended());
  blocked.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(blocked.response().streams);
  EXPECT_NE(data_of(blocked.events()).back().find("declined"), std::string::npos);
}

// ---- Tasks -------------------------------------------------------------------------------------------------------

TEST(HttpTransport, TasksContinueWithoutAStream) {
  Site site(test::input_requests);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse created = site.ask(client, post(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                                                     R"({"name":"slow","arguments":{"how":""},"task":{}}})",
                                                     session));
  const std::size_t at = created.body.find(R"("taskId":")");
  ASSERT_NE(at, std::string::npos) << created.body;
  const std::string id = created.body.substr(at + 10, 32);
  const auto about = [&](std::string_view method) {
    return post(
        R"({"jsonrpc":"2.0","id":5,"method":")" + std::string(method) + R"(","params":{"taskId":")" + id + R"("}})",
        session);
  };
  EXPECT_NE(site.ask(client, about("tasks/get")).body.find("\"working\""), std::string::npos);
  EXPECT_GT(site.run(), 0U);
  site.pass(100);
  EXPECT_NE(site.ask(client, about("tasks/get")).body.find("\"completed\""), std::string::npos);
  const HttpResponse result = site.ask(client, about("tasks/result"));
  EXPECT_EQ(result.status, 200);
  const std::string text = result.streams ? client.events().back().data.value_or("") : result.body;
  EXPECT_NE(text.find("slept"), std::string::npos) << text;
  // The client gets the status when it opens the standalone stream.
  HttpClient listener = site.connect();
  EXPECT_TRUE(site.ask(listener, get(session)).streams);
  EXPECT_EQ(listener.events().size(), 2U);
  site.pass(60'000);  // the server removes the task
  HttpClient late = site.connect();
  EXPECT_NE(site.ask(late, about("tasks/get")).body.find("\"error\""), std::string::npos);
}

TEST(HttpTransport, TasksResultWaitsOnAStream) {
  Site site(test::input_requests);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse created = site.ask(client, post(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                                                     R"({"name":"slow","arguments":{"how":"ask"},"task":{}}})",
                                                     session));
  const std::size_t at = created.body.find(R"("taskId":")");
  ASSERT_NE(at, std::string::npos) << created.body;
  const std::string id = created.body.substr(at + 10, 32);
  const std::string wait = R"({"jsonrpc":"2.0","id":5,"method":"tasks/result","params":{"taskId":")" + id + R"("}})";
  EXPECT_TRUE(site.ask(client, post(wait, session)).streams);
  site.pass(100);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_NE(events[1].data->find("elicitation/create"), std::string::npos);
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 1U);
  EXPECT_NE(data[0].find("chosen"), std::string::npos);
  EXPECT_TRUE(client.ended());
}

// A running task, and the tasks/result that waits for it.
struct AwaitedTask {
  explicit AwaitedTask(Site<>& the_site) : site(the_site) {
    HttpClient client = site.connect();
    session = site.begin(client);
    const HttpResponse created = site.ask(client, post(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                                                       R"({"name":"slow","arguments":{"how":"x"},"task":{}}})",
                                                       session));
    const std::size_t at = created.body.find(R"("taskId":")");
    EXPECT_NE(at, std::string::npos) << created.body;
    if (at != std::string::npos) task = created.body.substr(at + 10, 32);
    client.leave();
  }
  [[nodiscard]] std::string wait(int id) const {
    return post(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tasks/result","params":{"taskId":")" +
                    task + R"("}})",
                session);
  }

  Site<>& site;
  std::string session;
  std::string task;
};

constexpr std::string_view replaced = R"("error":{"code":-32600,"message":"A newer tasks/result replaced this one."}})";

// A request with a lost connection does not block the same request on a new connection.
TEST(HttpTransport, TasksResultCanBeRepeatedAfterALostConnection) {
  Site site(test::input_requests);
  const AwaitedTask task(site);
  HttpClient lost = site.connect();
  EXPECT_TRUE(site.ask(lost, task.wait(5)).streams);
  lost.leave();
  site.run();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, task.wait(6)).streams);
  site.pass(100);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_NE(data[1].find(R"("id":6,"result":{"content":[{"type":"text","text":"slept"}])"), std::string::npos)
      << data[1];
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, SecondTasksResultEndsTheFirstWithAnError) {
  Site site(test::input_requests);
  const AwaitedTask task(site);
  HttpClient older = site.connect();
  EXPECT_TRUE(site.ask(older, task.wait(5)).streams);
  HttpClient newer = site.connect();
  EXPECT_TRUE(site.ask(newer, task.wait(6)).streams);
  EXPECT_EQ(data_of(older.events()), (Texts{"", R"({"jsonrpc":"2.0","id":5,)" + std::string(replaced)}));
  EXPECT_TRUE(older.ended());
  site.pass(100);
  const Texts data = data_of(newer.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_NE(data[1].find(R"("id":6,"result")"), std::string::npos) << data[1];
}

// Two tasks/result of a client that reads nothing wait. A third one is rejected until the first gets its error.
TEST(HttpTransport, RejectsAThirdTasksResult) {
  Site site(test::input_requests);
  const AwaitedTask task(site);
  HttpClient stalled = site.connect();
  stalled.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  stalled.send(task.wait(5));
  site.run();
  HttpClient second = site.connect();
  EXPECT_TRUE(site.ask(second, task.wait(6)).streams);
  HttpClient third = site.connect();
  const HttpResponse refused = site.ask(third, task.wait(7));
  EXPECT_FALSE(refused.streams);
  EXPECT_NE(refused.body.find(R"("id":7,"error":{"code":-32600)"), std::string::npos) << refused.body;
  stalled.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(stalled.response().streams);
  EXPECT_EQ(data_of(stalled.events()), (Texts{"", R"({"jsonrpc":"2.0","id":5,)" + std::string(replaced)}));
  EXPECT_TRUE(site.ask(third, task.wait(8)).streams);
  EXPECT_EQ(data_of(second.events()), (Texts{"", R"({"jsonrpc":"2.0","id":6,)" + std::string(replaced)}));
  site.pass(100);
  EXPECT_NE(data_of(third.events()).back().find(R"("id":8,"result")"), std::string::npos);
}

}  // namespace
