// SPDX-License-Identifier: Apache-2.0
// A device whose resources and templates are tools, too.
#include <cstdint>
#include <cstring>

#include "mcp/read_tools.hpp"
#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

constexpr std::uint8_t bytes[] = {1, 2, 3, 4};

mcp::Errc read_celsius(mcp::ReadResult& out) { return out.number(21.5F); }
mcp::Errc read_picture(mcp::ReadResult& out) { return out.blob(bytes); }
mcp::Errc read_failed(mcp::ReadResult& out) { return out.fail("Sensor ", 3, " is not connected."); }
mcp::Errc read_failed_late(mcp::ReadResult& out) {
  out.json().object_begin();
  static_cast<void>(out.fail("Stopped."));
  return mcp::Errc::ok;  // the error counts
}
mcp::Errc read_unavailable(mcp::ReadResult&) { return mcp::Errc::unavailable; }
mcp::Errc read_empty(mcp::ReadResult&) { return mcp::Errc::ok; }
mcp::Errc read_several(mcp::ReadResult& out) {
  static_cast<void>(out.content("r:several/1", "text/x-first").text("one"));  // of the first item
  static_cast<void>(out.content("r:several/2", "application/octet-stream").blob(bytes));
  static_cast<void>(out.meta([](mcp::json::Writer& json) { json.member("com.example/bus", 2); }));
  static_cast<void>(out.content("r:several/3", "image/png").blob(bytes));
  static_cast<void>(out.content("r:several/4", "audio/wav").blob(bytes));
  static_cast<void>(out.content("r:several/5").blob(bytes));
  out.content("r:several/6").json().null();
  return mcp::Errc::ok;
}
// `_meta` comes before the body. What the handler passes ends with it.
mcp::Errc read_labelled(mcp::ReadResult& out) {
  const auto label = [](mcp::json::Writer& json) { json.member("blob", "x"); };
  static_cast<void>(out.meta(label));
  static_cast<void>(out.blob(bytes));
  char uri[] = "r:labelled/2";
  char type[] = "image/png";
  out.content(uri, type);
  std::memset(uri, 'x', sizeof uri);
  std::memset(type, 'x', sizeof type);
  static_cast<void>(out.meta(label));
  static_cast<void>(out.blob(bytes));
  static_cast<void>(out.content("r:labelled/3").meta(label));
  static_cast<void>(out.content("r:labelled/4").meta([](mcp::json::Writer& json) {
    json.member("unit", "x");
    json.member("blob", "x");
  }));
  return out.text("\"blob\":\"");
}

struct Percent {
  std::int32_t percent = {};
};
constexpr auto percent_output = mcp::output(mcp::param<&Percent::percent>("percent", {.minimum = 0, .maximum = 100}));
mcp::Errc read_percent(Percent& out) {
  out.percent = 40;
  return mcp::Errc::ok;
}
mcp::Errc read_too_much(Percent& out) {
  out.percent = 101;
  return mcp::Errc::ok;
}

struct Pin {
  std::int32_t number = {};
};
constexpr auto pin_params = mcp::params(mcp::param<&Pin::number>("number", {.minimum = 0, .maximum = 31}));
mcp::Errc read_pin(const Pin& pin, mcp::ReadResult& out) {
  return pin.number == 31 ? mcp::Errc::not_found : out.number(pin.number * 2);
}
mcp::Errc read_pin_state(const Pin& pin, Percent& out) {
  out.percent = pin.number * 10;
  return pin.number == 31 ? mcp::Errc::not_found : mcp::Errc::ok;
}
mcp::Errc read_log(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  std::int32_t level = 0;
  if (const mcp::Errc errc = variables.integer("level", 0, 7, level); errc != mcp::Errc::ok) return errc;
  if (variables["since"] == "later") {
    static_cast<void>(out.fail("That time has not come."));
    return mcp::Errc::invalid_argument;  // the error counts
  }
  return out.text(level, " ", variables["since"], variables["until"]);
}

mcp::Errc read_refused(const mcp::UriVariables&, mcp::ReadResult&) { return mcp::Errc::invalid_argument; }

mcp::Errc set_led(mcp::Call& call) { return call.result().text("The LED is on."); }

constexpr mcp::Resource resources[] = {
    {.uri = "r:celsius",
     .name = "celsius",
     .title = "Temperature",
     .description = "The temperature in \u00B0C.",
     .mime_type = "text/plain",
     .read = read_celsius,
     .as_tool = true},
    {.uri = "r:hidden", .name = "hidden", .read = read_celsius},
    {.uri = "r:picture",
     .name = "Front camera (raw)",
     .mime_type = "application/octet-stream",
     .read = read_picture,
     .as_tool = true},
    {.uri = "r:failed", .name = "failed", .read = read_failed, .as_tool = true},
    {.uri = "r:late", .name = "late", .read = read_failed_late, .as_tool = true},
    {.uri = "r:unavailable", .name = "unavailable", .read = read_unavailable, .as_tool = true},
    {.uri = "r:empty", .name = "empty", .read = read_empty, .as_tool = true},
    {.uri = "r:several", .name = "several", .read = read_several, .as_tool = true},
    {.uri = "r:labelled", .name = "labelled", .read = read_labelled, .as_tool = true},
    mcp::resource<read_percent, percent_output>({.uri = "r:percent", .name = "percent", .as_tool = true}),
    mcp::resource<read_too_much, percent_output>({.uri = "r:much", .name = "much", .as_tool = true}),
};

constexpr mcp::ResourceTemplate templates[] = {
    mcp::resource_template<read_pin, pin_params>(
        {.uri_template = "pin://{number}", .name = "pin", .title = "Pin", .as_tool = true}),
    mcp::resource_template<read_pin_state, pin_params, percent_output>(
        {.uri_template = "pin://{number}/state", .name = "state", .as_tool = true}),
    {.uri_template = "log://{level}{?since,until}", .name = "log", .read = read_log, .as_tool = true},
    {.uri_template = "refused:all{?since}", .name = "refused", .read = read_refused},
};

constexpr mcp::Tool tools[] = {mcp::tool<set_led>({.name = "set_led"})};

}  // namespace

constexpr mcp::Definition read_tools{.name = "read_tools",
                                     .version = "0",
                                     .tools = mcp::tools_of<tools, resources, templates>,
                                     .resources = resources,
                                     .resource_templates = templates};

namespace {

// As in an application: the compiler checks the limits against all tables.
constinit mcp::Storage<read_tools, mcp::Limits{}> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage};

}  // namespace
}  // namespace test
