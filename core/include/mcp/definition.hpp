// SPDX-License-Identifier: Apache-2.0
/// @file
/// The description of the device: one constant, in flash.
/// @code
/// mcp::Errc read_celsius(mcp::ReadResult& out) { return out.number(board::celsius()); }
/// constexpr mcp::Resource resources[] = {{.uri = "sensor://celsius", .name = "celsius", .read = read_celsius}};
/// constexpr mcp::Definition definition{.name = "thermometer",
///                                      .version = "1.0.0",
///                                      .instructions = "Read sensor://celsius.",
///                                      .resources = resources};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/audit.hpp"
#include "mcp/eras.hpp"
#include "mcp/extras.hpp"
#include "mcp/feature_flags.hpp"
#include "mcp/found.hpp"
#include "mcp/method.hpp"
#include "mcp/prompt.hpp"
#include "mcp/resource.hpp"
#include "mcp/scopes.hpp"
#include "mcp/tool.hpp"
#include "mcp/uri.hpp"
#include "mcp/with_caller.hpp"

namespace mcp {

namespace compile_error {
void a_resource_needs_a_uri_with_a_scheme();
void a_resource_needs_a_name();
void a_resource_needs_a_read_function();
void a_resource_must_have_a_read_function_or_a_stream_and_not_both();
void a_uri_must_have_escapes_in_normal_form();
void two_resources_must_not_have_the_same_uri();
void a_resource_with_a_scope_must_have_no_ttl_ms();
void two_templates_must_not_have_the_same_uri_template();
void a_uri_template_must_have_expressions_that_can_be_matched_back();
void a_literal_between_two_variables_of_a_uri_template_needs_a_reserved_character_other_than_their_separator();
void a_variable_of_a_uri_template_must_not_be_followed_by_a_variable_that_begins_with_a_dot();
void a_prompt_needs_a_name();
void a_prompt_needs_a_get_function();
void two_prompts_must_not_have_the_same_name();
void two_arguments_of_a_prompt_must_not_have_the_same_name();
void match_needs_a_complete_function();
void a_definition_needs_a_name_and_a_version();
void rows_with_as_tool_need_tools_of_as_the_tools_of_the_definition();
void asks_itself_needs_a_tool_or_prompt_that_may_request_input();
void input_before_task_needs_a_job_that_may_request_input_and_task_support();
void poll_interval_ms_must_be_at_least_1_and_needs_task_support();
void task_outlives_session_needs_task_support();
}  // namespace compile_error

namespace detail {

consteval void check_ambiguity(std::string_view uri_template) {
  switch (find_ambiguity(uri_template)) {
    case Ambiguity::literal:
      return compile_error::
          a_literal_between_two_variables_of_a_uri_template_needs_a_reserved_character_other_than_their_separator();
    case Ambiguity::variable:
      return compile_error::a_variable_of_a_uri_template_must_not_be_followed_by_a_variable_that_begins_with_a_dot();
    default: return;
  }
}

}  // namespace detail

/// A reference to a constant array of tools, made by naming the array: `.tools = tools`. The linker adds the code of
/// tools only if a Definition names such an array. Clients get the rows in the order of the array, and some hosts read
/// the first page only: the most important tools come first (see Limits::tools_in_one_page). Lifetime: the array lives
/// as long as the program. Limits: 65535 rows. Errors: an invalid row, such as a name that occurs twice, does not
/// compile.
class ToolTable {
 public:
  /// @cond server
  constexpr ToolTable() = default;
  template <std::size_t N>
  consteval ToolTable(const Tool (&rows)[N]) : rows_(rows) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= 0xFFFF, "a table has at most 65535 rows");
    for (std::size_t i = 0; i < N; ++i) {
      const bool has_tasks = rows[i].info.task_support != TaskSupport::forbidden;
      has_jobs_ = has_jobs_ || rows[i].is_job;
      asks_ = asks_ || rows[i].asks;
      if (rows[i].info.asks_itself && !rows[i].asks)
        compile_error::asks_itself_needs_a_tool_or_prompt_that_may_request_input();
      if (rows[i].info.input_before_task && !(rows[i].asks && has_tasks))
        compile_error::input_before_task_needs_a_job_that_may_request_input_and_task_support();
      if (rows[i].info.task_outlives_session && !has_tasks) compile_error::task_outlives_session_needs_task_support();
      if (rows[i].info.poll_interval_ms == 0 || (rows[i].info.poll_interval_ms != 1000 && !has_tasks))
        compile_error::poll_interval_ms_must_be_at_least_1_and_needs_task_support();
      knows_client_ = knows_client_ || rows[i].info.knows_client;
      has_tasks_ = has_tasks_ || has_tasks;
      requires_tasks_ = requires_tasks_ || rows[i].info.task_support == TaskSupport::required;
      tasks_outlive_ = tasks_outlive_ || rows[i].info.task_outlives_session;
      wire_only_ = wire_only_ || rows[i].is_wire_only;
      has_scheduled_ = has_scheduled_ || rows[i].scheduled_size != 0;
      extended_ = extended_ || has_tasks || rows[i].info.extras.any() || rows[i].output_count != 0;
      scoped_ = scoped_ || rows[i].info.scope.given();
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].info.name == rows[j].info.name) compile_error::two_tools_must_not_have_the_same_name();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const Tool> rows() const { return rows_; }
  /// True when a client sees more of a row than its name, title, description and arguments.
  [[nodiscard]] constexpr bool extended() const { return extended_; }
  [[nodiscard]] constexpr bool has_jobs() const { return has_jobs_; }
  [[nodiscard]] constexpr bool has_tasks() const { return has_tasks_; }
  /// True if each call of a row must be a task.
  [[nodiscard]] constexpr bool requires_tasks() const { return requires_tasks_; }
  /// True if tasks may continue when their session ends.
  [[nodiscard]] constexpr bool tasks_outlive() const { return tasks_outlive_; }
  /// True if a client can schedule calls of a row.
  [[nodiscard]] constexpr bool has_scheduled() const { return has_scheduled_; }
  [[nodiscard]] constexpr bool asks() const { return asks_; }
  [[nodiscard]] constexpr bool knows_client() const { return knows_client_; }
  /// True if a row must not be served over a network.
  [[nodiscard]] constexpr bool wire_only() const { return wire_only_; }
  /// True if a row needs a scope.
  [[nodiscard]] constexpr bool scoped() const { return scoped_; }
  /// @endcond

 private:
  std::span<const Tool> rows_;
  bool extended_ = false;
  bool has_jobs_ = false;
  bool has_tasks_ = false;
  bool requires_tasks_ = false;
  bool tasks_outlive_ = false;
  bool asks_ = false;
  bool knows_client_ = false;
  bool wire_only_ = false;
  bool scoped_ = false;
  bool has_scheduled_ = false;
};

