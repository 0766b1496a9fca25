// SPDX-License-Identifier: Apache-2.0
// What the streams tell wait_for_event().
#pragma once

namespace mcp::zephyr {

// A stream has no interrupt: from now on, each sleep is short. Context: the thread that runs the server, or before it.
void note_polled_stream();

}  // namespace mcp::zephyr
