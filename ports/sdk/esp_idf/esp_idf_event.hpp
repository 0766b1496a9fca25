// SPDX-License-Identifier: Apache-2.0
// What the streams tell wait_for_event().
#pragma once

namespace mcp::esp_idf {

// A write has returned `would_block`: the next sleep is one tick at most. Context: the task that runs the server.
void note_blocked_write();

// Notifies the task that runs the server. Returns whether it has a higher priority than the interrupted task.
// Context: interrupt.
bool wake_from_isr();

}  // namespace mcp::esp_idf
