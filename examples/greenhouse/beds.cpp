// SPDX-License-Identifier: Apache-2.0
#include "beds.hpp"

#include "events.hpp"
#include "greenhouse.hpp"

namespace beds {
namespace {

using namespace std::literals;

template <std::size_t N>
constexpr mcp::FixedString<16> named(const char (&text)[N]) {
  mcp::FixedString<16> name;
  static_cast<void>(name.assign({text, N - 1}));
  return name;
}
constinit mcp::FixedString<16> crops[plant::beds] = {named("tomato"), named("basil"), named("cucumber"),
                                                     named("lettuce")};
std::optional<mcp::FixedString<10>> sown[plant::beds];

Bed bed_at(std::size_t index) {
  return {.number = static_cast<std::uint8_t>(index + 1),
          .crop = crops[index],
          .sown = sown[index],
          .moisture = plant::moisture(index),
          .valve_open = plant::is_open(index)};
}

}  // namespace

std::string_view crop(std::size_t number) { return crops[number - 1].view(); }

mcp::Errc read_all(Beds& out) {
  for (std::size_t i = 0; i < plant::beds; ++i) *out.beds.grow() = bed_at(i);
  return mcp::Errc::ok;
}

mcp::Errc read_one(const WhichBed& variables, Bed& out) {
  out = bed_at(variables.bed - 1U);
  return mcp::Errc::ok;
}

mcp::Step ReadAcidity::step(mcp::ReadContext& context) {
  if (context.stop_requested()) return context.done();
  if (!started) {
    started = true;
    return context.sleep(3000);
  }
  return context.done(context.body().text(mcp::Scaled{plant::acidity(variables.bed - 1U), 1}));
}

mcp::Errc complete_bed(const mcp::CompletionRequest&, mcp::Completions& completions) {
  for (const std::string_view number : {"1"sv, "2"sv, "3"sv, "4"sv}) completions.offer(number);
  return mcp::Errc::ok;
}

mcp::Errc handle_show_bed(const WhichBed& arguments, mcp::Call& call) {
  static constexpr mcp::Icon icons[] = {
      {.src = "https://example.com/log.png", .mime_type = "image/png", .sizes = "48x48"}};
  static constexpr mcp::Meta meta = R"({"greenhouse.example/valve":"normally closed"})";
  char bed_uri[] = "bed://0";
  char log_uri[] = "log://bed/0";
  bed_uri[sizeof bed_uri - 2] = log_uri[sizeof log_uri - 2] = static_cast<char>('0' + arguments.bed);
  const std::size_t index = arguments.bed - 1U;
  // An item that does not fit makes the call fail, also if this function goes on.
  static_cast<void>(call.result().text("In bed ", arguments.bed, " grows ", crops[index].view(), "."));
  static_cast<void>(call.result().resource_text({.uri = bed_uri, .mime_type = "text/plain", .meta = meta},
                                                plant::moisture(index), " % moisture"));
  return call.result().link({.uri = log_uri, .name = "events_of_bed"}, icons);
}

mcp::Errc handle_dry_beds(Dry& out, mcp::Call&) {
  for (std::uint8_t bed = 1; bed <= plant::beds; ++bed) {
    if (plant::moisture(bed - 1U) < 30) *out.grow() = bed;
  }
  return mcp::Errc::ok;
}

mcp::Errc handle_set_valve(const SetValve& arguments, mcp::Call& call) {
  plant::open_valve(arguments.bed - 1U, arguments.open);
  events::add(arguments.open ? events::Kind::valve_opened : events::Kind::valve_closed, arguments.bed);
  greenhouse::bed_changed(arguments.bed);
  return call.result().text("The valve of bed ", arguments.bed, " is ", arguments.open ? "open"sv : "closed"sv, ".");
}

mcp::Errc handle_set_crop(const SetCrop& arguments, mcp::Call& call) {
  crops[arguments.bed - 1U] = arguments.crop;
  sown[arguments.bed - 1U] = arguments.sown ? arguments.sown : arguments.planted;
  greenhouse::bed_changed(arguments.bed);
  return call.result().text("In bed ", arguments.bed, " grows ", arguments.crop.view(), ".");
}

}  // namespace beds
