// SPDX-License-Identifier: Apache-2.0
#include "support/device.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace test {

DeviceState device{};

namespace {

// ---- Tools that say what they were given -------------------------------------------------------------------------

// `name=value`, separated by spaces, without missing values.
class Echo {
 public:
  Echo& put(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += ' ';
    text_.append(name).append("=").append(value);
    return *this;
  }
  template <class T>
  Echo& put(std::string_view name, const std::optional<T>& value) {
    return value ? put(name, *value) : *this;
  }
  Echo& put(std::string_view name, bool value) { return put(name, std::string_view(value ? "true" : "false")); }
  template <std::integral T>
  Echo& put(std::string_view name, T value) {
    return put(name, std::string_view(std::to_string(value)));
  }
  Echo& put(std::string_view name, double value) { return put_number(name, "%.17g", value); }
  Echo& put(std::string_view name, float value) { return put_number(name, "%.9g", static_cast<double>(value)); }
  template <std::size_t N>
  Echo& put(std::string_view name, const mcp::FixedString<N>& value) {
    return put(name, value.view());
  }
  template <class T, std::size_t N>
  Echo& put(std::string_view name, const mcp::List<T, N>& list) {
    Echo items;
    for (const T& item : list) items.put("", item);
    return put(name, "[" + items.text_ + "]");
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  Echo& put_number(std::string_view name, const char* format, double value) {
    char digits[40];
    static_cast<void>(std::snprintf(digits, sizeof digits, format, value));
    return put(name, std::string_view(digits));
  }
  std::string text_;
};

mcp::Errc answer(mcp::Call& call, const Echo& echo) {
  ++device.calls;
  return call.result().text(echo.text());
}

struct Integers {
  std::optional<std::int8_t> i8;
  std::optional<std::uint8_t> u8;
  std::optional<std::int16_t> i16;
  std::optional<std::uint16_t> u16;
  std::optional<std::int32_t> i32;
  std::optional<std::uint32_t> u32;
  std::optional<std::int64_t> i64;
  std::optional<std::uint64_t> u64;
};
mcp::Errc integers(const Integers& a, mcp::Call& call) {
  return answer(call, Echo()
                          .put("i8", a.i8)
                          .put("u8", a.u8)
                          .put("i16", a.i16)
                          .put("u16", a.u16)
                          .put("i32", a.i32)
                          .put("u32", a.u32)
                          .put("i64", a.i64)
                          .put("u64", a.u64));
}
constexpr auto integers_params =
    mcp::params(mcp::param<&Integers::i8>("i8"), mcp::param<&Integers::u8>("u8"), mcp::param<&Integers::i16>("i16"),
                mcp::param<&Integers::u16>("u16"), mcp::param<&Integers::i32>("i32"), mcp::param<&Integers::u32>("u32"),
                mcp::param<&Integers::i64>("i64"), mcp::param<&Integers::u64>("u64"));

// The other names of the integers of 64 bits: which of them std::int64_t is depends on the platform.
struct LongIntegers {
  std::optional<long> l;
  std::optional<unsigned long> ul;
  std::optional<long long> ll;
  std::optional<unsigned long long> ull;
};
mcp::Errc long_integers(const LongIntegers& a, mcp::Call& call) {
  return answer(call, Echo().put("l", a.l).put("ul", a.ul).put("ll", a.ll).put("ull", a.ull));
}
constexpr auto long_integers_params =
    mcp::params(mcp::param<&LongIntegers::l>("l"), mcp::param<&LongIntegers::ul>("ul"),
                mcp::param<&LongIntegers::ll>("ll"), mcp::param<&LongIntegers::ull>("ull"));

struct Bounded {
  std::int32_t percent;
  std::optional<std::int64_t> at_least;
  std::optional<std::int64_t> at_most;
  std::optional<std::uint64_t> huge;
};
mcp::Errc bounded(const Bounded& a, mcp::Call& call) {
  return answer(
      call, Echo().put("percent", a.percent).put("at_least", a.at_least).put("at_most", a.at_most).put("huge", a.huge));
}
constexpr auto bounded_params = mcp::params(
    mcp::param<&Bounded::percent>("percent", {.description = "Of \"full\" power", .minimum = 0, .maximum = 100}),
    mcp::param<&Bounded::at_least>("at_least", {.minimum = -5}),
    mcp::param<&Bounded::at_most>("at_most", {.maximum = 5}),
    mcp::param<&Bounded::huge>("huge",
                               {.minimum = 9'223'372'036'854'775'808U, .maximum = 18'446'744'073'709'551'614U}));

struct Numbers {
  std::optional<float> f;
  std::optional<double> d;
  std::optional<float> tenths;
  std::optional<double> positive;
};
mcp::Errc numbers(const Numbers& a, mcp::Call& call) {
  return answer(call, Echo().put("f", a.f).put("d", a.d).put("tenths", a.tenths).put("positive", a.positive));
}
constexpr auto numbers_params = mcp::params(mcp::param<&Numbers::f>("f"), mcp::param<&Numbers::d>("d"),
                                            mcp::param<&Numbers::tenths>("tenths", {.minimum = 0.1F, .maximum = 0.9F}),
                                            mcp::param<&Numbers::positive>("positive", {.minimum = 0.0}));

struct Texts {
  std::optional<std::string_view> any;
  std::optional<std::string_view> two_to_four;
  std::optional<mcp::FixedString<8>> fixed;
  std::optional<mcp::FixedString<8>> up_to_three;
};
mcp::Errc texts(const Texts& a, mcp::Call& call) {
  return answer(call, Echo()
                          .put("any", a.any)
                          .put("two_to_four", a.two_to_four)
                          .put("fixed", a.fixed)
                          .put("up_to_three", a.up_to_three));
}
constexpr auto texts_params = mcp::params(
    mcp::param<&Texts::any>("any"), mcp::param<&Texts::two_to_four>("two_to_four", {.min_length = 2, .max_length = 4}),
    mcp::param<&Texts::fixed>("fixed"), mcp::param<&Texts::up_to_three>("up_to_three", {.max_length = 3}));

enum class Mode : std::uint8_t { off, on, automatic = 200 };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}, {"auto", Mode::automatic}});
enum class Level : std::int32_t { low = -1, high = 1'000'000 };
constexpr auto levels = mcp::choices<Level>({{"low", Level::low}, {"high", Level::high}});

