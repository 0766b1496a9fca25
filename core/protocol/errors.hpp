// What an Errc becomes on the wire, and the error codes that MCP adds to those of JSON-RPC.
#pragma once

#include "json/text.hpp"
#include "mcp/errors.hpp"
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
  json::Text text;
};

constexpr ErrorText describe(Errc errc) {
  switch (errc) {
    case Errc::invalid_argument: return {rpc::invalid_params, "An argument has a value that is not accepted here."};
    case Errc::not_found: return {resource_not_found, "Resource not found."};
    case Errc::unavailable: return {rpc::internal_error, "The device cannot answer this now; try again later."};
    case Errc::no_space: return {rpc::internal_error, "The answer does not fit into one message of this server."};
    default: return {rpc::internal_error, "Internal error."};
  }
}

}  // namespace mcp::protocol
