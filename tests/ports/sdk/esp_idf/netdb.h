// SPDX-License-Identifier: Apache-2.0
// Declarations as in src/include/lwip/netdb.h of esp-lwip, commit 1641099.
#pragma once

#include "lwip/sockets.h"

#define EAI_NONAME 200
#define EAI_SERVICE 201
#define EAI_FAIL 202
#define EAI_MEMORY 203
#define EAI_FAMILY 204

struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr* ai_addr;
  char* ai_canonname;
  struct addrinfo* ai_next;
};

extern "C" {
void lwip_freeaddrinfo(struct addrinfo* ai);
int lwip_getaddrinfo(const char* nodename, const char* servname, const struct addrinfo* hints, struct addrinfo** res);

static inline void freeaddrinfo(struct addrinfo* ai) { lwip_freeaddrinfo(ai); }
static inline int getaddrinfo(const char* nodename, const char* servname, const struct addrinfo* hints,
                              struct addrinfo** res) {
  return lwip_getaddrinfo(nodename, servname, hints, res);
}
}
