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
#include "mcp/detail/checks.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/limits.hpp"
#include "mcp/memory/record_ring.hpp"
#include "mcp/port.hpp"
#include "mcp/services.hpp"

namespace mcp {

namespace detail {
struct Job;
struct StorageView;
}  // namespace detail

namespace rpc {
struct Envelope;
}

namespace protocol {

struct BootOps;
struct Feature;
struct HeaderValidationOps;
struct InputRequestOps;
struct MethodOps;
struct MrtrOps;
class Request;
/// Who may get an update: all clients, only this one, or not even this one, which lacks a scope.
enum class Audience : std::uint8_t { everyone, client, none };
struct RateLimiter;
struct GuardedRow;
enum class RowUse : std::uint8_t;
struct SendContext;
struct SealedPromptOps;
struct SealOps;
struct SessionSlot;
struct StatelessOps;
struct SubscriptionOps;
struct TargetOps;
struct TaskOps;

/// Gets a record of each request and of the end of each job.
struct AuditOps {
  void (*request)(const Request& request, const std::string_view& method, bool answered);
  void (*job)(SendContext& context, const mcp::detail::Job& job, AuditRecord::Outcome outcome, int error_code);
};

// Features, in the order in which the server asks them; the rules of this order are below.
extern const Feature client_info_feature;
extern const Feature job_callers_feature;
extern const Feature job_scopes_feature;
extern const Feature tool_guards_feature;
extern const Feature prompt_guards_feature;
extern const Feature resource_guards_feature;
extern const Feature listen_guards_feature;
extern const Feature completion_guards_feature;
extern const Feature task_guards_feature;
extern const Feature answer_guards_feature;
extern const Feature session_feature;
extern const Feature streams_feature;
extern const Feature template_streams_feature;
extern const Feature schema_options_feature;
extern const Feature tools_feature;
extern const Feature found_tools_feature;
extern const Feature found_kinds_feature;  // found tools, of which some are of a kind
extern const Feature updates_feature;
extern const Feature target_updates_feature;
extern const Feature found_resources_feature;
extern const Feature resources_feature;
extern const Feature prompts_feature;
extern const Feature completions_feature;
extern const Feature ranked_completions_feature;
extern const Feature logging_feature;
extern const Feature list_changes_feature;
extern const Feature detached_tasks_feature;
extern const Feature jobs_feature;
extern const Feature tasks_feature;
extern const Feature elicitation_ends_feature;
extern const Feature roots_changed_feature;
extern const Feature pong_feature;
extern const Feature client_feature;
extern const Feature asking_feature;
extern const Feature subscriptions_feature;
extern const Feature joined_subscriptions_feature;
extern const Feature keep_alive_feature;
extern const Feature discover_feature;
extern const Feature stateless_tasks_feature;
extern const Feature schedule_feature;
extern const Feature figures_feature;

extern const AuditOps audit_ops;
extern const AuditOps caller_audit_ops;
extern const AuditOps count_ops;
extern const AuditOps log_job_ops;  // finds the job to which log messages of the next ones belong
extern const AuditOps log_ops;      // the log messages of stateless requests
extern const BootOps boot_ops;
extern const InputRequestOps input_request_ops;
extern const MethodOps method_ops;
extern const MrtrOps mrtr_ops;
extern const RateLimiter rate_limiter;
extern const SealedPromptOps sealed_prompt_ops;
extern const SealOps seal_ops;
extern const StatelessOps stateless_ops;
extern const StatelessOps counted_stateless_ops;  // counts before it calls stateless_ops
extern const StatelessOps counted_session_ops;    // only counts
extern const SubscriptionOps subscription_ops;
extern const SubscriptionOps joined_subscription_ops;
extern const TargetOps found_targets;
extern const TargetOps template_targets;
extern const TargetOps all_targets;
extern const TaskOps task_ops;
extern const TaskOps stateless_task_ops;
extern const TaskOps scoped_task_ops;  // a row of a tool has a scope

/// Gives the records to each of several AuditOps in turn.
template <const AuditOps*... each>
struct AuditsInTurn {
  static void request(const Request& request, const std::string_view& method, bool answered) {
    (each->request(request, method, answered), ...);
  }
  static void job(SendContext& context, const mcp::detail::Job& job, AuditRecord::Outcome outcome, int error_code) {
    (each->job(context, job, outcome, error_code), ...);
  }
  static constexpr AuditOps ops{request, job};
};

/// Writes a row of a table as an item of its list. `Shown`: the members that it may have (mcp/extras.hpp).
template <ListKind table, class Shown>
void write_row(Request& request, std::size_t index);
/// The same for the task in a slot: nothing if the client does not know it.
void write_session_task(Request& request, std::size_t index);
void write_detached_task(Request& request, std::size_t index);
/// The same, if this caller may use the row of the task.
template <void (*write)(Request& request, std::size_t index)>
void write_admitted(Request& request, std::size_t index);
/// Serve resources/read of a URI that no table has. False if there is no such resource. `with_streams`: a template may
/// have a stream.
bool read_found(Request& request, const std::string_view& uri);
template <bool with_streams>
bool read_template(Request& request, const std::string_view& uri);

/// Call the function of a prompt that may request input, or that gets its caller. Errc::handled: the request is
/// answered.
Errc get_with_input(Request& request, const Prompt& prompt, json::Value arguments);
Errc get_with_caller(Request& request, const Prompt& prompt, json::Value arguments);
/// Rejects a message that is not stateless, in the session that stateless requests share. True if it did.
bool rejects_sessions(SendContext& context, const rpc::Envelope& envelope);
/// Conditions of rows. False after an error.
bool admits_scope(Request& request, const GuardedRow& row);
bool admits_instance(Request& request, const std::string_view& uri, RowUse use);
/// Write the server's description into the `_meta` of server/discover. `context` is the Definition.
void write_full_meta(json::Writer& out, const void* context);
void write_keyed_meta(json::Writer& out, const void* context);

bool hides_row(const Request& request, ListKind table, std::size_t index);
Audience instance_audience(const SendContext& context, std::size_t target);
Audience scoped_audience(const SendContext& context, std::size_t target);
Audience scoped_instance_audience(const SendContext& context, std::size_t target);
bool drain_mailbox(const mcp::detail::StorageView& storage, Millis now);
bool drain_counted(const mcp::detail::StorageView& storage, Millis now);
bool drain_traced_mailbox(const mcp::detail::StorageView& storage, Millis now);
bool drain_traced_counted(const mcp::detail::StorageView& storage, Millis now);
/// Each application names one of the two. So it does not link if core is compiled with another mcp/detail/checks.hpp,
/// which changes the layout of its tables.
template <bool has_checks>
SessionSlot find_only_slot(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now);
template <bool has_checks>
SessionSlot find_session_slot(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now);

// Request metadata headers. Only transports with headers name it.
extern const HeaderValidationOps header_validation;

}  // namespace protocol

namespace detail {

/// The positions of the list of features.
enum class FeaturePosition : std::uint8_t {
  client_info,
  job_callers,
  tool_guards,
  prompt_guards,
  resource_guards,
  listen_guards,
  completion_guards,
  task_guards,
  answer_guards,
  session,
  streams,
  schema_options,
  found_tools,
  tools,
  updates,
  found_resources,
  resources,
  prompts,
  completions,
  logging,
  list_changes,
  detached_tasks,
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
  schedule,
  figures,
  count,
};

/// A feature that the server must ask before another one.
struct Order {
  FeaturePosition first;
  FeaturePosition then;
};
inline constexpr Order orders[] = {
    // These pass a request on and then keep what they know of its caller.
    {FeaturePosition::client_info, FeaturePosition::session},
    {FeaturePosition::job_callers, FeaturePosition::tool_guards},
    {FeaturePosition::job_callers, FeaturePosition::resource_guards},
    // The conditions of a row come before its handler and before the start of a stream.
    {FeaturePosition::tool_guards, FeaturePosition::tools},
    {FeaturePosition::prompt_guards, FeaturePosition::prompts},
    {FeaturePosition::resource_guards, FeaturePosition::streams},
    {FeaturePosition::resource_guards, FeaturePosition::updates},
    {FeaturePosition::resource_guards, FeaturePosition::resources},
    {FeaturePosition::listen_guards, FeaturePosition::subscriptions},
    {FeaturePosition::completion_guards, FeaturePosition::completions},
    {FeaturePosition::task_guards, FeaturePosition::detached_tasks},
    {FeaturePosition::task_guards, FeaturePosition::tasks},
    {FeaturePosition::task_guards, FeaturePosition::stateless_tasks},
    {FeaturePosition::answer_guards, FeaturePosition::client},
    // A message that a stream has begun continues before anything else is written.
    {FeaturePosition::streams, FeaturePosition::logging},
    {FeaturePosition::streams, FeaturePosition::updates},
    {FeaturePosition::streams, FeaturePosition::list_changes},
    {FeaturePosition::streams, FeaturePosition::jobs},
    {FeaturePosition::streams, FeaturePosition::tasks},
    {FeaturePosition::streams, FeaturePosition::elicitation_ends},
    {FeaturePosition::streams, FeaturePosition::subscriptions},
    {FeaturePosition::streams, FeaturePosition::keep_alive},
    {FeaturePosition::streams, FeaturePosition::stateless_tasks},
    // The first feature with a method serves it. Streams know which rows of resources/read are theirs. Updates serve
    // methods that resources reject.
    {FeaturePosition::streams, FeaturePosition::resources},
    {FeaturePosition::updates, FeaturePosition::resources},
    // Tasks that outlive a session must be detached before the rest is closed. The method of detached tasks finds the
    // task, and the other one serves it.
    {FeaturePosition::detached_tasks, FeaturePosition::jobs},
    {FeaturePosition::detached_tasks, FeaturePosition::tasks},
    // What schemas contain is known before the first one is written.
    {FeaturePosition::schema_options, FeaturePosition::found_tools},
    {FeaturePosition::schema_options, FeaturePosition::tools},
    // Lists with found rows have the rows of the tables, too.
    {FeaturePosition::found_tools, FeaturePosition::tools},
    {FeaturePosition::found_resources, FeaturePosition::resources},
    // A response to a ping is looked for before a response to an input request.
    {FeaturePosition::pong, FeaturePosition::client},
    // A session that does not answer ends after its other features have had their turn.
    {FeaturePosition::subscriptions, FeaturePosition::keep_alive},
    {FeaturePosition::tasks, FeaturePosition::keep_alive},
    // Reads `extensions` into what others have read of the capabilities.
    {FeaturePosition::client, FeaturePosition::stateless_tasks},
};
/// True if the enumerators of FeaturePosition keep the rules.
constexpr bool keeps(std::span<const Order> rules) {
  for (const Order& rule : rules) {
    if (rule.first >= rule.then) return false;
  }
  return true;
}
static_assert(keeps(orders));

/// A member of ServerCapabilities.
struct Capability {
  /// Writes key and value.
  void (*write_capability)(json::Writer& out, const Definition& definition, const protocol::Revision& revision);
};

/// The optional code of one server. A pointer is nullptr if no table, flag or limit names its code.
struct Links {
  /// In the order of FeaturePosition; a nullptr follows the last one.
  const protocol::Feature* const* features = nullptr;
  /// In the order in which they are sent; an empty one follows the last one.
  const Capability* capabilities = nullptr;
  const protocol::StatelessOps* stateless = nullptr;
  const protocol::TaskOps* session_tasks = nullptr;
  const protocol::TaskOps* stateless_tasks = nullptr;
  const protocol::SubscriptionOps* subscriptions = nullptr;
  const protocol::TargetOps* targets = nullptr;  // if there are some beside the rows of the resource table
  /// Writes an item of a list, by ListKind. nullptr: the list has no such items.
  void (*write_row[5])(protocol::Request& request, std::size_t index) = {};
  /// Serve resources/read of URIs that no table has, in this order.
  bool (*read_unlisted[2])(protocol::Request& request, const std::string_view& uri) = {};
  bool (*match_template)(std::string_view uri_template, std::string_view uri, TemplateMatch& match) = nullptr;
  const protocol::InputRequestOps* input_requests = nullptr;
  /// Call the function of a prompt that gets its caller, and of one that may request input.
  Errc (*get_prompt[2])(protocol::Request& request, const Prompt& prompt, json::Value arguments) = {};
  const protocol::MrtrOps* mrtr = nullptr;
  const protocol::SealOps* seal = nullptr;
  const protocol::SealedPromptOps* sealed_prompts = nullptr;
  const protocol::AuditOps* audit = nullptr;
  const protocol::BootOps* boot = nullptr;
  /// Writes the `_meta` of server/discover. nullptr: it is that of all results.
  void (*write_discover_meta)(json::Writer& out, const void* context) = nullptr;
  const protocol::RateLimiter* rate_limiter = nullptr;
  /// The conditions of rows, in the order in which a request meets them.
  bool (*row_guard[1])(protocol::Request& request, const protocol::GuardedRow& row) = {};
  /// Asks the conditions of the template with this URI. nullptr: there are no templates.
  bool (*admits_instance)(protocol::Request& request, const std::string_view& uri, protocol::RowUse use) = nullptr;
  /// True for a row that this caller does not see. StorageView::disabled is then not empty.
  bool (*hides_row)(const protocol::Request& request, ListKind table, std::size_t index) = nullptr;
  /// Who may get the update of a subscription target. nullptr: everyone.
  protocol::Audience (*audience)(const protocol::SendContext& context, std::size_t target) = nullptr;
  const protocol::MethodOps* methods = nullptr;
  protocol::SessionSlot (*find_slot)(const StorageView& storage, std::uint32_t owner, Millis now) = nullptr;
  /// Takes the posts of other tasks and of interrupts. True if there was one.
  bool (*drain_mailbox)(const StorageView& storage, Millis now) = nullptr;
};

/// True when stateless clients may get a prompt that asks itself.
constexpr bool seals_prompts(const Definition& definition) {
  return definition.prompts.uses.asks_itself && definition.eras.modern();
}

/// True when stateless clients may get an input request of a job.
constexpr bool uses_mrtr(const Definition& device) { return device.tool_uses().asks && device.eras.modern(); }

/// True when there are not enough slots for a client that sends one subscriptions/listen for changes of lists and one
/// for each resource. On a wire, such listens then share slots.
constexpr bool joins_listens(const Definition& definition, const Limits& limits) {
  if (!definition.subscriptions.on() || !definition.subscribable()) return false;
  std::size_t listens = std::size_t{1} + definition.found_resources.targets();
  if (definition.resource_templates.uses.subscribable) listens += limits.template_subscriptions;
  for (const Resource& row : definition.resources.rows()) listens += row.subscribable ? 1U : 0U;
  return limits.subscriptions < listens;
}

/// The features that a Definition names, in the order of FeaturePosition; a nullptr follows the last one.
struct FeatureList {
  static constexpr std::size_t positions = static_cast<std::size_t>(FeaturePosition::count);
  const protocol::Feature* items[positions + 1] = {};
  std::size_t size = 0;  // without the nullptr
};
/// The features that keep what outlives the request of a caller.
constexpr void put_callers(const Definition& definition, const Limits& limits, const auto& put) {
  const bool stores_clients = limits.client_info_size != 0;
  put(stores_clients && definition.eras.legacy(), FeaturePosition::client_info, protocol::client_info_feature);
  put(limits.job_scopes && definition.has_jobs(), FeaturePosition::job_callers, protocol::job_scopes_feature);
  put(stores_clients && definition.has_jobs(), FeaturePosition::job_callers, protocol::job_callers_feature);
}

/// The features that ask the conditions of rows, and before them those that keep callers.
constexpr void put_guards(const Definition& definition, const Limits& limits, const auto& put) {
  put_callers(definition, limits, put);
  const Uses tools = definition.tool_uses();
  const Uses& templates = definition.resource_templates.uses;
  const Uses& prompts = definition.prompts.uses;
  const bool guards_resources = definition.scopes_resources();
  const bool listens = guards_resources && definition.subscriptions.on();
  put(definition.tools.uses.scoped, FeaturePosition::tool_guards, protocol::tool_guards_feature);
  put(prompts.scoped, FeaturePosition::prompt_guards, protocol::prompt_guards_feature);
  put(guards_resources, FeaturePosition::resource_guards, protocol::resource_guards_feature);
  put(listens, FeaturePosition::listen_guards, protocol::listen_guards_feature);
  const bool completes = prompts.completes || templates.completes;
  put((prompts.scoped || guards_resources) && completes, FeaturePosition::completion_guards,
      protocol::completion_guards_feature);
  const bool legacy = definition.eras.legacy();
  const bool guards_calls = definition.scopes_calls();
  put(guards_calls && tools.tasks, FeaturePosition::task_guards, protocol::task_guards_feature);
  put(guards_calls && tools.asks && legacy, FeaturePosition::answer_guards, protocol::answer_guards_feature);
}

constexpr void put_subscriptions(const Definition& definition, const Limits& limits, const auto& put) {
  put(definition.subscriptions.on(), FeaturePosition::subscriptions, protocol::subscriptions_feature);
  put(joins_listens(definition, limits), FeaturePosition::subscriptions, protocol::joined_subscriptions_feature);
}

constexpr FeatureList list_features(const Definition& definition, const Limits& limits) {
  const Uses tools = definition.tool_uses();
  const Uses& resources = definition.resources.uses;
  const Uses& templates = definition.resource_templates.uses;
  const Uses& prompts = definition.prompts.uses;
  const protocol::Feature* at[FeatureList::positions] = {};
  bool has[FeatureList::positions] = {};  // GCC 12 with a sanitizer does not compare the address of a constant
  const auto put = [&at, &has](bool wanted, FeaturePosition position, const protocol::Feature& feature) {
    if (!wanted) return;
    at[static_cast<std::size_t>(position)] = &feature;
    has[static_cast<std::size_t>(position)] = true;
  };
  const bool legacy = definition.eras.legacy();
  const bool modern = definition.eras.modern();
  put_guards(definition, limits, put);
  put(legacy, FeaturePosition::session, protocol::session_feature);
  put(resources.streams, FeaturePosition::streams, protocol::streams_feature);
  put(templates.streams, FeaturePosition::streams, protocol::template_streams_feature);
  put(definition.strict_schemas.on() || definition.unit_codes.on(), FeaturePosition::schema_options,
      protocol::schema_options_feature);
  const bool has_kinds = !definition.found_tools.kinds().empty();
  put(definition.found_tools.any() && !has_kinds, FeaturePosition::found_tools, protocol::found_tools_feature);
  put(definition.found_tools.any() && has_kinds, FeaturePosition::found_tools, protocol::found_kinds_feature);
  put(definition.has_tools(), FeaturePosition::tools, protocol::tools_feature);
  put(resources.subscribable, FeaturePosition::updates, protocol::updates_feature);
  put(definition.has_other_targets(), FeaturePosition::updates, protocol::target_updates_feature);
  put(definition.found_resources.any(), FeaturePosition::found_resources, protocol::found_resources_feature);
  put(definition.has_resources(), FeaturePosition::resources, protocol::resources_feature);
  put(!definition.prompts.rows().empty(), FeaturePosition::prompts, protocol::prompts_feature);
  put(prompts.completes || templates.completes, FeaturePosition::completions, protocol::completions_feature);
  put(prompts.ranks || templates.ranks, FeaturePosition::completions, protocol::ranked_completions_feature);
  put(definition.logging.on(), FeaturePosition::logging, protocol::logging_feature);
  put(definition.list_changes.on(), FeaturePosition::list_changes, protocol::list_changes_feature);
  put(tools.tasks_outlive && legacy, FeaturePosition::detached_tasks, protocol::detached_tasks_feature);
  put(definition.has_jobs(), FeaturePosition::jobs, protocol::jobs_feature);
  put(tools.tasks && legacy, FeaturePosition::tasks, protocol::tasks_feature);
  put(definition.url_elicitations.on(), FeaturePosition::elicitation_ends, protocol::elicitation_ends_feature);
  put(definition.roots_changed.on(), FeaturePosition::roots_changed, protocol::roots_changed_feature);
  put(definition.keep_alive.on(), FeaturePosition::pong, protocol::pong_feature);
  const bool asks = resources.asks || templates.asks || prompts.asks;
  put(tools.knows_client || asks, FeaturePosition::client, protocol::client_feature);
  put(tools.asks, FeaturePosition::client, protocol::asking_feature);
  put_subscriptions(definition, limits, put);
  put(definition.keep_alive.on(), FeaturePosition::keep_alive, protocol::keep_alive_feature);
  put(modern, FeaturePosition::discover, protocol::discover_feature);
  put(tools.tasks && modern, FeaturePosition::stateless_tasks, protocol::stateless_tasks_feature);
  put(tools.scheduled, FeaturePosition::schedule, protocol::schedule_feature);
  put(resources.figures, FeaturePosition::figures, protocol::figures_feature);
  FeatureList list;
  for (std::size_t i = 0; i < FeatureList::positions; ++i) {
    if (has[i]) list.items[list.size++] = at[i];
  }
  return list;
}

/// The same in an array that is no longer than the list. Its name in the symbols of an image has the pages of
/// tools/list and the transmit buffer size for one page, for toolchains/tool-pages.cmake.
template <const Definition& definition, Limits limits, std::size_t tool_pages, std::size_t size_of_one_page>
inline constexpr auto features_of = [] {
  constexpr FeatureList list = list_features(definition, limits);
  std::array<const protocol::Feature*, list.size + 1> features{};
  for (std::size_t i = 0; i < list.size; ++i) features[i] = list.items[i];
  return features;
}();

/// The capabilities of a Definition, as Links has them.
struct CapabilityList {
  Capability items[9] = {};
  std::size_t size = 0;
};
constexpr CapabilityList list_capabilities(const Definition& definition) {
  CapabilityList list;
  put_capabilities<json::Writer>(definition, [&list](bool wanted, const auto& write) {
    if (wanted) list.items[list.size++] = {write};
  });
  return list;
}

/// The same in an array that is no longer than the list.
template <const Definition& definition>
inline constexpr auto capabilities_of = [] {
  constexpr CapabilityList list = list_capabilities(definition);
  std::array<Capability, list.size + 1> capabilities{};
  for (std::size_t i = 0; i < list.size; ++i) capabilities[i] = list.items[i];
  return capabilities;
}();

/// The audit that gives its records to each of these.
template <const protocol::AuditOps*... each>
constexpr const protocol::AuditOps* in_turn() {
  if constexpr (sizeof...(each) == 0) return nullptr;
  if constexpr (sizeof...(each) == 1) return (each, ...);
  if constexpr (sizeof...(each) > 1) return &protocol::AuditsInTurn<each...>::ops;
}

/// Chooses what gets a record of each request: `before`, the application, and the log messages of stateless requests.
template <const protocol::AuditOps*... before>
constexpr const protocol::AuditOps* link_logs(const Definition& definition) {
  const bool logs = definition.logging.on() && definition.eras.modern();
  return logs ? in_turn<&protocol::log_job_ops, before..., &protocol::log_ops>() : in_turn<before...>();
}
template <const protocol::AuditOps*... before>
constexpr const protocol::AuditOps* link_audit(const Definition& definition) {
  if (!definition.audit.on()) return link_logs<before...>(definition);
  return definition.audit.takes_caller() ? link_logs<before..., &protocol::caller_audit_ops>(definition)
                                         : link_logs<before..., &protocol::audit_ops>(definition);
}

/// Chooses the code that says who may get an update in a session.
constexpr auto link_audience(const Definition& definition) -> decltype(Links::audience) {
  if (!definition.eras.legacy() || !definition.subscribable()) return nullptr;
  const bool has_instances = definition.resource_templates.uses.subscribable;
  if (definition.scopes_resources() || definition.found_resources.scoped()) {
    return has_instances ? protocol::scoped_instance_audience : protocol::scoped_audience;
  }
  return has_instances ? protocol::instance_audience : nullptr;
}

/// The function that writes the rows of a table for its list; nullptr without rows.
template <ListKind kind>
constexpr auto link_row(const auto& table) -> void (*)(protocol::Request&, std::size_t) {
  if (table.rows().empty()) return nullptr;
  return table.uses.extended ? protocol::write_row<kind, Shown> : protocol::write_row<kind, Plain>;
}

/// Chooses the code that writes rows, and reads resources that are no rows.
constexpr void link_rows(const Definition& definition, Links& links) {
  const Uses tools = definition.tool_uses();
  const Uses& templates = definition.resource_templates.uses;
  const auto write = [&links](ListKind kind) -> auto& { return links.write_row[static_cast<std::size_t>(kind)]; };
  write(ListKind::tools) = link_row<ListKind::tools>(definition.tools);
  if (definition.tools.uses.requires_tasks) write(ListKind::tools) = protocol::write_row<ListKind::tools, TaskShown>;
  write(ListKind::resources) = link_row<ListKind::resources>(definition.resources);
  write(ListKind::resource_templates) = link_row<ListKind::resource_templates>(definition.resource_templates);
  write(ListKind::prompts) = link_row<ListKind::prompts>(definition.prompts);
  if (tools.tasks && definition.eras.legacy()) {
    using protocol::write_admitted, protocol::write_detached_task, protocol::write_session_task;
    const bool outlive = tools.tasks_outlive;
    write(ListKind::tasks) = outlive ? write_detached_task : write_session_task;
    if (definition.scopes_calls()) {
      write(ListKind::tasks) = outlive ? write_admitted<write_detached_task> : write_admitted<write_session_task>;
    }
  }
  if (definition.found_resources.readable()) links.read_unlisted[0] = protocol::read_found;
  if (definition.resource_templates.rows().empty()) return;
  links.read_unlisted[1] = templates.streams ? protocol::read_template<true> : protocol::read_template<false>;
  links.match_template = templates.operators ? match_uri : match_simple_uri;
}

/// Chooses the optional code of a server. `features` and `capabilities` outlive the server.
constexpr Links link(const Definition& definition, const Limits& limits, const Services& services,
                     const protocol::Feature* const* features, const Capability* capabilities = nullptr) {
  Links links{.features = features, .capabilities = capabilities};
  const bool modern = definition.eras.modern();
  if (modern) links.stateless = &protocol::stateless_ops;
  if (definition.tool_uses().tasks && definition.eras.legacy()) links.session_tasks = &protocol::task_ops;
  if (definition.tool_uses().tasks && modern) {
    links.stateless_tasks = definition.scopes_calls() ? &protocol::scoped_task_ops : &protocol::stateless_task_ops;
  }
  if (definition.subscriptions.on()) {
    links.subscriptions =
        joins_listens(definition, limits) ? &protocol::joined_subscription_ops : &protocol::subscription_ops;
  }
  if (definition.found_resources.subscribable()) links.targets = &protocol::found_targets;
  if (definition.resource_templates.uses.subscribable) {
    links.targets = definition.found_resources.subscribable() ? &protocol::all_targets : &protocol::template_targets;
  }
  link_rows(definition, links);
  if (definition.tool_uses().asks) links.input_requests = &protocol::input_request_ops;
  if (definition.prompts.uses.takes_caller) links.get_prompt[0] = protocol::get_with_caller;
  if (definition.prompts.uses.asks) links.get_prompt[1] = protocol::get_with_input;
  const bool has_entropy = services.entropy != nullptr;
  const bool sends_mrtr = uses_mrtr(definition) && has_entropy;
  const bool seals = has_entropy && services.hmac != nullptr && (sends_mrtr || seals_prompts(definition));
  if (sends_mrtr) links.mrtr = &protocol::mrtr_ops;
  if (seals) links.seal = &protocol::seal_ops;
  if (seals && seals_prompts(definition)) links.sealed_prompts = &protocol::sealed_prompt_ops;
  const bool counts = definition.resources.uses.figures;
  if (counts) links.stateless = modern ? &protocol::counted_stateless_ops : &protocol::counted_session_ops;
  links.audit = counts ? link_audit<&protocol::count_ops>(definition) : link_audit<>(definition);
  if (modern && definition.is_described()) {
    links.write_discover_meta = definition.has_meta_keys() ? protocol::write_keyed_meta : protocol::write_full_meta;
  }
  if (services.boot_id != nullptr) links.boot = &protocol::boot_ops;
  if (limits.call_burst != 0) links.rate_limiter = &protocol::rate_limiter;
  if (definition.scoped()) links.row_guard[0] = protocol::admits_scope;
  if (definition.scopes_resources() && !definition.resource_templates.rows().empty())
    links.admits_instance = protocol::admits_instance;
  if (definition.hides_rows()) links.hides_row = protocol::hides_row;
  links.audience = link_audience(definition);
  if (!definition.methods.rows().empty()) links.methods = &protocol::method_ops;
  if (services.mailbox != nullptr) {
    links.drain_mailbox = limits.mailbox_trace
                              ? (counts ? protocol::drain_traced_counted : protocol::drain_traced_mailbox)
                              : (counts ? protocol::drain_counted : protocol::drain_mailbox);
  }
  links.find_slot =
      limits.sessions > 1 ? protocol::find_session_slot<has_checks> : protocol::find_only_slot<has_checks>;
  return links;
}

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
