// SPDX-License-Identifier: Apache-2.0
// A device with Streamable HTTP, for hosts that speak stdio only.
//
// usage: node http.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { startHttp } from '../../examples/client/http.mjs';
import { holdPort } from '../../examples/client/mqtt.mjs';
import { environment, Host, limitMs, meta, prefix, server, within } from './support.mjs';

const watched = 'test://watched-resource';
const updated = 'notifications/resources/updated';

async function start(t, port = 0) {
  const process = await startHttp(server, ['--port', String(port)]);
  atEnd(t, () => process.end());
  return process;
}

test('serves two hosts of both eras', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const target = ['http', String((await start(t)).url)];
  const [a, b] = [new Host(t, env, target), new Host(t, env, target)];
  await a.initialize({ elicitation: {} });
  assert.equal(await b.tool('test_simple_text', {}, { _meta: meta() }), 'This is a simple text response for testing.');
  await a.result('resources/subscribe', { uri: watched });
  b.begin('subscriptions/listen', { notifications: { resourceSubscriptions: [watched] }, _meta: meta() }).response.catch(() => {});
  await b.next('notifications/subscriptions/acknowledged');
  await b.tool('test_update_resource', {}, { _meta: meta() });
  await Promise.all([a, b].map((host) => host.next(updated)));
  const call = a.tool('test_elicitation', { message: 'who?' });
  const asked = await a.next('elicitation/create');
  a.send({ id: asked.id, result: { action: 'accept', content: { username: 'ann', email: 'a@b.cd' } } });
  assert.match(await call, /ann/);
  const progress = b.begin('tools/call', { name: 'test_tool_with_progress', arguments: {}, _meta: meta({ progressToken: 3 }) });
  assert.ok((await progress.response).result);
  assert.deepEqual(b.unread('notifications/progress').map(({ params }) => params.progress), [0, 50, 100]);
  const slow = b.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: meta({ progressToken: 4 }) });
  slow.response.catch(() => {});
  await b.next('notifications/progress', ({ params }) => params.progressToken === 4);
  b.send({ method: 'notifications/cancelled', params: { requestId: slow.id } });
  assert.equal(await b.tool('test_simple_text', {}, { _meta: meta() }), 'This is a simple text response for testing.');
});

test('sends parameters of tools as headers where the tool wants it', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), ['http', String((await start(t)).url)]);
  const tools = [];
  for (let cursor; ;) {
    const page = await host.result('tools/list', { ...(cursor && { cursor }), _meta: meta() });
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (!cursor) break;
  }
  const { inputSchema } = tools.find(({ name }) => name === 'test_headers');
  const args = Object.fromEntries(Object.entries(inputSchema.properties).map(([name, { type }]) => (
    [name, { string: 'grün', integer: 7, number: 1.5, boolean: true }[type]])));
  const result = await host.result('tools/call', { name: 'test_headers', arguments: args, _meta: meta() });
  assert.ok(!result.isError, JSON.stringify(result));
});

test('opens the device again after it was gone', { timeout: limitMs }, async (t) => {
  const { port, release } = await holdPort();
  atEnd(t, release);
  const first = await start(t, port);
  const host = new Host(t, environment(t), ['http', String(first.url)]);
  await host.initialize();
  await host.result('resources/subscribe', { uri: watched });
  const slow = host.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: 1 } });
  await host.next('notifications/progress');
  await first.end();
  assert.match((await slow.response).error.message, /lost/);
  await start(t, port);
  await host.next(updated);
  assert.equal(await host.tool('test_simple_text'), 'This is a simple text response for testing.');
});

const json = { 'content-type': 'application/json' };

/** A server of POSTs, which go to receive(message, response, request). Resolves with its URL. */
async function serve(t, receive, others = () => {}) {
  const device = createServer((request, response) => {
    if (request.method !== 'POST') return response.end(others);
    let body = '';
    request.on('data', (data) => { body += data; });
    request.on('end', () => receive(JSON.parse(body), response, request));
  });
  await new Promise((resolve) => device.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => device.close());
  atEnd(t, () => device.closeAllConnections());
  return `http://127.0.0.1:${device.address().port}/mcp`;
}

const discovered = (capabilities) => ({
  resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private',
  _meta: { [`${prefix}serverInfo`]: { name: 'fake', version: '1' } },
});

/**
 * A device with a number of places for subscriptions, which sees the end of a stream late: after 20 ms, and if `isPolled`, not
 * before it has served another request. `left(count)` resolves with the filters of its streams when it has `count` of them.
 * `refused` has the times of its rejections, and `listened` those of all requests.
 */
