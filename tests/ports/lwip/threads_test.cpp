// SPDX-License-Identifier: Apache-2.0
// The port on a lwIP with threads: the stack in its own thread, the main loop of the port in another one, and clients
// in more of them. Built with ThreadSanitizer where the compiler has it.
#include <gtest/gtest.h>
#include <lwip/tcp.h>
#include <lwip/tcpip.h>
#include <lwip/udp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lwip_time_server.hpp"
#include "mcp/ports/lwip_interface.hpp"
#include "mcp/ports/lwip_mdns.hpp"
#include "mcp/ports/lwip_sntp.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "names.hpp"
#include "packets.hpp"
#include "support/bench.hpp"

using mcp::IoResult;
using mcp::IoStatus;
using mcp::lwip::CoreLock;
using mcp::lwip::Interface;
using mcp::lwip::TcpConnection;
using mcp::lwip::TcpListener;
using test::LwipTimeServer;

// A race ends the program at once, because the thread of lwIP never ends.
extern "C" const char* __tsan_default_options();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __tsan_default_options() { return "halt_on_error=1"; }

namespace {

constexpr std::uint16_t port = 80;
constexpr std::size_t slots = 3;
constexpr unsigned clients = 4;
constexpr unsigned rounds = 25;
// Generous: it only ends a test that has already failed.
constexpr std::chrono::seconds limit(60);

/// What the thread of lwIP gives, and the main loop waits for.
class Bell {
 public:
  void ring() {
    const std::lock_guard lock(mutex_);
    rung_ = true;
    changed_.notify_one();
  }
  // False if nothing came within the limit although the main loop would wait for longer.
  bool wait(mcp::Millis due) {
    std::unique_lock lock(mutex_);
    const std::chrono::milliseconds time(due);
    const bool was_rung =
        changed_.wait_for(lock, std::min<std::chrono::milliseconds>(time, limit), [&] { return rung_; });
    rung_ = false;
    return was_rung || time < limit;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool rung_ = false;
};

/// Sends back what each client sends, in the main loop.
class Echo {
 public:
  explicit Echo(Interface& interface) : listener_(interface, pool_, port) { EXPECT_TRUE(listener_.ok()); }

  void turn() {
    while (mcp::Connection* const connection = listener_.accept()) open_.push_back({connection, {}});
    for (Open& each : open_) serve(each);
    std::erase_if(open_, [](const Open& each) { return each.connection == nullptr; });
  }

 private:
  struct Open {
    mcp::Connection* connection;
    std::string text;
    bool has_ended = false;
  };

  static void serve(Open& open) {
    char bytes[900];
    IoResult result = open.connection->read(bytes);
    for (; result.status == IoStatus::ok; result = open.connection->read(bytes)) open.text.append(bytes, result.size);
    open.has_ended = open.has_ended || result.status == IoStatus::closed;
    if (!open.text.empty()) {
      const IoResult written = open.connection->write(open.text);
      open.text.erase(0, written.size);
    }
    const bool is_done = open.has_ended && open.text.empty();
    if (result.status != IoStatus::failed && !is_done) return;
    open.connection->close();
    open.connection = nullptr;
  }

