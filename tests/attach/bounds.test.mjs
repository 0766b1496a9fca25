// SPDX-License-Identifier: Apache-2.0
// The bounds of what a device may send: the check of each message, its size, depth and time, and rounds without end.
// usage: node bounds.test.mjs
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { errorOf, isDeep, limits, read } from '../../toolchains/attach/lib/incoming.mjs';
import { LineReader } from '../../toolchains/attach/lib/lines.mjs';
import { bodyMs, readMessages } from '../../toolchains/attach/lib/links/http_client.mjs';
import { openHttp } from '../../toolchains/attach/lib/links/http.mjs';
import { limits as roundLimits } from '../../toolchains/attach/lib/rounds.mjs';
import { FakeLink, fakeTime, pass, settle, start } from './devices/fake_link.mjs';
import { FakeHost, meta, within } from './support.mjs';

const limitMs = 60_000;
const envelope = (rest) => `{"jsonrpc":"2.0","id":1,${rest}}`;

test('accepts messages of JSON-RPC only, and names what is wrong', () => {
  for (const text of [envelope('"result":{}'), envelope('"error":{"code":1,"message":"x"}'), envelope('"error":{}'),
    '{"jsonrpc":"2.0","method":"x"}', `[${envelope('"result":{}')}]`]) assert.equal(read(text).fault, undefined, text);
  for (const text of ['null', '[null]', '[]', '5', '"x"', '{}', '{"tools":{}}', '{"jsonrpc":"2.0"}', envelope('"result":null'),
    envelope('"result":[]'), envelope('"error":null'), envelope('"error":[]'), envelope('"result":{"_meta":null}'), envelope('"method":5'),
    envelope('"method":"x","params":[]'), envelope('"method":"x","params":{"_meta":[]}'), '{"jsonrpc":"2.0","id":{},"result":{}}',
    `{"jsonrpc":"2.0","id":"${'x'.repeat(2000)}","result":{}}`, `[${envelope('"result":{}')},null]`]) {
    const { value, messages, fault } = read(text);
    assert.deepEqual([value, messages, fault], [undefined, [], 'is not a JSON-RPC message'], text);
  }
  assert.equal(read(envelope('"result":null')).id, 1);
  assert.equal(read('{').fault, 'is not JSON');
  assert.equal(read(`[${Array(1001).fill(envelope('"result":{}'))}]`).fault, 'has more than 1000 messages');
  assert.equal(read(`"${'x'.repeat(limits.size)}"`).fault, 'is longer than 4 MiB');
  assert.equal(read(envelope(`"result":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).fault, 'is nested in more than 128 levels');
});

test('counts the levels of JSON, and not those in strings', () => {
  const nested = (levels) => '['.repeat(levels) + ']'.repeat(levels);
  assert.deepEqual([127, 128, 129].map((levels) => isDeep(nested(levels))), [false, false, true]);
  assert.equal(isDeep(JSON.stringify([`"${nested(500)}\\`, nested(500)])), false);
  assert.equal(isDeep(`[${Array(300).fill('{}')}]`), false);
  assert.equal(isDeep(`["\\"",${nested(200)}]`), true);
});

test('gives an error of a device the members that hosts need', () => {
  assert.deepEqual(errorOf({ code: 5, message: 'm', data: 1 }), { code: 5, message: 'm', data: 1 });
  assert.deepEqual(errorOf({ code: '5', message: 'm' }), { code: -32603, message: 'm' });
  assert.deepEqual(errorOf({ code: 5, message: {} }), { code: 5, message: 'The device sent an error without a message.' });
});

// With one string for each piece, the time grows with the square of the length.
test('reads a long line in pieces in a time that is linear in its length', { timeout: limitMs }, () => {
  const time = (end) => {
    const begun = process.hrtime.bigint();
    const reader = new LineReader({ message() {} });
    const piece = Buffer.from('x'.repeat(1459) + end);
    for (let size = 0; size < limits.size; size += piece.length) reader.feed(piece);
    return Number(process.hrtime.bigint() - begun);
  };
  const least = (end) => Math.min(...Array.from({ length: 5 }, () => time(end)));
  const [lines, line] = [least('\n'), least('x')];
  assert.ok(line < 20 * lines, `one line took ${(line / lines).toFixed(1)} times the time of many`);
});

test('skips a line that is too long, in one piece and in many', () => {
  const message = envelope('"result":{}');
  for (const size of [10, 1000]) {
    const got = { messages: 0, damaged: 0 };
    const reader = new LineReader({ message: () => { ++got.messages; }, damaged: () => { ++got.damaged; } }, 200);
    const bytes = Buffer.from(`{"a":"${'x'.repeat(300)}"}\n${message}\n`);
    for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
    assert.deepEqual(got, { messages: 1, damaged: 1 });
  }
});

// ---- HTTP -----------------------------------------------------------------------------------------------------------

/** A link to a device whose responses `answer(m, response)` writes. */
async function httpDevice(t, answer) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const text of request.setEncoding('utf8')) body += text;
    response.on('error', () => {});
    if (body === '') return response.writeHead(405).end();
    answer(JSON.parse(body), response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await openHttp({ url: `http://127.0.0.1:${server.address().port}/mcp` });
  atEnd(t, () => {
    link.close();
    server.close();
    server.closeAllConnections();
  });
  return link;
}

/** The response to a request with this id. */
async function ask(link, id, method = 'tools/list', params = {}) {
  const response = new Promise((resolve) => link.on('message', (m) => { if (m.id === id) resolve(m); }));
  link.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta() } });
  return within(`response ${id}`, response);
}

