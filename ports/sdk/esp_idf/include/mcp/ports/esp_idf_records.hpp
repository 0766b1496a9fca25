// SPDX-License-Identifier: Apache-2.0
/// @file
/// mcp::Records in the non-volatile storage (NVS) of ESP-IDF.
/// @code
/// mcp::Records& records() {
///   static mcp::esp_idf::NvsRecords nvs;  // after nvs_flash_init()
///   return nvs;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/records.hpp>
#include <span>
#include <string_view>

namespace mcp::esp_idf {

/// Values in a namespace of NVS, one blob for each. The application has called `nvs_flash_init`. NVS survives a power
/// failure at any moment, writes nothing for an equal value, and spreads the wear over its partition.
///
/// The first call opens the namespace, and the first save() creates it. If the partition is erased meanwhile
/// (`nvs_flash_erase`), the next call opens it again.
///
/// Security: NVS keeps old values in flash until it erases their page, so a secret that was replaced or erased can
/// still be read from the flash. With `CONFIG_NVS_ENCRYPTION`, NVS encrypts values.
///
/// Errors: `full` if the partition has no space, `unsynced` if NVS could not remove the old value, and `failed` for
/// each other error, also for a value that is no blob. A partition of a newer format is `unsupported`, if
/// `nvs_flash_init` has reported it and the application has gone on. Limits: NVS_KEY_NAME_MAX_SIZE - 1 characters are
/// Records::max_name. RAM: 24 bytes, and the heap of NVS. Context: one task; reads block for less than 1 ms, writes
/// while the flash works, up to some 100 ms.
class NvsRecords final : public Records {
 public:
  /// Uses the namespace `name` of the partition with the label `partition`. `name` has 1 to 15 characters. Lifetime:
  /// both texts must outlive the object.
  constexpr explicit NvsRecords(const char* name = "mote", const char* partition = "nvs")
      : name_(name), partition_(partition) {}
  /// Closes the namespace.
  ~NvsRecords() { close(); }
  NvsRecords(const NvsRecords&) = delete;
  NvsRecords& operator=(const NvsRecords&) = delete;

 private:
  enum class Mode : std::uint8_t { closed, reads, writes };

  RecordResult do_load(std::string_view name, std::span<char> into) override;
  RecordStatus do_save(std::string_view name, std::span<const char> bytes) override;
  RecordStatus do_erase(std::string_view name) override;
  int open(Mode mode);
  void close();
  template <class Call>
  int run(Mode mode, Call call);

  const char* name_;
  const char* partition_;
  std::uint32_t handle_ = 0;
  Mode mode_ = Mode::closed;
};

}  // namespace mcp::esp_idf

#include <mcp/detail/epilogue.hpp>
