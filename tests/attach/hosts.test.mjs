// SPDX-License-Identifier: Apache-2.0
// Two and more hosts at one device, resets of the device, and brokers that end at the wrong time. hostile.test.mjs has the
// times after which a reset and the end of a link are noticed.
//
// usage: node hosts.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { attach, environment, Host, limitMs, meta, port, prefix, server } from './support.mjs';

const everything = ['exec', server, '--stdio'];
const behindPort = (...options) => ['exec', process.execPath, port, ...options, server, '--stdio'];
/** The process of a port, which has told the first host that connected. */
const portId = async (...hosts) => Number((await Promise.any(hosts.map((host) => host.wrote(/port (\d+)/))))[1]);
const watched = 'test://watched-resource';
const listen = (host, notifications = { resourceSubscriptions: [watched] }) => {
  const begun = host.begin('subscriptions/listen', { notifications, _meta: meta() });
  begun.response.catch(() => {});  // it stays open
  return begun.id;
};
const acknowledged = 'notifications/subscriptions/acknowledged';
const updated = 'notifications/resources/updated';
const both = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

test('serves hosts of both eras through one broker', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const [legacy, modern] = [new Host(t, env, everything), new Host(t, env, everything)];
  assert.equal((await legacy.initialize()).protocolVersion, '2025-11-25');
  const { supportedVersions } = await modern.result('server/discover', { _meta: meta() });
  assert.deepEqual(supportedVersions, ['2026-07-28']);
  const text = 'This is a simple text response for testing.';
  assert.equal(await legacy.tool('test_simple_text'), text);
  assert.equal(await modern.tool('test_simple_text', {}, { _meta: meta() }), text);
  const { broker } = await legacy.device();
  assert.equal((await modern.device()).broker, broker);
  const folder = join(env.XDG_RUNTIME_DIR, 'mote-attach');
  const [socket] = readdirSync(folder);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, socket)).mode & 0o777, 0o600);
});

test('answers each older revision with its own version', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    assert.equal((await new Host(t, env, everything).initialize({}, version)).protocolVersion, version);
  }
  assert.equal((await new Host(t, env, everything).initialize({}, '1999-01-01')).protocolVersion, '2025-11-25');
});

test('gives input requests to the host whose call caused them', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const hosts = [];
  for (let i = 0; i < 5; ++i) hosts.push(new Host(t, env, everything));
  await Promise.all(hosts.map((host, i) => host.initialize(both, '2025-11-25', `host ${i}`)));
  await Promise.all(hosts.map(async (host, i) => {
    for (let n = 0; n < 4; ++n) {
      const message = `question ${i}.${n}`;
      const call = host.tool('test_elicitation', { message });
      const asked = await host.next('elicitation/create');
      assert.equal(asked.params.message, message);
      host.send({ id: asked.id, result: { action: 'accept', content: { username: `u${i}`, email: 'a@b.cd' } } });
      assert.match(await call, new RegExp(`u${i}`));
    }
    assert.deepEqual(host.unread('elicitation/create'), []);
  }));
});

test('gives progress, log messages and cancellations to the host of the call', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const [a, b] = [new Host(t, env, everything), new Host(t, env, everything)];
  await a.initialize();
  const progress = 'notifications/progress';
  await Promise.all([a, b].map((host, i) => host.result('tools/call', {
    name: 'test_tool_with_progress', arguments: {}, _meta: { ...(i === 1 && meta()), progressToken: `token ${i}` },
  })));
  for (const [i, host] of [a, b].entries()) {
    const seen = host.unread(progress).map(({ params }) => [params.progressToken, params.progress]);
    assert.deepEqual(seen, [0, 50, 100].map((value) => [`token ${i}`, value]));
  }
  await b.result('tools/call', { name: 'test_tool_with_logging', arguments: {}, _meta: meta({ [`${prefix}logLevel`]: 'info' }) });
  assert.equal(b.unread('notifications/message').length, 3);
  assert.equal(a.unread('notifications/message').length, 0);
  assert.deepEqual(await a.result('logging/setLevel', { level: 'error' }), {});
  assert.equal((await a.request('logging/setLevel', { level: 'loud' })).error.code, -32602);
  const slow = b.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: meta({ progressToken: 7 }) });
  await b.next(progress, ({ params }) => params.progressToken === 7);
  b.send({ method: 'notifications/cancelled', params: { requestId: slow.id } });
  slow.response.catch(() => {});
  assert.equal(await a.tool('test_simple_text'), 'This is a simple text response for testing.');
});

