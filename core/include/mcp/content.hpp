// The content items of tool results and prompt messages. Knows neither tools nor prompts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/errors.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/meta.hpp"
#include "mcp/text_pieces.hpp"

namespace mcp {

/// Hints about an item for the client. Source: server/resources#annotations, 2025-11-25.
struct Annotations {
  enum class Audience : std::uint8_t { unsaid, user, assistant, both };
  Audience audience = Audience::unsaid;
  std::optional<Scaled> priority = {};  ///< 0 (optional) to 1 (required): {8, 1} is 0.8.
  std::string_view last_modified = {};  ///< ISO 8601, such as "2025-01-12T15:00:58Z". Not sent when empty.
};

/// A resource that the client may read if it wants to; it need not be in the resource table. Uri and name are required;
/// what else is empty is not sent. Source: server/tools#resource-links, 2025-11-25.
struct ResourceLink {
  std::string_view uri = {};
  std::string_view name = {};
  std::string_view title = {};
  std::string_view description = {};
  std::string_view mime_type = {};
  std::optional<std::uint32_t> size = {};  ///< in bytes
};

namespace detail {

/// Writes what stands around an item that is a whole message: before it, and behind it. Role 0 is the user, 1 the
/// assistant.
void wrap_message(json::Writer& out, bool before, std::uint8_t role);

}  // namespace detail

/// Adds items to a message that is being written, in the order of the calls. Everything is written at once; nothing of
/// the arguments is kept. Each answers Errc::no_space when the message has no room left: the client then gets an error
/// instead of it. Source: schema 2025-11-25, ContentBlock.
class Content {
 public:
  /// For the server: what the client knows: types of content, and what else it can do.
  struct alignas(std::uint32_t) Known {  // so that it is copied as one word
    bool audio : 1;
    bool links : 1;
    bool meta : 1;
    bool structured : 1;
    std::uint8_t client : 8;  // bits of protocol::CapabilityBit
  };

  /// Text made of pieces (see TextPiece). Bytes that are not UTF-8 become U+FFFD.
  template <TextPiece... Pieces>
  Errc text(Pieces&&... pieces) {
    begin("{\"type\":\"text\",\"text\":\"");
    (detail::append_piece(out_, pieces), ...);
    return text_end();
  }

  /// A picture, sent as base64: four characters for each three bytes. `mime_type` such as "image/png".
  Errc image(std::span<const std::uint8_t> bytes, std::string_view mime_type);

  /// Sound, in the same way; `mime_type` such as "audio/wav". Clients of revision 2024-11-05 do not know it, and get a
  /// text that says so.
  Errc audio(std::span<const std::uint8_t> bytes, std::string_view mime_type);

  /// A link to a resource. Clients of revisions before 2025-06-18 do not know it, and get its URI as a text.
  Errc link(const ResourceLink& link);

  /// A resource as it is now, text made of pieces.
  template <TextPiece... Pieces>
  Errc resource_text(std::string_view uri, std::string_view mime_type, Pieces&&... pieces) {
    resource_begin(uri, mime_type);
    out_.fragment("\"text\":\"");
    (detail::append_piece(out_, pieces), ...);
    out_.string_end();
    return resource_end();
  }

  /// A resource as it is now, bytes.
  Errc resource_blob(std::string_view uri, std::string_view mime_type, std::span<const std::uint8_t> bytes);

  /// Annotates the next item. `annotations` must stay until it has been added.
  Content& annotate(const Annotations& annotations) {
    decorate();
    annotations_ = {known_.meta ? write_annotations : write_old_annotations, &annotations};  // both of 2025-06-18
    return *this;
  }

  /// Gives the next item a `_meta`, which must stay until it has been added. Clients of revisions before 2025-06-18 do
  /// not get it. Source: basic#_meta, 2025-11-25.
  Content& meta(const Meta& meta) {
    if (!known_.meta || meta.json().empty()) return *this;
    decorate();
    meta_ = {write_meta, &meta};
    return *this;
  }

 protected:
  /// `wrap` writes what stands around an item of a prompt: before it, and behind it.
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

 private:
  Errc media(const char* head, const std::span<const std::uint8_t>& bytes, const std::string_view& mime_type);
  void resource_begin(std::string_view uri, std::string_view mime_type);
  Errc resource_end();
  // What annotate() and meta() say of the next item; the code that writes each of them is linked when it is used.
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
  Decoration annotations_;  // these two mean something while there is a `decorate_`
  Decoration meta_;
};

}  // namespace mcp
