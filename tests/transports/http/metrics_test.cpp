// SPDX-License-Identifier: Apache-2.0
// GET /metrics: the Prometheus text of the figures, in parts, for clients that may read them.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "mcp/figures.hpp"
#include "mcp/http_metrics.hpp"
#include "mcp/http_transport.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace {

using test::HttpClient;
using test::HttpResponse;

std::uint64_t level = 9;
void add(mcp::FigureWriter& out) {
  out.gauge("level", level, mcp::FigureUnit::none, "A \"level\" of C:\\\nand more");
  out.counter("odd", {"name", "a\"b\\c\nd"}, 1);
  out.memory("stack", {.size = 2048, .used = 0, .high_water = 900});
}

constexpr std::string_view scopes[] = {"read", "service"};
constexpr mcp::Resource scoped_rows[] = {mcp::health_resource<add>({.scope = "service"})};
constexpr mcp::Definition scoped{
    .name = "n", .version = "1", .resources = scoped_rows, .list_changes = true, .scopes = scopes};
constexpr mcp::Resource open_rows[] = {mcp::health_resource<add>()};
constexpr mcp::Definition open{.name = "n", .version = "1", .resources = open_rows, .list_changes = true};

constexpr mcp::HttpLimits limits{.connections = 3, .head_size = 512};
constexpr mcp::StaticToken tokens[] = {{.token = "reader", .scopes = "read"}, {.token = "worker", .scopes = "service"}};

// Reads a response to the end, strictly. A body of chunks is what HttpClient takes for a stream of events.
HttpResponse read_response(std::string_view text) {
  HttpResponse response;
  const std::size_t end = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || end == std::string_view::npos) return response;
  std::string_view lines = text.substr(0, end);
  std::string_view body = text.substr(end + 4);
  for (std::size_t at = lines.find("\r\n"); at != std::string_view::npos; at = lines.find("\r\n")) {
    lines.remove_prefix(at + 2);
    const std::string_view line = lines.substr(0, lines.find("\r\n"));
    const std::size_t colon = line.find(": ");
    std::string name(line.substr(0, colon));
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    response.headers[name] = line.substr(colon + 2);
  }
  response.status = std::stoi(std::string(text.substr(9, 3)));
  if (response.header("transfer-encoding") != "chunked") {
    response.body = body;
    return response;
  }
  for (;;) {
    std::size_t digits = 0;
    const std::size_t size = std::stoul(std::string(body.substr(0, 8)), &digits, 16);
    EXPECT_EQ(body.substr(digits, 2), "\r\n");
    body.remove_prefix(digits + 2);
    if (body.size() < size + 2) {
      ADD_FAILURE() << "the body has no end";
      return {};
    }
    response.body += body.substr(0, size);
    EXPECT_EQ(body.substr(size, 2), "\r\n");
    body.remove_prefix(size + 2);
    if (size == 0) break;
  }
  EXPECT_TRUE(body.empty());
  return response;
}

struct KeptOptions {
  mcp::HttpMetrics metrics;
  mcp::HttpOptions options;
};
template <std::size_t transmit_size, bool is_scoped = false>
struct MetricsSite : KeptOptions, test::HttpSite<limits, transmit_size, 32, false, is_scoped> {
  explicit MetricsSite(std::string_view path = "/mcp", mcp::Authorizer* authorizer = nullptr)
      : KeptOptions{is_scoped ? mcp::HttpMetrics{scoped_rows[0], add} : mcp::HttpMetrics{open_rows[0], add},
                    {.path = path, .authorizer = authorizer, .metrics = &metrics}},
        test::HttpSite<limits, transmit_size, 32, false, is_scoped>(is_scoped ? scoped : open, {.sessions = 3},
                                                                    options) {}
  /// Another server, or another row.
  MetricsSite(const mcp::Definition& definition, const mcp::HttpMetrics& of, mcp::Authorizer* authorizer)
      : KeptOptions{of, {.authorizer = authorizer, .metrics = &metrics}},
        test::HttpSite<limits, transmit_size, 32, false, is_scoped>(definition, {.sessions = 3}, options) {}

