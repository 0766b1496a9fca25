// SPDX-License-Identifier: Apache-2.0
// A session of 2025-03-26 to 2025-11-25 over Streamable HTTP, as the client: begins again after 404, keeps a GET stream, resumes
// streams that broke, and ends with DELETE.
//
// The client transport of the official SDK is not used, because it sends DELETE only on request, repeats no session after 404,
// and has no look-up of names by mDNS.
import { isEventStream } from '../events.mjs';
import { busyFor, code, failure, legacyVersions } from '../rpc.mjs';
import { HttpClient, noMessage, readMessages } from './http_client.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {import('./http_client.mjs').Endpoint} Endpoint */
/** @typedef {import('./http_client.mjs').Response} Response */
/** @typedef {import('./http_client.mjs').Sent} Sent */
/**
 * The GET stream. `hasGap`: whether messages may have been lost before it.
 * @typedef {{sent?: Sent, timer?: ReturnType<typeof setTimeout>, lastId: string, failures: number, hasGap: boolean}} Stream
 */

/** Times in milliseconds. */
export const sessionTimes = {
  reconnect: 1000,  // until a stream is opened again, if the device names no time
  longestReconnect: 30_000,  // the same after failures
  resume: 30_000,  // for the response to a call whose stream broke
  busy: 30_000,  // a request is sent again to a busy device
  end: 2000,  // for the end of a session
};

const settings = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);
const mostUnknown = 2;  // of one request: the device may be reset again
const wasReset = 'The session of the device ended; the call may have taken effect.';

/** Whether nothing of a request can have been sent: no connection, or no file with a token. @param {any} error */
const isUnsent = ({ syscall }) => ['connect', 'getaddrinfo', 'open'].includes(syscall);

/** One request without its response. */
class Request {
  /** @type {Sent | undefined} */ sent;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;
  /** @type {string | undefined} the session that it was sent in */ session;
  /** @type {number | undefined} */ retryMs;
  lastId = '';
  ended = false;
  waits = false;  // to be sent again
  unknown = 0;  // responses that say that the device does not know the session
  wasRepeated = false;
  begunAt = Date.now();
  heardAt = Date.now();

  /** @param {Message} message @param {(response: Message) => void} done */
  constructor(message, done) {
    this.message = message;
    this.done = done;
  }

  /** Returns whether it had no response yet. */
  end() {
    if (this.ended) return false;
    this.ended = true;
    clearTimeout(this.timer);
    return true;
  }
}

export class HttpSession {
  /** @type {string | undefined} */ #id;
  /** @type {string | undefined} */ #version;
  /** @type {Message | undefined} of the host */ #initialize;
  /** @type {Map<string, Message>} what the host set in the session */ #settings = new Map();
  /** @type {Map<any, Request>} */ #open = new Map();
  /** @type {Set<any>} ids of requests of the device that the host has not answered */ #asked = new Set();
  /** @type {Promise<void>} until the device has what the messages that follow need */ #gate = Promise.resolve();
  /** @type {Promise<void> | undefined} */ #beginning;
  /** @type {Stream} */ #stream = { lastId: '', failures: 0, hasGap: false };
  #unknown = 0;  // GET requests since the last stream whose session the device does not know
  #isLost = false;  // whether the device has forgotten the session
  #ids = 0;
  #closed = false;

  /**
   * @param {{endpoint: () => Endpoint, away: (endpoint: Endpoint, reason: string) => Promise<void>,
   *   message: (m: Message) => void, text: (text: string) => void}} owner `away` resolves when the device is back;
   *   `message` takes what is for the host
   */
  constructor(owner) {
    this.owner = owner;
    this.endpoint = owner.endpoint();
    this.client = new HttpClient(this.endpoint);
  }

