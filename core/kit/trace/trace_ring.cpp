// SPDX-License-Identifier: Apache-2.0
// Adds records to a ring, and reads it. A record counts after all of its bytes are stored, so a reset or a fault at any
// moment leaves whole records.
#include "mcp/assert.hpp"
#include "mcp/detail/atomic.hpp"
#include "kit/trace/trace_records.hpp"

namespace mcp {

using detail::NextRecord;
using detail::TextOut;
using detail::TraceBytes;
using detail::TraceCursor;
using detail::TraceRange;
using detail::TraceRecord;
using detail::TraceRedactor;

namespace {

constexpr std::uint32_t magic = 0x6D7472'01;  // with the version of the records

// The time that a read of the trace may wait for its client before another client may read.
constexpr Millis reader_timeout_ms = 5000;
constexpr Millis ask_again_ms = 200;

// Most bytes of a stream in one record, so that the smallest ring has several records.
constexpr std::size_t longest_piece = 96;

constexpr std::size_t longest_number = 10;

// Most short records of polls after the same time, before one record counts the polls that follow.
constexpr std::uint8_t most_polls = 6;

std::size_t write_number(std::uint8_t* to, std::uint64_t number) {
  std::size_t size = 0;
  for (; number >= 0x80; number >>= 7U) to[size++] = static_cast<std::uint8_t>(number | 0x80U);
  to[size++] = static_cast<std::uint8_t>(number);
  return size;
}

// Keeps the compiler from storing the end of a record before its bytes.
void store_before() { detail::signal_fence(); }

std::uint32_t crc_of(std::uint32_t crc, std::uint8_t byte) {
  crc ^= byte;
  for (unsigned i = 0; i < 8; ++i) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB8'8320U : 0U);
  return crc;
}

}  // namespace

/// Writes one record, whose size is known before its bytes.
class TraceWriter {
 public:
  TraceWriter(Trace& trace, Trace::Kind kind, std::size_t data_size) : trace_(trace) {
    std::uint8_t blocked[longest_number];
    std::size_t blocked_size = 0;
    auto first = static_cast<std::uint8_t>(kind);
    const bool is_poll = kind == Trace::Kind::poll || kind == Trace::Kind::polls;
    if (trace.blocked_ != 0 && !is_poll) {
      blocked_size = write_number(blocked, trace.blocked_);
      first |= detail::blocked_flag;
    }
    trace.blocked_ = 0;
    MCP_DEBUG_ASSERT(blocked_size + data_size <= 0xFF);
    const auto size = static_cast<std::uint8_t>(blocked_size + data_size);
    trace.make_space(detail::record_head_size + size);
    at_ = trace.range_.end;
    check_ = detail::record_check(first, size);
    store(first);
    store(size);
    store(0);
    for (std::size_t i = 0; i < blocked_size; ++i) put(blocked[i]);
  }
  void put(std::uint8_t byte) {
    check_ = detail::record_check(check_, byte);
    store(byte);
  }
  void end() {
    trace_.bytes_[(trace_.range_.end + 2) & (trace_.capacity_ - 1)] = check_;
    store_before();
    trace_.range_.end = at_;
    trace_.polls_ = 0;
  }

 private:
  void store(std::uint8_t byte) { trace_.bytes_[at_++ & (trace_.capacity_ - 1)] = byte; }

  Trace& trace_;
  std::uint32_t at_ = 0;
  std::uint8_t check_ = 0;
};

bool Trace::begin(std::span<std::uint8_t> bytes, std::uint32_t boot_id) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  bool has_records = false;
  if (magic_ == magic && capacity_ == size && range_.end - range_.first <= size) {
    TraceRange rest = range_;
    TraceRecord record{};
    while (detail::next_record({bytes.data(), size}, rest, record) == NextRecord::found) has_records = true;
    range_.end = rest.first;  // before a damaged record
    has_lost_ = has_lost_ != 0 ? 1 : 0;
  } else {
    range_ = {};
    has_lost_ = 0;
  }
  capacity_ = size;
  bytes_ = bytes.data();
  next_value_ = nullptr;
  cursor_ = {};
  next_ = {};
  read_end_ = 0;
  key_ = {};
  last_record_ = 0;
  last_delta_ = 0;
  last_poll_ms_ = 0;
  now_ms_ = 0;
  last_read_ms_ = 0;
  blocked_ = 0;
  last_stream_ = 0;
  last_port_ = 0;
  is_paused_ = false;
  is_read_ = false;
  polls_ = 0;
  magic_ = magic;
  TraceWriter record(*this, Kind::boot, sizeof boot_id);
  for (unsigned i = 0; i < sizeof boot_id; ++i) record.put(static_cast<std::uint8_t>(boot_id >> 8 * i));
  record.end();
  return has_records;
}

