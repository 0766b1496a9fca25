// SPDX-License-Identifier: Apache-2.0
// A serial port with an emulated board behind it: a pseudo-terminal of socat, and an emulator that is started and ended while
// the port stays.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../../at_end.mjs';
import { within } from '../support.mjs';

export class SerialPort {
  /** @param {() => Promise<string[]>} command of the emulator, at each start of the board. The port is `folder`/tty. */
  constructor(t, folder, command) {
    this.folder = folder;
    this.path = join(folder, 'tty');
    this.command = command;
    atEnd(t, () => this.pull());
  }

  async plug() {
    const watcher = watch(this.folder);
    const there = new Promise((resolve) => watcher.on('change', () => { if (existsSync(this.path)) resolve(); }));
    this.socat = spawn('socat', [`PTY,link=${this.path},raw,echo=0,ignoreeof`, '-'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.unplugged = new Promise((resolve) => this.socat.on('close', resolve));
    this.socat.stdin.on('error', () => {});
    this.socat.stdout.on('data', (data) => this.emulator?.stdin.write(data));  // a board that is off loses it
    await this.boot();
    await within('port', there);
    watcher.close();
  }

  /** Starts the emulator; the port does not notice. */
  async boot() {
    const [program, ...args] = await this.command();
    const emulator = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.emulator = emulator;
    this.halted = new Promise((resolve) => emulator.on('close', resolve));
    emulator.stdin.on('error', () => {});
    emulator.stdout.on('data', (data) => { if (this.emulator === emulator) this.socat.stdin.write(data); });
  }

  async halt() {
    this.emulator?.kill('SIGTERM');
    await within('end of the emulator', this.halted);
  }

  async reset() {
    await this.halt();
    await this.boot();
  }

  async pull() {
    this.socat?.kill('SIGTERM');
    await within('end of socat', this.unplugged);
    await this.halt();
  }
}

/** Ends what a host waits for by a reset and by an unplugged port: `end(port)` does it, and `again(port)` makes the board usable. */
export const endings = {
  'is reset': { end: (port) => port.reset(), again: async () => {}, reason: /reset.*may have taken effect/ },
  'is unplugged': { end: (port) => port.pull(), again: (port) => port.plug(), reason: /connection to the device was lost/ },
};

/** Asserts that `promise` is rejected with the reason, and prints the time. */
export async function endsWith(t, promise, reason, begun) {
  await assert.rejects(promise, reason);
  t.diagnostic(`the call ended ${Date.now() - begun} ms after the begin of the reset`);
}
