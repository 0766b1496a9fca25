// SPDX-License-Identifier: Apache-2.0
#include "ports/sockets/sockets_address.hpp"

#include <cstddef>
#include <cstring>

namespace mcp::sockets {
namespace {

template <class Kind>
Kind& as(Address& address) {
  return reinterpret_cast<Kind&>(address.storage);
}
template <class Kind>
const Kind& as(const Address& address) {
  return reinterpret_cast<const Kind&>(address.storage);
}

#if MOTE_SOCKETS_IPV6
std::uint64_t peer_of(const sockaddr_in6& address) {
  const auto& bytes = address.sin6_addr.s6_addr;
  const auto number = [&bytes](std::size_t at, std::size_t end) {
    std::uint64_t value = 0;
    for (; at < end; ++at) value = value << 8 | bytes[at];
    return value;
  };
  const std::uint64_t network = number(0, 8);
  if (network != 0) return network;
  // An IPv4 client at a socket for both families has the address ::ffff:a.b.c.d. The other case is this machine, ::1.
  return number(8, 12) == 0xFFFF ? number(12, 16) : 1;
}
#endif

}  // namespace

Address read_address(const char* text, std::uint16_t port) {
  Address address{};
  auto& v4 = as<sockaddr_in>(address);
  if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.size = sizeof v4;
    return address;
  }
#if MOTE_SOCKETS_IPV6
  auto& v6 = as<sockaddr_in6>(address);
  if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.size = sizeof v6;
  }
#endif
  return address;
}

Address address_of(const IpAddress& host, std::uint16_t port) {
  Address address{};
#if MOTE_SOCKETS_IPV6
  if (host.size == sizeof host.bytes) {
    auto& v6 = as<sockaddr_in6>(address);
    std::memcpy(&v6.sin6_addr, host.bytes, sizeof host.bytes);
    v6.sin6_scope_id = static_cast<decltype(v6.sin6_scope_id)>(host.zone);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.size = sizeof v6;
    return address;
  }
#endif
  auto& v4 = as<sockaddr_in>(address);
  std::memcpy(&v4.sin_addr, host.bytes, sizeof v4.sin_addr);
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  address.size = sizeof v4;
  return address;
}

// The structures are copied, because `address` need not be aligned for them.
IpAddress host_of(const sockaddr& address) {
  IpAddress host{};
  if (address.sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof v4);
    host.size = sizeof v4.sin_addr;
    std::memcpy(host.bytes, &v4.sin_addr, sizeof v4.sin_addr);
  }
#if MOTE_SOCKETS_IPV6
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, &address, sizeof v6);
    host.size = sizeof v6.sin6_addr;
    host.zone = v6.sin6_scope_id;
    std::memcpy(host.bytes, &v6.sin6_addr, sizeof v6.sin6_addr);
  }
#endif
  return host;
}

Address address_of(int fd) {
  Address address{};
  address.size = sizeof address.storage;
  if (getsockname(fd, address.pointer(), &address.size) != 0) address.size = 0;
  return address;
}

std::uint16_t port_of(const Address& address) {
#if MOTE_SOCKETS_IPV6
  if (address.family() == AF_INET6) return ntohs(as<sockaddr_in6>(address).sin6_port);
#endif
  return ntohs(as<sockaddr_in>(address).sin_port);
}

std::uint64_t peer_of(const Address& address) {
#if MOTE_SOCKETS_IPV6
  if (address.family() == AF_INET6) return peer_of(as<sockaddr_in6>(address));
#endif
  return ntohl(as<sockaddr_in>(address).sin_addr.s_addr);
}

}  // namespace mcp::sockets
