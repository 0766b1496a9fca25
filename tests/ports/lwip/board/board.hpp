// SPDX-License-Identifier: Apache-2.0
// A board's image in the emulator, with its cable connected to this program. Uses real time, because the emulator does
// (stepped_board.hpp: the time of the board).
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "mcp/port.hpp"
#include "ports/lwip/packets.hpp"

namespace test {

inline constexpr Ip cable_address{10, 0, 0, 2};  // of this end
inline constexpr Ip board_address{10, 0, 0, 7};  // an address that the emulator's own network would not assign
inline constexpr Mac cable_mac{2, 0, 0, 0, 0, 2};

inline mcp::Millis milliseconds() {
  static const auto begin = std::chrono::steady_clock::now();
  const auto passed = std::chrono::steady_clock::now() - begin;
  return static_cast<mcp::Millis>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
}

/// The emulator, and both ends of its connection with this program.
class Board {
 public:
  /// `command` is EMULATE BOARD IMAGE, and `more` are arguments for the emulator.
  explicit Board(const std::vector<std::string>& command, const std::vector<std::string>& more = {}) {
    socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    auto* const address = reinterpret_cast<sockaddr*>(&here);
    if (bind(socket_, address, size) != 0 || getsockname(socket_, address, &size) != 0) std::abort();
    start(command, std::to_string(ntohs(here.sin_port)), more);
  }
  ~Board() {
    kill(process_, SIGTERM);
    pollfd end{static_cast<int>(syscall(SYS_pidfd_open, process_, 0)), POLLIN, 0};
    if (end.fd < 0 || poll(&end, 1, 5'000) != 1) kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    if (end.fd >= 0) close(end.fd);
    for (const int file : {socket_, input_, output_}) close(file);
  }
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  std::string said;    // by its UART
  bool ended = false;  // the emulator has: after a fault, such as a stack that is too small

  /// The frames that the board has sent. Waits for a frame, or for a word, up to a limit.
  std::vector<Bytes> frames(mcp::Millis wait_ms) {
    pollfd both[2] = {{socket_, POLLIN, 0}, {output_, POLLIN, 0}};
    std::vector<Bytes> all;
    poll(both, 2, static_cast<int>(wait_ms));
    if ((both[1].revents & POLLIN) != 0) {
      char text[512];
      const ssize_t size = read(output_, text, sizeof text);
      if (size > 0) said.append(text, static_cast<std::size_t>(size));
    } else if ((both[1].revents & POLLHUP) != 0) {
      ended = true;
    }
    for (;;) {
      Bytes frame(2'000);
      socklen_t size = sizeof peer_;
      const ssize_t got =
          recvfrom(socket_, frame.data(), frame.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&peer_), &size);
      if (got <= 0) return all;
      frame.resize(static_cast<std::size_t>(got));
      all.push_back(std::move(frame));
    }
  }

  void send(const Bytes& frame) {
    sendto(socket_, frame.data(), frame.size(), 0, reinterpret_cast<sockaddr*>(&peer_), sizeof peer_);
  }

 private:
  void start(const std::vector<std::string>& command, const std::string& port, const std::vector<std::string>& more) {
    int input[2];
    int output[2];
    if (pipe(input) != 0 || pipe(output) != 0) std::abort();
    process_ = fork();
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      dup2(input[0], 0);
      dup2(output[1], 1);
      for (const int file : {input[0], input[1], output[0], output[1]}) close(file);
      std::vector<const char*> words;
      for (const std::string& word : command) words.push_back(word.c_str());
      words.insert(words.end(), {"--frames", port.c_str()});
      if (!more.empty()) words.push_back("--");
      for (const std::string& word : more) words.push_back(word.c_str());
      words.push_back(nullptr);
      execv(words[0], const_cast<char**>(words.data()));
      _exit(127);
    }
    close(input[0]);
    close(output[1]);
    input_ = input[1];
    output_ = output[0];
  }

  int socket_ = -1;
  int input_ = -1;
  int output_ = -1;
  pid_t process_ = -1;
  sockaddr_in peer_{};
};

/// Assigns the board its address. Nothing if the frame is not a DHCP request.
inline std::optional<Bytes> lease(const Bytes& frame) {
  const auto udp = read_udp(frame, true);
  if (!udp || udp->to_port != 67 || udp->data.size() < 243) return std::nullopt;
  const unsigned kind = udp->data[242];  // the first option after the cookie
  Writer writer;
  writer.u8(2).u8(1).u8(6).u8(0);
  for (std::size_t i = 4; i < 8; ++i) writer.u8(udp->data[i]);
  writer.u32(0).u32(0).all(board_address).all(cable_address).u32(0).all(udp->from_mac);
  writer.bytes.resize(236);
  writer.u32(0x63825363).u8(53).u8(1).u8(kind == 1 ? 2 : 5).u8(54).u8(4).all(cable_address);
  writer.u8(51).u8(4).u32(86'400).u8(1).u8(4).u32(0xFFFFFF00).u8(3).u8(4).all(cable_address).u8(255);
  return udp_frame({.from_mac = cable_mac,
                    .to_mac = to_all,
                    .from = cable_address,
                    .to = {255, 255, 255, 255},
                    .from_port = 67,
                    .to_port = 68,
                    .data = writer.bytes});
}

}  // namespace test
