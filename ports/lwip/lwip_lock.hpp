// SPDX-License-Identifier: Apache-2.0
// The lock of lwIP, while a public function of the port runs. Nothing without threads.
#pragma once

#include <lwip/opt.h>
#if !NO_SYS
#include <lwip/tcpip.h>
#endif

namespace mcp::lwip {

class CoreLock {
 public:
#if NO_SYS
  CoreLock() {}   // NOLINT(modernize-use-equals-default): an unused object of a trivial class gives a warning
  ~CoreLock() {}  // NOLINT(modernize-use-equals-default)
#else
  CoreLock() { LOCK_TCPIP_CORE(); }
  ~CoreLock() { UNLOCK_TCPIP_CORE(); }
#endif
  CoreLock(const CoreLock&) = delete;
  CoreLock& operator=(const CoreLock&) = delete;
};

}  // namespace mcp::lwip
