// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tables of parameters and outputs. A table gives the JSON Schema, the check and the decoder of one struct.
/// @code
/// enum class Mode : std::uint8_t { off, on };
/// constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}});
/// struct SetHeater {
///   Mode mode;
///   std::optional<float> celsius;
/// };
/// constexpr auto set_heater_params =
///     mcp::params(mcp::param<&SetHeater::mode>("mode", {.choices = modes}),
///                 mcp::param<&SetHeater::celsius>("celsius", {.minimum = 5, .maximum = 30}));
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "mcp/assert.hpp"
#include "mcp/detail/exact_number.hpp"
#include "mcp/detail/string_check.hpp"
#include "mcp/detail/tag.hpp"
#include "mcp/detail/units.hpp"
#include "mcp/errors.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/values.hpp"

namespace mcp {

class Call;

/// Errors in a table. Each function is declared and never defined. A call while the compiler evaluates the table is a
/// compiler error, and the name of the function is its text.
namespace compile_error {
void a_parameter_needs_a_name();
void two_parameters_must_not_have_the_same_name();
void two_parameters_must_not_have_the_same_member();
void the_minimum_must_not_exceed_the_maximum();
void the_default_value_must_be_between_minimum_and_maximum();
void the_default_value_must_be_one_of_the_choices();
void the_default_value_must_be_a_multiple_of_multiple_of();
void the_default_value_must_match_the_pattern_or_the_format();
void multiple_of_must_be_above_zero();
void multiple_of_a_float_must_be_a_whole_number_or_a_binary_fraction_such_as_0_5_or_0_25();
void checks_format_needs_a_format_other_than_email();
void a_string_must_have_a_pattern_or_a_checked_format_and_not_both();
void the_default_value_must_fit_the_fixed_string();
void the_maximum_length_must_not_exceed_the_capacity_of_the_fixed_string();
void an_enum_parameter_needs_choices();
void the_title_of_a_choice_must_not_be_empty();
void the_name_of_a_choice_must_not_be_empty();
void two_choices_must_not_have_the_same_name();
void two_choices_must_not_have_the_same_value();
void a_struct_parameter_needs_fields();
void the_least_number_of_items_must_not_exceed_the_capacity_of_the_list();
void the_items_of_a_list_must_not_have_a_default_value();
void the_items_of_a_list_must_not_be_deprecated();
void unique_items_need_a_list_of_integers_strings_or_choices();
void a_list_with_unique_items_must_have_a_capacity_of_at_most_256();
void the_title_of_the_items_of_a_list_must_have_at_most_255_bytes();
void structs_must_not_be_nested_deeper_than_4_levels();
void the_fields_of_params_must_be_params_and_not_an_output();
void the_fields_of_an_output_must_be_an_output_and_not_params();
void a_header_must_be_a_token_of_at_most_64_characters();
void two_parameters_must_not_have_the_same_header();
void a_header_must_be_for_an_integer_a_boolean_or_a_string();
void a_header_must_be_for_a_parameter_of_the_tool_itself();
void each_member_of_the_struct_needs_a_parameter_or_must_be_in_without();
void a_member_in_without_must_not_be_a_parameter_or_there_twice();
}  // namespace compile_error

namespace detail {

enum class ParamType : std::uint8_t {
  integer,
  unsigned_integer,
  number,
  boolean,
  string,
  choice,
  nullable,
  list,
  unique_list,
  map,
  object
};

/// True for a kind that contains values: a Nullable, a list, a map and a struct.
constexpr bool is_container(ParamType type) { return type >= ParamType::nullable; }
/// True for a kind whose row has a ListInfo.
consteval bool has_items(ParamType type) { return type >= ParamType::nullable && type <= ParamType::map; }

/// A bound, a default value, or a value that a codec has read.
class Bound {
 public:
  enum class Kind : std::uint8_t {
    integer,  // integer, boolean, choice
    unsigned_integer,
    real,
    single,
    text,
    titles,  // choice, and list of choices
  };
  constexpr Bound() : Bound(std::int64_t{0}) {}
  constexpr explicit Bound(std::int64_t value) : i_(value), tag_(Kind::integer) {}
  consteval explicit Bound(std::uint64_t value) : u_(value), tag_(Kind::unsigned_integer) {}
  consteval explicit Bound(double value) : d_(value), tag_(Kind::real) {}
  constexpr explicit Bound(float value) : f_(value), tag_(Kind::single) {}
  constexpr explicit Bound(std::string_view value) : s_(value), tag_(Kind::text) {}
  consteval explicit Bound(const std::string_view* values) : titles_(values), tag_(Kind::titles) {}

  [[nodiscard]] constexpr std::int64_t i() const { return tag_.check(Kind::integer), i_; }
  [[nodiscard]] constexpr std::uint64_t u() const { return tag_.check(Kind::unsigned_integer), u_; }
  [[nodiscard]] constexpr double d() const { return tag_.check(Kind::real), d_; }
  [[nodiscard]] constexpr float f() const { return tag_.check(Kind::single), f_; }
  [[nodiscard]] constexpr std::string_view s() const { return tag_.check(Kind::text), s_; }
  [[nodiscard]] constexpr const std::string_view* titles() const { return tag_.check(Kind::titles), titles_; }

  /// Each returns the number that becomes the value. The caller writes it.
  [[nodiscard]] std::int64_t& begin_i() { return tag_ = Tag(Kind::integer), i_; }
  [[nodiscard]] std::uint64_t& begin_u() { return tag_ = Tag(Kind::unsigned_integer), u_; }
  [[nodiscard]] double& begin_d() { return tag_ = Tag(Kind::real), d_; }

  /// Returns the first byte of the value.
  [[nodiscard]] const char* bytes(Kind kind) const {
    tag_.check(kind);
    return reinterpret_cast<const char*>(this);
  }

 private:
  union {
    std::int64_t i_;
    std::uint64_t u_;
    double d_;
    float f_;
    std::string_view s_;
    const std::string_view* titles_;
  };
  [[no_unique_address]] Tag<Kind> tag_;
};

struct ParamInfo;

/// A part of the path to an argument or a value, for error texts: `position.x`, `channels[2]`. Lives on the stack of
/// the decoder.
struct ArgumentPath {
  const ArgumentPath* parent;
  std::string_view name;
  std::size_t index;  // for an item of a list, whose name is empty
};

/// Takes the values of an output as JSON, for the result of a tool or the body of a resource.
struct OutputSink {
  json::Writer& out;
  /// Ends the result with an error that names the value at `path`. Returns the outcome of the handler.
  Errc (*reject)(OutputSink& sink, const ArgumentPath& path);
};

/// The code for one kind of parameter. A table points to it, so the linker leaves out unused kinds. The table of an
/// output has separate codecs, which only write.
struct ParamCodec {
  union {  // by is_container() of the type of the row, and by its is_output
    /// Reads `value` into the member of `result` for this kind. Returns false if the table does not allow it.
    bool (*read)(const ParamInfo& info, json::Value value, Bound& result);
    /// Lists and structs: fills `member`. Errors: ends the call as failed and returns Errc::failed.
    Errc (*decode)(const ParamInfo& info, json::Value value, void* member, const ArgumentPath& path, Call& call);
    /// Output: writes the value at `value`. Returns false if the table does not allow it.
    bool (*write)(const ParamInfo& info, const void* value, json::Writer& out);
    /// Output of lists and structs. Errors: returns the outcome of OutputSink::reject.
    Errc (*encode)(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink);
  };
  /// The value of `type` in the schema, as JSON, and the function that writes the other schema members of this kind.
  json::Text type;
  void (*write_members)(json::Writer& out, const ParamInfo& info);
  /// Appends the digits of a bound. nullptr for kinds without numeric bounds.
  void (*append_bound)(json::Writer& out, Bound bound) = nullptr;
  /// Appends "an integer from 0 to 100". `all_bounds`: also bounds of the type, if the table gives none. nullptr in an
  /// output. `codec` is this codec, because the row of a list does not name the codec of its items.
  void (*append_allowed)(json::Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) = nullptr;
};

/// How a codec reaches the values of a list, a map or a Nullable.
class ListAccess {
 public:
  enum class Kind : std::uint8_t { grow, insert, at, entry };
  using Grow = void* (*)(void* list);                                 // of a Nullable: makes its value
  using Insert = void* (*)(void* map, const std::string_view& name);  // nullptr for a name that does not fit
  using At = const void* (*)(const void* list, std::size_t index);    // output: nullptr after the last item
  using Entry = const void* (*)(const void* map, std::size_t index, std::string_view& name);  // the same of a map
  consteval explicit ListAccess(Grow function) : grow_(function), tag_(Kind::grow) {}
  consteval explicit ListAccess(Insert function) : insert_(function), tag_(Kind::insert) {}
  consteval explicit ListAccess(At function) : at_(function), tag_(Kind::at) {}
  consteval explicit ListAccess(Entry function) : entry_(function), tag_(Kind::entry) {}