test('joins the subscriptions of all hosts', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const [a, b] = [new Host(t, env, everything), new Host(t, env, everything)];
  await a.initialize();
  assert.deepEqual(await a.result('resources/subscribe', { uri: watched }), {});
  assert.equal((await a.request('resources/subscribe', { uri: 'test://none' })).error.code, -32002);
  const id = listen(b, { toolsListChanged: true, resourceSubscriptions: [watched, 'test://none'] });
  const { params } = await b.next(acknowledged);
  assert.deepEqual(params.notifications, { toolsListChanged: true, resourceSubscriptions: [watched] });
  await a.tool('test_update_resource');
  assert.deepEqual((await a.next(updated)).params, { uri: watched });
  assert.deepEqual((await b.next(updated)).params, { uri: watched, _meta: { [`${prefix}subscriptionId`]: id } });
  await a.result('resources/unsubscribe', { uri: watched });
  await b.tool('test_update_resource', {}, { _meta: meta() });
  await b.next(updated);
  await a.tool('test_trigger_tool_change');
  await a.next('notifications/tools/list_changed');
  assert.deepEqual(a.unread(updated), []);
});

test('follows a task for a host of 2025-11-25', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), everything);
  await host.initialize({ elicitation: {} });
  const { task } = await host.result('tools/call', { name: 'test_task', arguments: {}, task: { ttl: 60_000 } });
  assert.equal(task.status, 'working');
  const result = await host.result('tasks/result', { taskId: task.taskId });
  assert.equal(result.content[0].text, 'Task completed.');
  assert.equal(result._meta[`${prefix}related-task`].taskId, task.taskId);
  assert.equal((await host.result('tasks/get', { taskId: task.taskId })).status, 'completed');
  assert.equal((await host.result('tasks/list')).tasks.length, 1);
  assert.equal((await host.request('tasks/get', { taskId: 'none' })).error.code, -32602);
  const asking = await host.result('tools/call', { name: 'test_task_elicitation', arguments: {}, task: {} });
  const asked = await host.next('elicitation/create');
  assert.equal(asked.params._meta[`${prefix}related-task`].taskId, asking.task.taskId);
  host.send({ id: asked.id, result: { action: 'accept', content: { confirm: true } } });
  await host.result('tasks/result', { taskId: asking.task.taskId });
  const slow = await host.result('tools/call', { name: 'test_slow', arguments: {}, task: {} });
  assert.equal((await host.result('tasks/cancel', { taskId: slow.task.taskId })).status, 'cancelled');
  assert.equal((await host.request('tasks/cancel', { taskId: slow.task.taskId })).error.code, -32602);
});

test('passes tasks, unknown methods and unknown members of 2026-07-28', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), everything);
  const capabilities = { extensions: { [`${prefix}tasks`]: {} } };
  const created = await host.result('tools/call', { name: 'test_task', arguments: {}, _meta: meta({}, capabilities) });
  assert.equal(created.resultType, 'task');
  listen(host, { taskIds: [created.taskId] });
  await host.next('notifications/tasks', ({ params }) => params.status === 'completed');
  const { result } = await host.result('tasks/get', { taskId: created.taskId, _meta: meta({}, capabilities) });
  assert.equal(result.content[0].text, 'Task completed.');
  assert.equal((await host.request('x-vendor/none', { a: 1, _meta: meta() })).error.code, -32601);
  assert.equal((await host.request('tools/list', { _meta: { ...meta(), [`${prefix}protocolVersion`]: '2099-01-01' } })).error.code, -32022);
});

