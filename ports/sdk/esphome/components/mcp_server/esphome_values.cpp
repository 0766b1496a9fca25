// SPDX-License-Identifier: Apache-2.0
// Entity types with one value or action: switch, number, select, text, button, update, date, time, datetime.
#include "esphome_types.h"

#ifdef USE_MCP_SERVER

#include <cmath>

#include <esphome/core/entity_includes.h>
#include "esphome_arguments.h"
#include "esphome_node.h"
#include "esphome_state.h"

namespace mote_esphome {

using esphome::EntityBase;

#ifdef USE_SWITCH
constexpr EntityType switch_type{
    .name = "switch",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const one = static_cast<esphome::switch_::Switch*>(entity);
          state.flag("on", one->state);
          if (one->assumed_state()) state.flag("assumed", true);
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          const Argument on = arguments.flag("on", Need::required);
          if (!arguments.act()) return;
          static_cast<esphome::switch_::Switch*>(entity)->control(on.is_true());
          arguments.expect(on.value);
        },
    .has = [](EntityBase* entity,
              float expected) { return static_cast<esphome::switch_::Switch*>(entity)->state == (expected != 0); },
};
#endif

#ifdef USE_NUMBER
constexpr EntityType number_type{
    .name = "number",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const number = static_cast<esphome::number::Number*>(entity);
          const float step = number->traits.get_step();
          state.number("state", number->has_state() ? number->state : NAN, step > 0 ? decimals_of(step) : 2,
                       view_of(number->get_unit_of_measurement_ref()));
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          auto* const number = static_cast<esphome::number::Number*>(entity);
          const esphome::StringRef unit = number->get_unit_of_measurement_ref();
          const Argument value = arguments.number("value", number->traits.get_min_value(),
                                                  number->traits.get_max_value(), unit.c_str(), Need::required);
          if (!arguments.act()) return;
          number->make_call().set_value(value.value).perform();
          arguments.expect(value.value);
        },
    .has =
        [](EntityBase* entity, float expected) {
          auto* const number = static_cast<esphome::number::Number*>(entity);
          const float step = number->traits.get_step();
          // An integration may round the value to its step.
          return number->has_state() && std::fabs(number->state - expected) <= (step > 0 ? step / 2 : 0);
        },
};
#endif

#ifdef USE_SELECT
constexpr EntityType select_type{
    .name = "select",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const select = static_cast<esphome::select::Select*>(entity);
          if (!select->has_state()) return state.unknown("state");
          state.text("state", view_of(select->current_option()));
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          auto* const select = static_cast<esphome::select::Select*>(entity);
          const auto name = [&](std::size_t i) { return select->option_at(i); };
          const Argument option = arguments.choice("option", select->size(), name, Need::required);
          if (!arguments.act()) return;
          select->make_call().set_index(option.index()).perform();
          arguments.expect(option.value);
        },
    .has =
        [](EntityBase* entity, float expected) {
          auto* const select = static_cast<esphome::select::Select*>(entity);
          return select->has_state() && select->active_index() == static_cast<std::size_t>(expected);
        },
};
#endif

#ifdef USE_TEXT
constexpr EntityType text_type{
    .name = "text",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const text = static_cast<esphome::text::Text*>(entity);
          // A password never leaves the node.
          if (text->traits.get_mode() == esphome::text::TEXT_MODE_PASSWORD) return state.text("state", "(secret)");
          if (!text->has_state()) return state.unknown("state");
          state.text("state", text->state);
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          auto* const text = static_cast<esphome::text::Text*>(entity);
          const std::string_view value =
              arguments.text("value", static_cast<std::size_t>(text->traits.get_min_length()),
                             static_cast<std::size_t>(text->traits.get_max_length()), "", Need::required);
          if (arguments.act()) text->make_call().set_value(value.data(), value.size()).perform();
        },
};
#endif

