#include "rpc/response.hpp"

namespace mcp::rpc {

void Response::begin() {
  out.rollback(start_);
  out.object_begin();
  out.member("jsonrpc", "2.0");
  if (id_.empty()) return;
  out.key("id");
  out.raw(id_);
}

void Response::result_begin() {
  begin();
  out.key("result");
  out.object_begin();
}

bool Response::result_end() {
  out.object_end();
  out.object_end();
  return out.ok();
}

void Response::error_begin(int code) {
  code_ = code;
  begin();
  out.key("error");
  out.object_begin();
  out.member("code", code);
  out.key("message");
  out.string_begin();
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
  out.key("data");
}

bool Response::error_data_end() { return result_end(); }

}  // namespace mcp::rpc
