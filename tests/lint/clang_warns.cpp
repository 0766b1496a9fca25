// SPDX-License-Identifier: Apache-2.0
// lint.clang_warns: Clang's warnings of tests/lint/CMakeLists.txt reject the constant.
int* no_pointer();
int* no_pointer() { return 0; }
