// SPDX-License-Identifier: Apache-2.0
// attach watch: hosts that run, and files of --trace. The device is devices/watched_device.mjs. usage: node watch.test.mjs
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { Host, environment, limitMs, within } from './support.mjs';
import { run } from '../../toolchains/attach/commands/watch.mjs';
import { removeStale, watchFolders, watchPaths } from '../../toolchains/attach/lib/watchers.mjs';

const timeout = limitMs;
const program = fileURLToPath(new URL('../../toolchains/attach/attach.cjs', import.meta.url));
const device = fileURLToPath(new URL('devices/watched_device.mjs', import.meta.url));
const target = ['exec', process.execPath, device];

/** Text that comes in pieces. */
class Inbox {
  text = '';
  #waiting = [];

  add(piece) {
    this.text += piece;
    this.#waiting = this.#waiting.filter((check) => !check());
  }

  /** Resolves with the match when the text has it. */
  wrote(pattern) {
    return within(`text ${pattern}`, new Promise((resolve) => {
      const check = () => pattern.test(this.text) && (resolve(pattern.exec(this.text)), true);
      if (!check()) this.#waiting.push(check);
    })).catch((error) => { throw new Error(`${error.message}:\n${this.text}`); });
  }
}

/** A terminal with `attach watch`. */
class Watch {
  out = new Inbox();
  notes = new Inbox();

