// SPDX-License-Identifier: Apache-2.0
// attach as `npm install` leaves it, with the bundles of build.mjs: what its processes load, and their time and memory.
// It prints the times beside the start of Node.js itself, and fails for none, because they depend on the machine.
//
// usage: node start.test.mjs EVERYTHING_SERVER [NODE...]
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at_end.mjs';
import { environment, limitMs, meta, server, within } from './support.mjs';

const folder = fileURLToPath(new URL('../../toolchains/attach/', import.meta.url));
const nodes = [process.execPath, ...process.argv.slice(3).filter((path) => existsSync(path))];
const runs = 20;
const now = () => Number(process.hrtime.bigint()) / 1e6;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const initialize = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'h', version: '1' } } };
const discover = { method: 'server/discover', params: { _meta: meta() } };

/** Files of attach in the folder of a test, with bundles, as npm installs them. A checkout also has build.mjs. */
function install(t, more = []) {
  const installed = mkdtempSync(join(tmpdir(), 'mote-installed-'));
  atEnd(t, () => rmSync(installed, { recursive: true, force: true }));
  for (const name of ['attach.cjs', 'package.json', 'lib', 'commands', ...more]) {
    cpSync(join(folder, name), join(installed, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(folder, 'node_modules'), join(installed, 'node_modules'));
  bundle(join(installed, 'dist'));
  return installed;
}

function bundle(out) {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'build.mjs'), out], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

/** Sets the time of a file to one minute from now. */
function touch(path) {
  const later = new Date(Date.now() + 60_000);
  utimesSync(path, later, later);
}

/** Runs the build.mjs of a checkout, with statements that replace functions of `fs`. */
function rebuild(installed, statements = '') {
  const hook = join(installed, 'fs.cjs');
  writeFileSync(hook, `const fs = require('node:fs'); ${statements}; require('node:module').syncBuiltinESMExports();`);
  return spawnSync(process.execPath, ['--require', hook, join(installed, 'build.mjs')], { encoding: 'utf8' });
}

/** A program with lines of JSON-RPC, and the time from its start to its first message. */
class Program {
  #waiting;

  constructor(t, command, args, env) {
    const begin = now();
    this.child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    atEnd(t, () => this.child.kill());
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.ms ??= now() - begin;
      this.#waiting(JSON.parse(line));
    });
  }

  request(m) {
    const response = new Promise((resolve) => { this.#waiting = resolve; });
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...m })}\n`);
    return within(m.method, response);
  }

  end() {
    this.child.stdin.end();
    return within('end', this.ended);
  }
}

/** Milliseconds that a process takes from its start to its end. */
async function timeOf(command, args) {
  const begin = now();
  const child = spawn(command, args, { stdio: 'ignore' });
  await new Promise((resolve) => child.on('close', resolve));
  return now() - begin;
}

/** Holds the broker of `env` when its hosts have left; end() resolves when its process `pid` has ended. */
function hold(env, pid) {
  const sockets = join(env.XDG_RUNTIME_DIR, 'mote-attach');
  const socket = connect(join(sockets, readdirSync(sockets).find((name) => name.endsWith('.sock'))));
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => {});
  return within('broker', new Promise((resolve) => socket.once('data', () => resolve({
    end: () => process.kill(pid) && within('end of the broker', ended),
  })))).finally(() => socket.resume());
}

/** One board, and two hosts after one another. `use(front, broker)` gets their process ids. */
async function start(t, node, installed, { use = () => {}, more = {} } = {}) {
  const env = environment(t, more);
  const argv = [join(installed, 'attach.cjs'), 'exec', server, '--stdio'];
  const first = new Program(t, node, argv, env);
  await first.request(initialize);
  const second = new Program(t, node, argv, env);
  await second.request(initialize);
  const { result } = await second.request({ method: 'tools/call', params: { name: 'list_devices', arguments: {}, _meta: meta() } });
  const { broker } = JSON.parse(result.content[0].text)[0];
  const held = await hold(env, broker);
  await use(second.child.pid, broker);
  await Promise.all([first.end(), second.end()]);
  await held.end();
  return [first.ms, second.ms];
}

async function board(t) {
  const program = new Program(t, server, ['--stdio'], process.env);
  await program.request(discover);
  await program.end();
  return program.ms;
}

/** Kilobytes that only this process has, and that it shares. */
function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const sum = (kind) => ['Clean', 'Dirty'].reduce((all, state) => all + Number(new RegExp(`^${kind}_${state}: +(\\d+)`, 'm').exec(text)[1]), 0);
  return { own: sum('Private'), shared: sum('Shared') };
}

/** The files and modules that each process of a start loads: `front` and `broker`. */
async function loadedBy(t, node, installed) {
  const out = join(installed, 'loaded.jsonl');
  const hook = join(installed, 'hook.cjs');
  writeFileSync(hook, `process.on('exit', () => require('node:fs').appendFileSync(${JSON.stringify(out)}, JSON.stringify({
    argv: process.argv, files: Object.keys(require.cache), modules: process.moduleLoadList.map((each) => each.replace(/^NativeModule /, '')),
  }) + '\\n'));`);
  await start(t, node, installed, { more: { NODE_OPTIONS: `--require ${hook}` } });
  const lines = readFileSync(out, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  rmSync(out);
  const of = (isBroker) => lines.find(({ argv }) => (argv[2] === 'broker') === isBroker);
  const files = (all) => all.filter((file) => file !== hook).map((file) => relative(installed, file)).sort();
  return { front: { ...of(false), files: files(of(false).files) }, broker: { ...of(true), files: files(of(true).files) } };
}

test('makes bundles that depend on nothing but the sources', (t) => {
  const installed = install(t);
  const names = readdirSync(join(installed, 'dist')).sort();
  assert.deepEqual(names, ['broker_main.cjs', 'front_main.cjs']);
  bundle(join(installed, 'again'));
  for (const name of names) assert.ok(readFileSync(join(installed, 'dist', name)).equals(readFileSync(join(installed, 'again', name))), name);
  const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of ['attach.cjs', ...names.map((each) => `dist/${each}`)]) assert.ok(files.includes(name), name);
});

test('runs its commands, and reports a wrong target, from a bundle', (t) => {
  const run = (...argv) => spawnSync(process.execPath, [join(install(t), 'attach.cjs'), ...argv], { encoding: 'utf8', input: '' });
  assert.match(run('--help').stdout, /^Usage: mote-attach TARGET/);
  assert.match(run('doctor', '--help').stdout, /doctor/);
  const { status, stderr } = run('exec');
  assert.equal(status, 2);
  assert.equal(stderr, 'mote-attach: exec needs a command.\n');
});

test('starts a broker from its sources when its bundle is gone', { timeout: limitMs }, async (t) => {
  const installed = install(t);
  rmSync(join(installed, 'dist/broker_main.cjs'));
  const { broker } = await loadedBy(t, process.execPath, installed);
  assert.deepEqual(broker.argv[1], join(installed, 'lib/broker_main.mjs'));
});

// npm gives each file the time at which it wrote it, in any order.
test('starts the bundles of a package, whatever the times of its files', { timeout: limitMs }, async (t) => {
  const installed = install(t);
  for (const path of ['lib/json.mjs', 'lib/front.mjs', 'lib/broker.mjs']) touch(join(installed, path));
  const { front, broker } = await loadedBy(t, process.execPath, installed);
  for (const { modules } of [front, broker]) assert.ok(!modules.includes('internal/modules/esm/load'));
  assert.deepEqual(broker.files, ['dist/broker_main.cjs']);
});

test('starts its sources when build.mjs is newer than the bundle', { timeout: limitMs }, async (t) => {
  const installed = install(t, ['build.mjs']);
  touch(join(installed, 'build.mjs'));
  const { front } = await loadedBy(t, process.execPath, installed);
  assert.ok(front.modules.includes('internal/modules/esm/load'));
});

test('starts its sources after another version was unpacked, whose files are older', { timeout: limitMs }, async (t) => {
  const installed = install(t, ['build.mjs']);
  const source = join(installed, 'lib/front.mjs');
  writeFileSync(source, `${readFileSync(source, 'utf8')}// of another version\n`);
  utimesSync(source, 1, 1);
  const { front, broker } = await loadedBy(t, process.execPath, installed);
  assert.ok(front.modules.includes('internal/modules/esm/load'));
  assert.deepEqual(broker.argv[1], join(installed, 'lib/broker_main.mjs'));
});

