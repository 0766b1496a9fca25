// SPDX-License-Identifier: Apache-2.0
// The settings of the thermometer over its wire, and what its HTTP endpoint then accepts.
#include "examples/thermometer/provisioning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "examples/thermometer/device.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/stdio_transport.hpp"
#include "support/device.hpp"
#include "support/fake_stream.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

std::uint32_t device::boot_id() { return 0; }

namespace {

using mcp::RecordStatus;
using test::HttpClient;
using test::HttpResponse;

// Records in RAM. A call for a name in `failures` fails in this way.
class FailingRecords final : public mcp::Records {
 public:
  std::map<std::string, std::string, std::less<>> values;
  std::map<std::string, RecordStatus, std::less<>> failures;

 private:
  mcp::RecordResult do_load(std::string_view name, std::span<char> into) override {
    if (const auto failure = failures.find(name); failure != failures.end()) return {failure->second, 0};
    const auto found = values.find(name);
    if (found == values.end()) return {RecordStatus::not_found, 0};
    if (found->second.size() > into.size()) return {RecordStatus::too_large, found->second.size()};
    std::copy(found->second.begin(), found->second.end(), into.begin());
    return {RecordStatus::ok, found->second.size()};
  }
  RecordStatus do_save(std::string_view name, std::span<const char> bytes) override {
    values[std::string(name)] = {bytes.begin(), bytes.end()};
    return RecordStatus::ok;
  }
  RecordStatus do_erase(std::string_view name) override {
    return values.erase(std::string(name)) != 0 ? RecordStatus::ok : RecordStatus::not_found;
  }
};

constexpr mcp::HttpLimits limits{.connections = 4, .head_size = 1024, .replay_size = 1024};
constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"0"}}})";
constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

// A device that has just started. The object `provisioning::tokens` is one for all tests, so each test ends with an
// erased token and no failure.
class ProvisioningTest : public testing::Test {
 protected:
  ProvisioningTest() {
    provisioning::begin(records_);
    stream_.give(std::string(initialize) + "\n" + R"({"jsonrpc":"2.0","method":"notifications/initialized"})" + "\n");
    apply();
    EXPECT_EQ(status("x"), 401);
  }
  ~ProvisioningTest() override {
    records_.failures.clear();
    erase("token");
    apply();
    apply();
    EXPECT_EQ(site_.bench.open_sessions(), 0U);
  }

  void call(std::string_view tool, std::string_view arguments) {
    stream_.give(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
                 R"(","arguments":)" + std::string(arguments) + "}}\n");
  }
  void set(std::string_view name, std::string_view value) {
    call("setting_set", R"({"name":")" + std::string(name) + R"(","value":")" + std::string(value) + "\"}");
  }
  void erase(std::string_view name) { call("setting_erase", R"({"name":")" + std::string(name) + "\"}"); }

  // The loop of main(), once: all that the wire has, and then the new token.
  mcp::Millis apply() {
    while (wire_.poll(site_.now()) == 0) {
    }
    EXPECT_EQ(stream_.take().find("isError"), std::string::npos);
    return provisioning::apply(site_.transport(), site_.now());
  }

  HttpResponse post(std::string_view token, std::string_view more, std::string_view body) {
    HttpClient client = site_.connect();
    const HttpResponse response =
        site_.ask(client, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + std::string(token) +
                              "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
                              std::string(more) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                              std::string(body));
    client.leave();
    site_.run();
    return response;
  }
  // 400: the token is known. 401: it is not.
  int status(std::string_view token) { return post(token, "", ping).status; }
  std::string begin(std::string_view token) {
    return "MCP-Session-Id: " + post(token, "", initialize).header("mcp-session-id") + "\r\n";
  }
  int ping_with(std::string_view token, const std::string& session) { return post(token, session, ping).status; }

  FailingRecords records_;
  mcp::HttpOptions options_{.authorizer = &provisioning::tokens};
  test::HttpSite<limits, 2048> site_{
      test::features, {.receive_size = 1024, .sessions = 3, .own_session_idle_ms = 0}, options_};
  test::FakeStream stream_;
  mcp::StdioTransport wire_{provisioning::server, stream_};
};

