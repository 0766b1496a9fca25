// SPDX-License-Identifier: Apache-2.0
// Writes the range of a number into its description.
#include "mcp/detail/listing.hpp"

namespace mcp::detail {
namespace {

void decorate_range(json::Writer& out, const ParamInfo& info, bool) {
  if (info.type >= ParamType::list) return;  // it is that of the items
  note_begin(out, info.description);
  append_range(out, value_codec(info), info, RangeIn::note);
  note_end(out, info.description);
}

void decorate_plain_range(json::Writer& out, const ParamInfo& info, bool with_header) {
  decorate_schema(out, info, with_header);
  decorate_range(out, info, with_header);
}

}  // namespace

constinit const Decorator range_decorator{decorate_range};
constinit const Decorator plain_range_decorator{decorate_plain_range};

}  // namespace mcp::detail
