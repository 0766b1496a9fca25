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

void JoinedListens::remove(Entry entry) {
  const std::size_t size = head_size + size_of(entry);
  char* const end = bytes_.data() + bytes_.size();
  MCP_DEBUG_ASSERT(bytes_.data() <= entry && entry + size <= end);
  const auto rest = static_cast<std::size_t>(end - entry) - size;
  std::memmove(entry, entry + size, rest);
  std::memset(entry + rest, 0, size);
}

void JoinedListens::move_to_begin() {
  const auto id_size = static_cast<std::size_t>(bytes_.data() - id_);
  std::memmove(id_, bytes_.data(), bytes_.size());
  std::memset(id_ + bytes_.size(), 0, id_size);
  bytes_ = {id_, bytes_.size() + id_size};
}

JoinedListens::Entry JoinedListens::find(std::size_t target) const {
  Entry entry = first();
  while (entry != nullptr && JoinedListens::target(entry) != target) entry = next(entry);
  return entry;
}

JoinedListens::Entry JoinedListens::find(std::string_view id) const {
  Entry entry = first();
  while (entry != nullptr && !rpc::same_id(JoinedListens::id(entry), id)) entry = next(entry);
  return entry;
}

JoinedListens::Entry JoinedListens::first_due() const {
  Entry entry = first();
  while (entry != nullptr && (entry[2] & 0x80) == 0) entry = next(entry);
  return entry;
}

}  // namespace mcp::protocol
