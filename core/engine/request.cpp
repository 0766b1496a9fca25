// SPDX-License-Identifier: Apache-2.0
#include "engine/request.hpp"

#include "engine/error_texts.hpp"
#include "engine/feature.hpp"
#include "engine/responses.hpp"

namespace mcp::protocol {

namespace {

// Not inlined: only servers with StorageView::disabled come here, and all others would save registers for it. The
// Storage also has these bits if the Definition hides rows by scope.
[[gnu::noinline]] bool is_shown(const Request& request, ListKind kind, std::size_t index) {
  const mcp::detail::Links& links = request.storage.links;
  if (links.hides_row != nullptr && links.hides_row(request, kind, index)) return false;
  return !memory::BitSet(request.storage.disabled).test(request.definition.rows_before(kind) + index);
}

}  // namespace

bool Request::enabled(ListKind kind, std::size_t index) const {
  return storage.disabled.empty() || kind == ListKind::tasks || is_shown(*this, kind, index);
}

bool Request::id_is_free() {
  // Stateless clients know nothing of each other's ids.
  if (session.shared) return true;
  // The search for an id ignores the channel.
  if (!any_open(storage, {session_index, only_channel, id()})) return true;
  fail(rpc::invalid_request, "id is in use by a running request.");
  return false;
}

bool Request::read_call(std::string_view& name, json::Value& arguments) {
  static constexpr std::string_view names[] = {"name", "arguments"};
  json::Value values[2];
  if (params.find(names, values) != json::no_key) {
    return fail(rpc::invalid_request, "params has a duplicate member."), false;
  }
  name = values[0].string();
  if (name.data() == nullptr) return fail("name must be a string."), false;
  arguments = values[1].unless_null();
  if (!arguments.present() || arguments.is(json::Type::object)) return true;
  return fail("arguments must be an object."), false;
}

bool Request::finish() {
  if (result_end()) return true;
  fail_executed(*this);
  return false;
}

void Request::empty_result() {
  result_begin();
  finish();
}

void Request::fail(const char* message) { fail(rpc::invalid_params, message); }

void Request::fail(const char* begin, const std::string_view& name, const char* end) {
  fail(rpc::invalid_params, begin, name, end);
}

void Request::fail(int code, const char* begin, const std::string_view& name, const char* end) {
  error_begin(code);
  out.append(begin);
  out.append(name);
  out.append(end);
  error_end();
}

void Request::fail_busy(const char* begin, std::size_t number, const char* end, Millis retry_after_ms) {
  error_begin(rpc::internal_error);
  out.append(begin);
  out.append_number(std::uint64_t{number});
  out.append(end);
  end_busy_error(*this, retry_after_ms);
}

void Request::fail(Errc errc, const std::string_view& uri) {
  const ErrorText& error = describe(errc);
  if (error.code == resource_not_found) {
    error_begin(revision().stateless ? rpc::invalid_params : error.code);
    out.append(error.text);
    error_data_begin();
    out.fragment("{\"uri\":");
    out.string(uri);
    out.object_end();
    if (error_data_end()) return;
  }
  fail(error);
}

}  // namespace mcp::protocol
