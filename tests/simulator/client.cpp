#include "simulator/client.hpp"

#include <algorithm>
#include <cstdlib>

namespace sim {
namespace {

constexpr Time question_time = 20'000;  // of the application
constexpr Time task_time = 60'000;      // of the server

constexpr std::string_view lists[] = {"tools", "resources", "prompts"};

std::string uri_of(std::size_t row) { return "sim://" + std::to_string(row); }
std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string text_of(const Json& answer) { return answer.text_at("result.content.0.text"); }

// Something is full, or there are no random bytes: the device may say so.
bool is_refusal(const Json& answer) {
  std::string text = answer.text_at("error.message");
  if (answer.text_at("result.isError") == "true") text = text_of(answer);
  if (answer.text_at("result.result.isError") == "true") text = answer.text_at("result.result.content.0.text");
  return text.find(" at most; try again") != text.npos || text.find("no random bytes") != text.npos ||
         text == "notifications/initialized did not come.";
}

}  // namespace

std::string_view name_of(Revision revision) {
  constexpr std::string_view names[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
  return names[static_cast<std::size_t>(revision)];
}

Client::Client(World& world, int number, Revision revision)
    : world_(world),
      number_(number),
      revision_(revision),
      asked_can_(!world.random.one_in(5)),
      has_tasks_(!world.random.one_in(3)) {}

void Client::complain(const std::string& what, std::string_view about) const {
  world_.fail("client " + std::to_string(number_) + " (" + std::string(name_of(revision_)) + "): " + what +
              (about.empty() ? "" : "\n  " + std::string(about)));
}

std::string Client::fresh_token() { return "c" + std::to_string(number_) + "-" + std::to_string(++next_token_); }

// ---- Sending -----------------------------------------------------------------------------------------------------

std::string Client::meta(const std::string& token, bool progress) const {
  std::string members = progress ? "\"progressToken\":" + quoted(token) : "";
  if (is_stateless()) {
    std::string capabilities = asked_can_ ? R"("elicitation":{"form":{}},"roots":{})" : "";
    if (has_tasks_)
      capabilities += std::string(asked_can_ ? "," : "") + R"("extensions":{"io.modelcontextprotocol/tasks":{}})";
    members += std::string(progress ? "," : "") + R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
               R"("io.modelcontextprotocol/clientCapabilities":{)" + capabilities + "}";
  }
  return members.empty() ? "" : "\"_meta\":{" + members + "}";
}

std::string Client::request(std::string_view method, std::string params, Request about, bool progress) {
  // Two clients use the same ids, and as different types: nobody may mix them up.
  const int number = ++next_id_;
  const std::string id = number % 3 == 0 ? "\"" + std::to_string(number) + "\"" : std::to_string(number);
  if (const std::string more = meta(about.token, progress); !more.empty()) params += (params.empty() ? "" : ",") + more;
  about.method = method;
  about.sent = world_.now();
  const std::string message =
      R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) + R"(","params":{)" + params + "}}";
  open_.emplace(id, std::move(about));
  ++world_.counts["requests"];
  world_.trace("client %d > %s", number_, message.c_str());
  post(message, id);
  return id;
}

void Client::call(std::string_view tool, const std::string& arguments, Request about, bool progress,
                  const std::string& more) {
  about.name = tool;
  request("tools/call", "\"name\":" + quoted(tool) + ",\"arguments\":{" + arguments + "}" + more, std::move(about),
          progress);
}

void Client::notify(std::string_view method, const std::string& params) {
  const std::string message =
      R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":{)" + params + "}}";
  world_.trace("client %d > %s", number_, message.c_str());
  post(message, "");
}

// ---- Receiving ---------------------------------------------------------------------------------------------------

