// SPDX-License-Identifier: Apache-2.0
// mcp::pico::ChipFlash and mcp::FlashRecords in it, with the flash chip replaced. The power fails at each step.
#include "mcp/ports/pico_flash.hpp"

#include <gtest/gtest.h>
#include <hardware/regs/addressmap.h>
#include <pico/error.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "fake_flash_chip.hpp"
#include "mcp/ports/flash_records.hpp"
#include "ports/load_record.hpp"

namespace {

using fake::flash_chip;
using mcp::RecordStatus;
using mcp::pico::ChipFlash;
using test::load;
using Cut = fake::FlashChip::Cut;
using Page = std::array<std::uint8_t, ChipFlash::page_size>;

constexpr std::size_t last_two = PICO_FLASH_SIZE_BYTES - 2 * ChipFlash::sector_size;

Page page_of(std::uint8_t byte) {
  Page page;
  page.fill(byte);
  return page;
}

class PicoFlash : public testing::Test {
 protected:
  PicoFlash() { flash_chip.reset(); }
  ~PicoFlash() override {
    EXPECT_EQ(flash_chip.unsafe, 0U);
    EXPECT_EQ(flash_chip.beyond, 0U);
    EXPECT_EQ(flash_chip.twice, 0U);
    EXPECT_TRUE(std::all_of(fake_flash_memory, fake_flash_memory + fake::image_size, [](std::uint8_t byte) {
      return byte == 0x46;
    })) << "the image has changed";
  }
  static mcp::Flash& of(ChipFlash& flash) { return flash; }
};

TEST_F(PicoFlash, HasTheLastTwoSectors) {
  ChipFlash chip;
  EXPECT_TRUE(chip.is_free());
  const auto [blocks, block_size, unit_size] = of(chip).geometry();
  EXPECT_EQ(blocks, 2U);
  EXPECT_EQ(block_size, 4096U);
  EXPECT_EQ(unit_size, 256U);
  Page page = page_of(0x12);
  EXPECT_TRUE(of(chip).program(0, page));
  EXPECT_EQ(flash_chip.timeout_ms, ChipFlash::lock_timeout_ms);
  EXPECT_TRUE(of(chip).program(2 * 4096 - 256, page));
  EXPECT_EQ(fake_flash_memory[last_two], 0x12);
  EXPECT_EQ(fake_flash_memory[last_two + 255], 0x12);
  EXPECT_EQ(fake_flash_memory[last_two + 256], 0xFF);
  EXPECT_EQ(fake_flash_memory[PICO_FLASH_SIZE_BYTES - 256], 0x12);
  std::uint8_t two[2] = {};
  EXPECT_TRUE(of(chip).read(255, two));
  EXPECT_EQ(two[0], 0x12);
  EXPECT_EQ(two[1], 0xFF);
  EXPECT_TRUE(of(chip).erase(1));
  EXPECT_EQ(fake_flash_memory[PICO_FLASH_SIZE_BYTES - 256], 0xFF);
  EXPECT_EQ(fake_flash_memory[last_two], 0x12);
}

TEST_F(PicoFlash, TakesOtherSectors) {
  ChipFlash chip(3, PICO_FLASH_SIZE_BYTES - 4096);
  Page page = page_of(0);
  EXPECT_TRUE(of(chip).program(0, page));
  EXPECT_EQ(fake_flash_memory[PICO_FLASH_SIZE_BYTES - 4 * 4096], 0);
  EXPECT_EQ(of(chip).geometry().blocks, 3U);
}

TEST_F(PicoFlash, RejectsWhatIsBeyondItsSectors) {
  ChipFlash chip(2, PICO_FLASH_SIZE_BYTES - 4096);
  Page page = page_of(0);
  EXPECT_FALSE(of(chip).erase(2));
  EXPECT_FALSE(of(chip).program(2 * 4096, page));
  EXPECT_FALSE(of(chip).program(128, page));
  EXPECT_FALSE(of(chip).program(0, std::span(page).first(255)));
  EXPECT_FALSE(of(chip).read(2 * 4096, std::span(page).first(1)));
  EXPECT_FALSE(of(chip).read(static_cast<std::size_t>(-1), page));
  EXPECT_TRUE(of(chip).read(2 * 4096, {}));
  EXPECT_TRUE(of(chip).read(2 * 4096 - 256, page));
  EXPECT_EQ(flash_chip.steps, 0U);
}

TEST_F(PicoFlash, NeverChangesTheImage) {
  ChipFlash chip(2, fake::image_size + 4096);
  EXPECT_FALSE(chip.is_free());
  Page page = page_of(0);
  EXPECT_FALSE(of(chip).erase(1));
  EXPECT_FALSE(of(chip).program(4096, page));
  mcp::FlashRecords records(chip, page);
  EXPECT_EQ(load(records, "token"), "(none)");
  EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::failed);
  EXPECT_EQ(flash_chip.steps, 0U);
  EXPECT_TRUE(ChipFlash(2, fake::image_size + 2 * 4096).is_free());
}

