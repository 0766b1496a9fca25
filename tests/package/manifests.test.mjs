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
  fs.mkdirSync(path.join(copy, 'toolchains'));
  fs.cpSync(path.join(root, 'toolchains/platformio_flags.py'), path.join(copy, 'toolchains/platformio_flags.py'));
  const files = ['CMakeLists.txt', 'idf_component.yml', 'library.json', 'zephyr', 'core', 'transports', 'ports'];
  for (const file of files) fs.cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
  fs.mkdirSync(path.join(copy, 'tests'));
  fs.cpSync(path.join(root, 'examples/makefile'), path.join(copy, 'examples/makefile'), { recursive: true });
  assert.deepEqual(check(copy), []);
  for (const [file, from, to, expected] of [
    ['idf_component.yml', 'license:', 'licence:', 'idf_component.yml: unknown field licence'],
    ['idf_component.yml', '"0.1.0"', '"0.2.0"', 'idf_component.yml: the version is not 0.1.0'],
    ['idf_component.yml', '">=5.4"', '"latest"', 'idf_component.yml: dependencies: idf is "latest"'],
    ['zephyr/module.yml', 'cmake: zephyr', 'cmake: examples', 'zephyr/module.yml: there is no examples/CMakeLists.txt'],
    ['zephyr/module.yml', 'name: mote\n', '', 'zephyr/module.yml: name is missing'],
    ['library.json', 'MCP server', 'MCP', 'library.json: the description is not "MCP server framework for microcontrollers"'],
    ['library.json', '"-I core"', '"-I cores"', 'library.json: there is no folder cores'],
    ['library.json', 'mcp/server.hpp', 'mcp/servers.hpp', 'library.json: there is no header mcp/servers.hpp'],
    ['library.json', '"+<core/*/*.cpp>"', '"+<core/*.cpp>"',
      'library.json: srcFilter does not choose the sources of core and transports'],
    ...['examples/makefile/Makefile', 'ports/sdk/esp_idf/component.cmake', 'zephyr/CMakeLists.txt'].map((file) =>
      [file, '/core/kit/*/*.cpp', '/core/kit/*.cpp', `${file}: does not choose the sources of core`]),
    ...['ports/sdk/esp_idf/component.cmake', 'zephyr/CMakeLists.txt'].map((file) =>
      [file, '/transports/http/page/*.cpp', '/transports/http/page.cpp', `${file}: does not choose the sources of HTTP`]),
    ['library.json', '"-I core"', '"-fno-rtti"', 'library.json: the flag -fno-rtti applies to other libraries, too'],
    ['library.json', 'platformio_flags', 'flags', 'library.json: there is no toolchains/flags.py'],
    ['library.json', '"srcDir": "."', '"srcDir": 1', 'library.json: build: srcDir is 1'],
    ['zephyr/Kconfig', 'config MOTE_HTTP\n', 'config MOTE_HTTPS\n', 'zephyr/Kconfig: nothing reads MOTE_HTTPS'],
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
