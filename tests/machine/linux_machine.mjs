// SPDX-License-Identifier: Apache-2.0
// A machine with Linux in QEMU, for any static program: the kernel and busybox of Debian, modules of that kernel, and a
// file system in memory. The program has a serial line of its own, and so does a shell. The devices are memory:
// i2c-stub, and a GPIO chip (gpio_registers.mjs).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { atEnd } from '../at_end.mjs';
import { within } from '../../examples/client/session.mjs';
import { gpioParameters, writeGpioTable } from './gpio_registers.mjs';
import { initramfs } from './initramfs.mjs';

const bootMs = 150_000;  // Debian's kernel takes 6 s on a free processor, without KVM
const commandMs = 60_000;

/** Why the machine cannot run, or undefined. `folder` has the packages, see need_linux (toolchains/packages.sh). */
export function missing(folder) {
  if (!existsSync(join(folder, 'installed'))) return `${folder} has no Linux (tests/run --all gets it)`;
  const folders = (process.env.PATH ?? '').split(':');
  if (!folders.some((path) => existsSync(join(path, 'qemu-system-x86_64')))) return 'there is no qemu-system-x86_64';
  return undefined;
}

/** All modules of the kernel, by name. */
function modulesOf(folder) {
  const all = new Map();
  const [release] = readdirSync(join(folder, 'lib/modules'));
  const root = join(folder, 'lib/modules', release);
  for (const file of readdirSync(root, { recursive: true })) {
    if (file.endsWith('.ko')) all.set(basename(file, '.ko').replaceAll('-', '_'), join(root, file));
  }
  return all;
}

/** A server for the one connection of a serial line of QEMU. */
async function listen(path) {
  const server = createServer();
  server.listen(path);
  await once(server, 'listening');
  return server;
}

/** The transport of a program at the serial line, for the official client. `watch`: see record.mjs. */
class LineTransport {
  constructor(socket) {
    this.socket = socket;
  }

  async start() {}

  take(line) {
    this.watch?.('out', Buffer.from(line));
    this.onmessage?.(JSON.parse(line));
  }

