// SPDX-License-Identifier: Apache-2.0
// examples/esp_idf/wifi as a program for this machine (wifi_host.cpp). `mote-attach provision` stores the network and
// the token over the wire. After a reset, the official client reads the URL there, and uses the board over HTTP.
//
// usage: node wifi.test.mjs board PROGRAM
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openSession } from '../../../examples/client/session.mjs';
import { atEnd, kind, library, limitMs } from '../../client/support.mjs';

const [program] = process.argv.slice(3);
assert.ok(kind === 'board' && program, 'usage: node wifi.test.mjs board PROGRAM');
const attach = fileURLToPath(new URL('../../../toolchains/attach', import.meta.url));
if (!existsSync(join(attach, 'node_modules'))) {
  console.log('skipped: toolchains/attach has no node_modules; tests/run installs it');
  process.exit(77);
}
const token = 'a-token-of-24-characters';
const passphrase = 'a passphrase';

/** A board with an NVS of its own. */
function board(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true }));
  const [nvs, log] = ['nvs', 'log'].map((name) => join(folder, name));
  const script = 'MOTE_TEST_NVS="$1" exec "$2" 2>"$3"';
  const wire = ['sh', '-c', script, 'sh', nvs, program, log];
  return {
    folder,
    wire,
    log: () => readFileSync(log, 'utf8'),
    async start() {
      const session = await openSession({ command: wire[0], args: wire.slice(1) }, undefined, library);
      atEnd(t, () => session.close());
      return session;
    },
    provision(...options) {
      writeFileSync(join(folder, 'passphrase'), `${passphrase}\n`);
      writeFileSync(join(folder, 'token'), `${token}\n`);
      return execFileSync(join(attach, 'attach.cjs'), ['provision', ...options, '--', 'exec', ...wire],
        { cwd: folder, encoding: 'utf8', timeout: limitMs });
    },
  };
}

const everything = ['--wifi-ssid', 'network', '--wifi-passphrase-file', 'passphrase', '--token-file', 'token',
  '--host-name', 'porch'];

const text = async ({ client }, uri) => (await client.readResource({ uri })).contents[0].text;

/** Waits until the wire shows this state and this reason, and returns the URL. */
async function untilNetwork(session, state, reason = '') {
  const uri = 'device://network';
  await session.client.subscribeResource({ uri });
  for (;;) {
    const report = await session.readJson(uri);
    if (report.state === state && report.reason === reason) return report.url;
    await session.nextUpdate(uri);
  }
}

async function overHttp(t, url, headers = { Authorization: `Bearer ${token}` }) {
  const session = await openSession({ url, requestInit: { headers } }, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

test('a new board has no network, and shows no secret', { timeout: limitMs }, async (t) => {
  const { wire, provision } = board(t);
  assert.match(provision(), /wifi_ssid/);
  const output = provision(...everything);
  assert.ok(!output.includes(token) && !output.includes(passphrase), output);
  assert.match(output, /http:\/\/127\.0\.0\.1:\d+\/mcp/);
  const list = spawnSync(join(attach, 'attach.cjs'), ['provision', '--', 'exec', ...wire], { encoding: 'utf8' });
  assert.equal(list.status, 0, list.stderr);
  assert.match(list.stdout, /wifi_ssid.*network/);
  assert.ok(!list.stdout.includes(token) && !list.stdout.includes(passphrase), list.stdout);
});

test('after a reset, it serves the network that was stored', { timeout: limitMs }, async (t) => {
  const device = board(t);
  device.provision(...everything);
  const wire = await device.start();
  const url = await untilNetwork(wire, 'joined');
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const session = await overHttp(t, url);
  assert.equal(session.client.getServerVersion().name, 'thermometer');
  assert.deepEqual((await session.client.listTools()).tools.map(({ name }) => name).sort(), ['read_room', 'set_led']);
  const uri = 'sensor://room';
  await session.client.subscribeResource({ uri });
  const { content } = await session.client.callTool({ name: 'set_led', arguments: { on: true } });
  assert.equal(content[0].text, 'The LED is on.');
  do await session.nextUpdate(uri); while ((await session.readJson(uri)).temperature.value !== 30.5);
  const seconds = Number(await text(session, 'device://time'));
  assert.ok(Math.abs(seconds - Date.now() / 1000) < 60, `${seconds}`);
  const port = new URL(url).port;
  assert.equal(device.log(),
    `mdns host porch\nmdns service _mcp._tcp ${port} path=/mcp proto=http auth=bearer\n`);
});

test('rejects a client without the token, and the old token after a change', { timeout: limitMs }, async (t) => {
  const device = board(t);
  device.provision(...everything);
  const wire = await device.start();
  const url = await untilNetwork(wire, 'joined');
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const status = async (bearer) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  assert.deepEqual([await status(), await status('wrong-token-of-24-chars-'), await status(token)], [401, 401, 200]);
  const other = 'b-token-of-24-characters';
  await wire.client.callTool({ name: 'setting_set', arguments: { name: 'token', value: other } });
  assert.deepEqual([await status(token), await status(other)], [401, 200]);
});

test('a wrong passphrase and a missing network are told apart', { timeout: limitMs }, async (t) => {
  const device = board(t);
  const wire = await device.start();
  assert.equal(await untilNetwork(wire, 'unset', 'no network is set'), '');
  const set = (name, value) => wire.client.callTool({ name: 'setting_set', arguments: { name, value } });
  // A network that the board cannot join is not stored, so the report need not say that none is set.
  for (const [name, value] of [['wifi_password', '7 bytes'], ['wifi_password', 'g'.repeat(64)], ['wifi_ssid', '']]) {
    assert.equal((await set(name, value)).isError, true, `${name} ${value}`);
  }
  await set('wifi_password', 'another phrase');
  await set('wifi_ssid', 'network');
  assert.equal(await untilNetwork(wire, 'joining', 'rejected; is the passphrase right?'), '');
  await set('wifi_ssid', 'elsewhere');
  assert.equal(await untilNetwork(wire, 'joining', 'no network with this SSID; the radio may support only 2.4 GHz'), '');
  await set('wifi_ssid', 'network');
  await set('wifi_password', passphrase);
  assert.match(await untilNetwork(wire, 'joined'), /^http/);
  await set('wifi_ssid', 'no address');
  assert.equal(await untilNetwork(wire, 'joining', 'no address from DHCP yet'), '');
  await wire.client.callTool({ name: 'setting_erase', arguments: { name: 'wifi_ssid' } });
  assert.equal(await untilNetwork(wire, 'unset', 'no network is set'), '');
});
