// SPDX-License-Identifier: Apache-2.0
// A device that is away: before its first host, while a host waits, and idle. usage: node absent.test.mjs
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { Broker } from '../../toolchains/attach/lib/broker.mjs';
import { times } from '../../toolchains/attach/lib/device.mjs';
import { discovered, FakeLink, fakeTime, hurry, listener, pass, settle, start } from './devices/fake_link.mjs';
import { environment, FakeHost, Host, meta, prefix } from './support.mjs';

const limitMs = 60_000;
const tools = [{ name: 'x', inputSchema: { type: 'object' } }];
const changes = ['tools', 'prompts', 'resources'].map((kind) => `notifications/${kind}/list_changed`);
const all = { ...discovered, capabilities: { tools: { listChanged: true }, resources: { subscribe: true } }, instructions: 'Be brief.' };

/** A broker whose device is away until plug(link). */
async function absent(t, plain = true) {
  const plugged = new EventEmitter();
  let link;
  const open = async () => {
    if (!link) throw new Error('there is no port');
    return link;
  };
  const broker = new Broker({ kind: 'exec', command: 'x', args: [], ...(plain && { plain }) }, open);
  atEnd(t, () => broker.device.stop());
  void broker.device.start();
  const plug = (device) => {
    link = device;
    plugged.emit('link');
    return once(broker.device, 'open');
  };
  return { broker, plug };
}

const away = 'The device is away: there is no port. Its tools, resources and prompts are listed when it is there.';

test('begins a session of a host while the device is away, and announces its lists when it comes', { timeout: limitMs }, async (t) => {
  hurry(t, { absent: 50 });
  const { broker, plug } = await absent(t, false);
  const host = new FakeHost(broker, 20_000);
  const { result } = await host.initialize();
  assert.equal(result.instructions, away);
  assert.deepEqual(result.serverInfo.name, 'mote-attach');
  assert.deepEqual([result.capabilities.tools, result.capabilities.resources], [{ listChanged: true }, { listChanged: true, subscribe: true }]);
  assert.deepEqual((await host.request('ping', {})).result, {});
  assert.deepEqual((await host.request('logging/setLevel', { level: 'info' })).result, {});
  assert.deepEqual((await host.request('tools/list', {})).result.tools.map(({ name }) => name), ['device_log', 'list_devices']);
  assert.deepEqual((await host.request('resources/list', {})).result.resources, []);
  assert.deepEqual((await host.request('prompts/list', {})).result.prompts, []);
  const devices = JSON.parse((await host.request('tools/call', { name: 'list_devices', arguments: {} })).result.content[0].text);
  assert.deepEqual([devices[0].present, devices[0].reason], [false, 'there is no port']);
  assert.match((await host.request('tools/call', { name: 'x' })).error.message, /The device is away: there is no port/);
  assert.deepEqual(host.messages, []);
  const link = new FakeLink({ 'server/discover': () => all, 'tools/list': () => ({ resultType: 'complete', tools }),
    'resources/list': () => ({ resources: [{ uri: 'a://1', name: 'one' }] }), 'resources/templates/list': () => ({ resourceTemplates: [] }),
    'tools/call': () => ({ resultType: 'complete', content: [] }) });
  await plug(link);
  for (const change of changes) await host.next(change, ({ method }) => method === change);
  const names = (await host.request('tools/list', {})).result.tools.map(({ name }) => name);
  for (const name of ['x', 'read_one', 'wait_for_change']) assert.ok(names.includes(name), `${name} in ${names}`);
  assert.deepEqual((await host.request('tools/call', { name: 'x' })).result, { content: [] });
  assert.equal(link.sent('tools/call')[0].params._meta[`${prefix}logLevel`], 'info');
});

