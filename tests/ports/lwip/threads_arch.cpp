// SPDX-License-Identifier: Apache-2.0
// lwIP's operating system on this machine: threads, semaphores, mailboxes and a clock. Knows no network.
#include <lwip/sys.h>
#include <lwip/tcpip.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

struct test_mutex {
  std::mutex mutex;
  std::atomic<std::thread::id> owner;
};

struct test_semaphore {
  std::mutex mutex;
  std::condition_variable given;
  unsigned count = 0;
};

struct test_mailbox {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<void*> messages;
  std::size_t size = 0;
};

namespace {

std::recursive_mutex protection;

// Waits until it is so, or for `limit_ms` (0: for ever). Returns whether it is so.
template <typename Condition>
bool wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, u32_t limit_ms, Condition is_so) {
  if (limit_ms != 0) return changed.wait_for(lock, std::chrono::milliseconds(limit_ms), is_so);
  changed.wait(lock, is_so);
  return true;
}

}  // namespace

void test_check_lock() {
  if (lock_tcpip_core == nullptr || lock_tcpip_core->owner == std::this_thread::get_id()) return;
  std::fputs("lwIP is called without its lock\n", stderr);
  std::abort();
}

unsigned test_random() {
  static std::atomic<unsigned> next{1};
  return next.fetch_add(0x9E37'79B9);
}

extern "C" {

void sys_init() {}

u32_t sys_now() {
  static const auto begin = std::chrono::steady_clock::now();
  const auto passed = std::chrono::steady_clock::now() - begin;
  return static_cast<u32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
}

sys_prot_t sys_arch_protect() {
  protection.lock();
  return 0;
}
void sys_arch_unprotect(sys_prot_t) { protection.unlock(); }

sys_thread_t sys_thread_new(const char*, lwip_thread_fn run, void* argument, int, int) {
  std::thread(run, argument).detach();
  return 1;
}

err_t sys_mutex_new(sys_mutex_t* mutex) {
  *mutex = new test_mutex;
  return ERR_OK;
}
void sys_mutex_free(sys_mutex_t* mutex) { delete *mutex; }
void sys_mutex_lock(sys_mutex_t* mutex) {
  (*mutex)->mutex.lock();
  (*mutex)->owner = std::this_thread::get_id();
}
void sys_mutex_unlock(sys_mutex_t* mutex) {
  (*mutex)->owner = std::thread::id();
  (*mutex)->mutex.unlock();
}

err_t sys_sem_new(sys_sem_t* semaphore, u8_t count) {
  *semaphore = new test_semaphore;
  (*semaphore)->count = count;
  return ERR_OK;
}
void sys_sem_free(sys_sem_t* semaphore) { delete *semaphore; }
void sys_sem_signal(sys_sem_t* semaphore) {
  const std::lock_guard lock((*semaphore)->mutex);
  ++(*semaphore)->count;
  (*semaphore)->given.notify_one();
}
u32_t sys_arch_sem_wait(sys_sem_t* semaphore, u32_t limit_ms) {
  std::unique_lock lock((*semaphore)->mutex);
  if (!wait((*semaphore)->given, lock, limit_ms, [&] { return (*semaphore)->count != 0; })) return SYS_ARCH_TIMEOUT;
  --(*semaphore)->count;
  return 0;
}

err_t sys_mbox_new(sys_mbox_t* mailbox, int size) {
  *mailbox = new test_mailbox;
  (*mailbox)->size = static_cast<std::size_t>(size);
  return ERR_OK;
}
void sys_mbox_free(sys_mbox_t* mailbox) { delete *mailbox; }
void sys_mbox_post(sys_mbox_t* mailbox, void* message) {
  std::unique_lock lock((*mailbox)->mutex);
  wait((*mailbox)->changed, lock, 0, [&] { return (*mailbox)->messages.size() < (*mailbox)->size; });
  (*mailbox)->messages.push_back(message);
  (*mailbox)->changed.notify_all();
}
err_t sys_mbox_trypost(sys_mbox_t* mailbox, void* message) {
  const std::lock_guard lock((*mailbox)->mutex);
  if ((*mailbox)->messages.size() >= (*mailbox)->size) return ERR_MEM;
  (*mailbox)->messages.push_back(message);
  (*mailbox)->changed.notify_all();
  return ERR_OK;
}
err_t sys_mbox_trypost_fromisr(sys_mbox_t* mailbox, void* message) { return sys_mbox_trypost(mailbox, message); }
u32_t sys_arch_mbox_fetch(sys_mbox_t* mailbox, void** message, u32_t limit_ms) {
  std::unique_lock lock((*mailbox)->mutex);
  if (!wait((*mailbox)->changed, lock, limit_ms, [&] { return !(*mailbox)->messages.empty(); }))
    return SYS_ARCH_TIMEOUT;
  if (message != nullptr) *message = (*mailbox)->messages.front();
  (*mailbox)->messages.pop_front();
  (*mailbox)->changed.notify_all();
  return 0;
}
u32_t sys_arch_mbox_tryfetch(sys_mbox_t* mailbox, void** message) {
  const std::lock_guard lock((*mailbox)->mutex);
  if ((*mailbox)->messages.empty()) return SYS_MBOX_EMPTY;
  if (message != nullptr) *message = (*mailbox)->messages.front();
  (*mailbox)->messages.pop_front();
  (*mailbox)->changed.notify_all();
  return 0;
}

}  // extern "C"