async function subscriber(t, places, { retryMs = 1, isPolled = false } = {}) {
  const streams = new Set();
  const [refused, listened] = [[], []];
  let isSeen = !isPolled;
  let waiting = [];
  const closed = (stream) => {
    streams.delete(stream);
    waiting = waiting.filter((check) => !check());
  };
  const busy = { code: -32603, message: 'All subscriptions are in use.', data: { 'mote/retryAfterMs': retryMs } };
  const url = await serve(t, ({ id, method, params }, response) => {
    const end = (status, m) => response.writeHead(status, json).end(JSON.stringify({ jsonrpc: '2.0', id, ...m }));
    if (method === 'server/discover') {
      return end(200, { result: discovered({ tools: { listChanged: true }, resources: { subscribe: true } }) });
    }
    const { notifications } = params;
    if (!notifications) return end(400, { error: { code: -32602, message: 'notifications must be an object.' } });
    listened.push(performance.now());
    if (streams.size >= places) {
      refused.push(performance.now());
      return end(503, { error: busy });
    }
    streams.add(notifications);
    isSeen = !isPolled;
    response.on('close', () => {
      const look = setInterval(() => isSeen && (clearInterval(look), closed(notifications)), 20);
      atEnd(t, () => clearInterval(look));
    });
    const acknowledged = {
      jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta: { [`${prefix}subscriptionId`]: id } },
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(acknowledged)}\n\n`);
  }, () => { isSeen = true; });
  const left = (count) => within(`${count} streams`, new Promise((resolve) => {
    const check = () => streams.size === count && (resolve([...streams]), true);
    if (!check()) waiting.push(check);
  }));
  return { url, left, refused, listened };
}

for (const places of [1, 2]) {
  test(`leaves one subscription at a device with places for ${places}`, { timeout: limitMs }, async (t) => {
    const device = await subscriber(t, places);
    const host = new Host(t, environment(t), ['http', device.url, '--plain']);
    await host.initialize();
    const uris = Array.from({ length: 6 }, (_, i) => `a://${i}`);
    for (const uri of uris) assert.deepEqual(await host.result('resources/subscribe', { uri }), {});
    const [filter] = await device.left(1);
    assert.deepEqual(filter.resourceSubscriptions, uris);
  });
}

