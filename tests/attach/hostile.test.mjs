// SPDX-License-Identifier: Apache-2.0
// Hosts and devices that send what they should not, at a broker in this process. usage: node hostile.test.mjs
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { Broker } from '../../toolchains/attach/lib/broker.mjs';
import { Device, Exchange, times } from '../../toolchains/attach/lib/device.mjs';
import { Front } from '../../toolchains/attach/lib/front.mjs';
import { openProgram } from '../../toolchains/attach/lib/links/exec.mjs';
import { Subscription } from '../../toolchains/attach/lib/subscription.mjs';
import { environment, FakeHost, meta, prefix, within } from './support.mjs';

const limitMs = 30_000;
const discover = {
  supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: { subscribe: true } }, resultType: 'complete',
};

/** A device of this process. `handlers` has a function per method; what it returns is the result. */
class FakeLink extends EventEmitter {
  canReset = true;
  received = [];
  #waiting = [];

  constructor(handlers) {
    super();
    this.handlers = handlers;
  }

  send(m) {
    this.received.push(m);
    this.#waiting = this.#waiting.filter((check) => !check(m));
    const handler = this.handlers[m.method];
    const result = handler?.(m, this);
    if (result !== undefined && m.id !== undefined) setImmediate(() => this.emit('message', { jsonrpc: '2.0', id: m.id, result }));
  }

  cancel(requestId) { this.send({ method: 'notifications/cancelled', params: { requestId } }); }
  clear() {}
  close() {}

