// SPDX-License-Identifier: Apache-2.0
// Streamed bodies where one client on one stream cannot show them: any cut by pieces and windows, several sessions,
// exact sizes.
#include "mcp/body_stream.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "mcp/server.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Chunk;
using mcp::Errc;
using mcp::Millis;
using mcp::Reply;
using mcp::SessionId;
using test::Bench;
using Status = Reply::Status;

constexpr std::string_view initialize_request =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string read_request(std::string_view uri, std::string_view id = "1") {
  return std::string(R"({"jsonrpc":"2.0","id":)")
             .append(id)
             .append(R"(,"method":"resources/read","params":{"uri":")")
             .append(uri) +
         "\"}}";
}
std::string head(std::string_view uri, std::string_view id = "1") {
  const bool text = uri == "stream:text";
  return std::string(R"({"jsonrpc":"2.0","id":)")
             .append(id)
             .append(R"(,"result":{"contents":[{"uri":")")
             .append(uri)
             .append(text ? R"(","mimeType":"text/plain",)" : "\",") +
         (text ? "\"text\":\"" : "\"blob\":\"");
}
constexpr std::string_view tail = "\"}]}}";

SessionId open_ready(Bench& bench, Millis now = 0) {
  const SessionId id = bench.server.open(now);
  EXPECT_NE(bench.ask(id, initialize_request, now), "");
  EXPECT_EQ(bench.ask(id, initialized, now), "");
  EXPECT_NE(bench.ask(id, R"({"jsonrpc":"2.0","id":0,"method":"logging/setLevel","params":{"level":"debug"}})", now),
            "");
  return id;
}

/// One call of transmit() with a transmit buffer of exactly this size.
struct Part {
  Part(Bench& bench, SessionId session, std::size_t transmit_buffer, Millis now = 0) {
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const Reply reply = bench.server.transmit(session, {bytes.get(), transmit_buffer}, now);
    status = reply.status;
    text.assign(bytes.get(), reply.size);
    EXPECT_EQ(reply.size != 0, status == Status::message || status == Status::part);
  }
  Status status;
  std::string text;
};

class StreamsTest : public testing::Test {
 protected:
  void SetUp() override { test::reset_device(); }
  static bool act(Bench& bench, std::string_view action) { return test::act(bench.server, action); }
};

// ---- Pieces and windows ------------------------------------------------------------------------------------------

std::mt19937 random_bits(20'251'125);  // the same in every run
std::size_t random_below(std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_bits);
}

std::string torn;  // the body; every read brings another piece of it
Chunk read_torn(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (random_below(5) == 0) return Chunk::not_ready(0);
  if (offset == torn.size()) return Chunk::end();
  const std::size_t size = 1 + random_below(std::min(into.size(), torn.size() - offset));
  std::copy_n(torn.data() + offset, size, into.data());
  return Chunk::bytes(size);
}
Errc read_whole_text(mcp::ReadResult& out) { return out.text(torn); }
Errc read_whole_blob(mcp::ReadResult& out) {
  return out.blob({reinterpret_cast<const std::uint8_t*>(torn.data()), torn.size()});
}
constexpr mcp::Resource torn_resources[] = {
    {.uri = "x:text", .name = "text", .stream = mcp::text_stream(read_torn)},
    {.uri = "y:text", .name = "whole text", .read = read_whole_text},
    {.uri = "x:blob", .name = "blob", .stream = mcp::blob_stream(read_torn)},
    {.uri = "y:blob", .name = "whole blob", .read = read_whole_blob},
};
constexpr mcp::Definition torn_definition{.name = "torn", .version = "0", .resources = torn_resources};

std::string random_body() {
  constexpr std::string_view parts[] = {"a",
                                        "plain ",
                                        "\"",
                                        "\\",
                                        "\n",
                                        std::string_view("\0", 1),
                                        "\x1F",
                                        "\x7F",
                                        "\u00E9",
                                        "\u20AC",
                                        "\U0001F600",
                                        "\xE2\x82",
                                        "\xF0\x9F\x98",
                                        "\xC0",
                                        "\xFF",
                                        "\x80",
                                        "\xED\xA0\x80"};
  std::string body;
  const std::size_t size = random_below(4) == 0 ? random_below(4) : random_below(300);
  while (body.size() < size) body += parts[random_below(std::size(parts))];
  return body;
}

