// SPDX-License-Identifier: Apache-2.0
// Boards that announce the service _mcp._tcp by mDNS, with `path`, `proto` and `auth` (ports/lwip/README.md).
// An announcement is a hint: each device in the network can send one.
import { createRequire } from 'node:module';
import { networkInterfaces } from 'node:os';
import { plaintextError } from './open_link.mjs';

const makeMdns = createRequire(import.meta.url)('multicast-dns');

/**
 * `address` is the IPv4 address of the host in `url`. `name` is the display name of the service.
 * @typedef {{url: string, name: string, version?: string, txt: Record<string, string>, address?: string}} Announced
 * @typedef {{port: number, target: string}} Service
 */

export const serviceType = '_mcp._tcp';
const repeatMs = 1000;  // RFC 6762 section 5.2
const mostRecords = 1000;  // of all responses; further ones are ignored

/** The entries of a TXT record. @param {any} data @returns {Record<string, string>} */
function entriesOf(data) {
  /** @type {Record<string, string>} */
  const entries = Object.create(null);
  for (const part of Array.isArray(data) ? data : [data]) {
    const [key, ...value] = String(part).split('=');
    // RFC 6763 section 6.4: keys have no case, and the first one counts.
    if (key !== '' && !(key.toLowerCase() in entries)) entries[key.toLowerCase()] = value.join('=');
  }
  return { ...entries };
}

/** The records that came so far. */
class Records {
  #count = 0;
  /** @type {Set<string>} */
  instances = new Set();
  /** @type {Map<string, Service>} */
  services = new Map();
  /** @type {Map<string, Record<string, string>>} */
  texts = new Map();
  /** @type {Map<string, string>} */
  addresses = new Map();

  /** @param {string} type such as _mcp._tcp.local */
  constructor(type) {
    this.type = type;
  }

  /** @param {any} packet */
  add({ answers = [], additionals = [] }) {
    for (const { type, name, data, ttl } of [...answers, ...additionals]) {
      if (++this.#count > mostRecords) return;
      const key = String(name).toLowerCase();
      if (type === 'PTR' && key === this.type && ttl === 0) this.instances.delete(data);  // it says goodbye
      else if (type === 'PTR' && key === this.type) this.instances.add(data);
      else if (type === 'SRV') this.services.set(key, data);
      else if (type === 'TXT') this.texts.set(key, entriesOf(data));
      else if (type === 'A') this.addresses.set(key, data);
    }
  }

  /** What is missing to know the URL of each instance, as queries. */
  missing() {
    /** @type {{name: string, type: 'SRV' | 'TXT' | 'A'}[]} */
    const queries = [];
    for (const instance of this.instances) {
      const service = this.services.get(instance.toLowerCase());
      if (!service) queries.push({ name: instance, type: 'SRV' });
      if (!this.texts.has(instance.toLowerCase())) queries.push({ name: instance, type: 'TXT' });
      const host = service?.target.toLowerCase();
      if (host && !this.addresses.has(host)) queries.push({ name: host, type: 'A' });
    }
    return queries;
  }

  /** @returns {Announced[]} */
  boards() {
    const boards = [];
    for (const instance of this.instances) {
      const service = this.services.get(instance.toLowerCase());
      const txt = this.texts.get(instance.toLowerCase());
      if (!service || !txt) continue;
      const url = urlOf(service, txt);
      const address = this.addresses.get(service.target.toLowerCase());
      const name = instance.slice(0, -this.type.length - 1);
      if (!url) continue;
      boards.push({ url, name, ...(txt.version && { version: txt.version }), txt, ...(address && { address }) });
    }
    return boards.sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}

/** @param {Service} service @param {Record<string, string>} txt */
function urlOf({ port, target }, { proto = 'http', path = '/mcp' }) {
  const host = target.replace(/\.$/, '');
  // Each device in the network can announce anything, so each part is checked.
  if (!/^https?$/.test(proto) || !/^[a-z0-9.-]+$/i.test(host) || !/^\/[\x21-\x7e]*$/.test(path)) return undefined;
  const usual = proto === 'https' ? 443 : 80;
  return `${proto}://${host}${port === usual ? '' : `:${port}`}${path}`;
}

/** Options of multicast-dns for each network of this machine. By default, it would ask in one of them only. */
function everyNetwork() {
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? []);
  return addresses.length > 0 ? addresses.map((address) => ({ interface: address, bind: '0.0.0.0' })) : [{}];
}

/**
 * Lists the boards that answer within `ms`. It ends early when `isEnough` returns true. `mdns` has the options of
 * multicast-dns for each socket, such as `interface`.
 * @param {{ms?: number, type?: string, isEnough?: (boards: Announced[]) => boolean, mdns?: any[]}} [options]
 * @returns {Promise<Announced[]>}
 */
export function browse({ ms = 2000, type = serviceType, isEnough = () => false, mdns: options = everyNetwork() } = {}) {
  const full = `${type}.local`;
  const records = new Records(full.toLowerCase());
  const sockets = options.map(makeMdns);
  return new Promise((resolve, reject) => {
    const query = (/** @type {any[]} */ questions) => sockets.forEach((mdns) => mdns.query(questions));
    const ask = () => query([{ name: full, type: 'PTR' }, ...records.missing()]);
    const end = (/** @type {Error | undefined} */ error) => {
      clearTimeout(timer);
      clearInterval(repeat);
      for (const mdns of sockets) mdns.destroy();
      if (error) reject(new Error(`Cannot use mDNS: ${error.message}`));
      else resolve(records.boards());
    };
    const timer = setTimeout(end, ms);
    const repeat = setInterval(ask, repeatMs);
    let asked = '';
    const take = (/** @type {any} */ packet) => {
      records.add(packet);
      const missing = records.missing();
      if (missing.length === 0 && isEnough(records.boards())) return end(undefined);
      const key = JSON.stringify(missing);
      if (missing.length > 0 && key !== asked) query(missing);
      asked = key;
    };
    for (const mdns of sockets) mdns.on('error', end).on('response', take);
    ask();
  });
}

/**
 * Finds one board by the display name or by the host name, and only by the host name if `name` ends with .local. With `secure`,
 * it takes https only. Errors: a sentence that lists the boards that answered.
 * @param {string} name @param {{ms?: number, secure?: boolean, type?: string, mdns?: any[]}} [options] @returns {Promise<Announced>}
 */
export async function resolveMdns(name, { ms = 5000, secure = false, ...options } = {}) {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  /** @param {Announced} board */
  const isNamed = (board) => {
    const host = new URL(board.url).hostname.toLowerCase();
    if (host === wanted) return true;
    return !wanted.endsWith('.local') && [board.name.toLowerCase(), host.replace(/\.local$/, '')].includes(wanted);
  };
  /** @param {Announced} board */
  const isWanted = (board) => isNamed(board) && (!secure || board.url.startsWith('https://'));
  const boards = await browse({ ms, ...options, isEnough: (found) => found.some(isWanted) });
  const found = boards.filter(isWanted);
  if (found.length === 1) return found[0];
  const list = boards.map((board) => `${board.name} (${board.url})`).join('; ');
  if (found.length > 1) throw new Error(`Several boards have the name ${name}: ${list}.`);
  const open = boards.find(isNamed);
  if (open) throw new Error(plaintextError(name, open.url));
  const others = list ? `There is: ${list}.` : 'No board answered.';
  throw new Error(`No board ${name} answered by mDNS within ${ms} ms. ${others}`);
}
