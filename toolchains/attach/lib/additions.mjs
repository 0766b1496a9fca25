// SPDX-License-Identifier: Apache-2.0
// Tools that attach adds to those of the device, for what hosts do not do themselves.
import { discoverOf, ownTools } from './absent.mjs';
import { Exchange, times } from './device.mjs';
import { numberOf, stringify, textOf } from './json.mjs';
import { code, failure, longestName, modernVersion } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */

const longestWait = 600;  // seconds
const mostFirst = 8;  // added tools before those of the device; hosts that show the first tools only still have some of the device
const longestUri = 1000;  // of a resource with a tool
const mostReaders = 1 << 20;  // characters of all tools that read resources; a line for a host has 4 Mi

/** @param {string} text @param {boolean} [isError] @returns {Ending} */
const answer = (text, isError) => ({
  result: { resultType: 'complete', content: [{ type: 'text', text }], ...(isError && { isError }) },
});

/** @param {any} properties @param {string[]} [required] */
const schema = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });

const fixed = [
  {
    name: 'wait_for_change', title: 'Wait for a change',
    description: 'Waits until the resource of the device changes, and returns its contents.',
    inputSchema: schema({
      uri: { type: 'string', description: 'URI of a resource that can be subscribed to.' },
      seconds: { type: 'number', minimum: 0, maximum: longestWait, default: 60 },
    }, ['uri']),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'device_log', title: 'Text of the device',
    description: 'The text that the device wrote beside its messages: boot log, assertions, log lines of the application.',
    inputSchema: schema({
      max_bytes: { type: 'integer', minimum: 1, maximum: 65536, default: 4096 },
      since: { type: 'integer', minimum: 0, description: 'The position that an earlier call returned.' },
    }),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'list_devices', title: 'List devices',
    description: 'The device that this server is attached to, or the broker and each device of a fleet: name, version, and ' +
      'whether it is there.',
    inputSchema: schema({}),
    annotations: { readOnlyHint: true },
  },
];

/** The variables of a URI template: `{a,b}`, `{/c}`, `{?d}`. @param {string} template */
export function templateVariables(template) {
  return [...template.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap(([, names]) => (
    names.split(',').map((name) => name.replace(/[*]$|:\d+$/, ''))));
}

/** The variables that a URI has to have; those with their names in the URI, as in `{?d}`, may be absent. @param {string} template */
const requiredVariables = (template) => [...new Set(templateVariables(template.replace(/\{[;?&][^}]*\}/g, '')))];