// For all sizes of pieces and transmit buffers, the line of a body equals that of a body written at once.
TEST_F(StreamsTest, BodyIsTheSameForAllPieceAndTransmitSizes) {
  Bench bench(torn_definition);
  const SessionId session = open_ready(bench);
  for (int round = 0; round < 4000; ++round) {
    torn = random_body();
    for (const std::string_view kind : {"text", "blob"}) {
      std::string wanted = bench.ask(session, read_request(std::string("y:").append(kind)));
      wanted[wanted.find("\"y:") + 1] = 'x';
      const std::size_t least = wanted.find(kind == "text" ? "\"text\":\"" : "\"blob\":\"") + 8 + tail.size();
      EXPECT_EQ(bench.ask(session, read_request(std::string("x:").append(kind))), "");
      const std::size_t spread = 1 + random_below(200);
      std::string came;
      Status status = Status::part;
      for (int parts = 0; status != Status::message && parts < 5000; ++parts) {
        const Part part(bench, session, least + random_below(spread));
        came += part.text;
        status = part.status;
        ASSERT_TRUE(status == Status::message || status == Status::part || status == Status::none);
        // The cut is between characters.
        ASSERT_NE(static_cast<std::uint8_t>(part.text[0]) & 0xC0, 0x80);
      }
      ASSERT_EQ(came, wanted) << "round " << round;
    }
  }
  EXPECT_FALSE(bench.anything_left());
}

// ---- One megabyte through one kilobyte ---------------------------------------------------------------------------

constexpr std::uint32_t megabyte = 1'000'000;
constexpr std::uint8_t byte_at(std::uint32_t offset) { return static_cast<std::uint8_t>(offset * 31 + (offset >> 8)); }

Chunk read_megabyte(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset == megabyte) return Chunk::end();
  std::size_t size = 0;
  for (; size < into.size() && offset < megabyte; ++size, ++offset) into[size] = byte_at(offset);
  return Chunk::bytes(size);
}
constexpr mcp::Resource large_resources[] = {{.uri = "file://log",
                                              .name = "log",
                                              .mime_type = "application/octet-stream",
                                              .stream = mcp::blob_stream(read_megabyte)}};
constexpr mcp::Definition large_definition{.name = "large", .version = "0", .resources = large_resources};
constexpr mcp::Limits large_limits{.receive_size = 256, .transmit_size = 1024, .streams = 1};
constinit mcp::Storage<large_definition, large_limits> large_storage;
constinit mcp::Server large_server{large_storage};
static_assert(sizeof(large_storage) < 256 + 1024 + 224, "a body of any size takes no RAM but the window");

std::uint32_t value_of(char c) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return static_cast<std::uint32_t>(alphabet.find(c));
}

TEST_F(StreamsTest, SendsAMegabyteThroughAKilobyte) {
  const SessionId session = large_server.open(0);
  std::string line;
  const auto ask = [&](std::string_view message) {
    std::string copy(message);
    return large_server.receive(session, copy, large_server.transmit_buffer(), 0).status;
  };
  EXPECT_EQ(ask(initialize_request), Status::message);
  EXPECT_EQ(ask(initialized), Status::none);
  EXPECT_EQ(ask(read_request("file://log")), Status::none);
  EXPECT_EQ(large_server.poll(0), 0U);
  Status status = Status::part;
  std::size_t parts = 0;
  for (; status == Status::part; ++parts) {
    const Reply reply = large_server.transmit(session, large_server.transmit_buffer(), 0);
    status = reply.status;
    ASSERT_LE(reply.size, 1024U);
    ASSERT_TRUE(status == Status::message || reply.size > 1000) << "a window that is not made use of";
    line.append(large_server.transmit_buffer().data(), reply.size);
  }
  EXPECT_EQ(status, Status::message);
  EXPECT_GT(parts, 1300U);
  EXPECT_EQ(large_server.poll(0), mcp::forever);
  const std::optional<test::Json> answer = test::parse_json(line);
  ASSERT_TRUE(answer);
  const std::string blob = answer->text_at("result.contents.0.blob");
  ASSERT_EQ(blob.size(), (megabyte + 2) / 3 * 4);
  std::uint32_t offset = 0;
  for (std::size_t i = 0; i < blob.size(); i += 4) {
    std::uint32_t group = 0;
    std::uint32_t count = 3;
    for (std::size_t j = 0; j < 4; ++j) {
      if (blob[i + j] == '=') --count;
      group = group << 6 | (blob[i + j] == '=' ? 0 : value_of(blob[i + j]));
    }
    for (std::uint32_t j = 0; j < count; ++j, ++offset)
      ASSERT_EQ(static_cast<std::uint8_t>(group >> (16 - 8 * j)), byte_at(offset)) << offset;
  }
  EXPECT_EQ(offset, megabyte);
  large_server.close(session, 0);
}

