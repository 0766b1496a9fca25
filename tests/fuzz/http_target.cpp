// SPDX-License-Identifier: Apache-2.0
// Compares the reader of HTTP requests with llhttp in strict mode. Both must read accepted requests in the same way.
// The README of this folder lists the requests that only one rejects. The outcome must not depend on the cuts of the
// bytes.
#include <llhttp.h>

#include <algorithm>
#include <cstring>

#include "fuzz/target.hpp"
#include "transports/http/read_request.hpp"

namespace {

using mcp::http::ParseError;
using mcp::http::Progress;

constexpr std::size_t room = 4096;

/// A request as llhttp has read it.
struct Theirs {
  std::string method;
  std::string url;
  std::string body;
  std::string name;
  std::string value;
  std::vector<std::pair<std::string, std::string>> fields;
  bool has_head = false;  // the body or trailers follow
  bool complete = false;
  bool upgrades = false;
  int major = 0;
  int minor = 0;
  llhttp_errno_t error = HPE_OK;
  std::string reason;
  std::string rest;
};

Theirs& of(llhttp_t* parser) { return *static_cast<Theirs*>(parser->data); }

template <std::string Theirs::*member>
int append(llhttp_t* parser, const char* at, std::size_t size) {
  (of(parser).*member).append(at, size);
  return 0;
}

int end_of_field(llhttp_t* parser) {
  Theirs& theirs = of(parser);
  // A trailer does not describe the request (RFC 9110 section 6.5.1): a Host there is not the Host field.
  if (!theirs.has_head) theirs.fields.emplace_back(theirs.name, theirs.value);
  theirs.name.clear();
  theirs.value.clear();
  return 0;
}

int end_of_head(llhttp_t* parser) {
  of(parser).has_head = true;
  return 0;
}

int end_of_message(llhttp_t* parser) {
  of(parser).complete = true;
  return HPE_PAUSED;
}

Theirs read_theirs(std::string_view input) {
  Theirs theirs;
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_method = append<&Theirs::method>;
  settings.on_url = append<&Theirs::url>;
  settings.on_header_field = append<&Theirs::name>;
  settings.on_header_value = append<&Theirs::value>;
  settings.on_body = append<&Theirs::body>;
  settings.on_header_value_complete = end_of_field;
  settings.on_headers_complete = end_of_head;
  settings.on_message_complete = end_of_message;
  llhttp_t parser;
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  parser.data = &theirs;
  theirs.error = llhttp_execute(&parser, input.data(), input.size());
  if (theirs.error != HPE_OK && llhttp_get_error_reason(&parser) != nullptr)
    theirs.reason = llhttp_get_error_reason(&parser);
  theirs.upgrades = parser.upgrade != 0;
  theirs.major = parser.http_major;
  theirs.minor = parser.http_minor;
  if (const char* const end = llhttp_get_error_pos(&parser); theirs.complete && end != nullptr)
    theirs.rest = std::string(end, input.data() + input.size());
  return theirs;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

/// The request of llhttp, in the form of test::Outcome::core.
std::string summary_of(const Theirs& theirs) {
  static constexpr std::string_view known[] = {"GET", "POST", "DELETE", "OPTIONS"};
  const bool is_known = std::find(std::begin(known), std::end(known), theirs.method) != std::end(known);
  std::string text = is_known ? lower(theirs.method) : "other";
  std::string target = theirs.url;
  std::string authority;
  if (const std::size_t scheme = target.find("://"); !target.starts_with('/') && scheme != target.npos) {
    const std::size_t end = std::min(target.find_first_of("/?", scheme + 3), target.size());
    authority = target.substr(scheme + 3, end - scheme - 3);
    target.erase(0, end);
  }
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string path = target.substr(0, mark);
  text += " " + (path.empty() ? "/" : path);
  if (mark + 1 < target.size()) text += " query " + target.substr(mark + 1);
  std::string host = "none";
  for (const auto& [name, value] : theirs.fields) {
    if (lower(name) == "host") host = trimmed(value);
  }
  if (host == "none" && theirs.minor == 0 && !authority.empty()) host = authority;
  if (host != "a") text += " host " + host;
  if (theirs.minor == 0) text += " 1.0";
  if (!theirs.body.empty()) text += " body " + theirs.body;
  if (!theirs.rest.empty()) text += " rest " + theirs.rest;
  return text;
}

/// Rows 1 to 11 and 16 of the table: rejected by mote only.
bool may_reject(ParseError error, const Theirs& theirs, std::string_view input) {
  switch (error) {
    case ParseError::bad_target:           // 1
    case ParseError::bad_host:             // 2
    case ParseError::repeated_field:       // 3
    case ParseError::length_required:      // 4
    case ParseError::unknown_coding:       // 5
    case ParseError::unsupported_version:  // 6
    case ParseError::bad_coding:           // 10
    case ParseError::length_and_coding:
    case ParseError::body_too_large:  // 7: our limits
    case ParseError::overhead_too_large:
    case ParseError::target_too_long:
    case ParseError::head_too_long: return true;
    case ParseError::control_character: {
      // 8: a line that ends with LF alone, and control characters in values.
      for (std::size_t i = 0; i < input.size(); ++i) {
        const auto c = static_cast<std::uint8_t>(input[i]);
        if (c == '\n' && (i == 0 || input[i - 1] != '\r')) return true;
        if (c == '\r' && i + 1 < input.size() && input[i + 1] != '\n') return true;
        if ((c < 0x20 && c != '\r' && c != '\n' && c != '\t') || c == 0x7F) return true;
      }
      return false;
    }
    case ParseError::bad_request_line:  // 9
      return theirs.major == 0 || input.starts_with("\r\n\r\n") || input.find("  ") != input.npos ||
             input.find(" \r\n") != input.npos;
    case ParseError::bad_field:  // 11: a line that goes on in the next one; 16: a trailer
      return theirs.upgrades || input.find("\n ") != input.npos || input.find("\n\t") != input.npos ||
             input.find("\n:") != input.npos || input.find("\r\n\n") != input.npos;
    case ParseError::bad_chunk: return theirs.upgrades;  // 16: it does not parse what follows the head
    default: return false;
  }
}

bool run(std::string_view input) {
  const test::Outcome whole = test::read_request({input}, room, room);
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < input.size(); ++i) bytes.push_back(input.substr(i, 1));
  const test::Outcome apart = test::read_request(bytes, room, room);
  if (whole.progress != apart.progress || whole.error != apart.error || whole.summary != apart.summary)
    fuzz::fail("another outcome byte by byte", apart.summary, whole.summary);

  const Theirs theirs = read_theirs(input);
  if (whole.progress == Progress::rejected) {
    if (theirs.complete && !may_reject(whole.error, theirs, input))
      fuzz::fail("rejected, and accepted by llhttp", mcp::http::sentence_of(whole.error), input);
    return false;
  }
  if (whole.progress == Progress::more) {
    // Row 16 again, with a body that is not complete.
    if (theirs.complete && !theirs.upgrades) fuzz::fail("more is wanted, and llhttp has all", whole.summary, input);
    return false;
  }
  if (!theirs.complete) {
    // Rows 12 to 15: rejected by llhttp only.
    const bool extended = input.find(';', input.find("\r\n\r\n")) != input.npos;
    const bool in_trailer = theirs.has_head && (theirs.reason.find("Transfer-Encoding") != std::string::npos ||
                                                theirs.reason.find("Content-Length") != std::string::npos ||
                                                theirs.reason.find("header") != std::string::npos);
    const bool explained = in_trailer || theirs.error == HPE_INVALID_METHOD ||
                           theirs.method == "PRI" ||  // after this head llhttp expects the rest of HTTP/2's preface
                           theirs.reason == "Invalid method for HTTP/x.x request" ||
                           theirs.reason == "Expected HTTP/2 Connection Preface" ||
                           theirs.reason.starts_with("Invalid character in chunk extensions") ||
                           (theirs.reason == "Invalid character in Content-Length" && input.find('\t') != input.npos) ||
                           (extended && theirs.reason == "Invalid character in chunk size");
    if (!explained)
      fuzz::fail("accepted, and refused by llhttp", whole.summary,
                 llhttp_errno_name(theirs.error) + (" " + theirs.reason));
    return false;
  }
  if (theirs.upgrades) return true;
  if (const std::string wanted = summary_of(theirs); whole.core != wanted)
    fuzz::fail("understood in two ways", whole.core, wanted);
  return true;
}

std::vector<std::string> seeds() {
  return {"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST /mcp?x=%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbodyGET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;x=\"y\"\r\nbody\r\n0\r\nT: v\r\n\r\nrest",
          "CONNECT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbo",
          "CONNECT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n",
          "DELETE /mcp HTTP/1.0\r\nHost: a:80\r\nMCP-Session-Id: 12\r\n\r\n",
          "OPTIONS * HTTP/1.1\r\nhost: a\r\nAccept: a/b;q=0, */*\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
          "\r\nGET http://a/b?c HTTP/1.1\r\nHost:a\r\nOrigin: http://x\r\n\r\n",
          "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nAuthorization: Bearer x\r\n\r\n"};
}

std::vector<std::string> words() {
  return {"\r\n",
          "\r\n\r\n",
          "\n",
          "\r",
          " ",
          "\t",
          ":",
          "HTTP/1.1",
          "HTTP/1.0",
          "HTTP/2.0",
          "HTTP/0.9",
          "GET ",
          "POST ",
          "PUT ",
          "HEAD ",
          "CONNECT ",
          "PRI ",
          "Host: a\r\n",
          "Content-Length: 0\r\n",
          "Content-Length: 4\r\n",
          "Content-Length: +4\r\n",
          "Content-Length: 4, 4\r\n",
          "Content-Length: 18446744073709551617\r\n",
          "Transfer-Encoding: chunked\r\n",
          "Transfer-Encoding: gzip, chunked\r\n",
          "Transfer-Encoding: chunked, gzip\r\n",
          "Transfer-Encoding : chunked\r\n",
          "Transfer-Encoding:\tchunked \r\n",
          "Transfer-Encoding: xchunked\r\n",
          "Connection: upgrade\r\nUpgrade: x\r\n",
          "Connection: close\r\n",
          "Connection: keep-alive\r\n",
          "Proxy-Connection: close\r\n",
          "Accept: x\r\n y\r\n",
          "X: \x80\xFF\r\n",
          "http://b",
          "//",
          "*",
          "?",
          "#",
          "%",
          "0\r\n\r\n",
          "00004\r\n",
          "4\r\nbody\r\n",
          "-1\r\n",
          "0x4\r\n",
          "FFFFFFFFFFFFFFFF\r\n",
          "100000000\r\n",
          ";",
          ";a=b",
          "\"\\\"\"",
          "X\r\n"};
}

}  // namespace

namespace fuzz {
const Target http_target{"http", run, seeds, words, nullptr, 2048};
}  // namespace fuzz