void Trace::make_space(std::uint32_t size) {
  MCP_DEBUG_ASSERT(size <= capacity_);
  while (capacity_ - (range_.end - range_.first) < size) {
    has_lost_ = 1;
    TraceRange rest = range_;
    TraceRecord record{};
    // A damaged record has no known end, so all records are removed.
    if (detail::next_record(view(), rest, record) != NextRecord::found) rest.first = range_.end;
    range_.first = rest.first;
    store_before();
  }
}

void Trace::add(Kind kind, std::span<const std::uint8_t> data) {
  if (!is_recording()) return;
  TraceWriter record(*this, kind, data.size());
  for (const std::uint8_t byte : data) record.put(byte);
  record.end();
}

void Trace::add(Kind kind, std::uint64_t number) {
  std::uint8_t data[longest_number];
  add(kind, {data, write_number(data, number)});
}

void Trace::add(Kind kind, std::uint64_t a, std::uint64_t b) {
  std::uint8_t data[2 * longest_number];
  const std::size_t size = write_number(data, a);
  add(kind, {data, size + write_number(data + size, b)});
}

void Trace::add_accept(std::uint32_t listener, std::uint32_t stream, std::uint64_t peer) {
  std::uint8_t data[2 * longest_number + sizeof peer];
  std::size_t size = write_number(data, listener);
  size += write_number(data + size, stream);
  for (unsigned i = 0; i < sizeof peer; ++i) data[size++] = static_cast<std::uint8_t>(peer >> 8 * i);
  add(Kind::accept, {data, size});
}

void Trace::add_text(Kind kind, std::span<const std::uint32_t> numbers, std::string_view text) {
  if (!is_recording()) return;
  std::uint8_t data[3 * longest_number];
  std::size_t size = 0;
  for (const std::uint32_t number : numbers) size += write_number(data + size, number);
  const std::size_t text_size = text.size() < longest_piece ? text.size() : longest_piece;
  TraceWriter record(*this, kind, size + text_size);
  for (std::size_t i = 0; i < size; ++i) record.put(data[i]);
  for (std::size_t i = 0; i < text_size; ++i) record.put(static_cast<std::uint8_t>(text[i]));
  record.end();
}

void Trace::add_log(std::span<const std::uint32_t> numbers, std::string_view text) {
  char stored[longest_piece];
  const std::size_t size = text.size() < longest_piece ? text.size() : longest_piece;
  detail::SecretFinder finder;
  for (std::size_t i = 0; i < size; ++i) stored[i] = finder.next(text[i], key_);
  add_text(Kind::log, numbers, {stored, size});
}

void Trace::add_bytes(Kind more, Kind last, std::uint32_t stream, std::span<const char> bytes,
                      TraceRedactor& redactor) {
  if (!is_recording()) {
    for (const char c : bytes) static_cast<void>(redactor.next(c, key_));
    return;
  }
  std::uint8_t number[longest_number];
  const std::size_t number_size = write_number(number, stream);
  while (!bytes.empty()) {
    const std::size_t size = bytes.size() < longest_piece ? bytes.size() : longest_piece;
    TraceWriter record(*this, size == bytes.size() ? last : more, number_size + size);
    for (std::size_t i = 0; i < number_size; ++i) record.put(number[i]);
    for (const char c : bytes.first(size)) record.put(static_cast<std::uint8_t>(redactor.next(c, key_)));
    record.end();
    bytes = bytes.subspan(size);
  }
}

void Trace::add_read(std::uint32_t stream, std::span<const char> bytes, TraceRedactor& redactor) {
  add_bytes(Kind::read_more, Kind::read, stream, bytes, redactor);
}

