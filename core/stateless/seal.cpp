// SPDX-License-Identifier: Apache-2.0
// The state of a job or prompt on its way through its client: unreadable there, and valid for one call and one client
// until it expires. The key is made of random bytes at the first use and stays in RAM. Source:
// basic/patterns/mrtr#server-requirements, 2026-07-28; RFC 2104; the construction is that of RFC 5297 (a tag that is
// the initial value), with HMAC-SHA-256 for both.
#include "stateless/seal.hpp"

#include <cstring>

#include "engine/hooks.hpp"
#include "mcp/job.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp::protocol {

namespace {

using mcp::detail::Job;
using mcp::detail::PendingInputs;
using mcp::detail::StateKey;
using mcp::detail::StorageView;
using Label = SealOps::Label;

constexpr std::uint8_t format = 1;
constexpr std::size_t tag_size = Hmac::size;
constexpr std::size_t times_size = 12;
constexpr std::size_t item_size = sizeof(std::uint32_t);
constexpr std::size_t form_size = sizeof(void*);
constexpr std::size_t input_size = item_size + form_size;
// Long before the clock wraps, so that no expired state becomes valid again.
constexpr Millis longest_key_ms = 1U << 30U;

// ---- The parts ---------------------------------------------------------------------------------------------------

bool begin(const StorageView& storage, Millis now, Label label) {
  StateKey& key = static_cast<mcp::detail::KeyedServerRequestIds&>(*storage.server_request_ids).key;
  if (!key.made || now - key.made_ms >= longest_key_ms) {
    key.made = storage.services.entropy->fill(key.bytes);
    key.made_ms = now;
    // A binding under the old key would make a state that its client cannot use.
    memory::Walk<Job> jobs(storage.jobs);
    while (Job* const job = jobs.next()) {
      if (job->tool->job->travels) job->binding = {};
    }
  }
  if (!key.made) return false;
  storage.services.hmac->start(key.bytes);
  const auto byte = static_cast<std::uint8_t>(label);
  storage.services.hmac->update({&byte, 1});
  return true;
}

using Tag = std::uint8_t[tag_size];
using TagView = std::span<const std::uint8_t, tag_size>;

bool make_tag(const StorageView& storage, Millis now, const Binding& binding, std::span<const std::uint8_t> head,
              std::span<const std::uint8_t> state, Tag& tag) {
  if (!begin(storage, now, Label::tag) || !is_bound(binding)) return false;
  storage.services.hmac->update(bytes_of(binding));
  storage.services.hmac->update(head);
  storage.services.hmac->update(state);
  return storage.services.hmac->finish(tag);
}

/// Encrypts and decrypts bytes: each is combined with bytes that only the key can make from the tag.
class Cipher {
 public:
  Cipher(const StorageView& storage, Millis now, TagView tag) : storage_(storage), now_(now), tag_(tag) {}
  std::uint8_t operator()(std::uint8_t byte) {
    if (at_ % sizeof block_ == 0) next_block();
    return byte ^ block_[at_++ % sizeof block_];
  }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void next_block() {
    const auto number = static_cast<std::uint32_t>(at_ / sizeof block_);
    ok_ = ok_ && begin(storage_, now_, Label::cipher);
    if (!ok_) return;
    storage_.services.hmac->update(tag_);
    storage_.services.hmac->update({reinterpret_cast<const std::uint8_t*>(&number), sizeof number});
    ok_ = storage_.services.hmac->finish(block_);
  }

  const StorageView& storage_;
  Millis now_;
  TagView tag_;
  Tag block_ = {};
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// Bytes as base64, in groups that can be concatenated.
class Base64 {
 public:
  explicit Base64(json::Writer& out) : out_(out) {}
  void put(std::uint8_t byte) {
    bytes_[size_++] = byte;
    if (size_ == sizeof bytes_) end();
  }
  void end() {
    out_.append_base64({bytes_, size_});
    size_ = 0;
  }

