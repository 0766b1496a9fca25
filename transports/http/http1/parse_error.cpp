// SPDX-License-Identifier: Apache-2.0
// What is said of a refusal. A file of its own: the phrases of all statuses are of no use to who only reads.
#include "http/http1/http_text.hpp"
#include "mcp/http/status.hpp"

namespace mcp::http {
namespace {

// In the order of Refusal.
constexpr Answer answers[] = {
    {Status::bad_request, "Not a request line."},
    {Status::bad_request, "Not a request target."},
    {Status::bad_request, "Not a header field."},
    {Status::bad_request, "A header is given twice."},
    {Status::bad_request, "Host is missing, invalid, or not that of the target."},
    {Status::bad_request, "Control character, or a line end that is not CR LF."},
    {Status::bad_request, "Content-Length is not a number."},
    {Status::bad_request, "Content-Length and Transfer-Encoding."},
    {Status::bad_request, "The last transfer coding is not chunked."},
    {Status::bad_request, "Not a chunk."},
    {Status::length_required, "POST without length."},
    {Status::content_too_large, "The body is too long."},
    {Status::content_too_large, "Chunk extensions and trailers are too long."},
    {Status::uri_too_long, "The target is too long."},
    {Status::fields_too_large, "The head is too long."},
    {Status::not_implemented, "Only chunked is known as transfer coding."},
    {Status::version_not_supported, "Only HTTP/1.1 and HTTP/1.0 are known."},
};
static_assert(std::size(answers) == static_cast<unsigned>(ParseError::unsupported_version));

constexpr auto table = packed_answers<answers>();

}  // namespace

const char* answer_of(ParseError error) { return answer_at(table.data(), static_cast<unsigned>(error)); }

Status status_of(ParseError refusal) { return static_cast<Status>(*answer_of(refusal)); }

std::string_view sentence_of(ParseError refusal) {
  if (refusal == ParseError::none) return {};
  return answer_of(refusal) + 1;
}

}  // namespace mcp::http