  /** The first message with this method, sent or to come. */
  got(method, wanted = () => true) {
    const matching = (m) => m.method === method && wanted(m);
    const early = this.received.find(matching);
    if (early) return Promise.resolve(early);
    return within(method, new Promise((resolve) => this.#waiting.push((m) => matching(m) && (resolve(m), true))));
  }
}

const acknowledge = (m, link) => {
  const { notifications } = m.params;
  const params = { notifications, _meta: { [`${prefix}subscriptionId`]: m.id } };
  setImmediate(() => link.emit('message', { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }));
};

async function start(t, handlers = {}, target = { kind: 'exec', command: 'x', args: [], plain: true }) {
  const link = new FakeLink({ 'server/discover': () => discover, 'subscriptions/listen': acknowledge, ...handlers });
  const broker = new Broker(target, async () => link);
  atEnd(t, () => broker.device.stop());
  await broker.device.start();
  return { broker, link };
}

test('rejects a subscription filter of the wrong type and serves the other hosts', { timeout: limitMs }, async (t) => {
  const { broker } = await start(t);
  const [bad, good] = [new FakeHost(broker), new FakeHost(broker)];
  const filters = ['{"resourceSubscriptions":true}', '{"toolsListChanged":["x"]}', '{"resourceSubscriptions":[{"toString":1}]}',
    '{"taskIds":5}', '[]'];
  for (const [id, filter] of filters.entries()) {
    bad.sendText(`{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":` +
      `{"notifications":${filter},"_meta":${JSON.stringify(meta())}}}`);
    assert.equal((await bad.next(filter, (m) => m.id === id)).error.code, -32602);
  }
  bad.sendText('{"jsonrpc":"2.0","id":99,"method":"subscriptions/listen","params":' +
    `{"notifications":{"__proto__":["x"],"constructor":["y"]},"_meta":${JSON.stringify(meta())}}}`);
  await bad.next('acknowledged', (m) => m.method === 'notifications/subscriptions/acknowledged');
  await good.initialize();
  assert.deepEqual((await good.request('resources/subscribe', { uri: 'a://1' })).result, {});
  bad.leave();
});

test('answers each call when the device sends the wrong types', { timeout: limitMs }, async (t) => {
  const wrong = [null, 5, [null], [{ name: 5, uri: null }], {}, [{ uri: 'a://1' }]];
  for (const rows of wrong) {
    const { broker } = await start(t, {
      'tools/list': () => ({ tools: rows }), 'resources/list': () => ({ resources: rows, nextCursor: 1 }),
      'resources/templates/list': () => ({ resourceTemplates: rows }), 'resources/read': () => ({}),
      'tools/call': () => ({ resultType: 'input_required', inputRequests: { a: null } }),
    }, { kind: 'exec', command: 'x', args: [] });
    const [legacy, modern] = [new FakeHost(broker), new FakeHost(broker)];
    await legacy.initialize({ elicitation: {} });
    for (const host of [legacy, modern]) {
      const _meta = host === modern ? meta() : {};
      await host.request('tools/list', { _meta });
      await host.request('tools/call', { name: 'read_a_1', _meta });
      await host.request('tools/call', { name: 'wait_for_change', arguments: { uri: 'a://1', seconds: 0 }, _meta });
      await host.request('tools/call', { name: 'x', _meta });
    }
    legacy.leave();
    modern.leave();
  }
});

test('ignores an acknowledgement while there is no subscription', async (t) => {
  const { broker } = await start(t);
  new Subscription(broker.device).acknowledged({ method: 'notifications/subscriptions/acknowledged', params: {} });
});

test('answers a call whose error is nested too deeply', { timeout: limitMs }, async (t) => {
  let data = [];
  for (let i = 0; i < 20_000; ++i) data = [data];
  const { broker } = await start(t, {}, { kind: 'exec', command: 'x', args: [] });
  const host = new FakeHost(broker);
  broker.device.request = (exchange) => exchange.end({ error: { code: -1, message: 'm', data } });
  const { error } = await host.request('tools/call', { name: 'x', _meta: meta() });
  assert.equal(error.code, -32603);
  host.leave();
});

test('ends a broken round when its host leaves', { timeout: limitMs }, async (t) => {
  const { broker } = await start(t, {
    'tools/call': () => ({ resultType: 'input_required', requestState: 's', inputRequests: { a: null } }),
  });
  const host = new FakeHost(broker);
  await host.request('tools/call', { name: 'x', _meta: meta() });
  host.leave();
  assert.equal(broker.hosts.size, 0);
});

/** Shorter waits of attach for one test. */
function hurry(t, waits) {
  const before = { ...times };
  atEnd(t, () => Object.assign(times, before));
  Object.assign(times, waits);
}

const fail = (m, link, code) => setImmediate(() => link.emit('message', { jsonrpc: '2.0', id: m.id, error: { code, message: 'x' } }));

test('ends a call when its response and those of its checks are lost', { timeout: limitMs }, async (t) => {
  hurry(t, { probe: 50 });
  const ids = new Set();
  let lost = 0;
  const { broker, link } = await start(t, {
    'server/discover': () => ({ ...discover, capabilities: { tools: { listChanged: true } } }),
    'subscriptions/listen'(m, device) {
      const isCheckOfCall = typeof m.id === 'number';
      const code = ids.has(m.id) ? -32600 : m.params.notifications ? 0 : -32602;
      if (code === 0) ids.add(m.id);
      if (isCheckOfCall && ++lost <= 3) return;
      if (code === 0) acknowledge(m, device);
      else fail(m, device, code);
    },
    'tools/call': () => undefined,
  });
  const host = new FakeHost(broker);
  await link.got('subscriptions/listen', (m) => m.params.notifications === undefined);  // the device compares ids
  const call = host.request('tools/call', { name: 'x', _meta: meta() });
  await link.got('tools/call');
  link.emit('damaged', '');
  assert.match((await call).error.message, /lost on the wire/);
  assert.ok(lost > 3, 'lost');
});

test('goes on with a running call when a check of it is damaged', { timeout: limitMs }, async (t) => {
  hurry(t, { probe: 50 });
  const codes = [-32601, -32602, -32600, -32602, -32600];
  const { broker, link } = await start(t, {
    'server/discover': () => ({ ...discover, capabilities: { tools: { listChanged: true } } }),
    'subscriptions/listen'(m, device) {
      if (typeof m.id !== 'number') return m.params.notifications ? acknowledge(m, device) : fail(m, device, -32600);
      if (codes.length > 0) fail(m, device, codes.shift());
      else setImmediate(() => device.emit('message', { jsonrpc: '2.0', id: m.id, result: { content: [] } }));
    },
    'tools/call': () => undefined,
  });
  const host = new FakeHost(broker);
  await link.got('subscriptions/listen', (m) => m.params.notifications === undefined);
  const call = host.request('tools/call', { name: 'x', _meta: meta() });
  await link.got('tools/call');
  link.emit('damaged', '');
  assert.deepEqual((await call).result, { content: [] });
  assert.deepEqual(codes, []);
});

for (const [what, answer] of [['no id', { error: { code: -32700, message: 'x' } }], ['another id', { id: 7, result: {} }]]) {
  test(`ends a call after an answer with ${what}, of a device that does not compare ids`, { timeout: limitMs }, async (t) => {
    hurry(t, { damaged: 50 });
    const { broker, link } = await start(t, { 'tools/call': () => undefined });
    const host = new FakeHost(broker);
    const call = host.request('tools/call', { name: 'x', _meta: meta() });
    await link.got('tools/call');
    link.emit('message', { jsonrpc: '2.0', ...answer });
    assert.match((await call).error.message, /lost on the wire/);
  });
}

test('takes a device for an older one after three equal refusals', { timeout: limitMs }, async (t) => {
  for (const [codes, era] of [[[-32601, -32601, 0], 'modern'], [[-32601, -32602, -32601, 0], 'modern'], [[-32601, -32601, -32601], 'legacy']]) {
    const { broker } = await start(t, {
      'server/discover'(m, device) {
        const code = codes.shift();
        if (code === 0) return discover;
        fail(m, device, code);
        return undefined;
      },
    });
    await broker.device.ready();
    assert.equal(broker.device.era, era);
  }
});

const question = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } };
const asks = { 'tools/call': () => ({ resultType: 'input_required', requestState: 's', inputRequests: { a: question } }) };

