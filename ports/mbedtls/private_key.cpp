// The private key of one handshake. The driver of p256-m, which calls this in place of p256_gen_keypair(), drops the
// public key: mbedTLS asks for it separately, and each computation is a quarter of a handshake.
#include <p256-m.h>
#include <psa/crypto.h>

#include <cstddef>
#include <cstdint>

extern "C" {
int mote_p256_gen_private_key(std::uint8_t* key, std::uint8_t* public_key);
}

// A random number is no key if it is 0 or not below the order of the curve: one in 2^32 (FIPS 186-5, A.2.2).
int mote_p256_gen_private_key(std::uint8_t* key, std::uint8_t*) {
  constexpr int tries = 4;
  constexpr std::size_t key_size = 32;
  for (int i = 0; i < tries; ++i) {
    if (psa_generate_random(key, key_size) != PSA_SUCCESS) return P256_RANDOM_FAILED;
    if (p256_validate_privkey(key) == P256_SUCCESS) return P256_SUCCESS;
  }
  return P256_RANDOM_FAILED;
}
