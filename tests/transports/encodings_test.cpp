// SPDX-License-Identifier: Apache-2.0
// Each kind of message in other texts with the same meaning, over stdio, HTTP, MQTT and a transport that is no part of
// mote: the server does the same as with the plain text. attach.encodings does the same through attach.
#include <gtest/gtest.h>

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "examples/own_transport/line_transport.hpp"
#include "mcp/stdio_transport.hpp"
#include "support/json.hpp"
#include "transports/encodings.hpp"
#include "transports/http/streamable.hpp"
#include "transports/mqtt/mqtt_device.hpp"

namespace {

using namespace test;

constexpr std::size_t receive_size = 4096;

/// What came back for one message, in an order that each transport has.
using Output = std::vector<std::string>;

/// One device and one client.
class Client {
 public:
  virtual ~Client() = default;
  /// `plain` has the same meaning as `message`.
  virtual Output send(const std::string& message, const Json& plain) = 0;
  virtual Output wait(mcp::Millis ms) = 0;
};

// ---- Lines ----------------------------------------------------------------------------------------------------------

constexpr Sizes sizes_of_lines{.receive_size = receive_size, .sessions = 2, .jobs = 4, .job = 128};

/// One client, with a message on each line. `Transport` is made of a server and of `Port`.
template <class Transport, class Port>
class LineClient final : public Client {
 public:
  explicit LineClient(const mcp::Definition& definition) : bench_(definition, sizes_of_lines) {}

  Output send(const std::string& message, const Json&) override {
    stream_.give(message + "\n");
    return run();
  }
  Output wait(mcp::Millis ms) override {
    now_ += ms;
    return run();
  }

 private:
  Output run() {
    for (int i = 0; i < 1000 && transport_.poll(now_) == 0; ++i) {
    }
    Output output;
    const std::string text = stream_.take();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      output.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return output;
  }

  Bench bench_;
  FakeStream stream_;
  Port port_{stream_};
  mcp::Millis now_ = 1000;
  Transport transport_{bench_.server, port_};
};

/// The stream itself.
struct StreamPort {
  FakeStream& stream;
  operator mcp::ByteStream&() const { return stream; }  // NOLINT(google-explicit-constructor)
};

/// A listener with one client, which stays.
class OneClient final : public mcp::Listener {
 public:
  explicit OneClient(FakeStream& stream) : connection_(stream) {}

 private:
  class Connected final : public mcp::Connection {
   public:
    explicit Connected(FakeStream& stream) : stream_(stream) {}

   private:
    mcp::IoResult do_read(std::span<char> into) override { return stream_.read(into); }
    mcp::IoResult do_write(std::span<const char> from) override { return stream_.write(from); }
    void do_finish() override {}
    void do_close() override { ADD_FAILURE() << "the transport has closed the connection"; }

    FakeStream& stream_;
  };

  mcp::Connection* do_accept() override { return std::exchange(waits_, false) ? &connection_ : nullptr; }
  bool do_has_waiting() override { return waits_; }

  Connected connection_;
  bool waits_ = true;
};

using StdioClient = LineClient<mcp::StdioTransport, StreamPort>;
using OwnClient = LineClient<LineTransport, OneClient>;

// ---- HTTP -----------------------------------------------------------------------------------------------------------

class WebClient final : public Client {
 public:
  explicit WebClient(const mcp::Definition& definition) : site_(definition, {.receive_size = receive_size}) {}

  Output send(const std::string& message, const Json& plain) override {
    std::string headers = session_;
    if (plain.at("params._meta") != nullptr && plain.at("params.clientInfo") == nullptr) headers = stateless(plain);
    HttpClient client = site_.connect();
    const HttpResponse response = site_.ask(client, post(message, headers));
    if (response.header("mcp-session-id") != "(none)")
      session_ = "MCP-Session-Id: " + response.header("mcp-session-id") + "\r\n";
    Output output{std::to_string(response.status)};
    if (!response.body.empty()) output.push_back(response.body);
    if (response.streams) {
      streams_.push_back(client);
    } else {
      client.leave();
    }
    return with_events(output);
  }
  Output wait(mcp::Millis ms) override {
    site_.pass(ms);
    return with_events({});
  }

