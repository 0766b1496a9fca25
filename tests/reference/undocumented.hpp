// SPDX-License-Identifier: Apache-2.0
/// @file
/// Names that the API reference must reject, beside documented and private ones. Only Doxygen reads this file.
#pragma once

#define undocumented_macro 1

namespace mcp {

void undocumented_function();
template <class T>
T undocumented_template(T value);
struct undocumented_struct {
  int value;  ///< Documented.
};
enum class undocumented_enum { one };
using undocumented_alias = int;
inline constexpr int undocumented_constant = 1;

/// Documented.
class Documented {
 public:
  Documented();  ///< Documented.
  void undocumented_member_function();
  int undocumented_member;
  struct undocumented_member_struct {
    int value;  ///< Documented.
  };
  /// @cond server
  int for_the_server;
  /// @endcond

 private:
  int private_member;
};

/// Documented.
template <class T>
requires requires(T value) { value.size(); }
int documented(T value);

namespace detail {
void internal();
}
namespace compile_error {
void the_name_is_the_text();
}

}  // namespace mcp
