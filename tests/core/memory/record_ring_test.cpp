// The ring against a model that keeps everything: what it holds are the newest records, whole.
#include "memory/record_ring.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using mcp::memory::RecordRing;

struct Kept {
  std::uint8_t tag;
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

TEST(RecordRing, HoldsTheNewestWhateverComes) {
  std::mt19937 random(1);
  for (const std::size_t size : {64U, 65U, 100U, 256U}) {
    const std::unique_ptr<char[]> bytes(new char[size]);
    RecordRing::State state{};
    RecordRing ring({bytes.get(), size}, state);
    std::vector<Kept> pushed;
    for (int i = 0; i < 5000; ++i) {
      Kept record{static_cast<std::uint8_t>(random()), std::string(random() % 8, 'n'),
                  std::string(random() % (size - 12), 't')};
      for (char& c : record.text) c = static_cast<char>('a' + random() % 26);
      ring.push(record.tag, record.name, record.text);
      pushed.push_back(record);
      expect_newest(ring, pushed);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RecordRing, UsesItsRoom) {
  const std::unique_ptr<char[]> bytes(new char[60]);
  RecordRing::State state{};
  RecordRing ring({bytes.get(), 60}, state);
  for (std::uint32_t i = 1; i <= 20; ++i) {
    ring.push(0, "", "12345678");  // 12 bytes each: five fill it
    EXPECT_EQ(ring.next() - ring.oldest(), i < 5 ? i : 5U);
  }
}

TEST(RecordRing, KeepsTheStartOfWhatIsTooLong) {
  const std::unique_ptr<char[]> bytes(new char[64]);
  RecordRing::State state{};
  RecordRing ring({bytes.get(), 64}, state);
  ring.push(1, "name", std::string(1000, 'x'));
  EXPECT_EQ(ring.read(0).text, std::string(64 - 4 - 4, 'x'));
  ring.push(2, std::string(1000, 'n'), "lost");
  EXPECT_EQ(ring.oldest(), 1U);
  EXPECT_EQ(ring.read(1).name, std::string(60, 'n'));
  EXPECT_EQ(ring.read(1).text, "");
}

}  // namespace
