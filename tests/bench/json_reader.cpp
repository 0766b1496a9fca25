// SPDX-License-Identifier: Apache-2.0
// The check of a message as a function, whose size is measured.
#include "mcp/json/validate.hpp"

namespace bench {

mcp::json::CheckResult check(std::string_view text, mcp::json::MemberIndex& outline) {
  return mcp::json::validate(text, outline);
}

}  // namespace bench
