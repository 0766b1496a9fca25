// SPDX-License-Identifier: Apache-2.0
// Headers of responses in buffers of each size, frames of chunks, and their string functions.
#include "http/http1/response_head.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "http/http1/http_text.hpp"
#include "mcp/http/request_body.hpp"
#include "mcp/http/request_head.hpp"

namespace {

using namespace mcp::http;

TEST(HttpResponse, WritesEveryStatusLine) {
  const std::pair<Status, const char*> lines[] = {
      {Status::ok, "200 OK"},
      {Status::accepted, "202 Accepted"},
      {Status::no_content, "204 No Content"},
      {Status::bad_request, "400 Bad Request"},
      {Status::unauthorized, "401 Unauthorized"},
      {Status::forbidden, "403 Forbidden"},
      {Status::not_found, "404 Not Found"},
      {Status::method_not_allowed, "405 Method Not Allowed"},
      {Status::not_acceptable, "406 Not Acceptable"},
      {Status::request_timeout, "408 Request Timeout"},
      {Status::length_required, "411 Length Required"},
      {Status::content_too_large, "413 Content Too Large"},
      {Status::uri_too_long, "414 URI Too Long"},
      {Status::unsupported_media_type, "415 Unsupported Media Type"},
      {Status::fields_too_large, "431 Request Header Fields Too Large"},
      {Status::internal_server_error, "500 Internal Server Error"},
      {Status::not_implemented, "501 Not Implemented"},
      {Status::service_unavailable, "503 Service Unavailable"},
      {Status::version_not_supported, "505 HTTP Version Not Supported"},
  };
  for (const auto& [status, line] : lines) {
    EXPECT_EQ(line_of(status), line);
    EXPECT_EQ(std::to_string(code_of(status)), std::string(line).substr(0, 3));
  }
}

TEST(HttpResponse, WritesNothingBeyondABufferOfAnySize) {
  const std::string expected = "\r\nWWW-Authenticate: Bearer realm=\"a\"\r\nVary: Origin";
  for (std::size_t size = 0; size <= expected.size() + 3; ++size) {
    std::string room(size, '?');
    ResponseHead head(room);
    head.begin("WWW-Authenticate");
    head.append("Bearer");
    head.append(" realm=\"a\"");
    head.begin("Vary");
    head.append("Origin");
    EXPECT_EQ(head.ok(), size >= expected.size()) << size;
    if (head.ok()) {
      EXPECT_EQ(head.text(), expected);
    }
    if (size > expected.size()) {
      EXPECT_EQ(room.back(), '?') << "nothing is written behind the head";
    }
  }
}

// No value can end its line or the head. A later valid value does not change that.
TEST(HttpResponse, RejectsValuesThatEndTheirLine) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool allowed = byte == '\t' || (byte >= 0x20 && byte != 0x7F);
    const std::string value = std::string("a") + static_cast<char>(byte) + "X-Evil: 1";
    char room[128];
    ResponseHead head(room);
    head.begin("WWW-Authenticate");
    head.append(value);
    head.append("b");
    EXPECT_EQ(head.ok(), allowed) << byte;
  }
  char room[128];
  ResponseHead empty(room);
  EXPECT_EQ(empty.text(), "");
  empty.begin("Vary");
  empty.append("");
  EXPECT_TRUE(empty.ok());
  EXPECT_EQ(empty.text(), "\r\nVary: ");
}

TEST(HttpTexts, PutBeforeWritesBackwards) {
  for (const std::uint32_t number : {0U, 9U, 10U, 65'535U, 4'294'967'295U}) {
    std::string room(16, '?');
    char* const end = room.data() + 14;
    EXPECT_EQ(std::string(put_before(end, number), end), std::to_string(number));
    EXPECT_EQ(room.substr(14), "??");
  }
  std::string room(16, '.');
  char* const at = put_before(put_before(put_before(room.data() + 12, "last"), "-"sv), ""sv);
  EXPECT_EQ(at, room.data() + 7);
  EXPECT_EQ(room, ".......-last....");
}

TEST(HttpTexts, TakesAnHttpScheme) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"http://a", "a"}, {"https://a/b", "a/b"}, {"HTTPS://a", "a"}, {"http://", ""}};
  for (const auto& [uri, expected] : rows) {
    std::string_view rest = uri;
    EXPECT_TRUE(skip_scheme(rest)) << uri;
    EXPECT_EQ(rest, expected);
  }
  for (std::string_view wrong : {"", "http", "http:", "http:/a", "ftp://a", "://a", "httpss://a", "a"}) {
    EXPECT_FALSE(skip_scheme(wrong)) << wrong;
  }
}

TEST(HttpChunks, FramesChunksInPlace) {
  for (const std::size_t size : {1U, 15U, 16U, 255U, 4096U, 70'000U}) {
    std::string room(chunk_prefix_size + size + chunk_suffix_size, 'x');
    char* begin = room.data() + chunk_prefix_size;
    char* end = begin + size;
    frame_chunk(begin, end);
    char digits[16];
    std::snprintf(digits, sizeof digits, "%zx", size);
    EXPECT_EQ(std::string(begin, end), std::string(digits) + "\r\n" + std::string(size, 'x') + "\r\n");
  }
}

// The reader of requests decodes the chunks that the server writes.
TEST(HttpChunks, ReadsItsOwnChunks) {
  const std::string head_text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  RequestHead head;
  ASSERT_EQ(RequestHeadReader().read(head_text, head_text.size(), head), Progress::done);
  std::string room = std::string(chunk_prefix_size, ' ') + "hello" + std::string(chunk_suffix_size, ' ');
  std::string content(64, '?');
  RequestBody body(head, content);
  char* begin = room.data() + chunk_prefix_size;
  char* end = begin + 5;
  frame_chunk(begin, end);
  EXPECT_EQ(std::string(begin, end), "5\r\nhello\r\n");
  EXPECT_EQ(body.read({begin, end}), 10U);
  EXPECT_EQ(body.read(last_chunk), last_chunk.size());
  EXPECT_EQ(body.progress(), Progress::done);
  EXPECT_EQ(content.substr(0, body.size()), "hello");
}

TEST(HttpResponse, WritesContinue) { EXPECT_EQ(continue_response, "HTTP/1.1 100 Continue\r\n\r\n"); }

}  // namespace
