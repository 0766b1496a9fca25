// SPDX-License-Identifier: Apache-2.0
// A device without 2026-07-28 has one session, so it serves one host at a time. Messages pass as they are.
import { RelayPages } from './relay_pages.mjs';
import { code, failed, failure, legacyVersions, logLevels } from './rpc.mjs';
import { Session } from './session.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./host.mjs').Host} Host */

// What the host set in its session, which a device that was reset has forgotten.
const settings = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

export class Relay {
  /** @type {Host | undefined} */ #owner;
  /** @type {Map<any, Message>} requests of the host */ #open = new Map();
  /** @type {Message | undefined} */ #initialize;
  /** @type {Map<string, Message>} */ #settings = new Map();
  /** @type {Set<any>} ids of requests that this relay repeats */ #own = new Set();
  #pages = new RelayPages((method, cursor) => {
    const id = `attach:${this.broker.device.newId()}`;
    this.broker.device.send({ id, method, params: { cursor } });
    return id;
  });

  /** @param {import('./broker.mjs').Broker} broker */
  constructor(broker) {
    this.broker = broker;
  }

  /** @param {Host} host */
  owns(host) { return this.#owner === host; }

  /** The first message of a host. @param {Host} host @param {Message} m @param {boolean} isModern */
  offer(host, m, isModern) {
    if (isModern) {
      const data = { supported: legacyVersions, requested: '2026-07-28' };
      return host.answer(m.id, failure(code.version, 'The device supports revisions with initialize only.', data));
    }
    if (m.method === 'ping') return host.answer(m.id, { result: {} });
    if (m.method !== 'initialize') return host.answer(m.id, failure(code.request, 'Send initialize first.'));
    if (this.#owner) {
      const name = this.#owner.clientInfo?.name ?? 'another host';
      return host.answer(m.id, failure(code.internal, `The device serves one host at a time, and ${name} uses it.`));
    }
    this.#owner = host;
    host.clientInfo = m.params?.clientInfo;
    host.calls.delete(m.id);
    this.#initialize = m;
    this.fromHost(host, m);
  }

  /** @param {Host} host @param {Message} m */
  fromHost(host, m) {
    if (m.method !== undefined && m.id !== undefined) {
      const { device } = this.broker;
      if (!device.isOpen) {
        device.ready().then(() => this.fromHost(host, m), (error) => host.send({ id: m.id, ...failed(error) }));
        return;
      }
      this.#open.set(m.id, m);
      if (settings.has(m.method)) this.#settings.set(`${m.method.replace('un', '')} ${m.params?.uri ?? ''}`, m);
    }
    if (m.method === 'notifications/cancelled') this.#open.delete(m.params?.requestId);
    this.broker.device.send(m);
  }

  /** @param {Message} m */
  fromDevice(m) {
    if (m.method === undefined) {
      if (this.#own.delete(m.id)) return;
      const answer = this.#pages.take(m, this.#open.get(m.id));
      if (!answer || (answer !== m && !this.#open.has(answer.id))) return;
      this.#open.delete(answer.id);
      this.#owner?.send(answer);
    } else {
      this.#owner?.send(m);
    }
  }

  /** @param {string} reason */
  lost(reason) {
    for (const id of this.#open.keys()) this.#owner?.send({ id, ...failure(code.internal, reason) });
    this.#open.clear();
    this.#pages.clear();
  }

  /** The device is back: repeats what made the session. */
  returned() {
    if (!this.#owner || !this.#initialize) return;
    for (const m of [this.#initialize, { method: 'notifications/initialized' }, ...this.#settings.values()]) {
      const id = m.id === undefined ? undefined : `attach:${this.broker.device.newId()}`;
      if (id !== undefined) this.#own.add(id);
      this.broker.device.send({ ...m, ...(id !== undefined && { id }) });
    }
  }

  /** A host with a session of attach, from before the device came. @param {Host} host */
  take(host) {
    if (this.#owner || !host.session) return;
    this.#owner = host;
    const { initialize, level } = host.session;
    this.#initialize = initialize;
    if (level) this.#settings.set('logging/setLevel ', { id: 0, method: 'logging/setLevel', params: { level } });
    host.session = undefined;
    this.returned();
  }

  /** The device supports 2026-07-28 after all: its host goes on with a session of attach. */
  adopt() {
    const host = this.#owner;
    if (!host || !this.#initialize) return;
    const session = new Session(host, this.#initialize);
    for (const { method, params } of this.#settings.values()) {
      if (method === 'logging/setLevel' && logLevels.includes(params?.level)) session.level = params.level;
      if (method === 'resources/subscribe' && typeof params?.uri === 'string') session.uris.add(params.uri);
    }
    host.session = session;
    this.#owner = this.#initialize = undefined;
    this.#open.clear();
    this.#settings.clear();
  }

  /** @param {Host} host */
  left(host) {
    if (this.#owner !== host) return;
    for (const requestId of this.#open.keys()) {
      this.broker.device.send({ method: 'notifications/cancelled', params: { requestId } });
    }
    this.#owner = this.#initialize = undefined;
    this.broker.text(`attach: ${host.clientInfo?.name ?? 'the host'} has left; the device is free.`);
    this.#open.clear();
    this.#pages.clear();
    this.#settings.clear();
  }

  /** Nothing is left to be ended at the device. */
  async close() {}
}
