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

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/body_stream.hpp"
#include "mcp/completion.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/number.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/response.hpp"
#include "mcp/scopes.hpp"
#include "mcp/text_pieces.hpp"
#include "mcp/uri_template.hpp"

namespace mcp {

namespace compile_error {
void a_row_of_resource_must_not_have_a_read_function_or_a_stream();
}  // namespace compile_error

/// The body of a resource. The handler calls exactly one function, once. The bytes go into the transmit buffer at once.
/// Lifetime: valid until the handler returns. Errors: the functions return Errc::no_space if the body does not fit.
class ReadResult {
 public:
  /// Writes a text body, made of pieces (see TextPiece). Bytes that are not UTF-8 become U+FFFD.
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

  /// Sends the error -32603 with this message, made of pieces (see TextPiece), instead of a body. The handler returns
  /// Errc::handled, which this function returns.
  template <TextPiece... Pieces>
  Errc fail(Pieces&&... pieces) {
    json::Writer& out = fail_begin();
    (detail::append_piece(out, pieces), ...);
    return fail_end();
  }

  /// @cond server
  /// A body inside the contents item, in the result of a request.
  explicit ReadResult(rpc::Response& response) : out_(response.out), response_(response) {}
  /// Ends what json() began, and makes a missing body an empty text.
  void finish();
  /// True if the response is the error of fail().
  [[nodiscard]] bool has_failed() const { return state_ == State::failed; }
  /// fail() in parts, without pieces, for any code of an error.
  json::Writer& fail_begin();
  json::Writer& fail_begin(int code);
  Errc fail_end();
  /// structured() for the rows of any table.
  Errc structured(std::span<const detail::ParamInfo> rows, const void* value);
  /// @endcond

 private:
  enum class State : std::uint8_t { empty, json, done, failed };
  void text_begin();
  Errc text_end();

  json::Writer& out_;
  rpc::Response& response_;
  State state_ = State::empty;
};

/// The variables of a URI that matches a template, percent-decoded. Lifetime: valid until the handler returns.
class UriVariables {
 public:
  /// @cond server
  explicit UriVariables(std::span<const UriVariable> variables) : variables_(variables) {}
  /// @endcond

  /// Returns the value of a variable; empty if the URI has none. The client chooses the bytes: they may contain NUL,
  /// and may not be UTF-8.
  [[nodiscard]] std::string_view operator[](std::string_view name) const;

  /// Reads a variable as a decimal integer from `minimum` to `maximum`.
  /// Errors: returns Errc::invalid_argument for any other value. The handler returns it.
  Errc integer(std::string_view name, std::int32_t minimum, std::int32_t maximum, std::int32_t& value) const;

 private:
  std::span<const UriVariable> variables_;
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
template <class T>
struct OutputOf;
template <class S, std::size_t N>
struct OutputOf<const Output<S, N>&> {
  using Struct = S;
};

template <auto Handler, class O, const auto& output>
Errc read_structured(ReadResult& out) {
  O value{};
  if (const Errc errc = Handler(value); errc != Errc::ok) return errc;
  return out.structured(output, value);
}

}  // namespace detail

/// Makes a row whose body is the struct that the table `output` describes, as JSON:
/// `mcp::resource<read_climate, climate_output>({.uri = …, .name = …})`. The handler fills the struct. `output` is a
/// constant, made by output(). `mime_type` is "application/json" if the row gives none.
/// Errors: as for Resource::read and ReadResult::structured().
template <auto Handler, const auto& output>
consteval Resource resource(Resource row) {
  using O = typename detail::OutputOf<decltype(output)>::Struct;
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), O&>,
                "the handler of this resource must be Errc(Output&) with the struct of its output()");
  if (row.read != nullptr || row.stream.on())
    compile_error::a_row_of_resource_must_not_have_a_read_function_or_a_stream();
  row.read = detail::read_structured<Handler, O, output>;
  if (row.mime_type.empty()) row.mime_type = "application/json";
  return row;
}

/// Resources whose URIs match an RFC 6570 template of levels 1 to 3. A variable takes the characters that its
/// expression may expand to, up to the literal after it. `{+x}` and `{#x}` must be the last expression. The first
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
  Millis ttl_ms = 0;                             ///< How long clients may cache bodies, as Resource::ttl_ms.
  Complete complete = nullptr;                   ///< Suggests values for the variables; may be nullptr.
  ExtrasOf<ResourceTemplateExtras> extras = {};  ///< Icons, annotations and `_meta`: names a constant.
  RowScope scope = {};                           ///< The scope that a caller needs, as Resource::scope.
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
