// SPDX-License-Identifier: Apache-2.0
#include "simulator/client.hpp"

#include <algorithm>
#include <cstdlib>

namespace sim {
namespace {

constexpr std::string_view lists[] = {"tools", "resources", "prompts"};

std::string uri_of(std::size_t row) { return "sim://" + std::to_string(row); }

// Whether the device rejects the request because all slots of a pool are in use.
bool is_pool_full(std::string_view text) { return text.starts_with("All ") && text.find(" are in use; ") != text.npos; }

bool has_no_session(const Json& answer) {
  const std::string text = answer.text_at("error.message");
  return is_pool_full(text) && text.find(" sessions") != text.npos;
}

// Whether the device rejects the request temporarily: a full pool, the rate limit, no random bytes. Only initialize
// needs a session slot.
bool is_rejection(const Json& answer) {
  std::string text = answer.text_at("error.message");
  if (answer.text_at("result.isError") == "true") text = text_of(answer);
  if (answer.text_at("result.result.isError") == "true") text = answer.text_at("result.result.content.0.text");
  return (is_pool_full(text) && !has_no_session(answer)) || text.starts_with("No random bytes ") ||
         text.starts_with("Too many calls: try again in ") || text.starts_with("Cancelled, because all calls ") ||
         text == "notifications/initialized was not sent.";
}

bool is_too_large(const Json& answer) {
  return answer.text_at("error.message").ends_with(" is too large for one message.");
}

// The call that an input request names.
std::string token_in(std::string_view text) {
  constexpr std::string_view before = "A word for ";
  if (!text.starts_with(before) || !text.ends_with("?")) return {};
  return std::string(text.substr(before.size(), text.size() - before.size() - 1));
}

}  // namespace

std::string_view name_of(Revision revision) {
  constexpr std::string_view names[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
  return names[static_cast<std::size_t>(revision)];
}

Client::Client(Simulation& simulation, int number, Revision revision, std::uint64_t principal)
    : simulation_(simulation),
      number_(number),
      revision_(revision),
      principal_(principal),
      asked_can_(!simulation.random.one_in(5)),
      has_tasks_(!simulation.random.one_in(3)),
      wants_logs_(simulation.random.one_in(2)) {}

void Client::complain(const std::string& what, std::string_view about) const {
  simulation_.fail("client " + std::to_string(number_) + " (" + std::string(name_of(revision_)) + "): " + what +
                   (about.empty() ? "" : "\n  " + std::string(about)));
}

void Client::own(Belonging::Kind kind, const std::string& text, const std::string& call) {
  if (!simulation_.ownership.add({kind, number_, principal_, text, call}))
    complain("was given what is another's", text);
}

const Belonging* Client::anothers(Belonging::Kind kind, bool guarded) const {
  return simulation_.ownership.anothers(simulation_.random, kind, number_, principal_, guarded);
}

std::string Client::fresh_token() { return "c" + std::to_string(number_) + "-" + std::to_string(++next_token_); }

// A text, or a number that others use as well.
std::string Client::fresh_progress_token(const std::string& token) {
  return simulation_.random.one_in(2) ? quoted(token) : std::to_string(++next_progress_);
}

// ---- Sending -----------------------------------------------------------------------------------------------------

std::string Client::meta(const std::string& progress_token) const {
  std::string members = progress_token.empty() ? "" : "\"progressToken\":" + progress_token;
  if (is_stateless()) {
    std::string capabilities = asked_can_ ? R"("elicitation":{"form":{}},"roots":{},"sampling":{})" : "";
    if (has_tasks_)
      capabilities += std::string(asked_can_ ? "," : "") + R"("extensions":{"io.modelcontextprotocol/tasks":{}})";
    members += std::string(members.empty() ? "" : ",") + R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
               R"("io.modelcontextprotocol/clientCapabilities":{)" + capabilities + "}" +
               (wants_logs_ ? R"(,"io.modelcontextprotocol/logLevel":"debug")" : "");
  }
  return members.empty() ? "" : "\"_meta\":{" + members + "}";
}

std::string Client::request(std::string_view method, std::string params, Request about, bool progress) {
  // Two clients use equal ids, and of different types. The server must not confuse them.
  const int number = ++next_id_;
  const std::string id = number % 3 == 0 ? "\"" + std::to_string(number) + "\"" : std::to_string(number);
  if (progress) about.progress_token = fresh_progress_token(about.token);
  const std::string more = meta(about.progress_token);
  if (!more.empty()) params += (params.empty() ? "" : ",") + more;
  about.method = method;
  about.sent = simulation_.now();
  if (collecting_) about.batch = batches_;
  const std::string message =
      R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) + R"(","params":{)" + params + "}}";
  open_.emplace(id, std::move(about));
  ++simulation_.counts["requests"];
  simulation_.trace("client %d > %s", number_, message.c_str());
  if (collecting_) {
    messages_.push_back(message);
    message_ids_.push_back(id);
  } else {
    post(message, {id});
  }
  return id;
}

