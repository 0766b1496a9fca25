// SPDX-License-Identifier: Apache-2.0
// Names of hosts with getaddrinfo(), where the system has it.
#include "ports/sockets/sockets_address.hpp"

#if __has_include(<netdb.h>) && !defined(MOTE_SOCKETS_LWIP)
#include <netdb.h>
#elif __has_include(<lwip/netdb.h>)
#include <lwip/netdb.h>
#endif

#if defined(EAI_NONAME) && (!defined(LWIP_DNS) || LWIP_DNS)
namespace mcp::sockets {
namespace {

LookUpStatus status_of(int error) {
  switch (error) {
#ifdef EAI_AGAIN
    case EAI_AGAIN: return LookUpStatus::no_name_server;
#endif
#ifdef EAI_SYSTEM
    case EAI_SYSTEM:
#endif
    case EAI_MEMORY: return LookUpStatus::no_memory;
    default: return LookUpStatus::unknown_host;
  }
}

}  // namespace

LookUp look_up(const char* host) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
#ifdef AI_ADDRCONFIG
  wanted.ai_flags = AI_ADDRCONFIG;
#endif
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host, nullptr, &wanted, &list);
  LookUp result{LookUpStatus::unknown_host, {}};
  if (error != 0) {
    result.status = status_of(error);
    return result;
  }
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    const IpAddress address = host_of(*one->ai_addr);
    if (address.size != 0) result.addresses.add(address);
  }
  freeaddrinfo(list);
  if (result.addresses.size() != 0) result.status = LookUpStatus::found;
  return result;
}

}  // namespace mcp::sockets
#endif
