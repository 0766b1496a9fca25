// SPDX-License-Identifier: Apache-2.0
// The targets of a fuzzer: one function for each, which takes any bytes and ends the process on an error. The same
// functions run under libFuzzer and under the small driver of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

/// One seed gives the same numbers everywhere (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EB;
    return z ^ (z >> 31);
  }
  /// 0 to count - 1; 0 when `count` is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : static_cast<std::size_t>(next() % count); }
  /// As above, for a value that may not fit into 32 bits.
  std::uint64_t below_64(std::uint64_t count) { return count == 0 ? 0 : next() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }

 private:
  std::uint64_t state_;
};

/// Takes numbers off the front of an input; zeros after its end.
class Bytes {
 public:
  explicit Bytes(std::string_view input) : rest_(input) {}
  [[nodiscard]] bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }
  std::string_view text(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view rest() { return text(rest_.size()); }

 private:
  std::string_view rest_;
};

/// The target.
struct Target {
  const char* name;
  /// True when the input got so far that others should be made of it.
  bool (*run)(std::string_view input);
  /// Inputs to begin with.
  std::vector<std::string> (*seeds)();
  /// Texts that mean something to it.
  std::vector<std::string> (*words)();
  /// Changes an input as its grammar has it; nullptr: bytes and words alone.
  void (*mutate)(std::string& input, Random& random);
  /// Largest input in bytes.
  std::size_t max_size;
};

extern const Target devices_target;
extern const Target json_target;
extern const Target writer_target;
extern const Target http_target;
extern const Target mqtt_target;
extern const Target stdio_target;
extern const Target server_target;
extern const Target state_target;
extern const Target uri_target;
extern const Target workbench_target;
extern const Target lwip_target;  // where lwIP is

/// Changes an input in one to four places: bytes, words, pieces of `other`, or as its grammar has it.
void mutate(const Target& target, std::string& input, const std::string& other, Random& random);

/// Prints the error and ends the process (SIGABRT).
[[noreturn]] void fail(std::string_view what, std::string_view came = {}, std::string_view wanted = {});

}  // namespace fuzz
