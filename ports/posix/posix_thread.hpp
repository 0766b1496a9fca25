// SPDX-License-Identifier: Apache-2.0
// Threads that answer one message of a socket, and share no memory with the main loop.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>

namespace mcp::posix {

/// Starts a detached thread. The argument of `run` is the file descriptor, as a pointer. A thread blocks all signals,
/// because a signal must interrupt the main loop. Returns false if there is no memory for it.
bool start_thread(void* (*run)(void*), int file, std::size_t stack_size);

/// The file descriptor of such an argument.
int file_of(void* argument);

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
