// SPDX-License-Identifier: Apache-2.0
// Entity types that move air and heat: climate, fan.
#include "esphome_types.h"

#ifdef USE_MCP_SERVER

#include <esphome/core/entity_includes.h>
#include "esphome_arguments.h"
#include "esphome_state.h"

namespace mote_esphome {

using esphome::EntityBase;

#ifdef USE_CLIMATE
namespace {

using esphome::climate::Climate;
using esphome::climate::ClimateCall;
using esphome::climate::ClimateTraits;

constexpr const char* modes[] = {"off", "heat_cool", "cool", "heat", "fan_only", "dry", "auto"};
constexpr const char* climate_actions[] = {"off", "off", "cooling", "heating", "idle", "drying", "fan", "defrosting"};
constexpr const char* presets[] = {"none", "home", "away", "boost", "comfort", "eco", "sleep", "activity"};
constexpr const char* fan_modes[] = {"on",   "off",    "auto",  "low",     "medium",
                                     "high", "middle", "focus", "diffuse", "quiet"};
constexpr const char* swing_modes[] = {"off", "both", "vertical", "horizontal"};

bool has_two_targets(const ClimateTraits& traits) {
  return traits.has_feature_flags(esphome::climate::CLIMATE_SUPPORTS_TWO_POINT_TARGET_TEMPERATURE |
                                  esphome::climate::CLIMATE_REQUIRES_TWO_POINT_TARGET_TEMPERATURE);
}

void write_modes(Climate& climate, const ClimateTraits& traits, StateWriter& state) {
  if (climate.has_custom_preset()) {
    state.text("preset", view_of(climate.get_custom_preset()));
  } else if (climate.preset.has_value()) {
    state.choice("preset", presets, *climate.preset);
  }
  if (!traits.get_supports_fan_modes()) {
    // A thermostat has a fan mode without a fan.
  } else if (climate.has_custom_fan_mode()) {
    state.text("fan_mode", view_of(climate.get_custom_fan_mode()));
  } else if (climate.fan_mode.has_value()) {
    state.choice("fan_mode", fan_modes, *climate.fan_mode);
  }
  if (traits.get_supports_swing_modes()) state.choice("swing_mode", swing_modes, climate.swing_mode);
}

void write_climate(EntityBase* entity, StateWriter& state) {
  auto& climate = *static_cast<Climate*>(entity);
  const ClimateTraits traits = climate.get_traits();
  const std::int8_t decimals = traits.get_target_temperature_accuracy_decimals();
  state.choice("mode", modes, climate.mode);
  if (traits.has_feature_flags(esphome::climate::CLIMATE_SUPPORTS_ACTION))
    state.choice("action", climate_actions, climate.action);
  if (traits.has_feature_flags(esphome::climate::CLIMATE_SUPPORTS_CURRENT_TEMPERATURE)) {
    state.number("current_temperature", climate.current_temperature, traits.get_current_temperature_accuracy_decimals(),
                 "°C");
  }
  if (has_two_targets(traits)) {
    state.number("target_temperature_low", climate.target_temperature_low, decimals, "°C");
    state.number("target_temperature_high", climate.target_temperature_high, decimals, "°C");
  } else {
    state.number("target_temperature", climate.target_temperature, decimals, "°C");
  }
  write_modes(climate, traits, state);
}

// One choice of the names of ESPHome that the traits support, and of the names of the device.
template <std::size_t N, class Supports>
Argument choose(Arguments& arguments, const char* name, const char* const (&names)[N],
                const std::vector<const char*>& custom, const Supports& supports) {
  return arguments.choice(name, N + custom.size(), [&](std::size_t i) {
    if (i >= N) return custom[i - N];
    return supports(i) ? names[i] : nullptr;
  });
}

void control_climate(EntityBase* entity, Arguments& arguments) {
  using namespace esphome::climate;
  auto& climate = *static_cast<Climate*>(entity);
  const ClimateTraits traits = climate.get_traits();
  const float min = traits.get_visual_min_temperature();
  const float max = traits.get_visual_max_temperature();
  static const std::vector<const char*> no_names;
  const auto& custom_presets = traits.get_supported_custom_presets();
  const auto& custom_fan_modes = traits.get_supported_custom_fan_modes();
  const Argument mode = choose(arguments, "mode", modes, no_names,
                               [&](std::size_t i) { return traits.supports_mode(static_cast<ClimateMode>(i)); });
  Argument target;
  Argument high;
  const bool has_two = has_two_targets(traits);
  target = arguments.number(has_two ? "target_temperature_low" : "target_temperature", min, max, "°C");
  if (has_two) high = arguments.number("target_temperature_high", min, max, "°C");
  Argument preset;
  if (traits.get_supports_presets() || !custom_presets.empty()) {
    preset = choose(arguments, "preset", presets, custom_presets,
                    [&](std::size_t i) { return traits.supports_preset(static_cast<ClimatePreset>(i)); });
  }
  Argument fan;
  if (traits.get_supports_fan_modes()) {
    fan = choose(arguments, "fan_mode", fan_modes, custom_fan_modes,
                 [&](std::size_t i) { return traits.supports_fan_mode(static_cast<ClimateFanMode>(i)); });
  }
  Argument swing;
  if (traits.get_supports_swing_modes()) {
    swing = choose(arguments, "swing_mode", swing_modes, no_names,
                   [&](std::size_t i) { return traits.supports_swing_mode(static_cast<ClimateSwingMode>(i)); });
  }
  if (!arguments.act()) return;
  ClimateCall call = climate.make_call();
  if (mode.given) call.set_mode(static_cast<ClimateMode>(mode.index()));
  if (target.given && has_two) call.set_target_temperature_low(target.value);
  if (target.given && !has_two) call.set_target_temperature(target.value);
  if (high.given) call.set_target_temperature_high(high.value);
  if (preset.given && preset.index() < std::size(presets)) call.set_preset(static_cast<ClimatePreset>(preset.index()));
  if (preset.given && preset.index() >= std::size(presets))
    call.set_preset(custom_presets[preset.index() - std::size(presets)]);
  if (fan.given && fan.index() < std::size(fan_modes)) call.set_fan_mode(static_cast<ClimateFanMode>(fan.index()));
  if (fan.given && fan.index() >= std::size(fan_modes))
    call.set_fan_mode(custom_fan_modes[fan.index() - std::size(fan_modes)]);
  if (swing.given) call.set_swing_mode(static_cast<ClimateSwingMode>(swing.index()));
  call.perform();
}

}  // namespace

constexpr EntityType climate_type{.name = "climate", .write = write_climate, .control = control_climate};
#endif

#ifdef USE_FAN
namespace {

using esphome::fan::Fan;
using esphome::fan::FanTraits;

constexpr const char* directions[] = {"forward", "reverse"};

void write_fan(EntityBase* entity, StateWriter& state) {
  auto& fan = *static_cast<Fan*>(entity);
  const FanTraits traits = fan.get_traits();
  state.flag("on", fan.state);
  if (traits.supports_speed()) state.number("speed", static_cast<float>(fan.speed), 0);
  if (traits.supports_oscillation()) state.flag("oscillating", fan.oscillating);
  if (traits.supports_direction()) state.choice("direction", directions, static_cast<std::size_t>(fan.direction));
  if (fan.has_preset_mode()) state.text("preset", view_of(fan.get_preset_mode()));
}

void control_fan(EntityBase* entity, Arguments& arguments) {
  auto& fan = *static_cast<Fan*>(entity);
  const FanTraits traits = fan.get_traits();
  const Argument on = arguments.flag("on");
  Argument speed;
  if (traits.supports_speed())
    speed = arguments.integer("speed", 1, static_cast<float>(traits.supported_speed_count()));
  Argument oscillating;
  if (traits.supports_oscillation()) oscillating = arguments.flag("oscillating");
  Argument direction;
  if (traits.supports_direction()) direction = arguments.choice("direction", directions);
  Argument preset;
  const auto& names = traits.supported_preset_modes();
  if (!names.empty()) preset = arguments.choice("preset", names.size(), [&](std::size_t i) { return names[i]; });
  if (!arguments.act()) return;
  esphome::fan::FanCall call = fan.make_call();
  // A speed for a fan that is off means that it shall run.
  const bool is_on = on.given ? on.is_true() : true;
  call.set_state(is_on);
  if (speed.given) call.set_speed(static_cast<int>(speed.value));
  if (oscillating.given) call.set_oscillating(oscillating.is_true());
  if (direction.given) call.set_direction(static_cast<esphome::fan::FanDirection>(direction.index()));
  if (preset.given) call.set_preset_mode(names[preset.index()]);
  call.perform();
  arguments.expect(is_on ? 1 : 0);
}

}  // namespace

constexpr EntityType fan_type{
    .name = "fan",
    .write = write_fan,
    .control = control_fan,
    .has = [](EntityBase* entity, float expected) { return static_cast<Fan*>(entity)->state == (expected != 0); },
};
#endif

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
