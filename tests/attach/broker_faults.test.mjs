// SPDX-License-Identifier: Apache-2.0
// Devices and brokers of MQTT that do what they should not, and a broker that loses messages: no device disturbs the others, and
// each request ends. attach runs in this process. usage: node broker_faults.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import * as doctor from '../../toolchains/attach/commands/doctor.mjs';
import * as list from '../../toolchains/attach/commands/list.mjs';
import { Broker } from '../../toolchains/attach/lib/broker.mjs';
import { times } from '../../toolchains/attach/lib/device.mjs';
import { labelOf, shownName } from '../../toolchains/attach/lib/fleet_names.mjs';
import { limits as sizes, pageOf } from '../../toolchains/attach/lib/links/fleet.mjs';
import { usedOf } from '../../toolchains/attach/lib/links/fleet_member.mjs';
import { answerMs, MqttLink } from '../../toolchains/attach/lib/links/mqtt.mjs';
import { parseTarget } from '../../toolchains/attach/lib/target.mjs';
import { FakeHost, limitMs, meta, within } from './support.mjs';

if (spawnSync('mosquitto', ['-h']).error) {
  console.log('skipped: mosquitto is not installed');
  process.exit(77);
}
const require = createRequire(new URL('../../toolchains/attach/lib/broker.mjs', import.meta.url));
const packets = createRequire(require.resolve('mqtt'))('mqtt-packet');
const { answers, MqttDevice, startBroker } = await import('./devices/mqtt_device.mjs');

