// SPDX-License-Identifier: Apache-2.0
// Posts of other tasks and of interrupts, and what the server does with them.
#include "mcp/mailbox.hpp"

#include <cstring>

#include "engine/hooks.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/coroutine.hpp"
#include "mcp/job_context.hpp"
#include "rtos/mailbox_reader.hpp"

namespace mcp {

using detail::LogSlot;
using detail::StorageView;

void Mailbox::resource_updated(const Resource& resource) const {
  const auto index = static_cast<std::size_t>(&resource - view_.resources.data());
  MCP_ASSERT(index < view_.resources.size());
  view_.updates[index / 32].set(std::uint32_t{1} << index % 32);
  post();
}

namespace {

// The beginning of a string. substr() would link the function for an exception.
std::string_view cut(std::string_view text, std::size_t most) {
  return {text.data(), text.size() < most ? text.size() : most};
}

char* copy(char* to, std::string_view text) {
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

}  // namespace

bool Mailbox::log(LogLevel level, std::string_view logger, std::string_view text) const {
  MCP_ASSERT(!view_.logs.empty());  // the Definition has .logging, and the Limits have mailbox_logs
  char* bytes = view_.bytes;
  for (LogSlot<>& slot : view_.logs) {
    if (slot.state.replace(LogSlot<>::free, LogSlot<>::writing) == LogSlot<>::free) {
      logger = cut(logger, view_.log_size < 0xFF ? view_.log_size : 0xFF);
      text = cut(text, view_.log_size - logger.size());
      copy(copy(bytes, logger), text);
      slot.level = level;
      slot.logger_size = static_cast<std::uint8_t>(logger.size());
      slot.text_size = static_cast<std::uint16_t>(text.size());
      slot.order = view_.state->next_order.add(1);
      slot.state.store(LogSlot<>::ready);
      post();
      return true;
    }
    bytes += view_.log_size;
  }
  view_.state->lost_logs.add(1);
  post();
  return false;
}

bool JobHandle::wake() const {
  if (mailbox_ == nullptr || !mailbox_->view_.wakes[slot_].wake(serial_)) return false;
  mailbox_->post();
  return true;
}

bool protocol::drain_mailbox(const StorageView& storage, Millis now) { return MailboxReader<>(storage).drain(now); }

JobHandle JobContext::handle() const {
  MCP_ASSERT(context_.storage.services.mailbox != nullptr);
  // A scheduled call has no slot in the pool of jobs.
  if (stop_requested_ || context_.job == memory::Handle{}) return {};
  return MailboxReader<>(context_.storage).handle(context_.job, job_.started_ms);
}

JobHandle CoroutineContext::handle() const { return step_->context.handle(); }

}  // namespace mcp
