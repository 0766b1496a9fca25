// SPDX-License-Identifier: Apache-2.0
// Every call of a port fails once, every pool is full once, every clock wraps: over stdio and HTTP, in both eras. After
// each failure, the server keeps nothing of the client and serves the next one.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/http_transport.hpp"
#include "mcp/stdio_transport.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "support/http_shape.hpp"

namespace {

using mcp::IoStatus;
using mcp::Millis;
using test::Bench;
using test::FakeStream;
using Fault = FakeStream::Fault;
using Texts = std::vector<std::string>;

constexpr IoStatus statuses[] = {IoStatus::would_block, IoStatus::closed, IoStatus::failed};
constexpr Millis wraps_soon = 0xFFFF'FF00;

constexpr std::string_view meta =
    R"("_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},)"
    R"("extensions":{"io.modelcontextprotocol/tasks":{}}}})";

std::string request(int id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) + "}}";
}
std::string initialize(int id = 0) {
  return request(
      id, "initialize",
      R"("protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}},)"
      R"("clientInfo":{"name":"c","version":"0"})");
}
constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
std::string with_meta(std::string_view params) {
  return std::string(params) + (params.empty() ? "" : ",") + std::string(meta);
}

/// A device and the messages of a client, 200 ms apart.
struct Talk {
  const char* name;
  std::string device;
  Texts messages;
};

