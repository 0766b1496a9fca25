// SPDX-License-Identifier: Apache-2.0
// The HTTP transport as a whole: its storage, requests that are cut at each byte, slow readers, and a failure of each
// read and write. Without sockets. The test sets the time.
#include "mcp/http_transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// ---- Memory ------------------------------------------------------------------------------------------------------

// Storage takes no bytes in an image, and the transport clears an exchange without a copy of a new one.
TEST(HttpTransport, StorageStartsAsZero) {
  static constinit mcp::HttpStorage<test::shape<512>, usual> storage;
  const std::span bytes = std::as_bytes(std::span(&storage, 1));
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; }));
}

// A stored event that is longer than the buffer of an exchange would overflow it.
TEST(HttpTransportDeathTest, RejectsTheStorageOfAnotherServer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using Storage = mcp::HttpStorage<test::shape<512>, usual>;
  const std::unique_ptr<Storage> storage(new Storage());
  test::Bench bench(test::features, {.transmit_size = 1024, .sessions = 2});
  test::FakeListener listener;
  mcp::HttpTransport transport(bench.server, listener, bench.entropy, *storage, default_options);
  EXPECT_DEATH(static_cast<void>(transport.poll(0)), "contract");
}

TEST(HttpTransportDeathTest, RejectsAnAuthorizerThatIsSetLater) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using Storage = mcp::HttpStorage<test::shape<512>, usual>;
  const std::unique_ptr<Storage> storage(new Storage());
  test::Bench bench(test::features, {.transmit_size = 512, .sessions = 2});
  test::FakeListener listener;
  constexpr std::string_view tokens[] = {"secret"};
  mcp::StaticTokens access(tokens);
  mcp::HttpOptions options{};
  mcp::HttpTransport transport(bench.server, listener, bench.entropy, *storage, options);
  options.authorizer = &access;
  EXPECT_DEATH(static_cast<void>(transport.poll(0)), "contract");
}

// ---- Cut requests and slow readers -------------------------------------------------------------------------------

// All bytes that clients get in a conversation with all kinds of requests. The `cut`th byte of each begins a new piece.
std::string converse(std::size_t cut, const Setting& setting, bool& cut_any) {
  Site site(test::features, setting);
  std::string all;
  cut_any = false;
  HttpClient client = site.connect();
  const auto exchange = [&](const std::string& request) {
    if (cut < request.size()) {
      cut_any = true;
      client.send(request.substr(0, cut));
      site.run();
      client.send(request.substr(cut));
    } else {
      client.send(request);
    }
    site.settle();
    for (int i = 0; i < 3; ++i) {
      site.pass(100);
      site.settle();
    }
    std::string got = client.connection().wire.take();
    all += got;
    return got;
  };
  const std::string first = exchange(post(initialize()));
  const std::size_t id = first.find("MCP-Session-Id: ");
  if (id == std::string::npos) return all;
  const std::string session = first.substr(id, 50);
  exchange(post(initialized, session));
  exchange(post(count_to(2), session));
  std::string chunked = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  exchange(chunked + "1;x=y\r\n{\r\n27\r\n" + ping(3).substr(1) + "\r\n0\r\nX: y\r\n\r\n");
  exchange(get(session + "Last-Event-ID: 1-1\r\n"));
  exchange("OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n");
  exchange(delete_request(session));
  exchange(get(session));
  EXPECT_TRUE(client.connection().closed());
  return all;
}

TEST(HttpTransport, AcceptsRequestsCutAtEveryByte) {
  bool cut_any = false;
  const std::string whole = converse(std::string::npos, {}, cut_any);
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n') > 40, true);
  cut_any = true;
  for (std::size_t cut = 1; cut_any && !HasFailure(); ++cut) {
    EXPECT_EQ(converse(cut, {}, cut_any), whole) << cut;
  }
}

TEST(HttpTransport, ServesSlowReaders) {
  bool cut_any = false;
  const std::string whole = converse(std::string::npos, {}, cut_any);
  for (const std::size_t limit : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    EXPECT_EQ(converse(std::string::npos, {.write_limit = limit}, cut_any), whole) << limit;
    EXPECT_EQ(converse(std::string::npos, {.write_limit = limit, .blocks = true}, cut_any), whole) << limit;
  }
}

TEST(HttpTransport, SurvivesAFailureOfEveryWrite) {
  for (const mcp::IoStatus status : {mcp::IoStatus::closed, mcp::IoStatus::failed}) {
    for (std::size_t at = 1; at <= 12; ++at) {
      Site site;
      const std::string session = site.begin();
      HttpClient client = site.connect();
      client.connection().wire.write_limit = 60;
      client.connection().wire.write_fault = {at, status};
      client.send(post(count_to(1), session));
      site.pass(500);
      EXPECT_EQ(client.connection().closed(), client.connection().wire.writes() >= at);
      HttpClient other = site.connect();
      EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
    }
  }
}

TEST(HttpTransport, SurvivesAFailureOfEveryRead) {
  for (const mcp::IoStatus status : {mcp::IoStatus::closed, mcp::IoStatus::failed}) {
    for (std::size_t at = 1; at <= 6; ++at) {
      Site site;
      const std::string session = site.begin();
      HttpClient client = site.connect();
      client.connection().wire.read_fault = {at, status};
      const std::string request = post(count_to(1), session);
      client.send(request.substr(0, 100));
      client.send(request.substr(100, 200));
      client.send(request.substr(300));
      site.pass(500);
      EXPECT_EQ(client.connection().closed(), client.connection().wire.reads() >= at);
      HttpClient other = site.connect();
      EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
    }
  }
}

}  // namespace
