// SPDX-License-Identifier: Apache-2.0
// The thermometer on the emulated board for clients of a broker, over TLS: what only shows from the outside of a board.
//
// usage: node board_mqtt.test.mjs mqtt EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSessionStack } from './stack.mjs';
import { atEnd, command, connect, limitMs, temperature, thermometer, waitMs } from './support.mjs';
import { connectMqtt } from '../../examples/client/mqtt.mjs';
import { openSession, within } from '../../examples/client/session.mjs';

const limits = { timeout: limitMs };
const presence = (server) => `$mcp-server/presence/${server.id}/${server.name}`;

/** What comes on the presence topic of the server: `next()` resolves with the next text. */
async function watchPresence(t, server) {
  const mqtt = await connectMqtt(server.broker.url);
  atEnd(t, () => mqtt.endAsync(true));
  const texts = [];
  let arrived;
  mqtt.on('message', (topic, payload) => {
    texts.push(payload.toString());
    arrived?.();
  });
  await mqtt.subscribeAsync(presence(server), { qos: 1 });
  return async () => {
    while (texts.length === 0) {
      await within(waitMs, 'presence message', new Promise((resolve) => { arrived = resolve; }));
    }
    return texts.shift();
  };
}

test('a session with all features stays within the stack limit', limits, async (t) => {
  await assertSessionStack(t, await connect(t), command[2]);
});

test('is found by its presence, until it loses its power', limits, async (t) => {
  const server = await thermometer(t);
  const next = await watchPresence(t, server);
  assert.equal(JSON.parse(await next()).params.description, 'Measures the temperature of a board.');
  await server.device.end();
  assert.equal(await next(), '');
});

test('returns to a broker that restarts', limits, async (t) => {
  const server = await thermometer(t);
  await server.broker.stop();
  await server.broker.start();
  const next = await watchPresence(t, server);
  assert.equal(JSON.parse(await next()).method, 'notifications/server/online');
  const session = await openSession(server);
  assert.equal((await session.readJson(temperature)).celsius, 21.5);
  await session.close();
  assert.match(server.device.uart, /: offline, because /);
});
