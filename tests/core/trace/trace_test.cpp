// SPDX-License-Identifier: Apache-2.0
// The ring, its recorders, and its text: bytes in, lines out.
#include "mcp/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "mcp/mailbox.hpp"
#include "mcp/ports/mbedtls_hmac.hpp"
#include "mcp/server.hpp"
#include "mcp/stdio_transport.hpp"
#include "mcp/storage.hpp"
#include "support/fake_stream.hpp"
#include "support/http_client.hpp"
#include "support/mqtt_broker.hpp"
#include "support/seeded_entropy.hpp"

// What a Chunk shows only to the server.
struct ChunkView;
template <>
class mcp::StreamRunner<ChunkView> {
 public:
  static std::size_t size(const Chunk& chunk) { return chunk.kind_ == Chunk::Kind::bytes ? chunk.value_ : 0; }
  static bool is_same(const Chunk& a, const Chunk& b) { return a.kind_ == b.kind_ && a.value_ == b.value_; }
};

namespace {

using View = mcp::StreamRunner<ChunkView>;
using mcp::Framing;
using mcp::IoStatus;
using test::FakeStream;

std::string& dumped() {
  static std::string text;
  return text;
}
void put(char c) { dumped() += c; }

std::string dump_of(const auto& ring) {
  dumped().clear();
  ring.dump(put);
  EXPECT_EQ(dumped().front(), '\n');
  return dumped().substr(1);
}

// The text as a client reads it, with pieces of any size.
std::string body_of(auto& ring, std::size_t piece = 48) {
  std::string text;
  for (;;) {
    std::uint8_t bytes[48];
    const mcp::Chunk chunk = ring.read(static_cast<std::uint32_t>(text.size()), {bytes, piece});
    const std::size_t size = View::size(chunk);
    if (size == 0) return View::is_same(chunk, mcp::Chunk::end()) ? text : "failed";
    text.append(reinterpret_cast<const char*>(bytes), size);
    if (text.size() > 100'000) return "endless";
  }
}

struct Reader {
  mcp::ByteStream& stream;
  std::size_t size = 200;
  std::string operator()() const {
    std::string bytes(size, '?');
    const mcp::IoResult result = stream.read(bytes);
    return bytes.substr(0, result.size);
  }
};

// ---- Records -------------------------------------------------------------------------------------------------------

TEST(Trace, RecordsPolls) {
  mcp::TraceRing<1024> ring;
  EXPECT_FALSE(ring.begin(0x0123'CDEF));
  for (const mcp::Millis now : {5U, 15U, 16U, 17U, 18U, 19U, 20U, 21U, 22U, 23U, 300U, 0xFFFF'FFF0U, 0x10U})
    EXPECT_EQ(ring.poll(now), now);
  EXPECT_EQ(dump_of(ring),
            "~mote trace 1\n~boot 0123cdef\n~poll 5\n~poll 10\n~poll 1\n~poll 1\n~poll 1\n~poll 1\n~poll 1\n~poll 1\n"
            "~polls 1 2\n~poll 277\n~poll 4294966980\n~poll 32\n~end 13\n");
}

TEST(Trace, CountsManyPollsInSeveralRecords) {
  mcp::TraceRing<256> ring;
  ring.begin(1);
  for (mcp::Millis now = 0; now < 200'000; ++now) ring.poll(now);
  const std::string six = "~poll 1\n~poll 1\n~poll 1\n~poll 1\n~poll 1\n~poll 1\n";
  const std::string full = six + "~polls 1 65535\n";
  EXPECT_EQ(dump_of(ring),
            "~mote trace 1\n~boot 00000001\n~poll 0\n" + full + full + full + six + "~polls 1 3370\n~end 30\n");
}

TEST(Trace, RecordsBytesOfAStream) {
  mcp::TraceRing<1024> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  wire.give("{\"pin\":12}\n");
  wire.give(std::string("\0\t\r\\\x7F~ \xFF", 8));
  wire.write_limit = 3;
  const Reader read{stream};
  EXPECT_EQ(read(), "{\"pin\":12}\n");  // the caller gets the bytes as they are
  EXPECT_EQ(stream.write(std::string_view("abcdef")).size, 3U);
  EXPECT_FALSE(wire.reads_lines());
  stream.read_lines();
  EXPECT_EQ(read().size(), 8U);
  EXPECT_TRUE(wire.reads_lines());
  EXPECT_EQ(read(), "");
  EXPECT_EQ(read(), "");
  wire.end();
  EXPECT_EQ(stream.read(dumped() = "a").status, IoStatus::closed);
  EXPECT_EQ(wire.take(), "abc");
  EXPECT_EQ(dump_of(ring),
            "~mote trace 1\n~boot 00000001\n~read 1 {\"pin\":11}\\n\n~write 1 abc\n"
            "~read 1 \\x00\\t\\r\\\\\\x7f~ \\xff\n~closed +2 1\n~end 5\n");
}

TEST(Trace, RecordsLongBytesInPieces) {
  mcp::TraceRing<1024> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  wire.give(std::string(200, 'a'));
  EXPECT_EQ(Reader{stream}().size(), 200U);
  EXPECT_EQ(stream.write(std::string(97, 'b')).size, 97U);
  EXPECT_EQ(dump_of(ring), "~mote trace 1\n~boot 00000001\n~read.more 1 " + std::string(96, 'a') + "\n~read.more 1 " +
                               std::string(96, 'a') + "\n~read 1 aaaaaaaa\n~write.more 1 " + std::string(96, 'b') +
                               "\n~write 1 b\n~end 6\n");
}

TEST(Trace, RecordsEndsOfStreamsOnce) {
  for (const IoStatus status : {IoStatus::closed, IoStatus::failed}) {
    mcp::TraceRing<1024> ring;
    FakeStream wire;
    mcp::TracedStream stream(ring, wire, Framing::lines);
    ring.begin(1);
    wire.read_fault = {.call = 2, .status = status};
    wire.write_fault = {.call = 2, .status = status};
    char byte[1];
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(stream.read(byte).status, i == 0 ? IoStatus::would_block : status);
      EXPECT_EQ(stream.write(byte).status, i == 0 ? IoStatus::ok : status);
    }
    const std::string word = status == IoStatus::closed ? "closed" : "failed";
    const std::string text = dump_of(ring);
    EXPECT_NE(text.find("\n~" + word + " 1\n~w" + word + " 1\n~end 4\n"), std::string::npos) << text;
  }
}

struct Clock final : mcp::WallClock {
  std::uint64_t do_utc_ms() override { return 1'700'000'000'123; }
};

TEST(Trace, RecordsPortsOfAServer) {
  mcp::TraceRing<1024> ring;
  test::SeededEntropy random;
  mcp::TracedEntropy entropy(ring, random);
  Clock clock;
  mcp::TracedWallClock wall_clock(ring, clock);
  mcp::mbedtls::Hmac sha;
  mcp::TracedHmac hmac(ring, sha);
  ring.begin(1);
  EXPECT_EQ(wall_clock.utc_ms(), 1'700'000'000'123U);
  std::uint8_t key[32] = {};
  std::uint8_t code[32];
  hmac.start(key);
  EXPECT_TRUE(hmac.finish(code));
  EXPECT_TRUE(entropy.fill(key));
  hmac.start(key);
  EXPECT_TRUE(hmac.finish(code));
  random.fails = true;
  EXPECT_FALSE(entropy.fill(std::span(key).first(16)));
  EXPECT_EQ(ring.value(std::uint16_t{0x4142}), 0x4142);
  EXPECT_EQ(ring.value(1.5F), 1.5F);
  EXPECT_EQ(ring.value(-2.5), -2.5);
  const std::string text = dump_of(ring);
  EXPECT_TRUE(text.starts_with("~mote trace 1\n~boot 00000001\n~utc 1700000000123\n~hidden\n~key 32\n~code ")) << text;
  EXPECT_TRUE(
      text.ends_with("\n~noentropy 16\n~value BA\n~value \\x00\\x00\\xc0?\n"
                     "~value \\x00\\x00\\x00\\x00\\x00\\x00\\x04\\xc0\n~end 9\n"))
      << text;
}

// Ids of the run are not in the trace, and those in it fit each other.
TEST(Trace, RecordsStandInsOfIds) {
  mcp::TraceRing<4096> ring;
  test::SeededEntropy random;
  mcp::TracedEntropy entropy(ring, random);
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::http);
  ring.begin(1);
  for (unsigned i = 0; i < 20; ++i) {
    std::uint8_t id[16];
    ASSERT_TRUE(entropy.fill(id));
    std::string hex;
    for (const std::uint8_t byte : id) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", byte);
      hex += digits;
    }
    wire.give("GET / HTTP/1.1\r\nMcp-Session-Id: " + hex.substr(0, i));
    wire.give(hex.substr(i) + "\r\n\r\n");
    Reader{stream}();
    Reader{stream}();
    const std::string text = dump_of(ring);
    EXPECT_EQ(text.find(hex), std::string::npos);
  }
  EXPECT_NE(dump_of(ring).find("~entropy "), std::string::npos);
}

bool give_nine(std::span<std::uint8_t> value) {
  value[0] = 9;
  return true;
}

struct FailingHmac final : mcp::Hmac {
  void do_start(std::span<const std::uint8_t, size>) override {}
  void do_update(std::span<const std::uint8_t> bytes) override { updated += bytes.size(); }
  bool do_finish(std::span<std::uint8_t, size>) override { return false; }
  std::size_t updated = 0;
};

struct ZeroEntropy final : mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override {
    ++calls;
    for (std::uint8_t& byte : into) byte = zeros != 0 ? 0 : 7;
    if (zeros != 0) --zeros;
    return calls != failed;
  }
  unsigned calls = 0;
  unsigned zeros = 0;
  unsigned failed = 0;
};

TEST(Trace, RecordsFailuresOfPorts) {
  mcp::TraceRing<1024> ring;
  FailingHmac sha;
  mcp::TracedHmac hmac(ring, sha);
  ZeroEntropy zero;
  mcp::TracedEntropy entropy(ring, zero);
  std::uint8_t bytes[32] = {};
  EXPECT_TRUE(entropy.fill(std::span(bytes).first(4)));  // before begin(): no key is made
  EXPECT_EQ(zero.calls, 1U);
  ring.begin(1);
  hmac.start(bytes);
  hmac.update(bytes);
  EXPECT_EQ(sha.updated, 32U);
  EXPECT_FALSE(hmac.finish(bytes));
  zero.failed = 2;  // the key
  EXPECT_TRUE(entropy.fill(std::span(bytes).first(2)));
  zero.zeros = 4;  // a key of zeros, and an id that looks sealed
  EXPECT_TRUE(entropy.fill(std::span(bytes).first(2)));
  EXPECT_EQ(bytes[0], 7);
  zero.zeros = 99;
  EXPECT_TRUE(entropy.fill(std::span(bytes).first(1)));  // it ends
  EXPECT_TRUE(entropy.fill({}));
  const std::string text = dump_of(ring);
  EXPECT_TRUE(text.starts_with("~mote trace 1\n~boot 00000001\n~nocode\n~entropy \\x11\\x11\n~entropy ")) << text;
  EXPECT_TRUE(text.ends_with("~end 5\n")) << text;
}

TEST(Trace, CountsWritesAndWaitsWithoutAResult) {
  mcp::TraceRing<1024> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  wire.write_fault = {.call = 1, .status = IoStatus::would_block};
  EXPECT_EQ(stream.write(std::string_view("a")).status, IoStatus::would_block);
  EXPECT_EQ(stream.write(std::string_view("a")).status, IoStatus::ok);
  test::FakeListener network;
  mcp::TracedListener<1> listener(ring, network);
  network.connect();
  EXPECT_TRUE(listener.has_waiting());
  EXPECT_TRUE(listener.has_waiting());
  mcp::TracedListener<1> other(ring, network);
  EXPECT_NE(other.accept(), nullptr);  // without has_waiting()
  EXPECT_EQ(dump_of(ring),
            "~mote trace 1\n~boot 00000001\n~write +1 1 a\n~waiting 1\n~waiting 1\n"
            "~accept 2 2 0000000000000000\n~end 5\n");
}

TEST(Trace, CutsLongNamesOfHosts) {
  mcp::TraceRing<1024> ring;
  test::FakeDialer network;
  mcp::TracedDialer<1> dialer(ring, network);
  network.is_full = true;
  EXPECT_EQ(dialer.dial("early", 1), nullptr);
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  EXPECT_EQ(stream.write(std::string_view("early")).size, 5U);
  ring.begin(1);
  EXPECT_EQ(dialer.dial(std::string(97, 'h'), 1), nullptr);
  EXPECT_NE(dump_of(ring).find("~undialed 1 1 " + std::string(96, 'h') + "\n"), std::string::npos);
}

// A program that plays a trace gets the values of the trace.
TEST(Trace, ReturnsPlayedValues) {
  mcp::TraceRing<256> ring;
  ring.begin(1);
  ring.play(give_nine);
  EXPECT_EQ(ring.value(std::uint8_t{7}), 9);
  EXPECT_EQ(dump_of(ring), "~mote trace 1\n~boot 00000001\n~value \\t\n~end 2\n");
}

TEST(Trace, RecordsNothingBeforeItBeginsAndWhilePaused) {
  mcp::TraceRing<256> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.poll(1);
  wire.give("a");
  wire.give("{\"key\":\"");
  wire.give("b\"}");
  Reader{stream}();
  EXPECT_FALSE(ring.is_recording());
  EXPECT_EQ(dump_of(ring), "~mote trace 1\n~damaged 0\n");
  ring.begin(1);
  ring.pause();
  EXPECT_FALSE(ring.is_recording());
  Reader{stream}();
  ring.resume();
  ring.resume();
  Reader{stream}();  // a secret that began while it was paused
  EXPECT_EQ(dump_of(ring), "~mote trace 1\n~boot 00000001\n~pause\n~resume\n~read 1 x\"}\n~end 4\n");
}

// ---- The ring ------------------------------------------------------------------------------------------------------

TEST(Trace, OverwritesTheOldestRecords) {
  mcp::TraceRing<256> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  for (unsigned i = 0; i < 1000; ++i) {
    const std::string bytes = std::to_string(i) + std::string(i % 61, '-');
    EXPECT_EQ(stream.write(bytes).size, bytes.size());
    const std::string text = dump_of(ring);
    EXPECT_EQ(text.starts_with("~mote trace 1 first\n"), text.find("~boot") == std::string::npos);
    EXPECT_NE(text.find("\n~write 1 " + bytes + "\n~end "), std::string::npos);
    EXPECT_EQ(body_of(ring), text);
  }
}

TEST(Trace, KeepsRecordsThroughAReset) {
  mcp::TraceRing<256> ring;
  ring.begin(1);
  ring.poll(17);
  EXPECT_TRUE(ring.begin(2));
  ring.poll(3);
  EXPECT_EQ(dump_of(ring), "~mote trace 1\n~boot 00000001\n~poll 17\n~boot 00000002\n~poll 3\n~end 4\n");
}

// After a reset, any byte may be wrong: the ring is valid, or it begins again, and it always works.
TEST(Trace, EndsWithADamagedRing) {
  using Ring = mcp::TraceRing<256>;
  Ring ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  for (unsigned i = 0; i < 30; ++i) static_cast<void>(stream.write(std::string(i, 'a') + "b"));
  const std::string valid = dump_of(ring);
  std::vector<std::uint8_t> bytes(sizeof ring);
  std::memcpy(bytes.data(), static_cast<void*>(&ring), sizeof ring);
  std::size_t noticed = 0;
  for (std::size_t at = 0; at < sizeof ring; ++at) {
    for (const unsigned change : {0x01U, 0x80U, 0xFFU}) {
      std::memcpy(static_cast<void*>(&ring), bytes.data(), sizeof ring);
      reinterpret_cast<std::uint8_t*>(&ring)[at] ^= static_cast<std::uint8_t>(change);
      const std::string text = dump_of(ring);
      EXPECT_TRUE(text.starts_with("~mote trace 1")) << at;
      EXPECT_TRUE(text.find("\n~end ") != std::string::npos || text.find("\n~damaged ") != std::string::npos) << at;
      EXPECT_LT(text.size(), 5 * 256 + 100U);
      if (text != valid) ++noticed;
      ring.begin(2);
      for (unsigned i = 0; i < 9; ++i) ring.poll(i * i);
      const std::string later = dump_of(ring);
      EXPECT_NE(later.find("~boot 00000002\n~poll 0\n"), std::string::npos) << at << later;
      EXPECT_EQ(later.find("~damaged"), std::string::npos) << at;
      EXPECT_EQ(body_of(ring), later);
    }
  }
  EXPECT_GT(noticed, 3 * 200U);  // of the bytes of records
}

// Damage while the device runs: adding and reading continue.
TEST(Trace, RecordsIntoADamagedRing) {
  const auto today = std::chrono::system_clock::now().time_since_epoch() / std::chrono::hours(24);
  for (const unsigned seed : {1U, static_cast<unsigned>(today)}) {
    std::mt19937 random(seed);
    mcp::TraceRing<256> ring;
    FakeStream wire;
    mcp::TracedStream stream(ring, wire, Framing::lines);
    ring.begin(1);
    for (unsigned i = 0; i < 3000; ++i) {
      auto* const bytes = reinterpret_cast<std::uint8_t*>(&ring) + sizeof ring - 256;
      bytes[random() % 256] = static_cast<std::uint8_t>(random());
      static_cast<void>(stream.write(std::string(1 + random() % 99, 'a')));
      ring.poll(i);
      EXPECT_NE(dump_of(ring).find(i % 2 == 0 ? "\n~" : "~"), std::string::npos);
      EXPECT_NE(body_of(ring, 1 + random() % 48), "endless") << "seed " << seed;
    }
  }
}

// ---- Reading -------------------------------------------------------------------------------------------------------

TEST(Trace, ReadsInPiecesOfAnySize) {
  mcp::TraceRing<1024> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  for (unsigned i = 0; i < 60; ++i) {
    ring.poll(i * i);
    static_cast<void>(stream.write(std::string(i, '\\') + "b"));
  }
  const std::string text = dump_of(ring);
  for (std::size_t piece = 1; piece <= 48; ++piece) EXPECT_EQ(body_of(ring, piece), text);
}

bool is_same(const mcp::Chunk& a, const mcp::Chunk& b) { return View::is_same(a, b); }

TEST(Trace, LetsOneClientReadAtATime) {
  mcp::TraceRing<1024> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  ring.poll(1000);
  for (unsigned i = 0; i < 9; ++i) static_cast<void>(stream.write(std::string(40, 'a')));
  std::uint8_t bytes[48];
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::bytes(48)));
  EXPECT_TRUE(is_same(ring.read(48, bytes), mcp::Chunk::bytes(48)));
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::not_ready(200)));
  ring.poll(5999);
  EXPECT_TRUE(is_same(ring.read(48, bytes), mcp::Chunk::bytes(48)));  // the same again
  EXPECT_TRUE(is_same(ring.read(96, bytes), mcp::Chunk::bytes(48)));
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::not_ready(200)));
  ring.poll(11'000);
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::bytes(48)));  // the other one is too slow
  EXPECT_TRUE(is_same(ring.read(0xFFFF'0000, bytes), mcp::Chunk::failed(mcp::Errc::internal)));
}

TEST(Trace, MarksRecordsThatAReaderHasLost) {
  mcp::TraceRing<256> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  for (unsigned i = 0; i < 9; ++i) static_cast<void>(stream.write(std::string(20, static_cast<char>('a' + i))));
  std::uint8_t bytes[48];
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::bytes(48)));
  EXPECT_TRUE(is_same(ring.read(48, bytes), mcp::Chunk::bytes(48)));
  for (unsigned i = 0; i < 8; ++i) ring.value(std::uint64_t{i});  // overwrites some of those that it will read
  std::string text;
  for (std::uint32_t at = 70; !is_same(ring.read(at, bytes), mcp::Chunk::end()); ++at)
    text += static_cast<char>(bytes[0]);
  EXPECT_NE(text.find("\n~lost\n~write 1 "), std::string::npos) << text;
  EXPECT_EQ(text.find("~value"), std::string::npos) << text;
  EXPECT_NE(text.find("~end "), std::string::npos) << text;
}

