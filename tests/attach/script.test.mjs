// SPDX-License-Identifier: Apache-2.0
// attach in a script: `echo REQUEST | mote-attach TARGET`. The device is devices/watched_device.mjs. usage: node script.test.mjs
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Host, environment, limitMs, meta, within } from './support.mjs';
import { Front } from '../../toolchains/attach/lib/front.mjs';

const timeout = limitMs;
const device = fileURLToPath(new URL('devices/watched_device.mjs', import.meta.url));
const target = ['exec', process.execPath, device];

/** Sends all requests and the end of stdin at once. Returns the messages in the order of their ids. */
async function answers(t, requests, end = '\n') {
  const host = new Host(t, environment(t), target);
  const responses = requests.map(({ id }) => host.response(id));
  host.child.stdin.end(requests.map((m) => JSON.stringify({ jsonrpc: '2.0', ...m })).join('\n') + end);
  const all = await Promise.all(responses);
  assert.equal(await within('end of attach', host.ended), 0);
  return all;
}

const initialize = { id: 1, method: 'initialize', params: {
  protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'script', version: '1' } } };
const call = (id, name, args = {}, more = {}) => ({ id, method: 'tools/call', params: { name, arguments: args, ...more } });

test('responds to requests before the end of stdin, and then ends', { timeout }, async (t) => {
  const [first, second, third] = await answers(t, [initialize, call(2, 'echo', { text: 'a' }), { id: 3, method: 'tools/list' }]);
  assert.equal(first.result.serverInfo.name, 'watched');
  assert.equal(second.result.content[0].text, 'a');
  assert.ok(third.result.tools.length > 5);
});

test('responds to a last line without a line end', { timeout }, async (t) => {
  const [{ result }] = await answers(t, [call(1, 'echo', { text: 'b' }, { _meta: meta() })], '');
  assert.equal(result.content[0].text, 'b');
});

test('ends when the host cannot answer the input request of a script', { timeout }, async (t) => {
  const host = new Host(t, environment(t), target);
  const response = host.response(1);
  host.response(2).catch(() => {});
  host.child.stdin.end([initialize, call(2, 'ask')].map((m) => `${JSON.stringify({ jsonrpc: '2.0', ...m })}\n`).join(''));
  assert.ok((await response).result);
  assert.equal((await host.next('elicitation/create')).params.message, 'Open the valve?');
  assert.equal(await within('end of attach', host.ended, 10_000), 0);
});

test('ends at the end of stdin although a subscription is open', { timeout }, async (t) => {
  const listen = { id: 2, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true }, _meta: meta() } };
  const host = new Host(t, environment(t), target);
  const response = host.response(1);
  host.response(2).catch(() => {});
  const requests = [listen, call(1, 'echo', { text: 'c' }, { _meta: meta() })];
  host.child.stdin.end(requests.map((m) => `${JSON.stringify({ jsonrpc: '2.0', ...m })}\n`).join(''));
  assert.equal((await response).result.content[0].text, 'c');
  assert.equal(await within('end of attach', host.ended, 10_000), 0);
});

test('says that the device does not respond to a script, and fails', { timeout }, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [input, output, text] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const front = new Front(target, join(tmpdir(), 'none.sock'), { input, output, text });
  const ended = once(input, 'end');
  input.end(`${JSON.stringify({ jsonrpc: '2.0', ...initialize })}\n`);
  await ended;
  let status;
  void front.done.then((value) => { status = value; });
  t.mock.timers.tick(29_999);
  await Promise.resolve();
  assert.equal(status, undefined);
  t.mock.timers.tick(1);
  assert.equal(await front.done, 1);
  assert.equal(String(text.read()), 'attach: no response within 30 s to initialize.\n');
  assert.equal(output.read(), null);
});
