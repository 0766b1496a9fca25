// SPDX-License-Identifier: Apache-2.0
#include "esphome_node.h"

#ifdef USE_MCP_SERVER

#include <algorithm>
#include <cinttypes>

#include <esphome/core/application.h>
#include <esphome/core/controller_registry.h>
#include <esphome/core/hal.h>
#include <esphome/core/log.h>

namespace mote_esphome {
namespace {

constexpr const char* tag = "mcp_server";
// After input, loop() runs as often as it can for this time. ESPHome else runs it every 16 ms, also when a socket has
// bytes before.
constexpr std::uint32_t active_ms = 50;
constexpr std::uint32_t later_ms = 100;
constexpr unsigned word_bits = 32;

}  // namespace

Node* the_node = nullptr;

Node::Node(const mcp::Server& server, mcp::HttpTransport& transport, SocketListener& listener, const RowInfo* rows,
           esphome::EntityBase* const* entities, std::uint16_t count, std::uint32_t* changed)
    : server_(server),
      transport_(transport),
      listener_(listener),
      rows_(rows),
      entities_(entities),
      changed_(changed),
      count_(count) {
  the_node = this;
}

void Node::setup() {
  if (hosts_ != nullptr) {
    const std::string_view name = view_of(esphome::App.get_name());
    local_name_.assign(name).append(".local");
    hosts_[0] = name;
    hosts_[1] = local_name_;
  }
  if (!listener_.start()) return mark_failed();
  esphome::ControllerRegistry::register_controller(this);
}

void Node::mark_changed(const esphome::EntityBase* entity) {
  for (std::uint16_t i = 0; i < count_; ++i) {
    if (entities_[i] != entity) continue;
    changed_[i / word_bits] |= 1U << i % word_bits;
    return;
  }
}

void Node::notify() {
  for (std::uint16_t i = 0; i < count_; ++i) {
    std::uint32_t& word = changed_[i / word_bits];
    const std::uint32_t bit = 1U << i % word_bits;
    if ((word & bit) != 0) server_.found_resource_updated(i);
    word &= ~bit;
  }
}

void Node::set_pace(std::uint32_t now) {
  if (listener_.take_input() || transport_.has_work()) last_input_ms_ = now;
  if (listener_.has_connections() && now - last_input_ms_ < active_ms) {
    fast_loop_.start();
  } else {
    fast_loop_.stop();
  }
}

void Node::loop() {
  const std::uint32_t now = esphome::millis();
  if (now - last_notified_ms_ >= notify_interval_ms_) {
    last_notified_ms_ = now;
    notify();
  }
  listener_.refresh();
  static_cast<void>(transport_.poll(now));
  set_pace(now);
}

namespace {

void log_omitted(const mcp::OmittedRow& row) {
  ESP_LOGW(tag, "Clients do not see entity %u (%.*s): %.*s", row.number, static_cast<int>(row.key.size()),
           row.key.data(), static_cast<int>(row.reason.size()), row.reason.data());
}

}  // namespace

void Node::dump_config() {
  ESP_LOGCONFIG(tag, "MCP server:\n  Endpoint: http://%s.local:%u/mcp\n  Entities: %u", esphome::App.get_name().c_str(),
                listener_.port(), count_);
  if (count_ != 0) server_.check_found_resources(log_omitted);
  const bool has_tools =
      std::any_of(rows_, rows_ + count_, [](const RowInfo& row) { return row.access != Access::read; });
  if (has_tools) server_.check_found_tools(log_omitted);
  if (has_token_) return;
  ESP_LOGW(tag, "No token: each device in the network can read and control this node. Set `token:` in mcp_server:");
  for (std::uint16_t i = 0; i < count_; ++i) {
    if (rows_[i].access == Access::guarded)
      ESP_LOGW(tag, "  %s: clients cannot control it without a token", rows_[i].id);
  }
}

void Node::run_later(std::function<void()>&& action) { set_timeout(later_ms, std::move(action)); }

void Node::begin_tool() {
  response_.clear();
  is_error_ = false;
}

mcp::Errc Node::end_tool(mcp::Call& call, bool is_done) {
  if (is_error_) return call.fail(std::string_view(response_));
  if (!response_.empty()) return call.result().text(std::string_view(response_));
  return call.result().text(is_done ? "Done." : "Started. It continues on the device.");
}

void log_call(const mcp::AuditRecord& record) {
  using Outcome = mcp::AuditRecord::Outcome;
  if (record.method != "tools/call" && record.outcome != Outcome::rejected) return;
  // The record of the start has the name of the entity.
  if (record.outcome == Outcome::ok && record.subject.starts_with('.')) return;
  // A client chooses the name of a call: no line of its own, and no escape sequence.
  char subject[129] = {};
  const std::size_t size = std::min(record.subject.size(), sizeof(subject) - 1);
  std::transform(record.subject.begin(), record.subject.begin() + size, subject,
                 [](char c) { return c >= ' ' && c <= '~' ? c : '?'; });
  static constexpr const char* outcomes[] = {"ok", "failed", "error", "started", "cancelled", "asks", "rejected"};
  ESP_LOGI(tag, "%.*s %s of caller %" PRIu32 ": %s", static_cast<int>(record.method.size()), record.method.data(),
           subject, static_cast<std::uint32_t>(record.principal), outcomes[static_cast<std::size_t>(record.outcome)]);
}

}  // namespace mote_esphome

// A broken contract of mote, never invalid input.
extern "C" [[noreturn]] void mcp_assert_failed(const char* file, int line) {
  ESP_LOGE(mote_esphome::tag, "Assertion in %s:%d", file, line);
  esphome::App.reboot();
  for (;;) esphome::delay(1);
}

#endif  // USE_MCP_SERVER
