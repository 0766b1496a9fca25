// SPDX-License-Identifier: Apache-2.0
// MCP over MQTT through Mosquitto: presence, wills, restarts, access lists, and clients that share a device.
//
// usage: node mqtt.test.mjs mqtt BINARY
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd, command, library, limitMs, temperature, thermometer, waitMs } from './support.mjs';
import { connectMqtt } from '../../examples/client/mqtt.mjs';
import { openSession, within } from '../../examples/client/session.mjs';
import { mqttThermometer } from '../../examples/client/thermometer.mjs';

const limits = { timeout: limitMs };
const control = '$mcp-server/thermometer-1/house/roof';
const rpcOf = (client) => `$mcp-rpc/${client}/thermometer-1/house/roof`;
const online = {
  jsonrpc: '2.0', method: 'notifications/server/online',
  params: { server_name: 'house/roof', description: 'Measures the temperature of this machine.' },
};
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
};

/** A connection of MQTT.js that keeps what it receives. Ends with the test. */
async function listen(t, server, topics, options) {
  const mqtt = await connectMqtt(server.broker.url, options);
  atEnd(t, () => mqtt.endAsync(true));
  const messages = [];
  let arrived;
  mqtt.on('message', (topic, payload) => {
    messages.push([topic, payload.length === 0 ? '' : JSON.parse(payload.toString())]);
    arrived?.();
  });
  const granted = await mqtt.subscribeAsync(topics, { qos: 1, nl: true }).catch((error) => error);
  const next = async (topic) => {
    for (;;) {
      const index = messages.findIndex(([at]) => at === topic);
      if (index >= 0) return messages.splice(index, 1)[0][1];
      await within(waitMs, `message on ${topic}`, new Promise((resolve) => { arrived = resolve; }));
    }
  };
  const send = (topic, message) => mqtt.publishAsync(topic, JSON.stringify({ jsonrpc: '2.0', ...message }), {
    qos: 1, properties: { userProperties: { 'MCP-MQTT-CLIENT-ID': mqtt.options.clientId } },
  });
  return { mqtt, messages, granted, next, send };
}

const presence = '$mcp-server/presence/thermometer-1/house/roof';
const initialize = (id) => ({
  id, method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
});

test('is found by its presence, until it dies', limits, async (t) => {
  const server = await thermometer(t);
  const { next } = await listen(t, server, ['$mcp-server/presence/+/house/#']);
  assert.deepEqual(await next(presence), online);
  await server.device.end('SIGKILL');
  assert.equal(await next(presence), '');
});

test('says goodbye before it stops', limits, async (t) => {
  const server = await thermometer(t);
  const { next } = await listen(t, server, [presence]);
  assert.deepEqual(await next(presence), online);
  const session = await openSession(server, undefined, library);
  const closed = new Promise((resolve) => { session.client.onclose = resolve; });
  await server.device.end('SIGTERM');
  await within(waitMs, 'end of the session', closed);
  assert.equal(await next(presence), '');
});

test('returns to a broker that restarts', limits, async (t) => {
  const server = await thermometer(t);
  await server.broker.stop();
  await server.broker.start();
  const { next } = await listen(t, server, [presence]);
  assert.deepEqual(await next(presence), online);
  const session = await openSession(server, undefined, library);
  assert.equal((await session.readJson(temperature)).celsius, 21.5);
  await session.close();
});

test('serves several clients, and sends a change once for all', limits, async (t) => {
  const server = await thermometer(t);
  const capability = '$mcp-server/capability/thermometer-1/house/roof';
  const { next, messages } = await listen(t, server, [capability]);
  const sessions = [];
  for (let i = 0; i < 3; ++i) {
    const session = await openSession(server, undefined, library);
    atEnd(t, () => session.close());
    await session.client.subscribeResource({ uri: temperature });
    sessions.push(session);
  }
  await sessions[0].client.callTool({ name: 'set_sample_interval', arguments: { milliseconds: 100 } });
  await server.setTemperature(30);
  for (const session of sessions) await session.nextUpdate(temperature);
  assert.deepEqual((await next(capability)).params, { uri: temperature });
  for (const session of sessions) assert.equal((await session.readJson(temperature)).celsius, 30);
  assert.deepEqual(messages, []);
});

