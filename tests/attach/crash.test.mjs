// SPDX-License-Identifier: Apache-2.0
// A broker or a front that is killed after each step of a session. Each request ends, and the next one is served. Brokers that
// start slowly, end at once or do not respond, and what a killed one leaves in the folder of the sockets.
//
// usage: node crash.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { connect, createServer, Server } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { elect, runtimeFolder } from '../../toolchains/attach/lib/socket.mjs';
import { environment, Host, limitMs, meta, server, within } from './support.mjs';

const target = ['exec', server, '--stdio'];
const watched = 'test://watched-resource';
const text = 'This is a simple text response for testing.';
const both = { elicitation: { form: {} } };

/** Ends with a result, or with the error that names the restart. */
async function ends(response) {
  const m = await response;
  if (m.error) assert.match(m.error.message, /restarted|lost|Send initialize first/, JSON.stringify(m.error));
  return m;
}

/** Steps of a host with a session; each returns when its request was sent or has ended. */
const steps = [
  (host) => ends(host.request('initialize', { protocolVersion: '2025-11-25', capabilities: both, clientInfo: { name: 'a', version: '1' } })),
  (host) => host.send({ method: 'notifications/initialized' }),
  (host) => ends(host.request('resources/subscribe', { uri: watched })),
  (host) => ends(host.request('tools/list')),
  (host) => { host.slow = ends(host.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: { progressToken: 1 } }).response); },
  (host) => { host.asking = ends(host.begin('tools/call', { name: 'test_elicitation', arguments: { message: 'm' } }).response); },
  (host) => ends(host.request('tools/call', { name: 'test_task', arguments: {}, task: {} })),
  (host) => ends(host.request('ping')),
];

for (let killed = 0; killed < steps.length; ++killed) {
  test(`goes on when the broker is killed after step ${killed + 1}`, { timeout: limitMs }, async (t) => {
    const env = environment(t);
    const other = new Host(t, env, target);
    const { broker } = await other.device();
    const host = new Host(t, env, target);
    for (const [i, step] of steps.entries()) {
      await step(host);
      if (i !== killed) continue;
      process.kill(broker, 'SIGKILL');
      await Promise.all([other, host].map((each) => each.wrote(/the broker ended/)));
    }
    assert.deepEqual(await host.result('ping'), {});
    // The subscription and the session are those of the new broker.
    await other.tool('test_update_resource', {}, { _meta: meta() });
    await host.next('notifications/resources/updated');
    assert.equal(await host.tool('test_simple_text'), text);
    if (killed >= 4) await host.slow;
    if (killed >= 5) await host.asking;
    host.slow?.catch(() => {});
    host.asking?.catch(() => {});
  });

  test(`serves others when a front is killed after step ${killed + 1}`, { timeout: limitMs }, async (t) => {
    const env = environment(t);
    const other = new Host(t, env, target);
    const before = await other.device();
    const host = new Host(t, env, target);
    for (const step of steps.slice(0, killed + 1)) await step(host);
    host.slow?.catch(() => {});
    host.asking?.catch(() => {});
    host.child.kill('SIGKILL');
    await host.ended;
    assert.equal(await other.tool('test_simple_text', {}, { _meta: meta() }), text);
    assert.deepEqual(await other.device(), before);
  });
}

test('elects one broker for 12 hosts that start at once', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const hosts = Array.from({ length: 12 }, () => new Host(t, env, target));
  const brokers = await Promise.all(hosts.map(async (host) => (await host.device()).broker));
  assert.equal(new Set(brokers).size, 1);
});

/** Adds statements to the start of each broker (\`isBroker\`) or host. */
function withHook(env, statements) {
  const hook = join(env.XDG_RUNTIME_DIR, 'hook.cjs');
  writeFileSync(hook, `const isBroker = process.argv[2] === 'broker'; ${statements}`);
  return { ...env, NODE_OPTIONS: `--require ${hook}` };
}

test('starts a broker again when the folder of its socket is gone', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const host = new Host(t, env, target);
  const { broker } = await host.device();
  rmSync(join(env.XDG_RUNTIME_DIR, 'mote-attach'), { recursive: true });
  process.kill(broker, 'SIGKILL');
  await host.wrote(/the broker ended/);
  assert.equal(await host.tool('test_simple_text', {}, { _meta: meta() }), text);
  assert.equal(statSync(join(env.XDG_RUNTIME_DIR, 'mote-attach')).mode & 0o777, 0o700);
});

test('starts one broker alone on a slow machine', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const started = join(env.XDG_RUNTIME_DIR, 'started');
  const slow = withHook(env, `if (isBroker) {
    require('node:fs').appendFileSync(${JSON.stringify(started)}, 'x');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
  }`);
  await new Host(t, slow, target).initialize();
  assert.equal(readFileSync(started, 'utf8'), 'x');
});

test('starts while the clock is set', { timeout: limitMs }, async (t) => {
  const env = withHook(environment(t), `if (!isBroker) {
    const { now } = Date;
    let calls = 0;
    Date.now = () => now() + (++calls > 2 ? 3_600_000 : 0);
  }`);
  await new Host(t, env, target).initialize();
});

test('says how a broker that does not start ended', { timeout: limitMs }, async (t) => {
  const env = withHook(environment(t), 'if (isBroker) process.exit(9);');
  const host = new Host(t, env, target);
  assert.equal(await within('end of attach', host.ended), 1);
  assert.match(host.text, /^attach: the broker does not start: it ended with 9\. To see why, run: \S*node \S*broker_main\.mjs broker \S+\.sock exec /);
});

