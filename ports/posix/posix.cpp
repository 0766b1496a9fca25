// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/posix.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<sys/random.h>)
#include <sys/random.h>  // has getentropy() on macOS
#endif

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mcp/assert.hpp"
#include "ports/sockets/sockets_io_result.hpp"

// `file` may have the condition in parentheses after the name (mcp/detail/contract.hpp).
extern "C" void mcp_assert_failed(const char* file, int line) {
  const char* condition = std::strstr(file, " (");
  if (condition == nullptr) condition = file + std::strlen(file);
  static_cast<void>(std::fprintf(stderr, "%.*s:%d: a contract of the API was broken%s\n",
                                 static_cast<int>(condition - file), file, line, condition));
  std::abort();
}

namespace mcp::posix {
namespace {

// Does not change a terminal, whose flags the shell shares, or a file, which never blocks.
int make_nonblocking(int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || (!S_ISFIFO(info.st_mode) && !S_ISSOCK(info.st_mode))) return -1;
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) != 0) return -1;
  return fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 ? flags : -1;
}

bool is_ready(int fd, short event) {
  pollfd ready{fd, event, 0};
  return poll(&ready, 1, 0) == 1;
}

std::uint64_t milliseconds_of(clockid_t clock) {
  timespec time{};
  static_cast<void>(clock_gettime(clock, &time));
  return static_cast<std::uint64_t>(time.tv_sec) * 1000 + static_cast<std::uint64_t>(time.tv_nsec) / 1'000'000;
}

}  // namespace

Stdio::Stdio(int input, int output)
    : input_(input), output_(output), input_flags_(make_nonblocking(input)), output_flags_(make_nonblocking(output)) {
  // The bytes that POLLOUT promises to take without blocking: one for a terminal, else PIPE_BUF.
  if (output_flags_ < 0) most_ = isatty(output) != 0 ? 1 : PIPE_BUF;
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
}

Stdio::~Stdio() {
  if (input_flags_ >= 0) static_cast<void>(fcntl(input_, F_SETFL, input_flags_));
  if (output_flags_ >= 0) static_cast<void>(fcntl(output_, F_SETFL, output_flags_));
}

IoResult Stdio::do_read(std::span<char> into) {
  if (input_flags_ < 0 && !is_ready(input_, POLLIN)) return {IoStatus::would_block, 0};
  return sockets::result_of(::read(input_, into.data(), into.size()));
}

IoResult Stdio::do_write(std::span<const char> from) {
  write_blocked_ = true;
  if (output_flags_ < 0 && !is_ready(output_, POLLOUT)) return {IoStatus::would_block, 0};
  const IoResult result = sockets::result_of(::write(output_, from.data(), from.size() < most_ ? from.size() : most_));
  write_blocked_ = result.status == IoStatus::would_block;
  return result;
}

void Stdio::wait(Millis timeout_ms) {
  pollfd ready[] = {{input_, POLLIN, 0}, {output_, POLLOUT, 0}};
  const int timeout = timeout_ms == forever ? -1 : static_cast<int>(std::min(timeout_ms, Millis{INT_MAX}));
  // While a client does not read its responses, its input is not read either. Only space to write causes work then.
  static_cast<void>(write_blocked_ ? poll(&ready[1], 1, timeout) : poll(&ready[0], 1, timeout));
}

Millis now() { return static_cast<Millis>(milliseconds_of(CLOCK_MONOTONIC)); }

std::uint64_t SystemWallClock::do_utc_ms() { return milliseconds_of(CLOCK_REALTIME); }

bool SystemEntropy::do_fill(std::span<std::uint8_t> into) {
  constexpr std::size_t most = 256;  // bytes of one call
  while (!into.empty()) {
    const std::size_t size = std::min(into.size(), most);
    if (getentropy(into.data(), size) != 0) return false;
    into = into.subspan(size);
  }
  return true;
}

}  // namespace mcp::posix
