// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace test {

/// EMULATE BOARD IMAGE: the first arguments of this program.
extern std::vector<std::string> command;

}  // namespace test
