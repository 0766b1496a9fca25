// SPDX-License-Identifier: Apache-2.0
// What a device sends that is broken, hostile or damaged, from a seed: messages of all kinds with members of wrong types, sizes
// and depths, and bytes that are no message. About half of what it sends is as it should be, so that attach goes on.
const prefix = 'io.modelcontextprotocol/';

/** xorshift32 */
export class Random {
  constructor(seed) { this.state = (seed * 2654435761 >>> 0) || 1; }

  next() {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return this.state >>>= 0;
  }

  below(limit) { return this.next() % limit; }
  oneIn(count) { return this.below(count) === 0; }
  pick(list) { return list[this.below(list.length)]; }
}

/** JSON of this many levels, which JSON.stringify() cannot write. */
class Deep {
  constructor(levels, open = '[', close = ']') { Object.assign(this, { levels, open, close }); }
  toString() { return this.open.repeat(this.levels) + this.close.repeat(this.levels); }
}

/** The characters of a number that no program may change. */
class Literal {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

function write(value) {
  if (value instanceof Deep || value instanceof Literal) return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${write(each)}`).join(',')}}`;
}

const tool = { name: 'echo', description: 'Echo', inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } } };
const question = { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } };
const url = { method: 'elicitation/create', params: { mode: 'url', url: 'https://x', message: 'm', elicitationId: 'e' } };
const sampling = { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 5 } };
const resource = { uri: 'a://1', name: 'one', description: 'One' };
const content = [{ type: 'text', text: 'echo' }, { type: 'resource_link', uri: 'a://1', name: 'one' }];
const states = ['working', 'input_required', 'completed', 'failed', 'cancelled', 'paused'];

/** A server without faults. Its tool `echo` returns its arguments. */
export function honest(m) {
  const { method, id, params = {} } = m;
  if (id === undefined || method === undefined) return [];
  const complete = (result) => [{ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }];
  const fail = (code) => [{ jsonrpc: '2.0', id, error: { code, message: 'Not here.' } }];
  switch (method) {
    case 'server/discover': return complete({
      supportedVersions: ['2026-07-28'], instructions: 'Be brief.', ttlMs: 0, _meta: { [`${prefix}serverInfo`]: { name: 'd', version: '1' } },
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} },
    });
    case 'tools/list': return complete({ tools: [tool] });
    case 'resources/list': return complete({ resources: [resource] });
    case 'resources/templates/list': return complete({ resourceTemplates: [{ uriTemplate: 'a://{b}{?c}', name: 'two' }] });
    case 'prompts/list': return complete({ prompts: [{ name: 'p', arguments: [{ name: 'x' }] }] });
    case 'resources/read': return complete({ contents: [{ uri: params.uri, text: 'body' }] });
    case 'prompts/get': return complete({ messages: [{ role: 'user', content: content[0] }] });
    case 'completion/complete': return complete({ completion: { values: ['x'] } });
    case 'tools/call': return complete({ content: [{ type: 'text', text: JSON.stringify(params.arguments ?? {}) }] });
    case 'subscriptions/listen':
      if (!params.notifications) return fail(-32600);
      return [{ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged',
        params: { notifications: params.notifications, _meta: { [`${prefix}subscriptionId`]: id } } }];
    default: return fail(-32601);
  }
}

const constants = ['null', '[null]', '{}', '[]', '5', '"x"', 'true', '{"tools":{}}', '{"jsonrpc":"2.0"}', '[[]]', '{"jsonrpc":"2.0","id":null}',
  '{"jsonrpc":"2.0","id":1,"result":null}', '{"jsonrpc":"2.0","id":1,"error":null}', '{"jsonrpc":"2.0","method":5}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}', '{"jsonrpc":"2.0","id":{"a":1},"result":{}}'];

export class Fuzzer {
  /** Ids of requests that may be open. */ ids = [1];
  sent = 0;

  constructor(seed) { this.random = new Random(seed); }

