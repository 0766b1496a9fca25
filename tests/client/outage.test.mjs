// SPDX-License-Identifier: Apache-2.0
// Failures of the network of a board while a client is connected: the cable is pulled and plugged in again, and the
// board is reset. The client either continues, or gets an error and starts a new session.
//
// usage: node outage.test.mjs http EMULATE BOARD EVERYTHING_SERVER_HTTP
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { callText, connectEverything, startEverything } from './everything.mjs';
import { limitMs, waitMs } from './support.mjs';
import { within } from '../../examples/client/session.mjs';

const uri = 'test://watched-resource';
const update = 'notifications/resources/updated';
// Long enough for a board that looks at its link to see that it is down, and for TCP to send again in vain.
const outageMs = 2000;

/** A board and a client of it that has subscribed. */
async function connectSubscribed(t, server) {
  const connection = await connectEverything(t, { server, tolerates: () => true });
  await connection.client.subscribeResource({ uri });
  return connection;
}

/** The client's standing stream works: it is told of a change. */
async function assertIsTold({ client, inbox }) {
  await callText(client, 'test_update_resource');
  assert.deepEqual(await inbox.next(update), { uri });
}

test('a client continues after its cable was pulled and plugged in', { timeout: limitMs }, async (t) => {
  const server = await startEverything(t);
  const connection = await connectSubscribed(t, { url: server.url });
  await assertIsTold(connection);

  await server.execute('set_link', { name: 'n0', up: false });
  let answered = false;
  const call = callText(connection.client, 'test_update_resource').finally(() => { answered = true; });
  await Promise.race([call, delay(outageMs)]);
  assert.equal(answered, false, 'an answer has come without a cable');
  await server.execute('set_link', { name: 'n0', up: true });

  await within(waitMs, 'answer', call);
  assert.deepEqual(await connection.inbox.next(update), { uri });
  await assertIsTold(connection);
  // All other clients get the same.
  const other = await connectSubscribed(t, { url: server.url });
  await assertIsTold(other);
});

test('a client starts a new session after the board was reset', { timeout: limitMs }, async (t) => {
  const server = await startEverything(t);
  const before = await connectSubscribed(t, { url: server.url });
  await assertIsTold(before);

  await server.execute('system_reset');
  await within(waitMs, 'word from the board', server.process.said(/^ready\r\n[^]*^ready\r\n/m, 'uart'));
  // Its connection is gone, and over a new one the board does not know its session: 404.
  await assert.rejects(within(waitMs, 'answer', before.client.ping()),
    (error) => error.code === 404 || /404/.test(error.message));
  await before.client.close();

  const after = await connectSubscribed(t, { url: server.url });
  assert.notEqual(after.transport.sessionId, before.transport.sessionId);
  await assertIsTold(after);
});
