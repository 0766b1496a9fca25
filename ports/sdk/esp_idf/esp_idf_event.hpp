// SPDX-License-Identifier: Apache-2.0
// Events of the streams for wait_for_event().
#pragma once

namespace mcp::esp_idf {

// Call it after a write has returned `would_block`. The next sleep is then at most one tick. Context: the task that
// runs the server.
void note_blocked_write();

// Notifies the task that runs the server. Returns whether it has a higher priority than the interrupted task.
// Context: interrupt.
bool wake_from_isr();

}  // namespace mcp::esp_idf
