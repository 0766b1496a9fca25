// SPDX-License-Identifier: Apache-2.0
// The parts of an SDK that mbedTLS calls in the configuration of sdk_config.h, and what such an mbedTLS has in
// addition.
#include <gtest/gtest.h>
#include <psa/crypto.h>

#include <cstddef>
#include <cstdint>
#include <random>

#include "tls_client.hpp"

#ifdef MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
extern "C" psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t*, std::uint8_t* output,
                                                        std::size_t size, std::size_t* written) {
  static std::mt19937 generator{2};
  for (std::size_t i = 0; i < size; ++i) output[i] = static_cast<std::uint8_t>(generator());
  *written = size;
  return PSA_SUCCESS;
}
#endif
