/* SPDX-License-Identifier: Apache-2.0 */
/* lwIP with an operating system, its socket API and a loopback interface. */
#pragma once

#define NO_SYS 0
#define LWIP_SOCKET 1
#define LWIP_NETCONN 1
#define LWIP_NETIF_LOOPBACK 1
#define SO_REUSE 1
#define LWIP_TIMEVAL_PRIVATE 0
#define LWIP_ERRNO_STDINCLUDE 1

#define MEMP_NUM_NETCONN 24
#define MEMP_NUM_TCP_PCB 40
#define MEMP_NUM_TCP_SEG 128
#define MEM_SIZE 65536
#define TCPIP_MBOX_SIZE 64
#define DEFAULT_TCP_RECVMBOX_SIZE 32
#define DEFAULT_UDP_RECVMBOX_SIZE 8
#define DEFAULT_ACCEPTMBOX_SIZE 16
#define TCP_LISTEN_BACKLOG 1
#define LWIP_STATS 0
