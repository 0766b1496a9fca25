// SPDX-License-Identifier: Apache-2.0
/// @file
/// `_meta`: members that an application adds to rows, results and content items.
/// @code
/// constexpr mcp::ToolExtras extras{.meta = R"({"com.example/rack": 7})"};
/// constexpr mcp::ToolInfo info{.name = "set_led", .extras = extras};
/// constexpr mcp::Meta of_item = R"({"com.example/slot": 2})";
/// mcp::Errc set_led(mcp::Call& call) { return call.result().meta(of_item).text("The LED is on."); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <string_view>

#include "mcp/json/validate.hpp"
#include "mcp/uri.hpp"

namespace mcp {

namespace compile_error {
void the_meta_must_be_a_json_object();
void a_key_of_the_meta_must_be_a_name_with_a_prefix_as_in_com_example_slash_name();
void a_key_of_the_meta_must_not_have_a_prefix_reserved_for_mcp();
void two_keys_of_the_meta_must_not_be_the_same();
void the_meta_keys_must_be_a_json_array_of_strings();
}  // namespace compile_error

namespace detail {

/// Removes the part before the first `separator` from `text`, and the separator. Returns the part: all without one.
constexpr std::string_view read_until(std::string_view& text, char separator) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != separator) ++end;
  const std::string_view taken(text.data(), end);
  text.remove_prefix(end < text.size() ? end + 1 : end);
  return taken;
}

/// A label of the prefix: begins with a letter, ends with a letter or a digit, has hyphens between them.
consteval bool is_meta_label(std::string_view label) {
  if (label.empty() || !is_letter(label.front()) || label.back() == '-') return false;
  for (const char c : label) {
    if (!is_letter(c) && !is_digit(c) && c != '-') return false;
  }
  return true;
}

/// The name after the prefix: may be empty.
consteval bool is_meta_name(std::string_view name) {
  const auto outer = [](char c) { return is_letter(c) || is_digit(c); };
  for (const char c : name) {
    if (!outer(c) && c != '-' && c != '_' && c != '.') return false;
  }
  return name.empty() || (outer(name.front()) && outer(name.back()));
}

/// The parts of a key: a name, after an optional prefix and a slash.
struct MetaKey {
  bool valid = true;
  bool has_prefix = false;
  bool reserved = false;  // the second label of the prefix is one of MCP

  consteval explicit MetaKey(std::string_view key) {
    std::size_t slash = 0;
    while (slash < key.size() && key[slash] != '/') ++slash;
    has_prefix = slash < key.size();
    valid = is_meta_name(has_prefix ? key.substr(slash + 1) : key);
    if (!has_prefix) return;
    std::string_view prefix = key.substr(0, slash);
    std::size_t index = 0;
    bool more = true;
    while (more) {
      const std::size_t before = prefix.size();
      const std::string_view label = read_until(prefix, '.');
      more = label.size() < before;  // a dot was removed, too, so there is another label, if only an empty one
      valid = valid && is_meta_label(label);
      reserved = reserved || (index == 1 && (label == "modelcontextprotocol" || label == "mcp"));
      ++index;
    }
  }
};

consteval void check_meta_key(std::string_view key) {
  const MetaKey parts(key);
  if (!parts.valid) compile_error::a_key_of_the_meta_must_be_a_name_with_a_prefix_as_in_com_example_slash_name();
  if (parts.reserved) compile_error::a_key_of_the_meta_must_not_have_a_prefix_reserved_for_mcp();
}

/// The next key of the JSON object `json` (valid) itself, from `at` on; `at` is then after it. False when there is
/// none.
consteval bool next_key(std::string_view json, std::size_t& at, unsigned& depth, std::string_view& key) {
  while (at < json.size()) {
    const char c = json[at++];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t start = at;
    while (json[at] != '"') at += json[at] == '\\' ? 2u : 1u;
    key = {json.data() + start, at++ - start};
    std::size_t after = at;
    while (json[after] == ' ' || json[after] == '\t' || json[after] == '\r' || json[after] == '\n') ++after;
    if (depth == 1 && json[after] == ':') return true;
  }
  return false;
}

consteval void check_meta(std::string_view json) {
  if (json.empty() || json.front() != '{' || json::validate(json).fault != json::ErrorKind::none) {
    compile_error::the_meta_must_be_a_json_object();
  }
  std::string_view key;
  unsigned depth = 0;
  for (std::size_t at = 0; next_key(json, at, depth, key);) {
    check_meta_key(key);
    std::string_view other;
    unsigned other_depth = depth;
    for (std::size_t after = at; next_key(json, after, other_depth, other);) {
      if (other == key) compile_error::two_keys_of_the_meta_must_not_be_the_same();
    }
  }
}

consteval void check_meta_keys(std::string_view json) {
  if (json.empty() || json.front() != '[' || json::validate(json).fault != json::ErrorKind::none) {
    compile_error::the_meta_keys_must_be_a_json_array_of_strings();
  }
  json.remove_prefix(1);
  while (!json.empty()) {
    const char c = json.front();
    json.remove_prefix(1);
    if (c == '"') {
      check_meta_key(read_until(json, '"'));
    } else if (c != ' ' && c != ',' && c != ']') {
      compile_error::the_meta_keys_must_be_a_json_array_of_strings();
    }
  }
}

}  // namespace detail

/// The JSON object of a `_meta`, as a string literal. The compiler checks that it is valid JSON, that no key occurs
/// twice, and that each key is valid. A key is a name, after an optional prefix: labels with dots between them, then a
/// slash. Use a prefix that you own, so that no other extension has the same key. Prefixes whose second label is
/// `modelcontextprotocol` or `mcp` are reserved. Source: basic#_meta, 2025-11-25.
class Meta {
 public:
  /// No `_meta`.
  constexpr Meta() = default;
  /// `json` is a string literal.
  template <std::size_t N>
  consteval Meta(const char (&json)[N]) : json_(json, N - 1) {  // NOLINT(google-explicit-constructor)
    detail::check_meta(json_);
  }
  /// Returns the JSON object; empty if there is none. Lifetime: as long as the program.
  [[nodiscard]] constexpr std::string_view json() const { return json_; }

 private:
  std::string_view json_;
};

/// Keys of `_meta` of requests: a JSON array as a string literal, such as `R"(["com.example/room"])"`. The compiler
/// checks it, and each key as for Meta.
class MetaKeys {
 public:
  /// No keys.
  constexpr MetaKeys() = default;
  /// `json` is a string literal.
  template <std::size_t N>
  consteval MetaKeys(const char (&json)[N]) : json_(json, N - 1) {  // NOLINT(google-explicit-constructor)
    detail::check_meta_keys(json_);
  }
  /// Returns the JSON array; empty if there is none. Lifetime: as long as the program.
  [[nodiscard]] constexpr std::string_view json() const { return json_; }

 private:
  std::string_view json_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