  TcpConnection pool_[slots];
  TcpListener listener_;
  std::vector<Open> open_;
};

/// A connection of another thread of the application. The lock of lwIP protects its members.
class Client {
 public:
  Client() {
    const CoreLock lock;
    pcb_ = tcp_new();
    EXPECT_NE(pcb_, nullptr);
    if (pcb_ == nullptr) return;
    tcp_arg(pcb_, this);
    tcp_err(pcb_, [](void* self, err_t) { static_cast<Client*>(self)->lose(); });
    tcp_recv(pcb_, [](void* self, tcp_pcb*, pbuf* data, err_t) { return static_cast<Client*>(self)->take(data); });
    tcp_sent(pcb_, [](void* self, tcp_pcb*, u16_t) { return static_cast<Client*>(self)->go_on(); });
    ip_addr_t to;
    IP4_ADDR(&to, 127, 0, 0, 1);
    // While all slots are in use, lwIP repeats the SYN.
    EXPECT_EQ(tcp_connect(pcb_, &to, port,
                          [](void* self, tcp_pcb*, err_t) {
                            static_cast<Client*>(self)->is_connected_ = true;
                            return static_cast<Client*>(self)->go_on();
                          }),
              ERR_OK);
  }
  ~Client() {
    const CoreLock lock;
    if (pcb_ == nullptr) return;
    tcp_arg(pcb_, nullptr);
    tcp_err(pcb_, nullptr);
    tcp_recv(pcb_, nullptr);
    tcp_sent(pcb_, nullptr);
    EXPECT_EQ(tcp_close(pcb_), ERR_OK);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Sends, and expects the same back.
  void exchange(const std::string& text) {
    std::size_t sent = 0;
    for (;;) {
      {
        const CoreLock lock;
        ASSERT_NE(pcb_, nullptr);
        if (got_.size() == text.size()) {
          EXPECT_EQ(got_, text);
          return;
        }
        if (is_connected_) sent += send(std::string_view(text).substr(sent));
      }
      ASSERT_TRUE(bell_.wait(mcp::forever));
    }
  }

 private:
  std::size_t send(std::string_view text) {
    const std::size_t size = std::min<std::size_t>(text.size(), tcp_sndbuf(pcb_));
    if (size == 0) return 0;
    const err_t error = tcp_write(pcb_, text.data(), static_cast<u16_t>(size), TCP_WRITE_FLAG_COPY);
    if (error == ERR_OK) tcp_output(pcb_);
    return error == ERR_OK ? size : 0;
  }
  err_t take(pbuf* data) {
    if (data != nullptr) {
      std::string piece(data->tot_len, '\0');
      pbuf_copy_partial(data, piece.data(), data->tot_len, 0);
      got_ += piece;
      tcp_recved(pcb_, data->tot_len);
      pbuf_free(data);
    }
    return go_on();
  }
  err_t go_on() {
    bell_.ring();
    return ERR_OK;
  }
  void lose() {
    pcb_ = nullptr;
    bell_.ring();
  }

  tcp_pcb* pcb_ = nullptr;
  std::string got_;
  bool is_connected_ = false;
  Bell bell_;
};

void run_client(unsigned number, std::atomic<unsigned>& served, Bell& bell) {
  for (unsigned round = 0; round < rounds; ++round) {
    Client client;
    client.exchange(std::string(1 + (number * 977 + round * 613) % 9'000, static_cast<char>('a' + number)));
    ++served;
    bell.ring();
  }
}

constexpr test::Ip localhost{127, 0, 0, 1};

netif& loopback() {
  const CoreLock lock;
  return *netif_find("lo0");
}

TEST(LwipThreads, ServesClientsOfOtherThreads) {
  const LwipTimeServer time_server(localhost);
  test::CountingEntropy entropy;
  Bell bell;
  Interface interface(loopback(), entropy);
  interface.set_wake({[](void* context) { static_cast<Bell*>(context)->ring(); }, &bell});
  EXPECT_TRUE(interface.ready());
  char text[16];
  EXPECT_EQ(interface.address(text), "127.0.0.1");

  std::atomic<unsigned> served{0};
  std::vector<std::thread> threads;
  {
    mcp::lwip::SntpClock clock(interface, {.server = localhost});
    Echo echo(interface);
    for (unsigned i = 0; i < clients; ++i) threads.emplace_back(run_client, i, std::ref(served), std::ref(bell));
    const auto end = std::chrono::steady_clock::now() + limit;
    while (served != clients * rounds || !clock.is_set()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      echo.turn();
      static_cast<void>(clock.utc_ms());
      if (!bell.wait(interface.poll())) break;
    }
    EXPECT_EQ(served, clients * rounds);
    EXPECT_TRUE(clock.is_set());
    for (std::thread& thread : threads) thread.join();
  }
}

// The main loop looks at the clock and does not poll when the thread of lwIP sets it, or notes that it is rejected.
TEST(LwipThreads, ClockChangesInTheThreadOfLwip) {
  test::CountingEntropy entropy;  // the first request is sent at once
  Interface interface(loopback(), entropy);
  const auto end = std::chrono::steady_clock::now() + limit;
  const auto until_asked = [&] {
    for (mcp::Millis due = interface.poll(); due < 10'000; due = interface.poll()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::yield();
    }
  };
  const auto until = [&](const auto& is_so) {
    while (!is_so()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::yield();
    }
  };
  {
    const LwipTimeServer time_server(localhost);
    const mcp::lwip::SntpClock clock(interface, {.server = localhost});
    until_asked();
    until([&] { return clock.is_set(); });
  }
  const LwipTimeServer rejecting(localhost, true);
  const mcp::lwip::SntpClock clock(interface, {.server = localhost});
  until_asked();
  until([&] { return clock.is_refused(); });
}

/// A network in which another device has the first names that this one probes for.
class TakenNames {
 public:
  TakenNames() {
    const CoreLock lock;
    ip4_addr_t address;
    ip4_addr_t mask;
    IP4_ADDR(&address, 10, 0, 0, 1);
    IP4_ADDR(&mask, 255, 255, 255, 0);
    EXPECT_NE(netif_add(&interface, &address, &mask, nullptr, this, start, tcpip_input), nullptr);
    netif_set_up(&interface);
    netif_set_link_up(&interface);
  }
  ~TakenNames() {
    const CoreLock lock;
    netif_remove(&interface);
  }
  TakenNames(const TakenNames&) = delete;
  TakenNames& operator=(const TakenNames&) = delete;

  netif interface = {};

 private:
  static err_t start(netif* interface) {
    interface->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_IGMP;
    interface->mtu = 1500;
    interface->output = [](netif* self, pbuf* packet, const ip4_addr_t*) {
      return static_cast<TakenNames*>(self->state)->look_at(*packet);
    };
    return ERR_OK;
  }
  // In the thread of lwIP.
  err_t look_at(const pbuf& packet) {
    test::Bytes data(packet.tot_len);
    pbuf_copy_partial(&packet, data.data(), packet.tot_len, 0);
    constexpr std::size_t headers = 20 + 8;
    if (data.size() < headers || data[9] != 17 || names_ == 0) return ERR_OK;
    const auto message = test::dns::read({data.begin() + headers, data.end()});
    if (!message || message->is_answer()) return ERR_OK;
    --names_;
    test::dns::Message claim;
    claim.flags = 0x8400;
    claim.answers.push_back(test::dns::record(message->questions.at(0).name, test::dns::a, {10, 0, 0, 9}));
    const test::Bytes frame = test::udp_frame({.from = {10, 0, 0, 9},
                                               .to = test::dns::group,
                                               .from_port = test::dns::port,
                                               .to_port = test::dns::port,
                                               .data = test::dns::write(claim)});
    const auto size = static_cast<u16_t>(frame.size() - 14);  // without the header of Ethernet
    pbuf* const answer = pbuf_alloc(PBUF_RAW, size, PBUF_POOL);
    EXPECT_EQ(pbuf_take(answer, frame.data() + 14, size), ERR_OK);
    EXPECT_EQ(tcpip_input(answer, &interface), ERR_OK);
    return ERR_OK;
  }

  unsigned names_ = 3;
};

// The thread of lwIP changes the names while the main loop reads them.
TEST(LwipThreads, NamesChangeInTheThreadOfLwip) {
  TakenNames network;
  test::CountingEntropy entropy;
  Interface interface(network.interface, entropy);
  Bell bell;
  std::atomic<unsigned> wakes{0};
  interface.set_wake({[](void* context) { ++*static_cast<std::atomic<unsigned>*>(context); }, &wakes});
  mcp::lwip::MdnsResponder responder(interface, {.host = "boiler", .name = "Boiler"});
  ASSERT_TRUE(responder.ok());
  const auto end = std::chrono::steady_clock::now() + limit;
  while (responder.hosts()[0] != "boiler-4.local") {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    const mcp::Millis due = interface.poll();
    EXPECT_LE(due, 1'000U);
    EXPECT_TRUE(test::host_of(responder).starts_with("boiler"));
    EXPECT_EQ(test::name_of(responder), "Boiler");
    static_cast<void>(bell.wait(std::min<mcp::Millis>(due, 50)));
  }
  EXPECT_GE(wakes, 4U);  // three other names, and the announcement
}

}  // namespace

// Of the coverage build.
extern "C" [[gnu::weak]] int __llvm_profile_write_file();

int main(int count, char** texts) {
  testing::InitGoogleTest(&count, texts);
  Bell started;
  tcpip_init([](void* bell) { static_cast<Bell*>(bell)->ring(); }, &started);
  if (!started.wait(mcp::forever)) return 1;
  const int result = RUN_ALL_TESTS();
  std::fflush(nullptr);
  // The thread of lwIP runs until the end of the process.
  if (__llvm_profile_write_file != nullptr) static_cast<void>(__llvm_profile_write_file());
  std::_Exit(result);
}
