// SPDX-License-Identifier: Apache-2.0
// Resources as tools whose bodies do not fit into the transmit buffer.
#include <gtest/gtest.h>

#include <string>

#include "support/bench.hpp"
#include "support/device.hpp"

namespace {

TEST(ReadTools, BodiesThatDoNotFitAreErrors) {
  test::Bench bench(test::read_tools, {});
  const mcp::SessionId session = bench.server.open(0);
  for (const char* tool : {"read_celsius", "read_several", "read_labelled", "read_empty", "read_percent"}) {
    const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
                             R"(","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                             R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    bool is_whole = false;
    char room[2048];
    for (std::size_t size = 40; size != sizeof room; ++size) {
      std::string line = call + std::string(2, '\0');
      const mcp::Reply reply = bench.server.receive(session, {line.data(), line.size() - 2}, {room, size}, 0);
      const std::string response(room, reply.size);
      const bool has_result = response.find(R"("result")") != std::string::npos;
      EXPECT_TRUE(has_result || size < 120 || response.find(R"("error")") != std::string::npos)
          << tool << " " << size << response;
      // A body that fits still fits into a larger buffer.
      EXPECT_FALSE(is_whole && !has_result) << tool << " " << size;
      is_whole = has_result;
    }
    EXPECT_TRUE(is_whole) << tool;
  }
  bench.server.close(session, 0);
}

}  // namespace
