// SPDX-License-Identifier: Apache-2.0
// The entity types. Only those that a node has are compiled, and only those that its rows name are linked.
#pragma once

#include "esphome_rows.h"

#ifdef USE_MCP_SERVER

namespace mote_esphome {

extern const EntityType sensor_type;
extern const EntityType binary_sensor_type;
extern const EntityType text_sensor_type;
extern const EntityType event_type;
extern const EntityType switch_type;
extern const EntityType light_type;
extern const EntityType number_type;
extern const EntityType select_type;
extern const EntityType button_type;
extern const EntityType cover_type;
extern const EntityType valve_type;
extern const EntityType climate_type;
extern const EntityType fan_type;
extern const EntityType lock_type;
extern const EntityType alarm_control_panel_type;
extern const EntityType media_player_type;
extern const EntityType update_type;
extern const EntityType text_type;
extern const EntityType date_type;
extern const EntityType time_type;
extern const EntityType datetime_type;

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
