// SPDX-License-Identifier: Apache-2.0
// Records in a folder whose files the system does not open, read, write, sync or rename.
#include "mcp/ports/posix_records.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "ports/load_record.hpp"

namespace {

using mcp::RecordStatus;
using test::load;

enum class FileCall { none, open, read, sync_file, sync_folder, write, rename };

// The next call of this function fails, once.
FileCall failing_call = FileCall::none;
int failing_errno = 0;
int folder_syncs = 0;
const char* last_read_into = nullptr;

bool fails(FileCall call) {
  if (call != failing_call) return false;
  failing_call = FileCall::none;
  errno = failing_errno;
  return true;
}
void fail_next(FileCall call, int error) {
  failing_call = call;
  failing_errno = error;
}

}  // namespace

// The linker replaces these functions; the names are those of its option.
extern "C" {
int __real_openat(int, const char*, int, ...);
ssize_t __real_read(int, void*, size_t);
int __real_fsync(int);
ssize_t __real_write(int, const void*, size_t);
int __real_renameat(int, const char*, int, const char*);

int __wrap_fsync(int fd) {
  struct stat info {};
  const bool is_folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
  folder_syncs += is_folder ? 1 : 0;
  return fails(is_folder ? FileCall::sync_folder : FileCall::sync_file) ? -1 : __real_fsync(fd);
}
// FileRecords passes a mode in each call. The call that fails is the one that makes a file.
int __wrap_openat(int folder, const char* name, int flags, mode_t mode) {
  return (flags & O_EXCL) != 0 && fails(FileCall::open) ? -1 : __real_openat(folder, name, flags, mode);
}
// The call that fails is the one after a part of the file.
ssize_t __wrap_read(int fd, void* into, size_t size) {
  last_read_into = static_cast<const char*>(into);
  if (failing_call != FileCall::read) return __real_read(fd, into, size);
  if (lseek(fd, 0, SEEK_CUR) != 0 && fails(FileCall::read)) return -1;
  return __real_read(fd, into, 4);
}
ssize_t __wrap_write(int fd, const void* from, size_t size) {
  return fails(FileCall::write) ? -1 : __real_write(fd, from, size);
}
int __wrap_renameat(int from, const char* old_name, int to, const char* name) {
  return fails(FileCall::rename) ? -1 : __real_renameat(from, old_name, to, name);
}
}

