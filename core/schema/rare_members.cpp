// SPDX-License-Identifier: Apache-2.0
// Writes the members of a schema that few parameters have: the unit, the pattern, `deprecated`.
#include "mcp/detail/listing.hpp"

namespace mcp::detail {

void decorate_rarely(json::Writer& out, const ParamInfo& info, bool with_header) {
  write_rare_decoration(out, info, with_header);
}
constinit const Decorator rare_decorator{decorate_rarely};

}  // namespace mcp::detail
