// SPDX-License-Identifier: Apache-2.0
// Entity types that move or guard something: cover, valve, lock, alarm_control_panel.
#include "esphome_types.h"

#ifdef USE_MCP_SERVER

#include <cmath>

#include <esphome/core/entity_includes.h>
#include "esphome_arguments.h"
#include "esphome_state.h"

namespace mote_esphome {

using esphome::EntityBase;

#if defined(USE_COVER) || defined(USE_VALVE)
namespace {

constexpr const char* operations[] = {"idle", "opening", "closing"};
constexpr const char* actions[] = {"open", "close", "stop"};
constexpr const char* position_unit = "%, 100 is open";

// The arguments that covers and valves have in common.
struct Move {
  Argument action;
  Argument position;

  Move(Arguments& arguments, bool can_stop, bool has_position) {
    action = arguments.choice("action", actions, can_stop ? 3 : 2);
    if (has_position) position = arguments.number("position", 0, 100, position_unit);
  }
  void apply(auto& call) const {
    if (action.given && action.index() == 0) call.set_command_open();
    if (action.given && action.index() == 1) call.set_command_close();
    if (action.given && action.index() == 2) call.set_command_stop();
    if (position.given) call.set_position(position.value / 100);
  }
  void expect(Arguments& arguments) const {
    if (position.given) return arguments.expect(position.value / 100);
    if (action.given && action.index() < 2) arguments.expect(action.index() == 0 ? 1 : 0);
  }
};

bool is_at(float position, float expected) { return std::fabs(position - expected) < 0.01F; }

}  // namespace
#endif

#ifdef USE_COVER
constexpr EntityType cover_type{
    .name = "cover",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const cover = static_cast<esphome::cover::Cover*>(entity);
          const esphome::cover::CoverTraits traits = cover->get_traits();
          state.choice("state", operations, cover->current_operation);
          state.number("position", cover->position * 100, 0, "%");
          if (traits.get_supports_tilt()) state.number("tilt", cover->tilt * 100, 0, "%");
          if (traits.get_is_assumed_state()) state.flag("assumed", true);
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          auto* const cover = static_cast<esphome::cover::Cover*>(entity);
          const esphome::cover::CoverTraits traits = cover->get_traits();
          const Move move(arguments, traits.get_supports_stop(), traits.get_supports_position());
          Argument tilt;
          if (traits.get_supports_tilt()) tilt = arguments.number("tilt", 0, 100, "%");
          if (!arguments.act()) return;
          esphome::cover::CoverCall call = cover->make_call();
          move.apply(call);
          if (tilt.given) call.set_tilt(tilt.value / 100);
          call.perform();
          move.expect(arguments);
        },
    .has = [](EntityBase* entity,
              float expected) { return is_at(static_cast<esphome::cover::Cover*>(entity)->position, expected); },
};
#endif

#ifdef USE_VALVE
constexpr EntityType valve_type{
    .name = "valve",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const valve = static_cast<esphome::valve::Valve*>(entity);
          state.choice("state", operations, valve->current_operation);
          state.number("position", valve->position * 100, 0, "%");
          if (valve->get_traits().get_is_assumed_state()) state.flag("assumed", true);
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          auto* const valve = static_cast<esphome::valve::Valve*>(entity);
          const esphome::valve::ValveTraits traits = valve->get_traits();
          const Move move(arguments, traits.get_supports_stop(), traits.get_supports_position());
          if (!arguments.act()) return;
          esphome::valve::ValveCall call = valve->make_call();
          move.apply(call);
          call.perform();
          move.expect(arguments);
        },
    .has = [](EntityBase* entity,
              float expected) { return is_at(static_cast<esphome::valve::Valve*>(entity)->position, expected); },
};
#endif

