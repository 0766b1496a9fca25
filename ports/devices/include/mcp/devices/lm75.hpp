// SPDX-License-Identifier: Apache-2.0
/// @file
/// Temperature sensors with the registers of the LM75, at 0x48 to 0x4F.
/// @code
/// mcp::I2cBus& bus();
/// constinit mcp::Lm75 room{bus, 0x48};
/// constinit mcp::Tmp105 board_temperature{bus, 0x49};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

#include "mcp/devices/sensor.hpp"

namespace mcp {

namespace detail {

/// How the devices of the family differ.
struct Lm75Chip {
  SensorType type;
  std::uint16_t value_bits;             // of the temperature register
  std::uint16_t zero_bits;              // always 0
  std::uint8_t configuration_size = 0;  // bytes, the high one first; 0: the driver does not touch it
  std::uint16_t configuration = 0;
  std::uint16_t checked = 0;  // the bits of the configuration that read back
};

class Lm75Family : public I2cSensor {
 public:
  static constexpr std::size_t temperature = 0;  ///< The index of the only value, in hundredths of a degree Celsius.

 protected:
  constexpr Lm75Family(const Lm75Chip& chip, I2cBusOf bus, std::uint8_t address)
      : I2cSensor(chip.type, value_, bus, address), chip_(chip) {}
  ~Lm75Family() = default;

 private:
  // Inline, so that a source of an application with RTTI has the type information of this class. The library, which is
  // compiled without, has none.
  Begun do_begin(bool is_set_up) override { return begin_measurement(is_set_up); }
  SensorError do_collect(std::int32_t* values) override { return read_values(values); }
  Begun begin_measurement(bool is_set_up);
  SensorError read_values(std::int32_t* values);

  const Lm75Chip& chip_;
  std::int32_t value_[1] = {};
};

inline constexpr Quantity lm75_quantities[] = {{"temperature", "Cel", 2, -5500, 12'500}};
inline constexpr Quantity tmp10x_quantities[] = {{"temperature", "Cel", 2, -4000, 12'500}};
inline constexpr Lm75Chip lm75{{"LM75", lm75_quantities}, 0xFF80, 0};
inline constexpr Lm75Chip lm75b{{"LM75B", lm75_quantities}, 0xFFE0, 0};
// 4 conversions a second, 12 bits, no extended mode.
inline constexpr Lm75Chip tmp102{{"TMP102", tmp10x_quantities}, 0xFFF0, 0x000F, 2, 0x60A0, 0x6110};
inline constexpr Lm75Chip tmp105{{"TMP105", tmp10x_quantities}, 0xFFF0, 0x000F, 1, 0x6000, 0x6100};

}  // namespace detail

/// An LM75 and each device with its registers, in steps of 0.5 degrees, from -55 to 125 degrees Celsius. The driver
/// writes no register. The value is at most 300 ms old. Limits: the device does not tell that it has reset. If that was
/// between two measurements, the first value may be 0 degrees. Source: SNIS153B, "Temperature Register".
class Lm75 final : public detail::Lm75Family {
 public:
  static constexpr const SensorType& type = detail::lm75.type;  ///< The name and the values.
  /// `address` is 0x48 to 0x4F.
  constexpr Lm75(I2cBusOf bus, std::uint8_t address) : Lm75Family(detail::lm75, bus, address) {}
};

/// As Lm75, in steps of 0.125 degrees: LM75A and LM75B of NXP, PCT2075. Source: LM75B (revision 6.1), section 7.4.3.
class Lm75b final : public detail::Lm75Family {
 public:
  static constexpr const SensorType& type = detail::lm75b.type;  ///< The name and the values.
  /// `address` is 0x48 to 0x4F.
  constexpr Lm75b(I2cBusOf bus, std::uint8_t address) : Lm75Family(detail::lm75b, bus, address) {}
};

/// A TMP102 or TMP112, in steps of 0.0625 degrees, from -40 to 125 degrees Celsius. The value is at most 300 ms old.
/// Source: SBOS397, "Temperature Register" and "Configuration Register".
class Tmp102 final : public detail::Lm75Family {
 public:
  static constexpr const SensorType& type = detail::tmp102.type;  ///< The name and the values.
  /// `address` is 0x48 to 0x4B.
  constexpr Tmp102(I2cBusOf bus, std::uint8_t address) : Lm75Family(detail::tmp102, bus, address) {}
};

/// A TMP105, TMP75 or TMP175, in steps of 0.0625 degrees, from -40 to 125 degrees Celsius. The value is at most 300 ms
/// old. Source: SLLS648D, "Temperature Register" and "Configuration Register".
class Tmp105 final : public detail::Lm75Family {
 public:
  static constexpr const SensorType& type = detail::tmp105.type;  ///< The name and the values.
  /// `address` is 0x48 to 0x4F; a TMP105 has 0x48 or 0x49.
  constexpr Tmp105(I2cBusOf bus, std::uint8_t address) : Lm75Family(detail::tmp105, bus, address) {}
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
