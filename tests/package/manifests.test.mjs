#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What manifests.mjs reports: each case changes one file of a copy of ROOT.
//
// usage: manifests.test.mjs ROOT
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check } from './manifests.mjs';

const root = process.argv[2];
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'mote-manifests-'));
try {
  const files = ['CMakeLists.txt', 'LICENSE', 'README.md', 'idf_component.yml', 'library.json', 'zephyr', 'core',
    'transports', 'ports', 'examples/README.md', 'examples/esp_idf', 'examples/makefile', 'examples/thermometer',
    'examples/zephyr', 'tests/sdk/vendor',
    'toolchains/platformio_flags.py', 'toolchains/attach/LICENSE', 'LICENSES', '.devcontainer', '.github',
    'tests/run', 'toolchains/attach/README.md',
    'toolchains/attach/package.json', 'toolchains/attach/server.json'];
  for (const file of files) fs.cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
  fs.writeFileSync(path.join(copy, 'tests/test.cpp'), '');
  assert.deepEqual(check(copy), []);
  assert.deepEqual(check(copy, { publish: true }), [
    'CMakeLists.txt: HOMEPAGE_URL is https://mote.invalid/mote, a placeholder: mote has no home to publish at']);
  const workflow = fs.readFileSync(path.join(root, '.github/workflows/tests.yml'), 'utf8');
  const [, image] = /container: (debian:\S+)/.exec(workflow);
  for (const [file, from, to, expected] of [
    ['idf_component.yml', 'license:', 'licence:', 'idf_component.yml: unknown field licence'],
    ['idf_component.yml', '"0.1.0"', '"0.2.0"', 'idf_component.yml: the version is not "0.1.0"'],
    ['idf_component.yml', 'url: https://mote', 'url: https://other',
      'idf_component.yml: the home is not "https://mote.invalid/mote"'],
    ['idf_component.yml', 'mote.git', 'other.git',
      'idf_component.yml: the repository is not "https://mote.invalid/mote.git"'],
    ['idf_component.yml', '  - mote', '  - other', 'idf_component.yml: the author is not "mote"'],
    ['idf_component.yml', '"core/**/*"', '"core/include/**/*"',
      'idf_component.yml: the package has no core/json/value.cpp'],
    ['idf_component.yml', '"LICENSE"', '"LICENCE"', 'idf_component.yml: no file is LICENCE'],
    ['idf_component.yml', '    - "*.md"', '    - "*.md"\n    - "tests/**/*"',
      'idf_component.yml: the package has tests'],
    ['idf_component.yml', '- "**/*"', '- "build/**/*"', 'idf_component.yml: the exclude is not "**/*"'],
    ['toolchains/attach/package.json', '"0.1.0"', '"0.2.0"',
      'toolchains/attach/package.json: the version is not "0.1.0"'],
    ['toolchains/attach/package.json', '"directory": "toolchains', '"directory": "tools',
      'toolchains/attach/package.json: the directory is not "toolchains/attach"'],
    ['toolchains/attach/package.json', '"mcpName": "invalid', '"mcpName": "com',
      'toolchains/attach/package.json: the mcpName is not "invalid.mote/mote-attach"'],
    ['toolchains/attach/server.json', '"identifier": "mote-attach"', '"identifier": "attach"',
      'toolchains/attach/server.json: the package is not "npm,mote-attach,0.1.0,stdio"'],
    ['toolchains/attach/server.json', ', "mqtt"', '', 'toolchains/attach/server.json: the target mqtt is missing'],
    ['.devcontainer/devcontainer.json', '"tests/run', '"tests/start',
      '.devcontainer/devcontainer.json: there is no tests/start'],
    ['.devcontainer/devcontainer.json', 'debian:12@', 'debian:13@',
      `.devcontainer/devcontainer.json: the image is not "${image}"`],
    ['LICENSE', 'Apache', 'A', 'toolchains/attach/LICENSE: is not LICENSE'],
    ['library.json', '"Apache-2.0"', '"MIT"', 'library.json: the license is not "Apache-2.0"'],
    ['library.json', '      "LICENSE",\n', '', 'library.json: the package has no LICENSE'],
    ['CMakeLists.txt', 'HOMEPAGE_URL https://mote', 'HOMEPAGE_URL https://other',
      'library.json: the home is not "https://other.invalid/mote"'],
    ['idf_component.yml', '">=5.4"', '"latest"', 'idf_component.yml: dependencies: idf is "latest"'],
    ['zephyr/module.yml', 'cmake: zephyr', 'cmake: examples', 'zephyr/module.yml: there is no examples/CMakeLists.txt'],
    ['zephyr/module.yml', 'name: mote\n', '', 'zephyr/module.yml: name is missing'],
    ['library.json', 'MCP server', 'MCP', 'library.json: the description is not "MCP server framework for microcontrollers"'],
    ['library.json', '"-I core/include"', '"-I cores/include"', 'library.json: there is no folder cores/include'],
    ['library.json', 'mcp/server.hpp', 'mcp/servers.hpp', 'library.json: there is no header mcp/servers.hpp'],
    ['library.json', '"+<core/*/*.cpp>"', '"+<core/*.cpp>"',
      'library.json: srcFilter does not choose the sources of core, transports, ports/devices, ports/workbench and ports/sdk/arduino'],
    ['library.json', '"+<ports/sdk/arduino/*.cpp>"', '"+<ports/*.cpp>"',
      'library.json: srcFilter does not choose the sources of core, transports, ports/devices, ports/workbench and ports/sdk/arduino'],
    ['library.json', '"+<ports/devices/*.cpp>"', '"+<ports/devices/include/*.cpp>"',
      'library.json: srcFilter does not choose the sources of core, transports, ports/devices, ports/workbench and ports/sdk/arduino'],
    ['library.json', '      "ports/devices",\n', '', 'library.json: the package has no ports/devices/include'],
    ['library.json', '"-I ports/sdk/arduino"', '"-I ports"', 'library.json: there is no header mote.h'],
    ['library.json', ', "mote.h"', '', 'library.json: headers does not have mote.h of library.properties'],
    ['ports/sdk/arduino/arduino_ending.cpp', '#ifdef ARDUINO\n', '',
      'ports/sdk/arduino/arduino_ending.cpp: not all of it is in #ifdef ARDUINO'],
    ...['examples/makefile/Makefile', 'ports/sdk/esp_idf/component.cmake', 'zephyr/CMakeLists.txt'].map((file) =>
      [file, '/core/kit/*/*.cpp', '/core/kit/*.cpp', `${file}: does not choose the sources of core`]),
    ...['ports/sdk/esp_idf/component.cmake', 'zephyr/CMakeLists.txt'].map((file) =>
      [file, '/transports/http/page/*.cpp', '/transports/http/page.cpp',
        `${file}: does not choose the sources of HTTP`]),
    ...['-fno-rtti', '-I core'].map((flag) => ['library.json', '"-I core/include"', `"-I core/include", "${flag}"`,
      `library.json: the flag ${flag} applies to other libraries, too`]),
    ['library.json', '"extraScript": "toolchains/platformio_', '"extraScript": "toolchains/',
      'library.json: there is no toolchains/flags.py'],
    ['library.json', '"srcDir": "."', '"srcDir": 1', 'library.json: build: srcDir is 1'],
    ['zephyr/Kconfig', 'config MOTE_HTTP\n', 'config MOTE_HTTPS\n', 'zephyr/Kconfig: nothing reads MOTE_HTTPS'],
    ['zephyr/Kconfig', 'config MOTE_SENSORS\n', 'config MOTE_DEVICES\n',
      'examples/zephyr/prj.conf: there is no option MOTE_SENSORS'],
    ['examples/zephyr/sample.yaml', 'build_only:', 'builds_only:',
      'examples/zephyr/sample.yaml: unknown field builds_only'],
    ['examples/zephyr/sample.yaml', '- nrf52840dk/nrf52840', '- nrf52840dk/nrf52811',
      'examples/zephyr/sample.yaml: there is no examples/zephyr/boards/nrf52840dk_nrf52811.overlay'],
    ['examples/zephyr/sample.yaml', '- nrf52840dk/nrf52840', '- nrf52840dk/nrf52811',
      'examples/zephyr/boards/nrf52840dk_nrf52840.conf: sample.yaml has no such platform'],
    ['.github/workflows/sdks.yml', '[native_sim, qemu_cortex_m3, nrf52840dk/nrf52840]', '[native_sim, qemu_cortex_m3]',
      'examples/zephyr/sample.yaml: the workflow builds native_sim,qemu_cortex_m3, not native_sim,nrf52840dk/nrf52840,qemu_cortex_m3'],
    ['examples/zephyr/west.yml', 'v4.2.0', 'v4.3.0',
      'examples/zephyr/west.yml: the workflow has another revision than v4.3.0'],
    ['examples/zephyr/west.yml', '          - segger\n', '',
      'examples/zephyr/west.yml: the modules cmsis_6,hal_nordic are not those of tests/sdk/vendor/zephyr'],
    ['ports/sdk/esp_idf/Kconfig', 'config MOTE_HTTP\n', '', 'ports/sdk/esp_idf/Kconfig: MOTE_HTTP is missing'],
  ]) {
    const place = path.join(copy, file);
    const text = fs.readFileSync(place, 'utf8');
    assert.ok(text.includes(from), `${file} has no ${from}`);
    fs.writeFileSync(place, text.replace(from, to));
    assert.ok(check(copy).includes(expected), `${file} with ${to}: ${check(copy)}`);
    fs.writeFileSync(place, text);
  }
} finally {
  fs.rmSync(copy, { recursive: true });
}
