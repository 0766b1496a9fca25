// SPDX-License-Identifier: Apache-2.0
// A server that takes the tokens of one issuer, for clients that have to get one first. A token says itself whose it
// is, what it allows and whom it is for, as no real one may: `1+read_set+http~//127.0.0.1~8080/mcp`.
//
// usage: guarded_server ISSUER
#include <mcp/http_oauth.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_tcp.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

mcp::Errc whoami(mcp::Call& call) { return call.result().text("A friend."); }
constexpr mcp::Tool tools[] = {mcp::tool<whoami>({.name = "whoami", .description = "Says who is calling."})};
constexpr mcp::Definition definition{.name = "guarded", .version = "1.0.0", .tools = tools};

constexpr mcp::Limits limits{.sessions = 4};
constexpr mcp::HttpLimits http_limits{.connections = 8};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::HttpStorage<storage, http_limits> http_storage;
constinit mcp::Server server{storage};

class Tokens final : public mcp::TokenValidator {
 private:
  std::optional<mcp::AccessToken> do_validate(std::string_view token, mcp::http::Method) override {
    text_ = token;
    std::replace(text_.begin(), text_.end(), '~', ':');
    const std::size_t scopes = text_.find('+');
    const std::size_t audience = text_.find('+', scopes + 1);
    if (scopes != 1 || audience == std::string::npos) return std::nullopt;
    std::replace(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(audience), '_', ' ');
    const std::string_view view = text_;
    return mcp::AccessToken{.audience = view.substr(audience + 1),
                            .scopes = view.substr(scopes + 1, audience - scopes - 1),
                            .principal = static_cast<std::uint64_t>(text_[0])};
  }
  std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    static_cast<void>(std::fprintf(stderr, "usage: %s ISSUER\n", argv[0]));
    return 2;
  }
  static mcp::posix::TcpConnection connections[http_limits.connections];
  mcp::posix::TcpListener listener(connections, "127.0.0.1", 0);
  if (!listener.ok()) return 1;
  const std::string url = "http://127.0.0.1:" + std::to_string(listener.port()) + "/mcp";
  const std::string_view issuers[] = {argv[1]};
  constexpr std::string_view scopes[] = {"read", "set"};
  const mcp::ProtectedResource resource{
      .resource = url, .authorization_servers = issuers, .scopes = scopes, .name = "A guarded server"};
  if (!mcp::is_valid(resource)) {
    static_cast<void>(std::fprintf(stderr, "%s is no issuer\n", argv[1]));
    return 2;
  }
  Tokens tokens;
  mcp::ResourceServer authorizer(resource, tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  mcp::posix::SystemEntropy entropy;
  mcp::HttpTransport transport{server, listener, entropy, http_storage, options};
  static_cast<void>(std::fprintf(stderr, "listening on %s\n", url.c_str()));
  for (;;) listener.wait(transport.poll(mcp::posix::now()));
}