for (const [how, options] of [['with a boot mark', ['--mark']], ['without a boot mark', []]]) {
  test(`survives a reset of the device behind an open port ${how}`, { timeout: limitMs }, async (t) => {
    const env = environment(t);
    const [a, b] = [new Host(t, env, behindPort(...options)), new Host(t, env, behindPort(...options))];
    await a.initialize();
    await a.result('resources/subscribe', { uri: watched });
    listen(b);
    await b.next(acknowledged);
    const slow = a.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: 1 } });
    await a.next('notifications/progress');
    const begun = Date.now();
    process.kill(await portId(a, b), 'SIGUSR1');
    const { error } = await slow.response;
    assert.match(error.message, /reset.*may have taken effect/);
    t.diagnostic(`seen after ${Date.now() - begun} ms`);
    await Promise.all([a, b].map((host) => host.next(updated)));  // what it was may have changed
    await b.tool('test_update_resource', {}, { _meta: meta() });
    await Promise.all([a, b].map((host) => host.next(updated)));
  });
}

test('opens the device again when its link is gone', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), behindPort());
  await host.initialize();
  const slow = host.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: 1 } });
  await host.next('notifications/progress');
  process.kill(await portId(host), 'SIGKILL');
  assert.match((await slow.response).error.message, /connection to the device was lost/);
  assert.equal(await host.tool('test_simple_text'), 'This is a simple text response for testing.');
});

test('answers a call when no device is there', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), ['exec', '/none/such']);
  const { error } = await host.request('tools/list', { _meta: meta() });
  assert.match(error.message, /away.*ENOENT/);
});

test('goes on with another broker when one is killed', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const [a, b] = [new Host(t, env, everything), new Host(t, env, everything)];
  await a.initialize(both);
  await a.result('resources/subscribe', { uri: watched });
  listen(b);
  await b.next(acknowledged);
  const { broker } = await a.device();
  const slow = a.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: 1 } });
  await a.next('notifications/progress');
  process.kill(broker, 'SIGKILL');
  assert.match((await slow.response).error.message, /restarted.*may have taken effect/);
  await Promise.all([a, b].map((host) => host.wrote(/the broker ended/)));
  const brokers = await Promise.all([a, b].map(async (host) => (await host.device()).broker));
  assert.equal(brokers[0], brokers[1]);
  assert.notEqual(brokers[0], broker);
  await b.tool('test_update_resource', {}, { _meta: meta() });
  await Promise.all([a, b].map((host) => host.next(updated)));
  assert.deepEqual(b.unread(acknowledged), []);
});

test('cancels the question of a host that leaves', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const [a, b] = [new Host(t, env, everything), new Host(t, env, everything)];
  await Promise.all([a.initialize(both), b.initialize(both)]);
  const call = a.begin('tools/call', { name: 'test_input_required_result_held', arguments: {} });
  call.response.catch(() => {});
  await a.next('elicitation/create');
  a.child.kill('SIGKILL');
  await a.ended;
  // Its slot is free again.
  const calls = Array.from({ length: 6 }, () => b.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: Math.random() } }));
  for (const { response } of calls) response.catch(() => {});
  for (const _ of calls) await b.next('notifications/progress');
  for (const { id } of calls) b.send({ method: 'notifications/cancelled', params: { requestId: id } });
});

test('ends a question when the device is reset', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const target = behindPort('--mark');
  const [a, b] = [new Host(t, env, target), new Host(t, env, target)];
  await Promise.all([a.initialize(both), b.initialize(both)]);
  const call = a.begin('tools/call', { name: 'test_elicitation', arguments: { message: 'Who?' } });
  const question = await a.next('elicitation/create');
  process.kill(await portId(a, b), 'SIGUSR1');
  assert.match((await call.response).error.message, /reset.*may have taken effect/);
  await a.next('notifications/cancelled', ({ params }) => params.requestId === question.id);
  a.send({ id: question.id, result: { action: 'accept', content: { username: 'late', email: 'a@b.cd' } } });
  for (const host of [a, b]) assert.match(await host.tool('test_simple_text'), /simple text/);
  assert.deepEqual(b.unread('notifications/cancelled'), []);
});

