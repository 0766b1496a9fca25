// SPDX-License-Identifier: Apache-2.0
// Requests that the server rejects: hosts and origins, content codings, versions, and invalid requests. Without
// sockets.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// Names that an attacker could rebind to the address of the device.
TEST(HttpTransport, RejectsHostNamesByDefault) {
  Site site;
  for (const std::string_view host : {"evil.example.com",
                                      "localhost.evil.example.com",
                                      "127.0.0.1.evil.example.com",
                                      "127.0.0.1.a:80",
                                      "10.0.0.x",
                                      "0x7f.1",
                                      "localhos",
                                      "localhost..",
                                      "localhost:x",
                                      "10.0.0.1:x",
                                      "a",
                                      "a.",
                                      ":80",
                                      "::1",
                                      "evil.example.com:1",
                                      "192.168.1.7.nip.io",
                                      "[::1].evil.example.com",
                                      "[::1].evil.example.com:80",
                                      "[evil.example.com]",
                                      "[]",
                                      "[",
                                      "[::1",
                                      "::1]",
                                      "[::1]]",
                                      "[[::1]]",
                                      "[::1]80",
                                      "[::1]:x",
                                      "[::1]:80:80",
                                      "[::1]:80.evil.example.com",
                                      "[:]",
                                      "[:::]",
                                      "[:1]",
                                      "[1:]",
                                      "[1:2:3:4:5:6:7]",
                                      "[1:2:3:4:5:6:7:8:9]",
                                      "[1::2::3]",
                                      "[1:2:3:4::5:6:7:8]",
                                      "[12345::]",
                                      "[::g]",
                                      "[1.2.3.4]",
                                      "[::1.2.3]",
                                      "[::1.2.3.256]",
                                      "[::1.2.3.4:5]",
                                      "[1:2:3:4:5:6:7:1.2.3.4]",
                                      "[::1:]",
                                      "[1::2:]",
                                      "[::1%]",
                                      "[fe80::1%25eth0",
                                      "[::1%25eth0:1]",
                                      "[v1.a]",
                                      "1",
                                      "1.2.3",
                                      "1.2.3.4.5",
                                      "1.2.3.256",
                                      "1.2.3.04",
                                      "1.2.3.0004",
                                      "1..2.3",
                                      ".1.2.3",
                                      "1.2.3.",
                                      "1.2.3.4.",
                                      "1.2.3.4:80:80",
                                      "...",
                                      "localhost:80.evil.example.com",
                                      "localhost:80:80",
                                      "localhost.:80.",
                                      "%31.2.3.4"}) {
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, with(post(initialize()), "localhost:8080", host));
    expect_rejection(response, 403);
    EXPECT_NE(response.body.find("HttpOptions::hosts"), std::string::npos) << host;
    EXPECT_TRUE(client.connection().closed());
  }
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

TEST(HttpTransport, AcceptsAddressesAndLocalhostWithAnyList) {
  constexpr std::string_view hosts[] = {"boiler.local"};
  const mcp::HttpOptions with_list{.hosts = hosts};
  for (const mcp::HttpOptions* const options : {static_cast<const mcp::HttpOptions*>(nullptr), &with_list}) {
    Site site(test::features, {.options = options, .own_session_idle_ms = 0});
    for (const std::string_view host : {"localhost",
                                        "LocalHost:1",
                                        "localhost.",
                                        "localhost.:80",
                                        "127.0.0.1",
                                        "127.0.0.1:80",
                                        "10.0.2.15",
                                        "192.168.1.7:8080",
                                        "[::1]",
                                        "[::1]:8080",
                                        "[fe80::1]",
                                        "[2001:db8::7]:80",
                                        "localhost:",
                                        "10.0.0.1:",
                                        "[::1]:",
                                        "0.0.0.0",
                                        "255.255.255.255",
                                        "[::]",
                                        "[1::]",
                                        "[1:2:3:4:5:6:7:8]",
                                        "[::2:3:4:5:6:7:8]",
                                        "[1:2:3:4:5:6:7::]",
                                        "[ABCD:ef01::]",
                                        "[::ffff:192.168.1.7]",
                                        "[1:2:3:4:5:6:1.2.3.4]:80",
                                        "[fe80::1%25eth0]:80",
                                        "[fe80::1%eth0]"}) {
      HttpClient client = site.connect();
      EXPECT_EQ(site.ask(client, with(post(initialize()), "localhost:8080", host)).status, 200) << host;
      client.leave();
    }
  }
}

