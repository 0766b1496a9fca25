// SPDX-License-Identifier: Apache-2.0
// The server with exact sizes of the receive and transmit buffer.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/rpc/id_finder.hpp"
#include "server_test.hpp"
#include "support/json.hpp"

namespace {

using mcp::SessionId;
using test::Bench;
using test::ServerTest;
using test::call;
using test::full;
using test::initialize_request;
using test::initialize_with_batches;
using test::initialized;
using test::ping;
using test::pong;
using test::subscribe;

TEST_F(ServerTest, TooLongMessageGetsAnError) {
  const auto refuse = [](Bench& bench, const std::string& id) {
    mcp::rpc::IdFinder message;
    message.feed("{\"jsonrpc\":\"2.0\",\"method\":\"m\"" + (id.empty() ? "" : ",\"id\":" + id) + "}");
    const mcp::Reply reply = bench.server.receive_oversized({}, message, bench.server.transmit_buffer(), 0);
    EXPECT_EQ(reply.status, mcp::Reply::Status::message);
    return std::string(bench.server.transmit_buffer().data(), reply.size);
  };
  Bench bench(full(), {.receive_size = 777, .id = 5});
  const std::string tail = R"("error":{"code":-32600,"message":"Message too long: at most 777 bytes are accepted."}})";
  EXPECT_EQ(refuse(bench, ""), R"({"jsonrpc":"2.0",)" + tail);
  EXPECT_EQ(refuse(bench, "12345"), R"({"jsonrpc":"2.0","id":12345,)" + tail);
  EXPECT_EQ(refuse(bench, "\"abc\""), R"({"jsonrpc":"2.0","id":"abc",)" + tail);
  EXPECT_EQ(refuse(bench, "123456"), R"({"jsonrpc":"2.0","id":123456,)" + tail) << "longer than Limits::id_size";
  // With the smallest transmit buffer that compiles, the longest number and the longest id.
  Bench small(full(), {.receive_size = 99'999'999, .transmit_size = mcp::detail::error_frame + 40});
  const std::string longest(40, '9');
  EXPECT_NE(refuse(small, longest).find("99999999 bytes are accepted."), std::string::npos);
}

// An error omits an id that is longer than the transmit buffer.
TEST_F(ServerTest, ErrorOmitsAnIdThatDoesNotFit) {
  Bench bench(full(), {.transmit_size = 200});
  const SessionId session = bench.server.open(0);
  const std::string error = R"("error":{"code":-32600,"message":"Invalid request: id is too long."}})";
  for (const std::size_t size : {41U, 80U, 200U, 1000U}) {
    const std::string id = "\"" + std::string(size - 2, 'i') + "\"";
    EXPECT_EQ(bench.ask(session, R"({"jsonrpc":"2.0","method":"ping","id":)" + id + "}"),
              R"({"jsonrpc":"2.0",)" + (size < 200 ? "\"id\":" + id + "," : "") + error);
  }
}

// If the transmit buffer is too small for every error, the server writes nothing.
TEST_F(ServerTest, WritesNothingIfNoErrorFits) {
  for (std::size_t transmit_buffer = 0; transmit_buffer < 120; ++transmit_buffer) {
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    EXPECT_LE(mcp::Server::reject("No.", {bytes.get(), transmit_buffer}), transmit_buffer);
  }
}

// For every response that does not fit, some error fits, down to the smallest transmit buffer that compiles. It keeps
// the id and the code.
TEST_F(ServerTest, EveryErrorFitsTheSmallestTransmitBuffer) {
  const std::string id = "\"" + std::string(38, 'i') + "\"";
  const std::string requests[] = {
      R"("method":"initialize")",
      R"("method":"ping","params":[])",
      R"("method":")" + std::string(500, 'm') + "\"",
      R"("method":"tools/call","params":{})",
      R"("method":"tools/call","params":{"name":")" + std::string(500, '\x01' + 0x20) + "\"}",
      R"("method":"tools/call","params":{"name":"large","arguments":{"size":1000}})",
      R"("method":"tools/call","params":{"name":"lists","arguments":{"x":1}})",
      R"("method":"tools/call","params":{"name":"count","arguments":[]})",
      R"("method":"tools/list","params":{"cursor":"x"})",
      R"("method":"resources/read","params":{"uri":"x:)" + std::string(1000, 'u') + "\"}",
      R"("method":"resources/read","params":{"uri":"test://internal"})",
      R"("method":"resources/read","params":{"uri":"test://simple/)" + std::string(1000, 'u') + "/b\"}",
      R"("method":"resources/read","params":{"uri":"test://simple/%20)" + std::string(1000, 'u') + "/b\"}",
      R"("method":"resources/subscribe","params":{"uri":"test://text"})",
      R"("method":5)",
  };
  for (std::size_t transmit_buffer = mcp::detail::error_frame + 40; transmit_buffer < 400; ++transmit_buffer) {
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId session = bench.server.open(0);
    for (int round = 0; round < 2; ++round) {
      for (const std::string& request : requests) {
        const std::string answer = bench.ask(session, R"({"jsonrpc":"2.0","id":)" + id + "," + request + "}");
        const std::optional<test::Json> json = test::parse_json(answer);
        ASSERT_TRUE(json) << answer;
        EXPECT_EQ(json->at("id")->raw, id) << answer;
        const bool tool_error = json->text_at("result.isError") == "true";
        EXPECT_TRUE(tool_error || json->at("error.code") != nullptr) << answer;
        EXPECT_EQ(answer.find("no room"), std::string::npos) << "the text of an error has room: " << answer;
      }
      bench.ask(session, initialize_request);
    }
  }
}

