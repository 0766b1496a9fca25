// SPDX-License-Identifier: Apache-2.0
// Structured results that are no struct: one value of an output_value(), and JSON that a handler writes for its
// OutputSchema. Source: server/tools#structured-content, 2026-07-28.
#include "engine/request.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/tool.hpp"
#include "schema/codecs.hpp"

namespace mcp {

const char* Call::structured_begin() {
  MCP_ASSERT(!is_closed() && !has_failed());  // once, and before meta()
  result_.begin("{\"type\":\"text\",\"text\":");
  out_.quoted_begin();
  return out_.mark().at;
}

// Before 2026-07-28, structuredContent is an object.
bool Call::structured_again(const char* begin) {
  if (!out_.ok()) return false;
  MCP_ASSERT(out_.mark().at != begin);  // the function has written a value
  const bool is_object = *begin == '{';
  out_.quoted_end();
  static_cast<void>(result_.end());
  close();
  state_ |= with_structured;
  const bool is_shown =
      is_object ? result_.known_.structured : request_ != nullptr && request_->revision().shown.headers;
  if (is_shown) out_.fragment("\"structuredContent\":");
  return is_shown;
}

Errc Call::structured_end() { return out_.ok() ? Errc::ok : Errc::no_space; }

namespace {

struct ValueSink : detail::OutputSink {
  Call& call;
};

Errc reject_value(detail::OutputSink& sink, const detail::ArgumentPath& path) {
  Call& call = static_cast<ValueSink&>(sink).call;
  detail::append_invalid(call.fail_begin(), path);
  return call.fail_end();
}

}  // namespace

Errc Call::structured(const detail::ParamInfo& row, const void* value) {
  ValueSink sink{{out_, reject_value}, *this};
  const char* const begin = structured_begin();
  const detail::ArgumentPath path{nullptr, "result", 0};
  if (const Errc errc = detail::encode_value(row, value, path, sink); errc != Errc::ok) return errc;
  if (structured_again(begin)) static_cast<void>(detail::encode_value(row, value, path, sink));
  return structured_end();
}

namespace detail {

Errc end_structured_value(const Tool& tool, const void* value, Errc errc, Call& call) {
  return errc == Errc::ok ? call.structured(*tool.output.rows(), value) : errc;
}

Errc end_json(Errc errc, Call& call) {
  if (errc != Errc::ok || call.has_structured()) return errc;
  return call.fail("The tool has written no structured result.");
}

}  // namespace detail
}  // namespace mcp
