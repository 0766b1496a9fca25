// SPDX-License-Identifier: Apache-2.0
// OAuth at an HTTP endpoint: metadata, tokens and their validation, challenges, and the owners of sessions.
#include "mcp/http_oauth.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transports/http/guarded.hpp"

namespace {

using test::HttpClient;
using test::HttpResponse;
using namespace test::access;

constexpr std::string_view issuers[] = {"https://login.example.com", "https://login.example.org/tenant"};
constexpr std::string_view two_scopes[] = {"boiler:read", "boiler:set"};
constexpr mcp::ProtectedResource boiler{.resource = "https://boiler.example.com/mcp",
                                        .authorization_servers = issuers,
                                        .scopes = two_scopes,
                                        .name = "The \"boiler\""};

constexpr std::string_view tail =
    R"(resource_metadata="https://boiler.example.com/.well-known/oauth-protected-resource/mcp", )"
    R"(scope="boiler:read boiler:set")";

// A validator with a list of tokens. It records the tokens that it gets.
class KnownTokens final : public mcp::TokenValidator {
 public:
  std::map<std::string, mcp::AccessToken, std::less<>> tokens = {
      {"good", {boiler.resource, "boiler:set boiler:read", 1}},
      {"fresh", {boiler.resource, "boiler:read boiler:set other", 1}},
      {"another", {"https://x.example.com https://boiler.example.com/mcp", "boiler:read boiler:set", 2}},
      {"a-._~+/9==", {boiler.resource, "boiler:read boiler:set", 3}},
      {"for-no-audience", {"", "boiler:read boiler:set", 1}},
      {"for-others", {"https://x.example.com/mcp", "boiler:read boiler:set", 1}},
      {"for-a-part", {"https://boiler.example.com", "boiler:read boiler:set", 1}},
      {"for-more", {"https://boiler.example.com/mcp/2", "boiler:read boiler:set", 1}},
      {"for-another-case", {"https://BOILER.example.com/mcp", "boiler:read boiler:set", 1}},
      {"may-read", {boiler.resource, "boiler:read", 1}},
      {"may-nothing", {boiler.resource, "", 1}},
      {"may-nearly", {boiler.resource, "boiler:read boiler:settle", 1}},
  };
  std::vector<std::string> asked;

 private:
  std::optional<mcp::AccessToken> do_validate(std::string_view token, mcp::http::Method method) override {
    constexpr std::string_view names[] = {"POST ", "GET ", "DELETE ", "OPTIONS ", "other "};
    asked.push_back(std::string(names[static_cast<unsigned>(method)]) + std::string(token));
    const auto found = tokens.find(token);
    return found == tokens.end() ? std::nullopt : std::optional(found->second);
  }
};

struct Boiler {
  explicit Boiler(const mcp::ProtectedResource& resource = boiler) : server(resource, validator), site(options) {}

  KnownTokens validator;
  mcp::ResourceServer server;
  mcp::HttpOptions options{.authorizer = &server};
  Guarded site;
};

TEST(OAuth, ReadsNoOtherField) {
  Boiler device;
  EXPECT_FALSE(static_cast<mcp::Authorizer&>(device.server).reads("cookie"));
}

TEST(OAuth, ServesMetadataAtBothPaths) {
  Boiler device;
  for (const std::string_view path :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource/mcp?x=y"}) {
    // Tokens and sessions of the request do not matter.
    for (const std::string_view more :
         {"", "Authorization: Bearer wrong\r\n", "MCP-Session-Id: none\r\nMCP-Protocol-Version: 1999-01-01\r\n"}) {
      const HttpResponse response = device.site.ask(request("GET " + std::string(path), more));
      EXPECT_EQ(response.status, 200);
      EXPECT_EQ(response.body,
                R"({"resource":"https://boiler.example.com/mcp",)"
                R"("authorization_servers":["https://login.example.com","https://login.example.org/tenant"],)"
                R"("scopes_supported":["boiler:read","boiler:set"],"bearer_methods_supported":["header"],)"
                R"("resource_name":"The \"boiler\""})");
      EXPECT_EQ(response.header("content-type"), "application/json");
      EXPECT_EQ(response.header("www-authenticate"), "(none)");
      EXPECT_EQ(response.header("connection"), "(none)");
      EXPECT_EQ(response.header("access-control-allow-origin"), "(none)");
    }
  }
  EXPECT_TRUE(device.validator.asked.empty());
  EXPECT_EQ(device.site.bench.open_sessions(), 0U);
}