TEST_F(PicoFlash, ProgramsNoBytesOfTheFlash) {
  ChipFlash chip;
  EXPECT_FALSE(of(chip).program(0, {fake_flash_memory, 256}));
  EXPECT_FALSE(of(chip).program(0, {fake_flash_memory + PICO_FLASH_SIZE_BYTES - 256, 256}));
  EXPECT_EQ(flash_chip.steps, 0U);
}

TEST_F(PicoFlash, ReportsAnotherCoreThatDoesNotWait) {
  ChipFlash chip;
  for (const int result : {PICO_ERROR_TIMEOUT, PICO_ERROR_NOT_PERMITTED}) {
    flash_chip.safe_result = result;
    Page page = page_of(0);
    EXPECT_FALSE(of(chip).erase(0));
    EXPECT_FALSE(of(chip).program(0, page));
  }
  EXPECT_EQ(flash_chip.steps, 0U);
  flash_chip.safe_result = PICO_OK;
  EXPECT_TRUE(of(chip).erase(0));
}

TEST_F(PicoFlash, ReportsBytesThatDidNotChange) {
  ChipFlash chip;
  Page page = page_of(0x5A);
  ASSERT_TRUE(of(chip).program(0, page));
  flash_chip.is_stuck = true;
  EXPECT_FALSE(of(chip).erase(0));
  EXPECT_FALSE(of(chip).program(256, page));
}

TEST_F(PicoFlash, ErasesEachSectorAtMostOncePerTwoChanges) {
  ChipFlash chip;
  Page page;
  mcp::FlashRecords records(chip, page);
  constexpr std::size_t changes = 200;
  for (std::size_t i = 0; i < changes; ++i) ASSERT_EQ(records.save("n", std::to_string(i)), RecordStatus::ok);
  const std::size_t first = flash_chip.erases[PICO_FLASH_SIZE_BYTES / 4096 - 2];
  const std::size_t second = flash_chip.erases[PICO_FLASH_SIZE_BYTES / 4096 - 1];
  EXPECT_EQ(first + second, changes + 1);  // the first change also erases the other half
  EXPECT_LE(std::max(first, second), changes / 2 + 1);
  const std::size_t steps = flash_chip.steps;
  EXPECT_EQ(records.save("n", std::to_string(changes - 1)), RecordStatus::ok);
  EXPECT_EQ(flash_chip.steps, steps) << "an equal value writes nothing";
  // A page for each of header, confirmation, decision and entries.
  EXPECT_EQ(records.save("n", std::string_view("x")), RecordStatus::ok);
  EXPECT_LE(flash_chip.steps - steps, 4U);
}

