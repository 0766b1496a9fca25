// SPDX-License-Identifier: Apache-2.0
#include "esphome_control.h"

#ifdef USE_MCP_SERVER

#include <mcp/call_options.hpp>
#include <mcp/params.hpp>

#include "esphome_node.h"
#include "esphome_state.h"

namespace mote_esphome {

using mcp::Errc;
using mcp::json::Value;
using mcp::json::Writer;

namespace {

constexpr mcp::Millis poll_ms = 20;

}  // namespace

Errc start_control(const mcp::Tool& kind, Value given, mcp::Call& call) {
  const Row row = the_node->row(call.row());
  Values values;
  Arguments arguments(given, call, values);
  row.type->control(row.entity, arguments);
  if (arguments.failed()) return arguments.result();
  return mcp::detail::start_decoded_job(kind, &values, sizeof(values), call);
}

mcp::Step Control::step(mcp::JobContext& context) {
  const Row one = the_node->row(row);
  if (!has_acted) {
    if (context.stop_requested()) return context.done();
    has_acted = true;
    acted_ms = context.now();
    Arguments checked(arguments);
    one.type->control(one.entity, checked);
    expects = checked.expects() && one.type->has != nullptr;
    expected = checked.expected();
  }
  if (one.type->is_action) return context.done(context.result().text("Pressed."));
  const bool is_pending = expects && !one.type->has(one.entity, expected);
  const bool waits = is_pending && context.now() - acted_ms < the_node->wait_ms() && !context.stop_requested();
  if (waits) return context.sleep(poll_ms);
  return context.done(context.structured([&](Writer& out) { write_state(out, one, is_pending); }));
}

namespace {

struct Consent {
  bool sure;
};
constexpr auto consent = mcp::params(mcp::param<&Consent::sure>("sure", {.title = "Do it", .default_value = false}));

}  // namespace

mcp::Step ConfirmedControl::step(mcp::AskContext& context) {
  if (has_acted) return Control::step(context);
  if (context.stop_requested()) return context.done();
  if (!has_asked) {
    has_asked = true;
    const Row one = the_node->row(row);
    const auto show = [&](mcp::TextWriter& text) {
      Arguments shown(text, arguments);
      one.type->control(one.entity, shown);
    };
    return context.elicit(consent, view_of(one.entity->get_name()), ": ", one.type->is_action ? "press" : "", show,
                          "?");
  }
  const mcp::Answer answer = context.answer();
  if (answer.outcome() != mcp::Outcome::accepted) return context.done(context.fail_input(answer));
  Consent given{};
  if (const Errc errc = context.read_form(consent, given); errc != Errc::ok) return context.done(errc);
  if (!given.sure) return context.done(context.fail("The user did not agree."));
  return Control::step(context);
}

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
