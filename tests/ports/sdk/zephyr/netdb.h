// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/posix/netdb.h of Zephyr, commit 1714a88, and in its dns_resolve.h.
#pragma once

#include <zephyr/net/socket.h>

struct zsock_addrinfo {
  struct zsock_addrinfo* ai_next;
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  int ai_eflags;
  socklen_t ai_addrlen;
  struct sockaddr* ai_addr;
  char* ai_canonname;
};
#define addrinfo zsock_addrinfo

#define EAI_NONAME -2
#define EAI_AGAIN -3
#define EAI_MEMORY -10
#define EAI_SYSTEM -11
#define AI_ADDRCONFIG 0x20

extern "C" {
int zsock_getaddrinfo(const char* host, const char* service, const struct zsock_addrinfo* hints,
                      struct zsock_addrinfo** res);
void zsock_freeaddrinfo(struct zsock_addrinfo* ai);

static inline int getaddrinfo(const char* host, const char* service, const struct zsock_addrinfo* hints,
                              struct zsock_addrinfo** res) {
  return zsock_getaddrinfo(host, service, hints, res);
}
static inline void freeaddrinfo(struct zsock_addrinfo* ai) { zsock_freeaddrinfo(ai); }
}