TEST(HttpTransport, ComparesHostsWithAndWithoutPorts) {
  constexpr std::string_view hosts[] = {"boiler.local", "gate.example:443", "1234", ""};
  const mcp::HttpOptions options{.hosts = hosts};
  Site site(test::features, {.options = &options, .own_session_idle_ms = 0});
  const auto status = [&](std::string_view host) {
    HttpClient client = site.connect();
    const int code = site.ask(client, with(post(initialize()), "localhost:8080", host)).status;
    client.leave();
    return code;
  };
  for (const std::string_view host : {"boiler.local", "boiler.local:80", "boiler.local:8080", "BOILER.local.",
                                      "boiler.local.:80", "gate.example:443", "1234", "1234:80", "1234."}) {
    EXPECT_EQ(status(host), 200) << host;
  }
  for (const std::string_view host :
       {"boiler.local..", "boiler-2.local", "xboiler.local", "boiler.localx", "gate.example", "gate.example:44",
        "gate.example:4430", "gate.example.:443", "gate.example:443.", "gate.example:443:80",
        "gate.example:443:", "boiler.local:80.", "boiler.local:80:80", ":443", ":", "123", "12345", "1234:x"}) {
    EXPECT_EQ(status(host), 403) << host;
  }
}

TEST(HttpTransport, FollowsAHostThatChanges) {
  std::string_view hosts[] = {""};
  const mcp::HttpOptions options{.hosts = hosts};
  Site site(test::features, {.options = &options});
  const auto status = [&](std::string_view host) {
    HttpClient client = site.connect();
    const int code = site.ask(client, with(post(initialize()), "localhost:8080", host)).status;
    client.leave();
    return code;
  };
  EXPECT_EQ(status("boiler.local"), 403);
  hosts[0] = "boiler.local";
  EXPECT_EQ(status("boiler.local"), 200);
  hosts[0] = "boiler-2.local";
  EXPECT_EQ(status("boiler.local"), 403);
  EXPECT_EQ(status("boiler-2.local"), 200);
}

TEST(HttpTransport, AcceptsOnlyOriginsOfThisMachineByDefault) {
  for (const std::string_view origin : {"http://evil.example.com",
                                        "null",
                                        "https://localhost.evil.example.com",
                                        "file://localhost",
                                        "http://",
                                        "",
                                        "localhost",
                                        "http://localhost.",
                                        "http://192.168.1.7",
                                        "http://localhost:80@evil",
                                        "http://localhost:80x",
                                        "http://[::2]",
                                        "http://127.0.0.1.evil.example.com",
                                        "http://[::1].evil.example.com",
                                        "http://[evil.example.com]",
                                        "http://localhost@evil.example.com",
                                        "http://user@localhost",
                                        "http://localhost/",
                                        "http://localhost:80/",
                                        "http://[::1",
                                        "http://[::1]x"}) {
    Site site;
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, post(initialize(), "Origin: " + std::string(origin) + "\r\n"));
    expect_rejection(response, 403);
    EXPECT_NE(response.body.find("HttpOptions::origins"), std::string::npos);
    EXPECT_TRUE(client.connection().closed());
  }
  for (const std::string_view origin : {"http://localhost:6274", "https://127.0.0.1", "http://[::1]:8080"}) {
    Site site;
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, post(initialize(), "Origin: " + std::string(origin) + "\r\n"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.header("access-control-allow-origin"), origin);
    EXPECT_EQ(response.header("access-control-expose-headers"), "*");
    EXPECT_EQ(response.header("vary"), "Origin");
  }
}

