// A server with memory of sizes chosen at run time, each part a heap block of its own, so that AddressSanitizer sees
// every byte that is read or written beside it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/server.hpp"

namespace test {

struct Sizes {
  std::size_t message = 4096;
  std::size_t window = 8192;
  std::size_t sessions = 1;
  std::size_t id = 40;
};

class Bench {
 public:
  /// As many resources as `definition` has rows, and not one more.
  explicit Bench(const mcp::Definition& definition, const Sizes& sizes = {})
      : sizes_(sizes),
        resources_(definition.resources.rows().size()),
        words_(mcp::memory::BitSet::words_for(std::max<std::size_t>(resources_, 1))),
        server(definition, view()) {
    std::fill_n(message_.get(), sizes.message + 2, '\xAA');  // nothing may rely on what the buffers start with
    std::fill_n(window_.get(), sizes.window + 1, '\xAA');
  }

 private:
  mcp::detail::StorageView view() {
    return {.message = {message_.get(), sizes_.message + 2},
            .window = {window_.get(), sizes_.window},
            .sessions = mcp::memory::Pool<mcp::detail::Session>({sessions_.get(), sizes_.sessions}),
            .subscribed = {subscribed_.get(), sizes_.sessions * words_},
            .updated = {updated_.get(), sizes_.sessions * words_},
            .updated_from_isr = {updated_from_isr_.get(), resources_},
            .words = words_,
            .id_size = sizes_.id};
  }

  Sizes sizes_;
  std::size_t resources_;
  std::size_t words_;
  std::unique_ptr<char[]> message_{new char[sizes_.message + 2]};
  std::unique_ptr<char[]> window_{new char[sizes_.window + 1]};
  std::unique_ptr<mcp::memory::Slot<mcp::detail::Session>[]> sessions_ {
    new mcp::memory::Slot<mcp::detail::Session>[ sizes_.sessions ]()
  };
  std::unique_ptr<mcp::memory::BitSet::Word[]> subscribed_{new mcp::memory::BitSet::Word[sizes_.sessions * words_]()};
  std::unique_ptr<mcp::memory::BitSet::Word[]> updated_{new mcp::memory::BitSet::Word[sizes_.sessions * words_]()};
  std::unique_ptr<std::atomic<std::uint8_t>[]> updated_from_isr_ { new std::atomic<std::uint8_t>[ resources_ ]() };

 public:
  mcp::Server server;

  /// Sends one message to the server, from a block of exactly its size, and returns the answer ("" for none).
  std::string ask(mcp::SessionId session, std::string_view message, mcp::Millis now = 0) {
    const std::unique_ptr<char[]> copy(new char[message.size()]);
    std::copy(message.begin(), message.end(), copy.get());
    const mcp::Reply reply = server.receive(session, {copy.get(), message.size()}, server.window(), now);
    if (reply.status == mcp::Reply::Status::no_session) return "no session";
    return std::string(server.window().data(), reply.size);
  }
  /// The next message that the server sends on its own, or "".
  std::string next(mcp::SessionId session) {
    return std::string(server.window().data(), server.transmit(session, server.window()));
  }

  /// Sessions in use.
  [[nodiscard]] std::size_t open_sessions() const {
    return static_cast<std::size_t>(std::count_if(sessions_.get(), sessions_.get() + sizes_.sessions,
                                                  [](const auto& slot) { return slot.generation % 2 != 0; }));
  }
  /// True when a subscription or a notification is left in any session.
  [[nodiscard]] bool anything_left() const {
    const auto any = [&](const auto& words) {
      return std::any_of(words.get(), words.get() + sizes_.sessions * words_, [](auto word) { return word != 0; });
    };
    return any(subscribed_) || any(updated_);
  }
};

}  // namespace test
