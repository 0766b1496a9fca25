// SPDX-License-Identifier: Apache-2.0
// The names of hosts in a test: the linker replaces getaddrinfo() (--wrap) by a function that asks no name server.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace test {

/// While it exists, getaddrinfo() knows its names only. Limits: one at a time.
class NameServer {
 public:
  NameServer();
  /// Waits until all look-ups have returned.
  ~NameServer();
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  /// Adds a name with numeric addresses.
  void add(const std::string& name, std::initializer_list<const char*> addresses);
  /// Adds a name whose look-up returns an error.
  void fail(const std::string& name, int error);
  /// Look-ups wait until release().
  void hold();
  void release();
  /// The look-ups that wait.
  [[nodiscard]] int held() const;
};

}  // namespace test
