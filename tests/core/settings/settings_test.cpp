// SPDX-License-Identifier: Apache-2.0
// The tools that set settings: what they store, what they show, and where a secret is not.
#include "mcp/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/server.hpp"
#include "mcp/stdio_transport.hpp"
#include "mcp/transport_info.hpp"
#include "support/fake_stream.hpp"

namespace {

using mcp::RecordStatus;

// Records in RAM. All calls fail with `failure` unless it is `ok`.
struct Memory {
  std::map<std::string, std::string, std::less<>> values;
  RecordStatus failure = RecordStatus::ok;
};
Memory& memory() {
  static Memory memory;
  return memory;
}

class FakeRecords final : public mcp::Records {
  mcp::RecordResult do_load(std::string_view name, std::span<char> into) override {
    if (memory().failure != RecordStatus::ok) return {memory().failure, 0};
    const auto found = memory().values.find(name);
    if (found == memory().values.end()) return {RecordStatus::not_found, 0};
    if (found->second.size() > into.size()) return {RecordStatus::too_large, found->second.size()};
    std::copy(found->second.begin(), found->second.end(), into.begin());
    return {RecordStatus::ok, found->second.size()};
  }
  RecordStatus do_save(std::string_view name, std::span<const char> bytes) override {
    if (memory().failure == RecordStatus::ok) memory().values[std::string(name)] = {bytes.begin(), bytes.end()};
    return memory().failure;
  }
  RecordStatus do_erase(std::string_view name) override {
    if (memory().failure != RecordStatus::ok) return memory().failure;
    return memory().values.erase(std::string(name)) != 0 ? RecordStatus::ok : RecordStatus::not_found;
  }
};

std::vector<std::string>& changes() {
  static std::vector<std::string> changes;
  return changes;
}
std::vector<std::string>& audited() {
  static std::vector<std::string> audited;
  return audited;
}

constinit FakeRecords records;
constinit char scratch[40];
constexpr mcp::Setting rows[] = {
    {.name = "host_name", .description = "The name in the network.", .max_size = 20, .is_valid = mcp::is_host_name},
    {.name = "token", .is_secret = true, .max_size = 24},
    {.name = "certificate", .kind = mcp::Setting::Kind::data, .max_size = 40},
    {.name = "key",
     .description = "The private key.",
     .kind = mcp::Setting::Kind::data,
     .is_secret = true,
     .max_size = 12,
     .is_valid = [](std::string_view value) { return value.starts_with('\x30'); }},
};
constinit mcp::Settings settings{rows, scratch,
                                 [](const mcp::Setting& setting) { changes().emplace_back(setting.name); }};
constexpr mcp::Tool tools[] = {mcp::setting_set<settings>(), mcp::setting_list<settings>(),
                               mcp::setting_erase<settings>()};
void audit(const mcp::AuditRecord& record) {
  audited().push_back(std::string(record.method) + std::string(record.subject));
}
constexpr mcp::Definition definition{.name = "setup", .version = "1", .tools = tools, .logging = true, .audit = audit};
constinit mcp::Storage<definition, mcp::Limits{.transmit_size = 2048, .sessions = 2, .log_size = 256}> storage;
constinit const mcp::Server server{storage};
static_assert(definition.tools.uses.wire_only);

constexpr std::string_view secret = "sEcReT-0123456789";

class SettingsTest : public testing::Test {
 protected:
  SettingsTest() {
    memory() = {};
    settings.use(records);
    changes().clear();
    audited().clear();
    static_cast<void>(ask(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"c","version":"1"}}})"));
    static_cast<void>(ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
    static_cast<void>(ask(R"({"jsonrpc":"2.0","id":0,"method":"logging/setLevel","params":{"level":"debug"}})"));
  }
  ~SettingsTest() override {
    stream_.end();
    static_cast<void>(transport_.poll(0));
    EXPECT_TRUE(std::all_of(std::begin(scratch), std::end(scratch), [](char c) { return c == 0; }));
  }

  std::string ask(std::string_view line) {
    stream_.give(std::string(line) + "\n");
    while (transport_.poll(0) == 0) {
    }
    transport_.wipe();
    return stream_.take();
  }
  std::string call(std::string_view tool, std::string_view arguments) {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
               R"(","arguments":)" + std::string(arguments) + "}}");
  }
  std::string set(std::string_view name, std::string_view value) {
    return call("setting_set", R"({"name":")" + std::string(name) + R"(","value":")" + std::string(value) + R"("})");
  }
  // The text of a result without an error.
  static std::string done(std::string_view text) {
    return R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + std::string(text) + "\"}]}}\n";
  }
  static std::string failed(std::string_view text) {
    return R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + std::string(text) +
           "\"}],\"isError\":true}}\n";
  }

  test::FakeStream stream_;
  mcp::StdioTransport transport_{server, stream_};
};

