// SPDX-License-Identifier: Apache-2.0
// The compiler makes a Definition as a constant. This test compares its tables with those that the same code makes at
// run time.
#include "mcp/definition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/body_stream.hpp"
#include "mcp/found.hpp"
#include "mcp/read_input.hpp"
#include "mcp/read_job.hpp"
#include "mcp/schedule.hpp"
#include "mcp/server.hpp"

namespace {

mcp::Errc definition_quick(mcp::Call& call) { return call.result().text("quick"); }
mcp::Errc definition_read(mcp::ReadResult& out) { return out.text("here"); }
mcp::Errc definition_read_one(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("one"); }
mcp::Errc definition_get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("Hi."); }

mcp::Errc definition_complete(const mcp::CompletionRequest&, mcp::Completions&) { return mcp::Errc::ok; }

struct DefinitionAsks {
  mcp::Step step(mcp::AskContext& context) { return context.done(); }
};

constexpr mcp::Tool definition_tools[] = {mcp::tool<definition_quick>({.name = "quick"})};
constexpr mcp::Tool definition_task_tools[] = {
    mcp::tool<definition_quick>({.name = "quick", .task_support = mcp::TaskSupport::optional})};
constexpr mcp::Resource definition_resources[] = {{.uri = "test://a", .name = "a", .read = definition_read}};
constexpr mcp::ResourceTemplate definition_templates[] = {
    {.uri_template = "test://{a}", .name = "a", .read = definition_read_one, .complete = definition_complete}};
constexpr mcp::Prompt definition_prompts[] = {{.name = "a", .get = definition_get, .complete = definition_complete}};
constexpr mcp::Tool definition_asking_tools[] = {mcp::job<DefinitionAsks>({.name = "asks"})};
constexpr mcp::Tool definition_knowing_tools[] = {mcp::tool<definition_quick>({.name = "quick", .knows_client = true})};

struct DefinitionRead {
  mcp::Step step(mcp::ReadContext& context) { return context.done(context.body().text("here")); }
  char state[40];
};
struct DefinitionVariables {
  std::int32_t a;
};
constexpr auto definition_variables = mcp::params(mcp::param<&DefinitionVariables::a>("a"));
struct DefinitionReadOne {
  mcp::FixedString<16> uri;
  DefinitionVariables variables;
  mcp::Step step(mcp::ReadContext& context) { return context.done(context.body().text("one")); }
  char state[80];
};
mcp::Errc definition_ask(const mcp::UriVariables&, mcp::AskReadResult& out) { return out.text("one"); }
mcp::Chunk definition_stream(const DefinitionVariables&, std::uint32_t, std::span<std::uint8_t>) {
  return mcp::Chunk::end();
}
bool definition_describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc definition_read_found(std::uint16_t, mcp::ReadResult& out) { return out.text("found"); }
constexpr auto definition_later = mcp::schedulable();

constexpr mcp::Resource definition_slow_resources[] = {mcp::read_job<DefinitionRead>({.uri = "test://a", .name = "a"})};
constexpr mcp::ResourceTemplate definition_slow_templates[] = {
    mcp::read_job<DefinitionReadOne, definition_variables>({.uri_template = "test://{a}", .name = "a"})};
constexpr mcp::ResourceTemplate definition_asking_templates[] = {
    mcp::ask_read<definition_ask>({.uri_template = "test://{a}", .name = "a"})};
constexpr mcp::ResourceTemplate definition_streams[] = {
    mcp::text_stream_template<definition_stream, definition_variables>({.uri_template = "test://{a}", .name = "a"})};
constexpr mcp::ResourceTemplate definition_ranked_templates[] = {{.uri_template = "test://{a}",
                                                                  .name = "a",
                                                                  .read = definition_read_one,
                                                                  .complete = definition_complete,
                                                                  .match = mcp::Match::anywhere,
                                                                  .subscribable = true}};
constexpr mcp::FoundResources definition_found{
    .numbers = 1, .describe = definition_describe, .read = definition_read_found};
constexpr mcp::Tool definition_later_tools[] = {
    mcp::tool<definition_quick>({.name = "quick"}), mcp::tool<definition_quick>({.name = "later"}, definition_later),
    mcp::job<DefinitionAsks>(
        {.name = "kept", .task_support = mcp::TaskSupport::optional, .task_outlives_session = true})};
constexpr std::string_view definition_scopes[] = {"a"};
constexpr mcp::Resource definition_scoped_resources[] = {
    {.uri = "test://a", .name = "a", .read = definition_read, .scope = "a"}};
