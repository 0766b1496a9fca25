// SPDX-License-Identifier: Apache-2.0
// Resource bodies that the server reads piece by piece while it sends them: one transmit buffer at a time, at most one
// message of a session at once. Source: server/resources#reading-resources and basic/utilities/cancellation,
// 2025-11-25.
#include <cstring>

#include "engine/feature.hpp"
#include "engine/owned.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "engine/session_slot.hpp"
#include "features/resources.hpp"
#include "mcp/assert.hpp"
#include "mcp/body_stream.hpp"
#include "mcp/json/utf8.hpp"
#include "mcp/json/value.hpp"
#include "rpc/same_id.hpp"

namespace mcp {

using detail::StorageView;
using detail::Stream;
using protocol::SendContext;

namespace {

// After the body: `"}]}}`.
constexpr std::size_t tail_size = 5;

// How many of these bytes are complete characters. An incomplete sequence at the end waits for its other bytes.
std::size_t whole_characters(const char* text, std::size_t size) {
  for (std::size_t back = 1; back <= 3 && back <= size; ++back) {
    const auto byte = static_cast<std::uint8_t>(text[size - back]);
    if (byte < 0x80) break;
    if (byte < 0xC0) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length > back ? size - back : size;
  }
  return size;
}

// The state of a stream of a template.
char* state_of(const StorageView& storage, std::span<const ResourceTemplate> rows, std::size_t stream) {
  MCP_DEBUG_ASSERT(stream < storage.streams.capacity());
  return storage.stream_ids + detail::first_stream_state(storage.streams.capacity(), storage.id_size) +
         stream * detail::stream_state_size(rows);
}

// What a stream sends: the body of a row.
struct ResourceSource {
  ResourceSource(const SendContext& context, memory::Handle, const Stream& stream)
      : row(context.definition.resources.rows()[stream.row]) {
    MCP_DEBUG_ASSERT(!stream.is_template && stream.row < context.definition.resources.rows().size());
  }
  [[nodiscard]] std::string_view uri() const { return row.uri; }
  [[nodiscard]] std::string_view mime_type() const { return row.mime_type; }
  [[nodiscard]] Millis ttl_ms() const { return row.ttl_ms; }
  [[nodiscard]] bool is_text() const { return row.stream.is_text(); }
  [[nodiscard]] Chunk read(std::uint32_t offset, std::span<std::uint8_t> into) const {
    return row.stream.read(offset, into);
  }
  const Resource& row;
};

// The body of a row, or of a URI that a template has matched.
struct AnySource {
  AnySource(const SendContext& context, memory::Handle handle, const Stream& stream) {
    if (!stream.is_template) {
      resource = &context.definition.resources.rows()[stream.row];
      return;
    }
    const std::span<const ResourceTemplate> rows = context.definition.resource_templates.rows();
    matched = &rows[stream.row];
    state = state_of(context.storage, rows, handle.index);
  }
  [[nodiscard]] std::string_view uri() const {
    if (matched == nullptr) return resource->uri;
    const char* const at = state + matched->stream.kind().variables_size;
    std::uint16_t size = 0;
    std::memcpy(&size, at, sizeof size);
    return {at + sizeof size, size};
  }
  [[nodiscard]] std::string_view mime_type() const {
    return matched == nullptr ? resource->mime_type : matched->mime_type;
  }
  [[nodiscard]] Millis ttl_ms() const { return matched == nullptr ? resource->ttl_ms : matched->ttl_ms; }
  [[nodiscard]] bool is_text() const {
    return matched == nullptr ? resource->stream.is_text() : matched->stream.kind().is_text;
  }
  [[nodiscard]] Chunk read(std::uint32_t offset, std::span<std::uint8_t> into) const {
    if (matched == nullptr) return resource->stream.read(offset, into);
    return matched->stream.kind().read_part(state, offset, into);
  }
  const Resource* resource = nullptr;
  const ResourceTemplate* matched = nullptr;
  const char* state = nullptr;
};

}  // namespace

/// Sends one stream, a part at a time.
template <class Source>
class StreamRunner {
 public:
  StreamRunner(SendContext& context, memory::Handle handle)
      : context_(context),
        handle_(handle),
        stream_(context.storage.streams.at(handle)),
        source_(context, handle, stream_),
        out_(context.out),
        request_(context, {context.storage.stream_id(handle.index), stream_.id_size}, json::Object()) {}

  /// Writes the next part, if it can be read now. True when the session can have nothing else to send.
  bool run() {
    if (stream_.errc != Errc::ok) return answer(stream_.errc);
    if (protocol::until(stream_.wake_ms, context_.now) != 0) return wait();
    stream_.wake_ms = context_.now;
    const std::uint32_t offset = stream_.offset;
    if (!stream_.begun) {
      request_.result_begin();
      static_cast<void>(protocol::body_begin(request_, source_.uri(), source_.mime_type(), source_.ttl_ms()));
      out_.fragment(source_.is_text() ? json::Text("\"text\":\"") : json::Text("\"blob\":\""));
    }
    const std::size_t tail = out_.reserve(tail_size);
    const Chunk last = out_.ok() ? write_chunks() : Chunk::failed(Errc::no_space);
    out_.release(tail);
    return end_part(last, stream_.offset != offset);
  }

