// SPDX-License-Identifier: Apache-2.0
#include "ports/posix/posix_thread.hpp"

#include <pthread.h>

#include <csignal>
#include <cstdint>

namespace mcp::posix {

int file_of(void* argument) { return static_cast<int>(reinterpret_cast<std::intptr_t>(argument)); }

bool start_thread(void* (*run)(void*), int file, std::size_t stack_size) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  static_cast<void>(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
  static_cast<void>(pthread_attr_setstacksize(&attributes, stack_size));
  sigset_t all, before;
  static_cast<void>(sigfillset(&all));
  static_cast<void>(pthread_sigmask(SIG_SETMASK, &all, &before));
  pthread_t thread;
  void* const argument =
      reinterpret_cast<void*>(static_cast<std::intptr_t>(file));  // NOLINT(performance-no-int-to-ptr)
  const bool is_started = pthread_create(&thread, &attributes, run, argument) == 0;
  static_cast<void>(pthread_sigmask(SIG_SETMASK, &before, nullptr));
  static_cast<void>(pthread_attr_destroy(&attributes));
  return is_started;
}

}  // namespace mcp::posix
