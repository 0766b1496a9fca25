// SPDX-License-Identifier: Apache-2.0
// A Definition that uses every pool of a Storage.
#pragma once

#include <cstdint>
#include <span>

#include "mcp/body_stream.hpp"
#include "mcp/definition.hpp"
#include "mcp/job.hpp"

namespace test {

/// `Job` is the only tool.
template <class Job>
struct EveryPool {
  static mcp::Chunk read_nothing(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
  static constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "work", .task_support = mcp::TaskSupport::optional})};
  static constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .stream = mcp::blob_stream(read_nothing)}};
  static constexpr mcp::Definition definition{.name = "all",
                                              .version = "1",
                                              .tools = tools,
                                              .resources = resources,
                                              .logging = true,
                                              .list_changes = true,
                                              .subscriptions = true,
                                              .url_elicitations = true};
};

}  // namespace test
