// SPDX-License-Identifier: Apache-2.0
// The Mailbox: what other tasks and interrupts post, and what the server does with it. tests/threads posts from
// threads.
#include "mcp/mailbox.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/coroutine.hpp"
#include "mcp/read_job.hpp"
#include "mcp/schedule.hpp"
#include "support/bench.hpp"
#include "support/json.hpp"

namespace {

using mcp::JobHandle;
using mcp::LogLevel;
using mcp::Mailbox;
using mcp::SessionId;
using mcp::detail::LogSlot;
using mcp::detail::SharedWord;
using mcp::detail::WakeSlot;

// ---- A device -------------------------------------------------------------------------------------------------------

JobHandle handle;          // of the last step
JobHandle of_last_step;    // of a job that must end
bool done = false;         // the next step is the last one
bool names_itself = true;  // the job takes its handle
constexpr mcp::Millis long_sleep = 1'000'000;

struct Sleeper {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      of_last_step = context.handle();
      return context.done();
    }
    if (names_itself) handle = context.handle();
    return done ? context.done(context.result().text("woken")) : context.sleep(long_sleep);
  }
};

constexpr mcp::InputSchema form(R"({"type":"object","properties":{}})");

// Requests input, sleeps, and is done.
struct Asker {
  static constexpr bool keeps_slot = true;
  int steps;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    handle = context.handle();
    ++steps;
    if (steps == 1) return context.elicit(form, "Go on?");
    if (steps == 2) return context.sleep(long_sleep);
    return context.done(context.result().text("asked and woken"));
  }
};

constinit mcp::FramePool<1, 1024> frames;
mcp::Coroutine sleeps(mcp::CoroutineContext& context) {
  handle = context.handle();
  co_await context.sleep(long_sleep);
  co_return context.result().text("continued");
}

constexpr auto later = mcp::schedulable();
constexpr mcp::Tool tools[] = {
    mcp::job<Sleeper>({.name = "sleep", .task_support = mcp::TaskSupport::optional}),
    mcp::job<Sleeper>({.name = "sleep_later"}, later),
    mcp::job<Asker, mcp::no_time_limit>({.name = "ask", .task_support = mcp::TaskSupport::optional}),
    mcp::coroutine<sleeps, frames>({.name = "coroutine"}),
};

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
template <std::size_t i>
constexpr char uri[] = {'x', ':', static_cast<char>('a' + i / 10), static_cast<char>('a' + i % 10), '\0'};
template <class>
struct RowsOf;
template <std::size_t... i>
struct RowsOf<std::index_sequence<i...>> {
  static constexpr mcp::Resource rows[] = {{.uri = uri<i>, .name = uri<i>, .read = read, .subscribable = true}...};
};
constexpr std::size_t count = 34;  // more than a word has bits
constexpr auto& rows = RowsOf<std::make_index_sequence<count>>::rows;
// Sleeps in its first step.
struct SleepingRead {
  mcp::FixedString<16> uri;
  bool slept;
  static mcp::Errc begin(const mcp::UriVariables&) { return mcp::Errc::ok; }
  mcp::Step step(mcp::ReadContext& context) {
    if (context.stop_requested()) return context.done();
    handle = context.handle();
    if (!slept) return slept = true, context.sleep(long_sleep);
    return context.done(context.body().text("woken"));
  }
};
constexpr mcp::ResourceTemplate templates[] = {
    mcp::read_job<SleepingRead, mcp::no_time_limit>({.uri_template = "slow:{x}", .name = "slow"})};
constexpr mcp::Definition device{.name = "device",
                                 .version = "1",
                                 .tools = tools,
                                 .resources = rows,
                                 .resource_templates = templates,
                                 .logging = true};

int posts = 0;
void count_post() { ++posts; }

constexpr std::size_t log_size = 16;

/// Three log messages in two pages of memory: the first message is at the end of the first page. A test can so run code
/// at the moment when the server has looked at the first message and looks at the second one.
class SplitSlots {
 public:
  SplitSlots() {
    void* const pages = mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(pages, MAP_FAILED);
    first_ = static_cast<char*>(pages);
    for (std::size_t i = 0; i != count_of; ++i) new (data() + i) LogSlot<>();
  }
  ~SplitSlots() { EXPECT_EQ(munmap(first_, 2 * size), 0); }
  SplitSlots(const SplitSlots&) = delete;
  SplitSlots& operator=(const SplitSlots&) = delete;