void Client::take(std::string_view text, std::uint64_t exchange) {
  world_.trace("client %d < %.*s", number_, static_cast<int>(text.size()), text.data());
  std::string problem;
  const auto message = test::parse_json(text, &problem);
  if (!message) return complain("no JSON: " + problem, text);
  take(*message, exchange);
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
  ++world_.counts["answers"];
  if (request.cancelled) return;
  if (is_refusal(message)) {
    ++world_.counts["refused"];
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
  ++world_.counts["questions"];
  if (method == "ping") return answer_later(id, "\"result\":{}");
  std::string token;
  if (method == "elicitation/create") {
    const std::string text = message.text_at("params.message");
    token = text.substr(std::min<std::size_t>(text.size(), 11));
    if (!token.empty()) token.pop_back();
    if (!token.starts_with("c" + std::to_string(number_) + "-")) complain("somebody else's question", message.raw);
  }
  for (const auto& [open, request] : open_) {
    if (!token.empty() && request.token == token && request.exchange != exchange && request.method != "tasks/get")
      complain("a question where its call was not made", message.raw);
  }
  std::string word;
  const std::string body = answer_of(message, word);
  if (!token.empty()) words_[token] = word;
  if (!body.empty()) answer_later(id, body);
}

// The body of an answer, or nothing; and how the device tells of it.
std::string Client::answer_of(const Json& question, std::string& word) {
  const bool roots = question.text_at("method") == "roots/list";
  const std::size_t how = world_.random.below(20);
  if (roots) {
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
  if (how == 2) {
    word = "declined";
    return R"("result":{"action":"decline"})";
  }
  if (how == 3) {
    word = "cancelled";
    return R"("result":{"action":"cancel"})";
  }
  const std::string said = "w" + std::to_string(world_.random.below(1000));
  word = "accepted " + said;
  return R"("result":{"action":"accept","content":{"word":")" + said + "\"}}";
}

void Client::answer_later(const std::string& id, const std::string& body) {
  const std::uint64_t era = era_;
  const Time late = world_.random.one_in(30) ? question_time : 0;
  world_.in(late + world_.random.below(3000), [this, era, id, body] {
    if (gone_ || era != era_) return;
    const std::string message = R"({"jsonrpc":"2.0","id":)" + id + "," + body + "}";
    world_.trace("client %d > %s", number_, message.c_str());
    post(message, "");
  });
}

void Client::take_news(const Json& message, std::uint64_t exchange) {
  const std::string method = message.text_at("method");
  ++world_.counts["news"];
  if (method == "notifications/progress") {
    const std::string token = message.text_at("params.progressToken");
    const auto found =
        std::find_if(open_.begin(), open_.end(), [&](const auto& entry) { return entry.second.token == token; });
    if (found == open_.end()) complain("progress of nothing that is under way", message.raw);
    Request& request = found->second;
    const double progress = std::atof(message.text_at("params.progress").c_str());
    if (progress <= request.progress) complain("progress that does not grow", message.raw);
    if (request.exchange != exchange) complain("progress on another stream", message.raw);
    request.progress = progress;
    return;
  }
  if (method == "notifications/message") {
    const std::string text = message.text_at("params.data");
    if (text.ends_with("lost.")) return;
    const auto number = static_cast<std::uint32_t>(std::atoi(text.c_str()));
    if (number == 0 || number > device.logged) complain("what nobody has logged", message.raw);
    if (!logs_.insert(number).second) complain("a message of the log twice", message.raw);
    return;
  }
  if (is_stateless()) {
    const Json* const meta = message.at("params._meta");
    const Json* const subscription = meta != nullptr ? meta->find("io.modelcontextprotocol/subscriptionId") : nullptr;
    if (subscription == nullptr || open_.count(subscription->raw) == 0 || open_[subscription->raw].exchange != exchange)
      complain("news for somebody else", message.raw);
    if (method == "notifications/subscriptions/acknowledged") {
      if (acknowledged_) complain("a second acknowledgement", message.raw);
      acknowledged_ = true;
      return resync();
    }
    if (!acknowledged_) complain("news before the acknowledgement", message.raw);
  }
  if (method == "notifications/resources/updated") {
    const std::string uri = message.text_at("params.uri");
    for (std::size_t row = 0; row < 3; ++row) {
      if (uri == uri_of(row)) return touch(row);
    }
    return complain("news of what was not subscribed to", message.raw);
  }
  for (std::size_t i = 0; i < std::size(lists); ++i) {
    if (method == "notifications/" + std::string(lists[i]) + "/list_changed") return touch(3 + i);
  }
  if (method == "notifications/cancelled") {
    const Json* const id = message.at("params.requestId");
    const bool asked = id != nullptr && questions_.count(id->raw) != 0;
    if (!asked && world_.flawless) complain("what was never asked is taken back", message.raw);
    return;
  }
  if (method == "notifications/tasks/status") return;
  complain("unknown news", message.raw);
}

void Client::lose(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;
    Request request = std::move(found->second);
    open_.erase(found);
    done_.insert(id);
    if (listening_ == id) listening_.clear();
    if (!request.cancelled) ++world_.counts["lost"];
    if (request.lost && !gone_) request.lost();
  }
}

