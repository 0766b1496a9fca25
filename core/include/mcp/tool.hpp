// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tool as a row of a constant table.
/// @code
/// struct SetLed {
///   std::int32_t percent;
/// };
/// constexpr auto led_params = mcp::params(mcp::param<&SetLed::percent>("percent", {.minimum = 0, .maximum = 100}));
/// mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
///   board::led(arguments.percent);
///   return call.result().text("The LED is at ", arguments.percent, " %.");
/// }
/// constexpr mcp::Tool tools[] = {mcp::tool<set_led>({.name = "set_led"}, led_params)};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/call.hpp"
#include "mcp/detail/tag.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/interlock.hpp"
#include "mcp/json/validate.hpp"
#include "mcp/json/value.hpp"
#include "mcp/params.hpp"
#include "mcp/scopes.hpp"

namespace mcp {

struct Resource;
struct ResourceTemplate;

namespace detail {
struct JobKind;
}

namespace compile_error {
void a_tool_name_must_have_1_to_128_of_the_characters_A_to_Z_a_to_z_0_to_9_underscore_hyphen_dot();
void two_tools_must_not_have_the_same_name();
void the_input_schema_must_be_valid_json();
void the_input_schema_must_be_a_json_object_with_type_object();
void headers_need_a_table_of_params_and_not_an_input_schema();
void the_output_schema_must_be_a_json_object_of_at_most_65535_bytes();
}  // namespace compile_error

/// Whether a client can call a tool as a task: the client gets an id at once, and fetches the result later.
/// Source: basic/utilities/tasks, 2025-11-25.
enum class TaskSupport : std::uint8_t {
  forbidden,  ///< No call is a task.
  optional,   ///< The client decides for each call.
  required,   ///< Each call is a task, except for clients of revisions before 2025-11-25, which have no tasks.
};

/// The description of a tool. Lifetime: the strings (UTF-8) live as long as the
/// program, so use literals.
struct ToolInfo {
  /// Unique in the table; 1 to 128 of A-Z a-z 0-9 _ - . Source: server/tools#tool-names, 2025-11-25.
  std::string_view name = {};
  /// The display name. Not sent if empty, nor to clients of revisions before 2025-06-18.
  std::string_view title = {};
  /// For the model: what the tool does, and the units of its arguments. Not sent if empty.
  std::string_view description = {};
  /// Whether calls can be tasks. Values other than `forbidden` need Limits::tasks and a server with an Entropy.
  TaskSupport task_support = TaskSupport::forbidden;
  /// The handler uses Call::client_can(), Call::needs_client() or Call::needs_urls(). Not needed if a tool of the table
  /// is a job that sends input requests.
  bool knows_client = false;
  /// For a job that acts on consent. An input response counts only if the job has sent the input request, and if the
  /// `requestState` of that result comes with it. Without it, a stateless client can send input responses with its
  /// first call, and no user has seen the input request.
  bool asks_itself = false;
  /// For a job or coroutine that sends input requests and can be a task: a stateless client gets the input requests as
  /// results of its call. The first step that neither requests input nor is done makes a task of the call. Without it,
  /// the call is a task from its beginning, and the client finds the input requests in tasks/get. Source: SEP-2663.
  bool input_before_task = false;
  /// A task of this tool continues when its session ends. A later session with the same principal (a token) sees the
  /// task, and takes it over when it names it. On a wire, it is the next session in the same slot of
  /// Limits::sessions, so use it with one wire alone. Without a token over HTTP, the task ends with its session. Needs
  /// `task_support` and the legacy era: stateless tasks have no session.
  bool task_outlives_session = false;
  /// How often a client should request the state of a task of this tool, in milliseconds, 1 to 65535. Another value
  /// than 1000 needs `task_support`. Source: basic/utilities/tasks, 2025-11-25 (`pollInterval`).
  std::uint16_t poll_interval_ms = 1000;
  /// Icons, hints and `_meta`: names a constant.
  ExtrasOf<ToolExtras> extras = {};
  /// The scope that a caller needs for calls, and for tasks of calls: one of Definition::scopes.
  RowScope scope = {};
  /// The state of the device that a call needs: names an Interlock. The server checks it before the handler or the
  /// first step of a job, before a dry run, when a scheduled call runs, and for each retry of a stateless client. It
  /// does not check again between the steps of a job: a job that acts after a wait checks the state itself. Errors: if
  /// it does not hold, the client gets a result with isError, which has the refusal of the interlock.
  Needs needs = {};
};

namespace detail {
/// The output of a tool: the table of a struct or the row of a value; or a schema as JSON. Of a row with `as_tool`,
/// which has no output, what the tool reads.
class ToolOutput {
 public:
  enum class Kind : std::uint8_t { rows, json, resource, resource_template };
  constexpr ToolOutput() : rows_(nullptr), tag_(Kind::rows) {}
  consteval explicit ToolOutput(const ParamInfo* rows) : rows_(rows), tag_(Kind::rows) {}
  consteval explicit ToolOutput(const char* json) : json_(json), tag_(Kind::json) {}
  consteval explicit ToolOutput(const Resource* row) : resource_(row), tag_(Kind::resource) {}
  consteval explicit ToolOutput(const ResourceTemplate* row) : template_(row), tag_(Kind::resource_template) {}

