# SPDX-License-Identifier: Apache-2.0
# PlatformIO and ESPHome run this script (library.json) before they compile the sources of mote. These flags are for the
# sources of mote only. PlatformIO gives the folders of -I in library.json to all sources of a firmware. ESPHome does so
# with all flags there except warnings. So internal folders are options of the preprocessor (-Wp) here.
import os

Import("env")

# PlatformIO runs the script in its folder, ESPHome in that of library.json.
here = os.getcwd()
root = here if os.path.isfile(os.path.join(here, "library.json")) else os.path.dirname(here)

env.Append(CPPFLAGS=["-Wp,-I" + os.path.join(root, folder) for folder in ("core", "transports")])
env.Append(CXXFLAGS=["-std=gnu++20", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"])
