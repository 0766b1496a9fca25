// SPDX-License-Identifier: Apache-2.0
// One device of a fleet: its lists in the words of hosts, and what it sends. It may send what no server sends, which must not
// disturb the other devices.
import { Device } from '../device.mjs';
import { shownNotification, shownRow, visible } from '../fleet_names.mjs';
import { cut, failed, key, listChanges, longestName, modernVersion } from '../rpc.mjs';
import { MqttLink } from './mqtt.mjs';

/** @typedef {import('../rpc.mjs').Message} Message */
/** @typedef {import('./fleet.mjs').FleetLink} FleetLink */
/** @typedef {import('./mqtt.mjs').Server} Server */
/**
 * A row that attach keeps. Objects would take many times the memory of their JSON.
 * @typedef {{name: string, shownName: string, json: string}} Row `name` is of the device, the others are for hosts
 */

const listMs = 2000;  // a list waits for a device that has just come
const tooOld = `it does not support ${modernVersion}, which a fleet needs`;
const longestWait = 30_000;  // before a device that cannot be used is tried again
const mostRows = 1000;  // of each list
const largestRow = 64 * 1024;  // characters
const largestList = 1 << 20;  // characters of the rows that attach keeps of each list

/** The method that lists rows of a kind. */
export const methodOf = /** @type {Record<string, string>} */ ({
  tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list', resourceTemplates: 'resources/templates/list',
});
/** The member that no two rows of a list share. */
const idOf = /** @type {Record<string, string>} */ ({
  tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate',
});
/** The notification that a list has changed, by its kind. */
export const changeOf = /** @type {Record<string, string>} */ ({
  tools: 'notifications/tools/list_changed', prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed', resourceTemplates: 'notifications/resources/list_changed',
});
/** A filter of all changes of lists. */
export const allChanges = Object.fromEntries(Object.values(listChanges).map((name) => [name, true]));

/** The result of `promise`, or `otherwise` after `ms`. @template T @param {Promise<T>} promise @param {number} ms @param {T} otherwise */
export async function within(promise, ms, otherwise) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  const late = /** @type {Promise<T>} */ (new Promise((resolve) => { timer = setTimeout(() => resolve(otherwise), ms); }));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The first characters of a string. @param {any} text @param {number} most */
const begin = (text, most) => (typeof text === 'string' ? visible(cut(text, most)) : undefined);

/** Whether hosts can read a row: one that they cannot read ends the whole list in some of them. @param {string} kind @param {any} row */
function isRow(kind, row) {
  if (typeof row?.name !== 'string' || !['string', 'undefined'].includes(typeof row.title)) return false;
  if (kind === 'tools') return row.inputSchema?.type === 'object';
  if (kind === 'resources') return typeof row.uri === 'string';
  if (kind === 'resourceTemplates') return typeof row.uriTemplate === 'string';
  const isArgument = (/** @type {any} */ each) => typeof each?.name === 'string';
  return row.arguments === undefined || (Array.isArray(row.arguments) && row.arguments.every(isArgument));
}

/** The characters of rows. @param {Row[]} rows */
const sizeOf = (rows) => rows.reduce((sum, { name, json }) => sum + name.length + json.length, 0);

/** Whether two lists have equal rows. @param {Row[]} a @param {Row[]} b */
const areEqual = (a, b) => a.length === b.length && a.every(({ json }, at) => json === b[at].json);

/** What attach uses of the response to server/discover, which may be 4 MiB. @param {any} discover */
export function usedOf({ capabilities, instructions, _meta }) {
  const used = ['tools', 'prompts', 'resources'].filter((kind) => capabilities[kind])
    .map((kind) => [kind, { listChanged: Boolean(capabilities[kind].listChanged) }]);
  const about = _meta?.[key.serverInfo];
  return {
    capabilities: Object.fromEntries(used),
    instructions: begin(instructions, 500),
    ...(about && { server: { name: begin(about.name, 100), version: begin(about.version, 100) } }),
  };
}

