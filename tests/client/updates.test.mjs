// SPDX-License-Identifier: Apache-2.0
// Subscriptions and a sensor that really changes: a file on this machine, QEMU's sensor model on a board (spec:
// server/resources, subscriptions).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertTemperature, connect, limitMs, temperature } from './support.mjs';
import { isAt } from '../../examples/client/thermometer.mjs';

// Reads repeatedly until the new value of the sensor is there: each response triggers the next read.
async function readUntil({ server, session }, celsius) {
  while (!isAt(server, (await session.readJson(temperature)).celsius, celsius));
}

async function setSampleInterval(client, milliseconds) {
  const result = await client.callTool({ name: 'set_sample_interval', arguments: { milliseconds } });
  assert.ok(!result.isError);
}

test('notifies a subscriber of every change', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t, 21.5);
  await setSampleInterval(client, 100);
  await client.subscribeResource({ uri: temperature });
  for (const celsius of [23.25, -5, 0, 120.5, 21.5]) {
    const before = session.updates(temperature);
    await server.setTemperature(celsius);
    await session.nextUpdate(temperature);
    assertTemperature(server, await session.readJson(temperature), celsius);
    assert.equal(session.updates(temperature), before + 1);
  }
});

test('notifies at the initial interval', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t, 21.5);
  await client.subscribeResource({ uri: temperature });
  await server.setTemperature(30);
  await session.nextUpdate(temperature);
  assertTemperature(server, await session.readJson(temperature), 30);
});

test('sends one notification for many changes between two samples', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t, 21.5);
  const interval = 500;
  await setSampleInterval(client, interval);
  await client.subscribeResource({ uri: temperature });
  const started = performance.now();
  const changes = 200;
  for (let change = 1; change <= changes; ++change) await server.setTemperature(22 + change / 4);
  await session.nextUpdate(temperature);
  await readUntil({ server, session }, 22 + changes / 4);
  await client.ping();
  // One sample may lie just before the first whole interval and one just after the last.
  const samples = Math.floor((performance.now() - started) / interval) + 2;
  t.diagnostic(`${changes} changes, at most ${samples} samples, ${session.updates(temperature)} notifications`);
  assert.ok(session.updates(temperature) <= Math.min(samples, changes - 1));
});

test('sends no update to a client that has not subscribed', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t, 21.5);
  await setSampleInterval(client, 100);
  await server.setTemperature(30);
  await readUntil({ server, session }, 30);
  await client.ping();  // A notification of that sample would have come before this answer.
  await client.ping();
  assert.equal(session.updates(temperature), 0);
});

test('sends no update after unsubscribe, and sends updates again after subscribe', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t, 21.5);
  await setSampleInterval(client, 100);
  await client.subscribeResource({ uri: temperature });
  await server.setTemperature(25);
  await session.nextUpdate(temperature);

  await client.unsubscribeResource({ uri: temperature });
  await server.setTemperature(30);
  await readUntil({ server, session }, 30);
  await client.ping();
  await client.ping();
  assert.equal(session.updates(temperature), 1);

  await client.subscribeResource({ uri: temperature });
  await server.setTemperature(35);
  await session.nextUpdate(temperature);
  assertTemperature(server, await session.readJson(temperature), 35);
});

test('sends one notification after subscribing twice', { timeout: limitMs }, async (t) => {
  const { server, session, client } = await connect(t, 21.5);
  await setSampleInterval(client, 100);
  await client.subscribeResource({ uri: temperature });
  await client.subscribeResource({ uri: temperature });
  await server.setTemperature(25);
  await session.nextUpdate(temperature);
  await client.ping();
  await client.ping();
  assert.equal(session.updates(temperature), 1);
});
