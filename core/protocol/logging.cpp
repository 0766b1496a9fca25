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

// The number of a level, or how many there are.
std::uint8_t find_level(json::Value level) {
  std::uint8_t index = 0;
  while (index < std::size(levels) && !level.equals(levels[index])) ++index;
  return index;
}

bool read_client(json::Value, json::Value meta, mcp::detail::Client& client) {
  const json::Value wanted = json::find_member(meta, "io.modelcontextprotocol/logLevel");
  client.logs = wanted.present();
  if (!client.logs) return true;
  const std::uint8_t level = find_level(wanted);
  client.log_level = static_cast<LogLevel>(level);
  return level < std::size(levels);
}

void set_level(Request& request) {
  const std::uint8_t level = find_level(request.params.find("level"));
  if (level < std::size(levels)) {
    request.session.client.log_level = static_cast<LogLevel>(level);
    return request.empty_result();
  }
  request.fail("level must be one of debug, info, notice, warning, error, critical, alert, emergency.");
}

void write_message(json::Writer& out, std::uint8_t level, std::string_view logger) {
  notification_begin(out, "message");
  out.member("level", levels[level]);
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

// Writes the next message for a client that has seen those before `next`.
bool write_next(Outbound& outbound, std::uint32_t& next, LogLevel level) {
  const memory::RecordRing log = outbound.storage.log();
  json::Writer& out = outbound.out;
  if (const std::uint32_t lost = log.oldest() - next; static_cast<std::int32_t>(lost) > 0) {
    next = log.oldest();
    write_lost(out, lost);
    return true;
  }
  while (next != log.next()) {
    const memory::RecordRing::Record record = log.read(next++);
    if (static_cast<LogLevel>(record.tag) < level) continue;
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

// A session hears of everything; a stateless client of what is logged while a job answers it, if it wants that.
bool transmit(Outbound& outbound) {
  const mcp::detail::StorageView& storage = outbound.storage;
  mcp::detail::Session& session = outbound.session;
  if (outbound.channel == no_channel) return false;
  WalkOf<mcp::detail::Job> jobs(storage.jobs, outbound);
  while (mcp::detail::Job* const job = jobs.next()) {
    if (!job->client.logs || !outbound.is_for(job->channel)) continue;
    if (write_next(outbound, job->log_next, job->client.log_level)) return true;
  }
  return session.phase == mcp::detail::Phase::ready && write_next(outbound, session.log_next, session.client.log_level);
}

void write_capability(json::Writer& out, const Definition&, const Revision&) { out.fragment("\"logging\":{}"); }

constexpr Method methods[] = {{"logging/setLevel", set_level, Method::For::sessions}};

}  // namespace

constinit const Feature logging_feature{.methods = methods,
                                        .write_capability = write_capability,
                                        .transmit = transmit,
                                        .read_client = read_client,
                                        .answers = true};

}  // namespace protocol
}  // namespace mcp
