// SPDX-License-Identifier: Apache-2.0
// The key that the next handshake agrees on a secret with. Knows no TLS.
#pragma once

namespace mcp::mbedtls {

/// Makes the next key and its public key in advance, so that a step of a handshake need not. Fails without random
/// numbers. Call set_arena() and psa_crypto_init() first. Context: main loop.
void prepare_key();

/// Whether there is one that no handshake has taken.
[[nodiscard]] bool is_key_prepared();

/// Forgets the prepared key.
void forget_key();

}  // namespace mcp::mbedtls
