// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface to small values that outlive a reset: tokens, keys, certificates, host names, network addresses.
/// @code
/// bool load_host_name(mcp::Records& records, std::span<char> into, std::string_view& name) {
///   const mcp::RecordResult result = records.load("host_name", into);
///   if (result.status != mcp::RecordStatus::ok) return false;
///   name = std::string_view(into.data(), result.size);
///   return true;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp {

/// The outcome of a call of Records.
enum class RecordStatus : std::uint8_t {
  ok,            ///< The value was read, stored or erased.
  not_found,     ///< No value has this name.
  too_large,     ///< load(): the value is longer than the buffer. save(): longer than Records::max_size.
  full,          ///< save(): the memory has no space for the value. The old value is unchanged.
  invalid_name,  ///< The name breaks the rules of Records::is_valid_name().
  unsupported,   ///< A newer version of the firmware has written the memory. Nothing was changed.
  failed,        ///< The memory did not answer or did not keep what was written. The old value is unchanged.
  unsynced,      ///< save(), erase(): the value has changed, but a power failure may undo it. Call the function again.
};

/// The outcome of Records::load().
struct RecordResult {
  RecordStatus status;  ///< Whether the value was read.
  std::size_t size;     ///< The size of the value in bytes if `status` is `ok` or `too_large`, else 0.
};

/// Values by name in memory that outlives a reset. A port derives from it. A value changes as a whole: after a power
/// failure at any moment of save() or erase(), load() returns either the old value or the new one.
/// Context: main loop; save() and erase() block while the memory works, up to some seconds in flash.
class Records {
 public:
  /// The longest name in characters, as in the NVS of ESP-IDF.
  static constexpr std::size_t max_name = 15;
  /// The longest value in bytes.
  static constexpr std::size_t max_size = 4096;

  /// True for 1 to `max_name` of the characters a-z, 0-9 and _.
  [[nodiscard]] static constexpr bool is_valid_name(std::string_view name) {
    for (const char c : name) {
      if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_') return false;
    }
    return !name.empty() && name.size() <= max_name;
  }

  /// Copies the value of `name` to the beginning of `into`. Ownership: the caller owns `into`.
  /// Errors: `into` then has no meaning. A value that cannot be read is `failed` or `unsupported`, never `not_found`.
  [[nodiscard]] RecordResult load(std::string_view name, std::span<char> into) {
    return is_valid_name(name) ? do_load(name, into) : RecordResult{RecordStatus::invalid_name, 0};
  }

  /// Stores a copy of `bytes` as the value of `name`, in place of an old value. It writes nothing if the old value is
  /// equal. An empty value is a value.
  [[nodiscard]] RecordStatus save(std::string_view name, std::span<const char> bytes) {
    if (!is_valid_name(name)) return RecordStatus::invalid_name;
    return bytes.size() <= max_size ? do_save(name, bytes) : RecordStatus::too_large;
  }

  /// Erases the value of `name`. Returns `not_found` and writes nothing if there is none.
  [[nodiscard]] RecordStatus erase(std::string_view name) {
    return is_valid_name(name) ? do_erase(name) : RecordStatus::invalid_name;
  }

 protected:
  constexpr Records() = default;
  ~Records() = default;  // Not virtual: a virtual destructor links operator delete.

 private:
  virtual RecordResult do_load(std::string_view name, std::span<char> into) = 0;
  virtual RecordStatus do_save(std::string_view name, std::span<const char> bytes) = 0;
  virtual RecordStatus do_erase(std::string_view name) = 0;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
