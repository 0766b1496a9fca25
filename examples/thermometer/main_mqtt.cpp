// SPDX-License-Identifier: Apache-2.0
// The thermometer on a PC, for clients of an MQTT broker.
#include <mcp/mqtt_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_dialer.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "device_posix.hpp"
#include "thermometer.hpp"

namespace {

constexpr std::size_t most_brokers = 4;
constexpr std::uint16_t usual_port = 1883;

struct Arguments {
  mcp::MqttBroker brokers[most_brokers] = {{.host = "127.0.0.1"}};
  std::size_t broker_count = 0;  // 0: the default
  const char* id = nullptr;
  const char* name = "thermometer";
  const char* user = "";
  const char* plaintext = "no";
  const char* sensor = "/sys/class/thermal/thermal_zone0/temp";
};

// Prints the error and the usage. Returns false.
bool reject(const char* program, const char* what, const char* value) {
  static_cast<void>(std::fprintf(
      stderr,
      "%s %s\n"
      "usage: %s [--broker HOST[:PORT]]... [--id ID] [--name NAME] [--user NAME] [--plaintext yes] [--sensor FILE]\n"
      "  --broker HOST[:PORT]  127.0.0.1:1883 if not given; %zu at most, tried in turn\n"
      "  --id ID               the MQTT client id of this device; if not given, a random one\n"
      "  --name NAME           the name of the service, such as house/roof; thermometer if not given\n"
      "  --user NAME           for the broker; the password is in the environment variable MQTT_PASSWORD\n"
      "  --plaintext yes       sends both without TLS\n"
      "  --sensor FILE         the temperature in thousandths of a degree Celsius; if not given, the sensor of the "
      "processor\n",
      what, value, program, most_brokers));
  return false;
}

// HOST, HOST:PORT, [IPv6]:PORT or IPv6.
bool read_broker(const char* text, mcp::MqttBroker& broker) {
  broker = {.host = text, .port = usual_port};
  const std::size_t bracket = text[0] == '[' ? broker.host.find("]:") : std::string_view::npos;
  const bool is_bracketed = bracket != std::string_view::npos;
  const std::size_t colon = is_bracketed ? bracket + 1 : broker.host.find(':');
  const bool has_port = is_bracketed || colon == broker.host.rfind(':');
  if (colon == std::string_view::npos || !has_port) return true;
  char* end = nullptr;
  const long port = std::strtol(text + colon + 1, &end, 10);
  if (text[colon + 1] < '0' || text[colon + 1] > '9' || *end != '\0' || port < 1 || port > 0xFFFF) return false;
  const std::size_t first = is_bracketed ? 1 : 0;
  broker = {.host = broker.host.substr(first, (is_bracketed ? bracket : colon) - first),
            .port = static_cast<std::uint16_t>(port)};
  return true;
}

bool read_arguments(int argc, char** argv, Arguments& arguments) {
  const struct {
    std::string_view option;
    const char** value;
  } options[] = {{"--id", &arguments.id},
                 {"--name", &arguments.name},
                 {"--user", &arguments.user},
                 {"--plaintext", &arguments.plaintext},
                 {"--sensor", &arguments.sensor}};
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const auto* const found = std::ranges::find(options, option, [](const auto& entry) { return entry.option; });
    if (found == std::end(options) && option != "--broker") return reject(argv[0], "there is no option", argv[i]);
    if (i + 1 == argc) return reject(argv[0], "a value is missing after", argv[i]);
    if (found != std::end(options)) {
      *found->value = argv[i + 1];
    } else if (arguments.broker_count == most_brokers) {
      return reject(argv[0], "too many brokers:", argv[i + 1]);
    } else if (!read_broker(argv[i + 1], arguments.brokers[arguments.broker_count++])) {
      return reject(argv[0], "invalid broker (the port is 1 to 65535):", argv[i + 1]);
    }
  }
  return true;
}

constinit mcp::MqttStorage<thermometer::shape> mqtt_storage;

volatile std::sig_atomic_t ended = 0;
void end(int) { ended = 1; }

// A signal that comes just before the wait is noticed after it.
constexpr mcp::Millis longest_wait_ms = 500;

const char* name_of(mcp::MqttTransport::State state) {
  using State = mcp::MqttTransport::State;
  switch (state) {
    case State::connecting: return "connecting";
    case State::online: return "online";
    case State::leaving: return "leaving";
    case State::stopped: return "stopped";
    case State::waiting: break;
  }
  return "waiting";
}

void say(const mcp::MqttTransport& transport, const mcp::MqttOptions& options) {
  const bool waits = transport.state() == mcp::MqttTransport::State::waiting;
  static_cast<void>(std::fprintf(stderr, "%.*s: %s%s%s\n", static_cast<int>(options.server_id.size()),
                                 options.server_id.data(), name_of(transport.state()), waits ? ", because " : "",
                                 waits ? transport.problem() : ""));
}

void serve(const mcp::MqttOptions& options, mcp::Entropy& entropy) {
  mcp::posix::DialedConnection connections[1];
  mcp::posix::TcpDialer dialer(connections);
  mcp::MqttTransport transport{thermometer::server, dialer, entropy, mqtt_storage, options};
  auto state = mcp::MqttTransport::State::stopped;
  while (transport.state() != mcp::MqttTransport::State::stopped) {
    if (ended != 0) transport.stop();
    const mcp::Millis sample_ms = thermometer::sample(mcp::posix::now());
    const mcp::Millis work_ms = transport.poll(mcp::posix::now());
    if (transport.state() != state) {
      state = transport.state();
      say(transport, options);
    }
    dialer.wait(std::min({sample_ms, work_ms, longest_wait_ms}));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!read_arguments(argc, argv, arguments)) return 2;
  device::use_sensor(arguments.sensor);
  mcp::posix::SystemEntropy entropy;
  char random_id[] = "thermometer-00000000";
  std::uint8_t bytes[4] = {};
  if (!entropy.fill(bytes)) return 1;
  for (unsigned i = 0; i < 8; ++i) random_id[12 + i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 * 4) & 15];
  const char* const password = std::getenv("MQTT_PASSWORD");
  const mcp::MqttOptions options{
      .brokers = std::span(arguments.brokers).first(std::max<std::size_t>(arguments.broker_count, 1)),
      .server_id = arguments.id != nullptr ? arguments.id : random_id,
      .server_name = arguments.name,
      .description = "Measures the temperature of this machine.",
      .user_name = arguments.user,
      .password = password != nullptr ? password : "",
      .plaintext_credentials = std::strcmp(arguments.plaintext, "yes") == 0};
  if (!mcp::is_valid(options)) {
    reject(argv[0], "the id or the name is invalid:", options.server_id.data());
    return 2;
  }
  const bool has_secret = !options.user_name.empty() || !options.password.empty();
  if (has_secret && !options.plaintext_credentials) {
    reject(argv[0], "this program has no TLS, so --user and MQTT_PASSWORD need", "--plaintext yes");
    return 2;
  }
  static_cast<void>(std::signal(SIGINT, end));
  static_cast<void>(std::signal(SIGTERM, end));
  serve(options, entropy);
  return 0;
}
