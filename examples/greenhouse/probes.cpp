// SPDX-License-Identifier: Apache-2.0
#include "probes.hpp"

#include "greenhouse.hpp"

namespace probes {
namespace {

std::int32_t offset_tenths;

}  // namespace

bool describe(std::uint16_t number, mcp::FoundResource& row) {
  std::int32_t tenths = 0;
  if (!plant::read_probe(number, tenths)) return false;
  row.uri("probe://", number);
  row.name("probe_", number);
  row.description("Degrees Celsius at probe ", number, ".");
  row.mime_type("text/plain");
  return true;
}

mcp::Errc read(const Which& variables, mcp::ReadResult& out) {
  std::int32_t tenths = 0;
  if (!plant::read_probe(variables.number, tenths)) return mcp::Errc::not_found;
  return out.text(mcp::Scaled{tenths + offset_tenths, 1});
}

mcp::Errc read_all(mcp::ReadResult& out) {
  std::int32_t tenths = 0;
  for (std::uint16_t number = 0; plant::read_probe(number, tenths); ++number) {
    char uri[] = "probe://0";
    uri[sizeof(uri) - 2] = static_cast<char>('0' + number);
    const Probe probe{.tenths = tenths + offset_tenths, .offset = offset_tenths};
    if (const mcp::Errc errc = out.content(uri, "application/json").structured(probe_output, probe);
        errc != mcp::Errc::ok) {
      return errc;
    }
    const mcp::Errc errc =
        out.meta([&](mcp::json::Writer& json) { json.member("greenhouse.example/address", number + 0x28); });
    if (errc != mcp::Errc::ok) return errc;
  }
  return mcp::Errc::ok;
}

mcp::Errc handle_search(mcp::Call& call) {
  const std::uint16_t added = plant::search_probes();
  if (added != 0) greenhouse::probes_changed();
  return call.result().text(added, added == 1 ? " probe is new." : " probes are new.");
}

mcp::Errc handle_calibrate(const Offset& params, mcp::MethodCall& call) {
  call.result().member("before", offset_tenths);
  call.result().member("now", params.tenths);
  offset_tenths = params.tenths;
  return mcp::Errc::ok;
}

}  // namespace probes
