// SPDX-License-Identifier: Apache-2.0
#include "dosing.hpp"

#include "events.hpp"
#include "greenhouse.hpp"

namespace dosing {

bool describe(std::uint16_t number, mcp::FoundTool& row) {
  if (!plant::has_dosing_pump(number)) return false;
  row.name("dose_", number);
  row.description("Pump fertilizer ", number, " into the tank.");
  row.input_schema(R"({"type":"object","properties":{"milliliters":{"type":"integer","minimum":50,"maximum":500,)"
                   R"("multipleOf":50}},"required":["milliliters"]})");
  return true;
}

// A found tool gets its arguments as JSON, and checks them.
mcp::Errc dose(std::uint16_t number, mcp::json::Value arguments, mcp::Call& call) {
  std::int64_t milliliters = 0;
  mcp::json::NumberStatus status{};
  const bool is_number = mcp::json::find_member(arguments, "milliliters").number(milliliters, status);
  if (!is_number || status != mcp::json::NumberStatus::ok || milliliters < 50 || milliliters > 500 ||
      milliliters % 50 != 0) {
    return call.fail("milliliters must be an integer from 50 to 500, a multiple of 50.");
  }
  const std::int32_t dosed = plant::dose(number, static_cast<std::int32_t>(milliliters));
  events::add(events::Kind::dosed, 0);
  if (dosed < milliliters) return call.fail("The bottle is empty. Dosing pump ", number, " has pumped ", dosed, " ml.");
  return call.result().text("Dosing pump ", number, " has pumped ", dosed, " ml.");
}

mcp::Errc handle_search(mcp::Call& call) {
  const std::uint16_t added = plant::search_dosing_pumps();
  if (added != 0) greenhouse::dosing_pumps_changed();
  return call.result().text(added, added == 1 ? " dosing pump is new." : " dosing pumps are new.");
}

}  // namespace dosing