void Trace::add_write(std::uint32_t stream, std::span<const char> bytes, TraceRedactor& redactor) {
  if (!is_recording() || !is_being_read()) {
    add_bytes(Kind::write_more, Kind::write, stream, bytes, redactor);
    return;
  }
  std::uint32_t crc = 0xFFFF'FFFF;
  for (const char c : bytes) crc = crc_of(crc, static_cast<std::uint8_t>(redactor.next(c, key_)));
  crc = ~crc;
  std::uint8_t data[2 * longest_number + sizeof crc];
  std::size_t size = write_number(data, stream);
  size += write_number(data + size, bytes.size());
  for (unsigned i = 0; i < sizeof crc; ++i) data[size++] = static_cast<std::uint8_t>(crc >> 8 * i);
  add(Kind::wrote, {data, size});
}

Millis Trace::poll(Millis now) {
  now_ms_ = now;
  if (!is_being_read()) is_read_ = false;  // before the time wraps
  if (!is_recording()) return now;
  const std::uint32_t delta = now - last_poll_ms_;
  last_poll_ms_ = now;
  if (extend_polls(delta)) return now;
  if (delta != last_delta_) polls_ = 0;
  last_delta_ = delta;
  const std::uint8_t polls = polls_;
  if (polls < most_polls && delta <= detail::longest_short_poll) {
    make_space(1);
    bytes_[range_.end & (capacity_ - 1)] = static_cast<std::uint8_t>(detail::short_poll | delta);
    store_before();
    ++range_.end;
    blocked_ = 0;
  } else {
    std::uint8_t data[longest_number + detail::polls_count_size];
    std::size_t size = write_number(data, delta);
    if (polls == most_polls) {
      data[size++] = 1;
      data[size++] = 0;
    }
    last_record_ = range_.end;
    add(polls == most_polls ? Kind::polls : Kind::poll, {data, size});
  }
  polls_ = static_cast<std::uint8_t>(polls + 1);
  return now;
}

// Counts a poll in the last record. False if that is not possible.
bool Trace::extend_polls(std::uint32_t delta) {
  if (polls_ <= most_polls || delta != last_delta_) return false;
  const std::uint32_t mask = capacity_ - 1;
  std::uint8_t& low = bytes_[(range_.end - 2) & mask];
  std::uint8_t& high = bytes_[(range_.end - 1) & mask];
  const unsigned count = (low | unsigned{high} << 8U) + 1;
  if (count > 0xFFFF) {
    polls_ = 0;
    return false;
  }
  low = static_cast<std::uint8_t>(count);
  high = static_cast<std::uint8_t>(count >> 8U);
  const std::uint8_t size = bytes_[(last_record_ + 1) & mask];
  std::uint8_t check = detail::record_check(bytes_[last_record_ & mask], size);
  for (std::uint32_t i = 0; i < size; ++i)
    check = detail::record_check(check, bytes_[(last_record_ + detail::record_head_size + i) & mask]);
  bytes_[(last_record_ + 2) & mask] = check;
  blocked_ = 0;
  return true;
}

void Trace::read_value(std::span<std::uint8_t> bytes) {
  if (next_value_ != nullptr) static_cast<void>(next_value_(bytes));
  add(Kind::value, bytes);
}

void Trace::pause() {
  add(Kind::pause, std::span<const std::uint8_t>());
  is_paused_ = true;
}

void Trace::resume() {
  if (!is_paused_) return;
  is_paused_ = false;
  add(Kind::resume, std::span<const std::uint8_t>());
}

void Trace::make_key(Entropy& entropy) {
  if (key_.use != detail::StandIn::Key::Use::none || capacity_ == 0) return;
  std::uint8_t bytes[sizeof key_.words];
  if (!entropy.fill(bytes)) return;
  std::memcpy(key_.words, bytes, sizeof bytes);
  key_.use = detail::StandIn::Key::Use::secret;
}

// ---- Reading -------------------------------------------------------------------------------------------------------

