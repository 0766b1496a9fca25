// SPDX-License-Identifier: Apache-2.0
#include "ports/linux/fake_kernel.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <time.h>

#include <cerrno>
#include <cstdarg>
#include <utility>

// The names are those of the linker's option.
extern "C" {
int __real_open(const char*, int, ...);
int __real_ioctl(int, unsigned long, ...);
int __real_poll(pollfd*, nfds_t, int);
ssize_t __real_read(int, void*, size_t);
int __real_clock_gettime(clockid_t, timespec*);
}

namespace test {

Kernel kernel;

int Kernel::add_file(Driver driver) {
  const int file = __real_open("/dev/null", O_RDWR | O_CLOEXEC);
  EXPECT_GE(file, 0);
  files[file] = std::move(driver);
  return file;
}

bool is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

namespace {

// The driver of a file, unless the file was closed and the number belongs to another one.
Driver* driver_of(int file) {
  const auto found = kernel.files.find(file);
  return found == kernel.files.end() ? nullptr : &found->second;
}

int finish(int result) {
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

}  // namespace
}  // namespace test

extern "C" {
int __wrap_open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(list, int) : 0;
  va_end(list);
  const auto found = test::kernel.devices.find(path);
  if (found != test::kernel.devices.end()) return test::kernel.add_file(found->second);
  const int file = __real_open(path, flags, mode);
  test::kernel.files.erase(file);
  return file;
}
int __wrap_ioctl(int file, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  test::Driver* const driver = test::driver_of(file);
  return driver == nullptr ? __real_ioctl(file, request, argument) : test::finish(driver->ioctl(request, argument));
}
int __wrap_poll(pollfd* entries, nfds_t count, int timeout) {
  test::Driver* const driver = count == 1 ? test::driver_of(entries->fd) : nullptr;
  if (driver == nullptr) return __real_poll(entries, count, timeout);
  EXPECT_EQ(timeout, 0) << "it would wait";
  entries->revents = driver->is_readable() ? POLLIN : 0;
  return entries->revents != 0 ? 1 : 0;
}
ssize_t __wrap_read(int file, void* into, size_t size) {
  test::Driver* const driver = test::driver_of(file);
  return driver == nullptr ? __real_read(file, into, size) : test::finish(driver->read(into, size));
}
int __wrap_clock_gettime(clockid_t clock, timespec* now) {
  if (clock != CLOCK_MONOTONIC || test::kernel.monotonic_ns == 0) return __real_clock_gettime(clock, now);
  now->tv_sec = static_cast<time_t>(test::kernel.monotonic_ns / 1'000'000'000);
  now->tv_nsec = static_cast<long>(test::kernel.monotonic_ns % 1'000'000'000);
  return 0;
}
}
