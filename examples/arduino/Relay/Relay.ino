// SPDX-License-Identifier: Apache-2.0
// A relay that an AI client switches on Serial, but only if the user agrees. The client shows the question to the user.
//
// Wiring: the input of a relay module to RELAY_PIN, its supply and GND as its label says.
#include <mote.h>

#include <mcp/coroutine.hpp>

const int RELAY_PIN = 5;
std::string_view relay_state = "off";

// The argument of the tool.
struct SwitchRelay {
  bool on;
};

// A form without fields: the user only agrees or declines.
constexpr mcp::InputSchema yes_or_no(R"({"type":"object","properties":{}})");

// The tool. While it waits for the user, loop() continues.
mcp::Coroutine switch_relay(mcp::AskCoroutineContext& context, const SwitchRelay& wanted) {
  const std::string_view wanted_state = wanted.on ? "on" : "off";
  const mcp::Answer answer = co_await context.elicit(yes_or_no, "Switch the relay ", wanted_state, "?");
  if (answer.outcome() != mcp::Outcome::accepted) {
    co_return context.fail("The user did not agree. The relay is ", relay_state, ".");
  }
  digitalWrite(RELAY_PIN, wanted.on ? HIGH : LOW);
  relay_state = wanted_state;
  co_return context.result().text("The relay is ", relay_state, ".");
}

// What the AI model reads about the tool.
constexpr auto parameters = mcp::params(mcp::param<&SwitchRelay::on>("on", {.description = "true to switch it on"}));
constexpr mcp::ToolInfo about{
    .name = "switch_relay", .description = "Switch the relay on or off. The user is asked first.", .asks_itself = true};

// Memory for one waiting call, and for the server.
mcp::FramePool<1, 256> frames;
constexpr mcp::Tool tools[] = {mcp::coroutine<switch_relay, frames>(about, parameters)};
constexpr mcp::Definition definition{.name = "relay", .version = "1.0.0", .tools = tools};
constinit mcp::Storage<definition, mcp::Limits{.jobs = 1}> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::arduino::boot_id}};

mcp::arduino::StreamPort wire{Serial};
mcp::StdioTransport transport{server, wire};

void setup() {
  pinMode(RELAY_PIN, OUTPUT);
  Serial.begin(115200);
}

void loop() { mcp::arduino::poll(transport); }
