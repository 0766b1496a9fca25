// SPDX-License-Identifier: Apache-2.0
// Requests that are too long for the device. usage: node fitting.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { startHttp } from '../../examples/client/http.mjs';
import { discovered, startBroker } from './devices/fake.mjs';
import { environment, FakeHost, Host, limitMs, meta, prefix, server } from './support.mjs';

const most = 1024;  // Limits::receive_size of everything_server
/** What Codex adds to each call. */
const codex = {
  threadId: '019c0f8e-3a52-7b93-a1de-3a2c4f5d6e7f',
  'x-codex-turn-metadata': { model: 'gpt-5', workspaces: { '/home/ann/project': { latest_git_commit_hash: 'a'.repeat(40) } }, more: 'y'.repeat(500) },
};
const clientInfo = { name: 'codex-mcp-client', title: 'Codex', version: '0.171.0', description: 'z'.repeat(100) };
const sizeOf = (m) => Buffer.byteLength(JSON.stringify(m));
const done = (text = 'done') => ({ resultType: 'complete', content: [{ type: 'text', text }] });
const text = 'This is a simple text response for testing.';

for (const era of ['2025-11-25', '2026-07-28']) {
  test(`calls a tool of a device with 1 KiB for a host of ${era} with a long _meta`, { timeout: limitMs }, async (t) => {
    const host = new Host(t, environment(t), ['exec', server, '--stdio']);
    const capabilities = { elicitation: { form: {}, url: {} } };
    const own = era === '2026-07-28' ? meta({ [`${prefix}clientInfo`]: clientInfo }, capabilities) : {};
    if (era !== '2026-07-28') {
      await host.result('initialize', { protocolVersion: era, capabilities, clientInfo });
      host.send({ method: 'notifications/initialized' });
    }
    for (let i = 0; i < 2; ++i) {
      assert.equal(await host.tool('test_simple_text', {}, { _meta: { ...own, ...codex, more: 'é'.repeat(500), progressToken: i } }), text);
    }
    const { error } = await host.request('tools/call', { name: 'greet', arguments: { name: 'é'.repeat(600) }, _meta: { ...own, ...codex } });
    const [, accepts, has] = /at most (\d+) bytes, and this request has (\d+) bytes/.exec(error.message);
    assert.equal(Number(accepts), most);
    assert.ok(Number(has) > 1200 && Number(has) < 1800, error.message);
    assert.equal(await host.tool('test_simple_text', {}, { _meta: own }), text);
  });
}

test('sends as many bytes as the device accepts', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), ['exec', server, '--stdio']);
  const ask = (size) => host.request('tools/call', { name: 'greet', arguments: { name: 'x'.repeat(size) }, _meta: meta(codex) });
  const { error } = await ask(2000);
  const room = 2000 - Number(/has (\d+)/.exec(error.message)[1]) + most;
  assert.equal((await ask(room)).error?.code, undefined);
  assert.match((await ask(room + 1)).error.message, new RegExp(`this request has ${most + 1} bytes`));
});

test('calls a tool over HTTP with a long _meta', { timeout: limitMs }, async (t) => {
  const process = await startHttp(server, ['--port', '0']);
  atEnd(t, () => process.end());
  const host = new Host(t, environment(t), ['http', String(process.url)]);
  const long = meta({ 'com.example/x': 'y'.repeat(20_000) });
  assert.equal(await host.tool('test_simple_text', {}, { _meta: long }), text);
  const { error } = await host.request('tools/call', { name: 'greet', arguments: { name: 'x'.repeat(20_000) }, _meta: long });
  assert.match(error.message, /fewer than \d+ bytes, and this request has 20\d\d\d bytes/);
});

/** A device that accepts `most` bytes, and counts what it gets. */
async function start(t, discover = discovered, limit = most) {
  const seen = [];
  const { broker } = await startBroker(t, {
    'server/discover': () => discover,
    'tools/call': (params, m) => {
      seen.push(params._meta);
      return sizeOf(m) <= limit ? done() : { error: { code: -32600, message: `Message too long: at most ${limit} bytes are accepted.` } };
    },
  }, { plain: true });
  const host = new FakeHost(broker);
  atEnd(t, () => host.leave());
  return { seen, call: (more, args = {}) => host.request('tools/call', { name: 'x', arguments: args, _meta: meta(more) }) };
}

test('repeats a call once without the members of others, and shortens the next ones before', { timeout: limitMs }, async (t) => {
  const { seen, call } = await start(t);
  const others = { [`${prefix}logLevel`]: 'info', 'mote/x': 1 };
  const all = { [`${prefix}clientInfo`]: clientInfo, progressToken: 7, ...others, ...codex };
  for (let i = 0; i < 2; ++i) assert.ok((await call(all)).result);
  assert.equal(seen.length, 3);
  assert.ok(seen[0].threadId);
  for (const { progressToken, ...each } of seen.slice(1)) {
    assert.equal(typeof progressToken, 'number');
    assert.deepEqual(each, meta({ ...others, [`${prefix}clientInfo`]: { name: 'codex-mcp-client', version: '0.171.0' } }));
  }
  // What fits goes as it came.
  assert.ok((await call({ 'com.example/short': 1 })).result);
  assert.equal(seen.at(-1)['com.example/short'], 1);
});

test('sends only what the device says that it reads', { timeout: limitMs }, async (t) => {
  const { seen, call } = await start(t, { ...discovered, _meta: { 'mote/meta': ['com.example/room'] } });
  assert.ok((await call({ ...codex, 'com.example/room': 'cellar', [`${prefix}clientInfo`]: clientInfo, traceparent: '0' })).result);
  assert.deepEqual(seen, [meta({ 'com.example/room': 'cellar', [`${prefix}clientInfo`]: clientInfo })]);
});

test('does not repeat a call whose arguments are too long, and sends no such call again', { timeout: limitMs }, async (t) => {
  const { seen, call } = await start(t);
  for (let i = 0; i < 2; ++i) {
    const { error } = await call(codex, { a: 'x'.repeat(2000) });
    assert.equal(error.code, -32600);
    assert.match(error.message, /^The device accepts messages of at most 1024 bytes, and this request has 2\d\d\d bytes\. Call again/);
  }
  assert.equal(seen.length, 1);
});

test('ends a call that a device rejects twice', { timeout: limitMs }, async (t) => {
  let count = 0;
  const { broker } = await startBroker(t, {
    'tools/call': () => (++count, { error: { code: -32600, message: 'Message too long: at most 1024 bytes are accepted.' } }),
  }, { plain: true });
  const host = new FakeHost(broker);
  atEnd(t, () => host.leave());
  const { error } = await host.request('tools/call', { name: 'x', arguments: {}, _meta: meta() });
  assert.match(error.message, /^The device accepts messages of at most 1024 bytes/);
  assert.equal(count, 2);
});
