// SPDX-License-Identifier: Apache-2.0
/// @file
/// An MQTT 5.0 client on one connection, with fixed memory: CONNECT, QoS 0 and 1 in both directions, subscriptions and
/// keep alive. It does not depend on MCP, and opens no connection.
/// @code
/// using mcp::mqtt::Client;
/// void print(std::span<const char> piece);
/// void serve(Client& client, mcp::Millis now) {
///   const Client::Event event = client.poll(now);
///   if (event == Client::Event::payload) print(client.payload());
///   if (event == Client::Event::message_end) client.acknowledge();
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/mqtt/packet.hpp"
#include "mcp/mqtt/packet_writer.hpp"
#include "mcp/port.hpp"

namespace mcp::mqtt {

/// A packet that the broker has not acknowledged yet. RAM: 4 bytes.
struct Flight {
  std::uint16_t packet_id = 0;             ///< The packet identifier; 0: unused.
  PacketType type = PacketType::reserved;  ///< The type: publish, subscribe or unsubscribe.
  std::uint8_t tag = 0;                    ///< The tag from the caller.
};

/// The reason why a connection has ended or was not made. More values may be added.
enum class Problem : std::uint8_t {
  none,         ///< No connection has ended so far.
  lost,         ///< The TCP or TLS connection was lost.
  no_response,  ///< The broker does not respond.
  fault,        ///< The broker broke a rule of MQTT.
  ended,        ///< The broker has sent DISCONNECT.
  refused,      ///< The broker refuses the connection in CONNACK.
  // The problems of an MqttTransport follow.
  not_dialed,         ///< The Dialer could not connect: Dialer::reason().
  late,               ///< The broker has not accepted the connection within the time limit.
  invalid_name,       ///< The broker has assigned an invalid name to the device.
  refuses_control,    ///< The broker refuses the subscription to the control topic.
  refuses_presence,   ///< The broker refuses the presence message.
  packets_too_small,  ///< The largest packet that the broker accepts is too small.
  left,               ///< MqttTransport::stop() was called.
};

/// An MQTT client with one connection to a broker at a time. All packets are written through one small buffer, and a
/// payload is sent from the memory of the caller. The client sends with QoS 0 or 1. It never requests QoS 2, and a
/// message with QoS 2 is an error. Context: main loop; never blocks. Source: OASIS MQTT 5.0.
class Client {
 public:
  /// The result of poll().
  enum class Event : std::uint8_t {
    none,          ///< Nothing to do before the next event of the network.
    connected,     ///< The broker has accepted CONNECT; see connack().
    message,       ///< A message begins; see message().
    payload,       ///< payload() is the next piece of the message.
    message_end,   ///< The message is complete. The next one is received after acknowledge().
    acknowledged,  ///< The broker has acknowledged a packet; see flight() and ack().
    busy,          ///< More bytes may wait. The caller can do other work before the next poll().
    ended,         ///< The connection is closed; see problem() and reason().
  };

  /// `head` is for a received packet without the payload of a PUBLISH, `out` for a sent packet. `flights`: packets
  /// without acknowledgement at the same time. One of them is reserved for SUBSCRIBE and UNSUBSCRIBE. `user_property`:
  /// the name of the user property of CONNACK that the caller reads.
  /// Ownership: the memory belongs to the caller. Lifetime: as long as the client.
  constexpr Client(std::span<char> head, std::span<char> out, std::span<Flight> flights,
                   std::string_view user_property = {})
      : head_(head), out_(out), flights_(flights), user_property_(user_property), reader_(head) {}

  /// Begins on a connection, which may still be connecting. Ownership: the client closes the connection.
  void open(Connection& connection, Millis now);
  /// True until the event `ended`.
  [[nodiscard]] bool is_open() const { return connection_ != nullptr; }
  /// Closes the connection, after a DISCONNECT with `reason` if the broker has accepted CONNECT and the output takes
  /// it. The event `ended` does not follow.
  void close(Reason reason = Reason::success);

  /// Sends, receives, and checks times. Returns the next event; call it until it returns `none`.
  [[nodiscard]] Event poll(Millis now);
  /// Returns the time in milliseconds until poll() has work without an event of the network.
  [[nodiscard]] Millis due(Millis now) const;

  /// True if all output is written, so that the next packet can be sent.
  [[nodiscard]] bool can_send() const { return connection_ != nullptr && out_sent_ == out_size_ && rest_.empty(); }
  /// True if a message with QoS 1 may be sent, because broker and client allow one more without acknowledgement.
  [[nodiscard]] bool can_publish() const;
  /// True if the broker has not acknowledged all packets yet.
  [[nodiscard]] bool has_flights() const;
  /// True if the limit of the client allows one more SUBSCRIBE or UNSUBSCRIBE without acknowledgement.
  [[nodiscard]] bool can_subscribe() const { return find_flight(0) != nullptr; }

  // The following functions need can_send(). They send nothing and return false if the packet does not fit into the
  // memory or is above the limits of the broker.

