// A client over HTTP: connections that are kept or not, streams that are resumed or not.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "simulator/client.hpp"
#include "support/http_client.hpp"

namespace sim {

class HttpClient final : public Client {
 public:
  HttpClient(World& world, Door& door, int number, Revision revision) : Client(world, number, revision), door_(door) {}
  ~HttpClient() override;

  void leave() override;

 private:
  /// One request of HTTP and what comes back.
  struct Exchange {
    enum class Kind { message, session_stream, resumed, farewell };
    Kind kind = Kind::message;
    std::uint64_t number = 0;      // 0 for the stream of the session
    std::vector<std::string> ids;  // of the requests that it answers
    Time sent = 0;
    std::uint64_t era = 0;
    bool fresh = false;  // the first on its connection
    bool initialize = false;
    bool initialized = false;  // the notification
    bool streams = false;
    bool lossy = false;      // the device says that events were lost
    bool wrecked = false;    // we have broken something
    std::string last_event;  // id of the last one
    std::string retry;
  };
  /// The client's end of a connection.
  struct Peer {
    std::shared_ptr<Wire> wire;
    test::FakeConnection inbox;
    test::HttpClient reader{inbox};
    std::list<Exchange> exchanges;
    Time last_used = 0;
    bool closes = false;  // nothing more may be sent
    bool over = false;
  };

  void post(const std::string& message, const std::string& id) override;
  void cancel(const std::string& id) override;
  void on_ready() override;
  void on_session_lost() override;
  [[nodiscard]] bool listens() const override;
  [[nodiscard]] bool may_lose() const override { return true; }

  Peer& peer_for(const Exchange& exchange);
  void send(Exchange exchange, const std::string& bytes);
  void spoil(Peer& peer);
  void receive(Peer& peer, std::string_view bytes, bool broken);
  void read(Peer& peer);
  bool read_events(Peer& peer);
  void take_head(Peer& peer, const test::HttpResponse& response);
  void end_exchange(Peer& peer, bool in_order);
  void end_peer(Peer& peer);
  void miss(const Exchange& exchange, bool in_order);
  void resume(const Exchange& exchange, Time later);
  void doubt(std::vector<std::string> ids);
  void open_stream();
  [[nodiscard]] bool any_open(const Exchange& exchange) const;
  [[nodiscard]] std::string session_header() const;

  Door& door_;
  std::list<std::unique_ptr<Peer>> peers_;
  std::string session_;
  std::uint64_t next_exchange_ = 0;
  bool streaming_ = false;  // the stream of the session stands
  bool opening_ = false;
};

}  // namespace sim
