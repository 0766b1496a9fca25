// Resources and resource templates as rows of constant tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/body_stream.hpp"
#include "mcp/completion.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/number.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/port.hpp"
#include "mcp/text_pieces.hpp"
#include "mcp/uri_template.hpp"

namespace mcp {

/// Where the handler of a resource puts the body: exactly one of the functions below, once. Everything is written
/// straight into the outgoing message; Errc::no_space when it does not fit. Lives on the stack of the server.
class ReadResult {
 public:
  /// A text body, made of pieces (see TextPiece). Bytes that are not UTF-8 become U+FFFD.
  template <TextPiece... Pieces>
  Errc text(Pieces&&... pieces) {
    text_begin();
    (detail::append_piece(out_, pieces), ...);
    return text_end();
  }

  /// A text body that is one number.
  template <class T>
  requires std::is_arithmetic_v<T> Errc number(T value) { return text(value); }

  /// A text body that is JSON: write exactly one value with the writer that is returned, then return Errc::ok.
  [[nodiscard]] json::Writer& json();

  /// A binary body; sent as base64. `bytes` is free again on return.
  Errc blob(std::span<const std::uint8_t> bytes);

  /// For the server: a body written to `out`, inside of the contents item.
  explicit ReadResult(json::Writer& out) : out_(out) {}
  /// For the server: ends what json() began, and makes a body that was never written an empty text.
  void finish();

 private:
  enum class State : std::uint8_t { empty, json, done };
  void text_begin();
  Errc text_end();

  json::Writer& out_;
  State state_ = State::empty;
};

/// The variables of the template that a URI matched, percent-decoded. Valid until the handler returns.
class UriVariables {
 public:
  /// For the server.
  explicit UriVariables(std::span<const UriVariable> variables) : variables_(variables) {}

  /// The value of a variable: any bytes, NUL and non-UTF-8 included, since a client can encode what it likes. Empty
  /// when the URI has none.
  [[nodiscard]] std::string_view operator[](std::string_view name) const;

  /// Reads a variable as a decimal integer. Errc::invalid_argument when it is none or is outside [minimum, maximum].
  Errc integer(std::string_view name, std::int32_t minimum, std::int32_t maximum, std::int32_t& value) const;

 private:
  std::span<const UriVariable> variables_;
};

/// A resource at a fixed URI. Strings are UTF-8 and live as long as the program.
struct Resource {
  std::string_view uri = {};          ///< RFC 3986, unique; escapes in the normal form of section 6.2.2.
  std::string_view name = {};         ///< Required.
  std::string_view title = {};        ///< For people. Not sent when empty, nor before revision 2025-06-18.
  std::string_view description = {};  ///< For the model. Not sent when empty.
  std::string_view mime_type = {};    ///< Of the body. Not sent when empty.
  /// Writes the body as it is now. Main loop, must not block. An Errc other than ok becomes a JSON-RPC error: not_found
  /// -32002, invalid_argument -32602, others -32603.
  Errc (*read)(ReadResult& out) = nullptr;
  /// In place of `read`: the body is read piece by piece while it is sent, and may be larger than the window. Takes one
  /// of Limits::streams. A failure before anything was sent becomes an error as above; after that the message is cut
  /// off, so that no client takes half of a body for all of it, and the error follows.
  BodyStream stream = {};
  /// Clients may subscribe; the application calls Server::resource_updated() when the body changes.
  bool subscribable = false;
  /// For how long clients may keep what they read, in milliseconds: for bodies that do not change, and are the same for
  /// everybody. 0: what was read is old at once, and nobody else's. Source: server/utilities/caching, 2026-07-28.
  Millis ttl_ms = 0;
  ExtrasOf<ResourceExtras> extras = {};  ///< Icons, annotations, size and `_meta`: names a constant.
};

/// Resources whose URIs match an RFC 6570 template, levels 1 to 3. A variable takes what its expression may expand to,
/// up to the literal behind it; `{+x}` and `{#x}` must be the last expression. Matching is linear in the URI; a URI of
/// the resource table is that row's, also while the row is disabled. The first template that matches a URI decides.
/// What is not said of a member is as for Resource. Source: server/resources#resource-templates, 2025-11-25; RFC 6570.
struct ResourceTemplate {
  std::string_view uri_template = {};
  std::string_view name = {};
  std::string_view title = {};
  std::string_view description = {};
  std::string_view mime_type = {};
  Errc (*read)(const UriVariables& variables, ReadResult& out) = nullptr;  ///< As Resource::read.
  Millis ttl_ms = 0;                                                       ///< As Resource::ttl_ms.
  Complete complete = nullptr;                   ///< Suggests values for the variables; may be nullptr.
  ExtrasOf<ResourceTemplateExtras> extras = {};  ///< Icons, annotations and `_meta`: names a constant.
};

}  // namespace mcp