  constructor(t, env, ...argv) {
    this.child = spawn(process.execPath, [program, 'watch', ...argv], { env: { ...env, TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => this.child.on('close', (status, signal) => resolve(signal ?? status)));
    this.child.stdout.on('data', (data) => this.out.add(data));
    this.child.stderr.on('data', (data) => this.notes.add(data));
    atEnd(t, async () => {
      this.child.kill();
      await within('end of watch', this.ended);
    });
  }
}

const socketsOf = (env) => readdirSync(join(env.XDG_RUNTIME_DIR, 'mote-attach')).filter((name) => name.endsWith('.watch'));

test('shows the calls of several hosts, without secrets', { timeout }, async (t) => {
  const env = environment(t);
  const watch = new Watch(t, env);
  await watch.notes.wrote(/no host uses attach now; waiting/);
  const hosts = ['one', 'two'].map((name) => [name, new Host(t, env, target)]);
  for (const [name, host] of hosts) await host.initialize({}, '2025-11-25', name);
  for (const [name] of hosts) await watch.out.wrote(new RegExp(`${name} 1  (initialize|uses)`));
  for (const [name, host] of hosts) {
    await host.tool('echo', { text: `hello from ${name}`, password: 'hunter2' });
    await watch.out.wrote(new RegExp(`${name} 1  echo \\{"text":"hello from ${name}","password":"xxxxxx1"\\}  [\\d.]+ ms\n    hello from ${name}\n`));
  }
  await hosts[0][1].result('tools/list');
  await hosts[0][1].tool('login', { user: 'ann', answer: 'open sesame' });
  await watch.out.wrote(/login \{"user":"ann","answer":"x{11}"\} .*\n {4}Welcome\.\n/);
  await hosts[0][1].result('resources/read', { uri: 'sensor://level' });
  await watch.out.wrote(/one 1 {2}read sensor:\/\/level {2}.*\n {4}\{"level":7\}\n/);
  await hosts[0][1].tool('write', { line: 'boot \u001b[2J token=abc' });
  await watch.out.wrote(/text: boot .*token=xxx/);
  assert.ok(!watch.out.text.includes('\u001b'));
  hosts[1][1].child.stdin.end();
  await watch.out.wrote(/two 1 {2}ends: stdin or stdout has ended\n/);
  assert.equal(watch.notes.text.split('\n').length, 2, watch.notes.text);
});

test('shows a host that began before, and its call in flight', { timeout }, async (t) => {
  const env = environment(t);
  const host = new Host(t, env, target);
  await host.initialize({ elicitation: {} }, '2025-11-25', 'early');
  await host.result('tools/list');
  const hanging = host.begin('tools/call', { name: 'hang', arguments: { n: 1 } });
  hanging.response.catch(() => {});
  await host.wrote(/hangs now/);
  const [watch, json] = [new Watch(t, env), new Watch(t, env, '--json')];
  await watch.out.wrote(/early 1 {2}uses exec .*\n/);
  await watch.out.wrote(/early 1 {2}hang \{"n":1\} {2}\(no response yet\)\n/);
  await json.out.wrote(/"kind":"begin".*"continued":true/);
  host.send({ method: 'notifications/cancelled', params: { requestId: hanging.id } });
  await watch.out.wrote(/early 1 {2}hang \{"n":1\} {2}[\d.]+ m?s\n {4}the host has cancelled it\n/);
  const asking = host.begin('tools/call', { name: 'ask', arguments: {} });
  const { id } = await host.next('elicitation/create');
  const late = new Watch(t, env);
  await late.out.wrote(/ask \{\} {2}\(no response yet\)\n.*asks: Open the valve\? {2}\(no response yet\)\n/);
  host.send({ id, result: { action: 'accept', content: { sure: true } } });
  assert.match((await asking.response).result.content[0].text, /accept/);
  await watch.out.wrote(/ask \{\} {2}.*\n {4}asks: Open the valve\?\n {4}answer: \{"action":"accept","content":\{"sure":true\}\} {2}/);
  // What a schema marks is hidden, although the watcher came after the list.
  await host.tool('login', { answer: 'open sesame' });
  const [line] = await json.out.wrote(/^.*"name":"login".*\n/m);
  const { kind, host: info, params, result, durationMs } = JSON.parse(line);
  assert.deepEqual({ kind, info, params }, { kind: 'request', info: { name: 'early', version: '1' },
    params: { name: 'login', arguments: { answer: 'xxxxxxxxxxx' } } });
  assert.equal(result.content[0].text, 'Welcome.');
  assert.ok(durationMs > 0);
});

test('shows that a device ends and that it is there again', { timeout }, async (t) => {
  const env = environment(t);
  const host = new Host(t, env, target);
  await host.initialize();
  const watch = new Watch(t, env);
  await watch.out.wrote(/uses exec/);
  assert.match((await host.request('tools/call', { name: 'end', arguments: {} })).error.message, /connection to the device was lost/);
  await watch.out.wrote(/host 1 {2}end \{\} {2}.*\n {4}error -32603: The connection to the device was lost/);
  await watch.out.wrote(/host 1 {2}text: attach: The connection to the device was lost/);
  await host.tool('echo', { text: 'again' });
  await watch.out.wrote(/host 1 {2}text: attach: The device is connected\./);
  await watch.out.wrote(/echo .*\n {4}again\n/);
});

test('reports a process that was killed, and removes its socket', { timeout }, async (t) => {
  const env = environment(t, { MOTE_ATTACH_LINGER_MS: '60000' });
  const keeper = new Host(t, { ...env, MOTE_ATTACH_LINGER_MS: '0' }, target);  // its broker does not end
  await keeper.initialize({}, '2025-11-25', 'keeper');
  const host = new Host(t, env, target);
  await host.initialize({}, '2025-11-25', 'victim');
  const watch = new Watch(t, env);
  await watch.out.wrote(/victim 1 {2}uses/);
  assert.equal(socketsOf(env).length, 2);
  for (const name of socketsOf(env)) assert.equal(statSync(join(env.XDG_RUNTIME_DIR, 'mote-attach', name)).mode & 0o777, 0o600);
  const ended = new Promise((resolve) => host.child.on('exit', resolve));  // until then its id is that of a process
  host.child.kill('SIGKILL');
  await watch.out.wrote(/victim 1 {2}ends: its process has ended/);
  await ended;
  await removeStale(join(env.XDG_RUNTIME_DIR, 'mote-attach'));
  assert.deepEqual(socketsOf(env).map((name) => name.split('-')[0]), [`${keeper.child.pid}`]);
  await keeper.tool('echo', { text: 'a' });
});

test('leaves no socket of a process that ends, also by a signal', { timeout }, async (t) => {
  for (const signal of [undefined, 'SIGTERM', 'SIGINT', 'SIGHUP']) {
    const env = environment(t);
    const host = new Host(t, env, target);
    await host.initialize();
    const watch = new Watch(t, env);
    await watch.out.wrote(/uses exec/);
    const ended = new Promise((resolve) => host.child.on('exit', (status, by) => resolve(by ?? status)));
    if (signal) host.child.kill(signal);
    else host.child.stdin.end();
    assert.equal(await ended, signal ?? 0);
    assert.deepEqual(socketsOf(env), []);
    await watch.out.wrote(/ends: /);
  }
});

// A socket refuses connections between bind() and listen().
test('keeps the socket of a process that begins', { timeout }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mote-watch-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const { pid: ended } = spawnSync(process.execPath, ['-e', '']);
  for (const pid of [process.pid, ended]) {
    const server = createServer();
    await new Promise((resolve) => server.listen(join(folder, 'made'), resolve));
    renameSync(join(folder, 'made'), join(folder, `${pid}-a.watch`));
    await new Promise((resolve) => server.close(resolve));
  }
  await removeStale(folder);
  assert.deepEqual(readdirSync(folder), [`${process.pid}-a.watch`]);
});

// Many hosts start their servers with a few variables of the environment only.
test('looks into the folders of hosts without XDG_RUNTIME_DIR', (t) => {
  const system = { user: 1000, temporary: '/var/folders/T' };
  const all = ['/run/user/1000/mote-attach', '/var/folders/T/mote-attach-1000', '/tmp/mote-attach-1000'];
  assert.deepEqual(watchFolders({}, system), all);
  assert.deepEqual(watchFolders({ XDG_RUNTIME_DIR: '/run/user/1000' }, system), all);
  assert.deepEqual(watchFolders({ XDG_RUNTIME_DIR: '/home/ann/run' }, system), ['/home/ann/run/mote-attach']);
  assert.deepEqual(watchFolders({}, { user: 1000, temporary: '/tmp' }), [all[0], all[2]]);
  assert.deepEqual(watchFolders({ XDG_RUNTIME_DIR: 'run' }, system), all, 'hosts ignore it, too');
  assert.deepEqual(watchFolders({ XDG_RUNTIME_DIR: '/run/user/1000/' }, system), all);
  const folder = mkdtempSync(join(tmpdir(), 'mote-watch-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.watch'), '');
  const folders = [join(folder, 'none'), join(folder, 'a.watch'), folder];
  assert.deepEqual(watchPaths(folders), [join(folder, 'a.watch')]);
  chmodSync(folder, 0o770);  // another user could have put it there
  assert.deepEqual(watchPaths(folders), []);
});

test('drops a watcher that does not read, and serves its host', { timeout }, async (t) => {
  const env = environment(t);
  const host = new Host(t, env, target);
  await host.initialize();
  const [name] = socketsOf(env);
  const socket = connect(join(env.XDG_RUNTIME_DIR, 'mote-attach', name));
  atEnd(t, () => socket.destroy());
  await within('first record', new Promise((resolve) => socket.once('readable', resolve)));
  const text = 'x'.repeat(1 << 20);
  for (let i = 0; i < 30; ++i) assert.equal((await host.tool('echo', { text })).length, text.length);
  let size = 0;
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('data', (data) => { size += data.length; });
  socket.resume();
  await within('end of the connection', closed);
  assert.ok(size < 30 << 20, `${size} bytes`);
});

test('ends when its output is closed', { timeout }, async (t) => {
  const env = environment(t);
  const host = new Host(t, env, target);
  await host.initialize();
  const watch = new Watch(t, env);
  await watch.out.wrote(/uses exec/);
  watch.child.stdout.destroy();
  const ended = watch.ended;
  let isEnded = false;
  void ended.then(() => { isEnded = true; });
  while (!isEnded) await host.tool('echo', { text: 'a' });
  assert.equal(await ended, 0);
});

// ---- Files ----------------------------------------------------------------------------------------------------------

const session = '7-abc';
const begin = JSON.stringify({ trace: 'mote-attach 1', time: '2026-11-30T13:45:55.000Z', ms: 1, session, target: 'serial', pid: 7 });
const request = (id) => JSON.stringify({ time: '2026-11-30T13:45:55.000Z', ms: 2, session, from: 'host',
  message: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: `tool_${id}` } } });
