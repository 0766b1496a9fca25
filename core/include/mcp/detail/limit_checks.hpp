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
constexpr void services_need_an_entropy_for_the_tool(const char* tool) {
  __builtin_printf("Services::entropy must be given for the tool: %s", tool);
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
  }
  if (!definition.subscriptions.on()) return;
  if (limits.subscriptions == 0) compile_error::limits_subscriptions_must_be_at_least_1_for_subscriptions();
  const bool any = definition.resources.subscribable() || definition.list_changes.on() || definition.tools.has_tasks();
  if (!definition.eras.modern() || !any) {
    compile_error::subscriptions_need_the_modern_era_and_list_changes_or_a_subscribable_resource();
  }
}

consteval void check_task(const char* tool, const Limits& limits, const Services& services) {
  if (limits.tasks == 0) compile_error::limits_tasks_must_be_at_least_1_for_the_tool(tool);
  if (limits.task_result_size < 192) {
    compile_error::limits_task_result_size_must_be_at_least_192_for_the_tool_and_is(tool, limits.task_result_size);
  }
  if (services.entropy == nullptr) compile_error::services_need_an_entropy_for_the_tool(tool);
}

consteval void check_tools(const Definition& definition, const Limits& limits, const Services& services) {
  const bool legacy = definition.eras.legacy();
  const bool modern = definition.eras.modern();
  for (const Tool& tool : definition.tools.rows()) {
    const char* const name = tool.info.name.data();
    if (tool.is_job && limits.jobs == 0) compile_error::limits_jobs_must_be_at_least_1_for_the_tool(name);
    if (tool.asks && modern) {
      if (limits.id_size < 8) {
        compile_error::limits_id_size_must_be_at_least_8_for_the_tool_and_is(name, limits.id_size);
      }
      if (services.entropy == nullptr && !legacy) compile_error::services_need_an_entropy_for_the_tool(name);
    }
    if (tool.info.task_support != TaskSupport::forbidden) check_task(name, limits, services);
  }
}

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
  for (const Resource& row : definition.resources.rows()) check(row.scope);
  for (const ResourceTemplate& row : definition.resource_templates.rows()) check(row.scope);
  for (const Prompt& row : definition.prompts.rows()) check(row.scope);
  if (definition.hide_out_of_scope.on() && !definition.scoped()) {
    compile_error::hide_out_of_scope_needs_a_row_with_a_scope();
  }
}

// Flags of sessions, which only the legacy era has.
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

consteval void check(const Definition& definition, const Limits& limits, const Services& services) {
  if (definition.name.empty() || definition.version.empty()) compile_error::a_definition_needs_a_name_and_a_version();
  check_resources(definition, limits);
  check_tools(definition, limits, services);
  check_prompts(definition, services);
  check_flags(definition, limits);
  check_scopes(definition);
  check_transmit_size(definition, limits, services.boot_id != nullptr);
}

}  // namespace detail

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
