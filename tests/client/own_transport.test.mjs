// SPDX-License-Identifier: Apache-2.0
// The lines of examples/own_transport: how they are cut, how long they are, and who is served.
//
// usage: node own_transport.test.mjs lines BINARY
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, connect, library, limitMs, thermometer, waitMs } from './support.mjs';
import { LineClientTransport } from '../../examples/client/lines.mjs';
import { openSession, within } from '../../examples/client/session.mjs';

const limits = { timeout: limitMs };
const ping = (id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const pong = (id) => ({ jsonrpc: '2.0', id, result: {} });

/** A connection, and the messages that come on it. Ends with the test. */
async function open(t, server) {
  const client = new LineClientTransport(server.port);
  const messages = [];
  let arrived;
  client.onmessage = (message) => {
    messages.push(message);
    arrived?.();
  };
  await client.start();
  atEnd(t, () => client.close());
  const next = async () => {
    while (messages.length === 0) {
      await within(waitMs, 'message', new Promise((resolve) => { arrived = resolve; }));
    }
    return messages.shift();
  };
  return { client, next };
}

test('takes lines in pieces, and several at once', limits, async (t) => {
  const { client, next } = await open(t, await thermometer(t));
  for (const byte of `${ping(1)}\r\n`) await client.write(byte);
  assert.deepEqual(await next(), pong(1));
  await client.write(`\n\r\n${ping(2)}\n${ping(3)}\n${ping(4).slice(0, 9)}`);
  for (const id of [2, 3]) assert.deepEqual(await next(), pong(id));
  await client.write(`${ping(4).slice(9)}\n`);
  assert.deepEqual(await next(), pong(4));
});

test('rejects a line that is too long under its id, and serves the next one', limits, async (t) => {
  const { client, next } = await open(t, await thermometer(t));
  const line = (id, size) => ping(id) + ' '.repeat(size - ping(id).length);
  await client.write(`${line(1, 1280)}\r\n`);
  assert.deepEqual(await next(), pong(1));
  for (const size of [1281, 1282, 1283, 5000]) {
    await client.write(`${line(2, size)}\n${ping(3)}\n`);
    const { id, error } = await next();
    assert.deepEqual({ id, error }, {
      id: 2, error: { code: -32600, message: 'Message too long: at most 1280 bytes are accepted.' },
    });
    assert.deepEqual(await next(), pong(3));
  }
});

test('serves the next client when one has left, in a session of its own', limits, async (t) => {
  const { server, session, client } = await connect(t);
  await client.subscribeResource({ uri: 'sensor://temperature' });
  const waits = openSession(server, undefined, library);
  await client.ping();
  await session.close();
  const second = await within(waitMs, 'session', waits);
  atEnd(t, () => second.close());
  await server.setTemperature(30);
  while ((await second.readJson('sensor://temperature')).celsius !== 30);
  assert.equal(second.updates('sensor://temperature'), 0);
});
