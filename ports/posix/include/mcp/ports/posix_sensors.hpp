// SPDX-License-Identifier: Apache-2.0
/// @file
/// The sensors that drivers of the Linux kernel serve, as rows found at run time.
/// @code
/// mcp::posix::KernelSensor table[128];
/// mcp::posix::KernelSensors sensors{table};
/// bool describe(std::uint16_t number, mcp::FoundResource& row) { return sensors.describe(number, row); }
/// mcp::Errc read(std::uint16_t number, mcp::ReadResult& out) { return sensors.read(number, out); }
/// std::uint16_t find(std::string_view uri) { return sensors.find(uri); }
/// constexpr mcp::FoundResources rows{.numbers = 128, .describe = describe, .read = read, .find = find};
/// bool is_new = sensors.refresh();  // every few seconds; if true, call Server::found_resources_changed()
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/found.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"
#include "mcp/text_pieces.hpp"

namespace mcp::posix {

/// The memory of one row of KernelSensors, about 450 bytes.
class KernelSensor {
 public:
  /// Returns whether there is a sensor.
  [[nodiscard]] bool exists() const { return name_[0] != '\0'; }
  /// Returns the name, such as `hwmon/lm75/1-0048/temp1`. It is the URI without `sensor://`.
  [[nodiscard]] std::string_view name() const { return name_; }
  /// Returns the label that the driver or the devicetree gives the channel or the device. It may be empty.
  [[nodiscard]] std::string_view label() const { return label_; }
  /// Returns what it measures, such as `temperature`.
  [[nodiscard]] std::string_view quantity() const;
  /// Returns the UCUM code of the unit. Empty if the kernel defines none.
  [[nodiscard]] std::string_view unit() const;

 private:
  friend class KernelSensors;
  friend class SensorFiles;
  enum class Value : std::uint8_t { input, average, raw };

  char name_[136] = {};
  char label_[64] = {};
  char folder_[64] = {};  // below the root
  char channel_[64] = {};
  std::uint16_t bounds_ = 0;  // a bit for each file with one
  std::uint8_t quantity_ = 0;
  Value value_ = Value::input;
  std::uint8_t scale_ = 0;  // which of the files has it, see SensorFiles
  std::uint8_t offset_ = 0;
  bool has_fault_ = false;
  bool is_seen_ = false;
};

/// The outcome of KernelSensors::measure().
class KernelReading {
 public:
  /// The most bounds of a value: `min`, `max`, `lcrit`, `crit`, `emergency`, `rated_min`, `rated_max`.
  static constexpr std::size_t most_bounds = 7;
  /// Returns whether there is a value.
  [[nodiscard]] bool ok() const { return error_ == 0; }
  /// Returns the value, in the unit of the sensor. Only valid if ok().
  [[nodiscard]] double value() const { return value_; }
  /// Returns why there is none: an errno of the driver, or EBADMSG (the driver has returned no number), ETIME (the
  /// driver has not returned in time), EUSERS (all threads are in drivers that do not return), or ENOTRECOVERABLE (the
  /// driver reports a fault of the sensor).
  [[nodiscard]] int error() const { return error_; }
  /// Writes the value, its unit and its bounds as the members of a JSON object.
  void write(json::Writer& json) const;
  /// Writes `21.5 Cel, max 80, crit 90`, or the sentence of an error, which names the device and its address.
  void operator()(TextWriter& out) const;

 private:
  friend class KernelSensors;
  friend class SensorFiles;

