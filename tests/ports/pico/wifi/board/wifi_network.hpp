// SPDX-License-Identifier: Apache-2.0
// What CMake writes for examples/pico/main_wifi.cpp.
#pragma once

#include <string_view>

namespace wifi_network {
inline constexpr std::string_view ssid = "the cable";
inline constexpr std::string_view passphrase = "of an emulator";
inline constexpr std::string_view token = "0123456789abcdef0123456789abcdef";
}  // namespace wifi_network
