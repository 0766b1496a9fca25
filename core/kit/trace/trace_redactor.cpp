// SPDX-License-Identifier: Apache-2.0
// Finds the begin and the end of texts in the bytes of a stream: lines, HTTP/1.1 messages (RFC 9112), MQTT 5.0 packets.
// So chunk sizes do not split a secret, and the length of a message is not read as text.
#include "mcp/detail/trace_redactor.hpp"

#include "kit/trace/characters.hpp"

namespace mcp::detail {
namespace {

constexpr std::uint8_t mqtt_connect = 1;
constexpr std::uint8_t mqtt_publish = 3;
constexpr std::uint8_t mqtt_auth = 15;

constexpr std::string_view version = "HTTP/1.";

constexpr std::uint32_t longest_part = 0xFFFF'FFFF;

// Saturates, because an attacker may send any number of digits.
std::uint32_t append_digit(std::uint32_t number, unsigned base, int digit) {
  const std::uint64_t result = std::uint64_t{number} * base + static_cast<unsigned>(digit);
  return result < longest_part ? static_cast<std::uint32_t>(result) : longest_part;
}

}  // namespace

char TraceRedactor::next(char c, const StandIn::Key& key) {
  if (framing_ == Framing::http) return next_http(c, key);
  if (framing_ == Framing::packets) return next_packet(c, key);
  const char result = finder_.next(c, key);
  if (c == '\n') finder_.reset();
  return c == '\n' ? c : result;
}

// ---- HTTP ----------------------------------------------------------------------------------------------------------

char TraceRedactor::next_http(char c, const StandIn::Key& key) {
  if (is_response_ && begins_response(c)) {
    begin_message();
    is_response_ = true;
    position_ = static_cast<std::uint8_t>(version.size());
    return finder_.next(c, key);
  }
  switch (state_) {
    case State::body:
      if (--left_ == 0) begin_message();  // which keeps the finder
      return finder_.next(c, key);
    case State::until_end: return finder_.next(c, key);
    case State::chunk:
      if (--left_ == 0) state_ = State::chunk_end;
      return finder_.next(c, key);
    case State::chunk_end:
      if (c == '\n') state_ = State::chunk_size;
      return c;
    case State::chunk_size:
      if (const int digit = hex_digit(c); digit >= 0) left_ = append_digit(left_, 16, digit);
      if (c == ';') state_ = State::chunk_extension;
      [[fallthrough]];
    case State::chunk_extension:
      if (c != '\n') return c;
      is_trailer_ = left_ == 0;
      state_ = is_trailer_ ? State::line_begin : State::chunk;
      return c;
    default: return feed_head(c, key);
  }
}

// True at the end of `HTTP/1.` where a body should begin. The response to a HEAD request has the size of a body, but no
// body.
bool TraceRedactor::begins_response(char c) {
  if (state_ != State::body && state_ != State::chunk_size && state_ != State::until_end) return false;
  if (position_ >= version.size()) return false;
  position_ = c == version[position_] ? static_cast<std::uint8_t>(position_ + 1) : 0xFF;
  return position_ == version.size();
}

void TraceRedactor::begin_message() {
  const SecretFinder finder = finder_;
  *this = TraceRedactor(framing_);
  // A client whose lengths are wrong may send the rest of a body where a head is expected.
  finder_ = finder;
}

// `HTTP/1.1 204 ` and a line end: a response, and its status.
void TraceRedactor::feed_start_line(char c) {
  if (position_ == 0) is_response_ = true;
  if (position_ < version.size() && c != version[position_]) is_response_ = false;
  if (position_ == 9 && c == '1') has_no_body_ = true;
  if (position_ >= 9 && position_ < 12 && is_digit(c)) left_ = append_digit(left_, 10, c - '0');
  if (position_ < 0xFF) ++position_;
  if (c != '\n') return;
  has_no_body_ = is_response_ && (has_no_body_ || left_ == 204 || left_ == 304);
  left_ = 0;
  state_ = State::line_begin;
}

char TraceRedactor::feed_head(char c, const StandIn::Key& key) {
  switch (state_) {
    case State::start_line:
      if (position_ == 0 && (c == '\r' || c == '\n')) return c;
      feed_start_line(c);
      return finder_.next(c, key);
    case State::line_begin:
      if (c == '\r') return c;
      if (c == '\n') {
        end_head();
        return c;
      }
      if (c == ' ' || c == '\t') {
        state_ = State::header_value;  // of a folded field
        return c;
      }
      state_ = State::header_name;
      kinds_ = 0;
      name_.clear();
      [[fallthrough]];
    case State::header_name:
      if (c == '\n') state_ = State::line_begin;
      if (c == ':') {
        state_ = State::header_value;
        position_ = 0;
        stand_in_ = StandIn(key);
        name_.clear();
      } else {
        kinds_ |= name_.add(c);
      }
      return finder_.next(c, key);
    default: return feed_header_value(c, key);
  }
}

char TraceRedactor::feed_header_value(char c, const StandIn::Key& key) {
  if (c == '\r') return c;
  if (c == '\n') {
    state_ = State::line_begin;
    return finder_.next(c, key);
  }
  if ((kinds_ & (SecretName::secret | SecretName::pin)) != 0) return hide_header(c);
  if ((kinds_ & SecretName::hex_id) != 0) return hex_stand_in(c, stand_in_);
  if (!is_trailer_ && (kinds_ & SecretName::content_length) != 0 && is_digit(c)) {
    left_ = append_digit(left_, 10, c - '0');
    has_size_ = true;
    return c;
  }
  if ((kinds_ & SecretName::transfer_encoding) != 0 && (name_.add(c) & SecretName::chunked) != 0) is_chunked_ = true;
  return finder_.next(c, key);
}

// Hides the value of a field such as Authorization. The name of the scheme is kept.
char TraceRedactor::hide_header(char c) {
  static constexpr std::string_view schemes[] = {"bearer ", "basic "};
  if (position_ == 0) {
    if (c == ' ' || c == '\t') return c;
    is_scheme_ = true;
    scheme_ = lower(c);
  }
  if (is_scheme_) {
    // Both begin with b, so the second letter chooses.
    if (position_ == 1) scheme_ = lower(c);
    const std::string_view scheme = schemes[scheme_ == 'a' ? 1 : 0];
    is_scheme_ = lower(c) == scheme[position_];  // it ends at the end of the scheme
    if (position_ + 1U == scheme.size()) {
      const bool is_end = is_scheme_;
      is_scheme_ = false;
      position_ = 0xFF;
      return is_end ? c : 'x';
    }
  }
  if (position_ < 0xFF) ++position_;
  if (is_scheme_ || static_cast<unsigned char>(c) <= 0x20) return c;
  return is_digit(c) ? '1' : 'x';
}

void TraceRedactor::end_head() {
  const bool is_complete = is_trailer_ || has_no_body_;
  const bool is_empty = has_size_ ? left_ == 0 : !is_response_;
  if (is_complete || (!is_chunked_ && is_empty)) {
    begin_message();
    return;
  }
  finder_.reset();
  position_ = 0;
  if (is_chunked_) left_ = 0;
  state_ = is_chunked_ ? State::chunk_size : has_size_ ? State::body : State::until_end;
}

// ---- MQTT ----------------------------------------------------------------------------------------------------------

char TraceRedactor::next_packet(char c, const StandIn::Key& key) {
  const auto byte = static_cast<std::uint8_t>(c);
  if (state_ == State::start_line) state_ = State::packet;
  if (state_ == State::packet) {
    type_ = byte;
    left_ = 0;
    position_ = 0;
    state_ = State::packet_size;
    return c;
  }
  if (state_ == State::packet_size) {
    left_ |= std::uint32_t{byte & 0x7FU} << position_;
    position_ += 7;
    if ((byte & 0x80) == 0 || position_ >= 28) begin_packet();
    return c;
  }
  --left_;
  const char result = feed_packet_byte(c, key);
  if (left_ == 0) state_ = State::packet;
  return result;
}

void TraceRedactor::begin_packet() {
  const unsigned type = type_ >> 4U;
  const bool is_secret = type == mqtt_connect || type == mqtt_auth;
  position_ = 0;
  part_ = 0;
  state_ = left_ == 0             ? State::packet
           : is_secret            ? State::hidden
           : type == mqtt_publish ? State::topic_size
                                  : State::properties;
  if (state_ == State::properties) part_ = longest_part;
}

void TraceRedactor::begin_payload() {
  finder_.reset();
  state_ = State::payload;
}

char TraceRedactor::feed_packet_byte(char c, const StandIn::Key& key) {
  const auto byte = static_cast<std::uint8_t>(c);
  const bool has_id = (type_ & 0x06) != 0;
  switch (state_) {
    case State::hidden: return 'x';
    case State::payload: return finder_.next(c, key);
    case State::topic_size:
      part_ = part_ << 8U | byte;
      if (++position_ != 2) return c;
      position_ = 0;
      state_ = part_ != 0 ? State::topic : has_id ? State::packet_id : State::property_size;
      return c;
    case State::topic:
      if (--part_ == 0) state_ = has_id ? State::packet_id : State::property_size;
      return c;
    case State::packet_id:
      if (++position_ != 2) return c;
      position_ = 0;
      state_ = State::property_size;
      return c;
    case State::property_size:
      part_ |= std::uint32_t{byte & 0x7FU} << position_;
      position_ += 7;
      if ((byte & 0x80) != 0 && position_ < 28) return c;
      state_ = State::properties;
      if (part_ == 0) begin_payload();
      return c;
    default:  // properties, and packets without a text
      if (--part_ == 0) begin_payload();
      return c;
  }
}

}  // namespace mcp::detail
