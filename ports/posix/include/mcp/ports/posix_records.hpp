// SPDX-License-Identifier: Apache-2.0
/// @file
/// Records in a folder, with one file for each value.
/// @code
/// bool save_token(std::string_view token) {
///   mcp::posix::FileRecords records{"/var/lib/boiler"};
///   return records.ok() && records.save("token", token) == mcp::RecordStatus::ok;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

#include "mcp/records.hpp"

namespace mcp::posix {

/// Stores each record in a file of its name, which only the user of the process can read (mode 0600). save() writes a
/// new file, waits until the disk has it, and renames it. A power failure leaves the old file or the new file. A failed
/// save() leaves no file with the value. If only the folder cannot be written to disk, save() and erase() return
/// RecordStatus::unsynced. While the object exists, no other process can use the folder for FileRecords. Context: main
/// loop; blocks for the disk.
class FileRecords final : public Records {
 public:
  /// Opens the folder, and makes it (mode 0700) if it does not exist; its parent must exist. Errors: see ok().
  explicit FileRecords(const char* folder);
  ~FileRecords();
  FileRecords(const FileRecords&) = delete;
  FileRecords& operator=(const FileRecords&) = delete;

  /// Returns whether the folder can be used. If not, `errno` after the constructor has the reason: EWOULDBLOCK if
  /// another process uses the folder. All other functions then return RecordStatus::failed.
  [[nodiscard]] bool ok() const { return lock_ >= 0; }

 private:
  RecordResult do_load(std::string_view name, std::span<char> into) override;
  RecordStatus do_save(std::string_view name, std::span<const char> bytes) override;
  RecordStatus do_erase(std::string_view name) override;

  bool write_new(std::span<const char> bytes);
  void discard_new();
  RecordStatus sync();

  int folder_ = -1;
  int lock_ = -1;
  bool needs_sync_ = true;  // the folder needs a sync, also for a change of a killed process
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
