// SPDX-License-Identifier: Apache-2.0
// Tools that attach adds: their schemas, arguments and texts. usage: node added.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { expand } from '../../toolchains/attach/lib/additions.mjs';
import { parseTarget, targetText } from '../../toolchains/attach/lib/target.mjs';
import { startBroker } from './devices/fake.mjs';
import { FakeHost, limitMs, meta } from './support.mjs';

async function start(t, handlers) {
  const { broker, device } = await startBroker(t, { 'tools/list': () => ({ tools: [] }), 'resources/list': () => ({ resources: [] }), ...handlers });
  const host = new FakeHost(broker);
  atEnd(t, () => host.leave());
  const call = async (name, args) => (await host.request('tools/call', { name, arguments: args, _meta: meta() })).result;
  return { host, device, call };
}

test('adds no tool for a resource that the device has as a tool', { timeout: limitMs }, async (t) => {
  const { host } = await start(t, {
    'tools/list': () => ({ tools: [{ name: 'read_front_camera_raw', inputSchema: { type: 'object' } }] }),
    // The names are those of tests/support/read_tools.cpp, where mote makes the tool.
    'resources/list': () => ({ resources: [{ name: 'Front camera (raw)', uri: 'r:picture' }, { name: 'hidden', uri: 'r:hidden' }] }),
  });
  const { tools } = (await host.request('tools/list', { _meta: meta() })).result;
  assert.deepEqual(tools.map(({ name }) => name).filter((name) => name.startsWith('read_')).sort(),
    ['read_front_camera_raw', 'read_hidden']);
});

test('has closed schemas, and requires no variable of a query', { timeout: limitMs }, async (t) => {
  const { host } = await start(t, {
    'resources/list': () => ({ resources: [{ name: 'level', uri: 'a://level' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [
      { name: 'log', uriTemplate: 'a://log/{day}{/part}{?from,to}{&limit}' }, { name: 'twice', uriTemplate: 'a://{x}/{x}{;v}' },
    ] }),
  });
  const { tools } = (await host.request('tools/list', { _meta: meta() })).result;
  assert.equal(tools.length, 6);
  for (const { name, inputSchema } of tools) {
    assert.equal(inputSchema.type, 'object', name);
    assert.equal(inputSchema.additionalProperties, false, name);
    assert.ok(inputSchema.properties && Array.isArray(inputSchema.required), name);
  }
  const schemaOf = (wanted) => tools.find(({ name }) => name === wanted).inputSchema;
  assert.deepEqual(Object.keys(schemaOf('read_log').properties), ['day', 'part', 'from', 'to', 'limit']);
  assert.deepEqual(schemaOf('read_log').required, ['day', 'part']);
  assert.deepEqual(schemaOf('read_twice').required, ['x']);
});

test('has no members of 2026-07-28 in the results for a host of an older revision', { timeout: limitMs }, async (t) => {
  const { host } = await start(t, {
    'resources/list': () => ({ resources: [{ name: 'level', uri: 'a://level' }] }),
    'resources/read': () => ({ contents: [{ uri: 'a://level', text: '7' }] }),
  });
  await host.initialize();
  for (const [name, args] of [['read_level', {}], ['device_log', {}], ['list_devices', {}]]) {
    const { result } = await host.request('tools/call', { name, arguments: args });
    const { content, structuredContent, ...others } = result;
    assert.deepEqual(others, {}, name);
    assert.equal(content[0].type, 'text');
    if (structuredContent !== undefined) assert.equal(typeof structuredContent, 'object');
  }
});

test('leaves absent and null variables out of a URI', { timeout: limitMs }, async (t) => {
  const { call } = await start(t, {
    'resources/templates/list': () => ({ resourceTemplates: [{ name: 'log', uriTemplate: 'a://log{?from,to}' }] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: uri }] }),
  });
  const read = async (args) => (await call('read_log', args)).content[0].text;
  assert.equal(await read({ from: 'x', to: 'y z' }), 'a://log?from=x&to=y%20z');
  assert.equal(await read({ from: null, to: '0' }), 'a://log?to=0');
  assert.equal(await read({ from: null, to: null }), 'a://log');
  assert.equal(await read(null), 'a://log');
  assert.equal(expand('a://{x}{/y}{#z}', { x: null, y: undefined, z: null }), 'a://');
});

