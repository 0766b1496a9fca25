// SPDX-License-Identifier: Apache-2.0
// The stdio transport over a stream that cuts, blocks and fails wherever it can.
#include "mcp/stdio_transport.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <string>
#include <vector>

#include "mcp/ports/posix.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/fake_stream.hpp"

namespace {

using mcp::IoStatus;
using test::Bench;
using test::FakeStream;
using test::Sizes;

std::string ping(std::string_view id) {
  return std::string(R"({"jsonrpc":"2.0","id":)").append(id) + R"(,"method":"ping"})";
}
std::string pong(std::string_view id) {
  return std::string(R"({"jsonrpc":"2.0","id":)").append(id) + ",\"result\":{}}\n";
}
std::string too_long(std::string_view id, std::size_t size) {
  return std::string(R"({"jsonrpc":"2.0",)") + (id.empty() ? "" : std::string("\"id\":").append(id) + ",") +
         R"("error":{"code":-32600,"message":"Message too long: at most )" + std::to_string(size) +
         " bytes are accepted.\"}}\n";
}
constexpr std::string_view not_json = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,";

// A request of exactly `size` bytes. Its id is before or after the filler.
std::string sized_ping(std::string_view id, std::size_t size, bool id_first = true) {
  const std::string head = R"({"jsonrpc":"2.0","method":"ping",)";
  const std::string id_text = std::string("\"id\":").append(id);
  const std::size_t used = head.size() + id_text.size() + std::string_view(R"(,"x":"")").size() + 1;
  const std::string filler = R"("x":")" + std::string(size - used, 'x') + "\"";
  return head + (id_first ? id_text + "," + filler : filler + "," + id_text) + "}";
}

bool is_prefix(const std::string& part, const std::string& whole) { return whole.compare(0, part.size(), part) == 0; }

/// A transport on a stream, in memory of a chosen size.
struct Wire {
  explicit Wire(const Sizes& sizes = {}, std::string_view device = "full")
      : bench(*test::find_definition(device), sizes) {}

  /// Polls until it returns a wait, at most `most` times. Returns the output.
  std::string run(unsigned most = 100'000) {
    unsigned polls = 0;
    while (polls < most && transport.poll(0) == 0) ++polls;
    EXPECT_LT(polls, most) << "does not come to rest";
    return stream.take();
  }

  Bench bench;
  FakeStream stream;
  mcp::StdioTransport transport{bench.server, stream};
};

// A job with constant notifications does not block the client's requests, nor a client with constant requests the job.
TEST(StdioJobs, NotificationsAndRequestsAlternate) {
  Wire wire({}, "features");
  wire.stream.give(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"chatter","_meta":{"progressToken":1}}})"
      "\n");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(wire.transport.poll(0), 0U) << "there is always more to say";
  EXPECT_NE(wire.stream.take().find("notifications/progress"), std::string::npos);

  // One line a read, as a client sends that waits for nothing.
  for (int i = 0; i < 50; ++i) {
    wire.stream.give(ping("3") + "\n");
    EXPECT_EQ(wire.transport.poll(0), 0U);
    const std::string output = wire.stream.take();
    EXPECT_NE(output.find(pong("3")), std::string::npos);
    EXPECT_NE(output.find("notifications/progress"), std::string::npos);
  }

  wire.stream.give(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"
                   "\n");
  wire.run(5);
  EXPECT_FALSE(wire.bench.anything_left());
}

// ---- Lines -------------------------------------------------------------------------------------------------------

TEST(Stdio, SaysThatItReadsLines) {
  Wire wire;
  EXPECT_FALSE(wire.stream.reads_lines());
  wire.run();
  EXPECT_TRUE(wire.stream.reads_lines());
}

