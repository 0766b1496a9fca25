// SPDX-License-Identifier: Apache-2.0
/// @file
/// The server, which reads and writes messages. A transport calls it. Bytes and time are arguments.
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
/// found at run time are not counted. Many hosts read only the first page, so see Limits::tools_in_one_page.
template <const Definition& definition, Limits limits = Limits{}>
inline constexpr std::size_t tool_pages = detail::count_tool_pages(definition, limits).count;

/// The outcome of a call of the Server, with the message to send, if there is one.
struct Reply {
  /// The reason for an error, for transports that need it. HTTP derives its status from it.
  enum class Error : std::uint8_t {
    none,
    request,     ///< An invalid stateless request, or a message that is too long: -32600, -32602 or -32020 to -32022.
    unreadable,  ///< The message is not JSON: -32700.
    method,      ///< Unknown method of a stateless request: -32601.
    slot,        ///< No slot for a session is free, so no session has begun: 503, see Server::slot_due().
    place [[deprecated("use slot")]] = slot,  ///< The former name of `slot`.
    scope = 32,  ///< The caller lacks a scope: 403. The value is 32 + the position of the scope in Definition::scopes.
  };
  /// The content of the transmit buffer.
  enum class Status : std::uint8_t {
    message,     ///< `size` bytes in the transmit buffer are a message or its last part: JSON without a line end.
    none,        ///< Nothing to send now. An unfinished message continues later.
    no_session,  ///< The session has ended, and the message was not read. An unfinished message has no end. If the
                 ///< message needs a session and names none, `size` bytes in the transmit buffer are the error.
    part,        ///< `size` bytes of an unfinished message. Take the next part from transmit() before anything else.
    broken,      ///< The unfinished message has no end. Cut it off, so that its receiver notices.
    logged,      ///< As `message`, after log messages of the same request. Each log message ends with `gap` bytes, and
                 ///< only the last of them is a line end. Send the lines one after the other, or only the last line.
  };
  /// The bytes after a log message that precedes its response: spaces and a line end. A transport may overwrite them.
  static constexpr std::size_t gap = 8;
  Status status;                   ///< The content of the transmit buffer.
  std::size_t size;                ///< The number of bytes, at least 1 if `status` is `message` or `part`.
  Channel channel = only_channel;  ///< The channel of the message, if it differs from the channel of receive().
  Error error = Error::none;       ///< The reason if the message is an error.
  bool listens = false;            ///< The received request is subscriptions/listen, which has no end.

  /// Returns whether the message is the error of a caller that lacks a scope. The row needs the scope at the position
  /// `missing_scope()` of Definition::scopes.
  [[nodiscard]] constexpr bool lacks_scope() const { return error >= Error::scope; }
  /// Returns the position of the missing scope. Limits: only if lacks_scope().
  [[nodiscard]] constexpr std::size_t missing_scope() const {
    return static_cast<std::size_t>(error) - static_cast<std::size_t>(Error::scope);
  }
};

/// An MCP server for one Definition in one Storage. All variable state is in the Storage, so a `const` server is in
/// flash and takes no RAM. Context: main loop and handlers; never blocks. Functions whose names end in `_from_isr` are
/// also for interrupts. With an RTOS, the main loop is one task, and all calls come from this task. Other tasks use a
/// Mailbox (mcp/mailbox.hpp). A program with mcp_current_task() asserts this (mcp/rtos.hpp).
class Server {
 public:
  /// `constinit const mcp::Server server{storage};`, or `{storage, {.entropy = &entropy}}`.
  /// Lifetime: the storage and the services must outlive the server.
  /// Errors: a Definition that contradicts the limits of the storage, or needs a missing service, does not compile. The
  /// error names the row and a sufficient number.
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
  Server(const Definition&&, const detail::StorageView&) = delete;  // the server keeps the address

  /// Marks a resource as changed. Each subscriber gets one notification for any number of changes before it is sent.
  /// Asserts that the row is in the table of this server.
  /// Source: server/resources#subscriptions, 2025-11-25; basic/patterns/subscriptions, 2026-07-28.
  void resource_updated(const Resource& resource) const;

