// SPDX-License-Identifier: Apache-2.0
// The water tank of examples/freertos with the official client, and wakes.cpp.
//
// usage: node freertos.test.mjs board EMULATE BOARD TANK WAKES
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession, within } from '../../../examples/client/session.mjs';
import { atEnd, kind, library, limitMs, Lines, rejected, waitMs } from '../../client/support.mjs';

const [emulate, board, tank, wakes] = process.argv.slice(3);
const level = 'tank://level';
const tasks = 'device://tasks';
assert.ok(kind === 'board' && wakes, 'usage: node freertos.test.mjs board EMULATE BOARD TANK WAKES');

async function connect(t) {
  const session = await openSession({ command: emulate, args: [board, tank] }, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

const call = async ({ client }, name, values = {}) => client.callTool({ name, arguments: values });

test('initialize, lists and ping', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  assert.equal(client.getServerVersion().name, 'tank');
  assert.deepEqual(Object.keys(client.getServerCapabilities()).sort(), ['resources', 'tools']);
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['set_interval', 'measure']);
  assert.deepEqual((await client.listResources()).resources.map(({ uri }) => uri), [level, tasks]);
  assert.deepEqual(await client.ping(), {});
});

test('a task that posts wakes the server, which notifies the subscriber', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  const { content } = await call(session, 'set_interval', { milliseconds: 10 });
  assert.deepEqual(content, [{ type: 'text', text: 'Sampling every 10 ms.' }]);
  await session.client.subscribeResource({ uri: level });
  let before = (await session.readJson(level)).millimetres;
  for (let update = 0; update < 20; ++update) {
    await session.nextUpdate(level);
    const { millimetres } = await session.readJson(level);
    assert.ok(millimetres >= before, `${millimetres} mm after ${before} mm`);
    before = millimetres;
  }
  assert.ok(before >= 20);
});

test('an interrupt wakes the job that waits for it', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  for (let measurement = 0; measurement < 20; ++measurement) {
    assert.deepEqual((await call(session, 'measure')).content, [
      { type: 'text', text: 'The timer has ended the measurement.' }]);
  }
});

test('the time and the free space on the stacks', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  const first = await session.readJson(tasks);
  assert.ok(first.serverStackLeft > 512 && first.serverStackLeft < 4096, `${first.serverStackLeft} bytes`);
  assert.ok(first.sensorStackLeft > 64 && first.sensorStackLeft < 512, `${first.sensorStackLeft} bytes`);
  await call(session, 'measure');
  while ((await session.readJson(tasks)).uptimeMs < first.uptimeMs + 20);
  const last = await session.readJson(tasks);
  assert.ok(last.serverStackLeft <= first.serverStackLeft && last.serverStackLeft > 512, `${last.serverStackLeft} B`);
  t.diagnostic(`free of 4096 and 512 bytes: ${last.serverStackLeft}, ${last.sensorStackLeft}`);
});

test('rejects a wrong argument and an unknown resource', { timeout: limitMs }, async (t) => {
  const session = await connect(t);
  assert.equal((await call(session, 'set_interval', { milliseconds: 9 })).isError, true);
  assert.equal((await rejected(session.client.readResource({ uri: 'tank://none' }))).code, library.notFound);
});

test('loses no byte of 40 requests at once', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, { command: emulate, args: [board, tank] });
  await lines.initialize();
  const requests = Array.from({ length: 40 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
  await lines.write(`${requests.join('\n')}\n`);
  for (let id = 0; id < 40; ++id) assert.equal((await lines.message()).id, id);
  lines.closeInput();
  assert.deepEqual(await within(waitMs, 'end', lines.ended), { code: 0, signal: null });
});

test('no wake-up is lost, and sleeps end in time', { timeout: limitMs }, async (t) => {
  const lines = new Lines(t, { command: emulate, args: [board, wakes] });
  for (const name of [
    'a wake-up before the scheduler starts',
    'a post of a task between poll() and sleep',
    'a post of an interrupt between poll() and sleep',
    'no sleep of 0 ms',
    'a post of a task',
    'a post of an interrupt',
    '1,000 posts at once',
    'a notification of the application',
    'its value is cleared',
    '200 sleeps of a second, 3 wraps',
    'sleeps that are longer than the tick count lasts',
    'names of tasks',
    'space on the stacks',
    '',
  ]) assert.equal(await lines.anyLine(), name);
  // The sleep of another task than that of the server.
  assert.match(await lines.line(), /^mote: freertos_task\.cpp:\d+: MCP_ASSERT failed$/);
  assert.deepEqual(await within(waitMs, 'end', lines.ended), { code: 102, signal: null });
});
