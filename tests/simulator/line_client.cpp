#include "simulator/line_client.hpp"

#include <utility>

namespace sim {

LineClient::LineClient(World& world, std::shared_ptr<Wire> wire, int number, Revision revision)
    : Client(world, number, revision), wire_(std::move(wire)) {
  wire_->on_receive = [this](std::string_view bytes, bool) { receive(bytes); };
}

void LineClient::post(const std::string& message, const std::vector<std::string>&) {
  const char* const end = world_.random.one_in(4) ? "\r\n" : "\n";
  wire_->send(message + end);
  if (world_.in_thousand(world_.faults.stall)) wire_->stall(world_.random.below(20'000));
}

void LineClient::cancel(const std::string& id) {
  post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id +
           (is_stateless() ? R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})" : "") + "}}",
       {});
}

// Of a line that is cut, since its body failed, the error follows under the same id.
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
      ++world_.counts["sessions lost"];
      lose_session();
    }
  }
}

// A clock that jumps may end a session (Definition::keep_alive), of which the next request is told.
bool LineClient::tells_of_the_end(std::string_view line) const {
  return world_.jumped_at() != 0 && line.find("Not initialized: send initialize first.") != line.npos;
}

void LineClient::rest() {
  Client::rest();
  if (is_stateless() || world_.jumped_at() == 0) return;
  // After the ping of the device has waited for as long as it may.
  world_.in(40'000, [this] {
    if (!gone_ && ready_) probe();
  });
}

void LineClient::leave() {
  gone_ = true;
  if (world_.random.one_in(2)) return wire_->reset();
  wire_->leave();
}

}  // namespace sim
