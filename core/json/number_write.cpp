// SPDX-License-Identifier: Apache-2.0
// The writers of numbers, which an image contains once each.
#include "mcp/json/number.hpp"
#include "mcp/json/number_text.hpp"

namespace mcp::json {

char* write_number(char* at, std::uint64_t value) { return number_text::write(at, value); }
char* write_number(char* at, std::int64_t value) { return number_text::write(at, value); }
char* write_number(char* at, double value) { return number_text::write(at, value); }
char* write_number(char* at, float value) { return number_text::write(at, value); }

}  // namespace mcp::json
