// SPDX-License-Identifier: Apache-2.0
// As lwIP's src/include/compat/posix/sys/socket.h, which ESP-IDF has on its include path.
#pragma once
#include "lwip/sockets.h"
