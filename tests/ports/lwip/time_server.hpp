// SPDX-License-Identifier: Apache-2.0
// A time server (SNTP) in a test: receives requests of a board at the end of a Tap, and sends valid or invalid
// responses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ports/lwip/packets.hpp"
#include "tap.hpp"
#include "time.hpp"

namespace test {

inline constexpr unsigned ntp_port = 123;
inline constexpr std::uint64_t some_day = 1'786'000'000'123;  // in 2026

/// Its response to the last request.
struct TimeAnswer {
  std::uint64_t utc_ms = some_day;
  unsigned first = 0x24;  // no leap second, version 4, server
  unsigned stratum = 2;
  const char* reference = "GPS ";
  Bytes originate = {};  // empty: the number of the request
  Ip from = {10, 0, 0, 9};
  unsigned from_port = ntp_port;
  std::size_t size = 48;
  bool has_time = true;
};

class TimeServer {
 public:
  static constexpr Ip board{10, 0, 0, 1};
  static constexpr Ip address{10, 0, 0, 9};
  static constexpr Mac mac{2, 0, 0, 0, 0, 9};

  explicit TimeServer(Tap& tap) : tap_(&tap) {}

  std::vector<Udp> asked;
  std::vector<mcp::Millis> asked_at;

  /// Reads the frames of the board: responds to ARP, and stores the requests.
  void listen() {
    for (const Bytes& frame : tap_->sent) {
      if (const auto arp = read_arp(frame); arp && arp->operation == 1 && arp->to == address)
        tap_->received.push_back(arp_frame({2, mac, address, board}, Tap::mac, Tap::mac));
      const auto udp = read_udp(frame);
      if (!udp || udp->to_port != ntp_port) continue;
      asked.push_back(*udp);
      asked_at.push_back(lwip_time::now);
    }
    tap_->sent.clear();
  }

  void tell(const TimeAnswer& answer) {
    // From 1900, where NTP begins to count, to 1970.
    constexpr std::uint64_t ntp_to_utc_s = 2'208'988'800;
    const std::uint64_t ntp_s = answer.utc_ms / 1'000 + ntp_to_utc_s;
    const std::uint64_t fraction = ((answer.utc_ms % 1'000 << 32) + 999) / 1'000;
    const Bytes& question = asked.back().data;
    const Bytes originate = answer.originate.empty() ? Bytes(question.begin() + 40, question.end()) : answer.originate;
    Writer writer;
    writer.u8(answer.first).u8(answer.stratum).u8(6).u8(0xEC).u32(0).u32(0).all(std::string_view(answer.reference));
    writer.u32(0).u32(0).all(originate).u32(static_cast<std::uint32_t>(ntp_s)).u32(0);
    writer.u32(answer.has_time ? static_cast<std::uint32_t>(ntp_s) : 0);
    writer.u32(answer.has_time ? static_cast<std::uint32_t>(fraction) : 0);
    writer.bytes.resize(answer.size);
    tap_->received.push_back(udp_frame({.from_mac = mac,
                                        .to_mac = Tap::mac,
                                        .from = answer.from,
                                        .to = board,
                                        .from_port = answer.from_port,
                                        .to_port = asked.back().from_port,
                                        .time_to_live = 64,
                                        .data = writer.bytes}));
  }

 private:
  Tap* tap_;
};

}  // namespace test
