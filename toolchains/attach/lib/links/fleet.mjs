// SPDX-License-Identifier: Apache-2.0
// All devices whose presence matches a topic filter, as a link to one server of 2026-07-28. It keeps the lists of each device,
// so no device delays those of the others. See fleet_member.mjs for one device, and fleet_names.mjs for names and URIs.
import { EventEmitter } from 'node:events';
import { Exchange } from '../device.mjs';
import {
  labelOf, route, shownError, shownId, shownProgress, shownResult, shownUri, splitId, splitUri, visible,
} from '../fleet_names.mjs';
import { code, failed, failure, Fault, key, metaOf, modernVersion, self } from '../rpc.mjs';
import { isFilter } from '../subscription.mjs';
import { filterOf } from '../target.mjs';
import { allChanges, changeOf, Member, methodOf, within } from './fleet_member.mjs';
import { connectBroker, findMs, leave, presence, readPresence, watch, whileConnected } from './mqtt.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {import('../rpc.mjs').Ending} Ending */
/** @typedef {import('../subscription.mjs').Filter} Filter */
/** @typedef {import('./mqtt.mjs').Server} Server */
/** @typedef {{exchange: Exchange, member?: Member}} Request */

const listenMs = 1000;  // a subscription waits for a device
const gatherMs = 100;  // changes within this time are one

/**
 * Sizes. `page` and `devices` are the characters of a list for a host, whose longest line is 4 Mi characters. `total`
 * are the characters of the lists of all devices. Half of `total` has an equal share for each of `members` devices, so
 * a device that comes late has its share. The other half is for larger lists, in the order in which attach reads them.
 */
export const limits = {
  members: 1000, leftOut: 1000, pageRows: 100, page: 1 << 20, devices: 1 << 20, total: 64 << 20, topic: 1000,
};

const kindOf = new Map(Object.entries(methodOf).map(([kind, method]) => [method, kind]));

/** The resources and tasks of one device in a filter. @param {string} label @param {Filter} filter @returns {Filter} */
function partOf(label, filter) {
  /** @type {Filter} */ const part = {};
  for (const [name, split] of /** @type {const} */ ([['resourceSubscriptions', splitUri], ['taskIds', splitId]])) {
    const own = (filter[name] ?? []).flatMap((each) => {
      const [owner, rest = ''] = split(each) ?? [];
      return owner === label ? [rest] : [];
    });
    if (own.length > 0) part[name] = own;
  }
  return part;
}

/**
 * A page of a list, as JSON of each row. A cursor names a device and one of its rows, so a device that comes or goes
 * between two pages does not move the others.
 * @param {Pick<Member, 'label' | 'rows'>[]} members @param {string} kind
 * @param {string} first label of the first device @param {number} from the first row of this device
 * @returns {{page: string[], nextCursor?: string}}
 */
export function pageOf(members, kind, first, from) {
  /** @type {string[]} */ const page = [];
  let size = 0;
  const others = members.filter(({ label }) => label >= first).sort((a, b) => (a.label < b.label ? -1 : 1));
  for (const { label, rows: { [kind]: rows = [] } } of others) {
    for (let at = label === first ? from : 0; at < rows.length; ++at) {
      const { json } = rows[at];
      size += json.length;
      const isFull = page.length === limits.pageRows || (size > limits.page && page.length > 0);
      if (isFull) return { page, nextCursor: `${label}:${at}` };
      page.push(json);
    }
  }
  return { page };
}

export class FleetLink extends EventEmitter {
  canReset = false;
  #closed = false;
  /** @type {Map<string, Member>} by their labels */ #members = new Map();
  /** @type {Map<string, Server>} devices without a place, by their topics */ #leftOut = new Map();
  /** @type {Map<any, Request>} */ #requests = new Map();
  /** @type {Map<any, Filter>} */ #listens = new Map();
  /** @type {Set<string>} */ #changes = new Set();
  #shared = 0;  // characters of lists above the shares of their devices
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #gathering;
  /** @type {Promise<void>} resolves when the devices that were there are known */ #found = Promise.resolve();