void Client::call(std::string_view tool, const std::string& arguments, Request about, bool progress,
                  const std::string& more) {
  about.name = tool;
  request("tools/call", "\"name\":" + quoted(tool) + ",\"arguments\":{" + arguments + "}" + more, std::move(about),
          progress);
}

void Client::notify(std::string_view method, const std::string& params) {
  say(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":{)" + params + "}}");
}

// What is no request.
void Client::say(const std::string& message) {
  simulation_.trace("client %d > %s", number_, message.c_str());
  post(message, {});
}

// Several requests at once, notifications among them, and answers where they may be.
void Client::batch() {
  constexpr std::size_t few = 650;  // bytes that leave space for one more
  ++batches_;
  ++simulation_.counts["batches"];
  collecting_ = true;
  std::size_t size = 0;
  // Of long answers to a batch, not all fit into one message.
  wide_ = simulation_.random.one_in(5);
  if (wide_) wide_batches_.insert(batches_);
  for (std::size_t left = wide_ ? 6 : 1 + simulation_.random.below(4); left != 0 && size < (wide_ ? 720 : few);
       --left) {
    wide_ ? echo() : act_once(simulation_.random.below(12));
    size = 0;
    for (const std::string& message : messages_) size += message.size() + 1;
  }
  collecting_ = false;
  std::vector<std::string> messages;
  messages.swap(messages_);
  std::vector<std::string> ids;
  ids.swap(message_ids_);
  if (messages.empty()) return;
  const auto place = [&] {
    return messages.begin() + static_cast<std::ptrdiff_t>(simulation_.random.below(messages.size()));
  };
  // A wide batch is nearly as long as a message may be.
  if (simulation_.random.one_in(3) && !wide_)
    messages.insert(place(), R"({"jsonrpc":"2.0","method":"notifications/none"})");
  if (simulation_.random.one_in(3) && !wide_) {
    for (auto& [id, request] : open_) {
      if (request.token.empty() || request.batch == batches_ || request.cancelled) continue;
      request.cancelled = true;
      messages.insert(place(),
                      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}");
      break;
    }
  }
  if (mixes() && !held_.empty()) {
    messages.insert(place(), held_.back());
    held_.pop_back();
  }
  std::string text;
  for (const std::string& message : messages) text += (text.empty() ? "[" : ",") + message;
  post(text + "]", ids);
}

// ---- Receiving ---------------------------------------------------------------------------------------------------

void Client::take(std::string_view text, std::uint64_t exchange) {
  simulation_.trace("client %d < %.*s", number_, static_cast<int>(text.size()), text.data());
  std::string problem;
  const auto message = test::parse_json(text, &problem);
  if (!message) return complain("no JSON: " + problem, text);
  const std::string foreign = simulation_.ownership.foreign_in(text, number_);
  if (!foreign.empty()) return complain("sees what is another's: " + foreign, text);
  message->kind == Json::Kind::array ? take_batch(*message, exchange) : take(*message, exchange);
}

