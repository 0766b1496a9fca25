// SPDX-License-Identifier: Apache-2.0
// A client of HTTP+SSE (2024-11-05): one stream for all messages of the device, which is the session, and a path for
// messages of the client.
#pragma once

#include <string>
#include <vector>

#include "simulator/http_client.hpp"

namespace sim {

class SseClient final : public HttpClient {
 public:
  using HttpClient::HttpClient;

  void leave() override;

 private:
  void post(const std::string& message, const std::vector<std::string>& ids) override;
  void cancel(const std::string& id) override;
  void begin() override;
  bool trespass() override;
  void on_session_lost() override;
  [[nodiscard]] bool listens(Time) const override { return !target_.empty(); }
  /// Behind a body on the stream, which takes no byte now.
  [[nodiscard]] bool may_be_late() const override { return !simulation_.flawless; }
  void take_response(Peer& peer, const test::HttpResponse& response) override;
  void take_event(Exchange& exchange, const test::HttpEvent& event) override;
  void miss(const Exchange& exchange, bool in_order) override;

  void begin_again();
  void expect_end();

  std::string target_;         // where to post; empty: there is no stream
  std::uint64_t streams_ = 0;  // number of the newest
};

}  // namespace sim
