// SPDX-License-Identifier: Apache-2.0
// A device whose resources have bodies from structs, right and wrong.
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
};

}  // namespace

constexpr mcp::Definition bodies{.name = "bodies", .version = "0", .resources = resources};

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.transmit_size = 1024};
constinit mcp::Storage<bodies, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage};

}  // namespace
}  // namespace test
