// SPDX-License-Identifier: Apache-2.0
#include "beds.hpp"

#include "changes.hpp"
#include "events.hpp"

namespace beds {
namespace {

using namespace std::literals;

constexpr std::string_view crops[plant::beds] = {"tomato", "basil", "cucumber", "lettuce"};

Bed bed_at(std::size_t index) {
  return {.number = static_cast<std::uint8_t>(index + 1),
          .crop = crops[index],
          .moisture = plant::moisture(index),
          .valve_open = plant::is_open(index)};
}

}  // namespace

std::string_view crop(std::size_t number) { return crops[number - 1]; }

mcp::Errc read_all(Beds& out) {
  for (std::size_t i = 0; i < plant::beds; ++i) *out.beds.grow() = bed_at(i);
  return mcp::Errc::ok;
}

mcp::Errc read_one(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  std::int32_t number = 0;
  if (const mcp::Errc errc = variables.integer("bed", 1, plant::beds, number); errc != mcp::Errc::ok) return errc;
  return out.structured(bed_output, bed_at(static_cast<std::size_t>(number - 1)));
}

mcp::Errc complete_bed(const mcp::CompletionRequest&, mcp::Completions& completions) {
  for (const std::string_view number : {"1"sv, "2"sv, "3"sv, "4"sv}) completions.offer(number);
  return mcp::Errc::ok;
}

mcp::Errc handle_set_valve(const SetValve& arguments, mcp::Call& call) {
  plant::open_valve(arguments.bed - 1U, arguments.open);
  events::add(arguments.open ? events::Kind::valve_opened : events::Kind::valve_closed, arguments.bed);
  greenhouse::notify(greenhouse::Change::beds);
  return call.result().text("The valve of bed ", arguments.bed, " is ", arguments.open ? "open"sv : "closed"sv, ".");
}

}  // namespace beds
