// SPDX-License-Identifier: Apache-2.0
// Rows that exist at run time, as one conversation cannot show them: pages between which rows change, rows that do not
// fit, subscriptions of several owners.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "mcp/body_stream.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::SessionId;
using mcp::TransportInfo;
using test::Bench;
using test::Json;
using Owner = std::uint64_t;

constexpr Owner ada = 0x0A00'0001;
constexpr Owner bob = 0x0A00'0002;
constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string request(std::string_view method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + params + "}}";
}

class FoundTest : public testing::Test {
 protected:
  void SetUp() override { test::reset_device(); }

  SessionId open(Bench& bench, std::string_view revision = "2025-11-25", Owner owner = 0) {
    const TransportInfo info(owner);
    const SessionId id = bench.server.open(0, &info);
    EXPECT_NE(id, SessionId{});
    bench.ask(id, request("initialize", R"("protocolVersion":")" + std::string(revision) +
                                            R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"})"));
    bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return id;
  }
  static void act(Bench& bench, std::string_view action) { ASSERT_TRUE(test::act(bench.server, action)) << action; }

  /// The names of a page, and in `cursor` that of the next one.
  std::vector<std::string> page(Bench& bench, SessionId id, std::string& cursor, std::string_view list = "resources") {
    const std::string params = cursor.empty() ? "" : R"("cursor":")" + cursor + '"';
    const std::string answer = bench.ask(id, request(std::string(list) + "/list", params));
    const Json json = test::parse_json(answer).value_or(Json{});
    cursor = json.text_at("result.nextCursor");
    std::vector<std::string> names;
    const Json* const items = json.at("result." + std::string(list));
    EXPECT_NE(items, nullptr) << answer;
    if (items == nullptr) return names;
    for (const Json& item : items->items) names.push_back(item.text_at("name"));
    return names;
  }
  static std::string error(const std::string& answer) {
    return test::parse_json(answer).value_or(Json{}).text_at("error.message");
  }
  /// The error of a request, or "".
  std::string change(Bench& bench, SessionId id, std::string_view verb, std::string_view uri, Owner owner = 0) {
    const TransportInfo info(owner);
    std::string message = request("resources/" + std::string(verb), R"("uri":")" + std::string(uri) + '"');
    const mcp::Reply reply = bench.server.receive(id, message, bench.server.transmit_buffer(), 0, 1, &info);
    return error({bench.server.transmit_buffer().data(), reply.size});
  }
};

using Names = std::vector<std::string>;

// ---- Pages ----------------------------------------------------------------------------------------------------------

TEST_F(FoundTest, CursorContinuesAfterRowsHaveAppearedAndEnded) {
  Bench bench(*test::find_definition("found_only"), {.transmit_size = 230});
  const SessionId id = open(bench);
  for (const char* const row : {"find sensor 0 x:a", "find sensor 2 x:c", "find sensor 3 x:d"}) act(bench, row);
  std::string cursor;
  EXPECT_EQ(page(bench, id, cursor), (Names{"Sensor 0", "Sensor 2"}));
  EXPECT_EQ(cursor, "b3");
  const std::string second = cursor;
  // Before the cursor, a row appears and another ends. After it, the next row ends and a later one appears.
  for (const char* const row : {"lose sensor 0", "find sensor 1 x:b", "lose sensor 3", "find sensor 5 x:f"})
    act(bench, row);
  EXPECT_EQ(page(bench, id, cursor), (Names{"Sensor 5"}));
  EXPECT_EQ(cursor, "");
  act(bench, "lose sensor 5");
  cursor = second;
  EXPECT_EQ(page(bench, id, cursor), Names{});
  EXPECT_EQ(cursor, "");
  for (const char* const row : {"find sensor 3 x:d", "find sensor 4 x:e", "find sensor 5 x:f"}) act(bench, row);
  cursor = second;
  EXPECT_EQ(page(bench, id, cursor), (Names{"Sensor 3", "Sensor 4"}));
  EXPECT_EQ(page(bench, id, cursor), (Names{"Sensor 5"}));
}