TEST(Stdio, ServesLines) {
  constexpr std::size_t size = 200;
  const std::string longest = sized_ping("7", size);
  const std::string longer = sized_ping("7", size + 1);
  const std::string tab = std::string("\t");
  const struct {
    const char* what;
    std::string input;
    std::string output;
    bool ends = true;
  } cases[] = {
      {"LF", ping("1") + "\n", pong("1")},
      {"CR LF", ping("1") + "\r\n", pong("1")},
      {"blanks at the end", ping("1") + " \t\r\r\n", pong("1")},
      {"blanks in front", " \t" + ping("1") + "\n", pong("1")},
      {"blank lines", "\n\r\n \n\t\n" + ping("1") + "\n\n" + ping("2") + "\n\n", pong("1") + pong("2")},
      {"CR alone ends nothing", ping("1") + "\r" + ping("2") + "\n", "-32700"},
      {"the last line without an end", ping("1") + "\n" + ping("2"), pong("1") + pong("2")},
      {"the last line cut off", ping("1") + "\n" + ping("2").substr(0, 20), pong("1") + "-32700"},
      {"nothing", "", ""},
      {"only blanks at the end", ping("1") + "\n  ", pong("1")},
      {"noise, and a line end before the message", std::string("\0\xFF\x55", 3) + "\n" + ping("1") + "\n",
       "-32700" + pong("1")},
      {"noise in front of the message", std::string(1, '\0') + ping("1") + "\n" + ping("2") + "\n",
       "-32700" + pong("2")},
      {"0xFF in front of the message", "\xFF" + ping("1") + "\n" + ping("2") + "\n", "-32700" + pong("2")},
      {"the longest message, LF", longest + "\n" + ping("1") + "\n", pong("7") + pong("1")},
      {"the longest message, CR LF", longest + "\r\n" + ping("1") + "\n", pong("7") + pong("1")},
      {"the longest message, no end", longest, pong("7")},
      {"the longest message, CR, no end", longest + "\r", pong("7")},
      {"one byte more, LF", longer + "\n" + ping("1") + "\n", too_long("7", size) + pong("1")},
      {"one byte more, CR LF", longer + "\r\n" + ping("1") + "\n", too_long("7", size) + pong("1")},
      {"one byte more, no end", longer, too_long("7", size)},
      {"two more, LF", sized_ping("7", size + 2) + "\n" + ping("1") + "\n", too_long("7", size) + pong("1")},
      {"two more, no end", sized_ping("7", size + 2), too_long("7", size)},
      {"three more", sized_ping("7", size + 3) + "\n" + ping("1") + "\n", too_long("7", size) + pong("1")},
      {"ten buffers", sized_ping("7", 10 * size) + "\n" + ping("1") + "\n", too_long("7", size) + pong("1")},
      {"ten buffers, exactly", sized_ping("7", 10 * (size + 2)) + "\n" + ping("1") + "\n",
       too_long("7", size) + pong("1")},
      {"ten buffers, no end", sized_ping("7", 10 * (size + 2)), too_long("7", size)},
      {"two too long", longer + "\n" + longer + "\n" + ping("1") + "\n",
       too_long("7", size) + too_long("7", size) + pong("1")},
      {"the id at the end", sized_ping("\"late\"", 5 * size, false) + "\n", too_long("\"late\"", size)},
      {"the id of the first does not stay", longer + "\n" + std::string(2 * size, '#') + "\n",
       too_long("7", size) + too_long("", size)},
      {"no id", std::string(3 * size, '#') + "\n" + ping("1") + "\n", too_long("", size) + pong("1")},
      {"an id inside of params is none", R"({"params":{"id":5},"x":")" + std::string(size, 'x') + "\"}\n",
       too_long("", size)},
      {"an id too long", sized_ping(std::string(41, '1'), 2 * size) + "\n", too_long("", size)},
      {"an id given twice", R"({"id":1,"id":1,"x":")" + std::string(size, 'x') + "\"}\n", too_long("", size)},
      {"an id behind a nested one", R"({"params":{"id":5,"id":6},"id":7,"x":")" + std::string(size, 'x') + "\"}\n",
       too_long("7", size)},
      {"a fraction is no id", sized_ping("1.5", 2 * size) + "\n", too_long("", size)},
      {"a batch has no id", "[" + sized_ping("7", 2 * size) + "]\n", too_long("", size)},
      {"binary", std::string(5 * size, '\xFF') + "\n" + ping("1") + "\n", too_long("", size) + pong("1")},
      {"only blanks, too long", std::string(3 * size, ' ') + "\n" + ping("1") + "\n", too_long("", size) + pong("1")},
  };
  for (const auto& c : cases) {
    for (const std::size_t piece : {c.input.size() + 1, std::size_t{1}, std::size_t{7}, size + 2}) {
      Wire wire({.receive_size = size});
      for (std::size_t i = 0; i < c.input.size(); i += piece)
        wire.stream.give(std::string_view(c.input).substr(i, piece));
      wire.stream.end();
      const std::string output = wire.run();
      // "-32700" means the whole line of a parse error.
      std::string wanted = c.output;
      std::size_t at = 0;
      while ((at = wanted.find("-32700", at)) != std::string::npos) {
        const std::size_t start = output.find(not_json, at);
        const std::string line = start == at ? output.substr(at, output.find('\n', at) + 1 - at) : "(an error -32700)";
        wanted.replace(at, 6, line);
        at += line.size();
      }
      EXPECT_EQ(output, wanted) << c.what << ", in pieces of " << piece;
      EXPECT_TRUE(wire.transport.closed()) << c.what;
      EXPECT_EQ(wire.bench.open_sessions(), 0U);
      EXPECT_FALSE(wire.stream.misused());
    }
  }
}

