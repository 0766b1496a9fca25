// SPDX-License-Identifier: Apache-2.0
// A client of the test device: bytes in, lines out, through the stdio transport. Knows no rule of MCP.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conversations/record.hpp"
#include "mcp/stdio_transport.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/fake_stream.hpp"

namespace test {

/// How the bytes of a conversation travel.
struct Way {
  std::string_view line_end = "\n";
  std::size_t cut = 0;  // each delivery comes in two pieces, the first of this size; 0: in one
  bool byte_by_byte = false;
  std::size_t write_limit = FakeStream::no_limit;  // with a limit, every second write blocks, too
};

class Player {
 public:
  Player(const mcp::Definition& definition, const Sizes& sizes, const Way& way = {})
      : way_(way), bench_(definition, sizes_for(definition, sizes)), transport_(bench_.server, stream_) {
    reset_device();
    stream_.write_limit = way.write_limit;
    stream_.blocks_every_second_write = way.write_limit != FakeStream::no_limit;
  }

  /// From now on, what goes to and fro is written to `record`.
  void write_to(Record record) { record_ = record; }

  [[nodiscard]] std::string line(std::string_view text) const { return std::string(text).append(way_.line_end); }

  /// Gives bytes to the server and returns the lines that it answers.
  std::vector<std::string> deliver(std::string_view bytes) {
    if (record_) record_->in(bytes);
    const std::size_t cut = std::min(way_.cut, bytes.size());
    if (way_.byte_by_byte) {
      for (const char& byte : bytes) stream_.give({&byte, 1});
    } else if (cut != 0) {
      stream_.give(bytes.substr(0, cut));
      std::vector<std::string> lines = pump();
      stream_.give(bytes.substr(cut));
      const std::vector<std::string> more = pump();
      lines.insert(lines.end(), more.begin(), more.end());
      return lines;
    } else {
      stream_.give(bytes);
    }
    return pump();
  }

  std::vector<std::string> act(std::string_view action) {
    constexpr std::string_view wait = "wait ";
    if (action.starts_with(wait)) {
      now_ += static_cast<mcp::Millis>(std::stoul(std::string(action.substr(wait.size()))));
    } else {
      EXPECT_TRUE(test::act(bench_.server, action)) << "no such action: " << action;
    }
    return pump();
  }

  /// True while the server sends a line. It reads input delivered since then after the line.
  [[nodiscard]] bool waits() const { return !written_.empty(); }

  /// Ends the input. The server must have read all of it.
  void end() {
    stream_.end();
    EXPECT_EQ(pump(), std::vector<std::string>{});
    EXPECT_EQ(written_, "") << "half of a line";
    EXPECT_TRUE(transport_.closed());
    EXPECT_EQ(bench_.open_sessions(), 0U);
    EXPECT_FALSE(bench_.anything_left());
    EXPECT_EQ(stream_.unread(), 0U);
    EXPECT_FALSE(stream_.misused());
  }

 private:
  // A device whose handlers say who is calling keeps their callers.
  static Sizes sizes_for(const mcp::Definition& definition, Sizes sizes) {
    if (definition.audit.takes_caller()) sizes.client_info = 24;
    return sizes;
  }

  // Until nothing moves any more.
  std::vector<std::string> pump() {
    const std::size_t most_polls = 1000 + 4 * stream_.unread();
    std::size_t polls = 0;
    for (unsigned quiet = 0; quiet < 3 && polls < most_polls + 4 * written_.size(); ++polls) {
      const std::size_t before = stream_.moved();
      const mcp::Millis due = transport_.poll(now_);
      quiet = due != 0 && stream_.moved() == before ? quiet + 1 : 0;
      written_ += stream_.take();
    }
    EXPECT_LT(polls, most_polls + 4 * written_.size()) << "the transport does not come to rest";
    std::vector<std::string> lines;
    for (std::size_t end = written_.find('\n'); end != std::string::npos; end = written_.find('\n')) {
      lines.push_back(written_.substr(0, end));
      if (record_) record_->out(lines.back());
      written_.erase(0, end + 1);
    }
    EXPECT_TRUE(written_.empty() || bench_.is_unfinished()) << "half of a line: " << written_;
    return lines;
  }

  Way way_;
  Bench bench_;
  FakeStream stream_;
  mcp::StdioTransport transport_;
  std::string written_;
  std::optional<Record> record_;
  mcp::Millis now_ = 0xFFFF'F000;  // wraps in the course of a conversation that waits
};

}  // namespace test