void Trace::dump(TraceBytes bytes, void (*put)(char)) const {
  TextOut out{.function = put};
  const bool is_valid = magic_ == magic && capacity_ == bytes.size;
  TraceRange rest = is_valid ? range_ : TraceRange{};
  TraceRecord record{};
  std::uint32_t count = 0;
  out.put('\n');
  detail::write_title(has_lost_ != 0, out);
  NextRecord next = NextRecord::none;
  while ((next = detail::next_record(bytes, rest, record)) == NextRecord::found) {
    detail::write_record(record, out);
    ++count;
  }
  detail::write_end(count, !is_valid || next == NextRecord::damaged, out);
}

bool Trace::is_being_read() const { return is_read_ && now_ms_ - last_read_ms_ < reader_timeout_ms; }

// Writes the line of a cursor, and moves the cursor to the next one. At the end it writes nothing.
void Trace::write_line(TraceCursor& cursor, TextOut& out) const {
  using Line = TraceCursor::Line;
  const std::uint32_t before = out.total;
  TraceRecord record{};
  if (cursor.line == Line::title) {
    detail::write_title(cursor.is_first_lost, out);
    cursor.line = cursor.has_hole ? Line::lost : Line::record;
  } else if (cursor.line == Line::lost) {
    out.put("\n~lost\n");
    cursor.line = Line::record;
  } else if (const NextRecord next = detail::next_record(view(), cursor.range, record); next == NextRecord::found) {
    detail::write_record(record, out);
    ++cursor.count;
  } else {
    detail::write_end(cursor.count, next == NextRecord::damaged, out);
    cursor.line = Line::done;
  }
  cursor.offset += out.total - before;
}

// True if records that a cursor has not written are overwritten. A cursor without records loses none.
bool Trace::has_lost(const TraceCursor& cursor) const {
  return cursor.range.first != cursor.range.end && static_cast<std::int32_t>(range_.first - cursor.range.first) > 0;
}

// Moves a cursor after the overwritten records. The text before `offset` is sent.
void Trace::skip_lost(TraceCursor& cursor, std::uint32_t offset) const {
  const bool has_rest = static_cast<std::int32_t>(cursor.range.end - range_.first) > 0;
  cursor.range.first = has_rest ? range_.first : cursor.range.end;
  if (cursor.line == TraceCursor::Line::title) {
    TextOut title;
    detail::write_title(cursor.is_first_lost, title);
    cursor.has_hole = true;
    if (offset < title.total) return;  // the rest of the title comes first
  }
  cursor.offset = offset;
  cursor.line = TraceCursor::Line::lost;
}

Chunk Trace::read(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (capacity_ == 0) return Chunk::failed(Errc::internal);
  if (offset == 0) {
    const bool is_shared = is_being_read();
    // Two readers get the same text until a line is sent and cannot be sent again.
    if (is_shared && (cursor_.line != TraceCursor::Line::title || has_lost(cursor_)))
      return Chunk::not_ready(ask_again_ms);
    if (!is_shared) {
      cursor_ = {.range = range_, .is_first_lost = has_lost_ != 0};
      read_end_ = 0;
    }
    is_read_ = true;
    polls_ = 0;  // a record that the reader has must not change
  } else if (offset >= next_.offset) {
    cursor_ = next_;
  }
  // Another client has taken over, because this one was too slow.
  if (offset < cursor_.offset || offset > read_end_) return Chunk::failed(Errc::internal);
  last_read_ms_ = now_ms_;
  if (has_lost(cursor_)) skip_lost(cursor_, offset);
  next_ = cursor_;
  TraceCursor cursor = cursor_;
  TextOut out{.memory = reinterpret_cast<char*>(into.data()), .left = into.size(), .skip = offset - cursor.offset};
  while (out.left != 0 && cursor.line != TraceCursor::Line::done) {
    next_ = cursor;
    write_line(cursor, out);
    if (out.left == into.size()) cursor_ = cursor;  // the line is before the part
  }
  const std::size_t size = into.size() - out.left;
  const std::uint32_t end = offset + static_cast<std::uint32_t>(size);
  if (end > read_end_) read_end_ = end;
  if (cursor.offset <= end) next_ = cursor;
  if (size != 0) return Chunk::bytes(size);
  is_read_ = false;
  // A client that is ahead of another client may be past the end, after records are lost.
  return out.skip == 0 ? Chunk::end() : Chunk::failed(Errc::internal);
}

}  // namespace mcp
