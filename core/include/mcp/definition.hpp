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

/// What a table needs from the server, because at least one of its rows does.
struct Uses {
  bool extended : 1 = false;        // clients see more of a row than Plain has
  bool scoped : 1 = false;          // a row needs a scope
  bool asks : 1 = false;            // a row may send input requests
  bool asks_itself : 1 = false;     // of a prompt
  bool takes_caller : 1 = false;    // the function of a prompt
  bool knows_client : 1 = false;    // ToolInfo::knows_client
  bool jobs : 1 = false;            // a tool is a job
  bool tasks : 1 = false;           // a call can be a task
  bool requires_tasks : 1 = false;  // each call of a row must be a task
  bool tasks_outlive : 1 = false;   // tasks may continue when their session ends
  bool scheduled : 1 = false;       // clients can schedule calls of a row
  bool wire_only : 1 = false;       // a row must not be served over a network
  bool streams : 1 = false;         // a body is streamed
  bool subscribable : 1 = false;    // clients can subscribe to a row, or to URIs of a row
  bool figures : 1 = false;         // a row is made by health_resource()
  bool open_figures : 1 = false;    // such a row has no scope
  bool operators : 1 = false;       // a template has an operator, as in `{/x}`
  bool completes : 1 = false;       // a row has a function that suggests values
  bool ranks : 1 = false;           // suggestions of a row match anywhere
  std::uint16_t job_size = 0;       // of the largest state of a read, in bytes; 0: no read is a job
};

// For each kind of row: what it adds to the uses of its table, and a check that two rows differ in their key. An
// invalid row does not compile.

constexpr void add_common(Uses& uses, const auto& row) {
  uses.extended |= row.extras.any();
  uses.scoped |= row.scope.given();
}

consteval void check_row(const Tool& tool) {
  const ToolInfo& info = tool.info;
  const bool tasks = info.task_support != TaskSupport::forbidden;
  if (info.asks_itself && !tool.asks) compile_error::asks_itself_needs_a_tool_or_prompt_that_may_request_input();
  if (info.input_before_task && !(tool.asks && tasks))
    compile_error::input_before_task_needs_a_job_that_may_request_input_and_task_support();
  if (info.task_outlives_session && !tasks) compile_error::task_outlives_session_needs_task_support();
  if (info.poll_interval_ms == 0 || (info.poll_interval_ms != 1000 && !tasks))
    compile_error::poll_interval_ms_must_be_at_least_1_and_needs_task_support();
}
constexpr void add_uses(Uses& uses, const Tool& tool) {
  const ToolInfo& info = tool.info;
  const bool tasks = info.task_support != TaskSupport::forbidden;
  add_common(uses, info);
  uses.extended |= tasks || tool.output_count != 0;
  uses.asks |= tool.asks;
  uses.knows_client |= info.knows_client;
  uses.jobs |= tool.is_job;
  uses.tasks |= tasks;
  uses.requires_tasks |= info.task_support == TaskSupport::required;
  uses.tasks_outlive |= info.task_outlives_session;
  uses.scheduled |= tool.scheduled_size != 0;
  uses.wire_only |= tool.is_wire_only;
}
consteval void add_row(Uses& uses, const Tool& tool) {
  check_row(tool);
  add_uses(uses, tool);
}
consteval void reject_twin(const Tool& a, const Tool& b) {
  if (a.info.name == b.info.name) compile_error::two_tools_must_not_have_the_same_name();
}

consteval void add_readable(Uses& uses, const auto& row) {
  if (row.scope.given() && row.ttl_ms != 0) compile_error::a_resource_with_a_scope_must_have_no_ttl_ms();
  if (row.name.empty()) compile_error::a_resource_needs_a_name();
  if (row.stream.on() && row.read != nullptr)
    compile_error::a_resource_must_have_a_read_function_or_a_stream_and_not_both();
  if (!row.stream.on() && row.read == nullptr) compile_error::a_resource_needs_a_read_function();
  add_common(uses, row);
  uses.asks |= row.asks;
  uses.streams |= row.stream.on();
  if (row.job_size > uses.job_size) uses.job_size = row.job_size;
}

consteval void add_row(Uses& uses, const Resource& row) {
  if (!is_uri(row.uri)) compile_error::a_resource_needs_a_uri_with_a_scheme();
  if (!is_normal_uri(row.uri)) compile_error::a_uri_must_have_escapes_in_normal_form();
  add_readable(uses, row);
  uses.subscribable |= row.subscribable;
  uses.figures |= row.figures;
  uses.open_figures |= row.figures && !row.scope.given();
}
consteval void reject_twin(const Resource& a, const Resource& b) {
  if (a.uri == b.uri) compile_error::two_resources_must_not_have_the_same_uri();
}

consteval void add_completion(Uses& uses, const auto& row) {
  const bool ranks = row.match != Match::prefix;
  if (ranks && row.complete == nullptr) compile_error::match_needs_a_complete_function();
  uses.completes |= row.complete != nullptr;
  uses.ranks |= ranks;
}

