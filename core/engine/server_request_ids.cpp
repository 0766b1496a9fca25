// SPDX-License-Identifier: Apache-2.0
#include "engine/server_request_ids.hpp"

namespace mcp::protocol {

namespace {

constexpr std::uint32_t base = 1'000'000'000;

}  // namespace

std::uint32_t new_request_id(const mcp::detail::StorageView& storage) {
  std::uint32_t& last = storage.server_request_ids->last_id;
  if (++last >= base) last = 1;  // 0 means no request
  return last;
}

void write_request_id(json::Writer& out, std::uint32_t id) {
  out.number_begin();
  out.append_number(std::uint64_t{base + id});
}

std::uint32_t read_request_id(const std::string_view& raw) {
  if (raw.size() != 10 || raw.front() != '1') return 0;
  std::uint32_t id = 0;
  for (std::size_t i = 1; i < raw.size(); ++i) {
    if (raw[i] < '0' || raw[i] > '9') return 0;
    id = id * 10 + static_cast<std::uint32_t>(raw[i] - '0');
  }
  return id;
}

}  // namespace mcp::protocol
