// SPDX-License-Identifier: Apache-2.0
#include "engine/responses.hpp"

#include <algorithm>
#include <string_view>

#include "engine/error_texts.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "mcp/detail/listing.hpp"

namespace mcp::protocol {

void fail_for_space(rpc::Response& response) {
  response.fail(rpc::internal_error, "The response is too large for one message.");
}

void fail_executed(rpc::Response& response) {
  constexpr ErrorText error = describe(Errc::no_space);
  response.fail(error.code, error.text);
}

void end_busy_error(rpc::Response& response, Millis retry_after_ms) {
  response.error_data_begin();
  response.out.object_begin();
  write_retry_after(response.out, retry_after_ms);
  response.out.object_end();
  if (!response.error_data_end()) fail_for_space(response);
}

std::size_t missing_scope(const SendContext& context, const RowScope& scope) {
  if (!scope.given()) return ScopeTable::npos;
  const std::size_t position = context.definition.scopes.find(scope.name());
  if (context.scopes().has(position)) return ScopeTable::npos;
  return position != ScopeTable::npos ? position : unknown_scope;
}

void fail_for_scope(Request& request, const RowScope& scope, std::size_t position) {
  if (position < unknown_scope)
    request.context.error = static_cast<Reply::Error>(static_cast<std::size_t>(Reply::Error::scope) + position);
  request.fail(rpc::invalid_request, "The scope ", scope.name(), " is required; use a token that has it.");
}

void write_boot_id(Request& request) {
  if (const BootOps* const boot = request.storage.links.boot) boot->write_meta(request);
}

namespace {

// Called twice.
[[gnu::noinline]] std::uint32_t boot_id(const mcp::detail::StorageView& storage) {
  std::uint32_t& id = storage.server_request_ids->boot_id;
  if (id == 0) id = storage.services.boot_id();
  return id;
}

void write_boot_meta(Request& request) {
  const std::uint32_t id = boot_id(request.storage);
  if (id == 0) return;
  request.meta_begin();
  mcp::detail::write_boot_id(request.out, id);
  request.out.object_end();
}

// The first line end ends a line that the reset has torn.
std::size_t write_boot_mark(const mcp::detail::StorageView& storage, std::span<char> into) {
  constexpr std::string_view begin = "\n# mote boot ";
  const std::uint32_t id = boot_id(storage);
  if (id == 0) return 0;
  const mcp::detail::BootDigits digits(id);
  char* end = std::copy_n(begin.data(), begin.size(), into.data());
  end = std::copy_n(digits.view().data(), mcp::detail::BootDigits::size, end);
  *end++ = '\n';
  return static_cast<std::size_t>(end - into.data());
}

}  // namespace

constinit const BootOps boot_ops{write_boot_meta, write_boot_mark};

rpc::Response reject(SendContext& context, const std::string_view& id, int code) {
  context.error = Reply::Error::request;
  context.rejection = static_cast<std::int16_t>(code);
  rpc::Response response(context.out, id);
  response.error_begin(code);
  return response;
}

}  // namespace mcp::protocol