  /// Marks a resource as changed from an interrupt handler. It stores one byte, and the next poll() does the rest. The
  /// caller wakes the main loop, for example with board::wake_from_isr(). Context: any; never blocks.
  void resource_updated_from_isr(const Resource& resource) const;

  /// Marks a resource of the table, or an instance of a template, as changed. `uri` names it, in any form that RFC 3986
  /// section 6.2.2 makes equal. Does nothing if no client subscribes to it. Subscriptions of templates need
  /// ResourceTemplate::subscribable. A found resource has a number instead: found_resource_updated().
  void resource_updated(std::string_view uri) const;

  /// Marks a found resource as changed, as resource_updated(). Asserts that the Definition has subscribable
  /// found_resources with this number.
  void found_resource_updated(std::uint16_t number) const;
  /// Marks a found resource as changed from an interrupt handler, as resource_updated_from_isr(). Context: any; never
  /// blocks.
  void found_resource_updated_from_isr(std::uint16_t number) const;
  /// Ends the subscriptions of a found resource that no longer exists. Call it before another resource gets its number,
  /// so that no client gets updates of a resource that it has not named. Asserts as found_resource_updated().
  void found_resource_ended(std::uint16_t number) const;
  /// Call it after found resources have appeared or disappeared. It ends the subscriptions of all rows that no longer
  /// exist, and notifies clients once that the list has changed, for any number of changes. Needs found_resources.
  /// Source: server/resources#list-changed-notification, 2025-11-25.
  void found_resources_changed() const;
  /// Call it after found tools have appeared or disappeared. It notifies clients once. Needs Definition::found_tools.
  void found_tools_changed() const;

  /// Logs a message. The server sends it to clients that may see it and have set its level or a lower one. A message
  /// from a handler (tool, job, resource, prompt, Audit) goes to the client of its request. A session gets warnings and
  /// above before it sets a level. A stateless request gets messages before its response, if it requests them. A
  /// message from elsewhere, such as the main loop, goes to all sessions that have set a level. A message of a request
  /// never goes to another principal. Never log secrets.
  /// Parameters: UTF-8, copied into the ring and cut to the space there; `logger` may be empty.
  /// Limits: the ring (Limits::log_size). The messages before the response of a stateless request share the transmit
  /// buffer with the response. Messages of a stateless task are not sent, except from a step within a request for the
  /// task. Messages of a streamed body for a stateless request are not sent either.
  /// Errors: returns false if the Definition has no `.logging`, and Health::logs_lost counts the message. The type of a
  /// server does not name its Definition, so the compiler cannot check this.
  /// Source: server/utilities/logging, 2025-11-25 and 2026-07-28; tasks extension, notifications.
  bool log(LogLevel level, std::string_view logger, std::string_view text) const;

  /// Logs the values of a struct, as the object that `output` describes:
  /// `server.log(mcp::LogLevel::warning, "pump", pump_output, Pump{.litres = 3});`
  /// Parameters: the values are written as JSON at once, so strings in them need not live longer.
  /// Limits: 256 bytes of JSON, and the size of the ring. No message is cut.
  /// Errors: a message is not logged if the table does not allow a value (Errc::invalid_argument), or if the JSON is
  /// too long (Errc::no_space). It is also not logged if Definition::logging is not mcp::LogData::objects
  /// (Errc::unavailable). Health::logs_lost counts the last two.
  template <class S, std::size_t N>
  Errc log(LogLevel level, std::string_view logger, const Output<S, N>& output,
           const std::type_identity_t<S>& value) const {
    return log_object(level, logger, output.rows, &value);
  }

  /// Notifies a client that the user has completed a URL elicitation. `id`: UrlElicitation::id, copied. A stateless
  /// client retries the call without a notification. For such a client, the function does nothing and returns true.
  /// Errors: returns false if the session has ended, the id is longer than 36 bytes, or all of Limits::elicitations are
  /// in use. Needs Definition::url_elicitations.
  /// Source: client/elicitation#completion-notifications, 2025-11-25.
  [[nodiscard]] bool elicitation_completed(SessionId client, std::string_view id) const;

  /// Number of responses of clients that were dropped, because no input request was pending.
  [[nodiscard]] std::uint32_t stale_answers() const { return storage_.health().stale_answers; }

