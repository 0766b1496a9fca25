/* Of mbedTLS, SHA-256 alone, in its small form. */
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER
