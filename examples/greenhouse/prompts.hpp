// SPDX-License-Identifier: Apache-2.0
// What a user may begin with.
#pragma once

#include <mcp/server.hpp>

#include "beds.hpp"

namespace prompts {

inline mcp::Errc get_night(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  return out.user().text("Report on the last ", arguments["hours"],
                         " hours. Read climate://temperature/history with since, log://events and bed://all. Name what "
                         "was unusual, and what I should do.");
}
inline constexpr mcp::PromptArgument night_arguments[] = {
    {.name = "hours", .title = "Hours", .description = "How far to look back", .required = true}};
inline constexpr mcp::Prompt night{.name = "what_happened",
                                   .title = "What happened?",
                                   .description = "Report on the last hours.",
                                   .arguments = night_arguments,
                                   .get = get_night};

inline mcp::Errc get_plan(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  for (std::size_t bed = 1; bed <= plant::beds; ++bed) {
    if (beds::crop(bed) != arguments["crop"]) continue;
    return out.user().text("Plan how to water the ", arguments["crop"], " in bed ", bed, ". It has ",
                           plant::moisture(bed - 1), " % moisture. Read schedule://current, then call set_schedule.");
  }
  return mcp::Errc::not_found;
}
inline mcp::Errc complete_crop(const mcp::CompletionRequest&, mcp::Completions& completions) {
  for (std::size_t bed = 1; bed <= plant::beds; ++bed) completions.offer(beds::crop(bed));
  return mcp::Errc::ok;
}
inline constexpr mcp::PromptArgument plan_arguments[] = {{.name = "crop", .title = "Crop", .required = true}};
inline constexpr mcp::Prompt plan{.name = "plan_watering",
                                  .title = "Plan watering",
                                  .description = "Make a schedule for a crop.",
                                  .arguments = plan_arguments,
                                  .get = get_plan,
                                  .complete = complete_crop,
                                  .match = mcp::Match::anywhere};

}  // namespace prompts
