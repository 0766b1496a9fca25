// SPDX-License-Identifier: Apache-2.0
// The functions that the water meter needs from its board. Each board has a file: device_lm3s6965evb.cpp.
#pragma once

namespace device {

/// Calls `from_isr` in an interrupt each time that the contact of the meter has closed and opens again. That wakes the
/// main loop.
void count_litres(void (*from_isr)());

}  // namespace device
