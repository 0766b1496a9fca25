// SPDX-License-Identifier: Apache-2.0
// The one subscription of the broker at a device of 2026-07-28: the union of what all hosts want.
import { code, envelope, key, listChanges, metaOf } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {{toolsListChanged?: boolean, promptsListChanged?: boolean, resourcesListChanged?: boolean,
 *   resourceSubscriptions?: string[], taskIds?: string[], [other: string]: any}} Filter */

/** @param {Filter[]} filters @returns {Filter} */
export function union(filters) {
  /** @type {Map<string, any>} names come from hosts: `__proto__` is a name, too */ const all = new Map();
  for (const [name, value] of filters.flatMap((filter) => Object.entries(filter))) {
    const before = all.get(name);
    if (Array.isArray(value)) all.set(name, [...new Set([...(Array.isArray(before) ? before : []), ...value])].sort());
    else if (value) all.set(name, before ?? value);
  }
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const lists = new Set(['resourceSubscriptions', 'taskIds']);

/** Whether the members have their types. A filter that the device rejects would end the subscription of all hosts. @param {any} filter */
export function isFilter(filter) {
  const isKnown = (/** @type {string} */ name) => lists.has(name) || Object.values(listChanges).includes(name);
  return typeof filter === 'object' && filter !== null && !Array.isArray(filter) && Object.entries(filter).every(([name, value]) => {
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    return isKnown(name) ? lists.has(name) === isList && (isList || typeof value === 'boolean') : isList || typeof value === 'boolean';
  });
}

/**
 * What a device has accepted of a filter. It may accept what was not in it.
 * @param {Filter} wanted @param {any} accepted @returns {Filter}
 */
export function honoredOf(wanted, accepted) {
  return Object.fromEntries(Object.entries(wanted).flatMap(([name, value]) => {
    const own = Object.hasOwn(accepted, name) ? accepted[name] : undefined;
    if (!isFilter({ [name]: own }) || Array.isArray(own) !== Array.isArray(value)) return [];
    if (!Array.isArray(own)) return [[name, own]];
    const all = new Set(own);
    return [[name, value.filter((/** @type {string} */ each) => all.has(each))]];
  }));
}

/** Whether a notification of the device belongs to a filter. @param {Message} m @param {Filter} filter */
export function matches(m, filter) {
  if (m.method === 'notifications/resources/updated') return filter.resourceSubscriptions?.includes(m.params?.uri) ?? false;
  if (m.method === 'notifications/tasks') return filter.taskIds?.includes(m.params?.taskId) ?? false;
  const member = Object.hasOwn(listChanges, m.method ?? '') && listChanges[m.method ?? ''];
  return member ? filter[member] === true : false;
}

const wasReset = 'The device was reset; the call may have taken effect.';

export class Subscription {
  /** @type {Set<() => Filter[]>} */ sources = new Set();
  /** Whether the device rejects an id that is in use, which tells a reset and a lost response. */
  checksIds = false;
  /** @type {any} */ #id;
  /** @type {any} */ #previous;
  #wanted = '';
  /** @type {Filter} */ #honored = {};
  #acknowledged = false;
  #tested = false;
  #sentAt = 0;
  #misses = 0;  // responses to a probe that say that no request has its id
  #doubted = false;  // whether the first test of ids said that the device does not compare them
  /** @type {((filter: Filter) => void)[]} */ #waiting = [];

  /** @param {import('./device.mjs').Device} device */
  constructor(device) {
    this.device = device;
  }

  /** @param {any} id */
  has(id) { return id !== undefined && (id === this.#id || id === this.#previous); }

  /** What the device has accepted, once it has. @returns {Promise<Filter>} */
  update() {
    if (this.device.era !== 'modern') return Promise.resolve({});
    const wanted = union([this.#least(), ...[...this.sources].flatMap((source) => source())]);
    const text = JSON.stringify(wanted);
    if (text === this.#wanted) return this.#settled();
    this.#wanted = text;
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
    this.#previous = this.#id;
    this.#acknowledged = false;
    if (text === '{}') this.#drop();
    else this.#listen();
    return this.#settled();
  }

  // One notification at least, because the subscription is the probe for a reset.
  #least() {
    const { tools, prompts, resources } = this.device.discover?.capabilities ?? {};
    if (tools?.listChanged) return { toolsListChanged: true };
    if (prompts?.listChanged) return { promptsListChanged: true };
    return resources?.listChanged ? { resourcesListChanged: true } : {};
  }

  #settled() {
    if (this.#acknowledged || this.#id === undefined) return Promise.resolve(this.#honored);
    return /** @type {Promise<Filter>} */ (new Promise((resolve) => this.#waiting.push(resolve)));
  }

  #settle() {
    for (const resolve of this.#waiting.splice(0)) resolve(this.#honored);
  }

  #listen() {
    this.#id = `listen:${this.device.newId()}`;
    this.#sentAt = Date.now();
    const notifications = JSON.parse(this.#wanted);
    const capabilities = notifications.taskIds ? { extensions: { [key.tasks]: {} } } : {};
    this.device.send({ id: this.#id, method: 'subscriptions/listen', params: { notifications, _meta: envelope(capabilities) } });
  }

  /** Subscribes again if the device has not answered for `ms`: the request or its response was lost. @param {number} ms */
  renew(ms) {
    if (this.#id === undefined || this.#acknowledged || Date.now() - this.#sentAt < ms) return;
    this.device.cancel(this.#id);
    this.#listen();
  }

  #drop() {
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
    this.#previous = this.#id = undefined;
    this.#honored = {};
    this.#settle();
  }

  /** @param {Message} m */
  acknowledged(m) {
    if (this.#id === undefined || metaOf(m)[key.subscription] !== this.#id) return;
    if (this.#acknowledged) return this.#unknown();
    this.#acknowledged = true;
    // The device may send what no server sends.
    this.#honored = honoredOf(JSON.parse(this.#wanted), Object(m.params?.notifications));
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
    this.#previous = undefined;
    if (!this.#tested) this.check(this.#id);
    this.#settle();
  }

  // No request of the device has the id of a probe: it has forgotten the subscription, or it never compares ids. A damaged
  // probe may have the same response; not twice. The test of a second subscription tells which.
  #unknown() {
    if (++this.#misses < 2) return this.check(this.#id);
    if (this.checksIds) return this.device.reset(wasReset);
    this.device.alive();
    this.#misses = 0;
    if (this.#doubted) {
      this.#tested = true;
      return;
    }
    this.#doubted = true;
    this.#acknowledged = false;
    this.device.cancel(this.#id);
    this.#listen();
  }

  /** The response to a listen request. Returns whether it was one. @param {Message} m */
  take(m) {
    if (!this.has(m.id)) return false;
    if (m.id === this.#id && this.#acknowledged && m.error) {  // to a probe
      if (m.error.code === code.params) this.#unknown();
      if (m.error.code !== code.request) return true;
      this.#misses = 0;
      this.#tested = this.checksIds = true;
      if (this.#doubted) this.device.reset(wasReset);  // between the first subscription and its test
      else this.device.alive();
      return true;
    }
    if (m.id === this.#previous) {
      this.#previous = undefined;
      return true;
    }
    if (this.#previous !== undefined) {  // perhaps the device has no place for two
      this.device.cancel(this.#previous);
      this.#previous = undefined;
      this.#listen();
      return true;
    }
    this.#id = undefined;
    this.#honored = {};
    if (!m.error) this.#wanted = '';  // the device ended it
    this.#settle();
    return true;
  }

  /** Checks the id of the live subscription, which a device that was reset does not know. Returns false if that tells nothing. */
  probe() {
    if (!this.#acknowledged || this.#id === undefined || (this.#tested && !this.checksIds)) return false;
    this.check(this.#id);
    return true;
  }

  /**
   * Asks whether the device runs a request with this id: a listen request without a filter is rejected as a repeated id or
   * for its parameters, and leaves nothing behind if its response is lost.
   * @param {any} id
   */
  check(id) { this.device.send({ id, method: 'subscriptions/listen', params: { _meta: envelope() } }); }

  lose() {
    this.#id = this.#previous = undefined;
    this.#wanted = '';
    this.#misses = 0;
    this.#acknowledged = this.#tested = this.checksIds = this.#doubted = false;
    this.#honored = {};
    this.#settle();
  }

  end() {
    if (this.#id !== undefined) this.device.cancel(this.#id);
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
  }
}
