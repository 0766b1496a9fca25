// SPDX-License-Identifier: Apache-2.0
// Access to an HTTP endpoint: static and rotating tokens, the owners of sessions, the audit, and the code that the
// options link.
#include "mcp/http_access.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/http_sse_2024.hpp"
#include "mcp/http_tokens.hpp"
#include "mcp/http_transport.hpp"
#include "transports/http/guarded.hpp"

namespace {

using test::HttpClient;
using test::HttpResponse;
using namespace test::access;

// ---- Static tokens -----------------------------------------------------------------------------------------------

constexpr std::string_view two_tokens[] = {"first-token", "second"};

TEST(StaticTokens, AcceptsAValidToken) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  Guarded site(options);
  for (const std::string_view right : {"Bearer first-token", "bearer second", "BEARER  second "}) {
    const std::string header = "Authorization: " + std::string(right) + "\r\n";
    EXPECT_EQ(site.ask(request("POST /mcp", header, initialize)).status, 200) << right;
  }
  // A browser sends no token with a preflight request.
  EXPECT_EQ(site.ask(request("OPTIONS /mcp", "Origin: http://localhost\r\n")).status, 204);
}

TEST(StaticTokens, RejectsInvalidTokens) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  Guarded site(options);
  struct Case {
    std::string_view value;
    int status;
    std::string_view challenge;
  };
  constexpr std::string_view none = "Bearer";
  constexpr std::string_view invalid = R"(Bearer error="invalid_token")";
  constexpr std::string_view malformed = R"(Bearer error="invalid_request")";
  constexpr Case cases[] = {
      {"", 401, none},
      {"Bearer", 401, none},
      {"Bearer ", 401, none},
      {"first-token", 401, none},
      {"Basic first-token", 401, none},
      {"Bearerfirst-token", 401, none},
      {"Bearer\tfirst-token", 401, none},
      {"Bearer first-toke", 401, invalid},
      {"Bearer first-token2", 401, invalid},
      {"Bearer secondsecond", 401, invalid},
      {"Bearer Second", 401, invalid},
      {"Bearer second=", 401, invalid},
      {"Bearer first-token,second", 400, malformed},
      {"Bearer first-token second", 400, malformed},
      {"Bearer \tsecond", 400, malformed},
      {"Bearer \"second\"", 400, malformed},
      {"Bearer =second", 400, malformed},
      {"Bearer =", 400, malformed},
      {"Bearer sec\xC3\xB6nd", 400, malformed},
  };
  for (const Case& wrong : cases) {
    for (const std::string_view line : {"POST /mcp", "GET /mcp", "DELETE /mcp"}) {
      const std::string header = wrong.value.empty() ? "" : "Authorization: " + std::string(wrong.value) + "\r\n";
      const HttpResponse response = site.ask(request(line, header, initialize));
      expect_rejection(response, wrong.status, wrong.challenge);
      EXPECT_FALSE(response.body.empty());
    }
  }
  // A token in the target is rejected, because logs would store it.
  expect_rejection(site.ask(request("POST /mcp?access_token=second", "", initialize)), 401, none);
  // Of two Authorization headers, a proxy may read the other one.
  EXPECT_EQ(site.ask(request("POST /mcp", bearer("second") + bearer("second"), initialize)).status, 400);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

TEST(StaticTokens, EmptyTokenGrantsNothing) {
  constexpr std::string_view empty[] = {""};
  for (const std::span<const std::string_view> tokens : {std::span<const std::string_view>(empty), {}}) {
    mcp::StaticTokens authorizer(tokens);
    const mcp::HttpOptions options{.authorizer = &authorizer};
    Guarded site(options);
    for (const std::string_view header : {"", "Authorization: Bearer \r\n", "Authorization: Bearer x\r\n"}) {
      EXPECT_EQ(site.ask(request("POST /mcp", header, initialize)).status, 401);
    }
  }
}

TEST(StaticTokens, ServeNoMetadata) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  Guarded site(options);
  EXPECT_EQ(site.ask(request("GET /.well-known/oauth-protected-resource")).status, 404);
  const mcp::HttpOptions open{};
  Guarded everybody(open);
  EXPECT_EQ(everybody.ask(request("GET /.well-known/oauth-protected-resource")).status, 404);
}

