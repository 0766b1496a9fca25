// SPDX-License-Identifier: Apache-2.0
// The sleep, the wake-ups and the time of the port for FreeRTOS over a stub of the kernel. Built once for each tick
// rate and size of the tick count.
#include <gtest/gtest.h>

#include <limits>
#include <type_traits>
#include <vector>

#include "mcp/ports/freertos.hpp"
#include "ports/sdk/freertos/freertos_ticks.hpp"

namespace {

using mcp::freertos::TickClock;
using mcp::freertos::to_ticks;

constexpr std::uint32_t rate = configTICK_RATE_HZ;
constexpr bool is_stateless = sizeof(TickType_t) == 4 && 1000 % rate == 0;

// The state of the stub.
struct Kernel {
  TaskHandle_t current = nullptr;
  bool in_interrupt = false;
  TickType_t ticks = 0;
  unsigned critical = 0;  // sections, when the tick count is read
  unsigned criticals = 0;
  std::vector<TickType_t> sleeps;
  std::vector<TaskHandle_t> given;
  std::vector<TaskHandle_t> given_from_isr;
  bool wakes = false;  // the notified task sleeps, and has a higher priority
  std::vector<BaseType_t> yields;
  std::uint32_t depth = 0;
  StackType_t* stack = nullptr;
};
Kernel kernel;

char tasks[3];
TaskHandle_t task(std::size_t i) { return reinterpret_cast<TaskHandle_t>(&tasks[i]); }

class FreeRtos : public testing::Test {
 protected:
  FreeRtos() {
    const TickType_t ticks = kernel.ticks;  // no clock goes back
    kernel = Kernel{};
    kernel.ticks = ticks;
    kernel.current = task(0);
  }
};

// Ticks pass, at most half of a period of the tick count at a time.
void pass(std::uint64_t ticks) {
  constexpr std::uint64_t most = std::numeric_limits<TickType_t>::max() / 2;
  for (; ticks > most; ticks -= most) {
    kernel.ticks = static_cast<TickType_t>(kernel.ticks + most);
    mcp::freertos::millis();
  }
  kernel.ticks = static_cast<TickType_t>(kernel.ticks + ticks);
}

}  // namespace

extern "C" {
TaskHandle_t xTaskCreateStatic(TaskFunction_t, const char*, std::uint32_t depth, void*, UBaseType_t, StackType_t* stack,
                               StaticTask_t*) {
  kernel.depth = depth;
  kernel.stack = stack;
  return task(0);
}
TaskHandle_t xTaskGetCurrentTaskHandle() { return kernel.current; }
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t of) { return of == task(0) ? 10 : 0; }
TickType_t xTaskGetTickCount() {
  EXPECT_FALSE(kernel.in_interrupt);
  EXPECT_EQ(kernel.critical, is_stateless ? 0U : 1U);
  return kernel.ticks;
}
TickType_t xTaskGetTickCountFromISR() {
  EXPECT_TRUE(kernel.in_interrupt);
  EXPECT_EQ(kernel.critical, is_stateless ? 0U : 1U);
  return kernel.ticks;
}
std::uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks) {
  EXPECT_EQ(clear, pdTRUE);
  kernel.sleeps.push_back(ticks);
  return 0;
}
BaseType_t xStubNotifyGive(TaskHandle_t to) {
  EXPECT_FALSE(kernel.in_interrupt);
  kernel.given.push_back(to);
  return pdTRUE;
}
void vTaskNotifyGiveFromISR(TaskHandle_t to, BaseType_t* woken) {
  EXPECT_TRUE(kernel.in_interrupt);
  EXPECT_EQ(*woken, pdFALSE);
  kernel.given_from_isr.push_back(to);
  if (kernel.wakes) *woken = pdTRUE;
}
BaseType_t xPortIsInsideInterrupt() { return kernel.in_interrupt ? pdTRUE : pdFALSE; }
void vStubYieldFromIsr(BaseType_t woken) { kernel.yields.push_back(woken); }
void vStubEnterCritical() {
  EXPECT_FALSE(kernel.in_interrupt);
  ++kernel.critical;
  ++kernel.criticals;
}
void vStubExitCritical() { --kernel.critical; }
UBaseType_t uxStubEnterCriticalFromIsr() {
  EXPECT_TRUE(kernel.in_interrupt);
  ++kernel.critical;
  ++kernel.criticals;
  return 0x5A;
}
void vStubExitCriticalFromIsr(UBaseType_t state) {
  EXPECT_EQ(state, 0x5AU);
  --kernel.critical;
}
}

