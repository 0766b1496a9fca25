// SPDX-License-Identifier: Apache-2.0
// The component of ESPHome: it polls the transport, and notifies subscribers of changed entities.
#pragma once

#include <esphome/core/defines.h>

#ifdef USE_MCP_SERVER

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <esphome/core/automation.h>
#include <esphome/core/component.h>
#include <esphome/core/controller.h>
#include <esphome/core/helpers.h>

#include <mcp/found.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/server.hpp>
#include <mcp/tool.hpp>

#include "esphome_control.h"
#include "esphome_rows.h"
#include "esphome_socket.h"
#include "esphome_types.h"

namespace mote_esphome {

/// Random bytes of ESPHome, for session ids.
class Entropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override { return esphome::random_bytes(into.data(), into.size()); }
};

/// The MCP server of a node. Lifetime: static; one for each node. Context: main loop.
class Node final : public esphome::Component, public esphome::Controller {
 public:
  /// `rows` and `entities` have `count` members, and `changed` has a bit for each. All arguments outlive the node.
  Node(const mcp::Server& server, mcp::HttpTransport& transport, SocketListener& listener, const RowInfo* rows,
       esphome::EntityBase* const* entities, std::uint16_t count, std::uint32_t* changed);
  /// The shortest time between two notifications of a subscriber.
  void set_notify_interval(std::uint32_t ms) { notify_interval_ms_ = ms; }
  /// How long a call waits until its entity has reported the new state.
  void set_wait(std::uint32_t ms) { wait_ms_ = ms; }
  void set_has_token(bool has_token) { has_token_ = has_token; }
  /// For a name with a MAC suffix: the first two members of the allowed hosts, which setup() writes.
  void set_host_names(std::string_view* hosts) { hosts_ = hosts; }

  void setup() override;
  void loop() override;
  void dump_config() override;
  [[nodiscard]] float get_setup_priority() const override { return esphome::setup_priority::AFTER_WIFI; }

// Each change of an entity calls one of these, without a callback in the entity.
#define ENTITY_TYPE_(type, singular, plural, count, upper)
#define ENTITY_CONTROLLER_TYPE_(type, singular, plural, count, upper, callback) \
  void on_##callback(esphome::type* obj) override { mark_changed(obj); }
#include <esphome/core/entity_types.h>
#undef ENTITY_TYPE_
#undef ENTITY_CONTROLLER_TYPE_

  [[nodiscard]] std::uint16_t count() const { return count_; }
  [[nodiscard]] Row row(std::uint16_t number) const { return {rows_[number], entities_[number]}; }
  [[nodiscard]] const mcp::Server& server() const { return server_; }
  [[nodiscard]] std::uint32_t wait_ms() const { return wait_ms_; }

  /// Runs an action after the response has been sent, such as one that ends the firmware.
  void run_later(std::function<void()>&& action);

  /// The part of a tool of the YAML before its actions, and after them.
  void begin_tool();
  mcp::Errc end_tool(mcp::Call& call, bool is_done);
  /// Sets the result of the tool that runs now.
  void respond(const std::string& text, bool is_error) {
    response_ = text;
    is_error_ = is_error;
  }

 private:
  void mark_changed(const esphome::EntityBase* entity);
  void notify();
  void set_pace(std::uint32_t now);

  const mcp::Server& server_;
  mcp::HttpTransport& transport_;
  SocketListener& listener_;
  const RowInfo* rows_;
  esphome::EntityBase* const* entities_;
  std::uint32_t* changed_;
  std::string_view* hosts_ = nullptr;
  std::string local_name_;
  std::string response_;
  esphome::HighFrequencyLoopRequester fast_loop_;
  std::uint32_t notify_interval_ms_ = 1000;
  std::uint32_t wait_ms_ = 2000;
  std::uint32_t last_notified_ms_ = 0;
  std::uint32_t last_input_ms_ = 0;
  std::uint16_t count_;
  bool is_error_ = false;
  bool has_token_ = false;
};

/// The node. The functions of mote's tables have no context.
extern Node* the_node;

/// The functions of the tables in main.cpp (esphome_tables.cpp).
bool describe_resource(std::uint16_t number, mcp::FoundResource& out);
std::uint16_t find_resource(std::string_view uri);
mcp::Errc read_resource(std::uint16_t number, mcp::ReadResult& out);
bool describe_tool(std::uint16_t number, mcp::FoundTool& out);
std::uint16_t find_tool(std::string_view name);
void log_call(const mcp::AuditRecord& record);

/// The tool that reads, because most hosts give resources to the user, and not to the model. It reads its arguments
/// itself: a node without tools of its own then links no tables of parameters.
mcp::Errc read_states(mcp::json::Value arguments, mcp::Call& call);
inline constexpr mcp::InputSchema read_states_schema(
    R"({"type":"object","properties":{"of":{"type":"string","description":"Type or part of an id"},)"
    R"("first":{"type":"integer","minimum":0}},"required":[]})");
inline constexpr mcp::ToolExtras read_states_extras{.annotations = {.read_only_hint = true}};
inline constexpr mcp::Tool read_states_tool =
    mcp::tool<read_states>({.name = "read_states",
                            .description = "Reads the states of all entities, or of some.",
                            .extras = read_states_extras},
                           read_states_schema);

using esphome::TemplatableStorage;  // for the macro of ESPHome in RespondAction

/// Starts the automation of a tool.
template <class... Ts>
class ToolTrigger : public esphome::Trigger<Ts...> {};

/// The action `mcp_server.respond`: the result of the tool that runs now.
template <class... Ts>
class RespondAction : public esphome::Action<Ts...> {
 public:
  TEMPLATABLE_VALUE(std::string, text)
  TEMPLATABLE_VALUE(bool, is_error)

  void play(const Ts&... x) override { the_node->respond(this->text_.value(x...), this->is_error_.value(x...)); }
};

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
