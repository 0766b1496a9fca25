// SPDX-License-Identifier: Apache-2.0
// Writes figures as samples of Prometheus text, from a number on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/figures.hpp"
#include "mcp/http/endpoint.hpp"
#include "mcp/http_metrics.hpp"

namespace mcp::http {

/// The samples of one family are together in the text, but not among the figures. So there is one walk over all figures
/// for each family of pools and of memory, and one walk for all values.
class SampleWriter final : public FigureWriter {
 public:
  static constexpr unsigned walks = 9;

  /// Writes the samples that fit into `text`, beginning with the number `first`.
  SampleWriter(std::span<char> text, std::uint32_t first)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), first_(first) {}

  void begin_walk(unsigned walk) {
    walk_ = walk;
    family_ = 0;
  }

  /// Returns the number of the first sample that is not written.
  [[nodiscard]] std::uint32_t next() const { return is_full_ ? full_at_ : number_; }
  /// True if no sample follows.
  [[nodiscard]] bool is_complete() const { return !is_full_; }
  [[nodiscard]] char* end() const { return at_; }

 private:
  void do_pool(std::string_view name, const PoolFigures& figures, bool is_bytes) override;
  void do_value(const FigureValue& figure) override;
  bool begin_sample();
  void end_sample(const char* start, bool is_first);
  void write_head(std::string_view name, std::string_view suffix, std::string_view description, bool is_counter);
  void write_name(std::string_view name, std::string_view suffix);
  void write_label(std::string_view key, std::string_view text);
  void write_escaped(std::string_view text, bool is_quoted);
  void write_number(std::uint64_t value);
  void write_milliseconds(std::uint64_t value);
  void put(std::string_view text);

  char* begin_;
  char* at_;
  char* end_;
  std::uint32_t first_;
  std::uint32_t number_ = 0;   // number of the next sample
  std::uint32_t full_at_ = 0;  // of the first sample that did not fit
  bool is_full_ = false;
  bool overflows_ = false;  // within this sample
  unsigned walk_ = 0;
  std::uint32_t family_ = 0;  // a hash of the name of the last sample in this walk; 0: no family has begun
};

/// Returns the connections that are open.
[[nodiscard]] std::uint32_t connections_in_use(const Endpoint& endpoint);
/// Writes the figures of HTTP.
void write_http_figures(const Endpoint& endpoint, const HttpMetrics::Counts& counts, FigureWriter& out);

}  // namespace mcp::http