 private:
  static std::string stateless(const Json& plain) {
    std::string headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + plain.text_at("method") + "\r\n";
    for (const char* const name : {"params.name", "params.uri"}) {
      if (plain.at(name) != nullptr) headers += "Mcp-Name: " + plain.text_at(name) + "\r\n";
    }
    return headers;
  }
  Output with_events(Output output) {
    site_.run();
    for (auto stream = streams_.begin(); stream != streams_.end();) {
      for (const HttpEvent& event : stream->events()) {
        if (event.data && !event.data->empty()) output.push_back(*event.data);
      }
      if (!stream->ended()) {
        ++stream;
        continue;
      }
      stream->leave();
      stream = streams_.erase(stream);
    }
    site_.run();
    return output;
  }

  Site<> site_;
  std::string session_;
  std::list<HttpClient> streams_;
};

// ---- MQTT -----------------------------------------------------------------------------------------------------------

constexpr std::string_view mqtt_client = "client";

class BrokerClient final : public Client {
 public:
  explicit BrokerClient(const mcp::Definition& definition)
      : bench_(definition,
               {.receive_size = receive_size, .transmit_size = 2048, .sessions = 4, .jobs = 4, .job = 128}) {
    static_cast<void>(run());
  }

  Output send(const std::string& message, const Json& plain) override {
    const bool is_stateless = plain.at("params._meta") != nullptr;
    const bool is_first = plain.text_at("method") == "initialize";
    has_session_ = has_session_ || is_first;
    const bool is_control = is_first || is_stateless || !has_session_;
    broker_.publish(is_control ? std::string(mqtt::control) : mqtt::rpc_of(mqtt_client), message, mqtt_client);
    return run();
  }
  Output wait(mcp::Millis ms) override {
    now_ += ms;
    return run();
  }

 private:
  Output run() {
    for (int i = 0; i < 1000; ++i) {
      const mcp::Millis due = transport_.poll(now_);
      const std::size_t before = broker_.log.size() + broker_.connects;
      broker_.run();
      if (due != 0 && broker_.log.size() + broker_.connects == before) break;
    }
    Output output;
    for (const MqttMessage& message : broker_.take_messages()) {
      if (message.topic == mqtt::rpc_of(mqtt_client)) output.push_back(message.payload);
    }
    return output;
  }

  Bench bench_;
  FakeDialer dialer_;
  MqttBroker broker_{dialer_};
  std::unique_ptr<mcp::MqttStorage<mqtt::shape, mqtt::limits>> storage_{
      new mcp::MqttStorage<mqtt::shape, mqtt::limits>()};
  mcp::MqttTransport transport_{bench_.server, dialer_, bench_.entropy, *storage_, mqtt::plain};
  bool has_session_ = false;
  mcp::Millis now_ = 1000;
};

// ---- Messages -------------------------------------------------------------------------------------------------------

struct Script {
  const char* name;
  const mcp::Definition* definition;
  std::vector<std::string> messages;  // an empty one is 2 s without a message
};

std::string begin(std::string_view version) {
  return R"({"jsonrpc":"2.0","id":"b/1","method":"initialize","params":{"protocolVersion":")" + std::string(version) +
         R"(","capabilities":{"elicitation":{},"roots":{"listChanged":true}},"clientInfo":{"name":"c/d","version":"0"}}})";
}
std::string notify(std::string_view method, std::string_view params = "{}") {
  return R"({"jsonrpc":"2.0","method":"notifications/)" + std::string(method) + R"(","params":)" + std::string(params) +
         "}";
}
std::string ask(std::string_view id, std::string_view method, std::string_view params = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":)" +
         std::string(params) + "}";
}
std::string respond(int id, std::string_view outcome) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(1'000'000'000 + id) + "," + std::string(outcome) + "}";
}

