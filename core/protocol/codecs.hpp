// What reading arguments and writing outputs have in common.
#pragma once

#include "json/writer.hpp"
#include "mcp/listing.hpp"
#include "mcp/params.hpp"

namespace mcp::detail {

/// Appends `position.x` or `channels[2]` to a text.
void append_path(json::Writer& out, const ArgumentPath& path);

inline void append_signed(json::Writer& out, Bound bound) { out.append_number(bound.i); }
inline void append_unsigned(json::Writer& out, Bound bound) { out.append_number(bound.u); }
inline void append_double(json::Writer& out, Bound bound) { out.append_number(bound.d); }
inline void append_float(json::Writer& out, Bound bound) { out.append_number(static_cast<float>(bound.d)); }

}  // namespace mcp::detail
