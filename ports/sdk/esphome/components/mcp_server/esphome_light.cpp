// SPDX-License-Identifier: Apache-2.0
// Entity types for eyes and ears: light, media_player.
#include "esphome_types.h"

#ifdef USE_MCP_SERVER

#include <cmath>

#include <esphome/core/entity_includes.h>
#ifdef USE_LIGHT
#include <esphome/components/light/light_effect.h>
#endif
#include "esphome_arguments.h"
#include "esphome_state.h"

namespace mote_esphome {

using esphome::EntityBase;

#ifdef USE_LIGHT
namespace {

using esphome::light::ColorCapability;
using esphome::light::LightState;
using esphome::light::LightTraits;

constexpr float mega = 1e6F;  // kelvin = mega / mired
constexpr float whole = 255;

// A light with cold and warm white takes a color temperature, too: LightCall converts it.
bool has_kelvin(const LightTraits& traits) {
  return traits.get_min_mireds() > 0 && (traits.supports_color_capability(ColorCapability::COLOR_TEMPERATURE) ||
                                         traits.supports_color_capability(ColorCapability::COLD_WARM_WHITE));
}

void write_light(EntityBase* entity, StateWriter& state) {
  auto& light = *static_cast<LightState*>(entity);
  const LightTraits traits = light.get_traits();
  const esphome::light::LightColorValues& values = light.remote_values;  // at the end of a transition
  state.flag("on", values.is_on());
  if (traits.supports_color_capability(ColorCapability::BRIGHTNESS))
    state.number("brightness", values.get_brightness() * 100, 0, "%");
  if (has_kelvin(traits)) state.number("color_temperature", values.get_color_temperature_kelvin(), 0, "K");
  if (traits.supports_color_capability(ColorCapability::RGB)) {
    constexpr const char* digits = "0123456789abcdef";
    char text[7] = {'#'};
    const float parts[] = {values.get_red(), values.get_green(), values.get_blue()};
    for (std::size_t i = 0; i < std::size(parts); ++i) {
      const auto byte = static_cast<unsigned>(std::lround(parts[i] * whole));
      text[1 + 2 * i] = digits[byte >> 4 & 15U];
      text[2 + 2 * i] = digits[byte & 15U];
    }
    state.text("color", {text, sizeof(text)});
  }
  if (traits.supports_color_capability(ColorCapability::WHITE)) state.number("white", values.get_white() * 100, 0, "%");
  if (light.supports_effects()) state.text("effect", view_of(light.get_effect_name()));
}

void control_light(EntityBase* entity, Arguments& arguments) {
  auto& light = *static_cast<LightState*>(entity);
  const LightTraits traits = light.get_traits();
  const Argument on = arguments.flag("on");
  Argument brightness;
  Argument transition;
  if (traits.supports_color_capability(ColorCapability::BRIGHTNESS)) {
    brightness = arguments.number("brightness", 0, 100, "%");
    transition = arguments.number("transition", 0, 600, "s");
  }
  Argument kelvin;
  if (has_kelvin(traits)) {
    kelvin = arguments.number("color_temperature", std::round(mega / traits.get_max_mireds()),
                              std::round(mega / traits.get_min_mireds()), "K");
  }
  Argument color;
  if (traits.supports_color_capability(ColorCapability::RGB)) color = arguments.color("color");
  Argument white;
  if (traits.supports_color_capability(ColorCapability::WHITE)) white = arguments.number("white", 0, 100, "%");
  Argument effect;
  if (light.supports_effects()) {
    const auto& effects = light.get_effects();
    effect = arguments.choice("effect", effects.size() + 1,
                              [&](std::size_t i) { return i == 0 ? "None" : effects[i - 1]->get_name().c_str(); });
  }
  if (!arguments.act()) return;
  esphome::light::LightCall call = light.make_call();
  // A color or a brightness for a light that is off means that it shall be on.
  const bool is_on = on.given ? on.is_true() : true;
  call.set_state(is_on);
  if (brightness.given) call.set_brightness(brightness.value / 100);
  if (transition.given) call.set_transition_length(static_cast<std::uint32_t>(transition.value * 1000));
  if (kelvin.given) call.set_color_temperature(mega / kelvin.value);
  if (color.given) {
    const auto rgb = static_cast<std::uint32_t>(color.value);
    const auto part = [&](unsigned shift) { return static_cast<float>(rgb >> shift & 0xFFU) / whole; };
    call.set_rgb(part(16), part(8), part(0));
  }
  if (white.given) call.set_white(white.value / 100);
  if (effect.given) call.set_effect(static_cast<std::uint32_t>(effect.index()));
  call.perform();
}

}  // namespace

constexpr EntityType light_type{.name = "light", .write = write_light, .control = control_light};
#endif

#ifdef USE_MEDIA_PLAYER
namespace {

using esphome::media_player::MediaPlayer;
using esphome::media_player::MediaPlayerTraits;

struct MediaAction {
  const char* name;
  esphome::media_player::MediaPlayerCommand command;
  std::uint32_t feature;  // 0: always
};
constexpr MediaAction media_actions[] = {
    {"play", esphome::media_player::MEDIA_PLAYER_COMMAND_PLAY, 0},
    {"pause", esphome::media_player::MEDIA_PLAYER_COMMAND_PAUSE, esphome::media_player::PAUSE},
    {"stop", esphome::media_player::MEDIA_PLAYER_COMMAND_STOP, 0},
    {"next", esphome::media_player::MEDIA_PLAYER_COMMAND_NEXT, esphome::media_player::NEXT_TRACK},
    {"previous", esphome::media_player::MEDIA_PLAYER_COMMAND_PREVIOUS, esphome::media_player::PREVIOUS_TRACK},
    {"mute", esphome::media_player::MEDIA_PLAYER_COMMAND_MUTE, 0},
    {"unmute", esphome::media_player::MEDIA_PLAYER_COMMAND_UNMUTE, 0},
    {"turn_on", esphome::media_player::MEDIA_PLAYER_COMMAND_TURN_ON, esphome::media_player::TURN_ON},
    {"turn_off", esphome::media_player::MEDIA_PLAYER_COMMAND_TURN_OFF, esphome::media_player::TURN_OFF},
};

void write_media_player(EntityBase* entity, StateWriter& state) {
  static constexpr const char* states[] = {"none", "idle", "playing", "paused", "announcing", "off", "on"};
  auto& player = *static_cast<MediaPlayer*>(entity);
  state.choice("state", states, player.state);
  state.number("volume", player.volume * 100, 0, "%");
  state.flag("muted", player.is_muted());
}

void control_media_player(EntityBase* entity, Arguments& arguments) {
  auto& player = *static_cast<MediaPlayer*>(entity);
  const MediaPlayerTraits traits = player.get_traits();
  const Argument action = arguments.choice("action", std::size(media_actions), [&](std::size_t i) {
    const MediaAction& one = media_actions[i];
    return one.feature == 0 || traits.has_feature_flags(one.feature) ? one.name : nullptr;
  });
  const Argument volume = arguments.number("volume", 0, 100, "%");
  const std::string_view url = arguments.text("url", 1, sizeof(Values::text), "of audio to play", Need::optional);
  if (!arguments.act()) return;
  esphome::media_player::MediaPlayerCall call = player.make_call();
  if (action.given) call.set_command(media_actions[action.index()].command);
  if (volume.given) call.set_volume(volume.value / 100);
  if (!url.empty()) call.set_media_url(std::string(url));
  call.perform();
}

}  // namespace

constexpr EntityType media_player_type{
    .name = "media_player", .write = write_media_player, .control = control_media_player};
#endif

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
