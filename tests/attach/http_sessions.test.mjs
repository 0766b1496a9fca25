// SPDX-License-Identifier: Apache-2.0
// A device of 2025-11-25 or earlier with Streamable HTTP: each host has a session, with all that a client does for it.
//
// usage: node http_sessions.test.mjs
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { holdPort } from '../../examples/client/mqtt.mjs';
import { run as doctor } from '../../toolchains/attach/commands/doctor.mjs';
import { event, HttpDevice } from './devices/http_device.mjs';
import { startOfficial } from './devices/official_http_device.mjs';
import { environment, Host, limitMs, meta } from './support.mjs';

const updated = 'notifications/resources/updated';
const options = { timeout: limitMs };
const update = (uri) => ({ method: updated, params: { uri } });
const content = (text) => ({ content: [{ type: 'text', text }] });

async function joined(t, device, more = {}, args = []) {
  const host = new Host(t, environment(t, more), ['http', device.url, ...args]);
  await host.initialize();
  await device.nextMessage('notifications/initialized');
  return host;
}

test('gives each host a session, and ends it', options, async (t) => {
  const device = await HttpDevice.start(t);
  const env = environment(t, { MOTE_ATTACH_LINGER_MS: '5000' });
  const target = ['http', device.url];
  const hosts = ['first', 'second'].map(() => new Host(t, env, target));
  await Promise.all(hosts.map((host, i) => host.initialize({}, ['2025-11-25', '2025-03-26'][i], ['first', 'second'][i])));
  assert.deepEqual(await Promise.all(hosts.map((host) => host.tool('text'))), ['ok', 'ok']);
  assert.deepEqual([...device.sessions.values()].map(({ client }) => client).sort(), ['first', 'second']);
  const call = await device.nextMessage('tools/call', (m) => m.id === 2);
  assert.equal(call.headers['mcp-protocol-version'], call.session.client === 'first' ? '2025-11-25' : '2025-03-26');
  hosts[0].child.stdin.end();
  assert.equal((await device.next('DELETE', ({ method }) => method === 'DELETE')).session.client, 'first');
  // The next host comes while the broker still waits for one.
  const third = new Host(t, env, target);
  await third.initialize({}, '2025-06-18', 'third');
  assert.equal(await third.tool('text'), 'ok');
  for (const host of [hosts[1], third]) host.child.stdin.end();
  await device.next('DELETE', ({ method, session }) => method === 'DELETE' && session.client === 'third');
});