// Answers to one batch come together, as far as they are there at once.
void Client::take_batch(const Json& batch, std::uint64_t exchange) {
  if (!can_batch()) complain("a batch in a revision without batches", batch.raw);
  if (batch.items.empty()) complain("an empty batch", batch.raw);
  ++simulation_.counts["batches of answers"];
  std::uint64_t of = 0;
  for (const Json& message : batch.items) {
    const Json* const id = message.find("id");
    const auto found = id != nullptr && message.find("method") == nullptr ? open_.find(id->raw) : open_.end();
    const std::uint64_t one = found != open_.end() ? found->second.batch : 0;
    if (one != 0 && of != 0 && one != of && !mixes()) complain("answers to two batches in one", batch.raw);
    if (one != 0) of = one;
    take(message, exchange);
  }
}

void Client::take(const Json& message, std::uint64_t exchange) {
  if (message.text_at("jsonrpc") != "2.0") complain("not JSON-RPC 2.0", message.raw);
  const bool method = message.find("method") != nullptr;
  const bool id = message.find("id") != nullptr;
  if (!method) return take_answer(message, exchange);
  id ? take_question(message, exchange) : take_news(message, exchange);
}

void Client::take_answer(const Json& message, std::uint64_t exchange) {
  const Json* const id = message.find("id");
  if (id == nullptr) return complain("an error without id, for a request that was good", message.raw);
  if ((message.find("result") != nullptr) == (message.find("error") != nullptr))
    complain("neither a result nor an error, or both", message.raw);
  if (forgotten_.erase(id->raw) != 0) {
    ++simulation_.counts["late answers"];
    return;
  }
  const auto found = open_.find(id->raw);
  if (found == open_.end()) {
    if (done_.count(id->raw) != 0) complain("a second answer", message.raw);
    complain("an answer that nobody waits for", message.raw);
  }
  Request request = std::move(found->second);
  open_.erase(found);
  if (request.exchange != exchange) complain("an answer where it was not asked for", message.raw);
  done_.insert(id->raw);
  if (listening_ == id->raw) listening_.clear();
  ++simulation_.counts["answers"];
  const bool refused = is_rejection(message) || (wide_batches_.count(request.batch) != 0 && is_too_large(message));
  if (request.cancelled) {
    const Fate fate = device.fate(request.token);
    if (!refused && fate.ended && !fate.done) complain("an answer to what was taken back", message.raw);
    ++simulation_.counts["answers that crossed"];
    return;
  }
  if (refused) {
    ++simulation_.counts["refused"];
    if (request.lost) request.lost();
    return;
  }
  if (const std::string problem = request.judge(message); !problem.empty())
    complain("the answer to " + request.method + " " + request.name + ": " + problem, message.raw);
}

void Client::take_question(const Json& message, std::uint64_t exchange) {
  const std::string id = message.find("id")->raw;
  const std::string method = message.text_at("method");
  if (is_stateless()) complain("a request to a client without a session", message.raw);
  if (!questions_.insert(id).second) complain("a question that was asked already", message.raw);
  ++simulation_.counts["questions"];
  if (method == "ping") return answer_later(id, "\"result\":{}");
  std::string token;
  if (method != "roots/list") {
    token =
        token_in(message.text_at(method == "elicitation/create" ? "params.message" : "params.messages.0.content.text"));
    if (!token.starts_with("c" + std::to_string(number_) + "-")) complain("somebody else's question", message.raw);
  }
  for (const auto& [open, request] : open_) {
    if (!token.empty() && request.token == token && request.exchange != exchange && request.method != "tasks/get" &&
        request.method != "tasks/cancel")
      complain("a question where its call was not made", message.raw);
  }
  std::string word;
  const std::string body = answer_of(message, word);
  if (!token.empty()) words_[token] = word;
  if (!body.empty()) answer_later(id, body);
}

