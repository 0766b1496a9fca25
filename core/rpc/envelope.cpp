// SPDX-License-Identifier: Apache-2.0
#include "mcp/rpc/envelope.hpp"

#include <array>
#include <cstring>

#include "mcp/json/scan.hpp"
#include "mcp/json/text.hpp"

namespace mcp::rpc {
namespace {

enum Field : std::uint8_t { jsonrpc, id, method, params, result, error, field_count };

template <std::size_t N>
bool is(const std::string_view& name, const char (&text)[N]) {
  return std::memcmp(name.data(), text, N - 1) == 0;
}

// field_count for any other name. Inlined: it is the loop body of read_envelope().
[[gnu::always_inline]] inline Field field_of(const std::string_view& name) {
  switch (name.size()) {
    case 2: return is(name, "id") ? id : field_count;
    case 5: return is(name, "error") ? error : field_count;
    case 6:
      return is(name, "method") ? method : is(name, "params") ? params : is(name, "result") ? result : field_count;
    case 7: return is(name, "jsonrpc") ? jsonrpc : field_count;
    default: return field_count;
  }
}

// The error of the message, or nullptr. `id` is the id that a response repeats.
const char* read_id(json::Value value, std::size_t id_size, std::string_view& id) {
  id = raw_id(value);
  if (id.empty()) return "id must be a string or an integer.";
  return id.size() > id_size ? "id is too long." : nullptr;
}

// True for a response, also if it is invalid in other ways.
bool is_response(const std::array<json::Value, field_count>& fields) {
  return !fields[method].is(json::Type::string) && (fields[result].present() || fields[error].present());
}

void read_outcome(const std::array<json::Value, field_count>& fields, Envelope& envelope) {
  envelope.is_error = fields[error].present();
  envelope.outcome = envelope.is_error ? fields[error] : fields[result];
}

}  // namespace

std::string_view raw_id(json::Value value) { return value.is(json::Type::string) ? value.raw() : value.integer(); }

bool is_batch(std::string_view message) {
  while (!message.empty() && json::is_space(message.front())) message.remove_prefix(1);
  return message.starts_with('[');
}

Envelope read_envelope(json::Value message, std::size_t id_size, const json::MemberIndex* outline) {
  Envelope envelope;
  if (!message.is(json::Type::object)) {
    envelope.problem = "must be an object.";
    return envelope;
  }
  std::array<json::Value, field_count> fields;
  bool twice = false;
  bool id_twice = false;
  json::Object{message, outline}.each([&](const std::string_view& key, json::Value value) {
    const Field field = field_of(key);
    if (field == field_count) return;
    if (!fields[field].present()) {
      fields[field] = value;
    } else {
      twice = true;
      if (field == id) id_twice = true;
    }
  });
  if (fields[id].present() && !id_twice) envelope.problem = read_id(fields[id], id_size, envelope.id);
  const bool well_formed = !twice && fields[jsonrpc].equals("2.0");
  if (is_response(fields)) {
    const bool one_outcome = !fields[method].present() && fields[result].present() != fields[error].present();
    envelope.kind = Kind::response;
    envelope.readable = well_formed && one_outcome ? Readable::yes : Readable::malformed;
    read_outcome(fields, envelope);
    envelope.problem = nullptr;
  } else if (envelope.problem != nullptr) {
    return envelope;
  } else if (twice) {
    envelope.problem = "duplicate member in the envelope.";
  } else if (!well_formed) {
    envelope.problem = "jsonrpc must be \"2.0\".";
  } else if (envelope.method = fields[method].string(); envelope.method.data() != nullptr) {
    envelope.kind = fields[id].present() ? Kind::request : Kind::notification;
    envelope.params = {fields[params].unless_null(), outline};
  } else {
    envelope.problem = "method must be a string.";
  }
  return envelope;
}

}  // namespace mcp::rpc