  HttpResponse get(std::string_view more = {}, std::string_view method = "GET", std::string_view path = "/metrics") {
    HttpClient client = this->connect();
    client.send(text_of(method, path, more));
    this->run();
    const HttpResponse response = read_response(client.connection().wire.take());
    client.leave();
    this->run();
    return response;
  }
  static std::string text_of(std::string_view method, std::string_view path, std::string_view more) {
    return std::string(method) + " " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(more) +
           "\r\n";
  }
};

// Takes a line of the text format. Anything that is not one fails the test.
class Text {
 public:
  explicit Text(std::string_view text) {
    EXPECT_TRUE(text.ends_with('\n'));
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) break;
      take_line(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
  }
  std::map<std::string, std::string> samples;

 private:
  static bool is_name(std::string_view name) {
    return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
  }
  void take_line(std::string_view line) {
    if (line.starts_with("# HELP ")) return begin_family(line.substr(7));
    if (line.starts_with("# TYPE ")) return take_type(line.substr(7));
    take_sample(line);
  }
  void begin_family(std::string_view rest) {
    family_ = rest.substr(0, rest.find(' '));
    type_.clear();
    EXPECT_TRUE(is_name(family_)) << rest;
    EXPECT_TRUE(families_.insert(family_).second) << "two parts of the family " << family_;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] != '\\') continue;
      ++i;
      EXPECT_TRUE(i < rest.size() && (rest[i] == '\\' || rest[i] == 'n')) << rest;
    }
  }
  void take_type(std::string_view rest) {
    EXPECT_EQ(rest.substr(0, rest.find(' ')), family_);
    type_ = rest.substr(rest.find(' ') + 1);
    EXPECT_TRUE(type_ == "counter" || type_ == "gauge") << rest;
    EXPECT_EQ(type_ == "counter", family_.ends_with("_total")) << rest;
  }
  void take_sample(std::string_view line) {
    EXPECT_FALSE(type_.empty()) << line;
    const std::size_t name = line.find_first_of("{ ");
    EXPECT_EQ(line.substr(0, name), family_) << line;
    std::size_t at = name;
    if (at < line.size() && line[at] == '{') at = end_of_labels(line, at);
    ASSERT_LT(at, line.size()) << line;
    EXPECT_EQ(line[at], ' ') << line;
    const std::string_view value = line.substr(at + 1);
    EXPECT_TRUE(!value.empty() && value.find_first_not_of("0123456789.") == std::string_view::npos) << line;
    EXPECT_TRUE(samples.emplace(line.substr(0, at), value).second) << "twice: " << line;
  }
  static std::size_t end_of_labels(std::string_view line, std::size_t at) {
    const std::size_t equals = line.find("=\"", at);
    EXPECT_TRUE(equals != std::string_view::npos && is_name(line.substr(at + 1, equals - at - 1))) << line;
    for (at = equals + 2; at < line.size() && line[at] != '"'; ++at) {
      if (line[at] == '\\') ++at;
    }
    EXPECT_EQ(line.substr(at, 2), "\"}") << line;
    return at + 2;
  }

  std::string family_;
  std::string type_;
  std::set<std::string> families_;
};

TEST(MetricsTest, TextHasAllFigures) {
  MetricsSite<4096> site;
  site.run();
  EXPECT_EQ(site.get({}, "GET", "/nothing").status, 404);
  const HttpResponse response = site.get();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  Text text(response.body);
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"mote_pool_slots{pool=\"sessions\"}", "3"},
                                          {"mote_pool_used_slots{pool=\"sessions\"}", "1"},
                                          {"mote_pool_slots{pool=\"http_connections\"}", "3"},
                                          {"mote_pool_high_water_slots{pool=\"http_connections\"}", "1"},
                                          {"mote_memory_bytes{memory=\"stack\"}", "2048"},
                                          {"mote_memory_high_water_bytes{memory=\"stack\"}", "900"},
                                          {"mote_http_responses_total{class=\"4xx\"}", "1"},
                                          {"mote_http_refused_total", "0"},
                                          {"mote_messages_total{kind=\"request\"}", "0"},
                                          {"mote_errors_total{code=\"-32601\"}", "0"},
                                          {"mote_uptime_seconds", "0.000"},
                                          {"mote_level", "9"},
                                          {"mote_odd_total{name=\"a\\\"b\\\\c\\nd\"}", "1"}}) {
    EXPECT_EQ(text.samples[name], value) << name << "\nin " << response.body;
  }
  EXPECT_NE(response.body.find("# HELP mote_level A \"level\" of C:\\\\\\nand more\n"), std::string::npos);
  site.pass(1234);
  EXPECT_EQ(Text(site.get().body).samples["mote_uptime_seconds"], "1.234");
}

