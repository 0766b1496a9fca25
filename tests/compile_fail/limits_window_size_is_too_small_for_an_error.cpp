// error: limits_window_size_is_too_small_for_an_error
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constexpr mcp::Limits limits{.window_size = 199};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
