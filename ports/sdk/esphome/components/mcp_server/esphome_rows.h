// SPDX-License-Identifier: Apache-2.0
// What the generated main.cpp says of the entities: a constant row for each, and the type of each.
#pragma once

#include <esphome/core/defines.h>

#ifdef USE_MCP_SERVER

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <esphome/core/entity_base.h>
#include <esphome/core/string_ref.h>

namespace mote_esphome {

class Arguments;
class StateWriter;

/// What clients may do with an entity.
enum class Access : std::uint8_t {
  read,
  control,
  sensitive,  ///< Control of a lock, an alarm, an update and the like: hosts may ask their user.
  confirm,    ///< Control, after the user has agreed.
  guarded,    ///< Control needs a token, and the node has none.
};

/// One entity type of ESPHome, such as `switch`.
struct EntityType {
  const char* name;
  /// Writes the members of the state. nullptr: the type has no state.
  void (*write)(esphome::EntityBase* entity, StateWriter& state);
  /// Declares the arguments, and acts on them. nullptr: clients cannot control the type.
  void (*control)(esphome::EntityBase* entity, Arguments& arguments) = nullptr;
  /// Returns whether the entity has reported the value that control() gave to Arguments::expect(). nullptr: it does so
  /// at once.
  bool (*has)(esphome::EntityBase* entity, float expected) = nullptr;
  bool is_action = false;  ///< A call is an action without a state after it, as of a button.
};

/// What the generator knows of an exposed entity: a constant in flash. The pointer to the entity is in a table of its
/// own, because ESPHome makes it with reinterpret_cast, and a table with it is no constant.
struct RowInfo {
  const char* id;           ///< Unique on the node: the id of the YAML, or made of the name.
  const char* description;  ///< For the model; may be empty.
  const EntityType* type;
  Access access;
};

/// One exposed entity.
struct Row : RowInfo {
  esphome::EntityBase* entity;
};

/// A string of ESPHome as a view.
inline std::string_view view_of(const esphome::StringRef& text) { return {text.c_str(), text.size()}; }

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
