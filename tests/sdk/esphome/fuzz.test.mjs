// SPDX-License-Identifier: Apache-2.0
// One client with random calls, and one honest client beside it. The node accepts a call only if the arguments are valid
// in the schema that it has sent, and the honest client always gets what it has set. Seeds: 1, and the date, which the
// output names. The node is nodes/types.yaml.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ajvInstalled, makeAjv } from '../../schema/schemas.mjs';
import { all, call, connect, limitMs, post, startNode, token } from './node.mjs';

if (!ajvInstalled) {
  console.log('skipped: ajv is not installed; tests/run does that');
  process.exit(77);
}
const count = 300;  // calls, and requests of bytes, for each seed
const today = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));

// The tools of the honest client, those that end the node, and those that wait or ask for each call.
const spared = /^(set_runtime|press_restart_node|set_slow_relay|set_stuck_relay|set_heater)$/;
// What a schema does not say: the bytes of a string, the range of an integer, that a tool of an entity needs an argument,
// the form of a color, a date and a time, and the automation's own error.
const isStricter = (tool, args) => Object.values(args).some((value) => typeof value === 'string' && /[^ -~]/.test(value) ||
  typeof value === 'number' && Math.abs(value) >= 2 ** 31) || /^set_/.test(tool) && Object.keys(args).length === 0 ||
  args.color !== undefined || /^set_start_/.test(tool) || tool === 'water' && args.bed === 'south';

/** A generator of numbers from 0 to 1 (mulberry32). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Fuzzer {
  constructor(seed) {
    this.random = generator(seed);
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  wrong() {
    return this.pick([null, true, false, 0, -1, 1.5, 1e300, -1e300, 2 ** 31, 2 ** 53, '', 'on', 'open', '50', 'é'.repeat(5),
      'x'.repeat(300), '\u0000', '"\\', [], [1], {}, { on: true }, '2026-02-30', '#12345', '#ff8000', 'north']);
  }

  right({ type, enum: names, minimum = -1e6, maximum = 1e6, minLength = 0, maxLength = 20 }) {
    if (names) return this.pick(names);
    if (type === 'boolean') return this.random() < 0.5;
    if (type === 'string') {
      return this.pick(['#00ff00', '2026-05-01', '06:30:00', '2026-05-01 06:30:00', '1234',
        'y'.repeat(minLength), 'z'.repeat(Math.min(maxLength, 200))]);
    }
    const value = this.pick([minimum, maximum, minimum + this.random() * (maximum - minimum)]);
    return type === 'integer' ? Math.round(value) : value;
  }

  arguments({ properties = {}, required = [] }) {
    const args = {};
    for (const [name, schema] of Object.entries(properties)) {
      const isGiven = this.random() < (required.includes(name) ? 0.95 : 0.5);
      if (isGiven) args[name] = this.random() < 0.75 ? this.right(schema) : this.wrong();
    }
    if (this.random() < 0.1) args[this.pick(['force', '', 'On', 'on ', 'value'])] = this.wrong();
    return args;
  }

  /** A request as text, with some bytes changed, left out or repeated. */
  damaged(text) {
    let bytes = text;
    for (let times = 1 + Math.floor(this.random() * 3); times > 0; --times) {
      const at = Math.floor(this.random() * bytes.length);
      const more = Math.floor(this.random() * 20);
      bytes = bytes.slice(0, at) + this.pick(['', '{', '"', '\\', 'x'.repeat(more), bytes.slice(at, at + more)]) +
        bytes.slice(at + this.pick([0, 1, more]));
    }
    return bytes;
  }
}

for (const seed of [1, today]) {
  test(`random calls of seed ${seed} beside an honest client`, { timeout: limitMs }, async (t) => {
    const node = await startNode(t);
    const { client } = await connect(t, node, { token });
    const honest = await connect(t, node, { token, sdk: 'v2', mode: 'auto' });
    const { rows } = await all(client, 'tools');
    const ajv = makeAjv('ajv/dist/2020');
    const tools = rows.filter(({ name }) => !spared.test(name))
      .map((tool) => ({ ...tool, validate: ajv.compile(tool.inputSchema) }));
    const fuzzer = new Fuzzer(seed);
    let isOver = false;
    let served = 0;
    const beside = (async () => {
      for (; !isOver; ++served) {
        const value = served % 600;
        assert.deepEqual(await call(honest.client, 'set_runtime', { value }), { state: value, unit: 's' });
      }
    })();
    let accepted = 0;
    try {
      for (let index = 0; index < count; ++index) {
        const { name, inputSchema, validate } = fuzzer.pick(tools);
        const args = fuzzer.arguments(inputSchema);
        const said = `${name} ${JSON.stringify(args)}`;
        const result = await client.callTool({ name, arguments: args });
        const known = Object.keys(args).every((key) => key in (inputSchema.properties ?? {}));
        const isValid = validate(args) && known;
        // Tools of automations count null as left out, as all constant rows of mote do.
        const hasNull = Object.values(args).includes(null);
        if (!result.isError) assert.ok(isValid || hasNull, `accepted: ${said}: ${JSON.stringify(result)}`);
        else if (isValid) assert.ok(isStricter(name, args), `rejected: ${said}: ${JSON.stringify(result)}`);
        accepted += result.isError ? 0 : 1;

        const body = JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/call', params: { name, arguments: args } });
        const response = await post(node, fuzzer.damaged(body), { authorization: `Bearer ${token}` });
        assert.ok(response.status >= 200 && response.status < 500, `status ${response.status}: ${response.body}`);
      }
    } finally {
      isOver = true;
    }
    await beside;
    console.log(`seed ${seed}: ${count} calls, ${accepted} accepted, ${served} calls of the honest client`);
    assert.ok(accepted > count / 10 && accepted < count && served > 10);
    assert.doesNotMatch(node.stderr, /Assertion/);
  });
}
