// SPDX-License-Identifier: Apache-2.0
// A virtio network device over MMIO. An interrupt reports a received frame, and the main loop reads it. Knows no IP.
#include "mcp/ports/ethernet.hpp"

#include <algorithm>
#include <cstring>

#include "mcp/ports/processor.hpp"
#include "mcp/ports/virt.hpp"
#include "ports/boards/virt/virt_internal.hpp"

namespace board {
namespace {

// "Virtual I/O Device (VIRTIO) Version 1.1", 4.2.2: registers, as offsets from the place of the device.
constexpr std::uint32_t magic_value = 0x000;
constexpr std::uint32_t version = 0x004;
constexpr std::uint32_t device_id = 0x008;
constexpr std::uint32_t driver_features = 0x020;
constexpr std::uint32_t driver_features_select = 0x024;
constexpr std::uint32_t queue_select = 0x030;
constexpr std::uint32_t queue_size = 0x038;
constexpr std::uint32_t queue_ready = 0x044;
constexpr std::uint32_t queue_notify = 0x050;
constexpr std::uint32_t interrupt_status = 0x060;
constexpr std::uint32_t interrupt_acknowledge = 0x064;
constexpr std::uint32_t device_status = 0x070;
constexpr std::uint32_t queue_descriptors = 0x080;  // Addresses have 64 bits, of which the upper ones stay 0
constexpr std::uint32_t queue_driver = 0x090;
constexpr std::uint32_t queue_device = 0x0A0;
constexpr std::uint32_t config_address = 0x100;
constexpr std::uint32_t config_link = 0x106;

constexpr std::uint32_t magic = 0x7472'6976;
constexpr std::uint32_t version_1 = 2;
constexpr std::uint32_t id_network = 1;
constexpr std::uint32_t status_acknowledge = 1;
constexpr std::uint32_t status_driver = 2;
constexpr std::uint32_t status_driver_ok = 4;
constexpr std::uint32_t status_features_ok = 8;
constexpr std::uint32_t feature_address = bit(5);
constexpr std::uint32_t feature_link = bit(16);
constexpr std::uint32_t feature_version_1 = bit(0);  // of the upper 32
constexpr std::uint16_t descriptor_write = 2;        // The device writes into it
constexpr std::uint16_t no_interrupt = 1;

constexpr std::uint32_t receive_queue = 0;
constexpr std::uint32_t send_queue = 1;

constexpr std::size_t header_size = 12;  // The header of each frame, here zero
constexpr std::size_t least_frame = 60;
constexpr std::size_t longest_frame = 1514;
constexpr std::size_t ethernet_header_size = 14;

// The device is another thread of the emulator; a turn takes nanoseconds there.
constexpr std::uint32_t send_turns = 1'000'000;

// Writes to memory are complete before later ones, registers included.
void barrier() { asm volatile("fence iorw, iorw" ::: "memory"); }

struct Buffer {
  std::uint8_t header[header_size];
  std::uint8_t frame[longest_frame];
  std::uint8_t unused[2];
};

// A queue with `count` buffers, each in one descriptor (2.6).
template <std::uint16_t count>
class Queue {
 public:
  void switch_on(std::uint32_t device, std::uint32_t number, std::uint16_t flags) {
    for (std::size_t i = 0; i < count; ++i) {
      descriptors_[i].address = address_of(&buffers[i]);
      descriptors_[i].size = header_size + longest_frame;
      descriptors_[i].flags = flags;
    }
    reg(device + queue_select) = number;
    reg(device + queue_size) = count;
    reg(device + queue_descriptors) = address_of(descriptors_);
    reg(device + queue_driver) = address_of(&given_);
    reg(device + queue_device) = address_of(&used_);
    reg(device + queue_ready) = 1;
  }

  void no_interrupts() { given_.flags = no_interrupt; }
  void set_size(std::size_t index, std::size_t size) { descriptors_[index].size = static_cast<std::uint32_t>(size); }

  /// Gives the buffer `index` to the device.
  void give(std::uint32_t index) {
    given_.ring[given_.index % count] = static_cast<std::uint16_t>(index);
    barrier();
    given_.index = static_cast<std::uint16_t>(given_.index + 1);
    barrier();
  }

  [[nodiscard]] std::uint16_t given() const { return given_.index; }
  /// Buffers that the device has.
  [[nodiscard]] std::uint16_t under_way() const { return static_cast<std::uint16_t>(given_.index - used_.index); }

  struct Used {
    std::uint32_t index;
    std::uint32_t size;
  };

  /// The next buffer that the device has finished with; false if there is none.
  bool take(Used& used) {
    if (used_.index == taken_) return false;
    barrier();
    used = {used_.ring[taken_ % count].index, used_.ring[taken_ % count].size};
    ++taken_;
    return true;
  }

  Buffer buffers[count];

