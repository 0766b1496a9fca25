// SPDX-License-Identifier: Apache-2.0
// Writes the extras of each kind of row, and titles and formats of parameters.
#include "mcp/extras.hpp"
#include "mcp/detail/listing.hpp"

namespace mcp::detail {

void decorate_schema(json::Writer& out, const ParamInfo& info, bool with_header) {
  write_schema_decoration<false>(out, info, with_header);
}
constinit const Decorator plain_decorator{decorate_schema};

template <class Extras>
void write_extras(json::Writer& out, const Extras& extras, Shown shown) {
  write_members(out, extras, shown);
}

template void write_extras(json::Writer& out, const ToolExtras& extras, Shown shown);
template void write_extras(json::Writer& out, const ResourceExtras& extras, Shown shown);
template void write_extras(json::Writer& out, const ResourceTemplateExtras& extras, Shown shown);
template void write_extras(json::Writer& out, const PromptExtras& extras, Shown shown);
template void write_extras(json::Writer& out, const ServerExtras& extras, Shown shown);

}  // namespace mcp::detail
