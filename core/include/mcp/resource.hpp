// SPDX-License-Identifier: Apache-2.0
/// @file
/// Resources and resource templates as rows of constant tables.
/// @code
/// mcp::Errc read_celsius(mcp::ReadResult& out) { return out.number(board::celsius()); }
/// mcp::Errc read_pin(const mcp::UriVariables& variables, mcp::ReadResult& out) {
///   std::int32_t pin = 0;
///   if (const mcp::Errc errc = variables.integer("pin", 0, 31, pin); errc != mcp::Errc::ok) return errc;
///   return out.number(board::pin(pin));
/// }
/// constexpr mcp::Resource resources[] = {{.uri = "sensor://celsius", .name = "celsius", .read = read_celsius}};
/// constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "pin://{pin}", .name = "pin", .read = read_pin}};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/body_stream.hpp"
#include "mcp/caller.hpp"
#include "mcp/completion.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/number.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/response.hpp"
#include "mcp/scopes.hpp"
#include "mcp/text_pieces.hpp"
#include "mcp/uri_template.hpp"

namespace mcp {

class Call;
struct Tool;

namespace compile_error {
void a_row_of_resource_must_not_have_a_read_function_or_a_stream();
void a_row_of_resource_template_must_not_have_a_read_function();
void each_parameter_must_be_a_variable_of_the_uri_template();
void each_variable_of_the_uri_template_needs_a_parameter();
void a_variable_must_be_a_number_a_boolean_a_string_or_a_choice();
void a_stream_must_take_a_FixedString_instead_of_a_string_view();
void the_uris_of_a_stream_must_have_at_most_65535_bytes();
}  // namespace compile_error

/// The body of a resource. The handler calls exactly one function, once for each item. The bytes go into the transmit
/// buffer at once.
/// Lifetime: valid until the handler returns. Errors: the functions return Errc::no_space if the body does not fit.
class ReadResult {
 public:
  /// Writes a text body, made of pieces (see TextPiece), also of those that a function adds in a loop. Bytes that are
  /// not UTF-8 become U+FFFD.
  template <TextPiece... Pieces>
  Errc text(Pieces&&... pieces) {
    text_begin();
    (detail::append_piece(out_, pieces), ...);
    return text_end();
  }

  /// Writes a text body that is one number.
  template <class T>
  requires std::is_arithmetic_v<T> Errc number(T value) { return text(value); }

  /// Begins a text body that is JSON. Write exactly one value with the returned writer, then return Errc::ok.
  [[nodiscard]] json::Writer& json();

  /// Writes a binary body. It is sent as base64. Ownership: the caller owns `bytes`, and may change them afterwards.
  Errc blob(std::span<const std::uint8_t> bytes);

  /// Writes a text body that is JSON: the values of a struct, as its table describes them. resource() makes a row whose
  /// handler only fills the struct.
  /// Errors: for a value that the table does not allow, the client gets the error -32603, which names the member. The
  /// function then returns Errc::handled, and the handler passes it on.
  template <class S, std::size_t N>
  Errc structured(const Output<S, N>& output, const std::type_identity_t<S>& value) {
    return structured(std::span<const detail::ParamInfo>(output.rows), &value);
  }

  /// Begins a further contents item, with a URI and a MIME type of its own. Then write its body. The first item has the
  /// URI of the request; content() before any body replaces it. An item has no annotations: `Resource::extras` has
  /// those. `mime_type` is not sent if empty. Source: schema, ReadResourceResult, all revisions.
  ReadResult& content(std::string_view uri, std::string_view mime_type = {});

  /// Adds `_meta` to the item, before or after its body. `write` writes the members of `_meta`:
  /// `out.meta([&](mcp::json::Writer& json) { json.member("com.example/bus", 2); });`. Limits: once for each item. It
  /// is not called for a client before revision 2025-06-18, whose items have no `_meta`.
  template <std::invocable<json::Writer&> Write>
  Errc meta(Write&& write) {
    if (!meta_begin()) return Errc::ok;
    write(out_);
    return meta_end();
  }

  /// Sends the error -32603 with this message, made of pieces (see TextPiece), instead of a body. The handler returns
  /// Errc::handled, which this function returns.
  template <TextPiece... Pieces>
  Errc fail(Pieces&&... pieces) {
    json::Writer& out = fail_begin();
    (detail::append_piece(out, pieces), ...);
    return fail_end();
  }