// The server has no decompressor. The client learns that it must send the body as it is.
TEST(HttpTransport, RejectsContentCodings) {
  Site site;
  const std::string session = site.begin();
  const auto coded = [](std::string_view coding) { return "Content-Encoding: " + std::string(coding) + "\r\n"; };
  for (const std::string_view coding : {"gzip", "GZIP", "br", "deflate", "zstd", "x", "identity, gzip", "identityx"}) {
    for (const std::string& request : {post(ping(), session + coded(coding)), post(initialize(), coded(coding))}) {
      HttpClient client = site.connect();
      const HttpResponse response = site.ask(client, request);
      expect_rejection(response, 415);
      EXPECT_EQ(response.header("accept-encoding"), "identity") << coding;
      EXPECT_NE(response.body.find("Content-Encoding must be identity: send the body without compression."),
                std::string::npos)
          << response.body;
      EXPECT_TRUE(client.connection().closed());
    }
  }
  for (const std::string_view coding : {"identity", "Identity", ""}) {
    HttpClient client = site.connect();
    EXPECT_EQ(site.ask(client, post(ping(), session + coded(coding))).body, pong()) << coding;
  }
  // Only a coding has the header.
  HttpClient text = site.connect();
  const std::string other = with(post(ping(), session), "Content-Type: application/json", "Content-Type: text/plain");
  EXPECT_EQ(site.ask(text, other).header("accept-encoding"), "(none)");
  EXPECT_EQ(site.bench.open_sessions(), 1U);
}

// A body that would not fit, and a client that waits for the response before it sends the body.
TEST(HttpTransport, RejectsContentCodingsBeforeTheBody) {
  Site site;
  const std::string session = site.begin();
  const std::string coded = post(ping(), session + "Content-Encoding: gzip\r\n");
  HttpClient large = site.connect();
  EXPECT_EQ(site.ask(large, with(coded, "Content-Length: 40", "Content-Length: 100000")).status, 415);
  HttpClient waits = site.connect();
  std::string head = with(coded, "Content-Length", "Expect: 100-continue\r\nContent-Length");
  head.resize(head.find("\r\n\r\n") + 4);
  EXPECT_EQ(site.ask(waits, head).status, 415);
}

TEST(HttpTransport, AcceptsOnlyHostsAndOriginsOfItsLists) {
  constexpr std::string_view hosts[] = {"boiler.local:8080"};
  constexpr std::string_view origins[] = {"https://app.example.com"};
  const mcp::HttpOptions options{.path = "/boiler", .hosts = hosts, .origins = origins};
  Site site(test::features, {.options = &options});
  const auto request = [&](std::string_view host, std::string_view origin) {
    std::string text = with(post(initialize(), "Origin: " + std::string(origin) + "\r\n"), "localhost:8080", host);
    return with(text, "/mcp", "/boiler");
  };
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, request("boiler.local:8080", "https://app.example.com")).status, 200);
  HttpClient wrong_host = site.connect();
  expect_rejection(site.ask(wrong_host, request("boiler.example", "https://app.example.com")), 403);
  HttpClient wrong_origin = site.connect();
  expect_rejection(site.ask(wrong_origin, request("boiler.local:8080", "http://app.example.com")), 403);
  HttpClient wrong_path = site.connect();
  expect_rejection(
      site.ask(wrong_path, with(request("boiler.local:8080", "https://app.example.com"), "/boiler", "/mcp")), 404);
}

TEST(HttpTransport, AcceptsOnlySupportedVersions) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  for (const std::string_view version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    const std::string header = session + "MCP-Protocol-Version: " + std::string(version) + "\r\n";
    EXPECT_EQ(site.ask(client, post(ping(), header)).body, pong()) << version;
  }
  for (const std::string_view version : {"", "1999-01-01", "2025-11-2", "2025-11-255", "DRAFT"}) {
    const std::string header = session + "Connection: close\r\nMCP-Protocol-Version: " + std::string(version) + "\r\n";
    for (const std::string& request : {post(ping(), header), get(header), delete_request(header)}) {
      HttpClient wrong = site.connect();
      expect_rejection(site.ask(wrong, request), 400, request.starts_with("POST") ? R"("id":1,)" : "");
    }
  }
}

