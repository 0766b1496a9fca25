// SPDX-License-Identifier: Apache-2.0
// The tasks of a client: their progress and end, and the tasks of others, which the client must not see.
#include "simulator/client.hpp"

namespace sim {
namespace {

std::string id_param(const Task& task) { return "\"taskId\":" + quoted(task->id); }

// Of an answer: without the id, which is another each time.
std::string result_of(const Json& answer) {
  const Json* const result = answer.find("result");
  return result != nullptr ? result->raw : "";
}

std::string refused_as_unknown(const Json& answer) {
  return answer.text_at("error.code") == "-32602" ? "" : "what is another's is served";
}

}  // namespace

// A call that may become a task.
void Client::work(bool asks) {
  const std::string token = fresh_token();
  const std::string tool = asks ? "work_asking" : "work";
  std::string arguments = "\"label\":" + quoted(token);
  if (!asks) arguments += ",\"pause\":" + std::to_string(simulation_.random.below(4000));
  const bool as_task = revision_ == Revision::r2025_11_25 && !simulation_.random.one_in(4);
  Request about;
  about.token = token;
  about.as_task = as_task;
  // A stateless task sends no progress. The client does not know in advance whether its call becomes a task.
  const std::string progress_token = is_stateless() || simulation_.random.one_in(2) ? "" : fresh_progress_token(token);
  about.progress_token = progress_token;
  about.lost = [=, this] {
    if (progress_token.empty() || !as_task) return;
    // A task may exist nevertheless.
    const Task unknown = std::make_shared<OwnTask>();
    unknown->token = token;
    task_tokens_[progress_token] = unknown;
  };
  about.judge = [=, this, sent = simulation_.now()](const Json& answer) -> std::string {
    if (answer.text_at("result.resultType") == "input_required") {
      ask_again(tool, token, answer, "", 1, sent);
      return "";
    }
    std::string id = answer.text_at("result.task.taskId");
    if (id.empty()) id = answer.text_at("result.taskId");
    if (id.empty()) {
      if (as_task) return "no task";
      if (asks) return judge_asked(text_of(answer), token, words_[token], sent);
      return text_of(answer) == token + " worked" ? "" : "not its result";
    }
    ++simulation_.counts["tasks"];
    const Task task = std::make_shared<OwnTask>();
    task->id = id;
    task->token = token;
    task->created = sent;
    task->asks = asks;
    own(is_stateless() ? Belonging::Kind::stateless_task : Belonging::Kind::task, id);
    if (!progress_token.empty()) task_tokens_[progress_token] = task;
    if (is_stateless() && simulation_.random.one_in(3)) watch_task(task);
    poll_task(task);
    return judge_dates(task, *answer.at(is_stateless() ? "result" : "result.task"));
  };
  call(tool, arguments, std::move(about), false, as_task ? ",\"task\":{\"ttl\":60000}" : "");
}

bool Client::is_late(const Task& task) const {
  return simulation_.now() - task->created >= task_time - 100 || jumped_since(task->created);
}

// Another task may get the slot of a task whose end the device has sent.
bool Client::may_be_gone(const Task& task) const {
  const Fate fate = device.fate(task->token);
  const bool told = task->watched && (fate.done || fate.progress == 0);  // without progress it may have found no place
  return is_late(task) || task->over || task->cancelled != 0 || told;
}

void Client::poll_task(const Task& task) {
  const bool waits = !is_stateless() && (task->over || simulation_.random.one_in(3));
  simulation_.in(500 + simulation_.random.below(1500), [=, this, era = era_] {
    if (gone_ || era != era_) return;
    if (task->cancelled == 0 && !task->over && simulation_.random.one_in(12)) return cancel_task(task);
    fetch_task(task, waits);
  });
}

void Client::fetch_task(const Task& task, bool waits) {
  Request about;
  about.name = task->id;
  about.token = task->token;
  about.lost = [=, this, era = era_] {
    task->over = true;  // for all that is known
    if (era == era_ && simulation_.now() - task->created < task_time) poll_task(task);
  };
  about.judge = [=, this, sent = simulation_.now()](const Json& answer) -> std::string {
    if (answer.find("error") != nullptr) {
      const std::string code = answer.text_at("error.code");
      if (may_be_gone(task) && (code == "-32602" || code == "-32603")) return "";
      // Another one that was lost waits for it.
      if (waits && may_lose() && code == "-32600") return "";
      return "the task is not there";
    }
    if (!waits) return judge_task(task, answer, sent);
    const Json* const meta = answer.at("result._meta");
    const Json* const related = meta == nullptr ? nullptr : meta->find("io.modelcontextprotocol/related-task");
    if (related == nullptr || related->text_at("taskId") != task->id) return "of another task";
    if (task->asks && task->word.empty()) task->word = words_[task->token];
    const std::string problem = judge_result(task, text_of(answer), result_of(answer));
    task->over = true;
    if (problem.empty() && simulation_.random.one_in(2)) poll_task(task);  // the task still exists with the same state
    return problem;
  };
  request(waits ? "tasks/result" : "tasks/get", id_param(task), std::move(about));
}

// Checks a result: the output of the job, equal for each tasks/result.
std::string Client::judge_result(const Task& task, const std::string& text, const std::string& raw) {
  const Fate fate = device.fate(task->token);
  if (fate.ended && !fate.done) return "a result of what was taken back";
  if (!task->result.empty()) {
    ++simulation_.counts["results fetched again"];
    if (task->result != raw) return "another result than before: " + task->result;
  }
  task->result = raw;
  if (task->asks) return judge_asked(text, task->token, task->word, task->created);
  return text == task->token + " worked" ? "" : "not its result";
}

std::string Client::judge_dates(const Task& task, const Json& state) {
  const std::string created = state.text_at("createdAt");
  if (task->created_at.empty()) task->created_at = created;
  if (created.size() != 24 || created != task->created_at) return "it was created at another time";
  return state.text_at("lastUpdatedAt") >= created ? "" : "it was changed before it was created";
}

// The answer to tasks/get, which without a session holds the result as well.
std::string Client::judge_task(const Task& task, const Json& answer, Time sent) {
  const Json& state = *answer.find("result");
  if (const std::string problem = judge_state(task, state, sent); !problem.empty()) return problem;
  const std::string status = state.text_at("status");
  if (status == "input_required" && task->word.empty()) {
    const Json* const questions = state.find("inputRequests");
    if (questions != nullptr) answer_task(task, questions->items.at(0), questions->keys.at(0));
  }
  // A task with an unfetched result ends with its time to live.
  if (status == "completed" || status == "failed") {
    const bool again = !task->over || simulation_.random.one_in(2);
    task->over = true;
    if (again) poll_task(task);
  } else if (status != "cancelled" && !simulation_.random.one_in(20)) {
    poll_task(task);
  }
  return "";
}

// Checks the state of a task in a response or a notification.
std::string Client::judge_state(const Task& task, const Json& state, Time sent) {
  if (state.text_at("taskId") != task->id) return "of another task";
  if (const std::string problem = judge_dates(task, state); !problem.empty()) return problem;
  const std::string status = state.text_at("status");
  if (task->is_cancelled != 0 && sent > task->is_cancelled && status != "cancelled") return "it was taken back";
  if (status == "cancelled") return is_late(task) || task->cancelled != 0 ? "" : "nobody has cancelled it";
  // In a session so does a call that has found no place.
  if (status == "failed") return is_late(task) || !is_stateless() ? "" : "it has not failed";
  if (status != "completed" || !is_stateless()) return "";
  const Json* const result = state.find("result");
  return result == nullptr ? "no result" : judge_result(task, result->text_at("content.0.text"), result->raw);
}

void Client::answer_task(const Task& task, const Json& question, const std::string& key) {
  if (question.text_at("params.message") != "A word for " + task->token + "?")
    return complain("somebody else's question", question.raw);
  std::string body = answer_of(question, task->word);
  body.erase(0, body.find(':') + 1);
  Request update;
  update.name = task->id;
  update.judge = [=, this](const Json& done) {
    return std::string(done.find("result") != nullptr || may_be_gone(task) ? "" : "no result");
  };
  request("tasks/update", id_param(task) + ",\"inputResponses\":{" + quoted(key) + ":" + body + "}", std::move(update));
}

void Client::cancel_task(const Task& task) {
  ++simulation_.counts["tasks cancelled"];
  task->cancelled = simulation_.now();
  Request about;
  about.name = task->id;
  about.token = task->token;
  about.lost = [=, this, era = era_] {
    if (era == era_) poll_task(task);
  };
  about.judge = [=, this](const Json& answer) -> std::string {
    // Where it has found no place, its job has never begun.
    const Fate fate = device.fate(task->token);
    const bool is_over = fate.done || fate.progress == 0 || is_late(task) || task->over;
    if (answer.find("error") != nullptr && !is_over) return "it cannot be taken back";
    if (answer.text_at("result.status") == "cancelled") task->is_cancelled = simulation_.now();
    poll_task(task);
    return "";
  };
  request("tasks/cancel", id_param(task), std::move(about));
}

// Hears of each state of the task until it has ended.
void Client::watch_task(const Task& task) {
  ++simulation_.counts["tasks watched"];
  task->watched = true;
  Request about;
  about.name = task->token;
  about.acknowledgement = "{\"taskIds\":[" + quoted(task->id) + "]}";
  const auto told = std::make_shared<bool>(false);
  about.judge = [](const Json& answer) { return std::string(answer.find("result") != nullptr ? "" : "no result"); };
  about.hear = [=, this, sent = simulation_.now()](const Json& news) -> std::string {
    if (news.text_at("method") != "notifications/tasks") return "news that were not asked for";
    const Json* const state = news.find("params");
    if (state == nullptr) return "no state";
    ++simulation_.counts["states of tasks"];
    const std::string status = state->text_at("status");
    *told = status == "completed" || status == "failed" || status == "cancelled";
    if (state->text_at("result.isError") == "true") return "";  // it has found no place
    if (task->asks && status == "completed" && task->word.empty()) return "";
    return judge_state(task, *state, sent);
  };
  const std::string params = "\"notifications\":" + about.acknowledgement;
  const std::string id = request("subscriptions/listen", params, std::move(about));
  // After its time to live the device sends nothing about it.
  simulation_.in(task_time + 5000, [=, this] {
    const auto found = open_.find(id);
    if (gone_ || found == open_.end()) return;
    if (found->second.accepted && device.fate(task->token).done && !*told && simulation_.flawless)
      complain("was never told how its task ended", task->id);
    found->second.cancelled = true;
    cancel(id);
  });
}

// ---- Of others ---------------------------------------------------------------------------------------------------

// A session must not see tasks of other sessions. A stateless client must not see tasks of other principals.
bool Client::try_task() {
  if (revision_ < Revision::r2025_11_25 || (is_stateless() && !has_tasks_)) return false;
  const bool same_kind = simulation_.random.one_in(2);
  using Kind = Belonging::Kind;
  const Kind kind = is_stateless() == same_kind ? Kind::stateless_task : Kind::task;
  const Belonging* const thing = anothers(kind, is_stateless() && same_kind);
  if (thing == nullptr) return false;
  ++simulation_.counts["tasks of others tried"];
  Request about;
  about.name = thing->text;
  about.judge = refused_as_unknown;
  const std::string id = "\"taskId\":" + quoted(thing->text);
  switch (simulation_.random.below(is_stateless() ? 5 : 3)) {
    case 0: request("tasks/get", id, std::move(about)); break;
    case 1: request("tasks/cancel", id, std::move(about)); break;
    case 2:
      if (is_stateless()) {
        request("tasks/update", id + R"(,"inputResponses":{"word":{"action":"cancel"}})", std::move(about));
      } else {
        request("tasks/result", id, std::move(about));
      }
      break;
    default: spy_on_task(thing->text); break;
  }
  return true;
}

// The device neither acknowledges nor reports tasks that a client must not see.
void Client::spy_on_task(const std::string& id) {
  Request about;
  about.acknowledgement = "{}";
  about.judge = [](const Json& answer) { return std::string(answer.find("result") != nullptr ? "" : "no result"); };
  about.hear = [](const Json&) { return std::string("hears of what is another's"); };
  const std::string mine =
      request("subscriptions/listen", R"("notifications":{"taskIds":[)" + quoted(id) + "]}", std::move(about));
  simulation_.in(10'000, [=, this] {
    const auto found = open_.find(mine);
    if (gone_ || found == open_.end()) return;
    found->second.cancelled = true;
    cancel(mine);
  });
}

// A state opens nothing to another principal.
bool Client::try_state() {
  const Belonging* const thing = is_stateless() ? anothers(Belonging::Kind::state) : nullptr;
  if (thing == nullptr) return false;
  ++simulation_.counts["states of others tried"];
  Request about;
  const std::size_t name = thing->call.find(':') + 2;
  about.name = thing->call.substr(name, thing->call.find('"', name) - name);
  about.judge = refused_as_unknown;
  request("tools/call", thing->call + ",\"requestState\":" + quoted(thing->text), std::move(about));
  return true;
}

}  // namespace sim
