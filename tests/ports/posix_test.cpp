// SPDX-License-Identifier: Apache-2.0
// The POSIX port over pipes, sockets, files and terminals. Nothing here sleeps: a wait that must return has something
// to wait for, and one that must not block has a time-out of 0.
#include "mcp/assert.hpp"
#include "mcp/ports/posix.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using mcp::IoResult;
using mcp::IoStatus;
using mcp::posix::Stdio;

/// Closes the descriptors of a test.
class Descriptors : public testing::Test {
 protected:
  // A call that blocks for ever ends the test, not the whole run.
  void SetUp() override { alarm(30); }
  void TearDown() override {
    alarm(0);
    for (const int fd : open_) close(fd);
  }
  int keep(int fd) {
    EXPECT_GE(fd, 0);
    open_.push_back(fd);
    return fd;
  }
  // Where to read, where to write.
  std::array<int, 2> make_pipe() {
    int fds[2];
    EXPECT_EQ(pipe(fds), 0);
    return {keep(fds[0]), keep(fds[1])};
  }
  std::array<int, 2> make_sockets() {
    int fds[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    return {keep(fds[0]), keep(fds[1])};
  }
  void shut(int fd) {
    std::erase(open_, fd);
    close(fd);
  }

  static void put(int fd, std::string_view text) {
    ASSERT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  static std::string get(int fd) {
    char bytes[100'000];
    const ssize_t size = ::read(fd, bytes, sizeof bytes);
    return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
  }
  static std::string read_some(Stdio& stdio, IoStatus status = IoStatus::ok) {
    char bytes[16];
    const IoResult result = stdio.read(bytes);
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.size != 0, result.status == IoStatus::ok);
    return std::string(bytes, result.size);
  }
  static void expect_write(Stdio& stdio, std::string_view text, IoStatus status, std::size_t size) {
    const IoResult result = stdio.write({text.data(), text.size()});
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.size, size);
  }
  // Writes until no byte fits.
  static std::size_t fill(Stdio& stdio) {
    const std::string block(4096, 'x');
    std::size_t total = 0;
    for (IoResult result = stdio.write(block); result.status != IoStatus::would_block; result = stdio.write(block)) {
      EXPECT_EQ(result.status, IoStatus::ok);
      if (result.status != IoStatus::ok || (total += result.size) > 100'000'000) break;
    }
    return total;
  }
  static bool blocks(int fd) { return (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0; }

 private:
  std::vector<int> open_;
};

TEST_F(Descriptors, ReadsAndWritesPipes) {
  const auto [input, to_input] = make_pipe();
  const auto [from_output, output] = make_pipe();
  {
    Stdio stdio(input, output);
    EXPECT_FALSE(blocks(input));
    EXPECT_FALSE(blocks(output));
    EXPECT_EQ(read_some(stdio, IoStatus::would_block), "");
    put(to_input, "twenty bytes of text");
    EXPECT_EQ(read_some(stdio), "twenty bytes of ");
    EXPECT_EQ(read_some(stdio), "text");
    EXPECT_EQ(read_some(stdio, IoStatus::would_block), "");
    expect_write(stdio, "answer", IoStatus::ok, 6);
    EXPECT_EQ(get(from_output), "answer");
    put(to_input, "last");
    shut(to_input);
    EXPECT_EQ(read_some(stdio), "last");
    EXPECT_EQ(read_some(stdio, IoStatus::closed), "");
    EXPECT_EQ(read_some(stdio, IoStatus::closed), "");
  }
  EXPECT_TRUE(blocks(input));
  EXPECT_TRUE(blocks(output));
}

TEST_F(Descriptors, ReadsAndWritesOneSocket) {
  const auto [here, there] = make_sockets();
  {
    Stdio stdio(here, here);
    EXPECT_EQ(read_some(stdio, IoStatus::would_block), "");
    put(there, "request");
    EXPECT_EQ(read_some(stdio), "request");
    expect_write(stdio, "answer", IoStatus::ok, 6);
    EXPECT_EQ(get(there), "answer");
    shut(there);
    EXPECT_EQ(read_some(stdio, IoStatus::closed), "");
    expect_write(stdio, "x", IoStatus::closed, 0);
  }
  EXPECT_TRUE(blocks(here)) << "as it was before";
}

TEST_F(Descriptors, KeepsNonBlockingMode) {
  const auto [input, to_input] = make_pipe();
  const auto [from_output, output] = make_pipe();
  fcntl(input, F_SETFL, fcntl(input, F_GETFL) | O_NONBLOCK);
  {
    Stdio stdio(input, output);
    EXPECT_EQ(read_some(stdio, IoStatus::would_block), "");
    put(to_input, "x");
    EXPECT_EQ(read_some(stdio), "x");
  }
  EXPECT_FALSE(blocks(input));
  EXPECT_TRUE(blocks(output));
  static_cast<void>(from_output);
}

TEST_F(Descriptors, FullPipeBlocksThenContinues) {
  const auto [input, to_input] = make_pipe();
  const auto [from_output, output] = make_pipe();
  Stdio stdio(input, output);
  const std::size_t written = fill(stdio);
  EXPECT_GT(written, 0U);
  expect_write(stdio, "x", IoStatus::would_block, 0);
  std::size_t taken = 0;
  while (taken < written) taken += get(from_output).size();
  EXPECT_EQ(taken, written);
  expect_write(stdio, "x", IoStatus::ok, 1);
  static_cast<void>(to_input);
}

TEST_F(Descriptors, WriteWithoutAReaderReturnsClosed) {
  for (const bool socket : {false, true}) {
    const auto [input, to_input] = make_pipe();
    const auto [from_output, output] = socket ? make_sockets() : make_pipe();
    Stdio stdio(input, output);
    shut(from_output);
    expect_write(stdio, "x", IoStatus::closed, 0);  // and no SIGPIPE
    static_cast<void>(to_input);
  }
}

TEST_F(Descriptors, InvalidDescriptorFails) {
  const auto [input, to_input] = make_pipe();
  Stdio stdio(to_input, input);  // in reverse order, so that both fail
  EXPECT_EQ(read_some(stdio, IoStatus::failed), "");
  expect_write(stdio, "x", IoStatus::failed, 0);
}

TEST_F(Descriptors, WaitReturnsForInput) {
  const auto [input, to_input] = make_pipe();
  const auto [from_output, output] = make_pipe();
  Stdio stdio(input, output);
  stdio.wait(0);  // nothing there, and no time to wait
  put(to_input, "x");
  stdio.wait(mcp::forever);
  stdio.wait(60'000);
  EXPECT_EQ(read_some(stdio), "x");
  // A write that went through leaves nothing to wait for but input.
  expect_write(stdio, "z", IoStatus::ok, 1);
  const mcp::Millis before = mcp::posix::now();
  stdio.wait(20);
  EXPECT_GE(mcp::posix::now() - before, 19U);
  std::thread writer([fd = to_input] { put(fd, "y"); });
  stdio.wait(mcp::forever);
  EXPECT_EQ(read_some(stdio), "y");
  writer.join();
  shut(to_input);
  stdio.wait(mcp::forever);
  EXPECT_EQ(read_some(stdio, IoStatus::closed), "");
  static_cast<void>(from_output);
}

TEST_F(Descriptors, WaitReturnsForSpace) {
  const auto [input, to_input] = make_pipe();
  const auto [from_output, output] = make_pipe();
  Stdio stdio(input, output);
  const std::size_t written = fill(stdio);
  put(to_input, "x");
  // Input makes no work while the answer is stuck; were it waited for, a full pipe would be polled without pause.
  pollfd room{output, POLLOUT, 0};
  const mcp::Millis before = mcp::posix::now();
  stdio.wait(20);
  EXPECT_GE(mcp::posix::now() - before, 19U);
  EXPECT_EQ(poll(&room, 1, 0), 0);
  std::thread reader([fd = from_output, written] {
    for (std::size_t taken = 0; taken < written;) taken += get(fd).size();
  });
  stdio.wait(mcp::forever);
  EXPECT_EQ(poll(&room, 1, 0), 1);
  reader.join();
  expect_write(stdio, "y", IoStatus::ok, 1);
  stdio.wait(mcp::forever);  // for input again
  EXPECT_EQ(read_some(stdio), "x");
}

TEST_F(Descriptors, ReadsAndWritesFiles) {
  FILE* const file = tmpfile();
  ASSERT_NE(file, nullptr);
  const int fd = fileno(file);
  put(fd, "in a file");
  lseek(fd, 0, SEEK_SET);
  {
    Stdio stdio(fd, fd);
    EXPECT_TRUE(blocks(fd)) << "a file's flags are left alone";
    stdio.wait(mcp::forever);
    EXPECT_EQ(read_some(stdio), "in a file");
    EXPECT_EQ(read_some(stdio, IoStatus::closed), "");
    expect_write(stdio, "more", IoStatus::ok, 4);
  }
  lseek(fd, 0, SEEK_SET);
  EXPECT_EQ(get(fd), "in a filemore");
  static_cast<void>(std::fclose(file));
}

// All processes with a terminal share its flags. Reads and writes must not block nevertheless.
TEST_F(Descriptors, DoesNotBlockOnTerminals) {
  const int master = keep(posix_openpt(O_RDWR | O_NOCTTY));
  ASSERT_EQ(grantpt(master), 0);
  ASSERT_EQ(unlockpt(master), 0);
  const int terminal = keep(open(ptsname(master), O_RDWR | O_NOCTTY));
  termios settings{};
  ASSERT_EQ(tcgetattr(terminal, &settings), 0);
  cfmakeraw(&settings);
  ASSERT_EQ(tcsetattr(terminal, TCSANOW, &settings), 0);
  Stdio stdio(terminal, terminal);
  EXPECT_TRUE(blocks(terminal));
  EXPECT_EQ(read_some(stdio, IoStatus::would_block), "");
  put(master, "typed");
  stdio.wait(mcp::forever);
  EXPECT_EQ(read_some(stdio), "typed");
  std::string shown;
  for (std::string_view rest = "shown on the screen"; !rest.empty();) {
    const IoResult result = stdio.write(rest);
    ASSERT_EQ(result.status, IoStatus::ok);
    rest.remove_prefix(result.size);
    shown += get(master);
  }
  while (shown.size() < 19) shown += get(master);
  EXPECT_EQ(shown, "shown on the screen");
  // poll(2) promises space for only one byte of a terminal. A write of more bytes than fit would block forever.
  std::size_t written = fill(stdio);
  EXPECT_GT(written, 0U);
  std::size_t taken = 0;
  for (int i = 0; i < 20; ++i) {
    if (taken < written) taken += get(master).size();
    written += fill(stdio);
  }
  while (taken < written) taken += get(master).size();
  EXPECT_EQ(taken, written);
}

// A pipe that cannot be made non-blocking because it is already: PIPE_BUF is all that one write may take of a blocking
// one.
TEST_F(Descriptors, BlockingOutputTakesWhatFits) {
  const auto [here, there] = make_sockets();
  Stdio first(here, here);  // the second of the two descriptors is left as the first has made it
  const std::string large(1'000'000, 'x');
  const IoResult result = first.write(large);
  EXPECT_EQ(result.status, IoStatus::ok);
  EXPECT_GT(result.size, 0U);
  EXPECT_LT(result.size, large.size());
  static_cast<void>(there);
}

TEST(Posix, NowNeverGoesBack) {
  mcp::Millis last = mcp::posix::now();
  for (int i = 0; i < 100'000; ++i) {
    const mcp::Millis next = mcp::posix::now();
    ASSERT_LT(next - last, 60'000U);
    last = next;
  }
}

TEST(Posix, EntropyFillsAllOfIt) {
  mcp::posix::SystemEntropy entropy;
  std::array<std::uint8_t, 32> a{};
  std::array<std::uint8_t, 32> b{};
  EXPECT_TRUE(entropy.fill(a));
  EXPECT_TRUE(entropy.fill(b));
  EXPECT_NE(a, b);
  EXPECT_TRUE(entropy.fill({}));
  // More than one call of getentropy gives; no byte is left out in 20 fills (chance: 2^-160 each).
  std::vector<std::uint8_t> seen(1000);
  for (int i = 0; i < 20; ++i) {
    std::vector<std::uint8_t> bytes(seen.size());
    EXPECT_TRUE(entropy.fill(bytes));
    for (std::size_t k = 0; k < seen.size(); ++k) seen[k] = static_cast<std::uint8_t>(seen[k] | bytes[k]);
  }
  for (const std::uint8_t byte : seen) EXPECT_NE(byte, 0);
}

TEST(Posix, EntropyThatCannotBeStoredFails) {
  constexpr std::size_t size = 4096;
  void* const forbidden = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(forbidden, MAP_FAILED);
  mcp::posix::SystemEntropy entropy;
  EXPECT_FALSE(entropy.fill({static_cast<std::uint8_t*>(forbidden), size}));
  EXPECT_EQ(munmap(forbidden, size), 0);
}

TEST(Posix, WallClockReturnsTheTimeOfDay) {
  mcp::posix::SystemWallClock clock;
  const auto before = static_cast<std::uint64_t>(time(nullptr)) * 1000;
  const std::uint64_t utc_ms = clock.utc_ms();
  EXPECT_GE(utc_ms + 1000, before);  // time() may be late by a tick
  EXPECT_LT(utc_ms, before + 60'000);
}

// A failed assertion names the file, the line and the condition; a port that has no condition, the first two.
TEST(AssertionDeathTest, PrintsTheConditionOfABrokenContract) {
  const volatile int size = 4;
  EXPECT_DEATH(MCP_ASSERT(size < 3), "posix_test\\.cpp:[0-9]+: a contract of the API was broken \\(size < 3\\)");
  EXPECT_DEATH(mcp_assert_failed("receive_size", 12), "receive_size:12: a contract of the API was broken\n");
}

}  // namespace