  /// Returns who is reading. See Call::caller. Lifetime: valid until the handler or the step returns.
  [[nodiscard]] Caller caller() const;

  /// @cond server
  /// A body inside the contents item, in the result of a request. `contents`: where the list of items begins.
  explicit ReadResult(rpc::Response& response, char* contents = nullptr)
      : out_(response.out), response_(response), contents_(contents) {}
  /// Ends what json() began, and makes a missing body an empty text.
  void finish();
  /// True if the response is the error of fail().
  [[nodiscard]] bool has_failed() const { return state_ == State::failed; }
  /// For a response that other code writes: nothing is to be added to it.
  void hand_over() { state_ = State::failed; }
  /// The state of a copy, to which the handler has written the body.
  void copy_state(const ReadResult& copy) { state_ = copy.state_; }
  [[nodiscard]] rpc::Response& response() const { return response_; }
  [[nodiscard]] json::Writer& writer() const { return out_; }
  /// fail() in parts, without pieces, for any code of an error.
  json::Writer& fail_begin();
  json::Writer& fail_begin(int code);
  Errc fail_end();
  /// structured() for the rows of any table.
  Errc structured(std::span<const detail::ParamInfo> rows, const void* value);

 protected:
  /// A body in the result of a tool, which is a detail::ToolBody.
  struct InTool {};
  ReadResult(rpc::Response& response, InTool) : ReadResult(response) { is_in_tool_ = true; }
  /// The item has neither a body nor `_meta`.
  [[nodiscard]] bool is_empty() const { return state_ == State::empty && !has_meta_; }
  /// Lets the next item have a body.
  void forget_body() {
    state_ = State::empty;
    has_meta_ = false;
  }
  /// @endcond

 private:
  enum class State : std::uint8_t { empty, json, done, failed };
  void text_begin();
  Errc text_end();
  bool meta_begin();
  Errc meta_end();

  json::Writer& out_;
  rpc::Response& response_;
  char* contents_;  // nullptr: the first item stays
  State state_ = State::empty;
  bool has_meta_ : 1 = false;
  bool is_in_tool_ : 1 = false;
};

/// The variables of a URI that matches a template, percent-decoded. Lifetime: valid until the handler returns.
class UriVariables {
 public:
  /// @cond server
  explicit UriVariables(std::span<const UriVariable> variables) : variables_(variables) {}
  /// Returns the variables that may have caused Errc::invalid_argument: the last one that integer() rejected, else all.
  [[nodiscard]] std::span<const UriVariable> suspects() const {
    return invalid_ != nullptr ? std::span(invalid_, 1) : variables_;
  }
  /// @endcond

  /// Returns the value of a variable; empty if the URI has none. The client chooses the bytes: they may contain NUL,
  /// and may not be UTF-8.
  [[nodiscard]] std::string_view operator[](std::string_view name) const;

  /// Reads a variable as a decimal integer from `minimum` to `maximum`, without a sign of 0 and without leading zeros.
  /// Errors: returns Errc::invalid_argument for any other value. The handler returns it. The client then gets the error
  /// -32602, which names the variable.
  Errc integer(std::string_view name, std::int32_t minimum, std::int32_t maximum, std::int32_t& value) const;

 private:
  [[nodiscard]] const UriVariable* find(std::string_view name) const;

