// SPDX-License-Identifier: Apache-2.0
// Programs that play a trace: one that does as the device did, and those that differ.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/ports/posix_replay.hpp"

namespace {

using mcp::posix::Replay;
using mcp::posix::ReplayConnection;
using mcp::posix::ReplayDialer;
using mcp::posix::ReplayEntropy;
using mcp::posix::ReplayHmac;
using mcp::posix::ReplayListener;
using mcp::posix::ReplayOptions;
using mcp::posix::ReplayStream;
using mcp::posix::ReplayWallClock;

constinit mcp::TraceRing<256> ring;

/// What a replay says, and how it ends.
struct Outcome {
  Replay::Status status = Replay::same;
  bool has_ended = false;
  std::size_t steps = 0;
  std::string report;
};

std::string text_of(std::FILE* file) {
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

/// Calls `poll` with the time of each poll until the replay ends. A program that never ends is one that hangs.
Outcome play(const std::string& text, const std::function<void(Replay&)>& begin,
             const std::function<void(Replay&)>& poll, ReplayOptions options = {}) {
  options.report = std::tmpfile();
  options.exits = false;
  options.catches_signals = false;
  Outcome outcome;
  {
    Replay replay;
    replay.open_text("FILE", text, ring, options);
    if (!replay.has_ended() && begin) begin(replay);
    for (int i = 0; !replay.has_ended() && i < 10'000; ++i) poll(replay);
    outcome = {replay.status(), replay.has_ended(), replay.steps(), ""};
  }
  outcome.report = text_of(options.report);
  std::fclose(options.report);
  return outcome;
}

/// The lines of a trace between its title and its end.
std::string trace(std::string_view lines, std::string_view title = "~mote trace 1\n") {
  std::string text(title);
  std::size_t count = 0;
  for (const char c : lines) count += c == '\n' ? 1U : 0U;
  return text.append(lines) + "~end " + std::to_string(count) + "\n";
}

/// A program that returns each byte that it reads, and `added` after it.
class Echo {
 public:
  explicit Echo(std::string_view added = "") : added_(added) {}
  void begin(Replay& replay) { stream_.emplace(replay, mcp::Framing::lines); }
  void poll(Replay& replay) {
    static_cast<void>(replay.now());
    for (int turns = 0; turns < 8; ++turns) {
      if (!out_.empty()) {
        const mcp::IoResult result = stream_->write(out_);
        if (result.status != mcp::IoStatus::ok) return;
        out_.erase(0, result.size);
        continue;
      }
      char bytes[64];
      const mcp::IoResult result = stream_->read(bytes);
      if (result.status != mcp::IoStatus::ok) return;
      out_.assign(bytes, result.size);
      out_ += added_;
    }
  }

 private:
  std::optional<ReplayStream> stream_;
  std::string out_;
  std::string_view added_;
};

Outcome play_echo(const std::string& text, std::string_view added = "", const ReplayOptions& options = {}) {
  Echo echo(added);
  return play(
      text, [&](Replay& replay) { echo.begin(replay); }, [&](Replay& replay) { echo.poll(replay); }, options);
}

constexpr std::string_view hello =
    "~boot 00000007\n~poll 17\n~read 1 hello\\n\n~write 1 hel\n~write 1 lo\\n\n~poll 5\n~polls 1 3\n~read 1 x\n"
    "~write +2 1 x\n~poll 1\n";

TEST(Replay, PlaysTheSameProgram) {
  const Outcome outcome = play_echo(trace("~poll 17\n~read 1 hello\\n\n~write 1 hel\n~write 1 lo\\n\n~poll 5\n"));
  EXPECT_EQ(outcome.status, Replay::same);
  EXPECT_TRUE(outcome.has_ended);
  EXPECT_EQ(outcome.report, "replay: no difference in 5 steps\n");
}

TEST(Replay, GivesTheTimeOfEachPoll) {
  std::string times;
  const Outcome outcome =
      play(trace("~boot 00000007\n~poll 4294967290\n~polls 5 3\n~poll 1\n"), {}, [&](Replay& replay) {
        EXPECT_EQ(replay.boot_id(), 7U);
        const mcp::Millis now = replay.now();
        if (!replay.has_ended()) times += std::to_string(now) + " ";
      });
  EXPECT_EQ(times, "4294967290 4294967295 4 9 10 ");
  EXPECT_EQ(outcome.steps, 4U);
}

TEST(Replay, ShowsAnotherByte) {
  const Outcome outcome = play_echo(trace("~poll 17\n~read 1 hello\\n\n~poll 3\n~write 1 he11o\\n\n"));
  EXPECT_EQ(outcome.status, Replay::different);
  EXPECT_EQ(outcome.report,
            "replay: step 4 of 4 (line 5 of FILE), at 20 ms: the program writes another byte, after byte 2\n"
            "  before:\n"
            "    1 ~poll 17\n"
            "    2 ~read 1 hello\\n\n"
            "    3 ~poll 3\n"
            "  recorded: ~write 1 he11o\\n\n"
            "  played:   hello\\n\n");
}

TEST(Replay, ShowsBytesThatAreMissing) {
  const Outcome outcome = play_echo(trace("~poll 17\n~read 1 hello\n~write 1 hello!\n"));
  EXPECT_EQ(outcome.status, Replay::different);
  EXPECT_NE(outcome.report.find("the program writes fewer bytes: 5\n"), std::string::npos) << outcome.report;
}

TEST(Replay, ShowsBytesThatTheDeviceDidNotWrite) {
  const Outcome outcome = play_echo(trace("~poll 17\n~read 1 hello\n~write 1 hello\n~closed 1\n"), "!");
  EXPECT_EQ(outcome.status, Replay::different);
  EXPECT_NE(outcome.report.find("step 4 of 4 (line 5 of FILE), at 17 ms: the program writes to stream 1\n"),
            std::string::npos)
      << outcome.report;
  EXPECT_NE(outcome.report.find("  recorded: ~closed 1\n  played:   !\n"), std::string::npos) << outcome.report;
}

TEST(Replay, ShowsCallsThatTheProgramDoesNotMake) {
  const Outcome outcome = play_echo(trace("~poll 17\n~read 1 hello\n~write 1 hello\n~read +2 1 x\n~poll 1\n"));
  EXPECT_EQ(outcome.status, Replay::different);
  EXPECT_NE(outcome.report.find("the program polls again"), std::string::npos) << outcome.report;
  EXPECT_NE(outcome.report.find("the device first made 1 more calls without a result"), std::string::npos);
}

TEST(Replay, GivesCallsWithoutAResultInTheirOrder) {
  std::string results;
  std::optional<ReplayStream> stream;
  const auto begin = [&](Replay& replay) { stream.emplace(replay, mcp::Framing::lines); };
  const Outcome outcome = play(trace("~poll 1\n~read +2 1 a\n~poll 1\n"), begin, [&](Replay& replay) {
    static_cast<void>(replay.now());
    char byte = 0;
    for (int i = 0; i < 4; ++i) results += stream->read({&byte, 1}).status == mcp::IoStatus::ok ? '1' : '0';
  });
  EXPECT_EQ(outcome.status, Replay::same);
  EXPECT_EQ(results.substr(0, 8), "00100000");
}

// A trace has each end once, and all further calls return the same.
TEST(Replay, ReportsEndsOfStreams) {
  std::string results;
  std::optional<ReplayStream> streams[2];
  const auto begin = [&](Replay& replay) {
    for (auto& stream : streams) stream.emplace(replay, mcp::Framing::lines);
  };
  const auto note = [&](mcp::IoResult result) { results += std::to_string(static_cast<int>(result.status)); };
  const Outcome outcome =
      play(trace("~poll 1\n~wclosed 1\n~closed 1\n~failed 2\n~wfailed 2\n"), begin, [&](Replay& replay) {
        static_cast<void>(replay.now());
        if (!results.empty()) return;
        char byte = 'a';
        for (int i = 0; i < 2; ++i) note(streams[0]->write({&byte, 1}));
        for (int i = 0; i < 2; ++i) note(streams[0]->read({&byte, 1}));
        for (int i = 0; i < 2; ++i) note(streams[1]->read({&byte, 1}));
        for (int i = 0; i < 2; ++i) note(streams[1]->write({&byte, 1}));
      });
  EXPECT_EQ(outcome.report, "replay: no difference in 5 steps\n");
  EXPECT_EQ(results, "22223333");
}

TEST(Replay, RejectsABufferThatIsTooSmall) {
  std::optional<ReplayStream> stream;
  const auto begin = [&](Replay& replay) { stream.emplace(replay, mcp::Framing::lines); };
  const Outcome outcome = play(trace("~poll 1\n~read 1 ab\n"), begin, [&](Replay& replay) {
    static_cast<void>(replay.now());
    char byte = 0;
    static_cast<void>(stream->read({&byte, 1}));
  });
  EXPECT_NE(outcome.report.find("the program has less space for the bytes: 1"), std::string::npos) << outcome.report;
  EXPECT_EQ(outcome.status, Replay::different);
}

TEST(Replay, PlaysConnectionsOfClients) {
  ReplayConnection connections[2];
  std::optional<ReplayListener> listener;
  const auto begin = [&](Replay& replay) { listener.emplace(replay, connections); };
  bool is_first = true;
  const Outcome outcome = play(
      trace("~poll 1\n~accept 1 1 00000000000000ab\n~waiting +1 1\n~accept 1 2 0000000000000000\n~finish 2\n~close 2\n"
            "~close 1\n"),
      begin, [&](Replay& replay) {
        static_cast<void>(replay.now());
        if (!std::exchange(is_first, false)) return;
        mcp::Connection* const first = listener->accept();
        ASSERT_NE(first, nullptr);
        EXPECT_EQ(first->peer(), 0xABU);
        EXPECT_EQ(listener->accept(), nullptr);
        EXPECT_TRUE(listener->has_waiting());
        mcp::Connection* const second = listener->accept();
        ASSERT_NE(second, nullptr);
        second->finish();
        second->close();
        first->close();
      });
  EXPECT_EQ(outcome.report, "replay: no difference in 7 steps\n");
}

TEST(Replay, PlaysConnectionsToServers) {
  ReplayConnection connections[1];
  std::optional<ReplayDialer> dialer;
  const auto begin = [&](Replay& replay) { dialer.emplace(replay, connections); };
  bool is_first = true;
  const Outcome outcome = play(trace("~poll 1\n~dial 1 1 1883 broker\n~failed 1\n~reason 1 5\n~close 1\n"
                                     "~undialed 1 1883 broker\n~reason 1 1\n~poll 1\n"),
                               begin, [&](Replay& replay) {
                                 static_cast<void>(replay.now());
                                 if (!std::exchange(is_first, false)) return;
                                 mcp::Connection* const one = dialer->dial("broker", 1883);
                                 ASSERT_NE(one, nullptr);
                                 char byte = 0;
                                 EXPECT_EQ(one->read({&byte, 1}).status, mcp::IoStatus::failed);
                                 EXPECT_EQ(dialer->reason(), mcp::DialProblem::refused);
                                 one->close();
                                 EXPECT_EQ(dialer->dial("broker", 1883), nullptr);
                                 EXPECT_EQ(dialer->reason(), mcp::DialProblem::in_use);
                               });
  EXPECT_EQ(outcome.report, "replay: no difference in 8 steps\n");
}

TEST(Replay, PlaysServicesAndValues) {
  std::string code(32, 'c');
  std::optional<ReplayEntropy> entropy;
  std::optional<ReplayHmac> hmac;
  std::optional<ReplayWallClock> clock;
  const auto begin = [&](Replay& replay) {
    entropy.emplace(replay);
    hmac.emplace(replay);
    clock.emplace(replay);
  };
  bool is_first = true;
  const Outcome outcome = play(trace("~poll 1\n~entropy \\x01\\x02\n~noentropy 2\n~key 32\n~code " + code +
                                     "\n~nocode\n~hidden\n~utc 99\n~value \\x2a\\x00\\x00\\x00\n~poll 1\n"),
                               begin, [&](Replay& replay) {
                                 static_cast<void>(replay.now());
                                 if (!std::exchange(is_first, false)) return;
                                 std::uint8_t bytes[32] = {};
                                 EXPECT_TRUE(entropy->fill({bytes, 2}));
                                 EXPECT_EQ(bytes[1], 2U);
                                 EXPECT_FALSE(entropy->fill({bytes, 2}));
                                 EXPECT_TRUE(entropy->fill(bytes));
                                 EXPECT_EQ(bytes[31], 0xFFU);
                                 EXPECT_TRUE(hmac->finish(bytes));
                                 EXPECT_EQ(bytes[31], 'c');
                                 EXPECT_FALSE(hmac->finish(bytes));
                                 EXPECT_TRUE(hmac->finish(bytes));
                                 EXPECT_NE(bytes[31], 'c');
                                 EXPECT_EQ(clock->utc_ms(), 99U);
                                 EXPECT_EQ(ring.value(std::uint32_t{7}), 42U);
                               });
  EXPECT_EQ(outcome.report, "replay: no difference in 10 steps\n");
}

/// Each service called while the device did something else.
TEST(Replay, ShowsOtherCalls) {
  ReplayConnection connections[1];
  const std::string text = trace("~poll 1\n~finish 9\n");
  const auto report_of = [&](const std::function<void(Replay&)>& call) {
    bool is_first = true;
    const Outcome outcome = play(text, {}, [&](Replay& replay) {
      static_cast<void>(replay.now());
      if (std::exchange(is_first, false)) call(replay);
    });
    EXPECT_EQ(outcome.status, Replay::different);
    EXPECT_NE(outcome.report.find("  recorded: ~finish 9\n"), std::string::npos) << outcome.report;
    return outcome.report.substr(outcome.report.find("ms: ") + 4,
                                 outcome.report.find('\n') - outcome.report.find("ms: ") - 4);
  };
  std::uint8_t bytes[32] = {};
  EXPECT_EQ(report_of([&](Replay& r) {
              EXPECT_FALSE(ReplayEntropy(r).fill({bytes, 3}));
            }),
            "the program takes random bytes: 3");
  EXPECT_EQ(report_of([&](Replay& r) { EXPECT_FALSE(ReplayHmac(r).finish(bytes)); }),
            "the program computes a code, bytes 32");
  EXPECT_EQ(report_of([&](Replay& r) { EXPECT_EQ(ReplayWallClock(r).utc_ms(), 0U); }),
            "the program reads the time of day, after steps: 1");
  EXPECT_EQ(report_of([&](Replay&) { EXPECT_EQ(ring.value(std::uint8_t{7}), 7U); }),
            "the program reads a value, of this number of bytes 1");
  EXPECT_EQ(report_of([&](Replay& r) { EXPECT_EQ(ReplayListener(r, connections).accept(), nullptr); }),
            "the program accepts a connection of listener 0");
  EXPECT_EQ(report_of([&](Replay& r) { EXPECT_FALSE(ReplayListener(r, connections).has_waiting()); }),
            "the program asks whether a client waits at listener 0");
  EXPECT_EQ(report_of([&](Replay& r) { EXPECT_EQ(ReplayDialer(r, connections).dial("a", 7), nullptr); }),
            "the program dials another host, or at another time, port 7");
}

TEST(Replay, RejectsFilesThatItCannotPlay) {
  const Outcome damaged = play_echo("~mote trace 1\n~poll x\n~end 1\n");
  EXPECT_EQ(damaged.status, Replay::unusable);
  EXPECT_EQ(damaged.report, "replay: FILE, line 2: the line has invalid fields.\n");
  const Outcome lost = play_echo(trace("~poll 1\n", "~mote trace 1 first\n"));
  EXPECT_EQ(lost.status, Replay::unusable);
  EXPECT_NE(lost.report.find("has overwritten the start of the device"), std::string::npos);
  const Outcome started = play_echo(trace("~poll 1\n~boot 00000001\n~poll 1\n", "~mote trace 1 first\n"));
  EXPECT_EQ(started.status, Replay::same);
}

TEST(Replay, EndsWhereRecordsAreMissing) {
  const Outcome lost = play_echo(trace("~poll 1\n~lost\n~read 1 a\n"));
  EXPECT_EQ(lost.status, Replay::same);
  EXPECT_EQ(lost.report, "replay: no difference in 1 steps, up to line 3: records after it are missing\n");
  EXPECT_EQ(play_echo(trace("~poll 1\n~pause\n~resume\n~read 1 a\n")).steps, 1U);
}

std::string posted;

TEST(Replay, PlaysPostsBetweenTheirCalls) {
  posted.clear();
  const std::string text = trace("~poll 1\n~read 1 a\n~updated 3\n~write 1 a\n~woken +1 2\n~poll 1\n");
  const Outcome without = play_echo(text);
  EXPECT_EQ(without.status, Replay::same);
  EXPECT_EQ(without.report,
            "replay: no difference in 2 steps, up to line 4: this program plays no posts of other tasks\n");
  const Outcome with = play_echo(text, "", {.post = [](const mcp::posix::TraceStep& step) {
                                   posted += (step.verb == mcp::posix::TraceVerb::updated ? "row " : "slot ") +
                                             std::to_string(step.values[0]) + " ";
                                 }});
  EXPECT_EQ(with.report, "replay: no difference in 6 steps\n");
  EXPECT_EQ(posted, "row 3 slot 2 ");
}

TEST(Replay, PlaysPostsInTheirOrder) {
  posted.clear();
  const Outcome outcome =
      play_echo(trace("~poll 1\n~updated 1\n~updated 2\n~updated 3\n~poll 1\n"), "",
                {.post = [](const mcp::posix::TraceStep& step) { posted += std::to_string(step.values[0]) + " "; }});
  EXPECT_EQ(outcome.steps, 5U);
  EXPECT_EQ(posted, "1 2 3 ");
}

// Each would take a stack frame if one step called the next.
TEST(Replay, PlaysAnyNumberOfPosts) {
  std::string lines = "~poll 1\n";
  for (int i = 0; i < 300'000; ++i) lines += i % 2 == 0 ? "~reason 1 1\n" : "~updated 1\n";
  const Outcome outcome = play_echo(trace(lines), "", {.post = [](const mcp::posix::TraceStep&) {}});
  EXPECT_EQ(outcome.report, "replay: no difference in 300001 steps\n");
}

TEST(Replay, PrintsEachStep) {
  const Outcome outcome = play_echo(trace("~poll 17\n~read 1 a\n~write 1 a\n"), "", {.prints_steps = true});
  EXPECT_EQ(outcome.report,
            "1 at 17 ms: ~poll 17\n2 at 17 ms: ~read 1 a\n3 at 17 ms: ~write 1 a\nreplay: no difference in 3 steps\n");
}

// The secrets of a trace are hidden, and a program that plays it may write them in the open.
TEST(Replay, HidesSecretsBeforeItCompares) {
  const Outcome outcome = play_echo(trace("~poll 17\n~read 1 {\"id\":\n~write 1 {\"id\":{\"password\":\"xxxx\"}}\n"),
                                    "{\"password\":\"abcd\"}}");
  EXPECT_EQ(outcome.report, "replay: no difference in 3 steps\n");
}

// Each byte of a trace is changed: the replay says that the file is damaged, or where the program differs, and ends.
TEST(Replay, EndsWithEachChangedByte) {
  const std::string text = trace(hello);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed(text);
      changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1U << bit));
      const Outcome outcome = play_echo(changed);
      EXPECT_TRUE(outcome.has_ended) << changed;
      EXPECT_TRUE(outcome.report.starts_with("replay: ")) << outcome.report;
    }
  }
}