TEST(Trace, MarksRecordsThatTheSlowerOfTwoReadersHasLost) {
  mcp::TraceRing<256> ring;
  ring.begin(1);
  for (unsigned i = 0; i < 9; ++i) ring.value(std::uint64_t{i});
  std::uint8_t bytes[48];
  EXPECT_TRUE(is_same(ring.read(0, {bytes, 20}), mcp::Chunk::bytes(20)));  // the title and a part of ~boot
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::bytes(48)));        // another one
  for (unsigned i = 0; i < 30; ++i) ring.value(std::uint64_t{i});
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::not_ready(200)));  // a third one has other records
  EXPECT_TRUE(is_same(ring.read(20, bytes), mcp::Chunk::bytes(14)));
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes), 14), "\n~lost\n~end 0\n");
}

// Two clients that begin together have the same text, although records are added between their parts.
TEST(Trace, GivesTwoClientsTheSameRecords) {
  mcp::TraceRing<1024> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  for (unsigned i = 0; i < 20; ++i) ring.poll(i);
  const std::string text = dump_of(ring);
  std::string texts[2];
  for (unsigned i = 0; i < 20; ++i) {
    for (std::string& one : texts) {
      std::uint8_t bytes[48];
      const mcp::Chunk chunk = ring.read(static_cast<std::uint32_t>(one.size()), bytes);
      one.append(reinterpret_cast<const char*>(bytes), View::size(chunk));
      static_cast<void>(stream.write("abc"));
      ring.poll(20 + i);  // not counted by the last record of the text
    }
  }
  EXPECT_EQ(texts[0], text);
  EXPECT_EQ(texts[1], text);
}