TEST(MetricsTest, PartsHaveTheSameSamplesWhileValuesChange) {
  MetricsSite<4096> wide;
  MetricsSite<320> narrow;
  wide.run();
  narrow.run();
  HttpClient client = narrow.connect();
  client.connection().wire.write_limit = 7;
  client.connection().wire.blocks_every_second_write = true;
  client.send(decltype(narrow)::text_of("GET", "/metrics", ""));
  for (int i = 0; i < 4000; ++i) {
    level = i % 2 == 0 ? 1 : 123456789012;  // another width with each byte that is read
    static_cast<void>(narrow.transport().poll(narrow.now()));
  }
  level = 9;
  client.connection().wire.write_limit = 100'000;
  client.connection().wire.blocks_every_second_write = false;
  narrow.run();
  const HttpResponse response = read_response(client.connection().wire.take());
  EXPECT_EQ(response.status, 200);
  std::set<std::string> got;
  for (const auto& [name, value] : Text(response.body).samples) got.insert(name);
  std::set<std::string> wanted;
  for (const auto& [name, value] : Text(wide.get().body).samples) wanted.insert(name);
  EXPECT_EQ(got, wanted);
}

TEST(MetricsTest, AreServedForGetAndHeadOnly) {
  MetricsSite<1024> site;
  const HttpResponse post = site.get("Content-Length: 0\r\n", "POST");
  EXPECT_EQ(post.status, 405);
  EXPECT_EQ(post.header("allow"), "GET, HEAD");
  EXPECT_EQ(site.get({}, "OPTIONS").status, 405);
  HttpClient smuggler = site.connect();
  const std::string hidden = decltype(site)::text_of("GET", "/metrics", "");
  smuggler.send(
      decltype(site)::text_of("POST", "/metrics", "Content-Length: " + std::to_string(hidden.size()) + "\r\n") +
      hidden);
  site.run();
  const HttpResponse only = read_response(smuggler.connection().wire.take());
  EXPECT_EQ(only.status, 405);
  EXPECT_EQ(only.body, "") << "the body of a request is no request";
  EXPECT_TRUE(smuggler.connection().closed());
  EXPECT_EQ(site.get({}, "DELETE").status, 405);
  EXPECT_EQ(site.get("Origin: https://evil.example\r\n").status, 403);
  HttpClient client = site.connect();
  client.send(decltype(site)::text_of("HEAD", "/metrics", ""));
  site.run();
  const std::string head = client.connection().wire.take();
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4")) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
  EXPECT_EQ(head.find("\r\n\r\n"), head.size() - 4) << "a response to HEAD has no body";
  client.send(decltype(site)::text_of("GET", "/metrics", ""));
  site.run();
  EXPECT_EQ(read_response(client.connection().wire.take()).status, 200) << "the connection stays";
  client.leave();
  site.run();
}

TEST(MetricsTest, Http10GetsTextUntilTheEnd) {
  MetricsSite<400> site;
  HttpClient client = site.connect();
  client.send("GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n");
  site.run();
  const std::string all = client.connection().wire.take();
  EXPECT_EQ(all.find("Transfer-Encoding"), std::string::npos);
  Text text(std::string_view(all).substr(all.find("\r\n\r\n") + 4));
  EXPECT_EQ(text.samples["mote_level"], "9");
  HttpClient old = site.connect();
  old.send("HEAD /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n");
  site.run();
  const std::string head = old.connection().wire.take();
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n")) << head;
  EXPECT_EQ(head.find("Transfer-Encoding"), std::string::npos) << head;
  EXPECT_TRUE(client.connection().closed());
}

