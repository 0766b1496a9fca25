// SPDX-License-Identifier: Apache-2.0
/* mbedTLS (3.6) as this port needs it: a TLS server, and with MOTE_TLS_CLIENT also a client, with ECDSA and ECDH on
   P-256, ChaCha20-Poly1305, AES-128-GCM and SHA-256, and nothing else of what it can do. Its memory is the arena of
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

/* Keys at the same time, 40 bytes of RAM each: two for each connection of a TlsListener, and eight more. */
#ifndef MOTE_TLS_KEYS
#define MOTE_TLS_KEYS 16
#endif

/* ---- Memory and random numbers come from the application ---- */

#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO mote_mbedtls_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO mote_mbedtls_free
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void* mote_mbedtls_calloc(size_t count, size_t size);
void mote_mbedtls_free(void* place);
#ifdef __cplusplus
}
#endif
#define MBEDTLS_NO_PLATFORM_ENTROPY
#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG

/* ---- Cryptography, through PSA; what of it there is says the other file ---- */

#define MBEDTLS_PSA_CRYPTO_C
#define MBEDTLS_PSA_CRYPTO_CONFIG
#define MBEDTLS_PSA_CRYPTO_CONFIG_FILE "tls_crypto_config.h"
#define MBEDTLS_USE_PSA_CRYPTO
#define MBEDTLS_PSA_P256M_DRIVER_ENABLED /* P-256 without big numbers: a fraction of the code, and none of the heap */
#define MBEDTLS_PSA_ASSUME_EXCLUSIVE_BUFFERS /* nobody else writes to what is passed: it need not be copied */
#define MBEDTLS_PSA_KEY_SLOT_COUNT MOTE_TLS_KEYS
/* So that no key is lost: of two keys, TLS 1.3 of mbedTLS forgets the first when there is no memory for the second. */
#define MBEDTLS_PSA_STATIC_KEY_SLOTS
#define MBEDTLS_PSA_STATIC_KEY_SLOT_BUFFER_SIZE 65 /* a public key on P-256 */
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_BLOCK_CIPHER_NO_DECRYPT /* GCM only encrypts */
#define MBEDTLS_AES_ONLY_128_BIT_KEY_LENGTH
#define MBEDTLS_SHA256_SMALLER

/* ---- Certificates and keys ---- */

#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_OID_C
#define MBEDTLS_PK_C
#define MBEDTLS_PK_PARSE_C
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
