// SPDX-License-Identifier: Apache-2.0
#include "simulator/adversary.hpp"

#include <algorithm>
#include <cstdlib>

namespace sim {
namespace {

constexpr Time for_ever = 10'000'000;

}  // namespace

void Adversary::start() {
  ++simulation_.counts["attacks"];
  after(1 + simulation_.random.below(3000), [this] {
    switch (attack_) {
      case Attack::flood: return flood();
      case Attack::keep_sessions: return keep_sessions();
      case Attack::first_byte: return first_byte();
      case Attack::slow_bytes: return slow_bytes();
      case Attack::no_reader: return no_reader();
      case Attack::gone_callers: return gone_callers();
      case Attack::late_byte: return late_byte();
      case Attack::late_reader: return late_reader();
      case Attack::sse_cycles: return sse_cycles();
      case Attack::log: return log();
      case Attack::hoard: return hoard();
      case Attack::hold_streams: return hold_streams();
      case Attack::guess_events: return guess_events();
    }
  });
}

// ---- Sessions ----------------------------------------------------------------------------------------------------

void Adversary::begin_session(std::function<void(const std::string&)> then) {
  const LinePtr line = connect();
  send(line, initialize(), [this, line, then = std::move(then)](const test::HttpResponse& response) {
    close(line);
    const std::string session = response.header("mcp-session-id");
    if (response.status != 200) return;
    own(Belonging::Kind::session, session);
    then(session);
  });
}

void Adversary::reuse_places(std::size_t count, std::function<void()> then) {
  const LinePtr line = connect();
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i)
    bytes += simulation_.random.one_in(3)
                 ? session_post("", request_of("initialize", R"("protocolVersion":"2025-11-25")"))
                 : initialize();
  const auto left = std::make_shared<std::size_t>(count);
  const auto taker = [this, line, left, then = std::move(then)](const test::HttpResponse& response) {
    if (response.status == 200 && response.header("mcp-session-id") != "(none)")
      own(Belonging::Kind::session, response.header("mcp-session-id"));
    if (--*left != 0) return;
    close(line);
    then();
  };
  for (std::size_t i = 1; i < count; ++i) line->takers.push_back(taker);
  send(line, bytes, taker);
}

void Adversary::end_session(const std::string& session, std::function<void()> then) {
  const LinePtr line = connect();
  send(line, session_delete(session), [this, line, then = std::move(then)](const test::HttpResponse& response) {
    close(line);
    if (response.status >= 300 && response.status != 404 && response.status != 408)
      complain("a session was not ended", std::to_string(response.status));
    if (response.status == 408) return;
    reuse_places(1 + simulation_.random.below(6), then);
  });
}

void Adversary::flood() {
  after(200 + simulation_.random.below(2000), [this] { flood(); });
  reuse_places(2 + simulation_.random.below(20), [] {});
}