// ---- Turns and back-pressure -------------------------------------------------------------------------------------

// ---- Responses that are too long ---------------------------------------------------------------------------------

constexpr std::string_view open_asking =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{"elicitation":{},"sampling":{}},"clientInfo":{"name":"c","version":"1"}}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";

// A response of more than `size` bytes. Its id is before or after the filler.
std::string long_response(std::string_view id, std::size_t size, bool id_first) {
  const std::string outcome = R"("result":{"action":"decline","x":")" + std::string(size, 'x') + "\"}";
  const std::string id_text = R"("id":)" + std::string(id);
  return R"({"jsonrpc":"2.0",)" + (id_first ? id_text + "," + outcome : outcome + "," + id_text) + "}\n";
}

// It ends the input request that it names at once, and no error goes out under the id of the server's request.
TEST(Stdio, TooLongResponseEndsItsInputRequest) {
  for (const bool id_first : {true, false}) {
    for (const std::size_t size : {std::size_t{256}, std::size_t{5000}}) {
      Wire wire({.receive_size = 256}, "input_requests");
      wire.stream.give(open_asking);
      EXPECT_NE(wire.run(), "");
      wire.stream.give(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hand"}})"
                       "\n");
      EXPECT_TRUE(is_prefix(R"({"jsonrpc":"2.0","id":"m-1","method":"elicitation/create")", wire.run()));
      wire.stream.give(long_response("\"m-2\"", size, id_first) + long_response("1", size, id_first) +
                       long_response("null", size, id_first));
      EXPECT_EQ(wire.run(), "") << "they name no input request";
      wire.stream.give(long_response("\"m-1\"", size, id_first));
      EXPECT_EQ(
          wire.run(),
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"too large 0\"}]}}\n");
      wire.stream.give(long_response("\"m-1\"", size, id_first));
      EXPECT_EQ(wire.run(), "") << "it has ended";
      EXPECT_EQ(wire.bench.server.stale_answers(), 4U);
    }
  }
}

// A request that also has a result is a request.
TEST(Stdio, TooLongRequestWithAResultGetsAnError) {
  Wire wire({.receive_size = 256}, "input_requests");
  wire.stream.give(R"({"jsonrpc":"2.0","id":7,"result":{},"method":"ping","x":")" + std::string(300, 'x') + "\"}\n");
  EXPECT_EQ(wire.run(), too_long("7", 256));
}

// Before anything was initialized, too.
TEST(Stdio, IgnoresATooLongResponseWithoutASession) {
  Wire wire({.receive_size = 256}, "input_requests");
  wire.stream.give(long_response("\"m-1\"", 300, true) + ping("1") + "\n");
  EXPECT_EQ(wire.run(), pong("1"));
}

TEST(Stdio, PollLimitsTheNumberOfMessages) {
  constexpr unsigned messages = 100;
  Wire wire;
  std::string input;
  for (unsigned i = 0; i < messages; ++i) input += ping("1") + "\n";
  wire.stream.give(input);
  unsigned polls = 0;
  std::size_t answered = 0;
  for (mcp::Millis due = 0; due == 0; ++polls) {
    due = wire.transport.poll(0);
    const std::size_t now_answered = wire.stream.take().size() / pong("1").size();
    EXPECT_LE(now_answered, mcp::StdioTransport::turns);
    EXPECT_TRUE(now_answered > 0 || due != 0) << "a poll that does nothing wants to be called at once";
    answered += now_answered;
    EXPECT_EQ(due, answered == messages && due != 0 ? mcp::forever : 0U);
  }
  EXPECT_EQ(answered, messages);
  EXPECT_GE(polls, messages / mcp::StdioTransport::turns);
}