/// A reference to a constant array of resources, as ToolTable. Errors: an invalid URI does not compile.
class ResourceTable {
 public:
  /// @cond server
  constexpr ResourceTable() = default;
  template <std::size_t N>
  consteval ResourceTable(const Resource (&rows)[N]) : rows_(rows) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= 0xFFFF, "a table has at most 65535 rows");
    for (std::size_t i = 0; i < N; ++i) {
      extended_ = extended_ || rows[i].extras.any();
      subscribable_ = subscribable_ || rows[i].subscribable;
      scoped_ = scoped_ || rows[i].scope.given();
      if (rows[i].scope.given() && rows[i].ttl_ms != 0) compile_error::a_resource_with_a_scope_must_have_no_ttl_ms();
      asks_ = asks_ || rows[i].asks;
      figures_ = figures_ || rows[i].figures;
      open_figures_ = open_figures_ || (rows[i].figures && !rows[i].scope.given());
      if (rows[i].job_size > job_size_) job_size_ = rows[i].job_size;
      if (!detail::is_uri(rows[i].uri)) compile_error::a_resource_needs_a_uri_with_a_scheme();
      if (!detail::is_normal_uri(rows[i].uri)) compile_error::a_uri_must_have_escapes_in_normal_form();
      if (rows[i].name.empty()) compile_error::a_resource_needs_a_name();
      if (rows[i].stream.on()) {
        if (rows[i].read != nullptr) compile_error::a_resource_must_have_a_read_function_or_a_stream_and_not_both();
        has_streams_ = true;
      } else if (rows[i].read == nullptr) {
        compile_error::a_resource_needs_a_read_function();
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].uri == rows[j].uri) compile_error::two_resources_must_not_have_the_same_uri();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const Resource> rows() const { return rows_; }
  [[nodiscard]] constexpr bool extended() const { return extended_; }
  [[nodiscard]] constexpr bool has_streams() const { return has_streams_; }
  [[nodiscard]] constexpr bool asks() const { return asks_; }
  /// The largest state of a read, in bytes; 0: no read is a job.
  [[nodiscard]] constexpr std::size_t job_size() const { return job_size_; }
  /// True if clients can subscribe to a row.
  [[nodiscard]] constexpr bool subscribable() const { return subscribable_; }
  [[nodiscard]] constexpr bool scoped() const { return scoped_; }
  /// True if a row is made by health_resource().
  [[nodiscard]] constexpr bool figures() const { return figures_; }
  /// True if such a row has no scope.
  [[nodiscard]] consteval bool open_figures() const { return open_figures_; }
  /// @endcond

 private:
  std::span<const Resource> rows_;
  bool extended_ = false;
  bool figures_ = false;
  bool open_figures_ = false;
  bool subscribable_ = false;
  bool has_streams_ = false;
  bool scoped_ = false;
  bool asks_ = false;
  std::size_t job_size_ = 0;
};

