// SPDX-License-Identifier: Apache-2.0
// The tools scan_i2c and i2c.
#include <mcp/devices/sensor_rows.hpp>

#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_chips.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::HexByte;
using detail::I2cTransaction;

namespace {

constexpr unsigned first_address = 0x08;
constexpr unsigned last_address = 0x77;
// A line of scan_i2c and the end of the message after it fit into this many bytes.
constexpr std::size_t device_line_size = 260;

// The value of a hexadecimal digit; 16 for another character.
unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? static_cast<unsigned>(small - 'a' + 10) : 16;
}

// Reads two digits. Returns a value above 255 if they are not hexadecimal.
unsigned byte_at(std::string_view text, std::size_t at) {
  if (at + 2 > text.size()) return 256;
  const unsigned high = digit_of(text[at]);
  const unsigned low = digit_of(text[at + 1]);
  return high > 15 || low > 15 ? 256 : high << 4 | low;
}

std::string_view probable_names(unsigned address) {
  for (const detail::ProbableChips& chips : detail::probable_chips) {
    if (address >= chips.first && address <= chips.last) return chips.names;
  }
  return "an unknown device";
}

std::string_view access_text(I2cAccess access) {
  switch (access) {
    case I2cAccess::read: return "; read only";
    case I2cAccess::ask: return "; the user has to consent to writes";
    case I2cAccess::any:
    case I2cAccess::none: break;
  }
  return {};
}

}  // namespace

const I2cRule* WorkbenchCore::rule_of(unsigned address) const {
  for (const I2cRule& rule : options_.i2c_rules) {
    if (address >= rule.first && address <= rule.last) return &rule;
  }
  return nullptr;
}

I2cAccess WorkbenchCore::access_of(unsigned address) const {
  const I2cRule* const rule = rule_of(address);
  if (rule != nullptr) return rule->access;
  // A client that changes the settings of a sensor could stop its values, while a hold relies on them.
  if (sensor_at(address) != nullptr && options_.i2c_access != I2cAccess::none) return I2cAccess::read;
  return options_.i2c_access;
}

const MeasuredSensor* WorkbenchCore::sensor_at(unsigned address) const {
  for (const WorkbenchReading& reading : options_.readings) {
    if (reading.sensor->sensor().address() == address) return reading.sensor;
  }
  return nullptr;
}

// A read, or a read after the address of a register.
bool WorkbenchCore::is_harmless(unsigned address, std::size_t written, unsigned read) const {
  const I2cRule* const rule = rule_of(address);
  const std::size_t register_bytes = rule == nullptr ? 1 : rule->register_bytes;
  return read != 0 && (written == 0 || written == register_bytes);
}

// Whether a device is at an address.
bool WorkbenchCore::is_device(unsigned address, BusError& error) const {
  // A sensor is known by its values. A read could take those of a measurement, and an SHT4x would have none then.
  const MeasuredSensor* const sensor = sensor_at(address);
  if (sensor != nullptr && sensor->has_values()) return true;
  const BusError probed = options_.i2c().probe(static_cast<std::uint8_t>(address));
  if (probed != BusError::none && probed != BusError::no_device) error = probed;
  return probed == BusError::none;
}

void WorkbenchCore::write_device(unsigned address, TextWriter& text) const {
  const MeasuredSensor* const sensor = sensor_at(address);
  text.add("0x", HexByte{static_cast<std::uint8_t>(address)}, ": ");
  if (sensor != nullptr && sensor->has_values()) {
    text.add(sensor->sensor().name(), ", see watch or bench://readings");
  } else {
    text.add("perhaps ", probable_names(address));
  }
  text.add(access_text(access_of(address)));
}

Errc WorkbenchCore::scan_i2c(Call& call) const {
  enter(call, options_.now());
  unsigned found = 0;
  BusError error = BusError::none;
  // No transaction succeeds on such a bus, and each takes long.
  const auto is_unusable = [&] { return error == BusError::stuck || error == BusError::too_late; };
  const json::Writer& writer = call.writer();
  const Errc errc = call.result().text([&](TextWriter& text) {
    for (unsigned address = first_address; address <= last_address && !is_unusable(); ++address) {
      if (access_of(address) == I2cAccess::none || !is_device(address, error)) continue;
      if (found++ != 0) text.add('\n');
      if (writer.rest().size() < device_line_size) return text.add("There is no space for more.");
      write_device(address, text);
    }
  });
  if (errc != Errc::ok || (found != 0 && !is_unusable())) return errc;
  if (error != BusError::none) return call.fail(remedy(error));
  return call.fail(
      "No device acknowledges a read. Check power, ground, SDA, SCL and the pull-ups. A device that takes commands "
      "only, such as an SHT4x, is not found: write its command with i2c.");
}

