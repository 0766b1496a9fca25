# SPDX-License-Identifier: Apache-2.0
"""Whether library.json gives its flags to the sources of mote alone, as PlatformIO and ESPHome read it.

usage: platformio_flags.py ROOT COMPILER
With the Python of ESPHome, the conversion of a library to a component of ESP-IDF is ESPHome's own. Without ESPHome, that
part is left out.
"""

import json
import os
from pathlib import Path
import subprocess
import sys

root = Path(sys.argv[1]).resolve()
compiler = sys.argv[2]
library = json.loads((root / "library.json").read_text())
public = [flag.replace("-I ", "-I") for flag in library["build"]["flags"]] + ["-I."]


class Environment:
    """The part of an SCons environment that the script uses."""

    def __init__(self):
        self.flags = []

    def Append(self, **variables):  # noqa: N802 (the name of SCons)
        for name, flags in variables.items():
            assert name in ("CPPFLAGS", "CXXFLAGS"), f"{name} could be given to the firmware"
            self.flags += flags


def run_script(folder):
    """The flags that the script adds when it runs in this folder."""
    environment = Environment()
    before = Path.cwd()
    os.chdir(folder)
    try:
        text = (root / library["build"]["extraScript"]).read_text()
        exec(compile(text, "script", "exec"), {"env": environment, "Import": lambda *names: None})
    finally:
        os.chdir(before)
    return environment.flags


def compiles(flags, source):
    command = [compiler, "-std=gnu++20", "-fsyntax-only", "-x", "c++", *flags, "-"]
    return subprocess.run(command, cwd=root, input=source, text=True, capture_output=True, check=False)


private = run_script(root)
assert private == run_script(root / "toolchains"), "the folder in which the script runs changes its flags"
for flag in ("-std=gnu++20", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"):
    assert flag in private, f"the sources of mote lack {flag}"

# A source of each folder with internal headers compiles with both, and does not without the flags of the script.
for source in ("core/engine/paging.cpp", "transports/http/http_request.cpp", "ports/workbench/workbench_pins.cpp"):
    if not (root / source).exists():
        raise SystemExit(f"there is no {source}")
    found = compiles(public + private, f'#include "{source}"\n')
    assert found.returncode == 0, found.stderr
assert compiles(public, '#include "core/engine/paging.cpp"\n').returncode != 0, "the flags of the script are not needed"

# A firmware finds the public headers, and no internal header by the name that mote uses.
assert compiles(public, "#include <mcp/server.hpp>\n#include <mcp/http_transport.hpp>\n").returncode == 0
for folder in ("core", "transports"):
    headers = sorted(path.relative_to(root / folder) for path in (root / folder).rglob("*.hpp"))
    internal = [header for header in headers if header.parts[0] != "include"]
    assert internal, folder
    text = "".join(f'#if __has_include("{header}")\n#error {header}\n#endif\n' for header in internal)
    found = compiles(public, text)
    assert found.returncode == 0, f"a firmware finds internal headers: {found.stderr}"
print(f"library.json: {len(public)} public folders, {len(private)} flags for mote alone")

try:
    from esphome.espidf import component as idf
except ImportError:
    print("without ESPHome, its conversion is not checked")
    raise SystemExit(0) from None

from esphome.components import esp32

esp32.get_esp32_variant = lambda: "ESP32"
converted = idf.IDFComponent("mote", library["version"], None)
converted.path = root
converted.data = json.loads((root / "library.json").read_text())
idf._apply_extra_script(converted)  # noqa: SLF001
text = idf.generate_cmakelists_txt(converted)
includes = next(line for line in text.splitlines() if line.strip().startswith("INCLUDE_DIRS")).split('"')[1::2]
assert sorted(set(includes)) == sorted({flag[2:] for flag in public}), includes
assert "PUBLIC" not in text, f"ESPHome gives a flag to the whole firmware:\n{text}"
for folder in ("core", "transports"):
    assert f'"-Wp,-I{root}/{folder}"' in text, text
sources = next(line for line in text.splitlines() if line.strip().startswith("SRCS")).split('"')[1::2]
assert "core/engine/paging.cpp" in sources and not [one for one in sources if one.startswith("tests/")]
print(f"ESPHome: {len(sources)} sources, no flag for the whole firmware")
