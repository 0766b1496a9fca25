// SPDX-License-Identifier: Apache-2.0
// Serves the page. The status line and some fields are in the transmit buffer, constant fields and the page in flash.
#include "mcp/http_page.hpp"

#include <cstddef>
#include <span>
#include <string_view>

#include "http/connection.hpp"
#include "http/eviction.hpp"
#include "http/http1/http_text.hpp"
#include "http/http_hooks.hpp"
#include "http/http_response.hpp"
#include "http/page/page_bytes.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/text.hpp"

namespace mcp::http {
namespace {

constexpr char ok_line[] = "HTTP/1.1 200 OK";
constexpr char not_modified_line[] = "HTTP/1.1 304 Not Modified";
constexpr char method_line[] = "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Length: 0";
// The page reads the path from it, because the bytes of the page are equal on each device.
constexpr char link_begin[] = "\r\nLink: <";
constexpr char link_end[] = ">; rel=\"service\"";
constexpr std::size_t max_path_size = 64;
static_assert(common_size + sizeof not_modified_line + sizeof link_begin + max_path_size + sizeof link_end <=
              frame_size);

constexpr Answer page_answers[] = {{Status::not_acceptable, "Accept-Encoding must allow gzip."}};
constexpr auto page_table = packed_answers<page_answers>();

constexpr std::string_view accept_encoding = "Accept-Encoding";
constexpr std::string_view if_none_match = "If-None-Match";

bool page_reads(const void* endpoint, std::string_view name) {
  if (equal_without_case(name, accept_encoding) || equal_without_case(name, if_none_match)) return true;
  const AccessOps* const access = static_cast<const Endpoint*>(endpoint)->links.access;
  return access != nullptr && access->reads(endpoint, name);
}

// A client without the header takes each coding. Source: RFC 9110 section 12.5.3. RequestHead has only the first of
// several lines, and another line may have gzip, so a client with several lines gets the page.
bool accepts_gzip(const RequestHead& head) {
  const RequestHead::Match match = head.find(accept_encoding);
  if (match.count != 1) return true;
  bool any = false;
  std::string_view codings = match.value;
  while (!codings.empty()) {
    std::string_view parameters = next_part(codings, ',');
    const std::string_view name = next_part(parameters, ';');
    if (is_word(name, "gzip")) return !has_zero_quality(parameters);
    if (is_word(name, "*")) any = !has_zero_quality(parameters);
  }
  return any;
}

bool has_copy(const RequestHead& head) {
  std::string_view tags = head.find(if_none_match).value;
  while (!tags.empty()) {
    std::string_view tag = next_part(tags, ',');
    if (tag.starts_with("W/"sv)) tag.remove_prefix(2);
    if (is_word(tag, "*") || json::equal(tag, page_tag)) return true;
  }
  return false;
}

// Sends a status line and the fields that differ between requests. The next part of the page has the last line end.
void begin_response(Endpoint& endpoint, Exchange& exchange, const char* line, PagePart rest) {
  const std::string_view path = endpoint.options->path;
  MCP_ASSERT(path.size() <= max_path_size);
  close_if_crowded(endpoint, exchange);
  char* const end = exchange.json + endpoint.transmit_size();
  char* at = end_head(endpoint, exchange, end);
  at = put_before(put_before(put_before(at, link_end), path), link_begin);
  at = put_before(at, line);
  advance(exchange, ExchangeEvent::responded);
  exchange.page_rest = rest;
  begin_sending(endpoint, exchange, {at, rest == PagePart::none ? end : end - (sizeof end_fields - 1)});
  count_response(endpoint, exchange);
}

bool serve_page(Endpoint& endpoint, Exchange& exchange) {
  const RequestHead& head = exchange.head;
  if (!json::equal(head.path(), endpoint.options->page->path())) return false;
  const bool wants_body = head.method() == Method::get;
  if (!wants_body && !head.is_head()) {
    exchange.closes = true;  // the body is not read
    begin_response(endpoint, exchange, method_line, PagePart::none);
  } else if (!accepts_gzip(head)) {
    reject(endpoint, exchange, answer_at(page_table.data(), 1));
  } else if (has_copy(head)) {
    begin_response(endpoint, exchange, not_modified_line, PagePart::fields_of_copy);
  } else {
    begin_response(endpoint, exchange, ok_line, wants_body ? PagePart::all : PagePart::fields);
  }
  return true;
}

bool send_rest_of_page(Endpoint& endpoint, Exchange& exchange) {
  const PagePart part = exchange.page_rest;
  if (part == PagePart::none) return false;
  exchange.page_rest = PagePart::none;
  const std::span<const char> bytes = page_bytes;
  const std::size_t begin = part == PagePart::fields_of_copy ? page_copy_at : 0;
  const std::size_t end = part == PagePart::all ? bytes.size() : page_body_at;
  begin_sending(endpoint, exchange, bytes.subspan(begin, end - begin));
  return true;
}

}  // namespace

constinit const PageOps page_ops{serve_page, send_rest_of_page, page_reads};

}  // namespace mcp::http
