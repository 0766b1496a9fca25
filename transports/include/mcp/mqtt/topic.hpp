// SPDX-License-Identifier: Apache-2.0
/// @file
/// The rules for strings, topic names and topic filters of MQTT.
/// @code
/// constexpr bool is_usable(std::string_view server_name, std::string_view filter) {
///   return mcp::mqtt::is_valid_topic(server_name) && mcp::mqtt::is_valid_filter(filter);
/// }
/// static_assert(is_usable("greenhouse/door", "$mcp-server/presence/+/greenhouse/#"));
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <string_view>

#include "mcp/json/utf8.hpp"

namespace mcp::mqtt {

/// The longest string of a packet in bytes. Source: OASIS MQTT 5.0 section 1.5.4.
inline constexpr std::size_t max_string_size = 0xFFFF;

/// True for well-formed UTF-8 without U+0000, of at most max_string_size bytes. An empty string is valid.
/// Source: OASIS MQTT 5.0 section 1.5.4.
[[nodiscard]] constexpr bool is_valid_string(std::string_view text) {
  if (text.size() > max_string_size) return false;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const std::size_t length = *at == '\0' ? 0 : json::utf8_length(at, end);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/// True for a topic name that a client may publish to: a valid string of at least one character without `+` and `#`.
/// Source: OASIS MQTT 5.0 sections 3.3.2.1 and 4.7.
[[nodiscard]] constexpr bool is_valid_topic(std::string_view topic) {
  for (const char c : topic) {
    if (c == '+' || c == '#') return false;
  }
  return !topic.empty() && is_valid_string(topic);
}

/// True for a topic filter that a client may subscribe to. `#` is the last level or the whole filter, and `+` is a
/// whole level. `$share/` is followed by a name of at least one character without `+` and `#`, a `/`, and a filter.
/// Source: OASIS MQTT 5.0 sections 4.7 and 4.8.2.
[[nodiscard]] constexpr bool is_valid_filter(std::string_view filter) {
  if (!is_valid_string(filter)) return false;
  constexpr std::string_view share = "$share/";
  if (filter.starts_with(share)) {
    filter.remove_prefix(share.size());
    const std::size_t slash = filter.find('/');
    if (slash == std::string_view::npos || !is_valid_topic({filter.data(), slash})) return false;
    filter.remove_prefix(slash + 1);
  }
  for (std::size_t i = 0; i < filter.size(); ++i) {
    if (filter[i] != '+' && filter[i] != '#') continue;
    const bool begins = i == 0 || filter[i - 1] == '/';
    const bool ends = i + 1 == filter.size() || (filter[i] == '+' && filter[i + 1] == '/');
    if (!begins || !ends) return false;
  }
  return !filter.empty();
}

}  // namespace mcp::mqtt

#include <mcp/detail/epilogue.hpp>
