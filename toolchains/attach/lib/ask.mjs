// SPDX-License-Identifier: Apache-2.0
// Asks a board for its name, and calls its tools, for the commands of attach. It knows one request at a time, and no
// notifications of the board.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { EventReader, isEventStream } from './events.mjs';
import { redirectOf } from './links/http_client.mjs';
import { self } from './rpc.mjs';
import { endpointOf } from './open_link.mjs';

/**
 * @typedef {import('./target.mjs').Target} Target
 * @typedef {{readable: NodeJS.ReadableStream, writable: NodeJS.WritableStream, close: () => Promise<void>,
 *   hasDtr?: boolean}} Link
 * @typedef {{bytes: number, odd: number, text: string[]}} Seen bytes, bytes that are no text, lines that are no message
 * @typedef {{send: (message: any, ms: number) => Promise<any>, notify: (message: any, ms: number) => Promise<void>,
 *   close: () => Promise<void>, seen?: Seen, isWire: boolean, hasDtr?: boolean}} Wire
 * @typedef {{name: string, version: string, title?: string, revision: string, description?: string}} Board
 */

export const modern = '2026-07-28';
export const legacy = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const unsupportedVersion = -32022;
const longestBody = 4 << 20;
const prefix = 'io.modelcontextprotocol/';

/** `kind`: timeout, closed, rpc (an error of the board), http (a status), network (`code` is of the system), revision,
 * or open (the link cannot be opened). */
export class AskError extends Error {
  /** @param {string} kind @param {string} message @param {{code?: any, status?: number, data?: any}} [more] */
  constructor(kind, message, { code, status, data } = {}) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** A string of a board without characters that control a terminal. @param {unknown} text */
// eslint-disable-next-line no-control-regex
export const printable = (text) => String(text).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '?');

/** Ends with the result of `promise`, or with an AskError after `ms`. @template T
 * @param {Promise<T>} promise @param {number} ms @param {string} what @returns {Promise<T>} */
export async function within(promise, ms, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new AskError('timeout', `${what} within ${ms} ms`)), ms);
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, limit]));
  } finally {
    clearTimeout(timer);
  }
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

/** The messages of a stream, one a line. @implements {Wire} */
export class LineWire {
  isWire = true;
  /** @type {Seen} */
  seen = { bytes: 0, odd: 0, text: [] };
  #rest = '';
  #decoder = new StringDecoder('utf8');
  /** @type {Map<any, {resolve: (message: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  /** @type {AskError | undefined} */
  #end;
  #link;

