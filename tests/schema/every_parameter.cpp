// SPDX-License-Identifier: Apache-2.0
// One tool for each kind of parameter, over stdio. Each tool accepts the arguments that its table accepts. With
// --strict, the Definition has strict_schemas.
#include <mcp/pattern.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/stdio_transport.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace {

template <class Arguments>
mcp::Errc accept(const Arguments&, mcp::Call& call) {
  return call.result().text("accepted");
}
mcp::Errc accept_none(mcp::Call& call) { return call.result().text("accepted"); }

// ---- Numbers and bool --------------------------------------------------------------------------------------------

/// The description of a number without two bounds: the test reads the range of the type from it.
template <class T>
consteval std::string_view type_of() {
  if (std::is_same_v<T, float>) return "float";
  if (!std::is_integral_v<T>) return "";
  constexpr std::string_view names[] = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"};
  const std::size_t size = sizeof(T) == 1 ? 0 : (sizeof(T) == 2 ? 1 : (sizeof(T) == 4 ? 2 : 3));
  return names[(std::is_unsigned_v<T> ? 4 : 0) + size];
}

template <class T>
struct Three {
  T required;
  std::optional<T> optional;
  T with_default;
};
template <class T, auto Default>
constexpr auto three = mcp::params(mcp::param<&Three<T>::required>("required", {.description = type_of<T>()}),
                                   mcp::param<&Three<T>::optional>("optional", {.description = type_of<T>()}),
                                   mcp::param<&Three<T>::with_default>("with_default", {.description = type_of<T>(),
                                                                                        .default_value = Default}));

template <class T>
struct Range {
  T low;
  T high;
  T both;
  T one;
  std::optional<T> maybe;
};
template <class T, auto Low, auto High>
constexpr auto range = mcp::params(
    mcp::param<&Range<T>::low>("low", {.description = type_of<T>(), .minimum = Low}),
    mcp::param<&Range<T>::high>("high", {.description = type_of<T>(), .maximum = High, .default_value = Low}),
    mcp::param<&Range<T>::both>("both", {.minimum = Low, .maximum = High, .default_value = High}),
    mcp::param<&Range<T>::one>("one", {.minimum = High, .maximum = High, .default_value = High}),
    mcp::param<&Range<T>::maybe>("maybe", {.minimum = Low, .maximum = High}));

// ---- Strings -----------------------------------------------------------------------------------------------------

