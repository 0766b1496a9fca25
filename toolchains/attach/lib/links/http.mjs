// SPDX-License-Identifier: Apache-2.0
// A device with Streamable HTTP. Each request is a POST; the stream of its response carries notifications.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { stringify, textOf } from '../json.mjs';
import { code, failure, key, metaOf } from '../rpc.mjs';
import { bodyMs, HttpClient, noMessage, readMessages } from './http_client.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {import('./http_client.mjs').Sent} Sent */

const named = /** @type {Record<string, (params: any) => any>} */ ({
  'tools/call': ({ name }) => name, 'prompts/get': ({ name }) => name, 'resources/read': ({ uri }) => uri,
  'tasks/get': ({ taskId }) => taskId, 'tasks/update': ({ taskId }) => taskId, 'tasks/cancel': ({ taskId }) => taskId,
});
const retryMs = 1000;
const mostTools = 10_000;  // with parameters that are headers
const mostHeaders = 100;  // of one tool
const mostOptions = 1 << 20;  // bytes of the response to OPTIONS

/** A header value; encoded unless it is plain ASCII. @param {any} value */
export function headerValue(value) {
  const text = textOf(value);
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The parameters of a tool that are headers, too. @param {any} schema @param {string[]} path @returns {any[]} */
function headerParameters(schema, path = []) {
  return Object.entries(Object(schema?.properties)).flatMap(([name, value]) => {
    const header = value?.['x-mcp-header'];
    const here = [...path, name];
    const isName = typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(header);
    return [...(isName ? [{ header, path: here }] : []), ...headerParameters(value, here)];
  });
}

export class HttpLink extends EventEmitter {
  canReset = false;
  /** @type {Map<any, Sent>} */ #requests = new Map();
  /** @type {Map<string, any[]>} */ #headers = new Map();
  #closed = false;

  /** @param {import('./http_client.mjs').Endpoint} endpoint */
  constructor(endpoint) {
    super();
    this.endpoint = endpoint;
    this.client = new HttpClient(endpoint);
  }

  clear() {}

  /** Whose lists the device sends: those of its token. */
  who() {
    const { tokenFile } = this.endpoint;
    try {
      return tokenFile && readFileSync(tokenFile, 'utf8').trim();
    } catch {
      return undefined;  // the request itself says so
    }
  }

  /** @param {Message} m */
  send(m) {
    if (this.#closed) return;
    /** @type {Sent} */
    const sent = this.client.request('POST', this.#headersOf(m), stringify(m),
      (response) => this.#read(m, sent, response), (error) => this.#broken(m, sent, error));
    if (m.id !== undefined && m.method !== undefined) this.#requests.set(m.id, sent);
  }

  /** @param {Message} m @returns {Record<string, string>} */
  #headersOf(m) {
    const version = metaOf(m)[key.version];
    /** @type {Record<string, string>} */ const headers = {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
    };
    if (version === undefined) return headers;
    headers['MCP-Protocol-Version'] = version;
    if (m.method === undefined) return headers;
    headers['Mcp-Method'] = m.method;
    const name = Object.hasOwn(named, m.method) ? named[m.method](m.params ?? {}) : undefined;
    if (name !== undefined) headers['Mcp-Name'] = headerValue(name);
    for (const { header, path } of (m.method === 'tools/call' && this.#headers.get(m.params.name)) || []) {
      const value = path.reduce((/** @type {any} */ at, /** @type {string} */ step) => at?.[step], m.params.arguments);
      if (value !== undefined && value !== null) headers[`Mcp-Param-${header}`] = headerValue(value);
    }
    return headers;
  }

  /** @param {Message} m @param {Sent} sent @param {import('node:http').IncomingMessage} response */
  #read(m, sent, response) {
    const reader = readMessages(response, {
      message: (message) => {
        this.#take(message);
        if (m.id !== undefined && !this.#requests.has(m.id)) reader.answered();
      },
      text: (text) => this.emit('text', text),
      error: (error) => this.#broken(m, sent, error),
      // No message with this id has come.
      end: (body, fault) => this.#reject(m, sent, noMessage(response, body, fault)),
    });
  }

  /** The tools of the device: some have parameters that are headers, too. @param {any[]} tools */
  learn(tools) {
    for (const tool of tools) {
      const all = typeof tool?.name === 'string' ? headerParameters(tool.inputSchema) : [];
      this.#headers.delete(tool?.name);
      if (all.length > 0 && all.length <= mostHeaders && this.#headers.size < mostTools) this.#headers.set(tool.name, all);
    }
  }

  /** @param {Message} m @param {Sent} sent @param {Error} error a RangeError for a response beyond a limit */
  #broken(m, sent, error) {
    if (error instanceof RangeError) this.#reject(m, sent, error.message);
    else this.#failed(m, sent, error);
  }

  /** @param {Message} m @param {Sent} sent @param {string} reason */
  #reject(m, sent, reason) {
    if (this.#requests.get(m.id) !== sent) return;
    this.#requests.delete(m.id);
    this.emit('message', { jsonrpc: '2.0', id: m.id, ...failure(code.internal, reason) });
  }

  /** @param {any} m */
  #take(m) {
    if (m.method === undefined) this.#requests.delete(m.id);
    if (Array.isArray(m.result?.tools)) this.learn(m.result.tools);
    this.emit('message', m);
  }

  /** @param {Message} m @param {Sent} sent @param {Error} error */
  #failed(m, sent, error) {
    if (this.#closed || this.#requests.get(m.id) !== sent) return;
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

  /**
   * The same. Resolves when the device has served another request since the end of the stream, so it has seen this end.
   * @param {any} id @returns {Promise<void>}
   */
  async endRequest(id) {
    const sent = this.#requests.get(id);
    this.#requests.delete(id);
    await sent?.destroy();
    await this.probe().catch(() => {});
  }

  /** Resolves when the device has responded. */
  async probe() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
    /** @type {Sent | undefined} */ let sent;
    await new Promise((resolve, reject) => {
      sent = this.client.request('OPTIONS', {}, undefined, (response) => {
        let left = mostOptions;
        response.on('data', (bytes) => { if ((left -= bytes.length) < 0) resolve(undefined); });
        response.on('end', () => resolve(undefined));
        response.on('error', reject);
      }, reject);
      timer = setTimeout(() => reject(new Error(`no HTTP response within ${bodyMs / 1000} s`)), bodyMs);
    }).catch((error) => {
      void sent?.destroy();
      throw error;
    }).finally(() => clearTimeout(timer));
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
    this.client.close();
  }
}

/** @param {any} target @returns {Promise<HttpLink>} */
export async function openHttp(target) {
  const link = new HttpLink(target);
  await link.probe();  // a device that cannot be reached is away, not silent
  return link;
}
