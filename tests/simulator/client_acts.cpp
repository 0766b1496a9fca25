// SPDX-License-Identifier: Apache-2.0
// The actions of a client: calls, reads, input responses, invalid requests.
#include <algorithm>

#include "simulator/client.hpp"

namespace sim {

void Client::act_later() {
  simulation_.in(50 + simulation_.random.below(simulation_.random.one_in(10) ? 30'000 : 2000), [this] {
    if (gone_ || resting_) return;
    if (ready_ && open_.size() < 6) act();
    act_later();
  });
}

void Client::act() {
  if (can_batch() && simulation_.random.one_in(3)) return batch();
  act_once(simulation_.random.below(25));
}

// The first twelve may be parts of a batch.
void Client::act_once(std::size_t what) {
  switch (what) {
    case 0:
    case 1: return echo();
    case 2:
    case 3:
    case 4: return count();
    case 5: return ask("ask_both");
    case 6: return ask("sample");
    case 7: return read_item();
    case 8: return get_prompt();
    case 9: return list_tasks();
    case 10: return do_wrong();
    case 11: return read_large();
    case 12: return ask("ask");
    case 13: return ask("ask_held");
    case 14:
    case 15: return work(false);
    case 16:
    case 17: return work(true);
    case 18: return ask_prompt();
    case 19: return subscribe();
    case 20:
      if (!try_task() && !try_state()) echo();
      return;
    case 21:
      if (!trespass()) count();
      return;
    default: {
      static constexpr const char* tools[] = {"change", "toggle", "log"};
      const char* const tool = tools[simulation_.random.below(3)];
      if (!is_stateless() && simulation_.random.one_in(6)) return set_level();
      Request about;
      about.judge = [](const Json& answer) { return std::string(answer.find("result") != nullptr ? "" : "no result"); };
      call(tool,
           std::string_view(tool) == "log" ? "\"label\":" + quoted(fresh_token())
                                           : "\"row\":" + std::to_string(simulation_.random.below(3)),
           std::move(about));
    }
  }
}

// From then on it is also sent what the device logs by itself.
void Client::set_level() {
  Request about;
  about.judge = [](const Json& answer) { return std::string(answer.find("result") != nullptr ? "" : "no result"); };
  request("logging/setLevel", R"("level":"debug")", std::move(about));
}

Client::Judge Client::text_is(std::string wanted) const {
  return [wanted = std::move(wanted)](const Json& answer) {
    return std::string(text_of(answer) == wanted ? "" : "not " + wanted);
  };
}

void Client::echo() {
  Request about;
  about.token = fresh_token();
  const std::size_t pad = simulation_.random.below(collecting_ && !wide_ ? 100 : 300);
  about.judge = text_is(about.token + std::string(pad, '.'));
  const std::string arguments = "\"label\":" + quoted(about.token) + ",\"pad\":" + std::to_string(pad);
  call("echo", arguments, std::move(about), simulation_.random.one_in(2));
}

void Client::count() {
  Request about;
  about.token = fresh_token();
  const std::size_t to = simulation_.random.below(12);
  const std::size_t pause = simulation_.random.one_in(8) ? 5000 : simulation_.random.below(300);
  about.judge = text_is(about.token + " counted to " + std::to_string(to));
  const std::string arguments = "\"label\":" + quoted(about.token) + ",\"to\":" + std::to_string(to) +
                                ",\"pause\":" + std::to_string(pause) +
                                (simulation_.random.one_in(6) ? ",\"reconnect\":true" : "");
  about.name = "count";
  const std::string id =
      request("tools/call", R"("name":"count","arguments":{)" + arguments + "}", std::move(about), true);
  if (simulation_.random.one_in(4)) cancel_later(id);
}

void Client::cancel_later(const std::string& id) {
  simulation_.in(simulation_.random.below(2000), [this, id, era = era_] {
    const auto found = open_.find(id);
    if (gone_ || era != era_ || found == open_.end() || found->second.cancelled) return;
    ++simulation_.counts["cancelled"];
    found->second.cancelled = true;
    cancel(id);
  });
}

// ---- Input requests
// ---------------------------------------------------------------------------------------------------

// The result of a job that has requested a word, and possibly roots.
std::string Client::judge_asked(const std::string& text, const std::string& token, const std::string& word, Time sent,
                                bool samples) const {
  if (!text.starts_with(token + " ")) return "somebody else's answer";
  const bool late = simulation_.now() - sent >= question_time - 100 || jumped_since(sent);
  if (late && text.find("timed out") != text.npos) return "";
  // A stateless client gets no input request if the entropy failed since its call, or if the key expired.
  const bool no_key = simulation_.lacked_entropy_since(sent) || jumped_since(sent);
  if (is_stateless() && no_key && text.find("unsupported") != text.npos) return "";
  const bool can = asked_can_ && (samples || revision_ >= Revision::r2025_06_18);
  if (!can) return text.starts_with(token + " unsupported") ? "" : "it cannot be asked";
  return !word.empty() && text.starts_with(token + " " + word) ? "" : "not what was answered: " + word;
}

void Client::ask(std::string_view tool) {
  const std::string token = fresh_token();
  Request about;
  about.token = token;
  about.name = tool;
  about.judge = [this, token, tool = std::string(tool), sent = simulation_.now()](const Json& answer) -> std::string {
    if (answer.text_at("result.resultType") == "input_required") {
      ask_again(tool, token, answer, "", 1, sent);
      return "";
    }
    return judge_asked(text_of(answer), token, words_[token], sent, tool == "sample");
  };
  std::string params = "\"name\":" + quoted(tool) + ",\"arguments\":{\"label\":" + quoted(token) + "}";
  // This tool ignores an input response without its own input request, and sends the input request.
  if (is_stateless() && tool == "ask" && simulation_.random.one_in(3))
    params += R"(,"inputResponses":{"word":{"action":"accept","content":{"word":"faked"}}})";
  const std::string id = request("tools/call", params, std::move(about));
  if (!is_stateless() && simulation_.random.one_in(6)) cancel_later(id);
}

// Input responses to all input requests of a stateless client, as members of an object.
std::string Client::answers_to(const Json& questions, const std::string& token, std::string& word) {
  std::string responses;
  for (std::size_t i = 0; i < questions.items.size(); ++i) {
    const Json& question = questions.items[i];
    const std::string method = question.text_at("method");
    const std::string text =
        question.text_at(method == "elicitation/create" ? "params.message" : "params.messages.0.content.text");
    if (method != "roots/list" && text != "A word for " + token + "?")
      complain("somebody else's question", questions.raw);
    std::string said;
    std::string body = answer_of(question, said);
    if (method != "roots/list") word = said;
    body.erase(0, body.find(':') + 1);  // of a result
    responses += (responses.empty() ? "" : ",") + quoted(questions.keys[i]) + ":" + body;
  }
  return responses;
}

// The retry of a stateless client.
void Client::ask_again(std::string tool, std::string token, const Json& answer, std::string word, int rounds,
                       Time asked) {
  if (rounds > 3) complain("no end of questions", answer.raw);
  const Json* const questions = answer.at("result.inputRequests");
  const std::string state = answer.text_at("result.requestState");
  if (questions == nullptr || questions->items.empty() || state.empty()) complain("asks for nothing", answer.raw);
  const std::string responses = answers_to(*questions, token, word);
  const std::string what = "\"name\":" + quoted(tool) + ",\"arguments\":{\"label\":" + quoted(token) +
                           "},\"inputResponses\":{" + responses + "}";
  // Who has tasks gets a task of it, to which a state is nothing.
  if (tool != "work_asking") own(Belonging::Kind::state, state, what);
  const Time late = simulation_.random.one_in(30) ? question_time : 0;
  const bool tampers = simulation_.random.one_in(10);
  simulation_.in(late + simulation_.random.below(4000), [=, this] {
    if (gone_) return;
    std::string changed = state;
    if (tampers) {
      char& c = changed[simulation_.random.below(changed.size())];
      c = c == 'A' ? 'B' : 'A';
    }
    Request about;
    about.token = token;
    about.name = tool;
    about.judge = [=, this, sent = simulation_.now()](const Json& next) -> std::string {
      const bool refused = next.text_at("error.code") == "-32602";
      if (changed != state) {
        // The last character of base64 may have bits that say nothing.
        return refused ? "" : "a changed state was accepted";
      }
      if (refused) {
        // Where the clock has jumped, the key of a state may have come to its age.
        const bool old = simulation_.now() - asked >= question_time - 100 || simulation_.jumped_at() != 0;
        return old ? "" : "the state was not accepted";
      }
      if (next.text_at("result.resultType") == "input_required") {
        ask_again(tool, token, next, word, rounds + 1, sent);
        return "";
      }
      return judge_asked(text_of(next), token, word, asked, tool == "sample");
    };
    request("tools/call", what + ",\"requestState\":" + quoted(changed), std::move(about));
  });
}

// A prompt with input requests stores nothing. Its next request contains all that it needs.
void Client::ask_prompt() {
  const std::string token = fresh_token();
  const std::string params = R"("name":"ask","arguments":{"label":)" + quoted(token) + "}";
  Request about;
  about.name = "ask";
  about.judge = [=, this](const Json& answer) -> std::string {
    if (!is_stateless() || !asked_can_) {
      const bool told = answer.text_at("result.messages.0.content.text") == "Greet " + token + " unsupported ";
      return told ? "" : "it was asked";
    }
    const Json* const questions = answer.at("result.inputRequests");
    if (answer.text_at("result.resultType") != "input_required" || questions == nullptr) return "asks for nothing";
    std::string word;
    const std::string responses = answers_to(*questions, token, word);
    Request next;
    next.name = "ask";
    next.judge = [token, word](const Json& greeting) {
      const bool right = greeting.text_at("result.messages.0.content.text").starts_with("Greet " + token + " " + word);
      return std::string(right ? "" : "not what was answered: " + word);
    };
    request("prompts/get", params + ",\"inputResponses\":{" + responses + "}", std::move(next));
    return "";
  };
  request("prompts/get", params, std::move(about));
}

// ---- Reading and asking ------------------------------------------------------------------------------------------

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
  if (simulation_.random.one_in(2)) {
    about.judge = [token](const Json& answer) {
      return std::string(answer.text_at("result.completion.values.0") == token ? "" : "not what was begun");
    };
    request("completion/complete",
            R"("ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"label","value":)" + quoted(token) + "}",
            std::move(about));
    return;
  }
  about.name = "greet";
  about.judge = [token](const Json& answer) {
    const bool right = answer.text_at("result.messages.0.content.text") == "Greet " + token;
    return std::string(right ? "" : "another prompt");
  };
  request("prompts/get", R"("name":"greet","arguments":{"label":)" + quoted(token) + "}", std::move(about));
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
  const std::size_t row = simulation_.random.below(3);
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
  request(on ? "resources/subscribe" : "resources/unsubscribe", "\"uri\":\"sim://" + std::to_string(row) + "\"",
          std::move(about));
}

// What cannot be served: an error, and nothing else is different.
void Client::do_wrong() {
  Request about;
  about.judge = [](const Json& answer) {
    const bool refused = answer.find("error") != nullptr || answer.text_at("result.isError") == "true";
    return std::string(refused ? "" : "it was served");
  };
  switch (simulation_.random.below(4)) {
    case 0: request("no/such", "", std::move(about)); return;
    case 1: return call("none", "", std::move(about));
    case 2: return call("echo", "\"label\":7,\"pad\":-1", std::move(about));
    default:
      about.name = "sim://none";
      request("resources/read", R"("uri":"sim://none")", std::move(about));
      return;
  }
}

}  // namespace sim
