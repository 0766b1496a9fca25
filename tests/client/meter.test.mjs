// SPDX-License-Identifier: Apache-2.0
// The water meter on the emulated board: its contact closes from outside, and the interrupt of that line is what tells
// the client (spec: server/resources, subscriptions).
//
// usage: node meter.test.mjs board EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, limitMs } from './support.mjs';

const volume = 'meter://volume';

/** The contact closes and opens: the key that the emulator takes for the button. */
async function letLitreFlow(server) {
  const events = [true, false].map((down) => ({
    type: 'key', data: { down, key: { type: 'qcode', data: 'ctrl' } },
  }));
  await server.execute('input-send-event', { events });
}

test('counts each litre and notifies a subscriber', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t);
  assert.deepEqual(await session.readJson(volume), { litres: 0 });
  await client.subscribeResource({ uri: volume });
  for (let litres = 1; litres <= 3; ++litres) {
    await letLitreFlow(server);
    await session.nextUpdate(volume);
    assert.deepEqual(await session.readJson(volume), { litres });
    assert.equal(session.updates(volume), litres);
  }
});

test('sends no update without a subscription', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t);
  await client.subscribeResource({ uri: volume });
  await client.unsubscribeResource({ uri: volume });
  await letLitreFlow(server);
  while ((await session.readJson(volume)).litres !== 1);
  await client.ping();
  assert.equal(session.updates(volume), 0);
});
