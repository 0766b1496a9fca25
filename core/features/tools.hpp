// SPDX-License-Identifier: Apache-2.0
// Runs the handler of a tool and ends its result.
#pragma once

#include "mcp/call.hpp"
#include "mcp/definition.hpp"
#include "mcp/json/value.hpp"
#include "mcp/resource.hpp"
#include "mcp/rpc/response.hpp"

namespace mcp::protocol {

class Request;

/// Ends the result of tools/call after its content items, with the outcome of the handler. False if the call failed.
bool end_tool_result(rpc::Response& response, Call& call, Errc errc);

/// tools/call for the rows of the tool table.
void call_tool(Request& request);
/// Calls a tool that has been found by its name.
void call_row(Request& request, const Tool& tool, json::Value arguments);

/// Runs the handler of a tool, unless its client calls too often.
Errc invoke(Request& request, const Tool& tool, json::Value arguments, Call& call);

}  // namespace mcp::protocol