  /// @cond server
  /// The names of the scopes of the Definition.
  [[nodiscard]] const ScopeTable& scopes() const { return definition_->scopes; }
  /// Returns whether a row needs a scope.
  [[nodiscard]] bool has_scopes() const { return !definition_->scopes.names().empty(); }
  /// @endcond

  /// Returns the counters of requests rejected for lack of memory, and of lost data, since the start of the server. A
  /// counter that is not 0 names a limit that is too small. RAM: 32 bytes in every Storage.
  [[nodiscard]] Health health() const { return storage_.health(); }

  /// Writes all figures of the server (mcp/figures.hpp), without the figures that the application adds. `now`: as for
  /// the poll of the transport. Asserts that a row is made by health_resource(). Context: main loop.
  void figures(FigureWriter& out, Millis now) const;
  /// Returns whether a row is made by health_resource().
  [[nodiscard]] bool has_figures() const;

  /// Sets Health::reset_reason, for example to board::take_reset_reason(). Context: main loop, once at the start.
  void set_reset_reason(ResetReason reason) const { storage_.health().reset_reason = reason; }

  /// Calls `report` for each found resource that clients do not get, with the reason, for the log of a device at its
  /// start: a row that is omitted from the list (FoundResources::describe), and one whose URI finds another row.
  /// Context: main loop, before the first poll of a transport or between two, because it uses the transmit buffer. It
  /// describes each row, and without FoundResources::find the rows before it, too.
  void check_found_resources(void (*report)(const OmittedRow& row)) const;
  /// The same for found tools.
  void check_found_tools(void (*report)(const OmittedRow& row)) const;

  /// Enables or disables a row of the tables of this server. A disabled row is not listed and cannot be used. No other
  /// row is served under its name, such as a template that matches its URI. All rows start enabled. Clients get one
  /// notification for any number of changes. Needs Definition::list_changes.
  /// Source: server/tools#list-changed-notification, 2025-11-25; the same section of server/resources, server/prompts.
  void set_enabled(const Tool& tool, bool enabled) const;
  /// The same for a resource.
  void set_enabled(const Resource& resource, bool enabled) const;
  /// The same for a resource template.
  void set_enabled(const ResourceTemplate& resource_template, bool enabled) const;
  /// The same for a prompt.
  void set_enabled(const Prompt& prompt, bool enabled) const;
  /// Returns whether a resource is enabled. Asserts that the row is in the table of this server.
  [[nodiscard]] bool is_enabled(const Resource& resource) const;

  /// Ends all subscriptions of stateless clients, before the device sleeps or switches off. Each client gets its
  /// pending notifications and then the end, with the next polls of the transport. It may subscribe again. Needs
  /// Definition::subscriptions. Source: basic/patterns/subscriptions, 2026-07-28.
  void end_subscriptions() const;

  /// Runs the scheduled calls (mcp/schedule.hpp) that are due. Returns the time in milliseconds until the next call:
  /// `forever` if there is none, and 0 if a client may get a notification now. The poll() of a transport also runs
  /// them, except while its output is blocked. If it may be blocked for long, as on a USB port without a host, call
  /// this function in the main loop. Context: main loop, not from a handler.
  Millis run_scheduled(Millis now) const;

  // The functions below are for transports. mcp/transport.hpp documents when a transport calls them.

  /// Begins a session for the client that `info` names. It takes a free slot, or ends another session for its slot (see
  /// Limits::sessions). Returns SessionId{} if no slot is available.
  [[nodiscard]] SessionId open(Millis now, const TransportInfo* info = nullptr) const;
  /// Returns the time in milliseconds until a slot for a session of this client is available, if no other client sends
  /// anything until then. For a session with a stream or a running call, the time begins with their end. The result is
  /// at most the larger of Limits::session_idle_ms and own_session_idle_ms.
  [[nodiscard]] Millis slot_due(Millis now, const TransportInfo* info = nullptr) const;
  /// The former name of slot_due().
  [[nodiscard, deprecated("use slot_due()")]] Millis place_due(Millis now, const TransportInfo* info = nullptr) const {
    return slot_due(now, info);
  }
  /// Begins the session that all stateless requests share, as over HTTP. Call it once, before all other functions. It
  /// uses one of Limits::sessions until close(). If the server has sessions, too, it asserts that Limits::sessions is
  /// at least 2. Each request in it needs its own channel.
  [[nodiscard]] SessionId open_shared(Millis now) const;
  /// Ends a session. Before that, each of its jobs gets its last step. Does nothing if the session has ended. Asserts
  /// that no step of a job of this session is running. From such a step, set a flag for the main loop instead.
  void close(SessionId id, Millis now) const;