const response = (id) => JSON.stringify({ time: '2026-11-30T13:45:55.003Z', ms: 5, session, from: 'device',
  message: { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `result ${id}` }] } } });

/** A file, and `attach watch` of it in this process. */
function fileOf(t, ...lines) {
  const folder = mkdtempSync(join(tmpdir(), 'mote-watch-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.trace');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const watch = (...argv) => {
    const [out, notes, end] = [new Inbox(), new Inbox(), new AbortController()];
    atEnd(t, () => end.abort());
    const streams = { stdout: { write: (text) => out.add(text) }, stderr: { write: (text) => notes.add(text) } };
    return { out, notes, stop: () => end.abort(), status: run([file, ...argv], { ...streams, env: {}, signal: end.signal }) };
  };
  return { file, watch };
}

test('shows a file, and ends', { timeout }, async (t) => {
  const { watch } = fileOf(t, begin, request(1), response(1), request(2));
  const shown = watch();
  assert.equal(await shown.status, 0);
  assert.match(shown.out.text, /host 7 {2}tool_1 {2}3\.0 ms\n {4}result 1\n.*host 7 {2}tool_2\n {4}no response\n$/);
  assert.equal(shown.notes.text, '');
  const json = watch('--json');
  assert.equal(await json.status, 0);
  const objects = json.out.text.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(objects.map(({ kind, durationMs }) => [kind, durationMs]), [['begin', undefined], ['request', 3], ['request', undefined]]);
});

test('shows a file without its damaged lines, and reports them', { timeout }, async (t) => {
  const { file, watch } = fileOf(t, begin, '{"half":', 'no JSON', request(1), '\u0000\u0000', '[]', response(1));
  appendFileSync(file, request(2).slice(0, 60));
  const shown = watch();
  assert.equal(await shown.status, 0);
  assert.match(shown.out.text, /tool_1 {2}3\.0 ms\n {4}result 1\n$/);
  const lines = [2, 3, 5, 6].map((line) => `line ${line} is no record.`);
  assert.deepEqual(shown.notes.text.trimEnd().split('\n').map((line) => line.replace(/^.*a\.trace: /, '')), [...lines, 'line 8 is not finished.']);
});

test('shows a file with a record that is nested too deeply', { timeout }, async (t) => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const notice = { time: '2026-11-30T13:45:55.000Z', session, from: 'device', message: { method: 'notifications/message', params: { data: 0 } } };
  const { watch } = fileOf(t, begin, JSON.stringify(notice).replace('"data":0', `"data":${deep}`), request(1), response(1));
  const shown = watch();
  assert.equal(await shown.status, 0);
  assert.match(shown.out.text, /tool_1 {2}3\.0 ms\n {4}result 1\n$/);
  assert.match(shown.notes.text, /line 2 is no record\.\n$/);
});

