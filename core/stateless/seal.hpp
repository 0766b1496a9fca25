// SPDX-License-Identifier: Apache-2.0
// A sealed requestState.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/hooks.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/port.hpp"

namespace mcp::protocol {

/// The contents of a state. The views are read while it is written.
struct Sealed {
  const Binding& binding;
  Millis ttl_ms;  // validity in milliseconds
  Millis started_ms;
  const mcp::detail::PendingInputs& inputs;
  std::span<const std::uint8_t> state;
};

/// How a state travels through its client.
struct SealOps {
  enum class Label : std::uint8_t { call = 1, tag, cipher };  // codes of one purpose are invalid for another
  /// Begins a code under the key. False without a key.
  bool (*begin)(const mcp::detail::StorageView& storage, Millis now, Label label);
  /// Writes the text of a string that is open. False without a key.
  bool (*write)(const mcp::detail::StorageView& storage, Millis now, const Sealed& sealed, json::Writer& out);
  /// Decrypts a state of this size in place, for unpack(). False if it is not valid for this call (MrtrRetry::binding),
  /// or expired.
  bool (*open)(const mcp::detail::StorageView& storage, Millis now, std::size_t state_size,
               std::span<std::uint8_t> sealed, MrtrRetry& retry);
  void (*unpack)(std::span<const std::uint8_t> opened, Millis& started_ms, mcp::detail::PendingInputs& inputs,
                 std::span<std::uint8_t> state);
};

}  // namespace mcp::protocol