test('takes each boot mark of a device in use for a reset', { timeout: limitMs }, async (t) => {
  const { broker, link } = await start(t, { 'tools/call': () => undefined });
  const host = new FakeHost(broker);
  for (const id of ['0000000a', '0000000a', '0000000a']) {
    const call = host.request('tools/call', { name: 'x', _meta: meta() });
    await link.got('tools/call', (m) => m.id > 0);
    link.received.length = 0;
    link.emit('boot', id);
    assert.match((await call).error.message, /reset/);
    await broker.device.ready();
  }
});

/** The listen handler of a device. `lost(m)` says that a request never arrived. */
function listener(compares, lost = () => false) {
  const open = new Set();
  const handler = (m, link) => {
    if (lost(m)) return;
    const code = compares && open.has(m.id) ? -32600 : m.params.notifications ? 0 : -32602;
    if (code !== 0) return fail(m, link, code);
    open.add(m.id);
    acknowledge(m, link);
  };
  return { open, handler };
}

const changing = () => ({ ...discover, capabilities: { tools: { listChanged: true } } });

test('ends a question when the device is reset before its ids are tested', { timeout: limitMs }, async (t) => {
  let wasReset = false;
  const { open, handler } = listener(true, (m) => m.params.notifications === undefined && !wasReset);
  const { broker, link } = await start(t, { ...asks, 'server/discover': changing, 'subscriptions/listen': handler });
  const host = new FakeHost(broker);
  await host.initialize({ elicitation: {} });
  const check = await link.got('subscriptions/listen', (m) => m.params.notifications === undefined);
  const call = host.request('tools/call', { name: 'x' });
  await host.next('question', (m) => m.method === 'elicitation/create');
  open.clear();
  wasReset = true;
  fail(check, link, -32602);
  assert.match((await call).error.message, /reset/);
  await broker.device.ready();
});

test('takes a device that does not compare ids for no reset', { timeout: limitMs }, async (t) => {
  hurry(t, { probe: 50, idle: 50 });
  const { open, handler } = listener(false);
  const { broker, link } = await start(t, { ...asks, 'server/discover': changing, 'subscriptions/listen': handler });
  const host = new FakeHost(broker);
  await host.initialize({ elicitation: {} });
  const call = host.request('tools/call', { name: 'x' });
  const { id } = await host.next('question', (m) => m.method === 'elicitation/create');
  // It is probed with discoveries as soon as it is known.
  await link.got('server/discover', () => link.received.filter((m) => m.method === 'server/discover').length > 3);
  link.handlers['tools/call'] = () => ({ content: [] });
  host.send({ id, result: { action: 'accept', content: {} } });
  assert.deepEqual((await call).result, { content: [] });
  assert.equal(open.size, 2);
});

