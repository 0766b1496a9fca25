// SPDX-License-Identifier: Apache-2.0
// As include/zephyr/posix/netinet/in.h of Zephyr, commit 559f71e.
#pragma once

#include <zephyr/net/socket.h>