  std::span<const UriVariable> variables_;
  mutable const UriVariable* invalid_ = nullptr;
};

/// A resource with a fixed URI. Lifetime: the strings (UTF-8) live as long as the program.
struct Resource {
  std::string_view uri = {};          ///< RFC 3986, unique; escapes in the normal form of section 6.2.2.
  std::string_view name = {};         ///< Required.
  std::string_view title = {};        ///< The display name. Not sent if empty, nor before revision 2025-06-18.
  std::string_view description = {};  ///< For the model. Not sent if empty.
  std::string_view mime_type = {};    ///< Of the body. Not sent if empty.
  /// Writes the current body to `out`. Set either `read` or `stream`, not both.
  /// Lifetime: `out` is valid until the function returns. Context: main loop; must not block.
  /// Errors: Errc::not_found becomes the JSON-RPC error -32002 (-32602 for a stateless request), invalid_argument
  /// -32602, every other value except ok -32603. Source: server/resources#error-handling, 2025-11-25.
  Errc (*read)(ReadResult& out) = nullptr;
  /// Reads the body in pieces while the response is sent. The body may be larger than Limits::transmit_size and than
  /// RAM.
  /// Limits: each read in progress uses one of Limits::streams. If none is free, the client gets -32603.
  /// Errors: before the first part is sent, as for `read`. After that, the message is cut off, so that no client takes
  /// half of a body for all of it, and the error follows.
  BodyStream stream = {};
  /// Clients may subscribe. The application calls Server::resource_updated() when the body changes.
  bool subscribable = false;
  /// The row is also a tool, for hosts that give their model tools only: see mcp::tools_of (mcp/read_tools.hpp).
  bool as_tool = false;
  /// @cond server
  bool asks : 1 = false;       // made by ask_read()
  bool figures : 1 = false;    // made by health_resource()
  std::uint16_t job_size = 0;  // made by read_job(): the state of a read in bytes
  /// @endcond
  /// How long clients may cache the body, in milliseconds. Set it only for a body that never changes and is the same
  /// for every client. The value 0 means stale at once and private. Sent to stateless clients only.
  /// Source: server/utilities/caching, 2026-07-28.
  Millis ttl_ms = 0;
  ExtrasOf<ResourceExtras> extras = {};  ///< Icons, annotations, size and `_meta`: names a constant.
  /// The scope that a caller needs to read and to subscribe: one of Definition::scopes. Not with `ttl_ms`, because
  /// caches may share such a body.
  RowScope scope = {};
};

namespace detail {

/// The struct of an output() table.
template <const auto& output>
using OutputOf = typename std::remove_cvref_t<decltype(output)>::Value;

template <auto Handler, const auto& output>
Errc read_structured(ReadResult& out, const auto&... variables) {
  OutputOf<output> value{};
  if (const Errc errc = Handler(variables..., value); errc != Errc::ok) return errc;
  return out.structured(output, value);
}

}  // namespace detail

/// Makes a row whose body is the struct that the table `output` describes, as JSON:
/// `mcp::resource<read_climate, climate_output>({.uri = …, .name = …})`. The handler fills the struct. `output` is a
/// constant, made by output(). `mime_type` is "application/json" if the row gives none.
/// Errors: as for Resource::read and ReadResult::structured().
template <auto Handler, const auto& output>
consteval Resource resource(Resource row) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), detail::OutputOf<output>&>,
                "the handler of this resource must be Errc(Output&) with the struct of its output()");
  if (row.read != nullptr || row.stream.on())
    compile_error::a_row_of_resource_must_not_have_a_read_function_or_a_stream();
  row.read = detail::read_structured<Handler, output>;
  if (row.mime_type.empty()) row.mime_type = "application/json";
  return row;
}

namespace detail {

/// How the bodies of a template are streamed. Each read in progress has a state in its slot: the struct of the
/// variables, and the requested URI.
struct TemplateStreamKind {
  /// Fills the variables at `state`. Errors: as decode_variables().
  Errc (*begin)(const UriVariables& variables, void* state, ReadResult& out);
  Chunk (*read_part)(const void* state, std::uint32_t offset, std::span<std::uint8_t> into);
  std::uint16_t variables_size;  // of the struct
  std::uint16_t values_size;     // most bytes of the values in a URI
  bool is_text;
};

}  // namespace detail

namespace detail {
struct TemplateTool;
}

/// The function that reads the bodies of a template in pieces, for ResourceTemplate::stream. Made by
/// text_stream_template() and blob_stream_template().
class TemplateStream {
 public:
  /// No function.
  constexpr TemplateStream() = default;
  /// @cond server
  // By a function, since GCC's sanitizers compare no addresses of constants at compile time.
  consteval explicit TemplateStream(const detail::TemplateStreamKind& (*get_kind)()) : kind_(get_kind) {}
  [[nodiscard]] constexpr bool on() const { return kind_ != nullptr; }
  [[nodiscard]] constexpr const detail::TemplateStreamKind& kind() const { return kind_(); }
  /// @endcond

 private:
  const detail::TemplateStreamKind& (*kind_)() = nullptr;
};

/// Whether clients may subscribe to the URIs of a template: `true` for each URI that matches, or a function that
/// returns true for the URIs that exist, `.subscribable = pin_exists`. Context: main loop; must not block.
class TemplateSubscriptions {
 public:
  /// No subscriptions.
  constexpr TemplateSubscriptions() = default;
  /// Subscriptions to each URI that matches.
  consteval TemplateSubscriptions(bool on)  // NOLINT(google-explicit-constructor)
      : exists_(on ? always : nullptr) {}
  /// Subscriptions to the URIs for which `check` returns true. Another URI is not found.
  consteval TemplateSubscriptions(bool (*check)(const UriVariables& variables))  // NOLINT(google-explicit-constructor)
      : exists_(check) {}

