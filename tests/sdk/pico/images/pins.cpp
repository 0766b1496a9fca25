// SPDX-License-Identifier: Apache-2.0
// The functions of the pins as tools. The client is on UART0.
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_pins.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <cstdint>

namespace {

std::uint32_t times_us[16];

mcp::Errc result(mcp::Call& call, mcp::PinError error, std::int64_t value) {
  if (error != mcp::PinError::none) return call.fail(mcp::remedy(error));
  return call.result().text(value);
}

constexpr auto pulls =
    mcp::choices<mcp::PinPull>({{"none", mcp::PinPull::none}, {"up", mcp::PinPull::up}, {"down", mcp::PinPull::down}});

struct Input {
  std::uint8_t pin;
  mcp::PinPull pull;
};
constexpr auto input_params =
    mcp::params(mcp::param<&Input::pin>("pin"), mcp::param<&Input::pull>("pull", {.choices = pulls}));
mcp::Errc input(const Input& arguments, mcp::Call& call) {
  return result(call, mcp::pico::pins().input(arguments.pin, arguments.pull), 0);
}

struct Output {
  std::uint8_t pin;
  bool high;
};
constexpr auto output_params = mcp::params(mcp::param<&Output::pin>("pin"), mcp::param<&Output::high>("high"));
// Reads the level at once, as the chip has it.
mcp::Errc output(const Output& arguments, mcp::Call& call) {
  bool high = !arguments.high;
  mcp::PinError error = mcp::pico::pins().output(arguments.pin, arguments.high);
  if (error == mcp::PinError::none) error = mcp::pico::pins().level(arguments.pin, high);
  return result(call, error, high ? 1 : 0);
}

struct Pin {
  std::uint8_t pin;
};
constexpr auto pin_params = mcp::params(mcp::param<&Pin::pin>("pin"));
mcp::Errc level(const Pin& arguments, mcp::Call& call) {
  bool high = false;
  const mcp::PinError error = mcp::pico::pins().level(arguments.pin, high);
  return result(call, error, high ? 1 : 0);
}
mcp::Errc millivolts(const Pin& arguments, mcp::Call& call) {
  std::int32_t value = 0;
  const mcp::PinError error = mcp::pico::pins().millivolts(arguments.pin, 16, value);
  return result(call, error, value);
}
mcp::Errc capture(const Pin& arguments, mcp::Call& call) {
  mcp::pico::pins().end_capture();
  return result(call, mcp::pico::pins().begin_capture(arguments.pin, mcp::PinEdges::both, times_us), 0);
}

struct Pulses {
  std::uint8_t pin;
  std::uint32_t period_ns;
  std::uint32_t high_ns;
};
constexpr auto pulses_params = mcp::params(mcp::param<&Pulses::pin>("pin"), mcp::param<&Pulses::period_ns>("periodNs"),
                                           mcp::param<&Pulses::high_ns>("highNs"));
mcp::Errc pulses(const Pulses& arguments, mcp::Call& call) {
  std::uint32_t actual_ns = 0;
  const mcp::PinError error = mcp::pico::pins().pwm(arguments.pin, arguments.period_ns, arguments.high_ns, actual_ns);
  return result(call, error, actual_ns);
}

mcp::Errc read_edges(mcp::ReadResult& out) {
  const mcp::Pins::Capture capture = mcp::pico::pins().captured();
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("lost", capture.has_lost);
  json.key("times");
  json.array_begin();
  for (std::size_t i = 0; i < capture.count; ++i) json.number(times_us[i]);
  json.array_end();
  json.object_end();
  return mcp::Errc::ok;
}

constexpr mcp::Tool tools[] = {
    mcp::tool<input>({.name = "input"}, input_params),    mcp::tool<output>({.name = "output"}, output_params),
    mcp::tool<level>({.name = "level"}, pin_params),      mcp::tool<millivolts>({.name = "millivolts"}, pin_params),
    mcp::tool<pulses>({.name = "pulses"}, pulses_params), mcp::tool<capture>({.name = "capture"}, pin_params),
};
constexpr mcp::Resource resources[] = {
    {.uri = "pins://edges", .name = "edges", .mime_type = "application/json", .read = read_edges}};
constexpr mcp::Definition definition{.name = "pins", .version = "1.0.0", .tools = tools, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 2048};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::pico::boot_id}};

}  // namespace

int main() {
  mcp::pico::Uart uart(uart0, 0, 1);
  mcp::StdioTransport transport{server, uart};
  for (;;) mcp::pico::wait_for_event(transport.poll(mcp::pico::millis()));
}
