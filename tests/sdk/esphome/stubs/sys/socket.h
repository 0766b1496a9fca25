// SPDX-License-Identifier: Apache-2.0
// What the sources of a node use of the sockets and threads of its C library, for a compiler of a microcontroller whose
// library has none (tests/sdk/esphome/sizes). Nothing is linked against it.
#pragma once
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint32_t socklen_t;
typedef uint16_t sa_family_t;
typedef uint16_t in_port_t;
struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char data[26];
};
struct in_addr {
  uint32_t s_addr;
};
struct sockaddr_in {
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
struct iovec {
  void* iov_base;
  size_t iov_len;
};
enum { AF_UNSPEC = 0, AF_INET = 2, SOCK_STREAM = 1, SOCK_DGRAM = 2, SOL_SOCKET = 0xfff };
enum { IPPROTO_IP = 0, IPPROTO_TCP = 6, IPPROTO_UDP = 17, SO_REUSEADDR = 4, SO_KEEPALIVE = 8, TCP_NODELAY = 1 };
enum { SHUT_RD = 0, SHUT_WR = 1, SHUT_RDWR = 2 };
#define INADDR_ANY ((uint32_t)0)

extern "C" {
int accept(int, struct sockaddr*, socklen_t*);
int bind(int, const struct sockaddr*, socklen_t);
int connect(int, const struct sockaddr*, socklen_t);
int getpeername(int, struct sockaddr*, socklen_t*);
int getsockname(int, struct sockaddr*, socklen_t*);
int getsockopt(int, int, int, void*, socklen_t*);
int setsockopt(int, int, int, const void*, socklen_t);
int listen(int, int);
int shutdown(int, int);
int socket(int, int, int);
int ioctl(int, unsigned long, ...);
ssize_t recvfrom(int, void*, size_t, int, struct sockaddr*, socklen_t*);
ssize_t send(int, const void*, size_t, int);
ssize_t sendto(int, const void*, size_t, int, const struct sockaddr*, socklen_t);
ssize_t readv(int, const struct iovec*, int);
ssize_t writev(int, const struct iovec*, int);
uint16_t htons(uint16_t);
uint32_t htonl(uint32_t);
uint16_t ntohs(uint16_t);
uint32_t ntohl(uint32_t);
const char* inet_ntop(int, const void*, char*, socklen_t);
int inet_pton(int, const char*, void*);
int inet_aton(const char*, struct in_addr*);
int pthread_getname_np(pthread_t, char*, size_t);
}
