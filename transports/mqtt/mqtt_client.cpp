// SPDX-License-Identifier: Apache-2.0
#include "mcp/mqtt/mqtt_client.hpp"

#include <algorithm>

namespace mcp::mqtt {
namespace {

// The client sends a packet after this part of the keep alive, so that a slow network does not make it late.
constexpr Millis part_of(Millis keep_alive_ms) { return keep_alive_ms / 4 * 3; }

constexpr Millis left_of(Millis limit, Millis passed) { return passed < limit ? limit - passed : 0; }

// Maximum of pieces that one poll() reads without an event, so that the caller can do other work.
constexpr unsigned most_pieces = 16;

}  // namespace

void Client::open(Connection& connection, Millis now) {
  connection_ = &connection;
  std::fill(flights_.begin(), flights_.end(), Flight{});
  out_size_ = out_sent_ = 0;
  rest_ = {};
  now_ = sent_ms_ = put_ms_ = received_ms_ = acked_ms_ = now;
  keep_alive_ms_ = 0;
  ack_id_ = 0;
  reason_ = Reason::success;
  state_ = State::connecting;
  message_ = Message::none;
  pings_ = lost_ = drops_ = false;
  in_at_ = in_size_ = 0;
}

void Client::close(Reason reason) {
  if (connection_ == nullptr) return;
  // Within a packet, the broker would read a DISCONNECT as a part of the packet.
  if (state_ == State::online && can_send() && !lost_) {
    put(write_disconnect(out_, reason));
    static_cast<void>(flush());
  }
  connection_->close();
  connection_ = nullptr;
}

Client::Event Client::end(Problem problem, Reason reason) {
  problem_ = problem;
  reason_ = reason;
  close(reason);
  return Event::ended;
}

// ---- Output ---------------------------------------------------------------------------------------------------------

void Client::put(std::size_t size) {
  out_size_ = size;
  out_sent_ = 0;
  put_ms_ = now_;
}

// True if all output is written.
bool Client::flush() {
  while (!can_send()) {
    const bool is_head = out_sent_ != out_size_;
    const std::span<const char> rest = is_head ? out_.subspan(out_sent_, out_size_ - out_sent_) : rest_;
    const IoResult result = connection_->write(rest);
    if (result.status == IoStatus::would_block) return false;
    if (result.status != IoStatus::ok) {
      lost_ = true;
      return false;
    }
    sent_ms_ = now_;
    if (is_head) {
      out_sent_ += result.size;
    } else {
      rest_ = rest_.subspan(result.size);
    }
  }
  return true;
}

bool Client::can_publish() const {
  std::size_t free = 0;
  std::size_t published = 0;
  for (const Flight& flight : flights_) {
    if (flight.packet_id == 0) {
      ++free;
    } else if (flight.type == PacketType::publish) {
      ++published;
    }
  }
  return free > 1 && published < receive_maximum_;
}

bool Client::has_flights() const {
  for (const Flight& flight : flights_) {
    if (flight.packet_id != 0) return true;
  }
  return false;
}

// Returns the flight with a packet identifier, or a free flight for 0; nullptr if there is none.
Flight* Client::find_flight(std::uint16_t packet_id) const {
  for (Flight& flight : flights_) {
    if (flight.packet_id == packet_id) return &flight;
  }
  return nullptr;
}

std::uint16_t Client::next_id() {
  do {
    ++last_id_;
  } while (last_id_ == 0 || find_flight(last_id_) != nullptr);
  return last_id_;
}

// Begins to send the packet of `size` bytes in out_. A payload follows the packet. A size of 0 is an invalid packet.
bool Client::begin(std::size_t size, std::size_t payload_size, const Flight& flight) {
  if (size == 0 || size + payload_size > max_packet_size_) return false;
  if (flight.packet_id != 0) {
    Flight* const place = find_flight(0);
    if (place == nullptr) return false;
    if (!has_flights()) acked_ms_ = now_;
    *place = flight;
  }
  put(size);
  return true;
}

bool Client::connect(std::span<char> memory, const Connect& connect) {
  const std::size_t size = write_connect(memory, connect);
  if (size == 0) return false;
  rest_ = memory.first(size);
  reader_ = PacketReader(head_, connect.max_packet_size, user_property_);
  keep_alive_ms_ = Millis{connect.keep_alive_s} * 1000;
  return true;
}

bool Client::publish(PublishHead head, std::span<const char> payload, std::uint8_t tag) {
  head.qos = std::min(head.qos, maximum_qos_);
  if (head.qos != 0 && !can_publish()) return false;
  head.packet_id = head.qos != 0 ? next_id() : std::uint16_t{0};
  const std::size_t size = write_publish_head(out_, head, payload.size());
  if (!begin(size, payload.size(), {head.packet_id, PacketType::publish, tag})) return false;
  rest_ = payload;
  return true;
}

bool Client::subscribe(const Subscription& subscription, std::uint8_t tag) {
  const std::uint16_t id = next_id();
  return begin(write_subscribe(out_, id, {&subscription, 1}), 0, {id, PacketType::subscribe, tag});
}

bool Client::unsubscribe(std::string_view filter, std::uint8_t tag) {
  const std::uint16_t id = next_id();
  return begin(write_unsubscribe(out_, id, {&filter, 1}), 0, {id, PacketType::unsubscribe, tag});
}

void Client::replace_tag(std::uint8_t tag, std::uint8_t by) {
  for (Flight& flight : flights_) {
    if (flight.tag == tag) flight.tag = by;
  }
}

// ---- Input ----------------------------------------------------------------------------------------------------------

void Client::acknowledge() {
  if (message_ == Message::none) return;
  ack_id_ = message_id_;
  ack_reason_ = Reason::success;
  message_ = Message::none;
}

// True if there are bytes for the reader.
bool Client::fill() {
  if (in_at_ != in_size_) return true;
  const IoResult result = connection_->read(in_);
  if (result.status == IoStatus::would_block) return false;
  if (result.status != IoStatus::ok) {
    lost_ = true;
    return false;
  }
  received_ms_ = now_;
  in_at_ = 0;
  in_size_ = static_cast<std::uint8_t>(result.size);
  return true;
}

// The time until the connection counts as lost, because the broker takes no byte, or sends no PINGRESP or
// acknowledgement. The limit is four times the keep alive, or a part of the keep alive while no bytes move.
Millis Client::until_lost_ms(Millis now) const {
  const Millis part = part_of(keep_alive_ms_);
  const Millis whole = 4 * keep_alive_ms_;
  if (!can_send()) {
    return std::min(left_of(part, std::min(now - sent_ms_, now - put_ms_)), left_of(whole, now - put_ms_));
  }
  // The client may not read a response before the caller has acknowledged the message.
  if (!reads()) return forever;
  const Millis acks = has_flights() ? left_of(whole, now - acked_ms_) : forever;
  if (!pings_) return acks;
  // The PINGRESP comes after all bytes that the broker sent before.
  return std::min({acks, left_of(part, std::min(now - ping_ms_, now - received_ms_)), left_of(whole, now - ping_ms_)});
}

// The time until a PINGREQ is due, because the connection was silent in one direction.
Millis Client::silence_ms(Millis now) const {
  if (pings_ || !can_send()) return forever;
  return left_of(part_of(keep_alive_ms_), std::max(now - sent_ms_, now - received_ms_));
}

// Sends PINGREQ if it is due. Returns true if it has sent one.
bool Client::ping() {
  if (!keeps_alive() || silence_ms(now_) != 0) return false;
  put(write_pingreq(out_));
  pings_ = true;
  ping_ms_ = now_;
  return true;
}

Millis Client::due(Millis now) const {
  return keeps_alive() && connection_ != nullptr ? std::min(until_lost_ms(now), silence_ms(now)) : forever;
}

// At most one PUBACK waits. The response to a message may wait for an acknowledgement, which the client must then read.
bool Client::reads() const { return ack_id_ == 0 && (message_ != Message::complete || !can_publish()); }

// Sends the waiting PUBACK. Returns true if it has sent one.
bool Client::send_ack() {
  if (!flush() || ack_id_ == 0) return false;
  put(write_puback(out_, ack_id_, ack_reason_));
  ack_id_ = 0;
  return true;
}

Client::Event Client::poll(Millis now) {
  now_ = now;
  for (unsigned pieces = 0; connection_ != nullptr;) {
    if (send_ack()) continue;
    if (lost_) return end(Problem::lost, Reason::success);
    // Blocked output does not depend on received bytes.
    if (!can_send() && is_over()) return end(Problem::no_response, Reason::keep_alive_timeout);
    if (message_ == Message::begun && reader_.payload_left() == 0) {
      message_ = Message::complete;
      return Event::message_end;
    }
    if (reads() && fill()) {
      if (pieces++ == most_pieces) {
        static_cast<void>(ping());
        return Event::busy;
      }
      const PacketReader::Result result = reader_.read({in_ + in_at_, std::size_t{in_size_} - in_at_});
      in_at_ = static_cast<std::uint8_t>(in_at_ + result.used);
      const Event event = handle(result.event);
      if (event != Event::none) return event;
      continue;
    }
    if (lost_ || ping()) continue;
    return is_over() ? end(Problem::no_response, Reason::keep_alive_timeout) : Event::none;
  }
  return Event::none;
}

Client::Event Client::handle(PacketReader::Event event) {
  switch (event) {
    case PacketReader::Event::more: break;
    case PacketReader::Event::failed: return end(Problem::fault, reader_.fault());
    case PacketReader::Event::packet: return handle_packet();
    case PacketReader::Event::payload: return drops_ ? Event::none : Event::payload;
    case PacketReader::Event::too_large:
      // The topic is unknown, so only the broker gets an error. packet_too_large is not a reason code of PUBACK.
      if (reader_.publish().qos > 1) return end(Problem::fault, Reason::protocol_error);
      if (reader_.publish().qos != 0) ack_id_ = reader_.publish().packet_id;
      ack_reason_ = Reason::quota_exceeded;
      break;
  }
  return Event::none;
}

Client::Event Client::handle_packet() {
  switch (reader_.type()) {
    case PacketType::connack: return handle_connack();
    case PacketType::publish:
      if (reader_.publish().qos > 1) break;
      drops_ = message_ == Message::complete && reader_.publish().qos == 0;
      if (drops_) return Event::none;
      // A waiting message with QoS 0 is dropped, because it does not count for the receive maximum.
      if (message_ == Message::complete && message_id_ != 0)
        return end(Problem::fault, Reason::receive_maximum_exceeded);
      message_ = Message::begun;
      message_id_ = reader_.publish().packet_id;
      return Event::message;
    case PacketType::puback:
    case PacketType::suback:
    case PacketType::unsuback: return handle_ack();
    case PacketType::pingresp: pings_ = false; return Event::none;
    case PacketType::disconnect: {
      lost_ = true;  // sends no DISCONNECT
      return end(Problem::ended, reader_.disconnect().reason);
    }
    default: break;
  }
  return end(Problem::fault, Reason::protocol_error);
}

Client::Event Client::handle_connack() {
  const Connack connack = reader_.connack();
  if (connack.reason != Reason::success) {
    lost_ = true;
    return end(Problem::refused, connack.reason);
  }
  state_ = State::online;
  receive_maximum_ = connack.receive_maximum();
  maximum_qos_ = std::min<std::uint8_t>(connack.maximum_qos(), 1);
  max_packet_size_ = connack.maximum_packet_size();
  // A client may send PINGREQ more often than the server requires.
  const Millis server_ms = connack.server_keep_alive().value_or(0) * 1000;
  if (server_ms != 0 && (keep_alive_ms_ == 0 || server_ms < keep_alive_ms_)) keep_alive_ms_ = server_ms;
  return Event::connected;
}

Client::Event Client::handle_ack() {
  const Ack ack = reader_.ack();
  const PacketType answered = ack.type == PacketType::puback   ? PacketType::publish
                              : ack.type == PacketType::suback ? PacketType::subscribe
                                                               : PacketType::unsubscribe;
  Flight* const flight = find_flight(ack.packet_id);
  if (flight != nullptr && flight->type == answered && ack.size() == 1) {
    flight_ = *flight;
    *flight = {};
    acked_ms_ = now_;
    return Event::acknowledged;
  }
  return end(Problem::fault, Reason::protocol_error);
}

}  // namespace mcp::mqtt