  [[nodiscard]] void* grow(void* list) const {
    tag_.check(Kind::grow);
    return grow_(list);
  }
  [[nodiscard]] void* insert(void* map, const std::string_view& name) const {
    tag_.check(Kind::insert);
    return insert_(map, name);
  }
  [[nodiscard]] const void* at(const void* list, std::size_t index) const {
    tag_.check(Kind::at);
    return at_(list, index);
  }
  [[nodiscard]] const void* entry(const void* map, std::size_t index, std::string_view& name) const {
    tag_.check(Kind::entry);
    return entry_(map, index, name);
  }

 private:
  union {
    Grow grow_;
    Insert insert_;
    At at_;
    Entry entry_;
  };
  [[no_unique_address]] Tag<Kind> tag_;
};

struct ListInfo {
  const ParamCodec* codec;
  ParamType type;
  std::uint8_t width;
  std::uint16_t capacity;
  ListAccess access;
};

struct Choice {
  std::string_view name;
  std::int32_t value;
};

/// What a row has besides its bounds. The type of the row, its row_count and is_output decide the kind.
class Rows {
 public:
  enum class Kind : std::uint8_t {
    choices,   // of a choice; nullptr for a row that has nothing
    fields,    // of a struct
    assign,    // of a FixedString
    view,      // the same, of an output
    multiple,  // of an integer with multiple_of
    step,      // the same, of a float or a double
  };
  using Assign = bool (*)(void* fixed_string, std::string_view text);
  using View = std::string_view (*)(const void* fixed_string);
  constexpr Rows() : choices_(nullptr), tag_(Kind::choices) {}
  consteval explicit Rows(const Choice* table) : choices_(table), tag_(Kind::choices) {}
  consteval explicit Rows(const ParamInfo* table) : fields_(table), tag_(Kind::fields) {}
  consteval explicit Rows(Assign function) : assign_(function), tag_(Kind::assign) {}
  consteval explicit Rows(View function) : view_(function), tag_(Kind::view) {}
  consteval explicit Rows(std::uint32_t value) : multiple_(value), tag_(Kind::multiple) {}
  consteval explicit Rows(float value) : step_(value), tag_(Kind::step) {}

  [[nodiscard]] constexpr const Choice* choices() const { return tag_.check(Kind::choices), choices_; }
  [[nodiscard]] constexpr const ParamInfo* fields() const { return tag_.check(Kind::fields), fields_; }
  [[nodiscard]] constexpr std::uint32_t multiple() const { return tag_.check(Kind::multiple), multiple_; }
  [[nodiscard]] constexpr float step() const { return tag_.check(Kind::step), step_; }
  bool assign(void* fixed_string, std::string_view text) const {
    tag_.check(Kind::assign);
    return assign_(fixed_string, text);
  }
  [[nodiscard]] std::string_view view(const void* fixed_string) const {
    tag_.check(Kind::view);
    return view_(fixed_string);
  }

 private:
  union {
    const Choice* choices_;
    const ParamInfo* fields_;
    Assign assign_;
    View view_;
    std::uint32_t multiple_;
    float step_;
  };
  [[no_unique_address]] Tag<Kind> tag_;
};

/// One row of a table, without its types. In flash.
struct ParamInfo {
  // Members that many functions read come first, because larger offsets need longer instructions.
  std::uint16_t row_count = 0;  // of a number: 1 with a multiple
  std::uint16_t least_items = 0;
  ParamType type = ParamType::boolean;
  std::uint8_t width = 0;  // sizeof the member; for a FixedString, of its view
  bool required = true;
  bool has_fallback = false;
  bool has_minimum = false;
  bool has_maximum = false;
  bool has_titles : 1 = false;  // of the choices
  // The codec or the decorator writes the description: with the bytes that a FixedString holds, or with the range and
  // the unit of a number.
  bool extends_description : 1 = false;
  bool is_output : 1 = false;
  bool is_deprecated : 1 = false;
  bool has_pattern : 1 = false;  // the decorator is a PatternCheck
  Format format : 3 = Format::none;
  std::uint8_t header_size = 0;
  std::uint8_t item_title_size = 0;
  std::uint8_t unit_size = 0;
  std::uint16_t title_size = 0;
  std::string_view name;
  std::string_view description;
  const ParamCodec* codec = nullptr;
  // Returns the member. Creates the value of an optional first. In an output, returns nullptr for an empty one.
  void* (*member)(void* arguments) = nullptr;
  Rows rows;
  const ListInfo* list = nullptr;
  // Integers and numbers: the value. Strings: the length in characters. Choices: their titles. A bound of a float is
  // the double that clients read; in an output it is the float.
  Bound minimum;
  Bound maximum;
  Bound fallback;  // lists: the description of the items
  // Writes the title, the header, the format and the titles of choices. nullptr if there are none, so that the linker
  // leaves the code out. Of a string with a check, it is a StringCheck.
  const Decorator* decorator = nullptr;
  const char* title_text = nullptr;
  union {
    const char* header = nullptr;  // what follows Mcp-Param-
    const char* item_title;        // of a list or a map
  };
  const char* unit_text = nullptr;  // as in UnitText

