// SPDX-License-Identifier: Apache-2.0
/// @file
/// The outcome that a handler returns. `core/engine/error_texts.hpp` has the error that the client gets for each value.
/// @code
/// mcp::Errc read_temperature(mcp::ReadResult& out) {
///   if (!board::sensor_ready()) return mcp::Errc::unavailable;
///   return out.number(board::celsius());
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

namespace mcp {

/// The outcome of a handler, or of writing a part of a result. A handler passes on what the functions of a result
/// return.
enum class [[nodiscard]] Errc : std::uint8_t{
    ok,                ///< The handler succeeded.
    failed,            ///< The handler has written an error message for the model (Call::fail).
    invalid_argument,  ///< The handler rejects the value of an argument.
    not_found,         ///< Nothing has this name or URI.
    unavailable,       ///< The device has no result now: a sensor is missing, a bus is busy. A retry may succeed.
    no_space,          ///< The result does not fit into the transmit buffer (Limits::transmit_size).
    internal,          ///< Any other error.
    /// The response was written, or follows later. A handler returns it only if a function of its Call or
    /// AskPromptResult has returned it. The server asserts this.
    handled,
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