void Client::lose_session() {
  ++era_;
  ready_ = false;
  acknowledged_ = muted_ = false;
  listening_.clear();
  questions_.clear();
  logs_.clear();
  for (Known& known : known_) known = {};
  std::map<std::string, Request> open;
  open.swap(open_);
  for (const auto& [id, request] : open) done_.insert(id);
  world_.counts["lost"] += open.size();
  on_session_lost();
}

// ---- The beginning -----------------------------------------------------------------------------------------------

void Client::start() {
  world_.in(world_.random.below(2000), [this] { initialize(); });
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
    world_.in(500 + world_.random.below(2000), [this, era] {
      if (era == era_ && !ready_) initialize();
    });
  };
  Request about;
  about.lost = again;
  about.judge = [this](const Json& answer) -> std::string {
    if (answer.text_at("result.protocolVersion") != name_of(revision_)) return "another revision";
    ready_ = true;
    notify("notifications/initialized", "");
    on_ready();
    return "";
  };
  const std::string capabilities = asked_can_ ? R"("elicitation":{"form":{}},"roots":{})" : "";
  request("initialize",
          "\"protocolVersion\":" + quoted(name_of(revision_)) + R"(,"capabilities":{)" + capabilities +
              R"(},"clientInfo":{"name":"c","version":"0"})",
          std::move(about));
}

void Client::listen() {
  if (gone_ || !is_stateless() || !listening_.empty()) return;
  acknowledged_ = false;
  Request about;
  const auto again = [this] { world_.in(500 + world_.random.below(1000), [this] { listen(); }); };
  about.lost = again;
  // The device ends it when it sleeps.
  about.judge = [again](const Json& answer) -> std::string {
    again();
    return answer.find("result") != nullptr ? "" : "no result";
  };
  for (std::size_t i = 0; i < std::size(known_); ++i) known_[i].wanted = true;
  listening_ = request("subscriptions/listen",
                       R"("notifications":{"toolsListChanged":true,"promptsListChanged":true,)"
                       R"("resourcesListChanged":true,"resourceSubscriptions":["sim://0","sim://1","sim://2"]})",
                       std::move(about));
}

void Client::resync() {
  for (std::size_t i = 0; i < std::size(known_); ++i) {
    if (i >= 3) known_[i].wanted = true;
    if (known_[i].wanted) touch(i);
  }
}

// ---- What is known of the device ---------------------------------------------------------------------------------

void Client::touch(std::size_t what) {
  ++known_[what].dirty;
  refresh(what);
}

