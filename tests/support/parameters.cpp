// SPDX-License-Identifier: Apache-2.0
// A test device whose parameters and outputs have multiples, units, patterns, checked formats, unique items, nulls and
// maps. Tool `set` says what it was given, and `get` returns values of an output, right and wrong.
#include <optional>

#include "mcp/json/value.hpp"
#include "mcp/pattern.hpp"
#include "support/device.hpp"

namespace test {
namespace {

enum class Mode : std::uint8_t { off, on };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}});
constexpr auto titled_modes = mcp::choices<Mode>({{"off", Mode::off, "Switched off"}, {"on", Mode::on, "On"}});

struct Bed {
  std::int32_t litres;
  mcp::Nullable<float> celsius;
};
namespace json = mcp::json;
constexpr auto bed =
    mcp::params(mcp::param<&Bed::litres>("litres", {.minimum = 0, .maximum = 9, .default_value = 5, .unit = "L"}),
                mcp::param<&Bed::celsius>("celsius", {.default_value = 20.5, .unit = "Cel"}));
constexpr auto bed_output = mcp::output(mcp::param<&Bed::litres>("litres", {.minimum = 0, .maximum = 9, .unit = "L"}),
                                        mcp::param<&Bed::celsius>("celsius", {.unit = "\xC2\xB0"
                                                                                      "C"}));

struct Numbers {
  std::int32_t percent;
  std::optional<std::uint64_t> wide;
  std::optional<float> celsius;
  std::optional<double> bar;
  std::optional<mcp::List<std::int16_t, 3>> minutes;
};
constexpr auto numbers = mcp::params(
    mcp::param<&Numbers::percent>("percent", {.description = "How far the valve opens",
                                              .minimum = 0,
                                              .maximum = 100,
                                              .default_value = 50,
                                              .multiple_of = 5,
                                              .unit = "%"}),
    mcp::param<&Numbers::wide>("wide", {.multiple_of = 1'000'000, .deprecated = true}),
    mcp::param<&Numbers::celsius>("celsius", {.title = "Target", .maximum = 30, .multiple_of = 0.5, .unit = "Cel"}),
    mcp::param<&Numbers::bar>("bar", {.multiple_of = 0.25, .unit = "bar"}),
    mcp::param<&Numbers::minutes>("minutes", {.title = "Times",
                                              .description = "When it opens",
                                              .items = {.title = "Time", .multiple_of = 10, .unit = "min"},
                                              .deprecated = true}));

mcp::Errc set_numbers(const Numbers& in, mcp::Call& call) {
  return call.result().text(in.percent, " ", in.wide.value_or(0), " ", in.celsius.value_or(0), " ", in.bar.value_or(0),
                            " ", in.minutes ? in.minutes->size() : 0);
}

struct Texts {
  mcp::FixedString<9> serial;
  std::optional<std::string_view> word;
  std::optional<mcp::FixedString<15>> address;
  std::optional<std::string_view> address6;
  std::optional<std::string_view> day;
  std::optional<std::string_view> time;
  std::optional<std::string_view> link;
  std::optional<std::string_view> unchecked;
};
constexpr auto texts = mcp::params(
    mcp::param<&Texts::serial>("serial", {.title = "Serial \"number\"",
                                          .description = "On the lid",
                                          .default_value = "AB-1234",
                                          .pattern = mcp::pattern<"^[A-Z]{2}-\\d{4}$">}),
    mcp::param<&Texts::word>("word", {.max_length = 40, .pattern = mcp::pattern<"^(a+)+$">, .deprecated = true}),
    mcp::param<&Texts::address>("address", {.format = mcp::Format::ipv4, .checks_format = true}),
    mcp::param<&Texts::address6>("address6", {.format = mcp::Format::ipv6, .checks_format = true}),
    mcp::param<&Texts::day>("day", {.format = mcp::Format::date, .default_value = "2026-11-25", .checks_format = true}),
    mcp::param<&Texts::time>("time", {.format = mcp::Format::date_time, .checks_format = true}),
    mcp::param<&Texts::link>("link", {.format = mcp::Format::uri, .checks_format = true}),
    mcp::param<&Texts::unchecked>("unchecked", {.format = mcp::Format::ipv4}));

mcp::Errc set_texts(const Texts& in, mcp::Call& call) {
  return call.result().text(in.serial.view(), " ", in.day.value_or("no day"), " ", in.unchecked.value_or("none"));
}

