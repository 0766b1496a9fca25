// SPDX-License-Identifier: Apache-2.0
/// @file
/// Scopes, which restrict the rows that a caller may use. A row names the scope that it needs, and the Definition lists
/// all names.
/// @code
/// mcp::Errc start(mcp::Call& call) { return call.result().text("The motor runs."); }
/// constexpr mcp::Tool tools[] = {mcp::tool<start>({.name = "start", .scope = "motor:write"})};
/// constexpr std::string_view scopes[] = {"motor:read", "motor:write"};
/// constexpr mcp::Definition definition{.name = "motor", .version = "1.0.0", .tools = tools, .scopes = scopes};
/// static_assert(definition.scopes.named("motor:write admin").has(1));
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp {

namespace compile_error {
void a_scope_of_a_definition_must_not_be_empty_or_have_a_space_or_a_quote();
void two_scopes_of_a_definition_must_not_have_the_same_name();
void the_scope_of_a_row_must_not_be_empty();
}  // namespace compile_error

namespace detail {

// True for a valid scope. Source: RFC 6749 section 3.3.
constexpr bool is_scope(std::string_view scope) {
  for (const char c : scope) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\') return false;
  }
  return !scope.empty();
}

}  // namespace detail

/// A set of scopes, each by its position in Definition::scopes. The default is the empty set.
class Scopes {
 public:
  /// The empty set.
  constexpr Scopes() = default;
  /// @cond server
  constexpr explicit Scopes(std::uint32_t bits) : bits_(bits) {}
  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
  constexpr void add(std::size_t position) { bits_ |= std::uint32_t{1} << position; }
  /// @endcond

  /// Returns the set of all scopes. A caller on a wire has it, and so has each caller of an HTTP endpoint without an
  /// Authorizer.
  [[nodiscard]] static constexpr Scopes all() { return Scopes(0xFFFF'FFFF); }
  /// Returns whether the scope at this position is in the set. False for a position of 32 and above.
  [[nodiscard]] constexpr bool has(std::size_t position) const { return position < 32 && (bits_ >> position & 1) != 0; }
  /// Returns whether each scope of `others` is in the set.
  [[nodiscard]] constexpr bool has_all(Scopes others) const { return (others.bits_ & ~bits_) == 0; }

  /// Compares two sets.
  friend constexpr bool operator==(const Scopes&, const Scopes&) = default;

 private:
  std::uint32_t bits_ = 0;
};

/// The scope that a caller needs for a row: `.scope = "motor:write"`. Limits: the name is in Definition::scopes.
/// Errors: another name does not compile. The server rejects a request of a caller without the scope before it calls
/// the handler. HTTP sends 403 and names the scope. Other transports send the error -32600.
class RowScope {
 public:
  /// Every caller may use the row.
  constexpr RowScope() = default;
  /// Names the scope: a string literal.
  template <std::size_t N>
  consteval RowScope(const char (&name)[N]) : name_(name) {  // NOLINT(google-explicit-constructor)
    if (N == 1) compile_error::the_scope_of_a_row_must_not_be_empty();
  }
  /// @cond server
  [[nodiscard]] constexpr bool given() const { return *name_ != '\0'; }  // GCC's sanitizers compare no addresses
  [[nodiscard]] constexpr const char* name() const { return name_; }
  /// @endcond

 private:
  const char* name_ = "";
};

/// The names of all scopes of a device, as a reference to a constant array. Made by naming the array. Lifetime: the
/// array lives as long as the program. Limits: 32 names, each unique. Errors: an invalid name does not compile. Source:
/// RFC 6749 section 3.3.
class ScopeTable {
 public:
  /// No scopes.
  constexpr ScopeTable() = default;
  /// Names an array.
  template <std::size_t N>
  consteval ScopeTable(const std::string_view (&names)[N]) : names_(names) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= 32, "a Definition has at most 32 scopes");
    for (std::size_t i = 0; i < N; ++i) {
      if (!detail::is_scope(names[i])) {
        compile_error::a_scope_of_a_definition_must_not_be_empty_or_have_a_space_or_a_quote();
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (names[i] == names[j]) compile_error::two_scopes_of_a_definition_must_not_have_the_same_name();
      }
    }
  }

  /// The result of find() for a name that is not in the table.
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// Returns the names, in their order.
  [[nodiscard]] constexpr std::span<const std::string_view> names() const { return names_; }
  /// Returns the position of a name, or npos.
  [[nodiscard]] constexpr std::size_t find(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;
    }
    return npos;
  }
  /// Returns the set of the scopes in `text`, as in an OAuth token: names with a space between two. Names that are not
  /// in the table are ignored.
  [[nodiscard]] constexpr Scopes named(std::string_view text) const {
    Scopes scopes;
    std::size_t begin = 0;
    while (begin < text.size()) {
      std::size_t end = begin;
      while (end < text.size() && text[end] != ' ') ++end;
      const std::size_t position = find({text.data() + begin, end - begin});
      if (position != npos) scopes.add(position);
      begin = end + 1;
    }
    return scopes;
  }

 private:
  std::span<const std::string_view> names_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