// The body of a response, if it is valid, and the way in which the device reports an error.
std::string Client::answer_of(const Json& question, std::string& word) {
  const std::string method = question.text_at("method");
  const std::size_t how = simulation_.random.below(20);
  if (method == "roots/list") {
    word = "accepted";
    return R"("result":{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]})";
  }
  if (how == 0 && !is_stateless()) {
    word = "timed out";
    return "";
  }
  if (how == 1 && !is_stateless()) {
    word = "failed";
    return R"("error":{"code":-1,"message":"no"})";
  }
  const std::string said = "w" + std::to_string(simulation_.random.below(1000));
  word = "accepted " + said;
  if (method == "sampling/createMessage")
    return R"("result":{"role":"assistant","content":{"type":"text","text":")" + said + R"("},"model":"m"})";
  if (how == 2) {
    word = "declined";
    return R"("result":{"action":"decline"})";
  }
  if (how == 3) {
    word = "cancelled";
    return R"("result":{"action":"cancel"})";
  }
  return R"("result":{"action":"accept","content":{"word":")" + said + "\"}}";
}

// Now and then several in a batch.
void Client::answer_later(const std::string& id, const std::string& body) {
  const std::uint64_t era = era_;
  const Time late = simulation_.random.one_in(30) ? question_time : 0;
  simulation_.in(late + simulation_.random.below(3000), [this, era, id, body] {
    if (gone_ || era != era_) return;
    const std::string message = R"({"jsonrpc":"2.0","id":)" + id + "," + body + "}";
    if (!can_batch() || simulation_.random.one_in(2)) return say(message);
    held_.push_back(message);
    if (held_.size() != 1) return;
    simulation_.in(simulation_.random.below(1000), [this, era] {
      if (gone_ || era != era_ || held_.empty()) return;
      std::string text;
      for (const std::string& one : held_) text += (text.empty() ? "[" : ",") + one;
      held_.clear();
      say(text + "]");
    });
  });
}

// ---- News --------------------------------------------------------------------------------------------------------

void Client::take_news(const Json& message, std::uint64_t exchange) {
  const std::string method = message.text_at("method");
  ++simulation_.counts["news"];
  if (method == "notifications/progress") return take_progress(message, exchange);
  if (method == "notifications/message") return take_log(message);
  if (is_stateless() && take_subscribed(message, exchange)) return;
  if (method == "notifications/resources/updated") {
    const std::string uri = message.text_at("params.uri");
    for (std::size_t row = 0; row < 3; ++row) {
      if (uri != uri_of(row)) continue;
      if (is_stateless() && !known_[row].wanted) complain("news that were not asked for", message.raw);
      return touch(row);
    }
    return complain("news of what was not subscribed to", message.raw);
  }
  for (std::size_t i = 0; i < std::size(lists); ++i) {
    if (method != "notifications/" + std::string(lists[i]) + "/list_changed") continue;
    if (is_stateless() && !known_[3 + i].wanted) complain("news that were not asked for", message.raw);
    return touch(3 + i);
  }
  if (method == "notifications/cancelled") {
    const Json* const id = message.at("params.requestId");
    const bool asked = id != nullptr && questions_.count(id->raw) != 0;
    if (!asked && simulation_.flawless && !missed_) complain("what was never asked is taken back", message.raw);
    return;
  }
  if (method == "notifications/tasks/status") {
    if (exchange != session_stream) complain("the state of a task where something else was asked", message.raw);
    return;
  }
  complain("unknown news", message.raw);
}

