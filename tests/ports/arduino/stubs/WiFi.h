// SPDX-License-Identifier: Apache-2.0
// The classes of a Wi-Fi library, whose clients are scripts of the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include <Arduino.h>

/// The other end of a connection.
struct Peer {
  std::uint32_t address = 0;
  std::string to_server;
  std::string to_client;
  bool is_open = true;               // it has not closed the connection
  bool fails_to_read = false;        // the library reports bytes, and reads none
  bool counts_space = true;          // the library implements availableForWrite()
  std::size_t space = 1'000'000;     // for bytes to the client
  bool is_stopped = false;           // by the server
  std::function<void()> after_look;  // runs after the server has looked for bytes
  unsigned writes = 0;               // calls that a library may block in
  int vanished_after_s = 0;          // keep-alive
};

class WiFiClient : public Print {
 public:
  WiFiClient() = default;
  explicit WiFiClient(std::shared_ptr<Peer> peer) : peer_(std::move(peer)) {}

  std::uint8_t connected() { return peer_ && peer_->is_open && !peer_->is_stopped ? 1 : 0; }
  int available() {
    if (!peer_) return 0;
    const int size = static_cast<int>(peer_->to_server.size());
    if (peer_->after_look) peer_->after_look();
    return size;
  }
  int read(std::uint8_t* into, std::size_t size) {
    if (!peer_ || peer_->fails_to_read) return -1;
    const std::size_t moved = peer_->to_server.copy(reinterpret_cast<char*>(into), size);
    peer_->to_server.erase(0, moved);
    return static_cast<int>(moved);
  }
  int availableForWrite() override { return peer_->counts_space ? static_cast<int>(peer_->space) : 0; }
  std::size_t write(std::uint8_t byte) override { return write(&byte, 1); }
  std::size_t write(const std::uint8_t* from, std::size_t size) override {
    ++peer_->writes;
    if (!peer_->is_open) return 0;
    const std::size_t moved = size < peer_->space ? size : peer_->space;
    peer_->to_client.append(reinterpret_cast<const char*>(from), moved);
    peer_->space -= moved;
    return moved;
  }
  void stop() { peer_->is_stopped = true; }
  void keepAlive(std::uint16_t idle_s, std::uint16_t interval_s, std::uint8_t count) {
    peer_->vanished_after_s = idle_s + interval_s * count;
  }
  IPAddress remoteIP() const { return IPAddress(peer_->address); }
  explicit operator bool() const { return peer_ != nullptr; }

 private:
  std::shared_ptr<Peer> peer_;
};

class WiFiServer {
 public:
  explicit WiFiServer(std::uint16_t) {}
  void begin() { has_begun = true; }
  WiFiClient accept() {
    if (waiting.empty()) return {};
    WiFiClient client(waiting.front());
    waiting.pop_front();
    return client;
  }
  std::shared_ptr<Peer> connect() {
    waiting.push_back(std::make_shared<Peer>());
    return waiting.back();
  }

  std::deque<std::shared_ptr<Peer>> waiting;
  bool has_begun = false;
};

#define WL_CONNECTED 3

#define WL_NO_SSID_AVAIL 1
#define WL_CONNECT_FAILED 4
#define WL_DISCONNECTED 6
enum _wifiModeESP { WIFI_STA, WIFI_AP, WIFI_OFF };

// Of arduino-pico: without a mode, begin() blocks for up to 20 s.
struct WiFiClass {
  void mode(_wifiModeESP) { has_mode = true; }
  int begin(const char* name, const char* secret) {
    if (!has_mode) ++blocked;
    network = name;
    password = secret == nullptr ? "(open)" : secret;
    ++begins;
    return status();
  }
  int disconnect() {
    network.clear();
    return WL_DISCONNECTED;
  }
  int status() { return is_in_reach && !network.empty() ? WL_CONNECTED : status_without; }
  IPAddress localIP() { return IPAddress(0x0100A8C0); }

  std::string network, password;
  unsigned begins = 0;
  unsigned blocked = 0;  // calls of begin() that block
  bool has_mode = false;
  bool is_in_reach = true;
  int status_without = WL_DISCONNECTED;  // while it is not in reach
};
inline WiFiClass WiFi;

struct RP2040 {
  std::uint32_t hwrand32() { return 0x01020304; }
};
inline RP2040 rp2040;
