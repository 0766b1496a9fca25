// SPDX-License-Identifier: Apache-2.0
// All devices of an MQTT broker as one server: thermometers, everything_server behind a bridge, and devices of the test, with
// official clients of both eras.
//
// usage: node fleet.test.mjs THERMOMETER_MQTT EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import {
  labelOf, route, shownError, shownName, shownNotification, shownProgress, shownResult, shownRow, shownUri,
  splitUri,
} from '../../toolchains/attach/lib/fleet_names.mjs';
import { longestName } from '../../toolchains/attach/lib/rpc.mjs';
import { environment, Host, limitMs, meta } from './support.mjs';

if (spawnSync('mosquitto', ['-h']).error) {
  console.log('skipped: mosquitto is not installed');
  process.exit(77);
}
const { call, open, text } = await import('./clients.mjs');
const { answers, bridge, MqttDevice, startBroker, thermometer } = await import('./devices/mqtt_device.mjs');

const [binary, everything] = process.argv.slice(2);
const limits = { timeout: limitMs };
const eras = ['2025-11-25, SDK v1', '2025-11-25, SDK v2', '2026-07-28, SDK v2'];
const temperatureOf = (id) => `fleet:${id}/sensor://temperature`;
const target = (broker, filter = '#') => ['mqtt', `${broker.url}/${filter}`];
const textOf = (ending) => ending.result?.content[0].text ?? ending.error.message;

/** A session with the fleet, as bare lines. */
async function session(t, broker, filter, env = environment(t)) {
  const host = new Host(t, env, target(broker, filter));
  await host.initialize({ elicitation: {} });
  return host;
}

/** The rows of all pages. */
async function all(host, method, member) {
  const rows = [];
  let cursor;
  do {
    const result = await host.result(method, cursor && { cursor });
    rows.push(...result[member]);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return rows;
}

/** Resolves with the names of the tools when they fulfil `check`, now or after a change. */
async function toolsWith(host, check) {
  for (;;) {
    const names = (await all(host, 'tools/list', 'tools')).map(({ name }) => name);
    if (check(names)) return names;
    await host.next('notifications/tools/list_changed');
  }
}

test('serves three devices to official clients of both eras at once', limits, async (t) => {
  const broker = await startBroker(t);
  const names = { 't-1': 'house/roof', 't-2': 'house/roof', 't-3': 'cellar' };
  const devices = {};
  for (const [id, name] of Object.entries(names)) devices[id] = await thermometer(t, binary, broker, id, { name });
  const env = environment(t);
  const hosts = [];
  for (const kind of eras) hosts.push(await open(t, kind, kind, env, target(broker)));
  await Promise.all(hosts.map(async ({ client }) => {
    const { tools } = await client.listTools();
    const leds = tools.filter(({ name }) => name.endsWith('_set_led'));
    assert.deepEqual(leds.map(({ name, description }) => [name, description]), [
      ['t-1_set_led', 'house/roof: Switch the LED on or off.'], ['t-2_set_led', 'house/roof: Switch the LED on or off.'],
      ['t-3_set_led', 'cellar: Switch the LED on or off.'],
    ]);
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map(({ uri }) => uri).filter((uri) => uri.endsWith('temperature')), Object.keys(names).map(temperatureOf));
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates[2].uriTemplate, 'fleet:t-3/sensor://history/{minutes}');
  }));
  for (const [at, host] of hosts.entries()) {
    const id = Object.keys(names)[at];
    assert.equal(text(await call(host, `${id}_set_led`, { on: true })), 'The LED is on.');
    await devices[id].wrote(/LED on/);
    const { contents } = await host.client.readResource({ uri: temperatureOf(id) });
    assert.equal(contents[0].uri, temperatureOf(id));
    const history = await host.client.readResource({ uri: `fleet:${id}/sensor://history/1` });
    assert.match(history.contents[0].text, /newestFirst/);
    await assert.rejects(host.client.readResource({ uri: `fleet:${id}/sensor://nothing` }), (error) => (
      error.data.uri === `fleet:${id}/sensor://nothing`));
    await assert.rejects(call(host, 'absent_set_led', { on: true }), /No device that is connected to the broker has absent_set_led/);
  }
  for (const device of Object.values(devices)) assert.equal(device.text.match(/LED on/g).length, 1);
  const [v1, v2, modern] = hosts;
  assert.match(text(await call(v1, 'list_devices')), /"device":"t-3".*"name":"cellar".*"present":true/);
  assert.match(text(await call(v1, 'read_t_3_temperature')), /21\.5/);
  await v1.client.subscribeResource({ uri: temperatureOf('t-1') });
  await v2.client.subscribeResource({ uri: temperatureOf('t-2') });
  await modern.client.listen({ resourceSubscriptions: [temperatureOf('t-2'), temperatureOf('absent')] });
  await devices['t-1'].setTemperature(30);
  assert.equal((await v1.inbox.next('notifications/resources/updated')).params.uri, temperatureOf('t-1'));
  await devices['t-2'].setTemperature(30);
  for (const { inbox } of [v2, modern]) {
    assert.equal((await inbox.next('notifications/resources/updated')).params.uri, temperatureOf('t-2'));
  }
});