Script session() {
  return {"session",
          &features,
          {begin("2025-11-25"),
           notify("initialized"),
           ask("\"p/1\"", "ping"),
           ask("2", "tools/list"),
           ask("3", "tools/call", R"({"name":"content","arguments":{}})"),
           ask("4", "resources/list"),
           ask("5", "resources/templates/list"),
           ask("6", "resources/read", R"({"uri":"test://here"})"),
           ask("7", "resources/read", R"({"uri":"test://quiet/red"})"),
           ask("8", "resources/subscribe", R"({"uri":"test://here"})"),
           ask("9", "resources/unsubscribe", R"({"uri":"test://here"})"),
           ask("10", "prompts/list"),
           ask("11", "prompts/get", R"({"name":"look","arguments":{"what":"a/b","how":"c"}})"),
           ask("12", "completion/complete",
               R"({"ref":{"type":"ref/prompt","name":"look"},"argument":{"name":"what","value":"red"}})"),
           ask("13", "logging/setLevel", R"({"level":"debug"})"),
           ask("14", "x-acme/unknown"),
           ask("15", "tools/call", R"({"name":"hurry","_meta":{"progressToken":"t/1"}})"),
           ask("16", "tools/call", R"({"name":"count","arguments":{"to":2}})"),
           "",
           notify("x-acme/unknown"),
           notify("roots/list_changed"),
           ask("\"w/1\"", "tools/call", R"({"name":"forever"})"),
           notify("cancelled", R"({"requestId":"w/1","reason":"no/more"})"),
           "",
           ask("17", "ping", R"({"x":")" + std::string(receive_size, 'x') + R"("})"),
           ask("18", "ping")}};
}

Script input() {
  return {"input requests",
          &input_requests,
          {begin("2025-11-25"), notify("initialized"), ask("1", "tools/call", R"({"name":"fill"})"),
           respond(1, R"("result":{"action":"accept","content":{"name":"a/b","age":7,"score":1,"sure":true,)"
                      R"("level":"high","more":["low"]}})"),
           ask("2", "tools/call", R"({"name":"hand"})"), respond(2, R"("result":{"action":"decline"})"),
           ask("3", "tools/call", R"({"name":"hand"})"), respond(3, R"("error":{"code":-1,"message":"x/y"})"),
           ask("4", "tools/call", R"({"name":"roots"})"),
           respond(4, R"("result":{"roots":[{"uri":"file:///a","name":"a"}]})"),
           ask("\"h/5\"", "tools/call", R"({"name":"hand"})"), notify("cancelled", R"({"requestId":"h/5"})"),
           respond(5, R"("result":{"action":"decline"})"), "", ask("6", "ping")}};
}

Script batch() {
  return {"batch",
          &features,
          {begin("2025-03-26"), notify("initialized"),
           "[" + ask("\"a/1\"", "ping") + "," + notify("x-acme/unknown") + "," + ask("2", "tools/list") + "," +
               ask("3", "tools/call", R"({"name":"forever"})") + "]",
           "[" + notify("cancelled", R"({"requestId":3})") + "," + ask("4", "ping") + "]", "", ask("5", "ping")}};
}

// `members` are those of the params, with a comma after each.
std::string stateless(std::string_view id, std::string_view method, std::string_view members = "") {
  return ask(id, method, "{" + std::string(members) + std::string(mqtt::meta) + "}");
}

Script requests() {
  return {
      "stateless requests",
      &features,
      {stateless("1", "server/discover"), stateless("\"l/2\"", "tools/list"),
       stateless("3", "tools/call", R"("name":"content","arguments":{},)"),
       stateless("4", "resources/read", R"("uri":"test://here",)"), stateless("5", "prompts/get", R"("name":"plain",)"),
       stateless("6", "tools/call", R"("name":"count","arguments":{"to":2},)"), "",
       stateless("\"s/7\"", "subscriptions/listen", R"("notifications":{"toolsListChanged":true},)"),
       notify("cancelled", R"({"requestId":"s/7"})"),
       stateless("\"s/8\"", "subscriptions/listen", R"("notifications":{"toolsListChanged":true},)"),
       stateless("\"w/9\"", "tools/call", R"("name":"forever",)"), notify("cancelled", R"({"requestId":"w/9"})"), "",
       stateless("10", "x-acme/unknown")}};
}

// ---- Comparison -----------------------------------------------------------------------------------------------------

using MakeClient = std::function<std::unique_ptr<Client>(const mcp::Definition&)>;

/// Encodes each message, or every second one: then a request and its cancellation have different texts.
enum class Which { none, all, odd, even };

std::vector<Output> run(const Script& script, const MakeClient& make, const Encoding& encoding, Which which) {
  reset_device();
  const std::unique_ptr<Client> client = make(*script.definition);
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < script.messages.size(); ++i) {
    const std::string& plain = script.messages[i];
    if (plain.empty()) {
      outputs.push_back(client->wait(2000));
      continue;
    }
    const std::optional<Json> meaning = parse_json(plain);
    EXPECT_TRUE(meaning) << plain;
    const bool is_encoded =
        which == Which::all || (which == Which::odd && i % 2 == 1) || (which == Which::even && i % 2 == 0);
    outputs.push_back(client->send(is_encoded ? encode(plain, encoding) : plain, *meaning));
  }
  return outputs;
}

// An id and a progress token come back as they were sent, so the meanings are compared.
bool is_same(const std::string& a, const std::string& b) {
  const std::optional<Json> left = parse_json(a);
  const std::optional<Json> right = parse_json(b);
  return left && right && *left == *right;
}

void compare(const Script& script, const MakeClient& make) {
  const std::vector<Output> plain = run(script, make, {}, Which::none);
  std::size_t messages = 0;
  for (const Output& output : plain) messages += output.size();
  EXPECT_GT(messages, script.messages.size() / 2) << "the plain text gets results";
  for (const Encoding& encoding : encodings) {
    for (const Which which : {Which::all, Which::odd, Which::even}) {
      const std::vector<Output> other = run(script, make, encoding, which);
      for (std::size_t i = 0; i < plain.size(); ++i) {
        SCOPED_TRACE(std::string(encoding.name) + ": " + script.messages[i].substr(0, 200));
        EXPECT_EQ(other[i].size(), plain[i].size()) << testing::PrintToString(other[i]);
        for (std::size_t k = 0; k < std::min(plain[i].size(), other[i].size()); ++k) {
          EXPECT_TRUE(is_same(other[i][k], plain[i][k])) << other[i][k] << "\ninstead of " << plain[i][k];
        }
      }
    }
  }
}

template <class T>
std::unique_ptr<Client> make(const mcp::Definition& definition) {
  return std::make_unique<T>(definition);
}

class Encodings : public testing::TestWithParam<std::pair<const char*, MakeClient>> {};

TEST_P(Encodings, MessagesOfASession) { compare(session(), GetParam().second); }
TEST_P(Encodings, ResponsesToInputRequests) { compare(input(), GetParam().second); }
TEST_P(Encodings, Batches) { compare(batch(), GetParam().second); }
TEST_P(Encodings, StatelessRequests) { compare(requests(), GetParam().second); }

INSTANTIATE_TEST_SUITE_P(Transports, Encodings,
                         testing::Values(std::pair("Stdio", MakeClient(make<StdioClient>)),
                                         std::pair("Own", MakeClient(make<OwnClient>)),
                                         std::pair("Http", MakeClient(make<WebClient>)),
                                         std::pair("Mqtt", MakeClient(make<BrokerClient>))),
                         [](const auto& transport) { return std::string(transport.param.first); });

}  // namespace
