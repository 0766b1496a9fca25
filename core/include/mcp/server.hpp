// SPDX-License-Identifier: Apache-2.0
/// @file
/// The server: it reads messages and writes messages. A transport calls it; bytes and time are arguments.
/// @code
/// constexpr mcp::Definition definition{.name = "thermometer", .version = "1.0.0"};
/// constinit mcp::Storage<definition> storage;
/// constinit const mcp::Server server{storage};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/definition.hpp"
#include "mcp/detail/limit_checks.hpp"
#include "mcp/health.hpp"
#include "mcp/job.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/limits.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/prompt_input.hpp"
#include "mcp/read_input.hpp"
#include "mcp/read_job.hpp"
#include "mcp/resource.hpp"
#include "mcp/storage.hpp"

namespace mcp {

namespace json {
struct CheckResult;
}
namespace rpc {
struct Envelope;
class IdFinder;
}  // namespace rpc
class FigureWriter;
class ReceivedMessage;
class TransportInfo;
namespace protocol {
struct SendContext;
}  // namespace protocol

/// The number of pages of `tools/list`, with an id of `id_size` bytes: `mcp::tool_pages<definition, limits>`. Tools
/// found at run time are not counted. Many hosts read the first page only, so see Limits::tools_in_one_page.
template <const Definition& definition, Limits limits = Limits{}>
inline constexpr std::size_t tool_pages = detail::count_tool_pages(definition, limits).count;

/// The outcome of a call of the Server: the message to send, if there is one.
struct Reply {
  /// Why the message is an error, if a transport needs to know. HTTP derives its status from it.
  enum class Error : std::uint8_t {
    none,
    request,     ///< An invalid stateless request, or a message that is too long: the error is -32600, -32602 or one of
                 ///< -32020 to -32022.
    unreadable,  ///< The message is not JSON: -32700.
    method,      ///< Unknown method of a stateless request: -32601.
    place,       ///< No slot for a session is free, and no session has begun: 503, see Server::place_due().
    scope = 32,  ///< The caller lacks a scope: 403. The value is 32 + the position of the scope in Definition::scopes.
  };
  /// The content of the transmit buffer.
  enum class Status : std::uint8_t {
    message,     ///< `size` bytes in the transmit buffer are a message or its last part: JSON without a line end.
    none,        ///< Nothing to send now. An unfinished message continues later.
    no_session,  ///< The session has ended, and the message was not read. An unfinished message has no end. For a
                 ///< message that needs a session and has none, `size` bytes in the transmit buffer are the error.
    part,        ///< `size` bytes of an unfinished message: take the next part from transmit() before anything else.
    broken,      ///< The unfinished message has no end: cut it off, so that its receiver notices.
    logged,      ///< As `message`, after log messages of the same request. Each log message ends with `gap` bytes, of
             ///< which the last one is the only line end: send the lines one after the other, or the last one alone.
  };
  /// The bytes after a log message that precedes its response: spaces and a line end. A transport may overwrite them.
  static constexpr std::size_t gap = 8;
  Status status;                   ///< The content of the transmit buffer.
  std::size_t size;                ///< The number of bytes, at least 1 if `status` is `message` or `part`.
  Channel channel = only_channel;  ///< The channel of the message, if it differs from the channel of receive().
  Error error = Error::none;       ///< Why the message is an error.
  bool listens = false;            ///< The received request is subscriptions/listen, which has no end of its own.

  /// Returns whether the message is the error of a caller that lacks a scope. The row needs the scope at the position
  /// `missing_scope()` of Definition::scopes.
  [[nodiscard]] constexpr bool lacks_scope() const { return error >= Error::scope; }
  /// Returns this position. Limits: if lacks_scope().
  [[nodiscard]] constexpr std::size_t missing_scope() const {
    return static_cast<std::size_t>(error) - static_cast<std::size_t>(Error::scope);
  }
};

/// An MCP server for one Definition in one Storage. Everything that changes is in the Storage, so a server can be
/// `const`: it is then in flash and takes no RAM. Context: main loop and handlers, never blocks; except the one
/// function whose name ends in `_from_isr`. With an RTOS, the main loop is one task, and all calls come from this task.
/// Other tasks use a Mailbox (mcp/mailbox.hpp). A program with mcp_current_task() asserts this (mcp/rtos.hpp).
class Server {
 public:
  /// `constinit const mcp::Server server{storage};`, or `{storage, {.entropy = &entropy}}`.
  /// Lifetime: the storage and the services must outlive the server.
  /// Errors: a Definition that contradicts the limits of the storage, or needs a service that is missing, does not
  /// compile. The error names the row and the number that is enough.
  template <const Definition& definition, Limits limits>
  consteval explicit Server(Storage<definition, limits>& memory, const Services& services = {})
      : Server(definition, memory.view()) {
    detail::check(definition, limits, services);
    storage_.services = services;
    constexpr detail::ToolPages pages = detail::count_tool_pages(definition, limits);
    storage_.links = detail::link(definition, limits, services,
                                  detail::features_of<definition, limits, pages.count, pages.size_of_one>.data(),
                                  detail::capabilities_of<definition>.data());
  }
  /// For tests and tools: memory of sizes that are chosen at run time, unchecked. `definition` must outlive the server.
  constexpr Server(const Definition& definition, const detail::StorageView& storage)
      : definition_(&definition), storage_(storage) {}
  Server(const Definition&&, const detail::StorageView&) = delete;  // it keeps the address

