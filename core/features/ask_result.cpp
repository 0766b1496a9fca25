// SPDX-License-Identifier: Apache-2.0
// Prompts and resources that send input requests. Source: basic/patterns/mrtr, 2026-07-28.
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "features/client_capabilities.hpp"
#include "features/pending_input.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/caller.hpp"
#include "mcp/input_request.hpp"
#include "mcp/json/value.hpp"
#include "mcp/prompt_input.hpp"
#include "mcp/read_input.hpp"
#include "mcp/tool.hpp"

namespace mcp {

using protocol::PendingInput;
using protocol::Request;

namespace protocol {

/// Keys of the input requests that the client cannot serve. A prompt or a read that requests nothing else runs again,
/// and gets Outcome::unsupported for these keys, as a job does in its next step.
struct UnsupportedKeys {  // NOLINT(misc-use-internal-linkage): a member of AskRuns, which a header names
  std::uint32_t keys[mcp::detail::PendingInputs::capacity] = {};

  /// True for a value of PendingInput::key_of().
  [[nodiscard]] bool has(std::uint32_t key) const {
    for (const std::uint32_t known : keys) {
      if (known == (key | PendingInput::unsupported)) return true;
    }
    return false;
  }

  /// Adds the keys of one run. False if there is none that it does not have, or no space: another run is useless.
  bool add(const mcp::detail::PendingInputs& inputs) {
    bool added = false;
    for (const std::uint32_t input : inputs.items) {
      if (PendingInput::kind_in(input) != PendingInput::unsupported || has(PendingInput::key_in(input))) continue;
      std::size_t free = 0;
      while (free < std::size(keys) && keys[free] != 0) ++free;
      if (free == std::size(keys)) break;
      keys[free] = input;
      added = true;
    }
    return added;
  }
};

/// The runs of the handler of one request.
struct AskRuns {
  Request& request;
  const json::Value responses = request.params.find("inputResponses");
  const json::Writer::Mark start = request.out.mark();
  const mcp::detail::PendingInputs* answered = nullptr;  // those of the result before; nullptr: any response counts
  UnsupportedKeys unsupported = {};
};

}  // namespace protocol

namespace {

using protocol::AskRuns;

bool is_stateless(const AskRuns& runs) { return runs.request.context.client.stateless; }

// False after an error.
bool check_responses(const AskRuns& runs) {
  if (!is_stateless(runs) || !runs.responses.present() || runs.responses.is(json::Type::object)) return true;
  runs.request.fail("inputResponses must be an object.");
  return false;
}

// True if the run has ended with a result or an error of the handler.
bool is_decided(const AskRuns& runs, AskState& run, Errc errc) {
  MCP_ASSERT(errc != Errc::ok || !run.input_writer().begun());  // either a result or input requests
  return errc != Errc::handled || runs.request.code() != 0;
}

// True if the handler has to run again.
bool repeats(AskRuns& runs, AskState& run) {
  if (run.input_writer().begun() || !is_stateless(runs) || !runs.unsupported.add(run.inputs())) return false;
  runs.request.out.rollback(runs.start);
  return true;
}

// False after an error, if no input request was sent.
bool end_requests(const AskRuns& runs, AskState& run, std::string_view row) {
  const InputRequestWriter& writer = run.input_writer();
  MCP_ASSERT(writer.used());  // `handled` is the return value of an input request or of a failure
  if (writer.any()) return runs.request.out.object_end(), true;
  if (!is_stateless(runs)) {
    runs.request.fail(rpc::internal_error, "This ", row, " requests input; use revision 2026-07-28.");
  } else if (writer.missing() != 0) {
    protocol::fail_for_capability(runs.request, writer.missing());
  } else {
    protocol::fail_for_space(runs.request);
  }
  return false;
}

void end_prompt(const AskRuns& runs, const Prompt& prompt, AskPromptResult& run) {
  if (!end_requests(runs, run, "prompt")) return;
  const protocol::SealedPromptOps* const code = runs.request.storage.links.sealed_prompts;
  if (prompt.asks_itself && (code == nullptr || !code->write_prompt(runs.request, run.inputs()))) {
    runs.request.fail(rpc::internal_error, "No key for requestState; try again later.");
  } else {
    runs.request.finish();
  }
}

// The response with this key, if the prompt has sent the input request in the result before.
Answer find_asked(const AskRuns& runs, std::uint32_t wanted) {
  for (std::size_t i = 0; i < detail::PendingInputs::capacity; ++i) {
    const std::uint32_t input = runs.answered->items[i];
    if (input == 0 || PendingInput::key_in(input) != wanted) continue;
    if (PendingInput::kind_in(input) > PendingInput::roots) return Answer(Outcome::unsupported);
    const Answer answer = protocol::find_answer(runs.responses, input, runs.request.context.client.features);
    return protocol::check_form(answer, input, runs.answered->forms[i], runs.request.out.rest());
  }
  return Answer(Outcome::none);
}

}  // namespace

Errc protocol::get_with_input(Request& request, const Prompt& prompt, json::Value arguments) {
  AskRuns runs{request};
  if (!check_responses(runs)) return Errc::handled;
  const SealedPromptOps* const code = prompt.asks_itself ? request.storage.links.sealed_prompts : nullptr;
  mcp::detail::PendingInputs answered;
  if (prompt.asks_itself) runs.answered = &answered;
  if (is_stateless(runs) && code != nullptr && !code->open_prompt(request, answered)) return Errc::handled;
  for (;;) {
    AskPromptResult run(runs, request.out, request.known_content());
    const Errc errc = prompt.get.ask_function()(PromptArguments(arguments), run);
    if (is_decided(runs, run, errc)) return errc;
    if (repeats(runs, run)) continue;
    return end_prompt(runs, prompt, run), Errc::handled;
  }
}

Errc detail::read_with_input(ReadResult& out, const void* context, Errc (*read)(const void*, AskReadResult&)) {
  AskRuns runs{static_cast<Request&>(out.response())};
  if (!check_responses(runs)) return out.hand_over(), Errc::handled;
  for (;;) {
    AskReadResult run(runs, out);
    const Errc errc = read(context, run);
    if (is_decided(runs, run, errc)) {
      out.copy_state(run);
      if (runs.request.code() != 0) out.hand_over();
      return errc;
    }
    if (repeats(runs, run)) continue;
    if (end_requests(runs, run, "resource")) runs.request.finish();
    return out.hand_over(), Errc::handled;
  }
}

// ---- The functions of a result ------------------------------------------------------------------------------------

AskState::AskState(AskRuns& runs) : runs_(runs), writer_(runs.request, runs.request.context, inputs_, false) {}

Caller AskState::caller() const { return Caller(runs_.request); }

template <bool in_prompt>
Answer AskState::find_answer(json::Text key) const {
  const std::uint32_t wanted = PendingInput::key_of(key);
  if (!is_stateless(runs_) || runs_.unsupported.has(wanted)) return Answer(Outcome::unsupported);
  if constexpr (in_prompt) {
    if (runs_.answered != nullptr) return find_asked(runs_, wanted);
  }
  return protocol::find_answer(runs_.responses, wanted, runs_.request.context.client.features);
}
template Answer AskState::find_answer<false>(json::Text key) const;
template Answer AskState::find_answer<true>(json::Text key) const;

Errc AskState::read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into) {
  Call call(runs_.request, runs_.request.known_content(), {});
  const json::Writer::Mark start = runs_.request.out.mark();
  if (detail::decode_arguments(rows, filled.content(), into, call) == Errc::ok) return Errc::ok;
  runs_.request.out.rollback(start);
  return Errc::invalid_argument;
}

json::Writer& AskState::fail_begin() {
  runs_.request.error_begin(rpc::internal_error);
  return runs_.request.out;
}

Errc AskState::fail_end() {
  runs_.request.error_end();
  return Errc::handled;
}

}  // namespace mcp
