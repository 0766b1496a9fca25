// SPDX-License-Identifier: Apache-2.0
// What an application adds to the protocol: methods, notifications, and capabilities.
#include "mcp/method.hpp"

#include <cstring>
#include <string_view>

#include "engine/error_texts.hpp"
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/tool.hpp"
#include "schema/codecs.hpp"

namespace mcp {

SessionId MethodCall::session() const { return request_.context.session_id(); }

void MethodCall::fail_begin(int code) {
  MCP_ASSERT(code != 0);
  request_.error_begin(code);
}

Errc MethodCall::fail_end() {
  request_.error_end();
  return Errc::handled;
}

void MethodCall::data_begin() { request_.error_data_begin(); }

Errc MethodCall::data_end() {
  if (!request_.error_data_end()) {
    request_.error_begin(request_.code());
    out_.append("Error (details do not fit).");
    request_.error_end();
  }
  return Errc::handled;
}

namespace detail {
namespace {

/// Makes an error of the text that a codec has written: `{"type":"text","text":"…"}` after `start`. It is at the end of
/// the buffer until it is copied, so both fit only into a buffer with space for the text twice.
Errc fail_with_text(protocol::Request& request, const json::Writer::Mark& start, int code) {
  json::Writer& out = request.out;
  const char* const from = *start.at == ',' ? start.at + 1 : start.at;
  const auto size = static_cast<std::size_t>(out.mark().at - from);
  char* const copy = out.rest().data() + out.rest().size() - size;
  std::memmove(copy, from, size);
  request.discard();
  const std::size_t kept = out.reserve(size);
  const std::string_view text = json::find_member(json::Value(copy), "text").string();
  request.error_begin(code);
  out.append(text);
  out.release(kept);
  request.error_end();
  return Errc::handled;
}

struct ResultSink : OutputSink {
  protocol::Request& request;
};

Errc reject_value(OutputSink& sink, const ArgumentPath& path) {
  protocol::Request& request = static_cast<ResultSink&>(sink).request;
  request.error_begin(rpc::internal_error);
  append_invalid(request.out, path);
  request.error_end();
  return Errc::handled;
}

}  // namespace

Errc decode_method_params(const Method& method, json::Value params, void* into, MethodCall& call) {
  protocol::Request& request = call.request();
  const json::Writer::Mark start = request.out.mark();
  Call text(request, request.known_content(), call.session(), &request);
  const Errc errc = decode_params({method.params, method.param_count}, params, into, text);
  if (errc == Errc::failed) return fail_with_text(request, start, rpc::invalid_params);
  if (errc != Errc::no_space) return errc;
  protocol::fail_for_space(request);
  return Errc::handled;
}

Errc encode_method_result(const Method& method, const void* value, Errc errc, MethodCall& call) {
  if (errc != Errc::ok) return errc;
  ResultSink sink{{call.result(), reject_value}, call.request()};
  return encode_struct_members({method.output, method.output_count}, value, sink);
}

}  // namespace detail

namespace protocol {
namespace {

// A row that is hidden from the caller is as if it were not in the table.
const mcp::Method* find(const SendContext& context, const std::string_view& name, bool is_notification) {
  const bool hides = context.definition.hide_out_of_scope.on();
  for (const mcp::Method& row : context.definition.methods.rows()) {
    if (row.is_notification != is_notification || !json::equal(row.info.name, name)) continue;
    return hides && missing_scope(context, row.info.scope) != ScopeTable::npos ? nullptr : &row;
  }
  return nullptr;
}

void run_method(Request& request, const mcp::Method& row) {
  const std::size_t missing = missing_scope(request.context, row.info.scope);
  if (missing != ScopeTable::npos) return fail_for_scope(request, row.info.scope, missing);
  const RateLimiter* const limiter = request.storage.links.rate_limiter;
  if (limiter != nullptr && !limiter->request(request)) return;
  request.result_begin();
  MethodCall call(request.out, request);
  const Errc errc = row.invoke(row, request.params.value, call);
  if (errc == Errc::handled) {
    MCP_ASSERT(request.code() != 0);  // a handler returns `handled` only if a function of its MethodCall returned it
    return;
  }
  if (errc == Errc::not_found) return request.fail(describe(Errc::invalid_argument));
  if (errc == Errc::no_space) return fail_executed(request);
  if (errc != Errc::ok) return request.fail(describe(errc));
  request.finish();
}

bool serve_method(Request& request, const std::string_view& name) {
  const mcp::Method* const row = find(request.context, name, false);
  if (row == nullptr) return false;
  const json::Value params = request.params.value;
  if (params.present() && !params.is(json::Type::object)) {
    request.fail("params must be an object.");
  } else if (request.session.phase == mcp::detail::Phase::fresh && !request.context.client.stateless) {
    request.fail(rpc::invalid_request, "Not initialized: send initialize first.");
  } else {
    run_method(request, *row);
  }
  return true;
}

// A notification has no session if its transport says so, or if its `_meta` names a stateless revision.
bool comes_without_session(const SendContext& context, const rpc::Envelope& envelope) {
  const StatelessOps* const stateless = context.storage.links.stateless;
  return context.session.shared || (stateless != nullptr && stateless->is_stateless(envelope.params));
}

void notify_method(SendContext& context, const rpc::Envelope& envelope) {
  const mcp::Method* const row = find(context, envelope.method, true);
  if (row == nullptr) return;
  const mcp::detail::Client client = context.client;  // of the messages that follow in a batch
  if (comes_without_session(context, envelope)) {
    context.client = {.revision = newest_stateless, .stateless = true};
  } else if (context.session.phase == mcp::detail::Phase::fresh) {
    return;
  }
  // The response is written and discarded: it tells an Audit how the notification ended.
  const json::Writer::Mark start = context.out.mark();
  Request request(context, {}, envelope.params);
  if (!envelope.params.value.present() || envelope.params.value.is(json::Type::object)) {
    run_method(request, *row);
  } else {
    request.fail("params must be an object.");
  }
  context.out.rollback(start);
  context.error = Reply::Error::none;
  if (const AuditOps* const audit = context.storage.links.audit) audit->request(request, envelope.method, true);
  context.client = client;
}

}  // namespace

constinit const MethodOps method_ops{serve_method, notify_method};

}  // namespace protocol
}  // namespace mcp