  /** The request of the host that began it. */
  get initialize() { return this.#initialize; }

  /** A message of the host. @param {Message} m */
  send(m) {
    if (m.method === undefined) {
      if (this.#asked.delete(m.id)) void this.#deliver(m);
      return;
    }
    if (m.method === 'notifications/cancelled') return void this.#cancel(m);
    if (m.id === undefined) return void this.#notify(m);
    if (m.method === 'initialize') this.#initialize = m;
    if (settings.has(m.method)) this.#settings.set(`${m.method.replace('un', '')} ${m.params?.uri ?? ''}`, m);
    const request = new Request(m, (response) => this.owner.message(response));
    this.#open.set(m.id, request);
    if (m.method === 'initialize') {
      this.#gate = new Promise((resolve) => {
        const { done } = request;
        request.done = (response) => {
          done(response);
          resolve();
        };
      });
      return this.#post(request);
    }
    const isBegun = this.#gate.then(() => (this.#isLost ? this.#begin() : undefined));
    isBegun.then(() => this.#post(request), (error) => this.#fail(request, error.message));
  }

  /** @param {Message} m */
  #notify(m) {
    const delivered = this.#gate.then(() => this.#deliver(m));
    if (m.method !== 'notifications/initialized') return;
    this.#gate = delivered.then(() => this.#listen());
  }

