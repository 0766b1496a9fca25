// SPDX-License-Identifier: Apache-2.0
/* The cryptography of mbedTLS (3.6 and 4) that a TLS server with P-256, ChaCha20-Poly1305, AES-128-GCM and SHA-256
   needs. The functions of PSA are the only ones in mbedTLS 4. */

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
#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
#ifndef TF_PSA_CRYPTO_VERSION_MAJOR /* mbedTLS 3.6 */
#define MBEDTLS_NO_PLATFORM_ENTROPY
#endif

/* ---- Cryptography and keys ---- */

#define MBEDTLS_PSA_CRYPTO_C
#define MBEDTLS_PSA_P256M_DRIVER_ENABLED /* P-256 without big numbers: a fraction of the code, and none of the heap */
#define MBEDTLS_PSA_ASSUME_EXCLUSIVE_BUFFERS /* no other code writes to the arguments: no copy is needed */
#define MBEDTLS_PSA_KEY_SLOT_COUNT MOTE_TLS_KEYS
/* So that no key is lost: of two keys, TLS 1.3 of mbedTLS forgets the first when there is no memory for the second. */
#define MBEDTLS_PSA_STATIC_KEY_SLOTS
#define MBEDTLS_PSA_STATIC_KEY_SLOT_BUFFER_SIZE 65 /* a public key on P-256 */
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_BLOCK_CIPHER_NO_DECRYPT /* GCM only encrypts */
#define MBEDTLS_AES_ONLY_128_BIT_KEY_LENGTH
#define MBEDTLS_SHA256_SMALLER

#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_PK_C
#define MBEDTLS_PK_PARSE_C
#ifndef TF_PSA_CRYPTO_VERSION_MAJOR
#define MBEDTLS_OID_C
#endif

/* ---- Algorithms ---- */

#define PSA_WANT_ALG_CHACHA20_POLY1305 1
#define PSA_WANT_ALG_ECDH 1
#define PSA_WANT_ALG_ECDSA 1
#define PSA_WANT_ALG_GCM 1
#define PSA_WANT_ALG_HKDF_EXTRACT 1
#define PSA_WANT_ALG_HKDF_EXPAND 1
#define PSA_WANT_ALG_HMAC 1
#define PSA_WANT_ALG_SHA_256 1
#define PSA_WANT_ALG_TLS12_PRF 1
#define PSA_WANT_ECC_SECP_R1_256 1
#define PSA_WANT_KEY_TYPE_AES 1
#define PSA_WANT_KEY_TYPE_CHACHA20 1
#define PSA_WANT_KEY_TYPE_DERIVE 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_EXPORT 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT 1
#define PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY 1
#define PSA_WANT_KEY_TYPE_HMAC 1
#define PSA_WANT_KEY_TYPE_RAW_DATA 1