  /// @cond server
  [[nodiscard]] constexpr bool on() const { return exists_ != nullptr; }
  [[nodiscard]] bool exists(const UriVariables& variables) const { return exists_(variables); }
  /// @endcond

 private:
  static bool always(const UriVariables&) { return true; }
  bool (*exists_)(const UriVariables& variables) = nullptr;
};

/// Resources whose URIs match an RFC 6570 template of levels 1 to 3. A variable takes the characters that a path
/// segment may contain, up to the literal or separator after it or the next `/`, `?` or `#`. A template of which two
/// sets of values have one expansion does not compile. `{+x}` and `{#x}` must be the last expression. The first
/// template that matches a URI decides. A URI of the resource table never matches a template, also if its row is
/// disabled. Matching is linear in the URI. Source: server/resources#resource-templates, 2025-11-25; RFC 6570.
struct ResourceTemplate {
  std::string_view uri_template = {};  ///< The template, such as `pin://{pin}`.
  std::string_view name = {};          ///< Required.
  std::string_view title = {};         ///< The display name. Not sent if empty, nor before revision 2025-06-18.
  std::string_view description = {};   ///< For the model. Not sent if empty.
  std::string_view mime_type = {};     ///< Of the bodies. Not sent if empty.
  /// Writes the current body to `out`, as Resource::read. `variables` has the decoded variables of the URI.
  Errc (*read)(const UriVariables& variables, ReadResult& out) = nullptr;
  Millis ttl_ms = 0;            ///< How long clients may cache bodies, as Resource::ttl_ms.
  Complete complete = nullptr;  ///< Suggests values for the variables; may be nullptr.
  Match match = Match::prefix;  ///< Which suggestions match the characters typed so far.
  /// Clients may subscribe to URIs that match. The application calls Server::resource_updated(uri) when the body of one
  /// changes. Limits: Limits::template_subscriptions, Limits::uri_size.
  TemplateSubscriptions subscribable = {};
  ExtrasOf<ResourceTemplateExtras> extras = {};  ///< Icons, annotations and `_meta`: names a constant.
  RowScope scope = {};                           ///< The scope that a caller needs, as Resource::scope.
  /// Reads bodies in pieces while the response is sent, instead of `read`. Made by text_stream_template().
  TemplateStream stream = {};
  /// The row is also a tool whose arguments are the variables, as Resource::as_tool.
  bool as_tool = false;
  /// @cond server
  bool asks = false;     // as of a Resource
  bool decodes = false;  // `tool` is there; GCC's sanitizers compare no addresses at compile time
  std::uint16_t job_size = 0;
  const detail::TemplateTool* tool = nullptr;  // of a row with `as_tool` and a params() table
  /// @endcond
};