  /// Sends CONNECT. It is written into `memory`, which must stay until can_send().
  [[nodiscard]] bool connect(std::span<char> memory, const Connect& connect);
  /// Sends a message. Its payload must stay until can_send(). With QoS 1 it needs can_publish(), and the event
  /// `acknowledged` has the `tag`. A QoS above the maximum of the broker is lowered to the maximum.
  [[nodiscard]] bool publish(PublishHead head, std::span<const char> payload, std::uint8_t tag = 0);
  /// Subscribes. The event `acknowledged` has the `tag`.
  [[nodiscard]] bool subscribe(const Subscription& subscription, std::uint8_t tag = 0);
  /// Ends a subscription. The event `acknowledged` has the `tag`.
  [[nodiscard]] bool unsubscribe(std::string_view filter, std::uint8_t tag = 0);

  /// Replaces the tag of the packets that the broker has not acknowledged yet, so that `tag` can be used again.
  void replace_tag(std::uint8_t tag, std::uint8_t by);

  /// Ends the message. With QoS 1, the broker gets a PUBACK with `reason`. Before this call, the client reads only
  /// acknowledgements, and only while it needs one to publish. It drops a message with QoS 0 that comes before an
  /// acknowledgement. A message with QoS 1 that comes in this time replaces a message with QoS 0, and the event
  /// `message` follows.
  void acknowledge();

  /// Returns the packet after `connected`, until the next poll().
  [[nodiscard]] Connack connack() const { return reader_.connack(); }
  /// Returns a piece of the payload, after `payload`, until the next poll().
  [[nodiscard]] std::span<const char> payload() const { return reader_.payload(); }
  /// Returns the packet, after `message`, until the next poll().
  [[nodiscard]] Publish message() const { return reader_.publish(); }
  /// Returns the packet after `acknowledged`, until the next poll().
  [[nodiscard]] Ack ack() const { return reader_.ack(); }
  /// Returns the acknowledged packet, after `acknowledged`.
  [[nodiscard]] Flight flight() const { return flight_; }

  /// Returns the reason why the connection has ended.
  [[nodiscard]] Problem problem() const { return problem_; }
  /// Returns the reason code of the broker's CONNACK or DISCONNECT, or of the fault; `success` without one.
  [[nodiscard]] Reason reason() const { return reason_; }

 private:
  enum class State : std::uint8_t { connecting, online };
  enum class Message : std::uint8_t { none, begun, complete };

  Event end(Problem problem, Reason reason);
  [[nodiscard]] bool flush();
  [[nodiscard]] bool reads() const;
  [[nodiscard]] bool fill();
  Event handle(PacketReader::Event event);
  Event handle_packet();
  Event handle_connack();
  Event handle_ack();
  [[nodiscard]] Millis until_lost_ms(Millis now) const;
  [[nodiscard]] Millis silence_ms(Millis now) const;
  [[nodiscard]] bool keeps_alive() const { return state_ == State::online && keep_alive_ms_ != 0; }
  [[nodiscard]] bool is_over() const { return keeps_alive() && until_lost_ms(now_) == 0; }
  [[nodiscard]] bool send_ack();
  [[nodiscard]] bool ping();
  void put(std::size_t size);
  [[nodiscard]] bool begin(std::size_t size, std::size_t payload_size, const Flight& flight);
  [[nodiscard]] Flight* find_flight(std::uint16_t packet_id) const;
  [[nodiscard]] std::uint16_t next_id();

  std::span<char> head_;
  std::span<char> out_;
  std::span<Flight> flights_;
  std::string_view user_property_;
  PacketReader reader_;
  Connection* connection_ = nullptr;
  std::size_t out_size_ = 0;
  std::size_t out_sent_ = 0;
  std::span<const char> rest_;  // the rest of the packet, after out_
  Millis now_ = 0;
  Millis sent_ms_ = 0;      // of the last bytes to the broker
  Millis put_ms_ = 0;       // of the last packet in out_
  Millis acked_ms_ = 0;     // of the last acknowledgement, or of the first packet that waits for one
  Millis received_ms_ = 0;  // of the last bytes from the broker
  Millis ping_ms_ = 0;      // of the PINGREQ that waits for its response
  Millis keep_alive_ms_ = 0;
  std::uint32_t max_packet_size_ = 0;
  std::uint16_t receive_maximum_ = 0;
  std::uint16_t last_id_ = 0;
  std::uint16_t message_id_ = 0;  // of the message with QoS 1
  std::uint16_t ack_id_ = 0;      // of the PUBACK to be sent; 0: none
  Flight flight_;
  Reason ack_reason_ = Reason::success;
  Reason reason_ = Reason::success;
  Problem problem_ = Problem::none;
  State state_ = State::connecting;
  Message message_ = Message::none;
  std::uint8_t maximum_qos_ = 0;
  bool pings_ = false;  // waits for PINGRESP
  bool lost_ = false;   // the connection has failed
  bool drops_ = false;  // drops the payload of the current message
  char in_[128];
  std::uint8_t in_at_ = 0;
  std::uint8_t in_size_ = 0;
};

}  // namespace mcp::mqtt

#include <mcp/detail/epilogue.hpp>
