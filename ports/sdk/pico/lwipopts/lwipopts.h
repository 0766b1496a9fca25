/* SPDX-License-Identifier: Apache-2.0 */
/* Options of lwIP for mcp::pico::Wifi, MdnsResponder and SntpClock, for a project without a lwipopts.h of its own: the
   target mote::pico_lwipopts. Both variants of pico_cyw43_arch use them. mcp/ports/lwip_options.h checks other ones. */
#pragma once

/* Clients' connections at the same time, each with 10 KB of RAM in lwIP and in its TcpConnection. */
#ifndef MOTE_LWIP_CONNECTIONS
#define MOTE_LWIP_CONNECTIONS 4
#endif

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_SOCKET 0
#define LWIP_NETCONN 0
#define LWIP_STATS 0
#define LWIP_RAW 0
#define LWIP_IPV4 1
#define LWIP_IPV6 0
#define LWIP_ICMP 1
#define LWIP_UDP 1
#define LWIP_DNS 0
#define LWIP_IGMP 1
#define IP_FRAG 0
#define IP_REASSEMBLY 0
#define ARP_QUEUEING 0

/* ---- DHCP: the driver starts it. A check of the address would keep the board from it for seconds. ---- */

#define LWIP_DHCP 1
#define LWIP_DHCP_DOES_ACD_CHECK 0
#define LWIP_NETIF_HOSTNAME 1

/* ---- Names: one service. Timers: probe, announcement, responses. ---- */

#define LWIP_MDNS_RESPONDER 1
#define LWIP_MDNS_SEARCH 0
#define LWIP_NUM_NETIF_CLIENT_DATA 1
#define MDNS_MAX_SERVICES 1
#define MDNS_MAX_STORED_PKTS 1
#define MDNS_OUTPUT_PACKET_SIZE 512
#define MDNS_RESP_USENETIF_EXTCALLBACK 0
#define MEMP_NUM_SYS_TIMEOUT (LWIP_NUM_SYS_TIMEOUT_INTERNAL + 6)
#define MEMP_NUM_UDP_PCB 4
#define MEMP_NUM_IGMP_GROUP 4

/* ---- TCP ---- */

#define LWIP_TCP 1
#define LWIP_TCP_KEEPALIVE 1
#define TCP_LISTEN_BACKLOG 1
#define TCP_MSS 1460
#define TCP_WND (2 * TCP_MSS)
#define TCP_SND_BUF (2 * TCP_MSS)
#define TCP_SND_QUEUELEN 8
#define TCP_OVERSIZE 0
#define TCP_QUEUE_OOSEQ 0
/* The first sequence number of a connection cannot be guessed. */
#define LWIP_HOOK_TCP_ISN(local_ip, local_port, remote_ip, remote_port) LWIP_RAND()

/* ---- Memory: fixed. An interrupt must not call malloc. ---- */

#define MEM_LIBC_MALLOC 0
#define MEMP_MEM_MALLOC 0
#define MEM_ALIGNMENT __SIZEOF_POINTER__
/* The bytes on their way to each client, with lwIP's bookkeeping for each segment, and 2 KB for DHCP and mDNS. */
#define MEM_SIZE (MOTE_LWIP_CONNECTIONS * (TCP_SND_BUF + TCP_SND_QUEUELEN * 96) + 2048)
#define MEMP_NUM_TCP_PCB (MOTE_LWIP_CONNECTIONS + 3)
#define MEMP_NUM_TCP_PCB_LISTEN 2
#define MEMP_NUM_TCP_SEG (MOTE_LWIP_CONNECTIONS * TCP_SND_QUEUELEN + 3)
#define PBUF_POOL_SIZE 6

/* ---- A failed check of lwIP, which would link printf. ---- */

/* Clang wants the first declaration in a file to have the attribute of mcp/assert.hpp. */
#ifdef __cplusplus
extern "C" [[noreturn]] void mcp_assert_failed(const char* file, int line);
#else
__attribute__((noreturn)) void mcp_assert_failed(const char* file, int line);
#endif
#define LWIP_PLATFORM_ASSERT(text) mcp_assert_failed("lwIP", __LINE__)
#define LWIP_PLATFORM_DIAG(arguments) ((void)0)
#ifdef NDEBUG
#define LWIP_NOASSERT
#endif
