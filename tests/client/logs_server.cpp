// SPDX-License-Identifier: Apache-2.0
// A device whose tools log three messages each: a plain handler, a job that ends after several steps, and a job that
// exceeds its time limit. It serves stdio, HTTP or a broker.
//
// usage: logs_server [http | mqtt PORT]
#include <mcp/http_transport.hpp>
#include <mcp/mqtt_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_dialer.hpp>
#include <mcp/ports/posix_tcp.hpp>
#include <mcp/stdio_transport.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

void log_step(int step);

mcp::Errc log_plainly(mcp::Call& call) {
  for (int step = 0; step < 3; ++step) log_step(step);
  return call.result().text("done");
}

/// Logs one message in each step. The last step writes the result.
struct Steps {
  int done;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    log_step(done++);
    return done == 3 ? context.done(context.result().text("done")) : context.sleep(1);
  }
};

/// Logs two messages at once, and the last one when its time limit ends: on a loaded machine, this may be before another
/// step.
struct Late {
  mcp::Step step(mcp::JobContext& context) {
    if (!context.stop_requested()) {
      log_step(0);
      log_step(1);
      return context.sleep(60'000);
    }
    log_step(2);
    return context.done();
  }
};

constexpr mcp::Tool tools[] = {mcp::tool<log_plainly>({.name = "plain"}), mcp::job<Steps>({.name = "steps"}),
                               mcp::job<Late, 50>({.name = "late"})};
constexpr mcp::Definition definition{.name = "logs", .version = "1.0.0", .tools = tools, .logging = true};
constexpr mcp::Limits limits{.sessions = 4, .jobs = 4, .log_size = 1024};
constexpr mcp::HttpLimits http_limits{.connections = 8};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::HttpStorage<storage, http_limits> http_storage;
constinit mcp::MqttStorage<storage> mqtt_storage;
constinit const mcp::Server server{storage};

void log_step(int step) {
  using enum mcp::LogLevel;
  constexpr struct {
    mcp::LogLevel level;
    std::string_view text;
  } messages[] = {{info, "the first"}, {notice, "the \"second\"\n"}, {warning, "the third"}};
  if (step < 3) server.log(messages[step].level, "steps", messages[step].text);
}

int serve_http() {
  static mcp::posix::TcpConnection connections[http_limits.connections];
  mcp::posix::TcpListener listener(connections, "127.0.0.1", 0);
  if (!listener.ok()) return 1;
  mcp::posix::SystemEntropy entropy;
  const mcp::HttpOptions options{};
  mcp::HttpTransport transport{server, listener, entropy, http_storage, options};
  static_cast<void>(std::fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", listener.port()));
  for (;;) listener.wait(transport.poll(mcp::posix::now()));
}

int serve_mqtt(const char* port) {
  static mcp::posix::DialedConnection connections[1];
  mcp::posix::TcpDialer dialer(connections);
  mcp::posix::SystemEntropy entropy;
  const mcp::MqttBroker brokers[] = {
      {.host = "127.0.0.1", .port = static_cast<std::uint16_t>(std::strtoul(port, nullptr, 10))}};
  const mcp::MqttOptions options{.brokers = brokers, .server_id = "logs-1", .server_name = "logs"};
  mcp::MqttTransport transport{server, dialer, entropy, mqtt_storage, options};
  bool is_online = false;
  for (;;) {
    const mcp::Millis due = transport.poll(mcp::posix::now());
    if (!is_online && transport.state() == mcp::MqttTransport::State::online) {
      is_online = true;
      static_cast<void>(std::fprintf(stderr, "logs-1: online\n"));
    }
    dialer.wait(due);
  }
}

int serve_stdio() {
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{server, stdio};
  while (!transport.closed()) stdio.wait(transport.poll(mcp::posix::now()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view way = argc > 1 ? argv[1] : "";
  if (way == "http" && argc == 2) return serve_http();
  if (way == "mqtt" && argc == 3) return serve_mqtt(argv[2]);
  if (argc == 1) return serve_stdio();
  static_cast<void>(std::fprintf(stderr, "usage: %s [http | mqtt PORT]\n", argv[0]));
  return 2;
}
