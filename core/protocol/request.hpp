// One request while it is being answered, and what an area of the protocol brings to the server.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "json/value.hpp"
#include "json/writer.hpp"
#include "mcp/definition.hpp"
#include "mcp/storage.hpp"
#include "mcp/text.hpp"
#include "protocol/errors.hpp"
#include "protocol/revision.hpp"
#include "rpc/response.hpp"

namespace mcp::protocol {

/// What the revision shows of the rows of a table: mcp::detail::Shown or mcp::detail::Plain.
template <class S>
S shown_by(const Revision& revision) {
  if constexpr (std::same_as<S, mcp::detail::Plain>) {
    return {revision.shown.titles};
  } else {
    return revision.shown;
  }
}

/// Lives on the stack for one request. Exactly one answer leaves it: result_begin() … finish(), or fail().
class Request : public rpc::Response {
 public:
  Request(const Definition& device, const mcp::detail::StorageView& memory, std::size_t index,
          mcp::detail::Session& client, std::string_view id, json::Value arguments, json::Writer& window, Millis time)
      : Response(window, id),
        definition(device),
        storage(memory),
        session_index(index),
        session(client),
        params(arguments),
        now(time) {}

  const Definition& definition;
  const mcp::detail::StorageView& storage;
  std::size_t session_index;
  mcp::detail::Session& session;
  json::Value params;  // an object, or missing
  Millis now;

  [[nodiscard]] const Revision& revision() const { return revisions[session.revision]; }

  [[nodiscard]] Content::Known known_content() const { return revision().content; }

  /// False for a row that is switched off.
  [[nodiscard]] bool enabled(Area area, std::size_t index) const;

  /// Reads `name` and `arguments` of the params, which tools/call and prompts/get have in common. False after it has
  /// answered with an error.
  [[nodiscard]] bool read_call(std::string_view& name, json::Value& arguments);

  /// Ends the result. What did not fit is replaced by an error, and false returned.
  bool finish();
  /// The answer `{}`.
  void empty_result();

  /// Answers with an error with this message, in place of whatever was written.
  void fail(int code, json::Text message);
  /// The same with a message made of pieces.
  template <TextPiece First, TextPiece Second, TextPiece... More>
  void fail(int code, First&& first, Second&& second, More&&... more) {
    error_begin(code);
    mcp::detail::append_piece(out, first);
    mcp::detail::append_piece(out, second);
    (mcp::detail::append_piece(out, more), ...);
    error_end();
  }
  /// Answers with what an Errc means for the resource at `uri`.
  void fail(Errc errc, std::string_view uri);
};

/// The first bytes of a text from a client, short enough to be quoted in an error.
constexpr std::string_view excerpt(std::string_view text) { return {text.data(), text.size() < 48 ? text.size() : 48}; }

/// One method that clients may call, or a notification: its handler answers nothing. Their names tell them apart.
struct Method {
  std::string_view name;
  void (*handle)(Request& request);
  bool before_initialize = false;
};

/// What an area may send on its own: into the window of one session.
struct Outbound {
  const Definition& definition;
  const mcp::detail::StorageView& storage;
  std::size_t session_index;
  mcp::detail::Session& session;
  json::Writer& out;
  Millis now;
};

/// One area of the protocol. The tables of a Definition point here, so that areas without a table are not linked.
struct Feature {
  std::span<const Method> methods;
  /// Writes the member of ServerCapabilities: key and value. May be nullptr.
  void (*write_capability)(json::Writer& out, const Definition& definition);
  /// Writes the next message that is due on its own, at most one. False when there is none. May be nullptr.
  bool (*transmit)(Outbound& outbound) = nullptr;
  /// After how many milliseconds transmit() has work of which no event tells. May be nullptr.
  Millis (*due)(const mcp::detail::StorageView& storage, Millis now) = nullptr;
  /// Ends what the session has running. Writes nothing; `out` is for scratch. May be nullptr.
  void (*close)(Outbound& outbound) = nullptr;
};

/// Ends whatever the session has running.
void close_children(Outbound outbound);

/// Ends a capability whose brace is open.
void end_list_capability(json::Writer& out, const Definition& definition);

/// Ends the result of tools/call behind its content items, given the outcome of the handler.
void end_tool_result(rpc::Response& response, Call& call, Errc errc);

extern const Feature base_feature;

/// How a URI that is not in the resource table is looked for among the templates.
struct TemplateReader {
  /// Answers the request and returns true when a template matches.
  bool (*read)(Request& request, std::string_view uri);
  void (*list)(Request& request);
};

/// The frame around the body of a resource: body_begin(), the body, then body_end() with the outcome, which answers the
/// request.
ReadResult body_begin(Request& request, std::string_view uri, std::string_view mime_type);
void body_end(Request& request, std::string_view uri, ReadResult& body, Errc errc);

/// Answers a request for a list with the page that its cursor asks for: as many items as fit.
/// `write` writes item `index` of the area's `count` rows. Rows that are switched off are left out.
void answer_page(Request& request, json::Text key, Area area, std::size_t count,
                 void (*write)(Request& request, std::size_t index));

}  // namespace mcp::protocol
