// SPDX-License-Identifier: Apache-2.0
// Hosts and devices that send what they should not, at a broker in this process. usage: node hostile.test.mjs
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Broker } from '../../toolchains/attach/lib/broker.mjs';
import { Device, Exchange, times } from '../../toolchains/attach/lib/device.mjs';
import { Front } from '../../toolchains/attach/lib/front.mjs';
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
    if (!handler || m.id === undefined) return;
    const result = handler(m, this);
    if (result !== undefined) setImmediate(() => this.emit('message', { jsonrpc: '2.0', id: m.id, result }));
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
  t.after(() => broker.device.stop());
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
  t.after(() => Object.assign(times, before));
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
  t.after(() => device.stop());
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
  t.after(() => device.stop());
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

/** A front with streams of this process, at a broker that writes `lines`. */
async function frontAt(t, lines) {
  const folder = environment(t).XDG_RUNTIME_DIR;
  const server = createServer((socket) => socket.end(lines)).listen(join(folder, 's'));
  await once(server, 'listening');
  const [input, output, text] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const front = new Front(['exec', 'x'], join(folder, 's'), { input, output, text });
  t.after(() => {
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
    if (++connections === 1) return socket.destroy();
    socket.write('\n');
    socket.once('data', () => socket.end('{"jsonrpc":"2.0","id":1,"result":{}}\n'));
  }).listen(join(folder, 's'));
  await once(server, 'listening');
  const [input, output, text] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const front = new Front(['exec', 'x'], join(folder, 's'), { input, output, text });
  t.after(() => {
    input.end();
    server.close();
  });
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  void front.join();
  const [line] = await within('response', once(output, 'data'));
  assert.deepEqual(JSON.parse(line).result, {});
});
