// The server: messages in, messages out. Knows no transport, no clock and no platform; time and bytes are arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/definition.hpp"
#include "mcp/detail/limit_checks.hpp"
#include "mcp/job.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/limits.hpp"
#include "mcp/port.hpp"
#include "mcp/prompt_input.hpp"
#include "mcp/resource.hpp"
#include "mcp/storage.hpp"

namespace mcp {

namespace json {
struct CheckResult;
}
namespace rpc {
struct Envelope;
class IdFinder;
enum class Readable : std::uint8_t;
}  // namespace rpc
class TransportInfo;
namespace protocol {
struct SendContext;
struct SharedSessionOps;
}  // namespace protocol

/// What there is to send.
struct Reply {
  /// What was wrong with a stateless request before any handler saw it.
  enum class Error : std::uint8_t {
    none,
    request,  ///< Its claims: the error is -32600, -32602, -32700 or one of -32020 to -32022.
    method,   ///< There is no such method: -32601.
    place,    ///< There is no place for a session now, and none was begun: 503, see place_due().
  };
  enum class Status : std::uint8_t {
    message,     ///< `size` bytes in the window are a message, or its last part: one line of JSON, without a line end.
    none,        ///< Nothing to send now; of an unfinished message, that it goes on later.
    no_session,  ///< The session has ended: nothing was looked at, and an unfinished message has no end. Of a message
                 ///< without a session that needs one: `size` bytes in the window are the error that says so.
    part,        ///< `size` bytes of a message that is unfinished: take the next part from transmit() before all else.
    broken,      ///< The unfinished message has no end: cut it off so that its receiver sees it.
  };
  Status status;
  std::size_t size;                // greater than zero when status is `message` or `part`
  Channel channel = only_channel;  // where the message belongs, when receive() was given another channel
  Error error = Error::none;       // why the message is an error
  bool listens = false;            // the request that was received has no end of its own: subscriptions/listen
};

/// An MCP server for one Definition in one Storage. What changes is in the Storage, so a server can be `const`: it is
/// then in flash, and takes no RAM. Everything here is for the main loop and does not block, except the one function
/// whose name says it is for interrupts.
class Server {
 public:
  /// `constinit const mcp::Server server{storage};`, or `{storage, {.entropy = &entropy}}`. The storage and the services
  /// must outlive the server. A Definition that contradicts the limits of the storage, or needs a service that is
  /// missing, does not compile: the error names the row and the number that is enough.
  template <const Definition& definition, Limits limits>
  consteval explicit Server(Storage<definition, limits>& memory, const Services& services = {})
      : Server(definition, memory.view()) {
    detail::check(definition, limits, services);
    storage_.services = services;
    storage_.links = detail::link(definition, limits, services, detail::features_of<definition>.data());
  }
  /// For tests and tools: memory of sizes that are chosen at run time, unchecked.
  constexpr Server(const Definition& definition, const detail::StorageView& storage)
      : definition_(&definition), storage_(storage) {}
  Server(const Definition&&, const detail::StorageView&) = delete;  // it keeps the address

  /// Marks a resource of this server's table as changed: every subscriber is told once, however often it changes until
  /// then. Asserts that the row is one of the table. Main loop, handlers included.
  /// Source: server/resources#subscriptions, 2025-11-25.
  void resource_updated(const Resource& resource) const;

  /// The same from an interrupt handler: one byte is stored, and the next poll() does the rest. Wake the main loop
  /// yourself, such as with board::wake_from_isr(). Context: any; never blocks.
  void resource_updated_from_isr(const Resource& resource) const;

  /// Logs a message, which goes to the clients that may see it and whose level it has. From a handler (tool, job,
  /// resource, prompt, Audit) these are the session whose request the handler serves, or the stateless request of a
  /// job, if it asked for messages. From anywhere else, such as the main loop, these are all sessions that have set a
  /// level. No message goes to another principal's request or session.
  /// Limits: UTF-8, copied into the ring (Limits::log_size) and cut to what fits there; `logger` may be empty. What a
  /// job logs in its last step, a plain handler for a stateless request, or a task of a stateless client is not sent.
  /// Never log secrets. For a Definition with `.logging`. Context: main loop and handlers.
  /// Source: server/utilities/logging, 2025-11-25 and 2026-07-28.
  void log(LogLevel level, std::string_view logger, std::string_view text) const;