test('keeps the bundles of before until all of the next one is written', { timeout: limitMs }, async (t) => {
  const installed = install(t, ['build.mjs']);
  const names = ['broker_main.cjs', 'front_main.cjs'];
  const textOf = (name) => readFileSync(join(installed, 'dist', name), 'utf8');
  const before = names.map(textOf);
  const source = join(installed, 'lib/front.mjs');
  writeFileSync(source, readFileSync(source, 'utf8').replace('the broker ended', 'the broker has ended'));
  const { signal } = rebuild(installed, `const { writeFileSync } = fs; fs.writeFileSync = (path, text) => {
    writeFileSync(path, text.slice(0, text.length / 2));
    process.kill(process.pid, 'SIGKILL');
  }`);
  assert.equal(signal, 'SIGKILL');
  for (const [at, name] of names.entries()) assert.ok(textOf(name) === before[at], name);
  assert.equal(rebuild(installed).status, 0);
  assert.match(textOf('front_main.cjs'), /the broker has ended/);
});

test('starts its sources when one was changed during a build', { timeout: limitMs }, async (t) => {
  const installed = install(t, ['build.mjs']);
  const source = join(installed, 'lib/front.mjs');
  const { status, stderr } = rebuild(installed, `const { writeFileSync } = fs; fs.writeFileSync = (path, text) => {
    const now = new Date();
    fs.utimesSync(${JSON.stringify(source)}, now, now);
    writeFileSync(path, text);
  }`);
  assert.equal(status, 0, stderr);
  const { front, broker } = await loadedBy(t, process.execPath, installed);
  for (const { modules } of [front, broker]) assert.ok(modules.includes('internal/modules/esm/load'));
});