  constexpr std::span<const Choice> choices() const { return {rows.choices(), row_count}; }
  /// Of a row that has one: `header_size` is not 0.
  constexpr std::string_view header_name() const {
    MCP_DEBUG_ASSERT(header_size != 0);
    return {header, header_size};
  }
  constexpr std::string_view title() const { return {title_text, title_size}; }
  constexpr std::string_view title_of_items() const { return {item_title, item_title_size}; }
  constexpr UnitText unit() const { return {unit_text, unit_size}; }
  constexpr const StringCheck& check() const {
    MCP_DEBUG_ASSERT(decorator != nullptr);
    return *static_cast<const StringCheck*>(decorator);
  }
  constexpr std::string_view description_of_items() const { return fallback.s(); }
  constexpr std::span<const ParamInfo> fields() const { return {rows.fields(), row_count}; }
  /// The row that describes the value of this Nullable.
  constexpr ParamInfo inner() const {
    MCP_DEBUG_ASSERT(list != nullptr);
    ParamInfo info = *this;
    info.codec = list->codec;
    info.type = list->type;
    info.width = list->width;
    info.list = nullptr;
    return info;
  }
  /// The row that describes one item of this list.
  constexpr ParamInfo item() const {
    ParamInfo info = inner();
    info.title_text = item_title;
    info.title_size = item_title_size;
    info.description = description_of_items();
    info.is_deprecated = false;
    return info;
  }
};

/// The function of the decorator of a row with titles, a header or a format.
void decorate_schema(json::Writer& out, const ParamInfo& info, bool with_header);
extern const Decorator plain_decorator;
/// Of a row with other rare members, too.
extern const Decorator rare_decorator;
/// Of a number with bounds, which are in its description: alone, and with what plain_decorator writes.
extern const Decorator range_decorator;
extern const Decorator plain_range_decorator;

extern const ParamCodec integer_codec;
extern const ParamCodec unsigned_codec;
extern const ParamCodec float_codec;
extern const ParamCodec double_codec;
extern const ParamCodec boolean_codec;
extern const ParamCodec string_codec;
extern const ParamCodec fixed_string_codec;
extern const ParamCodec choice_codec;
extern const ParamCodec list_codec;
extern const ParamCodec object_codec;

extern const StringCheck uri_check;
extern const StringCheck date_check;
extern const StringCheck date_time_check;
extern const StringCheck ipv4_check;
extern const StringCheck ipv6_check;

// With multiple_of, a pattern, or a checked format.
extern const ParamCodec integer_multiple_codec;
extern const ParamCodec unsigned_multiple_codec;
extern const ParamCodec float_multiple_codec;
extern const ParamCodec double_multiple_codec;
extern const ParamCodec checked_string_codec;
extern const ParamCodec checked_fixed_string_codec;
extern const ParamCodec unique_list_codec;
extern const ParamCodec map_codec;

extern const ParamCodec integer_output;
extern const ParamCodec unsigned_output;
extern const ParamCodec float_output;
extern const ParamCodec double_output;
extern const ParamCodec boolean_output;
extern const ParamCodec string_output;
extern const ParamCodec fixed_string_output;
extern const ParamCodec choice_output;
extern const ParamCodec list_output;
extern const ParamCodec object_output;

extern const ParamCodec integer_multiple_output;
extern const ParamCodec unsigned_multiple_output;
extern const ParamCodec float_multiple_output;
extern const ParamCodec double_multiple_output;
extern const ParamCodec checked_string_output;
extern const ParamCodec checked_fixed_string_output;
extern const ParamCodec unique_list_output;
extern const ParamCodec map_output;

// Of a Nullable. The codec of its value is in its ListInfo.
Errc decode_nullable(const ParamInfo& info, json::Value value, void* member, const ArgumentPath& path, Call& call);
Errc encode_nullable(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink);
void append_nullable(json::Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds);
void write_nullable_members(json::Writer& out, const ParamInfo& info);
void write_nullable_choice(json::Writer& out, const ParamInfo& info);

/// The value of `type` in the schema of a Nullable with values of this type.
constexpr json::Text nullable_type_name(ParamType type) {
  switch (type) {
    case ParamType::integer:
    case ParamType::unsigned_integer: return "[\"integer\",\"null\"]";
    case ParamType::number: return "[\"number\",\"null\"]";
    case ParamType::boolean: return "[\"boolean\",\"null\"]";
    case ParamType::string:
    case ParamType::choice: return "[\"string\",\"null\"]";
    default: return "[\"object\",\"null\"]";
  }
}

/// The codecs of a Nullable, by the type of its values.
template <ParamType type>
inline constexpr auto write_members_of_nullable =
    type == ParamType::choice ? write_nullable_choice : write_nullable_members;
template <ParamType type>
inline constexpr ParamCodec nullable_codec{
    {.decode = decode_nullable}, nullable_type_name(type), write_members_of_nullable<type>, nullptr, append_nullable};
template <ParamType type>
inline constexpr ParamCodec nullable_output{
    {.encode = encode_nullable}, nullable_type_name(type), write_members_of_nullable<type>};

template <class T>
struct Unwrapped {
  using Type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
  static constexpr bool optional = true;
};

template <class T>
inline constexpr std::size_t list_capacity = 0;
template <class T, std::size_t N>
inline constexpr std::size_t list_capacity<List<T, N>> = N;
template <class T>
inline constexpr std::size_t fixed_string_capacity = 0;
template <std::size_t N>
inline constexpr std::size_t fixed_string_capacity<FixedString<N>> = N;

template <class T>
inline constexpr bool is_map = false;
template <class T, std::size_t N, std::size_t Size>
inline constexpr bool is_map<Map<T, N, Size>> = true;
template <class T>
inline constexpr bool is_nullable = false;
template <class T>
inline constexpr bool is_nullable<Nullable<T>> = true;
/// True for a kind whose row has a ListInfo.
template <class T>
inline constexpr bool holds_items = list_capacity<T> != 0 || is_map<T> || is_nullable<T>;

template <class T>
struct ItemOf {
  using Type = T;
};
template <class T, std::size_t N>
struct ItemOf<List<T, N>> {
  using Type = T;
};
template <class T, std::size_t N, std::size_t Size>
struct ItemOf<Map<T, N, Size>> {
  using Type = T;
};
template <class T>
struct ItemOf<Nullable<T>> {
  using Type = T;
};

/// The kind of table that describes the fields of a nested struct.
enum class FieldsOf : std::uint8_t { none, params, output };

/// The arguments of a tool or a method without a params() table.
struct NoArguments {};

template <auto Member>
struct MemberOf;
template <class S, class T, T S::*Member>
struct MemberOf<Member> {
  using Struct = S;
  using Value = T;
};

}  // namespace detail

/// A row of a table for struct S, made by param().
template <class S>
struct Param {
  /// @cond server
  detail::ParamInfo info;
  detail::ParamInfo output;
  detail::FieldsOf fields = detail::FieldsOf::none;
  std::string_view member;  // identifies the member
  /// @endcond
};

/// The members of struct S that are no parameters, made by `without`.
template <class S, std::size_t Count, std::size_t Values>
struct Without {
  std::string_view members[Count];  ///< For params().
};

/// The parameter table of struct S: a static constant, made by params().
template <class S, std::size_t N>
struct Params {
  detail::ParamInfo rows[N == 0 ? 1 : N];  ///< For the server.
};

/// The table of struct S as the output of a tool: a static constant, made by output().
template <class S, std::size_t N>
struct Output {
  using Value = S;            ///< The struct.
  detail::ParamInfo rows[N];  ///< For the server.
};

/// An output that is a value and no struct: a static constant, made by output_value().
template <class T>
struct OutputValue {
  using Value = T;        ///< The type of the value.
  detail::ParamInfo row;  ///< For the server.
};

/// The name of a value of an enum, for choices(). Lifetime: as long as the program.
template <class E>
struct NamedValue {
  std::string_view name;  ///< The name on the wire, in UTF-8.
  E value;                ///< The value.
};
/// The names of the values of an enum: a static constant, made by choices().
template <class E, std::size_t N>
struct Choices {
  detail::Choice rows[N];  ///< For the server.
};
/// The name and the title of a value of an enum, for choices(). Lifetime: as long as the program.
template <class E>
struct TitledValue {
  std::string_view name;   ///< The name on the wire, in UTF-8.
  E value;                 ///< The value.
  std::string_view title;  ///< The display name.
  /// The name, the value and the display name.
  consteval TitledValue(std::string_view the_name, E the_value, std::string_view the_title)
      : name(the_name), value(the_value), title(the_title) {}
};
/// The names and titles of the values of an enum: a static constant, made by choices().
template <class E, std::size_t N>
struct TitledChoices {
  detail::Choice rows[N];      ///< For the server.
  std::string_view titles[N];  ///< For the server.
};

namespace detail {

template <std::size_t N>
consteval void check_choices(const Choice (&rows)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    if (rows[i].name.empty()) compile_error::the_name_of_a_choice_must_not_be_empty();
    for (std::size_t j = 0; j < i; ++j) {
      if (rows[i].name == rows[j].name) compile_error::two_choices_must_not_have_the_same_name();
      if (rows[i].value == rows[j].value) compile_error::two_choices_must_not_have_the_same_value();
    }
  }
}

}  // namespace detail

/// Makes the table of the names of an enum: `constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, …})`.
/// Limits: enums of at most 32 bits. Errors: an empty name, and a name or value that occurs twice, do not compile.
template <class E, std::size_t N>
consteval Choices<E, N> choices(const NamedValue<E> (&named)[N]) {
  static_assert(std::is_enum_v<E> && sizeof(E) <= 4, "choices are for enums of at most 32 bits");
  Choices<E, N> result{};
  for (std::size_t i = 0; i < N; ++i) result.rows[i] = {named[i].name, static_cast<std::int32_t>(named[i].value)};
  detail::check_choices(result.rows);
  return result;
}
/// Makes the table of the names and titles of an enum: `mcp::choices<Mode>({{"off", Mode::off, "Switched off"}, …})`.
/// Clients show the title instead of the name.
template <class E, std::size_t N>
consteval TitledChoices<E, N> choices(const TitledValue<E> (&named)[N]) {
  static_assert(std::is_enum_v<E> && sizeof(E) <= 4, "choices are for enums of at most 32 bits");
  TitledChoices<E, N> result{};
  for (std::size_t i = 0; i < N; ++i) {
    if (named[i].title.empty()) compile_error::the_title_of_a_choice_must_not_be_empty();
    result.rows[i] = {named[i].name, static_cast<std::int32_t>(named[i].value)};
    result.titles[i] = named[i].title;
  }
  detail::check_choices(result.rows);
  return result;
}

