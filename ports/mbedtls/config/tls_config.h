// SPDX-License-Identifier: Apache-2.0
/* mbedTLS (3.6 and 4) as this port needs it: a TLS server, and with MOTE_TLS_CLIENT also a client, with ECDSA and ECDH
   on P-256, ChaCha20-Poly1305, AES-128-GCM and SHA-256, and nothing else of what it can do. Its memory is the arena of
   mbedtls_arena.hpp. What no program asks for is not linked. */

/* The longest record that a client may send, and the longest that is sent, in bytes without what encryption adds. Each
   connection has memory for one of each. A client that sends a longer one is told so and loses its connection; what is
   longer here goes as several. The certificates have to fit into one. (CMake: the variables of these names.) */
#ifndef MOTE_TLS_IN
#define MOTE_TLS_IN 2048
#endif
#ifndef MOTE_TLS_OUT
#define MOTE_TLS_OUT 1536
#endif
#define MBEDTLS_SSL_IN_CONTENT_LEN MOTE_TLS_IN
#define MBEDTLS_SSL_OUT_CONTENT_LEN MOTE_TLS_OUT

/* The memory of mbedTLS is the arena (mbedtls_arena.hpp). An SDK's own configuration does not define this. */
#define MOTE_TLS_ARENA

/* ---- Cryptography, through PSA. mbedTLS 4 reads its configuration from the other file by itself ---- */

#if MBEDTLS_VERSION_MAJOR < 4
#define MBEDTLS_PSA_CRYPTO_CONFIG
#define MBEDTLS_PSA_CRYPTO_CONFIG_FILE "tls_crypto_config.h"
#define MBEDTLS_USE_PSA_CRYPTO
#endif

/* ---- Certificates ---- */

#define MBEDTLS_X509_USE_C
#define MBEDTLS_X509_CRT_PARSE_C
#define MBEDTLS_X509_REMOVE_INFO

/* ---- TLS ---- */

#define MBEDTLS_SSL_TLS_C
#define MBEDTLS_SSL_SRV_C
#ifdef MOTE_TLS_CLIENT /* mbedtls_dialer.hpp */
#define MBEDTLS_SSL_CLI_C
#define MBEDTLS_SSL_SERVER_NAME_INDICATION
/* In TLS 1.2, the client of 3.6 sends its curves only with this, unless it has mbedTLS's own P-256. */
#define MBEDTLS_SSL_TLS1_2_SOME_ECC
#endif
#define MBEDTLS_SSL_PROTO_TLS1_2
#define MBEDTLS_SSL_PROTO_TLS1_3
#define MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL_ENABLED
#define MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA_ENABLED
#define MBEDTLS_SSL_KEEP_PEER_CERTIFICATE
#define MBEDTLS_SSL_EXTENDED_MASTER_SECRET
#define MBEDTLS_SSL_MAX_FRAGMENT_LENGTH /* a client that asks for short records gets them */
#define MBEDTLS_SSL_RECORD_SIZE_LIMIT
/* RFC 8446 demands AES-128-GCM, and some clients have nothing else. ChaCha20-Poly1305 is faster. */
#define MBEDTLS_SSL_CIPHERSUITES MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256, MBEDTLS_TLS1_3_AES_128_GCM_SHA256, \
  MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