test('follows devices that come and go', limits, async (t) => {
  const broker = await startBroker(t);
  const roof = await thermometer(t, binary, broker, 'roof');
  const stays = await thermometer(t, binary, broker, 'stays');
  const env = environment(t);
  const host = await session(t, broker, 'house/#', env);
  const stateless = new Host(t, env, target(broker, 'house/#'));
  stateless.begin('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: meta() }).response.catch(() => {});
  await stateless.next('notifications/subscriptions/acknowledged');
  await toolsWith(host, (names) => names.includes('roof_set_led') && names.includes('stays_set_led'));
  await host.result('resources/subscribe', { uri: temperatureOf('roof') });
  roof.stop();
  const { response } = host.begin('tools/call', { name: 'roof_set_led', arguments: { on: true } });
  const during = host.request('tools/call', { name: 'stays_set_led', arguments: { on: true } });
  assert.equal(textOf(await during), 'The LED is on.');
  await roof.kill();
  assert.match(textOf(await response), /^The device is not connected to the broker; the call may have taken effect\.$/);
  await toolsWith(host, (names) => !names.includes('roof_set_led') && names.includes('stays_set_led'));
  await stateless.next('notifications/tools/list_changed');
  const gone = await host.request('tools/call', { name: 'roof_set_led', arguments: { on: true } });
  assert.equal(gone.error.message, 'No device that is connected to the broker has roof_set_led.');
  await roof.start();
  await host.next('notifications/resources/updated', ({ params }) => params.uri === temperatureOf('roof'));
  await toolsWith(host, (names) => names.includes('roof_set_led'));
  assert.equal(await host.tool('roof_set_led', { on: true }), 'The LED is on.');
  await roof.setTemperature(30);
  await host.next('notifications/resources/updated', ({ params }) => params.uri === temperatureOf('roof'));
  await thermometer(t, binary, broker, 'elsewhere', { name: 'garden' });
  await thermometer(t, binary, broker, 'cellar', { name: 'house/cellar' });
  const names = await toolsWith(host, (each) => each.includes('cellar_set_led'));
  assert.ok(!names.includes('elsewhere_set_led'));
  assert.equal(textOf(await host.request('tools/call', { name: 'stays_set_led', arguments: { on: false } })), 'The LED is off.');
  await stays.wrote(/LED on\n.*LED off\n/s);
});

test('survives a broker that is killed', limits, async (t) => {
  const broker = await startBroker(t);
  await thermometer(t, binary, broker, 'a');
  await thermometer(t, binary, broker, 'b');
  const host = await session(t, broker);
  await host.result('resources/subscribe', { uri: temperatureOf('a') });
  await broker.stop();
  await host.wrote(/the connection to the broker was lost/);
  await broker.start();
  await host.next('notifications/resources/updated');
  await toolsWith(host, (names) => names.includes('a_set_led') && names.includes('b_set_led'));
  assert.equal(await host.tool('b_set_led', { on: true }), 'The LED is on.');
});

/** What each host does with the device `id`, which is everything_server. */
async function useAll(host, id) {
  const seen = [];
  await call(host, `${id}_test_tool_with_progress`, {}, { onprogress: ({ progress }) => seen.push(progress) });
  assert.deepEqual(seen.filter((value, i) => value !== seen[i - 1]).slice(0, 2), [0, 50]);
  const message = `question for ${host.name} of ${id}`;
  assert.match(text(await call(host, `${id}_test_elicitation`, { message })), new RegExp(host.name));
  assert.ok(host.asked.includes(`${id}: ${message}`), host.asked.join());
  assert.match(text(await call(host, `${id}_test_sampling`, { prompt: 'p' })), new RegExp(`model of ${host.name}`));
  const prompt = await host.client.getPrompt({ name: `${id}_test_prompt_with_arguments`, arguments: { arg1: 'x', arg2: 'y' } });
  assert.match(JSON.stringify(prompt.messages), /'x'.*'y'/);
  const embedded = await host.client.getPrompt({ name: `${id}_test_prompt_with_embedded_resource`, arguments: { resourceUri: 'test://x' } });
  assert.match(JSON.stringify(embedded.messages), new RegExp(`"fleet:${id}/`));
  const resource = await call(host, `${id}_test_embedded_resource`);
  assert.match(resource.content[0].resource.uri, new RegExp(`^fleet:${id}/`));
  const ref = { type: 'ref/prompt', name: `${id}_test_prompt_with_arguments` };
  assert.ok((await host.client.complete({ ref, argument: { name: 'arg1', value: '' } })).completion);
  const stop = new AbortController();
  const cancelled = call(host, `${id}_test_tool_with_progress`, {}, { signal: stop.signal, onprogress: () => stop.abort('enough') });
  await assert.rejects(cancelled, /enough|abort/i);
}

test('routes progress, input requests, prompts and cancellations of two devices to three hosts', limits, async (t) => {
  const broker = await startBroker(t);
  for (const id of ['x', 'y']) await bridge(t, broker, id, everything);
  const env = environment(t);
  const hosts = [];
  for (const kind of eras) hosts.push(await open(t, kind, kind, env, target(broker)));
  for (const host of hosts) for (const id of ['x', 'y']) await useAll(host, id);
});

test('ends a question of a device that dies, and no other', limits, async (t) => {
  const broker = await startBroker(t);
  const ask = answers({
    'tools/call': ({ inputResponses }) => (inputResponses ? { content: [{ type: 'text', text: inputResponses.q.content.a }] } : {
      resultType: 'input_required', requestState: '1', inputRequests: { q: { method: 'elicitation/create', params: {
        message: 'Really?', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } } } } }),
    'tools/list': () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }),
  });
  const dies = await MqttDevice.start(t, broker, 'dies', 'n', ask);
  await MqttDevice.start(t, broker, 'lives', 'n', ask);
  const host = await session(t, broker);
  const first = host.begin('tools/call', { name: 'dies_ask', arguments: {} });
  const question = await host.next('elicitation/create');
  assert.equal(question.params.message, 'dies: Really?');
  const second = host.begin('tools/call', { name: 'lives_ask', arguments: {} });
  const other = await host.next('elicitation/create');
  dies.die();
  assert.match(textOf(await first.response), /The device is not connected to the broker/);
  assert.equal((await host.next('notifications/cancelled')).params.requestId, question.id);
  host.send({ id: other.id, result: { action: 'accept', content: { a: 'yes' } } });
  assert.equal(textOf(await second.response), 'yes');
});

