// SPDX-License-Identifier: Apache-2.0
// error: A prerendered text must have at most 65535 bytes
// and: "measure"
#include <mcp/prerendered.hpp>
#include <mcp/server.hpp>

#include <array>
#include <string_view>

mcp::Errc measure(mcp::Call& call) { return call.result().text("x"); }
constexpr auto long_text = [] {
  std::array<char, 65'536> text{};
  text.fill('x');
  return text;
}();
constexpr mcp::Tool tools[] = {
    mcp::tool<measure>({.name = "measure", .description = {long_text.data(), long_text.size()}})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = mcp::prerendered<tools>};
