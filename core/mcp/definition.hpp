// Everything the server says about the device: one constant, in flash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/audit.hpp"
#include "mcp/eras.hpp"
#include "mcp/extras.hpp"
#include "mcp/prompt.hpp"
#include "mcp/resource.hpp"
#include "mcp/switches.hpp"
#include "mcp/tool.hpp"
#include "mcp/uri.hpp"

namespace mcp {

namespace protocol {
struct Feature;
struct TemplateReader;
struct TaskCode;
extern const Feature base_feature;
extern const Feature tools_feature;
extern const Feature resources_feature;
extern const Feature prompts_feature;
// The same for tables in which a row has extras or an output.
extern const Feature decorated_tools_feature;
extern const Feature decorated_resources_feature;
extern const Feature decorated_prompts_feature;
extern const Feature asking_prompts_feature;  // decorated or not
extern const TemplateReader decorated_template_reader;
extern const Feature jobs_feature;
extern const Feature completions_feature;
extern const Feature asking_feature;
extern const Feature client_feature;
extern const Feature streams_feature;
extern const TemplateReader template_reader;
extern const Feature tasks_feature;
extern const Feature stateless_tasks_feature;
extern const TaskCode task_code;
extern const TaskCode stateless_task_code;
}  // namespace protocol

namespace mistake {
void a_resource_needs_a_uri_with_a_scheme();
void a_resource_needs_a_name();
void a_resource_needs_a_read_function();
void a_resource_has_a_read_function_or_a_stream_and_not_both();
void two_resources_have_the_same_uri();
void two_templates_have_the_same_uri_template();
void a_uri_template_has_an_expression_that_cannot_be_matched_back();
void a_prompt_needs_a_name();
void a_prompt_needs_a_get_function();
void two_prompts_have_the_same_name();
void two_arguments_of_a_prompt_have_the_same_name();
void a_definition_needs_a_name_and_a_version();
}  // namespace mistake

/// The tables are references to constant arrays, made by naming the array: `.tools = tools`. With the rows comes the
/// code that serves them: an area that no table names is not linked.
class ToolTable {
 public:
  constexpr ToolTable() = default;
  template <std::size_t N>
  consteval ToolTable(const Tool (&rows)[N])
      : rows_(rows), feature_(&protocol::tools_feature) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < N; ++i) {
      if (rows[i].is_job) jobs_ = &protocol::jobs_feature;
      // Both read what a client can do.
      if (rows[i].asks) asks_ = true;
      if (rows[i].asks || (rows[i].info.knows_client && !asks_)) {
        asking_ = asks_ ? &protocol::asking_feature : &protocol::client_feature;
      }
      if (rows[i].info.extras.any() || rows[i].output_count != 0) feature_ = &protocol::decorated_tools_feature;
      if (rows[i].info.task_support != TaskSupport::forbidden) {
        has_tasks_ = true;
        feature_ = &protocol::decorated_tools_feature;
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].info.name == rows[j].info.name) mistake::two_tools_have_the_same_name();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const Tool> rows() const { return rows_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }
  [[nodiscard]] constexpr const protocol::Feature* jobs() const { return jobs_; }
  [[nodiscard]] constexpr const protocol::Feature* asking() const { return asking_; }
  [[nodiscard]] constexpr bool has_tasks() const { return has_tasks_; }
  [[nodiscard]] constexpr bool asks() const { return asks_; }

 private:
  std::span<const Tool> rows_;
  const protocol::Feature* feature_ = nullptr;
  const protocol::Feature* jobs_ = nullptr;
  const protocol::Feature* asking_ = nullptr;
  bool has_tasks_ = false;
  bool asks_ = false;  // for compile time, where GCC's sanitizers compare no addresses
};

