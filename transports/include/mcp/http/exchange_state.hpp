// SPDX-License-Identifier: Apache-2.0
// The states of an exchange, and the events that change them. Only advance() (transports/http/connection.hpp) changes a
// state, and MCP_ASSERT rejects an event that has no transition from it.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <initializer_list>

namespace mcp::http {

/// The states of an exchange. The functions below rely on the order.
enum class ExchangeState : std::uint8_t {
  free,               ///< No connection.
  connected,          ///< A new connection without a byte.
  idle,               ///< Between two requests.
  head,               ///< The head of a request is received.
  waiting,            ///< The body of a request waits for the receive buffer of the server.
  body,               ///< The body of a request is received.
  response,           ///< A response, or the rest of a stream, is sent.
  closing,            ///< The response is sent and the connection half-closed; input is dropped.
  scanning,           ///< As closing, but the input of a message that is too long is searched for the id of a response.
  orphaned,           ///< The connection is lost, but the exchange still has output for the stream of another exchange.
  ending,             ///< A stream without further messages. It ends after the current event.
  call,               ///< The stream of a call.
  standalone,         ///< The stream of a session.
  rest,               ///< A stream that has ended. It sends the events that the client missed.
  standalone_replay,  ///< The stream of a session while it sends the events that the client missed.
  call_replay,        ///< The stream of a call while it sends the events that the client missed.
};
inline constexpr unsigned exchange_states = 16;

/// The events of an exchange.
enum class ExchangeEvent : std::uint8_t {
  accepted,            ///< The listener has a connection.
  head_begun,          ///< The first byte of a request has arrived.
  body_expected,       ///< A body follows, for the transmit buffer of the exchange.
  buffer_needed,       ///< A body follows, for the receive buffer of the server.
  buffer_granted,      ///< The receive buffer is free for the body.
  responded,           ///< A response is written.
  kept_alive,          ///< The response is sent, and the connection stays.
  finished,            ///< The response is sent, and the connection ends.
  scan_begun,          ///< As finished, after a message that is too long.
  scanned,             ///< The id of the response is known, and handled.
  call_begun,          ///< A call has no response yet.
  standalone_begun,    ///< GET begins the stream of a session.
  call_resumed,        ///< Last-Event-ID names the stream of a call.
  standalone_resumed,  ///< Last-Event-ID names the stream of a session.
  rest_resumed,        ///< Last-Event-ID names a stream that has ended.
  call_replayed,       ///< All missed events are sent.
  standalone_replayed,
  stream_closed,  ///< The session has ended, or another stream replaces this one.
  stream_ended,   ///< The last event of the stream is written.
  orphaned,       ///< The client has disconnected, and its output for another stream stays.
  dropped,        ///< The connection is closed.
};
inline constexpr unsigned exchange_events = 21;

/// The transition of an event: the states before it, one bit each, and the state after it. It is forbidden in all other
/// states.
struct Transition {
  std::uint16_t from;
  ExchangeState to;
};

/// The transition table.
class Transitions {
 public:
  constexpr Transitions() {
    using State = ExchangeState;
    using Event = ExchangeEvent;
    // event, state after it, states before it
    set(Event::accepted, State::connected, {State::free});
    set(Event::head_begun, State::head, {State::connected, State::idle});
    set(Event::body_expected, State::body, {State::head});
    set(Event::buffer_needed, State::waiting, {State::head});
    set(Event::buffer_granted, State::body, {State::waiting});
    set(Event::responded, State::response, {State::head, State::waiting, State::body});
    set(Event::kept_alive, State::idle, {State::response});
    set(Event::finished, State::closing, {State::response});
    set(Event::scan_begun, State::scanning, {State::response});
    set(Event::scanned, State::closing, {State::scanning});
    set(Event::call_begun, State::call, {State::body});
    set(Event::standalone_begun, State::standalone, {State::head});
    set(Event::call_resumed, State::call_replay, {State::head});
    set(Event::standalone_resumed, State::standalone_replay, {State::head});
    set(Event::rest_resumed, State::rest, {State::head});
    set(Event::call_replayed, State::call, {State::call_replay});
    set(Event::standalone_replayed, State::standalone, {State::standalone_replay});
    set(Event::stream_closed, State::ending,
        {State::ending, State::call, State::standalone, State::rest, State::standalone_replay, State::call_replay});
    set(Event::stream_ended, State::response, {State::ending, State::call, State::standalone, State::rest});
    set(Event::orphaned, State::orphaned, {State::response, State::closing});
    set(Event::dropped, State::free,
        {State::connected, State::idle, State::head, State::waiting, State::body, State::response, State::closing,
         State::scanning, State::orphaned, State::ending, State::call, State::standalone, State::rest,
         State::standalone_replay, State::call_replay});
  }

  [[nodiscard]] constexpr const Transition& of(ExchangeEvent event) const {
    return rows_[static_cast<unsigned>(event)];
  }
  /// False for a forbidden cell.
  [[nodiscard]] constexpr bool allows(ExchangeState state, ExchangeEvent event) const {
    return (of(event).from >> static_cast<unsigned>(state) & 1) != 0;
  }

 private:
  constexpr void set(ExchangeEvent event, ExchangeState to, std::initializer_list<ExchangeState> from) {
    Transition& row = rows_[static_cast<unsigned>(event)];
    for (const ExchangeState state : from) row.from |= static_cast<std::uint16_t>(1U << static_cast<unsigned>(state));
    row.to = to;
  }

  Transition rows_[exchange_events] = {};
};
inline constexpr Transitions transitions;

/// True while the exchange sends events.
[[nodiscard]] constexpr bool is_stream(ExchangeState state) { return state >= ExchangeState::ending; }
/// True for a stream that is not a response to a request.
[[nodiscard]] constexpr bool is_standalone(ExchangeState state) {
  return state == ExchangeState::standalone || state == ExchangeState::standalone_replay;
}
/// True while the exchange sends events that the client missed.
[[nodiscard]] constexpr bool is_replay(ExchangeState state) { return state >= ExchangeState::rest; }
/// True for a stream whose call or session still runs.
[[nodiscard]] constexpr bool is_live(ExchangeState state) {
  return state >= ExchangeState::call && state != ExchangeState::rest;
}

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