namespace detail {

/// Fills `values`, a value-initialised struct, from the variables of a URI. Errors: writes the error -32602, which
/// names the variable, and returns Errc::handled.
Errc decode_variables(std::span<const ParamInfo> rows, const UriVariables& variables, void* values, ReadResult& out);

/// The same without an error: returns whether the table allows all values.
bool are_valid_variables(std::span<const ParamInfo> rows, const UriVariables& variables, void* values);

/// Offers the choices of the variable of this name, or true and false. Returns false for another type.
bool offer_choices(std::span<const ParamInfo> rows, const CompletionRequest& request, Completions& completions);

/// The struct of a params() table.
template <class T>
struct ParamsOf {
  static constexpr bool given = false;
};
template <class S, std::size_t N>
struct ParamsOf<const Params<S, N>&> {
  static constexpr bool given = true;
  static constexpr std::size_t count = N;
  using Struct = S;
};

template <const auto& params>
constexpr std::span<const ParamInfo> rows_of() {
  return {params.rows, ParamsOf<decltype(params)>::count};
}

/// True for a variable whose values the server knows.
consteval bool completes_itself(const ParamInfo& row) {
  return row.type == ParamType::choice || row.type == ParamType::boolean;
}

// The names of the template and of the table must be the same.
consteval void check_variables(std::string_view uri_template, std::span<const ParamInfo> rows) {
  std::uint32_t found = 0;
  while (!uri_template.empty()) {
    const Piece piece = next_piece(uri_template);
    std::string_view names = piece.expression ? names_of(piece.text) : std::string_view();
    while (!names.empty()) {
      const std::string_view name = next_name(names);
      std::size_t i = 0;
      while (i < rows.size() && rows[i].name != name) ++i;
      if (i == rows.size()) compile_error::each_variable_of_the_uri_template_needs_a_parameter();
      found |= 1u << i;
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((found >> i & 1) == 0) compile_error::each_parameter_must_be_a_variable_of_the_uri_template();
    if (is_container(rows[i].type)) compile_error::a_variable_must_be_a_number_a_boolean_a_string_or_a_choice();
    if (rows[i].header_size != 0) compile_error::a_header_must_be_for_a_parameter_of_the_tool_itself();
  }
}

template <const auto& params>
Errc complete_variables(const CompletionRequest& request, Completions& completions) {
  offer_choices(rows_of<params>(), request, completions);
  return Errc::ok;
}

template <auto Handler, class S, const auto& params>
Errc read_typed(const UriVariables& variables, ReadResult& out) {
  S values{};
  if (const Errc errc = decode_variables(rows_of<params>(), variables, &values, out); errc != Errc::ok) return errc;
  return Handler(values, out);
}

template <auto Handler, const auto& output>
Errc read_structured_variables(const UriVariables& variables, ReadResult& out) {
  return read_structured<Handler, output>(out, variables);
}

template <auto Handler, class S, const auto& params, const auto& output>
Errc read_structured_typed(const UriVariables& variables, ReadResult& out) {
  S values{};
  if (const Errc errc = decode_variables(rows_of<params>(), variables, &values, out); errc != Errc::ok) return errc;
  return read_structured<Handler, output>(out, values);
}

/// The handler of a row as a tool: reads the body of the variables at `values`.
using ReadValues = Errc (*)(const void* values, ReadResult& out);

/// How a tool reads the bodies of a template whose variables are a struct.
struct TemplateTool {
  std::span<const ParamInfo> rows;
  /// Ends with call_template<S>(), which has the struct.
  Errc (*invoke)(const Tool& tool, json::Value arguments, Call& call);
  ReadValues read;
};

/// Decodes the arguments into `values`, a value-initialised struct, and writes the body.
Errc call_template(const Tool& tool, json::Value arguments, void* values, Call& call);

template <class S>
Errc invoke_template(const Tool& tool, json::Value arguments, Call& call) {
  S values{};
  return call_template(tool, arguments, &values, call);
}

template <auto Handler, class S>
Errc read_values(const void* values, ReadResult& out) {
  return Handler(*static_cast<const S*>(values), out);
}

template <auto Handler, class S, const auto& output>
Errc read_structured_values(const void* values, ReadResult& out) {
  return read_structured<Handler, output>(out, *static_cast<const S*>(values));
}

template <class S, const auto& params, ReadValues read>
inline constexpr TemplateTool template_tool{rows_of<params>(), invoke_template<S>, read};

consteval void set_tool(ResourceTemplate& row, const TemplateTool& tool) {
  row.tool = &tool;
  row.decodes = true;
}

// Checks the names, and lets choices complete themselves.
template <const auto& params>
consteval void set_variables(ResourceTemplate& row) {
  check_variables(row.uri_template, rows_of<params>());
  if (row.complete != nullptr) return;
  for (const ParamInfo& info : rows_of<params>()) {
    if (completes_itself(info)) row.complete = complete_variables<params>;
  }
}

consteval void set_read(ResourceTemplate& row, Errc (*read)(const UriVariables& variables, ReadResult& out)) {
  if (row.read != nullptr) compile_error::a_row_of_resource_template_must_not_have_a_read_function();
  row.read = read;
}

consteval void set_json(ResourceTemplate& row) {
  if (row.mime_type.empty()) row.mime_type = "application/json";
}

}  // namespace detail

/// Makes a row whose variables are a struct, or whose body is one.
///
/// With a params() table, the handler is `Errc(const Pin& pin, mcp::ReadResult& out)`:
/// `mcp::resource_template<read_pin, pin_params>({.uri_template = "pin://{number}", .name = "pin"})`. Each variable has
/// a parameter of its name: an integer, float, double, bool, string_view, FixedString or enum. A bool is true or false.
/// A number has one text, so that two URIs never name one resource: decimal, without exponent and final zeros of a
/// fraction, a double with at most 15 digits, and a float with at most 6. A string is decoded UTF-8 without NUL. A
/// variable that a URI may lack, as in `{?since}`, is a std::optional or has a `default_value`. Its URIs with the
/// default and without are two texts of one resource, so no row of the table with a scope should have one of them.
/// Variables with choices, and booleans, complete themselves
/// if the row has no `complete` (see complete()). With an output() table, the handler is `Errc(const mcp::UriVariables&
/// variables, PinState& out)`, as for resource(). Errors: for a value that the table does not allow, the server does
/// not call the handler. The client gets the error -32602, which names the variable and says what is allowed. A name
/// that only the table or only the template has does not compile.
template <auto Handler, const auto& table>
consteval ResourceTemplate resource_template(ResourceTemplate row) {
  using T = decltype(table);
  if constexpr (detail::ParamsOf<T>::given) {
    using S = typename detail::ParamsOf<T>::Struct;
    static_assert(
        std::is_invocable_r_v<Errc, decltype(Handler), const S&, ReadResult&>,
        "the handler of this template must be Errc(const Variables&, mcp::ReadResult&) with the struct of its "
        "params()");
    detail::set_variables<table>(row);
    detail::set_read(row, detail::read_typed<Handler, S, table>);
    if (row.as_tool) detail::set_tool(row, detail::template_tool<S, table, detail::read_values<Handler, S>>);
  } else {
    static_assert(std::is_invocable_r_v<Errc, decltype(Handler), const UriVariables&, detail::OutputOf<table>&>,
                  "the handler of this template must be Errc(const mcp::UriVariables&, Output&) with the struct of its "
                  "output()");
    detail::set_read(row, detail::read_structured_variables<Handler, table>);
    detail::set_json(row);
  }
  return row;
}

/// Makes a row whose variables and whose body are structs. The handler is `Errc(const Pin& pin, PinState& out)`.
template <auto Handler, const auto& params, const auto& output>
consteval ResourceTemplate resource_template(ResourceTemplate row) {
  using S = typename detail::ParamsOf<decltype(params)>::Struct;
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), const S&, detail::OutputOf<output>&>,
                "the handler of this template must be Errc(const Variables&, Output&) with the structs of its params() "
                "and output()");
  detail::set_variables<params>(row);
  detail::set_read(row, detail::read_structured_typed<Handler, S, params, output>);
  if (row.as_tool)
    detail::set_tool(row, detail::template_tool<S, params, detail::read_structured_values<Handler, S, output>>);
  detail::set_json(row);
  return row;
}

