// SPDX-License-Identifier: Apache-2.0
// The messages of one client, and its checks of the device: each response is correct and comes once, on the right
// channel. Knows JSON and MCP. Derived classes send and receive the messages.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/application.hpp"
#include "simulator/simulation.hpp"
#include "support/json.hpp"

namespace sim {

using test::Json;

enum class Revision { r2024_11_05, r2025_03_26, r2025_06_18, r2025_11_25, r2026_07_28 };
std::string_view name_of(Revision revision);

inline constexpr Time question_time = 20'000;  // of the application
inline constexpr Time task_time = 60'000;      // of the server

inline std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }
inline std::string text_of(const Json& answer) { return answer.text_at("result.content.0.text"); }

/// One request and where its messages have to come.
struct Request {
  std::string method;
  std::string name;            // of the tool, prompt, resource or task
  std::string token;           // that its answer has to name; empty: none
  std::string progress_token;  // as in messages; empty: no token
  std::uint64_t exchange = 0;
  std::uint64_t batch = 0;  // of which it was a part; 0: of none
  Time sent = 0;
  bool cancelled = false;
  bool as_task = false;         // its progress comes on the stream of the session
  bool acknowledged = false;    // of a subscription
  bool accepted = false;        // its filter
  std::string acknowledgement;  // what has to be acknowledged to it
  double progress = 0;
  /// Checks the response. Returns the error, or an empty string.
  std::function<std::string(const Json& answer)> judge;
  /// No answer will come, or none that helps.
  std::function<void()> lost;
  /// Checks a notification of an additional subscription. Returns the error, or an empty string.
  std::function<std::string(const Json& news)> hear;
};

/// A task of a client, as far as it knows.
struct OwnTask {
  std::string id;
  std::string token;
  Time created = 0;
  bool asks = false;
  std::string word;        // the content of its input response
  bool over = false;       // the device has sent its end, so another task may get its slot
  bool watched = false;    // so has news of it
  Time cancelled = 0;      // when the client requested the cancellation
  Time is_cancelled = 0;   // when the device confirmed it
  std::string created_at;  // as it is shown
  std::string result;      // as it was fetched
  double progress = 0;
};
using Task = std::shared_ptr<OwnTask>;

class Client {
 public:
  Client(Simulation& simulation, int number, Revision revision, std::uint64_t principal = 0);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// Starts to send, until rest().
  void start();
  /// Starts nothing new, except reads of current values.
  virtual void rest() { resting_ = true; }
  /// Goes, in whatever way. Nothing is expected any more.
  virtual void leave() = 0;
  /// When nothing changes any more and nothing goes wrong: what must be known is known, and nothing is open.
  /// A stream may have ended within the last `patience` ms, for another client, and what its end causes may be open.
  void check_at_rest(Time patience) const;
  [[nodiscard]] bool is_stateless() const { return revision_ == Revision::r2026_07_28; }
  [[nodiscard]] std::uint64_t principal() const { return principal_; }
  /// The owner that the device counts shares for, or 0 if the device does not know it.
  [[nodiscard]] virtual std::uint64_t owner() const { return principal_; }

 protected:
  /// The device sends these messages to the session, not to a request.
  static constexpr std::uint64_t session_stream = 0;

  /// Sends a message. `ids`: of the requests in it, whose `exchange` is to be set.
  virtual void post(const std::string& message, const std::vector<std::string>& ids) = 0;
  /// Takes back a request in the way of this transport.
  virtual void cancel(const std::string& id) = 0;
  /// Connects, and then calls initialize().
  virtual void begin() { initialize(); }
  /// The session can be used from now on.
  virtual void on_ready() {}
  /// Starts again without a session.
  virtual void on_session_lost() {}
  /// Tries to use the data of another client, or a forbidden operation. Returns false if there is nothing to try.
  virtual bool trespass() { return false; }
  /// True if the device sends changes at once.
  [[nodiscard]] virtual bool listens(Time patience) const = 0;
  /// The loss of an input response does not matter.
  [[nodiscard]] virtual bool may_lose() const = 0;
  /// A batch may have requests and answers in it.
  [[nodiscard]] virtual bool mixes() const { return true; }

  /// A message came, or a batch. `exchange`: with which; session_stream: with none.
  void take(std::string_view text, std::uint64_t exchange);
  /// The requests will not be answered any more.
  void lose(const std::vector<std::string>& ids);
  /// It is unknown whether these requests arrived, so each may get one response.
  void forget(const std::vector<std::string>& ids);
  /// There is no session any more.
  void lose_session();
  /// Sends something that only a session is served.
  void probe();
  /// All that is known may be old.
  void resync();
  void initialize();
  void listen();
  void complain(const std::string& what, std::string_view about = {}) const;
  /// What this client was given.
  void own(Belonging::Kind kind, const std::string& text, const std::string& call = {});
  [[nodiscard]] const Belonging* anothers(Belonging::Kind kind, bool guarded = true) const;
  [[nodiscard]] bool can_batch() const { return revision_ == Revision::r2025_03_26; }

