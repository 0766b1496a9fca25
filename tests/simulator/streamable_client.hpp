// SPDX-License-Identifier: Apache-2.0
// A client of streamable HTTP: streams of requests and of the session, that are resumed or not; requests without a
// session.
#pragma once

#include <string>
#include <vector>

#include "simulator/http_client.hpp"

namespace sim {

class StreamableClient final : public HttpClient {
 public:
  using HttpClient::HttpClient;

  void leave() override;

 private:
  void post(const std::string& message, const std::vector<std::string>& ids) override;
  void cancel(const std::string& id) override;
  bool trespass() override;
  void on_ready() override;
  void on_session_lost() override;
  [[nodiscard]] bool listens(Time patience) const override;
  [[nodiscard]] bool mixes() const override { return false; }
  void take_response(Peer& peer, const test::HttpResponse& response) override;
  void take_event(Exchange& exchange, const test::HttpEvent& event) override;
  void miss(const Exchange& exchange, bool in_order) override;

  void resume(const Exchange& exchange, Time later);
  void doubt(std::vector<std::string> ids);
  void open_stream();
  [[nodiscard]] std::string session_header() const;
  [[nodiscard]] std::string message_head() const;
  [[nodiscard]] std::string stateless_headers(std::string_view method, std::string_view name) const;

  std::string session_;
  bool streaming_ = false;  // the stream of the session is open
  Time ended_at_ = 0;       // when it last did not any more
  bool opening_ = false;
};

}  // namespace sim
