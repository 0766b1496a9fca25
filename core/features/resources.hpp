// SPDX-License-Identifier: Apache-2.0
// Common code of resources/read, streamed bodies and templates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/resource.hpp"
#include "mcp/uri_template.hpp"

namespace mcp::protocol {

class Request;

/// Common code of streams and resources/read. Decodes the uri of the params; empty if it has sent an error. Returns the
/// row of a URI as find_row(). Without a row, read_resource() looks among the templates.
std::string_view read_uri(Request& request);
std::size_t find_resource(const Request& request, const std::string_view& uri);
void read_resource(Request& request, const std::string_view& uri, std::size_t row);

/// What the templates say of a subscription to a URI that is in no table.
enum class TemplateSubscription : std::uint8_t {
  none,     // there is no such resource
  refused,  // its template has no subscriptions
  crowded,  // the rest of the transmit buffer is too small for the decoded variables
  allowed,
};
TemplateSubscription find_template_subscription(Request& request, const std::string_view& uri);

/// The frame around the body of a resource, which stays good for `ttl_ms`: result_begin(), body_begin(), the body, then
/// body_end() with the outcome, which answers the request.
ReadResult body_begin(Request& request, const std::string_view& uri, const std::string_view& mime_type, Millis ttl_ms);
void body_end(Request& request, const std::string_view& uri, ReadResult& body, Errc errc);

/// True if both matches give each variable the same value, by any escapes: a template cannot distinguish their URIs.
[[nodiscard]] bool same_values(const TemplateMatch& a, const TemplateMatch& b);

/// Begins the stream of a template row for a URI that matches it, or answers with an error.
void start_template_stream(Request& request, const std::string_view& uri, std::size_t row,
                           const UriVariables& variables);

}  // namespace mcp::protocol

namespace mcp::detail {

/// A ReadResult that writes into the result of a call. Images without such tools have none of its code: the functions
/// of a ReadResult call it by pointers.
class ToolBody : public ReadResult {
 public:
  struct Form {
    json::Writer& (*fail_begin)(ToolBody& body);
    Errc (*fail_end)(ToolBody& body);
    void (*next)(ToolBody& body, const std::string_view& uri, const std::string_view& mime_type);
  };
  json::Writer& fail_begin() { return form_.fail_begin(*this); }
  Errc fail_end() { return form_.fail_end(*this); }
  void next(const std::string_view& uri, const std::string_view& mime_type) { form_.next(*this, uri, mime_type); }

 protected:
  ToolBody(rpc::Response& response, const Form& form) : ReadResult(response, InTool()), form_(form) {}

 private:
  const Form& form_;
};

}  // namespace mcp::detail
