// SPDX-License-Identifier: Apache-2.0
// Images for toolchains/stack-bound, which rejects all but one, each for one reason: CALL is the code of main(). Never
// run.
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