void Adversary::keep_sessions() {
  after(1000 + simulation_.random.below(4000), [this] { keep_sessions(); });
  if (sessions_.size() < width_) begin_session([this](const std::string& session) { sessions_.push_back(session); });
  const std::vector<std::string> kept = sessions_;
  for (const std::string& session : kept) {
    const LinePtr line = connect();
    if (simulation_.random.one_in(4)) {  // its stream takes the place of the last one
      line->wire->stall(for_ever);
      send(line, session_get(session));
      after(20'000, [this, line] { close(line); });
      continue;
    }
    send(line, session_post(session, request_of("ping", "")),
         [this, line, session](const test::HttpResponse& response) {
           close(line);
           if (response.status == 404) std::erase(sessions_, session);
         });
  }
}

// ---- Connections -------------------------------------------------------------------------------------------------

void Adversary::first_byte() {
  for (std::size_t i = 0; i < width_; ++i) {
    const LinePtr line = connect();
    send(line, "P");
    after(10'000, [this, line] { close(line); });
  }
  after(9000, [this] { first_byte(); });
}

void Adversary::drip(const LinePtr& line, const std::string& bytes, std::size_t at) {
  if (line->over || at == bytes.size()) return close(line);
  send(line, bytes.substr(at, 1));
  after(900, [this, line, bytes, at] { drip(line, bytes, at + 1); });
}

void Adversary::slow_bytes() {
  for (std::size_t i = 0; i < width_; ++i) {
    const std::string request = session_post("", request_of("initialize", std::string(300, ' ')));
    const std::size_t at = simulation_.random.one_in(2) ? 0 : request.find("\r\n\r\n") + 4;
    const LinePtr line = connect();
    if (at != 0) send(line, request.substr(0, at));
    drip(line, request, at);
    after(12'000, [this, line] { close(line); });
  }
  after(11'000, [this] { slow_bytes(); });
}

void Adversary::no_reader() {
  for (std::size_t i = 0; i < std::min<std::size_t>(width_, 6); ++i) {
    const LinePtr line = connect();
    line->wire->stall(for_ever);
    for (int n = 0; n < 12; ++n) send(line, stateless_post("resources/read", "sim://large", R"("uri":"sim://large")"));
    after(30'000, [this, line] { close(line); });
  }
  after(29'000, [this] { no_reader(); });
}

void Adversary::gone_callers() {
  after(1000 + simulation_.random.below(4000), [this] { gone_callers(); });
  const std::string arguments = R"("label":")" + fresh_token() + R"(","to":20,"pause":3000)";
  const auto call = [this](const std::string& request) {
    const LinePtr line = connect();
    send(line, request);
    after(300 + simulation_.random.below(1000), [this, line] { close(line); });
  };
  if (simulation_.random.one_in(2))
    return call(stateless_post("tools/call", "count", R"("name":"count","arguments":{)" + arguments + "}"));
  if (sessions_.empty()) return begin_session([this](const std::string& session) { sessions_.push_back(session); });
  call(session_post(sessions_.back(), call_of("count", arguments)));
  if (simulation_.random.one_in(10)) sessions_.clear();
}

// ---- What comes after the end of its session ---------------------------------------------------------------------

// What the message does, were it served, is seen in the answer; the harm of some is seen elsewhere, too.
void Adversary::late_byte() {
  after(5000 + simulation_.random.below(5000), [this] { late_byte(); });
  begin_session([this](const std::string& session) {
    const std::string messages[] = {request_of("ping", ""),
                                    request_of("tools/list", ""),
                                    request_of("tasks/list", ""),
                                    request_of("resources/subscribe", R"("uri":"sim://0")"),
                                    R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                                    call_of("echo", R"("label":")" + fresh_token() + R"(","pad":0)")};
    const std::string request = session_post(session, messages[simulation_.random.below(std::size(messages))]);
    const LinePtr late = connect();
    send(late, request.substr(0, request.size() - 1));
    after(300 + simulation_.random.below(300), [this, session, late, last = request.back()] {
      end_session(session, [this, session, late, last] {
        after(simulation_.random.below(5000), [this, session, late, last] { finish_late(session, late, last); });
      });
    });
  });
}

void Adversary::finish_late(const std::string& session, const LinePtr& late, char last) {
  if (late->over) return;
  ++simulation_.counts["late bytes"];
  send(late, std::string(1, last), [this, session, late](const test::HttpResponse& response) {
    if (response.status < 300) complain("a message is served in a session that has ended", session);
    close(late);
  });
}

void Adversary::late_reader() {
  after(10'000 + simulation_.random.below(10'000), [this] { late_reader(); });
  begin_session([this](const std::string& session) {
    const LinePtr late = connect();
    send(late, session_get(session), [this, session, late](const test::HttpResponse& response) {
      if (!response.streams) return close(late);
      const Time stalled = 4000 + simulation_.random.below(6000);
      late->wire->stall(stalled);
      const LinePtr line = connect();
      send(line, session_post(session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
      for (int i = 0; i < 3; ++i)
        send(line,
             session_post(session, request_of("resources/subscribe", R"("uri":"sim://)" + std::to_string(i) + '"')));
      // More than the network holds, so that the device is in the middle of an event.
      for (int i = 0; i < 24; ++i)
        send(line, session_post(session, call_of("change", R"("row":)" + std::to_string(i % 3))));
      after(stalled - 2000, [this, session, line, late] {
        close(line);
        end_session(session, [this, late] { watch_late(late, simulation_.now() + 30'000); });
      });
    });
  });
}

void Adversary::watch_late(const LinePtr& late, Time until) {
  if (late->over || !late->streams) return close(late);
  if (simulation_.now() < until) return after(1000, [this, late, until] { watch_late(late, until); });
  complain("the stream of a session that has ended goes on");
}

void Adversary::sse_cycles() {
  after(500 + simulation_.random.below(2000), [this] { sse_cycles(); });
  if (simulation_.random.one_in(3)) post_to_ended();
  const LinePtr line = connect();
  send(line, head("GET", "/sse", "Accept: text/event-stream\r\n\r\n"),
       [this, line](const test::HttpResponse& response) {
         if (!response.streams) close(line);
       });
  line->on_event = [this, line](const test::HttpEvent& event) {
    constexpr std::string_view before = "/messages?sessionId=";
    if (event.type != "endpoint" || !event.data->starts_with(before)) return;
    own(Belonging::Kind::sse_session, event.data->substr(before.size()));
    // The device sees the end when it reads next.
    after(simulation_.random.below(500), [this, line, target = *event.data] {
      close(line);
      after(5000, [this, target] { sessions_.push_back(target); });
    });
  };
}

void Adversary::post_to_ended() {
  if (sessions_.empty()) return;
  const std::string target = sessions_[simulation_.random.below(sessions_.size())];
  const LinePtr line = connect();
  ++simulation_.counts["late messages"];
  send(line, post("", request_of("ping", ""), target), [this, line, target](const test::HttpResponse& response) {
    if (response.status < 300) complain("a message is taken for a stream that has ended", target);
    close(line);
  });
}

// ---- Calls -------------------------------------------------------------------------------------------------------

void Adversary::log() {
  const LinePtr line = connect();
  const std::string meta = simulation_.random.one_in(2) ? R"(,"io.modelcontextprotocol/logLevel":"debug")" : "";
  const std::size_t count = 1 + simulation_.random.below(8);
  for (std::size_t i = 0; i < count; ++i)
    send(line,
         stateless_post("tools/call", "log", R"("name":"log","arguments":{"label":")" + fresh_token() + "\"}", meta));
  after(300, [this, line] {
    close(line);
    log();
  });
}

void Adversary::hoard() {
  after(2000 + simulation_.random.below(3000), [this] { hoard(); });
  const auto hold = [this](const std::string& request, bool reads) {
    const LinePtr line = connect();
    if (!reads) line->wire->stall(for_ever);
    send(line, request);
    after(20'000, [this, line] { close(line); });
  };
  const std::string token = fresh_token();
  switch (simulation_.random.below(4)) {
    case 0:
      return hold(stateless_post("subscriptions/listen", "",
                                 R"("notifications":{"resourceSubscriptions":["sim://0","sim://1"]})"),
                  true);
    case 1: return hold(stateless_post("resources/read", "sim://large", R"("uri":"sim://large")"), false);
    case 2:
      return hold(stateless_post("tools/call", "count",
                                 R"("name":"count","arguments":{"label":")" + token + R"(","to":50,"pause":1000})"),
                  true);
    default: break;
  }
  if (sessions_.empty()) return begin_session([this](const std::string& session) { sessions_.push_back(session); });
  const LinePtr line = connect();
  send(line,
       session_post(sessions_.back(),
                    call_of("work", R"("label":")" + token + R"(","pause":60000)", R"(,"task":{"ttl":60000})")),
       [this, line](const test::HttpResponse& response) {
         close(line);
         if (response.status == 404) sessions_.clear();
       });
}

void Adversary::hold_streams() {
  after(10'000, [this] { hold_streams(); });
  if (sessions_.size() < width_) begin_session([this](const std::string& session) { sessions_.push_back(session); });
  for (std::size_t i = 0; i < width_; ++i) {
    const LinePtr line = connect();
    const bool in_session = i < sessions_.size();
    send(line,
         in_session ? session_get(sessions_[i])
                    : stateless_post("subscriptions/listen", "", R"("notifications":{"toolsListChanged":true})"),
         [this, line, in_session, i](const test::HttpResponse& response) {
           if (response.streams) return;
           close(line);
           if (in_session && response.status == 404 && i < sessions_.size()) sessions_.pop_back();
         });
    after(20'000, [this, line] { close(line); });
  }
}

// The adversary guesses other streams from the number of its own. It has started none of the streams that it can
// resume.
void Adversary::guess_events() {
  after(5000 + simulation_.random.below(5000), [this] { guess_events(); });
  begin_session([this](const std::string& session) {
    const LinePtr line = connect();
    send(line, session_get(session), [](const test::HttpResponse&) {});
    line->on_event = [this, line, session](const test::HttpEvent& event) {
      if (event.id.empty()) return;
      close(line);
      guess_event(session, std::atoi(event.id.c_str()) - 1, 12);
    };
  });
}

void Adversary::guess_event(const std::string& session, int number, int left) {
  if (number <= 0 || left == 0) return end_session(session, [] {});
  const LinePtr line = connect();
  send(line, session_get(session, std::to_string(number) + "-0"),
       [this, line, session, number, left](const test::HttpResponse& response) {
         close(line);
         ++simulation_.counts["streams guessed"];
         if (response.streams) complain("resumes a stream that it has not begun", std::to_string(number));
         if (response.status == 400) guess_event(session, number - 1, left - 1);
       });
}

}  // namespace sim
