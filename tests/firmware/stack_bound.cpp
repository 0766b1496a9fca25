// What toolchains/stack-bound refuses, one thing in each image: CALL is what main() does. Never run.
namespace {

volatile int count;
void (*volatile pointer)();

void leaf() { count = count + 1; }

[[maybe_unused]] void through_a_pointer() {
  pointer = leaf;
  pointer();
}

[[maybe_unused, gnu::noinline]] int again(int times) {
  const int before = count;
  return times == 0 ? before : again(times - 1) + before;
}

[[maybe_unused, gnu::noinline]] void of_any_size(unsigned size) {
  auto* const bytes = static_cast<volatile char*>(__builtin_alloca(size));
  bytes[0] = bytes[size - 1];
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