  [[nodiscard]] constexpr const ParamInfo* rows() const { return tag_.check(Kind::rows), rows_; }
  [[nodiscard]] constexpr const char* json() const { return tag_.check(Kind::json), json_; }
  [[nodiscard]] constexpr const Resource& resource() const { return tag_.check(Kind::resource), *resource_; }
  [[nodiscard]] constexpr const ResourceTemplate& resource_template() const {
    return tag_.check(Kind::resource_template), *template_;
  }

 private:
  union {
    const ParamInfo* rows_;
    const char* json_;
    const Resource* resource_;
    const ResourceTemplate* template_;
  };
  [[no_unique_address]] Tag<Kind> tag_;
};
}  // namespace detail

/// A row of the table, made by tool(), job() or coroutine().
struct Tool {
  ToolInfo info;  ///< What clients see of the tool.
  /// @cond server
  Errc (*invoke)(const Tool& tool, json::Value arguments, Call& call) = nullptr;
  const detail::ParamInfo* params = nullptr;
  std::uint16_t param_count = 0;
  std::uint16_t scheduled_size = 0;      // of the state of a scheduled call; 0: the tool is not schedulable
  std::string_view input_schema = {};    // verbatim; empty when the schema comes from params
  const detail::JobKind* job = nullptr;  // of a tool that is a job
  bool is_job = false;                   // the same, for compile time, where GCC's sanitizers compare no addresses
  bool asks : 1 = false;                 // a job that may ask its client
  bool is_wire_only : 1 = false;         // not over a network; a bit, so that a row stays as small as before
  bool output_is_object : 1 = true;      // or the schema is shown only since 2026-07-28
  bool output_is_value : 1 = false;      // and no struct
  bool output_is_json : 1 = false;
  bool takes_date : 1 = false;     // of a scheduled call
  bool reads : 1 = false;          // made by tools_of
  std::uint16_t output_count = 0;  // 0: without output schema; of JSON, its bytes
  detail::ToolOutput output = {};
  /// @endcond
};

namespace detail {

/// True when the JSON object `json` (valid, without white space before it) has the member `"type":"object"` itself, not
/// only somewhere inside.
constexpr bool has_type_object(std::string_view json) {
  unsigned depth = 0;
  std::string_view previous;  // the last string at depth 1: a key, when the next string follows a colon
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '{' || json[i] == '[') ++depth;
    if (json[i] == '}' || json[i] == ']') --depth;
    if (json[i] == ',' && depth == 1) previous = {};
    if (json[i] != '"') continue;
    const std::size_t start = ++i;
    while (json[i] != '"') i += json[i] == '\\' ? 2u : 1u;
    const std::string_view text(json.data() + start, i - start);
    if (depth == 1 && previous == "type") return text == "object";
    if (depth == 1) previous = text;
  }
  return false;
}

}  // namespace detail