test('waits for a busy device', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), everything);
  const slow = Array.from({ length: 6 }, (_, i) => host.begin('tools/call', {
    name: 'test_slow', arguments: {}, _meta: meta({ progressToken: i }),
  }));
  for (const { response } of slow) response.catch(() => {});
  for (const _ of slow) await host.next('notifications/progress');
  const waits = host.begin('tools/call', { name: 'test_tool_with_progress', arguments: {}, _meta: meta() });
  assert.ok(await host.device());
  host.send({ method: 'notifications/cancelled', params: { requestId: slow[0].id } });
  assert.ok((await waits.response).result);
  for (const { id } of slow.slice(1)) host.send({ method: 'notifications/cancelled', params: { requestId: id } });
});

test('ends every call on a wire that damages bytes', { timeout: limitMs }, async (t) => {
  const day = Math.floor(Date.now() / 86_400_000);
  for (const seed of [1, day]) {
    t.diagnostic(`seed ${seed}`);
    const host = new Host(t, environment(t), behindPort('--noise', String(seed)));
    let served = 0;
    for (let i = 0; i < 16; ++i) {
      const m = await host.request('tools/call', { name: 'test_simple_text', arguments: {}, _meta: meta() });
      if (m.result?.content?.[0]?.text === 'This is a simple text response for testing.') ++served;
    }
    assert.ok(served >= 4, `${served} of 16 calls were served`);
    t.diagnostic(`${served} of 16`);
  }
});

test('adds tools for hosts that show nothing else', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const host = new Host(t, env, everything);
  await host.initialize();
  const tools = [];
  for (let cursor; ;) {
    const page = await host.result('tools/list', cursor ? { cursor } : {});
    tools.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
    if (!cursor) break;
  }
  for (const name of ['wait_for_change', 'device_log', 'list_devices']) assert.ok(tools.includes(name), name);
  const reader = tools.find((name) => name.startsWith('read_'));
  assert.ok(reader, 'a tool that reads a resource');
  const waiting = host.tool('wait_for_change', { uri: watched, seconds: 20 });
  await host.result('tools/call', { name: 'test_simple_text', arguments: {} });
  await host.tool('test_update_resource');
  assert.match(await waiting, /\S/);
  assert.match(await host.tool('wait_for_change', { uri: watched, seconds: 0 }), /did not change/);
  assert.match(await host.tool('wait_for_change', { uri: 'test://none', seconds: 1 }), /cannot be subscribed/);
  const plain = new Host(t, env, ['exec', '--plain', server, '--stdio']);
  assert.equal((await plain.request('tools/call', { name: 'device_log', _meta: meta() })).error?.code, -32602);
});

test('gives the text of the device to stderr and to device_log', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), behindPort('--mark'));
  await host.initialize();
  await host.wrote(/rst:0x1/);
  const { text, position } = JSON.parse(await host.tool('device_log', {}));
  assert.match(text, /POWERON[^]*mote boot/);
  assert.deepEqual(JSON.parse(await host.tool('device_log', { since: position })), { text: '', position, lost: 0 });
  assert.equal((await host.request('tools/call', { name: 'device_log', arguments: { since: -1 } })).error.code, -32602);
});

test('rejects what is no message and serves the next one', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), everything);
  assert.equal((await host.request('tools/list')).error.code, -32600);
  await host.initialize();
  assert.deepEqual(await host.result('ping'), {});
  const { id, response } = host.begin('tools/call', { name: 'test_slow', arguments: {} });
  response.catch(() => {});
  host.send({ method: 'notifications/cancelled', params: { requestId: id } });
  assert.deepEqual(await host.result('ping'), {});
  assert.ok(attach);
});