  static constexpr std::size_t count_of = 3;
  [[nodiscard]] LogSlot<>* data() const { return reinterpret_cast<LogSlot<>*>(first_ + size) - 1; }
  [[nodiscard]] std::size_t count() const { return count_of; }
  LogSlot<>& operator[](std::size_t i) const { return data()[i]; }

  // Calls `step` once, when the server looks at the second message.
  void interrupt(void (*step)()) {
    step_ = step;
    second_ = first_ + size;
    struct sigaction action {};
    action.sa_handler = [](int) {
      sigaction(SIGSEGV, &before_, nullptr);
      mprotect(second_, size, PROT_READ | PROT_WRITE);
      std::exchange(step_, nullptr)();
    };
    ASSERT_EQ(sigaction(SIGSEGV, &action, &before_), 0);
    ASSERT_EQ(mprotect(second_, size, PROT_NONE), 0);
  }
  [[nodiscard]] static bool has_interrupted() { return step_ == nullptr; }

 private:
  static inline const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  char* first_ = nullptr;
  static inline struct sigaction before_ = {};
  static inline char* second_ = nullptr;
  static inline void (*step_)() = nullptr;
};

// A server with a Mailbox of two jobs and three log messages.
class MailboxTest : public testing::Test {
 protected:
  MailboxTest() : bench(device, with_mailbox({.log = 512, .jobs = 2, .reserved_for_others = 0})) {
    posts = 0;
    done = false;
    names_itself = true;
    handle = of_last_step = {};
    session = open();
  }

  test::Sizes with_mailbox(test::Sizes sizes) {
    sizes.mailbox = &mailbox;
    return sizes;
  }

  SessionId open() {
    const SessionId id = bench.server.open(0);
    bench.ask(
        id,
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})");
    bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return id;
  }
  std::string request(std::string_view method, std::string_view params) {
    return bench.ask(session, R"({"jsonrpc":"2.0","id":)" + std::to_string(++last_id) + R"(,"method":")" +
                                  std::string(method) + R"(","params":)" + std::string(params) + "}");
  }
  void call(std::string_view tool) { request("tools/call", R"({"name":")" + std::string(tool) + "\"}"); }
  void subscribe(std::size_t row) {
    request("resources/subscribe", R"({"uri":")" + std::string(rows[row].uri) + "\"}");
  }
  // True if transmit() has work now.
  bool has_work(mcp::Millis now = 0) { return bench.server.poll(now) == 0; }
  // All texts that the server sends now.
  std::vector<std::string> logged() {
    std::vector<std::string> texts;
    for (std::string message = bench.next(session); !message.empty(); message = bench.next(session)) {
      const auto parsed = test::parse_json(message);
      texts.push_back(parsed->text_at("params.level") + " " + parsed->text_at("params.logger") + ": " +
                      parsed->text_at("params.data"));
    }
    return texts;
  }

  SharedWord<> updates[(count + 31) / 32];
  WakeSlot<> wakes[2];
  SplitSlots logs;
  char bytes[3 * log_size] = {};
  mcp::detail::MailboxState state{};
  test::Bench bench;
  Mailbox mailbox{{.resources = rows,
                   .updates = updates,
                   .wakes = wakes,
                   .logs = {logs.data(), logs.count()},
                   .bytes = bytes,
                   .log_size = log_size,
                   .state = &state,
                   .server = bench.storage().server_request_ids},
                  count_post};
  SessionId session;
  int last_id = 0;
};

// ---- Resources ------------------------------------------------------------------------------------------------------

TEST_F(MailboxTest, UpdatesOfAResourceAreOneNotification) {
  EXPECT_FALSE(has_work());
  for (const std::size_t row : {std::size_t{0}, std::size_t{31}, std::size_t{33}}) subscribe(row);
  mailbox.resource_updated(rows[32]);  // without a subscriber
  for (int i = 0; i != 1000; ++i) mailbox.resource_updated(rows[33]);
  EXPECT_EQ(posts, 1001);
  EXPECT_EQ(bench.next(session), "");  // poll() takes the posts
  EXPECT_TRUE(has_work());
  EXPECT_NE(bench.next(session).find(rows[33].uri), std::string::npos);
  EXPECT_EQ(bench.next(session), "");
  mailbox.resource_updated(rows[0]);
  mailbox.resource_updated(rows[31]);
  EXPECT_TRUE(has_work());
  EXPECT_NE(bench.next(session).find(rows[0].uri), std::string::npos);
  EXPECT_NE(bench.next(session).find(rows[31].uri), std::string::npos);
  EXPECT_FALSE(has_work());
}

