// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/posix_records.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "mcp/memory/secrets.hpp"

namespace mcp::posix {
namespace {

constexpr mode_t only_user = S_IRUSR | S_IWUSR;
// A name of a record has no dot.
constexpr const char* lock_name = ".lock";
constexpr const char* new_name = ".new";

// The name as a path in the folder.
class Path {
 public:
  explicit Path(std::string_view name) { text_[name.copy(text_, Records::max_name)] = '\0'; }
  [[nodiscard]] const char* text() const { return text_; }

 private:
  char text_[Records::max_name + 1];
};

class File {
 public:
  File(int folder, const char* name, int flags)
      : fd_(openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, only_user)) {}
  ~File() {
    const int reason = errno;
    if (fd_ >= 0) close(fd_);
    errno = reason;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

  /// The size of a regular file; -1 for anything else.
  [[nodiscard]] off_t size() const {
    struct stat info {};
    return fd_ >= 0 && fstat(fd_, &info) == 0 && S_ISREG(info.st_mode) ? info.st_size : -1;
  }

  /// Fills `into`. Returns false if the file has fewer bytes.
  [[nodiscard]] bool read_all(std::span<char> into) const {
    while (!into.empty()) {
      const ssize_t size = read(fd_, into.data(), into.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return false;
      into = into.subspan(static_cast<std::size_t>(size));
    }
    return true;
  }

  [[nodiscard]] bool write_all(std::span<const char> from) const {
    while (!from.empty()) {
      const ssize_t size = write(fd_, from.data(), from.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return false;
      from = from.subspan(static_cast<std::size_t>(size));
    }
    return true;
  }

  /// Waits until the disk has the bytes, and closes the file.
  [[nodiscard]] bool finish() { return fsync(fd_) == 0 && close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

}  // namespace

FileRecords::FileRecords(const char* folder) {
  if (mkdir(folder, S_IRWXU) != 0 && errno != EEXIST) return;
  folder_ = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) return;
  const int lock = openat(folder_, lock_name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, only_user);
  if (lock < 0) return;
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
    lock_ = lock;
    discard_new();  // the new file of a killed process
    return;
  }
  const int reason = errno;
  close(lock);
  errno = reason;
}

FileRecords::~FileRecords() {
  if (lock_ >= 0) close(lock_);
  if (folder_ >= 0) close(folder_);
}

RecordResult FileRecords::do_load(std::string_view name, std::span<char> into) {
  if (!ok()) return {RecordStatus::failed, 0};
  const File file(folder_, Path(name).text(), O_RDONLY);
  if (file.fd() < 0) return {errno == ENOENT ? RecordStatus::not_found : RecordStatus::failed, 0};
  const off_t file_size = file.size();
  if (file_size < 0) return {RecordStatus::failed, 0};
  const auto size = static_cast<std::size_t>(file_size);
  if (size > into.size()) return {RecordStatus::too_large, size};
  return file.read_all(into.first(size)) ? RecordResult{RecordStatus::ok, size} : RecordResult{RecordStatus::failed, 0};
}

RecordStatus FileRecords::do_save(std::string_view name, std::span<const char> bytes) {
  char old[max_size];
  const RecordResult loaded = do_load(name, old);
  const bool is_equal =
      loaded.status == RecordStatus::ok && std::equal(bytes.begin(), bytes.end(), old, old + loaded.size);
  memory::wipe(old);  // the whole buffer, because a failed read leaves a part
  if (is_equal) return needs_sync_ ? sync() : RecordStatus::ok;
  // An unreadable value may belong to another program, so it is not overwritten.
  if (loaded.status == RecordStatus::failed) return RecordStatus::failed;
  if (write_new(bytes) && renameat(folder_, new_name, folder_, Path(name).text()) == 0) return sync();
  // Some file systems notice only in fsync(), close() or renameat() that the disk is full.
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  discard_new();
  return is_full ? RecordStatus::full : RecordStatus::failed;
}

RecordStatus FileRecords::do_erase(std::string_view name) {
  if (!ok()) return RecordStatus::failed;
  if (unlinkat(folder_, Path(name).text(), 0) == 0) return sync();
  if (errno != ENOENT) return RecordStatus::failed;
  const bool is_synced = !needs_sync_ || sync() == RecordStatus::ok;
  return is_synced ? RecordStatus::not_found : RecordStatus::unsynced;
}

// Writes the file that replaces a value. It is a new file, so that an old file does not decide its mode or share its
// bytes. If it returns false, errno has the reason.
bool FileRecords::write_new(std::span<const char> bytes) {
  discard_new();
  File file(folder_, new_name, O_WRONLY | O_CREAT | O_EXCL);
  return file.fd() >= 0 && file.write_all(bytes) && file.finish();
}

void FileRecords::discard_new() { static_cast<void>(unlinkat(folder_, new_name, 0)); }

// Waits until the disk has the names in the folder. Some file systems do not support or need this for a folder.
RecordStatus FileRecords::sync() {
  needs_sync_ = fsync(folder_) != 0 && errno != EINVAL && errno != ENOTSUP;
  return needs_sync_ ? RecordStatus::unsynced : RecordStatus::ok;
}

}  // namespace mcp::posix
