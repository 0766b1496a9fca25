// SPDX-License-Identifier: Apache-2.0
// A TCP client through lwIP: its output, its input, and its end.
#pragma once

#include <gtest/gtest.h>
#include <lwip/tcp.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

inline constexpr std::uint16_t http_port = 80;

/// One connection of a client. Its creator calls pump() of `all` in each turn.
class Client {
 public:
  std::string received;
  bool takes = true;  // whether it reads; otherwise the TCP window closes
  bool connected = false;
  bool ended = false;  // the server sends no more
  bool lost = false;   // reset or timed out

  /// Those that live.
  static inline std::vector<Client*> all;

  explicit Client(std::array<std::uint8_t, 4> from = {10, 0, 0, 2}, std::array<std::uint8_t, 4> to = {10, 0, 0, 1}) {
    all.push_back(this);
    pcb_ = tcp_new();
    EXPECT_NE(pcb_, nullptr);
    if (pcb_ == nullptr) return;
    const ip_addr_t mine = address(from);
    const ip_addr_t server = address(to);
    tcp_arg(pcb_, this);
    tcp_recv(pcb_, on_received);
    tcp_err(pcb_, on_lost);
    tcp_nagle_disable(pcb_);
    EXPECT_EQ(tcp_bind(pcb_, &mine, 0), ERR_OK);
    EXPECT_EQ(tcp_connect(pcb_, &server, http_port, on_connected), ERR_OK);
  }
  ~Client() {
    std::erase(all, this);
    reset();
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view bytes) { unsent_ += bytes; }
  void finish() { finishes_ = !std::exchange(finished_, true); }
  void reset() {
    if (pcb_ != nullptr) tcp_abort(pcb_);
    pcb_ = nullptr;
  }
  [[nodiscard]] std::size_t unsent() const { return unsent_.size(); }

  void pump() {
    if (pcb_ == nullptr || !connected) return;
    if (takes && untaken_ != 0) tcp_recved(pcb_, static_cast<u16_t>(std::exchange(untaken_, 0)));
    const auto size = static_cast<u16_t>(std::min<std::size_t>(unsent_.size(), tcp_sndbuf(pcb_)));
    if (size != 0 && tcp_write(pcb_, unsent_.data(), size, TCP_WRITE_FLAG_COPY) == ERR_OK) unsent_.erase(0, size);
    tcp_output(pcb_);
    if (!finishes_ || !unsent_.empty()) return;
    finishes_ = false;
    EXPECT_EQ(tcp_shutdown(pcb_, 0, 1), ERR_OK);
  }

 private:
  static ip_addr_t address(std::array<std::uint8_t, 4> bytes) {
    ip_addr_t value;
    IP4_ADDR(&value, bytes[0], bytes[1], bytes[2], bytes[3]);
    return value;
  }
  static err_t on_connected(void* self, tcp_pcb*, err_t) {
    static_cast<Client*>(self)->connected = true;
    return ERR_OK;
  }
  static err_t on_received(void* self, tcp_pcb*, pbuf* data, err_t) {
    auto& client = *static_cast<Client*>(self);
    if (data == nullptr) {
      client.ended = true;
      return ERR_OK;
    }
    std::string bytes(data->tot_len, '\0');
    pbuf_copy_partial(data, bytes.data(), data->tot_len, 0);
    client.received += bytes;
    client.untaken_ += data->tot_len;
    pbuf_free(data);
    return ERR_OK;
  }
  static void on_lost(void* self, err_t why) {
    auto& client = *static_cast<Client*>(self);
    client.pcb_ = nullptr;
    // The result of lwIP for a connection that both ends have closed.
    if (why != ERR_CLSD) client.lost = true;
  }

  tcp_pcb* pcb_ = nullptr;
  std::string unsent_;
  std::size_t untaken_ = 0;
  bool finishes_ = false;  // when all is sent
  bool finished_ = false;
};

}  // namespace test
