// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/net/socket.h of Zephyr, commit 0099839, and in its net_ip.h.
#pragma once

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef unsigned short int sa_family_t;
typedef size_t socklen_t;

struct in_addr {
  union {
    uint8_t s4_addr[4];
    uint32_t s_addr;
  };
};
struct in6_addr {
  union {
    uint8_t s6_addr[16];
    uint32_t s6_addr32[4];
  };
};
struct sockaddr {
  sa_family_t sa_family;
  char data[22];
};
struct sockaddr_in {
  sa_family_t sin_family;
  uint16_t sin_port;
  struct in_addr sin_addr;
};
struct sockaddr_in6 {
  sa_family_t sin6_family;
  uint16_t sin6_port;
  struct in6_addr sin6_addr;
  uint8_t sin6_scope_id;
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char data[sizeof(struct sockaddr_in6) - sizeof(sa_family_t)];
};

enum net_ip_protocol { IPPROTO_TCP = 6, IPPROTO_UDP = 17, IPPROTO_IPV6 = 41 };
enum net_sock_type { SOCK_STREAM = 1, SOCK_DGRAM };
#define AF_UNSPEC 0
#define AF_INET 1
#define AF_INET6 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_KEEPALIVE 9
#define TCP_NODELAY 1
#define IPV6_V6ONLY 26

static inline uint16_t net_swap16(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
#define htons(x) net_swap16(x)
#define ntohs(x) net_swap16(x)
#define ntohl(x) __builtin_bswap32(x)

struct zsock_pollfd {
  int fd;
  short events;
  short revents;
};
#define ZSOCK_POLLIN 1
#define ZSOCK_POLLOUT 4
#define ZSOCK_POLLERR 8
#define ZSOCK_SHUT_WR 1

extern "C" {
int zsock_socket(int family, int type, int proto);
int zsock_shutdown(int sock, int how);
int zsock_bind(int sock, const struct sockaddr* addr, socklen_t addrlen);
int zsock_connect(int sock, const struct sockaddr* addr, socklen_t addrlen);
int zsock_listen(int sock, int backlog);
int zsock_accept(int sock, struct sockaddr* addr, socklen_t* addrlen);
ssize_t zsock_send(int sock, const void* buf, size_t len, int flags);
ssize_t zsock_recv(int sock, void* buf, size_t max_len, int flags);
int zsock_poll(struct zsock_pollfd* fds, int nfds, int timeout);
int zsock_getsockopt(int sock, int level, int optname, void* optval, socklen_t* optlen);
int zsock_setsockopt(int sock, int level, int optname, const void* optval, socklen_t optlen);
int zsock_getsockname(int sock, struct sockaddr* addr, socklen_t* addrlen);
int zsock_inet_pton(sa_family_t family, const char* src, void* dst);
}