// Reads a full ring with a write after each part. Returns the text with the chunk at its end.
std::string read_while_writing(std::size_t piece, unsigned writes, std::size_t size) {
  mcp::TraceRing<256> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  for (unsigned i = 0; i < 99; ++i) static_cast<void>(stream.write(std::to_string(i) + "old"));
  std::string text;
  for (;;) {
    std::uint8_t bytes[48];
    const mcp::Chunk chunk = ring.read(static_cast<std::uint32_t>(text.size()), {bytes, piece});
    if (View::size(chunk) == 0) return text + (is_same(chunk, mcp::Chunk::end()) ? "end" : "failed");
    text.append(reinterpret_cast<const char*>(bytes), View::size(chunk));
    if (text.size() > 10'000) return text + "endless";
    for (unsigned i = 0; i < writes; ++i) static_cast<void>(stream.write(std::string(size, 'n')));
  }
}

TEST(Trace, MarksLostRecordsAtAnyMoment) {
  for (std::size_t piece = 1; piece <= 48; ++piece) {
    for (const unsigned writes : {1U, 2U, 30U}) {
      SCOPED_TRACE(std::to_string(piece) + " " + std::to_string(writes));
      const std::string text = read_while_writing(piece, writes, 48);
      EXPECT_TRUE(text.starts_with("~mote trace 1 first\n")) << text;
      EXPECT_TRUE(text.ends_with("\nend")) << text;
      EXPECT_NE(text.find("\n~end "), std::string::npos) << text;
      EXPECT_TRUE(piece > 20 || text.find("\n~lost\n") != std::string::npos) << text;
      EXPECT_EQ(text.find("~wrote"), std::string::npos) << text;  // a record of the read
      // The records follow each other, except after a lost one, and none comes twice.
      unsigned before = 0;
      std::size_t end = 0;
      for (std::size_t at = 0; (at = text.find("old\n", at)) != std::string::npos; end = at += 4) {
        const std::size_t line = text.rfind('\n', at) + 1;
        if (!text.substr(line).starts_with("~write 1 ")) continue;  // cut
        const auto number = static_cast<unsigned>(std::stoi(text.substr(line + 9)));
        if (before == 0 || text.substr(end, line - end).find("~lost\n") != std::string::npos) {
          EXPECT_GT(number, before) << text;
        } else {
          EXPECT_EQ(number, before + 1) << text;
        }
        before = number;
      }
    }
  }
}

// What a reader has is not read again, so a slow writer costs it nothing.
TEST(Trace, LosesNothingThatIsSent) {
  mcp::TraceRing<256> ring;
  ring.begin(1);
  for (unsigned i = 0; i < 50; ++i) ring.value(static_cast<std::uint8_t>('a' + i % 20));
  const std::string text = dump_of(ring);
  std::string read;
  for (;;) {
    std::uint8_t bytes[48];
    const mcp::Chunk chunk = ring.read(static_cast<std::uint32_t>(read.size()), bytes);
    if (View::size(chunk) == 0) break;
    read.append(reinterpret_cast<const char*>(bytes), View::size(chunk));
    ring.value(std::uint8_t{'z'});
  }
  EXPECT_EQ(read, text);
}

TEST(Trace, FailsAReadOfAnotherText) {
  mcp::TraceRing<256> ring;
  std::uint8_t bytes[48];
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::failed(mcp::Errc::internal)));  // before begin()
  ring.begin(1);
  ring.poll(1);
  EXPECT_TRUE(is_same(ring.read(7, bytes), mcp::Chunk::failed(mcp::Errc::internal)));
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::bytes(44)));
  EXPECT_TRUE(is_same(ring.read(44, bytes), mcp::Chunk::end()));
  EXPECT_TRUE(is_same(ring.read(45, bytes), mcp::Chunk::failed(mcp::Errc::internal)));
  for (unsigned i = 0; i < 30; ++i) ring.poll(i * i);
  for (std::uint32_t at = 0; at < 200; at += 48) static_cast<void>(ring.read(at, bytes));
  EXPECT_TRUE(is_same(ring.read(48, bytes), mcp::Chunk::failed(mcp::Errc::internal)));  // sent for good
}

