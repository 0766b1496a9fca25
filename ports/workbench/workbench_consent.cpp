// SPDX-License-Identifier: Apache-2.0
// Calls to which the user has to consent. Each is a job that sends an input request and then calls the tool, which
// checks all again: while the user thinks, the state of the device changes. Nothing is driven or reserved meanwhile.
#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::level_name;

namespace {

// A form without fields: the user accepts or declines.
constexpr InputSchema yes_or_no(R"({"type":"object","properties":{}})");

// The name of a pin, and what is connected.
struct PinText {
  const WorkbenchPin& pin;
  void operator()(TextWriter& text) const {
    text.add(pin.name);
    if (!pin.note.empty()) text.add(" (", pin.note, ')');
  }
};

}  // namespace

// Sends the input request of `ask` if the call needs consent and `check` finds no error. Ends the job with the result
// of `run`, or with an error.
template <class Check, class Ask, class Run>
Step WorkbenchCore::with_consent(bool asks, bool& is_asked, AskContext& context, const Check& check, const Ask& ask,
                                 const Run& run) const {
  if (context.stop_requested()) return context.done();
  if (is_asked) {
    const Answer answer = context.answer();
    if (answer.outcome() != Outcome::accepted) return context.done(context.fail_input(answer, "Nothing was changed."));
  } else if (asks) {
    // No user is asked for a call that is refused in any case.
    if (const Errc errc = check(); errc != Errc::ok) return context.done(errc);
    is_asked = true;
    context.timeout(detail::consent_ms);
    return ask();
  }
  return context.done(run());
}

Step WorkbenchCore::step_set_pin(const detail::SetPinArguments& arguments, bool& is_asked, AskContext& context) const {
  const auto pin = static_cast<std::size_t>(arguments.pin);
  const WorkbenchPin& row = options_.pins[pin];
  const Millis now = options_.now();
  return with_consent(
      row.is_dangerous && has_use(row.uses, PinUse::output) && !is_rest_level(pin, arguments.level), is_asked, context,
      [&] { return check_set_pin(arguments, enter(context, now), now, context); },
      [&] {
        return context.elicit(
            yes_or_no, "Set ", PinText{row}, ' ', level_name(arguments.level == detail::PinLevel::high),
            [&](TextWriter& text) {
              const Millis limit = arguments.for_ms != 0 ? arguments.for_ms : row.away_ms;
              if (limit != 0) text.add(" for at most ", limit, " ms");
            },
            '?');
      },
      [&] { return set_pin(arguments, context); });
}

Step WorkbenchCore::step_set_pwm(const detail::SetPwmArguments& arguments, bool& is_asked, AskContext& context) const {
  const auto pin = static_cast<std::size_t>(arguments.pin);
  const WorkbenchPin& row = options_.pins[pin];
  const Millis now = options_.now();
  std::int32_t permille = 0;
  static_cast<void>(detail::to_scaled(arguments.percent, 1, permille));
  const detail::PinLevel level = permille == 0      ? detail::PinLevel::low
                                 : permille == 1000 ? detail::PinLevel::high
                                                    : detail::PinLevel::rest;
  const bool is_rest = level != detail::PinLevel::rest && is_rest_level(pin, level);
  return with_consent(
      row.is_dangerous && !is_rest, is_asked, context,
      [&] { return check_set_pwm(arguments, enter(context, now), now, context); },
      [&] {
        return context.elicit(
            yes_or_no, "Set ", PinText{row}, " high for ", Scaled{permille, 1}, " % of the time, at ", arguments.hz,
            " Hz",
            [&](TextWriter& text) {
              if (row.away_ms != 0) text.add(", for at most ", row.away_ms, " ms");
            },
            '?');
      },
      [&] { return set_pwm(arguments, context); });
}

Step WorkbenchCore::step_hold(const detail::HoldArguments& arguments, bool& is_asked, AskContext& context) const {
  const WorkbenchPin& row = options_.pins[static_cast<std::size_t>(arguments.pin)];
  const WorkbenchReading& reading = options_.readings[static_cast<std::size_t>(arguments.reading)];
  const Millis now = options_.now();
  detail::HoldState wanted{};
  return with_consent(
      row.is_dangerous, is_asked, context,
      [&] { return check_hold(arguments, enter(context, now), now, wanted, context); },
      [&] {
        const bool raises = arguments.action == detail::HoldAction::raise;
        return context.elicit(yes_or_no, "Keep ", reading.name, " at ", detail::ReadingText{reading, wanted.target},
                              " by ", PinText{row}, " for ", arguments.minutes, " min: on while it is ",
                              raises ? std::string_view("below") : "above", ", within ",
                              detail::ReadingText{reading, wanted.within}, '?');
      },
      [&] { return hold(arguments, context); });
}

Step WorkbenchCore::step_i2c(std::string_view address, std::string_view write, unsigned read, bool& is_asked,
                             AskContext& context) const {
  detail::I2cTransaction transaction{};
  if (context.stop_requested()) return context.done();
  if (!is_asked) enter(context, options_.now());
  if (const Errc errc = check_i2c(address, write, read, transaction, context); errc != Errc::ok)
    return context.done(errc);
  const bool asks =
      access_of(transaction.address) == I2cAccess::ask && !is_harmless(transaction.address, transaction.size, read);
  return with_consent(
      asks, is_asked, context, [] { return Errc::ok; },
      [&] {
        return context.elicit(
            yes_or_no, "Write ", write, " to the I2C device at ", address,
            [&](TextWriter& text) {
              const I2cRule* const rule = rule_of(transaction.address);
              if (rule != nullptr && !rule->note.empty()) text.add(" (", rule->note, ')');
            },
            '?');
      },
      [&] { return run_i2c(transaction, context); });
}

}  // namespace mcp
