// SPDX-License-Identifier: Apache-2.0
// The conditions of rows. The features of this folder handle methods of other features first. They find the row of a
// request, call each function of Links::row_guard, and pass the request on. An image without conditions links none of
// this. core/found compares the scopes of found rows itself.
//
// To add a kind of condition, add a function to Links::row_guard, a member to the row, and a line to detail::link().
// The function returns false after it has written an error. It returns true for a row without the condition.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mcp/definition.hpp"

namespace mcp::protocol {

class Request;

/// The handler of a request.
using Handler = void (*)(Request& request);

/// How a request uses a row.
enum class RowUse : std::uint8_t {
  call,       // tools/call
  read,       // resources/read
  subscribe,  // resources/subscribe, subscriptions/listen
  get,        // prompts/get
  complete,   // completion/complete
  task,       // the state, the result, the input or the cancellation of a task
  answer,     // an input response for the job of an earlier call
};

/// A row that a request uses.
struct GuardedRow {
  ListKind table;
  std::size_t index;
  RowUse use;
};

/// Returns false after a function of Links::row_guard has written an error.
bool may_use(Request& request, const GuardedRow& row);
/// Serves the request by the next feature with this method, after the one whose handler is `self`.
void pass_on(Request& request, const char* name, Handler self);

}  // namespace mcp::protocol
