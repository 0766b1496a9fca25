// SPDX-License-Identifier: Apache-2.0
// The comments of silent streams: when each kind of stream sends one, and what the server learns from it.
// Without sockets. The test sets the time. stateless_streams_test.cpp has the streams of stateless requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "mcp/http_sse_2024.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

constexpr mcp::Millis interval = 15'000;
constexpr std::string_view comment = "3\r\n:\n\n\r\n";  // as a chunk
constexpr std::string_view open_sse = "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";

// Silent for 40 s.
struct Quiet {
  bool has_slept;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested() || has_slept) return context.done(context.result().text("slept"));
    has_slept = true;
    return context.sleep(40'000);
  }
};
// A body of several parts, the last one after 40 s.
mcp::Chunk slow_body(std::uint32_t at, std::span<std::uint8_t> into) {
  constexpr std::uint32_t size = 8'000;
  static bool has_waited = false;
  if (at < size) {
    has_waited = false;
    const std::size_t count = std::min<std::size_t>(into.size(), size - at);
    std::fill_n(into.begin(), count, std::uint8_t{'a'});
    return mcp::Chunk::bytes(count);
  }
  if (has_waited) return mcp::Chunk::end();
  has_waited = true;
  return mcp::Chunk::not_ready(40'000);
}

constexpr mcp::Tool tools[] = {mcp::job<Quiet>({.name = "quiet"})};
constexpr mcp::Resource resources[] = {
    {.uri = "test://slow", .name = "slow", .stream = mcp::text_stream(slow_body), .subscribable = true}};
constexpr mcp::Definition quiet{.name = "quiet", .version = "1", .tools = tools, .resources = resources};

constexpr mcp::HttpSse2024 sse;
constexpr mcp::HttpOptions with_sse{.sse_2024 = &sse};

// Begins a session over HTTP+SSE, and reads its first events.
template <class S>
HttpClient begin_sse(S& site) {
  HttpClient stream = site.connect();
  EXPECT_TRUE(site.ask(stream, open_sse).streams);
  const std::string target = stream.events().at(0).data.value_or("");
  HttpClient client = site.connect();
  const auto tell = [&](std::string_view body) {
    std::string request = post(body);
    EXPECT_EQ(site.ask(client, request.replace(request.find("/mcp"), 4, target)).status, 202);
  };
  tell(initialize("2024-11-05"));
  tell(initialized);
  client.leave();
  site.run();
  EXPECT_EQ(stream.events().size(), 1U);
  return stream;
}

// Each kind of stream, when all before its silence has been read.
enum class Kind { of_session, of_call, http_sse };
struct Stream {
  Kind kind;
  std::string_view version;
};
constexpr Stream streams[] = {{Kind::of_session, "2025-11-25"}, {Kind::of_session, "2025-06-18"},
                              {Kind::of_session, "2025-03-26"}, {Kind::of_call, "2025-11-25"},
                              {Kind::of_call, "2025-06-18"},    {Kind::of_call, "2025-03-26"},
                              {Kind::http_sse, "2024-11-05"}};

template <class S>
HttpClient open_stream(S& site, const Stream& stream) {
  if (stream.kind == Kind::http_sse) return begin_sse(site);
  HttpClient first = site.connect();
  const std::string session = site.begin(first, stream.version);
  first.leave();
  site.run();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, stream.kind == Kind::of_session ? get(session) : post(call("quiet"), session)).streams);
  static_cast<void>(client.events());
  return client;
}

TEST(HttpComments, EachSilentStreamSendsThem) {
  for (const Stream& stream : streams) {
    SCOPED_TRACE(&stream - streams);
    Site site(quiet, {.options = &with_sse});
    HttpClient client = open_stream(site, stream);
    for (int i = 0; i < 2; ++i) {
      site.pass(interval - 1);
      EXPECT_TRUE(client.idle());
      site.pass(1);
      EXPECT_EQ(client.connection().wire.take(), comment);
    }
    EXPECT_FALSE(client.connection().closed());
  }
}

// Between two comments the device sleeps.
TEST(HttpComments, EachWakesTheDeviceOnce) {
  for (const Stream& stream : streams) {
    if (stream.kind == Kind::of_call) continue;  // its job wakes the device, too
    SCOPED_TRACE(&stream - streams);
    Site site(quiet, {.options = &with_sse});
    HttpClient client = open_stream(site, stream);
    int wakes = 0;
    mcp::Millis left = 10 * interval;
    for (mcp::Millis due = site.run(); due <= left; due = site.run()) {
      site.pass(due);
      left -= due;
      ++wakes;
    }
    EXPECT_EQ(wakes, 10);
    EXPECT_EQ(client.events().size(), 10U);
  }
}

