// SPDX-License-Identifier: Apache-2.0
// The Ethernet controller of the LM3S6965 and its PHY. An interrupt reports a received frame, and the main loop reads
// it. Knows no IP.
#include <cstring>

#include "mcp/ports/ethernet.hpp"
#include "mcp/ports/lm3s6965evb.hpp"
#include "mcp/ports/word_fifo.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

// "Ethernet Controller": registers of the MAC.
constexpr std::uint32_t mac_ris = 0x4004'8000;    // Interrupt status; a 1 written acknowledges
constexpr std::uint32_t mac_im = 0x4004'8004;     // Interrupt mask: 1 = on
constexpr std::uint32_t mac_rctl = 0x4004'8008;   // Receive control
constexpr std::uint32_t mac_tctl = 0x4004'800C;   // Transmit control
constexpr std::uint32_t mac_data = 0x4004'8010;   // Both FIFOs
constexpr std::uint32_t mac_ia0 = 0x4004'8014;    // Station address, bytes 0 to 3
constexpr std::uint32_t mac_ia1 = 0x4004'8018;    // Bytes 4 and 5
constexpr std::uint32_t mac_mctl = 0x4004'8020;   // Management of the PHY
constexpr std::uint32_t mac_mdv = 0x4004'8024;    // Divider of its clock
constexpr std::uint32_t mac_mrxd = 0x4004'8030;   // Data read from it
constexpr std::uint32_t mac_np = 0x4004'8034;     // Frames in the receive FIFO
constexpr std::uint32_t mac_tr = 0x4004'8038;     // Transmission request
constexpr std::uint32_t user_reg0 = 0x400F'E1E0;  // In flash: bytes 0 to 2 of the address
constexpr std::uint32_t user_reg1 = 0x400F'E1E4;  // Bytes 3 to 5

constexpr std::uint32_t interrupt_received = bit(0);
constexpr std::uint32_t all_interrupts = 0x7F;
constexpr std::uint32_t rctl_enable = bit(0);
constexpr std::uint32_t rctl_groups = bit(1);  // frames to every multicast address
constexpr std::uint32_t rctl_reject_damaged = bit(3);
constexpr std::uint32_t rctl_reset_fifo = bit(4);
constexpr std::uint32_t tctl_enable_pad_check = bit(0) | bit(1) | bit(2);
constexpr std::uint32_t tctl_full_duplex = bit(4);
constexpr std::uint32_t mctl_start = bit(0);
constexpr std::uint32_t rcgc2_ethernet = bit(28) | bit(30);  // MAC and PHY
constexpr std::uint32_t mdv_2_5_mhz = 9;                     // 50 MHz / 2 / (9 + 1)
constexpr unsigned interrupt_number = 42;

// Registers of the PHY.
constexpr std::uint32_t phy_status = 1;
constexpr std::uint32_t phy_diagnostic = 18;
constexpr std::uint32_t status_link = bit(2);
constexpr std::uint32_t diagnostic_full_duplex = bit(11);

// The bytes around a frame in the receive FIFO: its length in two bytes, and the check sum in four.
constexpr std::size_t frame_extra = 6;
constexpr std::size_t header_size = 14;
constexpr std::size_t longest_frame = 1518;
constexpr std::size_t fifo_size = 2048;

// A frame is on its way for 1.2 ms at 10 Mbit/s, a management frame for 26 us; one turn takes at least 3 cycles.
constexpr std::uint32_t send_turns = 25'000;
constexpr std::uint32_t management_turns = 1'000;

std::uint32_t read_phy(std::uint32_t number) {
  reg(mac_mctl) = number << 3 | mctl_start;
  for (std::uint32_t turns = 0; turns < management_turns && (reg(mac_mctl) & mctl_start) != 0; ++turns)
    asm volatile("");
  return reg(mac_mrxd) & 0xFFFF;
}

