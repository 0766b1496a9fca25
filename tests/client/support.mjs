// SPDX-License-Identifier: Apache-2.0
// Shared by all client tests: starts the server under test, which the command line names, in a fresh process per test.
//
// usage: node NAME.test.mjs [v2] host BINARY
//        node NAME.test.mjs [v2] http BINARY
//        node NAME.test.mjs [v2] mqtt BINARY
//        node NAME.test.mjs lines BINARY
//        node NAME.test.mjs board|http|mqtt EMULATE BOARD IMAGE
//        node NAME.test.mjs pico EMULATE IMAGE uart|usb
//        node NAME.test.mjs arduino EMULATE IMAGE
// With v2, the official client is that of the second generation. Exits with 77 (skipped) when it is not installed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import './resend.mjs';  // first, so that the record contains a repeated message once
import { watch } from './record.mjs';
import { clientV2, v2Folder, v2Installed } from './client_v2.mjs';
import { atEnd } from '../at_end.mjs';
import { clientLibrary, nodeFolder, openSession, sdkInstalled, within } from '../../examples/client/session.mjs';
import { arduinoThermometer, picoThermometer } from '../../examples/client/pico.mjs';
import {
  boardHttpThermometer, boardMqttThermometer, boardThermometer, hostThermometer, httpThermometer, isAt, linesThermometer,
  mqttThermometer,
} from '../../examples/client/thermometer.mjs';

export { atEnd };

const isV2 = process.argv[2] === 'v2';
if (!sdkInstalled || (isV2 && !v2Installed)) {
  console.log(`skipped: the official client is not installed in ${isV2 ? v2Folder : nodeFolder} (tests/run installs it)`);
  process.exit(77);
}

export const temperature = 'sensor://temperature';
// Generous: they only end tests that have already failed.
export const limitMs = 60_000;  // of one test
export const waitMs = 30_000;  // limit of one wait in a test, which then names the missing message

/** "host", "http", "mqtt", "lines", "board", "pico" or "arduino". */
export const [kind, ...command] = process.argv.slice(isV2 ? 3 : 2);

/** The official client that is wanted, and what a resource that is not found is to it. */
export const library = isV2 ? clientV2() : { ...clientLibrary(), notFound: -32002 };

/** The failure of a tool whose input request the client has not declared. */
export const cannotAsk =
  'The client cannot serve this input request, and the user was not asked. Tell the user to use another client.';

/** The server under test, not started yet; gone when the test `t` ends. */
export async function thermometer(t, celsius = 21.5) {
  const isBoard = command.length === 3;
  const http = isBoard ? [boardHttpThermometer, 3] : [httpThermometer, 1];
  const mqtt = isBoard ? [boardMqttThermometer, 3] : [mqttThermometer, 1];
  const kinds = {
    host: [hostThermometer, 1], http, mqtt, board: [boardThermometer, 3], pico: [picoThermometer, 3],
    arduino: [arduinoThermometer, 2], lines: [linesThermometer, 1],
  };
  const [open, count] = kinds[kind] ?? [];
  assert.ok(open && command.length === count, 'usage: see support.mjs');
  const server = await open(...command, celsius);
  atEnd(t, () => server.close());
  const { transport } = server;
  if (transport) server.transport = () => Object.assign(transport(), { watch: watch() });
  return server;
}

/** Asserts that the contents of the resource are the temperature `celsius`. */
export function assertTemperature(server, { celsius: shown, ...others }, celsius) {
  assert.ok(isAt(server, shown, celsius), `${shown} degrees, expected ${celsius}`);
  assert.deepEqual(others, {});
}

/** A fresh server and the official client, connected. Both end with the test `t`. */
export async function connect(t, celsius) {
  const server = await thermometer(t, celsius);
  const session = await openSession(server, undefined, library);
  atEnd(t, () => session.close());
  return { server, session, client: session.client };
}

/**
 * Has a client take one message after the other. By itself the official one takes an answer before the progress that came
 * just before it, when a slow machine has both come in one piece. Returns a function that awaits what has come so far.
 */
export function inOrder(transport) {
  let taken;
  let last = Promise.resolve();
  const queue = (take) => (...message) => {
    last = last.then(() => take(...message)).catch((error) => transport.onerror?.(error))
      .then(() => new Promise(setImmediate));
  };
  Object.defineProperty(transport, 'onmessage', {
    get: () => taken, set: (take) => { taken = take && queue(take); },
  });
  return () => last;
}

/** Awaits an error answer of the official client, and returns it: { code, message, data }. */
export async function rejected(promise) {
  const error = await promise.then(() => assert.fail('expected an error answer'), (reason) => reason);
  assert.ok(error instanceof library.McpError, `expected an error answer, not: ${error}`);
  return error;
}

/** A server process over stdio and its bare lines, for what the official client would never send. */
export class Lines {
  #child;
  #reader;

  constructor(t, { command, args }) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {});  // Writing to an ended process fails; `ended` reports the end.
    this.#reader = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    /** Resolves with { code, signal } when the process has ended and its output is read. */
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => resolve({ code, signal }));
    });
    // SIGTERM, because the wrapper of the emulator could not pass a SIGKILL on.
    atEnd(t, async () => {
      if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
      await within(waitMs, 'end of the server', this.ended);
    });
  }

  /** Writes text or bytes as they are; resolves when the pipe has them. */
  write(data) {
    return new Promise((resolve, reject) => this.#child.stdin.write(data, (error) => (error ? reject(error) : resolve())));
  }

  send(message) {
    return this.write(`${JSON.stringify(message)}\n`);
  }

  /** The next line the server writes, as text; undefined when its output has ended. */
  async anyLine() {
    const { value } = await within(waitMs, 'answer', this.#reader.next());
    return value;
  }

  /** As above, but not the mark of a boot, which the UART of a board has. */
  async line() {
    for (;;) {
      const line = await this.anyLine();
      if (kind === 'host' || !/^(# mote boot [0-9a-f]{8})?$/.test(line)) return line;
    }
  }

  /** The next line the server writes, which must be one JSON-RPC message. */
  async message() {
    const text = await this.line();
    assert.notEqual(text, undefined, 'the server ended');
    const message = JSON.parse(text);
    assert.equal(message.jsonrpc, '2.0');
    return message;
  }

  async request(id, method, params) {
    await this.send({ jsonrpc: '2.0', id, method, params });
    return this.message();
  }

  /** The handshake, as any client does it. Returns the answer to initialize. */
  async initialize() {
    const answer = await this.request('initialize', 'initialize', {
      protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'mote-tests', version: '0.1.0' },
    });
    assert.equal(answer.result.protocolVersion, '2025-11-25');
    await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  closeInput() {
    this.#child.stdin.end();
  }

  kill(signal) {
    this.#child.kill(signal);
  }
}

/** Asserts that the server answers its next request: whatever came before it is over and has left nothing behind. */
export async function assertServes(lines, id = 'still here') {
  assert.deepEqual(await lines.request(id, 'ping'), { jsonrpc: '2.0', id, result: {} });
}
