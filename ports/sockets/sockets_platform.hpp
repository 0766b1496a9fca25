// SPDX-License-Identifier: Apache-2.0
// The socket functions of the system. Include it after all other headers, because lwIP has macros for names such as
// `read`.
#pragma once

#include <cstddef>

#if __has_include(<sys/socket.h>) && !defined(MOTE_SOCKETS_LWIP)
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>
#if __has_include(<netinet/in.h>)
#include <netinet/in.h>
#endif
#if __has_include(<netinet/tcp.h>)
#include <netinet/tcp.h>
#endif
#if __has_include(<poll.h>)
#include <poll.h>
#else
#include <sys/poll.h>
#endif
#include <sys/socket.h>

#include <cerrno>
#else
// lwIP in a system without these headers, or in addition to the sockets of the system.
#include <lwip/errno.h>
#include <lwip/inet.h>
#include <lwip/sockets.h>
#endif

// lwIP without IPv6 has no IPv6 addresses.
#if defined(AF_INET6) && (!defined(LWIP_IPV6) || LWIP_IPV6)
#define MOTE_SOCKETS_IPV6 1
#else
#define MOTE_SOCKETS_IPV6 0
#endif

namespace mcp::sockets {

// A send() to a disconnected client raises no signal. On a system without the flag, SO_NOSIGPIPE replaces it, or there
// are no signals.
#ifdef MSG_NOSIGNAL
inline constexpr int send_flags = MSG_NOSIGNAL;
#else
inline constexpr int send_flags = 0;
#endif

// The number of clients that may wait to be accepted.
#ifdef SOMAXCONN
constexpr int backlog_of(std::size_t) { return SOMAXCONN; }
#else
constexpr int backlog_of(std::size_t connections) { return static_cast<int>(connections); }
#endif

}  // namespace mcp::sockets
