// SPDX-License-Identifier: Apache-2.0
// Declarations as in src/include/lwip/sockets.h of esp-lwip, commit 1641099, with ESP_SOCKET and without
// LWIP_POSIX_SOCKETS_IO_NAMES. close() and fcntl() are those of newlib.
#pragma once

#include <errno.h>
#include <stddef.h>
#include <sys/poll.h>
#include <sys/types.h>

#include "lwip/inet.h"

typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef uint32_t socklen_t;

struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
struct sockaddr_in6 {
  uint8_t sin6_len;
  sa_family_t sin6_family;
  in_port_t sin6_port;
  uint32_t sin6_flowinfo;
  struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};
struct sockaddr {
  uint8_t sa_len;
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  uint8_t s2_len;
  sa_family_t ss_family;
  char s2_data1[2];
  uint32_t s2_data2[3];
  uint32_t s2_data3[3];
};

#define LWIP_IPV6 1
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SO_REUSEADDR 0x0004
#define SO_KEEPALIVE 0x0008
#define SOL_SOCKET 0xfff
#define SO_ERROR 0x1007
#define AF_UNSPEC 0
#define AF_INET 2
#define AF_INET6 10
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define MSG_NOSIGNAL 0x20
#define TCP_NODELAY 0x01
#define TCP_KEEPALIVE 0x02
#define TCP_KEEPIDLE 0x03
#define TCP_KEEPINTVL 0x04
#define TCP_KEEPCNT 0x05
#define IPV6_V6ONLY 27
#define SHUT_WR 1

extern "C" {
int lwip_accept(int s, struct sockaddr* addr, socklen_t* addrlen);
int lwip_bind(int s, const struct sockaddr* name, socklen_t namelen);
int lwip_shutdown(int s, int how);
int lwip_getsockname(int s, struct sockaddr* name, socklen_t* namelen);
int lwip_getsockopt(int s, int level, int optname, void* optval, socklen_t* optlen);
int lwip_setsockopt(int s, int level, int optname, const void* optval, socklen_t optlen);
int lwip_connect(int s, const struct sockaddr* name, socklen_t namelen);
int lwip_listen(int s, int backlog);
ssize_t lwip_recv(int s, void* mem, size_t len, int flags);
ssize_t lwip_send(int s, const void* dataptr, size_t size, int flags);
int lwip_socket(int domain, int type, int protocol);
int lwip_inet_pton(int af, const char* src, void* dst);

static inline int accept(int s, struct sockaddr* addr, socklen_t* addrlen) { return lwip_accept(s, addr, addrlen); }
static inline int bind(int s, const struct sockaddr* name, socklen_t namelen) { return lwip_bind(s, name, namelen); }
static inline int shutdown(int s, int how) { return lwip_shutdown(s, how); }
static inline int getsockname(int s, struct sockaddr* name, socklen_t* namelen) {
  return lwip_getsockname(s, name, namelen);
}
static inline int getsockopt(int s, int level, int optname, void* opval, socklen_t* optlen) {
  return lwip_getsockopt(s, level, optname, opval, optlen);
}
static inline int setsockopt(int s, int level, int optname, const void* opval, socklen_t optlen) {
  return lwip_setsockopt(s, level, optname, opval, optlen);
}
static inline int connect(int s, const struct sockaddr* name, socklen_t namelen) {
  return lwip_connect(s, name, namelen);
}
static inline int listen(int s, int backlog) { return lwip_listen(s, backlog); }
static inline ssize_t recv(int s, void* mem, size_t len, int flags) { return lwip_recv(s, mem, len, flags); }
static inline ssize_t send(int s, const void* dataptr, size_t size, int flags) {
  return lwip_send(s, dataptr, size, flags);
}
static inline int socket(int domain, int type, int protocol) { return lwip_socket(domain, type, protocol); }
#define inet_pton(a, b, c) lwip_inet_pton(a, b, c)
}