#ifdef USE_BUTTON
constexpr EntityType button_type{
    .name = "button",
    .write = nullptr,
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          if (!arguments.act()) return;
          auto* const button = static_cast<esphome::button::Button*>(entity);
          the_node->run_later([button] { button->press(); });
        },
    .is_action = true,
};
#endif

#ifdef USE_UPDATE
constexpr EntityType update_type{
    .name = "update",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          static constexpr const char* states[] = {"unknown", "no_update", "available", "installing"};
          auto* const update = static_cast<esphome::update::UpdateEntity*>(entity);
          state.choice("state", states, update->state);
          state.text("installed", update->update_info.current_version);
          state.text("latest", update->update_info.latest_version);
          if (update->update_info.has_progress) state.number("progress", update->update_info.progress, 0, "%");
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          static constexpr const char* actions[] = {"install", "check"};
          auto* const update = static_cast<esphome::update::UpdateEntity*>(entity);
          const Argument action = arguments.choice("action", actions, 2, Need::required);
          if (!arguments.act()) return;
          // After the response, because an update blocks the main loop and ends the firmware.
          if (action.index() == 0) return the_node->run_later([update] { update->perform(); });
          the_node->run_later([update] { update->check(); });
        },
};
#endif

#if defined(USE_DATETIME_DATE) || defined(USE_DATETIME_TIME) || defined(USE_DATETIME_DATETIME)
namespace {

using esphome::ESPTime;

void write_time(StateWriter& state, EntityBase* entity, const char* format) {
  auto* const one = static_cast<esphome::datetime::DateTimeBase*>(entity);
  if (!one->has_state()) return state.unknown("state");
  char text[ESPTime::STRFTIME_BUFFER_SIZE];
  ESPTime time = one->state_as_esptime();
  state.text("state", {text, time.strftime_to(text, format)});
}

// A valid date and time, for what a format leaves out.
ESPTime first_time() {
  ESPTime time{};
  time.year = 2000;
  time.month = 1;
  time.day_of_month = 1;
  return time;
}

// Reads the argument `value`. True if the control shall act.
bool read_time(Arguments& arguments, const char* format, std::size_t size, ESPTime& time) {
  const std::string_view value = arguments.text("value", size, size, format, Need::required);
  const bool has_value = !value.empty();
  const bool is_valid =
      has_value && ESPTime::strptime(value.data(), value.size(), time) && time.fields_in_range(false, false);
  if (arguments.checks() && has_value && !is_valid) arguments.reject("value", format);
  return arguments.act() && is_valid;
}

}  // namespace
#endif

#ifdef USE_DATETIME_DATE
constexpr EntityType date_type{
    .name = "date",
    .write = [](EntityBase* entity, StateWriter& state) { write_time(state, entity, "%Y-%m-%d"); },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          ESPTime time = first_time();
          if (!read_time(arguments, "YYYY-MM-DD", 10, time)) return;
          static_cast<esphome::datetime::DateEntity*>(entity)->make_call().set_date(time).perform();
        },
};
#endif

#ifdef USE_DATETIME_TIME
constexpr EntityType time_type{
    .name = "time",
    .write = [](EntityBase* entity, StateWriter& state) { write_time(state, entity, "%H:%M:%S"); },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          ESPTime time = first_time();
          if (!read_time(arguments, "HH:MM:SS", 8, time)) return;
          static_cast<esphome::datetime::TimeEntity*>(entity)->make_call().set_time(time).perform();
        },
};
#endif

#ifdef USE_DATETIME_DATETIME
constexpr EntityType datetime_type{
    .name = "datetime",
    .write = [](EntityBase* entity, StateWriter& state) { write_time(state, entity, "%Y-%m-%d %H:%M:%S"); },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          ESPTime time = first_time();
          if (!read_time(arguments, "YYYY-MM-DD HH:MM:SS", 19, time)) return;
          static_cast<esphome::datetime::DateTimeEntity*>(entity)->make_call().set_datetime(time).perform();
        },
};
#endif

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
