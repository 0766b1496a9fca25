// SPDX-License-Identifier: Apache-2.0
#include "support/http_client.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>

namespace test {
namespace {

bool all_digits(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

// The head in front of `received`, taken off; status 0 when it is not complete.
HttpResponse take_head(std::string& received) {
  HttpResponse response;
  const std::size_t end = received.find("\r\n\r\n");
  if (end == std::string::npos) return response;
  std::string head = received.substr(0, end + 2);
  received.erase(0, end + 4);
  const std::size_t line_end = head.find("\r\n");
  const std::string line = head.substr(0, line_end);
  EXPECT_EQ(line.substr(0, 9), "HTTP/1.1 ");
  EXPECT_TRUE(line.size() > 13 && all_digits(line.substr(9, 3), "0123456789") && line[12] == ' ') << line;
  response.status = std::atoi(line.substr(9, 3).c_str());
  for (head.erase(0, line_end + 2); !head.empty();) {
    const std::size_t next = head.find("\r\n");
    const std::size_t colon = head.find(": ");
    if (colon == std::string::npos || colon > next) {
      ADD_FAILURE() << "no field: " << head;
      break;
    }
    std::string name = head.substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_TRUE(response.headers.emplace(name, head.substr(colon + 2, next - colon - 2)).second) << "twice: " << name;
    head.erase(0, next + 2);
  }
  return response;
}

}  // namespace

HttpResponse HttpClient::response() {
  take();
  EXPECT_FALSE(streams_ && !ended_) << "a stream is still running";
  const std::string before = received_;
  HttpResponse response = take_head(received_);
  streams_ = chunked_ = ended_ = false;
  if (response.status == 0) return response;
  const bool empty = response.status == 100 || response.status == 204;
  chunked_ = response.headers.count("transfer-encoding") != 0;
  const bool has_length = response.headers.count("content-length") != 0;
  EXPECT_FALSE(chunked_ && has_length);
  if (chunked_) {
    EXPECT_EQ(response.header("transfer-encoding"), "chunked");
  }
  if (empty) {
    EXPECT_FALSE(chunked_ || has_length);
  } else if (has_length) {
    const std::string length = response.header("content-length");
    EXPECT_TRUE(all_digits(length, "0123456789")) << length;
    const auto size = static_cast<std::size_t>(std::atoi(length.c_str()));
    if (received_.size() < size) {  // not complete
      received_ = before;
      return {};
    }
    response.body = received_.substr(0, size);
    received_.erase(0, size);
    EXPECT_EQ(response.header("content-type"), size != 0 ? "application/json" : "(none)");
  } else {
    const std::string type = response.header("content-type");
    EXPECT_TRUE(type == "text/event-stream" || type == "application/json") << type;
    if (!chunked_) {
      EXPECT_EQ(response.header("connection"), "close");
    }
    response.streams = streams_ = true;
  }
  return response;
}

void HttpClient::take_chunks() {
  for (;;) {
    const std::size_t line = received_.find("\r\n");
    if (ended_ || line == std::string::npos) return;
    const std::string digits = received_.substr(0, line);
    EXPECT_TRUE(all_digits(digits, "0123456789abcdefABCDEF")) << "no size of a chunk: " << digits;
    const std::size_t size = std::strtoul(digits.c_str(), nullptr, 16);
    if (received_.size() < line + 2 + size + 2) return;
    EXPECT_EQ(received_.substr(line + 2 + size, 2), "\r\n");
    text_ += received_.substr(line + 2, size);
    received_.erase(0, line + 2 + size + 2);
    if (size == 0) ended_ = true;
  }
}

void HttpClient::take_stream() {
  take();
  EXPECT_TRUE(streams_) << "no stream: " << received_;
  if (chunked_) return take_chunks();
  text_ += std::exchange(received_, {});
  ended_ = connection_->closed();
}

std::string HttpClient::text() {
  take_stream();
  return std::exchange(text_, {});
}

std::vector<HttpEvent> HttpClient::events() {
  take_stream();
  std::vector<HttpEvent> events;
  for (std::size_t end = text_.find("\n\n"); end != std::string::npos; end = text_.find("\n\n")) {
    std::string block = text_.substr(0, end + 1);
    text_.erase(0, end + 2);
    EXPECT_EQ(block.find('\r'), std::string::npos);
    HttpEvent event;
    while (!block.empty()) {
      const std::size_t line_end = block.find('\n');
      const std::string line = block.substr(0, line_end);
      block.erase(0, line_end + 1);
      if (line.substr(0, 2) == ": ") {
        event.comment = line.substr(2);
      } else if (line == ":") {
        // a comment that only shows that the connection is alive
      } else if (line.substr(0, 4) == "id: ") {
        EXPECT_EQ(event.id, "");
        event.id = line.substr(4);
      } else if (line.substr(0, 7) == "event: ") {
        EXPECT_EQ(event.type, "");
        event.type = line.substr(7);
      } else if (line.substr(0, 7) == "retry: ") {
        event.retry = line.substr(7);
      } else if (line.substr(0, 6) == "data: ") {
        EXPECT_FALSE(event.data.has_value());
        event.data = line.substr(6);
      } else {
        ADD_FAILURE() << "no line of an event: " << line;
      }
    }
    events.push_back(event);
  }
  if (ended_) {
    EXPECT_EQ(text_, "") << "half an event";
  }
  return events;
}

}  // namespace test
