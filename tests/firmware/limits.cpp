// SPDX-License-Identifier: Apache-2.0
// Checks the RAM figures of mcp/limits.hpp, mcp/values.hpp, transports/include/mcp/http_limits.hpp and
// core/README.md for a 32-bit processor. Only compiled, never run.
#include <mcp/http_transport.hpp>
#include <mcp/server.hpp>
#include <utility>

#include "support/every_pool.hpp"

namespace {

struct Work {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
  std::uint64_t state[2];
};
using Every = test::EveryPool<Work>;
constexpr mcp::Definition empty{.name = "empty", .version = "1"};
constexpr mcp::Limits every_pool{
    .jobs = 8, .tasks = 8, .elicitations = 8, .streams = 8, .subscriptions = 8, .log_size = 64};

struct Uris {
  char text[64][5];
  constexpr Uris() : text{} {
    for (std::size_t i = 0; i < 64; ++i) {
      text[i][0] = 'x';
      text[i][1] = ':';
      text[i][2] = static_cast<char>('0' + i / 10);
      text[i][3] = static_cast<char>('0' + i % 10);
    }
  }
};
constexpr Uris uris;
mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
template <class Rows>
struct Table;
template <std::size_t... row>
struct Table<std::index_sequence<row...>> {
  static constexpr mcp::Resource resources[] = {{.uri = uris.text[row], .name = "n", .read = read}...};
  static constexpr mcp::Definition definition{
      .name = "rows", .version = "1", .resources = resources, .list_changes = true};
};
template <std::size_t rows>
constexpr std::size_t size_of_rows = sizeof(mcp::Storage<Table<std::make_index_sequence<rows>>::definition>);

// The memory that goes from the one to the other, of eight more of something: so that no rounding hides in it.
template <mcp::Limits from, mcp::Limits to>
constexpr std::size_t of_eight = sizeof(mcp::Storage<Every::definition, to>) -
                                 sizeof(mcp::Storage<Every::definition, from>);
constexpr mcp::ServerShape two_sessions{.sessions = 2};
constexpr mcp::ServerShape ten_sessions{.sessions = 10};
template <mcp::HttpLimits from, mcp::HttpLimits to>
constexpr std::size_t of_eight_http = sizeof(mcp::HttpStorage<two_sessions, to>) -
                                      sizeof(mcp::HttpStorage<two_sessions, from>);

constexpr mcp::Limits none{};
constexpr std::size_t id = none.id_size;

static_assert(of_eight<none, {.receive_size = none.receive_size + 8}> == 8);
static_assert(of_eight<none, {.transmit_size = none.transmit_size + 8}> == 8);
static_assert(of_eight<none, {.sessions = 9}> == 8 * (36 + 8), "Limits::sessions");
static_assert(of_eight<{.jobs = 8}, {.jobs = 16}> == 8 * (112 + 2 * id + 16), "jobs");
static_assert(of_eight<{.tasks = 8}, {.tasks = 16}> == 8 * (96 + 2 * id + none.task_result_size), "Limits::tasks");
static_assert(of_eight<{.elicitations = 8}, {.elicitations = 16}> == 8 * 48, "Limits::elicitations");
static_assert(of_eight<{.streams = 8}, {.streams = 16}> == 8 * (32 + id), "Limits::streams");
static_assert(of_eight<{.subscriptions = 8}, {.subscriptions = 16}> == 8 * (20 + id + 8), "Limits::subscriptions");
// A byte for each row, a bit for each row that can be disabled, two bits for each row and session; in words of 8 bytes.
static_assert(size_of_rows<64> - size_of_rows<32> == (32 + 4 + 8 + 7) / 8 * 8);
static_assert(sizeof(mcp::Storage<empty, every_pool>) == sizeof(mcp::Storage<empty>), "a pool without a use");
static_assert(of_eight<{.jobs = 8, .mailbox = true}, {.jobs = 16, .mailbox = true}> == 8 * (112 + 2 * id + 16 + 12),
              "mailbox");
static_assert(of_eight<{.log_size = 64, .mailbox = true}, {.log_size = 64, .mailbox = true, .mailbox_logs = 12}> ==
                  8 * (12 + none.mailbox_log_size),
              "Limits::mailbox_logs");
static_assert(of_eight<none, {.mailbox = true, .mailbox_logs = 0}> == 24, "Limits::mailbox");
static_assert(of_eight<{.log_size = 64}, {.log_size = 72}> == 8, "Limits::log_size");

constexpr mcp::HttpLimits http{};
constexpr std::size_t connections =
    of_eight_http<http, {.connections = http.connections + 8}> - 8 * (http.head_size + 1024);
static_assert(connections > 8 * 586 && connections < 8 * 606, "HttpLimits::connections");
static_assert(sizeof(mcp::HttpStorage<ten_sessions>) - sizeof(mcp::HttpStorage<two_sessions>) == 8 * 64, "HttpStorage");
static_assert(of_eight_http<{.replay_size = 64}, {.replay_size = 72}> == 8, "HttpLimits::replay_size");

static_assert(sizeof(mcp::Server) == 344, "core/README.md");
static_assert(sizeof(mcp::FixedString<20>) == 22);
static_assert(sizeof(mcp::List<std::uint16_t, 10>) == 22);

}  // namespace