 private:
  bool end_part(Chunk last, bool moved) {
    switch (last.kind_) {
      case Chunk::Kind::end:
        out_.string_end();
        out_.fragment("}]}}");
        context_.storage.streams.release(handle_);
        return true;
      case Chunk::Kind::not_ready:
        stream_.wake_ms += last.value_;
        if (!stream_.is_whole) return moved ? part() : wait();
        stream_.offset = 0;  // it is read again from its begin
        return wait();
      case Chunk::Kind::failed:
        MCP_ASSERT(last.errc_ != Errc::ok);
        if (!stream_.begun) return answer(last.errc_);
        return moved ? part() : cut(last.errc_);  // earlier bytes are sent first
      default:
        if (stream_.is_whole) return answer(Errc::no_space);
        // Not even one character fits into the transmit buffer.
        return out_.size() == 0 ? cut(Errc::no_space) : part();
    }
  }

  bool part() {
    MCP_DEBUG_ASSERT(!stream_.is_whole);
    stream_.begun = true;
    context_.session.last_used = context_.now;  // a long body makes no idle client
    context_.status = Reply::Status::part;
    return true;
  }

  // A message that was begun keeps all others waiting.
  bool wait() {
    request_.discard();
    if (stream_.begun) context_.status = Reply::Status::none;
    return stream_.begun;
  }

  bool cut(Errc errc) {
    MCP_DEBUG_ASSERT(stream_.begun && errc != Errc::ok);
    stream_.errc = errc;
    context_.status = Reply::Status::broken;
    return true;
  }

  bool answer(Errc errc) {
    request_.fail(errc, source_.uri());
    context_.storage.streams.release(handle_);
    return true;
  }

