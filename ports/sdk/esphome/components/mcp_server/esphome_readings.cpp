// SPDX-License-Identifier: Apache-2.0
// Entity types that clients only read: sensor, binary_sensor, text_sensor, event.
#include "esphome_types.h"

#ifdef USE_MCP_SERVER

#include <cmath>

#include <esphome/core/entity_includes.h>
#include "esphome_state.h"

namespace mote_esphome {

using esphome::EntityBase;

#ifdef USE_SENSOR
constexpr EntityType sensor_type{
    .name = "sensor",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const sensor = static_cast<esphome::sensor::Sensor*>(entity);
          state.number("state", sensor->has_state() ? sensor->state : NAN, sensor->get_accuracy_decimals(),
                       view_of(sensor->get_unit_of_measurement_ref()));
        },
};
#endif

#ifdef USE_BINARY_SENSOR
constexpr EntityType binary_sensor_type{
    .name = "binary_sensor",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const sensor = static_cast<esphome::binary_sensor::BinarySensor*>(entity);
          if (!sensor->has_state()) return state.unknown("on");
          state.flag("on", sensor->state);
        },
};
#endif

#ifdef USE_TEXT_SENSOR
constexpr EntityType text_sensor_type{
    .name = "text_sensor",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const sensor = static_cast<esphome::text_sensor::TextSensor*>(entity);
          if (!sensor->has_state()) return state.unknown("state");
          state.text("state", sensor->get_state());
        },
};
#endif

#ifdef USE_EVENT
constexpr EntityType event_type{
    .name = "event",
    .write =
        [](EntityBase* entity, StateWriter& state) {
          auto* const event = static_cast<esphome::event::Event*>(entity);
          if (!event->has_event()) return state.unknown("state");
          state.text("state", view_of(event->get_last_event_type()));
        },
};
#endif

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