const limits = { timeout: limitMs };
const waitMs = 20_000;
const schema = { type: 'object' };
const toolNames = (...names) => ({ tools: names.map((name) => ({ name, inputSchema: schema })) });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const textOf = ({ result, error }) => result?.content[0].text ?? error.message;
const memberOf = {
  'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};
/** A device with one tool, which returns its name. */
const plain = (name = 't') => answers({ 'tools/list': () => toolNames(name), 'tools/call': (params) => text(params.name) });

/** Other values of `object` for one test. */
function change(t, object, values) {
  const before = structuredClone(object);
  atEnd(t, () => Object.assign(object, before));
  Object.assign(object, values);
}

/** A host of attach, which serves what the filter names. */
async function hostAt(t, url, filter = '#') {
  const attach = new Broker(parseTarget(['mqtt', `${url}/${filter}`]));
  const host = new FakeHost(attach, waitMs);
  atEnd(t, () => {
    host.leave();
    attach.device.stop();
  });
  void attach.device.start();
  await host.initialize();
  host.call = (name, args = {}) => host.request('tools/call', { name, arguments: args });
  host.lists = (name) => listed(host, (names) => names.includes(name));
  return host;
}

/** The names of all tools, page by page. */
async function namesOf(host) {
  const names = [];
  let cursor;
  do {
    const { result } = await host.request('tools/list', cursor && { cursor });
    names.push(...result.tools.map(({ name }) => name));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return names;
}

/** Resolves with the names of the tools when they fulfil `check`, now or after a change. */
async function listed(host, check) {
  for (;;) {
    const names = await namesOf(host);
    if (check(names)) return names;
    await host.next('list_changed', ({ method }) => method === 'notifications/tools/list_changed');
  }
}

/** A proxy to a broker. `begin(client, server)` sees each connection; if it returns false, the proxy closes this connection. */
async function proxyOf(t, broker, begin) {
  const sockets = new Set();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    const upstream = connect(broker.port, '127.0.0.1');
    upstream.on('error', () => {});
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    if (begin(client, upstream) === false) return client.destroy();
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `mqtt://127.0.0.1:${server.address().port}`;
}

// ---- Brokers --------------------------------------------------------------------------------------------------------

for (const filter of ['house/roof', '#']) {
  test(`connects again to ${filter} after a connection that ends before its CONNACK`, limits, async (t) => {
    const broker = await startBroker(t);
    await MqttDevice.start(t, broker, 'd', 'house/roof', plain());
    let connections = 0;
    const url = await proxyOf(t, broker, () => ++connections > 1);
    const host = await hostAt(t, url, filter);
    await host.lists(filter === '#' ? 'd_t' : 't');
    assert.equal(connections, 2);
  });
}

test('connects again after a connection that ends while devices are looked up', limits, async (t) => {
  const broker = await startBroker(t);
  await MqttDevice.start(t, broker, 'd', 'house/roof', plain());
  let connections = 0;
  const url = await proxyOf(t, broker, (client, upstream) => {
    const isFirst = ++connections === 1;
    // After the presence, which the proxy passes on first.
    upstream.on('data', (data) => isFirst && data.includes('server/online') && setImmediate(() => client.end()));
  });
  const host = await hostAt(t, url, 'house/roof');
  await host.lists('t');
  assert.equal(connections, 2);
});

test('ends list and doctor with an error when the broker closes each connection', limits, async (t) => {
  const broker = await startBroker(t);
  const url = await proxyOf(t, broker, () => false);
  let said = '';
  const output = { write: (part) => { said += part; } };
  const context = { stdout: output, stderr: output, places: { root: '/nonexistent', platform: 'linux' } };
  const mdns = { mdns: [{ ip: '127.0.0.1', port: 9, bind: false, multicast: false }] };
  assert.equal(await within('end of list', list.run(['--ms', '1', '--mqtt', url], { ...context, mdns })), 1);
  for (const filter of ['a', '#']) {
    assert.equal(await within('end of doctor', doctor.run(['mqtt', `${url}/${filter}`], context)), 1);
  }
  assert.equal(said.match(/the connection to the broker was lost/g).length, 3);
});

/** A broker that grants each subscription, sends the presence of devices and acknowledges no message until `free()`. */
async function slowBroker(t, receiveMaximum) {
  const broker = { subscribed: [], unacknowledged: 0, most: 0 };
  let write;
  let isFree = false;
  const waiting = [];
  const acknowledge = (messageId) => {
    --broker.unacknowledged;
    write({ cmd: 'puback', messageId, reasonCode: 0 });
  };
  broker.appear = (id) => write({ cmd: 'publish', topic: `$mcp-server/presence/${id}/n`, payload: '{}', qos: 0, retain: false });
  broker.free = () => {
    isFree = true;
    for (const messageId of waiting.splice(0)) acknowledge(messageId);
  };
  const server = createServer((socket) => {
    atEnd(t, () => socket.destroy());
    const parser = packets.parser({ protocolVersion: 5 });
    write = (packet) => socket.write(packets.generate(packet, { protocolVersion: 5 }));
    parser.on('packet', ({ cmd, messageId, subscriptions }) => {
      if (cmd === 'connect') write({ cmd: 'connack', reasonCode: 0, sessionPresent: false, properties: { receiveMaximum } });
      if (cmd === 'subscribe') {
        write({ cmd: 'suback', messageId, granted: subscriptions.map(() => 1) });
        broker.subscribed.push(...subscriptions.map(({ topic }) => topic));
      }
      if (cmd === 'publish') {
        broker.most = Math.max(broker.most, ++broker.unacknowledged);
        if (isFree) acknowledge(messageId);
        else waiting.push(messageId);
      }
      broker.changed?.();
    });
    socket.on('data', (data) => parser.parse(data));
    socket.on('error', () => {});
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => server.close());
  broker.url = `mqtt://127.0.0.1:${server.address().port}`;
  /** Resolves when `check` holds after a packet. */
  broker.until = (check) => within('packet', new Promise((resolve) => { broker.changed = () => check() && resolve(); }));
  return broker;
}

test('keeps the Receive Maximum of the broker', limits, async (t) => {
  const broker = await slowBroker(t, 2);
  const hasSubscribed = (id) => () => broker.subscribed.some((topic) => topic.startsWith('$mcp-rpc/') && topic.endsWith(`/${id}/n`));
  const attach = new Broker(parseTarget(['mqtt', `${broker.url}/#`]));
  atEnd(t, () => attach.device.stop());
  await attach.device.start();
  for (const id of ['a', 'b', 'c', 'd', 'e']) {  // each sends a request after its subscriptions
    const subscribed = broker.until(hasSubscribed(id));
    broker.appear(id);
    await subscribed;
  }
  assert.equal(broker.most, 2);
  const rest = broker.until(() => broker.unacknowledged === 0);
  broker.free();
  await rest;
  assert.equal(broker.most, 2);
});

test('loses the device, and no other one, when no client has subscribed to its topic', limits, async (t) => {
  const broker = await startBroker(t);
  const held = [];
  const slow = (name) => answers({ 'tools/list': () => toolNames(name), 'tools/call': (params, m, send) => {
    if (params.arguments.hold) return void held.push(() => send({ id: m.id, result: { resultType: 'complete', ...text('late') } }));
    return text('done');
  } });
  const deaf = await MqttDevice.start(t, broker, 'deaf', 'n', slow('t'));
  await MqttDevice.start(t, broker, 'other', 'n', slow('t'));
  const host = await hostAt(t, broker.url);
  await listed(host, (names) => names.includes('deaf_t') && names.includes('other_t'));
  const others = host.call('other_t', { hold: true });
  const flying = host.call('deaf_t', { hold: true });
  assert.equal(textOf(await host.call('deaf_t')), 'done');  // so the other one has arrived
  await deaf.unsubscribe();
  assert.match(textOf(await host.call('deaf_t')), /no subscription at the broker\); the call may have taken effect/);
  assert.match(textOf(await flying), /no subscription at the broker/);
  await host.wrote(/deaf: the device has no subscription at the broker/);
  await deaf.subscribe();
  await deaf.announce();
  assert.equal(textOf(await host.call('deaf_t')), 'done');
  assert.equal(textOf(await host.call('other_t')), 'done');
  for (const send of held) send();
  assert.equal(textOf(await others), 'late');
});

test('says once why a device may not be used', limits, async (t) => {
  const acl = ['readwrite $mcp-rpc/#', 'readwrite $mcp-client/#', 'readwrite $mcp-server/presence/#', 'read $mcp-server/#',
    'write $mcp-server/yes/#'].map((rule) => `topic ${rule}\n`).join('');
  const broker = await startBroker(t, ['allow_anonymous true', 'acl_file FOLDER/acl'], { acl });
  change(t, times, { retry: [1, 1] });
  await MqttDevice.start(t, broker, 'no', 'n', plain());
  await MqttDevice.start(t, broker, 'yes', 'n', plain());
  const host = await hostAt(t, broker.url);
  await host.lists('yes_t');
  await host.wrote(/no: Publish error: Not authorized/);
  assert.match(textOf(await host.call('no_t')), /^no: The device is away: Publish error: Not authorized\.$/);  // 5 s
  assert.equal(host.text.match(/Not authorized/g).length, 1);
});

// ---- Requests that are lost -----------------------------------------------------------------------------------------

test('ends and cancels a call whose response is lost', limits, async (t) => {
  const broker = await startBroker(t);
  change(t, answerMs, { call: 500 });
  let asked;
  let cancelled = () => {};
  const base = answers({ 'tools/list': () => toolNames('t'), 'tools/call': (_params, m) => { asked = m.id; } });
  await MqttDevice.start(t, broker, 'd', 'n', (m, send) => {
    if (m.method === 'notifications/cancelled' && m.params.requestId === asked) cancelled();
    base(m, send);
  });
  for (const filter of ['#', 'n']) {
    const host = await hostAt(t, broker.url, filter);
    const name = filter === '#' ? 'd_t' : 't';
    await host.lists(name);
    const stopped = new Promise((resolve) => { cancelled = resolve; });
    assert.equal(textOf(await host.call(name)), 'The device did not respond in 0.5 s; the call may have taken effect.');
    await within('cancellation', stopped);
  }
});

test('subscribes again when the acknowledgement is lost', limits, async (t) => {
  const broker = await startBroker(t);
  change(t, answerMs, { other: 500 });
  let lost = 0;
  const base = answers({
    'server/discover': { capabilities: { tools: {}, resources: { subscribe: true } } }, 'tools/list': () => toolNames('t'),
  });
  await MqttDevice.start(t, broker, 'd', 'n', (m, send) => {
    const isLost = m.method === 'subscriptions/listen' && m.params.notifications?.resourceSubscriptions && ++lost === 1;
    if (!isLost) base(m, send);
  });
  const host = await hostAt(t, broker.url, 'n');
  await host.lists('t');
  assert.deepEqual((await host.request('resources/subscribe', { uri: 'test://r' })).result, {});
  assert.ok(lost >= 2);
});

// ---- Devices --------------------------------------------------------------------------------------------------------

test('serves the other devices when one sends rows of the wrong type, too large ones or too many', limits, async (t) => {
  const broker = await startBroker(t);
  const rows = [
    { name: 'odd', inputSchema: schema, description: { toString: 1 } }, { name: 'same', inputSchema: schema },
    { name: 'same', inputSchema: schema }, { name: 5, inputSchema: schema }, null, { name: 'x' }, { name: 'x', inputSchema: schema, title: 1 },
    { name: 'large', inputSchema: schema, description: 'x'.repeat(5 << 10).repeat(20) },
    { name: 'deep', inputSchema: { ...schema, deep: JSON.parse('['.repeat(100) + ']'.repeat(100)) } },
    { name: 'same', inputSchema: schema, uri: 'test://another' },
  ];
  await MqttDevice.start(t, broker, 'odd', 'n', answers({
    'server/discover': { capabilities: { tools: {}, resources: {}, prompts: {} } }, 'tools/list': () => ({ tools: rows }),
    'resources/list': () => ({ resources: [{ name: 'r', uri: { toString: 1 } }, { name: 's', uri: 'test://s', description: {} }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ name: 'r' }, { name: 'u', uriTemplate: 'test://{u}' }] }),
    'prompts/list': () => ({ prompts: [{ name: 'p', arguments: 5 }, { name: 'q' }] }),
  }));
  await MqttDevice.start(t, broker, 'many', 'n', answers({ 'tools/list': () => ({ tools: new Array(300_000).fill(0) }) }));
  await MqttDevice.start(t, broker, 'good', 'n', plain());
  const host = await hostAt(t, broker.url);
  const names = await listed(host, (each) => ['odd_odd', 'good_t'].every((name) => each.includes(name)));
  assert.deepEqual(names.filter((name) => /^(odd|many)_/.test(name)), ['odd_odd', 'odd_same']);
  await host.wrote(/odd: attach: 8 rows of tools\/list are left out, because they are repeated, not valid, larger/);
  await host.wrote(/many: attach: only the first 1000 rows of tools\/list are used/);
  const lists = [['resources/list', 'resources'], ['resources/templates/list', 'resourceTemplates'], ['prompts/list', 'prompts']];
  const shown = await Promise.all(lists.map(async ([method, member]) => (await host.request(method)).result[member]));
  assert.deepEqual(shown.map((each) => each.map(({ name }) => name)), [['odd_s'], ['odd_u'], ['odd_q']]);
  assert.equal(textOf(await host.call('good_t')), 't');
});

test('keeps the rows of a list before its limit, logs the limit and reads no further page', limits, async (t) => {
  const broker = await startBroker(t);
  const pages = [];
  const rows = (page) => Array.from({ length: 10 }, (_, i) => (
    { name: `t${10 * page + i}`, inputSchema: schema, description: 'x'.repeat(60_000) }));
  await MqttDevice.start(t, broker, 'endless', 'n', answers({ 'tools/list': ({ cursor: page = 0 }) => {
    pages.push(page);
    return { tools: rows(page), nextCursor: page + 1 };
  } }));
  await MqttDevice.start(t, broker, 'good', 'n', plain());
  const host = await hostAt(t, broker.url);
  const names = await listed(host, (each) => ['endless_t0', 'good_t'].every((name) => each.includes(name)));
  // 17 rows are smaller than 1 MiB, and 18 are larger.
  const kept = Array.from({ length: 17 }, (_, i) => `endless_t${i}`);
  assert.deepEqual(names.filter((name) => name.startsWith('endless_')), kept);
  assert.deepEqual(pages, [0, 1]);
  await host.wrote(/endless: attach: only the rows in the first 1048576 characters of tools\/list are used/);
});

/** A device with `tools` that have 20,000 characters each. `reload(tools)` changes them. */
async function largeDevice(t, broker, id, tools) {
  let reload;
  const rows = () => tools.map((name) => ({ name, inputSchema: schema, description: 'x'.repeat(20_000) }));
  const device = await MqttDevice.start(t, broker, id, 'n', answers({ 'tools/list': (_params, _m, send) => {
    reload = () => send({ method: 'notifications/tools/list_changed' });
    return { tools: rows() };
  } }));
  return Object.assign(device, { reload: (others = tools) => {
    tools = others;
    reload();
  } });
}

test('limits the lists of all devices together, and keeps a share for each device', limits, async (t) => {
  const broker = await startBroker(t);
  // 200,000 characters are for all, and 50,000 for each device.
  change(t, sizes, { members: 4, total: 400_000 });
  const names = (first, count) => Array.from({ length: count }, (_, i) => `${first}${i}`);
  const host = await hostAt(t, broker.url);
  const has = (...wanted) => listed(host, (all) => wanted.every(([id, tool, count]) => (
    all.filter((name) => name.startsWith(`${id}_${tool}`)).length === count)));
  const greedy = await largeDevice(t, broker, 'greedy', names('t', 15));
  await has(['greedy', 't', 12]);
  await host.wrote(/greedy: attach: only the first rows of tools\/list are used, because the lists of all devices are/);
  const late = await largeDevice(t, broker, 'late', names('t', 2));
  const large = await largeDevice(t, broker, 'large', names('t', 5));
  await has(['greedy', 't', 12], ['late', 't', 2], ['large', 't', 2]);
  // A list replaces the one before without place for both.
  late.reload(names('u', 2));
  greedy.reload(names('u', 15));
  await has(['greedy', 'u', 12], ['late', 'u', 2], ['large', 't', 2]);
  greedy.reload(names('v', 1));
  await has(['greedy', 'v', 1]);
  large.reload();
  await has(['large', 't', 5]);
  greedy.reload(names('w', 15));
  await has(['greedy', 'w', 9], ['late', 'u', 2]);
  large.die();
  await has(['large', 't', 0]);
  greedy.reload();
  await has(['greedy', 'w', 12], ['late', 'u', 2]);
  assert.equal(host.text.match(/greedy: attach: only the first rows/g).length, 2);
});

test('reads only the rows of a page, and all rows page by page', () => {
  let reads = 0;
  const get = (rows, name) => {
    if (/^\d+$/.test(String(name))) ++reads;
    return rows[name];
  };
  const member = (label, count) => {
    const rows = Array.from({ length: count }, (_, i) => ({ json: `"${label}${i}"`, name: '', shownName: '' }));
    return { label, rows: { tools: new Proxy(rows, { get }) } };
  };
  const members = [member('c', 250), { label: 'b', rows: {} }, member('a', 1000), member('d', 1)];
  let next = ['', 0];
  const found = [];
  do {
    reads = 0;
    const { page, nextCursor } = pageOf(members, 'tools', next[0], Number(next[1]));
    assert.ok(reads <= 101 && page.length <= 100, `${reads} reads`);
    found.push(...page);
    next = nextCursor?.split(':');
  } while (next);
  const all = [members[2], members[0], members[3]].flatMap(({ rows }) => [...rows.tools].map(({ json }) => json));
  assert.deepEqual(found, all);
});

test('reads the lists of a device one after another', limits, async (t) => {
  const broker = await startBroker(t);
  const order = [];
  const held = [];
  const hold = (m, send) => {
    order.push(m.method);
    held.push(() => send({ id: m.id, result: { resultType: 'complete', [memberOf[m.method]]: [] } }));
    // attach cancels a subscription that it does not know, after the requests that it has sent before.
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'marker' };
    send({ method: 'notifications/message', params: { _meta } });
  };
  const base = answers({ 'server/discover': { capabilities: { tools: {}, resources: {}, prompts: {} } } });
  let finish;
  const read = new Promise((resolve) => { finish = resolve; });
  await MqttDevice.start(t, broker, 'd', 'n', (m, send) => {
    if (Object.hasOwn(memberOf, m.method)) return hold(m, send);
    if (m.params.requestId !== 'marker') return base(m, send);
    order.push('responds');
    held.shift()();
    if (order.length === 8) finish();
  });
  await hostAt(t, broker.url);
  await within('last list', read);
  assert.deepEqual(order, Object.keys(memberOf).flatMap((method) => [method, 'responds']));
});

