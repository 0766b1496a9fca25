// Whether what a user has filled in is what the parameter table of a form allows: the check of decode_arguments(),
// which stores nothing. Knows no message.
#include "mcp/params.hpp"
#include "protocol/codecs.hpp"
#include "protocol/request.hpp"

namespace mcp::protocol {
namespace {

using json::Value;
using mcp::detail::ParamCodec;
using mcp::detail::ParamInfo;
using mcp::detail::ParamType;

bool fits_value(const ParamInfo& row, const ParamCodec& codec, ParamType type, Value value) {
  mcp::detail::Bound read;
  if (!codec.read(row, value, read)) return false;
  return type != ParamType::string || row.row_count == 0 || read.s.size() <= row.row_count;
}

// A form has no structs, and no lists in lists.
bool fits_row(const ParamInfo& row, Value value) {
  if (row.type != ParamType::list) return fits_value(row, *row.codec, row.type, value);
  if (!value.is(json::Type::array)) return false;
  std::size_t count = 0;
  for (json::Elements items(value); items.next(); ++count) {
    if (!fits_value(row, *row.list->codec, row.list->type, items.value())) return false;
  }
  return count >= row.least_items && count <= row.list->capacity;
}

bool fits_form(std::span<const ParamInfo> rows, Value content) {
  std::uint32_t given = 0;
  for (json::Members members(content); members.next();) {
    std::size_t i = 0;
    while (i < rows.size() && !json::equal(rows[i].name, members.key())) ++i;
    if (i == rows.size() || (given & (1U << i)) != 0 || !fits_row(rows[i], members.value())) return false;
    given |= 1U << i;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].required && (given & (1U << i)) == 0) return false;
  }
  return true;
}

}  // namespace

Answer check_form(const Answer& answer, std::uint32_t question, const ParamInfo* form) {
  const std::size_t rows = Asked::rows_in(question);
  if (answer.outcome() != Outcome::accepted || rows == 0 || fits_form({form, rows}, answer.content())) return answer;
  return Answer(Outcome::invalid_content, answer.result());
}

}  // namespace mcp::protocol
