// SPDX-License-Identifier: Apache-2.0
// toolchains/mote-limits: its proposals, devices that send anything, and a real device over stdio and HTTP.
//
// usage: node proposals.test.mjs GREENHOUSE GREENHOUSE_HTTP
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startHttp } from '../../examples/client/http.mjs';

const [greenhouse, greenhouseHttp] = process.argv.slice(2);
const program = join(dirname(fileURLToPath(import.meta.url)), '../../toolchains/mote-limits');
const folder = mkdtempSync(join(tmpdir(), 'limits-'));
after(() => rmSync(folder, { recursive: true }));

const silentS = '1';  // for devices that never answer: the time limit is their result
const boundS = '60';  // only ends a test that has already failed

function run(...parameters) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let error = '';
    child.stdout.on('data', (piece) => { out += piece; });
    child.stderr.on('data', (piece) => { error += piece; });
    child.on('close', (code) => resolve({ code, out, error }));
  });
}

function fileOf(text) {
  const file = join(folder, 'health.json');
  writeFileSync(file, text);
  return file;
}

/** Whether a process runs. One that has ended may still have its number. */
function isRunning(id) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${id}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Waits until a process has ended. The limit only ends a test that has already failed. */
async function ended(id) {
  const until = performance.now() + Number(boundS) * 1000;
  while (isRunning(id)) {
    assert.ok(performance.now() < until, 'a child of the device still runs');
    await setImmediate();
  }
}

const pool = (size, high, full, used = 0) => ({ size, used, high, full });
const health = (pools, memory = {}) => JSON.stringify({ pools, memory });
const device = (code) => ['--command', process.execPath, '-e', code];

test('proposes each limit from its mark and its overflows', async () => {
  const cases = [
    ['jobs', pool(8, 2, 0), 3],        // the mark and one
    ['jobs', pool(8, 8, 0), 8],        // never full: enough as it is
    ['jobs', pool(8, 8, 1), 10],       // was full
    ['jobs', pool(1, 1, 9), 2],
    ['tasks', pool(20, 10, 0), 13],    // the mark and 25 %
    ['streams', pool(4, 0, 0), 1],     // not used
    ['sessions', pool(65535, 65535, 7), 65535],
    ['mailbox_logs', pool(4, 4, 100), 5],
  ];
  for (const [name, figures, proposal] of cases) {
    const { code, out, error } = await run('--file', fileOf(health({ [name]: figures })));
    assert.equal(code, 0, error);
    assert.ok(out.includes(`mcp::Limits{.${name} = ${proposal}}`), out);
  }
  const logs = [[pool(256, 10, 0), 64], [pool(256, 256, 0), 256], [pool(256, 256, 3), 320]];
  for (const [log, proposal] of logs) {
    const { out } = await run('--file', fileOf(health({}, { log })));
    assert.ok(out.includes(`mcp::Limits{.log_size = ${proposal}}`), out);
  }
  const { out } = await run('--file', fileOf(health({ jobs: pool(4, 1, 0), tasks: pool(1, 1, 1) })));
  assert.match(out, /^jobs +4 +1 +0 +2 +-384$/m);
  assert.match(out, /^tasks +1 +1 +1 +2 +\+432$/m);
  assert.match(out, /^all of it +\+48$/m);
});

test('takes numbers alone from a body', async () => {
  const cases = [
    '', '[]', 'null', '{}', '{"pools":[]}', '{"pools":{}}', '{"pools":{"jobs":7}}',
    health({ jobs: pool('\u001b[31m', 1, 0) }), health({ jobs: pool(-1, 1, 0) }), health({ jobs: pool(1.5, 1, 0) }),
    health({ jobs: pool(2 ** 60, 1, 0) }), health({ jobs: { size: 1 } }), '{"pools":{"__proto__":{"size":1}}}',
    health({ '\u001b[31mjobs': pool(1, 1, 1) }), ' '.repeat(4 * 1024 * 1024 + 1),
  ];
  for (const text of cases) {
    const { code, out, error } = await run('--file', fileOf(text));
    assert.equal(code, 1, text.slice(0, 80));
    assert.equal(out, '');
    assert.match(error, /^mote-limits: [ -~]+\n$/);
  }
  const { out } = await run('--file', fileOf(health({ jobs: pool(4, 1, 0), '\u001b[2J': { size: '\u001b' } })));
  assert.doesNotMatch(out, /[^ -~\n]/);
});

test('ends for a device that is silent, ends, floods or sends errors', async () => {
  const escaped = '{"jsonrpc":"2.0","id":1,"error":{"code":"\\u001b[2J","message":"\\u001b[31m"}}';
  const cases = [
    ['setInterval(() => {}, 1000)', /has not answered in 1 s/, silentS],
    ['', /has ended before it answered/],
    ['const put = () => process.stdout.write("{".repeat(65536), put); put()', /more than 4194304 bytes/],
    [`process.stdout.write(${JSON.stringify(`${escaped}\n`)}); setInterval(() => {}, 1000)`, /the error unknown/],
    ['process.stdout.write("{\\n"); setInterval(() => {}, 1000)', /is not JSON/],
  ];
  for (const [code, problem, limitS = boundS] of cases) {
    const result = await run('--timeout', limitS, ...device(code));
    assert.equal(result.code, 1, code);
    assert.match(result.error, problem);
    assert.match(result.error, /^mote-limits: [ -~]+\n$/);
  }
});

