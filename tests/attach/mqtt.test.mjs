// SPDX-License-Identifier: Apache-2.0
// One device behind an MQTT broker: hosts of both eras, restarts of the device and of the broker, users, and the commands.
//
// usage: node mqtt.test.mjs THERMOMETER_MQTT
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { connectMqtt, holdPort } from '../../examples/client/mqtt.mjs';
import { stableTarget } from '../../toolchains/attach/commands/config.mjs';
import * as doctor from '../../toolchains/attach/commands/doctor.mjs';
import * as list from '../../toolchains/attach/commands/list.mjs';
import { connectBroker } from '../../toolchains/attach/lib/links/mqtt.mjs';
import { environment, Host, limitMs, meta, server as binary, within } from './support.mjs';

if (spawnSync('mosquitto', ['-h']).error) {
  console.log('skipped: mosquitto is not installed');
  process.exit(77);
}
const { MqttDevice, answers, startBroker, thermometer } = await import('./devices/mqtt_device.mjs');

const limits = { timeout: limitMs };
const makeCertificates = fileURLToPath(new URL('../../toolchains/make-certificates', import.meta.url));
const temperature = 'sensor://temperature';
const led = { name: 'set_led', arguments: { on: true } };
const open = (t, broker, ...more) => new Host(t, environment(t), ['mqtt', `${broker.url}/house/roof`, ...more]);

/** Runs a command in this process. Returns its status and what it wrote. */
async function run(command, args, more = {}) {
  let text = '';
  const output = { write: (part) => { text += part; } };
  const status = await command.run(args, { stdout: output, stderr: output, ...more });
  return { status, text };
}

test('serves hosts of both eras at once', limits, async (t) => {
  const broker = await startBroker(t);
  const device = await thermometer(t, binary, broker, 'thermometer-1');
  const env = environment(t);
  const target = ['mqtt', `${broker.url}/house/roof`];
  const [session, stateless] = [new Host(t, env, target), new Host(t, env, target)];
  await session.initialize();
  assert.equal(await session.tool('set_led', { on: true }), 'The LED is on.');
  assert.equal(await stateless.tool('set_led', { on: false }, { _meta: meta() }), 'The LED is off.');
  await session.result('resources/subscribe', { uri: temperature });
  const notifications = { resourceSubscriptions: [temperature] };
  stateless.begin('subscriptions/listen', { notifications, _meta: meta() }).response.catch(() => {});
  await stateless.next('notifications/subscriptions/acknowledged');
  await device.setTemperature(30);
  for (const host of [session, stateless]) {
    assert.equal((await host.next('notifications/resources/updated')).params.uri, temperature);
  }
});

/** Returns what waits for the next request with this method to the device. */
async function requestTo(t, broker, device, method) {
  const mqtt = await connectMqtt(broker.url);
  atEnd(t, () => mqtt.endAsync(true));
  await mqtt.subscribeAsync(`$mcp-server/${device}`, { qos: 1 });
  const sent = new Promise((resolve) => {
    mqtt.on('message', (_topic, payload) => { if (JSON.parse(payload.toString()).method === method) resolve(); });
  });
  return () => within(method, sent);
}

test('survives a device that is killed during a call', limits, async (t) => {
  const broker = await startBroker(t);
  const device = await thermometer(t, binary, broker, 'thermometer-1');
  const host = open(t, broker);
  await host.initialize();
  await host.result('resources/subscribe', { uri: temperature });
  device.stop();
  const sent = await requestTo(t, broker, 'thermometer-1/house/roof', 'tools/call');
  const { response } = host.begin('tools/call', led);
  await sent();
  await device.kill();
  const { error } = await response;
  assert.equal(error.code, -32603);
  assert.match(error.message, /is not connected to the broker\); the call may have taken effect/);
  await device.start();
  assert.equal(await host.tool('set_led', { on: true }), 'The LED is on.');
  await host.next('notifications/resources/updated');  // it may have changed
  await device.setTemperature(30);
  await host.next('notifications/resources/updated');
});

test('says that the device is away', limits, async (t) => {
  const broker = await startBroker(t);
  const { error } = await open(t, broker).request('tools/list', { _meta: meta() });
  assert.equal(error.message, 'The device is away: No device named house/roof is connected to the broker.');
});