namespace detail {

/// A typed reference to a choices() table, or to a params() or output() table, which must be static.
template <class E>
struct ChoicesRef {
  const Choice* rows = nullptr;
  const std::string_view* titles = nullptr;
  std::uint16_t count = 0;
  bool has_titles = false;
  constexpr ChoicesRef() = default;
  template <std::size_t N>
  constexpr ChoicesRef(const Choices<E, N>& table)
      : rows(table.rows), count(N) {}  // NOLINT(google-explicit-constructor)
  template <std::size_t N>
  constexpr ChoicesRef(const TitledChoices<E, N>& table)  // NOLINT(google-explicit-constructor)
      : rows(table.rows), titles(table.titles), count(N), has_titles(true) {}
};
template <class S>
struct FieldsRef {
  const ParamInfo* rows = nullptr;
  std::uint16_t count = 0;
  FieldsOf from = FieldsOf::none;
  constexpr FieldsRef() = default;
  template <std::size_t N>
  constexpr FieldsRef(const Params<S, N>& table)  // NOLINT(google-explicit-constructor)
      : rows(table.rows), count(N), from(FieldsOf::params) {}
  template <std::size_t N>
  constexpr FieldsRef(const Output<S, N>& table)  // NOLINT(google-explicit-constructor)
      : rows(table.rows), count(N), from(FieldsOf::output) {}
};

// The options of a parameter depend on its type. An option that is not listed for the type does not compile.
struct BooleanOptions {
  std::string_view title = {};
  std::string_view description = {};
  ExactBool default_value = {};
  std::string_view header = {};
  ExactBool deprecated = {};
};
struct NumberOptions {
  std::string_view title = {};
  std::string_view description = {};
  ExactNumber minimum = {};
  ExactNumber maximum = {};
  ExactNumber default_value = {};
  std::string_view header = {};  // not of float and double
  ExactNumber multiple_of = {};
  std::string_view unit = {};
  ExactBool deprecated = {};
};
/// A reference to a mcp::pattern.
class PatternRef {
 public:
  constexpr PatternRef() = default;
  consteval PatternRef(const PatternCheck& check)
      : check_(&check), given_(true) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] consteval bool given() const { return given_; }
  [[nodiscard]] consteval const PatternCheck& check() const { return *check_; }

 private:
  const PatternCheck* check_ = nullptr;
  bool given_ = false;  // since GCC's sanitizers compare no addresses at compile time
};
struct StringOptions {
  std::string_view title = {};
  std::string_view description = {};
  ExactNumber min_length = {};  // in characters
  ExactNumber max_length = {};
  Format format = Format::none;
  std::optional<std::string_view> default_value = {};
  std::string_view header = {};
  PatternRef pattern = {};
  ExactBool checks_format = {};
  ExactBool deprecated = {};
};
template <class E>
struct ChoiceOptions {
  std::string_view title = {};
  std::string_view description = {};
  ChoicesRef<E> choices = {};
  std::optional<E> default_value = {};
  std::string_view header = {};
  ExactBool deprecated = {};
};
template <class S>
struct ObjectOptions {
  std::string_view title = {};
  std::string_view description = {};
  FieldsRef<S> fields = {};
  ExactBool deprecated = {};
};

template <class T>
consteval auto options_for() {
  if constexpr (std::same_as<T, bool>) {
    return BooleanOptions{};
  } else if constexpr (std::integral<T> || std::floating_point<T>) {
    return NumberOptions{};
  } else if constexpr (std::same_as<T, std::string_view> || fixed_string_capacity<T> != 0) {
    return StringOptions{};
  } else if constexpr (std::is_enum_v<T>) {
    return ChoiceOptions<T>{};
  } else {
    static_assert(std::is_class_v<T>,
                  "a parameter is an integer, float, double, bool, string_view, FixedString, enum, List, Map, Nullable "
                  "or struct");
    return ObjectOptions<T>{};
  }
}
template <class T>
using ItemOptions = decltype(options_for<T>());

template <class T>
struct ListOptions {
  std::string_view title = {};
  std::string_view description = {};
  ExactNumber min_items = {};
  ItemOptions<T> items = {};
  ExactBool unique_items = {};
  ExactBool deprecated = {};
};
template <class T>
struct MapOptions {
  std::string_view title = {};
  std::string_view description = {};
  ExactNumber min_items = {};
  ItemOptions<T> items = {};
  ExactBool deprecated = {};
};

template <class T>
struct OptionsOf {
  using Type = ItemOptions<T>;
};
template <class T, std::size_t N>
struct OptionsOf<List<T, N>> {
  using Type = ListOptions<T>;
};
template <class T, std::size_t N, std::size_t Size>
struct OptionsOf<Map<T, N, Size>> {
  using Type = MapOptions<T>;
};
template <class T>
struct OptionsOf<Nullable<T>> {
  static_assert(!holds_items<T>, "a Nullable List or Map cannot be a parameter: wrap it in a struct");
  using Type = ItemOptions<T>;
};

consteval bool is_set(const ExactBool& option) { return option && *option; }

/// Whether the value has a check of its own, beside bounds: multiple_of, a pattern, or a checked format.
template <class Options>
consteval bool is_checked(const Options& options) {
  if constexpr (requires { options.items; }) {
    return is_checked(options.items);
  } else if constexpr (requires { options.multiple_of; }) {
    return options.multiple_of.given();
  } else if constexpr (requires { options.pattern; }) {
    return options.pattern.given() || is_set(options.checks_format);
  } else {
    return false;
  }
}

/// The codec of a value, or of a struct. `is_fixed`: a FixedString. `is_checked`: see is_checked().
consteval const ParamCodec* codec_of(ParamType type, std::uint8_t width, bool is_fixed, bool is_checked,
                                     bool is_output) {
  const auto either = [=](const ParamCodec& input, const ParamCodec& output) { return is_output ? &output : &input; };
  switch (type) {
    case ParamType::integer:
      if (is_checked) return either(integer_multiple_codec, integer_multiple_output);
      return either(integer_codec, integer_output);
    case ParamType::unsigned_integer:
      if (is_checked) return either(unsigned_multiple_codec, unsigned_multiple_output);
      return either(unsigned_codec, unsigned_output);
    case ParamType::number:
      if (width == sizeof(float)) {
        return is_checked ? either(float_multiple_codec, float_multiple_output) : either(float_codec, float_output);
      }
      return is_checked ? either(double_multiple_codec, double_multiple_output) : either(double_codec, double_output);
    case ParamType::boolean: return either(boolean_codec, boolean_output);
    case ParamType::string:
      if (is_fixed && is_checked) return either(checked_fixed_string_codec, checked_fixed_string_output);
      if (is_fixed) return either(fixed_string_codec, fixed_string_output);
      return is_checked ? either(checked_string_codec, checked_string_output) : either(string_codec, string_output);
    case ParamType::choice: return either(choice_codec, choice_output);
    default: return either(object_codec, object_output);
  }
}

/// The quotient as validators in JavaScript see it: of two doubles, and whole. From 10^21 on they take none for whole.
constexpr bool is_whole_quotient(double value, double step) {
  const double quotient = value / step;
  const double size = quotient < 0 ? -quotient : quotient;
  if (!(size < 0x1p53)) return size < 1e21;
  return static_cast<double>(static_cast<std::int64_t>(size)) == size;
}

template <class T>
consteval void describe(ParamInfo& info, const BooleanOptions& options) {
  info.type = ParamType::boolean;
  info.width = sizeof(bool);
  info.has_fallback = static_cast<bool>(options.default_value);
  if (info.has_fallback) info.fallback = Bound(std::int64_t{*options.default_value});
}

template <bool is_float>
consteval void describe_multiple(ParamInfo& info, const NumberOptions& options) {
  if (!options.multiple_of.given()) return;
  info.row_count = 1;
  if constexpr (is_float) {
    const double multiple = options.multiple_of.template as<double>();
    const auto step = static_cast<float>(multiple);
    // A double of each multiple is exact. 0.1 is none of them: 0.3 / 0.1 is 2.9999999999999996.
    const double scaled = multiple * 0x1p20;
    const bool is_binary = multiple < 0x1p32 && static_cast<double>(step) == multiple &&
                           static_cast<double>(static_cast<std::int64_t>(scaled)) == scaled;
    if (!(multiple > 0)) compile_error::multiple_of_must_be_above_zero();
    if (!is_binary) {
      compile_error::multiple_of_a_float_must_be_a_whole_number_or_a_binary_fraction_such_as_0_5_or_0_25();
    }
    info.rows = Rows(step);
  } else {
    const auto multiple = options.multiple_of.template as<std::uint32_t>();
    if (multiple == 0) compile_error::multiple_of_must_be_above_zero();
    info.rows = Rows(multiple);
  }
}

