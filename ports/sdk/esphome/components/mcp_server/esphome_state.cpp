// SPDX-License-Identifier: Apache-2.0
#include "esphome_state.h"

#ifdef USE_MCP_SERVER

#include <cmath>
#include <cstring>

namespace mote_esphome {
namespace {

// The names of main members: a text needs no name for them.
bool is_main_name(const char* name) { return std::strcmp(name, "state") == 0 || std::strcmp(name, "on") == 0; }

}  // namespace

bool StateWriter::begin(const char* name, bool is_main) {
  if (json_ != nullptr) {
    json_->key(std::string_view(name));
    return true;
  }
  if (!is_first_) text_->add(", ");
  is_first_ = false;
  if (!is_main) text_->add(name, " ");
  return false;
}

void StateWriter::number(const char* name, float value, std::int8_t decimals, std::string_view unit) {
  if (!std::isfinite(value)) return unknown(name);
  const bool is_main = is_main_name(name);
  Digits digits;
  const std::string_view text(digits, esphome::value_accuracy_to_buf(digits, value, decimals));
  if (!begin(name, is_main)) {
    text_->add(text);
    if (!unit.empty()) text_->add(" ", unit);
    return;
  }
  json_->raw(text);
  if (is_main && !unit.empty()) json_->member("unit", unit);
}

void StateWriter::flag(const char* name, bool value) {
  const bool is_main = is_main_name(name);
  if (begin(name, is_main)) return json_->boolean(value);
  text_->add(is_main ? (value ? "on" : "off") : (value ? "yes" : "no"));
}

void StateWriter::text(const char* name, std::string_view value) {
  if (begin(name, is_main_name(name))) return json_->string(value);
  text_->add(value);
}

void StateWriter::unknown(const char* name) {
  if (begin(name, is_main_name(name))) return json_->null();
  text_->add("unknown");
}

std::int8_t decimals_of(float step) {
  constexpr std::int8_t most = 5;
  if (!std::isfinite(step) || step == 0) return 0;
  std::int8_t decimals = 0;
  float rest = step;
  while (decimals < most && std::fabs(rest - std::round(rest)) > 1e-4F) {
    ++decimals;
    rest *= 10;
  }
  return decimals;
}

std::string_view digits_of(Digits& buffer, float value) {
  return {buffer, esphome::value_accuracy_to_buf(buffer, value, decimals_of(value))};
}

void write_state(mcp::json::Writer& out, const Row& row, bool is_pending) {
  out.object_begin();
  StateWriter state(out);
  if (row.type->write != nullptr) row.type->write(row.entity, state);
  if (is_pending) state.flag("pending", true);
  out.object_end();
}

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
