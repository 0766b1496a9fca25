// SPDX-License-Identifier: Apache-2.0
// All devices whose presence matches a topic filter, as a link to one server of 2026-07-28. It keeps the lists of each device,
// so no device delays those of the others. See fleet_names.mjs for names and URIs.
import { EventEmitter } from 'node:events';
import { Device, Exchange } from '../device.mjs';
import {
  labelOf, route, shownError, shownId, shownNotification, shownResult, shownRow, shownUri, splitId, splitUri,
} from '../fleet_names.mjs';
import { code, failure, key, listChanges, metaOf, modernVersion, self } from '../rpc.mjs';
import { isFilter } from '../subscription.mjs';
import { filterOf } from '../target.mjs';
import { connectBroker, findMs, leave, MqttLink, presence, readPresence, watch } from './mqtt.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {import('../rpc.mjs').Ending} Ending */
/** @typedef {import('../subscription.mjs').Filter} Filter */
/** @typedef {import('./mqtt.mjs').Server} Server */
/** @typedef {{exchange: Exchange, member?: Member}} Request */

const listMs = 2000;  // a list waits for a device that has just come
const listenMs = 1000;  // a subscription waits for a device
const gatherMs = 100;  // changes within this time are one
const pageRows = 100;
const mostDevices = 1000;

const kinds = /** @type {Record<string, string>} */ ({
  'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates',
});
/** The notification that a list has changed, by its kind. */
const changeOf = /** @type {Record<string, string>} */ ({
  tools: 'notifications/tools/list_changed', prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed', resourceTemplates: 'notifications/resources/list_changed',
});
const allChanges = Object.fromEntries(Object.values(listChanges).map((name) => [name, true]));

/** The result of `promise`, or `otherwise` after `ms`. @template T @param {Promise<T>} promise @param {number} ms @param {T} otherwise */
async function within(promise, ms, otherwise) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  const late = /** @type {Promise<T>} */ (new Promise((resolve) => { timer = setTimeout(() => resolve(otherwise), ms); }));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

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

/** One device of a fleet. */
class Member {
  /** @type {Record<string, {name: string, shown: any}[]>} its lists, by their kind */ rows = {};
  /** @type {Record<string, object>} the last load of each list */ #loads = {};
  /** @type {string | undefined} */ #away;
  /** @type {() => void} */ #settle = () => {};

