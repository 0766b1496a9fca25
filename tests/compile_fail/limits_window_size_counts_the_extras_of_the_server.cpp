// error: limits_window_size_is_too_small_for_the_answer_to_initialize
#include <mcp/server.hpp>

#define X100 "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
constexpr mcp::ServerExtras extras{.description = X100 X100};
constexpr mcp::Definition definition{.name = "n", .version = "1", .extras = extras};
constexpr mcp::Limits limits{.window_size = 300};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