namespace detail {

/// The state of a stream: the variables, then the size of the URI, then the URI.
inline constexpr std::size_t uri_size_bytes = 2;

/// Returns the size of the longest URI of a stream. A client may encode each byte of a value, and must encode those of
/// a literal that no URI has.
constexpr std::size_t longest_stream_uri(const ResourceTemplate& row) {
  std::size_t size = row.uri_template.size() + row.stream.kind().values_size;
  for (const char c : row.uri_template) {
    if (!is_unreserved(c) && !is_reserved(c) && c != '{' && c != '}' && c != '%') size += 2;
  }
  return size;
}

/// Returns the bytes of the largest state of a stream in a table, a multiple of 8; 0 without streams.
constexpr std::size_t stream_state_size(std::span<const ResourceTemplate> rows) {
  std::size_t largest = 0;
  for (const ResourceTemplate& row : rows) {
    if (!row.stream.on()) continue;
    const std::size_t size = row.stream.kind().variables_size + uri_size_bytes + longest_stream_uri(row);
    if (size > largest) largest = size;
  }
  return (largest + 7) / 8 * 8;
}

/// Returns where the state of the first stream is, after the ids of all streams.
constexpr std::size_t first_stream_state(std::size_t streams, std::size_t id_size) {
  return (streams * id_size + 7) / 8 * 8;
}

/// The most bytes of a value of this variable in a URI that a client need write, with its name and a separator.
consteval std::size_t value_size(const ParamInfo& row) {
  constexpr std::size_t separators = 2;
  constexpr std::size_t longest_number = 32;  // the digits of a double, with an encoded plus
  std::size_t longest = longest_number;
  if (row.type == ParamType::string) longest = std::size_t{3} * row.row_count;
  if (row.type == ParamType::choice) {
    for (const Choice& choice : row.choices()) longest = choice.name.size() > longest ? choice.name.size() : longest;
    longest *= 3;
  }
  return longest + separators;
}

consteval std::uint16_t values_size(std::span<const ParamInfo> rows) {
  std::size_t size = 0;
  for (const ParamInfo& row : rows) {
    const bool is_view = row.type == ParamType::string && row.row_count == 0;
    if (is_view) compile_error::a_stream_must_take_a_FixedString_instead_of_a_string_view();
    size += value_size(row);
  }
  return static_cast<std::uint16_t>(size < 0xFFFF ? size : 0xFFFF);
}

template <class S, const auto& params>
Errc begin_stream(const UriVariables& variables, void* state, ReadResult& out) {
  return decode_variables(rows_of<params>(), variables, new (state) S{}, out);
}

template <auto Read, class S>
Chunk read_stream(const void* state, std::uint32_t offset, std::span<std::uint8_t> into) {
  return Read(*static_cast<const S*>(state), offset, into);
}

template <auto Read, class S, const auto& params, bool is_text>
inline constexpr TemplateStreamKind stream_kind{begin_stream<S, params>, read_stream<Read, S>, sizeof(S),
                                                values_size(rows_of<params>()), is_text};

template <auto Read, class S, const auto& params, bool is_text>
constexpr const TemplateStreamKind& kind_of_stream() {
  return stream_kind<Read, S, params, is_text>;
}

template <auto Read, const auto& params, bool is_text>
consteval ResourceTemplate stream_template(ResourceTemplate row) {
  using S = typename ParamsOf<decltype(params)>::Struct;
  static_assert(std::is_invocable_r_v<Chunk, decltype(Read), const S&, std::uint32_t, std::span<std::uint8_t>>,
                "the function of this stream must be Chunk(const Variables&, std::uint32_t offset, "
                "std::span<std::uint8_t> into) with the struct of its params()");
  static_assert(sizeof(S) <= 0x7FFF && alignof(S) <= 8, "the variables of a stream take at most 32767 bytes");
  if (row.read != nullptr) compile_error::a_row_of_resource_template_must_not_have_a_read_function();
  set_variables<params>(row);
  row.stream = TemplateStream(kind_of_stream<Read, S, params, is_text>);
  if (longest_stream_uri(row) > 0xFFFF) compile_error::the_uris_of_a_stream_must_have_at_most_65535_bytes();
  return row;
}

}  // namespace detail

