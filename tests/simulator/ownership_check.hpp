// SPDX-License-Identifier: Apache-2.0
// Finds a client that reads or uses the data of another client. Knows no transport.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "fuzz/target.hpp"

namespace sim {

/// A value that the device gave to one client only.
struct Belonging {
  enum class Kind {
    session,         // its id, as in a header
    sse_session,     // where its messages are posted
    task,            // its id, in a session
    stateless_task,  // a task of a stateless client
    state,           // a requestState
  };
  Kind kind = Kind::session;
  int client = 0;
  std::uint64_t principal = 0;  // 0: the device cannot distinguish clients
  std::string text;
  std::string call;  // of a state: the params that it belongs to
};

class OwnershipCheck {
 public:
  /// False if another client got an equal value.
  bool add(Belonging thing);

  /// One of another client, or nullptr. `guarded`: and of another principal.
  const Belonging* anothers(fuzz::Random& random, Belonging::Kind kind, int client, std::uint64_t principal,
                            bool guarded) const;

  /// What in this text is another client's: the name of a call of its, or an id that was given to it. Empty: nothing.
  [[nodiscard]] std::string foreign_in(std::string_view text, int client) const;

  /// All clients have left.
  void clear();

 private:
  static constexpr std::size_t kept = 64;  // to be tried

  std::deque<Belonging> things_;
  std::map<std::string, int, std::less<>> owners_;  // of ids
};

}  // namespace sim