using MailboxDeathTest = MailboxTest;

TEST_F(MailboxDeathTest, RejectsAResourceOfAnotherTable) {
  const mcp::Resource other = rows[0];
  EXPECT_DEATH(mailbox.resource_updated(other), "mailbox.cpp");
}

TEST_F(MailboxDeathTest, RejectsTheMailboxOfAnotherServer) {
  const test::Bench other(device, with_mailbox({}));
  EXPECT_DEATH(static_cast<void>(other.server.poll(0)), "mailbox.cpp");
}

TEST_F(MailboxTest, LogWithoutLoggingReturnsFalseAndCountsTheMessage) {
  static constexpr mcp::Definition quiet{.name = "quiet", .version = "1"};
  static constexpr mcp::Limits limits{.mailbox = true, .mailbox_logs = 2};
  static constinit mcp::Storage<quiet, limits> memory;
  static constinit const Mailbox quiet_mailbox{memory};
  static constinit const mcp::Server server{memory, {.mailbox = &quiet_mailbox}};
  EXPECT_FALSE(quiet_mailbox.log(LogLevel::info, "", "x"));
  static_cast<void>(server.poll(0));
  EXPECT_EQ(server.health().mailbox_logs_lost, 1U);
}

// ---- Log messages ---------------------------------------------------------------------------------------------------

