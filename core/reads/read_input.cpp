// SPDX-License-Identifier: Apache-2.0
// Reads that ask. Source: basic/patterns/mrtr, 2026-07-28.
#include "mcp/read_input.hpp"

#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "features/client_capabilities.hpp"
#include "features/pending_input.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/json/value.hpp"
#include "mcp/tool.hpp"

namespace mcp {

using protocol::Request;

AskReadResult::AskReadResult(Request& request, const ReadResult& body, json::Value responses,
                             const protocol::UnsupportedKeys& unsupported)
    : ReadResult(body),
      request_(request),
      responses_(responses),
      unsupported_(unsupported),
      writer_(request, request.context, asked_, false) {}

Answer AskReadResult::answer(json::Text key) const {
  const std::uint32_t wanted = protocol::PendingInput::key_of(key);
  const detail::Client& client = request_.context.client;
  if (!client.stateless || unsupported_.has(wanted)) return Answer(Outcome::unsupported);
  return protocol::find_answer(responses_, wanted, client.features);
}

Errc AskReadResult::read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into) {
  Call call(request_, request_.known_content(), {});
  const json::Writer::Mark start = request_.out.mark();
  if (detail::decode_arguments(rows, filled.content(), into, call) == Errc::ok) return Errc::ok;
  request_.out.rollback(start);
  return Errc::invalid_argument;
}

namespace {

// Ends the response after the handler has sent input requests, or tried to.
void end_with_input(Request& request, const InputRequestWriter& writer) {
  MCP_ASSERT(writer.used());  // `handled` is the return value of an input request, or of fail()
  if (writer.any()) {
    request.out.object_end();
    request.finish();
  } else if (!request.context.client.stateless) {
    request.fail(rpc::internal_error, "This resource requests input; use revision 2026-07-28.");
  } else if (writer.missing() != 0) {
    protocol::fail_for_capability(request, writer.missing());
  } else {
    protocol::fail_for_space(request);
  }
}

}  // namespace

Errc detail::read_with_input(ReadResult& out, const void* context, Errc (*read)(const void*, AskReadResult&)) {
  Request& request = static_cast<Request&>(out.response());
  const json::Value responses = request.params.find("inputResponses");
  if (request.context.client.stateless && responses.present() && !responses.is(json::Type::object)) {
    out.hand_over();
    request.fail("inputResponses must be an object.");
    return Errc::handled;
  }
  protocol::UnsupportedKeys unsupported;
  const json::Writer::Mark start = request.out.mark();
  for (;;) {
    AskReadResult result(request, out, responses, unsupported);
    const Errc errc = read(context, result);
    const InputRequestWriter& writer = result.input_writer();
    MCP_ASSERT(errc != Errc::ok || !writer.begun());  // either a body or input requests
    if (errc != Errc::handled || result.has_failed()) return out.take_state(result), errc;
    if (writer.begun() || !request.context.client.stateless || !unsupported.add(result.asked())) {
      out.hand_over();
      end_with_input(request, writer);
      return Errc::handled;
    }
    request.out.rollback(start);
  }
}

}  // namespace mcp
