// SPDX-License-Identifier: Apache-2.0
// The supported revisions of MCP, and all differences between them.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/content.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/text.hpp"

namespace mcp::protocol {

/// Features that a revision has and its predecessors lack.
struct Revision {
  std::string_view name;
  // In lists and serverInfo: titles, _meta, outputSchema (2025-06-18); icons, description and websiteUrl of the server
  // (2025-11-25); annotations of tools (2025-03-26); tasks (2025-11-25); headers of parameters (2026-07-28). All
  // revisions know annotations of resources and of content.
  mcp::detail::Shown shown;
  bool batches;      // JSON-RPC batches are received (2025-03-26 alone)
  bool completions;  // are a capability, and progress has a message (2025-03-26)
  // In results: audio (2025-03-26); resource_link, _meta of items, structuredContent (2025-06-18); icons of links, and
  // several items in a message to a model (2025-11-25).
  Content::Known content;
  std::uint8_t client_features;  // bits of CapabilityBit that a client can declare
  bool elicitation_modes;        // forms and URLs have modes, forms have lists, capabilities have parts (2025-11-25)
  bool continues_streams;        // a stream may end before its response, and the client continues it (2025-11-25 alone)
  bool stateless;                // no handshake and no session: every request names its client (2026-07-28)
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

/// Those that begin with a handshake, newest first, and then those without sessions. A client is known by an index into
/// this table.
inline constexpr Revision revisions[] = {
    {.name = "2025-11-25",
     .shown = mcp::detail::legacy_shown,
     .batches = false,
     .completions = true,
     .content = {.audio = true, .links = true, .meta = true, .structured = true, .icons = true, .client = 0},
     .client_features = 63,
     .elicitation_modes = true,
     .continues_streams = true,
     .stateless = false},
    {.name = "2025-06-18",
     .shown = {.titles = true,
               .meta = true,
               .icons = false,
               .tool_annotations = true,
               .output = true,
               .tasks = false,
               .headers = false},
     .batches = false,
     .completions = true,
     .content = {.audio = true, .links = true, .meta = true, .structured = true, .icons = false, .client = 0},
     .client_features = 23,
     .elicitation_modes = false,
     .continues_streams = false,
     .stateless = false},
    {.name = "2025-03-26",
     .shown = {.titles = false,
               .meta = false,
               .icons = false,
               .tool_annotations = true,
               .output = false,
               .tasks = false,
               .headers = false},
     .batches = true,
     .completions = true,
     .content = {.audio = true, .links = false, .meta = false, .structured = false, .icons = false, .client = 0},
     .client_features = 7,
     .elicitation_modes = false,
     .continues_streams = false,
     .stateless = false},
    {.name = "2024-11-05",
     .shown = {.titles = false,
               .meta = false,
               .icons = false,
               .tool_annotations = false,
               .output = false,
               .tasks = false,
               .headers = false},
     .batches = false,
     .completions = false,
     .content = {.audio = false, .links = false, .meta = false, .structured = false, .icons = false, .client = 0},
     .client_features = 7,
     .elicitation_modes = false,
     .continues_streams = false,
     .stateless = false},
    {.name = "2026-07-28",
     .shown = mcp::detail::modern_shown,
     .batches = false,
     .completions = true,
     .content = {.audio = true, .links = true, .meta = true, .structured = true, .icons = true, .client = 0},
     .client_features = 63,
     .elicitation_modes = true,
     .continues_streams = false,
     .stateless = true},
};

inline constexpr std::uint8_t no_revision = 0xFF;

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

}  // namespace mcp::protocol