TEST(OAuth, ServesMetadataAtNoOtherPath) {
  Boiler device;
  for (const std::string_view path :
       {"/.well-known/oauth-protected-resource/", "/.well-known/oauth-protected-resource/mcp/",
        "/.well-known/oauth-protected-resource/other", "/.well-known/oauth-protected-resourcemcp",
        "/.well-known/oauth-protected-resourc", "/.Well-Known/oauth-protected-resource",
        "/.well-known/oauth-authorization-server", "/mcp/.well-known/oauth-protected-resource", "/"}) {
    EXPECT_EQ(device.site.ask(request("GET " + std::string(path))).status, 404) << path;
  }
  for (const std::string_view method : {"POST", "DELETE", "HEAD", "PUT"}) {
    const HttpResponse response =
        device.site.ask(request(std::string(method) + " /.well-known/oauth-protected-resource", "", ping));
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(response.header("allow"), "GET, OPTIONS");
  }
}

TEST(OAuth, ServesMetadataToWebPages) {
  Boiler device;
  const std::string page = "Origin: http://localhost:6274\r\n";
  for (const std::string_view path :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"}) {
    const HttpResponse response = device.site.ask(request("GET " + std::string(path), page));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.header("access-control-allow-origin"), "http://localhost:6274");
    EXPECT_EQ(response.header("vary"), "Origin");
    const HttpResponse preflight = device.site.ask(request("OPTIONS " + std::string(path), page));
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(preflight.header("access-control-allow-origin"), "http://localhost:6274");
    EXPECT_EQ(preflight.header("access-control-allow-methods"), "GET, OPTIONS");
    EXPECT_NE(preflight.header("access-control-allow-headers").find("MCP-Protocol-Version"), std::string::npos);
    // A forbidden origin or host gets no metadata.
    for (const std::string_view line : {"GET ", "OPTIONS "}) {
      const HttpResponse foreign =
          device.site.ask(request(std::string(line) + std::string(path), "Origin: http://evil.example.com\r\n"));
      expect_rejection(foreign, 403, "(none)");
      EXPECT_EQ(foreign.header("access-control-allow-origin"), "(none)");
    }
    std::string rebound = request("GET " + std::string(path));
    rebound.replace(rebound.find("localhost"), 9, "evil.example.com");
    expect_rejection(device.site.ask(rebound), 403, "(none)");
  }
  // A page can read where to get a token.
  const HttpResponse refused = device.site.ask(request("POST /mcp", page, initialize));
  expect_rejection(refused, 401, "Bearer " + std::string(tail));
  EXPECT_EQ(refused.header("access-control-allow-origin"), "http://localhost:6274");
  EXPECT_EQ(refused.header("access-control-expose-headers"), "*");
}

TEST(OAuth, OmitsOptionalMembersOfMetadata) {
  constexpr std::string_view issuer[] = {"http://localhost:9000"};
  for (const std::string_view uri : {"http://127.0.0.1:8080", "http://127.0.0.1:8080/"}) {
    const mcp::ProtectedResource resource{.resource = uri, .authorization_servers = issuer};
    ASSERT_TRUE(mcp::is_valid(resource));
    Boiler device(resource);
    const HttpResponse response = device.site.ask(request("GET /.well-known/oauth-protected-resource"));
    EXPECT_EQ(response.body, R"({"resource":")" + std::string(uri) +
                                 R"(","authorization_servers":["http://localhost:9000"],)"
                                 R"("bearer_methods_supported":["header"]})");
    EXPECT_EQ(device.site.ask(request("GET /.well-known/oauth-protected-resource/")).status, 404);
    expect_rejection(device.site.ask(request("POST /mcp", "", initialize)), 401,
                     R"(Bearer resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource")");
  }
}

TEST(OAuth, MetadataThatDoesNotFitGets500) {
  const std::string name(access_transmit_size, 'n');
  mcp::ProtectedResource resource = boiler;
  resource.name = name;
  Boiler device(resource);
  const HttpResponse response = device.site.ask(request("GET /.well-known/oauth-protected-resource"));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "");
}

