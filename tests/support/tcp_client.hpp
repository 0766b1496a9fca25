// SPDX-License-Identifier: Apache-2.0
// A client over a socket of the kernel, which can do what real ones do to a server: stop in the middle, end one
// direction, reset the connection, not read. Never blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace test {

class TcpClient {
 public:
  /// Connects to a port of this machine. `receive_buffer`: size of the kernel's buffer in bytes, 0 for the default.
  /// `from`: the IPv4 address of this end; nullptr lets the kernel choose.
  explicit TcpClient(std::uint16_t port, int receive_buffer = 0, const char* address = "127.0.0.1",
                     const char* from = nullptr);
  ~TcpClient() { leave(); }
  TcpClient(TcpClient&& other) noexcept;
  TcpClient& operator=(TcpClient&& other) noexcept;

  /// Sends as many bytes as fit, and returns their number. Returns 0 if the connection is broken, too.
  std::size_t send_some(std::string_view bytes);
  /// Sends all bytes. They must fit.
  void send(std::string_view bytes);
  /// All that was received since the last take_answer(), with what has come by now.
  const std::string& received();
  /// The server has ended its direction, in an orderly way.
  bool ended() { return received(), ended_; }
  /// The connection was reset.
  bool broken() { return received(), broken_; }

  /// Sends nothing more, and still reads.
  void finish();
  /// Closes the connection like a process that ends.
  void leave();
  /// Resets the connection.
  void break_off();

  struct Answer {
    int status = 0;  // 0: none that is complete
    std::string head;
    std::string body;

    /// The value of a header, written as it comes; "" when it is not there.
    [[nodiscard]] std::string header(std::string_view name) const;
  };
  /// Removes and returns the next response from the received bytes once it is complete: a body with a length, or the
  /// head of a stream.
  Answer take_answer();

 private:
  int fd_ = -1;
  std::string received_;
  bool ended_ = false;
  bool broken_ = false;
};

/// File descriptors that this process has open.
std::size_t open_descriptors();

/// Sets the smallest send buffer for later accepted connections. `port`: the port of a listening socket of this
/// process.
void limit_send_buffers(std::uint16_t port);

}  // namespace test
