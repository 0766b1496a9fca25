// Finds the id of a message that is too long to be held, while its bytes go by. Knows just enough JSON to tell the
// envelope's own "id" from others; it checks nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::rpc {

/// Fed with a message in pieces of any size. Source for what an id may be: basic#requests, 2025-11-25.
class IdFinder {
 public:
  /// Longest id that is found, in bytes with its quotes.
  static constexpr std::size_t max_size = 40;

  /// Looks at the next bytes of the message.
  void feed(std::string_view bytes);

  /// The id as it stood in the message, or empty: there was none, it was given twice, it was too long, or it is neither
  /// a string nor an integer. A view into this object.
  [[nodiscard]] std::string_view id() const;

 private:
  void take(char c);
  void take_in_string(char c);
  void keep(char c);

  char id_[max_size] = {};
  std::uint8_t size_ = 0;
  std::uint8_t key_size_ = 0;  // bytes of the key so far, as long as they agree with "id"
  std::uint32_t depth_ = 0;    // open brackets
  bool in_string_ = false;
  bool escaped_ = false;      // behind a backslash
  bool expects_key_ = false;  // at the envelope's own level, where a key would stand
  bool key_differs_ = false;  // the envelope's current key is not "id"
  bool in_id_ = false;        // behind the colon of the envelope's "id"
  bool found_ = false;
  bool value_ended_ = false;  // white space behind the id's value, or its closing quote
  bool unusable_ = false;
};

}  // namespace mcp::rpc
