// SPDX-License-Identifier: Apache-2.0
// The command line of mote-sensors.
#pragma once

#include <mcp/port.hpp>

struct Options {
  const char* root = "/sys";
  mcp::Millis wait_ms = 2000;
};

// Fills `options`, and adds the sensors of --sensor. Returns false after it has printed an error.
bool read_options(int argc, char** argv, Options& options);
