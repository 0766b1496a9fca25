// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

#include "beds.hpp"
#include "pump.hpp"

namespace targets {
namespace {

Targets set{};

}  // namespace

std::uint8_t moisture(std::string_view crop) {
  const std::uint8_t* const target = set.moisture.find(crop);
  return target != nullptr ? *target : no_target;
}

mcp::Errc handle_set_targets(const Targets& arguments, mcp::Call& call) {
  set.moisture = arguments.moisture;
  if (arguments.temperature) {
    set.temperature = arguments.temperature;
    plant::heat_below(*arguments.temperature ? **arguments.temperature * 100 : plant::never);
  }
  return call.result().text(set.moisture.size(), " crops have a target.");
}

mcp::Errc read(Targets& out) {
  out = set;
  if (!out.temperature) out.temperature.emplace();
  return mcp::Errc::ok;
}

mcp::Errc handle_check(mcp::Call& call) {
  return call.structured([](mcp::json::Writer& out) {
    out.object_begin();
    out.key("findings");
    out.array_begin();
    for (std::size_t bed = 1; bed <= plant::beds; ++bed) {
      const std::int32_t now = plant::moisture(bed - 1);
      const std::int32_t target = moisture(beds::crop(bed));
      if (target == no_target || now >= target) continue;
      out.object_begin();
      out.member("bed", bed);
      out.member("moisture", now);
      out.member("target", target);
      out.object_end();
    }
    if (!pump::has_water()) {
      out.object_begin();
      out.member("tankLiters", mcp::Scaled{plant::tank(), 3});
      out.object_end();
    }
    out.array_end();
    out.object_end();
  });
}

}  // namespace targets
