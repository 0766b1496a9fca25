// SPDX-License-Identifier: Apache-2.0
// The head of an HTTP/1.1 request: found in what was received, checked strictly, read in place. Knows no sockets, no
// path, no body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/http/header.hpp"
#include "mcp/http/status.hpp"

namespace mcp::http {

/// Methods that MCP gives a meaning. `other` is any further token, which the caller answers with 405 or 501.
enum class Method : std::uint8_t { get, post, delete_, options, other };

/// What a head says. A fresh one (`= {}`) for each request, filled by RequestHeadReader; every view points into the
/// buffer that was given there, and is valid as long as those bytes stay where they are. Source: RFC 9112, RFC 9110.
/// Main loop.
class RequestHead {
 public:
  [[nodiscard]] Method method() const { return method_; }

  /// Of the target: from its `/` to the `?`, not decoded; "*" for OPTIONS *. Never empty.
  [[nodiscard]] std::string_view path() const { return path_; }
  /// Of the target: what is behind the `?`, not decoded; empty when there is none.
  [[nodiscard]] std::string_view query() const { return query_; }

  /// True for HTTP/1.0. Such a request is served, since reverse proxies still speak it to the servers behind them. Its
  /// answer has no chunks: when its length is not known, its end is the end of the connection.
  [[nodiscard]] bool is_http_1_0() const { return minor_version_ == 0; }

  /// False when the connection must be closed after the answer: the client says so, or speaks HTTP/1.0.
  [[nodiscard]] bool keeps_alive() const { return !closes_ && !is_http_1_0(); }

  /// True when the client may hold the body back until `100 Continue` (continue_response) or the answer was sent. False
  /// for HTTP/1.0, which knows no such expectation (RFC 9110 section 10.1.1). Other expectations are not looked at.
  [[nodiscard]] bool expects_continue() const { return expects_continue_ && !is_http_1_0(); }

  /// True when the body comes in chunks; its length is not known then, and content_length() 0.
  [[nodiscard]] bool is_chunked() const { return chunked_; }
  /// Bytes of the body, SIZE_MAX for more than that; 0 when there is none.
  [[nodiscard]] std::size_t content_length() const { return content_length_; }

  /// Bytes that the head takes in the buffer, an empty line before it included. The body begins behind them.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// True when the header was there, be it empty.
  [[nodiscard]] bool has(Header header) const { return values_[static_cast<unsigned>(header)].at != 0; }
  /// Its value without blanks at its ends; empty when it was not there. Of a list in several lines: the first line.
  [[nodiscard]] std::string_view value(Header header) const;

  /// What find() found: the first value, and how often the name was there.
  struct Match {
    std::string_view value;
    unsigned count;
  };
  /// Looks for any header by its name, whatever its case: `Mcp-Param-Region`. One that is known (Header) and no list is
  /// there once at most; of others, a caller that relies on the value must refuse a count above 1. One pass.
  [[nodiscard]] Match find(std::string_view name) const;

  /// True when Accept, in all its lines, allows an answer of this media type ("application/json"). The range that fits
  /// most closely decides; a q of 0 is no; parameters of ranges are ignored. False without Accept: HTTP would take that
  /// for anything, but MCP demands the header (basic/transports#sending-messages-to-the-server, 2025-11-25).
  [[nodiscard]] bool accepts(const std::string_view& media_type) const;

  /// Checks a complete head, and fills this one with it: `size` bytes, which begin at `base + at`. For
  /// RequestHeadReader, which has found the end of the head and rejected control characters.
  [[nodiscard]] ParseError check(const char* base, std::size_t at, std::size_t size);

 private:
  /// A place in the buffer. No value is at 0, where the request line begins.
  struct Slice {
    std::uint16_t at;
    std::uint16_t size;
  };

  ParseError check_request_line(std::string_view line, std::string_view& authority);
  ParseError check_target(std::string_view target, std::string_view& authority);
  ParseError check_fields();
  ParseError check_host(std::string_view authority);
  ParseError check_body();
  ParseError check_coding();
  void set(Header header, std::string_view value);

  // What is asked for in many places comes first: to reach what is further back takes longer instructions.
  Method method_ = {};
  std::uint8_t minor_version_ = 0;
  bool closes_ = false;
  bool a_list_goes_on_ = false;  // in a second line
  bool expects_continue_ = false;
  bool chunked_ = false;
  std::uint16_t size_ = 0;
  Slice values_[static_cast<unsigned>(Header::none)] = {};
  const char* base_ = nullptr;
  std::string_view fields_;  // their lines, without the empty one
  std::string_view path_;
  std::string_view query_;
  std::size_t content_length_ = 0;
};

/// Finds the end of a head while its bytes come in. One per connection; a fresh one (`= {}`) for each request.
class RequestHeadReader {
 public:
  /// Largest head in bytes, whatever the size of the buffer.
  static constexpr std::size_t max_size = 0xFFFF;

  /// Looks at what was received: the first `filled` bytes of `buffer`, of which the first is the first byte of this
  /// request, and which are those of the last call and any number of further ones. When the head is complete, checks it
  /// once and fills `head`, a fresh one; what is behind head.size() belongs to the body, or to the next request. An
  /// empty line in front is skipped, once (RFC 9112 section 2.2).
  ///
  /// The buffer belongs to the caller and is only read. Its size is the limit of the head: when it is full, the request
  /// is refused, with 414 while the target still goes on, else with 431. What else is refused: all that two readers
  /// could understand in two ways. Every byte is looked at a few times at most. What `head` says is of use only after
  /// `done`. Not to be called after `done` and `refused`.
  [[nodiscard]] Progress read(std::span<const char> buffer, std::size_t filled, RequestHead& head);

  /// Why read() has refused, else `none`.
  [[nodiscard]] ParseError refusal() const { return refusal_; }

 private:
  Progress reject(ParseError refusal);

  std::uint16_t scanned_ = 0;  // bytes that were looked at; a CR only with the byte behind it
  std::uint16_t start_ = 0;    // where the request line begins
  std::uint16_t line_ = 0;     // where the line begins that is looked at
  ParseError refusal_ = ParseError::none;
};

/// True when a Content-Type is this media type, whatever its case and parameters.
[[nodiscard]] bool is_media_type(std::string_view content_type, const std::string_view& media_type);

}  // namespace mcp::http
