// SPDX-License-Identifier: Apache-2.0
// JSON texts of the tests of core: each in a heap block of exactly its size, so that AddressSanitizer detects every
// access beyond it. Knows nothing of their content.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/json/validate.hpp"
#include "mcp/json/value.hpp"

namespace mcp::json {

/// Bytes in a heap block of exactly their size.
class Block {
 public:
  explicit Block(std::string_view bytes) : size_(bytes.size()), bytes_(std::make_unique<char[]>(size_)) {
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
  }
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }
  [[nodiscard]] char* data() { return bytes_.get(); }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

/// The result for a copy of `text`, without a readable byte after it.
inline CheckResult check(std::string_view text) { return validate(Block(text).view()); }

inline bool is_valid(std::string_view text) { return check(text).fault == ErrorKind::none; }

/// A valid message, ready to be read. Fails the test when the text is not valid.
class Document {
 public:
  explicit Document(std::string_view text) : block_(text) {
    EXPECT_EQ(validate(block_.view(), outline_).fault, ErrorKind::none) << text;
  }
  [[nodiscard]] Value root() { return Value(block_.data() + block_.view().find_first_not_of(" \t\r\n")); }
  [[nodiscard]] const MemberIndex& outline() const { return outline_; }

 private:
  Block block_;
  MemberIndex outline_;
};

}  // namespace mcp::json
