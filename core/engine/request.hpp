// One request while it is being answered, and what an area of the protocol brings to the server.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/error_texts.hpp"
#include "engine/revision.hpp"
#include "mcp/definition.hpp"
#include "mcp/input_request.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/rpc/response.hpp"
#include "mcp/server.hpp"
#include "mcp/storage.hpp"
#include "mcp/text_pieces.hpp"
#include "mcp/transport_info.hpp"
#include "rpc/envelope.hpp"

namespace mcp::protocol {

/// What content this client knows.
inline Content::Known known_by(const mcp::detail::Client& client) {
  Content::Known known = revisions[client.revision].content;
  known.client = client.features;
  return known;
}

/// What the revision shows of the rows of a table: mcp::detail::Shown or mcp::detail::Plain.
template <class S>
S shown_by(const Revision& revision) {
  if constexpr (std::same_as<S, mcp::detail::Plain>) {
    return {.titles = revision.shown.titles, .headers = revision.shown.headers};
  } else {
    return revision.shown;
  }
}

struct HeaderValidationOps;

/// What may be sent now: into the window of one session.
struct SendContext {
  SendContext(const Definition& the_definition, const mcp::detail::StorageView& the_storage, std::size_t index,
              mcp::detail::Session& the_session, json::Writer& transmit_buffer, Millis the_time, Channel the_channel,
              const TransportInfo* the_info = nullptr);
  ~SendContext();
  SendContext(const SendContext&) = delete;
  SendContext& operator=(const SendContext&) = delete;

  // What is asked for in many places comes first: to reach what is further back takes longer instructions.
  mcp::detail::Client client;                     // of the request, or of the job whose turn it is
  Reply::Status status = Reply::Status::message;  // of what was written
  Reply::Error error = Reply::Error::none;
  bool listens = false;  // the request has no end of its own
  Channel channel;       // of the window
  const Definition& definition;
  const mcp::detail::StorageView& storage;
  std::size_t session_index;
  mcp::detail::Session& session;
  json::Writer& out;
  Millis now;
  const TransportInfo* info;  // of the message that is answered
  memory::Handle job = {};    // whose step is taken
  const SendContext* outer;   // that waits for this one

  [[nodiscard]] SessionId session_id() const {
    return {static_cast<std::uint16_t>(session_index), session.serial_high, session.serial_low};
  }
  /// Who is charged for what begins now.
  [[nodiscard]] std::uint32_t owner() const { return info != nullptr ? info->owner() : session.owner; }
  /// Of the message that is answered; 0: unknown.
  [[nodiscard]] std::uint64_t principal() const { return info != nullptr ? info->principal : 0; }

  /// True when what belongs to `wanted` can be written here.
  [[nodiscard]] bool is_for(Channel wanted) const { return channel == only_channel || channel == wanted; }

  /// The code for this client, if it is a stateless one.
  [[nodiscard]] const StatelessOps* stateless() const {
    return client.stateless ? definition.eras.stateless() : nullptr;
  }
  /// What holds the headers of the message against its body; nullptr when nothing does.
  [[nodiscard]] const HeaderValidationOps* header_validation() const {
    return info != nullptr ? info->code() : nullptr;
  }
  /// What its results carry.
  [[nodiscard]] rpc::ResultMeta result_meta() const;
};

/// Lives on the stack for one request. Exactly one answer leaves it: result_begin() … finish(), or fail().
class Request : public rpc::Response {
 public:
  [[gnu::noinline]] Request(SendContext& reply, const std::string_view& id, const json::Object& arguments)
      : Response(reply.out, id, reply.result_meta()),
        definition(reply.definition),
        storage(reply.storage),
        session_index(reply.session_index),
        session(reply.session),
        params(arguments),
        now(reply.now),
        context(reply) {}

  const Definition& definition;
  const mcp::detail::StorageView& storage;
  std::size_t session_index;
  mcp::detail::Session& session;
  json::Object params;  // or missing
  Millis now;
  SendContext& context;
  memory::Handle task;  // that answers this call; zero: the call is answered itself
  memory::Handle job;   // that takes a step behind the handler, and says what became of the call
  bool tool_failed = false;

  [[nodiscard]] const Revision& revision() const { return revisions[context.client.revision]; }

  [[nodiscard]] Content::Known known_content() const { return known_by(context.client); }

