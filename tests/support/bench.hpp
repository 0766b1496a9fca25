// SPDX-License-Identifier: Apache-2.0
// A server with memory of sizes chosen at run time. Each part is its own heap block, so that AddressSanitizer detects
// every access outside of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/detail/atomic.hpp"
#include "mcp/ports/mbedtls_hmac.hpp"
#include "mcp/server.hpp"

namespace test {

struct Sizes {
  std::size_t receive_size = 4096;
  std::size_t transmit_size = 8192;
  std::size_t sessions = 1;
  std::size_t id = 40;
  std::size_t log = 256;
  std::size_t jobs = 2;
  std::size_t job = 64;
  std::size_t streams = 2;
  std::size_t subscriptions = 2;
  std::size_t template_subscriptions = 2;
  std::size_t uri = 64;
  std::size_t tasks = 2;
  std::size_t task_result = 512;
  mcp::Millis task_ttl_ms = 60'000;
  std::size_t scheduled = 3;
  std::size_t scheduled_state = 64;
  std::size_t scheduled_result = 192;
  std::size_t elicitations = 1;
  std::uint16_t call_burst = 0;
  mcp::Millis call_interval_ms = 0;
  std::size_t call_owners = 8;
  mcp::Millis session_idle_ms = 60'000;
  mcp::Millis own_session_idle_ms = 10'000;
  std::uint16_t reserved_for_others = 1;
  bool job_scopes = false;
  std::size_t client_info = 0;
  mcp::WallClock* wall_clock = nullptr;
  mcp::Hmac* hmac = nullptr;        // nullptr: one that works
  mcp::Entropy* entropy = nullptr;  // nullptr: Bench::entropy
  const mcp::Mailbox* mailbox = nullptr;
  bool mailbox_trace = false;  // it is a TracedMailbox
  std::uint32_t (*boot_id)() = nullptr;
  bool seals = true;   // states travel; else jobs keep their slots while they ask
  bool random = true;  // there is an entropy
};

/// Predictable bytes: 0, 1, 2, … Fails on request.
class CountingEntropy : public mcp::Entropy {
 public:
  bool fails = false;
  std::size_t fails_at = 0;  // at this call alone, counted from 1; 0: at none
  std::size_t calls = 0;

 private:
  bool do_fill(std::span<std::uint8_t> into) override {
    for (std::uint8_t& byte : into) byte = next_++;
    return ++calls != fails_at && !fails;
  }
  std::uint8_t next_ = 0;
};

/// The key differs in each process, as it does after each start of a device: a sealed state holds addresses, and an
/// input of a fuzzer may bring a state of another process.
class ProcessHmac final : public mcp::Hmac {
 private:
  void do_start(std::span<const std::uint8_t, size> key) override {
    std::uint8_t own[size];
    std::copy(key.begin(), key.end(), own);
    const auto place = reinterpret_cast<std::uintptr_t>(&mcp::protocol::mrtr_ops);
    for (std::size_t i = 0; i < sizeof place; ++i) own[i] ^= static_cast<std::uint8_t>(place >> (8 * i));
    hmac_.start(own);
  }
  void do_update(std::span<const std::uint8_t> bytes) override { hmac_.update(bytes); }
  bool do_finish(std::span<std::uint8_t, size> code) override { return hmac_.finish(code); }

