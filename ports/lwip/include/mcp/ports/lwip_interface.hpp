// SPDX-License-Identifier: Apache-2.0
/// @file
/// A network interface of a running lwIP 2.2, for TcpListener, MdnsResponder and SntpClock. A program that has started
/// lwIP makes an Interface over its netif. For a program without lwIP, Network (`mcp/ports/lwip_network.hpp`) starts
/// it.
/// @code
/// mcp::lwip::Interface& attach(netif& running, mcp::Entropy& entropy) {
///   static mcp::lwip::Interface interface(running, entropy);
///   return interface;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <lwip/netif.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/lwip_options.h"

namespace mcp::lwip {

/// An object that sends during Interface::poll(), such as a listener.
class Sender {
 public:
  /// Sends everything that is due. Returns the time in milliseconds until the next call; `forever` if there is none.
  /// Context: the caller holds the lock of lwIP, if lwIP has threads.
  virtual Millis flush() = 0;

 protected:
  constexpr Sender() = default;
  ~Sender() = default;

 private:
  friend class Interface;
  Sender* next_ = nullptr;
};

/// An IPv4 address, most significant byte first.
using Ip4 = std::array<std::uint8_t, 4>;

#if MOTE_LWIP_IS_SHARED
/// Wakes the main loop: `call(context)`. Context: the thread or interrupt that runs lwIP and holds its lock. It must
/// not block, and must not call the port. A semaphore or a task notification fits.
struct Wake {
  void (*call)(void* context) = nullptr;  ///< nullptr: the main loop polls without it.
  void* context = nullptr;                ///< The argument of `call`.
};
#endif

/// A network interface of lwIP that the program has started and continues to run. The port only adds its own TCP and
/// UDP connections.
///
/// With NO_SYS 1, lwIP, the Interface and its objects are called from the same main loop. With threads (NO_SYS 0), each
/// public function takes the lock of lwIP (LOCK_TCPIP_CORE), so the main loop can be any task. With NO_SYS 1 and
/// MOTE_LWIP_LOCK 1, interrupts may run lwIP, and the lock is mcp_lwip_lock(). All objects of an Interface are used
/// from one task. The caller must not hold the lock.
class Interface {
 public:
  /// Uses `interface`, which the program has added with netif_add(). `entropy` gives the numbers of SNTP requests.
  /// Lifetime: both must outlive the object. `interface` may be removed from lwIP and added again.
  Interface(netif& interface, Entropy& entropy) : interface_(&interface), entropy_(&entropy) {}
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;

#if MOTE_LWIP_IS_SHARED
  /// Sets the function that wakes the main loop when it should poll. Call it before a listener or a responder is there.
  /// Lifetime: the function and its context must outlive the objects of the interface.
  void set_wake(Wake wake) { wake_ = wake; }
#endif

  /// Sends bytes written so far, and does the work that is due. Call it after the transport in each turn of the main
  /// loop. Returns the time in milliseconds until the next call; `forever` if only an event of lwIP needs one.
  [[nodiscard]] Millis poll();

  /// Returns whether the interface and its link are up and there is an IPv4 address.
  [[nodiscard]] bool ready() const;

  /// Writes the address as a string into `text`, and returns it; "0.0.0.0" if there is none.
  /// Ownership: the caller owns `text`.
  [[nodiscard]] std::string_view address(std::span<char, 16> text) const;

  /// Returns the interface of lwIP, for applications that call lwIP themselves.
  [[nodiscard]] netif& interface() { return *interface_; }

  /// Adds an object whose flush() each poll() calls. Lifetime: `sender` must outlive the interface, or call remove().
  void add(Sender& sender);
  /// Removes an object that add() has added.
  void remove(Sender& sender);

  /// @cond server
  /// For the objects of an interface. The caller holds the lock of lwIP.
  [[nodiscard]] bool is_ready() const;
  [[nodiscard]] bool fill_random(std::span<std::uint8_t> into) { return entropy_->fill(into); }
  void wake() const {
#if MOTE_LWIP_IS_SHARED
    if (wake_.call != nullptr) wake_.call(wake_.context);
#endif
  }
  /// @endcond

 private:
  netif* interface_;
  Entropy* entropy_;
  Sender* senders_ = nullptr;
#if MOTE_LWIP_IS_SHARED
  Wake wake_;
#endif
};

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
