// SPDX-License-Identifier: Apache-2.0
#include "mcp/rpc/written.hpp"

#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "rpc/codes.hpp"

namespace mcp::rpc {

std::size_t replace_response(std::span<char> message, const char* problem) {
  constexpr std::string_view before_id = R"({"jsonrpc":"2.0","id":)";
  json::Writer out(message);
  switch (what_is_written({message.data(), message.size()})) {
    case Written::with_id: {
      const std::size_t end = before_id.size() + json::Value(message.data() + before_id.size()).raw().size();
      if (std::string_view(message.data() + end, message.size() - end).starts_with(R"(,"method")")) return 0;
      out.rollback({message.data() + end, true, false});
      break;
    }
    case Written::batch: out.fragment(R"({"jsonrpc":"2.0","id":null)"); break;
    default: return 0;
  }
  out.fragment("\"error\":{\"code\":");
  out.number(internal_error);
  out.fragment("\"message\":\"");
  out.append(problem);
  out.string_end();
  out.fragment("}}");
  return out.ok() ? out.size() : 0;
}

}  // namespace mcp::rpc
