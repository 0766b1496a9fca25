// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/posix/arpa/inet.h of Zephyr, commit 2abce42.
#pragma once

#include <zephyr/net/socket.h>

static inline int inet_pton(sa_family_t family, const char* src, void* dst) {
  return zsock_inet_pton(family, src, dst);
}
