// SPDX-License-Identifier: Apache-2.0
/// @file
/// Icons of rows, of links to resources, and of the server.
/// @code
/// constexpr mcp::Icon icons[] = {
///     {.src = "https://example.com/valve.png", .mime_type = "image/png", .sizes = "48x48 96x96"},
///     {.src = "https://example.com/valve-dark.svg", .sizes = "any", .theme = mcp::Icon::Theme::dark}};
/// constexpr mcp::ResourceExtras extras{.icons = icons};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/meta.hpp"
#include "mcp/uri.hpp"

namespace mcp {

namespace compile_error {
void the_src_of_an_icon_must_be_an_https_or_data_uri();
void the_sizes_of_an_icon_must_be_any_or_like_48x48_with_a_space_between_two();
}  // namespace compile_error

/// An image that a client shows for a row, a link, or the server. Lifetime: the strings live as long as the program.
/// Source: basic#icons, 2025-11-25.
struct Icon {
  /// The background that an icon is made for. `unsaid`: the member is not sent.
  enum class Theme : std::uint8_t { unsaid, light, dark };
  /// A public https: URI, or a data: URI with the image in base64.
  std::string_view src = {};
  std::string_view mime_type = {};  ///< Such as "image/png". Not sent if empty.
  std::string_view sizes = {};      ///< "48x48", several with a space between two ("48x48 96x96"), or "any".
  Theme theme = Theme::unsaid;      ///< The background that the icon is made for.
};

namespace detail {

consteval bool is_icon_size(std::string_view size) {
  if (size == "any") return true;
  for (const char separator : {'x', '\0'}) {
    const std::size_t before = size.size();
    const std::string_view number = read_until(size, separator);
    if (number.empty() || number.front() == '0' || (separator == 'x' && number.size() == before)) return false;
    for (const char c : number) {
      if (!is_digit(c)) return false;
    }
  }
  return true;
}

consteval void check_icon(const Icon& icon) {
  const bool https = icon.src.starts_with("https://") && icon.src.size() > 8;
  const bool data = icon.src.starts_with("data:") && icon.src.find(',') != std::string_view::npos;
  if (!is_uri(icon.src) || (!https && !data)) compile_error::the_src_of_an_icon_must_be_an_https_or_data_uri();
  std::string_view rest = icon.sizes;
  bool more = !rest.empty();
  while (more) {
    const std::size_t before = rest.size();
    const std::string_view size = read_until(rest, ' ');
    more = size.size() < before;
    if (!is_icon_size(size)) compile_error::the_sizes_of_an_icon_must_be_any_or_like_48x48_with_a_space_between_two();
  }
}

}  // namespace detail

/// A reference to a constant array of icons, made by naming the array.
class Icons {
 public:
  /// No icons.
  constexpr Icons() = default;
  /// Names an array. The compiler checks `src` and `sizes` of each icon.
  template <std::size_t N>
  consteval Icons(const Icon (&the_icons)[N]) : icons_(the_icons) {  // NOLINT(google-explicit-constructor)
    for (const Icon& icon : the_icons) detail::check_icon(icon);
  }
  /// Returns the icons.
  [[nodiscard]] constexpr std::span<const Icon> rows() const { return icons_; }

 private:
  std::span<const Icon> icons_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