  /// Marks a resource as changed. Each subscriber gets one notification for any number of changes before it is sent.
  /// Asserts that the row is one of the table of this server.
  /// Source: server/resources#subscriptions, 2025-11-25; basic/patterns/subscriptions, 2026-07-28.
  void resource_updated(const Resource& resource) const;

  /// Marks a resource as changed from an interrupt handler. It stores one byte, and the next poll() does the rest. Wake
  /// the main loop yourself, for example with board::wake_from_isr(). Context: any; never blocks.
  void resource_updated_from_isr(const Resource& resource) const;

  /// Marks a resource of the table, or an instance of a template, as changed. `uri` names it, in any form that RFC 3986
  /// section 6.2.2 makes equal. Does nothing if no client subscribes to it. Subscriptions of templates need
  /// ResourceTemplate::subscribable. A found resource has a number instead: found_resource_updated().
  void resource_updated(std::string_view uri) const;

  /// Marks a found resource as changed, as resource_updated(). Asserts that the Definition has subscribable
  /// found_resources with this number.
  void found_resource_updated(std::uint16_t number) const;
  /// The same from an interrupt handler, as resource_updated_from_isr(). Context: any; never blocks.
  void found_resource_updated_from_isr(std::uint16_t number) const;
  /// Ends the subscriptions of a found resource that has ended. Call it before another resource gets its number, so
  /// that no client gets updates of a resource that it has not named. Asserts as found_resource_updated().
  void found_resource_ended(std::uint16_t number) const;
  /// Call it after found resources have appeared or ended. It ends the subscriptions of all rows that do not exist now,
  /// and notifies clients that the list has changed, once for any number of changes. Needs found_resources.
  /// Source: server/resources#list-changed-notification, 2025-11-25.
  void found_resources_changed() const;
  /// The same for found tools. Needs Definition::found_tools.
  void found_tools_changed() const;

  /// Logs a message. The server sends it to the clients that may see it and have set its level or a lower one. From a
  /// handler (tool, job, resource, prompt, Audit), this is the session of its request, which gets warnings and above
  /// before it sets a level, or the stateless request itself, if it asks for log messages. This request gets them
  /// before its response. From anywhere else, such as the main loop, these are all sessions that have set a level. A
  /// message never goes to a session or request of another principal. Never log secrets. Parameters: UTF-8, copied into
  /// the ring and cut to the space there; `logger` may be empty. Limits: the ring (Limits::log_size), and for the
  /// messages before the response of a stateless request the space that the response leaves in the transmit buffer. A
  /// stateless task has no request, so its messages are not sent, except those of a step within a request for the task;
  /// nor those of a streamed body.
  /// Errors: returns false if the Definition has no `.logging`, and Health::logs_lost counts the message. The type of a
  /// server does not name its Definition, so the compiler cannot tell.
  /// Source: server/utilities/logging, 2025-11-25 and 2026-07-28; tasks extension, notifications.
  bool log(LogLevel level, std::string_view logger, std::string_view text) const;

  /// log() with the values of a struct: the data of the message is the object that `output` describes.
  /// `server.log(mcp::LogLevel::warning, "pump", pump_output, Pump{.litres = 3});`
  /// Parameters: the values are written as JSON at once, so strings in them need not live longer.
  /// Limits: 256 bytes of JSON, and as many as fit into the ring. No message is cut.
  /// Errors: a value that the table does not allow is not logged (Errc::invalid_argument). A JSON text that is too long
  /// is not logged (Errc::no_space), nor is any if Definition::logging is not mcp::LogData::objects
  /// (Errc::unavailable). Health::logs_lost counts both.
  template <class S, std::size_t N>
  Errc log(LogLevel level, std::string_view logger, const Output<S, N>& output,
           const std::type_identity_t<S>& value) const {
    return log_object(level, logger, output.rows, &value);
  }

