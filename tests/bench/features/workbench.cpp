// SPDX-License-Identifier: Apache-2.0
// A workbench with all_off, read_pins, set_pin and all safety, in which each other tool can be switched on by a
// definition. What a tool costs is the difference of two images.
#include <mcp/devices/lm75.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/stdio_transport.hpp>
#include <mcp/workbench.hpp>

#include <algorithm>

namespace {

constexpr mcp::PinUse led_uses = mcp::PinUse::output
#ifdef WITH_PWM
                                 | mcp::PinUse::pwm
#endif
#ifdef WITH_HOLD
                                 | mcp::PinUse::hold
#endif
    ;
constexpr mcp::WorkbenchPin pins[] = {{.name = "LED",
                                       .number = 40,
                                       .uses = led_uses,
                                       .rest = mcp::PinRest::low,
                                       .away_ms = 1000,
                                       .budget = {.away_ms = 2000, .window_ms = 8000},
#ifdef WITH_CONSENT
                                       .is_dangerous = true
#endif
                                      },
                                      {.name = "PD5",
                                       .number = 29,
                                       .uses = mcp::PinUse::input
#ifdef WITH_CAPTURE
                                               | mcp::PinUse::capture
#endif
                                      }};

#ifdef WITH_READING
constexpr mcp::MeasureOptions each_second{.now = board::millis};
constinit mcp::Measured<mcp::Tmp105, each_second> room{board::i2c0, 0x48};
constexpr mcp::WorkbenchReading readings[] = {{.name = "room", .sensor = &room}};
#endif

constexpr mcp::WorkbenchOptions options{.pins = pins,
                                        .chip = board::digital_pins,
                                        .now = board::millis,
#ifdef WITH_I2C
                                        .i2c = board::i2c0,
#endif
#ifdef WITH_READING
                                        .readings = readings,
#endif
#ifdef WITH_HOLD
                                        .holds = 1,
#endif
#ifdef WITH_WATCH
                                        .watch_values = 8,
#endif
#ifdef WITH_CAPTURE
                                        .capture_edges = 16
#endif
};
constinit mcp::Workbench<options> bench;

constexpr mcp::Definition definition{.name = "x",
                                     .version = "1",
                                     .eras = mcp::legacy_era,
                                     .tools = mcp::workbench_tools<bench>,
                                     .resources = mcp::workbench_resources<bench>,
                                     .audit = mcp::workbench_audit<bench>};
constexpr mcp::Limits limits {
#if defined(WITH_CAPTURE) || defined(WITH_CONSENT)
  .jobs = 1,
#endif
  .client_info_size = 32
};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

}  // namespace

int main() {
  bench.begin();
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) {
    const mcp::Millis next = transport.poll(board::millis());
    board::wait_for_event(std::min(next, bench.poll(server, &mcp::workbench_resources<bench>[1])));
  }
}
