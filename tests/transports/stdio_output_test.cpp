// SPDX-License-Identifier: Apache-2.0
// What the stdio transport writes in addition to whole messages: messages in parts, the mark of a boot, and text
// between messages.
#include "mcp/stdio_transport.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "mcp/ports/posix.hpp"
#include "transports/stdio_wire.hpp"

namespace {

using mcp::IoStatus;
using test::Bench;
using test::FakeStream;
using test::Sizes;
using namespace test::stdio;

// ---- Messages in parts -------------------------------------------------------------------------------------------

constexpr std::string_view begin_streams =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n"
    R"({"jsonrpc":"2.0","id":0,"method":"logging/setLevel","params":{"level":"debug"}})"
    "\n";
constexpr std::string_view read_stream =
    R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"stream:text"}})"
    "\n";
constexpr std::string_view stream_head =
    R"({"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"stream:text","mimeType":"text/plain","text":")";

/// A wire on which the first two bytes of a body have been sent, and the third is not ready before 100 ms.
struct HalfALine : Wire {
  explicit HalfALine(const Sizes& sizes = {}) : Wire((test::reset_device(), sizes), "streams") {
    act("busy 2");
    stream.give(begin_streams);
    static_cast<void>(run());
    stream.give(read_stream);
    EXPECT_EQ(run(), std::string(stream_head) + "bo");
  }
  void act(std::string_view action) { EXPECT_TRUE(test::act(bench.server, action)); }
};

TEST(StdioStreams, ReadsNothingWithinAnOutputLine) {
  HalfALine wire;
  EXPECT_EQ(wire.transport.poll(0), 100U) << "the only thing that is due";
  const std::size_t calls = wire.stream.reads() + wire.stream.writes();
  wire.stream.give(ping("2") + "\n");
  wire.act("log error - news");
  for (mcp::Millis now = 0; now < 100; ++now) EXPECT_EQ(wire.transport.poll(now), 100 - now);
  EXPECT_EQ(wire.stream.reads() + wire.stream.writes(), calls);
  wire.act("ready");
  static_cast<void>(wire.transport.poll(100));
  const std::string output = wire.stream.take();
  EXPECT_TRUE(is_prefix("dy\"}]}}\n", output)) << output;
  EXPECT_NE(output.find(pong("2")), std::string::npos);
  EXPECT_NE(output.find("news"), std::string::npos);
}

// The input ends: the server completes the line first. Its bytes fill the transmit buffer many times.
TEST(StdioStreams, EndOfInputWaitsForTheLine) {
  HalfALine wire({.transmit_size = 400});
  wire.stream.end();
  EXPECT_EQ(wire.transport.poll(0), 100U);
  EXPECT_FALSE(wire.transport.closed());
  wire.act("body_times 1000 bo");
  wire.act("ready");
  for (mcp::Millis now = 100; !wire.transport.closed() && now < 1000; ++now)
    static_cast<void>(wire.transport.poll(now));
  std::string rest;
  for (int i = 1; i < 1000; ++i) rest += "bo";
  EXPECT_EQ(wire.stream.take(), rest + "\"}]}}\n");
  EXPECT_TRUE(wire.transport.closed());
  EXPECT_FALSE(wire.bench.anything_left());
}

// The output is closed: the body ends with its session.
TEST(StdioStreams, FailedWriteEndsTheStream) {
  for (const IoStatus status : {IoStatus::closed, IoStatus::failed}) {
    HalfALine wire({.transmit_size = 400});
    wire.act("body_times 1000 bo");
    wire.act("ready");
    wire.stream.write_fault = {.call = wire.stream.writes() + 2, .status = status};
    EXPECT_EQ(wire.transport.poll(100), mcp::forever);
    EXPECT_TRUE(wire.transport.closed());
    EXPECT_FALSE(wire.stream.misused());
    EXPECT_EQ(wire.bench.open_sessions(), 0U);
    EXPECT_FALSE(wire.bench.anything_left());
    EXPECT_EQ(wire.stream.take().size(), 400U - 5) << "one part";
  }
}

