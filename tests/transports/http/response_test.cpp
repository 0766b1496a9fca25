// Heads of responses into memory of every size, and frames of chunks.
#include "transports/http/response_head.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "transports/http/request_body.hpp"
#include "transports/http/request_head.hpp"

namespace {

using namespace mcp::http;

std::string_view text_of(std::span<const char> bytes) { return {bytes.data(), bytes.size()}; }

TEST(HttpResponse, EveryStatusLine) {
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
    char room[64];
    EXPECT_EQ(text_of(ResponseHead(room, status).finish()), "HTTP/1.1 " + std::string(line) + "\r\n\r\n");
    EXPECT_EQ(std::to_string(code_of(status)), std::string(line).substr(0, 3));
  }
}

TEST(HttpResponse, EveryHeader) {
  const std::pair<Header, const char*> names[] = {
      {Header::content_type, "Content-Type"},
      {Header::content_length, "Content-Length"},
      {Header::transfer_encoding, "Transfer-Encoding"},
      {Header::connection, "Connection"},
      {Header::allow, "Allow"},
      {Header::mcp_session_id, "MCP-Session-Id"},
      {Header::www_authenticate, "WWW-Authenticate"},
      {Header::cache_control, "Cache-Control"},
      {Header::access_control_allow_headers, "Access-Control-Allow-Headers"},
      {Header::access_control_allow_methods, "Access-Control-Allow-Methods"},
      {Header::access_control_allow_origin, "Access-Control-Allow-Origin"},
      {Header::access_control_expose_headers, "Access-Control-Expose-Headers"},
      {Header::vary, "Vary"},
      {Header::x_accel_buffering, "X-Accel-Buffering"},
  };
  for (const auto& [header, name] : names) {
    char room[128];
    EXPECT_EQ(text_of(ResponseHead(room, Status::ok).field(header, "some value").finish()),
              "HTTP/1.1 200 OK\r\n" + std::string(name) + ": some value\r\n\r\n");
  }
}

TEST(HttpResponse, EverySizeOfTheRoom) {
  const std::string expected =
      "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  for (std::size_t size = 0; size <= expected.size() + 3; ++size) {
    std::string room(size, '?');
    const auto head = ResponseHead(room, Status::method_not_allowed)
                          .field(Header::allow, "POST")
                          .field(Header::content_length, 0U)
                          .field(Header::connection, "close")
                          .finish();
    EXPECT_EQ(text_of(head), size < expected.size() ? "" : expected) << size;
    if (size > expected.size()) {
      EXPECT_EQ(room.back(), '?') << "nothing is written behind the head";
    }
  }
}

TEST(HttpResponse, Numbers) {
  for (const std::uint32_t number : {0U, 9U, 10U, 65'535U, 4'294'967'295U}) {
    char room[64];
    EXPECT_EQ(text_of(ResponseHead(room, Status::ok).field(Header::content_length, number).finish()),
              "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(number) + "\r\n\r\n");
  }
}

// No value can end its line, or the head; a later good one does not make up for it.
TEST(HttpResponse, NoValueBreaksOut) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool allowed = byte == '\t' || (byte >= 0x20 && byte != 0x7F);
    const std::string value = std::string("a") + static_cast<char>(byte) + "X-Evil: 1";
    char room[128];
    const auto head =
        ResponseHead(room, Status::ok).field(Header::mcp_session_id, value).field(Header::content_length, 0U).finish();
    EXPECT_EQ(!head.empty(), allowed) << byte;
  }
  char room[128];
  EXPECT_EQ(text_of(ResponseHead(room, Status::ok).field(Header::vary, "").finish()),
            "HTTP/1.1 200 OK\r\nVary: \r\n\r\n");
  EXPECT_TRUE(ResponseHead(room, Status::ok).field(Header::vary, "a\r\n").finish().empty());
}

TEST(HttpChunks, AreFramedInPlace) {
  for (const std::size_t size : {1U, 15U, 16U, 255U, 4096U, 70'000U}) {
    std::string room(chunk_prefix_size + size + chunk_suffix_size, 'x');
    const std::string_view chunk = text_of(frame_chunk(room, size));
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08zx", size);
    EXPECT_EQ(chunk, std::string(digits) + "\r\n" + std::string(size, 'x') + "\r\n");
  }
  char room[20] = {};
  EXPECT_TRUE(frame_chunk(room, 0).empty()) << "an empty chunk would be the last";
  EXPECT_EQ(frame_chunk(room, 3).size(), 15U) << "room may be left";
}

TEST(HttpChunks, NeedRoom) {
  char room[20];
  EXPECT_DEATH(static_cast<void>(frame_chunk(room, 9)), "contract");
  EXPECT_DEATH(static_cast<void>(frame_chunk(std::span(room).first(11), 0)), "contract");
}

// The reader of requests understands what is written here.
TEST(HttpChunks, AreReadBack) {
  const std::string head_text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  RequestHead head;
  ASSERT_EQ(RequestHeadReader().read(head_text, head_text.size(), 64, head), Progress::done);
  std::string room = std::string(chunk_prefix_size, ' ') + "hello" + std::string(chunk_suffix_size, ' ');
  std::string content(64, '?');
  RequestBody body(head, content);
  EXPECT_EQ(body.read(frame_chunk(room, 5)), room.size());
  EXPECT_EQ(body.read(last_chunk), last_chunk.size());
  EXPECT_EQ(body.progress(), Progress::done);
  EXPECT_EQ(content.substr(0, body.size()), "hello");
}

TEST(HttpResponse, Continue) { EXPECT_EQ(continue_response, "HTTP/1.1 100 Continue\r\n\r\n"); }

}  // namespace
