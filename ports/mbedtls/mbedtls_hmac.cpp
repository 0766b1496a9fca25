// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/mbedtls_hmac.hpp"

#include <mbedtls/platform_util.h>
#include <mbedtls/version.h>

#include <cstring>

namespace mcp::mbedtls {
namespace {

// Before mbedTLS 3, the functions that return an error have other names. mbedTLS 4 has the hash of PSA only. It needs
// no key and no memory, and works before psa_crypto_init().
#if MBEDTLS_VERSION_MAJOR < 4
#if MBEDTLS_VERSION_MAJOR < 3
constexpr auto hash_starts = mbedtls_sha256_starts_ret;
constexpr auto hash_update = mbedtls_sha256_update_ret;
constexpr auto hash_finish = mbedtls_sha256_finish_ret;
#else
constexpr auto hash_starts = mbedtls_sha256_starts;
constexpr auto hash_update = mbedtls_sha256_update;
constexpr auto hash_finish = mbedtls_sha256_finish;
#endif
bool begin(mbedtls_sha256_context& hash) {
  mbedtls_sha256_init(&hash);
  return hash_starts(&hash, 0) == 0;
}
bool add(mbedtls_sha256_context& hash, const std::uint8_t* bytes, std::size_t size) {
  return hash_update(&hash, bytes, size) == 0;
}
bool end(mbedtls_sha256_context& hash, std::uint8_t* digest) { return hash_finish(&hash, digest) == 0; }
void discard(mbedtls_sha256_context& hash) { mbedtls_sha256_free(&hash); }
#else
bool begin(psa_hash_operation_t& hash) {
  return psa_hash_abort(&hash) == PSA_SUCCESS && psa_hash_setup(&hash, PSA_ALG_SHA_256) == PSA_SUCCESS;
}
bool add(psa_hash_operation_t& hash, const std::uint8_t* bytes, std::size_t size) {
  return psa_hash_update(&hash, bytes, size) == PSA_SUCCESS;
}
bool end(psa_hash_operation_t& hash, std::uint8_t* digest) {
  std::size_t size = 0;
  return psa_hash_finish(&hash, digest, Hmac::size, &size) == PSA_SUCCESS;
}
void discard(psa_hash_operation_t& hash) { static_cast<void>(psa_hash_abort(&hash)); }
#endif

constexpr std::size_t block_size = 64;

}  // namespace

// Hashes the key, extended with zeros to a block of the hash, each byte XOR `pad` (RFC 2104 section 2). In pieces,
// because the hash itself needs much stack.
void Hmac::begin_hash(std::uint8_t pad) {
  ok_ = begin(hash_) && ok_;
  std::uint8_t piece[8];
  for (std::size_t at = 0; at < block_size; at += sizeof piece) {
    for (std::size_t i = 0; i < sizeof piece; ++i) {
      piece[i] = static_cast<std::uint8_t>((at + i < size ? key_[at + i] : 0) ^ pad);
    }
    ok_ = ok_ && add(hash_, piece, sizeof piece);
  }
  mbedtls_platform_zeroize(piece, sizeof piece);
}

void Hmac::do_start(std::span<const std::uint8_t, size> key) {
  std::memcpy(key_, key.data(), size);
  ok_ = true;
  begin_hash(0x36);
}

void Hmac::do_update(std::span<const std::uint8_t> bytes) { ok_ = ok_ && add(hash_, bytes.data(), bytes.size()); }

bool Hmac::do_finish(std::span<std::uint8_t, size> code) {
  ok_ = ok_ && end(hash_, code.data());
  begin_hash(0x5C);
  ok_ = ok_ && add(hash_, code.data(), size) && end(hash_, code.data());
  discard(hash_);
  mbedtls_platform_zeroize(key_, size);
  const bool ok = ok_;
  ok_ = false;  // not usable until the next start()
  return ok;
}

}  // namespace mcp::mbedtls
