// SPDX-License-Identifier: Apache-2.0
// The constant responses of each device, byte for byte the same with prerendered texts: in each revision, on one page
// and on several.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conversations/player.hpp"
#include "engine/revision.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/json/sizer.hpp"
#include "support/twins.hpp"

namespace {

using test::Player;
using test::Twin;

using Lines = std::vector<std::string>;

// The requests of a client of this revision.
class Client {
 public:
  Client(const mcp::Definition& definition, const mcp::protocol::Revision& revision, std::size_t transmit_size)
      : revision_(revision), player_(definition, {.receive_size = 4096, .transmit_size = transmit_size}) {}

  // All responses.
  Lines run() {
    if (revision_.stateless) {
      ask("server/discover", "");
    } else {
      ask("initialize", R"("protocolVersion":")" + std::string(revision_.name) +
                            R"(","capabilities":{},"clientInfo":{"name":"test","version":"0"})");
      send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }
    for (const char* const method : {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
      ask(method, "");
      for (std::string cursor = next_cursor(); !cursor.empty(); cursor = next_cursor()) {
        ask(method, R"("cursor":")" + cursor + '"');
      }
    }
    return lines_;
  }

 private:
  void send(const std::string& message) {
    const Lines lines = player_.deliver(player_.line(message));
    lines_.insert(lines_.end(), lines.begin(), lines.end());
  }
  void ask(std::string_view method, std::string members) {
    if (revision_.stateless) {
      if (!members.empty()) members += ',';
      members += R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + std::string(revision_.name) +
                 R"(","io.modelcontextprotocol/clientCapabilities":{}})";
    }
    send(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + members + "}}");
  }
  [[nodiscard]] std::string next_cursor() const {
    constexpr std::string_view key = R"("nextCursor":")";
    const std::size_t at = lines_.empty() ? std::string::npos : lines_.back().rfind(key);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + key.size();
    return lines_.back().substr(begin, lines_.back().find('"', begin) - begin);
  }

  const mcp::protocol::Revision& revision_;
  Player player_;
  Lines lines_;
};

TEST(Prerendered, ResponsesAreTheSameInEachRevision) {
  std::size_t twins = 0;
  for (const Twin* twin = Twin::all(); twin != nullptr; twin = twin->next()) {
    SCOPED_TRACE(twin->original().name);
    ++twins;
    for (const mcp::protocol::Revision& revision : mcp::protocol::revisions) {
      for (const std::size_t transmit_size : {std::size_t{65'536}, std::size_t{4096}, std::size_t{2048}}) {
        SCOPED_TRACE(revision.name);
        const Lines wanted = Client(twin->original(), revision, transmit_size).run();
        EXPECT_GE(wanted.size(), 5U);
        EXPECT_EQ(Client(twin->rendered(), revision, transmit_size).run(), wanted);
      }
    }
  }
  EXPECT_GE(twins, 25U);
}

// Renders a row as the compiler does, but at run time.
template <class Row>
std::string render(const Row& row) {
  std::string text(0x10000, '\0');
  mcp::json::Sizer out = mcp::json::Sizer::rendering(text.data(), true);
  mcp::detail::write_item(out, row, mcp::detail::all_shown);
  out.text_end();
  text.resize(out.size());
  return text;
}

template <class Row>
void expect_texts(std::span<const Row> rendered, std::span<const Row> original, auto text_of) {
  for (std::size_t i = 0; i < rendered.size() && rendered.data() != original.data(); ++i) {
    EXPECT_EQ(text_of(rendered[i]), render(original[i])) << i;
  }
}

TEST(Prerendered, TextsAreTheSameAtRunTime) {
  for (const Twin* twin = Twin::all(); twin != nullptr; twin = twin->next()) {
    SCOPED_TRACE(twin->original().name);
    const mcp::Definition& rendered = twin->rendered();
    const mcp::Definition& original = twin->original();
    constexpr auto title_of = [](const auto& row) { return row.title; };
    expect_texts(rendered.tools.rows(), original.tools.rows(), [](const mcp::Tool& tool) { return tool.info.title; });
    expect_texts(rendered.resources.rows(), original.resources.rows(), title_of);
    expect_texts(rendered.resource_templates.rows(), original.resource_templates.rows(), title_of);
    expect_texts(rendered.prompts.rows(), original.prompts.rows(), title_of);
  }
}

// The rows of a twin have no other texts.
TEST(Prerendered, RowsHaveTheirTextsOnce) {
  for (const Twin* twin = Twin::all(); twin != nullptr; twin = twin->next()) {
    SCOPED_TRACE(twin->original().name);
    for (const mcp::Tool& tool : twin->rendered().tools.rows()) {
      const std::string_view text = tool.info.title;
      EXPECT_TRUE(tool.info.name.data() >= text.data() && tool.info.name.data() < text.data() + text.size());
      EXPECT_TRUE(tool.info.description.empty() && tool.input_schema.empty() && !tool.info.extras.any());
    }
    for (const mcp::Resource& resource : twin->rendered().resources.rows()) {
      const std::string_view text = resource.title;
      EXPECT_TRUE(resource.uri.data() >= text.data() && resource.uri.data() < text.data() + text.size());
      EXPECT_TRUE(resource.description.empty() && !resource.extras.any());
    }
  }
}

}  // namespace
