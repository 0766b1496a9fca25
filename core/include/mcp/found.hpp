// SPDX-License-Identifier: Apache-2.0
/// @file
/// Resources and tools that the device finds at run time: sensors on a bus, files on a card, channels of a modem.
/// @code
/// bool describe_sensor(std::uint16_t number, mcp::FoundResource& row) {
///   if (!board::has_sensor(number)) return false;
///   row.uri("onewire://", board::rom_code(number), "/celsius");
///   row.name("Sensor ", number);
///   return true;
/// }
/// mcp::Errc read_sensor(std::uint16_t number, mcp::ReadResult& out) { return out.number(board::sensor(number)); }
/// constexpr mcp::FoundResources sensors{.numbers = 16, .describe = describe_sensor, .read = read_sensor};
/// @endcode
/// Tools that share a handler or job, arguments and annotations are of one kind:
/// @code
/// mcp::Errc switch_relay(const Switch& arguments, mcp::Call& call) { return board::relay(call.row(), arguments.on); }
/// constexpr mcp::Tool kinds[] = {mcp::tool<switch_relay>({.name = "relay"}, switch_params)};
/// bool describe_relay(std::uint16_t number, mcp::FoundTool& row) {
///   row.name("relay_", number);
///   row.kind(0);
///   return board::has_relay(number);
/// }
/// constexpr mcp::FoundTools relays{.numbers = 8, .describe = describe_relay, .kinds = kinds};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/call.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"
#include "mcp/scopes.hpp"
#include "mcp/text_pieces.hpp"
#include "mcp/tool.hpp"

namespace mcp {

namespace compile_error {
void found_rows_need_1_or_more_numbers();
void found_resources_need_a_describe_function();
void subscribable_found_resources_need_a_read_function();
void found_tools_need_a_describe_function();
void found_tools_need_a_call_function_or_kinds();
void found_resources_with_a_scope_must_have_no_ttl_ms();
}  // namespace compile_error

/// No number of a row, for FoundResources::find, FoundTools::find and Call::row().
inline constexpr std::uint16_t no_number = 0xFFFF;

/// A piece of FoundResource::uri() that may contain any bytes, such as a file name. The server writes all except
/// letters, digits and `-._~/` as escapes (`%20`). Source: RFC 3986 section 2.1.
struct UriText {
  std::string_view text;  ///< Lifetime: until the call returns.
};

/// @cond server
namespace detail {

/// The parts of a found row that a writer takes.
enum class FoundPart : std::uint8_t { uri = 1, name = 2, title = 4, description = 8, mime_type = 16, others = 32 };

/// Writes the members of one found row, each at most once.
class FoundRow {
 public:
  /// A row of which the parts in `wanted`, a set of bits, are written. `bare`: the value alone, without its key.
  FoundRow(json::Writer& out, std::uint8_t wanted, bool bare, Shown shown)
      : out_(out), left_(wanted), bare_(bare), shown_(shown) {}
  /// The URI of a resource or the name of a tool, as it is in the buffer: until more is written or removed. Empty if
  /// the row has none.
  [[nodiscard]] std::string_view key() const { return {key_, key_size_}; }
  /// True if the function has given this part.
  [[nodiscard]] bool has(FoundPart part) const { return (given_ & static_cast<std::uint8_t>(part)) != 0; }

  static constexpr std::uint8_t all = 0x3F;

 protected:
  /// Begins a string. False if this part is not wanted: nothing else of it is then written.
  [[nodiscard]] bool begin(FoundPart part, json::Text name);
  void end(FoundPart part, FoundPart key);
  /// Begins a part that is no string. It ends without end().
  [[nodiscard]] bool begin_value(FoundPart part);
  void append(const UriText& piece);
  template <TextPiece Piece>
  void append(Piece& piece) {
    append_piece(out_, piece);
  }
  template <class... Pieces>
  void write(FoundPart part, FoundPart key, json::Text name, Pieces&... pieces) {
    if (!begin(part, name)) return;
    (append(pieces), ...);
    end(part, key);
  }
  [[nodiscard]] Shown shown() const { return shown_; }

