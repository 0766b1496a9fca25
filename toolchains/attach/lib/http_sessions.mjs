// SPDX-License-Identifier: Apache-2.0
// A device without 2026-07-28 over HTTP: each host has a session of its own, and messages pass as they are.
import { HttpSession } from './links/http_session.mjs';
import { RelayPages } from './relay_pages.mjs';
import { code, failure, legacyVersions } from './rpc.mjs';
import { Session } from './session.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./host.mjs').Host} Host */
/** @typedef {import('./links/http_client.mjs').Endpoint} Endpoint */
/** `requests` of the host, by id @typedef {{session: HttpSession, requests: Map<any, Message>, pages: RelayPages}} Open */

/** It has the members of Relay. */
export class HttpSessions {
  /** @type {Map<Host, Open>} */ #sessions = new Map();
  /** @type {Set<Promise<void>>} */ #ending = new Set();
  /** @type {Endpoint | undefined} */ #endpoint;

  /** @param {import('./broker.mjs').Broker} broker */
  constructor(broker) {
    this.broker = broker;
  }

  /** @param {Host} host */
  owns(host) { return this.#sessions.has(host); }

  /** The first message of a host. @param {Host} host @param {Message} m @param {boolean} isModern */
  offer(host, m, isModern) {
    if (isModern) {
      const data = { supported: legacyVersions, requested: '2026-07-28' };
      return host.answer(m.id, failure(code.version, 'The device supports revisions with initialize only.', data));
    }
    if (m.method === 'ping') return host.answer(m.id, { result: {} });
    if (m.method !== 'initialize') return host.answer(m.id, failure(code.request, 'Send initialize first.'));
    host.clientInfo = m.params?.clientInfo;
    host.calls.delete(m.id);
    this.#begin(host);
    this.fromHost(host, m);
  }

  /** @param {Host} host @param {(message: Message) => void} [toHost] */
  #begin(host, toHost = (message) => host.send(message)) {
    const session = new HttpSession({
      endpoint: () => this.#current(),
      away: (endpoint, reason) => this.#away(endpoint, reason),
      message: (message) => {
        const answer = message.method === undefined ? this.#whole(host, message) : message;
        if (answer) toHost(answer);
      },
      text: (text) => this.broker.text(text),
    });
    const pages = new RelayPages((method, cursor) => {
      const id = `attach:${this.broker.device.newId()}`;
      session.send({ id, method, params: { cursor } });
      return id;
    });
    this.#sessions.set(host, { session, requests: new Map(), pages });
  }

  /** A response of the device; of a list with several pages, the whole list, or nothing yet. @param {Host} host @param {Message} m */
  #whole(host, m) {
    const open = this.#sessions.get(host);
    if (!open) return m;
    const answer = open.pages.take(m, open.requests.get(m.id));
    if (!answer || (answer !== m && !open.requests.has(answer.id))) return undefined;
    open.requests.delete(answer.id);
    return answer;
  }

  /** A host with a session of attach, from before the device came. @param {Host} host */
  take(host) {
    if (!host.session || this.#sessions.has(host)) return;
    const { initialize, level } = host.session;
    host.session = undefined;
    const own = new Set(['attach:begin', 'attach:level']);
    this.#begin(host, (message) => {
      if (message.method !== undefined || !own.delete(message.id)) host.send(message);
    });
    this.fromHost(host, { ...initialize, id: 'attach:begin' });
    this.fromHost(host, { jsonrpc: '2.0', method: 'notifications/initialized' });
    if (level) this.fromHost(host, { jsonrpc: '2.0', id: 'attach:level', method: 'logging/setLevel', params: { level } });
  }

  /** The device supports 2026-07-28 after all: its hosts go on with sessions of attach. */
  adopt() {
    for (const [host, { session }] of this.#sessions) {
      if (session.initialize) host.session = new Session(host, session.initialize);
      this.left(host);
    }
  }

  /** Where the device was found last. @returns {Endpoint} */
  #current() {
    const link = /** @type {any} */ (this.broker.device.link);
    this.#endpoint = link?.endpoint ?? this.#endpoint;
    return /** @type {Endpoint} */ (this.#endpoint);
  }

  /** The device cannot be reached there: it is looked for. @param {Endpoint} endpoint @param {string} reason */
  async #away(endpoint, reason) {
    const { device } = this.broker;
    const link = /** @type {any} */ (device.link);
    if (link?.endpoint === endpoint && device.isOpen) {
      const lost = new Promise((resolve) => device.once('lost', resolve));
      link.lose(reason);
      await lost;
    }
    await device.ready();
  }

  /** @param {Host} host @param {Message} m */
  fromHost(host, m) {
    const open = this.#sessions.get(host);
    if (!open) return;
    if (m.method !== undefined && m.id !== undefined) open.requests.set(m.id, m);
    if (m.method === 'notifications/cancelled') open.requests.delete(m.params?.requestId);
    open.session.send(m);
  }

  fromDevice() {}
  lost() {}
  returned() {}

  /** @param {Host} host */
  left(host) {
    const open = this.#sessions.get(host);
    if (!open) return;
    this.#sessions.delete(host);
    const ending = open.session.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Ends all sessions. */
  async close() {
    for (const host of this.#sessions.keys()) this.left(host);
    await Promise.all(this.#ending);
  }
}
