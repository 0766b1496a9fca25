// SPDX-License-Identifier: Apache-2.0
// One request while its response is written.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/error_texts.hpp"
#include "engine/send_context.hpp"
#include "mcp/definition.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/value.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"
#include "mcp/rpc/response.hpp"

namespace mcp::protocol {

/// The content types and capabilities that this client supports.
inline Content::Known known_by(const mcp::detail::Client& client) {
  Content::Known known = revisions[client.revision].content;
  known.client = client.features;
  return known;
}

/// Lives on the stack for one request. Exactly one answer leaves it: result_begin() … finish(), or fail().
class Request : public rpc::Response {
 public:
  [[gnu::noinline]] Request(SendContext& reply, const std::string_view& id, const json::Object& arguments)
      : Response(reply.out, id, reply.result_meta()),
        definition(reply.definition),
        storage(reply.storage),
        session_index(reply.session_index),
        session(reply.session),
        params(arguments),
        now(reply.now),
        context(reply) {}

  const Definition& definition;
  const mcp::detail::StorageView& storage;
  std::size_t session_index;
  mcp::detail::Session& session;
  json::Object params;  // or missing
  Millis now;
  SendContext& context;
  memory::Handle task;  // that answers this call; zero: the call is answered itself
  memory::Handle job;   // takes a step after the handler, which decides the outcome of the call
  // One word, so that the constructor clears both at once.
  std::uint32_t found : 16 = 0;  // the number of the found tool that is called, plus 1
  std::uint32_t tool_failed : 16 = 0;

  /// The number of the found tool that is called, or no_number.
  [[nodiscard]] std::uint16_t row() const { return static_cast<std::uint16_t>(found - 1); }

  [[nodiscard]] const Revision& revision() const { return revisions[context.client.revision]; }

  [[nodiscard]] Content::Known known_content() const { return known_by(context.client); }

  /// False for a row that is switched off, or hidden from this caller.
  [[nodiscard]] bool enabled(ListKind kind, std::size_t index) const;

  /// False, after an error, while an earlier request under this id is still to be answered.
  [[nodiscard]] bool id_is_free();

  /// Reads `name` and `arguments` of the params, which tools/call and prompts/get have in common. False after it has
  /// answered with an error.
  [[nodiscard]] bool read_call(std::string_view& name, json::Value& arguments);

  /// Ends the result. Replaces a result that does not fit by an error, and returns false.
  bool finish();
  /// The answer `{}`.
  void empty_result();

  /// Answers with an error with this message, in place of whatever was written. A pointer alone: there are many calls.
  using Response::fail;
  void fail(const ErrorText& error) { fail(error.code, error.text); }
  /// The same of params that are wrong: rpc::invalid_params.
  void fail(const char* message);
  void fail(const char* begin, const std::string_view& name, const char* end);
  /// The same with a name in the message.
  void fail(int code, const char* begin, const std::string_view& name, const char* end);
  /// Responds that the client calls too often, with a number in the message and a time to retry after in the data.
  void fail_busy(const char* begin, std::size_t number, const char* end, Millis retry_after_ms);
  /// Responds with the error of an Errc for the resource at `uri`.
  void fail(Errc errc, const std::string_view& uri);
};

/// True if the client cannot call a tool whose calls must be tasks. Revisions without tasks call it as any tool. In
/// sessions of 2025-11-25 a client with tasks need not declare it, so this is also true for some that have them.
inline bool lacks_tasks(const Request& request) {
  const mcp::detail::Client& client = request.context.client;
  if (client.stateless) return (client.features & CapabilityBit::tasks) == 0;
  return request.revision().shown.tasks && !client.knows_tasks;
}

/// The first bytes of a text from a client, short enough to be quoted in an error.
constexpr std::string_view excerpt(std::string_view text) { return {text.data(), text.size() < 48 ? text.size() : 48}; }

}  // namespace mcp::protocol
