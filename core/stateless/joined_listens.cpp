// SPDX-License-Identifier: Apache-2.0
#include "stateless/joined_listens.hpp"

#include <cstring>

#include "mcp/assert.hpp"
#include "rpc/same_id.hpp"

namespace mcp::protocol {

JoinedListens::JoinedListens(const mcp::detail::StorageView& storage, std::size_t subscription)
    : id_(storage.subscription_id(subscription)) {
  const std::size_t id_size = storage.subscriptions.at(subscription).id_size;
  MCP_DEBUG_ASSERT(id_size <= storage.id_size);
  bytes_ = {id_ + id_size, storage.id_size - id_size};
}

void JoinedListens::clear() { std::memset(bytes_.data(), 0, bytes_.size()); }

bool JoinedListens::add(std::size_t target, std::string_view id) {
  char* end = bytes_.data();
  while (at(end) != nullptr) end += head_size + size_of(end);
  const auto space = static_cast<std::size_t>(bytes_.data() + bytes_.size() - end);
  if (target >= most_targets || id.size() > 0xFF || space < head_size + id.size()) return false;
  end[0] = static_cast<char>(id.size());
  end[1] = static_cast<char>(target);
  end[2] = static_cast<char>(target >> 8 | 0x80);
  std::memcpy(end + head_size, id.data(), id.size());
  return true;
}

void JoinedListens::remove(Place place) {
  const std::size_t size = head_size + size_of(place);
  char* const end = bytes_.data() + bytes_.size();
  MCP_DEBUG_ASSERT(bytes_.data() <= place && place + size <= end);
  const auto rest = static_cast<std::size_t>(end - place) - size;
  std::memmove(place, place + size, rest);
  std::memset(place + rest, 0, size);
}

void JoinedListens::take_first_place() {
  const auto id_size = static_cast<std::size_t>(bytes_.data() - id_);
  std::memmove(id_, bytes_.data(), bytes_.size());
  std::memset(id_ + bytes_.size(), 0, id_size);
  bytes_ = {id_, bytes_.size() + id_size};
}

JoinedListens::Place JoinedListens::find(std::size_t target) const {
  Place place = first();
  while (place != nullptr && JoinedListens::target(place) != target) place = next(place);
  return place;
}

JoinedListens::Place JoinedListens::find(std::string_view id) const {
  Place place = first();
  while (place != nullptr && !rpc::same_id(JoinedListens::id(place), id)) place = next(place);
  return place;
}

JoinedListens::Place JoinedListens::first_due() const {
  Place place = first();
  while (place != nullptr && (place[2] & 0x80) == 0) place = next(place);
  return place;
}

}  // namespace mcp::protocol
