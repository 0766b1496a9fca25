// SPDX-License-Identifier: Apache-2.0
// The pins of the pico-sdk on a fake chip: an RP2040, and with FAKE_RP2350B an RP2350B with a radio.
#include "mcp/ports/pico_pins.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "fake_pins_chip.hpp"

namespace {

using fake::chip;
using mcp::PinEdges;
using mcp::PinError;
using mcp::PinPull;
using Wire = fake::Pin::Wire;

constexpr std::uint8_t button = 7;
constexpr std::uint8_t lamp = 16;  // has the timer and the compare value of GPIO 0
constexpr std::uint8_t sharing = 17;
constexpr std::uint8_t voltage = ADC_BASE_PIN + 1;
constexpr std::uint8_t temperature = ADC_BASE_PIN + ADC_TEMPERATURE_CHANNEL_NUM;
constexpr unsigned slice = 0;  // of `lamp` and `sharing`

class PicoPins : public testing::Test {
 protected:
  PicoPins() { fake::reset(); }
  // The pins are those of the program, and know what the last test did.
  ~PicoPins() override {
    pins_.end_capture();
    for (const std::uint8_t pin : {button, lamp, sharing, voltage}) {
      chip.pins[pin].function = GPIO_FUNC_SIO;
      static_cast<void>(pins_.input(pin));
    }
  }

  PinError pulse(std::uint8_t pin, std::uint32_t period_ns, std::uint32_t high_ns) {
    return pins_.pwm(pin, period_ns, high_ns, period_ns_);
  }
  // A level of the button at a time.
  static void press(bool high, std::uint32_t now_us) {
    chip.now_us = now_us;
    fake::set_wire(button, high ? Wire::high : Wire::low);
  }
  std::vector<std::uint32_t> captured() {
    const mcp::Pins::Capture capture = pins_.captured();
    has_lost_ = capture.has_lost;
    return {times_, times_ + capture.count};
  }
  using Times = std::vector<std::uint32_t>;

