// SPDX-License-Identifier: Apache-2.0
// Checks at compile time that the messages of a Definition fit into the transmit buffer. The code that writes a message
// also counts its bytes.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

#include "mcp/definition.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/json/sizer.hpp"
#include "mcp/limits.hpp"
#include "mcp/resource.hpp"

namespace mcp {

// The compiler error shows the arguments. GCC shows those of the builtin, which is not constant, and Clang those of the
// function. They are templates, because a function that is never constant must not be constexpr.
namespace compile_error {
template <class = void>
constexpr void limits_transmit_size_must_fit_list_and_row_with_needed_and_given_bytes(const char* list, const char* row,
                                                                                      std::size_t needed,
                                                                                      std::size_t given) {
  __builtin_printf("Limits::transmit_size is too small for a row: %s, %s needs %zu bytes and has %zu", list, row,
                   needed, given);
}
template <class = void>
constexpr void limits_tools_in_one_page_needs_a_transmit_size_of_at_least(std::size_t needed, std::size_t given) {
  __builtin_printf("Limits::tools_in_one_page needs a transmit_size of at least %zu, and it is %zu", needed, given);
}
template <class = void>
constexpr void limits_transmit_size_must_fit_message_with_needed_and_given_bytes(const char* message,
                                                                                 std::size_t needed,
                                                                                 std::size_t given) {
  __builtin_printf("Limits::transmit_size is too small for a message: %s needs %zu bytes and has %zu", message, needed,
                   given);
}
}  // namespace compile_error

namespace detail {

/// Bytes of a page after its last item: `],"nextCursor":"t65535"}}`, and a bracket of a batch.
inline constexpr std::size_t page_tail = 32;
/// Bytes of the longest error with a constant message, without the id.
inline constexpr std::size_t error_frame = 160;
/// Bytes around the result of a task in the response to tasks/result: the key of the id, and the member `_meta`.
inline constexpr std::size_t task_frame = 110;
/// Bytes around the result in a stateless response to tasks/get, which also has the other members of the task.
inline constexpr std::size_t stateless_task_frame = 300;
/// Bytes of the response to tools/call with a task, without the id.
inline constexpr std::size_t task_size = 360;

/// Returns how long a client may cache a list. Rows change with the firmware, except with list_changes.
constexpr Millis list_ttl_ms(const Definition& definition) {
  return definition.list_changes.on() || definition.hide_out_of_scope.on() ? 0 : static_ttl_ms;
}

/// Counts the begin of a response up to the members of its result, without the id.
constexpr void write_result_head(json::Sizer& out, bool is_stateless) {
  out.fragment("{\"jsonrpc\":\"2.0\",\"id\":");
  out.raw("");
  out.fragment("\"result\":{");
  if (is_stateless) out.member("resultType", "complete");
}

constexpr void write_meta(json::Sizer& out, const Definition& definition) {
  out.fragment("\"_meta\":{");
  write_server_meta(out, definition);
  out.object_end();
}

/// Returns the bytes around each result of a stateless request, without the id.
consteval std::size_t stateless_frame(const Definition& definition) {
  if (!definition.eras.modern()) return 0;
  json::Sizer out;
  write_result_head(out, true);
  write_meta(out, definition);
  return out.size();
}

/// Returns the transmit buffer size for a page with only this row, and an id of `id_size` bytes.
template <class Row>
constexpr std::size_t page_size(json::Text list, const Row& row, const Definition& definition, bool is_stateless,
                                const Shown& shown, std::size_t id_size) {
  json::Sizer out;
  out.set_schema_options(definition.schema_options());
  write_result_head(out, is_stateless);
  if (is_stateless) {
    write_cache(out, list_ttl_ms(definition));
    write_meta(out, definition);
  }
  out.key(list);
  out.array_begin();
  write_whole_item(out, row, shown);
  return out.size() + id_size + page_tail;
}

/// Returns the transmit buffer size for a page with only this row, for clients of all eras of the Definition.
template <class Row>
constexpr std::size_t page_size(json::Text list, const Row& row, const Definition& definition, std::size_t id_size) {
  const std::size_t legacy =
      definition.eras.legacy() ? page_size(list, row, definition, false, legacy_shown, id_size) : 0;
  const std::size_t modern =
      definition.eras.modern() ? page_size(list, row, definition, true, modern_shown, id_size) : 0;
  return legacy > modern ? legacy : modern;
}

/// Returns the transmit buffer size in which each row of a list fits into a page.
template <class Row>
constexpr std::size_t pages_size(json::Text list, std::span<const Row> rows, const Definition& definition,
                                 std::size_t id_size) {
  std::size_t largest = 0;
  for (const Row& row : rows) {
    const std::size_t size = page_size(list, row, definition, id_size);
    if (size > largest) largest = size;
  }
  return largest;
}

/// The pages of tools/list, and the transmit buffer size for which there is one.
struct ToolPages {
  std::size_t count = 0;
  std::size_t size_of_one = 0;
};

/// Counts the pages for the clients of an era. Found tools come after the rows of the table, and are not counted.
constexpr ToolPages count_tool_pages(const Definition& definition, const Limits& limits, bool is_stateless,
                                     const Shown& shown) {
  ToolPages pages;
  std::size_t page = 0;
  for (const Tool& tool : definition.tools.rows()) {
    const std::size_t alone = page_size("tools", tool, definition, is_stateless, shown, limits.id_size);
    json::Sizer row;
    row.set_schema_options(definition.schema_options());
    write_whole_item(row, tool, shown);
    const std::size_t more = row.size() + 1;  // with the comma
    pages.size_of_one = pages.count == 0 ? alone : pages.size_of_one + more;
    page += more;
    if (pages.count != 0 && page <= limits.transmit_size) continue;
    page = alone;
    ++pages.count;
  }
  return pages;
}

/// Counts the pages for the clients of the era that needs most.
constexpr ToolPages count_tool_pages(const Definition& definition, const Limits& limits) {
  ToolPages pages;
  ToolPages modern;
  if (definition.eras.legacy()) pages = count_tool_pages(definition, limits, false, legacy_shown);
  if (definition.eras.modern()) modern = count_tool_pages(definition, limits, true, modern_shown);
  return modern.size_of_one > pages.size_of_one ? modern : pages;
}

/// Returns the bytes of the largest response to initialize or server/discover in an era, without the id.
constexpr std::size_t description_size(const Definition& definition, bool is_stateless, bool has_boot_id) {
  std::size_t largest = 0;
  for (const protocol::Revision& revision : protocol::revisions) {
    if (revision.stateless != is_stateless) continue;
    json::Sizer out;
    const auto write_capabilities = [&] {
      out.fragment("\"capabilities\":{");
      put_capabilities<json::Sizer>(definition, [&](bool wanted, const auto& write) {
        if (wanted) write(out, definition, revision);
      });
      out.object_end();
    };
    write_result_head(out, is_stateless);
    if (is_stateless) {
      write_discover_result(out, definition, write_capabilities);
    } else {
      write_initialize_result(out, definition, revision, write_capabilities);
    }
    if (is_stateless || has_boot_id) out.fragment("\"_meta\":{");
    if (is_stateless) write_full_server_meta(out, definition);
    if (is_stateless && definition.has_meta_keys()) write_meta_keys(out, definition);
    if (has_boot_id) write_boot_id(out, 0);
    if (is_stateless || has_boot_id) out.object_end();
    out.fragment("}}");
    if (out.size() > largest) largest = out.size();
  }
  return largest;
}

/// Returns the transmit buffer size for the notification of a template instance.
constexpr std::size_t instance_update_size(const Definition& definition, const Limits& limits) {
  json::Sizer out;
  out.fragment("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\"");
  out.fragment("\"params\":{\"uri\":\"\"");
  if (definition.subscriptions.on()) {
    out.fragment("\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":");
    out.raw("");
    out.object_end();
  }
  out.fragment("}}");
  return out.size() + limits.uri_size + (definition.subscriptions.on() ? limits.id_size : 0);
}

consteval void check_fits(const char* what, std::size_t needed, const Limits& limits) {
  if (needed > limits.transmit_size) {
    compile_error::limits_transmit_size_must_fit_message_with_needed_and_given_bytes(what, needed,
                                                                                     limits.transmit_size);
  }
}

template <class Table>
consteval void check_pages(const char* method, json::Text list, const Table& table, const Definition& definition,
                           const Limits& limits) {
  for (const auto& row : table.rows()) {
    // One count is enough for most rows: all members that any client gets, in the larger frame.
    const bool modern = definition.eras.modern();
    const std::size_t most = page_size(list, row, definition, modern, all_shown, limits.id_size);
    if (most <= limits.transmit_size) continue;
    const std::size_t needed = page_size(list, row, definition, limits.id_size);
    if (needed <= limits.transmit_size) continue;
    compile_error::limits_transmit_size_must_fit_list_and_row_with_needed_and_given_bytes(method, name_of(row).data(),
                                                                                          needed, limits.transmit_size);
  }
}

consteval void check_transmit_size(const Definition& definition, const Limits& limits, bool has_boot_id) {
  check_fits("an error", error_frame + limits.id_size, limits);
  if (definition.eras.legacy()) {
    const std::size_t size = description_size(definition, false, has_boot_id);
    check_fits("the response to initialize", size + limits.id_size, limits);
  }
  if (definition.eras.modern()) {
    const std::size_t size = description_size(definition, true, has_boot_id);
    check_fits("the response to server/discover", size + limits.id_size, limits);
  }
  if (definition.tool_uses().tasks) {
    const std::size_t around =
        definition.eras.modern() ? stateless_task_frame + stateless_frame(definition) : task_frame;
    const std::size_t result = limits.task_result_size + around;
    check_fits("a task and its result", (result > task_size ? result : task_size) + limits.id_size, limits);
  }
  if (definition.resource_templates.uses.subscribable) {
    check_fits("the update of a template instance", instance_update_size(definition, limits), limits);
  }
  check_pages("tools/list", "tools", definition.tools, definition, limits);
  if (limits.tools_in_one_page) {
    const ToolPages pages = count_tool_pages(definition, limits);
    if (pages.size_of_one > limits.transmit_size) {
      compile_error::limits_tools_in_one_page_needs_a_transmit_size_of_at_least(pages.size_of_one,
                                                                                limits.transmit_size);
    }
  }
  check_pages("resources/list", "resources", definition.resources, definition, limits);
  check_pages("resources/templates/list", "resourceTemplates", definition.resource_templates, definition, limits);
  check_pages("prompts/list", "prompts", definition.prompts, definition, limits);
}

}  // namespace detail

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
