// SPDX-License-Identifier: Apache-2.0
// The pico-sdk and its radio, without either: an interface of lwIP that joins and loses networks. A test supplies the
// access point.
#pragma once

#include <lwip/netif.h>
#include <lwip/pbuf.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fake {

// ---- Supplied by the test ----

/// Returns whether the radio chip responds.
bool works();
/// Writes the address of the radio.
void read_mac(std::uint8_t (&mac)[6]);
/// Begins to join a network. Returns the error of the driver; 0 if there is none.
int join(std::string_view ssid, std::string_view passphrase, std::uint32_t auth);
/// Gives received frames to lwIP. The lock is held.
void receive();
/// Sends a frame to the access point.
err_t send(pbuf& frame);
/// Sleeps until `until` in milliseconds (UINT64_MAX: no limit), or until something has happened.
void sleep(std::uint64_t until_ms);

// ---- For the test ----

/// How often the lock of lwIP is held.
extern unsigned lock_depth;
/// How often it was taken.
extern unsigned locks;
/// Whether the context of the pico-sdk has work, so that it does not sleep.
extern bool has_work;
/// The result of cyw43_wifi_link_status(), while there is no link.
extern int join_status;

/// Whether the event of the end comes later than cyw43_wifi_leave() returns, as with the radio: the test reports it.
extern bool ends_later;
/// The access point accepts the radio, or the link is lost.
void set_link(bool is_up);

}  // namespace fake
