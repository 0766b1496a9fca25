// SPDX-License-Identifier: Apache-2.0
// logging/setLevel and notifications/message. Source: server/utilities/logging, 2025-11-25.
#include <cstring>

#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/detail/revision.hpp"
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

// The tag of a record: its level, whether its text is a JSON object, and its source. The source is the device, the
// stateless request that is being answered, a session, or the job of a stateless request, the latter two with their
// index. A new session or job starts after the records of the previous one in its slot.
constexpr std::uint32_t level_bits = 0x07;
constexpr std::uint32_t is_object = 0x08;
constexpr std::uint32_t kind_bits = 0xC0;
constexpr std::uint32_t of_device = 0x40;
constexpr std::uint32_t of_job = 0x80;
constexpr std::uint32_t of_request = 0xC0;
constexpr std::uint32_t of_nothing = 0xFF;

constexpr std::uint32_t session_source(std::size_t index) { return static_cast<std::uint32_t>(index << 8U); }
constexpr std::uint32_t job_source(std::size_t index) { return session_source(index) | of_job; }

// True when a client that is this source may see the record and wants it. A session sees the log of the device only
// after it has set a level, a stateless request never.
bool is_for(std::uint32_t tag, std::uint32_t source, const Client& client) {
  const bool of_this =
      (tag & kind_bits) == of_device ? !client.stateless && client.logs : (tag & ~(level_bits | is_object)) == source;
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
  detail::LogState& state = *storage.log_state;
  if (state.request != nullptr)
    lose(storage, state.cursor, number, is_for(tag, of_request, {.log_level = state.level, .stateless = true}));
  log.drop_oldest();
}

// The source of the running code. of_nothing if no client may get the message: a stateless request has not asked for
// messages or has its response, and a session without a slot is not in the pool.
std::uint32_t current_source(const StorageView& storage) {
  const protocol::SendContext* const current = storage.log_state->current;
  if (current == nullptr) return of_device;
  if (current->client.stateless) {
    const Job* const job = storage.jobs.find(current->job);
    if (job != nullptr && job->client.logs) return job_source(current->job.index);
    return current == storage.log_state->request ? of_request : of_nothing;
  }
  const std::size_t index = current->session_index;
  const bool is_placed = index < storage.sessions.capacity() && storage.sessions.in_use(index) == &current->session;
  return is_placed ? session_source(index) : of_nothing;
}

// `bits` are a level, and is_object for an object. The storage has a log.
void write_record(const StorageView& storage, std::uint32_t bits, std::string_view logger, std::string_view text) {
  const std::uint32_t source = current_source(storage);
  if (source == of_nothing) return;
  MCP_DEBUG_ASSERT((bits & ~(level_bits | is_object)) == 0 && (source & (level_bits | is_object)) == 0);
  RecordRing log = storage.log();
  const std::size_t size = log.cut(logger, text);
  while (!log.has_space(size)) drop_oldest(storage);
  log.push(bits | source, logger, text);
}

Errc reject_log_value(detail::OutputSink&, const detail::ArgumentPath&) { return Errc::invalid_argument; }

}  // namespace

void protocol::write_log(const StorageView& storage, LogLevel level, std::string_view logger, std::string_view text) {
  write_record(storage, static_cast<std::uint32_t>(level), logger, text);
}

