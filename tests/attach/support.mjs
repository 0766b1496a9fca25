// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of attach: hosts that are bare lines, each with a runtime folder of the test, and a device whose port
// stays open when the device is reset.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';

export const limitMs = 60_000;  // of one test
const waitMs = 20_000;  // of one message
/** The program that a host starts, without a bundle. */
export const attach = fileURLToPath(new URL('../../toolchains/attach/lib/front_main.mjs', import.meta.url));
export const port = fileURLToPath(new URL('devices/port.mjs', import.meta.url));
/** The command of everything_server. */
export const [server] = process.argv.slice(2);
export const prefix = 'io.modelcontextprotocol/';
export const meta = (more = {}, capabilities = {}) => ({
  [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: capabilities, ...more,
});

/** Rejects with a sentence if `promise` takes too long. */
export async function within(what, promise, ms = waitMs) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`no ${what} within ${ms} ms`)), ms).unref(); });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The environment of processes of one test. */
export function environment(t, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-attach-test-'));
  // A broker may end a little later than its last host.
  atEnd(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return { ...process.env, XDG_RUNTIME_DIR: folder, MOTE_ATTACH_LINGER_MS: '0', ...more };
}

/** A host that starts `attach TARGET`. */
export class Host {
  #open = new Map();
  #ids = 0;
  #news = [];
  #waiting = [];
  text = '';
  #textWaiting = [];

  constructor(t, env, target) {
    this.child = spawn(process.execPath, [attach, ...target], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => this.child.on('close', (status) => resolve(status)));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#take(JSON.parse(line)));
    this.child.stderr.on('data', (data) => {
      this.text += data;
      this.#textWaiting = this.#textWaiting.filter((check) => !check());
    });
    atEnd(t, async () => {
      this.child.stdin.end();
      await within('end of attach', this.ended);
    });
  }

  #take(m) {
    if (m.method === undefined) {
      const resolve = this.#open.get(m.id);
      assert.ok(resolve, `an answer to a request that this host did not send: ${JSON.stringify(m)}`);
      this.#open.delete(m.id);
      return resolve(m);
    }
    const at = this.#waiting.findIndex(({ wanted }) => wanted(m));
    if (at < 0) return this.#news.push(m);
    this.#waiting.splice(at, 1)[0].resolve(m);
  }

  send(m) { this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...m })}\n`); }

  /** The response to a request that the test sends. */
  response(id, what = id) {
    return within(`response to ${what}`, new Promise((resolve) => this.#open.set(id, resolve)));
  }

  /** Sends a request; returns its id and the promise of the response. */
  begin(method, params) {
    const id = ++this.#ids;
    const response = this.response(id, method);
    this.send({ id, method, ...(params && { params }) });
    return { id, response };
  }

  request(method, params) { return this.begin(method, params).response; }

  async result(method, params) {
    const m = await this.request(method, params);
    assert.ok(m.result, JSON.stringify(m.error));
    return m.result;
  }

  async tool(name, args = {}, more = {}) {
    return (await this.result('tools/call', { name, arguments: args, ...more })).content[0].text;
  }

  /** The next message of the device with this method, arrived or to come. */
  next(method, check = () => true) {
    const wanted = (m) => m.method === method && check(m);
    const at = this.#news.findIndex(wanted);
    if (at >= 0) return Promise.resolve(this.#news.splice(at, 1)[0]);
    return within(method, new Promise((resolve) => this.#waiting.push({ wanted, resolve })));
  }

  /** Messages that next() has not returned. */
  unread(method) { return this.#news.filter((m) => m.method === method); }

  /** Resolves when stderr has the text. */
  wrote(pattern) {
    return within(`text ${pattern}`, new Promise((resolve) => {
      const check = () => pattern.test(this.text) && (resolve(pattern.exec(this.text)), true);
      if (!check()) this.#textWaiting.push(check);
    }));
  }

  async initialize(capabilities = {}, protocolVersion = '2025-11-25', name = 'host') {
    const params = { protocolVersion, capabilities, clientInfo: { name, version: '1' } };
    const result = await this.result('initialize', params);
    this.send({ method: 'notifications/initialized' });
    return result;
  }

  /** The broker and the device, as attach describes them. */
  async device() {
    const result = await this.result('tools/call', { name: 'list_devices', arguments: {}, _meta: meta() });
    return JSON.parse(result.content[0].text)[0];
  }
}

/** A host in the process of the broker. */
export class FakeHost {
  #ids = 0;
  #waiting = [];
  messages = [];
  text = '';

  /** @param broker @param waitMs of one message */
  constructor(broker, waitMs = 3000) {
    this.waitMs = waitMs;
    this.socket = Object.assign(new EventEmitter(), { writableLength: 0, destroy() {}, write: (line) => this.#take(line) });
    broker.serve(this.socket);
  }

  #take(line) {
    if (line === '\n') return;
    if (line.startsWith('#')) this.text += line.slice(1);
    else this.messages.push(JSON.parse(line));
    this.#waiting = this.#waiting.filter((check) => !check());
  }

  sendText(line) { this.socket.emit('data', Buffer.from(`${line}\n`)); }
  send(m) { this.sendText(JSON.stringify({ jsonrpc: '2.0', ...m })); }

  next(what, wanted) {
    return within(what, new Promise((resolve) => {
      const check = () => {
        const at = this.messages.findIndex(wanted);
        if (at >= 0) resolve(this.messages.splice(at, 1)[0]);
        return at >= 0;
      };
      if (!check()) this.#waiting.push(check);
    }), this.waitMs);
  }

  /** Resolves when the text of the device matches. */
  wrote(pattern) {
    return within(`text ${pattern}`, new Promise((resolve) => {
      const check = () => pattern.test(this.text) && (resolve(), true);
      if (!check()) this.#waiting.push(check);
    }), this.waitMs);
  }

  begin(method, params) {
    const id = ++this.#ids;
    this.send({ id, method, params });
    return id;
  }

  request(method, params) {
    const id = this.begin(method, params);
    return this.next(`response to ${method}`, (m) => m.id === id && m.method === undefined);
  }

  initialize(capabilities = {}) {
    return this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'h', version: '1' } });
  }

  leave() { this.socket.emit('close'); }
}