TEST(HttpTransport, RejectsInvalidRequests) {
  struct Case {
    std::string request;
    int status;
  };
  Site site;
  const std::string session = site.begin();
  const std::string right = post(ping(), session);
  const Case cases[] = {
      {with(right, both_types, "Accept: text/html\r\n"), 406},
      {with(get(session), "text/event-stream", "application/json"), 406},
      {with(right, "Content-Type: application/json", "Content-Type: text/plain"), 415},
      {with(right, "Content-Type: application/json\r\n", ""), 415},
      {with(right, "Content-Type", "Content-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Type"), 400},
      {with(right, "/mcp", "/"), 404},
      {with(right, "/mcp", "/mcp//"), 404},
      {with(right, "/mcp", "/MCP"), 404},
      {with(right, "POST", "PUT"), 405},
      {with(get(session), "GET", "HEAD"), 405},
      {with(get(session), "GET", "TRACE"), 405},
      {with(right, "Host: localhost:8080\r\n", ""), 400},
      {with(right, "localhost:8080", "user@localhost"), 400},
      {with(right, "localhost:8080", "localhost:8080@evil.example.com"), 400},
      {with(right, "localhost:8080", "user:word@[::1]"), 400},
      {with(right, "HTTP/1.1", "HTTP/2.0"), 505},
      {with(right, "Content-Length: 40\r\n", ""), 411},
      {with(right, "Content-Length: 40", "Content-Length: 1025"), 413},
      {with(right, "Content-Length: 40", "Transfer-Encoding: gzip, chunked"), 501},
      {with(right, "Content-Length: 40", "Content-Length: 40\r\nMcp-X: " + std::string(400, 'x')), 431},
      {with(right, "/mcp", "/" + std::string(600, 'x')), 414},
  };
  for (const Case& wrong : cases) {
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, wrong.request);
    if (wrong.status == 405) {  // no body, because the response to HEAD must have none
      EXPECT_EQ(response.status, 405);
      EXPECT_EQ(response.body, "");
    } else {
      expect_rejection(response, wrong.status);
    }
    EXPECT_EQ(response.header("connection"), "close");
    EXPECT_TRUE(client.connection().closed()) << wrong.request;
    EXPECT_EQ(response.header("allow"), wrong.status == 405 ? "GET, POST, DELETE, OPTIONS" : "(none)");
  }
  for (const std::string_view accept : {"*/*", "application/*, text/*;q=0.1", "text/event-stream, application/json"}) {
    HttpClient client = site.connect();
    EXPECT_EQ(site.ask(client, with(right, both_types, "Accept: " + std::string(accept) + "\r\n")).body, pong());
    client.leave();
  }
}

TEST(HttpTransport, RejectsTooLargeChunkedBodies) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  std::string request = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  for (int i = 0; i < 5; ++i) request += "100\r\n" + std::string(256, ' ') + "\r\n";
  const HttpResponse response = site.ask(client, request);
  expect_rejection(response, 413);
  EXPECT_TRUE(client.connection().closed());
}

TEST(HttpTransport, AnswersPreflightRequests) {
  Site site;
  HttpClient client = site.connect();
  const std::string preflight =
      "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:6274\r\n"
      "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type,mcp-session-id\r\n\r\n";
  const HttpResponse response = site.ask(client, preflight);
  EXPECT_EQ(response.status, 204);
  EXPECT_EQ(response.header("access-control-allow-origin"), "http://localhost:6274");
  EXPECT_EQ(response.header("access-control-allow-methods"), "GET, POST, DELETE, OPTIONS");
  EXPECT_EQ(response.header("access-control-allow-headers"),
            "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, "
            "MCP-Session-Id, *");
  EXPECT_EQ(response.header("access-control-max-age"), "7200");
  EXPECT_EQ(site.ask(client, post(initialize())).status, 200);  // the connection stays open
  HttpClient wrong = site.connect();
  expect_rejection(site.ask(wrong, with(preflight, "localhost:6274", "evil.example.com")), 403);
}

TEST(HttpTransport, IgnoresTooLongOriginsOfTheList) {
  const std::string longest = "https://" + std::string(56, 'a');
  const std::string longer = longest + "a";
  const std::string_view origins[] = {longest, longer};
  const mcp::HttpOptions options{.origins = origins};
  Site site(test::features, {.options = &options});
  const std::string session = site.begin();
  const std::string header = "Origin: " + longest + "\r\n";
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n").status, 204);
  EXPECT_EQ(site.ask(client, post(initialize(), header)).status, 200);
  EXPECT_TRUE(site.ask(client, post(count_to(0), session + header + "Connection: close\r\n")).streams);
  HttpClient wrong = site.connect();
  expect_rejection(site.ask(wrong, post(initialize(), "Origin: " + longer + "\r\n")), 403);
}

}  // namespace
