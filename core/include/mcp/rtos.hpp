// SPDX-License-Identifier: Apache-2.0
/// @file
/// Hooks for a device with tasks or with a processor without compare-and-swap. Each is needed only where it says so.
/// @code
/// extern "C" const void* mcp_current_task() { return board::current_task(); }
/// extern "C" std::uint32_t mcp_lock() { return board::disable_interrupts(); }
/// extern "C" void mcp_unlock(std::uint32_t state) { board::restore_interrupts(state); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

/// Returns a value that identifies the current task, such as `xTaskGetCurrentTaskHandle()` or `k_current_get()`. In a
/// program that defines it, the first task that calls a server owns the server. A call by another task is a broken
/// contract: mcp_assert_failed(). Returns nullptr before the scheduler starts, which is no task. In an interrupt
/// handler, return a value of its own. Core has a weak one, so the function must be in an object of the program. In
/// an archive, the linker finds it only if the archive comes before that of core and the linker is called with
/// `-u mcp_current_task`. Context: any; never blocks.
extern "C" const void* mcp_current_task();

/// Begins a critical section for a Mailbox: disables interrupts, and on several cores takes a spin lock. Calls do not
/// nest. Needed only by a processor without compare-and-swap, such as ARMv6-M (Cortex-M0 and M0+). The section has at
/// most 4 instructions. Returns the state for mcp_unlock(). Context: any task, any interrupt.
extern "C" std::uint32_t mcp_lock();

/// Ends the critical section. `state` is the return value of mcp_lock(). Restores the state of the interrupts from
/// before mcp_lock().
extern "C" void mcp_unlock(std::uint32_t state);

#include <mcp/detail/epilogue.hpp>
