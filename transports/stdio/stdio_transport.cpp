// SPDX-License-Identifier: Apache-2.0
#include "mcp/stdio_transport.hpp"

#include <cstring>

#include "mcp/json/utf8.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp {
namespace {

// Writes the lines of `text` at `buffer[size]`, and moves `size` after them. Returns false if they do not fit.
bool write_text(std::string_view text, std::span<char> buffer, std::size_t& size) {
  constexpr std::string_view mark = "mote boot ";
  if (text.ends_with('\n')) text.remove_suffix(1);
  bool at_begin = true;
  // One more turn, for the line end after the last character.
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool is_mark = at_begin && text.substr(i).starts_with(mark);
    const std::string_view prefix = is_mark ? "#  " : at_begin ? "# " : "";
    if (buffer.size() - size <= prefix.size()) return false;
    size += prefix.copy(buffer.data() + size, prefix.size());
    at_begin = i == text.size() || text[i] == '\n';
    const auto byte = at_begin ? '\n' : text[i];
    const bool is_control = (static_cast<unsigned char>(byte) < ' ' && byte != '\t') || byte == 0x7F;
    buffer[size++] = is_control && !at_begin ? ' ' : byte;
  }
  return true;
}

}  // namespace

Millis StdioTransport::poll(Millis now) {
  begin();
  serving_ = true;
  const Millis due = serve(now);
  serving_ = false;
  return due;
}

void StdioTransport::begin() {
  if (begun_) return;
  begun_ = true;
  size_ = server_->write_boot_mark();
  stream_->read_lines();
}

[[gnu::always_inline]] inline Millis StdioTransport::serve(Millis now) {
  Input input;
  for (unsigned i = 0; i < turns; ++i) {
    if (turn(now, input)) continue;
    const bool blocked = sent_ != size_;
    const Millis due = blocked || closed_ ? forever : server_->poll(now);
    if (due != 0) return due;  // otherwise interrupts have marked changes
  }
  return 0;
}

// Makes one step. Returns false if there is no work before the next event.
[[gnu::always_inline]] inline bool StdioTransport::turn(Millis now, Input& input) {
  if (closed_) return false;
  if (sent_ != size_) return flush(now);
  if (unfinished_) return speak(now);
  if (handle_line(now)) return true;
  // Reads once before the server sends, so that a client can cancel a job with constant notifications. Reads only once,
  // so that notifications are sent to a client with constant requests.
  if (!input.looked && !ended_) {
    input.looked = true;
    input.empty = !fill();
    if (!input.empty) return true;
  }
  if (speak(now)) return true;
  if (!ended_) {
    if (!input.empty) input.empty = !fill();
    return !input.empty;
  }
  close(now);
  return false;
}

void StdioTransport::close(Millis now) {
  server_->close(session_, now);
  closed_ = true;
}

[[gnu::always_inline]] inline bool StdioTransport::flush(Millis now) {
  const IoResult result = stream_->write({server_->transmit_buffer().data() + sent_, size_ - sent_});
  if (result.status == IoStatus::would_block) return false;
  if (result.status == IoStatus::ok) {
    sent_ += result.size;
    return true;
  }
  // The output is closed, so pending responses cannot be sent.
  close(now);
  return false;
}

bool StdioTransport::fill() {
  const std::span<char> buffer = server_->receive_buffer();
  if (first_ != 0) {
    std::memmove(buffer.data(), buffer.data() + first_, last_ - first_);
    searched_ -= first_;
    last_ -= first_;
    first_ = 0;
  }
  const IoResult result = stream_->read(buffer.subspan(last_));
  if (result.status == IoStatus::would_block) return false;
  if (result.status == IoStatus::ok) {
    last_ += result.size;
  } else {
    ended_ = true;
  }
  return true;
}

// A break, or noise on an idle line, arrives as these bytes, and some clients begin with a byte order mark. No message
// begins with one of these bytes.
[[gnu::always_inline]] inline void StdioTransport::skip_noise(std::span<const char> buffer) {
  for (;;) {
    const std::string_view rest(buffer.data() + first_, last_ - first_);
    if (rest.starts_with('\0') || rest.starts_with('\xFF')) {
      ++first_;
    } else if (rest.starts_with(json::byte_order_mark)) {
      first_ += json::byte_order_mark.size();
    } else {
      break;
    }
  }
  if (searched_ < first_) searched_ = first_;
}

