// SPDX-License-Identifier: Apache-2.0
// Describes the packets that mcp::mqtt::PacketReader finds in a stream, as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/mqtt/packet.hpp"

namespace test {

/// The names of user properties that describe_packets() looks for.
inline constexpr std::string_view user_names[] = {"", "a", "b", "MCP-COMPONENT-TYPE"};

/// Text in quotes. Bytes that are not printable ASCII, quotes and backslashes become \xNN.
std::string in_quotes(std::string_view bytes);

/// Reads the pieces, one after the other, with a head of `head_size` bytes. Returns one line for each packet: its name
/// and its members without those that have their default. The whole payload of a PUBLISH is one line. Ends the process
/// if the reader breaks a promise of its interface.
std::string describe_packets(const std::vector<std::string_view>& pieces, std::size_t head_size = 256,
                             std::uint32_t max_packet_size = UINT32_MAX, std::string_view user_property = {});

}  // namespace test