  /** @param {import('./mqtt.mjs').Connection} connection @param {string} filter */
  constructor(connection, filter) {
    super();
    this.connection = connection;
    this.filter = filter;
    const { mqtt } = connection;
    mqtt.setMaxListeners(0);  // one for each device
    mqtt.on('message', (/** @type {string} */ topic, /** @type {Buffer} */ payload, /** @type {{retain: boolean}} */ { retain }) => (
      this.#heard(topic, payload, retain)));
    watch(connection, (reason) => this.lose(reason));
  }

  async listen() {
    const { connection } = this;
    await whileConnected(connection, () => connection.mqtt.subscribeAsync(`${presence}+/${this.filter}`, { qos: 1 }));
    this.#found = new Promise((resolve) => { setTimeout(resolve, findMs); });
    // Since the connection before, devices may have left.
    void this.#found.then(() => Object.keys(changeOf).forEach((kind) => this.changed(kind)));
  }

  clear() {}

  members() {
    const all = [...this.#members.values()].map((member) => member.describe());
    let size = 0;
    const some = all.filter((each) => (size += JSON.stringify(each).length) <= limits.devices);
    return some.length === all.length ? all : [...some, { more: all.length - some.length }];
  }

  /**
   * Counts a device whose lists have `after` characters, and not `before`. Returns false, and changes nothing, if the
   * lists of all devices would have too many.
   * @param {number} before @param {number} after
   */
  resize(before, after) {
    const half = limits.total / 2;
    const share = half / limits.members;
    const shared = this.#shared + Math.max(0, after - share) - Math.max(0, before - share);
    if (shared > this.#shared && shared > half) return false;
    this.#shared = shared;
    return true;
  }

  /** What hosts want of a device. @param {string} label */
  filters(label) { return [...this.#listens.values()].map((filter) => partOf(label, filter)); }

  // ---- Presence -----------------------------------------------------------------------------------------------------

  /** @param {string} topic @param {Buffer} payload @param {boolean} isKept whether it was sent before this client has subscribed */
  #heard(topic, payload, isKept) {
    // Each device keeps its topic several times, and the broker allows 64 KB.
    if (this.#closed || !topic.startsWith(presence) || topic.length > limits.topic) return;
    const server = readPresence(topic, payload);
    const member = this.#members.get(labelOf(server.id));
    const isOwn = member?.server.id === server.id;
    const isSame = isOwn && member?.server.name === server.name;
    if (payload.length === 0) {
      this.#leftOut.delete(topic);
      if (!member || !isSame) return;
      this.#remove(member, 'The device is not connected to the broker');
      for (const [place, each] of this.#leftOut) this.#admit(place, each);
    } else if (member && isSame) {
      member.server.description = server.description;
      if (!isKept) member.device.hurry();
    } else {
      if (member && isOwn) this.#remove(member, 'The device has another name');
      this.#admit(topic, server);
    }
  }

  /** Adds a device, or keeps its presence until it has a place. @param {string} topic @param {Server} server */
  #admit(topic, server) {
    const label = labelOf(server.id);
    let reason;
    if (server.id === '') reason = 'its id is empty';
    else if (this.#members.has(label)) reason = `another device has the name ${label}`;
    else if (this.#members.size >= limits.members) reason = `there are ${limits.members} devices`;
    if (reason === undefined) {
      this.#leftOut.delete(topic);
      this.#members.set(label, new Member(this, label, server));
    } else if (!this.#leftOut.has(topic) && this.#leftOut.size < limits.leftOut) {
      this.#leftOut.set(topic, server);
      this.emit('text', `${visible(server.id.slice(0, 100))}: is left out, because ${reason}`);
    }
  }

  /** @param {Member} member @param {string} what */
  #remove(member, what) {
    const reason = `${what}; the call may have taken effect.`;
    this.#members.delete(member.label);
    member.leave(reason);
    for (const request of this.#requests.values()) {
      if (request.member === member) request.exchange.end(failure(code.internal, reason));
    }
    for (const [kind, rows] of Object.entries(member.rows)) if (rows.length > 0) this.changed(kind);
  }

  // ---- To the hosts -------------------------------------------------------------------------------------------------

  /** @param {string} method @param {any} [params] */
  notify(method, params) {
    if (!this.#closed) this.emit('message', { jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** @param {any} id @param {Ending} ending */
  #reply(id, ending) {
    if (!this.#closed) this.emit('message', { jsonrpc: '2.0', id, ...ending });
  }

  /** The requests of a device are lost. @param {string} label @param {string} reason */
  left(label, reason) {
    if (!this.#closed) this.emit('left', reason, (/** @type {Message} */ m) => route(m, () => undefined)?.label === label);
  }

  /** @param {string} kind */
  changed(kind) {
    this.#changes.add(changeOf[kind]);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      for (const method of this.#changes) this.notify(method);
      this.#changes.clear();
    }, gatherMs);
  }

  // ---- Requests -----------------------------------------------------------------------------------------------------

  /** @param {Message} m */
  send(m) {
    // A notification of a host names no device.
    if (this.#closed || m.method === undefined || m.id === undefined) return;
    this.#serve(m).catch((error) => {
      if (m.method === 'subscriptions/listen') this.#listens.delete(m.id);
      this.#reply(m.id, failed(error));
    });
  }

  /** @param {Message} m */
  async #serve(m) {
    if (m.method === 'server/discover') return this.#reply(m.id, { result: this.#discover() });
    if (m.method === 'subscriptions/listen') return this.#listen(m);
    const kind = kindOf.get(m.method ?? '');
    if (kind) return this.#reply(m.id, await this.#list(kind, m.params?.cursor));
    return this.#forward(m);
  }

  // The same for each fleet, because devices come after a host has asked.
  #discover() {
    const changes = { listChanged: true };
    return {
      resultType: 'complete', supportedVersions: [modernVersion],
      capabilities: {
        tools: changes, prompts: changes, resources: { ...changes, subscribe: true }, logging: {}, completions: {},
        extensions: { [key.tasks]: {} },
      },
      instructions: 'This server has several devices. The name of a tool or prompt begins with its device, and so does the URI of a ' +
        'resource after fleet:. The tool list_devices tells which devices are connected.',
      ttlMs: 0, cacheScope: 'private', _meta: { [key.serverInfo]: { ...self, title: `Devices ${this.filter}` } },
    };
  }

  /** @param {string} kind @param {any} cursor @returns {Promise<Ending>} */
  async #list(kind, cursor) {
    const text = cursor ?? ':0';
    const [, first, from] = (typeof text === 'string' && /^([A-Za-z0-9-]*):(\d+)$/.exec(text)) || [];
    if (first === undefined) return failure(code.params, 'cursor must be that of an earlier page.');
    await this.#found;
    await Promise.all([...this.#members.values()].map(({ listed }) => listed));
    const { page, ...next } = pageOf([...this.#members.values()], kind, first, Number(from));
    const rows = page.map((json) => JSON.parse(json));
    return { result: { resultType: 'complete', [kind]: rows, ...next, ttlMs: 0, cacheScope: 'private' } };
  }

  /** The device with this label, when its lists are known. @param {string} label */
  async #member(label) {
    if (!this.#members.has(label)) await this.#found;
    await this.#members.get(label)?.listed;
    return this.#members.get(label);
  }

  /** @param {Message} m */
  async #forward(m) {
    const { label, text } = route(m, () => undefined) ?? {};
    if (text === undefined) return this.#reply(m.id, failure(code.method, 'Method not found'));
    const { progressToken, ..._meta } = metaOf(m);
    const progress = (/** @type {any} */ p) => (
      this.notify('notifications/progress', { ...shownProgress(p), progressToken }));
    const exchange = new Exchange(m.method ?? '', {}, (ending) => {
      this.#requests.delete(m.id);
      this.#reply(m.id, this.#shown(label ?? '', ending));
    }, progressToken === undefined ? undefined : progress, m.params.inputResponses !== undefined);
    /** @type {Request} */ const request = { exchange };
    this.#requests.set(m.id, request);
    const member = await this.#member(label ?? '');
    if (exchange.ended) return undefined;
    if (!member) {
      const data = m.method === 'resources/read' ? { uri: text } : undefined;
      this.#requests.delete(m.id);
      return this.#reply(m.id, failure(code.params, `No device that is connected to the broker has ${text}.`, data));
    }
    request.member = member;
    const kind = m.method === 'tools/call' ? 'tools' : 'prompts';
    exchange.params = { ...route(m, (_, shown) => member.nameOf(kind, shown))?.params, _meta };
    return member.device.ready().then(() => member.device.request(exchange),
      (error) => exchange.end(failure(code.internal, `${member.label}: ${error.message}`)));
  }

  /** @param {string} label @param {Ending} ending @returns {Ending} */
  #shown(label, ending) {
    if ('error' in ending) return { error: shownError(label, ending.error) };
    try {
      return { result: shownResult(label, ending.result) };
    } catch (error) {
      const why = error instanceof Fault ? `: ${error.message}` : '';
      return failure(code.internal, `The result of ${label} is not valid${why}.`);
    }
  }

  /** @param {Message} m */
  async #listen({ id, params }) {
    const filter = params?.notifications;
    if (this.#listens.has(id)) return this.#reply(id, failure(code.request, 'This id is in use.'));
    if (!isFilter(filter)) return this.#reply(id, failure(code.params, 'notifications must be a filter.'));
    this.#listens.set(id, filter);
    const named = [...(filter.resourceSubscriptions ?? []).map(splitUri), ...(filter.taskIds ?? []).map(splitId)];
    await Promise.all(named.map((found) => found && this.#member(found[0])));
    const all = await Promise.all([...this.#members.values()].map((member) => this.#subscribe(member, filter)));
    const honored = new Set(all.flat());
    if (!this.#listens.has(id)) return undefined;
    const notifications = Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => {
      if (!Array.isArray(value)) return value && Object.hasOwn(allChanges, name) ? [[name, value]] : [];
      const some = value.filter((each) => honored.has(each));
      return some.length > 0 ? [[name, some]] : [];
    }));
    return this.notify('notifications/subscriptions/acknowledged', { notifications, _meta: { [key.subscription]: id } });
  }

  /** What a device accepts of a filter, in the words of hosts. @param {Member} member @param {Filter} filter */
  async #subscribe({ label, device }, filter) {
    const updated = device.subscription.update();
    const part = partOf(label, filter);
    if (Object.keys(part).length === 0) return [];
    const { resourceSubscriptions = [], taskIds = [] } = await within(updated, listenMs, {});
    return [...resourceSubscriptions.map((uri) => shownUri(label, uri)), ...taskIds.map((task) => shownId(label, task))];
  }

  /** @param {any} id */
  cancel(id) {
    if (this.#listens.delete(id)) {
      for (const { device } of this.#members.values()) void device.subscription.update();
    }
    const { member, exchange } = this.#requests.get(id) ?? {};
    this.#requests.delete(id);
    if (exchange && member) member.device.abandon(exchange);
    else if (exchange) exchange.ended = true;
  }

  // ---- The end ------------------------------------------------------------------------------------------------------

  /** @param {string} reason */
  lose(reason) {
    if (this.#closed) return;
    this.close();
    setTimeout(() => this.emit('close', reason), 0);
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#gathering);
    for (const { device } of this.#members.values()) device.stop();
    leave(this.connection);
  }
}

/** @param {import('./mqtt.mjs').Target} target @returns {Promise<FleetLink>} */
export async function openFleet(target) {
  const connection = await connectBroker(target);
  const link = new FleetLink(connection, filterOf(target.url));
  try {
    await link.listen();
  } catch (error) {
    link.close();
    throw error;
  }
  return link;
}
