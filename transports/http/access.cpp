#include "transports/http/access.hpp"

#include "transports/http/text.hpp"

namespace mcp {
namespace {

// Looks at every byte of `given`, whatever it finds.
bool equal_in_constant_time(std::string_view given, std::string_view expected) {
  unsigned differences = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = expected.empty() ? '\0' : expected[i % expected.size()];
    differences |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(other));
  }
  return differences == 0;
}

// A name of this machine, with any port or none.
bool is_local(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && host.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  if (has_port) host = host.substr(0, colon);
  return http::equal_without_case(host, "localhost") || host == "127.0.0.1" || host == "[::1]";
}

bool is_one_of(std::span<const std::string_view> allowed, std::string_view text) {
  for (const std::string_view other : allowed) {
    if (http::equal_without_case(other, text)) return true;
  }
  return false;
}

}  // namespace

Access StaticTokens::do_check(std::string_view authorization) {
  constexpr std::string_view scheme = "Bearer ";
  if (!http::equal_without_case(authorization.substr(0, scheme.size()), scheme)) return Access::unauthorized;
  const std::string_view given = http::trimmed(authorization.substr(scheme.size()));
  bool known = false;
  for (const std::string_view token : tokens_) known = equal_in_constant_time(given, token) || known;
  return known && !given.empty() ? Access::granted : Access::unauthorized;
}

std::string_view StaticTokens::do_challenge(Access) { return "Bearer"; }

std::string_view exposure_warning(const HttpOptions& options, bool beyond_loopback) {
  if (!beyond_loopback || options.authorizer != nullptr) return {};
  return "warning: other machines reach this server, and it asks nobody for a token: whoever connects may call its "
         "tools";
}

bool http::allows_host(const HttpOptions& options, std::string_view host) {
  return options.hosts.empty() ? is_local(host) : is_one_of(options.hosts, host);
}

bool http::allows_origin(const HttpOptions& options, std::string_view origin) {
  if (origin.size() > max_origin_size) return false;
  if (!options.origins.empty()) return is_one_of(options.origins, origin);
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (origin.starts_with(scheme)) return is_local(origin.substr(scheme.size()));
  }
  return false;
}

}  // namespace mcp
