// SPDX-License-Identifier: Apache-2.0
// The handshake of the official client, and the server information (spec: basic/lifecycle, utilities/ping).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, connect, kind, library, limitMs, rejected, thermometer } from './support.mjs';
import { openSession, sdk } from '../../examples/client/session.mjs';

test('initialize returns name, version and capabilities', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t);
  const started = performance.now();
  const session = await openSession(server, undefined, library);
  atEnd(t, () => session.close());
  t.diagnostic(`start to first answer: ${(performance.now() - started).toFixed(1)} ms`);

  const { name, version } = session.client.getServerVersion();
  assert.equal(name, 'thermometer');
  assert.match(version, /^\d+\.\d+\.\d+$/);
  const { tools, resources, ...others } = session.client.getServerCapabilities();
  assert.ok(tools);
  assert.equal(resources.subscribe, true);
  assert.deepEqual(others, {}, 'nothing is declared that the thermometer does not have');
});

test('responds to ping', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  assert.deepEqual(await client.ping(), {});
});

test('rejects methods of undeclared capabilities', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t);
  for (const method of ['prompts/list', 'logging/setLevel', 'completion/complete', 'no/such/method']) {
    const error = await rejected(client.request({ method, params: {} }, sdk('types.js').EmptyResultSchema));
    assert.equal(error.code, -32601, method);
  }
});

const overHttp = ['http', 'mqtt', 'lines'].includes(kind) && 'a server of a network stays';
test('closing the connection ends the server', { timeout: limitMs, skip: overHttp }, async (t) => {
  const { session } = await connect(t);
  assert.notEqual(session.pid, null);
  await session.close();
  assert.equal(session.pid, null);
});
