// SPDX-License-Identifier: Apache-2.0
/// @file
/// Prompts that send input requests. Source: basic/patterns/mrtr, 2026-07-28.
/// @code
/// struct Person { mcp::FixedString<20> name; };
/// constexpr auto person = mcp::params(mcp::param<&Person::name>("name"));
/// mcp::Errc greet(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
///   const mcp::Answer who = out.answer("who");
///   if (who.outcome() == mcp::Outcome::none) return out.key("who").elicit(person, "Who are you?");
///   if (who.outcome() != mcp::Outcome::accepted) return out.fail_input(who);
///   Person filled{};
///   if (const mcp::Errc errc = out.read_form(who, person, filled); errc != mcp::Errc::ok) return errc;
///   return out.user().text("I am ", filled.name, ".");
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include "mcp/caller.hpp"
#include "mcp/input_request.hpp"
#include "mcp/prompt.hpp"

#include <mcp/detail/epilogue.hpp>
