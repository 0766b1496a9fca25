// SPDX-License-Identifier: Apache-2.0
/// @file
/// HMAC-SHA-256 with the SHA-256 of mbedTLS. Unlike the HMAC of mbedTLS, it needs no heap.
/// @code
/// constinit mcp::mbedtls::Hmac hmac;
/// constexpr std::uint8_t key[32] = {};
/// bool sign(std::span<const std::uint8_t> message, std::span<std::uint8_t, 32> code) {
///   hmac.start(key);
///   hmac.update(message);
///   return hmac.finish(code);
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <mbedtls/version.h>
#if MBEDTLS_VERSION_MAJOR < 4
#include <mbedtls/sha256.h>
#else
#include <psa/crypto.h>
#endif

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::mbedtls {

/// HMAC-SHA-256 of one message at a time, with mbedTLS 2.28, 3 or 4. RAM: 144 bytes. Context: main loop; never blocks.
class Hmac final : public mcp::Hmac {
 public:
  /// An HMAC without a message.
  constexpr Hmac() = default;

 private:
  void do_start(std::span<const std::uint8_t, size> key) override;
  void do_update(std::span<const std::uint8_t> bytes) override;
  bool do_finish(std::span<std::uint8_t, size> code) override;
  void begin_hash(std::uint8_t pad);

#if MBEDTLS_VERSION_MAJOR < 4
  mbedtls_sha256_context hash_ = {};
#else
  psa_hash_operation_t hash_ = {};
#endif
  std::uint8_t key_[size] = {};
  bool ok_ = false;
};

}  // namespace mcp::mbedtls

#include <mcp/detail/epilogue.hpp>
