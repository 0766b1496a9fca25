// SPDX-License-Identifier: Apache-2.0
// Heads and bodies of requests: the table of requests.cpp, cut at each byte and in buffers of each size.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "http/http1/http_text.hpp"
#include "mcp/http/request_body.hpp"
#include "mcp/http/request_head.hpp"
#include "transports/http/read_request.hpp"
#include "transports/http/requests.hpp"

namespace {

using namespace mcp::http;
using test::body_limit;
using test::Outcome;
using test::read_request;
using test::refused_requests;
using test::served_requests;

constexpr std::size_t buffer_size = 1024;

std::vector<std::string_view> bytes_of(std::string_view text) {
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) bytes.push_back(text.substr(i, 1));
  return bytes;
}

/// Calls `check` with the outcome of a request in one piece, in two pieces cut at each byte, and byte by byte.
template <class Check>
void read_in_every_way(const std::string& bytes, Check check) {
  const std::string_view text = bytes;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    SCOPED_TRACE("cut at " + std::to_string(at));
    check(read_request({text.substr(0, at), text.substr(at)}, buffer_size, body_limit));
  }
  SCOPED_TRACE("byte by byte");
  check(read_request(bytes_of(text), buffer_size, body_limit));
}

/// Reads a complete head, which must be valid.
struct Read {
  explicit Read(std::string_view bytes) : buffer(bytes) {
    RequestHeadReader reader;
    EXPECT_EQ(reader.read(buffer, buffer.size(), head), Progress::done) << sentence_of(reader.error());
  }

  std::string buffer;
  RequestHead head;
};

std::string get(const std::string& fields) { return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n"; }

TEST(HttpRequests, NamesOfRowsAreUnique) {
  std::set<std::string> names;
  for (const auto& row : served_requests) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  for (const auto& row : refused_requests) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(HttpRequests, AcceptsValidRequests) {
  for (const auto& row : served_requests) {
    SCOPED_TRACE(row.name);
    read_in_every_way(row.bytes, [&](const Outcome& outcome) {
      EXPECT_EQ(outcome.progress, Progress::done) << sentence_of(outcome.error);
      EXPECT_EQ(outcome.summary, row.summary);
    });
  }
}

TEST(HttpRequests, RejectsInvalidRequests) {
  for (const auto& row : refused_requests) {
    SCOPED_TRACE(row.name);
    read_in_every_way(row.bytes, [&](const Outcome& outcome) {
      EXPECT_EQ(outcome.progress, Progress::rejected) << outcome.summary;
      EXPECT_EQ(outcome.error, row.error) << sentence_of(outcome.error);
    });
  }
}

// The reader waits for the rest of a truncated request, and neither accepts nor rejects it.
TEST(HttpRequests, WaitsForTruncatedRequests) {
  for (const auto& row : served_requests) {
    SCOPED_TRACE(row.name);
    const std::size_t rest = row.summary.find(" rest ");
    const std::size_t size = row.bytes.size() - (rest == std::string::npos ? 0 : row.summary.size() - rest - 6);
    for (std::size_t at = 0; at < size; ++at) {
      const Outcome outcome = read_request({std::string_view(row.bytes).substr(0, at)}, buffer_size, body_limit);
      EXPECT_EQ(outcome.progress, Progress::more) << "cut at " << at;
    }
  }
  for (const auto& row : refused_requests) {
    SCOPED_TRACE(row.name);
    for (std::size_t at = 0; at < row.bytes.size(); ++at) {
      const Outcome outcome = read_request({std::string_view(row.bytes).substr(0, at)}, buffer_size, body_limit);
      EXPECT_NE(outcome.progress, Progress::done) << "cut at " << at;
      if (outcome.progress == Progress::rejected) {
        EXPECT_EQ(outcome.error, row.error) << "cut at " << at;
      }
    }
  }
}

// Replaces each byte of a request by each value. The sanitizers detect a read beyond the end.
TEST(HttpRequests, NeverReadsBeyondAChangedRequest) {
  const std::string sized = "POST http://a/m?q HTTP/1.1\r\nHost: a\r\nAccept: */*;q=1\r\nContent-Length: 2\r\n\r\nxy";
  const std::string chunked =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;e\r\nx\r\n0\r\nT: v\r\n\r\n";
  for (const std::string& request : {sized, chunked}) {
    for (std::size_t at = 0; at < request.size(); ++at) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        std::string changed = request;
        changed[at] = static_cast<char>(byte);
        const Outcome whole = read_request({changed}, buffer_size, body_limit);
        const Outcome bytes = read_request(bytes_of(changed), buffer_size, body_limit);
        EXPECT_EQ(whole.progress, bytes.progress) << at << " " << byte;
        EXPECT_EQ(whole.error, bytes.error) << at << " " << byte;
        EXPECT_EQ(whole.summary, bytes.summary) << at << " " << byte;
      }
    }
  }
}

