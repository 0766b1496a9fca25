// SPDX-License-Identifier: Apache-2.0
// Every conversation of this folder, in every way that its bytes can travel and in every memory that matters.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "conversations/conversation.hpp"

namespace {

using test::Conversation;
using test::Json;
using test::Player;
using test::Sizes;
using test::Way;
using Event = Conversation::Event;
using Kind = Event::Kind;

class Conversations : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    conversation_ = std::make_unique<Conversation>(GetParam());
    conversation_->run();
    if (HasFailure()) GTEST_SKIP() << "the conversation itself is not as its file says";
  }

  [[nodiscard]] const mcp::Definition& definition() const { return conversation_->definition(); }
  [[nodiscard]] std::size_t longest_line() const { return conversation_->longest_line(); }
  [[nodiscard]] std::vector<Event> events() const { return conversation_->events(); }

  [[nodiscard]] test::Record record(std::string_view way) const { return conversation_->record(way); }

  // Replays the events. The server must send the same bytes.
  void replay(const Sizes& sizes, const Way& way, std::optional<test::Record> record = std::nullopt) {
    replay(definition(), sizes, way, record);
  }
  void replay(const mcp::Definition& definition, const Sizes& sizes, const Way& way,
              std::optional<test::Record> record = std::nullopt) {
    Player player(definition, sizes, way);
    if (record) player.write_to(*record);
    for (const Event& event : events()) {
      if (event.kind == Kind::list) continue;
      const bool action = event.kind == Kind::action;
      ASSERT_EQ(action ? player.act(event.input) : player.deliver(player.line(event.input)), event.output)
          << event.input;
    }
    player.end();
  }

  // The same with a transmit buffer in which some responses do not fit.
  void replay_in_window(std::size_t transmit_buffer) {
    const std::string way = "window of " + std::to_string(transmit_buffer) + " bytes";
    SCOPED_TRACE(way);
    Player player(definition(), {.receive_size = longest_line(), .transmit_size = transmit_buffer});
    player.write_to(record(way));
    for (const Event& event : events()) {
      if (event.kind == Kind::page) continue;
      if (event.kind == Kind::list) {
        conversation_->run_list(player, *event.step);
        continue;
      }
      const std::vector<std::string> output =
          event.kind == Kind::action ? player.act(event.input) : player.deliver(player.line(event.input));
      compare_all(output, event.output, transmit_buffer);
      if (HasFailure()) FAIL() << event.input;
    }
    player.end();
  }

  // A log message that precedes the response of a stateless request ends with spaces. It is lost, or replaced by the
  // number of lost ones, if it does not fit beside the response.
  static void compare_all(const std::vector<std::string>& came, const std::vector<std::string>& wanted,
                          std::size_t transmit_buffer) {
    std::size_t at = 0;
    for (const std::string& line : wanted) {
      const bool is_log = line.ends_with(' ');
      if (is_log && (at == came.size() || !came[at].ends_with(' '))) continue;
      ASSERT_LT(at, came.size()) << line;
      if (!is_log) compare(came[at], line, transmit_buffer);
      ++at;
    }
    EXPECT_EQ(at, came.size());
  }

  static void compare(const std::string& came, const std::string& wanted, std::size_t transmit_buffer) {
    const bool fits = wanted.size() <= transmit_buffer || test::is_streamed(wanted);
    // A history leaves out values when the space is short, not when there is none.
    if (fits && (came == wanted || !test::is_history(wanted))) {
      EXPECT_EQ(came, wanted);
      return;
    }
    EXPECT_LE(came.size(), transmit_buffer);
    const std::optional<Json> answer = test::parse_json(came);
    ASSERT_TRUE(answer) << came;
    if (test::is_history(came)) {
      EXPECT_NE(came.find(R"(,\"truncated\":true})"), std::string::npos) << came;
      return;
    }
    compare_replaced(*answer, *test::parse_json(wanted));
  }

  // The server sent `came` instead of the too long `wanted`. An error keeps its code.
  static void compare_replaced(const Json& came, const Json& wanted) {
    if (wanted.kind == Json::Kind::array && came.kind == Json::Kind::array) {
      ASSERT_EQ(came.items.size(), wanted.items.size()) << came.raw;
      for (std::size_t i = 0; i < came.items.size(); ++i) {
        if (!(came.items[i] == wanted.items[i])) compare_replaced(came.items[i], wanted.items[i]);
      }
      return;
    }
    const bool batch = wanted.kind == Json::Kind::array;  // not even its errors fit
    const std::string code = batch ? "" : wanted.text_at("error.code");
    // These say nothing without their data.
    const bool kept = !code.empty() && code != "-32042" && code != "-32021";
    EXPECT_EQ(came.text_at("error.code"), kept ? code : "-32603") << came.raw;
    EXPECT_NE(came.text_at("error.message"), "");
    EXPECT_EQ(came.text_at("id"), batch ? "" : wanted.text_at("id")) << came.raw;
  }

 private:
  std::unique_ptr<Conversation> conversation_;

 public:
  [[nodiscard]] std::size_t least_window() const { return conversation_->least_window(); }
  // Where each response fits, and lists come in pages.
  [[nodiscard]] std::size_t smallest_window() const {
    std::size_t size = least_window();
    for (const Event& event : conversation_->events()) {
      if (event.kind == Kind::list || event.kind == Kind::page) continue;
      for (const std::string& line : event.output) size = test::is_streamed(line) ? size : std::max(size, line.size());
    }
    return size;
  }
};