TEST(Replay, EndsWithEachMissingLine) {
  const std::string text = trace(hello);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    std::string changed(text);
    changed.erase(at, text.find('\n', at) + 1 - at);
    EXPECT_EQ(play_echo(changed).status, Replay::unusable) << changed;
  }
}

using ReplayDeathTest = testing::Test;

TEST(ReplayDeathTest, NamesTheStepOfACrash) {
  const std::string text = trace("~poll 17\n~read 1 crash\n~poll 5\n");
  const auto crash = [&] {
    Replay replay;
    replay.open_text("FILE", text, ring, {});
    ReplayStream stream(replay, mcp::Framing::lines);
    static_cast<void>(replay.now());
    char bytes[8];
    static_cast<void>(stream.read(bytes));
    std::abort();
  };
  EXPECT_DEATH(crash(),
               "signal 6 stops the program after step 2 of 3 .before line 4., at 17 ms\n  after: ~read 1 crash\n");
}

TEST(ReplayDeathTest, ExitsWithItsStatus) {
  const auto open = [&](const char* path) {
    Replay replay;
    replay.open(path, ring, {});
    static_cast<void>(replay.now());
  };
  EXPECT_EXIT(open("/nonexistent/file"), testing::ExitedWithCode(2), "cannot read /nonexistent/file: No such file");
  EXPECT_EXIT(open("/dev/null"), testing::ExitedWithCode(2), "cannot read /dev/null: ");
  EXPECT_EXIT(open("/tmp"), testing::ExitedWithCode(2), "cannot read /tmp: ");
}

}  // namespace
