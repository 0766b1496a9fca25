// SPDX-License-Identifier: Apache-2.0
// Has the type information of each public class with virtual functions of core, the transports and the ports for a PC,
// and derives from those that an application may derive from. Compiled with the defaults of the compiler.
#include <cstdio>
#include <typeinfo>

#include "mcp/figures.hpp"
#include "mcp/http_access.hpp"
#include "mcp/http_oauth.hpp"
#include "mcp/http_tokens.hpp"
#include "mcp/http_trace.hpp"
#include "mcp/mqtt_transport.hpp"
#include "mcp/port.hpp"
#include "mcp/ports/flash.hpp"
#include "mcp/ports/i2c.hpp"
#include "mcp/ports/pins.hpp"
#include "mcp/ports/posix.hpp"
#include "mcp/ports/posix_dialer.hpp"
#include "mcp/ports/posix_i2c.hpp"
#include "mcp/ports/posix_pins.hpp"
#include "mcp/ports/posix_records.hpp"
#include "mcp/ports/posix_tcp.hpp"
#include "mcp/ports/sockets.hpp"
#include "mcp/ports/sockets_dialer.hpp"
#include "mcp/records.hpp"
#include "mcp/trace.hpp"

namespace {

// In an application, these come from libraries of others.
struct Stream final : mcp::ByteStream {
  mcp::IoResult do_read(std::span<char>) override { return {mcp::IoStatus::closed, 0}; }
  mcp::IoResult do_write(std::span<const char>) override { return {mcp::IoStatus::closed, 0}; }
};
struct Random final : mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
struct Clock final : mcp::WallClock {
  std::uint64_t do_utc_ms() override { return 0; }
};
struct Tokens final : mcp::Authorizer {
  mcp::Grant do_check(const mcp::http::RequestHead&) override { return {}; }
  void do_challenge(mcp::Access, mcp::http::ResponseHead&) override {}
};
struct Bus final : mcp::I2cBus {
  Bus() : I2cBus({.most_bytes = 32, .limit_ms = 5}) {}
  mcp::BusError do_transfer(std::uint8_t, std::span<const std::uint8_t>, std::span<std::uint8_t>) override {
    return mcp::BusError::no_device;
  }
  bool do_recover() override { return true; }
};
struct Lines final : mcp::Pins {
  mcp::PinError do_input(std::uint8_t, mcp::PinPull) override { return mcp::PinError::no_pin; }
  mcp::PinError do_output(std::uint8_t, bool) override { return mcp::PinError::no_pin; }
  mcp::PinError do_level(std::uint8_t, bool&) override { return mcp::PinError::no_pin; }
};
struct Names final : mcp::sockets::Resolver {
  int do_begin(std::string_view) override { return -1; }
  mcp::sockets::LookUp do_result(int) override { return {}; }
  void do_end(int) override {}
};

}  // namespace

int main() {
  Stream stream;
  Random random;
  Clock clock;
  Tokens tokens;
  Names names;
  Bus bus;
  Lines lines;
  mcp::posix::I2cDevice posix_bus("/dev/null");
  mcp::posix::GpioChip posix_lines("/dev/null");
  static mcp::sockets::TcpConnection accepted[2];
  static mcp::sockets::DialedConnection dialed[2];
  mcp::sockets::TcpListener listener(std::span<mcp::sockets::TcpConnection>(accepted).first(1), "127.0.0.1", 0);
  mcp::posix::TcpListener posix_listener(std::span<mcp::sockets::TcpConnection>(accepted).last(1), "127.0.0.1", 0);
  mcp::sockets::TcpDialer dialer(std::span<mcp::sockets::DialedConnection>(dialed).first(1), &names, nullptr);
  mcp::posix::TcpDialer posix_dialer(std::span<mcp::sockets::DialedConnection>(dialed).last(1));
  mcp::posix::Stdio stdio;
  mcp::posix::SystemEntropy entropy;
  mcp::posix::SystemWallClock wall_clock;
  const std::type_info* const types[] = {&typeid(static_cast<mcp::ByteStream&>(stream)),
                                         &typeid(static_cast<mcp::Entropy&>(random)),
                                         &typeid(static_cast<mcp::WallClock&>(clock)),
                                         &typeid(static_cast<mcp::Authorizer&>(tokens)),
                                         &typeid(static_cast<mcp::I2cBus&>(bus)),
                                         &typeid(static_cast<mcp::Pins&>(lines)),
                                         &typeid(mcp::sockets::SocketListener),
                                         &typeid(mcp::sockets::SocketDialer),
                                         &typeid(static_cast<mcp::sockets::Resolver&>(names))};
  mcp::Listener* const listeners[] = {&listener, &posix_listener};
  mcp::Dialer* const dialers[] = {&dialer, &posix_dialer};
  for (mcp::Listener* const one : listeners) static_cast<void>(one->has_waiting());
  for (mcp::Dialer* const one : dialers) static_cast<void>(one->is_encrypted());
  std::uint8_t byte[1];
  static_cast<void>(entropy.fill(byte));
  static_cast<void>(wall_clock.utc_ms());
  mcp::I2cBus* const buses[] = {&bus, &posix_bus};
  mcp::Pins* const pins[] = {&lines, &posix_lines};
  for (mcp::I2cBus* const one : buses) static_cast<void>(one->probe(0x48));
  for (mcp::Pins* const one : pins) static_cast<void>(one->output(0, false));
  mcp::ByteStream& bytes = stdio;
  static_cast<void>(bytes.write({}));
  for (const std::type_info* const type : types) static_cast<void>(std::puts(type->name()));
  return 0;
}
