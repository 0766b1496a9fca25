// SPDX-License-Identifier: Apache-2.0
// The ephemeral key of the next handshake. Does not depend on TLS.
#pragma once

namespace mcp::mbedtls {

/// Makes the next key and its public key in advance, outside of the steps of a handshake. Without random numbers, no
/// key is prepared. Call set_arena() and psa_crypto_init() first. Context: main loop.
void prepare_key();

/// Returns whether there is a key that no handshake has taken.
[[nodiscard]] bool is_key_prepared();

/// Discards the prepared key.
void forget_key();

}  // namespace mcp::mbedtls
