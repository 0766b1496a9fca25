// SPDX-License-Identifier: Apache-2.0
// Sets the token of an HTTP endpoint over the wire, uses it, rotates it, and starts the device again. No output contains a
// token, and the memory of the device contains no old token.
//
// usage: node provision.test.mjs host BINARY | board EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';

const [kind, ...command] = process.argv.slice(2);
const waitMs = 30_000;  // only ends a test that has already failed
const version = '2025-11-25';
const clientInfo = { name: 'mote-tests', version: '0.1.0' };

function within(what, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} within ${waitMs} ms`)), waitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/** A started device: JSON-RPC over its wire, and its output as text. */
class Device {
  output = '';
  #child;
  #id = 0;
  #waiting = new Map();  // id or method -> function
  #seen = new Set();     // methods of notifications that no call of next() has had

  constructor(file, args) {
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stdin.on('error', () => {});  // `ended` reports the end
    this.ended = new Promise((resolve) => this.#child.on('close', resolve));
    this.#child.stderr.setEncoding('utf8').on('data', (text) => { this.output += text; });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.output += `${line}\n`;
      if (!line.startsWith('{')) return;  // the mark of a boot
      const message = JSON.parse(line);
      const key = message.id ?? message.method;
      const take = this.#waiting.get(key);
      if (take) this.#waiting.delete(key), take(message);
      else this.#seen.add(key);
    });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async request(method, params) {
    const id = ++this.#id;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    return within(`answer to ${method}`, answer);
  }

  notify(method) {
    this.#send({ method });
  }

  /** The next notification with this method, also if it has come since the last call. */
  async next(method) {
    if (this.#seen.delete(method)) return;
    await within(method, new Promise((resolve) => this.#waiting.set(method, resolve)));
  }

  /** The text of a tool's result; its isError must be `fails`. */
  async call(name, args, fails = false) {
    const { result } = await this.request('tools/call', { name, arguments: args });
    assert.equal(result.isError ?? false, fails, JSON.stringify(result));
    return result.content.map(({ text }) => text).join('\n');
  }

  set(name, value) {
    return this.call('setting_set', { name, value });
  }

  async end() {
    this.#child.stdin.end();
    await within('end of the device', this.ended);
  }

  kill() {
    if (this.#child.exitCode === null) this.#child.kill('SIGTERM');
    return this.ended;
  }
}

/** The memory of a device, which starts as often as a test wants. */
function memoryOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  const flash = join(folder, 'flash');
  const records = join(folder, 'records');
  const sensor = join(folder, 'sensor');
  writeFileSync(sensor, '21500\n');
  const started = [];
  atEnd(t, async () => {
    for (const device of started) await device.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    start() {
      const device = kind === 'host'
        ? new Device(command[0], ['--sensor', sensor, '--records', records])
        : new Device(command[0], [...command.slice(1), '--forward', '80', '--flash', flash]);
      started.push(device);
      return device;
    },
    /** All bytes that the device has stored. */
    stored() {
      if (kind === 'board') return readFileSync(flash).toString('latin1');
      const names = readdirSync(records);
      for (const name of names) assert.equal(statSync(join(records, name)).mode & 0o777, 0o600);
      return names.map((name) => readFileSync(join(records, name), 'latin1')).join('\n');
    },
    output: () => started.map(({ output }) => output).join('\n'),
  };
}

/** Begins a session of the wire, and returns the URL of the endpoint when the network is ready. */
async function urlOf(device) {
  const { result } = await device.request('initialize', { protocolVersion: version, capabilities: {}, clientInfo });
  assert.equal(result.serverInfo.name, 'thermometer-setup');
  device.notify('notifications/initialized');
  const uri = 'device://url';
  await device.request('resources/subscribe', { uri });
  for (;;) {
    const { result: { contents: [{ text }] } } = await device.request('resources/read', { uri });
    if (text !== '' && kind === 'host') return text;
    // The emulator has said its port before the board has an address.
    if (text !== '') return `http://${/port 80 of the board is (\S+)/.exec(device.output)[1]}/mcp`;
    await device.next('notifications/resources/updated');
  }
}

/** One request over HTTP: { status, session, text }. */
async function post(url, token, method, session) {
  const headers = {
    'content-type': 'application/json', accept: 'application/json, text/event-stream',
    ...(token && { authorization: `Bearer ${token}` }), ...(session && { 'mcp-session-id': session }),
  };
  const params = method === 'initialize' ? { protocolVersion: version, capabilities: {}, clientInfo } : {};
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await within('response', fetch(url, { method: 'POST', headers, body }));
  return {
    status: response.status, session: response.headers.get('mcp-session-id'), text: await response.text(),
  };
}
const begin = (url, token) => post(url, token, 'initialize');
const ping = (url, token, session) => post(url, token, 'ping', session);

test('sets, uses and rotates a token, which outlives a restart', { timeout: 120_000 }, async (t) => {
  const [first, second, third] = ['one', 'two', 'three'].map((name) => `${name}-${'0123456789abcdef'.repeat(2)}`);
  const memory = memoryOf(t);
  let device = memory.start();
  let url = await urlOf(device);
  assert.equal((await begin(url)).status, 401);
  assert.equal((await begin(url, first)).status, 401);

  assert.equal(await device.set('token', first), 'token is stored.');
  const old = await begin(url, first);
  assert.equal(old.status, 200);
  assert.equal((await begin(url, second)).status, 401);

  // With a grace time, both tokens serve the session.
  assert.equal(await device.set('token_grace_s', '600'), 'token_grace_s is stored.');
  assert.equal(await device.set('token', second), 'token is stored.');
  for (const token of [first, second]) assert.equal((await ping(url, token, old.session)).status, 200);

  // Without one, the old tokens and their session end.
  await device.set('token_grace_s', '0');
  await device.set('token', third);
  for (const token of [first, second]) assert.equal((await ping(url, token, old.session)).status, 401);
  assert.equal((await ping(url, third, old.session)).status, 404);
  const session = await begin(url, third);
  assert.equal((await ping(url, third, session.session)).status, 200);

  await device.set('host_name', 'boiler-room');
  await device.call('setting_set', { name: 'host_name', value: third }, true);
  await device.call('setting_set', { name: third, value: 'x' }, true);
  const shown = /^token: .*Set, and not shown\.\ntoken_grace_s: .*Set: 0\nhost_name: .*Set: boiler-room$/;
  assert.match(await device.call('setting_list', {}), shown);
  await device.end();

  device = memory.start();
  url = await urlOf(device);
  assert.match(await device.call('setting_list', {}), shown);
  assert.equal((await begin(url, second)).status, 401);
  assert.equal((await begin(url, third)).status, 200);
  assert.equal(await device.call('setting_erase', { name: 'token' }), 'token is erased.');
  assert.equal((await begin(url, third)).status, 401);
  await device.set('token', third);
  assert.equal((await begin(url, third)).status, 200);
  await device.end();

  for (const token of [first, second, third]) assert.ok(!memory.output().includes(token), 'a token is in the output');
  const stored = memory.stored();
  assert.ok(stored.includes(third));
  for (const token of [first, second]) assert.ok(!stored.includes(token), 'an old token is still stored');
});

test('tools for settings are not served over HTTP', { timeout: 60_000 }, async (t) => {
  const device = memoryOf(t).start();
  const url = await urlOf(device);
  await device.set('token', 'abc');
  const { session } = await begin(url, 'abc');
  const { text } = await post(url, 'abc', 'tools/list', session);
  assert.match(text, /set_led/);
  assert.doesNotMatch(text, /setting_/);
  await device.end();
});
