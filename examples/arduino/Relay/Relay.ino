// SPDX-License-Identifier: Apache-2.0
// A relay that an AI client switches on Serial, but only if the client says that its user accepts. Most clients show the
// question to the user. Some accept by themselves: what must never happen without a person needs a button on the device.
//
// Wiring: the input of a relay module to RELAY_PIN, its supply and GND as its label says.
#include <mote.h>

#include <mcp/coroutine.hpp>

#ifdef MOTE_NO_SERIAL
#error "This board has no Serial. In the menu Tools, choose a generic 'Serial', or put the name of another port for it."
#endif

const int RELAY_PIN = 5;
std::string_view relay_state = "off";

// The argument of the tool.
struct SwitchRelay {
  bool on;
};

// A form without fields: the user only accepts or declines.
constexpr mcp::InputSchema yes_or_no(R"({"type":"object","properties":{}})");

// The tool. While it waits for the user, loop() continues.
mcp::Coroutine switch_relay(mcp::AskCoroutineContext& context, const SwitchRelay& wanted) {
  const std::string_view wanted_state = wanted.on ? "on" : "off";
  const mcp::Answer answer = co_await context.elicit(yes_or_no, "Switch the relay ", wanted_state, "?");
  if (answer.outcome() != mcp::Outcome::accepted) {
    co_return context.fail_input(answer, "The relay is ", relay_state, ".");
  }
  digitalWrite(RELAY_PIN, wanted.on ? HIGH : LOW);
  relay_state = wanted_state;
  co_return context.result().text("The relay is ", relay_state, ".");
}

// What the AI model reads about the tool.
constexpr auto parameters = mcp::params(mcp::param<&SwitchRelay::on>("on", {.description = "true to switch it on"}));
constexpr mcp::ToolInfo about{
    .name = "switch_relay", .description = "Switch the relay on or off. The user is asked first.", .asks_itself = true};

// Memory for one waiting call, and for the server. A call ends after 130 s, because not every client cancels it.
mcp::FramePool<1, 256> frames;
constexpr mcp::Tool tools[] = {mcp::coroutine<switch_relay, frames, 130'000>(about, parameters)};
// Clients of revision 2026-07-28 need random bytes, which not every board has. With esp_random() or the like, write
// `mcp::arduino::RandomBits random{esp_random};`, give the server `.entropy = &random`, and remove `.eras`.
constexpr mcp::Definition definition{.name = "relay", .version = "1.0.0", .eras = mcp::legacy_era, .tools = tools};
constinit mcp::Storage<definition, mcp::Limits{.jobs = 1}> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::arduino::boot_id}};

mcp::arduino::StreamPort wire{Serial};
mcp::StdioTransport transport{server, wire};

void setup() {
  pinMode(RELAY_PIN, OUTPUT);
  Serial.begin(115200);
}

void loop() { mcp::arduino::poll(transport); }
