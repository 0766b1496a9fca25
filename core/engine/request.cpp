#include "engine/request.hpp"

namespace mcp {

std::uint32_t TransportInfo::owner() const {
  if (only_principal) return 0;
  const std::uint64_t who = principal != 0 ? principal : peer;
  const auto high = static_cast<std::uint32_t>(who >> 32U);
  const std::uint32_t folded = static_cast<std::uint32_t>(who) ^ high * 0x9E37'79B1U;
  return folded != 0 || high == 0 ? folded : 1;
}

namespace protocol {

SendContext::SendContext(const Definition& the_definition, const mcp::detail::StorageView& the_storage,
                         std::size_t index, mcp::detail::Session& the_session, json::Writer& transmit_buffer,
                         Millis the_time, Channel the_channel, const TransportInfo* the_info)
    : client(the_session.client),
      channel(the_channel),
      definition(the_definition),
      storage(the_storage),
      session_index(index),
      session(the_session),
      out(transmit_buffer),
      now(the_time),
      info(the_info),
      outer(nullptr) {
  if (storage.log_state == nullptr) return;
  outer = storage.log_state->current;
  storage.log_state->current = this;
}

SendContext::~SendContext() {
  if (storage.log_state != nullptr) storage.log_state->current = outer;
}

bool Request::enabled(ListKind area, std::size_t index) const {
  if (storage.disabled.empty() || area == ListKind::tasks) return true;
  return !memory::BitSet(storage.disabled).test(definition.rows_before(area) + index);
}

bool OpenRequest::is(std::size_t its_session, Channel its_channel, const char* its_id, std::size_t size) const {
  if (its_session != session) return false;
  return id.empty() ? its_channel == channel : json::equal(std::string_view(its_id, size), id);
}

bool has_open(const Definition& definition, const mcp::detail::StorageView& storage, const OpenRequest& wanted) {
  for (Features features(definition); const Feature* const feature = features.next();) {
    if (feature->has_open != nullptr && feature->has_open(storage, wanted)) return true;
  }
  return false;
}

bool Request::id_is_free() {
  // Stateless clients know nothing of each other's ids.
  if (session.shared) return true;
  if (!has_open(definition, storage, {session_index, only_channel, id()})) return true;
  fail(rpc::invalid_request, "A request with this id is still running.");
  return false;
}

rpc::ResultMeta SendContext::result_meta() const {
  const StatelessOps* const code = stateless();
  return code != nullptr ? rpc::ResultMeta{code->write_meta, &definition} : rpc::ResultMeta{};
}

void close_children(SendContext& context) {
  const Channel channel = context.channel;
  context.channel = only_channel;
  close_channel(context);
  context.channel = channel;
}

void close_channel(SendContext& context) {
  for (Features features(context.definition); const Feature* const feature = features.next();) {
    if (feature->close != nullptr) feature->close(context);
  }
}

void write_capabilities(json::Writer& out, const Definition& definition, const Revision& revision) {
  out.fragment("\"capabilities\":{");
  for (Features features(definition); const Feature* const feature = features.next();) {
    if (feature->write_capability != nullptr) feature->write_capability(out, definition, revision);
  }
  out.object_end();
}

void fail_for_space(rpc::Response& response) {
  response.fail(rpc::internal_error, "The response is too large for one message.");
}

void fail_executed(rpc::Response& response) {
  constexpr ErrorText error = describe(Errc::no_space);
  response.fail(error.code, error.text);
}

void end_busy_error(rpc::Response& response, Millis retry_after_ms) {
  response.error_data_begin();
  response.out.object_begin();
  write_retry_after(response.out, retry_after_ms);
  response.out.object_end();
  if (!response.error_data_end()) fail_for_space(response);
}

void fail_for_place(rpc::Response& response, const PlaceLimit& limit, const char* begin, const char* what,
                    const char* end, Millis retry_after_ms) {
  response.error_begin(rpc::internal_error);
  response.out.append(begin);
  response.out.append_number(std::uint64_t{limit.most});
  response.out.append(what);
  response.out.append(limit.of);
  response.out.append(end);
  end_busy_error(response, retry_after_ms);
}

// What runs in a session is lost with it.
bool is_busy(const mcp::detail::StorageView& storage, std::size_t index) {
  return OwnedWalk(storage.jobs, index).next() != nullptr || OwnedWalk(storage.streams, index).next() != nullptr;
}

void name_notification(json::Writer& out, const char* name) {
  out.fragment("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/");
  out.append(name);
  out.string_end();
}

void notification_begin(json::Writer& out, const char* name) {
  name_notification(out, name);
  out.fragment("\"params\":{");
}

void end_session(SendContext& context) {
  close_children(context);
  const mcp::detail::StorageView& storage = context.storage;
  storage.sessions.release(storage.sessions.at(context.session_index));
}

std::uint32_t new_request_id(const mcp::detail::StorageView& storage) {
  std::uint32_t& last = storage.asking->last_id;
  last += last == 0xFFFF'FFFF ? 2 : 1;  // 0 stands for no request
  return last;
}

namespace {

constexpr std::string_view request_id_begin = "\"m-";

}  // namespace

void write_request_id(json::Writer& out, std::uint32_t id) {
  out.fragment(request_id_begin);
  out.append_number(std::uint64_t{id});
  out.string_end();
}

std::uint32_t read_request_id(const std::string_view& raw) {
  constexpr std::size_t begin = request_id_begin.size();
  if (raw.size() < begin + 2 || raw.size() > begin + 11 || !raw.starts_with(request_id_begin)) return 0;
  // The server never writes a zero in front.
  if (raw[begin] == '0') return 0;
  std::uint64_t id = 0;
  for (std::size_t i = begin; i < raw.size() - 1; ++i) {
    if (raw[i] < '0' || raw[i] > '9') return 0;
    id = id * 10 + static_cast<std::uint64_t>(raw[i] - '0');
  }
  return id <= 0xFFFF'FFFF ? static_cast<std::uint32_t>(id) : 0;
}

bool tells_changes(const Definition& definition, const Revision& revision) {
  return !revision.stateless || definition.subscriptions.on();
}

void end_list_capability(json::Writer& out, const Definition& definition, const Revision& revision) {
  if (definition.list_changes.on() && tells_changes(definition, revision)) out.fragment("\"listChanged\":true");
  out.object_end();
}

bool Request::read_call(std::string_view& name, json::Value& arguments) {
  static constexpr std::string_view names[] = {"name", "arguments"};
  json::Value values[2];
  if (params.find(names, values) != json::no_key) {
    return fail(rpc::invalid_request, "A member of params is given twice."), false;
  }
  name = values[0].string();
  if (name.data() == nullptr) return fail("This method needs a name."), false;
  arguments = values[1];
  if (!arguments.present() || arguments.is(json::Type::object)) return true;
  return fail("arguments must be an object."), false;
}

bool Request::finish() {
  if (result_end()) return true;
  fail_executed(*this);
  return false;
}

void Request::empty_result() {
  result_begin();
  finish();
}

void Request::fail(const char* message) { fail(rpc::invalid_params, message); }

void Request::fail(const char* begin, const std::string_view& name, const char* end) {
  fail(rpc::invalid_params, begin, name, end);
}

void Request::fail(int code, const char* begin, const std::string_view& name, const char* end) {
  error_begin(code);
  out.append(begin);
  out.append(name);
  out.append(end);
  error_end();
}

void Request::fail_busy(const char* begin, std::size_t number, const char* end, Millis retry_after_ms) {
  error_begin(rpc::internal_error);
  out.append(begin);
  out.append_number(std::uint64_t{number});
  out.append(end);
  end_busy_error(*this, retry_after_ms);
}

void Request::fail(Errc errc, const std::string_view& uri) {
  const ErrorText& error = describe(errc);
  if (error.code == resource_not_found) {
    error_begin(revision().stateless ? rpc::invalid_params : error.code);
    out.append(error.text);
    error_data_begin();
    out.fragment("{\"uri\":");
    out.string(uri);
    out.object_end();
    if (error_data_end()) return;
  }
  fail(error);
}

namespace {

// As find_session_place() has it, for the only place there is.
SessionPlace find_only_place(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now) {
  constexpr PlaceLimit one{1, ""};
  const mcp::detail::Session* const session = storage.sessions.in_use(0);
  if (session == nullptr) return {0, 0, one};
  const bool own = session->owner == owner;
  const bool stays = session->shared || is_busy(storage, 0) || (!own && !session->no_listener);
  if (stays) return {SessionPlace::none, storage.session_idle_ms, one};
  const Millis idle_ms = now - session->last_used;
  const bool must_wait = owner != 0 && (!own || !session->no_listener);
  if (!must_wait || idle_ms >= storage.session_idle_ms) return {0, 0, one};
  return {SessionPlace::none, storage.session_idle_ms - idle_ms, one};
}

}  // namespace

SessionPlace find_place(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now) {
  return storage.find_place != nullptr ? storage.find_place(storage, owner, now) : find_only_place(storage, owner, now);
}

void reject_session(SendContext& context, const rpc::Envelope& envelope, const SessionPlace& place) {
  Request request(context, envelope.id, envelope.params);
  fail_for_place(request, place.limit, "This device keeps ", " sessions",
                 " at most, and none is idle; try again later.", place.due_ms);
  if (const AuditOps* const audit = context.definition.audit.code()) audit->request(request, envelope.method, true);
}

}  // namespace protocol
}  // namespace mcp
