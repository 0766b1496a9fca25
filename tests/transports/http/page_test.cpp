// SPDX-License-Identifier: Apache-2.0
// The page of the device without sockets: bytes in, bytes out.
#include "http/page/page_bytes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "mcp/http_page.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace {

using test::HttpClient;

// A response whose body is no JSON. Vary may have two lines.
struct Response {
  int status = 0;
  std::string head;
  std::string body;

  // The value of the first line with this name.
  [[nodiscard]] std::string header(std::string_view name) const {
    const std::size_t at = head.find("\r\n" + std::string(name) + ": ");
    if (at == std::string::npos) return "(none)";
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

Response read(HttpClient& client) {
  const std::string text = client.connection().wire.take();
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos || !text.starts_with("HTTP/1.1 ")) return {};
  return {std::stoi(text.substr(9, 3)), text.substr(0, end + 2), text.substr(end + 4)};
}

constexpr mcp::HttpLimits sizes{.connections = 3, .head_size = 512};
constexpr std::size_t transmit_size = 512;
constexpr mcp::HttpPage page;
constexpr mcp::HttpOptions usual_options{.page = &page};

class PageSite : public test::HttpSite<sizes, transmit_size> {
 public:
  explicit PageSite(const mcp::HttpOptions& options = usual_options)
      : HttpSite(test::features, {.receive_size = 1024, .sessions = 3, .jobs = 3, .job = 128}, options) {}

  // Sends one request on a connection of its own.
  Response get(std::string_view line, std::string_view headers = "") {
    HttpClient client = connect();
    client.send(request(line, headers));
    run();
    const Response response = read(client);
    client.leave();
    run();
    return response;
  }
  static std::string request(std::string_view line, std::string_view headers = "") {
    return std::string(line) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) + "\r\n";
  }
};

const std::string_view all_bytes(mcp::http::page_bytes.data(), mcp::http::page_bytes.size());
const std::string body(all_bytes.substr(mcp::http::page_body_at));
const std::string fields(all_bytes.substr(0, mcp::http::page_body_at));
const std::string copied(all_bytes.substr(mcp::http::page_copy_at, mcp::http::page_body_at - mcp::http::page_copy_at));
const std::string tag(mcp::http::page_tag);
constexpr std::string_view link_field = "\r\nLink: </mcp>; rel=\"service\"";

TEST(HttpPage, WritesThePageByteForByte) {
  PageSite site;
  HttpClient client = site.connect();
  client.send(PageSite::request("GET /"));
  site.run();
  EXPECT_EQ(client.connection().wire.take(), "HTTP/1.1 200 OK" + std::string(link_field) + fields + body);
  EXPECT_FALSE(client.connection().closed());
}