struct Words {
  std::optional<bool> flag;
  std::optional<Mode> mode;
  std::optional<Level> level;
};
mcp::Errc words(const Words& a, mcp::Call& call) {
  Echo echo;
  echo.put("flag", a.flag);
  if (a.mode) echo.put("mode", static_cast<int>(*a.mode));
  if (a.level) echo.put("level", static_cast<int>(*a.level));
  return answer(call, echo);
}
constexpr auto words_params =
    mcp::params(mcp::param<&Words::flag>("flag"), mcp::param<&Words::mode>("mode", {.choices = modes}),
                mcp::param<&Words::level>("level", {.choices = levels}));

struct Defaults {
  std::int16_t i;
  std::uint64_t u;
  float f;
  double d;
  bool b;
  std::string_view s;
  mcp::FixedString<8> fixed;
  Mode mode;
  std::optional<std::int32_t> optional;
};
mcp::Errc defaults(const Defaults& a, mcp::Call& call) {
  return answer(call, Echo()
                          .put("i", a.i)
                          .put("u", a.u)
                          .put("f", a.f)
                          .put("d", a.d)
                          .put("b", a.b)
                          .put("s", a.s)
                          .put("fixed", a.fixed)
                          .put("mode", static_cast<int>(a.mode))
                          .put("optional", a.optional));
}
constexpr auto defaults_params = mcp::params(
    mcp::param<&Defaults::i>("i", {.minimum = -10, .default_value = -3}),
    mcp::param<&Defaults::u>("u", {.default_value = 18'446'744'073'709'551'615U}),
    mcp::param<&Defaults::f>("f", {.default_value = 0.1F}), mcp::param<&Defaults::d>("d", {.default_value = 0.1}),
    mcp::param<&Defaults::b>("b", {.default_value = true}),
    mcp::param<&Defaults::s>("s", {.default_value = "a \"word\""}),
    mcp::param<&Defaults::fixed>("fixed", {.default_value = "12345678"}),
    mcp::param<&Defaults::mode>("mode", {.choices = modes, .default_value = Mode::automatic}),
    mcp::param<&Defaults::optional>("optional", {.default_value = 7}));

