// How a handler says what became of a call. What each value turns into on the wire: engine/error_texts.hpp.
#pragma once

#include <cstdint>

namespace mcp {

/// Outcome of a handler, or of writing a piece of a result.
enum class [[nodiscard]] Errc : std::uint8_t{
    ok,
    failed,            ///< The handler said itself what went wrong (Call::fail).
    invalid_argument,  ///< An argument has a value that the handler cannot accept.
    not_found,         ///< There is nothing under this name or URI.
    unavailable,       ///< The device cannot answer now: a sensor is missing, a bus is busy. Trying again may help.
    no_space,          ///< The result does not fit into the window (Limits::transmit_size).
    internal,          ///< Anything else.
    handled,           ///< For the server: the answer was given, or comes later.
};

}  // namespace mcp
