// SPDX-License-Identifier: Apache-2.0
// What the server has written, and the error that replaces a response.
#include "mcp/rpc/written.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mcp::rpc {
namespace {

TEST(Written, TellsMessagesApart) {
  const struct {
    std::string_view message;
    Written written;
  } cases[] = {
      {R"({"jsonrpc":"2.0","id":1,"result":{}})", Written::with_id},
      {R"({"jsonrpc":"2.0","id":1000000001,"method":"ping"})", Written::with_id},
      {R"({"jsonrpc":"2.0","error":{"code":-32700,"message":""}})", Written::without_id},
      {R"({"jsonrpc":"2.0","method":"notifications/message"})", Written::notification},
      {R"([{"jsonrpc":"2.0","id":1,"result":{}}])", Written::batch},
      {"", Written::nothing},
      {R"({"jsonrpc":"2.0",")", Written::nothing},
  };
  for (const auto& one : cases) EXPECT_EQ(what_is_written(one.message), one.written) << one.message;
}

// From a block of exactly its size.
std::string replaced(std::string_view message) {
  std::vector<char> bytes(message.begin(), message.end());
  const std::size_t size = replace_response(bytes, "Too long.");
  return {bytes.data(), size};
}

TEST(Written, ReplacesAResponseByAnError) {
  const auto result_of = [](std::size_t size) { return R"("result":{"text":")" + std::string(size, 'x') + "\"}}"; };
  const std::string error = R"("error":{"code":-32603,"message":"Too long."}})";
  for (const std::string id : {"1", "-20", R"("a")", R"("\"a\\")", R"("\u0061,\"method\"")"}) {
    const std::string begin = R"({"jsonrpc":"2.0","id":)" + id + ",";
    EXPECT_EQ(replaced(begin + result_of(60)), begin + error);
    EXPECT_EQ(replaced(begin + R"("error":{"code":-1,"message":")" + std::string(60, 'x') + "\"}}"), begin + error);
    // An error of the same size fits, and a longer one does not.
    const std::size_t same_size = error.size() - result_of(0).size();
    EXPECT_EQ(replaced(begin + result_of(same_size)), begin + error);
    EXPECT_EQ(replaced(begin + result_of(same_size - 1)), "");
    EXPECT_EQ(replaced(begin + R"("method":"ping"})"), "") << "a request";
  }
  EXPECT_EQ(replaced(R"([{"jsonrpc":"2.0","id":1,)" + result_of(60) + "]"), R"({"jsonrpc":"2.0","id":null,)" + error);
  EXPECT_EQ(replaced(R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})"), "");
  EXPECT_EQ(replaced(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}})"), "");
  EXPECT_EQ(replaced(""), "");
}

}  // namespace
}  // namespace mcp::rpc
