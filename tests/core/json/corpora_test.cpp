// SPDX-License-Identifier: Apache-2.0
// The strict reader and the writer against collections of test cases made by others: JSONTestSuite and utf8tests, below
// the folder that the environment variable MOTE_CORPORA names. Each is skipped by name when it is not there.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "core/json/document.hpp"
#include "mcp/json/writer.hpp"

namespace mcp::json {
namespace {

namespace fs = std::filesystem;

fs::path corpus(const char* name) {
  const char* const folder = std::getenv("MOTE_CORPORA");
  return fs::path(folder != nullptr ? folder : "") / name;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// implementation_defined.txt: `file: accepted|syntax|utf8|depth: why`, and comments.
std::map<std::string, std::string> implementation_defined() {
  std::map<std::string, std::string> verdicts;
  std::istringstream lines(content("implementation_defined.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(": ");
    const std::size_t second = line.find(": ", colon + 1);
    EXPECT_TRUE(colon != line.npos && second != line.npos && second + 2 < line.size()) << line;
    if (second != line.npos) verdicts[line.substr(0, colon)] = line.substr(colon + 2, second - colon - 2);
  }
  return verdicts;
}

TEST(Corpora, JsonTestSuite) {
  const fs::path folder = corpus("JSONTestSuite") / "test_parsing";
  if (!is_there(folder)) GTEST_SKIP() << "no " << folder << "; tests/run obtains it";
  std::map<std::string, std::string> table = implementation_defined();
  std::array<int, 128> files{};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json") continue;
    ++files[static_cast<unsigned char>(name[0]) & 127u];
    constexpr const char* faults[] = {"accepted", "syntax", "utf8", "depth"};
    const std::string verdict = faults[static_cast<unsigned>(check(content(entry.path())).fault)];
    switch (name[0]) {
      case 'y': EXPECT_EQ(verdict, "accepted") << name; break;
      case 'n': EXPECT_NE(verdict, "accepted") << name; break;
      case 'i':
        EXPECT_TRUE(table.contains(name)) << name << " is not in implementation_defined.txt";
        EXPECT_EQ(verdict, table[name]) << name;
        table.erase(name);
        break;
      default: ADD_FAILURE() << name;
    }
  }
  EXPECT_FALSE(error) << error.message();
  for (const auto& [name, verdict] : table)
    ADD_FAILURE() << name << " is in implementation_defined.txt and not in the suite";
  EXPECT_TRUE(files['y'] > 90 && files['n'] > 180 && files['i'] > 30) << "the suite is not whole";
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  std::string digits;
  for (const char c : hex) {
    if (c == ' ') continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes += static_cast<char>(std::strtoul(digits.c_str(), nullptr, 16));
    digits.clear();
  }
  EXPECT_TRUE(digits.empty()) << hex;
  return bytes;
}

// Writes a JSON string. Escapes characters that JSON does not allow, and leaves the others.
std::string json_string(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
    const bool must = static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
    text += must ? std::string(escaped) : std::string(1, c);
  }
  return text + '"';
}

// Lines `number:valid:ascii`, `number:valid hex:bytes`, `number:invalid hex:bytes:skipped:replaced`, and comments.
TEST(Corpora, Utf8Tests) {
  const fs::path file = corpus("utf8tests") / "utf8tests.txt";
  if (!is_there(file)) GTEST_SKIP() << "no " << file << ", which no package of Debian or npm has";
  int valid_count = 0;
  int invalid_count = 0;
  std::istringstream lines(content(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::array<std::string, 5> fields;
    std::istringstream parts(line);
    for (std::string& field : fields) std::getline(parts, field, ':');
    fields[1].erase(0, fields[1].find_first_not_of(' '));
    const bool valid = fields[1].starts_with("valid");
    ASSERT_TRUE(valid || fields[1].starts_with("invalid")) << line;
    const std::string bytes = fields[1].ends_with("hex") ? from_hex(fields[2]) : fields[2];
    ++(valid ? valid_count : invalid_count);
    EXPECT_EQ(check(json_string(bytes)).fault, valid ? ErrorKind::none : ErrorKind::utf8) << line;

    // The writer keeps valid bytes and replaces invalid ones. For a truncated character, the suite has one replacement,
    // and the writer has one for each of its bytes.
    std::array<char, 1024> transmit_buffer;
    Writer out(transmit_buffer);
    out.string(std::string_view(bytes));
    const std::string_view text(transmit_buffer.data(), out.size());
    EXPECT_TRUE(out.ok() && is_valid(text)) << line;
    EXPECT_EQ(text.find("\xEF\xBF\xBD") != text.npos, !valid || bytes.find("\xEF\xBF\xBD") != bytes.npos) << line;
  }
  EXPECT_TRUE(valid_count > 50 && invalid_count > 100) << "the suite is not whole";
}

}  // namespace
}  // namespace mcp::json