namespace {

class FileRecordsTest : public testing::Test {
 protected:
  FileRecordsTest() { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
  ~FileRecordsTest() override {
    const std::string command = "rm -r " + folder_;
    EXPECT_EQ(system(command.c_str()), 0);  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  }
  [[nodiscard]] std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  std::string folder_ = "/tmp/mote-records-XXXXXX";
};

TEST_F(FileRecordsTest, StoresValuesThatOnlyTheUserCanRead) {
  const std::string folder = path("inner");
  {
    mcp::posix::FileRecords records(folder.c_str());
    ASSERT_TRUE(records.ok());
    EXPECT_EQ(load(records, "token"), "(none)");
    EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
    EXPECT_EQ(records.save("token", std::string_view("another")), RecordStatus::ok);
    EXPECT_EQ(records.save("empty", {}), RecordStatus::ok);
  }
  mcp::posix::FileRecords records(folder.c_str());
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(load(records, "token"), "another");
  EXPECT_EQ(load(records, "empty"), "");
  char small[3];
  EXPECT_EQ(records.load("token", small).status, RecordStatus::too_large);
  EXPECT_EQ(records.load("token", small).size, 7U);
  struct stat info {};
  ASSERT_EQ(stat((folder + "/token").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  ASSERT_EQ(stat(folder.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
  EXPECT_EQ(records.erase("token"), RecordStatus::ok);
  EXPECT_EQ(records.erase("token"), RecordStatus::not_found);
  EXPECT_EQ(load(records, "token"), "(none)");
}

TEST_F(FileRecordsTest, WritesAnEqualValueOnce) {
  mcp::posix::FileRecords records(folder_.c_str());
  ASSERT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  struct stat before {};
  ASSERT_EQ(stat(path("token").c_str(), &before), 0);
  // A second file has another number, so the first must exist meanwhile.
  ASSERT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  struct stat after {};
  ASSERT_EQ(stat(path("token").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(before.st_ctim.tv_nsec, after.st_ctim.tv_nsec);
}

TEST_F(FileRecordsTest, LocksTheFolder) {
  mcp::posix::FileRecords records(folder_.c_str());
  ASSERT_TRUE(records.ok());
  mcp::posix::FileRecords second(folder_.c_str());
  EXPECT_FALSE(second.ok());
  EXPECT_EQ(errno, EWOULDBLOCK);
  char into[8];
  EXPECT_EQ(second.load("token", into).status, RecordStatus::failed);
  EXPECT_EQ(second.save("token", std::string_view("x")), RecordStatus::failed);
  EXPECT_EQ(second.erase("token"), RecordStatus::failed);
}

TEST_F(FileRecordsTest, NeverOverwritesWhatItCannotRead) {
  mcp::posix::FileRecords records(folder_.c_str());
  ASSERT_EQ(mkdir(path("token").c_str(), 0700), 0);
  ASSERT_EQ(symlink("/dev/null", path("wifi").c_str()), 0);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  char into[8];
  for (const std::string_view name : {"token", "wifi", "pipe"}) {
    EXPECT_EQ(records.load(name, into).status, RecordStatus::failed) << name;
    EXPECT_EQ(records.save(name, std::string_view("x")), RecordStatus::failed) << name;
  }
  struct stat info {};
  ASSERT_EQ(lstat(path("wifi").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  EXPECT_EQ(records.erase("token"), RecordStatus::failed);
}

TEST_F(FileRecordsTest, ReplacesAValueThatIsTooLong) {
  mcp::posix::FileRecords records(folder_.c_str());
  const int file = open(path("token").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, 100'000), 0);
  close(file);
  char into[mcp::Records::max_size];
  EXPECT_EQ(records.load("token", into).status, RecordStatus::too_large);
  EXPECT_EQ(records.save("token", std::string_view("x")), RecordStatus::ok);
  EXPECT_EQ(load(records, "token"), "x");
}

TEST_F(FileRecordsTest, RejectsAFolderThatCannotBe) {
  const int file = open(path("file").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  close(file);
  for (const std::string& folder : {path("missing/inner"), path("file")}) {
    const mcp::posix::FileRecords records(folder.c_str());
    EXPECT_FALSE(records.ok()) << folder;
  }
  ASSERT_EQ(mkdir(path(".lock").c_str(), 0700), 0);
  const mcp::posix::FileRecords records(folder_.c_str());
  EXPECT_FALSE(records.ok());
}

// A file that is there under the name of the new one decides neither the mode nor the owner of a secret.
TEST_F(FileRecordsTest, ReplacesALeftOverFile) {
  const auto leave = [&] {
    const int file = open(path(".new").c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    ASSERT_GE(file, 0);
    EXPECT_EQ(fchmod(file, 0644), 0);
    EXPECT_EQ(write(file, "secret", 6), 6);
    close(file);
  };
  leave();
  mcp::posix::FileRecords records(folder_.c_str());
  ASSERT_TRUE(records.ok());
  EXPECT_NE(access(path(".new").c_str(), F_OK), 0) << "left over by a process that was killed";
  leave();
  const int reader = open(path(".new").c_str(), O_RDONLY);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(records.save("token", std::string_view("another")), RecordStatus::ok);
  struct stat info {};
  ASSERT_EQ(stat(path("token").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  char into[16];
  EXPECT_EQ(read(reader, into, sizeof into), 6) << "the secret is in another file";
  close(reader);
  EXPECT_EQ(load(records, "token"), "another");
  ASSERT_EQ(symlink("token", path(".new").c_str()), 0);
  EXPECT_EQ(records.save("wifi", std::string_view("network")), RecordStatus::ok);
  EXPECT_EQ(load(records, "token"), "another");
  ASSERT_EQ(mkdir(path(".new").c_str(), 0700), 0);
  EXPECT_EQ(records.save("token", std::string_view("third")), RecordStatus::failed);
  EXPECT_EQ(load(records, "token"), "another");
}

// The folder of another process stays as it is.
TEST_F(FileRecordsTest, KeepsTheNewFileOfTheProcessThatUsesTheFolder) {
  const mcp::posix::FileRecords records(folder_.c_str());
  const int file = open(path(".new").c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  ASSERT_GE(file, 0);
  close(file);
  const mcp::posix::FileRecords second(folder_.c_str());
  EXPECT_FALSE(second.ok());
  EXPECT_EQ(access(path(".new").c_str(), F_OK), 0);
}

TEST_F(FileRecordsTest, LeavesNoSecretIfASaveFails) {
  mcp::posix::FileRecords records(folder_.c_str());
  ASSERT_EQ(records.save("token", std::string_view("old")), RecordStatus::ok);
  struct Case {
    FileCall call;
    int error;
    RecordStatus status;
  };
  for (const Case& one : {Case{FileCall::write, EIO, RecordStatus::failed},
                          {FileCall::write, ENOSPC, RecordStatus::full},
                          {FileCall::write, EDQUOT, RecordStatus::full},
                          {FileCall::open, ENOSPC, RecordStatus::full},
                          {FileCall::open, EMFILE, RecordStatus::failed},
                          {FileCall::sync_file, EIO, RecordStatus::failed},
                          {FileCall::sync_file, ENOSPC, RecordStatus::full},
                          {FileCall::rename, EDQUOT, RecordStatus::full},
                          {FileCall::rename, EACCES, RecordStatus::failed}}) {
    fail_next(one.call, one.error);
    EXPECT_EQ(records.save("token", std::string_view("secret")), one.status);
    EXPECT_EQ(failing_call, FileCall::none);
    EXPECT_NE(access(path(".new").c_str(), F_OK), 0);
    EXPECT_EQ(load(records, "token"), "old");
  }
  fail_next(FileCall::write, EINTR);
  EXPECT_EQ(records.save("token", std::string_view("new")), RecordStatus::ok);
  EXPECT_EQ(load(records, "token"), "new");
}

// Reads the memory of a function that has returned, for which AddressSanitizer would end the test.
[[gnu::no_sanitize_address, gnu::noinline]] bool has_text(const volatile char* at, std::string_view text) {
  bool is_equal = true;
  for (const char c : text) is_equal = *at++ == c && is_equal;
  return is_equal;
}

// A read of the old value that fails after a part of it.
TEST_F(FileRecordsTest, LeavesNoSecretInMemoryIfAReadFails) {
  mcp::posix::FileRecords records(folder_.c_str());
  ASSERT_EQ(records.save("token", std::string_view("old-secret")), RecordStatus::ok);
  fail_next(FileCall::read, EIO);
  EXPECT_EQ(records.save("token", std::string_view("new")), RecordStatus::failed);
  EXPECT_FALSE(has_text(last_read_into - 4, "old-"));
  EXPECT_EQ(failing_call, FileCall::none);
}

// The value has changed, but the disk perhaps does not know. The next call tries again.
TEST_F(FileRecordsTest, SyncsTheFolderAgainAfterAFailure) {
  mcp::posix::FileRecords records(folder_.c_str());
  fail_next(FileCall::sync_folder, EIO);
  EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::unsynced);
  EXPECT_EQ(load(records, "token"), "secret");
  fail_next(FileCall::sync_folder, EIO);
  EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::unsynced);
  int syncs = folder_syncs;
  EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  EXPECT_EQ(folder_syncs, syncs + 1);
  EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  EXPECT_EQ(records.erase("wifi"), RecordStatus::not_found);
  EXPECT_EQ(folder_syncs, syncs + 1);

  fail_next(FileCall::sync_folder, EIO);
  EXPECT_EQ(records.erase("token"), RecordStatus::unsynced);
  EXPECT_EQ(load(records, "token"), "(none)");
  fail_next(FileCall::sync_folder, EIO);
  EXPECT_EQ(records.erase("token"), RecordStatus::unsynced);
  syncs = folder_syncs;
  EXPECT_EQ(records.erase("token"), RecordStatus::not_found);
  EXPECT_EQ(folder_syncs, syncs + 1);
}

// A process that was killed between the rename and the sync.
TEST_F(FileRecordsTest, SyncsTheFolderOnceAfterAStart) {
  {
    mcp::posix::FileRecords records(folder_.c_str());
    ASSERT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  }
  mcp::posix::FileRecords records(folder_.c_str());
  const int syncs = folder_syncs;
  EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
  EXPECT_EQ(folder_syncs, syncs + 1);
}

// Some file systems cannot sync a folder, and need not.
TEST_F(FileRecordsTest, AcceptsAFolderThatCannotBeSynced) {
  mcp::posix::FileRecords records(folder_.c_str());
  for (const int error : {EINVAL, ENOTSUP}) {
    fail_next(FileCall::sync_folder, error);
    EXPECT_EQ(records.save("token", std::string_view("secret")), RecordStatus::ok);
    fail_next(FileCall::sync_folder, error);
    EXPECT_EQ(records.erase("token"), RecordStatus::ok);
  }
  EXPECT_EQ(failing_call, FileCall::none);
}

}  // namespace