test('sends list_changed to the host only when the rows differ', limits, async (t) => {
  const broker = await startBroker(t);
  const device = { tool: 't', prompt: 0, repeats: 0 };
  await MqttDevice.start(t, broker, 'd', 'n', answers({
    'server/discover': { capabilities: { tools: {}, prompts: {} } },
    'tools/list': (_params, m, send) => {
      device.change = (kind) => send({ method: `notifications/${kind}/list_changed` });
      send({ id: m.id, result: { resultType: 'complete', ...toolNames(device.tool) } });
      if (device.repeats > 0) device.change('tools');
      if (--device.repeats === 0) device.reached();
    },
    'prompts/list': () => ({ prompts: [{ name: `p${device.prompt}` }] }),
  }));
  const host = await hostAt(t, broker.url);
  const isChange = (kind) => ({ method }) => method === `notifications/${kind}/list_changed`;
  /** Changes another list. attach sends the changes of all lists together, so it has sent those before. */
  const settle = async () => {
    host.messages.length = 0;
    ++device.prompt;
    device.change('prompts');
    await host.next('list_changed', isChange('prompts'));
  };
  await host.lists('d_t');
  await settle();
  // attach begins the last of these loads when the others have ended.
  const reached = new Promise((resolve) => { Object.assign(device, { repeats: 4, reached: resolve }); });
  device.change('tools');
  await within('last load', reached);
  await settle();
  assert.deepEqual(host.messages.filter(isChange('tools')), []);
  device.tool = 'u';
  device.change('tools');
  await host.next('list_changed', isChange('tools'));
  assert.ok((await namesOf(host)).includes('d_u'));
});

