// SPDX-License-Identifier: Apache-2.0
// error: the_server_declares_the_extension_io_modelcontextprotocol_tasks_itself
#include <mcp/server.hpp>

constexpr mcp::Extensions extensions = R"({"io.modelcontextprotocol/tasks": {}})";
