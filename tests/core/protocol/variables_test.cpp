// SPDX-License-Identifier: Apache-2.0
// Typed variables of templates where a conversation cannot show them: any bytes in a URI, and streams of a stateless
// client.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

#include "mcp/server.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::SessionId;
using test::Bench;

constexpr std::string_view stateless_meta =
    R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string read_request(std::string_view uri, int id = 1) {
  return std::string(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                     R"(,"method":"resources/read","params":{"uri":")")
             .append(uri)
             .append("\"")
             .append(stateless_meta) +
         "}}";
}

std::string encoded(std::string_view bytes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string uri;
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    uri += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return uri;
}

// Digits, and no zero before another digit: 0 to 31.
bool is_pin(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.size() > 2) return false;
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
  if (digits.size() == 2 && digits[0] == '0') return false;
  const int value = std::stoi(std::string(digits));
  return value <= 31 && digits.size() == text.size();
}

TEST(TypedVariables, ReadsEachNumberOfTwoCharactersAsTheGrammarOfJson) {
  Bench bench(test::bodies);
  const SessionId session = bench.server.open(0);
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const std::string came = bench.ask(session, read_request("pin://" + encoded(text)));
      ASSERT_EQ(came.find("\"result\"") != std::string::npos, is_pin(text)) << came;
      if (!is_pin(text)) {
        ASSERT_NE(came.find(R"("code":-32602,"message":"Variable \"number\" must be an integer from 0 to 31.")"),
                  std::string::npos)
            << came;
      }
    }
  }
}

TEST(TypedVariables, AnswersAnyBytesWithBodyOrErrorThatNamesTheVariable) {
  Bench bench(test::bodies);
  const SessionId session = bench.server.open(0);
  std::mt19937 random(1);
  const auto any = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  const std::string_view pieces[] = {"0",
                                     "1e9",
                                     "-",
                                     ".",
                                     "true",
                                     "dry",
                                     "humid",
                                     "a",
                                     "\x01",
                                     "\xFF",
                                     "\xC3",
                                     "\"",
                                     "\\",
                                     std::string_view("\0", 1),
                                     "\xE2\x82\xAC",
                                     "9"};
  const auto value = [&] {
    std::string text;
    for (unsigned i = any(6); i-- != 0;) text += pieces[any(16)];
    return text;
  };
  unsigned bodies = 0;
  unsigned errors = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string uri;
    switch (any(3)) {
      case 0: uri = "words://dry/true/" + encoded(value()) + "/" + encoded(value()); break;
      case 1: uri = "numbers://" + encoded(value()) + "/" + encoded(value()) + "/0.5/" + encoded(value()); break;
      default: uri = "range://log?since=" + encoded(value()) + "&until=" + encoded(value()); break;
    }
    const std::string came = bench.ask(session, read_request(uri));
    ASSERT_TRUE(test::parse_json(came)) << came;
    const bool has_body = came.find("\"contents\"") != std::string::npos;
    const bool names_variable = came.find("\"message\":\"Variable \\\"") != std::string::npos;
    const bool not_found = came.find("\"message\":\"Resource not found.\"") != std::string::npos;
    ASSERT_NE(has_body, names_variable || not_found) << came;
    if (has_body) ++bodies;
    if (names_variable) ++errors;
  }
  EXPECT_GT(bodies, 100U);
  EXPECT_GT(errors, 10'000U);
}

// Whatever does not fit, the whole of a result is replaced.
TEST(SeveralItems, SendsAllItemsOrAnErrorInAnyTransmitBuffer) {
  for (const mcp::Resource& row : test::bodies.resources.rows()) {
    Bench ample(test::bodies);
    const std::string whole = ample.ask(ample.server.open(0), read_request(row.uri));
    for (std::size_t size = 120; size < 720; ++size) {
      Bench bench(test::bodies, {.transmit_size = size});
      const std::string came = bench.ask(bench.server.open(0), read_request(row.uri));
      if (came == whole) continue;
      ASSERT_LT(size, whole.size()) << came;
      ASSERT_TRUE(test::parse_json(came)) << size << ' ' << came;
      ASSERT_NE(came.find("\"code\":-32603"), std::string::npos) << size << ' ' << came;
    }
  }
}