test('does the same for a host of 2026-07-28', { timeout: limitMs }, async (t) => {
  hurry(t, { absent: 50 });
  const { broker, plug } = await absent(t);
  const host = new FakeHost(broker);
  assert.equal((await host.request('server/discover', { _meta: meta() })).result.instructions, away);
  const id = host.begin('subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: ['a://1'] }, _meta: meta() });
  const { params } = await host.next('acknowledged', ({ method }) => method === 'notifications/subscriptions/acknowledged');
  assert.deepEqual(params, { notifications: { toolsListChanged: true }, _meta: { [`${prefix}subscriptionId`]: id } });
  assert.deepEqual((await host.request('tools/list', { _meta: meta() })).result.tools, []);
  await plug(new FakeLink({ 'server/discover': () => all, 'tools/list': () => ({ resultType: 'complete', tools }) }));
  await host.next('change', ({ method }) => method === changes[0]);
  await host.next('update', ({ method }) => method === 'notifications/resources/updated');
  assert.deepEqual((await host.request('tools/list', { _meta: meta() })).result.tools, tools);
});

test('gives a host that has begun to a device with sessions', { timeout: limitMs }, async (t) => {
  hurry(t, { absent: 50 });
  const { broker, plug } = await absent(t);
  const [host, other] = [new FakeHost(broker), new FakeHost(broker)];
  await Promise.all([host.initialize(), other.initialize()]);
  await host.request('logging/setLevel', { level: 'info' });
  const link = new FakeLink({
    'server/discover': (m, device) => device.fail(m, -32601), initialize: () => ({ protocolVersion: '2025-11-25', capabilities: {} }),
    'logging/setLevel': () => ({}), 'tools/list': () => ({ tools }),
  });
  await plug(link);
  await host.next('change', ({ method }) => method === changes[0]);
  assert.deepEqual((await host.request('tools/list', {})).result.tools, tools);
  assert.deepEqual(link.received.map(({ method }) => method).slice(3, 6), ['initialize', 'notifications/initialized', 'logging/setLevel']);
  assert.match((await other.request('tools/list', {})).error.message, /Send initialize first/);
});

test('waits longer for a device that can be reached and does not answer yet', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const link = new FakeLink({ 'server/discover': (m, device) => (device.isUp ? all : undefined) });
  const { broker } = await start(t, {}, { link });
  const host = new FakeHost(broker, 3_600_000);
  const begun = host.initialize();
  await pass(tick, times.away - 1500);
  assert.deepEqual(host.messages, []);
  link.isUp = true;
  await pass(tick, 1000);
  const { result } = await begun;
  assert.equal(result.instructions, 'Be brief.');
});

test('fails requests of a host that had begun before the device went away, as before', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  let link = new FakeLink({ 'server/discover': () => all });
  const broker = new Broker({ kind: 'exec', command: 'x', args: [], plain: true }, async () => {
    if (!link) throw new Error('there is no port');
    return link;
  });
  atEnd(t, () => broker.device.stop());
  await broker.device.start();
  const host = new FakeHost(broker, 3_600_000);
  await host.initialize();
  const before = link;
  link = undefined;
  before.emit('close', 'the cable was pulled');
  const list = host.request('tools/list', {});
  await pass(tick, 6000);
  assert.match((await list).error.message, /The device is away: there is no port/);
  const next = new FakeHost(broker, 3_600_000);
  const begun = next.initialize();
  await pass(tick, 3000);
  assert.equal((await begun).result.instructions, `${away} Be brief.`);
});

// ---- A tool that waits ----------------------------------------------------------------------------------------------

const waiting = (host, seconds) => host.request('tools/call', { name: 'wait_for_change', arguments: { uri: 'a://1', seconds } });

test('says that the device went away while a tool waited for a change', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  for (const [seconds, ms] of [[60, 6000], [3, 3500]]) {
    let link = new FakeLink({ 'server/discover': () => all, 'tools/list': () => ({ tools }) });
    const broker = new Broker({ kind: 'exec', command: 'x', args: [] }, async () => {
      if (!link) throw new Error('/dev/ttyACM0 is not there');
      return link;
    });
    atEnd(t, () => broker.device.stop());
    await broker.device.start();
    const host = new FakeHost(broker, 3_600_000);
    await host.initialize();
    const result = waiting(host, seconds);
    await settle();
    const before = link;
    link = undefined;
    before.emit('close', '/dev/ttyACM0 was unplugged');
    await pass(tick, ms);
    const { isError, content } = (await result).result;
    assert.equal(isError, true);
    assert.match(content[0].text, /^The device went away \(\/dev\/ttyACM0 .*\), so it is not known whether a:\/\/1 changed\.$/);
    host.leave();
  }
});

test('reads a resource after a reset while a tool waited', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const { broker, link } = await start(t, {
    'server/discover': () => all, 'tools/list': () => ({ tools }), 'resources/read': () => ({ contents: [{ uri: 'a://1', text: 'new' }] }),
  }, { plain: false });
  const host = new FakeHost(broker, 3_600_000);
  await host.initialize();
  const first = waiting(host, 60);
  await settle();
  link.emit('boot', '0000000a');
  await settle();
  assert.equal((await first).result.content[0].text, 'new');
  const second = waiting(host, 3);
  await pass(tick, 3500);
  assert.equal((await second).result.content[0].text, 'a://1 did not change in 3 s.');
});

