// SPDX-License-Identifier: Apache-2.0
/// @file
/// MCP over a UART, or over stdin and stdout, with one message per line.
/// @code
/// [[noreturn]] void run(const mcp::Server& server, mcp::ByteStream& uart) {
///   mcp::StdioTransport transport{server, uart};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/transport.hpp"

namespace mcp {

/// Serves one client on one ByteStream, with one message per line. It uses the buffers of the server.
/// Limits: one transport per server. Source: basic/transports#stdio, 2025-11-25.
///
/// Details that the specification leaves open:
/// - A line may end with CR LF. Empty lines are ignored. Bytes before the end of the stream are a message, too.
/// - Bytes 00 and FF before the first byte of a line are ignored. A break, or noise on an idle UART, arrives as these
///   bytes. A UTF-8 byte order mark (EF BB BF) is also ignored.
/// - The transport discards a line longer than Limits::receive_size, except for its id. The server sends an error with
///   this id. If the line is a response, its input request ends with Outcome::too_large instead.
/// - The server reads the next message after the last response has left the transmit buffer. So a client that reads
///   slowly gets slow responses.
/// - If the server cannot finish a message, it ends the line early. The line is then not valid JSON, and the error
///   follows.
/// - A line of the server that begins with `{` or `[` is a message. Any other line is text for people. A client ignores
///   it. If the server has a boot id (Services::boot_id), the transport first sends an empty line, which ends a line
///   that a reset has cut. Then it sends the line `# mote boot 0123cdef` with the 8 hexadecimal digits of the id.
class StdioTransport {
 public:
  /// Lines of print() go to `text`, or between the messages if `text` is nullptr. A PC needs a `text`, such as stderr,
  /// because stdout is only for messages.
  /// Lifetime: `server` and the streams must outlive the transport. The transport may be constinit.
  constexpr StdioTransport(const Server& server, ByteStream& stream, ByteStream* text = nullptr)
      : server_(&server), stream_(&stream), text_(text) {}

  /// Reads messages, at most `turns`, and writes their responses. `now` is the time in milliseconds. Returns the time
  /// in milliseconds until the next call: 0 if there is more work, `forever` if there is none until bytes arrive or a
  /// resource changes.
  /// Context: main loop; never blocks.
  [[nodiscard]] Millis poll(Millis now);

  /// Writes a text for people, each line with the prefix `# ` and a line end. A client cannot confuse the text with a
  /// message. A line that begins with `mote boot ` gets one more space in the prefix, so it cannot be confused with the
  /// mark of a boot. `text`: UTF-8, copied. A line end at its end adds no empty line. Control characters except TAB
  /// become spaces. Limits: Server::transmit_buffer(), also of a `text` stream. A text that is longer than the buffer
  /// is cut. Errors: returns false if nothing can be written now: in a handler, within a message that is sent in parts,
  /// after the end of the stream, or while the buffer has no space after the pending output. Call again after a poll(),
  /// or drop the text. With a `text` stream, it also returns false if this stream has taken only a part of the lines,
  /// or nothing. Context: main loop; never blocks. The next poll() sends the bytes that the stream does not take now.
  bool print(std::string_view text);

  /// Overwrites all received bytes that are no longer needed with zeros. An application with tools that take secrets
  /// (`mcp/settings.hpp`) calls it after each poll(). Context: main loop; takes about 1 us per KB of the buffer.
  void wipe();

  /// Returns whether the stream has ended and the last response was sent.
  [[nodiscard]] bool closed() const { return closed_; }

  /// The largest number of messages that one poll() reads, so that the main loop can do other work.
  static constexpr unsigned turns = 16;

 private:
  // The state of the stream during one poll().
  struct Input {
    bool looked = false;  // the stream was read
    bool empty = false;   // the last read returned nothing
  };

  void begin();
  Millis serve(Millis now);
  bool turn(Millis now, Input& input);
  bool flush(Millis now);
  bool fill();
  void skip_noise(std::span<const char> buffer);
  bool handle_line(Millis now);
  void handle_message(std::span<char> line, Millis now);
  void handle_reply(const Reply& reply, Millis now);
  void skip(std::span<const char> part, bool last, Millis now);
  bool speak(Millis now);
  void send(std::size_t size, bool ends_line);
  std::size_t write_out(ByteStream& stream, std::size_t at, std::size_t end);
  void close(Millis now);

  // Members that many functions read come first, because larger offsets need longer instructions.
  bool unfinished_ = false;  // the last line has no end yet, so no other message may be sent
  bool skipping_ = false;
  bool ended_ = false;  // the stream has ended
  bool closed_ = false;
  bool begun_ = false;    // the mark of the boot is written
  bool serving_ = false;  // in poll(), whose handlers use the transmit buffer
  const Server* server_;
  ByteStream* stream_;
  ByteStream* text_;  // nullptr: the lines of print() go to stream_
  SessionId session_;
  // Offsets into the receive buffer: [first, searched) has no line end, [first, last) has been received.
  std::size_t first_ = 0;
  std::size_t searched_ = 0;
  std::size_t last_ = 0;
  // Offsets into the transmit buffer: [sent, size) is still to be written.
  std::size_t sent_ = 0;
  std::size_t size_ = 0;
  rpc::IdFinder skipped_;  // finds the id and the kind of a line that is too long
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
