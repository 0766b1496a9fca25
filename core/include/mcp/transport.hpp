// SPDX-License-Identifier: Apache-2.0
/// @file
/// The contract between a transport and the Server: the functions that a transport calls, when and from where.
/// @code
/// // A message of the one client that a radio has. Its response is sent before the next message is taken.
/// void receive(const mcp::Server& server, mcp::SessionId& session, std::span<char> message) {
///   if (!server.is_open(session)) session = server.open(board::millis());
///   const std::span<char> out = server.transmit_buffer();
///   const mcp::Reply reply = server.receive(session, message, out, board::millis());
///   board::send(out.first(reply.size));
/// }
/// @endcode
///
/// A transport turns bytes into messages, and messages into bytes. It decides the client and the session of a message.
/// It never reads JSON. ReceivedMessage and `mcp/rpc/written.hpp` return the kind of a message. `mcp/server.hpp`
/// documents each function. `examples/own_transport` is a complete transport.
///
/// Context: all calls come from the main loop, and none from an interrupt. No call blocks. receive(), transmit() and
/// close() run handlers of the application, so a handler must never reach the transport. Time is an argument in
/// milliseconds, and it may wrap.
///
/// Buffers: receive_buffer() and transmit_buffer() belong to the server, and one transport uses them. A message has at
/// most receive_size() bytes. receive() changes the bytes of the message, and needs them until it returns. A written
/// message is valid until the next call with the same transmit buffer. A transport with several clients may have more
/// buffers of the same sizes.
///
/// Begin:
/// - Before the first message: open_shared(), if has_stateless() and the messages of a session name the session, as
///   over HTTP. write_boot_mark(), if the client is on a wire.
/// - A client connects, and all of its messages are one session, as on a wire: open().
///
/// A message:
/// - It is complete: receive() with its session, or receive_first() if it names no session and may begin one
///   (has_sessions()). If the transport must know the kind of the message first: a ReceivedMessage, then respond() or
///   respond_first().
/// - It has more than receive_size() bytes: rpc::IdFinder::feed() with each piece, then receive_oversized().
/// - The transport rejects it: reject(), which writes an error.
///
/// The Reply:
/// - `message`: send it. `logged`: send the log messages and the response, or the response alone.
/// - `none`: send nothing. serves() returns whether a response comes later.
/// - `part`: send it. Call nothing else for this session but transmit(), until it returns `message` or `broken`.
/// - `broken`: cut the message off where it ends. The error comes with the next transmit().
/// - `no_session`: the session has ended. Begin another session, or send the error, if there is one.
/// - A response that the transport cannot send: rpc::replace_response().
///
/// When nothing is left to send:
/// - transmit() for each session, and for each channel with a request or a stream. Repeat it until `none`.
/// - poll(), before the main loop waits. It returns the longest time to wait.
///
/// The end:
/// - The client of a session disconnects: close(). The client of one request disconnects: cancel() with its channel.
/// - The server ends sessions, too: is_open(). While ended_sessions() does not change, no session has ended.
///
/// Several channels to a client: a request and its response have one Channel. set_listening() sets whether the client
/// takes other messages of its session. note_use() reports that the client is still connected. share_changes() is for a
/// transport that reaches all clients at once. advance_tasks() is for a transport that calls transmit() only while it
/// has a stream. continues_streams() and take_reconnect() are for a transport whose clients can continue a stream.
/// slot_due() returns when a client without a slot may try again.
///
/// Senders: a TransportInfo names the sender, its scopes and its headers. supports(), is_of_sessions(), is_stateless()
/// and revision() are for headers with a protocol version, has_scopes() and scopes() for the scopes of tokens.
/// audit_rejected() records a rejected sender, and end_principal() ends the tasks and jobs of a sender. has_figures(),
/// figures() and is_enabled() are for a transport that sends the figures of the server.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/json/validate.hpp"
#include "mcp/json/value.hpp"
#include "mcp/rpc/envelope.hpp"
#include "mcp/rpc/id_finder.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"

namespace mcp {

/// A message that the server has checked, and its envelope. For a transport that must know the kind of a message before
/// the server responds to it.
/// Lifetime: the bytes and the object must live until respond() has returned. Limits: about 220 bytes on the stack of a
/// 32-bit device. Context: main loop.
class ReceivedMessage {
 public:
  /// Checks a message of at most Server::receive_size() bytes. `bytes` is modified, because strings are decoded in
  /// place. After that, use `bytes` only through this object, because a second check would reject the decoded text.
  ReceivedMessage(const Server& server, std::span<char> bytes);
  ReceivedMessage(const ReceivedMessage&) = delete;  // the envelope points into the object
  ReceivedMessage& operator=(const ReceivedMessage&) = delete;

  /// Returns the kind, the id and the method. The id is valid until the buffer of the message is used again. A message
  /// that is not JSON is `response` or `invalid`. It has an id only if the server could find one.
  [[nodiscard]] const rpc::Envelope& envelope() const { return envelope_; }

  /// Returns false for a response, and for a message with a `method` and without an `id`, even if it is invalid. A
  /// transport may then drop the error that receive_first() has written.
  [[nodiscard]] bool expects_response() const;
  /// Returns whether the message is the request that begins a session.
  [[nodiscard]] bool begins_session() const;
  /// Returns the id of the request that the message cancels. The id is empty if the message names none. Returns nothing
  /// if the message cancels nothing. The server cancels requests of sessions itself. For a stateless request, call
  /// cancel().
  [[nodiscard]] std::optional<std::string_view> cancelled_id() const;

  /// @cond server
  /// The error of a message that is not JSON.
  [[nodiscard]] const json::CheckResult& check() const { return check_; }
  /// The object or the batch; missing for any other message.
  [[nodiscard]] json::Value root() const { return root_; }
  /// @endcond

 private:
  json::MemberIndex index_;
  json::CheckResult check_;
  json::Value root_;
  rpc::Envelope envelope_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
