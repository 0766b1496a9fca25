// SPDX-License-Identifier: Apache-2.0
/// @file
/// Texts in flash: the compiler renders the rows of lists, and the server copies them into its responses.
/// @code
/// mcp::Errc measure(mcp::Call& call) { return call.result().text("21.5"); }
/// constexpr mcp::Tool tools[] = {mcp::tool<measure>({.name = "measure", .description = "Measure the temperature."})};
/// constexpr mcp::Definition definition{
///     .name = "thermometer", .version = "1.0.0", .tools = mcp::prerendered<tools>};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "mcp/definition.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/detail/transmit_size.hpp"
#include "mcp/json/sizer.hpp"

namespace mcp {

namespace compile_error {
template <class = void>
constexpr void a_prerendered_text_must_have_at_most_65535_bytes(const char* row) {
  __builtin_printf("A prerendered text must have at most 65535 bytes: %s", row);
}
}  // namespace compile_error

/// A table whose rows have their texts in flash, made by `prerendered`.
template <class Row, std::size_t N>
struct Prerendered {
  /// Returns a row, for Server::set_enabled(), Server::resource_updated() and HttpMetrics. The rows of the array that
  /// the table was made of are no rows of the Definition.
  [[nodiscard]] constexpr const Row& operator[](std::size_t index) const { return rows[index]; }

