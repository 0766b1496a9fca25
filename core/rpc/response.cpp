#include "rpc/response.hpp"

namespace mcp::rpc {

void Response::begin() {
  out.rollback(start_);
  out.fragment("{\"jsonrpc\":\"2.0\"");
  if (id_.empty()) return;
  out.fragment("\"id\":");
  out.fragment(id_);
}

void Response::result_begin() {
  code_ = 0;
  begin();
  out.fragment("\"result\":{");
}

bool Response::result_end() {
  out.fragment("}}");
  return out.ok();
}

void Response::error_begin(int code) {
  code_ = code;
  begin();
  out.fragment("\"error\":{\"code\":");
  out.number(code);
  out.fragment("\"message\":\"");
}

void Response::error_end() {
  out.string_end();
  if (result_end()) return;
  error_begin(code_);
  out.append("Error; no room to say more.");
  out.string_end();
  static_cast<void>(result_end());
}

void Response::error_data_begin() {
  out.string_end();
  out.fragment("\"data\":");
}

bool Response::error_data_end() { return result_end(); }

}  // namespace mcp::rpc
