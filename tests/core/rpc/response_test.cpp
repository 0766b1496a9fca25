// SPDX-License-Identifier: Apache-2.0
// The answer to a request: a result or an error under its id, in windows of every size never half of one.
#include "mcp/rpc/response.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/document.hpp"
#include "rpc/codes.hpp"

namespace mcp::rpc {
namespace {

// The output of `script` in `size` bytes as the response to `id`; valid JSON or nothing.
template <class Script>
std::string answer(std::string_view id, std::size_t size, Script script) {
  std::vector<char> transmit_buffer(size);
  json::Writer out(transmit_buffer);
  Response response(out, id);
  script(response);
  if (!out.ok()) return "does not fit";
  const std::string text(transmit_buffer.data(), out.size());
  EXPECT_TRUE(json::is_valid(text)) << text;
  return text;
}

void result(Response& response) {
  response.result_begin();
  response.out.member("a", 1);
  response.out.member("b", "c");
  static_cast<void>(response.result_end());
}

void error(Response& response) {
  response.error_begin(method_not_found);
  response.out.append("No \"such\" method: ");
  response.out.append("\xFF and a text that is longer than the short one");
  response.error_end();
}

void error_with_data(Response& response) {
  response.error_begin(invalid_params);
  response.out.append("m");
  response.error_data_begin();
  response.out.array_begin(), response.out.number(1), response.out.array_end();
  static_cast<void>(response.error_data_end());
}

TEST(Response, RepeatsTheIdByteForByte) {
  for (const std::string_view id :
       {"1", "-0", "123456789012345678901234567890", R"("")", R"("\u0061\/\"")", "\"\xC3\xA9\""}) {
    const std::string start = R"({"jsonrpc":"2.0","id":)" + std::string(id);
    EXPECT_EQ(answer(id, 500, result), start + R"(,"result":{"a":1,"b":"c"}})");
    EXPECT_EQ(answer(id, 500, error_with_data), start + R"(,"error":{"code":-32602,"message":"m","data":[1]}})");
  }
}

TEST(Response, OmitsAnIdThatCouldNotBeRead) {
  EXPECT_EQ(answer("", 500, error),
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"No \\\"such\\\" method: \xEF\xBF\xBD and a "
            "text that is longer than "
            "the short one\"}}");
}

TEST(Response, WritesAnEmptyResultAsAnObject) {
  EXPECT_EQ(
      answer("1", 500, [](Response& response) { response.result_begin(), static_cast<void>(response.result_end()); }),
      R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(Response, LastResultOrErrorReplacesThePrevious) {
  const std::string expected = answer("1", 500, error_with_data);
  for (std::size_t size = expected.size(); size < 200; ++size) {
    const auto script = [](Response& response) {
      response.result_begin();
      response.out.quoted_begin();
      response.out.string("a text that may fit or not; it is gone in any case, and so is the string that it stands in");
      error_with_data(response);
    };
    EXPECT_EQ(answer("1", size, script), expected);
  }
}

TEST(Response, WritesAllOrAShortErrorOrNothing) {
  const std::string whole_result = answer("1", 500, result);
  const std::string whole_error = answer("1", 500, error);
  const std::string whole_data = answer("1", 500, error_with_data);
  const std::string short_error =
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Error (details do not fit)."}})";
  for (std::size_t size = 0; size < 200; ++size) {
    EXPECT_EQ(answer("1", size, result), size < whole_result.size() ? "does not fit" : whole_result);
    EXPECT_EQ(answer("1", size, error_with_data), size < whole_data.size() ? "does not fit" : whole_data);
    EXPECT_EQ(answer("1", size, error), size < short_error.size()   ? "does not fit"
                                        : size < whole_error.size() ? short_error
                                                                    : whole_error);
  }
}

TEST(Response, AppendsToTheBuffer) {
  std::array<char, 200> transmit_buffer;
  json::Writer out(transmit_buffer);
  out.array_begin();
  for (const std::string_view id : {"1", "2"}) {
    Response response(out, id);
    response.result_begin();
    response.out.string("no member, so it is given up");
    response.error_begin(internal_error);
    response.error_end();
  }
  out.array_end();
  EXPECT_EQ(std::string_view(transmit_buffer.data(), out.size()),
            R"([{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":""}},)"
            R"({"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":""}}])");
}

}  // namespace
}  // namespace mcp::rpc
