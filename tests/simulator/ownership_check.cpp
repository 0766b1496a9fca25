// SPDX-License-Identifier: Apache-2.0
#include "simulator/ownership_check.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace sim {
namespace {

constexpr std::size_t id_size = 32;  // digits of an id that the device has made

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

}  // namespace

bool OwnershipCheck::add(Belonging thing) {
  const bool is_state = thing.kind == Belonging::Kind::state;
  const auto [found, fresh] = is_state ? std::pair{owners_.end(), true} : owners_.emplace(thing.text, thing.client);
  if (!fresh) return found->second == thing.client;
  if (things_.size() == kept) things_.pop_front();
  things_.push_back(std::move(thing));
  return true;
}

const Belonging* OwnershipCheck::anothers(fuzz::Random& random, Belonging::Kind kind, int client,
                                          std::uint64_t principal, bool guarded) const {
  std::vector<const Belonging*> found;
  for (const Belonging& thing : things_) {
    if (thing.kind == kind && thing.client != client && (!guarded || thing.principal != principal))
      found.push_back(&thing);
  }
  // The newest are most likely still of use.
  const std::size_t few = std::min<std::size_t>(found.size(), 4);
  return found.empty() ? nullptr : found[found.size() - 1 - random.below(few)];
}

// The name of a call is c17-3: the third of client 17.
std::string OwnershipCheck::foreign_in(std::string_view text, int client) const {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == 'c' && end < text.size() && is_digit(text[end])) {
      while (end < text.size() && is_digit(text[end])) ++end;
      const bool is_name = end + 1 < text.size() && text[end] == '-' && is_digit(text[end + 1]);
      if (is_name && std::atoi(text.data() + i + 1) != client) return std::string(text.substr(i, end + 2 - i));
      i = end;
    } else if (is_hex(text[i])) {
      while (end < text.size() && is_hex(text[end])) ++end;
      if (end - i == id_size) {
        const auto owner = owners_.find(text.substr(i, id_size));
        if (owner != owners_.end() && owner->second != client) return owner->first;
      }
      i = end;
    } else {
      i = end;
    }
  }
  return {};
}

void OwnershipCheck::clear() {
  things_.clear();
  owners_.clear();
}

}  // namespace sim