TEST(Stdio, IdlePollCostsOneRead) {
  Wire wire;
  EXPECT_EQ(wire.transport.poll(0), mcp::forever);
  EXPECT_EQ(wire.stream.reads(), 1U);
  EXPECT_EQ(wire.stream.writes(), 0U);
  EXPECT_EQ(wire.bench.open_sessions(), 0U) << "a session begins with the first message";
}

TEST(Stdio, ReadsNothingWhileAResponseIsUnsent) {
  Wire wire;
  wire.stream.write_fault = {.call = 1, .status = IoStatus::would_block, .forever = true};
  wire.stream.give(ping("1") + "\n");
  EXPECT_EQ(wire.transport.poll(0), mcp::forever);
  const std::size_t reads = wire.stream.reads();
  wire.stream.give(ping("2") + "\n");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(wire.transport.poll(0), mcp::forever);
  EXPECT_EQ(wire.stream.reads(), reads);
  EXPECT_EQ(wire.stream.unread(), ping("2").size() + 1);
  EXPECT_EQ(wire.stream.writes(), 11U) << "one try for each poll";
  wire.stream.write_fault = {};
  EXPECT_EQ(wire.run(), pong("1") + pong("2"));
}

// Half of a response is in the transmit buffer: notifications wait.
TEST(Stdio, NotificationNeverInterruptsAResponse) {
  Wire wire;
  wire.stream.give(
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
      "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n"
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"test://counter\"}}\n");
  static_cast<void>(wire.run());
  const std::string notification =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"test://counter\"}}\n";
  const mcp::Resource& counter = *test::find_resource("test://counter");
  for (std::size_t cut = 0; cut <= pong("2").size() + notification.size(); ++cut) {
    wire.stream.give(ping("2") + "\n");
    wire.stream.write_limit = 1;
    std::string output;
    while (output.size() < cut) {
      wire.stream.write_fault = {.call = wire.stream.writes() + 2, .status = IoStatus::would_block};
      static_cast<void>(wire.transport.poll(0));
      output += wire.stream.take();
      if (output.size() >= pong("2").size()) break;
    }
    wire.bench.server.resource_updated(counter);
    output += wire.run();
    output += wire.run();
    EXPECT_EQ(output, pong("2") + notification) << cut;
  }
}

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
            R"("data":{"mote/retryAfterMs":60000}}})"
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

// ---- Damage on the wire ------------------------------------------------------------------------------------------

// Lines towards the device, with the responses to them.
constexpr std::size_t damage_receive_size = 150;
struct Exchange {
  std::string line;
  std::string response;
};
std::vector<Exchange> exchanges() {
  return {{ping("11") + "\n", pong("11")},
          {ping("\"a\\n\"") + "\n", pong("\"a\\n\"")},
          {sized_ping("12", damage_receive_size) + "\n", pong("12")},
          {sized_ping("13", 400) + "\n", too_long("13", damage_receive_size)},
          {ping("14") + "\r\n", pong("14")},
          {ping("15") + "\n", pong("15")},
          {ping("16") + "\n", pong("16")}};
}

// A damage at a byte of the conversation, to `touched` of its bytes.
struct Damage {
  const char* what;
  void (*damage)(std::string& input, std::size_t at);
  std::size_t touched;
};
constexpr Damage damages[] = {
    {"a byte is dropped", [](std::string& input, std::size_t at) { input.erase(at, 1); }, 1},
    {"a run is dropped", [](std::string& input, std::size_t at) { input.erase(at, 20); }, 20},
    {"a long run is dropped", [](std::string& input, std::size_t at) { input.erase(at, 300); }, 300},
    {"a bit is flipped", [](std::string& input, std::size_t at) { input[at] = static_cast<char>(input[at] ^ 4); }, 1},
    {"all bits are flipped", [](std::string& input, std::size_t at) { input[at] = static_cast<char>(~input[at]); }, 1},
    {"a line end is inserted", [](std::string& input, std::size_t at) { input.insert(at, "\n"); }, 0},
    {"a byte is inserted", [](std::string& input, std::size_t at) { input.insert(at, "\""); }, 0},
    {"a mark of loss is inserted", [](std::string& input, std::size_t at) { input.insert(at, "\xFF"); }, 0},
    {"a run is inserted", [](std::string& input, std::size_t at) { input.insert(at, std::string(400, '{')); }, 0},
    {"a run is overwritten", [](std::string& input, std::size_t at) { input.replace(at, 20, 20, '\0'); }, 20},
    {"all before is lost", [](std::string& input, std::size_t at) { input.erase(0, at); }, 0},
};

