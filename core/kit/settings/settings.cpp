// SPDX-License-Identifier: Apache-2.0
// The tools that set the settings of a device. Their results and errors name settings of the table, and never a string
// of the client, which might be a secret in the wrong argument.
#include "mcp/settings.hpp"

#include <algorithm>

#include "engine/request.hpp"
#include "json/base64.hpp"
#include "mcp/assert.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp {
namespace {

// Clears the scratch memory on each return.
class Cleaner {
 public:
  explicit Cleaner(std::span<char> bytes) : bytes_(bytes) {}
  ~Cleaner() { mcp::memory::wipe(bytes_); }
  Cleaner(const Cleaner&) = delete;
  Cleaner& operator=(const Cleaner&) = delete;

 private:
  std::span<char> bytes_;
};

// Only a network transport has a TransportInfo.
bool is_from_network(const Call& call) { return call.request().context.info != nullptr; }
Errc fail_for_network(Call& call) { return call.fail("Settings are available only over the UART or stdio."); }
Errc fail_for_name(Call& call) { return call.fail("No setting has this name. Call setting_list."); }

bool has_changed(RecordStatus status) { return status == RecordStatus::ok || status == RecordStatus::unsynced; }

Errc end(Call& call, const Setting& setting, RecordStatus status, const char* done) {
  switch (status) {
    case RecordStatus::ok: return call.result().text(setting.name, done);
    case RecordStatus::not_found: return call.result().text(setting.name, " has no value.");
    case RecordStatus::full: return call.fail("The memory for settings is full. Erase a setting.");
    case RecordStatus::unsupported: return call.fail("A newer firmware has written the settings. Update the firmware.");
    case RecordStatus::unsynced:
      return call.fail(setting.name, " has changed, but a power failure may undo it. Try again.");
    default: return call.fail("The memory for settings has failed. ", setting.name, " has its old value.");
  }
}

}  // namespace

bool is_host_name(std::string_view text) {
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && (c < '0' || c > '9') && c != '-') return false;
  }
  return !text.empty() && text.size() <= 63 && text.front() != '-' && text.back() != '-';
}

Records& Settings::memory() const {
  MCP_ASSERT(records_ != nullptr);
  return *records_;
}

const Setting* Settings::find(std::string_view name) const {
  for (const Setting& setting : rows_) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

Errc Settings::set(std::string_view name, std::string_view value, Call& call) const {
  if (is_from_network(call)) return fail_for_network(call);
  const Setting* const setting = find(name);
  if (setting == nullptr) return fail_for_name(call);
  const Cleaner cleaner(scratch_);
  if (setting->kind == Setting::Kind::data) {
    std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(scratch_.data()), setting->max_size);
    if (!json::read_base64(value, bytes)) {
      return call.fail(setting->name, " must be base64 of at most ", setting->max_size, " bytes.");
    }
    value = {scratch_.data(), bytes.size()};
  } else if (value.size() > setting->max_size) {
    return call.fail(setting->name, " has at most ", setting->max_size, " bytes.");
  }
  if (setting->is_valid != nullptr && !setting->is_valid(value)) {
    return call.fail("This is not a valid value of ", setting->name, ".");
  }
  const RecordStatus status = memory().save(setting->name, value);
  if (has_changed(status) && changed_ != nullptr) changed_(*setting);
  return end(call, *setting, status, " is stored.");
}

Errc Settings::erase(std::string_view name, Call& call) const {
  if (is_from_network(call)) return fail_for_network(call);
  const Setting* const setting = find(name);
  if (setting == nullptr) return fail_for_name(call);
  const RecordStatus status = memory().erase(setting->name);
  if (has_changed(status) && changed_ != nullptr) changed_(*setting);
  return end(call, *setting, status, " is erased.");
}

void Settings::show(const Setting& setting, Call& call) const {
  const RecordResult result = memory().load(setting.name, scratch_.first(setting.max_size));
  const std::string_view gap = setting.description.empty() ? "" : " ";
  const auto put = [&](const auto&... value) {
    static_cast<void>(call.result().text(setting.name, ": ", setting.description, gap, value...));
  };
  if (result.status == RecordStatus::not_found) return put("Not set.");
  if (result.status != RecordStatus::ok) return put("Cannot be read.");
  if (setting.is_secret) return put("Set, and not shown.");
  if (setting.kind == Setting::Kind::data) return put("Set: ", result.size, " bytes.");
  put("Set: ", std::string_view(scratch_.data(), result.size));
}

Errc Settings::list(Call& call) const {
  if (is_from_network(call)) return fail_for_network(call);
  const Cleaner cleaner(scratch_);
  for (const Setting& setting : rows_) show(setting, call);
  return call.writer().ok() ? Errc::ok : Errc::no_space;
}

}  // namespace mcp
