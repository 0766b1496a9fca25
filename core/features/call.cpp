// SPDX-License-Identifier: Apache-2.0
// How the handler of a tool ends its call: failed, busy, with a structured result, with input requests.
// Source: server/tools#tool-result and basic#_meta, 2025-11-25; basic/patterns/mrtr, 2026-07-28.
#include "mcp/call.hpp"

#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "features/client_capabilities.hpp"
#include "features/pending_input.hpp"
#include "mcp/assert.hpp"
#include "mcp/client.hpp"
#include "mcp/frame_pool.hpp"
#include "mcp/job_context.hpp"
#include "mcp/json/value.hpp"
#include "schema/codecs.hpp"

namespace mcp {

json::Writer& Call::fail_begin() {
  state_ = failed;
  result_.wrap_ = nullptr;  // undoes the assertion of close()
  out_.rollback(start_);
  response_.forget_meta();
  result_.begin("{\"type\":\"text\",\"text\":\"");
  return out_;
}

Errc Call::fail_end() {
  const Errc errc = result_.text_end();
  return errc == Errc::ok ? Errc::failed : errc;
}

void Call::close() {
  if (is_closed()) return;
  out_.array_end();
  state_ |= closed;
  // wrap_ is called around each content item. Here it asserts, because later content would be outside of the array.
  result_.wrap_ = [](json::Writer&, bool, std::uint8_t) { MCP_ASSERT(false); };
}

// The complete end of the result except its braces, because nothing else may follow the content of a failed call.
Errc Call::busy_end(Millis retry_after_ms) {
  const Errc errc = fail_end();
  close();
  out_.fragment("\"isError\":true");
  state_ |= with_meta;
  response_.meta_begin();
  protocol::write_retry_after(out_, retry_after_ms);
  out_.object_end();
  return errc;
}

namespace {

struct CallSink : detail::OutputSink {
  Call& call;
};

Errc reject_value(detail::OutputSink& sink, const detail::ArgumentPath& path) {
  Call& call = static_cast<CallSink&>(sink).call;
  detail::append_invalid(call.fail_begin(), path);
  return call.fail_end();
}

}  // namespace

Errc Call::structured(std::span<const detail::ParamInfo> rows, const void* value) {
  MCP_ASSERT(!is_closed() && !has_failed());  // once, and before meta()
  CallSink sink{{out_, reject_value}, *this};
  result_.begin("{\"type\":\"text\",\"text\":");
  out_.quoted_begin();
  if (const Errc errc = detail::encode_struct(rows, value, sink); errc != Errc::ok) return errc;
  out_.quoted_end();
  static_cast<void>(result_.end());
  close();
  state_ |= with_structured;
  if (result_.known_.structured) {
    out_.fragment("\"structuredContent\":");
    static_cast<void>(detail::encode_struct(rows, value, sink));  // which went well a moment ago
  }
  return out_.ok() ? Errc::ok : Errc::no_space;
}

json::Writer& Call::meta_begin() {
  MCP_ASSERT(!has_meta() && !has_failed());
  close();
  state_ |= with_meta;
  response_.meta_begin();
  return out_;
}

Errc Call::meta_end() {
  out_.object_end();
  return out_.ok() ? Errc::ok : Errc::no_space;
}

static_assert(static_cast<int>(ClientCapability::elicitation_url) == protocol::CapabilityBit::elicitation_url);

bool Call::client_can(ClientCapability capability) const {
  return (known_.client & static_cast<std::uint8_t>(capability)) != 0;
}

Errc Call::needs_client(ClientCapability capability) {
  if (client_can(capability)) return Errc::ok;
  if ((known_.client & protocol::CapabilityBit::stateless) == 0) {
    return fail("Missing capability of the client: ", protocol::name_of(static_cast<std::uint8_t>(capability)), ".");
  }
  protocol::fail_for_capability(response_, static_cast<std::uint8_t>(capability));
  return Errc::handled;
}

bool Call::refuses_urls() const {
  if (request_ == nullptr) return false;  // a step of a job
  for (json::Members responses(request_->params.find("inputResponses")); responses.next();) {
    const json::Value action = json::find_member(responses.value(), "action");
    if (action.equals("decline") || action.equals("cancel")) return true;
  }
  return false;
}

Errc Call::ask_for_urls(std::span<const UrlElicitation> urls) {
  // A task has no id here, and its result cannot be input_required.
  if (response_.id().empty()) return fail("The result of a task cannot request URLs.");
  if (refuses_urls()) return fail("The user did not open the URLs.");
  response_.input_required_begin();
  out_.fragment("\"inputRequests\":{");
  std::uint64_t number = 0;
  for (const UrlElicitation& url : urls) {
    out_.string_begin();
    out_.append("url");
    out_.append_number(++number);
    out_.key_end();
    out_.fragment("{\"method\":\"elicitation/create\",\"params\":{");
    protocol::write_url_elicitation(out_, url, /*with_id=*/false);
    out_.fragment("}}");
  }
  out_.object_end();
  if (!response_.result_end()) protocol::fail_for_space(response_);
  return Errc::handled;
}

Errc Call::needs_urls(std::span<const UrlElicitation> urls) {
  if (const Errc errc = needs_client(ClientCapability::elicitation_url); errc != Errc::ok) return errc;
  if ((known_.client & protocol::CapabilityBit::stateless) != 0) return ask_for_urls(urls);
  response_.error_begin(protocol::url_elicitation_required);
  out_.append("Open the URLs, then retry the call.");
  response_.error_data_begin();
  out_.fragment("{\"elicitations\":[");
  for (const UrlElicitation& url : urls) {
    out_.object_begin();
    protocol::write_url_elicitation(out_, url);
    out_.object_end();
  }
  out_.fragment("]}");
  if (!response_.error_data_end()) protocol::fail_for_space(response_);
  return Errc::handled;
}

}  // namespace mcp

// The job of a coroutine calls these functions. They are here because tests replace frame_pool.cpp.
namespace mcp::detail {

void Frames::release(const void* frame) const {
  used[static_cast<std::size_t>(static_cast<const char*>(frame) - bytes) / size] = false;
}

Errc Frames::fail(JobContext& context) const {
  Health& health = context.context_.storage.health();
  if (wanted > size) {
    detail::count(health.frames_too_large);
    if (wanted > health.largest_frame) health.largest_frame = static_cast<std::uint32_t>(wanted);
    return context.fail("This call needs a frame of ", wanted, " bytes; the FramePool of its tool has slots of ", size,
                        " bytes.");
  }
  detail::count(health.frames_full);
  return context.busy(protocol::busy_wait_ms, "All ", slot_count, " frames are in use; try again later.");
}

}  // namespace mcp::detail
