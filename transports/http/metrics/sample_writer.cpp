// SPDX-License-Identifier: Apache-2.0
// Source: prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4.
#include "http/metrics/sample_writer.hpp"

#include <cstring>

#include "mcp/http/exchange.hpp"

namespace mcp::http {
namespace {

struct PoolFamily {
  std::string_view name;
  std::string_view description;
  bool is_counter;
};
// The families of pools, then the families of memory.
constexpr PoolFamily families[] = {
    {"pool_slots", "Slots of the pool", false},
    {"pool_used_slots", "Slots in use", false},
    {"pool_high_water_slots", "Most slots in use at the same time", false},
    {"pool_full_total", "Requests without a slot, lost records", true},
    {"memory_bytes", "Bytes of the memory", false},
    {"memory_used_bytes", "Bytes in use", false},
    {"memory_high_water_bytes", "Most bytes in use at the same time", false},
    {"memory_full_total", "Requests without space, lost records", true},
};
constexpr unsigned columns = 4;
static_assert(std::size(families) + 1 == SampleWriter::walks);

// FNV-1a, never 0.
std::uint32_t hash(std::string_view text) {
  std::uint32_t sum = 2166136261U;
  for (const char c : text) sum = (sum ^ static_cast<std::uint8_t>(c)) * 16777619U;
  return sum | 1;
}

std::string_view suffix_of(const FigureValue& figure) {
  switch (figure.unit) {
    case FigureUnit::milliseconds: return figure.is_counter ? "_seconds_total" : "_seconds";
    case FigureUnit::bytes: return figure.is_counter ? "_bytes_total" : "_bytes";
    default: return figure.is_counter ? "_total" : "";
  }
}

constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

void SampleWriter::put(std::string_view text) {
  overflows_ = overflows_ || text.size() > static_cast<std::size_t>(end_ - at_);
  if (overflows_ || text.empty()) return;
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
}

// Each sample counts, also if it is not written.
bool SampleWriter::begin_sample() {
  overflows_ = false;
  return number_ >= first_ && !is_full_;
}

// A sample that does not fit is removed. If it is the only sample of a part, no part has space for it, and it is left
// out. If it was the first sample of its family, the next sample becomes the first.
void SampleWriter::end_sample(const char* start, bool is_first) {
  ++number_;
  if (!overflows_) return;
  at_ = begin_ + (start - begin_);
  if (start != begin_) {
    is_full_ = true;
    full_at_ = number_ - 1;
  } else if (is_first) {
    family_ = 0;
  }
}

void SampleWriter::write_name(std::string_view name, std::string_view suffix) {
  put("mote_");
  for (const char c : name) put({is_name_char(c) ? &c : "_", 1});
  put(suffix);
}

void SampleWriter::write_head(std::string_view name, std::string_view suffix, std::string_view description,
                              bool is_counter) {
  put("# HELP ");
  write_name(name, suffix);
  put(" ");
  write_escaped(description.empty() ? name : description, false);
  put("\n# TYPE ");
  write_name(name, suffix);
  put(is_counter ? " counter\n" : " gauge\n");
}

// A quote is escaped only in the value of a label.
void SampleWriter::write_escaped(std::string_view text, bool is_quoted) {
  for (const char c : text) {
    if (c == '\n') {
      put("\\n");
    } else if (c == '\\' || (c == '"' && is_quoted)) {
      const char escaped[] = {'\\', c};
      put({escaped, 2});
    } else {
      put({&c, 1});
    }
  }
}

void SampleWriter::write_label(std::string_view key, std::string_view text) {
  put("{");
  for (const char c : key) put({is_name_char(c) ? &c : "_", 1});
  put("=\"");
  write_escaped(text, true);
  put("\"}");
}

void SampleWriter::write_number(std::uint64_t value) {
  char digits[20];
  char* at = digits + sizeof digits;
  do {
    *--at = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  put({at, static_cast<std::size_t>(digits + sizeof digits - at)});
}

void SampleWriter::write_milliseconds(std::uint64_t value) {
  write_number(value / 1000);
  const auto rest = static_cast<unsigned>(value % 1000);
  const char digits[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                         static_cast<char>('0' + rest % 10)};
  put({digits, sizeof digits});
}

void SampleWriter::do_pool(std::string_view name, const PoolFigures& figures, bool is_bytes) {
  if (walk_ >= std::size(families) || (walk_ >= columns) != is_bytes) return;
  const PoolFamily& family = families[walk_];
  const bool is_first = family_ == 0;
  family_ = 1;
  const char* const start = at_;
  if (!begin_sample()) {
    ++number_;
    return;
  }
  const std::uint32_t values[columns] = {figures.size, figures.used, figures.high_water, figures.full};
  if (is_first) write_head(family.name, "", family.description, family.is_counter);
  write_name(family.name, "");
  write_label(is_bytes ? "memory" : "pool", name);
  put(" ");
  write_number(values[walk_ % columns]);
  put("\n");
  end_sample(start, is_first);
}

void SampleWriter::do_value(const FigureValue& figure) {
  if (walk_ != std::size(families)) return;
  const std::uint32_t family = hash(figure.name);
  const bool is_first = family_ != family;
  family_ = family;
  const char* const start = at_;
  if (!begin_sample()) {
    ++number_;
    return;
  }
  const std::string_view suffix = suffix_of(figure);
  if (is_first) write_head(figure.name, suffix, figure.description, figure.is_counter);
  write_name(figure.name, suffix);
  if (!figure.label.key.empty()) write_label(figure.label.key, figure.label.text);
  put(" ");
  if (figure.unit == FigureUnit::milliseconds) {
    write_milliseconds(figure.value);
  } else {
    write_number(figure.value);
  }
  put("\n");
  end_sample(start, is_first);
}

std::uint32_t connections_in_use(const Endpoint& endpoint) {
  std::uint32_t used = 0;
  for (const Exchange& exchange : endpoint.storage.exchanges) {
    if (exchange.connection != nullptr) ++used;
  }
  return used;
}

void write_http_figures(const Endpoint& endpoint, const HttpMetrics::Counts& counts, FigureWriter& out) {
  const auto size = endpoint.storage.exchanges.end() - endpoint.storage.exchanges.begin();
  out.pool("http_connections", {.size = static_cast<std::uint32_t>(size),
                                .used = connections_in_use(endpoint),
                                .high_water = counts.high_water,
                                .full = counts.evicted});
  constexpr std::string_view about = "HTTP responses by class of status";
  constexpr std::string_view classes[] = {"1xx", "2xx", "3xx", "4xx", "5xx"};
  for (unsigned i = 1; i < 5; ++i) out.counter("http_responses", {"class", classes[i]}, counts.responses[i], about);
  out.counter("http_refused", counts.refused, FigureUnit::none, "HTTP requests without a valid token or scope");
}

}  // namespace mcp::http
