// SPDX-License-Identifier: Apache-2.0
/// @file
/// Input requests of a job: forms and URLs for the user, requests to a model, and the roots of the client.
/// Source: client/elicitation, client/sampling, client/roots, 2025-11-25; basic/patterns/mrtr, 2026-07-28.
/// @code
/// constexpr mcp::UrlElicitation page{.message = "Sign in to the boiler.", .url = "https://boiler.example/sign-in"};
/// struct SignIn {
///   mcp::Step step(mcp::AskContext& context) {
///     if (context.stop_requested()) return context.done();
///     const mcp::Answer answer = context.answer();
///     if (answer.outcome() == mcp::Outcome::none) return context.elicit_url(page);
///     if (answer.outcome() != mcp::Outcome::accepted) return context.done(context.fail_input(answer));
///     return context.done(context.result().text("signed in"));
///   }
/// };
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/content.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/job_context.hpp"
#include "mcp/json/validate.hpp"
#include "mcp/json/value.hpp"
#include "mcp/params.hpp"
#include "mcp/tool.hpp"

namespace mcp {

class Caller;
class PromptResult;

namespace protocol {
struct AskRuns;
}  // namespace protocol

namespace detail {
/// How long an input request waits for its response if the job sets no timeout().
inline constexpr Millis default_wait_ms = 120'000;
}  // namespace detail

namespace compile_error {
void the_metadata_must_be_a_json_object();
void a_form_must_have_only_strings_numbers_booleans_choices_and_lists_of_choices();
}  // namespace compile_error

/// The outcome of an input request. InputRequests::fail_input() has a sentence for the model for each of them.
enum class Outcome : std::uint8_t {
  none,  ///< There is no response: the request was not sent, or a stateless client has left its response out.
  /// The client says that the user accepted, or sent the sampling result or the roots. It is no proof of a person: some
  /// clients accept by themselves. The server has checked the content of a form with a parameter table, unless the
  /// response came without a request. Then only read_form() checks it.
  accepted,
  declined,     ///< The user declined a form or URL.
  cancelled,    ///< The user closed a form or URL without a decision.
  unsupported,  ///< Not sent: the client has not declared the capability, or its revision does not have it.
  timed_out,    ///< No response before the timeout. The server has cancelled the input request.
  failed,       ///< The response is an error: see Answer::error_code().
  invalid,      ///< The response breaks the specification, or is not valid JSON.
  no_space,     ///< Not sent: the input request is longer than Limits::transmit_size.
  too_large,    ///< The response is longer than Limits::receive_size. Request less, or increase the limit.
  /// The user accepted, but the content breaks the schema of the form. read_form() says why.
  invalid_content,
};

/// The response to an input request. Lifetime: its views point into the message of the client, and are valid until the
/// step or handler returns (in a coroutine: until the next co_await).
class Answer {
 public:
  /// Returns the outcome.
  [[nodiscard]] Outcome outcome() const { return outcome_; }
  /// Returns the code of the client's error, such as -1 if the user rejected the sampling request; 0 without an error.
  [[nodiscard]] int error_code() const { return error_code_; }

  /// Returns the whole result: an object if the outcome is accepted, declined or cancelled.
  [[nodiscard]] json::Value result() const { return result_; }
  /// Returns the values of a form, an object. Of a sampling result: a content item, or an array of them.
  [[nodiscard]] json::Value content() const { return json::find_member(result_, "content"); }

  /// Returns the first text of a sampling result; empty if there is none.
  [[nodiscard]] std::string_view text() const;
  /// Returns the name of the model of a sampling result.
  [[nodiscard]] std::string_view model() const { return json::find_member(result_, "model").string(); }
  /// Returns why the model stopped: "endTurn", "stopSequence", "maxTokens", "toolUse", or another word.
  [[nodiscard]] std::string_view stop_reason() const { return json::find_member(result_, "stopReason").string(); }

  /// @cond server
  explicit Answer(Outcome outcome, json::Value result = {}, int error_code = 0)
      : result_(result), error_code_(error_code), outcome_(outcome) {}
  /// @endcond