  /// Tells a client that what it opened a URL for is done; `id` is the UrlElicitation's, copied. False when the session
  /// has ended, the id is longer than 36 bytes, or Limits::elicitations are still to be told. Stateless clients get no
  /// notification, since they retry the call by themselves: for `client` of one, this does nothing and returns true.
  /// For a Definition with `.url_elicitations`. Main loop, handlers included. Source:
  /// client/elicitation#completion-notifications, 2025-11-25.
  [[nodiscard]] bool elicitation_completed(SessionId client, std::string_view id) const;

  /// How many answers of clients came when nobody waited for them any more, or never did. They are dropped.
  [[nodiscard]] std::uint32_t stale_answers() const { return storage_.asking->stale; }

  /// Switches a row of this server's tables off or on: a row that is off is not listed and cannot be used, and nothing
  /// else is served under its name, such as a template that matches its URI. All are on at the start. Clients get one
  /// notification for any number of changes. For a Definition with `.list_changes`. Main loop, handlers included.
  /// Source: server/tools#list-changed-notification, 2025-11-25, and its like for resources and prompts.
  void set_enabled(const Tool& tool, bool enabled) const;
  void set_enabled(const Resource& resource, bool enabled) const;
  void set_enabled(const ResourceTemplate& resource_template, bool enabled) const;
  void set_enabled(const Prompt& prompt, bool enabled) const;

  /// Ends what stateless clients listen to, before the device sleeps or is switched off: each is told what it still has
  /// to know, and that there is no more. That leaves with the next polls of the transport. Who wants to may listen
  /// again. For a Definition with `.subscriptions`. Main loop, handlers included. Source: basic/patterns/subscriptions,
  /// 2026-07-28.
  void end_subscriptions() const;

  // The rest is for transports.

  /// Begins a session for the client that `claims` name. Its place is a free one, or that of a session that ends for it
  /// (Limits::sessions says which). SessionId{} when there is none.
  [[nodiscard]] SessionId open(Millis now, const TransportInfo* info = nullptr) const;
  /// Without a place for a session of this client: after how many milliseconds there is one, if no other client sends
  /// anything until then; at most Limits::session_idle_ms.
  [[nodiscard]] Millis place_due(Millis now, const TransportInfo* info = nullptr) const;
  /// Begins the session that stateless requests share which come without one, as over HTTP: once, before all others. It
  /// takes one of Limits::sessions, and ends by close() alone: asserts that one is left where there are sessions as
  /// well. Each request in it needs a channel of its own.
  [[nodiscard]] SessionId open_shared(Millis now) const;
  /// Ends a session, its jobs first: each gets its last step now. Nothing happens when it has ended. Main loop. Not
  /// from a handler or step of this session: a step asserts. To end it from there, set a flag for the main loop.
  void close(SessionId id, Millis now) const;

  /// Takes one message and writes the answer into `window`. `message` is changed: strings are decoded in it. Bytes of
  /// both belong to the caller; nothing of them is kept. `window` should be window() or as large: what does not fit
  /// becomes an error. Not while a message to this session is unfinished. Never a part.
  /// `claims`: what headers said of the message.
  /// `channel`: on which the message came, and on which what it asks for is to go out. Of an answer to a question of
  /// the server the reply may belong to another channel (Reply::channel).
  Reply receive(SessionId id, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                Channel channel = only_channel, const TransportInfo* info = nullptr) const;

  /// Ends what was asked for on this channel, as if it was never asked: no answer comes. From where: see close().
  void cancel(SessionId id, Channel channel, Millis now) const;

  /// Takes the next steps of this session's jobs, and writes the next message that the server has to send on its own,
  /// or the next part of a body that is streamed. Behind `broken` the next is the error that tells why.
  /// Of a session with several channels, what belongs to `channel`.
  Reply transmit(SessionId id, std::span<char> transmit_buffer, Millis now, Channel channel = only_channel) const;

  /// The same for a message that came without a session. `session` is the shared one, if there is one: a stateless
  /// request is answered in that. A request to initialize begins one, and `session` is that; when it fails, or there is
  /// no place for one (Fault::place), no other session ends, and `session` is SessionId{}. So it is for anything else,
  /// of which the window has the error with the status `no_session`: under its id, when it is a request.
  Reply receive_first(SessionId& session, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                      Channel channel = only_channel, const TransportInfo* info = nullptr) const;