class ResourceTable {
 public:
  constexpr ResourceTable() = default;
  template <std::size_t N>
  consteval ResourceTable(const Resource (&rows)[N])  // NOLINT(google-explicit-constructor)
      : rows_(rows), feature_(&protocol::resources_feature) {
    for (std::size_t i = 0; i < N; ++i) {
      if (rows[i].extras.any()) feature_ = &protocol::decorated_resources_feature;
      if (!detail::is_uri(rows[i].uri)) mistake::a_resource_needs_a_uri_with_a_scheme();
      if (rows[i].name.empty()) mistake::a_resource_needs_a_name();
      if (rows[i].stream.on()) {
        if (rows[i].read != nullptr) mistake::a_resource_has_a_read_function_or_a_stream_and_not_both();
        streams_ = &protocol::streams_feature;
      } else if (rows[i].read == nullptr) {
        mistake::a_resource_needs_a_read_function();
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].uri == rows[j].uri) mistake::two_resources_have_the_same_uri();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const Resource> rows() const { return rows_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }
  [[nodiscard]] constexpr const protocol::Feature* streams() const { return streams_; }

 private:
  std::span<const Resource> rows_;
  const protocol::Feature* feature_ = nullptr;
  const protocol::Feature* streams_ = nullptr;
};

class ResourceTemplateTable {
 public:
  constexpr ResourceTemplateTable() = default;
  template <std::size_t N>
  consteval ResourceTemplateTable(const ResourceTemplate (&rows)[N])  // NOLINT(google-explicit-constructor)
      : rows_(rows),
        feature_(&protocol::resources_feature),
        reader_(&protocol::template_reader),
        match_(match_simple_uri) {
    for (std::size_t i = 0; i < N; ++i) {
      if (rows[i].extras.any()) {
        feature_ = &protocol::decorated_resources_feature;
        reader_ = &protocol::decorated_template_reader;
      }
      if (!is_matchable(rows[i].uri_template)) mistake::a_uri_template_has_an_expression_that_cannot_be_matched_back();
      if (!is_simple(rows[i].uri_template)) match_ = match_uri;
      if (rows[i].name.empty()) mistake::a_resource_needs_a_name();
      if (rows[i].read == nullptr) mistake::a_resource_needs_a_read_function();
      if (rows[i].complete != nullptr) completions_ = &protocol::completions_feature;
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].uri_template == rows[j].uri_template) mistake::two_templates_have_the_same_uri_template();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const ResourceTemplate> rows() const { return rows_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }
  [[nodiscard]] constexpr const protocol::Feature* completions() const { return completions_; }
  [[nodiscard]] constexpr const protocol::TemplateReader* reader() const { return reader_; }
  /// Matches a URI against the template of a row.
  [[nodiscard]] bool match(const ResourceTemplate& row, std::string_view uri, TemplateMatch& match) const {
    return match_(row.uri_template, uri, match);
  }

 private:
  std::span<const ResourceTemplate> rows_;
  const protocol::Feature* feature_ = nullptr;
  const protocol::Feature* completions_ = nullptr;
  const protocol::TemplateReader* reader_ = nullptr;
  bool (*match_)(std::string_view uri_template, std::string_view uri, TemplateMatch& match) = nullptr;
};

class PromptTable {
 public:
  constexpr PromptTable() = default;
  template <std::size_t N>
  consteval PromptTable(const Prompt (&rows)[N])
      : rows_(rows), feature_(&protocol::prompts_feature) {  // NOLINT(google-explicit-constructor)
    bool asks = false;
    for (std::size_t i = 0; i < N; ++i) {
      if (rows[i].name.empty()) mistake::a_prompt_needs_a_name();
      if (rows[i].extras.any()) feature_ = &protocol::decorated_prompts_feature;
      asks = asks || rows[i].get.asks();
      if (!rows[i].get.given()) mistake::a_prompt_needs_a_get_function();
      if (rows[i].complete != nullptr) completions_ = &protocol::completions_feature;
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].name == rows[j].name) mistake::two_prompts_have_the_same_name();
      }
      check(rows[i].arguments.rows());
    }
    if (asks) feature_ = &protocol::asking_prompts_feature;
  }
  [[nodiscard]] constexpr std::span<const Prompt> rows() const { return rows_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }
  [[nodiscard]] constexpr const protocol::Feature* completions() const { return completions_; }

 private:
  static consteval void check(std::span<const PromptArgument> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].name.empty()) mistake::a_parameter_needs_a_name();
      for (std::size_t j = 0; j < i; ++j) {
        if (arguments[i].name == arguments[j].name) mistake::two_arguments_of_a_prompt_have_the_same_name();
      }
    }
  }

  std::span<const Prompt> rows_;
  const protocol::Feature* feature_ = nullptr;
  const protocol::Feature* completions_ = nullptr;
};

/// By which code calls of tools become tasks, in each era that is spoken: what neither the tools nor the eras know
/// alone.
class TaskEras {
 public:
  constexpr TaskEras(const ToolTable& tools, const Eras& eras)  // NOLINT(google-explicit-constructor)
      : sessions_(tools.has_tasks() && eras.legacy() ? &protocol::task_code : nullptr),
        stateless_(tools.has_tasks() && eras.modern() ? &protocol::stateless_task_code : nullptr) {}
  [[nodiscard]] constexpr const protocol::TaskCode* sessions() const { return sessions_; }
  [[nodiscard]] constexpr const protocol::TaskCode* stateless() const { return stateless_; }