  async send(message) {
    const text = JSON.stringify(message);
    this.watch?.('in', Buffer.from(text));
    await new Promise((resolve, reject) => {
      this.socket.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close() {
    this.onclose?.();
  }
}

export class LinuxMachine {
  #folder = mkdtempSync(join(tmpdir(), 'mote-linux-'));
  #child;
  #shell;
  #lines;
  #program;
  #transport;  // of the program that runs

  /**
   * Boots, loads `modules` in this order ('i2c-stub chip_addr=0x48' has parameters), and opens a shell. The machine
   * ends with the test `t`. `programs` are files of static programs; each is /bin/NAME.
   */
  static async boot(t, { folder, modules, programs }) {
    const machine = new LinuxMachine();
    atEnd(t, () => machine.#end());
    await machine.#boot(folder, modules, programs);
    return machine;
  }

  #init(modules) {
    const load = modules.map((line) => {
      const [name, ...parameters] = line.split(' ');
      return `insmod /lib/${name.replaceAll('-', '_')}.ko ${parameters.join(' ')} || echo "no module ${name}" >&3`;
    });
    return [
      '#!/bin/busybox sh',
      '/bin/busybox --install -s /bin',
      'export PATH=/bin',
      'mount -t devtmpfs d /dev; mount -t proc p /proc; mount -t sysfs s /sys',
      'for line in /dev/ttyS1 /dev/ttyS2; do stty -F $line raw -echo; done',
      'exec 3<>/dev/ttyS2 4<>/dev/ttyS1',
      ...load,
      'echo "# ready" >&3',
      'sh /dev/ttyS2 >&3 2>&3',  // as a script, so the shell writes no prompt
      'poweroff -f',
      '',
    ].join('\n');
  }

  #files(folder, modules, programs) {
    const known = modulesOf(folder);
    const files = ['bin', 'dev', 'lib', 'proc', 'sys', 'tmp'].map((name) => ({ name, type: 'folder' }));
    files.push({ name: 'bin/busybox', type: 'program', data: readFileSync(join(folder, 'bin/busybox')) });
    for (const line of modules) {
      const name = line.split(' ')[0].replaceAll('-', '_');
      assert.ok(known.has(name), `the kernel has no module ${name}`);
      files.push({ name: `lib/${name}.ko`, type: 'file', data: readFileSync(known.get(name)) });
    }
    for (const file of programs) {
      files.push({ name: `bin/${basename(file)}`, type: 'program', data: readFileSync(file) });
    }
    files.push({ name: 'init', type: 'program', data: this.#init(modules) });
    return files;
  }

  async #boot(folder, modules, programs) {
    const at = (name) => join(this.#folder, name);
    writeGpioTable(at('gpio'));
    writeFileSync(at('initramfs'), initramfs(this.#files(folder, modules, programs)));
    const servers = [await listen(at('program')), await listen(at('shell'))];
    const connections = Promise.all(servers.map((server) => once(server, 'connection')));
    const kernel = join(folder, 'boot', readdirSync(join(folder, 'boot')).find((name) => name.startsWith('vmlinuz')));
    const serial = (name) => [
      '-chardev', `socket,id=${name},path=${at(name)},server=off`, '-serial', `chardev:${name}`,
    ];
    this.#child = spawn('qemu-system-x86_64', [
      '-M', 'q35', '-m', '256', '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot', '-kernel', kernel,
      '-initrd', at('initramfs'), '-append', `console=ttyS0 quiet panic=-1 8250.nr_uarts=4 ${gpioParameters}`,
      '-acpitable', `file=${at('gpio')}`,
      '-serial', `file:${at('console')}`, ...serial('program'), ...serial('shell'),
    ], { stdio: ['ignore', 'ignore', 'inherit'] });
    this.#child.on('error', () => {});  // `ended` reports it
    this.ended = new Promise((resolve) => this.#child.once('close', resolve));
    const early = this.ended.then(() => { throw new Error('QEMU has ended'); });
    early.catch(() => {});
    [[this.#program], [this.#shell]] = await Promise.race([early, connections]);
    for (const server of servers) server.close();
    for (const socket of [this.#program, this.#shell]) socket.on('error', () => {});
    createInterface({ input: this.#program }).on('line', (line) => this.#transport?.take(line));
    this.#program.on('close', () => this.#transport?.close());
    this.#lines = createInterface({ input: this.#shell })[Symbol.asyncIterator]();
    await this.#until('# ready', 'end of the boot', bootMs).catch((error) => {
      error.message += `\n${existsSync(at('console')) ? readFileSync(at('console'), 'utf8') : ''}`;
      throw error;
    });
  }

  async #until(mark, what, limitMs) {
    let text = '';
    for (;;) {
      const { value, done } = await within(limitMs, what, this.#lines.next());
      assert.ok(!done, 'the shell has ended');
      const line = value.replace(/\r$/, '');
      if (line.startsWith(mark)) return { text, rest: line.slice(mark.length) };
      assert.doesNotMatch(line, /^no module /);
      text += `${line}\n`;
    }
  }

  /** Runs a command in the shell, and returns its output. Fails if its status is not 0. */
  async run(command) {
    this.#shell.write(`${command}\necho "# status $?"\n`);
    const { text, rest } = await this.#until('# status ', `end of ${command}`, commandMs);
    assert.equal(rest, '0', `${command}: ${text}`);
    return text;
  }

  /** Starts a program at the serial line, in place of an earlier one. Returns its transport for the official client. */
  async serve(command) {
    await this.stop();
    this.#transport = new LineTransport(this.#program);
    await this.run(`${command} </dev/ttyS1 >/dev/ttyS1 2>/tmp/stderr & echo $! >/tmp/pid`);
    return this.#transport;
  }

  /** Ends the program, and returns what it has written to stderr. */
  async stop() {
    const pid = (await this.run('cat /tmp/pid 2>/dev/null || true')).trim();
    if (pid === '') return '';
    await this.run(`kill ${pid} 2>/dev/null; wait ${pid}; rm /tmp/pid`);
    this.#transport = undefined;
    return this.run('cat /tmp/stderr');
  }

  async #end() {
    try {
      if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) {
        this.#child.kill('SIGKILL');
        await this.ended;
      }
      this.#program?.destroy();
      this.#shell?.destroy();
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }
}
