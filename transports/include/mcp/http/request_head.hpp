// SPDX-License-Identifier: Apache-2.0
// The head of an HTTP/1.1 request. It is found in the input, checked strictly, and read in place. It does not depend on
// a socket, a path or a body.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/http/header.hpp"
#include "mcp/http/status.hpp"

namespace mcp::http {

/// The methods that MCP uses. `other` is any other token, to which the caller responds with 405 or 501.
enum class Method : std::uint8_t { post, get, delete_, options, other };

/// The contents of one head. RequestHeadReader fills a new one (`= {}`) for each request.
/// Lifetime: all views point into the buffer of RequestHeadReader::read(), and are valid while its bytes stay there.
/// Context: main loop. Source: RFC 9112, RFC 9110.
class RequestHead {
 public:
  [[nodiscard]] Method method() const { return method_; }
  /// True for HEAD, whose method() is `other`, because the endpoint does not serve it.
  [[nodiscard]] bool is_head() const;

  /// Returns the path of the target, from its `/` to the `?`, not decoded. "*" for OPTIONS *. Never empty.
  [[nodiscard]] std::string_view path() const { return path_; }
  /// Returns the query of the target, after the `?`, not decoded. Empty without a query.
  [[nodiscard]] std::string_view query() const { return query_; }

  /// True for HTTP/1.0, which some reverse proxies use to their servers. The response must have no chunks. A response
  /// without a length ends with the connection.
  [[nodiscard]] bool is_http_1_0() const { return minor_version_ == 0; }

  /// False if the server must close the connection after the response: for `Connection: close`, and for HTTP/1.0.
  [[nodiscard]] bool keeps_alive() const { return !closes_ && !is_http_1_0(); }

  /// True if the client may wait for `100 Continue` (continue_response) or the response before it sends the body.
  /// Ignores other expectations, and all expectations of HTTP/1.0. Source: RFC 9110 section 10.1.1.
  [[nodiscard]] bool expects_continue() const { return expects_continue_ && !is_http_1_0(); }

  /// True if the body has chunks. Its length is unknown then, and content_length() is 0.
  [[nodiscard]] bool is_chunked() const { return chunked_; }
  /// Returns the bytes of the body. SIZE_MAX for a longer body, 0 without a body.
  [[nodiscard]] std::size_t content_length() const { return content_length_; }

  /// Returns the bytes of the head in the buffer, including an empty line before it. The body begins after them.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// True if the request has the header, even with an empty value.
  [[nodiscard]] bool has(Header header) const { return values_[static_cast<unsigned>(header)].at != 0; }
  /// Returns the value without spaces and tabs at its ends. Empty without the header. For a list, only the first line.
  [[nodiscard]] std::string_view value(Header header) const;

  /// The first value of a header, and the number of its lines.
  struct Match {
    std::string_view value;
    unsigned count;
  };
  /// Finds any header by its name, such as `Mcp-Param-Region`. Case does not matter. A Header that is not a list has at
  /// most one line. A caller that relies on the value of any other header must reject a count above 1.
  [[nodiscard]] Match find(std::string_view name) const;

  /// True if the lines of Accept allow `application/json`. The closest range decides, and q=0 forbids. Other parameters
  /// are ignored. True without Accept. MCP requires the header, but HTTP then allows each type.
  /// Source: RFC 9110 section 12.5.1; basic/transports#sending-messages-to-the-server, 2025-11-25.
  [[nodiscard]] bool accepts_json() const { return json_fit_ % 2 != 0; }
  /// As accepts_json(), for `text/event-stream`.
  [[nodiscard]] bool accepts_events() const { return event_fit_ % 2 != 0; }

  // For RequestHeadReader, which has found the end of each line and rejected control characters. The line has
  // `line.size()` bytes and a CR after them, in the buffer at `base`.
  /// Checks the first line and stores its contents.
  [[nodiscard]] ParseError read_request_line(const char* base, std::string_view line);
  /// Checks another line and stores its header if the server reads it.
  [[nodiscard]] ParseError read_field(std::string_view line);
  /// Returns the first line after the request line.
  [[nodiscard]] const char* fields() const { return fields_; }
  /// Corrects the position of a value after its line was moved `by` bytes towards the begin of the buffer, to `line`.
  void note_moved(std::string_view line, std::size_t by);
  /// Moves the line of a header to the end of the `filled` bytes in the buffer. The head must have the header. The rest
  /// of the head and all bytes after it move towards the begin. value() of the header stays valid. Returns the size of
  /// the line.
  std::size_t set_apart(Header header, char* buffer, std::size_t filled);
  /// Ends a head of `size` bytes with the checks that depend on several lines.
  [[nodiscard]] ParseError finish(std::size_t size);

