// SPDX-License-Identifier: Apache-2.0
#include "prompts.hpp"

#include "beds.hpp"

namespace prompts {

mcp::Errc get_night(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  return out.user().text("Report on the last ", arguments["hours"],
                         " hours. Read climate://temperature/history with since, log://events and bed://all. Name what "
                         "was unusual, and what I should do.");
}

mcp::Errc get_plan(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  for (std::size_t bed = 1; bed <= plant::beds; ++bed) {
    if (beds::crop(bed) != arguments["crop"]) continue;
    return out.user().text("Plan how to water the ", arguments["crop"], " in bed ", bed, ". It has ",
                           plant::moisture(bed - 1), " % moisture. Read schedule://current, then call set_schedule.");
  }
  return mcp::Errc::not_found;
}

mcp::Errc complete_crop(const mcp::CompletionRequest&, mcp::Completions& completions) {
  for (std::size_t bed = 1; bed <= plant::beds; ++bed) completions.offer(beds::crop(bed));
  return mcp::Errc::ok;
}

}  // namespace prompts
