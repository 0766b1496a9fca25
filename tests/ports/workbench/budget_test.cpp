// SPDX-License-Identifier: Apache-2.0
// The budget of the heater: 100 s away from rest in each 400 s. The oracle adds up the times at which the fake pin is
// not low, and knows nothing of the workbench.
#include <random>

#include "ports/workbench/table.hpp"

namespace {

using namespace test;

constexpr mcp::Millis budget_ms = 100'000;
constexpr mcp::Millis window_ms = 400'000;

class WorkbenchBudget : public WorkbenchOfTable {
 protected:
  [[nodiscard]] static bool is_away() { return !is_low(heater); }

  /// Lets time pass in steps, polls after each, and keeps the state of the pin before it.
  void pass(mcp::Millis ms, mcp::Millis step_ms = 250) {
    while (ms != 0) {
      const mcp::Millis step = std::min(ms, step_ms);
      record_.push_back({step, is_away()});
      total_ms_ += step;
      now_ms += step;
      ms -= step;
      poll();
      ping(alice);
    }
  }
  /// The most time away from rest in any window that ends with a step.
  [[nodiscard]] mcp::Millis most_in_window() const {
    mcp::Millis most = 0;
    mcp::Millis away = 0;
    mcp::Millis length = 0;
    std::size_t first = 0;
    for (const Stretch& stretch : record_) {
      length += stretch.ms;
      if (stretch.is_away) away += stretch.ms;
      while (length - record_[first].ms >= window_ms) {
        length -= record_[first].ms;
        if (record_[first].is_away) away -= record_[first].ms;
        ++first;
      }
      most = std::max(most, away);
    }
    return most;
  }
  [[nodiscard]] mcp::Millis away_in_all() const {
    mcp::Millis away = 0;
    for (const Stretch& stretch : record_) away += stretch.is_away ? stretch.ms : 0;
    return away;
  }
  void heat() { call("set_pin", R"("pin":"HEATER","level":"high")"); }
  void rest() { call("set_pin", R"("pin":"HEATER","level":"rest")"); }

