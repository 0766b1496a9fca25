// SPDX-License-Identifier: Apache-2.0
// The common part of the TLS server and client: random numbers, versions, certificates, keys and dates.
// The differences between the versions of mbedTLS are in this header and its functions. With MOTE_TLS_ARENA, mbedTLS
// has the configuration of this port (tls_config.h). Without it, mbedTLS is an SDK's, with the SDK's memory and random
// numbers.
#pragma once

#include <mbedtls/platform_time.h>  // x509.h of version 4 uses it
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>
#include <psa/crypto.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"
#include "mcp/ports/mbedtls_tls.hpp"

namespace mcp::mbedtls {

/// The source of all random numbers, because PSA does not report which connection needs them.
extern Entropy* random_source;

/// Ends the use of `random_source` and, except with the mbedTLS of an SDK, that of PSA.
void end_random();

/// Fills `into`, as mbedTLS calls it. Returns 0, or an error.
int random(void*, unsigned char* into, std::size_t size);

/// Sets the versions of the protocol, and the source of random numbers if it is not PSA's. Returns false if the mbedTLS
/// of an SDK has none of these versions.
bool set_versions(mbedtls_ssl_config& config, TlsVersion least, TlsVersion most);

/// Reads the private key of the first certificate. Returns false if the key is invalid or does not belong to it.
bool read_key(mbedtls_pk_context& key, Der der, const mbedtls_x509_crt& certificates);

/// Adds certificates, which are not copied. Returns false if a certificate is invalid, or without memory.
bool read_all(mbedtls_x509_crt& chain, std::span<const Der> certificates);

/// Adds the flags of mbedTLS if `certificate` is not valid now. `clock` is a WallClock, as mbedTLS passes it, or
/// nullptr.
int check_dates(void* clock, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags);

/// Returns whether mbedTLS needs check_dates(). The mbedTLS of an SDK may compare dates with the clock of the SDK.
constexpr bool checks_dates([[maybe_unused]] const WallClock* clock) {
#ifdef MBEDTLS_HAVE_TIME_DATE
  return true;
#else
  return clock != nullptr;
#endif
}

/// Returns whether PSA has `keys` keys at the same time. A key store that grows has as many as there is memory.
constexpr bool has_keys([[maybe_unused]] std::size_t keys) {
#ifdef MBEDTLS_PSA_KEY_STORE_DYNAMIC
  return true;
#else
  return keys <= MBEDTLS_PSA_KEY_SLOT_COUNT;
#endif
}

/// Returns the largest number of bytes of the arena in use since the last call.
[[nodiscard]] std::size_t take_peak();

/// Makes a step of a handshake, as mbedtls_ssl_handshake_step().
#ifdef MOTE_TLS_ARENA
inline int handshake_step(mbedtls_ssl_context& ssl) { return mbedtls_ssl_handshake_step(&ssl); }
#else
int handshake_step(mbedtls_ssl_context& ssl);
#endif

}  // namespace mcp::mbedtls
