// SPDX-License-Identifier: Apache-2.0
// Reads requests on a board: the readers and the access checks link without other code, and 32-bit numbers do not wrap.
// Exits with the number of the first row with another result, or 0.
#include <iterator>
#include <span>
#include <string_view>

#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "mcp/http/request_body.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http_oauth.hpp"
#include "mcp/json/writer.hpp"

namespace {

using mcp::http::ParseError;
using mcp::http::Progress;

#define POST "POST /mcp HTTP/1.1\r\nHost: a\r\nAccept: text/*;q=0, */*\r\n"
#define CHUNKED POST "Transfer-Encoding: chunked\r\n\r\n"

struct Row {
  std::string_view request;
  ParseError error;
};
constexpr Row rows[] = {
    {POST "Content-Length: 5\r\n\r\nhello", ParseError::none},
    {CHUNKED "5\r\nhello\r\n0\r\n\r\n", ParseError::none},
    {CHUNKED "0000000000000005;x\r\nhello\r\n0\r\nT: v\r\n\r\n", ParseError::none},
    {POST "Content-Length: 4294967301\r\n\r\nhello", ParseError::body_too_large},
    {POST "Content-Length: 4294967296\r\n\r\nhello", ParseError::body_too_large},
    {POST "Content-Length: 4294967295\r\n\r\nhello", ParseError::body_too_large},
    {POST "Content-Length: 42949672965\r\n\r\nhello", ParseError::body_too_large},
    {POST "Content-Length: 18446744073709551621\r\n\r\nhello", ParseError::body_too_large},
    {CHUNKED "100000005\r\nhello\r\n0\r\n\r\n", ParseError::body_too_large},
    {CHUNKED "FFFFFFFF\r\n", ParseError::body_too_large},
    {CHUNKED "5\r\nhello\r\nFFFFFFFF\r\n", ParseError::body_too_large},
    {CHUNKED "8000000000000005\r\nhello\r\n0\r\n\r\n", ParseError::body_too_large},
    {POST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello", ParseError::length_and_coding},
    {"GET /mcp HTTP/1.1\nHost: a\n\n", ParseError::control_character},
};

char buffer[256];
char room[64];

bool is_right(const Row& row) {
  mcp::http::RequestHeadReader reader;
  mcp::http::RequestHead head;
  // Byte by byte, as from the slowest network.
  std::size_t filled = 0;
  Progress progress = Progress::more;
  while (progress == Progress::more && filled != row.request.size()) {
    buffer[filled] = row.request[filled];
    progress = reader.read(buffer, ++filled, head);
  }
  if (progress != Progress::done) return reader.error() == row.error && row.error != ParseError::none;
  if (!head.accepts_json() || head.accepts_events()) return false;
  mcp::http::RequestBody body(head, room);
  const std::span rest(row.request.data() + filled, row.request.size() - filled);
  const std::size_t consumed = body.read(rest);
  if (body.progress() != Progress::done) return body.error() == row.error && row.error != ParseError::none;
  return row.error == ParseError::none && consumed == rest.size() && std::string_view(room, body.size()) == "hello";
}

bool is_written() {
  char* const end = buffer + sizeof buffer;
  char* const at = mcp::http::put_before(mcp::http::put_before(end, 4'294'967'295U), "Content-Length: ");
  return std::string_view(at, static_cast<std::size_t>(end - at)) == "Content-Length: 4294967295";
}

class Tokens final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view token, mcp::http::Method) override {
    if (token != "secret") return std::nullopt;
    return mcp::AccessToken{.audience = "https://a/mcp", .scopes = "set read", .principal = 0x1'0000'0002};
  }
};
constinit Tokens tokens;
constexpr std::string_view issuers[] = {"https://b"};
constexpr std::string_view scopes[] = {"read"};
constexpr mcp::ProtectedResource resource{
    .resource = "https://a/mcp", .authorization_servers = issuers, .scopes = scopes};
constinit mcp::ResourceServer resource_server{resource, tokens};

mcp::Grant check(std::string_view request, mcp::Authorizer& authorizer) {
  mcp::http::RequestHeadReader reader;
  mcp::http::RequestHead head;
  request.copy(buffer, sizeof buffer);
  const bool done = reader.read(buffer, request.size(), head) == Progress::done;
  return done ? authorizer.check(head) : mcp::Grant{mcp::Access::invalid_request};
}

bool is_guarded() {
  const mcp::Grant grant =
      check("GET /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\n\r\n", resource_server);
  if (grant.access != mcp::Access::granted || grant.principal != 0x1'0000'0002) return false;
  const mcp::Grant none = check("GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n", resource_server);
  mcp::http::ResponseHead challenge(buffer);
  resource_server.challenge(none.access, challenge);
  mcp::json::Writer document(room);
  return challenge.ok() &&
         challenge.text() ==
             "\r\nWWW-Authenticate: Bearer "
             "resource_metadata=\"https://a/.well-known/oauth-protected-resource/mcp\", scope=\"read\"" &&
         resource_server.document("/.well-known/oauth-protected-resource", document) && !document.ok();
}

}  // namespace

int main() {
  for (const Row& row : rows) {
    if (!is_right(row)) return static_cast<int>(&row - rows) + 1;
  }
  if (!is_written()) return static_cast<int>(std::size(rows)) + 1;
  return is_guarded() ? 0 : static_cast<int>(std::size(rows)) + 2;
}