TEST_F(MailboxTest, LogsMessagesInTheirOrder) {
  request("logging/setLevel", R"({"level":"debug"})");
  state.next_order.store(0xFFFF'FFFF);  // it wraps
  EXPECT_TRUE(mailbox.log(LogLevel::error, "motor", "hot"));
  EXPECT_TRUE(mailbox.log(LogLevel::debug, "", ""));
  EXPECT_TRUE(has_work());
  EXPECT_EQ(logged(), (std::vector<std::string>{"error motor: hot", "debug : "}));
  EXPECT_FALSE(has_work());
  // Together at most 16 bytes; the name of the logger first.
  EXPECT_TRUE(mailbox.log(LogLevel::info, "0123456789", "0123456789"));
  EXPECT_TRUE(mailbox.log(LogLevel::info, "0123456789abcdefgh", "x"));
  EXPECT_TRUE(has_work());
  EXPECT_EQ(logged(), (std::vector<std::string>{"info 0123456789: 012345", "info 0123456789abcdef: "}));
}

TEST_F(MailboxTest, CutsTheNameOfALoggerTo255Bytes) {
  static char large[512];
  LogSlot<> slot[1];
  const Mailbox wide({.logs = slot, .bytes = large, .log_size = sizeof large, .state = &state}, nullptr);
  EXPECT_TRUE(wide.log(LogLevel::info, std::string(300, 'l'), std::string(300, 't')));
  EXPECT_EQ(slot[0].logger_size, 255U);
  EXPECT_EQ(slot[0].text_size, 512U - 255U);
}

TEST_F(MailboxTest, CountsAndReportsLostMessages) {
  request("logging/setLevel", R"({"level":"debug"})");
  for (int i = 0; i != 3; ++i) EXPECT_TRUE(mailbox.log(LogLevel::info, "", std::to_string(i)));
  EXPECT_FALSE(mailbox.log(LogLevel::info, "", "3"));
  EXPECT_FALSE(mailbox.log(LogLevel::info, "", "4"));
  EXPECT_EQ(posts, 5);
  subscribe(1);
  mailbox.resource_updated(rows[1]);  // the storm of messages costs no other post
  EXPECT_TRUE(has_work());
  EXPECT_EQ(bench.server.health().mailbox_logs_lost, 2U);
  EXPECT_NE(bench.next(session).find("resources/updated"), std::string::npos);
  EXPECT_EQ(logged(),
            (std::vector<std::string>{"info : 0", "info : 1", "info : 2", "warning mailbox: 2 messages were lost."}));
  EXPECT_TRUE(mailbox.log(LogLevel::info, "", "again"));
  EXPECT_TRUE(has_work());
  EXPECT_EQ(logged(), (std::vector<std::string>{"info : again"}));
  // The counter stays at its largest value, for one large number and for a sum.
  for (const std::uint32_t lost : {0xFFFFU - 3, 2U, 0x1'0000U}) {
    state.lost_logs.store(lost);
    EXPECT_TRUE(has_work());
  }
  EXPECT_EQ(bench.server.health().mailbox_logs_lost, 0xFFFFU);
}

TEST_F(MailboxTest, WaitsForNoWriter) {
  request("logging/setLevel", R"({"level":"debug"})");
  logs[0].state.store(LogSlot<>::writing);  // an interrupt came while a task was writing
  EXPECT_TRUE(mailbox.log(LogLevel::info, "", "of the interrupt"));
  EXPECT_TRUE(has_work());
  EXPECT_EQ(logged(), (std::vector<std::string>{"info : of the interrupt"}));
  EXPECT_FALSE(has_work());
  // The order is that of the messages, not that of the slots.
  EXPECT_TRUE(mailbox.log(LogLevel::info, "", "first"));
  logs[0].state.store(LogSlot<>::free);
  EXPECT_TRUE(mailbox.log(LogLevel::info, "", "second"));
  EXPECT_TRUE(has_work());
  EXPECT_EQ(logged(), (std::vector<std::string>{"info : first", "info : second"}));
}

// A task posts twice while the server looks for the oldest message: first into a slot that the server has passed.
TEST_F(MailboxTest, TakesMessagesThatArriveDuringTheSearchInTheirOrder) {
  request("logging/setLevel", R"({"level":"debug"})");
  static const Mailbox* task;
  task = &mailbox;
  logs.interrupt([] {
    EXPECT_TRUE(task->log(LogLevel::info, "", "first"));
    EXPECT_TRUE(task->log(LogLevel::info, "", "second"));
  });
  EXPECT_TRUE(has_work());
  EXPECT_TRUE(SplitSlots::has_interrupted());
  EXPECT_EQ(logged(), (std::vector<std::string>{"info : first", "info : second"}));
}

// ---- Jobs -----------------------------------------------------------------------------------------------------------

TEST_F(MailboxTest, WakesASleepingJob) {
  call("sleep");
  EXPECT_EQ(bench.next(session), "");
  EXPECT_EQ(bench.server.poll(5), long_sleep - 5);
  const JobHandle first = handle;
  EXPECT_TRUE(first.wake());
  EXPECT_TRUE(first.wake());
  EXPECT_EQ(posts, 2);
  EXPECT_TRUE(has_work(5));
  EXPECT_EQ(bench.next(session, 5), "");  // one step, which sleeps again
  EXPECT_EQ(bench.server.poll(5), long_sleep);
  done = true;
  EXPECT_TRUE(handle.wake());  // the same name in each step
  EXPECT_TRUE(has_work(6));
  EXPECT_NE(bench.next(session, 6).find("woken"), std::string::npos);
  EXPECT_FALSE(has_work(6));
}

TEST_F(MailboxTest, WakesTheJobOfATask) {
  request("tools/call", R"({"name":"sleep","task":{}})");
  static_cast<void>(bench.next(session));
  done = true;
  EXPECT_TRUE(handle.wake());
  EXPECT_TRUE(has_work());
  EXPECT_NE(bench.next(session).find("\"completed\""), std::string::npos);
}

TEST_F(MailboxTest, ContinuesACoroutine) {
  call("coroutine");
  EXPECT_EQ(bench.next(session), "");
  EXPECT_TRUE(handle.wake());
  EXPECT_TRUE(has_work());
  EXPECT_NE(bench.next(session).find("continued"), std::string::npos);
}

TEST_F(MailboxTest, WakesTheJobOfARead) {
  request("resources/read", R"({"uri":"slow:a"})");
  EXPECT_EQ(bench.next(session), "");
  EXPECT_EQ(bench.server.poll(5), long_sleep - 5);
  EXPECT_TRUE(handle.wake());
  EXPECT_TRUE(has_work(5));
  EXPECT_NE(bench.next(session, 5).find("woken"), std::string::npos);
}

TEST_F(MailboxTest, CallForLaterHasNoHandle) {
  call("sleep");
  EXPECT_EQ(bench.next(session), "");
  EXPECT_TRUE(handle.wake());
  request("tools/call", R"({"name":"sleep_later","arguments":{"after":0}})");
  static_cast<void>(bench.server.poll(0));
  EXPECT_FALSE(handle.wake());
}

TEST_F(MailboxTest, StaleHandleWakesNoOtherJob) {
  EXPECT_FALSE(JobHandle().wake());
  call("sleep");
  static_cast<void>(bench.next(session));
  const JobHandle stale = handle;
  done = true;
  EXPECT_TRUE(stale.wake());
  EXPECT_TRUE(has_work());
  EXPECT_NE(bench.next(session).find("woken"), std::string::npos);
  // The slot is free: nothing happens.
  EXPECT_TRUE(stale.wake());
  EXPECT_FALSE(has_work());
  // Another job in the slot, without a name and then with one.
  done = names_itself = false;
  call("sleep");
  static_cast<void>(bench.next(session));
  EXPECT_TRUE(stale.wake());
  EXPECT_EQ(bench.server.poll(0), long_sleep);
  names_itself = true;
  EXPECT_EQ(bench.next(session, long_sleep), "");
  EXPECT_FALSE(stale.wake());
  EXPECT_EQ(bench.server.poll(long_sleep), long_sleep);
  EXPECT_TRUE(handle.wake());
  EXPECT_FALSE(stale.wake());  // and takes away no wake of the current one
  EXPECT_TRUE(has_work(long_sleep));
}

// A name of a slot repeats after 32768 jobs. The start of the job tells them apart.
TEST_F(MailboxTest, HandleOfARepeatedSlotWakesNoOtherJob) {
  call("sleep");
  static_cast<void>(bench.next(session));
  const JobHandle stale = handle;
  wakes[0].started_ms = 7;  // as if it had begun at another time
  EXPECT_TRUE(stale.wake());
  EXPECT_EQ(bench.server.poll(0), long_sleep);
  EXPECT_EQ(bench.next(session, long_sleep), "");
  EXPECT_FALSE(stale.wake());
  EXPECT_TRUE(handle.wake());
}

TEST_F(MailboxTest, WakeAfterTheEndOfTheSessionDoesNothing) {
  call("sleep");
  static_cast<void>(bench.next(session));
  bench.server.close(session, 0);
  EXPECT_FALSE(of_last_step.wake());  // the last step has no next one
  EXPECT_TRUE(handle.wake());
  EXPECT_EQ(bench.server.poll(0), mcp::forever);
}

TEST_F(MailboxTest, SerialNumbersWrap) {
  state.last_serial = WakeSlot<>::last_serial - 1;
  for (const std::uint32_t serial : {WakeSlot<>::last_serial, std::uint32_t{1}}) {
    call("sleep");
    done = false;
    static_cast<void>(bench.next(session));
    EXPECT_EQ(state.last_serial, serial);
    done = true;
    EXPECT_TRUE(handle.wake());
    EXPECT_TRUE(has_work());
    EXPECT_NE(bench.next(session).find("woken"), std::string::npos);
  }
}

TEST_F(MailboxTest, WakeDuringAnInputRequestEndsTheNextSleep) {
  call("ask");
  EXPECT_NE(bench.next(session).find("elicitation/create"), std::string::npos);
  const mcp::Millis due = bench.server.poll(0);
  EXPECT_GT(due, 0U);
  EXPECT_TRUE(handle.wake());
  EXPECT_EQ(bench.server.poll(0), due);  // the client keeps its time
  EXPECT_EQ(bench.ask(session, R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":"accept","content":{}}})"), "");
  EXPECT_TRUE(has_work());
  EXPECT_NE(bench.next(session).find("asked and woken"), std::string::npos);
}

constexpr std::string_view stateless =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}TASKS}})";
std::string meta(bool tasks) {
  std::string text(stateless);
  text.replace(text.find("TASKS"), 5, tasks ? R"(,"extensions":{"io.modelcontextprotocol/tasks":{}})" : "");
  return text;
}