 private:
  const protocol::TaskCode* sessions_;
  const protocol::TaskCode* stateless_;
};

/// What can be listed: the tables of a Definition, and tasks.
enum class Area : std::uint8_t { tools, resources, resource_templates, prompts, tasks };

struct Definition;

namespace detail {

/// The areas of a Definition, each once: what every server has, and what its tables and switches bring along. Streams
/// come before all that writes: a message that they have begun goes on before anything else, and they know the rows of
/// `resources/read` that are theirs. What may end a session comes last.
class FeatureList {
 public:
  static constexpr std::size_t capacity = 19;
  constexpr explicit FeatureList(const Definition& all);
  /// A nullptr stands behind the last one; one may stand twice, in places beside each other.
  [[nodiscard]] constexpr const protocol::Feature* const* begin() const { return features_; }

 private:
  static constexpr const protocol::Feature* feature(bool there, const protocol::Feature& area) {
    return there ? &area : nullptr;
  }

  const protocol::Feature* features_[capacity + 1] = {};
};

}  // namespace detail

/// The device. Strings are UTF-8 literals.
struct Definition {
  std::string_view name = {};          ///< Of the server, for programs. Required.
  std::string_view title = {};         ///< For people. Not sent when empty, nor before revision 2025-06-18.
  std::string_view version = {};       ///< Of the firmware. Required.
  std::string_view instructions = {};  ///< How a model should use this device. Not sent when empty.
  ExtrasOf<ServerExtras> extras = {};  ///< Description, website and icons: names a constant.
  /// Which revisions are spoken.
  Eras eras = {};
  ToolTable tools = {};
  ResourceTable resources = {};
  ResourceTemplateTable resource_templates = {};
  PromptTable prompts = {};
  /// Clients may follow what Server::log() is given. Needs Limits::log_size.
  Switch<protocol::logging_feature> logging = {};
  /// Rows of the tables can be switched off and on with Server::set_enabled(), and clients are told. Needs
  /// Limits::rows.
  Switch<protocol::list_changes_feature> list_changes = {};
  /// Stateless clients may listen to what changes: the resources that are subscribable, and the lists, with
  /// `.list_changes`. Without, only clients of the older revisions are told. Needs Limits::subscriptions.
  Subscriptions subscriptions = {};
  /// Clients are told with Server::elicitation_completed() when what they opened a URL for is done. Needs
  /// Limits::elicitations.
  Switch<protocol::elicitation_ends_feature> url_elicitations = {};
  /// Called when a client says that its roots changed: a job may ask for them anew.
  RootsChanged roots_changed = {};
  /// Told of every request: who, what, how it ended.
  Audit audit = {};
  /// Clients that fell silent are asked whether they are still there.
  KeepAlive keep_alive = {};
  TaskEras task_eras{tools, eras};  ///< Follows from the others: leave it out, and the next one, too.
  detail::FeatureList features{*this};

  /// Rows of all tables that stand before those of `area`: with it every row has a number.
  [[nodiscard]] constexpr std::size_t rows_before(Area area) const {
    std::size_t count = 0;
    if (area > Area::tools) count += tools.rows().size();
    if (area > Area::resources) count += resources.rows().size();
    if (area > Area::resource_templates) count += resource_templates.rows().size();
    return count;
  }
};

constexpr detail::FeatureList::FeatureList(const Definition& all) {
  const protocol::Feature* const areas[capacity] = {
      all.eras.sessions(), all.resources.streams(), all.tools.feature(),
      // Resources and templates are one area, and so are the completions of prompts and of templates.
      all.resources.rows().empty() ? all.resource_templates.feature() : all.resources.feature(), all.prompts.feature(),
      all.prompts.completions(), all.resource_templates.completions(), all.logging.feature(),
      all.list_changes.feature(), all.tools.jobs(),
      feature(all.tools.has_tasks() && all.eras.legacy(), protocol::tasks_feature), all.url_elicitations.feature(),
      all.roots_changed.feature(), all.keep_alive.answers(), all.tools.asking(),
      feature(all.subscriptions.on(), protocol::subscriptions_feature), all.keep_alive.feature(), all.eras.discover(),
      // Adds to what others have read of a client.
      feature(all.tools.has_tasks() && all.eras.modern(), protocol::stateless_tasks_feature)};
  std::size_t count = 0;
  for (const protocol::Feature* const area : areas) {
    if (area != nullptr) features_[count++] = area;
  }
}

}  // namespace mcp
