// SPDX-License-Identifier: Apache-2.0
// Marks the results of dry runs.
#include "mcp/call.hpp"
#include "mcp/call_options.hpp"

namespace mcp {

Errc detail::end_dry_run(Errc errc, Call& call) {
  // The result of a failed call ends with its text. A preview with its own `_meta` adds the mark itself.
  if (errc != Errc::ok || call.has_meta()) return errc;
  return call.meta([](json::Writer& out) { out.member(dry_run_key, true); });
}

}  // namespace mcp
