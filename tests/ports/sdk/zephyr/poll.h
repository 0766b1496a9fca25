// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/posix/poll.h of Zephyr, commit 1cde741.
#pragma once

#include <zephyr/net/socket.h>

#define pollfd zsock_pollfd

#define POLLIN ZSOCK_POLLIN
#define POLLOUT ZSOCK_POLLOUT
#define POLLERR ZSOCK_POLLERR

static inline int poll(struct pollfd* fds, int nfds, int timeout) { return zsock_poll(fds, nfds, timeout); }