// A session that ends leaves half a line: it is ended, and is no JSON.
TEST(StdioStreams, EndedSessionEndsItsLine) {
  HalfALine wire;
  wire.bench.server.close(wire.bench.storage().session_id(0), 1);
  wire.stream.give(ping("2") + "\n");
  EXPECT_EQ(wire.run(), "\n" + pong("2"));
}

// Another client has the only place, and something runs there.
TEST(StdioStreams, RejectsInitializeWithoutAFreeSlot) {
  HalfALine wire;
  wire.bench.server.close(wire.bench.storage().session_id(0), 1);
  const std::string initialize = R"({"jsonrpc":"2.0","id":3,"method":"initialize","params":)"
                                 R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                 R"("clientInfo":{"name":"c","version":"1"}}})";
  const mcp::SessionId other = wire.bench.server.open(1);
  EXPECT_NE(wire.bench.ask(other, initialize), "");
  EXPECT_EQ(wire.bench.ask(other, std::string_view(read_stream).substr(0, read_stream.size() - 1)), "");
  while (wire.bench.server.transmit(other, wire.bench.server.transmit_buffer(), 0).status == mcp::Reply::Status::part) {
  }
  wire.stream.give(initialize + "\n" + ping("4") + "\n");
  EXPECT_EQ(wire.run(),
            "\n"
            R"({"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":)"
            R"("All 1 sessions are in use; try again later.",)"
            R"("data":{"mote/retryAfterMs":10000}}})"
            "\n"
            R"({"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":)"
            R"("Session required; send initialize first."}})"
            "\n");
  wire.bench.server.close(other, 1);
  wire.stream.give(initialize + "\n");
  EXPECT_NE(wire.run().find(R"("id":3,"result")"), std::string::npos);
}

// ---- The mark of a boot ------------------------------------------------------------------------------------------

std::uint32_t boot_id() { return 0x0012'3CDE; }
std::uint32_t no_boot_id() { return 0; }
constexpr std::string_view boot_mark = "\n# mote boot 00123cde\n";
constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"
    "\n";
constexpr std::string_view discover =
    R"({"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})"
    "\n";

TEST(StdioBoot, MarkComesBeforeAllMessages) {
  for (const std::size_t limit : {FakeStream::no_limit, std::size_t{1}}) {
    Wire wire({.boot_id = boot_id});
    wire.stream.write_limit = limit;
    wire.stream.give(ping("1") + "\n");
    EXPECT_EQ(wire.run(), std::string(boot_mark) + pong("1"));
    wire.stream.give(ping("2") + "\n");
    EXPECT_EQ(wire.run(), pong("2")) << "once";
  }
}

TEST(StdioBoot, SendsTheMarkWithoutAMessage) {
  Wire wire({.boot_id = boot_id});
  EXPECT_EQ(wire.run(), boot_mark);
}

TEST(StdioBoot, ResultsHaveTheIdInBothEras) {
  for (const auto request : {initialize, discover}) {
    Wire wire({.boot_id = boot_id});
    wire.stream.give(request);
    const std::string output = wire.run();
    EXPECT_NE(output.find(R"("mote/boot":"00123cde"})"), std::string::npos) << output;
  }
}

TEST(StdioBoot, WithoutAnIdNothingNamesIt) {
  for (const auto request : {initialize, discover}) {
    Wire with({.boot_id = no_boot_id});
    Wire without;
    with.stream.give(request);
    without.stream.give(request);
    const std::string output = with.run();
    EXPECT_EQ(output, without.run());
    EXPECT_EQ(output.find("mote/boot"), std::string::npos) << output;
    EXPECT_EQ(output.front(), '{');
  }
}

