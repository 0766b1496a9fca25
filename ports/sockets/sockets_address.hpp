// SPDX-License-Identifier: Apache-2.0
// Addresses of sockets. For the files of this port.
#pragma once

#include <cstdint>

#include "mcp/ports/sockets_dialer.hpp"

// Last, because lwIP has macros for names of other headers.
#include "ports/sockets/sockets_platform.hpp"

namespace mcp::sockets {

/// A numeric address and a port, as bind() takes it.
struct Address {
  sockaddr_storage storage;
  socklen_t size;  ///< 0 for an invalid address

  [[nodiscard]] sockaddr* pointer() { return reinterpret_cast<sockaddr*>(&storage); }
  [[nodiscard]] int family() const { return storage.ss_family; }
};

/// Reads a numeric address. Errors: returns an address with size 0 if `text` is invalid.
Address read_address(const char* text, std::uint16_t port);

/// Returns the address of a host, and a port, as connect() takes it.
Address address_of(const IpAddress& host, std::uint16_t port);

/// Returns the address of a host without its port. Errors: returns an address with size 0 for another family.
IpAddress host_of(const sockaddr& address);

/// Returns the local address and port of a socket. Errors: returns an address with size 0, and errno has the reason.
Address address_of(int fd);

/// Returns the port.
std::uint16_t port_of(const Address& address);

/// Returns the number of a host for Connection::peer(), never 0.
std::uint64_t peer_of(const Address& address);

}  // namespace mcp::sockets
