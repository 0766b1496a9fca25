// SPDX-License-Identifier: Apache-2.0
// Sends requests to servers with 1, 2, 4, … tools, resources and connections, and arguments of 100 bytes to 64 KB to
// one server, and matches URIs of up to 64 KB against templates, for an instruction counter (tests/bench/counts). The
// name of a measure is SERIES, a comma and the number.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "in_process.hpp"
#include "mcp/uri_template.hpp"
#include "measured.hpp"
#include "requests.hpp"

extern "C" void mcp_assert_failed(const char* file, int line) {
  static_cast<void>(std::fprintf(stderr, "%s:%d: a contract of the API was broken\n", file, line));
  std::abort();
}

namespace {

constexpr std::size_t most_rows = 64;
constexpr std::size_t row_transmit_size = 16'384;  // one page for all rows

struct Names {
  char text[most_rows][8];
};
constexpr Names make_names(char separator) {
  Names all{};
  for (std::size_t i = 0; i < most_rows; ++i) {
    char* at = all.text[i];
    for (const char c : {'r', 'o', 'w', separator}) *at++ = c;
    *at++ = static_cast<char>('0' + i / 10);
    *at++ = static_cast<char>('0' + i % 10);
  }
  return all;
}
constexpr Names tool_names = make_names('_');
constexpr Names uris = make_names(':');

mcp::Errc call_row(mcp::Call& call) { return call.result().text("done"); }
mcp::Errc read_row(mcp::ReadResult& out) { return out.text("21.5"); }

template <class Rows>
struct Table;
template <std::size_t... row>
struct Table<std::index_sequence<row...>> {
  static constexpr mcp::Tool tools[] = {mcp::tool<call_row>({.name = tool_names.text[row]})...};
  static constexpr mcp::Resource resources[] = {
      {.uri = uris.text[row], .name = uris.text[row], .read = read_row, .subscribable = true}...};
  static constexpr mcp::Definition definition{.name = "rows", .version = "1", .tools = tools, .resources = resources};
  static constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = row_transmit_size, .sessions = 2};
};

template <class Way>
void measure(const char* series, std::size_t count, Way& way, const std::string& json) {
  constexpr unsigned long times = 20;
  const std::string text = way.complete(json);
  bench::expect_result(way(text));
  bench::measure(std::string(series) + ", " + std::to_string(count), times, [&] { way(text); });
  bench::expect_result(way(text));
}

template <std::size_t rows>
void measure_rows() {
  using Rows = Table<std::make_index_sequence<rows>>;
  static constinit mcp::Storage<Rows::definition, Rows::limits> storage;
  static constinit mcp::Server server{storage};
  static bench::OverStdio way(server);
  way.begin_session();
  measure("tools, call of the last", rows, way,
          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
              std::string(tool_names.text[rows - 1]) + R"("}})");
  measure("tools, list", rows, way, R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  measure("resources, read of the last", rows, way,
          R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")" + std::string(uris.text[rows - 1]) +
              R"("}})");
  measure("resources, list", rows, way, R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})");
  for (std::size_t row = 0; row < rows; ++row) {
    bench::expect_result(
        way(way.complete(R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":")" +
                         std::string(uris.text[row]) + R"("}})")));
  }
  constexpr unsigned long times = 20;
  bench::measure("resources, all updated at once, " + std::to_string(rows), times, [&] {
    for (const mcp::Resource& resource : Rows::resources) server.resource_updated(resource);
    way("");
  });
}

template <std::size_t connections>
void measure_connections() {
  using Rows = Table<std::make_index_sequence<1>>;
  static constexpr mcp::HttpLimits limits{.connections = connections};
  static constinit mcp::Storage<Rows::definition, Rows::limits> storage;
  static constinit mcp::Server server{storage};
  static bench::OverHttp<storage, limits, connections> way(server);
  way.begin_session();
  measure("connections, ping of one", connections, way, std::string(bench::ping));
  constexpr unsigned long times = 20;
  const std::string text = way.complete(bench::ping);
  bench::measure("connections, ping of each at once, " + std::to_string(connections), times, [&] { way.all(text); });
}

struct Text {
  std::string_view text;
};
mcp::Errc take(const Text& arguments, mcp::Call& call) {
  return call.result().text(static_cast<std::uint32_t>(arguments.text.size()), " bytes");
}
constexpr auto take_params = mcp::params(mcp::param<&Text::text>("text"));
constexpr mcp::Tool taking[] = {mcp::tool<take>({.name = "take"}, take_params)};
constexpr mcp::Definition taker{.name = "taker", .version = "1", .tools = taking};
constexpr mcp::Limits taker_limits{.receive_size = 70'000, .sessions = 2};
constinit mcp::Storage<taker, taker_limits> taker_storage;
constinit mcp::Server taking_server{taker_storage};

void measure_arguments() {
  const auto call_with = [](const std::string& argument) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"take","arguments":{"text":")" + argument +
           R"("}}})";
  };
  static bench::OverStdio way(taking_server);
  way.begin_session();
  // The most that a text takes is 65,535 characters.
  for (std::size_t size = 125; size <= 64'000; size *= 2) {
    std::string mixed;
    while (mixed.size() + 16 <= size) mixed += "21.5 \\u00b0C \xC2\xB5 ";
    mixed.resize(size, 'x');
    measure("argument bytes, ASCII", size, way, call_with(std::string(size, 'x')));
    measure("argument bytes, with escapes and UTF-8", size, way, call_with(mixed));
  }
}

// URIs of a client that wants the match to take long: many parts, each of which looks like the next variable.
void measure_templates() {
  struct Row {
    const char* series;
    std::string_view uri_template;
    std::string_view begin;
    std::string_view part;
  };
  static constexpr Row rows[] = {
      {"template bytes, pairs without a value", "t:{?a}{&b}", "t:?a", "&a"},
      {"template bytes, pairs", "t:{?a}{&b}", "t:?a=1", "&a=1"},
      {"template bytes, parameters", "t:{;a}{;b}", "t:;a", ";a"},
      {"template bytes, beginnings of a literal", "t:{a}-x{b}-y", "t:-", "-"},
      {"template bytes, escapes", "t:{+a}", "t:", "%41"},
  };
  for (const Row& row : rows) {
    for (std::size_t size = 125; size <= 64'000; size *= 2) {
      std::string uri(row.begin);
      while (uri.size() + row.part.size() <= size) uri += row.part;
      bench::measure(std::string(row.series) + ", " + std::to_string(size), 1, [&] {
        mcp::TemplateMatch match;
        static_cast<void>(mcp::match_uri(row.uri_template, uri, match));
      });
    }
  }
}

}  // namespace

int main() {
  measure_rows<1>();
  measure_rows<2>();
  measure_rows<4>();
  measure_rows<8>();
  measure_rows<16>();
  measure_rows<32>();
  measure_rows<64>();
  // From two on: the compiler leaves out loops over one.
  measure_connections<2>();
  measure_connections<4>();
  measure_connections<8>();
  measure_connections<16>();
  measure_connections<32>();
  measure_arguments();
  measure_templates();
}