constexpr mcp::ResourceTemplate definition_scoped_templates[] = {
    {.uri_template = "test://{a}", .name = "a", .read = definition_read_one, .scope = "a"}};
constexpr mcp::Prompt definition_scoped_prompts[] = {{.name = "a", .get = definition_get, .scope = "a"}};
constexpr mcp::ServerExtras definition_experimental{.experimental = R"({"a": {}})"};

// A value that the compiler does not know.
std::string_view definition_name() {
  static const std::string name = "device";
  return name;
}

// Compares the selection at run time with that of the compiler.
void expect_same(const mcp::Definition& built, const mcp::detail::Links& constant) {
  const mcp::detail::FeatureList features = mcp::detail::list_features(built, {});
  const mcp::detail::Links links = mcp::detail::link(built, {}, {}, features.items);
  ASSERT_EQ(features.items[features.size], nullptr);
  for (std::size_t i = 0; i <= features.size; ++i) {
    EXPECT_EQ(links.features[i], constant.features[i]) << i;
  }
  EXPECT_TRUE(std::ranges::equal(links.write_row, constant.write_row));
  EXPECT_TRUE(std::ranges::equal(links.read_unlisted, constant.read_unlisted));
  EXPECT_TRUE(std::ranges::equal(links.get_prompt, constant.get_prompt));
  EXPECT_EQ(links.audit, constant.audit);
  EXPECT_EQ(links.session_tasks, constant.session_tasks);
  EXPECT_EQ(links.stateless_tasks, constant.stateless_tasks);
}

template <const mcp::Definition& definition>
inline constexpr mcp::detail::Links links_of =
    mcp::detail::link(definition, {}, {}, mcp::detail::features_of<definition, mcp::Limits{}, 0, 0>.data());

TEST(Definition, LinksTheSameCodeWhenMadeAtRunTime) {
  static constexpr mcp::Definition nothing{.name = "device", .version = "1"};
  expect_same({.name = definition_name(), .version = "1"}, links_of<nothing>);
  static constexpr mcp::Definition all{.name = "device",
                                       .version = "1",
                                       .tools = definition_task_tools,
                                       .resources = definition_resources,
                                       .resource_templates = definition_templates,
                                       .prompts = definition_prompts,
                                       .logging = true,
                                       .list_changes = true,
                                       .subscriptions = true,
                                       .url_elicitations = true,
                                       .keep_alive = {1000, 1000}};
  expect_same({.name = definition_name(),
               .version = "1",
               .tools = definition_task_tools,
               .resources = definition_resources,
               .resource_templates = definition_templates,
               .prompts = definition_prompts,
               .logging = true,
               .list_changes = true,
               .subscriptions = true,
               .url_elicitations = true,
               .keep_alive = {1000, 1000}},
              links_of<all>);
  static constexpr mcp::Definition templates{
      .name = "device", .version = "1", .resource_templates = definition_templates};
  expect_same({.name = definition_name(), .version = "1", .resource_templates = definition_templates},
              links_of<templates>);
  static constexpr mcp::Definition asking{.name = "device", .version = "1", .tools = definition_asking_tools};
  expect_same({.name = definition_name(), .version = "1", .tools = definition_asking_tools}, links_of<asking>);
  static constexpr mcp::Definition knowing{.name = "device", .version = "1", .tools = definition_knowing_tools};
  expect_same({.name = definition_name(), .version = "1", .tools = definition_knowing_tools}, links_of<knowing>);
}

// One expansion has the same members for both.
#define MOTE_TEST_SAME(...)                                                                    \
  do {                                                                                         \
    static constexpr mcp::Definition constant{.name = "device", .version = "1", __VA_ARGS__};  \
    expect_same({.name = definition_name(), .version = "1", __VA_ARGS__}, links_of<constant>); \
  } while (false)

TEST(Definition, LinksTheSameCodeForRareRowsWhenMadeAtRunTime) {
  MOTE_TEST_SAME(.extras = definition_experimental);
  MOTE_TEST_SAME(.resources = definition_slow_resources);
  MOTE_TEST_SAME(.resource_templates = definition_slow_templates);
  MOTE_TEST_SAME(.resource_templates = definition_asking_templates);
  MOTE_TEST_SAME(.resource_templates = definition_ranked_templates);
  MOTE_TEST_SAME(.resource_templates = definition_streams, .found_resources = definition_found, .list_changes = true);
  MOTE_TEST_SAME(.eras = mcp::modern_era, .tools = definition_later_tools);
  MOTE_TEST_SAME(.tools = definition_later_tools);
  MOTE_TEST_SAME(.resources = definition_scoped_resources, .subscriptions = true, .scopes = definition_scopes);
  MOTE_TEST_SAME(.resource_templates = definition_scoped_templates, .scopes = definition_scopes);
  MOTE_TEST_SAME(.prompts = definition_scoped_prompts, .scopes = definition_scopes);
}

