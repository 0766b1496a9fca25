// SPDX-License-Identifier: Apache-2.0
// Whole conversations with a server over stdio, in both eras: those of tests/conversations, changed as JSON and as
// talk. Whatever is said, each line of the server is one JSON-RPC message, no request is answered twice, the way the
// bytes are cut changes nothing, and nothing is left behind.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "conversations/conversation.hpp"
#include "conversations/player.hpp"
#include "fuzz/target.hpp"

namespace {

using test::Json;
using test::Player;

constexpr std::string_view devices[] = {"full",       "bare",           "tools",   "resources", "templates",
                                        "features",   "input_requests", "streams", "extended",  "structured",
                                        "coroutines", "frames",         "mrtr",    "tasks"};

/// Everything that mutations put into inputs: taken from the conversations, once.
struct Stock {
  std::vector<std::string> seeds;
  std::vector<std::string> lines;
  std::vector<std::string> values;
  std::vector<std::string> names;  // of members, with quotes
  std::map<std::string, std::vector<std::string>>
      actions;  // of each device: a row of another one is a mistake of the application
};

/// A place in a text.
struct Span {
  std::size_t begin;
  std::size_t end;
  bool name;
};

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1U : 0U;
  return std::min(at + 1, text.size());
}

/// All values and names of members in a line that is about JSON.
std::vector<Span> spans_of(std::string_view text) {
  std::vector<Span> spans;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '{' || c == '[') {
      open.push_back(at++);
    } else if (c == '}' || c == ']') {
      ++at;
      if (open.empty()) continue;
      spans.push_back({open.back(), at, false});
      open.pop_back();
    } else if (c == '"') {
      const std::size_t end = end_of_string(text, at);
      spans.push_back({at, end, end < text.size() && text[end] == ':'});
      at = end;
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-') {
      std::size_t end = at;
      while (end < text.size() && std::string_view(",]} \n").find(text[end]) == std::string_view::npos) ++end;
      spans.push_back({at, end, false});
      at = end;
    } else {
      ++at;
    }
  }
  return spans;
}

bool is_allowed(std::string_view action) {
  static constexpr std::string_view asserted[] = {"trail", "mrtr trail", "complete", "refuse", "forget"};
  return std::none_of(std::begin(asserted), std::end(asserted), [&](auto word) { return action.starts_with(word); });
}

void add(Stock& stock, const std::string& file) {
  test::Conversation conversation(file);
  conversation.run();
  std::string text;
  for (const std::string_view name : devices) {
    if (test::find_definition(name) == &conversation.definition()) text = name;
  }
  if (text.empty()) return;
  const std::string device = text;
  for (const auto& event : conversation.events()) {
    using Kind = test::Conversation::Event::Kind;
    if (event.kind == Kind::list || event.input.size() > 3000 || event.input.find('\n') != std::string::npos) continue;
    if (event.kind == Kind::action) {
      if (!is_allowed(event.input)) continue;
      if (!event.input.starts_with("wait ")) stock.actions[device].push_back(event.input);
      text += "\n@" + event.input;
      continue;
    }
    text += "\n" + event.input;
    stock.lines.push_back(event.input);
    for (const Span& span : spans_of(event.input)) {
      const std::string part = event.input.substr(span.begin, span.end - span.begin);
      if (part.size() < 400) (span.name ? stock.names : stock.values).push_back(part);
    }
  }
  if (text.size() < 8000) stock.seeds.push_back(text);
}