test('removes the bundles of before if it cannot make others', { timeout: limitMs }, async (t) => {
  const installed = install(t, ['build.mjs']);
  const source = join(installed, 'lib/front.mjs');
  const text = readFileSync(source, 'utf8');
  const has = () => readdirSync(join(installed, 'dist'));
  writeFileSync(source, `${text}(`);
  const { status, stderr } = rebuild(installed);
  assert.equal(status, 1);
  assert.match(stderr, /Expected|Unexpected/);
  assert.deepEqual(has(), []);
  writeFileSync(source, text);
  assert.equal(rebuild(installed).status, 0);
  assert.equal(has().length, 2);
  rmSync(join(installed, 'node_modules'));  // the packages of development are not installed
  const without = rebuild(installed);
  assert.equal(without.status, 0);
  assert.match(without.stderr, /^attach: without esbuild there is no bundle/);
  assert.deepEqual(has(), []);
  assert.deepEqual((await loadedBy(t, process.execPath, installed)).front.files, ['attach.cjs']);
});

for (const node of nodes) {
  const name = node.replace(/.*node_modules\//, '');

  test(`loads nothing that the target does not need, with ${name}`, { timeout: limitMs }, async (t) => {
    const { front, broker } = await loadedBy(t, node, install(t));
    assert.deepEqual(front.files, ['attach.cjs', 'dist/front_main.cjs']);
    assert.deepEqual(broker.files, ['dist/broker_main.cjs']);
    for (const { modules } of [front, broker]) {
      assert.ok(modules.includes('net'));
      const unused = ['crypto', 'http', 'https', 'tls', 'zlib', 'worker_threads', 'internal/modules/esm/get_source'];
      assert.deepEqual(modules.filter((each) => unused.includes(each)), []);
    }
  });

  test(`starts its sources when one is newer than the bundle, with ${name}`, { timeout: limitMs }, async (t) => {
    const installed = install(t, ['build.mjs']);
    assert.deepEqual((await loadedBy(t, node, installed)).broker.files, ['dist/broker_main.cjs']);
    touch(join(installed, 'lib/json.mjs'));
    const { front, broker } = await loadedBy(t, node, installed);
    for (const { modules } of [front, broker]) assert.ok(modules.includes('internal/modules/esm/get_source') || modules.includes('internal/modules/esm/load'));
    rmSync(join(installed, 'dist'), { recursive: true });
    assert.deepEqual((await loadedBy(t, node, installed)).front.files, ['attach.cjs']);
    assert.ok(!existsSync(join(installed, 'dist')));
  });

  test(`measures the start with ${name}`, { timeout: 5 * limitMs }, async (t) => {
    const installed = install(t);
    await start(t, node, installed);  // writes the cache of compiled code
    const times = { floor: [], board: [], first: [], second: [] };
    for (let run = 0; run < runs; ++run) {
      times.floor.push(await timeOf(node, ['-e', '']));
      times.board.push(await board(t));
      const [first, second] = await start(t, node, installed);
      times.first.push(first);
      times.second.push(second);
    }
    const ms = Object.fromEntries(Object.entries(times).map(([each, values]) => [each, median(values)]));
    const ratio = (value) => (value / ms.floor).toFixed(2);
    t.diagnostic(`| median of ${runs} runs, ms | node -e '' | the board alone | first host | second host |`);
    t.diagnostic(`| ${name} | ${Object.values(ms).map((value) => value.toFixed(1)).join(' | ')} |`);
    t.diagnostic(`times node -e '': first host without the board ${ratio(ms.first - ms.board)}, second host ${ratio(ms.second)}`);
    await start(t, node, installed, { use: (front, broker) => {
      for (const [process, pid, most] of [['front', front, 12], ['broker', broker, 20]]) {
        const { own, shared } = memoryOf(pid);
        t.diagnostic(`| ${process} | ${(own / 1000).toFixed(1)} MB of its own | ${(shared / 1000).toFixed(1)} MB shared |`);
        assert.ok(own <= most * 1000, `${process}: ${own} KB`);
      }
    } });
  });
}
