// SPDX-License-Identifier: Apache-2.0
// The files of one sensor of the kernel: their names, and how to compute its value. Used by threads, too.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "mcp/ports/posix_sensors.hpp"

namespace mcp::posix {

/// What a type of channels measures.
struct KernelQuantity {
  std::string_view type;  // in the name of the file
  std::string_view name;
  std::string_view unit;   // UCUM; empty: the kernel defines none
  std::int16_t divisor;    // of the kernel's unit
  std::string_view title;  // for a person
};

/// The number of the quantity of a type; for an unknown type, that of the last one, which has no unit.
std::uint8_t find_quantity(std::string_view type, bool is_iio);
const KernelQuantity& quantity_at(std::uint8_t number);

/// Appends texts to memory, with a NUL at the end.
struct TextBuffer {
  std::span<char> into;
  std::size_t size = 0;
  bool ok = true;  ///< False if a text did not fit.

  void add(std::string_view text) {
    for (const char c : text) {
      ok = ok && size + 1 < into.size();
      if (ok) into[size++] = c;
    }
    into[size] = '\0';
  }
};

/// Writes texts one after the other. Returns false if they do not fit.
bool join(std::span<char> into, std::initializer_list<std::string_view> texts);

/// Copies a text with its NUL. Returns false, and leaves `into` empty, if it does not fit.
bool copy_text(std::span<char> into, std::string_view text);

/// The files of a sensor. Holds copies, so that a thread can have it as a message.
class SensorFiles {
 public:
  SensorFiles() = default;
  /// Errors: ok() is false if the path is too long.
  SensorFiles(const char* root, const KernelSensor& sensor);
  [[nodiscard]] bool ok() const { return folder_[0] != '\0'; }

  /// Finds out which files the sensor has.
  void look(KernelSensor& found) const;
  /// Reads the label of the channel.
  void read_label(std::span<char> label) const;
  /// Reads the value and its bounds. Blocks as long as the driver. Does not set KernelReading::sensor_.
  void read(KernelReading& reading) const;

 private:
  // Of which channels a file is: of this one, without its number, of its type, of all inputs, of the device.
  static constexpr std::uint8_t most_shares = 5;

  bool path(std::uint8_t share, std::string_view attribute, std::span<char> into) const;
  [[nodiscard]] bool has(std::uint8_t share, std::string_view attribute) const;
  [[nodiscard]] int number(std::uint8_t share, std::string_view attribute, double& value) const;
  [[nodiscard]] int compute(double& value) const;
  [[nodiscard]] std::uint8_t find_share(std::string_view attribute) const;

  char folder_[320] = {};
  KernelSensor sensor_{};
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
