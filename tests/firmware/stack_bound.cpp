// SPDX-License-Identifier: Apache-2.0
// Images that toolchains/stack-bound rejects, each for one reason: CALL is the code of main(). Never run.
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

}  // namespace

int main() {
  CALL;
  return count;
}
