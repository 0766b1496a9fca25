// SPDX-License-Identifier: Apache-2.0
// The clients that have pins away from rest, and their leases. A slot is free if no pin refers to it.
#include <algorithm>

#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::PinRole;
using detail::WorkbenchClient;

namespace {

// The first revision without sessions.
constexpr std::string_view stateless_revision = "2026-07-28";

// FNV-1a.
std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2'166'136'261;
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16'777'619;
  return hash;
}

WorkbenchClient make_client(SessionId session, const Caller& caller) {
  WorkbenchClient client;
  client.principal = caller.principal();
  client.is_stateless = caller.revision() >= stateless_revision;
  const std::string_view name = caller.client_name();
  if (!client.is_stateless) {
    client.session = session;
  } else if (client.principal == 0) {
    client.name_hash = hash_of(name);
  }
  // The model of another client reads the name, so it has no spaces, with which a name could be an instruction.
  client.shown_size = static_cast<std::uint8_t>(std::min(name.size(), WorkbenchClient::name_size));
  for (std::size_t i = 0; i < client.shown_size; ++i) {
    const char c = name[i];
    const bool is_plain =
        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    client.shown[i] = is_plain ? c : '_';
  }
  return client;
}

bool is_same(const WorkbenchClient& a, const WorkbenchClient& b) {
  if (a.principal != b.principal || a.is_stateless != b.is_stateless) return false;
  return a.is_stateless ? a.name_hash == b.name_hash : a.session == b.session;
}

}  // namespace

bool WorkbenchCore::has_pins(std::uint8_t client) const {
  for (std::size_t i = 0; i < options_.pins.size(); ++i) {
    if (pins_[i].role != PinRole::rest && pins_[i].client == client) return true;
  }
  return false;
}

std::uint8_t WorkbenchCore::find_client(const WorkbenchClient& client) const {
  for (std::uint8_t i = 0; i < options_.clients; ++i) {
    if (is_same(clients_[i], client) && has_pins(i)) return i;
  }
  return no_client;
}

std::uint8_t WorkbenchCore::take_client(const Call& call, Millis now) const {
  const WorkbenchClient client = make_client(call.session(), call.caller());
  std::uint8_t slot = find_client(client);
  for (std::uint8_t i = 0; slot == no_client && i < options_.clients; ++i) {
    if (has_pins(i)) continue;
    slot = i;
    clients_[slot] = client;
  }
  if (slot == no_client) {
    slot = release_client(now);
    if (slot == no_client) return no_client;
    clients_[slot] = client;
  }
  clients_[slot].heard_ms = now;
  return slot;
}

// Frees the slot of a client that is gone. Its pins have holds that continue without a client, and have none from now
// on. Returns `no_client` if each client lives.
std::uint8_t WorkbenchCore::release_client(Millis now) const {
  for (std::uint8_t i = 0; i < options_.clients; ++i) {
    if (now - clients_[i].heard_ms < options_.lease_ms) continue;
    for (std::size_t pin = 0; pin < options_.pins.size(); ++pin) {
      if (pins_[pin].client == i) pins_[pin].client = no_client;
    }
    return i;
  }
  return no_client;
}

// The start of each call.
std::uint8_t WorkbenchCore::enter(const Call& call, Millis now) const {
  settle(now);
  const std::uint8_t client = find_client(make_client(call.session(), call.caller()));
  if (client != no_client) clients_[client].heard_ms = now;
  return client;
}

void WorkbenchCore::heard(const AuditRecord& record, const Caller& caller) const {
  // The end of a job, and a rejected token, are no requests of the client.
  if (record.outcome == AuditRecord::Outcome::rejected || record.outcome == AuditRecord::Outcome::cancelled ||
      record.duration_ms != 0) {
    return;
  }
  const Millis now = options_.now();
  settle(now);
  const WorkbenchClient client = make_client(record.client, caller);
  // A session begins in the slot of one that has ended; on a wire, it even keeps the id. A request that failed has
  // begun none, whatever its slot.
  const bool begins = record.method == "initialize" && record.outcome == AuditRecord::Outcome::ok;
  for (std::uint8_t i = 0; i < options_.clients; ++i) {
    WorkbenchClient& known = clients_[i];
    if (begins && !known.is_stateless && known.session.index == client.session.index) {
      known.heard_ms = now - options_.lease_ms;
    } else if (is_same(known, client)) {
      known.heard_ms = now;
    }
  }
  settle(now);
}

// A hold may outlive its client (WorkbenchPin::holds_alone). Then each client may change it.
bool WorkbenchCore::is_of_other(std::size_t pin, std::uint8_t client) const {
  const detail::WorkbenchPinState& state = pins_[pin];
  if (state.role == PinRole::rest || state.client == client || state.client == no_client) return false;
  return options_.now() - clients_[state.client].heard_ms < options_.lease_ms;
}

std::string_view WorkbenchCore::holder(std::size_t pin) const {
  const std::uint8_t slot = pins_[pin].client;
  if (slot == no_client || clients_[slot].shown_size == 0) return "another client";
  return {clients_[slot].shown, clients_[slot].shown_size};
}

Millis WorkbenchCore::lease_left(std::size_t pin, Millis now) const {
  const detail::WorkbenchPinState& state = pins_[pin];
  if (state.role == PinRole::hold && options_.pins[pin].holds_alone) return forever;
  const Millis silent_ms = now - clients_[state.client].heard_ms;
  return silent_ms >= options_.lease_ms ? 0 : options_.lease_ms - silent_ms;
}

}  // namespace mcp
