// SPDX-License-Identifier: Apache-2.0
// Strings of any number of pieces: a piece that is a function.
#include <gtest/gtest.h>

#include <string>

#include "mcp/read_tools.hpp"
#include "support/bench.hpp"

namespace {

std::size_t count;

void write_values(mcp::TextWriter& text) {
  for (std::size_t i = 0; i < count; ++i) text.add(' ', mcp::Scaled{static_cast<std::int32_t>(i * 5), 1}, "\"°");
}

// Each function that takes pieces takes these, too.
static_assert(mcp::TextPiece<decltype(write_values)&>);
static_assert(mcp::TextPiece<void (*)(mcp::TextWriter&)>);
static_assert(!mcp::TextPiece<void (*)(int)>);
static_assert(!mcp::TextPiece<int*>);

mcp::Errc handle_values(mcp::Call& call) {
  if (count == 7) return call.fail("No values:", write_values, '.');
  const std::string_view unit = "Cel";
  return call.result().text("Values:", write_values, [&](mcp::TextWriter& text) {
    text.add(" in ", unit);
    text.add([&](mcp::TextWriter& inner) { inner.add(", ", count, text.ok()); });
  });
}
constexpr mcp::Tool tools[] = {mcp::tool<handle_values>({.name = "values"})};

mcp::Errc read_values(mcp::ReadResult& out) { return out.text(write_values); }
constexpr mcp::Resource resources[] = {{.uri = "test://values", .name = "values", .read = read_values}};

constexpr mcp::Definition definition{.name = "test", .version = "1", .tools = tools, .resources = resources};

class TextPieces : public testing::Test {
 protected:
  std::string request(std::string_view method, std::string_view params, std::size_t transmit_size = 512) {
    test::Bench bench(definition, {.transmit_size = transmit_size});
    const mcp::SessionId session = bench.server.open(0);
    const std::string message = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                                std::string(params) +
                                R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                                R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    const std::string response = bench.ask(session, message);
    bench.server.close(session, 0);
    return response;
  }
};

TEST_F(TextPieces, AFunctionWritesAnyNumberOfPieces) {
  count = 3;
  EXPECT_NE(request("tools/call", R"("name":"values")").find(R"("text":"Values: 0\"° 0.5\"° 1\"° in Cel, 3true"})"),
            std::string::npos);
  EXPECT_NE(request("resources/read", R"("uri":"test://values")").find(R"("text":" 0\"° 0.5\"° 1\"°"})"),
            std::string::npos);
  count = 0;
  EXPECT_NE(request("tools/call", R"("name":"values")").find(R"("text":"Values: in Cel, 0true"})"), std::string::npos);
}

TEST_F(TextPieces, AnErrorMessageHasFunctions) {
  count = 7;
  const std::string response = request("tools/call", R"("name":"values")");
  EXPECT_NE(response.find(R"("text":"No values: 0\"° 0.5\"° 1\"° 1.5\"° 2\"° 2.5\"° 3\"°."}],"isError":true)"),
            std::string::npos)
      << response;
}

TEST_F(TextPieces, ATextThatDoesNotFitIsAnError) {
  count = 100;
  const std::string response = request("tools/call", R"("name":"values")");
  EXPECT_NE(response.find(R"("error":{"code":-32603)"), std::string::npos) << response;
  EXPECT_NE(request("tools/call", R"("name":"values")", 2048).find(R"( 49.5\"° in Cel, 100true"})"), std::string::npos);
}

}  // namespace