struct Point {
  std::int16_t x;
  std::optional<std::int16_t> y;
};
constexpr auto point_params =
    mcp::params(mcp::param<&Point::x>("x", {.minimum = -100, .maximum = 100}), mcp::param<&Point::y>("y"));

struct Lists {
  std::optional<mcp::List<std::int32_t, 4>> integers;
  std::optional<mcp::List<mcp::FixedString<4>, 2>> names;
  std::optional<mcp::List<std::string_view, 2>> views;
  std::optional<mcp::List<Mode, 3>> modes;
  std::optional<mcp::List<Point, 2>> points;
  std::optional<mcp::List<double, 2>> numbers;
  std::optional<mcp::List<bool, 2>> flags;
};
mcp::Errc lists(const Lists& a, mcp::Call& call) {
  Echo echo;
  echo.put("integers", a.integers)
      .put("names", a.names)
      .put("views", a.views)
      .put("numbers", a.numbers)
      .put("flags", a.flags);
  if (a.modes) {
    for (const Mode mode : *a.modes) echo.put("mode", static_cast<int>(mode));
  }
  if (a.points) {
    for (const Point& point : *a.points) echo.put("x", point.x).put("y", point.y);
  }
  return answer(call, echo);
}
constexpr auto lists_params =
    mcp::params(mcp::param<&Lists::integers>(
                    "integers", {.description = "Two or more", .min_items = 2, .items = {.minimum = 0, .maximum = 9}}),
                mcp::param<&Lists::names>("names", {.items = {.min_length = 1}}), mcp::param<&Lists::views>("views"),
                mcp::param<&Lists::modes>("modes", {.items = {.choices = modes}}),
                mcp::param<&Lists::points>("points", {.items = {.fields = point_params}}),
                mcp::param<&Lists::numbers>("numbers"), mcp::param<&Lists::flags>("flags"));

// Four levels of structs: Nested, Outer, Middle, Inner.
struct Inner {
  std::int32_t value;
  mcp::List<std::int32_t, 2> values;
};
constexpr auto inner_params = mcp::params(mcp::param<&Inner::value>("value", {.minimum = 0}),
                                          mcp::param<&Inner::values>("values", {.items = {.maximum = 9}}));
struct Middle {
  Inner inner;
};
constexpr auto middle_params = mcp::params(mcp::param<&Middle::inner>("inner", {.fields = inner_params}));
struct Outer {
  mcp::List<Middle, 2> middles;
};
constexpr auto outer_params =
    mcp::params(mcp::param<&Outer::middles>("middles", {.min_items = 1, .items = {.fields = middle_params}}));
struct Nested {
  Outer outer;
  std::optional<Point> point;
};
constexpr auto nested_params =
    mcp::params(mcp::param<&Nested::outer>("outer", {.description = "Outside", .fields = outer_params}),
                mcp::param<&Nested::point>("point", {.fields = point_params}));
mcp::Errc nested(const Nested& a, mcp::Call& call) {
  Echo echo;
  for (const Middle& middle : a.outer.middles) echo.put("value", middle.inner.value).put("values", middle.inner.values);
  if (a.point) echo.put("x", a.point->x).put("y", a.point->y);
  return answer(call, echo);
}

