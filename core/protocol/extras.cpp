// How the extras of each kind of row are written.
#include "mcp/extras.hpp"

#include "mcp/listing.hpp"

namespace mcp::detail {

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
