// SPDX-License-Identifier: Apache-2.0
#include "mcp/http/request_body.hpp"

#include <algorithm>
#include <cstring>

#include "http/http1/http_text.hpp"

namespace mcp::http {
namespace {

/// The maximum number of digits of a chunk size, including leading zeros. A number of 64 bits needs 16.
constexpr unsigned max_digits = 16;

/// Returns the value of a hexadecimal digit; 16 for any other character.
unsigned hex_value(char c) {
  const unsigned digit = static_cast<unsigned>(c) - '0';
  if (digit < 10) return digit;
  const unsigned letter = (static_cast<unsigned>(c) | 0x20) - 'a';
  return letter < 6 ? letter + 10 : 16;
}

}  // namespace

RequestBody::RequestBody(const RequestHead& head, std::span<char> into)
    : into_(into.data()), capacity_(into.size()), left_(head.content_length()) {
  if (head.is_chunked()) {
    state_ = State::size;
  } else if (left_ != 0) {
    state_ = State::whole;
    if (left_ > capacity_) error_ = ParseError::body_too_large;
  }
}

std::size_t RequestBody::read(std::span<const char> input) { return feed_all(input, nullptr); }

void RequestBody::pass(std::span<const char> input, rpc::IdFinder& finder) {
  static_cast<void>(feed_all(input, &finder));
}

std::size_t RequestBody::feed_all(std::span<const char> input, rpc::IdFinder* finder) {
  std::size_t at = 0;
  while (at != input.size() && state_ != State::done && (finder != nullptr || error_ == ParseError::none)) {
    if (state_ <= State::chunk) {
      at += copy(input.data() + at, input.size() - at, finder);
      continue;
    }
    const ParseError error = feed(input[at++]);
    if (error == ParseError::none) continue;
    error_ = error;
    state_ = State::done;
  }
  return at;
}

Progress RequestBody::progress() const {
  if (error_ != ParseError::none) return Progress::rejected;
  return state_ != State::done ? Progress::more : Progress::done;
}

std::size_t RequestBody::copy(const char* from, std::size_t size, rpc::IdFinder* finder) {
  size = std::min(size, left_);
  if (finder != nullptr) {
    finder->feed({from, size});
  } else {
    std::memmove(into_ + size_, from, size);
    size_ += size;
  }
  left_ -= size;
  if (left_ == 0) state_ = state_ == State::whole ? State::done : State::chunk_cr;
  return size;
}

ParseError RequestBody::feed(char c) {
  if (state_ >= State::space && ++overhead_ > max_overhead) return ParseError::overhead_too_large;
  // The only valid character, and the state after it. A state with several valid characters returns.
  char expected = '\n';
  State next = State::trailer;
  switch (state_) {
    case State::chunk_cr:
      expected = '\r';
      next = State::chunk_lf;
      break;
    case State::chunk_lf:
      next = State::size;
      digits_ = 0;
      break;
    case State::size_lf: return c == '\n' ? begin_chunk() : ParseError::bad_chunk;
    case State::last_lf: next = State::done; break;
    case State::size:
    case State::space: return feed_size(c);
    case State::trailer:
      if (c == '\r') {
        next = State::last_lf;
        expected = c;
        break;
      }
      state_ = State::trailer_name;
      return is_of(c, CharSet::token) ? ParseError::none : ParseError::bad_field;
    case State::trailer_name:
      if (is_of(c, CharSet::token)) return ParseError::none;
      expected = ':';
      next = State::trailer_value;
      break;
    case State::trailer_value:
    case State::extension:
      if (c != '\r') return is_control(c) ? ParseError::control_character : ParseError::none;
      expected = c;
      next = state_ == State::extension ? State::size_lf : State::trailer_lf;
      break;
    default: break;  // trailer_lf
  }
  state_ = next;
  return c == expected ? ParseError::none : ParseError::bad_chunk;
}

ParseError RequestBody::feed_size(char c) {
  const unsigned digit = hex_value(c);
  if (state_ == State::size && digit < 16) {
    // A size that is too large stays SIZE_MAX, because a wrapped size could pass for a small one.
    left_ = left_ > SIZE_MAX >> 4 ? SIZE_MAX : left_ << 4 | digit;
    return ++digits_ > max_digits ? ParseError::bad_chunk : ParseError::none;
  }
  if (digits_ == 0) return ParseError::bad_chunk;
  if (c == '\r' && state_ == State::size) {
    state_ = State::size_lf;
  } else if (c == ';') {
    state_ = State::extension;
  } else if (c == ' ' || c == '\t') {
    // RFC 9112 section 7.1.1: spaces and tabs are valid before an extension, and nowhere else.
    state_ = State::space;
  } else {
    return ParseError::bad_chunk;
  }
  return ParseError::none;
}

ParseError RequestBody::begin_chunk() {
  // The state still advances after a rejection, because pass() searches the rest of the body for the id.
  if (left_ > capacity_ - size_) error_ = ParseError::body_too_large;
  state_ = left_ == 0 ? State::trailer : State::chunk;
  return ParseError::none;
}

}  // namespace mcp::http