/// A JSON Schema as a string literal, for arguments that a table cannot describe. The compiler checks that it is valid
/// JSON, and an object with `"type":"object"` at its root. Source: server/tools#tool, 2025-11-25.
class InputSchema {
 public:
  /// `json` is a string literal, without `x-mcp-header`.
  consteval explicit InputSchema(std::string_view json) : json_(json) {
    if (json::validate(json).fault != json::ErrorKind::none) compile_error::the_input_schema_must_be_valid_json();
    if (json.front() != '{' || !detail::has_type_object(json)) {
      compile_error::the_input_schema_must_be_a_json_object_with_type_object();
    }
    // The server compares headers with arguments by the parameter table, and does not read schemas.
    if (json.find("\"x-mcp-header\"") != std::string_view::npos) {
      compile_error::headers_need_a_table_of_params_and_not_an_input_schema();
    }
  }
  /// Returns the schema.
  [[nodiscard]] consteval std::string_view text() const { return json_; }

 private:
  std::string_view json_;
};

/// The JSON Schema of a result as a string literal, for results that a table cannot describe. The compiler checks that
/// it is a JSON object. The handler writes the result by Call::structured(). A schema with `"type":"object"` at its
/// root goes to clients of revision 2025-06-18 and later, any other one to clients of 2026-07-28. Source:
/// server/tools#output-schema, 2026-07-28.
class OutputSchema {
 public:
  /// `json` is a string literal.
  consteval explicit OutputSchema(std::string_view json) : json_(json) {
    if (json::validate(json).fault != json::ErrorKind::none || json.front() != '{' || json.size() > 0xFFFF) {
      compile_error::the_output_schema_must_be_a_json_object_of_at_most_65535_bytes();
    }
    is_object_ = detail::has_type_object(json);
  }
  /// Returns the schema.
  [[nodiscard]] consteval std::string_view text() const { return json_; }
  /// Returns whether the schema describes an object.
  [[nodiscard]] consteval bool is_object() const { return is_object_; }

 private:
  std::string_view json_;
  bool is_object_ = false;
};

