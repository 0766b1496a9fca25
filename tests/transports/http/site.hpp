// SPDX-License-Identifier: Apache-2.0
// A device on a simulated network, and the main loop that serves it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

#include "mcp/http_transport.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "support/http_shape.hpp"

namespace test {

/// The test sets the time. After all clients have gone and all sessions have ended, the device must hold no state.
template <mcp::HttpLimits limits, std::size_t transmit_size, std::size_t sessions = 32, bool legacy = false,
          bool scoped = true>
class HttpSite {
 public:
  /// `sizes` without the transmit buffer, whose size is that of the storage.
  HttpSite(const mcp::Definition& definition, Sizes sizes, const mcp::HttpOptions& options)
      : bench(definition, with_window(sizes)), transport_(bench.server, listener, bench.entropy, *storage_, options) {
    reset_device();
    act(bench.server, "reset");
  }
  HttpSite(const HttpSite&) = delete;
  HttpSite& operator=(const HttpSite&) = delete;
  ~HttpSite() {
    run();
    for (FakeConnection& connection : listener.connections()) connection.wire.end();
    run();
    for (const mcp::http::SessionEntry& entry : storage_->view().sessions) bench.server.close(entry.session, now_);
    run();
    pass(limits.idle_timeout_ms + 1);
    for (const FakeConnection& connection : listener.connections()) {
      EXPECT_TRUE(connection.released());
      EXPECT_FALSE(connection.misused());
    }
    EXPECT_EQ(links_in_use(), 0U);
    EXPECT_EQ(detached_calls(), 0U);
    EXPECT_EQ(bench.open_sessions(), 0U);
    pass(mcp::detail::default_wait_ms);  // the server reserves slots for this time, for a retry
    EXPECT_FALSE(bench.anything_left());
  }

  [[nodiscard]] std::size_t links_in_use() {
    const auto links = storage_->view().exchanges;
    return static_cast<std::size_t>(std::count_if(
        links.begin(), links.end(), [](const auto& link) { return link.state != mcp::http::Exchange::State::free; }));
  }

  [[nodiscard]] std::size_t detached_calls() {
    const auto calls = storage_->view().detached;
    return static_cast<std::size_t>(
        std::count_if(calls.begin(), calls.end(), [](const auto& call) { return call.number != 0; }));
  }
  [[nodiscard]] std::size_t running_jobs() {
    const auto jobs = bench.storage().jobs;
    std::size_t count = 0;
    for (std::size_t i = 0; i < jobs.capacity(); ++i) {
      if (jobs.in_use(i) != nullptr) ++count;
    }
    return count;
  }

  [[nodiscard]] const mcp::HttpTransport& transport() const { return transport_; }

  HttpClient connect(std::uint64_t host = 0) {
    FakeConnection& connection = listener.connect();
    connection.host = host;
    return HttpClient(connection);
  }

  /// Polls until there is no more work. Returns the milliseconds until the next poll is due.
  mcp::Millis run() {
    for (int i = 0; i < 100'000; ++i) {
      if (const mcp::Millis due = transport_.poll(now_); due != 0) return due;
    }
    ADD_FAILURE() << "there is always more to do";
    return mcp::forever;
  }

  /// Lets time pass, and polls as late as poll() allows.
  void pass(mcp::Millis ms) {
    const mcp::Millis end = now_ + ms;
    for (int i = 0; i < 100'000; ++i) {
      const mcp::Millis due = run();
      if (due > end - now_) break;
      now_ += due;
    }
    if (now_ == end) return;
    now_ = end;
    run();
  }

  /// Lets time pass, for a server that always has work.
  void pass_busily(mcp::Millis ms) {
    now_ += ms;
    for (int i = 0; i < 10; ++i) static_cast<void>(transport_.poll(now_));
  }

  /// Polls until no byte moves, also if some writes find no space.
  void settle() {
    for (std::size_t still = 0, moved = 0; still < 3;) {
      run();
      std::size_t sum = 0;
      for (const FakeConnection& connection : listener.connections()) sum += connection.wire.moved();
      still = sum == moved ? still + 1 : 0;
      moved = sum;
    }
  }

  HttpResponse ask(HttpClient& client, std::string_view request) {
    client.send(request);
    run();
    return client.response();
  }

  [[nodiscard]] mcp::Millis now() const { return now_; }
  mcp::http::HttpStorageView storage() { return storage_->view(); }
  mcp::HttpTransport& transport() { return transport_; }

 private:
  static Sizes with_window(Sizes sizes) {
    sizes.transmit_size = transmit_size;
    return sizes;
  }

  using Storage = mcp::HttpStorage<shape<transmit_size, sessions, legacy, scoped>, limits>;
  std::unique_ptr<Storage> storage_{new Storage()};
  mcp::Millis now_ = 0xFFFF'F000;  // it wraps soon

 public:
  FakeListener listener;
  Bench bench;

 private:
  mcp::HttpTransport transport_;
};

}  // namespace test
