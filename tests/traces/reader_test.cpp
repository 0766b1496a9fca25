// SPDX-License-Identifier: Apache-2.0
// Texts of traces: what is a step, what is skipped, and what is damaged.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "mcp/ports/posix_trace_reader.hpp"

namespace {

using mcp::posix::TraceBytes;
using mcp::posix::TraceReader;
using mcp::posix::TraceStep;
using mcp::posix::TraceVerb;

constexpr std::string_view sample =
    "~mote trace 1\n"
    "~boot 0123cdef\n"
    "~poll 17\n"
    "~read 1 {\"id\":1}\\n\n"
    "~read.more 2 ab\\\\\\x00\n"
    "~read 2 c\\r\\t\\xff\n"
    "~write +3 1 {\"id\":1}\\n\n"
    "~wrote 1 400 0123abcd\n"
    "~accept 1 2 00000000000000ff\n"
    "~waiting 1\n"
    "~dial 2 3 8883 broker.example\n"
    "~undialed 2 8883 broker.example\n"
    "~reason 2 5\n"
    "~updated 3\n"
    "~utc 1790000000000\n"
    "~entropy \\x2b2+ 3\n"
    "~value +1 \\x05\n"
    "~nocode\n"
    "~polls 1 250\n"
    "~end 18\n";

std::string bytes_of(const TraceStep& step) {
  std::string text;
  TraceBytes bytes(step);
  for (char byte = 0; bytes.next(byte);) text += byte;
  return text;
}

std::vector<TraceStep> steps_of(std::string_view text, std::size_t boot = 0) {
  TraceReader reader;
  EXPECT_TRUE(reader.open(text, boot)) << reader.line() << ": " << reader.problem();
  std::vector<TraceStep> steps;
  for (TraceStep step; reader.next(step);) steps.push_back(step);
  EXPECT_EQ(steps.size(), reader.steps());
  return steps;
}

std::string problem_of(const std::string& text) {
  TraceReader reader;
  return reader.open(text) ? "" : std::to_string(reader.line()) + ": " + reader.problem();
}

TEST(TraceReader, ReadsEachKindOfLine) {
  const std::vector<TraceStep> steps = steps_of(sample);
  ASSERT_EQ(steps.size(), 17U);
  EXPECT_EQ(steps[0].values[0], 0x0123'CDEFU);
  EXPECT_EQ(steps[1].verb, TraceVerb::poll);
  EXPECT_EQ(steps[1].values[0], 17U);
  EXPECT_EQ(bytes_of(steps[2]), "{\"id\":1}\n");
  EXPECT_EQ(bytes_of(steps[3]), std::string("ab\\\0c\r\t\xFF", 8));
  EXPECT_EQ(steps[3].size, 8U);
  EXPECT_EQ(steps[3].values[0], 2U);
  EXPECT_EQ(steps[4].blocked, 3U);
  EXPECT_EQ(steps[4].values[0], 1U);
  EXPECT_EQ(steps[5].values[2], 0x0123'ABCDU);
  EXPECT_EQ(steps[6].values[1], 2U);
  EXPECT_EQ(steps[6].values[2], 255U);
  EXPECT_EQ(bytes_of(steps[8]), "broker.example");
  EXPECT_EQ(steps[8].values[2], 8883U);
  EXPECT_EQ(steps[11].values[0], 3U);
  EXPECT_EQ(steps[12].values[0], 1'790'000'000'000U);
  EXPECT_EQ(bytes_of(steps[13]), "+2+ 3");
  EXPECT_EQ(steps[14].blocked, 1U);
  EXPECT_EQ(bytes_of(steps[14]), "\x05");
  EXPECT_EQ(steps[16].values[1], 250U);
}

TEST(TraceReader, SkipsLinesOfAnotherKind) {
  std::string text = "# mote boot 01234567\r\n{\"jsonrpc\":\"2.0\"}\n\nmote: fault pc=0x00000000\n";
  for (std::size_t at = 0; at < sample.size();) {
    const std::size_t end = sample.find('\n', at) + 1;
    text += sample.substr(at, end - at - 1);
    text += "\r\n# a text for people\n";
    at = end;
  }
  text += "more text\n~not a line of the trace\n";
  EXPECT_EQ(steps_of(text).size(), 17U);
  EXPECT_EQ(bytes_of(steps_of(text)[3]), std::string("ab\\\0c\r\t\xFF", 8));
}

TEST(TraceReader, ReadsTheLastTraceOfAFile) {
  const std::string text = std::string("~mote trace 1\n~poll 1\n~wrong\n") + std::string(sample);
  EXPECT_EQ(steps_of(text).size(), 17U);
}

TEST(TraceReader, SelectsAStartOfTheDevice) {
  const std::string text =
      "~mote trace 1 first\n~read 1 x\n~boot 00000001\n~poll 1\n~poll 2\n~boot 00000002\n~poll 3\n~end 6\n";
  EXPECT_EQ(steps_of(text).size(), 2U);
  EXPECT_EQ(steps_of(text)[0].values[0], 2U);
  EXPECT_EQ(steps_of(text, 1).size(), 3U);
  EXPECT_EQ(steps_of(text, 1)[0].values[0], 1U);
  TraceReader reader;
  EXPECT_FALSE(reader.open(text, 3));
  EXPECT_STREQ(reader.problem(), "the trace has fewer starts of the device");
  ASSERT_TRUE(reader.open(text));
  EXPECT_FALSE(reader.lost_beginning());
  EXPECT_EQ(reader.boots(), 2U);
  ASSERT_TRUE(reader.open("~mote trace 1 first\n~read 1 x\n~end 1\n"));
  EXPECT_TRUE(reader.lost_beginning());
}

TEST(TraceReader, NamesTheDamagedLine) {
  const std::string begin = "text\n~mote trace 1\n";
  EXPECT_EQ(problem_of(""), "1: the text has no line '~mote trace 1'");
  EXPECT_EQ(problem_of("~mote trace 2\n~end 0\n"), "1: this program reads version 1 of the format only");
  EXPECT_EQ(problem_of("~mote trace 1 last\n~end 0\n"), "1: the title has an unknown word");
  EXPECT_EQ(problem_of(begin), "2: the text ends before the line '~end'");
  EXPECT_EQ(problem_of(begin + "~reed 1 x\n"), "3: the line has an unknown first word");
  EXPECT_EQ(problem_of(begin + "~\n"), "3: the line has an unknown first word");
  EXPECT_EQ(problem_of(begin + "~poll 1\n~end 2\n"), "4: lines are missing before this line");
  EXPECT_EQ(problem_of(begin + "~poll.more 1\n"), "3: the line has an unknown first word");
  for (const char* const line :
       {"read 1",       "read 1 ",      "read x y",   "read 01 y",     "read 4294967296 y", "read 1 \\",
        "read 1 \\x0",  "read 1 \\x0G", "read 1 \\q", "read 1 a\x01",  "read 1 a\xFF",      "poll",
        "poll ",        "poll -1",      "poll 1 2",   "boot 0123CDEF", "boot 123",          "utc 18446744073709551616",
        "accept 1 2 3", "post 1",       "post  1",    "nocode 1",      "read +x 1 y"}) {
    const std::string problem = problem_of(begin + "~" + line + "\n~end 1\n");
    EXPECT_TRUE(problem.starts_with("3: the line has ")) << line << ": " << problem;
  }
  EXPECT_EQ(problem_of(begin + "~code abc\n"), "3: a code has 32 bytes");
  for (const char* const count : {"0", "65536", "4294967295"})
    EXPECT_EQ(problem_of(begin + "~polls 1 " + count + "\n~end 1\n"), "3: the number of polls is not 1 to 65535");
  EXPECT_EQ(problem_of(begin + "~polls 1 65535\n~undialed 1 80 \n~end 2\n"), "");
  EXPECT_EQ(problem_of(begin + "~read.more 1 a\n~read 2 b\n~end 2\n"), "4: the line before has no continuation");
  EXPECT_EQ(problem_of(begin + "~read.more 1 a\n~write 1 b\n~end 2\n"), "4: the line before has no continuation");
  EXPECT_EQ(problem_of(begin + "~read.more 1 a\n~end 1\n"), "4: the line before has no continuation");
}

// A client that reads too slowly gets a line that is cut, and then this mark.
TEST(TraceReader, ReadsACutBeforeLostRecords) {
  for (const std::string cut : {"", "~", "~re", "~read", "~read 1 ab\\x", "~read.more 1 ab", "~accept 1 2 00"}) {
    const std::vector<TraceStep> steps = steps_of("~mote trace 1\n~poll 1\n" + cut + "\n~lost\n~poll 2\n~end 2\n");
    ASSERT_EQ(steps.size(), 3U) << cut;
    EXPECT_EQ(steps[1].verb, TraceVerb::lost);
    EXPECT_EQ(steps[2].values[0], 2U);
  }
}

TEST(TraceReader, FindsEachCut) {
  for (std::size_t size = 0; size + 1 < sample.size(); ++size) {
    TraceReader reader;
    const std::string text(sample.substr(0, size));
    EXPECT_FALSE(reader.open(text)) << text;
    EXPECT_STRNE(reader.problem(), "");
  }
}

// No change makes it read outside, repeat without an end or read other steps than it has counted.
TEST(TraceReader, SurvivesEachChangedByte) {
  for (std::size_t at = 0; at < sample.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string text(sample);
      text[at] = static_cast<char>(text[at] ^ static_cast<char>(1U << bit));
      TraceReader reader;
      if (!reader.open(text)) {
        EXPECT_STRNE(reader.problem(), "");
        continue;
      }
      std::size_t steps = 0;
      for (TraceStep step; reader.next(step); ++steps) bytes_of(step);
      EXPECT_EQ(steps, reader.steps());
    }
  }
}

TEST(TraceReader, ReadsTenMegabytes) {
  std::string text = "~mote trace 1\n";
  std::size_t lines = 0;
  for (; text.size() < 10'000'000; ++lines) text += "~poll 5\n~read 1 " + std::string(200, 'x') + "\n";
  text += "~end " + std::to_string(2 * lines) + "\n";
  EXPECT_EQ(steps_of(text).size(), 2 * lines);
}

}  // namespace
