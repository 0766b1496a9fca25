// SPDX-License-Identifier: Apache-2.0
// Whole lists in one page, shared by all hosts. usage: node lists.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { limits } from '../../toolchains/attach/lib/lists.mjs';
import { discovered, startBroker } from './devices/fake.mjs';
import { environment, FakeHost, Host, limitMs, meta, server } from './support.mjs';

const inputSchema = { type: 'object' };
const named = (names) => names.map((name) => ({ name, inputSchema }));
const own = ['wait_for_change', 'device_log', 'list_devices'];
const namesOf = (m, member = 'tools') => m.result[member].map(({ name }) => name);
const listTools = (host) => host.request('tools/list', { _meta: meta() });

/** Pages of two rows, which a cursor leads through. */
const paged = (rows, more = {}) => ({ cursor = 0 } = {}) => ({
  resultType: 'complete', tools: rows.slice(cursor, cursor + 2), ...more, ...(cursor + 2 < rows.length && { nextCursor: cursor + 2 }),
});
const five = named(['a', 'b', 'c', 'd', 'e']);
const told = { ...discovered, capabilities: { tools: { listChanged: true }, resources: { listChanged: true } } };
const booted = (boot) => ({ ...discovered, _meta: { 'mote/boot': boot } });

test('sends all tools of a real device in one page to hosts of each era', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), ['exec', server, '--stdio']);
  const modern = await host.result('tools/list', { _meta: meta() });
  await host.initialize();
  const legacy = await host.result('tools/list');
  for (const { tools, nextCursor } of [modern, legacy]) {
    assert.equal(nextCursor, undefined);
    assert.ok(tools.length > 40, `${tools.length} tools`);
    assert.deepEqual(tools.slice(0, 3).map(({ name }) => name), own);
  }
  for (const [method, member] of [['resources/list', 'resources'], ['resources/templates/list', 'resourceTemplates'],
    ['prompts/list', 'prompts']]) {
    const result = await host.result(method);
    assert.equal(result.nextCursor, undefined);
    assert.ok(result[member].length > 0, member);
  }
});

test('puts all pages into one, with the shortest time to live', { timeout: limitMs }, async (t) => {
  const times = [9000, 5000, 7000];
  const { broker, device } = await startBroker(t, {
    'tools/list': (params) => ({ ...paged(five)(params), ttlMs: times[(params.cursor ?? 0) / 2], cacheScope: 'private' }),
  });
  const host = new FakeHost(broker);
  const { result } = await listTools(host);
  assert.deepEqual(result.tools.map(({ name }) => name), [...own, 'a', 'b', 'c', 'd', 'e']);
  assert.ok(result.ttlMs <= 5000 && result.ttlMs > 0, `${result.ttlMs}`);
  assert.equal(result.cacheScope, 'private');
  assert.deepEqual(device.received.filter(({ method }) => method === 'tools/list').map(({ params }) => params.cursor), [undefined, 2, 4]);
  host.leave();
});

test('reads a list once for hosts that ask at once, and keeps it for its time to live', { timeout: limitMs }, async (t) => {
  const { broker, device } = await startBroker(t, { 'tools/list': paged(five, { ttlMs: 60_000 }) });
  const hosts = [new FakeHost(broker), new FakeHost(broker), new FakeHost(broker)];
  const all = await Promise.all(hosts.map(listTools));
  for (const m of all) assert.equal(m.result.tools.length, 8);
  await listTools(hosts[0]);
  assert.equal(device.methods('tools/list').length, 3);
  for (const host of hosts) host.leave();
});

test('reads a list again after the time to live, and each time without one', { timeout: limitMs }, async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  let ttlMs = 1000;
  const { broker, device } = await startBroker(t, { 'tools/list': () => ({ tools: five, ttlMs }) });
  const host = new FakeHost(broker);
  const reads = async () => {
    await listTools(host);
    return device.methods('tools/list').length;
  };
  assert.equal(await reads(), 1);
  t.mock.timers.tick(1000);
  assert.equal(await reads(), 1);
  ttlMs = 0;
  t.mock.timers.tick(1);
  assert.equal(await reads(), 2);
  assert.equal(await reads(), 3);
  host.leave();
});

