// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/posix/fcntl.h of Zephyr, commit 07d5b2e.
#pragma once

#define O_NONBLOCK 0x4000
#define F_GETFL 3
#define F_SETFL 4

extern "C" int fcntl(int fildes, int cmd, ...);