consteval void add_row(Uses& uses, const ResourceTemplate& row) {
  if (!is_matchable(row.uri_template)) compile_error::a_uri_template_must_have_expressions_that_can_be_matched_back();
  check_ambiguity(row.uri_template);
  add_readable(uses, row);
  add_completion(uses, row);
  uses.operators |= !is_simple(row.uri_template);
  uses.subscribable |= row.subscribable.on();
}
consteval void reject_twin(const ResourceTemplate& a, const ResourceTemplate& b) {
  if (a.uri_template == b.uri_template) compile_error::two_templates_must_not_have_the_same_uri_template();
}

consteval void add_row(Uses& uses, const Prompt& row) {
  if (row.name.empty()) compile_error::a_prompt_needs_a_name();
  if (row.asks_itself && !row.get.asks()) compile_error::asks_itself_needs_a_tool_or_prompt_that_may_request_input();
  if (!row.get.given()) compile_error::a_prompt_needs_a_get_function();
  const std::span<const PromptArgument> arguments = row.arguments.rows();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name.empty()) compile_error::a_parameter_needs_a_name();
    for (std::size_t j = 0; j < i; ++j) {
      if (arguments[i].name == arguments[j].name)
        compile_error::two_arguments_of_a_prompt_must_not_have_the_same_name();
    }
  }
  add_common(uses, row);
  add_completion(uses, row);
  uses.asks |= row.get.asks();
  uses.asks_itself |= row.asks_itself;
  uses.takes_caller |= row.get.takes_caller();
}
consteval void reject_twin(const Prompt& a, const Prompt& b) {
  if (a.name == b.name) compile_error::two_prompts_must_not_have_the_same_name();
}

consteval void add_row(Uses&, const Method&) {}
consteval void reject_twin(const Method& a, const Method& b) {
  if (a.info.name == b.info.name) compile_error::two_methods_must_not_have_the_same_name();
}

}  // namespace detail

/// A reference to a constant array of rows, made by naming the array: `.tools = tools`. The linker adds the code of
/// tools only if a Definition names such an array, and the same holds for other rows. Clients get the rows in the order
/// of the array, and some hosts read the first page only: the most important tools come first (see
/// Limits::tools_in_one_page). Lifetime: the array lives as long as the program. Limits: 65535 rows. Errors: an invalid
/// row, such as a name that occurs twice, does not compile.
template <class Row>
class Table {
 public:
  /// @cond server
  constexpr Table() = default;
  template <std::size_t N>
  consteval Table(const Row (&rows)[N]) : rows_(rows) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= 0xFFFF, "a table has at most 65535 rows");
    for (std::size_t i = 0; i < N; ++i) {
      detail::add_row(uses, rows[i]);
      for (std::size_t j = 0; j < i; ++j) detail::reject_twin(rows[i], rows[j]);
    }
  }
  [[nodiscard]] constexpr std::span<const Row> rows() const { return rows_; }
  detail::Uses uses;
  /// @endcond

 private:
  std::span<const Row> rows_;
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
  Table<Tool> tools = {};                           ///< The tools: names an array.
  Table<Resource> resources = {};                   ///< The resources: names an array.
  Table<ResourceTemplate> resource_templates = {};  ///< The resource templates: names an array.
  Table<Prompt> prompts = {};                       ///< The prompts: names an array.
  Table<Method> methods = {};                       ///< Methods and notifications of the application: names an array.
  /// Resources that the device finds at run time: names a constant. Needs `.list_changes`.
  FoundTable<FoundResources> found_resources = {};
  /// Tools that the device finds at run time: names a constant. Needs `.list_changes`.
  FoundTable<FoundTools> found_tools = {};
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
    return tool_uses().jobs || resources.uses.job_size != 0 || resource_templates.uses.job_size != 0;
  }
  /// Returns what the tools of the table and the kinds of found tools need.
  [[nodiscard]] constexpr detail::Uses tool_uses() const {
    detail::Uses uses = tools.uses;
    for (const Tool& kind : found_tools.kinds()) detail::add_uses(uses, kind);
    return uses;
  }
  /// Returns whether later requests about a call of a tool may need a scope.
  [[nodiscard]] constexpr bool scopes_calls() const {
    return tool_uses().scoped || (!found_tools.kinds().empty() && found_tools.scoped());
  }
  /// True if clients can request tools.
  [[nodiscard]] constexpr bool has_tools() const { return !tools.rows().empty() || found_tools.any(); }
  /// True if clients can request resources or templates.
  [[nodiscard]] constexpr bool has_resources() const {
    return !resources.rows().empty() || !resource_templates.rows().empty() || found_resources.any();
  }
  /// True if clients can subscribe to a resource that is not in the resource table.
  [[nodiscard]] constexpr bool has_other_targets() const {
    return resource_templates.uses.subscribable || found_resources.subscribable();
  }
  /// True if clients can subscribe to any resource.
  [[nodiscard]] constexpr bool subscribable() const { return resources.uses.subscribable || has_other_targets(); }
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
  /// Returns whether a resource or a template of a table needs a scope.
  [[nodiscard]] constexpr bool scopes_resources() const {
    return resources.uses.scoped || resource_templates.uses.scoped;
  }
  /// Returns whether a row of a table needs a scope.
  [[nodiscard]] constexpr bool scoped() const { return tools.uses.scoped || scopes_resources() || prompts.uses.scoped; }
  /// Returns whether a row may be hidden from a caller.
  [[nodiscard]] constexpr bool hides_rows() const { return hide_out_of_scope.on() && scoped(); }
  /// @endcond
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