  mcp::Pins& pins_ = mcp::pico::pins();
  bool is_high_ = false;
  bool has_lost_ = false;
  std::int32_t millivolts_ = -1;
  std::uint32_t period_ns_ = 0;
  std::uint32_t times_[4] = {};
};

TEST_F(PicoPins, ReadsInputsWithTheirPulls) {
  EXPECT_EQ(pins_.input(button, PinPull::up), PinError::none);
  EXPECT_TRUE(chip.pins[button].is_pulled_up);
  EXPECT_FALSE(chip.pins[button].is_pulled_down);
  EXPECT_EQ(pins_.level(button, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  fake::set_wire(button, Wire::low);
  EXPECT_EQ(pins_.level(button, is_high_), PinError::none);
  EXPECT_FALSE(is_high_);
  EXPECT_EQ(pins_.input(button, PinPull::down), PinError::none);
  EXPECT_TRUE(chip.pins[button].is_pulled_down && !chip.pins[button].is_pulled_up);
  EXPECT_EQ(pins_.input(button), PinError::none);
  EXPECT_FALSE(chip.pins[button].is_pulled_down || chip.pins[button].is_pulled_up);
}

TEST_F(PicoPins, MakesAnOutputWithoutAPulse) {
  chip.watched = lamp;
  chip.pins[lamp].drives_high = false;
  EXPECT_EQ(pins_.output(lamp, true), PinError::none);
  EXPECT_EQ(chip.log, "z1");
  EXPECT_EQ(pins_.output(lamp, false), PinError::none);
  EXPECT_EQ(pins_.input(lamp), PinError::none);
  EXPECT_EQ(pins_.output(lamp, true), PinError::none);
  EXPECT_EQ(chip.log, "z10z1");
  EXPECT_EQ(pulse(lamp, 1'000'000, 1), PinError::none);
  EXPECT_EQ(pins_.output(lamp, true), PinError::none);
  EXPECT_EQ(pulse(lamp, 1'000'000, 1), PinError::none);
  EXPECT_EQ(pins_.input(lamp), PinError::none);
  EXPECT_EQ(chip.log, "z10z1~1~z");
}

TEST_F(PicoPins, ReadTheWireOfAnOutput) {
  EXPECT_EQ(pins_.output(lamp, true), PinError::none);
  EXPECT_EQ(pins_.level(lamp, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  fake::set_wire(lamp, Wire::low);
  EXPECT_EQ(pins_.level(lamp, is_high_), PinError::none);
  EXPECT_FALSE(is_high_) << "a short circuit";
  EXPECT_FALSE(chip.pins[lamp].is_pulled_down) << "a pull takes current from an output";
}

TEST_F(PicoPins, HaveNoLevelBeforeTheirFunction) {
  chip.pins[button].function = GPIO_FUNC_NULL;
  EXPECT_EQ(pins_.level(button, is_high_), PinError::failed);
  EXPECT_EQ(pulse(lamp, 1'000'000, 1), PinError::none);
  EXPECT_EQ(pins_.level(lamp, is_high_), PinError::failed);
  EXPECT_EQ(pins_.begin_capture(lamp, PinEdges::both, times_), PinError::failed);
  EXPECT_EQ(pins_.output(button, true), PinError::none);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::failed);
}

TEST_F(PicoPins, AreBusyWithThePeripheralOfAnother) {
  for (const gpio_function_t function : {GPIO_FUNC_UART, GPIO_FUNC_I2C, GPIO_FUNC_PWM}) {
    chip.pins[button].function = function;
    EXPECT_EQ(pins_.input(button), PinError::busy);
    EXPECT_EQ(pins_.output(button, true), PinError::busy);
    EXPECT_EQ(pins_.level(button, is_high_), PinError::busy);
    EXPECT_EQ(pulse(button, 1'000'000, 1), PinError::busy);
    EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::busy);
    chip.pins[voltage].function = function;
    EXPECT_EQ(pins_.millivolts(voltage, 1, millivolts_), PinError::busy);
  }
}

TEST_F(PicoPins, ExistOnlyWhereTheChipHasThem) {
  EXPECT_EQ(pins_.input(NUM_BANK0_GPIOS - 1), PinError::none);
  for (const std::uint8_t none : std::initializer_list<std::uint8_t>{NUM_BANK0_GPIOS, 64, 255}) {
    EXPECT_EQ(pins_.input(none), PinError::no_pin) << int{none};
    EXPECT_EQ(pins_.output(none, true), PinError::no_pin) << int{none};
    EXPECT_EQ(pins_.level(none, is_high_), PinError::no_pin) << int{none};
    EXPECT_EQ(pulse(none, 1'000'000, 1), PinError::no_pin) << int{none};
    EXPECT_EQ(pins_.begin_capture(none, PinEdges::both, times_), PinError::no_pin) << int{none};
    if (none == temperature) continue;
    EXPECT_EQ(pins_.millivolts(none, 1, millivolts_), PinError::no_pin) << int{none};
  }
}

TEST_F(PicoPins, HaveLevelsAlone) {
  mcp::Pins& pins = mcp::pico::digital_pins();
  chip.watched = lamp;
  EXPECT_EQ(pins.output(lamp, true), PinError::none);
  EXPECT_EQ(chip.log, "z1");
  EXPECT_EQ(pins.input(button, PinPull::up), PinError::none);
  EXPECT_EQ(pins.level(button, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  EXPECT_EQ(pins.millivolts(voltage, 1, millivolts_), PinError::unsupported);
  EXPECT_EQ(pins.pwm(lamp, 1'000'000, 1, period_ns_), PinError::unsupported);
  EXPECT_EQ(pins.begin_capture(button, PinEdges::both, times_), PinError::unsupported);
}

// ---- Voltages ------------------------------------------------------------------------------------------------------

TEST_F(PicoPins, MeasureTheMeanOfAVoltage) {
  chip.values[1] = 2'047;  // and 2048 in turn
  EXPECT_EQ(pins_.millivolts(voltage, 2, millivolts_), PinError::none);
  EXPECT_EQ(millivolts_, 1'650) << "1649.6";
  EXPECT_EQ(chip.conversions, 2U);
  EXPECT_FALSE(chip.pins[voltage].has_input) << "a digital input takes current at half of the supply";
  EXPECT_EQ(pins_.level(voltage, is_high_), PinError::failed);
  chip.values[1] = 4'094;
  EXPECT_EQ(pins_.millivolts(voltage, mcp::Pins::most_samples, millivolts_), PinError::none);
  EXPECT_EQ(millivolts_, 3'299);
  chip.values[1] = 0;
  EXPECT_EQ(pins_.millivolts(voltage, 1, millivolts_), PinError::none);
  EXPECT_EQ(millivolts_, 0);
  EXPECT_EQ(chip.adc_inits, 1U) << "a reset ends the conversions of others";
  EXPECT_EQ(pins_.input(voltage), PinError::none);
  EXPECT_EQ(pins_.level(voltage, is_high_), PinError::none);
}

TEST_F(PicoPins, MeasureTheTemperatureSensor) {
  chip.values[ADC_TEMPERATURE_CHANNEL_NUM] = 876;
  EXPECT_EQ(pins_.millivolts(temperature, 1, millivolts_), PinError::none);
  EXPECT_EQ(millivolts_, 706) << "27 degrees";
}

TEST_F(PicoPins, MeasureNoOutput) {
  EXPECT_EQ(pins_.output(voltage, true), PinError::none);
  EXPECT_EQ(pins_.millivolts(voltage, 1, millivolts_), PinError::failed);
  EXPECT_EQ(pulse(voltage, 1'000'000, 1), PinError::none);
  EXPECT_EQ(pins_.millivolts(voltage, 1, millivolts_), PinError::failed);
  EXPECT_EQ(pins_.input(voltage), PinError::none);
  EXPECT_EQ(pins_.begin_capture(voltage, PinEdges::both, times_), PinError::none);
  EXPECT_EQ(pins_.millivolts(voltage, 1, millivolts_), PinError::busy);
  EXPECT_EQ(pins_.millivolts(ADC_BASE_PIN - 1, 1, millivolts_), PinError::unsupported);
  EXPECT_EQ(millivolts_, -1);
}

TEST_F(PicoPins, LeaveAConverterAloneThatRuns) {
  for (const std::uint32_t bits : {ADC_CS_START_MANY_BITS, 0x10000U}) {
    fake_adc.cs = ADC_CS_EN_BITS | bits;
    EXPECT_EQ(pins_.millivolts(voltage, 1, millivolts_), PinError::busy);
    EXPECT_EQ(pins_.millivolts(temperature, 1, millivolts_), PinError::busy);
  }
}

// ---- Pulses --------------------------------------------------------------------------------------------------------

TEST_F(PicoPins, MakeExactPeriods) {
  struct Case {
    std::uint32_t hz, period_ns, divider, steps, actual_ns;
  };
  for (const Case& c : std::initializer_list<Case>{
           {125'000'000, 16, 1, 2, 16},
           {125'000'000, 1'000'000, 2, 62'500, 1'000'000},
           {125'000'000, 20'000'000, 40, 62'500, 20'000'000},  // a servo
           {125'000'000, 524'280, 1, 65'535, 524'280},
           {125'000'000, 40'000, 1, 5'000, 40'000},  // a fan
           {150'000'000, 20'000'000, 48, 62'500, 20'000'000},
           {125'000'000, 1'000'008, 3, 41'667, 1'000'008},
           {125'000'000, 1'000'024, 2, 62'502, 1'000'032},  // 125003 is divisible by none of 2, 3 and 4
           {125'000'000, 133'691'400, 255, 65'535, 133'691'400},
       }) {
    fake::reset();
    chip.hz = c.hz;
    chip.pins[lamp].function = GPIO_FUNC_SIO;
    EXPECT_EQ(pins_.input(lamp), PinError::none);
    EXPECT_EQ(pulse(lamp, c.period_ns, c.period_ns / 4), PinError::none) << c.period_ns;
    EXPECT_EQ(fake_pwm.slice[slice].div, c.divider << 4) << c.period_ns;
    EXPECT_EQ(fake_pwm.slice[slice].top + 1, c.steps) << c.period_ns;
    EXPECT_EQ(period_ns_, c.actual_ns) << c.period_ns;
    EXPECT_EQ(fake_pwm.slice[slice].csr, 1U);
    EXPECT_EQ(chip.pins[lamp].function, GPIO_FUNC_PWM);
  }
}

TEST_F(PicoPins, RoundAPeriodByLittle) {
  for (std::uint32_t cycles = 65'536; cycles < 255 * 65'535; cycles += cycles / 977) {
    ASSERT_EQ(pulse(lamp, cycles * 8, cycles), PinError::none) << cycles;
    const double error = (period_ns_ - cycles * 8.0) / (cycles * 8.0);
    ASSERT_LT(error < 0 ? -error : error, 16e-6) << cycles;
    ASSERT_GT(fake_pwm.slice[slice].top, 16'382U) << cycles;
  }
}

TEST_F(PicoPins, RejectPeriodsThatTheTimerDoesNotHave) {
  EXPECT_EQ(pulse(lamp, 11, 1), PinError::out_of_range);
  EXPECT_EQ(pulse(lamp, 133'691'405, 1), PinError::out_of_range);
  EXPECT_EQ(pulse(lamp, 0xFFFF'FFFF, 1), PinError::out_of_range);
  EXPECT_EQ(chip.pins[lamp].function, GPIO_FUNC_NULL);
}

TEST_F(PicoPins, StayLowOrHighAtTheEndsOfTheDuty) {
  for (const std::uint32_t period_ns : {524'280U, 1'000'000U, 40'000U}) {
    EXPECT_EQ(pulse(lamp, period_ns, 0), PinError::none);
    EXPECT_EQ(fake_pwm.slice[slice].cc, 0U);
    EXPECT_EQ(pulse(lamp, period_ns, period_ns), PinError::none);
    EXPECT_EQ(fake_pwm.slice[slice].cc, fake_pwm.slice[slice].top + 1) << "the compare value is above each count";
    EXPECT_EQ(pulse(lamp, period_ns, period_ns / 2), PinError::none);
    EXPECT_EQ(fake_pwm.slice[slice].cc, (fake_pwm.slice[slice].top + 2) / 2);
  }
}

TEST_F(PicoPins, ShareATimerOnlyWithOnePeriod) {
  EXPECT_EQ(pulse(lamp, 1'000'000, 250'000), PinError::none);
  fake_pwm.slice[slice].ctr = 99;
  EXPECT_EQ(pulse(sharing, 2'000'000, 500'000), PinError::busy);
  EXPECT_EQ(pulse(sharing, 1'000'000, 500'000), PinError::none);
  EXPECT_EQ(fake_pwm.slice[slice].cc, 31'250U << 16 | 15'625U);
  EXPECT_EQ(fake_pwm.slice[slice].ctr, 99U) << "the timer of a running pin starts again";
  EXPECT_EQ(pulse(lamp, 2'000'000, 1), PinError::busy);
  EXPECT_EQ(pulse(lamp, 1'000'000, 500'000), PinError::none) << "another duty";
  EXPECT_EQ(pulse(0, 1'000'000, 500'000), PinError::busy) << "the compare value of GPIO 16";
  EXPECT_EQ(pins_.input(sharing), PinError::none);
  EXPECT_EQ(fake_pwm.slice[slice].csr, 1U) << "the other pin needs the timer";
  EXPECT_EQ(pulse(lamp, 2'000'000, 1'000'000), PinError::none) << "the timer is its own";
  EXPECT_EQ(fake_pwm.slice[slice].ctr, 99U);
  EXPECT_EQ(pins_.output(lamp, false), PinError::none);
  EXPECT_EQ(fake_pwm.slice[slice].csr, 0U);
}

TEST_F(PicoPins, LeaveATimerOfTheApplicationAlone) {
  fake_pwm.slice[slice] = {1, 16, 0, 0, 999};
  EXPECT_EQ(pulse(lamp, 8'000, 1), PinError::busy) << "a timer without a pin";
  chip.pins[sharing].function = GPIO_FUNC_PWM;
  EXPECT_EQ(pulse(lamp, 8'008, 1), PinError::busy);
  fake_pwm.slice[slice].csr = 3;
  EXPECT_EQ(pulse(lamp, 8'000, 1), PinError::busy) << "it counts down, too, so its period is 16 us";
  fake_pwm.slice[slice].csr = 1;
  EXPECT_EQ(pulse(lamp, 8'000, 1'000), PinError::none) << "the period of the application";
  EXPECT_EQ(pins_.input(lamp), PinError::none);
  EXPECT_EQ(fake_pwm.slice[slice].csr, 1U);
}

// ---- Times of edges ------------------------------------------------------------------------------------------------

TEST_F(PicoPins, CaptureTheTimesOfEdges) {
  EXPECT_EQ(pins_.input(button), PinError::none);
  chip.now_us = 0xFFFF'FFF0;
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  EXPECT_EQ(captured(), Times{});
  press(true, 0xFFFF'FFF8);
  press(false, 16);
  EXPECT_EQ(captured(), (Times{8, 32}));
  EXPECT_FALSE(has_lost_);
  pins_.end_capture();
  EXPECT_EQ(captured(), Times{});
  press(true, 17);
  EXPECT_TRUE(chip.handlers.empty());
  EXPECT_EQ(chip.raw, 0U);
  EXPECT_EQ(times_[2], 0U);
  pins_.end_capture();
}

TEST_F(PicoPins, CaptureEdgesOfOneKind) {
  EXPECT_EQ(pins_.input(button), PinError::none);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::falling, times_), PinError::none);
  press(true, 1);
  press(false, 2);
  press(true, 3);
  press(false, 4);
  EXPECT_EQ(captured(), (Times{2, 4}));
  EXPECT_FALSE(has_lost_);
  pins_.end_capture();
  press(true, 5);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::rising, times_), PinError::none);
  press(false, 6);
  press(true, 7);
  EXPECT_EQ(captured(), Times{2});
}

TEST_F(PicoPins, EndTheInterruptWhenTheTimesAreFull) {
  EXPECT_EQ(pins_.input(button), PinError::none);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  for (std::uint32_t i = 1; i <= 9; ++i) press(i % 2 != 0, i);
  EXPECT_EQ(captured(), (Times{1, 2, 3, 4}));
  EXPECT_FALSE(has_lost_);
  EXPECT_EQ(chip.pins[button].enabled, 0U);
}

TEST_F(PicoPins, ReportEdgesThatCameBeforeTheInterrupt) {
  for (const int edges : {2, 3, 4}) {
    EXPECT_EQ(pins_.input(button), PinError::none);
    press(false, 0);
    chip.now_us = 0;
    EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
    press(true, 1);
    EXPECT_FALSE(pins_.captured().has_lost);
    chip.is_masked = true;
    for (int i = 0; i < edges; ++i) press(i % 2 != 0, 2);
    chip.is_masked = false;
    chip.now_us = 9;
    fake::run_interrupt();
    EXPECT_EQ(captured(), (Times{1, 9})) << edges;
    EXPECT_TRUE(has_lost_) << edges;
    press(edges % 2 != 0, 10);
    EXPECT_EQ(captured(), (Times{1, 9, 10})) << edges;
    pins_.end_capture();
  }
}

// The acknowledgement of an edge may also be that of a second one of its kind.
TEST_F(PicoPins, ReportTwoEdgesOfOneKind) {
  EXPECT_EQ(pins_.input(button), PinError::none);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  press(true, 1);
  chip.is_masked = true;
  press(false, 2);
  gpio_acknowledge_irq(button, GPIO_IRQ_EDGE_FALL);
  press(true, 3);
  chip.is_masked = false;
  fake::run_interrupt();
  EXPECT_EQ(captured(), (Times{1, 3}));
  EXPECT_TRUE(has_lost_);
}

TEST_F(PicoPins, LeaveInterruptsOfTheApplicationAlone) {
  static std::string calls;
  calls.clear();
  constexpr unsigned other = 3;
  constexpr unsigned raw = 4;
  for (const unsigned gpio : {other, raw}) chip.pins[gpio].function = GPIO_FUNC_SIO;
  gpio_set_irq_callback([](unsigned gpio, uint32_t) { calls += "callback " + std::to_string(gpio) + "\n"; });
  gpio_set_irq_enabled(other, GPIO_IRQ_EDGE_RISE, true);
  const irq_handler_t handle_raw = [] {
    if (gpio_get_irq_event_mask(raw) == 0) return;
    gpio_acknowledge_irq(raw, GPIO_IRQ_EDGE_RISE);
    calls += "raw\n";
  };
  gpio_add_raw_irq_handler_with_order_priority(raw, handle_raw, PICO_SHARED_IRQ_HANDLER_DEFAULT_ORDER_PRIORITY);
  gpio_set_irq_enabled(raw, GPIO_IRQ_EDGE_RISE, true);

  EXPECT_EQ(pins_.input(other), PinError::none);
  EXPECT_EQ(pins_.begin_capture(other, PinEdges::both, times_), PinError::busy) << "the application has its interrupts";
  EXPECT_EQ(pins_.input(button), PinError::none);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::busy);
  const auto make_edges = [] {
    chip.is_masked = true;
    for (const unsigned gpio : {other, raw, unsigned{button}}) {
      fake::set_wire(gpio, Wire::low);
      fake::set_wire(gpio, Wire::high);
    }
    chip.is_masked = false;
    fake::run_interrupt();
  };
  make_edges();
  EXPECT_EQ(calls, "raw\ncallback 3\n");
  EXPECT_EQ(pins_.captured().count, 1U);
  EXPECT_EQ(chip.handlers.front().priority, unsigned{PICO_SHARED_IRQ_HANDLER_HIGHEST_ORDER_PRIORITY})
      << "the other handlers delay the times";
  fake::set_wire(other, Wire::low);
  fake::set_wire(other, Wire::high);
  EXPECT_EQ(calls, "raw\ncallback 3\ncallback 3\n");
  EXPECT_EQ(pins_.captured().count, 1U) << "an edge of another pin";
  calls = "raw\ncallback 3\n";
  pins_.end_capture();
  make_edges();
  EXPECT_EQ(calls, "raw\ncallback 3\nraw\ncallback 3\n");
  EXPECT_EQ(chip.handlers.size(), 2U);
}

TEST_F(PicoPins, AreBusyWithAnExclusiveHandler) {
  EXPECT_EQ(pins_.input(button), PinError::none);
  chip.exclusive = [] {};
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::busy);
  chip.exclusive = nullptr;
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none) << "no other capture runs";
}

TEST_F(PicoPins, EndACaptureWithItsPin) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pins_.input(button), PinError::none);
    EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
    EXPECT_EQ(pins_.input(lamp), PinError::none);
    EXPECT_EQ(chip.handlers.size(), 1U) << "another pin";
    EXPECT_EQ(i == 0   ? pins_.input(button)
              : i == 1 ? pins_.output(button, true)
                       : pulse(button, 1'000'000, 1),
              PinError::none);
    EXPECT_TRUE(chip.handlers.empty()) << i;
  }
}

#if FAKE_RP2350B
TEST_F(PicoPins, AreBusyWithTheRadio) {
  for (const std::uint8_t pin : std::initializer_list<std::uint8_t>{23, 24, 25, 29}) {
    EXPECT_EQ(pins_.input(pin), PinError::busy) << int{pin};
    EXPECT_EQ(pins_.output(pin, true), PinError::busy) << int{pin};
    EXPECT_EQ(pins_.level(pin, is_high_), PinError::busy) << int{pin};
    EXPECT_EQ(pins_.millivolts(pin, 1, millivolts_), PinError::busy) << int{pin};
    EXPECT_EQ(pulse(pin, 1'000'000, 1), PinError::busy) << int{pin};
  }
}

TEST_F(PicoPins, ReachThePinsAfterThe32nd) {
  chip.watched = 47;
  EXPECT_EQ(pins_.output(47, true), PinError::none);
  EXPECT_EQ(pulse(47, 1'000'000, 500'000), PinError::none);
  EXPECT_EQ(fake_pwm.slice[11].csr, 1U);
  EXPECT_EQ(pulse(39, 1'000'000, 500'000), PinError::busy) << "the compare value of GPIO 47";
  EXPECT_EQ(pins_.input(47), PinError::none);
  EXPECT_EQ(chip.log, "z1~z");
  EXPECT_EQ(pins_.begin_capture(47, PinEdges::both, times_), PinError::none);
  fake::set_wire(47, Wire::high);
  EXPECT_EQ(captured().size(), 1U);
  EXPECT_EQ(pins_.millivolts(26, 1, millivolts_), PinError::unsupported);
}
#endif

}  // namespace
