// SPDX-License-Identifier: Apache-2.0
// The states of an exchange: conversations visit each transition of the table, and take no other.
#include "http/connection.hpp"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "mcp/http/exchange_state.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;
using mcp::http::transitions;
using State = mcp::http::ExchangeState;
using Event = mcp::http::ExchangeEvent;
using Seen = std::set<std::pair<State, State>>;

State state_of(unsigned number) { return static_cast<State>(number); }
Event event_of(unsigned number) { return static_cast<Event>(number); }

// Records each change of a state. The server calls a port between any two transitions of these conversations.
template <class S>
void watch(S& site, Seen& seen) {
  const auto last = std::make_shared<std::vector<State>>();
  site.listener.on_call = [&site, &seen, last] {
    std::size_t index = 0;
    for (const mcp::http::Exchange& exchange : site.storage().exchanges) {
      if (last->size() == index) last->push_back(State::free);
      State& before = (*last)[index++];
      if (before != exchange.state) seen.insert({before, exchange.state});
      before = exchange.state;
    }
  };
}

void block(const HttpClient& client, std::size_t call = 1) {
  client.connection().wire.write_fault = {.call = call, .forever = true};
}
void unblock(const HttpClient& client) { client.connection().wire.write_fault = {}; }
void break_off(const HttpClient& client) {
  client.connection().wire.write_fault = {client.connection().wire.writes() + 1, mcp::IoStatus::failed};
}

// Sends a request in three pieces, so that the server reads twice within the head, and once within the body.
void give(HttpClient& client, std::string_view request) {
  const std::size_t first = std::min<std::size_t>(request.size(), 10);
  const std::size_t last = request.size() - (request.size() > first ? 1 : 0);
  client.send(request.substr(0, first));
  client.send(request.substr(first, last - first));
  client.send(request.substr(last));
}
template <class S>
HttpResponse ask(S& site, HttpClient& client, std::string_view request) {
  give(client, request);
  site.run();
  return client.response();
}

// Sends the first `size` bytes of a request, waits, and leaves.
template <class S>
void leave_after(S& site, std::string_view request, std::size_t size) {
  HttpClient client = site.connect();
  give(client, request.substr(0, size));
  site.run();
  client.leave();
  site.run();
}

std::size_t head_size(std::string_view request) { return request.find("\r\n\r\n") + 4; }

void requests(Seen& seen) {
  Site site;
  const std::string session = site.begin();
  watch(site, seen);
  const std::string request = post(ping(), session);
  leave_after(site, request, 0);
  leave_after(site, request, 10);
  leave_after(site, request, head_size(request) + 1);

  HttpClient keeps = site.connect();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ask(site, keeps, request).body, pong());
  keeps.leave();
  site.run();

  HttpClient client = site.connect();
  break_off(client);
  give(client, request);
  site.run();
  EXPECT_TRUE(client.connection().released());

  HttpClient rejected = site.connect();
  rejected.connection().stays = true;
  EXPECT_EQ(ask(site, rejected, get("")).status, 400);
  rejected.leave();
  site.run();
}

// A client that announces a long message, and reads no `100 Continue`.
template <class S>
HttpClient announce(S& site, const std::string& session) {
  HttpClient client = site.connect();
  block(client);
  const std::string request = post(ping() + std::string(1000, ' '), session + "Expect: 100-continue\r\n");
  give(client, request.substr(0, head_size(request)));
  site.run();
  return client;
}