  /// @cond server
  Row rows[N];
  /// @endcond
};

namespace detail {

template <class T>
struct RowsOf;
template <class R, std::size_t N>
struct RowsOf<const R (&)[N]> {
  using Row = R;
  static constexpr std::size_t count = N;
};

/// Ends a text. Returns its bytes.
consteval std::size_t end_text(json::Sizer& out, std::string_view name) {
  out.text_end();
  if (out.has_long_part()) compile_error::a_prerendered_text_must_have_at_most_65535_bytes(name.data());
  return out.size();
}

/// Renders a row. Returns the bytes of its text; `into` may be nullptr.
template <class Row>
consteval std::size_t render(const Row& row, char* into) {
  json::Sizer out = json::Sizer::rendering(into, true);
  write_item(out, row, all_shown);
  return end_text(out, name_of(row));
}

template <const auto& rows, std::size_t i>
consteval auto render_text() {
  std::array<char, render(rows[i], nullptr)> chars{};
  render(rows[i], chars.data());
  return chars;
}
/// The text of a row.
template <const auto& rows, std::size_t i>
inline constexpr auto text_chars = render_text<rows, i>();
template <const auto& rows, std::size_t i>
consteval std::string_view text_of() {
  return {text_chars<rows, i>.data(), text_chars<rows, i>.size()};
}

/// The same string, as a part of the text if it is there, so that it is only once in flash. Without find(), which with
/// GCC's sanitizers is not constant for the text of a template.
consteval std::string_view within(std::string_view text, std::string_view string) {
  for (std::size_t at = 0; at + string.size() <= text.size() && !string.empty(); ++at) {
    std::size_t same = 0;
    while (same < string.size() && text[at + same] == string[same]) ++same;
    if (same == string.size()) return text.substr(at, same);
  }
  return string;
}

consteval bool has_output_rows(const Tool& tool) { return tool.output_count != 0 && !tool.output_is_json; }

/// A row of a parameter table without the members that only its schema has.
consteval ParamInfo without_schema(ParamInfo info, std::string_view text) {
  const bool is_checked = info.has_pattern || info.format != Format::none;  // the codec may read the decorator
  info.name = within(text, info.name);
  info.description = {};
  info.title_text = nullptr;
  info.title_size = 0;
  info.unit_text = nullptr;
  info.unit_size = 0;
  if (!is_checked) info.decorator = nullptr;
  if (info.has_titles) info.minimum = {};
  info.has_titles = false;
  return info;
}

/// GCC's sanitizers compare no addresses of inline variables at compile time: no two tables are then the same.
consteval bool is_same(const ParamInfo* a, const ParamInfo* b) { return __builtin_constant_p(a == b) && a == b; }

/// The first row with the same parameter table, or with the same output, so that their copy is only once in flash.
template <const auto& rows>
consteval std::size_t first_with_params(std::size_t i) {
  std::size_t first = 0;
  while (first < i && !is_same(rows[first].params, rows[i].params)) ++first;
  return first;
}
template <const auto& rows>
consteval std::size_t first_with_output(std::size_t i) {
  std::size_t first = 0;
  while (first < i && !(has_output_rows(rows[first]) && is_same(rows[first].output.rows, rows[i].output.rows))) ++first;
  return first;
}

template <const auto& rows, std::size_t i>
consteval auto shorten_params() {
  std::array<ParamInfo, rows[i].param_count> copy{};
  for (std::size_t k = 0; k < copy.size(); ++k) copy[k] = without_schema(rows[i].params[k], text_of<rows, i>());
  return copy;
}
template <const auto& rows, std::size_t i>
inline constexpr auto params_of = shorten_params<rows, i>();

template <const auto& rows, std::size_t i>
consteval auto shorten_output() {
  std::array<ParamInfo, rows[i].output_count> copy{};
  for (std::size_t k = 0; k < copy.size(); ++k) copy[k] = without_schema(rows[i].output.rows[k], text_of<rows, i>());
  return copy;
}
template <const auto& rows, std::size_t i>
inline constexpr auto output_of = shorten_output<rows, i>();

template <const auto& rows, std::size_t i>
consteval auto shorten_arguments() {
  std::array<PromptArgument, rows[i].arguments.rows().size()> copy{};
  for (std::size_t k = 0; k < copy.size(); ++k) {
    const PromptArgument& row = rows[i].arguments.rows()[k];
    copy[k] = {.name = within(text_of<rows, i>(), row.name), .required = row.required};
  }
  return copy;
}
template <const auto& rows, std::size_t i>
inline constexpr auto arguments_of = shorten_arguments<rows, i>();

template <const auto& rows, std::size_t i>
consteval void shorten(Tool& row, std::string_view text) {
  row.info.name = within(text, row.info.name);
  row.info.title = text;
  row.info.description = {};
  row.info.extras = {};
  row.input_schema = {};
  if (row.output_is_json) row.output.json = nullptr;
  if constexpr (rows[i].param_count != 0) row.params = params_of<rows, first_with_params<rows>(i)>.data();
  if constexpr (has_output_rows(rows[i])) row.output.rows = output_of<rows, first_with_output<rows>(i)>.data();
}

template <const auto& rows, std::size_t i>
consteval void shorten(Prompt& row, std::string_view text) {
  row.name = within(text, row.name);
  row.title = text;
  row.description = within(text, row.description);  // prompts/get has it, too
  row.extras = {};
  if constexpr (!rows[i].arguments.rows().empty()) row.arguments = Prompt::Arguments(arguments_of<rows, i>);
}

template <class Row>
consteval void shorten_resource(Row& row, std::string_view text) {
  row.name = within(text, row.name);
  row.title = text;
  row.description = {};
  row.mime_type = within(text, row.mime_type);
  row.extras = {};
}
template <const auto& rows, std::size_t i>
consteval void shorten(Resource& row, std::string_view text) {
  row.uri = within(text, row.uri);
  shorten_resource(row, text);
}
// Its checks use find() of the URI template, which is therefore no part of the text (see within()).
template <const auto& rows, std::size_t i>
consteval void shorten(ResourceTemplate& row, std::string_view text) {
  shorten_resource(row, text);
}

/// A copy of a row. Its title is the text, and it has only the members that requests other than lists need.
template <const auto& rows, std::size_t i>
consteval auto prerendered_row() {
  auto row = rows[i];
  shorten<rows, i>(row, text_of<rows, i>());
  return row;
}

/// Renders the members of the result of initialize or, `is_stateless`, of server/discover. Returns the bytes, 0 if the
/// server does not have the era.
consteval std::size_t render_definition(const Definition& definition, bool is_stateless, char* into) {
  if (is_stateless ? !definition.eras.modern() : !definition.eras.legacy()) return 0;
  json::Sizer out = json::Sizer::rendering(into, !is_stateless);
  if (is_stateless) {
    out.part_begin(DiscoverPart::result);
    write_discover_members(out, definition);
    out.part_begin(DiscoverPart::meta);
    write_full_server_meta(out, definition);
  } else {
    write_server_members(out, definition, all_shown, [](json::Sizer& capabilities, const Definition& described) {
      write_capabilities(capabilities, described, false);
    });
  }
  return end_text(out, definition.name);
}

template <const auto& definition, bool is_stateless>
consteval auto render_definition_text() {
  std::array<char, render_definition(definition, is_stateless, nullptr)> chars{};
  if constexpr (!chars.empty()) render_definition(definition, is_stateless, chars.data());
  return chars;
}
template <const auto& definition, bool is_stateless>
inline constexpr auto definition_text = render_definition_text<definition, is_stateless>();

template <const auto& definition>
consteval Definition prerender_definition() {
  constexpr auto& initialize = definition_text<definition, false>;
  constexpr auto& discover = definition_text<definition, true>;
  Definition rendered = definition;
  rendered.title = {initialize.data(), initialize.size()};
  rendered.instructions = {discover.data(), discover.size()};
  const std::string_view text = rendered.title.empty() ? rendered.instructions : rendered.title;
  rendered.name = within(text, definition.name);
  rendered.version = within(text, definition.version);
  rendered.extras = {};
  rendered.rendered = true;
  return rendered;
}

template <const auto& rows, std::size_t... i>
consteval auto prerender(std::index_sequence<i...>) {
  return Prerendered<typename RowsOf<decltype(rows)>::Row, sizeof...(i)>{{prerendered_row<rows, i>()...}};
}

template <class T>
inline constexpr bool is_table = false;
template <std::size_t N>
inline constexpr bool is_table<const Tool (&)[N]> = true;
template <std::size_t N>
inline constexpr bool is_table<const Resource (&)[N]> = true;
template <std::size_t N>
inline constexpr bool is_table<const ResourceTemplate (&)[N]> = true;
template <std::size_t N>
inline constexpr bool is_table<const Prompt (&)[N]> = true;

template <const auto& source>
consteval auto prerender() {
  if constexpr (std::is_same_v<decltype(source), const Definition&>) {
    static_assert(!source.rendered, "prerendered needs a Definition that is not prerendered");
    return prerender_definition<source>();
  } else {
    static_assert(is_table<decltype(source)>,
                  "prerendered needs a constant array of tools, resources, resource templates or prompts, or a "
                  "Definition");
    if constexpr (is_table<decltype(source)>) {
      return prerender<source>(std::make_index_sequence<RowsOf<decltype(source)>::count>());
    }
  }
}

}  // namespace detail

/// The constant `source` with texts that the compiler has rendered. `source` is an array of tools, resources, resource
/// templates or prompts (`.tools = mcp::prerendered<tools>`), or a Definition
/// (`mcp::Storage<mcp::prerendered<definition>>`). Clients get the same bytes, and the server copies them instead of
/// writing them: the rows of lists, and the results of `initialize` and `server/discover`. Flash has the JSON of each
/// row, without the descriptions, titles and extras and without the code that writes them.
/// Rows: Server::set_enabled(), Server::resource_updated() and HttpMetrics get `mcp::prerendered<tools>[0]`, because
/// the rows of `source` are no rows of the server. Lifetime: as long as the program. Limits: a text has at most 65535
/// bytes. Errors: a longer one does not compile. An error about a limit that a row needs shows the number of the row
/// instead of its name: `text_chars<tools, 0>`.
template <const auto& source>
inline constexpr auto prerendered = detail::prerender<source>();

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