  /// False for a row that is switched off.
  [[nodiscard]] bool enabled(ListKind area, std::size_t index) const;

  /// False, after an error, while an earlier request under this id is still to be answered.
  [[nodiscard]] bool id_is_free();

  /// Reads `name` and `arguments` of the params, which tools/call and prompts/get have in common. False after it has
  /// answered with an error.
  [[nodiscard]] bool read_call(std::string_view& name, json::Value& arguments);

  /// Ends the result. What did not fit is replaced by an error, and false returned.
  bool finish();
  /// The answer `{}`.
  void empty_result();

  /// Answers with an error with this message, in place of whatever was written. A pointer alone: there are many calls.
  using Response::fail;
  void fail(const ErrorText& error) { fail(error.code, error.text); }
  /// The same of params that are wrong: rpc::invalid_params.
  void fail(const char* message);
  void fail(const char* begin, const std::string_view& name, const char* end);
  /// The same with a name in the message.
  void fail(int code, const char* begin, const std::string_view& name, const char* end);
  /// Answers that all of something are taken, with a number in the message and a time to retry after in the data.
  void fail_busy(const char* begin, std::size_t number, const char* end, Millis retry_after_ms);
  /// Answers with what an Errc means for the resource at `uri`.
  void fail(Errc errc, const std::string_view& uri);
};

/// The first bytes of a text from a client, short enough to be quoted in an error.
constexpr std::string_view excerpt(std::string_view text) { return {text.data(), text.size() < 48 ? text.size() : 48}; }

/// What find_row() returns instead of an index. Both are larger than any index.
inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);
inline constexpr std::size_t disabled_row = no_row - 1;

inline bool is_called(const Tool& row, const std::string_view& name) { return json::equal(row.info.name, name); }
inline bool is_called(const Prompt& row, const std::string_view& name) { return json::equal(row.name, name); }
inline bool is_called(const Resource& row, const std::string_view& uri) { return json::equal(row.uri, uri); }
inline bool is_called(const ResourceTemplate& row, const std::string_view& uri_template) {
  return json::equal(row.uri_template, uri_template);
}

/// The index of the row of this name, URI or URI template; no_row, or disabled_row. One rule for all tables: a name
/// belongs to the first row that has it, and while that row is disabled, nothing else is served under its name.
template <class Row, class Name>
std::size_t find_row(const Request& request, ListKind area, std::span<const Row> rows, const Name& name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_called(rows[i], name)) return request.enabled(area, i) ? i : disabled_row;
  }
  return no_row;
}

/// One method that clients may call, or a notification: its handler answers nothing. Their names tell them apart.
struct Method {
  /// Who may call it.
  enum class Scope : std::uint8_t {
    any,                // a session that was initialized, and stateless requests
    session,            // a session that was initialized
    before_initialize,  // a session, initialized or not
    stateless,
  };
  template <std::size_t N>
  consteval Method(const char (&the_name)[N], void (*handler)(Request& request), Scope the_scope = Scope::any)
      : handle(handler), scope(the_scope), name_size_(N - 1), name_(the_name) {
    static_assert(N <= 0x100);
  }
  [[nodiscard]] std::string_view name() const { return {name_, name_size_}; }

  void (*handle)(Request& request);
  Scope scope;

 private:
  std::uint8_t name_size_;  // with the pointer a word less than a view
  const char* name_;
};

/// A request that is still to be answered, as it is looked for: by its id, or by the channel that it came on.
struct OpenRequest {
  std::size_t session;  // its index
  Channel channel;
  std::string_view id;  // empty: any of the channel

  [[nodiscard]] bool is(std::size_t its_session, Channel its_channel, const char* its_id, std::size_t size) const;
};

