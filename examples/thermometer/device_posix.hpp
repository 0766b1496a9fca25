// How a PC is set up as a thermometer, beside what device.hpp asks of it.
#pragma once

namespace device {

/// Path of the file that is the sensor; it holds thousandths of a degree Celsius. Stays the caller's. Before the first
/// sample.
void use_sensor(const char* path);

}  // namespace device
