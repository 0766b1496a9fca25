// SPDX-License-Identifier: Apache-2.0
// The stdio transport on a stream in memory, and the lines that it reads and writes.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/stdio_transport.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/fake_stream.hpp"

namespace test::stdio {

inline std::string ping(std::string_view id) {
  return std::string(R"({"jsonrpc":"2.0","id":)").append(id) + R"(,"method":"ping"})";
}
inline std::string pong(std::string_view id) {
  return std::string(R"({"jsonrpc":"2.0","id":)").append(id) + ",\"result\":{}}\n";
}
inline std::string too_long(std::string_view id, std::size_t size) {
  return std::string(R"({"jsonrpc":"2.0",)") + (id.empty() ? "" : std::string("\"id\":").append(id) + ",") +
         R"("error":{"code":-32600,"message":"Message too long: at most )" + std::to_string(size) +
         " bytes are accepted.\"}}\n";
}

// A request of exactly `size` bytes. Its id is before or after the filler.
inline std::string sized_ping(std::string_view id, std::size_t size, bool id_first = true) {
  const std::string head = R"({"jsonrpc":"2.0","method":"ping",)";
  const std::string id_text = std::string("\"id\":").append(id);
  const std::size_t used = head.size() + id_text.size() + std::string_view(R"(,"x":"")").size() + 1;
  const std::string filler = R"("x":")" + std::string(size - used, 'x') + "\"";
  return head + (id_first ? id_text + "," + filler : filler + "," + id_text) + "}";
}

inline bool is_prefix(const std::string& part, const std::string& whole) {
  return whole.compare(0, part.size(), part) == 0;
}

/// A transport on a stream, in memory of a chosen size.
struct Wire {
  explicit Wire(const Sizes& sizes = {}, std::string_view device = "full")
      : bench(*test::find_definition(device), sizes) {}

  /// Polls until it returns a wait, at most `most` times. Returns the output.
  std::string run(unsigned most = 100'000) {
    unsigned polls = 0;
    while (polls < most && transport.poll(0) == 0) ++polls;
    EXPECT_LT(polls, most) << "does not come to rest";
    return stream.take();
  }

  Bench bench;
  FakeStream stream;
  mcp::StdioTransport transport{bench.server, stream};
};

}  // namespace test::stdio
