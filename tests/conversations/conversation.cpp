// SPDX-License-Identifier: Apache-2.0
#include "conversations/conversation.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace test {
namespace {

constexpr Sizes ample{.receive_size = 200'000, .transmit_size = 65'536};

std::string part_text(const Json& part) {
  if (part.kind == Json::Kind::string) return part.text;
  std::string text;
  if (const Json* const hex = part.find("hex")) {
    std::string digits = hex->text;
    digits.erase(std::remove(digits.begin(), digits.end(), ' '), digits.end());
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      text += static_cast<char>(std::strtoul(digits.substr(i, 2).c_str(), nullptr, 16));
    }
    return text;
  }
  const unsigned long count = std::strtoul(part.text_at("repeat").c_str(), nullptr, 10);
  EXPECT_NE(count, 0U) << "not a part of a text: " << part.raw;
  for (unsigned long i = 0; i < count; ++i) text += part.text_at("text");
  return text;
}

std::string whole_text(const Json& parts) {
  if (parts.kind != Json::Kind::array) return part_text(parts);
  std::string text;
  for (const Json& part : parts.items) text += part_text(part);
  return text;
}

// A text, or a list of texts.
std::vector<std::string> texts_of(const Json* value) {
  std::vector<std::string> texts;
  if (value == nullptr) return texts;
  if (value->kind == Json::Kind::string) texts.push_back(value->text);
  for (const Json& item : value->items) texts.push_back(item.text);
  return texts;
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << '"' << part << "\" is not in: " << text;
}

std::string request(const std::string& id, std::string_view method, const std::string& params) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":" + json_string(method) + ",\"params\":" + params + "}";
}

// The member that distinguishes the items of a list.
std::string name_of(const Json& item) {
  return item.find("taskId") != nullptr ? item.text_at("taskId") : item.text_at("name");
}

}  // namespace

namespace {

// Builds run a conversation about the type long if it has as many bits as the first line says.
bool is_of_this_build(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const auto header = parse_json(line);
  const std::string bits = header ? header->text_at("long") : "";
  return bits.empty() || bits == std::to_string(8 * sizeof(long));
}

}  // namespace

std::vector<std::string> conversation_files() {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(MOTE_CONVERSATIONS, error)) {
    if (entry.path().extension() == ".jsonl" && is_of_this_build(entry.path())) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Conversation::Conversation(const std::string& path) : name_(std::filesystem::path(path).filename().string()) {
  std::ifstream file(path);
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    std::string problem;
    const std::optional<Json> json = parse_json(text, &problem);
    if (!json || json->keys.empty()) {
      ADD_FAILURE() << path << ":" << line << ": " << (json ? "not a step" : problem);
      continue;
    }
    steps_.push_back({line, *json});
    lists_ = lists_ || json->keys[0] == "list" || text.find("/list\"") != std::string::npos;
  }
  if (steps_.empty()) steps_.push_back({0, {}});
  const Json header = steps_.front().json;
  steps_.pop_front();
  EXPECT_NE(header.text_at("rule"), "") << path << ": the first line says what is shown";
  EXPECT_NE(header.text_at("source"), "") << path << ": the first line says where the rule is from";
  cut_ = header.text_at("cut");
  late_ = header.text_at("late");
  vendor_ = header.text_at("vendor");
  definition_ = find_definition(header.find("device") != nullptr ? header.text_at("device") : "full");
  EXPECT_NE(definition_, nullptr) << path << ": no such device";
}

