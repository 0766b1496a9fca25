// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mcp/server.hpp>

// The server of server.cpp, which main() connects to a client.
extern const mcp::Server server;
