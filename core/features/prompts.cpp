// SPDX-License-Identifier: Apache-2.0
// prompts/list and prompts/get. Source: server/prompts, 2025-11-25.
#include "engine/error_texts.hpp"
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/paging.hpp"
#include "engine/request.hpp"
#include "engine/rows.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/prompt.hpp"

namespace mcp {

namespace protocol {
namespace {

void list_prompts(Request& request) {
  answer_page(request, "prompts", ListKind::prompts, request.definition.prompts.rows().size());
}

const PromptArgument* find_argument(const Prompt& prompt, const std::string_view& name) {
  for (const PromptArgument& argument : prompt.arguments.rows()) {
    if (json::equal(argument.name, name)) return &argument;
  }
  return nullptr;
}

// False after it has answered with an error.
bool check_arguments(Request& request, const Prompt& prompt, json::Value object) {
  for (json::Members members(object); members.next();) {
    if (find_argument(prompt, members.key()) == nullptr) {
      return request.fail("Unknown argument \"", excerpt(members.key()), "\"."), false;
    }
    if (!members.value().is(json::Type::string) && !members.value().is_null()) {
      return request.fail("Argument \"", excerpt(members.key()), "\" must be a string."), false;
    }
  }
  for (const PromptArgument& argument : prompt.arguments.rows()) {
    if (argument.required && !json::find_member(object, argument.name).unless_null().present()) {
      return request.fail("Argument \"", argument.name, "\" is missing."), false;
    }
  }
  return true;
}

void run(Request& request, const Prompt& prompt, json::Value arguments) {
  if (!check_arguments(request, prompt, arguments)) return;
  json::Writer& out = request.out;
  request.result_begin();
  out.optional_member("description", prompt.description);
  out.fragment("\"messages\":[");
  PromptResult result(out, request.known_content());
  const bool is_special = prompt.get.is_special();
  const Errc errc = is_special ? request.storage.links.get_prompt[prompt.get.asks()](request, prompt, arguments)
                               : prompt.get.function()(PromptArguments(arguments), result);
  if (errc == Errc::handled) {
    MCP_ASSERT(is_special);  // only an AskPromptResult returns `handled`
    return;
  }
  if (errc == Errc::not_found) return request.fail(describe(Errc::invalid_argument));
  if (errc != Errc::ok) return request.fail(describe(errc));
  out.array_end();
  request.finish();
}

void get_prompt(Request& request) {
  std::string_view wanted;
  json::Value arguments;
  if (!request.read_call(wanted, arguments)) return;
  const std::span<const Prompt> rows = request.definition.prompts.rows();
  const std::size_t row = find_row(request, ListKind::prompts, rows, wanted);
  if (row >= rows.size()) return request.fail("Unknown prompt: ", excerpt(wanted), "");
  run(request, rows[row], arguments);
}

constexpr FeatureMethod prompt_methods[] = {{"prompts/list", list_prompts}, {"prompts/get", get_prompt}};

}  // namespace

constinit const Feature prompts_feature{prompt_methods};

}  // namespace protocol
}  // namespace mcp
