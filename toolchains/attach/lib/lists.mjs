// SPDX-License-Identifier: Apache-2.0
// The lists of the device, whole and in one page, because many hosts read the first page only. Each list is read once for all
// hosts. It is kept until its time to live is over, the device says that it has changed, or the device was reset.
import { numberOf } from './json.mjs';
import { code, failure, key } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */
/**
 * A list that was read. `names` are those of all rows, and `isLarge` says that there are more rows than one page may have.
 * @typedef {{ending: Ending, names: Set<any>, isLarge: boolean}} List
 */
/**
 * `until` is the end of the time to live; Infinity during the read, and while the device notifies of changes. `who` is the credential.
 * @typedef {{list: Promise<List>, until: number, isRead: boolean, who: string | undefined}} Entry
 */

/** The member of a result that has the rows, by the method of the list. */
export const memberOf = /** @type {Record<string, string>} */ ({
  'tools/list': 'tools', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates', 'prompts/list': 'prompts',
});
/** The member of a subscription filter that asks for changes, by the method of the list. */
const changeOf = /** @type {Record<string, string>} */ ({
  'tools/list': 'toolsListChanged', 'resources/list': 'resourcesListChanged', 'resources/templates/list': 'resourcesListChanged',
  'prompts/list': 'promptsListChanged',
});
const changedBy = /** @type {Record<string, string>} */ ({
  'notifications/tools/list_changed': 'toolsListChanged', 'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
});

/** Limits of a list in one page; a larger one stays in the pages of the device. A line for a host has 4 Mi characters. */
export const limits = { characters: 2 << 20, rows: 10_000, pages: 100 };

/** The time to live of a result. @param {any} result */
const ttlOf = ({ ttlMs }) => Math.max(0, numberOf(ttlMs) ?? 0);

/** The pages of one list, put together. */
export class Pages {
  /** @type {any[]} */ #rows = [];
  /** @type {any} */ #first;
  #ttlMs = Infinity;
  #size = 0;
  #count = 0;
  names = new Set();
  isLarge = false;

  /** @param {string} member of a result that has the rows */
  constructor(member) {
    this.member = member;
  }

  /** @param {any} result that has rows */
  add(result) {
    const rows = result[this.member];
    this.#first ??= result;
    this.#ttlMs = Math.min(this.#ttlMs, ttlOf(result));
    this.#count += rows.length;
    this.#size += JSON.stringify(rows).length;
    for (const row of rows) this.names.add(row?.name);
    this.isLarge ||= this.#size > limits.characters || this.#count > limits.rows;
    if (this.isLarge) this.#rows = [];
    else this.#rows.push(...rows);
  }

  result() {
    const { nextCursor, ...first } = this.#first;
    return { ...first, [this.member]: this.#rows, ...('ttlMs' in first && { ttlMs: this.#ttlMs }) };
  }
}

export class Lists {
  /** @type {Map<string, Entry>} */ #entries = new Map();
  /** @type {Set<string>} methods whose list did not fit in one page */ #large = new Set();
  /** @type {Map<string, Set<any>>} names of all rows of the last read */ #names = new Map();
  #boot = '';  // what a device of one boot says about itself

