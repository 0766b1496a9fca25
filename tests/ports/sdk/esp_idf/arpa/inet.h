// SPDX-License-Identifier: Apache-2.0
// As components/lwip/port/include/arpa/inet.h of ESP-IDF, commit 6f1f41f.
#pragma once
#include "lwip/inet.h"
