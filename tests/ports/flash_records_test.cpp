// SPDX-License-Identifier: Apache-2.0
// Records in a flash whose power fails at each step.
#include "mcp/ports/flash_records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ports/load_record.hpp"

namespace {

using mcp::RecordStatus;
using test::load;

// A flash that loses power at a step: an erased block or a programmed unit.
class FakeFlash final : public mcp::Flash {
 public:
  /// What the interrupted step leaves.
  enum class Cut {
    before,    // nothing has changed
    after,     // the step is complete, but the caller does not hear of it
    partly,    // some bits have changed
    unstable,  // some bits read differently after each reset
    early,     // one bit reads differently after each reset, and the others have not changed
    late,      // one bit reads differently after each reset, and the others have changed
  };

  FakeFlash(std::size_t blocks, std::size_t block_size, std::size_t unit_size, std::uint8_t content = 0xFF,
            unsigned seed = 1)
      : geometry_{blocks, block_size, unit_size}, bytes_(blocks * block_size, content), random_(seed) {}

  std::size_t fails_at = 0;  // the step that returns false without a power failure; 0: none
  std::size_t reads_until_failure = static_cast<std::size_t>(-1);
  std::size_t worn_block = static_cast<std::size_t>(-1);  // it cannot be erased
  std::size_t torn_at = static_cast<std::size_t>(-1);     // a byte that cannot be read until its block is erased
  std::size_t steps = 0;
  std::size_t erases = 0;
  std::vector<std::size_t> erases_of = std::vector<std::size_t>(16);

  /// The power fails at this step, counted from now.
  void cut_at(std::size_t step, Cut cut) {
    cut_at_ = steps + step;
    cut_ = cut;
  }
  [[nodiscard]] bool is_off() const { return is_off_; }

  /// Unstable bits settle to other values.
  void power_on() {
    is_off_ = false;
    cut_at_ = 0;
    for (const auto& [at, mask] : unstable_) {
      bytes_[at] = static_cast<std::uint8_t>((bytes_[at] & ~mask) | (random_() & mask));
    }
  }

  [[nodiscard]] bool contains(std::string_view text) const {
    const std::string_view all(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    return all.find(text) != std::string_view::npos;
  }
  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  Geometry do_geometry() override { return geometry_; }

  bool do_read(std::size_t at, std::span<std::uint8_t> into) override {
    if (is_off_ || reads_until_failure == 0) return false;
    --reads_until_failure;
    if (at + into.size() > bytes_.size()) {
      ADD_FAILURE() << "read beyond the end";
      return false;
    }
    if (torn_at >= at && torn_at < at + into.size()) return false;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), into.size(), into.begin());
    return true;
  }

  bool do_erase(std::size_t block) override {
    EXPECT_LT(block, geometry_.blocks);
    if (!is_off_) {
      ++erases;
      ++erases_of[block];
      if (torn_at / geometry_.block_size == block) torn_at = static_cast<std::size_t>(-1);
    }
    if (block == worn_block) return false;
    return step(block * geometry_.block_size, std::vector<std::uint8_t>(geometry_.block_size, 0xFF));
  }

  bool do_program(std::size_t at, std::span<const std::uint8_t> unit) override {
    EXPECT_EQ(at % geometry_.unit_size, 0U);
    EXPECT_EQ(unit.size(), geometry_.unit_size);
    if (!is_off_) {
      EXPECT_TRUE(std::all_of(
          unit.begin(), unit.end(),
          [&](const std::uint8_t& byte) { return bytes_[at + static_cast<std::size_t>(&byte - unit.data())] == 0xFF; }))
          << "programs a unit twice, at " << at;
    }
    return step(at, {unit.begin(), unit.end()});
  }

  // Makes one of the bits unstable that the interrupted step changes.
  void unsettle(std::size_t at, const std::vector<std::uint8_t>& target) {
    std::vector<std::size_t> bits;
    for (std::size_t bit = 0; bit < 8 * target.size(); ++bit) {
      if (((bytes_[at + bit / 8] ^ target[bit / 8]) >> bit % 8 & 1) != 0) bits.push_back(bit);
    }
    if (cut_ == Cut::late) {
      for (std::size_t i = 0; i < target.size(); ++i) bytes_[at + i] = target[i];
    }
    if (bits.empty()) return;
    const std::size_t bit = bits[random_() % bits.size()];
    unstable_[at + bit / 8] = static_cast<std::uint8_t>(1U << bit % 8);
  }

