// MCP over a byte stream, a UART or stdin and stdout: one message per line. Knows framing, not methods.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/rpc/id_finder.hpp"
#include "mcp/server.hpp"

namespace mcp {

/// Serves one client on one ByteStream. Source: basic/transports#stdio, 2025-11-25. What that page leaves open:
///   - A line may end with CR LF. Blank lines are skipped. What stands before the end of the stream is a message, too.
///   - Of a line longer than Limits::receive_size only the id is kept. An error answers it, unless it is a response:
///   that
///     ends the input request that it names (Outcome::too_large).
///   - A message is taken up only when the answer before has left the window: a slow reader slows the client down, and
///     nothing is queued.
///   - A line whose end the server cannot give ends early, and so is no JSON; the error that says why follows.
/// It works in the server's own buffers: one transport per server.
class StdioTransport {
 public:
  /// Both must outlive the transport. May be constinit.
  constexpr StdioTransport(const Server& server, ByteStream& stream) : server_(&server), stream_(&stream) {}

  /// Does all that can be done now without blocking, at most `turns` messages of it. Main loop. Returns after how many
  /// milliseconds to call again even if nothing happens on the stream: 0 when there is more to do at once, `forever`
  /// when only an event on the stream, or a change of a resource, makes work.
  [[nodiscard]] Millis poll(Millis now);

  /// True when the stream has ended and all that could be answered was.
  [[nodiscard]] bool closed() const { return closed_; }

  /// Messages that one poll() takes up at most, so that the rest of the main loop has its turn.
  static constexpr unsigned turns = 16;

 private:
  // What one poll() knows of the stream.
  struct Input {
    bool looked = false;  // has been read from
    bool empty = false;   // had nothing when it was last read from
  };

  bool turn(Millis now, Input& input);
  bool flush(Millis now);
  bool fill();
  bool take_line(Millis now);
  void take_message(std::span<char> line, Millis now);
  void take_reply(const Reply& reply, Millis now);
  void skip(std::span<const char> part, bool last, Millis now);
  bool speak(Millis now);
  void send(std::size_t size, bool ends_line);
  void close(Millis now);

  // What is asked for in many places comes first: to reach what is further back takes longer instructions.
  bool unfinished_ = false;  // the line that was sent last goes on: nothing may come in between
  bool skipping_ = false;
  bool ended_ = false;  // nothing more will be received
  bool closed_ = false;
  const Server* server_;
  ByteStream* stream_;
  SessionId session_;
  // Offsets into the message buffer: [first, searched) has no line end, [first, last) has been received.
  std::size_t first_ = 0;
  std::size_t searched_ = 0;
  std::size_t last_ = 0;
  // Offsets into the window: [sent, size) is still to be written.
  std::size_t sent_ = 0;
  std::size_t size_ = 0;
  rpc::IdFinder skipped_;  // looks for the id and the kind of a line that is too long
};

}  // namespace mcp