// ---- Idle -----------------------------------------------------------------------------------------------------------

for (const [what, capabilities] of [['with', { tools: { listChanged: true } }], ['without', { tools: {} }]]) {
  test(`sends at most 100 bytes a minute for an idle device ${what} changes of lists`, { timeout: limitMs }, async (t) => {
    const tick = fakeTime(t);
    const { open, listen } = listener();
    const result = { ...discovered, capabilities, instructions: 'i'.repeat(300) };
    const link = new FakeLink({ 'subscriptions/listen': listen, 'server/discover': () => result });
    const { broker } = await start(t, {}, { link });
    const host = new FakeHost(broker, 3_600_000);
    await host.initialize();
    await pass(tick, 10_000);
    const minutes = 60;
    const before = link.bytes;
    await pass(tick, minutes * 60_000, 10_000);
    const bytes = (link.bytes - before) / minutes;
    assert.ok(bytes > 0 && bytes <= 100, `${bytes} bytes a minute`);
    assert.equal(broker.device.isOpen, true);
    open.clear();
    await pass(tick, 2 * times.idleLong, 10_000);
    assert.equal(broker.device.isOpen, true);
    if (what === 'with') assert.match(host.text, /The device was reset/);
  });
}

for (const [what, begin] of Object.entries({
  'a call': (host) => host.begin('tools/call', { name: 'x' }),
  'a question to a person': (host) => host.begin('tools/call', { name: 'asks' }),
  'a subscription': (host) => host.begin('resources/subscribe', { uri: 'a://1' }),
  'a tool that waits': (host) => host.begin('tools/call', { name: 'wait_for_change', arguments: { uri: 'a://1' } }),
})) {
  test(`sees within 2 s that a device was reset when ${what} waits, after an idle hour`, { timeout: limitMs }, async (t) => {
    const tick = fakeTime(t);
    const { open, listen } = listener();
    const question = { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } };
    const { broker, link } = await start(t, {
      'server/discover': () => all, 'subscriptions/listen': listen, 'tools/list': () => ({ tools }),
      'tools/call'(m) {
        if (m.params.name === 'asks') return { resultType: 'input_required', requestState: 's', inputRequests: { a: question } };
        return void open.add(m.id);  // it runs
      },
    }, { plain: false });
    const host = new FakeHost(broker, 3_600_000);
    await host.initialize({ elicitation: {} });
    await pass(tick, 3_600_000, 10_000);
    begin(host);
    await pass(tick, 5000);
    assert.doesNotMatch(host.text, /reset/);
    open.clear();
    await pass(tick, 2000);
    assert.match(host.text, /The device was reset/);
    assert.ok(link.received.length > 0);
  });
}

// ---- A broker that crashed ------------------------------------------------------------------------------------------

test('serves added tools, and those of the device with their names, directly after a crash of the broker', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const device = join(env.XDG_RUNTIME_DIR, 'device.mjs');
  writeFileSync(device, `import { createInterface } from 'node:readline';
    import { honest } from ${JSON.stringify(new URL('devices/fuzz.mjs', import.meta.url).href)};
    createInterface({ input: process.stdin }).on('line', (line) => {
      if (line === '') return;
      const m = JSON.parse(line);
      const own = { name: 'device_log', inputSchema: { type: 'object' } };
      const replies = honest(m);
      if (m.method === 'tools/list') replies[0].result.tools.push(own);
      if (m.params?.name === 'device_log') replies[0].result.content[0].text = 'of the device';
      for (const each of replies) process.stdout.write(JSON.stringify(each) + '\\n');
    });`);
  const host = new Host(t, env, ['exec', process.execPath, device]);
  await host.initialize();
  await host.result('tools/list');
  assert.equal(await host.tool('read_one'), 'body');
  const others = [['read_two', { b: '7' }, /^body$/], ['device_log', {}, /^of the device$/], ['list_devices', {}, /"present":true/]];
  for (const [name, args, text] of others) {
    const { broker } = JSON.parse(await host.tool('list_devices'))[0];
    process.kill(broker, 'SIGKILL');
    await host.wrote(/the broker ended/);
    host.text = '';
    assert.match(await host.tool(name, args), text);
  }
});