consteval void describe_unit(ParamInfo& info, std::string_view unit) {
  if (unit.empty()) return;
  const UnitText known = unit_text(unit);
  info.unit_text = known.text;
  info.unit_size = known.size;
}

template <class T>
consteval void describe(ParamInfo& info, const NumberOptions& options) {
  constexpr bool is_float = std::floating_point<T>;
  constexpr bool is_wide_unsigned =
      std::unsigned_integral<T> && sizeof(T) == 8;  // of two types of that size, one is uint64_t
  using Wide = std::conditional_t<is_float, T, std::conditional_t<is_wide_unsigned, std::uint64_t, std::int64_t>>;
  static_assert(!std::same_as<T, long double>, "a parameter of floating point is a float or a double");
  describe_unit(info, options.unit);
  const T minimum = options.minimum.given() ? options.minimum.template as<T>() : std::numeric_limits<T>::lowest();
  const T maximum = options.maximum.given() ? options.maximum.template as<T>() : std::numeric_limits<T>::max();
  if (minimum > maximum) compile_error::the_minimum_must_not_exceed_the_maximum();
  info.type = is_float ? ParamType::number : (is_wide_unsigned ? ParamType::unsigned_integer : ParamType::integer);
  info.width = sizeof(T);
  info.minimum = Bound(static_cast<Wide>(minimum));
  info.maximum = Bound(static_cast<Wide>(maximum));
  // The schema has the bounds of the table alone, because some clients cannot read those of a 64-bit type. The decoder
  // also checks the range of the type.
  info.has_minimum = options.minimum.given();
  info.has_maximum = options.maximum.given();
  info.extends_description = info.has_minimum || info.has_maximum || info.unit_size != 0;
  describe_multiple<is_float>(info, options);
  info.has_fallback = options.default_value.given();
  if (!info.has_fallback) return;
  const T fallback = options.default_value.template as<T>();
  if (fallback < minimum || fallback > maximum) compile_error::the_default_value_must_be_between_minimum_and_maximum();
  info.fallback = Bound(static_cast<Wide>(fallback));
  if (!options.multiple_of.given()) return;
  bool is_multiple = false;
  if constexpr (is_float) {
    is_multiple = is_whole_quotient(static_cast<double>(fallback), static_cast<double>(info.rows.step()));
  } else {
    is_multiple = fallback % static_cast<Wide>(info.rows.multiple()) == 0;
  }
  if (!is_multiple) compile_error::the_default_value_must_be_a_multiple_of_multiple_of();
}

/// The type of the value, also of the items of a list or a map.
consteval ParamType value_type(const ParamInfo& info) { return has_items(info.type) ? info.list->type : info.type; }

/// True for a float, and a list of them.
consteval bool is_float(const ParamInfo& info) {
  const ParamType type = value_type(info);
  const std::uint8_t width = has_items(info.type) ? info.list->width : info.width;
  return type == ParamType::number && width == sizeof(float);
}