  json::Writer& out_;

 private:
  const char* start_ = nullptr;  // of the string that is written now
  const char* key_ = nullptr;
  std::size_t key_size_ = 0;
  std::uint8_t left_;
  std::uint8_t given_ = 0;
  bool bare_;
  Shown shown_;
};

}  // namespace detail
/// @endcond

/// Takes the description of one resource that exists now. Every function is called at most once, in any order. A second
/// call does nothing. Strings are made of pieces (see TextPiece), and the server copies them at once. It needs only a
/// part of the row most of the time, and ignores the rest.
class FoundResource : public detail::FoundRow {
 public:
  /// Sets the URI. Required, unique, and unchanged while the row exists. An RFC 3986 URI, or the server omits the row.
  template <class... Pieces>
  void uri(Pieces&&... pieces) {
    write(Part::uri, Part::uri, "uri", pieces...);
  }
  /// Sets the name. Required.
  template <TextPiece... Pieces>
  void name(Pieces&&... pieces) {
    write(Part::name, Part::uri, "name", pieces...);
  }
  /// Sets the display name. Not sent before revision 2025-06-18.
  template <TextPiece... Pieces>
  void title(Pieces&&... pieces) {
    write(Part::title, Part::uri, "title", pieces...);
  }
  /// Sets the description, for the model.
  template <TextPiece... Pieces>
  void description(Pieces&&... pieces) {
    write(Part::description, Part::uri, "description", pieces...);
  }
  /// Sets the MIME type of the body.
  template <TextPiece... Pieces>
  void mime_type(Pieces&&... pieces) {
    write(Part::mime_type, Part::uri, "mimeType", pieces...);
  }
  /// Sets the size of the body in bytes, and its annotations, such as the time of the last change.
  void size(std::uint32_t bytes, const Annotations& annotations = {});

  /// @cond server
  using detail::FoundRow::FoundRow;
  /// @endcond

 private:
  using Part = detail::FoundPart;
};

/// Takes the description of one tool that exists now, as FoundResource.
class FoundTool : public detail::FoundRow {
 public:
  /// Sets the name. Required, unique: 1 to 128 of A-Z a-z 0-9 _ - . or the server omits the row.
  template <TextPiece... Pieces>
  void name(Pieces&&... pieces) {
    write(Part::name, Part::name, "name", pieces...);
  }
  /// Sets the display name. Not sent before revision 2025-06-18.
  template <TextPiece... Pieces>
  void title(Pieces&&... pieces) {
    write(Part::title, Part::name, "title", pieces...);
  }
  /// Sets the description, for the model.
  template <TextPiece... Pieces>
  void description(Pieces&&... pieces) {
    write(Part::description, Part::name, "description", pieces...);
  }
  /// Sets the JSON Schema of the arguments: a JSON object with `"type":"object"` at its root, without `x-mcp-header`.
  /// The server checks this, and omits the row if it is not so. Without a schema, the tool takes any arguments.
  /// Lifetime: `json` is copied.
  void input_schema(std::string_view json);
  /// The same, written in place: `write` gets a json::Writer& inside of the schema, after `"type":"object"`, and writes
  /// the other members, such as `properties`. It must not write `x-mcp-header`. Context: called only while a list is
  /// written, and at most once.
  template <std::invocable<json::Writer&> Write>
  void input_schema(Write&& write) {
    if (!schema_begin()) return;
    write(out_);
    out_.object_end();
  }
  /// Makes the row one of FoundTools::kinds, by its index. Errors: a row without a kind needs FoundTools::call,
  /// and a kind must exist, or the server omits the row.
  void kind(std::uint16_t index) { kind_ = index; }

