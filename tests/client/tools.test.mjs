// SPDX-License-Identifier: Apache-2.0
// Tools through the official client (spec: server/tools).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, limitMs, rejected } from './support.mjs';

test('lists tools with their schemas', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const { tools, nextCursor } = await client.listTools();
  assert.equal(nextCursor, undefined);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  assert.deepEqual([...byName.keys()].sort(), ['set_led', 'set_sample_interval']);

  for (const { description, inputSchema } of tools) {
    assert.ok(description.length > 0);
    assert.equal(inputSchema.type, 'object');
    assert.equal(inputSchema.additionalProperties, false);
  }
  const led = byName.get('set_led').inputSchema;
  assert.deepEqual(Object.keys(led.properties), ['on']);
  assert.equal(led.properties.on.type, 'boolean');
  assert.deepEqual(led.required, ['on']);
  const interval = byName.get('set_sample_interval').inputSchema;
  assert.deepEqual(Object.keys(interval.properties), ['milliseconds']);
  const { type, minimum, maximum } = interval.properties.milliseconds;
  assert.deepEqual({ type, minimum, maximum }, { type: 'integer', minimum: 100, maximum: 60000 });
  assert.deepEqual(interval.required, ['milliseconds']);
});

test('accepts valid arguments up to their bounds', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const good = [
    ['set_led', { on: true }], ['set_led', { on: false }],
    ['set_sample_interval', { milliseconds: 100 }], ['set_sample_interval', { milliseconds: 60000 }],
  ];
  for (const [name, toolArguments] of good) {
    const result = await client.callTool({ name, arguments: toolArguments });
    assert.ok(!result.isError, `${name} ${JSON.stringify(toolArguments)}: ${JSON.stringify(result)}`);
    assert.equal(result.content[0].type, 'text');
  }
});

// The spec wants bad arguments as tool errors, so that the model reads them and tries again.
const bad = [
  ['of the wrong type', 'set_led', { on: 'yes' }, 'on'],
  ['of the wrong type (number for boolean)', 'set_led', { on: 1 }, 'on'],
  ['null', 'set_led', { on: null }, 'on'],
  ['missing', 'set_led', {}, 'on'],
  ['unknown', 'set_led', { on: true, colour: 'red' }, 'colour'],
  ['too small', 'set_sample_interval', { milliseconds: 99 }, 'milliseconds'],
  ['too large', 'set_sample_interval', { milliseconds: 60001 }, 'milliseconds'],
  ['far too large', 'set_sample_interval', { milliseconds: 1e300 }, 'milliseconds'],
  ['not whole', 'set_sample_interval', { milliseconds: 100.5 }, 'milliseconds'],
  ['a number as text', 'set_sample_interval', { milliseconds: '500' }, 'milliseconds'],
  ['an array', 'set_sample_interval', { milliseconds: [500] }, 'milliseconds'],
];
test('names an invalid argument in the tool error and serves the next call', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  for (const [what, name, toolArguments, argument] of bad) {
    await t.test(`${what}: ${name} ${JSON.stringify(toolArguments)}`, async (subtest) => {
      const result = await client.callTool({ name, arguments: toolArguments });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, new RegExp(`\\b${argument}\\b`));
      subtest.diagnostic(result.content[0].text);
      assert.ok(!(await client.callTool({ name: 'set_led', arguments: { on: true } })).isError);
    });
  }
});

test('accepts a call without an arguments object', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const result = await client.callTool({ name: 'set_led' });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /\bon\b/);
});

test('rejects an unknown tool as an invalid parameter', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  for (const name of ['no_such_tool', 'SET_LED', 'set_le', 'set_led ', '']) {
    assert.equal((await rejected(client.callTool({ name, arguments: {} }))).code, -32602, name);
  }
});