// ---- Parts, and their ends ------------------------------------------------------------------------------------------

TEST_F(StreamsTest, FailureThatEndsBeforeItIsReadIsNotSent) {
  Bench bench(test::streams);
  const SessionId id = open_ready(bench);
  act(bench, "body_times 20 abc");
  act(bench, "fail 50 unavailable");
  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  const std::string begin = head("stream:text");
  const Part first(bench, id, begin.size() + 15);
  EXPECT_EQ(first.status, Status::part);
  EXPECT_EQ(first.text, begin + "abcabcabca");
  const Part second(bench, id, 200);
  EXPECT_EQ(second.status, Status::part) << "what was read before the failure";
  EXPECT_EQ(second.text, "bcabcabcabcabcabcabcabcabcabcabcabcabcab");
  act(bench, "heal");
  const Part third(bench, id, 200);
  EXPECT_EQ(third.status, Status::message);
  EXPECT_EQ(third.text, std::string("cabcabcabc").append(tail));
  EXPECT_FALSE(bench.anything_left());
}

TEST_F(StreamsTest, CutsTheLineOnceThenSendsTheError) {
  Bench bench(test::streams);
  const SessionId id = open_ready(bench);
  act(bench, "busy 3");
  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  EXPECT_EQ(Part(bench, id, 200).text, head("stream:text") + "bod");
  act(bench, "fail 3 unavailable");
  EXPECT_EQ(Part(bench, id, 200, 99).status, Status::none);
  const Part broken(bench, id, 200, 100);
  EXPECT_EQ(broken.status, Status::broken);
  EXPECT_EQ(bench.server.poll(100), 0U) << "the error is due";
  act(bench, "heal");
  const Part error(bench, id, 200, 100);
  EXPECT_EQ(error.status, Status::message) << "what was cut stays cut";
  EXPECT_EQ(error.text, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,)"
                        R"("message":"Temporarily unavailable; try again later."}})");
  EXPECT_EQ(Part(bench, id, 200, 100).status, Status::none);
  EXPECT_FALSE(bench.anything_left());
}

// Windows that hold no part at all, which no Storage has.
TEST_F(StreamsTest, SendsAnErrorIfTheTransmitBufferHoldsNoPart) {
  Bench bench(test::streams);
  const SessionId id = open_ready(bench);
  const std::size_t size = head("stream:text").size() + tail.size();
  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  const Part error(bench, id, size - 1);
  EXPECT_EQ(error.status, Status::message);
  EXPECT_EQ(test::parse_json(error.text)->text_at("error.code"), "-32603");

  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  EXPECT_EQ(Part(bench, id, size).text, head("stream:text")) << "a part without a byte of the body";
  EXPECT_EQ(Part(bench, id, tail.size() + 1).text, "b");
  EXPECT_EQ(Part(bench, id, tail.size()).status, Status::broken);
  EXPECT_EQ(test::parse_json(Part(bench, id, 200).text)->text_at("error.code"), "-32603");

  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  EXPECT_EQ(Part(bench, id, size).text, head("stream:text"));
  EXPECT_EQ(Part(bench, id, tail.size() - 1).status, Status::broken);
  EXPECT_EQ(test::parse_json(Part(bench, id, 200).text)->text_at("error.code"), "-32603");
  EXPECT_FALSE(bench.anything_left());
}

// An offset has 32 bits: a body without end is cut before they are used up.
TEST_F(StreamsTest, CutsABodyOfFourGigabytes) {
  Bench bench(test::streams);
  const SessionId id = open_ready(bench);
  act(bench, "body_times 20 abc");
  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  EXPECT_EQ(Part(bench, id, head("stream:text").size() + 20).status, Status::part);
  bench.stream(0).offset = 0xFFFF'FFFF - 47;
  EXPECT_EQ(Part(bench, id, 200).status, Status::broken);
  EXPECT_EQ(test::parse_json(Part(bench, id, 200).text)->text_at("error.code"), "-32603");
  EXPECT_FALSE(bench.anything_left());
}