test('sends the pages of a list as one', options, async (t) => {
  const tools = ['a', 'b', 'c'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const device = await HttpDevice.start(t);
  const host = await joined(t, device, {}, ['--plain']);
  assert.deepEqual(await host.result('tools/list'), { tools: [] });
  device.pages = {
    first: { tools: [tools[0]], nextCursor: '1' }, 1: { tools: [tools[1]], nextCursor: '2' }, 2: { tools: [tools[2]] },
  };
  assert.deepEqual(await host.result('tools/list'), { tools });
  // A page that is broken leaves the pages of the device.
  device.pages[1] = {};
  assert.deepEqual(await host.result('tools/list'), device.pages.first);
});

test('ends the sessions when the broker is ended', options, async (t) => {
  const device = await HttpDevice.start(t);
  const host = await joined(t, device);
  host.child.stdin.end();
  await device.next('DELETE', ({ method }) => method === 'DELETE');
  assert.equal(device.sessions.size, 0);
});

test('rejects what comes before initialize, and a host of 2026-07-28', options, async (t) => {
  const device = await HttpDevice.start(t);
  const host = new Host(t, environment(t), ['http', device.url]);
  assert.equal((await host.request('tools/list')).error.code, -32600);
  const { error } = await host.request('tools/list', { _meta: meta() });
  assert.equal(error.code, -32022);
  assert.ok(error.data.supported.includes('2025-11-25'));
});

test('begins another session after 404, with what the host has set', options, async (t) => {
  const device = await HttpDevice.start(t);
  device.tools.ask = ({ response }) => device.open(response, event(1, { id: 'q', method: 'elicitation/create', params: {} }));
  const host = await joined(t, device);
  await host.result('logging/setLevel', { level: 'info' });
  await host.result('resources/subscribe', { uri: 'a://1' });
  await device.nextStream();
  const asking = host.begin('tools/call', { name: 'ask' });
  const question = await host.next('elicitation/create');
  device.reset();
  assert.equal(await host.tool('text'), 'ok');
  assert.match((await asking.response).error.message, /session of the device ended; the call may have taken effect/);
  assert.equal((await host.next('notifications/cancelled')).params.requestId, question.id);
  await host.next(updated);  // it may have changed
  const [session] = device.sessions.values();
  assert.deepEqual([session.client, session.uris], ['host', ['a://1']]);
  const begun = device.requests.filter(({ message }) => message?.method === 'initialize');
  assert.equal(begun.length, 2);
  assert.equal(begun[1].headers['mcp-session-id'], undefined);
  assert.deepEqual(begun[1].message.params, begun[0].message.params);
  await device.nextMessage('notifications/initialized', () => true);
  await device.nextMessage('logging/setLevel', ({ id }) => String(id).startsWith('attach:'));
  host.send({ id: question.id, result: {} });  // to a session that has ended
  assert.equal(await host.tool('text'), 'ok');
  assert.ok(!device.requests.some(({ message }) => message?.id === 'q'));
});

test('begins another session at once when its stream gets 404', options, async (t) => {
  const device = await HttpDevice.start(t);
  const host = await joined(t, device);
  await host.result('resources/subscribe', { uri: 'a://1' });
  await device.nextStream();
  device.reset();
  await host.next(updated);
  const { response } = await device.nextStream(({ session }) => session !== undefined);
  response.write(event(undefined, update('a://1')));
  await host.next(updated);
  assert.deepEqual([...device.sessions.values()].map(({ uris }) => uris), [['a://1']]);
});

test('says why a device begins no other session, and tries again', options, async (t) => {
  const device = await HttpDevice.start(t);
  const host = await joined(t, device);
  const { begin } = device;
  device.begin = ({ message, response }) => {
    const error = { code: -32603, message: 'Too few random bytes.' };
    response.writeHead(503).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
  };
  device.reset();
  assert.match((await host.request('tools/call', { name: 'text' })).error.message, /begins no session: Too few random bytes/);
  device.begin = begin;
  assert.equal(await host.tool('text'), 'ok');
});

test('resumes the GET stream where it broke', options, async (t) => {
  const device = await HttpDevice.start(t);
  const host = await joined(t, device);
  const first = await device.nextStream();
  assert.equal(first.headers['last-event-id'], undefined);
  first.response.write(`retry: 1\n${event('a-1', update('a://1'))}`);
  await host.next(updated, ({ params }) => params.uri === 'a://1');
  first.response.destroy();
  const second = await device.nextStream();
  assert.equal(second.headers['last-event-id'], 'a-1');
  second.response.write(event('a-2', update('a://2')));
  await host.next(updated, ({ params }) => params.uri === 'a://2');
  second.response.end();
  assert.equal((await device.nextStream()).headers['last-event-id'], 'a-2');
});

test('says that resources may have changed after a stream that cannot be resumed', options, async (t) => {
  const device = await HttpDevice.start(t);
  const host = await joined(t, device);
  await host.result('resources/subscribe', { uri: 'a://1' });
  const { response } = await device.nextStream();
  response.destroy();
  await host.next(updated, ({ params }) => params.uri === 'a://1');
});

test('needs no GET stream', options, async (t) => {
  const device = await HttpDevice.start(t, { listen: ({ response }) => response.writeHead(405).end() });
  const host = await joined(t, device);
  await device.nextStream();
  assert.equal(await host.tool('text'), 'ok');
});

test('resumes the response to a call', options, async (t) => {
  const device = await HttpDevice.start(t);
  let call;
  device.tools.slow = ({ message, response }) => {
    call = message;
    device.open(response, `retry: 1\n${event('c-1')}`);
    response.end();
  };
  const host = await joined(t, device);
  await device.nextStream();
  const slow = host.tool('slow');
  let count = 0;
  const resumed = async () => {
    const { headers, response } = await device.nextStream((request) => request.headers['last-event-id'] !== undefined);
    assert.equal(headers['last-event-id'], `c-${++count}`);
    return response;
  };
  const first = await resumed();
  first.write(event('c-2', { method: 'notifications/message', params: { level: 'info', data: 'half' } }));
  await host.next('notifications/message');
  first.destroy();
  (await resumed()).end(event('c-3', { id: call.id, result: content('done') }));
  assert.equal(await slow, 'done');
  assert.equal(device.requests.filter(({ message }) => message?.method === 'tools/call').length, 1);
});

test('ends a call that cannot be resumed, and does not repeat it', options, async (t) => {
  const device = await HttpDevice.start(t);
  device.tools.cut = (_request, response) => response.destroy();
  device.tools.ends = (_request, response) => {
    device.open(response);
    response.end();
  };
  device.tools.forgets = (_request, response) => {
    device.open(response, `retry: 1\n${event('f-1')}`);
    response.end();
  };
  device.listen = ({ headers, response }) => (headers['last-event-id'] ? response.writeHead(400).end() : device.open(response));
  const host = await joined(t, device);
  assert.equal(await host.tool('text'), 'ok');
  for (const [name, reason] of [['cut', /was lost .*may have taken effect/], ['ends', /the stream ended.*may have taken effect/],
    ['forgets', /does not continue the response \(HTTP 400\); the call may have taken effect/]]) {
    assert.match((await host.request('tools/call', { name })).error.message, reason);
    assert.equal(device.requests.filter(({ message }) => message?.params?.name === name).length, 1);
  }
});

test('cancels a call without a response to it', options, async (t) => {
  const device = await HttpDevice.start(t);
  const closed = new Promise((resolve) => {
    device.tools.hang = ({ response }) => {
      device.open(response, event('h-1'));
      response.on('close', resolve);
    };
  });
  const host = await joined(t, device);
  const { id, response } = host.begin('tools/call', { name: 'hang' });
  response.catch(() => {});
  const call = await device.nextMessage('tools/call');
  host.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'no' } });
  const { message } = await device.nextMessage('notifications/cancelled');
  assert.deepEqual(message.params, { requestId: call.message.id, reason: 'no' });
  await closed;
  assert.equal(await host.tool('text'), 'ok');  // the host fails for a response that it does not expect
  assert.ok(!device.requests.some(({ headers }) => headers['last-event-id']));
});

