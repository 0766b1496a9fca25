// Everything the server says about the device: one constant, in flash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/resource.hpp"
#include "mcp/tool.hpp"

namespace mcp {

namespace protocol {
struct Feature;
struct TemplateReader;
extern const Feature tools_feature;
extern const Feature resources_feature;
extern const TemplateReader template_reader;
}  // namespace protocol

namespace mistake {
void a_resource_needs_a_uri_with_a_scheme();
void a_resource_needs_a_name();
void a_resource_needs_a_read_function();
void two_resources_have_the_same_uri();
void two_templates_have_the_same_uri_template();
void a_uri_template_has_an_expression_that_cannot_be_matched_back();
void a_definition_needs_a_name_and_a_version();
}  // namespace mistake

namespace detail {

/// RFC 3986 section 3.1, and at least one character behind the colon; no control characters, spaces or non-ASCII.
consteval bool is_uri(std::string_view uri) {
  std::size_t colon = 0;
  while (colon < uri.size() && uri[colon] != ':') {
    const char c = uri[colon];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool later = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!letter && (colon == 0 || !later)) return false;
    ++colon;
  }
  for (const char c : uri) {
    if (c <= ' ' || c >= 0x7F) return false;
  }
  return colon > 0 && colon + 1 < uri.size();
}

}  // namespace detail

/// The tables are references to constant arrays, made by naming the array: `.tools = tools`. With the rows comes the code
/// that serves them: an area that no table names is not linked.
class ToolTable {
 public:
  constexpr ToolTable() = default;
  template <std::size_t N>
  consteval ToolTable(const Tool (&rows)[N]) : rows_(rows), feature_(&protocol::tools_feature) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].info.name == rows[j].info.name) mistake::two_tools_have_the_same_name();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const Tool> rows() const { return rows_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }

 private:
  std::span<const Tool> rows_;
  const protocol::Feature* feature_ = nullptr;
};

class ResourceTable {
 public:
  constexpr ResourceTable() = default;
  template <std::size_t N>
  consteval ResourceTable(const Resource (&rows)[N])  // NOLINT(google-explicit-constructor)
      : rows_(rows), feature_(&protocol::resources_feature) {
    for (std::size_t i = 0; i < N; ++i) {
      if (!detail::is_uri(rows[i].uri)) mistake::a_resource_needs_a_uri_with_a_scheme();
      if (rows[i].name.empty()) mistake::a_resource_needs_a_name();
      if (rows[i].read == nullptr) mistake::a_resource_needs_a_read_function();
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].uri == rows[j].uri) mistake::two_resources_have_the_same_uri();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const Resource> rows() const { return rows_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }

 private:
  std::span<const Resource> rows_;
  const protocol::Feature* feature_ = nullptr;
};

class ResourceTemplateTable {
 public:
  constexpr ResourceTemplateTable() = default;
  template <std::size_t N>
  consteval ResourceTemplateTable(const ResourceTemplate (&rows)[N])  // NOLINT(google-explicit-constructor)
      : rows_(rows), feature_(&protocol::resources_feature), reader_(&protocol::template_reader) {
    for (std::size_t i = 0; i < N; ++i) {
      if (!is_matchable(rows[i].uri_template)) mistake::a_uri_template_has_an_expression_that_cannot_be_matched_back();
      if (rows[i].name.empty()) mistake::a_resource_needs_a_name();
      if (rows[i].read == nullptr) mistake::a_resource_needs_a_read_function();
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].uri_template == rows[j].uri_template) mistake::two_templates_have_the_same_uri_template();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const ResourceTemplate> rows() const { return rows_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }
  [[nodiscard]] constexpr const protocol::TemplateReader* reader() const { return reader_; }

 private:
  std::span<const ResourceTemplate> rows_;
  const protocol::Feature* feature_ = nullptr;
  const protocol::TemplateReader* reader_ = nullptr;
};

/// The device. Strings are UTF-8 literals.
struct Definition {
  std::string_view name = {};          ///< Of the server, for programs. Required.
  std::string_view title = {};         ///< For people. Not sent when empty, nor before revision 2025-06-18.
  std::string_view version = {};       ///< Of the firmware. Required.
  std::string_view instructions = {};  ///< How a model should use this device. Not sent when empty.
  ToolTable tools = {};
  ResourceTable resources = {};
  ResourceTemplateTable resource_templates = {};
};

}  // namespace mcp