// One client is ahead, and the records that the other one lost make the text shorter.
TEST(Trace, FailsAReadBehindTheEnd) {
  mcp::TraceRing<256> ring;
  FakeStream wire;
  mcp::TracedStream stream(ring, wire, Framing::lines);
  ring.begin(1);
  static_cast<void>(stream.write(std::string(96, 'a')));
  std::uint8_t bytes[48];
  for (std::uint32_t at = 0; at < 96; at += 48) EXPECT_TRUE(is_same(ring.read(at, bytes), mcp::Chunk::bytes(48)));
  EXPECT_TRUE(is_same(ring.read(96, bytes), mcp::Chunk::bytes(46)));
  for (unsigned i = 0; i < 99; ++i) ring.value(std::uint8_t{1});
  EXPECT_TRUE(is_same(ring.read(96, bytes), mcp::Chunk::bytes(14)));
  EXPECT_TRUE(is_same(ring.read(142, bytes), mcp::Chunk::failed(mcp::Errc::internal)));
}

// The time of 32 bits wraps after the last part.
TEST(Trace, ForgetsAReaderWhoseTimeIsOver) {
  mcp::TraceRing<1024> ring;
  ring.begin(1);
  for (unsigned i = 0; i < 30; ++i) ring.poll(i * i);
  std::uint8_t bytes[48];
  for (std::uint32_t at = 0; at < 144; at += 48) EXPECT_TRUE(is_same(ring.read(at, bytes), mcp::Chunk::bytes(48)));
  ring.poll(10'000);
  ring.poll(841);
  EXPECT_TRUE(is_same(ring.read(0, bytes), mcp::Chunk::bytes(48)));
}

// Records whose check byte fits, but not their data: of a later version, or of a fault.
TEST(Trace, StopsAtARecordThatIsNotValid) {
  const auto dump_with = [](std::uint8_t kind, std::uint8_t size, std::uint8_t data) {
    mcp::TraceRing<256> ring;
    ring.begin(0xA1B2'C3D4);
    ring.value(std::uint64_t{0});  // 18 bytes of records
    auto* const object = reinterpret_cast<std::uint8_t*>(&ring);
    static constexpr std::uint8_t id[] = {0xD4, 0xC3, 0xB2, 0xA1};
    auto* const bytes = std::search(object, object + sizeof ring, std::begin(id), std::end(id)) - 3;
    std::uint8_t check = kind;
    const auto add = [&check](std::uint8_t byte) {
      check = static_cast<std::uint8_t>((check << 1 | check >> 7) ^ byte);
    };
    add(size);
    for (unsigned i = 0; i < size; ++i) add(bytes[3 + i] = data);
    bytes[0] = kind;
    bytes[1] = size;
    bytes[2] = check;
    return dump_of(ring);
  };
  const std::string damaged = "~mote trace 1\n~damaged 0\n";
  EXPECT_EQ(dump_with(0, 1, 0), damaged);
  EXPECT_EQ(dump_with(0x3F, 1, 0), damaged);
  EXPECT_EQ(dump_with(1, 3, 0), damaged);        // a boot id of 3 bytes
  EXPECT_EQ(dump_with(2, 4, 0x80), damaged);     // a number without its last byte
  EXPECT_EQ(dump_with(2, 15, 0x80), damaged);    // a number of too many bytes
  EXPECT_EQ(dump_with(2, 2, 1), damaged);        // bytes behind the number
  EXPECT_EQ(dump_with(0x82, 4, 0x80), damaged);  // a number of calls without its last byte
  const std::uint8_t value = static_cast<std::uint8_t>(mcp::detail::TraceKind::value);
  EXPECT_EQ(dump_with(value, 13, 'a'), "~mote trace 1\n~value aaaaaaaaaaaaa\n~damaged 1\n");  // 2 bytes are left
}

// ---- Through a server ----------------------------------------------------------------------------------------------

constinit mcp::TraceRing<4096> served;
constexpr mcp::Resource resources[] = {mcp::trace<served>({.uri = "mote://trace", .name = "trace"})};
constexpr mcp::Definition definition{.name = "t", .version = "1", .resources = resources};
constexpr mcp::Limits limits{.receive_size = 512, .transmit_size = 512, .streams = 2};
mcp::Storage<definition, limits> storage;
const mcp::Server server{storage};

// The text of a body in a message.
std::string text_of(const std::string& message) {
  const std::size_t begin = message.find("\"text\":\"") + 8;
  std::string result;
  for (std::size_t i = begin; i < message.size() && message[i] != '"'; ++i) {
    if (message[i] == '\\') {
      const char c = message[++i];
      result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    } else {
      result += message[i];
    }
  }
  return result;
}

TEST(Trace, IsReadThroughItsOwnStream) {
  served.begin(1);
  FakeStream wire;
  mcp::TracedStream stream(served, wire, Framing::lines);
  mcp::StdioTransport transport(server, stream);
  mcp::Millis now = 0;
  const auto ask = [&](std::string_view request) {
    wire.give(std::string(request) + "\n");
    for (unsigned i = 0; i < 2000; ++i) static_cast<void>(transport.poll(served.poll(++now)));
    return wire.take();
  };
  ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})");
  ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  // Also when the ring is full.
  for (unsigned i = 0; i < 40; ++i) {
    const std::string before = dump_of(served);
    const std::string text =
        text_of(ask(R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"mote://trace"}})"));
    EXPECT_TRUE(text.starts_with("~mote trace 1")) << text;
    EXPECT_NE(text.find("\n~end "), std::string::npos) << text;
    EXPECT_EQ(text.find("~lost"), std::string::npos) << text;
    EXPECT_LT(text.size(), 4096U * 3);
    EXPECT_NE(dump_of(served).find("~wrote 1 "), std::string::npos);
    if (i % 8 == 7) ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","password":"hunter2"}})");
    EXPECT_EQ(dump_of(served).find("hunter2"), std::string::npos);
  }
  EXPECT_TRUE(dump_of(served).starts_with("~mote trace 1 first\n"));
}