  mcp::mbedtls::Hmac hmac_;
};

class Bench {
 public:
  /// As many resources as `definition` has rows, and not one more.
  explicit Bench(const mcp::Definition& definition, const Sizes& sizes = {})
      : sizes_(sizes),
        resources_(definition.resources.rows().size() + definition.found_resources.targets()),
        instances_(definition.resource_templates.uses.subscribable ? sizes.template_subscriptions : 0),
        words_(mcp::memory::BitSet::words_for(std::max<std::size_t>(resources_ + instances_, 1))),
        rows_(!definition.list_changes.on() && !definition.hides_rows()
                  ? 0
                  : definition.rows_before(mcp::ListKind::prompts) + definition.prompts.rows().size()),
        stream_bytes_(!definition.resource_templates.uses.streams
                          ? sizes.streams * sizes.id
                          : mcp::detail::first_stream_state(sizes.streams, sizes.id) +
                                sizes.streams * mcp::detail::stream_state_size(definition.resource_templates.rows())),
        server(definition, view_of(definition)) {
    std::fill_n(receive_buffer_.get(), sizes.receive_size + 2,
                '\xAA');  // nothing may rely on what the buffers start with
    std::fill_n(transmit_buffer_.get(), sizes.transmit_size + 1, '\xAA');
  }

 private:
  mcp::Services services() {
    return {.entropy = !sizes_.random              ? nullptr
                       : sizes_.entropy != nullptr ? sizes_.entropy
                                                   : &entropy,
            .wall_clock = sizes_.wall_clock,
            .hmac = !sizes_.seals            ? nullptr
                    : sizes_.hmac != nullptr ? sizes_.hmac
                                             : &hmac_,
            .mailbox = sizes_.mailbox,
            .boot_id = sizes_.boot_id};
  }
  mcp::detail::StorageView view_of(const mcp::Definition& definition) {
    mcp::detail::StorageView storage = view();
    if (definition.resources.uses.figures) storage.figures_offset = decltype(server_request_ids_)::offset;
    const mcp::Limits limits = limits_of();
    features_ = mcp::detail::list_features(definition, limits);
    capabilities_ = mcp::detail::list_capabilities(definition);
    storage.links = mcp::detail::link(definition, limits, storage.services, features_.items, capabilities_.items);
    return storage;
  }
  // Those that decide about code.
  [[nodiscard]] mcp::Limits limits_of() const {
    return {.sessions = sizes_.sessions,
            .job_scopes = sizes_.job_scopes,
            .client_info_size = sizes_.client_info,
            .call_burst = sizes_.call_burst,
            .mailbox_trace = sizes_.mailbox_trace};
  }
  [[nodiscard]] std::size_t caller_size() const { return mcp::detail::caller_size(limits_of()); }
  [[nodiscard]] std::size_t job_stride() const { return sizes_.job + caller_size(); }
  // With what is kept of the clients of sessions.
  [[nodiscard]] std::size_t subscribed_words() const {
    return sizes_.sessions * (words_ + (sizes_.client_info != 0 ? caller_size() / 4 : 0));
  }
  mcp::detail::StorageView view() {
    return {.services = services(),
            .receive_buffer = {receive_buffer_.get(), sizes_.receive_size + 2},
            .transmit_buffer = {transmit_buffer_.get(), sizes_.transmit_size},
            .sessions = mcp::memory::Pool<mcp::detail::Session>({sessions_.get(), sizes_.sessions}),
            .subscribed = {subscribed_.get(), subscribed_words()},
            .updated = {updated_.get(), sizes_.sessions * words_},
            .updated_from_isr = {updated_from_isr_.get(), resources_},
            .jobs = mcp::memory::Pool<mcp::detail::Job>({jobs_.get(), sizes_.jobs}),
            .job_ids = job_ids_.get(),
            .job_states = job_states_.get(),
            .job_stride = job_stride(),
            .tasks = mcp::memory::Pool<mcp::detail::Task>({tasks_.get(), sizes_.tasks}),
            .task_bytes = task_bytes_.get(),
            .task_ttl_ms = sizes_.task_ttl_ms,
            .elicitation_ends = mcp::memory::Pool<mcp::detail::ElicitationEnd>({ends_.get(), sizes_.elicitations}),
            .server_request_ids = &server_request_ids_.ids,
            .task_result_size = static_cast<std::uint16_t>(sizes_.task_result),
            .words = static_cast<std::uint16_t>(words_),
            .id_size = static_cast<std::uint16_t>(sizes_.id),
            .call_burst = sizes_.call_burst,
            .call_interval_ms = sizes_.call_interval_ms,
            .call_buckets = {call_buckets_.get(), sizes_.call_owners + 1},
            .session_idle_ms = sizes_.session_idle_ms,
            .own_session_idle_ms = sizes_.own_session_idle_ms,
            .reserved_for_others = sizes_.reserved_for_others,
            .instance_count = static_cast<std::uint16_t>(instances_),
            .uri_size = static_cast<std::uint16_t>(sizes_.uri),
            .caller_size = static_cast<std::uint16_t>(caller_size()),
            .instances = instance_uris_.get(),
            .scheduled_state_size = static_cast<std::uint16_t>(sizes_.scheduled_state),
            .scheduled = {scheduled_, sizes_.scheduled, scheduled_size()},
            .streams = mcp::memory::Pool<mcp::detail::Stream>({streams_.get(), sizes_.streams}),
            .stream_ids = stream_ids_.get(),
            .subscriptions = mcp::memory::Pool<mcp::detail::Subscription>({subscriptions_.get(), sizes_.subscriptions}),
            .subscription_words = subscription_words_.get(),
            .disabled = {disabled_.get(), mcp::memory::BitSet::words_for(rows_)},
            .log_bytes = {log_.get(), sizes_.log},
            .log_state = &log_state_};
  }