/** The rows of one list that attach keeps, taken one by one. */
class Rows {
  /** @type {Row[]} */ kept = [];
  #known = new Set();
  #count = 0;
  #size = 0;
  #leftOut = 0;
  #limit = '';  // the limit that ended the list

  /**
   * @param {{label: string, name: string}} device @param {string} kind
   * @param {(size: number) => boolean} fits whether the device may keep so many characters of this list
   */
  constructor(device, kind, fits) {
    this.device = device;
    this.kind = kind;
    this.fits = fits;
  }

  /** Returns false when a limit is reached. @param {any} row */
  take(row) {
    const method = methodOf[this.kind];
    if (++this.#count > mostRows) return this.#end(`only the first ${mostRows} rows of ${method} are used`);
    const shown = this.#shown(row);
    const id = shown?.[idOf[this.kind]];
    if (!shown || this.#known.has(id)) {
      ++this.#leftOut;
      return true;
    }
    const kept = { name: row.name, shownName: cut(shown.name, longestName), json: JSON.stringify(shown) };
    const size = this.#size + sizeOf([kept]);
    if (size > largestList) {
      return this.#end(`only the rows in the first ${largestList} characters of ${method} are used`);
    }
    if (!this.fits(size)) {
      // Without a number, so that the text is equal each time that the list is read, and is logged once.
      return this.#end(`only the first rows of ${method} are used, because the lists of all devices are too large`);
    }
    this.#size = size;
    this.#known.add(id);
    this.kept.push(kept);
    return true;
  }

  /** A row in the words of hosts, or undefined if it cannot be used. @param {any} row */
  #shown(row) {
    try {
      const isValid = isRow(this.kind, row) && JSON.stringify(row).length <= largestRow;
      return isValid ? shownRow(this.device, this.kind, row) : undefined;
    } catch {
      return undefined;  // it is nested too deeply
    }
  }