TEST_F(SettingsTest, StoresTextAndData) {
  EXPECT_EQ(set("host_name", "boiler-2"), done("host_name is stored."));
  EXPECT_EQ(set("certificate", "MIIB"), done("certificate is stored."));
  EXPECT_EQ(memory().values["host_name"], "boiler-2");
  EXPECT_EQ(memory().values["certificate"], std::string("\x30\x82\x01", 3));
  EXPECT_EQ(changes(), (std::vector<std::string>{"host_name", "certificate"}));
  EXPECT_EQ(call("setting_erase", R"({"name":"host_name"})"), done("host_name is erased."));
  EXPECT_EQ(call("setting_erase", R"({"name":"host_name"})"), done("host_name has no value."));
  EXPECT_FALSE(memory().values.contains("host_name"));
  EXPECT_EQ(changes().size(), 3U);
}

TEST_F(SettingsTest, RejectsInvalidValues) {
  constexpr std::string_view unknown = "No setting has this name. Call setting_list.";
  EXPECT_EQ(set("hostname", "x"), failed(unknown));
  EXPECT_EQ(call("setting_erase", R"({"name":"hostname"})"), failed(unknown));
  for (const std::string_view wrong : {"", "-boiler", "boiler-", "the boiler", "boil\\u00e9r", "boiler.local"}) {
    EXPECT_EQ(set("host_name", wrong), failed("This is not a valid value of host_name.")) << wrong;
  }
  EXPECT_EQ(set("host_name", std::string(21, 'x')), failed("host_name has at most 20 bytes."));
  EXPECT_EQ(set("key", "MDAwMDAwMDAwMDAwMDAw"), failed("key must be base64 of at most 12 bytes."));
  EXPECT_EQ(set("key", "not base64"), failed("key must be base64 of at most 12 bytes."));
  EXPECT_EQ(set("key", "AAAA"), failed("This is not a valid value of key."));
  EXPECT_TRUE(memory().values.empty());
  EXPECT_TRUE(changes().empty());
}

TEST_F(SettingsTest, ListsValuesButNoSecret) {
  const auto item = [](std::string_view text) { return R"({"type":"text","text":")" + std::string(text) + "\"}"; };
  const auto list = [&](std::string_view host, std::string_view token, std::string_view certificate,
                        std::string_view key) {
    return R"({"jsonrpc":"2.0","id":1,"result":{"content":[)" +
           item("host_name: The name in the network. " + std::string(host)) + "," +
           item("token: " + std::string(token)) + "," + item("certificate: " + std::string(certificate)) + "," +
           item("key: The private key. " + std::string(key)) + "]}}\n";
  };
  EXPECT_EQ(call("setting_list", "{}"), list("Not set.", "Not set.", "Not set.", "Not set."));
  set("host_name", "boiler");
  set("token", secret);
  set("certificate", "MIIB");
  set("key", "MAAA");
  EXPECT_EQ(call("setting_list", "{}"),
            list("Set: boiler", "Set, and not shown.", "Set: 3 bytes.", "Set, and not shown."));
  memory().values["host_name"] = std::string(21, 'x');
  EXPECT_EQ(call("setting_list", "{}"),
            list("Cannot be read.", "Set, and not shown.", "Set: 3 bytes.", "Set, and not shown."));
}

TEST_F(SettingsTest, SaysWhyTheMemoryDidNotStore) {
  const auto with = [](RecordStatus status) { memory().failure = status; };
  with(RecordStatus::full);
  EXPECT_EQ(set("token", secret), failed("The memory for settings is full. Erase a setting."));
  with(RecordStatus::unsupported);
  EXPECT_EQ(set("token", secret), failed("A newer firmware has written the settings. Update the firmware."));
  with(RecordStatus::failed);
  EXPECT_EQ(set("token", secret), failed("The memory for settings has failed. token has its old value."));
  EXPECT_EQ(call("setting_erase", R"({"name":"token"})"),
            failed("The memory for settings has failed. token has its old value."));
  EXPECT_TRUE(changes().empty());
  // The value has changed, so the application must use it.
  with(RecordStatus::unsynced);
  const std::string text = failed("token has changed, but a power failure may undo it. Try again.");
  EXPECT_EQ(set("token", secret), text);
  EXPECT_EQ(call("setting_erase", R"({"name":"token"})"), text);
  EXPECT_EQ(changes(), (std::vector<std::string>{"token", "token"}));
}

// A secret in the right place, in wrong places, escaped, in a message that is not valid, and in one that is too long.
TEST_F(SettingsTest, KeepsSecretsOutOfOutputAuditAndBuffers) {
  const std::string text(secret);
  std::string output;
  output += set("token", text);
  output += set("token", "\\u0073" + text);
  output += set("token", text + text);
  output += set("host_name", text + "!");
  output += set("certificate", text);
  output += set(text, "x");
  output += call("setting_erase", R"({"name":")" + text + "\"}");
  output += call("setting_set", R"({"name":"token","value":[")" + text + "\"]}");
  output += call("setting_list", "{}");
  output += ask(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"setting_set","arguments":{"value":")" + text);
  output += ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":")" + std::string(2000, 'x') + text + "\"}}");
  EXPECT_EQ(output.find(secret), std::string::npos) << output;
  EXPECT_EQ(output.find("0123456789"), std::string::npos) << output;
  for (const std::string& record : audited()) EXPECT_EQ(record.find(secret), std::string::npos);
  EXPECT_GE(audited().size(), 9U);
  for (const std::span<char> buffer : {server.receive_buffer(), server.transmit_buffer()}) {
    const std::string_view bytes(buffer.data(), buffer.size());
    EXPECT_EQ(bytes.find("0123456789"), std::string_view::npos);
    EXPECT_EQ(bytes.find("sEcReT"), std::string_view::npos);
  }
  EXPECT_EQ(memory().values["token"], "s" + text);
}

