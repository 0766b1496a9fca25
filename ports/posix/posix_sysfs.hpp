// SPDX-License-Identifier: Apache-2.0
// Files of sysfs that hold one value.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace mcp::posix {

/// Reads a decimal number of at most 300 digits, such as `-0.805664062`, in any locale. Spaces and line ends may follow
/// it. Returns false for all other texts, such as `nan`, an empty one, or two numbers.
bool parse_number(std::string_view text, double& value);

/// Reads a file into `text`, without its last line end. Returns 0 or the errno; ENODATA if the file is empty.
int read_line(const char* path, std::span<char> into, std::string_view& text);

/// Reads the number in the first 64 bytes of a file. Returns 0 or the errno; EBADMSG if the text is no number.
int read_number(const char* path, double& value);

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