test('says why it cannot follow a file', { timeout }, async (t) => {
  const { file, watch } = fileOf(t, begin, request(1), response(1));
  const shown = watch('--follow');
  await shown.out.wrote(/result 1/);
  rmSync(file);
  mkdirSync(file);
  await assert.rejects(shown.status, /is not a file/);
});

test('rejects what is no file of attach', { timeout }, async (t) => {
  const { file, watch } = fileOf(t, 'hello');
  const shown = watch();
  assert.equal(await shown.status, 1);
  assert.match(shown.notes.text, /it has no record of attach/);
  rmSync(file);
  await assert.rejects(watch().status, /ENOENT/);
  await assert.rejects(run(['/'], { stdout: { write() {} }, stderr: { write() {} } }), /is not a file/);
  await assert.rejects(run(['--follow'], { stdout: { write() {} }, stderr: { write() {} } }), /--follow needs a FILE/);
  await assert.rejects(run(['a', 'b'], { stdout: { write() {} }, stderr: { write() {} } }), /Unexpected argument b/);
});

test('follows a file that grows in pieces, is cut and is replaced', { timeout }, async (t) => {
  const { file, watch } = fileOf(t, begin, request(1));
  const shown = watch('--follow');
  await shown.out.wrote(/begins with serial/);
  const line = `${response(1)}\n`;
  appendFileSync(file, line.slice(0, 50));
  appendFileSync(file, line.slice(50));
  await shown.out.wrote(/tool_1 {2}3\.0 ms\n {4}result 1\n/);
  truncateSync(file);
  await shown.notes.wrote(/it was cut, and is read from its begin/);
  appendFileSync(file, `${request(2)}\n${response(2)}\n`);
  await shown.out.wrote(/tool_2 {2}3\.0 ms\n {4}result 2\n/);
  appendFileSync(file, `${request(3)}\n`);
  renameSync(file, `${file}.1`);
  writeFileSync(file, `${begin}\n${response(3)}\n`);
  await shown.out.wrote(/tool_3 {2}3\.0 ms\n {4}result 3\n/);
  rmSync(file);
  writeFileSync(file, `${begin}\n${request(4)}\n${response(4)}\n{"half":`);
  await shown.out.wrote(/tool_4 {2}3\.0 ms\n {4}result 4\n/);
  shown.stop();
  assert.equal(await shown.status, 0);
  assert.equal(shown.out.text.match(/begins with/g).length, 1);
  assert.match(shown.notes.text, /line 4 is not finished\.\n$/);
});
