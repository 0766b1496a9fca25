// SPDX-License-Identifier: Apache-2.0
/// @file
/// MCP over MQTT 5. The device is a client of a broker. MCP clients find and reach the device through the broker.
/// Source: MCP over MQTT (EMQX, 2025); OASIS MQTT 5.0.
/// @code
/// constexpr mcp::Definition definition{.name = "lamp", .version = "1.0.0"};
/// constinit mcp::Storage<definition, mcp::Limits{.sessions = 3}> storage;
/// constinit mcp::MqttStorage<storage> mqtt_storage;
/// constexpr mcp::MqttBroker brokers[] = {{.host = "broker.example.com"}};
/// constexpr mcp::MqttOptions options{.brokers = brokers, .server_id = "lamp-7", .server_name = "house/lamp"};
/// void run(const mcp::Server& server, mcp::Dialer& dialer, mcp::Entropy& entropy) {
///   mcp::MqttTransport transport{server, dialer, entropy, mqtt_storage, options};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/mqtt/mqtt_client.hpp"
#include "mcp/mqtt/packet.hpp"
#include "mcp/mqtt_limits.hpp"
#include "mcp/port.hpp"
#include "mcp/scopes.hpp"
#include "mcp/server_shape.hpp"
#include "mcp/transport.hpp"

namespace mcp {

/// A broker.
struct MqttBroker {
  std::string_view host;      ///< A host name or an IP address, at most 253 bytes.
  std::uint16_t port = 1883;  ///< The TCP port. Brokers use 8883 for TLS.
};

/// The sender of a message. Lifetime: valid during MqttAuthorizer::check().
struct MqttSender {
  std::string_view client_id;  ///< The MQTT client identifier of the sender.
  /// True if `client_id` is part of the topic, so that the access control of the broker can bind it to a user. False
  /// for the control topic, where each sender may state any identifier.
  bool is_from_topic;
  const mqtt::Publish& message;  ///< The message, with user properties that the broker may have set.
};

/// The decision of an MqttAuthorizer.
struct MqttGrant {
  bool is_accepted = false;     ///< If false, the sender gets the error -32600, and the message is not executed.
  std::uint64_t principal = 0;  ///< The user; 0: unknown.
  Scopes scopes = {};           ///< The scopes of the user, from ScopeTable::named() or Scopes::all().
};

/// Decides about the sender of a message. The broker controls who may write to a topic. Only the broker can prove an
/// identity. It does so by a topic to which only one user may write, or by a user property that it sets.
/// Context: main loop; must not block.
class MqttAuthorizer {
 public:
  /// Decides about one message. The transport calls it for each message from a client.
  [[nodiscard]] MqttGrant check(const MqttSender& sender) { return do_check(sender); }

 protected:
  constexpr MqttAuthorizer() = default;
  ~MqttAuthorizer() = default;

