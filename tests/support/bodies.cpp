// SPDX-License-Identifier: Apache-2.0
// A device whose resources have bodies from structs, right and wrong, and several items; and templates whose variables
// are structs.
#include <limits>
#include <optional>
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

// ---- Bodies from a struct ----------------------------------------------------------------------------------------

enum class Air : std::uint8_t { dry, humid, unnamed };
constexpr auto airs = mcp::choices<Air>({{"dry", Air::dry}, {"humid", Air::humid}});
struct Channel {
  std::int32_t percent = {};
};
constexpr auto channel_output = mcp::output(mcp::param<&Channel::percent>("percent", {.minimum = 0, .maximum = 100}));
struct Climate {
  float celsius = {};
  std::optional<std::int32_t> percent = {};
  Air air = {};
  std::string_view note = {};
  mcp::List<Channel, 2> channels = {};
};
constexpr auto climate_output =
    mcp::output(mcp::param<&Climate::celsius>("celsius", {.minimum = -40, .maximum = 85}),
                mcp::param<&Climate::percent>("percent", {.minimum = 0, .maximum = 100}),
                mcp::param<&Climate::air>("air", {.choices = airs}), mcp::param<&Climate::note>("note"),
                mcp::param<&Climate::channels>("channels", {.min_items = 1, .items = {.fields = channel_output}}));

void fill(Climate& out) {
  out = {.celsius = 21.5F, .percent = 40, .air = Air::humid, .note = "\"damp\"\n"};
  *out.channels.grow() = {.percent = 7};
}
mcp::Errc read_climate(Climate& out) {
  fill(out);
  return mcp::Errc::ok;
}
mcp::Errc read_nan(Climate& out) {
  fill(out);
  out.celsius = std::numeric_limits<float>::quiet_NaN();
  return mcp::Errc::ok;
}
mcp::Errc read_unnamed(Climate& out) {
  fill(out);
  out.air = Air::unnamed;
  return mcp::Errc::ok;
}
mcp::Errc read_item(Climate& out) {
  fill(out);
  *out.channels.grow() = {.percent = 101};
  return mcp::Errc::ok;
}
mcp::Errc read_too_few(Climate& out) {
  fill(out);
  out.channels = {};
  return mcp::Errc::ok;
}
mcp::Errc read_unavailable(Climate&) { return mcp::Errc::unavailable; }

// ---- Errors of a handler -----------------------------------------------------------------------------------------

mcp::Errc read_failed(mcp::ReadResult& out) { return out.fail("Sensor ", 3, " is not connected."); }
mcp::Errc read_failed_late(mcp::ReadResult& out) {
  out.json().object_begin();
  static_cast<void>(out.fail("Stopped."));
  return mcp::Errc::ok;  // the error counts
}

// ---- Several items -----------------------------------------------------------------------------------------------

constexpr std::uint8_t bytes[] = {1, 2, 3, 4};

mcp::Errc read_several(mcp::ReadResult& out) {
  static_cast<void>(out.text("all"));
  static_cast<void>(out.content("b:several/1", "text/plain").text("one"));
  static_cast<void>(out.content("b:several/2").blob(bytes));
  Climate climate;
  fill(climate);
  static_cast<void>(out.content("b:several/3", "application/json").structured(climate_output, climate));
  out.content("b:several/4").json().boolean(true);
  out.content("b:several/%225%22");  // the body is an empty text
  return mcp::Errc::ok;
}
mcp::Errc read_replaced(mcp::ReadResult& out) {
  static_cast<void>(out.content("b:replaced/1", "text/plain").text("one"));
  return out.content("b:replaced/2").text("two");
}
void write_bus(mcp::json::Writer& json) { json.member("com.example/bus", 2); }
mcp::Errc read_meta(mcp::ReadResult& out) {
  static_cast<void>(out.meta(write_bus));
  static_cast<void>(out.text("before"));
  static_cast<void>(out.content("b:meta/1").text("after"));
  static_cast<void>(out.meta(write_bus));
  out.content("b:meta/2").json().null();
  static_cast<void>(out.meta([](mcp::json::Writer&) {}));
  static_cast<void>(out.content("b:meta/3").meta(write_bus));  // without a body
  static_cast<void>(out.content("b:meta/4").blob(bytes));
  return out.meta(write_bus);
}
mcp::Errc read_meta_first(mcp::ReadResult& out) {
  static_cast<void>(out.meta(write_bus));  // so the first item stays
  return out.content("b:meta_first/1").text("one");
}
// The second item is invalid, so nothing is sent.
mcp::Errc read_half(mcp::ReadResult& out) {
  static_cast<void>(out.text("whole"));
  Climate climate;
  return out.content("b:half/1").structured(climate_output, climate);
}
mcp::Errc read_many(mcp::ReadResult& out) {
  mcp::Errc errc = mcp::Errc::ok;
  for (int i = 0; i < 50; ++i) errc = out.content("b:many/item").text("A text that fills the transmit buffer.");
  return errc;
}

// ---- Templates with typed variables ------------------------------------------------------------------------------

struct Pin {
  std::int32_t number = {};
};
constexpr auto pin_params = mcp::params(mcp::param<&Pin::number>("number", {.minimum = 0, .maximum = 31}));
mcp::Errc read_pin(const Pin& pin, mcp::ReadResult& out) { return out.number(pin.number); }

