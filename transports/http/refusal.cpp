// What is said of a refusal. A file of its own: the phrases of all statuses are of no use to who only reads.
#include "transports/http/status.hpp"
#include "transports/http/text.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view sentences[] = {
    "",
    "Not a request line.",
    "Not a request target.",
    "Not a header field.",
    "A header is given twice.",
    "Host is missing, invalid, or not that of the target.",
    "Control character, or a line end that is not CR LF.",
    "Content-Length is not a number.",
    "Content-Length and Transfer-Encoding.",
    "The last transfer coding is not chunked.",
    "Not a chunk.",
    "POST without length.",
    "The body is too long.",
    "Chunk extensions and trailers are too long.",
    "The target is too long.",
    "The head is too long.",
    "Only chunked is known as transfer coding.",
    "Only HTTP/1.1 and HTTP/1.0 are known.",
};

constexpr auto table = packed<sentences>();

// The last refusal that has this status: the order in Refusal is by status.
struct Range {
  Refusal last;
  Status status;
};
constexpr Range ranges[] = {
    {Refusal::bad_chunk, Status::bad_request},
    {Refusal::length_required, Status::length_required},
    {Refusal::overhead_too_large, Status::content_too_large},
    {Refusal::target_too_long, Status::uri_too_long},
    {Refusal::head_too_long, Status::fields_too_large},
    {Refusal::unknown_coding, Status::not_implemented},
    {Refusal::unsupported_version, Status::version_not_supported},
};
static_assert(std::size(sentences) == static_cast<unsigned>(ranges[std::size(ranges) - 1].last) + 1);

}  // namespace

Status status_of(Refusal refusal) {
  const Range* range = ranges;
  while (refusal > range->last) ++range;
  return range->status;
}

std::string_view sentence_of(Refusal refusal) { return packed_at(table.data(), static_cast<unsigned>(refusal)); }

}  // namespace mcp::http
