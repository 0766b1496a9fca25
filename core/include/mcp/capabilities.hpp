// SPDX-License-Identifier: Apache-2.0
/// @file
/// Capabilities that an application declares in addition to those of the server: experimental ones, and extensions.
/// @code
/// constexpr mcp::ServerExtras extras{.experimental = R"({"acme-trace": {}})",
///                                    .extensions = R"({"com.example/calibration": {"version": 2}})"};
/// constexpr mcp::Definition definition{.name = "thermometer", .version = "1.0.0", .extras = extras};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <string_view>

#include "mcp/json/validate.hpp"
#include "mcp/meta.hpp"

namespace mcp {

namespace compile_error {
void capabilities_must_be_a_json_object_whose_members_are_objects();
void two_capabilities_must_not_have_the_same_key();
void a_key_of_the_extensions_must_be_a_name_with_a_prefix_as_in_com_example_slash_name();
void the_server_declares_the_extension_io_modelcontextprotocol_tasks_itself();
}  // namespace compile_error

namespace detail {

consteval bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Checks that `json` is an object, and that each of its members is one. Calls `check` with each key.
template <class Check>
consteval void check_capabilities(std::string_view json, Check check) {
  if (json.empty() || json.front() != '{' || json::validate(json).fault != json::ErrorKind::none) {
    compile_error::capabilities_must_be_a_json_object_whose_members_are_objects();
  }
  std::string_view key;
  unsigned depth = 0;
  for (std::size_t at = 0; next_key(json, at, depth, key);) {
    std::size_t value = at;
    while (json[value] == ':' || is_json_space(json[value])) ++value;
    if (json[value] != '{') compile_error::capabilities_must_be_a_json_object_whose_members_are_objects();
    check(key);
    std::string_view other;
    unsigned other_depth = depth;
    for (std::size_t after = at; next_key(json, after, other_depth, other);) {
      if (other == key) compile_error::two_capabilities_must_not_have_the_same_key();
    }
  }
}

consteval void check_extension_key(std::string_view key) {
  const MetaKey parts(key);
  if (!parts.valid || !parts.has_prefix || key.ends_with('/')) {
    compile_error::a_key_of_the_extensions_must_be_a_name_with_a_prefix_as_in_com_example_slash_name();
  }
  if (key == "io.modelcontextprotocol/tasks")
    compile_error::the_server_declares_the_extension_io_modelcontextprotocol_tasks_itself();
}

}  // namespace detail

/// Experimental capabilities: a JSON object as a string literal. Each member is an object. The compiler checks it. All
/// revisions have them. Source: schema 2025-11-25 and 2026-07-28, ServerCapabilities.
class Experimental {
 public:
  /// No experimental capabilities.
  constexpr Experimental() = default;
  /// `json` is a string literal.
  template <std::size_t N>
  consteval Experimental(const char (&json)[N]) : json_(json, N - 1) {  // NOLINT(google-explicit-constructor)
    detail::check_capabilities(json_, [](std::string_view) {});
  }
  /// Returns the JSON object; empty if there is none. Lifetime: as long as the program.
  [[nodiscard]] constexpr std::string_view json() const { return json_; }

 private:
  std::string_view json_;
};

/// Extensions of MCP that the application supports: a JSON object as a string literal. A key is the identifier of an
/// extension, a name after a prefix and a slash. A member is the object with the settings of the extension. The
/// compiler checks both. The server sends them to stateless clients, whose revision has extensions. It adds
/// `io.modelcontextprotocol/tasks` itself if a tool can be a task.
/// Source: schema 2026-07-28, ServerCapabilities; basic/index#_meta, 2026-07-28.
class Extensions {
 public:
  /// No extensions.
  constexpr Extensions() = default;
  /// `json` is a string literal.
  template <std::size_t N>
  consteval Extensions(const char (&json)[N]) : members_(json, N - 1) {  // NOLINT(google-explicit-constructor)
    detail::check_capabilities(members_, detail::check_extension_key);
    // Without its braces and outer spaces: the server writes further members into the object.
    members_.remove_prefix(1);
    while (detail::is_json_space(members_.back())) members_.remove_suffix(1);
    members_.remove_suffix(1);
    while (!members_.empty() && detail::is_json_space(members_.back())) members_.remove_suffix(1);
    while (!members_.empty() && detail::is_json_space(members_.front())) members_.remove_prefix(1);
  }
  /// Returns the members of the JSON object, without its braces; empty if there are none. Lifetime: as long as the
  /// program.
  [[nodiscard]] constexpr std::string_view members() const { return members_; }

 private:
  std::string_view members_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