test('ends one request after a response that is no message, and no other', { timeout: limitMs }, async (t) => {
  let finish;
  const bodies = ['null', '[null]', '[]', '{"jsonrpc":"2.0","id":1,"result":null}', '{"jsonrpc":"2.0","id":ID,"result":{"tools":{}}}',
    `{"jsonrpc":"2.0","id":ID,"result":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    `{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"x","inputSchema":${'{"properties":{"x":'.repeat(20_000)}1${'}}'.repeat(20_000)}}]}}`];
  const link = await httpDevice(t, (m, response) => {
    if (m.method === 'tools/call') finish = () => response.end(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: {} }));
    else if (m.method === 'resources/list') response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: null\n\ndata: [null]\n\n');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(bodies[m.id - 100].replace('ID', m.id));
  });
  const beside = ask(link, 1, 'tools/call', { name: 'x' });
  const faults = [];
  for (const [at] of bodies.entries()) faults.push((await ask(link, 100 + at)).error?.message ?? 'result');
  const isNone = 'The response of the device is not a JSON-RPC message.';
  const isDeeper = 'The response of the device is nested in more than 128 levels.';
  assert.deepEqual(faults, [isNone, isNone, isNone, isNone, 'result', isDeeper, isDeeper]);
  assert.equal((await ask(link, 2, 'resources/list')).error.message, isNone);
  finish();
  assert.deepEqual((await beside).result, {});
});

test('ends a request whose response has no end', { timeout: limitMs }, async (t) => {
  const link = await httpDevice(t, (m, response) => {
    const type = m.method === 'tools/list' ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type });
    const piece = `${m.method === 'prompts/list' ? '' : 'data: '}${'x'.repeat(1 << 16)}`;
    const more = () => { while (!response.destroyed && response.write(piece)); };
    response.on('drain', more);
    more();
  });
  for (const [id, method] of ['tools/list', 'prompts/list', 'resources/list'].entries()) {
    const most = method === 'tools/list' ? 'The response of the device is longer than 4 MiB.' : 'An event is longer than 16777216 characters.';
    assert.equal((await ask(link, id + 1, method)).error.message, most);
  }
});

test('ends a request whose response stops, and a stream that goes on after its response', (t) => {
  const tick = fakeTime(t);
  const faults = [];
  const response = (type) => Object.assign(new EventEmitter(), {
    headers: { 'content-type': type }, setEncoding() {},
    destroy(error) {
      faults.push(error?.message);
      this.emit('close');
    },
  });
  const [stops, goesOn, stream] = ['application/json', 'application/json', 'text/event-stream'].map(response);
  const [, , events] = [stops, goesOn, stream].map((each) => readMessages(each, { message() {}, text() {}, end() {}, error() {} }));
  tick(bodyMs - 1);
  assert.deepEqual(faults, []);
  goesOn.emit('data', 'x');
  tick(1);
  assert.deepEqual(faults, ['The response of the device stopped for 30 s.']);
  events.answered();
  tick(1999);
  assert.equal(faults.length, 1);
  tick(1);
  assert.deepEqual(faults.slice(1), [undefined]);
});

test('sends no header whose name a device has made up', { timeout: limitMs }, async (t) => {
  const names = ['ok-1', 'a b', 'x\r\ny: z', '', 5, null, {}, 'x'.repeat(5000)];
  const properties = Object.fromEntries(names.map((name, at) => [`p${at}`, { type: 'string', 'x-mcp-header': name }]));
  let headers;
  const link = await httpDevice(t, (m, response) => {
    headers = response.req.headers;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { tools: [{ name: 'x', inputSchema: { properties } }, null, { name: 5 }] } }));
  });
  await ask(link, 1);
  await ask(link, 2, 'tools/call', { name: 'x', arguments: Object.fromEntries(names.map((_, at) => [`p${at}`, 'v'])) });
  assert.deepEqual(Object.keys(headers).filter((name) => name.startsWith('mcp-param-')), ['mcp-param-ok-1']);
});

test('waits for the response to OPTIONS for 30 s, and not for its end', { timeout: limitMs }, async (t) => {
  let isSilent = true;
  const requested = new EventEmitter();
  const server = createServer((_request, response) => {
    requested.emit('request');
    response.on('error', () => {});
    if (isSilent) return;
    const more = () => { while (!response.destroyed && response.write('x'.repeat(1 << 16))); };
    response.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
  atEnd(t, () => server.closeAllConnections());
  atEnd(t, () => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/mcp`;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const opened = openHttp({ url });
  await once(requested, 'request');
  t.mock.timers.tick(bodyMs);
  await assert.rejects(opened, /no HTTP response within 30 s/);
  t.mock.timers.reset();
  isSilent = false;
  (await within('link', openHttp({ url }))).close();
});

