// SPDX-License-Identifier: Apache-2.0
// The result of a system call that moves bytes, for ports that use system calls.
#pragma once

#include <cstddef>

#include "mcp/port.hpp"

// Last, because lwIP has macros for names of other headers.
#include "ports/sockets/sockets_platform.hpp"

namespace mcp::sockets {

/// Returns whether the system had no memory for a call. No event reports when it has some.
inline bool lacks_memory(int error) { return error == ENOBUFS || error == ENOMEM; }

/// `moved` is the result of read(), write(), recv() or send(), for at least one byte; errno is its error.
inline IoResult result_of(ssize_t moved) {
  if (moved > 0) return {IoStatus::ok, static_cast<std::size_t>(moved)};
  if (moved == 0) return {IoStatus::closed, 0};
  const bool again = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || lacks_memory(errno);
  return {again ? IoStatus::would_block : (errno == EPIPE ? IoStatus::closed : IoStatus::failed), 0};
}

}  // namespace mcp::sockets