// ---- Posts ---------------------------------------------------------------------------------------------------------

constinit mcp::TraceRing<1024> posted;
mcp::Errc read_nothing(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource rows[] = {{.uri = "x:0", .name = "0", .read = read_nothing},
                                  {.uri = "x:1", .name = "1", .read = read_nothing, .subscribable = true}};
constexpr mcp::Definition posts{.name = "t", .version = "1", .resources = rows, .logging = true};
constexpr mcp::Limits post_limits{.receive_size = 512,
                                  .transmit_size = 512,
                                  .log_size = 128,
                                  .mailbox = true,
                                  .mailbox_trace = true,
                                  .mailbox_logs = 2,
                                  .mailbox_log_size = 128};
constinit mcp::Storage<posts, post_limits> post_storage;
constinit const mcp::TracedMailbox mailbox{post_storage, nullptr, posted};
const mcp::Server post_server{post_storage, {.mailbox = &mailbox}};

TEST(Trace, RecordsPostsWhenTheServerTakesThem) {
  posted.begin(1);
  static_cast<void>(post_server.poll(posted.poll(1)));
  mailbox.resource_updated(rows[1]);
  mailbox.resource_updated(rows[1]);
  EXPECT_TRUE(mailbox.log(mcp::LogLevel::error, "motor", R"({"pin":12})"));
  EXPECT_TRUE(mailbox.log(mcp::LogLevel::debug, "", ""));
  EXPECT_FALSE(mailbox.log(mcp::LogLevel::debug, "", "x"));
  EXPECT_EQ(dump_of(posted), "~mote trace 1\n~boot 00000001\n~poll 1\n~end 2\n");
  static_cast<void>(post_server.poll(posted.poll(2)));
  EXPECT_EQ(dump_of(posted),
            "~mote trace 1\n~boot 00000001\n~poll 1\n~poll 1\n~updated 1\n~log 4 5 motor{\"pin\":11}\n~log 0 0 \n"
            "~loglost 1\n~end 7\n");
}

TEST(Trace, CutsALogMessageTo96Bytes) {
  const std::string before = dump_of(posted);
  const std::string text = '"' + std::string(110, 'x') + '"';
  EXPECT_TRUE(mailbox.log(mcp::LogLevel::info, "", text));
  static_cast<void>(post_server.poll(posted.poll(3)));
  EXPECT_EQ(dump_of(posted),
            before.substr(0, before.find("~end ")) + "~poll 1\n~log 1 0 " + text.substr(0, 96) + "\n~end 9\n");
}

// ---- Connections ---------------------------------------------------------------------------------------------------

TEST(Trace, RecordsConnectionsOfAListener) {
  mcp::TraceRing<1024> ring;
  test::FakeListener network;
  mcp::TracedListener<2> listener(ring, network);
  ring.begin(1);
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_FALSE(listener.has_waiting());
  test::FakeConnection& client = network.connect();
  client.host = 0xA1;
  client.wire.give("GET / HTTP/1.1\r\nCookie: abc\r\n\r\n");
  EXPECT_TRUE(listener.has_waiting());
  mcp::Connection* const first = listener.accept();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->peer(), 0xA1U);
  network.connect();
  network.connect();
  mcp::Connection* const second = listener.accept();
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(listener.accept(), nullptr);  // no third object
  EXPECT_EQ(network.waiting(), 1U);
  Reader{*first}();
  EXPECT_EQ(first->write(std::string_view("a")).size, 1U);
  first->finish();
  first->close();
  second->close();
  EXPECT_TRUE(client.released());
  EXPECT_EQ(listener.accept(), first);
  EXPECT_EQ(dump_of(ring),
            "~mote trace 1\n~boot 00000001\n~waiting +2 1\n~accept 1 1 00000000000000a1\n"
            "~accept 1 2 0000000000000000\n~read +1 1 GET / HTTP/1.1\\r\\nCookie: xxx\\r\\n\\r\\n\n~write 1 a\n"
            "~finish 1\n~close 1\n~close 2\n~accept 1 3 0000000000000000\n~end 10\n");
}

