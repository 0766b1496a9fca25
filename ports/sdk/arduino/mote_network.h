// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a sketch in a Wi-Fi network needs in addition: settings in files, a network that is joined again after a loss,
/// and a name for the network.
/// @code
/// mcp::arduino::FileRecords records{LittleFS};
/// mcp::arduino::WifiLink link{WiFi};
/// mcp::arduino::Announcement name{MDNS};
/// void setup() { link.join(records, millis()); }
/// void loop() {
///   if (link.poll(millis())) name.announce("led", 80);
///   name.poll();
/// }
/// @endcode
#pragma once

#include <mote.h>

#include <mcp/memory/secrets.hpp>
#include <mcp/ports/network_report.hpp>
#include <mcp/records.hpp>

#include <mcp/detail/prelude.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp::arduino {

/// Values in the files /mote_NAME of a LittleFS, which changes a file as a whole. The sketch calls the begin() of the
/// file system. Lifetime: `files` must outlive the object. Context: main loop; writes block while the flash works.
template <class Files>
class FileRecords final : public Records {
 public:
  /// Reads and writes the files of `files`, such as LittleFS.
  constexpr explicit FileRecords(Files& files) : files_(&files) {}

 private:
  struct Path {
    explicit Path(std::string_view name) { text[prefix + name.copy(text + prefix, max_name)] = '\0'; }
    static constexpr std::size_t prefix = 6;
    char text[prefix + max_name + 1] = "/mote_";
  };

  RecordResult do_load(std::string_view name, std::span<char> into) override {
    const Path path(name);
    if (!files_->exists(path.text)) return {RecordStatus::not_found, 0};
    auto file = files_->open(path.text, "r");
    if (!file) return {RecordStatus::failed, 0};
    const std::size_t size = file.size();
    const bool fits = size <= into.size();
    const bool is_read = fits && read(file, into.first(size));
    file.close();
    if (!fits) return {RecordStatus::too_large, size};
    return is_read ? RecordResult{RecordStatus::ok, size} : RecordResult{RecordStatus::failed, 0};
  }

  RecordStatus do_save(std::string_view name, std::span<const char> bytes) override {
    const Path path(name);
    if (has(path, bytes)) return RecordStatus::ok;
    auto file = files_->open(path.text, "w");
    if (!file) return RecordStatus::failed;
    if (!bytes.empty()) file.write(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    file.close();
    return has(path, bytes) ? RecordStatus::ok : RecordStatus::full;
  }

  RecordStatus do_erase(std::string_view name) override {
    const Path path(name);
    if (!files_->exists(path.text)) return RecordStatus::not_found;
    return files_->remove(path.text) ? RecordStatus::ok : RecordStatus::failed;
  }

  template <class File>
  static bool read(File& file, std::span<char> into) {
    return into.empty() || static_cast<std::size_t>(
                               file.read(reinterpret_cast<std::uint8_t*>(into.data()), into.size())) == into.size();
  }

  // Returns whether the file has these bytes. It may contain a secret.
  bool has(const Path& path, std::span<const char> bytes) {
    if (!files_->exists(path.text)) return false;
    auto file = files_->open(path.text, "r");
    bool is_equal = file && file.size() == bytes.size();
    char piece[32];
    while (is_equal && !bytes.empty()) {
      const std::size_t size = std::min(bytes.size(), sizeof piece);
      is_equal = read(file, std::span(piece).first(size)) && std::equal(piece, piece + size, bytes.begin());
      bytes = bytes.subspan(size);
    }
    if (file) file.close();
    memory::wipe(piece);
    return is_equal;
  }

  Files* files_;
};

/// A Wi-Fi network as a client, joined again after a loss, for ever. `Wifi` is the class of the object WiFi of an ESP32
/// or a Raspberry Pi Pico W. The next attempt begins after 15 s. If the access point rejects the board, as with a wrong
/// password, it begins after 30 s and then after 60 s. Lifetime: `wifi` must outlive the object. Context: main loop;
/// blocks as `wifi` does.
template <class Wifi>
class WifiLink {
 public:
  /// How long an attempt may take before the next one.
  static constexpr Millis attempt_ms = 15'000;
  /// The longest time between two attempts, after rejections.
  static constexpr Millis longest_attempt_ms = 60'000;
  /// Until then, status() may be that of the attempt before.
  static constexpr Millis settle_ms = 2'000;

  /// Uses `wifi`. It joins nothing before join().
  constexpr explicit WifiLink(Wifi& wifi) : wifi_(&wifi) {}

  /// Joins the network of the records `wifi_ssid` and `wifi_password`. Without the record `wifi_password`, the network
  /// is open. Call it at the start, and again after one of them has changed. `now` is the time in milliseconds.
  /// Returns false without a network name, or if one of the two cannot be read.
  bool join(Records& records, Millis now) {
    // An unreadable password must not make the network an open network.
    if (!load(records, "wifi_ssid", ssid_) || !load(records, "wifi_password", password_)) ssid_[0] = '\0';
    is_up_ = false;
    failures_ = 0;
    status_ = idle;
    interval_ms_ = attempt_ms;
    if (ssid_[0] == '\0') {
      wifi_->disconnect();
      return false;
    }
    begin(now);
    return true;
  }