 private:
  json::Writer& out_;
  std::uint8_t bytes_[3];
  std::size_t size_ = 0;
};

// ---- The whole ---------------------------------------------------------------------------------------------------

// format, tag; encrypted: the time of sealing, the validity, the start of the job, the input requests, the state.
bool write(const StorageView& storage, Millis now, const Sealed& sealed, json::Writer& out) {
  std::uint8_t head[times_size + PendingInputs::capacity * input_size];
  std::memcpy(head, &now, sizeof(Millis));
  std::memcpy(head + sizeof(Millis), &sealed.ttl_ms, sizeof(Millis));
  std::memcpy(head + 2 * sizeof(Millis), &sealed.started_ms, sizeof(Millis));
  std::size_t head_size = times_size;
  for (std::size_t i = 0; i < PendingInputs::capacity && sealed.inputs.items[i] != 0; ++i) {
    std::memcpy(head + head_size, &sealed.inputs.items[i], item_size);
    std::memcpy(head + head_size + item_size, static_cast<const void*>(&sealed.inputs.forms[i]), form_size);
    head_size += input_size;
  }
  Tag tag;
  if (!make_tag(storage, now, sealed.binding, {head, head_size}, sealed.state, tag)) return false;
  Base64 text(out);
  text.put(format);
  for (const std::uint8_t byte : tag) text.put(byte);
  Cipher cipher(storage, now, tag);
  for (std::size_t i = 0; i < head_size; ++i) text.put(cipher(head[i]));
  for (const std::uint8_t byte : sealed.state) text.put(cipher(byte));
  text.end();
  return cipher.ok();
}

// Its block is gone when the tag is made.
bool show(const StorageView& storage, Millis now, TagView tag, std::span<std::uint8_t> hidden) {
  Cipher cipher(storage, now, tag);
  for (std::uint8_t& byte : hidden) byte = cipher(byte);
  return cipher.ok();
}

bool open(const StorageView& storage, Millis now, std::size_t state_size, std::span<std::uint8_t> sealed,
          MrtrRetry& retry) {
  const std::size_t least = 1 + tag_size + times_size + state_size;
  if (sealed.size() < least || sealed.size() > least + PendingInputs::capacity * input_size ||
      (sealed.size() - least) % input_size != 0) {
    return false;
  }
  if (sealed[0] != format) return false;
  const TagView tag = sealed.subspan<1, tag_size>();
  const std::span<std::uint8_t> hidden = sealed.subspan(1 + tag_size);
  if (!show(storage, now, tag, hidden)) return false;
  Tag wanted;
  const std::span<const std::uint8_t> head = hidden.first(hidden.size() - state_size);
  if (!make_tag(storage, now, retry.binding, head, hidden.last(state_size), wanted) ||
      !memory::same_bytes(tag, wanted)) {
    return false;
  }
  Millis times[3];
  std::memcpy(times, hidden.data(), times_size);
  retry.state = hidden;
  return now - times[0] < times[1];
}

void unpack(std::span<const std::uint8_t> opened, Millis& started_ms, PendingInputs& inputs,
            std::span<std::uint8_t> state) {
  std::memcpy(&started_ms, opened.data() + 2 * sizeof(Millis), sizeof(Millis));
  const std::uint8_t* input = opened.data() + times_size;
  const std::size_t count = (opened.size() - times_size - state.size()) / input_size;
  for (std::size_t i = 0; i < count; ++i, input += input_size) {
    std::memcpy(&inputs.items[i], input, item_size);
    std::memcpy(static_cast<void*>(&inputs.forms[i]), input + item_size, form_size);
  }
  if (!state.empty()) std::memcpy(state.data(), opened.data() + opened.size() - state.size(), state.size());
}

}  // namespace

constinit const SealOps seal_ops{begin, write, open, unpack};

}  // namespace mcp::protocol
