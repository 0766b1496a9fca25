// SPDX-License-Identifier: Apache-2.0
// logging/setLevel and notifications/message. Source: server/utilities/logging, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/revision.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/feature_flags.hpp"
#include "mcp/json/value.hpp"
#include "mcp/server.hpp"
#include "schema/codecs.hpp"

namespace mcp {

using detail::Client;
using detail::Job;
using detail::LogCursor;
using detail::Session;
using detail::StorageView;
using memory::RecordRing;

namespace {

// The tag of a record: its level, whether its text is a JSON object, and its source. The source is the device, a
// session, or the job of a stateless request, the latter two with their index. A new session or job starts after the
// records of the previous one in its slot.
constexpr std::uint32_t level_bits = 0x07;
constexpr std::uint32_t is_object = 0x08;
constexpr std::uint32_t of_device = 0x40;
constexpr std::uint32_t of_job = 0x80;
constexpr std::uint32_t of_nothing = 0xFF;

constexpr std::uint32_t session_source(std::size_t index) { return static_cast<std::uint32_t>(index << 8U); }
constexpr std::uint32_t job_source(std::size_t index) { return session_source(index) | of_job; }

// True when a client that is this source may see the record and wants it. A session sees the log of the device only
// after it has set a level, a stateless request never.
bool is_for(std::uint32_t tag, std::uint32_t source, const Client& client) {
  const bool of_this =
      (tag & of_device) != 0 ? !client.stateless && client.logs : (tag & ~(level_bits | is_object)) == source;
  return of_this && static_cast<LogLevel>(tag & level_bits) >= client.log_level;
}

void lose(const StorageView& storage, LogCursor& cursor, std::uint32_t number, bool wanted) {
  if (cursor.next != static_cast<std::uint16_t>(number)) return;
  ++cursor.next;
  if (!wanted) return;
  detail::count(cursor.lost);
  detail::count(storage.health().logs_lost);
}

// Clients that have not seen the oldest record count it as lost if it is for them.
void drop_oldest(const StorageView& storage) {
  RecordRing log = storage.log();
  const std::uint32_t number = log.oldest();
  const std::uint32_t tag = log.read(number).tag;
  memory::Walk<Session> sessions(storage.sessions);
  while (Session* const session = sessions.next())
    lose(storage, session->log, number, is_for(tag, session_source(sessions.index()), session->client));
  memory::Walk<Job> jobs(storage.jobs);
  while (Job* const job = jobs.next())
    lose(storage, job->log, number, is_for(tag, job_source(jobs.index()), job->client));
  log.drop_oldest();
}

// The source of the running code. of_nothing if no client may get the message: a stateless request without a job has
// only its response, and a session without a slot is not in the pool.
std::uint32_t current_source(const StorageView& storage) {
  const protocol::SendContext* const current = storage.log_state->current;
  if (current == nullptr) return of_device;
  if (current->client.stateless) {
    const Job* const job = storage.jobs.find(current->job);
    return job != nullptr && job->client.logs ? job_source(current->job.index) : of_nothing;
  }
  const std::size_t index = current->session_index;
  const bool is_placed = index < storage.sessions.capacity() && storage.sessions.in_use(index) == &current->session;
  return is_placed ? session_source(index) : of_nothing;
}

// `bits` are a level, and is_object for an object.
void write_record(const StorageView& storage, std::uint32_t bits, std::string_view logger, std::string_view text) {
  MCP_ASSERT(storage.log_state != nullptr);  // the Definition has .logging
  const std::uint32_t source = current_source(storage);
  if (source == of_nothing) return;
  RecordRing log = storage.log();
  const std::size_t size = log.cut(logger, text);
  while (!log.has_space(size)) drop_oldest(storage);
  log.push(bits | source, logger, text);
}

Errc reject_value(detail::OutputSink&, const detail::ArgumentPath&) { return Errc::invalid_argument; }

}  // namespace

void protocol::write_log(const StorageView& storage, LogLevel level, std::string_view logger, std::string_view text) {
  write_record(storage, static_cast<std::uint32_t>(level), logger, text);
}

Errc Server::log_object(LogLevel level, std::string_view logger, std::span<const detail::ParamInfo> rows,
                        const void* value) const {
  check_task();
  MCP_ASSERT(definition_->logging.has_objects());
  char text[256];
  json::Writer out(text);
  detail::OutputSink sink{out, reject_value};
  if (const Errc errc = detail::encode_struct(rows, value, sink); errc != Errc::ok) return errc;
  std::string_view name = logger;
  std::string_view whole(text, out.size());
  static_cast<void>(storage_.log().cut(name, whole));
  if (!out.ok() || whole.size() != out.size()) {
    detail::count(storage_.health().logs_lost);
    return Errc::no_space;
  }
  write_record(storage_, static_cast<std::uint32_t>(level) | is_object, logger, whole);
  return Errc::ok;
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
    request.session.client.logs = true;
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

// The server reports messages that the ring lost before this session saw them.
void write_lost(json::Writer& out, std::uint32_t lost) {
  write_message(out, static_cast<std::uint8_t>(LogLevel::warning), "log");
  out.append_number(std::uint64_t{lost});
  out.append(" messages were lost.");
  static_cast<void>(end_message(out));
}

bool write_object(json::Writer& out, const RecordRing::Record& record) {
  notification_begin(out, "message");
  out.member("level", levels[record.tag & level_bits]);
  if (!record.name.empty()) out.member("logger", record.name);
  out.key("data");
  out.raw(record.text);
  out.fragment("}}");
  return out.ok();
}

// Writes the next message for the client that is this source. A template, so that a log of texts is as small as if it
// were the only one.
template <bool with_objects>
bool write_next(SendContext& context, LogCursor& cursor, std::uint32_t source, const Client& client) {
  const RecordRing log = context.storage.log();
  json::Writer& out = context.out;
  if (cursor.lost != 0) {
    write_lost(out, cursor.lost);
    cursor.lost = 0;
    return true;
  }
  while (cursor.next != static_cast<std::uint16_t>(log.next())) {
    const std::uint32_t oldest = log.oldest();
    const RecordRing::Record record = log.read(oldest + static_cast<std::uint16_t>(cursor.next - oldest));
    ++cursor.next;
    if (!is_for(record.tag, source, client)) continue;
    const json::Writer::Mark start = out.mark();
    if (with_objects && (record.tag & is_object) != 0) {
      if (write_object(out, record)) return true;
    } else {
      write_message(out, static_cast<std::uint8_t>(record.tag & level_bits), record.name);
      out.append(record.text);
      if (end_message(out)) return true;
    }
    out.rollback(start);  // does not fit after escaping
    mcp::detail::count(context.storage.health().logs_lost);
    write_lost(out, 1);
    return true;
  }
  return false;
}

template <bool with_objects>
bool transmit(SendContext& context) {
  if (context.channel == no_channel) return false;
  WalkOf<Job> jobs(context.storage.jobs, context);
  while (Job* const job = jobs.next()) {
    if (!job->client.stateless || !job->client.logs || !context.is_for(job->channel)) continue;
    if (write_next<with_objects>(context, job->log, job_source(jobs.index()), job->client)) return true;
  }
  Session& session = context.session;
  return session.phase == mcp::detail::Phase::ready &&
         write_next<with_objects>(context, session.log, session_source(context.session_index), session.client);
}

void write_capability(json::Writer& out, const Definition&, const Revision&) { out.fragment("\"logging\":{}"); }

constexpr Method methods[] = {{"logging/setLevel", set_level, Method::Scope::session}};

}  // namespace

constinit const Feature logging_feature{.methods = methods,
                                        .write_capability = write_capability,
                                        .transmit = transmit<false>,
                                        .read_client = read_client,
                                        .answers = true};
constinit const Feature object_logging_feature{.methods = methods,
                                               .write_capability = write_capability,
                                               .transmit = transmit<true>,
                                               .read_client = read_client,
                                               .answers = true};

}  // namespace protocol
}  // namespace mcp
