// SPDX-License-Identifier: Apache-2.0
// The LAN9118 (SMSC, now Microchip) and its PHY. An interrupt reports a received frame, and the main loop reads it.
// Knows no IP.
#include "mcp/ports/ethernet.hpp"

#include "mcp/ports/mps2_an385.hpp"
#include "mcp/ports/word_fifo.hpp"
#include "ports/boards/mps2_an385/mps2_registers.hpp"

namespace board {
namespace {

// "LAN9118 Datasheet", "System Control and Status Registers".
constexpr std::uint32_t receive_data = lan9118 + 0x00;
constexpr std::uint32_t transmit_data = lan9118 + 0x20;
constexpr std::uint32_t receive_status = lan9118 + 0x40;
constexpr std::uint32_t interrupt_config = lan9118 + 0x54;
constexpr std::uint32_t interrupt_status = lan9118 + 0x58;  // A 1 written clears
constexpr std::uint32_t interrupt_enable = lan9118 + 0x5C;
constexpr std::uint32_t fifo_levels = lan9118 + 0x68;
constexpr std::uint32_t transmit_config = lan9118 + 0x70;
constexpr std::uint32_t hardware_config = lan9118 + 0x74;
constexpr std::uint32_t receive_fifo = lan9118 + 0x7C;
constexpr std::uint32_t transmit_fifo = lan9118 + 0x80;
constexpr std::uint32_t mac_command = lan9118 + 0xA4;
constexpr std::uint32_t mac_data = lan9118 + 0xA8;

constexpr std::uint32_t interrupt_active_high = bit(8) | bit(4) | bit(0);  // On, active high, push-pull
constexpr std::uint32_t interrupt_received = bit(3);
constexpr std::uint32_t hardware_fifo_sizes = 5u << 16 | bit(20);  // 5 KB to send
constexpr std::uint32_t transmit_on = bit(1) | bit(2);             // Discards the status of sent frames
constexpr std::uint32_t status_error = bit(15);
constexpr std::uint32_t command_one_segment = bit(13) | bit(12);

// Registers of the MAC and of the PHY.
constexpr std::uint32_t mac_control = 1;
constexpr std::uint32_t mac_address_high = 2;
constexpr std::uint32_t mac_address_low = 3;
constexpr std::uint32_t mac_phy_access = 6;
constexpr std::uint32_t mac_phy_data = 7;
constexpr std::uint32_t mac_busy = bit(31);
constexpr std::uint32_t mac_read = bit(30);
constexpr std::uint32_t control_on_full_duplex = bit(2) | bit(3) | bit(20);
constexpr std::uint32_t control_groups = bit(19);  // Frames to every multicast address
constexpr std::uint32_t phy_address = 1u << 11;
constexpr std::uint32_t phy_busy = bit(0);
constexpr std::uint32_t phy_status = 1;
constexpr std::uint32_t status_link = bit(2);

constexpr std::size_t check_sum_size = 4;
constexpr std::size_t header_size = 14;
constexpr std::size_t longest_frame = 1514;
constexpr std::size_t command_size = 8;

// An access to the MAC takes less than a microsecond, one to the PHY 26; a frame is on its way for 1.2 ms at 10 Mbit/s.
// One turn takes at least 3 cycles.
constexpr std::uint32_t mac_turns = 1'000;
constexpr std::uint32_t send_turns = 25'000;

void command_mac(std::uint32_t command) {
  reg(mac_command) = command | mac_busy;
  for (std::uint32_t turns = 0; turns < mac_turns && (reg(mac_command) & mac_busy) != 0; ++turns) asm volatile("");
}

std::uint32_t read_mac(std::uint32_t number) {
  command_mac(number | mac_read);
  return reg(mac_data);
}

void write_mac(std::uint32_t number, std::uint32_t value) {
  reg(mac_data) = value;
  command_mac(number);
}

std::uint32_t read_phy(std::uint32_t number) {
  write_mac(mac_phy_access, phy_address | number << 6 | phy_busy);
  for (std::uint32_t turns = 0; turns < mac_turns && (read_mac(mac_phy_access) & phy_busy) != 0; ++turns)
    asm volatile("");
  return read_mac(mac_phy_data);
}

std::size_t frames_waiting() { return reg(receive_fifo) >> 16 & 0xFF; }

class LanEthernet final : public mcp::Ethernet {
 public:
  void switch_on() {
    is_on_ = true;
    reg(hardware_config) = hardware_fifo_sizes;
    reg(transmit_config) = transmit_on;
    const std::uint32_t low = read_mac(mac_address_low);
    const std::uint32_t high = read_mac(mac_address_high);
    for (unsigned i = 0; i < 6; ++i)
      address_[i] = static_cast<std::uint8_t>(i < 4 ? low >> 8 * i : high >> 8 * (i - 4));
    write_mac(mac_control, control_on_full_duplex);
    reg(fifo_levels) = 0;
    reg(interrupt_config) = interrupt_active_high;
    reg(interrupt_enable) = interrupt_received;
    reg(nvic_iser0) = bit(ethernet_interrupt);
  }