TEST(HttpComments, MessageReplacesOne) {
  Site site(quiet);
  HttpClient first = site.connect();
  const std::string session = site.begin(first);
  EXPECT_EQ(site.ask(first, post(subscribe("test://slow"), session)).status, 200);
  HttpClient client = site.listen(session);
  site.pass(interval - 1'000);
  site.bench.server.resource_updated(resources[0]);
  site.pass(interval - 1);
  EXPECT_EQ(data_of(client.events()), Texts{updated("test://slow")});
  site.pass(1);
  EXPECT_EQ(client.connection().wire.take(), comment);
}

// HTTP/1.0 has no chunks.
TEST(HttpComments, AreNoChunksForHttp10) {
  Site site(quiet);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  std::string request = get(session);
  EXPECT_EQ(site.ask(client, request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0")).status, 200);
  static_cast<void>(client.connection().wire.take());
  site.pass(interval);
  EXPECT_EQ(client.connection().wire.take(), ":\n\n");
}

// A comment within an event would end its line.
TEST(HttpComments, NoneIsWithinAnEvent) {
  Site site(quiet);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_TRUE(site.ask(client, post(read_resource("test://slow"), session)).streams);
  site.pass(30'000);
  EXPECT_FALSE(client.ended());
  site.pass(30'000);
  EXPECT_TRUE(client.connection().wire.moved() > 8'000);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_FALSE(events.empty());
  for (const HttpEvent& event : events) EXPECT_TRUE(event.data) << event.comment;
  EXPECT_NE(events.back().data->find(std::string(8'000, 'a')), std::string::npos);
}

// The stream ends, and the call continues for a client that resumes it.
TEST(HttpComments, DetectsALostConnection) {
  for (const Stream& stream : streams) {
    for (const mcp::IoStatus status : {mcp::IoStatus::failed, mcp::IoStatus::closed}) {
      SCOPED_TRACE(&stream - streams);
      Site site(quiet, {.options = &with_sse});
      HttpClient client = open_stream(site, stream);
      client.connection().wire.write_fault = {client.connection().wire.writes() + 1, status};
      site.pass(interval - 1);
      EXPECT_FALSE(client.connection().released());
      site.pass(1);
      EXPECT_TRUE(client.connection().released());
      EXPECT_EQ(site.bench.open_sessions(), stream.kind == Kind::http_sse ? 0U : 1U);
      EXPECT_EQ(site.detached_calls(), stream.kind == Kind::of_call ? 1U : 0U);
    }
  }
}

// Half-open: the network takes the bytes until the buffers are full, and no error comes.
TEST(HttpComments, StreamThatTakesNoneEnds) {
  for (const Stream& stream : streams) {
    SCOPED_TRACE(&stream - streams);
    Site site(quiet, {.options = &with_sse});
    HttpClient client = open_stream(site, stream);
    client.connection().wire.write_fault = {client.connection().wire.writes() + 1, mcp::IoStatus::would_block, true};
    site.pass(interval + usual.idle_timeout_ms - 1);
    EXPECT_FALSE(client.connection().released());
    site.pass(1);
    EXPECT_TRUE(client.connection().released());
  }
}

// Without initialize, a stream ends after the time of a connection without a request. Comments do not extend it.
TEST(HttpComments, NoneExtendsAnHttpSseStreamWithoutInitialize) {
  Site site(quiet, {.options = &with_sse});
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, open_sse).streams);
  site.pass(usual.idle_timeout_ms - 1);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
}

TEST(HttpComments, LeastInterval) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .comment_interval_ms = 1}> site(quiet);
  HttpClient client = site.listen(site.begin());
  site.pass(100);
  EXPECT_EQ(client.events().size(), 100U);
}

TEST(HttpComments, LongestInterval) {
  constexpr mcp::Millis longest = 0x7FFF'FFFF;
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .comment_interval_ms = longest}> site(quiet);
  HttpClient client = site.listen(site.begin());
  EXPECT_EQ(site.run(), longest);
  site.pass(longest - 1);
  EXPECT_TRUE(client.idle());
  site.pass(1);
  EXPECT_EQ(client.connection().wire.take(), comment);
}

}  // namespace
