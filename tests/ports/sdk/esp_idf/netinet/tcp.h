// SPDX-License-Identifier: Apache-2.0
// As components/lwip/port/include/netinet/tcp.h of ESP-IDF, commit dba0718. There it includes lwip/tcp.h.
#pragma once
