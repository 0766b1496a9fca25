#include "rpc/envelope.hpp"

#include <array>

#include "json/text.hpp"

namespace mcp::rpc {
namespace {

enum Field : std::uint8_t { jsonrpc, id, method, params, result, error, field_count };
constexpr std::array<std::string_view, field_count> names{"jsonrpc", "id", "method", "params", "result", "error"};

// `twice` is the first of the names that stands twice, and another may too.
bool stands_twice(json::Value message, Field field, std::size_t twice) {
  json::Value ignored;
  return twice != json::no_key && json::find_members(message, {&names[field], 1}, {&ignored, 1}) != json::no_key;
}

}  // namespace

std::string_view raw_id(json::Value value) {
  const bool is_string = value.is(json::Type::string);
  if (!is_string && !value.is(json::Type::number)) return {};
  const std::string_view raw = value.raw();
  for (const char c : is_string ? std::string_view() : raw) {
    if (c == '.' || (c | 0x20) == 'e') return {};
  }
  return raw;
}

Envelope read_envelope(json::Value message, std::size_t id_size, const json::Outline* outline) {
  Envelope envelope;
  if (!message.is(json::Type::object)) {
    envelope.problem = json::Text("Invalid request: a message is an object.");
    return envelope;
  }
  std::array<json::Value, field_count> fields;
  const std::size_t twice = json::Object{message, outline}.find(names, fields);
  if (fields[id].present() && !stands_twice(message, id, twice)) {
    const std::string_view raw = raw_id(fields[id]);
    if (raw.empty()) {
      envelope.problem = json::Text("Invalid request: id must be a string or an integer.");
    } else if (raw.size() > id_size) {
      envelope.problem = json::Text("Invalid request: id is too long.");
    } else {
      envelope.id = raw;
    }
  }
  const bool well_formed = twice == json::no_key && fields[jsonrpc].equals("2.0");
  const bool answers = !fields[method].present() && fields[result].present() != fields[error].present();
  // An error about a message that could not be read has no id; it is not to be answered by another error.
  if (well_formed && answers && (!envelope.id.empty() || fields[error].present())) {
    envelope.kind = Kind::response;
    envelope.result = fields[result];
    envelope.error = fields[error];
    envelope.problem = {};
  } else if (!envelope.problem.empty()) {
    return envelope;
  } else if (twice != json::no_key) {
    envelope.problem = json::Text("Invalid request: a member of the envelope is given twice.");
  } else if (!well_formed) {
    envelope.problem = json::Text("Invalid request: jsonrpc must be \"2.0\".");
  } else if (fields[method].is(json::Type::string)) {
    envelope.kind = fields[id].present() ? Kind::request : Kind::notification;
    envelope.method = fields[method].string();
    envelope.params = {fields[params], outline};
  } else {
    envelope.problem = json::Text("Invalid request: method must be a string.");
  }
  return envelope;
}

}  // namespace mcp::rpc
