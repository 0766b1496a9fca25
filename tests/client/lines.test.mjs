// SPDX-License-Identifier: Apache-2.0
// Lines that no good client sends: each costs at most an error answer, and the next line is served (spec: transports,
// stdio; JSON-RPC 2.0, error object).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertServes, assertTemperature, kind, Lines, limitMs, temperature, thermometer } from './support.mjs';
import { isAt } from '../../examples/client/thermometer.mjs';

// On this machine more than a counter of 16 bits holds; the emulated UART takes 25 us for a byte.
const farTooLong = kind === 'host' ? 200_000 : 20_000;

async function start(t) {
  return new Lines(t, await thermometer(t));
}

async function startInitialized(t) {
  const lines = await start(t);
  await lines.initialize();
  return lines;
}

// An error under the id of the request, or without an id if none could be read. JSON-RPC's "id": null is not valid MCP.
async function assertUnreadable(lines, code, id) {
  const answer = await lines.message();
  assert.equal(answer.error.code, code, JSON.stringify(answer));
  assert.equal('id' in answer, id !== undefined, JSON.stringify(answer));
  assert.equal(answer.id, id, JSON.stringify(answer));
  assert.ok(answer.error.message.length > 0);
  await assertServes(lines);
}

const unreadable = [
  ['a line that is no JSON', 'hello, are you there?', -32700],
  ['half a message', '{"jsonrpc":"2.0","id":1,"method":"pi', -32700, 1],
  ['two messages on one line', '{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}', -32700],
  ['a line that is not UTF-8', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', 'latin1'), -32700, 1],
  ['half of a surrogate pair', '{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":"cut \\ud83d"}}', -32700, 'a'],
  ['control characters', '\x00\x01\x02\x7f', -32700],
  ['a batch, which this revision does not have', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
  ['a JSON value that is no object', '42', -32600],
];
for (const [what, line, code, id] of unreadable) {
  test(`${what} gets ${code} and the next line is served`, { timeout: limitMs }, async (t) => {
    const lines = await startInitialized(t);
    await lines.write(line);
    await lines.write('\n');
    await assertUnreadable(lines, code, id);
  });
}

// The message limit of the thermometer is 1280 bytes, the line end not counted.
test('a request longer than the buffer gets an error under its id, and the next line is served', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  const ping = (length) => {
    const [start, end] = ['{"jsonrpc":"2.0","id":"too long","method":"ping","params":{"x":"', '"}}'];
    return `${start}${'x'.repeat(length - start.length - end.length)}${end}\n`;
  };
  await lines.write(ping(1280));
  assert.deepEqual((await lines.message()).result, {});
  for (const length of [1281, 2048, 5000, farTooLong]) {
    await lines.write(ping(length));
    const answer = await lines.message();
    assert.equal(answer.error.code, -32600, JSON.stringify(answer));
    assert.match(answer.error.message, /1280/);
    assert.equal(answer.id, 'too long');
    await assertServes(lines);
  }
});

test('a line longer than the buffer without a request gets an error without an id', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  for (const start of ['{"jsonrpc":"2.0","params":{"id":1,"x":"', '[{"jsonrpc":"2.0","id":1,"method":"ping","params":"', 'x']) {
    await lines.write(`${start}${'x'.repeat(3000)}\n`);
    await assertUnreadable(lines, -32600);
  }
});

test('an endless line uses no further memory', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  for (let sent = 0; sent < farTooLong; sent += 1024) await lines.write('x'.repeat(1024));
  await lines.write('\n');
  assert.ok('error' in await lines.message());
  await assertServes(lines);
});

test('the error of an invalid request keeps its id', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  const wrong = [
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":7,"method":5}', -32600],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{}}}', -32602],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"set_led","arguments":[]}}', -32602],
    ['{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{}}', -32602],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"no such cursor"}}', -32602],
  ];
  for (const [line, code] of wrong) {
    await lines.write(`${line}\n`);
    const answer = await lines.message();
    assert.equal(answer.error?.code, code, `${line} -> ${JSON.stringify(answer)}`);
    assert.equal(answer.id, 7, line);
  }
  await assertServes(lines);
});