TEST(OAuth, RejectsInvalidTokensWithTheirReason) {
  Boiler device;
  struct Case {
    std::string_view value;
    int status;
    std::string_view error;
  };
  constexpr Case cases[] = {
      {"", 401, ""},
      {"Bearer", 401, ""},
      {"Basic Z29vZDo=", 401, ""},
      {"good", 401, ""},
      {"Bearer unknown", 401, "invalid_token"},
      {"Bearer for-no-audience", 401, "invalid_token"},
      {"Bearer for-others", 401, "invalid_token"},
      {"Bearer for-a-part", 401, "invalid_token"},
      {"Bearer for-more", 401, "invalid_token"},
      {"Bearer for-another-case", 401, "invalid_token"},
      {"Bearer may-read", 403, "insufficient_scope"},
      {"Bearer may-nothing", 403, "insufficient_scope"},
      {"Bearer may-nearly", 403, "insufficient_scope"},
      {"Bearer good, good", 400, "invalid_request"},
      {"Bearer token=\"good\"", 400, "invalid_request"},
  };
  for (const Case& wrong : cases) {
    for (const std::string_view line : {"POST /mcp", "GET /mcp", "DELETE /mcp"}) {
      const std::string header = wrong.value.empty() ? "" : "Authorization: " + std::string(wrong.value) + "\r\n";
      const std::string error = wrong.error.empty() ? "" : "error=\"" + std::string(wrong.error) + "\", ";
      expect_rejection(device.site.ask(request(line, header, initialize)), wrong.status,
                       "Bearer " + error + std::string(tail));
    }
  }
  EXPECT_EQ(device.site.bench.open_sessions(), 0U);
}

TEST(OAuth, ValidatorReceivesTokensOnlyFromTheHeader) {
  Boiler device;
  EXPECT_EQ(device.site.ask(request("POST /mcp?access_token=good", "", initialize)).status, 401);
  std::string form = request("POST /mcp", "", "access_token=good");
  form.replace(form.find("application/json"), 16, "application/x-www-form-urlencoded");
  EXPECT_EQ(device.site.ask(form).status, 401);
  EXPECT_EQ(device.site.ask(request("POST /mcp", "Authorization: Bearer \"good\"\r\n", initialize)).status, 400);
  EXPECT_EQ(device.site.ask(request("OPTIONS /mcp", bearer("good"))).status, 204);
  EXPECT_TRUE(device.validator.asked.empty());
  EXPECT_EQ(device.site.ask(request("POST /mcp", "Authorization: BEARER   a-._~+/9==  \r\n", initialize)).status, 200);
  EXPECT_EQ(device.site.ask(request("GET /mcp", bearer("good"))).status, 400);
  EXPECT_EQ(device.site.ask(request("DELETE /mcp", bearer("good"))).status, 400);
  EXPECT_EQ(device.validator.asked, (std::vector<std::string>{"POST a-._~+/9==", "GET good", "DELETE good"}));
}

TEST(OAuth, SessionBelongsToItsUser) {
  Boiler device;
  expect_bound_sessions(device.site, "good", "another");
  expect_bound_sessions(device.site, "another", "a-._~+/9==");
}

TEST(OAuth, SessionContinuesWithTheNextTokenOfItsUser) {
  Boiler device;
  const HttpResponse begun = device.site.ask(request("POST /mcp", bearer("good"), initialize));
  const std::string session = "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
  EXPECT_EQ(device.site.ask(request("POST /mcp", bearer("fresh") + session, ping)).body, pong);
  // The server checks each request. An expired token is rejected also on a connection on which it was valid.
  HttpClient client = device.site.connect();
  client.send(request("POST /mcp", bearer("good") + session, ping));
  device.site.run();
  EXPECT_EQ(client.response().body, pong);
  device.validator.tokens.erase("good");
  client.send(request("POST /mcp", bearer("good") + session, ping));
  device.site.run();
  expect_rejection(client.response(), 401, "Bearer error=\"invalid_token\", " + std::string(tail));
  EXPECT_TRUE(client.connection().closed());
  EXPECT_EQ(device.site.ask(request("POST /mcp", bearer("fresh") + session, ping)).body, pong);
}

// Only the user of a stream can resume it.
TEST(OAuth, StreamBelongsToItsUser) {
  Boiler device;
  const HttpResponse begun = device.site.ask(request("POST /mcp", bearer("good"), initialize));
  const std::string session = "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
  HttpClient listener = device.site.connect();
  listener.send(request("GET /mcp", bearer("good") + session));
  device.site.run();
  EXPECT_TRUE(listener.response().streams);
  const auto events = listener.events();
  ASSERT_EQ(events.size(), 1U);
  const std::string resume = session + "Last-Event-ID: " + events[0].id + "\r\n";
  EXPECT_EQ(device.site.ask(request("GET /mcp", bearer("another") + resume)).status, 404);
  EXPECT_FALSE(listener.connection().closed());
  HttpClient again = device.site.connect();
  again.send(request("GET /mcp", bearer("fresh") + resume));
  device.site.run();
  EXPECT_TRUE(again.response().streams);
  EXPECT_TRUE(listener.connection().closed());
}