test('serves stateless requests on the control topic', limits, async (t) => {
  const server = await thermometer(t);
  const { next, send } = await listen(t, server, [rpcOf('stateless')], { clientId: 'stateless' });
  await send(control, { id: 'a', method: 'resources/read', params: { uri: temperature, _meta: meta } });
  const { id, result } = await next(rpcOf('stateless'));
  assert.equal(id, 'a');
  assert.equal(result.resultType, 'complete');
  assert.equal(JSON.parse(result.contents[0].text).celsius, 21.5);
  const filter = { notifications: { resourceSubscriptions: [temperature] } };
  await send(control, { id: 'b', method: 'subscriptions/listen', params: { ...filter, _meta: meta } });
  assert.equal((await next(rpcOf('stateless'))).method, 'notifications/subscriptions/acknowledged');
  await server.setTemperature(30);
  assert.equal((await next(rpcOf('stateless'))).params.uri, temperature);
});

test('ends the session of a client that is lost', limits, async (t) => {
  const server = await thermometer(t);
  const will = {
    topic: '$mcp-client/presence/lost', qos: 1,
    payload: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' }),
  };
  const first = await listen(t, server, [rpcOf('lost')], { clientId: 'lost', will });
  await first.send(control, initialize(1));
  assert.equal((await first.next(rpcOf('lost'))).result.protocolVersion, '2025-11-25');
  const watch = await listen(t, server, ['$mcp-client/presence/lost']);
  first.mqtt.stream.destroy();
  await watch.next('$mcp-client/presence/lost');
  const second = await listen(t, server, [rpcOf('lost')], { clientId: 'lost' });
  await second.send(control, initialize(2));
  assert.equal((await second.next(rpcOf('lost'))).result.protocolVersion, '2025-11-25');
});

// The access list of transports/mqtt/README.md, for a device and the users ann and bob.
function accessList() {
  const readme = readFileSync(new URL('../../transports/mqtt/README.md', import.meta.url), 'utf8');
  return /<!-- access list -->\n```\n([^`]*)```/.exec(readme)[1];
}

async function withUsers(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  for (const user of ['thermometer-1', 'ann', 'bob']) {
    execFileSync('mosquitto_passwd', [...(user === 'thermometer-1' ? ['-c'] : []), '-b', join(folder, 'users'), user,
      `secret of ${user}`], { stdio: 'ignore' });
  }
  process.env.MQTT_PASSWORD = 'secret of thermometer-1';
  const server = await mqttThermometer(command[0], 21.5, [
    'allow_anonymous false', 'use_username_as_clientid true', 'password_file FOLDER/users', 'acl_file FOLDER/access',
  ], { users: readFileSync(join(folder, 'users'), 'utf8'), access: accessList() },
  ['--user', 'thermometer-1', '--plaintext', 'yes']);
  delete process.env.MQTT_PASSWORD;
  atEnd(t, () => server.close());
  return server;
}

test('lets an access list keep users apart', limits, async (t) => {
  const server = await withUsers(t);
  const as = (user) => ({ clientId: user, username: user, password: `secret of ${user}` });
  const ann = await listen(t, server, [rpcOf('ann'), presence], as('ann'));
  assert.deepEqual(await ann.next(presence), online);
  await ann.send(control, initialize(1));
  assert.equal((await ann.next(rpcOf('ann'))).id, 1);

  // Bob does not hear of ann. He cannot use her session, end it, or take the place of the device.
  const bob = await listen(t, server, [rpcOf('bob')], as('bob'));
  // Mosquitto accepts any subscription, and delivers nothing that its user may not read.
  await bob.mqtt.subscribeAsync([rpcOf('ann'), '$mcp-rpc/ann/#', control, '$mcp-client/presence/ann']);
  for (const topic of [rpcOf('ann'), '$mcp-client/presence/ann', presence]) {
    await assert.rejects(bob.send(topic, { method: 'notifications/disconnected' }), topic);
  }
  await ann.send(rpcOf('ann'), { id: 2, method: 'ping' });
  assert.deepEqual(await ann.next(rpcOf('ann')), { jsonrpc: '2.0', id: 2, result: {} });
  await bob.send(control, initialize(1));
  assert.equal((await bob.next(rpcOf('bob'))).id, 1);
  assert.deepEqual(bob.messages, []);
  await assert.rejects(connectMqtt(server.broker.url, { ...as('ann'), password: 'wrong' }), /Bad|Not authorized/i);
});