/// Characters as JSON Schema counts them: code points.
constexpr std::int64_t characters(std::string_view text) {
  std::int64_t count = 0;
  for (const char c : text) count += (static_cast<std::uint8_t>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

template <class T>
bool assign_text(void* fixed_string, std::string_view text) {
  return static_cast<T*>(fixed_string)->assign(text);
}

consteval const StringCheck* format_check(Format format) {
  switch (format) {
    case Format::uri: return &uri_check;
    case Format::date: return &date_check;
    case Format::date_time: return &date_time_check;
    case Format::ipv4: return &ipv4_check;
    case Format::ipv6: return &ipv6_check;
    default: compile_error::checks_format_needs_a_format_other_than_email();
  }
  return nullptr;
}

consteval void describe_check(ParamInfo& info, const StringOptions& options) {
  const bool checks_format = is_set(options.checks_format);
  if (options.pattern.given() && checks_format) {
    compile_error::a_string_must_have_a_pattern_or_a_checked_format_and_not_both();
  }
  info.has_pattern = options.pattern.given();
  if (info.has_pattern) info.decorator = &options.pattern.check();
  if (checks_format) info.decorator = format_check(options.format);
}

template <class T>
consteval void describe(ParamInfo& info, const StringOptions& options) {
  constexpr std::size_t capacity = fixed_string_capacity<T>;
  info.type = ParamType::string;
  info.width = sizeof(std::string_view);
  info.format = options.format;
  // Without a maximum, only the size of a message limits the length.
  constexpr std::int64_t longest = capacity != 0 ? capacity : std::numeric_limits<std::int64_t>::max();
  const std::int64_t minimum = options.min_length.given() ? options.min_length.as<std::uint16_t>() : 0;
  const std::int64_t maximum = options.max_length.given() ? options.max_length.as<std::uint16_t>() : longest;
  if (minimum > maximum) compile_error::the_minimum_must_not_exceed_the_maximum();
  if (maximum > longest) compile_error::the_maximum_length_must_not_exceed_the_capacity_of_the_fixed_string();
  info.minimum = Bound(minimum);
  info.maximum = Bound(maximum);
  info.has_minimum = options.min_length.given();
  info.has_maximum = options.max_length.given() || capacity != 0;
  // A character takes up to four bytes.
  info.extends_description = capacity != 0 && 4 * maximum > longest;
  info.row_count = static_cast<std::uint16_t>(capacity);
  if constexpr (capacity != 0) info.rows = Rows(assign_text<T>);
  describe_check(info, options);
  info.has_fallback = options.default_value.has_value();
  if (!options.default_value) return;
  if (capacity != 0 && options.default_value->size() > capacity)
    compile_error::the_default_value_must_fit_the_fixed_string();
  const std::int64_t length = characters(*options.default_value);
  if (length < minimum || length > maximum) compile_error::the_default_value_must_be_between_minimum_and_maximum();
  bool is_right = true;
  if (options.pattern.given()) is_right = matches_pattern(options.pattern.check(), *options.default_value);
  if (is_set(options.checks_format)) is_right = has_format(options.format, *options.default_value);
  if (!is_right) compile_error::the_default_value_must_match_the_pattern_or_the_format();
  info.fallback = Bound(*options.default_value);
}

template <class E>
consteval void describe(ParamInfo& info, const ChoiceOptions<E>& options) {
  if (options.choices.count == 0) compile_error::an_enum_parameter_needs_choices();
  info.type = ParamType::choice;
  info.width = sizeof(E);
  info.rows = Rows(options.choices.rows);
  info.row_count = options.choices.count;
  info.has_titles = options.choices.has_titles;
  if (info.has_titles) info.minimum = Bound(options.choices.titles);
  info.has_fallback = options.default_value.has_value();
  if (!options.default_value) return;
  bool known = false;
  const auto value = static_cast<std::int32_t>(*options.default_value);
  for (std::size_t i = 0; i < options.choices.count; ++i) known = known || options.choices.rows[i].value == value;
  if (!known) compile_error::the_default_value_must_be_one_of_the_choices();
  info.fallback = Bound(static_cast<std::int64_t>(value));
}

template <class S>
consteval void describe(ParamInfo& info, const ObjectOptions<S>& options) {
  if (options.fields.count == 0) compile_error::a_struct_parameter_needs_fields();
  for (std::size_t i = 0; i < options.fields.count; ++i) {
    if (options.fields.rows[i].header_size != 0) compile_error::a_header_must_be_for_a_parameter_of_the_tool_itself();
  }
  info.type = ParamType::object;
  info.rows = Rows(options.fields.rows);
  info.row_count = options.fields.count;
}

/// Levels of structs below this row.
consteval unsigned struct_levels(const ParamInfo* rows, std::size_t count) {
  unsigned deepest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // By type and not by pointer: with -fsanitize=undefined GCC takes no comparison of an address for a constant.
    if (value_type(rows[i]) != ParamType::object) continue;
    const unsigned below = struct_levels(rows[i].rows.fields(), rows[i].row_count);
    deepest = below > deepest ? below : deepest;
  }
  return deepest + 1;
}

template <class T>
constexpr void* grow_list(void* list) {
  return static_cast<T*>(list)->grow();
}

template <class T>
void* make_value(void* nullable) {
  return &static_cast<T*>(nullable)->emplace();
}
template <class T>
void* insert_value(void* map, const std::string_view& name) {
  return static_cast<T*>(map)->insert(name);
}

/// The type and the width of the items.
template <class T>
consteval ParamInfo describe_item() {
  ParamInfo item;
  if constexpr (std::is_enum_v<T>) {
    item.type = ParamType::choice;
    item.width = sizeof(T);
  } else if constexpr (std::is_class_v<T> && !std::same_as<T, std::string_view> && fixed_string_capacity<T> == 0) {
    static_assert(!holds_items<T>,
                  "a List of Lists cannot be a parameter: wrap the inner one in a struct, also a Map and a Nullable");
    item.type = ParamType::object;
  } else {
    describe<T>(item, ItemOptions<T>{});
  }
  return item;
}

/// The type of the values of a Nullable. All integers have one codec.
template <class L>
inline constexpr ParamType type_of_items = [] {
  const ParamType type = describe_item<typename ItemOf<L>::Type>().type;
  return type == ParamType::unsigned_integer ? ParamType::integer : type;
}();

/// Of a List, a Map or a Nullable. `Checked`: see is_checked().
template <class L, bool Checked>
consteval ListInfo make_list_info() {
  using T = typename ItemOf<L>::Type;
  const ParamInfo item = describe_item<T>();
  ListInfo info{nullptr, item.type, item.width, 1, ListAccess(ListAccess::Grow{})};
  info.codec = codec_of(item.type, item.width, fixed_string_capacity<T> != 0, Checked, false);
  if constexpr (is_nullable<L>) {
    info.access = ListAccess(make_value<L>);
  } else {
    info.capacity = static_cast<std::uint16_t>(L::capacity);
    if constexpr (is_map<L>) {
      info.access = ListAccess(insert_value<L>);
    } else {
      info.access = ListAccess(grow_list<L>);
    }
  }
  return info;
}
template <class L, bool Checked>
inline constexpr ListInfo list_info = make_list_info<L, Checked>();

/// A List or a Map.
template <class L, class Options>
consteval void describe_items(ParamInfo& info, const Options& options) {
  using T = typename ItemOf<L>::Type;
  static_assert(!std::same_as<T, std::optional<typename Unwrapped<T>::Type>>, "the items of a List cannot be optional");
  describe<T>(info, options.items);
  if (info.has_fallback) compile_error::the_items_of_a_list_must_not_have_a_default_value();
  if (is_set(options.items.deprecated)) compile_error::the_items_of_a_list_must_not_be_deprecated();
  if (options.items.title.size() > 255) compile_error::the_title_of_the_items_of_a_list_must_have_at_most_255_bytes();
  info.list = is_checked(options.items) ? &list_info<L, true> : &list_info<L, false>;
  info.least_items = options.min_items.given() ? options.min_items.template as<std::uint16_t>() : 0;
  if (info.least_items > L::capacity) {
    compile_error::the_least_number_of_items_must_not_exceed_the_capacity_of_the_list();
  }
  info.item_title = options.items.title.data();
  info.item_title_size = static_cast<std::uint8_t>(options.items.title.size());
  info.fallback = Bound(options.items.description);
}

template <class L, class T>
consteval void describe(ParamInfo& info, const ListOptions<T>& options) {
  describe_items<L>(info, options);
  const ParamType item = info.type;
  info.type = ParamType::list;
  if (!is_set(options.unique_items)) return;
  if (item == ParamType::number || item == ParamType::boolean || item == ParamType::object) {
    compile_error::unique_items_need_a_list_of_integers_strings_or_choices();
  }
  if (L::capacity > 256) compile_error::a_list_with_unique_items_must_have_a_capacity_of_at_most_256();
  info.type = ParamType::unique_list;
}

template <class L, class T>
consteval void describe(ParamInfo& info, const MapOptions<T>& options) {
  describe_items<L>(info, options);
  info.width = static_cast<std::uint8_t>(L::name_capacity);
  info.type = ParamType::map;
}

/// Fills the row of a member of type T, without its accessor.
template <class T, class Options>
consteval void describe_member(ParamInfo& info, const Options& options) {
  if constexpr (is_nullable<T>) {
    describe<typename ItemOf<T>::Type>(info, options);
    info.list = is_checked(options) ? &list_info<T, true> : &list_info<T, false>;
    info.codec = &nullable_codec<type_of_items<T>>;
    info.type = ParamType::nullable;
  } else {
    describe<T>(info, options);
    switch (info.type) {
      case ParamType::list: info.codec = &list_codec; break;
      case ParamType::unique_list: info.codec = &unique_list_codec; break;
      case ParamType::map: info.codec = &map_codec; break;
      default: info.codec = codec_of(info.type, info.width, fixed_string_capacity<T> != 0, is_checked(options), false);
    }
  }
}

// With the struct as an argument of its own: of a member of a struct in an unnamed namespace, GCC 12 takes the
// functions of two source files for one.
template <class Struct, auto Member>
void* access(void* arguments) {
  auto& member = static_cast<Struct*>(arguments)->*Member;
  if constexpr (Unwrapped<typename MemberOf<Member>::Value>::optional) {
    return &member.emplace();
  } else {
    if constexpr (is_nullable<typename MemberOf<Member>::Value>) member = {};  // also one that begins with a value
    return &member;
  }
}

template <class Struct, auto Member>
void* peek(void* output) {
  auto& member = static_cast<Struct*>(output)->*Member;
  if constexpr (Unwrapped<typename MemberOf<Member>::Value>::optional) {
    return member ? &*member : nullptr;
  } else {
    return &member;
  }
}

template <class T>
std::string_view view_text(const void* fixed_string) {
  return static_cast<const T*>(fixed_string)->view();
}

template <class L>
const void* item_at(const void* list, std::size_t index) {
  const L& items = *static_cast<const L*>(list);
  return index < items.size() ? &items[index] : nullptr;
}

template <class T>
const void* value_of(const void* nullable, std::size_t) {  // of index 0
  const T& holder = *static_cast<const T*>(nullable);
  return holder.has_value() ? &*holder : nullptr;
}
template <class T>
const void* entry_at(const void* map, std::size_t index, std::string_view& name) {
  const T& entries = *static_cast<const T*>(map);
  if (index >= entries.size()) return nullptr;
  const auto& entry = entries.begin()[index];
  name = entry.name.view();
  return &entry.value;
}

template <class L, bool Checked>
consteval ListInfo make_output_list_info() {
  using T = typename ItemOf<L>::Type;
  ListInfo info = list_info<L, Checked>;
  info.codec = codec_of(info.type, info.width, fixed_string_capacity<T> != 0, Checked, true);
  if constexpr (is_nullable<L>) {
    info.access = ListAccess(value_of<L>);
  } else if constexpr (is_map<L>) {
    info.access = ListAccess(entry_at<L>);
  } else {
    info.access = ListAccess(item_at<L>);
  }
  return info;
}
template <class L, bool Checked>
inline constexpr ListInfo output_list_info = make_output_list_info<L, Checked>();

/// Makes the row of a table of parameters. A client compares numbers as doubles, so the device does the same.
consteval ParamInfo as_input(ParamInfo info) {
  if (!is_float(info)) return info;
  info.minimum = Bound(as_written(info.minimum.f()));
  info.maximum = Bound(as_written(info.maximum.f()));
  return info;
}

consteval void choose_decorator(ParamInfo& info, bool has_check);

/// Makes the row of an output of type T, without its accessor.
template <class T>
consteval ParamInfo as_output_value(ParamInfo info, bool checked) {
  using Item = typename ItemOf<T>::Type;
  switch (info.type) {
    case ParamType::nullable: info.codec = &nullable_output<type_of_items<T>>; break;
    case ParamType::list: info.codec = &list_output; break;
    case ParamType::unique_list: info.codec = &unique_list_output; break;
    case ParamType::map: info.codec = &map_output; break;
    default: info.codec = codec_of(info.type, info.width, fixed_string_capacity<T> != 0, checked, true);
  }
  if constexpr (holds_items<T>) info.list = checked ? &output_list_info<T, true> : &output_list_info<T, false>;
  if constexpr (fixed_string_capacity<Item> != 0) info.rows = Rows(view_text<Item>);
  info.has_fallback = false;
  info.extends_description = info.unit_size != 0;
  info.is_output = true;
  if (value_type(info) <= ParamType::number) {
    info.decorator = nullptr;
    choose_decorator(info, false);
  }
  return info;
}

/// Makes the row of the table of an output. T is the type of the member, without std::optional.
template <auto Member, class T>
consteval ParamInfo as_output(ParamInfo info, bool checked) {
  info = as_output_value<T>(info, checked);
  info.member = peek<typename MemberOf<Member>::Struct, Member>;
  info.required = !Unwrapped<typename MemberOf<Member>::Value>::optional;
  return info;
}

/// Returns the kind of table in the options of a struct, or of a list of structs.
template <class Options>
consteval FieldsOf fields_of(const Options& options) {
  if constexpr (requires { options.fields.from; }) return options.fields.from;
  if constexpr (requires { options.items.fields.from; }) return options.items.fields.from;
  return FieldsOf::none;
}

/// True if the table can be a form: it has no struct, and only lists of choices. The schema of a form has fewer
/// keywords. Source: client/elicitation#requested-schema, 2025-11-25.
template <class S, std::size_t N>
consteval bool is_flat(const Params<S, N>& params) {
  for (std::size_t i = 0; i < N; ++i) {
    const ParamInfo& row = params.rows[i];
    if (is_container(row.type) && row.type != ParamType::list) return false;
    if (row.type == ParamType::list && row.list->type != ParamType::choice) return false;
    const bool is_number = row.type <= ParamType::number;
    if (row.is_deprecated || row.has_pattern || row.format > Format::date_time || (is_number && row.row_count != 0)) {
      return false;
    }
  }
  return true;
}

/// True when a row is a list, which forms of clients before 2025-11-25 do not have.
template <class S, std::size_t N>
consteval bool has_lists(const Params<S, N>& params) {
  bool any = false;
  for (std::size_t i = 0; i < N; ++i) any = any || params.rows[i].type == ParamType::list;
  return any;
}

consteval char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

consteval bool is_same_header(std::string_view a, std::string_view b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = lower_of(a[i]) == lower_of(b[i]);
  return same;
}

// Source: basic/transports/streamable-http#custom-headers-from-tool-parameters, 2026-07-28.
consteval void describe_header(ParamInfo& info, std::string_view header) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  if (header.empty()) return;
  bool is_token = header.size() <= 64;
  for (const char c : header) {
    const bool is_word = (lower_of(c) >= 'a' && lower_of(c) <= 'z') || (c >= '0' && c <= '9');
    is_token = is_token && (is_word || others.find(c) != std::string_view::npos);
  }
  if (!is_token) compile_error::a_header_must_be_a_token_of_at_most_64_characters();
  if (info.type == ParamType::number || info.type == ParamType::nullable) {
    compile_error::a_header_must_be_for_an_integer_a_boolean_or_a_string();
  }
  info.header = header.data();
  info.header_size = static_cast<std::uint8_t>(header.size());
}