// Of a request that is under way; more than before, and no more than there was.
void Client::take_progress(const Json& message, std::uint64_t exchange) {
  const Json* const token = message.at("params.progressToken");
  if (token == nullptr) return complain("progress of nothing", message.raw);
  ++simulation_.counts["progress"];
  const auto is_it = [&](const auto& entry) { return entry.second.progress_token == token->raw; };
  const auto found = std::find_if(open_.begin(), open_.end(), is_it);
  if (found == open_.end()) {
    if (std::any_of(forgotten_.begin(), forgotten_.end(), is_it)) return;
    return take_task_progress(message, exchange);
  }
  Request& request = found->second;
  const double progress = std::atof(message.text_at("params.progress").c_str());
  if (progress <= request.progress) complain("progress that does not grow", message.raw);
  if (progress > device.fate(request.token).progress) complain("progress that nobody has made", message.raw);
  if ((request.as_task ? session_stream : request.exchange) != exchange)
    complain("progress on another stream", message.raw);
  request.progress = progress;
}

void Client::take_task_progress(const Json& message, std::uint64_t exchange) {
  const auto found = task_tokens_.find(message.at("params.progressToken")->raw);
  if (found == task_tokens_.end()) return complain("progress of nothing that is under way", message.raw);
  OwnTask& task = *found->second;
  const double progress = std::atof(message.text_at("params.progress").c_str());
  if (progress <= task.progress) complain("progress of a task that does not grow", message.raw);
  if (progress > device.fate(task.token).progress) complain("progress that nobody has made", message.raw);
  if (exchange != session_stream) complain("progress of a task on another stream", message.raw);
  const Json* const meta = message.at("params._meta");
  const Json* const related = meta == nullptr ? nullptr : meta->find("io.modelcontextprotocol/related-task");
  const bool is_its = related != nullptr && (task.id.empty() || related->text_at("taskId") == task.id);
  if (!is_its) complain("progress of another task", message.raw);
  task.progress = progress;
}

void Client::take_log(const Json& message) {
  const std::string text = message.text_at("params.data");
  if (is_stateless() && !wants_logs_) complain("a message of the log that was not asked for", message.raw);
  if (text.ends_with("lost.")) return;
  if (is_stateless() && text.find(' ') == text.npos) complain("a message of the device to a request", message.raw);
  const auto number = static_cast<std::uint32_t>(std::atoi(text.c_str()));
  if (number == 0 || number > device.logged) complain("what nobody has logged", message.raw);
  if (!logs_.insert(number).second) complain("a message of the log twice", message.raw);
}

// Handles a message for a subscriber. Returns true if nothing is left to do for it.
bool Client::take_subscribed(const Json& message, std::uint64_t exchange) {
  const Json* const meta = message.at("params._meta");
  const Json* const subscription = meta != nullptr ? meta->find("io.modelcontextprotocol/subscriptionId") : nullptr;
  const auto found = subscription == nullptr ? open_.end() : open_.find(subscription->raw);
  if (found == open_.end() || found->second.exchange != exchange || found->second.method != "subscriptions/listen") {
    complain("news for somebody else", message.raw);
    return true;
  }
  Request& request = found->second;
  if (message.text_at("method") == "notifications/subscriptions/acknowledged") {
    if (request.acknowledged) complain("a second acknowledgement", message.raw);
    request.acknowledged = true;
    const Json* const said = message.at("params.notifications");
    const auto wanted = test::parse_json(request.acknowledgement);
    // The device may have removed a task that has ended.
    const Fate fate = device.fate(request.name);
    const bool gone =
        !request.name.empty() && (fate.done || fate.ended || fate.progress == 0 || jumped_since(request.sent));
    request.accepted = said != nullptr && !said->items.empty();
    if (said == nullptr || (!(*said == *wanted) && !(gone && said->items.empty())))
      complain("another acknowledgement than " + request.acknowledgement, message.raw);
    if (subscription->raw == listening_) resync();
    return true;
  }
  if (!request.acknowledged) complain("news before the acknowledgement", message.raw);
  if (!request.hear) return false;
  if (const std::string problem = request.hear(message); !problem.empty()) complain(problem, message.raw);
  return true;
}

// ---- What is lost ------------------------------------------------------------------------------------------------