/// Makes a row whose bodies are texts of any size, read in pieces: `mcp::text_stream_template<read_day,
/// day_params>({…})` with `Chunk read_day(const Day& day, std::uint32_t offset, std::span<std::uint8_t> into)`. The
/// variables are as for resource_template(); they stay in the slot of the read, so a string is a FixedString.
/// `read_day` is as ReadChunk. Limits: each read in progress uses one of Limits::streams. RAM for each: the struct, and
/// the longest URI. Errors: as for Resource::stream, and -32602 for a URI with longer values than the table allows.
template <auto Read, const auto& params>
consteval ResourceTemplate text_stream_template(const ResourceTemplate& row) {
  return detail::stream_template<Read, params, true>(row);
}

/// Makes a row whose bodies are bytes of any size, sent as base64, as text_stream_template().
template <auto Read, const auto& params>
consteval ResourceTemplate blob_stream_template(const ResourceTemplate& row) {
  return detail::stream_template<Read, params, false>(row);
}

/// A check for ResourceTemplate::subscribable: returns true if the params() table allows the variables of a URI, so
/// that clients subscribe only to URIs that they can read: `.subscribable = mcp::has_valid_variables<pin_params>`.
template <const auto& params>
bool has_valid_variables(const UriVariables& variables) {
  typename detail::ParamsOf<decltype(params)>::Struct values{};
  return detail::are_valid_variables(detail::rows_of<params>(), variables, &values);
}

/// A completion function for variables of a params() table: offers the choices of an enum, and true and false for a
/// bool. For another variable it calls `Other`: `.complete = mcp::complete<pin_params, suggest_name>`.
template <const auto& params, Complete Other>
Errc complete(const CompletionRequest& request, Completions& completions) {
  return detail::offer_choices(detail::rows_of<params>(), request, completions) ? Errc::ok
                                                                                : Other(request, completions);
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
