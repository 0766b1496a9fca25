// SPDX-License-Identifier: Apache-2.0
// What a user may begin with.
#pragma once

#include <mcp/server.hpp>

namespace prompts {

mcp::Errc get_night(const mcp::PromptArguments& arguments, mcp::PromptResult& out);
inline constexpr mcp::PromptArgument night_arguments[] = {
    {.name = "hours", .title = "Hours", .description = "How far to look back", .required = true}};
inline constexpr mcp::Prompt night{.name = "what_happened",
                                   .title = "What happened?",
                                   .description = "Report on the last hours.",
                                   .arguments = night_arguments,
                                   .get = get_night};

mcp::Errc get_plan(const mcp::PromptArguments& arguments, mcp::PromptResult& out);
mcp::Errc complete_crop(const mcp::CompletionRequest& request, mcp::Completions& completions);
inline constexpr mcp::PromptArgument plan_arguments[] = {{.name = "crop", .title = "Crop", .required = true}};
inline constexpr mcp::Prompt plan{.name = "plan_watering",
                                  .title = "Plan watering",
                                  .description = "Make a schedule for a crop.",
                                  .arguments = plan_arguments,
                                  .get = get_plan,
                                  .complete = complete_crop};

}  // namespace prompts