struct Lists {
  std::optional<mcp::List<std::int32_t, 3>> numbers;
  std::optional<mcp::List<std::string_view, 3>> views;
  std::optional<mcp::List<mcp::FixedString<3>, 3>> fixed;
  std::optional<mcp::List<Mode, 2>> modes;
};
constexpr auto lists =
    mcp::params(mcp::param<&Lists::numbers>("numbers", {.min_items = 1, .unique_items = true}),
                mcp::param<&Lists::views>("views", {.title = "Views", .unique_items = true}),
                mcp::param<&Lists::fixed>("fixed", {.unique_items = true, .deprecated = true}),
                mcp::param<&Lists::modes>("modes", {.items = {.choices = titled_modes}, .unique_items = true}));

mcp::Errc set_lists(const Lists& in, mcp::Call& call) {
  return call.result().text(in.numbers ? in.numbers->size() : 0, " ", in.views ? in.views->size() : 0, " ",
                            in.fixed ? in.fixed->size() : 0, " ", in.modes ? in.modes->size() : 0);
}

struct Nulls {
  mcp::Nullable<std::uint64_t> number = std::uint64_t{7};  // a null replaces it
  std::optional<mcp::Nullable<float>> celsius;
  std::optional<mcp::Nullable<bool>> flag;
  std::optional<mcp::Nullable<mcp::FixedString<5>>> name;
  std::optional<mcp::Nullable<Mode>> mode;
  std::optional<mcp::Nullable<Mode>> titled_mode;
  std::optional<mcp::Nullable<Bed>> bed;
};
constexpr auto nulls = mcp::params(
    mcp::param<&Nulls::number>("number", {.minimum = 0, .maximum = 9}),
    mcp::param<&Nulls::celsius>("celsius", {.default_value = 21.5, .unit = "Cel"}), mcp::param<&Nulls::flag>("flag"),
    mcp::param<&Nulls::name>("name"), mcp::param<&Nulls::mode>("mode", {.choices = modes, .default_value = Mode::on}),
    mcp::param<&Nulls::titled_mode>("titled_mode", {.title = "Mode", .choices = titled_modes}),
    mcp::param<&Nulls::bed>("bed", {.description = "A bed", .fields = bed}));

template <class T>
const char* state_of(const std::optional<mcp::Nullable<T>>& member) {
  return !member ? "absent" : member->has_value() ? "given" : "null";
}
mcp::Errc set_nulls(const Nulls& in, mcp::Call& call) {
  return call.result().text(*in.number, in.number ? " given" : " null", ", celsius ", state_of(in.celsius), ", flag ",
                            state_of(in.flag), ", name ", state_of(in.name), ", mode ", state_of(in.mode), ", bed ",
                            state_of(in.bed), " ", in.bed && *in.bed ? (*in.bed)->litres : 0);
}

struct Maps {
  mcp::Map<std::int8_t, 2, 4> levels;
  std::optional<mcp::Map<Mode, 2>> modes;
  std::optional<mcp::Map<Bed, 2>> beds;
};
constexpr auto maps = mcp::params(
    mcp::param<&Maps::levels>("levels", {.min_items = 1, .items = {.minimum = 0, .multiple_of = 2, .unit = "m3/h"}}),
    mcp::param<&Maps::modes>("modes", {.title = "Modes", .items = {.choices = titled_modes}}),
    mcp::param<&Maps::beds>("beds", {.items = {.title = "Bed", .fields = bed}}));

mcp::Errc set_maps(const Maps& in, mcp::Call& call) {
  const std::int8_t* const a = in.levels.find("a");
  std::int32_t litres = 0;
  if (in.beds) {
    for (const auto& entry : *in.beds) litres += entry.value.litres;
  }
  return call.result().text(in.levels.size(), " levels, a ", a != nullptr ? int{*a} : -1, ", ",
                            in.modes ? in.modes->size() : 0, " modes, ", litres, " litres");
}

// ---- Outputs -----------------------------------------------------------------------------------------------------

struct Wanted {
  std::string_view what;
};
constexpr auto wanted = mcp::params(mcp::param<&Wanted::what>("what"));