namespace {

// ---- Arithmetic -----------------------------------------------------------------------------------------------------

TEST_F(FreeRtos, RoundsTimeoutsUp) {
  EXPECT_EQ(to_ticks<std::uint32_t>(0, 100, 0xFFFF'FFFE), 0U);
  EXPECT_EQ(to_ticks<std::uint32_t>(1, 100, 0xFFFF'FFFE), 1U);
  EXPECT_EQ(to_ticks<std::uint32_t>(10, 100, 0xFFFF'FFFE), 1U);
  EXPECT_EQ(to_ticks<std::uint32_t>(11, 100, 0xFFFF'FFFE), 2U);
  EXPECT_EQ(to_ticks<std::uint32_t>(1, 1024, 0xFFFF'FFFE), 2U);
  EXPECT_EQ(to_ticks<std::uint32_t>(1'000, 1024, 0xFFFF'FFFE), 1024U);
  EXPECT_EQ(to_ticks<std::uint32_t>(1'001, 1024, 0xFFFF'FFFE), 1026U);
  EXPECT_EQ(to_ticks<std::uint32_t>(999, 1, 0xFFFF'FFFE), 1U);
}

// pdMS_TO_TICKS multiplies in 32 bits: 4,294,968 ms at 1000 Hz are 0 of its ticks.
TEST_F(FreeRtos, OverflowsWithNoTimeoutAndNoRate) {
  EXPECT_EQ(to_ticks<std::uint32_t>(4'294'968, 1000, 0xFFFF'FFFE), 4'294'968U);
  EXPECT_EQ(to_ticks<std::uint32_t>(mcp::forever - 1, 1000, 0xFFFF'FFFE), 0xFFFF'FFFEU);
  EXPECT_EQ(to_ticks<std::uint32_t>(mcp::forever - 1, mcp::freertos::highest_rate, 0xFFFF'FFFE), 0xFFFF'FFFEU);
  EXPECT_EQ(to_ticks<std::uint32_t>(999, mcp::freertos::highest_rate, 0xFFFF'FFFE), 3'996'000U);
  EXPECT_EQ(to_ticks<std::uint16_t>(65'534, 1000, 0xFFFE), 0xFFFEU);
  EXPECT_EQ(to_ticks<std::uint16_t>(65'536, 1000, 0xFFFE), 0xFFFEU);
  EXPECT_EQ(to_ticks<std::uint64_t>(mcp::forever - 1, 4'000'000, ~std::uint64_t{1}), 17'179'869'176'000U);
}

// An exact count beside the clock, over many wraps.
template <class Ticks>
void compare_clock(std::uint32_t hz, std::uint64_t step, unsigned steps) {
  TickClock<Ticks> clock;
  std::uint64_t ticks = 0;
  for (unsigned i = 0; i < steps; ++i) {
    ticks += step;
    ASSERT_EQ(clock.at(static_cast<Ticks>(ticks), hz), static_cast<mcp::Millis>(ticks * 1000 / hz)) << hz << " " << i;
  }
}

TEST_F(FreeRtos, ClockLosesNothingOverManyWraps) {
  for (const std::uint32_t hz : {1U, 3U, 100U, 128U, 300U, 999U, 1000U, 1001U, 1024U, 32'768U, 4'000'000U}) {
    compare_clock<std::uint16_t>(hz, 1, 70'000);
    compare_clock<std::uint16_t>(hz, 65'535, 1'000);
    compare_clock<std::uint32_t>(hz, 0xFFFF'FFFF, 1'000);
    compare_clock<std::uint32_t>(hz, 0x7FFF'FFFF, 1'000);
    compare_clock<std::uint64_t>(hz, 0x1'2345'6789, 1'000);
  }
}

// ---- Time -----------------------------------------------------------------------------------------------------------

TEST_F(FreeRtos, MillisecondsContinueWhenTheTickCountWraps) {
  // Whole seconds up to 3 s after a wrap. The clocks of other tests are at any remainder of a millisecond.
  const mcp::Millis start = mcp::freertos::millis();
  std::uint64_t seconds = (std::uint64_t{std::numeric_limits<TickType_t>::max()} - kernel.ticks) / rate;
  pass(seconds * rate);
  EXPECT_EQ(mcp::freertos::millis() - start, static_cast<mcp::Millis>(seconds * 1000));
  const TickType_t before = kernel.ticks;
  for (unsigned i = 0; i < 3; ++i) {
    pass(rate);
    ++seconds;
    EXPECT_EQ(mcp::freertos::millis() - start, static_cast<mcp::Millis>(seconds * 1000));
  }
  EXPECT_LT(kernel.ticks, before) << "the tick count has wrapped";
}

TEST_F(FreeRtos, TimeInAnInterrupt) {
  const mcp::Millis start = mcp::freertos::millis();
  pass(rate);
  kernel.in_interrupt = true;
  EXPECT_EQ(mcp::freertos::millis() - start, 1000U);
  EXPECT_EQ(kernel.critical, 0U);
  EXPECT_EQ(kernel.criticals, is_stateless ? 0U : 2U);
}

// ---- The task -------------------------------------------------------------------------------------------------------

TEST_F(FreeRtos, CreatesTheTaskWithTheStackInIt) {
  mcp::freertos::StaticTask<1024> server;
  EXPECT_EQ(server.stack_left(), 0U);
  server.start("mcp", 2, [](void*) {});
  EXPECT_EQ(kernel.depth * sizeof(StackType_t), 1024U);
  const auto* begin = reinterpret_cast<const char*>(kernel.stack);
  EXPECT_GE(begin, reinterpret_cast<const char*>(&server));
  EXPECT_LE(begin + 1024, reinterpret_cast<const char*>(&server + 1));
  EXPECT_EQ(server.stack_left(), 10 * sizeof(StackType_t));
  EXPECT_DEATH(server.start("mcp", 2, [](void*) {}), "freertos.hpp");
}

TEST_F(FreeRtos, SleepsForTicks) {
  mcp::freertos::StaticTask<1024> server;
  server.start("mcp", 2, [](void*) {});
  for (const mcp::Millis ms : {0U, 1'000U, 30'000U, mcp::forever - 1, mcp::forever}) server.wait_for_event(ms);
  // millis() must see each wrap, if it counts them.
  const auto longest = static_cast<TickType_t>(is_stateless ? portMAX_DELAY - 1 : portMAX_DELAY / 2);
  const auto most = static_cast<TickType_t>(rate == 100 ? 429'496'730 : longest);  // forever is 49.7 days
  EXPECT_EQ(kernel.sleeps, (std::vector<TickType_t>{0, rate, static_cast<TickType_t>(30 * rate), most,
                                                    is_stateless ? portMAX_DELAY : longest}));
}

TEST_F(FreeRtos, TheFirstSleepOfATaskOfTheApplicationReturnsAtOnce) {
  mcp::freertos::Task server;
  server.wake();  // there is no task to notify
  EXPECT_TRUE(kernel.given.empty());
  server.wait_for_event(mcp::forever);
  EXPECT_TRUE(kernel.sleeps.empty());
  server.wake();
  EXPECT_EQ(kernel.given, std::vector<TaskHandle_t>{task(0)});
  server.wait_for_event(0);
  EXPECT_EQ(kernel.sleeps.size(), 1U);
}

TEST_F(FreeRtos, TheSleepOfAnotherTaskAsserts) {
  mcp::freertos::Task server;
  server.wait_for_event(0);
  kernel.current = task(1);
  EXPECT_DEATH(server.wait_for_event(0), "freertos_task.cpp");
}

TEST_F(FreeRtos, WakesFromInterruptsAndYieldsIfTheTaskIsNext) {
  mcp::freertos::Task server;
  kernel.in_interrupt = true;
  server.wake();
  EXPECT_TRUE(kernel.given_from_isr.empty());
  kernel.in_interrupt = false;
  server.wait_for_event(0);
  kernel.in_interrupt = true;
  server.wake();
  kernel.wakes = true;
  server.wake();
  EXPECT_EQ(kernel.given_from_isr, (std::vector<TaskHandle_t>{task(0), task(0)}));
  EXPECT_EQ(kernel.yields, (std::vector<BaseType_t>{pdFALSE, pdTRUE}));
  EXPECT_TRUE(kernel.given.empty());
}

}  // namespace
