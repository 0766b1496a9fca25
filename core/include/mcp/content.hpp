// SPDX-License-Identifier: Apache-2.0
/// @file
/// The content items of tool results, prompt messages and sampling messages: text, images, audio, links and embedded
/// resources.
/// @code
/// constexpr mcp::Annotations for_user{.audience = mcp::Annotations::Audience::user};
/// mcp::Errc take_photo(mcp::Call& call) {
///   static_cast<void>(call.result().text("Taken at ", board::millis(), " ms."));
///   return call.result().annotate(for_user).image(board::photo(), "image/jpeg");
/// }
/// constexpr mcp::Tool tools[] = {mcp::tool<take_photo>({.name = "take_photo"})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/errors.hpp"
#include "mcp/icon.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/meta.hpp"
#include "mcp/text_pieces.hpp"

namespace mcp {

/// Hints for the client about a content item or a resource. Source: server/resources#annotations, 2025-11-25.
struct Annotations {
  /// The readers of an item. `unsaid`: the member is not sent.
  enum class Audience : std::uint8_t { unsaid, user, assistant, both };
  Audience audience = Audience::unsaid;  ///< The readers of the item.
  std::optional<Scaled> priority = {};   ///< 0 (optional) to 1 (required): {8, 1} is 0.8. Not sent without a value.
  std::string_view last_modified = {};   ///< ISO 8601, such as "2025-01-12T15:00:58Z". Not sent if empty.
};

/// A link to a resource that the client may read. The resource may be missing in the resource table.
/// Lifetime: the strings are copied when the link is added. Source: server/tools#resource-links, 2025-11-25.
struct ResourceLink {
  std::string_view uri = {};               ///< Required.
  std::string_view name = {};              ///< Required.
  std::string_view title = {};             ///< The display name. Not sent if empty.
  std::string_view description = {};       ///< For the model. Not sent if empty.
  std::string_view mime_type = {};         ///< Such as "text/plain". Not sent if empty.
  std::optional<std::uint32_t> size = {};  ///< Of the body, in bytes. Not sent without a value.
};

/// The current body of a resource, in a result or a prompt. Lifetime: the strings are copied when the item is added.
/// Source: schema 2025-11-25, TextResourceContents and BlobResourceContents.
struct EmbeddedResource {
  std::string_view uri = {};        ///< Required.
  std::string_view mime_type = {};  ///< Of the body. Not sent if empty.
  Meta meta = {};                   ///< `_meta` of the body. Not sent to clients of revisions before 2025-06-18.
};

namespace detail {

/// Writes the part of a message before its item, or after it. Role 0 is the user, 1 the assistant.
void wrap_message(json::Writer& out, bool before, std::uint8_t role);

}  // namespace detail

/// Adds items to a result, in the order of the calls. The arguments are copied at once.
/// Errors: each function returns Errc::no_space if the item does not fit into the transmit buffer. The client then gets
/// an error instead of the result. Source: schema 2025-11-25, ContentBlock.
class Content {
 public:
  /// @cond server
  /// The types of content that the client supports, and its capabilities.
  struct alignas(std::uint32_t) Known {  // so that it is copied as one word
    bool audio : 1 = false;
    bool links : 1 = false;
    bool meta : 1 = false;
    bool structured : 1 = false;
    bool icons : 1 = false;       // of links
    std::uint8_t client : 8 = 0;  // bits of protocol::CapabilityBit
  };

  /// @endcond

  /// Adds a text made of pieces (see TextPiece). Bytes that are not UTF-8 become U+FFFD. A piece may be a function that
  /// adds pieces in a loop: `call.result().text("Pins:", [](mcp::TextWriter& text) { for (…) text.add(' ', pin); });`
  template <TextPiece... Pieces>
  Errc text(Pieces&&... pieces) {
    begin("{\"type\":\"text\",\"text\":\"");
    (detail::append_piece(out_, pieces), ...);
    return text_end();
  }

  /// Adds an image, sent as base64: 4 characters for each 3 bytes. `mime_type` is, for example, "image/png".
  Errc image(std::span<const std::uint8_t> bytes, std::string_view mime_type);

