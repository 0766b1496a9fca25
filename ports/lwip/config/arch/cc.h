// SPDX-License-Identifier: Apache-2.0
/* What lwIP asks of its surroundings: the compiler, an answer to a failed check, random numbers. Knows no board. */
#pragma once

#include <stdint.h>

/* Without this, lwIP takes every processor for little-endian. */
#ifndef BYTE_ORDER
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER BIG_ENDIAN
#else
#define BYTE_ORDER LITTLE_ENDIAN
#endif
#endif

#ifdef __cplusplus
extern "C" {
#define MOTE_LWIP_NORETURN [[noreturn]]
#else
#define MOTE_LWIP_NORETURN __attribute__((noreturn))
#endif

/* The hook of mcp/assert.hpp. */
MOTE_LWIP_NORETURN void mcp_assert_failed(const char* file, int line);

/* From the Entropy of the network (lwip_network.cpp). */
uint32_t mote_lwip_random(void);

/* What a segment is before lwIP looks at it: for a listener, or for somebody else (lwip_handshake.cpp). 0: lwIP goes
   on. */
struct pbuf;
struct tcp_hdr;
struct tcp_pcb;
int8_t mote_lwip_look(struct tcp_pcb* pcb, struct tcp_hdr* header, uint16_t options, struct pbuf* data);

#ifdef __cplusplus
}
#else
/* In place of the probe that mdns.c compares with the probe of another device (lwip_tiebreak.cpp): an error, and
   nothing of the comparison is left. */
struct netif;
struct mdns_outmsg;
struct mdns_outpacket;
static inline int8_t mote_lwip_no_probe(struct netif* interface, struct mdns_outmsg* message,
                                        struct mdns_outpacket* packet) {
  (void)interface, (void)message, (void)packet;
  return -1;
}
#endif

#define LWIP_PLATFORM_ASSERT(text) mcp_assert_failed("lwIP", __LINE__)
#define LWIP_PLATFORM_DIAG(arguments) ((void)0)
#define LWIP_RAND() mote_lwip_random()
#define LWIP_NO_CTYPE_H 1

/* A release firmware does without lwIP's checks of itself. */
#ifdef NDEBUG
#define LWIP_NOASSERT
#endif