void Client::lose(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;
    Request request = std::move(found->second);
    open_.erase(found);
    done_.insert(id);
    if (listening_ == id) listening_.clear();
    if (!request.cancelled) ++simulation_.counts["lost"];
    if (request.lost && !gone_) request.lost();
  }
}

void Client::forget(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;
    Request copy;
    copy.progress_token = found->second.progress_token;
    forgotten_.emplace(id, std::move(copy));
  }
  lose(ids);
}

void Client::lose_session() {
  ++era_;
  ready_ = false;
  muted_ = false;
  listening_.clear();
  questions_.clear();
  logs_.clear();
  forgotten_.clear();
  task_tokens_.clear();
  held_.clear();
  for (Known& known : known_) known = {};
  std::map<std::string, Request> open;
  open.swap(open_);
  for (const auto& [id, request] : open) done_.insert(id);
  simulation_.counts["lost"] += open.size();
  on_session_lost();
}

void Client::probe() {
  Request about;
  about.judge = [](const Json& answer) -> std::string { return answer.find("result") != nullptr ? "" : "no result"; };
  request("prompts/list", "", std::move(about));
}

// ---- The beginning -----------------------------------------------------------------------------------------------

void Client::start() {
  simulation_.in(simulation_.random.below(2000), [this] {
    if (!gone_) begin();
  });
  act_later();
}

void Client::initialize() {
  if (gone_) return;
  if (is_stateless()) {
    ready_ = true;
    on_ready();
    return listen();
  }
  ++era_;
  const auto again = [this, era = era_] {
    simulation_.in(500 + simulation_.random.below(2000), [this, era] {
      if (era == era_ && !ready_) initialize();
    });
  };
  Request about;
  about.lost = again;
  about.judge = [this, again](const Json& answer) -> std::string {
    // Others use all session slots.
    if (has_no_session(answer)) {
      again();
      return "";
    }
    if (answer.text_at("result.protocolVersion") != name_of(revision_)) return "another revision";
    ready_ = true;
    notify("notifications/initialized", "");
    on_ready();
    return "";
  };
  const std::string capabilities = asked_can_ ? R"("elicitation":{"form":{}},"roots":{},"sampling":{})" : "";
  request("initialize",
          "\"protocolVersion\":" + quoted(name_of(revision_)) + R"(,"capabilities":{)" + capabilities +
              R"(},"clientInfo":{"name":"c","version":"0"})",
          std::move(about));
}

// To all that there is, or to some of it.
void Client::listen() {
  if (gone_ || !is_stateless() || !listening_.empty()) return;
  Request about;
  const auto again = [this] { simulation_.in(500 + simulation_.random.below(1000), [this] { listen(); }); };
  about.lost = again;
  // The device ends it when it sleeps.
  about.judge = [again](const Json& answer) -> std::string {
    again();
    return answer.find("result") != nullptr ? "" : "no result";
  };
  const bool all = simulation_.random.one_in(2);
  for (Known& known : known_) known.wanted = all || !simulation_.random.one_in(3);
  std::string wanted;
  for (std::size_t i = 0; i < std::size(lists); ++i) {
    if (known_[3 + i].wanted) wanted += (wanted.empty() ? "\"" : ",\"") + std::string(lists[i]) + "ListChanged\":true";
  }
  std::string uris;
  for (std::size_t row = 0; row < 3; ++row) {
    if (known_[row].wanted) uris += (uris.empty() ? "" : ",") + quoted(uri_of(row));
  }
  if (!uris.empty()) wanted += (wanted.empty() ? "" : ",") + std::string("\"resourceSubscriptions\":[") + uris + "]";
  about.acknowledgement = "{" + wanted + "}";
  const std::string params = "\"notifications\":" + about.acknowledgement;
  listening_ = request("subscriptions/listen", params, std::move(about));
}

bool Client::is_acknowledged() const {
  const auto found = open_.find(listening_);
  return found != open_.end() && found->second.acknowledged;
}