// Finds out what is true now; again when it became old meanwhile, or could not be found out.
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
    world_.in(300, [this, what] { refresh(what); });
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
    world_.in(300, [this, what] { refresh(what); });
  };
  about.judge = [this, what, generation, list, names](const Json& answer) -> std::string {
    const Json* const items = answer.at("result." + list);
    if (items == nullptr) return "no list";
    for (const Json& item : items->items) names->insert(item.text_at("name"));
    if (const std::string next = answer.text_at("result.nextCursor"); !next.empty()) {
      refresh_page(what, generation, next, names);
      return "";
    }
    constexpr std::size_t sizes[] = {11, 5, 2};  // of the tables
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

void Client::check_at_rest() const {
  for (const auto& [id, request] : open_) {
    if (id != listening_ && !request.cancelled) complain("no answer to " + request.method + " " + request.name, id);
  }
  if (muted_) return;
  if (!ready_) complain("it never got to be served");
  if (!listens()) complain("nothing tells it of changes");
  for (std::size_t i = 0; i < std::size(known_); ++i) {
    if (!known_[i].wanted) continue;
    const std::uint32_t truth = i < 3 ? device.values[i] : device.enabled[i - 3];
    if (known_[i].value != truth)
      complain("was never told of the last change of " + (i < 3 ? uri_of(i) : std::string(lists[i - 3])),
               "knows " + std::to_string(known_[i].value) + ", true is " + std::to_string(truth));
  }
}

// ---- What a client does ------------------------------------------------------------------------------------------

void Client::act_later() {
  world_.in(50 + world_.random.below(world_.random.one_in(10) ? 30'000 : 2000), [this] {
    if (gone_ || resting_) return;
    if (ready_ && open_.size() < 6) act();
    act_later();
  });
}

void Client::act() {
  switch (world_.random.below(18)) {
    case 0:
    case 1:
    case 2: return echo();
    case 3:
    case 4: return count();
    case 5: return ask("ask");
    case 6: return ask("ask_both");
    case 7: return ask("ask_held");
    case 8: return work(false);
    case 9: return work(true);
    case 10: return read_large();
    case 11: return read_item();
    case 12: return get_prompt();
    case 13: return list_tasks();
    case 14: return subscribe();
    case 15: return do_wrong();
    default: {
      static constexpr const char* tools[] = {"change", "toggle", "log"};
      const char* const tool = tools[world_.random.below(3)];
      Request about;
      about.judge = [](const Json& answer) { return std::string(answer.find("result") != nullptr ? "" : "no result"); };
      call(tool, std::string_view(tool) == "log" ? "" : "\"row\":" + std::to_string(world_.random.below(3)),
           std::move(about));
    }
  }
}

Client::Judge Client::text_is(std::string wanted) const {
  return [wanted = std::move(wanted)](const Json& answer) {
    return std::string(text_of(answer) == wanted ? "" : "not " + wanted);
  };
}

void Client::echo() {
  Request about;
  about.token = fresh_token();
  const std::size_t pad = world_.random.below(300);
  about.judge = text_is(about.token + std::string(pad, '.'));
  const std::string arguments = "\"token\":" + quoted(about.token) + ",\"pad\":" + std::to_string(pad);
  call("echo", arguments, std::move(about), world_.random.one_in(2));
}

void Client::count() {
  Request about;
  about.token = fresh_token();
  const std::size_t to = world_.random.below(12);
  const std::size_t pause = world_.random.one_in(8) ? 5000 : world_.random.below(300);
  about.judge = text_is(about.token + " counted to " + std::to_string(to));
  const std::string arguments = "\"token\":" + quoted(about.token) + ",\"to\":" + std::to_string(to) +
                                ",\"pause\":" + std::to_string(pause) +
                                (world_.random.one_in(6) ? ",\"reconnect\":true" : "");
  call("count", arguments, std::move(about), true);
  if (!world_.random.one_in(4)) return;
  const std::string id = next_id_ % 3 == 0 ? "\"" + std::to_string(next_id_) + "\"" : std::to_string(next_id_);
  world_.in(world_.random.below(2000), [this, id, era = era_] {
    const auto found = open_.find(id);
    if (gone_ || era != era_ || found == open_.end()) return;
    ++world_.counts["cancelled"];
    found->second.cancelled = true;
    cancel(id);
  });
}

// What a job says that has asked for a word, and maybe for roots.
std::string Client::judge_asked(const std::string& text, const std::string& token, const std::string& word,
                                Time sent) const {
  if (!text.starts_with(token + " ")) return "somebody else's answer";
  const bool late = world_.now() - sent >= question_time - 100 || jumped_since(sent);
  if (late && text.find("timed out") != text.npos) return "";
  // What keeps a question needs random bytes, without a session.
  if (is_stateless() && world_.faults.entropy != 0 && text.find("unsupported") != text.npos) return "";
  const bool can = asked_can_ && revision_ >= Revision::r2025_06_18;
  if (!can) return text.starts_with(token + " unsupported") ? "" : "it cannot be asked";
  return !word.empty() && text.starts_with(token + " " + word) ? "" : "not what was answered: " + word;
}

void Client::ask(std::string_view tool) {
  const std::string token = fresh_token();
  Request about;
  about.token = token;
  about.judge = [this, token, tool = std::string(tool), sent = world_.now()](const Json& answer) -> std::string {
    if (answer.text_at("result.resultType") == "input_required") {
      ask_again(tool, token, answer, "", 1, sent);
      return "";
    }
    return judge_asked(text_of(answer), token, words_[token], sent);
  };
  call(tool, "\"token\":" + quoted(token), std::move(about));
}

// The next round of a client without a session.
void Client::ask_again(std::string tool, std::string token, const Json& answer, std::string word, int rounds,
                       Time asked) {
  if (rounds > 3) complain("no end of questions", answer.raw);
  const Json* const questions = answer.at("result.inputRequests");
  const std::string state = answer.text_at("result.requestState");
  if (questions == nullptr || questions->items.empty() || state.empty()) complain("asks for nothing", answer.raw);
  std::string responses;
  for (std::size_t i = 0; i < questions->items.size(); ++i) {
    const Json& question = questions->items[i];
    const bool is_word = question.text_at("method") == "elicitation/create";
    if (is_word && question.text_at("params.message") != "A word for " + token + "?")
      complain("somebody else's question", answer.raw);
    std::string said;
    std::string body = answer_of(question, said);
    if (is_word) word = said;
    body.erase(0, body.find(':') + 1);  // of a result
    responses += (responses.empty() ? "" : ",") + quoted(questions->keys[i]) + ":" + body;
  }
  const Time late = world_.random.one_in(30) ? question_time : 0;
  const bool tampers = world_.random.one_in(10);
  world_.in(late + world_.random.below(4000), [=, this] {
    if (gone_) return;
    std::string changed = state;
    if (tampers) {
      char& c = changed[world_.random.below(changed.size())];
      c = c == 'A' ? 'B' : 'A';
    }
    Request about;
    about.token = token;
    about.judge = [=, this, sent = world_.now()](const Json& next) -> std::string {
      const bool refused = next.text_at("error.code") == "-32602";
      if (changed != state) {
        // The last character of base64 may have bits that say nothing.
        return refused ? "" : "a changed state was accepted";
      }
      if (refused) {
        return world_.now() - asked >= question_time - 100 || jumped_since(asked) ? "" : "the state was not accepted";
      }
      if (next.text_at("result.resultType") == "input_required") {
        ask_again(tool, token, next, word, rounds + 1, sent);
        return "";
      }
      return judge_asked(text_of(next), token, word, asked);
    };
    call(tool, "\"token\":" + quoted(token), std::move(about), false,
         ",\"inputResponses\":{" + responses + "},\"requestState\":" + quoted(changed));
  });
}

// A call that may become a task.
void Client::work(bool asks) {
  const std::string token = fresh_token();
  const std::string tool = asks ? "work_asking" : "work";
  std::string arguments = "\"token\":" + quoted(token);
  if (!asks) arguments += ",\"pause\":" + std::to_string(world_.random.below(4000));
  const bool as_task = revision_ == Revision::r2025_11_25 && !world_.random.one_in(4);
  Request about;
  about.token = token;
  about.judge = [this, token, tool, asks, sent = world_.now()](const Json& answer) -> std::string {
    if (answer.text_at("result.resultType") == "input_required") {
      ask_again(tool, token, answer, "", 1, sent);
      return "";
    }
    std::string id = answer.text_at("result.task.taskId");
    if (id.empty()) id = answer.text_at("result.taskId");
    if (id.empty()) {
      if (asks) return judge_asked(text_of(answer), token, words_[token], sent);
      return text_of(answer) == token + " worked" ? "" : "not its result";
    }
    ++world_.counts["tasks"];
    poll_task(id, token, sent, asks, "");
    return "";
  };
  call(tool, arguments, std::move(about), false, as_task ? ",\"task\":{\"ttl\":60000}" : "");
}

void Client::poll_task(const std::string& id, const std::string& token, Time created, bool asks, std::string word,
                       bool ended) {
  const bool waits = !is_stateless() && (ended || world_.random.one_in(3));
  world_.in(500 + world_.random.below(1500), [=, this, era = era_] {
    if (gone_ || era != era_) return;
    Request about;
    about.name = id;
    about.token = token;
    about.lost = [=, this] {
      if (era == era_ && world_.now() - created < task_time) poll_task(id, token, created, asks, word, true);
    };
    about.judge = [=, this](const Json& answer) -> std::string {
      const bool late = world_.now() - created >= task_time - 100 || jumped_since(created);
      if (answer.find("error") != nullptr) {
        const std::string code = answer.text_at("error.code");
        // Another task may get the slot of one of which has been told how it ended.
        if ((late || ended) && (code == "-32602" || code == "-32603")) return "";
        // Another one that was lost waits for it.
        if (waits && may_lose() && code == "-32600") return "";
        return "the task is not there";
      }
      if (waits) {
        const Json* const meta = answer.at("result._meta");
        const Json* const related = meta == nullptr ? nullptr : meta->find("io.modelcontextprotocol/related-task");
        if (related == nullptr || related->text_at("taskId") != id) return "of another task";
        if (asks) return judge_asked(text_of(answer), token, words_[token], created);
        return text_of(answer) == token + " worked" ? "" : "not its result";
      }
      if (answer.text_at("result.taskId") != id) return "of another task";
      const std::string status = answer.text_at("result.status");
      if (status == "completed" && is_stateless()) {
        const std::string text = answer.text_at("result.result.content.0.text");
        if (asks) return judge_asked(text, token, word, created);
        return text == token + " worked" ? "" : "not its result";
      }
      if (status == "cancelled") return late ? "" : "nobody has cancelled it";
      if (status == "failed" && (late || is_stateless())) return late ? "" : "it has not failed";
      std::string said = word;
      const Json* const questions = answer.at("result.inputRequests");
      if (status == "input_required" && questions != nullptr && word.empty()) {
        const Json& question = questions->items.at(0);
        if (question.text_at("params.message") != "A word for " + token + "?") return "somebody else's question";
        std::string body = answer_of(question, said);
        body.erase(0, body.find(':') + 1);
        Request update;
        update.name = id;
        update.judge = [=, this](const Json& done) {
          const bool over = world_.now() - created >= task_time - 100 || jumped_since(created);
          return std::string(done.find("result") != nullptr || over ? "" : "no result");
        };
        request("tasks/update",
                "\"taskId\":" + quoted(id) + ",\"inputResponses\":{" + quoted(questions->keys.at(0)) + ":" + body + "}",
                std::move(update));
      }
      // One whose result nobody fetches goes when its time is over.
      const bool over = status == "completed" || status == "failed";
      if (over || !world_.random.one_in(20)) poll_task(id, token, created, asks, said, over);
      return "";
    };
    request(waits ? "tasks/result" : "tasks/get", "\"taskId\":" + quoted(id), std::move(about));
  });
}

void Client::read_large() {
  Request about;
  about.name = "sim://large";
  about.judge = [](const Json& answer) -> std::string {
    const std::string text = answer.text_at("result.contents.0.text");
    if (answer.text_at("error.code") == "-32603") return "";  // it failed while it was read
    if (text.size() != large_size) return "not all of it";
    for (std::uint32_t i = 0; i < large_size; ++i) {
      if (text[i] != large_byte(i)) return "another byte at " + std::to_string(i);
    }
    return "";
  };
  request("resources/read", "\"uri\":\"sim://large\"", std::move(about));
}

void Client::read_item() {
  Request about;
  const std::string token = fresh_token();
  about.name = "sim://item/" + token;
  about.judge = [token](const Json& answer) {
    return std::string(answer.text_at("result.contents.0.text") == "item " + token ? "" : "another item");
  };
  const std::string params = "\"uri\":" + quoted(about.name);
  request("resources/read", params, std::move(about));
}

void Client::get_prompt() {
  Request about;
  const std::string token = fresh_token();
  if (world_.random.one_in(2)) {
    about.judge = [token](const Json& answer) {
      return std::string(answer.text_at("result.completion.values.0") == token ? "" : "not what was begun");
    };
    request("completion/complete",
            R"("ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"token","value":)" + quoted(token) + "}",
            std::move(about));
    return;
  }
  about.name = "greet";
  about.judge = [token](const Json& answer) {
    const bool right = answer.text_at("result.messages.0.content.text") == "Greet " + token;
    return std::string(right ? "" : "another prompt");
  };
  request("prompts/get", R"("name":"greet","arguments":{"token":)" + quoted(token) + "}", std::move(about));
}