// A second line that waits in the buffer is not wiped.
TEST_F(SettingsTest, KeepsBytesThatAreStillToBeRead) {
  stream_.give(R"({"jsonrpc":"2.0","id":7,"met)");
  while (transport_.poll(0) == 0) {
  }
  transport_.wipe();
  EXPECT_EQ(ask(R"(hod":"ping"})"), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n");
}

TEST_F(SettingsTest, FailsForACallOfANetwork) {
  const mcp::TransportInfo info(7);
  const mcp::SessionId session = server.open(0, &info);
  std::string initialize =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})";
  static_cast<void>(server.receive(session, initialize, server.transmit_buffer(), 0, mcp::only_channel, &info));
  for (const std::string_view call : {R"("setting_set","arguments":{"name":"host_name","value":"x"})",
                                      R"("setting_erase","arguments":{"name":"host_name"})", R"("setting_list")"}) {
    std::string message =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":)" + std::string(call) + "}}";
    const mcp::Reply reply = server.receive(session, message, server.transmit_buffer(), 0, mcp::only_channel, &info);
    EXPECT_EQ(std::string(server.transmit_buffer().data(), reply.size) + "\n",
              failed("Settings are available only over the UART or stdio."));
  }
  EXPECT_TRUE(memory().values.empty());
}

// A list that is longer than the transmit buffer is an error, as any other result.
TEST_F(SettingsTest, FailsForAListThatDoesNotFit) {
  static constinit char long_scratch[2100];
  static constexpr mcp::Setting long_rows[] = {{.name = "text", .max_size = 2100}};
  static constinit mcp::Settings long_settings{long_rows, long_scratch};
  long_settings.use(records);
  static constexpr mcp::Tool long_tools[] = {mcp::setting_list<long_settings>(), mcp::setting_set<long_settings>(),
                                             mcp::setting_erase<long_settings>()};
  static constexpr mcp::Definition long_definition{.name = "long", .version = "1", .tools = long_tools};
  static constinit mcp::Storage<long_definition> long_storage;
  static constinit const mcp::Server long_server{long_storage};
  memory().values["text"] = std::string(2100, 'x');
  test::FakeStream stream;
  mcp::StdioTransport transport{long_server, stream};
  const auto ask_long = [&](std::string_view line) {
    stream.give(std::string(line) + "\n");
    while (transport.poll(0) == 0) {
    }
    return stream.take();
  };
  static_cast<void>(ask_long(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})"));
  const std::string answer =
      ask_long(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"setting_list"}})");
  EXPECT_NE(answer.find("\"error\""), std::string::npos) << answer;
  // Without a function for changes.
  EXPECT_EQ(ask_long(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"setting_set","arguments":)"
                     R"({"name":"text","value":"x"}}})"),
            done("text is stored."));
  EXPECT_EQ(ask_long(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"setting_erase","arguments":)"
                     R"({"name":"text"}}})"),
            done("text is erased."));
}

constinit char unset_scratch[40];
constinit mcp::Settings unset{rows, unset_scratch};
constexpr mcp::Tool unset_tools[] = {mcp::setting_list<unset>()};
constexpr mcp::Definition unset_definition{.name = "unset", .version = "1", .tools = unset_tools};
constinit mcp::Storage<unset_definition> unset_storage;
constinit const mcp::Server unset_server{unset_storage};

TEST(SettingsDeathTest, NeedRecords) {
  EXPECT_TRUE(unset_definition.tools.uses.wire_only);
  test::FakeStream stream;
  mcp::StdioTransport transport{unset_server, stream};
  stream.give(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
              R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"
              "\n"
              R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"setting_list"}})"
              "\n");
  EXPECT_DEATH(while (transport.poll(0) == 0){}, "contract");
}

TEST(IsHostName, AcceptsLettersDigitsAndInnerHyphens) {
  for (const std::string& name : {std::string("a"), std::string("0"), std::string("Boiler-2"), std::string(63, 'z')}) {
    EXPECT_TRUE(mcp::is_host_name(name)) << name;
  }
  for (const std::string& name : {std::string(""), std::string(64, 'z'), std::string("-a"), std::string("a-"),
                                  std::string("a.b"), std::string("a_b"), std::string("[a]"), std::string("{a}")}) {
    EXPECT_FALSE(mcp::is_host_name(name)) << name;
  }
}

}  // namespace