Errc Server::log_object(LogLevel level, std::string_view logger, std::span<const detail::ParamInfo> rows,
                        const void* value) const {
  check_task();
  if (!definition_->logging.has_objects()) {
    detail::count(storage_.health().logs_lost);
    return Errc::unavailable;
  }
  char text[256];
  json::Writer out(text);
  detail::OutputSink sink{out, reject_log_value};
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

bool read_client(json::Value, json::Value meta, SendContext& context) {
  const json::Value wanted = json::find_member(meta, "io.modelcontextprotocol/logLevel");
  Client& client = context.client;
  client.log_level = LogLevel::warning;  // of a session before it sets a level
  client.logs = wanted.present();
  if (!client.logs) return true;
  const std::uint8_t level = find_level(wanted);
  client.log_level = static_cast<LogLevel>(level);
  if (level >= std::size(levels)) return false;
  mcp::detail::LogState& state = *context.storage.log_state;
  state.request = &context;
  state.cursor = context.storage.log_end();
  state.level = client.log_level;
  return true;
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

void write_head(json::Writer& out, std::uint8_t level, std::string_view logger) {
  notification_begin(out, "message");
  out.member("level", levels[level]);
  if (!logger.empty()) out.member("logger", logger);
}

// The server reports messages that the ring lost before this session saw them.
void write_lost(json::Writer& out, std::uint32_t lost) {
  write_head(out, static_cast<std::uint8_t>(LogLevel::warning), "log");
  out.fragment("\"data\":\"");
  out.append_number(std::uint64_t{lost});
  out.append(" messages were lost.");
  out.string_end();
  out.fragment("}}");
}

bool write_message(json::Writer& out, const RecordRing::Record& record) {
  write_head(out, static_cast<std::uint8_t>(record.tag & level_bits), record.name);
  if ((record.tag & is_object) != 0) {
    out.fragment("\"data\":");
    out.raw(record.text);
  } else {
    out.fragment("\"data\":\"");
    out.append(record.text);
    out.string_end();
  }
  out.fragment("}}");
  return out.ok();
}

// Writes the next message for the client that is this source.
bool write_next(const SendContext& context, json::Writer& out, LogCursor& cursor, std::uint32_t source,
                const Client& client) {
  const RecordRing log = context.storage.log();
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
    if (write_message(out, record)) return true;
    out.rollback(start);  // does not fit after escaping
    mcp::detail::count(context.storage.health().logs_lost);
    write_lost(out, 1);
    return true;
  }
  return false;
}

bool transmit_logs(SendContext& context) {
  if (context.channel == no_channel) return false;
  WalkOf<Job> jobs(context.storage.jobs, context);
  while (Job* const job = jobs.next()) {
    if (!job->client.stateless || !job->client.logs || !context.is_for(job->channel)) continue;
    if (write_next(context, context.out, job->log, job_source(jobs.index()), job->client)) return true;
  }
  Session& session = context.session;
  return session.phase == mcp::detail::Phase::ready &&
         write_next(context, context.out, session.log, session_source(context.session_index), session.client);
}

// ---- Messages before a response -------------------------------------------------------------------------------------

void reverse(char* begin, char* end) {
  while (end - begin > 1) {
    const char first = *begin;
    *begin++ = *--end;
    *end = first;
  }
}

// Writes the messages of a stateless request before its response, because nothing may follow the response. They go
// after the messages that the transmit buffer already has. Messages that do not fit are lost.
void place_first(SendContext& context, LogCursor& cursor, std::uint32_t source, const Client& client) {
  const std::span<char> rest = context.out.rest();
  std::size_t size = 0;
  for (;;) {
    const std::size_t left = rest.size() - size;
    json::Writer out(rest.subspan(size, left > Reply::gap ? left - Reply::gap : 0));
    if (!write_next(context, out, cursor, source, client)) break;
    if (!out.ok()) continue;
    size += out.size() + Reply::gap;
    std::memset(rest.data() + size - Reply::gap, ' ', Reply::gap);
    rest[size - 1] = '\n';
  }
  if (size == 0) return;
  char* begin = rest.data();  // of the response, which has no line end
  const char* const first = begin - context.out.size();
  while (begin != first && begin[-1] != '\n') --begin;
  reverse(begin, rest.data());
  reverse(rest.data(), rest.data() + size);
  reverse(begin, rest.data() + size);
  MCP_DEBUG_ASSERT(size <= rest.size());
  json::Writer::Mark end = context.out.mark();
  end.at += size;
  context.out.rollback(end);
  context.status = Reply::Status::logged;
}

// After the handler and the audit of a request. A job that has become a task has its messages in its slot.
void log_request(const Request& request, const std::string_view&, bool answered) {
  SendContext& context = request.context;
  mcp::detail::LogState& state = *context.storage.log_state;
  if (state.request != &context) return;
  const Client client{.log_level = state.level, .stateless = true};
  if (answered) {
    if (Job* const job = context.storage.jobs.find(request.job))
      place_first(context, job->log, job_source(request.job.index), client);
    place_first(context, state.cursor, of_request, client);
  }
  state.request = nullptr;
}

void ignore_request(const Request&, const std::string_view&, bool) {}

// A scheduled call is in no slot.
void find_log_job(SendContext& context, const Job& job, AuditRecord::Outcome, int) {
  memory::Walk<Job> jobs(context.storage.jobs);
  Job* slot = jobs.next();
  while (slot != nullptr && slot != &job) slot = jobs.next();
  context.job = slot != nullptr ? jobs.handle() : memory::Handle{};
}

// At the end of a job, and when it asks. Its response is in the transmit buffer, unless it is a task, whose client gets
// no messages, or is cancelled.
void log_job(SendContext& context, const Job&, AuditRecord::Outcome outcome, int) {
  const memory::Handle handle = context.job;
  context.job = {};
  Job* const slot = context.storage.jobs.find(handle);
  if (slot == nullptr || !context.client.stateless) return;
  const bool is_cancelled = outcome == AuditRecord::Outcome::cancelled;
  if (!is_cancelled && context.client.logs) place_first(context, slot->log, job_source(handle.index), context.client);
  // A cancelled request gets no message of the last step.
  if (is_cancelled) slot->client.logs = false;
}

constexpr FeatureMethod logging_methods[] = {{"logging/setLevel", set_level, FeatureMethod::Scope::session}};

}  // namespace

constinit const Feature logging_feature{
    .methods = logging_methods, .transmit = transmit_logs, .read_client = read_client, .answers = true};
constinit const AuditOps log_job_ops{ignore_request, find_log_job};
constinit const AuditOps log_ops{log_request, log_job};

}  // namespace protocol
}  // namespace mcp
