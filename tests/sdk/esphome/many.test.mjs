// SPDX-License-Identifier: Apache-2.0
// A node with 100 entities: lists in pages, six hosts at once, entities that publish at 60 Hz, and what a node without a
// token refuses. The node is nodes/many.yaml.
import assert from 'node:assert/strict';
import { connect as connectTcp } from 'node:net';
import { test } from 'node:test';
import { atEnd } from '../../at_end.mjs';
import { all, call, connect, limitMs, post, rejected, startNode } from './node.mjs';

const zones = 19;
const notifyMs = 200;
const uri = (type, id) => `esphome://${type}/${id}`;

test('lists 100 entities in pages, and calls the last as the first', { timeout: limitMs }, async (t) => {
  const { client } = await connect(t, await startNode(t));
  const { rows: tools, pages } = await all(client, 'tools');
  const { rows: resources } = await all(client, 'resources');
  assert.equal(resources.length, 99);  // a button has no state
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
  assert.equal(tools.length, 1 + zones * 3);
  assert.ok(pages > 1);
  for (const zone of [1, zones]) {
    assert.deepEqual(await call(client, `set_switch_${zone}`, { on: true }), { on: true });
    assert.deepEqual(await call(client, `set_number_${zone}`, { value: zone }), { state: zone });
    assert.deepEqual(await call(client, `set_select_${zone}`, { option: 'high' }), { state: 'high' });
  }
  let calls = 0;
  let read = '';
  for (let first = '0'; first !== undefined; calls += 1) {
    const text = await call(client, 'read_states', { first: Number(first) });
    read += `${text}\n`;
    [, first] = /again with first=(\d+)/.exec(text) ?? [];
  }
  assert.equal(read.match(/^\w+ \(.*\): /gm).length, 99);
  console.log(`tools/list: ${tools.length} tools in ${pages} pages; read_states: ${calls} calls, ${read.length} bytes`);
});

test('six hosts at once set and read their own entities', { timeout: limitMs }, async (t) => {
  const node = await startNode(t);
  const ways = [{}, { sdk: 'v2' }, { sdk: 'v2', mode: 'auto' }, {}, { sdk: 'v2' }, { sdk: 'v2', mode: 'auto' }];
  const sessions = await Promise.all(ways.map((way) => connect(t, node, way)));
  const rounds = 20;
  await Promise.all(sessions.map(async ({ client }, index) => {
    const zone = index + 1;
    for (let round = 0; round < rounds; ++round) {
      const value = round + index;
      assert.deepEqual(await call(client, `set_number_${zone}`, { value }), { state: value });
      assert.deepEqual(await call(client, `set_switch_${zone}`, { on: round % 2 === 0 }), { on: round % 2 === 0 });
      const { contents } = await client.readResource({ uri: uri('number', `number_${zone}`) });
      assert.deepEqual(JSON.parse(contents[0].text), { state: value });
    }
  }));
});

test('entities that publish at 60 Hz notify once for each interval', { timeout: limitMs }, async (t) => {
  const session = await connect(t, await startNode(t));
  const counter = uri('sensor', 'sensor_1');
  const began = performance.now();
  await session.client.subscribeResource({ uri: counter });
  const updates = 6;
  await session.nextUpdate(counter);
  const { state: first } = await session.readJson(counter);
  for (let update = 1; update < updates; ++update) await session.nextUpdate(counter);
  const passed = performance.now() - began;
  assert.ok(passed >= (updates - 1) * notifyMs, `${updates} notifications within ${passed} ms`);
  const { state: last } = await session.readJson(counter);
  // At least one change for each notification, and all of them were of one sensor.
  assert.ok(last - first >= updates - 1, `${last - first} changes`);
  assert.equal(session.updates(uri('sensor', 'sensor_2')), 0);
  // Calls are served between them.
  for (let value = 0; value < 50; ++value) {
    assert.deepEqual(await call(session.client, 'set_number_2', { value }), { state: value });
  }
  assert.ok((await session.readJson(counter)).state > last);
});

