// SPDX-License-Identifier: Apache-2.0
// One feature of the server: its methods and its messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/definition.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/envelope.hpp"

namespace mcp::protocol {

class Request;
struct SendContext;

/// One method that clients may call, or a notification. Their names distinguish them. The handler of a notification
/// sends no response.
struct FeatureMethod {
  /// The requests that may call it.
  enum class Scope : std::uint8_t {
    any,                // a session that was initialized, and stateless requests
    session,            // a session that was initialized
    before_initialize,  // a session, initialized or not
    stateless,
  };
  template <std::size_t N>
  consteval FeatureMethod(const char (&the_name)[N], void (*handler)(Request& request), Scope the_scope = Scope::any)
      : handle(handler), scope(the_scope), name_size_(N - 1), name_(the_name) {
    static_assert(N <= 0x100);
  }
  [[nodiscard]] std::string_view name() const { return {name_, name_size_}; }

  void (*handle)(Request& request);
  Scope scope;

 private:
  std::uint8_t name_size_;  // with the pointer a word less than a view
  const char* name_;
};

/// Search key of an unanswered request: its id, or its channel.
struct OpenRequest {
  std::size_t session;  // its index
  Channel channel;
  std::string_view id;  // empty: any of the channel

  [[nodiscard]] bool is(std::size_t its_session, Channel its_channel, const char* its_id, std::size_t size) const;
};

/// One feature of the protocol. The tables of a Definition point here, so that features without a table are not linked.
struct Feature {
  std::span<const FeatureMethod> methods;
  /// Writes the next message that is due on its own, at most one. False when other features may write. May be nullptr.
  bool (*transmit)(SendContext& context) = nullptr;
  /// Milliseconds until transmit() has work without an event. May be nullptr.
  Millis (*due)(const Definition& definition, const mcp::detail::StorageView& storage, Millis now) = nullptr;
  /// Ends what the session has running on the channel, or everywhere on only_channel. Writes nothing; `out` is scratch
  /// memory. May be nullptr.
  void (*close)(SendContext& context) = nullptr;
  /// Reads the client's response to a request of the server, and writes at most one message. False if the request is
  /// not of this feature. May be nullptr.
  bool (*answer)(SendContext& context, const rpc::Envelope& envelope) = nullptr;
  /// Reads the client data that the feature needs into `context.client`: from its capabilities, and from the `_meta` of
  /// a stateless request. False for invalid values. May be nullptr.
  bool (*read_client)(json::Value capabilities, json::Value meta, SendContext& context) = nullptr;
  /// True while the feature has a request with this id. May be nullptr.
  bool (*has_open)(const mcp::detail::StorageView& storage, const OpenRequest& wanted) = nullptr;
  /// transmit() writes messages of requests: clients that may not get notifications yet get these.
  bool answers = false;
};

/// Walks over the features of a server, each once, in the order of detail::FeaturePosition.
class FeatureWalk {
 public:
  explicit FeatureWalk(const mcp::detail::StorageView& storage) : at_(storage.links.features) {}
  /// Returns nullptr after the last feature. Do not call it again after that.
  const Feature* next() { return *at_++; }

 private:
  const Feature* const* at_;
};

/// Walks over the methods of a name. The first one gets a request, all get a notification: a cancelled id may name a
/// job, a stream or a tasks/result.
class MethodWalk {
 public:
  MethodWalk(const mcp::detail::StorageView& storage, std::string_view name, bool stateless)
      : features_(storage), name_(name), stateless_(stateless) {}
  const FeatureMethod* next() {
    while (const Feature* const feature = features_.next()) {
      for (const FeatureMethod& method : feature->methods) {
        if (method.name().size() == name_.size() && is_theirs(method.scope) && json::equal(method.name(), name_))
          return &method;
      }
    }
    return nullptr;
  }

 private:
  [[nodiscard]] bool is_theirs(FeatureMethod::Scope scope) const {
    return scope == FeatureMethod::Scope::any || (scope == FeatureMethod::Scope::stateless) == stateless_;
  }

  FeatureWalk features_;
  std::string_view name_;
  bool stateless_;
};

/// The method of this name in the feature after the one whose handler is `self`; nullptr if there is none.
inline const FeatureMethod* method_after(const mcp::detail::StorageView& storage, const char* name, bool stateless,
                                         void (*self)(Request& request)) {
  MethodWalk methods(storage, name, stateless);
  while (methods.next()->handle != self) {
  }
  return methods.next();
}

/// True while any feature has a request with this id.
bool any_open(const mcp::detail::StorageView& storage, const OpenRequest& wanted);

/// Writes the member `capabilities`.
void write_capabilities(json::Writer& out, const Request& request, const Revision& revision);

/// Ends whatever the session has running.
void close_children(SendContext& context);
/// As above, only on the channel of the transmit buffer.
void close_channel(SendContext& context);
/// The same, and forgets the session itself.
void end_session(SendContext& context);

}  // namespace mcp::protocol
