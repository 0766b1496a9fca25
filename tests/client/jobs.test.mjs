// SPDX-License-Identifier: Apache-2.0
// Calls that take a while: progress, log messages, cancellation (spec: basic/utilities/progress and cancellation,
// server/utilities/logging).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFailure, callText, connectEverything, noRestOfCancelled } from './everything.mjs';
import { command, kind, limitMs, Lines, rejected, waitMs } from './support.mjs';
import { within } from '../../examples/client/session.mjs';

const log = 'notifications/message';

test('sends progress only to clients that request it', { timeout: limitMs }, async (t) => {
  const { client } = await connectEverything(t);
  const told = [];
  const onprogress = (progress) => told.push(progress);
  await callText(client, 'test_tool_with_progress', undefined, { onprogress });
  assert.deepEqual(told, [0, 50, 100].map((progress) => ({ progress, total: 100 })));
  await callText(client, 'test_tool_with_progress');
  assert.equal(told.length, 3);
});

test('sends log messages while a call runs', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectEverything(t);
  await client.setLoggingLevel('debug');
  await callText(client, 'test_tool_with_logging');
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    assert.deepEqual(await inbox.next(log), { level: 'info', logger: 'test_tool_with_logging', data });
  }
  await client.ping();
  assert.deepEqual(inbox.unread(log), []);
});

test('sends only log messages of the requested level', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectEverything(t);
  const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
  for (const [index, level] of levels.entries()) {
    assert.deepEqual(await client.setLoggingLevel(level), {});
    await callText(client, 'test_log_levels');
    for (const data of levels.slice(index)) {
      assert.deepEqual(await inbox.next(log), { level: data, logger: 'levels', data });
    }
    await client.ping();
    assert.deepEqual(inbox.unread(log), []);
  }
  assert.equal((await rejected(client.setLoggingLevel('loud'))).code, -32602);
});

// Starts a call that takes a minute, and resolves when it has begun.
function startSlow(client) {
  const abort = new AbortController();
  let call;
  const begun = new Promise((onprogress) => {
    call = client.callTool({ name: 'test_slow' }, undefined, { onprogress, signal: abort.signal });
  });
  call.catch(() => {});  // Awaited when it was cancelled.
  return begun.then((progress) => ({ progress, call, abort }));
}

test('cancels a call', { timeout: limitMs }, async (t) => {
  const { client, inbox } = await connectEverything(t, { tolerates: noRestOfCancelled });
  await client.setLoggingLevel('info');
  const { progress, call, abort } = await startSlow(client);
  assert.deepEqual(progress, { progress: 1, total: 2, message: 'asleep' });
  abort.abort('enough');
  await assert.rejects(call, /enough/);
  assert.deepEqual(await inbox.next(log), { level: 'notice', logger: 'test_slow', data: 'cancelled' });
  await client.ping();
});

const fewConnections = kind === 'http' && command.length > 1 && 'there are no more connections than jobs';
const overHttp = kind !== 'host' && kind !== 'board' && 'over HTTP a server stays';
test('runs one call for each job slot and serves other requests', { timeout: limitMs, skip: fewConnections }, async (t) => {
  const { client, inbox } = await connectEverything(t, { tolerates: noRestOfCancelled });
  await client.setLoggingLevel('info');
  const running = [];
  // Over HTTP a client leaves one of them to others.
  const room = kind === 'board' ? 2 : overHttp ? 5 : 6;
  while (running.length < room) running.push(await startSlow(client));
  const share = overHttp ? ' for one client' : '';
  assert.match(await callFailure(client, 'test_slow'), new RegExp(`All ${room} job slots${share} are in use`));
  await callText(client, 'test_simple_text');
  for (const { abort, call } of running) {
    abort.abort('enough');
    await assert.rejects(call, /enough/);
    assert.equal((await inbox.next(log)).data, 'cancelled');
  }
  await callText(client, 'test_tool_with_progress');
});

test('a disconnect ends the calls and the server', { timeout: limitMs, skip: overHttp }, async (t) => {
  // Bare lines: the official client ends a server itself that takes its time.
  const [program, ...args] = command;
  const lines = new Lines(t, { command: program, args: kind === 'board' ? args : ['--stdio'] });
  await lines.initialize();
  const { method } = await lines.request(1, 'tools/call', { name: 'test_slow', _meta: { progressToken: 1 } });
  assert.equal(method, 'notifications/progress');
  lines.closeInput();
  assert.deepEqual(await within(waitMs, 'end of the server', lines.ended), { code: 0, signal: null });
});
