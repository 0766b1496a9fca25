#include "rpc/id_finder.hpp"

#include "json/validate.hpp"

namespace mcp::rpc {

void IdFinder::feed(std::string_view bytes) {
  for (const char c : bytes) {
    if (in_string_) {
      take_in_string(c);
    } else {
      take(c);
    }
  }
}

std::string_view IdFinder::id() const {
  const std::string_view text(id_, size_);
  // What goes into an answer is checked as strictly as if the whole message had been read.
  const bool is_id = json::validate(text).fault == json::Fault::none &&
                     (text.front() == '"' || text.find_first_not_of("-0123456789") == std::string_view::npos);
  return is_id && !unusable_ ? text : std::string_view();
}

void IdFinder::keep(char c) {
  if (size_ == max_size || value_ended_) {
    unusable_ = true;
  } else {
    id_[size_++] = c;
  }
}

void IdFinder::take_in_string(char c) {
  const bool ends = c == '"' && !escaped_;
  escaped_ = c == '\\' && !escaped_;
  in_string_ = !ends;
  if (in_id_) keep(c);
  value_ended_ = value_ended_ || (in_id_ && ends);
  if (!expects_key_ || ends) return;
  constexpr std::string_view wanted = "id";
  key_differs_ = key_differs_ || key_size_ == wanted.size() || wanted[key_size_] != c;
  if (!key_differs_) ++key_size_;
}

void IdFinder::take(char c) {
  const bool own_level = depth_ == 1;
  switch (c) {
    case '"':
      in_string_ = true;
      key_size_ = 0;
      key_differs_ = false;
      if (in_id_) keep(c);
      return;
    case '{':
    case '[':
      if (in_id_) unusable_ = true;
      ++depth_;
      expects_key_ = depth_ == 1 && c == '{';
      return;
    case '}':
    case ']':
      --depth_;
      expects_key_ = in_id_ = false;
      return;
    case ':':
      if (!own_level || !expects_key_) return;
      expects_key_ = false;
      in_id_ = !key_differs_ && key_size_ == 2;
      unusable_ = unusable_ || (in_id_ && found_);
      found_ = found_ || in_id_;
      return;
    case ',':
      in_id_ = false;
      expects_key_ = own_level;
      return;
    case ' ':
    case '\t':
    case '\n':
    case '\r': value_ended_ = value_ended_ || (in_id_ && size_ != 0); return;
    default:
      if (in_id_) keep(c);
  }
}

}  // namespace mcp::rpc
