// SPDX-License-Identifier: Apache-2.0
// The figures of a server, and their JSON.
#include "kit/figures/figure_counts.hpp"

#include "engine/request.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/mailbox.hpp"
#include "mcp/server.hpp"

namespace mcp {
namespace protocol {
namespace {

using mcp::detail::FigurePool;
using mcp::detail::Figures;
using mcp::detail::StorageView;

std::uint32_t count_used(const memory::Slots& slots) {
  std::uint32_t used = 0;
  for (memory::SlotWalk all(slots); all.next() != nullptr;) ++used;
  return used;
}

std::uint32_t high_water_of(const Figures& figures, FigurePool pool) {
  return figures.high_water[static_cast<std::size_t>(pool)];
}

// Nothing for a pool that the Definition does not use.
void write_pool(const StorageView& storage, FigureWriter& out, FigurePool pool, std::string_view name,
                const memory::Slots& slots, std::uint32_t full) {
  if (slots.capacity() == 0) return;
  out.pool(name, {.size = static_cast<std::uint32_t>(slots.capacity()),
                  .used = count_used(slots),
                  .high_water = high_water_of(*storage.figures(), pool),
                  .full = full});
}

bool is_named(const StorageView& storage, std::size_t target) {
  for (std::size_t i = 0; i < storage.sessions.capacity(); ++i) {
    if (storage.sessions.in_use(i) != nullptr && storage.subscribed_by(i).test(target)) return true;
  }
  for (memory::Walk<mcp::detail::Subscription> all(storage.subscriptions); all.next() != nullptr;) {
    if (storage.targets_named_by(all.index()).test(target)) return true;
  }
  return false;
}

void write_instances(const StorageView& storage, FigureWriter& out) {
  if (storage.instance_count == 0) return;
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < storage.instance_count; ++i) {
    if (is_named(storage, storage.first_instance_target() + i)) ++used;
  }
  out.pool("template_subscriptions",
           {.size = storage.instance_count,
            .used = used,
            .high_water = high_water_of(*storage.figures(), FigurePool::template_subscriptions),
            .full = 0});
}

// A record leaves the ring only when another one needs its space.
void write_log_ring(const StorageView& storage, FigureWriter& out) {
  if (storage.log_state == nullptr) return;
  const memory::RecordRing::State& ring = *storage.log_state;
  const auto size = static_cast<std::uint32_t>(storage.log_bytes.size());
  const std::uint32_t used = ring.end != 0 ? std::uint32_t{ring.end} - ring.first + ring.next : ring.next - ring.first;
  out.memory(
      "log",
      {.size = size, .used = used, .high_water = ring.oldest != 0 ? size : used, .full = storage.health().logs_lost});
}

void write_mailbox(const StorageView& storage, FigureWriter& out) {
  const Mailbox* const mailbox = storage.services.mailbox;
  if (mailbox == nullptr || mailbox->log_slots() == 0) return;
  const auto used = static_cast<std::uint32_t>(mailbox->waiting_logs());
  const std::uint32_t mark = high_water_of(*storage.figures(), FigurePool::mailbox_logs);
  out.pool("mailbox_logs", {.size = static_cast<std::uint32_t>(mailbox->log_slots()),
                            .used = used,
                            .high_water = used > mark ? used : mark,
                            .full = storage.health().mailbox_logs_lost});
}

void write_pools(const StorageView& storage, FigureWriter& out) {
  const Health& health = storage.health();
  write_pool(storage, out, FigurePool::sessions, "sessions", storage.sessions, health.sessions_full);
  write_pool(storage, out, FigurePool::jobs, "jobs", storage.jobs, health.jobs_full);
  write_pool(storage, out, FigurePool::tasks, "tasks", storage.tasks, health.tasks_full);
  write_pool(storage, out, FigurePool::scheduled_calls, "scheduled_calls", storage.scheduled,
             storage.figures()->scheduled_full);
  write_pool(storage, out, FigurePool::streams, "streams", storage.streams, health.streams_full);
  // One counter for both pools. A request without a slot for a URI of a template also counts here.
  write_pool(storage, out, FigurePool::subscriptions, "subscriptions", storage.subscriptions,
             health.subscriptions_full);
  write_instances(storage, out);
  write_pool(storage, out, FigurePool::elicitations, "elicitations", storage.elicitation_ends,
             health.elicitations_full);
  write_mailbox(storage, out);
  write_log_ring(storage, out);
}

void write_messages(const Figures& figures, const Health& health, FigureWriter& out) {
  constexpr std::string_view about = "Received messages";
  out.counter("messages", {"kind", "request"}, figures.requests, about);
  out.counter("messages", {"kind", "notification"}, figures.notifications, about);
  out.counter("messages", {"kind", "response"}, figures.responses, about);
  out.counter("messages", {"kind", "invalid"}, figures.invalid, about);
  out.counter("messages", {"kind", "unreadable"}, figures.unreadable, about);
  out.counter("messages", {"kind", "too_long"}, health.messages_too_long, about);
  constexpr std::string_view codes[] = {"-32700", "-32600", "-32601", "-32602", "-32603", "-32002",
                                        "-32020", "-32021", "-32022", "-32042", "other"};
  static_assert(std::size(codes) == std::size(Figures::codes) + 1);
  for (std::size_t i = 0; i < std::size(codes); ++i) {
    // Code that knows no request counts these two.
    const std::uint32_t more = i == 0 ? figures.unreadable : i == 1 ? health.messages_too_long : 0;
    out.counter("errors", {"code", codes[i]}, std::uint64_t{figures.errors[i]} + more, "Sent JSON-RPC errors");
  }
}

void write_values(const Definition& definition, const StorageView& storage, FigureWriter& out) {
  const Figures& figures = *storage.figures();
  const Health& health = storage.health();
  out.gauge("uptime", figures.uptime_ms, FigureUnit::milliseconds, "Time since the first poll");
  out.gauge("longest_poll", figures.longest_poll_ms, FigureUnit::milliseconds, "Longest time between two polls");
  write_messages(figures, health, out);
  out.counter("refused", figures.refused, FigureUnit::none, "Requests without a valid token or scope");
  if (storage.links.rate_limiter != nullptr)
    out.counter("rate_limited", figures.rate_limited, FigureUnit::none, "Calls beyond Limits::call_burst");
  if (storage.log_state != nullptr)
    out.counter("logs_lost", health.logs_lost, FigureUnit::none, "Log messages that a client missed");
  if (storage.links.input_requests != nullptr)
    out.counter("stale_answers", health.stale_answers, FigureUnit::none, "Responses without an input request");
  if (definition.has_jobs()) {
    out.counter("frames_full", health.frames_full, FigureUnit::none, "Coroutines without a slot in their FramePool");
    out.counter("frames_too_large", health.frames_too_large, FigureUnit::none, "Frames larger than their slots");
    out.gauge("largest_frame", health.largest_frame, FigureUnit::bytes, "Largest frame that did not fit");
  }
  if (definition.found_tools.any() || definition.found_resources.any())
    out.counter("found_rows_omitted", health.found_rows_omitted, FigureUnit::none, "Found rows left out of a list");
}

}  // namespace

void write_figures(const Definition& definition, const StorageView& storage, Millis now, FigureWriter& out) {
  note_time(storage, now);
  write_pools(storage, out);
  write_values(definition, storage, out);
}

namespace {

// One part of the JSON: `"pools":{…}`, `"memory":{…}`, or values. Each part is a walk over all figures.
class JsonFigures final : public FigureWriter {
 public:
  enum class Part : std::uint8_t { pools, memory, values };
  JsonFigures(json::Writer& out, Part part) : out_(out), part_(part) {}