// Damages the conversation at each position. Each line after the damaged one gets its response. A damage to a line end
// damages the line after it, too.
TEST(StdioDamage, NextLineIsServed) {
  const std::vector<Exchange> all = exchanges();
  std::string whole;
  for (const Exchange& exchange : all) whole += exchange.line;
  for (const Damage& damage : damages) {
    for (std::size_t at = 0; at + damage.touched < whole.size(); ++at) {
      const std::size_t damaged_end = whole.find('\n', at + damage.touched) + 1;
      std::string input = whole;
      damage.damage(input, at);
      Wire wire({.receive_size = damage_receive_size});
      wire.stream.give(input);
      const std::string output = wire.run();
      std::string rest;
      std::size_t begin = 0;
      for (const Exchange& exchange : all) {
        if (begin >= damaged_end) rest += exchange.response;
        begin += exchange.line.size();
      }
      EXPECT_TRUE(output.ends_with(rest)) << damage.what << ", at " << at << ": " << output;
    }
  }
}

// The sender is reset in the middle of a line, also of one that is too long, and begins with a line end.
TEST(StdioDamage, LineAfterACutIsServed) {
  const std::string line = sized_ping("1", 500);
  for (std::size_t cut = 0; cut <= line.size(); ++cut) {
    Wire wire({.receive_size = damage_receive_size});
    wire.stream.give(line.substr(0, cut) + "\n" + ping("2") + "\n");
    EXPECT_TRUE(wire.run().ends_with(pong("2"))) << cut;
  }
}

// ---- Faults ------------------------------------------------------------------------------------------------------

struct Outcome {
  std::string output;
  bool closed;
  std::size_t calls;
  bool misused;
};

// A conversation with an oversized line, a notification of the server and blank lines, under one fault.
Outcome converse(FakeStream::Fault read_fault, FakeStream::Fault write_fault, std::size_t write_limit) {
  test::reset_device();
  Wire wire({.receive_size = 150});
  wire.stream.read_fault = read_fault;
  wire.stream.write_fault = write_fault;
  wire.stream.write_limit = write_limit;
  const std::string pieces[] = {
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
      "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n{"
      "\"json",
      "rpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\n",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"test://counter\"}}\n",
      sized_ping("\"long\"", 400).substr(0, 100),
      sized_ping("\"long\"", 400).substr(100) + "\r\n" + ping("2") + "\n#\n",
      ping("3"),
  };
  for (const std::string& piece : pieces) wire.stream.give(piece);
  wire.stream.end();
  std::string output;
  bool told = false;
  unsigned polls = 0;
  for (unsigned quiet = 0; quiet < 3 && polls < 5000; ++polls) {
    const std::size_t before = wire.stream.moved();
    output += wire.stream.take();
    if (!told && output.find("\"id\":1") != std::string::npos) {
      wire.bench.server.resource_updated(*test::find_resource("test://counter"));
      told = true;
    }
    const bool rests = wire.transport.poll(0) != 0 && wire.stream.moved() == before;
    quiet = rests ? quiet + 1 : 0;
  }
  EXPECT_LT(polls, 5000U) << "does not come to rest";
  const Outcome outcome{output + wire.stream.take(), wire.transport.closed(),
                        wire.stream.reads() + wire.stream.writes(), wire.stream.misused()};
  EXPECT_EQ(wire.bench.open_sessions(), outcome.closed ? 0U : 1U);
  EXPECT_FALSE(outcome.closed && wire.bench.anything_left());
  return outcome;
}