TEST(Trace, RecordsConnectionsOfADialer) {
  mcp::TraceRing<1024> ring;
  test::FakeDialer network;
  mcp::TracedDialer<1> dialer(ring, network);
  ring.begin(1);
  network.encrypts = true;
  EXPECT_TRUE(dialer.is_encrypted());
  network.is_full = true;
  EXPECT_EQ(dialer.dial("broker", 8883), nullptr);
  EXPECT_EQ(dialer.reason(), mcp::DialProblem::in_use);
  network.is_full = false;
  network.why = mcp::DialProblem::none;
  mcp::Connection* const connection = dialer.dial("broker", 8883);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(dialer.reason(), mcp::DialProblem::none);
  EXPECT_EQ(dialer.dial("other", 1), nullptr);
  EXPECT_EQ(dialer.reason(), mcp::DialProblem::in_use);
  EXPECT_EQ(connection
                ->write(std::string_view("\x10\x02"
                                         "ab"))
                .size,
            4U);
  connection->close();
  EXPECT_EQ(dump_of(ring),
            "~mote trace 1\n~boot 00000001\n~undialed 1 8883 broker\n~reason 1 1\n~dial 1 1 8883 broker\n~reason 1 0\n"
            "~undialed 1 1 other\n~reason 1 1\n~write 1 \\x10\\x02xx\n~reason 1 0\n~close 1\n~end 10\n");
}

}  // namespace
