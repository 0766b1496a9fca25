// SPDX-License-Identifier: Apache-2.0
// The workbench: the table of a platform makes all of it.
#include "workbench.hpp"

#include <mcp/workbench.hpp>

#include "table.hpp"

namespace app {
namespace {

constinit mcp::Workbench<table::options> bench;

constexpr mcp::Definition definition{
    .name = "workbench",
    .title = "Workbench",
    .version = "1.0.0",
    .instructions = "A board with pins and a bus for experiments. Read bench://pins first: it says what is connected.",
    .eras = table::eras,
    .tools = mcp::workbench_tools<bench>,
    .resources = mcp::workbench_resources<bench>,
    .subscriptions = table::subscriptions != 0,
    .audit = mcp::workbench_audit<bench>};

constexpr mcp::Limits limits{.receive_size = table::receive_size,
                             .transmit_size = table::transmit_size,
                             .tools_in_one_page = table::tools_in_one_page,
                             .jobs = 2,
                             .client_info_size = 32,
                             .subscriptions = table::subscriptions,
                             .id_size = 24};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server the_server{storage, {.entropy = &device::random, .boot_id = device::boot_id}};

}  // namespace

const mcp::Server& server = the_server;

std::size_t begin() { return bench.begin(); }
mcp::Millis poll() { return bench.poll(server, &mcp::workbench_resources<bench>[1]); }
void rest_now() { bench.rest_now(); }

}  // namespace app
