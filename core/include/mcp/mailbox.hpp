// SPDX-License-Identifier: Apache-2.0
/// @file
/// Posts of other tasks and of interrupts to a server: changes of resources, log messages, and wakes of jobs.
/// @code
/// constexpr mcp::Definition definition{.name = "lamp", .version = "1.0.0", .logging = true};
/// constexpr mcp::Limits limits{.log_size = 256, .mailbox = true};
/// constinit mcp::Storage<definition, limits> storage;
/// void wake_server() { board::wake_from_isr(); }  // or xTaskNotifyGive(), k_event_post(), write() to an eventfd
/// constinit const mcp::Mailbox mailbox{storage, wake_server};
/// constinit const mcp::Server server{storage, {.mailbox = &mailbox}};
/// void of_another_task() { mailbox.log(mcp::LogLevel::warning, "motor", "The motor is hot."); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/detail/mailbox_state.hpp"
#include "mcp/feature_flags.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"
#include "mcp/storage.hpp"

namespace mcp {

class Mailbox;
class Trace;
template <class Recorder>
class MailboxReader;

namespace compile_error {
void a_mailbox_needs_limits_mailbox();
void a_traced_mailbox_needs_limits_mailbox_trace();
void a_mailbox_without_trace_needs_limits_without_mailbox_trace();
}  // namespace compile_error

/// Names a job, so that another task or an interrupt can wake it. It has 12 bytes, which a queue may copy. It never
/// names another job, because its number repeats only after 2^31 jobs. All zero names no job.
class JobHandle {
 public:
  /// No job.
  constexpr JobHandle() = default;

  /// Ends the sleep of the job, so that its next step follows at once, before the time of JobContext::sleep(). A wake
  /// during a step ends the sleep that this step begins. A wake while the job waits for input ends its next sleep. Any
  /// number of wakes before a step cause one step. Before the wake, write the result that the job reads.
  /// Errors: returns false if a later job has the slot. Does nothing if the job has ended.
  /// Context: any task, any interrupt; never blocks.
  bool wake() const;  // NOLINT(modernize-use-nodiscard): a caller may not care whether the job still runs

 private:
  template <class Recorder>
  friend class MailboxReader;
  constexpr JobHandle(const Mailbox* mailbox, std::size_t slot, std::uint32_t serial)
      : mailbox_(mailbox), slot_(static_cast<std::uint32_t>(slot)), serial_(serial) {}

  const Mailbox* mailbox_ = nullptr;
  std::uint32_t slot_ = 0;
  std::uint32_t serial_ = 0;
};

/// The only part of a server that other tasks and interrupts use. All functions may be called at the same time, from
/// any task and any interrupt, and never block. The server takes the posts in Server::poll().
/// Posts do not compete for memory. Each resource has a bit, each job has a word, and log messages have slots. So a
/// flood of one kind delays or loses no other kind.
/// A Mailbox is `const`, and is in flash. Its memory is in the Storage (Limits::mailbox). The functions are lock-free
/// where the processor has compare-and-swap. Elsewhere, such as on ARMv6-M, they use mcp_lock() of the port
/// (mcp/rtos.hpp).
class Mailbox {
 public:
  /// `constinit const mcp::Mailbox mailbox{storage, wake};`. `wake` is called after each post, in the context of the
  /// post, to end the sleep of the server's task. With nullptr, the server finds the post with its next poll().
  /// Lifetime: the storage must outlive the mailbox. One Mailbox belongs to one Server: Services::mailbox.
  /// Errors: a Storage without Limits::mailbox does not compile.
  template <const Definition& definition, Limits limits>
  consteval explicit Mailbox(Storage<definition, limits>& memory, void (*wake)() = nullptr)
      : view_(memory.mailbox_view()), wake_(wake) {
    if (!limits.mailbox) compile_error::a_mailbox_needs_limits_mailbox();
    if (limits.mailbox_trace) compile_error::a_mailbox_without_trace_needs_limits_without_mailbox_trace();
  }
  /// For tests and tools: memory of sizes that are chosen at run time.
  constexpr Mailbox(const detail::MailboxView& view, void (*wake)()) : view_(view), wake_(wake) {}

  /// Marks a resource as changed, as Server::resource_updated() does. Any number of calls before a poll() count as one.
  /// Asserts that the row is in the table of the server.
  void resource_updated(const Resource& resource) const;

  /// Posts a log message. The server passes it to Server::log(), outside of any request.
  /// Parameters: UTF-8, copied, and cut to Limits::mailbox_log_size together; `logger` may be empty.
  /// Errors: returns false if all of Limits::mailbox_logs are in use, or the Definition has no `.logging`. The server
  /// counts lost messages (Health::mailbox_logs_lost), and logs their number.
  bool log(LogLevel level, std::string_view logger, std::string_view text) const;

  /// @cond server
  [[nodiscard]] std::size_t log_slots() const { return view_.logs.size(); }
  /// Returns the number of slots in use. Other tasks may change it at once.
  [[nodiscard]] std::size_t waiting_logs() const {
    std::size_t count = 0;
    for (const detail::LogSlot<>& slot : view_.logs) {
      if (slot.state.load() != detail::LogSlot<>::free) ++count;
    }
    return count;
  }
  /// @endcond

 private:
  friend class JobHandle;
  friend class TracedMailbox;
  template <class Recorder>
  friend class MailboxReader;
  void post() const {
    if (wake_ != nullptr) wake_();
  }

  detail::MailboxView view_;
  void (*wake_)();
};

/// A Mailbox whose posts are recorded in a trace (mcp/trace.hpp). The server records them when it takes them. So the
/// posts themselves need no more time, and interrupts do not use the ring.
class TracedMailbox : public Mailbox {
 public:
  /// `constinit const mcp::TracedMailbox mailbox{storage, wake, ring};`, as Mailbox. `trace` is an mcp::TraceRing,
  /// which must outlive it. Errors: a Storage without Limits::mailbox_trace does not compile.
  template <const Definition& definition, Limits limits>
  consteval TracedMailbox(Storage<definition, limits>& memory, void (*wake)(), Trace& trace)
      : TracedMailbox(memory.mailbox_view(), wake, trace) {
    if (!limits.mailbox) compile_error::a_mailbox_needs_limits_mailbox();
    if (!limits.mailbox_trace) compile_error::a_traced_mailbox_needs_limits_mailbox_trace();
  }
  /// For tests and tools: memory of sizes that are chosen at run time.
  constexpr TracedMailbox(const detail::MailboxView& view, void (*wake)(), Trace& trace)
      : Mailbox(view, wake), trace_(&trace) {
    view_.is_traced = true;
  }

 private:
  template <class Recorder>
  friend class MailboxReader;
  friend struct TraceRecorder;

  Trace* trace_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