/// The header in the options. An item of a list has none.
template <class Options>
consteval std::string_view header_of(const Options& options) {
  if constexpr (requires { options.items.header; }) {
    if (!options.items.header.empty()) compile_error::a_header_must_be_for_a_parameter_of_the_tool_itself();
  }
  if constexpr (requires { options.header; }) return options.header;
  return {};
}

template <class Options>
consteval void describe_texts(ParamInfo& info, const Options& options) {
  info.title_text = options.title.data();
  info.title_size = static_cast<std::uint16_t>(options.title.size());
  info.description = options.description;
  info.is_deprecated = is_set(options.deprecated);
}

/// A string with a check has it as decorator.
consteval void choose_decorator(ParamInfo& info, bool has_check) {
  if (has_check) return;
  const bool is_plain = info.title_size != 0 || info.format != Format::none || info.has_titles ||
                        info.header_size != 0 || info.item_title_size != 0;
  const bool is_rare = info.is_deprecated || info.unit_size != 0 || info.format > Format::date_time ||
                       (info.has_titles && (info.type == ParamType::nullable || info.type == ParamType::map));
  if (is_rare) {
    info.decorator = &rare_decorator;
  } else if (info.extends_description && value_type(info) <= ParamType::number) {
    info.decorator = is_plain ? &plain_range_decorator : &range_decorator;
  } else if (is_plain) {
    info.decorator = &plain_decorator;
  }
}

/// A text for each member, since GCC's sanitizers compare no addresses at compile time.
template <auto Member>
consteval std::string_view member_text() {
  return __PRETTY_FUNCTION__;
}

/// Texts that differ do so near their end.
consteval bool is_same_member(std::string_view a, std::string_view b) {
  bool same = a.size() == b.size();
  for (std::size_t i = a.size(); same && i-- > 0;) same = a[i] == b[i];
  return same;
}

/// Converts to any member of S. A base of S is none, so it takes no place in a list of members. It has a body, because
/// compilers warn of a function without one, in the constructor of an optional.
template <class S>
struct AnyMember {
  template <class T>
  requires(!std::is_base_of_v<T, S>) constexpr operator T() const& {  // NOLINT(google-explicit-constructor)
    return T{};
  }
};

template <class S, std::size_t... I>
consteval bool takes_values(std::index_sequence<I...>) {
  return requires { S{(static_cast<void>(I), AnyMember<S>{})...}; };
}

/// True if an aggregate has more than `count` members. Each item of an array is one.
template <class S, std::size_t count>
consteval bool has_more_members() {
  if constexpr (std::is_aggregate_v<S>) return takes_values<S>(std::make_index_sequence<count + 1>());
  return false;
}

consteval void check_members(bool has_more) {
  if (has_more) compile_error::each_member_of_the_struct_needs_a_parameter_or_must_be_in_without();
}

/// The values that a member takes in the list of has_more_members().
template <class T>
inline constexpr std::size_t values_of = 1;
template <class T, std::size_t N>
inline constexpr std::size_t values_of<T[N]> = N* values_of<T>;

template <std::size_t N>
consteval void check_rows(const ParamInfo (&rows)[N], const std::string_view (&members)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (rows[i].name == rows[j].name) compile_error::two_parameters_must_not_have_the_same_name();
      if (is_same_member(members[i], members[j])) compile_error::two_parameters_must_not_have_the_same_member();
      const bool have_headers = rows[i].header_size != 0 && rows[j].header_size != 0;
      if (have_headers && is_same_header(rows[i].header_name(), rows[j].header_name())) {
        compile_error::two_parameters_must_not_have_the_same_header();
      }
    }
  }
  if (struct_levels(rows, N) > 4) compile_error::structs_must_not_be_nested_deeper_than_4_levels();
}

}  // namespace detail