test('ends a page before it is too long for a line', limits, async (t) => {
  const broker = await startBroker(t);
  const names = Array.from({ length: 16 }, (_, i) => `t${10 + i}`);
  const large = { tools: names.map((name) => ({ name, inputSchema: schema, description: 'x'.repeat(60_000) })) };
  const resources = names.map((name) => ({ name, uri: `test://${name}`, description: 'x'.repeat(60_000) }));
  const receive = answers({
    'server/discover': { capabilities: { tools: {}, resources: {} } },
    'tools/list': () => large, 'resources/list': () => ({ resources }),
  });
  const ids = ['a', 'b', 'c'];
  for (const id of ids) await MqttDevice.start(t, broker, id, 'n', receive);
  const host = await hostAt(t, broker.url);
  await listed(host, (each) => ids.every((id) => each.includes(`${id}_t25`) && each.includes(`read_${id}_t25`)));
  const found = [];
  let cursor;
  do {
    const { result } = await host.request('tools/list', cursor && { cursor });
    found.push(JSON.stringify(result).length);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  assert.ok(found.length === 3 && found.every((size) => size <= 1 << 20), found.join());
});

test('bounds what a device says about itself', limits, async (t) => {
  const broker = await startBroker(t);
  const long = 'x'.repeat(5000);
  const device = await MqttDevice.start(t, broker, 'd', 'n', answers({
    'server/discover': { instructions: long, _meta: { 'io.modelcontextprotocol/serverInfo': { name: long, version: long, title: long } } },
    'tools/list': () => toolNames('t'),
  }));
  await device.announce({ description: long });
  const host = await hostAt(t, broker.url);
  await host.lists('d_t');
  const devices = async () => JSON.parse(textOf(await host.call('list_devices'))).slice(1);
  const [{ description, instructions, server }] = await devices();
  assert.deepEqual([description, instructions, server.name, server.version].map((each) => each.length), [200, 500, 100, 100]);
  assert.deepEqual(Object.keys(server), ['name', 'version']);
  change(t, sizes, { devices: 100 });
  assert.deepEqual(await devices(), [{ more: 1 }]);
});

test('keeps only what it uses of the response to server/discover', () => {
  const long = 'x'.repeat(5000);
  const capabilities = { tools: { listChanged: true, more: long }, resources: {}, extensions: { [long]: {} } };
  const used = usedOf({ capabilities, instructions: long, _meta: { more: long }, more: long });
  const kept = { tools: { listChanged: true }, resources: { listChanged: false } };
  assert.deepEqual(used, { capabilities: kept, instructions: long.slice(0, 500) });
});

test('leaves out a device with a long topic, and ends a list with a long cursor', limits, async (t) => {
  const broker = await startBroker(t);
  const host = await hostAt(t, broker.url);
  await MqttDevice.start(t, broker, 'long', 'n'.repeat(1000), plain());
  const list = ({ cursor }) => ({ ...toolNames(cursor ? 'u' : 't'), nextCursor: 'x'.repeat(64 * 1024) });
  await MqttDevice.start(t, broker, 'd', 'n', answers({ 'tools/list': list }));
  const names = await listed(host, (all) => all.includes('d_t'));
  await host.wrote(/d: attach: it did not send all rows of tools\/list/);
  assert.ok(!names.includes('d_u') && !names.includes('long_t'));
  const { result } = await host.request('tools/call', { name: 'list_devices', arguments: {} });
  assert.deepEqual(JSON.parse(result.content[0].text).slice(1).map(({ device }) => device), ['d']);
});

test('adds a device that was left out when a place becomes free', limits, async (t) => {
  const broker = await startBroker(t);
  change(t, sizes, { members: 2, leftOut: 1 });
  const first = await MqttDevice.start(t, broker, 'a', 'n', plain());
  await MqttDevice.start(t, broker, 'b', 'n', plain());
  const host = await hostAt(t, broker.url);
  await listed(host, (names) => names.includes('a_t') && names.includes('b_t'));
  await MqttDevice.start(t, broker, 'c', 'n', plain());
  await host.wrote(/c: is left out, because there are 2 devices/);
  first.die();
  await listed(host, (names) => names.includes('c_t') && !names.includes('a_t'));
});

test('keeps the tools of attach when a device has ids and tools like them', limits, async (t) => {
  const broker = await startBroker(t);
  await MqttDevice.start(t, broker, 'list', 'n', plain('devices'));
  const host = await hostAt(t, broker.url);
  const names = await listed(host, (each) => each.includes(`${labelOf('list')}_devices`));
  assert.equal(names.filter((name) => name === 'list_devices').length, 1);
  assert.match(textOf(await host.call('list_devices')), /"id":"list"/);
});

test('gives tools with odd names others that lead back to them', limits, async (t) => {
  const broker = await startBroker(t);
  await MqttDevice.start(t, broker, 'd', 'n', plain('ä/b c'));
  const host = await hostAt(t, broker.url);
  const shown = shownName('d', 'ä/b c');
  assert.match(shown, /^d_--b-c-[0-9a-f]{10}$/);
  await host.lists(shown);
  assert.equal(textOf(await host.call(shown)), 'ä/b c');
});

test('acknowledges a subscription when one device sends a filter of the wrong type', limits, async (t) => {
  const broker = await startBroker(t);
  const discover = { capabilities: { tools: {}, resources: { subscribe: true } } };
  const good = answers({ 'server/discover': discover, 'tools/list': () => toolNames('t') });
  await MqttDevice.start(t, broker, 'odd', 'n', (m, send) => good(m, ({ params, ...others }) => {
    if (params?.notifications) params.notifications = { resourceSubscriptions: 5, taskIds: [{}] };
    send({ ...others, params });
  }));
  await MqttDevice.start(t, broker, 'good', 'n', good);
  const host = await hostAt(t, broker.url);
  await listed(host, (names) => names.includes('odd_t') && names.includes('good_t'));
  const uris = ['odd', 'good'].map((id) => `fleet:${id}/test://r`);
  host.begin('subscriptions/listen', { notifications: { resourceSubscriptions: uris }, _meta: meta() });
  const { params } = await host.next('acknowledged', ({ method }) => method === 'notifications/subscriptions/acknowledged');
  assert.deepEqual(params.notifications, { resourceSubscriptions: [uris[1]] });
});

test('has no methods that are members of all objects', limits, async (t) => {
  const broker = await startBroker(t);
  const host = await hostAt(t, broker.url);
  for (const method of ['constructor', '__proto__', 'toString']) {
    assert.equal((await host.request(method, { _meta: meta() })).error.code, -32601, method);
  }
});

test('loses the device when no client has subscribed to its control topic, and not to another topic', async () => {
  const mqtt = Object.assign(new EventEmitter(), { connected: false });
  const sent = [];
  const publish = (topic, _text, done) => {
    sent.push(topic);
    done(undefined, true);
  };
  const link = new MqttLink({ mqtt, clientId: 'c', publish }, { id: 'd', name: 'n' }, true);
  const lost = new Promise((resolve) => { link.on('close', resolve); });
  link.send({ id: 1, error: { code: -32601, message: 'Method not found' } });
  link.send({ method: 'notifications/initialized' });
  link.send({ id: 2, method: 'server/discover', params: { _meta: meta() } });
  assert.equal(await within('loss', lost), 'the device has no subscription at the broker');
  assert.deepEqual(sent, [link.rpc, link.rpc, link.control]);
});

test('takes only changes from the topic that all clients read, and nothing that the broker has kept', () => {
  const mqtt = Object.assign(new EventEmitter(), { connected: false });
  const link = new MqttLink({ mqtt, clientId: 'c', publish: () => {} }, { id: 'd', name: 'n' }, true);
  const taken = [];
  link.on('message', (m) => taken.push(m.method ?? m.id));
  const give = (topic, m, retain = false) => mqtt.emit('message', topic, Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...m })), { retain });
  give(link.capability, { method: 'notifications/tools/list_changed' });
  give(link.capability, { method: 'notifications/message', params: {} });
  give(link.capability, { id: 1, result: {} });
  for (const id of [4, null]) give(link.capability, { id, method: 'notifications/tools/list_changed' });
  give(link.rpc, { id: 2, result: {} });
  give(link.rpc, { id: 3, result: {} }, true);
  assert.deepEqual(taken, ['notifications/tools/list_changed', 2]);
});
