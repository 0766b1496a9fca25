// SPDX-License-Identifier: Apache-2.0
// The figures of a device as Prometheus text. Samples are numbered in the order of their families. A part of the text
// ends after a whole sample, and the next part begins with the next number. So values may change between parts. Source:
// prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4.
#include <cstring>
#include <string_view>

#include "http/connection.hpp"
#include "http/eviction.hpp"
#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "http/http_hooks.hpp"
#include "http/http_response.hpp"
#include "http/metrics/sample_writer.hpp"
#include "mcp/http_metrics.hpp"
#include "mcp/json/text.hpp"
#include "mcp/transport.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view metrics_path = "/metrics";

constexpr Answer rejections[] = {{Status::forbidden, "The token lacks the scope of the figures."}};
constexpr auto rejection = packed_answers<rejections>();

constexpr char metrics_chunked_field[] = "\r\nTransfer-Encoding: chunked";
constexpr char metrics_head[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nCache-Control: no-store";
constexpr char head_of_head[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nCache-Control: no-store\r\n"
    "Transfer-Encoding: chunked";
static_assert(common_size + sizeof metrics_chunked_field + sizeof metrics_head <= frame_size);
static_assert(last_chunk.size() <= tail_size);

bool has_space(const Endpoint& endpoint) {
  return endpoint.transmit_size() > 2 * (chunk_prefix_size + chunk_suffix_size);
}

// Writes samples from the number in `exchange.sample` on. Returns the end of the text.
char* write_samples(Endpoint& endpoint, Exchange& exchange) {
  HttpMetrics& metrics = *endpoint.options->metrics;
  const std::span<char> text = endpoint.transmit_buffer(exchange).subspan(
      chunk_prefix_size, endpoint.transmit_size() - chunk_prefix_size - chunk_suffix_size);
  SampleWriter out(text, exchange.sample);
  for (unsigned family = 0; family < SampleWriter::walks; ++family) {
    out.begin_walk(family);
    endpoint.server->figures(out, endpoint.now);
    write_http_figures(endpoint, metrics.counts, out);
    if (metrics.add() != nullptr) metrics.add()(out);
  }
  exchange.sample = out.next();
  exchange.is_metrics = !out.is_complete();
  return out.end();
}

// The next part of the text, with the head before the first one.
void send_part(Endpoint& endpoint, Exchange& exchange, bool is_first) {
  char* begin = exchange.json + chunk_prefix_size;
  char* end = has_space(endpoint) ? write_samples(endpoint, exchange) : begin;
  const bool is_chunked = !exchange.head.is_http_1_0();
  if (end == begin) exchange.is_metrics = false;
  if (is_chunked && end != begin) frame_chunk(begin, end);
  if (is_chunked && !exchange.is_metrics) {
    std::memcpy(end, last_chunk.data(), last_chunk.size());
    end += last_chunk.size();
  }
  if (is_first) {
    if (!is_chunked) exchange.closes = true;
    begin = end_head(endpoint, exchange, begin);
    if (is_chunked) begin = put_before(begin, metrics_chunked_field);
    begin = put_before(begin, metrics_head);
  }
  begin_sending(endpoint, exchange, {begin, end});
  if (is_first) count_response(endpoint, exchange);
}

void send_head_alone(Endpoint& endpoint, Exchange& exchange, const char* line) {
  char* const end = exchange.json;
  char* const begin = put_before(end_head(endpoint, exchange, end), line);
  advance(exchange, ExchangeEvent::responded);
  begin_sending(endpoint, exchange, {begin, end});
  count_response(endpoint, exchange);
}

// Rejects a token without the scope of the row.
bool lacks_scope(Endpoint& endpoint, Exchange& exchange) {
  const RowScope& scope = endpoint.options->metrics->row().scope;
  if (endpoint.links.scopes == nullptr || endpoint.links.access == nullptr || !scope.given()) return false;
  const std::size_t position = endpoint.server->scopes().find(scope.name());
  // A token cannot have a scope that the Definition does not list.
  const bool is_known = position != ScopeTable::npos;
  if (is_known && (exchange.out_of_scope >> position & 1) == 0) return false;
  Reply reply{Reply::Status::message, Server::reject(rejection.data() + 1, endpoint.transmit_buffer(exchange))};
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): the value is that of a scope by its position
  if (is_known) reply.error = static_cast<Reply::Error>(static_cast<std::size_t>(Reply::Error::scope) + position);
  static_cast<void>(endpoint.links.scopes->reject_call(endpoint, exchange, reply));  // it has no id
  return true;
}

bool serve_metrics(Endpoint& endpoint, Exchange& exchange) {
  const Server& server = *endpoint.server;
  if (!json::equal(exchange.head.path(), metrics_path)) return false;
  if (!server.has_figures() || !server.is_enabled(endpoint.options->metrics->row())) return false;
  const bool wants_head = exchange.head.is_head();
  if (exchange.head.method() != Method::get && !wants_head) {
    exchange.closes = true;  // a body that is not read would look like the next request
    send_head_alone(endpoint, exchange, "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Length: 0");
    return true;
  }
  exchange.is_http_sse = false;  // its path does not name a session
  const AccessOps* const access = endpoint.links.access;
  if (access != nullptr && !access->check(endpoint, exchange)) return true;
  if (lacks_scope(endpoint, exchange)) return true;
  close_if_crowded(endpoint, exchange);
  if (wants_head) {
    send_head_alone(endpoint, exchange, exchange.head.is_http_1_0() ? metrics_head : head_of_head);
    return true;
  }
  advance(exchange, ExchangeEvent::responded);
  exchange.sample = 0;
  send_part(endpoint, exchange, true);
  return true;
}

bool send_next_part(Endpoint& endpoint, Exchange& exchange) {
  if (!exchange.is_metrics) return false;
  send_part(endpoint, exchange, false);
  return true;
}

void note_responded(const Endpoint& endpoint, const Exchange& exchange) {
  constexpr std::size_t class_at = std::string_view("HTTP/1.1 ").size();
  HttpMetrics::Counts& counts = endpoint.options->metrics->counts;
  ++counts.responses[exchange.out[class_at] - '1'];
  if (exchange.access != Access::granted) ++counts.refused;
}

void note_accepted(const Endpoint& endpoint) {
  // A row of another table would stop the device at the first GET /metrics, which an attacker may send.
  if (endpoint.server->has_figures()) static_cast<void>(endpoint.server->is_enabled(endpoint.options->metrics->row()));
  const std::uint32_t used = connections_in_use(endpoint);
  std::uint16_t& mark = endpoint.options->metrics->counts.high_water;
  if (used > mark) mark = static_cast<std::uint16_t>(used);
}

void note_evicted(const Endpoint& endpoint) { ++endpoint.options->metrics->counts.evicted; }

}  // namespace

constinit const MetricsOps metrics_ops{serve_metrics, send_next_part, note_responded, note_accepted, note_evicted};

}  // namespace mcp::http
