// SPDX-License-Identifier: Apache-2.0
#include "simulator/line_client.hpp"

#include <utility>

namespace sim {

LineClient::LineClient(Simulation& simulation, std::shared_ptr<FakeConnection> wire, int number, Revision revision)
    : Client(simulation, number, revision), wire_(std::move(wire)) {
  wire_->on_receive = [this](std::string_view bytes, bool) { receive(bytes); };
}

void LineClient::post(const std::string& message, const std::vector<std::string>&) {
  const char* const end = simulation_.random.one_in(4) ? "\r\n" : "\n";
  wire_->send(message + end);
  if (simulation_.in_thousand(simulation_.faults.stall)) wire_->stall(simulation_.random.below(20'000));
}

void LineClient::cancel(const std::string& id) {
  post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id +
           (is_stateless() ? R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})" : "") + "}}",
       {});
}

// After a line that breaks off because its body failed, the error follows under its id.
void LineClient::receive(std::string_view bytes) {
  received_ += bytes;
  for (std::size_t end = received_.find('\n'); end != std::string::npos; end = received_.find('\n')) {
    const std::string line = received_.substr(0, end);
    received_.erase(0, end + 1);
    const bool is_cut = !test::parse_json(line) && line.find("sim://large") != std::string::npos;
    if (gone_ || is_cut) continue;
    if (!tells_of_the_end(line)) {
      take(line, session_stream);
    } else if (ready_) {
      ++simulation_.counts["sessions lost"];
      lose_session();
    }
  }
}

// A clock jump may end a session (Definition::keep_alive). Its next request or batch gets an error.
bool LineClient::tells_of_the_end(std::string_view line) const {
  return simulation_.jumped_at() != 0 && (line.find("Not initialized: send initialize first.") != line.npos ||
                                          line.find("Invalid request: send one object, not an array.") != line.npos);
}

void LineClient::rest() {
  Client::rest();
  if (is_stateless() || simulation_.jumped_at() == 0) return;
  // After the ping of the device has waited for as long as it may.
  simulation_.in(40'000, [this] {
    if (!gone_ && ready_) probe();
  });
}

void LineClient::leave() {
  gone_ = true;
  if (simulation_.random.one_in(2)) return wire_->reset();
  wire_->leave();
}

}  // namespace sim