// ---- Tools without a table, and the kinds of results -------------------------------------------------------------

mcp::Errc count(mcp::Call& call) {
  ++device.calls;
  return call.result().text(device.calls);
}

mcp::Errc raw(mcp::json::Value arguments, mcp::Call& call) {
  if (mcp::json::find_member(arguments, "refuse").present()) return call.fail("refused");
  return answer(call, Echo().put("arguments", arguments.present() ? arguments.raw() : "missing"));
}

struct Large {
  std::uint32_t size;
  std::optional<std::string_view> text;
};
constexpr auto large_params = mcp::params(mcp::param<&Large::size>("size"), mcp::param<&Large::text>("text"));
mcp::Errc large(const Large& a, mcp::Call& call) {
  ++device.calls;
  const auto piece = a.text.value_or("x");
  std::string text;
  while (!piece.empty() && text.size() < a.size) text += piece;
  return call.result().text(text);
}

mcp::Errc pieces(mcp::Call& call) {
  const char array[] = "array";
  const mcp::FixedString<4> fixed = [] {
    mcp::FixedString<4> text;
    static_cast<void>(text.assign("four"));
    return text;
  }();
  if (const mcp::Errc errc =
          call.result().text("literal, ", std::string_view("view"), ", ", fixed, ", ", array, ", ", 'c');
      errc != mcp::Errc::ok) {
    return errc;
  }
  return call.result().text(-8, ' ', std::int8_t{-128}, ' ', std::uint8_t{255}, ' ', 18'446'744'073'709'551'615U, ' ',
                            21.5F, ' ', 1e300, ' ', mcp::Scaled{-21'500, 3}, ' ', true, ' ', false,
                            " \"\\\n\x01\xFF\xE2\x82\xAC");
}

enum class How : std::uint8_t {
  text,
  partial,
  invalid_argument,
  not_found,
  unavailable,
  no_space,
  internal,
  without_text,
  after_text,
  empty,
};
constexpr auto hows = mcp::choices<How>({{"text", How::text},
                                         {"partial", How::partial},
                                         {"invalid_argument", How::invalid_argument},
                                         {"not_found", How::not_found},
                                         {"unavailable", How::unavailable},
                                         {"no_space", How::no_space},
                                         {"internal", How::internal},
                                         {"without_text", How::without_text},
                                         {"after_text", How::after_text},
                                         {"empty", How::empty}});
struct Fail {
  How how;
};
constexpr auto fail_params = mcp::params(mcp::param<&Fail::how>("how", {.choices = hows}));
mcp::Errc fail(const Fail& a, mcp::Call& call) {
  ++device.calls;
  switch (a.how) {
    case How::text: return call.fail("The valve is stuck at ", 80, " %.");
    case How::partial: static_cast<void>(call.result().text("half of a result")); return call.fail("It broke.");
    case How::invalid_argument: return mcp::Errc::invalid_argument;
    case How::not_found: return mcp::Errc::not_found;
    case How::unavailable: return mcp::Errc::unavailable;
    case How::no_space: return call.result().text(std::string(100'000, 'x'));
    case How::internal: return mcp::Errc::internal;
    case How::without_text: return mcp::Errc::failed;
    case How::after_text: static_cast<void>(call.result().text("half of a result")); return mcp::Errc::unavailable;
    case How::empty: return mcp::Errc::ok;
  }
  return mcp::Errc::internal;
}

#define MOTE_TEST_16 "0123456789abcdef"
#define MOTE_TEST_128 \
  MOTE_TEST_16 MOTE_TEST_16 MOTE_TEST_16 MOTE_TEST_16 MOTE_TEST_16 MOTE_TEST_16 MOTE_TEST_16 MOTE_TEST_16

constexpr mcp::Tool tools[] = {
    mcp::tool<count>({.name = "count", .title = "Count", .description = "Counts the calls of handlers."}),
    mcp::tool<bounded>({.name = "bounded", .title = "Bounded \u2264 100", .description = "Bounds of every form."},
                       bounded_params),
    mcp::tool<integers>({.name = "integers", .description = "Every width."}, integers_params),
    mcp::tool<long_integers>({.name = "long_integers"}, long_integers_params),
    mcp::tool<numbers>({.name = "numbers"}, numbers_params),
    mcp::tool<texts>({.name = "texts"}, texts_params),
    mcp::tool<words>({.name = "words"}, words_params),
    mcp::tool<defaults>({.name = "defaults"}, defaults_params),
    mcp::tool<lists>({.name = "lists"}, lists_params),
    mcp::tool<nested>({.name = "nested"}, nested_params),
    mcp::tool<raw>({.name = "raw", .title = "Raw"}, mcp::InputSchema(R"({
      "type": "object",
      "properties": {"any": {"description": "A \"quoted\" thing"}}
    })")),
    mcp::tool<large>({.name = "large"}, large_params),
    mcp::tool<pieces>({.name = "pieces"}),
    mcp::tool<fail>({.name = "fail"}, fail_params),
    mcp::tool<count>({.name = "A-Za.z_0"}),
    mcp::tool<count>({.name = MOTE_TEST_128}),
};

// ---- Resources ---------------------------------------------------------------------------------------------------

mcp::Errc read_text(mcp::ReadResult& out) { return out.text("A \"text\",\n", 3, " pieces \xE2\x82\xAC"); }
mcp::Errc read_broken_text(mcp::ReadResult& out) { return out.text("<\xC0\x80|\xED\xA0\x80|\xFF>"); }
mcp::Errc read_number(mcp::ReadResult& out) { return out.number(-21.5); }
mcp::Errc read_counter(mcp::ReadResult& out) { return out.number(device.counter); }
mcp::Errc read_json(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("text", "a \"b\" \\ \n");
  json.member("number", mcp::Scaled{21'500, 3});
  json.key("list");
  json.array_begin();
  json.boolean(true);
  json.null();
  json.array_end();
  json.object_end();
  return mcp::Errc::ok;
}
mcp::Errc read_blob(mcp::ReadResult& out) {
  constexpr std::uint8_t bytes[] = {0x00, 0xFF, 0x10, 0x80};
  return out.blob(bytes);
}
mcp::Errc read_empty_blob(mcp::ReadResult& out) { return out.blob({}); }
mcp::Errc read_nothing(mcp::ReadResult&) { return mcp::Errc::ok; }
mcp::Errc read_large(mcp::ReadResult& out) { return out.text(std::string(device.large, 'x')); }
mcp::Errc read_failed(mcp::ReadResult&) { return mcp::Errc::failed; }
mcp::Errc read_invalid(mcp::ReadResult&) { return mcp::Errc::invalid_argument; }
mcp::Errc read_no_space(mcp::ReadResult&) { return mcp::Errc::no_space; }
mcp::Errc read_internal(mcp::ReadResult&) { return mcp::Errc::internal; }
mcp::Errc read_not_found(mcp::ReadResult& out) {
  static_cast<void>(out.text("half of a body"));
  return mcp::Errc::not_found;
}
mcp::Errc read_unavailable(mcp::ReadResult& out) {
  static_cast<void>(out.text("half of a body"));
  return mcp::Errc::unavailable;
}

#define MOTE_TEST_ROW(number) \
  { .uri = "test://row/" #number, .name = "row " #number, .read = read_text }
#define MOTE_TEST_ROWS(tens)                                                                          \
  MOTE_TEST_ROW(tens##0), MOTE_TEST_ROW(tens##1), MOTE_TEST_ROW(tens##2), MOTE_TEST_ROW(tens##3),     \
      MOTE_TEST_ROW(tens##4), MOTE_TEST_ROW(tens##5), MOTE_TEST_ROW(tens##6), MOTE_TEST_ROW(tens##7), \
      MOTE_TEST_ROW(tens##8), MOTE_TEST_ROW(tens##9)

// More than 32 rows, with subscribable ones on both sides: a session's bits take two words.
constexpr mcp::Resource resources[] = {
    {.uri = "test://text",
     .name = "text",
     .title = "Text",
     .description = "A \"text\".",
     .mime_type = "text/plain",
     .read = read_text},
    {.uri = "test://counter", .name = "counter", .title = "Counter", .read = read_counter, .subscribable = true},
    {.uri = "test://number", .name = "number", .mime_type = "text/plain", .read = read_number},
    {.uri = "test://json", .name = "json", .mime_type = "application/json", .read = read_json},
    {.uri = "test://blob", .name = "blob", .mime_type = "application/octet-stream", .read = read_blob},
    {.uri = "test://empty-blob", .name = "empty blob", .read = read_empty_blob},
    {.uri = "test://empty", .name = "empty", .read = read_nothing},
    {.uri = "test://broken-text", .name = "broken text", .read = read_broken_text},
    {.uri = "test://large", .name = "large", .read = read_large},
    {.uri = "test://failed", .name = "failed", .read = read_failed},
    {.uri = "test://invalid", .name = "invalid", .read = read_invalid},
    {.uri = "test://not-found", .name = "not found", .read = read_not_found},
    {.uri = "test://unavailable", .name = "unavailable", .read = read_unavailable},
    {.uri = "test://no-space", .name = "no space", .read = read_no_space},
    {.uri = "test://internal", .name = "internal", .read = read_internal},
    MOTE_TEST_ROWS(1),
    MOTE_TEST_ROWS(2),
    {.uri = "test://second", .name = "second", .read = read_counter, .subscribable = true},
    {.uri = "urn:last", .name = "last", .read = read_counter, .subscribable = true},
};

// Names and values of the variables that the URI has.
mcp::Errc read_variables(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  Echo echo;
  for (const char* const name : {"a", "b", "c", "n", "p", "q", "path", "long_name.1"}) {
    if (variables[name].data() != nullptr) echo.put(name, variables[name]);
  }
  return out.text(echo.text());
}
mcp::Errc read_minutes(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  std::int32_t minutes = 0;
  if (const mcp::Errc errc = variables.integer("minutes", -5, 60, minutes); errc != mcp::Errc::ok) return errc;
  return out.number(minutes);
}
mcp::Errc read_never(const mcp::UriVariables& variables, mcp::ReadResult&) {
  return variables["errc"] == "not_found" ? mcp::Errc::not_found : mcp::Errc::unavailable;
}

constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "test://simple/{a}/{b}",
     .name = "simple",
     .title = "Simple",
     .description = "Level 1",
     .mime_type = "text/plain",
     .read = read_variables},
    {.uri_template = "test://several/{a,b}", .name = "several", .read = read_variables},
    {.uri_template = "test://reserved/{+path}", .name = "reserved", .read = read_variables},
    {.uri_template = "test://fragment{#a}", .name = "fragment", .read = read_variables},
    {.uri_template = "test://label{.a}", .name = "label", .read = read_variables},
    {.uri_template = "test://path{/a,b}", .name = "path", .read = read_variables},
    {.uri_template = "test://matrix{;p,q}", .name = "matrix", .read = read_variables},
    {.uri_template = "test://query{?p,q}", .name = "query", .read = read_variables},
    {.uri_template = "test://more?fixed=1{&p,q}", .name = "more", .read = read_variables},
    {.uri_template = "test://mixed{/a}/x{?p,q}{#c}", .name = "mixed", .read = read_variables},
    {.uri_template = "test://history/{minutes}", .name = "history", .title = "History", .read = read_minutes},
    {.uri_template = "test://never/{errc}", .name = "never", .read = read_never},
};

constexpr mcp::Resource fixed_resources[] = {{.uri = "test://only", .name = "only", .read = read_text}};

constexpr mcp::Definition full{.name = "test",
                               .title = "Test device",
                               .version = "1.2.3",
                               .instructions = "Use \"count\".",
                               .tools = tools,
                               .resources = resources,
                               .resource_templates = resource_templates,
                               .subscriptions = true};
constexpr mcp::Definition bare{.name = "bare", .version = "0"};
constexpr mcp::Definition only_tools{.name = "tools", .version = "0", .tools = tools};
constexpr mcp::Definition only_resources{.name = "resources", .version = "0", .resources = fixed_resources};
constexpr mcp::Definition only_templates{.name = "templates", .version = "0", .resource_templates = resource_templates};

}  // namespace

void reset_device() {
  device = {.counter = 0, .calls = 0, .large = 10};
  streamed = {};
  forget_logger();
  forget_found();
  forget_vendor();
  forget_history();
}

const mcp::Definition* find_definition(std::string_view name) {
  for (const mcp::Definition* const definition : {&bare, &only_tools, &only_resources, &only_templates}) {
    if (definition->name == name) return definition;
  }
  if (name == features.name) return &features;
  if (name == input_requests.name) return &input_requests;
  if (name == streams.name) return &streams;
  if (name == template_streams.name) return &template_streams;
  if (name == template_streams_alone.name) return &template_streams_alone;
  if (name == extended.name) return &extended;
  if (name == routed.name) return &routed;
  if (name == structured.name) return &structured;
  if (name == bodies.name) return &bodies;
  if (name == parameters.name) return &parameters;
  if (name == strict.name) return &strict;
  if (name == coroutines.name) return &coroutines;
  if (name == frames.name) return &frames;
  if (name == mrtr.name) return &mrtr;
  if (name == rows.name) return &rows;
  if (name == scoped.name) return &scoped;
  if (name == hiding.name) return &hiding;
  if (name == tasks.name) return &tasks;
  if (name == detached_tasks.name) return &detached_tasks;
  if (name == reads.name) return &reads;
  if (name == read_tools.name) return &read_tools;
  if (name == callers.name) return &callers;
  if (name == few_callers.name) return &few_callers;
  if (name == logs.name) return &logs;
  if (const mcp::Definition* const found = find_found_definition(name)) return found;
  if (name == vendor.name) return &vendor;
  if (name == new_items.name) return &new_items;
  if (name == actions.name) return &actions;
  if (name == history.name) return &history;
  return name == "full" ? &full : nullptr;
}

const mcp::Resource* find_resource(std::string_view uri) {
  for (const mcp::Resource& resource : resources) {
    if (resource.uri == uri) return &resource;
  }
  return nullptr;
}

bool act(mcp::Server& server, std::string_view action) {
  const std::size_t blank = std::min(action.find(' '), action.size());
  const std::string_view verb = action.substr(0, blank);
  const mcp::Resource* const resource = find_resource(action.substr(std::min(blank + 1, action.size())));
  if (act_on_streams(server, action) || act_on_features(server, action) || act_on_input_requests(server, action))
    return true;
  if (act_on_found(server, action)) return true;
  if (act_on_rows(server, action) || act_on_logs(server, action) || act_on_vendor(server, action)) return true;
  if (act_on_rows(server, action) || act_on_logs(server, action)) return true;
  if (act_on_actions(server, action)) return true;
  if (act_on_coroutines(action) || act_on_mrtr(action) || act_on_tasks(action) || act_on_detached_tasks(action) ||
      act_on_reads(action) || act_on_callers(action))
    return true;
  if (act_on_history(server, action)) return true;
  if (action == "end subscriptions") return server.end_subscriptions(), true;
  if (verb == "count") return ++device.counter, true;
  if (resource == nullptr) return false;
  if (verb == "update") return server.resource_updated(*resource), true;
  if (verb == "update_from_isr") return server.resource_updated_from_isr(*resource), true;
  return false;
}

}  // namespace test
