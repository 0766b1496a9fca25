// What goes between client and server, written down for tests/schema, which holds it against the official schemas.
// Knows no rule of MCP.
#pragma once

#include <string>
#include <string_view>

namespace test {

/// One play of a conversation in the file that the environment variable MOTE_RECORD names; without it nothing is
/// written. One JSON object a line: `{"play": CONVERSATION, "way": …}` begins a play, with `"cut": WHY` when the
/// conversation makes the server break off a line, `"late": WHY` when it answers a request that was cancelled; then
/// `{"in": …}` is what came to the server, and `{"out": …}` a line that it said, byte for byte even where that is not
/// UTF-8.
class Record {
 public:
  Record(std::string_view conversation, std::string_view way, std::string_view cut, std::string_view late);
  void in(std::string_view bytes) { put("in", bytes); }
  void out(std::string_view line) { put("out", line); }

 private:
  static void put(std::string_view key, std::string_view text);
};

}  // namespace test