  // Until the transmit buffer is full (the result is then one of bytes), the body ends, or no byte is ready.
  Chunk write_chunks() {
    std::uint8_t bytes[48];  // a multiple of three
    for (;;) {
      if (stream_.offset > 0xFFFF'FFFF - sizeof bytes) return Chunk::failed(Errc::internal);
      std::size_t size = 0;
      std::size_t whole = 0;
      Chunk chunk = Chunk::end();
      do {
        const std::span<std::uint8_t> into = std::span(bytes).subspan(size);
        chunk = source_.read(stream_.offset + static_cast<std::uint32_t>(size), into);
        if (chunk.kind_ != Chunk::Kind::bytes) break;
        MCP_ASSERT(chunk.value_ >= 1 && chunk.value_ <= into.size());
        size += chunk.value_;
        whole = source_.is_text() ? whole_characters(reinterpret_cast<const char*>(bytes), size) : size - size % 3;
      } while (whole == 0);
      const bool ends = chunk.kind_ == Chunk::Kind::end;
      if (!ends && whole == 0) return chunk;
      if (ends) whole = size;  // nothing will complete it any more
      const std::size_t written =
          source_.is_text() ? write_text(reinterpret_cast<const char*>(bytes), whole) : write_blob(bytes, whole);
      stream_.offset += static_cast<std::uint32_t>(written);
      if (written != whole) return Chunk::bytes(1);
      if (ends) return chunk;
    }
  }

  // Writes as many whole characters as fit, and returns their bytes.
  std::size_t write_text(const char* text, std::size_t size) {
    json::Writer::Mark mark = out_.mark();
    out_.append(std::string_view(text, size));
    if (out_.ok()) return size;
    out_.rollback(mark);
    for (std::size_t written = 0;;) {
      const std::size_t length = json::utf8_length(text + written, text + size);
      const std::size_t character = length == 0 ? 1 : length;
      out_.append(std::string_view(text + written, character));
      if (!out_.ok()) {
        out_.rollback(mark);
        return written;
      }
      mark = out_.mark();
      written += character;
    }
  }

  // Writes as many whole groups as fit, and returns their bytes.
  std::size_t write_blob(const std::uint8_t* bytes, std::size_t size) {
    const std::size_t room = out_.rest().size() / 4 * 3;
    const std::size_t written = size < room ? size : room;
    out_.append_base64({bytes, written});
    return written;
  }

  SendContext& context_;
  memory::Handle handle_;
  Stream& stream_;
  Source source_;
  json::Writer& out_;
  protocol::Request request_;
};

namespace protocol {
namespace {

template <class Source>
bool transmit_streams(SendContext& context) {
  const StorageView& storage = context.storage;
  const bool unfinished = storage.is_unfinished(context.session_index, context.channel);
  WalkOf<Stream> streams(storage.streams, context);
  while (const Stream* const stream = streams.next()) {
    if (!context.is_for(stream->channel) || stream->begun != unfinished) continue;
    context.client = stream->client;
    if (StreamRunner<Source>(context, streams.handle()).run()) return true;
  }
  return false;
}

Millis streams_due(const Definition&, const StorageView& storage, Millis now) {
  Millis earliest = forever;
  memory::Walk<Stream> streams(storage.streams);
  while (const Stream* const stream = streams.next()) {
    if (storage.is_unfinished(stream->session, stream->channel) != stream->begun) continue;
    const Millis in = until(stream->wake_ms, now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

void close_streams(SendContext& context) {
  WalkOf<Stream> streams(context.storage.streams, context);
  while (const Stream* const stream = streams.next()) {
    if (context.is_for(stream->channel)) context.storage.streams.release(streams.handle());
  }
}

// The zero handle after an error.
memory::Handle start(Request& request, std::size_t row) {
  const StorageView& storage = request.storage;
  if (!request.id_is_free()) return {};
  const memory::Handle handle = acquire_slot(request.context, storage.streams);
  if (handle == memory::Handle{}) {
    mcp::detail::count(storage.health().streams_full);
    fail_for_slots(request, slot_limit(request.context, storage.streams), "All ", " streams",
                   " are in use; try again later.");
    return handle;
  }
  const std::string_view id = request.id();
  Stream& stream = storage.streams.at(handle);
  MCP_DEBUG_ASSERT(id.size() <= storage.id_size && row <= 0xFFFF);
  stream.wake_ms = request.now;
  stream.row = static_cast<std::uint16_t>(row);
  stream.channel = request.context.channel;
  stream.is_whole = request.context.info != nullptr && request.context.info->whole_messages;
  stream.client = request.context.client;
  stream.id_size = static_cast<std::uint16_t>(id.size());
  std::memcpy(storage.stream_id(handle.index), id.data(), id.size());
  return handle;
}

// Found before the method of that name that serves all other rows.
void read_resource_body(Request& request) {
  const std::string_view uri = read_uri(request);
  if (uri.empty()) return;
  const std::span<const Resource> rows = request.definition.resources.rows();
  const std::size_t row = find_resource(request, uri);
  if (row < rows.size() && rows[row].stream.on()) return static_cast<void>(start(request, row));
  read_resource(request, uri, row);
}

// Only before the first part, because sent bytes cannot be cancelled.
void stream_cancelled(Request& request) {
  const json::Value id = request.params.find("requestId");
  if (!id.present()) return;
  const StorageView& storage = request.storage;
  WalkOf<Stream> streams(storage.streams, request.context);
  while (const Stream* const stream = streams.next()) {
    if (stream->begun || request.session.shared) continue;
    const std::string_view its_id(storage.stream_id(streams.index()), stream->id_size);
    if (rpc::same_id(its_id, id.raw())) storage.streams.release(streams.handle());
  }
}

bool has_open_stream(const StorageView& storage, const OpenRequest& wanted) {
  memory::Walk<Stream> streams(storage.streams);
  while (const Stream* const stream = streams.next()) {
    if (wanted.is(stream->session, stream->channel, storage.stream_id(streams.index()), stream->id_size)) return true;
  }
  return false;
}

constexpr FeatureMethod stream_methods[] = {{"resources/read", read_resource_body},
                                            {"notifications/cancelled", stream_cancelled}};

}  // namespace

void start_template_stream(Request& request, const std::string_view& uri, std::size_t row,
                           const UriVariables& variables) {
  const std::span<const ResourceTemplate> rows = request.definition.resource_templates.rows();
  if (uri.size() > mcp::detail::longest_stream_uri(rows[row])) {
    return request.fail("uri is too long; shorten the values of its variables.");
  }
  const memory::Handle handle = start(request, row);
  if (handle == memory::Handle{}) return;
  request.storage.streams.at(handle).is_template = true;
  const mcp::detail::TemplateStreamKind& kind = rows[row].stream.kind();
  char* const state = state_of(request.storage, rows, handle.index);
  request.result_begin();  // as decode_variables() needs it
  ReadResult out(request);
  if (kind.begin(variables, state, out) != Errc::ok) return request.storage.streams.release(handle);
  request.discard();
  const auto size = static_cast<std::uint16_t>(uri.size());
  std::memcpy(state + kind.variables_size, &size, sizeof size);
  std::memcpy(state + kind.variables_size + sizeof size, uri.data(), size);
}

constinit const Feature streams_feature{.methods = stream_methods,
                                        .transmit = transmit_streams<ResourceSource>,
                                        .due = streams_due,
                                        .close = close_streams,
                                        .has_open = has_open_stream,
                                        .answers = true};
constinit const Feature template_streams_feature{.methods = stream_methods,
                                                 .transmit = transmit_streams<AnySource>,
                                                 .due = streams_due,
                                                 .close = close_streams,
                                                 .has_open = has_open_stream,
                                                 .answers = true};

}  // namespace protocol
}  // namespace mcp