test('passes the reason of the device on', { timeout: limitMs }, async (t) => {
  const { call } = await start(t, {
    'resources/list': () => ({ resources: [{ name: 'level', uri: 'a://level' }, { name: 'asks', uri: 'a://asks' }, { name: 'odd', uri: 'a://odd' }] }),
    'resources/read': ({ uri }) => ({
      'a://level': { error: { code: -32603, message: 'The sensor is not connected.' } }, 'a://asks': { resultType: 'input_required' },
    }[uri] ?? {}),
  });
  const text = async (name) => {
    const { isError, content } = await call(name, {});
    assert.equal(isError, true);
    return content[0].text;
  };
  assert.equal(await text('read_level'), 'The device could not read a://level: The sensor is not connected.');
  assert.match(await text('read_asks'), /needs the input of a person/);
  assert.equal(await text('read_odd'), 'The device could not read a://odd.');
});

test('takes numbers with a fraction of 0, and null for what is optional', { timeout: limitMs }, async (t) => {
  const { host } = await start(t, {});
  const call = async (id, args) => {
    host.sendText(`{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{${args},"_meta":${JSON.stringify(meta())}}}`);
    return host.next(id, (m) => m.id === id);
  };
  assert.ok((await call('a', '"name":"device_log","arguments":{"max_bytes":10.0,"since":0.0}')).result);
  assert.ok((await call('b', '"name":"device_log","arguments":{"max_bytes":null,"since":null}')).result);
  assert.equal((await call('c', '"name":"device_log","arguments":{"max_bytes":1.5}')).error.code, -32602);
  assert.match((await call('d', '"name":"wait_for_change","arguments":{"uri":"a://x","seconds":0.0}')).result.content[0].text, /did not change/);
  assert.equal((await call('e', '"name":"wait_for_change","arguments":{"uri":"a://x","seconds":"1"}')).error.code, -32602);
});

test('names the target in a few words without escapes', { timeout: limitMs }, async (t) => {
  const { call } = await start(t, {});
  const text = (await call('list_devices', {})).content[0].text;
  assert.equal(JSON.parse(text)[0].target, 'exec x');
  assert.ok(!text.includes('\\'), text);
  const targets = {
    'exec node port.mjs --noise 1': ['exec', '/usr/bin/node', '../devices/port.mjs', '--noise', '1'],
    'serial 2e8a:000a:E6': ['serial', '--usb', '2e8a:000a:E6'], 'serial /dev/ttyACM0': ['serial', '/dev/ttyACM0', '--baud', '9600'],
    'serial port': ['serial'], 'http http://board.lan/mcp': ['http', 'http://ann:secret@board.lan/mcp', '--token-file', '/home/ann/token'],
    'mdns board': ['mdns', 'board', '--plain'], 'mqtt mqtts://broker/house/# --id 7': ['mqtt', 'mqtts://ann@broker/house/#', '--id', '7'],
  };
  for (const [short, argv] of Object.entries(targets)) assert.equal(targetText(parseTarget(argv)), short);
  assert.equal(targetText(parseTarget(['exec', 'x'.repeat(1000)])).length, 100);
});

test('takes the words after -- as the command of exec', () => {
  const target = { kind: 'exec', command: 'server', args: ['--', '--stdio'] };
  assert.deepEqual(parseTarget(['exec', '--', 'server', '--', '--stdio']), target);
  assert.deepEqual(parseTarget(['exec', 'server', '--', '--stdio']), target);
  assert.deepEqual(parseTarget(['exec', '--plain', '--', 'server', '--', '--stdio']), { ...target, plain: true });
  assert.deepEqual(parseTarget(['exec', '--', '--plain']), { kind: 'exec', command: '--plain', args: [] });
  for (const argv of [['exec'], ['exec', '--'], ['exec', '--plain', '--']]) assert.throws(() => parseTarget(argv), /needs a command/);
});

test('gives each added tool a title', { timeout: limitMs }, async (t) => {
  const { host } = await start(t, {
    'resources/list': () => ({ resources: [{ uri: 'a://1', name: 'one', title: 'Number one' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'a://{b}', name: 'two' }] }),
  });
  const { result: { tools } } = await host.request('tools/list', { _meta: meta() });
  assert.deepEqual(tools.map(({ title }) => title),
    ['Wait for a change', 'Text of the device', 'List devices', 'Read Number one', 'Read two']);
});
