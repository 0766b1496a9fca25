// SPDX-License-Identifier: Apache-2.0
// A planted bug: the speed "fast" has no function, and the check for it looks at the previous speed. So the mixer calls
// a null pointer when "fast" follows another speed. With MIXER_FIXED the check looks at the new speed.
#include "traces/mixer.hpp"

#include <cstddef>
#include <cstdint>

namespace mixer {
namespace {

std::int32_t stop(std::int32_t) { return 0; }
std::int32_t turn_slowly(std::int32_t level) { return 10 * level; }

enum class Speed : std::uint8_t { stopped, slow, fast };
using Turn = std::int32_t (*)(std::int32_t level);
constexpr Turn turns[] = {stop, turn_slowly, nullptr};
constexpr auto speeds =
    mcp::choices<Speed>({{"stopped", Speed::stopped}, {"slow", Speed::slow}, {"fast", Speed::fast}});

struct State {
  Speed speed;
  std::uint32_t changes;
};
State state{};

struct Arguments {
  Speed speed;
  std::int32_t level;
  mcp::FixedString<8> pin;
};
constexpr auto arguments_of_set_speed =
    mcp::params(mcp::param<&Arguments::speed>("speed", {.choices = speeds}),
                mcp::param<&Arguments::level>("level", {.minimum = 1, .maximum = 9}),
                mcp::param<&Arguments::pin>("pin", {.default_value = "0000"}));

mcp::Errc set_speed(const Arguments& arguments, mcp::Call& call) {
#ifdef MIXER_FIXED
  const auto checked = static_cast<std::size_t>(arguments.speed);
#else
  const auto checked = static_cast<std::size_t>(state.speed);
#endif
  if (turns[checked] == nullptr) return call.fail("The mixer has no such speed.");
  state.speed = arguments.speed;
  const std::int32_t turns_a_minute = turns[static_cast<std::size_t>(arguments.speed)](arguments.level);
  return call.result().text(turns_a_minute, " turns a minute, ", ++state.changes, " changes");
}

mcp::Errc read_motor(mcp::ReadResult& out) { return out.number(ring.value(read_temperature())); }

constexpr mcp::Tool tools[] = {mcp::tool<set_speed>({.name = "set_speed"}, arguments_of_set_speed)};
constexpr mcp::Resource resources[] = {{.uri = "mixer://motor", .name = "motor", .read = read_motor},
                                       mcp::trace<ring>({.uri = "mote://trace", .name = "trace"})};
constexpr mcp::Definition definition{.name = "mixer", .version = "1.0.0", .tools = tools, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 512, .transmit_size = 1024, .streams = 1};
constinit mcp::Storage<definition, limits> storage;

std::uint32_t id_of_boot() { return boot_id; }

}  // namespace

constinit const mcp::Server server{storage, {.boot_id = id_of_boot}};

}  // namespace mixer
