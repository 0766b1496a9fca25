// SPDX-License-Identifier: Apache-2.0
// mote-attach doctor: each fault on the way to a board, with a pseudo-terminal (socat), streams, and HTTP and TLS
// servers on loopback. usage: node doctor.test.mjs EVERYTHING_SERVER MAKE_CERTIFICATES
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { holdPort } from '../../examples/client/mqtt.mjs';
import { AskError } from '../../toolchains/attach/lib/ask.mjs';
import { explain, run } from '../../toolchains/attach/commands/doctor.mjs';

const { SerialPort } = createRequire(new URL('../../toolchains/attach/lib/ask.mjs', import.meta.url))('serialport');
const [server, makeCertificates] = process.argv.slice(2);

function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function doctor(args, context = {}) {
  let out = '';
  let err = '';
  const [stdout, stderr] = [{ write: (text) => { out += text; } }, { write: (text) => { err += text; } }];
  const status = await run(args, { stdout, stderr, ms: 20_000, ...context });
  return { status, out, err };
}

/** Expects one fault. */
async function expectFault(args, context, pattern) {
  const { status, out } = await doctor(args, context);
  assert.equal(status, 1, out);
  assert.match(out, /^(ok: The port is [^\n]*\n)?fault: [^\n]*\n$/);
  assert.match(out, pattern);
}

// ---- Serial ports ---------------------------------------------------------------------------------------------------

/** A pseudo-terminal in the place of a serial port; `other` is what socat has at its other end. */
async function pseudoTerminal(t, other) {
  const path = join(folderOf(t), 'port');
  const child = spawn('socat', ['-d', '-d', `pty,raw,echo=0,link=${path}`, other], { stdio: ['pipe', 'pipe', 'pipe'] });
  atEnd(t, () => child.kill());
  await new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', () => reject(new Error('socat ended')));
    createInterface({ input: child.stderr }).on('line', (line) => /data transfer loop/.test(line) && resolve());
  });
  return { path, child };
}

/** A machine with a Pico at ttyACM0 as its only serial port. */
function machine(t) {
  const root = folderOf(t);
  const device = join(root, 'sys/devices/1');
  for (const folder of [device, join(root, 'sys/class/tty/ttyACM0'), join(root, 'dev'), join(root, 'etc')]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(device, 'idVendor'), '2e8a');
  writeFileSync(join(device, 'idProduct'), '000a');
  symlinkSync(device, join(root, 'sys/class/tty/ttyACM0/device'));
  writeFileSync(join(root, 'dev/ttyACM0'), '');
  return { root, platform: 'linux' };
}

/** Openers for a board at ttyACM0 that answers the first line with `bytes`. */
function silentBoard(bytes, hasDtr = true) {
  const [readable, writable] = [new PassThrough(), new PassThrough()];
  writable.once('data', () => readable.write(bytes));
  return { serial: async () => ({ readable, writable, hasDtr, close: async () => {} }) };
}

test('finds a board at a serial port well', async (t) => {
  const { path } = await pseudoTerminal(t, `EXEC:${server} --stdio`);
  const { status, out } = await doctor(['serial', path]);
  assert.equal(out, `ok: The port is ${path}.\nok: everything 1.0.0 answers in revision 2026-07-28.\n`);
  assert.equal(status, 0);
});

test('says that a board sends nothing, and that DTR cannot be raised', async (t) => {
  const { path } = await pseudoTerminal(t, '-');
  const { status, out } = await doctor(['serial', path], { ms: 100 });
  assert.equal(status, 1);
  assert.match(out, /\nfault: The board sends nothing: check .*\nfault: DTR cannot be raised here, .*\n$/);
});

test('says that a board has another baud rate, or no MCP', async (t) => {
  const context = (bytes) => ({ places: machine(t), openers: silentBoard(bytes), ms: 100 });
  const port = ['serial', '/dev/ttyACM0'];
  const odd = Buffer.from([0xfe, 0x80, 0x00, 0xf8, 0x1e, 0xff]);
  await expectFault(port, context(odd), /probably not 115200\. Use --baud\./);
  await expectFault(port, context('T=21.5\r\n'), /sends text, such as "T=21\.5", and no answer/);
  await expectFault(port, context('T='), /sends text, and no answer/);
});