TEST(MetricsTest, NeedTokenAndScopeOfTheRow) {
  mcp::ScopedTokens authorizer{tokens};
  MetricsSite<2048, true> site("/mcp", &authorizer);
  const HttpResponse none = site.get();
  EXPECT_EQ(none.status, 401);
  EXPECT_EQ(none.header("www-authenticate"), "Bearer");
  EXPECT_EQ(site.get("Authorization: Bearer wrong\r\n").status, 401);
  const HttpResponse reader = site.get("Authorization: Bearer reader\r\n");
  EXPECT_EQ(reader.status, 403);
  EXPECT_EQ(reader.header("www-authenticate"), "Bearer error=\"insufficient_scope\", scope=\"service\"");
  const HttpResponse worker = site.get("Authorization: Bearer worker\r\n");
  EXPECT_EQ(worker.status, 200);
  Text text(worker.body);
  EXPECT_EQ(text.samples["mote_http_refused_total"], "3");
  EXPECT_EQ(text.samples["mote_refused_total"], "2") << "the server counts tokens, and scopes of messages";
}

TEST(MetricsTest, DisabledRowIsNotFound) {
  MetricsSite<2048> site;
  EXPECT_EQ(site.get().status, 200);
  site.bench.server.set_enabled(open_rows[0], false);
  EXPECT_EQ(site.get().status, 404);
  site.bench.server.set_enabled(open_rows[0], true);
  EXPECT_EQ(site.get().status, 200);
}

TEST(MetricsTest, EndpointWithThePathOfMetricsWins) {
  MetricsSite<2048> site("/metrics");
  EXPECT_EQ(site.get().status, 400) << "MCP-Session-Id is required";
}

TEST(MetricsTest, CountsStreamsErrorsAndEvictions) {
  MetricsSite<8192> site;  // in one part, so that this response is not counted in its own text
  EXPECT_EQ(site.get("Content-Length: x\r\n").status, 400);
  const std::string body =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}})";
  HttpClient client = site.connect();
  const HttpResponse begun = site.ask(
      client, decltype(site)::text_of(
                  "POST", "/mcp",
                  "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: " +
                      std::to_string(body.size()) + "\r\n") +
                  body);
  ASSERT_EQ(begun.status, 200);
  HttpClient stream = site.connect();
  stream.send(decltype(site)::text_of(
      "GET", "/mcp", "Accept: text/event-stream\r\nMCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n"));
  site.run();
  EXPECT_EQ(stream.response().status, 200);
  HttpClient idle[] = {site.connect(), site.connect()};  // one more than there are connections
  site.pass(2000);
  HttpClient last = site.connect();
  last.send(decltype(site)::text_of("GET", "/metrics", ""));
  site.pass(3000);
  const HttpResponse late = read_response(last.connection().wire.take());
  ASSERT_EQ(late.status, 200);
  Text text(late.body);
  EXPECT_EQ(text.samples["mote_http_responses_total{class=\"2xx\"}"], "2");
  EXPECT_EQ(text.samples["mote_http_responses_total{class=\"4xx\"}"], "1");
  EXPECT_EQ(text.samples["mote_pool_high_water_slots{pool=\"http_connections\"}"], "3");
  EXPECT_NE(text.samples["mote_pool_full_total{pool=\"http_connections\"}"], "0");
  for (HttpClient* each : {&client, &stream, &idle[0], &idle[1], &last}) each->leave();
  site.run();
}

TEST(MetricsTest, ScopesCountOnlyWithAnAuthorizer) {
  MetricsSite<2048, true> site;
  EXPECT_EQ(site.get().status, 200);
}

// Neither row compiles in a Storage of a Definition with scopes.
TEST(MetricsTest, RowWithoutAKnownScope) {
  mcp::ScopedTokens authorizer{tokens};
  static constexpr mcp::Definition unscoped{
      .name = "n", .version = "1", .resources = open_rows, .list_changes = true, .scopes = scopes};
  MetricsSite<2048, true> without(unscoped, mcp::HttpMetrics{open_rows[0]}, &authorizer);
  EXPECT_EQ(without.get("Authorization: Bearer reader\r\n").status, 200);
  static constexpr mcp::Resource unknown_rows[] = {mcp::health_resource({.scope = "unknown"})};
  static constexpr mcp::Definition definition{
      .name = "n", .version = "1", .resources = unknown_rows, .list_changes = true, .scopes = scopes};
  MetricsSite<2048, true> unknown(definition, mcp::HttpMetrics{unknown_rows[0]}, &authorizer);
  EXPECT_EQ(unknown.get("Authorization: Bearer reader\r\n").status, 403);
}

