// SPDX-License-Identifier: Apache-2.0
// The first task that calls a server owns it, and a call by another task is a broken contract.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mcp/mailbox.hpp"
#include "mcp/rtos.hpp"
#include "mcp/server.hpp"

namespace {

std::string broken;  // the file of the check that has failed

}  // namespace

// Ends the thread, not the process.
extern "C" void mcp_assert_failed(const char* file, int) {
  broken = file;
  pthread_exit(nullptr);
}

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  static_cast<void>(std::fprintf(stderr, "not true: %s\n", what));
  std::abort();
}

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read, .subscribable = true}};
constexpr mcp::Tool tools[] = {{mcp::tool<[](mcp::Call& call) { return call.result().text("x"); }>({.name = "t"})}};
constexpr mcp::Definition definition{.name = "owned",
                                     .version = "1",
                                     .tools = tools,
                                     .resources = resources,
                                     .logging = true,
                                     .list_changes = true,
                                     .subscriptions = true,
                                     .url_elicitations = true};
constexpr mcp::Limits limits{.sessions = 2, .elicitations = 1, .subscriptions = 1, .log_size = 64, .mailbox = true};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Mailbox mailbox{storage};
constinit const mcp::Server server{storage, {.mailbox = &mailbox}};
constinit mcp::Storage<definition, limits> other_storage;
constinit const mcp::Server other{other_storage};

mcp::SessionId session;

// Each function of a server that another task must not call, except transmit(), before which a transport calls poll().
using Use = void (*)();
constexpr Use uses[] = {
    [] { static_cast<void>(server.poll(0)); },
    [] { static_cast<void>(server.open(0)); },
    [] { static_cast<void>(server.open_shared(0)); },
    [] { server.close(session, 0); },
    [] { server.cancel(session, 0, 0); },
    [] { static_cast<void>(server.receive(session, {}, server.transmit_buffer(), 0)); },
    [] {
      mcp::SessionId first;
      static_cast<void>(server.receive_first(first, {}, server.transmit_buffer(), 0));
    },
    [] { server.resource_updated(resources[0]); },
    [] { server.log(mcp::LogLevel::info, "", "x"); },
    [] { static_cast<void>(server.elicitation_completed(session, "x")); },
    [] { server.set_enabled(tools[0], false); },
    [] { server.end_subscriptions(); },
};
// Those that it may call.
constexpr Use posts[] = {
    [] { server.resource_updated_from_isr(resources[0]); },
    [] { mailbox.resource_updated(resources[0]); },
    [] { static_cast<void>(mailbox.log(mcp::LogLevel::info, "", "x")); },
    [] { static_cast<void>(mcp::JobHandle().wake()); },
    [] { static_cast<void>(other.poll(0)); },  // another server, which this task owns from now on
};

void* run(void* use) {
  (*static_cast<const Use*>(use))();
  return nullptr;
}

// The file of the check that fails when another thread does this; empty if none does.
std::string in_another_thread(const Use& use) {
  broken.clear();
  pthread_t thread{};
  require(pthread_create(&thread, nullptr, run, const_cast<Use*>(&use)) == 0, "a thread starts");
  require(pthread_join(thread, nullptr) == 0, "a thread ends");
  return broken;
}

}  // namespace

int main() {
  session = server.open(0);  // this thread owns the server
  for (const Use& use : uses) require(in_another_thread(use) == "task_check.cpp", "the call of another task fails");
  for (const Use& use : posts) require(in_another_thread(use).empty(), "the post of another task is served");
  static_cast<void>(server.poll(0));  // the owner continues
}
