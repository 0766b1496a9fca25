// SPDX-License-Identifier: Apache-2.0
// A client that writes its own HTTP, request by request: for those that do what no ordinary client does.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "simulator/fake_authorization.hpp"
#include "simulator/simulation.hpp"
#include "simulator/site.hpp"
#include "support/http_client.hpp"

namespace sim {

/// The identity of a client for the device.
struct Identity {
  int number = 0;  // in the names of its calls
  std::uint64_t principal = 0;
  std::uint64_t host = 0;
  std::string token;  // a header, or empty
};

class RawClient : public Visitor {
 public:
  RawClient(Simulation& simulation, FakeListener& listener, Identity who)
      : simulation_(simulation), listener_(listener), who_(std::move(who)) {}
  ~RawClient() override;

  void leave() override;

 protected:
  /// One connection. Received bytes go to the waiting requests, in their order.
  struct Line {
    std::shared_ptr<FakeConnection> wire;
    test::FakeConnection inbox;
    test::HttpClient reader{inbox};
    std::deque<std::function<void(const test::HttpResponse&)>> takers;
    std::function<void(const test::HttpEvent&)> on_event;
    std::function<void()> on_end;
    bool streams = false;
    bool over = false;
  };
  using LinePtr = std::shared_ptr<Line>;
  using Taker = std::function<void(const test::HttpResponse&)>;

  LinePtr connect();
  /// Sends bytes of which one response will come, which `taker` gets. Without a taker: bytes that finish no request.
  void send(const LinePtr& line, const std::string& bytes, Taker taker = {});
  void close(const LinePtr& line);
  /// Calls the function later, unless the client has left.
  void after(Time ms, std::function<void()> what);
  [[noreturn]] void complain(const std::string& what, std::string_view about = {}) const;
  std::string fresh_token() { return "c" + std::to_string(who_.number) + "-" + std::to_string(++tokens_); }
  /// A value that the device gave only to this client.
  void own(Belonging::Kind kind, const std::string& text);

  // Messages. Each request has its own id.
  std::string request_of(std::string_view method, const std::string& params);
  std::string call_of(std::string_view tool, const std::string& arguments, const std::string& more = {});

  // Requests of HTTP, which are complete.
  [[nodiscard]] std::string head(std::string_view method, std::string_view target, const std::string& fields) const;
  [[nodiscard]] std::string post(const std::string& fields, const std::string& json,
                                 std::string_view target = "/mcp") const;
  [[nodiscard]] std::string session_post(const std::string& session, const std::string& json) const;
  [[nodiscard]] std::string session_get(const std::string& session, const std::string& last_event = {}) const;
  [[nodiscard]] std::string session_delete(const std::string& session) const;
  [[nodiscard]] std::string initialize();
  /// `name`: of the tool or resource; `params` without _meta.
  [[nodiscard]] std::string stateless_post(std::string_view method, std::string_view name, const std::string& params,
                                           const std::string& meta = {});

  Simulation& simulation_;
  FakeListener& listener_;
  Identity who_;
  bool gone_ = false;

 private:
  void receive(const LinePtr& line, std::string_view bytes, bool broken);
  void read(Line& line);
  void look_at(std::string_view text) const;

  std::list<LinePtr> lines_;
  int tokens_ = 0;
  int ids_ = 0;
};

}  // namespace sim
