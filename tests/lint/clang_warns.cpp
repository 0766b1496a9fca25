// lint.clang_warns: Clang's warnings of tests/lint/CMakeLists.txt reject the constant.
int* no_pointer();
int* no_pointer() { return 0; }
