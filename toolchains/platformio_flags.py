# SPDX-License-Identifier: Apache-2.0
# PlatformIO runs this script (library.json) before it compiles the sources of mote. The flags are for these sources
# only. Flags in library.json would, in ESPHome, be those of the whole firmware.
Import("env")

env.Append(CXXFLAGS=["-std=gnu++20", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"])
