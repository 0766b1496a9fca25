// SPDX-License-Identifier: Apache-2.0
// mote-attach provision with examples/pico/main_wifi.cpp as a program (tests/ports/pico/wifi/host): its flash is a
// file, and the access point is a fake. No output contains a secret. usage: node pico_wifi.test.mjs PICO_WIFI_HOST
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { run } from '../../toolchains/attach/commands/provision.mjs';

const [image] = process.argv.slice(2);
const passphrase = 'correct horse';
const wrong = 'incorrect horse';
const token = 'token-0123456789abcdef0123456789abcdef';

/** A board whose flash outlives its starts. `radio` is MOTE_PICO_RADIO. */
function boardOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const flash = join(folder, 'flash');
  const logs = [];
  const secretFile = (name, text) => (writeFileSync(join(folder, name), `${text}\n`), join(folder, name));
  const open = (radio) => async () => {
    const env = { ...process.env, MOTE_PICO_FLASH: flash, MOTE_PICO_RADIO: radio };
    const child = spawn(image, { stdio: ['pipe', 'pipe', 'pipe'], env });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const log = { text: '', child };
    logs.push(log);
    child.stderr.setEncoding('utf8').on('data', (text) => { log.text += text; });
    const close = async () => {
      child.stdin.end();
      assert.equal(await ended, 0);
    };
    return { readable: child.stdout, writable: child.stdin, close };
  };
  const attach = async (args, radio = '') => {
    let out = '';
    let err = '';
    const write = (text) => { out += text; };
    const status = await run([...args, '--', 'exec', 'board'], {
      stdout: { write }, stderr: { write: (text) => { err += text; } }, ms: 20_000, openers: { program: open(radio) },
    });
    for (const secret of [passphrase, wrong, token]) assert.ok(!(out + err + logs.at(-1).text).includes(secret));
    return { status, out, err };
  };
  const wifi = (key) => ['--wifi-ssid', 'home', '--wifi-passphrase-file', secretFile('pass', key)];
  return { attach, wifi, secretFile, logs, flash: () => readFileSync(flash, 'latin1') };
}
const joined = 'The board has joined the network. URL: http://192.0.2.7/mcp\n';

test('provisions a board, which joins also after a reset', async (t) => {
  const board = boardOf(t);
  const empty = await board.attach([]);
  assert.match(empty.out, /^wifi_ssid: .*Not set\.\nwifi_password: .*Not set\.\ntoken: .*\nhost_name: .*Not set\.\n$/);
  assert.equal(board.logs.at(-1).text, 'wifi: no network is set\r\n');
  const stored = await board.attach([...board.wifi(passphrase), '--token-file', board.secretFile('token', token),
    '--host-name', 'boiler']);
  assert.equal(stored.err, '');
  const names = ['wifi_password', 'wifi_ssid', 'token', 'host_name'];
  assert.equal(stored.out, `${names.map((name) => `${name} is stored.\n`).join('')}${joined}`);
  assert.equal(stored.status, 0);
  assert.match(board.logs.at(-1).text, /listening on http:\/\/192\.0\.2\.7\/mcp\r\n$/);

  // After a reset, the settings are there, and the secrets are not shown.
  const listed = await board.attach([]);
  assert.match(listed.out, /^wifi_ssid: .*Set: home\nwifi_password: .*Set, and not shown\.\n/);
  assert.match(listed.out, /\ntoken: .*Set, and not shown\.\nhost_name: .*Set: boiler\n$/);
  // Any setting may change, and the network is joined again.
  const again = await board.attach(board.wifi(passphrase));
  assert.equal(again.out, `wifi_password is stored.\nwifi_ssid is stored.\n${joined}`);
  assert.match(board.logs.at(-1).text, /listening on http:\/\/192\.0\.2\.7\/mcp\r\n/);
});

test('reports a wrong passphrase, and the right one replaces it', async (t) => {
  const board = boardOf(t);
  const failed = await board.attach(board.wifi(wrong));
  assert.equal(failed.out, 'wifi_password is stored.\nwifi_ssid is stored.\n');
  const reason = 'rejected; is the passphrase right?';
  assert.equal(failed.err, `All is stored, but the board cannot join the network (${reason}).\n`);
  assert.equal(failed.status, 1);
  assert.ok(board.flash().includes(wrong));
  const { status, out } = await board.attach(board.wifi(passphrase));
  assert.match(out, /joined the network/);
  assert.equal(status, 0);
  assert.ok(!board.flash().includes(wrong), 'the old passphrase is still in the flash');
});

test('reports why the board is not in the network', async (t) => {
  for (const [radio, sentence] of [
    ['off', 'cannot join the network (no network with this SSID)'],
    ['dumb', 'cannot join the network (the access point does not respond)'],
    ['no_dhcp', 'is not in the network after 2 s (no address from DHCP yet)'],
    ['broken', 'cannot join the network (the radio does not work)'],
  ]) {
    const board = boardOf(t);
    const wait = radio === 'no_dhcp' ? ['--wait', '2'] : [];
    const { status, err } = await board.attach([...board.wifi(passphrase), ...wait], radio);
    assert.equal(err, `All is stored, but the board ${sentence}.\n`);
    assert.equal(status, 1);
  }
});

test('rejects invalid settings, and stores nothing of them', async (t) => {
  const board = boardOf(t);
  const short = await board.attach(['--wifi-passphrase-file', board.secretFile('pass', 'horse')]);
  assert.equal(short.err, 'This is not a valid value of wifi_password.\n');
  const long = await board.attach(['--wifi-ssid', 's'.repeat(33)]);
  assert.equal(long.err, 'wifi_ssid has at most 32 bytes.\n');
  const name = await board.attach(['--host-name', 'boil_er']);
  assert.equal(name.err, 'This is not a valid value of host_name.\n');
  assert.match((await board.attach([])).out, /^(\w+: .*Not set\.\n){4}$/);
});

test('erases all settings from the flash, and leaves the network', async (t) => {
  const board = boardOf(t);
  await board.attach([...board.wifi(passphrase), '--token-file', board.secretFile('token', token)]);
  for (const secret of [passphrase, token, 'home']) assert.ok(board.flash().includes(secret));
  const erased = await board.attach(['--erase']);
  assert.equal(erased.out, 'wifi_ssid is erased.\nwifi_password is erased.\ntoken is erased.\n');
  assert.equal(erased.status, 0);
  for (const secret of [passphrase, token, 'home']) assert.ok(!board.flash().includes(secret));
  assert.match((await board.attach([])).out, /^(\w+: .*Not set\.\n){4}$/);
  assert.equal(board.logs.at(-1).text, 'wifi: no network is set\r\n');
});
