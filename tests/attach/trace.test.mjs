// SPDX-License-Identifier: Apache-2.0
// attach TARGET --trace FILE: what is in the file, who can read it, and what happens to the connection when the file fails. The device is
// devices/watched_device.mjs. usage: node trace.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { Host, environment, limitMs } from './support.mjs';
import { stableTarget } from '../../toolchains/attach/commands/config.mjs';
import { parseTarget } from '../../toolchains/attach/lib/target.mjs';
import { TraceFile } from '../../toolchains/attach/lib/trace_file.mjs';
import { title } from '../../toolchains/attach/lib/trace.mjs';

const timeout = limitMs;
const device = fileURLToPath(new URL('devices/watched_device.mjs', import.meta.url));
const fullDisk = pathToFileURL(fileURLToPath(new URL('devices/full_disk.mjs', import.meta.url))).href;
const target = (file) => ['exec', '--trace', file, process.execPath, device];

function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'mote-trace-'));
  atEnd(t, () => rmSync(path, { recursive: true, force: true }));
  return path;
}

const linesOf = (file) => readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
const modeOf = (file) => statSync(file).mode & 0o777;

async function leave(host) {
  host.child.stdin.end();
  await host.ended;
}

test('writes what the host and the device send, and no secrets', { timeout }, async (t) => {
  const file = join(folder(t), 'a.trace');
  const host = new Host(t, environment(t), target(file));
  await host.initialize({}, '2025-11-25', 'claude-ai');
  await host.result('tools/list');
  await host.tool('echo', { text: 'hello', api_key: 'abc1' });
  await host.tool('login', { user: 'ann', answer: 'open sesame', digits: 4711 });
  await host.tool('write', { line: 'wifi password=hunter2 \u009b2J' });
  await host.wrote(/wifi/);
  await leave(host);
  assert.equal(modeOf(file), 0o600);
  const [begin, ...records] = linesOf(file);
  assert.equal(begin.trace, title);
  assert.match(begin.target, /^exec /);
  assert.equal(begin.pid, host.child.pid);
  assert.equal(records.at(-1).end, 'stdin or stdout has ended');
  const sent = records.filter(({ from }) => from === 'host').map(({ message }) => message);
  assert.deepEqual(sent.map(({ method }) => method).slice(0, 3), ['initialize', 'notifications/initialized', 'tools/list']);
  assert.deepEqual(sent.slice(3, 5).map(({ params }) => params.arguments),
    [{ text: 'hello', api_key: 'xxx1' }, { user: 'ann', answer: 'xxxxxxxxxxx', digits: 1 }]);
  const answers = records.filter(({ from, message }) => from === 'device' && message).map(({ message }) => message);
  assert.deepEqual(answers.map(({ id }) => id), [1, 2, 3, 4, 5]);
  assert.ok(records.some(({ text }) => text?.startsWith('wifi password=xxxxxx1')));
  const all = readFileSync(file, 'utf8');
  for (const secret of ['abc1', 'sesame', '4711', 'hunter2', '\u009b']) assert.ok(!all.includes(secret), secret);
  const times = records.map(({ ms }) => ms);
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
});

test('appends the records of several hosts to one file', { timeout }, async (t) => {
  const file = join(folder(t), 'a.trace');
  const env = environment(t);
  const hosts = ['one', 'two'].map((name) => [name, new Host(t, env, target(file))]);
  await Promise.all(hosts.map(([name, host]) => host.initialize({}, '2025-11-25', name)));
  await Promise.all(hosts.flatMap(([name, host]) => Array.from({ length: 50 }, (_, i) => host.tool('echo', { text: `${name} ${i}` }))));
  await Promise.all(hosts.map(([, host]) => leave(host)));
  const records = linesOf(file);
  for (const [name, { child }] of hosts) {
    const [{ session }] = records.filter(({ pid }) => pid === child.pid);
    const results = records.filter((record) => record.session === session && record.message?.result?.content);
    assert.deepEqual(results.map(({ message }) => message.result.content[0].text).sort(),
      Array.from({ length: 50 }, (_, i) => `${name} ${i}`).sort());
  }
});