struct State {
  std::int32_t percent = {};
  std::int16_t below = {};
  std::uint64_t wide = {};
  float celsius = {};
  double bar = {};
  std::string_view word = {};
  mcp::FixedString<9> serial = {};
  std::string_view day = {};
  mcp::List<std::int32_t, 3> numbers = {};
  mcp::List<std::string_view, 3> views = {};
  mcp::List<mcp::FixedString<3>, 3> fixed = {};
  mcp::Nullable<std::int32_t> maybe = {};
  mcp::Nullable<double> ratio = {};
  mcp::Nullable<bool> flag = {};
  mcp::Nullable<std::string_view> text = {};
  mcp::Nullable<Mode> mode = {};
  mcp::Nullable<Bed> bed = {};
  mcp::Map<std::int8_t, 2, 4> levels = {};
  std::optional<mcp::Map<Bed, 2>> beds = {};
};
constexpr auto state = mcp::output(
    mcp::param<&State::percent>("percent", {.minimum = 0, .maximum = 100, .multiple_of = 5, .unit = "%"}),
    mcp::param<&State::below>("below", {.multiple_of = 10, .deprecated = true}),
    mcp::param<&State::wide>("wide", {.multiple_of = 3}),
    mcp::param<&State::celsius>("celsius", {.multiple_of = 0.5, .unit = "Cel"}),
    mcp::param<&State::bar>("bar", {.multiple_of = 0.25}),
    mcp::param<&State::word>("word", {.pattern = mcp::pattern<"^\\w*$">}),
    mcp::param<&State::serial>("serial", {.pattern = mcp::pattern<"^[A-Z]*$">}),
    mcp::param<&State::day>("day", {.format = mcp::Format::date, .checks_format = true}),
    mcp::param<&State::numbers>("numbers", {.unique_items = true}),
    mcp::param<&State::views>("views", {.unique_items = true}),
    mcp::param<&State::fixed>("fixed", {.min_items = 1, .unique_items = true}),
    mcp::param<&State::maybe>("maybe", {.maximum = 9}), mcp::param<&State::ratio>("ratio"),
    mcp::param<&State::flag>("flag"), mcp::param<&State::text>("text"),
    mcp::param<&State::mode>("mode", {.choices = modes}), mcp::param<&State::bed>("bed", {.fields = bed_output}),
    mcp::param<&State::levels>("levels", {.min_items = 1, .items = {.maximum = 9}}),
    mcp::param<&State::beds>("beds", {.items = {.fields = bed_output}}));

constexpr char large[] =
    "This text is longer than what the smallest transmit buffer has left for the result of a tool, so that the tool "
    "fails there: 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789";

template <class T, std::size_t N>
void add(mcp::List<T, N>& list, const T& value) {
  *list.grow() = value;
}
mcp::FixedString<3> short_text(std::string_view text, std::string_view before = {}) {
  mcp::FixedString<3> result;
  static_cast<void>(result.assign(before));
  static_cast<void>(result.assign(text));
  return result;
}

mcp::Errc get(const Wanted& in, State& out, mcp::Call&) {
  const std::string_view what = in.what;
  out.day = what == "day" ? "2026-02-30" : "2026-11-25";
  out.percent = what == "percent" ? 51 : what == "percent above" ? 105 : 50;
  out.below = what == "below" ? std::int16_t{-25} : std::int16_t{-20};
  out.wide = what == "wide" ? 4 : 3;
  out.celsius = what == "celsius" ? 20.25F : 20.5F;
  out.bar = what == "bar" ? 0.1 : 0.75;
  out.word = what == "word" ? "two words" : "word";
  static_cast<void>(out.serial.assign(what == "serial" ? "a" : "A"));
  for (const std::int32_t number : {1, 2, what == "numbers" ? 1 : 3}) add(out.numbers, number);
  for (const char* const text : {"a", what == "views" ? "a" : "b"}) add(out.views, std::string_view(text));
  if (what != "fixed empty") add(out.fixed, short_text("a"));
  add(out.fixed, short_text(what == "fixed" ? "a" : "b", "xyz"));
  if (what == "fixed empty") out.fixed = {};
  *out.levels.insert(what == "most" ? "\"\xC3\xA4" : "a") = what == "levels" ? std::int8_t{10} : std::int8_t{9};
  if (what == "levels empty") out.levels = {};
  if (what == "maybe") out.maybe = 10;
  if (what == "bed") out.bed = Bed{.litres = 10, .celsius = {}};
  if (what == "beds") out.beds.emplace().insert("x")->litres = 10;
  if (what != "most") return mcp::Errc::ok;
  out.maybe = 9;
  out.ratio = 0.5;
  out.flag = true;
  out.text = std::string_view("text");
  out.mode = Mode::on;
  out.bed = Bed{.litres = 1, .celsius = 2.5F};
  *out.beds.emplace().insert("x") = Bed{.litres = 1, .celsius = {}};
  return mcp::Errc::ok;
}

