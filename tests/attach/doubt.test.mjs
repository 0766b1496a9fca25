// SPDX-License-Identifier: Apache-2.0
// A device that seems not to support 2026-07-28, because bytes are damaged. usage: node doubt.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discovered, FakeLink, fakeTime, pass, settle, start } from './devices/fake_link.mjs';
import { FakeHost } from './support.mjs';

const limitMs = 60_000;

/** A device that refuses 2026-07-28 while `link.isDamaged`, and supports sessions, too. */
function damaged(more = {}) {
  const link = new FakeLink({
    'server/discover': (m, device) => (device.isDamaged ? device.fail(m, -32601) : discovered),
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'd', version: '1' } }),
    'logging/setLevel': () => ({}), 'resources/subscribe': () => ({}),
    'tools/call': (m) => ({ resultType: 'complete', content: [{ type: 'text', text: String(m.params._meta !== undefined) }] }), ...more,
  });
  link.isDamaged = true;
  return link;
}

test('asks a device with sessions again, and takes it for a modern one when it says so', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const { broker, link } = await start(t, {}, { link: damaged({ 'tools/list': () => undefined }) });
  const host = new FakeHost(broker, 3_600_000);
  assert.equal((await host.initialize()).result.serverInfo.name, 'd');
  await host.request('logging/setLevel', { level: 'info' });
  await host.request('resources/subscribe', { uri: 'a://1' });
  assert.equal(broker.device.era, 'legacy');
  const list = host.request('tools/list', {});
  link.isDamaged = false;
  await pass(tick, 2000);
  assert.match((await list).error.message, /supports 2026-07-28, which it did not say before; the call may have taken effect/);
  assert.equal(broker.device.era, 'modern');
  // The host has the session of before, now one of attach.
  const call = await host.request('tools/call', { name: 'x' });
  assert.deepEqual(call.result.content, [{ type: 'text', text: 'true' }]);
  const filters = link.sent('subscriptions/listen').map(({ params }) => params.notifications?.resourceSubscriptions ?? []);
  assert.ok(filters.flat().includes('a://1'));
  assert.equal(link.sent('tools/call')[0].params._meta['io.modelcontextprotocol/logLevel'], 'info');
});

test('asks an undamaged device with sessions three times more, and after damage again', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const { broker, link } = await start(t, {}, { link: damaged() });
  await settle();
  assert.equal(broker.device.era, 'legacy');
  const asked = () => link.sent('server/discover').length - 3;
  await pass(tick, 3_600_000, 10_000);
  assert.equal(asked(), 3);
  for (let i = 0; i < 100; ++i) link.emit('damaged', '{');
  await pass(tick, 3_600_000, 10_000);
  assert.equal(asked(), 4);
  link.isDamaged = false;
  link.emit('damaged', '{');
  await pass(tick, 60_000, 1000);
  assert.equal(broker.device.era, 'modern');
});