/// One area of the protocol. The tables of a Definition point here, so that areas without a table are not linked.
struct Feature {
  std::span<const Method> methods;
  /// Writes the member of ServerCapabilities: key and value. May be nullptr.
  void (*write_capability)(json::Writer& out, const Definition& definition, const Revision& revision);
  /// Writes the next message that is due on its own, at most one. False when other areas may write. May be nullptr.
  bool (*transmit)(SendContext& context) = nullptr;
  /// After how many milliseconds transmit() has work of which no event tells. May be nullptr.
  Millis (*due)(const Definition& definition, const mcp::detail::StorageView& storage, Millis now) = nullptr;
  /// Ends what the session has running on the channel, or everywhere on only_channel. Writes nothing; `out` is for
  /// scratch. May be nullptr.
  void (*close)(SendContext& context) = nullptr;
  /// Takes the client's answer to a request of the server, and writes what follows from it, at most one message. False
  /// when it is not this area's. May be nullptr.
  bool (*answer)(SendContext& context, const rpc::Envelope& envelope) = nullptr;
  /// Reads what the area wants to know of a client: from its capabilities, and from the `_meta` of a stateless request.
  /// False for values that are none. May be nullptr.
  bool (*read_client)(json::Value capabilities, json::Value meta, mcp::detail::Client& client) = nullptr;
  /// True while the area has such a request. May be nullptr.
  bool (*has_open)(const mcp::detail::StorageView& storage, const OpenRequest& wanted) = nullptr;
  /// What transmit() writes belongs to requests: it is also sent to clients that are not ready for anything else.
  bool answers = false;
};

/// How a request is served. `rejected`: its error has been written.
enum class RequestKind : std::uint8_t { session, stateless, rejected };

/// How stateless requests are served.
struct StatelessOps {
  /// Reads the client into `context.client`, and says which kind of request this is.
  RequestKind (*read)(SendContext& context, const rpc::Envelope& envelope);
  /// True for a request whose `_meta` names a stateless revision.
  bool (*is_stateless)(const json::Object& params);
  /// Writes what all results have in their `_meta`; `context` is the Definition.
  void (*write_meta)(json::Writer& out, const void* context);
  /// Writes for how long a result stays good, and for whom: `ttlMs` and `cacheScope`.
  void (*write_cache)(json::Writer& out, Millis ttl_ms);
};

/// What is served in the session that stateless requests share.
struct SharedSessionOps {
  /// True for a message that is no stateless one, and refused.
  bool (*rejects)(SendContext& context, const rpc::Envelope& envelope);
};
extern const SharedSessionOps shared_session_ops;

/// How headers are held against a body.
struct HeaderValidationOps {
  /// Before the version is looked at, and behind that. False after an error.
  bool (*check_version)(SendContext& context, const rpc::Envelope& envelope, const std::string_view& version);
  bool (*check_names)(SendContext& context, const rpc::Envelope& envelope);
  /// The parameters of a tool that have headers.
  bool (*check_params)(Request& request, std::span<const mcp::detail::ParamInfo> rows, json::Value arguments);
};

/// True when the value of a header is this text, as it stands or in base64 between its two marks.
bool header_equals(std::string_view header, std::string_view text);

/// Answers a message that is not a stateless one, where nothing else can be served.
void reject_sessionless(json::Writer& out, const rpc::Envelope& envelope,
                        const char* problem = "This needs a session: send initialize first.");

/// Begins a notification: up to the quote behind its name, `notifications/` and this.
void name_notification(json::Writer& out, const char* name);
/// The same, and up to the brace of its params.
void notification_begin(json::Writer& out, const char* name);

/// What a notification of a list is called that changed: one of tools, resources or prompts.
const char* list_changed_name(ListKind area);

/// Begins `resources/updated` of a resource, behind whose `uri` more may come.
void begin_updated(json::Writer& out, const Definition& definition, std::size_t resource);

/// Marks a resource as changed for all who want to know.
void mark_updated(const Definition& definition, const mcp::detail::StorageView& storage, std::size_t resource);

/// Answers a request that no handler sees with an error about itself.
rpc::Response reject(SendContext& context, const std::string_view& id, int code);

/// Walks over the areas of a Definition, each once, in the order of detail::FeatureList.
class Features {
 public:
  explicit Features(const Definition& definition) : at_(definition.features.begin()) {}
  /// nullptr at the end, behind which nobody asks.
  const Feature* next() { return *at_++; }

 private:
  const Feature* const* at_;
};

/// True while any area has such a request.
bool has_open(const Definition& definition, const mcp::detail::StorageView& storage, const OpenRequest& wanted);

/// Writes the member `capabilities`.
void write_capabilities(json::Writer& out, const Definition& definition, const Revision& revision);

/// Ends whatever the session has running.
void close_children(SendContext& context);
/// The same on the channel of the window alone.
void close_channel(SendContext& context);
/// The same, and forgets the session itself.
void end_session(SendContext& context);

