// SPDX-License-Identifier: Apache-2.0
// A small strict JSON reader for tests: the judge of what the server writes, so it shares no code with core/json.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace test {

/// A JSON value of any type. Rejects duplicate keys, invalid UTF-8, unescaped control bytes, and more than 100 levels.
struct Json {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  std::string raw;                // exactly as it stood in the text
  std::string text;               // of a string: decoded; of a number or word: as it stood
  std::vector<std::string> keys;  // of an object: the names of `items`
  std::vector<Json> items;        // of an array or object
  bool repeats_keys = false;      // of an object that was read with Keys::may_repeat

  /// The member `key` of an object, or nullptr.
  const Json* find(std::string_view key) const;
  /// The value at a path of keys and, for arrays, indices: `at("result.contents.0.text")`. nullptr if there is none.
  const Json* at(std::string_view path) const;
  /// The text at a path, or an empty string.
  std::string text_at(std::string_view path) const;

  /// The same value; the order of members is no difference, the spelling of a number is.
  friend bool operator==(const Json& a, const Json& b);
};

/// How to parse an object with duplicate keys: reject it, or find() returns the first one.
enum class Keys { are_unique, may_repeat };

/// The one value that `text` contains, or nothing; then `*problem` has the reason.
std::optional<Json> parse_json(std::string_view text, std::string* problem = nullptr, Keys keys = Keys::are_unique);

/// `text` as a JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace test