// ---- Outputs that are no struct, or have no table ----------------------------------------------------------------

constexpr auto levels = mcp::output_value<mcp::List<float, 3>>(
    {.title = "Levels", .description = "Of all tanks", .items = {.minimum = 0, .maximum = 9, .unit = "m"}});
constexpr auto count = mcp::output_value<mcp::Nullable<std::int32_t>>({.description = "How many", .maximum = 9});
constexpr auto names = mcp::output_value<mcp::Map<std::int8_t, 2, 4>>({.items = {.maximum = 9}});
constexpr mcp::InputSchema any_input(R"({"type":"object","properties":{"what":{"type":"string"}}})");

mcp::Errc list_levels(const Wanted& in, mcp::List<float, 3>& out, mcp::Call& call) {
  if (in.what == "fail") return call.fail("No sensor.");
  if (in.what == "text") static_cast<void>(call.result().text("Two levels."));
  add(out, 0.5F);
  add(out, in.what == "above" ? 9.5F : 1.5F);
  return mcp::Errc::ok;
}
mcp::Errc count_levels(mcp::Nullable<std::int32_t>& out, mcp::Call&) {
  out = 7;
  return mcp::Errc::ok;
}
mcp::Errc count_any(mcp::json::Value in, mcp::Nullable<std::int32_t>& out, mcp::Call&) {
  if (json::find_member(in, "what").equals("above")) out = 10;
  return mcp::Errc::ok;
}
mcp::Errc name_levels(const Wanted&, mcp::Map<std::int8_t, 2, 4>& out, mcp::Call&) {
  *out.insert("a") = 1;
  return mcp::Errc::ok;
}
mcp::Errc get_bed(mcp::json::Value in, Bed& out, mcp::Call&) {
  out.litres = json::find_member(in, "what").equals("above") ? 10 : 1;
  return mcp::Errc::ok;
}

mcp::Errc write_tree(std::string_view what, mcp::Call& call) {
  if (what == "nothing") return call.result().text("text alone");
  if (what == "fail") return call.fail("No tree.");
  if (what == "text") static_cast<void>(call.result().text("A tree."));
  return call.structured([&](json::Writer& out) {
    if (what == "array") {
      out.array_begin();
      out.number(1);
      out.string("\"two\"");
      out.array_end();
    } else {
      out.object_begin();
      out.member("leaf", "\"a\"");
      if (what == "large") out.member("text", std::string_view(large));
      out.object_end();
    }
  });
}
mcp::Errc tree_of(const Wanted& in, mcp::Call& call) { return write_tree(in.what, call); }
mcp::Errc tree(mcp::Call& call) { return write_tree("tree", call); }
mcp::Errc any_tree(json::Value in, mcp::Call& call) { return write_tree(json::find_member(in, "what").string(), call); }

constexpr mcp::Tool tools[] = {
    mcp::tool<list_levels>({.name = "list_levels"}, wanted, levels),
    mcp::tool<count_levels>({.name = "count_levels"}, count),
    mcp::tool<count_any>({.name = "count_any"}, any_input, count),
    mcp::tool<name_levels>({.name = "name_levels"}, wanted, names),
    mcp::tool<get_bed>({.name = "get_bed"}, any_input, bed_output),
    mcp::tool<tree_of>({.name = "tree_of"}, wanted, mcp::OutputSchema(R"({"type":"object","required":["leaf"]})")),
    mcp::tool<tree>({.name = "tree"},
                    mcp::OutputSchema(R"({"properties":{"leaf":{"type":"string"}},"type":"object"})")),
    mcp::tool<any_tree>({.name = "any_tree"}, any_input,
                        mcp::OutputSchema(R"({"items":{"type":["integer","string"]}})")),
    mcp::tool<set_numbers>({.name = "set_numbers"}, numbers),
    mcp::tool<set_texts>({.name = "set_texts"}, texts),
    mcp::tool<set_lists>({.name = "set_lists"}, lists),
    mcp::tool<set_nulls>({.name = "set_nulls"}, nulls),
    mcp::tool<set_maps>({.name = "set_maps"}, maps),
    mcp::tool<get>({.name = "get"}, wanted, state),
};

}  // namespace

constexpr mcp::Definition parameters{.name = "parameters", .version = "0", .tools = tools};
constexpr mcp::Definition strict{
    .name = "strict", .version = "0", .tools = tools, .strict_schemas = true, .unit_codes = true};

}  // namespace test