/// Walks over what belongs to a session, in a pool of detail::Owned.
class OwnedWalk : public memory::SlotWalk {
 public:
  OwnedWalk(const memory::Slots& pool, std::size_t session_index) : SlotWalk(pool), session_index_(session_index) {}
  [[nodiscard]] mcp::detail::Owned* next() {
    while (auto* const owned = static_cast<mcp::detail::Owned*>(SlotWalk::next())) {
      if (owned->session == session_index_) return owned;
    }
    return nullptr;
  }

 private:
  std::size_t session_index_;
};
template <std::derived_from<mcp::detail::Owned> T>
class WalkOf : public OwnedWalk {
 public:
  WalkOf(const memory::Pool<T>& pool, std::size_t session_index) : OwnedWalk(pool, session_index) {}
  WalkOf(const memory::Pool<T>& pool, const SendContext& context) : OwnedWalk(pool, context.session_index) {}
  [[nodiscard]] T* next() { return static_cast<T*>(OwnedWalk::next()); }
};

/// The number of the next request of the server to a client; never 0. On the wire its id is the string "m-" and that
/// number. Clients use other ids, so an error under an id of the server is never taken for the response to a client's
/// request.
std::uint32_t new_request_id(const mcp::detail::StorageView& storage);
/// Writes the id, a value.
void write_request_id(json::Writer& out, std::uint32_t id);
/// The number in the id of a response, as it is in the message; 0 for an id that this server does not use.
std::uint32_t read_request_id(const std::string_view& raw);

/// When to try again after something was taken that may be free at any time.
inline constexpr Millis busy_wait_ms = 1000;
/// Takes a place for what the request of this window begins, all of it zero but its session and owner. The zero handle
/// when there is none, or the owner holds its share.
memory::Handle take_place(const SendContext& context, const memory::Slots& pool);
/// True when the owner of the request holds its share of the pool.
bool holds_share(const SendContext& context, const memory::Slots& pool);
/// The limit that take_place() has met, for a text: a number, and ` of one client` or nothing.
struct PlaceLimit {
  std::size_t most;
  json::Text of;
};
PlaceLimit place_limit(const SendContext& context, const memory::Slots& pool);
/// Answers with this limit: `begin`, the number, `what`, of whom, `end`. The data says when to try again.
void fail_for_place(rpc::Response& response, const PlaceLimit& limit, const char* begin, const char* what,
                    const char* end, Millis retry_after_ms = busy_wait_ms);

/// Which place of Limits::sessions a new session takes.
struct SessionPlace {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t index;  // perhaps of a session that has to end for it
  Millis due_ms;      // without a place: after how long there is one, if no client sends anything until then
  PlaceLimit limit;   // without a place: which it was
};
SessionPlace find_place(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now);
/// True when something runs in the session, which is lost with it.
bool is_busy(const mcp::detail::StorageView& storage, std::size_t index);
/// Answers an initialize for which there is none.
void reject_session(SendContext& context, const rpc::Envelope& envelope, const SessionPlace& place);
/// TransportInfo::owner(), 0 without claims.
inline std::uint32_t owner_of(const TransportInfo* info) { return info != nullptr ? info->owner() : 0; }

/// Milliseconds until `at`, 0 when that is past.
constexpr Millis until(Millis at, Millis now) { return static_cast<std::int32_t>(at - now) > 0 ? at - now : 0; }

/// True when clients of this revision can be told that something changed.
bool tells_changes(const Definition& definition, const Revision& revision);
/// Ends a capability whose brace is open.
void end_list_capability(json::Writer& out, const Definition& definition, const Revision& revision);

/// The bit of an area in lists_changed. Resources and templates share one, as they share the notification.
constexpr std::uint8_t list_bit(ListKind area) {
  return static_cast<std::uint8_t>(
      1u << static_cast<unsigned>(area == ListKind::resource_templates ? ListKind::resources : area));
}

/// Answers that what there is to say does not fit.
void fail_for_space(rpc::Response& response);
/// The same of the result of a request that was carried out, so that its client does not send it again.
void fail_executed(rpc::Response& response);

/// Writes the member that says when to try again.
inline void write_retry_after(json::Writer& out, Millis retry_after_ms) {
  out.member(retry_after_key, retry_after_ms != 0 ? retry_after_ms : 1);
}
/// Response::error_end() for a request that found something taken.
void end_busy_error(rpc::Response& response, Millis retry_after_ms);

