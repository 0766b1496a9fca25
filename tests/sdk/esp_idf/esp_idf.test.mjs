// SPDX-License-Identifier: Apache-2.0
// The thermometer of examples/esp_idf with the official client. Its sensor is warm while the LED is on.
//
// usage: node esp_idf.test.mjs board EMULATE DESCRIPTION IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basename } from 'node:path';
import { openSession, within } from '../../../examples/client/session.mjs';
import { atEnd, kind, library, limitMs, Lines, rejected, temperature, waitMs } from '../../client/support.mjs';

const [emulate, description, image] = process.argv.slice(3);
assert.ok(kind === 'board' && image, 'usage: node esp_idf.test.mjs board EMULATE DESCRIPTION IMAGE');
const server = { command: emulate, args: [description, image] };

async function connect(t) {
  const session = await openSession(server, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

const call = async ({ client }, name, values) => (await client.callTool({ name, arguments: values })).content[0].text;

test('initialize, lists, ping and an unknown resource', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  const uris = async () => (await client.listResources()).resources.map(({ uri }) => uri);
  assert.equal(client.getServerVersion().name, 'thermometer');
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name).sort(), ['set_led', 'set_sample_interval']);
  assert.deepEqual((await uris()).sort(), ['device://info', temperature]);
  assert.deepEqual(await client.ping(), {});
  assert.equal((await rejected(client.readResource({ uri: 'sensor://none' }))).code, library.notFound);
});

test('runs on the named processor, whose clock counts seconds', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  const started = performance.now();
  const first = await session.readJson('device://info');
  assert.equal(`${first.hardware}.emulator`, basename(description));
  let last;
  do last = await session.readJson('device://info'); while (last.uptimeSeconds < first.uptimeSeconds + 3);
  const seconds = (performance.now() - started) / 1000;
  t.diagnostic(`3 s of the board took ${seconds} s`);
  assert.ok(seconds > 1.9, `${seconds} s`);
});

test('a call changes the temperature, which notifies the subscriber', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  assert.deepEqual(await session.readJson(temperature), { celsius: 21.5 });
  await call(session, 'set_sample_interval', { milliseconds: 100 });
  await session.client.subscribeResource({ uri: temperature });
  for (const on of [true, false]) {
    await call(session, 'set_led', { on });
    await session.nextUpdate(temperature);
    assert.deepEqual(await session.readJson(temperature), { celsius: on ? 30.25 : 21.5 });
  }
  assert.equal(session.updates(temperature), 2);
});

test('rejects a wrong argument', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  assert.match(await call(session, 'set_sample_interval', { milliseconds: 5 }), /from 100 to 60000/);
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