// A client writes the literal as it is or with escapes, and each byte of a value as an escape.
TEST_F(StreamsTest, KeepsTheLongestUriOfATemplate) {
  struct Log {
    mcp::FixedString<4> day;
  };
  static constexpr auto log_params = mcp::params(mcp::param<&Log::day>("day"));
  constexpr auto read_log = [](const Log& log, std::uint32_t offset, std::span<std::uint8_t> into) {
    const std::string_view day = log.day.view();
    if (offset == day.size()) return Chunk::end();
    into[0] = static_cast<std::uint8_t>(day[offset]);
    return Chunk::bytes(1);
  };
  static constexpr mcp::ResourceTemplate rows[] = {mcp::text_stream_template<read_log, log_params>(
      {.uri_template = "x:\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 100%25/{day}", .name = "log"})};
  static constexpr mcp::Definition definition{.name = "logs", .version = "0", .resource_templates = rows};
  Bench bench(definition);
  const SessionId id = open_ready(bench);
  std::string escaped = "x:";
  for (int i = 0; i < 8; ++i) escaped += "%C3%A9";
  for (const std::string& uri : {std::string("x:\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 100%25/abcd"),
                                 escaped + "%20100%25/%61%62%63%64"}) {
    EXPECT_EQ(bench.ask(id, read_request(uri)), "") << uri;
    EXPECT_EQ(bench.next(id),
              R"({"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":")" + uri + R"(","text":"abcd"}]}})");
  }
  const std::string longer = escaped + "%20100%25/" + std::string(40, 'a');
  EXPECT_NE(bench.ask(id, read_request(longer)).find("uri is too long"), std::string::npos);
  EXPECT_FALSE(bench.anything_left());
}

// ---- Sessions and time -------------------------------------------------------------------------------------------

TEST_F(StreamsTest, StreamsToTwoSessionsAtOnce) {
  Bench bench(test::streams, {.sessions = 3});
  const SessionId a = open_ready(bench);
  const SessionId b = open_ready(bench);
  const SessionId c = open_ready(bench);
  act(bench, "body_times 30 abc");
  EXPECT_EQ(bench.ask(a, read_request("stream:text", "7")), "");
  EXPECT_EQ(bench.ask(b, read_request("stream:blob", "7")), "") << "an id is one session's own";
  EXPECT_NE(bench.ask(c, read_request("stream:text")).find("are in use; try again"), std::string::npos);
  std::string lines[2];
  const std::size_t transmit_buffer = head("stream:text", "7").size() + 10;
  for (int i = 0; i < 100; ++i) {
    lines[0] += Part(bench, a, transmit_buffer).text;
    lines[1] += Part(bench, b, transmit_buffer).text;
    EXPECT_EQ(bench.next(c), "");
    if (i != 0) continue;
    act(bench, "log error - news");
    EXPECT_NE(bench.next(c).find("news"), std::string::npos) << "others are told meanwhile";
  }
  const std::string news =
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"news"}})";
  std::string body;
  std::string coded;
  for (int i = 0; i < 30; ++i) body += "abc", coded += "YWJj";
  EXPECT_EQ(lines[0], (head("stream:text", "7") + body).append(tail) + news);
  EXPECT_EQ(lines[1], (head("stream:blob", "7") + coded).append(tail) + news);
}

TEST_F(StreamsTest, StreamsEndWithTheirSession) {
  Bench bench(test::streams);
  const SessionId old = open_ready(bench);
  act(bench, "busy 2");
  EXPECT_EQ(bench.ask(old, read_request("stream:text")), "");
  EXPECT_EQ(Part(bench, old, 200).status, Status::part);
  EXPECT_EQ(bench.ask(old, read_request("stream:blob", "2")), "");
  EXPECT_EQ(bench.server.open(1), SessionId{}) << "a body that is sent keeps its session";
  bench.server.close(old, 1);
  const SessionId fresh = bench.server.open(1);
  EXPECT_FALSE(bench.anything_left());
  EXPECT_EQ(Part(bench, old, 200).status, Status::no_session);
  EXPECT_EQ(Part(bench, fresh, 200).status, Status::none);
  EXPECT_EQ(bench.server.poll(1), mcp::forever);
}

// A session that receives a long body sends nothing and is not idle.
TEST_F(StreamsTest, SessionIsNotIdleDuringALongBody) {
  Bench bench(test::streams, {.sessions = 2, .own_session_idle_ms = 15});
  const SessionId a = open_ready(bench, 0);
  act(bench, "body_times 100 abc");
  EXPECT_EQ(bench.ask(a, read_request("stream:text")), "");
  const SessionId b = open_ready(bench, 10);
  for (const SessionId id : {a, b}) bench.server.set_listening(id, false);
  EXPECT_EQ(Part(bench, a, 200, 20).status, Status::part);
  static_cast<void>(bench.server.open(30));
  EXPECT_EQ(Part(bench, b, 200, 30).status, Status::no_session);
  EXPECT_EQ(Part(bench, a, 200, 30).status, Status::part);
}

