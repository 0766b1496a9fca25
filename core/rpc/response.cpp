// SPDX-License-Identifier: Apache-2.0
#include "mcp/rpc/response.hpp"

#include "mcp/assert.hpp"

namespace mcp::rpc {

void Response::begin() {
  asks_ = false;
  out.rollback(start_);
  if (id_.empty()) return out.fragment("{\"jsonrpc\":\"2.0\"");
  // The fragments of each response have constant sizes, for speed.
  out.fragment(json::Text("{\"jsonrpc\":\"2.0\",\"id\":"));
  out.fragment(id_);
}

void Response::result_begin() { result_begin_as("complete"); }

void Response::result_begin_with(json::Text head) {
  constexpr std::string_view brace = "\"result\":{";
  if (meta_.write != nullptr) {
    result_begin();
    std::string_view members = head.view();
    members.remove_prefix(brace.size());
    return out.fragment(members);
  }
  code_ = 0;
  has_meta_ = false;
  begin();
  out.fragment(head);
}

void Response::result_begin_as(const char* type) {
  code_ = 0;
  has_meta_ = false;
  begin();
  out.fragment(json::Text("\"result\":{"));
  if (meta_.write != nullptr) out.member("resultType", json::Text(type));
}

void Response::input_required_begin() {
  result_begin_as("input_required");
  asks_ = true;
}

void Response::meta_begin() {
  has_meta_ = true;
  out.fragment("\"_meta\":{");
  if (meta_.write != nullptr) meta_.write(out, meta_.context);
}

void Response::write_meta() {
  if (meta_.write == nullptr) return;
  meta_begin();
  out.object_end();
}

bool Response::result_end() {
  if (!has_meta_) write_meta();
  return end();
}

bool Response::end() {
  out.fragment(json::Text("}}"));
  return out.ok();
}

void Response::error_begin(int code) {
  MCP_DEBUG_ASSERT(code != 0);
  code_ = code;
  begin();
  out.fragment("\"error\":{\"code\":");
  out.number(code);
  out.fragment("\"message\":\"");
}

void Response::error_end() {
  out.string_end();
  if (end()) return;
  error_begin(code_);
  out.append("Error (details do not fit).");
  out.string_end();
  static_cast<void>(end());
}

void Response::fail(int code, const char* message) {
  error_begin(code);
  out.append(message);
  error_end();
}

void Response::error_data_begin() {
  out.string_end();
  out.fragment("\"data\":");
}

bool Response::error_data_end() { return end(); }

}  // namespace mcp::rpc