 private:
  virtual MqttGrant do_check(const MqttSender& sender) = 0;
};

/// The brokers, and the identifiers of the device. Lifetime: all views must outlive the transport.
struct MqttOptions {
  /// The brokers, at least one. After a connection fails or ends, the transport tries the next broker.
  std::span<const MqttBroker> brokers;
  /// The MQTT client identifier of this device: globally unique, without `/`, `+` and `#`. A broker closes the older
  /// one of two connections with one identifier. Limits: not `presence` or `capability`, and at most 192 bytes together
  /// with `server_name`.
  std::string_view server_id;
  /// The name of the service: levels with `/` between them, without `+` and `#`. Devices with the same service may
  /// share a name. A name from the broker (MCP-SERVER-NAME in CONNACK) replaces it. Limits: at most 64 bytes.
  std::string_view server_name;
  std::string_view description = {};  ///< The purpose of the service, in the presence message.
  std::string_view meta = {};         ///< A JSON object in CONNECT and in the presence message. Empty: none.
  /// User name and password for the broker. Empty: none. Without TLS, the first poll() asserts if either is set, unless
  /// `plaintext_credentials` is true.
  std::string_view user_name = {};
  std::string_view password = {};      ///< See user_name.
  bool plaintext_credentials = false;  ///< Allows user_name and password without TLS, which networks can read.
  /// The longest time in seconds without a packet to the broker, 5 to 65535. After 1.5 times this time, the broker
  /// considers the device lost and publishes its will, which removes the presence message.
  std::uint16_t keep_alive_s = 60;
  /// Decides about the sender of a message. With nullptr, all senders are unknown and have all scopes, and only the
  /// access control of the broker protects the device.
  MqttAuthorizer* authorizer = nullptr;
};

/// True if there is a broker, and the identifier and the name are valid.
[[nodiscard]] bool is_valid(const MqttOptions& options);

/// The memory of one transport: `constinit mcp::MqttStorage<storage> mqtt_storage;`. `server_storage` is the Storage of
/// the server, or its ServerShape. Lifetime: static. RAM: see MqttLimits.
template <const auto& server_storage, MqttLimits M = MqttLimits{}>
class MqttStorage {
  static constexpr ServerShape shape = detail::shape_of(server_storage);
  // One more than the sessions of the server, for a session that ends while another session begins.
  static constexpr std::size_t session_peers = shape.eras.legacy() ? shape.sessions + 1 : 0;
  // One more, for stateless requests that end at once.
  static constexpr std::size_t peers = session_peers + (shape.eras.modern() ? M.calls : 0) + 1;

 public:
  static_assert(shape.sessions >= 2 || !shape.eras.legacy() || !shape.eras.modern(),
                "Limits::sessions is at least 2 for a server of both eras over MQTT: stateless requests share one");
  static_assert(!shape.has_setup_tools,
                "tools that set settings are served over a UART or stdio alone, never over MQTT");
  static_assert(peers <= 250, "Limits::sessions and MqttLimits::calls are at most 249 together");
  static_assert(M.calls >= 1, "MqttLimits::calls is 1 or more");
  static_assert(M.client_id_size >= 23 && M.client_id_size <= 100, "MqttLimits::client_id_size is 23 to 100");
  static_assert(M.head_size >= 128 && M.head_size <= 0xFFFF, "MqttLimits::head_size is 128 to 65535");
  static_assert(M.out_size >= 160 && M.out_size <= 0xFFFF, "MqttLimits::out_size is 160 to 65535");
  static_assert(M.in_flight >= 2 && M.in_flight <= 64, "MqttLimits::in_flight is 2 to 64");
  static_assert(M.remembered >= 1 && M.remembered <= 64, "MqttLimits::remembered is 1 to 64");
  static_assert(M.connect_timeout_ms >= 1'000 && M.connect_timeout_ms <= 600'000,
                "MqttLimits::connect_timeout_ms is 1 second to 10 minutes");
  static_assert(M.min_retry_ms >= 100 && M.min_retry_ms <= M.max_retry_ms && M.max_retry_ms <= 3'600'000,
                "MqttLimits::min_retry_ms is 100 or more, and max_retry_ms is not less and at most an hour");

  /// For the transport.
  constexpr mqtt::MqttStorageView view() {
    return {.peers = peers_,
            .session_peers = session_peers,
            .names = names_,
            .requests = requests_,
            .head = head_,
            .out = out_,
            .flights = flights_,
            .limits = M};
  }

 private:
  mqtt::Peer peers_[peers] = {};
  std::uint64_t requests_[(session_peers + 1) * M.remembered] = {};  // the last ones are for the control topic
  char names_[peers * M.client_id_size] = {};
  char head_[M.head_size] = {};
  char out_[M.out_size] = {};
  mqtt::Flight flights_[M.in_flight] = {};
};

/// Serves MCP clients through a broker. It uses the buffers of the server, so it must be the only transport of the
/// server.
/// Context: main loop; never blocks.
class MqttTransport {
 public:
  /// The state of the transport.
  enum class State : std::uint8_t {
    waiting,     ///< Not connected until the next attempt.
    connecting,  ///< A connection begins. The broker has not yet accepted it and the presence message.
    online,      ///< Clients can find and use the device.
    leaving,     ///< stop() was called.
    stopped,     ///< All steps of stop() are done. poll() does nothing.
  };

