// SPDX-License-Identifier: Apache-2.0
// compiles
#include <mcp/http_oauth.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/ports/interrupt_ring.hpp>
#include <mcp/server.hpp>
#include <optional>

// A valid case: the code of the other files of this folder without their errors. A wrong flag or include would make it
// fail, too.
namespace {

enum class Mode : unsigned { off, on };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}});
struct Point {
  int x;
};
constexpr auto point = mcp::params(mcp::param<&Point::x>("x"));
struct Arguments {
  int a;
  std::optional<Mode> mode;
  mcp::FixedString<4> text;
  mcp::List<Point, 2> points;
};
constexpr auto table =
    mcp::params(mcp::param<&Arguments::a>("a", {.minimum = 0, .maximum = 9, .default_value = 9}),
                mcp::param<&Arguments::mode>("mode", {.choices = modes, .default_value = Mode::on}),
                mcp::param<&Arguments::text>("text", {.min_length = 4, .default_value = "1234"}),
                mcp::param<&Arguments::points>("points", {.min_items = 2, .items = {.fields = point}}));

constexpr auto point_output = mcp::output(mcp::param<&Point::x>("x"));
struct Path {
  mcp::List<Point, 2> points;
};
constexpr auto path = mcp::output(mcp::param<&Path::points>("points", {.items = {.fields = point_output}}));
constexpr auto titled = mcp::choices<Mode>({{"off", Mode::off, "Off"}, {"on", Mode::on, "On"}});
struct Form {
  Mode mode;
  std::optional<mcp::FixedString<20>> email;
  mcp::List<Mode, 2> modes;
};
constexpr auto form =
    mcp::params(mcp::param<&Form::mode>("mode", {.title = "Mode", .choices = titled, .default_value = Mode::off}),
                mcp::param<&Form::email>("email", {.format = mcp::Format::email}),
                mcp::param<&Form::modes>("modes", {.items = {.choices = titled}}));
static_assert(mcp::detail::is_flat(form) && mcp::detail::is_flat(point) && !mcp::detail::is_flat(table));

mcp::Errc draw(const Arguments&, Path&, mcp::Call&) { return mcp::Errc::ok; }
mcp::Errc draw_all(Path&, mcp::Call& call) { return call.structured(path, {}); }

constexpr mcp::Icon icons[] = {{.src = "https://example.com/a.png", .sizes = "48x48 any"}, {.src = "data:,a"}};
constexpr mcp::ToolExtras tool_extras{.icons = icons, .meta = R"({"com.example/a-b_c.d": 1})"};
constexpr mcp::ResourceExtras resource_extras{.annotations = {.priority = mcp::Scaled{10, 1}}};
constexpr mcp::ServerExtras server_extras{.website_url = "https://example.com",
                                          .meta_keys = R"([ "com.example/room", "x" ])"};

mcp::Errc typed(const Arguments&, mcp::Call& call) { return call.result().text("x"); }
mcp::Errc plain(mcp::Call& call) { return call.result().text("x"); }
mcp::Errc raw(mcp::json::Value, mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<typed>({.name = "a"}, table),
                               mcp::tool<plain>({.name = "b", .extras = tool_extras}),
                               mcp::tool<draw>({.name = "d"}, table, path), mcp::tool<draw_all>({.name = "e"}, path),
                               mcp::tool<raw>({.name = "c"}, mcp::InputSchema(R"({"properties":{},"type":"object"})"))};

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
mcp::Errc read_one(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["a"]); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read, .extras = resource_extras},
                                       {.uri = "x:b", .name = "b", .read = read}};
constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "x:{a}", .name = "a", .read = read_one}};

class Validator final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view, mcp::http::Method) override { return {}; }
};
constinit Validator validator;
constexpr std::string_view servers[] = {"https://login.example.com"};
constexpr std::string_view scopes[] = {"boiler"};
constexpr mcp::ProtectedResource resource{
    .resource = "https://boiler.example.com/mcp", .authorization_servers = servers, .scopes = scopes};
constexpr mcp::ResourceServer fixed_resource_server{resource, validator};
constinit mcp::ResourceServer resource_server{resource, validator};

constexpr mcp::Definition definition{.name = "n",
                                     .version = "1",
                                     .extras = server_extras,
                                     .tools = tools,
                                     .resources = resources,
                                     .resource_templates = templates};
constexpr mcp::Limits limits{.receive_size = 128, .transmit_size = 1500, .sessions = 65535, .id_size = 3};
constinit mcp::Storage<definition, limits> storage;

class NoNetwork final : public mcp::Listener {
  mcp::Connection* do_accept() override { return nullptr; }
  bool do_has_waiting() override { return false; }
};
class NoEntropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
constinit NoNetwork listener;
constinit NoEntropy entropy;
constexpr mcp::HttpLimits http_limits{};
constexpr mcp::HttpOptions http_options{};
constinit mcp::HttpStorage<storage, http_limits> http_storage;

}  // namespace

constinit mcp::Server server{storage};
constinit mcp::HttpTransport transport{server, listener, entropy, http_storage, http_options};
constinit board::InterruptRing<32768> ring;
