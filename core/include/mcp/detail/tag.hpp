// SPDX-License-Identifier: Apache-2.0
// The tag of a union: which member has the value. Private.
#pragma once

#include <mcp/detail/prelude.hpp>

#include "mcp/assert.hpp"

namespace mcp::detail {

/// A tag without bytes and code: nothing reads the member of a union to choose another one.
template <class Kind, bool stores = has_checks>
class Tag {
 public:
  constexpr explicit Tag(Kind) {}
  /// Asserts that the member `kind` has the value.
  constexpr void check(Kind) const {}
};

/// In a build that checks invariants.
template <class Kind>
class Tag<Kind, true> {
 public:
  constexpr explicit Tag(Kind kind) : kind_(kind) {}
  constexpr void check(Kind kind) const { MCP_DEBUG_ASSERT(kind_ == kind); }

 private:
  Kind kind_;
};

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
