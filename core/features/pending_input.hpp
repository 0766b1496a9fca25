// SPDX-License-Identifier: Apache-2.0
// Input requests of jobs and prompts, and the responses of clients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/assert.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/input_request.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/params.hpp"

namespace mcp::protocol {

/// How an input request of a job is stored: the upper bits are for its key, then comes the number of rows of its form,
/// and the lower three bits are its kind or outcome.
struct PendingInput {
  enum Kind : std::uint8_t { form = 1, url, sample, roots, unsupported, no_space, timed_out };

  static constexpr unsigned rows_at = 3;
  static constexpr std::uint32_t max_rows = 63;
  static constexpr std::uint32_t key_mask = ~(max_rows << rows_at | 7U);

  /// The upper bits of a hash of the key. Two keys with the same value count as one key.
  [[nodiscard]] static constexpr std::uint32_t key_of(std::string_view key) {
    std::uint32_t hash = 0x811C'9DC5;
    for (const char c : key) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x0100'0193;
    return hash & key_mask;
  }
  [[nodiscard]] static constexpr std::uint32_t key_in(std::uint32_t input) { return input & key_mask; }
  [[nodiscard]] static constexpr std::uint32_t rows_in(std::uint32_t input) { return input >> rows_at & max_rows; }
  [[nodiscard]] static constexpr std::uint8_t kind_in(std::uint32_t input) { return input & 7U; }
  /// The only input request. There is one.
  [[nodiscard]] static constexpr std::uint32_t& open_one(mcp::detail::PendingInputs& inputs) {
    std::size_t i = 0;
    while (i + 1 < mcp::detail::PendingInputs::capacity && kind_in(inputs.items[i]) > roots) ++i;
    return inputs.items[i];
  }
  /// An input request without a response has this outcome.
  static constexpr void settle(mcp::detail::PendingInputs& inputs, Kind outcome) {
    MCP_DEBUG_ASSERT(outcome > roots);
    for (std::uint32_t& input : inputs.items) {
      if (input != 0 && kind_in(input) <= roots) input = key_in(input) | outcome;
    }
  }
};

/// The input response among the members of `inputResponses`: Outcome::none if it is missing, or if the request does not
/// declare the capability for it (`features`, bits of CapabilityBit). If only the key of the input request is known,
/// any kind of response is accepted. Source: basic/patterns/mrtr, 2026-07-28.
Answer find_answer(json::Value responses, std::uint32_t input, std::uint8_t features);
/// The input response, or Outcome::invalid_content if it accepts a form with content that is invalid in the form's
/// schema. `form`: the rows of its parameter table; their number is part of `input`. `room`: scratch memory that
/// does not contain the response. If it is smaller than the content, strings with escapes are decoded in place.
Answer check_form(const Answer& answer, std::uint32_t input, const mcp::detail::ParamInfo* form, std::span<char> room);
/// True if a client with these capabilities can respond to an input request of this kind (PendingInput::Kind).
bool can_answer(std::uint8_t kind, std::uint8_t features);

/// Writes the params of an elicitation that opens a URL.
void write_url_elicitation(json::Writer& out, const UrlElicitation& elicitation, bool with_id = true);

/// Cancels an input request.
void write_withdrawal(json::Writer& out, std::uint32_t input);

}  // namespace mcp::protocol