void Client::list_tasks() {
  Request about;
  if (revision_ == Revision::r2025_11_25) {
    about.judge = [](const Json& answer) { return std::string(answer.at("result.tasks") != nullptr ? "" : "no list"); };
    request("tasks/list", "", std::move(about));
  } else if (is_stateless()) {
    about.judge = [](const Json& answer) {
      return std::string(answer.at("result.supportedVersions") != nullptr ? "" : "no versions");
    };
    request("server/discover", "", std::move(about));
  } else {
    about.judge = [](const Json& answer) { return std::string(answer.at("result") != nullptr ? "" : "no pong"); };
    request("ping", "", std::move(about));
  }
}

void Client::subscribe() {
  if (is_stateless()) return read_item();
  const std::size_t row = world_.random.below(3);
  const bool on = !known_[row].wanted;
  if (known_[row].asking || known_[row].changing) return;
  Request about;
  known_[row].changing = true;
  about.lost = [this, row, era = era_] {
    if (era == era_) known_[row].changing = false;
  };
  about.judge = [this, row, on](const Json& answer) -> std::string {
    if (answer.find("result") == nullptr) return "no result";
    known_[row].changing = false;
    known_[row].wanted = on;
    if (on) touch(row);
    return "";
  };
  if (!on) known_[row].wanted = false;
  request(on ? "resources/subscribe" : "resources/unsubscribe", "\"uri\":" + quoted(uri_of(row)), std::move(about));
}

// What cannot be served: an error, and nothing else is different.
void Client::do_wrong() {
  Request about;
  about.judge = [](const Json& answer) {
    const bool refused = answer.find("error") != nullptr || answer.text_at("result.isError") == "true";
    return std::string(refused ? "" : "it was served");
  };
  switch (world_.random.below(4)) {
    case 0: request("no/such", "", std::move(about)); return;
    case 1: return call("none", "", std::move(about));
    case 2: return call("echo", "\"token\":7,\"pad\":-1", std::move(about));
    default:
      about.name = "sim://none";
      request("resources/read", R"("uri":"sim://none")", std::move(about));
      return;
  }
}

}  // namespace sim