struct Which {
  std::uint8_t number;
  mcp::FixedString<3> unit;
};
constexpr auto which = mcp::params(mcp::param<&Which::number>("number", {.maximum = 9}),
                                   mcp::param<&Which::unit>("unit", {.min_length = 1}));
mcp::Errc read_which(const Which& variables, mcp::ReadResult& out) { return out.text(variables.number); }
constexpr mcp::ResourceTemplate which_templates[] = {mcp::resource_template<read_which, which>(
    {.uri_template = "meter://{number}/{unit}", .name = "meter", .subscribable = mcp::has_valid_variables<which>})};
constexpr mcp::Definition meters{
    .name = "meters", .version = "1", .resource_templates = which_templates, .subscriptions = true};

// A slot of a subscription is for a URI that the client can read.
TEST(TypedVariables, SubscriptionNeedsValuesThatTheTableAllows) {
  Bench bench(meters);
  const SessionId session = bench.server.open(0);
  bench.ask(session, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                     R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  const auto subscribe = [&](std::string_view uri) {
    return bench.ask(session, R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":")" +
                                  std::string(uri) + "\"}}");
  };
  for (const char* const uri : {"meter://10/V", "meter://x/V", "meter://1.0/V", "meter://1e0/V", "meter://-0/V",
                                "meter://01/V", "meter://1/volt", "meter://1/%00", "meter://1/%FF"}) {
    EXPECT_NE(subscribe(uri).find("Resource not found."), std::string::npos) << uri;
  }
  EXPECT_EQ(subscribe("meter://1/V"), R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

// A string is read with the byte before it, which the buffer must have.
TEST(TypedVariables, SubscriptionWritesNothingOutsideOfTheTransmitBuffer) {
  Bench bench(meters, {.receive_size = 1024, .uri = 1000});
  const SessionId session = bench.server.open(0);
  bench.ask(session, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                     R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  const std::size_t size = 240;
  const std::string message = R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"meter://1/)" +
                              encoded(std::string(size / 3, 'A')) + "\"}}";
  for (std::size_t buffer_size = size - 2; buffer_size < size + 3; ++buffer_size) {
    // Without a byte before it, and with the sanitizer one that must not be touched.
    const std::unique_ptr<char[]> buffer(new char[buffer_size]);
    std::string copy = message;
    const mcp::Reply reply = bench.server.receive(session, copy, {buffer.get(), buffer_size}, 0);
    const std::string came(buffer.get(), reply.size);
    EXPECT_NE(came.find(buffer_size > size ? "Resource not found." : R"("code":-32603)"), std::string::npos) << came;
  }
}

// A resource has one URI, so that a row with a scope has no other text.
TEST(TypedVariables, ReadsANumberOfOneTextAlone) {
  Bench bench(test::bodies);
  const SessionId session = bench.server.open(0);
  const auto reads = [&](std::string_view a_float, std::string_view a_double) {
    const std::string came =
        bench.ask(session, read_request("numbers://0/0/" + std::string(a_float) + "/" + std::string(a_double)));
    const bool names_rule = came.find("digits, without an exponent or a zero at its end.") != std::string::npos;
    const bool has_body = came.find("\"contents\"") != std::string::npos;
    EXPECT_NE(has_body, names_rule) << came;
    return has_body;
  };
  for (const char* const text : {"0", "1", "-1", "0.5", "-0.5", "1.25", "0.000012", "1.23456", "-1.00005"}) {
    EXPECT_TRUE(reads(text, "0")) << text;
    EXPECT_TRUE(reads("0", text)) << text;
  }
  for (const char* const text : {"-0", "0.0", "1.0", "1.50", "0.50", "15e-1", "1e0", "1E0", "-0.0"}) {
    EXPECT_FALSE(reads(text, "0")) << text;
    EXPECT_FALSE(reads("0", text)) << text;
  }
  EXPECT_FALSE(reads("1.234567", "0"));
  for (const char* const text : {"1.23456789012345", "123456789012345", "120000000000000000000000000000000000"})
    EXPECT_TRUE(reads("0", text)) << text;
  for (const char* const text : {"1.234567890123456", "1234567890123456", "0.1234567890123456"})
    EXPECT_FALSE(reads("0", text)) << text;
}

TEST(Variables, ReadsAnIntegerOfOneTextAlone) {
  const auto read = [](std::string_view text) {
    const mcp::UriVariable one[] = {{"n", text}};
    std::int32_t value = -7;
    const mcp::Errc errc = mcp::UriVariables(one).integer("n", -10, 20, value);
    return errc == mcp::Errc::ok ? value : -7;
  };
  EXPECT_EQ(read("0"), 0);
  EXPECT_EQ(read("10"), 10);
  EXPECT_EQ(read("-10"), -10);
  for (const char* const text : {"", "-", "-0", "00", "01", "-01", "1.0", "+1", "21", "-11"}) {
    EXPECT_EQ(read(text), -7) << text;
  }
}

// The bytes beside a value are changed for a moment, and the response has the URI as it came.
TEST(TypedVariables, EchoesTheUriAsItCame) {
  Bench bench(test::bodies);
  const SessionId session = bench.server.open(0);
  const std::string came = bench.ask(session, read_request("words://humid/true/abc/%6Eame"));
  EXPECT_NE(came.find(R"({"uri":"words://humid/true/abc/%6Eame","text":"humid true abc name"})"), std::string::npos)
      << came;
}

TEST(TemplateStreams, ServesStatelessClient) {
  Bench bench(test::template_streams_alone);
  const SessionId session = bench.server.open(0);
  test::streamed = {};
  EXPECT_EQ(bench.ask(session, read_request("stream:day/2026/%6Day")), "");
  const std::string came = bench.next(session);
  EXPECT_NE(came.find(R"("ttlMs":5000,"cacheScope":"public","contents":[{"uri":"stream:day/2026/%6Day",)"
                      R"("mimeType":"text/plain","text":"2026 may: body"}])"),
            std::string::npos)
      << came;
  EXPECT_EQ(bench.ask(session, read_request("stream:day/1/may")), "");
  EXPECT_NE(bench.next(session).find(R"("code":-32602,"message":"Resource not found.")"), std::string::npos);
  EXPECT_NE(bench.ask(session, read_request("stream:day/0/may")).find(R"(Variable \"year\" must be)"),
            std::string::npos);
  EXPECT_FALSE(bench.anything_left());
}

// Decoded values are at the end of the transmit buffer, which is a block of its own.
TEST(TemplateStreams, NeedsSpaceForTheDecodedValues) {
  const std::string uri = "stream:day/%32%30%32%36/" + encoded("12345678") + "?loud=%66alse";
  for (std::size_t size = 30; size < 480; ++size) {
    Bench bench(test::template_streams_alone, {.transmit_size = size});
    const SessionId session = bench.server.open(0);
    test::streamed = {};
    std::string came = bench.ask(session, read_request(uri));
    if (came.empty()) came = bench.next(session);
    const bool whole = came.find("2026 12345678: body") != std::string::npos;
    ASSERT_TRUE(whole || size < 400) << came;
    if (size >= 120 && !whole) {
      ASSERT_NE(came.find("\"code\":-32603"), std::string::npos) << size << ' ' << came;
    }
    EXPECT_FALSE(bench.anything_left()) << size;
  }
}

// The state of each slot is after the ids of all of them; the block ends with the last byte of the last URI.
TEST(TemplateStreams, KeepsTheLongestUriOfEachSlot) {
  for (std::size_t id = 3; id < 12; ++id) {
    Bench bench(test::template_streams_alone, {.id = id, .streams = 3, .reserved_for_others = 0});
    const SessionId session = bench.server.open(0);
    test::streamed = {};
    std::string uris[3];
    for (int i = 0; i < 3; ++i) {
      uris[i] = "stream:day/" + std::to_string(2001 + i) + "/" + encoded("12345678") + "?loud=false";
      EXPECT_EQ(bench.ask(session, read_request(uris[i], i)), "");
    }
    for (int i = 0; i < 3; ++i) {
      const std::string came = bench.next(session);
      EXPECT_NE(came.find("\"uri\":\"" + uris[i] + "\""), std::string::npos) << came;
      EXPECT_NE(came.find(std::to_string(2001 + i) + " 12345678: body"), std::string::npos) << came;
    }
  }
}

}  // namespace
