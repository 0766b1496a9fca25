// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_interface.hpp"

#include <algorithm>

#include "ports/lwip/lwip_lock.hpp"

namespace mcp::lwip {

Millis Interface::poll() {
  const CoreLock lock;
  Millis due = forever;
  for (Sender* sender = senders_; sender != nullptr; sender = sender->next_) due = std::min(due, sender->flush());
  return due;
}

bool Interface::is_ready() const {
  return netif_is_up(interface_) != 0 && netif_is_link_up(interface_) != 0 &&
         !ip4_addr_isany_val(*netif_ip4_addr(interface_));
}

bool Interface::ready() const {
  const CoreLock lock;
  return is_ready();
}

std::string_view Interface::address(std::span<char, 16> text) const {
  const CoreLock lock;
  const char* const end = ip4addr_ntoa_r(netif_ip4_addr(interface_), text.data(), static_cast<int>(text.size()));
  return end == nullptr ? std::string_view() : std::string_view(text.data());
}

void Interface::add(Sender& sender) {
  sender.next_ = senders_;
  senders_ = &sender;
}

void Interface::remove(Sender& sender) {
  for (Sender** at = &senders_; *at != nullptr; at = &(*at)->next_) {
    if (*at != &sender) continue;
    *at = sender.next_;
    return;
  }
}

}  // namespace mcp::lwip