  bool step(std::size_t at, const std::vector<std::uint8_t>& target) {
    if (is_off_ || ++steps == fails_at) return false;
    is_off_ = steps == cut_at_;
    if (is_off_ && (cut_ == Cut::early || cut_ == Cut::late)) {
      unsettle(at, target);
      return false;
    }
    for (std::size_t i = 0; i < target.size(); ++i) {
      std::uint8_t& byte = bytes_[at + i];
      const auto change = static_cast<std::uint8_t>(byte ^ target[i]);
      if (!is_off_) unstable_.erase(at + i);
      if (!is_off_ || cut_ == Cut::after) byte = target[i];
      if (is_off_ && cut_ == Cut::partly) byte = static_cast<std::uint8_t>(byte ^ (change & random_()));
      if (is_off_ && cut_ == Cut::unstable && change != 0) unstable_[at + i] = change;
    }
    return !is_off_;
  }

  Geometry geometry_;
  std::vector<std::uint8_t> bytes_;
  std::map<std::size_t, std::uint8_t> unstable_;
  std::size_t cut_at_ = 0;
  Cut cut_ = Cut::before;
  bool is_off_ = false;
  std::minstd_rand random_;
};

struct Unit {
  std::uint8_t bytes[256];
};

TEST(FlashRecords, StoresValuesAcrossResets) {
  for (const int content : {0xFF, 0x00, 0x5A}) {
    FakeFlash flash(4, 1024, 8, static_cast<std::uint8_t>(content));
    Unit unit;
    {
      mcp::FlashRecords records(flash, unit.bytes);
      EXPECT_EQ(load(records, "token"), "(none)");
      EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
      EXPECT_EQ(records.save("host_name", std::string_view("boiler")), RecordStatus::ok);
      EXPECT_EQ(records.save("empty", {}), RecordStatus::ok);
      EXPECT_EQ(records.save("token", std::string_view("another secret")), RecordStatus::ok);
    }
    mcp::FlashRecords records(flash, unit.bytes);
    EXPECT_EQ(load(records, "token"), "another secret");
    EXPECT_EQ(load(records, "host_name"), "boiler");
    EXPECT_EQ(load(records, "empty"), "");
    EXPECT_EQ(load(records, "toke"), "(none)");
    EXPECT_EQ(load(records, "tokenx"), "(none)");
    EXPECT_EQ(records.erase("host_name"), RecordStatus::ok);
    EXPECT_EQ(records.erase("host_name"), RecordStatus::not_found);
    EXPECT_EQ(load(records, "host_name"), "(none)");
    EXPECT_EQ(load(records, "token"), "another secret");
  }
}

TEST(FlashRecords, LeavesNoOldValueInTheFlash) {
  FakeFlash flash(2, 1024, 4);
  Unit unit{};
  mcp::FlashRecords records(flash, unit.bytes);
  EXPECT_EQ(records.save("token", std::string_view("old-secret")), RecordStatus::ok);
  EXPECT_TRUE(flash.contains("old-secret"));
  EXPECT_EQ(records.save("token", std::string_view("new-secret")), RecordStatus::ok);
  EXPECT_FALSE(flash.contains("old-secret"));
  EXPECT_EQ(records.erase("token"), RecordStatus::ok);
  EXPECT_FALSE(flash.contains("new-secret"));
  EXPECT_TRUE(std::all_of(std::begin(unit.bytes), std::end(unit.bytes), [](std::uint8_t byte) { return byte == 0; }));
}