test('says that a port is missing, what is there, and that a board is in its boot loader', async (t) => {
  const places = machine(t);
  await expectFault(['serial', '/dev/ttyUSB0'], { places },
    /no serial port \/dev\/ttyUSB0\. There is: \/dev\/ttyACM0 \(Raspberry Pi Pico, --usb 2e8a:000a\)\.\n$/);
  const device = join(places.root, 'sys/bus/usb/devices/1-2');
  mkdirSync(device, { recursive: true });
  writeFileSync(join(device, 'idVendor'), '2e8a\n');
  writeFileSync(join(device, 'idProduct'), '0003\n');
  const { status, out } = await doctor(['serial', '--usb', '2e8a:0009'], { places });
  assert.equal(status, 1);
  assert.match(out, /^fault: No serial port .*\nfault: There is a Raspberry Pi Pico in its boot loader \(2e8a:0003\)/);
});

test('says which group may open a port', async (t) => {
  const places = machine(t);
  writeFileSync(join(places.root, 'etc/group'), `root:x:99999:\nmodem:x:${process.getgid()}:\n`);
  const denied = (code) => () => { throw Object.assign(new Error('no way'), { code }); };
  await expectFault(['serial', '/dev/ttyACM0'], { places, access: denied('EACCES'), user: 'mo' },
    /fault: mo may not open \/dev\/ttyACM0: run "sudo usermod -aG modem mo", then log out and in again\.\n$/);
  await expectFault(['serial', '/dev/ttyACM0'], { places, access: denied('EROFS') }, /cannot be used: no way\.\n$/);
});

test('does not advise a user to join a group of administrators', async (t) => {
  const places = machine(t);
  const refuse = () => { throw Object.assign(new Error('no way'), { code: 'EACCES' }); };
  for (const group of ['root', 'wheel']) {
    writeFileSync(join(places.root, 'etc/group'), `${group}:x:${process.getgid()}:\n`);
    await expectFault(['serial', '/dev/ttyACM0'], { places, access: refuse, user: 'mo' },
      new RegExp(`mo may not open /dev/ttyACM0, which belongs to the group ${group}: .* "sudo usermod -aG dialout mo"`));
  }
});

test('accepts the path of a port relative to the folder', async (t) => {
  const { path } = await pseudoTerminal(t, `EXEC:${server} --stdio`);
  const { status, out } = await doctor(['serial', relative(process.cwd(), path)]);
  assert.equal(out, `ok: The port is ${path}.\nok: everything 1.0.0 answers in revision 2026-07-28.\n`);
  assert.equal(status, 0);
});

test('says which process has the port', async (t) => {
  const places = machine(t);
  for (const [pid, target] of [['41', '/dev/ttyACM0'], ['42', '/dev/null']]) {
    mkdirSync(join(places.root, 'proc', pid, 'fd'), { recursive: true });
    symlinkSync(target, join(places.root, 'proc', pid, 'fd', '7'));
    writeFileSync(join(places.root, 'proc', pid, 'cmdline'), 'screen\0/dev/ttyACM0\0');
  }
  await expectFault(['serial', '/dev/ttyACM0'], { places },
    /fault: \/dev\/ttyACM0 is in use by process 41 \(screen \/dev\/ttyACM0\): end it, then try again\./);
});

test('says that a port cannot be opened', async (t) => {
  const places = machine(t);
  for (const [message, pattern] of [
    ['Error Resource temporarily unavailable Cannot lock port', /Another program uses \/dev\/ttyACM0/],
    ['Permission denied, cannot open /dev/ttyACM0', /You may not open \/dev\/ttyACM0: Permission denied/],
    ['Error: Input/output error', /\/dev\/ttyACM0 cannot be opened: Input\/output error\./],
  ]) {
    const openers = { serial: async () => Promise.reject(new Error(message)) };
    await expectFault(['serial', '/dev/ttyACM0'], { places, openers }, pattern);
  }
});