 private:
  json::Value result_;
  int error_code_;
  Outcome outcome_;
};

namespace detail {

/// Writes the sentence for the model about an input request with this answer: what happened, and what to do next.
void append_outcome(json::Writer& out, const Answer& answer);

}  // namespace detail

/// Iterates over the tool uses of a sampling result: `for (ToolUses uses(answer); uses.next();) …`.
class ToolUses {
 public:
  /// Begins before the first tool use.
  explicit ToolUses(const Answer& answer);
  /// Goes to the next tool use. Returns false after the last one.
  [[nodiscard]] bool next();
  /// Returns the id of the tool use.
  [[nodiscard]] std::string_view id() const { return json::find_member(use_, "id").string(); }
  /// Returns the name of the tool.
  [[nodiscard]] std::string_view name() const { return json::find_member(use_, "name").string(); }
  /// Returns the arguments, an object.
  [[nodiscard]] json::Value input() const { return json::find_member(use_, "input"); }

 private:
  json::Elements items_;
  json::Value single_;  // of content that is no array
  json::Value use_;
};

/// Iterates over the roots of the client: `for (Roots roots(answer); roots.next();) …`. The client chooses them, so
/// check them before use.
class Roots {
 public:
  /// Begins before the first root.
  explicit Roots(const Answer& answer) : items_(json::find_member(answer.result(), "roots")) {}
  /// Goes to the next root. Returns false after the last one.
  [[nodiscard]] bool next() { return items_.next(); }
  /// Returns the URI of the root. The specification allows only file: URIs.
  [[nodiscard]] std::string_view uri() const { return json::find_member(items_.value(), "uri").string(); }
  /// Returns the display name; may be empty.
  [[nodiscard]] std::string_view name() const { return json::find_member(items_.value(), "name").string(); }

 private:
  json::Elements items_;
};

namespace detail {

/// True when the JSON object `json` (valid) has a member `"type":"array"` anywhere.
consteval bool has_type_array(std::string_view json) {
  bool is_type = false;  // the last string was "type", and a colon follows it
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '"') {
      is_type = is_type && std::string_view(": \t\r\n").find(json[i]) != std::string_view::npos;
      continue;
    }
    const std::size_t start = ++i;
    while (json[i] != '"') i += json[i] == '\\' ? 2u : 1u;
    const std::string_view text(json.data() + start, i - start);
    if (is_type && text == "array") return true;
    is_type = text == "type";
  }
  return false;
}

}  // namespace detail

/// The fields that a user fills in: a parameter table of strings, numbers, booleans, choices and lists of choices, or a
/// JSON Schema. Lifetime: the table is a constant. Clients of 2025-06-18 do not get a form with a list, because their
/// revision has no lists in forms: the outcome is Outcome::unsupported.
class Form {
 public:
  /// A form with the rows of a table.
  template <class S, std::size_t N>
  consteval Form(const Params<S, N>& table)  // NOLINT(google-explicit-constructor)
      : rows_(table.rows), count_(N), has_lists_(detail::has_lists(table)) {
    if (!detail::is_flat(table))
      compile_error::a_form_must_have_only_strings_numbers_booleans_choices_and_lists_of_choices();
  }
  /// A form with a JSON Schema.
  consteval Form(InputSchema schema)  // NOLINT(google-explicit-constructor)
      : has_lists_(detail::has_type_array(schema.text())), json_(schema.text()) {}

  /// @cond server
  [[nodiscard]] std::span<const detail::ParamInfo> rows() const { return {rows_, count_}; }
  [[nodiscard]] std::string_view json() const { return json_; }
  [[nodiscard]] bool has_lists() const { return has_lists_; }
  /// @endcond

 private:
  // Four words on a 32-bit processor: it is passed from flash by way of the stack.
  const detail::ParamInfo* rows_ = nullptr;
  std::uint16_t count_ = 0;
  bool has_lists_;
  std::string_view json_;
};

/// Preferences for the model that the client chooses. Priorities are 0 to 1: {8, 1} is 0.8.
struct ModelPreferences {
  std::span<const std::string_view> hints = {};      ///< Names of models or parts of them, the best first.
  std::optional<Scaled> cost_priority = {};          ///< How important low costs are.
  std::optional<Scaled> speed_priority = {};         ///< How important a fast response is.
  std::optional<Scaled> intelligence_priority = {};  ///< How important a capable model is.
};