test('survives a broker that is killed', limits, async (t) => {
  const broker = await startBroker(t);
  await thermometer(t, binary, broker, 'thermometer-1');
  const host = open(t, broker);
  await host.initialize();
  await host.result('resources/subscribe', { uri: temperature });
  await broker.stop();
  await host.wrote(/the connection to the broker was lost/);
  await broker.start();
  await host.next('notifications/resources/updated');
  assert.equal(await host.tool('set_led', { on: true }), 'The LED is on.');
});

test('ignores what is no message', limits, async (t) => {
  const broker = await startBroker(t);
  const methods = { 'tools/call': (_params, _m, send) => (send(null), send(7), { content: [{ type: 'text', text: 'done' }] }) };
  await MqttDevice.start(t, broker, 'odd', 'house/roof', answers({
    ...methods, 'tools/list': () => ({ tools: [{ name: 'odd', inputSchema: { type: 'object' } }] }) }));
  const host = open(t, broker);
  await host.initialize();
  assert.equal(await host.tool('odd'), 'done');
});

/** A broker with the user ann, and files with her password and with another one. */
async function withUser(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const users = join(folder, 'users');
  for (const [at, user] of ['device', 'ann@house'].entries()) {
    execFileSync('mosquitto_passwd', [...(at === 0 ? ['-c'] : []), '-b', users, user, `secret of ${user}`], { stdio: 'ignore' });
  }
  const settings = ['allow_anonymous false', 'password_file FOLDER/users'];
  const broker = await startBroker(t, settings, { users: readFileSync(users) });
  const [right, wrong] = ['right', 'wrong'].map((name) => join(folder, name));
  writeFileSync(right, 'secret of ann@house\n');
  writeFileSync(wrong, 'secret of bob\n');
  return { broker, right, wrong, url: `mqtt://ann%40house@127.0.0.1:${broker.port}/house/roof` };
}

test('says that a password is wrong, and uses a right one', limits, async (t) => {
  const { broker, right, wrong, url } = await withUser(t);
  process.env.MQTT_PASSWORD = 'secret of device';
  atEnd(t, () => delete process.env.MQTT_PASSWORD);
  await thermometer(t, binary, broker, 'thermometer-1', { args: ['--user', 'device', '--plaintext', 'yes'] });
  const found = await run(doctor, ['mqtt', url, '--password-file', wrong]);
  assert.equal(found.text, 'fault: The broker rejects the user name or the password: check the URL and --password-file.\n');
  const { error } = await new Host(t, environment(t), ['mqtt', url, '--password-file', wrong]).request('tools/list', { _meta: meta() });
  assert.match(error.message, /^The device is away: .*Not authorized/);
  const host = new Host(t, environment(t), ['mqtt', url, '--password-file', right]);
  await host.initialize();
  assert.equal(await host.tool('set_led', { on: true }), 'The LED is on.');
});

