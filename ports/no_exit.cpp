// SPDX-License-Identifier: Apache-2.0
// An image never ends with exit(), so no destructor of a static object runs or is registered. With link-time
// optimization, the destructors are not in the image either. The functions of the C++ library would need malloc.
extern "C" {
// The compiler calls these by their names.
// NOLINTBEGIN(*-reserved-identifier,cert-*,misc-use-internal-linkage,readability-identifier-naming)
[[gnu::weak, gnu::visibility("hidden")]] void* __dso_handle;
[[gnu::weak]] int __cxa_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*image*/) { return 0; }
#ifdef __ARM_EABI__
[[gnu::weak]] int __aeabi_atexit(void* /*object*/, void (* /*destroy*/)(void*), void* /*image*/) { return 0; }
#endif
// NOLINTEND(*-reserved-identifier,cert-*,misc-use-internal-linkage,readability-identifier-naming)
}
