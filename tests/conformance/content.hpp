// SPDX-License-Identifier: Apache-2.0
// A part of everything.cpp: tools that show the kinds of content, schemas and results.
#pragma once

#include "everything.hpp"

namespace everything {
namespace {

// A picture of one red pixel.
constexpr std::uint8_t png[] = {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
                                0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00,
                                0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78,
                                0xDA, 0x63, 0xFC, 0xCF, 0xC0, 0xF0, 0x1F, 0x00, 0x05, 0x05, 0x02, 0x00, 0x5F, 0xC8,
                                0xF1, 0xD2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};

// A sound of no length.
constexpr std::uint8_t wav[] = {0x52, 0x49, 0x46, 0x46, 0x26, 0x00, 0x00, 0x00, 0x57, 0x41, 0x56,
                                0x45, 0x66, 0x6D, 0x74, 0x20, 0x10, 0x00, 0x00, 0x00, 0x01, 0x00,
                                0x01, 0x00, 0x40, 0x1F, 0x00, 0x00, 0x00, 0x7D, 0x00, 0x00, 0x02,
                                0x00, 0x10, 0x00, 0x64, 0x61, 0x74, 0x61, 0x02, 0x00, 0x00, 0x00};

mcp::Errc simple_text(mcp::Call& call) { return call.result().text("This is a simple text response for testing."); }

mcp::Errc image(mcp::Call& call) { return call.result().image(png, "image/png"); }

mcp::Errc audio(mcp::Call& call) { return call.result().audio(wav, "audio/wav"); }

mcp::Errc embedded_resource(mcp::Call& call) {
  return call.result().resource_text("test://embedded-resource", "text/plain", "This is an embedded resource content.");
}

// If an item does not fit, the server sends an error. So the last Errc is the result of all calls.
mcp::Errc multiple_content_types(mcp::Call& call) {
  mcp::ToolResult& result = call.result();
  static_cast<void>(result.text("Multiple content types test:"));
  static_cast<void>(result.image(png, "image/png"));
  return result.resource_text("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})");
}

mcp::Errc resource_links(mcp::Call& call) {
  constexpr mcp::Annotations annotations{.audience = mcp::Annotations::Audience::user,
                                         .priority = mcp::Scaled{8, 1},
                                         .last_modified = "2025-11-25T00:00:00Z"};
  mcp::ToolResult& result = call.result();
  static_cast<void>(result.annotate(annotations).text("This text is for the user."));
  static_cast<void>(result.link({.uri = "test://static-binary",
                                 .name = "static-binary",
                                 .title = "Static binary",
                                 .description = "A picture.",
                                 .mime_type = "image/png",
                                 .size = sizeof png}));
  return result.resource_blob("test://embedded-blob", "image/png", png);
}

mcp::Errc error_handling(mcp::Call& call) { return call.fail("This tool intentionally returns an error for testing"); }

constexpr mcp::InputSchema schema_2020_12(
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)"
    R"("$defs":{"address":{"$anchor":"addressDef","type":"object",)"
    R"("properties":{"street":{"type":"string"},"city":{"type":"string"}}}},)"
    R"("properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},)"
    R"("contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},)"
    R"("allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],)"
    R"("if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},)"
    R"("then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false})");

mcp::Errc any_arguments(mcp::json::Value arguments, mcp::Call& call) {
  const bool given = arguments.present();
  return call.result().text("JSON Schema 2020-12 tool called with: ", given ? arguments.raw() : std::string_view("{}"));
}

struct Weather {
  float celsius;
  std::string_view conditions;
};
constexpr auto weather_output =
    mcp::output(mcp::param<&Weather::celsius>("celsius", {.title = "Temperature", .minimum = -90, .maximum = 60}),
                mcp::param<&Weather::conditions>("conditions", {.description = "In a word"}));
mcp::Errc structured_content(Weather& out, mcp::Call&) {
  out = {.celsius = 22.5F, .conditions = "sunny"};
  return mcp::Errc::ok;
}
constexpr mcp::Icon icons[] = {{.src = "https://example.com/icon.png", .mime_type = "image/png", .sizes = "48x48"}};
constexpr mcp::ToolExtras weather_extras{.icons = icons,
                                         .meta = R"({"com.example/unit":"celsius"})",
                                         .annotations = {.read_only_hint = true, .open_world_hint = false}};

}  // namespace
}  // namespace everything
