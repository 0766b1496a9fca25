// SPDX-License-Identifier: Apache-2.0
// See board.hpp.
#include "board.hpp"

#include <cstdio>
#include <cstdlib>

#include "mcp/ports/fake_i2c.hpp"
#include "mcp/ports/posix.hpp"

namespace {

// Keeps in mind that the input has ended.
class Uart final : public mcp::ByteStream {
 public:
  mcp::posix::Stdio stdio;
  bool ended = false;

 private:
  mcp::IoResult do_read(std::span<char> into) override {
    const mcp::IoResult result = stdio.read(into);
    ended = result.status == mcp::IoStatus::closed || result.status == mcp::IoStatus::failed;
    return result;
  }
  mcp::IoResult do_write(std::span<const char> from) override { return stdio.write(from); }
};

Uart& uart() {
  static Uart uart;
  return uart;
}

}  // namespace

namespace board {

mcp::ByteStream& uart0() { return uart(); }
mcp::Millis millis() { return mcp::posix::now(); }

void wait_for_event(mcp::Millis timeout_ms) {
  if (timeout_ms == 0) return;  // There is more to do, and perhaps more to answer.
  if (uart().ended) std::exit(0);
  uart().stdio.wait(timeout_ms);
}

mcp::I2cBus& i2c0() {
  static mcp::FakeWords tmp105{0x48, 1};
  static mcp::FakeI2cDevice* const devices[] = {&tmp105};
  static mcp::FakeI2c bus{devices, {}};
  tmp105[0] = 0x1580;
  return bus;
}
void led(std::int32_t percent) { static_cast<void>(std::fprintf(stderr, "LED %d\n", static_cast<int>(percent))); }

}  // namespace board