test('keeps a list until the device tells a change', { timeout: limitMs }, async (t) => {
  let tools = five;
  let reading = false;
  const { broker, device } = await startBroker(t, {
    'server/discover': () => told,
    'tools/list': async (_params, _m, link) => {
      await null;
      if (reading) link.notify('notifications/tools/list_changed');
      reading = false;
      return { tools, ttlMs: 0 };
    },
  });
  await broker.device.subscription.update();
  const host = new FakeHost(broker);
  await listTools(host);
  await listTools(host);
  assert.equal(device.methods('tools/list').length, 1);
  tools = named(['new']);
  device.notify('notifications/resources/list_changed');
  await listTools(host);
  assert.equal(device.methods('tools/list').length, 1);
  reading = true;  // and it changes again during the read
  device.notify('notifications/tools/list_changed');
  assert.deepEqual(namesOf(await listTools(host)), [...own, 'new']);
  await listTools(host);
  assert.equal(device.methods('tools/list').length, 3);
  host.leave();
});

test('keeps the lists of a device that is back only if it is the same boot', { timeout: limitMs }, async (t) => {
  let discover = booted('1');
  const { broker, devices } = await startBroker(t, {
    'server/discover': () => discover, 'tools/list': () => ({ tools: five, ttlMs: 60_000 }),
  });
  const host = new FakeHost(broker);
  const count = () => devices.reduce((sum, device) => sum + device.methods('tools/list').length, 0);
  const again = async (next) => {
    discover = next;
    const open = once(broker.device, 'open');
    devices.at(-1).emit('close', 'gone');
    await open;
    await listTools(host);
    return count();
  };
  await listTools(host);
  assert.equal(await again(booted('1')), 1);
  assert.equal(await again(booted('2')), 2);
  assert.equal(await again({ ...booted('2'), instructions: 'Another firmware.' }), 3);
  assert.equal(await again(discovered), 4);
  assert.equal(await again(discovered), 5);
  devices.at(-1).emit('boot', '2');
  await broker.device.ready();
  await listTools(host);
  assert.equal(count(), 6);
  host.leave();
});

test('leaves a list of more than 2 MiB in the pages of the device', { timeout: limitMs }, async (t) => {
  const description = 'x'.repeat(limits.characters / 4);
  const large = named(['a', 'b', 'c', 'd', 'device_log']).map((tool) => ({ ...tool, description }));
  const { broker, device } = await startBroker(t, { 'tools/list': paged(large) });
  const host = new FakeHost(broker);
  const first = await listTools(host);
  assert.deepEqual(namesOf(first), ['wait_for_change', 'list_devices', 'a', 'b']);
  const second = await host.request('tools/list', { cursor: first.result.nextCursor, _meta: meta() });
  assert.deepEqual(namesOf(second), ['c', 'd']);
  const third = await host.request('tools/list', { cursor: second.result.nextCursor, _meta: meta() });
  assert.deepEqual(namesOf(third), ['device_log']);
  assert.equal(third.result.nextCursor, undefined);
  await listTools(host);
  assert.equal(device.methods('tools/list').length, 3 + 3 + 1);
  host.leave();
});

test('does not read pages without end', { timeout: limitMs }, async (t) => {
  const { broker, device } = await startBroker(t, { 'tools/list': ({ cursor = 0 }) => ({ tools: named([`t${cursor}`]), nextCursor: cursor + 1 }) });
  const host = new FakeHost(broker);
  const { result } = await listTools(host);
  assert.deepEqual(result.tools.map(({ name }) => name), [...own, 't0']);
  assert.equal(result.nextCursor, 1);
  assert.equal(device.methods('tools/list').length, limits.pages + 1);
  host.leave();
});

test('passes an error and a list without rows on, and asks again', { timeout: limitMs }, async (t) => {
  const answers = [{ error: { code: -32603, message: 'Not now.' } }, { tools: null }, { tools: five }];
  const { broker } = await startBroker(t, { 'tools/list': () => answers.shift() });
  const host = new FakeHost(broker);
  assert.equal((await listTools(host)).error.message, 'Not now.');
  assert.equal((await listTools(host)).result.tools, null);
  assert.equal((await listTools(host)).result.tools.length, 8);
  host.leave();
});

test('passes a list request with other parameters to the device', { timeout: limitMs }, async (t) => {
  const { broker, device } = await startBroker(t, { 'tools/list': paged(five, { ttlMs: 60_000 }) });
  const host = new FakeHost(broker);
  await listTools(host);
  await host.request('tools/list', { 'com.example/filter': 'x', _meta: meta() });
  const sent = device.received.filter(({ method }) => method === 'tools/list').at(-1);
  assert.equal(sent.params['com.example/filter'], 'x');
  host.leave();
});