test('uses a client certificate', limits, async (t) => {
  const certificates = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(certificates, { recursive: true, force: true }));
  execFileSync(makeCertificates, [certificates], { stdio: 'ignore' });
  const broker = await startBroker(t, undefined, undefined, { certificates });
  await MqttDevice.start(t, broker, 'd', 'house/roof', answers({
    'tools/list': () => ({ tools: [{ name: 't', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  }));
  const url = `mqtts://localhost:${broker.tlsPort}`;
  const file = (name) => join(certificates, `${name}.pem`);
  const ca = ['--ca', file('authority')];
  const words = [...ca, '--cert', file('client'), '--key', file('client_key')];
  const host = new Host(t, environment(t), ['mqtt', `${url}/house/roof`, ...words]);
  await host.initialize();
  assert.equal(await host.tool('t'), 'done');
  const found = await run(list, ['--ms', '1', '--json', '--mqtt', url, ...words], await nothingElse(t));
  assert.deepEqual(JSON.parse(found.text)[0].target, ['mqtt', `${url}/house/roof`, '--id', 'd', ...words]);
  const without = await run(doctor, ['mqtt', `${url}/house/roof`, ...ca]);
  assert.deepEqual([without.status, without.text.slice(0, 7)], [1, 'fault: ']);
  const missing = await run(doctor, ['mqtt', `${url}/house/roof`, ...ca, '--cert', '/nonexistent', '--key', '/nonexistent']);
  assert.match(missing.text, /^fault: ENOENT/);
});

/** Milliseconds from requests of `mqtt` to their responses, sorted. Each request follows the PUBACK of a response. */
async function calls(t, mqtt, broker) {
  atEnd(t, () => mqtt.endAsync(true));
  const device = await connectMqtt(broker.url);
  atEnd(t, () => device.endAsync(true));
  await device.subscribeAsync('request', { qos: 1 });
  device.on('message', () => device.publish('response', '', { qos: 1 }));
  await mqtt.subscribeAsync('response', { qos: 1 });
  const times = [];
  for (let i = 0; i < 40; ++i) {
    const begun = performance.now();
    const response = once(mqtt, 'message');
    mqtt.publish('request', '', { qos: 1 });
    await response;
    times.push(performance.now() - begun);
  }
  await device.endAsync(true);
  return times.sort((a, b) => a - b);
}

/**
 * Packets of `fast` do not wait for acknowledgements; packets of `slow` wait 40 ms and more. The system acknowledges the
 * first packets of a connection at once, so the fastest calls tell nothing.
 */
function assertFaster(t, name, fast, slow) {
  const [one, other] = [fast, slow].map((times) => times[times.length / 2]);
  t.diagnostic(`${name}: ${one.toFixed(1)} ms, with delays ${other.toFixed(1)} ms`);
  assert.ok(one < other * 0.7, `${name}: ${one} ms, and with delays ${other} ms`);
}

test('sends each packet at once', limits, async (t) => {
  const broker = await startBroker(t);
  const connectAttach = async () => (await connectBroker({ url: broker.url })).mqtt;
  for (const open of [() => connectMqtt(broker.url), connectAttach]) {
    const slow = await open();
    slow.stream.setNoDelay(false);
    assertFaster(t, open === connectAttach ? 'attach' : 'client', await calls(t, await open(), broker), await calls(t, slow, broker));
  }
  const delaying = await startBroker(t, ['allow_anonymous true', 'set_tcp_nodelay false']);
  const slow = await calls(t, await connectMqtt(delaying.url), delaying);
  assertFaster(t, 'broker', await calls(t, await connectMqtt(broker.url), broker), slow);
});

test('holds ports that the system gives to no other socket', limits, async (t) => {
  const held = await Promise.all(Array.from({ length: 8 }, () => holdPort()));
  for (const { release } of held) atEnd(t, release);
  const ports = held.map(({ port }) => port);
  assert.equal(new Set(ports).size, ports.length);
  const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t');
  for (const port of ports) assert.ok(port < Number(first), `${port}, and the first one of the system is ${first}`);
  const broker = await startBroker(t);
  await broker.stop();
  const others = await Promise.all(Array.from({ length: 8 }, () => holdPort()));
  for (const { release } of others) atEnd(t, release);
  assert.ok(!others.some(({ port }) => port === broker.port));
  await broker.start();
});

test('needs --id if two devices match', limits, async (t) => {
  const broker = await startBroker(t);
  for (const id of ['thermometer-1', 'thermometer-2']) await thermometer(t, binary, broker, id);
  const { error } = await open(t, broker).request('tools/list', { _meta: meta() });
  assert.match(error.message, /2 devices match house\/roof: thermometer-1, thermometer-2\. Name one with --id, or .* house\/roof\/#\./);
  const host = open(t, broker, '--id', 'thermometer-2');
  await host.initialize();
  assert.equal(await host.tool('set_led', { on: true }), 'The LED is on.');
});

/** mDNS without an answer, and a machine without serial ports. */
async function nothingElse(t) {
  const socket = dgram.createSocket('udp4');
  atEnd(t, () => socket.close());
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const mdns = { mdns: [{ ip: '127.0.0.1', port: socket.address().port, bind: false, multicast: false }] };
  return { mdns, places: { root: '/nonexistent', platform: 'linux' } };
}

test('lists the devices of a broker', limits, async (t) => {
  const broker = await startBroker(t);
  const nothing = await nothingElse(t);
  const none = await run(list, ['--ms', '1', '--mqtt', broker.url], nothing);
  assert.equal(none.text, 'No serial port, no board that answers by mDNS, and no device at the broker.\n');
  await thermometer(t, binary, broker, 'thermometer-2', { name: 'cellar' });
  await thermometer(t, binary, broker, 'thermometer-1');
  const { status, text } = await run(list, ['--ms', '1', '--mqtt', broker.url], nothing);
  assert.equal(status, 0);
  assert.equal(text, [
    `mqtt  ${broker.url}/house/roof  thermometer-1, house/roof, Measures the temperature of this machine.  ->  ` +
      `mote-attach mqtt ${broker.url}/house/roof --id thermometer-1`,
    `mqtt  ${broker.url}/cellar  thermometer-2, cellar, Measures the temperature of this machine.  ->  ` +
      `mote-attach mqtt ${broker.url}/cellar --id thermometer-2`, '',
  ].join('\n'));
  const some = await run(list, ['--ms', '1', '--json', '--mqtt', `${broker.url}/house/#`], nothing);
  assert.deepEqual(JSON.parse(some.text), [{
    kind: 'mqtt', url: `${broker.url}/house/roof`, id: 'thermometer-1', name: 'house/roof',
    description: 'Measures the temperature of this machine.', target: ['mqtt', `${broker.url}/house/roof`, '--id', 'thermometer-1'],
  }]);
  await broker.stop();
  assert.equal((await run(list, ['--ms', '1', '--mqtt', broker.url], nothing)).status, 1);
  assert.equal((await run(list, ['--mqtt', 'ftp://x'], nothing)).status, 2);
});

test('finds out what keeps a host from a device', limits, async (t) => {
  const broker = await startBroker(t);
  const url = `${broker.url}/house/roof`;
  const none = await run(doctor, ['mqtt', url]);
  assert.deepEqual([none.status, none.text], [1, 'fault: No device named house/roof is connected to the broker.\n']);
  assert.match((await run(doctor, ['mqtt', `${broker.url}/#`])).text, /No device named #/);
  for (const id of ['thermometer-1', 'thermometer-2']) await thermometer(t, binary, broker, id);
  const one = await run(doctor, ['mqtt', url, '--id', 'thermometer-2']);
  assert.deepEqual([one.status, one.text], [0, 'ok: thermometer 1.0.0 answers in revision 2026-07-28.\n']);
  await MqttDevice.start(t, broker, 'silent', 'house/cellar', () => {});
  const fleet = await run(doctor, ['mqtt', `${broker.url}/house/#`], { ms: 1000 });
  assert.equal(fleet.status, 1);
  assert.deepEqual(fleet.text.trim().split('\n').sort(), [
    'fault: silent: The device is connected to the broker and does not answer: the broker may not let it or you publish.',
    'ok: thermometer-1: thermometer 1.0.0 answers in revision 2026-07-28.',
    'ok: thermometer-2: thermometer 1.0.0 answers in revision 2026-07-28.',
  ]);
  await broker.stop();
  assert.equal((await run(doctor, ['mqtt', url])).text, 'fault: The broker refuses the connection: check its name and port.\n');
});

test('keeps a target in the entry of a host', async () => {
  const words = ['mqtt', 'mqtts://ann@broker/house/#', '--ca', 'ca.pem', '--password-file', '/p', '--plain'];
  assert.deepEqual(await stableTarget(words, '/home/ann', async () => assert.fail()),
    ['mqtt', 'mqtts://ann@broker/house/#', '--password-file', '/p', '--ca', '/home/ann/ca.pem', '--plain']);
  assert.deepEqual(await stableTarget(['mqtt', 'mqtt://broker/boiler', '--id', 'b'], '/', async () => assert.fail()),
    ['mqtt', 'mqtt://broker/boiler', '--id', 'b']);
  const secret = ['mqtt', 'mqtt://ann@broker/boiler', '--plaintext', '--key', 'k.pem', '--cert', '/c.pem'];
  assert.deepEqual(await stableTarget(secret, '/home/ann', async () => assert.fail()),
    ['mqtt', 'mqtt://ann@broker/boiler', '--cert', '/c.pem', '--key', '/home/ann/k.pem', '--plaintext']);
});