TEST_F(MailboxTest, WakeOfAHeldStatelessJobEndsTheNextSleep) {
  EXPECT_EQ(request("tools/call", R"({"name":"ask",)" + meta(false) + "}"), "");
  const auto asked = test::parse_json(bench.next(session));
  ASSERT_TRUE(asked);
  const std::string state_text = asked->text_at("result.requestState");
  EXPECT_TRUE(handle.wake());
  EXPECT_GT(bench.server.poll(0), 0U);
  static_cast<void>(request("tools/call", R"({"name":"ask","requestState":")" + state_text +
                                              R"(","inputResponses":{},)" + meta(false) + "}"));
  EXPECT_TRUE(has_work());
  EXPECT_NE(bench.next(session).find("asked and woken"), std::string::npos);
}

TEST_F(MailboxTest, WakeOfAStatelessTaskThatWaitsForInputEndsTheNextSleep) {
  const std::string begun = request("tools/call", R"({"name":"ask",)" + meta(true) + "}");
  const auto parsed = test::parse_json(begun);
  ASSERT_TRUE(parsed) << begun;
  const std::string task = parsed->text_at("result.taskId");
  static_cast<void>(bench.next(session));  // the step that requests input
  EXPECT_TRUE(handle.wake());
  EXPECT_GT(bench.server.poll(0), 0U) << begun;
  const std::string state_of = request("tasks/get", R"({"taskId":")" + task + "\"," + meta(true) + "}");
  EXPECT_NE(state_of.find("input_required"), std::string::npos) << state_of;
}

