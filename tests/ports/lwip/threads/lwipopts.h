// SPDX-License-Identifier: Apache-2.0
/* The lwIP of an application with threads: its own thread runs the stack, and all others take its lock. */
#pragma once

#define NO_SYS 0
#define SYS_LIGHTWEIGHT_PROT 1
#define LWIP_TCPIP_CORE_LOCKING 1
#define LWIP_TCPIP_CORE_LOCKING_INPUT 0
#define LWIP_ASSERT_CORE_LOCKED() test_check_lock()
#define LWIP_COMPAT_MUTEX 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_STATS 0
#define LWIP_IPV4 1
#define LWIP_ICMP 1
#define LWIP_UDP 1
#define LWIP_IGMP 1
#define LWIP_MDNS_RESPONDER 1
#define MDNS_RESP_USENETIF_EXTCALLBACK 0
#define LWIP_NUM_NETIF_CLIENT_DATA 1
#define MEMP_NUM_SYS_TIMEOUT (LWIP_NUM_SYS_TIMEOUT_INTERNAL + 8)
#define LWIP_ARP 0
#define LWIP_ETHERNET 0
#define LWIP_HAVE_LOOPIF 1
#define LWIP_NETIF_LOOPBACK 1
#define TCPIP_MBOX_SIZE 64
#define MEM_ALIGNMENT 8
#define MEM_SIZE 131072

#define LWIP_TCP 1
#define TCP_LISTEN_BACKLOG 1
#define TCP_MSS 1460
#define TCP_WND (4 * TCP_MSS)
#define TCP_SND_BUF (2 * TCP_MSS)
#define TCP_MSL 100           /* ms: the pools are not full of connections that have ended */
#define LWIP_TCP_RTO_TIME 300 /* ms: a client that finds no slot repeats its SYN soon */
#define MEMP_NUM_TCP_PCB 64
#define MEMP_NUM_TCP_SEG 128
#define MEMP_NUM_TCPIP_MSG_INPKT 64
#define PBUF_POOL_SIZE 64
