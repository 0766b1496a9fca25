// SPDX-License-Identifier: Apache-2.0
// The port contracts of a program that plays a trace. Each call gets the result of the next step.
#include <algorithm>
#include <cstdio>

#include "mcp/ports/posix_replay.hpp"

namespace mcp::posix {
namespace {

constexpr std::size_t longest_host = 96;  // in a trace
constexpr IoResult nothing{IoStatus::would_block, 0};

bool names_host(const TraceStep& step, std::string_view host) {
  TraceBytes bytes(step);
  std::size_t size = 0;
  for (char byte = 0; bytes.next(byte); ++size) {
    if (size == host.size() || host[size] != byte) return false;
  }
  return size == std::min(host.size(), longest_host);
}
}  // namespace

// ---- Streams
// ---------------------------------------------------------------------------------------------------------

IoResult Replay::play_read(detail::PlayedBytes& bytes, std::span<char> into) {
  if (bytes.read_end != IoStatus::ok) return {bytes.read_end, 0};
  if (takes_blocked()) return nothing;
  const bool is_end = is_next(TraceVerb::closed) || is_next(TraceVerb::failed);
  if ((!is_end && !is_next(TraceVerb::read)) || !is_of(bytes.number, step_.values[0])) {
    differ("the program reads from stream", bytes.number);
    return nothing;
  }
  if (is_end) {
    bytes.read_end = is_next(TraceVerb::closed) ? IoStatus::closed : IoStatus::failed;
    consume();
    return {bytes.read_end, 0};
  }
  const std::size_t size = step_.size;
  if (size > into.size()) {
    differ("the program has less space for the bytes:", into.size());
    return nothing;
  }
  fill({reinterpret_cast<std::uint8_t*>(into.data()), size});
  return {IoStatus::ok, size};
}

IoResult Replay::play_write(detail::PlayedBytes& bytes, std::span<const char> from) {
  if (bytes.write_end != IoStatus::ok) return {bytes.write_end, 0};
  if (takes_blocked()) return nothing;
  const bool is_end = is_next(TraceVerb::wclosed) || is_next(TraceVerb::wfailed);
  const bool is_write = is_next(TraceVerb::write) || is_next(TraceVerb::wrote);
  if ((!is_end && !is_write) || !is_of(bytes.number, step_.values[0])) {
    print_difference("the program writes to stream", bytes.number);
    print_bytes("  played:   ", {from.data(), from.size()}, bytes.redactor);
    stop(different, "");
    return nothing;
  }
  if (is_end) {
    bytes.write_end = is_next(TraceVerb::wclosed) ? IoStatus::closed : IoStatus::failed;
    consume();
    return {bytes.write_end, 0};
  }
  const std::string_view text(from.data(), from.size());
  const bool is_sum = is_next(TraceVerb::wrote);
  const std::size_t size = is_sum ? static_cast<std::size_t>(step_.values[1]) : step_.size;
  if (is_sum ? !is_sum_of(text, bytes.redactor) : !compare(text, bytes.redactor)) return nothing;
  consume();
  return {IoStatus::ok, size};
}

bool Replay::end(TraceVerb verb, std::uint32_t number, const char* what) {
  if (is_over()) return true;
  const bool is_right = is_next(verb) && step_.values[0] == number && blocked_left_ == 0;
  if (!is_right) differ(what, number);
  if (is_right) consume();
  return is_right;
}

IoResult ReplayStream::do_read(std::span<char> into) { return replay_.play_read(bytes_, into); }
IoResult ReplayStream::do_write(std::span<const char> from) { return replay_.play_write(bytes_, from); }

void ReplayConnection::begin(Replay& replay, Framing framing, std::uint32_t number, std::uint64_t peer) {
  replay_ = &replay;
  bytes_ = detail::PlayedBytes(framing, number);
  peer_ = peer;
}

IoResult ReplayConnection::do_read(std::span<char> into) { return replay_->play_read(bytes_, into); }
IoResult ReplayConnection::do_write(std::span<const char> from) { return replay_->play_write(bytes_, from); }

void ReplayConnection::do_finish() {
  static_cast<void>(replay_->end(TraceVerb::finish, bytes_.number, "the program half-closes stream"));
}

void ReplayConnection::do_close() {
  Replay& replay = *replay_;
  replay_ = nullptr;
  static_cast<void>(replay.end(TraceVerb::close, bytes_.number, "the program closes stream"));
}

// Returns a free object for the connection of the step, and consumes the step.
ReplayConnection* Replay::take(std::span<ReplayConnection> connections, Framing framing) {
  const auto found =
      std::find_if(connections.begin(), connections.end(), [](const ReplayConnection& one) { return one.is_free(); });
  if (found == connections.end()) {
    differ("the program has no free connection; all are", connections.size());
    return nullptr;
  }
  const std::uint64_t peer = is_next(TraceVerb::accept) ? step_.values[2] : 0;
  found->begin(*this, framing, static_cast<std::uint32_t>(step_.values[1]), peer);
  consume();
  return &*found;
}

Connection* ReplayListener::do_accept() {
  if (replay_.takes_blocked()) return nullptr;
  if (!replay_.is_next(TraceVerb::accept) || !Replay::is_of(number_, replay_.step().values[0])) {
    replay_.differ("the program accepts a connection of listener", number_);
    return nullptr;
  }
  return replay_.take(connections_, Framing::http);
}

bool ReplayListener::do_has_waiting() {
  if (replay_.takes_blocked()) return false;
  if (!replay_.is_next(TraceVerb::waiting) || !Replay::is_of(number_, replay_.step().values[0])) {
    replay_.differ("the program asks whether a client waits at listener", number_);
    return false;
  }
  replay_.consume();
  return true;
}

Connection* ReplayDialer::do_dial(std::string_view host, std::uint16_t port) {
  const bool is_dial = replay_.is_next(TraceVerb::dial);
  if (replay_.is_over()) return nullptr;
  if ((!is_dial && !replay_.is_next(TraceVerb::undialed)) || replay_.blocked_left() != 0 ||
      !Replay::is_of(number_, replay_.step().values[0]) || replay_.step().values[is_dial ? 2 : 1] != port ||
      !names_host(replay_.step(), host)) {
    replay_.differ("the program dials another host, or at another time, port", port);
    return nullptr;
  }
  if (is_dial) return replay_.take(connections_, framing_);
  replay_.consume();
  return nullptr;
}

// ---- Services
// --------------------------------------------------------------------------------------------------------

bool ReplayEntropy::do_fill(std::span<std::uint8_t> into) {
  if (replay_.is_over()) return false;
  const TraceStep& step = replay_.step();
  const bool is_bytes = replay_.is_next(TraceVerb::entropy);
  const bool is_other = replay_.is_next(TraceVerb::noentropy) || replay_.is_next(TraceVerb::key);
  const std::uint64_t size = is_bytes ? step.size : step.values[0];
  if ((!is_bytes && !is_other) || size != into.size() || replay_.blocked_left() != 0) {
    replay_.differ("the program takes random bytes:", into.size());
    return false;
  }
  if (is_bytes) return replay_.fill(into);
  const bool is_key = replay_.is_next(TraceVerb::key);
  std::fill(into.begin(), into.end(), std::uint8_t{0xFF});
  replay_.consume();
  return is_key;
}

void ReplayHmac::do_start(std::span<const std::uint8_t, size> key) {
  hash_ = 0xCBF2'9CE4'8422'2325;  // FNV-1a
  do_update(key);
}

void ReplayHmac::do_update(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) hash_ = (hash_ ^ byte) * 0x100'0000'01B3;
}

bool ReplayHmac::do_finish(std::span<std::uint8_t, size> code) {
  if (replay_.is_over()) return false;
  const bool is_code = replay_.is_next(TraceVerb::code);
  const bool is_hidden = replay_.is_next(TraceVerb::hidden);
  if ((!is_code && !is_hidden && !replay_.is_next(TraceVerb::nocode)) || replay_.blocked_left() != 0) {
    replay_.differ("the program computes a code, bytes", size);
    return false;
  }
  if (is_code) return replay_.fill(code);
  // A program compares these codes, so they differ as the messages do.
  for (std::size_t i = 0; i < size; ++i) code[i] = static_cast<std::uint8_t>(hash_ >> 8 * (i % sizeof hash_));
  replay_.consume();
  return is_hidden;
}

std::uint64_t ReplayWallClock::do_utc_ms() {
  if (replay_.is_over()) return 0;
  const std::uint64_t utc = replay_.step().values[0];
  if (!replay_.is_next(TraceVerb::utc) || replay_.blocked_left() != 0) {
    replay_.differ("the program reads the time of day, after steps:", replay_.steps());
    return 0;
  }
  replay_.consume();
  return utc;
}

}  // namespace mcp::posix
