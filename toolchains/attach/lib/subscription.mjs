// SPDX-License-Identifier: Apache-2.0
// The one subscription of the broker at a device of 2026-07-28: the union of what all hosts want.
import { busyFor, code, envelope, key, listChanges, metaOf } from './rpc.mjs';

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

const mostBusyMs = 30_000;  // a busy device is asked again for this time
const longestTimerMs = 86_400_000;  // setTimeout takes a longer time for 1 ms
const wasReset = 'The device was reset; the call may have taken effect.';

export class Subscription {
  /** @type {Set<() => Filter[]>} */ sources = new Set();
  /** Whether the device rejects an id that is in use, which tells a reset and a lost response. */
  checksIds = false;
  /** @type {any} the error of a device that has stayed busy */ refusal;
  /** @type {any} */ #id;
  /** @type {any} */ #previous;
  #previousRuns = false;  // whether the device has accepted it
  #wanted = '';
  /** @type {Filter} */ #honored = {};
  #acknowledged = false;
  #tested = false;
  #sentAt = 0;
  #wantedAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} until a busy device is asked again */ #retry;
  #hadGap = false;  // whether the device had no subscription for a while
  #misses = 0;  // responses to a probe that say that no request has its id
  #doubted = false;  // whether the first test of ids said that the device does not compare them
  /** @type {((filter: Filter) => void)[]} */ #waiting = [];

  /** @param {import('./device.mjs').Device} device */
  constructor(device) {
    this.device = device;
  }

  /** @param {any} id */
  has(id) { return id !== undefined && (id === this.#id || id === this.#previous); }

  /**
   * What the device has accepted, once it has.
   * @param {boolean} [isRepeated] whether to subscribe again to what is subscribed: the device then sends the states of tasks
   * @returns {Promise<Filter>}
   */
  update(isRepeated = false) {
    if (this.device.era !== 'modern') return Promise.resolve({});
    const wanted = union([this.#least(), ...[...this.sources].flatMap((source) => source())]);
    const text = JSON.stringify(wanted);
    if (text === this.#wanted && !isRepeated) return this.#settled();
    this.#wanted = text;
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
    this.#previous = this.#id;
    this.#previousRuns = this.#acknowledged;
    this.#acknowledged = false;
    this.#wantedAt = Date.now();
    if (text === '{}') this.#drop();
    else this.#listen();
    return this.#settled();
  }

  // All list changes of which the device notifies: lists are kept until then. The subscription is also the probe for a reset.
  #least() {
    const capabilities = this.device.discover?.capabilities ?? {};
    const told = ['tools', 'prompts', 'resources'].filter((kind) => capabilities[kind]?.listChanged);
    return Object.fromEntries(told.map((kind) => [`${kind}ListChanged`, true]));
  }

  /** Whether probe() sends the id of the subscription. */
  get isProbe() { return this.#acknowledged && this.#id !== undefined && (!this.#tested || this.checksIds); }

  /** Whether it is known what a repeated id tells; true without a subscription. */
  get isTested() { return this.#tested || this.#id === undefined; }

  /** Whether the device notifies of these changes now. @param {string} name of a member of the filter */
  tells(name) { return this.#honored[name] === true; }

  #settled() {
    if (this.#acknowledged || this.#id === undefined) return Promise.resolve(this.#honored);
    return /** @type {Promise<Filter>} */ (new Promise((resolve) => this.#waiting.push(resolve)));
  }

  #settle() {
    for (const resolve of this.#waiting.splice(0)) resolve(this.#honored);
  }

  #listen() {
    clearTimeout(this.#retry);
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
    clearTimeout(this.#retry);
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
    this.#previous = this.#id = undefined;
    this.#honored = {};
    this.#settle();
  }

  /** @param {Message} m */
  acknowledged(m) {
    if (this.#id === undefined || metaOf(m)[key.subscription] !== this.#id) return;
    if (this.#acknowledged) return this.device.canReset ? this.#unknown() : undefined;
    this.#acknowledged = true;
    this.refusal = undefined;
    // The device may send what no server sends.
    this.#honored = honoredOf(JSON.parse(this.#wanted), Object(m.params?.notifications));
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
    this.#previous = undefined;
    // Other links report the end of a subscription. Over HTTP, the id of a stream is that of no other request.
    if (!this.#tested && this.device.canReset) this.check(this.#id);
    this.#settle();
    if (!this.#hadGap) return;
    this.#hadGap = false;
    this.device.emit('gap');
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
    if (m.id === this.#id && this.#acknowledged && m.error && this.device.canReset) {  // to a probe
      if (m.error.code === code.params) this.#unknown();
      if (m.error.code !== code.request) return true;
      this.#misses = 0;
      this.#tested = this.checksIds = true;
      if (this.#doubted) this.device.reset(wasReset);  // between the first subscription and its test
      else this.device.alive();
      return true;
    }
    if (m.id === this.#previous) {
      const isOfProbe = m.error && this.#previousRuns && this.device.canReset;
      if (!isOfProbe) this.#previous = undefined;
      return true;
    }
    if (this.#previous !== undefined) {  // perhaps the device has no place for two
      this.#replace(this.#previous);
      return true;
    }
    if (this.#isRetried(m)) return true;
    this.refusal = busyFor(m) === undefined ? undefined : m.error;
    if (!m.error || this.#acknowledged || this.refusal) {  // it ended, or there was no place for it
      this.#wanted = '';
      this.#hadGap = true;
      const ms = Math.max(busyFor(m) ?? 0, mostBusyMs);
      this.#retry = setTimeout(() => void this.update(), Math.min(ms, longestTimerMs));  // other hosts still want theirs
    }
    this.#id = undefined;
    this.#honored = {};
    this.#settle();
    return true;
  }

  /** Subscribes when the subscription before has ended. @param {any} previous */
  #replace(previous) {
    const id = this.#id;
    this.#previous = undefined;
    this.#hadGap = true;
    const ended = this.device.endRequest(previous);
    if (!ended) return this.#listen();
    ended.then(() => {
      if (this.#id === id) this.#listen();
    });
  }

  /**
   * Whether the device is asked again: it was busy, or the line was damaged. It may not know yet that the subscription before
   * has ended. It is not asked before the time that it names.
   * @param {Message} m
   */
  #isRetried(m) {
    clearTimeout(this.#retry);
    const wait = m.error?.code === code.parse ? 0 : busyFor(m);
    if (wait === undefined || Date.now() - this.#wantedAt + wait >= mostBusyMs) return false;
    this.#sentAt = Date.now();
    this.#retry = setTimeout(() => this.#listen(), Math.ceil(wait * (1 + Math.random() / 2)));
    return true;
  }

  /** Checks the id of the live subscription, which a device that was reset does not know. Returns false if that tells nothing. */
  probe() {
    if (!this.isProbe) return false;
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
    clearTimeout(this.#retry);
    this.refusal = undefined;
    this.#hadGap = false;
    this.#id = this.#previous = undefined;
    this.#wanted = '';
    this.#misses = 0;
    this.#acknowledged = this.#tested = this.checksIds = this.#doubted = false;
    this.#honored = {};
    this.#settle();
  }

  end() {
    clearTimeout(this.#retry);
    if (this.#id !== undefined) this.device.cancel(this.#id);
    if (this.#previous !== undefined) this.device.cancel(this.#previous);
  }
}