void long_requests(Seen& seen) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512}, 512> site(features, {.receive_size = 2048});
  const std::string session = site.begin();
  watch(site, seen);
  const std::string request = post(ping() + std::string(1000, ' '), session);
  HttpClient first = site.connect();
  give(first, request.substr(0, request.size() - 1));
  site.run();
  HttpClient second = site.connect();
  give(second, request);
  site.run();
  first.send(" ");
  site.run();
  EXPECT_EQ(first.response().body, pong());
  EXPECT_EQ(second.response().body, pong());
  first.leave();
  site.run();

  const HttpClient slow = announce(site, session);
  site.pass(10'000);
  unblock(slow);
  site.run();
  second.leave();
  site.run();

  const HttpClient stalled = announce(site, session);
  HttpClient idle = site.connect();
  site.run();
  HttpClient next = site.connect();
  EXPECT_FALSE(stalled.connection().released());
  site.pass(1'000);
  EXPECT_TRUE(stalled.connection().released());
}

// A response to the first input request that is longer than the receive buffer.
std::string long_response() {
  return R"({"jsonrpc":"2.0","result":{"x":")" + std::string(3000, 'x') + R"("},"id":1000000001})";
}

HttpClient call_without_reader(Site<>& site, const std::string& session) {
  HttpClient client = site.connect();
  block(client, 2);
  give(client, post(call("hand", 4), session));
  site.run();
  return client;
}

void oversized_responses(Seen& seen) {
  Site site(input_requests);
  const std::string session = site.begin();
  watch(site, seen);
  const std::string request = post(long_response(), session);
  HttpClient caller = call_without_reader(site, session);
  HttpClient gone = site.connect();
  gone.connection().stays = true;
  give(gone, request.substr(0, request.size() - 10));
  site.run();
  EXPECT_EQ(gone.response().status, 413);
  gone.leave();
  site.run();

  HttpClient client = site.connect();
  client.connection().stays = true;
  give(client, request.substr(0, request.size() - 10));
  site.run();
  client.send(request.substr(request.size() - 10));
  site.pass(10'000);  // its error waits for the stream of the call, and its time is over
  EXPECT_TRUE(client.connection().released());
  unblock(caller);
  site.run();
  EXPECT_TRUE(caller.response().streams);
  EXPECT_NE(data_of(caller.events()).back().find("too large"), std::string::npos);
}

void input_responses(Seen& seen) {
  Site site(input_requests);
  const std::string session = site.begin();
  watch(site, seen);
  HttpClient caller = call_without_reader(site, session);
  HttpClient client = site.connect();
  break_off(client);
  give(client, post(decline(1), session));
  site.run();
  EXPECT_TRUE(client.connection().released());
  unblock(caller);
  site.run();
  EXPECT_TRUE(caller.response().streams);
  EXPECT_NE(data_of(caller.events()).back().find("declined"), std::string::npos);
}

// The session of a stream ends while its client reads no byte. The client then reads the end, or its connection breaks.
void end_of_session(Seen& seen, const std::function<std::string(Site<>&, const std::string&)>& prepare) {
  for (const bool breaks_off : {false, true}) {
    Site site;
    const std::string session = site.begin();
    watch(site, seen);
    HttpClient client = site.connect();
    block(client);
    give(client, prepare(site, session));
    site.run();
    HttpClient closer = site.connect();
    EXPECT_EQ(ask(site, closer, delete_request(session)).status, 200);
    breaks_off ? break_off(client) : unblock(client);
    site.run();
    EXPECT_EQ(client.response().streams, !breaks_off);
  }
}

// The client of a stream reads no byte, and then leaves.
void end_of_client(Seen& seen, const std::function<std::string(Site<>&, const std::string&)>& prepare) {
  Site site;
  const std::string session = site.begin();
  watch(site, seen);
  HttpClient client = site.connect();
  block(client);
  give(client, prepare(site, session));
  site.run();
  break_off(client);
  site.run();
  EXPECT_TRUE(client.connection().released());
}

// The client reads the whole stream.
void whole_stream(Seen& seen, const std::function<std::string(Site<>&, const std::string&)>& prepare) {
  Site site;
  const std::string session = site.begin();
  watch(site, seen);
  HttpClient client = site.connect();
  EXPECT_TRUE(ask(site, client, prepare(site, session)).streams);
  site.pass(1'000);
}

// Requests that begin or resume a stream.
std::string begin_call(Site<>&, const std::string& session) { return post(count_to(3), session); }
std::string begin_standalone(Site<>&, const std::string& session) { return get(session); }

std::string resume(Site<>& site, const std::string& session, const std::string& request, mcp::Millis ms) {
  HttpClient client = site.connect();
  EXPECT_TRUE(ask(site, client, request).streams);
  const std::vector<HttpEvent> events = client.events();
  client.leave();
  site.pass(ms);
  return get(session + "Last-Event-ID: " + events.at(0).id + "\r\n");
}
std::string resume_call(Site<>& site, const std::string& session) {
  return resume(site, session, post(count_to(3), session), 100);
}
std::string resume_rest(Site<>& site, const std::string& session) {
  return resume(site, session, post(count_to(3), session), 1'000);
}
std::string resume_standalone(Site<>& site, const std::string& session) {
  return resume(site, session, get(session), 0);
}

// A client that connects again replaces its standalone stream, and then ends its session: a stream ends once.
void replaced_stream(Seen& seen) {
  Site site;
  const std::string session = site.begin();
  watch(site, seen);
  HttpClient first = site.connect();
  block(first);
  EXPECT_EQ(ask(site, first, get(session)).status, 0);
  HttpClient second = site.connect();
  EXPECT_TRUE(ask(site, second, get(session)).streams);
  HttpClient closer = site.connect();
  EXPECT_EQ(ask(site, closer, delete_request(session)).status, 200);
  unblock(first);
  site.run();
  EXPECT_TRUE(first.response().streams);
  EXPECT_EQ(first.events().size(), 1U);
  EXPECT_TRUE(first.ended());
}

// A standalone stream ends for a client that waits for a connection.
void evicted_stream(Seen& seen) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512}> site;
  const std::string session = site.begin();
  watch(site, seen);
  HttpClient listener = site.connect();
  EXPECT_TRUE(ask(site, listener, get(session)).streams);
  HttpClient next = site.connect();
  give(next, post(ping(), session));
  site.pass(1'000);
  EXPECT_EQ(listener.events().back().retry, "1000");
  EXPECT_TRUE(listener.ended());
  EXPECT_EQ(next.response().body, pong());
}

TEST(ExchangeState, ConversationsVisitEachTransition) {
  Seen seen;
  requests(seen);
  long_requests(seen);
  oversized_responses(seen);
  input_responses(seen);
  for (const auto& prepare : {begin_call, begin_standalone, resume_call, resume_rest, resume_standalone}) {
    whole_stream(seen, prepare);
    end_of_client(seen, prepare);
    end_of_session(seen, prepare);
  }
  replaced_stream(seen);
  evicted_stream(seen);
  Seen allowed;
  for (unsigned event = 0; event < mcp::http::exchange_events; ++event) {
    const State to = transitions.of(event_of(event)).to;
    for (unsigned from = 0; from < mcp::http::exchange_states; ++from) {
      if (transitions.allows(state_of(from), event_of(event)) && state_of(from) != to)
        allowed.insert({state_of(from), to});
    }
  }
  for (const auto& [from, to] : allowed)
    EXPECT_TRUE(seen.contains({from, to})) << static_cast<int>(from) << " to " << static_cast<int>(to) << " not seen";
  for (const auto& [from, to] : seen)
    EXPECT_TRUE(allowed.contains({from, to})) << static_cast<int>(from) << " to " << static_cast<int>(to) << " seen";
}

TEST(ExchangeState, EachStateIsReachedAndLeft) {
  std::set<State> reached{State::free};
  for (std::size_t size = 0; size != reached.size();) {
    size = reached.size();
    for (unsigned event = 0; event < mcp::http::exchange_events; ++event) {
      for (const State state : std::set<State>(reached)) {
        if (transitions.allows(state, event_of(event))) reached.insert(transitions.of(event_of(event)).to);
      }
    }
  }
  EXPECT_EQ(reached.size(), mcp::http::exchange_states);
  for (unsigned state = 1; state < mcp::http::exchange_states; ++state)
    EXPECT_TRUE(transitions.allows(state_of(state), Event::dropped)) << state;
}

// A forbidden event is a broken contract: the next connection would get the state of the last one.
TEST(ExchangeState, ForbiddenEventsAreRejected) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  mcp::http::Exchange exchange;
  EXPECT_FALSE(transitions.allows(State::free, Event::dropped));
  EXPECT_DEATH(mcp::http::advance(exchange, Event::dropped), "");
  for (unsigned event = 0; event < mcp::http::exchange_events; ++event) {
    // Only `accepted` leaves `free`. An orphaned exchange has no connection, so it can only end.
    EXPECT_EQ(transitions.allows(State::free, event_of(event)), event_of(event) == Event::accepted) << event;
    EXPECT_EQ(transitions.allows(State::orphaned, event_of(event)), event_of(event) == Event::dropped) << event;
    // After the end of the output, no response may follow.
    const bool ends = !is_stream(transitions.of(event_of(event)).to);
    EXPECT_TRUE(ends || !transitions.allows(State::closing, event_of(event))) << event;
  }
  EXPECT_FALSE(transitions.allows(State::closing, Event::responded));
  EXPECT_FALSE(transitions.allows(State::response, Event::responded));
}

// The table that the compiler makes is the one that the constructor makes.
TEST(ExchangeState, TableIsTheSameWhenItIsMadeLater) {
  const auto made = std::make_unique<mcp::http::Transitions>();
  for (unsigned event = 0; event != mcp::http::exchange_events; ++event) {
    EXPECT_EQ(made->of(event_of(event)).from, transitions.of(event_of(event)).from);
    EXPECT_EQ(made->of(event_of(event)).to, transitions.of(event_of(event)).to);
  }
}

}  // namespace