test('ends a question of a task when the device is reset', { timeout: limitMs }, async (t) => {
  const { broker, link } = await start(t, asks);
  const host = new FakeHost(broker);
  await host.initialize({ elicitation: {} });
  const created = await host.request('tools/call', { name: 'x', task: {} });
  const { taskId } = created.result.task;
  const { id } = await host.next('question', (m) => m.method === 'elicitation/create');
  const result = host.request('tasks/result', { taskId });
  link.emit('boot', '0000000a');
  assert.match((await result).error.message, /reset/);
  await host.next('withdrawal', (m) => m.method === 'notifications/cancelled' && m.params.requestId === id);
  host.send({ id, result: { action: 'accept', content: {} } });
  assert.equal((await host.request('tasks/get', { taskId })).result.status, 'failed');
});

test('tells of a reset when the answer to a question of before comes', { timeout: limitMs }, async (t) => {
  const { broker, link } = await start(t, asks);
  const host = new FakeHost(broker);
  const params = { name: 'x', _meta: meta() };
  assert.equal((await host.request('tools/call', params)).result.resultType, 'input_required');
  link.emit('boot', '0000000a');
  await broker.device.ready();
  const retry = { ...params, requestState: 's', inputResponses: { a: { action: 'accept', content: {} } } };
  assert.match((await host.request('tools/call', retry)).error.message, /reset/);
  assert.equal((await host.request('tools/call', params)).result.resultType, 'input_required');
});

test('meets a device whose capabilities are missing', { timeout: limitMs }, async (t) => {
  for (const result of [{ supportedVersions: ['2026-07-28'] }, { supportedVersions: ['2026-07-28'], capabilities: 5 }]) {
    const { broker } = await start(t, { 'server/discover': () => result }, { kind: 'exec', command: 'x', args: [] });
    assert.ok((await new FakeHost(broker).initialize()).result);
  }
});

test('meets a device whose supported versions are no list', { timeout: limitMs }, async (t) => {
  const { broker } = await start(t, { 'server/discover': () => ({ supportedVersions: 5 }), 'initialize': () => ({ ok: true }) });
  assert.deepEqual((await new FakeHost(broker).initialize()).result, { ok: true });
});

test('rejects a request of the device and shows it to no host', { timeout: limitMs }, async (t) => {
  const { broker, link } = await start(t);
  const host = new FakeHost(broker);
  await host.request('server/discover', { _meta: meta() });
  link.emit('message', { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: {} });
  await host.request('server/discover', { _meta: meta() });
  assert.deepEqual(host.messages, []);
  assert.equal(link.received.find(({ id }) => id === 'q').error.code, -32601);
});

test('ends a task whose result is missing', { timeout: limitMs }, async (t) => {
  for (const status of ['completed', 'failed']) {
    const { broker } = await start(t, { 'tools/call': () => ({ resultType: 'task', taskId: 't', status }) });
    const host = new FakeHost(broker);
    await host.initialize();
    const { task } = (await host.request('tools/call', { name: 'x', task: {} })).result;
    const ending = await host.request('tasks/result', { taskId: task.taskId });
    assert.ok(ending.result ?? ending.error, status);
  }
});

// ---- Links that may lose a message ----------------------------------------------------------------------------------

/** Times that a test moves. */
function fakeTime(t) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  return (ms) => t.mock.timers.tick(ms);
}

/** Lets promises and what setImmediate() has planned run. */
const settle = async () => {
  for (let i = 0; i < 10; ++i) await new Promise((resolve) => setImmediate(resolve));
};

/** A device behind a link that may lose a message. */
async function lossy(t, handlers) {
  const link = Object.assign(new FakeLink({ 'server/discover': () => discover, 'subscriptions/listen': acknowledge, ...handlers }),
    { canReset: false, answerMs: { call: 60_000, other: 30_000 } });
  const said = [];
  const device = new Device(async () => link, (text) => said.push(text));
  atEnd(t, () => device.stop());
  await device.start();
  await settle();
  return { device, link, said, sent: (method) => link.received.filter((m) => m.method === method) };
}

