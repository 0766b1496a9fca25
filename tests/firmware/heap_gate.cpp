// SPDX-License-Identifier: Apache-2.0
// Images that must not link: CALL is the code of the program. Without CALL it links, so CALL causes the error.
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

void* volatile pointer;

// Its table of virtual functions holds a destructor that calls operator delete.
struct WithVirtualDestructor {
  virtual ~WithVirtualDestructor() = default;
};

[[maybe_unused]] alignas(WithVirtualDestructor) char place[sizeof(WithVirtualDestructor)];

}  // namespace

int main() {
#ifdef CALL
  CALL;
#endif
  return pointer != nullptr ? 1 : 0;
}