  /// Adds audio, sent as base64. `mime_type` is, for example, "audio/wav". Revision 2024-11-05 has no audio. Its
  /// clients get a text that says so.
  Errc audio(std::span<const std::uint8_t> bytes, std::string_view mime_type);

  /// Adds a link to a resource. Revisions before 2025-06-18 have no links. Their clients get the URI as a text.
  Errc link(const ResourceLink& link);
  /// As above, with icons: names an array. Clients of revisions before 2025-11-25 get no icons.
  Errc link(const ResourceLink& link, const Icons& icons);

  /// Adds the current body of a resource, as a text made of pieces (see TextPiece).
  template <TextPiece... Pieces>
  Errc resource_text(std::string_view uri, std::string_view mime_type, Pieces&&... pieces) {
    resource_begin(uri, mime_type);
    out_.fragment("\"text\":\"");
    (detail::append_piece(out_, pieces), ...);
    out_.string_end();
    return resource_end();
  }

  /// Adds the current body of a resource, as a text made of pieces. The body may have a `_meta`; annotate() and meta()
  /// are about the item: `call.result().resource_text({.uri = uri, .meta = of_body}, "21.5")`.
  template <TextPiece... Pieces>
  Errc resource_text(const EmbeddedResource& resource, Pieces&&... pieces) {
    resource_begin(resource);
    out_.fragment("\"text\":\"");
    (detail::append_piece(out_, pieces), ...);
    out_.string_end();
    return resource_end();
  }

  /// As above, with bytes as the body.
  Errc resource_blob(const EmbeddedResource& resource, std::span<const std::uint8_t> bytes);

  /// Adds the current body of a resource, as bytes. They are sent as base64.
  Errc resource_blob(std::string_view uri, std::string_view mime_type, std::span<const std::uint8_t> bytes);

  /// Annotates the next item. Lifetime: `annotations` must be valid until the item is added.
  Content& annotate(const Annotations& annotations) {
    decorate();
    annotations_ = {known_.meta ? write_annotations : write_old_annotations, &annotations};  // both of 2025-06-18
    return *this;
  }

  /// Adds a `_meta` to the next item. It is not sent to clients of revisions before 2025-06-18.
  /// Lifetime: `meta` must be valid until the item is added. Source: basic#_meta, 2025-11-25.
  Content& meta(const Meta& meta) {
    if (!known_.meta || meta.json().empty()) return *this;
    decorate();
    meta_ = {write_meta, &meta};
    return *this;
  }

 protected:
  /// @cond server
  /// `wrap` writes the parts of a prompt message before and after its item.
  Content(json::Writer& out, Known known, void (*wrap)(json::Writer& out, bool before, std::uint8_t role) = nullptr)
      : out_(out), wrap_(wrap), known_(known) {}

  [[nodiscard]] Known known() const { return known_; }

  json::Writer& out_;
  void (*wrap_)(json::Writer& out, bool before, std::uint8_t role);
  Known known_;
  std::uint8_t role_ = 0;

  void begin(json::Text head) { begin(head.data(), head.size()); }
  void begin(const char* head, std::size_t size);
  Errc text_end();
  Errc end();
  /// @endcond

 private:
  Errc media(const char* head, const std::span<const std::uint8_t>& bytes, const std::string_view& mime_type);
  void link_begin(const ResourceLink& link);
  void resource_begin(std::string_view uri, std::string_view mime_type);
  void resource_begin(const EmbeddedResource& resource);
  Errc resource_end();
  // The arguments of annotate() and meta(), and the code that writes them, which is linked only if it is used.
  struct Decoration {
    void (*write)(json::Writer& out, const void* what);
    const void* what;
  };
  void decorate();
  static void write_decorations(Content& content);
  static void write_annotations(json::Writer& out, const void* annotations);
  static void write_old_annotations(json::Writer& out, const void* annotations);
  static void write_meta(json::Writer& out, const void* meta);

  void (*decorate_)(Content& content) = nullptr;
  Decoration annotations_;  // valid only while `decorate_` is set
  Decoration meta_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
