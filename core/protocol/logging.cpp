// logging/setLevel and notifications/message. Source: server/utilities/logging, 2025-11-25.
#include "json/value.hpp"
#include "mcp/server.hpp"
#include "mcp/switches.hpp"
#include "protocol/request.hpp"

namespace mcp {

void Server::log(LogLevel level, std::string_view logger, std::string_view text) {
  storage_.log().push(static_cast<std::uint8_t>(level), logger, text);
}

namespace protocol {
namespace {

constexpr json::Text levels[] = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

void set_level(Request& request) {
  const json::Value level = json::find_member(request.params, "level");
  for (std::size_t i = 0; i < std::size(levels); ++i) {
    if (!level.equals(levels[i])) continue;
    request.session.log_level = static_cast<LogLevel>(i);
    return request.empty_result();
  }
  request.fail(rpc::invalid_params,
               "level must be one of debug, info, notice, warning, error, critical, alert, emergency.");
}

void write_message(json::Writer& out, std::uint8_t level, std::string_view logger) {
  out.fragment("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":");
  out.string(levels[level]);
  if (!logger.empty()) out.member("logger", logger);
  out.fragment("\"data\":\"");
}

bool end_message(json::Writer& out) {
  out.string_end();
  out.fragment("}}");
  return out.ok();
}

// What was pushed out of the ring before this session saw it is said, not hidden.
void write_lost(json::Writer& out, std::uint32_t lost) {
  write_message(out, static_cast<std::uint8_t>(LogLevel::warning), "log");
  out.append_number(std::uint64_t{lost});
  out.append(" messages were lost.");
  static_cast<void>(end_message(out));
}

bool transmit(Outbound& outbound) {
  if (outbound.channel == no_channel) return false;
  mcp::detail::Session& session = outbound.session;
  const memory::RecordRing log = outbound.storage.log();
  json::Writer& out = outbound.out;
  if (const std::uint32_t lost = log.oldest() - session.log_next; static_cast<std::int32_t>(lost) > 0) {
    session.log_next = log.oldest();
    write_lost(out, lost);
    return true;
  }
  while (session.log_next != log.next()) {
    const memory::RecordRing::Record record = log.read(session.log_next++);
    if (static_cast<LogLevel>(record.tag) < session.log_level) continue;
    const json::Writer::Mark start = out.mark();
    write_message(out, record.tag, record.name);
    out.append(record.text);
    if (end_message(out)) return true;
    out.rollback(start);  // longer than the window once it is escaped
    write_lost(out, 1);
    return true;
  }
  return false;
}

void write_capability(json::Writer& out, const Definition&, const Revision&) { out.fragment("\"logging\":{}"); }

constexpr Method methods[] = {{"logging/setLevel", set_level}};

}  // namespace

constinit const Feature logging_feature{methods, write_capability, transmit};

}  // namespace protocol
}  // namespace mcp