void drop_copies(std::vector<std::string>& texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

const Stock& stock() {
  static const Stock all = [] {
    Stock made;
    for (const std::string& file : test::conversation_files()) add(made, file);
    for (const char* const value : {"null", "true", "false", "0", "-1", "1.5", "1e999", "9223372036854775808", "\"\"",
                                    "{}", "[]", "\"2026-07-28\"", "\"2025-11-25\"", "\"\\u0000\"", "\"\xC3\xA9\""})
      made.values.emplace_back(value);
    drop_copies(made.lines);
    drop_copies(made.values);
    drop_copies(made.names);
    for (auto& [device, actions] : made.actions) drop_copies(actions);
    return made;
  }();
  return all;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

const std::string& any(const std::vector<std::string>& texts, fuzz::Random& random) {
  return texts[random.below(texts.size())];
}

void change_json(std::string& line, fuzz::Random& random) {
  const std::vector<Span> spans = spans_of(line);
  if (spans.empty()) return;
  const Span span = spans[random.below(spans.size())];
  const std::string part = line.substr(span.begin, span.end - span.begin);
  switch (random.below(6)) {
    case 0:
    case 1: line.replace(span.begin, part.size(), any(span.name ? stock().names : stock().values, random)); break;
    case 2: {
      const Span other = spans[random.below(spans.size())];
      line.replace(span.begin, part.size(), line.substr(other.begin, other.end - other.begin));
      break;
    }
    case 3:  // once more, or one more
      line.insert(span.begin, part + (span.name ? ":1," : ","));
      break;
    case 4:  // away, with the comma behind it
      line.erase(span.begin, part.size() + (span.end < line.size() && line[span.end] == ',' ? 1 : 0));
      break;
    default:  // a member more
      if (part.front() == '{')
        line.insert(span.begin + 1,
                    any(stock().names, random) + ":" + any(stock().values, random) + (part == "{}" ? "" : ","));
      break;
  }
}

void change(std::string& input, fuzz::Random& random) {
  std::vector<std::string> lines = lines_of(input);
  const std::size_t at = 1 + random.below(lines.size());
  const bool inside = at < lines.size();
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(std::min(at, lines.size()));
  switch (random.below(8)) {
    case 0: lines.insert(place, any(stock().lines, random)); break;
    case 1: {
      const auto actions = stock().actions.find(lines[0]);
      if (actions != stock().actions.end()) lines.insert(place, "@" + any(actions->second, random));
      break;
    }
    case 2: {
      static constexpr const char* times[] = {"1", "100", "1000", "60000", "3600000", "2147483648"};
      lines.insert(place, std::string("@wait ") + times[random.below(std::size(times))]);
      break;
    }
    case 3:
      if (inside && lines.size() > 2) lines.erase(place);
      break;
    case 4:
      if (inside) std::swap(lines[at], lines[1 + random.below(lines.size() - 1)]);
      break;
    case 5:
      if (random.one_in(4))
        lines[0] = devices[random.below(std::size(devices))];
      else if (inside)
        lines.insert(place, std::string(*place));
      break;
    default:
      if (inside && !lines[at].starts_with('@')) change_json(lines[at], random);
      break;
  }
  input.clear();
  for (const std::string& line : lines) input += (&line == &lines.front() ? "" : "\n") + line;
}

/// The requests of the client, and the messages of the server.
class Ledger {
 public:
  void sent(std::string_view line) {
    ++messages_;
    const auto json = test::parse_json(line, nullptr, test::Keys::may_repeat);
    if (!json) {
      ++unclear_;
      return;
    }
    repeats_ = repeats_ || !test::parse_json(line);
    if (json->kind != Json::Kind::array) return sent(*json);
    for (const Json& item : json->items) {
      ++messages_;
      sent(item);
    }
  }

  void came(const std::string& line, bool may_be_cut) {
    // A tool may repeat the input of the client, a duplicate key included.
    const auto json = test::parse_json(line, nullptr, repeats_ ? test::Keys::may_repeat : test::Keys::are_unique);
    if (!json) {
      if (!may_be_cut) fuzz::fail("a line that is no JSON", line);
    } else if (json->kind == Json::Kind::array) {
      if (json->items.empty()) fuzz::fail("an empty batch", line);
      for (const Json& item : json->items) came(item);
    } else {
      came(*json);
    }
  }

 private:
  void sent(const Json& json) {
    if (repeats_its_envelope(json)) {
      ++unclear_;
      return;
    }
    const Json* const id = json.find("id");
    const Json* const method = json.find("method");
    const bool has_method = method != nullptr && method->kind == Json::Kind::string;
    const bool is_response = !has_method && (json.find("result") != nullptr || json.find("error") != nullptr);
    // A response gets no response. A message that is neither a request nor a response gets an error under its id.
    if (!is_response && id != nullptr) ++open_[id->raw];
  }

  // The id of this error, if any, depends on which of two members the server reads.
  static bool repeats_its_envelope(const Json& json) {
    static constexpr std::string_view envelope[] = {"jsonrpc", "id", "method", "result", "error"};
    return json.repeats_keys && std::any_of(std::begin(envelope), std::end(envelope), [&](std::string_view key) {
             return std::count(json.keys.begin(), json.keys.end(), key) > 1;
           });
  }

  void came(const Json& json) {
    if (json.text_at("jsonrpc") != "2.0") fuzz::fail("a message that is not JSON-RPC 2.0", json.raw);
    const bool result = json.find("result") != nullptr;
    const bool error = json.find("error") != nullptr;
    const bool method = json.find("method") != nullptr;
    if (result + error + method != 1) fuzz::fail("neither request nor answer, or both", json.raw);
    if (method) return;
    if (error && (json.find("error")->find("code") == nullptr || json.text_at("error.message").empty()))
      fuzz::fail("an error that says nothing", json.raw);
    const Json* const id = json.find("id");
    if (id == nullptr || id->kind == Json::Kind::null) {
      if (result) fuzz::fail("a result without an id", json.raw);
      if (++unnamed_ > messages_) fuzz::fail("more errors without an id than messages", json.raw);
      return;
    }
    // An unclear message may have any id, also that of a pending request.
    Answers& answers = answers_[id->raw];
    const unsigned open = open_[id->raw];
    if (++answers.count <= open + answers.unclear) return;
    ++answers.unclear;
    if (++explained_ > unclear_) fuzz::fail("a response to no request", json.raw);
  }

  struct Answers {
    unsigned count = 0;
    unsigned unclear = 0;  // the least number of these that respond to an unclear message
  };

  bool repeats_ = false;  // the client has sent an object with a key twice
  std::map<std::string, unsigned> open_;
  std::map<std::string, Answers> answers_;
  unsigned unclear_ = 0;    // messages that are no JSON, or that have a member of the envelope twice
  unsigned explained_ = 0;  // sum of Answers::unclear
  unsigned messages_ = 0;
  unsigned unnamed_ = 0;
};

bool can_happen(const std::string& device, const std::string& action) {
  const auto actions = stock().actions.find(device);
  return actions != stock().actions.end() &&
         std::find(actions->second.begin(), actions->second.end(), action) != actions->second.end();
}

std::vector<std::string> play(const std::vector<std::string>& lines, const test::Way& way) {
  const mcp::Definition* const definition = test::find_definition(lines[0]);
  if (definition == nullptr) return {};
  std::size_t longest = 64;
  for (const std::string& line : lines) longest = std::max(longest, line.size());
  // The smallest memory for one line of the input, where that is odd.
  const std::size_t receive_size = longest % 2 == 0 ? longest : 3 * longest / 4;
  Player player(*definition, {.receive_size = receive_size, .transmit_size = 20'000}, way);
  for (const char* const again : {"forget", "reset", "forget mrtr", "forget running", "forget last steps"})
    static_cast<void>(player.act(again));
  Ledger ledger;
  std::vector<std::string> all;
  const bool may_be_cut = lines[0] == "streams" || lines[0] == "features" || lines[0] == "full";
  const auto take = [&](std::vector<std::string> came) {
    for (std::string& line : came) {
      ledger.came(line, may_be_cut);
      all.push_back(std::move(line));
    }
  };
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (!line.starts_with('@')) {
      ledger.sent(line);
      take(player.deliver(line + "\n"));
    } else if (const std::string action = line.substr(1); can_happen(lines[0], action)) {
      take(player.act(action));
    } else if (action.starts_with("wait ") && action.size() > 5 && action.size() < 15 &&
               action.find_first_not_of("0123456789", 5) == action.npos) {
      take(player.act(action));
    }
  }
  for (int i = 0; i < 3 && player.waits(); ++i) {
    take(player.act("ready"));
    take(player.act("wait 100"));
  }
  if (!player.waits()) player.end();
  if (testing::Test::HasFailure()) fuzz::fail("see above");
  return all;
}

/// The answers alone, in any order: whether news or an answer comes first is a matter of when a byte arrives.
std::vector<std::string> answers_of(const std::vector<std::string>& lines) {
  std::vector<std::string> answers;
  for (const std::string& line : lines) {
    if (line.find("\"method\":\"") == std::string::npos) answers.push_back(line);
  }
  std::sort(answers.begin(), answers.end());
  return answers;
}

// Two outcomes depend on when a byte arrives, and on nothing else: whether the first request with an id has ended when
// the next one comes, and whether a job sees notifications/initialized before its time is over.
bool depends_on_arrival(const std::vector<std::string>& answers) {
  return std::any_of(answers.begin(), answers.end(), [](const std::string& line) {
    return line.find("id is in use by a running request.") != line.npos ||
           line.find("notifications/initialized was not sent.") != line.npos;
  });
}

bool run(std::string_view input) {
  // The conversations are played when the stock is made, on the same devices as the input: not in the middle of it.
  static_cast<void>(stock());
  const std::vector<std::string> lines = lines_of(input);
  const std::vector<std::string> whole = answers_of(play(lines, {}));
  const std::vector<std::string> apart = answers_of(play(lines, {.byte_by_byte = true}));
  if (depends_on_arrival(whole) || depends_on_arrival(apart)) return true;
  for (std::size_t i = 0; i < std::min(apart.size(), whole.size()); ++i) {
    if (apart[i] != whole[i]) fuzz::fail("another answer byte by byte", apart[i], whole[i]);
  }
  if (apart.size() != whole.size())
    fuzz::fail("more or fewer answers byte by byte", std::to_string(apart.size()), std::to_string(whole.size()));
  return true;
}

std::vector<std::string> seeds() { return stock().seeds; }
std::vector<std::string> words() { return {}; }

// ---- Framing -----------------------------------------------------------------------------------------------------

/// Any bytes, with little space for a message.
std::vector<std::string> frames(std::string_view input, std::size_t cut) {
  Player player(*test::find_definition("full"), {.receive_size = 160, .transmit_size = 4096},
                {.cut = cut, .byte_by_byte = cut == 1});
  std::vector<std::string> all = player.deliver(input);
  for (const std::string& line : all) {
    if (!test::parse_json(line)) fuzz::fail("a line that is no JSON", line);
  }
  // Bytes after the last line end are a message when the client ends.
  if (input.ends_with('\n')) player.end();
  if (testing::Test::HasFailure()) fuzz::fail("see above");
  return all;
}

bool run_frames(std::string_view input) {
  const std::vector<std::string> whole = frames(input, 0);
  for (const std::size_t cut : {std::size_t{1}, 2 + input.size() / 3, 2 + input.size() / 2}) {
    if (frames(input, cut) != whole) fuzz::fail("other answers when it is cut", std::to_string(cut), input);
  }
  return true;
}

std::vector<std::string> frame_seeds() {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const std::string open = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                           R"("capabilities":{},"clientInfo":{"name":"c","version":""}}})";
  return {ping + "\n" + ping + "\r\n\n \t\r\n" + ping + "\n",
          open + "\n" + ping + "\n",
          std::string(157, ' ') + "{}\n",
          std::string(158, ' ') + "{}\n" + ping + "\n",
          std::string(159, ' ') + "{}\n",
          R"({"jsonrpc":"2.0","id":"too long","method":"ping","x":")" + std::string(400, 'x') + "\"}\n" + ping + "\n",
          "[" + ping + "," + ping + "]\n"};
}

std::vector<std::string> frame_words() {
  return {"\n",
          "\r\n",
          "\n\n",
          "\r",
          " \n",
          "\"id\":",
          "{\"id\":1}",
          "\"",
          "\\\"",
          "{",
          "}",
          std::string(100, 'x'),
          std::string(60, ' '),
          R"({"jsonrpc":"2.0","id":1,"method":"ping"})"};
}

// ---- States of MRTR -------------------------------------------------------------------------------------------------

std::string call(std::string_view more) {
  return std::string(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet")").append(more) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}})";
}