TEST_F(FoundTest, CursorMayNameAnyNumberAndNoOther) {
  Bench bench(*test::find_definition("found_only"));
  const SessionId id = open(bench);
  for (const char* const cursor : {"b1", "b5"}) {
    EXPECT_EQ(error(bench.ask(id, request("resources/list", R"("cursor":")" + std::string(cursor) + '"'))), "");
  }
  for (const char* const cursor : {"b0", "b6", "b65536", "a1", "b"}) {
    EXPECT_NE(error(bench.ask(id, request("resources/list", R"("cursor":")" + std::string(cursor) + '"'))), "");
  }
}

TEST_F(FoundTest, OmitsRowThatFitsInNoPage) {
  Bench bench(*test::find_definition("found_only"), {.transmit_size = 230});
  const SessionId id = open(bench);
  const std::string large(300, 'x');
  act(bench, "find sensor 0 x:0 " + large);
  act(bench, "find sensor 1 x:b");
  act(bench, "find sensor 3 x:d " + large);
  act(bench, "find sensor 5 x:f");
  std::string cursor;
  EXPECT_EQ(page(bench, id, cursor), (Names{"Sensor 1"}));  // a page of its own might have space for row 3
  EXPECT_EQ(bench.server.health().found_rows_omitted, 1);
  EXPECT_EQ(page(bench, id, cursor), (Names{"Sensor 5"}));
  EXPECT_EQ(bench.server.health().found_rows_omitted, 2);
  EXPECT_EQ(cursor, "");
  // It can be read.
  EXPECT_EQ(error(bench.ask(id, request("resources/read", R"("uri":"x:0")"))), "");
  act(bench, "find tool 0 a " + large);
  act(bench, "find tool 2 c");
  EXPECT_EQ(page(bench, id, cursor, "tools"), (Names{"c"}));
  EXPECT_EQ(bench.server.health().found_rows_omitted, 3);
  act(bench, "find tool 0 bad\xC3\xA9");
  act(bench, "find tool 1 " + std::string(129, 'x'));
  EXPECT_EQ(page(bench, id, cursor, "tools"), (Names{"c"}));
  EXPECT_EQ(bench.server.health().found_rows_omitted, 5);
}

TEST_F(FoundTest, ListInBatchFailsIfItsFirstRowDoesNotFit) {
  Bench bench(*test::find_definition("found_only"), {.transmit_size = 460});
  const SessionId id = open(bench, "2025-03-26");
  act(bench, "find sensor 0 x:" + std::string(300, 'a'));
  const std::string list = request("resources/list", "");
  const std::string ping = request("ping", "");
  const std::string answer = bench.ask(id, "[" + list + "," + ping + "]");
  EXPECT_NE(answer.find("-32603"), std::string::npos) << answer;
  EXPECT_EQ(bench.server.health().found_rows_omitted, 0);
  EXPECT_EQ(error(bench.ask(id, list)), "");
}

// The compiler checks that a row of the table fits.
TEST_F(FoundTest, ListFailsIfARowOfTheTableDoesNotFit) {
  Bench bench(*test::find_definition("found"), {.transmit_size = 270});
  const SessionId id = open(bench);
  const std::string answer = bench.ask(id, request("resources/list", ""));
  EXPECT_NE(answer.find("-32603"), std::string::npos) << answer;
  EXPECT_EQ(bench.server.health().found_rows_omitted, 0);
}

TEST_F(FoundTest, RowWhoseNameDoesNotFitIsNotFound) {
  Bench bench(*test::find_definition("found_extended"), {.transmit_size = 230});
  const SessionId id = open(bench);
  const std::string large(300, 'x');
  act(bench, "find sensor 0 x:" + large);
  act(bench, "find sensor 1 x:b");
  act(bench, "find tool 0 " + large);
  act(bench, "find tool 1 b");
  EXPECT_NE(error(bench.ask(id, request("resources/read", R"("uri":"x:)" + large + '"'))), "");
  EXPECT_EQ(error(bench.ask(id, request("resources/read", R"("uri":"x:b")"))), "");
  EXPECT_NE(error(bench.ask(id, request("tools/call", R"("name":")" + large + '"'))), "");
  EXPECT_EQ(error(bench.ask(id, request("tools/call", R"("name":"b")"))), "");
}

TEST_F(FoundTest, StatelessListMayNotBeCached) {
  Bench bench(*test::find_definition("found_only"));
  const SessionId id = bench.server.open(0);
  act(bench, "find sensor 2 x:c");
  act(bench, "find tool 1 dial");
  EXPECT_EQ(bench.ask(id, request("resources/list", std::string(meta))),
            R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{)"
            R"("io.modelcontextprotocol/serverInfo":{"name":"found_only","version":"0"}},"resources":[{"mimeType":)"
            R"("text/plain","uri":"x:c","name":"Sensor 2"}]}})");
  EXPECT_EQ(bench.ask(id, request("tools/list", std::string(meta))),
            R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{)"
            R"("io.modelcontextprotocol/serverInfo":{"name":"found_only","version":"0"}},"tools":[{"name":"dial",)"
            R"("inputSchema":{"type":"object","properties":{},"required":[]}}]}})");
  EXPECT_EQ(error(bench.ask(id, request("tools/call", R"("name":"dial",)" + std::string(meta)))), "");
}

TEST_F(FoundTest, FoundToolCountsForTheRateLimit) {
  Bench bench(*test::find_definition("found_only"), {.call_burst = 1, .call_interval_ms = 1000});
  const SessionId id = open(bench);
  act(bench, "find tool 1 dial");
  EXPECT_EQ(bench.ask(id, request("tools/call", R"("name":"dial")")).find("isError"), std::string::npos);
  EXPECT_NE(bench.ask(id, request("tools/call", R"("name":"dial")")).find("isError"), std::string::npos);
}

// ---- Kinds ----------------------------------------------------------------------------------------------------------

TEST_F(FoundTest, RowNeedsAKindIfThereIsNoCallFunction) {
  Bench bench(*test::find_definition("found_kinds_only"));
  const SessionId id = open(bench);
  act(bench, "find tool 0 other.0");
  act(bench, "find tool 1 measure.1");
  std::string cursor;
  EXPECT_EQ(page(bench, id, cursor, "tools"), Names{"measure.1"});
  EXPECT_EQ(bench.server.health().found_rows_omitted, 1);
  EXPECT_EQ(error(bench.ask(id, request("tools/call", R"("name":"other.0")"))), "Unknown tool: other.0");
  EXPECT_EQ(error(bench.ask(id, request("tools/call", R"("name":"measure.1")"))), "");
}

TEST_F(FoundTest, RowWithTheMembersOfItsKindWaitsForTheNextPage) {
  Bench bench(*test::find_definition("found_kinds_only"), {.transmit_size = 420});
  const SessionId id = open(bench);
  for (const char* const row : {"find tool 0 measure.0", "find tool 1 measure.1", "find tool 2 fill.2"})
    act(bench, row);
  std::string cursor;
  EXPECT_EQ(page(bench, id, cursor, "tools"), Names{"measure.0"});
  EXPECT_EQ(page(bench, id, cursor, "tools"), (Names{"measure.1"}));
  EXPECT_EQ(page(bench, id, cursor, "tools"), (Names{"fill.2"}));
  EXPECT_EQ(cursor, "");
}

mcp::Errc of_kind(mcp::Call& call) { return call.result().text("of the kind"); }
constexpr mcp::Tool one_kind[] = {mcp::tool<of_kind>({.name = "kind"})};
bool describe_twins(std::uint16_t number, mcp::FoundTool& row) {
  row.name("twin");
  if (number == 0) {
    row.kind(0);
    row.input_schema("no schema");
  }
  return true;
}
mcp::Errc call_twin(std::uint16_t number, mcp::json::Value, mcp::Call& call) {
  return call.result().text("row ", number);
}
constexpr mcp::FoundTools twin_tools{.numbers = 2, .describe = describe_twins, .call = call_twin, .kinds = one_kind};
constexpr mcp::Definition twin_definition{
    .name = "twins", .version = "0", .found_tools = twin_tools, .list_changes = true};

TEST_F(FoundTest, RowWithAnInvalidSchemaDoesNotGiveItsKindToTheNextOne) {
  Bench bench(twin_definition);
  const SessionId id = open(bench);
  EXPECT_NE(bench.ask(id, request("tools/call", R"("name":"twin")")).find("row 1"), std::string::npos);
}

// ---- Rows that are omitted ------------------------------------------------------------------------------------------

std::string omitted;
void note(const mcp::OmittedRow& row) {
  omitted += std::to_string(row.number) + ' ' + std::string(row.key) + ": " + std::string(row.reason) + '\n';
}

TEST_F(FoundTest, CheckNamesEachOmittedToolWithTheReason) {
  Bench bench(*test::find_definition("found"), {.transmit_size = 600});
  act(bench, "find tool 0 no-name");
  act(bench, "find tool 1 spaces\tin");
  act(bench, "find tool 2 text x \"type\"");
  act(bench, "find tool 3 quick");
  act(bench, "find tool 4 dial");
  omitted.clear();
  bench.server.check_found_tools(note);
  EXPECT_EQ(omitted,
            "0 : name() was not called, or uri() was not\n"
            "1 spaces\\tin: the name or URI is invalid\n"
            "2 text: the schema is not a JSON object with type object\n"
            "3 quick: a row of the table has this name or URI\n");
  for (const char* const row : {"lose tool 0", "lose tool 1", "lose tool 2", "lose tool 3"}) act(bench, row);
  act(bench, "find tool 5 dial");
  act(bench, "find tool 0 long x {\"type\":\"object\",\"description\":\"" + std::string(600, 'x') + "\"}");
  omitted.clear();
  bench.server.check_found_tools(note);
  EXPECT_EQ(omitted,
            "0 : it does not fit into Limits::transmit_size\n"
            "5 dial: another row has this name or URI, or find() does not know it\n");
}

TEST_F(FoundTest, CheckNamesAKindThatDoesNotExistAndARowThatFindDoesNotKnow) {
  Bench bench(*test::find_definition("found_kinds"));
  act(bench, "find tool 0 measure.0 astray");
  act(bench, "find tool 1 x.1");
  omitted.clear();
  bench.server.check_found_tools(note);
  EXPECT_EQ(omitted, "1 x.1: there is no such kind, and no call function\n");
}

TEST_F(FoundTest, CheckCountsARowAsTheErasOfTheServerSendIt) {
  // A stateless response has the name of the server in addition.
  for (const auto& [eras, size] : {std::pair(mcp::legacy_era, 200U), std::pair(mcp::modern_era, 400U)}) {
    mcp::Definition definition = *test::find_definition("found_kinds_only");
    definition.eras = eras;
    for (const std::size_t transmit_size : {std::size_t{size}, std::size_t{800}}) {
      Bench bench(definition, {.transmit_size = transmit_size});
      act(bench, "find tool 0 measure.0");
      omitted.clear();
      bench.server.check_found_tools(note);
      EXPECT_EQ(omitted, transmit_size == 800 ? "" : "0 : it does not fit into Limits::transmit_size\n");
    }
  }
}

TEST_F(FoundTest, CheckNamesEachOmittedResourceWithTheReason) {
  Bench bench(*test::find_definition("found_only"), {.transmit_size = 500});
  act(bench, "find sensor 0 no-uri");
  act(bench, "find sensor 1 x:1 no-name");
  act(bench, "find sensor 2 noscheme");
  act(bench, "find sensor 3 x:4");
  act(bench, "find sensor 4 x:" + std::string(600, '4'));
  act(bench, "find sensor 5 x:5");
  omitted.clear();
  bench.server.check_found_resources(note);
  EXPECT_EQ(omitted,
            "0 : name() was not called, or uri() was not\n"
            "1 x:1: name() was not called, or uri() was not\n"
            "2 noscheme: the name or URI is invalid\n"
            "3 x:4: another row has this name or URI, or find() does not know it\n"
            "4 : it does not fit into Limits::transmit_size\n");
}

// ---- Functions of an object -----------------------------------------------------------------------------------------

class Bus {
 public:
  constexpr explicit Bus(std::uint16_t first) : first_(first) {}
  bool describe(std::uint16_t number, mcp::FoundResource& row) const {
    row.uri("bus:", first_ + number);
    row.name("Sensor ", number);
    return true;
  }
  mcp::Errc read(std::uint16_t number, mcp::ReadResult& out) {
    ++reads;
    return out.text("sensor ", first_ + number);
  }
  unsigned reads = 0;

 private:
  std::uint16_t first_;
};
constinit Bus bus{40};
constexpr mcp::FoundResources of_bus{
    .numbers = 2, .describe = mcp::bound<bus, &Bus::describe>, .read = mcp::bound<bus, &Bus::read>};
constexpr mcp::Definition bus_definition{
    .name = "bus", .version = "0", .found_resources = of_bus, .list_changes = true};

TEST_F(FoundTest, FunctionsOfAnObjectDescribeAndReadItsRows) {
  Bench bench(bus_definition);
  const SessionId id = open(bench);
  std::string cursor;
  EXPECT_EQ(page(bench, id, cursor), (Names{"Sensor 0", "Sensor 1"}));
  EXPECT_NE(bench.ask(id, request("resources/read", R"("uri":"bus:41")")).find("sensor 41"), std::string::npos);
  EXPECT_EQ(bus.reads, 1U);
}

// ---- Subscriptions --------------------------------------------------------------------------------------------------

TEST_F(FoundTest, OwnerCannotSubscribeBeyondItsShareOfTemplateInstances) {
  Bench bench(*test::find_definition("instances"), {.sessions = 2, .template_subscriptions = 3});
  const SessionId of_ada = open(bench, "2025-11-25", ada);
  const SessionId of_bob = open(bench, "2025-11-25", bob);
  EXPECT_EQ(change(bench, of_ada, "subscribe", "any://1", ada), "");
  EXPECT_EQ(change(bench, of_ada, "subscribe", "any://2", ada), "");
  EXPECT_EQ(change(bench, of_ada, "subscribe", "any://1", ada), "");
  EXPECT_EQ(change(bench, of_ada, "subscribe", "any://3", ada),
            "All 2 template subscriptions for one client are in use; try again later.");
  EXPECT_EQ(bench.server.health().subscriptions_full, 1);
  EXPECT_EQ(change(bench, of_bob, "subscribe", "any://3", bob), "");
  // A client that joins the subscriptions of another one takes nothing from it when that one leaves.
  EXPECT_EQ(change(bench, of_bob, "subscribe", "any://1", bob), "");
  EXPECT_NE(change(bench, of_bob, "subscribe", "any://2", bob), "");
  EXPECT_EQ(change(bench, of_ada, "unsubscribe", "any://1", ada), "");
  EXPECT_EQ(change(bench, of_ada, "unsubscribe", "any://2", ada), "");
  act(bench, "update_uri any://1");
  EXPECT_EQ(bench.next(of_ada), "");
  EXPECT_NE(bench.next(of_bob).find("any://1"), std::string::npos);
  EXPECT_EQ(change(bench, of_ada, "subscribe", "any://4", ada), "");
  EXPECT_EQ(change(bench, of_ada, "subscribe", "any://1", ada), "");
}

TEST_F(FoundTest, OwnersCannotSubscribeToMoreInstancesThanThereAre) {
  Bench bench(*test::find_definition("instances"), {.sessions = 3, .template_subscriptions = 2});
  const SessionId of_ada = open(bench, "2025-11-25", ada);
  const SessionId of_bob = open(bench, "2025-11-25", bob);
  EXPECT_EQ(change(bench, of_ada, "subscribe", "any://1", ada), "");
  const std::string listen =
      request("subscriptions/listen", R"("notifications":{"resourceSubscriptions":["any://2"]},)" + std::string(meta));
  EXPECT_EQ(error(bench.ask(bench.server.open(0), listen)), "");
  EXPECT_EQ(change(bench, of_bob, "subscribe", "any://3", bob),
            "All 2 template subscriptions are in use; try again later.");
}

TEST_F(FoundTest, EndOfSessionFreesItsTemplateInstances) {
  Bench bench(*test::find_definition("instances"), {.sessions = 2, .template_subscriptions = 1});
  const SessionId first = open(bench);
  const SessionId second = open(bench);
  EXPECT_EQ(change(bench, first, "subscribe", "any://1"), "");
  EXPECT_EQ(change(bench, second, "unsubscribe", "any://1"), "");
  EXPECT_EQ(change(bench, second, "subscribe", "any://2"), "All 1 template subscriptions are in use; try again later.");
  bench.server.resource_updated("any://1");
  bench.server.close(first, 0);
  EXPECT_EQ(change(bench, second, "subscribe", "any://2"), "");
  EXPECT_EQ(bench.next(second), "");
  bench.server.resource_updated("any://1");
  EXPECT_EQ(bench.next(second), "");
  bench.server.resource_updated("any://2");
  EXPECT_NE(bench.next(second).find("any://2"), std::string::npos);
}

TEST_F(FoundTest, SubscriptionStartsWithoutTheUpdatesOfTheSlotBefore) {
  Bench bench(*test::find_definition("instances"), {.template_subscriptions = 1});
  const SessionId id = open(bench);
  EXPECT_EQ(change(bench, id, "subscribe", "any://1"), "");
  bench.server.resource_updated("any://1");
  EXPECT_EQ(change(bench, id, "unsubscribe", "any://1"), "");
  EXPECT_EQ(change(bench, id, "subscribe", "any://2"), "");
  EXPECT_EQ(bench.next(id), "");
}

TEST_F(FoundTest, NotificationIsSentOnTheSessionChannel) {
  Bench bench(*test::find_definition("instances"));
  const SessionId id = open(bench);
  EXPECT_EQ(change(bench, id, "subscribe", "any://1"), "");
  bench.server.resource_updated("any://1");
  EXPECT_EQ(bench.server.transmit(id, bench.server.transmit_buffer(), 0, 7).status, mcp::Reply::Status::none);
  EXPECT_NE(bench.next(id).find("any://1"), std::string::npos);
}

TEST_F(FoundTest, InstanceWhoseVariablesDoNotFitIsAnError) {
  Bench bench(*test::find_definition("instances"), {.transmit_size = 300, .uri = 1000});
  const SessionId id = open(bench);
  std::string uri = "any://";
  for (int i = 0; i < 300; ++i) uri += "%2A";
  EXPECT_EQ(
      change(bench, id, "subscribe", uri),
      "Not executed: the URI does not fit into the rest of the response; send a shorter one, or this request alone.");
  EXPECT_EQ(change(bench, id, "subscribe", uri.substr(0, 36)), "");
}

TEST_F(FoundTest, DropsNotificationThatDoesNotFit) {
  Bench bench(*test::find_definition("found"));
  const SessionId id = open(bench);
  act(bench, "find sensor 0 x:" + std::string(300, 'a'));
  EXPECT_EQ(change(bench, id, "subscribe", "x:" + std::string(300, 'a')), "");
  EXPECT_EQ(change(bench, id, "subscribe", "pin://1"), "");
  act(bench, "update_found sensor 0");
  act(bench, "update_uri pin://1");
  char small[200];
  const mcp::Reply reply = bench.server.transmit(id, small, 0);
  EXPECT_NE(std::string_view(small, reply.size).find("pin://1"), std::string_view::npos);
  EXPECT_EQ(bench.next(id), "");
}

TEST_F(FoundTest, LongestTemplateUriFits) {
  Bench bench(*test::find_definition("instances"), {.uri = 10});
  const SessionId id = open(bench);
  EXPECT_EQ(change(bench, id, "subscribe", "any://1234"), "");
  EXPECT_EQ(change(bench, id, "subscribe", "any://12345"), "uri is too long for a subscription.");
  bench.server.resource_updated("any://1234");
  EXPECT_NE(bench.next(id).find("\"any://1234\""), std::string::npos);
}

using FoundDeathTest = FoundTest;

TEST_F(FoundDeathTest, AbortsForANumberWithoutARow) {
  Bench bench(*test::find_definition("found"));
  EXPECT_DEATH(bench.server.found_resource_updated(6), "contract");
}

// The compiler checks that a notification with the longest URI and id fits.
TEST_F(FoundTest, NotificationHasTheSizeThatTheCompilerRequires) {
  Bench bench(*test::find_definition("instances"), {.uri = 10});
  const SessionId id = bench.server.open(0);
  const std::string longest = '"' + std::string(38, 'i') + '"';
  bench.ask(id, R"({"jsonrpc":"2.0","id":)" + longest +
                    R"(,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":)" +
                    R"(["any://1234"]},)" + std::string(meta) + "}}");
  EXPECT_NE(bench.next(id).find("any://1234"), std::string::npos);
  bench.server.resource_updated("any://1234");
  const std::size_t size =
      mcp::detail::instance_update_size(*test::find_definition("instances"), {.uri_size = 10, .id_size = 40});
  EXPECT_EQ(bench.next(id).size(), size);
}

constexpr mcp::FoundResources legacy_sensors{.numbers = 1,
                                             .describe =
                                                 [](std::uint16_t, mcp::FoundResource& row) {
                                                   row.uri("x:a");
                                                   row.name("a");
                                                   return true;
                                                 },
                                             .read = [](std::uint16_t, mcp::ReadResult& out) { return out.text("a"); },
                                             .subscribable = true};
mcp::Errc read_part(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("part"); }
constexpr mcp::Resource twins[] = {
    {.uri = "part://?a=1&b=2", .name = "part", .read = [](mcp::ReadResult& out) { return out.text("row"); }}};
constexpr mcp::ResourceTemplate parts[] = {
    {.uri_template = "part://{?a,b}", .name = "parts", .read = read_part, .subscribable = true}};
constexpr mcp::Definition legacy{.name = "legacy",
                                 .version = "0",
                                 .eras = mcp::legacy_era,
                                 .resources = twins,
                                 .resource_templates = parts,
                                 .found_resources = legacy_sensors,
                                 .list_changes = true};

// Without stateless subscriptions.
TEST_F(FoundTest, EndOfARowEndsSubscriptionsOfSessions) {
  Bench bench(legacy, {.uri = 15});
  const SessionId id = open(bench);
  EXPECT_EQ(change(bench, id, "subscribe", "x:a"), "");
  bench.server.found_resource_updated(0);
  EXPECT_NE(bench.next(id).find("x:a"), std::string::npos);
  bench.server.found_resource_ended(0);
  bench.server.found_resource_updated(0);
  EXPECT_EQ(bench.next(id), "");
  EXPECT_EQ(change(bench, id, "subscribe", "part://?a=1&b=3"), "");
  bench.server.resource_updated("part://?a=1&b=3");
  EXPECT_EQ(bench.next(id).size(), mcp::detail::instance_update_size(legacy, {.uri_size = 15}));
}

TEST_F(FoundTest, AcknowledgesAListenWhoseRowHasEndedBefore) {
  Bench bench(*test::find_definition("found"), {.id = 20, .subscriptions = 1});
  const SessionId id = bench.server.open(0);
  act(bench, "find sensor 0 x:a");
  act(bench, "find sensor 1 x:b");
  for (const char* const key : {"1,a", "2,b"}) {
    const std::string listen =
        R"({"jsonrpc":"2.0","id":)" + std::string(1, key[0]) +
        R"(,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["x:)" + (key + 2) +
        R"("]},)" + std::string(meta) + "}}";
    EXPECT_EQ(bench.ask(id, listen), "");
  }
  act(bench, "end sensor 0");
  act(bench, "end sensor 1");
  for (const char* const number : {"1", "2"}) {
    EXPECT_EQ(bench.next(id),
              R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},)"
              R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" +
                  std::string(number) + "}}}");
  }
  EXPECT_EQ(bench.next(id), "");
}

// The template has the same values for both URIs.
TEST_F(FoundTest, TemplateDoesNotGiveADisabledRowToSubscribers) {
  Bench bench(legacy);
  const SessionId id = open(bench);
  EXPECT_EQ(change(bench, id, "subscribe", "part://?b=2&a=1"), "");
  bench.server.set_enabled(twins[0], false);
  EXPECT_EQ(change(bench, id, "subscribe", "part://?b=2&a=1"), "Resource not found.");
  EXPECT_EQ(change(bench, id, "subscribe", "part://?b=2&a=2"), "");
}

struct Day {
  std::uint16_t day;
};
constexpr auto day_params = mcp::params(mcp::param<&Day::day>("day"));
mcp::Chunk read_day(const Day& day, std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset != 0) return mcp::Chunk::end();
  into[0] = static_cast<std::uint8_t>('0' + day.day);
  return mcp::Chunk::bytes(1);
}
constexpr mcp::ResourceTemplate days[] = {
    mcp::text_stream_template<read_day, day_params>({.uri_template = "x:{day}", .name = "day"})};
constexpr mcp::Definition streaming{.name = "streaming",
                                    .version = "0",
                                    .resource_templates = days,
                                    .found_resources = legacy_sensors,
                                    .list_changes = true,
                                    .subscriptions = true};

TEST_F(FoundTest, FoundRowComesBeforeAStreamOfATemplate) {
  Bench bench(streaming);
  const SessionId id = open(bench);
  EXPECT_NE(bench.ask(id, request("resources/read", R"("uri":"x:a")")).find(R"("text":"a")"), std::string::npos);
  EXPECT_EQ(bench.ask(id, request("resources/read", R"("uri":"x:7")")), "");
  EXPECT_NE(bench.next(id).find(R"("text":"7")"), std::string::npos);
  EXPECT_NE(bench.ask(id, request("resources/read", R"("uri":"y:7")")).find(R"("code":-32002)"), std::string::npos);
}

}  // namespace
