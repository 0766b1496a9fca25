// SPDX-License-Identifier: Apache-2.0
// Functions that the sources of this folder share.
#pragma once

#include "engine/hooks.hpp"
#include "engine/send_context.hpp"
#include "mcp/definition.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/figures.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/envelope.hpp"

namespace mcp::protocol {

/// Counts one message of any kind.
void count_message(const SendContext& context, const rpc::Envelope& envelope);
/// Counts the error of a rejected stateless request.
void count_rejected(const SendContext& context);
/// Takes a new time, and the marks of all pools.
void note_time(const mcp::detail::StorageView& storage, Millis now);
/// Writes all figures of a server, in the same order each time.
void write_figures(const Definition& definition, const mcp::detail::StorageView& storage, Millis now,
                   FigureWriter& out);

}  // namespace mcp::protocol
