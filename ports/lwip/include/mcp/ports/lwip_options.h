// SPDX-License-Identifier: Apache-2.0
// The options of lwIP (lwipopts.h) that the port needs, checked by the preprocessor. The public headers of the port
// include it. No include guard: a header that needs more defines MOTE_LWIP_NEEDS_MDNS or MOTE_LWIP_NEEDS_SNTP first.
#include <lwip/init.h>
#include <lwip/opt.h>

// MOTE_LWIP_LOCK 1 (a compile definition): with NO_SYS 1, interrupts call lwIP, too. Public functions of the port then
// take the lock that the application supplies: mcp_lwip_lock() and mcp_lwip_unlock(), which may be nested.
#ifndef MOTE_LWIP_IS_SHARED
#if MOTE_LWIP_LOCK || !NO_SYS
#define MOTE_LWIP_IS_SHARED 1
#else
#define MOTE_LWIP_IS_SHARED 0
#endif
#endif

#if MOTE_LWIP_LOCK && !NO_SYS
#error "mote: MOTE_LWIP_LOCK 1 is for NO_SYS 1. With NO_SYS 0, the lock is LOCK_TCPIP_CORE."
#endif
#if LWIP_VERSION_MAJOR < 2 || (LWIP_VERSION_MAJOR == 2 && LWIP_VERSION_MINOR < 2)
#error "mote needs lwIP 2.2 or later."
#endif
#if !LWIP_IPV4
#error "lwipopts.h: mote needs LWIP_IPV4 1. It serves IPv4 clients."
#endif
#if !LWIP_TCP
#error "lwipopts.h: mote needs LWIP_TCP 1."
#endif
#if !LWIP_CALLBACK_API
#error "lwipopts.h: mote needs LWIP_CALLBACK_API 1, and not LWIP_EVENT_API."
#endif
#if !NO_SYS && !LWIP_TCPIP_CORE_LOCKING
#error "lwipopts.h: with NO_SYS 0, mote needs LWIP_TCPIP_CORE_LOCKING 1. It calls lwIP from the main loop."
#endif
#if defined __BYTE_ORDER__ && (BYTE_ORDER == BIG_ENDIAN) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#error "arch/cc.h: BYTE_ORDER must be the byte order of the compiler's target."
#endif
#if TCP_WND > 0xFFFF
#error "lwipopts.h: mote needs a TCP_WND of 65535 bytes at most. Each TcpConnection has a buffer of this size."
#endif
#if !MOTE_LWIP_STACK && !TCP_LISTEN_BACKLOG
#error "lwipopts.h: mote needs TCP_LISTEN_BACKLOG 1. Otherwise lwIP resets clients while all connections are in use."
#endif

#ifdef MOTE_LWIP_NEEDS_MDNS
#include <lwip/apps/mdns_opts.h>
#if !LWIP_MDNS_RESPONDER || !LWIP_IGMP
#error "lwipopts.h: MdnsResponder needs LWIP_MDNS_RESPONDER 1 and LWIP_IGMP 1."
#endif
#if MDNS_MAX_SERVICES < 1
#error "lwipopts.h: MdnsResponder needs MDNS_MAX_SERVICES 1 or more."
#endif
#endif

#if defined MOTE_LWIP_NEEDS_SNTP && !LWIP_UDP
#error "lwipopts.h: SntpClock needs LWIP_UDP 1."
#endif
