// SPDX-License-Identifier: Apache-2.0
// A board in the emulator whose clock waits for this program, so that results do not depend on the load of this
// machine.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "board.hpp"

namespace test {

/// Ticks of the board's clock, for which the emulator waits.
///
/// A tick is a frame of this program on a second cable, which ends in a hub without the board. A filter-buffer keeps
/// the frame until the next millisecond of the board. A filter-dump then writes it into a pipe, after the time. The
/// frame is larger than the pipe, so the emulator waits in this write until this program has read the frame.
class Ticks {
 public:
  /// `limit_ms` is of this machine's time, for an emulator that hangs: longest time between two ticks.
  explicit Ticks(int limit_ms) : limit_ms_(limit_ms) {
    if (pipe(pipe_) != 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, cable_) != 0) std::abort();
    for (const int file : {pipe_[0], cable_[0]}) fcntl(file, F_SETFD, FD_CLOEXEC);
    const int size = fcntl(pipe_[1], F_SETPIPE_SZ, 1);  // one page
    if (size < 1) std::abort();
    tick_.resize(2 * static_cast<std::size_t>(size));
  }
  ~Ticks() {
    for (const int file : {pipe_[0], pipe_[1], cable_[0], cable_[1]}) close(file);
  }
  Ticks(const Ticks&) = delete;
  Ticks& operator=(const Ticks&) = delete;

  /// Arguments of the emulator. It inherits the files in them.
  [[nodiscard]] std::vector<std::string> arguments() const {
    return {"-netdev", "dgram,id=ticks,local.type=fd,local.str=" + std::to_string(cable_[1]),
            "-netdev", "hubport,id=ticks_end,hubid=1,netdev=ticks",
            "-object", "filter-buffer,id=ticks_buffer,netdev=ticks,queue=tx,interval=1000",
            "-object", "filter-dump,id=ticks_dump,netdev=ticks,queue=tx,file=/dev/fd/" + std::to_string(pipe_[1])};
  }

  /// After its start: the ends of the emulator are open there only, so that reads notice its end.
  void close_ends() {
    for (int* const file : {&pipe_[1], &cable_[1]}) close(std::exchange(*file, -1));
  }
  /// The next tick comes one millisecond after the one that the emulator waits for.
  void request() const { send(cable_[0], tick_.data(), tick_.size(), MSG_DONTWAIT | MSG_NOSIGNAL); }
  /// Lets the emulator continue. False if it has ended.
  bool release() {
    while (rest_ != 0) {
      if (!read_rest(tick_.data(), std::min(rest_, tick_.size()))) return false;
    }
    return true;
  }
  /// Readable at the next tick.
  [[nodiscard]] int file() const { return pipe_[0]; }
  /// Sets `now_ms` to the board's time. The emulator waits until release(). False if it has ended.
  bool read_time(mcp::Millis& now_ms) {
    std::array<std::uint32_t, 6> first{};   // before all ticks
    std::array<std::uint32_t, 4> header{};  // seconds, microseconds, bytes that follow, bytes of the frame
    if ((!has_begun_ && !read_all(first)) || !read_all(header)) return false;
    if (!has_begun_) begin_s_ = header[0];
    has_begun_ = true;
    now_ms = (header[0] - begin_s_) * 1'000 + header[1] / 1'000;
    rest_ = header[2];
    return true;
  }

 private:
  template <std::size_t N>
  bool read_all(std::array<std::uint32_t, N>& words) {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(words.data());
    rest_ = sizeof words;
    while (rest_ != 0) {
      if (!read_rest(bytes + sizeof words - rest_, rest_)) return false;
    }
    return true;
  }
  bool read_rest(std::uint8_t* to, std::size_t size) {
    pollfd ready{pipe_[0], POLLIN, 0};
    const ssize_t got = poll(&ready, 1, limit_ms_) == 1 ? read(pipe_[0], to, size) : 0;
    if (got > 0) rest_ -= static_cast<std::size_t>(got);
    return got > 0;
  }

  int limit_ms_;
  int pipe_[2] = {-1, -1};
  int cable_[2] = {-1, -1};
  Bytes tick_;
  std::size_t rest_ = 0;  // unread bytes of the last tick
  bool has_begun_ = false;
  std::uint32_t begin_s_ = 0;  // the emulator adds the date to the seconds
};

/// A board with 62.5 million instructions per second of its own time. With sleep=off, an idle board's clock does not
/// follow the clock of this machine.
class SteppedBoard {
 public:
  explicit SteppedBoard(const std::vector<std::string>& command, int limit_ms = 60'000)
      : limit_ms_(limit_ms), ticks_(limit_ms), board_(command, arguments()) {
    ticks_.close_ends();
  }
  ~SteppedBoard() {
    if (!board_.ended) ticks_.release();  // without the next tick, so that the emulator can end
  }
  SteppedBoard(const SteppedBoard&) = delete;
  SteppedBoard& operator=(const SteppedBoard&) = delete;

  /// Milliseconds of the board.
  [[nodiscard]] mcp::Millis now() const { return now_ms_; }
  [[nodiscard]] bool has_ended() const { return board_.ended; }
  /// By its UART.
  [[nodiscard]] const std::string& said() const { return board_.said; }

  /// Runs the board until its next millisecond, and returns the frames that it has sent.
  std::vector<Bytes> step() {
    ticks_.request();
    if (!ticks_.release()) board_.ended = true;
    std::vector<Bytes> all;
    pollfd tick{ticks_.file(), POLLIN, 0};
    const mcp::Millis begin = milliseconds();
    while (!board_.ended && poll(&tick, 1, 100) != 1) {
      take_frames(all);
      if (milliseconds() - begin > static_cast<mcp::Millis>(limit_ms_)) board_.ended = true;
    }
    if (!board_.ended && !ticks_.read_time(now_ms_)) board_.ended = true;
    take_frames(all);
    return all;
  }
  void send(const Bytes& frame) { board_.send(frame); }

 private:
  void take_frames(std::vector<Bytes>& all) {
    for (Bytes& frame : board_.frames(0)) all.push_back(std::move(frame));
  }
  [[nodiscard]] std::vector<std::string> arguments() const {
    std::vector<std::string> all = ticks_.arguments();
    all.insert(all.end(), {"-icount", "shift=4,sleep=off"});
    return all;
  }

  int limit_ms_;
  Ticks ticks_;
  Board board_;
  mcp::Millis now_ms_ = 0;
};

}  // namespace test
