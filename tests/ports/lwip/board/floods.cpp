// SPDX-License-Identifier: Apache-2.0
#include "floods.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <random>

#include "ports/lwip/tcp_packets.hpp"
#include "stepped_board.hpp"

namespace test {
namespace {

using mcp::Millis;

constexpr std::string_view kinds[] = {"syn-flood",  "syn-flood-far", "syn-flood-one", "stall-silent",
                                      "stall-byte", "stall-window",  "connect-close", "connect-many",
                                      "ack-junk",   "arp-others",    "arp-for-us",    "arp-spoof-peer",
                                      "arp-same-ip"};
constexpr Ip honest{10, 0, 0, 3};
constexpr Ip attacker{10, 0, 0, 66};
constexpr Mac attacker_mac{2, 0, 0, 0, 0, 66};
constexpr std::uint8_t first_random = 100;  // the last byte of random addresses of the network, and how many there are
constexpr unsigned random_addresses = 100;
constexpr unsigned http_port = 80;
constexpr Millis listen_limit_ms = 60'000;
constexpr Millis client_limit_ms = 15'000;
constexpr Millis between_clients_ms = 250;
constexpr Millis warm_up_ms = 1'000;
constexpr std::string_view request = "GET /nothing HTTP/1.1\r\nHost: 10.0.0.7\r\n\r\n";
constexpr Bytes::value_type segment_option[] = {2, 4, 0x05, 0xB4};

/// A client that repeats like Linux: its SYN after 1, 3 and 7 s, its request after 200 ms plus the delay, doubled.
struct Client {
  unsigned port = 0;
  std::uint32_t sequence = 0;  // of its first segment
  std::uint32_t expected = 0;  // from the board
  Millis begun_ms = 0;
  Millis repeat_ms = 0;  // when
  Millis wait_ms = 1'000;
  bool connected = false, served = false, reset = false, finished = false;
  std::string received;
};

class Cable {
 public:
  Cable(const std::vector<std::string>& command, const FloodOptions& options)
      : options_(options), board_(command), random_(options.seed) {}

  FloodResult run() {
    while (!listens() && now() < listen_limit_ms && !has_ended()) turn();
    result_.is_listening = listens();
    if (!result_.is_listening) return finish();
    begun_ms_ = now();
    wait(warm_up_ms);
    for (unsigned i = 0; i < options_.clients && !has_ended(); ++i) count(serve(i));
    is_over_ = true;
    const std::optional<Millis> after_ms = serve(options_.clients);
    result_.is_served_after = after_ms && *after_ms <= 1'000;
    return finish();
  }

 private:
  [[nodiscard]] bool listens() const { return board_.said().find("listening on http://10.0.0.7") != std::string::npos; }
  [[nodiscard]] bool has_ended() const { return board_.has_ended(); }
  [[nodiscard]] Millis now() const { return board_.now(); }
  // At most twice this time, because a flood and the board have periods, and clients come at each moment of them.
  void wait(Millis time_ms) {
    const Millis end = now() + time_ms + random() % time_ms;
    while (now() < end && !has_ended()) turn();
  }
  FloodResult finish() {
    result_.said = board_.said();
    return result_;
  }

  void count(std::optional<Millis> time_ms) {
    if (client_.reset) ++result_.resets;
    if (!time_ms) return;
    ++result_.served;
    result_.worst_ms = std::max(result_.worst_ms, *time_ms);
  }

  // The time until the client is served, or nothing.
  std::optional<Millis> serve(unsigned number) {
    Client client;
    client.port = 40'000 + number;
    client.sequence = random();
    client.begun_ms = now();
    client.repeat_ms = client.begun_ms + client.wait_ms;
    client_ = client;
    say(client_, syn);
    while (!client_.served && !client_.reset && now() - client_.begun_ms < client_limit_ms && !has_ended()) turn();
    const Millis time_ms = now() - client_.begun_ms;
    wait(between_clients_ms);
    if (!client_.served) return std::nullopt;
    return time_ms;
  }

