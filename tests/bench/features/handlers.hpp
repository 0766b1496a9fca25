// SPDX-License-Identifier: Apache-2.0
// A part of features.cpp: the handlers of its tools.
#pragma once

#include <mcp/server.hpp>
#ifdef WITH_PATTERN
#include <mcp/pattern.hpp>
#endif

namespace {

// ---- Parameters of a tool -------------------------------------------------------------------------------------------

// After the tables, because it names their rows.
mcp::Errc plain(mcp::Call& call);

#ifdef WITH_INTEGER
struct Integer {
  std::int32_t value;
};
constexpr auto integer_params = mcp::params(mcp::param<&Integer::value>("value", {.minimum = -9, .maximum = 9}));
mcp::Errc integer(const Integer&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_FLOAT
struct Float {
  float value;
};
constexpr auto float_params = mcp::params(mcp::param<&Float::value>("value", {.minimum = -1.5F, .maximum = 1.5F}));
mcp::Errc take_float(const Float&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_DOUBLE
struct Double {
  double value;
};
constexpr auto double_params = mcp::params(mcp::param<&Double::value>("value", {.minimum = -1e300, .maximum = 1e300}));
mcp::Errc take_double(const Double&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_TEXT
enum class Mode : std::uint8_t { off, on };
struct Text {
  std::string_view text;
  Mode mode;
};
#ifdef WITH_TITLES
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off, "Off"}, {"on", Mode::on, "On"}});
constexpr mcp::Format format = mcp::Format::date;
constexpr std::string_view title = "Text";
#else
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}});
constexpr mcp::Format format = mcp::Format::none;
constexpr std::string_view title;
#endif
constexpr auto text_params = mcp::params(mcp::param<&Text::text>("text", {.title = title, .format = format}),
                                         mcp::param<&Text::mode>("mode", {.choices = modes}));
mcp::Errc text(const Text&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_OTHERS
struct Others {
  std::uint64_t number;
  bool flag;
  mcp::FixedString<8> text;
};
constexpr auto others_params = mcp::params(mcp::param<&Others::number>("number"), mcp::param<&Others::flag>("flag"),
                                           mcp::param<&Others::text>("text"));
mcp::Errc others(const Others&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_NESTED
struct Inner {
  std::int32_t value;
};
struct Nested {
  mcp::List<std::int32_t, 4> list;
  Inner inner;
};
constexpr auto inner_params = mcp::params(mcp::param<&Inner::value>("value"));
constexpr auto nested_params =
    mcp::params(mcp::param<&Nested::list>("list"), mcp::param<&Nested::inner>("inner", {.fields = inner_params}));
mcp::Errc nested(const Nested&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_MULTIPLES
struct Multiples {
  std::int32_t value;
};
constexpr auto multiples_params =
    mcp::params(mcp::param<&Multiples::value>("value", {.multiple_of = 5, .unit = "Cel"}));
mcp::Errc multiples(const Multiples&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_PATTERN
struct Matched {
  std::string_view value;
};
constexpr auto matched_params =
    mcp::params(mcp::param<&Matched::value>("value", {.pattern = mcp::pattern<"^[A-Z]{2}-[0-9]{4}$">}));
mcp::Errc matched(const Matched&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_CHECKED_FORMAT
struct Formatted {
  std::string_view value;
};
constexpr auto formatted_params =
    mcp::params(mcp::param<&Formatted::value>("value", {.format = mcp::Format::date_time, .checks_format = true}));
mcp::Errc formatted(const Formatted&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_MAP
struct Mapped {
  mcp::Map<std::int32_t, 4> value;
};
constexpr auto mapped_params = mcp::params(mcp::param<&Mapped::value>("value"));
mcp::Errc mapped(const Mapped&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_NULLABLE
struct OrNull {
  mcp::Nullable<std::int32_t> value;
};
constexpr auto or_null_params = mcp::params(mcp::param<&OrNull::value>("value"));
mcp::Errc or_null(const OrNull&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_UNIQUE
struct Unique {
  mcp::List<std::int32_t, 4> value;
};
constexpr auto unique_params = mcp::params(mcp::param<&Unique::value>("value", {.unique_items = true}));
mcp::Errc unique(const Unique&, mcp::Call& call) { return call.result().text("x"); }
#endif

#ifdef WITH_SCHEMA
constexpr mcp::InputSchema schema(R"({"type":"object"})");
mcp::Errc any_arguments(mcp::json::Value, mcp::Call& call) { return call.result().text("x"); }
#endif

// ---- Results of a tool ----------------------------------------------------------------------------------------------

#ifdef WITH_JSON_OUTPUT
mcp::Errc json_output(mcp::Call& call) {
  return call.structured([](mcp::json::Writer& out) {
    out.object_begin();
    out.member("value", 1U);
    out.object_end();
  });
}
#endif

#ifdef WITH_VALUE_OUTPUT
constexpr auto value_output = mcp::output_value<std::int32_t>();
mcp::Errc give_value(std::int32_t& out, mcp::Call&) {
  out = 1;
  return mcp::Errc::ok;
}
#endif

#ifdef WITH_STRUCTURED
struct Count {
  std::int32_t value;
};
constexpr auto count_output = mcp::output(mcp::param<&Count::value>("value"));
mcp::Errc structured(Count& out, mcp::Call&) {
  out.value = 1;
  return mcp::Errc::ok;
}
#endif

#ifdef WITH_STRUCTURED_FLOAT
struct Measure {
  float value;
};
constexpr auto measure_output = mcp::output(mcp::param<&Measure::value>("value"));
mcp::Errc structured_float(Measure& out, mcp::Call&) {
  out.value = 1.5F;
  return mcp::Errc::ok;
}
#endif

#if defined(WITH_CONTENT) || defined(WITH_OTHER_CONTENT)
constexpr std::uint8_t bytes[] = {1, 2, 3, 4};
#endif

#ifdef WITH_CONTENT
mcp::Errc content(mcp::Call& call) {
  static_cast<void>(call.result().image(bytes, "image/png"));
  return call.result().link({.uri = "x:y", .name = "x"});
}
#endif

#ifdef WITH_EMBEDDED
constexpr mcp::Icon link_icons[] = {{.src = "data:,"}};
mcp::Errc embedded(mcp::Call& call) {
  static_cast<void>(call.result().link({.uri = "x:y", .name = "x"}, link_icons));
  return call.result().resource_text({.uri = "x:y", .meta = R"({"x":1})"}, "x");
}
#endif

#ifdef WITH_OTHER_CONTENT
mcp::Errc other_content(mcp::Call& call) {
  constexpr mcp::Annotations annotations{.audience = mcp::Annotations::Audience::user};
  constexpr mcp::Meta meta(R"({"x":1})");
  static_cast<void>(call.result().annotate(annotations).audio(bytes, "audio/wav"));
  static_cast<void>(call.result().resource_text("x:y", "text/plain", "x"));
  static_cast<void>(call.result().meta(meta).resource_blob("x:y", "image/png", bytes));
  return call.meta([](mcp::json::Writer& out) { out.member("y", 2); });
}
#endif

#ifdef WITH_EXTRAS
constexpr mcp::Icon icons[] = {{.src = "data:,"}};
constexpr mcp::ToolExtras tool_extras{.icons = icons, .meta = R"({"x":1})", .annotations = {.read_only_hint = true}};
#endif

}  // namespace
