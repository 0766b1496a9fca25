// SPDX-License-Identifier: Apache-2.0
// Common parts of clients over HTTP: open connections, requests on them, and network failures. Knows no MCP transport.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "simulator/client.hpp"
#include "simulator/fake_authorization.hpp"
#include "support/http_client.hpp"

namespace sim {

class HttpClient : public Client {
 public:
  /// Of the clients; others have numbers above.
  static constexpr std::uint64_t hosts = 4;

  HttpClient(Simulation& simulation, FakeListener& listener, FakeAuthorization& authorization, int number,
             Revision revision);
  ~HttpClient() override;

  [[nodiscard]] std::uint64_t owner() const override {
    return principal() != 0 || !listener_.knows_hosts() ? principal() : host_;
  }

 protected:
  /// One request of HTTP and what comes back.
  struct Exchange {
    enum class Kind { message, session_stream, resumed, farewell, attempt };
    Kind kind = Kind::message;
    std::uint64_t number = session_stream;
    std::vector<std::string> ids;  // of the requests that it answers
    Time sent = 0;
    std::uint64_t era = 0;
    bool fresh = false;  // the first on its connection
    bool initialize = false;
    bool initialized = false;  // the notification
    bool streams = false;
    bool lossy = false;      // the device reports lost events
    bool wrecked = false;    // we have broken something
    std::string last_event;  // id of the last one
    std::string retry;
    std::string token;    // header that opens the device
    std::string message;  // a message that is not a request; the client repeats it with another token
    /// For an attack: the error in the response.
    std::function<std::string(const test::HttpResponse&)> judge;
  };
  /// The client's end of a connection.
  struct Peer {
    std::shared_ptr<FakeConnection> wire;
    test::FakeConnection inbox;
    test::HttpClient reader{inbox};
    std::list<Exchange> exchanges;
    Time last_used = 0;
    bool closes = false;  // nothing more may be sent
    bool over = false;
  };

  /// Handles the head of a response, and its body unless it streams. take_head() has made the common checks.
  virtual void take_response(Peer& peer, const test::HttpResponse& response) = 0;
  virtual void take_event(Exchange& exchange, const test::HttpEvent& event) = 0;
  /// What becomes of an exchange that has ended, in order or not.
  virtual void miss(const Exchange& exchange, bool in_order) = 0;

  /// The device may reject a request that arrived in time, because it had to wait.
  [[nodiscard]] virtual bool may_be_late() const { return false; }
  [[nodiscard]] bool may_lose() const override { return true; }

  /// The request line and what every request has.
  [[nodiscard]] std::string head(std::string_view method, std::string_view target) const;
  /// Writes a body and its length, sometimes in chunks.
  std::string body(const std::string& message);
  /// Sends a request. An attack has its own token, or none.
  void send(Exchange exchange, const std::string& bytes);
  /// Until the device confirms it, the client sends `initialized` again. Returns true if `exchange` contains it.
  bool says_initialized_again(const Exchange& exchange, bool in_order);
  /// A forbidden request. It must get this status.
  void attempt(const std::string& request, const std::string& message, int status, const std::string& error = {});
  /// A request without a token, or with one that opens nothing.
  bool try_token(const std::string& request, const std::string& message);

  void end_exchange(Peer& peer, bool in_order);
  void end_peer(Peer& peer);
  [[nodiscard]] bool any_open(const Exchange& exchange) const;

  FakeListener& listener_;
  FakeAuthorization& authorization_;
  std::uint64_t host_;
  std::list<std::unique_ptr<Peer>> peers_;
  std::uint64_t next_exchange_ = 0;
  std::string token_;

 private:
  Peer& peer_for(const Exchange& exchange);
  void spoil(Peer& peer);
  void receive(Peer& peer, std::string_view bytes, bool broken);
  void read(Peer& peer);
  bool read_events(Peer& peer);
  void take_head(Peer& peer, const test::HttpResponse& response);
};

}  // namespace sim
