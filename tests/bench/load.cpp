// SPDX-License-Identifier: Apache-2.0
// Starts a server, asks it until REQUESTS were answered, checks every answer, ends it, and prints one line of what it
// cost:
//   start_us     from before the server is started to the first byte of its answer to initialize
//   answer_size  bytes of one answer, with its head or the end of its line
//   rate         requests in a second
//   cpu_ns       time of the server's process in one request, user and system
//   rss_kb       the most memory that it had
// With a number of CONNECTIONS the server is one over HTTP that prints the port it listens on; each connection is kept
// alive and has one request in flight. With stdio it is one over stdin and stdout, where so many requests are
// IN_FLIGHT. The server and this process have a processor each if there are two.
//
// usage: bench_load CONNECTIONS REQUESTS SERVER ARGUMENT...
//        bench_load stdio IN_FLIGHT REQUESTS SERVER ARGUMENT...
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "requests.hpp"

namespace {

// A server that hangs makes this fail, and takes it along.
constexpr unsigned time_limit_s = 120;

pid_t server = 0;

[[noreturn]] void fail(const std::string& what) {
  static_cast<void>(std::fprintf(stderr, "bench_load: %s\n", what.c_str()));
  if (server > 0) {
    static_cast<void>(kill(server, SIGKILL));
    static_cast<void>(waitpid(server, nullptr, 0));
  }
  std::exit(1);
}

void out_of_time(int) {
  if (server > 0) static_cast<void>(kill(server, SIGKILL));
  _exit(1);
}

std::uint64_t nanoseconds(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) fail("clock_gettime");
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

void run_on(unsigned processor) {
  cpu_set_t both;
  if (sched_getaffinity(0, sizeof both, &both) != 0 || CPU_COUNT(&both) < 2) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  for (unsigned i = 0, seen = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &both)) continue;
    if (seen++ == processor) CPU_SET(i, &one);
  }
  static_cast<void>(sched_setaffinity(0, sizeof one, &one));
}

// Starts the server with `theirs` as its descriptors of these numbers.
void spawn(char** command, std::initializer_list<std::pair<int, int>> theirs) {
  server = fork();
  if (server < 0) fail("fork");
  if (server == 0) {
    static_cast<void>(prctl(PR_SET_PDEATHSIG, SIGKILL));
    run_on(0);
    for (const auto& [fd, number] : theirs) static_cast<void>(dup2(fd, number));
    execv(command[0], command);
    _exit(127);
  }
  for (const auto& [fd, number] : theirs) static_cast<void>(close(fd));
}

// Ends with an exec, or with this process.
void open_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
}

// Returns the port that the server prints.
std::uint16_t start(char** command) {
  int said[2];
  open_pipe(said);
  spawn(command, {{said[1], 2}});
  std::string line;
  for (char c = 0; c != '\n'; line += c) {
    if (read(said[0], &c, 1) != 1) fail("the server has not started: " + line);
  }
  constexpr std::string_view before = "127.0.0.1:";
  const std::size_t at = line.find(before);
  if (at == std::string::npos) fail("the server names no port: " + line);
  return static_cast<std::uint16_t>(std::strtoul(line.c_str() + at + before.size(), nullptr, 10));
}

constexpr std::string_view first_id = "1000000";

void set_id(std::string& text, std::size_t at, unsigned long number) {
  for (std::size_t i = first_id.size(); i-- != 1; number /= 10) text[at + i] = static_cast<char>('0' + number % 10);
}

