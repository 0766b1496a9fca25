// SPDX-License-Identifier: Apache-2.0
// The contact of the water meter on the LM3S6965EVB: the SELECT button.
#include <mcp/ports/lm3s6965evb.hpp>

#include "device.hpp"

namespace device {

void count_litres(void (*from_isr)()) { board::on_button(from_isr); }

}  // namespace device
