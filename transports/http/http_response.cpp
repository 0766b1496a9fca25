// SPDX-License-Identifier: Apache-2.0
#include "http/http_response.hpp"

#include <string_view>

#include "http/connection.hpp"
#include "http/eviction.hpp"
#include "http/http1/http_text.hpp"
#include "http/http_hooks.hpp"
#include "http/http_sessions.hpp"

namespace mcp::http {
namespace {

constexpr Answer answers[] = {
    {Status::forbidden, "Host is not in HttpOptions::hosts."},
    {Status::forbidden, "Origin is not in HttpOptions::origins."},
    {Status::not_found, "Unknown path."},
    {Status::method_not_allowed, "Method must be one of Allow."},
    {Status::method_not_allowed, "No sessions; use POST."},
    {Status::service_unavailable, "All streams are in use; try again later."},
    {Status::bad_request, "Unsupported MCP-Protocol-Version."},
    {Status::not_found, "Unknown or ended session; send initialize."},
    {Status::bad_request, "MCP-Session-Id is required."},
    {Status::unsupported_media_type, "The body must be application/json."},
    {Status::unsupported_media_type, "Content-Encoding must be identity: send the body without compression."},
    {Status::not_acceptable, "Accept must have text/event-stream."},
    {Status::not_acceptable, "Accept must have application/json or text/event-stream."},
    {Status::bad_request, "Cannot resume after this Last-Event-ID."},
    {Status::request_timeout, "The request took too long."},
    {Status::service_unavailable, "No random bytes for a session id; try again later."},
    {Status::service_unavailable, "All sessions are in use; try again later."},
};
static_assert(std::size(answers) == static_cast<unsigned>(RequestError::slot));
constexpr auto table = packed_answers<answers>();

constexpr char session_methods[] = "GET, POST, DELETE, OPTIONS";
constexpr char stateless_methods[] = "POST, OPTIONS";
constexpr char document_methods[] = "GET, OPTIONS";

constexpr char allow_field[] = "\r\nAllow: ";
constexpr char json_fields[] = "\r\nContent-Type: application/json\r\nContent-Length: ";
constexpr const char* length_field = json_fields + std::string_view("\r\nContent-Type: application/json").size();
constexpr char retry_field[] = "\r\nRetry-After: ";
constexpr char codings_field[] = "\r\nAccept-Encoding: identity";
constexpr char version_of_http[] = "HTTP/1.1 ";
// A response with a long phrase, Allow, Accept-Encoding or Retry-After has no session.
static_assert(common_size + sizeof json_fields + 9 + sizeof session_field + sizeof(SessionEntry::id) +
                  sizeof version_of_http + std::string_view("400 Bad Request").size() <=
              frame_size);

constexpr char methods_field[] = "\r\nAccess-Control-Allow-Methods: ";
constexpr char headers_field[] = "\r\nAccess-Control-Allow-Headers: ";
// A browser keeps the response for two hours, the longest time of Chromium.
constexpr char age_field[] = "\r\nAccess-Control-Max-Age: 7200";

consteval std::uint32_t bit_of(Header header) { return 1U << static_cast<unsigned>(header); }
// The headers that a page may send, without those that its browser sets.
constexpr std::uint32_t page_headers = bit_of(Header::accept) | bit_of(Header::authorization) |
                                       bit_of(Header::content_type) | bit_of(Header::last_event_id) |
                                       bit_of(Header::mcp_method) | bit_of(Header::mcp_name) |
                                       bit_of(Header::mcp_protocol_version) | bit_of(Header::mcp_session_id);

char* put_page_headers(char* at) {
  at = put_before(at, "*");  // allows Mcp-Param- headers
  for (auto i = static_cast<unsigned>(Header::none); i-- != 0;) {
    if ((page_headers >> i & 1) != 0) at = put_before(put_before(at, ", "), name_of(static_cast<Header>(i)));
  }
  return put_before(at, headers_field);
}

// Writes the fields of the status: the allowed methods, the accepted coding (RFC 9110 section 15.5.16), or the time to
// the next attempt.
char* put_status_fields(const Endpoint& endpoint, const Exchange& exchange, Status status, char* at) {
  const bool preflight = status == Status::no_content;
  if (preflight || status == Status::method_not_allowed) {
    const char* allowed = methods_of(endpoint, exchange);
    if (allowed == nullptr) allowed = document_methods;
    if (preflight) at = put_before(put_before(put_page_headers(put_before(at, age_field)), allowed), methods_field);
    at = put_before(put_before(at, allowed), allow_field);
  }
  if (status == Status::unsupported_media_type && exchange.head.has(Header::content_encoding))
    at = put_before(at, codings_field);
  if (status == Status::service_unavailable) {
    const TransportInfo info = info_of(endpoint, exchange);
    const Millis due_ms = exchange.is_full ? 0 : endpoint.server->slot_due(endpoint.now, &info);
    at = put_before(put_before(at, due_ms / 1000 + 1), retry_field);
  }
  return at;
}

}  // namespace

char* put_session(const Endpoint& endpoint, const Exchange& exchange, char* at) {
  if (exchange.named == NamedSession::known || exchange.is_http_sse || is_none(exchange.stream.session) ||
      endpoint.is_stateless(exchange))
    return at;
  const SessionEntry& entry = endpoint.storage.sessions[exchange.stream.session.index];
  return put_before(put_before(at, entry.id_text()), session_field);
}

char* end_head(const Endpoint& endpoint, const Exchange& exchange, char* at) {
  at = put_before(at, end_fields);
  if (exchange.closes) at = put_before(at, closes_field);
  const std::string_view origin = exchange.head.value(Header::origin);
  if (origin.empty() || !allows_origin(*endpoint.options, origin)) return at;
  return put_before(put_before(put_before(at, page_fields), origin), origin_field);
}

// A head without JSON is written where the JSON would be.
void respond(Endpoint& endpoint, Exchange& exchange, Status status, std::size_t size) {
  if (exchange.head.method() == Method::other) size = 0;  // the response to HEAD must have no body
  close_if_crowded(endpoint, exchange);
  // Pending output stays in the buffer until its stream takes it.
  char* const json =
      size != 0 || exchange.pending_output != 0 ? exchange.json : exchange.json + endpoint.transmit_size();
  char* at = put_status_fields(endpoint, exchange, status, end_head(endpoint, exchange, json));
  at = put_session(endpoint, exchange, at);
  if (status != Status::no_content) {
    at = put_before(at, static_cast<std::uint32_t>(size));
    at = put_before(at, size != 0 ? json_fields : length_field);
  }
  if (exchange.access != Access::granted) {
    at = endpoint.links.access->challenge(endpoint, exchange, at);
    // A long challenge replaces the JSON.
    if (at == nullptr) return size != 0 ? respond(endpoint, exchange, status) : drop(endpoint, exchange);
  }
  at = put_before(put_before(at, line_of(status)), version_of_http);
  advance(exchange, ExchangeEvent::responded);
  begin_sending(endpoint, exchange, {at, json + size});
  count_response(endpoint, exchange);
}

const char* methods_of(const Endpoint& endpoint, const Exchange& exchange) {
  if (!exchange.is_http_sse) return endpoint.server->has_sessions() ? session_methods : stateless_methods;
  const SseOps* const sse = endpoint.links.sse_2024;
  return sse != nullptr ? sse->methods(*endpoint.options, exchange.head.path()) : nullptr;
}

void reject(Endpoint& endpoint, Exchange& exchange, const char* answer) {
  if (endpoint.buffer_owner == &exchange) endpoint.buffer_owner = nullptr;
  const bool granted = exchange.access == Access::granted;
  const std::size_t size = granted ? Server::reject(answer + 1, endpoint.transmit_buffer(exchange))
                                   : endpoint.links.access->write_error(endpoint.transmit_buffer(exchange), answer + 1);
  exchange.stream.session = {};
  if (exchange.state != ExchangeState::body || exchange.body.progress() != Progress::done) exchange.closes = true;
  respond(endpoint, exchange, static_cast<Status>(*answer), size);
}

void reject(Endpoint& endpoint, Exchange& exchange, RequestError error) {
  exchange.is_full = error == RequestError::streams;
  if (error != RequestError::none) reject(endpoint, exchange, answer_at(table.data(), static_cast<unsigned>(error)));
}

void reject(Endpoint& endpoint, Exchange& exchange, ParseError error) {
  clear_request(endpoint, exchange);
  exchange.closes = true;
  reject(endpoint, exchange, answer_of(error));
}

}  // namespace mcp::http
