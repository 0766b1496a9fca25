// SPDX-License-Identifier: Apache-2.0
// For the mbedTLS of an SDK, in its configuration, in place of mbedtls_arena.cpp and mbedtls_private_key.cpp. Its
// memory is the heap of the SDK, which other parts of the program use too, so TlsListener limits only the number of
// handshakes. Its driver of P-256 is unknown, so no key is prepared.
#include <algorithm>
#include <iterator>

#include "mcp/ports/mbedtls_arena.hpp"
#include "ports/mbedtls/mbedtls_common.hpp"
#include "ports/mbedtls/mbedtls_private_key.hpp"

#if MBEDTLS_VERSION_MAJOR < 4
#include <mbedtls/asn1.h>
#include <mbedtls/bignum.h>
#include <mbedtls/cipher.h>
#include <mbedtls/ecp.h>
#include <mbedtls/md.h>
#include <mbedtls/pk.h>
#endif

#ifndef MOTE_TLS_ARENA
namespace mcp::mbedtls {
namespace {

std::size_t refused;

#if MBEDTLS_VERSION_MAJOR < 4
// An error is the sum of a number of a module and of one of a smaller module that it has called.
bool is_memory_error(int result) {
  constexpr int high[] = {MBEDTLS_ERR_SSL_ALLOC_FAILED, MBEDTLS_ERR_X509_ALLOC_FAILED, MBEDTLS_ERR_PK_ALLOC_FAILED,
                          MBEDTLS_ERR_ECP_ALLOC_FAILED, MBEDTLS_ERR_MD_ALLOC_FAILED,   MBEDTLS_ERR_CIPHER_ALLOC_FAILED};
  constexpr int low[] = {MBEDTLS_ERR_MPI_ALLOC_FAILED, MBEDTLS_ERR_ASN1_ALLOC_FAILED};
  if (result == PSA_ERROR_INSUFFICIENT_MEMORY) return true;
  return std::ranges::find(high, -(-result & 0xFF80)) != std::end(high) ||
         std::ranges::find(low, -(-result & 0x7F)) != std::end(low);
}
#else
bool is_memory_error(int result) { return result == PSA_ERROR_INSUFFICIENT_MEMORY; }
#endif

}  // namespace

ArenaUse arena_use() { return {.refused = refused}; }

std::size_t take_peak() { return 0; }

// PSA has the random numbers of the SDK. A handshake still fails while the Entropy of the application does.
int handshake_step(mbedtls_ssl_context& ssl) {
  unsigned char byte = 0;
  if (random(nullptr, &byte, 1) != 0) return MBEDTLS_ERR_SSL_HW_ACCEL_FAILED;
  const int result = mbedtls_ssl_handshake_step(&ssl);
  if (is_memory_error(result)) ++refused;
  return result;
}

void prepare_key() {}

bool is_key_prepared() { return true; }

void forget_key() {}

}  // namespace mcp::mbedtls
#endif
