// SPDX-License-Identifier: Apache-2.0
// The entities as resources and tools that mote finds at run time, and the tool that reads them.
#include "esphome_node.h"

#ifdef USE_MCP_SERVER

#include <cstring>

#include <mcp/text_pieces.hpp>

#include "esphome_arguments.h"
#include "esphome_control.h"
#include "esphome_state.h"

namespace mote_esphome {

using mcp::Errc;
using mcp::json::Writer;

namespace {

Row row_of(std::uint16_t number) { return the_node->row(number); }

// mote compares the whole name or URI.
std::uint16_t find_id(std::string_view id) {
  for (std::uint16_t i = 0; i < the_node->count(); ++i) {
    if (id == row_of(i).id) return i;
  }
  return mcp::no_number;
}

bool is_controllable(const Row& row) { return row.access != Access::read && row.access != Access::guarded; }

// "Pump (switch)", "Door (binary_sensor, door)", "Heater (switch). The 2 kW heater of the bench"
void describe(const Row& row, const auto& set) {
  char device_class[esphome::MAX_DEVICE_CLASS_LENGTH];
  const char* const kind = row.entity->get_device_class_to(device_class);
  set(view_of(row.entity->get_name()), " (", row.type->name, *kind == '\0' ? "" : ", ", kind,
      *row.description == '\0' ? ")" : "). ", row.description);
}

}  // namespace

bool describe_resource(std::uint16_t number, mcp::FoundResource& out) {
  const Row row = row_of(number);
  if (row.type->write == nullptr) return false;
  out.uri("esphome://", row.type->name, "/", row.id);
  out.name(row.id);
  describe(row, [&](const auto&... pieces) { out.description(pieces...); });
  out.mime_type("application/json");
  return true;
}

std::uint16_t find_resource(std::string_view uri) {
  const std::size_t slash = uri.rfind('/');
  return slash == std::string_view::npos ? mcp::no_number : find_id(uri.substr(slash + 1));
}

Errc read_resource(std::uint16_t number, mcp::ReadResult& out) {
  write_state(out.json(), row_of(number));
  return Errc::ok;
}

bool describe_tool(std::uint16_t number, mcp::FoundTool& out) {
  const Row row = row_of(number);
  if (!is_controllable(row)) return false;
  out.name(row.type->is_action ? "press_" : "set_", row.id);
  describe(row, [&](const auto&... pieces) { out.description(pieces...); });
  out.kind(kind_of(row.access));
  if (row.type->is_action) return true;
  out.input_schema([&](Writer& schema) {
    Arguments arguments(schema);
    row.type->control(row.entity, arguments);
  });
  return true;
}

std::uint16_t find_tool(std::string_view name) {
  const std::size_t end = name.find('_');
  return end == std::string_view::npos ? mcp::no_number : find_id(name.substr(end + 1));
}

namespace {

bool is_read(const Row& row, std::string_view of) {
  if (row.type->write == nullptr) return false;
  return of.empty() || of == row.type->name || std::string_view(row.id).find(of) != std::string_view::npos;
}

// "pump (Pump): on". A state that is longer than a line may be is left to its resource.
void write_line(mcp::TextWriter& text, const Row& row, bool with_state = true) {
  const std::string_view name = view_of(row.entity->get_name());
  text.add(row.id, " (", name, "): ");
  if (with_state) {
    StateWriter state(text);
    row.type->write(row.entity, state);
  } else {
    text.add("too long, read esphome://", row.type->name, "/", row.id);
  }
  text.add("\n");
}

// The bytes of a line in the response; 0 if its state is too long.
std::size_t size_of_line(const Row& row, bool with_state = true) {
  char line[384];
  Writer writer(line);
  writer.string_begin();
  mcp::TextWriter text(writer);
  write_line(text, row, with_state);
  return writer.ok() ? writer.size() : 0;
}

struct ReadStates {
  std::string_view of;
  std::uint64_t first = 0;

  // False for an argument that does not exist or has another type.
  bool read(mcp::json::Value given) {
    for (mcp::json::Members member(given); member.next();) {
      const mcp::json::Value value = member.value();
      mcp::json::NumberStatus status{};
      if (member.key() == "of" && value.is(mcp::json::Type::string)) {
        of = value.string();
      } else if (member.key() != "first" || !value.number(first, status) || status != mcp::json::NumberStatus::ok) {
        return false;
      }
    }
    return true;
  }
};

}  // namespace

Errc read_states(mcp::json::Value given, mcp::Call& call) {
  ReadStates arguments;
  if (!arguments.read(given))
    return call.fail("The arguments are \"of\", a string, and \"first\", an integer from 0 on.");
  constexpr std::size_t reserved = 320;  // for the rest of the response
  bool is_empty = true;
  const auto write = [&](mcp::TextWriter& text) {
    std::size_t left = the_node->server().transmit_buffer().size() - reserved;
    for (std::uint64_t i = arguments.first; i < the_node->count(); ++i) {
      const Row row = row_of(static_cast<std::uint16_t>(i));
      if (!is_read(row, arguments.of)) continue;
      is_empty = false;
      std::size_t size = size_of_line(row);
      const bool with_state = size != 0;
      if (!with_state) size = size_of_line(row, false);
      if (size > left) return text.add("There are more: call again with first=", i, ".");
      left -= size;
      write_line(text, row, with_state);
    }
    if (is_empty) text.add("No entity matches.");
  };
  return call.result().text(write);
}

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
