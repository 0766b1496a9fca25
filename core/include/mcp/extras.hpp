// SPDX-License-Identifier: Apache-2.0
/// @file
/// Optional members of rows: icons, annotations and `_meta`. A row names a constant with its extras. The linker adds
/// the code that writes extras only if a row has some.
/// @code
/// constexpr mcp::Icon icons[] = {{.src = "https://example.com/led.png", .mime_type = "image/png", .sizes = "48x48"}};
/// constexpr mcp::ToolExtras extras{.icons = icons, .annotations = {.idempotent_hint = true}};
/// constexpr mcp::ToolInfo info{.name = "set_led", .extras = extras};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/capabilities.hpp"
#include "mcp/content.hpp"
#include "mcp/detail/exact_number.hpp"
#include "mcp/icon.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/meta.hpp"
#include "mcp/uri.hpp"

namespace mcp {

namespace compile_error {
void the_priority_of_annotations_must_be_0_to_1();
void the_website_url_must_be_a_uri();
}  // namespace compile_error

/// Hints about what a tool does. A client may ignore them. A hint without a value is not sent. Clients assume the
/// default.
/// Source: schema 2025-11-25, ToolAnnotations; sent since revision 2025-03-26.
struct ToolAnnotations {
  std::string_view title = {};              ///< The display name, for a tool without ToolInfo::title.
  detail::ExactBool read_only_hint = {};    ///< The tool changes nothing. Default: false.
  detail::ExactBool destructive_hint = {};  ///< The tool may overwrite or delete. Default: true.
  detail::ExactBool idempotent_hint = {};   ///< A second call with the same arguments changes nothing. Default: false.
  detail::ExactBool open_world_hint = {};   ///< The tool acts on more than this device. Default: true.
};

namespace detail {

/// The members of rows that the revision of a client has, in addition to those of all revisions.
struct Shown {
  bool titles : 1 = false;            // title
  bool meta : 1 = false;              // _meta
  bool icons : 1 = false;             // icons; description and websiteUrl of the server
  bool tool_annotations : 1 = false;  // annotations of tools
  bool output : 1 = false;            // outputSchema; structuredContent
  bool tasks : 1 = false;             // `execution` of tools, and tasks
  bool headers : 1 = false;           // x-mcp-header of parameters; an outputSchema that is no object
};

/// Shown for a table with a tool whose calls must be tasks: a client without tasks gets a description that says so.
struct TaskShown : Shown {
  bool lacks_tasks;
};
/// The members of rows without extras and output. The linker leaves out the code of the others.
struct Plain {
  bool titles;
  bool headers;
};

/// Writes the members of one kind of extras, for the kinds below.
template <class Extras>
void write_extras(json::Writer& out, const Extras& extras, Shown shown);

/// The code that writes extras of one kind. The linker adds it with the first constant of the kind.
template <class Extras>
struct ExtrasWriter {
  void (*write)(json::Writer& out, const Extras& extras, Shown shown) = write_extras<Extras>;
};

}  // namespace detail

/// The extras of a tool: a constant that ToolInfo::extras names.
struct ToolExtras {
  detail::ExtrasWriter<ToolExtras> writer = {};  ///< For the server.
  Icons icons = {};                              ///< Sent since revision 2025-11-25.
  Meta meta = {};                                ///< Sent since revision 2025-06-18.
  ToolAnnotations annotations = {};              ///< Sent since revision 2025-03-26.
};

/// The extras of a resource: a constant that Resource::extras names.
struct ResourceExtras {
  detail::ExtrasWriter<ResourceExtras> writer = {};  ///< For the server.
  Icons icons = {};                                  ///< Sent since revision 2025-11-25.
  Meta meta = {};                                    ///< Sent since revision 2025-06-18.
  Annotations annotations = {};                      ///< `last_modified` is sent since revision 2025-06-18.
  detail::ExactSize size = {};                       ///< Of the body, in bytes, if it never changes.
};

/// The extras of a resource template: a constant that ResourceTemplate::extras names.
struct ResourceTemplateExtras {
  detail::ExtrasWriter<ResourceTemplateExtras> writer = {};  ///< For the server.
  Icons icons = {};                                          ///< Sent since revision 2025-11-25.
  Meta meta = {};                                            ///< Sent since revision 2025-06-18.
  Annotations annotations = {};                              ///< `last_modified` is sent since revision 2025-06-18.
};

/// The extras of a prompt: a constant that Prompt::extras names.
struct PromptExtras {
  detail::ExtrasWriter<PromptExtras> writer = {};  ///< For the server.
  Icons icons = {};                                ///< Sent since revision 2025-11-25.
  Meta meta = {};                                  ///< Sent since revision 2025-06-18.
};

/// The extras of the server: a constant that Definition::extras names. The server sends description, website and icons
/// since revision 2025-11-25, in the results of `initialize` and `server/discover`.
struct ServerExtras {
  detail::ExtrasWriter<ServerExtras> writer = {};  ///< For the server.
  std::string_view description = {};               ///< What the server does. Not sent if empty.
  std::string_view website_url = {};               ///< A URI. Not sent if empty.
  Icons icons = {};                                ///< Icons of the server.
  Experimental experimental = {};                  ///< Capabilities outside of MCP. Sent in all revisions.
  Extensions extensions = {};                      ///< Extensions of MCP. Sent since revision 2026-07-28.
  /// The keys of `_meta` that handlers read by Caller::meta(). `server/discover` lists them as `mote/meta`, so that
  /// toolchains/attach leaves out all others, which may make a request too long for Limits::receive_size.
  MetaKeys meta_keys = {};
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
  /// No extras.
  constexpr ExtrasOf() = default;
  /// Names a constant. The compiler checks its annotations and its URI.
  consteval ExtrasOf(const Extras& the_extras)  // NOLINT(google-explicit-constructor)
      : extras_(&the_extras), any_(true) {
    // Not `extras`: -Wshadow would warn of the user's own constant of that name.
    if constexpr (requires { the_extras.annotations.priority; }) detail::check_annotations(the_extras.annotations);
    if constexpr (requires { the_extras.website_url; }) {
      if (!the_extras.website_url.empty() && !detail::is_uri(the_extras.website_url))
        compile_error::the_website_url_must_be_a_uri();
    }
  }

  /// @cond server
  void write(json::Writer& out, detail::Shown shown) const {
    if (extras_ != nullptr) extras_->writer.write(out, *extras_, shown);
  }
  [[nodiscard]] constexpr bool any() const { return any_; }
  [[nodiscard]] constexpr const Extras& get() const { return *extras_; }
  /// @endcond

 private:
  const Extras* extras_ = nullptr;
  bool any_ = false;  // since GCC's sanitizers compare no addresses at compile time
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
