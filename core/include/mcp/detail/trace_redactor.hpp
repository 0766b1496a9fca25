// SPDX-License-Identifier: Apache-2.0
// Hides secrets in the bytes of a stream before a trace stores them. Each byte becomes one byte, so a trace has the
// lengths of the run. The rules are in core/kit/trace/README.md. Private.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp {

/// How messages are separated on a traced stream, so that a trace finds their secrets.
enum class Framing : std::uint8_t {
  lines,    ///< One JSON message per line, as a StdioTransport.
  http,     ///< HTTP/1.1, as an HttpTransport.
  packets,  ///< MQTT 5.0, as an MqttTransport.
};

namespace detail {

/// Replaces random bits by others, which have no known relation to them without the key: the same bits of a value get
/// the same stand-in in every text form and direction. The stand-in of a bit depends on the bits before it.
class StandIn {
 public:
  struct Key {
    enum class Use : std::uint8_t { none, secret, plain };
    std::uint32_t words[2] = {};
    Use use = Use::none;
  };

  constexpr StandIn() = default;
  explicit StandIn(const Key& key);

  /// Returns the stand-in of `count` bits, at most 8. Without a key it returns `fixed`.
  std::uint8_t bits(std::uint8_t value, unsigned count, std::uint8_t fixed);

 private:
  void mix();

  std::uint32_t state_[4] = {};
  Key::Use use_ = Key::Use::none;
};

/// Recognises names of secrets and of ids in text, whatever the case, and with `_` and `-` in them.
class SecretName {
 public:
  enum Kind : std::uint16_t {
    secret = 1,
    pin = 2,  // secret, unless the next letter makes another word of it
    hex_id = 4,
    base64_id = 8,
    content_length = 16,
    transfer_encoding = 32,
    chunked = 64,
    setting = 128,  // whose value may be secret
    value = 256,
  };

  /// Adds a character of a name. Returns the kinds of names that end with it.
  std::uint16_t add(char c);
  /// Ends the name.
  void clear() { size_ = 0; }
  /// True if `c` ends the word pin as another word, such as ping. A capital letter begins a word, as in pinNumber.
  static constexpr bool ends_pin(char c) { return c == 'g' || c == 'n'; }

 private:
  static constexpr std::size_t longest = 16;
  [[nodiscard]] bool ends_with(std::string_view word) const;

  char tail_[longest] = {};  // the last characters, in lower case
  std::uint8_t size_ = 0;    // characters since clear(), at most 255
};

/// Hides the values of members of JSON whose name says that they are secret, in any text, also in strings of JSON in
/// JSON. It needs no valid JSON: it prefers to hide too much.
class SecretFinder {
 public:
  /// Returns the byte to store for the next byte of a text.
  char next(char c, const StandIn::Key& key);
  /// Begins another text.
  void reset() { *this = SecretFinder(); }

 private:
  enum class Mode : std::uint8_t { text, value, id, string, container, scalar, query };
  struct Escape {
    std::uint8_t backslashes = 0;  // directly before this byte
    std::uint8_t digits = 0;       // of a code that are missing
    std::uint8_t before = 0;       // backslashes of this code
    std::uint16_t code = 0;
  };
  // The kinds of the names that are complete, for three guesses of where the name of a member begins.
  struct Kinds {
    std::uint16_t string = 0;  // at the last quote that begins a string
    std::uint16_t member = 0;  // at the last comma, colon or bracket: right also if a quote is missing
    std::uint16_t word = 0;    // at the last character that no word has
  };
  static constexpr std::uint8_t no_level = 0xFF;

  char feed_digit(char c, const StandIn::Key& key);
  void feed_quote(unsigned level, const StandIn::Key& key);
  char feed(char c, bool is_escaped, const StandIn::Key& key);
  void feed_text(char c, bool is_escaped);
  char feed_value(char c, bool is_escaped, const StandIn::Key& key);
  char feed_container(char c, bool is_escaped);
  char feed_id(char c, const StandIn::Key& key);
  void begin_value(std::uint16_t kinds);
  void begin_query(std::uint16_t kinds, const StandIn::Key& key);
  void end_value();
  void end_name();
  void feed_name(char c);
  void add_kinds(unsigned kinds);
  static char hide(char c, bool is_escaped);
  char hide_word(char c);
  [[nodiscard]] bool hides() const { return mode_ >= Mode::string; }

  Mode mode_ = Mode::text;
  Escape escape_;
  SecretName name_;
  Kinds kinds_;
  std::uint8_t open_ = 0;          // a bit for each level of strings that is open
  std::uint8_t level_ = 0;         // of the name of a value, then of its string
  std::uint8_t inner_ = no_level;  // of the string in a container
  std::uint16_t value_kinds_ = 0;  // of the name of a value
  std::uint8_t literal_ = 0;       // the position in true, false or null
  char word_ = 0;                  // the first letter of this literal
  bool after_digit_ = false;
  bool after_quote_ = false;
  bool may_be_pin_ = false;
  bool has_setting_ = false;  // the text names a secret or a setting
  bool is_list_ = false;      // of ids
  bool begins_ = false;       // the next character is the first one of an id or a query
  bool keeps_id_ = false;
  std::uint16_t depth_ = 0;
  StandIn stand_in_;
};

/// Hides secrets in one direction of a stream.
class TraceRedactor {
 public:
  constexpr explicit TraceRedactor(Framing framing) : framing_(framing) {}

  /// Returns the byte to store for the next byte of the stream.
  char next(char c, const StandIn::Key& key);

 private:
  enum class State : std::uint8_t {
    start_line,
    line_begin,
    header_name,
    header_value,
    body,
    chunk_size,
    chunk_extension,
    chunk,
    chunk_end,
    until_end,
    // MQTT
    packet,
    packet_size,
    hidden,
    topic_size,
    topic,
    packet_id,
    property_size,
    properties,
    payload,
  };

  char next_http(char c, const StandIn::Key& key);
  void feed_start_line(char c);
  char feed_head(char c, const StandIn::Key& key);
  char feed_header_value(char c, const StandIn::Key& key);
  char hide_header(char c);
  void end_head();
  void begin_message();
  bool begins_response(char c);
  char next_packet(char c, const StandIn::Key& key);
  char feed_packet_byte(char c, const StandIn::Key& key);
  void begin_packet();
  void begin_payload();

  Framing framing_;
  State state_ = State::start_line;
  SecretFinder finder_;
  SecretName name_;
  std::uint16_t kinds_ = 0;    // of the name of this header field
  std::uint8_t position_ = 0;  // in the line, the value, a number or the body
  bool is_response_ = false;
  bool has_no_body_ = false;
  bool is_chunked_ = false;
  bool is_trailer_ = false;
  bool is_scheme_ = false;  // the value of a secret field may still be the name of a scheme
  char scheme_ = 0;         // its first letters
  std::uint8_t type_ = 0;   // of an MQTT packet
  bool has_size_ = false;
  std::uint32_t left_ = 0;  // bytes of the body, chunk or packet
  std::uint32_t part_ = 0;  // bytes of a part of a packet
  StandIn stand_in_;
};

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
