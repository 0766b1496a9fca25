// SPDX-License-Identifier: Apache-2.0
// The response to each ParseError. It is not in status.cpp, because a program that only parses needs no status lines.
#include "http/http1/http_text.hpp"
#include "mcp/http/status.hpp"

namespace mcp::http {
namespace {

// In the order of ParseError.
constexpr Answer answers[] = {
    {Status::bad_request, "Bad request line."},
    {Status::bad_request, "Bad request target."},
    {Status::bad_request, "Bad header field."},
    {Status::bad_request, "Duplicate header."},
    {Status::bad_request, "Host must be valid and match the target."},
    {Status::bad_request, "Use CR LF line ends and no control characters."},
    {Status::bad_request, "Content-Length is not a number."},
    {Status::bad_request, "Content-Length and Transfer-Encoding."},
    {Status::bad_request, "The last transfer coding is not chunked."},
    {Status::bad_request, "Bad chunk."},
    {Status::length_required, "POST needs a length."},
    {Status::content_too_large, "The body is too long."},
    {Status::content_too_large, "Chunk extensions and trailers are too long."},
    {Status::uri_too_long, "The target is too long."},
    {Status::fields_too_large, "The head is too long."},
    {Status::not_implemented, "Transfer coding must be chunked."},
    {Status::version_not_supported, "Use HTTP/1.1 or HTTP/1.0."},
};
static_assert(std::size(answers) == static_cast<unsigned>(ParseError::unsupported_version));

constexpr auto error_answers = packed_answers<answers>();

}  // namespace

const char* answer_of(ParseError error) { return answer_at(error_answers.data(), static_cast<unsigned>(error)); }

Status status_of(ParseError error) { return static_cast<Status>(*answer_of(error)); }

std::string_view sentence_of(ParseError error) {
  if (error == ParseError::none) return {};
  std::string_view answer = answer_of(error);
  answer.remove_prefix(1);  // the status
  return answer;
}

}  // namespace mcp::http