test('without a token the node warns, and guarded entities are only read', { timeout: limitMs }, async (t) => {
  const node = await startNode(t);
  const session = await connect(t, node);
  await node.said(/No token: each device in the network can read and control this node/);
  const { rows } = await all(session.client, 'tools');
  for (const id of ['front_door', 'restart_node', 'garage', 'oven', 'firmware']) {
    await node.said(new RegExp(`${id}: clients cannot control it without a token`));
    assert.ok(!rows.some(({ name }) => name.endsWith(id)), `${id} has a tool`);
    for (const verb of ['set', 'press']) {
      const error = await rejected(session.client.callTool({ name: `${verb}_${id}`, arguments: {} }));
      assert.match(error.message, /./);
    }
  }
  assert.equal((await session.readJson(uri('lock', 'front_door'))).state, 'unknown');
  assert.equal((await session.readJson(uri('update', 'firmware'))).state, 'available');
});

test('another Host or Origin is rejected', { timeout: limitMs }, async (t) => {
  const node = await startNode(t);
  const { port } = new URL(node.url);
  // As a browser sends it after a DNS rebinding; fetch() cannot.
  const status = (headers) => new Promise((resolve, reject) => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const socket = connectTcp(port, '127.0.0.1');
    atEnd(t, () => socket.destroy());
    socket.on('error', reject);
    let text = '';
    socket.setEncoding('utf8').on('data', (data) => {
      text += data;
      const [, code] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
      if (code !== undefined) resolve(Number(code));
    });
    socket.write(`POST /mcp HTTP/1.1\r\n${headers}content-type: application/json\r\n` +
      `accept: application/json, text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  });
  const accepted = await status(`host: many.local:${port}\r\n`);
  assert.notEqual(accepted, 403);
  assert.equal(await status(`host: evil.example:${port}\r\n`), 403);
  assert.equal(await status(`host: many.local:${port}\r\norigin: https://evil.example\r\n`), 403);
});

test('a request is served in whatever pieces it comes', { timeout: limitMs }, async (t) => {
  const node = await startNode(t);
  const { port } = new URL(node.url);
  const args = { value: 42, ' ': 'x'.repeat(600) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'set_number_1', arguments: args,
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo':
      { name: 'pieces', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} } } });
  const head = `POST /mcp HTTP/1.1\r\nhost: many.local\r\ncontent-type: application/json\r\n` +
    'accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\n' +
    `mcp-name: set_number_1\r\ncontent-length: ${body.length}\r\n\r\n`;
  const bytes = Buffer.from(head + body);
  const socket = connectTcp({ port, host: '127.0.0.1', noDelay: true });
  atEnd(t, () => socket.destroy());
  const responses = { text: '', wanted: 0, done: () => {} };
  socket.setEncoding('utf8').on('data', (data) => {
    responses.text += data;
    if (responses.text.split('There is no argument').length > responses.wanted) responses.done();
  });
  const sent = (piece) => new Promise((resolve, reject) => socket.write(piece, (error) => (error ? reject(error) : resolve())));
  // The node reads a piece before the next comes, or several at once: both happen.
  for (const size of [bytes.length, 1, 7, 512, 1023]) {
    responses.wanted += 1;
    const done = new Promise((resolve) => { responses.done = resolve; });
    for (let at = 0; at < bytes.length; at += size) await sent(bytes.subarray(at, at + size));
    await done;
  }
  assert.equal(responses.text.match(/HTTP\/1\.1 200/g).length, 5);
});

test('one host that floods the node with wrong requests does not stop another', { timeout: limitMs }, async (t) => {
  const node = await startNode(t);
  const { client } = await connect(t, node);
  let isOver = false;
  const flood = (async () => {
    for (let count = 0; !isOver; ++count) {
      const { status } = await post(node, ['{', '[]', '{"jsonrpc":"2.0","id":1,"method":"no/such"}'][count % 3]);
      assert.ok(status >= 400 || status === 200, `status ${status}`);
    }
  })();
  for (let value = 0; value < 100; ++value) {
    assert.deepEqual(await call(client, 'set_number_3', { value }), { state: value });
  }
  isOver = true;
  await flood;
});