  // ---- Frames, with their delay

  struct Delayed {
    Millis due_ms;
    Bytes frame;
  };
  void later(Bytes frame) { out_.push_back({now() + options_.delay_ms, std::move(frame)}); }

  void turn() {
    for (const Bytes& frame : board_.step()) take(frame);
    if (result_.is_listening && !is_over_) flood();
    while (!out_.empty() && out_.front().due_ms <= now()) {
      board_.send(out_.front().frame);
      out_.pop_front();
    }
    if (client_.port != 0 && !client_.served && !client_.reset && now() >= client_.repeat_ms) {
      client_.wait_ms *= 2;
      client_.repeat_ms = now() + client_.wait_ms;
      say(client_, client_.connected ? ack : syn);
    }
  }

  void take(const Bytes& frame) {
    if (const auto answer = lease(frame)) board_.send(*answer);
    if (const auto arp = read_arp(frame); arp && arp->operation == 1) {
      const bool is_attacker = is_attackers(arp->to);
      if (is_attacker || arp->to == honest || arp->to == cable_address)
        board_.send(arp_frame({2, is_attacker ? attacker_mac : cable_mac, arp->to, board_address}, arp->from_mac,
                              arp->from_mac));
    }
    const auto segment = read_tcp(frame);
    if (!segment) return;
    board_mac_ = segment->from_mac;
    if (segment->to == honest) {
      // Under a forged address, the board cannot know where the client is. This cable brings all frames to it.
      if (segment->to_mac == cable_mac || options_.kind == "arp-spoof-peer") hear(*segment);
    } else if (is_attackers(segment->to)) {
      attack(*segment);
    }
  }
  [[nodiscard]] bool is_attackers(const Ip& address) const {
    return address == attacker || (options_.kind == "connect-many" && address[3] >= first_random);
  }

  std::uint32_t random() { return static_cast<std::uint32_t>(random_()); }
  Ip random_address() { return {10, 0, 0, static_cast<std::uint8_t>(first_random + random() % random_addresses)}; }

  // ---- The honest client

  void say(Client& client, unsigned flags) {
    Segment segment;
    segment.from = honest;
    segment.to = board_address;
    segment.from_port = client.port;
    segment.to_port = http_port;
    segment.from_mac = cable_mac;
    segment.to_mac = board_mac();
    segment.flags = flags;
    segment.sequence = client.sequence;
    segment.window = 64'240;
    if ((flags & syn) != 0) {
      segment.options.assign(std::begin(segment_option), std::end(segment_option));
    } else {
      segment.sequence += 1;
      segment.acknowledged = client.expected;
      if (client.served) segment.sequence += static_cast<std::uint32_t>(request.size());
      if (!client.served && client.connected && (flags & fin) == 0) segment.data = request;
    }
    later(tcp_frame(segment));
  }

  void hear(const Segment& segment) {
    if (segment.to_port != client_.port) return;
    if ((segment.flags & rst) != 0) {
      if (!client_.served) client_.reset = true;
      return;
    }
    if ((segment.flags & syn) != 0) {
      if (client_.connected) return;
      if (segment.acknowledged != client_.sequence + 1) return;
      client_.expected = segment.sequence + 1;
      say(client_, ack);  // not connected: without the request
      client_.connected = true;
      client_.wait_ms = 200 + options_.delay_ms;
      client_.repeat_ms = now() + client_.wait_ms;
      say(client_, ack);
      return;
    }
    if (!client_.connected || segment.sequence != client_.expected) return;
    client_.expected += static_cast<std::uint32_t>(segment.data.size());
    client_.received += segment.data;
    if (client_.finished) return;
    if (client_.received.find("HTTP/1.1 404") != std::string::npos) client_.served = true;
    if (!segment.data.empty()) say(client_, ack);
    if (client_.served) {
      client_.finished = true;
      say(client_, ack | fin);
    }
  }

