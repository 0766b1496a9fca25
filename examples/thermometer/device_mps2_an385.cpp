// What the thermometer needs of the MPS2 AN385 without anything plugged in: there is no sensor, and calls that need the
// sensor say that it does not answer.
#include <mcp/ports/mps2_an385.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "MPS2 AN385";

mcp::Millis now() { return board::millis(); }
bool read_millidegrees(std::int32_t&) { return false; }
void led(bool) {}

}  // namespace device
