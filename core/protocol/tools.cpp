// tools/list and tools/call. Source: server/tools, 2025-11-25.
#include "json/value.hpp"
#include "mcp/call.hpp"
#include "mcp/listing.hpp"
#include "mcp/tool.hpp"
#include "protocol/request.hpp"

namespace mcp {

void ToolResult::text_begin() {
  out_.fragment("{\"type\":\"text\",\"text\":\"");
}

Errc ToolResult::text_end() {
  out_.string_end();
  out_.object_end();
  return out_.ok() ? Errc::ok : Errc::no_space;
}

json::Writer& Call::fail_begin() {
  has_failed_ = true;
  out_.rollback(start_);
  result_.text_begin();
  return out_;
}

Errc Call::fail_end() {
  const Errc errc = result_.text_end();
  return errc == Errc::ok ? Errc::failed : errc;
}

namespace protocol {
namespace {

void write_tool(Request& request, std::size_t index) {
  mcp::detail::write_item(request.out, request.definition.tools.rows()[index], request.revision().titles);
}

void list(Request& request) { answer_page(request, "tools", 't', request.definition.tools.rows().size(), write_tool); }

void run(Request& request, const Tool& tool, json::Value arguments) {
  json::Writer& out = request.out;
  request.result_begin();
  out.fragment("\"content\":[");
  Call call(out);
  Errc errc = tool.invoke(tool, arguments, call);
  // A handler that failed without a text still gives the model a sentence.
  if (errc != Errc::ok && errc != Errc::no_space && !call.has_failed()) errc = call.fail(describe(errc).text);
  out.array_end();
  if (errc != Errc::ok) out.fragment("\"isError\":true");
  request.finish();
}

void call(Request& request) {
  constexpr std::string_view names[] = {"name", "arguments"};
  json::Value values[2];
  if (json::find_members(request.params, names, values) != json::no_key) {
    return request.fail(rpc::invalid_request, "tools/call: a member of params is given twice.");
  }
  const auto& [name, arguments] = values;
  if (!name.is(json::Type::string)) return request.fail(rpc::invalid_params, "tools/call needs a name.");
  if (arguments.present() && !arguments.is(json::Type::object)) {
    return request.fail(rpc::invalid_params, "tools/call: arguments must be an object.");
  }
  const std::string_view wanted = name.string();
  for (const Tool& tool : request.definition.tools.rows()) {
    if (json::equal(wanted, tool.info.name)) return run(request, tool, arguments);
  }
  request.fail(rpc::invalid_params, "Unknown tool: ", excerpt(wanted));
}

void write_capability(json::Writer& out, const Definition&) {
  out.fragment("\"tools\":{}");
}

constexpr Method methods[] = {{"tools/list", list}, {"tools/call", call}};

}  // namespace

constinit const Feature tools_feature{methods, write_capability};

}  // namespace protocol
}  // namespace mcp