test('cancels the calls of a host that leaves before its session ends', options, async (t) => {
  const device = await HttpDevice.start(t);
  device.tools.hang = ({ response }) => device.open(response);
  const host = await joined(t, device);
  host.begin('tools/call', { name: 'hang' }).response.catch(() => {});
  await device.nextMessage('tools/call');
  host.child.stdin.end();
  await device.nextMessage('notifications/cancelled');
  await device.next('DELETE', ({ method }) => method === 'DELETE');
  const last = device.requests.slice(-2).map(({ method, message }) => message?.method ?? method);
  assert.deepEqual(last, ['notifications/cancelled', 'DELETE']);
});

test('asks a busy device again', options, async (t) => {
  const device = await HttpDevice.start(t);
  const refuseOnce = (begin) => {
    let isFirst = true;
    return (request, ...rest) => {
      if (!isFirst) return begin(request, ...rest);
      isFirst = false;
      const error = { code: -32603, message: 'All sessions are in use.', data: { 'mote/retryAfterMs': 1 } };
      const reply = { jsonrpc: '2.0', id: request.message.id, error };
      request.response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    };
  };
  device.begin = refuseOnce(HttpDevice.prototype.begin.bind(device));
  device.tools.text = refuseOnce(device.tools.text);
  const host = await joined(t, device);
  assert.equal(await host.tool('text'), 'ok');
});

test('passes a rejection on', options, async (t) => {
  const device = await HttpDevice.start(t);
  device.tools.forbidden = ({ response }) => response.writeHead(403).end('Forbidden: Host');
  device.tools.anonymous = ({ response }) => {
    const error = { code: -32600, message: 'The token lacks a scope.' };
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  };
  const host = await joined(t, device);
  assert.match((await host.request('tools/call', { name: 'forbidden' })).error.message, /HTTP 403 Forbidden: Host/);
  assert.equal((await host.request('tools/call', { name: 'anonymous' })).error.message, 'The token lacks a scope.');
});

test('waits for a device that is away', options, async (t) => {
  const { port, release } = await holdPort();
  atEnd(t, release);
  const first = await HttpDevice.start(t, {}, port);
  const host = await joined(t, first);
  await first.nextStream();
  first.stop();
  await host.wrote(/attach: .*ECONNREFUSED/);
  const call = host.tool('text');
  await HttpDevice.start(t, {}, port);
  assert.equal(await call, 'ok');
});

test('follows 307 and 308 at the same host, with the body and the token', options, async (t) => {
  for (const status of [307, 308]) {
    const device = await HttpDevice.start(t);
    const { serve } = device;
    device.serve = (request) => {
      if (request.url === '/mcp/') return serve.call(device, request);
      request.response.writeHead(status, { location: '/mcp/' }).end();
    };
    const env = environment(t);
    const file = join(env.XDG_RUNTIME_DIR, 'token');
    writeFileSync(file, 'secret');
    const host = new Host(t, env, ['http', device.url, '--token-file', file]);
    await host.initialize();
    assert.equal(await host.tool('text'), 'ok');
    const call = await device.next('call', ({ url, message }) => url === '/mcp/' && message?.method === 'tools/call');
    assert.equal(call.headers.authorization, 'Bearer secret');
    assert.match((await examined(device.url)).out, /^ok: device 1 answers/);
  }
});

