// SPDX-License-Identifier: Apache-2.0
/* Compiled in front of each source of mbedTLS. */

/* The functions that print certificates fail: nothing calls them, and the snprintf() of newlib 4.5 needs malloc(). */
#define MBEDTLS_PLATFORM_SNPRINTF_MACRO(...) (-1)

/* Without big numbers of its own, mbedTLS takes the numbers of a curve for one byte long (ecp.h), and its TLS 1.2 has
   no room for the shared secret then. Those of P-256 have 32. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS /* as each of them begins */
#if MOTE_MBEDTLS_VERSION < 4
#include <mbedtls/ecp.h>
#else
#include <mbedtls/private/ecp.h>
#endif
#undef MBEDTLS_ECP_MAX_BITS
#define MBEDTLS_ECP_MAX_BITS 256
