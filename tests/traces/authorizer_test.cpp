// SPDX-License-Identifier: Apache-2.0
// Decisions about tokens in a trace: a program that plays it gets them without the tokens.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/http1/response_head.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http_trace.hpp"
#include "mcp/json/writer.hpp"

namespace {

constinit mcp::TraceRing<4096> ring;
std::deque<std::vector<std::uint8_t>> values;

bool keep(std::span<std::uint8_t> value) {
  values.emplace_back(value.begin(), value.end());
  return false;
}

bool give(std::span<std::uint8_t> value) {
  if (values.empty() || values.front().size() != value.size()) return false;
  std::copy(values.front().begin(), values.front().end(), value.begin());
  values.pop_front();
  return true;
}

class FixedAuthorizer final : public mcp::Authorizer {
 public:
  mcp::Grant grant{};
  int challenges = 0;

 private:
  mcp::Grant do_check(const mcp::http::RequestHead&) override { return grant; }
  void do_challenge(mcp::Access, mcp::http::ResponseHead&) override { ++challenges; }
  bool do_reads(std::string_view name) override { return name == "x-badge"; }
  bool do_document(std::string_view path, mcp::json::Writer&) override { return path == "/known"; }
};

// The decision that a program gets which plays the trace of `grant`. Its own Authorizer rejects the request.
mcp::Grant played(const mcp::Grant& grant, std::string& names) {
  const mcp::http::RequestHead head;
  FixedAuthorizer inner;
  inner.grant = grant;
  mcp::TracedAuthorizer recorded(ring, inner);
  ring.begin();
  ring.play(keep);
  static_cast<void>(recorded.check(head));
  inner.grant = {.access = mcp::Access::unauthorized};
  mcp::TracedAuthorizer player(ring, inner);
  ring.play(give);
  mcp::Grant result = player.check(head);
  EXPECT_TRUE(values.empty());
  names = result.scopes.names();
  return result;
}

TEST(TracedAuthorizer, PlaysTheDecision) {
  std::string names;
  const mcp::Grant all = played(
      {.access = mcp::Access::granted, .principal = 7, .only_principal = true, .scopes = mcp::TokenScopes()}, names);
  EXPECT_EQ(all.access, mcp::Access::granted);
  EXPECT_EQ(all.principal, 7U);
  EXPECT_TRUE(all.only_principal);
  EXPECT_TRUE(all.scopes.are_all());
  EXPECT_EQ(played({.access = mcp::Access::insufficient_scope}, names).access, mcp::Access::insufficient_scope);
  EXPECT_EQ(names, "");
}

TEST(TracedAuthorizer, AsksTheOtherOneForChallengesAndDocuments) {
  FixedAuthorizer inner;
  mcp::TracedAuthorizer traced(ring, inner);
  char bytes[16];
  mcp::http::ResponseHead head(bytes);
  traced.challenge(mcp::Access::unauthorized, head);
  EXPECT_EQ(inner.challenges, 1);
  mcp::json::Writer out(bytes);
  EXPECT_TRUE(traced.document("/known", out));
  EXPECT_FALSE(traced.document("/unknown", out));
  EXPECT_TRUE(traced.reads("x-badge"));
  EXPECT_FALSE(traced.reads("cookie"));
}

TEST(TracedAuthorizer, PlaysNamesOfScopes) {
  for (const std::size_t size : {1U, 63U, 64U, 65U, 255U, 256U}) {
    const std::string wanted(size, 'a');
    std::string names;
    EXPECT_FALSE(played({.access = mcp::Access::granted, .scopes = std::string_view(wanted)}, names).scopes.are_all());
    EXPECT_EQ(names, wanted);
  }
}

// Half of a name would be another scope.
TEST(TracedAuthorizer, CutsLongListsBetweenNames) {
  const auto names_of = [](const std::string& scopes) {
    std::string names;
    static_cast<void>(played({.access = mcp::Access::granted, .scopes = std::string_view(scopes)}, names));
    return names;
  };
  EXPECT_EQ(names_of(std::string(250, 'a') + " bcdefghij"), std::string(250, 'a'));
  EXPECT_EQ(names_of(std::string(256, 'a') + " b"), std::string(256, 'a'));
  EXPECT_EQ(names_of(std::string(257, 'a')), "");
}

}  // namespace