  struct Stretch {
    mcp::Millis ms;
    bool is_away;
  };
  std::vector<Stretch> record_;
  mcp::Millis total_ms_ = 0;
};

TEST_F(WorkbenchBudget, RepetitionGetsNoMoreThanTheBudget) {
  while (total_ms_ < 2 * window_ms) {
    heat();
    pass(1000);
  }
  EXPECT_LE(most_in_window(), budget_ms + 250);
  EXPECT_GE(away_in_all(), 2 * budget_ms - 1000) << "the budget can be used";
}

TEST_F(WorkbenchBudget, RestAndHighAgainGetsNoMoreThanTheBudget) {
  while (total_ms_ < 2 * window_ms) {
    heat();
    pass(900, 100);
    rest();
    pass(100, 100);
  }
  EXPECT_LE(most_in_window(), budget_ms + 250);
}

TEST_F(WorkbenchBudget, PulsesGetNoMoreThanTheBudgetAtEachPercentage) {
  while (total_ms_ < 2 * window_ms) {
    call("set_pwm", R"("pin":"HEATER","percent":0.1)");
    pass(1000);
    call("set_pwm", R"("pin":"HEATER","percent":99.9)");
    pass(1000);
  }
  EXPECT_LE(most_in_window(), budget_ms + 250);
}

TEST_F(WorkbenchBudget, AHoldGetsNoMoreThanTheBudget) {
  pass(1000);
  while (total_ms_ < 2 * window_ms) {
    call("hold", R"("reading":"room","at":50,"within":1,"pin":"HEATER","action":"raise","minutes":60)");
    pass(1000);
  }
  EXPECT_GT(away_in_all(), 0U);
  EXPECT_LE(most_in_window(), budget_ms + 250);
}

TEST_F(WorkbenchBudget, ARefusalHasTheTimeToWait) {
  heat();
  pass(60'000);
  heat();
  pass(40'000);
  EXPECT_FALSE(is_away());
  EXPECT_EQ(call("read_pins", R"("pins":["HEATER"])"), "HEATER: low, at rest (its budget was used up)");
  const std::string refusal = call("set_pin", R"("pin":"HEATER","level":"high")");
  constexpr std::string_view begin =
      "error: HEATER may be away from rest for 100000 ms in 400000 ms, and this time is used up. Wait ";
  ASSERT_EQ(refusal.rfind(begin, 0), 0U) << refusal;
  const auto wait = static_cast<mcp::Millis>(std::stoul(refusal.substr(begin.size())));
  EXPECT_GE(wait, window_ms - 100'000 - 50'000);
  EXPECT_LE(wait, window_ms);
  pass(wait - 250);
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high")").rfind("error: HEATER may be", 0), 0U);
  pass(250);
  heat();
  EXPECT_TRUE(is_away());
  EXPECT_LE(most_in_window(), budget_ms);
}

TEST_F(WorkbenchBudget, TheTimeOfAWholeSliceComesBackWhenItIsOld) {
  heat();
  pass(10'000);
  rest();
  pass(window_ms + window_ms / 8);
  heat();
  pass(60'000);
  heat();
  pass(39'000);
  EXPECT_TRUE(is_away()) << "the first 10 s are too old to count";
}

TEST_F(WorkbenchBudget, ALatePollCountsTheRealTime) {
  heat();
  now_ms += 90'000;  // the main loop hangs: 30 s more than away_ms, and nothing could put the pin to rest
  poll();
  EXPECT_FALSE(is_away());
  heat();
  EXPECT_TRUE(is_away());
  now_ms += 5'000;
  poll();
  EXPECT_TRUE(is_away());
  now_ms += 5'000;
  poll();
  EXPECT_FALSE(is_away()) << "90 s + 10 s are the budget";
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high")").rfind("error: HEATER may be away", 0), 0U);
}

TEST_F(WorkbenchBudget, APollThatIsLaterThanTheWindowUsesAllOfTheBudget) {
  heat();
  now_ms += 10 * window_ms;
  poll();
  EXPECT_FALSE(is_away());
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high")").rfind("error: HEATER may be away", 0), 0U);
  pass(window_ms + window_ms / 8);
  heat();
  EXPECT_TRUE(is_away());
}

TEST_F(WorkbenchBudget, ACallAfterALatePollCountsTheRealTime) {
  heat();
  now_ms += 110'000;
  // The message of a client comes before the poll.
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high")").rfind("error: HEATER may be away", 0), 0U);
  EXPECT_FALSE(is_away());
}

TEST_F(WorkbenchBudget, APinThatDoesNotGoToRestUsesItsBudget) {
  heat();
  now_ms += 10'000;
  wires[heater].error = mcp::PinError::failed;
  rest();
  pass(90'000);
  wires[heater].error = mcp::PinError::none;
  pass(1000);
  EXPECT_TRUE(is_low(heater));
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high")").rfind("error: HEATER may be away", 0), 0U);
}

TEST_F(WorkbenchBudget, TheWrapOfTheClockChangesNothing) {
  now_ms = 0xFFFF'FFFF - 30'000;
  bench.begin();
  poll();
  while (total_ms_ < 2 * window_ms) {
    heat();
    pass(1000);
  }
  EXPECT_LE(most_in_window(), budget_ms + 250);
}

TEST_F(WorkbenchBudget, NoSequenceOfCallsGetsMoreThanTheBudget) {
  std::minstd_rand random(7);
  for (int i = 0; i < 20'000; ++i) {
    switch (random() % 8) {
      case 0:
      case 1: heat(); break;
      case 2: rest(); break;
      case 3: call("set_pwm", R"("pin":"HEATER","percent":40)"); break;
      case 4: call("hold", R"("reading":"room","at":30,"within":1,"pin":"HEATER","action":"raise","minutes":3)"); break;
      case 5: call("all_off"); break;
      case 6: set_celsius(room_chip, static_cast<int>(15 + random() % 30)); break;
      default: break;
    }
    pass(static_cast<mcp::Millis>(1 + random() % 2000), 250);
  }
  EXPECT_GT(away_in_all(), total_ms_ / 8);
  EXPECT_LE(most_in_window(), budget_ms + 250);
}

}  // namespace