// Without an era, its code is not linked. Without a tool with task support, no code for tasks is linked.
TEST(Definition, LinksTasksOfItsErasOnly) {
  const auto tasks_of = [](mcp::Eras eras) {
    const mcp::Definition built{
        .name = definition_name(), .version = "1", .eras = eras, .tools = definition_task_tools};
    const mcp::detail::Links links = mcp::detail::link(built, {}, {}, nullptr);
    EXPECT_EQ(mcp::detail::list_features(built, {}).items[0] == &mcp::protocol::session_feature, eras.legacy());
    return links;
  };
  EXPECT_EQ(tasks_of(mcp::legacy_era).session_tasks, &mcp::protocol::task_ops);
  EXPECT_EQ(tasks_of(mcp::legacy_era).stateless_tasks, nullptr);
  EXPECT_EQ(tasks_of(mcp::modern_era).session_tasks, nullptr);
  EXPECT_EQ(tasks_of(mcp::modern_era).stateless_tasks, &mcp::protocol::stateless_task_ops);
  const mcp::Definition without{.name = definition_name(), .version = "1", .tools = definition_tools};
  EXPECT_EQ(mcp::detail::link(without, {}, {}, nullptr).session_tasks, nullptr);
  EXPECT_EQ(mcp::detail::link(without, {}, {}, nullptr).stateless_tasks, nullptr);
  EXPECT_FALSE(without.tools.uses.asks);
}

TEST(Links, OrderOfFeaturesIsCheckedAgainstEachRule) {
  using mcp::detail::FeaturePosition;
  EXPECT_TRUE(mcp::detail::keeps(mcp::detail::orders));
  const mcp::detail::Order broken[] = {{FeaturePosition::streams, FeaturePosition::tasks},
                                       {FeaturePosition::tasks, FeaturePosition::streams}};
  EXPECT_FALSE(mcp::detail::keeps(broken));
  const mcp::detail::Order itself[] = {{FeaturePosition::tasks, FeaturePosition::tasks}};
  EXPECT_FALSE(mcp::detail::keeps(itself));
}

// The compiler requires the transmit buffer of the era that needs more.
TEST(Definition, PageSizeFitsTheLargestRow) {
  const auto least = [](mcp::Eras eras) {
    const mcp::Definition built{.name = definition_name(), .version = "1", .eras = eras, .tools = definition_tools};
    EXPECT_EQ(mcp::detail::pages_size("prompts", built.prompts.rows(), built, 10), 0U);
    return mcp::detail::pages_size("tools", built.tools.rows(), built, 10);
  };
  // Every result of a stateless request contains the name and the version of the server.
  EXPECT_GT(least(mcp::modern_era), least(mcp::legacy_era) + definition_name().size());
  EXPECT_EQ(least(mcp::dual_era), least(mcp::modern_era));
}

struct SmallJob {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
  char state[8];
};
struct LargeJob : SmallJob {
  char more[24];
};

TEST(Storage, HasSlotsForTheLargestJob) {
  constexpr mcp::Tool jobs[] = {mcp::job<SmallJob>({.name = "a"}), mcp::job<LargeJob>({.name = "b"}),
                                mcp::job<SmallJob>({.name = "c"})};
  EXPECT_EQ(mcp::detail::largest_job(jobs), sizeof(LargeJob));
}

constexpr mcp::Definition definition_of_streams{
    .name = "device", .version = "1", .resource_templates = definition_streams};

// The state of a stream is an object, and comes after the ids.
TEST(Storage, HasAlignedMemoryOfStreamsOfTemplates) {
  static constexpr mcp::Limits limits{.streams = 1, .id_size = 9};
  static constinit mcp::Storage<definition_of_streams, limits> storage;
  EXPECT_EQ(storage.view().streams.capacity(), 1U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage.view().stream_ids) % 8, 0U);
}

