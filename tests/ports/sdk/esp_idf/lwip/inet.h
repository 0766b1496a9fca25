// SPDX-License-Identifier: Apache-2.0
// Declarations as in src/include/lwip/inet.h and def.h of lwIP 2.2.1.
#pragma once

#include <stdint.h>

struct in_addr {
  uint32_t s_addr;
};
struct in6_addr {
  union {
    uint32_t u32_addr[4];
    uint8_t u8_addr[16];
  } un;
#define s6_addr un.u8_addr
};

extern "C" uint16_t lwip_htons(uint16_t x);
extern "C" uint32_t lwip_htonl(uint32_t x);
#define htons(x) lwip_htons(x)
#define ntohs(x) lwip_htons(x)
#define ntohl(x) lwip_htonl(x)