constexpr Sizes ample{.receive_size = 200'000, .transmit_size = 65'536};

TEST_P(Conversations, AsInTheFile) { replay(ample, {}, record("as the file says")); }

// A client must not see a difference between coroutines and jobs.
TEST_P(Conversations, CoroutinesAsJobs) {
  if (const mcp::Definition* const twin = test::find_twin(definition())) replay(*twin, ample, {});
}

TEST_P(Conversations, WithCrLf) { replay(ample, {.line_end = "\r\n"}); }

TEST_P(Conversations, ByteByByte) {
  replay({.receive_size = longest_line(), .transmit_size = ample.transmit_size}, {.byte_by_byte = true});
}

TEST_P(Conversations, AllLinesAtOnce) {
  Player player(definition(), {.receive_size = longest_line(), .transmit_size = ample.transmit_size});
  std::string bytes;
  std::vector<std::string> wanted;
  const auto flush = [&] {
    EXPECT_EQ(player.deliver(bytes), wanted);
    bytes.clear();
    wanted.clear();
  };
  for (const Event& event : events()) {
    if (event.kind == Kind::action) {
      flush();
      EXPECT_EQ(player.act(event.input), event.output);
    } else if (event.kind != Kind::list) {
      bytes += player.line(event.input);
      wanted.insert(wanted.end(), event.output.begin(), event.output.end());
    }
    // A client can send an input response only after the input request.
    if (definition().tools.uses.asks || definition().tools.uses.knows_client) flush();
  }
  flush();
  player.end();
}

TEST_P(Conversations, CutAtEveryByte) {
  // In longer lines, most bytes are equal.
  const std::size_t cuts = std::min<std::size_t>(longest_line() + 1, 700);
  for (std::size_t cut = 1; cut < cuts && !HasFailure(); ++cut) {
    SCOPED_TRACE("cut at byte " + std::to_string(cut));
    replay({.receive_size = longest_line(), .transmit_size = 20'000}, {.cut = cut});
  }
}

TEST_P(Conversations, SlowReader) {
  for (std::size_t limit = 1; limit <= 3; ++limit) replay(ample, {.write_limit = limit});
}

// The largest message and the largest answer fit to the byte; lists come in pages.
TEST_P(Conversations, SmallestMemory) { replay_in_window(smallest_window()); }

// One byte less than each answer needs: it becomes an error, and nothing else changes. Streamed ones come whole,
// however the windows cut them.
TEST_P(Conversations, TransmitBufferTooSmall) {
  std::set<std::size_t> sizes;
  for (const Event& event : events()) {
    if (event.kind == Kind::list || event.kind == Kind::page) continue;
    for (const std::string& line : event.output) {
      sizes.insert(line.size() - 1);
      for (std::size_t i = 0; i < 8 && test::is_streamed(line); ++i) sizes.insert(least_window() + i);
    }
  }
  for (const std::size_t size : sizes) {
    if (size >= least_window() && !HasFailure()) replay_in_window(size);
  }
}

bool is_response(const Json& message) {
  const Json* const method = message.find("method");
  const bool has_method = method != nullptr && method->kind == Json::Kind::string;
  return !has_method && (message.find("result") != nullptr || message.find("error") != nullptr);
}

// Before each line, the client sends the same line with spaces, one byte too long. The server sends an error under its
// id, and nothing else changes. A response gets no error. This one names no input request, because that would end.
TEST_P(Conversations, MessageTooLong) {
  const std::size_t size = longest_line();
  Player player(definition(), {.receive_size = size, .transmit_size = ample.transmit_size});
  for (const Event& event : events()) {
    if (event.kind == Kind::list) continue;
    if (event.kind == Kind::action) {
      ASSERT_EQ(player.act(event.input), event.output);
      continue;
    }
    const std::optional<Json> message = test::parse_json(event.input);
    if (player.waits()) {
      // The server reads nothing while it sends a line.
    } else if (message && is_response(*message)) {
      const std::string begin = R"({"jsonrpc":"2.0","id":1000000000,"result":{})";
      const std::string blanks(size + 1 - begin.size(), ' ');
      ASSERT_EQ(player.deliver(player.line(begin + blanks + "}")), std::vector<std::string>{});
    } else if (message && message->kind == Json::Kind::object && event.input[0] == '{') {
      const std::string blanks(size + 1 - event.input.size(), ' ');
      const std::vector<std::string> output = player.deliver(player.line("{" + blanks + event.input.substr(1)));
      ASSERT_EQ(output.size(), 1U);
      const std::optional<Json> rejection = test::parse_json(output[0]);
      ASSERT_TRUE(rejection);
      const Json* const id = message->find("id");
      const bool usable = id != nullptr && id->raw.size() <= 40 &&
                          (id->kind == Json::Kind::string ||
                           (id->kind == Json::Kind::number && id->raw.find_first_of(".eE") == std::string::npos));
      EXPECT_EQ(rejection->find("id") ? rejection->find("id")->raw : "none", usable ? id->raw : "none");
      EXPECT_EQ(rejection->text_at("error.code"), "-32600");
      EXPECT_NE(rejection->text_at("error.message").find(std::to_string(size)), std::string::npos) << output[0];
    }
    ASSERT_EQ(player.deliver(player.line(event.input)), event.output) << event.input;
  }
  player.end();
}

std::string name_of(const testing::TestParamInfo<std::string>& file) {
  std::string name = std::filesystem::path(file.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Conversations, testing::ValuesIn(test::conversation_files()), name_of);

}  // namespace
