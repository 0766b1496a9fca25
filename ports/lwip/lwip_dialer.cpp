// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_dialer.hpp"

#include <lwip/dns.h>

#include <algorithm>
#include <utility>

#include "ports/lwip/lwip_lock.hpp"

namespace mcp::lwip {
namespace {

// A look-up cannot be cancelled. lwIP reports its end with a number, which belongs to a connection or to none.
TcpDialer* dialers;
#if LWIP_DNS
std::uint32_t last_look_up;
#endif

// Without random numbers, an attacker could guess the numbers of a look-up and of a connection. lwIP would also look
// for a random port of UDP without end.
bool has_random_numbers([[maybe_unused]] Interface& interface) {
#if MOTE_LWIP_STACK
  std::uint8_t random[1];
  return interface.fill_random(random);
#else
  return true;
#endif
}

DialProblem problem_of(err_t error) {
  switch (error) {
    case ERR_RST: return DialProblem::refused;
    case ERR_RTE: return DialProblem::unreachable;
    case ERR_ABRT: return DialProblem::no_response;
    default: return DialProblem::no_memory;
  }
}

}  // namespace

// ---- DialedConnection ----------------------------------------------------------------------------------------------

DialedConnection::DialedConnection() = default;

// `ok` if it is connected, or was.
IoStatus DialedConnection::status() const {
  const CoreLock lock;
  if (state_ == State::open) return IoStatus::ok;
  return state_ == State::failed ? IoStatus::failed : IoStatus::would_block;
}

IoResult DialedConnection::do_read(std::span<char> into) {
  const IoStatus now = status();
  return now == IoStatus::ok ? TcpConnection::do_read(into) : IoResult{now, 0};
}

IoResult DialedConnection::do_write(std::span<const char> from) {
  const IoStatus now = status();
  return now == IoStatus::ok ? TcpConnection::do_write(from) : IoResult{now, 0};
}

void DialedConnection::do_finish() {
  if (status() == IoStatus::ok) TcpConnection::do_finish();
}

void DialedConnection::do_close() {
  if (status() == IoStatus::ok) return TcpConnection::do_close();
  const CoreLock lock;
  discard();  // perhaps it was connected just now: no byte was written
}

// lwIP reports its own abort, too.
void DialedConnection::discard() {
  if (pcb_ != nullptr) tcp_err(pcb_, nullptr);
  drop();
  pcb_ = nullptr;
}

void DialedConnection::fail(DialProblem problem) {
  state_ = State::failed;
  static_cast<TcpDialer&>(*owner_).set_reason(problem);
}

err_t DialedConnection::on_connected(void* self, tcp_pcb* pcb, err_t) {
  auto& one = *static_cast<DialedConnection*>(static_cast<TcpConnection*>(self));
  one.state_ = State::open;
  tcp_err(pcb, on_lost);
  static_cast<TcpDialer&>(*one.owner_).interface_->wake();
  return ERR_OK;
}

// lwIP has freed it already.
void DialedConnection::on_failed(void* self, err_t error) {
  auto& one = *static_cast<DialedConnection*>(static_cast<TcpConnection*>(self));
  one.pcb_ = nullptr;
  one.fail(problem_of(error));
  static_cast<TcpDialer&>(*one.owner_).interface_->wake();
}

// ---- TcpDialer -----------------------------------------------------------------------------------------------------

TcpDialer::TcpDialer(Interface& interface, std::span<DialedConnection> connections) : dialed_(connections) {
  interface_ = &interface;
  const CoreLock lock;
  interface.add(*this);
  next_ = std::exchange(dialers, this);
}

TcpDialer::~TcpDialer() {
  const CoreLock lock;
  interface_->remove(*this);
  for (DialedConnection& one : dialed_) one.discard();
  TcpDialer** at = &dialers;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

Connection* TcpDialer::do_dial(std::string_view host, std::uint16_t port) {
  const CoreLock lock;
  for (DialedConnection& one : dialed_) {
    if (one.state_ != State::free) continue;
    one.owner_ = this;
    one.pcb_ = nullptr;
    one.peer_ = 0;
    one.port_ = port;
    char name[most_host_size + 1];
    name[host.copy(name, most_host_size)] = '\0';
    find(one, name);
    return &one;
  }
  set_reason(DialProblem::in_use);
  return nullptr;
}

void TcpDialer::find(DialedConnection& one, const char* host) {
  ip_addr_t address;
  ip_addr_set_any(false, &address);
#if LWIP_DNS
  if (std::string_view(host).find(':') != std::string_view::npos) return one.fail(DialProblem::unknown_host);  // IPv6
  if (!has_random_numbers(*interface_)) return one.fail(DialProblem::no_memory);
  one.number_ = ++last_look_up;
  one.state_ = State::looking_up;
  // The number is in the place of a pointer.
  void* const number = reinterpret_cast<void*>(std::uintptr_t{one.number_});  // NOLINT(performance-no-int-to-ptr)
  switch (dns_gethostbyname_addrtype(host, &address, on_found, number, LWIP_DNS_ADDRTYPE_IPV4)) {
    case ERR_OK: return connect_to(one, address);
    case ERR_INPROGRESS: return;
    case ERR_MEM: return one.fail(DialProblem::no_memory);
    case ERR_VAL: return one.fail(DialProblem::no_name_server);
    default: return one.fail(DialProblem::unknown_host);
  }
#else
  if (ip4addr_aton(host, ip_2_ip4(&address)) == 0) return one.fail(DialProblem::unknown_host);
  connect_to(one, address);
#endif
}

// The caller holds the lock of lwIP.
void TcpDialer::on_found(const char*, const ip_addr_t* address, void* number) {
  for (TcpDialer* dialer = dialers; dialer != nullptr; dialer = dialer->next_) {
    for (DialedConnection& one : dialer->dialed_) {
      const bool is_asked = one.number_ == reinterpret_cast<std::uintptr_t>(number);
      if (!is_asked || one.state_ != State::looking_up) continue;
      if (address != nullptr) {
        dialer->connect_to(one, *address);
      } else {
        one.fail(DialProblem::unknown_host);
      }
      return dialer->interface_->wake();
    }
  }
}

void TcpDialer::connect_to(DialedConnection& one, const ip_addr_t& address) {
  if (!interface_->is_ready()) return one.fail(DialProblem::unreachable);
  if (!has_random_numbers(*interface_)) return one.fail(DialProblem::no_memory);
  tcp_pcb* const pcb = tcp_new();
  if (pcb == nullptr) return one.fail(DialProblem::no_memory);
  tcp_bind_netif(pcb, &interface_->interface());
  const err_t error = tcp_connect(pcb, &address, one.port_, DialedConnection::on_connected);
  if (error != ERR_OK) {
    static_cast<void>(tcp_close(pcb));
    return one.fail(problem_of(error));
  }
  one.begin(*this, pcb, one.number_);
  // The protocol of a client has its own: PINGREQ of MQTT. Two would wake an idle device twice as often.
  ip_reset_option(pcb, SOF_KEEPALIVE);
  one.state_ = State::connecting;
  tcp_err(pcb, DialedConnection::on_failed);
}

Millis TcpDialer::flush() {
  Millis due = forever;
  for (DialedConnection& one : dialed_) due = std::min(due, one.flush());
  return due;
}

}  // namespace mcp::lwip