namespace detail {

consteval void check_metadata(std::string_view json) {
  if (json.empty() || json.front() != '{' || json::validate(json).fault != json::ErrorKind::none) {
    compile_error::the_metadata_must_be_a_json_object();
  }
}

}  // namespace detail

/// Metadata that the client passes to the provider of the model: a JSON object as a string literal, which the compiler
/// checks. Its members depend on the provider. Source: schema 2025-11-25, CreateMessageRequestParams.
class Metadata {
 public:
  /// No metadata.
  constexpr Metadata() = default;
  /// `json` is a string literal.
  template <std::size_t N>
  consteval Metadata(const char (&json)[N]) : json_(json, N - 1) {  // NOLINT(google-explicit-constructor)
    detail::check_metadata(json_);
  }
  /// Returns the JSON object; empty if there is none. Lifetime: as long as the program.
  [[nodiscard]] constexpr std::string_view json() const { return json_; }

 private:
  std::string_view json_;
};

/// The parameters of a sampling request. Lifetime: all views must be valid until sample() returns.
/// Source: schema 2025-11-25, CreateMessageRequestParams.
struct Sampling {
  /// The conversations that the model sees.
  enum class Context : std::uint8_t { none, this_server, all_servers };
  /// Whether the model uses tools. `unsaid`: the member is not sent.
  enum class ToolChoice : std::uint8_t { unsaid, automatic, required, none };

  /// The most tokens of the model's response. 0: as many as usually fit into the receive buffer, which is a token for
  /// every 6 bytes of Limits::receive_size beyond 256 (beyond 512 for a stateless client, whose response comes with its
  /// call), 16 at least and 1024 at most. A response that does not fit ends with Outcome::too_large. For N tokens
  /// choose a receive_size of 256 + 6 * N, or 512 + 6 * N; text that is not English may need twice as many bytes.
  std::uint32_t max_tokens = 0;
  std::string_view system_prompt = {};                    ///< The system prompt. Not sent if empty.
  std::optional<Scaled> temperature = {};                 ///< Not sent without a value.
  std::span<const std::string_view> stop_sequences = {};  ///< Not sent if empty.
  ModelPreferences preferences = {};                      ///< How the client chooses a model.
  /// The conversations that the model sees. Values other than `none` are deprecated, and need the capability
  /// sampling.context.
  Context context = Context::none;
  /// Tools that the model may use. The job executes them. Need the capability sampling.tools.
  std::span<const Tool> tools = {};
  ToolChoice tool_choice = ToolChoice::unsaid;  ///< Whether the model uses the tools.
  Metadata metadata = {};                       ///< For the provider of the model. Not sent if empty.
};

/// The content that a message to a model can have.
class SampleContent : protected Content {
 public:
  using Content::audio;
  using Content::image;
  using Content::text;

 protected:
  /// @cond server
  using Content::Content;
  /// @endcond
};

/// The conversation that a model continues, in the order of the calls. One function writes each tool use and its
/// result, so the result always follows, as the specification requires.
class SampleMessages : private SampleContent {
 public:
  /// Begins a message of the user. Add one content item.
  [[nodiscard]] SampleContent& user() { return said_by(0); }
  /// Begins a message of the assistant. Add one content item.
  [[nodiscard]] SampleContent& assistant() { return said_by(1); }

  /// Adds a message of the user with all items that `write(SampleContent&)` adds:
  /// `messages.user([&](mcp::SampleContent& items) { … })`. A client without the capability sampling.tools gets a
  /// message for each item, because many clients read one item of a message. Without an item, there is no message.
  template <std::invocable<SampleContent&> Write>
  void user(Write&& write) {
    const json::Writer::Mark start = items_begin(0);
    write(static_cast<SampleContent&>(*this));
    items_end(start);
  }
  /// The same for a message of the assistant.
  template <std::invocable<SampleContent&> Write>
  void assistant(Write&& write) {
    const json::Writer::Mark start = items_begin(1);
    write(static_cast<SampleContent&>(*this));
    items_end(start);
  }

