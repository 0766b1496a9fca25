// SPDX-License-Identifier: Apache-2.0
// Four threads post to a server at the same time, while the main thread serves it. ThreadSanitizer checks each access
// to memory. The posts also order accesses of the application: a thread writes a plain variable before its post, and
// the server's thread reads it after the post has arrived. First each kind of post is alone, because one kind could
// hide a missing order of another kind. Before that, each pair of functions of a SharedWord must order a plain
// variable.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "mcp/mailbox.hpp"
#include "mcp/server.hpp"

extern "C" void mcp_assert_failed(const char* file, int line) {
  static_cast<void>(std::fprintf(stderr, "%s:%d: a contract of the API was broken\n", file, line));
  std::abort();
}

namespace {

constexpr std::uint32_t threads = 4;
constexpr std::uint32_t rounds_alone = 100;  // of each kind
constexpr std::uint32_t rounds = 600;        // with the first ones
constexpr std::uint32_t messages = 4;  // of each thread in each round; together more than the Mailbox has space for
constexpr mcp::Millis long_sleep = 1'000'000;

void require(bool holds, const char* what) {
  if (holds) return;
  static_cast<void>(std::fprintf(stderr, "not true: %s\n", what));
  std::abort();
}

// ---- A word --------------------------------------------------------------------------------------------------------

std::mutex interrupts;

}  // namespace

// Of the words on a processor without compare-and-swap.
extern "C" std::uint32_t mcp_lock() {
  interrupts.lock();
  return 0;
}
extern "C" void mcp_unlock(std::uint32_t) { interrupts.unlock(); }

namespace {

// A thread writes `plain` and changes the word to 3. This thread reads `plain` when it has found 3.
template <class Word>
void check_word() {
  struct Change {
    std::uint32_t from;
    void (*change)(Word&);
  };
  static constexpr Change changes[] = {
      {0, [](Word& word) { word.store(3); }}, {2, [](Word& word) { word.add(1); }},
      {2, [](Word& word) { word.set(1); }},   {0, [](Word& word) { word.exchange(3); }},
      {7, [](Word& word) { word.clear(4); }}, {2, [](Word& word) { word.replace(2, 3); }},
  };
  using Find = std::uint32_t (*)(Word&, std::uint32_t from);
  static constexpr Find finds[] = {
      [](Word& word, std::uint32_t) { return word.load(); },
      [](Word& word, std::uint32_t) { return word.add(0); },
      [](Word& word, std::uint32_t) { return word.set(0); },
      [](Word& word, std::uint32_t from) { return word.exchange(from); },
      [](Word& word, std::uint32_t) { return word.clear(0); },
      [](Word& word, std::uint32_t) { return word.replace(3, 3); },
      [](Word& word, std::uint32_t) { return word.replace(9, 9); },
  };
  for (const Change& change : changes) {
    for (const Find find : finds) {
      Word word;
      word.store(change.from);
      std::uint32_t plain = 0;
      std::thread other([&] {
        plain = 1;
        change.change(word);
      });
      while (find(word, change.from) != 3) std::this_thread::yield();
      require(plain == 1, "a word orders accesses");
      other.join();
    }
  }
}

// ---- Posts ---------------------------------------------------------------------------------------------------------

// A thread writes, and waits until the server's thread has read what it wrote. `value` is not atomic.
struct Handoff {
  std::uint32_t value = 0;
  std::atomic<std::uint32_t> taken = 0;
  void take() {
    taken.store(value);
    taken.notify_one();
  }
  void wait(std::uint32_t round) {
    for (std::uint32_t now = taken.load(); now != round; now = taken.load()) taken.wait(now);
  }
};
Handoff readings[threads];
Handoff results[threads];

// Names of the jobs. That of the last job changes: the job ends after 10 steps and is called again.
std::mutex guard;
mcp::JobHandle handles[threads + 1];
mcp::JobHandle handle_of(std::uint32_t job) {
  const std::lock_guard lock(guard);
  return handles[job];
}

std::uint32_t steps[threads + 1];

struct Arguments {
  std::uint32_t job;
};
struct Wait {
  Arguments arguments;
  std::uint32_t own_steps;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    const std::uint32_t job = arguments.job;
    {
      const std::lock_guard lock(guard);
      handles[job] = context.handle();
    }
    ++steps[job];
    if (job < threads && own_steps != 0) results[job].take();
    if (++own_steps == 10 && job == threads) return context.done(context.result().text("again"));
    return context.sleep(long_sleep);
  }
};
constexpr auto wait_params = mcp::params(mcp::param<&Arguments::job>("job", {.minimum = 0, .maximum = threads}));
constexpr mcp::Tool tools[] = {mcp::job<Wait>({.name = "wait"}, wait_params)};

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {
    {.uri = "x:0", .name = "0", .read = read, .subscribable = true},
    {.uri = "x:1", .name = "1", .read = read, .subscribable = true},
    {.uri = "x:2", .name = "2", .read = read, .subscribable = true},
    {.uri = "x:3", .name = "3", .read = read, .subscribable = true},
    {.uri = "x:all", .name = "of all threads", .read = read, .subscribable = true},
};
constexpr mcp::Definition definition{
    .name = "threads", .version = "1", .tools = tools, .resources = resources, .logging = true};