// ---- Rounds ---------------------------------------------------------------------------------------------------------

for (const inputRequests of [undefined, {}]) {
  test(`ends a call that asks for input again and again, with ${inputRequests ? 'no' : 'missing'} questions`, { timeout: limitMs }, async (t) => {
    const tick = fakeTime(t);
    const { broker, link } = await start(t, { 'tools/call': () => ({ resultType: 'input_required', requestState: 's', inputRequests }) });
    const host = new FakeHost(broker, 3_600_000);
    await host.initialize({ elicitation: {} });
    const calls = [host.request('tools/call', { name: 'x' })];
    const { result } = await (async () => {
      const created = host.request('tools/call', { name: 'x', task: {} });
      await pass(tick, 400);
      return created;
    })();
    calls.push(host.request('tasks/result', { taskId: result.task.taskId }));
    await pass(tick, 2000);
    // 200 ms, 400 ms and 800 ms have passed for each of both.
    assert.equal(link.sent('tools/call').length, 8);
    await pass(tick, roundLimits.ms + roundLimits.pauseMs[1], 5000);
    const [call, task] = await Promise.all(calls);
    assert.equal(call.result.content[0].text, 'The device did not finish the call in time.');
    assert.equal(task.error.message, 'The device did not finish the call in time.');
    const sent = link.sent('tools/call').length;
    await pass(tick, roundLimits.pauseMs[1] * 2, 5000);
    assert.equal(link.sent('tools/call').length, sent);
  });
}