  /// Adds the message of the model in `answer`, and the results of all its tool uses. The function calls
  /// `run(uses, result)` for each tool use. `run` writes into the ToolResult and returns an Errc. A value other than
  /// Errc::ok marks the result as an error. The job must limit how often a model can use tools.
  template <class Run>
  void tool_turn(const Answer& answer, Run&& run) {
    turn_begin(answer);
    for (ToolUses uses(answer); uses.next();) {
      ToolResult result = use_begin(uses.id());
      use_end(run(uses, result));
    }
    turn_end();
  }

  /// Adds a tool use of an earlier step and its result, a text made of pieces. `input` is the JSON object of the
  /// arguments.
  template <TextPiece... Pieces>
  void tool_use(std::string_view id, std::string_view name, std::string_view input, Pieces&&... result) {
    past_use(id, name, input);
    ToolResult content = use_begin(id);
    use_end(content.text(result...));
    turn_end();
  }

  /// @cond server
  SampleMessages(json::Writer& out, Known known) : SampleContent(out, known, detail::wrap_message) {}
  /// @endcond

 private:
  SampleContent& said_by(std::uint8_t role) {
    role_ = role;
    return *this;
  }
  json::Writer::Mark items_begin(std::uint8_t role);
  void items_end(const json::Writer::Mark& start);
  void turn_begin(const Answer& answer);
  void past_use(std::string_view id, std::string_view name, std::string_view input);
  ToolResult use_begin(std::string_view id);
  void use_end(Errc errc);
  void turn_end();
};

/// @cond server
/// For the server: writes the input requests of a job or of a prompt. A session gets one at a time. A stateless client
/// gets all of them in one result, each under its key.
class InputRequestWriter {
 public:
  /// `keeps`: the caller has a state, which is kept or sent until the response comes. `task`: of the caller; may be
  /// zero.
  InputRequestWriter(rpc::Response& response, protocol::SendContext& context, detail::PendingInputs& inputs, bool keeps,
                     memory::Handle task = {})
      : response_(response), context_(context), inputs_(inputs), task_(task), keeps_(keeps) {}

  /// Sets the key of the next input request: a literal.
  void set_key(json::Text key) { key_ = key; }

  /// The parts of each kind of input request. They return false if it is not sent.
  bool form_begin(const Form& form);
  void form_end(const Form& form);
  void url(const UrlElicitation& elicitation);
  bool sample_begin(const Sampling& sampling);
  [[nodiscard]] SampleMessages messages() const;
  void sample_end(const Sampling& sampling);
  void roots();

  /// An input request was made, also if it was not written.
  [[nodiscard]] bool used() const { return used_; }
  /// An input request is written.
  [[nodiscard]] bool any() const { return any_; }
  /// The result that was begun is gone: an input request has replaced it, or was longer than the transmit buffer.
  [[nodiscard]] bool begun() const { return begun_; }
  /// The bits of protocol::CapabilityBit that an input request needed and the client has not declared.
  [[nodiscard]] std::uint8_t missing() const { return missing_; }
  /// The hash of the key of the last input request (protocol::PendingInput).
  [[nodiscard]] std::uint32_t last_key() const { return last_key_; }
  [[nodiscard]] json::Writer& out() const { return response_.out; }

 private:
  bool may_ask(std::uint8_t features, bool expressible);
  [[nodiscard]] bool is_sent(std::uint32_t key) const;
  void write_key(const json::Text& key);
  // Begins an input request, up to its params. False if it is not sent.
  bool begin(const char* method, std::uint8_t features, bool expressible = true);
  void end(std::uint8_t kind);
  void store(std::uint8_t kind);

  static constexpr json::Text default_key = "answer";

  rpc::Response& response_;
  protocol::SendContext& context_;
  detail::PendingInputs& inputs_;
  json::Writer::Mark start_ = {};
  json::Text key_ = default_key;
  memory::Handle task_;
  std::uint32_t last_key_ = 0;
  std::uint8_t count_ = 0;
  std::uint8_t missing_ = 0;
  bool used_ = false;
  bool any_ = false;
  bool begun_ = false;
  bool keeps_;
};
/// @endcond