/** Expands a URI template by RFC 6570 for string values. @param {string} template @param {Record<string, any>} values */
export function expand(template, values) {
  return template.replace(/\{([+#./;?&]?)([^}]*)\}/g, (_, operator, names) => {
    const isNamed = ';?&'.includes(operator) && operator !== '';
    const open = { '': '', '+': '', '#': '#', '.': '.', '/': '/', ';': ';', '?': '?', '&': '&' }[/** @type {string} */ (operator)];
    const between = { '': ',', '+': ',', '#': ',', '?': '&' }[/** @type {string} */ (operator)] ?? operator;
    const encode = '+#'.includes(operator) && operator !== '' ? encodeURI : encodeURIComponent;
    const parts = names.split(',').map((/** @type {string} */ name) => name.replace(/[*]$|:\d+$/, ''))
      .filter((/** @type {string} */ name) => (values[name] ?? undefined) !== undefined)
      .map((/** @type {string} */ name) => (isNamed ? `${name}=` : '') + encode(textOf(values[name])));
    return parts.length > 0 ? open + parts.join(between) : '';
  });
}

/** @param {string} name */
const toolName = (name) => `read_${name.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '').slice(0, longestName - 5)}`;

export class Additions {
  /** @type {Map<string, any> | undefined} tools that read resources, by name */ #readers;
  #isStale = false;  // whether a list has changed since
  #until = Infinity;  // the end of their time to live

  /** @param {import('./broker.mjs').Broker} broker @param {boolean} isPlain whether nothing is added */
  constructor(broker, isPlain) {
    this.broker = broker;
    this.isPlain = isPlain;
  }

  /** Lists of the device have changed. A host may use the tools that it knows until it has asked for the new list. */
  forget() { this.#isStale = true; }

  /** The response to server/discover. */
  discover() {
    const { device } = this.broker;
    const discover = device.isOpen ? structuredClone(device.discover) : discoverOf(device.discover, device.away);
    discover.supportedVersions = [modernVersion];
    if (!this.isPlain) discover.capabilities.tools ??= {};
    return discover;
  }

  /** The function that serves a request here, or undefined. @param {Message} m */
  serves(m) {
    if (this.isPlain) return undefined;
    const { device, lists } = this.broker;
    if (m.method === 'tools/list' && (!device.isOpen || !device.discover?.capabilities?.tools)) {
      return async () => ({ result: await this.complete(m, { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' }) });
    }
    const name = m.params?.name;
    if (m.method !== 'tools/call' || this.#taken().has(name)) return undefined;
    const input = m.params?.arguments ?? {};
    const devices = () => [this.broker.describe(), ...device.members()];
    /** @type {Record<string, (call: any) => Ending | Promise<Ending>>} */ const own = {
      wait_for_change: (call) => this.#waitForChange(call, input), device_log: () => this.#deviceLog(input),
      list_devices: () => answer(stringify(devices())),
    };
    if (Object.hasOwn(own, name)) {
      return async (/** @type {any} */ call) => {
        // A device may have a tool of this name, which this broker does not know after a crash of the one before.
        if (device.isOpen && !lists.isKnown('tools/list')) await lists.get('tools/list');
        return this.#taken().has(name) ? undefined : own[name](call);
      };
    }
    if (typeof name !== 'string' || !name.startsWith('read_')) return undefined;
    return async () => {
      // A host may call a tool that it has not listed, or listed before the broker was restarted.
      if (!this.#readers) await this.broker.lists.get('tools/list');
      const reader = this.#readers?.get(name) ?? (await this.#current()).get(name);
      return this.#taken().has(name) || !reader ? undefined : this.#read(expand(reader.uri, input));
    };
  }

  /** The tools that read resources. */
  async #current() {
    return this.#readers && !this.#isStale && this.#until > Date.now() ? this.#readers : this.#findReaders();
  }

  /** Names of tools of the device. */
  #taken() { return this.broker.lists.names('tools/list'); }

  /**
   * Adds the tools to a list: to the begin of its first page, where hosts that read one page, or the first tools, see them, and
   * what is more to the end of the last page.
   * @param {Message} m @param {any} result @returns {any} or a promise of it
   */
  complete(m, result) {
    if (this.isPlain || m.method !== 'tools/list' || !Array.isArray(result?.tools)) return result;
    const isFirst = (m.params?.cursor ?? undefined) === undefined;
    const isLast = (result.nextCursor ?? undefined) === undefined;
    return isFirst || isLast ? this.#withOwn(result, isFirst, isLast) : result;
  }

  /** @param {any} result @param {boolean} isFirst @param {boolean} isLast */
  async #withOwn(result, isFirst, isLast) {
    const readers = await this.#current();
    const own = [...fixed, ...[...readers.values()].map((reader) => reader.tool)]
      .filter(({ name }) => !this.#taken().has(name) && (this.broker.device.isOpen || ownTools.has(name)));
    const [before, after] = [isFirst ? own.slice(0, mostFirst) : [], isLast ? own.slice(mostFirst) : []];
    return { ...result, tools: [...before, ...result.tools, ...after] };
  }

  async #findReaders() {
    const readers = new Map();
    let size = 0;
    const { device, lists } = this.broker;
    this.#isStale = false;
    const add = (/** @type {any} */ row, /** @type {any} */ uri) => {
      if (typeof uri !== 'string' || uri.length > longestUri) return;
      const name = toolName(typeof row.name === 'string' ? row.name : uri);
      if (readers.has(name)) return;
      const variables = templateVariables(uri);
      const properties = Object.fromEntries(variables.map((variable) => [variable, { type: 'string' }]));
      const description = `Reads ${uri}.${typeof row.description === 'string' ? ` ${row.description.slice(0, 500)}` : ''}`;
      const [about = uri] = [row.title, row.name].filter((text) => typeof text === 'string' && text !== '');
      const tool = {
        name, title: `Read ${about.slice(0, 100)}`, description,
        inputSchema: schema(properties, requiredVariables(uri)), annotations: { readOnlyHint: true },
      };
      size += JSON.stringify(tool).length;
      if (size <= mostReaders) readers.set(name, { uri, tool });
    };
    if (device.isOpen && device.discover?.capabilities?.resources) {
      const isWhole = [await lists.each('resources/list', (row) => add(row, row?.uri)),
        await lists.each('resources/templates/list', (row) => add(row, row?.uriTemplate))];
      if (isWhole.includes(false)) this.#isStale = true;
      this.#until = Math.min(lists.until('resources/list'), lists.until('resources/templates/list'));
    }
    this.#readers = readers;
    return readers;
  }

  /** @param {string} uri @returns {Promise<Ending>} */
  async #read(uri) {
    const ending = await this.broker.device.exchange('resources/read', { uri });
    if ('error' in ending) return answer(`The device could not read ${uri}: ${ending.error?.message}`, true);
    const { result } = ending;
    if ((result?.resultType ?? 'complete') !== 'complete') return answer(`${uri} needs the input of a person.`, true);
    if (!Array.isArray(result?.contents)) return answer(`The device could not read ${uri}.`, true);
    const content = result.contents.map((/** @type {any} */ resource) => (
      typeof resource?.text === 'string' ? { type: 'text', text: resource.text } : { type: 'resource', resource }));
    return { result: { resultType: 'complete', content } };
  }

  /** @param {any} call @param {any} input @returns {Promise<Ending>} */
  async #waitForChange(call, { uri, seconds: wanted }) {
    const seconds = numberOf(wanted ?? 60) ?? NaN;
    if (typeof uri !== 'string' || !(seconds >= 0 && seconds <= longestWait)) {
      return failure(code.params, `wait_for_change needs uri and 0 to ${longestWait} seconds.`);
    }
    const { device } = this.broker;
    const source = () => [{ resourceSubscriptions: [uri] }];
    device.subscription.sources.add(source);
    try {
      const honored = await device.subscription.update();
      if (!device.isOpen) return this.#wentAway(uri);
      if (!honored.resourceSubscriptions?.includes(uri)) {
        return answer(device.subscription.refusal?.message ?? `${uri} cannot be subscribed to.`, true);
      }
      const seen = await this.#change(uri, seconds * 1000, call);
      if (seen === 'away') return this.#wentAway(uri);
      return seen === 'changed' ? await this.#read(uri) : answer(`${uri} did not change in ${seconds} s.`);
    } finally {
      device.subscription.sources.delete(source);
      void device.subscription.update();
    }
  }

  /** @param {string} uri @returns {Ending} */
  #wentAway(uri) {
    const reason = this.broker.device.away ?? 'it does not respond';
    return answer(`The device went away (${reason}), so it is not known whether ${uri} changed.`, true);
  }

  /** @param {string} uri @param {number} ms @param {any} call @returns {Promise<'changed' | 'same' | 'away'>} */
  #change(uri, ms, call) {
    const { device } = this.broker;
    return new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */ let absent;
      const done = (/** @type {'changed' | 'same' | 'away'} */ seen) => {
        clearTimeout(timer);
        clearTimeout(absent);
        device.off('news', news);
        device.off('open', returned);
        device.off('lost', lost);
        resolve(seen);
      };
      const news = (/** @type {Message} */ m) => {
        if (m.method === 'notifications/resources/updated' && m.params?.uri === uri) done('changed');
      };
      const returned = () => done('changed');  // a device that was reset may have changed
      // A device that was reset is back soon; one that was unplugged is not.
      const lost = () => { absent = setTimeout(() => done('away'), times.away); };
      const timer = setTimeout(() => done(device.isOpen ? 'same' : 'away'), ms);
      device.on('news', news);
      device.on('open', returned);
      device.on('lost', lost);
      call.exchange = new Exchange('', {}, () => {});
      call.exchange.done = () => done('same');
    });
  }

  /** @param {any} input @returns {Ending} */
  #deviceLog(input) {
    const [most, since] = [input.max_bytes ?? 4096, input.since ?? 0].map((value) => numberOf(value) ?? NaN);
    if (!Number.isInteger(most) || most < 1 || !Number.isInteger(since) || since < 0) {
      return failure(code.params, 'max_bytes and since must be positive integers.');
    }
    const { text, position, lost } = this.broker.log.read(since, Math.min(most, 65536));
    const structured = { text, position, lost };
    return { result: { ...(/** @type {any} */ (answer(JSON.stringify(structured)))).result, structuredContent: structured } };
  }
}
