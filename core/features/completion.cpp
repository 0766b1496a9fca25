// SPDX-License-Identifier: Apache-2.0
// completion/complete. Source: server/utilities/completion, 2025-11-25.
#include "mcp/completion.hpp"
#include "engine/error_texts.hpp"
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/rows.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/uri_template.hpp"

namespace mcp {

void Completions::offer(std::string_view value) {
  if (matcher_ != nullptr ? !matcher_(typed_, value) : !value.starts_with(typed_)) return;
  ++total_;
  // After the first value that does not fit, all others are omitted, because the best come first.
  if (sent_ == max_values || sent_ + 1 != total_) return;
  const json::Writer::Mark mark = out_.mark();
  out_.string(value);
  if (out_.ok()) {
    ++sent_;
  } else {
    out_.rollback(mark);
  }
}

namespace protocol {
namespace {

// Must still fit after the values: `],"total":18446744073709551615,"hasMore":true}}}`.
constexpr std::size_t tail_size = 64;

struct Reference {
  bool found = false;  // the prompt or template is enabled, and has this argument
  Match match = Match::prefix;
  Complete complete = nullptr;
};

// The letters A to Z in lower case. All other bytes stay, so no character of UTF-8 becomes another one.
char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool begins(std::string_view typed, std::string_view value) {
  if (value.size() < typed.size()) return false;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    if (fold(typed[i]) != fold(value[i])) return false;
  }
  return true;
}

// A value that begins with `typed` was sent by the first call.
bool contains_elsewhere(std::string_view typed, std::string_view value) {
  if (begins(typed, value)) return false;
  for (; value.size() > typed.size(); value.remove_prefix(1)) {
    if (begins(typed, value.substr(1))) return true;
  }
  return false;
}

// Templates over `ranked`: all functions of a server without Match::anywhere are as if there were no other ones.
template <bool ranked>
Reference find_prompt(Request& request, const std::string_view& name, const std::string_view& argument) {
  const std::span<const Prompt> rows = request.definition.prompts.rows();
  const std::size_t row = find_row(request, ListKind::prompts, rows, name);
  if (row >= rows.size()) return {};
  for (const PromptArgument& known : rows[row].arguments.rows()) {
    if (json::equal(known.name, argument)) return {true, rows[row].match, rows[row].complete};
  }
  return {};
}

template <bool ranked>
Reference find_template(Request& request, const std::string_view& uri, const std::string_view& variable) {
  const std::span<const ResourceTemplate> rows = request.definition.resource_templates.rows();
  const std::size_t row = find_row(request, ListKind::resource_templates, rows, uri);
  if (row >= rows.size() || !has_variable(rows[row].uri_template, variable)) return {};
  return {true, rows[row].match, rows[row].complete};
}

template <bool ranked>
void answer(Request& request, const Reference& found, const CompletionRequest& typed) {
  json::Writer& out = request.out;
  request.result_begin();
  request.write_meta();
  out.fragment("\"completion\":{\"values\":[");
  const std::size_t tail = out.reserve(tail_size);
  const bool anywhere = ranked && found.match == Match::anywhere;
  Completions completions(out, typed.value(), anywhere ? begins : nullptr);
  Errc errc = Errc::ok;
  if (found.complete != nullptr) {
    errc = found.complete(typed, completions);
    if (anywhere && errc == Errc::ok) {
      completions.match_by(contains_elsewhere);
      errc = found.complete(typed, completions);
    }
  }
  out.release(tail);
  if (errc != Errc::ok) return request.fail(describe(errc));
  out.array_end();
  out.member("total", completions.total());
  out.member("hasMore", completions.sent() != completions.total());
  out.object_end();
  request.finish();
}

template <bool ranked>
void complete(Request& request) {
  const RateLimiter* const limiter = request.storage.links.rate_limiter;
  if (limiter != nullptr && !limiter->request(request)) return;
  const json::Value ref = request.params.find("ref");
  const json::Value argument = request.params.find("argument");
  const json::Value name = json::find_member(argument, "name");
  const json::Value value = json::find_member(argument, "value");
  if (!name.is(json::Type::string) || !value.is(json::Type::string)) {
    return request.fail("argument must have a name and a value, both strings.");
  }
  const json::Value type = json::find_member(ref, "type");
  Reference found;
  if (type.equals("ref/prompt")) {
    found = find_prompt<ranked>(request, json::find_member(ref, "name").string(), name.string());
  } else if (type.equals("ref/resource")) {
    found = find_template<ranked>(request, json::find_member(ref, "uri").string(), name.string());
  } else {
    return request.fail("ref must have the type ref/prompt or ref/resource.");
  }
  if (!found.found) return request.fail("Unknown prompt, resource template or argument.");
  const json::Value context = json::find_member(request.params.find("context"), "arguments");
  answer<ranked>(request, found, CompletionRequest(name.string(), value.string(), context));
}

constexpr FeatureMethod completion_methods[] = {{"completion/complete", complete<false>}};
constexpr FeatureMethod ranked_completion_methods[] = {{"completion/complete", complete<true>}};

}  // namespace

constinit const Feature completions_feature{completion_methods};
constinit const Feature ranked_completions_feature{ranked_completion_methods};

}  // namespace protocol
}  // namespace mcp