// Messages of a session wait for the end of its current message, and poll() does not wake until then.
TEST_F(StreamsTest, PollReturnsTheTimeOfTheNextRead) {
  constexpr Millis start = 0xFFFF'FFF0;  // wraps
  Bench bench(test::streams, {.sessions = 2, .jobs = 2});
  const SessionId a = open_ready(bench, start);
  EXPECT_EQ(bench.server.poll(start), mcp::forever);
  act(bench, "busy 0");
  EXPECT_EQ(bench.ask(a, read_request("stream:text"), start), "");
  EXPECT_EQ(bench.server.poll(start), 0U);
  EXPECT_EQ(bench.next(a, start), "");
  EXPECT_EQ(bench.server.poll(start), 100U);
  EXPECT_EQ(bench.server.poll(start + 40), 60U);
  act(bench, "busy 2");
  EXPECT_EQ(Part(bench, a, 200, start + 99).status, Status::none);
  EXPECT_EQ(Part(bench, a, 200, start + 110).status, Status::part);
  EXPECT_EQ(bench.server.poll(start + 110), 100U);

  constexpr std::string_view patience =
      R"({"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"patience"}})";
  EXPECT_EQ(bench.ask(a, patience, start + 110), "");
  EXPECT_EQ(bench.ask(a, read_request("stream:blob", "2"), start + 110), "");
  EXPECT_EQ(bench.server.poll(start + 110), 100U) << "its job and its other stream wait";
  const SessionId b = open_ready(bench, start + 110);
  EXPECT_EQ(bench.ask(b, patience, start + 110), "");
  EXPECT_EQ(bench.server.poll(start + 110), 0U) << "the job of another session does not";
  EXPECT_EQ(bench.next(b, start + 110), "");
  EXPECT_EQ(bench.server.poll(start + 110), 10U);
  act(bench, "ready");
  EXPECT_EQ(Part(bench, a, 200, start + 210).text, std::string("dy").append(tail));
  EXPECT_EQ(bench.server.poll(start + 210), 0U);
  EXPECT_EQ(Part(bench, a, 200, start + 210).text, (head("stream:blob", "2") + "Ym9keQ==").append(tail));
}

// On a transport with several ways to a client a cancellation can come in the middle: it is too late.
TEST_F(StreamsTest, StartedBodyIsNotCancelled) {
  Bench bench(test::streams);
  const SessionId id = open_ready(bench);
  act(bench, "busy 2");
  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  EXPECT_EQ(Part(bench, id, 200).status, Status::part);
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"), "");
  act(bench, "ready");
  EXPECT_EQ(Part(bench, id, 200, 100).text, std::string("dy").append(tail));
}

// ---- Contracts ---------------------------------------------------------------------------------------------------

Chunk wrong(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (test::streamed.piece == 0) return Chunk::bytes(0);
  if (test::streamed.piece == 1) return Chunk::bytes(into.size() + 1);
  if (offset == 0) return Chunk::failed(Errc::ok);
  return Chunk::end();
}
constexpr mcp::Resource wrong_resources[] = {{.uri = "x:y", .name = "wrong", .stream = mcp::text_stream(wrong)}};
constexpr mcp::Definition wrong_definition{.name = "wrong", .version = "0", .resources = wrong_resources};

using StreamsDeathTest = StreamsTest;

TEST_F(StreamsDeathTest, AbortsForAnInvalidChunk) {
  Bench bench(wrong_definition);
  const SessionId id = open_ready(bench);
  EXPECT_EQ(bench.ask(id, read_request("x:y")), "");
  for (const std::size_t kind : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    test::streamed.piece = kind;
    EXPECT_DEATH(bench.next(id), "contract") << kind;
  }
}

// No ping fits into the middle of a body: none is due there.
TEST_F(StreamsTest, SendsNoPingDuringABody) {
  const mcp::Definition pings{
      .name = "pings", .version = "1", .resources = test::streams.resources, .keep_alive = {60'000, 5'000}};
  Bench bench(pings);
  const SessionId id = open_ready(bench);
  EXPECT_TRUE(act(bench, "body 0123456789"));
  EXPECT_TRUE(act(bench, "busy 5"));
  EXPECT_EQ(bench.ask(id, read_request("stream:text")), "");
  EXPECT_EQ(Part(bench, id, 256).status, Status::part);
  EXPECT_EQ(Part(bench, id, 256, 60'000).status, Status::none);
  EXPECT_EQ(bench.server.poll(60'000), 100U);  // the body alone
  EXPECT_TRUE(act(bench, "ready"));
  EXPECT_EQ(Part(bench, id, 256, 60'100).status, Status::message);
  EXPECT_EQ(bench.next(id, 60'100), R"({"jsonrpc":"2.0","id":1000000001,"method":"ping"})");
}

}  // namespace
