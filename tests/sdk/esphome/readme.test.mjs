// SPDX-License-Identifier: Apache-2.0
// Plays the chat of ports/sdk/esphome/README.md with the node of its YAML, and the table of entity types and the tools of
// a user with ports/sdk/esphome/demo.yaml.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { all, call, connect, failure, limitMs, nodes, reader, startNode, token } from './node.mjs';

const text = readFileSync(new URL('../../../ports/sdk/esphome/README.md', import.meta.url), 'utf8');
const [readme, demo] = nodes;

test('the chat of the README', { timeout: limitMs }, async (t) => {
  const node = await startNode(t, readme);
  assert.match(await node.said(/Endpoint: (\S+)/).then(([, url]) => url), /^http:\/\/greenhouse\.local:8080\/mcp$/);
  const { client } = await connect(t, node, { token });
  const lines = [...text.matchAll(/^ +(set_\w+) (\{.*?\}) +(.*)$/gm)];
  assert.ok(lines.length >= 3);
  for (const [, name, args, expected] of lines) {
    const given = JSON.parse(args);
    if (expected.startsWith('{')) assert.deepEqual(await call(client, name, given), JSON.parse(expected));
    else assert.equal(await failure(client, name, given), expected);
  }
  assert.match(await call(client, 'read_states'), /^pump \(Pump\): on$/m);
});

test('the README has a row for each entity type of the demo', { timeout: limitMs }, async (t) => {
  const node = await startNode(t, demo);
  const { client } = await connect(t, node, { token });
  const { rows: tools } = await all(client, 'tools');
  const { rows: resources } = await all(client, 'resources');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  for (const { uri, name } of resources) {
    const [, type] = /^esphome:\/\/(\w+)\//.exec(uri);
    const row = rows.find((line) => line.split('|')[1].includes(`\`${type}\``));
    assert.ok(row, `the table has no ${type}`);
    const tool = tools.find((one) => one.name === `set_${name}`);
    if (tool === undefined) continue;
    for (const argument of Object.keys(tool.inputSchema.properties)) {
      assert.match(row.split('|')[2], new RegExp(argument.replace('target_temperature_', '')), `${type}: ${argument}`);
    }
    const { contents } = await client.readResource({ uri });
    assert.ok(contents[0].text.startsWith('{'));
  }
});

test('the tools and tokens of the demo', { timeout: limitMs }, async (t) => {
  const node = await startNode(t, demo);
  const { client } = await connect(t, node, { token, elicit: () => ({ action: 'accept', content: { sure: true } }) });
  assert.equal(await call(client, 'water', { seconds: 1, bed: 'north' }), 'Watering bed north for 1 s.');
  assert.equal(await failure(client, 'water', { seconds: 1, bed: 'south' }), 'The pump runs already.');
  assert.match(await call(client, 'flush', { minutes: 1 }), /Started/);
  assert.deepEqual(await call(client, 'set_slow_relay', { on: true }), { on: true });
  const guest = await connect(t, node, { token: reader });
  const { rows } = await all(guest.client, 'tools');
  assert.deepEqual(rows.map(({ name }) => name), ['read_states']);
  assert.match(await call(guest.client, 'read_states', { of: 'pump' }), /^pump \(Pump\): on$/m);
});