/// Feature::read_client of the areas that want to know what a client can do: as far as its revision knows it.
bool read_client_features(json::Value capabilities, json::Value meta, mcp::detail::Client& client);

/// The word for what a bit of CapabilityBit stands for, and the error of a stateless client that lacks it.
std::string_view name_of(std::uint8_t features);
void fail_for_capability(rpc::Response& response, std::uint8_t features);

/// Ends the result of tools/call behind its content items, given the outcome of the handler. False when the call
/// failed.
bool end_tool_result(rpc::Response& response, Call& call, Errc errc);

/// How a URI that is not in the resource table is looked for among the templates.
struct TemplateReader {
  /// Answers the request and returns true when a template serves this URI.
  bool (*read)(Request& request, const std::string_view& uri);
  void (*list)(Request& request);
};

/// How prompts ask. Errc::handled when the request is answered.
struct PromptInputOps {
  Errc (*get)(Request& request, const Prompt& prompt, json::Value arguments);
};

/// Things of one kind that subscriptions/listen can name, each by a text of its own.
struct TargetKind {
  std::string_view key;  // of their list in params.notifications
  /// The number of the thing that is called so, counted from 0 among those of its kind; `npos` for one that this client
  /// cannot listen to, which is no error.
  std::size_t (*find)(const Request& request, const std::string_view& name);
  /// Writes its name, a string.
  void (*write_name)(json::Writer& out, const SendContext& context, std::size_t thing);
  /// Writes what there is to tell of it: the method, and the params without their brace at the end.
  void (*write_notification)(json::Writer& out, const SendContext& context, std::size_t thing);

  static constexpr std::size_t npos = memory::BitSet::npos;
};

/// How calls are answered by tasks, in one era.
struct TaskOps {
  /// Answers a call that is or must be a task. False when it is to be answered as usual.
  bool (*call)(Request& request, const Tool& tool, json::Value arguments);
  /// The task is in this state from now on, with a result of `size` bytes or with questions, which wait for `wait_ms`.
  void (*set)(SendContext& context, memory::Handle task, mcp::detail::TaskStatus status, std::size_t size,
              Millis wait_ms);
  /// It has ended with an answer of `size` bytes.
  void (*end)(SendContext& context, memory::Handle task, std::size_t size, bool ok, bool has_meta);
  /// Writes the member `_meta` that says to which task a message belongs. nullptr where none says so.
  void (*write_meta)(json::Writer& out, const mcp::detail::StorageView& storage, memory::Handle task);
  /// Makes a task of a job that was to answer its call, and answers the call with it. False when it was answered with
  /// an error: the job must end. nullptr where none is.
  bool (*adopt)(SendContext& context, memory::Handle job, rpc::Response& response);
  /// How clients listen to tasks. nullptr where they cannot.
  const TargetKind* listened;
};

/// A job of a client without a session that is done as a task: it is of no channel, and tells of nothing on its way.
inline void detach(mcp::detail::Job& job) {
  job.id_size = job.token_size = 0;
  job.channel = no_channel;
  job.client.logs = job.progress_due = false;
}

/// The one for this client. There is one when it has a task.
inline const TaskOps& tasks_of(const SendContext& context) {
  const TaskEras& eras = context.definition.task_eras;
  return context.client.stateless ? *eras.stateless() : *eras.sessions();
}

/// What stateless clients listen to: what other areas tell it and ask of it.
struct SubscriptionOps {
  /// Marks a thing (StorageView::first_task_target()), or lists (bits of list_bit()), as changed for all that named it.
  void (*target_changed)(const mcp::detail::StorageView& storage, std::size_t thing);
  void (*lists_changed)(const mcp::detail::StorageView& storage, std::uint8_t lists);
  /// The number stands for nothing, and later for another thing: nobody listens to it any more.
  void (*target_ended)(const mcp::detail::StorageView& storage, std::size_t thing);
};

/// How often the owner of a request may call.
struct RateLimiter {
  /// Errc::ok when it may call a tool now, which then counts; else what the call has failed with.
  Errc (*call)(const Request& request, Call& call);
  /// The same for what is no tool. False after an error.
  bool (*request)(Request& request);
};

/// Runs the handler of a tool, unless its client calls too often.
Errc invoke(Request& request, const Tool& tool, json::Value arguments, Call& call);

/// How the application is told of requests and of the ends of jobs.
struct AuditOps {
  void (*request)(const Request& request, const std::string_view& method, bool answered);
  void (*job)(const SendContext& context, const mcp::detail::Job& job, AuditRecord::Outcome outcome, int error_code);
};

