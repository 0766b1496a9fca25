// SPDX-License-Identifier: Apache-2.0
// thermometer_http as a process: its options, whom it serves, how it ends.
//
// usage: node thermometer_http.test.mjs http THERMOMETER_HTTP
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { atEnd, command, library, limitMs, temperature } from './support.mjs';
import { openSession } from '../../examples/client/session.mjs';
import { httpThermometer } from '../../examples/client/thermometer.mjs';

const [binary] = command;

async function start(t, ...args) {
  const server = await httpThermometer(binary, 21.5, ...args);
  atEnd(t, () => server.close());
  return server;
}

async function connect(t, server) {
  const session = await openSession(server, undefined, library);
  atEnd(t, () => session.close());
  return session;
}

const initialize = JSON.stringify({
  jsonrpc: '2.0', id: 1, method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
});

/** The answer to a request that names `host` and comes from `localAddress`: fetch() lets us choose neither. */
function send({ url }, method, headers, localAddress, body) {
  return new Promise((resolve, reject) => {
    const asked = request(url.replace('0.0.0.0', '127.0.0.1'), {
      method, agent: false, localAddress,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    }, (response) => response.resume().on('end', () => resolve(response)));
    asked.on('error', reject);
    asked.end(body);
  });
}

// The status of an initialize request, whose session ends at once.
async function statusFor(server, headers, localAddress = undefined) {
  const response = await send(server, 'POST', headers, localAddress, initialize);
  const session = response.headers['mcp-session-id'];
  if (session) await send(server, 'DELETE', { ...headers, 'mcp-session-id': session }, localAddress);
  return response.statusCode;
}

test('prints errors of the command line', () => {
  for (const [args, said] of [
    [['--port', 'x'], /--port is a number from 0 to 65535, not x\n/],
    [['--port', '65536'], /--port is a number/],
    [['--port', ''], /--port is a number/],
    [['--port'], /a value is missing after --port\n/],
    [['--host', 'localhost'], /--host is an IPv4 or IPv6 address, not localhost\n/],
    [['--token', ''], /--token must not be empty/],
    [['--allow-host', 'a/b'], /--allow-host is a name as in a URL, not a\/b\n/],
    [Array.from({ length: 9 }, (_, i) => ['--allow-host', `name-${i}`]).flat(), /too many names: name-8\n/],
    [['--verbose', '1'], /there is no option --verbose\n/],
    [['8080'], /there is no option 8080\n/],
  ]) {
    const { status, stdout, stderr } = spawnSync(binary, args, { encoding: 'utf8', timeout: limitMs });
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, said);
    assert.match(stderr, /^usage: /m);
    assert.equal(stdout, '');
  }
});

test('prints that an address is in use', { timeout: limitMs }, async (t) => {
  const { url } = await start(t);
  const { status, stderr } = spawnSync(binary, ['--port', new URL(url).port], { encoding: 'utf8', timeout: limitMs });
  assert.equal(status, 1);
  assert.match(stderr, /^cannot listen on 127\.0\.0\.1, port \d+: Address already in use\n$/);
});

const hasIpv6 = Object.values(networkInterfaces()).flat().some(({ address }) => address === '::1');
for (const [host, shown] of [['127.0.0.1', '127.0.0.1'], ['::1', '[::1]']]) {
  const skip = host === '::1' && !hasIpv6 && 'this machine has no IPv6';
  test(`serves ${host} without a warning`, { timeout: limitMs, skip }, async (t) => {
    const server = await start(t, '--host', host);
    assert.match(server.process.stderr, new RegExp(`^listening on http://${shown.replace(/[[\].]/g, '\\$&')}:\\d+/mcp\n$`));
    const session = await connect(t, server);
    assert.deepEqual(await session.readJson(temperature), { celsius: 21.5 });
  });
}

test('warns when it listens on all addresses', { timeout: limitMs }, async (t) => {
  const { process } = await start(t, '--host', '0.0.0.0');
  assert.match(process.stderr, /^warning: [^\n]*token[^\n]*\n[^\n]*--allow-host NAME\nlistening on http:\/\/0\.0\.0\.0:/);
  const guarded = await start(t, '--host', '0.0.0.0', '--token', 'secret', '--allow-host', 'boiler.local');
  assert.match(guarded.process.stderr, /^listening on [^\n]*\n$/);
});

test('serves only requests for an allowed host', { timeout: limitMs }, async (t) => {
  const server = await start(t, '--host', '0.0.0.0', '--allow-host', 'boiler.local', '--allow-host', 'gate.example:443');
  const { port } = new URL(server.url);
  for (const host of [`localhost:${port}`, 'localhost:1', `127.0.0.1:${port}`, `0.0.0.0:${port}`, `[::1]:${port}`,
    `Boiler.local:${port}`, 'boiler.local', 'boiler.local.:1', 'gate.example:443']) {
    assert.equal(await statusFor(server, { host }), 200, host);
  }
  for (const host of ['evil.example', `evil.example:${port}`, 'boiler.local.evil.example', 'gate.example']) {
    assert.equal(await statusFor(server, { host }), 403, host);
  }
  const origin = 'http://evil.example';
  assert.equal(await statusFor(server, { host: 'boiler.local', origin }), 403, origin);
});

test('rejects requests without the token', { timeout: limitMs }, async (t) => {
  const server = await start(t, '--token', 'secret');
  await assert.rejects(openSession(server, undefined, library), { code: 401 });
  for (const authorization of ['Bearer secre', 'Bearer secrets', 'secret', 'Basic secret']) {
    assert.equal(await statusFor(server, { authorization }), 401, authorization);
  }
  const session = await connect(t, { ...server, requestInit: { headers: { authorization: 'Bearer secret' } } });
  await session.client.subscribeResource({ uri: temperature });
  await server.setTemperature(30);
  await session.nextUpdate(temperature);
});

test('rejects sessions beyond the share of one host and serves another host', { timeout: limitMs }, async (t) => {
  const server = await start(t);
  const sessions = [];
  for (let count = 0; count < 3; ++count) sessions.push(await connect(t, server));
  await assert.rejects(connect(t, server), (error) => error.code === 503);
  assert.equal(await statusFor(server, {}, '127.0.0.2'), 200);
  for (const { client } of sessions) await client.ping();
});

test('sends two clients the updates of their own subscriptions', { timeout: limitMs }, async (t) => {
  const server = await start(t);
  const [first, second] = [await connect(t, server), await connect(t, server)];
  await first.client.callTool({ name: 'set_sample_interval', arguments: { milliseconds: 100 } });
  await first.client.subscribeResource({ uri: temperature });
  await server.setTemperature(25);
  await first.nextUpdate(temperature);
  await second.client.subscribeResource({ uri: temperature });
  await server.setTemperature(30);
  await Promise.all([first, second].map((session) => session.nextUpdate(temperature)));
  assert.equal(second.updates(temperature), 1);
  assert.deepEqual(await second.readJson(temperature), { celsius: 30 });
});

test('returns an error without the sensor', { timeout: limitMs }, async (t) => {
  const server = await start(t, '--sensor', '/no/such/sensor');
  const session = await connect(t, server);
  await assert.rejects(session.readJson(temperature), { code: -32603 });
  assert.equal((await session.readJson('device://info')).sensorAnswers, false);
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`exits on ${signal} with and without clients`, { timeout: limitMs }, async (t) => {
    const server = await start(t);
    const session = await openSession(server, undefined, library);
    await session.client.ping();
    assert.deepEqual(await server.process.end(signal), { code: 0, signal: null });
    await session.close();
  });
}