  /** @param {Link} link */
  constructor(link) {
    this.#link = link;
    this.hasDtr = link.hasDtr;
    link.readable.on('data', (/** @type {Buffer} */ bytes) => this.#take(bytes));
    for (const stream of [link.readable, link.writable]) {
      stream.on('error', (/** @type {Error} */ error) => this.#fail(error.message));
    }
    link.readable.on('end', () => this.#fail('The link has ended.'));
    link.readable.on('close', () => this.#fail('The link has ended.'));
    link.writable.write('\n');  // ends what the board may have received of a line before
  }

  /** @param {string} message */
  #fail(message) {
    this.#end ??= new AskError('closed', message);
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    this.seen.bytes += bytes.length;
    const text = this.#decoder.write(bytes);
    // U+FFFD stands for bytes that are not UTF-8.
    // eslint-disable-next-line no-control-regex
    this.seen.odd += (text.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g) ?? []).length;
    const lines = (this.#rest + text).split('\n');
    this.#rest = /** @type {string} */ (lines.pop()).slice(-longestBody);
    for (const line of lines) this.#line(line);
  }

  /** @param {string} line */
  #line(line) {
    const message = parseMessage(line) ?? parseMessage(line.slice(Math.max(line.indexOf('{"jsonrpc"'), 0)));
    if (!message) {
      if (line.trim() !== '' && this.seen.text.length < 3) this.seen.text.push(line.trim().slice(0, 200));
      return;
    }
    const waiting = message.method === undefined ? this.#waiting.get(message.id) : undefined;
    this.#waiting.delete(message.id);
    waiting?.resolve(message);
  }

  /** @param {any} message @param {number} ms */
  async send(message, ms) {
    if (this.#end) throw this.#end;
    const answer = new Promise((resolve, reject) => this.#waiting.set(message.id, { resolve, reject }));
    this.#link.writable.write(`${JSON.stringify(message)}\n`);
    try {
      return await within(answer, ms, `The board has not answered ${message.method}`);
    } finally {
      this.#waiting.delete(message.id);
    }
  }

  /** @param {any} message */
  async notify(message) {
    this.#link.writable.write(`${JSON.stringify(message)}\n`);
  }

  close() {
    return this.#link.close();
  }
}

/** @param {string} text */
function parseMessage(text) {
  try {
    const message = JSON.parse(text);
    return message?.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

// ---- HTTP -----------------------------------------------------------------------------------------------------------

/** @param {any} message @param {string | undefined} session @param {string | undefined} token */
function headersOf(message, session, token) {
  const version = message.params?._meta?.[`${prefix}protocolVersion`];
  const name = message.params?.name ?? message.params?.uri;
  return {
    'content-type': 'application/json', accept: 'application/json, text/event-stream',
    ...(token && { authorization: `Bearer ${token}` }), ...(session && { 'mcp-session-id': session }),
    ...(version && {
      'mcp-protocol-version': version, 'mcp-method': message.method, ...(name && { 'mcp-name': name }),
    }),
  };
}

/**
 * One endpoint. `address` replaces the look-up of the host name, whose name stays in Host and in the check of the
 * certificate. @implements {Wire}
 */
export class HttpWire {
  isWire = false;
  /** @type {string | undefined} */
  #session;

  /** @param {string} url @param {{token?: string, ca?: string, address?: string}} [options] */
  constructor(url, { token, ca, address } = {}) {
    this.url = new URL(url);
    this.token = token;
    this.options = {
      ...(ca && { ca }),
      ...(address && {
        // Node.js asks for all addresses or for one.
        lookup: (/** @type {string} */ _, /** @type {any} */ { all }, /** @type {any} */ done) =>
          all ? done(null, [{ address, family: 4 }]) : done(null, address, 4),
      }),
    };
  }

  /** @param {string} method @param {any} message @param {number} ms @param {URL} [url] @param {number} [redirects]
   * @returns {Promise<any>} */
  #exchange(method, message, ms, url = this.url, redirects = 5) {
    return new Promise((resolve, reject) => {
      const headers = headersOf(message ?? {}, this.#session, this.token);
      const request = (url.protocol === 'https:' ? https : http).request(url, { method, headers, agent: false, ...this.options });
      const timer = setTimeout(() => request.destroy(new AskError('timeout', `No answer within ${ms} ms`)), ms);
      request.on('close', () => clearTimeout(timer));
      request.on('error', (/** @type {any} */ error) => {
        reject(error instanceof AskError ? error : new AskError('network', error.message, { code: error.code }));
      });
      request.on('response', (response) => {
        const next = redirects > 0 ? redirectOf(response, url) : undefined;
        if (!next) return this.#read(response, message, request, resolve, reject);
        response.on('error', () => {}).resume();
        this.#exchange(method, message, ms, next, redirects - 1).then(resolve, reject);
      });
      request.end(message && JSON.stringify(message));
    });
  }

  /** @param {http.IncomingMessage} response @param {any} message @param {http.ClientRequest} request
   * @param {(value: any) => void} resolve @param {(error: Error) => void} reject */
  #read(response, message, request, resolve, reject) {
    let body = '';
    let length = 0;
    /** @type {any} */ let found;
    const end = () => {
      const status = response.statusCode ?? 0;
      found ??= parseMessage(body);
      if (message?.method === 'initialize' && status === 200) {
        this.#session = /** @type {string | undefined} */ (response.headers['mcp-session-id']);
      }
      // A status says more than the error in its body, except for errors of a method or a revision.
      const isRpc = status < 300 || (found?.error && (status === 400 || found.error.code === -32601));
      if (found && isRpc) resolve(found);
      else if (status >= 200 && status < 300 && message?.id === undefined) resolve(undefined);
      else if (status >= 200 && status < 300) reject(new AskError('closed', 'The response has no JSON-RPC message.'));
      else reject(new AskError('http', found?.error?.message ?? response.statusMessage ?? '', { status }));
    };
    const isStream = isEventStream(response.headers['content-type']);
    if (!isStream) response.setEncoding('utf8');
    const events = new EventReader((data) => {
      const each = parseMessage(data);
      if (found || !each || each.id !== message?.id || each.method !== undefined) return;
      found = each;
      end(), request.destroy();
    });
    response.on('data', (data) => {
      length += data.length;
      if (length > longestBody) request.destroy(new AskError('closed', 'The response is longer than 4 MiB.'));
      else if (isStream) events.feed(data);
      else body += data;
    });
    response.on('end', end);
    response.on('error', (error) => reject(new AskError('closed', error.message)));
  }

  /** @param {any} message @param {number} ms */
  send(message, ms) {
    return this.#exchange('POST', message, ms);
  }

  /** @param {any} message @param {number} ms */
  notify(message, ms) {
    return this.#exchange('POST', message, ms);
  }

  /** Ends the session, if there is one. */
  async close() {
    if (this.#session) await this.#exchange('DELETE', undefined, 2000).catch(() => {});
  }
}

// ---- Conversations --------------------------------------------------------------------------------------------------

/** Requests to one board, of the newest revision that the board supports. */
export class Conversation {
  #id = 0;
  /** The revision of the requests; known after begin(). */
  revision = modern;

  /** @param {Wire} wire @param {number} [ms] the longest wait for a response, in milliseconds */
  constructor(wire, ms = 5000) {
    this.wire = wire;
    this.ms = ms;
  }

  /** The result of a request. @param {string} method @param {any} [params] @param {number} [ms] */
  async request(method, params = {}, ms = this.ms) {
    const _meta = { [`${prefix}protocolVersion`]: modern, [`${prefix}clientCapabilities`]: {} };
    const all = this.revision === modern ? { ...params, _meta } : params;
    const message = { jsonrpc: '2.0', id: `attach-${++this.#id}`, method, params: all };
    const { result, error } = await this.wire.send(message, ms);
    if (error) throw new AskError('rpc', error.message, { code: error.code, data: error.data });
    return result;
  }

  /** Asks for the name of the board: server/discover, and initialize if the board does not know it.
   * @returns {Promise<Board>} */
  async begin() {
    this.revision = modern;
    try {
      return this.#board(await this.request('server/discover'));
    } catch (error) {
      const isOlder = error instanceof AskError && (error.kind === 'rpc' ||
        (error.kind === 'timeout' && this.wire.isWire) || (error.kind === 'http' && error.status === 400));
      if (!isOlder) throw error;
      return this.#initialize(/** @type {AskError} */ (error));
    }
  }

  /** @param {AskError} refusal @returns {Promise<Board>} */
  async #initialize(refusal) {
    const supported = refusal.code === unsupportedVersion ? refusal.data?.supported : undefined;
    const offer = Array.isArray(supported) ? legacy.find((version) => supported.includes(version)) : legacy[0];
    if (!offer) throw revisionError(supported);
    this.revision = offer;
    let result;
    try {
      result = await this.request('initialize', { protocolVersion: offer, capabilities: {}, clientInfo: self });
    } catch (error) {
      if (error instanceof AskError && error.code === unsupportedVersion) throw revisionError(error.data?.supported);
      throw error;
    }
    if (!legacy.includes(result?.protocolVersion)) throw revisionError([result?.protocolVersion]);
    this.revision = result.protocolVersion;
    await this.wire.notify({ jsonrpc: '2.0', method: 'notifications/initialized' }, this.ms);
    return this.#board(result);
  }

  /** @param {any} result @returns {Board} */
  #board(result) {
    const info = result?.serverInfo ?? result?._meta?.[`${prefix}serverInfo`] ?? {};
    const { name = 'unnamed', version = '', title } = info;
    const description = [info.description, result?.instructions].find((text) => typeof text === 'string' && text !== '');
    return { name: printable(name), version: printable(version), ...(title && { title: printable(title) }),
      revision: this.revision, ...(description && { description: printable(description) }) };
  }

  close() {
    return this.wire.close();
  }
}

/** @param {any} supported */
function revisionError(supported) {
  const list = Array.isArray(supported) && supported.length > 0 ? printable(supported.join(', ')) : 'none of them';
  const ours = [modern, ...legacy].join(', ');
  return new AskError('revision', `attach supports the revisions ${ours}, and the board supports ${list}.`);
}

// ---- Links ----------------------------------------------------------------------------------------------------------

/** Opens a serial port and raises DTR, which USB devices wait for. @param {string} path @param {number} baud
 * @returns {Promise<Link>} */
export async function openSerialPort(path, baud) {
  const { SerialPort } = await import('serialport');
  const port = new SerialPort({ path, baudRate: baud, autoOpen: false });
  await new Promise((resolve, reject) => port.open((error) => error
    ? reject(new AskError('open', error.message, { code: /** @type {any} */ (error).code })) : resolve(undefined)));
  // A pseudo-terminal, and some adapters, have no DTR.
  const hasDtr = await new Promise((resolve) => port.set({ dtr: true, rts: true }, (error) => resolve(!error)));
  const close = () => /** @type {Promise<void>} */ (new Promise((done) => {
    if (port.isOpen) port.close(() => done());
    else done();
  }));
  return { readable: port, writable: port, close, hasDtr };
}

/** Starts a program. @param {string} command @param {string[]} args @returns {Promise<Link>} */
export async function openProgram(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve, reject) => child.on('spawn', resolve).on('error', (/** @type {any} */ error) =>
    reject(new AskError('open', error.message, { code: error.code }))));
  const close = async () => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGTERM'), 2000);
    await ended;
    clearTimeout(timer);
  };
  return { readable: child.stdout, writable: child.stdin, close };
}

/** The string in a file, or on stdin for `-`, without a line end. @param {string} file */
export const readText = (file) => readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '');

