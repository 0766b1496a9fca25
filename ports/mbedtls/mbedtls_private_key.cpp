// SPDX-License-Identifier: Apache-2.0
#include "ports/mbedtls/mbedtls_private_key.hpp"

#include <mbedtls/platform_util.h>
#include <p256-m.h>
#include <psa/crypto.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

extern "C" {
#include <mbedtls/constant_time.h>  // version 3.6 declares only C functions
}

namespace mcp::mbedtls {
namespace {

struct KeyPair {
  std::uint8_t key[32];
  std::uint8_t public_key[64];
};

// The prepared part: nothing, the pair, or only the public key, after a handshake has taken the private key.
enum class Prepared : std::uint8_t { none, pair, taken };
KeyPair prepared;
Prepared state = Prepared::none;

// A random number is not a key if it is 0 or not below the order of the curve, as one in 2^32 (FIPS 186-5, A.2.2).
int draw(std::uint8_t* key) {
  constexpr int tries = 4;
  for (int i = 0; i < tries; ++i) {
    if (psa_generate_random(key, sizeof prepared.key) != PSA_SUCCESS) return P256_RANDOM_FAILED;
    if (p256_validate_privkey(key) == P256_SUCCESS) return P256_SUCCESS;
  }
  return P256_RANDOM_FAILED;
}

}  // namespace

void prepare_key() {
  state = Prepared::none;
  if (draw(prepared.key) != P256_SUCCESS) return;
  if (p256_public_from_private(prepared.public_key, prepared.key) == P256_SUCCESS) state = Prepared::pair;
}

bool is_key_prepared() { return state == Prepared::pair; }

void forget_key() {
  mbedtls_platform_zeroize(&prepared, sizeof prepared);
  state = Prepared::none;
}

}  // namespace mcp::mbedtls

// ---- Called by the driver of p256-m (CMakeLists.txt) ----------------------------------------------------------------

extern "C" {
int mote_p256_gen_private_key(std::uint8_t* key, std::uint8_t* public_key);
int mote_p256_public_key(std::uint8_t* public_key, const std::uint8_t* key);
}

// Replaces p256_gen_keypair(). The driver drops its public key, and mbedTLS requests the public key separately.
int mote_p256_gen_private_key(std::uint8_t* key, std::uint8_t*) {
  using namespace mcp::mbedtls;
  if (state != Prepared::pair) return draw(key);
  std::ranges::copy(prepared.key, key);
  state = Prepared::taken;
  return P256_SUCCESS;
}

// Replaces p256_public_from_private().
int mote_p256_public_key(std::uint8_t* public_key, const std::uint8_t* key) {
  using namespace mcp::mbedtls;
  if (state != Prepared::taken || mbedtls_ct_memcmp(key, prepared.key, sizeof prepared.key) != 0)
    return p256_public_from_private(public_key, key);
  std::ranges::copy(prepared.public_key, public_key);
  forget_key();
  return P256_SUCCESS;
}
