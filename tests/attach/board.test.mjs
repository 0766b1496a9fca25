// SPDX-License-Identifier: Apache-2.0
// An emulated board at a serial port, which is a pseudo-terminal of socat: reset with the port kept, and
// unplugged, in the middle of a call. The times that it prints are those of a quiet machine at best; the limits allow
// for a busy one.
//
// usage: node board.test.mjs EMULATE BOARD VALVE
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { environment, Host, limitMs, within } from './support.mjs';

const [emulate, board, valve] = process.argv.slice(2);

/** A pseudo-terminal at `folder`/tty with an emulator that is started and ended behind it. */
class Port {
  constructor(t, folder) {
    this.folder = folder;
    t.after(() => this.pull());
  }

  async plug() {
    const path = join(this.folder, 'tty');
    const watcher = watch(this.folder);
    const there = new Promise((resolve) => watcher.on('change', () => { if (existsSync(path)) resolve(); }));
    this.socat = spawn('socat', [`PTY,link=${path},raw,echo=0,ignoreeof`, '-'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.unplugged = new Promise((resolve) => this.socat.on('close', resolve));
    this.socat.stdin.on('error', () => {});
    this.socat.stdout.on('data', (data) => this.emulator.stdin.write(data));
    this.boot();
    await within('port', there);
    watcher.close();
  }

  /** Starts the emulator; the port does not notice. */
  boot() {
    const emulator = spawn(emulate, [board, valve], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.emulator = emulator;
    this.halted = new Promise((resolve) => emulator.on('close', resolve));
    emulator.stdin.on('error', () => {});
    emulator.stdout.on('data', (data) => { if (this.emulator === emulator) this.socat.stdin.write(data); });
  }

  async halt() {
    this.emulator.kill('SIGTERM');
    await within('end of the emulator', this.halted);
  }

  async reset() {
    await this.halt();
    this.boot();
  }

  async pull() {
    this.socat.kill('SIGTERM');
    await within('end of socat', this.unplugged);
    await this.halt();
  }
}

async function start(t) {
  const env = environment(t);
  const folder = env.XDG_RUNTIME_DIR;
  const port = new Port(t, folder);
  await port.plug();
  const target = ['serial', join(folder, 'tty')];
  const [host, idle] = [new Host(t, env, target), new Host(t, env, target)];
  await Promise.all([host, idle].map((each) => each.initialize({ elicitation: {} })));
  return { port, host, idle };
}

const move = (host, percent) => host.begin('tools/call', { name: 'move_valve', arguments: { percent }, _meta: { progressToken: 1 } });

/** The valve is at 0 % after a reset; a repeated call would move it. */
async function serves(host) {
  const { response } = move(host, 1);
  assert.equal((await response).result.content[0].text, 'The valve is at 1 %.');
}

test('ends a call of a board that is reset, and never repeats it', { timeout: limitMs }, async (t) => {
  const { port, host, idle } = await start(t);
  const { response } = move(host, 9);
  await host.next('notifications/progress');
  const begun = Date.now();
  await port.reset();
  const booted = Date.now();
  assert.match((await response).error.message, /reset.*may have taken effect/);
  t.diagnostic(`seen ${Date.now() - begun} ms after the reset, ${Date.now() - booted} ms after the start of the emulator`);
  assert.ok(Date.now() - booted < 5000, `${Date.now() - booted} ms`);
  await serves(host);
  assert.deepEqual(idle.unread('notifications/progress'), []);
  assert.deepEqual(await idle.result('ping'), {});
});

test('sees that the port of a board vanished, and another one with its name', { timeout: limitMs }, async (t) => {
  const { port, host, idle } = await start(t);
  const { response } = move(host, 9);
  await host.next('notifications/progress');
  const begun = Date.now();
  const pulled = port.pull();
  assert.match((await response).error.message, /connection to the device was lost/);
  t.diagnostic(`seen after ${Date.now() - begun} ms`);
  assert.ok(Date.now() - begun < 2000, `${Date.now() - begun} ms`);
  await pulled;
  await port.plug();
  await serves(host);
  assert.deepEqual(await idle.result('ping'), {});
});
