// How the rows of a Definition look on the wire. Templates over the output, so that the same text that is written at
// run time (json::Writer) is measured at compile time (json::Sizer). Knows no request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "json/sizer.hpp"
#include "json/writer.hpp"
#include "mcp/content.hpp"
#include "mcp/definition.hpp"
#include "mcp/params.hpp"
#include "mcp/resource.hpp"
#include "mcp/tool.hpp"

namespace mcp::detail {

inline void write_bound(json::Writer& out, const ParamCodec& codec, Bound bound) {
  out.number_begin();
  codec.append_bound(out, bound);
}
constexpr void write_bound(json::Sizer& out, const ParamCodec&, Bound) { out.number_begin(); }

/// The member `annotations`. Source: schema 2025-11-25, Annotations.
template <class Out>
constexpr void write_annotations(Out& out, const Annotations& annotations) {
  using Audience = Annotations::Audience;
  out.fragment("\"annotations\":{");
  if (annotations.audience == Audience::user) out.fragment("\"audience\":[\"user\"]");
  if (annotations.audience == Audience::assistant) out.fragment("\"audience\":[\"assistant\"]");
  if (annotations.audience == Audience::both) out.fragment("\"audience\":[\"user\",\"assistant\"]");
  if (annotations.priority) out.member("priority", *annotations.priority);
  out.optional_member("lastModified", annotations.last_modified);
  out.object_end();
}

template <class Out>
constexpr void write_default(Out& out, const ParamInfo& info) {
  out.fragment("\"default\":");
  switch (info.type) {
    case ParamType::boolean: return out.boolean(info.fallback.i != 0);
    case ParamType::string: return out.string(info.fallback.s);
    case ParamType::choice:
      for (const Choice& choice : info.choices()) {
        if (choice.value == info.fallback.i) out.string(choice.name);
      }
      return;
    default: return write_bound(out, *info.codec, info.fallback);
  }
}

template <class Out>
constexpr void write_object_schema(Out& out, std::span<const ParamInfo> rows, std::string_view description);

template <class Out>
constexpr void write_bounds(Out& out, const ParamInfo& info) {
  if (info.type == ParamType::string) {
    if (info.has_minimum) out.member("minLength", static_cast<std::uint16_t>(info.minimum.i));
    if (info.has_maximum) out.member("maxLength", static_cast<std::uint16_t>(info.maximum.i));
    return;
  }
  if (info.has_minimum) {
    out.fragment("\"minimum\":");
    write_bound(out, *info.codec, info.minimum);
  }
  if (info.has_maximum) {
    out.fragment("\"maximum\":");
    write_bound(out, *info.codec, info.maximum);
  }
}

/// The JSON Schema of one parameter. Recursion ends at the 4 levels that params() allows.
template <class Out>
constexpr void write_schema(Out& out, const ParamInfo& info) {
  if (info.type == ParamType::object) return write_object_schema(out, info.fields(), info.description);
  constexpr json::Text types[] = {"integer", "integer", "number", "boolean", "string", "string", "array"};
  out.fragment("{\"type\":");
  out.string(types[static_cast<std::size_t>(info.type)]);
  out.optional_member("description", info.description);
  if (info.type == ParamType::list) {
    out.fragment("\"items\":");
    write_schema(out, info.item());
    if (info.least_items != 0) out.member("minItems", info.least_items);
    out.member("maxItems", info.list->capacity);
  } else if (info.type == ParamType::choice) {
    out.fragment("\"enum\":[");
    for (const Choice& choice : info.choices()) out.string(choice.name);
    out.array_end();
  } else {
    write_bounds(out, info);
  }
  if (info.has_fallback) write_default(out, info);
  out.object_end();
}

/// The members `properties` and `required` of an object's schema.
template <class Out>
constexpr void write_properties(Out& out, std::span<const ParamInfo> rows) {
  bool any_required = false;
  if (!rows.empty()) {
    out.fragment("\"properties\":{");
    for (const ParamInfo& row : rows) {
      out.key(row.name);
      write_schema(out, row);
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
constexpr void write_object_schema(Out& out, std::span<const ParamInfo> rows, std::string_view description) {
  out.fragment("{\"type\":\"object\"");
  out.optional_member("description", description);
  write_properties(out, rows);
  out.fragment("\"additionalProperties\":false}");
}

/// An item of tools/list. Source: schema 2025-11-25, Tool.
template <class Out>
constexpr void write_item(Out& out, const Tool& tool, bool with_title) {
  out.fragment("{\"name\":");
  out.string(tool.info.name);
  if (with_title) out.optional_member("title", tool.info.title);
  out.optional_member("description", tool.info.description);
  out.fragment("\"inputSchema\":");
  if (tool.input_schema.empty()) {
    write_object_schema(out, {tool.params, tool.param_count}, {});
  } else {
    out.raw(tool.input_schema);
  }
  out.object_end();
}

template <class Out, class Row>
constexpr void write_resource_like(Out& out, json::Text uri_key, std::string_view uri, const Row& row,
                                   bool with_title) {
  out.object_begin();
  out.member(uri_key, uri);
  out.member("name", row.name);
  if (with_title) out.optional_member("title", row.title);
  out.optional_member("description", row.description);
  out.optional_member("mimeType", row.mime_type);
  out.object_end();
}

/// An item of resources/list. Source: schema 2025-11-25, Resource.
template <class Out>
constexpr void write_item(Out& out, const Resource& resource, bool with_title) {
  write_resource_like(out, "uri", resource.uri, resource, with_title);
}

/// An item of resources/templates/list. Source: schema 2025-11-25, ResourceTemplate.
template <class Out>
constexpr void write_item(Out& out, const ResourceTemplate& row, bool with_title) {
  write_resource_like(out, "uriTemplate", row.uri_template, row, with_title);
}

/// An item of prompts/list. Source: schema 2025-11-25, Prompt.
template <class Out>
constexpr void write_item(Out& out, const Prompt& prompt, bool with_title) {
  out.fragment("{\"name\":");
  out.string(prompt.name);
  if (with_title) out.optional_member("title", prompt.title);
  out.optional_member("description", prompt.description);
  if (!prompt.arguments.rows().empty()) {
    out.fragment("\"arguments\":[");
    for (const PromptArgument& argument : prompt.arguments.rows()) {
      out.fragment("{\"name\":");
      out.string(argument.name);
      if (with_title) out.optional_member("title", argument.title);
      out.optional_member("description", argument.description);
      if (argument.required) out.fragment("\"required\":true");
      out.object_end();
    }
    out.array_end();
  }
  out.object_end();
}

/// The members of the result of initialize. Source: schema 2025-11-25, InitializeResult.
template <class Out, class WriteCapabilities>
constexpr void write_initialize_result(Out& out, const Definition& definition, std::string_view version,
                                       bool with_title, WriteCapabilities write_capabilities) {
  out.member("protocolVersion", version);
  write_capabilities(out, definition);
  out.fragment("\"serverInfo\":{\"name\":");
  out.string(definition.name);
  if (with_title) out.optional_member("title", definition.title);
  out.member("version", definition.version);
  out.object_end();
  out.optional_member("instructions", definition.instructions);
}

}  // namespace mcp::detail
