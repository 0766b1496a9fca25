// SPDX-License-Identifier: Apache-2.0
#include "engine/server_request_ids.hpp"

namespace mcp::protocol {

std::uint32_t new_request_id(const mcp::detail::StorageView& storage) {
  std::uint32_t& last = storage.server_request_ids->last_id;
  last += last == 0xFFFF'FFFF ? 2 : 1;  // 0 means no request
  return last;
}

namespace {

constexpr std::string_view request_id_begin = "\"m-";

}  // namespace

void write_request_id(json::Writer& out, std::uint32_t id) {
  out.fragment(request_id_begin);
  out.append_number(std::uint64_t{id});
  out.string_end();
}

std::uint32_t read_request_id(const std::string_view& raw) {
  constexpr std::size_t begin = request_id_begin.size();
  if (raw.size() < begin + 2 || raw.size() > begin + 11 || !raw.starts_with(request_id_begin)) return 0;
  // The server never writes a zero in front.
  if (raw[begin] == '0') return 0;
  std::uint64_t id = 0;
  for (std::size_t i = begin; i < raw.size() - 1; ++i) {
    if (raw[i] < '0' || raw[i] > '9') return 0;
    id = id * 10 + static_cast<std::uint64_t>(raw[i] - '0');
  }
  return id <= 0xFFFF'FFFF ? static_cast<std::uint32_t>(id) : 0;
}

}  // namespace mcp::protocol
