// SPDX-License-Identifier: Apache-2.0
// mote-attach provision with settings in the flash of an emulated Pico (tests/sdk/pico/images/records.cpp). The image
// erases and programs the flash through the functions of the pico-sdk and of the boot ROM, and starts again each time.
//
// usage: node pico_records.test.mjs EMULATE IMAGE
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../../at_end.mjs';
import { run } from '../../../toolchains/attach/commands/provision.mjs';

const [emulate, image] = process.argv.slice(2);
if (!existsSync(new URL('../../../build/rp2040/node_modules/rp2040js', import.meta.url))) {
  console.log('skipped: rp2040js is not installed; tests/run installs it');
  process.exit(77);
}

test('keeps settings in the flash of a Pico across its starts', { timeout: 120_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const flash = join(folder, 'flash');
  const attach = async (args) => {
    let out = '';
    let err = '';
    const target = ['--', 'exec', emulate, 'pico', image, '--flash', flash];
    const status = await run([...args, ...target], {
      stdout: { write: (text) => { out += text; } }, stderr: { write: (text) => { err += text; } }, ms: 30_000,
    });
    assert.equal(err, '');
    assert.equal(status, 0);
    return out;
  };
  const stored = () => readFileSync(flash, 'latin1');
  const pass = join(folder, 'pass');

  assert.equal(await attach([]), 'wifi_ssid: Not set.\nwifi_password: Not set.\n');
  writeFileSync(pass, 'correct horse\n');
  const both = 'wifi_password is stored.\nwifi_ssid is stored.\n';
  assert.equal(await attach(['--wifi-ssid', 'home', '--wifi-passphrase-file', pass]), both);
  assert.match(stored(), /correct horse/);
  assert.equal(await attach([]), 'wifi_ssid: Set: home\nwifi_password: Set, and not shown.\n');

  writeFileSync(pass, 'another horse\n');
  assert.equal(await attach(['--wifi-passphrase-file', pass]), 'wifi_password is stored.\n');
  assert.match(stored(), /another horse/);
  assert.doesNotMatch(stored(), /correct horse/);
  assert.equal(await attach([]), 'wifi_ssid: Set: home\nwifi_password: Set, and not shown.\n');

  assert.equal(await attach(['--erase']), 'wifi_ssid is erased.\nwifi_password is erased.\n');
  assert.doesNotMatch(stored(), /horse|home/);
  assert.equal(await attach([]), 'wifi_ssid: Not set.\nwifi_password: Not set.\n');
  // Only the last two sectors have ever changed.
  assert.match(stored().slice(0, -2 * 4096), /^\xff*$/);
});