// The lines of `output` in any order, because the position of a notification depends on the number of polls.
std::multiset<std::string> lines_of(const std::string& output) {
  std::multiset<std::string> lines;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size() - 1);
    lines.insert(output.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

TEST(Stdio, SurvivesABlockAtEveryReadAndWrite) {
  for (const std::size_t limit : {FakeStream::no_limit, std::size_t{1}, std::size_t{50}}) {
    const Outcome plain = converse({}, {}, limit);
    ASSERT_TRUE(plain.closed);
    ASSERT_EQ(lines_of(plain.output).size(), 7U) << plain.output;
    for (std::size_t n = 1; n <= plain.calls; ++n) {
      for (const bool read : {true, false}) {
        const FakeStream::Fault fault{.call = n, .status = IoStatus::would_block};
        const Outcome blocked = converse(read ? fault : FakeStream::Fault{}, read ? FakeStream::Fault{} : fault, limit);
        ASSERT_EQ(lines_of(blocked.output), lines_of(plain.output)) << (read ? "read " : "write ") << n;
        ASSERT_TRUE(blocked.closed);
        ASSERT_FALSE(blocked.misused);
        ASSERT_LE(blocked.calls, plain.calls + 3);
      }
    }
  }
}

// When the input ends, the server responds to complete requests, and the session ends.
TEST(Stdio, ServesAllInputBeforeItsEnd) {
  const Outcome plain = converse({}, {}, FakeStream::no_limit);
  for (const IoStatus status : {IoStatus::closed, IoStatus::failed}) {
    for (std::size_t n = 1; n <= plain.calls; ++n) {
      const Outcome outcome = converse({.call = n, .status = status}, {}, 33);
      EXPECT_TRUE(outcome.closed) << n;
      EXPECT_FALSE(outcome.misused) << n;
      EXPECT_TRUE(outcome.output.empty() || outcome.output.back() == '\n') << n << ": " << outcome.output;
      EXPECT_EQ(outcome.output.find("{\"jsonrpc\""), outcome.output.empty() ? std::string::npos : 0U);
      if (n == 1) {
        EXPECT_EQ(outcome.output, "");
      }
    }
  }
}

// When the output closes, the server sends and reads nothing more, and the session ends.
TEST(Stdio, StopsWhenTheOutputCloses) {
  for (const std::size_t limit : {FakeStream::no_limit, std::size_t{1}, std::size_t{50}}) {
    const Outcome plain = converse({}, {}, limit);
    for (const IoStatus status : {IoStatus::closed, IoStatus::failed}) {
      for (std::size_t n = 1; n <= plain.calls; ++n) {
        const Outcome outcome = converse({}, {.call = n, .status = status}, limit);
        ASSERT_TRUE(outcome.closed) << n;
        ASSERT_TRUE(is_prefix(outcome.output, plain.output)) << n << ": " << outcome.output;
        if (limit == 1) {
          ASSERT_EQ(outcome.output.size(), std::min(n - 1, plain.output.size())) << n;
        }
        ASSERT_LE(outcome.calls, plain.calls + 3);
      }
    }
  }
}

TEST(Stdio, SendsNothingToAReaderThatNeverReads) {
  const Outcome outcome =
      converse({}, {.call = 1, .status = IoStatus::would_block, .forever = true}, FakeStream::no_limit);
  EXPECT_FALSE(outcome.closed);
  EXPECT_EQ(outcome.output, "");
}

// Polling after the end is harmless.
TEST(Stdio, ClosedStaysClosed) {
  Wire wire;
  wire.stream.give(ping("1") + "\n");
  wire.stream.end();
  EXPECT_EQ(wire.run(), pong("1"));
  ASSERT_TRUE(wire.transport.closed());
  const std::size_t calls = wire.stream.reads() + wire.stream.writes();
  EXPECT_EQ(wire.transport.poll(1), mcp::forever);
  EXPECT_EQ(wire.stream.reads() + wire.stream.writes(), calls);
}

// An evicted session starts again with the next message, which is served.
TEST(Stdio, EvictedSessionStartsAgain) {
  Wire wire;
  wire.stream.give(
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
      "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n");
  EXPECT_NE(wire.run(), "");
  static_cast<void>(wire.bench.server.open(1));
  wire.stream.give(ping("1") + "\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n");
  const std::string output = wire.run();
  EXPECT_TRUE(is_prefix(pong("1"), output)) << output;
  EXPECT_NE(output.find("-32600"), std::string::npos) << "must initialize again: " << output;
}

}  // namespace
