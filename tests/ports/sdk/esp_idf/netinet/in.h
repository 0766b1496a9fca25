// SPDX-License-Identifier: Apache-2.0
// As components/lwip/port/include/netinet/in.h of ESP-IDF, commit 1929b27.
#pragma once
#include "lwip/inet.h"
