// SPDX-License-Identifier: Apache-2.0
// The character devices that a test imitates. The linker replaces the system calls (--wrap).
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace test {

/// A file of an imitated driver. Each function returns its result, or a negative errno as in the kernel.
struct Driver {
  std::function<int(unsigned long request, void* argument)> ioctl;
  std::function<bool()> is_readable;
  std::function<int(void* into, std::size_t size)> read;
};

/// The kernel of a test. Paths and descriptors that it does not have are those of this machine.
struct Kernel {
  std::map<std::string, Driver> devices;  // by path
  std::map<int, Driver> files;            // the open ones
  std::uint64_t monotonic_ns = 0;         // 0: the clock of this machine

  /// A new descriptor for a file of the driver, which close() of this machine closes.
  int add_file(Driver driver);
};
extern Kernel kernel;

/// Whether the descriptor is open.
bool is_open(int file);

}  // namespace test
