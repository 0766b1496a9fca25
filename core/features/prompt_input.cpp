// SPDX-License-Identifier: Apache-2.0
// Prompts that ask. Source: basic/patterns/mrtr, 2026-07-28.
#include "mcp/prompt_input.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "features/client_capabilities.hpp"
#include "features/pending_input.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/json/value.hpp"
#include "mcp/tool.hpp"

namespace mcp {

AskPromptResult::AskPromptResult(protocol::Request& request, json::Value responses,
                                 const detail::PendingInputs* answered, const protocol::UnsupportedKeys& unsupported)
    : PromptResult(request.out, request.known_content()),
      request_(request),
      responses_(responses),
      answered_(answered),
      unsupported_(unsupported),
      writer_(request, request.context, asked_, false) {}

Answer AskPromptResult::answer(json::Text key) const {
  const std::uint8_t features = request_.context.client.features;
  const std::uint32_t wanted = protocol::PendingInput::key_of(key);
  if (!request_.context.client.stateless || unsupported_.has(wanted)) return Answer(Outcome::unsupported);
  if (answered_ == nullptr) return protocol::find_answer(responses_, wanted, features);
  for (std::size_t i = 0; i < detail::PendingInputs::capacity; ++i) {
    const std::uint32_t question = answered_->items[i];
    if (question == 0 || protocol::PendingInput::key_in(question) != wanted) continue;
    if (protocol::PendingInput::kind_in(question) > protocol::PendingInput::roots) return Answer(Outcome::unsupported);
    return protocol::check_form(protocol::find_answer(responses_, question, features), question, answered_->forms[i],
                                request_.out.rest());
  }
  return Answer(Outcome::none);
}

Errc AskPromptResult::read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into) {
  Call call(request_, request_.known_content(), {});
  const json::Writer::Mark start = request_.out.mark();
  if (detail::decode_arguments(rows, filled.content(), into, call) == Errc::ok) return Errc::ok;
  request_.out.rollback(start);
  return Errc::invalid_argument;
}

json::Writer& AskPromptResult::fail_begin() {
  request_.error_begin(rpc::internal_error);
  return request_.out;
}

Errc AskPromptResult::fail_end() {
  has_failed_ = true;
  request_.error_end();
  return Errc::handled;
}

namespace protocol {
namespace {

// Ends the response after the handler has sent input requests, or tried to.
void end_with_input(Request& request, const Prompt& prompt, const AskPromptResult& result,
                    const InputRequestWriter& writer) {
  MCP_ASSERT(writer.used());  // `handled` is the return value of an input request
  const SealedPromptOps* const code = request.storage.links.sealed_prompts;
  if (writer.any()) {
    request.out.object_end();
    if (prompt.asks_itself && (code == nullptr || !code->write_prompt(request, prompt, result.asked()))) {
      request.fail(rpc::internal_error, "No key for requestState; try again later.");
    } else {
      request.finish();
    }
  } else if (!request.context.client.stateless) {
    request.fail(rpc::internal_error, "This prompt requests input; use revision 2026-07-28.");
  } else if (writer.missing() != 0) {
    fail_for_capability(request, writer.missing());
  } else {
    fail_for_space(request);
  }
}

}  // namespace

Errc get_with_input(Request& request, const Prompt& prompt, json::Value arguments) {
  const bool stateless = request.context.client.stateless;
  const json::Value responses = request.params.find("inputResponses");
  if (stateless && responses.present() && !responses.is(json::Type::object)) {
    request.fail("inputResponses must be an object.");
    return Errc::handled;
  }
  const SealedPromptOps* const code = prompt.asks_itself ? request.storage.links.sealed_prompts : nullptr;
  mcp::detail::PendingInputs answered;
  if (stateless && code != nullptr && !code->open_prompt(request, prompt, answered)) return Errc::handled;
  UnsupportedKeys unsupported;
  const json::Writer::Mark start = request.out.mark();
  for (;;) {
    AskPromptResult result(request, responses, prompt.asks_itself ? &answered : nullptr, unsupported);
    const Errc errc = prompt.get.ask_function()(PromptArguments(arguments), result);
    const InputRequestWriter& writer = result.input_writer();
    MCP_ASSERT(errc != Errc::ok || !writer.begun());  // either messages or input requests
    if (errc != Errc::handled || result.has_failed()) return errc;
    if (writer.begun() || !stateless || !unsupported.add(result.asked())) {
      end_with_input(request, prompt, result, writer);
      return Errc::handled;
    }
    request.out.rollback(start);
  }
}

}  // namespace protocol
}  // namespace mcp