 private:
  struct Descriptor {
    std::uint32_t address;
    std::uint32_t address_high;
    std::uint32_t size;
    std::uint16_t flags;
    std::uint16_t next;
  };
  struct Given {
    std::uint16_t flags;
    std::uint16_t index;
    std::uint16_t ring[count];
  };
  struct UsedElement {
    std::uint32_t index;
    std::uint32_t size;
  };
  struct UsedRing {
    std::uint16_t flags;
    std::uint16_t index;
    UsedElement ring[count];
  };

  template <typename T>
  static std::uint32_t address_of(T* object) {
    return reinterpret_cast<std::uint32_t>(object);
  }

  alignas(16) volatile Descriptor descriptors_[count];
  alignas(4) volatile Given given_;
  alignas(4) volatile UsedRing used_;
  std::uint16_t taken_;
};

constexpr std::uint16_t frames_received = 4;
constexpr std::uint16_t frames_sent = 2;

Queue<frames_received> receiving;
Queue<frames_sent> sending;
std::uint32_t device;  // Its address; 0: there is none

void handle_interrupt() {
  reg(device + interrupt_acknowledge) = reg(device + interrupt_status);
  wake_from_isr();
}

bool is_network(std::uint32_t place) {
  return reg(place + magic_value) == magic && reg(place + version) == version_1 && reg(place + device_id) == id_network;
}

class VirtioEthernet final : public mcp::Ethernet {
 public:
  void switch_on() {
    is_on_ = true;
    unsigned place = 0;
    while (place < virtio_places && !is_network(virtio + place * virtio_step)) ++place;
    if (place == virtio_places) return;
    device = virtio + place * virtio_step;

    // The order of section 3.1.1.
    reg(device + device_status) = 0;
    reg(device + device_status) = status_acknowledge | status_driver;
    reg(device + driver_features_select) = 0;
    reg(device + driver_features) = feature_address | feature_link;
    reg(device + driver_features_select) = 1;
    reg(device + driver_features) = feature_version_1;
    reg(device + device_status) = status_acknowledge | status_driver | status_features_ok;
    if ((reg(device + device_status) & status_features_ok) == 0) {
      device = 0;
      return;
    }
    receiving.switch_on(device, receive_queue, descriptor_write);
    sending.switch_on(device, send_queue, 0);
    sending.no_interrupts();
    for (std::size_t i = 0; i < sizeof address_; ++i) address_[i] = config(config_address + i);
    on_interrupt(virtio_interrupt + place, handle_interrupt);
    reg(device + device_status) = status_acknowledge | status_driver | status_features_ok | status_driver_ok;
    for (std::uint32_t i = 0; i < frames_received; ++i) receiving.give(i);
    reg(device + queue_notify) = receive_queue;
  }

  [[nodiscard]] bool is_on() const { return is_on_; }

 private:
  static std::uint8_t config(std::uint32_t at) {
    return *reinterpret_cast<volatile std::uint8_t*>(device + at);  // NOLINT(performance-no-int-to-ptr)
  }

  Address do_address() override { return address_; }
  bool do_link_up() override { return device != 0 && (config(config_link) & 1) != 0; }

  // Passes: one for each too long frame, at most one for each buffer, whether it is reused or not.
  std::size_t do_receive(std::span<std::uint8_t> into) override {
    Queue<frames_received>::Used used;
    for (std::size_t pass = 0; pass < frames_received && receiving.take(used); ++pass) {
      const std::size_t size = std::max<std::size_t>(used.size, header_size) - header_size;
      const bool fits = size <= std::min(into.size(), longest_frame);
      if (fits) std::memcpy(into.data(), receiving.buffers[used.index % frames_received].frame, size);
      receiving.give(used.index);
      reg(device + queue_notify) = receive_queue;
      if (fits && size != 0) return size;
    }
    return 0;
  }

  bool do_send(std::span<const std::span<const std::uint8_t>> pieces) override {
    std::size_t size = 0;
    for (const auto piece : pieces) size += piece.size();
    if (device == 0 || size < ethernet_header_size || size > longest_frame) return false;
    for (std::uint32_t turns = 0; sending.under_way() == frames_sent; ++turns) {
      if (turns == send_turns) return false;
    }
    barrier();
    // The device gives them back in the order in which it was given them.
    const std::size_t index = sending.given() % frames_sent;
    std::uint8_t* const frame = sending.buffers[index].frame;
    std::size_t at = 0;
    for (const auto piece : pieces) {
      std::memcpy(frame + at, piece.data(), piece.size());
      at += piece.size();
    }
    if (at < least_frame) std::memset(frame + at, 0, least_frame - at);
    sending.set_size(index, header_size + std::max(at, least_frame));
    sending.give(static_cast<std::uint32_t>(index));
    reg(device + queue_notify) = send_queue;
    return true;
  }

  std::uint8_t address_[6] = {};
  bool is_on_ = false;
};

constinit VirtioEthernet interface;

}  // namespace

mcp::Ethernet& ethernet() {
  if (!interface.is_on()) interface.switch_on();
  return interface;
}

}  // namespace board