/// What is wrong with a stateless request that was answered with this code.
constexpr Reply::Error error_of(int code) {
  if (code == rpc::method_not_found) return Reply::Error::method;
  return code <= header_mismatch && code >= unsupported_version ? Reply::Error::request : Reply::Error::none;
}

/// How a question of a job is remembered: the upper bits stand for its key, then comes the number of rows of its form,
/// and the lower three bits say what it is or became.
struct PendingInput {
  enum Kind : std::uint8_t { form = 1, url, sample, roots, unsupported, no_space, timed_out };

  static constexpr unsigned rows_at = 3;
  static constexpr std::uint32_t max_rows = 63;
  static constexpr std::uint32_t key_mask = ~(max_rows << rows_at | 7U);

  /// 0 for no key that there is. Two keys of an application that come to the same are told apart by nobody.
  [[nodiscard]] static constexpr std::uint32_t key_of(std::string_view key) {
    std::uint32_t hash = 0x811C'9DC5;
    for (const char c : key) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x0100'0193;
    return hash & key_mask;
  }
  [[nodiscard]] static constexpr std::uint32_t key_in(std::uint32_t question) { return question & key_mask; }
  [[nodiscard]] static constexpr std::uint32_t rows_in(std::uint32_t question) {
    return question >> rows_at & max_rows;
  }
  [[nodiscard]] static constexpr std::uint8_t kind_in(std::uint32_t question) { return question & 7U; }
  /// The one that was asked; there is one.
  [[nodiscard]] static constexpr std::uint32_t& open_one(mcp::detail::PendingInputs& questions) {
    std::size_t i = 0;
    while (i + 1 < mcp::detail::PendingInputs::capacity && kind_in(questions.items[i]) > roots) ++i;
    return questions.items[i];
  }
  /// What was asked and has no answer has this outcome.
  static constexpr void settle(mcp::detail::PendingInputs& questions, Kind outcome) {
    for (std::uint32_t& question : questions.items) {
      if (question != 0 && kind_in(question) <= roots) question = key_in(question) | outcome;
    }
  }
};

/// The answer to a question among the members of `inputResponses`: Outcome::none when it is not there, or when the
/// request that brings it does not declare the capability for such an answer (`features`, bits of CapabilityBit). A
/// question of which only the key is known takes any kind of answer. Source: basic/patterns/mrtr, 2026-07-28.
Answer find_answer(json::Value responses, std::uint32_t question, std::uint8_t features);
/// The answer, or Outcome::invalid_content when it accepts a form with content that the form's schema does not allow.
/// `form`: the rows of its parameter table; their number is part of `question`. `room`: memory to scratch in, where the
/// answer is not; when it is smaller than the content, strings with escapes are decoded in place.
Answer check_form(const Answer& answer, std::uint32_t question, const mcp::detail::ParamInfo* form,
                  std::span<char> room);
/// True when a client with these features can have answered a question of this kind (PendingInput::Kind).
bool can_answer(std::uint8_t kind, std::uint8_t features);

/// Tells a client that the answer to a question is not wanted any more.
void write_withdrawal(json::Writer& out, std::uint32_t question);

using mcp::detail::Binding;
inline std::span<const std::uint8_t> bytes_of(const Binding& binding) { return binding.bytes; }
/// False when no binding could be made, or its key is gone: the job cannot ask a stateless client.
inline bool is_bound(const Binding& binding) { return binding != Binding{}; }

/// What the call of a client without a session brings from the round before.
struct MrtrRetry {
  memory::Handle slot;                  // of the job that waits for it, or that is reserved for it; may be zero
  std::span<const std::uint8_t> state;  // what the client kept of a job; in the free part of the window
  json::Value responses;
  Binding binding;
  [[nodiscard]] bool first() const { return slot == memory::Handle{} && state.empty(); }
};

struct SealOps;
struct SealedPromptOps;