  /// True until the session ends, by whatever cause. A transport clears what it keeps of a session that has ended.
  [[nodiscard]] bool is_open(SessionId id) const { return storage_.find_session(id) != nullptr; }
  /// The revision that a session has agreed upon, such as "2025-11-25"; empty before, and when it has ended.
  [[nodiscard]] std::string_view revision(SessionId id) const;
  /// True for a revision that is spoken.
  [[nodiscard]] bool speaks(std::string_view revision) const;
  /// True when clients may begin a session.
  [[nodiscard]] bool has_sessions() const { return definition_->eras.legacy(); }
  /// True when requests need none.
  [[nodiscard]] bool has_stateless() const { return definition_->eras.modern(); }
  /// True for a revision that is spoken and has no sessions.
  [[nodiscard]] bool is_stateless(std::string_view revision) const;

  /// After how many milliseconds the client of this channel is to come back, when a job wants its connection closed
  /// (JobContext::reconnect); 0 when none does. Tells it once.
  [[nodiscard]] Millis take_reconnect(SessionId id, Channel channel) const;

  /// Whether anything takes what is sent on session_channel; true for a session that begins. poll() does not wake for
  /// what nobody takes.
  void set_listening(SessionId id, bool listening) const;

  /// Takes the next steps of the jobs of tasks, whether anything is sent to their clients or not. For a transport that
  /// calls transmit() only while there is something to send on.
  void advance_tasks(Millis now) const;

  /// True while a request that came on this channel is still to be answered.
  [[nodiscard]] bool serves(SessionId id, Channel channel) const;

  /// Writes the error, which has no id, for what a transport does not take. `problem`: a sentence that ends in a zero
  /// byte. Returns the size in bytes, never 0.
  [[nodiscard]] static std::size_t reject(const char* problem, std::span<char> transmit_buffer);

  /// Has the Audit of the application record a request that the transport refused for its token. `peer`:
  /// Connection::peer(); `status`: of the HTTP response. Without an Audit nothing happens.
  void refused(std::uint64_t peer, int status) const;

  /// Takes a message that was longer than receive_size() and was not kept. `message` has seen all of its bytes. A
  /// response is not answered: the input request that it names ends with Outcome::too_large, and what follows from that
  /// is written as by receive(). Anything else is answered with an error, under its id when that was found.
  Reply receive_oversized(SessionId id, const rpc::IdFinder& message, std::span<char> transmit_buffer, Millis now,
                          Channel channel = only_channel) const;

  /// Takes over what interrupts have marked. Returns after how many milliseconds transmit() has work even if nothing
  /// happens: 0 when it has now, `forever` when only an event makes some.
  Millis poll(Millis now) const;

  /// The buffer for one incoming message and a line end of two bytes. The window for one outgoing message, with one
  /// byte of room behind it for a line end.
  [[nodiscard]] std::span<char> receive_buffer() const { return storage_.message; }
  [[nodiscard]] std::span<char> transmit_buffer() const { return storage_.transmit_buffer; }
  /// Longest message that is accepted, in bytes.
  [[nodiscard]] std::size_t receive_size() const { return storage_.message.size() - 2; }

 private:
  void set_row_enabled(ListKind area, std::size_t index, std::size_t count, bool enabled) const;
  void answer(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const;
  void take_notification(protocol::SendContext& context, const rpc::Envelope& envelope) const;
  [[nodiscard]] bool begins_session(const rpc::Envelope& envelope) const;
  void answer_request(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const;
  Reply begin_session(SessionId& session, const rpc::Envelope& envelope, json::Writer& out, Millis now, Channel channel,
                      const TransportInfo* info) const;
  detail::Session new_session(Millis now, std::uint32_t owner) const;
  SessionId put_session(std::size_t place, const detail::Session& session, Millis now) const;
  void take_answer(protocol::SendContext& context, const rpc::Envelope& envelope) const;
  void take_unreadable(protocol::SendContext& context, const rpc::IdFinder& response, rpc::Readable why) const;
  void reject_unreadable(protocol::SendContext& context, std::span<const char> message,
                         const json::CheckResult& verdict) const;
  void answer_batch(protocol::SendContext& context, json::Value batch) const;
  [[nodiscard]] std::size_t index_of(const Resource& resource) const;

  const Definition* definition_;
  detail::StorageView storage_;
};

}  // namespace mcp