test('lists the tools of others in time, in one page and without devices of sessions', limits, async (t) => {
  const broker = await startBroker(t);
  const tools = Array.from({ length: 250 }, (_, i) => ({ name: `tool${i}`, inputSchema: { type: 'object' } }));
  const page = ({ cursor = 0 }) => ({ tools: tools.slice(cursor, cursor + 60), ...(cursor < 240 && { nextCursor: cursor + 60 }) });
  const long = 'a_long_name_'.repeat(6);
  let slow;
  await MqttDevice.start(t, broker, 'many', 'n', answers({ 'tools/list': page }));
  await MqttDevice.start(t, broker, 'slow', 'n', answers({ 'tools/list': (_params, m, send) => { slow = { m, send }; } }));
  await MqttDevice.start(t, broker, 'dead', 'n', () => {});
  await MqttDevice.start(t, broker, 'legacy', 'n', ({ id }, send) => send({ id, error: { code: -32601, message: 'Method not found' } }));
  await MqttDevice.start(t, broker, 'long_id_with_more_than_24_characters', 'n', answers({
    'tools/list': () => ({ tools: [{ name: long, inputSchema: { type: 'object' } }] }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
  }));
  const host = await session(t, broker);
  const first = await host.result('tools/list');
  assert.equal(first.nextCursor, undefined);
  assert.ok(first.tools.length > 250, `${first.tools.length}`);
  const names = (await all(host, 'tools/list', 'tools')).map(({ name }) => name);
  assert.equal(names.filter((name) => name.startsWith('many_')).length, 250);
  assert.equal(names.filter((name) => /^(slow|dead|legacy)_/.test(name)).length, 0);
  assert.ok(names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)));
  const cut = names.find((name) => name.startsWith('long-id'));
  assert.equal(await host.tool(cut), long);
  assert.match(host.text, /legacy: it does not support 2026-07-28, which a fleet needs/);
  assert.equal((await host.request('tools/list', { cursor: '?' })).error.code, -32602);
  assert.equal((await host.request('x-acme/calibrate', {})).error.code, -32601);
  slow.send({ id: slow.m.id, result: { resultType: 'complete', tools: [tools[0]] } });
  await toolsWith(host, (each) => each.includes('slow_tool0'));
  const away = await host.request('tools/call', { name: 'dead_x', arguments: {} });
  assert.match(away.error.message, /^dead: The device does not respond/);
});

