// SPDX-License-Identifier: Apache-2.0
// The result of a system call that moves bytes. For the files of this port.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>

#include "mcp/port.hpp"

namespace mcp::posix {

/// `moved` is the result of read(), write(), recv() or send(), for at least one byte; errno is its error.
inline IoResult result_of(ssize_t moved) {
  if (moved > 0) return {IoStatus::ok, static_cast<std::size_t>(moved)};
  if (moved == 0) return {IoStatus::closed, 0};
  const bool again = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  return {again ? IoStatus::would_block : (errno == EPIPE ? IoStatus::closed : IoStatus::failed), 0};
}

}  // namespace mcp::posix
