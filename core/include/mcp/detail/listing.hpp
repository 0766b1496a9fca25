// SPDX-License-Identifier: Apache-2.0
// The JSON of the rows of a Definition. Templates over the output, so that one code writes the JSON at run time
// (json::Writer) and counts its bytes at compile time (json::Sizer).
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/content.hpp"
#include "mcp/definition.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/sizer.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/params.hpp"
#include "mcp/resource.hpp"
#include "mcp/tool.hpp"

namespace mcp::detail {

inline void write_bound(json::Writer& out, const ParamInfo& info, Bound bound) {
  out.number_begin();
  info.codec->append_bound(out, bound);
}
constexpr void write_bound(json::Sizer& out, const ParamInfo& info, Bound bound) {
  if (info.type == ParamType::integer) return out.number(bound.i);
  if (info.type == ParamType::unsigned_integer) return out.number(bound.u);
  if (info.width == sizeof(float) && info.is_output) return out.number(bound.f);
  out.number(bound.d);
}

/// Returns true if members that not all clients get must be written: this client gets them, or they are a part of a
/// text that is rendered at compile time. Then part_end() follows.
template <class Out>
constexpr bool part_begin(Out& out, Part::Bit part, bool shown) {
  if constexpr (std::same_as<Out, json::Sizer>) {
    if (out.marks()) return out.part_begin(part), true;
  }
  return shown;
}
template <class Out>
constexpr void part_end(Out& out) {
  if constexpr (std::same_as<Out, json::Sizer>) {
    if (out.marks()) out.part_end();
  }
}

/// Writes the member `annotations`. `lastModified` exists since 2025-06-18. Source: schema 2025-11-25, Annotations.
template <class Out>
constexpr void write_annotations(Out& out, const Annotations& annotations, bool with_last_modified) {
  using Audience = Annotations::Audience;
  out.fragment("\"annotations\":{");
  if (annotations.audience == Audience::user) out.fragment("\"audience\":[\"user\"]");
  if (annotations.audience == Audience::assistant) out.fragment("\"audience\":[\"assistant\"]");
  if (annotations.audience == Audience::both) out.fragment("\"audience\":[\"user\",\"assistant\"]");
  if (annotations.priority) out.member("priority", *annotations.priority);
  if (part_begin(out, Part::meta, with_last_modified)) {
    out.optional_member("lastModified", annotations.last_modified);
    part_end(out);
  }
  out.object_end();
}

template <class Out>
constexpr void write_given_annotations(Out& out, const Annotations& given, bool with_last_modified) {
  const bool any = given.audience != Annotations::Audience::unsaid || given.priority || !given.last_modified.empty();
  if (any) write_annotations(out, given, with_last_modified);
}

template <class Out>
constexpr void write_icons(Out& out, const Icons& icons) {
  if (icons.rows().empty()) return;
  out.fragment("\"icons\":[");
  for (const Icon& icon : icons.rows()) {
    out.fragment("{\"src\":");
    out.string(icon.src);
    out.optional_member("mimeType", icon.mime_type);
    std::string_view sizes = icon.sizes;
    if (!sizes.empty()) {
      out.fragment("\"sizes\":[");
      while (!sizes.empty()) out.string(take_until(sizes, ' '));
      out.array_end();
    }
    if (icon.theme == Icon::Theme::light) out.fragment("\"theme\":\"light\"");
    if (icon.theme == Icon::Theme::dark) out.fragment("\"theme\":\"dark\"");
    out.object_end();
  }
  out.array_end();
}

/// Writes the optional members of all kinds of rows. Source: schema 2025-11-25, Icons; basic#_meta.
template <class Out, class Extras>
constexpr void write_common_extras(Out& out, const Extras& extras, Shown shown) {
  if (part_begin(out, Part::icons, shown.icons)) {
    write_icons(out, extras.icons);
    part_end(out);
  }
  if (!part_begin(out, Part::meta, shown.meta)) return;
  if (!extras.meta.json().empty()) {
    out.fragment("\"_meta\":");
    out.raw(extras.meta.json());
  }
  part_end(out);
}

/// Writes the members of any extras except ServerExtras.
template <class Out, class Extras>
constexpr void write_members(Out& out, const Extras& extras, Shown shown) {
  if constexpr (requires { extras.annotations.priority; }) {
    write_given_annotations(out, extras.annotations, shown.meta);  // `lastModified` and `_meta` are both of 2025-06-18
  }
  if constexpr (requires { extras.size; }) {
    if (extras.size) out.member("size", *extras.size);
  }
  write_common_extras(out, extras, shown);
}

template <class Out>
constexpr void write_members(Out& out, const ToolExtras& extras, Shown shown) {
  const ToolAnnotations& said = extras.annotations;
  const bool any = !said.title.empty() || said.read_only_hint || said.destructive_hint || said.idempotent_hint ||
                   said.open_world_hint;
  if (any && part_begin(out, Part::tool_annotations, shown.tool_annotations)) {
    out.fragment("\"annotations\":{");
    out.optional_member("title", said.title);
    if (said.read_only_hint) out.member("readOnlyHint", *said.read_only_hint);
    if (said.destructive_hint) out.member("destructiveHint", *said.destructive_hint);
    if (said.idempotent_hint) out.member("idempotentHint", *said.idempotent_hint);
    if (said.open_world_hint) out.member("openWorldHint", *said.open_world_hint);
    out.object_end();
    part_end(out);
  }
  write_common_extras(out, extras, shown);
}

template <class Out>
constexpr void write_members(Out& out, const ServerExtras& extras, Shown shown) {
  if (!part_begin(out, Part::icons, shown.icons)) return;
  out.optional_member("description", extras.description);
  out.optional_member("websiteUrl", extras.website_url);
  write_icons(out, extras.icons);
  part_end(out);
}

template <class S>
inline constexpr bool extended = !std::same_as<S, Plain>;

// The Writer calls through the constant, so that unused code is not linked. The Sizer knows the type.
template <class Extras>
void write_extras_of(json::Writer& out, const ExtrasOf<Extras>& extras, Shown shown) {
  extras.write(out, shown);
}
template <class Extras>
constexpr void write_extras_of(json::Sizer& out, const ExtrasOf<Extras>& extras, Shown shown) {
  if (extras.any()) write_members(out, extras.get(), shown);
}

inline constexpr json::Text format_names[] = {"email", "uri", "date", "date-time"};
/// With the formats that forms do not have.
inline constexpr json::Text all_format_names[] = {"email", "uri", "date", "date-time", "ipv4", "ipv6"};

/// Writes the title, the header and the format of a parameter, and choices with titles instead of `enum`. `Rare`: also
/// the formats and the kinds that only the rare decorator knows.
/// Source: schema 2025-11-25, TitledSingleSelectEnumSchema, TitledMultiSelectEnumSchema.
template <bool Rare, class Out>
constexpr void write_schema_decoration(Out& out, const ParamInfo& info, bool with_header) {
  const bool is_list = info.type >= ParamType::list;
  out.optional_member("title", info.title());
  if (info.header_size != 0 && part_begin(out, Part::headers, with_header)) {
    out.member("x-mcp-header", info.header_name());
    part_end(out);
  }
  if (info.format != Format::none && !is_list) {
    out.member("format", (Rare ? all_format_names : format_names)[static_cast<std::size_t>(info.format) - 1]);
  }
  if (!info.has_titles || (Rare && info.type == ParamType::map)) return;
  if (is_list) {
    out.fragment("\"items\":{");
    out.optional_member("title", info.title_of_items());
    out.optional_member("description", info.description_of_items());
  }
  out.fragment(is_list ? json::Text("\"anyOf\":[") : json::Text("\"oneOf\":["));
  for (std::size_t i = 0; i < info.row_count; ++i) {
    out.fragment("{\"const\":");
    out.string(info.rows.choices[i].name);
    out.member("title", info.minimum.titles[i]);
    out.object_end();
  }
  if (Rare && info.type == ParamType::nullable) out.fragment("{\"type\":\"null\"}");
  out.array_end();
  if (is_list) out.object_end();
}

/// Writes `description` with the form of the unit, for models, and the code of the unit in a `_meta`, for programs.
/// Validators ignore a keyword that they do not know. Source: JSON Schema 2020-12, section 6.5.
template <class Out>
constexpr void write_unit(Out& out, const ParamInfo& info) {
  out.fragment("\"description\":\"");
  out.append(info.description);
  out.append(info.description.size() != 0 ? json::Text(" (unit: ") : json::Text("(unit: "));
  out.append(form_of(info.unit()));
  out.append(")");
  out.string_end();
  out.fragment("\"_meta\":{\"mote/unit\":");
  out.string(code_of(info.unit()));
  out.object_end();
}

/// Writes all members that few parameters have.
template <class Out>
constexpr void write_rare_decoration(Out& out, const ParamInfo& info, bool with_header) {
  write_schema_decoration<true>(out, info, with_header);
  if (info.is_deprecated) out.fragment("\"deprecated\":true");
  if (info.type >= ParamType::list) return;  // the rest is of its items
  if (info.unit_size != 0) write_unit(out, info);
  if (info.has_pattern) out.member("pattern", info.check().text);
}

// The Writer calls through the row, so that unused code is not linked.
inline void decorate(json::Writer& out, const ParamInfo& info, bool with_header) {
  if (info.decorator != nullptr) info.decorator->write(out, info, with_header);
}
constexpr void decorate(json::Sizer& out, const ParamInfo& info, bool with_header) {
  write_rare_decoration(out, info, with_header);
}

/// The value of `type`, as JSON.
constexpr json::Text type_name(ParamType type) {
  switch (type) {
    case ParamType::integer:
    case ParamType::unsigned_integer: return "\"integer\"";
    case ParamType::number: return "\"number\"";
    case ParamType::boolean: return "\"boolean\"";
    case ParamType::string:
    case ParamType::choice: return "\"string\"";
    case ParamType::list:
    case ParamType::unique_list: return "\"array\"";
    default: return "\"object\"";
  }
}
/// The same of a Nullable with values of this type.
constexpr json::Text nullable_type_name(ParamType type) {
  switch (type) {
    case ParamType::integer:
    case ParamType::unsigned_integer: return "[\"integer\",\"null\"]";
    case ParamType::number: return "[\"number\",\"null\"]";
    case ParamType::boolean: return "[\"boolean\",\"null\"]";
    case ParamType::string:
    case ParamType::choice: return "[\"string\",\"null\"]";
    default: return "[\"object\",\"null\"]";
  }
}

// The Writer calls through the codec, so that kinds of parameters that no table uses are not linked.
inline void write_type(json::Writer& out, const ParamInfo& info) { out.fragment(info.codec->type); }
constexpr void write_type(json::Sizer& out, const ParamInfo& info) {
  out.fragment(info.type == ParamType::nullable ? nullable_type_name(info.list->type) : type_name(info.type));
}
inline void write_members_of_kind(json::Writer& out, const ParamInfo& info) { info.codec->write_members(out, info); }
constexpr void write_members_of_kind(json::Sizer& out, const ParamInfo& info);

/// Writes the JSON Schema of one parameter. `with_header`: with `x-mcp-header`, if the table has one for it.
/// Limits: the recursion has at most the 4 levels that params() allows.
template <class Out>
constexpr void write_schema(Out& out, const ParamInfo& info, bool with_header = false) {
  out.fragment("{\"type\":");
  write_type(out, info);
  if (!info.extends_description || info.type >= ParamType::list) {
    out.optional_member("description", info.description);
  }
  decorate(out, info, with_header);
  write_members_of_kind(out, info);
  out.object_end();
}

/// Writes the members `properties` and `required` of the schema of an object.
template <class Out>
constexpr void write_properties(Out& out, std::span<const ParamInfo> rows, bool with_headers = false) {
  bool any_required = false;
  if (!rows.empty()) {
    out.fragment("\"properties\":{");
    for (const ParamInfo& row : rows) {
      out.key(row.name);
      write_schema(out, row, with_headers);
      any_required = any_required || row.required;
    }
    out.object_end();
  }
  if (any_required) {
    out.fragment("\"required\":[");
    for (const ParamInfo& row : rows) {
      if (row.required) out.string(row.name);
    }
    out.array_end();
  }
}

template <class Out>
constexpr void write_object_members(Out& out, std::span<const ParamInfo> rows, bool with_headers = false) {
  write_properties(out, rows, with_headers);
  out.fragment("\"additionalProperties\":false");
}

// The members that only one kind of parameter has. The default is the last one.

template <class Out>
constexpr void write_boolean_members(Out& out, const ParamInfo& info) {
  if (info.has_fallback) out.member("default", info.fallback.i != 0);
}

template <class Out>
constexpr void write_bounds(Out& out, const ParamInfo& info) {
  if (info.has_minimum) {
    out.fragment("\"minimum\":");
    write_bound(out, info, info.minimum);
  }
  if (info.has_maximum) {
    out.fragment("\"maximum\":");
    write_bound(out, info, info.maximum);
  }
}

// Also for integers.
template <class Out>
constexpr void write_number_members(Out& out, const ParamInfo& info) {
  write_bounds(out, info);
  if (!info.has_fallback) return;
  out.fragment("\"default\":");
  write_bound(out, info, info.fallback);
}

template <class Out>
constexpr void write_float_members(Out& out, const ParamInfo& info) {
  write_bounds(out, info);
  if (!info.has_fallback) return;
  out.fragment("\"default\":");
  out.number(info.fallback.f);
}

template <class Out>
constexpr void write_string_members(Out& out, const ParamInfo& info) {
  if (info.has_minimum) out.member("minLength", static_cast<std::uint16_t>(info.minimum.i));
  if (info.has_maximum) out.member("maxLength", static_cast<std::uint16_t>(info.maximum.i));
  if (info.has_fallback) out.member("default", info.fallback.s);
}

// A schema limits characters, and a FixedString bytes. If the limits can differ, the description names the bytes.
template <class Out>
constexpr void write_fixed_string_members(Out& out, const ParamInfo& info) {
  if (info.extends_description) {
    out.fragment("\"description\":\"");
    out.append(info.description);
    out.append(info.description.size() != 0 ? json::Text(" (at most ") : json::Text("(at most "));
    out.append_number(std::uint64_t{info.row_count});
    out.append(" bytes of UTF-8)");
    out.string_end();
  }
  write_string_members(out, info);
}

template <class Out>
constexpr void write_default_choice(Out& out, const ParamInfo& info) {
  if (!info.has_fallback) return;
  for (const Choice& choice : info.choices()) {
    if (choice.value == info.fallback.i) return out.member("default", choice.name);
  }
}

template <class Out>
constexpr void write_choice_members(Out& out, const ParamInfo& info) {
  if (!info.has_titles) {
    out.fragment("\"enum\":[");
    for (const Choice& choice : info.choices()) out.string(choice.name);
    out.array_end();
  }
  write_default_choice(out, info);
}

template <class Out>
constexpr void write_list_members(Out& out, const ParamInfo& info) {
  if (!info.has_titles) {
    out.fragment("\"items\":");
    write_schema(out, info.item());
  }
  if (info.least_items != 0) out.member("minItems", info.least_items);
  out.member("maxItems", info.list->capacity);
}

template <class Out>
constexpr void write_struct_members(Out& out, const ParamInfo& info) {
  write_object_members(out, info.fields());
}

template <class Out>
constexpr void write_multiple_members(Out& out, const ParamInfo& info) {
  out.member("multipleOf", info.rows.multiple);
}
template <class Out>
constexpr void write_step_members(Out& out, const ParamInfo& info) {
  out.member("multipleOf", static_cast<double>(info.rows.step));
}

template <class Out>
constexpr void write_unique_list_members(Out& out, const ParamInfo& info) {
  write_list_members(out, info);
  out.fragment("\"uniqueItems\":true");
}

// A schema limits characters, and a map the bytes of its names.
template <class Out>
constexpr void write_map_members(Out& out, const ParamInfo& info) {
  out.fragment("\"additionalProperties\":");
  write_schema(out, info.item());
  out.fragment("\"propertyNames\":{\"minLength\":1");
  out.member("maxLength", std::uint16_t{info.width});
  out.fragment("\"description\":\"(at most ");
  out.append_number(std::uint64_t{info.width});
  out.append(" bytes of UTF-8)");
  out.string_end();
  out.object_end();
  if (info.least_items != 0) out.member("minProperties", info.least_items);
  out.member("maxProperties", info.list->capacity);
}

template <class Out>
constexpr void write_nullable_choice_members(Out& out, const ParamInfo& info) {
  if (!info.has_titles) {
    out.fragment("\"enum\":[");
    for (const Choice& choice : info.choices()) out.string(choice.name);
    out.fragment("null");
    out.array_end();
  }
  write_default_choice(out, info);
}

// The codec of the value writes the members, except those of a choice.
inline void write_nullable_members(json::Writer& out, const ParamInfo& info) {
  info.list->codec->write_members(out, info.inner());
}
constexpr void write_nullable_members(json::Sizer& out, const ParamInfo& info) {
  if (info.list->type == ParamType::choice) return write_nullable_choice_members(out, info);
  write_members_of_kind(out, info.inner());
}

constexpr void write_members_of_kind(json::Sizer& out, const ParamInfo& info) {
  const bool is_number = info.type <= ParamType::number;
  if (is_number && info.row_count != 0) {
    info.type == ParamType::number ? write_step_members(out, info) : write_multiple_members(out, info);
  }
  switch (info.type) {
    case ParamType::boolean: return write_boolean_members(out, info);
    case ParamType::string: return write_fixed_string_members(out, info);
    case ParamType::choice: return write_choice_members(out, info);
    case ParamType::nullable: return write_nullable_members(out, info);
    case ParamType::list: return write_list_members(out, info);
    case ParamType::unique_list: return write_unique_list_members(out, info);
    case ParamType::map: return write_map_members(out, info);
    case ParamType::object: return write_struct_members(out, info);
    case ParamType::number:
      return info.width == sizeof(float) ? write_float_members(out, info) : write_number_members(out, info);
    default: return write_number_members(out, info);
  }
}

template <class Out>
constexpr void write_object_schema(Out& out, std::span<const ParamInfo> rows, bool with_headers = false) {
  out.fragment("{\"type\":\"object\"");
  write_object_members(out, rows, with_headers);
  out.object_end();
}

/// Writes the outputSchema of a tool that has one.
template <class Out>
constexpr void write_output_schema(Out& out, const Tool& tool) {
  if (tool.output_is_json) return out.raw(std::string_view(tool.output.json, tool.output_count));
  if (tool.output_is_value) return write_schema(out, *tool.output.rows);
  write_object_schema(out, {tool.output.rows, tool.output_count});
}

template <class Out>
constexpr void write_title(Out& out, std::string_view title, bool shown) {
  if (!part_begin(out, Part::titles, shown)) return;
  out.optional_member("title", title);
  part_end(out);
}

/// Writes an item of tools/list. Source: schema 2025-11-25, Tool.
template <class Out, class S>
constexpr void write_item(Out& out, const Tool& tool, S shown) {
  out.fragment("{\"name\":");
  out.string(tool.info.name);
  write_title(out, tool.info.title, shown.titles);
  out.optional_member("description", tool.info.description);
  out.fragment("\"inputSchema\":");
  if (tool.input_schema.empty()) {
    write_object_schema(out, {tool.params, tool.param_count}, shown.headers);
  } else {
    out.raw(tool.input_schema);
  }
  if constexpr (extended<S>) {
    // Since 2026-07-28, as headers are, a schema may have another root than an object.
    if (tool.output_count != 0 && part_begin(out, tool.output_is_object ? Part::output : Part::headers,
                                             tool.output_is_object ? shown.output : shown.headers)) {
      out.fragment("\"outputSchema\":");
      write_output_schema(out, tool);
      part_end(out);
    }
    if (part_begin(out, Part::tasks, shown.tasks)) {
      if (tool.info.task_support == TaskSupport::optional) out.fragment("\"execution\":{\"taskSupport\":\"optional\"}");
      if (tool.info.task_support == TaskSupport::required) out.fragment("\"execution\":{\"taskSupport\":\"required\"}");
      part_end(out);
    }
    write_extras_of(out, tool.info.extras, shown);
  }
  out.object_end();
}

template <class Out, class Row, class S>
constexpr void write_resource_like(Out& out, json::Text uri_key, std::string_view uri, const Row& row, S shown) {
  out.object_begin();
  out.member(uri_key, uri);
  out.member("name", row.name);
  write_title(out, row.title, shown.titles);
  out.optional_member("description", row.description);
  out.optional_member("mimeType", row.mime_type);
  if constexpr (extended<S>) write_extras_of(out, row.extras, shown);
  out.object_end();
}

/// Writes an item of resources/list. Source: schema 2025-11-25, Resource.
template <class Out, class S>
constexpr void write_item(Out& out, const Resource& resource, S shown) {
  write_resource_like(out, "uri", resource.uri, resource, shown);
}

/// Writes an item of resources/templates/list. Source: schema 2025-11-25, ResourceTemplate.
template <class Out, class S>
constexpr void write_item(Out& out, const ResourceTemplate& row, S shown) {
  write_resource_like(out, "uriTemplate", row.uri_template, row, shown);
}

/// Writes an item of prompts/list. Source: schema 2025-11-25, Prompt.
template <class Out, class S>
constexpr void write_item(Out& out, const Prompt& prompt, S shown) {
  out.fragment("{\"name\":");
  out.string(prompt.name);
  write_title(out, prompt.title, shown.titles);
  out.optional_member("description", prompt.description);
  if (!prompt.arguments.rows().empty()) {
    out.fragment("\"arguments\":[");
    for (const PromptArgument& argument : prompt.arguments.rows()) {
      out.fragment("{\"name\":");
      out.string(argument.name);
      write_title(out, argument.title, shown.titles);
      out.optional_member("description", argument.description);
      if (argument.required) out.fragment("\"required\":true");
      out.object_end();
    }
    out.array_end();
  }
  if constexpr (extended<S>) write_extras_of(out, prompt.extras, shown);
  out.object_end();
}

/// The text of a prerendered row, which is in its title (mcp/prerendered.hpp).
constexpr std::string_view rendered_text(const Tool& tool) { return tool.info.title; }
template <class Row>
constexpr std::string_view rendered_text(const Row& row) {
  return row.title;
}

/// Writes the parts of a rendered text that this client gets.
template <class Out>
constexpr void write_rendered_parts(Out& out, std::string_view text, unsigned shown) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const auto byte = [at](std::size_t i) { return std::size_t{static_cast<unsigned char>(at[i])}; };
    const std::size_t size = byte(1) | byte(2) << 8;
    const char* const json = at + json::Sizer::part_head;
    if ((byte(0) & ~shown) == 0) out.fragment(std::string_view(json, size));
    at = json + size;
  }
}