// The error names the supported versions, if they fit.
TEST_F(ServerTest, UnsupportedVersionGetsAnErrorInEachTransmitSize) {
  for (std::size_t size = 110; size < 330; ++size) {
    Bench bench(*test::find_definition("full"), {.transmit_size = size});
    const std::string response = bench.ask(
        bench.server.open(0),
        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
    EXPECT_TRUE(test::parse_json(response)) << size << response;
  }
}

// If the response to initialize does not fit, the server sends an error, the session stays new, and a retry gets the
// same error.
TEST_F(ServerTest, InitializeThatDoesNotFitChangesNothing) {
  Bench ample(full());
  const std::size_t size = ample.ask(ample.server.open(0), initialize_request).size();
  for (const std::size_t transmit_buffer : {size - 1, size}) {
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId id = bench.server.open(0);
    const bool fits = transmit_buffer == size;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(bench.ask(id, initialize_request).find("-32603") == std::string::npos, fits);
    }
    EXPECT_EQ(bench.ask(id, subscribe("test://counter")).find("-32600") == std::string::npos, fits);
  }
}

// Every list with every transmit size from the smallest that compiles: all items, each once, with pages as large as
// possible.
TEST_F(ServerTest, ListsAllItemsWithEveryTransmitSize) {
  struct List {
    const char* method;
    std::size_t count;
    std::size_t least;
  };
  using mcp::detail::pages_size;
  const List lists[] = {
      {"tools/list", full().tools.rows().size(), pages_size("tools", full().tools.rows(), full(), 40)},
      {"resources/list", full().resources.rows().size(), pages_size("resources", full().resources.rows(), full(), 40)},
      {"resources/templates/list", full().resource_templates.rows().size(),
       pages_size("resourceTemplates", full().resource_templates.rows(), full(), 40)},
  };
  const std::string id = "\"" + std::string(38, 'i') + "\"";
  for (const List& list : lists) {
    const std::size_t least = std::max(list.least, std::size_t{300});
    std::size_t fewest_pages = list.count;
    for (std::size_t transmit_buffer = least; transmit_buffer < least + 700; ++transmit_buffer) {
      Bench bench(full(), {.transmit_size = transmit_buffer});
      const SessionId session = open_ready(bench);
      std::size_t items = 0;
      std::size_t pages = 0;
      std::string cursor;
      do {
        const std::string params = cursor.empty() ? "" : R"(,"params":{"cursor":)" + cursor + "}";
        const std::string answer =
            bench.ask(session, R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + list.method + "\"" + params + "}");
        const std::optional<test::Json> json = test::parse_json(answer);
        ASSERT_TRUE(json && json->at("result")) << answer;
        ASSERT_GT(json->at("result")->items[0].items.size(), 0U) << list.method << " in " << transmit_buffer;
        items += json->at("result")->items[0].items.size();
        const test::Json* const next = json->at("result.nextCursor");
        cursor = next == nullptr ? "" : next->raw;
        ASSERT_LE(++pages, list.count);
      } while (!cursor.empty());
      EXPECT_EQ(items, list.count) << list.method << " in " << transmit_buffer;
      EXPECT_LE(pages, fewest_pages) << list.method << " in " << transmit_buffer << ": a larger window, more pages";
      fewest_pages = pages;
      if (transmit_buffer == least) {
        EXPECT_GT(pages, 1U);
      }
    }
  }
}

