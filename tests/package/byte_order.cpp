// SPDX-License-Identifier: Apache-2.0
// lwIP's byte order on a big-endian processor.
#include <lwip/def.h>

static_assert(BYTE_ORDER == BIG_ENDIAN && PP_HTONS(0x1234) == 0x1234 && PP_HTONL(0x12345678) == 0x12345678);
