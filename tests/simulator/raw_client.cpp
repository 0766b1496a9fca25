// SPDX-License-Identifier: Apache-2.0
#include "simulator/raw_client.hpp"

#include <utility>

namespace sim {
namespace {

constexpr std::string_view version_field = "MCP-Protocol-Version: 2025-11-25\r\n";

std::string session_fields(const std::string& session) {
  return session.empty() ? "" : "MCP-Session-Id: " + session + "\r\n" + std::string(version_field);
}

}  // namespace

RawClient::~RawClient() {
  for (const LinePtr& line : lines_) {
    line->wire->on_receive = nullptr;
    // These may hold the line.
    line->takers.clear();
    line->on_event = nullptr;
    line->on_end = nullptr;
  }
}

void RawClient::leave() {
  gone_ = true;
  for (const LinePtr& line : lines_) close(line);
}

void RawClient::complain(const std::string& what, std::string_view about) const {
  simulation_.fail("number " + std::to_string(who_.number) + ": " + what +
                   (about.empty() ? "" : "\n  " + std::string(about)));
}

void RawClient::own(Belonging::Kind kind, const std::string& text) {
  if (!simulation_.ownership.add({kind, who_.number, who_.principal, text, {}})) {
    complain("was given what is another's", text);
  }
}

void RawClient::after(Time ms, std::function<void()> what) {
  simulation_.in(ms, [this, what = std::move(what)] {
    if (!gone_) what();
  });
}

// ---- Connections -------------------------------------------------------------------------------------------------

RawClient::LinePtr RawClient::connect() {
  const auto line = std::make_shared<Line>();
  line->wire = listener_.connect(who_.host);
  line->wire->on_receive = [this, weak = std::weak_ptr(line)](std::string_view bytes, bool broken) {
    if (const LinePtr kept = weak.lock()) receive(kept, bytes, broken);
  };
  lines_.push_back(line);
  return line;
}

void RawClient::send(const LinePtr& line, const std::string& bytes, Taker taker) {
  if (line->over) return;
  if (taker) line->takers.push_back(std::move(taker));
  line->wire->send(bytes);
}

void RawClient::close(const LinePtr& line) {
  if (line->over) return;
  line->over = true;
  line->wire->leave();
}

void RawClient::receive(const LinePtr& line, std::string_view bytes, bool broken) {
  if (line->over) return;
  if (!bytes.empty()) static_cast<void>(line->inbox.wire.write(bytes));
  if (bytes.empty() && !broken) line->inbox.finish();
  if (!bytes.empty() || !broken) read(*line);
  if (!bytes.empty() || line->over) return;
  close(line);
  if (line->on_end && !gone_) line->on_end();
}

void RawClient::read(Line& line) {
  while (!line.over) {
    if (line.streams) {
      for (const test::HttpEvent& event : line.reader.events()) {
        if (event.data) look_at(*event.data);
        if (line.on_event && !line.over) line.on_event(event);
      }
      if (!line.reader.ended()) return;
      line.streams = false;
      continue;
    }
    const test::HttpResponse response = line.reader.response();
    if (response.status == 0) return;
    look_at(response.body);
    line.streams = response.streams;
    if (line.takers.empty()) continue;
    const Taker taker = std::move(line.takers.front());
    line.takers.pop_front();
    taker(response);
  }
}

void RawClient::look_at(std::string_view text) const {
  simulation_.trace("number %d < %.*s", who_.number, static_cast<int>(text.size()), text.data());
  const std::string foreign = simulation_.ownership.foreign_in(text, who_.number);
  if (!foreign.empty()) complain("sees what is another's: " + foreign, text);
}

// ---- Requests ----------------------------------------------------------------------------------------------------

std::string RawClient::head(std::string_view method, std::string_view target, const std::string& fields) const {
  return std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" + who_.token + fields;
}

std::string RawClient::post(const std::string& fields, const std::string& json, std::string_view target) const {
  return head("POST", target, fields) +
         "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(json.size()) + "\r\n\r\n" + json;
}

std::string RawClient::session_post(const std::string& session, const std::string& json) const {
  return post(session_fields(session), json);
}

std::string RawClient::session_get(const std::string& session, const std::string& last_event) const {
  const std::string last = last_event.empty() ? "" : "Last-Event-ID: " + last_event + "\r\n";
  return head("GET", "/mcp", session_fields(session)) + "Accept: text/event-stream\r\n" + last + "\r\n";
}

std::string RawClient::session_delete(const std::string& session) const {
  return head("DELETE", "/mcp", session_fields(session)) + "\r\n";
}

std::string RawClient::request_of(std::string_view method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(++ids_) + R"(,"method":")" + std::string(method) +
         R"(","params":{)" + params + "}}";
}

std::string RawClient::call_of(std::string_view tool, const std::string& arguments, const std::string& more) {
  return request_of("tools/call", R"("name":")" + std::string(tool) + R"(","arguments":{)" + arguments + "}" + more);
}

std::string RawClient::initialize() {
  return session_post("", request_of("initialize", R"("protocolVersion":"2025-11-25","capabilities":{},)"
                                                   R"("clientInfo":{"name":"raw","version":"0"})"));
}

std::string RawClient::stateless_post(std::string_view method, std::string_view name, const std::string& params,
                                      const std::string& meta) {
  std::string fields = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(method) + "\r\n";
  if (!name.empty()) fields += "Mcp-Name: " + std::string(name) + "\r\n";
  const std::string whole = params + (params.empty() ? "" : ",") +
                            R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                            R"("io.modelcontextprotocol/clientCapabilities":{})" + meta + "}";
  return post(fields, request_of(method, whole));
}

}  // namespace sim
