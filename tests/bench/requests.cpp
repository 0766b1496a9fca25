// SPDX-License-Identifier: Apache-2.0
// Has two servers answer each kind of request over each transport, for an instruction counter (tests/bench/counts).
// `small` is a server of the size that a device has (small.cpp), `everything` is everything_server.
#include "requests.hpp"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "in_process.hpp"
#include "measured.hpp"
#include "small.hpp"
#include "tests/conformance/everything.hpp"

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

template <class Way>
void measure_all(const std::string& server, Way& way, std::span<const bench::Request> requests) {
  constexpr unsigned long times = 100;
  for (const bench::Request& request : requests) {
    way.begin_session();
    const std::string text = way.complete(request.json);
    bench::expect_result(way(text));
    bench::measure(server + std::string(request.name), times, [&] { way(text); });
    bench::expect_result(way(text));
  }
}

// As a device has them, and as main_posix.cpp of everything_server.
constexpr mcp::HttpLimits small_limits{};
constexpr mcp::HttpLimits large_limits{.connections = 16, .head_size = 2048, .replay_size = 16'384};

}  // namespace

int main() {
  {
    bench::OverStdio way(small::server);
    measure_all("host, small server, stdio, ", way, bench::requests_to_small);
  }
  {
    static bench::OverHttp<small::shape, small_limits> way(small::server);
    measure_all("host, small server, http, ", way, bench::requests_to_small);
  }
  {
    bench::OverStdio way(everything::server);
    measure_all("host, everything_server, stdio, ", way, bench::requests_to_everything);
  }
  {
    static bench::OverHttp<everything::shape, large_limits> way(everything::server);
    measure_all("host, everything_server, http, ", way, bench::requests_to_everything);
  }
}
