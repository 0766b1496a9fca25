// The thermometer on the LM3S6965EVB: a TMP105 on the I2C bus, the client on UART0.
#include <ports/lm3s6965evb/board.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "LM3S6965EVB";

mcp::Millis now() { return board::millis(); }
void wait(mcp::Millis timeout_ms) { board::wait_for_event(timeout_ms); }
mcp::ByteStream& stream() { return board::uart0(); }
bool read_millidegrees(std::int32_t& value) { return board::read_millidegrees(value); }
void led(bool on) { board::led(on); }

}  // namespace device

int main() { run_thermometer(); }
