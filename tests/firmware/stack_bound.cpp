// SPDX-License-Identifier: Apache-2.0
// Images for toolchains/stack-bound, which rejects most of them, each for one reason: CALL is the code of main(). Never
// run.
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace {

volatile int count;
void (*volatile pointer)();

void leaf() { count = count + 1; }

[[maybe_unused]] void through_a_pointer() {
  pointer = leaf;
  pointer();
}

// Each level has its own variable that the next one reads.
[[maybe_unused, gnu::noinline]] int again(int times, const volatile int* before) {
  const volatile int here = times + *before;
  return times == 0 ? here : again(times - 1, &here) + here;
}

[[maybe_unused, gnu::noinline]] void of_any_size(unsigned size) {
  auto* const bytes = static_cast<volatile char*>(__builtin_alloca(size));
  for (unsigned i = 0; i < size; ++i) bytes[i] = 0;
}

[[maybe_unused, gnu::noinline]] void large() {
  volatile char bytes[4096];
  for (volatile char& byte : bytes) byte = 0;
}

// A table of functions. The compiler does not know which one is called.
struct Row {
  int number;
  void (*act)();
};
constinit const Row rows[] = {{1, leaf}, {2, large}};
[[maybe_unused]] void through_a_table() { rows[static_cast<unsigned>(count) % 2].act(); }

// The body of the coroutine and the caller of destroy() need about 900 bytes each, and never at the same time.
[[maybe_unused, gnu::noinline]] void deep_body() {
  volatile char bytes[900];
  for (volatile char& byte : bytes) byte = 0;
}

struct Coroutine {
  struct promise_type {
    static void* operator new(std::size_t) {
      alignas(8) static char frame[128];
      return frame;
    }
    static void operator delete(void*) {}
    Coroutine get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<> handle;
};

struct Local {
  ~Local() { leaf(); }
};

[[maybe_unused]] Coroutine coroutine() {
  const Local local;
  deep_body();
  co_await std::suspend_always{};
  deep_body();
  co_await std::suspend_always{};
}

[[maybe_unused, gnu::noinline]] void destroy_deep(std::coroutine_handle<> handle) {
  volatile char bytes[900];
  for (volatile char& byte : bytes) byte = 0;
  handle.destroy();
  bytes[0] = 1;
}

[[maybe_unused, gnu::noinline, gnu::noipa]] void resume(std::coroutine_handle<> handle) { handle.resume(); }

[[maybe_unused]] void resume_and_destroy() {
  const Coroutine started = coroutine();
  resume(started.handle);
  destroy_deep(started.handle);
}

// A source of random bytes that takes them from another one.
class Board final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override {
    for (std::uint8_t& byte : into) byte = static_cast<std::uint8_t>(count);
    return true;
  }
};
class Forwarding final : public mcp::Entropy {
 public:
  explicit Forwarding(mcp::Entropy& below) : below_(&below) {}

 private:
  bool do_fill(std::span<std::uint8_t> into) override { return below_->fill(into) && into.size() < 100; }
  mcp::Entropy* volatile below_;
};
[[maybe_unused]] void fill_through_another() {
  static Board board;
  static Forwarding forwarding(board);
  mcp::Entropy* volatile entropy = &forwarding;
  std::uint8_t bytes[4];
  count = entropy->fill(bytes) ? 1 : 0;
}

#ifdef __riscv
// objdump calls the sum the address of leaf(), because a `lui` stands above. The register has changed since.
[[maybe_unused]] void number_like_an_address() {
  asm volatile("lui a4, %%hi(%0)\n lw a4, 0(sp)\n addi a4, a4, %%lo(%0)" : : "i"(leaf) : "a4");
  leaf();
}
#endif

}  // namespace

int main() {
  CALL;
  return count;
}
