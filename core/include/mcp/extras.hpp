// What few rows of a table have: icons, annotations, `_meta` and the like. A row points to a constant with its extras,
// and the constant to the code that writes them: a Definition without extras does not link it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/content.hpp"
#include "mcp/detail/exact_number.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/meta.hpp"
#include "mcp/uri.hpp"

namespace mcp {

namespace compile_error {
void the_src_of_an_icon_must_be_an_https_or_data_uri();
void the_sizes_of_an_icon_must_be_any_or_like_48x48_with_a_space_between_two();
void the_priority_of_annotations_must_be_0_to_1();
void the_website_url_must_be_a_uri();
}  // namespace compile_error

/// A picture that stands for a row or the server. Strings live as long as the program. Source: basic#icons, 2025-11-25.
struct Icon {
  enum class Theme : std::uint8_t { unsaid, light, dark };
  /// An https: URI that anybody may fetch, or a data: URI with the picture in base64.
  std::string_view src = {};
  std::string_view mime_type = {};  ///< Such as "image/png". Not sent when empty.
  std::string_view sizes = {};      ///< "48x48", or several with a blank between two: "48x48 96x96"; or "any".
  Theme theme = Theme::unsaid;      ///< The background that it is made for.
};

namespace detail {

consteval bool is_icon_size(std::string_view size) {
  if (size == "any") return true;
  for (const char separator : {'x', '\0'}) {
    const std::size_t before = size.size();
    const std::string_view number = take_until(size, separator);
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
    const std::string_view size = take_until(rest, ' ');
    more = size.size() < before;
    if (!is_icon_size(size)) compile_error::the_sizes_of_an_icon_must_be_any_or_like_48x48_with_a_space_between_two();
  }
}

}  // namespace detail

/// A reference to a constant array of icons, made by naming the array.
class Icons {
 public:
  constexpr Icons() = default;
  template <std::size_t N>
  consteval Icons(const Icon (&icons)[N]) : icons_(icons) {  // NOLINT(google-explicit-constructor)
    for (const Icon& icon : icons) detail::check_icon(icon);
  }
  [[nodiscard]] constexpr std::span<const Icon> rows() const { return icons_; }

 private:
  std::span<const Icon> icons_;
};

/// Hints about what a tool does; a client need not believe them. What is not said is not sent.
/// Source: schema 2025-11-25, ToolAnnotations; sent since revision 2025-03-26.
struct ToolAnnotations {
  std::string_view title = {};              ///< For people, where the tool has no title of its own.
  detail::ExactBool read_only_hint = {};    ///< It changes nothing. Taken for false when unsaid.
  detail::ExactBool destructive_hint = {};  ///< It may undo or overwrite. Taken for true when unsaid.
  detail::ExactBool idempotent_hint = {};   ///< A second call with the same arguments changes nothing more. False.
  detail::ExactBool open_world_hint = {};   ///< It deals with more than this device. Taken for true when unsaid.
};

namespace detail {

/// What the revision of a client knows of rows, beside what all revisions know.
struct Shown {
  bool titles : 1;            // title
  bool meta : 1;              // _meta
  bool icons : 1;             // icons; description and websiteUrl of the server
  bool tool_annotations : 1;  // annotations of tools
  bool output : 1;            // outputSchema; structuredContent
  bool tasks : 1;             // execution of tools; and tasks at all
  bool headers : 1;           // x-mcp-header of parameters
};
/// What the newest revision with sessions shows, which is all that its predecessors do, and what stateless ones show.
inline constexpr Shown legacy_shown{.titles = true,
                                    .meta = true,
                                    .icons = true,
                                    .tool_annotations = true,
                                    .output = true,
                                    .tasks = true,
                                    .headers = false};
inline constexpr Shown modern_shown{.titles = true,
                                    .meta = true,
                                    .icons = true,
                                    .tool_annotations = true,
                                    .output = true,
                                    .tasks = false,
                                    .headers = true};

/// What is shown of the rows of a table in which no row has extras or an output: the rest is not linked.
struct Plain {
  bool titles;
  bool headers;
};

/// Writes the members of one kind of extras, for the kinds below.
template <class Extras>
void write_extras(json::Writer& out, const Extras& extras, Shown shown);

/// Which code writes the extras: the same for all of a kind, and linked with the first of them.
template <class Extras>
struct ExtrasWriter {
  void (*write)(json::Writer& out, const Extras& extras, Shown shown) = write_extras<Extras>;
};

}  // namespace detail

/// The extras of a tool: a constant that ToolInfo::extras names. `constexpr mcp::ToolExtras extras{.icons = icons};`
/// Icons are sent since revision 2025-11-25, `_meta` since 2025-06-18; the same holds for the kinds below.
struct ToolExtras {
  detail::ExtrasWriter<ToolExtras> writer = {};  ///< For the server.
  Icons icons = {};
  Meta meta = {};
  ToolAnnotations annotations = {};
};

/// The extras of a resource.
struct ResourceExtras {
  detail::ExtrasWriter<ResourceExtras> writer = {};  ///< For the server.
  Icons icons = {};
  Meta meta = {};
  Annotations annotations = {};
  detail::ExactSize size = {};  ///< Of the body, in bytes, when it is always the same.
};

/// The extras of a resource template.
struct ResourceTemplateExtras {
  detail::ExtrasWriter<ResourceTemplateExtras> writer = {};  ///< For the server.
  Icons icons = {};
  Meta meta = {};
  Annotations annotations = {};
};

/// The extras of a prompt.
struct PromptExtras {
  detail::ExtrasWriter<PromptExtras> writer = {};  ///< For the server.
  Icons icons = {};
  Meta meta = {};
};

/// What else is said of the server. Sent since revision 2025-11-25.
struct ServerExtras {
  detail::ExtrasWriter<ServerExtras> writer = {};  ///< For the server.
  std::string_view description = {};               ///< What it does, for people. Not sent when empty.
  std::string_view website_url = {};               ///< Not sent when empty.
  Icons icons = {};
};

namespace detail {

consteval void check_annotations(const Annotations& annotations) {
  if (!annotations.priority) return;
  std::int64_t one = 1;
  for (unsigned i = 0; i < annotations.priority->decimals; ++i) one *= 10;
  if (annotations.priority->value < 0 || annotations.priority->value > one) {
    compile_error::the_priority_of_annotations_must_be_0_to_1();
  }
}

}  // namespace detail

/// A reference to a constant with extras, made by naming the constant.
template <class Extras>
class ExtrasOf {
 public:
  constexpr ExtrasOf() = default;
  consteval ExtrasOf(const Extras& extras) : extras_(&extras), any_(true) {  // NOLINT(google-explicit-constructor)
    if constexpr (requires { extras.annotations.priority; }) detail::check_annotations(extras.annotations);
    if constexpr (requires { extras.website_url; }) {
      if (!extras.website_url.empty() && !detail::is_uri(extras.website_url))
        compile_error::the_website_url_must_be_a_uri();
    }
  }

  /// For the server.
  void write(json::Writer& out, detail::Shown shown) const {
    if (extras_ != nullptr) extras_->writer.write(out, *extras_, shown);
  }
  [[nodiscard]] constexpr bool any() const { return any_; }
  [[nodiscard]] constexpr const Extras& get() const { return *extras_; }

 private:
  const Extras* extras_ = nullptr;
  bool any_ = false;  // since GCC's sanitizers compare no addresses at compile time
};

}  // namespace mcp
