// SPDX-License-Identifier: Apache-2.0
// As include/zephyr/posix/netinet/tcp.h of Zephyr, commit 3ebd838.
#pragma once

#include <zephyr/net/socket.h>