TEST_F(PicoFlash, HoldsTheSettingsOfWifi) {
  ChipFlash chip;
  Page page;
  mcp::FlashRecords records(chip, page);
  EXPECT_EQ(records.save("wifi_ssid", std::string(32, 's')), RecordStatus::ok);
  EXPECT_EQ(records.save("wifi_password", std::string(64, 'p')), RecordStatus::ok);
  EXPECT_EQ(records.save("token", std::string(64, 't')), RecordStatus::ok);
  EXPECT_EQ(records.save("host_name", std::string(63, 'h')), RecordStatus::ok);
  EXPECT_EQ(records.save("certificate", std::string(2'900, 'c')), RecordStatus::ok);
  EXPECT_EQ(records.save("another", std::string(400, 'a')), RecordStatus::full);
}

// ---- Power failures ------------------------------------------------------------------------------------------------

using Model = std::map<std::string_view, std::string>;
struct Change {
  std::string_view name;
  std::string_view value;  // empty: the value is erased
};
constexpr Change changes[] = {{"wifi_ssid", "my network"},
                              {"wifi_password", "first passphrase"},
                              {"token", "the-first-token"},
                              {"wifi_password", "another passphrase"},
                              {"token", ""},
                              {"wifi_ssid", ""}};
const Model none = {{"wifi_ssid", "(none)"}, {"wifi_password", "(none)"}, {"token", "(none)"}};

RecordStatus apply(mcp::Records& records, const Change& change) {
  return change.value.empty() ? records.erase(change.name) : records.save(change.name, change.value);
}
void apply(Model& model, const Change& change) {
  model[change.name] = change.value.empty() ? "(none)" : std::string(change.value);
}
Model read(mcp::Records& records) {
  Model model;
  for (const auto& [name, value] : none) model[name] = load(records, name);
  return model;
}

// Applies the changes up to `last`. The power fails at `step` of this change. Returns false if it has fewer steps.
bool survives(std::size_t last, std::size_t step, Cut cut, unsigned seed) {
  flash_chip.reset(seed);
  ChipFlash chip;
  Page page;
  Model old = none;
  {
    mcp::FlashRecords records(chip, page);
    for (std::size_t i = 0; i < last; ++i) {
      EXPECT_EQ(apply(records, changes[i]), RecordStatus::ok);
      apply(old, changes[i]);
    }
    flash_chip.cut_at(step, cut);
    const RecordStatus status = apply(records, changes[last]);
    if (!flash_chip.is_off) return false;
    if (status == RecordStatus::ok) apply(old, changes[last]);
  }
  Model next = old;
  apply(next, changes[last]);
  for (int reset = 0; reset < 3; ++reset) {
    flash_chip.power_on();
    mcp::FlashRecords records(chip, page);
    const Model found = read(records);
    EXPECT_TRUE(found == old || found == next);
    // Without an older copy, only a value that was read once is sure to be read again.
    if (last != 0 || found == next) old = next = found;
    for (const Change& change : changes) {
      const bool is_current = found.at(change.name) == change.value;
      EXPECT_TRUE(is_current || change.value.empty() || !flash_chip.contains(change.value)) << change.value;
    }
  }
  mcp::FlashRecords records(chip, page);
  EXPECT_EQ(records.save("wifi_ssid", std::string_view("after")), RecordStatus::ok);
  mcp::FlashRecords again(chip, page);
  EXPECT_EQ(load(again, "wifi_ssid"), "after");
  return true;
}

// With fixed seeds, and one of today.
TEST_F(PicoFlash, PowerFailureLeavesOldOrNewRecordsAtEachStep) {
  constexpr std::time_t day_s = 86'400;
  const auto today = static_cast<unsigned>(std::time(nullptr) / day_s);
  std::size_t cuts = 0;
  for (const Cut cut : {Cut::before, Cut::after, Cut::partly, Cut::unstable, Cut::early, Cut::late}) {
    for (std::size_t last = 0; last < std::size(changes); ++last) {
      std::size_t step = 1;
      for (; survives(last, step, cut, 1); ++step) {
        if (cut != Cut::before && cut != Cut::after) {
          for (const unsigned seed : {2U, 3U, today}) survives(last, step, cut, seed);
        }
        ASSERT_FALSE(HasFailure()) << "cut " << static_cast<int>(cut) << " at step " << step << " of change " << last
                                   << ", seeds up to " << today;
      }
      EXPECT_GE(step - 1, 4U);
      cuts += step - 1;
    }
  }
  EXPECT_GE(cuts, 144U);
  RecordProperty("cuts", static_cast<int>(cuts));
}

// The power fails again at each step of the first call after a power failure.
TEST_F(PicoFlash, SurvivesASecondPowerFailureInTheFirstCall) {
  std::size_t cuts = 0;
  constexpr std::size_t last = 3;  // another passphrase
  for (const Cut cut : {Cut::before, Cut::after, Cut::partly, Cut::unstable, Cut::early, Cut::late}) {
    for (std::size_t first = 1;; ++first) {
      bool is_cut_off = true;
      bool has_second = true;
      for (std::size_t second = 1; is_cut_off && has_second; ++second) {
        flash_chip.reset(static_cast<unsigned>(100 * first + second));
        ChipFlash chip;
        Page page;
        Model old = none;
        mcp::FlashRecords records(chip, page);
        for (std::size_t i = 0; i < last; ++i) {
          ASSERT_EQ(apply(records, changes[i]), RecordStatus::ok);
          apply(old, changes[i]);
        }
        Model next = old;
        apply(next, changes[last]);
        flash_chip.cut_at(first, cut);
        if (apply(records, changes[last]) == RecordStatus::ok) old = next;
        is_cut_off = flash_chip.is_off;
        flash_chip.power_on();
        flash_chip.cut_at(second, cut);
        mcp::FlashRecords interrupted(chip, page);
        static_cast<void>(load(interrupted, "token"));
        has_second = flash_chip.is_off;
        if (has_second) ++cuts;
        flash_chip.power_on();
        mcp::FlashRecords after(chip, page);
        const Model found = read(after);
        EXPECT_TRUE(found == old || found == next);
        ASSERT_FALSE(HasFailure()) << "cut " << static_cast<int>(cut) << " at " << first << " and " << second;
      }
      if (!is_cut_off) break;
    }
  }
  EXPECT_GE(cuts, 15U);
}

}  // namespace