  [[nodiscard]] Mac board_mac() const { return board_mac_; }

  // ---- The flood

  void flood() {
    const Millis passed = now() - begun_ms_;
    while (result_.sent < static_cast<std::uint64_t>(passed) * options_.rate / 1'000) {
      ++result_.sent;
      if (options_.kind.starts_with("arp")) {
        one_arp();
      } else {
        one();
      }
    }
  }

  void one_arp() {
    Arp arp{1, attacker_mac, attacker, board_address};
    if (options_.kind == "arp-others") arp.to = random_address();
    if (options_.kind == "arp-for-us") {
      arp.from = random_address();
      arp.from_mac[5] = arp.from[3];
    }
    if (options_.kind == "arp-spoof-peer") {
      arp.operation = 2;
      arp.from = honest;
    }
    if (options_.kind == "arp-same-ip") arp.from = board_address;
    board_.send(arp_frame(arp, arp.operation == 2 ? board_mac() : to_all, arp.operation == 2 ? board_mac() : Mac{}));
  }

  void one() {
    Segment segment;
    segment.from = attacker;
    segment.to = board_address;
    segment.to_port = http_port;
    segment.from_port = 1'024 + random() % 60'000;
    segment.sequence = random();
    segment.flags = syn;
    segment.from_mac = attacker_mac;
    segment.to_mac = board_mac();
    segment.options.assign(std::begin(segment_option), std::end(segment_option));
    if (options_.kind == "syn-flood" || options_.kind == "ack-junk" || options_.kind == "connect-many")
      segment.from = random_address();
    if (options_.kind == "syn-flood-far") {
      for (std::uint8_t& byte : segment.from) byte = static_cast<std::uint8_t>(1 + random() % 200);
      segment.from_mac = cable_mac;
    }
    if (options_.kind == "ack-junk") {
      segment.flags = random() % 64;
      segment.acknowledged = random();
      segment.options.resize(4 * (random() % 6));
      for (std::uint8_t& byte : segment.options) byte = static_cast<std::uint8_t>(random());
    }
    if (options_.kind.starts_with("stall") || options_.kind.starts_with("connect")) {
      segment.from_port = 1'024 + next_port_++ % 60'000;
      later(tcp_frame(segment));
    } else {
      board_.send(tcp_frame(segment));
    }
  }

  // A client that connects, and then stalls, each in its way. Clients of many addresses send no bytes.
  void attack(const Segment& heard) {
    if ((heard.flags & (syn | rst)) != syn) return;
    Segment segment;
    segment.from = heard.to;
    segment.to = board_address;
    segment.from_port = heard.to_port;
    segment.to_port = http_port;
    segment.sequence = heard.acknowledged;
    segment.acknowledged = heard.sequence + 1;
    segment.flags = ack;
    segment.from_mac = attacker_mac;
    segment.to_mac = board_mac();
    if (options_.kind == "stall-byte") segment.data = "G";
    if (options_.kind == "stall-window") {
      // As many responses as the connection takes.
      for (unsigned i = 0; i < 8; ++i) segment.data += request;
      segment.window = 0;
    }
    if (options_.kind == "connect-close") segment.flags |= fin;
    if (!options_.kind.starts_with("syn")) later(tcp_frame(segment));
  }

  FloodOptions options_;
  SteppedBoard board_;
  std::mt19937 random_;
  FloodResult result_;
  Millis begun_ms_ = 0;
  bool is_over_ = false;
  unsigned next_port_ = 0;
  Client client_;
  std::deque<Delayed> out_;
  Mac board_mac_ = to_all;
};

}  // namespace

std::span<const std::string_view> floods() { return kinds; }

FloodResult run_flood(const std::vector<std::string>& command, const FloodOptions& options) {
  return Cable(command, options).run();
}

}  // namespace test
