// SPDX-License-Identifier: Apache-2.0
/// @file
/// Texas Instruments INA219 and INA226: the voltage of a supply, and its current through a shunt, at 0x40 to 0x4F.
/// @code
/// mcp::I2cBus& bus();
/// constinit mcp::Ina219<100'000> battery{bus, 0x40};  // with a shunt of 0.1 ohm
/// std::int32_t microamperes() { return battery.value(battery.current); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/devices/sensor.hpp"

namespace mcp {

namespace detail {

/// How the devices of the family differ.
struct InaChip {
  std::uint16_t configuration;  // one measurement of both voltages
  std::uint8_t ready_register;
  std::uint16_t ready_bit;
  std::uint8_t voltage_shift;  // of the bus voltage register
  std::uint8_t voltage_step;   // in the decimals of the value
  std::uint16_t shunt_step_nv;
  std::int16_t most_code;  // of the shunt voltage; larger ones are cut
  Millis measurement_ms;
  bool has_id;
};

inline constexpr InaChip ina219{0x399B, 2, 2, 3, 4, 10'000, 31'999, 3, false};
inline constexpr InaChip ina226{0x4123, 6, 8, 0, 125, 2500, 32'766, 4, true};

class InaFamily : public I2cSensor {
 public:
  static constexpr std::size_t voltage = 0;  ///< The index of the voltage of the bus.
  static constexpr std::size_t current = 1;  ///< The index of the current, in microamperes.

 protected:
  constexpr InaFamily(const SensorType& type, const InaChip& chip, std::uint32_t shunt_micro_ohm, I2cBusOf bus,
                      std::uint8_t address)
      : I2cSensor(type, values_, bus, address), chip_(chip), shunt_micro_ohm_(shunt_micro_ohm) {}
  ~InaFamily() = default;

 private:
  // Inline, so that a source of an application with RTTI has the type information of this class. The library, which is
  // compiled without, has none.
  Begun do_begin(bool is_set_up) override { return begin_measurement(is_set_up); }
  SensorError do_collect(std::int32_t* values) override { return read_values(values); }
  Begun begin_measurement(bool is_set_up);
  SensorError read_values(std::int32_t* values);

  const InaChip& chip_;
  std::uint32_t shunt_micro_ohm_;
  std::int32_t values_[2] = {};
};

/// Microamperes through a shunt with this voltage, rounded. Nanovolts by microohms are milliamperes.
constexpr std::int32_t ina_current(std::int32_t nanovolts, std::uint32_t micro_ohm) {
  const std::int64_t dividend = std::int64_t{nanovolts} * 1000;
  const std::int64_t half = nanovolts < 0 ? -std::int64_t{micro_ohm / 2} : micro_ohm / 2;
  return static_cast<std::int32_t>((dividend + half) / micro_ohm);
}

/// With a smaller shunt, the current does not fit.
inline constexpr std::uint32_t least_micro_ohm = 150;
constexpr Quantity ina_current_quantity(const InaChip& chip, std::uint32_t micro_ohm) {
  if (micro_ohm < least_micro_ohm) return {};  // does not compile
  const std::int32_t most = ina_current(chip.most_code * chip.shunt_step_nv, micro_ohm);
  return {"current", "mA", 3, -most, most};
}

template <std::uint32_t shunt_micro_ohm>
inline constexpr Quantity ina219_quantities[] = {{"voltage", "V", 3, 0, 26'000},
                                                 ina_current_quantity(ina219, shunt_micro_ohm)};
template <std::uint32_t shunt_micro_ohm>
inline constexpr SensorType ina219_type{"INA219", ina219_quantities<shunt_micro_ohm>};

template <std::uint32_t shunt_micro_ohm>
inline constexpr Quantity ina226_quantities[] = {{"voltage", "V", 5, 0, 3'600'000},
                                                 ina_current_quantity(ina226, shunt_micro_ohm)};
template <std::uint32_t shunt_micro_ohm>
inline constexpr SensorType ina226_type{"INA226", ina226_quantities<shunt_micro_ohm>};

}  // namespace detail

/// An INA219: 0 to 26 V in steps of 4 mV (3 decimals of a volt), and a voltage of less than 320 mV at the shunt in
/// steps of 10 microvolts. Each begin() is one measurement of both. Negative currents flow from the load to the supply.
/// Limits: `shunt_micro_ohm` is 150 to 1,000,000,000. Source: SBOS448G, sections 8.5.3 and 8.6.
template <std::uint32_t shunt_micro_ohm>
class Ina219 final : public detail::InaFamily {
 public:
  static constexpr const SensorType& type = detail::ina219_type<shunt_micro_ohm>;  ///< The name and the values.
  static_assert(shunt_micro_ohm >= detail::least_micro_ohm && shunt_micro_ohm <= 1'000'000'000,
                "a shunt has 150 to 10^9 microohms");
  /// `address` is 0x40 to 0x4F.
  constexpr Ina219(I2cBusOf bus, std::uint8_t address)
      : InaFamily(type, detail::ina219, shunt_micro_ohm, bus, address) {}
};

/// An INA226: 0 to 36 V in steps of 1.25 mV (5 decimals of a volt), and a voltage of less than 81.92 mV at the shunt in
/// steps of 2.5 microvolts. Otherwise as Ina219. Source: SBOS547B, sections 6.5.3 and 7.1.
template <std::uint32_t shunt_micro_ohm>
class Ina226 final : public detail::InaFamily {
 public:
  static constexpr const SensorType& type = detail::ina226_type<shunt_micro_ohm>;  ///< The name and the values.
  static_assert(shunt_micro_ohm >= detail::least_micro_ohm && shunt_micro_ohm <= 1'000'000'000,
                "a shunt has 150 to 10^9 microohms");
  /// `address` is 0x40 to 0x4F.
  constexpr Ina226(I2cBusOf bus, std::uint8_t address)
      : InaFamily(type, detail::ina226, shunt_micro_ohm, bus, address) {}
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