// ---- Limits --------------------------------------------------------------------------------------------------------

TEST(HttpLimits, ReadsHeadsInBuffersOfEverySize) {
  for (const std::string in_front : {"", "\r\n"}) {
    const std::string line = in_front + "GET /a/rather/long/target HTTP/1.1\r\n";
    const std::string head = line + "Host: a\r\nX-Any: value\r\n\r\n";
    for (std::size_t size = in_front.size() + 1; size <= head.size() + 2; ++size) {
      SCOPED_TRACE(size);
      for (const auto& pieces : {std::vector<std::string_view>{head}, bytes_of(head)}) {
        const Outcome outcome = read_request(pieces, size, body_limit);
        ParseError expected = ParseError::none;
        if (size < in_front.size() + 4) {
          expected = ParseError::bad_request_line;
        } else if (size < line.size()) {
          expected = ParseError::target_too_long;
        } else if (size < head.size()) {
          expected = ParseError::head_too_long;
        }
        EXPECT_EQ(outcome.error, expected) << sentence_of(outcome.error);
        EXPECT_EQ(outcome.progress, expected == ParseError::none ? Progress::done : Progress::rejected);
      }
    }
  }
}

TEST(HttpLimits, RejectsTooManyAndTooLongFields) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(read_request({get(many)}, 2048, body_limit).error, ParseError::head_too_long);
  EXPECT_EQ(read_request({get("X: " + std::string(8192, 'y') + "\r\n")}, 2048, body_limit).error,
            ParseError::head_too_long);
  EXPECT_EQ(read_request({"GET /" + std::string(8192, 'y') + " HTTP/1.1\r\n"}, 2048, body_limit).error,
            ParseError::target_too_long);
  EXPECT_EQ(read_request({std::string(8192, 'y') + " / HTTP/1.1\r\n"}, 2048, body_limit).error,
            ParseError::bad_request_line);
  EXPECT_EQ(read_request({get(many)}, 65'536, body_limit).summary, "get /");
}

// The buffer is longer than the limit of a head.
TEST(HttpLimits, AcceptsTheLargestHead) {
  const std::size_t frame = get("X: \r\n").size();
  const auto sized = [&](std::size_t size) { return get("X: " + std::string(size - frame, 'y') + "\r\n"); };
  EXPECT_EQ(read_request({sized(RequestHeadReader::max_size)}, 100'000, body_limit).summary, "get /");
  EXPECT_EQ(read_request({sized(RequestHeadReader::max_size + 1)}, 100'000, body_limit).error,
            ParseError::head_too_long);
  EXPECT_EQ(read_request({sized(RequestHeadReader::max_size) + "rest"}, 100'000, body_limit).summary,
            "get / rest rest");
}

TEST(HttpLimits, AppliesEveryLimitOfTheBody) {
  const std::string content(20, 'x');
  for (std::size_t limit = 0; limit <= 40; ++limit) {
    const ParseError expected = limit < content.size() ? ParseError::body_too_large : ParseError::none;
    const std::string sized = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n" + content;
    EXPECT_EQ(read_request({sized}, 1024, limit).error, expected) << limit;
    const std::string chunked =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
        "chunked\r\n\r\n7\r\nxxxxxxx\r\nd\r\nxxxxxxxxxxxxx\r\n0\r\n\r\n";
    EXPECT_EQ(read_request({chunked}, 1024, limit).error, expected) << limit;
  }
}

// Endless chunks of one byte reach the limit of the body.
TEST(HttpLimits, RejectsEndlessChunks) {
  std::string request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t i = 0; i < body_limit; ++i) request += "1\r\nx\r\n";
  EXPECT_EQ(read_request({request}, 1024, body_limit).progress, Progress::more);
  EXPECT_EQ(read_request({request + "1\r\n"}, 1024, body_limit).error, ParseError::body_too_large);
}

// The size of the buffer is the limit of the body.
TEST(HttpLimits, RejectsABodyLongerThanItsBuffer) {
  Read request("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
  char room[5];
  EXPECT_EQ(RequestBody(request.head, room).progress(), Progress::more);
  RequestBody body(request.head, std::span(room).first(4));
  EXPECT_EQ(body.progress(), Progress::rejected);
  EXPECT_EQ(body.error(), ParseError::body_too_large);
  EXPECT_EQ(body.read(std::string_view("hello")), 0U);
  EXPECT_EQ(body.expected(), 0U);
}

// ---- Values --------------------------------------------------------------------------------------------------------

TEST(HttpHead, FindsEveryKnownHeader) {
  const Read request(
      "OPTIONS / HTTP/1.1\r\n"
      "accept: 1\r\nconnection: 2\r\nexpect: 3\r\nACCESS-CONTROL-REQUEST-HEADERS: 4\r\n"
      "access-control-request-method: 5\r\nauthorization: 6\r\nCONTENT-encoding: 7\r\ncontent-length: 8\r\n"
      "content-type: 9\r\nhost: 10\r\nlast-event-id: 11\r\nmcp-method: 12\r\nmcp-name: 13\r\n"
      "mcp-protocol-version: 14\r\nmcp-session-id: 15\r\norigin: 16\r\n\r\n");
  int number = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(Header::transfer_encoding); ++i) {
    const auto header = static_cast<Header>(i);
    EXPECT_TRUE(request.head.has(header)) << name_of(header);
    EXPECT_EQ(request.head.value(header), std::to_string(++number)) << name_of(header);
    EXPECT_EQ(request.head.find(name_of(header)).value, std::to_string(number)) << name_of(header);
  }
  EXPECT_FALSE(request.head.has(Header::transfer_encoding));
  EXPECT_EQ(request.head.value(Header::transfer_encoding), "");
  EXPECT_EQ(request.head.content_length(), 8U);
  EXPECT_EQ(request.head.size(), request.buffer.size());

  const Read chunked("POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\nX: y\r\n\r\nbody");
  EXPECT_EQ(chunked.head.value(Header::transfer_encoding), "chunked");
  EXPECT_TRUE(chunked.head.is_chunked());
  EXPECT_EQ(chunked.head.content_length(), 0U);
  EXPECT_EQ(chunked.head.size(), chunked.buffer.size() - 4);
}

// Each length, each fourth and fifth letter: most have a place in the table that no name has.
TEST(HttpHead, KnowsNoOtherNames) {
  for (std::size_t size = 0; size < 40; ++size) {
    for (char letter = '!'; letter <= '~'; ++letter) {
      std::string name(size, 'x');
      if (size > 3) name[3] = letter;
      EXPECT_EQ(named_header(name + ":").header, Header::none) << name;
      if (size > 4) std::swap(name[3], name[4]);
      EXPECT_EQ(named_header(name + ": value").header, Header::none) << name;
    }
  }
  for (unsigned i = 0; i < static_cast<unsigned>(Header::none); ++i) {
    const std::string name(name_of(static_cast<Header>(i)));
    const auto known = named_header(name + ":");
    EXPECT_EQ(known.header, static_cast<Header>(i));
    EXPECT_EQ(known.size, name.size());
    for (const std::string& other : {name, name + " :", name + "x:", name.substr(1) + ":", name.substr(0, 4) + ":",
                                     "x" + name.substr(1) + ":", name.substr(0, name.size() - 1) + ":"}) {
      if (other != "Host:") {
        EXPECT_EQ(named_header(other).header, Header::none) << other;
      }
    }
  }
}

// The reader has no names for the headers of responses, so it does not reject two of them.
TEST(HttpHead, IgnoresHeadersOfResponses) {
  const Read request(get("Allow: GET\r\nallow: GET\r\nVary: x\r\nvary: x\r\n"));
  EXPECT_EQ(request.head.find("Allow").count, 2U);
}

TEST(HttpHead, EmptyHeaderIsNotMissing) {
  const Read request(get("MCP-Session-Id: \t\r\nOrigin:\r\n"));
  EXPECT_TRUE(request.head.has(Header::mcp_session_id));
  EXPECT_TRUE(request.head.has(Header::origin));
  EXPECT_EQ(request.head.value(Header::origin), "");
  EXPECT_FALSE(request.head.has(Header::mcp_name));
}

TEST(HttpHead, FindsAnyHeaderByName) {
  const Read request(get("Mcp-Param-Region:  eu \r\nmcp-param-region: us\r\nX^: 1\r\nMcp-Param-Empty:\r\n"));
  const auto expect = [&](std::string_view name, std::string_view value, unsigned count) {
    EXPECT_EQ(request.head.find(name).value, value) << name;
    EXPECT_EQ(request.head.find(name).count, count) << name;
  };
  expect("MCP-PARAM-REGION", "eu", 2);
  expect("Mcp-Param-Empty", "", 1);
  expect("Mcp-Param-Regio", "", 0);
  expect("Mcp-Param", "", 0);
  expect("", "", 0);
  // These two differ only in the bit of the case of a letter.
  expect("X^", "1", 1);
  expect("X~", "", 0);
}

TEST(HttpHead, ParsesAccept) {
  struct Row {
    const char* fields;
    bool accepted;
  };
  const Row rows[] = {
      {"Accept: application/json\r\n", true},
      {"Accept: application/json, text/event-stream\r\n", true},
      {"Accept: text/event-stream,APPLICATION/JSON\r\n", true},
      {"Accept: text/event-stream\r\nAccept: application/json\r\n", true},
      {"Accept: text/event-stream\r\nX: y\r\naccept: application/json\r\n", true},
      {"Accept: */*\r\n", true},
      {"Accept: application/*\r\n", true},
      {"Accept: Application/*\r\n", true},
      {"Accept: application/json;charset=utf-8\r\n", true},
      {"Accept: application/json ; q=0.1\r\n", true},
      {"Accept: application/json;Q=1.000\r\n", true},
      {"Accept: application/json;q=0.001\r\n", true},
      {"Accept: ,, application/json ,\r\n", true},
      {"Accept: application/*;q=0, application/json\r\n", true},
      {"Accept: */*;q=0, application/*\r\n", true},
      {"Accept: */*, text/*;q=0\r\n", true},
      {"Accept: application/json;a=\",;q=0\"\r\n", true},
      {"", true},
      {"Accept-Encoding: text/html\r\n", true},
      {"Accept:\r\n", false},
      {"Accept: ,\r\n", false},
      {"Accept: text/html\r\n", false},
      {"Accept: text/*\r\n", false},
      {"Accept: application/jso\r\n", false},
      {"Accept: application/json5\r\n", false},
      {"Accept: application/jsonx, xapplication/json\r\n", false},
      {"Accept: application\r\n", false},
      {"Accept: application/\r\n", false},
      {"Accept: application/x\r\n", false},
      {"Accept: applicatioN2*\r\n", false},
      {"Accept: /*\r\n", false},
      {"Accept: *\r\n", false},
      {"Accept: */json\r\n", false},
      {"Accept: application/json;q=0\r\n", false},
      {"Accept: application/json; q=0.000\r\n", false},
      {"Accept: application/json;charset=utf-8;q=0\r\n", false},
      {"Accept: application/json;q=0, */*\r\n", false},
      {"Accept: */*\r\nAccept: application/json;q=0\r\n", false},
      {"Accept: application/*;q=0, */*;q=1\r\n", false},
      {"Accept: text/plain;a=\", application/json\"\r\n", false},
      {"Accept: text/plain;a=\"\\\", application/json\"\r\n", false},
      {"Accept: text/plain;a=\", application/json\r\n", false},
      {"Accept: text/plain;a=\"\\\", application/json, \"\r\n", false},
  };
  for (const Row& row : rows) EXPECT_EQ(Read(get(row.fields)).head.accepts_json(), row.accepted) << row.fields;
}

TEST(HttpHead, ParsesTheMediaType) {
  EXPECT_TRUE(is_media_type("application/json", "application/json"));
  EXPECT_TRUE(is_media_type("Application/JSON; charset=utf-8", "application/json"));
  EXPECT_TRUE(is_media_type("application/json\t;", "application/json"));
  EXPECT_FALSE(is_media_type("", "application/json"));
  EXPECT_FALSE(is_media_type("text/plain", "application/json"));
  EXPECT_FALSE(is_media_type("text/plain;application/json", "application/json"));
  EXPECT_FALSE(is_media_type("application/json, text/plain", "application/json"));
  EXPECT_FALSE(is_media_type("application/jsonp", "application/json"));
}

// ---- Bodies --------------------------------------------------------------------------------------------------------

TEST(HttpBody, RequestWithoutABodyIsDoneAtOnce) {
  RequestBody body;
  EXPECT_EQ(body.progress(), Progress::done);
  EXPECT_EQ(body.read(std::string_view("GET")), 0U);
  EXPECT_EQ(body.expected(), 0U);
}

// A caller may receive directly into the buffer of the body. A body with a length stays, and chunks move to the front.
TEST(HttpBody, DecodesInPlace) {
  const std::string chunked = "3\r\nhel\r\n2;x\r\nlo\r\n0\r\n\r\nrest";
  for (std::size_t piece = 1; piece <= chunked.size(); ++piece) {
    Read request("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    std::string room(64, '?');
    RequestBody body(request.head, room);
    std::size_t at = 0;
    while (body.progress() == Progress::more) {
      const std::string_view next = std::string_view(chunked).substr(at, piece);
      const std::span<char> place = std::span(room).subspan(body.size(), next.size());
      std::copy(next.begin(), next.end(), place.begin());
      at += body.read(place);
    }
    EXPECT_EQ(room.substr(0, body.size()), "hello") << piece;
    EXPECT_EQ(chunked.substr(at), "rest") << piece;
  }
}

TEST(HttpBody, ReturnsTheNumberOfExpectedBytes) {
  Read sized("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
  char room[64];
  RequestBody whole(sized.head, room);
  EXPECT_EQ(whole.expected(), 5U);
  EXPECT_EQ(whole.read(std::string_view("hel")), 3U);
  EXPECT_EQ(whole.expected(), 2U);
  EXPECT_EQ(whole.read(std::string_view("lo!")), 2U);
  EXPECT_EQ(whole.expected(), 0U);

  Read chunked("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  RequestBody body(chunked.head, room);
  EXPECT_EQ(body.expected(), 0U);
  EXPECT_EQ(body.read(std::string_view("5\r\nh")), 4U);
  EXPECT_EQ(body.expected(), 4U);
  EXPECT_EQ(body.read(std::string_view("ello")), 4U);
  EXPECT_EQ(body.expected(), 0U);
}

// ---- Errors --------------------------------------------------------------------------------------------------------

TEST(HttpErrors, EachErrorHasAStatusAndAMessage) {
  const std::pair<ParseError, unsigned> codes[] = {
      {ParseError::bad_request_line, 400},
      {ParseError::bad_target, 400},
      {ParseError::bad_field, 400},
      {ParseError::repeated_field, 400},
      {ParseError::bad_host, 400},
      {ParseError::control_character, 400},
      {ParseError::bad_length, 400},
      {ParseError::length_and_coding, 400},
      {ParseError::bad_coding, 400},
      {ParseError::bad_chunk, 400},
      {ParseError::length_required, 411},
      {ParseError::body_too_large, 413},
      {ParseError::overhead_too_large, 413},
      {ParseError::target_too_long, 414},
      {ParseError::head_too_long, 431},
      {ParseError::unknown_coding, 501},
      {ParseError::unsupported_version, 505},
  };
  std::set<std::string_view> sentences;
  for (const auto& [error, code] : codes) {
    EXPECT_EQ(code_of(status_of(error)), code) << sentence_of(error);
    EXPECT_TRUE(sentence_of(error).ends_with('.')) << sentence_of(error);
    EXPECT_TRUE(sentences.insert(sentence_of(error)).second) << sentence_of(error);
  }
  EXPECT_EQ(sentence_of(ParseError::length_required), "POST needs a length.");
  EXPECT_EQ(sentence_of(ParseError::unsupported_version), "Use HTTP/1.1 or HTTP/1.0.");
  EXPECT_EQ(sentence_of(ParseError::none), "");
}

// A quoted part without a closing quote continues to the end of the list, also after a backslash.
TEST(HttpList, QuotedPartsHideSeparators) {
  EXPECT_TRUE(list_has("\"a,b\", c", "c"));
  EXPECT_FALSE(list_has("\"a,b\", c", "b\""));
  EXPECT_TRUE(list_has("\"\\\",x\", c", "c"));
  EXPECT_FALSE(list_has("\"a, c", "c"));
  EXPECT_FALSE(list_has("x, \"c\\", "c"));
}

}  // namespace
