// SPDX-License-Identifier: Apache-2.0
// examples/esp_idf/usb with the official client. Its sensor is warm while the LED is on.
//
// usage: node usb.test.mjs board EMULATE DESCRIPTION IMAGE | PROGRAM
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession, within } from '../../../examples/client/session.mjs';
import { atEnd, kind, library, limitMs, Lines, rejected, waitMs } from '../../client/support.mjs';

const [command, ...args] = process.argv.slice(3);
assert.ok(kind === 'board' && [0, 2].includes(args.length),
  'usage: node usb.test.mjs board EMULATE DESCRIPTION IMAGE | PROGRAM');
const server = { command, args };

async function connect(t) {
  const session = await openSession(server, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

const call = async ({ client }, name, values) => (await client.callTool({ name, arguments: values })).content[0].text;

const uri = 'sensor://room';

test('initialize, lists, ping and an unknown resource', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  assert.equal(client.getServerVersion().name, 'thermometer');
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name).sort(), ['read_room', 'set_led']);
  assert.deepEqual((await client.listResources()).resources.map((each) => each.uri).sort(), [uri, `${uri}/history`]);
  assert.deepEqual(await client.ping(), {});
  assert.equal((await rejected(client.readResource({ uri: 'sensor://none' }))).code, library.notFound);
});

test('reads the sensor as a resource, as a tool and its history', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  // The first measurement is over after 300 ms. The client may be faster.
  await session.client.subscribeResource({ uri });
  await session.nextUpdate(uri);
  const { temperature, secondsAgo } = await session.readJson(uri);
  assert.deepEqual(temperature, { value: 21.5, unit: 'Cel' });
  assert.ok(secondsAgo <= 1);
  assert.deepEqual(JSON.parse(await call(session, 'read_room', {})).temperature, temperature);
  const history = await session.readJson(`${uri}/history`);
  assert.deepEqual([history.unit, history.values[0][1], history.level], ['Cel', 21.5, 'normal']);
});

// The time of the watchdog passes, so a main loop that does not feed it would have ended the image.
test('the clock counts seconds, and the watchdog is fed', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  const age = async () => (await session.readJson(`${uri}/history`)).firstSecondsAgo ?? 0;
  await session.client.subscribeResource({ uri });
  await session.nextUpdate(uri);
  const started = performance.now();
  const first = await age();
  while (await age() < first + 6) await session.nextUpdate(uri);
  const seconds = (performance.now() - started) / 1000;
  t.diagnostic(`6 s of the board took ${seconds} s`);
  assert.ok(seconds > 4.9, `${seconds} s`);
});

test('a call warms the sensor, which notifies the subscriber', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  await session.client.subscribeResource({ uri });
  const states = [[true, 'The LED is on.', 30.5, 'above'], [false, 'The LED is off.', 21.5, 'normal']];
  for (const [on, text, value, level] of states) {
    assert.equal(await call(session, 'set_led', { on }), text);
    do await session.nextUpdate(uri); while ((await session.readJson(uri)).temperature.value !== value);
    assert.equal((await session.readJson(`${uri}/history`)).level, level);
  }
});

test('rejects a wrong argument', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  assert.match(await call(session, 'set_led', { on: 'yes' }), /on/);
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