  [[nodiscard]] std::size_t scheduled_size() const {
    return sizeof(mcp::detail::ScheduledCall) + sizes_.scheduled_state + sizes_.scheduled_result;
  }

  Sizes sizes_;
  std::size_t resources_;
  std::size_t instances_;
  std::size_t words_;
  std::size_t rows_;  // that can be switched
  std::size_t stream_bytes_;
  std::unique_ptr<char[]> receive_buffer_{new char[sizes_.receive_size + 2]};
  std::unique_ptr<char[]> transmit_buffer_{new char[sizes_.transmit_size + 1]};
  std::unique_ptr<mcp::detail::Session[]> sessions_{new mcp::detail::Session[sizes_.sessions + 1]()};
  std::unique_ptr<mcp::detail::Job[]> jobs_{new mcp::detail::Job[sizes_.jobs]()};
  std::unique_ptr<char[]> job_ids_{new char[sizes_.jobs * 2 * sizes_.id]};
  std::unique_ptr<char[]> job_states_{new char[sizes_.jobs * job_stride()]};
  std::unique_ptr<mcp::detail::Task[]> tasks_{new mcp::detail::Task[sizes_.tasks]()};
  std::unique_ptr<char[]> task_bytes_{new char[sizes_.tasks * (2 * sizes_.id + sizes_.task_result)]};
  std::unique_ptr<std::uint64_t[]> scheduled_memory_{new std::uint64_t[sizes_.scheduled * scheduled_size() / 8]()};
  mcp::detail::ScheduledCall* scheduled_{reinterpret_cast<mcp::detail::ScheduledCall*>(scheduled_memory_.get())};
  std::unique_ptr<mcp::detail::ElicitationEnd[]> ends_{new mcp::detail::ElicitationEnd[sizes_.elicitations]()};
  mcp::detail::WithFigures<mcp::detail::KeyedServerRequestIds> server_request_ids_{};
  ProcessHmac hmac_;
  mcp::detail::FeatureList features_;
  mcp::detail::CapabilityList capabilities_;
  std::unique_ptr<mcp::detail::CallBucket[]> call_buckets_{new mcp::detail::CallBucket[sizes_.call_owners + 1]()};
  std::unique_ptr<mcp::detail::Stream[]> streams_{new mcp::detail::Stream[sizes_.streams]()};
  std::unique_ptr<char[]> stream_ids_{new char[stream_bytes_]};
  std::unique_ptr<mcp::detail::Subscription[]> subscriptions_{new mcp::detail::Subscription[sizes_.subscriptions]()};
  std::unique_ptr<mcp::memory::BitSet::Word[]> subscription_words_{
      new mcp::memory::BitSet::Word[sizes_.subscriptions * mcp::detail::StorageView::subscription_stride(
                                                               resources_ + instances_ + sizes_.tasks, sizes_.id)]()};
  std::unique_ptr<char[]> instance_uris_{new char[instances_ * (sizes_.uri + 1)]()};
  std::unique_ptr<mcp::memory::BitSet::Word[]> disabled_{
      new mcp::memory::BitSet::Word[mcp::memory::BitSet::words_for(rows_)]()};
  std::unique_ptr<char[]> log_{new char[sizes_.log]};
  mcp::detail::LogState log_state_{};
  std::unique_ptr<mcp::memory::BitSet::Word[]> subscribed_{new mcp::memory::BitSet::Word[subscribed_words()]()};
  std::unique_ptr<mcp::memory::BitSet::Word[]> updated_{new mcp::memory::BitSet::Word[sizes_.sessions * words_]()};
  std::unique_ptr<mcp::detail::Atomic<std::uint8_t>[]> updated_from_isr_ {
    new mcp::detail::Atomic<std::uint8_t>[ resources_ ]()
  };