mcp::Errc read_pin_state(const Pin& pin, Channel& out) {
  if (pin.number == 31) return mcp::Errc::not_found;
  out.percent = pin.number * 10;
  return mcp::Errc::ok;
}
mcp::Errc read_size(const mcp::UriVariables& variables, Channel& out) {
  if (variables["text"] == "none") return mcp::Errc::not_found;
  out.percent = static_cast<std::int32_t>(variables["text"].size()) * 30;
  return mcp::Errc::ok;
}

struct Numbers {
  std::int8_t i8 = {};
  std::uint64_t u64 = {};
  float f = {};
  double d = {};
};
constexpr auto number_params =
    mcp::params(mcp::param<&Numbers::i8>("i8"), mcp::param<&Numbers::u64>("u64"),
                mcp::param<&Numbers::f>("f", {.minimum = -1.5F, .maximum = 1.5F}), mcp::param<&Numbers::d>("d"));
mcp::Errc read_numbers(const Numbers& numbers, mcp::ReadResult& out) {
  return out.text(numbers.i8, " ", numbers.u64, " ", numbers.f, " ", numbers.d);
}

struct Words {
  Air air = {};
  bool on = {};
  std::string_view text = {};
  mcp::FixedString<4> name = {};
};
constexpr auto word_params =
    mcp::params(mcp::param<&Words::on>("on"), mcp::param<&Words::air>("air", {.choices = airs}),
                mcp::param<&Words::text>("text", {.min_length = 2, .max_length = 3}), mcp::param<&Words::name>("name"));
mcp::Errc read_words(const Words& words, mcp::ReadResult& out) {
  return out.text(words.air == Air::humid ? "humid" : "dry", " ", words.on, " ", words.text, " ", words.name);
}
mcp::Errc suggest(const mcp::CompletionRequest& request, mcp::Completions& completions) {
  if (request.value() == "fail") return mcp::Errc::unavailable;
  completions.offer("suggested");
  return mcp::Errc::ok;
}

struct Range {
  std::int32_t since = {};
  std::optional<mcp::FixedString<8>> until = {};
  std::int32_t limit = {};
  std::optional<Air> air = {};
};
constexpr auto range_params =
    mcp::params(mcp::param<&Range::since>("since", {.minimum = 0}), mcp::param<&Range::until>("until"),
                mcp::param<&Range::limit>("limit", {.minimum = 1, .maximum = 50, .default_value = 10}),
                mcp::param<&Range::air>("air", {.choices = airs}));
mcp::Errc read_range(const Range& range, mcp::ReadResult& out) {
  return out.text("since ", range.since, " until ", range.until ? range.until->view() : "-", " limit ", range.limit,
                  " air ", range.air ? "given" : "-");
}

constexpr mcp::ResourceTemplate resource_templates[] = {
    mcp::resource_template<read_pin, pin_params>({.uri_template = "pin://{number}", .name = "pin"}),
    mcp::resource_template<read_pin_state, pin_params, channel_output>(
        {.uri_template = "pin://{number}/state", .name = "state"}),
    mcp::resource_template<read_size, channel_output>({.uri_template = "size://{text}",
                                                       .name = "size",
                                                       .mime_type = "text/x-size",
                                                       .complete = mcp::complete<range_params, suggest>}),
    mcp::resource_template<read_numbers, number_params>(
        {.uri_template = "numbers://{i8}/{u64}/{f}/{d}", .name = "numbers"}),
    mcp::resource_template<read_words, word_params>({.uri_template = "words://{air}/{on}/{text}/{name}",
                                                     .name = "words",
                                                     .complete = mcp::complete<word_params, suggest>}),
    mcp::resource_template<read_range, range_params>(
        {.uri_template = "range://log{?since,until,limit,air}", .name = "range"}),
};

constexpr mcp::Resource resources[] = {
    mcp::resource<read_climate, climate_output>({.uri = "b:climate", .name = "climate"}),
    mcp::resource<read_climate, climate_output>({.uri = "b:typed", .name = "typed", .mime_type = "text/x-climate"}),
    mcp::resource<read_nan, climate_output>({.uri = "b:nan", .name = "nan"}),
    mcp::resource<read_unnamed, climate_output>({.uri = "b:unnamed", .name = "unnamed"}),
    mcp::resource<read_item, climate_output>({.uri = "b:item", .name = "item"}),
    mcp::resource<read_too_few, climate_output>({.uri = "b:few", .name = "few"}),
    mcp::resource<read_unavailable, climate_output>({.uri = "b:unavailable", .name = "unavailable"}),
    {.uri = "b:failed", .name = "failed", .read = read_failed},
    {.uri = "b:late", .name = "late", .read = read_failed_late},
    {.uri = "b:several", .name = "several", .mime_type = "text/plain", .read = read_several},
    {.uri = "b:replaced", .name = "replaced", .mime_type = "text/plain", .read = read_replaced, .ttl_ms = 60'000},
    {.uri = "b:meta", .name = "meta", .read = read_meta},
    {.uri = "b:meta_first", .name = "meta_first", .read = read_meta_first},
    {.uri = "b:half", .name = "half", .read = read_half},
    {.uri = "b:many", .name = "many", .read = read_many},
};

}  // namespace

constexpr mcp::Definition bodies{
    .name = "bodies", .version = "0", .resources = resources, .resource_templates = resource_templates};

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.transmit_size = 1024};
constinit mcp::Storage<bodies, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage};

}  // namespace
}  // namespace test
