// SPDX-License-Identifier: Apache-2.0
// A client on a wire: one message per line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/client.hpp"

namespace sim {

class LineClient final : public Client {
 public:
  LineClient(Simulation& simulation, std::shared_ptr<FakeConnection> wire, int number, Revision revision);
  ~LineClient() override { wire_->on_receive = nullptr; }

  void rest() override;
  void leave() override;

 private:
  void post(const std::string& message, const std::vector<std::string>& ids) override;
  void cancel(const std::string& id) override;
  [[nodiscard]] bool listens(Time) const override { return !is_stateless() || is_acknowledged(); }
  [[nodiscard]] bool may_lose() const override { return false; }
  void on_session_lost() override { initialize(); }
  void receive(std::string_view bytes);
  [[nodiscard]] bool tells_of_the_end(std::string_view line) const;

  std::shared_ptr<FakeConnection> wire_;
  std::string received_;
};

}  // namespace sim
