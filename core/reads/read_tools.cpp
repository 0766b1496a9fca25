// SPDX-License-Identifier: Apache-2.0
// Rows of resources and templates as tools. Source: server/tools#tool-result, 2025-11-25.
#include "mcp/read_tools.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "engine/request.hpp"
#include "features/resources.hpp"
#include "mcp/call.hpp"
#include "mcp/json/value.hpp"

namespace mcp::detail {
namespace {

bool begins_with(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && std::memcmp(text.data(), with.data(), with.size()) == 0;
}

constexpr std::string_view blob = ",\"blob\":\"";

// The position of the bytes in a body, which may follow `_meta`. Base64 has no quotes.
std::size_t place_of_bytes(std::string_view body) {
  if (begins_with(body, blob)) return 0;
  const std::size_t at = body.rfind(blob);
  const bool is_last = at != std::string_view::npos && body.find('"', at + blob.size()) == body.size() - 1;
  return is_last ? at : std::string_view::npos;
}

class CallBody : public ToolBody {
 public:
  CallBody(Call& call, std::string_view uri, std::string_view mime_type) : ToolBody(call.request(), form), call_(call) {
    begin(uri, mime_type);
  }

  /// Ends the item.
  Errc end() {
    finish();
    json::Writer& out = writer();
    if (out.ok()) choose_type();
    out.object_end();
    return out.ok() ? Errc::ok : Errc::no_space;
  }

 private:
  enum class Media : std::uint8_t { none, image, audio };

  static const Form form;

  // As an embedded resource, because the strings are those of a handler that ends before the item.
  void begin(std::string_view uri, std::string_view mime_type) {
    const bool is_audio = begins_with(mime_type, "audio/");
    media_ = is_audio ? Media::audio : begins_with(mime_type, "image/") ? Media::image : Media::none;
    json::Writer& out = writer();
    start_ = out.mark();
    out.fragment("{\"type\":\"resource\",\"resource\":{\"uri\":");
    out.string(uri);
    type_ = out.rest().data();
    out.optional_member("mimeType", mime_type);
    body_ = out.rest().data();
  }

  void next(const std::string_view& uri, const std::string_view& mime_type) {
    if (is_empty()) {
      if (writer().ok()) writer().rollback(start_);
    } else {
      static_cast<void>(end());
      forget_body();
    }
    begin(uri, mime_type);
  }

  // Texts, images and sounds have a shorter head.
  void choose_type() {
    const std::size_t bytes = place_of_bytes(text_from(body_));
    if (bytes == std::string_view::npos) return replace_head("{\"type\":\"text\"", body_);
    if (media_ == Media::none) return writer().object_end();
    if (media_ == Media::audio && !call_.request().known_content().audio) {
      return replace_head("{\"type\":\"text\",\"text\":\"A sound that this client does not support.\"", nullptr);
    }
    std::memcpy(body_ + bytes + 2, "data", 4);
    replace_head(media_ == Media::image ? "{\"type\":\"image\"" : "{\"type\":\"audio\"", type_);
  }

  // The members from `rest` on stay.
  void replace_head(std::string_view head, const char* rest) {
    json::Writer& out = writer();
    const std::string_view members = rest != nullptr ? text_from(rest).substr(1) : std::string_view();
    out.rollback(start_);
    out.fragment(head);
    if (rest != nullptr) out.raw(members);
  }

  [[nodiscard]] std::string_view text_from(const char* at) {
    return {at, static_cast<std::size_t>(writer().rest().data() - at)};
  }

  Call& call_;
  Media media_ = Media::none;
  json::Writer::Mark start_{};
  char* type_ = nullptr;
  char* body_ = nullptr;
};

constexpr ToolBody::Form CallBody::form{
    [](ToolBody& body) -> json::Writer& { return static_cast<CallBody&>(body).call_.fail_begin(); },
    [](ToolBody& body) { return static_cast<CallBody&>(body).call_.fail_end(); },
    [](ToolBody& body, const std::string_view& uri, const std::string_view& mime_type) {
      static_cast<CallBody&>(body).next(uri, mime_type);
    },
};

Errc write_body(Call& call, std::string_view uri, std::string_view mime_type, const void* values, ReadValues read) {
  CallBody body(call, uri, mime_type);
  const Errc errc = read(values, body);
  if (body.has_failed()) return Errc::failed;
  return errc == Errc::ok ? body.end() : errc;
}

Errc read_row(const void* row, ReadResult& out) { return static_cast<const Resource*>(row)->read(out); }

struct Given {
  const ResourceTemplate& row;
  std::span<const UriVariable> variables;
};

Errc read_given(const void* given, ReadResult& out) {
  const Given& values = *static_cast<const Given*>(given);
  return values.row.read(UriVariables(values.variables), out);
}

}  // namespace

Errc call_resource(const Tool& tool, json::Value arguments, Call& call) {
  const Resource& row = tool.output.resource();
  if (const Errc errc = check_no_arguments(arguments, call); errc != Errc::ok) return errc;
  return write_body(call, row.uri, row.mime_type, &row, read_row);
}

Errc call_template(const Tool& tool, json::Value arguments, void* values, Call& call) {
  const ResourceTemplate& row = tool.output.resource_template();
  if (const Errc errc = decode_arguments(tool, arguments, values, call); errc != Errc::ok) return errc;
  return write_body(call, row.uri_template, row.mime_type, values, row.tool->read);
}

Errc call_variables(const Tool& tool, json::Value arguments, Call& call) {
  const ResourceTemplate& row = tool.output.resource_template();
  std::string_view values[max_template_variables] = {};
  if (const Errc errc = decode_arguments(tool, arguments, values, call); errc != Errc::ok) return errc;
  UriVariable variables[max_template_variables] = {};
  std::size_t count = 0;
  for (std::size_t i = 0; i < tool.param_count; ++i) {
    if (values[i].data() != nullptr) variables[count++] = {tool.params[i].name, values[i]};
  }
  const Given given{row, {variables, count}};
  return write_body(call, row.uri_template, row.mime_type, &given, read_given);
}

}  // namespace mcp::detail
