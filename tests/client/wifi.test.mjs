// SPDX-License-Identifier: Apache-2.0
// The thermometer for a Pico W, on a board with an Ethernet in place of the radio: the official client with its token,
// a request without, and a link that is lost and comes back.
//
// usage: node wifi.test.mjs http EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, library, limitMs, waitMs } from './support.mjs';
import { startEverything } from './everything.mjs';
import { openSession, within } from '../../examples/client/session.mjs';

const headers = { authorization: 'Bearer 0123456789abcdef0123456789abcdef' };

async function connect(t, { url }) {
  const session = await openSession({ url, requestInit: { headers } }, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

async function assertServes({ client }) {
  const { contents: [{ text }] } = await client.readResource({ uri: 'device://info' });
  assert.equal(JSON.parse(text).hardware, 'Raspberry Pi Pico W');
  await client.ping();
}

test('serves clients with the token only', { timeout: limitMs }, async (t) => {
  const server = await startEverything(t);
  for (const wrong of [{}, { authorization: 'Bearer 1123456789abcdef0123456789abcdef' }]) {
    const { status } = await fetch(server.url, { method: 'POST', headers: wrong, body: '{}' });
    assert.equal(status, 401);
  }
  await assertServes(await connect(t, server));
  // More connections, one after another, than the pool has.
  for (let i = 0; i < 4; ++i) {
    const session = await openSession({ url: server.url, requestInit: { headers } }, undefined, library);
    await assertServes(session);
    await session.client.transport.terminateSession?.();  // else its place is kept for a while
    await session.close();
  }
});

test('joins again after the link is lost, and the client continues', { timeout: limitMs }, async (t) => {
  const server = await startEverything(t);
  const session = await connect(t, server);
  for (let i = 1; i <= 2; ++i) {
    // The LED switches the access point off, so the response comes after the link is back.
    await session.client.callTool({ name: 'set_led', arguments: { on: true } });
    await within(waitMs, 'line', server.process.said(new RegExp(`(listening on .*\r\n[^]*){${i + 1}}`), 'uart'));
    await assertServes(session);
  }
  // The second loss continues the back-off of the first, so the access point is back before the next attempt.
  const url = 'listening on http://10.0.2.15/mcp\r\n';
  assert.equal(server.process.uart.slice(server.process.uart.indexOf('wifi: link')),
    `wifi: link lost\r\nwifi: no network with this SSID\r\n${url}wifi: link lost\r\n${url}`);
});
