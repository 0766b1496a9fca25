// SPDX-License-Identifier: Apache-2.0
// Tools that attach adds to those of the device, for what hosts do not do themselves.
import { Exchange } from './device.mjs';
import { code, failure, modernVersion } from './rpc.mjs';

/** @typedef {import('./rpc.mjs').Message} Message */
/** @typedef {import('./rpc.mjs').Ending} Ending */

const longestWait = 600;  // seconds
const longestUri = 1000;  // of a resource with a tool
const mostReaders = 1 << 20;  // characters of all tools that read resources; a line for a host has 4 Mi

/** @param {string} text @param {boolean} [isError] @returns {Ending} */
const answer = (text, isError) => ({
  result: { resultType: 'complete', content: [{ type: 'text', text }], ...(isError && { isError }) },
});

/** @param {any} properties @param {string[]} [required] */
const schema = (properties, required = []) => ({ type: 'object', properties, required });

const fixed = [
  {
    name: 'wait_for_change',
    description: 'Waits until the resource of the device changes, and returns its contents.',
    inputSchema: schema({
      uri: { type: 'string', description: 'URI of a resource that can be subscribed to.' },
      seconds: { type: 'number', minimum: 0, maximum: longestWait, default: 60 },
    }, ['uri']),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'device_log',
    description: 'The text that the device wrote beside its messages: boot log, assertions, log lines of the application.',
    inputSchema: schema({
      max_bytes: { type: 'integer', minimum: 1, maximum: 65536, default: 4096 },
      since: { type: 'integer', minimum: 0, description: 'The position that an earlier call returned.' },
    }),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'list_devices',
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

/** Expands a URI template by RFC 6570 for string values. @param {string} template @param {Record<string, any>} values */
export function expand(template, values) {
  return template.replace(/\{([+#./;?&]?)([^}]*)\}/g, (_, operator, names) => {
    const isNamed = ';?&'.includes(operator) && operator !== '';
    const open = { '': '', '+': '', '#': '#', '.': '.', '/': '/', ';': ';', '?': '?', '&': '&' }[/** @type {string} */ (operator)];
    const between = { '': ',', '+': ',', '#': ',', '?': '&' }[/** @type {string} */ (operator)] ?? operator;
    const encode = '+#'.includes(operator) && operator !== '' ? encodeURI : encodeURIComponent;
    const parts = names.split(',').map((/** @type {string} */ name) => name.replace(/[*]$|:\d+$/, ''))
      .filter((/** @type {string} */ name) => values[name] !== undefined)
      .map((/** @type {string} */ name) => (isNamed ? `${name}=` : '') + encode(String(values[name])));
    return parts.length > 0 ? open + parts.join(between) : '';
  });
}

/** @param {string} name */
const toolName = (name) => `read_${name.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 48)}`;

export class Additions {
  /** @type {Map<string, any> | undefined} tools that read resources, by name */ #readers;
  /** @type {Set<string>} names of tools of the device */ #taken = new Set();
  #isStale = false;  // whether a list has changed since

  /** @param {import('./broker.mjs').Broker} broker @param {boolean} isPlain whether nothing is added */
  constructor(broker, isPlain) {
    this.broker = broker;
    this.isPlain = isPlain;
  }

  /** Lists of the device have changed. A host may use the tools that it knows until it has asked for the new list. */
  forget() { this.#isStale = true; }

  /** The response to server/discover. */
  discover() {
    const discover = structuredClone(this.broker.device.discover);
    discover.supportedVersions = [modernVersion];
    if (!this.isPlain) discover.capabilities.tools ??= {};
    return discover;
  }

  /** The function that serves a request here, or undefined. @param {Message} m */
  serves(m) {
    if (this.isPlain) return undefined;
    if (m.method === 'tools/list' && !this.broker.device.discover?.capabilities?.tools) {
      return async () => ({ result: await this.complete(m, { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' }) });
    }
    if (m.method !== 'tools/call' || this.#taken.has(m.params?.name)) return undefined;
    const name = m.params?.name;
    const input = m.params?.arguments ?? {};
    if (name === 'wait_for_change') return (/** @type {any} */ call) => this.#waitForChange(call, input);
    if (name === 'device_log') return async () => this.#deviceLog(input);
    const devices = () => [this.broker.describe(), ...this.broker.device.members()];
    if (name === 'list_devices') return async () => answer(JSON.stringify(devices()));
    const reader = this.#readers?.get(name);
    return reader && (async () => this.#read(expand(reader.uri, input)));
  }

  /** Adds the tools to the last page of a list. @param {Message} m @param {any} result @returns {any} or a promise of it */
  complete(m, result) {
    if (this.isPlain || m.method !== 'tools/list' || !Array.isArray(result?.tools)) return result;
    if (this.#isStale && m.params?.cursor === undefined) this.#taken.clear();
    for (const tool of result.tools) this.#taken.add(tool?.name);
    return result.nextCursor !== undefined ? result : this.#withOwn(result);
  }

  /** @param {any} result */
  async #withOwn(result) {
    if (!this.#readers || this.#isStale) {
      this.#isStale = false;
      this.#readers = await this.#findReaders();
    }
    const own = [...fixed, ...[...this.#readers.values()].map((reader) => reader.tool)];
    return { ...result, tools: [...result.tools, ...own.filter(({ name }) => !this.#taken.has(name))] };
  }

  async #findReaders() {
    const readers = new Map();
    let size = 0;
    const { device } = this.broker;
    if (!device.discover?.capabilities?.resources) return readers;
    const add = (/** @type {any} */ row, /** @type {any} */ uri) => {
      if (typeof uri !== 'string' || uri.length > longestUri) return;
      const name = toolName(typeof row.name === 'string' ? row.name : uri);
      if (readers.has(name)) return;
      const variables = templateVariables(uri);
      const properties = Object.fromEntries(variables.map((variable) => [variable, { type: 'string' }]));
      const description = `Reads ${uri}.${typeof row.description === 'string' ? ` ${row.description.slice(0, 500)}` : ''}`;
      const tool = {
        name, description, inputSchema: schema(properties, variables), annotations: { readOnlyHint: true },
      };
      size += JSON.stringify(tool).length;
      if (size <= mostReaders) readers.set(name, { uri, tool });
    };
    await device.list('resources/list', 'resources', (row) => add(row, row?.uri));
    await device.list('resources/templates/list', 'resourceTemplates', (row) => add(row, row?.uriTemplate));
    return readers;
  }

  /** @param {string} uri @returns {Promise<Ending>} */
  async #read(uri) {
    const result = await this.broker.device.ask('resources/read', { uri });
    if ((result?.resultType ?? 'complete') !== 'complete') return answer(`${uri} needs the input of a person.`, true);
    if (!Array.isArray(result?.contents)) return answer(`The device could not read ${uri}.`, true);
    const content = result.contents.map((/** @type {any} */ resource) => (
      typeof resource?.text === 'string' ? { type: 'text', text: resource.text } : { type: 'resource', resource }));
    return { result: { resultType: 'complete', content } };
  }

  /** @param {any} call @param {any} input @returns {Promise<Ending>} */
  async #waitForChange(call, { uri, seconds = 60 }) {
    if (typeof uri !== 'string' || !(seconds >= 0 && seconds <= longestWait)) {
      return failure(code.params, `wait_for_change needs uri and 0 to ${longestWait} seconds.`);
    }
    const { device } = this.broker;
    const source = () => [{ resourceSubscriptions: [uri] }];
    device.subscription.sources.add(source);
    try {
      const honored = await device.subscription.update();
      if (!honored.resourceSubscriptions?.includes(uri)) return answer(`${uri} cannot be subscribed to.`, true);
      const changed = await this.#change(uri, seconds * 1000, call);
      return changed ? await this.#read(uri) : answer(`${uri} did not change in ${seconds} s.`);
    } finally {
      device.subscription.sources.delete(source);
      void device.subscription.update();
    }
  }

  /** @param {string} uri @param {number} ms @param {any} call @returns {Promise<boolean>} */
  #change(uri, ms, call) {
    const { device } = this.broker;
    return new Promise((resolve) => {
      const done = (/** @type {boolean} */ changed) => {
        clearTimeout(timer);
        device.off('news', news);
        device.off('open', returned);
        resolve(changed);
      };
      const news = (/** @type {Message} */ m) => {
        if (m.method === 'notifications/resources/updated' && m.params?.uri === uri) done(true);
      };
      const returned = () => done(true);  // a device that was reset may have changed
      const timer = setTimeout(() => done(false), ms);
      device.on('news', news);
      device.on('open', returned);
      call.exchange = new Exchange('', {}, () => {});
      call.exchange.done = () => done(false);
    });
  }

  /** @param {any} input @returns {Ending} */
  #deviceLog({ max_bytes: most = 4096, since = 0 }) {
    if (!Number.isInteger(most) || most < 1 || !Number.isInteger(since) || since < 0) {
      return failure(code.params, 'max_bytes and since must be positive integers.');
    }
    const { text, position, lost } = this.broker.log.read(since, Math.min(most, 65536));
    const structured = { text, position, lost };
    return { result: { ...(/** @type {any} */ (answer(JSON.stringify(structured)))).result, structuredContent: structured } };
  }
}
