// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/newlib/platform_include/sys/poll.h of ESP-IDF, commit 1b40381. There is no poll.h.
#pragma once

#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLPRI 0x0002
#define POLLERR 0x0008
#define POLLHUP 0x0010

struct pollfd {
  int fd;
  short events;
  short revents;
};

typedef unsigned int nfds_t;
extern "C" int poll(struct pollfd* fds, nfds_t nfds, int timeout);
