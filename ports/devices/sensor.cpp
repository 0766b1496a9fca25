// SPDX-License-Identifier: Apache-2.0
#include "mcp/devices/sensor.hpp"

namespace mcp {

std::string_view remedy(const SensorError& error) {
  switch (error.fault()) {
    case SensorFault::none:
    case SensorFault::bus: return remedy(error.bus());
    case SensorFault::not_begun: return "It has not been measured yet. Try once more.";
    case SensorFault::not_ready: return "It is still starting or measuring. Try once more.";
    case SensorFault::wrong_device: return "Another type of device has this address. Check the type and the address.";
    case SensorFault::settings_lost:
      return "It lost its settings: it has reset, or is of another type. Check its power, and try once more.";
    case SensorFault::wrong_checksum: return "The checksum of its data is wrong. Check the wires, and try once more.";
    case SensorFault::invalid_data: return "Its data is invalid. Check its type and the wires, and try once more.";
    case SensorFault::out_of_bounds: break;
  }
  return "A value is outside of the bounds of its data sheet. Check the sensor and what it measures.";
}

Sensor::Begun Sensor::begin() {
  const Begun begun = do_begin(is_set_up_);
  is_set_up_ = is_measuring_ = !begun.error;
  return begun;
}

SensorError Sensor::collect() {
  if (!is_measuring_) return SensorFault::not_begun;
  SensorError error = do_collect(values_);
  if (error.fault() == SensorFault::not_ready) return error;
  is_measuring_ = false;
  const std::span<const Quantity> quantities = type_.quantities;
  for (std::size_t i = 0; i < quantities.size() && !error; ++i) {
    if (values_[i] < quantities[i].minimum || values_[i] > quantities[i].maximum) error = SensorError::out_of_bounds(i);
  }
  if (error) is_set_up_ = false;
  return error;
}

void SensorErrorText::operator()(TextWriter& out) const {
  constexpr std::string_view digits = "0123456789ABCDEF";
  out.add(sensor_.name());
  const unsigned address = sensor_.address();
  if (address != 0) out.add(" at address 0x", digits[address >> 4], digits[address & 15]);
  out.add(": ");
  if (error_.fault() != SensorFault::out_of_bounds) return out.add(remedy(error_));
  const Quantity& quantity = sensor_.quantities()[error_.quantity()];
  const auto scaled = [&](std::int32_t value) { return Scaled{value, quantity.decimals}; };
  out.add("Its ", quantity.name, " is ", scaled(sensor_.value(error_.quantity())), ' ', quantity.unit,
          ", outside of the bounds of the data sheet, ", scaled(quantity.minimum), " to ", scaled(quantity.maximum),
          ' ', quantity.unit, ". Check the sensor and what it measures.");
}

SensorError I2cSensor::write(std::span<const std::uint8_t> out) { return bus_().write(address(), out); }

SensorError I2cSensor::read(std::span<std::uint8_t> in) { return bus_().read(address(), in); }

SensorError I2cSensor::read_registers(std::uint8_t first, std::span<std::uint8_t> in) {
  return bus_().transfer(address(), {&first, 1}, in);
}

SensorError I2cSensor::read_word(std::uint8_t number, std::uint16_t& value) {
  std::uint8_t in[2];
  const SensorError error = read_registers(number, in);
  if (!error) value = static_cast<std::uint16_t>(in[0] << 8 | in[1]);
  return error;
}

SensorError I2cSensor::write_word(std::uint8_t number, std::uint16_t value) {
  const std::uint8_t out[] = {number, static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
  return write(out);
}

}  // namespace mcp
