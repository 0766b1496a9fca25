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
                                 const detail::PendingInputs* answered)
    : PromptResult(request.out, request.known_content()),
      request_(request),
      responses_(responses),
      answered_(answered),
      writer_(request, request.context, asked_, false) {}

Answer AskPromptResult::answer(json::Text key) const {
  if (!request_.context.client.stateless) return Answer(Outcome::unsupported);
  const std::uint8_t features = request_.context.client.features;
  const std::uint32_t wanted = protocol::PendingInput::key_of(key);
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

namespace protocol {
namespace {

Errc get(Request& request, const Prompt& prompt, json::Value arguments) {
  const bool stateless = request.context.client.stateless;
  const json::Value responses = request.params.find("inputResponses");
  if (stateless && responses.present() && !responses.is(json::Type::object)) {
    request.fail("inputResponses must be an object.");
    return Errc::handled;
  }
  const SealedPromptOps* const code = prompt.asks_itself ? request.storage.links.sealed_prompts : nullptr;
  mcp::detail::PendingInputs answered;
  if (stateless && code != nullptr && !code->open(request, prompt, answered)) return Errc::handled;
  AskPromptResult result(request, responses, prompt.asks_itself ? &answered : nullptr);
  const Errc errc = prompt.get.ask_function()(PromptArguments(arguments), result);
  MCP_ASSERT(errc != Errc::ok || !result.input_writer().begun());  // either messages or input requests
  if (errc != Errc::handled) return errc;
  MCP_ASSERT(result.input_writer().used());  // `handled` is the return value of an input request
  if (result.input_writer().any()) {
    request.out.object_end();
    if (prompt.asks_itself && (code == nullptr || !code->write(request, prompt, result.asked()))) {
      request.fail(rpc::internal_error, "No key for requestState; try again later.");
    } else {
      request.finish();
    }
  } else if (!stateless) {
    request.fail(rpc::internal_error, "This prompt requests input; use revision 2026-07-28.");
  } else if (result.input_writer().missing() != 0) {
    fail_for_capability(request, result.input_writer().missing());
  } else {
    fail_for_space(request);
  }
  return Errc::handled;
}

}  // namespace

constinit const PromptInputOps prompt_input_ops{get};

}  // namespace protocol
}  // namespace mcp