TEST(StaticTokens, SessionBelongsToItsToken) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  Guarded site(options);
  expect_bound_sessions(site, "first-token", "second");
  expect_bound_sessions(site, "second", "first-token");
}

// What reads Authorization alone lets long heads lose all other fields.
class Other final : public mcp::Authorizer {
  mcp::Grant do_check(const mcp::http::RequestHead&) override { return {}; }
  void do_challenge(mcp::Access, mcp::http::ResponseHead&) override {}
};

TEST(Authorizers, SayWhichFieldsTheyRead) {
  constexpr mcp::StaticToken scoped[] = {{.token = "a", .scopes = "read"}};
  mcp::RotatingToken users[1];
  mcp::RotatingTokens rotating(users);
  const mcp::TokenScopes scopes[] = {"read"};
  mcp::StaticTokens one(two_tokens);
  mcp::ScopedTokens two(scoped);
  mcp::ScopedRotatingTokens three(rotating, scopes);
  for (mcp::Authorizer* const known :
       {static_cast<mcp::Authorizer*>(&one), static_cast<mcp::Authorizer*>(&two), static_cast<mcp::Authorizer*>(&three),
        static_cast<mcp::Authorizer*>(&rotating)}) {
    EXPECT_FALSE(known->reads("cookie"));
  }
  EXPECT_TRUE(Other().reads("cookie"));
}

// ---- Rotating tokens ---------------------------------------------------------------------------------------------

struct Rotating {
  mcp::RotatingToken users[2];
  mcp::RotatingTokens tokens{users};
  mcp::HttpOptions options{.authorizer = &tokens};
  Guarded site{options};

  mcp::Rotation rotate(std::string_view token, mcp::Millis grace_ms, std::size_t user = 0) {
    return tokens.rotate(user, token, site.now(), grace_ms);
  }
  int status(std::string_view token) { return site.ask(request("DELETE /mcp", bearer(token))).status; }
  // Begins a session and returns its header.
  std::string begin(std::string_view token) {
    const HttpResponse begun = site.ask(request("POST /mcp", bearer(token), initialize));
    EXPECT_EQ(begun.status, 200);
    return "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
  }
  HttpResponse ping_with(std::string_view token, const std::string& session) {
    return site.ask(request("POST /mcp", bearer(token) + session, ping));
  }
};
constexpr int known = 400;  // DELETE without a session
constexpr int unknown = 401;

TEST(RotatingTokens, GrantNothingWithoutATokenOfTheUser) {
  Rotating device;
  EXPECT_EQ(device.status("x"), unknown);
  EXPECT_EQ(device.site.ask(request("POST /mcp", "", initialize)).header("www-authenticate"), "Bearer");
  EXPECT_EQ(device.site.ask(request("POST /mcp", bearer("x"), initialize)).header("www-authenticate"),
            R"(Bearer error="invalid_token")");
  EXPECT_TRUE(device.rotate("x", 0).is_accepted);
  EXPECT_EQ(device.status("x"), known);
  EXPECT_EQ(device.status("X"), unknown);
  EXPECT_TRUE(device.rotate("", 0).is_accepted);
  EXPECT_EQ(device.status("x"), unknown);
}