TEST(FlashRecords, ErasesOneHalfPerChangeAndNothingForAnEqualValue) {
  FakeFlash flash(4, 512, 4);
  Unit unit;
  mcp::FlashRecords records(flash, unit.bytes);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(records.save("n", std::to_string(i)), RecordStatus::ok);
  // A half has two blocks, and the first change erases the half that it does not know.
  EXPECT_EQ(flash.erases, 2U * 101);
  EXPECT_LE(flash.erases_of[0], 51U);
  EXPECT_LE(flash.erases_of[2], 51U);
  const std::size_t steps = flash.steps;
  EXPECT_EQ(records.save("n", std::string_view("99")), RecordStatus::ok);
  EXPECT_EQ(records.erase("other"), RecordStatus::not_found);
  EXPECT_EQ(load(records, "n"), "99");
  EXPECT_EQ(flash.steps, steps);
}

TEST(FlashRecords, RejectsWhatDoesNotFit) {
  FakeFlash flash(3, 256, 8);  // the third block stays unused
  Unit unit;
  mcp::FlashRecords records(flash, unit.bytes);
  const std::size_t space = 256 - 40;
  const std::string most(space - 3 - 1, 'x');
  EXPECT_EQ(records.save("a", std::string_view("1")), RecordStatus::ok);
  EXPECT_EQ(records.save("b", most), RecordStatus::full);
  EXPECT_EQ(load(records, "a"), "1");
  EXPECT_EQ(records.save("a", most), RecordStatus::ok);
  EXPECT_EQ(load(records, "a"), most);
  EXPECT_EQ(records.save("a", most + "x"), RecordStatus::full);
  EXPECT_EQ(load(records, "a"), most);
  EXPECT_EQ(records.save("a", std::string(mcp::Records::max_size + 1, 'x')), RecordStatus::too_large);
  EXPECT_EQ(records.save("A", std::string_view("1")), RecordStatus::invalid_name);
  EXPECT_EQ(records.erase(""), RecordStatus::invalid_name);
  char small[3];
  EXPECT_EQ(records.load("A", small).status, RecordStatus::invalid_name);
  const mcp::RecordResult result = records.load("a", small);
  EXPECT_EQ(result.status, RecordStatus::too_large);
  EXPECT_EQ(result.size, most.size());
  EXPECT_EQ(flash.erases_of[2], 0U);
}

// The change of a test: `name` gets `value`, or is erased without one.
struct Change {
  std::string_view name;
  std::string_view value;
};
constexpr Change changes[] = {{"token", "first"},   {"host_name", "boiler"}, {"token", "second, which is longer"},
                              {"host_name", ""},    {"wifi", "network"},     {"token", "third"},
                              {"host_name", "pump"}};
constexpr std::string_view names[] = {"token", "host_name", "wifi"};

RecordStatus apply(mcp::Records& records, const Change& change) {
  return change.value.empty() ? records.erase(change.name) : records.save(change.name, change.value);
}
void apply(std::map<std::string_view, std::string>& model, const Change& change) {
  model[change.name] = change.value.empty() ? "(none)" : std::string(change.value);
}

using Model = std::map<std::string_view, std::string>;

// Expects that the flash, as a debugger reads it, has no value of a change that is not in `model`.
void expect_no_other_value(const FakeFlash& flash, const Model& model) {
  for (const Change& change : changes) {
    const bool is_current = model.at(change.name) == change.value;
    EXPECT_TRUE(is_current || change.value.empty() || !flash.contains(change.value)) << change.value;
  }
}