/// The functions that send an input request to the client, the same for jobs (AskContext), coroutines
/// (AskCoroutineContext), prompts and resources (AskResult). `Sent` is what each function returns: a job returns it
/// from its step, a coroutine awaits it, the others return it from their handler. If the client has not declared the
/// capability, nothing is sent, and the outcome is Outcome::unsupported. fail_input() ends a call that needs the input.
///
/// A client with a session gets one input request at a time: the first of a step. A stateless client gets all of them,
/// at most 4, and retries the call with the responses: `context.key("name").elicit(…);`
/// `return context.key("greeting").sample(…);`. Code that sends, in each step, all input requests that it still needs
/// serves both. An input request replaces the result: after it, the step or handler returns what the function returned,
/// or a coroutine awaits it. The server asserts this. Of two input requests with one key, it sends the first.
/// Source: client/elicitation, client/sampling, client/roots, 2025-11-25; basic/patterns/mrtr, 2026-07-28.
template <class Self, class Sent>
class InputRequests {
 public:
  /// Sets the key of the next input request: `context.key("name").elicit(…)`. A literal, unique in its step. The
  /// default is "answer". If a task uses a key again, the client sees "answer-2", and so on: no key of an application
  /// may end in such a number.
  Self& key(json::Text key) {
    self().input_writer().set_key(key);
    return self();
  }

  /// Sends a form to the user, with a message made of pieces. Never request a secret in a form.
  template <TextPiece... Pieces>
  Sent elicit(const Form& form, Pieces&&... message) {
    InputRequestWriter& writer = self().input_writer();
    if (writer.form_begin(form)) {
      (detail::append_piece(writer.out(), message), ...);
      writer.form_end(form);
    }
    return self().sent();
  }

  /// Sends a URL for the user to open. Outcome::accepted means that the user agrees to open it, not that the user has
  /// completed the page. When the user has, call Server::elicitation_completed() for a session. A stateless client
  /// retries by itself. Never put a secret into the URL.
  Sent elicit_url(const UrlElicitation& request) {
    self().input_writer().url(request);
    return self().sent();
  }

  /// Has the model of the client continue a conversation, which `write(SampleMessages&)` writes.
  template <class Write>
  Sent sample(const Sampling& sampling, Write&& write) {
    InputRequestWriter& writer = self().input_writer();
    if (writer.sample_begin(sampling)) {
      SampleMessages messages = writer.messages();
      write(messages);
      writer.sample_end(sampling);
    }
    return self().sent();
  }

  /// Requests the directories in which the client lets servers work. Read them with Roots.
  Sent list_roots() {
    self().input_writer().roots();
    return self().sent();
  }

  /// Reads the form in the response to the first input request into `into`.
  /// Errors: if a value breaks the table, a job or coroutine gets Errc::failed. Its call has then failed with a text
  /// that says why, unless the step sends another input request. A prompt gets Errc::invalid_argument.
  template <class S, std::size_t N>
  Errc read_form(const Params<S, N>& table, S& into) {
    return read_form(self().answer(), table, into);
  }
  /// Reads the form in `filled`, one of several input responses.
  template <class S, std::size_t N>
  Errc read_form(const Answer& filled, const Params<S, N>& table, S& into) {
    return self().read_rows(filled, {table.rows, N}, &into);
  }

  /// Ends the call as failed, because the input response does not give what the call needs. The message for the model
  /// says what happened (the user declined or made no decision; no response came in time; the client cannot serve
  /// the input request; the response is invalid or too large) and what to do next. The pieces follow it:
  /// `co_return context.fail_input(answer, "The valve is closed.");`. So a model never reads that a user declined who
  /// was not asked. For Outcome::accepted, the message says that the input of the user does not allow the call.
  /// A call of a tool gets a result with isError, a prompt and a resource get the error -32603. The handler returns the
  /// returned value, a job passes it to done().
  template <TextPiece... Pieces>
  Errc fail_input(const Answer& answer, Pieces&&... pieces) {
    json::Writer& out = self().fail_begin();
    detail::append_outcome(out, answer);
    if constexpr (sizeof...(Pieces) != 0) detail::append_piece(out, " ");
    (detail::append_piece(out, pieces), ...);
    return self().fail_end();
  }