  /// Notifies a client that the user has completed a URL elicitation. `id`: UrlElicitation::id, copied. A stateless
  /// client gets no notification, because it retries the call by itself: the function then does nothing and returns
  /// true.
  /// Errors: returns false if the session has ended, the id is longer than 36 bytes, or all of Limits::elicitations are
  /// in use. Needs Definition::url_elicitations.
  /// Source: client/elicitation#completion-notifications, 2025-11-25.
  [[nodiscard]] bool elicitation_completed(SessionId client, std::string_view id) const;

  /// Number of responses of clients that came when no input request was pending for them. They are dropped.
  [[nodiscard]] std::uint32_t stale_answers() const { return storage_.health().stale_answers; }

  /// @cond server
  /// The names of the scopes of the Definition.
  [[nodiscard]] const ScopeTable& scopes() const { return definition_->scopes; }
  /// Returns whether a row needs a scope.
  [[nodiscard]] bool has_scopes() const { return !definition_->scopes.names().empty(); }
  /// @endcond

  /// Returns the counters of what the server has rejected for lack of memory, and lost, since its start. A counter that
  /// is not 0 names the limit that is too small. RAM: 32 bytes in every Storage.
  [[nodiscard]] Health health() const { return storage_.health(); }

  /// Writes all figures of the server (mcp/figures.hpp), without those that the application adds. `now`: as for the
  /// poll of the transport. Asserts that a row is made by health_resource(). Context: main loop.
  void figures(FigureWriter& out, Millis now) const;
  /// Returns whether a row is made by health_resource().
  [[nodiscard]] bool has_figures() const;

  /// Sets Health::reset_reason, for example to board::take_reset_reason(). Context: main loop, once at the start.
  void set_reset_reason(ResetReason reason) const { storage_.health().reset_reason = reason; }

  /// Enables or disables a row of the tables of this server. A disabled row is not listed and cannot be used.
  /// Nothing else is served under its name, such as a template that matches its URI. All rows start enabled. Clients
  /// get one notification for any number of changes. Needs Definition::list_changes.
  /// Source: server/tools#list-changed-notification, 2025-11-25; the same section of server/resources, server/prompts.
  void set_enabled(const Tool& tool, bool enabled) const;
  /// The same for a resource.
  void set_enabled(const Resource& resource, bool enabled) const;
  /// The same for a resource template.
  void set_enabled(const ResourceTemplate& resource_template, bool enabled) const;
  /// The same for a prompt.
  void set_enabled(const Prompt& prompt, bool enabled) const;
  /// Returns whether a resource of the table of this server is enabled. Asserts that it is one.
  [[nodiscard]] bool is_enabled(const Resource& resource) const;

  /// Ends all subscriptions of stateless clients, before the device sleeps or switches off. Each client gets its
  /// pending notifications and then the end, with the next polls of the transport. It may subscribe again. Needs
  /// Definition::subscriptions. Source: basic/patterns/subscriptions, 2026-07-28.
  void end_subscriptions() const;

  /// Runs the scheduled calls (mcp/schedule.hpp) that are due. Returns the time in milliseconds until the next one:
  /// `forever` if there is none, and 0 if a client may get a notification now.
  /// The poll() of a transport does the same, but not while its output is blocked. Call this function in the main loop
  /// if that may last, as on a USB port without a host. Context: main loop, not from a handler.
  Millis run_scheduled(Millis now) const;

  // The rest is for transports: mcp/transport.hpp says when a transport calls which function.

  /// Begins a session for the client that `info` names. Its slot is a free one, or that of a session that ends for it
  /// (see Limits::sessions). Returns SessionId{} if there is none.
  [[nodiscard]] SessionId open(Millis now, const TransportInfo* info = nullptr) const;
  /// If there is no slot for a session of this client: the time in milliseconds until there is one, if no other client
  /// sends anything until then. For a session with a stream or a running call, the time begins with their end. At most
  /// the greater one of Limits::session_idle_ms and own_session_idle_ms.
  [[nodiscard]] Millis place_due(Millis now, const TransportInfo* info = nullptr) const;
  /// Begins the session that all stateless requests share, as over HTTP. Call it once, before all other functions. It
  /// uses one of Limits::sessions until close(); asserts that there is another one if the server has sessions, too.
  /// Each request in it needs a channel of its own.
  [[nodiscard]] SessionId open_shared(Millis now) const;
  /// Ends a session, its jobs first: each gets its last step now. Does nothing if the session has ended. Asserts that
  /// no step of a job of this session is running: set a flag for the main loop instead.
  void close(SessionId id, Millis now) const;

