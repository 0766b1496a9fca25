// SPDX-License-Identifier: Apache-2.0
// One conversation file: its steps, what they say of the server's answers, and what came and went when it was run.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conversations/player.hpp"
#include "mcp/definition.hpp"
#include "support/json.hpp"

namespace test {

class Conversation {
 public:
  /// A message or event that the server received, and the messages that the server sent then.
  struct Event {
    enum class Kind { line, action, list, page };  // a page belongs to the list before it
    Kind kind;
    std::string input;
    std::vector<std::string> output;
    const Json* step;
  };

  /// Reads the file. Failures are reported to GoogleTest, here and below.
  explicit Conversation(const std::string& path);

  /// Runs it in ample memory, holds every answer against the file, and remembers the events.
  void run();
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const mcp::Definition& definition() const { return *definition_; }
  /// To write one play of it down. `way`: how it is played.
  [[nodiscard]] Record record(std::string_view way) const { return {name_, way, cut_, late_, vendor_}; }

  /// Asks for all pages of a list, in whatever memory the player has, and holds the items against the step.
  void run_list(Player& player, const Json& step);

  [[nodiscard]] std::size_t longest_line() const;
  /// The smallest transmit buffer for initialize, the lists and the notifications of this conversation.
  [[nodiscard]] std::size_t least_window() const;

 private:
  struct Step {
    std::size_t line;
    Json json;
  };

  void run_step(Player& player, const Step& step);
  void open(Player& player, const std::string& revision, const Json* client);
  void call(Player& player, const Step& step);
  void read(Player& player, const Step& step);
  void send(Player& player, const std::string& text);
  void send_prefixes(Player& player, std::string_view text);
  void act(Player& player, const std::string& action);
  std::string next();
  Json next_json();
  void expect(const Json& message, const Json* keep = nullptr);
  [[nodiscard]] std::string filled_in(std::string text) const;
  void expect_error(const Json& wanted);

  std::string name_;
  std::string cut_;     // why a line of the server breaks off on purpose
  std::string late_;    // why a request that was cancelled is answered
  std::string vendor_;  // prefix of the methods that MCP does not have
  std::deque<Step> steps_;
  const mcp::Definition* definition_ = nullptr;
  std::vector<Event> events_;
  std::deque<std::string> inbox_;
  std::map<std::string, std::string> kept_;  // as they stood in a message, without quotes
  bool lists_ = false;
};

/// True for a response with a streamed body, or its beginning. It may be larger than the transmit buffer.
bool is_streamed(std::string_view line);

/// True for a response with the body of a mcp::History. Where it does not fit, it has fewer values.
bool is_history(std::string_view line);

/// The transcripts of the folder, in order.
std::vector<std::string> conversation_files();

}  // namespace test
