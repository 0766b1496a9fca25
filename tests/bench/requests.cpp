// Lets a server answer COUNT requests of one kind over one transport, all in this process and without a system call, so
// that an instruction counter sees the transport and the server alone. Prints the last answer. With a COUNT of 0, and
// any NAME, only the session is begun.
//
// usage: bench_requests small|everything stdio|http NAME COUNT
#include "requests.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "small.hpp"
#include "tests/conformance/everything.hpp"
#include "transports/http/transport.hpp"
#include "transports/stdio/transport.hpp"

extern "C" void mcp_assert_failed(const char* file, int line) {
  static_cast<void>(std::fprintf(stderr, "%s:%d: a contract of the API was broken\n", file, line));
  std::abort();
}

namespace everything {

bool Entropy::do_fill(std::span<std::uint8_t> into) {
  static std::uint8_t next = 0;
  for (std::uint8_t& byte : into) byte = next++;
  return true;
}

std::uint64_t WallClock::do_utc_ms() { return 0; }

}  // namespace everything

namespace {

// The client's end of a wire: a request comes in one piece, as it does from a network, and an answer is kept.
struct Wire {
  std::string_view request;
  char answer[4096];
  std::size_t size = 0;

  mcp::IoResult read(std::span<char> into) {
    if (request.empty()) return {mcp::IoStatus::would_block, 0};
    const std::size_t bytes = std::min(into.size(), request.size());
    std::memcpy(into.data(), request.data(), bytes);
    request.remove_prefix(bytes);
    return {mcp::IoStatus::ok, bytes};
  }
  mcp::IoResult write(std::span<const char> from) {
    const std::size_t bytes = std::min(from.size(), sizeof answer - size);
    std::memcpy(answer + size, from.data(), bytes);
    size += bytes;
    return {mcp::IoStatus::ok, from.size()};
  }
};

class Stream final : public mcp::ByteStream {
 public:
  Wire wire;

 private:
  mcp::IoResult do_read(std::span<char> into) override { return wire.read(into); }
  mcp::IoResult do_write(std::span<const char> from) override { return wire.write(from); }
};

class Connection final : public mcp::Connection {
 public:
  Wire wire;

 private:
  mcp::IoResult do_read(std::span<char> into) override { return wire.read(into); }
  mcp::IoResult do_write(std::span<const char> from) override { return wire.write(from); }
  void do_finish() override {}
  void do_close() override {}
};

class Listener final : public mcp::Listener {
 public:
  explicit Listener(mcp::Connection& client) : client_(&client) {}

 private:
  mcp::Connection* do_accept() override { return std::exchange(client_, nullptr); }
  bool do_has_waiting() override { return client_ != nullptr; }
  mcp::Connection* client_;
};

// As a main loop does: the transport is polled until there is nothing left to do.
template <class Transport>
std::string_view ask(Transport& transport, Wire& wire, std::string_view request) {
  wire.request = request;
  wire.size = 0;
  while (transport.poll(0) == 0) continue;
  return {wire.answer, wire.size};
}

std::string http_request(std::string_view json, const std::string& session) {
  std::string text(bench::request_lines);
  if (!session.empty()) text.append(bench::version_line).append(bench::session_line).append(session).append("\r\n");
  return text.append(bench::length_line).append(std::to_string(json.size())).append("\r\n\r\n").append(json);
}

std::string_view serve_stdio(mcp::Server& server, std::string_view measured, unsigned long count) {
  static Stream stream;
  mcp::StdioTransport transport{server, stream};
  ask(transport, stream.wire, std::string(bench::initialize) + '\n');
  ask(transport, stream.wire, std::string(bench::initialized) + '\n');
  const std::string line = std::string(measured) + '\n';
  std::string_view answer;
  for (; count != 0; --count) answer = ask(transport, stream.wire, line);
  return answer;
}

template <mcp::HttpLimits limits, std::size_t window_size>
std::string_view serve_http(mcp::Server& server, std::string_view measured, unsigned long count) {
  static constinit mcp::HttpStorage<limits, window_size> storage;
  static Connection connection;
  static everything::Entropy entropy;
  static constexpr mcp::HttpOptions options{};
  Listener listener(connection);
  mcp::HttpTransport transport{server, listener, entropy, storage, options};
  const std::string_view head = ask(transport, connection.wire, http_request(bench::initialize, {}));
  const std::size_t at = head.find(bench::session_header) + bench::session_header.size();
  const std::string session(head.substr(at, head.find('\r', at) - at));
  ask(transport, connection.wire, http_request(bench::initialized, session));
  const bool begins = measured == bench::initialize;
  const std::string request = http_request(measured, begins ? std::string() : session);
  std::string_view answer;
  for (; count != 0; --count) answer = ask(transport, connection.wire, request);
  return answer;
}

// As a device has them, and as main_posix.cpp of everything_server.
constexpr mcp::HttpLimits small_limits{.sessions = small::sessions};
constexpr mcp::HttpLimits large_limits{
    .connections = 16, .head_size = 2048, .sessions = everything::sessions, .replay_size = 16'384};

int run(bool is_small, bool http, std::string_view name, unsigned long count) {
  const std::span<const bench::Request> requests =
      is_small ? std::span<const bench::Request>(bench::requests_to_small) : std::span(bench::requests_to_everything);
  const auto measured = std::find_if(requests.begin(), requests.end(),
                                     [&](const bench::Request& request) { return request.name == name; });
  if (measured == requests.end() && count != 0) return 2;
  const std::string_view json = measured != requests.end() ? measured->json : std::string_view();
  mcp::Server& server = is_small ? small::server : everything::server;
  std::string_view answer;
  if (!http) {
    answer = serve_stdio(server, json, count);
  } else if (is_small) {
    answer = serve_http<small_limits, small::window_size>(server, json, count);
  } else {
    answer = serve_http<large_limits, everything::window_size>(server, json, count);
  }
  static_cast<void>(std::printf("%.*s\n", static_cast<int>(answer.size()), answer.data()));
  return count == 0 || answer.find("\"result\"") != std::string_view::npos ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view server = argc == 5 ? argv[1] : "";
  const std::string_view transport = argc == 5 ? argv[2] : "";
  const bool known = (server == "small" || server == "everything") && (transport == "stdio" || transport == "http");
  const int status =
      known ? run(server == "small", transport == "http", argv[3], std::strtoul(argv[4], nullptr, 10)) : 2;
  if (status == 2)
    static_cast<void>(std::fprintf(stderr, "usage: %s small|everything stdio|http NAME COUNT\n", argv[0]));
  return status;
}