// The server keeps the first number, so that a function may return a random one each time.
TEST(StdioBoot, TheIdStaysTheSame) {
  static std::uint32_t calls;
  calls = 0;
  Wire wire({.boot_id = [] { return ++calls; }});
  wire.stream.give(std::string(initialize) + std::string(discover));
  const std::string output = wire.run();
  EXPECT_EQ(calls, 1U);
  EXPECT_EQ(output.find("00000002"), std::string::npos) << output;
}

// ---- Text between messages ---------------------------------------------------------------------------------------

TEST(StdioText, WritesEachLineWithItsPrefix) {
  const struct {
    std::string_view text;
    std::string_view output;
  } cases[] = {
      {"21.5 degrees", "# 21.5 degrees\n"},
      {"", "# \n"},
      {"\n", "# \n"},
      {"one\ntwo\n", "# one\n# two\n"},
      {"one\n\n", "# one\n# \n"},
      {R"({"jsonrpc":"2.0"})", "# {\"jsonrpc\":\"2.0\"}\n"},
      {"a\n{", "# a\n# {\n"},
      {std::string_view("\0a\tb\x1B[0m\x7F\r\n", 11),
       "# \x20"
       "a\tb [0m  \n"},
      {"\xC2\xB0", "# \xC2\xB0\n"},
      {"mote boot 12345678", "#  mote boot 12345678\n"},
      {"a\nmote boot 12345678", "# a\n#  mote boot 12345678\n"},
      {"a mote boot 12345678", "# a mote boot 12345678\n"},
  };
  for (const auto& c : cases) {
    Wire wire;
    EXPECT_TRUE(wire.transport.print(c.text));
    EXPECT_EQ(wire.stream.take(), c.output);
    wire.stream.give(ping("1") + "\n");
    EXPECT_EQ(wire.run(), pong("1"));
  }
}

TEST(StdioText, FollowsTheMarkOfTheBoot) {
  Wire wire({.boot_id = boot_id});
  EXPECT_TRUE(wire.transport.print("start"));
  EXPECT_EQ(wire.run(), std::string(boot_mark) + "# start\n");
}

// Whatever part of a response is sent, the text follows its end.
TEST(StdioText, NeverInterruptsAMessage) {
  for (std::size_t cut = 0; cut <= pong("1").size(); ++cut) {
    Wire wire;
    wire.stream.give(ping("1") + "\n");
    wire.stream.write_limit = 1;
    wire.stream.write_fault = {.call = cut + 1, .status = IoStatus::would_block};
    static_cast<void>(wire.transport.poll(0));
    EXPECT_TRUE(wire.transport.print("text"));
    EXPECT_TRUE(wire.transport.print("more"));
    EXPECT_EQ(wire.run(), pong("1") + "# text\n# more\n") << cut;
  }
}

TEST(StdioText, SendsTheRestWithTheNextPoll) {
  Wire wire;
  wire.stream.write_limit = 3;
  wire.stream.write_fault = {.call = 2, .status = IoStatus::would_block};
  EXPECT_TRUE(wire.transport.print("text"));
  EXPECT_EQ(wire.stream.take(), "# t");
  wire.stream.give(ping("1") + "\n");
  EXPECT_EQ(wire.run(), "ext\n" + pong("1"));
}

TEST(StdioText, WritesNothingWithinAMessageInParts) {
  HalfALine wire;
  EXPECT_FALSE(wire.transport.print("text"));
  EXPECT_EQ(wire.stream.take(), "");
}

TEST(StdioText, WritesNothingAfterTheEnd) {
  Wire wire;
  wire.stream.end();
  EXPECT_EQ(wire.run(), "");
  ASSERT_TRUE(wire.transport.closed());
  EXPECT_FALSE(wire.transport.print("text"));
  EXPECT_EQ(wire.stream.take(), "");
}

// A stream that writes a text while the transport writes, as a handler would.
class NestedPrint final : public mcp::ByteStream {
 public:
  mcp::StdioTransport* transport = nullptr;
  bool printed = false;
  std::string output;

