// SPDX-License-Identifier: Apache-2.0
// The transmit sizes that the compiler requires: each is enough, and one byte less is not, in each era, with the
// longest id.
#include "mcp/detail/transmit_size.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::detail::page_size;
using test::Bench;

constexpr std::size_t id_size = 40;
const std::string longest_id = "\"" + std::string(id_size - 2, 'i') + "\"";
constexpr std::string_view initialize =
    R"("method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})";

mcp::Errc read_one(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("one"); }
mcp::Errc suggest(const mcp::CompletionRequest&, mcp::Completions& completions) {
  completions.offer("suggested");
  return mcp::Errc::ok;
}
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "test://one/{x}", .name = "one", .read = read_one, .complete = suggest}};
constexpr mcp::Definition only_templates{.name = "templates", .version = "1", .resource_templates = templates};

const mcp::Definition* const definitions[] = {test::find_definition("full"),
                                              &only_templates,
                                              &test::features,
                                              &test::input_requests,
                                              &test::extended,
                                              &test::structured,
                                              &test::parameters,
                                              &test::strict,
                                              &test::tasks,
                                              &test::routed,
                                              &test::mrtr,
                                              &test::streams,
                                              &test::vendor,
                                              &test::new_items,
                                              &test::actions};

/// One client of one definition, with a transmit size chosen for each request.
class Client {
 public:
  explicit Client(const mcp::Definition& definition, const test::Sizes& sizes = {})
      : definition_(definition), bench_(std::make_unique<Bench>(definition, sizes)), session_(bench_->server.open(0)) {}

  /// The response to a request with the longest id.
  std::string ask(const std::string& request, std::size_t transmit_buffer) {
    std::string line = R"({"jsonrpc":"2.0","id":)" + longest_id + "," + request + "}";
    const std::unique_ptr<char[]> room(new char[transmit_buffer]);
    const mcp::Reply reply =
        bench_->server.receive(session_, {line.data(), line.size()}, {room.get(), transmit_buffer}, 0);
    return {room.get(), reply.size};
  }
  void initialize_session() { ask(std::string(initialize), 8192); }

  /// The params of a request of this era.
  static std::string params(bool is_stateless, const std::string& member) {
    const std::string meta =
        R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
    return R"(,"params":{)" + member + (is_stateless && !member.empty() ? "," : "") + (is_stateless ? meta : "") + "}";
  }

  [[nodiscard]] const mcp::Definition& definition() const { return definition_; }

 private:
  const mcp::Definition& definition_;
  std::unique_ptr<Bench> bench_;
  mcp::SessionId session_;
};

bool is_error(const std::string& answer) { return answer.find(R"("error":{"code":-32603)") != std::string::npos; }

// Each row, from its own cursor on: alone on its page with the required transmit size, and an error with one byte less.
template <class Table>
void expect_pages(Client& client, const std::string& method, const std::string& key, char letter, const Table& table,
                  bool is_stateless) {
  const auto rows = table.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(method + " " + std::to_string(i) + (is_stateless ? " without a session" : ""));
    const std::string cursor = i == 0 ? "" : R"("cursor":")" + std::string(1, letter) + std::to_string(i) + "\"";
    const std::string request = R"("method":")" + method + "\"" + Client::params(is_stateless, cursor);
    const mcp::detail::Shown& shown = is_stateless ? mcp::detail::modern_shown : mcp::detail::legacy_shown;
    const std::size_t size =
        page_size(mcp::json::Text(std::string_view(key)), rows[i], client.definition(), is_stateless, shown, id_size);
    const std::string answer = client.ask(request, size);
    const std::optional<test::Json> json = test::parse_json(answer);
    ASSERT_TRUE(json && json->at("result." + key)) << answer;
    EXPECT_EQ(json->at("result." + key)->items.size(), 1U) << answer;
    EXPECT_TRUE(is_error(client.ask(request, size - 1)));
  }
}