  /** A value in the place of another one. */
  #value() {
    const { random } = this;
    return random.pick([
      () => null, () => true, () => -1, () => 1e308, () => 0, () => '', () => [], () => ({}), () => [null], () => [[{}]],
      () => new Literal('9007199254740993'), () => new Literal('1.0'), () => new Literal('1e999'), () => 'x'.repeat(random.below(3000)),
      () => '\u2028\u0000\u202e\ud800', () => '__proto__', () => JSON.parse('{"__proto__":{"a":1},"constructor":5,"toString":null}'),
      () => new Deep(random.pick([5, 60, 130, 1000])), () => new Deep(200, '{"properties":', ':1}'.slice(1)),
      () => Array.from({ length: random.below(300) }, () => 'r'), () => Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, i])),
      () => random.pick(this.ids), () => random.pick(states), () => ({ ...question }), () => 'bad name\r\nX: y',
    ])();
  }

  /** A copy with another value, a missing member or a repeated one at one place. */
  #mutated(value, levels = 0) {
    const { random } = this;
    if (typeof value !== 'object' || value === null || value instanceof Deep || random.oneIn(4 + levels)) return this.#value();
    if (Array.isArray(value)) {
      if (value.length === 0 || random.oneIn(6)) return Array.from({ length: random.below(40) }, () => value[0] ?? this.#value());
      const at = random.below(value.length);
      return value.map((each, i) => (i === at ? this.#mutated(each, levels + 1) : each));
    }
    const names = Object.keys(value);
    if (names.length === 0 || random.oneIn(10)) return { ...value, [random.pick(['_meta', 'resultType', 'nextCursor', 'id', 'x'])]: this.#value() };
    const name = random.pick(names);
    const { [name]: one, ...others } = value;
    return random.oneIn(8) ? others : { ...value, [name]: this.#mutated(one, levels + 1) };
  }

  #result(m) {
    const { random } = this;
    const ask = random.pick([{ a: question }, { u: url }, { a: question, s: sampling }, { r: { method: 'roots/list' } }, {}, undefined]);
    const state = { taskId: 't', status: random.pick(states), ttlMs: 1000, pollIntervalMs: random.pick([0, 1, 50, -5]),
      statusMessage: 'm', result: { content }, error: { code: 1, message: 'm' }, inputRequests: ask };
    return random.pick([
      () => honest({ ...m, id: 1 })[0]?.result ?? {}, () => honest({ ...m, id: 1 })[0]?.result ?? {},
      () => ({ resultType: 'complete', content }), () => ({ resultType: 'complete', content, structuredContent: { a: 1 } }),
      () => ({ resultType: 'input_required', requestState: `s${random.below(1000)}`, ...(ask && { inputRequests: ask }) }),
      () => ({ resultType: 'task', ...state }), () => ({ resultType: 'complete', ...state }),
      () => ({ resultType: 'complete', tools: [tool, { ...tool, name: `t${random.next()}` }], nextCursor: random.pick([undefined, 'c', '', 5]) }),
      () => ({ resultType: 'complete', resources: [resource], resourceTemplates: [{ uriTemplate: '{{{a}', name: 'x' }], prompts: [{ name: 'p' }] }),
      () => ({ supportedVersions: ['2025-11-25'], protocolVersion: '2025-11-25' }), () => ({}),
    ])();
  }

  /** A message of any kind. @param m a request that it may answer */
  #message(m) {
    const { random } = this;
    const id = random.oneIn(4) ? random.pick(this.ids) : m.id;
    const meta = { _meta: { [`${prefix}subscriptionId`]: random.pick(this.ids) } };
    const error = { code: random.pick([-32700, -32600, -32601, -32602, -32603, -32002, -32022, 0, 1.5]), message: 'Broken.',
      data: random.pick([undefined, { 'mote/retryAfterMs': random.pick([0, 1, -1, 1e12]) }, { uri: 'a://1' }]) };
    const notify = (method, params) => ({ jsonrpc: '2.0', method, params: { ...params, ...(random.oneIn(2) && meta) } });
    return random.pick([
      () => ({ jsonrpc: '2.0', id, result: this.#result(m) }), () => ({ jsonrpc: '2.0', id, result: this.#result(m) }),
      () => ({ jsonrpc: '2.0', id, error }),
      () => notify('notifications/progress', { progressToken: id, progress: 1, total: 2, message: 'm' }),
      () => notify('notifications/message', { level: 'error', logger: 'l', data: { a: 1 } }),
      () => notify('notifications/resources/updated', { uri: 'a://1' }), () => notify('notifications/tasks', { taskId: 't', status: 'working' }),
      () => notify(`notifications/${random.pick(['tools', 'prompts', 'resources'])}/list_changed`, {}),
      () => notify('notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true, resourceSubscriptions: ['a://1'] } }),
      () => notify('notifications/cancelled', { requestId: id }), () => notify('notifications/elicitation/complete', { elicitationId: 'e' }),
      () => ({ jsonrpc: '2.0', id, method: random.pick(['ping', 'roots/list', 'sampling/createMessage', 'x']), params: {} }),
    ])();
  }

  /** Text that is no message, or was one before it was damaged. */
  #odd(text) {
    const { random } = this;
    const at = random.below(Math.max(text.length, 1));
    return random.pick([
      () => random.pick(constants), () => random.pick(constants), () => text.slice(0, at), () => text.slice(at),
      () => text.slice(0, at) + String.fromCharCode(random.below(0x3000)) + text.slice(at + 1), () => text + text,
      () => `\ufeff${text}`, () => `boot: ok ${text}`, () => `[${text},${text}]`, () => 'ets Jun 8 2016 rst:0x1', () => `[${text},null]`,
    ])();
  }

  /** What is sent in the place of one message. */
  text(m) {
    const { random } = this;
    ++this.sent;
    if (random.oneIn(4000)) return write({ jsonrpc: '2.0', id: m.id, result: { tools: [{ ...tool, inputSchema: new Deep(20_000, '{"a":', '}').toString() }] } });
    if (random.oneIn(4000)) return write({ jsonrpc: '2.0', id: m.id, result: { content: new Deep(20_000) } });
    if (random.oneIn(6000)) return write({ jsonrpc: '2.0', id: m.id, result: { content: [{ type: 'text', text: 'x'.repeat(5 << 20) }] } });
    let message = this.#message(m);
    for (let i = random.below(3); i > 0; --i) message = this.#mutated(message);
    const text = write(message);
    return random.oneIn(5) ? this.#odd(text) : text;
  }

  /** All that follows a message of attach. `least` are the texts at least. @returns {string[]} */
  replies(m, least = 3) {
    if (m.id !== undefined) this.ids = [m.id, ...this.ids].slice(0, 20);
    const texts = Array.from({ length: least + this.random.below(least) }, () => this.text(m));
    // Else attach has little to do with a device that never answers.
    const isKnown = ['server/discover', 'subscriptions/listen'].includes(m.method);
    if (!this.random.oneIn(isKnown ? 30 : 2)) texts.splice(isKnown ? 0 : this.random.below(texts.length), 0, ...honest(m).map(write));
    return texts;
  }
}