TEST(Storage, HasSlotsForEachKindOfRow) {
  mcp::Limits limits{.jobs = 2, .scheduled_calls = 5, .streams = 3, .template_subscriptions = 4};
  const auto counts_of = [&](const mcp::Definition& definition) { return mcp::detail::Counts(definition, limits); };
  const mcp::detail::Counts reads = counts_of({.name = definition_name(),
                                               .resources = definition_slow_resources,
                                               .resource_templates = definition_slow_templates});
  EXPECT_EQ(reads.jobs, 2U);
  EXPECT_GT(reads.job_stride, sizeof(DefinitionReadOne));
  EXPECT_GT(reads.job_stride,
            counts_of({.name = definition_name(), .resources = definition_slow_resources}).job_stride);
  const mcp::detail::Counts later = counts_of({.name = definition_name(), .tools = definition_later_tools});
  EXPECT_EQ(later.scheduled, 5U);
  EXPECT_EQ(later.scheduled_state, 8U);
  EXPECT_EQ(later.detached_sessions, 1U);
  EXPECT_EQ(counts_of({.name = definition_name(), .eras = mcp::modern_era, .tools = definition_later_tools})
                .detached_sessions,
            0U);
  EXPECT_EQ(counts_of({.name = definition_name(), .resource_templates = definition_ranked_templates}).instances, 4U);
  EXPECT_EQ(counts_of({.name = definition_name(), .resource_templates = definition_streams}).streams, 3U);
  EXPECT_EQ(counts_of({.name = definition_name(),
                       .prompts = definition_scoped_prompts,
                       .scopes = definition_scopes,
                       .hide_out_of_scope = true})
                .switchable_rows,
            1U);
  EXPECT_EQ(reads.session_caller_size, 0U);
  limits.client_info_size = 9;
  EXPECT_EQ(counts_of({.name = definition_name()}).session_caller_size, 24U);
  EXPECT_EQ(counts_of({.name = definition_name(), .eras = mcp::modern_era}).session_caller_size, 0U);
}

// ---- The members of an argument struct ------------------------------------------------------------------------------

enum class DefinitionMode : std::uint8_t { off, on };
struct DefinitionPoint {
  float x;
  float y;
};
struct DefinitionEmpty {};
struct DefinitionOwn : DefinitionEmpty {
  std::int32_t a;
};
// Each kind of member of a table, and members that no table can have.
struct DefinitionMembers {
  DefinitionMode mode;
  std::optional<float> celsius;
  DefinitionPoint point;
  mcp::List<DefinitionPoint, 2> points;
  mcp::FixedString<8> text;
  std::string_view view;
  mcp::Nullable<DefinitionPoint> nullable;
  std::optional<mcp::Nullable<DefinitionMode>> both;
  mcp::Map<std::uint8_t, 3> map;
  double number = 3;
  char bytes[2][3];
  DefinitionPoint corners[4];
  const char* pointer;
};

using mcp::detail::has_more_members;
constexpr std::size_t definition_values = 11 + 2 * 3 + 4;
static_assert(has_more_members<DefinitionMembers, definition_values - 1>());
static_assert(!has_more_members<DefinitionMembers, definition_values>());
static_assert(has_more_members<DefinitionPoint, 1>() && !has_more_members<DefinitionPoint, 2>());
static_assert(!has_more_members<DefinitionOwn, 1>(), "an empty base is no member");

// A member in `without` keeps its value, and is not in the schema.
TEST(Definition, ATableNamesTheMembersThatAreNoParameters) {
  constexpr auto point = mcp::params(mcp::param<&DefinitionPoint::x>("x"), mcp::param<&DefinitionPoint::y>("y"));
  static constexpr auto some =
      mcp::params(mcp::without<&DefinitionMembers::mode, &DefinitionMembers::celsius, &DefinitionMembers::point,
                               &DefinitionMembers::points, &DefinitionMembers::text, &DefinitionMembers::nullable,
                               &DefinitionMembers::both, &DefinitionMembers::map, &DefinitionMembers::bytes,
                               &DefinitionMembers::corners, &DefinitionMembers::pointer>,
                  mcp::param<&DefinitionMembers::view>("view"), mcp::param<&DefinitionMembers::number>("number"));
  static_assert(std::size(point.rows) == 2);
  ASSERT_EQ(std::size(some.rows), 2U);
  EXPECT_EQ(some.rows[0].name, "view");
  EXPECT_EQ(some.rows[1].name, "number");
}

// Generated code writes the members in this order, and so do the examples: another order would not compile.
constexpr mcp::Definition with_all_members{
    .name = "n",
    .title = {},
    .version = "1",
    .instructions = {},
    .extras = {},
    .eras = {},
    .tools = {},
    .resources = {},
    .resource_templates = {},
    .prompts = {},
    .methods = {},
    .found_resources = {},
    .found_tools = {},
    .logging = {},
    .list_changes = {},
    .subscriptions = {},
    .url_elicitations = {},
    .roots_changed = {},
    .audit = {},
    .keep_alive = {},
    .scopes = {},
    .hide_out_of_scope = {},
    .strict_schemas = {},
    .unit_codes = {},
};
static_assert(with_all_members.tools.rows().empty());

}  // namespace