  /// Takes one message and writes the response into `transmit_buffer`.
  /// Parameters: `message` is modified, because strings are decoded in place. `transmit_buffer` is transmit_buffer() or
  /// a buffer of the same size. A response that does not fit becomes an error. `channel`: the channel of the message
  /// and of its responses. For a response to an input request, Reply::channel may name another channel. `info`: the
  /// sender and the headers of the message.
  /// Lifetime: both buffers belong to the caller, and the server keeps no view into them.
  /// Context: not while a message to this session is unfinished. Returns no Status::part.
  Reply receive(SessionId id, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                Channel channel = only_channel, const TransportInfo* info = nullptr) const;
  /// As receive(), for a message that the server has already checked.
  Reply respond(SessionId id, const ReceivedMessage& message, std::span<char> transmit_buffer, Millis now,
                Channel channel = only_channel, const TransportInfo* info = nullptr) const;

  /// Cancels all requests in progress on this channel. Sends no response. Context: see close().
  void cancel(SessionId id, Channel channel, Millis now) const;

  /// Ends the tasks and jobs of all stateless requests with this principal (TransportInfo). The next poll() also ends
  /// its scheduled calls. Sends no response. The results of its tasks are deleted. Context: see close().
  void end_principal(std::uint64_t principal, Millis now) const;

  /// Takes the next steps of the jobs of this session. Writes the next pending message for `channel`, or the next part
  /// of a streamed body. After `broken`, the next message is the error with the reason. `receiver`: the scopes of the
  /// client that gets the message. The update of a resource waits while the client lacks the scope of the resource.
  Reply transmit(SessionId id, std::span<char> transmit_buffer, Millis now, Channel channel = only_channel,
                 Scopes receiver = Scopes::all()) const;

  /// As receive(), for a message that names no session. Pass the shared session, if there is one, in `session`: it
  /// serves stateless requests. An `initialize` request begins a session, and `session` is set to it. If `initialize`
  /// fails, or no slot is free (Reply::Error::slot), no other session ends, and `session` becomes SessionId{}. Any
  /// other message that needs a session also sets `session` to SessionId{}. The transmit buffer then has the error,
  /// with the status `no_session`.
  Reply receive_first(SessionId& session, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                      Channel channel = only_channel, const TransportInfo* info = nullptr) const;
  /// As receive_first(), for a message that the server has already checked.
  Reply respond_first(SessionId& session, const ReceivedMessage& message, std::span<char> transmit_buffer, Millis now,
                      Channel channel = only_channel, const TransportInfo* info = nullptr) const;

  /// True until the session ends, for any reason. A transport then clears what it stores for the session.
  [[nodiscard]] bool is_open(SessionId id) const { return storage_.find_session(id) != nullptr; }
  /// The number of sessions that have ended, which wraps at 2^32. While it does not change, no is_open() changes.
  [[nodiscard]] std::uint32_t ended_sessions() const { return storage_.server_request_ids->ended_sessions; }
  /// The protocol version of a session, such as "2025-11-25"; empty before initialize and after the end.
  [[nodiscard]] std::string_view revision(SessionId id) const;
  /// True if the client of a session continues a stream that ends before its response, as HTTP clients of 2025-11-25
  /// do.
  [[nodiscard]] bool continues_streams(SessionId id) const;
  /// True for a protocol version that the server supports.
  [[nodiscard]] bool supports(std::string_view revision) const;
  /// True for a supported protocol version that has sessions.
  [[nodiscard]] bool is_of_sessions(std::string_view revision) const;
  /// True if clients may begin a session.
  [[nodiscard]] bool has_sessions() const { return definition_->eras.legacy(); }
  /// True if the server serves stateless requests.
  [[nodiscard]] bool has_stateless() const { return definition_->eras.modern(); }
  /// True for a supported protocol version that has stateless requests.
  [[nodiscard]] bool is_stateless(std::string_view revision) const;

