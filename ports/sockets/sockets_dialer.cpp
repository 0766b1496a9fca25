// SPDX-License-Identifier: Apache-2.0
// Connections to servers. A TcpConnection does not know the steps to connect to its host. Until it is connected, its
// reads and writes wait for an event. If it cannot be connected, it gets a socket that fails.
#include "mcp/ports/sockets_dialer.hpp"

#include <algorithm>

#include "ports/sockets/sockets_address.hpp"
#include "ports/sockets/sockets_io_result.hpp"
#include "ports/sockets/sockets_open.hpp"
#include "ports/sockets/sockets_poll_entries.hpp"

namespace mcp::sockets {
namespace {

DialProblem problem_of(int error) {
  switch (error) {
    case ECONNREFUSED:
    case ECONNRESET: return DialProblem::refused;  // lwIP
    case ETIMEDOUT:
    case ECONNABORTED: return DialProblem::no_response;  // lwIP
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS:
    case EAGAIN: return DialProblem::no_memory;
    default: return DialProblem::unreachable;
  }
}

#ifdef TCP_SYNCNT
// Two more SYN, so an address that does not respond takes 7 s.
constexpr int more_syn = 2;
#endif

}  // namespace

void Addresses::add(const IpAddress& address) {
  const IpAddress* const end = addresses_ + size_;
  const auto is_of_family = [&address](const IpAddress& other) { return other.size == address.size; };
  const std::ptrdiff_t of_family = std::count_if(static_cast<const IpAddress*>(addresses_), end, is_of_family);
  if (size_ == most || of_family == most_of_family) return;
  addresses_[size_++] = address;
}

DialedConnection::DialedConnection() = default;

SocketDialer::SocketDialer(std::span<DialedConnection> connections, Resolver* resolver)
    : connections_(connections.first(std::min(connections.size(), most_connections))), resolver_(resolver) {}

SocketDialer::~SocketDialer() {
  for (DialedConnection& one : connections_) {
    one.connection_.do_close();
    release(one);
  }
  close_socket(wake_fd_);
}

// ---- The way to a host ----------------------------------------------------------------------------------------------

Connection* SocketDialer::dial_host(std::string_view host, std::uint16_t port) {
  for (DialedConnection& one : connections_) {
    if (one.connection_.fd_ != -1) continue;
    release(one);
    one.port_ = port;
    begin(one, host);
    return &one.connection_;
  }
  set_reason(DialProblem::in_use);
  return nullptr;
}

void SocketDialer::begin(DialedConnection& one, std::string_view host) {
  one.connection_.fd_ = TcpConnection::no_socket;
  one.connection_.read_ = one.connection_.write_ = Retry::after_event;
  one.connection_.peer_ = 0;
  one.addresses_ = {};
  one.next_ = 0;
  char text[most_host_size + 1];
  text[host.copy(text, most_host_size)] = '\0';
  if (Address numeric = read_address(text, one.port_); numeric.size != 0) {
    one.addresses_.add(host_of(*numeric.pointer()));
    return connect_next(one, DialProblem::unreachable);
  }
  if (resolver_ == nullptr) return fail(one, DialProblem::unknown_host);
  one.look_up_ = resolver_->begin(host);
  if (one.look_up_ < 0) return fail(one, DialProblem::no_memory);
  one.state_ = State::looking_up;
}

// `problem` is the problem of the previous address.
void SocketDialer::connect_next(DialedConnection& one, DialProblem problem) {
  while (one.next_ < one.addresses_.size()) {
    if (connect_to(one, one.addresses_[one.next_++])) return;
    problem = problem_of(errno);
  }
  fail(one, problem);
}

// Begins to connect. Errors: returns false, and `errno` has the reason.
bool SocketDialer::connect_to(DialedConnection& one, const IpAddress& host) {
  Address to = address_of(host, one.port_);
  int fd = ::socket(to.family(), SOCK_STREAM, IPPROTO_TCP);
  if (fd < 0) return false;
  set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
#ifdef TCP_SYNCNT
  if (one.next_ < one.addresses_.size()) set_option(fd, IPPROTO_TCP, TCP_SYNCNT, more_syn);
#endif
  const bool is_ready = prepare(fd);
  const bool is_connected = is_ready && connect(fd, to.pointer(), to.size) == 0;
  if (!is_ready || (!is_connected && errno != EINPROGRESS && errno != EINTR)) {
    close_socket(fd);
    return false;
  }
  one.connection_.fd_ = fd;
  one.connection_.peer_ = peer_of(to);
  one.state_ = is_connected ? State::connected : State::connecting;
  if (is_connected) one.connection_.read_ = one.connection_.write_ = Retry::now;
  return true;
}

void SocketDialer::fail(DialedConnection& one, DialProblem problem) {
  one.connection_.fd_ = TcpConnection::no_socket;
  one.connection_.read_ = one.connection_.write_ = Retry::now;
  one.state_ = State::failed;
  set_reason(problem);
}

// Its user may have closed it in any state.
void SocketDialer::release(DialedConnection& one) {
  if (one.look_up_ >= 0) resolver_->end(one.look_up_);
  one.look_up_ = -1;
  one.state_ = State::free;
}

void SocketDialer::note_look_up(DialedConnection& one) {
  const LookUp result = resolver_->result(one.look_up_);
  if (result.status == LookUpStatus::pending) return;
  resolver_->end(one.look_up_);
  one.look_up_ = -1;
  one.addresses_ = result.addresses;
  switch (result.status) {
    case LookUpStatus::no_name_server: return fail(one, DialProblem::no_name_server);
    case LookUpStatus::no_memory: return fail(one, DialProblem::no_memory);
    default: return connect_next(one, DialProblem::unknown_host);
  }
}

void SocketDialer::note_connect(DialedConnection& one) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(one.connection_.fd_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error == 0) {
    one.state_ = State::connected;
    one.connection_.read_ = one.connection_.write_ = Retry::now;
    return;
  }
  close_socket(one.connection_.fd_);
  connect_next(one, problem_of(error));
}

