// A tool as a row of a constant table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/call.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/validate.hpp"
#include "mcp/json/value.hpp"
#include "mcp/params.hpp"

namespace mcp {

namespace detail {
struct JobKind;
}

namespace compile_error {
void a_tool_name_must_have_1_to_128_of_the_characters_A_to_Z_a_to_z_0_to_9_underscore_hyphen_dot();
void two_tools_must_not_have_the_same_name();
void the_input_schema_must_be_valid_json();
void the_input_schema_must_be_a_json_object_with_type_object();
void headers_need_a_table_of_params_and_not_an_input_schema();
}  // namespace compile_error

/// Whether a call of a tool can be answered by a task: an id under which the client finds the result later.
/// Source: basic/utilities/tasks, 2025-11-25.
enum class TaskSupport : std::uint8_t {
  forbidden,
  optional,  ///< As the client likes.
  required,  ///< Only as a task; a client that knows no tasks (before revision 2025-11-25) can call it as ever.
};

/// What clients see of a tool. Strings are UTF-8 and live as long as the program: literals.
struct ToolInfo {
  /// Unique in the table; 1 to 128 of A-Z a-z 0-9 _ - . Source: server/tools#tool-names, 2025-11-25.
  std::string_view name = {};
  /// For people. Not sent when empty, nor to clients of revisions before 2025-06-18.
  std::string_view title = {};
  /// For the model: what the tool does, in which units. Not sent when empty.
  std::string_view description = {};
  /// Other than forbidden, it needs Limits::tasks and a server that was given an Entropy.
  TaskSupport task_support = TaskSupport::forbidden;
  /// The handler uses Call::client_can() or Call::needs_client(). Not needed for jobs that may ask, nor beside one.
  bool knows_client = false;
  /// For a job that may ask and acts on consent: an input response counts only when the job has asked for it, in the
  /// response whose `requestState` comes with it; in other calls the job asks. Without it, a stateless client may bring
  /// input responses with its first call, and what they say was shown to no user by this device.
  bool asks_itself = false;
  /// Icons, hints and `_meta`: names a constant. May be left out.
  ExtrasOf<ToolExtras> extras = {};
};

/// A row of the table; made by tool().
struct Tool {
  ToolInfo info;
  Errc (*invoke)(const Tool& tool, json::Value arguments, Call& call) = nullptr;
  const detail::ParamInfo* params = nullptr;
  std::uint16_t param_count = 0;
  std::string_view input_schema = {};    // verbatim; empty when the schema comes from params
  const detail::JobKind* job = nullptr;  // of a tool that is a job
  bool is_job = false;                   // the same, for compile time, where GCC's sanitizers compare no addresses
  bool asks = false;                     // a job that may ask its client
  std::uint16_t output_count = 0;        // 0: without output schema
  const detail::ParamInfo* output = nullptr;
};

namespace detail {

/// True when the JSON object `json` (valid, without white space before it) has the member `"type":"object"` itself, not
/// only somewhere inside.
consteval bool has_type_object(std::string_view json) {
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

/// A JSON Schema written by hand, for arguments that a table cannot describe. Checked at compile time: valid JSON, and
/// an object with `"type":"object"` at its root (server/tools#tool, 2025-11-25).
class InputSchema {
 public:
  consteval explicit InputSchema(std::string_view json) : json_(json) {
    if (json::validate(json).fault != json::ErrorKind::none) compile_error::the_input_schema_must_be_valid_json();
    if (json.front() != '{' || !detail::has_type_object(json)) {
      compile_error::the_input_schema_must_be_a_json_object_with_type_object();
    }
    // The server has to hold headers against arguments, and looks into no schema for that.
    if (json.find("\"x-mcp-header\"") != std::string_view::npos) {
      compile_error::headers_need_a_table_of_params_and_not_an_input_schema();
    }
  }
  [[nodiscard]] consteval std::string_view text() const { return json_; }

 private:
  std::string_view json_;
};

namespace detail {

/// Fills `arguments` (a value-initialised argument struct) from the message. Errc::failed after it has told the call
/// why not.
Errc decode_arguments(std::span<const ParamInfo> rows, json::Value object, void* arguments, Call& call);
/// The same of a tool's own table.
Errc decode_arguments(const Tool& tool, json::Value object, void* arguments, Call& call);
/// The same of a tool that takes none.
Errc check_no_arguments(json::Value object, Call& call);

consteval void check_tool_name(std::string_view name) {
  bool valid = !name.empty() && name.size() <= 128;
  for (const char c : name) {
    valid = valid && ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
                      c == '-' || c == '.');
  }
  if (!valid)
    compile_error::a_tool_name_must_have_1_to_128_of_the_characters_A_to_Z_a_to_z_0_to_9_underscore_hyphen_dot();
}

template <auto Handler>
Errc invoke_plain(const Tool&, json::Value arguments, Call& call) {
  if (const Errc errc = check_no_arguments(arguments, call); errc != Errc::ok) return errc;
  return Handler(call);
}

template <auto Handler, class S>
Errc invoke_typed(const Tool& tool, json::Value arguments, Call& call) {
  S decoded{};
  if (const Errc errc = decode_arguments(tool, arguments, &decoded, call); errc != Errc::ok) return errc;
  return Handler(decoded, call);
}

template <auto Handler>
Errc invoke_raw(const Tool&, json::Value arguments, Call& call) {
  return Handler(arguments, call);
}

/// Writes the output of a handler that returned `errc`, unless it did so itself.
Errc end_structured(const Tool& tool, const void* value, Errc errc, Call& call);

template <auto Handler, class O>
Errc invoke_plain_structured(const Tool& tool, json::Value arguments, Call& call) {
  if (const Errc errc = check_no_arguments(arguments, call); errc != Errc::ok) return errc;
  O value{};
  return end_structured(tool, &value, Handler(value, call), call);
}

template <auto Handler, class S, class O>
Errc invoke_typed_structured(const Tool& tool, json::Value arguments, Call& call) {
  S decoded{};
  if (const Errc errc = decode_arguments(tool, arguments, &decoded, call); errc != Errc::ok) return errc;
  O value{};
  return end_structured(tool, &value, Handler(decoded, value, call), call);
}

template <class O, std::size_t M>
consteval Tool with_output(Tool tool, const Output<O, M>& output) {
  tool.output = output.rows;
  tool.output_count = static_cast<std::uint16_t>(M);
  return tool;
}

}  // namespace detail

/// A tool whose arguments are the struct S that `params` describes. The handler runs in the main loop and must not
/// block; the arguments are its until it returns. Arguments that break the table never reach it: the client gets a
/// result with isError that names the argument and says what is allowed.
template <auto Handler, class S, std::size_t N>
consteval Tool tool(const ToolInfo& info, const Params<S, N>& params) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), const S&, Call&>,
                "the handler of this tool must be Errc(const Arguments&, mcp::Call&) with the struct of its params()");
  detail::check_tool_name(info.name);
  return {info, detail::invoke_typed<Handler, S>, params.rows, static_cast<std::uint16_t>(N), {}};
}