  /// The time in milliseconds after which the client of this channel must reconnect, if a job requested this
  /// (JobContext::reconnect); else 0. Returns the time once.
  [[nodiscard]] Millis take_reconnect(SessionId id, Channel channel) const;

  /// Sets whether the transport takes messages for session_channel; true for a new session. If false, poll() does not
  /// wake for these messages. A session that listens never ends for another session (Limits::sessions), so call it with
  /// false when the client disconnects.
  void set_listening(SessionId id, bool listening) const;
  /// Restarts the idle time of a session (Limits::session_idle_ms, own_session_idle_ms) and the time to the next ping
  /// (Definition::keep_alive), as a message does. Call it at the end of a stream.
  void note_use(SessionId id, Millis now) const;

  /// For a transport that sends notifications of changed lists and resources to all clients at once. For all sessions
  /// with this property, transmit() then returns the notification of a change only once, and Reply::channel is
  /// shared_channel. The update of a row with a scope, or of an instance of a template, is not shared. Each subscribed
  /// client gets its own notification.
  void share_changes(SessionId id) const;

  /// Takes the next steps of jobs that run as tasks. For a transport that calls transmit() only while it has a stream.
  void advance_tasks(Millis now) const;

  /// True while a request of this channel has no response yet.
  [[nodiscard]] bool serves(SessionId id, Channel channel) const;

  /// Writes the error of a message that the transport rejects. `problem`: an error message that ends in a zero byte.
  /// `id`: as in the message (rpc::Envelope::id); empty for an error without an id. Returns the size in bytes, never 0.
  [[nodiscard]] static std::size_t reject(const char* problem, std::span<char> transmit_buffer,
                                          std::string_view id = {});

  /// Passes a request that the transport rejected because of its token to the Audit of the application. `peer`:
  /// Connection::peer(); `status`: the HTTP status of the response. Does nothing without an Audit.
  void audit_rejected(std::uint64_t peer, int status) const;

  /// Takes a message that was longer than receive_size() and was not stored. `message` has read all of its bytes. A
  /// response ends its input request with Outcome::too_large, and the transmit buffer gets the next output of its job,
  /// as in receive(). Any other message gets an error, with its id if `message` found it.
  Reply receive_oversized(SessionId id, const rpc::IdFinder& message, std::span<char> transmit_buffer, Millis now,
                          Channel channel = only_channel) const;

  /// Collects the changes that interrupts have marked. Returns the time in milliseconds until transmit() has work: 0 if
  /// it has work now, `forever` if it has none until the next event.
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
  /// Asserts that all calls come from one task, if the program has mcp_current_task(). All functions but transmit()
  /// call it.
  void check_task() const { storage_.server_request_ids->task.check(); }
  void set_row_enabled(ListKind kind, std::size_t index, std::size_t count, bool enabled) const;
  void answer(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const;
  void handle_notification(protocol::SendContext& context, const rpc::Envelope& envelope) const;
  [[nodiscard]] bool begins_session(const rpc::Envelope& envelope) const;
  void answer_request(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const;
  Reply begin_session(SessionId& session, const rpc::Envelope& envelope, json::Writer& out, Millis now, Channel channel,
                      const TransportInfo* info) const;
  detail::Session new_session(Millis now, const TransportInfo* info) const;
  SessionId put_session(std::size_t index, const detail::Session& session, Millis now) const;
  void handle_response(protocol::SendContext& context, const rpc::Envelope& envelope) const;
  Reply answer_in(protocol::SendContext& context, const rpc::Envelope& envelope, json::Value root,
                  json::CheckResult check) const;
  Reply answer_first(SessionId& session, const rpc::Envelope& envelope, json::CheckResult check,
                     std::span<char> transmit_buffer, Millis now, Channel channel, const TransportInfo* info) const;
  void reject_unreadable(protocol::SendContext& context, const rpc::Envelope& envelope, json::CheckResult check) const;
  void answer_batch(protocol::SendContext& context, json::Value batch) const;
  [[nodiscard]] std::size_t index_of(const Resource& resource) const;
  [[nodiscard]] std::size_t target_of_found(std::uint16_t number) const;

  const Definition* definition_;
  detail::StorageView storage_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
