// SPDX-License-Identifier: Apache-2.0
/// @file
/// Resources as tools, for hosts that give their model tools only.
/// @code
/// mcp::Errc read_celsius(mcp::ReadResult& out) { return out.number(board::celsius()); }
/// constexpr mcp::Resource resources[] = {
///     {.uri = "sensor://celsius", .name = "celsius", .read = read_celsius, .as_tool = true}};
/// // tools/list has read_celsius.
/// constexpr mcp::Definition definition{
///     .name = "thermometer", .version = "1", .tools = mcp::tools_of<resources>, .resources = resources};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/value.hpp"
#include "mcp/params.hpp"
#include "mcp/resource.hpp"
#include "mcp/tool.hpp"
#include "mcp/uri_template.hpp"

namespace mcp {

namespace compile_error {
void a_row_with_as_tool_needs_a_name_with_a_letter_or_a_digit();
void a_row_with_as_tool_must_have_a_read_function_that_sends_no_input_request();
}  // namespace compile_error

namespace detail {

Errc call_resource(const Tool& tool, json::Value arguments, Call& call);
/// Of a template whose variables are strings.
Errc call_variables(const Tool& tool, json::Value arguments, Call& call);

inline constexpr ToolExtras read_extras{.annotations = {.read_only_hint = true}};

/// The rows of all tables as one.
template <std::size_t N>
struct ToolRows {
  Tool rows[N];
};

template <class T>
struct TableOf;
template <class Row, std::size_t N>
struct TableOf<const Row (&)[N]> {
  static constexpr std::size_t count = N;
};

/// Writes `read_` and the name, in small letters, with `_` for all that no name of a tool has. Returns the size.
consteval std::size_t put_read_name(std::string_view name, char* into) {
  std::size_t size = 0;
  const auto put = [&](char c) {
    if (into != nullptr) into[size] = c;
    ++size;
  };
  for (const char c : std::string_view("read")) put(c);
  bool is_apart = true;
  for (const char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (!is_capital && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) {
      is_apart = true;
      continue;
    }
    if (is_apart) put('_');
    is_apart = false;
    put(is_capital ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return size;
}

template <const auto& rows, std::size_t i>
consteval auto make_read_name() {
  std::array<char, put_read_name(rows[i].name, nullptr)> name{};
  put_read_name(rows[i].name, name.data());
  return name;
}
template <const auto& rows, std::size_t i>
inline constexpr auto read_name = make_read_name<rows, i>();

template <std::size_t i>
void* text_at(void* values) {
  return static_cast<std::string_view*>(values) + i;
}

template <const auto& rows, std::size_t row>
consteval std::size_t count_variables() {
  std::size_t count = 0;
  for (std::string_view rest = rows[row].uri_template; !rest.empty();) {
    const Piece piece = next_piece(rest);
    std::string_view names = piece.expression ? names_of(piece.text) : std::string_view();
    for (; !names.empty(); ++count) static_cast<void>(next_name(names));
  }
  return count;
}

// A variable with its name in the URI may be missing, as in `{?since}`.
template <const auto& rows, std::size_t row>
consteval auto make_variable_rows() {
  constexpr void* (*members[])(void*) = {text_at<0>, text_at<1>, text_at<2>, text_at<3>,
                                         text_at<4>, text_at<5>, text_at<6>, text_at<7>};
  static_assert(std::size(members) == max_template_variables);
  std::array<ParamInfo, count_variables<rows, row>()> infos{};
  std::size_t count = 0;
  for (std::string_view rest = rows[row].uri_template; !rest.empty();) {
    const Piece piece = next_piece(rest);
    std::string_view names = piece.expression ? names_of(piece.text) : std::string_view();
    for (; !names.empty(); ++count) {
      ParamInfo& info = infos[count];
      describe_member<std::string_view>(info, typename OptionsOf<std::string_view>::Type{});
      info.name = next_name(names);
      info.required = !operator_of(piece.text).named;
      info.member = members[count];
    }
  }
  return infos;
}
template <const auto& rows, std::size_t row>
inline constexpr auto variable_rows = make_variable_rows<rows, row>();

template <const auto& rows, std::size_t i>
consteval void set_read(Tool& tool) {
  if constexpr (requires { rows[i].uri; }) {
    tool.output = ToolOutput(static_cast<const Resource*>(&rows[i]));
    tool.invoke = call_resource;
  } else {
    tool.output = ToolOutput(static_cast<const ResourceTemplate*>(&rows[i]));
    if constexpr (rows[i].decodes) {
      tool.params = rows[i].tool->rows.data();
      tool.param_count = static_cast<std::uint16_t>(rows[i].tool->rows.size());
      tool.invoke = rows[i].tool->invoke;
    } else {
      tool.params = variable_rows<rows, i>.data();
      tool.param_count = static_cast<std::uint16_t>(variable_rows<rows, i>.size());
      tool.invoke = call_variables;
    }
  }
}

// A stream has no end that the result of a call could wait for.
template <class Row>
consteval void check_read(const Row& row) {
  if (put_read_name(row.name, nullptr) == std::string_view("read").size())
    compile_error::a_row_with_as_tool_needs_a_name_with_a_letter_or_a_digit();
  if (row.stream.on() || row.asks || row.job_size != 0)
    compile_error::a_row_with_as_tool_must_have_a_read_function_that_sends_no_input_request();
}

template <const auto& rows, std::size_t i>
consteval void add_read_tool(Tool* into, std::size_t& count) {
  if constexpr (rows[i].as_tool) {
    check_read(rows[i]);
    Tool& tool = into[count++];
    tool.info.name = {read_name<rows, i>.data(), read_name<rows, i>.size()};
    tool.info.title = rows[i].title;
    tool.info.description = rows[i].description;
    tool.info.extras = read_extras;
    tool.info.scope = rows[i].scope;
    tool.reads = true;
    check_tool_name(tool.info.name);
    set_read<rows, i>(tool);
  }
}

template <const auto& rows>
consteval std::size_t count_tools() {
  if constexpr (requires { rows[0].info; }) {
    return TableOf<decltype(rows)>::count;
  } else {
    std::size_t count = 0;
    for (const auto& row : rows) count += row.as_tool ? 1U : 0U;
    return count;
  }
}

template <const auto& rows, std::size_t... i>
consteval void add_read_tools(Tool* into, std::size_t& count, std::index_sequence<i...>) {
  (add_read_tool<rows, i>(into, count), ...);
}

template <const auto& rows>
consteval void add_tools(Tool* into, std::size_t& count) {
  if constexpr (requires { rows[0].info; }) {
    for (const Tool& row : rows) into[count++] = row;
  } else {
    add_read_tools<rows>(into, count, std::make_index_sequence<TableOf<decltype(rows)>::count>());
  }
}

template <const auto&... tables>
consteval auto join_tools() {
  ToolRows<(count_tools<tables>() + ...)> all{};
  std::size_t count = 0;
  (add_tools<tables>(all.rows, count), ...);
  return all;
}
template <const auto&... tables>
inline constexpr auto joined_tools = join_tools<tables...>();

}  // namespace detail

/// The tools of these tables as one table: each row of a table of tools, and a tool for each row of a table of
/// resources or resource templates with `.as_tool`: `.tools = mcp::tools_of<tools, resources, templates>`. Such a tool
/// is called `read_` and the name of the row, in small letters and with `_` for other characters, and has the title,
/// description and scope of the row and the hint readOnlyHint. Its arguments are the variables of a template: as the
/// params() table of resource_template() describes them, else strings. Its result is the body: a text, an image or a
/// sound if the MIME type says so, and else an embedded resource. toolchains/attach adds no tool of its own for such a
/// row.
///
/// Rows: Server::set_enabled() and HttpMetrics get `mcp::tools_of<tools, resources>[0]`, because the rows of the tables
/// are copied; the tool and the resource are enabled separately. Lifetime: as long as the program. Errors: what the
/// read function rejects is a result with isError, which has its text. A row that is streamed, that sends input
/// requests, or whose tool has the name of another one does not compile, nor does a Definition with `.as_tool` and
/// without tools_of. Limits: the body has to fit into Limits::transmit_size, with its URI and MIME type, also if it is
/// a text. A client of 2024-11-05 gets a text in place of a sound. Source: server/tools#tool-result, 2025-11-25.
template <const auto&... tables>
inline constexpr const auto& tools_of = detail::joined_tools<tables...>.rows;

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