std::vector<Talk> talks() {
  const std::string count = R"("name":"count","arguments":{"to":2})";
  const std::string task = R"("name":"work","task":{"ttl":1000})";
  const std::string task_id = R"("taskId":"000102030405060708090a0b0c0d0e0f")";  // by CountingEntropy
  return {
      {"a session",
       "features",
       {initialize(), std::string(initialized), request(1, "tools/call", count + R"(,"_meta":{"progressToken":"p"})"),
        request(2, "tools/list", ""), request(3, "prompts/list", ""), request(4, "ping", "")}},
      {"a session that subscribes and reads",
       "streams",
       {initialize(), std::string(initialized), request(1, "resources/subscribe", R"("uri":"stream:text")"),
        request(2, "resources/read", R"("uri":"stream:text")"),
        request(3, "resources/read", R"("uri":"stream:blob")")}},
      {"a session that is asked",
       "input_requests",
       {initialize(), std::string(initialized), request(1, "tools/call", R"("name":"roots")"),
        request(2, "tools/call", R"("name":"sample")"), request(3, "ping", "")}},
      {"a session with tasks",
       "tasks",
       {initialize(), std::string(initialized), request(1, "tools/call", task), request(2, "tasks/result", task_id),
        request(3, "tasks/list", ""), request(4, "tools/call", task), request(5, "tools/list", "")}},
      {"no session",
       "features",
       {request(1, "tools/call", with_meta(count)), request(2, "tools/list", with_meta("")),
        request(3, "server/discover", with_meta(""))}},
      {"no session, listening",
       "full",
       {request(1, "subscriptions/listen",
                with_meta(R"("notifications":{"resourceSubscriptions":["test://counter"]})")),
        request(2, "resources/read", with_meta(R"("uri":"test://counter")")),
        request(3, "resources/list", with_meta(""))}},
      {"no session, asked in rounds",
       "mrtr",
       {request(1, "tools/call", with_meta(R"("name":"greet")")),
        request(2, "tools/call", with_meta(R"("name":"salute")")),
        request(3, "tools/call", with_meta(R"("name":"hold")"))}},
      {"no session, with tasks",
       "tasks",
       {request(1, "tools/call", with_meta(R"("name":"work")")), request(2, "tasks/get", with_meta(task_id)),
        request(3, "tools/call", with_meta(R"("name":"first")")),
        request(4, "tools/call",
                with_meta(R"("name":"first","inputResponses":{"word":{"action":"accept","content":{"word":"x"}}})")),
        request(5, "tools/list", with_meta(""))}},
  };
}

void forget_all(Bench& bench) {
  test::reset_device();
  for (const char* const again : {"forget", "reset", "forget mrtr", "forget running", "forget last steps"})
    static_cast<void>(test::act(bench.server, again));
}

class FaultTest : public testing::TestWithParam<Talk> {};
class StdioFaults : public FaultTest {};
class HttpFaults : public FaultTest {};
class PoolFaults : public FaultTest {};

// ---- stdio -------------------------------------------------------------------------------------------------------

/// One client after another on one server.
class Line {
 public:
  explicit Line(const Talk& talk, Millis now = wraps_soon)
      : talk_(talk),
        now_(now),
        bench(*test::find_definition(talk.device), {.receive_size = 2048, .transmit_size = 20'000}) {
    forget_all(bench);
  }

  /// Sleep of the device before message number `at`, in milliseconds.
  struct Jump {
    std::size_t at;
    Millis ms;
  };

  /// Plays all messages. Returns the output of the server.
  Texts play(FakeStream& stream, std::size_t pieces = FakeStream::no_limit, Jump jump = {0, 0}) {
    mcp::StdioTransport transport(bench.server, stream);
    for (const std::string& message : talk_.messages) {
      if (&message - talk_.messages.data() == static_cast<std::ptrdiff_t>(jump.at)) now_ += jump.ms;
      const std::string line = message + "\n";
      for (std::size_t at = 0; at < line.size(); at += std::min(pieces, line.size()))
        stream.give(std::string_view(line).substr(at, pieces));
      pass(transport, 200);
    }
    pass(transport, 2000);
    stream.end();
    pass(transport, 10);
    EXPECT_TRUE(transport.closed());
    EXPECT_FALSE(stream.misused());
    EXPECT_EQ(bench.open_sessions(), 0U);
    EXPECT_FALSE(bench.anything_left());
    return lines_of(stream.take());
  }

  /// Another client, without any fault.
  void expect_next_is_served() {
    FakeStream stream;
    mcp::StdioTransport transport(bench.server, stream);
    stream.give(initialize(77) + "\n" + std::string(initialized) + "\n" + request(78, "ping", "") + "\n");
    pass(transport, 10);
    const Texts lines = lines_of(stream.take());
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                            [](const auto& line) { return line.find(R"("id":77,"result")") != line.npos; }));
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                            [](const auto& line) { return line.find(R"("id":78,"result")") != line.npos; }));
    stream.end();
    pass(transport, 10);
    EXPECT_FALSE(bench.anything_left());
  }

 private:
  static Texts lines_of(std::string_view text) {
    Texts lines;
    for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    return lines;
  }

  // An event on the stream every 10 ms: a blocked call does not block forever.
  void pass(mcp::StdioTransport& transport, Millis ms) {
    for (Millis past = 0; past < ms; past += 10, now_ += 10) {
      int polls = 0;
      while (transport.poll(now_) == 0 && ++polls < 10'000) {
      }
      EXPECT_LT(polls, 10'000) << "there is always more to do";
    }
  }

  const Talk& talk_;
  Millis now_;

 public:
  Bench bench;
};

TEST_P(StdioFaults, SurvivesAFailureOfEveryReadAndWrite) {
  FakeStream whole;
  const Texts wanted = Line(GetParam()).play(whole);
  ASSERT_FALSE(wanted.empty());
  for (Fault FakeStream::*const kind : {&FakeStream::read_fault, &FakeStream::write_fault}) {
    // Counts reads without data, too. All reads within 10 ms count as one.
    const std::size_t calls =
        std::min<std::size_t>(kind == &FakeStream::read_fault ? whole.reads() : whole.writes(), 150);
    for (std::size_t call = 1; call <= calls; ++call) {
      for (const IoStatus status : statuses) {
        SCOPED_TRACE(std::to_string(call) + " of " + std::to_string(calls) + ", status " +
                     std::to_string(static_cast<int>(status)));
        Line line(GetParam());
        FakeStream stream;
        stream.*kind = {.call = call, .status = status};
        Texts came = line.play(stream);
        if (status == IoStatus::would_block) {
          EXPECT_EQ(came.size(), wanted.size());
        } else {
          // The output so far equals the output without the failure.
          EXPECT_LE(came.size(), wanted.size());
        }
        line.expect_next_is_served();
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(StdioFaults, SurvivesShortReadsAndWrites) {
  FakeStream whole;
  const Texts wanted = Line(GetParam()).play(whole);
  for (const std::size_t size : {1U, 2U, 3U, 7U}) {
    Line line(GetParam());
    FakeStream stream;
    stream.write_limit = size;
    EXPECT_EQ(line.play(stream, size).size(), wanted.size());
    line.expect_next_is_served();
  }
}

TEST_P(StdioFaults, SurvivesAFailureOfEveryEntropyCall) {
  std::size_t calls = 0;
  for (std::size_t call = 0; call <= calls; ++call) {
    SCOPED_TRACE(call);
    Line line(GetParam());
    line.bench.entropy.fails_at = call;
    FakeStream stream;
    line.play(stream);
    if (call == 0) calls = line.bench.entropy.calls;
    line.expect_next_is_served();
  }
}

// The clock may start at any value, and wrap at any time.
TEST_P(StdioFaults, ClockWraps) {
  FakeStream whole;
  const Texts wanted = Line(GetParam(), 1000).play(whole);
  for (Millis before = 0; before < 4000; before += 40) {
    SCOPED_TRACE(before);
    for (const Millis wrap : {Millis{0}, Millis{0x8000'0000}}) {
      Line line(GetParam(), wrap - before);
      FakeStream stream;
      EXPECT_EQ(line.play(stream).size(), wanted.size());
    }
    if (HasFailure()) return;
  }
}

// While the device slept it served no client: all timeouts have passed, and the next client is served.
constexpr Millis jump_sizes[] = {999, 60'001, 1'000'000, 0x3FFF'FFFF, 0x7FFF'FFFF};

TEST_P(StdioFaults, ClockJumps) {
  for (std::size_t at = 0; at < GetParam().messages.size(); ++at) {
    for (const Millis ms : jump_sizes) {
      SCOPED_TRACE(std::to_string(ms) + " ms before message " + std::to_string(at));
      Line line(GetParam());
      FakeStream stream;
      EXPECT_FALSE(line.play(stream, FakeStream::no_limit, {at, ms}).empty());
      line.expect_next_is_served();
    }
    if (HasFailure()) return;
  }
}

// ---- Pools -------------------------------------------------------------------------------------------------------

/// As if a pool were full: takes all that is free until its end.
template <class T>
class Full {
 public:
  explicit Full(mcp::memory::Pool<T> pool) : pool_(pool) {
    for (auto handle = pool_.acquire(); handle != mcp::memory::Handle{}; handle = pool_.acquire()) {
      pool_.find(handle)->session = 0xFFFF;  // another client's session, so that the test does not look at it
      taken_.push_back(handle);
    }
  }
  Full(const Full&) = delete;
  Full& operator=(const Full&) = delete;
  ~Full() {
    for (const auto handle : taken_) pool_.release(handle);
  }

 private:
  mcp::memory::Pool<T> pool_;
  std::vector<mcp::memory::Handle> taken_;
};

/// Takes up a message while one pool is full.
void receive_with_full(Bench& bench, std::size_t pool, const std::function<void()>& receive) {
  const mcp::detail::StorageView storage = bench.storage();
  switch (pool) {
    case 0: {
      const Full full(storage.jobs);
      return receive();
    }
    case 1: {
      const Full full(storage.tasks);
      return receive();
    }
    case 2: {
      const Full full(storage.streams);
      return receive();
    }
    case 3: {
      const Full full(storage.subscriptions);
      return receive();
    }
    default: {
      const Full full(storage.elicitation_ends);
      return receive();
    }
  }
}

/// Calls the server repeatedly, with `pool` full at call number `at` among those that do something.
class PoolTalk {
 public:
  static constexpr std::size_t pools = 5;

  PoolTalk(const Talk& talk, std::size_t pool, std::size_t at)
      : talk_(talk),
        pool_(pool),
        at_(at),
        bench_(*test::find_definition(talk.device), {.receive_size = 2048, .transmit_size = 20'000}) {
    forget_all(bench_);
  }

  void play() {
    const mcp::SessionId session = bench_.server.open(now_);
    Texts answers;
    const auto take = [&](const std::string& answer) {
      if (!answer.empty()) answers.push_back(answer);
    };
    for (const std::string& message : talk_.messages) {
      take(call([&] { return bench_.ask(session, message, now_); }));
      for (int turn = 0; turn < 40; ++turn, now_ += 10) {
        // Jobs and tasks acquire on their own, too: in the calls that find something to do.
        if (bench_.server.poll(now_) == 0) {
          take(call([&] { return bench_.next(session, now_); }));
        } else {
          take(bench_.next(session, now_));
        }
      }
    }
    // A rejected request gets a response, and the next request works.
    for (const std::string& answer : answers) EXPECT_TRUE(answer.starts_with(R"({"jsonrpc":"2.0")")) << answer;
    EXPECT_NE(bench_.ask(session, R"({"jsonrpc":"2.0","id":99,"method":"ping"})", now_), "");
    bench_.server.close(session, now_);
    EXPECT_EQ(bench_.open_sessions(), 0U);
    EXPECT_FALSE(bench_.anything_left());
  }

  [[nodiscard]] std::size_t calls() const { return calls_; }

 private:
  std::string call(const std::function<std::string()>& what) {
    std::string answer;
    if (++calls_ == at_) {
      receive_with_full(bench_, pool_, [&] { answer = what(); });
    } else {
      answer = what();
    }
    return answer;
  }

  const Talk& talk_;
  std::size_t pool_;
  std::size_t at_;  // counted from 1; 0: none
  std::size_t calls_ = 0;
  Millis now_ = wraps_soon;
  Bench bench_;
};

TEST_P(PoolFaults, SurvivesAFullPoolAtEachCall) {
  PoolTalk whole(GetParam(), 0, 0);
  whole.play();
  EXPECT_GT(whole.calls(), GetParam().messages.size());
  for (std::size_t pool = 0; pool < PoolTalk::pools; ++pool) {
    for (std::size_t at = 1; at <= whole.calls(); ++at) {
      SCOPED_TRACE("pool " + std::to_string(pool) + " at call " + std::to_string(at));
      PoolTalk(GetParam(), pool, at).play();
    }
    if (HasFailure()) return;
  }
}

// ---- HTTP --------------------------------------------------------------------------------------------------------

constexpr mcp::HttpLimits limits{
    .connections = 8, .head_size = 512, .replay_size = 2048, .request_timeout_ms = 3'000, .idle_timeout_ms = 5'000};

/// Connections of which one may fail, or come late.
class FaultyListener final : public mcp::Listener {
 public:
  std::size_t accept_fails_at = 0;  // at this call alone, counted from 1
  std::size_t accepts = 0;
  std::size_t faulty = 0;  // number of the connection with these faults, counted from 1
  Fault read_fault;
  Fault write_fault;
  std::size_t write_limit = FakeStream::no_limit;

  test::FakeConnection& connect() {
    test::FakeConnection& connection = clients_.connect();
    if (clients_.connections().size() == faulty) {
      connection.wire.read_fault = read_fault;
      connection.wire.write_fault = write_fault;
    }
    connection.wire.write_limit = write_limit;
    return connection;
  }
  std::list<test::FakeConnection>& connections() { return clients_.connections(); }

 private:
  mcp::Connection* do_accept() override { return ++accepts == accept_fails_at ? nullptr : clients_.accept(); }
  bool do_has_waiting() override { return clients_.has_waiting(); }

  test::FakeListener clients_;
};

class Site {
 public:
  explicit Site(const Talk& talk, Millis now = wraps_soon)
      : talk_(talk),
        now_(now),
        bench(*test::find_definition(talk.device),
              {.receive_size = 2048, .transmit_size = 8192, .sessions = 4, .jobs = 3, .job = 128, .task_ttl_ms = 5000}),
        transport_(bench.server, listener, entropy, *storage_, options_) {
    forget_all(bench);
  }

  /// Sends each message on its own connection, with a session stream on another. The device sleeps before or during
  /// message number `at`.
  void play(Line::Jump jump = {0, 0}, bool meanwhile = false) {
    std::string session;
    for (const std::string& message : talk_.messages) {
      const bool jumps = &message - talk_.messages.data() == static_cast<std::ptrdiff_t>(jump.at);
      if (jumps && !meanwhile) now_ += jump.ms;
      test::FakeConnection& connection = listener.connect();
      connection.wire.give(post(message, session));
      pass(jumps && meanwhile ? 50 : 200);
      if (jumps && meanwhile) {
        now_ += jump.ms;
        pass(150);
      }
      const std::string came = connection.wire.take();
      if (came.starts_with("HTTP/1.1 2")) ++served;
      if (const std::size_t at = came.find("MCP-Session-Id: "); at != came.npos)
        session = came.substr(at, 16 + 32) + "\r\n";
      if (message == initialized && !session.empty())
        listener.connect().wire.give("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n" + session +
                                     "\r\n");
      pass(50);
    }
    for (test::FakeConnection& connection : listener.connections()) connection.wire.end();
    bench.server.end_subscriptions();  // a client that only listens is lost unnoticed until a message is pending
    pass(6'000);
    for (const mcp::http::SessionEntry& entry : storage_->view().sessions) bench.server.close(entry.session, now_);
    pass(6'000);
    for (const test::FakeConnection& connection : listener.connections()) {
      EXPECT_TRUE(connection.released());
      EXPECT_FALSE(connection.misused());
    }
    EXPECT_EQ(links_in_use(), 0U);
    EXPECT_EQ(bench.open_sessions(), 0U);
    pass(mcp::detail::default_wait_ms);  // slots are reserved for as long as a retry may come
    EXPECT_FALSE(bench.anything_left());
  }

  void expect_next_is_served() {
    listener.faulty = 0;
    listener.write_limit = FakeStream::no_limit;
    test::FakeConnection& connection = listener.connect();
    connection.wire.give(post(initialize(77), ""));
    pass(50);
    const std::string came = connection.wire.take();
    EXPECT_TRUE(came.starts_with("HTTP/1.1 200")) << came;
    EXPECT_NE(came.find(R"("id":77,"result")"), came.npos) << came;
  }

 private:
  static std::string post(std::string_view body, std::string_view session) {
    std::string text =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n";
    const auto member = [&](std::string_view name) {
      const std::string begin = "\"" + std::string(name) + "\":\"";
      const std::size_t at = body.find(begin);
      return at == body.npos
                 ? std::string()
                 : std::string(body.substr(at + begin.size(), body.find('"', at + begin.size()) - at - begin.size()));
    };
    if (body.find("2026-07-28") != body.npos) {
      text += "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + member("method") + "\r\n";
      const std::string name = member("method") == "resources/read" ? member("uri")
                               : member("method") == "tasks/get"    ? member("taskId")
                                                                    : member("name");
      if (!name.empty()) text += "Mcp-Name: " + name + "\r\n";
    }
    text.append(session) += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    return text.append(body);
  }

  [[nodiscard]] std::size_t links_in_use() {
    const auto links = storage_->view().exchanges;
    return static_cast<std::size_t>(std::count_if(
        links.begin(), links.end(), [](const auto& link) { return link.state != mcp::http::Exchange::State::free; }));
  }

  // Something happens on the network every 10 ms at first, then more rarely.
  void pass(Millis ms) {
    const Millis step = ms > 1000 ? 250 : 10;
    for (Millis past = 0; past < ms; past += step, now_ += step) {
      int polls = 0;
      while (transport_.poll(now_) == 0 && ++polls < 10'000) {
      }
      EXPECT_LT(polls, 10'000) << "there is always more to do";
    }
  }

  static constexpr mcp::HttpOptions options_{};
  const Talk& talk_;
  using Storage = mcp::HttpStorage<test::shape<8192>, limits>;
  std::unique_ptr<Storage> storage_{new Storage()};
  Millis now_;

 public:
  FaultyListener listener;
  test::CountingEntropy entropy;
  std::size_t served = 0;  // messages with a status of 200 or 202
  Bench bench;

 private:
  mcp::HttpTransport transport_;
};

TEST_P(HttpFaults, SurvivesAFailureOfEveryReadAndWrite) {
  Site whole(GetParam());
  whole.play();
  EXPECT_EQ(whole.served, GetParam().messages.size());
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  for (const test::FakeConnection& connection : whole.listener.connections())
    calls.emplace_back(connection.wire.reads(), connection.wire.writes());
  for (std::size_t number = 1; number <= calls.size(); ++number) {
    for (const bool writes : {false, true}) {
      const std::size_t count = std::min<std::size_t>(writes ? calls[number - 1].second : calls[number - 1].first, 12);
      for (std::size_t call = 1; call <= count; ++call) {
        for (const IoStatus status : statuses) {
          SCOPED_TRACE("connection " + std::to_string(number) + (writes ? ", write " : ", read ") +
                       std::to_string(call) + ", status " + std::to_string(static_cast<int>(status)));
          Site site(GetParam());
          site.listener.faulty = number;
          (writes ? site.listener.write_fault : site.listener.read_fault) = {.call = call, .status = status};
          site.play();
          site.expect_next_is_served();
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_P(HttpFaults, SurvivesShortWrites) {
  for (const std::size_t size : {1U, 3U, 100U}) {
    Site site(GetParam());
    site.listener.write_limit = size;
    site.play();
    site.expect_next_is_served();
  }
}

TEST_P(HttpFaults, SurvivesAFailureOfEveryAccept) {
  Site whole(GetParam());
  whole.play();
  const std::size_t calls = std::min<std::size_t>(whole.listener.accepts, 60);
  for (std::size_t call = 1; call <= calls; ++call) {
    SCOPED_TRACE(call);
    Site site(GetParam());
    site.listener.accept_fails_at = call;
    site.play();
    site.expect_next_is_served();
    if (HasFailure()) return;
  }
}

TEST_P(HttpFaults, SurvivesAFailureOfEveryEntropyCall) {
  for (const bool of_transport : {false, true}) {
    std::size_t calls = 0;
    for (std::size_t call = 0; call <= calls; ++call) {
      SCOPED_TRACE(call);
      Site site(GetParam());
      test::CountingEntropy& entropy = of_transport ? site.entropy : site.bench.entropy;
      entropy.fails_at = call;
      site.play();
      if (call == 0) calls = entropy.calls;
      site.expect_next_is_served();
    }
  }
}

TEST_P(HttpFaults, ClockWraps) {
  for (Millis before = 0; before < 2000; before += 90) {
    SCOPED_TRACE(before);
    for (const Millis wrap : {Millis{0}, Millis{0x8000'0000}}) {
      Site site(GetParam(), wrap - before);
      site.play();
      EXPECT_EQ(site.served, GetParam().messages.size());
      site.expect_next_is_served();
    }
    if (HasFailure()) return;
  }
}

TEST_P(HttpFaults, ClockJumps) {
  for (std::size_t at = 0; at < GetParam().messages.size(); ++at) {
    for (const Millis ms : jump_sizes) {
      for (const bool meanwhile : {false, true}) {
        SCOPED_TRACE(std::to_string(ms) + " ms at message " + std::to_string(at) + (meanwhile ? ", meanwhile" : ""));
        Site site(GetParam());
        site.play({at, ms}, meanwhile);
        site.expect_next_is_served();
      }
    }
    if (HasFailure()) return;
  }
}

std::string name_of(const testing::TestParamInfo<Talk>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == ','; }, '_');
  return name;
}
// For the output of a test that fails.
void PrintTo(const Talk& talk, std::ostream* out) { *out << talk.name; }

INSTANTIATE_TEST_SUITE_P(All, StdioFaults, testing::ValuesIn(talks()), name_of);
INSTANTIATE_TEST_SUITE_P(All, HttpFaults, testing::ValuesIn(talks()), name_of);
INSTANTIATE_TEST_SUITE_P(All, PoolFaults, testing::ValuesIn(talks()), name_of);

}  // namespace