  /// Call it in loop(). Returns true once for each time that the network is joined.
  bool poll(Millis now) {
    if (ssid_[0] == '\0') return false;
    const bool was_up = is_up_;
    const int status = static_cast<int>(wifi_->status());
    is_up_ = status == connected;
    if (is_up_) {
      failures_ = 0;
      status_ = idle;
      interval_ms_ = attempt_ms;
      return !was_up;
    }
    const Millis passed_ms = now - since_ms_;
    const bool is_refused = (status == no_network || status == rejected) && passed_ms >= settle_ms;
    if (!was_up && (is_refused || passed_ms >= attempt_ms)) note_failure(status);
    if (was_up || passed_ms >= interval_ms_) begin(now);
    return false;
  }

  /// Returns whether the network was joined at the last poll().
  [[nodiscard]] bool is_up() const { return is_up_; }

  /// Returns the report for the resource device://network. `address` is the IP address as text, or empty. Lifetime: the
  /// report contains `address`.
  [[nodiscard]] NetworkReport report(std::string_view address) const {
    using State = NetworkReport::State;
    if (ssid_[0] == '\0') return {.state = State::unset, .reason = "no network is set"};
    if (is_up_) return {.state = State::joined, .address = address};
    return {.state = State::joining, .failures = failures_, .reason = reason()};
  }

 private:
  // Of wl_status_t, in all cores.
  static constexpr int idle = 0, no_network = 1, connected = 3, rejected = 4;

  // Of the last attempt that has failed.
  [[nodiscard]] std::string_view reason() const {
    if (failures_ == 0) return {};
    if (status_ == no_network) return "no network with this SSID";
    return status_ == rejected ? "rejected; is the password right?" : "could not join";
  }

  // Once for each attempt.
  void note_failure(int status) {
    if (has_failed_) return;
    has_failed_ = true;
    status_ = status;
    if (failures_ != UINT8_MAX) ++failures_;
    interval_ms_ = status == rejected ? std::min(2 * interval_ms_, longest_attempt_ms) : attempt_ms;
  }

  template <std::size_t size>
  static bool load(Records& records, std::string_view name, char (&into)[size]) {
    const RecordResult result = records.load(name, std::span(into).first(size - 1));
    into[result.status == RecordStatus::ok ? result.size : 0] = '\0';
    return result.status == RecordStatus::ok || result.status == RecordStatus::not_found;
  }

  void begin(Millis now) {
    since_ms_ = now;
    has_failed_ = false;
    wifi_->disconnect();
    // As a station, the begin() of a Pico W does not wait for the network.
    wifi_->mode(WIFI_STA);
    wifi_->begin(ssid_, password_[0] != '\0' ? password_ : nullptr);
  }

  Wifi* wifi_;
  Millis since_ms_ = 0;  // of the attempt, or of the loss
  Millis interval_ms_ = attempt_ms;
  int status_ = idle;  // of the last attempt that has failed
  std::uint8_t failures_ = 0;
  bool has_failed_ = false;  // the attempt
  bool is_up_ = false;
  char ssid_[33] = {};
  char password_[65] = {};
};

/// The name of the device in the network, by mDNS. Clients find it as a service `_mcp._tcp`, as `mote-attach` does.
/// `Mdns` is the class of the object MDNS of an ESP32 or a Raspberry Pi Pico W. Lifetime: `mdns` must outlive the
/// object. Context: main loop.
template <class Mdns>
class Announcement {
 public:
  /// Uses `mdns`. It announces nothing before announce().
  constexpr explicit Announcement(Mdns& mdns) : mdns_(&mdns) {}

  /// Announces the endpoint /mcp at HOST.local and `port`, whose clients need a token. Call it for each new address.
  /// Returns false if the library cannot.
  bool announce(const char* host, std::uint16_t port) {
    mdns_->end();
    is_on_ = mdns_->begin(host) && mdns_->addService("mcp", "tcp", port);
    if (!is_on_) return false;
    mdns_->addServiceTxt("mcp", "tcp", "path", "/mcp");
    mdns_->addServiceTxt("mcp", "tcp", "proto", "http");
    mdns_->addServiceTxt("mcp", "tcp", "auth", "bearer");
    return true;
  }

  /// Call it in loop(). The library of a Pico W answers queries in it. That of an ESP32 has a task.
  void poll() {
    if constexpr (requires(Mdns & mdns) { mdns.update(); }) {
      if (is_on_) mdns_->update();
    }
  }

 private:
  Mdns* mdns_;
  bool is_on_ = false;
};

}  // namespace mcp::arduino

#include <mcp/detail/epilogue.hpp>