  /** @param {FleetLink} fleet @param {string} label @param {Server} server */
  constructor(fleet, label, server) {
    this.fleet = fleet;
    this.label = label;
    this.server = server;
    const settled = /** @type {Promise<void>} */ (new Promise((resolve) => { this.#settle = resolve; }));
    /** Resolves when the lists are known, or need not be waited for. */
    this.listed = within(settled, listMs, undefined);
    this.device = new Device(() => this.#open(), (text) => this.text(text));
    this.device.subscription.sources.add(() => [allChanges, ...fleet.filters(label)]);
    this.device.on('open', () => void this.#opened());
    this.device.on('lost', (reason) => fleet.left(label, reason));
    this.device.on('news', (m) => this.#news(m));
    this.device.on('away', (reason) => {
      if (reason !== this.#away) this.text(reason);
      this.#away = reason;
      this.#settle();
    });
    void this.device.start();
  }

  /** @param {string} text */
  text(text) { this.fleet.emit('text', `${this.label}: ${text}`); }

  async #open() {
    const link = new MqttLink(this.fleet.connection, this.server, true);
    try {
      await link.listen();
    } catch (error) {
      link.close();
      throw error;
    }
    return link;
  }

  async #opened() {
    if (this.device.era === 'legacy') {
      this.device.stop();
      this.device.away = `it does not support ${modernVersion}, which a fleet needs`;
      this.text(this.device.away);
    } else {
      this.#away = undefined;
      await Promise.all(Object.keys(changeOf).map((kind) => this.load(kind)));
      // What it was subscribed to may have changed while it was away.
      const uris = this.fleet.filters(this.label).flatMap(({ resourceSubscriptions = [] }) => resourceSubscriptions);
      for (const uri of new Set(uris)) this.#news({ method: 'notifications/resources/updated', params: { uri } });
    }
    this.#settle();
  }

  /** @param {string} kind */
  async load(kind) {
    const load = this.#loads[kind] = {};
    const isOffered = this.device.discover?.capabilities?.[kind === 'resourceTemplates' ? 'resources' : kind];
    const method = Object.keys(kinds).find((each) => kinds[each] === kind) ?? '';
    const rows = isOffered ? await this.device.list(method, kind) : [];
    if (this.#loads[kind] !== load) return;
    this.rows[kind] = rows.filter((row) => typeof row?.name === 'string').map((row) => (
      { name: row.name, shown: shownRow({ label: this.label, name: this.server.name }, kind, row) }));
    this.fleet.changed(kind);
  }

  /** @param {Message} m */
  #news(m) {
    const changed = Object.keys(changeOf).filter((kind) => changeOf[kind] === m.method);
    if (changed.length > 0) return changed.forEach((kind) => void this.load(kind));
    const { _meta: { [key.subscription]: _id, ..._meta } = /** @type {any} */ ({}), ...params } = m.params ?? {};
    this.fleet.notify(m.method ?? '', { ...shownNotification(this.label, params), ...(Object.keys(_meta).length > 0 && { _meta }) });
  }

  /** What the device calls its tool or prompt with this name in the lists. @param {string} kind @param {string} shown */
  nameOf(kind, shown) { return this.rows[kind]?.find((row) => row.shown.name === shown)?.name; }

  describe() {
    const { label, server: { id, name, description }, device } = this;
    const { instructions, _meta } = device.isOpen ? device.discover : /** @type {any} */ ({});
    return {
      device: label, id, name, ...(description && { description }), present: device.isOpen, ...(device.away && { reason: device.away }),
      server: _meta?.[key.serverInfo], ...(instructions && { instructions }),
    };
  }
}

export class FleetLink extends EventEmitter {
  canReset = false;
  #closed = false;
  /** @type {Map<string, Member>} by their labels */ #members = new Map();
  /** @type {Map<any, Request>} */ #requests = new Map();
  /** @type {Map<any, Filter>} */ #listens = new Map();
  /** @type {Set<string>} */ #changes = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #gathering;
  /** @type {Promise<void>} resolves when the devices that were there are known */ #found = Promise.resolve();

  /** @param {import('./mqtt.mjs').Connection} connection @param {string} filter */
  constructor(connection, filter) {
    super();
    this.connection = connection;
    this.filter = filter;
    const { mqtt } = connection;
    mqtt.setMaxListeners(0);  // one for each device
    mqtt.on('message', (/** @type {string} */ topic, /** @type {Buffer} */ payload) => this.#heard(topic, payload));
    watch(connection, (reason) => this.lose(reason));
  }

  async listen() {
    await this.connection.mqtt.subscribeAsync(`${presence}+/${this.filter}`, { qos: 1 });
    this.#found = new Promise((resolve) => { setTimeout(resolve, findMs); });
    // Since the connection before, devices may have left.
    void this.#found.then(() => Object.keys(changeOf).forEach((kind) => this.changed(kind)));
  }

  clear() {}

  members() { return [...this.#members.values()].map((member) => member.describe()); }

  /** What hosts want of a device. @param {string} label */
  filters(label) { return [...this.#listens.values()].map((filter) => partOf(label, filter)); }

  // ---- Presence -----------------------------------------------------------------------------------------------------

  /** @param {string} topic @param {Buffer} payload */
  #heard(topic, payload) {
    if (this.#closed || !topic.startsWith(presence)) return;
    const server = readPresence(topic, payload);
    const label = labelOf(server.id);
    const member = this.#members.get(label);
    const isSame = member?.server.id === server.id && member.server.name === server.name;
    if (payload.length === 0) {
      if (isSame) this.#remove(member, 'The device is not connected to the broker');
    } else if (isSame) {
      member.server.description = server.description;
    } else if (server.id === '' || (member && member.server.id !== server.id) || this.#members.size >= mostDevices) {
      this.emit('text', `${server.id}: is left out, because its id is not valid or there are too many devices`);
    } else {
      if (member) this.#remove(member, 'The device has another name');
      this.#members.set(label, new Member(this, label, server));
    }
  }

  /** @param {Member} member @param {string} what */
  #remove(member, what) {
    const reason = `${what}; the call may have taken effect.`;
    this.#members.delete(member.label);
    member.device.stop(reason);
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
    this.#serve(m).catch((error) => this.#reply(m.id, failure(code.internal, error.message)));
  }

  /** @param {Message} m */
  async #serve(m) {
    if (m.method === 'server/discover') return this.#reply(m.id, { result: this.#discover() });
    if (m.method === 'subscriptions/listen') return this.#listen(m);
    const kind = kinds[m.method ?? ''];
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
    const [, first, from] = /^([A-Za-z0-9-]*):(\d+)$/.exec(cursor ?? ':0') ?? [];
    if (first === undefined) return failure(code.params, 'cursor must be that of an earlier page.');
    await this.#found;
    await Promise.all([...this.#members.values()].map(({ listed }) => listed));
    // A cursor names a device and one of its rows, so a device that comes or goes between two pages does not move the others.
    const all = [...this.#members.values()].filter(({ label }) => label >= first).sort((a, b) => (a.label < b.label ? -1 : 1))
      .flatMap(({ label, rows }) => (rows[kind] ?? []).map(({ shown }, at) => ({ label, at, shown })))
      .filter(({ label, at }) => label !== first || at >= Number(from));
    const next = all[pageRows];
    return { result: {
      resultType: 'complete', [kind]: all.slice(0, pageRows).map(({ shown }) => shown),
      ...(next && { nextCursor: `${next.label}:${next.at}` }), ttlMs: 0, cacheScope: 'private',
    } };
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
    const progress = (/** @type {any} */ p) => this.notify('notifications/progress', { ...p, progressToken });
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
      return failure(code.internal, `The result of ${label} is not valid: ${/** @type {Error} */ (error).message}`);
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
