// SPDX-License-Identifier: Apache-2.0
/// @file
/// The properties of a server that determine the memory of a transport.
/// @code
/// // In a header. The Storage is in another file.
/// inline constexpr mcp::ServerShape shape{.sessions = 4,
///                                         .transmit_size = 1024};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>

#include "mcp/eras.hpp"
#include "mcp/storage.hpp"

namespace mcp {

/// The properties of a server whose Storage is defined in another source file. Errors: the first poll() of an
/// HttpTransport asserts that they are correct, and the first response with log messages asserts `has_logs`. A
/// transport asserts for a new session that there is space.
struct ServerShape {
  std::size_t sessions = 1;          ///< Limits::sessions
  std::size_t transmit_size = 1024;  ///< Limits::transmit_size
  Eras eras = dual_era;              ///< Definition::eras
  bool has_setup_tools = false;      ///< Definition::tools has tools of `mcp/settings.hpp`
  bool has_scopes = false;           ///< Definition::scopes has names.
  bool has_logs = true;              ///< Definition::logging is set. Without it, HTTP takes less code.
};

namespace detail {
/// The shape of a Storage, and of a server in another file.
template <const Definition& definition, Limits limits>
constexpr ServerShape shape_of(const Storage<definition, limits>&) {
  return {.sessions = limits.sessions,
          .transmit_size = limits.transmit_size,
          .eras = definition.eras,
          .has_setup_tools = definition.tool_uses().wire_only,
          .has_scopes = !definition.scopes.names().empty(),
          .has_logs = definition.logging.on()};
}
constexpr ServerShape shape_of(const ServerShape& shape) { return shape; }
}  // namespace detail

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
