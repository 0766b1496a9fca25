// SPDX-License-Identifier: Apache-2.0
// The file system of the tests. As in arduino-pico and arduino-esp32, open() with "w" keeps the old file until close(),
// and a file that does not fit keeps its old content.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

class FakeFiles;

class File {
 public:
  File() = default;
  File(FakeFiles& files, std::string path, std::string content, bool writes)
      : files_(&files), path_(std::move(path)), content_(std::move(content)), writes_(writes) {}
  explicit operator bool() const { return files_ != nullptr; }
  [[nodiscard]] std::size_t size() const { return content_.size(); }
  int read(std::uint8_t* into, std::size_t size) {
    const std::size_t moved = content_.copy(reinterpret_cast<char*>(into), size, at_);
    at_ += moved;
    return static_cast<int>(moved);
  }
  std::size_t write(const std::uint8_t* from, std::size_t size) {
    content_.append(reinterpret_cast<const char*>(from), size);
    return size;
  }
  inline void close();

 private:
  FakeFiles* files_ = nullptr;
  std::string path_, content_;
  std::size_t at_ = 0;
  bool writes_ = false;
};

class FakeFiles {
 public:
  bool begin() { return has_begun = true; }
  bool exists(const char* path) const { return content.count(path) != 0; }
  File open(const char* path, const char* mode) {
    if (fails || (*mode == 'r' && !exists(path))) return {};
    ++opened;
    return File(*this, path, *mode == 'r' ? content[path] : "", *mode == 'w');
  }
  bool remove(const char* path) { return !fails && content.erase(path) != 0; }

  std::map<std::string, std::string> content;
  std::size_t largest = 4'096;
  int opened = 0;  // files that are open
  unsigned writes = 0;
  bool has_begun = false;
  bool fails = false;
};
inline FakeFiles LittleFS;

void File::close() {
  if (writes_ && content_.size() <= files_->largest) files_->content[path_] = content_;
  if (writes_) ++files_->writes;
  --files_->opened;
  files_ = nullptr;
}