TEST(RotatingTokensDeathTest, NeedAUserAndAGraceTimeThatFits) {
  Rotating device;
  EXPECT_DEATH(device.rotate("x", 0, 2), "contract");
  EXPECT_DEATH(device.rotate("x", 0x8000'0000), "contract");
}

TEST(RotatingTokens, RejectTokensThatNoClientCanSendOrThatAnotherUserHas) {
  Rotating device;
  const std::string longest(mcp::RotatingToken::max_size, 'a');
  for (const std::string& wrong : {std::string("a b"), std::string("\"a\""), std::string("="), std::string("a=b"),
                                   std::string("\xC3\xB6"), longest + "a"}) {
    EXPECT_FALSE(mcp::RotatingTokens::is_valid(wrong)) << wrong;
    EXPECT_FALSE(device.rotate(wrong, 0).is_accepted) << wrong;
  }
  EXPECT_FALSE(mcp::RotatingTokens::is_valid(""));
  EXPECT_TRUE(device.rotate(longest, 0).is_accepted);
  EXPECT_EQ(device.status(longest), known);
  EXPECT_TRUE(device.rotate("aZ9-._~+/==", 1'000).is_accepted);
  EXPECT_EQ(device.status("aZ9-._~+/=="), known);
  // The old token of a user is not free either.
  EXPECT_FALSE(device.rotate("aZ9-._~+/==", 0, 1).is_accepted);
  EXPECT_FALSE(device.rotate(longest, 0, 1).is_accepted);
  EXPECT_TRUE(device.rotate("other", 0, 1).is_accepted);
  EXPECT_EQ(device.status("other"), known);
}

TEST(RotatingTokens, KeepSessionsAndAcceptTheOldTokenForTheGraceTime) {
  Rotating device;
  EXPECT_TRUE(device.rotate("first", 0).is_accepted);
  EXPECT_TRUE(device.rotate("other", 0, 1).is_accepted);
  EXPECT_EQ(device.tokens.poll(device.site.now()), mcp::forever);
  const std::string session = device.begin("first");
  const mcp::Rotation rotation = device.rotate("second", 5'000);
  EXPECT_TRUE(rotation.is_accepted);
  EXPECT_EQ(rotation.ended_principal, 0U);
  for (const std::string_view token : {"first", "second"}) EXPECT_EQ(device.ping_with(token, session).body, pong);
  EXPECT_EQ(device.ping_with("other", session).status, 404);
  device.site.pass(4'999);
  EXPECT_EQ(device.tokens.poll(device.site.now()), 1U);
  EXPECT_EQ(device.status("first"), known);
  device.site.pass(1);
  EXPECT_EQ(device.tokens.poll(device.site.now()), mcp::forever);
  EXPECT_EQ(device.ping_with("first", session).status, 401);
  EXPECT_EQ(device.ping_with("second", session).body, pong);
  EXPECT_EQ(device.status("other"), known);
  // The old token never counts again.
  EXPECT_TRUE(device.rotate("third", 5'000).is_accepted);
  EXPECT_EQ(device.status("first"), unknown);
  EXPECT_TRUE(device.rotate("fourth", 5'000).is_accepted);
  EXPECT_EQ(device.status("second"), unknown);
  EXPECT_EQ(device.ping_with("third", session).body, pong);
  EXPECT_EQ(device.ping_with("fourth", session).body, pong);
}

TEST(RotatingTokens, ChangeNothingForTheSameToken) {
  Rotating device;
  EXPECT_TRUE(device.rotate("first", 0).is_accepted);
  const std::string session = device.begin("first");
  EXPECT_EQ(device.rotate("first", 0).ended_principal, 0U);
  EXPECT_EQ(device.ping_with("first", session).body, pong);
  EXPECT_EQ(device.rotate("second", 5'000).ended_principal, 0U);
  device.site.pass(3'000);
  EXPECT_EQ(device.rotate("second", 5'000).ended_principal, 0U);
  EXPECT_EQ(device.tokens.poll(device.site.now()), 2'000U);
  EXPECT_EQ(device.ping_with("first", session).body, pong);
}

// The same token, again and without a grace time, ends the old one.
TEST(RotatingTokens, EndTheOldTokenWithinItsGraceTime) {
  Rotating device;
  EXPECT_TRUE(device.rotate("first", 0).is_accepted);
  const std::string session = device.begin("first");
  EXPECT_EQ(device.rotate("second", 5'000).ended_principal, 0U);
  const mcp::Rotation rotation = device.rotate("second", 0);
  EXPECT_TRUE(rotation.is_accepted);
  ASSERT_NE(rotation.ended_principal, 0U);
  device.site.transport().end_principal(rotation.ended_principal);
  EXPECT_EQ(device.status("first"), unknown);
  EXPECT_EQ(device.ping_with("second", session).status, 404);
  EXPECT_EQ(device.tokens.poll(device.site.now()), mcp::forever);
  EXPECT_EQ(device.site.bench.open_sessions(), 0U);
}

// Access that is taken away has no grace time, so the caller learns at once whose sessions must end.
TEST(RotatingTokens, EndThePrincipalWithAnEmptyToken) {
  Rotating device;
  EXPECT_TRUE(device.rotate("first", 0).is_accepted);
  const std::string session = device.begin("first");
  const mcp::Rotation rotation = device.rotate("", 60'000);
  EXPECT_TRUE(rotation.is_accepted);
  ASSERT_NE(rotation.ended_principal, 0U);
  device.site.transport().end_principal(rotation.ended_principal);
  EXPECT_EQ(device.site.bench.open_sessions(), 0U);
  EXPECT_EQ(device.status("first"), unknown);
  EXPECT_EQ(device.rotate("", 60'000).ended_principal, 0U);
  EXPECT_EQ(device.rotate("second", 60'000).ended_principal, 0U);
  EXPECT_EQ(device.status("first"), unknown);
  EXPECT_EQ(device.ping_with("second", session).status, 404);
}

TEST(RotatingTokens, EndAllOfThePrincipalWithoutAGraceTime) {
  Rotating device;
  EXPECT_TRUE(device.rotate("first", 0).is_accepted);
  EXPECT_TRUE(device.rotate("other", 0, 1).is_accepted);
  const std::string session = device.begin("first");
  const std::string other = device.begin("other");
  // The idle connection of another client stays.
  HttpClient kept = device.site.connect();
  kept.send(request("POST /mcp", bearer("other") + other, ping));
  device.site.run();
  EXPECT_EQ(kept.response().body, pong);
  // A standalone stream, a call that runs, and a request whose body is not complete.
  HttpClient stream = device.site.connect();
  stream.send(request("GET /mcp", bearer("first") + session + "Accept: text/event-stream\r\n"));
  HttpClient call = device.site.connect();
  call.send(request("POST /mcp", bearer("first") + session,
                    R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forever"}})"));
  HttpClient half = device.site.connect();
  const std::string text = request("POST /mcp", bearer("first") + session, ping);
  half.send(std::string_view(text).substr(0, text.size() - 5));
  device.site.run();
  EXPECT_EQ(stream.response().status, 200);
  EXPECT_EQ(device.site.running_jobs(), 1U);
  EXPECT_EQ(device.site.links_in_use(), 4U);
  const mcp::Rotation rotation = device.rotate("second", 0);
  EXPECT_TRUE(rotation.is_accepted);
  ASSERT_NE(rotation.ended_principal, 0U);
  device.site.transport().end_principal(rotation.ended_principal);
  EXPECT_EQ(device.site.bench.open_sessions(), 1U);
  EXPECT_EQ(device.site.links_in_use(), 1U);
  EXPECT_EQ(device.site.running_jobs(), 0U);
  for (HttpClient* client : {&kept, &stream, &call, &half}) client->leave();
  device.site.run();
  EXPECT_EQ(device.ping_with("first", session).status, 401);
  EXPECT_EQ(device.ping_with("second", session).status, 404);
  EXPECT_EQ(device.ping_with("other", other).body, pong);
  const std::string next = device.begin("second");
  EXPECT_EQ(device.ping_with("second", next).body, pong);
  // The next principal is another one.
  const mcp::Rotation end = device.rotate("third", 0);
  EXPECT_NE(end.ended_principal, 0U);
  EXPECT_NE(end.ended_principal, rotation.ended_principal);
  device.site.transport().end_principal(end.ended_principal);
  EXPECT_EQ(device.ping_with("second", next).status, 401);
  EXPECT_EQ(device.site.bench.open_sessions(), 1U);
}

// ---- The warning of an exposed endpoint -------------------------------------------------------------------------

TEST(Exposure, WarnsOfAnExposedEndpoint) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions open{};
  const mcp::HttpOptions guarded{.authorizer = &authorizer};
  EXPECT_EQ(mcp::exposure_warning(open, false), "");
  EXPECT_EQ(mcp::exposure_warning(guarded, false), "");
  EXPECT_EQ(mcp::exposure_warning(guarded, true), "");
  EXPECT_EQ(mcp::exposure_warning(open, true),
            "warning: other machines can reach this server, and it requires no token: each client can call its tools");
}

// Only the client that opened an HTTP+SSE stream may post to its address.
TEST(HttpAccess, HttpSseSessionBelongsToThePrincipalThatOpenedIt) {
  static constexpr mcp::HttpSse2024 older;
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer, .sse_2024 = &older};
  Guarded site(options);
  HttpClient client = site.connect();
  client.send("GET /sse HTTP/1.1\r\nHost: localhost\r\n" + bearer("second") + "\r\n");
  site.run();
  EXPECT_TRUE(client.response().streams);
  const auto events = client.events();
  ASSERT_EQ(events.size(), 1U);
  const auto post = [&](std::string_view token) {
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    return site
        .ask("POST " + events[0].data.value_or("") + " HTTP/1.1\r\nHost: localhost\r\n" + bearer(token) +
             "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body)
        .status;
  };
  EXPECT_EQ(post("first-token"), 404);
  EXPECT_EQ(post("second"), 202);
}

constexpr mcp::ServerShape legacy_shape{.eras = mcp::legacy_era};
constexpr mcp::ServerShape modern_shape{.eras = mcp::modern_era};
constexpr mcp::ServerShape dual_shape{.sessions = 2, .has_logs = false};

// Only the limit or option that needs a piece of optional code links it.
TEST(HttpLink, ChoosesWhatTheServerTheLimitsAndTheOptionsNeed) {
  constexpr mcp::HttpLimits all{};
  const mcp::HttpOptions none;
  const mcp::http::HttpLinks legacy = mcp::http::link<legacy_shape, all>(none);
  EXPECT_EQ(legacy.stateless, nullptr);
  EXPECT_EQ(legacy.detached, &mcp::http::detached_ops);
  EXPECT_EQ(legacy.replay, &mcp::http::replay_ops);
  EXPECT_EQ(legacy.access, nullptr);
  EXPECT_EQ(legacy.sse_2024, nullptr);
  const mcp::http::HttpLinks modern = mcp::http::link<modern_shape, all>(none);
  EXPECT_EQ(modern.stateless, &mcp::http::logged_stateless_ops);
  EXPECT_EQ(modern.detached, nullptr) << "the end of its connection cancels a stateless call";
  EXPECT_EQ(modern.replay, nullptr);
  static constexpr mcp::HttpSse2024 sse;
  mcp::StaticTokens tokens(two_tokens);
  constexpr mcp::HttpLimits least{.detached = 0, .resumable = false};
  const mcp::http::HttpLinks dual =
      mcp::http::link<dual_shape, least>(mcp::HttpOptions{.authorizer = &tokens, .sse_2024 = &sse});
  EXPECT_EQ(dual.stateless, &mcp::http::stateless_ops);
  EXPECT_EQ(dual.detached, nullptr);
  EXPECT_EQ(dual.replay, nullptr);
  EXPECT_EQ(dual.access, &mcp::http::access_ops);
  EXPECT_EQ(dual.sse_2024, &mcp::http::sse_ops);
}

// ---- Audit -------------------------------------------------------------------------------------------------------

constexpr std::uint64_t ada_host = 0x0A00'0001;
constexpr std::uint64_t bob_host = 0x0A00'0002;

std::string who_trail;
void keep_who(const mcp::AuditRecord& record) {
  constexpr std::string_view outcomes[] = {"ok", "failed", "error", "later", "cancelled", "asks", "rejected"};
  who_trail += std::string(outcomes[static_cast<std::size_t>(record.outcome)]) + " " + std::string(record.method) +
               " " + std::string(record.subject) + " " + std::to_string(record.error_code) + " of " +
               std::to_string(record.principal) + " at " + std::to_string(record.peer & 0xFFU) + "\n";
}
std::string take_trail() { return std::exchange(who_trail, std::string()); }

mcp::Errc audited_quick(mcp::Call& call) { return call.result().text("quick"); }
struct AuditedWork {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(context.result().text("worked"));
    slept = true;
    return context.sleep(100);
  }
};
constexpr mcp::Tool audited_tools[] = {mcp::tool<audited_quick>({.name = "quick"}),
                                       mcp::job<AuditedWork>({.name = "work"})};
constexpr mcp::Definition audited{.name = "audited", .version = "0", .tools = audited_tools, .audit = keep_who};

class AuditedSite : public test::HttpSite<access_limits, access_transmit_size> {
 public:
  explicit AuditedSite(const mcp::HttpOptions& options)
      : HttpSite(audited, {.receive_size = 1024, .sessions = 3, .jobs = 2, .job = 128}, options) {
    who_trail.clear();
  }
  // Sends a request from this host, with the fields `more`. The client leaves after `wait_ms`.
  HttpResponse ask(std::uint64_t host, std::string_view more, std::string_view body, mcp::Millis wait_ms = 0) {
    HttpClient client = connect(host);
    client.send(request("POST /mcp", more, body));
    run();
    if (wait_ms != 0) pass(wait_ms);
    const HttpResponse response = client.response();
    client.leave();
    run();
    return response;
  }
  HttpResponse call(std::uint64_t host, std::string_view token, std::string_view tool, mcp::Millis wait_ms = 0) {
    const std::string name(tool);
    return ask(host,
               (token.empty() ? "" : bearer(token)) +
                   "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + name + "\r\n",
               R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + name +
                   R"(","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                   R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
               wait_ms);
  }
};

// Each record of a stateless call names its principal, also the record of the end of a job.
TEST(HttpAudit, RecordsThePrincipalOfAStatelessCall) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  AuditedSite site(options);
  EXPECT_EQ(site.call(ada_host, "first-token", "quick").status, 200);
  EXPECT_EQ(take_trail(), "ok tools/call quick 0 of 1 at 1\n");
  EXPECT_EQ(site.call(bob_host, "second", "quick").status, 200);
  EXPECT_EQ(take_trail(), "ok tools/call quick 0 of 2 at 2\n");
  EXPECT_EQ(site.call(bob_host, "second", "work", 200).status, 200);
  EXPECT_EQ(take_trail(), "later tools/call work 0 of 2 at 2\nok tools/call work 0 of 2 at 0\n");
  EXPECT_EQ(site.call(ada_host, "first-token", "work").status, 200);  // and leaves
  EXPECT_EQ(take_trail(), "later tools/call work 0 of 1 at 1\ncancelled tools/call work 0 of 1 at 0\n");
}

TEST(HttpAudit, RecordsThePrincipalOfASession) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  AuditedSite site(options);
  const HttpResponse begun = site.ask(bob_host, bearer("second"), initialize);
  EXPECT_EQ(begun.status, 200);
  EXPECT_EQ(take_trail(), "ok initialize  0 of 2 at 2\n");
  const std::string session = "Mcp-Session-Id: " + std::string(begun.header("mcp-session-id")) + "\r\n";
  EXPECT_EQ(site.ask(bob_host, bearer("second") + session, ping).status, 200);
  EXPECT_EQ(take_trail(), "ok ping  0 of 2 at 2\n");
}

// The server has not read the message yet, and knows only the peer.
TEST(HttpAudit, RecordsARejectedTokenWithoutAPrincipal) {
  mcp::StaticTokens authorizer(two_tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  AuditedSite site(options);
  EXPECT_EQ(site.call(ada_host, "", "quick").status, 401);
  EXPECT_EQ(take_trail(), "rejected   401 of 0 at 1\n");
  EXPECT_EQ(site.call(bob_host, "third", "quick").status, 401);
  EXPECT_EQ(take_trail(), "rejected   401 of 0 at 2\n");
  EXPECT_EQ(site.call(bob_host, "no token", "quick").status, 400);
  EXPECT_EQ(take_trail(), "rejected   400 of 0 at 2\n");
}

TEST(HttpAudit, RecordsThePeerWithoutTokens) {
  const mcp::HttpOptions options;
  AuditedSite site(options);
  EXPECT_EQ(site.call(bob_host, "", "quick").status, 200);
  EXPECT_EQ(take_trail(), "ok tools/call quick 0 of 0 at 2\n");
}

constexpr mcp::Definition shape_definition{.name = "shape", .version = "1"};
constexpr mcp::Limits shape_limits{.transmit_size = 768, .sessions = 3};
mcp::Storage<shape_definition, shape_limits> shape_storage;

TEST(HttpLimits, AStorageHasTheShapeOfItsServer) {
  const mcp::ServerShape shape = mcp::detail::shape_of(shape_storage);
  EXPECT_EQ(shape.sessions, 3U);
  EXPECT_EQ(shape.transmit_size, 768U);
  EXPECT_TRUE(shape.eras.legacy() && shape.eras.modern());
  EXPECT_FALSE(shape.has_setup_tools);
}

}  // namespace
