// SPDX-License-Identifier: Apache-2.0
// A time server as another application of the lwIP under test, with and without threads.
#pragma once

#include <gtest/gtest.h>
#include <lwip/udp.h>

#include <cstdint>

#include "packets.hpp"
#include "ports/lwip/lwip_lock.hpp"

namespace test {

class LwipTimeServer {
 public:
  static constexpr std::uint32_t utc_s = 1'786'000'000;  // in 2026
  static constexpr double utc_ms = utc_s * 1'000.0;

  /// Listens at `address`, and rejects each client for good if it `rejects`.
  explicit LwipTimeServer(Ip address, bool rejects = false) : rejects_(rejects) {
    const mcp::lwip::CoreLock lock;
    ip_addr_t own;
    IP4_ADDR(&own, address[0], address[1], address[2], address[3]);
    pcb_ = udp_new();
    EXPECT_EQ(udp_bind(pcb_, &own, 123), ERR_OK);
    udp_recv(pcb_, answer, this);
  }
  ~LwipTimeServer() {
    const mcp::lwip::CoreLock lock;
    udp_remove(pcb_);
  }
  LwipTimeServer(const LwipTimeServer&) = delete;
  LwipTimeServer& operator=(const LwipTimeServer&) = delete;

 private:
  // In the thread of lwIP.
  static void answer(void* self, udp_pcb* pcb, pbuf* request, const ip_addr_t* to, u16_t port) {
    constexpr std::uint32_t from_1900_to_1970_s = 2'208'988'800;
    const bool rejects = static_cast<LwipTimeServer*>(self)->rejects_;
    Bytes question(8);
    pbuf_copy_partial(request, question.data(), 8, 40);
    pbuf_free(request);
    Writer writer;
    writer.u8(0x24).u8(rejects ? 0 : 1).u16(0).u32(0).u32(0).all(std::string_view("DENY")).u32(0).u32(0);
    writer.all(question).u32(0).u32(0).u32(utc_s + from_1900_to_1970_s).u32(0);
    pbuf* const response = pbuf_alloc(PBUF_TRANSPORT, static_cast<u16_t>(writer.bytes.size()), PBUF_RAM);
    pbuf_take(response, writer.bytes.data(), response->len);
    EXPECT_EQ(udp_sendto(pcb, response, to, port), ERR_OK);
    pbuf_free(response);
  }

  udp_pcb* pcb_ = nullptr;
  bool rejects_;
};

}  // namespace test
