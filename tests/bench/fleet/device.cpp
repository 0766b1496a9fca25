// SPDX-License-Identifier: Apache-2.0
// A device of the fleet bench: a tool that ends at once, and one that takes a moment. With a LOG, each execution appends
// a line with the id of the device and the token of the call. --sizes prints the bytes of the memory that mote uses.
//
// usage: bench_fleet_device PORT ID [LOG]
//        bench_fleet_device --sizes
#include <fcntl.h>
#include <mcp/mqtt_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_dialer.hpp>
#include <mcp/server.hpp>
#include <unistd.h>

#include <cinttypes>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace {

const char* id = "";
int log_file = -1;

// One write with O_APPEND is one line, also when all devices share the file.
void log_execution(std::uint32_t token) {
  if (log_file < 0) return;
  char line[128];
  const int size = std::snprintf(line, sizeof line, "%s %" PRIu32 "\n", id, token);
  if (write(log_file, line, static_cast<std::size_t>(size)) != size) std::abort();
}

struct Count {
  std::uint32_t token;
};

mcp::Errc count(const Count& arguments, mcp::Call& call) {
  log_execution(arguments.token);
  return call.result().text(arguments.token);
}

struct Settle {
  std::uint32_t token;
  std::uint32_t milliseconds;
};

struct SettleJob {
  Settle arguments;
  bool has_begun;

  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    if (has_begun) return context.done(context.result().text(arguments.token));
    has_begun = true;
    log_execution(arguments.token);
    return context.sleep(arguments.milliseconds);
  }
};

constexpr auto count_params = mcp::params(mcp::param<&Count::token>("token", {.description = "Returned"}));
constexpr auto settle_params =
    mcp::params(mcp::param<&Settle::token>("token", {.description = "Returned"}),
                mcp::param<&Settle::milliseconds>("milliseconds", {.description = "Time it takes", .maximum = 10'000}));

constexpr mcp::Tool tools[] = {
    mcp::tool<count>({.name = "count", .description = "Count one execution."}, count_params),
    mcp::job<SettleJob>({.name = "settle", .description = "Count one execution that takes a moment."}, settle_params),
};

constexpr mcp::Definition definition{.name = "fleet", .version = "1.0.0", .tools = tools};
// Enough jobs and calls for requests that are sent again in addition to new ones.
constexpr mcp::Limits limits{.sessions = 3, .jobs = 4};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

// The default times, but for the longest wait: a run of the bench reaches it.
constexpr mcp::MqttLimits mqtt_limits{.calls = 5, .max_retry_ms = 4'000};
constinit mcp::MqttStorage<storage, mqtt_limits> mqtt_storage;

void print_sizes() {
  static_cast<void>(std::printf("storage %zu\nmqtt_storage %zu\ntransport %zu\nmax_retry_ms %u\n",
                                sizeof storage, sizeof mqtt_storage, sizeof(mcp::MqttTransport),
                                mqtt_limits.max_retry_ms));
}

void serve(std::uint16_t port) {
  const mcp::MqttBroker brokers[] = {{.host = "127.0.0.1", .port = port}};
  const mcp::MqttOptions options{.brokers = brokers, .server_id = id, .server_name = "fleet/bench"};
  mcp::posix::SystemEntropy entropy;
  mcp::posix::DialedConnection connections[1];
  mcp::posix::TcpDialer dialer(connections);
  mcp::MqttTransport transport{server, dialer, entropy, mqtt_storage, options};
  for (;;) dialer.wait(transport.poll(mcp::posix::now()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--sizes") {
    print_sizes();
    return 0;
  }
  if (argc != 3 && argc != 4) return 2;
#if defined(__linux__)
  // A bench that is killed leaves no device.
  static_cast<void>(prctl(PR_SET_PDEATHSIG, SIGKILL));
#endif
  id = argv[2];
  if (argc == 4 && (log_file = open(argv[3], O_WRONLY | O_APPEND | O_CLOEXEC)) < 0) return 1;
  serve(static_cast<std::uint16_t>(std::strtoul(argv[1], nullptr, 10)));
  return 0;
}