std::string ask(test::Bench& bench, mcp::SessionId session, std::string_view message) {
  std::string text = bench.ask(session, message);
  for (int i = 0; i < 4 && text.empty(); ++i) text = bench.next(session);
  return text;
}

std::string call_with(std::string_view state) {
  return call(R"(,"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"requestState":)" +
              test::json_string(state));
}

/// The input selects the changes of a state: pairs of a position and a value.
bool run_state(std::string_view input) {
  fuzz::Bytes bytes(input);
  test::Bench bench(test::mrtr, {.seals = bytes.byte() % 2 == 0});
  const mcp::SessionId session = bench.server.open(0);
  test::act_on_mrtr("forget mrtr");
  const auto answer = test::parse_json(ask(bench, session, call("")));
  const std::string state = answer ? answer->text_at("result.requestState") : "";
  if (state.empty()) fuzz::fail("no state", answer ? answer->raw : "");
  std::string changed = state;
  while (!bytes.empty()) {
    const unsigned what = bytes.byte();
    const std::size_t at = changed.empty() ? 0 : bytes.byte() * 256U % changed.size();
    const std::size_t place = changed.empty() ? 0 : (at + bytes.byte()) % changed.size();
    const auto value = static_cast<char>(bytes.byte() & 0x7F);
    switch (changed.empty() ? 1 : what % 5) {
      case 0: changed[place] = static_cast<char>(changed[place] ^ (1 << (value & 7))); break;
      case 1: changed.insert(place, 1, value); break;
      case 2: changed.erase(place, 1 + static_cast<std::size_t>(value) % 8); break;
      case 3: std::swap(changed[place], changed[static_cast<std::size_t>(value) % changed.size()]); break;
      default: changed[place] = value; break;
    }
  }
  const std::string came = ask(bench, session, call_with(changed));
  const auto json = test::parse_json(came);
  const std::string code = json ? json->text_at("error.code") : "";
  if (changed != state && code != "-32602" && code != "-32700")
    fuzz::fail("a changed state was not refused", came, changed);
  const auto good = test::parse_json(ask(bench, session, call_with(state)));
  const std::string text = good ? good->text_at("result.content.0.text") : "";
  if (changed != state && !text.starts_with("Hello Ann"))
    fuzz::fail("the state itself is of no use any more", good ? good->raw : "");
  return true;
}

std::vector<std::string> state_seeds() {
  std::vector<std::string> all = {std::string(1, '\0'), "\1"};
  fuzz::Random random(3);
  for (int i = 0; i < 32; ++i) {
    std::string seed;
    for (std::size_t size = 5 + 4 * random.below(3); size != 0; --size) seed += static_cast<char>(random.next());
    all.push_back(seed);
  }
  return all;
}

}  // namespace

namespace fuzz {
const Target server_target{"server", run, seeds, words, change, 16'384};
const Target stdio_target{"stdio", run_frames, frame_seeds, frame_words, nullptr, 1024};
const Target state_target{"state", run_state, state_seeds, words, nullptr, 64};
}  // namespace fuzz