TEST(HttpPage, SendsStrictFields) {
  PageSite site;
  const Response response = site.get("GET /?query", "Accept-Encoding: gzip, deflate, br\r\n");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, body);
  EXPECT_TRUE(body.starts_with("\x1F\x8B\x08"));
  EXPECT_LE(body.size(), 12U * 1024U);
  EXPECT_EQ(response.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(response.header("Content-Encoding"), "gzip");
  EXPECT_EQ(response.header("Cache-Control"), "no-cache");
  EXPECT_EQ(response.header("Vary"), "Accept-Encoding");
  EXPECT_EQ(response.header("ETag"), tag);
  EXPECT_EQ(response.header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(response.header("Referrer-Policy"), "no-referrer");
  const std::string policy = response.header("Content-Security-Policy");
  EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'sha256-")) << policy;
  for (const std::string_view rule : {"connect-src 'self'", "base-uri 'none'", "form-action 'none'",
                                      "frame-ancestors 'none'", "require-trusted-types-for 'script'"}) {
    EXPECT_NE(policy.find(rule), std::string::npos) << rule;
  }
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
}

TEST(HttpPage, SendsHeadWithoutBody) {
  PageSite site;
  HttpClient client = site.connect();
  // An empty line may come before a request.
  client.send("\r\n" + PageSite::request("HEAD /"));
  site.run();
  EXPECT_EQ(client.connection().wire.take(), "HTTP/1.1 200 OK" + std::string(link_field) + fields);
}

TEST(HttpPage, SendsNotModifiedForItsTag) {
  PageSite site;
  for (const std::string& value : {tag, "W/" + tag, "\"other, one\" , " + tag, std::string("*")}) {
    for (const std::string_view method : {"GET", "HEAD"}) {
      HttpClient client = site.connect();
      client.send(PageSite::request(std::string(method) + " /", "If-None-Match: " + value + "\r\n"));
      site.run();
      EXPECT_EQ(client.connection().wire.take(), "HTTP/1.1 304 Not Modified" + std::string(link_field) + copied)
          << value;
      client.leave();
      site.run();
    }
  }
  for (const std::string& value : {std::string("\"other\""), tag.substr(1), std::string()}) {
    EXPECT_EQ(site.get("GET /", "If-None-Match: " + value + "\r\n").status, 200) << value;
  }
}

TEST(HttpPage, RejectsClientsWithoutGzip) {
  PageSite site;
  struct Row {
    std::string_view value;
    int status;
  };
  for (const Row& row : {Row{"gzip", 200}, Row{"br, GZIP;q=0.5", 200}, Row{"*", 200}, Row{"br, *;q=0.1", 200},
                         Row{"identity", 406}, Row{"gzip;q=0", 406}, Row{"gzip; q=0.000, *", 406}, Row{"*;q=0", 406},
                         Row{"gzip;q=1.0", 200}, Row{"gzip;x=0", 200}, Row{"", 406}, Row{"xgzip", 406}}) {
    const Response response = site.get("GET /", "Accept-Encoding: " + std::string(row.value) + "\r\n");
    EXPECT_EQ(response.status, row.status) << row.value;
    if (row.status == 406) {
      EXPECT_NE(response.body.find("Accept-Encoding must allow gzip."), std::string::npos) << response.body;
    }
  }
  const Response response = site.get("HEAD /", "Accept-Encoding: br\r\n");
  EXPECT_EQ(response.status, 406);
}

TEST(HttpPage, ReadsItsFieldsInALongHead) {
  PageSite site;
  const std::string cookies = "Cookie: " + std::string(400, 'c') + "\r\n";
  EXPECT_EQ(site.get("GET /", cookies + "If-None-Match: " + tag + "\r\n" + cookies).status, 304);
  EXPECT_EQ(site.get("GET /", cookies + "accept-encoding: br\r\n" + cookies).status, 406);
  constexpr std::string_view accepted[] = {"secret"};
  mcp::StaticTokens tokens(accepted);
  mcp::HttpOptions options = usual_options;
  options.authorizer = &tokens;
  // Without do_reads(), no field is dropped.
  class All final : public mcp::Authorizer {
    mcp::Grant do_check(const mcp::http::RequestHead&) override { return {}; }
    void do_challenge(mcp::Access, mcp::http::ResponseHead&) override {}
  } all;
  mcp::HttpOptions strict = usual_options;
  strict.authorizer = &all;
  EXPECT_EQ(PageSite(strict).get("GET /", cookies + cookies).status, 431);
  PageSite guarded(options);
  EXPECT_EQ(guarded.get("GET /", cookies + "If-None-Match: " + tag + "\r\n" + cookies).status, 304);
}

TEST(HttpPage, AcceptsHeadersOfSeveralLines) {
  PageSite site;
  EXPECT_EQ(site.get("GET /", "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n").status, 200);
  EXPECT_EQ(site.get("GET /", "Accept-Encoding: gzip\r\nAccept-Encoding: br\r\n").status, 200);
  const std::string other = "If-None-Match: \"other\"\r\n";
  const std::string same = "If-None-Match: " + tag + "\r\n";
  EXPECT_EQ(site.get("GET /", same + other).status, 304);
  EXPECT_EQ(site.get("GET /", other + same).status, 200);  // correct, and only longer
}

TEST(HttpPage, RejectsOtherMethods) {
  PageSite site;
  for (const std::string_view method : {"POST", "DELETE", "OPTIONS", "PUT", "HEADS", "get"}) {
    HttpClient client = site.connect();
    client.send(PageSite::request(std::string(method) + " /", "Content-Length: 4\r\n") + "GET ");
    site.run();
    const Response response = read(client);
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(response.header("Allow"), "GET, HEAD");
    EXPECT_EQ(response.header("Connection"), "close");
    EXPECT_TRUE(client.connection().closed());
  }
}

TEST(HttpPage, ChecksHostsAndOriginsAndNeedsNoToken) {
  static constexpr std::string_view known[] = {"secret"};
  mcp::StaticTokens tokens(known);
  const mcp::HttpOptions options{.authorizer = &tokens, .page = &page};
  PageSite site(options);
  EXPECT_EQ(site.get("GET /").status, 200);
  EXPECT_EQ(site.get("GET /mcp").status, 401);
  HttpClient client = site.connect();
  client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  site.run();
  EXPECT_EQ(read(client).status, 403);
  EXPECT_EQ(site.get("GET /", "Origin: http://evil.example\r\n").status, 403);
  const Response response = site.get("GET /", "Origin: http://localhost\r\n");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("Access-Control-Allow-Origin"), "http://localhost");
  EXPECT_EQ(response.body, body);
}

