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
#include "mcp/detail/revision.hpp"
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
  if (info.type == ParamType::integer) return out.number(bound.i());
  if (info.type == ParamType::unsigned_integer) return out.number(bound.u());
  if (info.width == sizeof(float) && info.is_output) return out.number(bound.f());
  out.number(bound.d());
}

/// The codec of the value, also of that of a Nullable.
constexpr const ParamCodec& value_codec(const ParamInfo& info) {
  return info.type == ParamType::nullable ? *info.list->codec : *info.codec;
}

/// Appends the digits of a bound of a number. `codec` is that of the number, also in the row of a Nullable.
inline void append_bound(json::Writer& out, const ParamCodec& codec, const ParamInfo&, Bound bound) {
  codec.append_bound(out, bound);
}
constexpr void append_bound(json::Sizer& out, const ParamCodec&, const ParamInfo& info, Bound bound) {
  const ParamType type = info.type == ParamType::nullable ? info.list->type : info.type;
  if (type == ParamType::integer) return out.append_number(bound.i());
  if (type == ParamType::unsigned_integer) return out.append_number(bound.u());
  out.append_number(bound.d());
}

/// Where a range is: in a description, or in an error text, perhaps with the bounds of the type.
enum class RangeIn : std::uint8_t { note, error, error_of_type };

/// Appends the range of a number: `5..30`, `at least 5` or `at most 30` to a description, ` from 5 to 30` or
/// ` of at least 5` to an error text, and nothing if there is none.
template <class Out>
constexpr void append_range(Out& out, const ParamCodec& codec, const ParamInfo& info, RangeIn text) {
  const bool all = text == RangeIn::error_of_type;
  const bool low = info.has_minimum || all;
  const bool high = info.has_maximum || all;
  const char* between = "at most ";
  if (text != RangeIn::note && (low || high)) out.append(low && high ? " from " : " of ");
  if (low) {
    if (!high) out.append("at least ");
    append_bound(out, codec, info, info.minimum);
    between = text == RangeIn::note ? ".." : " to ";
  }
  if (!high) return;
  out.append(between);
  append_bound(out, codec, info, info.maximum);
}

/// Begins a description that ends with a note, in parentheses if there is more of it. Then note_end() follows.
template <class Out>
constexpr void note_begin(Out& out, std::string_view description) {
  out.fragment("\"description\":\"");
  if (description.empty()) return;
  out.append(description);
  out.append(" (");
}
template <class Out>
constexpr void note_end(Out& out, std::string_view description) {
  if (!description.empty()) out.append(")");
  out.string_end();
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
  if (with_last_modified) out.optional_member("lastModified", annotations.last_modified);
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
      while (!sizes.empty()) out.string(read_until(sizes, ' '));
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
  if (shown.icons) write_icons(out, extras.icons);
  if (!shown.meta || extras.meta.json().empty()) return;
  out.fragment("\"_meta\":");
  out.raw(extras.meta.json());
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
  if (any && shown.tool_annotations) {
    out.fragment("\"annotations\":{");
    out.optional_member("title", said.title);
    if (said.read_only_hint) out.member("readOnlyHint", *said.read_only_hint);
    if (said.destructive_hint) out.member("destructiveHint", *said.destructive_hint);
    if (said.idempotent_hint) out.member("idempotentHint", *said.idempotent_hint);
    if (said.open_world_hint) out.member("openWorldHint", *said.open_world_hint);
    out.object_end();
  }
  write_common_extras(out, extras, shown);
}