TEST_F(MailboxDeathTest, HandleNeedsAMailbox) {
  test::Bench plain(device);
  const SessionId id = plain.server.open(0);
  plain.ask(
      id,
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  plain.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  plain.ask(id, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep"}})");
  EXPECT_DEATH(plain.next(id), "mailbox.cpp");
}

// ---- Words under a lock ---------------------------------------------------------------------------------------------

std::function<void()> interrupt;  // comes before the next lock
int locks = 0;

}  // namespace

extern "C" std::uint32_t mcp_lock() {
  if (const std::function<void()> once = std::exchange(interrupt, nullptr)) once();
  ++locks;
  return 17;
}
extern "C" void mcp_unlock(std::uint32_t state) {
  EXPECT_EQ(state, 17U);
  --locks;
}

namespace {

template <class Word>
void change_word() {
  Word word;
  word.store(6);
  EXPECT_EQ(word.add(2), 6U);
  EXPECT_EQ(word.set(1), 8U);
  EXPECT_EQ(word.clear(8), 9U);
  EXPECT_EQ(word.replace(2, 5), 1U);
  EXPECT_EQ(word.replace(1, 5), 1U);
  EXPECT_EQ(word.exchange(0), 5U);
  EXPECT_EQ(word.load(), 0U);
  EXPECT_EQ(locks, 0);
}

TEST(SharedWordTest, ChangesAlikeWithAndWithoutALock) {
  change_word<SharedWord<true>>();
  change_word<SharedWord<false>>();
}

TEST(WakeSlotTest, WakesWhenAnotherTaskChangesTheWordFirst) {
  WakeSlot<false> slot;
  slot.begin(3);
  interrupt = [&] { EXPECT_TRUE(slot.wake(3)); };
  EXPECT_TRUE(slot.wake(3));
  EXPECT_TRUE(slot.is_woken());
  slot.clear();
  interrupt = [&] { slot.begin(4); };
  EXPECT_FALSE(slot.wake(3));  // the handle became stale meanwhile
  EXPECT_FALSE(slot.is_woken());
  EXPECT_EQ(slot.serial(), 4U);
}

// ---- A Storage ------------------------------------------------------------------------------------------------------

constexpr mcp::Limits limits{.jobs = 2, .tasks = 1, .log_size = 128, .mailbox = true, .mailbox_logs = 2};
constinit mcp::Storage<device, limits> storage;
constinit const Mailbox silent{storage};

TEST(MailboxOfAStorageTest, HasItsMemoryThere) {
  silent.resource_updated(rows[33]);
  EXPECT_TRUE(silent.log(LogLevel::info, "", std::string(100, 'x')));
  EXPECT_TRUE(silent.log(LogLevel::info, "", "x"));
  EXPECT_FALSE(silent.log(LogLevel::info, "", "x"));
}

}  // namespace