  double value_ = 0;
  double bounds_[most_bounds] = {};
  std::uint16_t has_bounds_ = 0;  // bits
  bool is_scaled_ = false;
  int error_ = 0;
  const KernelSensor* sensor_ = nullptr;
};

/// The channels of the subsystems hwmon and IIO of Linux: what drivers of the kernel measure. Only on Linux.
///
/// A name has the subsystem, the name and the address of the device, and the channel: `hwmon/lm75/1-0048/temp1`,
/// `iio/bmp280/1-0076/in_pressure`. The address is that of the nearest device on a bus: I2C, SPI, PCI, USB, ISA,
/// 1-Wire, the devicetree. It is the same after a restart, in contrast to the numbers of hwmon and IIO, if the kernel
/// numbers its buses in the same way. A devicetree fixes these numbers. Without a bus, the address is `virtual`.
/// Channels with the same name get `~2`, `~3` at their end, in the order of the numbers of hwmon and IIO, which a
/// restart may change.
///
/// Units are those of the kernel, as UCUM codes. Temperatures are in degrees Celsius, humidities in percent, powers and
/// energies of hwmon in watts and joules. A value with a scale has 9 digits. The bounds are those that the driver has
/// for hwmon; a user may have changed them.
///
/// Limits: a table that is too small leaves sensors out, see omitted(). The numbers of hwmon and IIO are below 4096. A
/// read takes a thread for its time. If the driver does not return within the time limit, the read fails, and the
/// thread stays until it returns; there are 4 at most. Of names with more than 130 bytes, and channels with more than
/// 63, a sensor is left out. The folder of the root has at most 255 bytes.
/// Context: main loop. scan() takes about 20 us for each channel. read() waits for the driver, which takes 1 ms to 1 s.
/// Source: Documentation/ABI/testing/sysfs-class-hwmon and sysfs-bus-iio of Linux.
class KernelSensors {
 public:
  /// How long to wait for a driver, in milliseconds.
  static constexpr Millis default_limit_ms = 2000;

  /// `root` is the folder with `class` and `bus`. Ownership: the caller owns both, and they outlive this object.
  explicit KernelSensors(std::span<KernelSensor> table, const char* root = "/sys", Millis limit_ms = default_limit_ms)
      : table_(table), root_(root), limit_ms_(limit_ms) {}
  KernelSensors(const KernelSensors&) = delete;
  KernelSensors& operator=(const KernelSensors&) = delete;

  /// Finds the sensors that exist now. Each sensor that existed before keeps its number. Returns true if there are
  /// other sensors than before.
  bool scan();

  /// Calls scan() if devices have been added or removed since the last call, or a read has found that one is gone.
  /// Without a change, it reads two folders. Returns true if there are other sensors than before.
  bool refresh();

  /// Returns how many sensors the last scan() left out.
  [[nodiscard]] std::size_t omitted() const { return omitted_; }
  /// Returns the name of the first one of them.
  [[nodiscard]] std::string_view first_omitted() const { return first_omitted_; }
  /// Returns how many sensors there are.
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Returns a sensor, or nullptr if there is none with this number.
  [[nodiscard]] const KernelSensor* sensor(std::uint16_t number) const {
    return number < table_.size() && table_[number].exists() ? &table_[number] : nullptr;
  }
  /// Describes a row, for FoundResources::describe.
  bool describe(std::uint16_t number, FoundResource& row) const;
  /// Returns the number of a URI or of a name, or no_number, for FoundResources::find.
  [[nodiscard]] std::uint16_t find(std::string_view uri) const;
  /// Reads a sensor for FoundResources::read: `{"value":21.5,"unit":"Cel","max":80}`. Errors: as measure(), as a text.
  Errc read(std::uint16_t number, ReadResult& out);
  /// Reads a sensor. Errors: see KernelReading. Lifetime: until the next scan().
  [[nodiscard]] KernelReading measure(std::uint16_t number);

 private:
  struct Device;
  bool scan_once();
  bool scan_subsystem(bool is_iio);
  void scan_device(const Device& device);
  void add(const Device& device, std::string_view channel, KernelSensor& found);
  bool place(KernelSensor& found);
  void omit(std::string_view name);
  [[nodiscard]] std::uint64_t fingerprint() const;

  std::span<KernelSensor> table_;
  const char* root_;
  Millis limit_ms_;
  std::size_t omitted_ = 0;
  std::size_t count_ = 0;
  std::uint64_t fingerprint_ = 0;
  bool has_changed_ = false;
  bool scans_again_ = true;
  char first_omitted_[136] = {};
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