namespace detail {

/// Fills `arguments` (a value-initialised argument struct) from the message. Errors: if a value is invalid, ends the
/// call as failed and returns Errc::failed.
Errc decode_arguments(std::span<const ParamInfo> rows, json::Value object, void* arguments, Call& call);
/// Fills the arguments by the table of the tool.
Errc decode_arguments(const Tool& tool, json::Value object, void* arguments, Call& call);
/// Checks that a tool without parameters has no arguments.
Errc check_no_arguments(json::Value object, Call& call);

/// Checks the interlock of the tool. Errors: if it does not hold, ends the call as failed and returns Errc::failed.
Errc check_interlocks(const Tool& tool, Call& call);

constexpr bool is_tool_name(std::string_view name) {
  for (const char c : name) {
    const bool valid =
        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    if (!valid) return false;
  }
  return !name.empty() && name.size() <= 128;
}

consteval void check_tool_name(std::string_view name) {
  if (!is_tool_name(name))
    compile_error::a_tool_name_must_have_1_to_128_of_the_characters_A_to_Z_a_to_z_0_to_9_underscore_hyphen_dot();
}

template <Errc (*Invoke)(const Tool& tool, json::Value arguments, Call& call)>
Errc invoke_interlocked(const Tool& tool, json::Value arguments, Call& call) {
  if (const Errc errc = check_interlocks(tool, call); errc != Errc::ok) return errc;
  return Invoke(tool, arguments, call);
}

/// Chooses the `invoke` function of a row, so that a tool without an interlock has no check.
template <Errc (*Invoke)(const Tool& tool, json::Value arguments, Call& call)>
consteval auto choose_invoke(const ToolInfo& info) {
  return info.needs.any() ? invoke_interlocked<Invoke> : Invoke;
}

/// Writes the output of a handler that returned `errc`, unless the handler has called structured().
Errc end_structured(const Tool& tool, const void* value, Errc errc, Call& call);
/// The same for a value that is no struct.
Errc end_structured_value(const Tool& tool, const void* value, Errc errc, Call& call);
/// Fails a call that has ended well without structured(), which its OutputSchema requires.
Errc end_json(Errc errc, Call& call);

template <class Out>
inline constexpr auto end_output = end_structured;
template <class T>
inline constexpr auto end_output<OutputValue<T>> = end_structured_value;

/// Calls the handler with its input, and ends the call by its output: void, an OutputSchema, or a table.
template <auto Handler, class Out>
[[gnu::always_inline]] inline Errc call_handler(const Tool& tool, Call& call, const auto&... input) {
  if constexpr (std::is_void_v<Out>) {
    return Handler(input..., call);
  } else if constexpr (std::is_same_v<Out, OutputSchema>) {
    return end_json(Handler(input..., call), call);
  } else {
    typename Out::Value value{};
    return end_output<Out>(tool, &value, Handler(input..., value, call), call);
  }
}

/// The `invoke` function of a row. `In`: NoArguments, json::Value for an InputSchema, or the struct of a params().
template <auto Handler, class In, class Out>
Errc invoke_tool(const Tool& tool, json::Value arguments, Call& call) {
  if constexpr (std::is_same_v<In, json::Value>) {
    return call_handler<Handler, Out>(tool, call, arguments);
  } else if constexpr (std::is_same_v<In, NoArguments>) {
    if (const Errc errc = check_no_arguments(arguments, call); errc != Errc::ok) return errc;
    return call_handler<Handler, Out>(tool, call);
  } else {
    In decoded{};
    if (const Errc errc = decode_arguments(tool, arguments, &decoded, call); errc != Errc::ok) return errc;
    return call_handler<Handler, Out>(tool, call, decoded);
  }
}

/// True if the handler has the form that its input and its output need.
template <auto Handler, class Out, class... In>
consteval bool is_handler() {
  if constexpr (requires { typename Out::Value; }) {
    return std::is_invocable_r_v<Errc, decltype(Handler), In..., typename Out::Value&, Call&>;
  } else {
    return std::is_invocable_r_v<Errc, decltype(Handler), In..., Call&>;
  }
}

/// The row of a tool without the tables of its input and its output.
template <auto Handler, class In, class Out>
consteval Tool make_tool(const ToolInfo& info) {
  check_tool_name(info.name);
  return {info, choose_invoke<invoke_tool<Handler, In, Out>>(info)};
}

template <class S, std::size_t N>
consteval Tool with_input(Tool tool, const Params<S, N>& params) {
  tool.params = params.rows;
  tool.param_count = static_cast<std::uint16_t>(N);
  return tool;
}

consteval Tool with_input(Tool tool, const InputSchema& schema) {
  tool.input_schema = schema.text();
  return tool;
}

consteval Tool with_output(Tool tool, const OutputSchema& schema) {
  tool.output = ToolOutput(schema.text().data());
  tool.output_count = static_cast<std::uint16_t>(schema.text().size());
  tool.output_is_json = true;
  tool.output_is_object = schema.is_object();
  return tool;
}

template <class T>
consteval Tool with_output(Tool tool, const OutputValue<T>& output) {
  tool.output = ToolOutput(&output.row);
  tool.output_count = 1;
  tool.output_is_value = true;
  tool.output_is_object = output.row.type == ParamType::map;
  return tool;
}

template <class O, std::size_t M>
consteval Tool with_output(Tool tool, const Output<O, M>& output) {
  tool.output = ToolOutput(output.rows);
  tool.output_count = static_cast<std::uint16_t>(M);
  return tool;
}

/// An output() table, an output_value(), or an OutputSchema.
template <class Out>
concept ToolOutputTable = requires(Tool tool, const Out& output) { with_output(tool, output); };

}  // namespace detail