/// A reference to a constant array of resource templates, as ToolTable.
class ResourceTemplateTable {
 public:
  /// @cond server
  constexpr ResourceTemplateTable() = default;
  template <std::size_t N>
  consteval ResourceTemplateTable(const ResourceTemplate (&rows)[N])  // NOLINT(google-explicit-constructor)
      : rows_(rows) {
    static_assert(N <= 0xFFFF, "a table has at most 65535 rows");
    for (std::size_t i = 0; i < N; ++i) {
      extended_ = extended_ || rows[i].extras.any();
      if (!is_matchable(rows[i].uri_template))
        compile_error::a_uri_template_must_have_expressions_that_can_be_matched_back();
      detail::check_ambiguity(rows[i].uri_template);
      has_operators_ = has_operators_ || !is_simple(rows[i].uri_template);
      scoped_ = scoped_ || rows[i].scope.given();
      if (rows[i].scope.given() && rows[i].ttl_ms != 0) compile_error::a_resource_with_a_scope_must_have_no_ttl_ms();
      if (rows[i].name.empty()) compile_error::a_resource_needs_a_name();
      if (rows[i].stream.on()) {
        if (rows[i].read != nullptr) compile_error::a_resource_must_have_a_read_function_or_a_stream_and_not_both();
        has_streams_ = true;
      } else if (rows[i].read == nullptr) {
        compile_error::a_resource_needs_a_read_function();
      }
      completes_ = completes_ || rows[i].complete != nullptr;
      asks_ = asks_ || rows[i].asks;
      if (rows[i].job_size > job_size_) job_size_ = rows[i].job_size;
      subscribable_ = subscribable_ || rows[i].subscribable.on();
      ranks_ = ranks_ || rows[i].match != Match::prefix;
      if (rows[i].match != Match::prefix && rows[i].complete == nullptr)
        compile_error::match_needs_a_complete_function();
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].uri_template == rows[j].uri_template)
          compile_error::two_templates_must_not_have_the_same_uri_template();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const ResourceTemplate> rows() const { return rows_; }
  [[nodiscard]] constexpr bool extended() const { return extended_; }
  [[nodiscard]] constexpr bool completes() const { return completes_; }
  [[nodiscard]] constexpr bool has_streams() const { return has_streams_; }
  [[nodiscard]] constexpr bool asks() const { return asks_; }
  /// As of a ResourceTable.
  [[nodiscard]] constexpr std::size_t job_size() const { return job_size_; }
  /// True if clients can subscribe to URIs of a row.
  [[nodiscard]] constexpr bool subscribable() const { return subscribable_; }
  /// True when suggestions of a row match anywhere.
  [[nodiscard]] constexpr bool ranks() const { return ranks_; }
  /// True when a template has an operator, as in `{/x}`.
  [[nodiscard]] constexpr bool has_operators() const { return has_operators_; }
  [[nodiscard]] constexpr bool scoped() const { return scoped_; }
  /// @endcond

 private:
  std::span<const ResourceTemplate> rows_;
  bool extended_ = false;
  bool completes_ = false;
  bool has_streams_ = false;
  bool ranks_ = false;
  bool has_operators_ = false;
  bool scoped_ = false;
  bool asks_ = false;
  std::size_t job_size_ = 0;
  bool subscribable_ = false;
};

