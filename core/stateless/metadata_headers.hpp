// SPDX-License-Identifier: Apache-2.0
// Request metadata headers.
#pragma once

#include <string_view>

namespace mcp::protocol {

/// True if the value of a header is this text, verbatim or in base64 between its two marks.
bool header_equals(std::string_view header, std::string_view text);

}  // namespace mcp::protocol
