// SPDX-License-Identifier: Apache-2.0
// A ByteStream for tests. A script of pieces is its input, its output is limited, and any call can fail.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/port.hpp"

namespace test {

class FakeStream final : public mcp::ByteStream {
 public:
  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

  /// What happens at the `call`th read or write, counted from 1. After `closed` or `failed` nothing moves any more.
  struct Fault {
    std::size_t call = 0;
    mcp::IoStatus status = mcp::IoStatus::would_block;
    bool forever = false;  // with would_block: from this call on
  };

  /// Bytes that one write takes at most; a piece that give() brought is the most that one read brings.
  std::size_t write_limit = no_limit;
  /// Every second write finds no space.
  bool blocks_every_second_write = false;
  Fault read_fault;
  Fault write_fault;

  /// The peer sends a piece.
  void give(std::string_view piece) {
    if (!piece.empty()) pieces_.emplace_back(piece);
  }
  /// The peer sends no more; reads say so when all pieces were read.
  void end() { ended_ = true; }
  using mcp::ByteStream::reads_lines;

  /// Everything written since the last take().
  std::string take() { return std::exchange(written_, {}); }

  [[nodiscard]] std::size_t reads() const { return reads_; }
  [[nodiscard]] std::size_t writes() const { return writes_; }
  /// Bytes that went either way.
  [[nodiscard]] std::size_t moved() const { return moved_; }
  /// Bytes that the peer has sent and the server has not read.
  [[nodiscard]] std::size_t unread() const {
    std::size_t size = 0;
    for (const std::string& piece : pieces_) size += piece.size();
    return size;
  }
  /// A call had an empty span, or followed the end of the stream.
  [[nodiscard]] bool misused() const { return misused_; }

 private:
  mcp::IoResult do_read(std::span<char> into) override {
    ++reads_;
    misused_ = misused_ || into.empty() || read_over_ != mcp::IoStatus::ok;
    if (read_over_ != mcp::IoStatus::ok) return {read_over_, 0};
    if (fires(read_fault, reads_)) return stop(read_fault.status, read_over_);
    if (pieces_.empty()) return stop(ended_ ? mcp::IoStatus::closed : mcp::IoStatus::would_block, read_over_);
    std::string& piece = pieces_.front();
    const std::size_t size = std::min(into.size(), piece.size());
    std::copy_n(piece.data(), size, into.data());
    piece.erase(0, size);
    if (piece.empty()) pieces_.pop_front();
    moved_ += size;
    return {mcp::IoStatus::ok, size};
  }

  mcp::IoResult do_write(std::span<const char> from) override {
    ++writes_;
    misused_ = misused_ || from.empty() || write_over_ != mcp::IoStatus::ok;
    if (write_over_ != mcp::IoStatus::ok) return {write_over_, 0};
    if (fires(write_fault, writes_)) return stop(write_fault.status, write_over_);
    if (blocks_every_second_write && writes_ % 2 == 0) return {mcp::IoStatus::would_block, 0};
    const std::size_t size = std::min(from.size(), write_limit);
    written_.append(from.data(), size);
    moved_ += size;
    return {mcp::IoStatus::ok, size};
  }

  static bool fires(const Fault& fault, std::size_t call) {
    return fault.call != 0 && (call == fault.call || (fault.forever && call > fault.call));
  }
  static mcp::IoResult stop(mcp::IoStatus status, mcp::IoStatus& over) {
    if (status != mcp::IoStatus::would_block) over = status;
    return {status, 0};
  }

  std::deque<std::string> pieces_;
  std::string written_;
  std::size_t reads_ = 0;
  std::size_t writes_ = 0;
  std::size_t moved_ = 0;
  bool ended_ = false;
  bool misused_ = false;
  mcp::IoStatus read_over_ = mcp::IoStatus::ok;
  mcp::IoStatus write_over_ = mcp::IoStatus::ok;
};

}  // namespace test