// Applies all changes. The power fails at `step` of the change number `last`. Returns false if the change has fewer
// steps.
bool survives(const mcp::Flash::Geometry& geometry, std::size_t last, std::size_t step, FakeFlash::Cut cut,
              unsigned seed) {
  FakeFlash flash(geometry.blocks, geometry.block_size, geometry.unit_size, 0xFF, seed);
  Unit unit;
  Model model = {{"token", "(none)"}, {"host_name", "(none)"}, {"wifi", "(none)"}};
  {
    mcp::FlashRecords records(flash, unit.bytes);
    for (std::size_t i = 0; i < last; ++i) {
      EXPECT_EQ(apply(records, changes[i]), RecordStatus::ok);
      apply(model, changes[i]);
    }
    flash.cut_at(step, cut);
    const RecordStatus status = apply(records, changes[last]);
    if (!flash.is_off()) {
      EXPECT_EQ(status, RecordStatus::ok);
      return false;
    }
    // The power may also fail while save() erases the old half, after the value was stored.
    if (status == RecordStatus::ok) apply(model, changes[last]);
  }
  Model other = model;
  apply(other, changes[last]);
  // Each reset may read unstable bits differently, but the records do not change any more.
  for (int reset = 0; reset < 3; ++reset) {
    flash.power_on();
    mcp::FlashRecords records(flash, unit.bytes);
    Model read;
    for (const std::string_view name : names) read[name] = load(records, name);
    EXPECT_TRUE(read == model || read == other);
    expect_no_other_value(flash, read);
    // Without an older copy, only a value that was read once is sure to be read again.
    if (last != 0 || read == other) model = other = read;
  }
  // The next changes work, and their power may fail, too.
  for (const std::size_t at : {3U, 1000U}) {
    flash.power_on();
    flash.cut_at(at, cut);
    mcp::FlashRecords records(flash, unit.bytes);
    const RecordStatus status = apply(records, {"wifi", "after"});
    other = model;
    apply(other, {"wifi", "after"});
    if (status == RecordStatus::ok) model = other;
    flash.power_on();
    mcp::FlashRecords again(flash, unit.bytes);
    Model read;
    for (const std::string_view name : names) read[name] = load(again, name);
    EXPECT_TRUE(read == model || read == other);
    expect_no_other_value(flash, read);
    model = read;
  }
  EXPECT_EQ(model["wifi"], "after");
  return true;
}

class PowerFailure : public testing::TestWithParam<mcp::Flash::Geometry> {};

