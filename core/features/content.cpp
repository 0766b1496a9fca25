// SPDX-License-Identifier: Apache-2.0
// The content items of tool results, prompt messages and sampling messages. Source: schema 2025-11-25, ContentBlock.
#include "mcp/content.hpp"
#include "mcp/detail/listing.hpp"

namespace mcp {

void detail::wrap_message(json::Writer& out, bool before, std::uint8_t role) {
  if (!before) return out.object_end();
  if (role == 0) return out.fragment("{\"role\":\"user\",\"content\":");
  out.fragment("{\"role\":\"assistant\",\"content\":");
}

void Content::begin(const char* head, std::size_t size) {
  if (wrap_ != nullptr) wrap_(out_, true, role_);
  out_.fragment(std::string_view(head, size));
}

Errc Content::end() {
  if (decorate_ != nullptr) decorate_(*this);
  out_.object_end();
  if (wrap_ != nullptr) wrap_(out_, false, role_);
  return out_.ok() ? Errc::ok : Errc::no_space;
}

Errc Content::text_end() {
  out_.string_end();
  return end();
}

Errc Content::media(const char* head, const std::span<const std::uint8_t>& bytes, const std::string_view& mime_type) {
  begin(json::Text(head));
  out_.base64(bytes);
  out_.member("mimeType", mime_type);
  return end();
}

Errc Content::image(std::span<const std::uint8_t> bytes, std::string_view mime_type) {
  return media("{\"type\":\"image\",\"data\":", bytes, mime_type);
}

Errc Content::audio(std::span<const std::uint8_t> bytes, std::string_view mime_type) {
  if (!known_.audio) return text("Sound (", mime_type, ") that this client does not support.");
  return media("{\"type\":\"audio\",\"data\":", bytes, mime_type);
}

// Inlined, so that a link without icons takes no more code because of links with icons.
[[gnu::always_inline]] inline void Content::link_begin(const ResourceLink& link) {
  begin("{\"type\":\"resource_link\",\"uri\":");
  out_.string(link.uri);
  out_.member("name", link.name);
  out_.optional_member("title", link.title);
  out_.optional_member("description", link.description);
  out_.optional_member("mimeType", link.mime_type);
  if (link.size) out_.member("size", *link.size);
}

Errc Content::link(const ResourceLink& link) {
  if (!known_.links) return text(link.uri);
  link_begin(link);
  return end();
}

Errc Content::link(const ResourceLink& link, const Icons& icons) {
  if (!known_.icons) return this->link(link);
  link_begin(link);
  detail::write_icons(out_, icons);
  return end();
}

void Content::resource_begin(std::string_view uri, std::string_view mime_type) {
  begin("{\"type\":\"resource\",\"resource\":{\"uri\":");
  out_.string(uri);
  out_.optional_member("mimeType", mime_type);
}

void Content::resource_begin(const EmbeddedResource& resource) {
  resource_begin(resource.uri, resource.mime_type);
  if (known_.meta && !resource.meta.json().empty()) write_meta(out_, &resource.meta);
}

Errc Content::resource_end() {
  out_.object_end();
  return end();
}

Errc Content::resource_blob(std::string_view uri, std::string_view mime_type, std::span<const std::uint8_t> bytes) {
  resource_begin(uri, mime_type);
  out_.fragment("\"blob\":");
  out_.base64(bytes);
  return resource_end();
}

Errc Content::resource_blob(const EmbeddedResource& resource, std::span<const std::uint8_t> bytes) {
  resource_begin(resource);
  out_.fragment("\"blob\":");
  out_.base64(bytes);
  return resource_end();
}

void Content::decorate() {
  // At the first decoration of an item, neither member has a value for this item.
  if (decorate_ == nullptr) annotations_.write = meta_.write = nullptr;
  decorate_ = write_decorations;
}

void Content::write_decorations(Content& content) {
  for (const Decoration& decoration : {content.annotations_, content.meta_}) {
    if (decoration.write != nullptr) decoration.write(content.out_, decoration.what);
  }
  content.decorate_ = nullptr;
}

void Content::write_annotations(json::Writer& out, const void* annotations) {
  detail::write_annotations(out, *static_cast<const Annotations*>(annotations), true);
}

// Before 2025-06-18: without lastModified.
void Content::write_old_annotations(json::Writer& out, const void* annotations) {
  detail::write_annotations(out, *static_cast<const Annotations*>(annotations), false);
}

void Content::write_meta(json::Writer& out, const void* meta) {
  out.fragment("\"_meta\":");
  out.raw(static_cast<const Meta*>(meta)->json());
}

}  // namespace mcp
