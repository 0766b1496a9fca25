// SPDX-License-Identifier: Apache-2.0
// A fourth test device: tools and jobs with structured results of every kind of value, right and wrong, and results
// with
// `_meta`.
#include <cmath>
#include <limits>
#include <optional>

#include "support/device.hpp"

namespace test {
namespace {

// ---- Every kind of value -----------------------------------------------------------------------------------------

enum class Mode : std::uint8_t { off, on = 200, unnamed };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}});
enum class Side : std::int16_t { left = -1, right = 1 };
constexpr auto sides = mcp::choices<Side>({{"left", Side::left}, {"right", Side::right}});
enum class Wide : std::uint32_t { low = 1, high = 0x8000'0001 };
constexpr auto wides = mcp::choices<Wide>({{"low", Wide::low}, {"high", Wide::high}});

struct Point {
  float x = {};
  std::optional<float> y = {};
};
constexpr auto point = mcp::output(mcp::param<&Point::x>("x", {.description = "Across", .minimum = -1, .maximum = 1}),
                                   mcp::param<&Point::y>("y"));

struct Values {
  std::int8_t i8 = {};
  std::uint8_t u8 = {};
  std::int16_t i16 = {};
  std::uint16_t u16 = {};
  std::int32_t i32 = {};
  std::uint32_t u32 = {};
  std::int64_t i64 = {};
  std::uint64_t u64 = {};
  std::int32_t percent = {};
  float f = {};
  double d = {};
  double share = {};
  bool flag = {};
  std::string_view text = {};
  std::string_view word = {};
  mcp::FixedString<4> name = {};
  Mode mode = {};
  Side side = {};
  Wide wide = {};
  std::optional<std::int32_t> maybe = {};
  std::optional<mcp::FixedString<4>> label = {};
  mcp::List<std::int16_t, 3> numbers = {};
  mcp::List<mcp::FixedString<4>, 2> names = {};
  mcp::List<std::string_view, 2> texts = {};
  mcp::List<Mode, 2> choices = {};
  mcp::List<double, 2> doubles = {};
  Point point = {};
  mcp::List<Point, 2> points = {};
  std::optional<Point> corner = {};
};
constexpr auto values = mcp::output(
    mcp::param<&Values::i8>("i8"), mcp::param<&Values::u8>("u8"), mcp::param<&Values::i16>("i16"),
    mcp::param<&Values::u16>("u16"), mcp::param<&Values::i32>("i32"), mcp::param<&Values::u32>("u32"),
    mcp::param<&Values::i64>("i64"), mcp::param<&Values::u64>("u64", {.maximum = 18'446'744'073'709'551'614U}),
    mcp::param<&Values::percent>("percent", {.minimum = 0, .maximum = 100, .default_value = 50}),
    mcp::param<&Values::f>("f"), mcp::param<&Values::d>("d"),
    mcp::param<&Values::share>("share", {.minimum = 0, .maximum = 0.5}), mcp::param<&Values::flag>("flag"),
    mcp::param<&Values::text>("text"), mcp::param<&Values::word>("word", {.min_length = 1, .max_length = 2}),
    mcp::param<&Values::name>("name"), mcp::param<&Values::mode>("mode", {.choices = modes}),
    mcp::param<&Values::side>("side", {.choices = sides}), mcp::param<&Values::wide>("wide", {.choices = wides}),
    mcp::param<&Values::maybe>("maybe", {.maximum = 9}), mcp::param<&Values::label>("label"),
    mcp::param<&Values::numbers>("numbers", {.min_items = 1, .items = {.minimum = -5}}),
    mcp::param<&Values::names>("names", {.items = {.min_length = 1}}),
    mcp::param<&Values::texts>("texts", {.items = {.max_length = 3}}),
    mcp::param<&Values::choices>("choices", {.items = {.choices = modes}}), mcp::param<&Values::doubles>("doubles"),
    mcp::param<&Values::point>("point", {.fields = point}),
    mcp::param<&Values::points>("points", {.items = {.fields = point}}),
    mcp::param<&Values::corner>("corner", {.fields = point}));

template <class T, std::size_t N>
T& add(mcp::List<T, N>& list, const T& value) {
  T* const place = list.grow();
  *place = value;
  return *place;
}
mcp::FixedString<4> name(std::string_view text) {
  mcp::FixedString<4> result;
  static_cast<void>(result.assign(text));
  return result;
}

// The least that the table allows.
void fill_least(Values& out) {
  out = {.i8 = -128,
         .i16 = -32768,
         .i32 = std::numeric_limits<std::int32_t>::min(),
         .i64 = std::numeric_limits<std::int64_t>::min(),
         .f = -1.5F,
         .d = -1e300,
         .word = "a",
         .side = Side::left,
         .wide = Wide::low,
         .point = {.x = -1}};
  add(out.numbers, std::int16_t{-5});
}

// The most of everything.
void fill_most(Values& out) {
  out = {.i8 = 127,
         .u8 = 255,
         .i16 = 32767,
         .u16 = 65535,
         .i32 = std::numeric_limits<std::int32_t>::max(),
         .u32 = std::numeric_limits<std::uint32_t>::max(),
         .i64 = std::numeric_limits<std::int64_t>::max(),
         .u64 = std::numeric_limits<std::uint64_t>::max() - 1,
         .percent = 100,
         .f = 0.1F,
         .d = 0.1,
         .share = 0.5,
         .flag = true,
         .text = "\"quoted\" \\ \n€\xFF",
         .word = "€€",
         .name = name("name"),
         .mode = Mode::on,
         .side = Side::right,
         .wide = Wide::high,
         .maybe = 9,
         .label = name("\"l\""),
         .point = {.x = 1, .y = 2.5F},
         .corner = Point{.x = 0, .y = 0}};
  for (const int number : {0, -1, 7}) add(out.numbers, static_cast<std::int16_t>(number));
  for (const char* const text : {"a", "\"b\""}) add(out.names, name(text));
  for (const char* const text : {"", "abc"}) add(out.texts, std::string_view(text));
  for (const Mode mode : {Mode::on, Mode::off}) add(out.choices, mode);
  for (const double number : {1.0, 2.5}) add(out.doubles, number);
  add(out.points, Point{.x = 0.5F, .y = {}});
  add(out.points, Point{.x = -0.5F, .y = 1});
}

mcp::Errc least(Values& out, mcp::Call&) {
  fill_least(out);
  return mcp::Errc::ok;
}
mcp::Errc most(Values& out, mcp::Call&) {
  fill_most(out);
  return mcp::Errc::ok;
}

// ---- Values that the table does not allow ------------------------------------------------------------------------

struct Which {
  mcp::FixedString<24> what;
};
constexpr auto which = mcp::params(mcp::param<&Which::what>("what"));

mcp::Errc wrong(const Which& arguments, Values& out, mcp::Call& call) {
  const std::string_view what = arguments.what.view();
  const auto infinity = std::numeric_limits<double>::infinity();
  fill_most(out);
  if (what == "u64") out.u64 = std::numeric_limits<std::uint64_t>::max();
  if (what == "percent below") out.percent = -1;
  if (what == "percent above") out.percent = 101;
  if (what == "f is NaN") out.f = std::numeric_limits<float>::quiet_NaN();
  if (what == "f is infinite") out.f = -std::numeric_limits<float>::infinity();
  if (what == "d is NaN") out.d = std::numeric_limits<double>::quiet_NaN();
  if (what == "d is infinite") out.d = infinity;
  if (what == "share below") out.share = -0.001;
  if (what == "share above") out.share = std::nextafter(0.5, 1);
  if (what == "word too short") out.word = "";
  if (what == "word too long") out.word = "abc";
  if (what == "word not UTF-8") out.word = "\x80\x80\x80";
  if (what == "mode") out.mode = Mode::unnamed;
  if (what == "side") out.side = Side{};
  if (what == "wide") out.wide = static_cast<Wide>(0x8000'0000);
  if (what == "maybe") out.maybe = 10;
  if (what == "no numbers") out.numbers = {};
  if (what == "numbers[1]") {
    out.numbers = {};
    for (const int number : {-5, -6}) add(out.numbers, static_cast<std::int16_t>(number));
  }
  if (what == "names[0]") add(out.names = {}, name(""));
  if (what == "texts[0]") add(out.texts = {}, std::string_view("abcd"));
  if (what == "choices[0]") add(out.choices = {}, Mode::unnamed);
  if (what == "doubles[0]") add(out.doubles = {}, -infinity);
  if (what == "point.x") out.point.x = 1.5F;
  if (what == "points[0].y") add(out.points = {}, Point{}).y = static_cast<float>(infinity);
  if (what == "corner.x") out.corner->x = -1.5F;
  return call.result().text("never sent");
}

// ---- Other actions of handlers --------------------------------------------------------------------------------------

struct Reading {
  std::int32_t value;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::value>("value", {.maximum = 9}));

const auto write_meta = [](mcp::json::Writer& out) {
  out.member("com.example/bus", 2);
  out.member("com.example/name", "i2c");
};

// `what` selects the action.
mcp::Errc act(const Which& arguments, Reading& out, mcp::Call& call) {
  const std::string_view what = arguments.what.view();
  out.value = 5;
  if (what == "plain") return mcp::Errc::ok;
  if (what == "content before") return call.result().text("Read.");
  if (what == "itself") return call.structured(reading, {.value = 6});
  if (what == "with meta") {
    if (const mcp::Errc errc = call.structured(reading, out); errc != mcp::Errc::ok) return errc;
    return call.meta(write_meta);
  }
  if (what == "unavailable") return mcp::Errc::unavailable;
  if (what == "fails") return call.fail("It failed.");
  mcp::Errc errc = call.structured(reading, out);
  if (errc != mcp::Errc::ok || what == "twice") return errc == mcp::Errc::ok ? call.structured(reading, out) : errc;
  if (what == "unavailable after") return mcp::Errc::unavailable;
  if (what == "no space after") return mcp::Errc::no_space;
  if (what == "fails after") return call.fail("It failed late.");
  if (what == "content after") return call.result().text("too late");
  errc = call.fail("It failed.");
  if (what == "structured after fail") errc = call.structured(reading, out);
  if (what == "meta after fail") errc = call.meta(write_meta);
  return errc;
}

mcp::Errc meta(const Which& arguments, mcp::Call& call) {
  const std::string_view what = arguments.what.view();
  if (what == "first") return call.meta([](mcp::json::Writer&) {});
  if (const mcp::Errc errc = call.result().text("one"); errc != mcp::Errc::ok) return errc;
  const mcp::Errc errc = call.meta(write_meta);
  if (what == "fails after") return call.fail("It failed late.");
  if (what == "twice") return call.meta(write_meta);
  if (what == "content after") return call.result().text("too late");
  if (what == "structured after") return call.structured(reading, {.value = 1});
  return errc;
}

mcp::Errc raw(mcp::json::Value, mcp::Call& call) { return call.result().text("raw"); }

// ---- Jobs --------------------------------------------------------------------------------------------------------

struct Measure {
  Which arguments;
  std::uint8_t steps;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    if (++steps < 3) {
      static_cast<void>(
          context.structured(reading, {.value = 1}));  // counts for nothing in a step that is not the last
      return context.sleep(10);
    }
    const std::string_view what = arguments.what.view();
    if (what == "wrong") return context.done(context.structured(reading, {.value = 10}));
    if (what == "fails") return context.done(context.fail("It failed."));
    if (what == "silent") return context.done(context.result().text("no structured result"));
    return context.done(context.structured(reading, {.value = 7}));
  }
};

struct Once {
  mcp::Step step(mcp::JobContext& context) { return context.done(context.structured(reading, {.value = 8})); }
};

constexpr mcp::Tool tools[] = {
    mcp::tool<least>({.name = "least"}, values),
    mcp::tool<most>({.name = "most"}, values),
    mcp::tool<wrong>({.name = "wrong"}, which, values),
    mcp::tool<act>({.name = "act"}, which, reading),
    mcp::tool<meta>({.name = "meta"}, which),
    mcp::tool<raw>({.name = "raw"}, mcp::InputSchema(R"({"type":"object"})")),
    mcp::job<Measure>({.name = "measure"}, which, reading),
    mcp::job<Once, 1000>({.name = "once"}, reading),
};

}  // namespace

constexpr mcp::Definition structured{.name = "structured", .version = "0", .tools = tools};

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.transmit_size = 4096, .jobs = 1};
constinit mcp::Storage<structured, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage};

}  // namespace
}  // namespace test