test('sends log messages and tasks with their device', limits, async (t) => {
  const broker = await startBroker(t);
  const task = { taskId: 'k', status: 'working', pollIntervalMs: 10, ttlMs: null, createdAt: '', lastUpdatedAt: '' };
  const asked = [];
  await MqttDevice.start(t, broker, 'd', 'n', answers({
    'tools/list': () => ({ tools: ['work', 'log'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    'tools/call': ({ name }, _m, send) => {
      if (name === 'work') return { ...task, resultType: 'task' };
      send({ method: 'notifications/message', params: { level: 'warning', logger: 'l', data: 'hot' } });
      return { content: [{ type: 'text', text: 'logged' }] };
    },
    'tasks/get': ({ taskId }) => (asked.push(taskId), {
      ...task, status: 'completed', result: { content: [{ type: 'resource_link', name: 'r', uri: 'test://r' }] } }),
  }));
  const host = await session(t, broker);
  await host.result('logging/setLevel', { level: 'info' });
  assert.equal(await host.tool('d_log'), 'logged');
  const { task: { taskId } } = await host.result('tools/call', { name: 'd_work', arguments: {}, task: {} });
  assert.equal((await host.next('notifications/message')).params.logger, 'd/l');
  const { content } = await host.result('tasks/result', { taskId });
  assert.equal(content[0].uri, 'fleet:d/test://r');
  assert.deepEqual(asked, ['k']);
});

test('replaces a device of another name and keeps ids like labels apart', limits, async (t) => {
  const broker = await startBroker(t);
  const tool = (name) => answers({ 'tools/list': () => ({ tools: [{ name, inputSchema: { type: 'object' } }] }) });
  const first = await MqttDevice.start(t, broker, 'd', 'old', tool('before'));
  const like = labelOf('d_1');
  await MqttDevice.start(t, broker, like, 'n', tool('like'));
  await MqttDevice.start(t, broker, 'd_1', 'n', tool('real'));
  const host = await session(t, broker);
  await toolsWith(host, (names) => ['d_before', `${like}_real`, `${labelOf(like)}_like`].every((name) => names.includes(name)));
  first.die();
  await MqttDevice.start(t, broker, 'd', 'new', tool('after'));
  await toolsWith(host, (names) => names.includes('d_after') && !names.includes('d_before'));
});

test('names lead back to their device', () => {
  for (const id of ['boiler-7', 'boiler_7', 'a/b', 'ü', 'x'.repeat(99)]) {
    const label = labelOf(id);
    assert.match(label, /^[A-Za-z0-9-]{1,24}$/);
    const uri = 'test://a/{b}?c=fleet:d/e#f';
    assert.deepEqual(splitUri(shownUri(label, uri)), [label, uri]);
    assert.ok(shownName(label, 'n'.repeat(99)).length <= longestName);
    const routed = route({ method: 'tools/call', params: { name: shownName(label, 'a_b'), requestState: `${label}/s/1` } }, () => undefined);
    assert.deepEqual(routed, { label, text: `${label}_a_b`, params: { name: 'a_b', requestState: 's/1' } });
  }
  assert.notEqual(labelOf('boiler_7'), labelOf('boiler.7'));
  for (const id of ['list', 'wait', 'device', 'read']) assert.match(labelOf(id), new RegExp(`^${id}-[0-9a-f]{10}$`));
  assert.notEqual(labelOf(labelOf('boiler_7')), labelOf('boiler_7'));
  for (const name of ['ä/b c', 'x'.repeat(99), '\u0000', 'a.b']) assert.match(shownName('d', name), /^d_[A-Za-z0-9_-]*-[0-9a-f]{10}$/);
  // A host puts its own name of the server before: mcp__fleet-of-house__.
  assert.equal(shownName('x'.repeat(24), 'n'.repeat(99)).length, 64 - 'mcp__fleet-of-house__'.length + 1);
  const foreign = { method: 'tools/call', params: { name: 'a_t', requestState: 'b/s' } };
  assert.equal(route(foreign, () => 'whole').params.requestState, 'b/s');
  assert.equal(route(foreign, () => 'whole').params.name, 'whole');
  assert.deepEqual(route({ method: 'tools/call', params: { name: 7 } }, () => undefined), { text: '7' });
  const ref = { type: 'ref/resource', uri: 'fleet:a/test://{b}' };
  assert.equal(route({ method: 'completion/complete', params: { ref } }, () => undefined).params.ref.uri, 'test://{b}');
  const web = { content: [{ type: 'resource_link', uri: 'https://example.com' }] };
  assert.deepEqual(shownResult('a', web), web);
  assert.deepEqual(shownNotification('a', { level: 'info', data: 1 }), { level: 'info', data: 1, logger: 'a' });
  assert.equal(shownNotification('a', { taskId: 't', status: 'working' }).taskId, 'a/t');
});

/** The characters that change the direction of text. */
const bidi = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';

test('titles begin with their device', () => {
  const title = 'boiler-7: Set level';
  const device = { label: 'd', name: `n${bidi}` };
  const row = { name: 'x', title: bidi + title, annotations: { title, readOnlyHint: true } };
  assert.deepEqual(shownRow(device, 'tools', row), {
    name: 'd_x', title: `d: ${title}`, description: `n: ${title}`,
    annotations: { title: `d: ${title}`, readOnlyHint: true },
  });
  assert.ok(!Object.hasOwn(shownRow(device, 'tools', { name: 'x' }), 'title'));
  const own = { name: 'p', description: `a${bidi}b`, arguments: [{ name: bidi, title: `t${bidi}` }] };
  assert.deepEqual(shownRow(device, 'prompts', own), {
    name: 'd_p', description: 'n: ab', arguments: [{ name: bidi, title: 't' }] });
  for (const [uri, shown] of [['test://r', 'fleet:d/test://r'], ['https://example.com', 'https://example.com']]) {
    const link = { type: 'resource_link', name: 'r', uri, title: `${title}${bidi}` };
    assert.deepEqual(shownResult('d', { content: [link] }).content, [{ ...link, uri: shown, title: `d: ${title}` }]);
  }
  const link = { type: 'resource_link', name: `n${bidi}`, uri: 'test://r' };
  assert.equal(shownResult('d', { content: [link] }).content[0].title, 'd: n');
  // Values are for the device.
  const values = { const: { text: bidi }, default: [{ title: bidi }], enum: [bidi], examples: [{ text: bidi }] };
  const inputSchema = { type: 'object', properties: { k: values } };
  const _meta = { text: bidi };
  const valued = shownRow(device, 'tools', { name: 'x', inputSchema, _meta });
  assert.deepEqual([valued.inputSchema, valued._meta], [inputSchema, _meta]);
  // Some hosts cannot read half of a character.
  const half = shownRow({ label: 'd', name: `${'a'.repeat(199)}\u{1f600}` }, 'tools', { name: 'x', title: '\ud83d' });
  assert.deepEqual([half.title, half.description], ['d: \ufffd', `${'a'.repeat(199)}\ufffd: \ufffd`]);
  let deep = {};
  for (let i = 0; i < 64; ++i) deep = { deep };
  assert.throws(() => shownRow(device, 'tools', { name: 'x', inputSchema: deep }), /64 levels/);
});

test('each input request with a text names its device, and no text changes its direction', () => {
  const shown = (method, params) => (
    shownResult('d', { inputRequests: { q: { method, ...(params && { params }) } } }).inputRequests.q.params);
  /** A form whose texts end with `end`. Its values are for the device. */
  const form = (end) => ({ type: 'object', properties: { title: {
    type: 'array', title: `a${end}`, description: `b${end}`,
    items: { enum: [`v${bidi}`], enumNames: [`V${end}`], oneOf: [{ const: bidi, title: `T${end}` }] },
  } } });
  assert.deepEqual(shown('elicitation/create', { message: `${bidi}Open?`, requestedSchema: form(bidi) }), {
    message: 'd: Open?', requestedSchema: form('') });
  for (const params of [undefined, { message: 5 }]) assert.equal(shown('elicitation/create', params).message, 'd: ');
  const messages = [{ role: 'user', content: { type: 'text', text: `m${bidi}` } }];
  assert.deepEqual(shown('sampling/createMessage', { messages, systemPrompt: `s${bidi}`, maxTokens: 5 }), {
    messages: [{ role: 'user', content: { type: 'text', text: 'm' } }], systemPrompt: 'd: s', maxTokens: 5 });
  for (const systemPrompt of [undefined, 5]) {
    const { systemPrompt: text } = shown('sampling/createMessage', { messages, systemPrompt });
    assert.equal(text, 'd: The messages are from this device.');
  }
  assert.equal(shown('roots/list'), undefined);
  assert.equal(shown('x-acme/ask', { message: 'm' }).message, 'd: m');
  assert.deepEqual(shownResult('d', { inputRequests: { q: null } }).inputRequests, { q: null });
  assert.equal(shownNotification('d', { taskId: 't', statusMessage: `s${bidi}` }).statusMessage, 's');
  assert.equal(shownNotification('d', { level: 'info', logger: `l${bidi}` }).logger, 'd/l');
  assert.deepEqual(shownProgress({ progress: 1, message: `p${bidi}` }), { progress: 1, message: 'p' });
  assert.deepEqual(shownError('d', { code: 1, message: `e${bidi}`, data: { uri: 'u' } }), {
    code: 1, message: 'e', data: { uri: 'fleet:d/u' } });
  assert.deepEqual(shownError('d', { code: 1, data: { uri: 'u' } }), { code: 1, data: { uri: 'fleet:d/u' } });
});
