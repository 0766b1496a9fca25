// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace test {

/// The lines of an I2C bus while a controller frees them. A line is low while the controller or a device pulls it.
class I2cLines {
 public:
  bool holds_data = false;  // a device
  bool holds_clock = false;
  int pulses_to_release = 0;  // after so many pulses the device releases the data line
  int pulses = 0;             // of the controller
  int stops = 0;

  [[nodiscard]] bool is_data_high() const { return !holds_data && !pulls_data_; }
  [[nodiscard]] bool is_clock_high() const { return !holds_clock && !pulls_clock_; }

  /// The controller pulls a line low, or releases it.
  void pull_clock(bool is_low) {
    if (is_low && !pulls_clock_ && ++pulses == pulses_to_release) holds_data = false;
    pulls_clock_ = is_low;
  }
  void pull_data(bool is_low) {
    const bool was_high = is_data_high();
    pulls_data_ = is_low;
    if (!was_high && is_data_high() && is_clock_high()) ++stops;
  }

 private:
  bool pulls_data_ = false;
  bool pulls_clock_ = false;
};

}  // namespace test