test('sends parameters as headers on a new link, too', { timeout: limitMs }, async (t) => {
  const tools = [{ name: 'set', inputSchema: { type: 'object', properties: { room: { type: 'string', 'x-mcp-header': 'Room' } } } }];
  const rooms = [];
  let lists = 0;
  const url = await serve(t, ({ id, method, params }, response, { headers, socket }) => {
    if (method === 'tools/list') ++lists;
    if (method === 'tools/call') rooms.push(headers['mcp-param-room']);
    if (method === 'tools/call' && params.arguments.room === 'lost') return socket.destroy();
    const result = {
      'server/discover': { ...discovered({ tools: {} }), _meta: { 'mote/boot': '00000001' } }, 'tools/list': { tools, ttlMs: 60_000 },
    }[method] ?? { content: [] };
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const host = new Host(t, environment(t), ['http', url, '--plain']);
  await host.result('tools/list', { _meta: meta() });
  const call = (room) => host.request('tools/call', { name: 'set', arguments: { room }, _meta: meta() });
  assert.match((await call('lost')).error.message, /connection to the device was lost/);
  assert.ok((await call('cellar')).result);
  assert.deepEqual(rooms, ['lost', 'cellar']);
  await host.result('tools/list', { _meta: meta() });
  assert.equal(lists, 1);
});

test('reads a list again with another token', { timeout: limitMs }, async (t) => {
  const url = await serve(t, ({ id, method }, response, { headers: { authorization } }) => {
    const tools = [{ name: authorization.slice('Bearer '.length), inputSchema: { type: 'object' } }];
    const result = method === 'tools/list' ? { tools, ttlMs: 60_000 } : discovered({ tools: {} });
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const env = environment(t);
  const file = join(env.XDG_RUNTIME_DIR, 'token');
  const host = new Host(t, env, ['http', url, '--token-file', file, '--plain']);
  for (const token of ['reader', 'operator']) {
    writeFileSync(file, `${token}\n`);
    assert.equal((await host.result('tools/list', { _meta: meta() })).tools[0].name, token);
  }
});

test('waits until the device has seen the end of a subscription', { timeout: limitMs }, async (t) => {
  const device = await subscriber(t, 1, { isPolled: true });
  const host = new Host(t, environment(t), ['http', device.url, '--plain']);
  await host.initialize();
  const uris = Array.from({ length: 6 }, (_, i) => `a://${i}`);
  for (const uri of uris) assert.deepEqual(await host.result('resources/subscribe', { uri }), {});
});

test('asks a busy device for a subscription no sooner than it says', { timeout: limitMs }, async (t) => {
  const retryMs = 200;
  const device = await subscriber(t, 0, { retryMs });
  const host = new Host(t, environment(t), ['http', device.url, '--plain']);
  await host.initialize();
  const enough = new Promise((resolve) => {
    const look = setInterval(() => device.listened.length >= 12 && (clearInterval(look), resolve()), 20);
    atEnd(t, () => clearInterval(look));
  });
  await within('12 requests', enough);
  // Its own first subscription and that of the host come one after another.
  const pauses = device.listened.slice(3).map((at, i) => at - device.refused[i + 2]);
  assert.ok(Math.min(...pauses) >= retryMs - 1, `${pauses}`);
});

test('passes a rejection on whose time is longer than a host waits', { timeout: limitMs }, async (t) => {
  const device = await subscriber(t, 0, { retryMs: 3_600_000 });
  const host = new Host(t, environment(t), ['http', device.url, '--plain']);
  await host.initialize();
  const { error } = await host.request('resources/subscribe', { uri: 'a://1' });
  assert.equal(error.data['mote/retryAfterMs'], 3_600_000);
});

const notations = {
  'a BOM': ['text/event-stream', (data) => [`\ufeffdata: ${data}\n\n`]],
  'a media type in capitals': ['Text/Event-Stream; charset=UTF-8', (data) => [`data: ${data}\n\n`]],
  'CR and LF in two segments': ['text/event-stream', (data) => ['data: {\r', `\ndata: ${data.slice(1)}\r\n\r`, '\n']],
  'CR alone': ['text/event-stream', (data) => [`data: ${data}\r\r`]],
  'two lines': ['text/event-stream', (data) => [`data:{\ndata: ${data.slice(1)}\n\n`]],
};

for (const [notation, [type, pieces]] of Object.entries(notations)) {
  test(`reads an event stream with ${notation}`, { timeout: limitMs }, async (t) => {
    const url = await serve(t, ({ id, method }, response) => {
      const reply = (result) => JSON.stringify({ jsonrpc: '2.0', id, result });
      if (method === 'server/discover') return response.writeHead(200, json).end(reply(discovered({ tools: {} })));
      response.writeHead(200, { 'content-type': type });  // and it stays open
      const next = ([piece, ...rest]) => piece && response.write(piece, () => setImmediate(next, rest));
      next(pieces(reply({ resultType: 'complete', content: [{ type: 'text', text: 'a\u2028b' }] })));
    });
    const host = new Host(t, environment(t), ['http', url, '--plain']);
    assert.equal(await host.tool('x', {}, { _meta: meta() }), 'a\u2028b');
  });
}

test('ends a call whose event is longer than 16 MiB', { timeout: limitMs }, async (t) => {
  const url = await serve(t, ({ id, method }, response) => {
    const reply = (result) => JSON.stringify({ jsonrpc: '2.0', id, result });
    if (method === 'server/discover') return response.writeHead(200, json).end(reply(discovered({ tools: {} })));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => response.write('x'.repeat(1 << 20), () => response.destroyed || setImmediate(more));
    more();
  });
  const host = new Host(t, environment(t), ['http', url, '--plain']);
  const { error } = await host.request('tools/call', { name: 'x', arguments: {}, _meta: meta() });
  assert.match(error.message, /event is longer than 16777216 characters/);
});

test('sends the token of its file, also after a rotation, and passes a rejection on', { timeout: limitMs }, async (t) => {
  const tokens = [];
  let status = 200;
  const url = await serve(t, ({ id }, response, { headers }) => {
    tokens.push(headers.authorization);
    response.writeHead(status, json);
    response.end(status === 200 ? JSON.stringify({ jsonrpc: '2.0', id, result: discovered({}) }) : 'Forbidden: Host');
  });
  const env = environment(t);
  const file = join(env.XDG_RUNTIME_DIR, 'token');
  writeFileSync(file, 'first\n');
  const host = new Host(t, env, ['http', url, '--token-file', file, '--plain']);
  await host.result('prompts/list', { _meta: meta() });
  writeFileSync(file, 'second\n');
  await host.result('prompts/list', { _meta: meta() });
  assert.equal(tokens[0], 'Bearer first');
  assert.equal(tokens.at(-1), 'Bearer second');
  status = 403;
  const { error } = await host.request('prompts/list', { _meta: meta() });
  assert.match(error.message, /HTTP 403 Forbidden: Host/);
});
