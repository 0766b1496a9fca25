// SPDX-License-Identifier: Apache-2.0
// Counts the messages of a server that serves stateless requests, before StatelessOps::read_message().
#include "kit/figures/figure_counts.hpp"

namespace mcp::protocol {
namespace {

RequestKind count_and_read(SendContext& context, const rpc::Envelope& envelope, bool in_batch) {
  count_message(context, envelope);
  const RequestKind kind = stateless_ops.read_message(context, envelope, in_batch);
  if (kind == RequestKind::rejected) count_rejected(context);
  return kind;
}

bool is_stateless(const json::Object& params) { return stateless_ops.is_stateless(params); }

void write_meta(json::Writer& out, const void* context) { stateless_ops.write_meta(out, context); }

void write_cache(json::Writer& out, Millis ttl_ms) { stateless_ops.write_cache(out, ttl_ms); }

}  // namespace

constinit const StatelessOps counted_stateless_ops{count_and_read, is_stateless, write_meta, write_cache};

}  // namespace mcp::protocol