/// Makes a row of a table: a parameter, or a member of an output. `name` is the name on the wire. A parameter is
/// required, unless the member is a std::optional or has a `default_value`.
///
/// Each row may have a `title` (the display name), a `description` (for the model), and `.deprecated = true`. The other
/// options depend on the type of the member:
///
/// | type | options |
/// |---|---|
/// | integers of 8 to 64 bits, `float`, `double` | `minimum`, `maximum`, `multiple_of`, `unit`, `default_value` |
/// | `bool` | `default_value` |
/// | `std::string_view`, `FixedString<N>` | `min_length`, `max_length` (in characters), `default_value`, and |
/// | | `pattern` (a mcp::pattern), or `format` with or without `checks_format` |
/// | enum | `choices`, `default_value` |
/// | `List<T, N>` | `min_items`, `unique_items`, `items` = the options of T, without `default_value` |
/// | `Map<T, N, Size>` | `min_items`, `items` = the options of T, without `default_value` |
/// | `Nullable<T>` | the options of T, which is no List or Map |
/// | struct | `fields` = its own params() table (in an output: output()) |
///
/// Lifetime: a std::string_view points into the message, and is valid until the handler returns.
///
/// Bounds, lengths and defaults are numbers of any type. A value that the member cannot hold does not compile: out of
/// range, not finite, a fraction for an integer, or more digits than a float or double keeps (write 0.333F for a
/// float). The schema has the bounds of the table, and the description of a parameter, too: `(5..30)`. If the table
/// gives no bound, the server checks the range of the type.
///
/// A `multiple_of` of an integer is exact, and below 2^32. That of a float or double is a whole number or a binary
/// fraction such as 0.5, up to 24 digits in binary. As validators in JavaScript do, the server divides doubles and
/// wants a whole quotient below 10^21. For steps such as 0.1 use an integer of tenths.
///
/// A `unit` is a code of UCUM (`Cel`, `%`, `m3/h`) or its usual form (`°C`, `m³/h`). The description then ends with the
/// form: `(unit: °C)`, or `(5..30 °C)`. With Definition::unit_codes, the schema of the value also has the code:
/// `"_meta":{"mote/unit":"Cel"}`.
///
/// `unique_items` is for lists of at most 256 integers, strings or enums. With `checks_format` the server checks a
/// `format` (not `email`): dates of RFC 3339, characters and escapes of RFC 3986 in a URI, IP addresses. Without it, a
/// handler gets any string.
///
/// The server accepts exactly the arguments that are valid in the schema, with six differences:
/// - `null` for an optional argument that is no Nullable counts as left out: agent frameworks write it.
/// - The schema does not state the range of the C++ type, which the server checks.
/// - A FixedString holds bytes and a schema counts characters. The description says how many bytes, unless `max_length`
///   is at most a quarter of N. The same is true of the names in a Map.
/// - The server compares all digits of an integer. JSON parsers that read doubles round integers beyond 2^53.
/// - The server rejects a number that rounds to infinity as a double (1e400).
/// - The server rejects an object with a key that occurs twice. Most JSON parsers take the last one.
///
/// An integer, bool, string or enum that is a parameter of the tool itself may have a `header`. Stateless clients then
/// also send the value in the HTTP header `Mcp-Param-…`, so that proxies can route by it. Never use it for secrets.
template <auto Member>
consteval auto param(
    std::string_view name,
    const typename detail::OptionsOf<typename detail::Unwrapped<typename detail::MemberOf<Member>::Value>::Type>::Type&
        options = {}) {
  using M = detail::MemberOf<Member>;
  using T = typename detail::Unwrapped<typename M::Value>::Type;
  if (name.empty()) compile_error::a_parameter_needs_a_name();
  Param<typename M::Struct> result{};
  detail::describe_member<T>(result.info, options);
  result.info.name = name;
  detail::describe_texts(result.info, options);
  detail::describe_header(result.info, detail::header_of(options));
  bool checked = false;  // no constant: Clang 14 evaluates its initializer alone
  checked = detail::is_checked(options);
  detail::choose_decorator(result.info, checked && detail::value_type(result.info) == detail::ParamType::string);
  result.info.member = detail::access<typename M::Struct, Member>;
  result.info.required = !detail::Unwrapped<typename M::Value>::optional && !result.info.has_fallback;
  result.output = detail::as_output<Member, T>(result.info, checked);
  result.info = detail::as_input(result.info);
  result.fields = detail::fields_of(options);
  result.member = detail::member_text<Member>();
  return result;
}

/// Names the members of a struct that are no parameters, as first argument of params(). They begin with their default
/// values: `mcp::params(mcp::without<&Job::step>, mcp::param<&Job::seconds>("seconds"))`.
template <auto First, auto... More>
inline constexpr Without<typename detail::MemberOf<First>::Struct, 1 + sizeof...(More),
                         (detail::values_of<typename detail::MemberOf<First>::Value> + ... +
                          detail::values_of<typename detail::MemberOf<More>::Value>)>
    without{{detail::member_text<First>(), detail::member_text<More>()...}};

namespace detail {

template <class S, class... Rows>
consteval Params<S, sizeof...(Rows)> make_params(const Rows&... rows) {
  static_assert(std::is_trivially_copyable_v<S>, "an argument struct must be trivially copyable");
  static_assert(sizeof...(Rows) <= 32, "a struct has more than 32 parameters");
  Params<S, sizeof...(Rows)> table{{rows.info...}};
  if (((rows.fields == FieldsOf::output) || ...)) {
    compile_error::the_fields_of_params_must_be_params_and_not_an_output();
  }
  check_rows(table.rows, {rows.member...});
  return table;
}

}  // namespace detail

/// Makes the table of all parameters of struct S, in the order in which clients see them. S must be trivially copyable.
/// Limits: 1 to 32 parameters; structs in structs up to 4 levels.
/// Errors: two rows with the same name or the same member do not compile, nor does a member of an aggregate without a
/// row. The compiler does not count the members of a class with constructors, private members or a base.
template <class S, std::same_as<Param<S>>... More>
consteval auto params(const Param<S>& first, const More&... more) {
  detail::check_members(detail::has_more_members<S, 1 + sizeof...(More)>());
  return detail::make_params<S>(first, more...);
}

/// The same for a struct with members that are no parameters: `mcp::without<&S::member, …>`.
template <class S, std::size_t Count, std::size_t Values, std::same_as<Param<S>>... More>
consteval auto params(const Without<S, Count, Values>& others, const Param<S>& first, const More&... more) {
  detail::check_members(detail::has_more_members<S, Values + 1 + sizeof...(More)>());
  const std::string_view members[] = {first.member, more.member...};
  for (std::size_t i = 0; i < Count; ++i) {
    bool twice = false;
    for (const std::string_view member : members) twice = twice || detail::is_same_member(member, others.members[i]);
    for (std::size_t j = 0; j < i; ++j) twice = twice || detail::is_same_member(others.members[j], others.members[i]);
    if (twice) compile_error::a_member_in_without_must_not_be_a_parameter_or_there_twice();
  }
  return detail::make_params<S>(first, more...);
}

/// Makes the table of the output of a tool: struct S as a JSON object. Clients get the table as outputSchema, and the
/// values as structuredContent. A member is always sent, unless it is an empty std::optional. A `default_value` has no
/// effect.
/// Lifetime: a std::string_view in S must be valid until the handler has returned. Limits: 1 to 32 members.
/// Source: server/tools#output-schema, 2025-11-25; sent since revision 2025-06-18.
template <class S, std::same_as<Param<S>>... More>
consteval auto output(const Param<S>& first, const More&... more) {
  static_assert(std::is_trivially_copyable_v<S>, "the struct of an output must be trivially copyable");
  constexpr std::size_t count = 1 + sizeof...(More);
  static_assert(count <= 32, "a struct has more than 32 parameters");
  Output<S, count> table{{first.output, more.output...}};
  if (((first.fields == detail::FieldsOf::params) || ... || (more.fields == detail::FieldsOf::params))) {
    compile_error::the_fields_of_an_output_must_be_an_output_and_not_params();
  }
  if (((first.output.header_size != 0) || ... || (more.output.header_size != 0))) {
    compile_error::a_header_must_be_for_a_parameter_of_the_tool_itself();
  }
  detail::check_rows(table.rows, {first.member, more.member...});
  return table;
}

/// Makes the output of a tool that is one value: a List, a Map, a Nullable, a number, a bool, a string or an enum. The
/// options are those of param(): `constexpr auto levels = mcp::output_value<mcp::List<float, 8>>({.items = {.unit =
/// "m"}});`. Clients of revision 2026-07-28 get the schema as outputSchema, and the value as structuredContent. In
/// earlier revisions both are objects, so that these clients get a Map in the same way, and anything else as text
/// alone. Lifetime: a std::string_view must be valid until the handler has returned. Source:
/// server/tools#output-schema, 2026-07-28.
template <class T>
consteval OutputValue<T> output_value(const typename detail::OptionsOf<T>::Type& options = {}) {
  static_assert(std::is_trivially_copyable_v<T>, "the value of an output must be trivially copyable");
  static_assert(
      !requires { options.fields; } || detail::is_nullable<T>, "the table of a struct is made by output()");
  if (detail::fields_of(options) == detail::FieldsOf::params) {
    compile_error::the_fields_of_an_output_must_be_an_output_and_not_params();
  }
  if (!detail::header_of(options).empty()) compile_error::a_header_must_be_for_a_parameter_of_the_tool_itself();
  bool checked = false;  // no constant: Clang 14 evaluates its initializer alone
  checked = detail::is_checked(options);
  detail::ParamInfo info;
  detail::describe_member<T>(info, options);
  detail::describe_texts(info, options);
  detail::choose_decorator(info, checked && detail::value_type(info) == detail::ParamType::string);
  return {detail::as_output_value<T>(info, checked)};
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
