// SPDX-License-Identifier: Apache-2.0
// The stdio transport over a stream that cuts, blocks and fails wherever it can.
#include "mcp/stdio_transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "transports/stdio_wire.hpp"

namespace {

using mcp::IoStatus;
using test::FakeStream;
using namespace test::stdio;

// The begin of a parse error. "-32700:1" in a case is one with the id 1, "-32700" one without an id.
std::string not_json(std::string_view id) {
  return R"({"jsonrpc":"2.0",)" + (id.empty() ? "" : "\"id\":" + std::string(id) + ",") + R"("error":{"code":-32700,)";
}

// An input request and an input response that do not fit: the model does not learn that the user declined.
TEST(StdioJobs, CallFailsWithASentenceForInputThatDoesNotFit) {
  Wire wire({.receive_size = 512, .transmit_size = 1024}, "coroutines");
  wire.stream.give(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"consent","arguments":{"how":"long"}}})"
      "\n");
  std::string said = wire.run();
  EXPECT_NE(
      said.find("The input request is too long for the device, and the user was not asked. Call again with shorter "
                "arguments. It is at 7 %."),
      std::string::npos)
      << said;
  wire.stream.give(
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"consent","arguments":{"how":"x"}}})"
      "\n");
  said = wire.run();
  const std::size_t id = said.find("\"id\":10");
  ASSERT_NE(id, std::string::npos) << said;
  wire.stream.give(R"({"jsonrpc":"2.0",)" + said.substr(id, said.find(',', id) - id) +
                   R"(,"result":{"action":"accept","content":{"x":")" + std::string(600, 'x') + "\"}}}\n");
  said = wire.run();
  EXPECT_NE(said.find("The input response is too long for the device. Call again, and let the user enter less. It is "
                      "at 7 %."),
            std::string::npos)
      << said;
}

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
      {"half of a surrogate pair",
       R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"\ud83d"}})"
       "\n",
       "-32700:7"},
      {"the last line without an end", ping("1") + "\n" + ping("2"), pong("1") + pong("2")},
      {"the last line cut off", ping("1") + "\n" + ping("2").substr(0, 20), pong("1") + "-32700"},
      {"nothing", "", ""},
      {"only blanks at the end", ping("1") + "\n  ", pong("1")},
      {"noise, and a line end before the message", std::string("\0\xFF\x55", 3) + "\n" + ping("1") + "\n",
       "-32700" + pong("1")},
      {"a break in front of the message", std::string(1, '\0') + ping("1") + "\n" + ping("2") + "\n",
       pong("1") + pong("2")},
      {"0xFF in front of the message", "\xFF" + ping("1") + "\n" + ping("2") + "\n", pong("1") + pong("2")},
      {"other noise in front of the message", "\x55" + ping("1") + "\n" + ping("2") + "\n", "-32700:1" + pong("2")},
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
      {"binary", std::string(5 * size, '\xFE') + "\n" + ping("1") + "\n", too_long("", size) + pong("1")},
      {"nothing but 0xFF", std::string(5 * size, '\xFF') + "\n" + ping("1") + "\n", pong("1")},
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
        const std::string id = wanted.substr(at + 6, 1) == ":" ? wanted.substr(at + 7, 1) : "";
        const std::size_t start = output.find(not_json(id), at);
        const std::string line = start == at ? output.substr(at, output.find('\n', at) + 1 - at) : "(an error -32700)";
        wanted.replace(at, id.empty() ? 6 : 8, line);
        at += line.size();
      }
      EXPECT_EQ(output, wanted) << c.what << ", in pieces of " << piece;
      EXPECT_TRUE(wire.transport.closed()) << c.what;
      EXPECT_EQ(wire.bench.open_sessions(), 0U);
      EXPECT_FALSE(wire.stream.misused());
    }
  }
}

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
      EXPECT_TRUE(is_prefix(R"({"jsonrpc":"2.0","id":1000000001,"method":"elicitation/create")", wire.run()));
      wire.stream.give(long_response("1000000002", size, id_first) + long_response("1", size, id_first) +
                       long_response("null", size, id_first));
      EXPECT_EQ(wire.run(), "") << "they name no input request";
      wire.stream.give(long_response("1000000001", size, id_first));
      EXPECT_EQ(
          wire.run(),
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"too large 0\"}]}}\n");
      wire.stream.give(long_response("1000000001", size, id_first));
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
  wire.stream.give(long_response("1000000001", 300, true) + ping("1") + "\n");
  EXPECT_EQ(wire.run(), pong("1"));
}

// ---- Turns and back-pressure -------------------------------------------------------------------------------------

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

// A break, or noise before a line: the line is served, and nothing else is sent. Without a line it is nothing at all.
TEST(StdioDamage, IgnoresABreakBeforeALine) {
  const std::string noises[] = {std::string(1, '\0'), "\xFF", std::string("\0\xFF\0\xFF", 4),
                                std::string(damage_receive_size, '\xFF'), std::string(1000, '\0')};
  for (const std::string& noise : noises) {
    for (const bool by_byte : {false, true}) {
      Wire wire({.receive_size = damage_receive_size});
      const std::string input = noise + ping("1") + "\n" + noise + sized_ping("2", damage_receive_size) + "\n" + noise +
                                "\n" + noise + sized_ping("3", 400) + "\n" + noise;
      std::string output;
      if (by_byte) {
        for (const char byte : input) {
          wire.stream.give(std::string(1, byte));
          output += wire.run();
        }
      } else {
        wire.stream.give(input);
        output = wire.run();
      }
      wire.stream.end();
      output += wire.run();
      EXPECT_EQ(output, pong("1") + pong("2") + too_long("3", damage_receive_size)) << noise.size() << by_byte;
    }
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