/// A reference to a constant array of prompts, as ToolTable.
class PromptTable {
 public:
  /// @cond server
  constexpr PromptTable() = default;
  template <std::size_t N>
  consteval PromptTable(const Prompt (&rows)[N]) : rows_(rows) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= 0xFFFF, "a table has at most 65535 rows");
    for (std::size_t i = 0; i < N; ++i) {
      if (rows[i].name.empty()) compile_error::a_prompt_needs_a_name();
      scoped_ = scoped_ || rows[i].scope.given();
      extended_ = extended_ || rows[i].extras.any();
      asks_ = asks_ || rows[i].get.asks();
      takes_caller_ = takes_caller_ || rows[i].get.takes_caller();
      if (rows[i].asks_itself && !rows[i].get.asks())
        compile_error::asks_itself_needs_a_tool_or_prompt_that_may_request_input();
      asks_itself_ = asks_itself_ || rows[i].asks_itself;
      if (!rows[i].get.given()) compile_error::a_prompt_needs_a_get_function();
      completes_ = completes_ || rows[i].complete != nullptr;
      ranks_ = ranks_ || rows[i].match != Match::prefix;
      if (rows[i].match != Match::prefix && rows[i].complete == nullptr)
        compile_error::match_needs_a_complete_function();
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].name == rows[j].name) compile_error::two_prompts_must_not_have_the_same_name();
      }
      check(rows[i].arguments.rows());
    }
  }
  [[nodiscard]] constexpr std::span<const Prompt> rows() const { return rows_; }
  [[nodiscard]] constexpr bool extended() const { return extended_; }
  [[nodiscard]] constexpr bool asks() const { return asks_; }
  /// True if the function of a row takes the caller.
  [[nodiscard]] constexpr bool takes_caller() const { return takes_caller_; }
  [[nodiscard]] constexpr bool asks_itself() const { return asks_itself_; }
  [[nodiscard]] constexpr bool completes() const { return completes_; }
  [[nodiscard]] constexpr bool scoped() const { return scoped_; }
  [[nodiscard]] constexpr bool ranks() const { return ranks_; }
  /// @endcond

 private:
  static consteval void check(std::span<const PromptArgument> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].name.empty()) compile_error::a_parameter_needs_a_name();
      for (std::size_t j = 0; j < i; ++j) {
        if (arguments[i].name == arguments[j].name)
          compile_error::two_arguments_of_a_prompt_must_not_have_the_same_name();
      }
    }
  }

  std::span<const Prompt> rows_;
  bool extended_ = false;
  bool asks_ = false;
  bool takes_caller_ = false;
  bool asks_itself_ = false;
  bool completes_ = false;
  bool scoped_ = false;
  bool ranks_ = false;
};

/// A reference to a constant array of methods, as ToolTable. Errors: a name without a vendor prefix, a name of MCP, and
/// a name that occurs twice do not compile.
class MethodTable {
 public:
  /// @cond server
  constexpr MethodTable() = default;
  template <std::size_t N>
  consteval MethodTable(const Method (&rows)[N]) : rows_(rows) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= 0xFFFF, "a table has at most 65535 rows");
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i].info.name == rows[j].info.name) compile_error::two_methods_must_not_have_the_same_name();
      }
    }
  }
  [[nodiscard]] constexpr std::span<const Method> rows() const { return rows_; }
  /// @endcond

 private:
  std::span<const Method> rows_;
};

/// The kinds of lists that clients can request: the tables of a Definition, and tasks.
enum class ListKind : std::uint8_t { tools, resources, resource_templates, prompts, tasks };

/// The description of a device: a constant, in flash. The compiler compares it with the Limits and the Services of the
/// Server. Lifetime: strings (UTF-8) and tables live as long as the program.
struct Definition {
  std::string_view name = {};          ///< The name of the server, for programs. Required.
  std::string_view title = {};         ///< The display name. Not sent if empty, nor before revision 2025-06-18.
  std::string_view version = {};       ///< The version of the firmware. Required.
  std::string_view instructions = {};  ///< How a model should use this device. Not sent if empty.
  /// Description, website, icons, and capabilities of the application: names a constant.
  ExtrasOf<ServerExtras> extras = {};
  /// The revisions that the server supports: dual_era (all), legacy_era or modern_era.
  Eras eras = {};
  ToolTable tools = {};                           ///< The tools: names an array.
  ResourceTable resources = {};                   ///< The resources: names an array.
  ResourceTemplateTable resource_templates = {};  ///< The resource templates: names an array.
  PromptTable prompts = {};                       ///< The prompts: names an array.
  MethodTable methods = {};                       ///< Methods and notifications of the application: names an array.
  /// Resources that the device finds at run time: names a constant. Needs `.list_changes`.
  FoundResourceTable found_resources = {};
  /// Tools that the device finds at run time: names a constant. Needs `.list_changes`.
  FoundToolTable found_tools = {};
  /// `= true` enables Server::log(). `= mcp::LogData::objects` also enables log messages with objects. Needs
  /// Limits::log_size of at least 64.
  LoggingFlag logging = {};
  /// `= true` enables Server::set_enabled(), which disables and enables rows and notifies clients. RAM: a bit for each
  /// row of all tables.
  FeatureFlag list_changes = {};
  /// `= true` enables `subscriptions/listen`: the server notifies stateless clients of changes of subscribable
  /// resources, of tasks and, with `.list_changes`, of lists. If false, only sessions get these notifications. Needs
  /// Limits::subscriptions.
  FeatureFlag subscriptions = {};
  /// `= true` enables Server::elicitation_completed(), which notifies a client that its user has completed a URL
  /// elicitation. Needs Limits::elicitations and the legacy era.
  FeatureFlag url_elicitations = {};
  /// The function that the server calls when the roots of a client change. A job may then request the roots again.
  /// Needs the legacy era.
  RootsChanged roots_changed = {};
  /// The function that gets a record of every request and of the end of every job.
  Audit audit = {};
  /// When the server pings a silent client, and when it ends the session: `{30'000, 10'000}`, in milliseconds.
  /// Needs the legacy era.
  KeepAlive keep_alive = {};
  /// The names of all scopes that rows need: names an array. Source: RFC 6749 section 3.3.
  ScopeTable scopes = {};
  /// `= true` hides each row from callers without its scope: it is not in their lists, and answers as an unknown one.
  /// If false, all rows are in all lists, and the error names the scope. RAM: a bit for each row of all tables.
  FeatureFlag hide_out_of_scope = {};
  /// `= true`: the schemas of tools have no `minLength`, `maxLength`, `propertyNames`, `minProperties`,
  /// `maxProperties`, `multipleOf` and `uniqueItems`, which strict modes and converters of hosts reject. The server
  /// checks them as before. An InputSchema and an outputSchema of JSON are sent as they are.
  FeatureFlag strict_schemas = {};
  /// `= true`: the schema of a number with a unit has the code of the unit, for programs:
  /// `"_meta":{"mote/unit":"Cel"}`. Some hosts reject a schema with `_meta`.
  FeatureFlag unit_codes = {};