 protected:
  constexpr InputRequests() = default;

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// One step of a job that may send input requests: its step takes this instead of a JobContext. An input request ends
/// the step. The next step gets the response.
class AskContext : public JobContext, public InputRequests<AskContext, Step> {
 public:
  /// Returns the response to the first input request of the previous step.
  [[nodiscard]] Answer answer() const;
  /// Returns the response with this key. Outcome::none: there is none, so send the input request (again). A stateless
  /// client may send input responses with its first request, unless ToolInfo::asks_itself is set.
  [[nodiscard]] Answer answer(json::Text key) const;

  /// Sets how long the next input request waits, in milliseconds (below 2^31): `context.timeout(30'000).elicit(…)`. The
  /// default is 120,000. If a step sends several input requests, the last timeout applies to all.
  AskContext& timeout(Millis timeout_ms) {
    timeout_ms_ = timeout_ms;
    return *this;
  }

  /// @cond server
  /// For InputRequests and coroutines.
  [[nodiscard]] InputRequestWriter& input_writer() { return writer_; }
  [[nodiscard]] Step sent();
  [[nodiscard]] Answer find_answer(std::uint32_t key) const;
  Errc read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into);
  /// @endcond

 private:
  friend class JobRunner;
  friend class ScheduledRunner;
  AskContext(rpc::Response& response, Content::Known known, protocol::SendContext& context, detail::Job& job,
             bool stop_requested, const Answer& answer, json::Value responses);

  [[nodiscard]] Answer answer_to(std::uint32_t input, const detail::ParamInfo* form = nullptr) const;

  const Answer& answer_;   // of a client with a session
  json::Value responses_;  // of a stateless client: an object
  detail::PendingInputs answered_;
  InputRequestWriter writer_;
  Millis timeout_ms_ = detail::default_wait_ms;
};

/// @cond server
/// The part of an AskResult that does not depend on its body.
class AskState {
 public:
  [[nodiscard]] Caller caller() const;
  [[nodiscard]] InputRequestWriter& input_writer() { return writer_; }
  [[nodiscard]] Errc sent() const { return Errc::handled; }
  json::Writer& fail_begin();
  Errc fail_end();
  Errc read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into);
  [[nodiscard]] const detail::PendingInputs& inputs() const { return inputs_; }

 protected:
  explicit AskState(protocol::AskRuns& runs);
  template <bool in_prompt>
  [[nodiscard]] Answer find_answer(json::Text key) const;

 private:
  protocol::AskRuns& runs_;
  detail::PendingInputs inputs_;
  InputRequestWriter writer_;
};
/// @endcond

/// The result of a prompt (AskPromptResult) or the body of a resource (AskReadResult) whose handler may send input
/// requests. The server stores nothing between the requests of the client. So the handler reads the input response, and
/// sends the input request if there is none: `const mcp::Answer who = out.answer("who");`
/// `if (who.outcome() == mcp::Outcome::none) return out.key("who").elicit(form, "Who are you?");`
///
/// Limits: 4 input requests at once. Only stateless clients (2026-07-28) can get them. For sessions, each outcome is
/// Outcome::unsupported, and an input request becomes an error. If a stateless client has not declared the capability
/// for all input requests of a run, the handler runs again at once, and the outcome of their keys is
/// Outcome::unsupported. The client gets the error -32021 only if the handler then requests the same again.
template <class Body>
class AskResult : public Body, public AskState, public InputRequests<AskResult<Body>, Errc> {
 public:
  /// Returns the response with this key. Outcome::none: the input request was not sent. Outcome::unsupported: the
  /// client does not declare the capability. A client that knows the key may send a response to an input request that
  /// the server never sent, so it is no proof of consent. With Prompt::asks_itself, only responses to input requests of
  /// the previous result count.
  [[nodiscard]] Answer answer(json::Text key = "answer") const {
    return find_answer<std::is_same_v<Body, PromptResult>>(key);
  }

  /// Returns who is calling. See Call::caller. Lifetime: valid until the handler returns.
  using AskState::caller;

  /// @cond server
  template <class... Of>
  explicit AskResult(protocol::AskRuns& runs, Of&&... body) : Body(body...), AskState(runs) {}
  using AskState::fail_begin;
  using AskState::fail_end;
  /// @endcond
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
