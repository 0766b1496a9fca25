// SPDX-License-Identifier: Apache-2.0
/// @file
/// Settings of a device in Records, and the tools that set them over a UART or stdio.
/// @code
/// constexpr mcp::Setting rows[] = {
///     {.name = "host_name", .description = "The name in the network.", .max_size = 63, .is_valid = mcp::is_host_name},
///     {.name = "token", .description = "The bearer token.", .is_secret = true}};
/// constinit char scratch[64];
/// constinit mcp::Settings settings{rows, scratch};  // settings.use(records) before the first message
/// constexpr mcp::Tool tools[] = {mcp::setting_set<settings>(), mcp::setting_list<settings>(),
///                                mcp::setting_erase<settings>()};
/// constexpr mcp::Definition definition{.name = "boiler-setup", .version = "1.0.0", .tools = tools};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/call.hpp"
#include "mcp/errors.hpp"
#include "mcp/params.hpp"
#include "mcp/records.hpp"
#include "mcp/tool.hpp"

namespace mcp {

namespace compile_error {
void a_setting_needs_a_name_of_1_to_15_of_the_characters_a_to_z_0_to_9_underscore();
void two_settings_must_not_have_the_same_name();
void a_setting_must_have_at_most_4096_bytes();
void the_scratch_memory_of_settings_must_hold_the_longest_setting();
}  // namespace compile_error

/// One setting. Its value is the record with this name. Lifetime: the strings (UTF-8) live as long as the program.
struct Setting {
  /// The form of the value in a tool call.
  enum class Kind : std::uint8_t {
    text,  ///< The bytes of the string.
    data,  ///< Bytes as base64, such as a certificate or a key in DER.
  };

  std::string_view name = {};         ///< The name of the setting and its record; see Records::is_valid_name().
  std::string_view description = {};  ///< Explains the setting to the user. Not shown if empty.
  Kind kind = Kind::text;             ///< The form of the value.
  bool is_secret = false;             ///< No tool returns the value or a part of it.
  std::uint16_t max_size = 64;        ///< The longest value in bytes, at most Records::max_size.
  /// Returns whether a value can be stored; nullptr: each value can. Context: main loop; must not block.
  bool (*is_valid)(std::string_view value) = nullptr;
};

/// A table of settings in Records. Only the tools of this header change them over the wire. The application reads them
/// with Records::load().
class Settings {
 public:
  /// The type of the function that the tools call after a value has changed or was erased. `setting` is the row.
  /// Context: main loop, in the handler of a tool; must not block.
  using Changed = void (*)(const Setting& setting);

  /// `the_rows` and `the_scratch` must outlive the object. `the_scratch` holds one value while a tool runs, and zeros
  /// between calls. Errors: an invalid row, or scratch memory smaller than the largest Setting::max_size, does not
  /// compile.
  template <std::size_t N, std::size_t M>
  consteval Settings(const Setting (&the_rows)[N], char (&the_scratch)[M], Changed when_changed = nullptr)
      : rows_(the_rows), scratch_(the_scratch), changed_(when_changed) {
    for (std::size_t i = 0; i < N; ++i) {
      if (!Records::is_valid_name(the_rows[i].name))
        compile_error::a_setting_needs_a_name_of_1_to_15_of_the_characters_a_to_z_0_to_9_underscore();
      if (the_rows[i].max_size > Records::max_size) compile_error::a_setting_must_have_at_most_4096_bytes();
      if (the_rows[i].max_size > M) compile_error::the_scratch_memory_of_settings_must_hold_the_longest_setting();
      for (std::size_t j = 0; j < i; ++j) {
        if (the_rows[i].name == the_rows[j].name) compile_error::two_settings_must_not_have_the_same_name();
      }
    }
  }

  /// Sets the memory of the values. Call it before the server takes the first message. The tools assert this. Lifetime:
  /// `values` must outlive the server.
  void use(Records& values) { records_ = &values; }

  /// @cond server
  Errc set(std::string_view name, std::string_view value, Call& call) const;
  Errc list(Call& call) const;
  Errc erase(std::string_view name, Call& call) const;
  /// @endcond

 private:
  [[nodiscard]] Records& memory() const;
  [[nodiscard]] const Setting* find(std::string_view name) const;
  void show(const Setting& setting, Call& call) const;

  std::span<const Setting> rows_;
  Records* records_ = nullptr;
  std::span<char> scratch_;
  Changed changed_;
};

/// True for a name of 1 to 63 letters, digits and hyphens that has no hyphen at its ends. Source: RFC 1123 section 2.1.
[[nodiscard]] bool is_host_name(std::string_view text);

namespace detail {

struct SettingValue {
  std::string_view name;
  std::string_view value;
};
struct SettingName {
  std::string_view name;
};

inline constexpr auto setting_set_params =
    params(param<&SettingValue::name>("name", {.description = "A name of setting_list"}),
           param<&SettingValue::value>("value", {.description = "The value; base64 for data"}));
inline constexpr auto setting_erase_params =
    params(param<&SettingName::name>("name", {.description = "A name of setting_list"}));

template <Settings& settings>
Errc set_setting(const SettingValue& arguments, Call& call) {
  return settings.set(arguments.name, arguments.value, call);
}
template <Settings& settings>
Errc list_settings(Call& call) {
  return settings.list(call);
}
template <Settings& settings>
Errc erase_setting(const SettingName& arguments, Call& call) {
  return settings.erase(arguments.name, call);
}

consteval Tool wire_only(Tool tool) {
  tool.is_wire_only = true;
  return tool;
}

}  // namespace detail

/// Makes the tool `setting_set`, which checks a value and stores it. No result, error or log contains a value.
/// Errors: a Definition with this tool does not compile over HTTP. A call from a network fails.
template <Settings& settings>
consteval Tool setting_set() {
  return detail::wire_only(tool<detail::set_setting<settings>>(
      {.name = "setting_set", .title = "Set", .description = "Store the value of a setting. It outlives a reset."},
      detail::setting_set_params));
}

/// Makes the tool `setting_list`: each setting with its description, and its value unless it is secret or data.
/// Errors: as for setting_set().
template <Settings& settings>
consteval Tool setting_list() {
  return detail::wire_only(tool<detail::list_settings<settings>>(
      {.name = "setting_list", .title = "Settings", .description = "List the settings. Secrets are not shown."}));
}

/// Makes the tool `setting_erase`, which erases the value of a setting. Errors: as for setting_set().
template <Settings& settings>
consteval Tool setting_erase() {
  return detail::wire_only(tool<detail::erase_setting<settings>>(
      {.name = "setting_erase", .title = "Erase", .description = "Erase the value of a setting."},
      detail::setting_erase_params));
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
