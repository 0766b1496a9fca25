// SPDX-License-Identifier: Apache-2.0
// The lock of lwIP, while a public function of the port runs. Nothing if one main loop alone calls lwIP.
#pragma once

#include "mcp/ports/lwip_options.h"
#if !NO_SYS
#include <lwip/tcpip.h>
#endif

#if MOTE_LWIP_LOCK
extern "C" {
void mcp_lwip_lock();
void mcp_lwip_unlock();
}
#endif

namespace mcp::lwip {

class CoreLock {
 public:
#if !NO_SYS
  CoreLock() { LOCK_TCPIP_CORE(); }
  ~CoreLock() { UNLOCK_TCPIP_CORE(); }
#elif MOTE_LWIP_LOCK
  CoreLock() { mcp_lwip_lock(); }
  ~CoreLock() { mcp_lwip_unlock(); }
#else
  CoreLock() {}   // NOLINT(modernize-use-equals-default): an unused object of a trivial class gives a warning
  ~CoreLock() {}  // NOLINT(modernize-use-equals-default)
#endif
  CoreLock(const CoreLock&) = delete;
  CoreLock& operator=(const CoreLock&) = delete;
};

}  // namespace mcp::lwip