test('begins a file again that was replaced or removed', { timeout }, async (t) => {
  const file = join(folder(t), 'a.trace');
  const host = new Host(t, environment(t), target(file));
  await host.initialize({}, '2025-11-25', 'host');
  renameSync(file, `${file}.old`);
  await host.tool('echo', { text: 'second' });
  rmSync(file);
  await host.tool('echo', { text: 'third' });
  await leave(host);
  assert.ok(readFileSync(`${file}.old`, 'utf8').includes('initialize'));
  const [begin, ...records] = linesOf(file);
  assert.equal(begin.trace, title);
  assert.equal(begin.continued, true);
  assert.deepEqual(begin.client, { name: 'host', version: '1' });
  assert.equal(records.find(({ message }) => message?.result).message.result.content[0].text, 'third');
});

test('goes on with one message when the disk is full', { timeout }, async (t) => {
  const file = join(folder(t), 'a.trace');
  const env = environment(t, { NODE_OPTIONS: `--import=${fullDisk}`, FULL_FILE: file, FULL_AFTER: '1500' });
  const host = new Host(t, env, target(file));
  await host.initialize({}, '2025-11-25', 'host');
  for (let i = 0; i < 20; ++i) assert.equal(await host.tool('echo', { text: `call ${i}` }), `call ${i}`);
  await leave(host);
  assert.equal(host.text.match(/the trace/g).length, 1, host.text);
  assert.ok(host.text.includes(`attach: the trace ${file} ends: ENOSPC: no space left on device, write.`), host.text);
  assert.equal(statSync(file).size, 1500);
});

test('begins again in a file of which a full disk had a part of the title only', { timeout }, async (t) => {
  const file = join(folder(t), 'a.trace');
  const env = environment(t);
  for (const after of [0, 5]) {
    const host = new Host(t, { ...env, NODE_OPTIONS: `--import=${fullDisk}`, FULL_FILE: file, FULL_AFTER: `${after}` }, target(file));
    await host.initialize();
    await leave(host);
    assert.match(host.text, /attach: the trace .* ends: ENOSPC/);
    assert.equal(statSync(file).size, after);
  }
  const host = new Host(t, env, target(file));
  await host.initialize();
  await leave(host);
  assert.equal(host.text, '');
  assert.equal(linesOf(file)[0].trace, title);
});

test('ends the records of a process that gets a signal', { timeout }, async (t) => {
  const file = join(folder(t), 'a.trace');
  const host = new Host(t, environment(t), target(file));
  await host.initialize();
  host.child.kill('SIGTERM');
  await host.ended;
  assert.equal(linesOf(file).at(-1).end, 'it got SIGTERM');
});

test('does not write to a file that is not its own', { timeout }, async (t) => {
  const at = folder(t);
  const place = (name, make) => {
    make(join(at, name));
    return join(at, name);
  };
  writeFileSync(join(at, 'real'), 'x');
  const cases = [
    [place('notes.txt', (path) => writeFileSync(path, 'my notes\n')), /is not a trace of attach/],
    [place('link', (path) => symlinkSync(join(at, 'real'), path)), /ELOOP/],
    [place('pipe', (path) => assert.equal(spawnSync('mkfifo', [path]).status, 0)), /is not a file/],
    [place('folder', (path) => mkdirSync(path)), /EISDIR/],
    [join(at, 'none', 'a.trace'), /ENOENT/],
  ];
  const env = environment(t);
  for (const [file, reason] of cases) {
    const host = new Host(t, env, target(file));
    await host.initialize({}, '2025-11-25', 'host');
    assert.equal(await host.tool('echo', { text: 'ok' }), 'ok');
    await leave(host);
    assert.match(host.text, reason);
    assert.equal(host.text.match(/attach: the trace/g).length, 1, host.text);
  }
  assert.equal(readFileSync(cases[0][0], 'utf8'), 'my notes\n');
  assert.equal(readFileSync(join(at, 'real'), 'utf8'), 'x');
});

test('makes a file private that others could read, and ends a line that a process has not finished', (t) => {
  const file = join(folder(t), 'a.trace');
  const begin = (isContinued) => `{"trace":"${title}","continued":${isContinued}}`;
  new TraceFile(file, begin).close();
  chmodSync(file, 0o644);
  writeFileSync(file, '{"half":', { flag: 'a' });
  const trace = new TraceFile(file, begin);
  trace.write('{"whole":1}');
  trace.close();
  assert.equal(modeOf(file), 0o600);
  assert.deepEqual(readFileSync(file, 'utf8').split('\n'), [begin(false), '{"half":', begin(false), '{"whole":1}', '']);
});