// Else it would be the first GET /metrics.
TEST(MetricsTest, FirstConnectionStopsADeviceWithTheRowOfAnotherTable) {
  static constexpr mcp::Resource other_rows[] = {mcp::health_resource()};
  MetricsSite<2048> site(open, mcp::HttpMetrics{other_rows[0]}, nullptr);
  EXPECT_DEATH(site.get({}, "GET", "/other"), "contract");
}

TEST(MetricsTest, ServerWithoutFiguresHasNone) {
  static constexpr mcp::Definition bare{.name = "n", .version = "1"};
  MetricsSite<2048> site(bare, mcp::HttpMetrics{open_rows[0]}, nullptr);
  EXPECT_EQ(site.get().status, 404);
}

TEST(MetricsTest, FiguresOfTheApplicationMayBeNone) {
  MetricsSite<2048> site(open, mcp::HttpMetrics{open_rows[0]}, nullptr);
  Text text(site.get().body);
  EXPECT_EQ(text.samples.count("mote_level"), 0U);
  EXPECT_EQ(text.samples["mote_pool_slots{pool=\"sessions\"}"], "3");
}

void add_units(mcp::FigureWriter& out) {
  out.counter("up", 1500, mcp::FigureUnit::milliseconds);
  out.counter("sent", 7, mcp::FigureUnit::bytes);
  out.gauge("arena", 8, mcp::FigureUnit::bytes);
  out.gauge("a-b {c}~\n5_", 2);
  out.counter("keys", {"k-{9}_", "v"}, 3);
  out.gauge("UPPER", 4);
}

TEST(MetricsTest, UnitsAndCharactersOfNames) {
  MetricsSite<2048> site(open, mcp::HttpMetrics{open_rows[0], add_units}, nullptr);
  const std::string body = site.get().body;
  for (const char* line : {"\n# TYPE mote_up_seconds_total counter\nmote_up_seconds_total 1.500\n",
                           "\nmote_sent_bytes_total 7\n", "\nmote_arena_bytes 8\n", "\nmote_a_b__c___5_ 2\n",
                           "\nmote_keys_total{k__9__=\"v\"} 3\n", "\n# TYPE mote_UPPER gauge\nmote_UPPER 4\n"}) {
    EXPECT_NE(body.find(line), std::string::npos) << line << "in " << body;
  }
}

const std::string long_text(600, 'x');
void add_long(mcp::FigureWriter& out) {
  out.gauge("before", 1);
  out.counter("wide", {"key", long_text}, 2);
  out.counter("wide", {"key", "b"}, 3);
  out.counter("wide", {"key", long_text}, 4);
  out.counter("wide", {"key", "c"}, 5);
  out.gauge("too_wide", 6, mcp::FigureUnit::none, long_text);
  out.gauge("after", 7);
}

TEST(MetricsTest, SampleThatFitsIntoNoPartIsLeftOut) {
  MetricsSite<400> site(open, mcp::HttpMetrics{open_rows[0], add_long}, nullptr);
  const std::string body = site.get().body;
  Text text(body);
  EXPECT_EQ(text.samples["mote_before"], "1");
  EXPECT_EQ(text.samples["mote_wide_total{key=\"b\"}"], "3");
  EXPECT_EQ(text.samples["mote_wide_total{key=\"c\"}"], "5");
  EXPECT_EQ(text.samples["mote_after"], "7");
  EXPECT_EQ(body.find("too_wide"), std::string::npos);
  EXPECT_EQ(body.find("xxx"), std::string::npos);
}

void add_long_pools(mcp::FigureWriter& out) {
  out.memory(long_text, {.size = 1});
  out.memory("small", {.size = 2});
}

TEST(MetricsTest, MemoryThatFitsIntoNoPartIsLeftOut) {
  static constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = open_rows};
  MetricsSite<400> site(definition, mcp::HttpMetrics{open_rows[0], add_long_pools}, nullptr);
  Text text(site.get().body);
  EXPECT_EQ(text.samples["mote_memory_bytes{memory=\"small\"}"], "2");
}

TEST(MetricsTest, BufferWithoutSpaceForAChunkSendsNoSamples) {
  MetricsSite<24> site;
  const HttpResponse response = site.get();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "");
}

}  // namespace