  [[nodiscard]] bool is_on() const { return is_on_; }

 private:
  Address do_address() override { return address_; }
  void do_enable_multicast() override { write_mac(mac_control, control_on_full_duplex | control_groups); }
  bool do_link_up() override { return (read_phy(phy_status) & status_link) != 0; }

  // The interrupt is off until the main loop has read all frames. Passes: one for each damaged or too long frame in the
  // FIFO, which holds 255 at most. The next call reads later frames.
  std::size_t do_receive(std::span<std::uint8_t> into) override {
    for (unsigned pass = 0; pass < 256; ++pass) {
      if (frames_waiting() == 0) {
        reg(interrupt_status) = interrupt_received;
        reg(interrupt_enable) = interrupt_received;
        // One may have come before that.
        if (frames_waiting() == 0) return 0;
      }
      if (const std::size_t size = take_frame(into); size != 0) return size;
    }
    return 0;
  }

  // The check sum is read as well.
  static std::size_t take_frame(std::span<std::uint8_t> into) {
    const std::uint32_t status = reg(receive_status);
    const std::size_t length = status >> 16 & 0x3FFF;
    const std::size_t size = length < check_sum_size ? 0 : length - check_sum_size;
    const bool is_taken = (status & status_error) == 0 && size <= into.size();
    const auto next_word = [] { return reg(receive_data); };
    if (is_taken) read_words(next_word, into.first(size));
    for (std::size_t at = is_taken ? size : 0; at < length; at += 4) next_word();  // also the check sum
    return is_taken ? size : 0;
  }

  bool do_send(std::span<const std::span<const std::uint8_t>> pieces) override {
    std::size_t size = 0;
    for (const auto piece : pieces) size += piece.size();
    if (size < header_size || size > longest_frame) return false;
    for (std::uint32_t turns = 0; (reg(transmit_fifo) & 0xFFFF) < size + command_size + 4; ++turns) {
      if (turns == send_turns) return false;
    }
    reg(transmit_data) = command_one_segment | static_cast<std::uint32_t>(size);
    reg(transmit_data) = static_cast<std::uint32_t>(size);
    WordWriter fifo([](std::uint32_t word) { reg(transmit_data) = word; });
    for (const auto piece : pieces) fifo.write(piece);
    fifo.end();
    return true;
  }

  std::uint8_t address_[6] = {};
  bool is_on_ = false;
};

constinit LanEthernet interface;

}  // namespace

mcp::Ethernet& ethernet() {
  if (!interface.is_on()) interface.switch_on();
  return interface;
}

}  // namespace board

extern "C" void ethernet_handler() {
  board::reg(board::interrupt_enable) = 0;
  board::wake_from_isr();
}