// Reads the arguments, and checks them and the rules, except for the consent of the user.
Errc WorkbenchCore::check_i2c(std::string_view address, std::string_view write, unsigned read, I2cTransaction& out,
                              Call& call) const {
  const bool has_prefix = address.size() == 4 && address[0] == '0' && (address[1] | 0x20) == 'x';
  const unsigned number = has_prefix ? byte_at(address, 2) : 256;
  if (number > 255) return call.fail("address must be 0x and two hexadecimal digits, such as 0x48.");
  if (!is_device_address(number))
    return call.fail("address must be from 0x08 to 0x77. It has 7 bits, without the bit for read or write.");
  if (write.size() % 2 != 0 || write.size() > 2 * I2cTransaction::most_bytes)
    return call.fail("write must be two hexadecimal digits for each byte, and at most 32 bytes.");
  if (write.empty() && read == 0) return call.fail("Give bytes to write, or the number of bytes to read, or both.");
  out.address = static_cast<std::uint8_t>(number);
  out.size = static_cast<std::uint8_t>(write.size() / 2);
  out.read = static_cast<std::uint8_t>(read);
  for (std::size_t i = 0; i < out.size; ++i) {
    const unsigned byte = byte_at(write, 2 * i);
    if (byte > 255) return call.fail("write must be two hexadecimal digits for each byte, such as f72e.");
    out.bytes[i] = static_cast<std::uint8_t>(byte);
  }
  const I2cAccess access = access_of(number);
  const I2cRule* const rule = rule_of(number);
  const std::string_view note = rule == nullptr ? std::string_view() : rule->note;
  const auto because = [&](TextWriter& text) {
    if (!note.empty()) text.add(" (", note, ')');
  };
  if (access == I2cAccess::none)
    return call.fail("This board lets no client use ", address, because, ". Use another device.");
  if (access != I2cAccess::read || is_harmless(number, out.size, read)) return Errc::ok;
  const unsigned register_bytes = rule == nullptr ? 1 : rule->register_bytes;
  if (register_bytes == 0)
    return call.fail("This board lets clients only read ", address, because, ": leave write empty.");
  return call.fail("This board lets clients only read ", address, because, ": write ", register_bytes,
                   register_bytes == 1 ? " byte" : " bytes", " for the register, and read.");
}

Errc WorkbenchCore::run_i2c(const I2cTransaction& transaction, Call& call) const {
  std::uint8_t in[I2cTransaction::most_bytes];
  const std::size_t read = transaction.read;
  const BusError error =
      options_.i2c().transfer(transaction.address, {transaction.bytes, transaction.size}, {in, read});
  if (error != BusError::none) return call.fail(remedy(error));
  if (read == 0) return call.result().text("Wrote ", transaction.size, transaction.size == 1 ? " byte." : " bytes.");
  return call.result().text([&](TextWriter& text) {
    for (std::size_t i = 0; i < read; ++i) {
      if (i != 0) text.add(' ');
      text.add(HexByte{in[i]});
    }
    // Models convert hexadecimal numbers badly.
    if (read == 1) text.add(" (", in[0], ')');
    if (read != 2) return;
    const auto big = static_cast<std::uint16_t>(in[0] << 8 | in[1]);
    const auto little = static_cast<std::uint16_t>(in[1] << 8 | in[0]);
    text.add(" (big-endian: ", big, ", signed ", static_cast<std::int16_t>(big), "; little-endian: ", little,
             ", signed ", static_cast<std::int16_t>(little), ')');
  });
}

Errc WorkbenchCore::i2c(std::string_view address, std::string_view write, unsigned read, Call& call) const {
  enter(call, options_.now());
  I2cTransaction transaction{};
  const Errc errc = check_i2c(address, write, read, transaction, call);
  return errc == Errc::ok ? run_i2c(transaction, call) : errc;
}

}  // namespace mcp