void expect_lists(const mcp::Definition& definition, bool is_stateless) {
  Client client(definition);
  if (!is_stateless) client.initialize_session();
  expect_pages(client, "tools/list", "tools", 'a', definition.tools, is_stateless);
  expect_pages(client, "resources/list", "resources", 'b', definition.resources, is_stateless);
  expect_pages(client, "resources/templates/list", "resourceTemplates", 'c', definition.resource_templates,
               is_stateless);
  expect_pages(client, "prompts/list", "prompts", 'd', definition.prompts, is_stateless);
}

TEST(TransmitSize, PageNeedsTheSizeThatTheCompilerComputes) {
  for (const mcp::Definition* const definition : definitions) {
    SCOPED_TRACE(definition->name);
    ASSERT_TRUE(definition->eras.legacy() && definition->eras.modern());
    expect_lists(*definition, false);
    expect_lists(*definition, true);
  }
}

// The pages that a client with the longest id gets, from a buffer in which only the largest row fits to one for all
// rows.
void expect_tool_pages(const mcp::Definition& definition, bool is_stateless) {
  const mcp::detail::Shown& shown = is_stateless ? mcp::detail::modern_shown : mcp::detail::legacy_shown;
  const auto count = [&](std::size_t transmit_size) {
    return mcp::detail::count_tool_pages(definition, {.transmit_size = transmit_size}, is_stateless, shown);
  };
  Client client(definition);
  if (!is_stateless) client.initialize_session();
  const std::size_t most = count(0).size_of_one;
  std::size_t least = 0;
  for (const mcp::Tool& tool : definition.tools.rows()) {
    const std::size_t size = page_size("tools", tool, definition, is_stateless, shown, id_size);
    least = size > least ? size : least;
  }
  for (const std::size_t size : {least, (least + most) / 2, most - 1, most}) {
    std::size_t pages = 0;
    for (std::string cursor = "-"; !cursor.empty(); ++pages) {
      const std::string member = pages == 0 ? "" : R"("cursor":)" + cursor;
      const std::string answer = client.ask(R"("method":"tools/list")" + Client::params(is_stateless, member), size);
      const std::optional<test::Json> json = test::parse_json(answer);
      ASSERT_TRUE(json && json->at("result.tools")) << answer;
      const test::Json* const next = json->at("result.nextCursor");
      cursor = next == nullptr ? "" : next->raw;
    }
    EXPECT_EQ(count(size).count, pages) << size;
    EXPECT_EQ(pages == 1, size == most) << size;
  }
}

TEST(TransmitSize, CompilerCountsThePagesOfTools) {
  for (const mcp::Definition* const definition : definitions) {
    SCOPED_TRACE(definition->name);
    if (definition->tools.rows().size() < 2) continue;
    expect_tool_pages(*definition, false);
    expect_tool_pages(*definition, true);
  }
}

// The names in the error for a row that does not fit.
TEST(TransmitSize, NamesTheRowThatDoesNotFit) {
  EXPECT_EQ(mcp::detail::name_of(test::mrtr.tools.rows()[0]), "greet");
  EXPECT_EQ(mcp::detail::name_of(templates[0]), "one");
}

