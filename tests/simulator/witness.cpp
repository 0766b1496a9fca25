// SPDX-License-Identifier: Apache-2.0
#include "simulator/witness.hpp"

#include <algorithm>
#include <cstdlib>

#include "simulator/application.hpp"
#include "simulator/tracing.hpp"
#include "support/json.hpp"

namespace sim {
namespace {

constexpr Time call_time = 10'000;  // of a call that nothing disturbs
constexpr Time retry_time = 1000;   // after which a stream is opened again

}  // namespace

void Witness::start() {
  ++simulation_.counts["witnesses"];
  echo(true);
  if (terms_.listening) listen();
  if (terms_.session) begin();
}

void Witness::check() const {
  if (answers_ == 0) complain("was never served");
  if (terms_.session && terms_.calls && results_ == 0) complain("no call came to its end");
}

void Witness::expect(const std::string& what, Time within, const std::shared_ptr<bool>& done) {
  after(within, [this, what, within, done] {
    if (!*done)
      complain("is not served beside the strangers: no " + what + " within " + std::to_string(within) + " ms");
  });
}

void Witness::ask(const std::string& what, const std::string& request, Taker taker) {
  const auto done = std::make_shared<bool>(false);
  expect(what, terms_.answer, done);
  try_to_ask(request, done,
             [this, sent = simulation_.now(), taker = std::move(taker)](const test::HttpResponse& response) {
               ++answers_;
               ++simulation_.counts["answers to witnesses"];
               std::uint64_t& longest = simulation_.counts["longest wait of a witness"];
               longest = std::max<std::uint64_t>(longest, simulation_.now() - sent);
               taker(response);
             });
}

// A request that crosses the end of its connection is sent again.
void Witness::try_to_ask(const std::string& request, const std::shared_ptr<bool>& done, const Taker& taker) {
  const LinePtr line = connect();
  line->on_end = [this, request, done, taker] {
    if (!*done) try_to_ask(request, done, taker);
  };
  send(line, request, [this, line, done, taker](const test::HttpResponse& response) {
    *done = true;
    close(line);
    taker(response);
  });
}

// ---- Without a session -------------------------------------------------------------------------------------------

void Witness::echo(bool stateless) {
  const std::string token = fresh_token();
  const std::string arguments = R"("label":")" + token + R"(","pad":10)";
  const std::string request =
      stateless ? stateless_post("tools/call", "echo", R"("name":"echo","arguments":{)" + arguments + "}")
                : session_post(session_, call_of("echo", arguments));
  ask("answer to a call", request, [this, stateless, token](const test::HttpResponse& response) {
    if (response.status != 200 || response.body.find(token) == std::string::npos)
      complain("a call is not served", std::to_string(response.status) + " " + response.body);
    after(300 + simulation_.random.below(1500), [this, stateless] { echo(stateless); });
  });
}

// The server may reject endless streams for lack of connections. Connections have no shares.
void Witness::listen() {
  const LinePtr line = connect();
  const auto done = std::make_shared<bool>(false);
  expect("subscription", terms_.answer, done);
  line->on_end = [this, done] {
    *done = true;
    after(retry_time, [this] { listen(); });
  };
  send(line, stateless_post("subscriptions/listen", "", R"("notifications":{"resourceSubscriptions":["sim://0"]})"),
       [this, line, done](const test::HttpResponse& response) {
         *done = true;
         if (response.streams) return;
         if (response.status != 503) complain("a subscription is not served", response.body);
         close(line);
         after(5000, [this] { listen(); });
       });
}

// ---- In a session ------------------------------------------------------------------------------------------------

void Witness::begin() {
  ask("session", initialize(), [this](const test::HttpResponse& response) {
    if (response.status != 200) complain("gets no session", std::to_string(response.status) + " " + response.body);
    session_ = response.header("mcp-session-id");
    own(Belonging::Kind::session, session_);
    const std::string ready = session_post(session_, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    ask("acceptance", ready, [this](const test::HttpResponse&) {
      const std::string subscribe = request_of("resources/subscribe", R"("uri":"sim://0")");
      ask("subscription", session_post(session_, subscribe), [this](const test::HttpResponse&) {
        open_stream();
        change_value();
      });
      echo(false);
      if (terms_.calls) call();
    });
  });
}

// Notifications sent without a stream are lost, so the client reads the value again.
void Witness::open_stream() {
  const LinePtr line = connect();
  const auto done = std::make_shared<bool>(false);
  expect("stream", terms_.answer, done);
  line->on_end = [this, done] {
    *done = true;
    after(retry_time, [this] { open_stream(); });
  };
  line->on_event = [this](const test::HttpEvent& event) {
    if (!event.data || event.data->empty()) return;
    const auto message = test::parse_json(*event.data);
    if (message && message->text_at("method") == "notifications/resources/updated") read_value();
  };
  send(line, session_get(session_), [this, done](const test::HttpResponse& response) {
    *done = true;
    if (!response.streams) complain("has lost its session", std::to_string(response.status) + " " + response.body);
    read_value();
  });
}

void Witness::read_value() {
  const std::string read = request_of("resources/read", R"("uri":"sim://0")");
  ask("value", session_post(session_, read), [this](const test::HttpResponse& response) {
    const auto answer = test::parse_json(response.body);
    if (response.status != 200 || !answer) complain("a read is not served", response.body);
    const auto value = static_cast<std::uint32_t>(std::atoi(answer->text_at("result.contents.0.text").c_str()));
    known_ = std::max(known_, value);  // the responses to two reads may cross
  });
}

void Witness::change_value() {
  if (simulation_.tracing != nullptr) simulation_.tracing->note(Act::change);
  device.change(0);
  simulation_.wake();
  const auto value = device.values[0];
  // Told on the stream, or read when there is one again.
  after(3 * terms_.answer + retry_time, [this, value] {
    if (known_ < value) complain("was not told of a change");
    change_value();
  });
}

// ---- A call that takes its time ----------------------------------------------------------------------------------

void Witness::call() {
  token_ = fresh_token();
  last_event_.clear();
  done_ = std::make_shared<bool>(false);
  expect("result of a call", call_time + 3 * (terms_.answer + retry_time), done_);
  const LinePtr line = connect();
  follow(line);
  line->on_end = [this, done = done_, resumes = line->on_end] {
    if (*done || !last_event_.empty()) return resumes();
    *done = true;  // the request crossed the end of its connection
    call();
  };
  const std::string arguments = R"("label":")" + token_ + R"(","to":10,"pause":1000)";
  send(line, session_post(session_, call_of("count", arguments, R"(,"_meta":{"progressToken":")" + token_ + "\"}")),
       [this](const test::HttpResponse& response) {
         if (!response.streams) complain("a call is not served", std::to_string(response.status) + " " + response.body);
       });
}

void Witness::follow(const LinePtr& line) {
  line->on_event = [this, done = done_](const test::HttpEvent& event) {
    if (*done) return;
    if (!event.id.empty()) last_event_ = event.id;
    if (event.comment.ends_with("lost")) ++simulation_.counts["streams of witnesses with losses"];
    const auto message = event.data ? test::parse_json(*event.data) : std::optional<test::Json>();
    if (message && message->find("result") != nullptr) take_result(message->text_at("result.content.0.text"));
  };
  line->on_end = [this, done = done_] {
    if (!*done) after(retry_time, [this] { resume(); });
  };
}

void Witness::resume() {
  ++simulation_.counts["resumed by witnesses"];
  const LinePtr line = connect();
  follow(line);
  send(line, session_get(session_, last_event_), [this](const test::HttpResponse& response) {
    if (!response.streams) complain("cannot resume its call", std::to_string(response.status) + " " + response.body);
  });
}

void Witness::take_result(const std::string& text) {
  if (text != token_ + " counted to 10") complain("another result", text);
  *done_ = true;
  ++results_;
  after(500, [this] { call(); });
}

}  // namespace sim