// A cursor is a place in the table: rows that are switched off between two pages shift nothing.
TEST_F(ServerTest, CursorStaysValidWhenRowsAreDisabled) {
  Bench bench(test::features, {.transmit_size = 420});
  const SessionId id = open_ready(bench);
  const auto page = [&](const std::string& params) {
    const std::string came =
        bench.ask(id, R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)" + params + "}}");
    return test::parse_json(came).value_or(test::Json{});
  };
  const test::Json first = page("");
  ASSERT_NE(first.at("result.nextCursor"), nullptr) << first.raw;
  const std::string cursor = R"("cursor":)" + first.at("result.nextCursor")->raw;
  const std::string next = page(cursor).text_at("result.tools.0.name");
  for (const test::Json& tool : first.at("result.tools")->items) {
    ASSERT_TRUE(test::act_on_features(bench.server, "disable " + tool.text_at("name")));
  }
  EXPECT_EQ(page(cursor).text_at("result.tools.0.name"), next);
  EXPECT_EQ(page("").text_at("result.tools.0.name"), next);
  ASSERT_TRUE(test::act_on_features(bench.server, "disable " + next));
  EXPECT_NE(page(cursor).text_at("result.tools.0.name"), next) << "the row of the cursor itself is off";
  EXPECT_NE(page(cursor).at("result.tools"), nullptr);
}

// Decoded variables share the transmit buffer with the response. They never overlap, and nothing is written after the
// buffer.
TEST_F(ServerTest, ReadsTemplatesWithEveryTransmitSize) {
  std::string uri = "test://simple/%61bc/";
  for (int i = 0; i < 60; ++i) uri += "%7a";
  const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")" + uri + "\"}}";
  const std::string wanted = R"({"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":")" + uri +
                             R"(","mimeType":"text/plain","text":"a=abc b=)" + std::string(60, 'z') + "\"}]}}";
  bool fits = false;
  bool refused = false;
  for (std::size_t transmit_buffer = mcp::detail::error_frame + 40; transmit_buffer < 700; ++transmit_buffer) {
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId session = bench.server.open(0);
    if (bench.ask(session, initialize_request).find("-32603") != std::string::npos) continue;
    bench.server.transmit_buffer().data()[transmit_buffer] = '!';
    const std::string answer = bench.ask(session, request);
    EXPECT_TRUE(answer == wanted || answer.find(R"("id":1,"error":{"code":-32603)") != std::string::npos)
        << transmit_buffer << answer;
    EXPECT_EQ(bench.server.transmit_buffer().data()[transmit_buffer], '!');
    EXPECT_FALSE(fits && answer != wanted) << "a larger window, a smaller answer: " << transmit_buffer;
    fits = fits || answer == wanted;
    refused = refused || answer != wanted;
  }
  EXPECT_TRUE(fits && refused);
}

// 150 values match: the server sends the first 100, or as many of them as fit, with the total and hasMore.
TEST_F(ServerTest, CompletionSendsTheFirstValuesThatFit) {
  std::size_t before = 0;
  for (std::size_t transmit_buffer = 420; transmit_buffer < 1200; ++transmit_buffer) {
    Bench bench(test::features, {.transmit_size = transmit_buffer});
    const std::string came = bench.ask(
        open_ready(bench),
        R"({"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"look"},)"
        R"("argument":{"name":"what","value":"many"}}})");
    const test::Json answer = test::parse_json(came).value_or(test::Json{});
    ASSERT_NE(answer.at("result.completion.values"), nullptr) << came;
    const std::vector<test::Json>& values = answer.at("result.completion.values")->items;
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i].text, "many" + std::to_string(i));
    ASSERT_GE(values.size(), before) << "a larger window has fewer";
    EXPECT_EQ(answer.text_at("result.completion.total"), "150");
    EXPECT_EQ(answer.text_at("result.completion.hasMore"), "true");
    before = values.size();
  }
  EXPECT_EQ(before, 100U);
}

