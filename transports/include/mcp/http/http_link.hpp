// SPDX-License-Identifier: Apache-2.0
// The optional code of HTTP, and the choice of it for an endpoint.
//
// Pay per use works as in mcp/detail/link.hpp. Only this header of transports names optional code. link() chooses code
// by Definition and HttpLimits. The conversion to an Option chooses code by a value of HttpOptions. The image has the
// address of the code only if the application names an object that needs it.
#pragma once

#include <mcp/detail/prelude.hpp>

#include "mcp/eras.hpp"
#include "mcp/http_limits.hpp"

namespace mcp {

class Authorizer;
class HttpMetrics;
class HttpPage;
class HttpSse2024;

namespace http {

struct AccessOps;
struct DetachedOps;
struct MetricsOps;
struct PageOps;
struct ReplayOps;
struct ScopeOps;
struct SseOps;
struct HttpStatelessOps;
struct TokenOps;

extern const AccessOps access_ops;               // authorization
extern const DetachedOps detached_ops;           // calls that continue without a connection
extern const MetricsOps metrics_ops;             // figures as Prometheus text
extern const PageOps page_ops;                   // the page of the device
extern const ReplayOps replay_ops;               // streams that clients resume
extern const ScopeOps scope_ops;                 // scopes of tokens
extern const SseOps sse_ops;                     // HTTP+SSE of 2024-11-05
extern const HttpStatelessOps stateless_ops;     // stateless requests, and their request metadata headers
extern const HttpStatelessOps logged_stateless_ops;  // stateless requests with log messages
extern const TokenOps token_ops;                 // tokens with a separate limit

/// An object of the application, and the code that it needs.
template <class Object, class Code, const Code& code>
class Option {
 public:
  constexpr Option(Object* object = nullptr)  // NOLINT(google-explicit-constructor)
      : object_(object), code_(object != nullptr ? &code : nullptr) {}
  constexpr operator Object*() const { return object_; }  // NOLINT(google-explicit-constructor)
  constexpr Object* operator->() const { return object_; }

  /// For link(); nullptr without an object.
  [[nodiscard]] constexpr const Code* ops() const { return code_; }

 private:
  Object* object_;
  const Code* code_;
};

/// The optional code of one endpoint. A pointer is nullptr if no limit or option names its code.
struct HttpLinks {
  const DetachedOps* detached = nullptr;    // without it, calls end with their connections
  const ReplayOps* replay = nullptr;        // without it, streams are not resumed
  const HttpStatelessOps* stateless = nullptr;  // without it, all requests belong to sessions
  const AccessOps* access = nullptr;        // without it, every client may call
  const SseOps* sse_2024 = nullptr;
  const MetricsOps* metrics = nullptr;
  const ScopeOps* scopes = nullptr;  // without it, no row needs a scope
  const PageOps* page = nullptr;     // without it, a browser gets 404
  const TokenOps* tokens = nullptr;  // without it, a token is a part of the head
};

/// The former name of HttpLinks.
using Links [[deprecated("use HttpLinks")]] = HttpLinks;
/// The former name of HttpStatelessOps.
using StatelessOps [[deprecated("use HttpStatelessOps")]] = HttpStatelessOps;

/// Chooses the optional code of an endpoint. The server and the limits are template arguments, so that the compiler
/// drops unused code. `options` are HttpOptions, which may have other values in each run.
template <auto& server_storage, HttpLimits limits, class Options>
constexpr HttpLinks link(const Options& options) {
  constexpr Eras eras = detail::shape_of(server_storage).eras;
  constexpr bool has_scopes = detail::shape_of(server_storage).has_scopes;
  constexpr bool has_logs = detail::shape_of(server_storage).has_logs;
  return {.detached = eras.legacy() && limits.detached != 0 ? &detached_ops : nullptr,
          .replay = eras.legacy() && limits.resumable ? &replay_ops : nullptr,
          .stateless = !eras.modern() ? nullptr
                       : has_logs     ? &logged_stateless_ops
                                      : &stateless_ops,
          .access = options.authorizer.ops(),
          .sse_2024 = options.sse_2024.ops(),
          .metrics = options.metrics.ops(),
          .scopes = has_scopes ? &scope_ops : nullptr,
          .page = options.page.ops(),
          .tokens = limits.token_size != 0 ? &token_ops : nullptr};
}

}  // namespace http
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
