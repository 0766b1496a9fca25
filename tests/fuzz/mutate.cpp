// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "fuzz/target.hpp"

namespace fuzz {
namespace {

void change_bytes(std::string& input, Random& random) {
  static constexpr char telling[] = {'\0', '\t', '\n', '\r', ' ', '"', '%',    ',',    '.',    '0',    ':',    ';',
                                     '=',  '[',  '\\', ']',  '{', '}', '\x7F', '\x80', '\xC0', '\xED', '\xF4', '\xFF'};
  const std::size_t at = random.below(input.size());
  switch (input.empty() ? 2 : random.below(5)) {
    case 0: input[at] = static_cast<char>(input[at] ^ (1 << random.below(8))); break;
    case 1: input[at] = telling[random.below(sizeof telling)]; break;
    case 2: input.insert(at, 1, telling[random.below(sizeof telling)]); break;
    case 3: input.erase(at, 1 + random.below(8)); break;
    default: input.insert(at, input.substr(at, 1 + random.below(12))); break;
  }
}

}  // namespace

void mutate(const Target& target, std::string& input, const std::string& other, Random& random) {
  static std::vector<std::string> words;
  static const Target* words_of = nullptr;
  if (words_of != &target) {
    words = target.words();
    words_of = &target;
  }
  for (std::size_t times = 1 + random.below(4); times != 0; --times) {
    const std::size_t at = random.below(input.size() + 1);
    if (target.mutate != nullptr && !random.one_in(4)) {
      target.mutate(input, random);
    } else if (!words.empty() && random.one_in(3)) {
      const std::string& word = words[random.below(words.size())];
      input.replace(at, random.one_in(2) ? word.size() : 0, word);
    } else if (random.one_in(6)) {
      const std::size_t from = random.below(other.size() + 1);
      input.replace(at, random.below(64), other, from, random.below(64));
    } else {
      change_bytes(input, random);
    }
  }
  if (input.size() > target.max_size) input.resize(target.max_size);
}

void fail(std::string_view what, std::string_view came, std::string_view wanted) {
  const auto size = [](std::string_view text) { return static_cast<int>(std::min<std::size_t>(text.size(), 4000)); };
  std::fprintf(stderr, "wrong: %.*s\n  came:   %.*s\n  wanted: %.*s\n", size(what), what.data(), size(came),
               came.data(), size(wanted), wanted.data());
  std::abort();
}

}  // namespace fuzz
