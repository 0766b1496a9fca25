// SPDX-License-Identifier: Apache-2.0
// The lock of a Mailbox (mcp/rtos.hpp), between both cores and their interrupts. The spin lock is claimed, because a
// program may already hold a spin lock that the pico-sdk shares between its own objects.
#include <mcp/rtos.hpp>

#include <hardware/sync.h>

namespace {

spin_lock_t* const lock = spin_lock_init(static_cast<uint>(spin_lock_claim_unused(true)));

}  // namespace

extern "C" std::uint32_t mcp_lock() { return spin_lock_blocking(lock); }
extern "C" void mcp_unlock(std::uint32_t state) { spin_unlock(lock, state); }