  void end() {
    if (in_group_) out_.object_end();
    in_group_ = false;
  }

 private:
  void do_pool(std::string_view name, const PoolFigures& figures, bool is_bytes) override {
    if (part_ != (is_bytes ? Part::memory : Part::pools)) return;
    put_key(name, {});
    out_.object_begin();
    out_.member("size", figures.size);
    out_.member("used", figures.used);
    out_.member("high", figures.high_water);
    out_.member("full", figures.full);
    out_.object_end();
  }

  void do_value(const FigureValue& figure) override {
    if (part_ != Part::values) return;
    if (figure.label.key.empty()) {
      end();
      constexpr const char* units[] = {"", "_ms", "_bytes"};
      put_key(figure.name, units[static_cast<unsigned>(figure.unit)]);
      return out_.number(figure.value);
    }
    const std::uint32_t group = hash(figure.name);
    if (!in_group_ || group_ != group) {
      end();
      put_key(figure.name, {});
      out_.object_begin();
      in_group_ = true;
      group_ = group;
    }
    if (figure.value == 0) return;  // of many codes of errors, few occur
    put_key(figure.label.text, {});
    out_.number(figure.value);
  }

  // FNV-1a.
  static std::uint32_t hash(std::string_view name) {
    std::uint32_t sum = 2166136261U;
    for (const char c : name) sum = (sum ^ static_cast<std::uint8_t>(c)) * 16777619U;
    return sum;
  }

  void put_key(std::string_view name, std::string_view unit) {
    out_.string_begin();
    out_.append(name);
    out_.append(unit);
    out_.key_end();
  }

  json::Writer& out_;
  Part part_;
  bool in_group_ = false;    // of values with labels
  std::uint32_t group_ = 0;  // the name itself may end with the call
};

void write_part(const Request& request, json::Writer& out, JsonFigures::Part part, AddFigures add) {
  JsonFigures figures(out, part);
  write_figures(request.definition, request.storage, request.now, figures);
  if (add != nullptr) add(figures);
  figures.end();
}

}  // namespace
}  // namespace protocol

Errc detail::write_health(ReadResult& body, AddFigures add) {
  using Part = protocol::JsonFigures::Part;
  // Each body belongs to a request; the header does not know this class.
  const auto& request = static_cast<const protocol::Request&>(body.response());
  const bool by_watchdog = request.storage.health().reset_reason == ResetReason::watchdog;
  json::Writer& out = body.json();
  out.object_begin();
  out.member("version", request.definition.version);
  out.member("reset", by_watchdog ? "watchdog" : "other");
  protocol::write_part(request, out, Part::values, add);
  out.key("pools");
  out.object_begin();
  protocol::write_part(request, out, Part::pools, add);
  out.object_end();
  out.key("memory");
  out.object_begin();
  protocol::write_part(request, out, Part::memory, add);
  out.object_end();
  out.object_end();
  return out.ok() ? Errc::ok : Errc::no_space;
}

void FigureWriter::put_frames(std::string_view name, const detail::Frames& frames) {
  PoolFigures figures{.size = static_cast<std::uint32_t>(frames.slot_count)};
  for (std::size_t i = 0; i < frames.slot_count; ++i) {
    if (frames.used[i]) ++figures.used;
    std::size_t at = 0;
    while (at < frames.size && frames.bytes[i * frames.size + at] == 0) ++at;
    if (at < frames.size) ++figures.high_water;
  }
  pool(name, figures);
}

bool Server::has_figures() const { return storage_.figures() != nullptr; }

void Server::figures(FigureWriter& out, Millis now) const {
  check_task();
  MCP_ASSERT(has_figures());  // the Definition has a row of health_resource()
  protocol::write_figures(*definition_, storage_, now, out);
}

}  // namespace mcp
