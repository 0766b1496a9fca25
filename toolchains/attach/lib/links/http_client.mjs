// SPDX-License-Identifier: Apache-2.0
// The HTTP requests to one endpoint, and the messages in its responses.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EventReader, isEventStream } from '../events.mjs';
import { limits, read } from '../incoming.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {import('node:http').IncomingMessage} Response */
/** A request; destroy() resolves when its connection is closed. @typedef {{destroy: () => Promise<void>}} Sent */
/** @typedef {{url: string, address?: string, tokenFile?: string, ca?: string}} Endpoint */

/** A reader of events; answered() ends a stream that goes on. @typedef {EventReader & {answered: () => void}} Reader */

/** Loads a module when it is used: those of HTTP and TLS take longer than all of attach. */
const load = createRequire(import.meta.url);
const mostRedirects = 5;
/** Milliseconds without a byte until a body that is no stream has ended. */
export const bodyMs = 30_000;
const closeMs = 2000;  // a stream is closed so long after the response to its request

/**
 * Where a response sends the same request again; undefined if it does not, or to another origin: a token is of one origin.
 * @param {Response} response @param {URL} url
 */
export function redirectOf({ statusCode, headers: { location = '' } }, url) {
  if (statusCode !== 307 && statusCode !== 308) return undefined;
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
  return next?.origin === url.origin ? next : undefined;
}

export class HttpClient {
  /** @param {Endpoint} endpoint `address` is of a name that the system may not resolve */
  constructor({ url, address, tokenFile, ca }) {
    this.url = new URL(url);
    if (this.url.pathname === '/') this.url.pathname = '/mcp';
    this.address = address;
    this.tokenFile = tokenFile;
    const { Agent } = this.#module;
    const lookup = address && ((/** @type {any} */ _name, /** @type {any} */ { all }, /** @type {any} */ done) => (
      all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)));
    this.agent = new Agent({ keepAlive: true, ...(lookup && { lookup }), ...(ca && { ca: readFileSync(ca) }) });
  }

  /** @returns {typeof import('node:https')} */
  get #module() { return load(this.url.protocol === 'https:' ? 'node:https' : 'node:http'); }

  /**
   * Sends a request, again where the endpoint redirects it. After destroy(), neither `response` nor `error` is called.
   * @param {string} method @param {Record<string, string>} headers @param {string | undefined} body
   * @param {(response: Response) => void} response @param {(error: any, isReused: boolean) => void} error
   * @returns {Sent}
   */
  request(method, headers, body, response, error) {
    /** @type {import('node:http').ClientRequest | undefined} */ let sent;
    let isDestroyed = false;
    const send = (/** @type {URL} */ url, /** @type {number} */ redirects) => {
      sent = this.#module.request(url, { method, agent: this.agent, headers: { ...headers, ...this.#token() } });
      const current = sent;
      current.on('response', (received) => {
        if (isDestroyed) return;
        const next = redirects > 0 ? redirectOf(received, url) : undefined;
        if (!next) return response(received);
        received.on('error', () => {}).resume();
        if (received.statusCode === 308) this.url = next;
        send(next, redirects - 1);
      });
      current.on('error', (reason) => {
        if (!isDestroyed && current === sent) error(reason, current.reusedSocket);
      });
      current.end(body);
    };
    try {
      send(this.url, mostRedirects);
    } catch (reason) {  // the file of the token cannot be read, or has no token
      setImmediate(() => isDestroyed || error(reason, false));
    }
    return { destroy: () => {
      isDestroyed = true;
      return new Promise((resolve) => {
        if (!sent || sent.closed) return resolve();
        sent.once('close', resolve);
        sent.destroy();
      });
    } };
  }

  // Read each time, because tokens are rotated.
  #token() {
    return this.tokenFile && { Authorization: `Bearer ${readFileSync(this.tokenFile, 'utf8').trim()}` };
  }

  close() { this.agent.destroy(); }
}

/**
 * Why a response has no message with the id of its request.
 * @param {Response} response @param {string} body @param {string} [fault] of a message in it
 */
export function noMessage({ statusCode = 0 }, body, fault) {
  return fault !== undefined && statusCode < 300 ? `The response of the device ${fault}.`
    : `The device answered with HTTP ${statusCode} ${body.slice(0, 200)}`.trim();
}

/**
 * Reads the messages of a response: a JSON body, or the events of a stream.
 * @param {Response} response @param {{message: (m: any) => void, text: (text: string) => void,
 *   end: (body: string, fault?: string) => void, error: (error: any) => void}} handlers `text` takes data that is no message; `end` the
 *   body that is no stream, and the end of a sentence about a message that is not valid
 * @returns {Reader} the ids of the stream
 */
export function readMessages(response, { message, text, end, error }) {
  /** @type {string | undefined} */ let fault;
  const take = (/** @type {string} */ data) => {
    const found = read(data);
    if (found.fault !== undefined) {
      ({ fault } = found);
      text(data.slice(0, 200));
    }
    found.messages.forEach(message);
  };
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => response.destroy(new RangeError(`The response of the device stopped for ${bodyMs / 1000} s.`)), bodyMs);
  };
  const isStream = isEventStream(response.headers['content-type']);
  // The response to the request of a stream has come; no more of it is of use.
  const answered = () => { if (isStream) timer ??= setTimeout(() => response.destroy(), closeMs); };
  const events = Object.assign(new EventReader(take), { answered });
  if (!isStream) {
    response.setEncoding('utf8');
    watch();
  }
  let body = '';
  response.on('data', (data) => {
    try {
      if (isStream) return void events.feed(data);
      watch();
      body += data;
      if (body.length > limits.size) throw new RangeError(`The response of the device is longer than ${limits.size >> 20} MiB.`);
    } catch (reason) {
      response.destroy(/** @type {Error} */ (reason));
    }
  });
  response.on('error', error);
  response.on('close', () => clearTimeout(timer));
  response.on('end', () => {
    if (body.trim() !== '') take(body);
    end(body, fault);
  });
  return events;
}