/// The parts of the text of a prerendered Definition for server/discover: the members of the result, and of its
/// `_meta`.
struct DiscoverPart {
  enum : std::uint8_t { result = 1, meta = 2 };
};

/// Writes the description of the server. `head` is the key and the begin of the object. Source: schema 2025-11-25,
/// Implementation.
template <class Out>
constexpr void write_implementation(Out& out, json::Text head, const Definition& definition, Shown shown) {
  out.fragment(head);
  out.string(definition.name);
  write_title(out, definition.title, shown.titles);
  out.member("version", definition.version);
  write_extras_of(out, definition.extras, shown);
  out.object_end();
}

/// Writes the only member of `_meta` in the results of stateless requests. Source: basic/index#_meta, 2026-07-28.
template <class Out>
constexpr void write_server_meta(Out& out, const Definition& definition) {
  out.fragment("\"io.modelcontextprotocol/serverInfo\":{\"name\":");
  out.string(definition.name);
  out.member("version", definition.version);
  out.object_end();
}

/// The same in the result of server/discover, which is the only one with all that describes the server.
template <class Out>
constexpr void write_full_server_meta(Out& out, const Definition& definition) {
  write_implementation(out, "\"io.modelcontextprotocol/serverInfo\":{\"name\":", definition, modern_shown);
}