  /** @param {Message} m */
  async #cancel(m) {
    const request = this.#open.get(m.params?.requestId);
    this.#open.delete(m.params?.requestId);
    request?.end();
    await this.#gate;
    await this.#deliver(m);
    request?.sent?.destroy();
  }

  /** @param {Record<string, string>} more */
  #headers(more) {
    return {
      ...more, ...(this.#version && { 'MCP-Protocol-Version': this.#version }), ...(this.#id && { 'MCP-Session-Id': this.#id }),
    };
  }

  // ---- Requests -----------------------------------------------------------------------------------------------------

  /** A request of attach. @param {Message} m @returns {Promise<Message>} */
  #ask(m) {
    return new Promise((resolve) => {
      const id = `attach:${++this.#ids}`;
      const request = new Request({ ...m, id }, resolve);
      this.#open.set(id, request);
      this.#post(request);
    });
  }

  /** @param {Request} request */
  #post(request) {
    if (request.ended || this.#closed) return;
    request.waits = false;
    const isFirst = request.message.method === 'initialize';
    if (isFirst) this.#id = this.#version = undefined;
    request.session = this.#id;
    const headers = this.#headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' });
    request.sent = this.client.request('POST', headers, JSON.stringify({ jsonrpc: '2.0', ...request.message }),
      (response) => this.#answered(request, response), (error, isReused) => this.#unsent(request, error, isReused));
  }

  /** @param {Request} request @param {Response} response */
  #answered(request, response) {
    const { statusCode = 0, headers: { 'mcp-session-id': id } } = response;
    if (statusCode === 404 && request.session !== undefined && ++request.unknown <= mostUnknown) {
      response.on('error', () => {}).resume();
      return void this.#begin(request.session).then(() => this.#post(request), (error) => this.#fail(request, error.message));
    }
    if (request.message.method === 'initialize' && typeof id === 'string') this.#id = id;
    this.#read(request, response, (body, fault) => {
      const isStream = isEventStream(response.headers['content-type']);
      if (isStream && fault === undefined) return this.#broken(request, new Error('the stream ended'));
      if (!request.waits) this.#fail(request, noMessage(response, body, fault));
    });
  }

  /** @param {Request} request @param {Response} response @param {(body: string, fault?: string) => void} end */
  #read(request, response, end) {
    const events = readMessages(response, {
      message: (m) => this.#take((m.id === undefined || m.id === null) && m.error ? { ...m, id: request.message.id } : m),
      text: this.owner.text,
      error: (error) => this.#broken(request, error),
      end,
    });
    response.on('data', () => {
      request.heardAt = Date.now();
      request.lastId = events.lastId || request.lastId;
      request.retryMs = events.retryMs;
    });
  }

  /** The request may have had no connection. @param {Request} request @param {any} error @param {boolean} isReused */
  #unsent(request, error, isReused) {
    if (request.ended || this.#closed) return;
    // A device may end an idle connection at any time. It may have read a call before.
    const isRaced = isReused && error.code === 'ECONNRESET' && request.message.method !== 'tools/call' && !request.wasRepeated;
    if (isRaced) {
      request.wasRepeated = true;
      return this.#post(request);
    }
    if (!isUnsent(error) || Date.now() - request.begunAt >= sessionTimes.busy) return this.#broken(request, error);
    this.#back(error.message).then(() => this.#post(request), (reason) => this.#fail(request, reason.message));
  }

  /** Resolves when the device can be reached again, perhaps at another address. @param {string} reason */
  async #back(reason) {
    const { endpoint } = this;
    await this.owner.away(endpoint, reason);
    if (this.endpoint !== endpoint || this.owner.endpoint() === endpoint) return;
    this.endpoint = this.owner.endpoint();
    this.client = new HttpClient(this.endpoint);
  }

  /** The stream of a request has ended before the response came. @param {Request} request @param {Error} error */
  #broken(request, error) {
    if (request.ended || request.waits || this.#closed) return;
    if (error instanceof RangeError) return this.#fail(request, error.message);
    if (request.lastId === '' || Date.now() - request.heardAt > sessionTimes.resume) {
      return this.#fail(request, `The connection to the device was lost (${error.message}); the call may have taken effect.`);
    }
    request.timer = setTimeout(() => this.#resume(request), request.retryMs ?? sessionTimes.reconnect);
  }

  /** @param {Request} request */
  #resume(request) {
    if (request.session !== this.#id) return this.#fail(request, wasReset);
    const headers = this.#headers({ Accept: 'text/event-stream', 'Last-Event-ID': request.lastId });
    request.sent = this.client.request('GET', headers, undefined, (response) => {
      if (response.statusCode === 200) return this.#read(request, response, () => this.#broken(request, new Error('the stream ended')));
      response.on('error', () => {}).resume();
      if (response.statusCode === 404) this.#renew(request.session);
      this.#fail(request, response.statusCode === 404 ? wasReset
        : `The device does not continue the response (HTTP ${response.statusCode}); the call may have taken effect.`);
    }, (error) => this.#broken(request, error));
  }

  /** @param {Request} request @param {string} reason */
  #fail(request, reason) {
    this.#end(request, { jsonrpc: '2.0', id: request.message.id, ...failure(code.internal, reason) });
  }

  /** @param {Request} request @param {Message} response */
  #end(request, response) {
    if (!request.end()) return;
    const { id } = request.message;
    if (this.#open.get(id) === request) this.#open.delete(id);
    request.done(response);
  }

  /** A message of the device. @param {Message} m */
  #take(m) {
    if (this.#closed) return;
    if (m.method !== undefined) {
      if (m.id !== undefined) this.#asked.add(m.id);
      if (m.method === 'notifications/cancelled') this.#asked.delete(m.params?.requestId);
      return this.owner.message(m);
    }
    const request = this.#open.get(m.id);
    if (!request) return;  // it was cancelled
    const wait = busyFor(m);
    if (wait !== undefined && Date.now() - request.begunAt < sessionTimes.busy) {
      request.waits = true;
      request.timer = setTimeout(() => this.#post(request), Math.min(wait, 1000) * (0.5 + Math.random()));
      return;
    }
    const version = m.result?.protocolVersion;
    if (request.message.method === 'initialize' && legacyVersions.includes(version)) this.#version = version;
    this.#end(request, m);
  }

  /** Sends what has no response. Resolves with the status, or with 0. @param {Message} m @returns {Promise<number>} */
  #deliver(m) {
    if (this.#closed) return Promise.resolve(0);
    return this.#exchange('POST', JSON.stringify({ jsonrpc: '2.0', ...m }));
  }

  /** @param {string} method @param {string} [body] @returns {Promise<number>} */
  #exchange(method, body) {
    const type = body !== undefined && { 'Content-Type': 'application/json' };
    const headers = this.#headers({ ...type, Accept: 'application/json, text/event-stream' });
    return new Promise((resolve) => {
      const send = (/** @type {boolean} */ wasRepeated) => this.client.request(method, headers, body, (response) => {
        response.on('error', () => {}).resume();
        resolve(response.statusCode ?? 0);
      }, (_error, isReused) => (isReused && !wasRepeated ? send(true) : resolve(0)));
      send(false);
    });
  }

  // ---- The session --------------------------------------------------------------------------------------------------

  /** Begins again because the device does not know the session `id`. @param {string} [id] @returns {Promise<void>} */
  #begin(id) {
    if (this.#beginning) return this.#beginning;
    if (id !== this.#id && !this.#isLost) return Promise.resolve();  // it has begun since
    this.#isLost = true;
    this.#beginning = this.#repeat().finally(() => { this.#beginning = undefined; });
    this.#gate = this.#beginning.catch(() => {});
    return this.#beginning;
  }

  /** @param {string} [id] */
  #renew(id) {
    this.#begin(id).catch((error) => this.owner.text(`attach: ${error.message}`));
  }

  async #repeat() {
    this.owner.text('attach: the device does not know the session any more; beginning another.');
    for (const requestId of this.#asked) this.owner.message({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    this.#asked.clear();
    this.#silence();
    const { error } = await this.#ask({ ...this.#initialize });
    if (error) throw new Error(`The device begins no session: ${error.message}`);
    await this.#deliver({ method: 'notifications/initialized' });
    for (const m of this.#settings.values()) await this.#ask(m);
    this.#isLost = false;
    this.#listen();
    this.#missed();
  }

  /** Resources may have changed that the host has subscribed to. */
  #missed() {
    for (const { method, params } of this.#settings.values()) {
      if (method !== 'resources/subscribe') continue;
      this.owner.message({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: params?.uri } });
    }
  }

  // ---- The GET stream -----------------------------------------------------------------------------------------------

  #silence() {
    clearTimeout(this.#stream.timer);
    this.#stream.sent?.destroy();
    this.#stream = { lastId: '', failures: 0, hasGap: false };
  }

  #listen() {
    if (this.#closed) return;
    const stream = this.#stream;
    const id = this.#id;
    /** @type {Record<string, string>} */ const resumed = stream.lastId ? { 'Last-Event-ID': stream.lastId } : {};
    stream.sent = this.client.request('GET', this.#headers({ Accept: 'text/event-stream', ...resumed }), undefined, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode === 200 && isEventStream(response.headers['content-type'])) return this.#follow(stream, response);
      response.on('error', () => {}).resume();
      if (statusCode === 404 && id !== undefined) return this.#isUnknown(stream, id);
      if (statusCode === 405) return;  // it has none
      if (stream.lastId) stream.hasGap = true;
      stream.lastId = '';
      this.#again(stream, undefined);
    }, (error) => {
      if (!isUnsent(error)) return this.#again(stream, undefined);
      this.#back(error.message).catch(() => {}).then(() => this.#again(stream, undefined));
    });
  }

  // At once, but a device that never knows its sessions is not asked without a pause.
  /** @param {Stream} stream @param {string} id */
  #isUnknown(stream, id) {
    const ms = ++this.#unknown > mostUnknown ? Math.min(sessionTimes.reconnect * 2 ** this.#unknown, sessionTimes.longestReconnect) : 0;
    stream.timer = setTimeout(() => this.#renew(id), ms);
  }

  /** @param {Stream} stream @param {Response} response */
  #follow(stream, response) {
    stream.failures = this.#unknown = 0;
    if (stream.hasGap) this.#missed();
    stream.hasGap = false;
    const again = () => {
      stream.lastId = events.lastId || stream.lastId;
      this.#again(stream, events.retryMs);
    };
    const events = readMessages(response, {
      message: (m) => this.#take(m), text: this.owner.text, end: again,
      error: () => {
        stream.hasGap = (events.lastId || stream.lastId) === '';
        again();
      },
    });
  }

  /** @param {Stream} stream @param {number | undefined} retryMs */
  #again(stream, retryMs) {
    if (this.#closed || stream !== this.#stream) return;
    const ms = (retryMs ?? sessionTimes.reconnect) * 2 ** stream.failures++;
    stream.timer = setTimeout(() => this.#listen(), Math.min(ms, sessionTimes.longestReconnect));
  }

  // ---- The end ------------------------------------------------------------------------------------------------------

  /** Cancels what runs, and ends the session at the device. */
  async end() {
    const running = [...this.#open.values()].filter(({ message }) => message.method !== 'initialize');
    const cancelled = running.map(({ message: { id } }) => (
      this.#deliver({ method: 'notifications/cancelled', params: { requestId: id } })));
    this.#closed = true;
    this.#silence();
    const all = Promise.all(cancelled).then(() => (this.#id === undefined ? 0 : this.#exchange('DELETE')));
    /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
    await Promise.race([all, new Promise((resolve) => { timer = setTimeout(resolve, sessionTimes.end); })]);
    clearTimeout(timer);
    for (const request of running) request.end(), request.sent?.destroy();
    this.client.close();
  }
}