  /// @cond server
  /// Returns what the schemas of tools contain.
  [[nodiscard]] constexpr json::SchemaOptions schema_options() const {
    return {.strict = strict_schemas.on(), .unit_codes = unit_codes.on()};
  }
  /// Returns whether a tool or a read is a job.
  [[nodiscard]] constexpr bool has_jobs() const {
    return tools.has_jobs() || resources.job_size() != 0 || resource_templates.job_size() != 0;
  }
  /// True if clients can request tools.
  [[nodiscard]] constexpr bool has_tools() const { return !tools.rows().empty() || found_tools.any(); }
  /// True if clients can request resources or templates.
  [[nodiscard]] constexpr bool has_resources() const {
    return !resources.rows().empty() || !resource_templates.rows().empty() || found_resources.any();
  }
  /// True if clients can subscribe to a resource that is not in the resource table.
  [[nodiscard]] constexpr bool has_other_targets() const {
    return resource_templates.subscribable() || found_resources.subscribable();
  }
  /// True if clients can subscribe to any resource.
  [[nodiscard]] constexpr bool subscribable() const { return resources.subscribable() || has_other_targets(); }
  /// Returns the number of rows in the tables before that of `kind`. It gives each row of all tables a number.
  [[nodiscard]] constexpr std::size_t rows_before(ListKind kind) const {
    std::size_t count = 0;
    if (kind > ListKind::tools) count += tools.rows().size();
    if (kind > ListKind::resources) count += resources.rows().size();
    if (kind > ListKind::resource_templates) count += resource_templates.rows().size();
    return count;
  }
  /// True if the application has extensions of MCP.
  [[nodiscard]] constexpr bool has_extensions() const {
    return extras.any() && !extras.get().extensions.members().empty();
  }
  /// True if the server has more of a description than its name and version.
  [[nodiscard]] constexpr bool is_described() const { return !title.empty() || extras.any(); }
  /// True if the application has capabilities of its own.
  [[nodiscard]] constexpr bool has_own_capabilities() const { return has_extensions() || has_experimental(); }
  /// True if the application has experimental capabilities.
  [[nodiscard]] constexpr bool has_experimental() const {
    return extras.any() && !extras.get().experimental.json().empty();
  }
  /// True if server/discover lists the keys of `_meta` that handlers read.
  [[nodiscard]] constexpr bool has_meta_keys() const { return extras.any() && !extras.get().meta_keys.json().empty(); }
  /// Returns the number of rows in all tables.
  [[nodiscard]] constexpr std::size_t rows() const { return rows_before(ListKind::prompts) + prompts.rows().size(); }
  /// Returns whether a row of a table needs a scope.
  [[nodiscard]] constexpr bool scoped() const {
    return tools.scoped() || resources.scoped() || resource_templates.scoped() || prompts.scoped();
  }
  /// Returns whether a row may be hidden from a caller.
  [[nodiscard]] constexpr bool hides_rows() const { return hide_out_of_scope.on() && scoped(); }
  /// @endcond
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
