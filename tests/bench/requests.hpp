// SPDX-License-Identifier: Apache-2.0
// The requests of the bench, and the first messages of a session.
#pragma once

#include <string_view>

namespace bench {

struct Request {
  std::string_view name;
  std::string_view json;
};

inline constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":1000000,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})";
inline constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
inline constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1000000,"method":"ping"})";
inline constexpr std::string_view list_tools = R"({"jsonrpc":"2.0","id":1000000,"method":"tools/list"})";
inline constexpr std::string_view list_resources = R"({"jsonrpc":"2.0","id":1000000,"method":"resources/list"})";
/// Uses the last tool of everything_server, which leaves its feature enabled.
inline constexpr std::string_view call_everything =
    R"({"jsonrpc":"2.0","id":1000000,"method":"tools/call","params":{"name":"test_set_enabled",)"
    R"("arguments":{"what":"tool","enabled":true}}})";

/// Their ids have seven digits, as many as the load counts up in; their calls have two arguments.
inline constexpr Request requests_to_everything[] = {
    {"ping", ping},
    {"initialize", initialize},
    {"tools/list", list_tools},
    {"resources/list", list_resources},
    {"tools/call", call_everything},
    {"resources/read",
     R"({"jsonrpc":"2.0","id":1000000,"method":"resources/read","params":{"uri":"test://static-text"}})"},
};
inline constexpr Request requests_to_small[] = {
    {"ping", ping},
    {"initialize", initialize},
    {"tools/list", list_tools},
    {"resources/list", list_resources},
    {"tools/call", R"({"jsonrpc":"2.0","id":1000000,"method":"tools/call","params":{"name":"set_led",)"
                   R"("arguments":{"percent":40,"blinks":true}}})"},
    {"resources/read",
     R"({"jsonrpc":"2.0","id":1000000,"method":"resources/read","params":{"uri":"sensor://temperature"}})"},
};

/// The bytes before the value of a header in the server's response.
inline constexpr std::string_view session_header = "\r\nMCP-Session-Id: ";

/// The lines of a request before the length of its body, in the manner of the official client on Node.js.
inline constexpr std::string_view request_lines =
    "POST /mcp HTTP/1.1\r\n"
    "host: 127.0.0.1:8080\r\n"
    "connection: keep-alive\r\n"
    "content-type: application/json\r\n"
    "accept: application/json, text/event-stream\r\n"
    "accept-language: *\r\n"
    "sec-fetch-mode: cors\r\n"
    "user-agent: node\r\n"
    "accept-encoding: gzip, deflate\r\n";
inline constexpr std::string_view version_line = "mcp-protocol-version: 2025-11-25\r\n";
inline constexpr std::string_view session_line = "mcp-session-id: ";
inline constexpr std::string_view length_line = "content-length: ";

}  // namespace bench