  /// All arguments must outlive the transport. `the_entropy` spreads the connections of many devices over time.
  template <const auto& server_storage, MqttLimits M>
  constexpr MqttTransport(const Server& the_server, Dialer& the_dialer, Entropy& the_entropy,
                          MqttStorage<server_storage, M>& the_storage, const MqttOptions& the_options)
      : server_(&the_server),
        dialer_(&the_dialer),
        entropy_(&the_entropy),
        options_(&the_options),
        storage_(the_storage.view()),
        client_(storage_.head, storage_.out, storage_.flights, given_name) {}
  /// Rejects a temporary, such as `{}`, because it would end before the first connection.
  template <const auto& server_storage, MqttLimits M>
  MqttTransport(const Server&, Dialer&, Entropy&, MqttStorage<server_storage, M>&, const MqttOptions&&) = delete;

  /// Does all pending work. Returns the time in milliseconds until the next call, if no network event comes first; 0 if
  /// there is more work. The first call asserts is_valid(options), and that the topics fit into MqttLimits::out_size.
  [[nodiscard]] Millis poll(Millis now);

  /// Requests that the next polls end the sessions, remove the presence message and close the connection. Call it
  /// before the device sleeps or switches off. Then call poll() until the state is `stopped`, which takes at most
  /// MqttLimits::connect_timeout_ms. Context: main loop, also in a handler.
  void stop() { stops_ = true; }

  /// Returns the state.
  [[nodiscard]] State state() const { return state_; }
  /// Returns the reason why the last connection has failed or ended, as a message without a full stop. Only a program
  /// that calls it contains the messages. Lifetime: as long as the program.
  [[nodiscard]] const char* problem() const;
  /// Returns the reason code of the broker for the end of the last connection; `success` without one.
  [[nodiscard]] mqtt::Reason reason() const { return reason_; }

 private:
  // The user property of CONNACK in which a broker names the server.
  static constexpr std::string_view given_name = "MCP-SERVER-NAME";

  enum class Topic : std::uint8_t { rpc, client_presence, client_capability, control, other };
  // The steps of a connection, in their order. stop() begins the last two.
  enum class Step : std::uint8_t { connect, subscribe, announce, serve, withdraw, leave };

  // The message that is received or executed.
  struct Incoming {
    std::size_t size = 0;
    MqttGrant grant = {.is_accepted = true, .scopes = Scopes::all()};
    std::uint64_t client_key = 0;  // of the sender
    std::uint8_t client_size = 0;
    Topic topic = Topic::other;
    bool is_complete = false;
    bool is_too_long = false;
    bool begins_session = false;
    std::string_view id = {};   // the id of a message that is not a response, in its buffer or in `finder`
    rpc::IdFinder finder = {};  // of a message that is too long
  };

  void begin(Millis now);
  void leave();
  [[nodiscard]] bool fits(std::string_view name) const;
  void dial();
  void lose(mqtt::Problem problem, mqtt::Reason reason);
  void drop(mqtt::Reason said, mqtt::Problem problem, mqtt::Reason why = mqtt::Reason::success);
  [[nodiscard]] bool turn();
  [[nodiscard]] bool handle_event(mqtt::Client::Event event);
  void handle_connack();
  void handle_head();
  void handle_piece();
  void handle_ack();
  void handle_message();
  [[nodiscard]] bool read_sender();
  void handle_too_long();
  void handle_whole();
  void handle_control(const ReceivedMessage& message, const TransportInfo& info);
  void cancel_call(std::string_view id);
  void begin_session(const ReceivedMessage& message, const TransportInfo& info);
  [[nodiscard]] std::size_t acquire_peer();
  void handle_rpc(const ReceivedMessage& message, const TransportInfo& info);
  void end_client(std::string_view client, std::uint64_t principal);
  void answer_error(const char* text);
  [[nodiscard]] std::uint64_t request_key(std::string_view id) const;
  [[nodiscard]] bool is_repeated(std::size_t list);