test('says that another process has the port locked', async (t) => {
  const { path } = await pseudoTerminal(t, '-');
  const port = new SerialPort({ path, baudRate: 115200 });
  await new Promise((resolve, reject) => port.on('open', resolve).on('error', reject));
  atEnd(t, () => port.close(() => {}));
  await expectFault(['serial', path], {}, /Another program uses /);
});

// ---- HTTP -----------------------------------------------------------------------------------------------------------

async function listen(t, listener) {
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => new Promise((resolve) => { listener.close(resolve); listener.closeAllConnections?.(); }));
  return listener.address().port;
}

/** The URL of a server that answers each request with `status` and a body. */
async function urlOf(t, status, body = '', headers = {}) {
  const answer = (_, response) => response.writeHead(status, headers).end(body);
  return `http://127.0.0.1:${await listen(t, http.createServer(answer))}/mcp`;
}

const failed = (message, code = -32600, data = undefined) =>
  JSON.stringify({ jsonrpc: '2.0', id: 'attach-1', error: { code, message, data } });

test('finds a board over HTTP well, and says that Host and path are wrong', async (t) => {
  const child = spawn(server, ['--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  atEnd(t, () => child.kill());
  const url = await new Promise((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => resolve(/http:\S+/.exec(line)[0]));
  });
  const { status, out } = await doctor(['http', url]);
  assert.equal(out, 'ok: everything 1.0.0 answers in revision 2026-07-28.\n');
  assert.equal(status, 0);
  await expectFault(['http', url.replace('/mcp', '/else')], {}, /no endpoint at this path \(404 \(Unknown path\.\)\)/);
  const port = new URL(url).port;
  const openers = { resolve: async () => ({ url: `http://boiler.local:${port}/mcp`, address: '127.0.0.1' }) };
  await expectFault(['mdns', 'boiler'], { openers }, /rejects this Host \(403 \(Host is not in HttpOptions::hosts\.\)/);
});

test('says what a status means', async (t) => {
  const token = join(folderOf(t), 'token');
  writeFileSync(token, 'abc\n');
  for (const [status, body, pattern, ...more] of [
    [401, '', /needs a token \(401\): give it with --token-file/],
    [401, '', /rejects the token \(401\)/, '--token-file', token],
    [403, failed('Origin is not in HttpOptions::origins.'), /rejects this Origin \(403/],
    [403, '', /grants no access \(403 \(Forbidden\)\)/],
    [405, '', /does not take POST \(405\)/],
    [307, '', /The URL is moved \(307\)/],
    [500, 'oh', /The host answers with status 500 \(Internal Server Error\)\./],
    [200, '<html>', /The link broke: The response has no JSON-RPC message\./],
    [200, failed('Busy.', -32603), /answers with an error: Busy\. \(-32603\)/],
    [400, failed('Unsupported.', -32022, { supported: ['2030-01-01'] }), /serves no revision .* 2030-01-01\.\n$/],
  ]) await expectFault(['http', await urlOf(t, status, body), ...more], {}, pattern);
});

test('suggests the usual path after 404 and 405', async (t) => {
  for (const [status, sentence] of [[404, 'The board has no endpoint at this path (404 (Not Found))'],
    [405, 'The path does not take POST (405), so it is no MCP endpoint']]) {
    const { origin } = new URL(await urlOf(t, status));
    for (const path of ['/', '/sse', '/api?x=1']) {
      const { out } = await doctor(['http', origin + path]);
      assert.equal(out, `fault: ${sentence}: try ${origin}/mcp.\n`);
    }
  }
});

test('reads the response in a stream that stays open', async (t) => {
  const listener = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const notification = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
    const result = { jsonrpc: '2.0', id: 'attach-1', result: { serverInfo: { name: 'streamer', version: '1' } } };
    response.write(`: hello\n\ndata: ${JSON.stringify(notification)}\n\ndata: ${JSON.stringify(result)}\n\n`);
  });
  const { out } = await doctor(['http', `http://127.0.0.1:${await listen(t, listener)}/mcp`]);
  assert.equal(out, 'ok: streamer 1 answers in revision 2026-07-28.\n');
});

for (const [notation, type, write] of [
  ['U+2028 in a string', 'text/event-stream', (data) => `data: ${data}\n\n`],
  ['a BOM', 'text/event-stream', (data) => `\ufeffdata: ${data}\n\n`],
  ['a media type in capitals', 'TEXT/EVENT-STREAM', (data) => `data: ${data}\n\n`],
  ['CR alone', 'text/event-stream', (data) => `data: ${data}\r\r`],
]) {
  test(`reads an event stream with ${notation}`, async (t) => {
    const listener = http.createServer((_, response) => {
      const serverInfo = { name: 'streamer', version: '1' };
      response.writeHead(200, { 'content-type': type });  // and it stays open
      response.write(write(JSON.stringify({ jsonrpc: '2.0', id: 'attach-1', result: { serverInfo, instructions: 'a\u2028b' } })));
    });
    const { out } = await doctor(['http', `http://127.0.0.1:${await listen(t, listener)}/mcp`]);
    assert.equal(out, 'ok: streamer 1 answers in revision 2026-07-28.\n');
  });
}

test('says that a host does not answer, refuses, or does not serve HTTP', async (t) => {
  const silent = await listen(t, http.createServer(() => {}));
  await expectFault(['http', `http://127.0.0.1:${silent}/mcp`], { ms: 100 }, /The host does not answer/);
  const { port, release } = await holdPort();  // nothing listens there
  atEnd(t, release);
  await expectFault(['http', `http://127.0.0.1:${port}/mcp`], {}, /The host refuses the connection/);
  const other = net.createServer((socket) => socket.on('error', () => {}).resume().end('SSH-2.0-x\r\n'));
  await expectFault(['http', `http://127.0.0.1:${await listen(t, other)}/mcp`], {}, /does not answer in HTTP/);
  await expectFault(['http', `https://127.0.0.1:${silent}/mcp`], {}, /The port has no TLS: use http:\/\/\./);
  const wire = { isWire: false };
  const target = { kind: 'http', url: 'http://x' };
  const text = (code) => explain(new AskError('network', 'why', { code }), wire, target)[0].text;
  assert.match(text('ENOTFOUND'), /The host name has no address/);
  assert.equal(text('EODD'), 'The request failed: why (EODD).');
});

test('says what is wrong with a certificate', { timeout: 60_000 }, async (t) => {
  const folder = folderOf(t);
  execFileSync(makeCertificates, [folder], { stdio: 'ignore' });
  const openssl = (...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  openssl('req', '-new', '-key', 'server_key.pem', '-subj', '/CN=old', '-out', 'request');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1');
  openssl('x509', '-req', '-in', 'request', '-CA', 'authority.pem', '-CAkey', 'authority_key.pem', '-days', '-1',
    '-extfile', 'names', '-out', 'old.pem');
  const key = readFileSync(join(folder, 'server_key.pem'));
  const serve = (certificate) => listen(t, https.createServer({ key, cert: readFileSync(join(folder, certificate)) },
    (_, response) => response.writeHead(401).end()));
  const ca = ['--ca', join(folder, 'authority.pem')];
  const good = await serve('server.pem');
  await expectFault(['http', `https://127.0.0.1:${good}/mcp`, ...ca], {}, /needs a token/);
  await expectFault(['http', `https://127.0.0.1:${good}/mcp`], {}, /The authority of the certificate is not known/);
  const openers = { resolve: async () => ({ url: `https://boiler.local:${good}/mcp`, address: '127.0.0.1' }) };
  await expectFault(['mdns', 'boiler', ...ca], { openers }, /other names than the URL: .*127\.0\.0\.1, DNS:localhost/);
  const old = await serve('old.pem');
  await expectFault(['http', `https://127.0.0.1:${old}/mcp`, ...ca], {}, /The certificate has expired/);
});

// ---- Revisions with sessions ----------------------------------------------------------------------------------------

/** Openers for a board that answers each request with what `answer` returns, and the methods that it got. */
function olderBoard(answer) {
  const [readable, writable] = [new PassThrough(), new PassThrough()];
  const methods = [];
  createInterface({ input: writable }).on('line', (line) => {
    if (line === '') return;
    const { id, method, params } = JSON.parse(line);
    methods.push(method);
    const reply = id !== undefined && answer(method, params);
    if (reply) readable.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
  });
  return { methods, openers: { program: async () => ({ readable, writable, close: async () => {} }) } };
}

const session = (protocolVersion) => ({ result: { protocolVersion, serverInfo: { name: 'old', version: '0.9' } } });
const isDiscover = (method) => method === 'server/discover';

test('begins a session with a board that does not know server/discover, or ignores it', async () => {
  const unknown = { error: { code: -32601, message: 'Method not found' } };
  const only = { error: { code: -32022, message: 'Unsupported', data: { supported: ['2025-03-26', '2024-11-05'] } } };
  for (const [refusal, offer, ms] of [
    [unknown, '2025-11-25', 20_000], [only, '2025-03-26', 20_000], [undefined, '2025-11-25', 300],
  ]) {
    let offered;
    const { methods, openers } = olderBoard((method, params) => {
      if (isDiscover(method)) return refusal;
      offered = params.protocolVersion;
      return session('2025-03-26');
    });
    const { status, out } = await doctor(['exec', 'board'], { openers, ms });
    assert.equal(out, 'ok: old 0.9 answers in revision 2025-03-26.\n');
    assert.equal(status, 0);
    assert.equal(offered, offer);
    assert.deepEqual(methods, ['server/discover', 'initialize', 'notifications/initialized']);
  }
});

test('says that a board serves no revision of attach', async () => {
  const unknown = { error: { code: -32601, message: 'Method not found' } };
  for (const [last, pattern] of [
    [session('2023-01-01'), /serves no revision .* supports 2023-01-01\.\n$/],
    [{ error: { code: -32022, message: 'No', data: {} } }, /supports none of them\.\n$/],
    [{ error: { code: -32603, message: 'Not now' } }, /answers with an error: Not now \(-32603\)/],
  ]) {
    const { openers } = olderBoard((method) => (isDiscover(method) ? unknown : last));
    await expectFault(['exec', 'board'], { openers }, pattern);
  }
});

test('begins and ends a session over HTTP', async (t) => {
  const requests = [];
  const listener = http.createServer((request, response) => {
    let body = '';
    request.on('data', (text) => { body += text; }).on('end', () => {
      const { id, method = '' } = body ? JSON.parse(body) : {};
      requests.push([request.method, method, request.headers['mcp-session-id']]);
      if (isDiscover(method)) return response.writeHead(400).end();
      if (method !== 'initialize') return response.writeHead(202).end();
      response.writeHead(200, { 'mcp-session-id': 's1', 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...session('2025-06-18') }));
    });
  });
  const { out } = await doctor(['http', `http://127.0.0.1:${await listen(t, listener)}/mcp`]);
  assert.equal(out, 'ok: old 0.9 answers in revision 2025-06-18.\n');
  assert.deepEqual(requests, [
    ['POST', 'server/discover', undefined], ['POST', 'initialize', undefined],
    ['POST', 'notifications/initialized', 's1'], ['DELETE', '', 's1'],
  ]);
});

// ---- Programs and arguments -----------------------------------------------------------------------------------------

test('finds a program well, and says what is wrong with one', async () => {
  assert.equal((await doctor(['exec', server, '--stdio'])).status, 0);
  await expectFault(['exec', '/nonexistent/program'], {}, /There is no program \/nonexistent\/program\./);
  await expectFault(['exec', 'true'], {}, /The program ended without an answer\./);
  await expectFault(['exec', 'cat'], { ms: 100 }, /sends text/);
});

test('says that a file or a board cannot be found', async () => {
  await expectFault(['http', 'http://127.0.0.1/mcp', '--token-file', '/nonexistent'], {}, /ENOENT.*\/nonexistent/);
  const openers = { resolve: async () => Promise.reject(new Error('No board boiler answered by mDNS.')) };
  await expectFault(['mdns', 'boiler'], { openers }, /No board boiler answered/);
});

test('refuses wrong arguments with the usage', async () => {
  const { status, err } = await doctor(['usb']);
  assert.equal(status, 2);
  assert.match(err, /mote-attach doctor TARGET/);
  assert.match((await doctor(['--help'])).out, /mote-attach doctor TARGET/);
});
