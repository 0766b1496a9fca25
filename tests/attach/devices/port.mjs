// SPDX-License-Identifier: Apache-2.0
// A port that stays open while the device behind it is reset: runs a server, and starts it again on SIGUSR1. Bytes to the
// server are lost while it starts.
//
// usage: node port.mjs [--mark] [--noise SEED] COMMAND ARGUMENT...
// With --mark each start writes a boot log and the boot mark. With --noise, bytes in both directions are damaged, one in 2000.
import { spawn } from 'node:child_process';

const argv = process.argv.slice(2);
const takes = (name) => argv[0] === name && argv.shift();
const marks = takes('--mark');
let seed = takes('--noise') ? Number(argv.shift()) : undefined;
const [command, ...args] = argv;
let child;
let boots = 0;

// xorshift32
function random() {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return seed >>> 0;
}

function damage(data) {
  if (seed === undefined) return data;
  for (let i = 0; i < data.length; ++i) {
    if (random() % 2000 === 0) data[i] = random() & 0xff;
  }
  return data;
}

function boot() {
  if (marks) {
    const id = (process.pid * 64 + ++boots).toString(16).padStart(8, '0').slice(-8);
    process.stdout.write(`\xffrst:0x1 (POWERON)\r\nload:0x3fff, {broken\n# mote boot ${id}\n`);
  }
  const started = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child = started;
  started.stdin.on('error', () => {});
  started.stdout.on('data', (data) => { if (child === started) process.stdout.write(damage(data)); });
}

boot();
process.stdout.on('error', () => {});
process.stdin.on('data', (data) => child.stdin.write(damage(data)));
process.on('SIGUSR1', () => {
  child.kill('SIGKILL');
  boot();
});
function end() {
  child.kill('SIGKILL');
  process.exit(0);
}
process.stdin.on('end', end);
process.on('SIGTERM', end);
process.stderr.write(`port ${process.pid}\n`);
