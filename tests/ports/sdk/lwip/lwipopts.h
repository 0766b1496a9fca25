/* SPDX-License-Identifier: Apache-2.0 */
/* lwIP with an operating system and its socket API. */
#pragma once

#define NO_SYS 0
#define LWIP_SOCKET 1
#define LWIP_NETCONN 1
#define LWIP_NETIF_LOOPBACK 1
#define LWIP_TIMEVAL_PRIVATE 0
#define LWIP_ERRNO_STDINCLUDE 1
