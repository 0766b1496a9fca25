// SPDX-License-Identifier: Apache-2.0
#include "provisioning.hpp"

#include <mcp/memory/secrets.hpp>
#include <mcp/settings.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "device.hpp"

namespace provisioning {
namespace {

// ---- Settings -------------------------------------------------------------------------------------------------------

constexpr std::uint32_t longest_grace_s = 604'800;  // a week
constexpr mcp::Millis retry_ms = 1'000;             // after a token that cannot be read

bool read_seconds(std::string_view text, std::uint32_t& seconds) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return error == std::errc() && end == text.data() + text.size() && seconds <= longest_grace_s;
}
bool is_grace(std::string_view text) {
  std::uint32_t seconds = 0;
  return read_seconds(text, seconds);
}

constexpr mcp::Setting rows[] = {
    {.name = "token",
     .description = "The bearer token of HTTP clients.",
     .is_secret = true,
     .max_size = mcp::RotatingToken::max_size,
     .is_valid = mcp::RotatingTokens::is_valid},
    {.name = "token_grace_s",
     .description = "Seconds for which the old token stays valid after a change; 0 ends its sessions.",
     .max_size = 6,
     .is_valid = is_grace},
    {.name = "host_name",
     .description = "The name in the network, from the next reset on.",
     .max_size = 23,
     .is_valid = mcp::is_host_name},
};

void changed(const mcp::Setting& setting);

char scratch[mcp::RotatingToken::max_size];
constinit mcp::Settings settings{rows, scratch, changed};

mcp::Records* values;
char host[24] = "thermometer";
mcp::RotatingToken users[1];

std::string_view load(std::string_view name, std::span<char> into) {
  const mcp::RecordResult result = values->load(name, into);
  return {into.data(), result.status == mcp::RecordStatus::ok ? result.size : 0};
}

// A grace time that cannot be read, or is invalid, is none.
mcp::Millis grace_ms() {
  char text[6];
  const mcp::RecordResult result = values->load("token_grace_s", text);
  if (result.status == mcp::RecordStatus::not_found) return 60'000;
  std::uint32_t seconds = 0;
  const bool is_read = result.status == mcp::RecordStatus::ok && read_seconds({text, result.size}, seconds);
  return is_read ? seconds * 1000 : 0;
}

constexpr mcp::Millis longest_grace_ms = longest_grace_s * 1000;

// The changes of the token since the last apply(), which sees only the last value.
bool is_token_changed = true;  // also for the token of the start
bool is_token_erased = false;
mcp::Millis shortest_grace_ms = longest_grace_ms;

void changed(const mcp::Setting& setting) {
  if (setting.name != rows[0].name) return;
  is_token_changed = true;
  // Each token is too large for no bytes.
  is_token_erased = is_token_erased || values->load("token", {}).status != mcp::RecordStatus::too_large;
  shortest_grace_ms = std::min(shortest_grace_ms, grace_ms());
}

void use(std::string_view token, mcp::HttpTransport& transport, mcp::Millis now, mcp::Millis grace) {
  const mcp::Rotation rotation = tokens.rotate(0, token, now, grace);
  if (rotation.ended_principal != 0) transport.end_principal(rotation.ended_principal);
}

// ---- The server of the wire -----------------------------------------------------------------------------------------

char url[64];

mcp::Errc read_url(mcp::ReadResult& out) { return out.text(std::string_view(url)); }

constexpr mcp::Tool tools[] = {mcp::setting_set<settings>(), mcp::setting_list<settings>(),
                               mcp::setting_erase<settings>()};
constexpr mcp::Resource resources[] = {{.uri = "device://url",
                                        .name = "url",
                                        .description = "The URL of the MCP endpoint; empty without a network.",
                                        .mime_type = "text/plain",
                                        .read = read_url,
                                        .subscribable = true}};
constexpr mcp::Definition definition{.name = "thermometer-setup",
                                     .title = "Set-up of the thermometer",
                                     .version = "1.0.0",
                                     .instructions = "Call setting_list, then setting_set.",
                                     .tools = tools,
                                     .resources = resources};
constinit mcp::Storage<definition> storage;

}  // namespace

constinit const mcp::Server server{storage, {.boot_id = device::boot_id}};
constinit mcp::RotatingTokens tokens{users};

void begin(mcp::Records& records) {
  values = &records;
  settings.use(records);
  char text[std::size(host) - 1];
  const std::string_view name = load("host_name", text);
  if (!name.empty()) host[name.copy(host, sizeof text)] = '\0';
}

std::string_view host_name() { return host; }

void set_url(std::string_view text) {
  if (text == std::string_view(url)) return;
  url[text.copy(url, sizeof url - 1)] = '\0';
  server.resource_updated(resources[0]);
}

mcp::Millis apply(mcp::HttpTransport& transport, mcp::Millis now) {
  if (!is_token_changed) return tokens.poll(now);
  char token[mcp::RotatingToken::max_size];
  const mcp::RecordResult result = values->load("token", token);
  const bool is_ok = result.status == mcp::RecordStatus::ok;
  is_token_changed = !is_ok && result.status != mcp::RecordStatus::not_found;
  // A token that was erased has no grace time, also if another one has followed or cannot be read.
  if (is_token_erased || (is_token_changed && shortest_grace_ms == 0)) use({}, transport, now, 0);
  if (!is_token_changed) {
    use({token, is_ok ? result.size : 0}, transport, now, shortest_grace_ms);
    is_token_erased = false;
    shortest_grace_ms = longest_grace_ms;
  }
  mcp::memory::wipe(token);
  return std::min(tokens.poll(now), is_token_changed ? retry_ms : mcp::forever);
}

}  // namespace provisioning