test('ends a request for which nothing has come in time, and counts from its last progress', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const { device, link, sent } = await lossy(t, {});
  const endings = {};
  const send = (name, method, progress) => {
    const exchange = new Exchange(method, { _meta: {} }, (ending) => { endings[name] = ending.error?.message ?? 'result'; }, progress);
    device.request(exchange);
    return exchange;
  };
  const [call, long] = [send('call', 'tools/call'), send('long', 'tools/call', () => {})];
  send('read', 'resources/read');
  tick(29_000);
  assert.deepEqual(endings, {});
  tick(1000);
  assert.deepEqual(Object.keys(endings), ['read']);
  link.emit('message', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: long.id, progress: 1 } });
  tick(30_000);
  assert.deepEqual(Object.keys(endings), ['read', 'call']);
  assert.equal(endings.call, 'The device did not respond in 60 s; the call may have taken effect.');
  tick(29_000);
  link.emit('message', { jsonrpc: '2.0', id: long.id, result: {} });
  assert.equal(endings.long, 'result');
  link.emit('message', { jsonrpc: '2.0', id: call.id, result: {} });  // late
  assert.deepEqual(sent('notifications/cancelled').map(({ params }) => params.requestId), [call.id + 2, call.id]);
});

test('asks a device that does not answer less often, and at once when it announces itself', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const { device, link, sent } = await lossy(t, { 'server/discover': () => undefined });
  const asked = () => sent('server/discover').length;
  const counts = [1000, 1000, 1000, 3000, 1000].map((ms) => (tick(ms), asked()));
  assert.deepEqual(counts, [2, 2, 3, 3, 4]);
  for (let s = 0; s < 3600; ++s) tick(1000);
  assert.ok(asked() > 100 && asked() < 130, `${asked()} requests in an hour`);
  const before = asked();
  link.emit('present');
  assert.equal(asked(), before + 1);
  tick(1000);
  assert.equal(asked(), before + 2);
  const [first] = sent('server/discover');
  link.emit('message', { jsonrpc: '2.0', id: first.id, result: discover });  // forgotten
  assert.equal(device.isOpen, false);
  link.emit('message', { jsonrpc: '2.0', id: sent('server/discover').at(-1).id, result: discover });
  assert.equal(device.isOpen, true);
});

test('opens a link that closes at once again after growing waits, and says why once', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const reasons = [];
  let opened = 0;
  const device = new Device(async () => {
    const link = Object.assign(new FakeLink({}), { canReset: false, answerMs: { call: 1, other: 1 } });
    ++opened;
    link.send = () => setImmediate(() => link.emit('close', opened < 20 ? 'not authorized' : 'away'));
    return link;
  }, () => {}, 30_000);
  device.on('away', (reason) => reasons.push(reason));
  atEnd(t, () => device.stop());
  void device.start();
  await settle();
  let waited = 0;
  for (; opened < 20; waited += 100) {
    tick(100);
    await settle();
  }
  assert.deepEqual(reasons, ['not authorized', 'away']);
  assert.ok(waited > 250_000, `${waited} ms`);
  device.hurry();
  await settle();
  assert.equal(opened, 21);
});

/** A call at a device that is open, behind a link that is not closed by a reset. `ending()` is its error so far. */
async function callAt(t, handlers) {
  const tick = fakeTime(t);
  const changing = { ...discover, capabilities: { tools: { listChanged: true } } };
  const link = new FakeLink({ 'server/discover': () => changing, ...handlers });
  const device = new Device(async () => link, () => {});
  atEnd(t, () => device.stop());
  await device.start();
  await settle();
  assert.ok(device.isOpen);
  let error;
  device.request(new Exchange('tools/call', { _meta: {} }, (ending) => { ({ error } = ending); }));
  return { tick, link, ending: () => error?.message };
}

test('notices a reset without a boot mark after 3 s at most', { timeout: limitMs }, async (t) => {
  let knows = true;
  const { tick, ending } = await callAt(t, {
    'subscriptions/listen': (m, link) => (m.params.notifications ? acknowledge(m, link) : void fail(m, link, knows ? -32600 : -32602)),
  });
  for (let ms = 0; ms < 10_000; ms += 100, await settle()) tick(100);
  assert.equal(ending(), undefined);
  knows = false;
  for (let ms = 0; ms < 3000; ms += 100, await settle()) tick(100);
  assert.match(ending(), /reset.*may have taken effect/);
});

test('notices a boot mark and the end of a link at once', { timeout: limitMs }, async (t) => {
  for (const [event, reason] of [['boot', /reset.*may have taken effect/], ['close', /connection to the device was lost/]]) {
    const { link, ending } = await callAt(t, { 'subscriptions/listen': acknowledge });
    link.emit(event, 'x');
    assert.match(ending(), reason);
    t.mock.timers.reset();
  }
});