  [[nodiscard]] bool send();
  [[nodiscard]] bool send_next();
  void announce();
  void withdraw();
  [[nodiscard]] bool send_peer(std::size_t peer);
  [[nodiscard]] bool send_answer();
  [[nodiscard]] bool send_own();
  [[nodiscard]] bool publish(std::string_view topic, std::span<const char> payload, bool retain, std::uint8_t tag);
  [[nodiscard]] bool send_to(std::string_view client, std::string_view text);
  [[nodiscard]] bool send_log(std::string_view client, std::size_t& begin, std::size_t size);
  bool send_rest();
  [[nodiscard]] bool send_message(std::string_view client, std::size_t begin, std::size_t size);
  [[nodiscard]] bool subscribe(std::string_view filter, bool no_local, std::uint8_t tag);
  void refuse();

  [[nodiscard]] std::size_t find_session(std::string_view client) const;
  [[nodiscard]] std::uint8_t tag_of(std::string_view client) const;
  [[nodiscard]] std::size_t free_peer(bool of_session) const;
  [[nodiscard]] bool has_share_of_calls() const;
  void name_peer(std::size_t peer, mqtt::Peer::Use use, SessionId session);
  void end_peer(std::size_t peer, bool says_end);
  [[nodiscard]] bool find_ended();
  [[nodiscard]] std::string_view name_of(std::size_t peer) const;
  [[nodiscard]] bool is_of(std::size_t peer, std::string_view client) const;
  [[nodiscard]] std::string_view sender() const { return {sender_, incoming_.client_size}; }
  [[nodiscard]] std::size_t find_changed() const;
  [[nodiscard]] bool shares_filter(std::size_t index, std::uint8_t bit) const;
  [[nodiscard]] std::string_view server_name() const {
    return name_size_ != 0 ? std::string_view(name_, name_size_) : options_->server_name;
  }

  const Server* server_;
  Dialer* dialer_;
  Entropy* entropy_;
  const MqttOptions* options_;
  mqtt::MqttStorageView storage_;
  mqtt::Client client_;
  Incoming incoming_;
  std::size_t answer_size_ = 0;   // size of log messages and response in the transmit buffer; 0: none
  std::size_t answer_begin_ = 0;  // begin of its unsent part
  std::size_t rest_size_ = 0;     // as answer_size_, of the last messages of a job
  std::size_t rest_begin_ = 0;
  mqtt::Problem problem_ = mqtt::Problem::none;
  std::uint64_t secret_ = 0xCBF2'9CE4'8422'2325;  // the start of hashes
  SessionId shared_;                              // of the stateless requests
  Millis now_ = 0;
  Millis begun_ms_ = 0;        // of the state
  Millis retry_ms_ = 0;        // from then on until the next attempt
  std::size_t name_size_ = 0;  // of the name that the broker has given
  std::uint8_t failures_ = 0;
  std::uint8_t broker_ = 0;     // the next one
  std::uint8_t next_peer_ = 0;  // the first peer that may send
  std::uint8_t rest_peer_ = 0;  // the receiver of rest_size_ bytes
  State state_ = State::waiting;
  Step step_ = Step::connect;
  mqtt::Reason reason_ = mqtt::Reason::success;
  bool has_begun_ = false;
  bool stops_ = false;         // since the last poll()
  bool has_secret_ = false;    // from the Entropy
  bool owes_turn_ = false;     // a message was executed, so others are served before the next one
  std::uint8_t own_acks_ = 0;  // of the control topic and the presence message
  char name_[64] = {};         // given by the broker
  char sender_[128] = {};      // the sender of the message; a longer identifier gets no response
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