template <class Out>
constexpr void write_members(Out& out, const ServerExtras& extras, Shown shown) {
  if (!shown.icons) return;
  out.optional_member("description", extras.description);
  out.optional_member("websiteUrl", extras.website_url);
  write_icons(out, extras.icons);
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

/// Writes the names of choices. Choices with titles are in `oneOf`, and also in `enum` for hosts that know only that. A
/// form has only one of them, because clients read the kind of a field from its members.
template <class Out>
constexpr void write_enum(Out& out, const ParamInfo& info, bool with_null = false) {
  if (info.has_titles && out.schema_options().form) return;
  out.fragment("\"enum\":[");
  for (const Choice& choice : info.choices()) out.string(choice.name);
  if (with_null) out.fragment("null");
  out.array_end();
}

/// Writes the title, the header and the format of a parameter, and choices with titles instead of `enum`. `Rare`: also
/// the formats and the kinds that only the rare decorator knows.
/// Source: schema 2025-11-25, TitledSingleSelectEnumSchema, TitledMultiSelectEnumSchema.
template <bool Rare, class Out>
constexpr void write_schema_decoration(Out& out, const ParamInfo& info, bool with_header) {
  const bool is_list = info.type >= ParamType::list;
  out.optional_member("title", info.title());
  if (info.header_size != 0 && with_header) out.member("x-mcp-header", info.header_name());
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
    out.string(info.rows.choices()[i].name);
    out.member("title", info.minimum.titles()[i]);
    out.object_end();
  }
  if (Rare && info.type == ParamType::nullable) out.fragment("{\"type\":\"null\"}");
  out.array_end();
  if (!is_list) return;
  write_enum(out, info);
  out.object_end();
}

/// Writes `description` with the range and the unit of a number: hosts drop `minimum` and `maximum`, and a model reads
/// the description. An output has no range there. With SchemaOptions::unit_codes, the code of the unit is in a `_meta`:
/// validators ignore a keyword that they do not know. Source: JSON Schema 2020-12, section 6.5.
template <class Out>
constexpr void write_number_note(Out& out, const ParamInfo& info) {
  const bool has_range = !info.is_output && (info.has_minimum || info.has_maximum);
  note_begin(out, info.description);
  if (has_range) append_range(out, value_codec(info), info, RangeIn::note);
  if (info.unit_size != 0) {
    out.append(has_range ? " " : "unit: ");
    out.append(form_of(info.unit()));
  }
  note_end(out, info.description);
  if (info.unit_size == 0 || !out.schema_options().unit_codes) return;
  out.fragment("\"_meta\":{\"mote/unit\":");
  out.string(code_of(info.unit()));
  out.object_end();
}

/// True if the description of a number has its range or its unit.
constexpr bool has_number_note(const ParamInfo& info) {
  const ParamType type = info.type == ParamType::nullable ? info.list->type : info.type;
  return info.extends_description && type <= ParamType::number;
}

/// Writes all members that few parameters have.
template <class Out>
constexpr void write_rare_decoration(Out& out, const ParamInfo& info, bool with_header) {
  write_schema_decoration<true>(out, info, with_header);
  if (info.is_deprecated) out.fragment("\"deprecated\":true");
  if (info.type >= ParamType::list) return;  // the rest is of its items
  if (has_number_note(info)) write_number_note(out, info);
  if (info.has_pattern) out.member("pattern", info.check().text);
}

