// SPDX-License-Identifier: Apache-2.0
// error: a read job is trivially copyable and has a member function Step step(mcp::ReadContext&)
#include <mcp/server.hpp>

struct Job {};
constexpr mcp::Resource resources[] = {mcp::read_job<Job>({.uri = "a:b", .name = "a"})};
