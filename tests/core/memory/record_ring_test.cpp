// SPDX-License-Identifier: Apache-2.0
// Compares the ring with a model that keeps everything: the ring holds the newest records, complete.
#include "mcp/memory/record_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using mcp::memory::RecordRing;

struct Kept {
  std::uint32_t tag;
  std::string name;
  std::string text;
};

// Every record since `oldest` is as it was pushed.
void expect_newest(const RecordRing& ring, const std::vector<Kept>& pushed) {
  ASSERT_EQ(ring.next(), pushed.size());
  ASSERT_LT(ring.oldest(), ring.next()) << "the last record is always held";
  for (std::uint32_t i = ring.oldest(); i != ring.next(); ++i) {
    const RecordRing::Record record = ring.read(i);
    ASSERT_EQ(record.tag, pushed[i].tag);
    ASSERT_EQ(record.name, pushed[i].name);
    ASSERT_EQ(record.text, pushed[i].text);
  }
}

TEST(RecordRing, HoldsTheNewestRecords) {
  std::mt19937 random(1);
  for (const std::size_t size : {64U, 65U, 100U, 256U}) {
    const std::unique_ptr<char[]> bytes(new char[size]);
    RecordRing::State state{};
    RecordRing ring({bytes.get(), size}, state);
    std::vector<Kept> pushed;
    for (int i = 0; i < 5000; ++i) {
      Kept record{static_cast<std::uint32_t>(random() & 0xFF'FFFFU), std::string(random() % 8, 'n'),
                  std::string(random() % (size - 14), 't')};
      for (char& c : record.text) c = static_cast<char>('a' + random() % 26);
      ring.push(record.tag, record.name, record.text);
      pushed.push_back(record);
      expect_newest(ring, pushed);
      if (HasFatalFailure()) return;
    }
  }
}

// Every sequence of records with the critical sizes for this ring: none, one byte, a half, just less than all, all,
// more. The model keeps everything, and returns how many records the ring must still hold.
class Explorer {
 public:
  explicit Explorer(std::size_t size, int calls) : size_(size), bytes_(new char[size]) { explore(calls); }
  [[nodiscard]] std::size_t states() const { return states_; }

 private:
  void explore(int calls_left) {
    ++states_;
    if (calls_left == 0 || testing::Test::HasFailure()) return;
    const std::string bytes(bytes_.get(), size_);
    const RecordRing::State state = state_;
    const std::size_t room = size_ - RecordRing::header_size;
    for (const std::size_t text : {std::size_t{0}, std::size_t{1}, room / 2, room / 2 + 1, room - 1, room, room + 1}) {
      for (const std::size_t name : {std::size_t{0}, std::size_t{3}}) {
        push(name, text);
        explore(calls_left - 1);
        pushed_.pop_back();
        std::copy(bytes.begin(), bytes.end(), bytes_.get());
        state_ = state;
      }
    }
  }

  void push(std::size_t name_size, std::size_t text_size) {
    RecordRing ring({bytes_.get(), size_}, state_);
    const std::size_t number = pushed_.size();
    Kept record{static_cast<std::uint32_t>(number), std::string(name_size, static_cast<char>('A' + number)),
                std::string(text_size, static_cast<char>('a' + number))};
    ring.push(record.tag, record.name, record.text);
    const std::size_t room = size_ - RecordRing::header_size;
    record.name.resize(std::min(record.name.size(), room));
    record.text.resize(std::min(record.text.size(), room - record.name.size()));
    pushed_.push_back(std::move(record));
    expect_newest(ring, pushed_);
    // Records are in one piece. In the worst case, the space before the newest and at the end is too small for one of
    // its size.
    std::size_t held = 0;
    for (std::size_t i = ring.oldest(); i < pushed_.size(); ++i) held += size_of(pushed_[i]);
    ASSERT_LE(held, size_);
    if (ring.oldest() == 0) return;
    ASSERT_GT(held + size_of(pushed_[ring.oldest() - 1]) + 2 * size_of(pushed_.back()), size_) << "dropped too early";
  }

  static std::size_t size_of(const Kept& record) {
    return RecordRing::header_size + record.name.size() + record.text.size();
  }

  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
  RecordRing::State state_{};
  std::vector<Kept> pushed_;
  std::size_t states_ = 0;
};

TEST(RecordRing, EverySequenceOfRecordsAgreesWithTheModel) {
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
  constexpr int calls = 5;
#else
  constexpr int calls = 4;
#endif
  for (const std::size_t size : {12U, 16U, 17U, 31U, 32U, 33U}) EXPECT_GT(Explorer(size, calls).states(), 40'000U);
}

TEST(RecordRing, UsesAllOfItsBytes) {
  const std::unique_ptr<char[]> bytes(new char[70]);
  RecordRing::State state{};
  RecordRing ring({bytes.get(), 70}, state);
  for (std::uint32_t i = 1; i <= 20; ++i) {
    ring.push(0, "", "12345678");  // 14 bytes each: five fill it
    EXPECT_EQ(ring.next() - ring.oldest(), i < 5 ? i : 5U);
  }
}

// A caller that drops records itself, to count them, sees when it must drop one.
TEST(RecordRing, ReportsWhenARecordMustBeDropped) {
  const std::unique_ptr<char[]> bytes(new char[64]);
  RecordRing::State state{};
  RecordRing ring({bytes.get(), 64}, state);
  std::mt19937 random(2);
  for (int i = 0; i < 5000; ++i) {
    const std::string long_text(random() % 80, 't');
    std::string_view name = "name";
    std::string_view text = long_text;
    const std::size_t size = ring.cut(name, text);
    EXPECT_EQ(size, RecordRing::header_size + name.size() + text.size());
    EXPECT_EQ(text.size(), std::min<std::size_t>(long_text.size(), 64 - 6 - 4));
    while (!ring.has_space(size)) ring.drop_oldest();
    const std::uint32_t oldest = ring.oldest();
    ring.push(7, "name", long_text);
    ASSERT_EQ(ring.oldest(), oldest) << "nothing else had to go";
  }
}

TEST(RecordRing, KeepsTheStartOfATooLongRecord) {
  const std::unique_ptr<char[]> bytes(new char[64]);
  RecordRing::State state{};
  RecordRing ring({bytes.get(), 64}, state);
  ring.push(1, "name", std::string(1000, 'x'));
  EXPECT_EQ(ring.read(0).text, std::string(64 - 6 - 4, 'x'));
  ring.push(2, std::string(1000, 'n'), "lost");
  EXPECT_EQ(ring.oldest(), 1U);
  EXPECT_EQ(ring.read(1).name, std::string(58, 'n'));
  EXPECT_EQ(ring.read(1).text, "");
}

}  // namespace