  /// Takes one message and writes the response into `transmit_buffer`.
  /// Parameters: `message` is modified, because strings are decoded in place. `transmit_buffer` is transmit_buffer() or
  /// a buffer of the same size; a response that does not fit becomes an error. `channel`: where the message came from,
  /// and where its responses go. For a response to an input request, Reply::channel may name another channel. `info`:
  /// what the transport knows about the message.
  /// Lifetime: both buffers belong to the caller, and the server keeps no view into them.
  /// Context: not while a message to this session is unfinished. Returns no Status::part.
  Reply receive(SessionId id, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                Channel channel = only_channel, const TransportInfo* info = nullptr) const;
  /// receive() for a message that the server has already checked.
  Reply respond(SessionId id, const ReceivedMessage& message, std::span<char> transmit_buffer, Millis now,
                Channel channel = only_channel, const TransportInfo* info = nullptr) const;

  /// Cancels all requests in progress on this channel. Sends no response. Context: see close().
  void cancel(SessionId id, Channel channel, Millis now) const;

  /// Ends the tasks and jobs of all stateless requests with this principal (TransportInfo), and, with the next poll(),
  /// its scheduled calls. Sends no response. The results of its tasks are gone, too. Context: see close().
  void end_principal(std::uint64_t principal, Millis now) const;

  /// Takes the next steps of the jobs of this session. Writes the next message that the server has to send on its own
  /// on `channel`, or the next part of a streamed body. After `broken`, the next message is the error that says why.
  /// `receiver`: the scopes of the client that gets the message. The update of a resource waits while the client lacks
  /// the scope of the resource.
  Reply transmit(SessionId id, std::span<char> transmit_buffer, Millis now, Channel channel = only_channel,
                 Scopes receiver = Scopes::all()) const;

  /// receive() for a message that names no session. `session` is the shared one, if there is one, and serves stateless
  /// requests. A request to initialize begins a session, and `session` is set to it. If it fails, or no slot is free
  /// (Reply::Error::place), no other session ends, and `session` is SessionId{}. It is also SessionId{} for any other
  /// message that needs a session: the transmit buffer has the error, with the status `no_session`.
  Reply receive_first(SessionId& session, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                      Channel channel = only_channel, const TransportInfo* info = nullptr) const;
  /// receive_first() for a message that the server has already checked.
  Reply respond_first(SessionId& session, const ReceivedMessage& message, std::span<char> transmit_buffer, Millis now,
                      Channel channel = only_channel, const TransportInfo* info = nullptr) const;

  /// True until the session ends, for any reason. A transport then clears what it stores for the session.
  [[nodiscard]] bool is_open(SessionId id) const { return storage_.find_session(id) != nullptr; }
  /// The number of sessions that have ended, which wraps at 2^32. While it is the same, is_open() is the same for all.
  [[nodiscard]] std::uint32_t ended_sessions() const { return storage_.server_request_ids->ended_sessions; }
  /// The protocol version of a session, such as "2025-11-25"; empty before initialize and after the end.
  [[nodiscard]] std::string_view revision(SessionId id) const;
  /// True if the client of a session continues a stream that ends before its response, as HTTP clients of 2025-11-25.
  [[nodiscard]] bool continues_streams(SessionId id) const;
  /// True for a protocol version that the server supports.
  [[nodiscard]] bool supports(std::string_view revision) const;
  /// True for a supported protocol version of sessions.
  [[nodiscard]] bool is_of_sessions(std::string_view revision) const;
  /// True if clients may begin a session.
  [[nodiscard]] bool has_sessions() const { return definition_->eras.legacy(); }
  /// True if the server serves stateless requests.
  [[nodiscard]] bool has_stateless() const { return definition_->eras.modern(); }
  /// True for a supported protocol version of stateless requests.
  [[nodiscard]] bool is_stateless(std::string_view revision) const;

  /// The time in milliseconds after which the client of this channel shall reconnect, if a job wants to close its
  /// connection (JobContext::reconnect); else 0. Returns it once.
  [[nodiscard]] Millis take_reconnect(SessionId id, Channel channel) const;

  /// Sets whether the transport takes messages for session_channel; true for a new session. poll() does not wake for
  /// messages that it does not take. A session that listens ends for no other one (Limits::sessions), so call it with
  /// false when the client has gone.
  void set_listening(SessionId id, bool listening) const;
  /// Begins the time of an idle session again, as a message does (Limits::session_idle_ms, own_session_idle_ms), and
  /// counts as one for the pings of Definition::keep_alive. For the end of a stream or of the stream of a call.
  void note_use(SessionId id, Millis now) const;

