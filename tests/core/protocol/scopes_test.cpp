// SPDX-License-Identifier: Apache-2.0
// Scopes of callers, which a conversation on a wire cannot show: there each caller has all.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "mcp/scopes.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Reply;
using mcp::Scopes;
using test::Bench;
using test::Json;

constexpr std::string_view stateless_meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

/// A session, and the stateless requests of the same device. Each message has scopes of its own.
class ScopesTest : public testing::Test {
 protected:
  void SetUp() override { test::reset_device(); }

  void use(const mcp::Definition& definition) {
    bench_.emplace(definition, test::Sizes{.sessions = 2, .subscriptions = 1});
    session_ = bench_->server.open(0);
    bench_->ask(session_, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
                          R"("capabilities":{},"clientInfo":{"name":"a","version":"1"}}})");
    shared_ = bench_->server.open_shared(0);
  }
  std::string send(mcp::SessionId session, std::string message, std::string_view scopes) {
    mcp::TransportInfo info(1);
    info.scopes = test::scoped.scopes.named(scopes);
    const std::span<char> out = bench_->server.transmit_buffer();
    const Reply reply = bench_->server.receive(session, message, out, 0, 1, &info);
    error_ = reply.error;
    lacks_ = reply.lacks_scope() ? test::scoped.scopes.names()[reply.missing_scope()] : std::string_view();
    return {out.data(), reply.size};
  }
  // In the session.
  std::string ask(std::string_view method, std::string_view params, std::string_view scopes) {
    return send(
        session_,
        R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + std::string(params) + "}}",
        scopes);
  }
  // Stateless.
  std::string ask_stateless(std::string_view method, std::string_view params, std::string_view scopes) {
    return send(shared_,
                R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                    std::string(params) + (params.empty() ? "" : ",") + std::string(stateless_meta) + "}}",
                scopes);
  }
  // Sends the request in both eras. Without `scope`, then with it: only then it is served.
  void expect_needs(std::string_view scope, std::string_view method, std::string_view params) {
    const unsigned before = test::device.calls;
    for (const bool stateless : {false, true}) {
      const auto try_with = [&](std::string_view scopes) {
        return stateless ? ask_stateless(method, params, scopes) : ask(method, params, scopes);
      };
      const std::string rejected = try_with("pump:read");
      EXPECT_EQ(lacks_, scope) << method << params << rejected;
      EXPECT_EQ(rejected, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"The scope )" +
                              std::string(scope) + R"( is required; use a token that has it."}})");
      EXPECT_EQ(test::device.calls, before);
      const std::string served = try_with(scope);
      EXPECT_EQ(lacks_, "") << method << params;
      EXPECT_NE(served.find(R"("result":)"), std::string::npos) << served;
      test::device.calls = before;
    }
  }

  std::optional<Bench> bench_;
  mcp::SessionId session_;
  mcp::SessionId shared_;
  Reply::Error error_ = Reply::Error::none;
  std::string_view lacks_;
};

TEST(Scopes, SetHasPositionsBelow32) {
  constexpr Scopes none;
  EXPECT_FALSE(none.has(0));
  EXPECT_TRUE(Scopes::all().has(31));
  EXPECT_FALSE(Scopes::all().has(32));
  EXPECT_FALSE(Scopes::all().has(mcp::ScopeTable::npos));
}

TEST(Scopes, NamesOfATokenBecomeASet) {
  const mcp::ScopeTable& table = test::scoped.scopes;
  EXPECT_EQ(table.named(""), Scopes());
  EXPECT_EQ(table.named("pump:write"), Scopes(2));
  EXPECT_EQ(table.named("  pump:admin  other pump:read "), Scopes(5));
  EXPECT_EQ(table.named("PUMP:READ pump pump:readx"), Scopes());
  EXPECT_TRUE(table.named("pump:admin pump:read").has_all(table.named("pump:read")));
  EXPECT_FALSE(table.named("pump:admin").has_all(table.named("pump:admin pump:read")));
}

