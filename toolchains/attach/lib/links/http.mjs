// SPDX-License-Identifier: Apache-2.0
// A device with Streamable HTTP. Each request is a POST; the stream of its response carries notifications.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import * as plain from 'node:http';
import * as secure from 'node:https';
import { code, failure, key, metaOf } from '../rpc.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */

const named = /** @type {Record<string, (params: any) => any>} */ ({
  'tools/call': ({ name }) => name, 'prompts/get': ({ name }) => name, 'resources/read': ({ uri }) => uri,
  'tasks/get': ({ taskId }) => taskId, 'tasks/update': ({ taskId }) => taskId, 'tasks/cancel': ({ taskId }) => taskId,
});
const retryMs = 1000;

/** A header value; encoded unless it is plain ASCII. @param {any} value */
export function headerValue(value) {
  const text = String(value);
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The parameters of a tool that are headers, too. @param {any} schema @param {string[]} path @returns {any[]} */
function headerParameters(schema, path = []) {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, value]) => {
    const header = value?.['x-mcp-header'];
    const here = [...path, name];
    return [...(header ? [{ header, path: here }] : []), ...headerParameters(value, here)];
  });
}

/** Splits a stream of server-sent events into their data. */
class EventReader {
  #rest = '';

  /** @param {string} text @returns {string[]} */
  feed(text) {
    const events = (this.#rest + text).replace(/\r\n?/g, '\n').split('\n\n');
    this.#rest = /** @type {string} */ (events.pop());
    return events.map((event) => event.split('\n').filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, '')).join('\n')).filter((data) => data !== '');
  }
}

export class HttpLink extends EventEmitter {
  canReset = false;
  /** @type {Map<any, import('node:http').ClientRequest>} */ #requests = new Map();
  /** @type {Map<string, any[]>} */ #headers = new Map();
  /** @type {string | undefined} of a device with sessions */ #session;
  #closed = false;

  /** @param {{url: string, address?: string, tokenFile?: string, ca?: string}} target */
  constructor({ url, address, tokenFile, ca }) {
    super();
    this.url = new URL(url);
    if (this.url.pathname === '/') this.url.pathname = '/mcp';
    this.tokenFile = tokenFile;
    const { Agent } = this.url.protocol === 'https:' ? secure : plain;
    // The address of a name that the system may not resolve.
    const lookup = address && ((/** @type {any} */ _name, /** @type {any} */ { all }, /** @type {any} */ done) => (
      all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)));
    this.agent = new Agent({ keepAlive: true, ...(lookup && { lookup }), ...(ca && { ca: readFileSync(ca) }) });
  }

  clear() {}

  /** @param {Message} m */
  send(m) {
    if (this.#closed) return;
    const { request } = this.url.protocol === 'https:' ? secure : plain;
    const sent = request(this.url, { method: 'POST', agent: this.agent, headers: this.#headersOf(m) });
    if (m.id !== undefined && m.method !== undefined) this.#requests.set(m.id, sent);
    sent.on('response', (response) => this.#read(m, response));
    sent.on('error', (error) => this.#failed(m, sent, error));
    sent.end(JSON.stringify(m));
  }

  /** @param {Message} m @returns {Record<string, string>} */
  #headersOf(m) {
    const version = metaOf(m)[key.version] ?? (this.#session && this.version);
    /** @type {Record<string, string>} */ const headers = {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      // Read each time, because tokens are rotated.
      ...(this.tokenFile && { Authorization: `Bearer ${readFileSync(this.tokenFile, 'utf8').trim()}` }),
      ...(version && { 'MCP-Protocol-Version': version }),
      ...(this.#session && { 'MCP-Session-Id': this.#session }),
    };
    if (metaOf(m)[key.version] === undefined || m.method === undefined) return headers;
    headers['Mcp-Method'] = m.method;
    const name = Object.hasOwn(named, m.method) ? named[m.method](m.params ?? {}) : undefined;
    if (name !== undefined) headers['Mcp-Name'] = headerValue(name);
    for (const { header, path } of (m.method === 'tools/call' && this.#headers.get(m.params.name)) || []) {
      const value = path.reduce((/** @type {any} */ at, /** @type {string} */ step) => at?.[step], m.params.arguments);
      if (value !== undefined && value !== null) headers[`Mcp-Param-${header}`] = headerValue(value);
    }
    return headers;
  }

  /** @param {Message} m @param {import('node:http').IncomingMessage} response */
  #read(m, response) {
    const session = response.headers['mcp-session-id'];
    if (m.method === 'initialize' && typeof session === 'string') this.#session = session;
    response.setEncoding('utf8');
    const isStream = response.headers['content-type']?.startsWith('text/event-stream');
    const events = new EventReader();
    let body = '';
    response.on('data', (text) => {
      if (isStream) for (const data of events.feed(text)) this.#take(data);
      else body += text;
    });
    response.on('error', (error) => this.#failed(m, undefined, error));
    response.on('end', () => {
      if (!isStream && body.trim() !== '') this.#take(body);
      const sent = this.#requests.get(m.id);
      if (!sent || m.method === undefined) return;
      // No message with this id has come.
      this.#requests.delete(m.id);
      const reason = `The device answered with HTTP ${response.statusCode} ${body.slice(0, 200)}`.trim();
      this.emit('message', { jsonrpc: '2.0', id: m.id, ...failure(code.internal, reason) });
    });
  }

  /** @param {string} text */
  #take(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.emit('text', text.slice(0, 200));
      return;
    }
    for (const m of Array.isArray(message) ? message : [message]) {
      if (m.method === undefined) this.#requests.delete(m.id);
      for (const tool of m.result?.tools ?? []) this.#headers.set(tool.name, headerParameters(tool.inputSchema));
      if (m.result?.protocolVersion) this.version = m.result.protocolVersion;
      this.emit('message', m);
    }
  }

  /** @param {Message} m @param {any} sent @param {Error} error */
  #failed(m, sent, error) {
    const isOpen = this.#requests.get(m.id) !== undefined && (sent === undefined || this.#requests.get(m.id) === sent);
    if (this.#closed || !isOpen) return;
    this.#requests.delete(m.id);
    // A subscription that breaks off means that the device was reset or cannot be reached.
    this.lose(error.message);
  }

  /** Closing the stream of a response cancels its request. @param {any} id */
  cancel(id) {
    const sent = this.#requests.get(id);
    this.#requests.delete(id);
    sent?.destroy();
  }

  /** @param {string} reason */
  lose(reason) {
    if (this.#closed) return;
    this.close();
    setTimeout(() => this.emit('close', reason), this.listenerCount('close') > 0 ? 0 : retryMs);
  }

  close() {
    this.#closed = true;
    for (const sent of this.#requests.values()) sent.destroy();
    this.#requests.clear();
    this.agent.destroy();
  }
}

/** @param {any} target @returns {Promise<HttpLink>} */
export async function openHttp(target) {
  const link = new HttpLink(target);
  // A device that cannot be reached is away, not silent.
  await new Promise((resolve, reject) => {
    const { request } = link.url.protocol === 'https:' ? secure : plain;
    const probe = request(link.url, { method: 'OPTIONS', agent: link.agent });
    probe.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(undefined));
      response.on('error', reject);
    });
    probe.on('error', reject);
    probe.end();
  });
  return link;
}