test('ends with the children of a device that is silent', async () => {
  const file = join(folder, 'child');
  const code = `sleep 600 & echo $! >'${file}.new' && mv '${file}.new' '${file}'; wait`;
  // A device that is too slow to start its child is ended without one.
  let result;
  for (let limitS = 1; !existsSync(file); limitS *= 2) {
    result = await run('--timeout', String(limitS), '--command', 'sh', '-c', code);
    assert.equal(result.code, 1);
    assert.match(result.error, new RegExp(`has not answered in ${limitS} s`));
  }
  const child = Number(readFileSync(file, 'utf8'));
  try {
    await ended(child);
  } finally {
    if (isRunning(child)) process.kill(child, 'SIGKILL');
  }
});

test('ends for an endpoint that is silent or floods', async () => {
  for (const [answer, problem, limitS = boundS] of [
    [() => {}, /has not answered in 1 s/, silentS],
    [(response) => { response.write('x'); }, /has not answered in 1 s/, silentS],
    [(response) => response.end('x'.repeat(5 * 1024 * 1024)), /more than 4194304 bytes/],
    [(response) => response.end('<html>\u001b[31m'), /is not JSON/],
  ]) {
    const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
    await new Promise((resolve) => { server.on('listening', resolve); });
    const result = await run('--timeout', limitS, '--url', `http://127.0.0.1:${server.address().port}/mcp`);
    server.closeAllConnections();
    server.close();
    assert.equal(result.code, 1);
    assert.match(result.error, problem);
  }
});

test('reads event streams in each notation', async () => {
  const contents = [{ uri: 'mote://health', text: health({ jobs: pool(8, 2, 0) }) }];
  for (const [type, write] of [
    ['text/event-stream', (data) => `data:${data}\n\n`],
    ['text/event-stream', (data) => `\ufeffdata: ${data}\n\n`],
    ['Text/Event-Stream', (data) => `: hello\r\rdata: ${data}\r\r`],
    ['text/event-stream', (data) => `data: {\ndata: ${data.slice(1)}\n\n`],
    ['text/event-stream', (data) => `data: none\n\ndata: ${data}\n\n`],
  ]) {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => { body += piece; }).on('end', () => {
        const { id, method } = JSON.parse(body);
        const result = method === 'initialize' ? { protocolVersion: '2025-11-25' } : { contents };
        if (id === undefined) return response.writeHead(202).end();
        response.writeHead(200, { 'content-type': type }).end(write(JSON.stringify({ jsonrpc: '2.0', id, result })));
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => { server.on('listening', resolve); });
    const { code, out, error } = await run('--timeout', boundS, '--url', `http://127.0.0.1:${server.address().port}/mcp`);
    server.closeAllConnections();
    server.close();
    assert.equal(code, 0, error);
    assert.match(out, /mcp::Limits\{\.jobs = 3\}/);
  }
});

test('rejects a command line that is none, and a token outside of a file', async () => {
  const empty = fileOf('a b');
  for (const line of [
    [], ['--token', 'secret', '--url', 'http://127.0.0.1:1/mcp'], ['--url', 'http://user:secret@127.0.0.1:1/mcp'],
    ['--url', 'file:///etc/passwd'], ['--url', '://'], ['--file', 'x', '--url', 'http://127.0.0.1:1/'], ['--file'],
    ['--timeout', '0', '--file', 'x'], ['--command'], ['--file', join(folder, 'nothing')],
    ['--url', 'http://127.0.0.1:1/mcp'],
    ['--url', 'http://127.0.0.1:1/mcp', '--token-file', empty],
  ]) {
    const { code, error } = await run(...line);
    assert.equal(code, 1, line.join(' '));
    assert.doesNotMatch(error, /secret/);
  }
});

test('reads a real device over stdio and HTTP', async () => {
  const wire = await run('--timeout', boundS, '--command', greenhouse);
  assert.equal(wire.code, 0, wire.error);
  assert.match(wire.out, /^sessions +1 +1 +0 +1 +0$/m);
  assert.match(wire.out, /^mcp::Limits\{\.sessions = 1,\n +\.jobs = 1,/m);
  const server = await startHttp(greenhouseHttp, ['--reader', 'reads', '--operator', 'operates']);
  try {
    const token = (text) => fileOf(`${text}\n`);
    for (let i = 0; i < 6; ++i) {  // no session stays
      const result = await run('--timeout', boundS, '--url', String(server.url), '--token-file', token('operates'));
      assert.equal(result.code, 0, result.error);
      assert.match(result.out, /^sessions +5 +2 +0 +3 +-88$/m);
    }
    assert.match((await run('--timeout', boundS, '--url', String(server.url), '--token-file', token('reads'))).error, /does the token have the scope/);
    assert.match((await run('--timeout', boundS, '--url', String(server.url))).error, /answers 401/);
  } finally {
    await server.end();
  }
});
