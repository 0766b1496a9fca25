// What the water meter needs of the board that it runs on. One file for each: device_lm3s6965evb.cpp.
#pragma once

namespace device {

/// Calls `from_isr` in an interrupt each time that the contact of the meter has closed and opens again. That wakes the
/// main loop.
void count_litres(void (*from_isr)());

}  // namespace device
