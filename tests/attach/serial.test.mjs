// SPDX-License-Identifier: Apache-2.0
// A device at a serial port, which is a pseudo-terminal of socat: the cable is pulled, and comes back.
//
// usage: node serial.test.mjs EVERYTHING_SERVER
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, unlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at_end.mjs';
import { openSerial } from '../../toolchains/attach/lib/links/serial.mjs';
import { environment, Host, limitMs, meta, server, within } from './support.mjs';

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.log('skipped: the package serialport needs Node.js 20');
  process.exit(77);
}

/** Resolves when the folder has an entry with this name. */
async function appears(folder, name) {
  const watcher = watch(folder);
  try {
    await within(name, new Promise((resolve) => {
      watcher.on('change', () => { if (existsSync(join(folder, name))) resolve(); });
      if (existsSync(join(folder, name))) resolve();
    }));
  } finally {
    watcher.close();
  }
}

/** Plugs a device in at `folder`/tty; returns what pulls it. */
async function plug(t, folder) {
  const socat = spawn('socat', [`PTY,link=${join(folder, 'tty')},raw,echo=0,ignoreeof`, `EXEC:${server} --stdio`], { stdio: 'ignore' });
  const ended = new Promise((resolve) => socat.on('close', resolve));
  const pull = async () => {
    socat.kill('SIGTERM');
    await within('end of socat', ended);
  };
  atEnd(t, pull);
  await appears(folder, 'tty');
  return pull;
}

test('serves a device at a serial port, again after it was unplugged', { timeout: limitMs }, async (t) => {
  const env = environment(t);
  const folder = env.XDG_RUNTIME_DIR;
  const pull = await plug(t, folder);
  const target = ['serial', join(folder, 'tty')];
  const [a, b] = [new Host(t, env, target), new Host(t, env, target)];
  await a.initialize();
  assert.equal((await a.device()).broker, (await b.device()).broker);
  const slow = b.begin('tools/call', { name: 'test_slow', arguments: {}, _meta: meta({ progressToken: 1 }) });
  await b.next('notifications/progress');
  const begun = Date.now();
  await pull();
  assert.match((await slow.response).error.message, /connection to the device was lost/);
  t.diagnostic(`seen after ${Date.now() - begun} ms`);
  await plug(t, folder);
  assert.equal(await a.tool('test_simple_text'), 'This is a simple text response for testing.');
});

// The driver of a pseudo-terminal says nothing when only the file goes.
test('notices 100 ms later that the file of a port has gone', { timeout: limitMs }, async (t) => {
  const folder = environment(t).XDG_RUNTIME_DIR;
  await plug(t, folder);
  const path = join(folder, 'tty');
  t.mock.timers.enable({ apis: ['setInterval'] });
  const link = await openSerial({ path });
  atEnd(t, () => link.close());
  const closed = once(link, 'close');
  let ended = false;
  closed.then(() => { ended = true; });
  t.mock.timers.tick(1000);
  unlinkSync(path);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!ended);
  t.mock.timers.tick(100);
  assert.deepEqual(await closed, [`${path} was unplugged`]);
});

test('says that a port is not there', { timeout: limitMs }, async (t) => {
  const host = new Host(t, environment(t), ['serial', '/dev/none-such']);
  const { error } = await host.request('tools/list', { _meta: meta() });
  assert.match(error.message, /away.*none-such/);
});
