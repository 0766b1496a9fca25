// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/posix/unistd.h of Zephyr, commit 6f5626d.
#pragma once

extern "C" int close(int file);
