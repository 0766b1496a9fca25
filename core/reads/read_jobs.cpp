// SPDX-License-Identifier: Apache-2.0
// Reads that are jobs: JobRunner takes their steps, and the response is the same as of a read at once.
// Source: server/resources#reading-resources and basic/utilities/cancellation, 2025-11-25.
#include "mcp/read_job.hpp"

#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "features/job_runner.hpp"
#include "features/resources.hpp"
#include "mcp/input_request.hpp"
#include "mcp/json/value.hpp"
#include "mcp/mailbox.hpp"

namespace mcp {

using protocol::Request;

namespace {

// The handler of a row is called for a request alone.
Request& request_of(const ReadResult& out) { return static_cast<Request&>(out.response()); }

void set_head(detail::ReadHead& head, std::string_view uri, std::string_view mime_type, Millis ttl_ms) {
  head = {uri.data(), mime_type.data(), static_cast<std::uint16_t>(uri.size()),
          static_cast<std::uint16_t>(mime_type.size()), ttl_ms};
}

// nullptr after an error. The response comes later, in any case.
detail::ReadHead* begin_late_read(ReadResult& out, const Tool& kind) {
  out.hand_over();
  return static_cast<detail::ReadHead*>(protocol::begin_read_job(request_of(out), kind));
}

// The first template that matches, which serves this request. Separate, because a match is large on the stack.
[[gnu::noinline]] const ResourceTemplate& find_template(const Request& request, const std::string_view& uri) {
  for (const ResourceTemplate* row = request.definition.resource_templates.rows().data();; ++row) {
    TemplateMatch match;
    if (request.storage.links.match_template(row->uri_template, uri, match)) return *row;
  }
}

}  // namespace

std::string_view detail::requested_uri(const ReadResult& out) { return request_of(out).params.find("uri").string(); }

void* detail::start_read(ReadResult& out, const Tool& kind) {
  const Request& request = request_of(out);
  const std::span<const Resource> rows = request.definition.resources.rows();
  const Resource& row = rows[protocol::find_resource(request, requested_uri(out))];
  ReadHead* const head = begin_late_read(out, kind);
  if (head != nullptr) set_head(*head, row.uri, row.mime_type, row.ttl_ms);
  return head;
}

void* detail::start_read_of_template(ReadResult& out, const Tool& kind) {
  const ResourceTemplate& row = find_template(request_of(out), requested_uri(out));
  ReadHead* const head = begin_late_read(out, kind);
  if (head != nullptr) set_head(*head, {}, row.mime_type, row.ttl_ms);
  return head;
}

JobHandle ReadContext::handle() const { return context_.handle(); }

Step detail::step_read(const ReadHead& head, void* job, Step (*step)(void*, ReadContext&), AskContext& context) {
  return JobRunner::step_read(head, job, step, context);
}

// The response of JobRunner is for its outcome alone: the request here writes the same bytes as a read at once.
Step JobRunner::step_read(const detail::ReadHead& head, void* job, Step (*step)(void*, ReadContext&),
                          AskContext& context) {
  const std::string_view uri(head.uri, head.uri_size);
  context.response_.discard();
  Request request(context.context_, context.response_.id(), json::Object());
  request.result_begin();
  ReadContext read(context, protocol::body_begin(request, uri, {head.mime_type, head.mime_type_size}, head.ttl_ms));
  const Step next = step(job, read);
  if (next.kind_ != Step::Kind::done || context.stop_requested()) return next;
  protocol::body_end(request, uri, read.body(), next.errc_);
  context.response_.answered_with(request.code());
  return next;
}

}  // namespace mcp
