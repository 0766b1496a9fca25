// SPDX-License-Identifier: Apache-2.0
// The plug board of the core: every piece of optional code, and which of it a server has.
//
// Pay per use works like this. link() names optional code, and nothing else in the core does. It runs in the compiler,
// so only the addresses that it has chosen are in the image, and the linker takes nothing else. Codecs of parameters
// are the one exception: the rows of a parameter table choose them (mcp/params.hpp).
#pragma once

#include <mcp/detail/prelude.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/definition.hpp"
#include "mcp/limits.hpp"
#include "mcp/port.hpp"
#include "mcp/services.hpp"

namespace mcp {

namespace detail {
struct StorageView;
}  // namespace detail

namespace protocol {

struct AuditOps;
struct BootOps;
struct Feature;
struct HeaderValidationOps;
struct InputRequestOps;
struct MethodOps;
struct MrtrOps;
struct PromptInputOps;
class Request;
struct RateLimiter;
struct RowGuard;
struct SealedPromptOps;
struct SealOps;
struct SessionPlace;
struct SharedSessionOps;
struct StatelessOps;
struct SubscriptionOps;
struct TargetOps;
struct TaskOps;
struct TemplateReader;

// Features, in the order in which the server asks them; the rules of this order are below.
extern const Feature client_info_feature;
extern const Feature job_callers_feature;
extern const Feature job_scopes_feature;
extern const Feature tool_guards_feature;
extern const Feature prompt_guards_feature;
extern const Feature resource_guards_feature;
extern const Feature template_guards_feature;
extern const Feature listen_guards_feature;
extern const Feature template_listen_guards_feature;
extern const Feature completion_guards_feature;
extern const Feature task_guards_feature;
extern const Feature answer_guards_feature;
extern const Feature admitted_tasks_feature;
extern const Feature admitted_kept_tasks_feature;
extern const Feature session_feature;
extern const Feature prerendered_session_feature;
extern const Feature streams_feature;
extern const Feature template_streams_feature;
extern const Feature tools_feature;
extern const Feature extended_tools_feature;
extern const Feature prerendered_tools_feature;
extern const Feature found_tools_feature;
extern const Feature extended_found_tools_feature;
extern const Feature prerendered_found_tools_feature;
extern const Feature updates_feature;
extern const Feature target_updates_feature;
extern const Feature found_resources_feature;
extern const Feature extended_found_resources_feature;
extern const Feature prerendered_found_resources_feature;
extern const Feature resources_feature;
extern const Feature extended_resources_feature;
extern const Feature prerendered_resources_feature;
extern const Feature prompts_feature;
extern const Feature extended_prompts_feature;
extern const Feature asking_prompts_feature;
extern const Feature prerendered_prompts_feature;
extern const Feature prerendered_asking_prompts_feature;
extern const Feature completions_feature;
extern const Feature ranked_completions_feature;
extern const Feature logging_feature;
extern const Feature object_logging_feature;
extern const Feature list_changes_feature;
extern const Feature kept_tasks_feature;
extern const Feature jobs_feature;
extern const Feature tasks_feature;
extern const Feature elicitation_ends_feature;
extern const Feature roots_changed_feature;
extern const Feature pong_feature;
extern const Feature client_feature;
extern const Feature asking_feature;
extern const Feature subscriptions_feature;
extern const Feature keep_alive_feature;
extern const Feature discover_feature;
extern const Feature described_discover_feature;
extern const Feature prerendered_discover_feature;
extern const Feature stateless_tasks_feature;
extern const Feature own_capabilities_feature;
extern const Feature schedule_feature;
extern const Feature figures_feature;

extern const AuditOps audit_ops;
extern const AuditOps caller_audit_ops;
extern const AuditOps counted_ops;  // these count for the figures
extern const AuditOps counted_audit_ops;
extern const AuditOps counted_caller_audit_ops;
extern const BootOps boot_ops;
extern const InputRequestOps input_request_ops;
extern const MethodOps method_ops;
extern const MrtrOps mrtr_ops;
extern const PromptInputOps prompt_input_ops;
extern const PromptInputOps caller_prompt_ops;
extern const PromptInputOps any_prompt_ops;
extern const RateLimiter rate_limiter;
extern const RateLimiter counted_limiter;
extern const RowGuard scope_guard;
extern const SealedPromptOps sealed_prompt_ops;
extern const SealOps seal_ops;
extern const StatelessOps stateless_ops;
extern const StatelessOps counted_stateless_ops;
extern const StatelessOps counted_session_ops;
extern const SubscriptionOps subscription_ops;
extern const SubscriptionOps target_subscription_ops;
extern const TargetOps found_targets;
extern const TargetOps template_targets;
extern const TargetOps all_targets;
extern const TaskOps task_ops;
extern const TaskOps stateless_task_ops;
extern const TaskOps scoped_task_ops;  // a row of a tool has a scope
extern const TemplateReader template_reader;
extern const TemplateReader extended_template_reader;
extern const TemplateReader streaming_template_reader;
extern const TemplateReader prerendered_template_reader;
extern const TemplateReader prerendered_streaming_template_reader;
extern const TemplateReader found_reader;
extern const TemplateReader found_template_reader;
extern const TemplateReader extended_found_template_reader;
extern const TemplateReader streaming_found_template_reader;
extern const TemplateReader prerendered_found_template_reader;
extern const TemplateReader prerendered_streaming_found_template_reader;

bool hides_row(const Request& request, ListKind table, std::size_t index);
bool drain_mailbox(const mcp::detail::StorageView& storage, Millis now);
bool drain_counted(const mcp::detail::StorageView& storage, Millis now);
bool drain_traced_mailbox(const mcp::detail::StorageView& storage, Millis now);
bool drain_traced_counted(const mcp::detail::StorageView& storage, Millis now);
SessionPlace find_only_place(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now);
SessionPlace find_session_place(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now);

// Named by transports that have what they work on.
extern const HeaderValidationOps header_validation;  // request metadata headers
extern const SharedSessionOps shared_session_ops;    // a session that stateless requests share

}  // namespace protocol

namespace detail {

/// The places of the list of features.
enum class Place : std::uint8_t {
  client_info,
  job_callers,
  tool_guards,
  prompt_guards,
  resource_guards,
  listen_guards,
  completion_guards,
  task_guards,
  answer_guards,
  task_list,
  session,
  streams,
  found_tools,
  tools,
  updates,
  found_resources,
  resources,
  prompts,
  completions,
  logging,
  list_changes,
  kept_tasks,
  jobs,
  tasks,
  elicitation_ends,
  roots_changed,
  pong,
  client,
  subscriptions,
  keep_alive,
  discover,
  stateless_tasks,
  own_capabilities,
  schedule,
  figures,
  count,
};

/// A feature that the server must ask before another one.
struct Order {
  Place first;
  Place then;
};
inline constexpr Order orders[] = {
    // These pass a request on and then keep what they know of its caller.
    {Place::client_info, Place::session},
    {Place::job_callers, Place::tool_guards},
    {Place::job_callers, Place::resource_guards},
    // The conditions of a row come before its handler and before the start of a stream.
    {Place::tool_guards, Place::tools},
    {Place::prompt_guards, Place::prompts},
    {Place::resource_guards, Place::streams},
    {Place::resource_guards, Place::updates},
    {Place::resource_guards, Place::resources},
    {Place::listen_guards, Place::subscriptions},
    {Place::completion_guards, Place::completions},
    {Place::task_guards, Place::kept_tasks},
    {Place::task_guards, Place::tasks},
    {Place::task_guards, Place::stateless_tasks},
    {Place::answer_guards, Place::client},
    {Place::task_list, Place::kept_tasks},
    {Place::task_list, Place::tasks},
    // A message that a stream has begun continues before anything else is written.
    {Place::streams, Place::logging},
    {Place::streams, Place::updates},
    {Place::streams, Place::list_changes},
    {Place::streams, Place::jobs},
    {Place::streams, Place::tasks},
    {Place::streams, Place::elicitation_ends},
    {Place::streams, Place::subscriptions},
    {Place::streams, Place::keep_alive},
    {Place::streams, Place::stateless_tasks},
    // The first feature with a method serves it. Streams know which rows of resources/read are theirs. Updates serve
    // methods that resources reject.
    {Place::streams, Place::resources},
    {Place::updates, Place::resources},
    // At the end of a session, tasks that outlive it leave before all others end with it. The method of kept tasks
    // finds the task, and the other one serves it.
    {Place::kept_tasks, Place::jobs},
    {Place::kept_tasks, Place::tasks},
    // Lists with found rows have the rows of the tables, too.
    {Place::found_tools, Place::tools},
    {Place::found_resources, Place::resources},
    // A response to a ping is looked for before a response to an input request.
    {Place::pong, Place::client},
    // A session that does not answer ends after its other features have had their turn.
    {Place::subscriptions, Place::keep_alive},
    {Place::tasks, Place::keep_alive},
    // Continues the object of extensions.
    {Place::stateless_tasks, Place::own_capabilities},
    // Reads `extensions` into what others have read of the capabilities.
    {Place::client, Place::stateless_tasks},
};
/// True if the enumerators of Place keep the rules.
constexpr bool keeps(std::span<const Order> rules) {
  for (const Order& rule : rules) {
    if (rule.first >= rule.then) return false;
  }
  return true;
}
static_assert(keeps(orders));

/// The optional code of one server. A pointer is nullptr if no table, flag or limit names its code.
struct Links {
  /// In the order of Place; a nullptr follows the last one.
  const protocol::Feature* const* features = nullptr;
  const protocol::StatelessOps* stateless = nullptr;
  const protocol::TaskOps* session_tasks = nullptr;
  const protocol::TaskOps* stateless_tasks = nullptr;
  const protocol::SubscriptionOps* subscriptions = nullptr;
  const protocol::TargetOps* targets = nullptr;  // if there are some beside the rows of the resource table
  const protocol::TemplateReader* templates = nullptr;
  bool (*match_template)(std::string_view uri_template, std::string_view uri, TemplateMatch& match) = nullptr;
  const protocol::InputRequestOps* input_requests = nullptr;
  const protocol::PromptInputOps* prompt_inputs = nullptr;
  const protocol::MrtrOps* mrtr = nullptr;
  const protocol::SealOps* seal = nullptr;
  const protocol::SealedPromptOps* sealed_prompts = nullptr;
  const protocol::AuditOps* audit = nullptr;
  const protocol::BootOps* boot = nullptr;
  const protocol::RateLimiter* rate_limiter = nullptr;
  /// The conditions of rows, in the order in which a request meets them.
  const protocol::RowGuard* row_guards[1] = {};
  /// True for a row that this caller does not see. StorageView::disabled is then not empty.
  bool (*hides_row)(const protocol::Request& request, ListKind table, std::size_t index) = nullptr;
  const protocol::MethodOps* methods = nullptr;
  protocol::SessionPlace (*find_place)(const StorageView& storage, std::uint32_t owner, Millis now) = nullptr;
  /// Takes the posts of other tasks and of interrupts. True if there was one.
  bool (*drain_mailbox)(const StorageView& storage, Millis now) = nullptr;
};

/// True when stateless clients may get a prompt that asks itself.
constexpr bool seals_prompts(const Definition& definition) {
  return definition.prompts.asks_itself() && definition.eras.modern();
}

/// True when stateless clients may get an input request of a job.
constexpr bool uses_mrtr(const Definition& definition) { return definition.tools.asks() && definition.eras.modern(); }

/// The features that a Definition names, in the order of Place; a nullptr follows the last one.
struct FeatureList {
  static constexpr std::size_t places = static_cast<std::size_t>(Place::count);
  const protocol::Feature* items[places + 1] = {};
  std::size_t size = 0;  // without the nullptr
};
/// The features that keep what outlives the request of a caller, and the one that counts.
constexpr void put_callers(const Definition& definition, const Limits& limits, const auto& put) {
  put(definition.resources.figures(), Place::figures, protocol::figures_feature);
  const bool keeps_clients = limits.client_info_size != 0;
  put(keeps_clients && definition.eras.legacy(), Place::client_info, protocol::client_info_feature);
  put(limits.job_scopes && definition.has_jobs(), Place::job_callers, protocol::job_scopes_feature);
  put(keeps_clients && definition.has_jobs(), Place::job_callers, protocol::job_callers_feature);
}

/// The features that ask the conditions of rows, and before them those that keep callers.
constexpr void put_guards(const Definition& definition, const Limits& limits, const auto& put) {
  put_callers(definition, limits, put);
  const bool guards_resources = definition.resources.scoped() || definition.resource_templates.scoped();
  const bool guards_prompts = definition.prompts.scoped();
  const bool has_templates = !definition.resource_templates.rows().empty();
  const bool listens = guards_resources && definition.subscriptions.on();
  put(definition.tools.scoped(), Place::tool_guards, protocol::tool_guards_feature);
  put(guards_prompts, Place::prompt_guards, protocol::prompt_guards_feature);
  put(guards_resources, Place::resource_guards, protocol::resource_guards_feature);
  put(guards_resources && has_templates, Place::resource_guards, protocol::template_guards_feature);
  put(listens, Place::listen_guards, protocol::listen_guards_feature);
  put(listens && has_templates, Place::listen_guards, protocol::template_listen_guards_feature);
  const bool completes = definition.prompts.completes() || definition.resource_templates.completes();
  put((guards_prompts || guards_resources) && completes, Place::completion_guards, protocol::completion_guards_feature);
  const ToolTable& tools = definition.tools;
  const bool guards_tasks = tools.scoped() && tools.has_tasks();
  const bool legacy = definition.eras.legacy();
  put(guards_tasks, Place::task_guards, protocol::task_guards_feature);
  put(tools.scoped() && tools.asks() && legacy, Place::answer_guards, protocol::answer_guards_feature);
  put(guards_tasks && legacy, Place::task_list, protocol::admitted_tasks_feature);
  put(guards_tasks && legacy && tools.tasks_outlive(), Place::task_list, protocol::admitted_kept_tasks_feature);
}

constexpr void put_found(const Definition& definition, const auto& put) {
  const bool tools = definition.found_tools.any();
  const bool resources = definition.found_resources.any();
  put(tools, Place::found_tools, protocol::found_tools_feature);
  put(tools && definition.tools.extended(), Place::found_tools, protocol::extended_found_tools_feature);
  put(resources, Place::found_resources, protocol::found_resources_feature);
  put(resources && definition.resources.extended(), Place::found_resources, protocol::extended_found_resources_feature);
}

/// The features with prerendered texts, in place of the others.
constexpr void put_prerendered(const Definition& definition, const auto& put) {
  const bool tools = definition.tools.prerendered();
  const bool resources = definition.resources.prerendered();
  const bool prompts = definition.prompts.prerendered();
  const bool server = definition.rendered;
  put(server && definition.eras.legacy(), Place::session, protocol::prerendered_session_feature);
  put(server && definition.eras.modern(), Place::discover, protocol::prerendered_discover_feature);
  put(tools, Place::tools, protocol::prerendered_tools_feature);
  put(tools && definition.found_tools.any(), Place::found_tools, protocol::prerendered_found_tools_feature);
  put(resources, Place::resources, protocol::prerendered_resources_feature);
  put(resources && definition.found_resources.any(), Place::found_resources,
      protocol::prerendered_found_resources_feature);
  put(prompts, Place::prompts, protocol::prerendered_prompts_feature);
  put(prompts && definition.prompts.asks(), Place::prompts, protocol::prerendered_asking_prompts_feature);
}

constexpr FeatureList list_features(const Definition& definition, const Limits& limits) {
  const ToolTable& tools = definition.tools;
  const ResourceTable& resources = definition.resources;
  const ResourceTemplateTable& templates = definition.resource_templates;
  const PromptTable& prompts = definition.prompts;
  const protocol::Feature* at[FeatureList::places] = {};
  bool has[FeatureList::places] = {};  // GCC 12 with a sanitizer does not compare the address of a constant
  const auto put = [&at, &has](bool wanted, Place place, const protocol::Feature& feature) {
    if (!wanted) return;
    at[static_cast<std::size_t>(place)] = &feature;
    has[static_cast<std::size_t>(place)] = true;
  };
  const bool legacy = definition.eras.legacy();
  const bool modern = definition.eras.modern();
  put_guards(definition, limits, put);
  put_found(definition, put);
  put(legacy, Place::session, protocol::session_feature);
  put(resources.has_streams(), Place::streams, protocol::streams_feature);
  put(templates.has_streams(), Place::streams, protocol::template_streams_feature);
  put(definition.has_tools(), Place::tools, protocol::tools_feature);
  put(tools.extended(), Place::tools, protocol::extended_tools_feature);
  put(resources.subscribable(), Place::updates, protocol::updates_feature);
  put(definition.has_other_targets(), Place::updates, protocol::target_updates_feature);
  const bool has_resources = !resources.rows().empty();
  put(definition.has_resources(), Place::resources, protocol::resources_feature);
  put(has_resources ? resources.extended() : templates.extended(), Place::resources,
      protocol::extended_resources_feature);
  put(!prompts.rows().empty(), Place::prompts, protocol::prompts_feature);
  put(prompts.extended(), Place::prompts, protocol::extended_prompts_feature);
  put(prompts.asks(), Place::prompts, protocol::asking_prompts_feature);
  put(prompts.completes() || templates.completes(), Place::completions, protocol::completions_feature);
  put(prompts.ranks() || templates.ranks(), Place::completions, protocol::ranked_completions_feature);
  put(definition.logging.on(), Place::logging, protocol::logging_feature);
  put(definition.logging.has_objects(), Place::logging, protocol::object_logging_feature);
  put(definition.list_changes.on(), Place::list_changes, protocol::list_changes_feature);
  put(tools.tasks_outlive() && legacy, Place::kept_tasks, protocol::kept_tasks_feature);
  put(definition.has_jobs(), Place::jobs, protocol::jobs_feature);
  put(tools.has_tasks() && legacy, Place::tasks, protocol::tasks_feature);
  put(definition.url_elicitations.on(), Place::elicitation_ends, protocol::elicitation_ends_feature);
  put(definition.roots_changed.on(), Place::roots_changed, protocol::roots_changed_feature);
  put(definition.keep_alive.on(), Place::pong, protocol::pong_feature);
  put(tools.knows_client() || resources.asks() || templates.asks(), Place::client, protocol::client_feature);
  put(tools.asks(), Place::client, protocol::asking_feature);
  put(definition.subscriptions.on(), Place::subscriptions, protocol::subscriptions_feature);
  put(definition.keep_alive.on(), Place::keep_alive, protocol::keep_alive_feature);
  put(modern, Place::discover, protocol::discover_feature);
  put(modern && definition.is_described(), Place::discover, protocol::described_discover_feature);
  put(tools.has_tasks() && modern, Place::stateless_tasks, protocol::stateless_tasks_feature);
  put(definition.has_own_capabilities(), Place::own_capabilities, protocol::own_capabilities_feature);
  put(tools.has_scheduled(), Place::schedule, protocol::schedule_feature);
  put_prerendered(definition, put);
  FeatureList list;
  for (std::size_t i = 0; i < FeatureList::places; ++i) {
    if (has[i]) list.items[list.size++] = at[i];
  }
  return list;
}

/// The same in an array that is no longer than the list.
template <const Definition& definition, Limits limits>
inline constexpr auto features_of = [] {
  constexpr FeatureList list = list_features(definition, limits);
  std::array<const protocol::Feature*, list.size + 1> features{};
  for (std::size_t i = 0; i < list.size; ++i) features[i] = list.items[i];
  return features;
}();

/// Replaces code by code that also counts for the figures.
constexpr void link_figures(const Definition& definition, const Limits& limits, const Services& services,
                            Links& links) {
  links.stateless = definition.eras.modern() ? &protocol::counted_stateless_ops : &protocol::counted_session_ops;
  links.audit = !definition.audit.on()            ? &protocol::counted_ops
                : definition.audit.takes_caller() ? &protocol::counted_caller_audit_ops
                                                  : &protocol::counted_audit_ops;
  if (limits.call_burst != 0) links.rate_limiter = &protocol::counted_limiter;
  if (services.mailbox != nullptr)
    links.drain_mailbox = limits.mailbox_trace ? protocol::drain_traced_counted : protocol::drain_counted;
}

/// Chooses the code that reads templates and found resources.
constexpr const protocol::TemplateReader* link_templates(const Definition& definition) {
  const ResourceTemplateTable& templates = definition.resource_templates;
  const bool finds = definition.found_resources.readable();
  if (templates.rows().empty()) return finds ? &protocol::found_reader : nullptr;
  if (templates.prerendered()) {
    if (templates.has_streams()) {
      return finds ? &protocol::prerendered_streaming_found_template_reader
                   : &protocol::prerendered_streaming_template_reader;
    }
    return finds ? &protocol::prerendered_found_template_reader : &protocol::prerendered_template_reader;
  }
  if (templates.has_streams()) {
    return finds ? &protocol::streaming_found_template_reader : &protocol::streaming_template_reader;
  }
  if (templates.extended()) {
    return finds ? &protocol::extended_found_template_reader : &protocol::extended_template_reader;
  }
  return finds ? &protocol::found_template_reader : &protocol::template_reader;
}

/// Chooses the optional code of a server. `features` outlives the server.
constexpr Links link(const Definition& definition, const Limits& limits, const Services& services,
                     const protocol::Feature* const* features) {
  Links links{.features = features};
  const bool modern = definition.eras.modern();
  if (modern) links.stateless = &protocol::stateless_ops;
  if (definition.tools.has_tasks() && definition.eras.legacy()) links.session_tasks = &protocol::task_ops;
  if (definition.tools.has_tasks() && modern) {
    links.stateless_tasks = definition.tools.scoped() ? &protocol::scoped_task_ops : &protocol::stateless_task_ops;
  }
  if (definition.subscriptions.on()) {
    links.subscriptions =
        definition.has_other_targets() ? &protocol::target_subscription_ops : &protocol::subscription_ops;
  }
  if (definition.found_resources.subscribable()) links.targets = &protocol::found_targets;
  if (definition.resource_templates.subscribable()) {
    links.targets = definition.found_resources.subscribable() ? &protocol::all_targets : &protocol::template_targets;
  }
  links.templates = link_templates(definition);
  if (!definition.resource_templates.rows().empty()) links.match_template = match_simple_uri;
  if (definition.resource_templates.has_operators()) links.match_template = match_uri;
  if (definition.tools.asks()) links.input_requests = &protocol::input_request_ops;
  if (definition.prompts.asks()) links.prompt_inputs = &protocol::prompt_input_ops;
  if (definition.prompts.takes_caller()) {
    links.prompt_inputs = definition.prompts.asks() ? &protocol::any_prompt_ops : &protocol::caller_prompt_ops;
  }
  const bool has_entropy = services.entropy != nullptr;
  const bool sends_mrtr = uses_mrtr(definition) && has_entropy;
  const bool seals = has_entropy && services.hmac != nullptr && (sends_mrtr || seals_prompts(definition));
  if (sends_mrtr) links.mrtr = &protocol::mrtr_ops;
  if (seals) links.seal = &protocol::seal_ops;
  if (seals && seals_prompts(definition)) links.sealed_prompts = &protocol::sealed_prompt_ops;
  if (definition.audit.on()) {
    links.audit = definition.audit.takes_caller() ? &protocol::caller_audit_ops : &protocol::audit_ops;
  }
  if (services.boot_id != nullptr) links.boot = &protocol::boot_ops;
  if (limits.call_burst != 0) links.rate_limiter = &protocol::rate_limiter;
  if (definition.scoped()) links.row_guards[0] = &protocol::scope_guard;
  if (definition.hides_rows()) links.hides_row = protocol::hides_row;
  if (!definition.methods.rows().empty()) links.methods = &protocol::method_ops;
  if (services.mailbox != nullptr) {
    links.drain_mailbox = limits.mailbox_trace ? protocol::drain_traced_mailbox : protocol::drain_mailbox;
  }
  if (definition.resources.figures()) link_figures(definition, limits, services, links);
  links.find_place = limits.sessions > 1 ? protocol::find_session_place : protocol::find_only_place;
  return links;
}

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
