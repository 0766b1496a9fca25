// SPDX-License-Identifier: Apache-2.0
// Wi-Fi through the cyw43 driver. The pico-sdk runs the driver and lwIP in cyw43_arch_poll(), or in an interrupt of the
// lowest priority. Both variants share this code. The lock does nothing in the first variant.
#include "mcp/ports/pico_wifi.hpp"

#include <pico/cyw43_arch.h>

#include <algorithm>

#include "mcp/ports/pico.hpp"
#include "mcp/settings.hpp"
#include "pico_wake.hpp"
#include "ports/lwip/lwip_lease.hpp"

#if !MOTE_LWIP_LOCK
#error "mote: compile pico_wifi.cpp with MOTE_LWIP_LOCK 1, as the target mote::pico_wifi does."
#endif
#if !LWIP_DHCP
#error "lwipopts.h: mcp::pico::Wifi needs LWIP_DHCP 1."
#endif

extern "C" void mcp_lwip_lock() {
  if (cyw43_arch_async_context() != nullptr) cyw43_arch_lwip_begin();
}
extern "C" void mcp_lwip_unlock() {
  if (cyw43_arch_async_context() != nullptr) cyw43_arch_lwip_end();
}

namespace mcp::pico {
namespace {

constexpr Millis look_interval_ms = 1'000;

// The sleep of the pico-sdk ends when a worker has work.
async_when_pending_worker_t waker{.next = nullptr,
                                  .do_work = [](async_context_t*, async_when_pending_worker_t*) {},
                                  .work_pending = false,
                                  .user_data = nullptr};

void wake_context() { async_context_set_work_pending(cyw43_arch_async_context(), &waker); }

int link_status() {
  mcp_lwip_lock();
  lwip::drop_ended_lease(cyw43_state.netif[CYW43_ITF_STA]);
  const int status = cyw43_tcpip_link_status(&cyw43_state, CYW43_ITF_STA);
  mcp_lwip_unlock();
  return status;
}

bool is_link_up(int status) { return status == CYW43_LINK_UP || status == CYW43_LINK_NOIP; }

// Volatile, because the compiler may omit a store that no code reads.
void wipe(std::span<char> bytes) {
  for (volatile char& byte : bytes) byte = 0;
}

WifiError error_of(int status) {
  switch (status) {
    case CYW43_LINK_NONET: return WifiError::no_network;
    case CYW43_LINK_BADAUTH:
    // The access point has ended the attempt, for example after a wrong passphrase. The driver (1.1.0) then
    // disassociates, and reports only the disassociation.
    case CYW43_LINK_DOWN: return WifiError::rejected;
    default: return WifiError::failed;
  }
}

}  // namespace

Wifi::Wifi(Entropy& entropy, const WifiOptions& options)
    : Interface(cyw43_state.netif[CYW43_ITF_STA], entropy),
      auth_(options.auth != 0 ? options.auth : CYW43_AUTH_WPA2_AES_PSK) {
  set_wake({[](void*) { pico::wake(); }, nullptr});
  is_started_ = (options.country != 0 ? cyw43_arch_init_with_country(options.country) : cyw43_arch_init()) == 0;
  error_ = WifiError::radio;
  if (!is_started_) return;
  static_cast<void>(async_context_add_when_pending_worker(cyw43_arch_async_context(), &waker));
  pico::set_wake(wake_context);
  cyw43_arch_enable_sta_mode();
  // The driver returns no error, but adds the interface only if the radio responds.
  mcp_lwip_lock();
  is_on_ = netif_is_up(&interface()) != 0;
#if LWIP_NETIF_HOSTNAME
  if (is_on_) {
    const bool is_name = is_host_name(options.host_name);
    if (is_name) host_name_[options.host_name.copy(host_name_, sizeof host_name_ - 1)] = '\0';
    netif_set_hostname(&interface(), is_name ? host_name_ : nullptr);
  }
#endif
  mcp_lwip_unlock();
  if (is_on_) error_ = WifiError::none;
}

Wifi::~Wifi() {
  wipe(passphrase_);
  pico::set_wake(nullptr);
  if (!is_started_) return;
  static_cast<void>(async_context_remove_when_pending_worker(cyw43_arch_async_context(), &waker));
  cyw43_arch_deinit();
}

bool Wifi::is_passphrase(std::string_view text) {
  constexpr std::size_t least = 8;
  constexpr std::size_t key_size = 64;
  if (text.size() != key_size) return text.empty() || (text.size() >= least && text.size() < key_size);
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
}

bool Wifi::join(std::string_view ssid, std::string_view passphrase) {
  if (!is_on_ || ssid.empty() || ssid.size() > max_ssid || !is_passphrase(passphrase)) return false;
  wipe(passphrase_);
  ssid_size_ = static_cast<std::uint8_t>(ssid.copy(ssid_, sizeof ssid_));
  passphrase_size_ = static_cast<std::uint8_t>(passphrase.copy(passphrase_, sizeof passphrase_));
  backoff_ms_ = first_backoff_ms;
  error_ = WifiError::none;
  failures_ = 0;
  if (!is_link_up(link_status())) {
    start(millis());
    return true;
  }
  // The event of the end must not come after the next attempt.
  leave_link(millis());
  return true;
}

bool Wifi::join(Records& records) {
  char ssid[max_ssid];
  char passphrase[max_passphrase];
  const RecordResult name = records.load("wifi_ssid", ssid);
  const RecordResult key = records.load("wifi_password", passphrase);
  // An unreadable record must not make the network an open network.
  const bool is_read =
      name.status == RecordStatus::ok && (key.status == RecordStatus::ok || key.status == RecordStatus::not_found);
  const std::size_t key_size = key.status == RecordStatus::ok ? key.size : 0;
  const bool is_valid = is_read && join({ssid, name.size}, {passphrase, key_size});
  wipe(passphrase);
  return is_valid;
}

void Wifi::leave() {
  wipe(passphrase_);
  ssid_size_ = passphrase_size_ = failures_ = 0;
  if (!is_on_ || state_ == WifiState::off) return;
  state_ = WifiState::off;
  error_ = WifiError::none;
  static_cast<void>(cyw43_wifi_leave(&cyw43_state, CYW43_ITF_STA));
}

Millis Wifi::poll(Millis now) {
  const Millis due = Interface::poll();
  if (!is_on_) return due;
  // Last, because it computes the time of lwIP's next timer, which earlier calls may have started.
  cyw43_arch_poll();
  return std::min(due, look_at_link(now));
}

void Wifi::wait_for_event(Millis timeout_ms) {
  if (!is_started_) {
    pico::wait_for_event(timeout_ms);
    return;
  }
  cyw43_arch_wait_for_work_until(timeout_ms == forever ? at_the_end_of_time : make_timeout_time_ms(timeout_ms));
}

// The radio has no event for these changes. Returns the milliseconds until the next call.
Millis Wifi::look_at_link(Millis now) {
  if (state_ == WifiState::off) return forever;
  const int status = link_status();
  const Millis passed_ms = now - since_ms_;
  const bool is_up = is_link_up(status);
  if (!is_up) is_leaving_ = false;
  if (is_up && !is_leaving_) {
    if (state_ != WifiState::joined) {
      state_ = WifiState::joined;
      error_ = WifiError::none;
      failures_ = 0;
      since_ms_ = now;
    } else if (passed_ms >= stable_ms) {
      backoff_ms_ = first_backoff_ms;
    }
    return look_interval_ms;
  }
  switch (state_) {
    case WifiState::joined: give_up(now, WifiError::lost); break;
    case WifiState::joining:
      if (status != CYW43_LINK_JOIN) {
        give_up(now, error_of(status));
      } else if (passed_ms >= join_timeout_ms) {
        give_up(now, WifiError::timed_out);
      }
      break;
    default:
      if (passed_ms < wait_ms_) break;
      if (is_up) {
        leave_link(now);
      } else {
        start(now);
      }
  }
  return look_interval_ms;
}

// The driver reports the end of the link with a later event.
void Wifi::leave_link(Millis now) {
  is_leaving_ = true;
  static_cast<void>(cyw43_wifi_leave(&cyw43_state, CYW43_ITF_STA));
  give_up(now, WifiError::lost);
}

void Wifi::start(Millis now) {
  is_leaving_ = false;
  state_ = WifiState::joining;
  since_ms_ = now;
  // Passes sizes, because an SSID of 32 bytes has no zero at its end, and may contain zeros.
  const int error = cyw43_wifi_join(&cyw43_state, ssid_size_, reinterpret_cast<const std::uint8_t*>(ssid_),
                                    passphrase_size_, reinterpret_cast<const std::uint8_t*>(passphrase_),
                                    passphrase_size_ != 0 ? auth_ : CYW43_AUTH_OPEN, nullptr, CYW43_CHANNEL_NONE);
  if (error != 0) give_up(now, WifiError::radio);
}

void Wifi::give_up(Millis now, WifiError error) {
  state_ = WifiState::waiting;
  error_ = error;
  if (error != WifiError::lost && failures_ != UINT8_MAX) ++failures_;
  since_ms_ = now;
  wait_ms_ = backoff_ms_;
  // Joins a returning network soon. An access point that rejects the client could lock it out.
  backoff_ms_ = std::min(2 * backoff_ms_, error == WifiError::rejected ? longest_rejected_ms : longest_backoff_ms);
}

}  // namespace mcp::pico