test('has first of many readers before the tools of the device, and the others behind them', { timeout: limitMs }, async (t) => {
  const resources = Array.from({ length: 20 }, (_, i) => ({ name: `r${i}`, uri: `a://${i}` }));
  const { broker } = await startBroker(t, { 'tools/list': paged(five), 'resources/list': () => ({ resources }) });
  const host = new FakeHost(broker);
  const names = namesOf(await listTools(host));
  assert.deepEqual(names.slice(0, 4), [...own, 'read_r0']);
  assert.equal(names.indexOf('a'), 8);
  assert.equal(names.at(-1), 'read_r19');
  assert.equal(names.length, 28);
  host.leave();
});

test('runs a tool that reads a resource for a host that has listed nothing', { timeout: limitMs }, async (t) => {
  const { broker } = await startBroker(t, {
    'tools/list': () => ({ tools: named(['read_mine']) }),
    'resources/list': () => ({ resources: [{ name: 'level', uri: 'a://level' }, { name: 'mine', uri: 'a://mine' }] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: `content of ${uri}` }] }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `tool ${name}` }] }),
  });
  const host = new FakeHost(broker);
  const call = async (name) => (await host.request('tools/call', { name, arguments: {}, _meta: meta() })).result.content[0].text;
  assert.equal(await call('read_level'), 'content of a://level');
  assert.equal(await call('read_mine'), 'tool read_mine');
  assert.equal(await call('read_other'), 'tool read_other');
  host.leave();
});

// ---- A device without 2026-07-28 ------------------------------------------------------------------------------------

/** A broker at a device of 2025-11-25, with one host. */
async function startLegacy(t, handlers) {
  const started = await startBroker(t, {
    'server/discover': () => ({ error: { code: -32601, message: 'Method not found' } }),
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } }), ...handlers,
  });
  const host = new FakeHost(started.broker);
  atEnd(t, () => host.leave());
  await host.initialize();
  return { ...started, host };
}

test('sends the list of a device of 2025-11-25 in one page', { timeout: limitMs }, async (t) => {
  const { host, device } = await startLegacy(t, { 'tools/list': paged(five), 'prompts/list': () => ({ prompts: [] }) });
  const { result } = await host.request('tools/list');
  assert.deepEqual(result.tools, five);
  assert.equal(result.nextCursor, undefined);
  assert.equal(device.methods('tools/list').length, 3);
  assert.deepEqual((await host.request('tools/list', { cursor: 2 })).result.tools.map(({ name }) => name), ['c', 'd']);
  assert.deepEqual((await host.request('prompts/list')).result, { prompts: [] });
  assert.equal(host.messages.length, 0);
});

test('leaves pages of a device of 2025-11-25 that are too many, too large or broken', { timeout: limitMs }, async (t) => {
  const large = named(['a', 'b', 'c']).map((tool) => ({ ...tool, description: 'x'.repeat(limits.characters / 2) }));
  const answers = {
    'tools/list': paged(large), 'prompts/list': ({ cursor = 0 } = {}) => ({ prompts: [{ name: `p${cursor}` }], nextCursor: cursor + 1 }),
    'resources/list': ({ cursor } = {}) => (cursor ? { error: { code: -32602, message: 'no' } } : { resources: [{ uri: 'a://1' }], nextCursor: 1 }),
  };
  const { host } = await startLegacy(t, answers);
  for (const method of Object.keys(answers)) {
    const { result } = await host.request(method);
    assert.ok(JSON.stringify(result) === JSON.stringify(answers[method]()), method);
  }
});

test('gives no page of a list to a host that has cancelled it, or to the next host', { timeout: limitMs }, async (t) => {
  const waiting = [];
  const { broker, host, device } = await startLegacy(t, {
    'tools/list': (params) => (params?.cursor ? new Promise((resolve) => waiting.push(() => resolve(paged(five)(params)))) : paged(five)({})),
  });
  const begin = async () => {
    const id = host.begin('tools/list');
    const count = waiting.length;
    while (waiting.length === count) await new Promise(setImmediate);
    return id;
  };
  host.send({ method: 'notifications/cancelled', params: { requestId: await begin() } });
  waiting.pop()();
  while (device.methods('tools/list').length < 3) await new Promise(setImmediate);
  waiting.pop()();
  await begin();
  host.leave();
  const next = new FakeHost(broker);
  atEnd(t, () => next.leave());
  waiting.pop()();
  await next.initialize();
  assert.equal((await next.request('ping')).error.code, -32601);
  assert.deepEqual([...host.messages, ...next.messages], []);
});