/// How jobs ask clients without a session.
struct MrtrOps {
  /// Reads what a call brings. False after an error.
  bool (*open)(Request& request, const Tool& tool, MrtrRetry& round);
  /// Remembers of a new job what its call is bound to. When answers came along, step() follows.
  void (*begin)(Request& request, memory::Handle job);
  /// Goes on with a job of an earlier round, which has its slot again; step() follows.
  void (*resume)(Request& request, memory::Handle job, const MrtrRetry& round);
  /// Takes the step of Request::job, behind the handler, whose part of the stack is free again.
  void (*step)(Request& request);
  /// Ends the answer with the questions of a job that waits for `wait_ms`, and leaves it in its slot, reserves the
  /// slot for the retry or releases it. False when that cannot be: what stands behind `start` is removed, and the job
  /// gets the reason in its next step.
  bool (*ask)(SendContext& context, memory::Handle job, Millis wait_ms, json::Writer::Mark start);
  /// Ends jobs and reservations whose clients have not called again in time.
  void (*expire)(const Definition& definition, const mcp::detail::StorageView& storage, Millis now);
  /// Frees the slots whose reservation is over. No step of a job runs.
  void (*expire_reserved)(const mcp::detail::StorageView& storage, Millis now);
  /// Gives up a reserved slot for a call that found none. A retry takes any of its owner's; a first call leaves at
  /// least one, and takes none while a call of its owner runs. False when there is none to be had.
  bool (*make_room)(const SendContext& context, bool first);
  const SealOps* seal;             // null: states stay here, and with them their slots
  const SealedPromptOps* prompts;  // null: no prompt has `.asks_itself`
};

/// How a prompt with `.asks_itself` knows what it has asked: its state is sealed, and holds its questions alone.
struct SealedPromptOps {
  /// Reads what the request asked in the round before, if it brings a state. False after an error.
  bool (*open)(Request& request, const Prompt& prompt, mcp::detail::PendingInputs& asked);
  /// Writes the member `requestState` for these questions. False without a key.
  bool (*write)(Request& request, const Prompt& prompt, const mcp::detail::PendingInputs& asked);
};

/// What goes through a client. The views are read while it is written.
struct Sealed {
  const Binding& binding;
  Millis ttl_ms;  // for so long it is good
  Millis started_ms;
  const mcp::detail::PendingInputs& asked;
  std::span<const std::uint8_t> state;
};

/// How a state travels through its client.
struct SealOps {
  enum class Label : std::uint8_t { call = 1, tag, cipher };  // codes of one use are none of another
  /// Begins a code under the key. False when there is none.
  bool (*begin)(const mcp::detail::StorageView& storage, Millis now, Label label);
  /// Writes the text of a string that is open. False without a key.
  bool (*write)(const mcp::detail::StorageView& storage, Millis now, const Sealed& sealed, json::Writer& out);
  /// Opens one with a state of this size in its place, for unpack(). False when it is not of this call
  /// (Round::binding), or too old.
  bool (*open)(const mcp::detail::StorageView& storage, Millis now, std::size_t state_size,
               std::span<std::uint8_t> sealed, MrtrRetry& round);
  void (*unpack)(std::span<const std::uint8_t> opened, Millis& started_ms, mcp::detail::PendingInputs& asked,
                 std::span<std::uint8_t> state);
};
extern const SealOps seal_ops;

/// How jobs ask their client.
struct InputRequestOps {
  /// Ends the waiting of a job whose question is too old, and writes what the client is told. False when it is not.
  bool (*overdue)(SendContext& context, mcp::detail::Job& job);
  /// write_withdrawal().
  void (*withdraw)(json::Writer& out, std::uint32_t question);
};
/// What streams share with resources/read. The uri of the params is decoded, and empty after an error was the answer;
/// the row of a URI is as find_row() returns it. Without a row, read_resource() looks among the templates.
std::string_view read_uri(Request& request);
std::size_t find_resource(const Request& request, const std::string_view& uri);
void read_resource(Request& request, const std::string_view& uri, std::size_t row);

/// The frame around the body of a resource, which stays good for `ttl_ms`: result_begin(), body_begin(), the body, then
/// body_end() with the outcome, which answers the request.
ReadResult body_begin(Request& request, const std::string_view& uri, const std::string_view& mime_type, Millis ttl_ms);
void body_end(Request& request, const std::string_view& uri, ReadResult& body, Errc errc);

/// Answers a request for a list with the page that its cursor asks for: as many items as fit.
/// `write` writes item `index` of the area's `count` rows. Rows that are switched off are left out.
void answer_page(Request& request, const char* key, ListKind area, std::size_t count,
                 void (*write)(Request& request, std::size_t index));

}  // namespace mcp::protocol