  /** @param {string} limit */
  #end(limit) {
    this.#limit = limit;
    return false;
  }

  /** What was wrong with the list. */
  faults() {
    const reasons = 'because they are repeated, not valid, larger than 64 KB or nested in more than 64 levels';
    return [...(this.#limit === '' ? [] : [this.#limit]),
      ...(this.#leftOut === 0 ? [] : [`${this.#leftOut} rows of ${methodOf[this.kind]} are left out, ${reasons}`])];
  }
}

/** One device of a fleet. */
export class Member {
  /** @type {Record<string, Row[]>} its lists, by their kind */ rows = {};
  /** @type {Map<string, Promise<void>>} loads of lists that have not begun */ #loads = new Map();
  /** @type {Promise<void>} the end of the last load */ #loaded = Promise.resolve();
  /** @type {Record<string, string>} what was wrong with each list */ #faults = {};
  /** @type {Record<string, number>} characters of each list that count for the limit of all devices */ #sizes = {};
  #size = 0;  // of all its lists
  #isGone = false;
  /** @type {() => void} */ #settle = () => {};

  /** @param {FleetLink} fleet @param {string} label @param {Server} server */
  constructor(fleet, label, server) {
    this.fleet = fleet;
    this.label = label;
    this.server = server;
    const settled = /** @type {Promise<void>} */ (new Promise((resolve) => { this.#settle = resolve; }));
    /** Resolves when the lists are known, or need not be waited for. */
    this.listed = within(settled, listMs, undefined);
    this.device = new Device(() => this.#open(), (text) => this.text(text), longestWait, tooOld);
    this.device.subscription.sources.add(() => [allChanges, ...fleet.filters(label)]);
    this.device.on('open', () => {
      this.#opened().catch((error) => this.text(`attach: ${failed(error).error.message}`)).finally(this.#settle);
    });
    this.device.on('lost', (reason) => fleet.left(label, reason));
    this.device.on('news', (m) => this.#news(m));
    this.device.on('away', (reason) => {
      this.text(reason);
      this.#settle();
    });
    void this.device.start();
  }

  /** @param {string} text */
  text(text) { this.fleet.emit('text', text.split('\n').map((line) => `${this.label}: ${line}`).join('\n')); }

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
    this.device.discover &&= usedOf(this.device.discover);
    await Promise.all(Object.keys(methodOf).map((kind) => this.load(kind)));
    // What it was subscribed to may have changed while it was away.
    const uris = this.fleet.filters(this.label).flatMap(({ resourceSubscriptions = [] }) => resourceSubscriptions);
    for (const uri of new Set(uris)) this.#news({ method: 'notifications/resources/updated', params: { uri } });
  }

  /**
   * Reads a list after the other loads, so at most one list of the device is in transfer. Never rejects.
   * @param {string} kind
   */
  load(kind) {
    const waiting = this.#loads.get(kind);
    if (waiting) return waiting;
    const load = this.#loaded.then(() => {
      this.#loads.delete(kind);  // a change during the load causes another load
      return this.#load(kind);
    }).catch((error) => this.text(`attach: ${kind} cannot be read: ${failed(error).error.message}`))
      .finally(() => this.#resize(kind, sizeOf(this.rows[kind] ?? [])));
    this.#loads.set(kind, load);
    this.#loaded = load;
    return load;
  }

  /** @param {string} kind */
  async #load(kind) {
    const isOffered = this.device.discover?.capabilities?.[kind === 'resourceTemplates' ? 'resources' : kind];
    const method = methodOf[kind];
    // The list before stays until the new one is whole. The larger of both counts, so a list can always be replaced.
    const fits = (/** @type {number} */ size) => size <= (this.#sizes[kind] ?? 0) || this.#resize(kind, size);
    const rows = new Rows({ label: this.label, name: this.server.name }, kind, fits);
    const isWhole = !isOffered || await this.device.list(method, kind, (row) => rows.take(row));
    if (this.#isGone) return;
    const faults = !isWhole && this.device.isOpen ? [`it did not send all rows of ${method}`] : [];
    if (isWhole || !this.rows[kind]) {
      const before = this.rows[kind] ?? [];
      this.rows[kind] = rows.kept;
      faults.push(...rows.faults());
      // A device may send list_changed without end, and each change makes the hosts read the list again.
      if (!areEqual(rows.kept, before)) this.fleet.changed(kind);
    }
    const text = faults.map((fault) => `attach: ${fault}`).join('\n');
    if (text !== '' && text !== this.#faults[kind]) this.text(text);
    this.#faults[kind] = text;
  }

  /**
   * Counts one list with `size` characters. Returns false, and changes nothing, if the device may not have so many.
   * @param {string} kind @param {number} size
   */
  #resize(kind, size) {
    const all = this.#size - (this.#sizes[kind] ?? 0) + size;
    if (this.#isGone || !this.fleet.resize(this.#size, all)) return false;
    this.#sizes[kind] = size;
    this.#size = all;
    return true;
  }

  /** The device has left the fleet. @param {string} reason */
  leave(reason) {
    this.fleet.resize(this.#size, 0);
    this.#isGone = true;
    this.device.stop(reason);
  }

  /** @param {Message} m */
  #news(m) {
    const changed = Object.keys(changeOf).filter((kind) => changeOf[kind] === m.method);
    if (changed.length > 0) return changed.forEach((kind) => void this.load(kind));
    const { _meta: { [key.subscription]: _id, ..._meta } = /** @type {any} */ ({}), ...params } = m.params ?? {};
    this.fleet.notify(m.method ?? '', { ...shownNotification(this.label, params), ...(Object.keys(_meta).length > 0 && { _meta }) });
  }

  /** What the device calls its tool or prompt with this name in the lists. @param {string} kind @param {string} shown */
  nameOf(kind, shown) { return this.rows[kind]?.find(({ shownName }) => shownName === shown)?.name; }

  describe() {
    const { label, server: { id, name, description }, device } = this;
    const { instructions, server } = device.isOpen ? device.discover : /** @type {any} */ ({});
    return {
      device: label, id: begin(id, 100), name: begin(name, 200), description: begin(description, 200), present: device.isOpen,
      ...(device.away && { reason: begin(device.away, 200) }), instructions, ...(server && { server }),
    };
  }
}