/** What a target needs from outside; tests replace it.
 * @typedef {{serial?: (path: string, baud: number) => Promise<Link>, find?: (wanted: any) => Promise<{path: string}>,
 *   program?: (command: string, args: string[]) => Promise<Link>,
 *   resolve?: (name: string, options: {secure: boolean}) => Promise<{url: string, address?: string}>}} Openers */

/** Opens a target. Errors: an AskError or a sentence. @param {Target} target @param {Openers} [openers]
 * @returns {Promise<Wire>} */
export async function openTarget(target, openers = {}) {
  if (target.kind === 'exec') return new LineWire(await (openers.program ?? openProgram)(target.command, target.args));
  if (target.kind === 'serial') {
    const find = openers.find ?? (await import('./serial_ports.mjs')).findSerialPort;
    const { path } = await find(target);
    return new LineWire(await (openers.serial ?? openSerialPort)(path, target.baud));
  }
  if (target.kind === 'mqtt') {
    const { openMqtt, streamOf } = await import('./links/mqtt.mjs');
    return new LineWire(streamOf(await openMqtt(target)));
  }
  const files = {
    token: target.tokenFile && readText(target.tokenFile), ca: target.ca && readFileSync(target.ca, 'utf8'),
  };
  if (target.kind === 'http') return new HttpWire(target.url, files);
  const { url, address } = await endpointOf(target, openers.resolve);
  return new HttpWire(url, { ...files, address });
}
