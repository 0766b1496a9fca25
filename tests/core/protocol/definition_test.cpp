// SPDX-License-Identifier: Apache-2.0
// The compiler makes a Definition as a constant. This test compares its tables with those that the same code makes at
// run time.
#include "mcp/definition.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

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
  EXPECT_EQ(links.session_tasks, constant.session_tasks);
  EXPECT_EQ(links.stateless_tasks, constant.stateless_tasks);
}

template <const mcp::Definition& definition>
inline constexpr mcp::detail::Links links_of =
    mcp::detail::link(definition, {}, {}, mcp::detail::features_of<definition, mcp::Limits{}>.data());

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
  EXPECT_FALSE(without.tools.asks());
}

TEST(Links, OrderOfFeaturesIsCheckedAgainstEachRule) {
  using mcp::detail::Place;
  EXPECT_TRUE(mcp::detail::keeps(mcp::detail::orders));
  const mcp::detail::Order broken[] = {{Place::streams, Place::tasks}, {Place::tasks, Place::streams}};
  EXPECT_FALSE(mcp::detail::keeps(broken));
  const mcp::detail::Order itself[] = {{Place::tasks, Place::tasks}};
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

}  // namespace
