// SPDX-License-Identifier: Apache-2.0
// Checks the content of a form against its schema, which its parameter table describes. Stores nothing. Knows no
// message.
#include <cstring>

#include "features/pending_input.hpp"
#include "mcp/params.hpp"
#include "schema/codecs.hpp"

namespace mcp::protocol {
namespace {

using json::Value;
using mcp::detail::ParamCodec;
using mcp::detail::ParamInfo;
using mcp::detail::ParamType;

bool fits_value(const ParamInfo& row, const ParamCodec& codec, ParamType type, Value value) {
  mcp::detail::Bound read;
  if (!codec.read(row, value, read)) return false;
  return type != ParamType::string || row.row_count == 0 || read.s().size() <= row.row_count;
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

// The check decodes strings in place. Where there is space, it does so in a copy: a handler may want the bytes as they
// came.
Value copy_of(Value content, std::span<char> room) {
  if (!content.is(json::Type::object)) return content;
  const std::string_view raw = content.raw();
  if (raw.size() > room.size()) return content;
  std::memcpy(room.data(), raw.data(), raw.size());
  return Value(room.data());
}

// As JSON Schema has it, the form may have further members.
bool fits_form(std::span<const ParamInfo> rows, Value content) {
  std::uint32_t given = 0;
  for (json::Members members(content); members.next();) {
    std::size_t i = 0;
    while (i < rows.size() && !json::equal(rows[i].name, members.key())) ++i;
    if (i == rows.size()) continue;
    if ((given & (1U << i)) != 0 || !fits_row(rows[i], members.value())) return false;
    given |= 1U << i;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].required && (given & (1U << i)) == 0) return false;
  }
  return true;
}

}  // namespace

Answer check_form(const Answer& answer, std::uint32_t input, const ParamInfo* form, std::span<char> room) {
  const std::size_t rows = PendingInput::rows_in(input);
  if (answer.outcome() != Outcome::accepted || rows == 0) return answer;
  if (fits_form({form, rows}, copy_of(answer.content(), room))) return answer;
  return Answer(Outcome::invalid_content, answer.result());
}

}  // namespace mcp::protocol
