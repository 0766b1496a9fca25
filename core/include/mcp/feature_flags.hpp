// SPDX-License-Identifier: Apache-2.0
/// @file
/// Optional features that a Definition enables, log levels, and channels.
/// @code
/// void roots_changed(mcp::SessionId) { board::led(100); }
/// constexpr mcp::Definition definition{.name = "thermometer",
///                                      .version = "1.0.0",
///                                      .logging = true,
///                                      .roots_changed = roots_changed,
///                                      .keep_alive = {30'000, 10'000}};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

#include "mcp/port.hpp"
#include "mcp/session_id.hpp"

namespace mcp {

/// Names a stream of messages to a client. A UART has one channel. Streamable HTTP has one for each request that takes
/// long. The transport assigns the numbers.
using Channel = std::uint16_t;
/// The channel of a transport that has only one, such as stdio.
inline constexpr Channel only_channel = 0;
/// The channel for messages of a session that belong to no request.
inline constexpr Channel session_channel = 0xFFFF;

/// No channel: the server sends nothing. Work that needs no client continues.
inline constexpr Channel no_channel = 0xFFFE;

/// In Reply::channel: the message is for all clients of a transport that shares changes (Server::share_changes()).
inline constexpr Channel shared_channel = 0xFFFC;

/// The severity of a log message, as in RFC 5424. Source: server/utilities/logging#log-levels, 2025-11-25.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// A feature that a Definition enables with `= true`. The linker leaves out the code of disabled features.
class FeatureFlag {
 public:
  /// A disabled feature.
  constexpr FeatureFlag() = default;
  /// Enables or disables the feature.
  consteval FeatureFlag(bool on) : on_(on) {}  // NOLINT(google-explicit-constructor)
  /// Returns whether the feature is enabled.
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  bool on_ = false;
};

/// The data of log messages: strings only, or also objects that an output table describes.
enum class LogData : std::uint8_t { texts, objects };

/// Enables the log of a Definition with `.logging = true` or `.logging = mcp::LogData::objects`.
class LoggingFlag {
 public:
  /// No log.
  constexpr LoggingFlag() = default;
  /// Enables or disables a log of strings.
  consteval LoggingFlag(bool on) : on_(on) {}  // NOLINT(google-explicit-constructor)
  /// Enables a log with this kind of data.
  consteval LoggingFlag(LogData data)  // NOLINT(google-explicit-constructor)
      : on_(true), has_objects_(data == LogData::objects) {}
  /// Returns whether there is a log.
  [[nodiscard]] constexpr bool on() const { return on_; }
  /// Returns whether log messages may have objects.
  [[nodiscard]] constexpr bool has_objects() const { return has_objects_; }

 private:
  bool on_ : 1 = false;
  bool has_objects_ : 1 = false;
};

/// The function that the server calls when the roots of a client change: `.roots_changed = function`.
/// Context: main loop; must not block. Source: client/roots#root-list-changes, 2025-11-25.
class RootsChanged {
 public:
  /// The type of the function. `client` is the session whose roots have changed.
  using Function = void (*)(SessionId client);
  /// No function.
  constexpr RootsChanged() = default;
  /// The server calls `callback`.
  consteval RootsChanged(Function callback) : function_(callback), on_(true) {}  // NOLINT(google-explicit-constructor)
  /// Returns the function, or nullptr.
  [[nodiscard]] constexpr Function function() const { return function_; }
  /// Returns whether there is a function.
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  Function function_ = nullptr;
  bool on_ = false;  // whether function_ is set, for compile time, where GCC's sanitizers compare no addresses
};

namespace compile_error {
void the_times_of_keep_alive_must_be_1_to_2147483647_milliseconds();
}

/// Enables pings to silent clients with `.keep_alive = {30'000, 10'000}`. Source: basic/utilities/ping, 2025-11-25.
class KeepAlive {
 public:
  /// No pings.
  constexpr KeepAlive() = default;
  /// The server sends a ping to a client that is silent for `interval_ms` milliseconds. If the client is silent for
  /// `timeout_ms` milliseconds more, the server ends its session and all jobs in it. Limits: both 1 to 2^31 - 1.
  consteval KeepAlive(Millis interval_ms, Millis timeout_ms)
      : interval_ms_(interval_ms), timeout_ms_(timeout_ms), on_(true) {
    // A time of 0 wraps to more than the largest time.
    if (interval_ms - 1 > 0x7FFFFFFE || timeout_ms - 1 > 0x7FFFFFFE) {
      compile_error::the_times_of_keep_alive_must_be_1_to_2147483647_milliseconds();
    }
  }
  /// Returns the time in milliseconds before a ping.
  [[nodiscard]] constexpr Millis interval_ms() const { return interval_ms_; }
  /// Returns the time in milliseconds from the ping to the end of the session.
  [[nodiscard]] constexpr Millis timeout_ms() const { return timeout_ms_; }
  /// Returns whether the server sends pings.
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  Millis interval_ms_ = 0;
  Millis timeout_ms_ = 0;
  bool on_ = false;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
