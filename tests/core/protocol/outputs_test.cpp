// SPDX-License-Identifier: Apache-2.0
// Outputs and parameters with checks at the ends of their ranges, and JSON that a handler writes, in each size of the
// transmit buffer.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "mcp/job.hpp"
#include "mcp/pattern.hpp"
#include "mcp/read_input.hpp"
#include "mcp/server.hpp"
#include "support/bench.hpp"
#include "support/json.hpp"

namespace {

using mcp::Errc;
using test::Bench;
using test::Json;

// ---- Values that one check accepts and another one rejects
// -----------------------------------------------------------

struct Wanted {
  std::string_view what;
};
constexpr auto wanted = mcp::params(mcp::param<&Wanted::what>("what"));

struct Values {
  std::uint64_t steps = 4;
  float celsius = 2.5F;
  double bar = 0.5;
  std::string_view word = "word";
  mcp::FixedString<9> serial = {};
};
constexpr auto values =
    mcp::output(mcp::param<&Values::steps>("steps", {.maximum = 8, .multiple_of = 2}),
                mcp::param<&Values::celsius>("celsius", {.maximum = 9, .multiple_of = 0.5}),
                mcp::param<&Values::bar>("bar", {.minimum = 0.25, .multiple_of = 0.25}),
                mcp::param<&Values::word>("word", {.max_length = 5, .pattern = mcp::pattern<"^\\w*$">}),
                mcp::param<&Values::serial>("serial", {.min_length = 1, .pattern = mcp::pattern<"^[A-Z]*$">}));
Errc get_values(const Wanted& in, Values& out, mcp::Call&) {
  if (in.what == "steps") out.steps = 10;
  if (in.what == "celsius") out.celsius = 9.5F;
  if (in.what == "bar") out.bar = 0;
  if (in.what == "word") out.word = "longer";
  if (in.what != "serial") static_cast<void>(out.serial.assign("A"));
  return Errc::ok;
}

// ---- JSON of a handler
// -----------------------------------------------------------------------------------------------

constexpr mcp::OutputSchema array(R"({"items":{"type":"string"}})");
constexpr std::string_view item =
    "01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789";
Errc write_array(mcp::Call& call) {
  return call.structured([](mcp::json::Writer& out) {
    out.array_begin();
    out.string(item);
    out.array_end();
  });
}
Errc write_twice(mcp::Call& call) {
  static_cast<void>(write_array(call));
  return write_array(call);
}
Errc write_nothing(mcp::Call& call) {
  return call.structured([](mcp::json::Writer&) {});
}
struct WritesArray {
  mcp::Step step(mcp::JobContext& context) { return context.done(write_array(context)); }
};

constexpr mcp::Tool tools[] = {
    mcp::tool<get_values>({.name = "values"}, wanted, values),
    mcp::tool<write_array>({.name = "array"}, array),
    mcp::tool<write_twice>({.name = "twice"}, array),
    mcp::tool<write_nothing>({.name = "nothing"}, array),
    mcp::job<WritesArray>({.name = "job"}),
};

// ---- Bodies of a resource
// --------------------------------------------------------------------------------------------

Errc read_twice(mcp::ReadResult& out) {
  static_cast<void>(out.fail("It failed."));
  return out.content("x:b").text("b");
}
Errc read_meta_twice(mcp::ReadResult& out) {
  static_cast<void>(out.text("a"));
  static_cast<void>(out.meta([](mcp::json::Writer& meta) { meta.member("a", 1); }));
  return out.meta([](mcp::json::Writer& meta) { meta.member("b", 2); });
}
Errc read_handled(mcp::AskReadResult&) { return Errc::handled; }
constexpr mcp::Resource resources[] = {
    {.uri = "x:twice", .name = "twice", .read = read_twice},
    {.uri = "x:meta", .name = "meta", .read = read_meta_twice},
    mcp::ask_read<read_handled>({.uri = "x:handled", .name = "handled"}),
};
constexpr mcp::Definition device{.name = "d", .version = "1", .tools = tools, .resources = resources};

std::string stateless(std::string_view method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + params +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
}

class OutputsTest : public testing::Test {
 protected:
  std::string ask(std::string_view method, const std::string& params) {
    return bench_.ask(session_, stateless(method, params));
  }
  std::string call(std::string_view tool, const std::string& arguments = {}) {
    return ask("tools/call", R"("name":")" + std::string(tool) + R"(","arguments":{)" + arguments + "}");
  }

  Bench bench_{device};
  mcp::SessionId session_ = bench_.server.open(0);
};
using OutputsDeathTest = OutputsTest;

TEST_F(OutputsTest, ValueMustPassEachCheckOfItsRow) {
  EXPECT_NE(call("values", R"("what":"")").find(R"("structuredContent":{"steps":4)"), std::string::npos);
  for (const std::string name : {"steps", "celsius", "bar", "word", "serial"}) {
    const std::string answer = call("values", R"("what":")" + name + '"');
    EXPECT_NE(answer.find("The result is invalid in its schema: \\\"" + name), std::string::npos) << answer;
  }
}

TEST_F(OutputsTest, JsonOfAHandlerIsWholeOrAnError) {
  unsigned whole = 0;
  unsigned cut = 0;
  for (std::size_t size = 150; size < 600; ++size) {
    Bench bench(device, {.transmit_size = size});
    const std::string came = bench.ask(bench.server.open(0), stateless("tools/call", R"("name":"array")"));
    const std::optional<Json> answer = test::parse_json(came);
    ASSERT_TRUE(answer) << came;
    if (answer->at("error") == nullptr) {
      EXPECT_EQ(answer->text_at("result.structuredContent.0"), item) << came;
      EXPECT_EQ(answer->text_at("result.content.0.text"), "[\"" + std::string(item) + "\"]") << came;
      ++whole;
    } else {
      EXPECT_EQ(whole, 0U) << "a larger buffer has less";
      ++cut;
    }
  }
  EXPECT_GT(whole, 0U);
  EXPECT_GT(cut, 0U);
}

// Before 2026-07-28, structuredContent is an object, and a job does not tell the revision.
TEST_F(OutputsTest, JobWritesAnArrayAsText) {
  EXPECT_EQ(call("job"), "");
  const std::string answer = bench_.next(session_);
  EXPECT_NE(answer.find(item), std::string::npos) << answer;
  EXPECT_EQ(answer.find("structuredContent"), std::string::npos) << answer;
}

TEST_F(OutputsDeathTest, AbortsForJsonThatIsNotOneValue) {
  EXPECT_DEATH(call("twice"), "contract");
  EXPECT_DEATH(call("nothing"), "contract");
}

TEST_F(OutputsDeathTest, AbortsForABodyAfterItsEnd) {
  EXPECT_DEATH(ask("resources/read", R"("uri":"x:twice")"), "contract");
  EXPECT_DEATH(ask("resources/read", R"("uri":"x:meta")"), "contract");
  EXPECT_DEATH(ask("resources/read", R"("uri":"x:handled")"), "contract");
}

}  // namespace
