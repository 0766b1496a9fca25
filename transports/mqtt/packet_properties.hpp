// SPDX-License-Identifier: Apache-2.0
// The check of the properties of a packet, and variable byte integers.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/mqtt/packet.hpp"

namespace mcp::mqtt {

/// A variable byte integer that is read byte by byte. Source: OASIS MQTT 5.0 section 1.5.5.
struct VariableInteger {
  std::uint32_t value;
  std::uint8_t shift;  // number of bits read
  bool failed;         // more than 4 bytes, or more than necessary

  /// Takes a byte. Returns true after the last byte, and after an error.
  bool feed(std::uint8_t byte);
};

/// The packets that have properties, as bits. A server sends them.
namespace in {
inline constexpr unsigned connack = 1;
inline constexpr unsigned publish = 2;
inline constexpr unsigned ack = 4;
inline constexpr unsigned disconnect = 8;
}  // namespace in

/// Checks the properties of one packet, or one property, without the length. `packet` is a bit of namespace in. Returns
/// `success` or the fault.
Reason check_properties(std::string_view properties, unsigned packet);

/// The bytes of a property after its identifier: a number, or `blocks` strings with two bytes of length each.
struct PropertyParts {
  std::uint8_t number_size = 0;
  std::uint8_t blocks = 0;
};

/// For a property that is read in pieces, in a packet other than PUBLISH. Checks its identifier, and stores the parts
/// that follow. `seen`: 0 before the first property of a packet. Returns `success` or the fault.
Reason begin_property(std::uint8_t identifier, unsigned packet, std::uint32_t& seen, PropertyParts& parts);

/// True if the bytes begin with the identifier of a user property and this name.
bool is_user_property(std::string_view property, std::string_view name);

/// Removes the first `size` bytes of `rest` and stores them in `taken`. Returns false if there are fewer.
bool read_bytes(std::string_view& rest, std::size_t size, std::string_view& taken);

/// Removes a variable byte integer. Returns false if it is malformed or incomplete.
bool read_integer(std::string_view& rest, std::uint32_t& value);

/// Reads a number of 1 to 4 bytes, the most significant first.
std::uint32_t number_of(std::string_view bytes);

}  // namespace mcp::mqtt