  /** @param {import('./device.mjs').Device} device */
  constructor(device) {
    this.device = device;
    device.on('news', (m) => this.#news(m));
    device.on('gap', () => this.#forget((entry) => entry.until === Infinity));
    // A device that is only out of reach has the same lists. If it notifies of changes, a change may have been missed.
    device.on('lost', () => this.#forget((entry) => entry.until === Infinity));
    device.on('boot', () => this.#forget());
    device.on('open', () => this.#opened());
  }

  #opened() {
    const { discover } = this.device;
    const boot = discover?._meta?.[key.boot] === undefined ? '' : JSON.stringify(discover);
    if (boot === '' || boot !== this.#boot) this.#forget();
    this.#boot = boot;
    void this.#entries.get('tools/list')?.list.then(({ ending }) => {
      if ('result' in ending && Array.isArray(ending.result?.tools)) this.device.learn(ending.result.tools);
    });
  }

  /** @param {(entry: Entry) => boolean} [isOld] */
  #forget(isOld = () => true) {
    for (const [method, entry] of this.#entries) if (isOld(entry)) this.#entries.delete(method);
    this.#large.clear();
  }

  /** @param {Message} m */
  #news(m) {
    const change = changedBy[m.method ?? ''];
    if (change === undefined) return;
    for (const method of Object.keys(changeOf).filter((each) => changeOf[each] === change)) {
      this.#entries.delete(method);
      this.#large.delete(method);
    }
  }

  /** Whether a list was read. @param {string} method */
  isKnown(method) { return this.#names.has(method); }

  /** Names of all rows, as they were when the list was read; none before that. @param {string} method */
  names(method) { return this.#names.get(method) ?? new Set(); }

  /** Whether a request is for a list that this class may have, in one page. @param {Message} m */
  serves({ method = '', params }) {
    const { _meta, cursor, ...others } = params ?? {};
    return Object.hasOwn(memberOf, method) && (cursor ?? undefined) === undefined && Object.keys(others).length === 0;
  }

  /** The list, or undefined if its pages have to stay those of the device. @param {string} method @returns {Promise<Ending | undefined>} */
  async get(method) {
    if (this.#large.has(method)) return undefined;
    const entry = this.#current(method) ?? this.#read(method);
    const { ending, isLarge } = await entry.list;
    if (isLarge) return undefined;
    if ('error' in ending || entry.until === Infinity || ttlOf(ending.result) === 0) return ending;
    return { result: { ...ending.result, ttlMs: Math.max(0, Math.min(ttlOf(ending.result), entry.until - Date.now())) } };
  }

  /**
   * Calls `take` with each row of a list, also of one that is larger than a page. Returns whether the device sent it.
   * @param {string} method @param {(row: any) => void} take
   */
  async each(method, take) {
    const ending = await this.get(method);
    const member = memberOf[method];
    if (!ending) return this.device.list(method, member, take);
    if ('error' in ending) return false;
    if (Array.isArray(ending.result?.[member])) ending.result[member].forEach(take);
    return true;
  }

  /** When the time to live of a list is over; Infinity if it has none. @param {string} method */
  until(method) { return this.#entries.get(method)?.until ?? Infinity; }

  /** @param {string} method */
  #current(method) {
    const entry = this.#entries.get(method);
    if (!entry || entry.until < Date.now() || entry.who !== this.device.who) return undefined;
    // Others that ask during the read wait for the same list.
    return entry.isRead && entry.until === Infinity && !this.#tells(method) ? undefined : entry;
  }

  /** Whether the device notifies of each change of a list now. @param {string} method */
  #tells(method) { return this.device.subscription.tells(changeOf[method]); }

  /** @param {string} method @returns {Entry} */
  #read(method) {
    const tells = this.#tells(method);
    /** @type {Entry} */ const entry = { list: this.#fetch(method), until: Infinity, isRead: false, who: this.device.who };
    this.#entries.set(method, entry);
    entry.list.then(({ ending, names, isLarge }) => {
      if (!('error' in ending)) this.#names.set(method, names);
      if (this.#entries.get(method) !== entry) return;  // it has changed during the read
      entry.isRead = true;
      const ttl = 'error' in ending ? 0 : ttlOf(Object(ending.result));
      if (isLarge) this.#large.add(method);
      if (ttl > 0) entry.until = Date.now() + ttl;
      else if ('error' in ending || !tells) this.#entries.delete(method);
    });
    return entry;
  }

  /** Reads all pages. Never rejects. @param {string} method @returns {Promise<List>} */
  async #fetch(method) {
    const pages = new Pages(memberOf[method]);
    const { names } = pages;
    try {
      let cursor;
      for (let page = 0; page < limits.pages; ++page) {
        const ending = await this.device.exchange(method, cursor === undefined ? {} : { cursor });
        if ('error' in ending || !Array.isArray(ending.result?.[pages.member])) return { ending, names, isLarge: false };
        pages.add(ending.result);
        cursor = ending.result.nextCursor ?? undefined;
        if (cursor === undefined) return { ending: { result: pages.result() }, names, isLarge: pages.isLarge };
      }
      return { ending: { result: {} }, names, isLarge: true };
    } catch {
      return { ending: failure(code.internal, `The response of the device to ${method} is not valid.`), names, isLarge: false };
    }
  }
}
