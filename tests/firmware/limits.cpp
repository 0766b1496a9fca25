// Holds what mcp/limits.hpp, mcp/values.hpp, transports/include/mcp/http_transport.hpp and core/README.md say of RAM
// against a 32-bit processor. For the compiler alone: nothing of it runs.
#include <mcp/http_transport.hpp>
#include <mcp/server.hpp>

namespace {

// The memory that goes from the one to the other, of eight more of something: so that no rounding hides in it.
template <mcp::Limits from, mcp::Limits to>
constexpr std::size_t of_eight = sizeof(mcp::Storage<to>) - sizeof(mcp::Storage<from>);
template <mcp::HttpLimits from, mcp::HttpLimits to>
constexpr std::size_t of_eight_http = sizeof(mcp::HttpStorage<to, 1024>) - sizeof(mcp::HttpStorage<from, 1024>);

constexpr mcp::Limits none{};
constexpr std::size_t id = none.id_size;

static_assert(of_eight<none, {.receive_size = none.receive_size + 8}> == 8);
static_assert(of_eight<none, {.transmit_size = none.transmit_size + 8}> == 8);
static_assert(of_eight<none, {.sessions = 9}> == 8 * (36 + 8), "Limits::sessions");
static_assert(of_eight<none, {.resources = none.resources + 8}> == 8, "Limits::resources");
static_assert(of_eight<{.jobs = 8, .job_size = 16}, {.jobs = 16, .job_size = 16}> == 8 * (112 + 2 * id + 16), "jobs");
static_assert(of_eight<{.tasks = 8}, {.tasks = 16}> == 8 * (88 + 2 * id + none.task_result_size), "Limits::tasks");
static_assert(of_eight<{.elicitations = 8}, {.elicitations = 16}> == 8 * 48, "Limits::elicitations");
static_assert(of_eight<{.streams = 8}, {.streams = 16}> == 8 * (32 + id), "Limits::streams");
static_assert(of_eight<{.subscriptions = 8}, {.subscriptions = 16}> == 8 * (20 + id + 8), "Limits::subscriptions");
static_assert(of_eight<{.rows = 64}, {.rows = 128}> == 8, "Limits::rows");
static_assert(of_eight<{.log_size = 64}, {.log_size = 72}> == 8, "Limits::log_size");

constexpr mcp::HttpLimits http{};
constexpr std::size_t connections =
    of_eight_http<http, {.connections = http.connections + 8}> - 8 * (http.head_size + 1024);
static_assert(connections > 8 * 580 && connections < 8 * 600, "HttpLimits::connections");
static_assert(of_eight_http<http, {.sessions = 9}> == 8 * 48, "HttpLimits::sessions");
static_assert(of_eight_http<{.replay_size = 64}, {.replay_size = 72}> == 8, "HttpLimits::replay_size");

static_assert(sizeof(mcp::Server) == 196, "core/README.md");
static_assert(sizeof(mcp::FixedString<20>) == 22);
static_assert(sizeof(mcp::List<std::uint16_t, 10>) == 22);

}  // namespace