// A token and a text that do not fit make no half message: there is no news, and the result comes.
TEST_F(ServerTest, DropsProgressThatDoesNotFit) {
  Bench bench(test::features, {.transmit_size = 420, .id = 400});
  const SessionId id = open_ready(bench);
  const std::string token(390, 't');
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"count",)"
                          R"("arguments":{"to":1},"_meta":{"progressToken":")" +
                              token + "\"}}}"),
            "");
  EXPECT_EQ(bench.next(id, 0), "");
  EXPECT_EQ(bench.next(id, 100),
            R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"counted to 1"}]}})");
  EXPECT_FALSE(bench.anything_left());
}

// Without max_tokens, a sampling request uses the number that usually fits into the receive buffer.
TEST_F(ServerTest, DefaultOfMaxTokensFollowsFromTheReceiveSize) {
  constexpr struct {
    std::size_t receive_size;
    std::string_view session;
    std::string_view stateless;
  } cases[] = {
      {400, "24", "16"}, {600, "57", "16"}, {1024, "128", "85"}, {4096, "640", "597"}, {65'536, "1024", "1024"}};
  for (const auto& [receive_size, session, stateless] : cases) {
    Bench bench(test::input_requests, {.receive_size = receive_size});
    const SessionId id = bench.server.open(0);
    bench.ask(id, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                  R"("capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}})");
    bench.ask(id, initialized);
    bench.ask(id, call("1", "sample", R"(,"arguments":{"how":"default"})"));
    EXPECT_EQ(test::parse_json(bench.next(id))->text_at("params.maxTokens"), session) << receive_size;
    bench.ask(id,
              call("2", "sample",
                   R"(,"arguments":{"how":"default"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                   R"("io.modelcontextprotocol/clientCapabilities":{"sampling":{}}})"));
    EXPECT_EQ(test::parse_json(bench.next(id))->text_at("result.inputRequests.answer.params.maxTokens"), stateless)
        << receive_size;
  }
}

// ---- Batches -----------------------------------------------------------------------------------------------------

// A batch with every transmit size: either the server executes nothing, or it executes each request and sends a
// response under its id. If a result does not fit, its client gets an error that says that the request was executed.
TEST_F(ServerTest, ExecutesABatchOnlyIfAllResponsesFit) {
  constexpr std::string_view batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"large","arguments":{"size":250}}},)"
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}},)"
      R"({"jsonrpc":"2.0","id":"two","method":"resources/list"},{"jsonrpc":"2.0","id":3,"method":"ping"},)"
      R"({"jsonrpc":"2.0","id":"an id that is longer than the limit for ids",)"
      R"("method":"ping"},{"jsonrpc":"2.0","id":9,"result":{}},{"jsonrpc":"2.0","id":5,"method":"no such method"}])";
  const std::string ids[] = {"1", "two", "3", "an id that is longer than the limit for ids", "5"};
  bool whole = false;
  bool replaced = false;
  bool refused = false;
  for (std::size_t transmit_buffer = 250; transmit_buffer < 2000; ++transmit_buffer) {
    SCOPED_TRACE(transmit_buffer);
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId session = bench.server.open(0);
    bench.ask(session, initialize_with_batches);
    test::device.calls = 0;
    const std::string answer = bench.ask(session, batch);
    const std::optional<test::Json> json = test::parse_json(answer);
    ASSERT_TRUE(json) << answer;
    if (json->kind == test::Json::Kind::object) {
      EXPECT_EQ(json->text_at("error.code"), "-32603");
      EXPECT_NE(answer.find("Not executed"), std::string::npos) << answer;
      EXPECT_EQ(test::device.calls, 0U) << answer;
      EXPECT_FALSE(replaced) << "a larger window takes less";
      refused = true;
      continue;
    }
    EXPECT_EQ(test::device.calls, 1U) << answer;
    ASSERT_EQ(json->items.size(), std::size(ids)) << answer;
    for (std::size_t i = 0; i < std::size(ids); ++i) {
      const test::Json& item = json->items[i];
      EXPECT_EQ(item.text_at("id"), ids[i]);
      const std::string code = item.text_at("error.code");
      if (i >= 3) {
        EXPECT_EQ(code, i == 3 ? "-32600" : "-32601") << answer;
      } else if (item.find("result") == nullptr) {
        EXPECT_EQ(code, "-32603") << answer;
        EXPECT_TRUE(item.text_at("error.message").starts_with("Executed")) << answer;
        replaced = true;
      }
    }
    whole = whole || answer.find("Executed") == std::string::npos;
  }
  EXPECT_TRUE(whole && replaced && refused);
}

