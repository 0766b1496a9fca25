// SPDX-License-Identifier: Apache-2.0
// Two copies in the halves of a flash. Each begins with a header and a unit that confirms it, and the entries follow:
//
//   header    magic, format, generation, size of the entries, CRC-32 of the entries, CRC-32 of the header
//   confirm   one unit, programmed when the header and the entries have been read back
//   decision  at least 4 bytes, see below
//   entries   size of the name (1 byte), size of the value (2 bytes), name, value
//
// A unit whose programming was interrupted may read differently each time. So a valid CRC proves nothing about a copy
// without a confirmation, and the other half is erased only after the confirmation is complete. If both copies are
// confirmed, the newer one is complete. If neither is confirmed, the older one is complete.
//
// The confirmation itself may read differently each time. So a reset that finds two complete copies programs the
// decision about the newer one before it erases either of them. Otherwise, after a power failure in this erasure, the
// next reset could choose the copy that is partly erased, and erase the other one. A decision with other bytes was
// interrupted, and does not count.
//
// After a power failure, a half without a valid copy may contain an old value, or a new value that was not stored. So
// the first call after a reset erases this half unless it is blank. A damaged copy that was complete is kept.
#include "mcp/ports/flash_records.hpp"

#include <algorithm>
#include <cstring>

#include "mcp/assert.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp {
namespace {

constexpr std::uint32_t magic = 0x4345'524D;  // "MREC"
constexpr std::uint32_t format_1 = 1;
constexpr std::size_t header_bytes = 24;
constexpr std::size_t entry_head = 3;
constexpr std::size_t chunk_size = 32;
constexpr std::size_t least_decision = 4;
constexpr std::uint8_t blank = 0xFF;
constexpr std::uint8_t confirmed = 0;
constexpr std::uint8_t rejected = 0x55;

// CRC-32 of IEEE 802.3, bit by bit, because a table would take 1 KB of flash.
std::uint32_t add_to_crc(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
  crc = ~crc;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (unsigned bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB8'8320 : 0);
  }
  return ~crc;
}

std::uint32_t read_u32(const std::uint8_t* at) {
  return at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24;
}

void write_u32(std::uint8_t* at, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

std::span<const std::uint8_t> bytes_of(std::span<const char> text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// A few bytes of the flash, which may be secret.
class Chunk {
 public:
  Chunk() = default;
  ~Chunk() { memory::wipe({reinterpret_cast<char*>(bytes_), chunk_size}); }
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;

  /// Reads at most chunk_size bytes, and returns their number; 0 if the flash cannot be read.
  std::size_t read(Flash& flash, std::size_t at, std::size_t size) {
    size_ = std::min(size, chunk_size);
    return flash.read(at, {bytes_, size_}) ? size_ : 0;
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {bytes_, size_}; }

 private:
  std::uint8_t bytes_[chunk_size] = {};
  std::size_t size_ = 0;
};

}  // namespace

struct FlashRecords::Header {
  bool is_valid = false;
  bool is_confirmed = false;
  bool is_decided = false;  // or the decision was interrupted
  bool is_header = false;   // or was a header: its magic or its CRC is right
  std::uint32_t generation = 0;
  std::uint32_t size = 0;
  std::uint32_t crc = 0;
};

struct FlashRecords::Entry {
  std::size_t at = 0;  // 0: no entry
  std::size_t name_size = 0;
  std::size_t value_size = 0;

  [[nodiscard]] std::size_t name_at() const { return at + entry_head; }
  [[nodiscard]] std::size_t value_at() const { return name_at() + name_size; }
  [[nodiscard]] std::size_t size() const { return at != 0 ? entry_head + name_size + value_size : 0; }
};

// Collects bytes until they are a unit.
class FlashRecords::Output {
 public:
  Output(Flash& flash, std::span<std::uint8_t> unit, std::size_t at) : flash_(&flash), unit_(unit), at_(at) {}
  ~Output() { memory::wipe({reinterpret_cast<char*>(unit_.data()), unit_.size()}); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool put(std::span<const std::uint8_t> bytes) {
    crc_ = add_to_crc(crc_, bytes);
    for (const std::uint8_t byte : bytes) {
      unit_[used_++] = byte;
      if (used_ == unit_.size() && !program()) return false;
    }
    return true;
  }

  /// Programs the last unit.
  bool finish() {
    if (used_ == 0) return true;
    std::fill(unit_.begin() + static_cast<std::ptrdiff_t>(used_), unit_.end(), blank);
    return program();
  }

  [[nodiscard]] std::uint32_t crc() const { return crc_; }

 private:
  bool program() {
    const bool is_done = flash_->program(at_, unit_);
    at_ += unit_.size();
    used_ = 0;
    return is_done;
  }

  Flash* flash_;
  std::span<std::uint8_t> unit_;
  std::size_t at_;
  std::size_t used_ = 0;
  std::uint32_t crc_ = 0;
};

std::size_t FlashRecords::half_size() const {
  const Flash::Geometry geometry = flash_->geometry();
  return geometry.blocks / 2 * geometry.block_size;
}

// The size of the header, the confirmation and the decision.
std::size_t FlashRecords::header_size() const {
  const std::size_t unit = flash_->geometry().unit_size;
  return (header_bytes + unit - 1) / unit * unit + unit + decision_size();
}

std::size_t FlashRecords::decision_size() const { return std::max(flash_->geometry().unit_size, least_decision); }

bool FlashRecords::crc_of(std::size_t at, std::size_t size, std::uint32_t& crc) {
  crc = 0;
  Chunk chunk;
  while (size != 0) {
    const std::size_t read = chunk.read(*flash_, at, size);
    if (read == 0) return false;
    crc = add_to_crc(crc, chunk.bytes());
    at += read;
    size -= read;
  }
  return true;
}

RecordStatus FlashRecords::read_header(unsigned half, Header& header) {
  const std::size_t start = half * half_size();
  std::uint8_t bytes[header_bytes];
  const std::size_t entries_at = start + header_size();
  const std::size_t decision_at = entries_at - decision_size();
  bool is_undecided = false;
  bool is_not_rejected = false;
  const bool is_read = flash_->read(start, bytes) &&
                       find_other(blank, decision_at - unit_.size(), decision_at, header.is_confirmed) &&
                       find_other(blank, decision_at, entries_at, header.is_decided) &&
                       find_other(confirmed, decision_at, entries_at, is_undecided) &&
                       find_other(rejected, decision_at, entries_at, is_not_rejected);
  if (!is_read) return RecordStatus::failed;
  header.is_confirmed = !is_undecided || (header.is_confirmed && is_not_rejected);
  const bool has_magic = read_u32(bytes) == magic;
  write_u32(bytes, magic);
  const bool has_crc = read_u32(bytes + 20) == add_to_crc(0, std::span(bytes).first(20));
  header.is_header = has_magic || has_crc;
  if (!has_magic || !has_crc) return RecordStatus::ok;
  if (read_u32(bytes + 4) != format_1) return RecordStatus::unsupported;
  header.generation = read_u32(bytes + 8);
  header.size = read_u32(bytes + 12);
  header.crc = read_u32(bytes + 16);
  if (header.size > half_size() - header_size()) return RecordStatus::ok;
  std::uint32_t crc = 0;
  if (!crc_of(entries_at, header.size, crc)) return RecordStatus::failed;
  header.is_valid = crc == header.crc;
  return RecordStatus::ok;
}

// Searches for a byte other than `value`. Returns false if the flash cannot be read.
bool FlashRecords::find_other(std::uint8_t value, std::size_t at, std::size_t end, bool& is_found) {
  Chunk chunk;
  is_found = false;
  while (!is_found && at < end) {
    const std::size_t read = chunk.read(*flash_, at, end - at);
    if (read == 0) return false;
    for (const std::uint8_t byte : chunk.bytes()) is_found = is_found || byte != value;
    at += read;
  }
  return true;
}

RecordStatus FlashRecords::mount() {
  if (state_ == State::ready) return RecordStatus::ok;
  const Flash::Geometry geometry = flash_->geometry();
  MCP_ASSERT(geometry.unit_size != 0 && geometry.unit_size <= unit_.size() && half_size() > header_size());
  unit_ = unit_.first(geometry.unit_size);
  Header first;
  Header second;
  const RecordStatus of_first = read_header(0, first);
  const RecordStatus of_second = read_header(1, second);
  for (const RecordStatus status : {of_first, of_second}) {
    if (status != RecordStatus::ok) return status;
  }
  return choose(first, second);
}

// Chooses one of two complete copies.
void FlashRecords::choose_of_two(const Header& first, const Header& second) {
  const bool is_second_newer = static_cast<std::int32_t>(second.generation - first.generation) > 0;
  const Header& newer = is_second_newer ? second : first;
  const unsigned newer_half = is_second_newer ? 1 : 0;
  if (first.is_confirmed != second.is_confirmed) {
    half_ = second.is_confirmed ? 1 : 0;
  } else {
    half_ = is_second_newer == second.is_confirmed ? 1 : 0;
  }
  if (!newer.is_decided) decide(newer_half, half_ == newer_half ? confirmed : rejected);
}

RecordStatus FlashRecords::choose(const Header& first, const Header& second) {
  half_ = second.is_valid ? 1 : 0;
  if (first.is_valid && second.is_valid) {
    choose_of_two(first, second);
  } else if (!first.is_valid && !second.is_valid) {
    // A confirmed copy was complete, so it is damaged, and its other records may be intact.
    const bool is_damaged = (first.is_header && first.is_confirmed) || (second.is_header && second.is_confirmed);
    if (is_damaged) return RecordStatus::failed;
    clean(half_);
  }
  const Header& chosen = half_ == 1 ? second : first;
  // Erases the half now, because it might read differently after the next reset. If this fails, save() tries again.
  clean(1U - half_);
  generation_ = chosen.is_valid ? chosen.generation : 0;
  size_ = chosen.is_valid ? chosen.size : 0;
  state_ = State::ready;
  // A bit of this copy might read differently after the next reset. If the rewrite fails, the copy is still readable
  // now.
  if (chosen.is_valid && !chosen.is_confirmed) static_cast<void>(rewrite({}, {}, nullptr));
  return RecordStatus::ok;
}

// If this fails, the confirmation decides again after a reset.
void FlashRecords::decide(unsigned half, std::uint8_t byte) {
  const std::size_t end = half * half_size() + header_size();
  std::fill(unit_.begin(), unit_.end(), byte);
  bool is_done = true;
  for (std::size_t at = end - decision_size(); is_done && at < end; at += unit_.size())
    is_done = flash_->program(at, unit_);
}

// Erases a half unless it reads as blank. A half that reads as blank may be the result of an interrupted erasure, so
// save() erases it again.
void FlashRecords::clean(unsigned half) {
  const std::size_t start = half * half_size();
  bool has_bytes = false;
  const bool is_read = find_other(blank, start, start + half_size(), has_bytes);
  is_blank_ = (!is_read || has_bytes) && erase_half(half);
}

// Returns false if the flash cannot be read, or if there is no valid entry.
bool FlashRecords::read_entry(std::size_t at, Entry& entry) {
  const std::size_t end = half_ * half_size() + header_size() + size_;
  std::uint8_t head[entry_head];
  if (end - at < entry_head || !flash_->read(at, head)) return false;
  entry = {at, head[0], static_cast<std::size_t>(head[1] | head[2] << 8)};
  return entry.size() <= end - at;
}

bool FlashRecords::has_value(const Entry& entry, std::span<const char> bytes, bool& equal) {
  equal = entry.value_size == bytes.size();
  Chunk chunk;
  for (std::size_t at = 0; equal && at < bytes.size();) {
    const std::size_t read = chunk.read(*flash_, entry.value_at() + at, bytes.size() - at);
    if (read == 0) return false;
    equal = std::memcmp(chunk.bytes().data(), bytes.data() + at, read) == 0;
    at += read;
  }
  return true;
}

bool FlashRecords::has_name(const Entry& entry, std::string_view name, bool& equal) {
  equal = entry.name_size == name.size();
  if (!equal) return true;
  Chunk chunk;
  if (chunk.read(*flash_, entry.name_at(), name.size()) != name.size()) return false;
  equal = std::memcmp(chunk.bytes().data(), name.data(), name.size()) == 0;
  return true;
}

RecordStatus FlashRecords::find(std::string_view name, Entry& entry) {
  const std::size_t begin = half_ * half_size() + header_size();
  for (std::size_t at = begin; at < begin + size_; at += entry.size()) {
    bool equal = false;
    if (!read_entry(at, entry) || !has_name(entry, name, equal)) return RecordStatus::failed;
    if (equal) return RecordStatus::ok;
  }
  entry = {};
  return RecordStatus::not_found;
}

RecordResult FlashRecords::do_load(std::string_view name, std::span<char> into) {
  RecordStatus status = mount();
  Entry entry;
  if (status == RecordStatus::ok) status = find(name, entry);
  if (status != RecordStatus::ok) return {status, 0};
  if (entry.value_size > into.size()) return {RecordStatus::too_large, entry.value_size};
  if (entry.value_size == 0) return {RecordStatus::ok, 0};
  const bool is_read = flash_->read(entry.value_at(), {reinterpret_cast<std::uint8_t*>(into.data()), entry.value_size});
  return is_read ? RecordResult{RecordStatus::ok, entry.value_size} : RecordResult{RecordStatus::failed, 0};
}

RecordStatus FlashRecords::do_save(std::string_view name, std::span<const char> bytes) {
  if (const RecordStatus status = mount(); status != RecordStatus::ok) return status;
  Entry old;
  const RecordStatus found = find(name, old);
  if (found == RecordStatus::failed) return found;
  if (found == RecordStatus::ok) {
    bool equal = false;
    if (!has_value(old, bytes, equal)) return RecordStatus::failed;
    if (equal) return RecordStatus::ok;
  }
  return rewrite(name, old, &bytes);
}

RecordStatus FlashRecords::do_erase(std::string_view name) {
  RecordStatus status = mount();
  Entry old;
  if (status == RecordStatus::ok) status = find(name, old);
  return status == RecordStatus::ok ? rewrite(name, old, nullptr) : status;
}

// The entries of the other half, and their CRC in its header.
bool FlashRecords::write_records(Header& header, std::string_view name, const Entry& old,
                                 const std::span<const char>* bytes) {
  const std::size_t at = (1U - half_) * half_size() + header_size();
  {
    Output out(*flash_, unit_, at);
    if (!write_entries(out, name, old, bytes)) return false;
    header.crc = out.crc();
  }
  std::uint32_t crc = 0;
  return crc_of(at, header.size, crc) && crc == header.crc;
}

bool FlashRecords::write_entries(Output& out, std::string_view name, const Entry& old,
                                 const std::span<const char>* bytes) {
  const std::size_t begin = half_ * half_size() + header_size();
  Chunk chunk;
  for (std::size_t at = begin; at < begin + size_;) {
    std::size_t left = begin + size_ - at;
    if (old.at != 0 && at <= old.at) left = old.at - at;
    if (left == 0) {
      at += old.size();
      continue;
    }
    const std::size_t read = chunk.read(*flash_, at, left);
    if (read == 0 || !out.put(chunk.bytes())) return false;
    at += read;
  }
  if (bytes != nullptr) {
    const std::uint8_t head[entry_head] = {static_cast<std::uint8_t>(name.size()),
                                           static_cast<std::uint8_t>(bytes->size()),
                                           static_cast<std::uint8_t>(bytes->size() >> 8)};
    if (!out.put(head) || !out.put(bytes_of(name)) || !out.put(bytes_of(*bytes))) return false;
  }
  return out.finish();
}

// Writes all records but `old`, and `name` with `bytes` unless they are nullptr, to the other half.
RecordStatus FlashRecords::rewrite(std::string_view name, const Entry& old, const std::span<const char>* bytes) {
  const std::size_t added = bytes != nullptr ? entry_head + name.size() + bytes->size() : 0;
  Header header;
  header.generation = generation_ + 1;
  header.size = static_cast<std::uint32_t>(size_ - old.size() + added);
  if (header.size > half_size() - header_size()) return RecordStatus::full;
  const unsigned other = 1U - half_;
  if (!is_blank_ && !erase_half(other)) return RecordStatus::failed;
  if (!write_records(header, name, old, bytes) || !commit(header)) {
    // A reset could choose this copy, and a value that was not stored must not stay.
    is_blank_ = erase_half(other);
    return RecordStatus::failed;
  }
  half_ = static_cast<std::uint8_t>(other);
  generation_ = header.generation;
  size_ = header.size;
  // The new value is stored also if the old half cannot be erased. The next save() then tries again.
  is_blank_ = erase_half(1U - half_);
  return RecordStatus::ok;
}

// Makes the other half the newest copy.
bool FlashRecords::commit(const Header& header) {
  const std::size_t start = (1U - half_) * half_size();
  std::uint8_t bytes[header_bytes];
  write_u32(bytes, magic);
  write_u32(bytes + 4, format_1);
  write_u32(bytes + 8, header.generation);
  write_u32(bytes + 12, header.size);
  write_u32(bytes + 16, header.crc);
  write_u32(bytes + 20, add_to_crc(0, std::span(bytes).first(20)));
  Output out(*flash_, unit_, start);
  if (!out.put(bytes) || !out.finish()) return false;
  std::uint8_t read[header_bytes];
  if (!flash_->read(start, read) || std::memcmp(read, bytes, header_bytes) != 0) return false;
  std::fill(unit_.begin(), unit_.end(), confirmed);
  return flash_->program(start + header_size() - decision_size() - unit_.size(), unit_);
}

// Erases from the header on, so that an interrupted erasure leaves no header before erased entries.
bool FlashRecords::erase_half(unsigned half) {
  const std::size_t blocks = flash_->geometry().blocks / 2;
  bool is_blank = true;
  for (std::size_t i = 0; i < blocks; ++i) is_blank = flash_->erase(half * blocks + i) && is_blank;
  return is_blank;
}

bool FlashRecords::format() {
  state_ = State::unknown;
  is_blank_ = false;
  const bool is_first_blank = erase_half(0);
  return erase_half(1) && is_first_blank;
}

}  // namespace mcp
