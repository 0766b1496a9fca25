// The one hook for programmer errors: a broken contract of this API, never bad input.
#pragma once

/// Called when a contract of the API is broken, with the place that found out. The port supplies it (ports/*); it must
/// not return. Context: wherever the error was made, interrupts included.
extern "C" [[noreturn]] void mcp_assert_failed(const char* file, int line);

#define MCP_ASSERT(condition) ((condition) ? void() : mcp_assert_failed(__FILE_NAME__, __LINE__))