TEST_F(ScopesTest, RowWithoutScopeIsForEveryCaller) {
  use(test::scoped);
  EXPECT_NE(ask("tools/call", R"("name":"status")", "").find("is off"), std::string::npos);
  EXPECT_NE(ask("resources/read", R"("uri":"pump://level")", "").find("half full"), std::string::npos);
  EXPECT_NE(ask("prompts/get", R"("name":"explain")", "").find("said"), std::string::npos);
}

TEST_F(ScopesTest, HandlerRunsOnlyForACallerWithTheScopeOfItsRow) {
  use(test::scoped);
  expect_needs("pump:write", "tools/call", R"("name":"start")");
  expect_needs("pump:write", "tools/call", R"("name":"st\u0061rt")");
  expect_needs("pump:admin", "resources/read", R"("uri":"pump://key")");
  expect_needs("pump:admin", "resources/read", R"("uri":"pump://%6Bey")");
  expect_needs("pump:admin", "resources/read", R"("uri":"log://monday")");
  expect_needs("pump:write", "prompts/get", R"("name":"repair")");
}

// The template has the same values for both URIs, so it would serve the row under another name.
TEST_F(ScopesTest, TemplateDoesNotGiveARowOutOfScope) {
  use(test::scoped);
  expect_needs("pump:admin", "resources/read", R"("uri":"part://?a=1&b=2")");
  expect_needs("pump:admin", "resources/read", R"("uri":"part://?b=2&a=1")");
  EXPECT_NE(ask("resources/read", R"("uri":"part://?b=2&a=2")", "").find("any"), std::string::npos);
}

mcp::Errc read_file(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  return out.text("file ", variables["name"]);
}

constexpr mcp::ResourceTemplate files[] = {
    {.uri_template = "file:///{name}.key",
     .name = "key",
     .read = read_file,
     .subscribable = true,
     .scope = "pump:admin"},
    {.uri_template = "page:///x{?name}", .name = "page", .read = read_file, .scope = "pump:admin"},
    {.uri_template = "page:///y{.name}", .name = "type", .read = read_file, .scope = "pump:admin"},
    {.uri_template = "file:///{name}", .name = "file", .read = read_file, .subscribable = true},
    {.uri_template = "page:///{+name}", .name = "pages", .read = read_file},
};
constexpr mcp::ResourceTemplate simple_files[] = {files[0], files[3]};
constexpr std::string_view pump_scopes[] = {"pump:read", "pump:write", "pump:admin"};
constexpr mcp::Definition file_server{
    .name = "files", .version = "0", .resource_templates = files, .subscriptions = true, .scopes = pump_scopes};
constexpr mcp::Definition simple_file_server{
    .name = "files", .version = "0", .resource_templates = simple_files, .subscriptions = true, .scopes = pump_scopes};

// By RFC 3986 section 6.2.2.2, these escapes are the characters themselves.
TEST_F(ScopesTest, EscapeOfALiteralReachesNoOtherTemplate) {
  for (const mcp::Definition* const definition : {&file_server, &simple_file_server}) {
    use(*definition);
    EXPECT_NE(ask("resources/read", R"("uri":"file:///a.txt")", "").find("file a.txt"), std::string::npos);
    for (const char* const uri :
         {"file:///door.key", "file:///door%2Ekey", "file:///door.%6bey", "file:///door.ke%79"}) {
      expect_needs("pump:admin", "resources/read", R"("uri":")" + std::string(uri) + '"');
      static_cast<void>(ask("resources/subscribe", R"("uri":")" + std::string(uri) + '"', ""));
      EXPECT_EQ(lacks_, "pump:admin") << uri;
    }
  }
  use(file_server);
  for (const char* const uri : {"page:///x?name=1", "page:///%78?name=1", "page:///x?n%61me=1", "page:///y%2Edoor"})
    expect_needs("pump:admin", "resources/read", R"("uri":")" + std::string(uri) + '"');
  EXPECT_NE(ask("resources/read", R"("uri":"page:///x?n%61me=door")", "pump:admin").find("file door"),
            std::string::npos);
}

TEST_F(ScopesTest, CompletionNeedsTheScopeOfItsRow) {
  use(test::scoped);
  expect_needs("pump:write", "completion/complete",
               R"("ref":{"type":"ref/prompt","name":"repair"},"argument":{"name":"part","value":""})");
  expect_needs("pump:admin", "completion/complete",
               R"("ref":{"type":"ref/resource","uri":"log://{day}"},"argument":{"name":"day","value":""})");
  EXPECT_NE(ask("completion/complete",
                R"("ref":{"type":"ref/prompt","name":"explain"},"argument":{"name":"part","value":""})", "")
                .find("valve"),
            std::string::npos);
}

TEST_F(ScopesTest, SubscriptionNeedsTheScopeOfItsRow) {
  use(test::scoped);
  ask("resources/subscribe", R"("uri":"pump://key")", "pump:write");
  EXPECT_EQ(lacks_, "pump:admin");
  EXPECT_EQ(ask("resources/subscribe", R"("uri":"pump://key")", "pump:admin"),
            R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(ask("resources/unsubscribe", R"("uri":"pump://key")", ""), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  const std::string filter = R"("notifications":{"resourceSubscriptions":["pump://level","pump://key"]})";
  ask_stateless("subscriptions/listen", filter, "pump:write");
  EXPECT_EQ(lacks_, "pump:admin");
  EXPECT_FALSE(bench_->server.serves(shared_, 1));
  ask_stateless("subscriptions/listen", filter, "pump:admin");
  EXPECT_EQ(error_, Reply::Error::none);
  EXPECT_TRUE(bench_->server.serves(shared_, 1));
}

TEST_F(ScopesTest, UnknownRowsAndInvalidRequestsHaveTheirUsualErrors) {
  use(test::scoped);
  const auto expect_says = [&](std::string_view method, std::string_view params, std::string_view text) {
    const std::string response = ask(method, params, "");
    EXPECT_NE(response.find(text), std::string::npos) << response;
    EXPECT_EQ(error_, Reply::Error::none);
  };
  expect_says("tools/call", R"("name":"none")", "Unknown tool: none");
  expect_says("tools/call", R"("name":7)", "name must be a string.");
  expect_says("tools/call", R"("name":"status","name":"start")", "duplicate");
  expect_says("resources/read", R"("uri":"pump://none")", "Resource not found.");
  expect_says("resources/read", R"("uri":"")", "uri is missing or empty.");
  expect_says("resources/read", R"("uri":"pump://level","uri":"pump://key")", "uri is given twice.");
  expect_says("prompts/get", R"("name":"none")", "Unknown prompt: none");
  expect_says("completion/complete", R"("ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"a","value":""})",
              "Unknown prompt");
  expect_says("completion/complete", R"("ref":{"type":"none"},"argument":{"name":"a","value":""})", "ref must have");
  const std::string refused = ask_stateless("resources/subscribe", R"("uri":"pump://key")", "");
  EXPECT_NE(refused.find("Method not found: resources/subscribe"), std::string::npos) << refused;
  EXPECT_EQ(error_, Reply::Error::method);
}

// Of a batch, each request counts on its own, and the batch as a whole is served.
TEST_F(ScopesTest, BatchHasAnErrorForTheRequestOutOfScope) {
  use(test::scoped);
  const std::string batch = R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"start"}},)"
                            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status"}}])";
  const std::string response = send(session_, batch, "pump:read");
  EXPECT_EQ(error_, Reply::Error::none);
  EXPECT_NE(response.find(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"The scope pump:write)"),
            std::string::npos)
      << response;
  EXPECT_NE(response.find(R"({"jsonrpc":"2.0","id":2,"result":)"), std::string::npos) << response;
  EXPECT_EQ(test::device.calls, 0U);
}

TEST_F(ScopesTest, HiddenRowAnswersAsAnUnknownOne) {
  use(test::hiding);
  const auto names = [&](std::string_view method, std::string_view scopes) {
    return ask(method, "", scopes) + ask_stateless(method, "", scopes);
  };
  for (const std::string_view name : {"start", "key", "log", "repair"}) {
    std::string all;
    std::string few;
    for (const char* const method : {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
      all += names(method, "pump:write pump:admin");
      few += names(method, "pump:read");
    }
    const std::string item = R"("name":")" + std::string(name) + '"';
    EXPECT_NE(all.find(item), std::string::npos) << name;
    EXPECT_EQ(few.find(item), std::string::npos) << name;
  }
  const auto expect_same = [&](std::string_view method, std::string_view hidden, std::string_view unknown) {
    const std::string params(hidden);
    std::string response = ask(method, params, "pump:read");
    const std::string_view a = hidden.substr(hidden.rfind(':') + 1);
    const std::string_view b = unknown.substr(unknown.rfind(':') + 1);
    const std::string name(a.substr(1, a.size() - 2));
    for (std::size_t at = response.find(name); at != std::string::npos; at = response.find(name, at + 1)) {
      response.replace(at, name.size(), b.substr(1, b.size() - 2));
    }
    EXPECT_EQ(response, ask(method, std::string(unknown), "pump:read"));
    EXPECT_EQ(error_, Reply::Error::none);
  };
  expect_same("tools/call", R"("name":"start")", R"("name":"xxxxx")");
  expect_same("prompts/get", R"("name":"repair")", R"("name":"xxxxxx")");
  expect_same("resources/read", R"("uri":"pump://key")", R"("uri":"pump://xxx")");
  expect_same("resources/subscribe", R"("uri":"pump://key")", R"("uri":"pump://xxx")");
  EXPECT_NE(ask("resources/read", R"("uri":"log://monday")", "").find("not found"), std::string::npos);
  EXPECT_NE(ask("resources/read", R"("uri":"part://?b=2&a=1")", "").find("not found"), std::string::npos);
  EXPECT_NE(ask("tools/call", R"("name":"start")", "pump:write").find("runs"), std::string::npos);
  const std::string filter = R"("notifications":{"resourceSubscriptions":["pump://key"]})";
  ask_stateless("subscriptions/listen", filter, "pump:read");
  const Reply reply = bench_->server.transmit(shared_, bench_->server.transmit_buffer(), 0, 1);
  EXPECT_EQ(std::string(bench_->server.transmit_buffer().data(), reply.size).find("pump://key"), std::string::npos);
}

// ---- Found rows -----------------------------------------------------------------------------------------------------

TEST_F(ScopesTest, FoundRowNeedsTheScopeOfItsTable) {
  use(*test::find_definition("found_scoped"));
  for (const char* const row : {"find sensor 1 x:b", "find tool 2 dial"}) ASSERT_TRUE(test::act(bench_->server, row));
  expect_needs("pump:write", "tools/call", R"("name":"dial")");
  expect_needs("pump:admin", "resources/read", R"("uri":"x:b")");
  expect_needs("pump:admin", "resources/read", R"("uri":"x:%62")");
  EXPECT_NE(ask("tools/list", "", "").find(R"("name":"dial")"), std::string::npos);
  EXPECT_NE(ask("resources/list", "", "").find(R"("uri":"x:b")"), std::string::npos);
  EXPECT_NE(ask("tools/call", R"("name":"quick")", "").find("quick"), std::string::npos);
  EXPECT_NE(ask("tools/call", R"("name":"none")", "").find("Unknown tool: none"), std::string::npos);
  EXPECT_NE(ask("resources/read", R"("uri":"found://fixed")", "").find("row"), std::string::npos);
}

TEST_F(ScopesTest, SubscriptionOfAFoundRowNeedsTheScopeOfItsTable) {
  use(*test::find_definition("found_scoped"));
  ASSERT_TRUE(test::act(bench_->server, "find sensor 1 x:b"));
  ask("resources/subscribe", R"("uri":"x:b")", "pump:write");
  EXPECT_EQ(lacks_, "pump:admin");
  EXPECT_EQ(ask("resources/subscribe", R"("uri":"x:b")", "pump:admin"), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(ask("resources/unsubscribe", R"("uri":"x:b")", ""), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  const std::string filter = R"("notifications":{"resourceSubscriptions":["found://fixed","x:b"]})";
  ask_stateless("subscriptions/listen", filter, "pump:write");
  EXPECT_EQ(lacks_, "pump:admin");
  EXPECT_FALSE(bench_->server.serves(shared_, 1));
  ask_stateless("subscriptions/listen", filter, "pump:admin");
  EXPECT_TRUE(bench_->server.serves(shared_, 1));
}

// The template has the same values for both URIs.
TEST_F(ScopesTest, TemplateDoesNotGiveAFoundRowOutOfScope) {
  use(*test::find_definition("found_scoped"));
  for (const char* const row : {"find sensor 1 x:b", "find sensor 3 part://?a=1&b=2"})
    ASSERT_TRUE(test::act(bench_->server, row));
  for (const char* const uri : {"part://?a=1&b=2", "part://?b=2&a=1"}) {
    const std::string params = R"("uri":")" + std::string(uri) + '"';
    for (const char* const method : {"resources/read", "resources/subscribe"}) {
      ask(method, params, "pump:write");
      EXPECT_EQ(lacks_, "pump:admin") << method << uri;
      const std::string served = ask(method, params, "pump:admin");
      EXPECT_NE(served.find(R"("result":)"), std::string::npos) << served;
    }
  }
  EXPECT_NE(ask("resources/read", R"("uri":"part://?b=2&a=2")", "").find("contents"), std::string::npos);
  EXPECT_NE(ask("resources/read", R"("uri":"none://b")", "").find("Resource not found."), std::string::npos);
  // A row that fits into no response is in no list, and hides no instance.
  const std::string longest = "any://" + std::string(9000, 'b');
  ASSERT_TRUE(test::act(bench_->server, "find sensor 0 " + longest));
  EXPECT_NE(ask("resources/read", R"("uri":"any://c")", "").find(R"("text":"c")"), std::string::npos);
  use(*test::find_definition("found_hidden"));
  EXPECT_NE(ask("resources/read", R"("uri":"part://?b=2&a=1")", "").find("Resource not found."), std::string::npos);
}

// Behind the other responses of a batch there is no space to compare the URI of the row.
TEST(FoundScopes, RowOutOfScopeIsNoInstanceAtTheEndOfABatch) {
  const std::string name(340, 'b');
  for (const char* const definition : {"found_scoped", "found_hidden"}) {
    for (const std::string& uri : {"any://" + name, "any://%62" + name.substr(1)}) {
      Bench bench(*test::find_definition(definition), {.transmit_size = 700, .uri = 400});
      const mcp::SessionId session = bench.server.open(0);
      bench.ask(session, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
                         R"("capabilities":{},"clientInfo":{"name":"a","version":"1"}}})");
      ASSERT_TRUE(test::act(bench.server, "find sensor 1 any://" + name));
      for (const char* const method : {"resources/subscribe", "resources/read", "resources/unsubscribe"}) {
        mcp::TransportInfo info(1);
        info.scopes = Scopes();
        std::string batch = R"([{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":9,"method":")" +
                            std::string(method) + R"(","params":{"uri":")" + uri + R"("}}])";
        const std::span<char> out = bench.server.transmit_buffer();
        const Reply reply = bench.server.receive(session, batch, out, 0, mcp::only_channel, &info);
        const std::string came(out.data(), reply.size);
        EXPECT_NE(came.find(R"({"jsonrpc":"2.0","id":9,"error":{"code":-32603)"), std::string::npos) << came;
      }
      bench.server.resource_updated(uri);
      EXPECT_EQ(bench.next(session), "");
    }
  }
}

// Also where a template would serve its URI.
TEST_F(ScopesTest, HiddenFoundRowAnswersAsAnUnknownOne) {
  use(*test::find_definition("found_hidden"));
  for (const char* const row : {"find sensor 1 any://b", "find tool 2 dial"})
    ASSERT_TRUE(test::act(bench_->server, row));
  const std::string all = "pump:write pump:admin";
  EXPECT_NE(ask("tools/list", "", all).find(R"("name":"dial")"), std::string::npos);
  EXPECT_EQ(ask("tools/list", "", "pump:admin").find(R"("name":"dial")"), std::string::npos);
  EXPECT_NE(ask("resources/list", "", all).find(R"("uri":"any://b")"), std::string::npos);
  EXPECT_EQ(ask("resources/list", "", "pump:write").find(R"("uri":"any://b")"), std::string::npos);
  const auto expect_hidden = [&](std::string_view method, std::string_view params, std::string_view text) {
    const std::string hidden = ask(method, params, "pump:read");
    EXPECT_NE(hidden.find(text), std::string::npos) << hidden;
    EXPECT_EQ(lacks_, "");
    const std::string shown = ask(method, params, all);
    EXPECT_NE(shown.find(R"("result":)"), std::string::npos) << shown;
  };
  expect_hidden("tools/call", R"("name":"dial")", "Unknown tool: dial");
  expect_hidden("resources/read", R"("uri":"any://b")", "Resource not found.");
  expect_hidden("resources/subscribe", R"("uri":"any://b")", "Resource not found.");
  EXPECT_NE(ask("resources/read", R"("uri":"any://c")", "").find(R"("text":"c")"), std::string::npos);
}

// The scope of a kind takes the place of that of the table.
TEST_F(ScopesTest, FoundToolNeedsTheScopeOfItsKind) {
  use(*test::find_definition("kinds_scoped"));
  for (const char* const row : {"find tool 1 measure.1", "find tool 2 other.2", "find tool 3 fill.3"})
    ASSERT_TRUE(test::act(bench_->server, row));
  EXPECT_NE(ask("tools/call", R"("name":"measure.1")", "pump:read").find(R"({\"row\":1})"), std::string::npos);
  ask("tools/call", R"("name":"measure.1")", "pump:write");
  EXPECT_EQ(lacks_, "pump:read");
  expect_needs("pump:write", "tools/call", R"("name":"other.2")");
  ask("tools/call", R"("name":"fill.3")", "pump:read");
  EXPECT_EQ(lacks_, "pump:write");
  const std::string list = ask("tools/list", "", "");
  for (const char* const name : {"measure.1", "other.2", "fill.3"}) EXPECT_NE(list.find(name), std::string::npos);
}

TEST_F(ScopesTest, FoundToolOfAHiddenKindAnswersAsAnUnknownOne) {
  use(*test::find_definition("kinds_hidden"));
  for (const char* const row : {"find tool 1 measure.1", "find tool 2 other.2"})
    ASSERT_TRUE(test::act(bench_->server, row));
  const auto listed = [&](std::string_view scopes, std::string_view name) {
    return ask("tools/list", "", scopes).find(name) != std::string::npos;
  };
  EXPECT_TRUE(listed("pump:read", "measure.1"));
  EXPECT_FALSE(listed("pump:read", "other.2"));
  EXPECT_FALSE(listed("pump:write", "measure.1"));
  EXPECT_TRUE(listed("pump:write", "other.2"));
  const std::string hidden = ask("tools/call", R"("name":"measure.1")", "pump:write");
  EXPECT_NE(hidden.find("Unknown tool: measure.1"), std::string::npos) << hidden;
  EXPECT_EQ(lacks_, "");
}

// ---- Updates --------------------------------------------------------------------------------------------------------

constexpr auto read_row = [](mcp::ReadResult& out) { return out.text("row"); };
constexpr auto read_instance = [](const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("instance"); };
constexpr std::string_view update_scopes[] = {"pump:admin"};
constexpr mcp::ResourceTemplate updated_templates[] = {
    {.uri_template = "log://{day}", .name = "log", .read = read_instance, .subscribable = true, .scope = "pump:admin"},
    {.uri_template = "part://{?a,b}", .name = "parts", .read = read_instance, .subscribable = true},
};

// The URIs of the updates that a session gets, whose client has these scopes. It has subscribed with all of them.
std::string updates(Bench& bench, mcp::SessionId session, std::string_view scopes) {
  const Scopes receiver = mcp::ScopeTable(update_scopes).named(scopes);
  std::string all;
  for (;;) {
    const std::span<char> out = bench.server.transmit_buffer();
    const Reply reply = bench.server.transmit(session, out, 0, mcp::only_channel, receiver);
    if (reply.status != Reply::Status::message) return all;
    all += test::parse_json({out.data(), reply.size}).value_or(Json{}).text_at("params.uri") + ' ';
  }
}

mcp::SessionId subscribe_to(Bench& bench, std::initializer_list<std::string_view> uris) {
  const mcp::SessionId session = bench.server.open(0);
  bench.ask(session, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                     R"("capabilities":{},"clientInfo":{"name":"a","version":"1"}}})");
  bench.ask(session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  for (const std::string_view uri : uris) {
    EXPECT_EQ(bench.ask(session, R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":")" +
                                     std::string(uri) + R"("}})"),
              R"({"jsonrpc":"2.0","id":1,"result":{}})");
  }
  for (const std::string_view uri : uris) bench.server.resource_updated(uri);
  return session;
}

TEST(ScopedUpdates, SessionGetsThoseThatItsScopesAllow) {
  static constexpr mcp::Resource rows[] = {
      {.uri = "pump://key", .name = "key", .read = read_row, .subscribable = true, .scope = "pump:admin"},
      {.uri = "pump://level", .name = "level", .read = read_row, .subscribable = true},
      {.uri = "part://?a=1&b=2", .name = "part", .read = read_row, .scope = "pump:admin"},
  };
  static constexpr mcp::Definition definition{
      .name = "a", .version = "1", .resources = rows, .resource_templates = updated_templates, .scopes = update_scopes};
  Bench bench(definition, {.template_subscriptions = 3});
  const mcp::SessionId session =
      subscribe_to(bench, {"pump://key", "pump://level", "log://monday", "part://?b=2&a=1", "part://?b=2&a=2"});
  EXPECT_EQ(updates(bench, session, ""), "pump://level part://?b=2&a=2 ");
  EXPECT_EQ(updates(bench, session, "pump:admin"), "pump://key log://monday part://?b=2&a=1 ");
}

TEST(ScopedUpdates, OnlyATemplateMayHaveAScope) {
  static constexpr mcp::Resource rows[] = {
      {.uri = "pump://level", .name = "level", .read = read_row, .subscribable = true}};
  static constexpr mcp::Definition definition{
      .name = "a", .version = "1", .resources = rows, .resource_templates = updated_templates, .scopes = update_scopes};
  Bench bench(definition, {.template_subscriptions = 3});
  const mcp::SessionId session = subscribe_to(bench, {"log://monday", "pump://level", "part://?b=2&a=1"});
  EXPECT_EQ(updates(bench, session, ""), "pump://level part://?b=2&a=1 ");
  EXPECT_EQ(updates(bench, session, "pump:admin"), "log://monday ");
}

// Else a cache could show the list of one caller to another one.
TEST_F(ScopesTest, ListsThatDependOnTheCallerAreNotCached) {
  use(test::hiding);
  EXPECT_NE(ask_stateless("tools/list", "", "").find(R"("ttlMs":0,"cacheScope":"private")"), std::string::npos);
  use(test::scoped);
  EXPECT_NE(ask_stateless("tools/list", "", "").find(R"("cacheScope":"public")"), std::string::npos);
}

TEST_F(ScopesTest, CallerOnAWireHasAllScopes) {
  use(test::hiding);
  const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"start"}})";
  EXPECT_NE(bench_->ask(session_, call).find("runs"), std::string::npos);
}

// A guard comes before a method that no other feature has.
TEST_F(ScopesTest, SubscriptionThatNoRowSupportsHasItsUsualError) {
  static constexpr mcp::Resource resources[] = {{.uri = "pump://key",
                                                 .name = "key",
                                                 .read = [](mcp::ReadResult& out) { return out.text("secret"); },
                                                 .scope = "pump:read"}};
  static constexpr std::string_view scopes[] = {"pump:read"};
  static constexpr mcp::Definition definition{.name = "a", .version = "1", .resources = resources, .scopes = scopes};
  use(definition);
  EXPECT_EQ(ask("resources/subscribe", R"("uri":"pump://key")", "pump:read"),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"No resource supports subscriptions."}})");
  // Without templates, nothing guards an instance.
  EXPECT_NE(ask("resources/read", R"("uri":"pump://other")", "").find("Resource not found."), std::string::npos);
}

// A Definition that no compiler has checked.
TEST_F(ScopesTest, UnknownScopeOfARowAdmitsNoCaller) {
  static constexpr mcp::Tool tools[] = {
      mcp::tool<[](mcp::Call& call) { return call.result().text("served"); }>({.name = "lost", .scope = "none"})};
  static constexpr mcp::Definition definition{.name = "a", .version = "1", .tools = tools};
  use(definition);
  const std::string response = ask("tools/call", R"("name":"lost")", "pump:read pump:write pump:admin");
  EXPECT_NE(response.find("The scope none is required"), std::string::npos) << response;
  EXPECT_EQ(lacks_, "");
}

}  // namespace
