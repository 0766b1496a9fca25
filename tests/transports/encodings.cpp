// SPDX-License-Identifier: Apache-2.0
#include "transports/encodings.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace test {
namespace {

class Encoder {
 public:
  Encoder(std::string_view text, const Encoding& encoding) : rest_(text), encoding_(encoding) {}

  std::string value() {
    if (rest_.front() == '{') return members();
    if (rest_.front() == '[') return elements();
    if (rest_.front() == '"') return string(encoding_.values);
    const std::size_t size = std::min(rest_.find_first_of(",]}"), rest_.size());
    const std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return word;
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  [[nodiscard]] const char* space() const { return encoding_.has_space ? " \t" : ""; }

  std::string string(Escapes escapes) {
    static constexpr char lower[] = "0123456789abcdef";
    static constexpr char upper[] = "0123456789ABCDEF";
    std::string out(1, take());
    const std::size_t begin = out.size();
    for (char c = take(); c != '"'; c = take()) {
      const bool has_code = escapes >= Escapes::lower || (escapes == Escapes::first && out.size() == begin);
      if (has_code) {
        const char* const digits = escapes == Escapes::upper ? upper : lower;
        out.append("\\u00").append({digits[static_cast<unsigned char>(c) >> 4U], digits[c & 0xF]});
      } else {
        if (escapes == Escapes::slashes && c == '/') out += '\\';
        out += c;
      }
    }
    return out + '"';
  }

  std::string join(const std::vector<std::string>& all, char open, char close) const {
    std::string out(1, open);
    for (const std::string& item : all) out.append(&item == all.data() ? "" : ",").append(space()).append(item);
    return out.append(space()) + close;
  }

  // Reads the items of a container up to its end. `item` reads one.
  template <class Item>
  std::vector<std::string> items(char close, const Item& item) {
    std::vector<std::string> all;
    take();  // the bracket
    while (rest_.front() != close) {
      all.push_back(item().append(space()));
      if (rest_.front() == ',') take();
    }
    take();
    return all;
  }

  std::string members() {
    std::vector<std::string> all = items('}', [this] {
      std::string member = string(encoding_.keys) + space();
      member += take();  // the colon
      return member.append(space()).append(value());
    });
    if (encoding_.is_reverse) std::reverse(all.begin(), all.end());
    return join(all, '{', '}');
  }

  std::string elements() {
    const std::vector<std::string> all = items(']', [this] { return value(); });
    return join(all, '[', ']');
  }

  std::string_view rest_;
  const Encoding& encoding_;
};

}  // namespace

std::string encode(std::string_view text, const Encoding& encoding) {
  Encoder encoder(text, encoding);
  const std::string space = encoding.has_space ? " \t" : "";
  return space + encoder.value() + space;
}

}  // namespace test