TEST_P(PowerFailure, LeavesOldOrNewRecordsAtEachStep) {
  std::size_t cuts = 0;
  using Cut = FakeFlash::Cut;
  const auto today = static_cast<unsigned>(time(nullptr) / 86'400);
  for (const Cut cut : {Cut::before, Cut::after, Cut::partly, Cut::unstable, Cut::early, Cut::late}) {
    const bool is_random = cut != Cut::before && cut != Cut::after;
    for (std::size_t last = 0; last < std::size(changes); ++last) {
      std::size_t step = 1;
      while (survives(GetParam(), last, step, cut, 1)) {
        if (is_random) survives(GetParam(), last, step, cut, today);
        ASSERT_FALSE(HasFailure()) << "cut " << static_cast<int>(cut) << " at step " << step << " of change " << last
                                   << ", seeds 1 and " << today;
        ++step;
      }
      cuts += step - 1;
    }
  }
  EXPECT_GT(cuts, 150U);
}

using Geometry = mcp::Flash::Geometry;
INSTANTIATE_TEST_SUITE_P(Units, PowerFailure,
                         testing::Values(Geometry{4, 256, 1}, Geometry{4, 256, 4}, Geometry{4, 256, 8},
                                         Geometry{4, 256, 32}, Geometry{4, 256, 128}, Geometry{16, 64, 8}));

// The power fails at each step of a change, and again at each step of the first call after it.
TEST(FlashRecords, SurvivesASecondPowerFailureInTheFirstCall) {
  using Cut = FakeFlash::Cut;
  constexpr std::size_t last = 2;  // a longer token
  std::size_t cuts = 0;
  for (const Cut cut : {Cut::before, Cut::after, Cut::partly, Cut::unstable, Cut::early, Cut::late}) {
    bool is_complete = false;
    for (std::size_t first = 1; !is_complete; ++first) {
      bool has_begun = true;
      for (std::size_t second = 1; has_begun && !is_complete; ++second) {
        FakeFlash flash(8, 64, 8, 0xFF, static_cast<unsigned>(100 * first + second));
        Unit unit;
        Model model = {{"token", "first"}, {"host_name", "boiler"}, {"wifi", "(none)"}};
        Model other = model;
        apply(other, changes[last]);
        {
          mcp::FlashRecords records(flash, unit.bytes);
          for (std::size_t i = 0; i < last; ++i) ASSERT_EQ(apply(records, changes[i]), RecordStatus::ok);
          flash.cut_at(first, cut);
          if (apply(records, changes[last]) == RecordStatus::ok) model = other;
          is_complete = !flash.is_off();
        }
        flash.power_on();
        flash.cut_at(second, cut);
        char into[64];
        mcp::FlashRecords interrupted(flash, unit.bytes);
        static_cast<void>(interrupted.load("token", into));
        has_begun = flash.is_off();
        if (has_begun) ++cuts;
        flash.power_on();
        mcp::FlashRecords records(flash, unit.bytes);
        Model read;
        for (const std::string_view name : names) read[name] = load(records, name);
        EXPECT_TRUE(read == model || read == other) << first << ", " << second;
        expect_no_other_value(flash, read);
        ASSERT_FALSE(HasFailure()) << "cut " << static_cast<int>(cut) << " at " << first << " and " << second;
      }
    }
  }
  EXPECT_GT(cuts, 150U);
}

// The confirmation of a new copy reads differently after each reset, and so does the old copy, because the power failed
// again while it was erased. What was read once is read after each further reset.
TEST(FlashRecords, KeepsItsChoiceAfterTwoPowerFailures) {
  using Cut = FakeFlash::Cut;
  constexpr std::size_t last = 2;  // a longer token
  for (const Cut first_cut : {Cut::partly, Cut::unstable, Cut::early, Cut::late}) {
    for (const Cut second_cut : {Cut::partly, Cut::unstable, Cut::early, Cut::late}) {
      bool is_complete = false;
      for (std::size_t first = 1; !is_complete; ++first) {
        for (unsigned seed = 0; seed < 24; ++seed) {
          FakeFlash flash(2, 256, seed % 2 == 0 ? 8 : 1, 0xFF, 24 * static_cast<unsigned>(first) + seed + 1);
          Unit unit;
          Model model = {{"token", "first"}, {"host_name", "boiler"}, {"wifi", "(none)"}};
          Model other = model;
          apply(other, changes[last]);
          {
            mcp::FlashRecords records(flash, unit.bytes);
            for (std::size_t i = 0; i < last; ++i) ASSERT_EQ(apply(records, changes[i]), RecordStatus::ok);
            flash.cut_at(first, first_cut);
            if (apply(records, changes[last]) == RecordStatus::ok) model = other;
            is_complete = !flash.is_off() && seed == 23;
          }
          flash.power_on();
          flash.cut_at(1 + seed / 2 % 6, second_cut);
          char into[64];
          mcp::FlashRecords interrupted(flash, unit.bytes);
          static_cast<void>(interrupted.load("token", into));
          for (int reset = 0; reset < 4; ++reset) {
            flash.power_on();
            mcp::FlashRecords records(flash, unit.bytes);
            Model read;
            for (const std::string_view name : names) read[name] = load(records, name);
            EXPECT_TRUE(read == model || read == other);
            model = other = read;
            ASSERT_FALSE(HasFailure()) << "cuts " << static_cast<int>(first_cut) << " at " << first << " and "
                                       << static_cast<int>(second_cut) << ", seed " << seed << ", reset " << reset;
          }
        }
      }
    }
  }
}

// Steps that fail without a power failure: a worn block, or bits that stay.
TEST(FlashRecords, KeepsTheOldValueIfAStepFails) {
  std::size_t failures = 0;
  for (std::size_t step = 1;; ++step) {
    FakeFlash flash(2, 512, 8);
    Unit unit;
    mcp::FlashRecords records(flash, unit.bytes);
    ASSERT_EQ(records.save("token", std::string_view("old")), RecordStatus::ok);
    mcp::FlashRecords after_reset(flash, unit.bytes);
    flash.fails_at = flash.steps + step;
    const RecordStatus status = after_reset.save("token", std::string_view("new"));
    if (flash.steps < flash.fails_at) break;
    if (status == RecordStatus::failed) ++failures;
    const std::string_view expected = status == RecordStatus::ok ? "new" : "old";
    if (status == RecordStatus::failed) {
      EXPECT_FALSE(flash.contains("new")) << step;
    }
    EXPECT_EQ(load(after_reset, "token"), expected) << step;
    mcp::FlashRecords again(flash, unit.bytes);
    EXPECT_EQ(load(again, "token"), expected) << step;
    EXPECT_EQ(again.save("token", std::string_view("next")), RecordStatus::ok) << step;
    EXPECT_EQ(load(again, "token"), "next") << step;
  }
  EXPECT_GE(failures, 6U);
}

TEST(FlashRecords, OverwritesNothingIfAReadFails) {
  for (std::size_t reads = 0;; ++reads) {
    FakeFlash flash(2, 512, 8);
    Unit unit;
    mcp::FlashRecords records(flash, unit.bytes);
    ASSERT_EQ(records.save("token", std::string_view("old")), RecordStatus::ok);
    ASSERT_EQ(records.save("wifi", std::string_view("network")), RecordStatus::ok);
    mcp::FlashRecords after_reset(flash, unit.bytes);
    flash.reads_until_failure = reads;
    const RecordStatus status = after_reset.save("wifi", std::string_view("another"));
    const bool has_failed = flash.reads_until_failure == 0;
    flash.reads_until_failure = static_cast<std::size_t>(-1);
    if (has_failed && status != RecordStatus::ok) {
      EXPECT_EQ(status, RecordStatus::failed);
      EXPECT_EQ(load(after_reset, "wifi"), "network") << reads;
      mcp::FlashRecords again(flash, unit.bytes);
      EXPECT_EQ(load(again, "token"), "old") << reads;
      EXPECT_EQ(load(again, "wifi"), "network") << reads;
      continue;
    }
    EXPECT_EQ(status, RecordStatus::ok);
    EXPECT_GE(reads, 10U);
    break;
  }
}

TEST(FlashRecords, DetectsAValueThatWasNotStored) {
  class Forgetful final : public mcp::Flash {
   public:
    explicit Forgetful(FakeFlash& flash) : flash_(&flash) {}
    bool forgets = false;

   private:
    Geometry do_geometry() override { return flash_->geometry(); }
    bool do_read(std::size_t at, std::span<std::uint8_t> into) override { return flash_->read(at, into); }
    bool do_erase(std::size_t block) override { return flash_->erase(block); }
    bool do_program(std::size_t at, std::span<const std::uint8_t> unit) override {
      return forgets || flash_->program(at, unit);
    }
    FakeFlash* flash_;
  };
  FakeFlash memory(2, 512, 8);
  Forgetful flash(memory);
  Unit unit;
  mcp::FlashRecords records(flash, unit.bytes);
  EXPECT_EQ(records.save("token", std::string_view("old")), RecordStatus::ok);
  flash.forgets = true;
  EXPECT_EQ(records.save("token", std::string_view("new")), RecordStatus::failed);
  EXPECT_EQ(load(records, "token"), "old");
}

TEST(FlashRecords, NeverOverwritesANewerFormat) {
  FakeFlash flash(2, 512, 8);
  Unit unit;
  mcp::FlashRecords records(flash, unit.bytes);
  ASSERT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  // Format 2 with the CRC of this header, computed for this test bit by bit.
  const std::size_t start = flash.bytes()[0] == 'M' ? 0 : 512;
  flash.bytes()[start + 4] = 2;
  std::uint32_t crc = 0xFFFF'FFFF;
  for (std::size_t i = 0; i < 20; ++i) {
    crc ^= flash.bytes()[start + i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB8'8320U : 0U);
  }
  for (unsigned i = 0; i < 4; ++i) flash.bytes()[start + 20 + i] = static_cast<std::uint8_t>(~crc >> 8 * i);
  const std::vector<std::uint8_t> before = flash.bytes();
  mcp::FlashRecords older(flash, unit.bytes);
  char into[16];
  EXPECT_EQ(older.load("token", into).status, RecordStatus::unsupported);
  EXPECT_EQ(older.save("token", std::string_view("x")), RecordStatus::unsupported);
  EXPECT_EQ(older.erase("token"), RecordStatus::unsupported);
  EXPECT_EQ(flash.bytes(), before);
  EXPECT_TRUE(older.format());
  EXPECT_EQ(load(older, "token"), "(none)");
  EXPECT_EQ(older.save("token", std::string_view("x")), RecordStatus::ok);
}

TEST(FlashRecords, ReportsAFormatThatFails) {
  FakeFlash flash(2, 512, 8);
  Unit unit;
  mcp::FlashRecords records(flash, unit.bytes);
  flash.fails_at = 1;
  EXPECT_FALSE(records.format());
  flash.fails_at = flash.steps + 2;
  EXPECT_FALSE(records.format());
  EXPECT_TRUE(records.format());
}

// A flash of two halves of 128 bytes, with units of 8 bytes: a header of 24 bytes, the confirmation, the
// decision, and one record.
struct OneRecord {
  static constexpr std::size_t half = 128;
  static constexpr std::size_t confirmation = 24;
  static constexpr std::size_t entries = 40;
  static constexpr std::size_t end = entries + 3 + 5 + 6;

  OneRecord() {
    mcp::FlashRecords records(flash, unit.bytes);
    EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
    good = flash.bytes();
    start = good[0] == 'M' ? 0 : half;
  }
  // As it was, but with another byte here.
  void change(std::size_t at, std::uint8_t mask) {
    flash.bytes() = good;
    flash.bytes()[start + at] ^= mask;
  }

  FakeFlash flash{2, half, 8};
  Unit unit;
  std::vector<std::uint8_t> good;
  std::size_t start = 0;
};

// A copy that was complete is damaged, not cut: other records may be intact, so no change may erase them.
TEST(FlashRecords, FailsIfItsOnlyCopyIsDamaged) {
  OneRecord one;
  for (std::size_t at = 0; at < OneRecord::end; ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      one.change(at, static_cast<std::uint8_t>(1U << bit));
      const std::vector<std::uint8_t> damaged = one.flash.bytes();
      mcp::FlashRecords records(one.flash, one.unit.bytes);
      if (at >= OneRecord::confirmation && at < OneRecord::entries) {
        EXPECT_EQ(load(records, "token"), "secret") << "one bit of the confirmation does not matter";
        continue;
      }
      char into[16];
      EXPECT_EQ(records.load("token", into).status, RecordStatus::failed) << at;
      EXPECT_EQ(records.save("wifi", std::string_view("x")), RecordStatus::failed) << at;
      EXPECT_EQ(records.erase("token"), RecordStatus::failed) << at;
      EXPECT_EQ(one.flash.bytes(), damaged) << at;
    }
  }
  mcp::FlashRecords records(one.flash, one.unit.bytes);
  EXPECT_TRUE(records.format());
  EXPECT_EQ(load(records, "token"), "(none)");
  EXPECT_EQ(records.save("token", std::string_view("x")), RecordStatus::ok);
}

// A copy without a confirmation was never complete: the power failed while it was written.
TEST(FlashRecords, IgnoresADamagedCopyWithoutAConfirmation) {
  OneRecord one;
  for (std::size_t at = 0; at < OneRecord::end; ++at) {
    if (at >= OneRecord::confirmation && at < OneRecord::entries) continue;
    one.change(at, 1);
    std::fill_n(one.flash.bytes().begin() + static_cast<std::ptrdiff_t>(one.start + OneRecord::confirmation), 8, 0xFF);
    mcp::FlashRecords records(one.flash, one.unit.bytes);
    EXPECT_EQ(load(records, "token"), "(none)") << at;
    EXPECT_FALSE(one.flash.contains("secret")) << at;
    EXPECT_EQ(records.save("token", std::string_view("x")), RecordStatus::ok) << at;
  }
}

// The intact copy counts, and the other one goes.
TEST(FlashRecords, IgnoresADamagedCopyBesideAnIntactOne) {
  OneRecord one;
  const std::size_t other = one.start == 0 ? OneRecord::half : 0;
  for (std::size_t at = 0; at < OneRecord::end; ++at) {
    if (at >= OneRecord::confirmation && at < OneRecord::entries) continue;
    one.flash.bytes() = one.good;
    const auto copy = one.good.begin() + static_cast<std::ptrdiff_t>(one.start);
    std::copy_n(copy, OneRecord::half, one.flash.bytes().begin() + static_cast<std::ptrdiff_t>(other));
    one.flash.bytes()[other + at] ^= 1;
    mcp::FlashRecords records(one.flash, one.unit.bytes);
    EXPECT_EQ(load(records, "token"), "secret") << at;
    EXPECT_EQ(one.flash.bytes(), one.good) << at;
  }
}

// The power fails in format(): nothing of the records stays readable, or the next call reports them as damaged.
TEST(FlashRecords, LeavesNoValueIfThePowerFailsInFormat) {
  using Cut = FakeFlash::Cut;
  for (const Cut cut : {Cut::before, Cut::after, Cut::partly, Cut::unstable, Cut::early, Cut::late}) {
    for (std::size_t step = 1; step <= 8; ++step) {
      for (const bool is_second : {false, true}) {
        FakeFlash flash(8, 64, 8, 0xFF, static_cast<unsigned>(step));
        Unit unit;
        {
          mcp::FlashRecords records(flash, unit.bytes);
          const std::string_view first = is_second ? "first" : "";
          ASSERT_EQ(records.save("token", first), RecordStatus::ok);
          ASSERT_EQ(records.save("token", std::string(100, 's')), RecordStatus::ok);
          flash.cut_at(step, cut);
          EXPECT_FALSE(records.format());
        }
        flash.power_on();
        mcp::FlashRecords records(flash, unit.bytes);
        char into[200];
        const RecordStatus status = records.load("token", into).status;
        EXPECT_FALSE(status == RecordStatus::not_found && flash.contains(std::string(20, 's')));
        EXPECT_TRUE(status == RecordStatus::not_found || status == RecordStatus::ok || status == RecordStatus::failed);
        EXPECT_TRUE(records.format());
        EXPECT_EQ(load(records, "token"), "(none)");
      }
    }
  }
}

// The blocks after it are erased all the same.
TEST(FlashRecords, LeavesNoOldValueAfterAWornBlock) {
  FakeFlash flash(8, 64, 8);
  Unit unit;
  mcp::FlashRecords records(flash, unit.bytes);
  ASSERT_EQ(records.save("token", std::string(100, 's')), RecordStatus::ok);
  flash.worn_block = flash.bytes()[0] == 'M' ? 0 : 4;
  EXPECT_EQ(records.save("token", std::string_view("new")), RecordStatus::ok);
  EXPECT_FALSE(flash.contains(std::string(64, 's')));
  mcp::FlashRecords again(flash, unit.bytes);
  EXPECT_EQ(load(again, "token"), "new");
  EXPECT_EQ(again.save("token", std::string_view("next")), RecordStatus::failed);
  EXPECT_EQ(load(again, "token"), "new");
}

// A unit whose programming was interrupted may be unreadable, such as with an error correction.
TEST(FlashRecords, ErasesAHalfThatCannotBeRead) {
  OneRecord one;
  one.flash.torn_at = (one.start == 0 ? OneRecord::half : 0) + 100;
  mcp::FlashRecords records(one.flash, one.unit.bytes);
  EXPECT_EQ(load(records, "token"), "secret");
  EXPECT_EQ(one.flash.torn_at, static_cast<std::size_t>(-1));
  EXPECT_EQ(records.save("token", std::string_view("x")), RecordStatus::ok);
}

// A flash of another owner: nothing in it looks like records.
TEST(FlashRecords, ErasesAHalfThatItDoesNotKnow) {
  FakeFlash flash(4, 256, 8, 0x5A);
  Unit unit;
  mcp::FlashRecords records(flash, unit.bytes);
  EXPECT_EQ(load(records, "token"), "(none)");
  EXPECT_EQ(flash.erases, 4U);
  EXPECT_EQ(load(records, "token"), "(none)");
  mcp::FlashRecords again(flash, unit.bytes);
  EXPECT_EQ(load(again, "token"), "(none)");
  EXPECT_EQ(flash.erases, 4U) << "a blank half is not erased again";
}

}  // namespace
