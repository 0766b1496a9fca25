// SPDX-License-Identifier: Apache-2.0
// Interlocks check the state of the device that a call needs.
#include "mcp/interlock.hpp"

#include "mcp/call.hpp"
#include "mcp/tool.hpp"

namespace mcp {

Errc detail::check_interlocks(const Tool& tool, Call& call) {
  const Interlock* const broken = tool.info.needs.get().broken();
  if (broken == nullptr) return Errc::ok;
  if (broken->call_first.empty()) return call.fail(broken->refusal);
  return call.fail(broken->refusal, " Call ", broken->call_first, " first.");
}

}  // namespace mcp
