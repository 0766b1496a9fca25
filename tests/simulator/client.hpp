// What a client says, and what it holds against the device: each answer is the right one, comes once, and where it was
// asked for. Knows JSON and MCP; how messages travel is a matter of those who derive from it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/application.hpp"
#include "simulator/world.hpp"
#include "support/json.hpp"

namespace sim {

using test::Json;

enum class Revision { r2024_11_05, r2025_03_26, r2025_06_18, r2025_11_25, r2026_07_28 };
std::string_view name_of(Revision revision);

/// One request and where its messages have to come.
struct Request {
  std::string method;
  std::string name;   // of the tool, prompt, resource or task
  std::string token;  // that its answer has to name; empty: none
  std::uint64_t exchange = 0;
  Time sent = 0;
  bool cancelled = false;
  double progress = 0;
  std::string word;  // what its question was answered with; empty: not yet
  /// Looks at the answer; what it says is wrong, if anything.
  std::function<std::string(const Json& answer)> judge;
  /// No answer will come, or none that helps.
  std::function<void()> lost;
};

class Client {
 public:
  Client(World& world, int number, Revision revision);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// Begins to talk; goes on until rest().
  void start();
  /// Begins nothing new, but to find out what is true.
  void rest() { resting_ = true; }
  /// Goes, in whatever way. Nothing is expected any more.
  virtual void leave() = 0;
  /// When nothing changes any more and nothing goes wrong: what must be known is known, and nothing is open.
  void check_at_rest() const;
  [[nodiscard]] bool is_stateless() const { return revision_ == Revision::r2026_07_28; }

 protected:
  /// Sends a message. For a request `id` is its id, and request(id).exchange is to be set.
  virtual void post(const std::string& message, const std::string& id) = 0;
  /// Takes back a request in the way of this transport.
  virtual void cancel(const std::string& id) = 0;
  /// The session can be used from now on.
  virtual void on_ready() {}
  /// Begins anew: there is no session any more.
  virtual void on_session_lost() {}
  /// True when changes are told of as soon as they happen.
  [[nodiscard]] virtual bool listens() const = 0;
  /// Whether an answer to a question came through does not matter: it may be lost.
  [[nodiscard]] virtual bool may_lose() const = 0;

  /// A message came. `exchange`: with which; 0: on the stream of the session.
  void take(std::string_view text, std::uint64_t exchange);
  /// The requests will not be answered any more.
  void lose(const std::vector<std::string>& ids);
  /// There is no session any more.
  void lose_session();
  /// All that is known may be old.
  void resync();
  void initialize();
  void listen();
  void complain(const std::string& what, std::string_view about = {}) const;

  World& world_;
  int number_;
  Revision revision_;
  bool ready_ = false;
  bool gone_ = false;
  bool resting_ = false;
  bool muted_ = false;     // the device does not know that it is ready, and says nothing on its own
  std::string listening_;  // id of the request to listen; empty: none
  bool acknowledged_ = false;
  std::map<std::string, Request> open_;  // by id, as it stands in messages
  std::uint64_t era_ = 0;                // goes up with each new session

 private:
  using Judge = std::function<std::string(const Json&)>;

  std::string request(std::string_view method, std::string params, Request about, bool progress = false);
  void call(std::string_view tool, const std::string& arguments, Request about, bool progress = false,
            const std::string& more = "");
  std::string meta(const std::string& token, bool progress) const;
  void notify(std::string_view method, const std::string& params);

  void take(const Json& message, std::uint64_t exchange);
  void take_answer(const Json& message, std::uint64_t exchange);
  void take_question(const Json& message, std::uint64_t exchange);
  void take_news(const Json& message, std::uint64_t exchange);
  void answer_later(const std::string& id, const std::string& body);
  std::string answer_of(const Json& question, std::string& word);

  void act();
  void act_later();
  void echo();
  void count();
  void ask(std::string_view tool);
  void ask_again(std::string tool, std::string token, const Json& answer, std::string word, int rounds, Time asked);
  void work(bool asks);
  void poll_task(const std::string& id, const std::string& token, Time created, bool asks, std::string word,
                 bool ended = false);
  void read_large();
  void read_item();
  void get_prompt();
  void list_tasks();
  void subscribe();
  void do_wrong();

  // What is known of the device: three resources, three lists.
  struct Known {
    bool wanted = false;
    std::uint32_t dirty = 0;  // goes up when it may be old
    std::uint32_t clean = 0;  // how far it was found out
    bool asking = false;
    bool changing = false;  // it is being subscribed to, or not any more
    std::uint32_t value = 0;
  };
  void refresh(std::size_t what);
  void refresh_page(std::size_t what, std::uint32_t generation, const std::string& cursor,
                    const std::shared_ptr<std::multiset<std::string>>& names);
  void touch(std::size_t what);

  std::string fresh_token();
  [[nodiscard]] bool jumped_since(Time time) const { return world_.jumped_at() >= time && world_.jumped_at() != 0; }
  Judge text_is(std::string wanted) const;
  std::string judge_asked(const std::string& text, const std::string& token, const std::string& word, Time sent) const;

  Known known_[6];
  int next_id_ = 0;
  int next_token_ = 0;
  std::set<std::string> done_;                // ids that were answered
  std::set<std::string> questions_;           // ids of the device
  std::map<std::string, std::string> words_;  // what a question for a token was answered with
  std::set<std::uint32_t> logs_;
  bool asked_can_;
  bool has_tasks_;
};

}  // namespace sim