test('ends a call with input requests that are not valid, or too many', { timeout: limitMs }, async (t) => {
  const question = { method: 'roots/list' };
  const invalid = 'The device sent an input request that is not valid.';
  for (const [inputRequests, message] of [[{ a: null }, invalid], [5, invalid], [[], invalid], [{ a: { method: 5 } }, invalid],
    [{ a: { method: 'roots/list', params: [] } }, invalid],
    [Object.fromEntries(Array.from({ length: 17 }, (_, at) => [at, question])), 'The device sent more than 16 input requests at once.']]) {
    const { broker } = await start(t, { 'tools/call': () => ({ resultType: 'input_required', requestState: 's', inputRequests }) });
    const host = new FakeHost(broker);
    await host.initialize({ roots: {} });
    const { result } = await host.request('tools/call', { name: 'x' });
    assert.deepEqual([result.isError, result.content[0].text], [true, message]);
    assert.deepEqual(host.messages, []);
  }
});

test('polls a task that wants input without a question as any other task', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const state = { resultType: 'task', taskId: 't', status: 'input_required', pollIntervalMs: -1, inputRequests: {}, statusMessage: 5 };
  const { broker, link } = await start(t, { 'tools/call': () => state, 'tasks/get': () => ({ ...state, resultType: 'complete' }) });
  const host = new FakeHost(broker, 3_600_000);
  await host.initialize();
  const created = host.request('tools/call', { name: 'x', task: {} });
  await settle();
  assert.equal(link.sent('tasks/get').length, 0);
  await pass(tick, 1000);
  assert.ok(link.sent('tasks/get').length <= 10);
  assert.equal(link.sent('tasks/update').length, 0);
  assert.equal((await created).result.task.status, 'working');
});

test('keeps the states of 64 rounds of a host at most', { timeout: limitMs }, async (t) => {
  let count = 0;
  const { broker } = await start(t, { 'tools/call': () => ({ resultType: 'input_required', requestState: `s${++count}` }) });
  const host = new FakeHost(broker);
  for (let i = 0; i < 70; ++i) await host.request('tools/call', { name: 'x', _meta: meta() });
  assert.equal([...broker.hosts][0].rounds.size, 64);
});

// ---- Texts and ids --------------------------------------------------------------------------------------------------

test('gives hosts no text of an error of JavaScript', { timeout: limitMs }, async (t) => {
  const { broker, link } = await start(t, {}, { plain: false });
  const host = new FakeHost(broker);
  link.handlers['tools/call'] = () => { throw new TypeError("Cannot read properties of undefined (reading 'x')"); };
  const { error } = await host.request('tools/call', { name: 'x', _meta: meta() });
  assert.equal(error.message, 'The request, or the response of the device, is not valid.');
  broker.device.subscription.take = () => { throw new TypeError('x is not a function'); };
  link.emit('message', { jsonrpc: '2.0', id: 'y', result: {} });
  await host.wrote(/attach: The request, or the response of the device, is not valid\./);
  assert.doesNotMatch(host.text, /function|\.mjs/);
});

test('sends no id of a device back that attach cannot have sent', { timeout: limitMs }, async (t) => {
  const { link } = await start(t);
  await settle();
  const before = link.received.length;
  for (const id of [{}, [], true, 'x'.repeat(1000)]) {
    link.emit('message', { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id } } });
  }
  assert.equal(link.received.length, before);
  link.emit('message', { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen:7' } } });
  assert.equal(link.received.at(-1).params.requestId, 'listen:7');
});

test('holds 64 connections at most to a device that does not answer', { timeout: limitMs }, async (t) => {
  const tick = fakeTime(t);
  const link = Object.assign(new FakeLink({ 'server/discover': () => undefined }), { canReset: false });
  await start(t, {}, { link });
  await pass(tick, 100_000, 1000);
  assert.equal(link.sent('server/discover').length - link.sent('notifications/cancelled').length, 64);
});

test('rejects a request of a host that is nested too deeply', { timeout: limitMs }, async (t) => {
  const { broker } = await start(t);
  const host = new FakeHost(broker);
  host.sendText(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x","arguments":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`);
  const { error } = await host.next('error', (m) => m.id === null);
  assert.equal(error.code, -32700);
  assert.ok((await host.request('server/discover', { _meta: meta() })).result);
});