 public:
  CountingEntropy entropy;
  mcp::Server server;

  /// Sends one message to the server, from a block of exactly its size, and returns the answer ("" for none).
  std::string ask(mcp::SessionId session, std::string_view message, mcp::Millis now = 0) {
    const std::unique_ptr<char[]> copy(new char[message.size()]);
    std::copy(message.begin(), message.end(), copy.get());
    const mcp::Reply reply = server.receive(session, {copy.get(), message.size()}, server.transmit_buffer(), now);
    if (reply.status == mcp::Reply::Status::no_session) return "no session";
    return std::string(server.transmit_buffer().data(), reply.size);
  }
  /// The next message that the server sends on its own, all parts of it that it has now, or "".
  std::string next(mcp::SessionId session, mcp::Millis now = 0) {
    std::string message;
    for (bool more = true; more;) {
      const mcp::Reply reply = server.transmit(session, server.transmit_buffer(), now);
      message.append(server.transmit_buffer().data(), reply.size);
      more = reply.status == mcp::Reply::Status::part;
    }
    return message;
  }
  /// A slot of a stream, as stored.
  mcp::detail::Stream& stream(std::size_t index) { return streams_[index]; }
  /// A message has been begun that is not complete.
  [[nodiscard]] bool is_unfinished() const {
    return std::any_of(streams_.get(), streams_.get() + sizes_.streams,
                       [](const auto& slot) { return slot.generation % 2 != 0 && slot.begun; });
  }

  /// The memory itself.
  [[nodiscard]] mcp::detail::StorageView storage() { return view(); }

  /// Sessions in use.
  [[nodiscard]] std::size_t open_sessions() const {
    return static_cast<std::size_t>(
        std::count_if(sessions_.get(), sessions_.get() + sizes_.sessions,
                      [](const auto& slot) { return slot.generation % 2 != 0 && !slot.shared; }));
  }
  /// True when a subscription, a notification, a job, a task, a stream or a stateless subscription is left in any
  /// session.
  [[nodiscard]] bool anything_left() const {
    const auto any = [&](const auto& words) {
      return std::any_of(words.get(), words.get() + sizes_.sessions * words_, [](auto word) { return word != 0; });
    };
    const auto used = [](const auto& slots, std::size_t count) {
      return std::any_of(slots.get(), slots.get() + count, [](const auto& slot) { return slot.generation % 2 != 0; });
    };
    return any(subscribed_) || any(updated_) || used(jobs_, sizes_.jobs) || used(tasks_, sizes_.tasks) ||
           used(ends_, sizes_.elicitations) || used(streams_, sizes_.streams) ||
           used(subscriptions_, sizes_.subscriptions);
  }
};

}  // namespace test