void Conversation::run() {
  ASSERT_NE(definition_, nullptr);
  Player player(*definition_, ample);
  for (const Step& step : steps_) {
    SCOPED_TRACE("line " + std::to_string(step.line));
    run_step(player, step);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(inbox_.empty()) << "not expected: " << inbox_.front();
  player.end();
}

void Conversation::run_step(Player& player, const Step& step) {
  const std::string& verb = step.json.keys[0];
  const Json& value = step.json.items[0];
  if (verb == "send") {
    send(player, filled_in(value.raw));
  } else if (verb == "send_text") {
    send(player, filled_in(whole_text(value)));
  } else if (verb == "send_prefixes") {
    send_prefixes(player, value.raw);
  } else if (verb == "open") {
    open(player, value.text, step.json.find("client"));
  } else if (verb == "call") {
    call(player, step);
  } else if (verb == "read") {
    read(player, step);
  } else if (verb == "list") {
    run_list(player, step.json);
  } else if (verb == "do") {
    act(player, value.text);
  } else if (verb == "expect") {
    expect(value, step.json.find("keep"));
  } else if (verb == "expect_error") {
    expect_error(value);
  } else if (verb == "expect_cut") {
    const std::string came = next();
    EXPECT_EQ(came, whole_text(value));
    EXPECT_FALSE(parse_json(came)) << "a whole message: " << came;
  } else if (verb == "silent") {
    EXPECT_TRUE(inbox_.empty()) << "the server says: " << inbox_.front();
  } else {
    EXPECT_EQ(verb, "note") << "no such step";
  }
}

void Conversation::open(Player& player, const std::string& revision, const Json* client) {
  const std::string params = "{\"protocolVersion\":" + json_string(revision) +
                             ",\"capabilities\":" + (client ? client->raw : "{}") +
                             ",\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}";
  send(player, request("\"open\"", "initialize", params));
  EXPECT_EQ(next_json().text_at("result.protocolVersion"), revision);
  send(player, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

void Conversation::call(Player& player, const Step& step) {
  const std::string id = std::to_string(step.line);
  const Json* const arguments = step.json.find("arguments");
  send(player, request(id, "tools/call",
                       "{\"name\":" + json_string(step.json.items[0].text) +
                           (arguments ? ",\"arguments\":" + arguments->raw : "") + "}"));
  if (const Json* const code = step.json.find("error")) {
    return expect_error(*parse_json("{\"code\":" + code->raw + ",\"id\":" + id + ",\"says\":[]}"));
  }
  const Json answer = next_json();
  EXPECT_EQ(answer.at("id") ? answer.at("id")->raw : "none", id) << answer.raw;
  const bool fails = step.json.find("fails") != nullptr;
  EXPECT_EQ(answer.text_at("result.isError"), fails ? "true" : "") << answer.raw;
  const Json* const content = answer.at("result.content");
  ASSERT_NE(content, nullptr) << answer.raw;
  if (fails) {
    ASSERT_EQ(content->items.size(), 1U) << answer.raw;
    EXPECT_EQ(content->items[0].text_at("type"), "text");
    EXPECT_NE(content->items[0].text_at("text"), "") << "no sentence for the model";
    return expect_parts(content->items[0].text_at("text"), texts_of(step.json.find("fails")));
  }
  std::string wanted;
  for (const std::string& text : texts_of(step.json.find("answers"))) {
    wanted += (wanted.empty() ? "" : ",") + ("{\"type\":\"text\",\"text\":" + json_string(text)) + "}";
  }
  EXPECT_EQ(*content, *parse_json("[" + wanted + "]")) << "wanted: " << wanted << "\ncame:   " << answer.raw;
}

void Conversation::read(Player& player, const Step& step) {
  const std::string id = std::to_string(step.line);
  const std::string uri = "{\"uri\":" + step.json.items[0].raw;
  send(player, request(id, "resources/read", uri + "}"));
  if (const Json* const code = step.json.find("error")) {
    const Json* const says = step.json.find("says");
    const std::string data = code->raw == "-32002" ? ",\"data\":" + uri + "}" : "";
    return expect_error(*parse_json("{\"code\":" + code->raw + ",\"id\":" + id + data +
                                    ",\"says\":" + (says ? says->raw : "[]") + "}"));
  }
  std::string item = uri;
  for (const char* const key : {"mimeType", "text", "blob"}) {
    if (const Json* const value = step.json.find(key)) item += "," + json_string(key) + ":" + value->raw;
  }
  expect(*parse_json("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"contents\":[" + item + "}]}}"));
}

void Conversation::send(Player& player, const std::string& text) {
  EXPECT_TRUE(inbox_.empty()) << "not expected: " << inbox_.front();
  events_.push_back({Event::Kind::line, text, player.deliver(player.line(text)), nullptr});
  inbox_.assign(events_.back().output.begin(), events_.back().output.end());
}

// A prefix has an id if a character after the id ends it, and if the id is an integer.
void Conversation::send_prefixes(Player& player, std::string_view text) {
  const std::string id = parse_json(text)->at("id")->raw;
  const bool is_integer = id.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t end = is_integer ? text.find("\"id\":" + id) + 5 + id.size() : text.size();
  for (std::size_t size = 1; size < text.size(); ++size) {
    SCOPED_TRACE("the first " + std::to_string(size) + " bytes");
    send(player, std::string(text.substr(0, size)));
    expect_error(*parse_json(size > end ? "{\"code\":-32700,\"id\":" + id + "}" : "{\"code\":-32700}"));
  }
}

void Conversation::act(Player& player, const std::string& action) {
  EXPECT_TRUE(inbox_.empty()) << "not expected: " << inbox_.front();
  events_.push_back({Event::Kind::action, action, player.act(action), nullptr});
  inbox_.assign(events_.back().output.begin(), events_.back().output.end());
}

void Conversation::run_list(Player& player, const Json& step) {
  const std::string method = step.items[0].text;
  std::vector<Json> items;
  std::string params = "{}";
  events_.push_back({Event::Kind::list, {}, {}, &step});
  for (unsigned page = 1; !params.empty(); ++page) {
    ASSERT_LT(page, 1000U) << "a list without end";
    const std::string text = request("\"page " + std::to_string(page) + "\"", method, params);
    events_.push_back({Event::Kind::page, text, player.deliver(player.line(text)), nullptr});
    const std::vector<std::string>& output = events_.back().output;
    ASSERT_EQ(output.size(), 1U);
    const std::optional<Json> answer = parse_json(output[0]);
    ASSERT_TRUE(answer && answer->at("result") != nullptr) << output[0];
    EXPECT_EQ(answer->text_at("id"), "page " + std::to_string(page));
    const Json& result = *answer->at("result");
    ASSERT_EQ(result.items[0].kind, Json::Kind::array) << output[0];
    EXPECT_FALSE(page > 1 && result.items[0].items.empty()) << "a page without items";
    items.insert(items.end(), result.items[0].items.begin(), result.items[0].items.end());
    const Json* const cursor = result.find("nextCursor");
    EXPECT_EQ(result.items.size(), cursor ? 2U : 1U) << output[0];
    params = cursor ? "{\"cursor\":" + cursor->raw + "}" : "";
  }
  if (step.find("names") != nullptr) {
    std::vector<std::string> names;
    for (const Json& item : items) names.push_back(name_of(item));
    EXPECT_EQ(names, texts_of(step.find("names")));
  }
  const Json* const wanted = step.find("has");
  for (std::size_t i = 0; wanted != nullptr && i < wanted->items.size(); ++i) {
    const Json& item = wanted->items[i];
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const Json& other) { return name_of(other) == name_of(item); });
    ASSERT_NE(found, items.end()) << "not in the list: " << item.raw;
    EXPECT_TRUE(*found == item) << "wanted: " << item.raw << "\ncame:   " << found->raw;
  }
}

std::string Conversation::next() {
  if (inbox_.empty()) {
    ADD_FAILURE() << "the server says nothing";
    return "null";
  }
  const std::string line = inbox_.front();
  inbox_.pop_front();
  return line;
}

Json Conversation::next_json() {
  const std::string line = next();
  std::string problem;
  const std::optional<Json> json = parse_json(line, &problem);
  EXPECT_TRUE(json) << "not JSON: " << problem << ": " << line;
  return json.value_or(Json{});
}

std::string Conversation::filled_in(std::string text) const {
  for (const auto& [name, value] : kept_) {
    const std::string mark = "{{" + name + "}}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

void Conversation::expect(const Json& message, const Json* keep) {
  const Json came = next_json();
  if (keep != nullptr) {
    for (std::size_t i = 0; i < keep->keys.size(); ++i) {
      const Json* const value = came.at(keep->items[i].text);
      ASSERT_TRUE(value != nullptr && value->kind == Json::Kind::string) << keep->items[i].text << " in " << came.raw;
      kept_[keep->keys[i]] = value->raw.substr(1, value->raw.size() - 2);
    }
  }
  const Json wanted = parse_json(filled_in(message.raw)).value_or(Json{});
  EXPECT_TRUE(came == wanted) << "wanted: " << wanted.raw << "\ncame:   " << came.raw;
  if (came.find("id") && wanted.find("id")) {
    EXPECT_EQ(came.find("id")->raw, wanted.find("id")->raw);
  }
}

void Conversation::expect_error(const Json& wanted) {
  const Json came = next_json();
  SCOPED_TRACE(came.raw);
  EXPECT_EQ(came.text_at("jsonrpc"), "2.0");
  EXPECT_EQ(came.text_at("error.code"), wanted.text_at("code"));
  EXPECT_NE(came.text_at("error.message"), "");
  expect_parts(came.text_at("error.message"), texts_of(wanted.find("says")));
  const auto raw = [](const Json* value) { return value == nullptr ? "none" : value->raw; };
  EXPECT_EQ(raw(came.find("id")), raw(wanted.find("id")));
  const Json* const data = came.at("error.data");
  const Json* const wanted_data = wanted.find("data");
  EXPECT_TRUE(data == wanted_data || (data != nullptr && wanted_data != nullptr && *data == *wanted_data)) << "data";
  EXPECT_EQ(came.items.size(), wanted.find("id") ? 3U : 2U);
}

bool is_streamed(std::string_view line) {
  return line.find(R"("result":{"contents":[{"uri":"stream:)") != std::string_view::npos;
}

bool is_history(std::string_view line) { return line.find(R"(,\"truncated\":)") != std::string_view::npos; }

std::size_t Conversation::longest_line() const {
  std::size_t longest = 128;
  for (const Event& event : events_) {
    const bool is_line = event.kind == Event::Kind::line || event.kind == Event::Kind::page;
    if (is_line) longest = std::max(longest, event.input.size());
  }
  return longest;
}

std::size_t Conversation::least_window() const {
  std::size_t least = mcp::detail::error_frame + 40;
  for (const Event& event : events_) {
    const bool needed = event.kind == Event::Kind::action || event.input.find("initialize\"") != std::string::npos;
    for (const std::string& line : event.output) {
      // A batch is carried out where an error under each id fits.
      const std::optional<Json> batch = event.input.starts_with('[') ? parse_json(event.input) : std::nullopt;
      if (batch) least = std::max(least, 2 + batch->items.size() * 160);
      // Does not replace notifications and requests of the server by an error.
      if ((needed && !is_streamed(line)) || line.find("\"method\":") != std::string::npos)
        least = std::max(least, line.size());
    }
  }
  if (!lists_) return least;
  // As the compile-time check of Limits has it, with its 40 bytes for an id.
  using mcp::detail::pages_size;
  const mcp::Definition& all = *definition_;
  return std::max({least, pages_size("tools", all.tools.rows(), all, 40),
                   pages_size("resources", all.resources.rows(), all, 40),
                   pages_size("resourceTemplates", all.resource_templates.rows(), all, 40),
                   pages_size("prompts", all.prompts.rows(), all, 40)});
}

}  // namespace test
