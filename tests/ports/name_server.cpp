// SPDX-License-Identifier: Apache-2.0
#include "ports/name_server.hpp"

#include <gtest/gtest.h>
#include <netdb.h>
#include <sys/socket.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

namespace test {
namespace {

struct Entry {
  int error = 0;
  std::vector<std::string> addresses;
};

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  bool exists = false;
  bool holds = false;
  int running = 0;
  int held = 0;
  std::map<std::string, Entry> entries;
};

State& state() {
  static State one;
  return one;
}

}  // namespace

NameServer::NameServer() {
  const std::lock_guard lock(state().mutex);
  EXPECT_FALSE(std::exchange(state().exists, true)) << "there is another name server";
}
NameServer::~NameServer() {
  std::unique_lock lock(state().mutex);
  state().holds = false;
  state().changed.notify_all();
  state().changed.wait(lock, [] { return state().running == 0; });
  state().exists = false;
  state().entries.clear();
}
void NameServer::add(const std::string& name, std::initializer_list<const char*> addresses) {
  const std::lock_guard lock(state().mutex);
  state().entries[name] = {0, {addresses.begin(), addresses.end()}};
}
void NameServer::fail(const std::string& name, int error) {
  const std::lock_guard lock(state().mutex);
  state().entries[name] = {error, {}};
}
void NameServer::hold() {
  const std::lock_guard lock(state().mutex);
  state().holds = true;
}
void NameServer::release() {
  const std::lock_guard lock(state().mutex);
  state().holds = false;
  state().changed.notify_all();
}
int NameServer::held() const {
  const std::lock_guard lock(state().mutex);
  return state().held;
}

}  // namespace test

// The names are those of the linker's option.
extern "C" {
int __real_getaddrinfo(const char*, const char*, const addrinfo*, addrinfo**);

int __wrap_getaddrinfo(const char* host, const char* service, const addrinfo* wanted, addrinfo** list) {
  using test::state;
  std::unique_lock lock(state().mutex);
  if (!state().exists) return EAI_FAIL;
  ++state().running;
  ++state().held;
  state().changed.wait(lock, [] { return !state().holds; });
  --state().held;
  const auto found = state().entries.find(host);
  const test::Entry entry = found != state().entries.end() ? found->second : test::Entry{EAI_NONAME, {}};
  *list = nullptr;
  int error = entry.error;
  addrinfo** end = list;
  for (const std::string& address : entry.addresses) {
    addrinfo numeric{};
    numeric.ai_flags = AI_NUMERICHOST;
    numeric.ai_socktype = wanted->ai_socktype;
    error = __real_getaddrinfo(address.c_str(), service, &numeric, end);
    if (error != 0) break;
    end = &(*end)->ai_next;
  }
  --state().running;
  state().changed.notify_all();
  return error;
}
}
