// SPDX-License-Identifier: Apache-2.0
/// @file
/// Records in flash memory, in two copies. At any moment, one of them is complete.
/// @code
/// mcp::Records& records(mcp::Flash& flash) {
///   static std::uint8_t unit[8];  // at least the unit size of the flash
///   static mcp::FlashRecords records{flash, unit};
///   return records;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/ports/flash.hpp"
#include "mcp/records.hpp"

namespace mcp {

/// Stores all records together, in one half of the flash. A change writes all records to the other half and then erases
/// the first half, so that no old value stays in the flash. After a power failure at any moment, also during an erasure
/// or while a unit is programmed, the flash has the records before or after the change. The first call after a reset
/// reads the whole flash, and erases the unused half unless it is blank, so that no older value stays. After a reset,
/// the first change erases this half again.
///
/// Errors: if the only complete copy is damaged, all calls return RecordStatus::failed and change nothing, until
/// format(). After a power failure during format(), call format() again.
///
/// Limits: half of the flash minus its header (24 bytes, one unit, and 4 bytes, each rounded up to units). A record
/// takes its name, its value and 3 bytes. Wear: a changed value erases one half once, and the first change after a
/// reset also erases the other half. With 10,000 cycles of the flash, 20,000 changes are possible. load() and an equal
/// value write nothing. RAM: 24 bytes and `unit`. Context: main loop; a change and the first call block for the
/// erasures, at most of the whole flash.
class FlashRecords final : public Records {
 public:
  /// `flash` has at least two blocks. The last block of an odd number is unused. `unit` is memory for one unit of the
  /// flash. Lifetime: both must outlive the object. The object may be constinit. The first call reads the flash.
  constexpr FlashRecords(Flash& flash, std::span<std::uint8_t> unit) : flash_(&flash), unit_(unit) {}

  /// Erases all records, also records of a newer format and damaged records. Errors: returns false if a block may not
  /// be blank.
  [[nodiscard]] bool format();

 private:
  enum class State : std::uint8_t { unknown, ready };
  struct Header;
  struct Entry;
  class Output;

  RecordResult do_load(std::string_view name, std::span<char> into) override;
  RecordStatus do_save(std::string_view name, std::span<const char> bytes) override;
  RecordStatus do_erase(std::string_view name) override;

  RecordStatus mount();
  void choose_of_two(const Header& first, const Header& second);
  RecordStatus choose(const Header& first, const Header& second);
  RecordStatus read_header(unsigned half, Header& header);
  RecordStatus find(std::string_view name, Entry& entry);
  bool read_entry(std::size_t at, Entry& entry);
  bool has_name(const Entry& entry, std::string_view name, bool& equal);
  bool has_value(const Entry& entry, std::span<const char> bytes, bool& equal);
  RecordStatus rewrite(std::string_view name, const Entry& old, const std::span<const char>* bytes);
  bool write_records(Header& header, std::string_view name, const Entry& old, const std::span<const char>* bytes);
  bool write_entries(Output& out, std::string_view name, const Entry& old, const std::span<const char>* bytes);
  bool commit(const Header& header);
  void decide(unsigned half, std::uint8_t byte);
  bool erase_half(unsigned half);
  bool find_other(std::uint8_t value, std::size_t at, std::size_t end, bool& is_found);
  void clean(unsigned half);
  bool crc_of(std::size_t at, std::size_t size, std::uint32_t& crc);
  [[nodiscard]] std::size_t half_size() const;
  [[nodiscard]] std::size_t header_size() const;
  [[nodiscard]] std::size_t decision_size() const;

  Flash* flash_;
  std::span<std::uint8_t> unit_;
  std::uint32_t generation_ = 0;
  std::uint32_t size_ = 0;  // size of all entries
  State state_ = State::unknown;
  std::uint8_t half_ = 0;  // the half with the records in use
  bool is_blank_ = false;  // this run has erased the other half
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
