// SPDX-License-Identifier: Apache-2.0
/* The lwIP of an application without an operating system, with its own sizes and protocols. The port does not choose
   anything here: mcp/ports/lwip_options.h checks it. */
#pragma once

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_SOCKET 0
#define LWIP_NETCONN 0
#define LWIP_STATS 0
#define LWIP_IPV4 1
#define LWIP_ICMP 1
#define LWIP_UDP 1
#define LWIP_DHCP 0
#define LWIP_IGMP 1
#define MEM_ALIGNMENT 8
#define MEM_SIZE 32768

#define LWIP_TCP 1
#define TCP_LISTEN_BACKLOG 1
#define TCP_MSS 1460
#define TCP_WND (4 * TCP_MSS)
#define TCP_SND_BUF (4 * TCP_MSS)
#define MEMP_NUM_TCP_PCB 16
#define MEMP_NUM_TCP_SEG 64
#define MEMP_NUM_SYS_TIMEOUT (LWIP_NUM_SYS_TIMEOUT_INTERNAL + 12)
#define MEMP_NUM_UDP_PCB 6
#define PBUF_POOL_SIZE 24

#define LWIP_MDNS_RESPONDER 1
#define LWIP_NUM_NETIF_CLIENT_DATA 1
#define MDNS_RESP_USENETIF_EXTCALLBACK 0
#define LWIP_AUTOIP 0

/* The interfaces of the test are in one lwIP: a packet leaves through the one whose address it comes from. */
#define LWIP_HOOK_FILENAME "route.h"
#define LWIP_HOOK_IP4_ROUTE_SRC test_route
