// SPDX-License-Identifier: Apache-2.0
/// @file
/// mote in a Zephyr application: bytes of a UART, time, sleep and random bytes.
/// @code
/// mcp::zephyr::Uart uart(DEVICE_DT_GET(DT_CHOSEN(zephyr_shell_uart)));
/// int main() {
///   mcp::StdioTransport transport{server, uart};
///   for (;;) mcp::zephyr::wait_for_event(transport.poll(mcp::zephyr::millis()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>

#include <zephyr/device.h>
#include "mcp/ports/interrupt_ring.hpp"

namespace mcp::zephyr {

// ---- Time and sleep ------------------------------------------------------------------------------------------------

/// Returns the milliseconds since start-up. Context: any thread or interrupt; never blocks.
Millis millis();

/// Sleeps until an event: received bytes, space for bytes to send, or a call of wake(). It returns at once if the event
/// was between the last return and this call. It may also return without an event, so poll everything again. With a
/// PolledUart it sleeps for 1 ms. On native_sim it sleeps for at least 1 ms, because time passes only while all threads
/// sleep there. Context: the thread that runs the server; blocks for at most `timeout_ms` milliseconds (mcp::forever:
/// no limit).
void wait_for_event(Millis timeout_ms);

/// Makes wait_for_event() return. Context: any thread or interrupt; never blocks.
void wake();

// ---- UART ----------------------------------------------------------------------------------------------------------

/// A device with the interrupt-driven API of UARTs, such as a UART or a serial port on USB (`cdc-acm-uart`).
///
/// Receive: an interrupt fills a ring of `ring_size` bytes. While the ring is full, the interrupt is off, and the FIFO
/// of the UART fills. If the FIFO is full, too, bytes are lost. mcp::StdioTransport runs at the end of a line and after
/// half of the ring has arrived. If a handler may run longer than the other half lasts, make the ring longer, such as
/// twice a message. Transmit: an interrupt empties a ring of `ring_size` bytes.
///
/// Errors: if the driver reports damaged or lost bytes (`uart_err_check`), one byte 0xFF replaces the bytes in the
/// FIFO. It is never valid in UTF-8, so the server rejects the message. If the device is not ready or has no
/// interrupt-driven API, or after its driver could not read or fill the FIFO, reads and writes return `failed`.
/// Lifetime: the object handles the interrupts of the device until the program ends. Limits: one object for each
/// device; no console or shell on it. Context: the thread that runs the server; never blocks.
class Uart final : public ByteStream {
 public:
#ifdef CONFIG_MOTE_UART_RING_SIZE
  static constexpr std::size_t ring_size = CONFIG_MOTE_UART_RING_SIZE;  ///< The bytes in each ring, a power of two.
#else
  static constexpr std::size_t ring_size = 256;  ///< The bytes in each ring, a power of two.
#endif

  /// Switches on the interrupts of `uart`. The devicetree sets baud rate and pins. Construct it in a thread, or as a
  /// global object, which is made before `main()`, when the drivers are ready.
  explicit Uart(const struct device* uart);
  Uart(const Uart&) = delete;
  Uart& operator=(const Uart&) = delete;

  /// Overwrites the read bytes that the object still holds with zeros. In a program that receives secrets, call it
  /// after mcp::StdioTransport::wipe(). Context: the thread that runs the server; takes the lock of irq_lock()
  /// meanwhile.
  void wipe();

 private:
  static void handle(const struct device* uart, void* self);
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  bool take(std::uint8_t& byte);
  void discard();
  void receive();
  bool fill();
  void send();

  const struct device* uart_;
  bool is_ready_;
  std::atomic<bool> has_failed_{false};  // written by the interrupt
  bool is_byte_lost_ = false;            // a byte was lost, and the ring has no mark for it yet; for the interrupt only
  bool is_due_ = false;                  // the server should run; for the interrupt only
  char next_ = 0;                        // the byte that the UART takes next
  bool has_next_ = false;
  board::InterruptRing<ring_size> received_;
  board::InterruptRing<ring_size> to_send_;
};

/// A device with the polling API of UARTs only, such as a UART of native_sim up to Zephyr 4.2
/// (CONFIG_MOTE_POLLED_UART). Use Uart for a device with interrupts, such as one of native_sim from 4.3 on.
///
/// Receive: read() takes what the device has. While a handler runs, nothing does: hardware loses the bytes that its
/// FIFO has no space for. Transmit: write() blocks for one byte time for each byte. native_sim discards bytes that the
/// pseudoterminal has no space for, because no program reads them.
///
/// Errors: as for Uart. A device that is not ready or has no polling API is `failed`.
/// Lifetime: as for Uart. Limits: one object for each device; no console or shell on it. Context: the thread that runs
/// the server.
class PolledUart final : public ByteStream {
 public:
  /// From now on, wait_for_event() sleeps for 1 ms.
  explicit PolledUart(const struct device* uart);
  PolledUart(const PolledUart&) = delete;
  PolledUart& operator=(const PolledUart&) = delete;

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;

  const struct device* uart_;
};

// ---- The chip ------------------------------------------------------------------------------------------------------

/// Random bytes of the kernel (`sys_csrand_get`). It needs CONFIG_CSPRNG_ENABLED, which needs the driver of an entropy
/// device. Context: any thread; blocks while the hardware generates the bytes. Errors: fill() returns false if the
/// source fails.
class SdkEntropy final : public Entropy {
 private:
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// Returns a number of `sys_rand_get` for mcp::Services::boot_id, which does not change until a reset and is never 0.
/// It needs CONFIG_ENTROPY_GENERATOR. Context: one thread; the first call may block while the hardware generates the
/// number.
std::uint32_t boot_id();

}  // namespace mcp::zephyr

#include <mcp/detail/epilogue.hpp>