// The Writer calls through the row, so that unused code is not linked.
inline void decorate(json::Writer& out, const ParamInfo& info, bool with_header) {
  if (info.decorator != nullptr) info.decorator->decorate(out, info, with_header);
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

/// Writes the members `properties` and `required` of the schema of an object, also if they are empty: some hosts read
/// them without a check.
template <class Out>
constexpr void write_properties(Out& out, std::span<const ParamInfo> rows, bool with_headers = false) {
  out.fragment("\"properties\":{");
  for (const ParamInfo& row : rows) {
    out.key(row.name);
    write_schema(out, row, with_headers);
  }
  out.fragment("},\"required\":[");
  for (const ParamInfo& row : rows) {
    if (row.required) out.string(row.name);
  }
  out.array_end();
}

template <class Out>
constexpr void write_object_members(Out& out, std::span<const ParamInfo> rows, bool with_headers = false) {
  write_properties(out, rows, with_headers);
  out.fragment("\"additionalProperties\":false");
}

// The members that only one kind of parameter has. The default is the last one.

template <class Out>
constexpr void write_boolean_members(Out& out, const ParamInfo& info) {
  if (info.has_fallback) out.member("default", info.fallback.i() != 0);
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
  out.number(info.fallback.f());
}

template <class Out>
constexpr void write_string_members(Out& out, const ParamInfo& info) {
  const bool lengths = !out.schema_options().strict;
  if (lengths && info.has_minimum) out.member("minLength", static_cast<std::uint16_t>(info.minimum.i()));
  if (lengths && info.has_maximum) out.member("maxLength", static_cast<std::uint16_t>(info.maximum.i()));
  if (info.has_fallback) out.member("default", info.fallback.s());
}

// A schema limits characters, and a FixedString bytes. If the limits can differ, the description names the bytes.
template <class Out>
constexpr void write_fixed_string_members(Out& out, const ParamInfo& info) {
  if (info.extends_description) {
    note_begin(out, info.description);
    out.append("at most ");
    out.append_number(std::uint64_t{info.row_count});
    out.append(" bytes of UTF-8");
    note_end(out, info.description);
  }
  write_string_members(out, info);
}

template <class Out>
constexpr void write_default_choice(Out& out, const ParamInfo& info) {
  if (!info.has_fallback) return;
  for (const Choice& choice : info.choices()) {
    if (choice.value == info.fallback.i()) return out.member("default", choice.name);
  }
}

template <class Out>
constexpr void write_choice_members(Out& out, const ParamInfo& info) {
  write_enum(out, info);
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
  if (!out.schema_options().strict) out.member("multipleOf", info.rows.multiple());
}
template <class Out>
constexpr void write_step_members(Out& out, const ParamInfo& info) {
  if (!out.schema_options().strict) out.member("multipleOf", static_cast<double>(info.rows.step()));
}

template <class Out>
constexpr void write_unique_list_members(Out& out, const ParamInfo& info) {
  write_list_members(out, info);
  if (!out.schema_options().strict) out.fragment("\"uniqueItems\":true");
}

// A schema limits characters, and a map the bytes of its names.
template <class Out>
constexpr void write_map_members(Out& out, const ParamInfo& info) {
  out.fragment("\"additionalProperties\":");
  write_schema(out, info.item());
  if (out.schema_options().strict) return;
  out.fragment("\"propertyNames\":{\"minLength\":1");
  out.member("maxLength", std::uint16_t{info.width});
  out.fragment("\"description\":\"at most ");
  out.append_number(std::uint64_t{info.width});
  out.append(" bytes of UTF-8");
  out.string_end();
  out.object_end();
  if (info.least_items != 0) out.member("minProperties", info.least_items);
  out.member("maxProperties", info.list->capacity);
}

template <class Out>
constexpr void write_nullable_choice_members(Out& out, const ParamInfo& info) {
  write_enum(out, info, true);
  write_default_choice(out, info);
}

// The codec of the value writes the members, except those of a choice.
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
  if (tool.output_is_json) return out.raw(std::string_view(tool.output.json(), tool.output_count));
  if (tool.output_is_value) return write_schema(out, *tool.output.rows());
  write_object_schema(out, {tool.output.rows(), tool.output_count});
}

template <class Out>
constexpr void write_title(Out& out, std::string_view title, bool shown) {
  if (shown) out.optional_member("title", title);
}

/// Writes the description of a tool whose calls must be tasks.
template <class Out>
constexpr void write_task_description(Out& out, std::string_view description, bool lacks_tasks) {
  if (!lacks_tasks) return out.optional_member("description", description);
  out.key("description");
  out.string_begin();
  out.append(description);
  if (!description.empty()) out.append(" ");
  out.append("(Needs a client with tasks.)");
  out.string_end();
}

template <class Out, class S>
constexpr void write_description(Out& out, const Tool& tool, const S& shown) {
  if constexpr (std::same_as<S, TaskShown>) {
    if (tool.info.task_support == TaskSupport::required) {
      return write_task_description(out, tool.info.description, shown.lacks_tasks);
    }
  }
  out.optional_member("description", tool.info.description);
}