class Client {
 public:
  explicit Client(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("connect");
    const int on = 1;
    static_cast<void>(setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  }
  ~Client() { static_cast<void>(close(fd_)); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

  void begin_session() {
    send_post(bench::initialize);
    first_byte_ns = receive_first();
    const std::string head = receive();
    const char* const at = strcasestr(head.c_str(), std::string(bench::session_header).c_str());
    if (at == nullptr) fail("no session: " + head);
    const std::size_t begin = static_cast<std::size_t>(at - head.c_str()) + bench::session_header.size();
    session_ = head.substr(begin, head.find('\r', begin) - begin);
    send_post(bench::initialized);
    receive();
  }

  /// Stores the first response. All others must be equal except for the id.
  void learn(std::string_view json) {
    send_post(json);
    id_in_request_ = request_.find(first_id);
    expected_ = receive();
    id_in_answer_ = expected_.find(first_id);
    answer_.resize(expected_.size() + 1);
  }
  [[nodiscard]] std::size_t answer_size() const { return expected_.size(); }

  void ask(unsigned long number) {
    set_id(request_, id_in_request_, number);
    if (id_in_answer_ != std::string::npos) set_id(expected_, id_in_answer_, number);
    got_ = 0;
    send_all();
  }

  /// Reads input. Returns true if the response is complete.
  bool take() {
    const ssize_t size = recv(fd_, answer_.data() + got_, answer_.size() - got_, 0);
    if (size <= 0) fail("the server has closed a connection");
    got_ += static_cast<std::size_t>(size);
    if (got_ < expected_.size()) return false;
    if (answer_.compare(0, got_, expected_) != 0) fail("another answer: " + answer_);
    return true;
  }

  std::uint64_t first_byte_ns = 0;

 private:
  void send_post(std::string_view json) {
    request_ = bench::request_lines;
    if (!session_.empty()) request_.append(bench::version_line).append(bench::session_line).append(session_ + "\r\n");
    request_.append(bench::length_line).append(std::to_string(json.size())).append("\r\n\r\n").append(json);
    send_all();
  }

  void send_all() {
    if (send(fd_, request_.data(), request_.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request_.size())) {
      fail("send");
    }
  }

  [[nodiscard]] std::uint64_t receive_first() const {
    char first = 0;
    if (recv(fd_, &first, 1, MSG_PEEK) != 1) fail("no answer");
    return nanoseconds(CLOCK_MONOTONIC);
  }

  // Accepts a head in lower case and a body in chunks, as Node.js sends them.
  std::string receive() {
    constexpr std::string_view before_length = "\r\ncontent-length: ";
    constexpr std::string_view last_chunk = "0\r\n\r\n";
    std::string text;
    for (;;) {
      char part[4096];
      const ssize_t size = recv(fd_, part, sizeof part, 0);
      if (size <= 0) fail("the server has closed a connection behind: " + text);
      text.append(part, static_cast<std::size_t>(size));
      const std::size_t end = text.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      if (strcasestr(text.c_str(), "\r\ntransfer-encoding: chunked\r\n") != nullptr) {
        if (text.ends_with(last_chunk)) return text;
        continue;
      }
      const char* const at = strcasestr(text.c_str(), before_length.data());
      if (at == nullptr && text.starts_with("HTTP/1.1 202")) return text;
      if (at == nullptr) fail("no length: " + text);
      const unsigned long body = std::strtoul(at + before_length.size(), nullptr, 10);
      if (text.size() == end + 4 + body) return text;
    }
  }

  int fd_;
  std::string session_;
  std::string request_;
  std::string expected_;
  std::string answer_;
  std::size_t id_in_request_ = 0;
  std::size_t id_in_answer_ = 0;
  std::size_t got_ = 0;
};

void ask_all(std::vector<Client*>& clients, unsigned long requests) {
  const int events = epoll_create1(0);
  if (events < 0) fail("epoll");
  unsigned long asked = 0;
  for (Client* const client : clients) {
    epoll_event event{EPOLLIN, {.ptr = client}};
    if (epoll_ctl(events, EPOLL_CTL_ADD, client->fd(), &event) != 0) fail("epoll");
    client->ask(++asked);
  }
  for (unsigned long answered = 0; answered != asked;) {
    epoll_event ready[16];
    const int count = epoll_wait(events, ready, 16, 0);  // never sleeps: waking would be the server's cost
    for (int i = 0; i < count; ++i) {
      auto* const client = static_cast<Client*>(ready[i].data.ptr);
      if (!client->take()) continue;
      ++answered;
      if (asked < requests) client->ask(++asked);
    }
  }
  static_cast<void>(close(events));
}

unsigned long most_memory_kb() {
  std::ifstream status("/proc/" + std::to_string(server) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoul(line.c_str() + 6, nullptr, 10);
  }
  fail("no VmHWM");
}

// The client of a server over stdio.
class StdioClient {
 public:
  explicit StdioClient(char** command) {
    int to[2];
    int from[2];
    open_pipe(to);
    open_pipe(from);
    spawn(command, {{to[0], 0}, {from[1], 1}});
    to_ = to[1];
    from_ = from[0];
  }

  void begin_session() {
    const std::string request = std::string(bench::initialize) + '\n';
    send(request);
    const std::string answer = receive();
    // An echo has no sessions, and would answer to a notification.
    if (answer != request) send(std::string(bench::initialized) + '\n');
    request_ = std::string(bench::call_everything) + '\n';
    send(request_);
    expected_ = receive();
    id_in_request_ = request_.find(first_id);
    id_in_answer_ = expected_.find(first_id);
    // From now on it never sleeps: waking would be the server's cost.
    if (fcntl(from_, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
  }
  [[nodiscard]] std::size_t answer_size() const { return expected_.size(); }

  void ask_all(unsigned long in_flight, unsigned long requests) {
    unsigned long asked = 0;
    ask(asked, std::min(in_flight, requests));
    for (unsigned long answered = 0; answered != requests;) {
      const unsigned long now = take(answered);
      answered += now;
      if (now != 0) ask(asked, std::min(now, requests - asked));
    }
  }

  std::uint64_t first_byte_ns = 0;

 private:
  void send(const std::string& text) {
    if (write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail("write");
  }

  std::string receive() {
    std::string line;
    for (char c = 0; c != '\n'; line += c) {
      if (read(from_, &c, 1) != 1) fail("the server has ended behind: " + line);
      if (first_byte_ns == 0) first_byte_ns = nanoseconds(CLOCK_MONOTONIC);
    }
    return line;
  }

  void ask(unsigned long& asked, unsigned long count) {
    std::string lines;
    for (; count != 0; --count) {
      set_id(request_, id_in_request_, ++asked);
      lines += request_;
    }
    send(lines);
  }

  // Reads input, and returns the number of complete responses.
  unsigned long take(unsigned long answered) {
    char part[16'384];
    const ssize_t size = read(from_, part, sizeof part);
    if (size == 0 || (size < 0 && errno != EAGAIN)) fail("the server has ended");
    if (size < 0) return 0;
    begun_.append(part, static_cast<std::size_t>(size));
    unsigned long count = 0;
    std::size_t at = 0;
    for (; begun_.size() - at >= expected_.size(); at += expected_.size()) {
      set_id(expected_, id_in_answer_, answered + ++count);
      if (begun_.compare(at, expected_.size(), expected_) != 0) fail("another answer: " + begun_);
    }
    begun_.erase(0, at);
    return count;
  }

  int to_;
  int from_;
  std::string request_;
  std::string expected_;
  std::string begun_;
  std::size_t id_in_request_ = 0;
  std::size_t id_in_answer_ = 0;
};

// Resources that the server has used between its start and its end.
class Cost {
 public:
  void begin() {
    if (clock_getcpuclockid(server, &clock_) != 0) fail("clock_getcpuclockid");
    cpu_ns_ = nanoseconds(clock_);
    began_ns_ = nanoseconds(CLOCK_MONOTONIC);
  }
  void end() {
    took_ns_ = nanoseconds(CLOCK_MONOTONIC) - began_ns_;
    cpu_ns_ = nanoseconds(clock_) - cpu_ns_;
  }
  void print(std::uint64_t start_ns, std::size_t answer_size, unsigned long requests) const {
    const auto count = static_cast<double>(requests);
    static_cast<void>(std::printf("start_us %.0f answer_size %zu rate %.0f cpu_ns %.0f rss_kb %lu\n",
                                  static_cast<double>(start_ns) / 1000, answer_size,
                                  count * 1e9 / static_cast<double>(took_ns_), static_cast<double>(cpu_ns_) / count,
                                  most_memory_kb()));
  }

 private:
  clockid_t clock_{};
  std::uint64_t cpu_ns_ = 0;
  std::uint64_t began_ns_ = 0;
  std::uint64_t took_ns_ = 0;
};

void load_http(unsigned long connections, unsigned long requests, char** command) {
  const std::uint64_t started_ns = nanoseconds(CLOCK_MONOTONIC);
  const std::uint16_t port = start(command);
  run_on(1);
  std::vector<Client*> clients;
  for (unsigned long i = 0; i < connections; ++i) clients.push_back(new Client(port));
  for (Client* const client : clients) client->begin_session();
  for (Client* const client : clients) client->learn(bench::call_everything);
  ask_all(clients, requests / 10);  // until all is warm
  Cost cost;
  cost.begin();
  ask_all(clients, requests);
  cost.end();
  cost.print(clients.front()->first_byte_ns - started_ns, clients.front()->answer_size(), requests);
  for (Client* const client : clients) delete client;
}

void load_stdio(unsigned long in_flight, unsigned long requests, char** command) {
  const std::uint64_t started_ns = nanoseconds(CLOCK_MONOTONIC);
  StdioClient client(command);
  run_on(1);
  client.begin_session();
  client.ask_all(in_flight, requests / 10);
  Cost cost;
  cost.begin();
  client.ask_all(in_flight, requests);
  cost.end();
  cost.print(client.first_byte_ns - started_ns, client.answer_size(), requests);
}

}  // namespace

int main(int argc, char** argv) {
  const bool stdio = argc > 1 && std::string_view(argv[1]) == "stdio";
  char** const arguments = argv + (stdio ? 2 : 1);
  if (argv + argc < arguments + 3) {
    static_cast<void>(
        std::fprintf(stderr, "usage: %s CONNECTIONS | stdio IN_FLIGHT REQUESTS SERVER ARGUMENT...\n", argv[0]));
    return 2;
  }
  const unsigned long at_once = std::strtoul(arguments[0], nullptr, 10);
  const unsigned long requests = std::strtoul(arguments[1], nullptr, 10);
  static_cast<void>(std::signal(SIGALRM, out_of_time));
  alarm(time_limit_s);
  (stdio ? load_stdio : load_http)(at_once, requests, arguments + 2);
  static_cast<void>(kill(server, SIGTERM));
  static_cast<void>(waitpid(server, nullptr, 0));
  return 0;
}