TEST(HttpPage, IsNotFoundUnlessEnabled) {
  static constexpr mcp::HttpOptions without{};
  PageSite site(without);
  EXPECT_EQ(site.get("GET /").status, 404);
  EXPECT_EQ(site.get("HEAD /").status, 404);
}

TEST(HttpPage, UsesThePathsOfTheApplication) {
  static constexpr mcp::HttpPage elsewhere("/page");
  static constexpr std::string_view longest = "/123456789012345678901234567890123456789012345678901234567890123";
  static_assert(longest.size() == 64);
  static constexpr mcp::HttpOptions options{.path = longest, .page = &elsewhere};
  PageSite site(options);
  EXPECT_EQ(site.get("GET /").status, 404);
  EXPECT_EQ(site.get("GET /page/").status, 404);
  const Response response = site.get("GET /page", "Origin: http://localhost:65535\r\n");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("Link"), "<" + std::string(longest) + ">; rel=\"service\"");
}

TEST(HttpPageDeathTest, RejectsAPathThatIsTooLong) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  static constexpr std::string_view path = "/1234567890123456789012345678901234567890123456789012345678901234";
  static_assert(path.size() == 65);
  static constexpr mcp::HttpOptions options{.path = path, .page = &page};
  PageSite site(options);
  EXPECT_DEATH(static_cast<void>(site.get("GET /")), "contract");
}

TEST(HttpPage, EndpointOfTheSamePathWins) {
  static constexpr mcp::HttpOptions options{.path = "/", .page = &page};
  PageSite site(options);
  EXPECT_EQ(site.get("GET /").status, 400);  // no session
}

TEST(HttpPage, EndsTheConnectionOfHttp10) {
  PageSite site;
  HttpClient client = site.connect();
  client.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
  site.run();
  const std::string text = client.connection().wire.take();
  EXPECT_TRUE(text.starts_with("HTTP/1.1 200 OK" + std::string(link_field) + "\r\nConnection: close")) << text;
  EXPECT_TRUE(text.ends_with(body));
  EXPECT_TRUE(client.connection().closed());
}

TEST(HttpPage, ServesPipelinedRequestsAfterThePage) {
  PageSite site;
  HttpClient client = site.connect();
  client.send(PageSite::request("GET /") + PageSite::request("HEAD /") + PageSite::request("GET /unknown"));
  site.run();
  const std::string text = client.connection().wire.take();
  const std::string head = "HTTP/1.1 200 OK" + std::string(link_field) + fields;
  EXPECT_TRUE(text.starts_with(head + body + head + "HTTP/1.1 404 Not Found")) << text.substr(0, 20);
}

TEST(HttpPage, SendsPartsToASlowReader) {
  PageSite site;
  HttpClient client = site.connect();
  client.connection().wire.write_limit = 100;
  client.connection().wire.blocks_every_second_write = true;
  client.send(PageSite::request("GET /") + PageSite::request("GET /"));
  site.settle();
  const std::string whole = "HTTP/1.1 200 OK" + std::string(link_field) + fields + body;
  EXPECT_EQ(client.connection().wire.take(), whole + whole);
}

TEST(HttpPage, DropsAReaderThatStops) {
  PageSite site;
  HttpClient client = site.connect();
  client.connection().wire.write_limit = 100;
  client.connection().wire.write_fault = {.call = 20, .status = mcp::IoStatus::would_block, .forever = true};
  client.send(PageSite::request("GET /"));
  site.settle();
  site.pass(sizes.idle_timeout_ms - 1);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
  EXPECT_EQ(site.get("GET /").status, 200);
}

TEST(HttpPage, ClosesASlowReaderForAWaitingClient) {
  PageSite site;
  std::vector<HttpClient> readers;
  for (std::size_t i = 0; i < sizes.connections; ++i) {
    readers.push_back(site.connect());
    readers.back().connection().wire.write_limit = 1;
    readers.back().connection().wire.blocks_every_second_write = true;
    readers.back().connection().wire.write_fault = {.call = 40, .status = mcp::IoStatus::would_block, .forever = true};
    readers.back().send(PageSite::request("GET /"));
  }
  site.settle();
  HttpClient client = site.connect();
  client.send(PageSite::request("GET /"));
  site.run();
  EXPECT_EQ(client.connection().wire.take(), "");
  site.pass(sizes.grace_ms + 50);
  EXPECT_TRUE(client.connection().wire.take().ends_with(body));
}

}  // namespace