// The error of a rejected call has space as well: no entry of the array is cut.
TEST_F(ServerTest, BatchKeepsSpaceForErrorsOfFailedCalls) {
  constexpr std::string_view batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail","arguments":{"how":"text"}}},)"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fail","arguments":{"how":"text"}}}])";
  std::size_t replaced = 0;
  for (std::size_t transmit_buffer = 250; transmit_buffer < 600; ++transmit_buffer) {
    Bench bench(full(), {.transmit_size = transmit_buffer, .call_burst = 1, .call_interval_ms = 60'000});
    const SessionId session = bench.server.open(0);
    bench.ask(session, initialize_with_batches);
    const std::optional<test::Json> json = test::parse_json(bench.ask(session, batch));
    ASSERT_TRUE(json);
    if (json->kind == test::Json::Kind::object) continue;  // nothing was executed
    for (const test::Json& item : json->items) {
      if (item.find("error") == nullptr) continue;
      EXPECT_EQ(item.text_at("error.message"), "Failed; the error is too large for one message.") << transmit_buffer;
      ++replaced;
    }
  }
  EXPECT_NE(replaced, 0U);
}

// A session with batches whose call 7 waits for the roots of the client.
SessionId open_waiting_for_roots(Bench& bench) {
  const SessionId session = bench.server.open(0);
  bench.ask(session, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
                     R"("capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
  bench.ask(session, initialized);
  EXPECT_EQ(bench.ask(session, call("7", "roots")), "");
  EXPECT_EQ(test::parse_json(bench.next(session))->text_at("method"), "roots/list");
  return session;
}

// The result of a call that a response in a batch ends has space as well.
TEST_F(ServerTest, BatchKeepsSpaceForACallThatAResponseEnds) {
  for (std::size_t transmit_buffer = 300; transmit_buffer < 700; ++transmit_buffer) {
    SCOPED_TRACE(transmit_buffer);
    Bench bench(test::input_requests, {.transmit_size = transmit_buffer});
    const SessionId session = open_waiting_for_roots(bench);
    const std::string roots = R"({"uri":"file:///)" + std::string(200, 'a') + "\"}";
    const auto json = test::parse_json(
        bench.ask(session, R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stopped"}},)"
                           R"({"jsonrpc":"2.0","id":1000000001,"result":{"roots":[)" +
                               roots + R"(]}},{"jsonrpc":"2.0","id":2,"method":"ping"}])"));
    ASSERT_TRUE(json);
    if (json->kind == test::Json::Kind::object) {
      EXPECT_NE(json->raw.find("Not executed"), std::string::npos) << json->raw;
      continue;
    }
    ASSERT_EQ(json->items.size(), 3U) << json->raw;
    EXPECT_EQ(json->items[1].text_at("id"), "7");
    const bool fits = json->items[1].find("result") != nullptr;
    EXPECT_TRUE(fits || json->items[1].text_at("error.message").starts_with("Executed")) << json->raw;
    EXPECT_EQ(json->items[2].text_at("id"), "2");
  }
}

// A message that a notification of a batch causes is dropped if the responses need the transmit buffer.
TEST_F(ServerTest, BatchNotificationUsesNoSpaceOfResponses) {
  bool told = false;
  bool left_out = false;
  for (std::size_t transmit_buffer = 150; transmit_buffer < 400; ++transmit_buffer) {
    SCOPED_TRACE(transmit_buffer);
    Bench bench(test::input_requests);
    const SessionId session = open_waiting_for_roots(bench);
    std::string batch =
        R"([{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}},)" + std::string(ping) + "]";
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const mcp::Reply reply = bench.server.receive(session, batch, {bytes.get(), transmit_buffer}, 0);
    const std::optional<test::Json> json = test::parse_json({bytes.get(), reply.size});
    ASSERT_TRUE(json) << std::string_view(bytes.get(), reply.size);
    if (json->kind == test::Json::Kind::object) continue;  // not executed
    EXPECT_EQ(json->items.back().raw, pong);
    EXPECT_LE(json->items.size(), 2U);
    (json->items.size() == 2 ? told : left_out) = true;
    EXPECT_FALSE(bench.anything_left());
  }
  EXPECT_TRUE(told && left_out);
}

}  // namespace