 private:
  /// The position of a value in the buffer. 0 means no value, because the request line comes first.
  struct Slice {
    std::uint16_t at;
    std::uint16_t size;
  };

  ParseError check_target(std::string_view target);
  void read_accept(std::string_view ranges);
  ParseError check_host();
  ParseError check_body();
  ParseError check_coding();
  void set(Header header, std::string_view value);

  // Members of frequent use come first, because larger offsets need longer instructions.
  Method method_ = {};
  std::uint8_t minor_version_ = 0;
  bool closes_ : 1 = false;
  bool expects_continue_ : 1 = false;
  bool chunked_ : 1 = false;
  std::uint8_t json_fit_ = 0;  // of the closest range of Accept
  std::uint8_t event_fit_ = 0;
  std::uint16_t size_ = 0;
  Slice values_[static_cast<unsigned>(Header::none)] = {};
  const char* base_ = nullptr;
  const char* fields_ = nullptr;  // the first line after the request line
  std::string_view path_;
  std::string_view query_;
  std::string_view authority_;  // of the target
  std::size_t content_length_ = 0;
};

/// Reads a head line by line while the input arrives. Use a new one (`= {}`) for each request.
class RequestHeadReader {
 public:
  /// The longest head in bytes, also if the buffer is larger.
  static constexpr std::size_t max_size = 0xFFFF;

  /// Reads the lines in the first `filled` bytes of `buffer`, each once, and skips one empty line before the head.
  /// The request begins at `buffer[0]`. Each call passes the same buffer and head, with new bytes after the bytes of
  /// the last call. `head` must be new, and is valid only after `done`. The bytes after head.size() belong to the body
  /// or to the next request. Ownership: the buffer belongs to the caller, and is not changed. Limits: the head must fit
  /// into `buffer` and into max_size, except fields that make_space() removes. The time is linear in the size of the
  /// head. Errors: `rejected`; see error(). A head that is too long gets 400 within its method, 414 within its target,
  /// and 431 after its target. Each ambiguous head is rejected. Do not call again after `done` or `rejected`. Source:
  /// RFC 9112 section 2.2.
  [[nodiscard]] Progress read(std::span<const char> buffer, std::size_t filled, RequestHead& head);

  /// Returns the error if read() returned `rejected`; else `none`.
  [[nodiscard]] ParseError error() const { return error_; }

  /// Continues after ParseError::head_too_long, with a larger buffer at the same address.
  void resume() { error_ = ParseError::none; }
  /// Returns the received part of the line that has no end yet.
  [[nodiscard]] std::string_view current_line(const char* buffer) const {
    return {buffer + line_, static_cast<std::size_t>(scanned_ - line_)};
  }

  /// The maximum number of bytes that make_space() removes from one head. Each call counts in units of 64 bytes,
  /// rounded up.
  static constexpr std::size_t max_dropped = 16'320;

  /// True if the application reads the field with this name by RequestHead::find(). `context` is the argument of
  /// make_space().
  using Reads = bool (*)(const void* context, std::string_view name);

  /// Makes space in the buffer of a head that was rejected with ParseError::head_too_long. Removes the fields that no
  /// code reads, including the received part of an unfinished last line. If error() is `none` afterwards, call read()
  /// again with the remaining bytes. Returns the number of removed bytes. Errors: error() does not change if no field
  /// can be removed, or if the removed bytes are more than max_dropped.
  /// Keeps the fields of a Header, fields whose names begin with `Mcp-`, and fields for which `reads` returns true.
  /// `reads`: nullptr if the application reads no further field.
  std::size_t make_space(char* buffer, std::size_t filled, RequestHead& head, Reads reads, const void* context);

 private:
  Progress reject(ParseError error);

  static constexpr std::size_t dropped_unit = 64;
  static_assert(max_dropped / dropped_unit <= UINT8_MAX);

  Progress read_line(const char* text, const char* end, RequestHead& head);

  std::uint16_t scanned_ = 0;  // scanned bytes; a CR is scanned with the byte after it
  std::uint16_t start_ = 0;    // where the request line begins
  std::uint16_t line_ = 0;     // where the current line begins
  ParseError error_ = ParseError::none;
  std::uint8_t dropped_ = 0;  // units of removed bytes
};

/// True if a Content-Type is this media type. Case and parameters do not matter.
[[nodiscard]] bool is_media_type(std::string_view content_type, const std::string_view& media_type);

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