// GCC shows this error; Clang shows the name of the function.
TEST(TransmitSize, CompilerErrorNamesTheNeededSize) {
  namespace errors = mcp::compile_error;
  testing::internal::CaptureStdout();
  errors::limits_transmit_size_must_fit_list_and_row_with_needed_and_given_bytes("tools/list", "greet", 7, 6);
  errors::limits_transmit_size_must_fit_message_with_needed_and_given_bytes("an error", 200, 100);
  errors::limits_tools_in_one_page_needs_a_transmit_size_of_at_least(300, 200);
  errors::limits_jobs_must_be_at_least_1_for_the_tool("a");
  errors::limits_tasks_must_be_at_least_1_for_the_tool("b");
  errors::limits_id_size_must_be_at_least_8_for_the_tool_and_is("c", 7);
  errors::limits_task_result_size_must_be_at_least_192_for_the_tool_and_is("d", 191);
  errors::limits_streams_must_be_at_least_1_for_the_resource("x:e");
  errors::subscriptions_must_be_true_in_the_modern_era_for_the_resource("x:f");
  errors::services_need_an_entropy_for_the_tool("g");
  errors::services_need_an_entropy_or_the_legacy_era_for_the_tool("g");
  errors::services_need_an_entropy_and_an_hmac_for_the_prompt("h");
  errors::limits_jobs_must_be_at_least_1_for_the_resource("x:i");
  errors::limits_template_subscriptions_must_be_at_least_1_for_the_template("x:{j}");
  errors::the_scope_must_be_in_definition_scopes("k");
  errors::limits_scheduled_calls_must_be_at_least_1_for_the_tool("l");
  errors::limits_scheduled_result_size_must_be_at_least_160_for_the_tool_and_is("m", 159);
  errors::services_need_a_wall_clock_for_the_tool("n");
  errors::call_first_must_name_a_tool_of_the_definition_and_is("o");
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "Limits::transmit_size is too small for a row: tools/list, greet needs 7 bytes and has 6"
            "Limits::transmit_size is too small for a message: an error needs 200 bytes and has 100"
            "Limits::tools_in_one_page needs a transmit_size of at least 300, and it is 200"
            "Limits::jobs must be at least 1 for the tool: a"
            "Limits::tasks must be at least 1 for the tool: b"
            "Limits::id_size must be at least 8 for the tool: c, it is 7"
            "Limits::task_result_size must be at least 192 for the tool: d, it is 191"
            "Limits::streams must be at least 1 for the resource: x:e"
            "Definition::subscriptions must be true in the modern era for the resource: x:f"
            "Services::entropy must be given for the tool: g"
            "Services::entropy must be given, or Definition::eras must be legacy_era, for the tool: g"
            "Services::entropy and Services::hmac must be given for the prompt: h"
            "Limits::jobs must be at least 1 for the resource: x:i"
            "Limits::template_subscriptions must be at least 1 for the template: x:{j}"
            "The scope of a row must be in Definition::scopes: k"
            "Limits::scheduled_calls must be at least 1 for the tool: l"
            "Limits::scheduled_result_size must be at least 160 for the tool: m, it is 159"
            "Services::wall_clock must be given for the tool: n"
            "Interlock::call_first must name a tool of the Definition, it is: o");
}

const test::Sizes with_boot_id{.boot_id = [] { return std::uint32_t{0xFFFF'FFFF}; }};

TEST(TransmitSize, InitializeNeedsTheSizeThatTheCompilerComputes) {
  for (const mcp::Definition* const definition : definitions) {
    SCOPED_TRACE(definition->name);
    const std::size_t size = mcp::detail::description_size(*definition, false, false) + id_size;
    EXPECT_TRUE(is_error(Client(*definition).ask(std::string(initialize), size - 1)));
    EXPECT_EQ(Client(*definition).ask(std::string(initialize), size).size(), size);
    const std::size_t with_boot = mcp::detail::description_size(*definition, false, true) + id_size;
    EXPECT_TRUE(is_error(Client(*definition, with_boot_id).ask(std::string(initialize), with_boot - 1)));
    EXPECT_EQ(Client(*definition, with_boot_id).ask(std::string(initialize), with_boot).size(), with_boot);
  }
}

TEST(TransmitSize, DiscoverNeedsTheSizeThatTheCompilerComputes) {
  for (const mcp::Definition* const definition : definitions) {
    SCOPED_TRACE(definition->name);
    const std::string request = R"("method":"server/discover")" + Client::params(true, "");
    const std::size_t size = mcp::detail::description_size(*definition, true, false) + id_size;
    EXPECT_TRUE(is_error(Client(*definition).ask(request, size - 1)));
    EXPECT_EQ(Client(*definition).ask(request, size).size(), size);
    const std::size_t with_boot = mcp::detail::description_size(*definition, true, true) + id_size;
    EXPECT_TRUE(is_error(Client(*definition, with_boot_id).ask(request, with_boot - 1)));
    EXPECT_EQ(Client(*definition, with_boot_id).ask(request, with_boot).size(), with_boot);
  }
}

}  // namespace
