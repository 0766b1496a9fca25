// SPDX-License-Identifier: Apache-2.0
/// @file
/// The port for a PC: stdin and stdout, the monotonic clock, the time of day, and random bytes of the kernel.
/// @code
/// void run(const mcp::Server& server) {
///   mcp::posix::Stdio stream;
///   mcp::StdioTransport transport{server, stream};
///   while (!transport.closed()) stream.wait(transport.poll(mcp::posix::now()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::posix {

/// Two file descriptors as a ByteStream, by default stdin and stdout. While the object exists, pipes and sockets among
/// them are non-blocking. The constructor makes the process ignore SIGPIPE, so that a write to a closed pipe is an
/// error.
/// Ownership: the caller owns the file descriptors. Context: main loop.
class Stdio final : public ByteStream {
 public:
  /// `input` and `output` are open file descriptors, and may be one descriptor.
  explicit Stdio(int input = 0, int output = 1);
  ~Stdio();
  Stdio(const Stdio&) = delete;
  Stdio& operator=(const Stdio&) = delete;

  /// Blocks until bytes can be read, until bytes can be written if the last write found no space, or until a signal
  /// arrives. It blocks for at most `timeout_ms` milliseconds (`forever`: no limit).
  void wait(Millis timeout_ms);

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;

  int input_;
  int output_;
  int input_flags_;  // the earlier flags, or -1 if they were not changed
  int output_flags_;
  std::size_t most_ = static_cast<std::size_t>(-1);  // most bytes for one write
  bool write_blocked_ = false;
};

/// Returns the milliseconds of CLOCK_MONOTONIC, which wrap at 2^32. Context: any; never blocks.
[[nodiscard]] Millis now();

/// Random bytes of getentropy(). It blocks only until the system has its first entropy after boot.
class SystemEntropy final : public Entropy {
 private:
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// The time of day of CLOCK_REALTIME.
class SystemWallClock final : public WallClock {
 private:
  std::uint64_t do_utc_ms() override;
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