test('accepts CRLF as the end of a line', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  await lines.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n{"jsonrpc":"2.0","id":2,"method":"ping"}\r\n');
  assert.equal((await lines.message()).id, 1);
  assert.equal((await lines.message()).id, 2);
});

test('ignores blank lines', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  await lines.write('\n\n\r\n  \n\t\n');
  await assertServes(lines);  // the next response belongs to the ping, so there was none before it
});

test('sends no response to notifications', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/no-such', 'ping']) {
    await lines.send({ jsonrpc: '2.0', method });
  }
  await assertServes(lines);
});

test('ignores a response without a request', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  await lines.send({ jsonrpc: '2.0', id: 12, result: {} });
  await lines.send({ jsonrpc: '2.0', id: 13, error: { code: -32601, message: 'no' } });
  await assertServes(lines);
});

test('accepts a message in pieces', { timeout: limitMs }, async (t) => {
  const lines = await startInitialized(t);
  // The answer to the first request proves that the server has read the pipe once with half a request in it.
  await lines.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"met');
  assert.equal((await lines.message()).id, 1);
  await lines.write('hod":"ping"}');
  await lines.write('\n{"jsonrpc":"2.0","id":3');
  assert.equal((await lines.message()).id, 2);
  for (const byte of ',"method":"ping"}\n') await lines.write(byte);
  assert.equal((await lines.message()).id, 3);
});

test('accepts only ping and initialize before initialize', { timeout: limitMs }, async (t) => {
  const lines = await start(t);
  await assertServes(lines, 'early');
  for (const method of ['tools/list', 'resources/list', 'server/discover', 'no/such/method']) {
    const answer = await lines.request(5, method);
    assert.equal(answer.id, 5);
    assert.ok(Number.isInteger(answer.error.code), JSON.stringify(answer));
  }
  const { result } = await lines.initialize();
  assert.equal(result.serverInfo.name, 'thermometer');
  const { result: { tools } } = await lines.request(6, 'tools/list');
  assert.equal(tools.length, 2);
});

test('supports every protocol version and offers the latest for an unknown one', { timeout: limitMs }, async (t) => {
  for (const [asked, given] of [
    ['2025-11-25', '2025-11-25'], ['2025-06-18', '2025-06-18'], ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'], ['1999-01-01', '2025-11-25'], ['2099-01-01', '2025-11-25'],
  ]) {
    const lines = await start(t);
    const answer = await lines.request(1, 'initialize', {
      protocolVersion: asked, capabilities: {}, clientInfo: { name: 'mote-tests', version: '0.1.0' },
    });
    assert.equal(answer.result.protocolVersion, given, asked);
  }
});

test('notifies a stateless client of each change until it cancels', { timeout: limitMs }, async (t) => {
  const server = await thermometer(t, 21.5);
  const lines = new Lines(t, server);
  const stateless = (id, method, params) => lines.request(id, method, {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
    },
  });
  const subscriptionId = { 'io.modelcontextprotocol/subscriptionId': 'listen' };
  const notifications = { resourceSubscriptions: [temperature] };
  assert.deepEqual(await stateless('listen', 'subscriptions/listen', { notifications }), {
    jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: subscriptionId },
  });
  for (const celsius of [23.25, -5]) {
    await server.setTemperature(celsius);
    assert.deepEqual(await lines.message(), {
      jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: temperature, _meta: subscriptionId },
    });
    const { result } = await stateless(`read ${celsius}`, 'resources/read', { uri: temperature });
    assertTemperature(server, JSON.parse(result.contents[0].text), celsius);
  }
  await lines.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'listen' } });
  await server.setTemperature(30);
  let read;
  do {
    const answer = await stateless('read', 'resources/read', { uri: temperature });
    assert.equal(answer.id, 'read');  // and no notification
    read = JSON.parse(answer.result.contents[0].text);
  } while (!isAt(server, read.celsius, 30));
});
