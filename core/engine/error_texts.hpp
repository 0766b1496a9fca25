// SPDX-License-Identifier: Apache-2.0
// The JSON-RPC error of each Errc, and the error codes that MCP adds to those of JSON-RPC.
#pragma once

#include "mcp/errors.hpp"
#include "mcp/json/text.hpp"
#include "rpc/codes.hpp"

namespace mcp::protocol {

/// server/resources#error-handling, 2025-11-25.
inline constexpr int resource_not_found = -32002;

/// client/elicitation#url-elicitation-required-error, 2025-11-25.
inline constexpr int url_elicitation_required = -32042;

/// basic#error-codes, 2026-07-28.
inline constexpr int header_mismatch = -32020;
inline constexpr int missing_client_capability = -32021;
inline constexpr int unsupported_version = -32022;

/// The JSON-RPC error for a resource that could not be read, and the sentence for a tool that failed without saying
/// why.
struct ErrorText {
  int code;
  const char* text;
};

/// In the order of Errc. Values that are not errors are never looked up.
inline constexpr ErrorText error_texts[] = {
    {rpc::internal_error, "Internal error."},
    {rpc::internal_error, "Internal error."},
    {rpc::invalid_params, "An argument has an invalid value."},
    {resource_not_found, "Resource not found."},
    {rpc::internal_error, "Temporarily unavailable; try again later."},
    {rpc::internal_error, "Executed, but the result is too large for one message."},
    {rpc::internal_error, "Internal error."},
    {rpc::internal_error, "Internal error."},
};

constexpr const ErrorText& describe(Errc errc) { return error_texts[static_cast<unsigned>(errc)]; }
static_assert(describe(Errc::not_found).code == resource_not_found);

}  // namespace mcp::protocol
