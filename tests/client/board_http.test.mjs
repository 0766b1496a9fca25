// SPDX-License-Identifier: Apache-2.0
// The thermometer on the emulated board over HTTP or HTTPS: what only shows from the outside of a board.
//
// usage: node board_http.test.mjs http EMULATE BOARD IMAGE
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { connect as connectTcp } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { assertSessionStack } from './stack.mjs';
import { atEnd, command, connect, library, limitMs, temperature, thermometer, waitMs } from './support.mjs';
import { openSession, within } from '../../examples/client/session.mjs';

test('a session with all features stays within the stack limit', { timeout: limitMs }, async (t) => {
  await assertSessionStack(t, await connect(t), command[2]);
});

test('serves a client that uses the mDNS name', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const { protocol, port } = new URL(server.url);
  if (protocol === 'https:') return t.skip('the image has no mDNS');
  await within(waitMs, 'name of the board', server.process.said(/\/\/thermometer\.local\/mcp/, 'uart'));
  // In place of a resolver for mDNS.
  const { lookup } = dns;
  const names = [];
  t.mock.method(dns, 'lookup', (name, options, done) => {
    names.push(name);
    return lookup.call(dns, '127.0.0.1', options, done);
  });
  for (const host of ['thermometer.local', 'thermometer.local.']) {
    const session = await openSession({ url: `http://${host}:${port}/mcp` }, undefined, library);
    assert.deepEqual(await session.readJson(temperature), { celsius: 21.5 });
    await session.client.transport.terminateSession?.();  // else its place is kept for a while
    await session.close();
  }
  await assert.rejects(openSession({ url: `http://thermometer-2.local:${port}/mcp` }, undefined, library), /HttpOptions::hosts/);
  for (const name of ['thermometer.local', 'thermometer.local.', 'thermometer-2.local']) assert.ok(names.includes(name), name);
});

test('evicts cut and silent connections', { timeout: limitMs }, async (t) => {
  const { server, client } = await connect(t);
  const { hostname, port } = new URL(server.url);
  for (let round = 0; round < 5; ++round) {
    const others = Array.from({ length: 4 }, () => connectTcp(Number(port), hostname).on('error', () => {}));
    await Promise.all(others.map((socket) => once(socket, 'connect')));
    for (const socket of others) socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhal');
    for (const socket of others) round % 2 === 0 ? socket.resetAndDestroy() : socket.end();
    await client.ping();
  }
});

test('notifies a stateless client of a change', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const stop = new AbortController();
  atEnd(t, () => stop.abort());
  const id = 'listen';
  const response = await fetch(server.url, {
    method: 'POST',
    signal: stop.signal,
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0', id, method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: [temperature] },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  assert.equal(response.status, 200);
  const events = (async function* read() {
    let text = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (text + piece).split('\n');
      text = lines.pop();
      for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
    }
  })();
  const next = async () => (await within(waitMs, 'event', events.next())).value;
  assert.equal((await next()).method, 'notifications/subscriptions/acknowledged');
  await server.setTemperature(30);
  const { method, params } = await next();
  assert.equal(method, 'notifications/resources/updated');
  assert.equal(params.uri, temperature);
  assert.equal(params._meta['io.modelcontextprotocol/subscriptionId'], id);
});