TEST(OAuth, ChallengeReplacesTheErrorMessage) {
  const std::string scope(200, 's');
  const std::string_view scopes[] = {scope};
  mcp::ProtectedResource resource = boiler;
  resource.scopes = scopes;
  Boiler device(resource);
  const HttpResponse response = device.site.ask(request("POST /mcp", bearer("good"), initialize));
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(response.body, "");
  EXPECT_NE(response.header("www-authenticate").find(scope), std::string::npos);
}

TEST(OAuth, ClosesTheConnectionIfTheChallengeDoesNotFit) {
  const std::string scope(access_transmit_size + 400, 's');
  const std::string_view scopes[] = {scope};
  mcp::ProtectedResource resource = boiler;
  resource.scopes = scopes;
  Boiler device(resource);
  HttpClient client = device.site.connect();
  client.send(request("POST /mcp", "", initialize));
  device.site.run();
  EXPECT_TRUE(client.connection().closed());
  EXPECT_TRUE(client.idle());
}

TEST(OAuth, AcceptsRequestsCutAtEveryByte) {
  for (const std::string& text :
       {request("GET /.well-known/oauth-protected-resource/mcp"), request("POST /mcp", "", initialize),
        request("POST /mcp", bearer("unknown"), initialize), request("POST /mcp", bearer("may-read"), initialize)}) {
    Boiler whole;
    const HttpResponse expected = whole.site.ask(text);
    for (std::size_t size = 1; size < text.size(); size = size < 8 ? size + 1 : size * 2) {
      Boiler device;
      const HttpResponse response = device.site.ask(text, size);
      EXPECT_EQ(response.status, expected.status) << size;
      EXPECT_EQ(response.headers, expected.headers) << size;
      EXPECT_EQ(response.body, expected.body) << size;
    }
  }
}

TEST(OAuth, RejectsInvalidResources) {
  const auto valid = [](std::string_view uri, std::string_view issuer, std::string_view scope) {
    const std::string_view some_issuers[] = {issuers[0], issuer};
    const std::string_view some_scopes[] = {"a", scope};
    return mcp::is_valid({.resource = uri, .authorization_servers = some_issuers, .scopes = some_scopes});
  };
  for (const std::string_view uri : {"https://a", "https://a.example.com:8443/mcp/", "http://localhost",
                                     "http://localhost:80/mcp", "http://127.0.0.1/mcp", "http://[::1]:8080/mcp"}) {
    EXPECT_TRUE(valid(uri, uri, "!#[]~")) << uri;
  }
  for (const std::string_view uri :
       {"", "https://", "https:///mcp", "http://a.example.com", "http://localhost.example.com", "http://127.0.0.12",
        "a.example.com", "ftp://a", "https://a/mcp?x", "https://a/mcp#x", "https://a/\"", "https://a/ b",
        "https://a/%zz", "https://a\r\nX: y"}) {
    EXPECT_FALSE(valid(uri, issuers[0], "s")) << uri;
    EXPECT_FALSE(valid(boiler.resource, uri, "s")) << uri;
  }
  for (const std::string_view scope : {"", "a b", "\"", "\\", "\x7F", "\xC3\xB6", "\t"}) {
    EXPECT_FALSE(valid(boiler.resource, issuers[0], scope)) << scope;
  }
  EXPECT_FALSE(mcp::is_valid({.resource = boiler.resource, .authorization_servers = {}}));
  KnownTokens validator;
  constexpr std::string_view http[] = {"http://login.example.com"};
  constexpr std::string_view empty[] = {""};
  for (const mcp::ProtectedResource& wrong :
       {mcp::ProtectedResource{.resource = "boiler", .authorization_servers = issuers},
        {.resource = boiler.resource, .authorization_servers = {}},
        {.resource = boiler.resource, .authorization_servers = http},
        {.resource = boiler.resource, .authorization_servers = issuers, .scopes = empty}}) {
    EXPECT_DEATH(mcp::ResourceServer(wrong, validator), "contract");
  }
}

}  // namespace
