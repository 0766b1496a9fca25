// SPDX-License-Identifier: Apache-2.0
// Settings in the last sectors of the flash. The client is on UART0.
#include <mcp/ports/flash_records.hpp>
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_flash.hpp>
#include <mcp/server.hpp>
#include <mcp/settings.hpp>
#include <mcp/stdio_transport.hpp>

namespace {

constexpr mcp::Setting rows[] = {{.name = "wifi_ssid"}, {.name = "wifi_password", .is_secret = true}};
char scratch[64];
constinit mcp::Settings settings{rows, scratch};

constexpr mcp::Tool tools[] = {mcp::setting_set<settings>(), mcp::setting_list<settings>(),
                               mcp::setting_erase<settings>()};
constexpr mcp::Definition definition{.name = "records", .version = "1.0.0", .tools = tools};
constinit mcp::Storage<definition, mcp::Limits{.receive_size = 1024}> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::pico::boot_id}};

constinit mcp::pico::ChipFlash flash;
std::uint8_t page[mcp::pico::ChipFlash::page_size];
constinit mcp::FlashRecords records{flash, page};

}  // namespace

int main() {
  settings.use(records);
  mcp::pico::Uart uart(uart0, 0, 1);
  mcp::StdioTransport transport{server, uart};
  for (;;) mcp::pico::wait_for_event(transport.poll(mcp::pico::millis()));
}
