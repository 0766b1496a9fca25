// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/mbedtls_hmac.hpp"

#include <mbedtls/platform_util.h>
#include <mbedtls/version.h>

#include <cstring>

namespace mcp::mbedtls {
namespace {

// Before mbedTLS 3, the functions that return an error have other names.
#if MBEDTLS_VERSION_MAJOR < 3
constexpr auto hash_starts = mbedtls_sha256_starts_ret;
constexpr auto hash_update = mbedtls_sha256_update_ret;
constexpr auto hash_finish = mbedtls_sha256_finish_ret;
#else
constexpr auto hash_starts = mbedtls_sha256_starts;
constexpr auto hash_update = mbedtls_sha256_update;
constexpr auto hash_finish = mbedtls_sha256_finish;
#endif

constexpr std::size_t block_size = 64;

}  // namespace

// Hashes the key, extended with zeros to a block of the hash, each byte XOR `pad` (RFC 2104 section 2). In pieces,
// because the hash itself needs much stack.
void Hmac::begin_hash(std::uint8_t pad) {
  mbedtls_sha256_init(&hash_);
  ok_ = ok_ && hash_starts(&hash_, 0) == 0;
  std::uint8_t piece[8];
  for (std::size_t at = 0; at < block_size; at += sizeof piece) {
    for (std::size_t i = 0; i < sizeof piece; ++i) {
      piece[i] = static_cast<std::uint8_t>((at + i < size ? key_[at + i] : 0) ^ pad);
    }
    ok_ = ok_ && hash_update(&hash_, piece, sizeof piece) == 0;
  }
  mbedtls_platform_zeroize(piece, sizeof piece);
}

void Hmac::do_start(std::span<const std::uint8_t, size> key) {
  std::memcpy(key_, key.data(), size);
  ok_ = true;
  begin_hash(0x36);
}

void Hmac::do_update(std::span<const std::uint8_t> bytes) {
  ok_ = ok_ && hash_update(&hash_, bytes.data(), bytes.size()) == 0;
}

bool Hmac::do_finish(std::span<std::uint8_t, size> code) {
  ok_ = ok_ && hash_finish(&hash_, code.data()) == 0;
  begin_hash(0x5C);
  ok_ = ok_ && hash_update(&hash_, code.data(), size) == 0 && hash_finish(&hash_, code.data()) == 0;
  mbedtls_sha256_free(&hash_);
  mbedtls_platform_zeroize(key_, size);
  const bool ok = ok_;
  ok_ = false;  // not usable until the next start()
  return ok;
}

}  // namespace mcp::mbedtls
