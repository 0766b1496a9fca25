// SPDX-License-Identifier: Apache-2.0
// Writes the state of an entity: as JSON for programs, or as a short text for the model.
#pragma once

#include "esphome_rows.h"

#ifdef USE_MCP_SERVER

#include <cstdint>
#include <string_view>

#include <esphome/core/helpers.h>
#include <mcp/json/writer.hpp>
#include <mcp/text_pieces.hpp>

namespace mote_esphome {

/// Takes the members of a state, the main one first: `{"on":true,"brightness":50}`, or `on, brightness 50 %`.
class StateWriter {
 public:
  explicit StateWriter(mcp::json::Writer& json) : json_(&json) {}
  explicit StateWriter(mcp::TextWriter& text) : text_(&text) {}

  /// Writes a number with as many decimals as a user sees. NaN is unknown. JSON has a unit only for `state`.
  void number(const char* name, float value, std::int8_t decimals, std::string_view unit = {});
  void flag(const char* name, bool value);
  void text(const char* name, std::string_view value);
  /// The name of `value` in a list of names.
  template <std::size_t N>
  void choice(const char* name, const char* const (&names)[N], std::size_t value) {
    text(name, value < N ? names[value] : "unknown");
  }
  void unknown(const char* name);

 private:
  // Begins a member. True for JSON.
  bool begin(const char* name, bool is_main);

  mcp::json::Writer* json_ = nullptr;
  mcp::TextWriter* text_ = nullptr;
  bool is_first_ = true;
};

/// The decimals that show each step of a number.
std::int8_t decimals_of(float step);

/// A number as ESPHome shows it: with at most 5 decimals. `buffer` has its digits.
using Digits = char[esphome::VALUE_ACCURACY_MAX_LEN];
std::string_view digits_of(Digits& buffer, float value);

/// Writes the state of a row as a JSON object.
void write_state(mcp::json::Writer& out, const Row& row, bool is_pending = false);

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