constexpr mcp::Limits limits{.reserved_for_others = 0, .jobs = threads + 1, .log_size = 4096, .mailbox = true};
constinit mcp::Storage<definition, limits> storage;

// Relaxed, so that the Mailbox alone orders the accesses.
std::atomic<std::uint32_t> posts = 0;
void wake_server() {
  posts.fetch_add(1, std::memory_order_relaxed);
  posts.notify_one();
}
constinit const mcp::Mailbox mailbox{storage, wake_server};
constinit const mcp::Server server{storage, {.mailbox = &mailbox}};

std::atomic<std::uint32_t> finished = 0;
// Relaxed, as `posts` is. Until all threads have posted each kind alone, the server does not sleep, because its sleep
// orders accesses, too.
std::atomic<std::uint32_t> finished_alone = 0;
std::atomic<std::uint32_t> arrived[threads];  // messages

bool log(std::uint32_t thread, std::uint32_t number) {
  return mailbox.log(mcp::LogLevel::info, std::to_string(thread), std::to_string(number));
}

void post_alone(std::uint32_t thread) {
  std::uint32_t accepted = 0;
  for (std::uint32_t round = 1; round <= rounds_alone; ++round) {
    if (log(thread, round)) ++accepted;
    while (arrived[thread].load(std::memory_order_relaxed) != accepted) std::this_thread::yield();
  }
  for (std::uint32_t round = 1; round <= rounds_alone; ++round) {
    readings[thread].value = round;
    mailbox.resource_updated(resources[thread]);
    readings[thread].wait(round);
  }
  const mcp::JobHandle own = handle_of(thread);
  for (std::uint32_t round = 1; round <= rounds_alone; ++round) {
    results[thread].value = round;
    require(own.wake(), "the job runs");
    results[thread].wait(round);
  }
  finished_alone.fetch_add(1, std::memory_order_relaxed);
}

void post(std::uint32_t thread) {
  post_alone(thread);
  for (std::uint32_t round = rounds_alone + 1; round <= rounds; ++round) {
    // Before the accesses that the Mailbox orders, because the lock orders, too.
    const mcp::JobHandle own = handle_of(thread);
    const mcp::JobHandle common = handle_of(threads);
    for (std::uint32_t i = 0; i != messages; ++i) static_cast<void>(log(thread, round * messages + i));
    readings[thread].value = round;
    mailbox.resource_updated(resources[thread]);
    mailbox.resource_updated(resources[threads]);
    common.wake();
    results[thread].value = round;
    require(own.wake(), "the job runs");
    readings[thread].wait(round);
    results[thread].wait(round);
  }
  finished.fetch_add(1);
  wake_server();
}