[[gnu::always_inline]] inline bool StdioTransport::handle_line(Millis now) {
  const std::span<char> buffer = server_->receive_buffer();
  if (!skipping_) skip_noise(buffer);
  const char* const from = buffer.data() + searched_;
  const void* const found = searched_ != last_ ? std::memchr(from, '\n', last_ - searched_) : nullptr;
  const bool complete = found != nullptr;
  std::size_t end = complete ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer.data()) : last_;
  searched_ = end;

  const bool full = first_ == 0 && last_ == buffer.size();
  const bool final = ended_ && (first_ != last_ || skipping_);
  if (!complete && !full && !final) return false;

  const std::span<char> line(buffer.data() + first_, end - first_);
  first_ = searched_ = complete ? end + 1 : end;
  if (first_ == last_) first_ = searched_ = last_ = 0;
  if (skipping_ || (full && !complete)) {
    skip(line, complete || final, now);
  } else {
    handle_message(line, now);
  }
  return true;
}

[[gnu::always_inline]] inline void StdioTransport::handle_message(std::span<char> line, Millis now) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
    line = line.first(line.size() - 1);
  if (line.empty()) return;
  if (line.size() > server_->receive_size()) return skip(line, true, now);
  Reply reply{};
  // Repeats in a new session if there is none. It is a loop, so that the code has the call once.
  for (;;) {
    reply = server_->receive(session_, line, server_->transmit_buffer(), now);
    if (reply.status != Reply::Status::no_session) break;
    session_ = server_->open(now);
    if (session_ == SessionId{}) {
      // Other sessions use all slots, so the server rejects initialize and all other messages.
      reply = server_->receive_first(session_, line, server_->transmit_buffer(), now);
      break;
    }
  }
  handle_reply(reply, now);
}

// The response may come in parts. They are sent before the next line is read.
void StdioTransport::handle_reply(const Reply& reply, Millis now) {
  if (reply.size != 0) {
    send(reply.size, true);
  } else {
    static_cast<void>(speak(now));
  }
}

// Returns false if the server has nothing to send now.
bool StdioTransport::speak(Millis now) {
  const Reply reply = server_->transmit(session_, server_->transmit_buffer(), now);
  // The line of an evicted session ends here, too.
  const bool silent =
      reply.status == Reply::Status::none || (reply.status == Reply::Status::no_session && !unfinished_);
  if (silent) return false;
  send(reply.size, reply.status != Reply::Status::part);
  // The error of a broken body comes first, because its request has no response yet.
  unfinished_ = unfinished_ || reply.status == Reply::Status::broken;
  return true;
}

void StdioTransport::skip(std::span<const char> part, bool last, Millis now) {
  if (!skipping_) skipped_ = {};
  skipped_.feed({part.data(), part.size()});
  skipping_ = !last;
  if (last) handle_reply(server_->receive_oversized(session_, skipped_, server_->transmit_buffer(), now), now);
}

bool StdioTransport::print(std::string_view text) {
  if (serving_ || unfinished_ || closed_) return false;
  begin();
  const std::span<char> buffer = server_->transmit_buffer();
  const std::size_t start = sent_ != size_ ? size_ : 0;
  std::size_t size = start;
  const bool fits = write_text(text, buffer, size);
  if (!fits && start != 0) return false;
  if (!fits) buffer.data()[size++] = '\n';  // perhaps the byte after the transmit buffer
  if (text_ != nullptr) return write_out(*text_, start, size) == size;
  if (start == 0) sent_ = 0;
  size_ = size;
  sent_ = write_out(*stream_, sent_, size_);
  return true;
}

// Writes the bytes of the transmit buffer from `at` to `end`, as many as the stream takes. Returns where it stopped.
std::size_t StdioTransport::write_out(ByteStream& stream, std::size_t at, std::size_t end) {
  while (at != end) {
    const IoResult result = stream.write({server_->transmit_buffer().data() + at, end - at});
    if (result.status != IoStatus::ok) break;
    at += result.size;
  }
  return at;
}

void StdioTransport::wipe() {
  const std::span<char> buffer = server_->receive_buffer();
  memory::wipe(buffer.first(first_));
  memory::wipe(buffer.subspan(last_));
}

void StdioTransport::send(std::size_t size, bool ends_line) {
  if (ends_line) server_->transmit_buffer().data()[size++] = '\n';  // perhaps the byte after the transmit buffer
  unfinished_ = !ends_line;
  sent_ = 0;
  size_ = size;
}

}  // namespace mcp