async function examined(url, ...more) {
  let out = '';
  const output = { write: (text) => { out += text; } };
  return { status: await doctor(['http', url, ...more], { stdout: output, stderr: output, ms: 20_000 }), out };
}

test('follows no redirection to another host, and none without end', options, async (t) => {
  const other = await HttpDevice.start(t);
  for (const location of [other.url, other.url.replace('127.0.0.1', 'localhost'), '/mcp', 'http://[', undefined]) {
    const device = await HttpDevice.start(t);
    device.serve = ({ response }) => response.writeHead(307, location === undefined ? {} : { location }).end();
    const host = new Host(t, environment(t), ['http', device.url]);
    const { error } = await host.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'h', version: '1' } });
    assert.match(error.message, /HTTP 307/);
    assert.match((await examined(device.url)).out, /moved \(307\)/);
  }
  assert.deepEqual(other.requests, []);
});

/** The broker of the hosts with this environment. */
function brokerOf({ XDG_RUNTIME_DIR: folder }) {
  return Number(readdirSync('/proc').filter((name) => /^\d+$/.test(name)).find((id) => {
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
      return words[2] === 'broker' && words[3].startsWith(folder);
    } catch {
      return false;  // ended since
    }
  }));
}

test('makes the session again after the broker was killed', options, async (t) => {
  const device = await HttpDevice.start(t);
  const env = environment(t);
  const host = new Host(t, env, ['http', device.url]);
  await host.initialize();
  await host.result('resources/subscribe', { uri: 'a://1' });
  await device.nextStream();
  await device.nextMessage('notifications/initialized');
  process.kill(brokerOf(env), 'SIGKILL');
  await device.nextMessage('notifications/initialized');
  const { response, session } = await device.nextStream();
  response.write(event(undefined, update('a://1')));
  await host.next(updated);
  assert.equal(await host.tool('text'), 'ok');
  assert.deepEqual(session.uris, ['a://1']);
});

test('asks a device that never knows its sessions a few times only', options, async (t) => {
  const device = await HttpDevice.start(t);
  const { serve } = device;
  device.serve = (request) => {
    serve.call(device, request);
    if (request.message?.method === 'initialize') device.sessions.clear();
  };
  const host = new Host(t, environment(t), ['http', device.url]);
  await host.initialize();
  assert.match((await host.request('tools/list')).error.message, /HTTP 404/);
  const count = device.requests.filter(({ message }) => message?.method === 'initialize').length;
  assert.ok(count <= 8, `${count} sessions`);
});

test('says that the file of the token is missing, and reads it again', options, async (t) => {
  const device = await HttpDevice.start(t);
  const env = environment(t);
  const file = join(env.XDG_RUNTIME_DIR, 'token');
  writeFileSync(file, 'first');
  const host = new Host(t, env, ['http', device.url, '--token-file', file]);
  await host.initialize();
  assert.equal(await host.tool('text'), 'ok');
  const broker = brokerOf(env);
  rmSync(file);
  const call = host.tool('text');
  await host.wrote(/ENOENT.*token/);
  writeFileSync(file, 'second');
  assert.equal(await call, 'ok');
  assert.equal(device.requests.at(-1).headers.authorization, 'Bearer second');
  assert.equal(brokerOf(env), broker);
  writeFileSync(file, 'two\nlines');
  assert.match((await host.request('tools/call', { name: 'text' })).error.message, /Invalid character in header/);
  assert.equal(brokerOf(env), broker);
});

test('serves hosts of the official server, also after it forgot its sessions', options, async (t) => {
  const { url, transports, server } = await startOfficial(t);
  const env = environment(t);
  const hosts = [1, 2].map(() => new Host(t, env, ['http', url]));
  for (const host of hosts) await host.initialize({ elicitation: {} });
  assert.equal(transports.size, 2);
  const [host] = hosts;
  for (let round = 0; round < 2; ++round) {
    const asking = host.tool('ask');
    const { id } = await host.next('elicitation/create');
    host.send({ id, result: { action: 'accept', content: { name: 'ann' } } });
    assert.equal(await asking, 'ann');
    assert.equal(await host.tool('poll'), 'polled');
    await host.result('resources/subscribe', { uri: 'a://1' });
    assert.equal(await host.tool('update'), 'updated');
    await host.next(updated);
    assert.equal(await hosts[1].tool('text'), 'ok');
    if (round > 0) break;
    transports.clear();
    server.closeAllConnections();
    await host.next(updated);
  }
});