struct Strings {
  std::string_view any;
  std::optional<std::string_view> maybe;
  std::string_view some;
  std::string_view exact;
  std::string_view none;
  std::string_view with_default;
  std::string_view longest;
};
constexpr auto strings = mcp::params(
    mcp::param<&Strings::any>("any"), mcp::param<&Strings::maybe>("maybe", {.format = mcp::Format::email}),
    mcp::param<&Strings::some>("some", {.min_length = 2, .max_length = 5, .default_value = "\xE2\x82\xAC,2"}),
    mcp::param<&Strings::exact>("exact", {.min_length = 3, .max_length = 3, .default_value = "abc"}),
    mcp::param<&Strings::none>("none", {.max_length = 0, .default_value = ""}),
    mcp::param<&Strings::with_default>("with_default", {.min_length = 1, .default_value = "x"}),
    mcp::param<&Strings::longest>("longest", {.max_length = 65'535, .default_value = ""}));

struct FixedStrings {
  mcp::FixedString<9> any;
  std::optional<mcp::FixedString<1>> one;
  mcp::FixedString<8> quarter;
  mcp::FixedString<8> half;
  mcp::FixedString<8> least;
  mcp::FixedString<300> with_default;
};
constexpr auto fixed_strings =
    mcp::params(mcp::param<&FixedStrings::any>("any", {.description = "Says \"any\""}),
                mcp::param<&FixedStrings::one>("one", {.format = mcp::Format::date}),
                mcp::param<&FixedStrings::quarter>("quarter", {.max_length = 2, .default_value = "ab"}),
                mcp::param<&FixedStrings::half>("half", {.max_length = 4, .default_value = "abcd"}),
                mcp::param<&FixedStrings::least>("least", {.min_length = 3, .default_value = "abcdefgh"}),
                mcp::param<&FixedStrings::with_default>("with_default", {.default_value = ""}));

// ---- Enums -------------------------------------------------------------------------------------------------------

enum class Small : std::uint8_t { off, on = 255 };
enum class Signed : std::int16_t { low = -32768, high = 32767 };
enum Plain { red, green = -1 };
constexpr auto small = mcp::choices<Small>({{"off", Small::off}, {"on", Small::on}});
constexpr auto titled = mcp::choices<Signed>({{"low", Signed::low, "Low"}, {"High \"one\"", Signed::high, "High"}});
constexpr auto colours = mcp::choices<Plain>({{"r\xC3\xB6t", red}, {"gr\xC3\xBCn/\\", green}});

struct Enums {
  Small small;
  std::optional<Small> maybe;
  Signed titled;
  Plain colour;
};
constexpr auto enums = mcp::params(
    mcp::param<&Enums::small>("small", {.choices = small}), mcp::param<&Enums::maybe>("maybe", {.choices = small}),
    mcp::param<&Enums::titled>("titled", {.choices = titled, .default_value = Signed::low}),
    mcp::param<&Enums::colour>("colour", {.title = "Colour", .choices = colours, .default_value = green}));

// ---- Lists -------------------------------------------------------------------------------------------------------

struct Numbers {
  mcp::List<std::int8_t, 3> bytes;
  std::optional<mcp::List<std::uint64_t, 2>> wide;
  std::optional<mcp::List<float, 4>> floats;
  std::optional<mcp::List<double, 1>> doubles;
  std::optional<mcp::List<bool, 2>> flags;
};
constexpr auto numbers = mcp::params(
    mcp::param<&Numbers::bytes>("bytes", {.items = {.minimum = -3, .maximum = 4}}),
    mcp::param<&Numbers::wide>("wide", {.min_items = 2, .items = {.description = "uint64"}}),
    mcp::param<&Numbers::floats>("floats", {.min_items = 1, .items = {.minimum = -0.1F, .maximum = 0.7F}}),
    mcp::param<&Numbers::doubles>("doubles", {.items = {.maximum = 0.1}}), mcp::param<&Numbers::flags>("flags"));

struct Texts {
  std::optional<mcp::List<std::string_view, 3>> views;
  std::optional<mcp::List<mcp::FixedString<5>, 2>> fixed;
  std::optional<mcp::List<mcp::FixedString<8>, 2>> quarter;
  std::optional<mcp::List<Small, 4>> small;
  std::optional<mcp::List<Signed, 2>> titled;
};
constexpr auto texts = mcp::params(
    mcp::param<&Texts::views>("views", {.items = {.min_length = 1, .max_length = 4}}),
    mcp::param<&Texts::fixed>("fixed", {.items = {.title = "Fixed", .description = "One"}}),
    mcp::param<&Texts::quarter>("quarter", {.items = {.max_length = 2}}),
    mcp::param<&Texts::small>("small", {.min_items = 1, .items = {.choices = small}}),
    mcp::param<&Texts::titled>("titled", {.min_items = 1, .items = {.title = "Of them", .choices = titled}}));

// ---- Structs -----------------------------------------------------------------------------------------------------

struct Point {
  std::int16_t x;
  std::optional<double> y;
  mcp::FixedString<6> name;
};
constexpr auto point = mcp::params(mcp::param<&Point::x>("x", {.minimum = -10, .maximum = 10}),
                                   mcp::param<&Point::y>("y", {.minimum = -0.3}),
                                   mcp::param<&Point::name>("name", {.default_value = "none"}));
struct Line {
  Point from;
  std::optional<Point> to;
  mcp::List<Point, 2> over;
};
constexpr auto line = mcp::params(mcp::param<&Line::from>("from", {.description = "Its begin", .fields = point}),
                                  mcp::param<&Line::to>("to", {.fields = point}),
                                  mcp::param<&Line::over>("over", {.items = {.fields = point}}));
struct Drawing {
  Line line;
  std::optional<mcp::List<Line, 2>> lines;
};
constexpr auto drawing = mcp::params(mcp::param<&Drawing::line>("line", {.fields = line}),
                                     mcp::param<&Drawing::lines>("lines", {.min_items = 1, .items = {.fields = line}}));
/// Nested as deep as tables are.
struct Deepest {
  std::optional<Drawing> drawing;
};
constexpr auto deepest = mcp::params(mcp::param<&Deepest::drawing>("drawing", {.fields = drawing}));

/// Names that need escapes or are prefixes of each other, and one member for each type of number.
struct Named {
  bool quoted;
  std::optional<bool> umlaut;
  std::optional<bool> prefix;
  std::optional<bool> longer;
  std::optional<long> a_long;
  std::optional<unsigned long> unsigned_long;
  std::optional<long long> long_long;
  std::optional<signed char> byte;
};
constexpr auto named =
    mcp::params(mcp::param<&Named::quoted>("\"\\/"), mcp::param<&Named::umlaut>("\xC3\xA4\xF0\x9F\x8C\xA1"),
                mcp::param<&Named::prefix>("name"), mcp::param<&Named::longer>("name2"),
                mcp::param<&Named::a_long>("long", {.description = type_of<long>()}),
                mcp::param<&Named::unsigned_long>("unsigned_long", {.description = type_of<unsigned long>()}),
                mcp::param<&Named::long_long>("long_long", {.description = "int64"}),
                mcp::param<&Named::byte>("byte", {.description = "int8"}));

// ---- Multiples, patterns, formats --------------------------------------------------------------------------------

struct Multiples {
  std::int32_t five;
  std::optional<std::uint8_t> three;
  std::optional<std::uint64_t> wide;
  std::optional<float> half;
  std::optional<double> quarter;
  std::optional<double> ten;
  std::optional<mcp::List<std::int16_t, 3>> list;
  std::optional<mcp::List<float, 2>> floats;
};
constexpr auto multiples = mcp::params(
    mcp::param<&Multiples::five>("five", {.minimum = -1000, .maximum = 1000, .multiple_of = 5, .unit = "%"}),
    mcp::param<&Multiples::three>("three", {.description = "uint8", .multiple_of = 3, .deprecated = true}),
    mcp::param<&Multiples::wide>(
        "wide", {.description = "uint64", .maximum = 4'000'000'000'000, .default_value = 14, .multiple_of = 7}),
    mcp::param<&Multiples::half>("half", {.minimum = -20,
                                          .maximum = 20,
                                          .multiple_of = 0.5,
                                          .unit = "\xC2\xB0"
                                                  "C"}),
    mcp::param<&Multiples::quarter>("quarter", {.default_value = 0.75, .multiple_of = 0.25}),
    mcp::param<&Multiples::ten>("ten", {.multiple_of = 10}),
    mcp::param<&Multiples::list>("list", {.items = {.minimum = 0, .maximum = 40, .multiple_of = 10, .unit = "min"}}),
    mcp::param<&Multiples::floats>("floats", {.items = {.minimum = 0, .maximum = 2, .multiple_of = 0.125}}));

struct Patterns {
  std::string_view serial;
  std::optional<mcp::FixedString<12>> word;
  std::optional<std::string_view> anywhere;
  std::optional<std::string_view> choice;
  std::optional<std::string_view> classes;
  std::optional<std::string_view> time;
  std::optional<mcp::List<std::string_view, 3>> list;
};
constexpr auto patterns = mcp::params(
    mcp::param<&Patterns::serial>("serial", {.default_value = "AB-1234", .pattern = mcp::pattern<"^[A-Z]{2}-\\d{4}$">}),
    mcp::param<&Patterns::word>("word", {.pattern = mcp::pattern<"^[^\\s\"\\\\]+$">}),
    mcp::param<&Patterns::anywhere>("anywhere",
                                    {.max_length = 20, .pattern = mcp::pattern<"a.?[\xE2\x82\xAC-\xF0\x9F\x8C\xA1]">}),
    mcp::param<&Patterns::choice>("choice", {.pattern = mcp::pattern<"^(?:on|off|(a|Z)+0*)$">}),
    mcp::param<&Patterns::classes>("classes", {.pattern = mcp::pattern<"\\W\\D|\\S\\w{3}|x">}),
    mcp::param<&Patterns::time>("time", {.pattern = mcp::pattern<"^([01][0-9]|2[0-3]):[0-5][0-9]$">}),
    mcp::param<&Patterns::list>("list", {.items = {.pattern = mcp::pattern<"^a{1,3}$">}}));

struct Formats {
  std::optional<std::string_view> date;
  std::optional<std::string_view> date_time;
  std::optional<std::string_view> uri;
  std::optional<mcp::FixedString<15>> ipv4;
  std::optional<std::string_view> ipv6;
};
constexpr auto formats =
    mcp::params(mcp::param<&Formats::date>("date", {.format = mcp::Format::date, .checks_format = true}),
                mcp::param<&Formats::date_time>("date_time", {.format = mcp::Format::date_time, .checks_format = true}),
                mcp::param<&Formats::uri>("uri", {.format = mcp::Format::uri, .checks_format = true}),
                mcp::param<&Formats::ipv4>("ipv4", {.format = mcp::Format::ipv4, .checks_format = true}),
                mcp::param<&Formats::ipv6>("ipv6", {.format = mcp::Format::ipv6, .checks_format = true}));

// ---- Unique items, null, maps ------------------------------------------------------------------------------------

struct Uniques {
  mcp::List<std::int32_t, 4> integers;
  std::optional<mcp::List<std::string_view, 3>> views;
  std::optional<mcp::List<mcp::FixedString<5>, 3>> fixed;
  std::optional<mcp::List<Small, 2>> small;
  std::optional<mcp::List<Signed, 2>> titled;
};
constexpr auto uniques = mcp::params(
    mcp::param<&Uniques::integers>("integers", {.items = {.minimum = 0, .maximum = 5}, .unique_items = true}),
    mcp::param<&Uniques::views>("views", {.items = {.max_length = 2}, .unique_items = true}),
    mcp::param<&Uniques::fixed>("fixed", {.min_items = 1, .unique_items = true}),
    mcp::param<&Uniques::small>("small", {.items = {.choices = small}, .unique_items = true}),
    mcp::param<&Uniques::titled>("titled", {.items = {.choices = titled}, .unique_items = true}));

struct Nullables {
  mcp::Nullable<std::int16_t> integer;
  std::optional<mcp::Nullable<float>> number;
  std::optional<mcp::Nullable<bool>> flag;
  std::optional<mcp::Nullable<mcp::FixedString<6>>> text;
  std::optional<mcp::Nullable<std::string_view>> word;
  std::optional<mcp::Nullable<Small>> small;
  std::optional<mcp::Nullable<Signed>> titled;
  std::optional<mcp::Nullable<Point>> point;
  mcp::Nullable<std::uint64_t> wide;
};
constexpr auto nullables = mcp::params(
    mcp::param<&Nullables::integer>("integer", {.minimum = -3, .maximum = 30, .multiple_of = 3, .unit = "m/s2"}),
    mcp::param<&Nullables::number>("number", {.minimum = 0.1F, .maximum = 0.9F}),
    mcp::param<&Nullables::flag>("flag", {.deprecated = true}),
    mcp::param<&Nullables::text>("text", {.title = "Text", .description = "Some"}),
    mcp::param<&Nullables::word>("word", {.pattern = mcp::pattern<"^a*$">}),
    mcp::param<&Nullables::small>("small", {.choices = small}),
    mcp::param<&Nullables::titled>("titled", {.choices = titled, .default_value = Signed::low}),
    mcp::param<&Nullables::point>("point", {.fields = point}),
    mcp::param<&Nullables::wide>("wide", {.description = "uint64", .default_value = 7}));

struct Maps {
  mcp::Map<std::int8_t, 3> integers;
  std::optional<mcp::Map<float, 2, 4>> floats;
  std::optional<mcp::Map<mcp::FixedString<4>, 2, 8>> texts;
  std::optional<mcp::Map<Signed, 2>> titled;
  std::optional<mcp::Map<Point, 2>> points;
};
constexpr auto maps = mcp::params(
    mcp::param<&Maps::integers>("integers", {.min_items = 1, .items = {.minimum = -3, .maximum = 4, .unit = "h"}}),
    mcp::param<&Maps::floats>(
        "floats", {.title = "Floats", .description = "Of all", .items = {.description = "float", .maximum = 0.7F}}),
    mcp::param<&Maps::texts>("texts",
                             {.items = {.title = "One", .description = "Text", .pattern = mcp::pattern<"^.?a">}}),
    mcp::param<&Maps::titled>("titled", {.items = {.choices = titled}}),
    mcp::param<&Maps::points>("points", {.items = {.fields = point}, .deprecated = true}));

constexpr double wide = 1e300;
constexpr mcp::Tool tools[] = {
    mcp::tool<accept_none>({.name = "none"}),
    mcp::tool<accept<Three<bool>>>({.name = "bool"}, three<bool, true>),
    mcp::tool<accept<Three<std::int8_t>>>({.name = "int8"}, three<std::int8_t, 1>),
    mcp::tool<accept<Three<std::int16_t>>>({.name = "int16"}, three<std::int16_t, 1>),
    mcp::tool<accept<Three<std::int32_t>>>({.name = "int32"}, three<std::int32_t, 1>),
    mcp::tool<accept<Three<std::int64_t>>>({.name = "int64"}, three<std::int64_t, 1>),
    mcp::tool<accept<Three<std::uint8_t>>>({.name = "uint8"}, three<std::uint8_t, 1>),
    mcp::tool<accept<Three<std::uint16_t>>>({.name = "uint16"}, three<std::uint16_t, 1>),
    mcp::tool<accept<Three<std::uint32_t>>>({.name = "uint32"}, three<std::uint32_t, 1>),
    mcp::tool<accept<Three<std::uint64_t>>>({.name = "uint64"}, three<std::uint64_t, 1>),
    mcp::tool<accept<Three<float>>>({.name = "float"}, three<float, 1>),
    mcp::tool<accept<Three<double>>>({.name = "double"}, three<double, 1>),
    mcp::tool<accept<Range<std::int8_t>>>({.name = "range_int8"}, range<std::int8_t, -5, 7>),
    mcp::tool<accept<Range<std::int32_t>>>({.name = "range_int32"}, range<std::int32_t, 0, 2'000'000'000>),
    mcp::tool<accept<Range<std::int64_t>>>({.name = "range_int64"}, range<std::int64_t, INT64_MIN + 1, INT64_MAX - 1>),
    mcp::tool<accept<Range<std::uint16_t>>>({.name = "range_uint16"}, range<std::uint16_t, 1, 1000>),
    mcp::tool<accept<Range<std::uint64_t>>>({.name = "range_uint64"},
                                            range<std::uint64_t, 9'007'199'254'740'993, UINT64_MAX - 1>),
    mcp::tool<accept<Range<float>>>({.name = "range_float"}, range<float, 0.1F, 0.9F>),
    mcp::tool<accept<Range<float>>>({.name = "range_float_decimal"}, range<float, -0.3, 1e38>),
    mcp::tool<accept<Range<float>>>({.name = "range_float_tiny"}, range<float, -1e-45F, 1e-40F>),
    mcp::tool<accept<Range<double>>>({.name = "range_double"}, range<double, -0.1, 0.7>),
    mcp::tool<accept<Range<double>>>({.name = "range_double_huge"}, range<double, -wide, wide>),
    mcp::tool<accept<Range<double>>>({.name = "range_double_tiny"}, range<double, 5e-324, 3e-308>),
    mcp::tool<accept<Strings>>({.name = "strings"}, strings),
    mcp::tool<accept<FixedStrings>>({.name = "fixed_strings"}, fixed_strings),
    mcp::tool<accept<Enums>>({.name = "enums"}, enums),
    mcp::tool<accept<Numbers>>({.name = "lists_of_numbers"}, numbers),
    mcp::tool<accept<Texts>>({.name = "lists_of_texts"}, texts),
    mcp::tool<accept<Point>>({.name = "struct"}, point),
    mcp::tool<accept<Line>>({.name = "structs"}, line),
    mcp::tool<accept<Deepest>>({.name = "deepest_structs"}, deepest),
    mcp::tool<accept<Named>>({.name = "names"}, named),
    mcp::tool<accept<Multiples>>({.name = "multiples"}, multiples),
    mcp::tool<accept<Patterns>>({.name = "patterns"}, patterns),
    mcp::tool<accept<Formats>>({.name = "formats"}, formats),
    mcp::tool<accept<Uniques>>({.name = "unique_lists"}, uniques),
    mcp::tool<accept<Nullables>>({.name = "nullables"}, nullables),
    mcp::tool<accept<Maps>>({.name = "maps"}, maps),
};
constexpr mcp::Definition definition{.name = "parameters", .version = "1.0.0", .tools = tools};

constexpr mcp::Limits limits{.receive_size = 512 * 1024, .transmit_size = 64 * 1024};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};

constexpr mcp::Definition strict_definition{
    .name = "strict", .version = "1.0.0", .tools = tools, .strict_schemas = true};
constinit mcp::Storage<strict_definition, limits> strict_storage;
constinit mcp::Server strict_server{strict_storage};

}  // namespace

int main(int argc, char** argv) {
  const bool is_strict = argc > 1 && std::string_view(argv[1]) == "--strict";
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{is_strict ? strict_server : server, stdio};
  for (;;) {
    const mcp::Millis due_ms = transport.poll(mcp::posix::now());
    if (transport.closed()) return 0;
    stdio.wait(due_ms);
  }
}