 private:
  mcp::IoResult do_read(std::span<char>) override {
    printed = printed || transport->print("text");
    return {IoStatus::would_block, 0};
  }
  mcp::IoResult do_write(std::span<const char> from) override {
    output.append(from.data(), from.size());
    return {IoStatus::ok, from.size()};
  }
};

TEST(StdioText, WritesNothingDuringPoll) {
  const Bench bench(*test::find_definition("full"));
  NestedPrint stream;
  mcp::StdioTransport transport{bench.server, stream};
  stream.transport = &transport;
  EXPECT_EQ(transport.poll(0), mcp::forever);
  EXPECT_FALSE(stream.printed);
  EXPECT_TRUE(transport.print("text"));
  EXPECT_EQ(stream.output, "# text\n");
}

// The buffer has `size` bytes, and one more for the last line end.
TEST(StdioText, CutsATextThatDoesNotFit) {
  constexpr std::size_t size = 200;
  for (std::size_t length = size - 5; length <= size + 5; ++length) {
    Wire wire({.transmit_size = size});
    EXPECT_TRUE(wire.transport.print(std::string(length, 'x')));
    EXPECT_EQ(wire.run(), "# " + std::string(std::min(length, size - 2), 'x') + "\n") << length;
    EXPECT_TRUE(wire.transport.print(std::string(length, '\n') + "x")) << "every line has a prefix";
    EXPECT_LE(wire.run().size(), size + 1);
  }
}

TEST(StdioText, WritesNothingWithoutSpaceAfterAMessage) {
  constexpr std::size_t size = 200;
  Wire wire({.transmit_size = size});
  wire.stream.write_fault = {.call = 1, .status = IoStatus::would_block, .forever = true};
  wire.stream.give(ping("1") + "\n");
  EXPECT_EQ(wire.transport.poll(0), mcp::forever);
  const std::size_t most = size - pong("1").size() - std::string_view("# \n").size();
  EXPECT_FALSE(wire.transport.print(std::string(most + 1, 'x')));
  EXPECT_TRUE(wire.transport.print(std::string(most, 'x')));
  EXPECT_FALSE(wire.transport.print(""));
  wire.stream.write_fault = {};
  EXPECT_EQ(wire.run(), pong("1") + "# " + std::string(most, 'x') + "\n");
}

// As on a PC, whose stdout has messages only.
TEST(StdioText, GoesToItsOwnStream) {
  const Bench bench(*test::find_definition("full"));
  FakeStream stream;
  FakeStream text;
  mcp::StdioTransport transport{bench.server, stream, &text};
  EXPECT_TRUE(transport.print("text"));
  EXPECT_EQ(text.take(), "# text\n");
  stream.write_fault = {.call = 1, .status = IoStatus::would_block, .forever = true};
  stream.give(ping("1") + "\n");
  EXPECT_EQ(transport.poll(0), mcp::forever);
  EXPECT_TRUE(transport.print("more"));
  text.write_fault = {.call = text.writes() + 1, .status = IoStatus::would_block};
  EXPECT_FALSE(transport.print("lost"));
  stream.write_fault = {};
  EXPECT_EQ(transport.poll(0), mcp::forever);
  EXPECT_EQ(stream.take(), pong("1"));
  EXPECT_EQ(text.take(), "# more\n");
}

// A file descriptor for writing alone, as stderr is.
TEST(StdioText, GoesToAFileDescriptor) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Bench bench(*test::find_definition("full"));
  FakeStream stream;
  {
    mcp::posix::Stdio text(ends[1], ends[1]);
    mcp::StdioTransport transport{bench.server, stream, &text};
    EXPECT_TRUE(transport.print("one\ntwo"));
  }
  char bytes[32];
  const ssize_t size = read(ends[0], bytes, sizeof bytes);
  ASSERT_GT(size, 0);
  EXPECT_EQ(std::string_view(bytes, static_cast<std::size_t>(size)), "# one\n# two\n");
  EXPECT_EQ(stream.take(), "");
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
