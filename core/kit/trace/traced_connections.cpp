// SPDX-License-Identifier: Apache-2.0
// Recorders of connections. Each connection gets a new number, so that no record refers to an earlier connection.
#include "mcp/trace.hpp"

namespace mcp::detail {

using Kind = TraceKind;

void TracedConnection::open(Trace& trace, Framing framing, Connection& inner, std::uint32_t number, After do_after,
                            void* context) {
  trace_ = &trace;
  inner_ = &inner;
  after_ = do_after;
  context_ = context;
  bytes_ = TracedBytes(framing, number);
}

IoResult TracedConnection::do_read(std::span<char> into) {
  const IoResult result = bytes_.read(*trace_, *inner_, into);
  after();
  return result;
}

IoResult TracedConnection::do_write(std::span<const char> from) {
  const IoResult result = bytes_.write(*trace_, *inner_, from);
  after();
  return result;
}

void TracedConnection::do_finish() {
  trace_->add(Kind::finish, bytes_.number());
  inner_->finish();
  after();
}

void TracedConnection::do_close() {
  trace_->add(Kind::close, bytes_.number());
  Connection* const inner = inner_;
  inner_ = nullptr;
  inner->close();
  after();
}

namespace {

TracedConnection* find_free(std::span<TracedConnection> connections) {
  for (TracedConnection& connection : connections) {
    if (connection.is_free()) return &connection;
  }
  return nullptr;
}

}  // namespace

Connection* accept_traced(Trace& trace, std::uint32_t& number, Listener& listener,
                          std::span<TracedConnection> connections) {
  TracedConnection* const connection = find_free(connections);
  Connection* const inner = connection != nullptr ? listener.accept() : nullptr;
  if (inner == nullptr) {
    trace.count_blocked();
    return nullptr;
  }
  if (number == 0) number = trace.new_port();
  const std::uint32_t stream = trace.new_stream();
  trace.add_accept(number, stream, inner->peer());
  connection->open(trace, Framing::http, *inner, stream, nullptr, nullptr);
  return connection;
}

bool has_waiting_traced(Trace& trace, std::uint32_t& number, Listener& listener) {
  if (!listener.has_waiting()) {
    trace.count_blocked();
    return false;
  }
  if (number == 0) number = trace.new_port();
  trace.add(Kind::waiting, number);
  return true;
}

Connection* TracedDialing::dial_traced(std::string_view host, std::uint16_t port,
                                       std::span<TracedConnection> connections) {
  if (number_ == 0) number_ = trace_.new_port();
  TracedConnection* const connection = find_free(connections);
  Connection* const inner = connection != nullptr ? dialer_.dial(host, port) : nullptr;
  if (inner == nullptr) {
    const std::uint32_t numbers[] = {number_, port};
    trace_.add_text(Kind::undialed, numbers, host);
  } else {
    const std::uint32_t stream = trace_.new_stream();
    const std::uint32_t numbers[] = {number_, stream, port};
    trace_.add_text(Kind::dial, numbers, host);
    connection->open(trace_, framing_, *inner, stream, copy_reason, this);
  }
  note_reason(connection != nullptr ? dialer_.reason() : DialProblem::in_use);
  return inner != nullptr ? connection : nullptr;
}

void TracedDialing::copy_reason(void* dialing) {
  auto& self = *static_cast<TracedDialing*>(dialing);
  self.note_reason(self.dialer_.reason());
}

void TracedDialing::note_reason(DialProblem now) {
  if (now == reason()) return;
  set_reason(now);
  trace_.add(Kind::reason, number_, static_cast<std::uint32_t>(now));
}

}  // namespace mcp::detail
