// SPDX-License-Identifier: Apache-2.0
// The image of examples/stm32 with the official client: its sensor, which is warm while the LED is on, and its tool.
//
// usage: node nucleo.test.mjs board EMULATE DESCRIPTION IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession, within } from '../../../examples/client/session.mjs';
import { atEnd, kind, library, limitMs, Lines, rejected, waitMs } from '../../client/support.mjs';

const [emulate, description, image] = process.argv.slice(3);
assert.ok(kind === 'board' && image, 'usage: node nucleo.test.mjs board EMULATE DESCRIPTION IMAGE');
const server = { command: emulate, args: [description, image] };
const uri = 'sensor://room';

async function connect(t) {
  const session = await openSession(server, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

const setLed = async ({ client }, on) => client.callTool({ name: 'set_led', arguments: { on } });

test('initialize, lists, ping and an unknown resource', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  assert.equal(client.getServerVersion().name, 'nucleo');
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['set_led', 'read_room']);
  assert.deepEqual((await client.listResources()).resources.map((row) => row.uri), [uri]);
  assert.deepEqual(await client.ping(), {});
  assert.equal((await rejected(client.readResource({ uri: 'sensor://none' }))).code, library.notFound);
});

test('reads the sensor as a resource and as a tool, and the LED changes its value', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  await session.client.subscribeResource({ uri });
  for (const [on, value] of [[false, 21.5], [true, 30.5], [false, 21.5]]) {
    assert.deepEqual((await setLed(session, on)).content, [{ type: 'text', text: `The LED is ${on ? 'on' : 'off'}.` }]);
    let read;
    do {
      await session.nextUpdate(uri);
      read = await session.readJson(uri);
    } while (read.temperature.value !== value);
    assert.deepEqual(read.temperature, { value, unit: 'Cel' });
    const result = await session.client.callTool({ name: 'read_room' });
    assert.ok(!result.isError);
    assert.deepEqual(JSON.parse(result.content[0].text).temperature, read.temperature);
  }
});

test('the clock of the board counts seconds', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  await session.client.subscribeResource({ uri });
  await session.nextUpdate(uri);
  const started = performance.now();
  for (let second = 0; second < 3; ++second) await session.nextUpdate(uri);
  const seconds = (performance.now() - started) / 1000;
  t.diagnostic(`3 s of the board took ${seconds} s`);
  assert.ok(seconds > 1.9, `${seconds} s`);
});

test('rejects a wrong argument', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  const result = await setLed(session, 'yes');
  assert.equal(result.isError, true);
  assert.equal(result.content[0].text, 'Argument "on" must be true or false.');
});

test('loses no byte of 40 requests at once', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, server);
  await lines.initialize();
  const requests = Array.from({ length: 40 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
  await lines.write(`${requests.join('\n')}\n`);
  for (let id = 0; id < 40; ++id) assert.equal((await lines.message()).id, id);
  lines.closeInput();
  assert.deepEqual(await within(waitMs, 'end', lines.ended), { code: 0, signal: null });
});
