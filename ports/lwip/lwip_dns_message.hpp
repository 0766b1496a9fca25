// SPDX-License-Identifier: Apache-2.0
// Walks over the questions and the records of a DNS message (RFC 1035 section 4.1) without decompressing their names.
#pragma once

#include <lwip/apps/mdns.h>
#include <lwip/pbuf.h>

#include <cstddef>

namespace mcp::lwip {

// Offsets in a message, in bytes.
inline constexpr u16_t flags_at = 2;
inline constexpr u16_t question_count_at = 4;
inline constexpr u16_t authority_count_at = 8;
inline constexpr u16_t header_size = 12;

inline constexpr u8_t response_or_operation = 0xF8;  // in the first byte of the flags: not a query
inline constexpr int class_mask = 0x7FFF;            // without the bit of caches, or of unicast responses

inline u16_t read_u16(const pbuf& packet, std::size_t at) {
  const auto offset = static_cast<u16_t>(at);
  return static_cast<u16_t>(pbuf_get_at(&packet, offset) << 8 | pbuf_get_at(&packet, static_cast<u16_t>(offset + 1)));
}

// The offset after the name at `at`, or nothing if the name is invalid or does not end in the packet. Reads a label or
// a pointer at a time.
inline bool skip_name(const pbuf& packet, std::size_t& at) {
  while (at < packet.tot_len) {
    const std::size_t size = pbuf_get_at(&packet, static_cast<u16_t>(at));
    const bool is_pointer = size >= 0xC0;
    if (!is_pointer && size > MDNS_LABEL_MAXLEN) return false;
    at += is_pointer ? 2 : size + 1;
    if (is_pointer || size == 0) return at <= packet.tot_len;
  }
  return false;
}

// The offset after a query or a record; `life` is the offset of its time to live.
inline bool skip_entry(const pbuf& packet, std::size_t& at, bool is_question, std::size_t& life) {
  if (!skip_name(packet, at)) return false;
  life = at + 4;
  if (is_question) {
    at = life;
  } else {
    if (at + 10 > packet.tot_len) return false;
    at += 10U + read_u16(packet, at + 8);
  }
  return at <= packet.tot_len;
}

}  // namespace mcp::lwip
