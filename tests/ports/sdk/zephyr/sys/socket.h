// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/posix/sys/socket.h of Zephyr, commit 1714a88.
#pragma once

#include <sys/types.h>
#include <zephyr/net/socket.h>

#define SHUT_WR ZSOCK_SHUT_WR

static inline int socket(int family, int type, int proto) { return zsock_socket(family, type, proto); }
static inline int shutdown(int sock, int how) { return zsock_shutdown(sock, how); }
static inline int bind(int sock, const struct sockaddr* addr, socklen_t addrlen) {
  return zsock_bind(sock, addr, addrlen);
}
static inline int connect(int sock, const struct sockaddr* addr, socklen_t addrlen) {
  return zsock_connect(sock, addr, addrlen);
}
static inline int listen(int sock, int backlog) { return zsock_listen(sock, backlog); }
static inline int accept(int sock, struct sockaddr* addr, socklen_t* addrlen) {
  return zsock_accept(sock, addr, addrlen);
}
static inline ssize_t send(int sock, const void* buf, size_t len, int flags) {
  return zsock_send(sock, buf, len, flags);
}
static inline ssize_t recv(int sock, void* buf, size_t max_len, int flags) {
  return zsock_recv(sock, buf, max_len, flags);
}
static inline int getsockopt(int sock, int level, int optname, void* optval, socklen_t* optlen) {
  return zsock_getsockopt(sock, level, optname, optval, optlen);
}
static inline int setsockopt(int sock, int level, int optname, const void* optval, socklen_t optlen) {
  return zsock_setsockopt(sock, level, optname, optval, optlen);
}
static inline int getsockname(int sock, struct sockaddr* addr, socklen_t* addrlen) {
  return zsock_getsockname(sock, addr, addrlen);
}