test('notices the end of a program at once', { timeout: limitMs }, async (t) => {
  const link = await openProgram({ command: process.execPath, args: ['-e', 'process.stdin.resume(); console.log(process.pid)'] });
  atEnd(t, () => link.close());
  const [pid] = await once(link, 'text');
  fakeTime(t);  // and no time passes
  const closed = once(link, 'close');
  process.kill(Number(pid), 'SIGKILL');
  assert.match(String(await closed), /ended with SIGKILL/);
});

test('gives text from before the first host to the first host', { timeout: limitMs }, async (t) => {
  const { broker, link } = await start(t);
  link.emit('text', 'rst:0x1\nload');
  const [a, b] = [new FakeHost(broker), new FakeHost(broker)];
  link.emit('text', 'ready');
  assert.deepEqual([a.text, b.text], ['rst:0x1\nload\nready\n', 'ready\n']);
  for (const host of [a, b]) host.leave();
  link.emit('text', 'idle');
  assert.equal(new FakeHost(broker).text, 'idle\n');
});

const full = (m, link) => {
  const error = { code: -32603, message: 'All subscriptions are in use.', data: { 'mote/retryAfterMs': 1000 } };
  setImmediate(() => link.emit('message', { jsonrpc: '2.0', id: m.id, error }));
};

test('subscribes at a device that was busy, and reports one that stays busy', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  let isFull = true;
  const { broker } = await start(t, { 'subscriptions/listen': (m, link) => (isFull ? full : acknowledge)(m, link) });
  const host = new FakeHost(broker, 600_000);
  await host.initialize();
  const subscribe = () => host.request('resources/subscribe', { uri: 'a://1' });
  const listen = () => host.request('subscriptions/listen', { notifications: { resourceSubscriptions: ['a://2'] }, _meta: meta() });
  let ended = 0;
  const rejected = [subscribe(), listen()];
  for (const response of rejected) response.then(() => { ++ended; });
  for (; ended < 2; await settle()) tick(1000);
  for (const response of rejected) assert.match((await response).error.message, /^All subscriptions are in use/);
  const accepted = subscribe();
  await settle();
  isFull = false;
  tick(2000);
  assert.deepEqual((await accepted).result, {});
});

test('says that a resource may have changed while the device had no place for two subscriptions', { timeout: limitMs }, async (t) => {
  let open;
  const { broker } = await start(t, {
    'subscriptions/listen'(m, link) {
      if (!m.params.notifications) return void fail(m, link, -32600);
      if (open !== undefined) return full(m, link);
      open = m.id;
      return acknowledge(m, link);
    },
    'notifications/cancelled'({ params }) { if (params.requestId === open) open = undefined; },
  });
  const [a, b] = [new FakeHost(broker), new FakeHost(broker)];
  for (const [host, uri] of [[a, 'a://1'], [b, 'a://2']]) {
    await host.initialize();
    assert.deepEqual((await host.request('resources/subscribe', { uri })).result, {});
  }
  await a.next('update', (m) => m.method === 'notifications/resources/updated' && m.params.uri === 'a://1');
});

test('subscribes again for the other hosts when a device had no place for a larger subscription', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  let isFull = false;
  const { broker, link } = await start(t, { 'subscriptions/listen': (m, device) => (isFull ? full : acknowledge)(m, device) });
  link.canReset = false;
  const [a, b] = [new FakeHost(broker, 600_000), new FakeHost(broker, 600_000)];
  await Promise.all([a.initialize(), b.initialize()]);
  assert.deepEqual((await a.request('resources/subscribe', { uri: 'a://1' })).result, {});
  isFull = true;  // the place of the cancelled subscription goes to another client
  let ended = false;
  const refused = b.request('resources/subscribe', { uri: 'a://2' });
  refused.then(() => { ended = true; });
  for (; !ended; await settle()) tick(1000);
  assert.match((await refused).error.message, /^All subscriptions are in use/);
  for (let ms = 0; ms < 40_000; ms += 1000, await settle()) tick(1000);
  isFull = false;
  const updated = (m) => m.method === 'notifications/resources/updated' && m.params.uri === 'a://1';
  let isUpdated = false;
  const update = a.next('update', updated).then(() => { isUpdated = true; });
  for (let ms = 0; ms < 60_000 && !isUpdated; ms += 1000, await settle()) tick(1000);
  assert.ok(isUpdated);
  await update;
});