test('says how a broker ended also while the next one starts', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const mark = join(env.XDG_RUNTIME_DIR, 'first');
  const hook = `if (isBroker) {
    const { existsSync, writeFileSync } = require('node:fs');
    const mark = ${JSON.stringify(mark)};
    if (!existsSync(mark)) process.exit(writeFileSync(mark, '') ?? 9);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12_000);  // longer than a host waits
    process.exit(0);
  }`;
  const host = new Host(t, withHook(env, hook), target);
  assert.equal(await within('end of attach', host.ended), 1);
  assert.match(host.text, /^attach: the broker does not start: it ended with 9\. /);
});

test('says that a broker does not respond', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const { broker } = await new Host(t, env, target).device();
  process.kill(broker, 'SIGSTOP');
  try {
    const host = new Host(t, env, target);
    assert.equal(await within('end of attach', host.ended), 1);
    assert.match(host.text, /^attach: the broker at \S+\.sock does not respond; end its process\.\n$/);
  } finally {
    process.kill(broker, 'SIGCONT');
  }
});

/** A path for a socket in the folder of a test. */
const pathOf = (t) => join(environment(t).XDG_RUNTIME_DIR, 'x.sock');

/** A process that listens at a path. */
async function listener(t, path) {
  const program = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => console.log('listens'))`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(t, () => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** What a broker that was killed leaves. */
async function stale(t, path) {
  const child = await listener(t, path);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok(existsSync(path));
}

async function elected(t, path, candidate = createServer()) {
  const isElected = await elect(candidate, path);
  atEnd(t, () => candidate.close());
  return isElected;
}

for (const seconds of [-10, 3600]) {
  test(`takes a lock of a killed broker, ${seconds} s from now`, async (t) => {
    const path = pathOf(t);
    await stale(t, path);
    mkdirSync(`${path}.lock`);
    assert.equal(await elected(t, path), false);  // another one may be at work
    const time = Date.now() / 1000 + seconds;  // the clock may have been set since
    utimesSync(`${path}.lock`, time, time);
    assert.equal(await elected(t, path), true);
    assert.deepEqual(readdirSync(join(path, '..')), ['x.sock']);
  });
}

test('leaves the lock to another successor that took it first', async (t) => {
  const path = pathOf(t);
  const lock = `${path}.lock`;
  await stale(t, path);
  mkdirSync(lock);
  utimesSync(lock, 1, 1);
  const { statSync: real } = fs;
  t.mock.method(fs, 'statSync', (name, ...options) => {
    const found = real(name, ...options);
    if (name === lock && found.mtimeMs === 1000) {
      fs.rmdirSync(lock);
      mkdirSync(lock);
    }
    return found;
  });
  syncBuiltinESMExports();
  atEnd(t, () => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.equal(await elected(t, path), false);
  assert.deepEqual(readdirSync(join(path, '..')).sort(), ['x.sock', 'x.sock.lock']);
});

/** A candidate that finds the path in use at first. */
class Late extends Server {
  #tries = 0;

  constructor(again = () => {}) {
    super();
    this.again = again;
  }

  listen(...args) {
    if (++this.#tries === 1) return void process.nextTick(() => this.emit('error', Object.assign(new Error('in use'), { code: 'EADDRINUSE' })));
    this.again();
    return super.listen(...args);
  }
}

test('succeeds a broker that removes its socket meanwhile', async (t) => {
  assert.equal(await elected(t, pathOf(t), new Late()), true);
});

test('serves although its lock was removed', async (t) => {
  const path = pathOf(t);
  await stale(t, path);
  assert.equal(await elected(t, path, new Late(() => fs.rmdirSync(`${path}.lock`))), true);
});

test('does not take the socket of a broker with a full queue', { timeout: limitMs }, async (t) => {
  const path = pathOf(t);
  const child = await listener(t, path);
  child.kill('SIGSTOP');
  const { ino } = statSync(path);
  const isFull = () => new Promise((resolve) => {
    const socket = connect(path);
    atEnd(t, () => socket.destroy());
    socket.once('connect', () => resolve(false)).once('error', ({ code }) => resolve(code === 'EAGAIN'));
  });
  while (!await isFull());
  assert.equal(await elected(t, path), false);
  assert.equal(statSync(path).ino, ino);
});

test('reports a path that takes no socket', async (t) => {
  const path = join(pathOf(t), 'none.sock');
  await assert.rejects(elected(t, path), /none\.sock: EACCES$/);
});

test('explains what to do with a folder for sockets that it cannot use', (t) => {
  const { XDG_RUNTIME_DIR: folder } = environment(t);
  writeFileSync(join(folder, 'file'), '');
  assert.throws(() => runtimeFolder({ XDG_RUNTIME_DIR: join(folder, 'file') }),
    /^Error: The folder for sockets cannot be used: .*file\/mote-attach.*\. Set XDG_RUNTIME_DIR to another folder\.$/);
  fs.symlinkSync(folder, join(folder, 'mote-attach'));
  assert.throws(() => runtimeFolder({ XDG_RUNTIME_DIR: folder }),
    /^Error: .*mote-attach is no folder of this user\. Remove it, or set XDG_RUNTIME_DIR to another folder\.$/);
});

test('ignores a runtime folder that depends on the current folder', (t) => {
  const { XDG_RUNTIME_DIR: TMPDIR } = environment(t);
  const before = process.env.TMPDIR;
  atEnd(t, () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  process.env.TMPDIR = TMPDIR;
  assert.equal(runtimeFolder({ XDG_RUNTIME_DIR: 'run' }), join(TMPDIR, `mote-attach-${process.getuid()}`));
});
