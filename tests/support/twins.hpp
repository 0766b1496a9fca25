// SPDX-License-Identifier: Apache-2.0
// The devices of the tests a second time, with prerendered texts: clients see no difference.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "mcp/definition.hpp"
#include "mcp/prerendered.hpp"

namespace test {

/// A definition, and the same one with prerendered texts.
class Twin {
 public:
  Twin(const mcp::Definition& original, const mcp::Definition& rendered);

  /// The first twin, and the one after this; nullptr at the end.
  static const Twin* all() { return first; }
  [[nodiscard]] const Twin* next() const { return next_; }
  [[nodiscard]] const mcp::Definition& original() const { return original_; }
  [[nodiscard]] const mcp::Definition& rendered() const { return *rendered_; }

  /// The twin of a definition; nullptr if it has none.
  static const mcp::Definition* find(const mcp::Definition& original);
  /// The definition of the server that runs now, if it is a twin. act() then names rows of the twin.
  static void serve(const mcp::Definition* rendered) { served = rendered; }

  /// The row of the server that runs now, for a row of the original.
  template <class Row>
  static const Row& row(const Row& row) {
    for (const Twin* twin = first; twin != nullptr; twin = twin->next_) {
      const std::span<const Row> table = rows_of<Row>(twin->original_);
      const bool is_here =
          twin->rendered_ == served && !table.empty() && &row >= &table.front() && &row <= &table.back();
      if (is_here) return rows_of<Row>(*twin->rendered_)[static_cast<std::size_t>(&row - table.data())];
    }
    return row;
  }

 private:
  template <class Row>
  static std::span<const Row> rows_of(const mcp::Definition& definition) {
    if constexpr (std::is_same_v<Row, mcp::Tool>) return definition.tools.rows();
    if constexpr (std::is_same_v<Row, mcp::Resource>) return definition.resources.rows();
    if constexpr (std::is_same_v<Row, mcp::ResourceTemplate>) return definition.resource_templates.rows();
    if constexpr (std::is_same_v<Row, mcp::Prompt>) return definition.prompts.rows();
  }

  inline static const Twin* first = nullptr;
  inline static const mcp::Definition* served = nullptr;

  const mcp::Definition& original_;
  const mcp::Definition* rendered_;
  const Twin* next_;
};

/// The definition with the prerendered `tables`.
template <const mcp::Definition& definition, const auto&... tables>
constexpr mcp::Definition with_texts = [] {
  mcp::Definition copy = definition;
  [[maybe_unused]] const auto put = [&copy]<const auto & table>() {
    constexpr auto& texts = mcp::prerendered<table>;
    using Row = std::remove_cvref_t<decltype(texts[0])>;
    if constexpr (std::is_same_v<Row, mcp::Tool>) copy.tools = texts;
    if constexpr (std::is_same_v<Row, mcp::Resource>) copy.resources = texts;
    if constexpr (std::is_same_v<Row, mcp::ResourceTemplate>) copy.resource_templates = texts;
    if constexpr (std::is_same_v<Row, mcp::Prompt>) copy.prompts = texts;
  };
  (put.template operator()<tables>(), ...);
  return copy;
}();

/// `const PrerenderedTwin<definition, tools, resources> twin;` registers the twin with these prerendered tables.
template <const mcp::Definition& definition, const auto&... tables>
struct PrerenderedTwin : Twin {
  PrerenderedTwin() : Twin(definition, mcp::prerendered<with_texts<definition, tables...>>) {}
};

}  // namespace test
