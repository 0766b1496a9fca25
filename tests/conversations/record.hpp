// SPDX-License-Identifier: Apache-2.0
// Records the messages between client and server. tests/schema validates them with the official schemas.
#pragma once

#include <string>
#include <string_view>

namespace test {

/// Records one play of a conversation in the file that the environment variable MOTE_RECORD names; without the variable
/// it writes nothing. Each line is one JSON object. `{"play": CONVERSATION, "way": …}` starts a play. It has `"cut":
/// WHY` if the server breaks off a line, `"late": WHY` if the server responds to a cancelled request, and
/// `"vendor": PREFIX` if it has methods that begin with this. `{"in": …}`
/// is a line that the server received, and `{"out": …}` a line that it sent, byte for byte, also if it is not UTF-8.
class Record {
 public:
  Record(std::string_view conversation, std::string_view way, std::string_view cut, std::string_view late,
         std::string_view vendor);
  void in(std::string_view bytes) { put("in", bytes); }
  void out(std::string_view line) { put("out", line); }

 private:
  static void put(std::string_view key, std::string_view text);
};

}  // namespace test