// The client: it counts what the server sends.
class Client {
 public:
  Client() : session_(server.open(0)) {
    ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"c","version":"1"}}})");
    ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    ask(R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}})");
    for (const mcp::Resource& resource : resources) {
      ask(R"({"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":")" + std::string(resource.uri) +
          "\"}}");
    }
    for (std::uint32_t job = 0; job <= threads; ++job) call(job);
    serve();
  }

  // All that the server has to send now.
  void serve() {
    static_cast<void>(server.poll(0));
    for (;;) {
      const mcp::Reply reply = server.transmit(session_, server.transmit_buffer(), 0);
      if (reply.status != mcp::Reply::Status::message) return;
      take(std::string_view(server.transmit_buffer().data(), reply.size));
    }
  }

  void check() const {
    for (std::uint32_t thread = 0; thread != threads; ++thread) {
      // A wake of another job, or of a stale handle, would be a step more.
      require(steps[thread] == rounds + 1, "each wake is one step of its job");
    }
    require(updates_of_all_ != 0, "updates of all threads arrive");
    constexpr std::uint32_t posted = rounds_alone + (rounds - rounds_alone) * messages;
    require(messages_ + lost_ == threads * posted, "each message arrives or counts as lost");
    require(server.health().mailbox_logs_lost == lost_, "Health has the lost messages");
    static_cast<void>(std::printf("%u messages, %u lost, %u updates of all threads, %u steps of the common job\n",
                                  messages_, lost_, updates_of_all_, steps[threads]));
  }

 private:
  void ask(std::string_view text) {
    std::string message(text);
    static_cast<void>(server.receive(session_, message, server.transmit_buffer(), 0));
  }
  void call(std::uint32_t job) {
    ask(R"({"jsonrpc":"2.0","id":)" + std::to_string(100 + job) +
        R"(,"method":"tools/call","params":{"name":"wait","arguments":{"job":)" + std::to_string(job) + "}}}");
  }

  static std::string_view after(std::string_view message, std::string_view key) {
    const std::size_t at = message.find(key);
    return at == std::string_view::npos ? std::string_view() : message.substr(at + key.size());
  }
  static std::uint32_t number(std::string_view text) {
    return static_cast<std::uint32_t>(std::strtoul(std::string(text).c_str(), nullptr, 10));
  }

  void take(std::string_view message) {
    if (message.find("\"result\"") != std::string_view::npos) return call(threads);
    if (const std::string_view uri = after(message, R"("uri":"x:)"); !uri.empty()) {
      if (uri.starts_with("all")) {
        ++updates_of_all_;
      } else {
        readings[number(uri)].take();
      }
      return;
    }
    const std::string_view logger = after(message, R"("logger":")");
    const std::uint32_t value = number(after(message, R"("data":")"));
    if (logger.starts_with("mailbox")) {
      lost_ += value;
      return;
    }
    require(!logger.empty() && !logger.starts_with("log"), "the ring of the server loses no message");
    std::uint32_t& last = last_[number(logger)];
    require(value > last, "messages of a thread arrive in their order");
    last = value;
    ++messages_;
    arrived[number(logger)].fetch_add(1, std::memory_order_relaxed);
  }

  mcp::SessionId session_;
  std::uint32_t messages_ = 0;
  std::uint32_t lost_ = 0;
  std::uint32_t updates_of_all_ = 0;
  std::uint32_t last_[threads] = {};
};

}  // namespace

int main() {
  check_word<mcp::detail::SharedWord<true>>();
  check_word<mcp::detail::SharedWord<false>>();
  Client client;
  std::vector<std::thread> all;
  for (std::uint32_t thread = 0; thread != threads; ++thread) all.emplace_back(post, thread);
  for (bool more = true; more;) {
    const std::uint32_t seen = posts.load(std::memory_order_relaxed);
    more = finished.load() != threads;
    client.serve();
    if (more && finished_alone.load(std::memory_order_relaxed) == threads) posts.wait(seen, std::memory_order_relaxed);
  }
  for (std::thread& thread : all) thread.join();
  client.serve();
  client.check();
}