  Simulation& simulation_;
  int number_;
  Revision revision_;
  std::uint64_t principal_;
  bool ready_ = false;
  bool gone_ = false;
  bool resting_ = false;
  bool missed_ = false;                  // the device has reported lost events
  bool muted_ = false;                   // the device does not know that the client is ready, and sends no notification
  std::string listening_;                // id of the request to listen; empty: none
  std::map<std::string, Request> open_;  // by id, as in messages
  std::uint64_t era_ = 0;                // goes up with each new session

  [[nodiscard]] bool is_acknowledged() const;

 private:
  using Judge = std::function<std::string(const Json&)>;

  // Sending.
  std::string request(std::string_view method, std::string params, Request about, bool progress = false);
  void call(std::string_view tool, const std::string& arguments, Request about, bool progress = false,
            const std::string& more = "");
  std::string meta(const std::string& progress_token) const;
  void notify(std::string_view method, const std::string& params);
  void say(const std::string& message);
  void batch();

  // Receiving.
  void take(const Json& message, std::uint64_t exchange);
  void take_batch(const Json& batch, std::uint64_t exchange);
  void take_answer(const Json& message, std::uint64_t exchange);
  void take_question(const Json& message, std::uint64_t exchange);
  void take_news(const Json& message, std::uint64_t exchange);
  void take_progress(const Json& message, std::uint64_t exchange);
  void take_task_progress(const Json& message, std::uint64_t exchange);
  void take_log(const Json& message);
  bool take_subscribed(const Json& message, std::uint64_t exchange);
  void answer_later(const std::string& id, const std::string& body);
  std::string answer_of(const Json& question, std::string& word);

  // What it does.
  void act();
  void act_once(std::size_t what);
  void act_later();
  void echo();
  void count();
  void ask(std::string_view tool);
  void ask_again(std::string tool, std::string token, const Json& answer, std::string word, int rounds, Time asked);
  void ask_prompt();
  void read_large();
  void read_item();
  void get_prompt();
  void list_tasks();
  void subscribe();
  void do_wrong();
  void set_level();
  void cancel_later(const std::string& id);
  std::string answers_to(const Json& questions, const std::string& token, std::string& word);

  // Tasks.
  void work(bool asks);
  void poll_task(const Task& task);
  void fetch_task(const Task& task, bool waits);
  void cancel_task(const Task& task);
  void answer_task(const Task& task, const Json& question, const std::string& key);
  void watch_task(const Task& task);
  std::string judge_task(const Task& task, const Json& answer, Time sent);
  std::string judge_state(const Task& task, const Json& state, Time sent);
  std::string judge_result(const Task& task, const std::string& text, const std::string& raw);
  std::string judge_dates(const Task& task, const Json& state);
  [[nodiscard]] bool is_late(const Task& task) const;
  [[nodiscard]] bool may_be_gone(const Task& task) const;
  bool try_task();
  bool try_state();
  void spy_on_task(const std::string& id);

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
  std::string fresh_progress_token(const std::string& token);
  [[nodiscard]] bool jumped_since(Time time) const {
    return simulation_.jumped_at() >= time && simulation_.jumped_at() != 0;
  }
  Judge text_is(std::string wanted) const;
  std::string judge_asked(const std::string& text, const std::string& token, const std::string& word, Time sent,
                          bool samples = false) const;

  Known known_[6];
  int next_id_ = 0;
  int next_token_ = 0;
  int next_progress_ = 0;
  std::set<std::string> done_;                // ids that were answered
  std::map<std::string, Request> forgotten_;  // that may be answered once
  std::set<std::string> questions_;           // ids of the device
  std::map<std::string, std::string> words_;  // content of the input response, by token
  std::map<std::string, Task> task_tokens_;   // of progress
  std::set<std::uint32_t> logs_;
  std::vector<std::string> held_;  // answers that go out together
  bool asked_can_;
  bool has_tasks_;
  bool wants_logs_;  // of its calls, without a session

  // The batch that is being put together.
  std::uint64_t batches_ = 0;
  bool collecting_ = false;
  bool wide_ = false;
  std::set<std::uint64_t> wide_batches_;
  std::vector<std::string> messages_;
  std::vector<std::string> message_ids_;
};

}  // namespace sim
