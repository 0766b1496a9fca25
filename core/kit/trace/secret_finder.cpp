// SPDX-License-Identifier: Apache-2.0
// Finds the values of secret members in text that comes byte by byte. The level of a quote is the number of strings
// around its string. It follows from the backslashes before the quote, so JSON in a string of JSON needs no second
// reader.
#include <algorithm>
#include <bit>

#include "mcp/detail/trace_redactor.hpp"
#include "kit/trace/characters.hpp"

namespace mcp::detail {
namespace {

constexpr unsigned member_kinds = SecretName::secret | SecretName::hex_id | SecretName::base64_id | SecretName::value;

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
// The second character of an escape that is white space in the inner text.
constexpr bool is_escaped_space(char c) { return c == 'n' || c == 'r' || c == 't'; }
// Characters of names, and bytes of UTF-8.
constexpr bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool ends_query(char c) {
  return is_space(c) || c == '&' || c == ';' || c == ',' || c == '}' || c == ')' || c == '<' || c == '>' || c == '#';
}

// True if `digit`, with `left` - 1 digits after it, may belong to the code of `c`. The digit is kept, because the
// character may end a string.
constexpr bool is_code_of(char c, unsigned left, std::uint16_t before, char digit) {
  const unsigned code = static_cast<unsigned>(c) >> 4U * (left - 1);
  return before == code >> 4U && static_cast<unsigned>(hex_digit(digit)) == (code & 0xFU);
}

std::uint8_t more(std::uint8_t number) { return number < 0xFF ? static_cast<std::uint8_t>(number + 1) : number; }

}  // namespace

bool SecretName::ends_with(std::string_view word) const {
  if (size_ < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (tail_[longest - word.size() + i] != word[i]) return false;
  }
  return true;
}

std::uint16_t SecretName::add(char c) {
  static constexpr std::string_view secrets[] = {"passw", "passp", "passc", "pwd",        "secret",   "token",
                                                 "key",   "puk",   "psk",   "credential", "authoriz", "cookie"};
  if (c == '_' || c == '-') return 0;
  for (std::size_t i = 1; i < longest; ++i) tail_[i - 1] = tail_[i];
  tail_[longest - 1] = lower(c);
  size_ = more(size_);
  unsigned kinds = 0;
  for (const std::string_view word : secrets) {
    if (ends_with(word)) kinds |= secret;
  }
  if (ends_with("progresstoken") && size_ == 13) kinds = 0;  // a number of the client, which every server repeats
  if (ends_with("pin")) kinds |= pin;
  if (ends_with("taskid") || ends_with("sessionid")) kinds |= hex_id;
  if (ends_with("requeststate")) kinds |= base64_id;
  if (size_ == 13 && ends_with("contentlength")) kinds |= content_length;
  if (size_ == 16 && ends_with("transferencoding")) kinds |= transfer_encoding;
  if (ends_with("chunked")) kinds |= chunked;
  if (ends_with("setting")) kinds |= setting;
  if (size_ == 5 && ends_with("value")) kinds |= value;
  return static_cast<std::uint16_t>(kinds);
}

char SecretFinder::next(char c, const StandIn::Key& key) {
  if (escape_.digits != 0 && hex_digit(c) >= 0) return feed_digit(c, key);
  escape_.digits = 0;
  if (c == '\\') {
    escape_.backslashes = more(escape_.backslashes);
    return c;
  }
  const std::uint8_t run = escape_.backslashes;
  escape_.backslashes = 0;
  if (c == '"') {
    feed_quote(static_cast<unsigned>(std::countr_one(run)), key);
    return c;
  }
  const bool is_escaped = run % 2 != 0 || (run != 0 && level_ != 0);
  if (is_escaped && c == 'u' && mode_ != Mode::id) {
    escape_ = {.digits = 4, .before = run};
    return c;
  }
  return feed(c, is_escaped, key);
}

// A digit of \uXXXX. The code may be a letter of a name, or a quote or a backslash in JSON in a string.
char SecretFinder::feed_digit(char c, const StandIn::Key& key) {
  const bool stays =
      is_code_of('"', escape_.digits, escape_.code, c) || is_code_of('\\', escape_.digits, escape_.code, c);
  const char result = hides() && !stays ? '1' : c;
  escape_.code = static_cast<std::uint16_t>(unsigned{escape_.code} << 4U | static_cast<unsigned>(hex_digit(c)));
  if (--escape_.digits != 0) return result;
  const std::uint16_t code = escape_.code;
  const unsigned before = escape_.before;
  // Each zero at the end of the number of backslashes, which is at least 1, is a level of strings around the code.
  const auto level = static_cast<unsigned>(std::countr_zero(before));
  if (code == '"') {
    feed_quote(level + static_cast<unsigned>(std::countr_one(before >> level)), key);
  } else if (code == '\\') {
    const unsigned backslashes = before + (1U << level);
    escape_.backslashes = static_cast<std::uint8_t>(backslashes < 0xFF ? backslashes : 0xFF);
  } else if (!hides()) {
    feed(code < 0x80 ? static_cast<char>(code) : '\x80', false, key);
  } else {
    begins_ = false;
  }
  return result;
}

char SecretFinder::feed(char c, bool is_escaped, const StandIn::Key& key) {
  switch (mode_) {
    case Mode::text:
      // An equals sign begins a value at once.
      if (c == '=' && !is_escaped) {
        end_name();
        begin_query(kinds_.word, key);
        kinds_.word = 0;
        return c;
      }
      feed_text(c, is_escaped);
      return c;
    case Mode::value: return feed_value(c, is_escaped, key);
    case Mode::id: return feed_id(c, key);
    case Mode::string: return hide(c, is_escaped);
    case Mode::container: return feed_container(c, is_escaped);
    case Mode::scalar:
      if (c == ',' || c == '}' || c == ']') {
        end_value();
        return c;
      }
      return hide_word(c);
    case Mode::query:
      if (ends_query(c)) {
        end_value();
        return c;
      }
      begins_ = false;
      return hide(c, is_escaped);
  }
  return c;
}

void SecretFinder::feed_quote(unsigned level, const StandIn::Key& key) {
  level = std::min(level, 7U);
  const unsigned bit = 1U << level;
  const auto below = static_cast<std::uint8_t>(bit - 1);
  if (mode_ == Mode::string || mode_ == Mode::id) {
    if (level > level_) return;
    const bool continues = mode_ == Mode::id && is_list_ && level == level_;
    open_ &= below;
    end_value();
    after_quote_ = true;
    if (continues) mode_ = Mode::value;
    return;
  }
  if (mode_ == Mode::container && level >= level_) {
    inner_ = inner_ == no_level ? static_cast<std::uint8_t>(level) : level <= inner_ ? no_level : inner_;
    return;
  }
  if (mode_ == Mode::value && level >= level_) {
    const bool is_secret = (value_kinds_ & SecretName::secret) != 0;
    mode_ = is_secret ? Mode::string : Mode::id;
    level_ = static_cast<std::uint8_t>(level);
    open_ = static_cast<std::uint8_t>((open_ & below) | bit);
    if (!is_secret) {
      stand_in_ = StandIn(key);
      begins_ = true;
    }
    return;
  }
  if (mode_ == Mode::query && begins_ && (open_ & bit) == 0) {
    mode_ = Mode::string;
    level_ = static_cast<std::uint8_t>(level);
    open_ = static_cast<std::uint8_t>((open_ & below) | bit);
    return;
  }
  // A value without its own quotes ends with the string around it.
  if (mode_ != Mode::text) end_value();
  end_name();
  if ((open_ & bit) == 0) {
    kinds_.string = 0;
    open_ = static_cast<std::uint8_t>((open_ & below) | bit);
  } else {
    open_ &= below;
  }
  level_ = static_cast<std::uint8_t>(level);
  after_quote_ = true;
}

void SecretFinder::end_name() {
  if (may_be_pin_) add_kinds(SecretName::secret);
  may_be_pin_ = false;
  name_.clear();
}

void SecretFinder::add_kinds(unsigned kinds) {
  has_setting_ = has_setting_ || (kinds & (SecretName::secret | SecretName::setting)) != 0;
  const auto members = static_cast<std::uint16_t>(kinds & member_kinds);
  kinds_.string |= members;
  kinds_.member |= members;
  kinds_.word |= members;
}

void SecretFinder::feed_name(char c) {
  if (may_be_pin_ && !SecretName::ends_pin(c)) add_kinds(SecretName::secret);
  const unsigned kinds = name_.add(c);
  may_be_pin_ = (kinds & SecretName::pin) != 0;
  add_kinds(kinds);
}

void SecretFinder::feed_text(char c, bool is_escaped) {
  if (is_word(c) && !(is_escaped && is_escaped_space(c))) {
    if (after_quote_) kinds_.word = 0;
    after_quote_ = false;
    feed_name(c);
    return;
  }
  end_name();
  if (is_space(c) || (is_escaped && is_escaped_space(c))) {
    kinds_.word = 0;
    return;
  }
  const bool is_member = c == ':' && after_quote_;
  unsigned kinds = kinds_.string | kinds_.member;
  // The tools of Settings have the name of the setting in another member.
  if ((kinds & SecretName::value) != 0) kinds = has_setting_ ? kinds | SecretName::secret : kinds ^ SecretName::value;
  after_quote_ = false;
  kinds_.word = 0;
  const bool ends_member = c == ',' || c == ':' || c == '{' || c == '}' || c == '[' || c == ']';
  if (ends_member) kinds_.member = 0;
  if (is_member && kinds != 0) begin_value(static_cast<std::uint16_t>(kinds));
}

void SecretFinder::begin_value(std::uint16_t kinds) {
  mode_ = Mode::value;
  value_kinds_ = kinds;
  is_list_ = false;
  literal_ = 0;
  word_ = 0;
  after_digit_ = false;
}

void SecretFinder::begin_query(std::uint16_t kinds, const StandIn::Key& key) {
  if ((kinds & (SecretName::secret | SecretName::hex_id)) == 0) return;
  begin_value(kinds);
  begins_ = true;
  if ((kinds & SecretName::secret) != 0) {
    mode_ = Mode::query;
    return;
  }
  mode_ = Mode::id;
  level_ = no_level;  // any quote ends it
  stand_in_ = StandIn(key);
}

void SecretFinder::end_value() {
  mode_ = Mode::text;
  kinds_ = {};
  name_.clear();
  may_be_pin_ = false;
  after_quote_ = false;
  inner_ = no_level;
  depth_ = 0;
}

char SecretFinder::feed_value(char c, bool is_escaped, const StandIn::Key& key) {
  if (is_space(c) || (is_escaped && is_escaped_space(c))) return c;
  if ((value_kinds_ & SecretName::secret) == 0) {
    if (c == '[' && !is_list_) {
      is_list_ = true;
      return c;
    }
    if (c == ',' && is_list_) return c;
    end_value();
    return feed(c, is_escaped, key);
  }
  if (c == ',' || c == '}' || c == ']') {
    end_value();
    return c;
  }
  if (c == '{' || c == '[') {
    mode_ = Mode::container;
    depth_ = 1;
    inner_ = no_level;
    return c;
  }
  mode_ = Mode::scalar;
  return hide_word(c);
}

char SecretFinder::feed_container(char c, bool is_escaped) {
  if (inner_ != no_level) return hide(c, is_escaped);
  if (c == '{' || c == '[') {
    if (depth_ < 0xFFFF) ++depth_;
    return c;
  }
  if (c == '}' || c == ']') {
    if (--depth_ == 0) end_value();
    return c;
  }
  if (c == ',' || c == ':') {
    literal_ = 0;
    after_digit_ = false;
    return c;
  }
  return hide_word(c);
}

// The state of a job that the server has sealed begins with A, and cannot be read without a code. It stays, so that
// its recorded code fits.
char SecretFinder::feed_id(char c, const StandIn::Key& key) {
  const bool is_hex = (value_kinds_ & SecretName::hex_id) != 0;
  if (begins_) keeps_id_ = !is_hex && c == 'A';
  begins_ = false;
  if (level_ == no_level && hex_digit(c) < 0) {
    level_ = 0;
    end_value();
    return feed(c, false, key);
  }
  if (keeps_id_) return c;
  return is_hex ? hex_stand_in(c, stand_in_) : base64_stand_in(c, stand_in_);
}

char SecretFinder::hide(char c, bool is_escaped) {
  if (is_escaped && (is_escaped_space(c) || c == 'b' || c == 'f' || c == '/')) return c;
  if (is_digit(c)) return '1';
  return static_cast<unsigned char>(c) < 0x20 ? c : 'x';
}

// Outside of a string: numbers, true, false and null stay valid.
char SecretFinder::hide_word(char c) {
  static constexpr std::string_view literals[] = {"true", "false", "null"};
  if (is_digit(c)) {
    after_digit_ = true;
    literal_ = no_level;
    return '1';
  }
  if (is_space(c)) {
    literal_ = 0;
    after_digit_ = false;
    return c;
  }
  const bool is_exponent = after_digit_ && (c == 'e' || c == 'E');
  const bool is_sign = c == '-' || c == '+' || c == '.';
  after_digit_ = is_sign && after_digit_;
  if (is_exponent || is_sign) return c;
  if (literal_ == 0) word_ = c;
  for (const std::string_view literal : literals) {
    if (literal[0] != word_ || literal_ >= literal.size() || literal[literal_] != c) continue;
    ++literal_;
    return c;
  }
  literal_ = no_level;
  return static_cast<unsigned char>(c) < 0x20 ? c : 'x';
}

}  // namespace mcp::detail