/// Writes the schema of the arguments of a tool, with its key.
template <class Out>
constexpr void write_input_schema(Out& out, const Tool& tool, bool with_headers) {
  out.fragment("\"inputSchema\":");
  if (tool.input_schema.empty()) {
    write_object_schema(out, {tool.params, tool.param_count}, with_headers);
  } else {
    out.raw(tool.input_schema);
  }
}

/// Writes the members of a tool after its schema, which not all tables have.
template <class Out, class S>
constexpr void write_extended_members(Out& out, const Tool& tool, const S& shown) {
  // Since 2026-07-28, as headers are, a schema may have another root than an object.
  if (tool.output_count != 0 && (tool.output_is_object ? shown.output : shown.headers)) {
    out.fragment("\"outputSchema\":");
    write_output_schema(out, tool);
  }
  if (shown.tasks) {
    if (tool.info.task_support == TaskSupport::optional) out.fragment("\"execution\":{\"taskSupport\":\"optional\"}");
    if (tool.info.task_support == TaskSupport::required) out.fragment("\"execution\":{\"taskSupport\":\"required\"}");
  }
  write_extras_of(out, tool.info.extras, shown);
}

/// Writes an item of tools/list. Source: schema 2025-11-25, Tool.
template <class Out, class S>
constexpr void write_item(Out& out, const Tool& tool, S shown) {
  out.fragment("{\"name\":");
  out.string(tool.info.name);
  write_title(out, tool.info.title, shown.titles);
  write_description(out, tool, shown);
  write_input_schema(out, tool, shown.headers);
  if constexpr (extended<S>) write_extended_members(out, tool, shown);
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

/// Writes an item with all members that clients of these revisions may get, each client some of them.
template <class Out, class Row>
constexpr void write_whole_item(Out& out, const Row& row, const Shown& shown) {
  if constexpr (std::same_as<Row, Tool>) {
    write_item(out, row, TaskShown{shown, true});
  } else {
    write_item(out, row, shown);
  }
}

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

/// Writes the member of this `_meta` with the keys that handlers read.
template <class Out>
constexpr void write_meta_keys(Out& out, const Definition& definition) {
  out.fragment("\"mote/meta\":");
  out.raw(definition.extras.get().meta_keys.json());
}

/// The cache time of data in flash, which is the same for each client until the next firmware.
inline constexpr std::uint32_t static_ttl_ms = 3'600'000;

/// Writes how long a stateless client may cache a result, and where. Source: server/utilities/caching, 2026-07-28.
template <class Out>
constexpr void write_cache(Out& out, std::uint32_t ttl_ms) {
  out.member("ttlMs", ttl_ms);
  out.fragment(ttl_ms != 0 ? json::Text("\"cacheScope\":\"public\"") : json::Text("\"cacheScope\":\"private\""));
}

// The members of ServerCapabilities. Source: schema 2025-11-25 and 2026-07-28, ServerCapabilities.

/// True if clients of this revision get notifications about changes.
constexpr bool tells_changes(const Definition& definition, const protocol::Revision& revision) {
  return !revision.stateless || definition.subscriptions.on();
}

template <class Out>
constexpr void end_list_capability(Out& out, const Definition& definition, const protocol::Revision& revision) {
  if (definition.list_changes.on() && tells_changes(definition, revision)) out.fragment("\"listChanged\":true");
  out.object_end();
}
template <class Out>
constexpr void write_tools_capability(Out& out, const Definition& definition, const protocol::Revision& revision) {
  out.fragment("\"tools\":{");
  end_list_capability(out, definition, revision);
}
template <class Out>
constexpr void write_resources_capability(Out& out, const Definition& definition, const protocol::Revision& revision) {
  out.fragment("\"resources\":{");
  if (definition.subscribable() && tells_changes(definition, revision)) out.fragment("\"subscribe\":true");
  end_list_capability(out, definition, revision);
}
template <class Out>
constexpr void write_prompts_capability(Out& out, const Definition& definition, const protocol::Revision& revision) {
  out.fragment("\"prompts\":{");
  end_list_capability(out, definition, revision);
}
template <class Out>
constexpr void write_completions_capability(Out& out, const Definition&, const protocol::Revision& revision) {
  if (revision.completions) out.fragment("\"completions\":{}");
}
template <class Out>
constexpr void write_logging_capability(Out& out, const Definition&, const protocol::Revision&) {
  out.fragment("\"logging\":{}");
}
template <class Out>
constexpr void write_tasks_capability(Out& out, const Definition&, const protocol::Revision& revision) {
  if (!revision.shown.tasks) return;
  out.fragment("\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}");
}
template <class Out>
constexpr void write_task_extension(Out& out, const Definition&, const protocol::Revision& revision) {
  if (revision.stateless) out.fragment("\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}");
}
/// The capabilities of the application, and the extension of tasks among its extensions.
template <class Out>
constexpr void write_own_capabilities(Out& out, const Definition& definition, const protocol::Revision& revision) {
  const ServerExtras& extras = definition.extras.get();
  const std::string_view extensions = extras.extensions.members();
  if (revision.stateless && !extensions.empty()) {
    out.fragment("\"extensions\":{");
    if (definition.tool_uses().tasks) out.fragment("\"io.modelcontextprotocol/tasks\":{}");
    out.raw(extensions);
    out.object_end();
  }
  if (extras.experimental.json().empty()) return;
  out.fragment("\"experimental\":");
  out.raw(extras.experimental.json());
}

/// Calls `put` with whether the server has a member of ServerCapabilities, and with the function that writes key and
/// value, in the order in which they are sent.
template <class Out>
constexpr void put_capabilities(const Definition& definition, const auto& put) {
  const bool completes = definition.prompts.uses.completes || definition.resource_templates.uses.completes;
  const bool has_tasks = definition.tool_uses().tasks;
  put(definition.has_tools(), write_tools_capability<Out>);
  put(definition.has_resources(), write_resources_capability<Out>);
  put(!definition.prompts.rows().empty(), write_prompts_capability<Out>);
  put(completes, write_completions_capability<Out>);
  put(definition.logging.on(), write_logging_capability<Out>);
  put(has_tasks && definition.eras.legacy(), write_tasks_capability<Out>);
  put(has_tasks && definition.eras.modern() && !definition.has_extensions(), write_task_extension<Out>);
  put(definition.has_own_capabilities(), write_own_capabilities<Out>);
}

/// Returns the key of a row for a compiler error.
constexpr std::string_view name_of(const Tool& tool) { return tool.info.name; }
template <class Row>
constexpr std::string_view name_of(const Row& row) {
  return row.name;
}

/// Writes the members of the result of initialize. Source: schema 2025-11-25, InitializeResult.
template <class Out>
constexpr void write_initialize_result(Out& out, const Definition& definition, const protocol::Revision& revision,
                                       const auto& write_capabilities) {
  out.member("protocolVersion", revision.name);
  write_capabilities();
  write_implementation(out, "\"serverInfo\":{\"name\":", definition, revision.shown);
  out.optional_member("instructions", definition.instructions);
}

/// Writes the revisions without sessions.
template <class Out>
constexpr void write_versions(Out& out, json::Text key) {
  out.key(key);
  out.array_begin();
  for (const protocol::Revision& revision : protocol::revisions) {
    if (revision.stateless) out.string(revision.name);
  }
  out.array_end();
}

/// Writes the members of the result of server/discover, except `_meta`. Source: schema 2026-07-28, DiscoverResult.
template <class Out>
constexpr void write_discover_result(Out& out, const Definition& definition, const auto& write_capabilities) {
  write_versions(out, "supportedVersions");
  write_capabilities();
  out.optional_member("instructions", definition.instructions);
  write_cache(out, static_ttl_ms);
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