  /// @cond server
  using detail::FoundRow::FoundRow;
  /// True if input_schema() has been given JSON that is no schema.
  [[nodiscard]] bool has_invalid_schema() const { return invalid_schema_; }
  /// True if input_schema() has been given a text, which must be checked.
  [[nodiscard]] bool has_text_schema() const { return text_schema_; }
  /// The index given to kind(), or no_kind.
  [[nodiscard]] std::uint16_t kind() const { return kind_; }
  static constexpr std::uint16_t no_kind = 0xFFFF;
  /// @endcond

 private:
  using Part = detail::FoundPart;
  bool schema_begin();
  std::uint16_t kind_ = no_kind;
  bool text_schema_ = false;
  bool invalid_schema_ = false;
};

/// Resources that the device finds at run time, listed after the constant ones. A row has a number and keeps it while
/// it exists. A URI of the resource table never belongs to a found row, also if its row is disabled. A found row is
/// looked for before the templates. Lifetime: the functions are called in the main loop, and must not block.
struct FoundResources {
  /// Rows have the numbers 0 to `numbers` - 1, with any gaps. At most 65535, together with the resource table. RAM if
  /// `subscribable`: 1 byte for each number, and 2 bits for each session and each of Limits::subscriptions.
  std::uint16_t numbers = 0;
  /// Describes row `number`. Returns false if there is none now. The server calls it for each number of a list, and to
  /// find a URI. Errors: a row whose description is invalid, or too long for Limits::transmit_size, is omitted from the
  /// list and counted in Health::found_rows_omitted.
  bool (*describe)(std::uint16_t number, FoundResource& row) = nullptr;
  /// Writes the body of row `number`, as Resource::read. nullptr: a template serves the URIs, and this is its list.
  Errc (*read)(std::uint16_t number, ReadResult& out) = nullptr;
  /// Returns the number of a URI, as the client wrote it, or no_number. Set it if describing all rows takes long. The
  /// server checks the number with `describe`.
  std::uint16_t (*find)(std::string_view uri) = nullptr;
  /// Clients may subscribe. The application calls Server::found_resource_updated(number) when a body changes, and
  /// Server::found_resource_ended(number) when a row ends.
  bool subscribable = false;
  /// How long clients may cache the bodies, as Resource::ttl_ms.
  Millis ttl_ms = 0;
  /// The scope that a caller needs to read these rows and to subscribe to them, also by a template that gives its
  /// variables the same values. Without `read`, each template needs a scope, too.
  RowScope scope = {};
};

/// Tools that the device finds at run time, listed after the constant ones. A name of the tool table never belongs to a
/// found tool, also if its row is disabled.
struct FoundTools {
  /// Rows have the numbers 0 to `numbers` - 1, as those of FoundResources.
  std::uint16_t numbers = 0;
  /// Describes row `number`, as FoundResources::describe.
  bool (*describe)(std::uint16_t number, FoundTool& row) = nullptr;
  /// Handles a call, as the handler of a tool with an InputSchema: it checks the arguments (an object, or missing). Not
  /// for rows of a kind (FoundTool::kind). nullptr: each row has a kind.
  Errc (*call)(std::uint16_t number, json::Value arguments, Call& call) = nullptr;
  /// The scope that a caller needs to call these tools. The scope of a kind replaces it.
  RowScope scope = {};
  /// Returns the number of the row with this name, or no_number. Set it if describing all rows takes long. The server
  /// checks the number with `describe`.
  std::uint16_t (*find)(std::string_view name) = nullptr;
  /// What rows have in common: names an array of tools. FoundTool::kind() gives a row the arguments, annotations,
  /// icons, scope, output, interlock, task support, and handler or job of one of them; the row has its own name, title
  /// and description, and its own schema of arguments if it gives one. Clients never see a kind itself. Its name is for
  /// errors of the compiler and for audit records of jobs. Lifetime: the array lives as long as the program.
  std::span<const Tool> kinds = {};
};

/// @cond server
namespace detail {
template <class Function>
struct MemberFunction;
template <class Class, class Result, class... Arguments>
struct MemberFunction<Result (Class::*)(Arguments...)> {
  template <auto& object, Result (Class::*function)(Arguments...)>
  static Result call(Arguments... arguments) {
    return (object.*function)(static_cast<Arguments>(arguments)...);
  }
};
template <class Class, class Result, class... Arguments>
struct MemberFunction<Result (Class::*)(Arguments...) const> {
  template <auto& object, Result (Class::*function)(Arguments...) const>
  static Result call(Arguments... arguments) {
    return (object.*function)(static_cast<Arguments>(arguments)...);
  }
};
}  // namespace detail
/// @endcond

/// A member function of an object, as a function of found rows: `.describe = mcp::bound<node, &Node::describe>`. So two
/// devices of an application can share code. `object` is a variable of static storage duration. Without RAM.
template <auto& object, auto function>
inline constexpr auto bound = detail::MemberFunction<decltype(function)>::template call<object, function>;

/// A found row that no list has, and why.
struct OmittedRow {
  std::uint16_t number;     ///< Of the row.
  std::string_view key;     ///< The URI or name, as far as it is known. Lifetime: until the function returns.
  std::string_view reason;  ///< For the log of the device, such as "the name is missing or invalid".
};

/// A reference to constant FoundResources or FoundTools, made by naming them: `.found_resources = sensors`.
template <class Rows>
class FoundTable {
 public:
  /// @cond server
  constexpr FoundTable() = default;
  consteval FoundTable(const Rows& rows)  // NOLINT(google-explicit-constructor)
      : rows_(&rows), any_(true), scoped_(rows.scope.given()) {
    if (rows.numbers == 0) compile_error::found_rows_need_1_or_more_numbers();
    if constexpr (std::same_as<Rows, FoundTools>) {
      readable_ = rows.call != nullptr;
      if (rows.describe == nullptr) compile_error::found_tools_need_a_describe_function();
      if (!readable_ && rows.kinds.empty()) compile_error::found_tools_need_a_call_function_or_kinds();
    } else {
      subscribable_ = rows.subscribable;
      readable_ = rows.read != nullptr;
      if (rows.describe == nullptr) compile_error::found_resources_need_a_describe_function();
      if (subscribable_ && !readable_) compile_error::subscribable_found_resources_need_a_read_function();
      if (scoped_ && rows.ttl_ms != 0) compile_error::found_resources_with_a_scope_must_have_no_ttl_ms();
    }
  }
  [[nodiscard]] constexpr bool any() const { return any_; }
  [[nodiscard]] constexpr bool subscribable() const { return subscribable_; }
  /// True if the rows have a function of their own that reads or calls them.
  [[nodiscard]] constexpr bool readable() const { return readable_; }
  /// The rows of a reference that has some.
  [[nodiscard]] constexpr const Rows& get() const { return *rows_; }
  /// The kinds of tools, also of a reference that has none.
  [[nodiscard]] constexpr std::span<const Tool> kinds() const {
    if constexpr (std::same_as<Rows, FoundTools>) {
      if (any_) return rows_->kinds;
    }
    return {};
  }
  /// The scope of the rows, also of a reference that has none.
  [[nodiscard]] consteval RowScope scope() const { return any_ ? rows_->scope : RowScope(); }
  /// True if the rows need a scope.
  [[nodiscard]] constexpr bool scoped() const { return scoped_; }
  /// The number of subscription targets.
  [[nodiscard]] constexpr std::uint16_t targets() const { return subscribable_ ? rows_->numbers : 0; }
  /// @endcond

 private:
  const Rows* rows_ = nullptr;
  bool any_ = false;  // since GCC's sanitizers compare no addresses at compile time
  bool scoped_ = false;
  bool subscribable_ = false;
  bool readable_ = false;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
