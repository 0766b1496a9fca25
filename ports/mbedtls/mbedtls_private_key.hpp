// The key that the next handshake agrees on a secret with. Knows no TLS.
#pragma once

namespace mcp::mbedtls {

/// Makes the next key and its public key: the work of a step of a handshake, which that step then does not have to do.
/// Without random numbers there is none. Main loop; set_arena() and psa_crypto_init() come before.
void prepare_key();

/// Whether there is one that no handshake has taken.
[[nodiscard]] bool is_key_prepared();

/// Forgets the prepared key.
void forget_key();

}  // namespace mcp::mbedtls