/// The cache time of data in flash, which is the same for each client until the next firmware.
inline constexpr std::uint32_t static_ttl_ms = 3'600'000;

/// Writes how long a stateless client may cache a result, and where. Source: server/utilities/caching, 2026-07-28.
template <class Out>
constexpr void write_cache(Out& out, std::uint32_t ttl_ms) {
  out.member("ttlMs", ttl_ms);
  out.fragment(ttl_ms != 0 ? json::Text("\"cacheScope\":\"public\"") : json::Text("\"cacheScope\":\"private\""));
}

/// The capability of a Definition with tasks, for clients of sessions and for stateless clients.
inline constexpr json::Text tasks_capability =
    "\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}";
inline constexpr json::Text stateless_tasks_capability = "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}";

/// Returns the key of a row for a compiler error.
constexpr std::string_view name_of(const Tool& tool) { return tool.info.name; }
template <class Row>
constexpr std::string_view name_of(const Row& row) {
  return row.name;
}

/// Writes the members of the result of initialize after the version.
template <class Out, class WriteCapabilities>
constexpr void write_server_members(Out& out, const Definition& definition, Shown shown,
                                    WriteCapabilities write_capabilities) {
  write_capabilities(out, definition);
  write_implementation(out, "\"serverInfo\":{\"name\":", definition, shown);
  out.optional_member("instructions", definition.instructions);
}

/// Writes the members of the result of initialize. Source: schema 2025-11-25, InitializeResult.
template <class Out, class WriteCapabilities>
constexpr void write_initialize_result(Out& out, const Definition& definition, std::string_view version, Shown shown,
                                       WriteCapabilities write_capabilities) {
  out.member("protocolVersion", version);
  write_server_members(out, definition, shown, write_capabilities);
}

/// The digits of a boot id.
struct BootDigits {
  static constexpr std::size_t size = 8;
  constexpr explicit BootDigits(std::uint32_t id) {
    for (std::size_t i = size; i-- != 0; id >>= 4) text[i] = "0123456789abcdef"[id & 0xF];
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text, size}; }
  char text[size]{};
};

/// Writes the member of `_meta` with the boot id.
template <class Out>
constexpr void write_boot_id(Out& out, std::uint32_t id) {
  out.member("mote/boot", BootDigits(id).view());
}

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
