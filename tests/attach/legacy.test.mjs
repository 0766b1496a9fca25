// SPDX-License-Identifier: Apache-2.0
// A device without revision 2026-07-28 serves one host at a time. usage: node legacy.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environment, Host, limitMs, meta, port } from './support.mjs';

const device = fileURLToPath(new URL('devices/legacy_device.mjs', import.meta.url));
const behindPort = ['exec', process.execPath, port, '--mark', process.execPath, device];

test('serves one host at a time and says who has it', { timeout: limitMs }, async (t) => {
  const env = environment(t, { MOTE_ATTACH_LINGER_MS: '5000' });
  const a = new Host(t, env, behindPort);
  assert.equal((await a.initialize({}, '2025-11-25', 'first')).serverInfo.name, 'legacy');
  assert.equal(JSON.parse(await a.tool('name')).client, 'first');
  const b = new Host(t, env, behindPort);
  const refused = await b.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'b', version: '1' } });
  assert.match(refused.error.message, /one host at a time, and first uses it/);
  const { error } = await b.request('tools/list', { _meta: meta() });
  assert.equal(error.code, -32022);
  assert.ok(error.data.supported.includes('2025-11-25'));
  assert.equal((await b.request('tools/list')).error.code, -32600);
  a.child.stdin.end();
  await b.wrote(/first has left/);
  assert.equal((await b.initialize({}, '2025-11-25', 'second')).serverInfo.name, 'legacy');
});

test('makes the session again after a reset', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), behindPort);
  await host.initialize({}, '2025-11-25', 'first');
  await host.result('resources/subscribe', { uri: 'a://1' });
  await host.result('resources/subscribe', { uri: 'a://2' });
  const hanging = host.begin('tools/call', { name: 'hang' });
  await host.next('notifications/message');  // the device has the call
  process.kill(Number((await host.wrote(/port (\d+)/))[1]), 'SIGUSR1');
  assert.match((await hanging.response).error.message, /reset.*may have taken effect/);
  await host.wrote(/device was reset/);
  const text = await host.tool('update');
  assert.deepEqual(JSON.parse(text), { client: 'first', subscribed: ['a://1', 'a://2'] });
  await host.next('notifications/resources/updated', ({ params }) => params.uri === 'a://2');
});
