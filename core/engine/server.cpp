// SPDX-License-Identifier: Apache-2.0
// The functions of Server: the path of one message, and the messages that the server sends on its own.
#include "mcp/server.hpp"

#include <cstring>

#include "engine/error_texts.hpp"
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "engine/server_request_ids.hpp"
#include "engine/session_slot.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/validate.hpp"
#include "mcp/json/value.hpp"
#include "mcp/rpc/envelope.hpp"
#include "mcp/rpc/id_finder.hpp"
#include "mcp/transport.hpp"
#include "mcp/transport_info.hpp"

namespace mcp {
namespace {

using detail::Phase;
using detail::Session;
using protocol::Feature;
using protocol::MethodWalk;

const char* sentence(json::ErrorKind fault) {
  switch (fault) {
    case json::ErrorKind::utf8: return "Parse error: not UTF-8 at byte ";
    case json::ErrorKind::depth: return "Parse error: nested too deep at byte ";
    default: return "Parse error: not JSON at byte ";
  }
}

constexpr std::size_t unnumbered = static_cast<std::size_t>(-1);

// Writes an error outside of any session's request. `begin`, an optional number, then `end` form the text.
void write_error(json::Writer& out, const std::string_view& id, int code, const char* begin, const char* end,
                 std::size_t number = unnumbered) {
  // Without its id, if the id does not fit.
  for (std::string_view shown = id;; shown = {}) {
    rpc::Response response(out, shown);
    response.error_begin(code);
    out.append(begin);
    if (number != unnumbered) out.append_number(std::uint64_t{number});
    out.append(end);
    response.error_end();
    if (out.ok() || shown.empty()) return;
    response.discard();
  }
}

void write_invalid(json::Writer& out, const std::string_view& id, const char* problem) {
  write_error(out, id, rpc::invalid_request, "Invalid request: ", problem);
}

// The object or the array that the message is; missing for any other one.
[[gnu::always_inline]] inline json::Value root_of(std::span<char> message, json::CheckResult check) {
  if (check.fault != json::ErrorKind::none) return {};
  char* at = message.data();
  while (static_cast<std::uint8_t>(*at) <= ' ') ++at;  // only white space of JSON is before it
  return *at == '{' || *at == '[' ? json::Value(at) : json::Value();
}

// True for the name of a notification of MCP.
bool names_notification(const std::string_view& method) {
  constexpr std::string_view begin = "notifications/";
  return method.size() >= begin.size() && std::memcmp(method.data(), begin.data(), begin.size()) == 0;
}

// Of a message that is not JSON, only the id and the kind are known. No other byte of it is needed, so the id is moved
// to its begin. Not inlined, so that the finder is not on the stack while a message is answered.
[[gnu::noinline]] rpc::Envelope find_envelope(std::span<char> message) {
  rpc::IdFinder finder;
  finder.feed({message.data(), message.size()});
  rpc::Envelope envelope;
  envelope.kind = finder.is_response() ? rpc::Kind::response : rpc::Kind::invalid;
  envelope.readable = rpc::Readable::malformed;
  const std::string_view id = finder.id();
  if (!id.empty()) std::memcpy(message.data(), id.data(), id.size());
  envelope.id = {message.data(), id.size()};
  return envelope;
}

[[gnu::always_inline]] inline rpc::Envelope envelope_of(std::span<char> message, json::CheckResult check,
                                                        json::Value root, std::size_t id_size,
                                                        const json::MemberIndex& index) {
  return check.fault == json::ErrorKind::none ? rpc::read_envelope(root, id_size, &index) : find_envelope(message);
}

// With the id of the message if it can be found, or the client would wait for its time limit. Omit the id of a client's
// response. It is the id of a server request.
void write_parse_error(const detail::StorageView& storage, json::Writer& out, const rpc::Envelope& envelope,
                       json::CheckResult check) {
  if (detail::Figures* const figures = storage.figures()) detail::count(figures->unreadable);
  const std::string_view id = envelope.kind == rpc::Kind::response ? std::string_view() : envelope.id;
  write_error(out, id, rpc::parse_error, sentence(check.fault), ".", check.offset);
}

Reply reply_of(const protocol::SendContext& context) {
  const std::size_t size = context.out.size();
  const bool taken = context.status != Reply::Status::message || size != 0;
  return {taken ? context.status : Reply::Status::none, size, context.channel, context.error, context.listens};
}

// Never 0, which with slot 0 would be no session.
std::uint64_t next_serial(detail::ServerRequestIds& numbers) {
  constexpr std::uint64_t largest = (std::uint64_t{1} << memory::serial_bits) - 1;
  numbers.last_serial = (numbers.last_serial + 1) & largest;
  if (numbers.last_serial == 0) numbers.last_serial = 1;
  return numbers.last_serial;
}

// Checks a request and calls its handler.
void serve(protocol::Request& request, const std::string_view& name, const protocol::FeatureMethod* method,
           bool in_batch) {
  if (method == nullptr) {
    const protocol::MethodOps* const own = request.storage.links.methods;
    if (own != nullptr && own->serve(request, name)) return;
    return request.fail(rpc::method_not_found, "Method not found: ", protocol::excerpt(name), "");
  }
  if (request.params.value.present() && !request.params.value.is(json::Type::object)) {
    return request.fail("params must be an object.");
  }
  const bool stranger = request.session.phase == Phase::fresh && !request.context.client.stateless;
  if (stranger && method->scope != protocol::FeatureMethod::Scope::before_initialize) {
    return request.fail(rpc::invalid_request, "Not initialized: send initialize first.");
  }
  if (in_batch && json::equal(name, "initialize"))
    return request.fail(rpc::invalid_request, "initialize cannot be in a batch.");
  method->handle(request);
}

}  // namespace

void protocol::reject_sessionless(json::Writer& out, const rpc::Envelope& envelope, const char* problem) {
  // Omit the id of a client's response. It is the id of a server request, not of a client request.
  const std::string_view id = envelope.kind == rpc::Kind::response ? std::string_view() : envelope.id;
  if (envelope.kind == rpc::Kind::invalid) return write_invalid(out, id, envelope.problem);
  write_error(out, id, rpc::invalid_request, problem, "");
}

ReceivedMessage::ReceivedMessage(const Server& server, std::span<char> bytes)
    : check_(json::validate({bytes.data(), bytes.size()}, index_)),
      root_(root_of(bytes, check_)),
      envelope_(envelope_of(bytes, check_, root_, server.id_size(), index_)) {}

bool ReceivedMessage::expects_response() const {
  if (envelope_.kind == rpc::Kind::request) return true;
  if (envelope_.kind != rpc::Kind::invalid) return false;
  const json::Object object{root_, &index_};
  return object.find("id").present() || !object.find("method").present();
}

bool ReceivedMessage::begins_session() const {
  return envelope_.kind == rpc::Kind::request && json::equal(envelope_.method, "initialize");
}

std::optional<std::string_view> ReceivedMessage::cancelled_id() const {
  const bool cancels =
      envelope_.kind == rpc::Kind::notification && json::equal(envelope_.method, "notifications/cancelled");
  if (!cancels) return {};
  return rpc::raw_id(envelope_.params.find("requestId"));
}

SessionId Server::open(Millis now, const TransportInfo* info) const {
  check_task();
  const protocol::SessionSlot slot = protocol::find_slot(storage_, info, now);
  if (slot.index != protocol::SessionSlot::none) return put_session(slot.index, new_session(now, info), now);
  detail::count(storage_.health().sessions_full);
  return {};
}

Millis Server::slot_due(Millis now, const TransportInfo* info) const {
  return storage_.links.find_slot(storage_, protocol::owner_of(info), now).due_ms;
}

Session Server::new_session(Millis now, const TransportInfo* info) const {
  Session session{};
  const std::uint64_t serial = next_serial(*storage_.server_request_ids);
  session.serial_high = static_cast<std::uint16_t>(serial >> 32U);
  session.serial_low = static_cast<std::uint32_t>(serial);
  session.owner = protocol::owner_of(info);
  session.of_wire = info == nullptr;
  session.last_used = now;
  return session;
}

// In the slot of the session that is there.
SessionId Server::put_session(std::size_t index, const Session& session, Millis now) const {
  if (storage_.sessions.in_use(index) != nullptr) close(storage_.session_id(index), now);
  storage_.sessions.acquire(index);
  Session& slot = storage_.sessions.at(index);
  const memory::Slot use = slot;
  slot = session;
  static_cast<memory::Slot&>(slot) = use;
  slot.log = storage_.log_end();  // after the records of the previous session's end
  return storage_.session_id(index);
}

void Server::close(SessionId id, Millis now) const {
  check_task();
  Session* const session = storage_.find_session(id);
  if (session == nullptr) return;
  json::Writer nowhere({});  // the transmit buffer may contain a message
  protocol::SendContext context{*definition_, storage_, id.index, *session, nowhere, now, only_channel};
  protocol::end_session(context);
}

// Apart, so that its part of the stack is not there while its caller ends a session.
[[gnu::noinline]] void Server::cancel(SessionId id, Channel channel, Millis now) const {
  check_task();
  Session* const session = storage_.find_session(id);
  if (session == nullptr) return;
  json::Writer nowhere({});
  protocol::SendContext context{*definition_, storage_, id.index, *session, nowhere, now, channel};
  protocol::close_channel(context);
}

// Each job ends as the job of a request on a channel of its own: the linker then adds no code to images that never end
// a principal.
void Server::end_principal(std::uint64_t principal, Millis now) const {
  check_task();
  constexpr Channel channel_of_end = no_channel - 1;
  memory::Walk<detail::Task> tasks(storage_.tasks);
  while (detail::Task* const task = tasks.next()) {
    if (task->principal != principal) continue;
    if (task->stateless) {
      protocol::release_task(storage_, tasks.handle());
    } else if (task->session == storage_.detached_session()) {
      task->outlives = false;  // no session sees it: the next poll() takes the last step of its job
    }
  }
  memory::Walk<detail::ScheduledCall> scheduled(storage_.scheduled);
  while (detail::ScheduledCall* const call = scheduled.next()) {
    if (call->of != detail::ScheduledCall::Of::wire && call->principal() == principal) call->ends = true;
  }
  memory::Walk<detail::Job> jobs(storage_.jobs);
  while (detail::Job* const job = jobs.next()) {
    if (!job->client.stateless || job->principal != principal) continue;
    job->task = {};
    job->channel = channel_of_end;
    cancel(storage_.session_id(job->session), channel_of_end, now);
  }
}

Reply Server::receive(SessionId id, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                      Channel channel, const TransportInfo* info) const {
  check_task();
  Session* const session = storage_.find_session(id);
  if (session == nullptr) return {Reply::Status::no_session, 0};
  session->last_used = now;
  json::Writer out(transmit_buffer);
  protocol::SendContext context{*definition_, storage_, id.index, *session, out, now, channel, info};
  // Variables instead of a ReceivedMessage, because the compiler keeps some in registers.
  json::MemberIndex index;
  const json::CheckResult check = json::validate({message.data(), message.size()}, index);
  const json::Value root = root_of(message, check);
  return answer_in(context, envelope_of(message, check, root, storage_.id_size, index), root, check);
}

Reply Server::respond(SessionId id, const ReceivedMessage& message, std::span<char> transmit_buffer, Millis now,
                      Channel channel, const TransportInfo* info) const {
  check_task();
  Session* const session = storage_.find_session(id);
  if (session == nullptr) return {Reply::Status::no_session, 0};
  session->last_used = now;
  json::Writer out(transmit_buffer);
  protocol::SendContext context{*definition_, storage_, id.index, *session, out, now, channel, info};
  return answer_in(context, message.envelope(), message.root(), message.check());
}

// Inlined into both, because an image with one transport calls one of them.
[[gnu::always_inline]] inline Reply Server::answer_in(protocol::SendContext& context, const rpc::Envelope& envelope,
                                                      json::Value root, json::CheckResult check) const {
  if (check.fault != json::ErrorKind::none) {
    reject_unreadable(context, envelope, check);
  } else if (root.is(json::Type::array)) {
    answer_batch(context, root);
  } else {
    answer(context, envelope, false);
  }
  return reply_of(context);
}

Reply Server::receive_first(SessionId& session, std::span<char> message, std::span<char> transmit_buffer, Millis now,
                            Channel channel, const TransportInfo* info) const {
  json::MemberIndex index;
  const json::CheckResult check = json::validate({message.data(), message.size()}, index);
  const rpc::Envelope envelope = envelope_of(message, check, root_of(message, check), storage_.id_size, index);
  return answer_first(session, envelope, check, transmit_buffer, now, channel, info);
}

Reply Server::respond_first(SessionId& session, const ReceivedMessage& message, std::span<char> transmit_buffer,
                            Millis now, Channel channel, const TransportInfo* info) const {
  return answer_first(session, message.envelope(), message.check(), transmit_buffer, now, channel, info);
}

[[gnu::always_inline]] inline Reply Server::answer_first(SessionId& session, const rpc::Envelope& envelope,
                                                         json::CheckResult check, std::span<char> transmit_buffer,
                                                         Millis now, Channel channel, const TransportInfo* info) const {
  check_task();
  const SessionId shared = session;
  session = {};
  json::Writer out(transmit_buffer);
  if (check.fault != json::ErrorKind::none) {
    write_parse_error(storage_, out, envelope, check);
    return {Reply::Status::no_session, out.size(), channel};
  }
  if (begins_session(envelope)) return begin_session(session, envelope, out, now, channel, info);
  const SessionId id = shared;
  Session* const found = storage_.find_session(id);
  if (found == nullptr) {
    protocol::reject_sessionless(out, envelope);
    return {Reply::Status::no_session, out.size(), channel};
  }
  protocol::SendContext context{*definition_, storage_, id.index, *found, out, now, channel, info};
  answer(context, envelope, false);
  if (context.status != Reply::Status::no_session) session = id;
  return reply_of(context);
}

// The session gets its slot after its request has succeeded, so that a failed request ends no other session.
Reply Server::begin_session(SessionId& session, const rpc::Envelope& envelope, json::Writer& out, Millis now,
                            Channel channel, const TransportInfo* info) const {
  const protocol::SessionSlot slot = protocol::find_slot(storage_, info, now);
  Session candidate = new_session(now, info);
  protocol::SendContext context{*definition_, storage_, slot.index, candidate, out, now, channel, info};
  if (slot.index == protocol::SessionSlot::none) {
    protocol::reject_session(context, envelope, slot);
    return {Reply::Status::message, out.size(), channel, Reply::Error::slot};
  }
  answer(context, envelope, false);
  if (candidate.phase != Phase::fresh) session = put_session(slot.index, candidate, now);
  return {Reply::Status::message, out.size(), channel};
}

bool Server::begins_session(const rpc::Envelope& envelope) const {
  if (envelope.kind != rpc::Kind::request || !json::equal(envelope.method, "initialize")) return false;
  const protocol::StatelessOps* const stateless = storage_.links.stateless;
  return definition_->eras.legacy() && (stateless == nullptr || !stateless->is_stateless(envelope.params));
}

void Server::answer(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const {
  using protocol::RequestKind;
  const protocol::StatelessOps* const stateless = storage_.links.stateless;
  RequestKind kind = RequestKind::session;
  if (stateless != nullptr) {
    kind = stateless->read_message(context, envelope, in_batch);
    if (kind == RequestKind::rejected) return;
  }
  if (context.session.shared && kind == RequestKind::session &&
      storage_.server_request_ids->rejects_sessions(context, envelope))
    return;
  switch (envelope.kind) {
    case rpc::Kind::invalid: return write_invalid(context.out, envelope.id, envelope.problem);
    case rpc::Kind::response: return handle_response(context, envelope);
    case rpc::Kind::notification: return handle_notification(context, envelope);
    case rpc::Kind::request: return answer_request(context, envelope, in_batch);
  }
}

void Server::handle_notification(protocol::SendContext& context, const rpc::Envelope& envelope) const {
  if (!names_notification(envelope.method)) {
    if (storage_.links.methods != nullptr) storage_.links.methods->notify(context, envelope);
    return;
  }
  protocol::Request request(context, {}, envelope.params);
  MethodWalk methods(storage_, envelope.method, context.session.shared);
  while (const protocol::FeatureMethod* const method = methods.next()) method->handle(request);
}

void Server::answer_request(protocol::SendContext& context, const rpc::Envelope& envelope, bool in_batch) const {
  const bool is_stateless = context.client.stateless;
  const std::size_t before = context.out.size();
  protocol::Request request(context, envelope.id, envelope.params);
  MethodWalk methods(storage_, envelope.method, is_stateless);
  const protocol::FeatureMethod* const method = names_notification(envelope.method) ? nullptr : methods.next();
  serve(request, envelope.method, method, in_batch);
  if (is_stateless) {
    if (request.job != memory::Handle{}) storage_.links.mrtr->step(request);
    if (context.error == Reply::Error::none) context.error = protocol::error_of(request.code());
  }
  if (const protocol::AuditOps* const audit = storage_.links.audit) {
    audit->request(request, envelope.method, context.out.size() != before);
  }
}

void Server::handle_response(protocol::SendContext& context, const rpc::Envelope& envelope) const {
  for (protocol::FeatureWalk features(storage_); const Feature* const feature = features.next();) {
    if (feature->answer != nullptr && feature->answer(context, envelope)) return;
  }
}

void Server::reject_unreadable(protocol::SendContext& context, const rpc::Envelope& envelope,
                               json::CheckResult check) const {
  // Stateless clients are sent no requests.
  if (envelope.kind == rpc::Kind::response && !context.session.shared) return handle_response(context, envelope);
  context.error = Reply::Error::unreadable;
  write_parse_error(storage_, context.out, envelope, check);
}

namespace {

// The error for a result that does not fit, in addition to its id and a comma.
constexpr std::size_t entry_size =
    std::string_view(R"({"jsonrpc":"2.0","id":,"error":{"code":-32603,"message":""}},)").size() +
    std::string_view(protocol::describe(Errc::no_space).text).size();

// The least space in the array for the responses to one message of a batch.
std::size_t room_for(const rpc::Envelope& envelope, std::size_t id_size) {
  switch (envelope.kind) {
    case rpc::Kind::notification: return 0;
    case rpc::Kind::response:  // the result of the call that it resumes
      return protocol::read_request_id(envelope.id) != 0 ? entry_size + id_size : 0;
    default: return entry_size + envelope.id.size();
  }
}

}  // namespace

// Source: revision 2025-03-26, basic#batching; every other revision has no batches.
void Server::answer_batch(protocol::SendContext& context, json::Value batch) const {
  json::Writer& out = context.out;
  json::Elements elements(batch);
  const bool allowed =
      context.session.phase != Phase::fresh && protocol::revisions[context.session.client.revision].batches;
  if (!allowed || !elements.next()) {
    return write_invalid(out, {}, "send one object, not an array.");
  }
  // The server runs no request of a batch unless each response has space, because a client would repeat a request
  // without one.
  std::size_t reserved = 1;  // for the bracket at the end
  do {
    reserved += room_for(rpc::read_envelope(elements.value(), storage_.id_size), storage_.id_size);
  } while (elements.next());
  if (out.rest().size() <= reserved) {
    return write_error(out, {}, rpc::internal_error,
                       "Not executed: the responses to this batch are too large; send fewer requests.", "");
  }
  const json::Writer::Mark start = out.mark();
  out.array_begin();
  const std::size_t empty = out.size();
  for (json::Elements again(batch); again.next();) {
    const rpc::Envelope envelope = rpc::read_envelope(again.value(), storage_.id_size);
    reserved -= room_for(envelope, storage_.id_size);
    const json::Writer::Mark before = out.mark();
    const std::size_t kept = out.reserve(reserved);
    answer(context, envelope, true);
    if (!out.ok()) out.rollback(before);  // of a notification, which has no space of its own
    out.release(kept);
  }
  context.error = Reply::Error::none;  // the batch is served, whatever its requests are
  const bool silent = out.size() == empty;
  out.array_end();
  if (silent) out.rollback(start);
}

Reply Server::transmit(SessionId id, std::span<char> transmit_buffer, Millis now, Channel channel,
                       Scopes receiver) const {
  // No check_task(): a transport has called poll() before, and this function runs more often.
  Session* const session = storage_.find_session(id);
  if (session == nullptr) return {Reply::Status::no_session, 0};
  json::Writer out(transmit_buffer);
  protocol::SendContext context{*definition_, storage_, id.index, *session, out, now, channel};
  context.receiver = receiver;
  for (protocol::FeatureWalk features(storage_); const Feature* const feature = features.next();) {
    if (feature->transmit == nullptr) continue;
    // Before the client is ready there are only answers.
    if (session->phase != Phase::ready && !feature->answers) continue;
    if (feature->transmit(context)) {
      return {context.status, out.size(), context.channel, context.error};
    }
  }
  return {Reply::Status::none, 0};
}

std::string_view Server::revision(SessionId id) const {
  const Session* const session = storage_.find_session(id);
  return session != nullptr && session->phase != Phase::fresh ? protocol::revisions[session->client.revision].name
                                                              : std::string_view();
}

bool Server::continues_streams(SessionId id) const {
  const Session* const session = storage_.find_session(id);
  return session != nullptr && session->phase != Phase::fresh &&
         protocol::revisions[session->client.revision].continues_streams;
}

bool Server::supports(std::string_view revision) const { return is_of_sessions(revision) || is_stateless(revision); }

bool Server::is_of_sessions(std::string_view revision) const {
  return has_sessions() && protocol::find_revision(revision, false) != protocol::no_revision;
}

bool Server::is_stateless(std::string_view revision) const {
  return has_stateless() && protocol::find_revision(revision, true) != protocol::no_revision;
}

Millis Server::take_reconnect(SessionId id, Channel channel) const {
  if (storage_.find_session(id) == nullptr) return 0;
  protocol::WalkOf<detail::Job> jobs(storage_.jobs, id.index);
  while (detail::Job* const job = jobs.next()) {
    if (job->channel != channel || job->retry_ms == 0) continue;
    const Millis retry_ms = job->retry_ms;
    job->retry_ms = 0;
    return retry_ms;
  }
  return 0;
}

void Server::set_listening(SessionId id, bool listening) const {
  if (Session* const session = storage_.find_session(id); session != nullptr) session->no_listener = !listening;
}

void Server::note_use(SessionId id, Millis now) const {
  if (Session* const session = storage_.find_session(id); session != nullptr) session->last_used = now;
}

void Server::share_changes(SessionId id) const {
  if (Session* const session = storage_.find_session(id); session != nullptr)
    session->lists_changed |= Session::shares_changes;
}

void Server::advance_tasks(Millis now) const {
  memory::Walk<detail::Task> tasks(storage_.tasks);
  while (const detail::Task* const task = tasks.next())
    static_cast<void>(transmit(storage_.session_id(task->session), {}, now, no_channel));
}

bool Server::serves(SessionId id, Channel channel) const {
  return storage_.find_session(id) != nullptr && protocol::any_open(storage_, {id.index, channel, {}});
}

Reply Server::receive_oversized(SessionId id, const rpc::IdFinder& message, std::span<char> transmit_buffer, Millis now,
                                Channel channel) const {
  check_task();
  json::Writer out(transmit_buffer);
  detail::count(storage_.health().messages_too_long);
  if (!message.is_response()) {
    write_error(out, message.id(), rpc::invalid_request, "Message too long: at most ", " bytes are accepted.",
                receive_size());
    return {Reply::Status::message, out.size(), channel, Reply::Error::request};
  }
  Session* const session = storage_.find_session(id);
  if (session == nullptr) return {Reply::Status::none, 0};
  session->last_used = now;
  protocol::SendContext context{*definition_, storage_, id.index, *session, out, now, channel};
  rpc::Envelope envelope;
  envelope.kind = rpc::Kind::response;
  envelope.readable = rpc::Readable::too_long;
  envelope.id = message.id();
  handle_response(context, envelope);
  return reply_of(context);
}

void Server::audit_rejected(std::uint64_t peer, int status) const {
  if (detail::Figures* const figures = storage_.figures()) detail::count(figures->refused);
  if (!definition_->audit.on()) return;
  AuditRecord record{.outcome = AuditRecord::Outcome::rejected, .error_code = status};
  record.peer = peer;
  definition_->audit.function()(record);
}

std::size_t Server::reject(const char* problem, std::span<char> transmit_buffer, std::string_view id) {
  json::Writer out(transmit_buffer);
  write_error(out, id, rpc::invalid_request, problem, "");
  return out.size();
}

std::size_t Server::write_boot_mark() const {
  const protocol::BootOps* const boot = storage_.links.boot;
  return boot != nullptr ? boot->write_mark(storage_, storage_.transmit_buffer) : 0;
}

Millis Server::poll(Millis now) const {
  check_task();
  Millis due = forever;
  if (storage_.links.drain_mailbox != nullptr && storage_.links.drain_mailbox(storage_, now)) due = 0;
  for (protocol::FeatureWalk features(storage_); const Feature* const feature = features.next();) {
    if (feature->due == nullptr) continue;
    const Millis in = feature->due(*definition_, storage_, now);
    if (in < due) due = in;
  }
  return due;
}

void Server::resource_updated(const Resource& resource) const {
  check_task();
  protocol::mark_updated(storage_, index_of(resource));
}

void Server::resource_updated_from_isr(const Resource& resource) const {
  storage_.updated_from_isr[index_of(resource)].store_relaxed(1);
}

std::size_t Server::index_of(const Resource& resource) const {
  const std::span<const Resource> rows = definition_->resources.rows();
  const auto index = static_cast<std::size_t>(&resource - rows.data());
  MCP_ASSERT(index < rows.size());
  return index;
}

bool Server::log(LogLevel level, std::string_view logger, std::string_view text) const {
  check_task();
  if (storage_.log_state == nullptr) {
    detail::count(storage_.health().logs_lost);
    return false;
  }
  protocol::write_log(storage_, level, logger, text);
  return true;
}

bool Server::elicitation_completed(SessionId client, std::string_view id) const {
  check_task();
  const detail::Session* const session = storage_.find_session(client);
  if (session == nullptr || id.size() > sizeof(detail::ElicitationEnd::id)) return false;
  // Before initialize there are stateless clients only, and their revision has no such notification.
  if (session->phase == detail::Phase::fresh) return true;
  detail::ElicitationEnd* const end = storage_.elicitation_ends.find(storage_.elicitation_ends.acquire());
  if (end == nullptr) {
    detail::count(storage_.health().elicitations_full);
    return false;
  }
  end->session = client.index;
  end->size = static_cast<std::uint8_t>(id.size());
  if (!id.empty()) std::memcpy(end->id, id.data(), id.size());
  return true;
}

namespace {

template <class Row>
std::size_t index_in(std::span<const Row> rows, const Row& row) {
  return static_cast<std::size_t>(&row - rows.data());
}

}  // namespace

void Server::set_enabled(const Tool& tool, bool enabled) const {
  const std::span<const Tool> rows = definition_->tools.rows();
  set_row_enabled(ListKind::tools, index_in(rows, tool), rows.size(), enabled);
}

void Server::set_enabled(const Resource& resource, bool enabled) const {
  const std::span<const Resource> rows = definition_->resources.rows();
  set_row_enabled(ListKind::resources, index_in(rows, resource), rows.size(), enabled);
}

bool Server::is_enabled(const Resource& resource) const {
  const std::size_t index = index_of(resource);
  if (storage_.disabled.empty()) return true;
  return !memory::BitSet(storage_.disabled).test(definition_->rows_before(ListKind::resources) + index);
}

void Server::set_enabled(const ResourceTemplate& resource_template, bool enabled) const {
  const std::span<const ResourceTemplate> rows = definition_->resource_templates.rows();
  set_row_enabled(ListKind::resource_templates, index_in(rows, resource_template), rows.size(), enabled);
}

void Server::set_enabled(const Prompt& prompt, bool enabled) const {
  const std::span<const Prompt> rows = definition_->prompts.rows();
  set_row_enabled(ListKind::prompts, index_in(rows, prompt), rows.size(), enabled);
}

void Server::set_row_enabled(ListKind kind, std::size_t index, std::size_t count, bool enabled) const {
  check_task();
  MCP_ASSERT(index < count && !storage_.disabled.empty());  // a row of this server, with .list_changes
  memory::BitSet disabled(storage_.disabled);
  const std::size_t row = definition_->rows_before(kind) + index;
  if (disabled.test(row) != enabled) return;
  if (enabled) {
    disabled.reset(row);
  } else {
    disabled.set(row);
  }
  protocol::mark_list_changed(storage_, kind);
}

SessionId Server::open_shared(Millis now) const {
  check_task();
  storage_.server_request_ids->rejects_sessions = protocol::rejects_sessions;
  const protocol::SessionSlot slot = storage_.links.find_slot(storage_, 0, now);
  // It needs one of Limits::sessions for itself, or an initialize would find none long after the start.
  const bool alone = storage_.sessions.capacity() == 1;
  MCP_ASSERT(slot.index != protocol::SessionSlot::none && !(alone && has_sessions()));
  detail::Session session = new_session(now, nullptr);
  session.shared = true;
  return put_session(slot.index, session, now);
}

void Server::end_subscriptions() const {
  check_task();
  memory::Walk<detail::Subscription> all(storage_.subscriptions);
  while (detail::Subscription* const subscription = all.next()) subscription->ends = true;
}

}  // namespace mcp