void Client::resync() {
  for (std::size_t i = 0; i < std::size(known_); ++i) {
    if (i >= 3 && !is_stateless()) known_[i].wanted = true;
    if (known_[i].wanted) touch(i);
  }
}

// ---- What is known of the device ---------------------------------------------------------------------------------

void Client::touch(std::size_t what) {
  ++known_[what].dirty;
  refresh(what);
}

// Reads the current value. Reads again if the value changed meanwhile, or if the read failed.
void Client::refresh(std::size_t what) {
  Known& known = known_[what];
  if (gone_ || !ready_ || !known.wanted || known.asking || known.clean == known.dirty) return;
  known.asking = true;
  const std::uint32_t generation = known.dirty;
  if (what >= 3) return refresh_page(what, generation, "", std::make_shared<std::multiset<std::string>>());
  Request about;
  about.name = uri_of(what);
  const std::uint32_t least = device.values[what];
  about.lost = [this, what, era = era_] {
    if (era == era_) known_[what].asking = false;
    simulation_.in(300, [this, what] { refresh(what); });
  };
  about.judge = [this, what, generation, least](const Json& answer) -> std::string {
    const auto value = static_cast<std::uint32_t>(std::atoi(answer.text_at("result.contents.0.text").c_str()));
    if (answer.find("result") == nullptr || value < least || value > device.values[what]) return "not what it was";
    known_[what].value = value;
    known_[what].clean = generation;
    known_[what].asking = false;
    refresh(what);
    return "";
  };
  request("resources/read", "\"uri\":" + quoted(uri_of(what)), std::move(about));
}

void Client::refresh_page(std::size_t what, std::uint32_t generation, const std::string& cursor,
                          const std::shared_ptr<std::multiset<std::string>>& names) {
  const std::string list(lists[what - 3]);
  Request about;
  about.lost = [this, what, era = era_] {
    if (era == era_) known_[what].asking = false;
    simulation_.in(300, [this, what] { refresh(what); });
  };
  about.judge = [this, what, generation, list, names](const Json& answer) -> std::string {
    const Json* const items = answer.at("result." + list);
    if (items == nullptr) return "no list";
    for (const Json& item : items->items) names->insert(item.text_at("name"));
    if (const std::string next = answer.text_at("result.nextCursor"); !next.empty()) {
      refresh_page(what, generation, next, names);
      return "";
    }
    constexpr std::size_t sizes[] = {12, 5, 3};  // of the tables
    const std::size_t switched = names->count("switched");
    if (switched > 1 || names->size() - switched != sizes[what - 3] - 1) return "rows are missing, or there twice";
    known_[what].value = switched != 0;
    known_[what].clean = generation;
    known_[what].asking = false;
    refresh(what);
    return "";
  };
  request(list + "/list", cursor.empty() ? "" : "\"cursor\":" + quoted(cursor), std::move(about));
}

void Client::check_at_rest(Time patience) const {
  for (const auto& [id, request] : open_) {
    if (id == listening_ || simulation_.now() - request.sent < patience) continue;
    if (!request.cancelled) complain("no answer to " + request.method + " " + request.name, id);
    if (device.fate(request.token).done)
      complain("no answer to " + request.method + " " + request.name + ", which was done before it was taken back", id);
  }
  if (muted_) return;
  if (!ready_) complain("it never got to be served");
  if (!listens(patience)) complain("nothing tells it of changes");
  for (std::size_t i = 0; i < std::size(known_); ++i) {
    if (!known_[i].wanted) continue;
    const std::uint32_t truth = i < 3 ? device.values[i] : device.enabled[i - 3];
    if (known_[i].value != truth)
      complain("was never told of the last change of " + (i < 3 ? uri_of(i) : std::string(lists[i - 3])),
               "knows " + std::to_string(known_[i].value) + ", true is " + std::to_string(truth));
  }
}

}  // namespace sim
