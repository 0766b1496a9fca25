// placeholder while numbers are finished
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
namespace mcp::json {
constexpr std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }
char* write_base64(char* at, std::span<const std::uint8_t> bytes);
}
