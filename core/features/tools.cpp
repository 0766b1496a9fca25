// SPDX-License-Identifier: Apache-2.0
// tools/list and tools/call. Source: server/tools, 2025-11-25.
#include "features/tools.hpp"

#include "engine/error_texts.hpp"
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/paging.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/rows.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/tool.hpp"

namespace mcp {

namespace protocol {
namespace {

void list_tools(Request& request) {
  answer_page(request, "tools", ListKind::tools, request.definition.tools.rows().size());
}

[[gnu::always_inline]] inline void run(Request& request, const Tool& tool, json::Value arguments) {
  const mcp::detail::Links& links = request.storage.links;
  const TaskOps* const tasks = request.context.client.stateless ? links.stateless_tasks : links.session_tasks;
  if (tasks != nullptr && tasks->call(request, tool, arguments)) return;
  request.result_begin_with("\"result\":{\"content\":[");
  Call call(request, request.known_content(), request.context.session_id(), &request);
  const Errc errc = invoke(request, tool, arguments, call);
  const bool started = tool.is_job && errc == Errc::handled;
  request.tool_failed = started || !end_tool_result(request, call, errc);
}

// In line: most images have one caller of it, and each call of a tool runs it.
[[gnu::always_inline]] inline void serve_call(Request& request, const Tool& tool, json::Value arguments) {
  // Without these no request is still running when a call comes.
  const bool may_run = (request.storage.jobs.capacity() | request.storage.streams.capacity()) != 0;
  if (may_run && !request.id_is_free()) return;
  const HeaderValidationOps* const info =
      request.context.client.stateless ? request.context.header_validation() : nullptr;
  const std::span<const mcp::detail::ParamInfo> params(tool.params, tool.param_count);
  if (info == nullptr || info->check_params(request, params, arguments)) run(request, tool, arguments);
}

}  // namespace

void call_tool(Request& request) {
  std::string_view wanted;
  json::Value arguments;
  if (!request.read_call(wanted, arguments)) return;
  const std::span<const Tool> rows = request.definition.tools.rows();
  const std::size_t row = find_row(request, ListKind::tools, rows, wanted);
  if (row >= rows.size()) return request.fail("Unknown tool: ", excerpt(wanted), "");
  serve_call(request, rows[row], arguments);
}

void call_row(Request& request, const Tool& tool, json::Value arguments) { serve_call(request, tool, arguments); }

namespace {

// Passes the request on to the feature with the rows.
void list_with_options(Request& request) {
  request.out.set_schema_options(request.definition.schema_options());
  method_after(request.storage, "tools/list", request.context.client.stateless, list_with_options)->handle(request);
}

constexpr FeatureMethod tool_methods[] = {{"tools/list", list_tools}, {"tools/call", call_tool}};
constexpr FeatureMethod schema_option_methods[] = {{"tools/list", list_with_options}};

}  // namespace

Errc invoke(Request& request, const Tool& tool, json::Value arguments, Call& call) {
  if (const RateLimiter* const limiter = request.storage.links.rate_limiter) {
    const Errc errc = limiter->call(request, call);
    if (errc != Errc::ok) return errc;
  }
  return tool.invoke(tool, arguments, call);
}

bool end_tool_result(rpc::Response& response, Call& call, Errc errc) {
  if (errc == Errc::handled) {
    MCP_ASSERT(response.needs_no_content());  // a handler returns `handled` only if a function of its Call returned it
    return false;
  }
  if (errc != Errc::no_space) {
    // A handler that failed without a text still gives the model a sentence.
    if (errc != Errc::ok && !call.has_failed()) {
      errc = call.fail(errc == Errc::not_found ? "Not found." : describe(errc).text);
    }
    if (!call.is_closed()) response.out.array_end();
    if (errc != Errc::ok && !call.has_meta()) response.out.fragment("\"isError\":true");  // else busy() wrote it
    if (response.result_end()) return errc == Errc::ok;
  }
  if (call.has_failed()) {
    response.fail(rpc::internal_error, "Failed; the error is too large for one message.");
  } else {
    fail_executed(response);
  }
  return false;
}

constinit const Feature tools_feature{tool_methods};
constinit const Feature schema_options_feature{schema_option_methods};

}  // namespace protocol
}  // namespace mcp
