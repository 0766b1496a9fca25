// SPDX-License-Identifier: Apache-2.0
#include "engine/responses.hpp"

#include "engine/error_texts.hpp"
#include "engine/send_context.hpp"

namespace mcp::protocol {

void fail_for_space(rpc::Response& response) {
  response.fail(rpc::internal_error, "The response is too large for one message.");
}

void fail_executed(rpc::Response& response) {
  constexpr ErrorText error = describe(Errc::no_space);
  response.fail(error.code, error.text);
}

void end_busy_error(rpc::Response& response, Millis retry_after_ms) {
  response.error_data_begin();
  response.out.object_begin();
  write_retry_after(response.out, retry_after_ms);
  response.out.object_end();
  if (!response.error_data_end()) fail_for_space(response);
}

rpc::Response reject(SendContext& context, const std::string_view& id, int code) {
  context.error = Reply::Error::request;
  rpc::Response response(context.out, id);
  response.error_begin(code);
  return response;
}

}  // namespace mcp::protocol
