// SPDX-License-Identifier: Apache-2.0
// Options of the thermometer on a PC, in addition to device.hpp.
#pragma once

namespace device {

/// Path of the file that is the sensor; it holds thousandths of a degree Celsius. Stays the caller's. Before the first
/// sample.
void use_sensor(const char* path);

}  // namespace device
