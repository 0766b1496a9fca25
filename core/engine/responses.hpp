// SPDX-License-Identifier: Apache-2.0
// Errors that several features answer with.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/error_texts.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/envelope.hpp"
#include "mcp/rpc/response.hpp"
#include "mcp/scopes.hpp"
#include "mcp/server.hpp"
#include "rpc/codes.hpp"

namespace mcp::protocol {

class Request;
struct SendContext;

/// Answers a request that no handler sees with an error about itself.
rpc::Response reject(SendContext& context, const std::string_view& id, int code);

/// Answers a message that is not a stateless one, where nothing else can be served.
void reject_sessionless(json::Writer& out, const rpc::Envelope& envelope,
                        const char* problem = "Session required; send initialize first.");

/// Responds that the response does not fit.
void fail_for_space(rpc::Response& response);
/// The same of the result of a request that was carried out, so that its client does not send it again.
void fail_executed(rpc::Response& response);

/// Writes the member with the retry time.
inline void write_retry_after(json::Writer& out, Millis retry_after_ms) {
  out.member(retry_after_key, retry_after_ms != 0 ? retry_after_ms : 1);
}
/// Response::error_end() for a request that found something taken.
void end_busy_error(rpc::Response& response, Millis retry_after_ms);

/// The position of a scope that is not in Definition::scopes, which no caller has. Only a Definition that no Storage has
/// checked names one.
inline constexpr std::size_t unknown_scope = 32;
/// The position in Definition::scopes of the scope that the caller needs for a row and has not. ScopeTable::npos: the
/// caller may use the row.
std::size_t missing_scope(const SendContext& context, const RowScope& scope);
/// Responds that the caller needs the scope of a row, which has this position in Definition::scopes.
void fail_for_scope(Request& request, const RowScope& scope, std::size_t position);

/// Writes the boot id into the `_meta` of a result, if there is one.
void write_boot_id(Request& request);

/// The error of a stateless request with this code.
constexpr Reply::Error error_of(int code) {
  if (code == rpc::method_not_found) return Reply::Error::method;
  return code <= header_mismatch && code >= unsupported_version ? Reply::Error::request : Reply::Error::none;
}

}  // namespace mcp::protocol
