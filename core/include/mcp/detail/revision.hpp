// SPDX-License-Identifier: Apache-2.0
// The supported revisions of MCP, and all differences between them.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <string_view>

#include "mcp/content.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/text.hpp"

namespace mcp {
namespace protocol {

/// Features that a revision has and its predecessors lack.
struct Revision {
  std::string_view name;
  // In lists and serverInfo: titles, _meta, outputSchema (2025-06-18); icons, description and websiteUrl of the server
  // (2025-11-25); annotations of tools (2025-03-26); tasks (2025-11-25); headers of parameters (2026-07-28). All
  // revisions know annotations of resources and of content.
  mcp::detail::Shown shown = {};
  bool batches = false;      // JSON-RPC batches are received (2025-03-26 alone)
  bool completions = false;  // are a capability, and progress has a message (2025-03-26)
  // In results: audio (2025-03-26); resource_link, _meta of items, structuredContent (2025-06-18); icons of links, and
  // several items in a message to a model (2025-11-25).
  Content::Known content = {};
  std::uint8_t client_features;    // bits of CapabilityBit that a client can declare
  bool elicitation_modes = false;  // forms and URLs have modes, forms have lists, capabilities have parts (2025-11-25)
  bool continues_streams = false;  // a stream may end before its response, and the client continues it (2025-11-25)
  bool stateless = false;          // no handshake and no session: every request names its client (2026-07-28)
};

/// Requests that a client can handle.
struct CapabilityBit {
  enum : std::uint8_t {
    roots = 1,
    sampling = 2,
    sampling_context = 4,   // includeContext other than "none"; before 2025-11-25 every client that samples has it
    sampling_tools = 8,     // since 2025-11-25
    elicitation_form = 16,  // since 2025-06-18
    elicitation_url = 32,   // since 2025-11-25
    tasks = 64,             // the extension io.modelcontextprotocol/tasks, of a client without a session
    stateless = 128,        // not declared: the client has no session
  };
};

/// Those that begin with a handshake, newest first, and then those without sessions, newest first. A client is known by
/// an index into this table.
inline constexpr Revision revisions[] = {
    {.name = "2025-11-25",
     .shown = {.titles = true, .meta = true, .icons = true, .tool_annotations = true, .output = true, .tasks = true},
     .completions = true,
     .content = {.audio = true, .links = true, .meta = true, .structured = true, .icons = true},
     .client_features = 63,
     .elicitation_modes = true,
     .continues_streams = true},
    {.name = "2025-06-18",
     .shown = {.titles = true, .meta = true, .tool_annotations = true, .output = true},
     .completions = true,
     .content = {.audio = true, .links = true, .meta = true, .structured = true},
     .client_features = 23},
    {.name = "2025-03-26",
     .shown = {.tool_annotations = true},
     .batches = true,
     .completions = true,
     .content = {.audio = true},
     .client_features = 7},
    {.name = "2024-11-05", .client_features = 7},
    {.name = "2026-07-28",
     .shown = {.titles = true, .meta = true, .icons = true, .tool_annotations = true, .output = true, .headers = true},
     .completions = true,
     .content = {.audio = true, .links = true, .meta = true, .structured = true, .icons = true},
     .client_features = 63,
     .elicitation_modes = true,
     .stateless = true},
};

inline constexpr std::uint8_t no_revision = 0xFF;

/// The index of the newest revision without sessions.
inline constexpr std::uint8_t newest_stateless = [] {
  std::uint8_t index = 0;
  while (!revisions[index].stateless) ++index;
  return index;
}();

/// The index of the revision with this name, among those with or without sessions; no_revision if it is unsupported.
inline std::uint8_t find_revision(const std::string_view& name, bool stateless) {
  std::uint8_t index = 0;
  for (const Revision& revision : revisions) {
    if (revision.stateless == stateless && json::equal(revision.name, name)) return index;
    ++index;
  }
  return no_revision;
}

/// The index of the revision to offer to a client that requests `name` in a handshake: that one, or the newest if it is
/// unsupported. Source: basic/lifecycle#version-negotiation, 2025-11-25.
inline std::uint8_t negotiate(const std::string_view& name) {
  const std::uint8_t index = find_revision(name, false);
  return index != no_revision ? index : 0;
}

}  // namespace protocol

namespace detail {

/// Returns the members of rows that any revision of these eras has.
consteval Shown shown_in(bool sessions, bool stateless) {
  Shown all{};
  for (const protocol::Revision& revision : protocol::revisions) {
    if (!(revision.stateless ? stateless : sessions)) continue;
    const Shown& shown = revision.shown;
    all = {.titles = all.titles || shown.titles,
           .meta = all.meta || shown.meta,
           .icons = all.icons || shown.icons,
           .tool_annotations = all.tool_annotations || shown.tool_annotations,
           .output = all.output || shown.output,
           .tasks = all.tasks || shown.tasks,
           .headers = all.headers || shown.headers};
  }
  return all;
}
inline constexpr Shown legacy_shown = shown_in(true, false);
inline constexpr Shown modern_shown = shown_in(false, true);
inline constexpr Shown all_shown = shown_in(true, true);

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
