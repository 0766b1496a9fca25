// The port for a PC: stdin and stdout, the monotonic clock, the time of day, the kernel's random numbers. Knows no
// protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::posix {

/// Two file descriptors as a ByteStream; by default stdin and stdout. They stay the caller's. While it lives, pipes and
/// sockets among them are non-blocking. From when it is made on, writing to a pipe that nobody reads is an error in
/// this process instead of a signal (SIGPIPE is ignored).
class Stdio final : public ByteStream {
 public:
  explicit Stdio(int input = 0, int output = 1);
  ~Stdio();
  Stdio(const Stdio&) = delete;
  Stdio& operator=(const Stdio&) = delete;

  /// Sleeps until there is something to read, or room to write if the last write found none, or `timeout_ms` have
  /// passed (`forever`: no limit), or a signal came.
  void wait(Millis timeout_ms);

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;

  int input_;
  int output_;
  int input_flags_;  // as they were before, or -1 when nothing was changed
  int output_flags_;
  std::size_t most_ = static_cast<std::size_t>(-1);  // bytes that one write may be given
  bool write_blocked_ = false;
};

/// Milliseconds of CLOCK_MONOTONIC, which wrap at 2^32. Any context; never blocks.
[[nodiscard]] Millis now();

/// getrandom(2). Blocks only before the kernel has gathered its first entropy after boot.
class SystemEntropy final : public Entropy {
 private:
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// CLOCK_REALTIME.
class SystemWallClock final : public WallClock {
 private:
  std::uint64_t do_utc_ms() override;
};

}  // namespace mcp::posix
