// SPDX-License-Identifier: Apache-2.0
#include "transports/http/read_request.hpp"

#include <algorithm>

#include "mcp/http/request_body.hpp"
#include "mcp/http/request_head.hpp"

namespace test {
namespace {

using namespace mcp::http;

std::string summary_of(const RequestHead& head, std::string_view body, std::string_view rest, bool with_wishes) {
  static constexpr const char* methods[] = {"post", "get", "delete", "options", "other"};
  std::string text = methods[static_cast<unsigned>(head.method())];
  const auto add = [&](const char* word, std::string_view value) { text.append(word).append(value); };
  add(" ", head.path());
  if (!head.query().empty()) add(" query ", head.query());
  if (!head.has(Header::host)) text += " host none";
  if (head.has(Header::host) && head.value(Header::host) != "a") add(" host ", head.value(Header::host));
  if (head.is_http_1_0()) text += " 1.0";
  if (with_wishes && !head.keeps_alive()) text += " close";
  if (with_wishes && head.expects_continue()) text += " continue";
  if (!body.empty()) add(" body ", body);
  if (!rest.empty()) add(" rest ", rest);
  return text;
}

/// Input that arrives in pieces.
class Pieces {
 public:
  explicit Pieces(const std::vector<std::string_view>& pieces) : pieces_(pieces) {}

  /// Returns at most `size` bytes of the next piece. Empty after the last piece.
  std::string_view take(std::size_t size) {
    while (!pieces_.empty() && pieces_.front().empty()) pieces_.erase(pieces_.begin());
    if (pieces_.empty()) return {};
    const std::string_view taken = pieces_.front().substr(0, size);
    pieces_.front().remove_prefix(taken.size());
    return taken;
  }

  std::string rest() const {
    std::string text;
    for (const std::string_view piece : pieces_) text += piece;
    return text;
  }

 private:
  std::vector<std::string_view> pieces_;
};

}  // namespace

Outcome read_request(const std::vector<std::string_view>& pieces, std::size_t buffer_size, std::size_t limit) {
  Pieces input(pieces);
  std::string buffer(buffer_size, '?');
  std::size_t filled = 0;
  RequestHeadReader reader;
  RequestHead head;
  Progress progress = Progress::more;
  while (progress == Progress::more) {
    const std::string_view piece = input.take(buffer.size() - filled);
    if (piece.empty()) return {Progress::more, ParseError::none, "", ""};
    std::copy(piece.begin(), piece.end(), buffer.begin() + static_cast<std::ptrdiff_t>(filled));
    filled += piece.size();
    progress = reader.read(buffer, filled, head);
  }
  if (progress == Progress::rejected) return {progress, reader.error(), "", ""};

  std::string content(limit, '?');
  RequestBody body(head, content);
  const std::string_view behind = std::string_view(buffer).substr(head.size(), filled - head.size());
  std::string rest(behind.substr(body.read(behind)));
  while (body.progress() == Progress::more) {
    const std::string_view piece = input.take(SIZE_MAX);
    if (piece.empty()) return {Progress::more, ParseError::none, "", ""};
    rest = piece.substr(body.read(piece));
  }
  if (body.progress() == Progress::rejected) return {Progress::rejected, body.error(), "", ""};
  content.resize(body.size());
  rest += input.rest();
  return {Progress::done, ParseError::none, summary_of(head, content, rest, true),
          summary_of(head, content, rest, false)};
}

}  // namespace test