/// A tool without arguments.
template <auto Handler>
consteval Tool tool(const ToolInfo& info) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), Call&>,
                "the handler of a tool without parameters must be Errc(mcp::Call&)");
  detail::check_tool_name(info.name);
  return {info, detail::invoke_plain<Handler>, nullptr, 0, {}};
}

/// A tool with a schema written by hand. The handler gets the arguments as they came (an object, or missing) and checks
/// them itself.
template <auto Handler>
consteval Tool tool(const ToolInfo& info, InputSchema schema) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), json::Value, Call&>,
                "the handler of a tool with an InputSchema must be Errc(mcp::json::Value, mcp::Call&)");
  detail::check_tool_name(info.name);
  return {info, detail::invoke_raw<Handler>, nullptr, 0, schema.text()};
}

/// A tool that answers with the struct O that `output` describes. The handler fills it, and may add content before it;
/// when it returns Errc::ok, the values are sent (see Call::structured).
template <auto Handler, class S, std::size_t N, class O, std::size_t M>
consteval Tool tool(const ToolInfo& info, const Params<S, N>& params, const Output<O, M>& output) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), const S&, O&, Call&>,
                "the handler of this tool must be Errc(const Arguments&, Output&, mcp::Call&) with the structs of its "
                "params() and output()");
  detail::check_tool_name(info.name);
  return detail::with_output(
      {info, detail::invoke_typed_structured<Handler, S, O>, params.rows, static_cast<std::uint16_t>(N), {}}, output);
}

/// The same without arguments.
template <auto Handler, class O, std::size_t M>
consteval Tool tool(const ToolInfo& info, const Output<O, M>& output) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), O&, Call&>,
                "the handler of this tool must be Errc(Output&, mcp::Call&) with the struct of its output()");
  detail::check_tool_name(info.name);
  return detail::with_output({info, detail::invoke_plain_structured<Handler, O>, nullptr, 0, {}}, output);
}

}  // namespace mcp
