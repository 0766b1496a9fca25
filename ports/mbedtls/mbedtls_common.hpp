// SPDX-License-Identifier: Apache-2.0
// The common part of the TLS server and client: random numbers, certificates and dates.
#pragma once

#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"
#include "mcp/ports/mbedtls_tls.hpp"

namespace mcp::mbedtls {

/// The source of all random numbers, because PSA does not report which connection needs them.
extern Entropy* random_source;

/// Fills `into`, as mbedTLS calls it. Returns 0, or an error.
int random(void*, unsigned char* into, std::size_t size);

/// Returns the number of mbedTLS for a version.
mbedtls_ssl_protocol_version number_of(TlsVersion version);

/// Adds certificates, which are not copied. Returns false if a certificate is invalid, or without memory.
bool read_all(mbedtls_x509_crt& chain, std::span<const Der> certificates);

/// Adds the flags of mbedTLS if `certificate` is not valid now. `clock` is a WallClock, as mbedTLS passes it.
int check_dates(void* clock, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags);

/// Returns the largest number of bytes of the arena in use since the last call.
[[nodiscard]] std::size_t take_peak();

}  // namespace mcp::mbedtls
