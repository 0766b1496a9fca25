// SPDX-License-Identifier: Apache-2.0
// error: the_size_of_a_trace_must_be_a_power_of_two_from_256_to_1048576
#include <mcp/trace.hpp>

constinit mcp::TraceRing<300> ring;
