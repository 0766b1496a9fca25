// SPDX-License-Identifier: Apache-2.0
// Entities without a device: they report what they are set to.
#pragma once

#include "esphome/core/component.h"
#include "esphome/core/defines.h"
#ifdef USE_MEDIA_PLAYER
#include "esphome/components/media_player/media_player.h"
#endif
#ifdef USE_UPDATE
#include "esphome/components/update/update_entity.h"
#endif

namespace esphome::fake {

#ifdef USE_MEDIA_PLAYER
class FakePlayer final : public media_player::MediaPlayer, public Component {
 public:
  void setup() override {
    this->state = media_player::MEDIA_PLAYER_STATE_IDLE;
    this->volume = 0.5f;
    this->publish_state();
  }
  media_player::MediaPlayerTraits get_traits() override {
    media_player::MediaPlayerTraits traits;
    traits.set_supports_pause(true);
    return traits;
  }
  bool is_muted() const override { return this->is_muted_; }

 protected:
  void control(const media_player::MediaPlayerCall& call) override {
    if (call.get_volume().has_value()) this->volume = *call.get_volume();
    if (call.get_media_url().has_value()) this->state = media_player::MEDIA_PLAYER_STATE_PLAYING;
    if (call.get_command().has_value()) {
      switch (*call.get_command()) {
        case media_player::MEDIA_PLAYER_COMMAND_PLAY: this->state = media_player::MEDIA_PLAYER_STATE_PLAYING; break;
        case media_player::MEDIA_PLAYER_COMMAND_PAUSE: this->state = media_player::MEDIA_PLAYER_STATE_PAUSED; break;
        case media_player::MEDIA_PLAYER_COMMAND_STOP: this->state = media_player::MEDIA_PLAYER_STATE_IDLE; break;
        case media_player::MEDIA_PLAYER_COMMAND_MUTE:
        case media_player::MEDIA_PLAYER_COMMAND_UNMUTE:
          this->is_muted_ = *call.get_command() == media_player::MEDIA_PLAYER_COMMAND_MUTE;
          break;
        default: break;
      }
    }
    this->publish_state();
  }

  bool is_muted_ = false;
};
#endif

#ifdef USE_UPDATE
class FakeUpdate final : public update::UpdateEntity, public Component {
 public:
  void setup() override {
    this->update_info_.current_version = "1.0.0";
    this->update_info_.latest_version = "1.1.0";
    this->update_info_.title = "Firmware";
    this->state_ = update::UPDATE_STATE_AVAILABLE;
    this->publish_state();
  }
  void perform(bool /*force*/) override {
    this->update_info_.current_version = this->update_info_.latest_version;
    this->state_ = update::UPDATE_STATE_NO_UPDATE;
    this->publish_state();
  }
  void check() override { this->publish_state(); }
};
#endif

}  // namespace esphome::fake
