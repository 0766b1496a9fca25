// SPDX-License-Identifier: Apache-2.0
// json_check FILE: exits with 0 if the reader accepts the file, 1 if it rejects it, 2 if the file cannot be read.
#include <cstdio>
#include <string>

#include "mcp/json/validate.hpp"

namespace {

bool read_file(const char* path, std::string& text) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  char bytes[4096];
  while (const std::size_t size = std::fread(bytes, 1, sizeof bytes, file)) text.append(bytes, size);
  const bool whole = std::ferror(file) == 0;
  std::fclose(file);
  return whole;
}

}  // namespace

int main(int argc, char** argv) {
  std::string text;
  if (argc != 2 || !read_file(argv[1], text)) {
    std::fprintf(stderr, argc != 2 ? "usage: json_check FILE\n" : "json_check: cannot read %s\n", argv[1]);
    return 2;
  }
  const mcp::json::CheckResult verdict = mcp::json::validate(text);
  if (verdict.fault == mcp::json::ErrorKind::none) return 0;
  constexpr const char* faults[] = {"none", "syntax", "utf8", "depth"};
  std::fprintf(stderr, "%s: %s at byte %zu\n", argv[1], faults[static_cast<unsigned>(verdict.fault)], verdict.offset);
  return 1;
}
