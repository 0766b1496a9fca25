// What the thermometer needs of the emulated riscv32 `virt`, which has neither a sensor nor an LED: calls that need the
// sensor say that it does not answer.
#include <mcp/ports/virt.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "riscv32 virt";

mcp::Millis now() { return board::millis(); }
bool read_millidegrees(std::int32_t&) { return false; }
void led(bool) {}

}  // namespace device