test('sends the state of a task to each host that subscribes to it, after the acknowledgement', { timeout: limitMs }, async (t) => {
  const { broker } = await start(t, {
    'subscriptions/listen'(m, link) {
      if (!m.params.notifications) return void fail(m, link, -32600);
      acknowledge(m, link);
      const params = { taskId: 'x', status: 'completed', _meta: { [`${prefix}subscriptionId`]: m.id } };
      // In the same piece of the stream as the acknowledgement.
      const on = link.emit.bind(link);
      link.emit = (name, message) => {
        on(name, message);
        if (message?.method !== 'notifications/subscriptions/acknowledged') return;
        link.emit = on;
        if (m.params.notifications.taskIds?.includes('x')) on('message', { jsonrpc: '2.0', method: 'notifications/tasks', params });
      };
    },
  });
  for (const host of [new FakeHost(broker), new FakeHost(broker)]) {
    host.sendText(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":` +
      `{"notifications":{"taskIds":["x"]},"_meta":${JSON.stringify(meta())}}}`);
    const order = [];
    const note = (name) => (m) => m.method === name && order.push(name);
    await Promise.all([
      host.next('acknowledged', note('notifications/subscriptions/acknowledged')), host.next('state', note('notifications/tasks'))]);
    assert.deepEqual(order, ['notifications/subscriptions/acknowledged', 'notifications/tasks']);
  }
});

/** A front with streams of this process, at a broker that writes `lines`. */
async function frontAt(t, lines) {
  const folder = environment(t).XDG_RUNTIME_DIR;
  const server = createServer((socket) => socket.on('error', () => {}).end(lines)).listen(join(folder, 's'));
  await once(server, 'listening');
  const [input, output, text] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const front = new Front(['exec', 'x'], join(folder, 's'), { input, output, text });
  atEnd(t, () => {
    input.end();
    server.close();
  });
  await front.join();
  return { input, output, text };
}

test('writes text of the device with a message in it to stderr only', { timeout: limitMs }, async (t) => {
  const line = '#\x1b[2J\tsent {"jsonrpc":"2.0","id":1,"result":{}}\n';
  const { output, text } = await frontAt(t, line);
  const [wrote] = await within('text', once(text, 'data'));
  assert.equal(wrote.toString(), '?[2J\tsent {"jsonrpc":"2.0","id":1,"result":{}}\n');
  assert.equal(output.read(), null);
});

test('serves a host that closes stderr', { timeout: limitMs }, async (t) => {
  const { output, text } = await frontAt(t, '#a\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
  text.destroy(new Error('EPIPE'));
  await within('message', once(output, 'data'));
});

test('leaves messages in the socket while its host does not read', { timeout: limitMs }, async (t) => {
  const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'y'.repeat(100_000) } })}\n`;
  const { output } = await frontAt(t, line.repeat(100));
  await within('message', once(output, 'readable'));
  for (let i = 0; i < 500; ++i) await new Promise((resolve) => setImmediate(resolve));
  const held = output.readableLength + output.writableLength;
  assert.ok(held < 1_000_000, `${held} bytes`);
  let read = 0;
  output.on('data', (data) => { read += data.length; });
  while (read < 100 * line.length) await within('data', once(output, 'data'));
});

test('joins the next broker when one ends before it accepts the connection', { timeout: limitMs }, async (t) => {
  const folder = environment(t).XDG_RUNTIME_DIR;
  let connections = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});  // at its end, the front leaves a connection that it has just begun
    if (++connections === 1) return socket.destroy();
    socket.write('\n');
    socket.once('data', () => socket.end('{"jsonrpc":"2.0","id":1,"result":{}}\n'));
  }).listen(join(folder, 's'));
  await once(server, 'listening');
  const [input, output, text] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const front = new Front(['exec', 'x'], join(folder, 's'), { input, output, text });
  atEnd(t, () => {
    input.end();
    server.close();
  });
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  void front.join();
  const [line] = await within('response', once(output, 'data'));
  assert.deepEqual(JSON.parse(line).result, {});
});
