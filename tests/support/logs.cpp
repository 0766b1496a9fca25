// SPDX-License-Identifier: Apache-2.0
// A device whose handlers write to the log of the server that the test names.
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

mcp::Server* logger = nullptr;

void log_twice(std::string_view name, std::string_view text) {
  if (logger == nullptr) return;
  logger->log(mcp::LogLevel::debug, name, text);
  logger->log(mcp::LogLevel::warning, name, text);
}

mcp::Errc tell(mcp::Call& call) {
  log_twice("tell", "called");
  return call.result().text("told");
}

/// Logs its actions under its name: starts, works every 100 ms, ends.
struct Work {
  struct Arguments {
    mcp::FixedString<8> name;
    int times;
  };
  Arguments arguments;
  int worked;
  mcp::Step step(mcp::JobContext& context) {
    const std::string_view name = arguments.name.view();
    if (context.stop_requested()) {
      log_twice(name, "ends");
      return context.done();
    }
    log_twice(name, worked == 0 ? "begins" : "works");
    if (worked++ == arguments.times) return context.done(context.result().text(name));
    return context.sleep(100);
  }
};
constexpr auto work_params = mcp::params(mcp::param<&Work::Arguments::name>("name"),
                                         mcp::param<&Work::Arguments::times>("times", {.default_value = 1}));

/// Exceeds its time limit, and logs in its last step.
struct Late {
  mcp::Step step(mcp::JobContext& context) {
    if (!context.stop_requested()) return context.sleep(1000);
    log_twice("late", "ends");
    return context.done();
  }
};

constexpr mcp::Tool tools[] = {
    mcp::tool<tell>({.name = "tell"}),
    mcp::job<Work>({.name = "work", .task_support = mcp::TaskSupport::optional}, work_params),
    mcp::job<Late, 100>({.name = "late"})};

void audit(const mcp::AuditRecord& record) {
  if (record.method == "ping") log_twice("audit", record.method);
}

}  // namespace

constexpr mcp::Definition logs{.name = "logs", .version = "0", .tools = tools, .logging = true, .audit = audit};

bool act_on_logs(mcp::Server& server, std::string_view action) {
  if (action != "take the log") return false;
  logger = &server;
  return true;
}

void forget_logger() { logger = nullptr; }

}  // namespace test