TEST_F(ProvisioningTest, KeepsTheOldTokenForItsGraceTime) {
  set("token", "first");
  EXPECT_EQ(apply(), mcp::forever);
  const std::string session = begin("first");
  set("token", "second");
  EXPECT_EQ(apply(), 60'000U);
  EXPECT_EQ(ping_with("first", session), 200);
  EXPECT_EQ(ping_with("second", session), 200);
  set("token_grace_s", "5");
  set("token", "third");
  EXPECT_EQ(apply(), 5'000U);
  EXPECT_EQ(status("first"), 401);
  EXPECT_EQ(ping_with("second", session), 200);
  site_.pass(5'000);
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(status("second"), 401);
  EXPECT_EQ(ping_with("third", session), 200);
}

// Both changes arrive before the device looks at its settings.
TEST_F(ProvisioningTest, EndsAnErasedTokenThatANewOneFollowsAtOnce) {
  set("token", "first");
  apply();
  const std::string session = begin("first");
  erase("token");
  set("token", "second");
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(site_.bench.open_sessions(), 0U);
  EXPECT_EQ(status("first"), 401);
  EXPECT_EQ(ping_with("second", session), 404);
  // Also if it is the same token.
  const std::string next = begin("second");
  erase("token");
  set("token", "second");
  apply();
  EXPECT_EQ(ping_with("second", next), 404);
}

TEST_F(ProvisioningTest, EndsATokenWithoutAGraceTimeThatAnotherGraceTimeFollowsAtOnce) {
  set("token", "first");
  apply();
  const std::string session = begin("first");
  set("token_grace_s", "0");
  set("token", "second");
  set("token_grace_s", "60");
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(status("first"), 401);
  EXPECT_EQ(ping_with("second", session), 404);
  // The next change has its grace time again.
  const std::string next = begin("second");
  set("token", "third");
  EXPECT_EQ(apply(), 60'000U);
  EXPECT_EQ(ping_with("second", next), 200);
}

// An equal token is no change, but without a grace time it ends the token before it.
TEST_F(ProvisioningTest, EndsTheOldTokenWithAnEqualOne) {
  set("token", "first");
  apply();
  set("token", "second");
  apply();
  EXPECT_EQ(status("first"), 400);
  set("token_grace_s", "0");
  set("token", "second");
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(status("first"), 401);
  const std::string session = begin("second");
  set("token", "second");
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(ping_with("second", session), 200);
}

TEST_F(ProvisioningTest, TriesATokenAgainThatCannotBeRead) {
  set("token", "first");
  records_.failures["token"] = RecordStatus::failed;
  EXPECT_EQ(apply(), 1'000U);
  EXPECT_EQ(apply(), 1'000U);
  EXPECT_EQ(status("first"), 401);
  records_.failures.clear();
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(status("first"), 400);
}

// Until it can be read, the old token is accepted only if it has a grace time.
TEST_F(ProvisioningTest, EndsTheOldTokenIfTheNewOneCannotBeRead) {
  set("token", "first");
  apply();
  set("token_grace_s", "0");
  set("token", "second");
  records_.failures["token"] = RecordStatus::failed;
  EXPECT_EQ(apply(), 1'000U);
  for (const std::string_view token : {"first", "second"}) EXPECT_EQ(status(token), 401);
  records_.failures.clear();
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(status("first"), 401);
  EXPECT_EQ(status("second"), 400);
}

// A grace time that cannot be read is none; without a setting it is a minute.
TEST_F(ProvisioningTest, GivesNoGraceTimeThatItCannotRead) {
  set("token", "first");
  apply();
  const std::string session = begin("first");
  set("token_grace_s", "600");
  records_.failures["token_grace_s"] = RecordStatus::failed;
  set("token", "second");
  EXPECT_EQ(apply(), mcp::forever);
  EXPECT_EQ(status("first"), 401);
  EXPECT_EQ(ping_with("second", session), 404);
  records_.failures.clear();
  for (const std::string_view invalid : {"", "60s", "604801", "1234567"}) {
    records_.values["token_grace_s"] = invalid;
    set("token", "first");
    apply();
    EXPECT_EQ(status("second"), 401) << invalid;
    set("token", "second");
    apply();
    EXPECT_EQ(status("first"), 401) << invalid;
  }
  erase("token_grace_s");
  set("token", "third");
  EXPECT_EQ(apply(), 60'000U);
}

}  // namespace
