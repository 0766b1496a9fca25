// What belongs to one client alone: who reads it, or gets in with it, is found out. Knows no transport.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "fuzz/target.hpp"

namespace sim {

/// Something that a client was given, and nobody else.
struct Belonging {
  enum class Kind {
    session,         // its id, as it stands in a header
    sse_session,     // where its messages are posted
    task,            // its id, in a session
    stateless_task,  // the same without one
    state,           // a requestState
  };
  Kind kind = Kind::session;
  int client = 0;
  std::uint64_t principal = 0;  // 0: nobody can be told apart
  std::string text;
  std::string call;  // of a state: the params that it belongs to
};

class OwnershipCheck {
 public:
  /// False when somebody else was given the same.
  bool add(Belonging thing);

  /// One of another client, or nullptr. `guarded`: and of another principal.
  const Belonging* anothers(fuzz::Random& random, Belonging::Kind kind, int client, std::uint64_t principal,
                            bool guarded) const;

  /// What in this text is another client's: the name of a call of its, or an id that was given to it. Empty: nothing.
  [[nodiscard]] std::string foreign_in(std::string_view text, int client) const;

  /// All clients have gone.
  void clear();

 private:
  static constexpr std::size_t kept = 64;  // to be tried

  std::deque<Belonging> things_;
  std::map<std::string, int, std::less<>> owners_;  // of ids
};

}  // namespace sim