// ---- Waiting --------------------------------------------------------------------------------------------------------

int SocketDialer::events_of(const DialedConnection& one) const {
  if (one.connection_.fd_ == -1) return 0;
  switch (one.state_) {
    case State::looking_up: return resolver_->socket_of(one.look_up_) >= 0 ? POLLIN : 0;
    case State::connecting: return POLLOUT;
    case State::connected: return one.connection_.poll_events();
    default: return 0;
  }
}

int SocketDialer::timeout_of(Millis timeout_ms) const {
  const bool retries = std::any_of(connections_.begin(), connections_.end(), [](const DialedConnection& one) {
    return one.connection_.read_ == Retry::later || one.connection_.write_ == Retry::later;
  });
  return has_wakes_ ? 0 : poll_timeout(timeout_ms, retries);
}

int SocketDialer::timeout_of(Millis timeout_ms, const SocketListener& listener) const {
  const auto own = static_cast<unsigned>(timeout_of(timeout_ms));  // -1 is the largest number
  return static_cast<int>(std::min(own, static_cast<unsigned>(listener.timeout_of(timeout_ms))));
}

void SocketDialer::add_to(PollEntries& entries) const {
  if (wake_fd_ >= 0) entries.add(wake_fd_, POLLIN);
  for (const DialedConnection& one : connections_) {
    const int events = events_of(one);
    const bool looks_up = one.state_ == State::looking_up;
    if (events != 0) entries.add(looks_up ? resolver_->socket_of(one.look_up_) : one.connection_.fd_, events);
  }
}

void SocketDialer::note(PollEntries& entries) {
  if ((wake_fd_ >= 0 && entries.next() != 0) || has_wakes_) has_wakes_ = drain_wakes(wake_fd_);
  for (DialedConnection& one : connections_) {
    const int events = events_of(one) != 0 ? entries.next() : 0;
    for (Retry* const call : {&one.connection_.read_, &one.connection_.write_}) {
      if (*call == Retry::later) *call = Retry::now;
    }
    if (one.connection_.fd_ == -1) {
      release(one);
    } else if (one.state_ == State::looking_up) {
      note_look_up(one);
    } else if (one.state_ == State::connecting) {
      if (events != 0 && !entries.failed) note_connect(one);
    } else if (one.state_ == State::connected) {
      one.connection_.note_poll(events);
    }
  }
}

bool SocketDialer::enable_wake() {
  if (wake_fd_ >= 0) return true;
  int fd = open_wake_socket();
  if (fd >= 0 && !send_wake(fd)) close_socket(fd);
  wake_fd_ = fd;
  return fd >= 0;
}

void SocketDialer::wake() const {
  if (wake_fd_ >= 0) static_cast<void>(send_wake(wake_fd_));
}

// ---- TcpDialer ------------------------------------------------------------------------------------------------------

TcpDialer::TcpDialer(std::span<DialedConnection> connections, Resolver* resolver, TcpListener* listener)
    : SocketDialer(connections, resolver), listener_(listener) {}

void TcpDialer::wait(Millis timeout_ms) {
  constexpr std::size_t own = most_connections + 1;
  constexpr std::size_t others = 2;  // the listening socket, and the socket of wake()
  constexpr std::size_t few = 32;
  if (listener_ == nullptr || own + listener_->connections_.size() + others <= few) return wait_for<few>(timeout_ms);
  wait_for<own + TcpListener::most_connections + others>(timeout_ms);
}

// Not inlined, so that each size has its own stack.
template <std::size_t most>
[[gnu::noinline]] void TcpDialer::wait_for(Millis timeout_ms) {
  pollfd sockets[most];
  PollEntries entries{sockets};
  if (listener_ != nullptr) listener_->add_to(entries);
  add_to(entries);
  entries.wait(listener_ != nullptr ? timeout_of(timeout_ms, *listener_) : timeout_of(timeout_ms));
  if (listener_ != nullptr) listener_->note(entries);
  note(entries);
}

}  // namespace mcp::sockets
