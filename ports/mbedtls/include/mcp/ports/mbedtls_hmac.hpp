// HMAC-SHA-256 with the SHA-256 of mbedTLS. Knows no TLS and needs no heap, unlike mbedTLS's own HMAC.
#pragma once

#include <mbedtls/sha256.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::mbedtls {

/// One message at a time. Main loop, never blocks; 144 bytes of RAM. With mbedTLS 2.28 and 3.
class Hmac final : public mcp::Hmac {
 public:
  constexpr Hmac() = default;

 private:
  void do_start(std::span<const std::uint8_t, size> key) override;
  void do_update(std::span<const std::uint8_t> bytes) override;
  bool do_finish(std::span<std::uint8_t, size> code) override;
  void begin_hash(std::uint8_t pad);

  mbedtls_sha256_context hash_ = {};
  std::uint8_t key_[size] = {};
  bool ok_ = false;
};

}  // namespace mcp::mbedtls