#ifdef USE_LOCK
constexpr EntityType lock_type{
    .name = "lock",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          static constexpr const char* states[] = {"unknown", "locked",    "unlocked", "jammed",
                                                   "locking", "unlocking", "opening",  "open"};
          state.choice("state", states, static_cast<esphome::lock::Lock*>(entity)->state);
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          static constexpr const char* lock_actions[] = {"lock", "unlock", "open"};
          auto* const lock = static_cast<esphome::lock::Lock*>(entity);
          const Argument action =
              arguments.choice("action", lock_actions, lock->traits.get_supports_open() ? 3 : 2, Need::required);
          if (!arguments.act()) return;
          if (action.index() == 0) lock->lock();
          if (action.index() == 1) lock->unlock();
          if (action.index() == 2) return lock->open();
          arguments.expect(action.index() == 0 ? esphome::lock::LOCK_STATE_LOCKED : esphome::lock::LOCK_STATE_UNLOCKED);
        },
    .has =
        [](EntityBase* entity, float expected) {
          return static_cast<float>(static_cast<esphome::lock::Lock*>(entity)->state) == expected;
        },
};
#endif

#ifdef USE_ALARM_CONTROL_PANEL
namespace {

using esphome::alarm_control_panel::AlarmControlPanel;
using esphome::alarm_control_panel::AlarmControlPanelCall;

struct AlarmAction {
  const char* name;
  std::uint8_t feature;  // 0: always
  AlarmControlPanelCall& (AlarmControlPanelCall::*set)();
  std::uint8_t state;  // after it
};
constexpr AlarmAction alarm_actions[] = {
    {"disarm", 0, &AlarmControlPanelCall::disarm, esphome::alarm_control_panel::ACP_STATE_DISARMED},
    {"arm_home", esphome::alarm_control_panel::ACP_FEAT_ARM_HOME, &AlarmControlPanelCall::arm_home,
     esphome::alarm_control_panel::ACP_STATE_ARMED_HOME},
    {"arm_away", esphome::alarm_control_panel::ACP_FEAT_ARM_AWAY, &AlarmControlPanelCall::arm_away,
     esphome::alarm_control_panel::ACP_STATE_ARMED_AWAY},
    {"arm_night", esphome::alarm_control_panel::ACP_FEAT_ARM_NIGHT, &AlarmControlPanelCall::arm_night,
     esphome::alarm_control_panel::ACP_STATE_ARMED_NIGHT},
    {"arm_vacation", esphome::alarm_control_panel::ACP_FEAT_ARM_VACATION, &AlarmControlPanelCall::arm_vacation,
     esphome::alarm_control_panel::ACP_STATE_ARMED_VACATION},
    {"arm_custom_bypass", esphome::alarm_control_panel::ACP_FEAT_ARM_CUSTOM_BYPASS,
     &AlarmControlPanelCall::arm_custom_bypass, esphome::alarm_control_panel::ACP_STATE_ARMED_CUSTOM_BYPASS},
};

}  // namespace

constexpr EntityType alarm_control_panel_type{
    .name = "alarm_control_panel",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          static constexpr const char* states[] = {
              "disarmed", "armed_home", "armed_away", "armed_night", "armed_vacation", "armed_custom_bypass",
              "pending",  "arming",     "disarming",  "triggered"};
          state.choice("state", states, static_cast<AlarmControlPanel*>(entity)->get_state());
        },
    .control =
        [](EntityBase* entity, Arguments& arguments) {
          auto* const panel = static_cast<AlarmControlPanel*>(entity);
          const std::uint32_t features = panel->get_supported_features();
          const auto name = [&](std::size_t i) {
            const AlarmAction& one = alarm_actions[i];
            return one.feature == 0 || (features & one.feature) != 0 ? one.name : nullptr;
          };
          const Argument action = arguments.choice("action", std::size(alarm_actions), name, Need::required);
          std::string_view code;
          if (panel->get_requires_code()) code = arguments.text("code", 0, sizeof(Values::text), "", Need::optional);
          if (!arguments.act()) return;
          const AlarmAction& one = alarm_actions[action.index()];
          AlarmControlPanelCall call = panel->make_call();
          if (!code.empty()) call.set_code(code.data(), code.size());
          (call.*one.set)().perform();
          arguments.expect(one.state);
        },
    .has =
        [](EntityBase* entity, float expected) {
          return static_cast<float>(static_cast<AlarmControlPanel*>(entity)->get_state()) == expected;
        },
};
#endif

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