  /// For a transport that sends notifications of changed lists and resources to all clients at once. If transmit()
  /// returns the notification of a change for one session with this property, it returns it for no other one, and
  /// Reply::channel is shared_channel. The update of a row with a scope, or of an instance of a template, is not
  /// shared: each client that has subscribed gets its own.
  void share_changes(SessionId id) const;

  /// Takes the next steps of the jobs of tasks. For a transport that calls transmit() only while it has a stream.
  void advance_tasks(Millis now) const;

  /// True while a request of this channel has no response yet.
  [[nodiscard]] bool serves(SessionId id, Channel channel) const;

  /// Writes the error of a message that the transport rejects. `problem`: a sentence that ends in a zero byte. `id`: as
  /// the message has it (rpc::Envelope::id); without one, the error has no id. Returns the size in bytes, never 0.
  [[nodiscard]] static std::size_t reject(const char* problem, std::span<char> transmit_buffer,
                                          std::string_view id = {});

  /// Has the Audit of the application record a request that the transport rejected because of its token. `peer`:
  /// Connection::peer(); `status`: of the HTTP response. Does nothing without an Audit.
  void audit_rejected(std::uint64_t peer, int status) const;

  /// Takes a message that was longer than receive_size() and was not stored. `message` has read all of its bytes. A
  /// response ends its input request with Outcome::too_large, and the transmit buffer gets what follows, as in
  /// receive(). Any other message gets an error, under its id if that was found.
  Reply receive_oversized(SessionId id, const rpc::IdFinder& message, std::span<char> transmit_buffer, Millis now,
                          Channel channel = only_channel) const;

  /// Collects what interrupts have marked. Returns the time in milliseconds until transmit() has work without an event:
  /// 0 if it has work now, `forever` if only an event makes some.
  Millis poll(Millis now) const;

  /// Writes the line that marks a boot into the transmit buffer, with its line ends. Returns its size in bytes: 22, or
  /// 0 if the server has no boot id (Services::boot_id).
  [[nodiscard]] std::size_t write_boot_mark() const;

  /// The buffer for one incoming message and a line end of two bytes.
  [[nodiscard]] std::span<char> receive_buffer() const { return storage_.receive_buffer; }
  /// The buffer for one outgoing message. One more byte of memory follows it, for a line end.
  [[nodiscard]] std::span<char> transmit_buffer() const { return storage_.transmit_buffer; }
  /// Longest message that the server accepts, in bytes.
  [[nodiscard]] std::size_t receive_size() const { return storage_.receive_buffer.size() - 2; }
  /// @cond server
  /// The longest id of a request, in bytes with its quotes.
  [[nodiscard]] std::size_t id_size() const { return storage_.id_size; }
  /// @endcond

 private:
  Errc log_object(LogLevel level, std::string_view logger, std::span<const detail::ParamInfo> rows,
                  const void* value) const;
  /// Asserts that the task is that of all other calls, if the program has mcp_current_task(). All but transmit() do.
  void check_task() const { storage_.server_request_ids->task.check(); }
  void set_row_enabled(ListKind kind, std::size_t index, std::size_t count, bool enabled) const;
  void answer(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const;
  void take_notification(protocol::SendContext& context, const rpc::Envelope& envelope) const;
  [[nodiscard]] bool begins_session(const rpc::Envelope& envelope) const;
  void answer_request(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const;
  Reply begin_session(SessionId& session, const rpc::Envelope& envelope, json::Writer& out, Millis now, Channel channel,
                      const TransportInfo* info) const;
  detail::Session new_session(Millis now, const TransportInfo* info) const;
  SessionId put_session(std::size_t place, const detail::Session& session, Millis now) const;
  void take_answer(protocol::SendContext& context, const rpc::Envelope& envelope) const;
  Reply answer_in(protocol::SendContext& context, const rpc::Envelope& envelope, json::Value root,
                  json::CheckResult verdict) const;
  Reply answer_first(SessionId& session, const rpc::Envelope& envelope, json::CheckResult verdict,
                     std::span<char> transmit_buffer, Millis now, Channel channel, const TransportInfo* info) const;
  void reject_unreadable(protocol::SendContext& context, const rpc::Envelope& envelope,
                         json::CheckResult verdict) const;
  void answer_batch(protocol::SendContext& context, json::Value batch) const;
  [[nodiscard]] std::size_t index_of(const Resource& resource) const;
  [[nodiscard]] std::size_t target_of_found(std::uint16_t number) const;

  const Definition* definition_;
  detail::StorageView storage_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
