// SPDX-License-Identifier: Apache-2.0
// The recorders: each calls its port, and records the result.
#include "mcp/trace.hpp"

namespace mcp {

using Kind = detail::TraceKind;

namespace detail {

// Records the calls of a stream.
IoResult TracedBytes::read(Trace& trace, ByteStream& stream, std::span<char> into) {
  const IoResult result = stream.read(into);
  if (result.status == IoStatus::would_block) {
    trace.count_blocked();
    return result;
  }
  if (number_ == 0) number_ = trace.new_stream();
  if (result.status == IoStatus::ok) {
    trace.add_read(number_, into.first(result.size), in_);
  } else if (!read_ended_) {
    read_ended_ = true;
    trace.add(result.status == IoStatus::closed ? Kind::read_closed : Kind::read_failed, number_);
  }
  return result;
}

IoResult TracedBytes::write(Trace& trace, ByteStream& stream, std::span<const char> from) {
  const IoResult result = stream.write(from);
  if (result.status == IoStatus::would_block) {
    trace.count_blocked();
    return result;
  }
  if (number_ == 0) number_ = trace.new_stream();
  if (result.status == IoStatus::ok) {
    trace.add_write(number_, from.first(result.size), out_);
  } else if (!write_ended_) {
    write_ended_ = true;
    trace.add(result.status == IoStatus::closed ? Kind::write_closed : Kind::write_failed, number_);
  }
  return result;
}

}  // namespace detail

IoResult TracedStream::do_read(std::span<char> into) {
  if (reads_lines()) stream_.read_lines();
  return bytes_.read(trace_, stream_, into);
}
IoResult TracedStream::do_write(std::span<const char> from) { return bytes_.write(trace_, stream_, from); }

bool TracedEntropy::do_fill(std::span<std::uint8_t> into) {
  trace_.make_key(entropy_);
  bool is_filled = entropy_.fill(into);
  // An id that begins with 6 bits of 0 would look like a request state that the server has sealed.
  for (unsigned i = 0; i < 8 && is_filled && !into.empty() && into.size() < Hmac::size && into[0] < 4; ++i) {
    is_filled = entropy_.fill(into);
  }
  if (!is_filled) {
    trace_.add(Kind::no_entropy, into.size());
  } else if (into.size() >= Hmac::size) {
    trace_.add(Kind::key, into.size());
  } else {
    trace_.add_entropy(into);
  }
  return is_filled;
}

void Trace::add_entropy(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  std::uint8_t data[Hmac::size];
  detail::StandIn stand_in(key_);
  for (std::size_t i = 0; i < bytes.size(); ++i) data[i] = stand_in.bits(bytes[i], 8, 0x11);
  add(Kind::entropy, {data, bytes.size()});
}

void TracedHmac::do_start(std::span<const std::uint8_t, size> key) {
  std::uint8_t all = 0;
  for (const std::uint8_t byte : key) all |= byte;
  has_zero_key_ = all == 0;
  hmac_.start(key);
}

bool TracedHmac::do_finish(std::span<std::uint8_t, size> code) {
  if (!hmac_.finish(code)) {
    trace_.add(Kind::no_code, std::span<const std::uint8_t>());
    return false;
  }
  if (has_zero_key_) {
    trace_.add(Kind::hidden, std::span<const std::uint8_t>());
  } else {
    trace_.add(Kind::code, code);
  }
  return true;
}

std::uint64_t TracedWallClock::do_utc_ms() {
  const std::uint64_t utc_ms = clock_.utc_ms();
  trace_.add(Kind::utc, utc_ms);
  return utc_ms;
}

}  // namespace mcp