/// Makes a tool whose arguments are the struct S that `params` describes.
/// Lifetime: the arguments are valid until the handler returns. Context: the handler runs in the main loop; must not
/// block.
/// Errors: if the arguments break the table, the server does not call the handler. The client gets a result with
/// isError, which names the argument and says what is allowed.
template <auto Handler, class S, std::size_t N>
consteval Tool tool(const ToolInfo& info, const Params<S, N>& params) {
  static_assert(detail::is_handler<Handler, void, const S&>(),
                "the handler of this tool must be Errc(const Arguments&, mcp::Call&) with the struct of its params()");
  return detail::with_input(detail::make_tool<Handler, S, void>(info), params);
}

/// Makes a tool without arguments. Errors: a call with arguments gets a result with isError.
template <auto Handler>
consteval Tool tool(const ToolInfo& info) {
  static_assert(detail::is_handler<Handler, void>(),
                "the handler of a tool without parameters must be Errc(mcp::Call&)");
  return detail::make_tool<Handler, detail::NoArguments, void>(info);
}

/// Makes a tool with an InputSchema. The handler gets the arguments as JSON (an object, or missing), and checks them.
template <auto Handler>
consteval Tool tool(const ToolInfo& info, InputSchema schema) {
  static_assert(detail::is_handler<Handler, void, json::Value>(),
                "the handler of a tool with an InputSchema must be Errc(mcp::json::Value, mcp::Call&)");
  return detail::with_input(detail::make_tool<Handler, json::Value, void>(info), schema);
}

/// Makes a tool whose result `output` describes: the struct of output(), the value of output_value(), or JSON with an
/// OutputSchema. The handler fills the struct or the value, and may add content to that of a struct. If it returns
/// Errc::ok, the server sends the values after the content (see Call::structured()). With an OutputSchema, the handler
/// writes the result by Call::structured(). Errors: Errc::ok without it gives a result with isError.
template <auto Handler, class S, std::size_t N, detail::ToolOutputTable Out>
consteval Tool tool(const ToolInfo& info, const Params<S, N>& params, const Out& output) {
  static_assert(detail::is_handler<Handler, Out, const S&>(),
                "the handler of this tool must be Errc(const Arguments&, Output&, mcp::Call&) with the types of its "
                "params() and its output; for an OutputSchema, Errc(const Arguments&, mcp::Call&)");
  return detail::with_output(detail::with_input(detail::make_tool<Handler, S, Out>(info), params), output);
}

/// Makes a tool with an output and without arguments.
template <auto Handler, detail::ToolOutputTable Out>
consteval Tool tool(const ToolInfo& info, const Out& output) {
  static_assert(detail::is_handler<Handler, Out>(),
                "the handler of this tool must be Errc(Output&, mcp::Call&) with the type of its output; for an "
                "OutputSchema, Errc(mcp::Call&)");
  return detail::with_output(detail::make_tool<Handler, detail::NoArguments, Out>(info), output);
}

/// Makes a tool with an InputSchema and an output. The handler gets the arguments as JSON (an object, or missing), and
/// checks them.
template <auto Handler, detail::ToolOutputTable Out>
consteval Tool tool(const ToolInfo& info, InputSchema schema, const Out& output) {
  static_assert(detail::is_handler<Handler, Out, json::Value>(),
                "the handler of this tool must be Errc(mcp::json::Value, Output&, mcp::Call&) with the type of its "
                "output; for an OutputSchema, Errc(mcp::json::Value, mcp::Call&)");
  return detail::with_output(detail::with_input(detail::make_tool<Handler, json::Value, Out>(info), schema), output);
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