class StellarisEthernet final : public mcp::Ethernet {
 public:
  void switch_on() {
    clock_on(sysctl_rcgc2, rcgc2_ethernet);
    const std::uint32_t low = reg(user_reg0);
    const std::uint32_t high = reg(user_reg1);
    for (unsigned i = 0; i < 3; ++i) {
      address_[i] = static_cast<std::uint8_t>(low >> 8 * i);
      address_[i + 3] = static_cast<std::uint8_t>(high >> 8 * i);
    }
    reg(mac_im) = 0;
    reg(mac_mdv) = mdv_2_5_mhz;
    std::uint32_t words[2] = {};
    std::memcpy(words, address_, sizeof address_);
    reg(mac_ia0) = words[0];
    reg(mac_ia1) = words[1];
    reg(mac_tctl) = tctl_enable_pad_check | tctl_full_duplex;
    begin_receiving();
    reg(mac_ris) = all_interrupts;
    reg(mac_im) = interrupt_received;
    reg(nvic_iser1) = bit(interrupt_number - 32);
  }

 private:
  void begin_receiving() {
    reg(mac_rctl) = rctl_reset_fifo;
    reg(mac_rctl) = rctl_reject_damaged | groups_;
    reg(mac_rctl) = rctl_reject_damaged | groups_ | rctl_enable;
  }

  void do_enable_multicast() override {
    groups_ = rctl_groups;
    reg(mac_rctl) = rctl_reject_damaged | groups_ | rctl_enable;
  }

  Address do_address() override { return address_; }

  // A board whose address was never written has all ones there, which is no address: it has no network.
  bool do_link_up() override {
    if ((address_[0] & 1) != 0) return false;
    const std::uint32_t status = read_phy(phy_status);
    if (status == 0) return true;  // the emulator has no PHY; a real one reports its abilities
    const bool full_duplex = (read_phy(phy_diagnostic) & diagnostic_full_duplex) != 0;
    reg(mac_tctl) = tctl_enable_pad_check | (full_duplex ? tctl_full_duplex : 0);
    return (status & status_link) != 0;
  }

  // Passes: one for each frame in the FIFO that is too long, and that holds 31 at most.
  std::size_t do_receive(std::span<std::uint8_t> into) override {
    while (reg(mac_np) != 0) {
      if (const std::size_t size = take_frame(into); size != 0) return size;
    }
    return 0;
  }

  // The first word has the length in its lower half, and then the frame begins. 0 when it does not fit. A frame that is
  // too long is read like another one: after a reset, the emulator's controller would receive no further frame.
  std::size_t take_frame(std::span<std::uint8_t> into) {
    const std::uint32_t word = reg(mac_data);
    const std::size_t length = word & 0xFFFF;
    if (length < frame_extra + header_size || length > fifo_size) {
      begin_receiving();  // out of step: all that is there is forgotten
      return 0;
    }
    const std::size_t size = length - frame_extra;
    const bool fits = size <= into.size();
    const auto next_word = [] { return reg(mac_data); };
    if (fits) {
      into[0] = static_cast<std::uint8_t>(word >> 16);
      into[1] = static_cast<std::uint8_t>(word >> 24);
      read_words(next_word, into.subspan(2, size - 2));
    } else {
      for (std::size_t at = 4; at < size + 2; at += 4) next_word();
    }
    next_word();  // what is left of the check sum
    return fits ? size : 0;
  }

  bool do_send(std::span<const std::span<const std::uint8_t>> pieces) override {
    std::size_t size = 0;
    for (const auto piece : pieces) size += piece.size();
    if (size < header_size || size > longest_frame) return false;
    for (std::uint32_t turns = 0; (reg(mac_tr) & 1) != 0; ++turns) {
      if (turns == send_turns) return false;
    }
    WordWriter fifo([](std::uint32_t word) { reg(mac_data) = word; }, static_cast<std::uint16_t>(size - header_size));
    for (const auto piece : pieces) fifo.write(piece);
    fifo.end();
    reg(mac_tr) = 1;
    return true;
  }

  std::uint8_t address_[6] = {};
  std::uint32_t groups_ = 0;
};

constinit StellarisEthernet interface;

}  // namespace

mcp::Ethernet& ethernet() {
  if ((reg(sysctl_rcgc2) & rcgc2_ethernet) == 0) interface.switch_on();
  return interface;
}

}  // namespace board

extern "C" void ethernet_handler() {
  board::reg(board::mac_ris) = board::interrupt_received;
  board::wake_from_isr();
}
