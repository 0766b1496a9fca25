// SPDX-License-Identifier: Apache-2.0
// Compares a Definition with the Limits and the Services of its server, in the compiler.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>

#include "mcp/definition.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/detail/transmit_size.hpp"
#include "mcp/limits.hpp"

namespace mcp {

// As in transmit_size.hpp, a printf that is no constant makes the compiler show the name of the row.
namespace compile_error {
template <class = void>
constexpr void limits_jobs_must_be_at_least_1_for_the_tool(const char* tool) {
  __builtin_printf("Limits::jobs must be at least 1 for the tool: %s", tool);
}
template <class = void>
constexpr void limits_tasks_must_be_at_least_1_for_the_tool(const char* tool) {
  __builtin_printf("Limits::tasks must be at least 1 for the tool: %s", tool);
}
template <class = void>
constexpr void limits_id_size_must_be_at_least_8_for_the_tool_and_is(const char* tool, std::size_t given) {
  __builtin_printf("Limits::id_size must be at least 8 for the tool: %s, it is %zu", tool, given);
}
template <class = void>
constexpr void limits_task_result_size_must_be_at_least_192_for_the_tool_and_is(const char* tool, std::size_t given) {
  __builtin_printf("Limits::task_result_size must be at least 192 for the tool: %s, it is %zu", tool, given);
}
template <class = void>
constexpr void limits_streams_must_be_at_least_1_for_the_resource(const char* uri) {
  __builtin_printf("Limits::streams must be at least 1 for the resource: %s", uri);
}
template <class = void>
constexpr void limits_jobs_must_be_at_least_1_for_the_resource(const char* uri) {
  __builtin_printf("Limits::jobs must be at least 1 for the resource: %s", uri);
}
template <class = void>
constexpr void subscriptions_must_be_true_in_the_modern_era_for_the_resource(const char* uri) {
  __builtin_printf("Definition::subscriptions must be true in the modern era for the resource: %s", uri);
}
template <class = void>
constexpr void limits_template_subscriptions_must_be_at_least_1_for_the_template(const char* uri_template) {
  __builtin_printf("Limits::template_subscriptions must be at least 1 for the template: %s", uri_template);
}
void a_health_row_needs_a_scope_in_a_definition_with_scopes();
void subscriptions_must_be_true_in_the_modern_era_for_found_resources();
void found_rows_need_list_changes();
void a_kind_of_found_tools_must_not_be_schedulable();
void found_resources_without_a_read_function_need_a_template();
void tables_and_found_rows_must_have_at_most_65535_numbers();
template <class = void>
constexpr void services_need_an_entropy_for_the_tool(const char* tool) {
  __builtin_printf("Services::entropy must be given for the tool: %s", tool);
}
template <class = void>
constexpr void services_need_an_entropy_or_the_legacy_era_for_the_tool(const char* tool) {
  __builtin_printf("Services::entropy must be given, or Definition::eras must be legacy_era, for the tool: %s", tool);
}
template <class = void>
constexpr void services_need_an_entropy_and_an_hmac_for_the_prompt(const char* prompt) {
  __builtin_printf("Services::entropy and Services::hmac must be given for the prompt: %s", prompt);
}
template <class = void>
constexpr void the_scope_must_be_in_definition_scopes(const char* scope) {
  __builtin_printf("The scope of a row must be in Definition::scopes: %s", scope);
}
void hide_out_of_scope_needs_a_row_with_a_scope();
void found_resources_with_a_scope_need_a_read_function_or_a_scope_of_each_template();
template <class = void>
constexpr void limits_scheduled_calls_must_be_at_least_1_for_the_tool(const char* tool) {
  __builtin_printf("Limits::scheduled_calls must be at least 1 for the tool: %s", tool);
}
template <class = void>
constexpr void limits_scheduled_result_size_must_be_at_least_160_for_the_tool_and_is(const char* tool,
                                                                                     std::size_t given) {
  __builtin_printf("Limits::scheduled_result_size must be at least 160 for the tool: %s, it is %zu", tool, given);
}
template <class = void>
constexpr void services_need_a_wall_clock_for_the_tool(const char* tool) {
  __builtin_printf("Services::wall_clock must be given for the tool: %s", tool);
}
template <class = void>
constexpr void call_first_must_name_a_tool_of_the_definition_and_is(const char* tool) {
  __builtin_printf("Interlock::call_first must name a tool of the Definition, it is: %s", tool);
}
void limits_job_scopes_need_a_job_and_definition_scopes();
void the_row_of_a_trace_needs_a_scope_if_the_definition_has_scopes();
void limits_client_info_size_needs_the_legacy_era_or_a_job();
void limits_elicitations_must_be_at_least_1_for_url_elicitations();
void limits_log_size_must_be_at_least_64_for_logging();
void limits_subscriptions_must_be_at_least_1_for_subscriptions();
void subscriptions_need_the_modern_era_and_list_changes_or_a_subscribable_resource();
void url_elicitations_need_the_legacy_era();
void roots_changed_needs_the_legacy_era();
void keep_alive_needs_the_legacy_era();
}  // namespace compile_error

namespace detail {

consteval void check_resources(const Definition& definition, const Limits& limits) {
  for (const Resource& resource : definition.resources.rows()) {
    const char* const uri = resource.uri.data();
    if (resource.stream.on() && limits.streams == 0) {
      compile_error::limits_streams_must_be_at_least_1_for_the_resource(uri);
    }
    if (resource.job_size != 0 && limits.jobs == 0) {
      compile_error::limits_jobs_must_be_at_least_1_for_the_resource(uri);
    }
    if (resource.subscribable && !definition.eras.legacy() && !definition.subscriptions.on()) {
      compile_error::subscriptions_must_be_true_in_the_modern_era_for_the_resource(uri);
    }
  }
  for (const ResourceTemplate& row : definition.resource_templates.rows()) {
    if (row.stream.on() && limits.streams == 0) {
      compile_error::limits_streams_must_be_at_least_1_for_the_resource(row.uri_template.data());
    }
    if (row.job_size != 0 && limits.jobs == 0) {
      compile_error::limits_jobs_must_be_at_least_1_for_the_resource(row.uri_template.data());
    }
    if (!row.subscribable.on()) continue;
    const char* const uri_template = row.uri_template.data();
    if (limits.template_subscriptions == 0) {
      compile_error::limits_template_subscriptions_must_be_at_least_1_for_the_template(uri_template);
    }
    if (!definition.eras.legacy() && !definition.subscriptions.on()) {
      compile_error::subscriptions_must_be_true_in_the_modern_era_for_the_resource(uri_template);
    }
  }
  if (definition.found_resources.subscribable() && !definition.eras.legacy() && !definition.subscriptions.on()) {
    compile_error::subscriptions_must_be_true_in_the_modern_era_for_found_resources();
  }
  if (!definition.subscriptions.on()) return;
  if (limits.subscriptions == 0) compile_error::limits_subscriptions_must_be_at_least_1_for_subscriptions();
  const bool any = definition.subscribable() || definition.list_changes.on() || definition.tool_uses().tasks;
  if (!definition.eras.modern() || !any) {
    compile_error::subscriptions_need_the_modern_era_and_list_changes_or_a_subscribable_resource();
  }
}

// Found rows are found at run time. Each has a number from 0 to numbers - 1.
consteval void check_found(const Definition& definition) {
  const auto& resources = definition.found_resources;
  const auto& tools = definition.found_tools;
  if ((resources.any() || tools.any()) && !definition.list_changes.on()) compile_error::found_rows_need_list_changes();
  if (resources.any() && !resources.readable() && definition.resource_templates.rows().empty()) {
    compile_error::found_resources_without_a_read_function_need_a_template();
  }
  for (const Tool& kind : tools.kinds()) {
    check_row(kind);
    if (kind.scheduled_size != 0) compile_error::a_kind_of_found_tools_must_not_be_schedulable();
  }
  const std::size_t resource_numbers = resources.any() ? resources.get().numbers : 0;
  const std::size_t tool_numbers = tools.any() ? tools.get().numbers : 0;
  if (definition.resources.rows().size() + resource_numbers > 0xFFFF ||
      definition.tools.rows().size() + tool_numbers > 0xFFFF) {
    compile_error::tables_and_found_rows_must_have_at_most_65535_numbers();
  }
}

consteval void check_task(const char* tool, const Limits& limits, const Services& services) {
  if (limits.tasks == 0) compile_error::limits_tasks_must_be_at_least_1_for_the_tool(tool);
  if (limits.task_result_size < 192) {
    compile_error::limits_task_result_size_must_be_at_least_192_for_the_tool_and_is(tool, limits.task_result_size);
  }
  if (services.entropy == nullptr) compile_error::services_need_an_entropy_for_the_tool(tool);
}

consteval void check_scheduled(const Tool& tool, const Limits& limits, const Services& services) {
  const char* const name = tool.info.name.data();
  if (limits.scheduled_calls == 0) compile_error::limits_scheduled_calls_must_be_at_least_1_for_the_tool(name);
  if (limits.scheduled_result_size < 160) {
    compile_error::limits_scheduled_result_size_must_be_at_least_160_for_the_tool_and_is(name,
                                                                                         limits.scheduled_result_size);
  }
  // takes_date: a client can give the date and time of the call.
  if (tool.takes_date && services.wall_clock == nullptr) compile_error::services_need_a_wall_clock_for_the_tool(name);
}

// The refusal of an Interlock names `call_first` ("Call NAME first."). Only holds() decides, not the earlier calls.
consteval void check_call_first(const Definition& definition, const Interlock& interlock) {
  for (const Interlock* const part : interlock.parts) check_call_first(definition, *part);
  bool known = interlock.call_first.empty();
  for (const Tool& tool : definition.tools.rows()) known = known || tool.info.name == interlock.call_first;
  if (!known) compile_error::call_first_must_name_a_tool_of_the_definition_and_is(interlock.call_first.data());
}

consteval void check_tools(std::span<const Tool> tools, const Definition& definition, const Limits& limits,
                           const Services& services) {
  const bool modern = definition.eras.modern();
  for (const Tool& tool : tools) {
    const char* const name = tool.info.name.data();
    if (tool.is_job && limits.jobs == 0) compile_error::limits_jobs_must_be_at_least_1_for_the_tool(name);
    if (tool.asks && modern) {
      // A job that waits for a retry stores its random name of 16 bytes in the memory of its id and token
      // (2 * id_size).
      if (limits.id_size < 8) {
        compile_error::limits_id_size_must_be_at_least_8_for_the_tool_and_is(name, limits.id_size);
      }
      if (services.entropy == nullptr) compile_error::services_need_an_entropy_or_the_legacy_era_for_the_tool(name);
    }
    if (tool.info.task_support != TaskSupport::forbidden) check_task(name, limits, services);
    if (tool.scheduled_size != 0) check_scheduled(tool, limits, services);
    check_call_first(definition, tool.info.needs.get());
  }
}

// asks_itself: input responses count only with the sealed requestState of the prompt, so the seal needs both services.
consteval void check_prompts(const Definition& definition, const Services& services) {
  if (!definition.eras.modern() || (services.entropy != nullptr && services.hmac != nullptr)) return;
  for (const Prompt& prompt : definition.prompts.rows()) {
    if (prompt.asks_itself) {
      compile_error::services_need_an_entropy_and_an_hmac_for_the_prompt(prompt.name.data());
    }
  }
}

consteval void check_scopes(const Definition& definition) {
  const auto check = [&](const RowScope& scope) {
    if (scope.given() && definition.scopes.find(scope.name()) == ScopeTable::npos) {
      compile_error::the_scope_must_be_in_definition_scopes(scope.name());
    }
  };
  for (const Tool& row : definition.tools.rows()) check(row.info.scope);
  bool has_scoped_kind = false;
  for (const Tool& row : definition.found_tools.kinds()) {
    check(row.info.scope);
    has_scoped_kind |= row.info.scope.given();
  }
  for (const Resource& row : definition.resources.rows()) {
    check(row.scope);
    // A trace records input and output of the device, also the messages of other clients.
    if (row.stream.is_trace() && !row.scope.given() && !definition.scopes.names().empty())
      compile_error::the_row_of_a_trace_needs_a_scope_if_the_definition_has_scopes();
  }
  for (const ResourceTemplate& row : definition.resource_templates.rows()) check(row.scope);
  for (const Prompt& row : definition.prompts.rows()) check(row.scope);
  check(definition.found_resources.scope());
  check(definition.found_tools.scope());
  const RowScope found = definition.found_resources.scope();
  for (const ResourceTemplate& row : definition.resource_templates.rows()) {
    if (found.given() && !definition.found_resources.readable() && !row.scope.given())
      compile_error::found_resources_with_a_scope_need_a_read_function_or_a_scope_of_each_template();
  }
  // open_figures: a row of health_resource() has no scope.
  if (!definition.scopes.names().empty() && definition.resources.uses.open_figures)
    compile_error::a_health_row_needs_a_scope_in_a_definition_with_scopes();
  bool has_scope = definition.scoped() || found.given() || definition.found_tools.scope().given() || has_scoped_kind;
  for (const Method& row : definition.methods.rows()) {
    check(row.info.scope);
    has_scope = has_scope || row.info.scope.given();
  }
  if (definition.hide_out_of_scope.on() && !has_scope) {
    compile_error::hide_out_of_scope_needs_a_row_with_a_scope();
  }
}

// Flags that only sessions use need the legacy era. Logging is for both eras.
consteval void check_flags(const Definition& definition, const Limits& limits) {
  if (!definition.eras.legacy()) {
    if (definition.url_elicitations.on()) compile_error::url_elicitations_need_the_legacy_era();
    if (definition.roots_changed.on()) compile_error::roots_changed_needs_the_legacy_era();
    if (definition.keep_alive.on()) compile_error::keep_alive_needs_the_legacy_era();
  }
  if (definition.url_elicitations.on() && limits.elicitations == 0) {
    compile_error::limits_elicitations_must_be_at_least_1_for_url_elicitations();
  }
  if (definition.logging.on() && limits.log_size < 64) compile_error::limits_log_size_must_be_at_least_64_for_logging();
}

consteval void check_callers(const Definition& definition, const Limits& limits) {
  if (limits.job_scopes && (!definition.has_jobs() || definition.scopes.names().empty())) {
    compile_error::limits_job_scopes_need_a_job_and_definition_scopes();
  }
  if (limits.client_info_size != 0 && !definition.eras.legacy() && !definition.has_jobs()) {
    compile_error::limits_client_info_size_needs_the_legacy_era_or_a_job();
  }
}

// Each row with as_tool needs its tool in the tools of the Definition (tools_of). Otherwise as_tool has no effect.
consteval void check_read_tools(const Definition& definition) {
  std::size_t wanted = 0;
  for (const Resource& row : definition.resources.rows()) wanted += row.as_tool ? 1U : 0U;
  for (const ResourceTemplate& row : definition.resource_templates.rows()) wanted += row.as_tool ? 1U : 0U;
  for (const Tool& row : definition.tools.rows()) wanted -= row.reads ? 1U : 0U;
  if (wanted != 0) compile_error::rows_with_as_tool_need_tools_of_as_the_tools_of_the_definition();
}

// Called by the consteval constructor of Server.
consteval void check(const Definition& definition, const Limits& limits, const Services& services) {
  if (definition.name.empty() || definition.version.empty()) compile_error::a_definition_needs_a_name_and_a_version();
  check_resources(definition, limits);
  check_found(definition);
  check_tools(definition.tools.rows(), definition, limits, services);
  check_tools(definition.found_tools.kinds(), definition, limits, services);
  check_read_tools(definition);
  check_prompts(definition, services);
  check_flags(definition, limits);
  check_scopes(definition);
  check_callers(definition, limits);
  check_transmit_size(definition, limits, services.boot_id != nullptr);
}

}  // namespace detail

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