// Each process sees at another record that the file is full.
test('keeps the last records of two processes in two files', (t) => {
  const file = join(folder(t), 'a.trace');
  const limit = 2000;
  const begin = (isContinued) => `{"trace":"${title}","continued":${isContinued}}`;
  const writers = [new TraceFile(file, begin, limit), new TraceFile(file, begin, limit)];
  const written = [];
  for (let i = 0; i < 500; ++i) {
    written.push(`{"record":${i},"text":"${'x'.repeat((i * 37) % 90)}"}`);
    writers[(i * 7) % 3 === 0 ? 0 : 1].write(written[i]);
    for (const name of [file, `${file}.1`]) if (existsSync(name)) assert.ok(statSync(name).size <= limit, `${statSync(name).size}`);
  }
  for (const writer of writers) writer.close();
  for (const name of [file, `${file}.1`]) {
    assert.equal(modeOf(name), 0o600);
    assert.equal(linesOf(name)[0].trace, title);
  }
  const kept = [`${file}.1`, file].flatMap(linesOf).filter(({ record }) => record !== undefined).map(({ record }) => record);
  assert.deepEqual(kept, Array.from({ length: kept.length }, (_, i) => 500 - kept.length + i));
  assert.ok(kept.length > 20, `${kept.length}`);
  assert.ok(!existsSync(`${file}.lock`));
});

test('writes on while another process replaces the file', (t) => {
  const file = join(folder(t), 'a.trace');
  const writer = new TraceFile(file, () => `{"trace":"${title}"}`, 150);
  mkdirSync(`${file}.lock`);
  for (let i = 0; i < 10; ++i) writer.write(`{"record":${i}}`);
  assert.equal(linesOf(file).length, 11);
  rmSync(`${file}.lock`, { recursive: true });
  writer.write('{"record":10}');
  writer.close();
  assert.equal(linesOf(`${file}.1`).length, 11);
  assert.deepEqual(linesOf(file).map(({ record }) => record), [undefined, 10]);
});

// The lock cannot be made in a folder where the user may only write to this file.
test('ends a trace of twice its limit that cannot be replaced', (t) => {
  const file = join(folder(t), 'a.trace');
  const writer = new TraceFile(file, () => `{"trace":"${title}"}`, 100);
  writeFileSync(`${file}.lock`, '');
  assert.throws(() => { for (let i = 0; i < 100; ++i) writer.write(`{"record":${i}}`); }, /it is full, and .*a\.trace\.lock cannot be made/);
  writer.close();
  assert.ok(statSync(file).size <= 200, `${statSync(file).size}`);
});

test('is an option of each target, and of the entry of a host', async () => {
  assert.deepEqual(parseTarget(['exec', '--trace', 'f', '--plain', '--', 'a', '--trace', 'x']), {
    kind: 'exec', command: 'a', args: ['--trace', 'x'], plain: true, trace: 'f' });
  assert.equal(parseTarget(['exec', '--trace=f', 'a']).trace, 'f');
  for (const words of [['serial', '--usb', '2e8a:000a'], ['http', 'http://127.0.0.1/mcp'], ['mdns', 'a'], ['mqtt', 'mqtt://127.0.0.1/a']]) {
    assert.equal(parseTarget([...words, '--trace', 'f']).trace, 'f');
    assert.deepEqual((await stableTarget([...words, '--trace', 'f'], '/home/ann', async () => ({ path: 'p' }))).slice(-2), ['--trace', '/home/ann/f']);
  }
  assert.deepEqual((await stableTarget(['exec', '--plain', '--trace', 'f', 'a', '--b'], '/home/ann')), [
    'exec', '--plain', '--trace', '/home/ann/f', 'a', '--b']);
  for (const words of [['exec', '--trace'], ['exec', '--trace', ''], ['exec', '--trace=', 'a'], ['mdns', 'a', '--trace=']]) {
    assert.throws(() => parseTarget(words), /--trace needs a FILE/);
  }
});
